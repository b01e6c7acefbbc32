"""The table kind of marble games, whose rules are written in the rule language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.rules.source import Item, Problem

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.game import MarbleGame

KEYS = (
    "players", "seats", "boards", "stocks", "vars", "define", "start", "setup", "turn", "phases", "pass", "score",
    "end", "series", "solvable",
)  # fmt: skip
"""Keys of a game file that hold its rules."""


def make(
    id: str,
    title: str,
    rules: Item,
    players: tuple[int, int],
    form: Mapping[str, int | str],
    meta: Mapping[str, object],
) -> MarbleGame:
    """Return the game defined by ``rules``, for the board size and variant in ``form``."""
    # Imported late, because listing the games requires neither the engine nor the rule language.
    from shibumi3d.rules.marbles.game import MarbleGame

    size, variant = int(form["size"]), str(form["variant"])
    return MarbleGame(id=id, title=title, meta=meta, item=rules, players=players, size=size, variant=variant)


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Compile ``rules`` for the given board size and number of seats, appending errors to ``problems``.

    Raises GameFileError if compilation can't continue. The errors are then in the exception, and ``problems`` is
    unchanged.
    """
    from shibumi3d.rules.marbles.language.rules_compiler import compile_rules

    compile_rules(rules, size=int(form["size"]), seats=seats, problems=problems)
