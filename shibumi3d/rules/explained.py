"""What a game may tell besides its contract, so that reasons for a choice can name places and count what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from shibumi3d.i18n import Message


@runtime_checkable
class Explained(Protocol):
    """A game that names places and counts, besides being a :class:`~shibumi3d.rules.game.Game`."""

    def place(self, move: Any) -> str:
        """Return where a choice is made, by a name that is the same in all languages; its text where there is none."""

    def tallied(self, events: Iterable[Any]) -> Mapping[str, int]:
        """Return what ``events`` count as: how many things were ``taken``, and how many have ``fallen``."""

    def decider(self, state: Any) -> str:
        """Return where that lies which decided the match, by its ends; "" where that is no straight line."""


@runtime_checkable
class Grounded(Protocol):
    """A game that says by itself what a choice is good for, besides being a :class:`~shibumi3d.rules.game.Game`."""

    def grounds(
        self, view: Any, move: Any, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return what the rules show of a choice open to ``seat``, the most important first, each as a sentence without
        its subject and without a full stop. ``who`` says what a seat is called."""
