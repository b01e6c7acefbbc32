"""Which games are listed: by group, by players, by length, by how hard they are to learn, by words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, local

if TYPE_CHECKING:
    from ...host.settings import Settings

ALL, RECENT, FRESH, FAVOURITES, OWN = "all", "recent", "fresh", "favourites", "own"
"""Groups besides the categories: all games, those played, those never played, favourites, the person's own."""
PROBLEMS = "problems"
"""No group of games: it leads to the page of problems."""
LATELY = 12
"""Games that count as played lately."""
PLAYERS = ("any", "solo", "two", "three", "most")
SEATS = {"solo": 1, "two": 2, "three": 3, "most": 4}
"""For how many a game must be; the last stands for all from there on."""
LENGTHS = ("any", "short", "medium", "long")
MINUTES = {"any": (0, 10_000), "short": (0, 10), "medium": (0, 20), "long": (21, 10_000)}
LEVELS = ("any", "easy", "middle", "deep")
COMPLEXITY = {"any": (0, 9), "easy": (0, 1), "middle": (2, 2), "deep": (3, 9)}
"""How hard the rules are, as game files tell it, 1 to 5."""


def in_group(entry: Entry, group: str, settings: Settings) -> bool:
    """Whether a game is listed under ``group``."""
    if group == ALL:
        return True
    if group == FAVOURITES:
        return entry.id in settings.favourites
    if group == FRESH:
        return entry.id not in settings.played
    if group == RECENT:
        return entry.id in settings.played[:LATELY]
    return entry.own if group == OWN else entry.category == group


def folded(text: str) -> str:
    """The text without accents and capitals, as searching compares it."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))


def players(entry: Entry) -> str:
    """For how many, in words."""
    least, most = entry.players
    if most == 1:
        return _("solo")
    if least == most:
        return _("{n} players", least)
    return _("{least}–{most} players", least=least, most=most)


@dataclass(frozen=True)
class Wanted:
    """What games are looked for, whatever their group: words, and an option of each filter by its number."""

    words: str = ""
    players: int = 0
    length: int = 0
    level: int = 0

    def takes(self, entry: Entry) -> bool:
        """Whether a game is one of those."""
        least, most = entry.players
        seats = SEATS.get(PLAYERS[self.players], 0)
        if seats and not (least <= seats <= most or (seats == SEATS["most"] and most > seats)):
            return False
        shortest, longest = MINUTES[LENGTHS[self.length]]
        easiest, hardest = COMPLEXITY[LEVELS[self.level]]
        if not (shortest <= entry.minutes <= longest and easiest <= entry.complexity <= hardest):
            return False
        titles = entry.title, *entry.titles.values()
        found = (*titles, entry.category, *entry.authors, players(entry), local(entry.summary))
        text = folded(" ".join(found))
        return all(word in text for word in folded(self.words).split())
