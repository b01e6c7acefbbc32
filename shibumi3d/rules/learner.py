"""The interface of games that can learn by self-play."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from shibumi3d.i18n import Message


@runtime_checkable
class Learner(Protocol):
    """A game, as in :class:`.game.Game`, that can learn by self-play. Its knowledge is stored as text."""

    lessons: int
    """Number of lessons in a complete course."""
    library: str
    """Folder where learned knowledge is stored, or an empty string if there is none."""

    def cannot_learn(self, seats: int) -> Message | None:
        """Return why this form of the game cannot learn, or None if it can."""

    def lesson(self, seats: int, known: str, number: int, seed: int = 0) -> str:
        """Return the knowledge after lesson ``number`` (from 0), given the knowledge before it.

        The result is the same on every machine. Raises ValueError if the game cannot learn.
        """

    def judgings(self, seats: int, known: str) -> tuple[str, ...]:
        """Return variants of the knowledge, one for each way in which a search may weight it.

        Matches between them show which one plays best.
        """

    def know(self, seats: int, known: str | None) -> None:
        """Use this knowledge for evaluation from now on: none for an empty string, the stored knowledge for None.

        Raises ValueError if it was learned under other rules.
        """

    def known_as(self, seats: int, own: bool = True) -> str:
        """Return the name of the file that stores the knowledge.

        It is the user's ``own`` file or the one shipped with the program. The name of the user's file changes with the
        rules.
        """

    def left_aside(self, seats: int) -> Message | None:
        """Return why stored knowledge is ignored, or None if none is."""
