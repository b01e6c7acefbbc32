"""Optional interfaces of games for explaining moves: names of places, counts and reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from shibumi3d.i18n import Message


@runtime_checkable
class Explained(Protocol):
    """A :class:`~shibumi3d.rules.game.Game` that can name places and count events."""

    def place(self, move: Any) -> str:
        """Return the name of the place of a move, or its text if it has none.

        The name is the same in all languages.
        """

    def tallied(self, events: Iterable[Any]) -> Mapping[str, int]:
        """Count the things that were ``taken`` and that have ``fallen`` in ``events``."""

    def decider(self, state: Any) -> str:
        """Return the end points of the straight line that decided the match, or "" if none."""


@runtime_checkable
class Grounded(Protocol):
    """A :class:`~shibumi3d.rules.game.Game` that can say what a move is good for."""

    def grounds(
        self, view: Any, move: Any, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for a move of ``seat`` that the rules give, most important first.

        Each is a sentence without its subject and without a final period. ``who`` returns the name of a seat.
        """
