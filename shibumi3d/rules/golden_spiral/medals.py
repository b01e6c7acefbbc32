"""Medals and stars in motion: counts that change and tell it as events."""

from __future__ import annotations

from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral.events import Cause, MedalsMoved, MedalsTurned, StarsMoved
from shibumi3d.rules.golden_spiral.state import DISCARD, State


class Medals:
    """The medals and stars of both seats and the discard. No count is changed elsewhere, and none gets below 0."""

    def __init__(self, state: State) -> None:
        self.gold = list(state.gold)
        self.spiral = list(state.spiral)
        self.stars = list(state.stars)
        self.discard = state.discard
        self.events: list[Event] = []

    def total(self, seat: int) -> int:
        """Return the medals of a seat, of both sides."""
        return self.gold[seat] + self.spiral[seat]

    def turn(self, seat: int, gold: int, spiral: int, cause: Cause) -> None:
        """Turn so many Gold medals of a seat to Spiral, and at the same time so many Spiral ones to Gold."""
        assert gold <= self.gold[seat]
        assert spiral <= self.spiral[seat]
        self.gold[seat] += spiral - gold
        self.spiral[seat] += gold - spiral
        if gold or spiral:
            self.events.append(MedalsTurned(gold, spiral, cause, seat=seat))

    def move(self, source: int, target: int, gold: int, spiral: int, cause: Cause) -> None:
        """Move medals from a seat or the discard to another, as far as they are there.

        In the discard sides do not matter, and Gold is taken first.
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
        """Move stars from the pile of ``source`` to that of ``seat``."""
        self.stars[source] -= number
        self.stars[seat] += number
        if number:
            self.events.append(StarsMoved(source, number, seat=seat))
