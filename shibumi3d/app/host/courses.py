"""Sequences of problems: daily problems, problems of one game, received problems, streaks, and positions to judge.

The user can leave such a sequence, called a course, and resume it later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import blake2b
from typing import Any

from shibumi3d.match.attempts import (
    DAILY,
    GAME,
    GUESS,
    STREAK,
    STREAK_MAX_MISSES,
    attempts_of_day,
    solved_problems,
)

from .problems import ProblemLibrary, builtin_problems, problems_of_game

STREAK_RATING_STEP = 40
"""Amount by which the target rating rises from one problem of a streak to the next."""
OWN_PROBLEM_INTERVAL = 3
"""Interval between the user's own problems in a streak.

Every third problem is one of them, as long as any are left.
"""


class ProblemCourse:
    """A sequence of problems.

    ``current_name`` is the name of the current problem; it is empty if there is none.
    """

    mode = GAME
    asks_whether_winnable = False
    """Whether the task is to decide if there is a win, rather than to find the solution."""
    day: date | None = None
    total_steps = 0
    """Number of problems, if the course is short enough to show its progress; otherwise 0."""

    def __init__(self, problems: ProblemLibrary) -> None:
        self.problems = problems
        self.current_name = ""

    @property
    def solved_steps(self) -> int:
        """Number of problems solved so far; meaningful only if :attr:`total_steps` isn't 0."""
        return 0

    @property
    def progress_key(self) -> str:
        """Key under which progress is saved."""
        return self.mode

    def advance(self) -> None:
        """Advance to the next problem."""
        raise NotImplementedError

    def record_result(self, is_solved: bool) -> None:
        """Record that the current problem is over; ``is_solved`` says whether it was solved without a mistake."""

    def progress(self) -> dict[str, object]:
        """Return the state of the course, to be saved with the progress on its current problem."""
        return {"at": self.current_name}

    def save_progress(self, attempt: Mapping[str, object]) -> None:
        """Save the state of the course and the progress on its current problem."""
        self.problems.save_progress(self.progress_key, {**self.progress(), "solving": dict(attempt)})

    def saved_attempt(self) -> dict[str, Any]:
        """Return the saved progress on the current problem, or an empty dictionary if there is none."""
        progress = self.problems.load_progress(self.progress_key)
        solving = progress.get("solving")
        return solving if progress.get("at") == self.current_name and isinstance(solving, dict) else {}

    def delete_progress(self) -> None:
        """Delete the saved progress."""
        self.problems.delete_progress(self.progress_key)


class DailyCourse(ProblemCourse):
    """The daily problems for one day.

    The course begins with ``start_at`` if that is given, otherwise with the first problem that hasn't been tried. If
    all have been tried, it begins with the first of them. After the first problem, the course skips those that have
    been tried.
    """

    mode = DAILY

    def __init__(self, problems: ProblemLibrary, day: date, start_at: str = "") -> None:
        super().__init__(problems)
        self.day = day
        self.names = problems.daily_names(day)
        self.current_name = start_at or self._next_untried() or next(iter(self.names), "")

    @property
    def progress_key(self) -> str:
        return f"{DAILY} {self.day}"

    def _next_untried(self) -> str:
        assert self.day is not None
        pairs = zip(self.names, attempts_of_day(self.problems.attempts(), self.day, self.names), strict=True)
        return next((name for name, attempt in pairs if attempt is None and name != self.current_name), "")

    def advance(self) -> None:
        self.current_name = self._next_untried()


class GameCourse(ProblemCourse):
    """The unsolved problems of a game, from easy to hard.

    The course begins with ``start_at`` or, by default, with the problem at which the user left off. If there is no such
    problem, it begins with the easiest unsolved problem or, if all have been solved, with the easiest one. If
    ``max_problems`` isn't 0, the course is limited to the game's ``max_problems`` easiest problems, whether solved or
    not.
    """

    def __init__(
        self, problems: ProblemLibrary, game: str, start_at: str = "", max_problems: int = 0
    ) -> None:
        super().__init__(problems)
        self.game = game
        self.names = [head.name for head in problems_of_game(game)]
        if max_problems:
            del self.names[max_problems:]
            self.total_steps = len(self.names)
        before = problems.load_progress(self.progress_key).get("at")
        self.current_name = start_at or (before if before in self.names else "")
        if not self.current_name:
            self.advance()
            self.current_name = self.current_name or next(iter(self.names), "")

    @property
    def progress_key(self) -> str:
        return f"{GAME} {self.game}"

    @property
    def solved_steps(self) -> int:
        return len(solved_problems(self.problems.attempts(), self.game) & {*self.names})

    def advance(self) -> None:
        solved_names = solved_problems(self.problems.attempts(), self.game)
        start = self.names.index(self.current_name) + 1 if self.current_name in self.names else 0
        after = [*self.names[start:], *self.names[:start]]
        self.current_name = next(
            (name for name in after if name not in solved_names and name != self.current_name), ""
        )


class ReceivedCourse(ProblemCourse):
    """Problems from a file or from another player, in the order of ``names``, which must not be empty."""

    def __init__(self, problems: ProblemLibrary, names: Sequence[str]) -> None:
        super().__init__(problems)
        self.names = list(names)
        self.current_name = self.names[0]

    @property
    def progress_key(self) -> str:
        return f"{GAME} {self.names[0]}"

    def advance(self) -> None:
        index = self.names.index(self.current_name) + 1
        self.current_name = self.names[index] if index < len(self.names) else ""


class StreakCourse(ProblemCourse):
    """Course of increasingly hard problems that ends once the user has missed three.

    The user's own problems are mixed in, whatever their difficulty.
    """

    mode = STREAK

    def __init__(self, problems: ProblemLibrary) -> None:
        super().__init__(problems)
        progress = problems.load_progress(self.progress_key)
        played = progress.get("had")
        self.played_names = [str(name) for name in played] if isinstance(played, list) else []
        missed, seed = progress.get("missed"), progress.get("seed")
        self.missed_count = missed if isinstance(missed, int) and 0 <= missed < STREAK_MAX_MISSES else 0
        self.seed = seed if isinstance(seed, int) else len(problems.attempts())
        saved_name = str(progress.get("at", ""))
        self.current_name = saved_name if saved_name and problems.find(saved_name) is not None else ""
        if not self.current_name:
            self.advance()

    @property
    def is_over(self) -> bool:
        """Whether the maximum number of misses has been reached."""
        return self.missed_count >= STREAK_MAX_MISSES

    @property
    def solved_count(self) -> int:
        return len(self.played_names) - self.missed_count

    def advance(self) -> None:
        if self.current_name and self.current_name not in self.played_names:
            self.played_names.append(self.current_name)
        self.current_name = "" if self.is_over else self._choose_next()

    def record_result(self, is_solved: bool) -> None:
        self.missed_count += not is_solved

    def _choose_next(self) -> str:
        played_count = len(self.played_names)
        unplayed_own = [name for name in self.problems.own_problems() if name not in self.played_names]
        own = [name for name in unplayed_own if self.problems.find(name) is not None]
        if own and played_count % OWN_PROBLEM_INTERVAL == OWN_PROBLEM_INTERVAL - 1:
            return min(own, key=self._shuffle_key)
        unplayed = [head for head in builtin_problems() if head.name not in self.played_names]
        if not unplayed:
            return min(own, key=self._shuffle_key, default="")
        target_rating = min(head.rating for head in builtin_problems()) + STREAK_RATING_STEP * played_count
        return min(
            unplayed, key=lambda head: (abs(head.rating - target_rating), self._shuffle_key(head.name))
        ).name

    def _shuffle_key(self, name: str) -> bytes:
        return blake2b(f"{self.seed} {name}".encode(), digest_size=8).digest()

    def progress(self) -> dict[str, object]:
        return {
            "at": self.current_name,
            "had": self.played_names,
            "missed": self.missed_count,
            "seed": self.seed,
        }


class WinnabilityCourse(ProblemCourse):
    """Course in which the user must decide for each built-in problem whether there is a win.

    The problems come in a fixed shuffled order, which repeats.
    """

    mode = GUESS
    asks_whether_winnable = True

    def __init__(self, problems: ProblemLibrary) -> None:
        super().__init__(problems)
        number = problems.load_progress(self.progress_key).get("number")
        self.number = number if isinstance(number, int) and number >= 0 else 0
        self._update_current()

    def _update_current(self) -> None:
        names = sorted(
            (head.name for head in builtin_problems()), key=lambda name: blake2b(name.encode()).digest()
        )
        self.current_name = names[self.number % len(names)] if names else ""

    def advance(self) -> None:
        self.number += 1
        self._update_current()

    def progress(self) -> dict[str, object]:
        return {"at": self.current_name, "number": self.number}
