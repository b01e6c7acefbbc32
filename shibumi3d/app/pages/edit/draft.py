"""A position that is laid out, marble by marble: only what can stand is taken, and every step can be taken back."""

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
"""The stock that the marbles on the boards come out of: it holds what is left."""
Cells = tuple[int, ...]
"""What stands on a board: one mask a colour."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was laid out. ``stocks`` are numbers a colour, one tuple a holder, of those that are not as at the start."""

    boards: tuple[Cells, ...]
    to_move: int = 0
    phase: int = 0
    stocks: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = ()

    def position(self, size: int) -> Position:
        """The position as rules and records take it."""
        stocks = {
            name: tuple("".join(map(str.__mul__, LETTERS, numbers)) for numbers in holders)
            for name, holders in self.stocks
        }
        pyr = pyramid(size)
        texts = tuple(position.format_board(pyr, cells) for cells in self.boards)
        return Position(texts, self.to_move, self.phase, stocks)


class Bench:
    """A position of a game for some seats, and all that was done to it.

    ``names`` and ``kinds`` are those at the table, ``repetition`` is as a match takes it. Whatever is refused is told
    as a sentence, and nothing changes then.
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
        """The match that begins at the position."""
        self._done: list[Draft] = []
        self._undone: list[Draft] = []

    @classmethod
    def of(cls, match: Match, state: State, seed: int) -> Bench:
        """The bench with ``state`` of a match on it, as everybody may know it: secrets stay as at the start.

        Raises ValueError or RuleFailure where the state is none at which a turn could begin.
        """
        view: State = match.game.view(state, None)
        # In a series the seats go round from game to game.
        sitting = [match.seats[view.player(seat)] for seat in range(view.seats)]
        names, kinds = [seat.name for seat in sitting], [seat.kind for seat in sitting]
        bench = cls(match.game, names, seed, kinds, match.repetition)
        stocks = []
        for stock in bench.facts.stocks:
            holders = view.contents(stock.name)
            # What nobody may know is counted behind the colours, or not at all.
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
        """The side of the boards."""
        return self.facts.size

    @property
    def pyramid(self) -> Pyramid:
        """The geometry of the boards."""
        return pyramid(self.size)

    @property
    def changed(self) -> bool:
        """Whether anything was done."""
        return bool(self._done)

    @property
    def undone(self) -> bool:
        """Whether something was taken back."""
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
        """Takes a draft that the rules let stand; else why they do not."""
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
        """The points of a board that hold a marble."""
        return sum(self.draft.boards[board])

    def colour(self, board: int, point: int) -> int:
        """The colour of the marble on a point; -1: none."""
        return next((c for c, mask in enumerate(self.draft.boards[board]) if mask >> point & 1), -1)

    def open(self, board: int) -> int:
        """The empty points of a board on which a marble can stand."""
        return position.playable(self.pyramid, self.filled(board))

    def put(self, board: int, point: int, colour: int) -> str:
        """Sets a marble down, or gives the one there that colour; else why not."""
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
        """Takes a marble away; else why not."""
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
        """Takes all marbles off the boards; else why not."""
        return self._try(replace(self.draft, boards=tuple((0,) * len(LETTERS) for _ in self.draft.boards)))

    # What lies beside

    def seat(self, seat: int) -> str:
        """Lets a seat move; else why not."""
        return self._try(replace(self.draft, to_move=seat))

    def phase(self, phase: int) -> str:
        """Begins a turn of a phase; else why not."""
        return self._try(replace(self.draft, phase=phase))

    @property
    def stocks(self) -> list[tuple[str, int, int]]:
        """The stocks whose marbles are counted by hand: name, holder and how many holders there are."""
        return [
            (stock.name, holder, len(stock.begins))
            for stock in self.facts.stocks
            if stock.name != BOX
            for holder in range(len(stock.begins))
        ]

    def counts(self, stock: str, holder: int) -> tuple[int, ...]:
        """How many marbles of each colour a stock holds."""
        given = dict(self.draft.stocks).get(stock)
        if given is None:
            found = self.facts.stock(stock)
            assert found is not None
            given = found.begins
        return given[holder]

    def count(self, stock: str, holder: int, colour: int, number: int) -> str:
        """Lets a stock hold so many marbles of a colour; else why not."""
        holders = sum(name == stock for name, _, _ in self.stocks)
        numbers = [list(self.counts(stock, each)) for each in range(holders)]
        numbers[holder][colour] = max(0, min(99, number))
        stocks = {**dict(self.draft.stocks), stock: tuple(map(tuple, numbers))}
        return self._try(replace(self.draft, stocks=tuple(stocks.items())))

    # Back, on, and elsewhere

    def undo(self) -> bool:
        """Takes the last step back."""
        return self._step(self._done, self._undone)

    def redo(self) -> bool:
        """Takes the last step again that was taken back."""
        return self._step(self._undone, self._done)

    def _step(self, out: list[Draft], into: list[Draft]) -> bool:
        if not out:
            return False
        into.append(self.draft)
        self.draft = out.pop()
        self.match = self._match(self.draft)
        return True

    def resized(self, game: Game) -> Bench:
        """A bench for the game on boards of another size, with the marbles of this that can stand there.

        Points are the same that have the same name. Raises ValueError or RuleFailure where nothing of it can stand.
        """
        bench = Bench(game, self.names, self.seed, self.kinds, self.repetition)
        pyr, old = bench.pyramid, self.pyramid
        boards = []
        for cells in self.draft.boards:
            by_name = {old.names[p]: colour for colour, mask in enumerate(cells) for p in bits(mask)}
            found, filled = [0] * len(LETTERS), 0
            for point, name in enumerate(
                pyr.names
            ):  # from the board up, so that what a marble rests on is there
                if name in by_name and not pyr.supports[point] & ~filled:
                    found[by_name[name]] |= 1 << point
                    filled |= 1 << point
            boards.append(tuple(found))
        bench._try(replace(self.draft, boards=tuple(boards)))
        return bench

    def fresh(self) -> Match:
        """Another match that begins at the position, which nobody keeps."""
        return self._match(self.draft)


def bench_of(match: Match, plies: int) -> Bench:
    """A bench with the beginning of the turn that a match is in after so many moves.

    Raises ValueError or RuleFailure where none can begin there, TypeError for a game without marbles.
    """
    states = [match.first, *[ply.state for ply in match.plies[:plies]]]
    state = next(s for s in reversed(states) if not s.step or s.to_move is None or s is match.first)
    return Bench.of(match, state, random.randrange(1_000_000))
