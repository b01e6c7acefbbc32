"""Optional interfaces for games that can explain moves by naming places, counts and reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from shibumi3d.i18n import Message


@runtime_checkable
class Explained(Protocol):
    """A :class:`~shibumi3d.rules.game.Game` that can name the places of moves and count events."""

    def place(self, move: Any) -> str:
        """Return the name of the place that a move concerns, or the move's text if it concerns none.

        The name is the same in all languages.
        """

    def tallied(self, events: Iterable[Any]) -> Mapping[str, int]:
        """Return how many things were taken ("taken") and how many fell ("fallen") in ``events``."""

    def decider(self, state: Any) -> str:
        """Return the end points of the straight line that decided the match, or "" if there is none."""


@runtime_checkable
class Grounded(Protocol):
    """A :class:`~shibumi3d.rules.game.Game` that can give reasons for a move."""

    def grounds(
        self, view: Any, move: Any, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for a move of ``seat`` that follow from the rules, most important first.

        Each is a sentence without its subject and final period. ``who`` is a function that returns the name of a seat.
        """
