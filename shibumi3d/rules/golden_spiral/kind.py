"""The kind of game for The Golden Spiral, with its parameters under ``table:`` in a game file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.rules.golden_spiral.table import CHOICES, Tableau, read_table
from shibumi3d.rules.plain import PlainKind, entry
from shibumi3d.rules.source import Item, Problem

if TYPE_CHECKING:
    from shibumi3d.rules.golden_spiral.game import MedalGame


def _read(rules: Item, problems: list[Problem]) -> Tableau:
    table = entry(rules, "table")
    if table is None:
        problems.append(
            Problem(rules.mark, "'table' is missing: it gives the medals, the dice and the jokers")
        )
    return read_table(table, problems)


def _game() -> type[MedalGame]:
    from shibumi3d.rules.golden_spiral.game import MedalGame

    return MedalGame


KIND = PlainKind(_read, _game, CHOICES)
KEYS, make = KIND.KEYS, KIND.make


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Append any errors in the rules of a file to ``problems``."""
    if seats != 2:
        problems.append(Problem(rules.mark, "this kind of game is for 2 players, not {seats}", seats=seats))
    KIND.check(rules, form, seats, problems)
