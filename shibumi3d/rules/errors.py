"""What can go wrong with a game: a move that is not open, rules that fail in play, a file that is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from shibumi3d.i18n import LocalizedError
from shibumi3d.rules.source import Problem

MOST_PROBLEMS = 100
"""How many mistakes of a file are listed; after so many, reading it stops."""


class IllegalMove(LocalizedError, ValueError):
    """The move is not among those offered now. It says which move, and what is asked for."""


class RuleFailure(LocalizedError, RuntimeError):
    """A rule can't be carried out in play. It says what failed; the match stays as it was."""


class Unforeseen(Exception):
    """Chance, a reveal, another game of a series or something hidden decides what comes next: a choice made in
    thought goes no further."""


class GameFileError(ValueError):
    """A game file is wrong. ``problems`` holds every mistake found, in the order of their places."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.mark.file, p.mark.line, p.mark.column)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return self.localize("en")

    def localize(self, lang: str) -> str:
        """Return all mistakes in the language of that code, a line each."""
        return "\n".join(problem.localize(lang) for problem in self.problems)


class Problems(list[Problem]):
    """The mistakes of a file, each once, and at most :data:`MOST_PROBLEMS` of them.

    Noting one more with ``append`` raises :class:`GameFileError`, so that no reader goes on through a file that is
    nothing but mistakes. Those that another reader found are joined as far as there is room.
    """

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        super().__init__()
        self._seen: set[Problem] = set()
        self += problems

    @property
    def full(self) -> bool:
        """Whether there is no room for another mistake."""
        return len(self) > MOST_PROBLEMS

    def append(self, problem: Problem) -> None:
        """Note a mistake. Raises GameFileError with all of them once there are too many."""
        self._note(problem)
        if self.full:
            raise GameFileError(self)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Note the mistakes that another reader found, as far as there is room."""
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
                "there are more than {most} mistakes; the rest of the file was not checked",
                most=MOST_PROBLEMS,
            )
        self._seen.add(problem)
        super().append(problem)
