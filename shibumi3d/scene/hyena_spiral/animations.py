"""Animations of Hyena Spiral events: how long each event takes, and where everything is meanwhile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral.state import Leg, Walker
from shibumi3d.scene import motion
from shibumi3d.scene.frame import Piece, Solid
from shibumi3d.scene.hyena_spiral.figures import (
    CHIP_OFFSETS,
    VisibleTable,
    make_chip,
    make_furniture,
    make_pawn,
    make_taba,
    make_tabas,
    paid_tabas_position,
    pawn_position,
    replace_walker,
)
from shibumi3d.scene.hyena_spiral.layout import DISH_TOP_Z, spiral_geometry
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.sound_cues import SoundCue

# Durations are in milliseconds.
THROW_MS = 900.0
STEP_MS, MAX_WALK_MS = 70.0, 900.0
HOP_HEIGHT = 0.18
EATEN_MS = 260.0
RISE_MS = 320.0
TABA_MS, TABA_STAGGER_MS, MAX_TABAS_MS = 220.0, 60.0, 600.0
ROUND_START_MS = 500.0
OUT_OF_SIGHT_HEIGHT = 11.0  # height above the table at which a pawn is out of sight
FALL_FRACTION = 0.4
"""Fraction of an ``Eaten`` event during which a villager that is still upright falls over."""


@dataclass(frozen=True, slots=True)
class EventAnimation:
    """Animation of one event, from ``start_time`` to ``end_time`` in seconds.

    ``before`` and ``after`` are what is visible before and after the event. If ``is_reversed`` is set, the animation
    runs in reverse. ``eaten_at`` lists the villagers that the hyena reaches and eats during this event, as pairs of a
    seat and the fraction of the duration after which this happens. ``initial_tilts`` lists the villagers that are
    tilted when the event begins, as pairs of a seat and an angle in radians.
    """

    event: ev.Event
    start_time: float
    end_time: float
    before: VisibleTable
    after: VisibleTable
    eaten_at: tuple[tuple[int, float], ...] = ()
    is_reversed: bool = False
    initial_tilts: tuple[tuple[int, float], ...] = ()

    def progress_at(self, now: float) -> float:
        """Return the progress at time ``now``, from 0 to 1, or from 1 to 0 if the animation runs in reverse."""
        progress = 1.0
        if self.end_time > self.start_time:
            progress = min(max((now - self.start_time) / (self.end_time - self.start_time), 0.0), 1.0)
        return 1.0 - progress if self.is_reversed else progress

    def tilts_at(self, now: float) -> dict[int, float]:
        """Return the tilts of the villagers at time ``now``; see :meth:`tilts_at_progress`."""
        return self.tilts_at_progress(self.progress_at(now))

    def tilts_at_progress(self, progress: float) -> dict[int, float]:
        """Return the tilts in radians, by seat, of the villagers that are tilted already or fall during this event.

        ``progress`` is from 0 to 1. All other villagers are left out.
        """
        tip = EATEN_MS / 2 / max(event_duration_ms(self.event), 1.0)
        tilts = {seat: min(max((progress - moment) / tip, 0.0), 1.0) for seat, moment in self.eaten_at}
        return dict(self.initial_tilts) | {seat: math.pi / 2 * tilt for seat, tilt in tilts.items()}


def make_animations(
    table: VisibleTable, events: Sequence[ev.Event], seconds_per_ms: float, reduce_motion: bool
) -> list[EventAnimation]:
    """Return the animations of ``events``, one after another from time 0.

    ``table`` is what is visible before the first event. Events without duration are not animated. ``seconds_per_ms`` is
    the number of seconds per millisecond of nominal duration. If ``reduce_motion`` is set, no animation takes longer
    than a fade.
    """
    found, begin = list[EventAnimation](), 0.0
    leaning: tuple[tuple[int, float], ...] = ()
    for number, event in enumerate(events):
        length = event_duration_ms(event) * seconds_per_ms
        if reduce_motion:
            length = min(length, motion.FADE_MS / 1000)
        after = table_after(table, event)
        if length:
            eaten_seats = _find_eaten_seats(event, events[number + 1 :])
            found.append(
                EventAnimation(event, begin, begin + length, table, after, eaten_seats, initial_tilts=leaning)
            )
            leaning = tuple(found[-1].tilts_at_progress(1.0).items())
        table, begin = after, begin + length
    return found


def reverse_animations(animations: Sequence[EventAnimation]) -> list[EventAnimation]:
    """Return the animations in reverse order, each running in reverse."""
    whole = animations[-1].end_time if animations else 0.0
    return [
        replace(step, start_time=whole - step.end_time, end_time=whole - step.start_time, is_reversed=True)
        for step in reversed(animations)
    ]


def _find_eaten_seats(event: ev.Event, later_events: Sequence[ev.Event]) -> tuple[tuple[int, float], ...]:
    """Return the seat of each villager that a walking hyena eats, and the moment when it reaches the villager.

    Moments are fractions of the duration of ``event``. ``later_events`` contains the events that follow. The result is
    empty if ``event`` isn't a walk.
    """
    if not isinstance(event, ev.Walked) or event.to_place == event.from_place:
        return ()
    found = []
    for other in later_events:
        if isinstance(other, ev.Walked):
            break
        if isinstance(other, ev.Eaten) and other.hyena_seat == event.seat:
            gone = (other.place - event.from_place) / (event.to_place - event.from_place)
            # Walking is eased, so search for the moment in steps of 1%.
            moment = next((k / 100 for k in range(101) if motion.EASE_STANDARD(k / 100) >= gone), 1.0)
            found.append((other.seat, moment))
    return tuple(found)


def table_after(table: VisibleTable, event: ev.Event) -> VisibleTable:
    """Return ``table`` with the changes that ``event`` makes."""
    if isinstance(event, ev.Threw):
        return replace(table, chips=event.faces)
    if isinstance(event, ev.RoundStarted):
        fresh = tuple(Walker(points=walker.points, hyena_wins=walker.hyena_wins) for walker in table.walkers)
        return replace(table, walkers=fresh)
    if event.seat < 0:
        return table
    walker = table.walkers[event.seat]
    match event:
        case ev.Gained(number):
            walker = replace(walker, tabas=walker.tabas + number)
        case ev.Bought(number):
            walker = replace(walker, tabas=walker.tabas - number)
        case ev.Paid(number):
            walker = replace(walker, tabas=walker.tabas - number, fees_paid=walker.fees_paid + 1)
        case ev.Walked(_, place, leg):
            there = Leg.WELL if place == table.length else leg
            walker = replace(
                walker, place=place, leg=there, fees_paid=0 if leg is Leg.BACK else walker.fees_paid
            )
        case ev.BecameHyena():
            walker = replace(walker, is_hyena=True, leg=Leg.OUT, place=0, fees_paid=0)
        case ev.Eaten():
            walker = replace(walker, leg=Leg.EATEN)
        case ev.CameHome(points):
            walker = replace(walker, leg=Leg.HOME, points=walker.points + points)
        case _:
            return table
    return replace_walker(table, event.seat, walker)


def event_duration_ms(event: ev.Event) -> float:
    """Return the duration of an event at normal speed, in milliseconds, or 0 if it isn't animated."""
    match event:
        case ev.Threw():
            return THROW_MS
        case ev.Walked(origin, place):
            return min(STEP_MS * abs(place - origin), MAX_WALK_MS)
        case ev.Gained(number) | ev.Bought(number) | ev.Paid(number):
            return min(TABA_MS + TABA_STAGGER_MS * (number - 1), MAX_TABAS_MS)
        case ev.BecameHyena():
            return 2 * RISE_MS
        case ev.Eaten() | ev.CameHome():
            return EATEN_MS
        case ev.RoundStarted():
            return ROUND_START_MS
    return 0.0


def animation_sounds(animation: EventAnimation) -> list[SoundCue]:
    """Return the sounds of an animation.

    If the animation is reversed, only the end of a walk is heard.
    """
    took = animation.end_time - animation.start_time
    if animation.is_reversed:
        return (
            [SoundCue(animation.end_time, "set", 0, 0, 0.7, "pawn")]
            if isinstance(animation.event, ev.Walked)
            else []
        )
    match animation.event:
        case ev.Threw(faces):
            times = (0.55, 0.66, 0.78)
            return [
                SoundCue(animation.start_time + took * time, "set", 0, 0, 0.8, "chip")
                for time in times[: len(faces)]
            ]
        case ev.Gained(number) | ev.Bought(number) | ev.Paid(number):
            heard = min(number, 3)
            return [SoundCue(animation.end_time - 0.05 * i, "set", 0, 0, 0.6, "taba") for i in range(heard)]
        case ev.Walked():
            falls = [
                SoundCue(animation.start_time + took * moment, "fall", 0, 0, 1.0, "pawn")
                for _, moment in animation.eaten_at
            ]
            return [*falls, SoundCue(animation.end_time, "set", 0, 0, 1.0, "pawn")]
        case ev.BecameHyena() | ev.CameHome() | ev.Eaten():
            return [SoundCue(animation.end_time, "set", 0, 0, 1.0, "pawn")]
    return []


def walking_position(track_length: int, from_place: int, to_place: int, seat: int, progress: float) -> Vector:
    """Return the position of a pawn that has covered ``progress`` (0 to 1) of its way, hopping from place to place."""
    reached = from_place + (to_place - from_place) * progress
    x, y, z = spiral_geometry(track_length).pawn_position(reached, seat)
    return x, y, z + HOP_HEIGHT * abs(math.sin(math.pi * reached))


def arc_position(start: Vector, end: Vector, progress: float, arc_height: float = 0.0) -> Vector:
    """Return the position at ``progress`` (0 to 1) on an arc of height ``arc_height`` from ``start`` to ``end``."""
    x, y, z = (a + (b - a) * progress for a, b in zip(start, end, strict=True))
    return x, y, z + arc_height * math.sin(math.pi * progress)


def draw_animation(
    animation: EventAnimation, now: float, reduce_motion: bool
) -> tuple[list[Piece], list[Solid]]:
    """Return the pieces and solids to draw at time ``now`` during an animation."""
    part, fade = animation.progress_at(now), 1.0
    if reduce_motion:
        # A moving piece fades out at its start and fades in at its end.
        part, fade = (0.0 if part < 0.5 else 1.0), max(abs(2 * part - 1), 0.02)
    shown = animation.before if part < 1.0 else animation.after
    found = make_furniture(shown)
    match animation.event:
        case ev.Threw(faces):
            found += _make_thrown_chips(shown, faces, part)
        case _:
            found += make_resting_chips(shown)
    event = animation.event
    # A pawn that leaves the well gives the tabas it paid to the bank.
    leaves = isinstance(event, ev.Walked) and event.leg is Leg.BACK
    lying = make_tabas(animation.after if leaves else shown)
    moving: tuple[int, ...] = ()
    if isinstance(event, ev.Walked | ev.BecameHyena | ev.Eaten | ev.CameHome):
        moving = (event.seat,)
        found += [
            piece._replace(alpha=piece.alpha * fade) for piece in _make_moving_pawn(animation, event, part)
        ]
    elif isinstance(event, ev.Gained | ev.Bought | ev.Paid):
        lying += _make_moving_tabas(animation, event, part)
    tilts = animation.tilts_at(now) if not reduce_motion else {}
    for seat in range(len(shown.walkers)):
        if seat not in moving:
            found += make_standing_pawn(shown, seat, tilts.get(seat, 0.0))
    return found, lying


def make_standing_pawn(table: VisibleTable, seat: int, tilt: float = 0.0) -> list[Piece]:
    """Return the pieces that form a seat's pawn, at the pawn's position on the table.

    ``tilt`` is the pawn's angle from the vertical, in radians. A pawn that has been eaten always lies on its side.
    """
    walker = table.walkers[seat]
    tilt = math.pi / 2 if walker.leg is Leg.EATEN else tilt
    return make_pawn(walker, seat, pawn_position(table, seat), tilt=tilt)


def make_resting_chips(table: VisibleTable) -> list[Piece]:
    """Return the chips in their bowl."""
    x, y = spiral_geometry(table.length).bowl_position
    return [
        make_chip((x + dx, y + dy, DISH_TOP_Z), white)
        for (dx, dy), white in zip(CHIP_OFFSETS, table.chips, strict=True)
    ]


def _make_thrown_chips(table: VisibleTable, faces: tuple[bool, ...], progress: float) -> list[Piece]:
    """Return the chips at ``progress`` (0 to 1) of a throw that ends with ``faces``.

    The chips rise together, spin, and land one after another.
    """
    x, y = spiral_geometry(table.length).bowl_position
    found = []
    for number, ((dx, dy), white) in enumerate(zip(CHIP_OFFSETS, faces, strict=True)):
        own = min(progress / (0.62 + 0.13 * number), 1.0)
        if own <= 0.0:
            found.append(make_chip((x + dx, y + dy, DISH_TOP_Z), table.chips[number]))
            continue
        height = 1.9 * math.sin(math.pi * min(own / 0.8, 1.0)) + 0.25 * _bounce_height(own)
        turns = (2.0 + number) * math.tau * (1.0 - motion.EASE_STANDARD(own))
        near = 1.0 - 0.5 * math.sin(math.pi * min(own / 0.8, 1.0))
        at = (x + dx * near, y + dy * near, DISH_TOP_Z + max(height, 0.0))
        found.append(make_chip(at, white, tilt=turns))
    return found


def _bounce_height(progress: float) -> float:
    """Return the height of a thrown chip's bounce at ``progress``, relative to the maximum.

    ``progress``, from 0 to 1, is the completed fraction of the chip's throw. The chip lands at 0.8 and then bounces
    once; until then, the height is 0.
    """
    return math.sin(math.pi * (progress - 0.8) / 0.2) if progress > 0.8 else 0.0


def _make_moving_pawn(animation: EventAnimation, event: ev.Event, progress: float) -> list[Piece]:
    seat = event.seat
    before, after = animation.before.walkers[seat], animation.after.walkers[seat]
    start, end = pawn_position(animation.before, seat), pawn_position(animation.after, seat)
    match event:
        case ev.Walked(origin, place, leg):
            eased = motion.EASE_STANDARD(progress)
            at = walking_position(animation.before.length, origin, place, seat, eased)
            # Blend in the offsets that the pawn has where it shares its first or last place with others.
            for spot, place_, share in ((start, origin, 1 - eased), (end, place, eased)):
                x, y, _ = spiral_geometry(animation.before.length).pawn_position(place_, seat)
                at = at[0] + (spot[0] - x) * share**4, at[1] + (spot[1] - y) * share**4, at[2]
            return make_pawn(replace(before, leg=leg), seat, at)
        case ev.BecameHyena():
            # The villager is lifted out of view, and the hyena is put down in her place.
            if progress < 0.5:
                return make_pawn(
                    before,
                    seat,
                    (start[0], start[1], start[2] + OUT_OF_SIGHT_HEIGHT * motion.EASE_IN(2 * progress)),
                )
            left = 1.0 - motion.EASE_STANDARD(2 * progress - 1)
            return make_pawn(after, seat, (end[0], end[1], end[2] + OUT_OF_SIGHT_HEIGHT * left))
        case ev.Eaten():
            # She falls over, unless she already lies on her side, and is then carried off the board.
            lean = dict(animation.initial_tilts).get(seat, 0.0) / (math.pi / 2)
            fall = FALL_FRACTION * (1.0 - lean)
            tipped = lean + (1.0 - lean) * min(progress / fall, 1.0) if fall else 1.0
            at = arc_position(start, end, motion.EASE_STANDARD(max(0.0, progress - fall) / (1.0 - fall)), 0.8)
            return make_pawn(before if progress < 1.0 else after, seat, at, tilt=tipped * math.pi / 2)
        case _:
            return make_pawn(after, seat, arc_position(start, end, motion.EASE_STANDARD(progress), 0.3))


def _make_moving_tabas(
    animation: EventAnimation, event: ev.Gained | ev.Bought | ev.Paid, progress: float
) -> list[Solid]:
    """Return the tabas that are in the air between bank, dish and well."""
    track = spiral_geometry(animation.before.length)
    seat, number = event.seat, event.tabas
    x, y = track.dish_position(seat, len(animation.before.walkers))
    dish, bank = (x, y, DISH_TOP_Z + 0.1), (*track.bank_position, DISH_TOP_Z + 0.1)
    start, end = (bank, dish) if isinstance(event, ev.Gained) else (dish, bank)
    if isinstance(event, ev.Paid):
        end = paid_tabas_position(track, seat)
    took = animation.end_time - animation.start_time or 1.0
    found = []
    for i in range(number):
        late = (
            min(TABA_STAGGER_MS * i, MAX_TABAS_MS - TABA_MS) / 1000 * took / (event_duration_ms(event) / 1000)
        )
        own = (progress * took - late) / (took * TABA_MS / event_duration_ms(event))
        if 0.0 < own < 1.0:
            found.append(make_taba(arc_position(start, end, motion.EASE_STANDARD(own), 1.2)))
    return found
