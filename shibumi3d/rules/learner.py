"""The interface of games that can learn by self-play."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from shibumi3d.i18n import Message


@runtime_checkable
class Learner(Protocol):
    """A :class:`.game.Game` that can learn by self-play; its knowledge is stored as text."""

    lessons: int
    """Number of lessons in a complete course."""
    library: str
    """Folder where learned knowledge is stored, or an empty string if there is none."""

    def cannot_learn(self, seats: int) -> Message | None:
        """Return why this form of the game can't learn, or None if it can."""

    def lesson(self, seats: int, known: str, number: int, seed: int = 0) -> str:
        """Return the knowledge after lesson ``number`` (from 0), given the knowledge before it.

        The result is the same on every machine. Raises ValueError if the game cannot learn.
        """

    def judgings(self, seats: int, known: str) -> tuple[str, ...]:
        """Return variants of the knowledge, each giving it a different weight in searches.

        Matches between the variants show which weight is best.
        """

    def know(self, seats: int, known: str | None) -> None:
        """Use this knowledge for evaluation from now on.

        An empty string means no knowledge, and None means the stored knowledge. Raises ValueError if the knowledge was
        learned under other rules.
        """

    def known_as(self, seats: int, own: bool = True) -> str:
        """Return the name of the file that stores the knowledge.

        If ``own`` is set, this is the user's file, else the file shipped with the program. The name of the user's file
        depends on the rules, so it changes when they do.
        """

    def left_aside(self, seats: int) -> Message | None:
        """Return why stored knowledge is ignored, or None if it is used or there is none."""
