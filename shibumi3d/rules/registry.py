"""The table kinds, and the module that implements each ``kind:`` in a game file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from shibumi3d.rules.game import Game
from shibumi3d.rules.source import Item, Problem

DEFAULT_KIND = "marbles"
"""Kind of a game whose file doesn't specify one."""
KIND_MODULES = {
    "marbles": "shibumi3d.rules.marbles.kind",
    "hyena-spiral": "shibumi3d.rules.hyena_spiral.game",
    "golden-spiral": "shibumi3d.rules.golden_spiral.game",
    "arcanoid": "shibumi3d.rules.arcanoid.game",
}
"""The module of each kind, which provides KEYS, ``make`` and ``check``."""


class TableKind(Protocol):
    """The interface of the module that implements a table kind."""

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

        ``rules`` holds the parts of the game file whose keys are in :attr:`KEYS`. ``players`` is the minimum and
        maximum number of seats. ``form`` holds the chosen size (0 for a game without boards), variant and options, by
        name. ``meta`` is the metadata of the game file. Raises GameFileError if the rules are invalid, unless the kind
        checks them only when the game is used.
        """

    def check(self, rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
        """Append the errors found in ``rules`` to ``problems``.

        ``form`` holds the board size under "size" (0 for a game without boards) and the variant under "variant". The
        rules are checked for a match with ``seats`` seats. Raises GameFileError if the check can't continue. The
        exception then contains all errors found, while ``problems`` may lack them.
        """


@cache
def load_kind(kind_name: str) -> TableKind:
    """Import and return the module of a table kind.

    Raises KeyError if the kind is unknown.
    """
    return cast(TableKind, import_module(KIND_MODULES[kind_name]))
