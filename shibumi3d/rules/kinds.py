"""The kinds of table: which module makes the games whose file says ``kind: NAME``. Loaded when first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from shibumi3d.rules.game import Game
from shibumi3d.rules.source import Item, Problem

USUAL = "marbles"
"""The kind of a file that names none."""
MODULES = {
    "marbles": "shibumi3d.rules.marbles.kind",
    "hyena-spiral": "shibumi3d.rules.hyena_spiral.kind",
    "golden-spiral": "shibumi3d.rules.golden_spiral.kind",
    "arcanoid": "shibumi3d.rules.arcanoid.kind",
}
"""By kind the module that has its KEYS, ``make`` and ``check``."""


class Kind(Protocol):
    """What the module of a kind offers."""

    KEYS: tuple[str, ...]
    """The keys of a game file that are its rules."""

    def make(
        self,
        id: str,
        title: str,
        rules: Item,
        players: tuple[int, int],
        form: Mapping[str, int | str],
        meta: Mapping[str, object],
    ) -> Game:
        """Return the game told by ``rules`` (the keys KEYS of its file) in one form."""

    def check(self, rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
        """Add everything wrong with ``rules`` to ``problems``. Raises GameFileError where reading can't go on."""


@cache
def kind(name: str) -> Kind:
    """Return the module of a kind. Raises KeyError for an unknown one."""
    return cast(Kind, import_module(MODULES[name]))
