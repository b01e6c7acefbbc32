"""Results of finished matches (one database row each), and statistics about them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from shibumi3d.i18n import InvalidValueError
from shibumi3d.match.database import MATCH_COLUMNS, Database, is_valid_count
from shibumi3d.match.history import PERSON
from shibumi3d.match.match import Match

MAX_ROWS = 100_000
"""Maximum number of matches that are read; older ones are ignored."""
MAX_TEXT_LENGTH = 1 << 16
"""Maximum length of a text in a row, in characters."""
MAX_NAME_LENGTH = 1000
"""Maximum length of a stored name in characters; longer names are truncated."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """Summary of a finished match.

    ``key`` identifies the match permanently. ``seconds`` is its duration, or None if unknown. ``hints`` is the number
    of hints given to the player in :attr:`own_seat`, for whom statistics are kept. ``is_solution_shown`` is set if the
    program played the solution of a puzzle. ``is_common_loss`` is set if all players lost together; it isn't stored.
    """

    key: str
    ended_at: datetime
    game: str
    variant: str
    size: int
    names: tuple[str, ...]
    player_types: tuple[str, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    turns: int
    seconds: float | None = None
    hints: int = 0
    is_solution_shown: bool = False
    is_common_loss: bool = False

    @property
    def own_seat(self) -> int:
        """Seat for which statistics are kept: the first with a person, or -1 if only computers play."""
        return next((seat for seat, kind in enumerate(self.player_types) if kind == PERSON), -1)

    @property
    def opponents(self) -> tuple[str, ...]:
        """Players in the other seats: the names of people and the player types of computers."""
        pairs = enumerate(zip(self.names, self.player_types, strict=True))
        return tuple(
            name if kind == PERSON else kind for seat, (name, kind) in pairs if seat != self.own_seat
        )

    @property
    def points(self) -> float:
        """Points for :attr:`own_seat`: 1 for a win, 0.5 for a draw, 0 for a loss."""
        if not self.winners and len(self.names) > 1 and not self.is_common_loss:
            return 0.5
        return float(self.own_seat in self.winners)


class Statistics(NamedTuple):
    """Statistics of a player's matches.

    ``streak`` is the current winning streak, and ``longest_streak`` the longest one. ``best_score`` is the player's
    highest score, ``fewest_turns`` the fewest turns of any win, and ``fastest_win_seconds`` the shortest time of any
    win; each is None if no match provides a value. ``solutions_shown`` is the number of matches in which the solution
    of a puzzle was shown. These matches count in ``played`` and end a streak, but they are neither won nor lost, and
    their scores are ignored. ``won_with_hints`` is the number of wins with hints.
    """

    played: int
    won: int
    drawn: int
    streak: int
    longest_streak: int
    best_score: int | None
    fewest_turns: int | None
    fastest_win_seconds: float | None
    solutions_shown: int = 0
    won_with_hints: int = 0

    @property
    def lost(self) -> int:
        """Number of lost matches."""
        return self.played - self.won - self.drawn - self.solutions_shown


def compute_statistics(matches: Sequence[FinishedMatch]) -> Statistics:
    """Return the statistics of ``matches``, which must be sorted by end time."""
    streak = longest = 0
    for match in matches:
        # A puzzle whose solution was shown isn't won: it ends the streak.
        streak = streak + 1 if match.points == 1 and not match.is_solution_shown else 0
        longest = max(longest, streak)
    own = [match for match in matches if not match.is_solution_shown]
    won = [match for match in own if match.points == 1]
    times = [match.seconds for match in won if match.seconds is not None]
    return Statistics(
        len(matches),
        len(won),
        sum(match.points == 0.5 for match in own),
        streak,
        longest,
        max((match.scores[match.own_seat] for match in own if match.scores), default=None),
        min((match.turns for match in won), default=None),
        min(times, default=None),
        len(matches) - len(own),
        sum(match.hints > 0 for match in won),
    )


def summarize_finished(
    match: Match, key: str, seconds: float | None = None, now: datetime | None = None
) -> FinishedMatch:
    """Return a summary of a finished match.

    ``key`` identifies the match permanently. ``seconds`` is the duration of the match, or None if unknown. ``now`` is
    the time when the match ended, by default the current time. Raises ValueError if the match isn't over.
    """
    outcome = match.game.outcome(match.state)
    if outcome is None:
        raise InvalidValueError("the match is not over")
    turns = match.plies[-1].turn + 1 if match.plies else 0
    me = next((seat for seat, kind in enumerate(match.player_types) if kind == PERSON), -1)
    return FinishedMatch(
        key,
        now or datetime.now(UTC),
        match.game.id,
        match.game.variant,
        match.game.size,
        tuple(seat.name for seat in match.seats),
        match.player_types,
        outcome.winners,
        outcome.scores,
        turns,
        seconds,
        match.hints[me] if me >= 0 else 0,
        match.is_solution_shown,
    )


class ResultStore(Database):
    """The finished matches in the database."""

    skipped_rows = 0
    """Number of invalid rows that the last call of :meth:`load` skipped."""

    def add(self, match: FinishedMatch) -> bool:
        """Store a match, replacing any stored match that has the same key; return whether that succeeded."""
        return self.replace_row("finished", MATCH_COLUMNS, to_row(match))

    def load(self, game: str = "") -> tuple[FinishedMatch, ...]:
        """Return the stored matches, or only those of ``game`` if it is given, in the order in which they ended.

        Only the latest :data:`MAX_ROWS` rows are read. Invalid rows are skipped, and their number is stored in
        :attr:`skipped_rows`.
        """
        where, values = ("WHERE game = ?", (game,)) if game else ("", ())
        rows = self.query(
            f"SELECT {', '.join(MATCH_COLUMNS)} FROM finished {where} ORDER BY ended DESC, key DESC LIMIT {MAX_ROWS}",
            values,
        )
        found = [result for row in rows if (result := from_row(row)) is not None]
        self.skipped_rows = len(rows) - len(found)
        return tuple(sorted(found, key=lambda result: (result.ended_at, result.key)))

    def delete_all(self) -> bool:
        """Permanently delete all finished matches from the database; return whether that succeeded."""
        return self.execute_delete("DELETE FROM finished")


def to_row(match: FinishedMatch) -> tuple[object, ...]:
    """Convert a match to a database row."""
    return (
        match.key,
        match.ended_at.astimezone(UTC).isoformat(timespec="milliseconds"),
        match.game,
        match.variant,
        match.size,
        json.dumps([name[:MAX_NAME_LENGTH] for name in match.names]),
        json.dumps(match.player_types),
        json.dumps(match.winners),
        json.dumps(match.scores),
        match.turns,
        match.seconds,
        match.hints,
        int(match.is_solution_shown),
    )


def from_row(row: Sequence[Any]) -> FinishedMatch | None:
    """Convert a database row to a match; return None if the row is invalid."""
    key, ended, game, variant, size, names, kinds, winners, scores, turns, seconds, hints, shown = row
    texts = key, ended, game, variant, names, kinds, winners, scores
    if not all(isinstance(text, str) and len(text) <= MAX_TEXT_LENGTH for text in texts):
        return None
    try:
        day = datetime.fromisoformat(ended)
        lists = [json.loads(text) for text in (names, kinds, winners, scores)]
    except (ValueError, RecursionError):
        return None
    seats = len(lists[0]) if isinstance(lists[0], list) else 0
    if not (
        day.utcoffset() is not None
        and all(isinstance(result, list) for result in lists)
        and all(isinstance(text, str) for text in (*lists[0], *lists[1]))
        and all(map(is_valid_count, (size, turns, hints)))
        and shown in (0, 1)
        and all(is_valid_count(seat) and seat < seats for seat in lists[2])
        and all(is_valid_count(abs(score)) if type(score) is int else False for score in lists[3])
        and 0 < seats == len(lists[1])
        and len(lists[3]) in (0, seats)
        and (
            seconds is None or (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0)
        )
    ):
        return None
    seat_names, player_types, won, scored = map(tuple, lists)
    return FinishedMatch(
        key,
        day,
        game,
        variant,
        size,
        seat_names,
        player_types,
        won,
        scored,
        turns,
        seconds,
        hints,
        bool(shown),
    )
