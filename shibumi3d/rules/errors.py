"""Exceptions for illegal moves, rules that fail during play, unknown outcomes and invalid game files.

:class:`ProblemList` collects the problems found in a file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from shibumi3d.i18n import LocalizedError
from shibumi3d.rules.source import Problem

MAX_REPORTED_PROBLEMS = 100
"""Maximum number of problems reported for a file. Parsing stops when it is exceeded."""


class IllegalMove(LocalizedError, ValueError):
    """A move, a draw by agreement or a loss on time is not possible in the current state.

    The message says why, or names the move.
    """


class RuleFailure(LocalizedError, RuntimeError):
    """A rule can't be carried out.

    The message says what failed. The state of the match doesn't change.
    """


class UnknownOutcomeError(Exception):
    """A move can't be played to its end, because what happens next is unknown.

    The outcome depends on chance, on hidden information that a preview must not reveal, or on the next game of a
    series.
    """


class GameFileError(ValueError):
    """A game file is invalid.

    ``problems`` lists all errors found, sorted by their location in the file.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(
            sorted(problems, key=lambda p: (p.location.file, p.location.line, p.location.column))
        )
        super().__init__(self.problems)

    def __str__(self) -> str:
        return self.localize("en")

    def localize(self, lang: str) -> str:
        """Return all problems in the given language, one per line."""
        return "\n".join(problem.localize(lang) for problem in self.problems)


class ProblemList(list[Problem]):
    """The problems found in a file, without duplicates and limited to :data:`MAX_REPORTED_PROBLEMS`.

    The first problem beyond this limit is replaced by one saying that there are too many; any others are dropped.
    Once there are too many, ``append`` raises :class:`GameFileError`, which stops the parser. ``extend``, which adds
    the problems found by another parser, never raises it.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        super().__init__()
        self._seen: set[Problem] = set()
        self += problems

    @property
    def is_full(self) -> bool:
        """Whether more problems were found than can be reported."""
        return len(self) > MAX_REPORTED_PROBLEMS

    def append(self, problem: Problem) -> None:
        """Add a problem, unless it is already in the list.

        Raises GameFileError with the problems in the list if more were found than can be reported.
        """
        self._add(problem)
        if self.is_full:
            raise GameFileError(self)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Add problems in the same way as :meth:`append`, but without raising GameFileError."""
        for problem in problems:
            self._add(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Self:  # type: ignore[misc,override]
        self.extend(problems)
        return self

    def __contains__(self, problem: object) -> bool:
        return problem in self._seen

    def _add(self, problem: Problem) -> None:
        if problem in self._seen or self.is_full:
            return
        if len(self) == MAX_REPORTED_PROBLEMS:
            problem = Problem(
                problem.location,
                "there are more than {most} errors; the rest of the file was not checked",
                most=MAX_REPORTED_PROBLEMS,
            )
        self._seen.add(problem)
        super().append(problem)
