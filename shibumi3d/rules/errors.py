"""What can go wrong with a game: a move that is not open, rules that fail in play, a file that is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from shibumi3d.rules.source import Problem
from shibumi3d.sayings import Told


class IllegalMove(Told, ValueError):
    """The move is not among those offered now. It says which move, and what is asked for."""


class RuleFailure(Told, RuntimeError):
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
        return self.told("en")

    def told(self, lang: str) -> str:
        """Return all mistakes in the language of that code, a line each."""
        return "\n".join(problem.told(lang) for problem in self.problems)
