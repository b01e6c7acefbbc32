"""Default opponents, and the choice of a level for adaptive computer players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.search.levels import FIRST_FIT, FITS, PERSON, fit_of, fits, fitting, moved

from .seating import named

if TYPE_CHECKING:
    from shibumi3d.match.results import Finished


def fit(matches: Iterable[Finished], name: str) -> float:
    """Return the adaptive level that suits a person, from 0 to 5.

    ``matches`` are finished matches of one game, oldest first. The result is based on the latest match in which
    ``name`` played against opponents of a single adaptive level. A win raises that level by 0.5 and a loss lowers it by
    0.5; a win with help counts as a draw. If there is no such match, the level is :data:`.FIRST_FIT`.
    """
    for match in reversed(list(matches)):
        strengths = {kind for seat, kind in enumerate(match.kinds) if seat != match.me}
        if match.me >= 0 and match.names[match.me] == name and len(strengths) == 1:
            (kind,) = strengths
            number = fit_of(kind)
            if number is not None:
                # A win with help doesn't show how strong the player is.
                gained = 0.5 if match.gained == 1 and (match.hints or match.shown) else match.gained
                return moved(number, gained)
    return FIRST_FIT


def settled(kinds: Sequence[str], names: Sequence[str], matches: Iterable[Finished]) -> list[str]:
    """Return the player types, with each adaptive player set to a definite level.

    This is the level that suits the first human player, based on the finished ``matches`` of this game.
    """
    if not any(map(fits, kinds)):
        return list(kinds)
    who = next((name for name, kind in zip(names, kinds, strict=False) if kind == PERSON), "")
    number = fit(matches, who) if who else FIRST_FIT
    return [fitting(number).name if fits(kind) else kind for kind in kinds]


def fitted(
    names: Sequence[str], kinds: Sequence[str], matches: Iterable[Finished]
) -> tuple[list[str], list[str]]:
    """Return names and player types, with each adaptive player set to a definite level.

    If that changes any type, the computer players are renamed after their levels.
    """
    kinds = [*kinds, *[PERSON] * (len(names) - len(kinds))]
    now = settled(kinds, names, matches) if any(map(fits, kinds)) else kinds
    return (list(names) if now == kinds else named(names, now)), now


def usual(seats: Mapping[str, Sequence[str]], played: Sequence[str]) -> str:
    """Return the default type of the opponent in a game that hasn't been played before.

    This is the type of the opponent in the most recent game that a person played against others, or an adaptive player
    if there is no such game. ``seats`` holds the player types in the last match of each game; ``played`` lists the
    games, most recent first.
    """
    for game in played:
        kinds = seats.get(game, ())
        if PERSON in kinds and len(kinds) > 1:
            me = list(kinds).index(PERSON)
            against = kinds[(me + 1) % len(kinds)]
            return FITS if fits(against) else against
    return FITS
