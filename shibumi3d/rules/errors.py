"""Errors of games: illegal moves, rules that fail in play, and invalid game files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from shibumi3d.i18n import LocalizedError
from shibumi3d.rules.source import Problem

MOST_PROBLEMS = 100
"""The maximum number of problems listed for a file; reading stops after that."""


class IllegalMove(LocalizedError, ValueError):
    """The move is not legal now. The message names the move and what is asked for."""


class RuleFailure(LocalizedError, RuntimeError):
    """A rule can't be carried out. The message says what failed; the match stays unchanged."""


class Unforeseen(Exception):
    """A preview can't continue past a move, because what follows is not yet known.

    It depends on chance, a reveal, the next game of a series or hidden information.
    """


class GameFileError(ValueError):
    """A game file is invalid. ``problems`` holds all errors found, sorted by location."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.mark.file, p.mark.line, p.mark.column)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return self.localize("en")

    def localize(self, lang: str) -> str:
        """Return all problems in the given language, one per line."""
        return "\n".join(problem.localize(lang) for problem in self.problems)


class Problems(list[Problem]):
    """The problems of a file, without duplicates, limited to :data:`MOST_PROBLEMS`.

    Appending one more raises :class:`GameFileError`, so that reading stops in a file full of errors. Problems found by
    another reader are added with ``extend`` while there is room.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        super().__init__()
        self._seen: set[Problem] = set()
        self += problems

    @property
    def full(self) -> bool:
        """Whether there is no room for another problem."""
        return len(self) > MOST_PROBLEMS

    def append(self, problem: Problem) -> None:
        """Add a problem. Raises GameFileError with all problems once there are too many."""
        self._note(problem)
        if self.full:
            raise GameFileError(self)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Add the problems found by another reader while there is room."""
        for problem in problems:
            self._note(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Self:  # type: ignore[misc,override]
        self.extend(problems)
        return self

    def __contains__(self, problem: object) -> bool:
        return problem in self._seen

    def _note(self, problem: Problem) -> None:
        if problem in self._seen or self.full:
            return
        if len(self) == MOST_PROBLEMS:
            problem = Problem(
                problem.mark,
                "there are more than {most} errors; the rest of the file was not checked",
                most=MOST_PROBLEMS,
            )
        self._seen.add(problem)
        super().append(problem)
