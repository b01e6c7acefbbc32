"""Finding problems: positions of a game in which one turn and no other does what is asked, proved.

Each thing that is asked of a problem is a small function here, of a :class:`Candidate` in the order in which they cost;
:func:`problem_at` asks them all. Matches are played by lot and between computers of unequal strength, and looked at
from their end backwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any, Literal

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Considered, Game
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import Budget, Player, never, player

Turn = tuple[str, ...]
MOST_TURNS = 300
"""Turns open at most: with more nobody looks at all of them."""
BACK = (1, 24)
"""From how many turns before the end of a match on it is looked at, and up to how many."""
WORK = 10**10
"""What a proof may cost, as rules count work: without end, as it is the time that counts."""
SECONDS = 0.12
"""What a proof may cost in time of the processor."""
TRIES = (30, 100, 300, 1_000, 3_000)
"""How many tries a search is given to find the key, one after the other."""
BEYOND = 10_000
"""The surprise of a key that even the most tries do not find."""
PLAYED = 60
"""How many tries computers have for a choice in the matches that are looked at."""
SEEDS = 5
"""How often a search begins anew to see whether it finds the key."""
SAME = 4
"""Turns that may come to the same as the key, itself included."""
APART = 3
"""Points on which a problem must differ from every other."""
PUNISHED = 6
"""Wrong turns to which an answer is looked for at most, to find three."""
FROM_ONE = 2
"""Problems that one match may give."""
SHARES = {"easy": 10, "middling": 12, "hard": 8}
"""How many problems of each tier a set has."""
ONE_THEME = 12
"""How many of them may have one theme."""
_RATED = (900, 1_150, 1_400, 1_650, 1_900)
"""How strong a search is that has so many :data:`TRIES`."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a problem must have: so many different turns open, so many wrong ones that do not lose at once, and a
    solution of at most so many turns of both."""

    choices: int = 6
    alive: int = 2
    longest: int = 9


USUAL = Demands()
MODEST = Demands(4, 0, 19)
"""For games of which the usual demands find next to nothing: their last turns leave few choices, and wins are long."""
FEW = 5
"""Problems found with usual demands in a part of the time that make it worth going on with them."""


class TooFar(Exception):
    """It cannot be proved what a position is worth: those before it are too far from the end too."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position to be looked at: the beginning of a turn of ``seat`` in a match, after the ``moves`` before it."""

    game: Game
    state: Any
    moves: tuple[Turn, ...]
    before: Any = None
    """The state at which the turn before began; None at the start."""
    seed: int = 0
    real: bool = False
    """Whether computers played, and not the lot."""
    demands: Demands = USUAL

    @property
    def seat(self) -> int:
        """Who has to find something."""
        seat: int = self.state.to_move
        return seat


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that was found; see :class:`shibumi3d.catalogue.problems.ProvedProblem` for the words."""

    kind: Literal["win", "hold", "once"]
    spot: Candidate = field(repr=False)
    n: int
    line: tuple[Turn, ...]
    also: tuple[Turn, ...] = ()
    wrong: tuple[tuple[Turn, Turn], ...] = ()
    surprise: int = 0
    themes: tuple[str, ...] = ()
    rating: int = 0
    work: int = 0
    slip: bool = False

    @property
    def key(self) -> Turn:
        """The only turn that does what is asked."""
        return self.line[0]


def patience(seconds: float | None = None) -> Callable[[], bool]:
    """Return what says, from so many seconds of the processor's time on, that a proof is to stop."""
    end = process_time() + (SECONDS if seconds is None else seconds)
    return lambda: process_time() > end


# ---------------------------------------------------------------- turns and matches


def after(game: Game, state: Any, turn: Turn) -> Any:
    """Return the state after a turn."""
    for move in turn:
        state, _ = game.apply(state, move)
    return state


def turns_at(game: Game, state: Any, most: int = MOST_TURNS) -> list[tuple[Turn, Any]]:
    """Return every turn that can be played at a state, each position once, with the state after it.

    Returns nothing where there are more than ``most``.
    """
    begun, seat = state.turn, state.to_move
    found: list[tuple[Turn, Any]] = []
    met: set[Any] = set()
    ways: list[tuple[Turn, Any]] = [((), state)]
    while ways:
        turn, here = ways.pop()
        if turn and (here.result is not None or here.turn != begun or here.to_move != seat):
            found.append((turn, here))
            if len(found) > most:
                return []
            continue
        for move in reversed(game.moves(here)):
            there, _ = game.apply(here, move)
            mark = (there.standing, there.step, there.result is None, there.turn, there.scores)
            if there.step or mark not in met:
                met.add(mark)
                ways.append(((*turn, move.text), there))
        if len(ways) > 10 * most:
            return []
    return found


def matches(
    game: Game, seed: int, seats: int | None = None
) -> Iterator[tuple[list[Any], list[Turn], int, bool]]:
    """Yield matches without end, each with the states at which turns began and ended, its turns, its seed, and whether
    computers played it: of each three one, between unequal strengths; the others are played by lot. One that is broken
    off, as it is long or its rules fail, has neither states nor turns."""
    number = seed
    while True:
        chance = Random(f"problems {number}")
        real = number % 3 == 1
        players = [player("random", number), player("random", number)]
        if real:
            players = [player("pebble", number), player("stone", number)]
            chance.shuffle(players)
        try:
            states, turns = played(game, players, chance, number if game.facts(seats).chance else 0, seats)
        except RuleFailure:
            states, turns = [], []
        if not states or states[-1].result is None:
            yield [], [], number, real  # broken off, so that whoever waits may look at the clock
        else:
            yield states, turns, number if game.facts(seats).chance else 0, real
        number += 1


def played(
    game: Game, players: Sequence[Player], chance: Random, seed: int, seats: int | None = None
) -> tuple[list[Any], list[Turn]]:
    """Return the states at which turns of a match began and ended, and its turns. A long one is left unfinished."""
    state = game.start(seats, seed)
    states: list[Any] = [state]
    turns: list[Turn] = []
    turn: Turn = ()
    while state.result is None and len(turns) < 120:
        seat = state.to_move
        moves = game.moves(state)
        if players[0].level is None or len(turns) < 2:
            text = chance.choice(moves).text
        else:
            budget = Budget(iterations=PLAYED)
            view = game.view(state, seat)
            text = players[seat % 2].choose(game, view, budget, seat=seat, moves=[m.text for m in moves]).move
        before = state.turn
        state, _ = game.apply(state, text)
        turn = (*turn, text)
        if state.turn != before or state.result is not None:
            states.append(state)
            turns.append(turn)
            turn = ()
    return states, turns


def candidates(game: Game, seed: int, seats: int | None = None) -> Iterator[list[Candidate]]:
    """Yield the positions of one match after the other, the last one first."""
    for states, turns, seeded, real in matches(game, seed, seats):
        found = []
        for back in range(BACK[0], min(BACK[1], len(turns)) + 1):
            at = len(turns) - back
            before = states[at - 1] if at else None
            if states[at].step == 0 and states[at].phase >= 0:
                found.append(Candidate(game, states[at], tuple(turns[:at]), before, seeded, real))
        yield found


# ---------------------------------------------------------------- what is asked of a problem


def enough_choices(ways: Sequence[Any], demands: Demands = USUAL) -> bool:
    """Return whether there is something to choose from."""
    return demands.choices <= len(ways) <= MOST_TURNS


def only(spot: Candidate, worths: Sequence[Considered], worth: float) -> list[Turn]:
    """Return the turns that are proved to be worth so much, where they all come to the same, and all others are proved
    to be worth less; else nothing."""
    keys = [one.moves for one in worths if one.low == worth and one.high == worth]
    if not keys or len(keys) > SAME or sum(one.high < worth for one in worths) + len(keys) < len(worths):
        return []
    game, seat = spot.game, spot.seat
    search = search_of(game, game.view(after(game, spot.state, keys[0]), seat), seat)
    same = all(search.same(game.view(after(game, spot.state, turn), seat)) for turn in keys[1:])
    return keys if same else []


def wins_at_once(game: Game, state: Any, seat: int) -> list[Turn]:
    """Return the turns with which a seat that is to move wins at once, alone."""
    return [
        turn
        for turn, there in turns_at(game, state)
        if there.result is not None and there.result.winners == (seat,)
    ]


def alive(game: Game, state: Any, turns: Sequence[Turn], seat: int, most: int = MOST_TURNS) -> int:
    """Return how many of some turns, up to ``most``, do not lose at once: neither by themselves nor by the answer."""
    number = 0
    for turn in turns:
        if number == most:
            break
        there = after(game, state, turn)
        if there.result is not None:
            number += seat in there.result.winners
        else:
            search = search_of(game, game.view(there, there.to_move), there.to_move)
            number += search.wins_within(1, WORK, patience()) == 0
    return number


def fastest(game: Game, state: Any, seat: int, longest: int = USUAL.longest) -> Turn:
    """Return the turn with which a seat that is to move wins in the fewest turns; () where that is not known."""
    best: Turn = ()
    least, late = longest + 1, patience(4 * SECONDS)
    for turn, there in turns_at(game, state):
        if there.result is not None:
            if there.result.winners == (seat,):
                return turn
            continue
        if late():
            continue
        found = search_of(game, game.view(there, seat), seat).wins_within(least - 1, WORK, late)
        if 0 < found < least:
            best, least = turn, found
    return best


def longest_defence(game: Game, state: Any, seat: int, longest: int = USUAL.longest) -> Turn:
    """Return the answer that holds out longest against a seat that wins; among equals the one after which most turns
    are open to that seat. It is () where the length is not known."""
    best: tuple[int, int] = (-1, -1)
    found: Turn = ()
    for turn, there in turns_at(game, state):
        if there.result is not None:
            continue
        length = search_of(game, game.view(there, seat), seat).wins_within(longest, WORK, patience())
        if length <= 0:
            return ()
        if (length, ways := len(game.moves(there))) > best:
            best, found = (length, ways), turn
    return found


def winning_line(spot: Candidate, key: Turn) -> tuple[Turn, ...]:
    """Return how a key wins against the defence that holds out longest, up to the end; () where that is too long."""
    game, seat = spot.game, spot.seat
    line = [key]
    state = after(game, spot.state, key)
    longest = spot.demands.longest
    while state.result is None and len(line) < longest:
        play = fastest if state.to_move == seat else longest_defence
        turn = play(game, state, seat, longest)
        if not turn:
            return ()
        line.append(turn)
        state = after(game, state, turn)
    return tuple(line) if state.result is not None and state.result.winners == (seat,) else ()


def own_turns(spot: Candidate, line: Sequence[Turn]) -> int:
    """Return how many turns of a line are those of who has to find them."""
    state, number = spot.state, 0
    for turn in line:
        number += state.to_move == spot.seat
        state = after(spot.game, state, turn)
    return number


def found_after(spot: Candidate, key: Turn) -> tuple[list[float], Counter[Turn]]:
    """Return in which part of :data:`SEEDS` searches the key was seen as best after so many :data:`TRIES`, and how
    often every other turn was looked at."""
    game, seat = spot.game, spot.seat
    view, goal = game.view(spot.state, seat), after(game, spot.state, key).standing
    shares, visits = [0.0] * len(TRIES), Counter[Turn]()
    for seed in range(SEEDS):
        search, before = search_of(game, view, seat, seed), 0
        hit = False
        for place, tries in enumerate(TRIES):
            going = search.grow(tries - before, never)
            before = tries
            best = search.turns(8)
            hit = bool(best) and after(game, spot.state, best[0].moves).standing == goal
            shares[place] += hit / SEEDS
            if not going:
                for rest in range(place + 1, len(TRIES)):
                    shares[rest] += hit / SEEDS
                break
        for one in search.turns(8):
            if after(game, spot.state, one.moves).standing != goal:
                visits[one.moves] += one.visits
    return shares, visits


def surprise(shares: Sequence[float]) -> int:
    """Return the least number of tries from which on most searches see the key; :data:`BEYOND` where they never do."""
    for place, tries in enumerate(TRIES):
        if all(share > 0.5 for share in shares[place:]):
            return tries
    return BEYOND


def rated(shares: Sequence[float], strengths: Sequence[int] = _RATED) -> int:
    """Return the rating at which solvers of some strengths are expected to solve as much as they did (logistic, as in
    chess), held by one solved and one failed by a solver of middling strength."""
    solved = sum(shares) * SEEDS + 1
    players = [*((strength, SEEDS) for strength in strengths), (strengths[len(strengths) // 2], 2)]
    low, high = 0.0, 4_000.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(number / (1 + 10 ** ((middle - strength) / 400)) for strength, number in players)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round(low)


def refutation(game: Game, state: Any) -> Turn:
    """Return an answer proved to refute what was played: the one that wins soonest, else one after which the other does
    not win; () where none is known."""
    seat = state.to_move
    soon = fastest(game, state, seat, 3)
    if soon:
        return soon
    search = search_of(game, game.view(state, seat), seat)
    worths = search.worths(WORK, patience(), enough=1) or search.worths(
        WORK, patience(), within=USUAL.longest - 1, enough=1
    )
    held = sorted((one for one in worths if one.low > 0.0), key=lambda one: -one.low)
    return held[0].moves if held else ()


def punished(
    spot: Candidate, wrong: Sequence[Turn], visits: Counter[Turn], kind: str, length: int
) -> tuple[tuple[Turn, Turn], ...]:
    """Return the three wrong turns that were looked at most, each with the answer that refutes it."""
    found = []
    for turn in sorted(wrong, key=lambda turn: -visits[turn])[:PUNISHED]:
        there = after(spot.game, spot.state, turn)
        if there.result is None and there.to_move != spot.seat:
            answer = refutation(spot.game, there)
            if answer and not unrefuted(spot, kind, length, turn, answer):
                found.append((turn, answer))
        if len(found) == 3:
            break
    return tuple(found)


def themes(
    spot: Candidate, kind: str, line: Sequence[Turn], lost_at_once: int, wrong: int
) -> tuple[str, ...]:
    """Return what a problem is about, by test: names of :data:`shibumi3d.catalogue.problems.THEMES`."""
    game, seat = spot.game, spot.seat
    events: list[Any] = []
    state = spot.state
    for move in line[0]:
        state, happened = game.apply(state, move)
        events += happened
    names = {type(event).__name__ for event in events}
    found = []
    if kind != "hold" and len(line) == 1:
        found.append("at-once")
    if len(line) == 3 and state.result is None:
        there = after(game, state, line[1])
        if there.result is None and there.to_move == seat and len(wins_at_once(game, there, seat)) > 1:
            found.append("double")
    if len(line) > 1 and wrong and 2 * lost_at_once > wrong:
        found.append("block")
    if names & {"Captured"}:
        found.append("capture")
    if names & {"Dropped", "SideDropped"}:
        found.append("fall")
    if kind == "hold":
        found.append("draw")
    return tuple(found)


def slipped(spot: Candidate) -> bool:
    """Return whether the turn before threw something away: whoever made it had not lost before, proved."""
    before = spot.before
    if before is None or before.to_move is None or before.to_move == spot.seat:
        return False
    search = search_of(spot.game, spot.game.view(before, before.to_move), before.to_move)
    return search.solved(WORK, patience())[0] > 0.0


def tier(finding: Finding) -> str:
    """Return how hard a problem is: easy, middling or hard."""
    if finding.n >= 4 or finding.surprise >= 1_000:
        return "hard"
    return "easy" if finding.n <= 2 and finding.surprise <= 100 else "middling"


# ---------------------------------------------------------------- all together


def problem_at(spot: Candidate) -> Finding | None:
    """Return the problem of a position, None where there is none. Raises :class:`TooFar` where it is not known."""
    facts = spot.game.facts(spot.state.seats)
    search = search_of(spot.game, spot.game.view(spot.state, spot.seat), spot.seat)
    if not search.exact:
        return once_at(spot)
    if facts.recurs:
        return _within(spot, search)
    low, high, _ = search.solved(WORK, patience())
    if low < high:
        raise TooFar
    if low == 0.0:
        return None
    worths = search.worths(WORK, patience(4 * SECONDS), enough=SAME + 1, sure=True)
    if low == 1.0 and any(one.low == 0.0 and one.high == 1.0 for one in worths):
        if sum(one.low for one in worths) > SAME:
            return None
        raise TooFar
    if not enough_choices(worths, spot.demands):
        return None
    keys = only(spot, worths, low)
    return _finished(spot, "win" if low == 1.0 else "hold", keys, worths) if keys else None


def _within(spot: Candidate, search: Any) -> Finding | None:
    """The problem of a position of a game in which positions recur: others may win too, but not in so few turns."""
    number = search.wins_within(spot.demands.longest, WORK, patience())
    if number < 0:
        raise TooFar
    if number <= 0:
        return None
    late = patience(4 * SECONDS)
    worths = search.worths(WORK, late, within=number, enough=2)
    wins = [one.moves for one in worths if one.low == 1.0]
    if len(wins) != 1 or late() or not enough_choices(worths, spot.demands):
        return None
    return _finished(spot, "win", wins, worths)


def _finished(
    spot: Candidate, kind: Literal["win", "hold"], keys: Sequence[Turn], worths: Sequence[Considered]
) -> Finding | None:
    """The problem with keys that all come to the same, where what else is asked of it holds too."""
    key, *also = keys
    wrong = [one.moves for one in worths if one.moves not in keys]
    least = spot.demands.alive
    if alive(spot.game, spot.state, wrong, spot.seat, least) < least:
        return None
    line = winning_line(spot, key) if kind == "win" else (key,)
    if not line or (kind == "win" and _length(spot) != len(line)):
        return None
    living = alive(spot.game, spot.state, wrong, spot.seat)
    shares, visits = found_after(spot, key)
    number = own_turns(spot, line)
    found = Finding(
        kind,
        spot,
        number,
        line,
        tuple(also),
        punished(spot, wrong, visits, kind, len(line)),
        surprise(shares),
        themes(spot, kind, line, len(wrong) - living, len(wrong)),
        rated(shares) + 60 * (number - 1),
        len(worths),
        slipped(spot),
    )
    return None if faults(spot, found) else found


def _length(spot: Candidate) -> int:
    """In how few turns a win can be forced; as :meth:`Search.wins_within`."""
    search = search_of(spot.game, spot.game.view(spot.state, spot.seat), spot.seat)
    return search.wins_within(spot.demands.longest, WORK, patience())


def once_at(spot: Candidate) -> Finding | None:
    """Return the problem to win at once, where one turn alone does it, whatever is hidden or chance decides."""
    game, seat = spot.game, spot.seat
    facts = game.facts(spot.state.seats)
    if facts.simultaneous or spot.state.step:
        return None
    if not (facts.secrets or facts.chance):
        ways = turns_at(game, spot.state)
        sure = [t for t, s in ways if s.result is not None and s.result.winners == (seat,)]
        all_ways = [t for t, _ in ways]
    else:
        all_ways, sure = _foreseen(game, game.view(spot.state, seat), seat)
    if not enough_choices(all_ways, spot.demands) or len(sure) != 1:
        return None
    spot_themes = themes(spot, "once", (sure[0],), 0, 0)
    return Finding("once", spot, 1, (sure[0],), (), (), 0, spot_themes, 900, len(all_ways))


def _foreseen(game: Game, view: Any, seat: int) -> tuple[list[Turn], list[Turn]]:
    """The turns of one choice open at a view, and those of them that surely win, whatever the view does not tell."""
    ways: list[Turn] = []
    sure: list[Turn] = []
    for move in game.moves(view, seat):
        ways.append((move.text,))
        try:
            seen = game.foresee(view, move)
        except RuleFailure:
            continue
        end = None if seen is None or seen.after is None else seen.after.result
        if end is not None and end.winners == (seat,):
            sure.append((move.text,))
    return ways, sure


TO_THE_END = 200
"""Turns that no match which can be looked through goes on for."""
ANEW = 20.0
"""The seconds that a proof may take which is made anew."""


def faults(spot: Candidate, finding: Finding, other: bool = False) -> list[str]:
    """Return what does not hold of a problem, proved anew: keys of sentences, none where all holds, "open" where it
    can't be told in :data:`ANEW` seconds.

    ``other``: by the method that it was not found with, turn by turn in place of whole endgames. Where positions recur
    there is only that one.
    """
    game, seat, found = spot.game, spot.seat, []
    search = search_of(game, game.view(spot.state, seat), seat)
    if finding.kind == "once" or not search.exact:
        once = once_at(spot)
        return [] if once is not None and once.key == finding.key else ["key"]
    recurs = game.facts(spot.state.seats).recurs
    goals = {after(game, spot.state, turn).standing for turn in (finding.key, *finding.also)}
    within = len(finding.line) if recurs else TO_THE_END if other else 0
    late = patience(ANEW)
    worths = search.worths(WORK, late, within=within)
    worth = 1.0 if finding.kind == "win" else 0.5
    for one in worths:
        if after(game, spot.state, one.moves).standing in goals:
            found += [] if one.low >= worth else ["key"]
        elif recurs:
            found += ["second"] if one.low >= worth else []
        elif one.high >= worth:
            found.append("second" if one.low >= worth else "open")
    if recurs and late():
        found.append("open")  # it may not have been looked as far as it was to be
    if sum(after(game, spot.state, one.moves).standing in goals for one in worths) != len(goals):
        found.append("key")
    if finding.kind == "win":
        length = search.wins_within(len(finding.line), WORK, patience(ANEW))
        if length != len(finding.line):
            found.append("open" if length < 0 else "length")
        end = spot.state
        for turn in finding.line:
            end = after(game, end, turn)
        if end.result is None or end.result.winners != (seat,) or own_turns(spot, finding.line) != finding.n:
            found.append("line")
    for turn, answer in finding.wrong:
        left = unrefuted(spot, finding.kind, len(finding.line), turn, answer)
        found += [left] if left else []
    return list(dict.fromkeys(found))


def unrefuted(spot: Candidate, kind: str, length: int, turn: Turn, answer: Turn) -> str:
    """Return "wrong" where a turn does what is asked in spite of an answer, "open" where that can't be told, and ""
    where the answer is proved to refute it. ``length``: the turns of both in which the problem is solved."""
    game, seat = spot.game, spot.seat
    recurs = game.facts(spot.state.seats).recurs
    there = after(game, after(game, spot.state, turn), answer)
    most = _most(game, there, seat, length - 2 if recurs else None)
    if most < (1.0 if kind == "win" else 0.5):
        return ""
    return "wrong" if most < OPEN else "open"


OPEN = 2.0
"""More than a match can be worth, in place of what is not known."""


def _most(game: Game, state: Any, seat: int, within: int | None) -> float:
    """The most that a match is worth to a seat, proved, or :data:`OPEN`; ``within``: as far as so many turns tell."""
    if state.result is not None:
        winners = state.result.winners
        return 0.5 if not winners else float(seat in winners)
    search = search_of(game, game.view(state, seat), seat)
    if within is not None:
        length = search.wins_within(within, WORK, patience(ANEW)) if within > 0 else 0
        return OPEN if length < 0 else float(length > 0)
    other = search_of(game, game.view(state, state.to_move), state.to_move)
    low, high, _ = other.solved(WORK, patience(ANEW))
    if state.to_move != seat:
        low, high = 1.0 - high, 1.0 - low
    return high if low == high or high < 1.0 else OPEN


class Selection:
    """The problems of a set that is being made: those that are new, of one theme and one match not too many, and of
    each tier as many as it has places for; ``fits`` says whether one can be written."""

    def __init__(self, fits: Callable[[Finding], bool], kept: Sequence[Finding] = ()) -> None:
        self.fits = fits
        self.kept = list(kept)
        self.spare: list[Finding] = []
        """Those for which their tier has no place any more."""

    def is_new(self, finding: Finding) -> bool:
        """Return whether a position differs enough from every other, however the board is turned."""
        game, seat = finding.spot.game, finding.spot.seat
        view = game.view(finding.spot.state, seat)
        search = search_of(game, view, seat)
        everybody = (*self.kept, *self.spare)
        return all(search.unlike(game.view(one.spot.state, one.spot.seat)) >= APART for one in everybody)

    def take(self, finding: Finding) -> bool:
        """Keep a problem if it is new and has a place; return whether it was kept, perhaps as a spare one."""
        if not (self.fits(finding) and self.is_new(finding)):
            return False
        tiers = Counter(map(tier, self.kept))
        of_theme = Counter(theme for one in self.kept for theme in one.themes)
        place = tiers[tier(finding)] < SHARES[tier(finding)]
        if place and all(of_theme[theme] < ONE_THEME for theme in finding.themes):
            self.kept.append(finding)
        elif len(self.spare) < sum(SHARES.values()):
            self.spare.append(finding)
        else:
            return False
        return True

    @property
    def full(self) -> bool:
        """Whether every tier has all its problems."""
        return len(self.kept) >= sum(SHARES.values())

    def chosen(self) -> list[Finding]:
        """Return the problems, the easiest first; places that stayed empty are filled with spare ones."""
        left = max(0, sum(SHARES.values()) - len(self.kept))
        return sorted([*self.kept, *self.spare[:left]], key=lambda one: (one.n, one.rating))
