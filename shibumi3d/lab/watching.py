"""Matches recorded move by move, with legal moves and evaluations, and the report made from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from math import inf, sqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from shibumi3d.i18n import Unusable
from shibumi3d.lab.copying import Copying, can_copy
from shibumi3d.lab.jobs import AMONG_PLAYERS, GameText, Job, Row, cut, row_of
from shibumi3d.rules.game import Game
from shibumi3d.search.arena import first_seed, match
from shibumi3d.search.fought import Fought
from shibumi3d.search.judge import OPENING, Z, credit, looking, share
from shibumi3d.search.players import Choice, Player
from shibumi3d.search.solver import decided

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move, State

WAYS = 48
"""Number of simulations per move in recorded matches."""
SURE = 0.75
"""Minimum evaluation of the winner for a match to count as decided.

A match is decided at the turn from which the evaluation never falls below this value again.
"""
DOUBLED = (6, 12, 24, 48)
"""Numbers of simulations per move that play against twice as many, for the skill curve."""
TRIES = 200
"""Number of simulations after each first move, for the opening map."""
PROVED = 200
"""Maximum number of moves tried per turn when the end of a match is proved."""
MOMENTS = (0.25, 0.5, 0.75)
"""Moments of a match at which all moves are compared, as fractions of its length."""
WEIGHED = 40
"""Number of simulations after each move that is compared.

This is also the maximum number of legal moves for which they are compared.
"""
PLAUSIBLE = 0.75
"""Minimum value of a plausible move, on a scale from the mean value (0) to the best value (1)."""
FORCED = 50
"""Maximum number of forced moves that are played after a first move to reach a choice."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Job that plays and records matches ``first`` to ``first + count - 1`` between equal players."""

    kind: ClassVar[str] = "watched"
    table: GameText
    seed: int = 0
    first: int = 0
    count: int = 40

    def rows(self) -> list[Row]:
        """Play the matches and return a row for each.

        For each move, ``choices`` lists the seat, the turn, the number of legal moves, the board and point of the move,
        and the seat's evaluation, or -1 if it did not search. ``solved`` is the turn from which the result is proved.
        ``plausible`` holds the fraction of plausible moves at each of :data:`MOMENTS`. Either is None if unknown.
        """
        found = []
        for number in range(self.first, self.first + self.count):
            game = self.table.game()
            seated = [_Watching(looking(WAYS), self.seed * 1000 + seat) for seat in range(self.table.seats)]
            _seen.clear()
            _moments.clear()
            fought = match(game, seated, _named(self.seed, number), 0 if number % 2 else OPENING, None)
            more = {"solved": _solved(game, fought), "plausible": _plausible(game, self.seed)}
            found.append(row_of(number, fought) | {"choices": list(_seen), **more})
        return found

    def jobs(self) -> Iterator[Watched]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from cut(self, AMONG_PLAYERS)


_seen: list[list[Any]] = []
"""Moves of the current match. The list is global because a match makes its own copies of the players."""
_moments: list[Any] = []
"""Views of the current match at the beginning of each turn."""


class _Watching(Player):
    """A player that records its moves."""

    def choose(self, game: Any, view: State, *args: Any, **options: Any) -> Choice:
        open_ = game.moves(view, options.get("seat"))
        if view.step == 0:
            _moments.append(view)
        chosen = super().choose(game, view, *args, **options)
        move = next((one for one in open_ if one.text == chosen.move), None)
        hoped = chosen.analysis.mean if chosen.analysis.iterations else -1.0
        where = [getattr(move, "board", -1), getattr(move, "point", -1)]
        _seen.append([chosen.analysis.seat, view.turn, len(open_), *where, round(hoped, 3)])
        return chosen


def _named(seed: int, number: int) -> str:
    """Return the string that seeds a match."""
    return f"{seed}/w{number}"


def _solved(game: Game, fought: Fought) -> int | None:
    """Return the turn from which the result of the match is proved, or None if it has no result."""
    if fought.winners is None:
        return None
    first = fought.turns
    with suppress(Unusable):
        for view in reversed(_moments):
            if decided(game, view, work=PROVED)[0] is None:
                return first
            first = int(view.turn)
        return first
    return None


def _plausible(game: Game, seed: int) -> list[float] | None:
    """Return the fraction of plausible moves at each of :data:`MOMENTS`, or None.

    This needs a two-player game with perfect information.
    """
    facts = game.facts(_moments[0].seats) if _moments else None
    if facts is None or _moments[0].seats != 2 or facts.secrets or facts.chance:
        return None
    found = []
    for part in MOMENTS:
        view = _moments[int(len(_moments) * part)]
        moves = game.moves(view)
        if 2 < len(moves) <= WEIGHED:
            worths = [
                worth for move in moves if (worth := worth_after(game, view, move, WEIGHED, seed)) is not None
            ]
            mean, best = sum(worths) / max(1, len(worths)), max(worths, default=0.0)
            if best > mean:
                found.append(
                    round(sum(one >= mean + PLAUSIBLE * (best - mean) for one in worths) / len(worths), 3)
                )
    return found


@dataclass(frozen=True, slots=True)
class Doubled:
    """Job that plays matches in which one player runs twice as many simulations as the others.

    The stronger player takes each seat in turn. The others run ``ways`` simulations per move.
    """

    kind: ClassVar[str] = "doubled"
    table: GameText
    ways: int
    seed: int = 0
    first: int = 0
    count: int = 20

    def rows(self) -> list[Row]:
        """Play the matches and return a row for each. ``strong`` is the seat of the stronger player."""
        found, seats = [], self.table.seats
        for number in range(self.first, self.first + self.count):
            strong = number % seats
            seated = [
                Player(looking(self.ways * (1 + (seat == strong))), self.seed * 1000 + seat)
                for seat in range(seats)
            ]
            one = match(self.table.game(), seated, f"{self.seed}/d{number // seats}", OPENING, None)
            found.append(row_of(number, one) | {"strong": strong})
        return found

    def jobs(self) -> Iterator[Doubled]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from cut(self, AMONG_PLAYERS)


@dataclass(frozen=True, slots=True)
class Opening:
    """Job that evaluates the first moves of a game for one or two players.

    It runs ``tries`` simulations after each first move.
    """

    kind: ClassVar[str] = "opening"
    table: GameText
    seed: int = 0
    tries: int = TRIES

    def rows(self) -> list[Row]:
        """Evaluate each first move and return a row for it.

        ``mean`` is its value for the first seat, from 0 to 1.
        """
        game = self.table.game()
        start = game.start(self.table.seats, Random(self.seed).getrandbits(30))
        found: list[Row] = []
        if start.to_move is None or self.table.seats > 2:
            return []
        for move in game.moves(start):
            worth = worth_after(game, start, move, self.tries, self.seed)
            if worth is not None:
                where = {"board": getattr(move, "board", -1), "point": getattr(move, "point", -1)}
                found.append({"move": move.text, **where, "mean": round(worth, 3)})
        return found


def worth_after(game: Game, before: State, move: Move, tries: int, seed: int) -> float | None:
    """Return the value of a move for the seat that makes it, from ``tries`` simulations.

    The result is None if there is nothing to search. There must be one or two seats.
    """
    seat = before.to_move
    state, _ = game.apply(before, move)
    # A player does not search if there is only one legal move.
    for _ in range(FORCED):
        moves = game.moves(state) if state.to_move is not None else []
        if len(moves) != 1:
            break
        state, _events = game.apply(state, moves[0])
    outcome, acts = game.outcome(state), state.to_move
    if outcome is not None:
        return (seat in outcome.winners) / len(outcome.winners) if outcome.winners else 0.5
    if acts is None or len(moves) < 2:
        return None
    one, texts = Player(looking(tries), seed), [move.text for move in moves]
    hoped = one.choose(game, game.view(state, acts), seat=acts, moves=texts).analysis.mean
    return hoped if acts == seat else 1 - hoped


def studies(table: GameText, seed: int, count: int, opening: bool = True) -> list[Job]:
    """Return the jobs of a report.

    They play ``count`` recorded matches and about as many between unequal players. If mirror play is possible, they
    also play about a quarter as many matches with it. If ``opening`` is set, the first moves are evaluated too.
    """
    # Round up, so that every opening is played from each seat.
    each = -(-max(1, count // len(DOUBLED)) // table.seats) * table.seats
    uneven = [job for ways in DOUBLED for job in Doubled(table, ways, seed, count=each).jobs()]
    copies = Copying(table, WAYS, seed, count=each).jobs() if can_copy(table) else ()
    first = [Opening(table, seed)] if opening else []
    return [*Watched(table, seed, count=count).jobs(), *uneven, *copies, *first]


def told_of(jobs: Sequence[Job], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the report made from the rows of the jobs of :func:`studies`, in the same order."""
    left = iter(rows)
    watched: list[Row] = []
    doubled: list[tuple[int, Row]] = []
    copied: list[Row] = []
    for job in jobs:
        if isinstance(job, Watched):
            watched += islice(left, job.count)
        elif isinstance(job, Doubled):
            doubled += [(job.ways, row) for row in islice(left, job.count)]
        elif isinstance(job, Copying):
            copied += islice(left, job.count)
    first: Any = jobs[0]
    return report(first.table, first.seed, watched, doubled, list(left), copied)


def report(
    table: GameText,
    seed: int,
    watched: Sequence[Row],
    doubled: Sequence[tuple[int, Row]],
    opening: Sequence[Row],
    copied: Sequence[Row] = (),
) -> dict[str, Any]:
    """Return a report as JSON data.

    Each measure has its value, its 95 % confidence interval (None if there is none) and the sample size.
    """
    seats = table.seats
    played = [_fought(row) for row in watched]
    ended = [one for one in played if one.winners is not None]
    won = [
        (row, one) for row, one in zip(watched, played, strict=True) if one.winners and len(one.winners) == 1
    ]
    choices = [choice for row in watched for choice in row["choices"]]
    measures = {
        "length": _mean([one.turns for one in played]),
        # Use one value per match, because the moves of a match are correlated.
        "choices": _mean(
            [_even([choice[2] for choice in row["choices"]]) for row in watched if row["choices"]]
        ),
        "forced": _mean(
            [_even([choice[2] == 1 for choice in row["choices"]]) for row in watched if row["choices"]], 1.0
        ),
        "completion": _part([float(one.winners is not None) for one in played]),
        "draws": _part([float(one.winners == ()) for one in ended]) if seats > 1 else None,
        **{f"seat {seat + 1}": _part([credit(one, seat, seats) for one in played]) for seat in range(seats)},
        "drama": _mean([_drama(row, one) for row, one in won], 1.0) if seats > 1 else None,
        "leads": _mean([_leads(row["choices"]) for row in watched]) if seats == 2 else None,
        "decided": _mean([_decided(row, one) for row, one in won], 1.0) if seats > 1 else None,
        "proved": _mean(
            [1 - row["solved"] / max(1, row["turns"]) for row in watched if row.get("solved") is not None],
            1.0,
        ),
        "plausible": _mean([_even(row["plausible"]) for row in watched if row.get("plausible")], 1.0),
        "mirror": _part([credit(_fought(row), 1, seats) for row in copied]) if copied else None,
        "copied": _mean([row["copied"] / row["chosen"] for row in copied if row["chosen"]], 1.0),
    }
    trace = [
        {
            "ways": ways,
            **_part([credit(_fought(row), row["strong"], seats) for at, row in doubled if at == ways]),
        }
        for ways in dict.fromkeys(ways for ways, _ in doubled if seats > 1)
    ]
    by_turn: dict[int, list[int]] = {}
    for choice in choices:
        by_turn.setdefault(choice[1], []).append(choice[2])
    used = Counter((choice[3], choice[4]) for choice in choices if choice[4] >= 0)
    return {
        "game": table.id,
        "rules": table.hash,
        "size": table.size,
        "variant": table.variant,
        "seats": seats,
        "seed": seed,
        "measures": {name: one for name, one in measures.items() if one is not None},
        "skill": trace,
        "area": round(sum(one["value"] - 1 / seats for one in trace) / len(trace), 3) if trace else None,
        "by turn": [round(sum(by_turn[turn]) / len(by_turn[turn]), 2) for turn in sorted(by_turn)],
        "coverage": [[board, point, count] for (board, point), count in sorted(used.items())],
        "opening": list(opening),
        "match": _usual(watched, seed),
    }


def _usual(watched: Sequence[Row], seed: int) -> dict[str, Any] | None:
    """Return the finished match of median length, or None if no match was finished."""
    ended = [row for row in watched if row["winners"] is not None]
    ended.sort(key=lambda row: (row["turns"], row["number"]))
    if not ended:
        return None
    one = ended[(len(ended) - 1) // 2]
    told = {name: one[name] for name in ("number", "moves", "turns", "winners")}
    return told | {"first seed": first_seed(_named(seed, one["number"]))}


def _fought(row: Row) -> Fought:
    won = None if row["winners"] is None else tuple(row["winners"])
    return Fought(tuple(row["moves"]), row["turns"], won, tuple(row["scores"]), row["reason"])


def _even(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _mean(values: Sequence[float], most: float = inf) -> dict[str, Any] | None:
    """Return the mean of values between 0 and ``most``, with its confidence interval.

    The interval uses the normal approximation.
    """
    number = len(values)
    if not number:
        return None
    mean = sum(values) / number
    reach = Z * sqrt(sum((one - mean) ** 2 for one in values) / (number - 1) / number) if number > 1 else None
    reached = None if reach is None else (max(0.0, mean - reach), min(most, mean + reach))
    bounds = [None, None] if reached is None else [round(bound, 3) for bound in reached]
    return {"value": round(mean, 3), "interval": bounds, "from": number}


def _part(values: Sequence[float]) -> dict[str, Any]:
    """Return a proportion with its Wilson score interval."""
    found = share(values)
    return {
        "value": round(found.part, 3), "interval": [round(found.least, 3), round(found.most, 3)], "from": len(values),
    }  # fmt: skip


def _hopes(row: Row, winner: int, seats: int) -> list[tuple[int, float]]:
    """Return the winner's evaluations as (turn, value).

    With two seats, the loser's evaluations are included, as 1 minus their value.
    """
    return [
        (turn, hoped if seat == winner else 1 - hoped)
        for seat, turn, _, _, _, hoped in row["choices"]
        if hoped >= 0 and (seat == winner or seats == 2)
    ]


def _seats(row: Row) -> int:
    return len({choice[0] for choice in row["choices"]}) or 1


def _drama(row: Row, one: Fought) -> float:
    assert one.winners
    behind = [max(0.0, 0.5 - hoped) / 0.5 for _, hoped in _hopes(row, one.winners[0], _seats(row))]
    return max(behind, default=0.0)


def _decided(row: Row, one: Fought) -> float:
    assert one.winners
    at = 1.0
    for turn, hoped in reversed(_hopes(row, one.winners[0], _seats(row))):
        if hoped < SURE:
            break
        at = turn / max(1, one.turns)
    return min(1.0, at)


def _leads(choices: Sequence[Sequence[Any]]) -> float:
    ahead = [
        (hoped > 0.5) == (seat == 0) for seat, _, _, _, _, hoped in choices if hoped >= 0 and hoped != 0.5
    ]
    return float(sum(one != other for one, other in pairwise(ahead)))
