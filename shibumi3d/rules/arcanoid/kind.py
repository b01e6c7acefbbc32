"""Battles of a tarot deck as a kind of table: what its files say besides texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.rules.arcanoid.table import read_table
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.source import Item, Problem

if TYPE_CHECKING:
    from shibumi3d.rules.arcanoid.game import CardGame

KEYS = ("players", "options", "table")


def make(
    id: str,
    title: str,
    rules: Item,
    players: tuple[int, int],
    form: Mapping[str, int | str],
    meta: Mapping[str, object],
) -> CardGame:
    """Return the game told by ``rules``, with the numbers that ``form`` chooses. Raises GameFileError."""
    # A list of games is read without what plays them.
    from shibumi3d.rules.arcanoid.game import CardGame

    problems: list[Problem] = []
    table = read_table(_table(rules), problems)
    if problems:
        raise GameFileError(problems)
    return CardGame(id, title, table, players, form, meta)


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Note what is wrong with the numbers and flags of a file."""
    read_table(_table(rules), problems)


def _table(rules: Item) -> Item | None:
    entries = rules.value
    return entries.get("table") if isinstance(entries, dict) else None
