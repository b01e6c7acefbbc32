"""What a game meets that can learn by matches against itself."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from shibumi3d.i18n import Message


@runtime_checkable
class Learner(Protocol):
    """A game that can learn by matches against itself, besides being a :class:`.game.Game`. What it knows is a text."""

    lessons: int
    """How many lessons it takes."""
    library: str
    """The folder in which what games have learned is kept; "" for none."""

    def cannot_learn(self, seats: int) -> Message | None:
        """Return why it can't learn in this form; None where it can."""

    def lesson(self, seats: int, known: str, number: int, seed: int = 0) -> str:
        """Return what is known after the lesson of that number, from 0, where ``known`` was known before it.

        It is the same on every machine. Raises ValueError where the game can't learn.
        """

    def judgings(self, seats: int, known: str) -> tuple[str, ...]:
        """Return what is known in each way in which a search may judge by it: which is best is to be found out."""

    def know(self, seats: int, known: str | None) -> None:
        """Judge by what is known from now on, by nothing for "", by what is kept for None.

        Raises ValueError where that is for other rules.
        """

    def known_as(self, seats: int, own: bool = True) -> str:
        """Return the name of the file in which what is known is kept: the user's ``own``, which is another one for
        other rules, or the program's."""

    def left_aside(self, seats: int) -> Message | None:
        """Return why something that was learned is not used; None where all is well."""
