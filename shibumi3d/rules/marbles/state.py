"""A match at one moment: everything needed to go on from there, frozen, hashable and comparable."""

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
"""The number of marbles in a stock whose size is hidden from the viewer."""


@dataclass(frozen=True, slots=True)
class MarbleOutcome(Outcome):
    """How a match of marbles ended. ``shape`` is one mask a board: the line or group that decided."""

    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class TableState:
    """What lies on the table at a moment of a match: boards, stocks, the marble in hand."""

    _rules: Rules = field(compare=False, repr=False)
    _at: Snapshot
    seed: int | None
    """The seed of chance; None in a view."""
    aside: tuple[int | None, Snapshot] | None = field(default=None, compare=False, repr=False)
    """In a view of a moment at which somebody chooses in secret: whose it is (None: everybody's), and what all know."""

    # ------------------------------------------------------------ boards

    @property
    def size(self) -> int:
        """The side of the board."""
        return self._rules.pyramid.size

    @property
    def pyramid(self) -> Pyramid:
        """The geometry of the boards."""
        return self._rules.pyramid

    @property
    def board_names(self) -> tuple[str, ...]:
        """The boards' names, one for most games."""
        return self._rules.board_names

    @property
    def board_a_seat(self) -> bool:
        """Whether every seat has a board of its own."""
        return self._rules.board_a_seat

    @property
    def boards(self) -> tuple[str, ...]:
        """The boards as text: levels joined by ``/``, rows north first joined by ``,``, cells ``W B R .``"""
        return tuple([position.format_board(self._rules.pyramid, cells) for cells, *_ in self._at.boards])

    def point_name(self, point: int, board: int = 0) -> str:
        """Return a point's name, with its board's where there are several."""
        return point_name(self._rules, point, board)

    def place_of(self, name: str) -> tuple[int, int] | None:
        """Return the board and the point that :meth:`point_name` calls so; None for any other text."""
        return place_of(self._rules, name)

    def cells(self, board: int = 0) -> tuple[int, ...]:
        """Return what stands on a board, one mask a colour."""
        return self._at.boards[board][0]

    def filled(self, board: int = 0) -> int:
        """Return the points of a board that hold a marble, as a mask."""
        return self._at.boards[board][1]

    def placed(self, board: int = 0) -> int:
        """Return where marbles placed in this turn stand, as a mask."""
        return self._at.boards[board][3][PLACED]

    def moved(self, board: int = 0) -> int:
        """Return where marbles moved in this turn stand, as a mask."""
        return self._at.boards[board][3][MOVED]

    def fallen(self, board: int = 0) -> int:
        """Return where marbles that dropped in this turn stand, as a mask."""
        return self._at.boards[board][3][FALLEN]

    def covered(self, player: int) -> frozenset[int]:
        """Return the boards that a player may not see; none once the match is over."""
        if self._at.result is not None:
            return frozenset()
        seat = self.seat_of(player)
        return frozenset(
            board for board, sight in enumerate(self._rules.board_sight) if not sight >> seat & 1
        )

    def uncounted(self, player: int) -> bool:
        """Return whether a player may not know how many marbles some stock holds."""
        seat = self.seat_of(player)
        return any(not sight >> seat & 1 for sight in self._rules.size_sight)

    @property
    def held(self) -> tuple[int, int, int] | None:
        """The marble in hand: its colour, the point it was lifted from and that point's board."""
        return None if self._at.held is None else self._at.held[:3]

    # ------------------------------------------------------------ whose

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._rules.seats

    def seat_of(self, player: int) -> int:
        """Return the seat of the running game on which a player sits, as the rules count them."""
        return (player - self._at.game_number + 1) % self.seats

    def player(self, seat: int) -> int:
        """Return who sits on a seat: in a series the seats go round from game to game."""
        return (seat + self._at.game_number - 1) % self.seats

    def owned(self, player: int) -> tuple[int, ...]:
        """Return the colours that a player owns in this game, as indices of COLOURS."""
        colours = self._rules.owned[self.seat_of(player)]
        return tuple([i for i in range(self._rules.colours) if colours >> i & 1])

    @property
    def reserves(self) -> dict[str, tuple[dict[str, int], ...]]:
        """Marbles off the board: stock name → for each holder (one when shared) the number of each colour.

        Marbles that the viewer may not know are counted under ``"unknown"``, as UNCOUNTED where their number is
        hidden too.
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
        """Return what the stocks of a name hold: a number a colour (and of unknown ones, if any), one tuple a
        holder.
        """
        every = zip(self._rules.stock_names, self._at.stocks, strict=True)
        return tuple([content for name, content in every if name == stock])


@dataclass(frozen=True)
class State(TableState):
    """A moment of a match. Made by :class:`~shibumi3d.rules.marbles.game.RuleGame`; never changed."""

    # ------------------------------------------------------------ seats and turns

    @property
    def standing(self) -> Hashable:
        """What lies on the table and who is to move: equal for positions that recur."""
        cells = tuple([board[0] for board in self._at.boards])
        return cells, self._at.stocks, self._at.phase, self.to_move

    @property
    def to_move(self) -> int | None:
        """Who chooses next, counted from 0; None when the match is over."""
        return (
            None
            if self._at.result is not None
            else self.player(self._at.me if not self._at.stuck else self._at.mover)
        )

    @property
    def ask(self) -> Ask | None:
        """The question open now: one seat chooses, in a secret block behind the curtain; None when it is over."""
        seat = self.to_move
        return None if seat is None else Ask("turn", (seat,), "hidden" if self.in_secret else "open")

    @property
    def in_secret(self) -> bool:
        """Whether seats choose in secret now, to be revealed together."""
        return bool(self._at.secret)

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.player(self._at.mover)

    @property
    def turn(self) -> int:
        """Complete turns so far."""
        return self._at.turn

    @property
    def step(self) -> int:
        """Choices made in this turn so far."""
        return self._at.step

    @property
    def phase(self) -> int:
        """The phase of the game, from 0; -1 while the setup asks for choices."""
        return self._at.phase

    @property
    def game_number(self) -> int:
        """Which game of a series is played, from 1."""
        return self._at.game_number

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each player now: in this game, or at the end of the match."""
        if self._at.result is not None:
            return tuple(self._at.result[1])
        formula = self._rules.score is not None
        by_seat = runner_of(self._rules).scores(self._at) if formula else self._at.tallies
        return tuple([by_seat[self.seat_of(p)] for p in range(self.seats)])

    @property
    def totals(self) -> tuple[int, ...]:
        """What each player gained in the finished games of a series; empty when there is none."""
        return self._at.totals

    @property
    def solvable(self) -> bool | None:
        """Whether the match can be won as it stands at its start; None where the rules do not say."""
        if self._rules.solvable is None:
            return None
        return runner_of(self._rules).solvable(self._at)

    @property
    def result(self) -> MarbleOutcome | None:
        """How the match ended, or None while it goes on."""
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
