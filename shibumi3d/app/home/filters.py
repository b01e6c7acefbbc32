"""Which games are listed: by group, by players, by length, by words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from shibumi3d.catalogue.schema import Entry

from ..text import say

OWN, FAVOURITES = "own", "favourites"
SEATS = 4
"""From so many players on games are listed together."""
LENGTHS = ("any", "short", "medium", "long")
MINUTES = ((0, 10_000), (0, 10), (0, 20), (21, 10_000))


def in_group(entry: Entry, group: str, favourites: Sequence[str]) -> bool:
    """Whether a game is listed under ``group``."""
    if group == FAVOURITES:
        return entry.id in favourites
    return entry.own if group == OWN else entry.category == group


def folded(text: str) -> str:
    """The text without accents and capitals, as searching compares it."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))


def players(entry: Entry) -> str:
    """For how many, in words."""
    least, most = entry.players
    if most == 1:
        return say("players.solo")
    if least == most:
        return say("players.just", least)
    return say("players.range", least=least, most=most)
