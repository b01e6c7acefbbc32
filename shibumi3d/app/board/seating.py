"""Names of the players at a table: people by their own names, computers by their levels."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import N_, _, in_every_language, language
from shibumi3d.names import shows
from shibumi3d.search.levels import FITS, PERSON, RANDOM, kind_of, level

ME = "me"
"""Placeholder for the name of the user."""


def seated(names: Sequence[str], seats: int, known: Sequence[str]) -> list[str]:
    """Return a name for each seat, based on the given ``names``.

    The name "me" is replaced by the last name used for that seat, from ``known``. Seats without a name get a numbered
    default.
    """
    found = [*names, *people((), seats)[len(names) :]][:seats]
    return [own if name == ME else name for name, own in zip(found, people(known, seats), strict=True)]


def title_of(kind: str) -> str:
    """Return the display name of a player type.

    Any stored text is accepted: if it isn't the name of a computer player, it counts as a person.
    """
    kind = kind_of(kind)
    if kind in (PERSON, RANDOM):
        return _("Human") if kind == PERSON else RANDOM
    return _("Adapts to me") if kind == FITS else level(kind).called(language())


def people(known: Sequence[str], seats: int) -> list[str]:
    """Return a name for each of ``seats`` people: the name in ``known``, or else a numbered default."""
    return [
        _renewed(known[seat], seat + 1)
        if seat < len(known) and shows(known[seat])
        else _("Player {n}", seat + 1)
        for seat in range(seats)
    ]


def _renewed(name: str, number: int) -> str:
    """Return a default name in the current language; return any other name unchanged."""
    default = N_("Player {n}")
    return _(default, n=number) if name in in_every_language(default, n=number).values() else name


def named(names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Return the names of the players at the table.

    A computer is named after its level. If that name is already taken, a number is appended, starting at 2.
    """
    found: list[str] = []
    for name, kind in zip(names, kinds, strict=True):
        own, number = name if kind == PERSON else title_of(kind), 2
        while kind != PERSON and own in found:
            own, number = f"{title_of(kind)} {number}", number + 1
        found.append(own)
    return found


def shown_with(entry: Entry) -> int:
    """Return how many players a game is displayed with: two, or the nearest number that it allows."""
    return max(entry.players[0], min(2, entry.players[1]))
