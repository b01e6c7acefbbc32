"""What those at the table are called: persons as they call themselves, computers by their strengths."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import N_, _, in_every_language, language
from shibumi3d.names import shows
from shibumi3d.search.levels import FITS, PERSON, RANDOM, kind_of, level

ME = "me"
"""Stands for whoever is at the screen."""


def seated(names: Sequence[str], seats: int, known: Sequence[str]) -> list[str]:
    """Who sits where: ``names``, but for "me" who was ``known`` there last, and players without a name."""
    found = [*names, *people((), seats)[len(names) :]][:seats]
    return [own if name == ME else name for name, own in zip(found, people(known, seats), strict=True)]


def title_of(kind: str) -> str:
    """What a person or a strength is called, whatever was stored as its kind."""
    kind = kind_of(kind)
    if kind in (PERSON, RANDOM):
        return _("Human") if kind == PERSON else RANDOM
    return _("Adapts to me") if kind == FITS else level(kind).called(language())


def people(known: Sequence[str], seats: int) -> list[str]:
    """The names of so many persons: those ``known`` from before, and players by their number."""
    return [
        _renewed(known[seat], seat + 1)
        if seat < len(known) and shows(known[seat])
        else _("Player {n}", seat + 1)
        for seat in range(seats)
    ]


def _renewed(name: str, number: int) -> str:
    """Return a default name in the language in use, and a name that somebody chose as it is."""
    default = N_("Player {n}")
    return _(default, n=number) if name in in_every_language(default, n=number).values() else name


def named(names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """The names at the table: computers are called by their strengths, with a number where there are several."""
    found: list[str] = []
    for name, kind in zip(names, kinds, strict=True):
        own, number = name if kind == PERSON else title_of(kind), 2
        while kind != PERSON and own in found:
            own, number = f"{title_of(kind)} {number}", number + 1
        found.append(own)
    return found


def shown_with(entry: Entry) -> int:
    """For how many a game is shown and tried: two, where that is possible."""
    return max(entry.players[0], min(2, entry.players[1]))
