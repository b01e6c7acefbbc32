"""Animation of Hyena Spiral events: how long each event takes, and where everything is meanwhile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shibumi3d.rules.hyena_spiral import event as ev
from shibumi3d.rules.hyena_spiral.state import Leg, Walker
from shibumi3d.scene import motion
from shibumi3d.scene.frame import Piece, Solid
from shibumi3d.scene.hyena_spiral.figures import (
    CHIPS,
    Shown,
    chip,
    furniture,
    laid_at,
    pawn,
    spot_of,
    taba,
    tabas,
    with_walker,
)
from shibumi3d.scene.hyena_spiral.layout import DISH_TOP, spiral
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.sound_cues import SoundCue

# Durations are in milliseconds.
THROW = 900.0
PLACE, LONGEST_WALK = 70.0, 900.0
HOP = 0.18
EATEN = 260.0
RISE = 320.0
TABA, STAGGER, TABAS = 220.0, 60.0, 600.0
ROUND = 500.0
ABOVE = 11.0  # height above the table at which nothing is visible
TIPS = 0.4
"""Fraction of an ``Eaten`` event during which a villager that is still upright falls over."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Animation of one event, from ``begin`` to ``end`` in seconds.

    ``before`` and ``after`` are what is visible before and after the event. If ``back`` is set, the animation runs in
    reverse. ``met`` contains the villagers that the hyena reaches and eats during this event, by seat, each with the
    fraction of the time at which this happens. ``leaning`` contains the villagers that are tilted when the event
    begins, by seat, with their angles in radians.
    """

    event: ev.Event
    begin: float
    end: float
    before: Shown
    after: Shown
    met: tuple[tuple[int, float], ...] = ()
    back: bool = False
    leaning: tuple[tuple[int, float], ...] = ()

    def part(self, now: float) -> float:
        """Return the progress at time ``now``, from 0 to 1, or from 1 to 0 if it runs in reverse."""
        part = 1.0
        if self.end > self.begin:
            part = min(max((now - self.begin) / (self.end - self.begin), 0.0), 1.0)
        return 1.0 - part if self.back else part

    def tilts(self, now: float) -> dict[int, float]:
        """Return the tilt of each villager that the hyena has reached, in radians, by seat."""
        return self.tipped(self.part(now))

    def tipped(self, part: float) -> dict[int, float]:
        """Return the tilt of each villager that the hyena reaches, at progress ``part`` (0 to 1).

        Tilts are in radians, by seat.
        """
        tip = EATEN / 2 / max(length_of(self.event), 1.0)
        tilts = {seat: min(max((part - moment) / tip, 0.0), 1.0) for seat, moment in self.met}
        return dict(self.leaning) | {seat: math.pi / 2 * tilt for seat, tilt in tilts.items()}


def passages(shown: Shown, events: Sequence[ev.Event], pace: float, reduced: bool) -> list[Passage]:
    """Return the animations of ``events``, one after another from time 0.

    Events without duration are not animated. ``pace`` is the number of seconds per millisecond of nominal duration. If
    ``reduced`` is set, no animation takes longer than a fade.
    """
    found, begin = list[Passage](), 0.0
    leaning: tuple[tuple[int, float], ...] = ()
    for number, event in enumerate(events):
        length = length_of(event) * pace
        if reduced:
            length = min(length, motion.FADE_MS / 1000)
        after = followed(shown, event)
        if length:
            met = _met(event, events[number + 1 :])
            found.append(Passage(event, begin, begin + length, shown, after, met, leaning=leaning))
            leaning = tuple(found[-1].tipped(1.0).items())
        shown, begin = after, begin + length
    return found


def mirrored(steps: Sequence[Passage]) -> list[Passage]:
    """Return the animations in reverse order, each running in reverse."""
    whole = steps[-1].end if steps else 0.0
    return [
        replace(step, begin=whole - step.end, end=whole - step.begin, back=True) for step in reversed(steps)
    ]


def _met(event: ev.Event, then: Sequence[ev.Event]) -> tuple[tuple[int, float], ...]:
    """Return the seats that a walking hyena reaches, and when it does so.

    Times are fractions of the duration of ``event``. ``then`` contains the events that follow.
    """
    if not isinstance(event, ev.Walked) or event.place == event.origin:
        return ()
    found = []
    for other in then:
        if isinstance(other, ev.Walked):
            break
        if isinstance(other, ev.Eaten) and other.by == event.seat:
            gone = (other.place - event.origin) / (event.place - event.origin)
            # Walking is eased, so search for the moment in steps of 1 %.
            moment = next((k / 100 for k in range(101) if motion.EASE_STANDARD(k / 100) >= gone), 1.0)
            found.append((other.seat, moment))
    return tuple(found)


def followed(now: Shown, event: ev.Event) -> Shown:
    """Return what is visible after an event."""
    if isinstance(event, ev.Threw):
        return replace(now, chips=event.faces)
    if isinstance(event, ev.RoundBegan):
        fresh = tuple(Walker(points=walker.points, hunts=walker.hunts) for walker in now.walkers)
        return replace(now, walkers=fresh)
    if event.seat < 0:
        return now
    walker = now.walkers[event.seat]
    match event:
        case ev.Gained(number):
            walker = replace(walker, tabas=walker.tabas + number)
        case ev.Bought(number):
            walker = replace(walker, tabas=walker.tabas - number)
        case ev.Paid(number):
            walker = replace(walker, tabas=walker.tabas - number, paid=walker.paid + 1)
        case ev.Walked(_, place, leg):
            there = Leg.WELL if place == now.length else leg
            walker = replace(walker, place=place, leg=there, paid=0 if leg is Leg.BACK else walker.paid)
        case ev.Turned():
            walker = replace(walker, hyena=True, leg=Leg.OUT, place=0, paid=0)
        case ev.Eaten():
            walker = replace(walker, leg=Leg.EATEN)
        case ev.CameHome(points):
            walker = replace(walker, leg=Leg.HOME, points=walker.points + points)
        case _:
            return now
    return with_walker(now, event.seat, walker)


def length_of(event: ev.Event) -> float:
    """Return the duration of an event at normal speed, in milliseconds."""
    match event:
        case ev.Threw():
            return THROW
        case ev.Walked(origin, place):
            return min(PLACE * abs(place - origin), LONGEST_WALK)
        case ev.Gained(number) | ev.Bought(number) | ev.Paid(number):
            return min(TABA + STAGGER * (number - 1), TABAS)
        case ev.Turned():
            return 2 * RISE
        case ev.Eaten() | ev.CameHome():
            return EATEN
        case ev.RoundBegan():
            return ROUND
    return 0.0


def sounds(step: Passage) -> list[SoundCue]:
    """Return the sounds of an animation."""
    took = step.end - step.begin
    if step.back:
        return [SoundCue(step.end, "set", 0, 0, 0.7, "pawn")] if isinstance(step.event, ev.Walked) else []
    match step.event:
        case ev.Threw(faces):
            times = (0.55, 0.66, 0.78)
            return [
                SoundCue(step.begin + took * time, "set", 0, 0, 0.8, "chip") for time in times[: len(faces)]
            ]
        case ev.Gained(number) | ev.Bought(number) | ev.Paid(number):
            heard = min(number, 3)
            return [SoundCue(step.end - 0.05 * i, "set", 0, 0, 0.6, "taba") for i in range(heard)]
        case ev.Walked():
            falls = [
                SoundCue(step.begin + took * moment, "fall", 0, 0, 1.0, "pawn") for _, moment in step.met
            ]
            return [*falls, SoundCue(step.end, "set", 0, 0, 1.0, "pawn")]
        case ev.Turned() | ev.CameHome() | ev.Eaten():
            return [SoundCue(step.end, "set", 0, 0, 1.0, "pawn")]
    return []


def way(track_length: int, origin: int, place: int, seat: int, part: float) -> Vector:
    """Return the position, at progress ``part`` (0 to 1), of a pawn that hops from place to place."""
    reached = origin + (place - origin) * part
    x, y, z = spiral(track_length).at(reached, seat)
    return x, y, z + HOP * abs(math.sin(math.pi * reached))


def between(start: Vector, end: Vector, part: float, hop: float = 0.0) -> Vector:
    """Return the position at progress ``part`` (0 to 1) along an arc of height ``hop``."""
    x, y, z = (a + (b - a) * part for a, b in zip(start, end, strict=True))
    return x, y, z + hop * math.sin(math.pi * part)


def things(step: Passage, now: float, reduced: bool) -> tuple[list[Piece], list[Solid]]:
    """Return the pieces and solids to draw at time ``now`` during an animation."""
    part, fade = step.part(now), 1.0
    if reduced:
        # A moving piece fades out at its start and fades in at its end.
        part, fade = (0.0 if part < 0.5 else 1.0), max(abs(2 * part - 1), 0.02)
    shown = step.before if part < 1.0 else step.after
    found = furniture(shown)
    match step.event:
        case ev.Threw(faces):
            found += _thrown(shown, faces, part)
        case _:
            found += resting_chips(shown)
    event = step.event
    # A pawn that leaves the well gives the tabas it paid to the bank.
    leaves = isinstance(event, ev.Walked) and event.leg is Leg.BACK
    lying = tabas(step.after if leaves else shown)
    moving: tuple[int, ...] = ()
    if isinstance(event, ev.Walked | ev.Turned | ev.Eaten | ev.CameHome):
        moving = (event.seat,)
        found += [piece._replace(alpha=piece.alpha * fade) for piece in _moved(step, event, part)]
    elif isinstance(event, ev.Gained | ev.Bought | ev.Paid):
        lying += _flying(step, event, part)
    tilts = step.tilts(now) if not reduced else {}
    for seat in range(len(shown.walkers)):
        if seat not in moving:
            found += standing(shown, seat, tilts.get(seat, 0.0))
    return found, lying


def standing(shown: Shown, seat: int, tilt: float = 0.0) -> list[Piece]:
    """Return the pieces of a seat's pawn while it does not move.

    ``tilt`` is its angle in radians. A pawn that has been eaten always lies.
    """
    walker = shown.walkers[seat]
    tilt = math.pi / 2 if walker.leg is Leg.EATEN else tilt
    return pawn(walker, seat, spot_of(shown, seat), tilt=tilt)


def resting_chips(shown: Shown) -> list[Piece]:
    """Return the chips in their bowl."""
    x, y = spiral(shown.length).bowl
    return [
        chip((x + dx, y + dy, DISH_TOP), white) for (dx, dy), white in zip(CHIPS, shown.chips, strict=True)
    ]


def _thrown(shown: Shown, faces: tuple[bool, ...], part: float) -> list[Piece]:
    """Return the chips during a throw.

    They rise together, spin, and land one after another.
    """
    x, y = spiral(shown.length).bowl
    found = []
    for number, ((dx, dy), white) in enumerate(zip(CHIPS, faces, strict=True)):
        own = min(part / (0.62 + 0.13 * number), 1.0)
        if own <= 0.0:
            found.append(chip((x + dx, y + dy, DISH_TOP), shown.chips[number]))
            continue
        height = 1.9 * math.sin(math.pi * min(own / 0.8, 1.0)) + 0.25 * _bounce(own)
        turns = (2.0 + number) * math.tau * (1.0 - motion.EASE_STANDARD(own))
        near = 1.0 - 0.5 * math.sin(math.pi * min(own / 0.8, 1.0))
        at = (x + dx * near, y + dy * near, DISH_TOP + max(height, 0.0))
        found.append(chip(at, white, tilt=turns))
    return found


def _bounce(part: float) -> float:
    """Return the height of a chip's bounce after it has landed, relative to the maximum."""
    return math.sin(math.pi * (part - 0.8) / 0.2) if part > 0.8 else 0.0


def _moved(step: Passage, event: ev.Event, part: float) -> list[Piece]:
    """Return the pieces of the pawn that an event moves."""
    seat = event.seat
    before, after = step.before.walkers[seat], step.after.walkers[seat]
    start, end = spot_of(step.before, seat), spot_of(step.after, seat)
    match event:
        case ev.Walked(origin, place, leg):
            eased = motion.EASE_STANDARD(part)
            at = way(step.before.length, origin, place, seat, eased)
            # Blend in the offsets of places it shares with others at the start and end.
            for spot, place_, share in ((start, origin, 1 - eased), (end, place, eased)):
                x, y, _ = spiral(step.before.length).at(place_, seat)
                at = at[0] + (spot[0] - x) * share**4, at[1] + (spot[1] - y) * share**4, at[2]
            return pawn(replace(before, leg=leg), seat, at)
        case ev.Turned():
            # The villager is lifted out of view, and the hyena is put down in her place.
            if part < 0.5:
                return pawn(before, seat, (start[0], start[1], start[2] + ABOVE * motion.EASE_IN(2 * part)))
            left = 1.0 - motion.EASE_STANDARD(2 * part - 1)
            return pawn(after, seat, (end[0], end[1], end[2] + ABOVE * left))
        case ev.Eaten():
            # She falls over, unless she already lies, and is then carried off the board.
            lean = dict(step.leaning).get(seat, 0.0) / (math.pi / 2)
            fall = TIPS * (1.0 - lean)
            tipped = lean + (1.0 - lean) * min(part / fall, 1.0) if fall else 1.0
            at = between(start, end, motion.EASE_STANDARD(max(0.0, part - fall) / (1.0 - fall)), 0.8)
            return pawn(before if part < 1.0 else after, seat, at, tilt=tipped * math.pi / 2)
        case _:
            return pawn(after, seat, between(start, end, motion.EASE_STANDARD(part), 0.3))


def _flying(step: Passage, event: ev.Gained | ev.Bought | ev.Paid, part: float) -> list[Solid]:
    """Return the tabas that are moving between bank, dish and well."""
    track = spiral(step.before.length)
    seat, number = event.seat, event.tabas
    x, y = track.dish(seat, len(step.before.walkers))
    dish, bank = (x, y, DISH_TOP + 0.1), (*track.bank, DISH_TOP + 0.1)
    start, end = (bank, dish) if isinstance(event, ev.Gained) else (dish, bank)
    if isinstance(event, ev.Paid):
        end = laid_at(track, seat)
    took = step.end - step.begin or 1.0
    found = []
    for i in range(number):
        late = min(STAGGER * i, TABAS - TABA) / 1000 * took / (length_of(event) / 1000)
        own = (part * took - late) / (took * TABA / length_of(event))
        if 0.0 < own < 1.0:
            found.append(taba(between(start, end, motion.EASE_STANDARD(own), 1.2)))
    return found
