"""Solving games that are not played against anybody: is there a way to win, and which?

The search goes through the choices of the rules themselves, so it can answer for every game of that kind. It runs
on the game's fast form and never looks at what chance has not shown yet, unless it is asked to.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from shibumi3d.i18n import Unusable
from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.game import Game, State
from shibumi3d.rules.search import FastGame
from shibumi3d.search.kinds import search_of

FIRST_TRY = 500
"""Choices tried before a search begins anew in another order."""
GROWTH = 1.5
"""How much longer every further try is."""
SEED_WORK = 20_000
"""Choices tried on a deal before the next one is looked at."""
CHOICE = 1_000
"""What a choice tried costs in games for two, as rules count it."""
MOST_TURNS = 400
"""So many turns are looked ahead in games for two."""


class _Way(NamedTuple):
    """A choice and the position to which it leads, or that it wins."""

    code: int
    position: Hashable
    won: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about winning from a state.

    ``won`` is True when ``moves`` (texts, to be applied one after the other) lead to a win, False when every way was
    tried and none wins, None when that stays open: the work allowed was used up, or ``chance`` lies ahead. ``tried``
    is the number of choices tried.
    """

    won: bool | None
    moves: tuple[str, ...] = ()
    chance: bool = False
    tried: int = 0


@dataclass(frozen=True, slots=True)
class Best:
    """The greatest score found: None when no way to an end that counts was found.

    ``proven`` says that every way was tried, so that there is no greater one. ``moves`` lead to it. ``chance`` and
    ``tried`` are as in :class:`Verdict`.
    """

    score: int | None
    proven: bool
    moves: tuple[str, ...] = ()
    chance: bool = False
    tried: int = 0


def solve(game: Game, state: State, *, work: int = 200_000, foresee: bool = False) -> Verdict:
    """Return whether, and how, all who play can win from ``state``.

    ``work`` is the number of choices tried at most (some 10,000 a second). A drawn marble that nobody can know is the
    end of a way, unless the deal gives the order or, with ``foresee``, the state's seed tells: that proves that a
    deal can be won, and must not be shown to who plays it. In games judged by score every finished game is a win; ask
    :func:`greatest` there. Raises ValueError for games in which players play against each other, and for ``foresee``
    in a view that does not tell the seed.
    """
    if not game.facts(state.seats).solver:
        raise Unusable("{game} is played against others, so nobody can be sure to win it", game=game.title)
    if state.result is not None:
        return Verdict(len(state.result.winners) == state.seats)
    search = _Search(game, state, work, foresee)
    found = search.run()
    if found:
        return Verdict(True, _texts(game, state, found), tried=search.tried)
    return Verdict(None if search.unknown else False, chance=search.chance, tried=search.tried)


def decided(game: Game, state: State, *, work: int = 200_000) -> tuple[float | None, tuple[str, ...]]:
    """Return what a state of a game for two who see all is worth to the seat to move, and the choices that win.

    1 is a win, 0 a loss, 0.5 what nobody can better, None not known after ``work`` choices. Raises ValueError for
    other games, and for a match that is over.
    """
    seat = state.to_move
    if seat is None:
        raise Unusable("the match is over")
    search = search_of(game, game.view(state, seat), seat)
    if not search.exact:
        raise Unusable(
            "{game} is played against others: solved are games played alone, together, or by two who see all",
            game=game.title,
        )
    proving = work * CHOICE // 2
    low, high, winning = search.solved(proving, lambda: False)
    if low < high:
        # Where positions recur, or numbers of proofs lead nowhere, it is looked ahead turn by turn.
        choices = search.forced(MOST_TURNS, work * CHOICE - proving, lambda: False)
        low, high = max(one.low for one in choices), max(one.high for one in choices)
        winning = tuple([one.moves[0] for one in choices if one.low == 1.0])
    worth = low if low == high else None
    return worth, winning if worth == 1 else ()


def find_seed(
    game: Game, seed: int, *, seats: int = 1, tries: int = 200, work: int = SEED_WORK
) -> int | None:
    """Return the first seed from ``seed`` on whose start can be won for sure, of ``tries``; None when none was
    found.

    ``work`` is the number of choices tried on each.
    """
    for candidate in range(seed, seed + tries):
        if solve(game, game.start(seats, candidate), work=work, foresee=True).won:
            return candidate
    return None


def greatest(game: Game, state: State, *, work: int = 200_000, foresee: bool = False) -> Best:
    """Return the greatest score that can be reached in a game for one, as far as ``work`` choices tried can tell.

    Raises ValueError for games of several players.
    """
    if state.seats != 1:
        raise Unusable("{game} is played by several, so no score is in one hand", game=game.title)
    if state.result is not None:
        return Best(state.result.scores[0] if state.result.winners else None, True)
    search = _Search(game, state, work // 2, foresee, for_score=True)
    search.run()
    if search.unknown:
        search.limit = work
        search.climb()
    moves = _texts(game, state, search.best_way)
    return Best(search.best_score, not search.unknown, moves, search.chance, search.tried)


def _score(fast: FastGame) -> int | None:
    """The score of a game for one that is over; None when it was lost."""
    result = fast.result()
    assert result is not None
    return fast.scores()[0] if result.winners else None


def _texts(game: Game, state: State, codes: list[int]) -> tuple[str, ...]:
    """Choices as the texts of moves. They are played on the way, so what is not possible shows at once."""
    found = []
    for code in codes:
        found.append(game.move_of(state, code).text)
        state, _ = game.apply(state, found[-1])
    return tuple(found)


class _Search:
    """Depth first, never twice through one position, begun anew in another order when it takes long.

    What was searched to the end without a win is kept from try to try. That stays exact where a game can return to
    an earlier position: a win behind such a position is reached as well from where it stood first, and a position on
    the way of a try that is given up is open again.
    """

    def __init__(self, game: Game, state: State, limit: int, foresee: bool, for_score: bool = False) -> None:
        if foresee and state.seed is None:
            raise Unusable("the seed of this state is not known, so chance can't be foreseen")
        fast = game.fast(state.seats)
        if fast is None:
            raise Unusable("{game} has no form in which it is searched", game=game.title)
        self.fast = fast
        self.fast.load(state, state.seed or 0, careful=not foresee)
        self.everyone = (1 << state.seats) - 1
        self.limit = limit
        self.for_score = for_score
        self.tried = 0
        self.closed: set[Hashable] = set()
        self.chance = False
        self.unknown = False
        """Some way was not followed to its end."""
        self.best_score: int | None = None
        self.best_way: list[int] = []

    def run(self) -> list[int]:
        """The choices that lead to a win; nothing when none was found, and that is sure unless ``unknown``."""
        allowed = float(self.limit if self.for_score else FIRST_TRY)
        number = 0
        while self.tried < self.limit:
            chance = Random(number) if number else None
            found = self.depth_first(chance, min(self.tried + int(allowed), self.limit))
            if found is not None:
                return found
            allowed *= GROWTH
            number += 1
        self.unknown = True
        return []

    def depth_first(self, chance: Random | None, until: int) -> list[int] | None:
        """One try, in the order of the rules or in a random one; None when it was given up at ``until`` choices."""
        way: list[int] = []
        entered: list[Hashable] = []
        open_ways: list[Iterator[_Way]] = []
        position: Hashable = self.fast.exact_key()
        while True:
            self.closed.add(position)
            entered.append(position)
            ways = self.follow(way)
            if ways and ways[0].won:
                self.take_back(len(way))
                return [*way, ways[0].code]
            if chance is not None:
                chance.shuffle(ways)
            open_ways.append(iter(ways))
            following = None
            while following is None:
                following = next((w for w in open_ways[-1] if w.position not in self.closed), None)
                if following is None:
                    open_ways.pop()
                    entered.pop()
                    if not open_ways:
                        return []
                    way.pop()
                    self.fast.unmake()
            if self.tried >= until:
                self.closed.difference_update(entered)
                self.take_back(len(way))
                return None
            way.append(following.code)
            position = following.position
            self.fast.attempt(following.code)

    def take_back(self, number: int) -> None:
        """Take back so many choices."""
        for _ in range(number):
            self.fast.unmake()

    def follow(self, way: list[int]) -> list[_Way]:
        """Where the choices at the end of ``way`` lead, but for what is closed and what is lost; or a win, alone."""
        found: list[_Way] = []
        for code in self.candidates():
            if self.tried >= self.limit:
                # What is left here was not looked at, so this position is not searched to its end.
                self.unknown = True
                break
            if not self.attempted(code):
                continue
            result = self.fast.result()
            if result is None:
                position = self.fast.exact_key()
                if position not in self.closed:
                    found.append(_Way(code, position))
            elif self.for_score:
                self.note([*way, code])
            elif result.winners == self.everyone:
                self.fast.unmake()
                return [_Way(code, (), won=True)]
            self.fast.unmake()
        return found

    def candidates(self) -> list[int]:
        """The choices to be tried now."""
        try:
            return self.fast.candidates()
        except RuleFailure:
            self.unknown = True
            return []

    def attempted(self, code: int) -> bool:
        """Make a choice. False when it is impossible or nobody can tell what comes of it."""
        self.tried += 1
        try:
            return self.fast.attempt(code)
        except Unforeseen:
            self.unknown = self.chance = True
        except RuleFailure:
            self.unknown = True
        return False

    # ------------------------------------------------------------ the greatest score

    def note(self, way: list[int]) -> int | None:
        """Keep the way to the end that is reached if its score is the greatest so far. Returns the score."""
        score = _score(self.fast)
        if score is not None and (self.best_score is None or score > self.best_score):
            self.best_score, self.best_way = score, way
        return score

    def climb(self) -> None:
        """Play on while work is left, each time along the best of random endings, one from every choice."""
        number = 0
        while self.tried < self.limit:
            chance = Random(number)
            number += 1
            way: list[int] = []
            score: int | None = None
            ahead: list[int] = []
            while self.fast.result() is None:
                for code in self.candidates():
                    if self.tried >= self.limit:
                        break
                    if not self.attempted(code):
                        continue
                    reached, ending = self.at_random([*way, code], chance)
                    self.take_back(len(ending) - len(way))
                    if reached is not None and (score is None or reached > score):
                        score, ahead = reached, ending
                if score is None or self.tried >= self.limit:
                    break
                self.attempted(ahead[len(way)])  # it was played before
                way.append(ahead[len(way)])
            self.take_back(len(way))
            if score is None and self.chance:
                return
            self.tried = min(self.tried + 1, self.limit)  # so that a start without any way comes to an end

    def at_random(self, way: list[int], chance: Random) -> tuple[int | None, list[int]]:
        """Go on at random from the end of ``way``: the score of the ending, and all its choices."""
        seen: set[Hashable] = set()
        while self.fast.result() is None:
            codes = self.candidates()
            chance.shuffle(codes)
            for code in codes:
                if self.tried >= self.limit:
                    return None, way
                if self.attempted(code):
                    position = self.fast.exact_key()
                    if position not in seen:
                        break
                    self.fast.unmake()
            else:
                return None, way
            way.append(code)
            seen.add(position)
        return self.note(way), way
