"""Solo games on the deals of a ladder: the deal of a match, its outcome, best runs, statistics and daily deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from hashlib import blake2b
from typing import NamedTuple

from shibumi3d.catalogue.notation import format_turns, parse_turns
from shibumi3d.catalogue.solo import SoloDeal
from shibumi3d.match.attempts import FAILED, HINTED, SHOWN, SOLVED, Attempt
from shibumi3d.match.database import is_valid_count
from shibumi3d.match.history import moves_by_turn
from shibumi3d.match.match import Match

_FIRST_DATE = date(2026, 1, 1)
"""Date on which the cycle of daily deals starts."""
MAX_SECONDS = 1e9
"""Maximum plausible time of a saved run, in seconds."""


class BestRun(NamedTuple):
    """A successful run on a deal. Only the best run on each deal is stored.

    ``score`` is 0 in games that can only be won or lost. ``turns`` holds the moves, grouped by turn. ``seconds`` is the
    time taken, or None if unknown, and ``hints`` the number of hints given.
    """

    score: int
    turns: tuple[tuple[str, ...], ...]
    seconds: float | None
    hints: int = 0

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the run, in order."""
        return tuple(move for turn in self.turns for move in turn)

    def is_better_than(self, other: BestRun | None) -> bool:
        """Return whether this run is better than ``other``.

        Any run is better than None. Otherwise, the run with the higher score is better; if the scores are equal, the
        one with fewer hints, then the one with fewer turns, and then the one with the shorter time.
        """
        return other is None or self._sort_key() > other._sort_key()

    def _sort_key(self) -> tuple[float, ...]:
        seconds = float("inf") if self.seconds is None else self.seconds
        return self.score, -self.hints, -len(self.turns), -seconds

    def to_json(self) -> dict[str, object]:
        """Convert the run to JSON data."""
        return {
            "score": self.score,
            "turns": format_turns(self.turns),
            "seconds": self.seconds,
            "hints": self.hints,
        }

    @classmethod
    def from_json(cls, data: object) -> BestRun | None:
        """Convert JSON data to a run; return None if the data is invalid. An invalid time counts as unknown."""
        if not isinstance(data, dict):
            return None
        score, turns, hints = data.get("score"), data.get("turns"), data.get("hints")
        seconds = data.get("seconds")
        if not (isinstance(score, int) and isinstance(turns, str) and isinstance(hints, int)):
            return None
        if not (is_valid_count(abs(score)) and is_valid_count(hints)):
            return None
        time = None
        if isinstance(seconds, int | float) and 0 <= seconds <= MAX_SECONDS:
            time = float(seconds)
        try:
            return cls(score, parse_turns(turns), time, hints)
        except ValueError:
            return None


class LevelStatistics(NamedTuple):
    """Statistics of a level of a ladder.

    ``solved_deals`` is the number of different deals solved. ``played`` is the number of attempts, and ``won`` how many
    of them succeeded. ``streak`` is the current streak of successful attempts, and ``longest_streak`` the longest one.
    """

    solved_deals: int = 0
    played: int = 0
    won: int = 0
    streak: int = 0
    longest_streak: int = 0


def find_deal(match: Match, ladder: Sequence[SoloDeal]) -> SoloDeal | None:
    """Return the deal in ``ladder`` on which a match is played, or None if there is none.

    If the match isn't a solo match, is played by a computer or has a ``Match.deal``, the result is None. A deal fits if
    it has the same variant, size and position as the match, and the match begins with the moves in the deal's ``lead``.
    In games with chance, the seeds must also be equal. If several deals fit, the one with the longest ``lead`` is
    returned.
    """
    if len(match.seats) != 1 or match.deal or match.is_computer_seat(0):
        return None
    game = match.game
    has_chance, usual_size = game.facts(1).has_chance, next(iter(game.meta["sizes"]), 0)
    moves = tuple(ply.move for ply in match.plies)
    found = []
    for deal in ladder:
        is_same_form = deal.variant == game.variant and (deal.size or usual_size) == game.size
        is_same_start = deal.position == match.position and moves[: len(deal.lead)] == deal.lead
        # Where nothing is random, the seed makes no difference.
        if is_same_form and is_same_start and (deal.seed == match.seed or not has_chance):
            found.append(deal)
    return max(found, key=lambda deal: len(deal.lead), default=None)


def outcome_of_match(match: Match) -> str:
    """Return the outcome of a finished solo match, as one of :data:`.attempts.OUTCOMES`."""
    result = match.state.result
    if match.is_solution_shown:
        return SHOWN
    if result is None or not result.winners:
        return FAILED
    return HINTED if match.hints and match.hints[0] else SOLVED


def run_of_match(match: Match, deal: SoloDeal, seconds: float | None) -> BestRun | None:
    """Return a finished match as a run on its deal, or None if it was lost or its solution was shown.

    ``seconds`` is the time taken, or None if unknown.
    """
    if outcome_of_match(match) not in (SOLVED, HINTED):
        return None
    result = match.state.result
    assert result is not None
    score = result.scores[0] if deal.best is not None else 0
    turns = moves_by_turn(match.plies[len(deal.lead) :])
    return BestRun(score, turns, seconds, match.hints[0] if match.hints else 0)


def earned_stars(deal: SoloDeal, attempts: Iterable[Attempt], run: BestRun | None) -> tuple[bool, ...]:
    """Return which stars of a deal have been earned.

    There is a star for solving the deal, one for solving it without hints and, in games played for a score, one for
    reaching the highest possible score. The result is in this order. ``run`` is the player's best run on the deal, or
    None.
    """
    outcomes = {attempt.outcome for attempt in attempts if attempt.problem == deal.name}
    stars = bool(outcomes & {SOLVED, HINTED}), SOLVED in outcomes
    return stars if deal.best is None else (*stars, run is not None and run.score >= deal.best)


def level_statistics(
    ladder: Sequence[SoloDeal], attempts: Iterable[Attempt]
) -> Mapping[int, LevelStatistics]:
    """Return the statistics of each level; ``attempts`` must be sorted by end time."""
    levels = {deal.name: deal.level for deal in ladder}
    found = dict.fromkeys(sorted(set(levels.values())), LevelStatistics())
    solved: set[str] = set()
    for attempt in attempts:
        level = levels.get(attempt.problem)
        if level is None:
            continue
        before = found[level]
        streak = before.streak + 1 if attempt.is_solved else 0
        is_new = attempt.is_solved and attempt.problem not in solved
        solved |= {attempt.problem} if attempt.is_solved else set()
        found[level] = LevelStatistics(
            before.solved_deals + is_new,
            before.played + 1,
            before.won + attempt.is_solved,
            streak,
            max(before.longest_streak, streak),
        )
    return found


def next_deal(ladder: Sequence[SoloDeal], attempts: Iterable[Attempt], after: str = "") -> SoloDeal | None:
    """Return the next unsolved deal after the one named ``after``, wrapping around at the end of the ladder.

    If no deal has that name, start from the beginning. If all deals are solved, simply return the next one. Return None
    only for an empty ladder.
    """
    solved = {attempt.problem for attempt in attempts if attempt.is_solved}
    names = [deal.name for deal in ladder]
    place = names.index(after) + 1 if after in names else 0
    behind = [*ladder[place:], *ladder[:place]]
    return next((deal for deal in behind if deal.name not in solved), behind[0] if behind else None)


def daily_deal(ladder: Sequence[SoloDeal], day: date) -> SoloDeal | None:
    """Return the deal of a day, or None for an empty ladder.

    It is the same on every machine: the days cycle through the ladder in a fixed shuffled order.
    """
    ordered = sorted(ladder, key=lambda deal: blake2b(deal.name.encode(), digest_size=8).digest())
    return ordered[(day - _FIRST_DATE).days % len(ordered)] if ordered else None
