"""The table of medals and secret numbers as a kind of table: its numbers stand in the file, its flow is Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.golden_spiral.table import Tableau, read_table
from shibumi3d.rules.source import Item, Problem

if TYPE_CHECKING:
    from shibumi3d.rules.golden_spiral.game import MedalGame

KEYS = ("players", "options", "table")


def make(
    id: str,
    title: str,
    rules: Item,
    players: tuple[int, int],
    form: Mapping[str, int | str],
    meta: Mapping[str, object],
) -> MedalGame:
    """Return the game that a file tells, in one form. Raises GameFileError."""
    problems: list[Problem] = []
    table = _read(rules, problems)
    if problems:
        raise GameFileError(problems)
    # The list of games needs none of it.
    from shibumi3d.rules.golden_spiral.game import MedalGame

    return MedalGame(id, title, table, form, meta)


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Add everything that is wrong with the rules of a file to ``problems``."""
    if seats != 2:
        problems.append(Problem(rules.mark, f"this table is for 2 players, not {seats}"))
    _read(rules, problems)


def _read(rules: Item, problems: list[Problem]) -> Tableau:
    entries = rules.value if isinstance(rules.value, dict) else {}
    if "table" not in entries:
        problems.append(Problem(rules.mark, "'table' is missing: the medals, the dice and the jokers"))
    return read_table(entries.get("table"), problems)
