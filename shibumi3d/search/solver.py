"""Solving games that are not played against anybody: is there a way to win, and which?

The search goes through the choices of the rules themselves, so it can answer for every game of that kind. It runs
on a machine of its own (:class:`_Seeker`) and never looks at what chance has not shown yet, unless it is asked to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles.engine.rules import PASS, WORK, EndRule, Rules, Snapshot
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.game import RuleGame
from shibumi3d.rules.marbles.notation import text_of
from shibumi3d.rules.marbles.state import State

FIRST_TRY = 500
"""Choices tried before a search begins anew in another order."""
GROWTH = 1.5
"""How much longer every further try is."""
SEED_WORK = 20_000
"""Choices tried on a deal before the next one is looked at."""

_PHASE = Snapshot._fields.index("phase_turns")
_TURN = Snapshot._fields.index("turn")
_STEP = Snapshot._fields.index("step")

Position = tuple[object, ...]


class _Way(NamedTuple):
    """A choice and where it leads."""

    code: int
    at: Snapshot
    position: Position


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


def solve(game: RuleGame, state: State, *, work: int = 200_000, foresee: bool = False) -> Verdict:
    """Whether, and how, all who play can win from ``state``.

    ``work`` is the number of choices tried at most (some 10,000 a second). A drawn marble that nobody can know is
    the end of a way, unless the deal gives the order or, with ``foresee``, the state's seed tells: that proves that
    a deal can be won, and must not be shown to who plays it. In games judged by score every finished game is a win;
    ask :func:`greatest` there. Raises ValueError for games in which players play against each other, and for
    ``foresee`` in a view that does not tell the seed.
    """
    if not alone(state.rules):
        raise ValueError(f"{game.title} is played against others, so nobody can be sure to win it")
    if state.at.result is not None:
        return Verdict(_is_won(state.rules, state.at))
    search = _Search(state, work, foresee)
    found = search.run()
    if found:
        return Verdict(True, _texts(game, state, found), tried=search.tried)
    return Verdict(None if search.unknown else False, chance=search.chance, tried=search.tried)


def find_seed(
    game: RuleGame, seed: int, *, seats: int = 1, tries: int = 200, work: int = SEED_WORK
) -> int | None:
    """The first seed from ``seed`` on whose start can be won for sure, of ``tries``; None when none was found.

    ``work`` is the number of choices tried on each.
    """
    for candidate in range(seed, seed + tries):
        if solve(game, game.start(seats, candidate), work=work, foresee=True).won:
            return candidate
    return None


def greatest(game: RuleGame, state: State, *, work: int = 200_000, foresee: bool = False) -> Best:
    """The greatest score that can be reached in a game for one, as far as ``work`` choices tried can tell.

    Raises ValueError for games of several players.
    """
    if state.seats != 1:
        raise ValueError(f"{game.title} is played by several, so no score is in one hand")
    if state.at.result is not None:
        return Best(_score(state.at), True)
    search = _Search(state, work // 2, foresee, for_score=True)
    search.run()
    if search.unknown:
        search.limit = work
        search.climb()
    moves = _texts(game, state, search.best_way)
    return Best(search.best_score, not search.unknown, moves, search.chance, search.tried)


def alone(rules: Rules) -> bool:
    """Whether nobody plays against anybody: one seat, or every end makes all win or all lose."""
    if rules.seats == 1:
        return True
    ends: list[EndRule] = [*rules.ends, *[rule for phase in rules.phases for rule in phase.ends]]
    everyone = (1 << rules.seats) - 1
    return rules.series is None and all(
        (node := rule.win or rule.lose) is not None and node.op == "Const" and node.value == everyone
        for rule in ends
    )


def by_score(rules: Rules) -> bool:
    """Whether a game for one is judged by a score rather than as won or lost."""
    ends = [*rules.ends, *[rule for phase in rules.phases for rule in phase.ends]]
    return rules.seats == 1 and any(rule.most is not None for rule in ends)


def essence(rules: Rules, at: Snapshot) -> Position:
    """What the rest of the match hangs on: two moments with the same essence go on alike.

    It is everything but three counters. No rule reads how many turns there were; of the choices of a turn they read
    only whether there was one; and how long a phase lasts matters only when another one follows.
    """
    phase_turns = at.phase_turns if at.phase + 1 < len(rules.phases) else 0
    return (*at[:_PHASE], phase_turns, *at[_TURN + 1 : _STEP], at.step > 0, *at[_STEP + 1 :])


def _is_won(rules: Rules, at: Snapshot) -> bool:
    assert at.result is not None
    winners: int = at.result[0]
    return winners == (1 << rules.seats) - 1


def _score(at: Snapshot) -> int | None:
    """The score of a game for one that is over; None when it was lost."""
    assert at.result is not None
    winners, scores, *_ = at.result
    return int(scores[0]) if winners else None


def _texts(game: RuleGame, state: State, codes: list[int]) -> tuple[str, ...]:
    """Choices as the texts of moves. They are played on the way, so what is not possible shows at once."""
    found = []
    for code in codes:
        found.append(text_of(state.rules, code, state.at.board_index))
        state, _ = game.apply(state, found[-1])
    return tuple(found)


class _Seeker:
    """A machine that stops where chance decides, and that tries choices out without asking first."""

    def __init__(self, state: State, foresee: bool) -> None:
        if foresee and state.seed is None:
            raise ValueError("the seed of this state is not known, so chance can't be foreseen")
        self.rules = state.rules
        self.engine = engine_of(state.rules.pyramid.size)
        self.machine = self.engine.machine(state.rules)
        self.machine.seed = state.seed or 0
        self.machine.careful = not foresee

    def load(self, at: Snapshot) -> None:
        """Stand at a moment."""
        self.engine.load(self.machine, at)

    def ways(self) -> list[int]:
        """Choices among which are all that are open now. Others may be too: :meth:`attempt` refuses them."""
        m = self.machine
        found: list[int] = (
            self.engine.choices(m) if m.stuck or self.rules.uncertain else self.engine.raw_choices(m)
        )
        return found

    def attempt(self, code: int) -> Snapshot | None:
        """Carry out one of the :meth:`ways`; None when the turn can't be completed after it, as far as is seen."""
        m = self.machine
        if code == PASS or self.rules.uncertain:
            self.engine.play(m, code)
        else:
            m.work = WORK
            if self.engine.carry_out(m, code) == self.engine.FAILED:
                return None
        found: Snapshot = self.engine.save(m)
        return found


class _Search:
    """Depth first, never twice through one position, begun anew in another order when it takes long.

    What was searched to the end without a win is kept from try to try. That stays exact where a game can return to
    an earlier position: a win behind such a position is reached as well from where it stood first, and a position on
    the way of a try that is given up is open again.
    """

    def __init__(self, state: State, limit: int, foresee: bool, for_score: bool = False) -> None:
        self.machine = _Seeker(state, foresee)
        self.rules = state.rules
        self.start = state.at
        self.limit = limit
        self.for_score = for_score
        self.tried = 0
        self.closed: set[Position] = set()
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
        entered: list[Position] = []
        open_ways: list[Iterator[_Way]] = []
        at, position = self.start, essence(self.rules, self.start)
        while True:
            self.closed.add(position)
            entered.append(position)
            ways = self.follow(at, way)
            if ways and ways[0].at.result is not None:
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
            if self.tried >= until:
                self.closed.difference_update(entered)
                return None
            way.append(following.code)
            at, position = following.at, following.position

    def follow(self, at: Snapshot, way: list[int]) -> list[_Way]:
        """Where the choices of a moment lead, but for what is closed and what is lost; or a win, alone."""
        found: list[_Way] = []
        for code in self.codes(at):
            after = self.attempted(at, code)
            if after is None:
                continue
            if after.result is None:
                position = essence(self.rules, after)
                if position not in self.closed:
                    found.append(_Way(code, after, position))
            elif self.for_score:
                self.note(after, [*way, code])
            elif _is_won(self.rules, after):
                return [_Way(code, after, ())]
        return found

    def codes(self, at: Snapshot) -> list[int]:
        """The choices to be tried at a moment."""
        self.machine.load(at)
        try:
            return self.machine.ways()
        except RuleFailure:
            self.unknown = True
            return []

    def attempted(self, at: Snapshot, code: int) -> Snapshot | None:
        """The moment after a choice; None when it is impossible or nobody can tell."""
        self.tried += 1
        self.machine.load(at)
        try:
            return self.machine.attempt(code)
        except Unforeseen:
            self.unknown = self.chance = True
        except RuleFailure:
            self.unknown = True
        return None

    # ------------------------------------------------------------ the greatest score

    def note(self, at: Snapshot, way: list[int]) -> int | None:
        """Keep the way to an end if its score is the greatest so far. Returns the score."""
        score = _score(at)
        if score is not None and (self.best_score is None or score > self.best_score):
            self.best_score, self.best_way = score, way
        return score

    def climb(self) -> None:
        """Play on while work is left, each time along the best of random endings, one from every choice."""
        number = 0
        while self.tried < self.limit:
            chance = Random(number)
            number += 1
            at = self.start
            way: list[int] = []
            score: int | None = None
            ahead: list[int] = []
            while at.result is None:
                for code in self.codes(at):
                    after = self.attempted(at, code)
                    if after is None:
                        continue
                    reached, ending = self.at_random(after, [*way, code], chance)
                    if reached is not None and (score is None or reached > score):
                        score, ahead = reached, ending
                if score is None:
                    if self.chance:
                        return
                    break
                after = self.attempted(at, ahead[len(way)])
                assert after is not None  # it was played before
                way.append(ahead[len(way)])
                at = after
            self.tried += 1  # so that a start without any way comes to an end

    def at_random(self, at: Snapshot, way: list[int], chance: Random) -> tuple[int | None, list[int]]:
        """An ending at random: its score and all its choices."""
        seen: set[Position] = set()
        while at.result is None:
            codes = self.codes(at)
            chance.shuffle(codes)
            for code in codes:
                after = self.attempted(at, code)
                if after is not None and essence(self.rules, after) not in seen:
                    break
            else:
                return None, way
            way.append(code)
            at = after
            seen.add(essence(self.rules, at))
        return self.note(at, way), way
