"""Reports about games: the jobs that play the matches, including mirror play, and the evaluation of their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from math import inf, sqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from shibumi3d.i18n import InvalidValueError
from shibumi3d.intervals import Z_95
from shibumi3d.lab.jobs import (
    COMPUTER_MATCHES_PER_JOB,
    GameText,
    Job,
    Row,
    match_to_row,
    row_to_match,
    split_job,
)
from shibumi3d.rules.game import Game
from shibumi3d.search.arena import PlayedMatch, initial_state_seed, play_match
from shibumi3d.search.game_quality import OPENING_TURNS, points_of, simulation_level, wilson_proportion
from shibumi3d.search.players import Analysis, Choice, Player
from shibumi3d.search.solver import solve_two_player

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move, State


@runtime_checkable
class Mirrorable(Protocol):
    """A game in which a move can be copied on the other side of the board."""

    def mirror_move(self, move: Move, moves: Iterable[Move]) -> Move | None:
        """Return the move among ``moves`` that copies another seat's ``move``, or None if there is none.

        The copy is the same move with the board rotated by 180° and, if possible, with white and black exchanged.
        """


@dataclass(frozen=True, slots=True)
class MirrorMatches:
    """Job that plays matches in which the second player copies the first player's moves.

    ``first`` is the number of the first match, and ``count`` the number of matches. The first player chooses its moves
    with ``ways`` simulations. The second player does the same if a move can't be copied or none is left to copy.
    """

    kind: ClassVar[str] = "copying"
    table: GameText
    ways: int
    seed: int = 0
    first: int = 0
    count: int = 20

    def run(self) -> list[Row]:
        """Play the matches and return a row for each.

        In each row, "chosen" is the number of moves by the second seat, and "copied" is the number of those that copy a
        move by the first seat.
        """
        result = []
        for number in range(self.first, self.first + self.count):
            seated = [
                _LeadingPlayer(simulation_level(self.ways), self.seed * 1000),
                _CopyingPlayer(simulation_level(self.ways), self.seed * 1000 + 1),
            ]
            _moves_to_copy.clear()
            _copied_flags.clear()
            match = play_match(self.table.load_game(), seated, f"{self.seed}/c{number}", 0, None)
            result.append(
                match_to_row(number, match) | {"copied": sum(_copied_flags), "chosen": len(_copied_flags)}
            )
        return result

    def split(self) -> Iterator[MirrorMatches]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, COMPUTER_MATCHES_PER_JOB)


def can_mirror(text: GameText) -> bool:
    """Return whether mirror play is possible: it requires two seats and moves that can be mirrored."""
    return text.seats == 2 and isinstance(text.load_game(), Mirrorable)


_moves_to_copy: list[Move] = []
"""Moves of the first seat's last turn that the second seat has not tried to copy yet.

The list is global because a match creates its own copies of the players.
"""
_copied_flags: list[bool] = []
"""For each move of the second seat, whether it was a copy."""


class _LeadingPlayer(Player):
    """The first player, whose moves the second player copies."""

    def choose(self, game: Game, view: State, *args: Any, **options: Any) -> Choice:
        chosen = super().choose(game, view, *args, **options)
        if view.step == 0:
            _moves_to_copy.clear()
        _moves_to_copy.extend(
            move for move in game.moves(view, options.get("seat")) if move.text == chosen.move
        )
        return chosen


class _CopyingPlayer(Player):
    """The second player, which copies the moves of the first player's turn one by one.

    If a move can't be copied, or none is left to copy, the player searches for a move as usual.
    """

    def choose(self, game: Any, view: State, *args: Any, **options: Any) -> Choice:
        mirrored_move = (
            game.mirror_move(_moves_to_copy.pop(0), game.moves(view, options.get("seat")))
            if _moves_to_copy
            else None
        )
        _copied_flags.append(mirrored_move is not None)
        if mirrored_move is None:
            return super().choose(game, view, *args, **options)
        return Choice(mirrored_move.text, Analysis(1, 0, 0.5))


SIMULATIONS = 48
"""Number of simulations per move in recorded matches and in mirror play."""
DECIDED_VALUE = 0.75
"""Minimum evaluation for the winner at which a match counts as decided.

A match is decided at the first turn from which the evaluation never falls below this value.
"""
SKILL_SIMULATIONS = (6, 12, 24, 48)
"""Numbers of simulations per move for the skill curve; one player runs twice as many as the others."""
OPENING_SIMULATIONS = 200
"""Number of simulations after each first move, for the opening map."""
MAX_PROOF_MOVES = 200
"""Maximum number of moves tried per turn when the end of a match is proved."""
MATCH_FRACTIONS = (0.25, 0.5, 0.75)
"""Moments of a match at which all moves are compared, as fractions of its length."""
COMPARE_SIMULATIONS = 40
"""Number of simulations after each move that is compared.

This is also the maximum number of legal moves in a position in which moves are compared.
"""
PLAUSIBLE_VALUE = 0.75
"""Minimum value of a plausible move, on a scale from the mean value (0) to the best value (1)."""
MAX_FORCED_MOVES = 50
"""Maximum number of forced moves that are played after a first move to reach a choice."""


@dataclass(frozen=True, slots=True)
class RecordedMatchesJob:
    """Job that plays and records matches ``first`` to ``first + count - 1`` between equal players."""

    kind: ClassVar[str] = "watched"
    table: GameText
    seed: int = 0
    first: int = 0
    count: int = 40

    def run(self) -> list[Row]:
        """Play the matches and return a row for each.

        For each move that a player chose, "choices" lists the seat, the turn, the number of legal moves, the board and
        point of the move (-1 if it has none), and the seat's evaluation, or -1 if the player did not search.

        "solved" is the turn from which the solver knows the result with best play. It is the number of turns in the
        match if the solver never knows that result, and None if the match has no result or the game can't be solved.

        "plausible" lists the share of plausible moves among the legal moves at the moments in :data:`MATCH_FRACTIONS`.
        Moments at which the moves can't be compared are left out. "plausible" is None unless the match is between two
        players and the game has no chance or hidden information.
        """
        result = []
        for number in range(self.first, self.first + self.count):
            game = self.table.load_game()
            seated = [
                _RecordingPlayer(simulation_level(SIMULATIONS), self.seed * 1000 + seat)
                for seat in range(self.table.seats)
            ]
            _recorded_moves.clear()
            _recorded_views.clear()
            fought = play_match(
                game, seated, _match_seed(self.seed, number), 0 if number % 2 else OPENING_TURNS, None
            )
            more = {
                "solved": _first_proved_turn(game, fought),
                "plausible": _plausible_fractions(game, self.seed),
            }
            result.append(match_to_row(number, fought) | {"choices": list(_recorded_moves), **more})
        return result

    def split(self) -> Iterator[RecordedMatchesJob]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, COMPUTER_MATCHES_PER_JOB)


_recorded_moves: list[list[float]] = []
"""Moves of the current match. The list is global because a match makes its own copies of the players."""
_recorded_views: list[State] = []
"""Views of the current match at the beginning of each turn."""


class _RecordingPlayer(Player):
    def choose(self, game: Game, view: State, *args: Any, **options: Any) -> Choice:
        open_ = game.moves(view, options.get("seat"))
        if view.step == 0:
            _recorded_views.append(view)
        chosen = super().choose(game, view, *args, **options)
        move = next((match for match in open_ if match.text == chosen.move), None)
        value = chosen.analysis.mean if chosen.analysis.iterations else -1.0
        where = [getattr(move, "board", -1), getattr(move, "point", -1)]
        _recorded_moves.append([chosen.analysis.seat, view.turn, len(open_), *where, round(value, 3)])
        return chosen


def _match_seed(seed: int, number: int) -> str:
    return f"{seed}/w{number}"


def _first_proved_turn(game: Game, fought: PlayedMatch) -> int | None:
    """Return the number of the turn from which the solver always knows the result with best play.

    The solver searches the views recorded during the match, one for each turn. Return ``fought.turns`` if it doesn't
    know the result even for the last view. Return None if the match has no result, or if the game can't be solved.
    """
    if fought.winners is None:
        return None
    first = fought.turns
    with suppress(InvalidValueError):
        for view in reversed(_recorded_views):
            if solve_two_player(game, view, max_moves=MAX_PROOF_MOVES)[0] is None:
                return first
            first = int(view.turn)
        return first
    return None


def _plausible_fractions(game: Game, seed: int) -> list[float] | None:
    """Return the fractions of plausible moves at several moments of the recorded match.

    The moments are listed in :data:`MATCH_FRACTIONS`. At each moment, all legal moves that can be evaluated are
    compared; :data:`PLAUSIBLE_VALUE` determines which of them are plausible. A moment is left out if there are fewer
    than three legal moves or more than :data:`COMPARE_SIMULATIONS`, or if no move is better than the mean.

    The result is None if nothing was recorded, if the match isn't between two players, or if the game has chance or
    hidden information.
    """
    facts = game.facts(_recorded_views[0].seats) if _recorded_views else None
    if facts is None or _recorded_views[0].seats != 2 or facts.has_secrets or facts.has_chance:
        return None
    plausible_fractions = []
    for part in MATCH_FRACTIONS:
        view = _recorded_views[int(len(_recorded_views) * part)]
        moves = game.moves(view)
        if 2 < len(moves) <= COMPARE_SIMULATIONS:
            values = [
                value
                for move in moves
                if (value := evaluate_move(game, view, move, COMPARE_SIMULATIONS, seed)) is not None
            ]
            mean, best = sum(values) / max(1, len(values)), max(values, default=0.0)
            if best > mean:
                plausible_fractions.append(
                    round(
                        sum(value >= mean + PLAUSIBLE_VALUE * (best - mean) for value in values)
                        / len(values),
                        3,
                    )
                )
    return plausible_fractions


@dataclass(frozen=True, slots=True)
class UnequalMatchesJob:
    """Job that plays matches in which one player runs twice as many simulations as the others.

    The stronger player takes each seat in turn. The others run ``ways`` simulations per move.
    """

    kind: ClassVar[str] = "doubled"
    table: GameText
    ways: int
    seed: int = 0
    first: int = 0
    count: int = 20

    def run(self) -> list[Row]:
        """Play the matches and return a row for each.

        In each row, "strong" is the seat of the stronger player.
        """
        result, seats = [], self.table.seats
        for number in range(self.first, self.first + self.count):
            strong = number % seats
            seated = [
                Player(simulation_level(self.ways * (1 + (seat == strong))), self.seed * 1000 + seat)
                for seat in range(seats)
            ]
            match = play_match(
                self.table.load_game(), seated, f"{self.seed}/d{number // seats}", OPENING_TURNS, None
            )
            result.append(match_to_row(number, match) | {"strong": strong})
        return result

    def split(self) -> Iterator[UnequalMatchesJob]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, COMPUTER_MATCHES_PER_JOB)


@dataclass(frozen=True, slots=True)
class FirstMovesJob:
    """Job that evaluates the first moves of a game for one or two players.

    It runs ``tries`` simulations after each first move.
    """

    kind: ClassVar[str] = "opening"
    table: GameText
    seed: int = 0
    tries: int = OPENING_SIMULATIONS

    def run(self) -> list[Row]:
        """Evaluate the first moves and return a row for each one that can be evaluated.

        "mean" is the value of the move for the seat that makes it, from 0 to 1. With more than two seats, there are no
        rows.
        """
        game = self.table.load_game()
        start = game.start(self.table.seats, Random(self.seed).getrandbits(30))
        result: list[Row] = []
        if start.to_move is None or self.table.seats > 2:
            return []
        for move in game.moves(start):
            value = evaluate_move(game, start, move, self.tries, self.seed)
            if value is not None:
                where = {"board": getattr(move, "board", -1), "point": getattr(move, "point", -1)}
                result.append({"move": move.text, **where, "mean": round(value, 3)})
        return result


def evaluate_move(game: Game, before: State, move: Move, simulations: int, seed: int) -> float | None:
    """Return the value of a move for the seat that makes it, from 0 to 1.

    Forced moves that follow are played too. The value then comes from the result if the match is over, and from
    ``simulations`` simulations otherwise. Return None if the match isn't over after :data:`MAX_FORCED_MOVES` forced
    moves, or if there are no moves to choose from. There must be one or two seats.
    """
    seat = before.to_move
    state, _ = game.apply(before, move)
    # A player does not search if there is only one legal move.
    for _ in range(MAX_FORCED_MOVES):
        moves = game.moves(state) if state.to_move is not None else []
        if len(moves) != 1:
            break
        state, _events = game.apply(state, moves[0])
    outcome, acts = game.outcome(state), state.to_move
    if outcome is not None:
        return (seat in outcome.winners) / len(outcome.winners) if outcome.winners else 0.5
    if acts is None or len(moves) < 2:
        return None
    player, texts = Player(simulation_level(simulations), seed), [move.text for move in moves]
    value = player.choose(game, game.observe(state, acts), seat=acts, moves=texts).analysis.mean
    return value if acts == seat else 1 - value


def report_jobs(text: GameText, seed: int, count: int, opening: bool = True) -> list[Job]:
    """Return the jobs of a report.

    They play ``count`` recorded matches and about ``count`` matches between unequal players. If mirror play is
    possible, they also play about ``count / 4`` matches with mirror play. If ``opening`` is set, the first moves are
    evaluated too.
    """
    # Round up, so that every opening is played from each seat.
    matches_per_level = -(-max(1, count // len(SKILL_SIMULATIONS)) // text.seats) * text.seats
    uneven = [
        job
        for ways in SKILL_SIMULATIONS
        for job in UnequalMatchesJob(text, ways, seed, count=matches_per_level).split()
    ]
    copies = (
        MirrorMatches(text, SIMULATIONS, seed, count=matches_per_level).split() if can_mirror(text) else ()
    )
    first = [FirstMovesJob(text, seed)] if opening else []
    return [*RecordedMatchesJob(text, seed, count=count).split(), *uneven, *copies, *first]


def make_report(jobs: Sequence[Job], rows: Sequence[Row]) -> dict[str, object]:
    """Return a report as JSON data.

    ``jobs`` is the result of :func:`report_jobs`, and ``rows`` contains the rows of these jobs in the same order.
    """
    left = iter(rows)
    watched: list[Row] = []
    doubled: list[tuple[int, Row]] = []
    copied: list[Row] = []
    for job in jobs:
        if isinstance(job, RecordedMatchesJob):
            watched += islice(left, job.count)
        elif isinstance(job, UnequalMatchesJob):
            doubled += [(job.ways, row) for row in islice(left, job.count)]
        elif isinstance(job, MirrorMatches):
            copied += islice(left, job.count)
    first: Any = jobs[0]
    return compile_report(first.table, first.seed, watched, doubled, list(left), copied)


def compile_report(
    text: GameText,
    seed: int,
    watched: Sequence[Row],
    doubled: Sequence[tuple[int, Row]],
    opening: Sequence[Row],
    copied: Sequence[Row] = (),
) -> dict[str, object]:
    """Return a report as JSON data.

    ``watched`` contains the rows of recorded matches, ``opening`` those of first moves and ``copied`` those of mirror
    play. ``doubled`` contains the rows of unequal matches, each with the number of simulations of the weaker players.
    Each measure has its value, its 95% confidence interval ([None, None] if there is none) and the sample size.
    """
    seats = text.seats
    played = [row_to_match(row) for row in watched]
    ended = [match for match in played if match.winners is not None]
    won = [
        (row, match)
        for row, match in zip(watched, played, strict=True)
        if match.winners and len(match.winners) == 1
    ]
    choices = [choice for row in watched for choice in row["choices"]]
    measures = {
        "length": _mean_measure([match.turns for match in played]),
        # Use one value per match, because the moves of a match are correlated.
        "choices": _mean_measure(
            [_average([choice[2] for choice in row["choices"]]) for row in watched if row["choices"]]
        ),
        "forced": _mean_measure(
            [_average([choice[2] == 1 for choice in row["choices"]]) for row in watched if row["choices"]],
            1.0,
        ),
        "completion": _proportion_measure([float(match.winners is not None) for match in played]),
        "draws": _proportion_measure([float(match.winners == ()) for match in ended]) if seats > 1 else None,
        **{
            f"seat {seat + 1}": _proportion_measure([points_of(match, seat, seats) for match in played])
            for seat in range(seats)
        },
        "drama": _mean_measure([_measure_drama(row, match) for row, match in won], 1.0)
        if seats > 1
        else None,
        "leads": _mean_measure([_count_lead_changes(row["choices"]) for row in watched])
        if seats == 2
        else None,
        "decided": _mean_measure([_measure_decided(row, match) for row, match in won], 1.0)
        if seats > 1
        else None,
        "proved": _mean_measure(
            [1 - row["solved"] / max(1, row["turns"]) for row in watched if row.get("solved") is not None],
            1.0,
        ),
        "plausible": _mean_measure(
            [_average(row["plausible"]) for row in watched if row.get("plausible")], 1.0
        ),
        "mirror": _proportion_measure([points_of(row_to_match(row), 1, seats) for row in copied])
        if copied
        else None,
        "copied": _mean_measure([row["copied"] / row["chosen"] for row in copied if row["chosen"]], 1.0),
    }
    trace = [
        {
            "ways": ways,
            **_proportion_measure(
                [points_of(row_to_match(row), row["strong"], seats) for at, row in doubled if at == ways]
            ),
        }
        for ways in dict.fromkeys(ways for ways, _ in doubled if seats > 1)
    ]
    by_turn: dict[int, list[int]] = {}
    for choice in choices:
        by_turn.setdefault(choice[1], []).append(choice[2])
    used = Counter((choice[3], choice[4]) for choice in choices if choice[4] >= 0)
    return {
        "game": text.id,
        "rules": text.hash,
        "size": text.size,
        "variant": text.variant,
        "seats": seats,
        "seed": seed,
        "measures": {name: measure for name, measure in measures.items() if measure is not None},
        "skill": trace,
        "area": round(sum(match["value"] - 1 / seats for match in trace) / len(trace), 3) if trace else None,
        "by turn": [round(sum(by_turn[turn]) / len(by_turn[turn]), 2) for turn in sorted(by_turn)],
        "coverage": [[board, point, count] for (board, point), count in sorted(used.items())],
        "opening": list(opening),
        "match": _median_match(watched, seed),
    }


def _median_match(watched: Sequence[Row], seed: int) -> dict[str, object] | None:
    """Return the finished match with the median number of turns, or None if no match was finished.

    If two matches are in the middle, the shorter one is returned. In the result, "first seed" is the seed of the
    match's initial state.
    """
    ended = [row for row in watched if row["winners"] is not None]
    ended.sort(key=lambda row: (row["turns"], row["number"]))
    if not ended:
        return None
    one = ended[(len(ended) - 1) // 2]
    match = {name: one[name] for name in ("number", "moves", "turns", "winners")}
    return match | {"first seed": initial_state_seed(_match_seed(seed, one["number"]))}


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _mean_measure(values: Sequence[float], max_value: float = inf) -> dict[str, object] | None:
    """Return the mean of values between 0 and ``max_value``, with its confidence interval and the sample size.

    The interval is the 95% interval by the normal approximation. It is [None, None] if there is only one value. Return
    None if there are no values.
    """
    number = len(values)
    if not number:
        return None
    mean = sum(values) / number
    reach = (
        Z_95 * sqrt(sum((value - mean) ** 2 for value in values) / (number - 1) / number)
        if number > 1
        else None
    )
    reached = None if reach is None else (max(0.0, mean - reach), min(max_value, mean + reach))
    bounds = [None, None] if reached is None else [round(bound, 3) for bound in reached]
    return {"value": round(mean, 3), "interval": bounds, "from": number}


def _proportion_measure(values: Sequence[float]) -> Row:
    proportion = wilson_proportion(values)
    interval = [round(proportion.low, 3), round(proportion.high, 3)]
    return {"value": round(proportion.value, 3), "interval": interval, "from": len(values)}


def _winner_evaluations(row: Row, winner: int, seats: int) -> list[tuple[int, float]]:
    """Return the winner's evaluations in a match as pairs of turn and value.

    With two seats, the loser's evaluations are also included, each as 1 minus its value. Moves that were chosen without
    an evaluation are left out.
    """
    return [
        (turn, value if seat == winner else 1 - value)
        for seat, turn, _, _, _, value in row["choices"]
        if value >= 0 and (seat == winner or seats == 2)
    ]


def _count_seats(row: Row) -> int:
    return len({choice[0] for choice in row["choices"]}) or 1


def _measure_drama(row: Row, match: PlayedMatch) -> float:
    assert match.winners
    behind = [
        max(0.0, 0.5 - value) / 0.5
        for _, value in _winner_evaluations(row, match.winners[0], _count_seats(row))
    ]
    return max(behind, default=0.0)


def _measure_decided(row: Row, match: PlayedMatch) -> float:
    assert match.winners
    at = 1.0
    for turn, value in reversed(_winner_evaluations(row, match.winners[0], _count_seats(row))):
        if value < DECIDED_VALUE:
            break
        at = turn / max(1, match.turns)
    return min(1.0, at)


def _count_lead_changes(choices: Sequence[Sequence[float]]) -> float:
    ahead = [
        (value > 0.5) == (seat == 0) for seat, _, _, _, _, value in choices if value >= 0 and value != 0.5
    ]
    return float(sum(match != other for match, other in pairwise(ahead)))
