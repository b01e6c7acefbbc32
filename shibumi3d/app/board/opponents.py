"""Whom somebody plays against when nothing is said, and how strong an opponent must be to fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.search.levels import FIRST_FIT, FITS, PERSON, fit_of, fits, fitting, moved

from .seating import named

if TYPE_CHECKING:
    from shibumi3d.match.results import Finished


def fit(matches: Iterable[Finished], name: str) -> float:
    """Return the number of the strength that fits the person of that name, from matches of one game as they ended.

    It is half a step above the last one that fitted where that was beaten, half a step below where it won.
    """
    for match in reversed(list(matches)):
        strengths = {kind for seat, kind in enumerate(match.kinds) if seat != match.me}
        if match.me >= 0 and match.names[match.me] == name and len(strengths) == 1:
            (kind,) = strengths
            number = fit_of(kind)
            if number is not None:
                # Won with hints says nothing of the one who had them.
                gained = 0.5 if match.gained == 1 and (match.hints or match.shown) else match.gained
                return moved(number, gained)
    return FIRST_FIT


def settled(kinds: Sequence[str], names: Sequence[str], matches: Iterable[Finished]) -> list[str]:
    """Return who plays the seats, whoever fits as the strength that is: by the ``matches`` of this game."""
    if not any(map(fits, kinds)):
        return list(kinds)
    who = next((name for name, kind in zip(names, kinds, strict=False) if kind == PERSON), "")
    number = fit(matches, who) if who else FIRST_FIT
    return [fitting(number).name if fits(kind) else kind for kind in kinds]


def fitted(
    names: Sequence[str], kinds: Sequence[str], matches: Iterable[Finished]
) -> tuple[list[str], list[str]]:
    """Return names and kinds of the seats, with whoever fits as the strength that is, called by its name."""
    kinds = [*kinds, *[PERSON] * (len(names) - len(kinds))]
    now = settled(kinds, names, matches) if any(map(fits, kinds)) else kinds
    return (list(names) if now == kinds else named(names, now)), now


def usual(seats: Mapping[str, Sequence[str]], played: Sequence[str]) -> str:
    """Return whom somebody plays against in a game never played: as in the game played last, else whoever fits.

    ``seats`` are who played each seat last, by game, and ``played`` the games, the last one first.
    """
    for game in played:
        kinds = seats.get(game, ())
        if PERSON in kinds and len(kinds) > 1:
            me = list(kinds).index(PERSON)
            against = kinds[(me + 1) % len(kinds)]
            return FITS if fits(against) else against
    return FITS
