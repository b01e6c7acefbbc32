"""The table kind ``arcanoid``: parses its part of a game file and creates its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.arcanoid.table import CHOICES, CardRules, read_table
from shibumi3d.rules.plain import PlainKind, entry
from shibumi3d.rules.source import Item, Problem

if TYPE_CHECKING:
    from shibumi3d.rules.arcanoid.game import CardGame


def _read(rules: Item, problems: list[Problem]) -> CardRules:
    return read_table(entry(rules, "table"), problems)


def _game() -> type[CardGame]:
    from shibumi3d.rules.arcanoid.game import CardGame

    return CardGame


KIND = PlainKind(_read, _game, CHOICES)
KEYS, make, check = KIND.KEYS, KIND.make, KIND.check
