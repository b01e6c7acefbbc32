"""Model of the position editor: the position, its rule checks and its undo history.

Changes that the rules don't allow are refused. All other changes can be undone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shibumi3d.i18n import _, language, localize, ntranslate
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game, Position
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import LETTERS
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.rules.marbles.pyramid import Pyramid, pyramid
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording.texts import listed
from shibumi3d.rules.wording import capital

BOX = "box"
"""Name of the stock that supplies the boards; it holds all marbles that are not in use."""
Cells = tuple[int, ...]
"""Contents of a board: one bit mask of points per colour."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An edited position.

    ``stocks`` holds the number of marbles of each colour, for each holder of a stock. Stocks that aren't listed have
    the contents that they have at the start of a game.
    """

    boards: tuple[Cells, ...]
    to_move: int = 0
    phase: int = 0
    stocks: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = ()

    def position(self, size: int) -> Position:
        """Convert the draft to the type of position that the rules and match records use."""
        stocks = {
            name: tuple("".join(map(str.__mul__, LETTERS, numbers)) for numbers in holders)
            for name, holders in self.stocks
        }
        pyr = pyramid(size)
        texts = tuple(position.format_board(pyr, cells) for cells in self.boards)
        return Position(texts, self.to_move, self.phase, stocks)


class Bench:
    """An editable position of a game, with its undo and redo history.

    ``names`` and ``kinds`` are the names and player types of the seats; ``repetition`` is passed to :class:`Match`.
    Methods that change the position return an empty string on success. If a change isn't possible, they leave the
    position as it was and return the reason.
    """

    def __init__(
        self, game: Game, names: Sequence[str], seed: int, kinds: Sequence[str] = (), repetition: bool = True
    ) -> None:
        self.game, self.names, self.seed = game, tuple(names), seed
        self.kinds, self.repetition = tuple(kinds), repetition
        self.facts = marble_facts(game, len(names))
        first: State = game.start(len(names), seed)
        self.draft = Draft(tuple(first.cells(board) for board in range(len(first.board_names))))
        self.match = self._match(self.draft)
        """Match that starts from the position."""
        self._done: list[Draft] = []
        self._undone: list[Draft] = []

    @classmethod
    def of(cls, match: Match, state: State, seed: int) -> Bench:
        """Create a bench from the match state ``state``, using public information only.

        Hidden contents are replaced with the contents at the start of a game. Raises ValueError or RuleFailure if no
        turn can begin at ``state``.
        """
        view: State = match.game.view(state, None)
        # In a series, the seats rotate from game to game.
        sitting = [match.seats[view.player(seat)] for seat in range(view.seats)]
        names, kinds = [seat.name for seat in sitting], [seat.kind for seat in sitting]
        bench = cls(match.game, names, seed, kinds, match.repetition)
        stocks = []
        for stock in bench.facts.stocks:
            holders = view.contents(stock.name)
            # The count of marbles of unknown colour comes last. A negative count means that the number is unknown.
            known = all(min(held) >= 0 and not any(held[len(LETTERS) :]) for held in holders)
            if stock.name != BOX and known:
                stocks.append((stock.name, tuple(held[: len(LETTERS)] for held in holders)))
        boards = tuple(view.cells(board) for board in range(len(view.board_names)))
        seat = view.seat_of(state.mover if state.to_move is None else state.to_move)
        draft = Draft(boards, seat, max(state.phase, 0), tuple(stocks))
        bench.match, bench.draft = bench._match(draft), draft
        return bench

    @property
    def size(self) -> int:
        """Side length of the boards, in holes."""
        return self.facts.size

    @property
    def pyramid(self) -> Pyramid:
        """Geometry of the boards."""
        return pyramid(self.size)

    @property
    def changed(self) -> bool:
        """Whether there are changes to undo."""
        return bool(self._done)

    @property
    def undone(self) -> bool:
        """Whether there are changes to redo."""
        return bool(self._undone)

    def _match(self, draft: Draft) -> Match:
        return Match(
            self.game,
            self.names,
            self.seed,
            position=draft.position(self.size),
            repetition=self.repetition,
            kinds=self.kinds,
        )

    def _try(self, draft: Draft) -> str:
        """Switch to ``draft`` if the rules allow it.

        Return an empty string, or the reason if they don't.
        """
        if draft == self.draft:
            return ""
        try:
            match = self._match(draft)
        except (ValueError, RuleFailure) as problem:
            return _("{text}.", text=capital(localize(problem)))
        self._done.append(self.draft)
        self._undone.clear()
        self.draft, self.match = draft, match
        return ""

    # Marbles

    def filled(self, board: int) -> int:
        """Return a mask of the points of a board that hold a marble."""
        return sum(self.draft.boards[board])

    def colour(self, board: int, point: int) -> int:
        """Return the colour of the marble on a point, or -1 if it is empty."""
        return next((c for c, mask in enumerate(self.draft.boards[board]) if mask >> point & 1), -1)

    def open(self, board: int) -> int:
        """Return a mask of the empty points of a board on which a marble can be placed."""
        return position.playable(self.pyramid, self.filled(board))

    def put(self, board: int, point: int, colour: int) -> str:
        """Place or recolour a marble.

        Return an empty string, or the reason if that isn't possible.
        """
        missing = self.pyramid.supports[point] & ~self.filled(board)
        if missing:
            names = [self.pyramid.names[p] for p in bits(missing)]
            return ntranslate(
                language(),
                "{point} needs four marbles below: {points} is empty.",
                "{point} needs four marbles below: {points} are empty.",
                len(names),
                point=self.pyramid.names[point],
                points=listed(names, language()),
            )
        return self._put(board, point, colour)

    def take(self, board: int, point: int) -> str:
        """Remove a marble.

        Return an empty string, or the reason if that isn't possible.
        """
        carried = self.pyramid.resting[point] & self.filled(board)
        if carried:
            names = listed([self.pyramid.names[p] for p in bits(carried)], language())
            return _(
                "{point} can't be removed: it supports {points}.",
                point=self.pyramid.names[point],
                points=names,
            )
        return self._put(board, point, -1)

    def _put(self, board: int, point: int, colour: int) -> str:
        cells = tuple(
            mask & ~(1 << point) | (c == colour) << point for c, mask in enumerate(self.draft.boards[board])
        )
        boards = (*self.draft.boards[:board], cells, *self.draft.boards[board + 1 :])
        return self._try(replace(self.draft, boards=boards))

    def empty(self) -> str:
        """Remove all marbles from the boards.

        Return an empty string, or the reason if that isn't possible.
        """
        return self._try(replace(self.draft, boards=tuple((0,) * len(LETTERS) for _ in self.draft.boards)))

    # Turn and stocks

    def seat(self, seat: int) -> str:
        """Set the seat to move.

        Return an empty string, or the reason if that isn't possible.
        """
        return self._try(replace(self.draft, to_move=seat))

    def phase(self, phase: int) -> str:
        """Set the phase in which the turn begins.

        Return an empty string, or the reason if that isn't possible.
        """
        return self._try(replace(self.draft, phase=phase))

    @property
    def stocks(self) -> list[tuple[str, int, int]]:
        """Stocks that can be edited, as tuples of name, holder and number of holders."""
        return [
            (stock.name, holder, len(stock.begins))
            for stock in self.facts.stocks
            if stock.name != BOX
            for holder in range(len(stock.begins))
        ]

    def counts(self, stock: str, holder: int) -> tuple[int, ...]:
        """Return the number of marbles of each colour that a holder has in a stock."""
        given = dict(self.draft.stocks).get(stock)
        if given is None:
            found = self.facts.stock(stock)
            assert found is not None
            given = found.begins
        return given[holder]

    def count(self, stock: str, holder: int, colour: int, number: int) -> str:
        """Set the number of marbles of a colour in a stock, clamped to 0–99.

        Return an empty string, or the reason if that isn't possible.
        """
        holders = sum(name == stock for name, _, _ in self.stocks)
        numbers = [list(self.counts(stock, each)) for each in range(holders)]
        numbers[holder][colour] = max(0, min(99, number))
        stocks = {**dict(self.draft.stocks), stock: tuple(map(tuple, numbers))}
        return self._try(replace(self.draft, stocks=tuple(stocks.items())))

    # History and copies

    def undo(self) -> bool:
        """Undo the last change; return whether there was one."""
        return self._step(self._done, self._undone)

    def redo(self) -> bool:
        """Redo the last change that was undone; return whether there was one."""
        return self._step(self._undone, self._done)

    def _step(self, out: list[Draft], into: list[Draft]) -> bool:
        if not out:
            return False
        into.append(self.draft)
        self.draft = out.pop()
        self.match = self._match(self.draft)
        return True

    def resized(self, game: Game) -> Bench:
        """Return a bench for ``game`` on boards of another size, with the marbles that fit on them.

        Marbles stay on the points of the same name. If the rules don't allow the resulting position, the new bench has
        the starting position of the game. Raises ValueError or RuleFailure if the game can't begin at that size.
        """
        bench = Bench(game, self.names, self.seed, self.kinds, self.repetition)
        pyr, old = bench.pyramid, self.pyramid
        boards = []
        for cells in self.draft.boards:
            by_name = {old.names[p]: colour for colour, mask in enumerate(cells) for p in bits(mask)}
            found, filled = [0] * len(LETTERS), 0
            for point, name in enumerate(
                pyr.names
            ):  # from the bottom up, so that supporting marbles are placed first
                if name in by_name and not pyr.supports[point] & ~filled:
                    found[by_name[name]] |= 1 << point
                    filled |= 1 << point
            boards.append(tuple(found))
        bench._try(replace(self.draft, boards=tuple(boards)))
        return bench

    def fresh(self) -> Match:
        """Return a new, unsaved match that starts from the position."""
        return self._match(self.draft)


def bench_of(match: Match, plies: int) -> Bench:
    """Return a bench with the position at the start of the turn in progress after ``plies`` moves.

    Raises ValueError or RuleFailure if no turn can begin there, and TypeError for a game without marbles.
    """
    states = [match.first, *[ply.state for ply in match.plies[:plies]]]
    state = next(s for s in reversed(states) if not s.step or s.to_move is None or s is match.first)
    return Bench.of(match, state, random.randrange(1_000_000))
