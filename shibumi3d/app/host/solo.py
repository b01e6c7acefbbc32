"""The ladders of solo games: their deals, the user's attempts at them, and the best runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from shibumi3d.catalogue.solo import SoloDeal, games_with_ladder, load_ladder
from shibumi3d.i18n import _, ngettext
from shibumi3d.match import solo
from shibumi3d.match.attempts import SHOWN, SOLO, Attempt, new_attempt, without_oldest
from shibumi3d.match.sharing import Challenge, ResultToBeat, challenge_key, match_challenge_key
from shibumi3d.rules.errors import GameFileError

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match

    from .problems import ProblemLibrary

LEVEL_RATINGS = {1: 900, 2: 1200, 3: 1500, 4: 1800, 5: 2100}
"""Rating stored with an attempt at a deal, by the deal's level."""
CHALLENGES_KEY = "challenges"
"""Key under which the results to beat are saved, as a mapping from the keys of challenges to results."""


@cache
def ladder_of(game_id: str) -> tuple[SoloDeal, ...]:
    """Return the ladder of a game, sorted by level.

    The result is empty if the game has no ladder that matches its rules, or if the ladder's file has errors.
    """
    try:
        return load_ladder(game_id)
    except GameFileError:
        return ()


class SoloLibrary:
    """The ladders of the solo games, and the attempts at their deals.

    These attempts are stored together with the attempts at problems.
    """

    def __init__(self, problems: ProblemLibrary) -> None:
        self._problems = problems
        self._shown: tuple[Match, SoloDeal, solo.BestRun | None] | None = None
        """Last match for which a deal was found, with that deal and the best run on it at that time."""
        self._without_deal: tuple[Match, int] | None = None
        """Last match for which no deal was found, with its number of plies."""

    def today(self) -> date:
        """Return the current local date."""
        return self._problems.today()

    def find(self, match: Match) -> SoloDeal | None:
        """Return the deal of the game's ladder that is played in a match, or None if there is none."""
        return solo.find_deal(match, ladder_of(match.game.id)) if len(match.seats) == 1 else None

    def best_run(self, match: Match) -> tuple[SoloDeal, solo.BestRun | None] | None:
        """Return the deal of a match and the best earlier run on it, if any; return None if the match has no deal.

        The result is cached for one match, so calling this for every frame is cheap.
        """
        if self._shown is not None and self._shown[0] is match:
            return self._shown[1:]
        plies = len(match.plies)
        if (
            self._without_deal is not None
            and self._without_deal[0] is match
            and self._without_deal[1] == plies
        ):
            return None
        deal = self.find(match)
        if deal is None:
            self._without_deal = match, plies
            return None
        self._shown = match, deal, self.runs(match.game.id).get(deal.name)
        return self._shown[1:]

    def lead_of(self, match: Match) -> int:
        """Return the number of lead-in moves of a match's deal, or 0 if the match has no deal."""
        best_run = self.best_run(match)
        return len(best_run[0].lead) if best_run is not None else 0

    def best_score(self, match: Match, entry: Entry) -> int | None:
        """Return the best possible score on the deal of a solo match or, if the match has no deal, in the game.

        Returns None if the score isn't known, if the match has several seats, or if it has no deal and began with an
        edited position. Like :meth:`best_run`, this is cheap enough to call for every frame.
        """
        if len(match.seats) != 1:
            return None
        best_run = self.best_run(match)
        if best_run is not None:
            return best_run[0].best
        if match.position is not None:
            return None
        return entry.with_variant(match.game.variant).best.get(match.game.size)

    def next_best_move(self, match: Match) -> str:
        """Return the next move of the best run on a match's deal.

        Returns "" if there is no best run, if the match has departed from it, or if all moves of the run have been
        made.
        """
        best_run = self.best_run(match)
        deal, run = best_run if best_run is not None else (None, None)
        if deal is None or run is None:
            return ""
        moves_made = tuple(ply.move for ply in match.plies[len(deal.lead) :])
        following = run.moves[len(moves_made) : len(moves_made) + 1]
        return following[0] if following and run.moves[: len(moves_made)] == moves_made else ""

    def attempts(self, game_id: str) -> tuple[Attempt, ...]:
        """Return all attempts at the deals of a game, in the order in which they ended."""
        return tuple(
            attempt
            for attempt in self._problems.attempts()
            if attempt.mode == SOLO and attempt.game == game_id
        )

    def runs(self, game_id: str) -> Mapping[str, solo.BestRun]:
        """Return the best runs on the deals of a game, by deal name."""
        saved = self._problems.load_progress(_progress_key(game_id))
        best_runs = {name: solo.BestRun.from_json(data) for name, data in saved.items()}
        return {name: run for name, run in best_runs.items() if run is not None}

    def stars(self, game_id: str) -> Mapping[str, tuple[bool, ...]]:
        """Return which stars have been earned on each deal of a game, by deal name; see :func:`.earned_stars`."""
        attempts: dict[str, list[Attempt]] = {}
        for attempt in self.attempts(game_id):
            attempts.setdefault(attempt.problem, []).append(attempt)
        runs = self.runs(game_id)
        return {
            deal.name: solo.earned_stars(deal, attempts.get(deal.name, ()), runs.get(deal.name))
            for deal in ladder_of(game_id)
        }

    def statistics(self, game_id: str) -> Mapping[int, solo.LevelStatistics]:
        """Return the statistics of a game's ladder, by level."""
        return solo.level_statistics(ladder_of(game_id), self.attempts(game_id))

    def count_solved(self, game_id: str) -> int:
        """Return how many deals of a game have been solved."""
        return sum(level.solved_deals for level in self.statistics(game_id).values())

    def next_deal(self, game_id: str, after: str = "") -> SoloDeal | None:
        """Return the next unsolved deal of a game's ladder after the deal named ``after``.

        If ``after`` is empty, start from the beginning of the ladder. If all deals are solved, simply return the next
        one; see :func:`.next_deal`. Returns None if the game has no ladder.
        """
        return solo.next_deal(ladder_of(game_id), self.attempts(game_id), after)

    def daily_deal(self, game_id: str) -> SoloDeal | None:
        """Return today's deal of a game, or None if the game has no ladder."""
        return solo.daily_deal(ladder_of(game_id), self.today())

    def record_match(self, match: Match, key: str, seconds: float | None) -> SoloDeal | None:
        """Store a finished match as an attempt at its deal; return the deal, or None if the match has none.

        A successful run is also stored as the best run on the deal if it is better than all earlier ones and the
        solution wasn't shown. If storing is turned off, nothing is stored.

        ``key`` identifies the match: if it ends again after moves were undone, the new attempt replaces the old one.
        ``seconds`` is how long the match took, or None if that isn't known.
        """
        deal = self.find(match)
        if deal is None or not self._problems.stores_attempts:
            return deal
        outcome = solo.outcome_of_match(match)
        attempt = new_attempt(
            deal.name,
            LEVEL_RATINGS[deal.level],
            SOLO,
            outcome,
            len({ply.turn for ply in match.plies[len(deal.lead) :]}),
            seconds or 0.0,
            now=self._problems.now(),
        )
        self._problems.replace_attempt(replace(attempt, key=f"{SOLO} {key}"))
        run = solo.run_of_match(match, deal, seconds)
        runs = dict(self.runs(match.game.id))
        if outcome != SHOWN and run is not None and run.is_better_than(runs.get(deal.name)):
            runs[deal.name] = run
            self._problems.save_progress(
                _progress_key(match.game.id), {name: each.to_json() for name, each in runs.items()}
            )
        return deal

    def save_challenge(self, challenge: Challenge) -> None:
        """Save a challenge that the user has accepted, in place of any earlier one for the same deal.

        If there are too many challenges, the oldest are deleted.
        """
        saved = self._problems.load_progress(CHALLENGES_KEY)
        key = challenge_key(challenge.record)
        saved.pop(key, None)
        self._problems.save_progress(
            CHALLENGES_KEY, without_oldest({**saved, key: challenge.result.to_json()})
        )

    def result_to_beat(self, match: Match) -> ResultToBeat | None:
        """Return the result that the user was challenged to beat in this match, or None if there is none."""
        saved = self._problems.load_progress(CHALLENGES_KEY) if len(match.seats) == 1 else {}
        if not saved:
            return None
        deal = self.find(match)
        for lead in {match.undo_limit, len(deal.lead) if deal is not None else 0}:
            result = ResultToBeat.from_json(saved.get(match_challenge_key(match, lead)))
            if result is not None:
                return result
        return None

    def delete_runs(self) -> None:
        """Delete the saved best run of every deal."""
        for name in games_with_ladder():
            self._problems.delete_progress(_progress_key(name))


def describe_challenge(result: ResultToBeat) -> str:
    """Return a text that challenges the user to beat a result."""
    if result.score is not None:
        return _("{name} scored {n} on this deal. Can you beat that?", name=result.name, n=result.score)
    if result.has_won:
        return ngettext(
            "{name} won this deal in {n} turn. Can you win it, too?",
            "{name} won this deal in {n} turns. Can you win it, too?",
            result.turns,
            name=result.name,
        )
    return _("{name} lost this deal. Can you win it?", name=result.name)


def describe_result_to_beat(result: ResultToBeat) -> str:
    """Return a short description of the result to beat, to be shown beside the user's own result."""
    if result.score is not None:
        return _("{name}: {n}.", name=result.name, n=result.score)
    if result.has_won:
        return ngettext("{name} won in {n} turn", "{name} won in {n} turns", result.turns, name=result.name)
    return _("{name} lost", name=result.name)


def numbers_within_level(ladder: Sequence[SoloDeal]) -> Mapping[str, int]:
    """Return a mapping from the name of each deal to its number within its level, counted from 1."""
    counts: dict[int, int] = {}
    numbers = {}
    for deal in ladder:
        counts[deal.level] = numbers[deal.name] = counts.get(deal.level, 0) + 1
    return numbers


def _progress_key(game_id: str) -> str:
    return f"{SOLO} {game_id}"
