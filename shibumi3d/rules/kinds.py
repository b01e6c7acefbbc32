"""The kinds of games, with a mapping from each ``kind:`` value in game files to a module.

The modules are imported on first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from shibumi3d.rules.game import Game
from shibumi3d.rules.source import Item, Problem

USUAL = "marbles"
"""Kind of a game whose file doesn't specify one."""
MODULES = {
    "marbles": "shibumi3d.rules.marbles.kind",
    "hyena-spiral": "shibumi3d.rules.hyena_spiral.kind",
    "golden-spiral": "shibumi3d.rules.golden_spiral.kind",
    "arcanoid": "shibumi3d.rules.arcanoid.kind",
}
"""The module of each kind, which provides KEYS, ``make`` and ``check``."""


class Kind(Protocol):
    """The interface that the module of a kind implements."""

    KEYS: tuple[str, ...]
    """The keys of a game file that hold its rules."""

    def make(
        self,
        id: str,
        title: str,
        rules: Item,
        players: tuple[int, int],
        form: Mapping[str, int | str],
        meta: Mapping[str, object],
    ) -> Game:
        """Return a game with the given rules and form.

        ``rules`` holds the entries under KEYS in the game file.
        """

    def check(self, rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
        """Append every error in ``rules`` to ``problems``.

        Raises GameFileError if parsing can't continue.
        """


@cache
def kind(name: str) -> Kind:
    """Import and return the module of a kind. Raises KeyError if the kind is unknown."""
    return cast(Kind, import_module(MODULES[name]))
