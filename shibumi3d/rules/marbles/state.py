"""The state of a match: immutable, hashable, and sufficient to continue the match."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from shibumi3d.rules.game import Ask, Outcome
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.rules import FALLEN, MOVED, PLACED, Rules, Snapshot
from shibumi3d.rules.marbles.engines import runner_of
from shibumi3d.rules.marbles.notation import place_of, point_name
from shibumi3d.rules.marbles.pyramid import Pyramid

UNCOUNTED = -1
"""Placeholder for the number of marbles in a stock whose size is hidden from the viewer."""


@dataclass(frozen=True, slots=True)
class MarbleOutcome(Outcome):
    """The result of a match.

    ``shape`` holds one mask for each board: the line or group of marbles that decided the match.
    """

    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class TableState:
    """The part of a state that concerns the table: boards, stocks and the marble in hand."""

    _rules: Rules = field(compare=False, repr=False)
    _at: Snapshot
    seed: int | None
    """Random seed of the match; None in a view."""
    aside: tuple[int | None, Snapshot] | None = field(default=None, compare=False, repr=False)
    """In a view of an open secret block, the viewer and the snapshot known to everyone.

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
    def board_a_seat(self) -> bool:
        """Whether each seat has its own board."""
        return self._rules.board_a_seat

    @property
    def boards(self) -> tuple[str, ...]:
        """The boards as text.

        Levels are separated by ``/`` and rows, northernmost first, by ``,``. Each cell is ``W``, ``B``, ``R`` or ``.``.
        """
        return tuple([position.format_board(self._rules.pyramid, cells) for cells, *_ in self._at.boards])

    def point_name(self, point: int, board: int = 0) -> str:
        """Return the name of a point, with the name of its board if there are several."""
        return point_name(self._rules, point, board)

    def place_of(self, name: str) -> tuple[int, int] | None:
        """Return the board and point that a name refers to, or None if there is no such point.

        Names are those returned by :meth:`point_name`.
        """
        return place_of(self._rules, name)

    def cells(self, board: int = 0) -> tuple[int, ...]:
        """Return the marbles on a board: for each colour, a mask of points."""
        return self._at.boards[board][0]

    def filled(self, board: int = 0) -> int:
        """Return a mask of the occupied points of a board."""
        return self._at.boards[board][1]

    def placed(self, board: int = 0) -> int:
        """Return a mask of the points whose marbles were placed in this turn."""
        return self._at.boards[board][3][PLACED]

    def moved(self, board: int = 0) -> int:
        """Return a mask of the points whose marbles were moved in this turn."""
        return self._at.boards[board][3][MOVED]

    def fallen(self, board: int = 0) -> int:
        """Return a mask of the points onto which marbles dropped in this turn."""
        return self._at.boards[board][3][FALLEN]

    def covered(self, player: int) -> frozenset[int]:
        """Return the boards that are hidden from a player; none are once the match is over."""
        if self._at.result is not None:
            return frozenset()
        seat = self.seat_of(player)
        return frozenset(
            board for board, sight in enumerate(self._rules.board_sight) if not sight >> seat & 1
        )

    def uncounted(self, player: int) -> bool:
        """Return whether the size of any stock is hidden from a player."""
        seat = self.seat_of(player)
        return any(not sight >> seat & 1 for sight in self._rules.size_sight)

    @property
    def held(self) -> tuple[int, int, int] | None:
        """The marble in hand: its colour, the point it came from, and that point's board; or None."""
        return None if self._at.held is None else self._at.held[:3]

    # ------------------------------------------------------------ players and colours

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self._rules.seats

    def seat_of(self, player: int) -> int:
        """Return the seat of a player in the current game.

        In a series, the players change seats from game to game. The rules refer to seats, not to players.
        """
        return (player - self._at.game_number + 1) % self.seats

    def player(self, seat: int) -> int:
        """Return the player at a seat of the current game; the inverse of :meth:`seat_of`."""
        return (seat + self._at.game_number - 1) % self.seats

    def owned(self, player: int) -> tuple[int, ...]:
        """Return the colours that a player owns in this game, as indices into COLOURS."""
        colours = self._rules.owned[self.seat_of(player)]
        return tuple([i for i in range(self._rules.colours) if colours >> i & 1])

    @property
    def reserves(self) -> dict[str, tuple[dict[str, int], ...]]:
        """Marbles off the board: for each stock name, the count of each colour for each holder.

        A shared stock has a single holder. Marbles whose colour is hidden from the viewer are counted as ``"unknown"``;
        if their number is hidden too, the count is UNCOUNTED.
        """
        found: dict[str, tuple[dict[str, int], ...]] = {}
        names = (*self._rules.names, "unknown")
        for name, content in zip(self._rules.stock_names, self._at.stocks, strict=True):
            counts = {
                colour: n for colour, n in zip(names, content, strict=False) if n or colour != "unknown"
            }
            found[name] = (*found.get(name, ()), counts)
        return found

    def contents(self, stock: str) -> tuple[tuple[int, ...], ...]:
        """Return the contents of the stocks of a given name, as one tuple for each holder.

        Each tuple holds a count for each colour, followed by one for marbles of unknown colour if there are any.
        """
        every = zip(self._rules.stock_names, self._at.stocks, strict=True)
        return tuple([content for name, content in every if name == stock])


@dataclass(frozen=True)
class State(TableState):
    """Immutable state of a match.

    States are created by :class:`~shibumi3d.rules.marbles.game.RuleGame`.
    """

    # ------------------------------------------------------------ seats and turns

    @property
    def standing(self) -> Hashable:
        """Key for detecting repeated positions, made of boards, stocks, phase and player to move."""
        cells = tuple([board[0] for board in self._at.boards])
        return cells, self._at.stocks, self._at.phase, self.to_move

    @property
    def to_move(self) -> int | None:
        """Player to move next, counted from 0, or None when the match is over."""
        return (
            None
            if self._at.result is not None
            else self.player(self._at.me if not self._at.stuck else self._at.mover)
        )

    @property
    def ask(self) -> Ask | None:
        """The pending request for a move, or None when the match is over.

        It always concerns exactly one seat. In a secret block, that seat's move is hidden from the others.
        """
        seat = self.to_move
        return None if seat is None else Ask("turn", (seat,), "hidden" if self.in_secret else "open")

    @property
    def in_secret(self) -> bool:
        """Whether a secret block is open.

        In a secret block, seats move without seeing each other's moves. All of these moves are then revealed together.
        """
        return bool(self._at.secret)

    @property
    def mover(self) -> int:
        """Player whose turn it is."""
        return self.player(self._at.mover)

    @property
    def turn(self) -> int:
        """Number of completed turns."""
        return self._at.turn

    @property
    def step(self) -> int:
        """Number of moves made in the current turn."""
        return self._at.step

    @property
    def phase(self) -> int:
        """Index of the current phase of the game, or -1 while players make choices during the setup."""
        return self._at.phase

    @property
    def game_number(self) -> int:
        """Number of the current game in a series, from 1."""
        return self._at.game_number

    @property
    def scores(self) -> tuple[int, ...]:
        """Score of each player in the current game, or the final scores once the match is over."""
        if self._at.result is not None:
            return tuple(self._at.result[1])
        formula = self._rules.score is not None
        by_seat = runner_of(self._rules).scores(self._at) if formula else self._at.tallies
        return tuple([by_seat[self.seat_of(p)] for p in range(self.seats)])

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each player from the finished games of a series; empty outside a series."""
        return self._at.totals

    @property
    def solvable(self) -> bool | None:
        """Whether the match could be won from its start, or None if the rules do not say."""
        if self._rules.solvable is None:
            return None
        return runner_of(self._rules).solvable(self._at)

    @property
    def result(self) -> MarbleOutcome | None:
        """Result of the match, or None while it is in progress."""
        found = self._at.result
        if found is None:
            return None
        winners, scores, number, shape = found
        because = self._rules.reason(number, winners, scores)
        over_series = number == -2
        seats = tuple([i for i in range(self.seats) if winners >> i & 1])
        players = seats if over_series else tuple(sorted(self.player(seat) for seat in seats))
        return MarbleOutcome(
            players,
            tuple(scores),
            because["en"],
            tuple(because.items()),
            tuple(shape),
            lost=number in self._rules.all_lose,
        )

    def __str__(self) -> str:
        return " ".join(self.boards)
