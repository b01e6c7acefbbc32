"""Notation for the starting positions of Hyena Spiral."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.hyena_spiral.numbers import Numbers
from shibumi3d.rules.hyena_spiral.state import Leg, Walker

_WALKER = re.compile(
    r"(?P<hyena>hyena )?(?P<leg>out|well|back|home|eaten)(?: (?P<place>\d+))?"
    r"(?:, (?P<paid>\d+) paid)?(?:, (?P<tabas>\d+) tabas?)?(?:, (?P<points>\d+) points?)?"
)


def placed(texts: Sequence[str], length: int, numbers: Numbers) -> tuple[Walker, ...]:
    """Return the walkers described by ``texts``, one text per seat.

    A text is e.g. "out 30, 3 tabas", "well, 1 paid, 4 tabas", "hyena back 72" or "home". Raises ValueError if a text is
    malformed or if the texts contradict each other.
    """
    walkers = tuple([_walker(text.strip(), length, numbers) for text in texts])
    if sum(walker.hyena for walker in walkers) > 1:
        raise InvalidValueError("only one seat can be the hyena")
    ahead = [walker for walker in walkers if walker.leg is not Leg.OUT]
    if ahead and not any(walker.hyena for walker in walkers):
        raise InvalidValueError("someone has already reached the well, so one seat must be the hyena")
    if all(walker.hyena or walker.leg in (Leg.HOME, Leg.EATEN) for walker in walkers):
        raise InvalidValueError("no villager is left on the path, so the round is over")
    return walkers


def _walker(text: str, length: int, numbers: Numbers) -> Walker:
    found = _WALKER.fullmatch(text)
    if found is None:
        raise InvalidValueError(
            "'{text}' doesn't say where a seat is; write, for example, 'out 30, 3 tabas' or 'hyena "
            "well, 1 paid'",
            text=text,
        )
    leg, hyena = Leg(found["leg"]), found["hyena"] is not None
    place = length if leg is Leg.WELL else int(found["place"] or 0)
    first, last = {Leg.OUT: (0, length - 1), Leg.BACK: (1, length - 1)}.get(leg, (0, length))
    if not first <= place <= last:
        raise InvalidValueError(
            "'{text}': the space must be from {least} to {most}", text=text, least=first, most=last
        )
    fees = 1 if hyena else len(numbers.fees)
    paid = int(found["paid"] or 0)
    if paid > fees:
        raise InvalidValueError("'{text}': 'paid' can be at most {most}", text=text, most=fees)
    return Walker(leg, place, int(found["tabas"] or 0), paid, hyena, int(found["points"] or 0))
