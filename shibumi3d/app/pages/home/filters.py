"""Filters for the list of games: group, number of players, duration, complexity and search words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize_texts

if TYPE_CHECKING:
    from ...host.settings import Settings

ALL_GAMES, RECENTLY_PLAYED, NEVER_PLAYED, FAVOURITES, OWN_GAMES = (
    "all",
    "recent",
    "fresh",
    "favourites",
    "own",
)
"""Groups that aren't categories: all, recently played, never played, favourite and own games."""
PROBLEMS = "problems"
"""Entry in the list of groups that opens the page of problems."""
LEARNING = "learning"
"""Entry in the list of groups that opens the page for learning."""
TOURNAMENTS = "tournaments"
"""Entry in the list of groups that opens the list of tournaments."""
MAX_RECENT_GAMES = 12
"""Maximum number of games in the group of recently played games."""
PLAYER_FILTERS = ("any", "solo", "two", "three", "most")
SEATS_BY_FILTER = {"solo": 1, "two": 2, "three": 3, "most": 4}
"""Number of players for each option; the last option also includes all higher numbers."""
LENGTH_FILTERS = ("any", "short", "medium", "long")
MINUTES_BY_FILTER = {"any": (0, 10_000), "short": (0, 10), "medium": (0, 20), "long": (21, 10_000)}
COMPLEXITY_FILTERS = ("any", "easy", "middle", "deep")
COMPLEXITY_BY_FILTER = {"any": (0, 9), "easy": (0, 1), "middle": (2, 2), "deep": (3, 9)}
"""Minimum and maximum complexity for each option, on the scale from 1 to 5 that game files use."""


def is_in_group(entry: Entry, group: str, settings: Settings) -> bool:
    """Return whether a game belongs to ``group``, e.g. :data:`FAVOURITES` or a category."""
    if group == ALL_GAMES:
        return True
    if group == FAVOURITES:
        return entry.id in settings.favourites
    if group == NEVER_PLAYED:
        return entry.id not in settings.played
    if group == RECENTLY_PLAYED:
        return entry.id in settings.played[:MAX_RECENT_GAMES]
    return entry.own if group == OWN_GAMES else entry.category == group


def fold_for_search(text: str) -> str:
    """Return a text in lower case and without accents, for searching."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))


def format_player_count(entry: Entry) -> str:
    """Format the number of players of a game, e.g. ``2–4 players``."""
    min_players, max_players = entry.players
    if max_players == 1:
        return _("solo")
    if min_players == max_players:
        return _("{n} players", min_players)
    return _("{least}–{most} players", least=min_players, most=max_players)


@dataclass(frozen=True)
class GameFilter:
    """Search words and, for each filter, the index of the selected option.

    The indices refer to :data:`PLAYER_FILTERS`, :data:`LENGTH_FILTERS` and, for ``level``, :data:`COMPLEXITY_FILTERS`.
    """

    words: str = ""
    players: int = 0
    length: int = 0
    level: int = 0

    def matches(self, entry: Entry) -> bool:
        """Return whether a game matches the filters and the search words."""
        min_players, max_players = entry.players
        seats = SEATS_BY_FILTER.get(PLAYER_FILTERS[self.players], 0)
        if seats and not (
            min_players <= seats <= max_players or (seats == SEATS_BY_FILTER["most"] and max_players > seats)
        ):
            return False
        shortest, longest = MINUTES_BY_FILTER[LENGTH_FILTERS[self.length]]
        easiest, hardest = COMPLEXITY_BY_FILTER[COMPLEXITY_FILTERS[self.level]]
        if not (shortest <= entry.minutes <= longest and easiest <= entry.complexity <= hardest):
            return False
        titles = entry.title, *entry.titles.values()
        searched_texts = (
            *titles,
            entry.category,
            *entry.authors,
            format_player_count(entry),
            localize_texts(entry.summary),
        )
        text = fold_for_search(" ".join(searched_texts))
        return all(word in text for word in fold_for_search(self.words).split())
