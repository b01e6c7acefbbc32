"""Animation of marble events as segments of motion, and scheduling of flights that must not collide.

:data:`ANIMATORS` maps each kind of event to a group name and the function that animates it. Consecutive events with the
same group name are animated together.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.marbles.actors import (
    Actor,
    Cast,
    Cell,
    HeldMarble,
    MotionSegment,
    Recolouring,
    StockChange,
    held_position,
    marble_variation,
    position_clear_of_load,
    side_marble_variation,
)
from shibumi3d.scene.marbles.layout import Array, Vector
from shibumi3d.scene.sound_cues import Contact, Touch

SAMPLE_INTERVAL_MS = 10.0
"""Time between two samples of a flight, in milliseconds."""
STARTS_AT_ONCE = 8
"""Number of start times of a flight that are tried at once."""
MIN_SEPARATION = 1.0
"""Minimum distance between the centres of two marbles in the air.

Between two samples, they may come slightly closer.
"""
_FAR_AWAY = 1e6


class FlightLeg(NamedTuple):
    """Part of a flight: its duration in milliseconds, its path and its easing.

    The path must also accept an array of fractions, and return the positions as one array per coordinate.
    """

    duration_ms: float
    path: motion.Path
    easing: motion.Easing


@functools.lru_cache(maxsize=512)
def _sample_progress(easing: motion.Easing, duration_ms: float, first_ms: float) -> Any:
    """Return the fraction of a leg's path that is covered at each sample.

    The first sample is ``first_ms`` milliseconds after the start of the leg. The others follow every
    :data:`SAMPLE_INTERVAL_MS` milliseconds; the last one is before the end of the leg.
    """
    count = max(math.ceil((duration_ms - first_ms) / SAMPLE_INTERVAL_MS), 0)
    return np.array([easing((first_ms + step * SAMPLE_INTERVAL_MS) / duration_ms) for step in range(count)])


class FlightScheduler:
    """Scheduler that delays flights above the boards to keep the marbles from colliding.

    It checks the distances between the marbles once every :data:`SAMPLE_INTERVAL_MS` milliseconds of the animation.
    """

    def __init__(self) -> None:
        self.flights: list[tuple[int, Array]] = []
        """For each marble, the step at which it starts and its position at each step.

        The positions are an array of shape (3, steps).
        """

    def schedule(self, legs: Sequence[FlightLeg], earliest_ms: float) -> float:
        """Schedule a flight that consists of ``legs``; return its start time in milliseconds.

        The flight starts at the first multiple of :data:`SAMPLE_INTERVAL_MS`, not before ``earliest_ms``, at which the
        marble can start without colliding with any marble scheduled before it.
        """
        way = self._sample_flight(legs)
        first = math.ceil(earliest_ms / SAMPLE_INTERVAL_MS)
        # All marbles in the air, from step ``first`` on; before and after its flight a marble is placed far away.
        flying = [(start, other) for start, other in self.flights if first < start + other.shape[1]]
        if flying:
            last = max(start + other.shape[1] for start, other in flying)
            air = np.full((3, len(flying), last - first + way.shape[1]), _FAR_AWAY)
            for number, (start, other) in enumerate(flying):
                skipped = max(first - start, 0)
                begin = max(start - first, 0)
                air[:, number, begin : begin + other.shape[1] - skipped] = other[:, skipped:]
            first += _first_free_start(way, air)
        self.flights.append((first, way))
        return first * SAMPLE_INTERVAL_MS

    @staticmethod
    def _sample_flight(legs: Sequence[FlightLeg]) -> Array:
        progress: list[Any] = []
        late = 0.0
        for leg in legs:
            parts = _sample_progress(leg.easing, round(leg.duration_ms, 1), round(late, 1))
            progress.append(parts)
            late += len(parts) * SAMPLE_INTERVAL_MS - leg.duration_ms
        way = np.empty((3, sum(map(len, progress)) + 1))
        first = 0
        for leg, parts in zip(legs, progress, strict=True):
            for axis, positions in enumerate(leg.path(parts)):
                way[axis, first : first + len(parts)] = positions
            first += len(parts)
        way[:, first] = legs[-1].path(1.0)
        return way


def _first_free_start(flight: Array, other_flights: Array) -> int:
    """Return the first step at which a flight can start without colliding with any other flight.

    ``flight`` (3, steps) contains the positions of the flight. ``other_flights`` (3, marbles, steps) contains those of
    the other flights, in C order. Raises ValueError if ``other_flights`` spans too few steps to include a free start.
    """
    axes, marbles, steps = other_flights.shape
    # The same as numpy's sliding_window_view, which takes longer than the whole comparison.
    starts: Array = np.ndarray(
        (axes, marbles, steps - flight.shape[1] + 1, flight.shape[1]),
        other_flights.dtype,
        other_flights,
        strides=(*other_flights.strides, other_flights.strides[2]),
    )
    for first in range(0, starts.shape[2], STARTS_AT_ONCE):
        gaps = starts[:, :, first : first + STARTS_AT_ONCE] - flight[:, None, None]
        gaps *= gaps
        is_free = (gaps[0] + gaps[1] + gaps[2]).min(axis=(0, 2)) >= MIN_SEPARATION * MIN_SEPARATION
        if is_free.any():
            return first + int(is_free.argmax())
    raise ValueError("there is no free start")


TOUCHING_DISTANCE = 1.01
"""Maximum distance between the centres of two marbles that touch."""
_SIDE_DIRECTIONS: tuple[Vector, ...] = ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0))


class Animation:
    """Animation of a group of events; its times are in milliseconds from its beginning.

    ``duration_ms`` is the time at which the boards have come to rest and the next animation can begin. ``tail_ms`` is
    the time at which all marbles that leave the boards have reached their stocks or disappeared.
    """

    def __init__(self, cast: Cast, start_time: float, seconds_per_ms: float) -> None:
        self.cast = cast
        self.start_time = start_time
        self.seconds_per_ms = seconds_per_ms
        self.duration_ms = self.tail_ms = 0.0
        self.entry_tracks: list[list[MotionSegment]] = []  # motion of entering marbles, up to their rows
        self._falls: list[tuple[float, Vector]] = []  # time and place at which marbles end their falls

    def point_position(self, board: int, point: int) -> Vector:
        """Return the centre of a marble on ``point`` of ``board``."""
        return self.cast.layout.point_position(board, point)

    def find_load(self, socket: Cell) -> Vector | None:
        """Return the position of the only marble that rests on the marble at ``socket``.

        Return None if there is no such marble or more than one.
        """
        resting = {
            (socket[0], point)
            for point in get_pyramid(self.cast.layout.sizes[socket[0]]).resting_points[socket[1]]
        }
        found = [actor.position for actor in self.cast.actors if actor.socket in resting]
        return found[0] if len(found) == 1 else None

    def other_positions(self, actor: Actor) -> list[Vector]:
        """Return the final positions of all other marbles, except those that are leaving."""
        return [a.position for a in self.cast.actors if a is not actor and not a.is_leaving]

    def carry_path(self, actor: Actor, start: Vector, end: Vector) -> motion.Path:
        """Return a path on which a hand-carried marble, if possible, avoids all others and stays in the frame.

        :func:`.choose_carry_paths` determines the shape of the path later, when the motion for all events has been
        added.
        """
        way = self.cast.make_carry_path(start, end, self.other_positions(actor))
        self.cast.pending_carries.append(way)
        return way

    def plan_lift(
        self, actor: Actor, load: Vector | None, destination: Vector | None = None
    ) -> tuple[Vector, motion.Path, list[Vector]]:
        """Return where to hold a lifted marble, the path there, and the positions to avoid afterwards.

        ``load`` is the position of a marble that rests on the lifted one and will fall, or None if there is no such
        marble. The positions to avoid include those through which the load falls. If ``destination`` is given, the
        marble is held, if possible, where the straight path to the destination avoids the load.
        """
        at, others = actor.position, self.other_positions(actor)
        if load is None:
            up = self.cast.lift_position(at)
            return up, motion.straight_path(at, up), others
        up = position_clear_of_load(
            at, load, self.cast.frame_edges, [other for other in others if other != load], destination
        )
        return up, motion.slip_out_path(at, load, up), [*others, *motion.roll_down_points(load, at, 4)]

    def add_segment(
        self,
        actor: Actor,
        start_ms: float,
        duration_ms: float,
        path: motion.Path,
        easing: motion.Easing,
        alpha: tuple[float, float] = (1.0, 1.0),
        fade_interval: tuple[float, float] = (0.0, 1.0),
        final_variation: tuple[float, float] | None = None,
        spin: motion.Spin | None = None,
    ) -> float:
        """Append a segment to a marble's motion, and return the segment's end time in milliseconds.

        ``final_variation`` is the marble's variation at the end, or None if it does not change. For the other
        arguments, see :class:`.MotionSegment`.
        """
        ending = final_variation or actor.variation
        actor.track.append(
            MotionSegment(
                self.start_time + start_ms * self.seconds_per_ms,
                self.start_time + (start_ms + duration_ms) * self.seconds_per_ms,
                path,
                easing,
                (actor.variation, ending),
                alpha,
                fade_interval,
                spin,
            )
        )
        actor.variation = ending
        if actor.is_leaving:
            self.tail_ms = max(self.tail_ms, start_ms + duration_ms)
        else:
            self.duration_ms = max(self.duration_ms, start_ms + duration_ms)
        return start_ms + duration_ms

    def add_appearance(self, actor: Actor, start_ms: float) -> None:
        """Make a marble appear abruptly at ``start_ms``, or disappear if it is leaving."""
        alpha = (1.0, 0.0) if actor.is_leaving else (0.0, 1.0)
        self.add_segment(
            actor,
            start_ms,
            0.0,
            motion.straight_path(actor.position, actor.position),
            motion.linear,
            alpha,
            (0.0, 0.0),
        )

    def record_stock_change(self, key: str, colour: int, time_ms: float, change: int) -> None:
        """Record that a marble leaves a stock (``change`` -1) or arrives there (1); do nothing if ``key`` is empty."""
        if key:
            self.cast.stock_changes.append(
                StockChange(key, colour, self.start_time + time_ms * self.seconds_per_ms, change)
            )

    def record_contact(
        self,
        kind: Touch,
        actor: Actor,
        socket: Cell | None,
        start_ms: float,
        duration_ms: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Record an audible contact of a marble with its socket or with the table.

        The contact begins at ``start_ms`` and lasts ``duration_ms``; ``gain`` is the loudness of its sound. ``socket``
        is the socket that the marble touches or leaves. If it is None, the marble is beside the boards and sounds as on
        level A.
        """
        begin = self.start_time + start_ms * self.seconds_per_ms
        level = 0 if socket is None else int(self.cast.layout.levels[socket[0]][socket[1]])
        self.cast.contacts.append(
            Contact(begin, begin + duration_ms * self.seconds_per_ms, kind, actor.colour, level, gain)
        )

    def add_crossfade(
        self,
        actor: Actor,
        end: Vector,
        alpha: tuple[float, float],
        final_variation: tuple[float, float],
        socket: Cell | None = None,
    ) -> None:
        """Fade a marble out at its position and in at ``end`` instead of moving it, for reduced motion.

        ``alpha`` is (1, 0) to only fade it out, (0, 1) to only fade it in, and (1, 1) for both. The marble fades in
        with ``final_variation``. If ``socket`` is given, the marble makes the sound of being set down there.
        """
        start = actor.position
        length = motion.FADE_MS / sum(alpha)
        when = 0.0
        if alpha[0]:
            when = self.add_segment(
                actor, when, length, motion.straight_path(start, start), motion.linear, (1.0, 0.0)
            )
        if alpha[1]:
            when = self.add_segment(
                actor,
                when,
                length,
                motion.straight_path(end, end),
                motion.linear,
                (0.0, 1.0),
                final_variation=final_variation,
            )
        if socket is not None:
            self.record_contact("set", actor, socket, when)
        actor.position = end

    def add_set_down(
        self, actor: Actor, start_ms: float, socket: Cell, duration_ms: float = motion.SET_DOWN_MS
    ) -> float:
        """Set a marble down into its socket from straight above; return the time at which it lands.

        A rebound follows.
        """
        end = self.point_position(*socket)
        when = self.add_segment(
            actor, start_ms, duration_ms, motion.straight_path(actor.position, end), motion.ease_fall
        )
        actor.position, actor.socket, actor.origin = end, socket, None
        self.record_contact("set", actor, socket, when)
        self.add_rebound(actor, when, end, socket)
        return when

    def add_rebound(self, actor: Actor, start_ms: float, position: Vector, socket: Cell | None) -> float:
        """Let a marble rebound once at ``position``; return the time at which it comes to rest, in milliseconds.

        ``socket`` is the marble's socket, or None if the marble is beside the boards.
        """
        when = self.add_segment(
            actor, start_ms, motion.REBOUND_MS, motion.rebound_path(position), motion.linear
        )
        if self.seconds_per_ms:
            self.record_contact("set", actor, socket, when, gain=motion.REBOUND_GAIN)
        return when

    def add_drop(self, actor: Actor, start_ms: float, socket: Cell) -> None:
        """Animate a marble that falls one level down into ``socket`` and rebounds."""
        end = self.point_position(*socket)
        path, spin = motion.roll_down_path(actor.position, end), motion.roll_down_spin(actor.position, end)
        when = self.add_segment(
            actor,
            start_ms,
            motion.DROP_MS,
            path,
            motion.ease_fall,
            final_variation=marble_variation(socket),
            spin=spin,
        )
        self.record_contact("fall", actor, socket, when)
        self.add_rebound(actor, when, end, socket)
        self._falls.append((when, end))

    def add_nudges(self) -> None:
        """Nudge resting marbles slightly aside and back where other marbles fall against them.

        Call this after all marbles have been given their final positions and all other segments.
        """
        for when, place in sorted(self._falls):
            begin = self.start_time + when * self.seconds_per_ms
            for actor in self.cast.actors:
                if (
                    actor.socket is not None
                    and 0.0 < math.dist(actor.position, place) < TOUCHING_DISTANCE
                    and (not actor.track or actor.track[-1].end <= begin)
                ):
                    path = motion.nudge_path(actor.position, place)
                    self.add_segment(actor, when, motion.NUDGE_MS, path, motion.linear)

    def add_push(self, actor: Actor, start_ms: float, socket: Cell) -> None:
        """Animate the push of a marble along its row into ``socket``."""
        end = self.point_position(*socket)
        path, spin = motion.push_path(actor.position, end), motion.push_spin(actor.position, end)
        self.add_segment(
            actor,
            start_ms,
            motion.PUSH_MS,
            path,
            motion.EASE_STANDARD,
            final_variation=marble_variation(socket),
            spin=spin,
        )
        self.record_contact("slide", actor, socket, start_ms, motion.PUSH_MS)

    def add_actor(self, colour: int, socket: Cell, position: Vector) -> Actor:
        """Add a marble at ``position`` to the cast, and return the marble.

        ``socket`` is the marble's final socket.
        """
        actor = Actor(colour, socket, position, marble_variation(socket))
        self.cast.actors.append(actor)
        return actor


# -- animations: each function animates a group of similar events ----------------------------------------


def _animate_placed(animation: Animation, events: Sequence[ev.Placed]) -> None:
    lying = [animation.cast.next_stock_position(event.stock, event.colour) for event in events]
    hovers = [
        animation.cast.lift_position(animation.point_position(event.board, event.point)) for event in events
    ]
    starts = [
        stock or animation.cast.position_outside_frame(hover)
        for (_, stock), hover in zip(lying, hovers, strict=True)
    ]
    brought = [motion.carry_ms(*way) for way in zip(starts, hovers, strict=True)]
    # A long chain is sped up, not cut short.
    chain = sum(brought) + (motion.SET_DOWN_MS + motion.STACKED_PAUSE_MS) * len(events)
    hurry = min(1.0, motion.MAX_STACKED_CHAIN_MS / chain)
    start = 0.0
    for event, (key, _), begin, hover, length in zip(events, lying, starts, hovers, brought, strict=True):
        seat = (event.board, event.point)
        actor = animation.add_actor(event.colour, seat, begin)
        animation.record_stock_change(key, event.colour, start, -1)
        if animation.cast.reduce_motion:
            animation.add_crossfade(
                actor, animation.point_position(*seat), (0.0, 1.0), marble_variation(seat), seat
            )
            continue
        actor.variation = side_marble_variation(begin)
        animation.add_appearance(actor, start)
        path = animation.carry_path(actor, begin, hover)
        when = animation.add_segment(
            actor,
            start,
            length * hurry,
            path,
            motion.EASE_STANDARD,
            final_variation=marble_variation(seat),
        )
        actor.position = hover
        start = (
            animation.add_set_down(actor, when, seat, motion.SET_DOWN_MS * hurry)
            + motion.STACKED_PAUSE_MS * hurry
        )


def _animate_removed(animation: Animation, events: Sequence[ev.Removed | ev.Captured | ev.Dropped]) -> None:
    taken = [event for event in events if not isinstance(event, ev.Dropped)]
    fallen = [event for event in events if isinstance(event, ev.Dropped)]
    found = [animation.cast.find_actor(event.board, event.point, event.colour) for event in taken]
    stagger = max(
        min(motion.LEAVE_STAGGER_MS, motion.MAX_LEAVE_CHAIN_MS / len(taken)), motion.MIN_LEAVE_STAGGER_MS
    )
    stocks = [animation.cast.find_stock(event.stock, event.colour) for event in taken]
    destinations = [stock and stock[1] for stock in stocks]
    farthest = max(
        [math.dist(a.position, to) for a, to in zip(found, destinations, strict=True) if to], default=0.0
    )
    leaving: list[tuple[_Removal, Cell, str]] = []
    # In this order, no marble flies over another that is just being lifted.
    for number in sorted(range(len(taken)), key=lambda n: _removal_order(found[n].position, destinations[n])):
        event, actor = taken[number], found[number]
        seat = (event.board, event.point)
        load = animation.find_load(seat)
        actor.socket, actor.is_leaving = None, True
        key, stock = animation.cast.next_stock_position(event.stock, event.colour)
        if animation.cast.reduce_motion:
            animation.record_contact("lift", actor, seat, 0.0)
            animation.record_stock_change(key, event.colour, motion.FADE_MS, 1)
            animation.add_crossfade(actor, actor.position, (1.0, 0.0), actor.variation)
            animation.duration_ms = max(animation.duration_ms, animation.tail_ms)
            continue
        leaving.append((_Removal(animation, actor, seat, load, stock, farthest), seat, key))
    motion.choose_carry_paths([removal.carry_path for removal, *_ in leaving])
    start, lies, clear, sky = 0.0, 0.0, 0.0, FlightScheduler()
    for removal, seat, key in leaving:
        if len(leaving) > 1:
            start = sky.schedule([*removal.legs, removal.rest], start)
        animation.record_contact("lift", removal.actor, seat, start)
        landed = removal.add_segments(animation, start)
        lies = max(lies, landed)
        animation.record_stock_change(key, removal.actor.colour, landed, 1)
        clear = max(clear, start + removal.clear_ms)
        start += stagger
    # Marbles that rested on the removed ones fall once these are out of the way.
    _animate_drops(animation, fallen, clear)
    # Wait until the hand is empty again.
    animation.duration_ms = max(animation.duration_ms, lies)


def _removal_order(position: Vector, destination: Vector | None) -> tuple[float, float]:
    """Return a sort key for removed marbles: highest first, then nearest to their destination."""
    return -round(position[2], 3), math.dist(position, destination) if destination else 0.0


class _Removal:
    """Removal of a marble, which is lifted and carried in an arc past all others to its destination.

    The destination is ``stock_position`` or, if it is None, a position outside the frame. ``load`` is the position of
    the only marble that rests on this one, or None if there isn't exactly one.

    Several marbles may be removed together; ``longest_distance`` is the distance to its stock of the marble that has
    farthest to go. Each of them is carried for at least the time that this distance takes, so that none catches up with
    the marble before it. ``clear_ms`` is the time from the start of the removal until the marbles that rested on this
    one can begin to fall.
    """

    def __init__(
        self,
        animation: Animation,
        actor: Actor,
        socket: Cell,
        load: Vector | None,
        stock_position: Vector | None,
        longest_distance: float,
    ) -> None:
        self.actor, self.has_stock = actor, stock_position is not None
        up, lift, others = animation.plan_lift(actor, load, stock_position)
        self.end = stock_position or animation.cast.position_outside_frame(up)
        over = animation.cast.lift_position(self.end) if stock_position else self.end
        self.carry_path = animation.cast.make_carry_path(up, over, others)
        length = max(motion.carry_ms(up, over), motion.carry_ms_for_distance(longest_distance))
        self.clear_ms = motion.LIFT_MS + motion.CLEAR_FRACTION * length
        self.legs: tuple[FlightLeg, ...] = (
            FlightLeg(motion.LIFT_MS, lift, motion.EASE_OUT),
            FlightLeg(length, self.carry_path, motion.EASE_CARRY),
            FlightLeg(motion.RELEASE_MS, motion.straight_path(over, self.end), motion.linear),
        )
        # Until it is drawn as part of a stock, it is in the way of others.
        self.rest = FlightLeg(motion.REBOUND_MS, motion.straight_path(self.end, self.end), motion.linear)

    def add_segments(self, animation: Animation, start_ms: float) -> float:
        """Append the whole motion, beginning at ``start_ms``; return the time at which the marble comes to rest."""
        actor, end, when = self.actor, self.end, start_ms
        for leg in self.legs:
            final = side_marble_variation(end) if leg is self.legs[-1] else None
            when = animation.add_segment(actor, when, *leg, final_variation=final)
        if self.has_stock:
            animation.record_contact("set", actor, None, when)
            when = animation.add_rebound(actor, when, end, None)
        actor.position = end
        # From now on, it is drawn as part of a stock.
        animation.add_appearance(actor, when)
        return when


def _animate_lifted(animation: Animation, events: Sequence[ev.Lifted | ev.Dropped]) -> None:
    first, *drops = events
    assert isinstance(first, ev.Lifted)
    actor = animation.cast.find_actor(first.board, first.point, first.colour)
    seat = (first.board, first.point)
    actor.socket, actor.origin = None, seat
    animation.record_contact("lift", actor, seat, 0.0)
    fallen = [drop for drop in drops if isinstance(drop, ev.Dropped)]
    filled_again = any((drop.board, drop.point) == seat for drop in fallen)
    end = held_position(
        animation.cast.layout,
        HeldMarble(first.colour, first.point, first.board),
        filled_again,
        animation.cast.frame_edges,
    )
    if animation.cast.reduce_motion:
        animation.add_crossfade(actor, end, (1.0, 1.0), actor.variation)
    else:
        load = animation.find_load(seat)
        path = (
            motion.slip_out_path(actor.position, load, end)
            if load
            else motion.straight_path(actor.position, end)
        )
        animation.add_segment(actor, 0.0, motion.LIFT_MS, path, motion.EASE_OUT)
        actor.position = end
    # The marbles resting on it fall once it is out of the way.
    _animate_drops(animation, fallen, motion.LIFT_MS)


def _animate_moved(animation: Animation, events: Sequence[ev.Moved]) -> None:
    for event in events:
        seat = (event.board, event.point)
        hand = animation.cast.held_actor()
        actor = hand or animation.cast.find_actor(event.board, event.origin, event.colour)
        if animation.cast.reduce_motion:
            animation.add_crossfade(
                actor, animation.point_position(*seat), (1.0, 1.0), marble_variation(seat), seat
            )
            actor.socket, actor.origin = seat, None
            continue
        start = animation.duration_ms
        if hand is None:
            load = animation.find_load((event.board, event.origin))
            up, lift, _ = animation.plan_lift(actor, load)
            animation.record_contact("lift", actor, (event.board, event.origin), start)
            start = animation.add_segment(actor, start, motion.LIFT_MS, lift, motion.EASE_OUT)
            actor.position = up
        hover = animation.cast.lift_position(animation.point_position(*seat))
        length = motion.carry_ms(actor.position, hover)
        path = animation.carry_path(actor, actor.position, hover)
        when = animation.add_segment(
            actor, start, length, path, motion.EASE_STANDARD, final_variation=marble_variation(seat)
        )
        actor.position = hover
        animation.add_set_down(actor, when, seat)


def _animate_drops(animation: Animation, events: Sequence[ev.Dropped], delay_ms: float = 0.0) -> None:
    stagger = motion.DROP_STAGGER_MS
    if len(events) > 1:
        left = motion.MAX_DROP_CHAIN_MS - motion.DROP_MS - motion.NUDGE_MS - delay_ms
        stagger = min(stagger, max(left, 0.0) / (len(events) - 1))
    for i, event in enumerate(events):
        seat = (event.board, event.point)
        actor = animation.cast.find_actor(event.board, event.origin, event.colour)
        end = animation.point_position(*seat)
        if animation.cast.reduce_motion:
            animation.add_crossfade(actor, end, (1.0, 1.0), marble_variation(seat), seat)
        else:
            animation.add_drop(actor, delay_ms + i * stagger, seat)
            actor.position = end
        actor.socket = seat
        _move_held_marble_aside(animation, seat, delay_ms)
    animation.add_nudges()


def _move_held_marble_aside(animation: Animation, socket: Cell, start_ms: float) -> None:
    """Move the marble in hand aside if it came from ``socket``, into which another marble falls."""
    hand = animation.cast.held_actor()
    if hand is None or hand.origin != socket:
        return
    end = held_position(
        animation.cast.layout, HeldMarble(hand.colour, socket[1], socket[0]), True, animation.cast.frame_edges
    )
    if hand.position == end:
        return
    if not animation.cast.reduce_motion:
        animation.add_segment(
            hand, start_ms, motion.LIFT_MS, motion.straight_path(hand.position, end), motion.EASE_OUT
        )
    hand.position = end


def _animate_stock_moves(animation: Animation, events: Sequence[ev.Drew | ev.Given]) -> None:
    """Move marbles from stock to stock, one after another, low over the table.

    If motion is reduced, they fade in at their new stocks instead, all at once. A marble isn't shown if one of its two
    stocks has no position.
    """
    each = motion.HAND_OVER_MS + motion.HAND_OVER_PAUSE_MS
    for event in events:
        to = event.receiver if isinstance(event, ev.Given) else event.seat
        leaves = animation.cast.find_stock(event.source, event.colour, event.seat)
        arrives = animation.cast.find_stock(event.stock, event.colour, to)
        if leaves is None or arrives is None:
            continue
        (left, start), (met, end) = leaves, arrives
        actor = Actor(event.colour, None, start, (0.0, 0.0), is_leaving=True)
        animation.cast.actors.append(actor)
        if animation.cast.reduce_motion:
            animation.record_stock_change(left, event.colour, 0.0, -1)
            begin = animation.add_segment(
                actor, 0.0, motion.FADE_MS, motion.straight_path(end, end), motion.linear, (0.0, 1.0)
            )
        else:
            hurry = min(1.0, motion.MAX_STACKED_CHAIN_MS / (each * len(events)))
            begin = animation.duration_ms + (
                motion.HAND_OVER_PAUSE_MS * hurry if animation.duration_ms else 0.0
            )
            path = motion.low_arc_path(start, end, animation.cast.layout.horizontal_extent + 0.7)
            if animation.cast.leaves_frame(path):
                path = animation.carry_path(actor, start, end)
            # The marble is only visible while it moves; before and after, it is drawn as part of a stock.
            animation.add_segment(
                actor, begin, 0.0, motion.straight_path(start, start), motion.linear, (0.0, 1.0), (0.0, 0.0)
            )
            animation.record_stock_change(left, event.colour, begin, -1)
            begin = animation.add_segment(
                actor, begin, motion.HAND_OVER_MS * hurry, path, motion.EASE_STANDARD
            )
            animation.add_segment(
                actor, begin, 0.0, motion.straight_path(end, end), motion.linear, (1.0, 0.0), (0.0, 0.0)
            )
        animation.record_stock_change(met, event.colour, begin, 1)
        animation.duration_ms = begin
        actor.position = end


def _animate_revealed(animation: Animation, events: Sequence[ev.Revealed]) -> None:
    """Animate the opening of all boxes at the same time; the next animation starts when they are open.

    Their contents are drawn elsewhere.
    """
    animation.duration_ms = motion.FADE_MS if animation.cast.reduce_motion else motion.OPEN_BOXES_MS
    animation.cast.box_openings.append(
        (animation.start_time, animation.start_time + animation.duration_ms * animation.seconds_per_ms)
    )


def _animate_pushed(animation: Animation, events: Sequence[ev.Pushed | ev.SideDropped | ev.Entered]) -> None:
    slid: set[int] = set()
    begin = 0.0 if animation.cast.reduce_motion else _animate_entering(animation, events)
    for event in events:
        seat = (event.board, event.point)
        end = animation.point_position(*seat)
        if isinstance(event, ev.Entered):
            actor = animation.add_actor(event.colour, seat, _entry_start(animation, event))
            if animation.cast.reduce_motion:
                animation.add_crossfade(actor, end, (0.0, 1.0), marble_variation(seat), seat)
                continue
            actor.track += animation.entry_tracks.pop(0)
            animation.add_push(actor, begin, seat)
            actor.position = end
            continue
        actor = animation.cast.find_actor(event.board, event.origin, event.colour)
        actor.socket = seat
        if animation.cast.reduce_motion:
            # A marble that is pushed and then falls fades only once.
            actor.track[:] = [clip for clip in actor.track if clip.start < animation.start_time]
            animation.add_crossfade(actor, end, (1.0, 1.0), marble_variation(seat), seat)
        elif isinstance(event, ev.Pushed):
            animation.add_push(actor, begin, seat)
            slid.add(id(actor))
        else:
            animation.add_drop(actor, begin + (motion.PUSH_MS if id(actor) in slid else 0.0), seat)
        actor.position = end
    animation.add_nudges()


def _entry_start(animation: Animation, event: ev.Entered) -> Vector:
    """Return the position where an entering marble waits, one place outside its row."""
    x, y, z = animation.point_position(event.board, event.point)
    east, north, up = _SIDE_DIRECTIONS[event.side]
    return x + east, y + north, z + up


def _animate_entering(
    animation: Animation, events: Sequence[ev.Pushed | ev.SideDropped | ev.Entered]
) -> float:
    """Move entering marbles to just outside their rows; return the time at which the push can begin.

    The marbles come from their stocks or from outside the frame. If possible, their paths avoid all other marbles as
    they lie before the rows move. The push can begin when all entering marbles have arrived. The time is in
    milliseconds.
    """
    begin = 0.0
    for event in events:
        if isinstance(event, ev.Entered):
            start = _entry_start(animation, event)
            key, stock = animation.cast.next_stock_position(event.stock, event.colour)
            # Lower it from above: coming straight from across the row, it would touch the row.
            hover = animation.cast.lift_position(start)
            source = stock or animation.cast.position_outside_frame(hover)
            actor = Actor(event.colour, None, source, side_marble_variation(source))
            animation.record_stock_change(key, event.colour, 0.0, -1)
            animation.add_appearance(actor, 0.0)
            path = animation.carry_path(actor, source, hover)
            when = animation.add_segment(
                actor,
                0.0,
                motion.carry_ms(source, hover),
                path,
                motion.EASE_STANDARD,
                final_variation=marble_variation((event.board, event.point)),
            )
            when = animation.add_segment(
                actor, when, motion.LOWER_MS, motion.straight_path(hover, start), motion.EASE_STANDARD
            )
            begin = max(begin, when)
            animation.entry_tracks.append(actor.track)
    return begin


def _animate_recoloured(animation: Animation, events: Sequence[ev.Recoloured]) -> None:
    source = animation.cast.cause_position
    places = [animation.point_position(event.board, event.point) for event in events]
    if source is None:
        source = places[0]
    ways = [math.dist(place, source) for place in places]
    nearest, farthest = min(ways), max(ways)
    each = min(motion.RECOLOUR_MS_PER_DIAMETER, motion.MAX_RECOLOUR_DELAY_MS / max(farthest - nearest, 1e-9))
    for event, place, way in zip(events, places, ways, strict=True):
        actor = animation.cast.find_actor(event.board, event.point, event.before)
        start = 0.0 if animation.cast.reduce_motion else (way - nearest) * each
        length = motion.FADE_MS if animation.cast.reduce_motion else motion.RECOLOUR_MS
        times = (
            animation.start_time + start * animation.seconds_per_ms,
            animation.start_time + (start + length) * animation.seconds_per_ms,
        )
        side = (
            tuple((s - p) / way for s, p in zip(source, place, strict=True))
            if way > 1e-6
            else (0.0, 0.0, 1.0)
        )
        actor.recolourings.append(Recolouring(*times, event.before, event.after, (side[0], side[1], side[2])))
        actor.colour = event.after
        animation.duration_ms = max(animation.duration_ms, start + length)


def _animate_cleared(animation: Animation, events: Sequence[ev.GameStarted]) -> None:
    length = motion.FADE_MS if animation.cast.reduce_motion else motion.CLEAR_BOARDS_MS
    for actor in animation.cast.actors:
        if not actor.is_leaving:
            actor.socket, actor.is_leaving = None, True
            animation.add_segment(
                actor,
                0.0,
                length,
                motion.straight_path(actor.position, actor.position),
                motion.linear,
                (1.0, 0.0),
            )
            animation.duration_ms = length


SOURCE_EVENTS = (ev.Placed, ev.Moved, ev.Entered)
Animator: TypeAlias = Callable[..., None]
ANIMATORS: dict[type, tuple[str, Animator]] = {
    ev.Placed: ("placed", _animate_placed),
    ev.Removed: ("removed", _animate_removed),
    ev.Captured: ("removed", _animate_removed),
    ev.Lifted: ("lifted", _animate_lifted),
    ev.Moved: ("moved", _animate_moved),
    ev.Dropped: ("dropped", _animate_drops),
    ev.Entered: ("pushed", _animate_pushed),
    ev.Pushed: ("pushed", _animate_pushed),
    ev.SideDropped: ("pushed", _animate_pushed),
    ev.Recoloured: ("recoloured", _animate_recoloured),
    ev.Drew: ("drew", _animate_stock_moves),
    ev.Given: ("drew", _animate_stock_moves),
    ev.Revealed: ("revealed", _animate_revealed),
    ev.GameStarted: ("cleared", _animate_cleared),
}


def group_events(events: Iterable[ev.Event]) -> Iterator[tuple[Animator, list[ev.Event]]]:
    """Yield groups of events to be animated together, each with the function that animates it.

    Events whose types aren't in :data:`ANIMATORS` are left out. The group of a lift, a removal or a capture includes
    the drops that it causes. A marble that is captured by replacement leaves before the capturing marble arrives.
    """
    seen = [event for event in events if type(event) in ANIMATORS]
    for number, event in enumerate(seen[1:], 1):
        match seen[number - 1], event:
            case ev.Moved() | ev.Placed() as comes, ev.Captured(board, point) if comes.point == point:
                if comes.board == board:
                    seen[number - 1 : number + 1] = [event, comes]
    runs = [list(run) for _, run in groupby(seen, key=lambda event: ANIMATORS[type(event)][0])]
    i = 0
    while i < len(runs):
        run = runs[i]
        i += 1
        causing = isinstance(run[0], ev.Lifted | ev.Removed | ev.Captured)
        if causing and i < len(runs) and isinstance(runs[i][0], ev.Dropped):
            run += runs[i]
            i += 1
        yield ANIMATORS[type(run[0])][1], run
