"""A player for every game: what a seat may know goes in, a move and what was thought of it comes out."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, log10
from random import Random
from time import monotonic
from typing import Any

from shibumi3d.i18n import Message, Unusable
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Considered, Search
from shibumi3d.search.kinds import search_of
from shibumi3d.search.levels import RANDOM, Level, level
from shibumi3d.search.solver import solve

TOLD = 0.1
"""Seconds between two reports of what is thought so far."""
FEW = 30
"""Visits below which little is known of a turn."""
PROVED, LOOKED, JUDGED = "proved", "looked at", "judged"
"""How a value is known: for certain, by trying out many ways to go on, by less than that."""
NEAR = 0.03
"""How much worse a turn may be to count as good as the best, for hints."""
NEXT, GROWING = 0.3, 0.96
"""The parts of the time, where one is given, after which nobody looks at the next turn any more, and the tree grows no
more: the rest is for a last look at the choice made."""
LOOKING, PROVING = 0.15, 0.3
"""The parts after which nobody looks ahead turn by turn, and nothing else is proved either: only near the end, since
before it every tenth of the time is worth more to the tree."""
SETTLED = 25
"""So many times as much work is spent on a proof in a game of which one is kept, and not only near the end: there the
rest of a game, off the way of that proof, can mostly be proved in about a second with the engine compiled."""
REACH = 4.5
"""The end is near when as many turns as are to come, with as many choices each as there are now, have ten to the power
of twice that many ways on, where a hundredth of a second may be thought: a proof looks at the square root of them. Ten
times as long reaches one further."""
ENDING = 1_000_000
"""What may be spent on finding a win within the turn, for who never lets one go."""
SEEN = 8
"""Who plays for a close match takes only what was looked at at least so many times less than the most."""
TIMES = 3
"""How often a position stands before a draw may be claimed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be thought about one choice. ``iterations``: ways on to look at (None: as the strength does);
    ``seconds``: time after which thinking is cut short, or, for who has patience and no iterations given, goes on;
    ``clock`` tells that time: where it counts CPU time, a busy machine takes nothing from anybody."""

    iterations: int | None = None
    seconds: float | None = None
    clock: Callable[[], float] = monotonic


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a seat thinks: ``mean`` from 0 (lost) to 1 (won), and the best turns it sees, the best first.

    ``turns`` are whole turns, as far as each was looked at. ``wins_in`` and ``loses_in`` count turns of the seat, this
    included, when that is proved, else 0. ``iterations`` is how often it looked.
    """

    seat: int
    iterations: int
    mean: float
    turns: tuple[Considered, ...] = ()
    wins_in: int = 0
    loses_in: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """The text of a move, and what was thought of it; ``reasons`` say why it is good, where that was asked for."""

    move: str
    analysis: Analysis
    reasons: tuple[Message, ...] = ()


Tell = Callable[[Choice], None]


def never() -> bool:
    """Return False: what asks whether to stop is told to go on."""
    return False


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector of garbage from running within the block: a search tree has no circles, but many parts, and
    looking through them takes a part of the time that was given for thinking.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def known(one: Considered) -> str:
    """Return how the value of a turn is known, so that nobody takes a judgement for a proof."""
    return PROVED if one.proved else LOOKED if one.visits >= FEW else JUDGED


def player(name: str | int, seed: int = 0) -> Player:
    """Return the player of a strength: its name, its number from 1, or "random".

    Raises ValueError when there is none.
    """
    return Player(None if str(name).strip().casefold() == RANDOM else level(name), seed)


class Player:
    """Chooses for any seat of any game. It remembers nothing: the same view, seed and iterations give the same move."""

    def __init__(self, strength: Level | None, seed: int = 0) -> None:
        self.level = strength
        self.seed = seed

    @property
    def name(self) -> str:
        """The name of its strength."""
        return self.level.name if self.level is not None else RANDOM

    def choose(
        self,
        game: Game,
        view: Any,
        budget: Budget | None = None,
        stop: Callable[[], bool] = never,
        *,
        seat: int | None = None,
        past: Iterable[Any] = (),
        moves: Sequence[str] | None = None,
        tell: Tell | None = None,
    ) -> Choice:
        """Choose one of the moves open to ``seat`` (None: the one to move) at ``view``, which is the state as that
        seat may know it.

        ``stop`` is asked often, and ends thinking when it says so. ``past`` are the states at which earlier turns
        began, for games in which positions recur. ``moves`` are the texts of what is open to the seat, which the view
        alone does not tell where secrets decide it. ``tell`` is given the best so far, about ten times a second.
        Raises ValueError when nothing is to be chosen.
        """
        asked = view.to_move if seat is None else seat
        if asked is None:
            raise Unusable("the match is over, so nothing is to be chosen")
        begun = (budget or Budget()).clock()
        with uncollected():
            return self._choose(game, view, budget, stop, asked, past, moves, tell, begun)

    def _choose(
        self,
        game: Game,
        view: Any,
        budget: Budget | None,
        stop: Callable[[], bool],
        asked: int,
        past: Iterable[Any],
        moves: Sequence[str] | None,
        tell: Tell | None,
        begun: float,
    ) -> Choice:
        """Choose; all that was thought is let go with the return."""
        chance = Random(f"{self.seed}/{view.game_number}/{view.turn}/{view.step}/{asked}")
        search = search_of(game, view, asked, chance.getrandbits(30), past)
        if moves is not None:
            search.offer(moves)
        open_ = search.moves
        if len(open_) == 1 or self.level is None:
            return Choice(chance.choice(open_), Analysis(asked, 0, 0.5))
        # One turn is one slip: it does not begin well and end by lot.
        turn = f"{self.seed}/{view.game_number}/{view.turn}/{asked}"
        slips = Random(f"{turn}/slip").random() < self.level.slips
        strength = self.level
        if strength.heeds < 1 and Random(f"{turn}/heed").random() >= strength.heeds:
            strength = replace(strength, sees=0)
        thought = _Thought(search, asked, strength, budget or Budget(), stop, tell, chance, begun)
        if self.level.ends:
            won = thought.ending()
            if won is not None:
                return won
        if slips:
            return Choice(chance.choice(open_), Analysis(asked, 0, 0.5))
        return thought.choose(game, view)


def analyse(
    game: Game,
    view: Any,
    budget: Budget | None = None,
    stop: Callable[[], bool] = never,
    *,
    seat: int | None = None,
    past: Iterable[Any] = (),
    moves: Sequence[str] | None = None,
    tell: Tell | None = None,
) -> Analysis:
    """Return what the strongest player thinks of the moves open to ``seat`` at ``view``; see :meth:`Player.choose`.

    Raises ValueError when nothing is to be chosen.
    """
    begun = (budget or Budget()).clock()
    strongest = level(5)
    asked = view.to_move if seat is None else seat
    if asked is None:
        raise Unusable("the match is over, so there is nothing to analyse")
    search = search_of(game, view, asked, 1, past)
    if moves is not None:
        search.offer(moves)
    return (
        _Thought(search, asked, strongest, budget or Budget(), stop, tell, Random(1), begun)
        .choose(game, view)
        .analysis
    )


class _Thought:
    """One choice being thought about."""

    def __init__(
        self,
        search: Search,
        seat: int,
        strength: Level,
        budget: Budget,
        stop: Callable[[], bool],
        tell: Tell | None,
        chance: Random,
        begun: float,
    ) -> None:
        """``begun`` is when the choice began to be thought about, by the clock."""
        self.search = search
        search.trust(strength.knows)
        self.seat = seat
        self.level = strength
        self.iterations = strength.iterations if budget.iterations is None else budget.iterations
        if budget.iterations is None and budget.seconds is not None and strength.patient:
            self.iterations = 1 << 40
        self.sees = strength.sees
        self.end = None if budget.seconds is None else begun + budget.seconds
        self.begun, self.seconds, self.clock = begun, budget.seconds, budget.clock
        self.asked_to_stop = stop
        self.tell = tell
        self.chance = chance
        self.next_report = self.clock() + TOLD
        self.moves = list(search.moves)
        chance.shuffle(self.moves)
        self.proved: dict[str, Considered] = {}
        self.lost = False
        """It is proved that the other player can win, though not how soon."""

    def stop(self) -> bool:
        """Whether to stop now; a report is given when it is time for one."""
        now = self.clock()
        if self.tell is not None and now >= self.next_report:
            self.next_report = now + TOLD
            best = self.ranked()[0]
            if best.visits or best.proved:
                self.tell(Choice(best.moves[0], self.analysis()))
        return (self.end is not None and now >= self.end) or self.asked_to_stop()

    def after(self, part: float) -> Callable[[], bool]:
        """What stops when that part of the time is over, where one is given, and when all is to stop."""
        if self.seconds is None:
            return self.stop
        end = self.begun + part * self.seconds
        return lambda: self.stop() or self.clock() >= end

    def choose(self, game: Game, view: Any) -> Choice:
        """Think, and choose."""
        search = self.search
        if search.guesses:
            tries = max(1, min(8, self.iterations // 50))
            return Choice(search.guess(tries, self.stop), Analysis(self.seat, tries, 0.5))
        way = self.way(game, view)
        if way:
            return Choice(way[0], Analysis(self.seat, self.iterations, 1.0))
        try:
            won = self.look_ahead()
            if not won:
                search.grow(self.iterations, self.after(GROWING))
            ranked = self.ranked()
            move = ranked[0].moves[0] if won else self.picked(ranked)
        except (RuleFailure, MemoryError):
            # A way on asks for more work than rules may, or the tree for more room: what is known so far must do.
            move = self.ranked()[0].moves[0]
        return Choice(move, self.analysis())

    def ending(self) -> Choice | None:
        """A win within this turn, if there is one; None where there is none, or where nothing can be proved."""
        for one in self.search.forced(1, ENDING, self.stop):
            if one.proved and one.low == 1.0:
                self.proved[one.moves[0]] = one
                return Choice(one.moves[0], self.analysis())
        return None

    def way(self, game: Game, view: Any) -> tuple[str, ...]:
        """A way to win where nobody plays against anybody and chance does not come in; nothing when none is found."""
        facts = game.facts(view.seats)
        if facts.solver != "win" or facts.chance or not self.level.sees or self.asked_to_stop():
            return ()
        return solve(game, self.search.whole, work=self.iterations).moves

    def look_ahead(self) -> bool:
        """Find what can be forced: one turn ahead for sure, further with a quarter of the work; True for a win."""
        if not self.level.sees or self.asked_to_stop():
            return False
        looking, proving = (LOOKING, PROVING) if self.near_the_end() else (0.0, 0.0)
        for turns, work, part in ((1, self.sees, NEXT), (TURNS, self.sees // 4, looking)):
            looks_no_more = self.after(part)
            if looks_no_more():
                break
            for one in self.search.forced(turns, work, looks_no_more):
                if one.proved:
                    self.proved[one.moves[0]] = one
                if one.low == 1.0:
                    return True
        if self.stop():
            return False
        if self.level.patient and any(
            move not in self.proved or not self.proved[move].proved for move in self.moves
        ):
            # Further than that no number of turns is known, but perhaps who wins; a certificate costs no work.
            settled = self.search.settled
            proves_no_more = self.after(PROVING if settled else proving)
            work = 0 if proves_no_more() else self.sees * (SETTLED if settled else 1)
            low, high, keeping = self.search.solved(work, proves_no_more)
            self.lost = high == 0.0
            if low == 1.0 and keeping:
                self.proved[keeping[0]] = Considered(keeping[:1], 0, 1.0, 1.0, 1.0, 0)
        return bool(self.proved) and any(one.low == 1.0 for one in self.proved.values())

    def near_the_end(self) -> bool:
        """Whether much can be proved in the time there is, if one is given."""
        if self.seconds is None:
            return True
        reach = REACH + log10(max(self.seconds, 0.01) * 100)
        every = log10(max(2, len(self.moves))) / 2
        return self.search.turns_left(ceil(reach / every)) * every < reach

    def ranked(self) -> list[Considered]:
        """The choices, the best first: forced wins, the shortest first; by visits; lost ones, the longest first."""
        found = {move: Considered((move,), 0, 0.5) for move in self.moves}
        found.update((one.moves[0], one) for one in self.search.choices() if one.moves[0] in found)
        for move, one in self.proved.items():
            seen = found[move]
            if not seen.proved or one.low == 1.0:
                found[move] = Considered((move,), seen.visits, one.low, one.low, one.high, one.turns)
        if not self.level.sees:
            return sorted(found.values(), key=lambda one: -one.visits)
        return sorted(found.values(), key=_standing)

    def picked(self, ranked: Sequence[Considered]) -> str:
        """The choice made, of those found."""
        best = ranked[0]
        if self.level.sees:
            if best.low == 1.0 or best.high == 0.0:
                return best.moves[0]
            ranked = [one for one in ranked if one.high > 0.0]
        repeating = [one for one in ranked if self.search.comes_back(one.moves[0]) + 1 >= TIMES]
        if len(repeating) < len(ranked):
            ranked = [one for one in ranked if one not in repeating]
        if self.level.close:
            enough = max(one.visits for one in ranked) / SEEN
            seen = [one for one in ranked if one.visits >= enough] or ranked
            ranked = sorted(seen, key=lambda one: abs(one.mean - 0.5))
        warmth = 0.0 if self.level.close else self.level.warmth
        if self.search.simultaneous:
            warmth = max(warmth, 1.0)
        left = list(ranked)
        while left:
            one = left[0]
            if warmth:
                most = max(each.visits for each in left) or 1
                weights = [(each.visits / most) ** (1 / warmth) for each in left]
                one = self.chance.choices(left, weights)[0] if any(weights) else left[0]
            if len(left) == 1 or not self.level.sees:
                return one.moves[0]
            if not self.search.loses(one.moves[0], 2, self.sees, self.stop):
                return one.moves[0]
            left.remove(one)
        return ranked[0].moves[0]

    def analysis(self) -> Analysis:
        """What is thought now: of the moment what is thought of the best turn."""
        ranked = self.ranked()
        best = ranked[0]
        turns = [one for one in self.search.turns(3) if one.moves[0] in {each.moves[0] for each in ranked}]
        turns = sorted((self._sure(one) for one in turns), key=_standing)
        if not turns or (best.proved and best.low == 1.0 and turns[0].low < 1.0):
            turns = [self._sure(best), *turns][:3]
        first = turns[0]
        ends_in = (first.turns + 1) // 2
        wins = ends_in if first.proved and first.low == 1.0 else 0
        loses = ends_in if first.proved and first.high == 0.0 else 0
        shown = tuple(turns) if first.visits or first.proved else ()
        return Analysis(self.seat, sum(one.visits for one in ranked), first.mean, shown, wins, loses)

    def _sure(self, turn: Considered) -> Considered:
        """A turn with what is proved of the moment or of its first choice."""
        one = self.proved.get(turn.moves[0])
        if not turn.proved and one is not None and one.proved and (len(turn.moves) == 1 or one.high == 0.0):
            return Considered(turn.moves, turn.visits, one.low, one.low, one.high, one.turns)
        if self.lost and not turn.proved:
            return Considered(turn.moves, turn.visits, 0.0, 0.0, 0.0, 0)
        return turn


TURNS = 60
"""Turns looked ahead at most for what can be forced."""


def _standing(one: Considered) -> tuple[int, float, float]:
    """The order of choices: wins, the shortest first; what is open, the most visited first; losses, the longest."""
    if one.proved and one.low == 1.0:
        return 0, one.turns, -one.visits
    if one.proved and one.high == 0.0:
        return 2, -one.turns, -one.visits
    return 1, -one.visits, -one.mean
