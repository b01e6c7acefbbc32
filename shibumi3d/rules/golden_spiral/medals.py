"""Mutable counts of medals and stars, in which every change is recorded as an event."""

from __future__ import annotations

from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral.events import Cause, MedalsMoved, MedalsTurned, StarsMoved
from shibumi3d.rules.golden_spiral.state import DISCARD, State


class Medals:
    """Medals and stars of both seats, and the medals in the discard."""

    def __init__(self, state: State) -> None:
        self.gold = list(state.gold)
        self.spiral = list(state.spiral)
        self.stars = list(state.stars)
        self.discard = state.discard
        self.events: list[Event] = []

    def total(self, seat: int) -> int:
        """Return the number of medals of a seat, Gold and Spiral together."""
        return self.gold[seat] + self.spiral[seat]

    def turn(self, seat: int, gold: int, spiral: int, cause: Cause) -> None:
        """Turn ``gold`` medals of a seat to Spiral and ``spiral`` medals to Gold at the same time.

        The seat must have at least that many of each.
        """
        assert gold <= self.gold[seat]
        assert spiral <= self.spiral[seat]
        self.gold[seat] += spiral - gold
        self.spiral[seat] += gold - spiral
        if gold or spiral:
            self.events.append(MedalsTurned(gold, spiral, cause, seat=seat))

    def move(self, source: int, target: int, gold: int, spiral: int, cause: Cause) -> None:
        """Move medals between two seats, or between a seat and the discard.

        If too few are available, all available medals move. The discard doesn't distinguish sides: medals taken from it
        show Gold until ``gold`` have been taken, and after that Spiral.
        """
        if source == DISCARD:
            gold = min(gold, self.discard)
            spiral = min(spiral, self.discard - gold)
            self.discard -= gold + spiral
        else:
            gold, spiral = min(gold, self.gold[source]), min(spiral, self.spiral[source])
            self.gold[source] -= gold
            self.spiral[source] -= spiral
        if target == DISCARD:
            self.discard += gold + spiral
        else:
            self.gold[target] += gold
            self.spiral[target] += spiral
        if gold or spiral:
            self.events.append(MedalsMoved(source, target, gold, spiral, cause))

    def thieve(self, seat: int, source: int, number: int) -> None:
        """Move ``number`` stars to ``seat`` from ``source``, which must have that many."""
        self.stars[source] -= number
        self.stars[seat] += number
        if number:
            self.events.append(StarsMoved(source, number, seat=seat))
