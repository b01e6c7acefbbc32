"""Settings for a new match, as chosen on the start page and stored in the user's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shibumi3d.catalogue.schema import Entry

from ...host.settings import merged
from ...host.terms import USUAL, Terms

Kept = Mapping[str, int | str]
"""Stored choices by name: number of players, size, variant and options of the game.

The names of settings that don't belong to the rules, such as the clock, start with a dot.
"""


@dataclass(frozen=True)
class SetUp:
    """The user's choices for a new match."""

    seats: int
    size: int
    variant: str
    options: Kept
    terms: Terms = USUAL

    @classmethod
    def last(cls, entry: Entry, kept: Kept) -> SetUp:
        """Return the setup last used, as far as the game file still allows it.

        Missing or invalid choices are replaced by their defaults. The default number of players is two, or the nearest
        number that the game allows.
        """
        least, most = entry.players
        wanted = kept.get("players", 2)
        return cls(
            seats=max(least, min(most, wanted)) if isinstance(wanted, int) else least,
            size=next((size for size in entry.sizes if size == kept.get("size")), entry.size),
            variant=next((name for name in entry.variants if name == kept.get("variant")), ""),
            options={
                option.name: kept[option.name]
                for option in entry.options
                if kept.get(option.name) in option.values
            },
            terms=Terms.last(kept.get(".clock"), kept.get(".lot"), kept.get(".swap"), kept.get(".handicap")),
        )

    def kept(self, entry: Entry, before: Kept) -> Kept:
        """Return this setup in the form in which it is stored.

        ``before`` holds the choices stored so far; entries that this version doesn't recognize are preserved.
        """
        understood = SetUp.last(entry, before)._told()
        found: Kept = merged(before, understood, self._told())
        return found

    def _told(self) -> Kept:
        # The name of an option in a game file never starts with a dot.
        terms = {f".{name}": value for name, value in self.terms.kept().items()}
        return {**terms, **self.options, "players": self.seats, "size": self.size, "variant": self.variant}
