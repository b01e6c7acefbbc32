"""Hyena Spiral as a kind of table: a file gives its numbers under ``table:``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.hyena_spiral.numbers import read
from shibumi3d.rules.source import Item, Problem

if TYPE_CHECKING:
    from shibumi3d.rules.hyena_spiral.game import HyenaGame

KEYS = ("players", "options", "table")


def make(
    id: str,
    title: str,
    rules: Item,
    players: tuple[int, int],
    form: Mapping[str, int | str],
    meta: Mapping[str, object],
) -> HyenaGame:
    """Return the game with the numbers of a file. Raises GameFileError when they are wrong."""
    problems: list[Problem] = []
    numbers = read(rules, problems)
    if problems:
        raise GameFileError(problems)
    # The list of games needs none of it.
    from shibumi3d.rules.hyena_spiral.game import HyenaGame

    return HyenaGame(id, title, numbers, players, form, meta)


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Add what is wrong with the numbers of a file to ``problems``."""
    read(rules, problems)
