"""A finished match gone through turn by turn: what the best turn was worth, what was played was worth, what is proved.

First all turns are looked at quickly, then the end is proved from the last turn backwards, then all is looked at again
for longer. The same match, seed and tries give the same review. What a seat did is judged by what that seat knew, and
before chance had decided what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from random import Random
from statistics import pstdev
from time import monotonic
from typing import Any

from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.game import Considered, Game
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import TOLD, never
from shibumi3d.search.rollouts import LESS, Rollouts
from shibumi3d.search.worker import bound_memory, hurried, tell

QUICK = 100
"""Tries with which every turn is looked at first."""
TRIES = 800
"""Tries with which it is looked at in the end."""
OTHERS = 5
"""So many turns are looked at, one after the other, where what seemed better is proved to lose."""
DEEPER = 3
"""So many times as long it is looked at a turn that has lost something by then."""
WORK = 8_000_000
"""What the proof of one position may cost, as rules count work."""
FAR = 60
"""So many turns are looked ahead for what can be forced."""
OPEN = 2
"""So many positions are left open, one after the other, before nobody goes further back."""
DEALS = 6
"""Ways of dealing what is hidden or drawn in which a turn is tried."""
TURNS = 200
"""The most turns that are compared to see whether one alone holds."""
PASSES = 4.0
"""Points of winning chance that a turn may lose and still be a good one."""
MARKS = ((30.0, "??"), (15.0, "?"), (7.0, "?!"))
"""From how many points on a turn gets which mark."""


@dataclass(frozen=True, slots=True)
class Made:
    """One move of a match, as a review takes it: by ``seat``, in turn number ``turn``, to ``state``."""

    seat: int
    turn: int
    move: str
    state: Any


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to a seat, from 0 (lost) to 1 (won): surely between ``low`` and ``high``, by estimate
    ``mean``."""

    mean: float
    low: float = 0.0
    high: float = 1.0

    @property
    def proved(self) -> bool:
        """Whether it is known for sure."""
        return self.low == self.high

    @property
    def value(self) -> float:
        """What is proved, else the estimate, within what is sure."""
        return min(self.high, max(self.low, self.mean))

    def other(self) -> Worth:
        """Return the same for the other one of two seats."""
        return Worth(1.0 - self.mean, 1.0 - self.high, 1.0 - self.low)


@dataclass(frozen=True, slots=True)
class Moment:
    """One turn (or choice, where chance and secrets come in) of a match: moves ``at`` to ``until`` of its history.

    ``best`` is what the best turn, ``better``, was worth to the ``seat``, ``played`` what was played was worth; either
    is None while, or where, nobody judges that. ``wins_in`` and ``loses_in`` count turns of the seat where that is
    proved, else 0. ``only``: it is proved that no other turn would have kept as much. ``mix`` are choices made without
    knowing of each other, with the part of times that each would have been right.
    """

    at: int
    until: int
    turn: int
    seat: int
    best: Worth | None = None
    played: Worth | None = None
    better: tuple[str, ...] = ()
    wins_in: int = 0
    loses_in: int = 0
    only: bool = False
    forced: bool = False
    mix: tuple[tuple[str, float], ...] = ()

    @property
    def proved(self) -> bool:
        """Whether all that is said of it is proved."""
        return self.best is not None and self.best.proved and self.played is not None and self.played.proved

    @property
    def loss(self) -> float:
        """Points of winning chance, from 0 to 100, by which it was worse than the best; 0 where nobody judges."""
        if self.best is None or self.played is None or self.forced:
            return 0.0
        return 100.0 * max(0.0, self.best.value - self.played.value)

    @property
    def mark(self) -> str:
        """The sign that stands beside it: ``??``, ``?``, ``?!``, ``!``, or none."""
        found = next((mark for least, mark in MARKS if self.loss >= least), "")
        return found or ("!" if self.only else "")

    @property
    def gave_away(self) -> str:
        """What was proved to be there and was given up: "win" or "draw"; empty where nothing was."""
        if not self.proved or self.loss == 0.0 or self.best is None:
            return ""
        return "win" if self.best.low == 1.0 else "draw"


@dataclass(frozen=True, slots=True)
class Review:
    """What is known of the turns of a match, after ``tries`` for each; ``complete`` when no more comes.

    ``part`` of the work is done, from 0 to 1.
    """

    moments: tuple[Moment, ...]
    tries: int
    complete: bool = False
    part: float = 1.0

    def of(self, seat: int) -> list[Moment]:
        """Return the turns in which a seat had a choice and was judged."""
        return [
            one
            for one in self.moments
            if one.seat == seat and one.best is not None and one.played is not None and not one.forced
        ]

    def faults(self, seats: Sequence[int]) -> list[Moment]:
        """Return the turns of some seats that lost enough for a mark, the one that lost most first."""
        found = [one for one in self.moments if one.seat in seats and one.loss >= MARKS[-1][0]]
        return sorted(found, key=lambda one: (-round(one.loss), not one.proved, one.at))

    def accuracy(self, seat: int) -> tuple[float, float] | None:
        """Return how well a seat played in percent, and which part of its turns that is proved of; None for no turns.

        It is the mean of two means over its turns: one weighted by how much was at stake, the other harmonic.
        """
        turns = self.of(seat)
        if not turns:
            return None
        each = [accuracy(one.loss) for one in turns]
        worths = [100.0 * one.best.value for one in turns if one.best is not None]
        span = max(2, min(8, len(turns) // 5))
        weights = [
            max(0.5, min(12.0, pstdev(worths[max(0, n - span + 1) : n + 1] or [0.0])))
            for n in range(len(turns))
        ]
        weighted = sum(w * a for w, a in zip(weights, each, strict=True)) / sum(weights)
        harmonic = len(each) / sum(1.0 / max(a, 1.0) for a in each)
        return (weighted + harmonic) / 2, sum(one.proved for one in turns) / len(turns)


def accuracy(loss: float) -> float:
    """Return how well a turn was played, in percent, that lost so many points of winning chance."""
    return max(0.0, min(100.0, 103.17 * exp(-0.0435 * loss) - 3.17))


def review(
    game: Game, first: Any, history: Sequence[Made], tries: int = TRIES, seed: int = 0
) -> Review | None:
    """Return the review of a match, within the process of a worker, and tell of it as it grows.

    Asked to hurry, it returns what is known by then; None for a match without turns.
    """
    bound_memory()
    found, told = None, 0.0
    for found in reviews(game, first, history, tries, seed, hurried_once()):
        if (now := monotonic()) - told >= TOLD:
            told = now
            tell(found)
    return found


def hurried_once() -> Callable[[], bool]:
    """Return what says whether the program has asked to hurry, once and for all."""
    said = False

    def ask() -> bool:
        nonlocal said
        said = said or hurried()
        return said

    return ask


def reviews(
    game: Game,
    first: Any,
    history: Sequence[Made],
    tries: int = TRIES,
    seed: int = 0,
    stop: Callable[[], bool] = never,
) -> Iterator[Review]:
    """Yield what is known of a match, again and again, until all is."""
    judge = _Judge(game, first, history, seed, stop)
    if not judge.moments:
        return
    rounds: list[tuple[Callable[[int, int], None], int, bool]] = [(judge.look, min(QUICK, tries), False)]
    rounds.append((judge.prove, 0, True))
    if tries > QUICK:
        rounds += [(judge.look, tries, False), (judge.check, DEEPER * tries, False)]
    looked = 0
    places = range(len(judge.moments))
    for done, (act, number, backwards) in enumerate(rounds):
        looked = max(looked, number)
        for step, place in enumerate(reversed(places) if backwards else places):
            part = (done + step / len(places)) / len(rounds)
            if stop():
                yield Review(tuple(judge.moments), looked, part=part)
                return
            if backwards and judge.left_open >= OPEN:
                break
            before = judge.moments[place]
            act(place, number)
            if stop():  # what was cut short is worth nothing
                judge.moments[place] = before
            yield Review(tuple(judge.moments), looked, part=part)
    yield Review(tuple(judge.moments), looked, complete=True)


class _Judge:
    """What is found out of the turns of one match."""

    def __init__(
        self, game: Game, first: Any, history: Sequence[Made], seed: int, stop: Callable[[], bool]
    ) -> None:
        self.game, self.history, self.seed, self.stop = game, history, seed, stop
        self.states = [first, *[made.state for made in history]]
        self.facts = game.facts(first.seats)
        self.hides = self.facts.secrets or self.facts.chance or self.facts.simultaneous
        self.moments = list(self._moments())
        self.left_open = 0
        self._sure: dict[int, Worth] = {}
        """By number of moves, what is proved of positions for the one to move."""
        self._lost: dict[int, frozenset[tuple[str, ...]]] = {}
        """By number of moves, how turns begin that are proved to lose there."""
        self._proofs: dict[int, dict[str, Any]] = {}
        """By place, what of a turn is proved."""
        self._seen: dict[tuple[int, int, frozenset[tuple[str, ...]]], tuple[Worth, Considered | None]] = {}
        """By number of moves and tries, what a search saw there for the one to move, and the best."""

    def _moments(self) -> Iterator[Moment]:
        """The turns, as they are judged: whole, but where chance or secrets may come in between."""
        begun = 0
        for n, made in enumerate(self.history):
            after = self.history[n + 1] if n + 1 < len(self.history) else None
            same = after is not None and (after.seat, after.turn) == (made.seat, made.turn)
            if same and not self.hides and self._text(n) and self._text(n + 1):
                continue
            yield Moment(begun, n + 1, made.turn, made.seat)
            begun = n + 1

    def _text(self, n: int) -> str:
        """Move ``n`` as its seat made it; empty where the rules do not know it, as where a draw was claimed."""
        made, before = self.history[n], self.states[n]
        text = made.move.removeprefix(f"{made.seat + 1}:")
        try:
            self.game.parse(before, text, made.seat)
        except (IllegalMove, ValueError):
            return ""
        return text

    # ------------------------------------------------------------ estimates

    def look(self, place: int, tries: int) -> None:
        """Judge a turn by so many tries, as far as it is not proved."""
        one = self.moments[place]
        texts = [self._text(n) for n in range(one.at, one.until)]
        try:
            if not all(texts):
                self._put(place, best=self._position(one.at, one.seat, tries))
            elif not self.hides:
                self._look_openly(place, texts, tries)
            else:
                self._look_hidden(place, texts[0], tries)
        except (RuleFailure, IllegalMove, MemoryError):
            return  # what can't be tried out is not judged

    def _look_openly(self, place: int, texts: Sequence[str], tries: int) -> None:
        """All see all: what is played and what is best are both judged by what the one who answers makes of it."""
        one = self.moments[place]
        here, there, sure = self.states[one.at], self.states[one.until], self._sure.get(one.at)
        forced = len(texts) == 1 and len(self.game.moves(here, one.seat)) == 1
        played = self._after(one.until, one.seat, tries)
        lost = self._lost.get(one.at, frozenset())
        _, considered = self._search(one.at, here, one.seat, tries, lost)
        better, reached = self._whole_turn(here, one.seat, considered, tries, one.at)
        if _place(reached) == _place(there):
            best = played
        elif _begins(better, lost):
            best = Worth(0.0, 0.0, 0.0)
        else:
            best = self._worth(reached, one.seat, tries, one.at)
        if played.value >= best.value:
            better, best = tuple(texts), played
        low, high = best.low, 1.0
        if sure is not None:
            low, high = max(low, sure.low), sure.high
            played = Worth(played.mean, min(played.low, high), min(played.high, high))
        self._put(
            place, best=Worth(best.value, min(low, high), high), played=played, better=better, forced=forced
        )

    def check(self, place: int, tries: int) -> None:
        """Look longer at a turn that has lost something by what is only estimated: what is said to be better must not
        be proved to lose."""
        for number in range(OTHERS + 1):
            one = self.moments[place]
            if self.hides or one.proved or one.loss < MARKS[-1][0]:
                return
            self.look(place, tries)
            if number == OTHERS:
                return
            after = self._made(self.states[one.at], one.seat, self.moments[place].better)
            if after.result is not None or self.stop():
                return
            search = search_of(self.game, self.game.view(after, after.to_move), after.to_move, 1)
            if not search.exact:
                return
            sure, _, _, _ = self._proof(search)
            if (sure if after.to_move == one.seat else sure.other()).high > 0.0:
                return
            self._lost[one.at] = self._lost.get(one.at, frozenset()) | {self.moments[place].better}

    def _note_lost(self, at: int, looked: Sequence[Considered]) -> None:
        """Keep how turns begin that are proved to lose."""
        self._lost[at] = frozenset(one.moves for one in looked if one.high == 0.0)

    def _look_hidden(self, place: int, text: str, tries: int) -> None:
        """Chance or secrets come in: both are tried in the same ways of dealing what the seat does not know."""
        one = self.moments[place]
        game, here, seat = self.game, self.states[one.at], one.seat
        view = game.view(here, seat)
        open_ = [move.text for move in game.moves(here, seat)]
        if len(open_) == 1:
            self._put(place, forced=True)
            return
        search = search_of(game, view, seat, self._chance(one.at), self._past(one.at, seat))
        search.offer(open_)
        if search.guesses:
            return
        search.grow(tries, self.stop)
        ranked = sorted(search.choices(), key=_order)
        secretly = self.facts.simultaneous and here.ask is not None and here.ask.sight == "hidden"
        if secretly or search.simultaneous:
            looked = sum(each.visits for each in ranked) or 1
            shares = [(each.moves[0], round(each.visits / looked, 3)) for each in ranked if each.visits]
            mean = sum(each.visits * each.mean for each in ranked) / looked
            self._put(place, best=Worth(mean) if ranked else None, mix=tuple(shares))
            return
        if not ranked:
            return
        better = ranked[0].moves[0]
        known = {each.moves[0]: each.mean for each in ranked}
        if isinstance(search, Rollouts) and not search.iterations and text in known and any(known.values()):
            worths = [known[better], known[text]]  # a table of what is known, and no tries
        else:
            worths = [self._tried(one, move, tries) for move in (better, text)]
        if worths[1] >= worths[0] or better == text:
            better, worths = text, [worths[1], worths[1]]
        self._put(place, best=Worth(worths[0]), played=Worth(worths[1]), better=(better,))

    def _tried(self, one: Moment, text: str, tries: int) -> float:
        """What a choice is worth in the mean of some ways of dealing what is hidden and drawn."""
        game, here, seat = self.game, self.states[one.at], one.seat
        view = game.view(here, seat)
        chance, sums, number = Random(self._chance(one.at)), 0.0, 0
        search = search_of(game, view, seat, self._chance(one.at))
        if isinstance(search, Rollouts):
            for _ in range(max(1, round(tries**LESS / 2))):
                whole = game.sample_hidden(view, seat, chance)
                try:
                    sums += search.played_out(whole, [game.parse(whole, text, seat)])[seat]
                except IllegalMove:
                    continue
                number += 1
                if self.stop():
                    break
        else:
            for _ in range(DEALS):
                whole = game.sample_hidden(view, seat, chance)
                try:
                    after, _ = game.apply(whole, game.parse(whole, text, seat))
                except IllegalMove:
                    continue
                sums += self._worth(after, seat, tries // DEALS, one.at).value
                number += 1
        return sums / number if number else 0.5

    def _after(self, until: int, seat: int, tries: int) -> Worth:
        """What a position of the match is worth to a seat that brought it about."""
        state = self.states[until]
        if state.result is not None:
            return _ended(state, seat)
        found, sure = self._position(until, seat, tries), self._sure_after(until, seat)
        if sure is not None:
            found = Worth(found.mean, max(found.low, sure.low), min(found.high, sure.high))
        return found

    def _position(self, n: int, seat: int, tries: int) -> Worth:
        """What the position after ``n`` moves is worth to a seat."""
        return self._worth(self.states[n], seat, tries, n, known=True)

    def _worth(self, state: Any, seat: int, tries: int, n: int, known: bool = False) -> Worth:
        """What a state is worth to a seat: others play what seems best to them until it is asked."""
        for followed in range(2 * state.seats + 2):
            if state.result is not None:
                # What others were only believed to play proves nothing.
                ended = _ended(state, seat)
                return Worth(ended.mean) if followed else ended
            mover = state.to_move
            found, best = self._search(n if known else -1 - n, state, mover, tries)
            if mover == seat:
                return Worth(found.mean) if followed else found
            if state.seats == 2 and not self.facts.solver:
                return found.other()
            if best is None:
                break
            state, known = self._made(state, mover, best.moves), False
        return Worth(0.5)

    def _made(self, state: Any, seat: int, texts: Sequence[str]) -> Any:
        """The state after the choices of a turn."""
        for text in texts:
            state, _ = self.game.apply(state, self.game.parse(state, text, seat))
        return state

    def _search(
        self, n: int, state: Any, seat: int, tries: int, lost: frozenset[tuple[str, ...]] = frozenset()
    ) -> tuple[Worth, Considered | None]:
        """What a search sees for the one to move, and the best turn that does not begin as what is ``lost``; ``n``
        moves were made, less than 0 off the match."""
        key = n, tries, lost
        if n >= 0 and key in self._seen:
            return self._seen[key]
        past = self._past(n if n >= 0 else -1 - n, seat)
        search = search_of(self.game, self.game.view(state, seat), seat, self._chance(n), past)
        search.grow(max(1, tries), self.stop)
        ranked = sorted(search.choices(), key=_order)
        worth, best = Worth(0.5), None
        if ranked:
            low = max(one.low for one in ranked) if search.exact else 0.0
            every = len(ranked) == len(search.moves)
            high = max(one.high for one in ranked) if search.exact and every else 1.0
            if low not in (0.0, 1.0) or high not in (0.0, 1.0):
                low, high = 0.0, 1.0  # a draw may rest on positions that recur: that is for the solver
            worth = Worth(ranked[0].mean, low, high)
            turns = [] if self.hides else sorted(search.turns(8), key=_order)
            turns = [one for one in turns if not _begins(one.moves, lost)] or turns
            best = turns[0] if turns and (turns[0].low == 1.0 or ranked[0].low < 1.0) else ranked[0]
        if n >= 0:
            self._seen[key] = worth, best
        return worth, best

    def _whole_turn(
        self, here: Any, seat: int, considered: Considered | None, tries: int, n: int
    ) -> tuple[tuple[str, ...], Any]:
        """The best turn to its end, and where it leads; ``n`` moves were made in the match."""
        texts = list(considered.moves) if considered is not None else []
        state = self._made(here, seat, texts)
        while state.result is None and (state.to_move, state.turn) == (seat, here.turn):
            _, best = self._search(-1 - n, state, seat, max(QUICK // 2, tries // 4))
            if best is None:
                break
            texts += best.moves
            state = self._made(state, seat, best.moves)
        return tuple(texts), state

    def tried(self, one: Moment, texts: Sequence[str], tries: int) -> Judged:
        """What a turn in the place of another would have been worth, and the answer to it."""
        if self.hides:
            return Judged(Worth(self._tried(one, texts[0], tries)))
        state = self._made(self.states[one.at], one.seat, texts)
        if state.result is not None:
            return Judged(_ended(state, one.seat))
        mover = state.to_move
        search = search_of(self.game, self.game.view(state, mover), mover, 1)
        sure, better, _, _ = self._proof(search) if search.exact else (Worth(0.5), (), 0, 0)
        found = self._worth(state, one.seat, tries, one.at)
        if sure.proved:
            found = sure if mover == one.seat else sure.other()
        if mover == one.seat:
            return Judged(found)
        _, considered = self._search(-1 - one.at, state, mover, tries)
        if better:
            considered = Considered(better, 0, 0.5)
        return Judged(found, self._whole_turn(state, mover, considered, tries, one.at)[0])

    # ------------------------------------------------------------ proofs

    def prove(self, place: int, _: int = 0) -> None:
        """Prove what the position before a turn is worth, as far as the work allows, and what that says of the turn."""
        one = self.moments[place]
        here = self.states[one.at]
        if here.to_move != one.seat or here.result is not None:
            return
        try:
            self._prove(place, one, here)
        except (RuleFailure, MemoryError):
            self.left_open += 1

    def _prove(self, place: int, one: Moment, here: Any) -> None:
        texts = tuple(self._text(n) for n in range(one.at, one.until))
        search = search_of(
            self.game, self.game.view(here, one.seat), one.seat, 1, self._past(one.at, one.seat)
        )
        if not search.exact:
            self.left_open = OPEN
            return
        sure, better, wins_in, loses_in = self._proof(search, one.at)
        played = self._sure_after(one.until, one.seat) if all(texts) else None
        if played is not None:
            sure = Worth(sure.mean, max(sure.low, played.low), max(sure.high, played.low))
        self._sure[one.at] = sure
        self.left_open = 0 if sure.proved else self.left_open + 1
        if not sure.proved:
            return
        found: dict[str, Any] = {"best": sure, "wins_in": wins_in, "loses_in": loses_in}
        if sure.high == 0.0:
            played = sure
        if played is not None:
            found["played"] = played
            if played.proved and played.low == sure.low:
                found["better"] = texts
                found["only"] = sure.low > 0.0 and self._alone(one, sure.low)
            elif better:
                found["better"] = self._kept(one, better, sure.low)
        self._proofs[place] = found
        self._put(place)

    def _proof(self, search: Any, at: int = -1) -> tuple[Worth, tuple[str, ...], int, int]:
        """What is proved of the moment of a search, a choice that keeps it, and in how many turns who wins; ``at`` is
        how many moves of the match led there."""
        low, high, better, wins_in, loses_in = 0.0, 1.0, (), 0, 0
        looked = search.forced(FAR, WORK // 2, self.stop)
        if at >= 0:
            self._note_lost(at, looked)
        if looked:
            low, high = max(one.low for one in looked), max(one.high for one in looked)
            if low == 1.0:
                high = 1.0
            best = max(looked, key=lambda one: (one.low, one.turns))
            if low == high:
                better = best.moves if low > 0.0 else ()
                wins_in = (best.turns + 1) // 2 if low == 1.0 else 0
                loses_in = (best.turns + 1) // 2 if high == 0.0 else 0
        if low < high:
            least, most, keeping = search.solved(WORK // 2, self.stop)
            if least > low and keeping:
                better = keeping[:1]
            low, high = max(low, least), min(high, most)
        return Worth((low + high) / 2, low, high), better, wins_in, loses_in

    def _sure_after(self, until: int, seat: int) -> Worth | None:
        """What is known for sure of the position that a seat brought about."""
        state = self.states[until]
        if state.result is not None:
            return _ended(state, seat)
        sure = self._sure.get(until)
        return sure if sure is None or state.to_move == seat else sure.other()

    def _kept(self, one: Moment, better: tuple[str, ...], worth: float) -> tuple[str, ...]:
        """A turn that begins so and is proved to keep what the position was worth."""
        here = self.states[one.at]
        state = self._made(here, one.seat, better)
        while state.result is None and (state.to_move, state.turn) == (one.seat, here.turn):
            search = search_of(self.game, self.game.view(state, one.seat), one.seat, 1)
            found, more, _, _ = self._proof(search)
            if found.low < worth or not more:
                break
            better += more
            state = self._made(state, one.seat, more)
        return better

    def _alone(self, one: Moment, worth: float) -> bool:
        """Whether every turn that leads elsewhere is proved to keep less."""
        here, goal = self.states[one.at], self.states[one.until]
        met = {_place(goal)}
        ways, others = [here], list[Any]()
        while ways:
            state = ways.pop()
            for move in self.game.moves(state, one.seat):
                after, _ = self.game.apply(state, move)
                if _place(after) in met:
                    continue
                met.add(_place(after))
                inside = after.result is None and (after.to_move, after.turn) == (one.seat, here.turn)
                (ways if inside else others).append(after)
                if len(met) > TURNS:
                    return False
        if not others:
            return False
        for after in others:
            if after.result is not None:
                if _ended(after, one.seat).low >= worth:
                    return False
                continue
            mover = after.to_move
            search = search_of(self.game, self.game.view(after, mover), mover, 1)
            found, _, _, _ = self._proof(search)
            if (found if mover == one.seat else found.other()).high >= worth:
                return False
        return True

    # ------------------------------------------------------------ the rest

    def _past(self, n: int, seat: int) -> list[Any]:
        """The moments at which earlier turns began, where positions recur."""
        if not self.facts.recurs:
            return []
        return [self.game.view(state, seat) for state in self.states[:n] if not state.step]

    def _chance(self, n: int) -> int:
        return Random(f"{self.seed}/{n}").getrandbits(30)

    def _put(self, place: int, **found: Any) -> None:
        """Note what was found of a turn; what is proved stays."""
        self.moments[place] = replace(self.moments[place], **{**found, **self._proofs.get(place, {})})


def _ended(state: Any, seat: int) -> Worth:
    """What a match that is over was worth to a seat."""
    winners = state.result.winners
    worth = 1.0 / state.seats if not winners else 1.0 / len(winners) if seat in winners else 0.0
    return Worth(worth, worth, worth)


def _place(state: Any) -> Any:
    """What tells positions within and after a turn apart."""
    return state.standing, state.step, state.turn, state.to_move, state.result


def _begins(turn: Sequence[str], ways: frozenset[tuple[str, ...]]) -> bool:
    """Whether a turn begins with one of some ways to begin."""
    return any(tuple(turn[: len(way)]) == way for way in ways)


def _order(one: Considered) -> tuple[float, float, float]:
    """The order of choices: wins, the shortest first; what is open, the most visited first; losses, the longest."""
    if one.proved and one.low == 1.0:
        return 0.0, one.turns, -one.visits
    if one.proved and one.high == 0.0:
        return 2.0, -one.turns, -one.visits
    return 1.0, -one.visits, -one.mean


@dataclass(frozen=True, slots=True)
class Judged:
    """What another turn would have been worth, and what is answered to it, as texts; none where nobody can tell."""

    worth: Worth
    answer: tuple[str, ...] = ()


def judged(
    game: Game, first: Any, history: Sequence[Made], one: Moment, texts: Sequence[str], tries: int = TRIES
) -> Judged:
    """Judge a turn that is tried in the place of the one played, within the process of a worker."""
    bound_memory()
    return _Judge(game, first, history, 0, hurried_once()).tried(one, texts, tries)
