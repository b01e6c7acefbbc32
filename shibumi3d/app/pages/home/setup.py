"""How a game is set up: what may be chosen before a match, as it is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shibumi3d.catalogue.schema import Entry

from ...host.settings import merged
from ...host.terms import USUAL, Terms

Kept = Mapping[str, int | str]
"""What was chosen, by name: the number of players, the size, the variant, the terms, and the options of the game."""


@dataclass(frozen=True)
class SetUp:
    """The choices before a match."""

    seats: int
    size: int
    variant: str
    options: Kept
    terms: Terms = USUAL

    @classmethod
    def last(cls, entry: Entry, kept: Kept) -> SetUp:
        """As the game was set up last, as far as its file still allows that; for two where nothing is kept."""
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
        """Return what is remembered of it, and what was remembered ``before`` that this version doesn't know."""
        understood = SetUp.last(entry, before)._told()
        found: Kept = merged(before, understood, self._told())
        return found

    def _told(self) -> Kept:
        # No option of a game file is called so.
        terms = {f".{name}": value for name, value in self.terms.kept().items()}
        return {**terms, **self.options, "players": self.seats, "size": self.size, "variant": self.variant}
