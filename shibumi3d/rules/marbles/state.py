"""The state of a match: immutable, hashable, and sufficient to continue the match."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from shibumi3d.rules.game import Decision, FormerStateNames, Outcome
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.rules import FALLEN, MOVED, PLACED, Rules, Snapshot
from shibumi3d.rules.marbles.engines import get_runner
from shibumi3d.rules.marbles.notation import parse_point, point_notation
from shibumi3d.rules.marbles.pyramid import Pyramid

UNKNOWN_COUNT = -1
"""Placeholder for the number of marbles in a stock whose size is hidden from the viewer."""


@dataclass(frozen=True, slots=True)
class MarbleOutcome(Outcome):
    """The result of a match.

    ``deciding_points`` has one mask for each board: the points of the lines or groups that decided the match. A mask is
    0 if there are no such points on its board.
    """

    deciding_points: tuple[int, ...] = ()


@dataclass(frozen=True)
class TableState(FormerStateNames):
    """The part of a state that concerns the table: boards, stocks, the lifted marble, seats and colours."""

    _rules: Rules = field(compare=False, repr=False)
    _snapshot: Snapshot
    seed: int | None
    """Random seed of the match; None in a view."""
    common_view: tuple[int | None, Snapshot] | None = field(default=None, compare=False, repr=False)
    """In a view of an open secret block, the viewer and the snapshot known to everyone; otherwise, None.

    The viewer is None in the view that all seats share.
    """

    # ------------------------------------------------------------ boards

    @property
    def size(self) -> int:
        """Number of holes along one side of the board."""
        return self._rules.pyramid.size

    @property
    def pyramid(self) -> Pyramid:
        """Geometry shared by all boards."""
        return self._rules.pyramid

    @property
    def board_names(self) -> tuple[str, ...]:
        """Names of the boards; most games have only one board."""
        return self._rules.board_names

    @property
    def has_board_per_seat(self) -> bool:
        """Whether each seat has its own board."""
        return self._rules.has_board_per_seat

    @property
    def boards(self) -> tuple[str, ...]:
        """The boards as text.

        Levels are listed from the lowest up, separated by ``/``, and the rows of each level from north to south,
        separated by ``,``. Each point is ``W``, ``B`` or ``R`` for the colour of its marble, or ``.`` if it is empty.
        """
        return tuple(
            [position.format_board(self._rules.pyramid, cells) for cells, *_ in self._snapshot.boards]
        )

    def point_name(self, point: int, board: int = 0) -> str:
        """Return the name of a point, preceded by the name of its board if there are several boards."""
        return point_notation(self._rules, point, board)

    def parse_point(self, name: str) -> tuple[int, int] | None:
        """Return the board and point that a name refers to, or None if there is no such point.

        The format is that of :meth:`point_name`, but the board can always be given or left out. If it is left out, the
        point is on the first board.
        """
        return parse_point(self._rules, name)

    def cells(self, board: int = 0) -> tuple[int, ...]:
        """Return the marbles on a board: for each colour, a mask of points."""
        return self._snapshot.boards[board][0]

    def filled(self, board: int = 0) -> int:
        """Return a mask of the occupied points of a board."""
        return self._snapshot.boards[board][1]

    def placed_points(self, board: int = 0) -> int:
        """Return a mask of the points whose marbles were placed in this turn."""
        return self._snapshot.boards[board][3][PLACED]

    def moved_points(self, board: int = 0) -> int:
        """Return a mask of the points with marbles that were moved in this turn."""
        return self._snapshot.boards[board][3][MOVED]

    def fallen_points(self, board: int = 0) -> int:
        """Return a mask of the points with marbles that dropped in this turn."""
        return self._snapshot.boards[board][3][FALLEN]

    def hidden_boards(self, player: int) -> frozenset[int]:
        """Return the indices of the boards that are hidden from a player; once the match is over, there are none."""
        if self._snapshot.result is not None:
            return frozenset()
        seat = self.seat_of_player(player)
        return frozenset(
            board for board, sight in enumerate(self._rules.board_viewers) if not sight >> seat & 1
        )

    def has_hidden_stock_sizes(self, player: int) -> bool:
        """Return whether the rules hide the size of any stock from a player.

        The result stays the same when the match is over, although nothing is hidden then.
        """
        seat = self.seat_of_player(player)
        return any(not sight >> seat & 1 for sight in self._rules.stock_size_viewers)

    @property
    def held(self) -> tuple[int, int, int] | None:
        """The lifted marble as ``(colour, point, board)``, or None if there is none.

        ``colour`` is an index into COLOURS, and ``point`` and ``board`` say where the marble was lifted. In a view, it
        is also None if the viewer may not know about the marble.
        """
        return None if self._snapshot.held_marble is None else self._snapshot.held_marble[:3]

    # ------------------------------------------------------------ players and colours

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self._rules.seats

    def seat_of_player(self, player: int) -> int:
        """Return the seat of a player in the current game.

        In a series, the players change seats from game to game. The rules refer to seats, not to players.
        """
        return (player - self._snapshot.game_number + 1) % self.seats

    def player_at(self, seat: int) -> int:
        """Return the player at a seat of the current game; the inverse of :meth:`seat_of_player`."""
        return (seat + self._snapshot.game_number - 1) % self.seats

    def owned_colours(self, player: int) -> tuple[int, ...]:
        """Return the colours that a player owns in this game, as indices into COLOURS."""
        colours = self._rules.owned_colours[self.seat_of_player(player)]
        return tuple([i for i in range(self._rules.colour_count) if colours >> i & 1])

    @property
    def reserves(self) -> dict[str, tuple[dict[str, int], ...]]:
        """Marbles in the stocks: for each stock name, one mapping per holder, from colour to count.

        A shared stock has a single holder. Marbles whose colour is hidden from the viewer are counted as ``"unknown"``;
        if their number is hidden too, the count is UNKNOWN_COUNT. A lifted marble is in no stock, and so it isn't
        counted; see :attr:`held`.
        """
        result: dict[str, tuple[dict[str, int], ...]] = {}
        names = (*self._rules.colour_names, "unknown")
        for name, content in zip(self._rules.stock_names, self._snapshot.stocks, strict=True):
            counts = {
                colour: n for colour, n in zip(names, content, strict=False) if n or colour != "unknown"
            }
            result[name] = (*result.get(name, ()), counts)
        return result

    def stock_contents(self, stock: str) -> tuple[tuple[int, ...], ...]:
        """Return the contents of the stocks of a given name, as one tuple for each holder.

        Each tuple holds a count for each colour. If the viewer may not know all of the contents, a final count follows,
        for marbles of unknown colour. It is UNKNOWN_COUNT if their number is hidden, too.
        """
        every = zip(self._rules.stock_names, self._snapshot.stocks, strict=True)
        return tuple([content for name, content in every if name == stock])


@dataclass(frozen=True)
class State(TableState):
    """Immutable state of a match, or a view of it.

    States are created by :class:`~shibumi3d.rules.marbles.game.MarbleGame`.
    """

    # ------------------------------------------------------------ seats and turns

    @property
    def repetition_key(self) -> Hashable:
        """Key for detecting repeated positions, made of boards, stocks, phase and player to move."""
        cells = tuple([board[0] for board in self._snapshot.boards])
        return cells, self._snapshot.stocks, self._snapshot.phase, self.to_move

    @property
    def to_move(self) -> int | None:
        """Player to move next, counted from 0, or None when the match is over."""
        return (
            None
            if self._snapshot.result is not None
            else self.player_at(self._snapshot.me if not self._snapshot.is_stuck else self._snapshot.mover)
        )

    @property
    def decision(self) -> Decision | None:
        """The pending request for a move, or None when the match is over.

        It always concerns exactly one seat. In a secret block, that seat's move is hidden from the others, and
        ``visibility`` is "hidden". In a view, ``visibility`` is always "open", even in a secret block.
        """
        seat = self.to_move
        return (
            None
            if seat is None
            else Decision("turn", (seat,), "hidden" if self.is_in_secret_block else "open")
        )

    @property
    def is_in_secret_block(self) -> bool:
        """Whether a secret block is open; always False in a view of a match in progress.

        In a secret block, seats move without seeing each other's moves. All of these moves are then revealed together.
        If the match ends while a block is open, for example on time, the value stays True, even in a view.
        """
        return bool(self._snapshot.secret_parts)

    @property
    def mover(self) -> int:
        """Player whose turn it is."""
        return self.player_at(self._snapshot.mover)

    @property
    def turn(self) -> int:
        """Number of completed turns."""
        return self._snapshot.turn

    @property
    def step(self) -> int:
        """Number of moves made in the current turn."""
        return self._snapshot.choices_made

    @property
    def phase(self) -> int:
        """Index of the current phase of the game, or -1 while players make choices during the setup."""
        return self._snapshot.phase

    @property
    def game_number(self) -> int:
        """Number of the current game in a series, counted from 1; always 1 if there is no series."""
        return self._snapshot.game_number

    @property
    def scores(self) -> tuple[int, ...]:
        """Score of each player in the current game or, once the match is over, the score in the result.

        If a series has been played to its end, these are the players' totals. If the match ended in another way, for
        example on time, they are the scores of the current game, even in a series.
        """
        if self._snapshot.result is not None:
            return tuple(self._snapshot.result[1])
        formula = self._rules.score is not None
        by_seat = get_runner(self._rules).scores(self._snapshot) if formula else self._snapshot.tallies
        return tuple([by_seat[self.seat_of_player(p)] for p in range(self.seats)])

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each player from the finished games of a series; empty if there are none."""
        return self._snapshot.totals

    @property
    def is_solvable(self) -> bool | None:
        """Whether the ``solvable`` condition of the rules holds, or None if there is no such condition.

        In the initial state, it says whether the deal can be won.
        """
        if self._rules.solvable is None:
            return None
        return get_runner(self._rules).is_solvable(self._snapshot)

    @property
    def result(self) -> MarbleOutcome | None:
        """Result of the match, or None while it is in progress."""
        engine_result = self._snapshot.result
        if engine_result is None:
            return None
        winners, scores, number, shape = engine_result
        because = self._rules.end_reason(number, winners, scores)
        over_series = number == -2
        seats = tuple([i for i in range(self.seats) if winners >> i & 1])
        players = seats if over_series else tuple(sorted(self.player_at(seat) for seat in seats))
        return MarbleOutcome(
            players,
            tuple(scores),
            because["en"],
            tuple(because.items()),
            tuple(shape),
            is_common_loss=number in self._rules.shared_loss_rules,
        )

    def __str__(self) -> str:
        return " ".join(self.boards)
