"""Animation of marble events: how each kind of event is turned into segments of motion.

:data:`PLAYS` maps each kind of event to a group name and the function that animates it. Consecutive events with the
same group name are animated together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.marbles.actors import Actor, Cast, Cell, Clip, Dye, Held, Trip, clear, held_at, look
from shibumi3d.scene.marbles.cue import Contact, Touch
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.marbles.sky import Sky, Stretch

_OUTWARD: tuple[Vector, ...] = ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0))


class Cause:
    """Animation of a group of events, in milliseconds from its beginning.

    ``length`` is the time from which the boards are still, so that the next animation may begin. ``tail`` is the time
    at which the last marble that left the boards has arrived.
    """

    def __init__(self, cast: Cast, begin: float, factor: float) -> None:
        self.cast = cast
        self.begin = begin
        self.factor = factor
        self.length = self.tail = 0.0
        self.brought: list[list[Clip]] = []  # motion of entering marbles, up to their rows

    def place(self, board: int, point: int) -> Vector:
        """Return the centre of a marble on a point."""
        return self.cast.plan.place(board, point)

    def load(self, seat: Cell) -> Vector | None:
        """Return the position of the only marble that rests on the marble at ``seat``.

        Return None if there is no such marble or more than one.
        """
        resting = {(seat[0], point) for point in pyramid(self.cast.plan.sizes[seat[0]]).resting_on[seat[1]]}
        found = [actor.at for actor in self.cast.actors if actor.seat in resting]
        return found[0] if len(found) == 1 else None

    def others(self, actor: Actor) -> list[Vector]:
        """Return the final positions of all other marbles, except those that are leaving."""
        return [a.at for a in self.cast.actors if a is not actor and not a.gone]

    def carry(self, actor: Actor, start: Vector, end: Vector) -> motion.Path:
        """Return a path for a hand-carried marble that avoids all others and stays in the frame.

        Its shape is determined only once all events are compiled; see :func:`.motion.find`.
        """
        way = self.cast.carry(start, end, self.others(actor))
        self.cast.carries.append(way)
        return way

    def lift(self, actor: Actor, load: Vector | None) -> tuple[Vector, motion.Path, list[Vector]]:
        """Return where to hold a lifted marble, the path there, and the positions to avoid afterwards.

        ``load`` is the position of the marble that rests on the lifted one and will fall when it is gone, or None. The
        positions to avoid then include those through which that marble falls.
        """
        at, others = actor.at, self.others(actor)
        if load is None:
            up = self.cast.above(at)
            return up, motion.straight(at, up), others
        up = clear(at, load, self.cast.edges, [other for other in others if other != load])
        return up, motion.slip(at, load, up), [*others, *motion.fallen(load, at, 4)]

    def go(
        self,
        actor: Actor,
        start: float,
        length: float,
        path: motion.Path,
        curve: motion.Curve,
        alpha: tuple[float, float] = (1.0, 1.0),
        fade: tuple[float, float] = (0.0, 1.0),
        look_at_end: tuple[float, float] | None = None,
        spin: motion.Spin | None = None,
    ) -> float:
        """Append a segment to a marble's motion; return its end time in milliseconds."""
        ending = look_at_end or actor.look
        actor.clips.append(
            Clip(
                self.begin + start * self.factor,
                self.begin + (start + length) * self.factor,
                path,
                curve,
                (actor.look, ending),
                alpha,
                fade,
                spin,
            )
        )
        actor.look = ending
        if actor.gone:
            self.tail = max(self.tail, start + length)
        else:
            self.length = max(self.length, start + length)
        return start + length

    def appear(self, actor: Actor, start: float) -> None:
        """Make a marble appear at once at ``start``, or disappear if it is leaving."""
        alpha = (1.0, 0.0) if actor.gone else (0.0, 1.0)
        self.go(actor, start, 0.0, motion.straight(actor.at, actor.at), motion.linear, alpha, (0.0, 0.0))

    def trip(self, key: str, colour: int, when: float, by: int) -> None:
        """Record that a marble leaves a stock or arrives there; do nothing if ``key`` is empty."""
        if key:
            self.cast.trips.append(Trip(key, colour, self.begin + when * self.factor, by))

    def heard(self, kind: Touch, actor: Actor, seat: Cell | None, start: float, length: float = 0.0) -> None:
        """Record the sound of a marble at ``start``.

        ``seat`` is the socket that the marble touches or leaves. If it is None, the marble is beside the boards and
        sounds as on level A.
        """
        begin = self.begin + start * self.factor
        level = 0 if seat is None else int(self.cast.plan.levels[seat[0]][seat[1]])
        self.cast.contacts.append(Contact(begin, begin + length * self.factor, kind, actor.colour, level))

    def hop(
        self,
        actor: Actor,
        end: Vector,
        alpha: tuple[float, float],
        looks: tuple[float, float],
        seat: Cell | None = None,
    ) -> None:
        """Fade a marble out at its place and in at ``end``, for reduced motion.

        ``alpha`` is (1, 0) to only fade it out, (0, 1) to only fade it in, and (1, 1) for both. If ``seat`` is given,
        the marble makes the sound of being set down there.
        """
        start = actor.at
        length = motion.FADE / sum(alpha)
        when = 0.0
        if alpha[0]:
            when = self.go(actor, when, length, motion.straight(start, start), motion.linear, (1.0, 0.0))
        if alpha[1]:
            when = self.go(
                actor, when, length, motion.straight(end, end), motion.linear, (0.0, 1.0), look_at_end=looks
            )
        if seat is not None:
            self.heard("set", actor, seat, when)
        actor.at = end

    def set_down(self, actor: Actor, start: float, seat: Cell, length: float = motion.SET_DOWN) -> float:
        """Set a marble down into its socket from straight above; return the time at which it lands.

        A small bounce follows.
        """
        end = self.place(*seat)
        when = self.go(actor, start, length, motion.straight(actor.at, end), motion.fall)
        actor.at, actor.seat, actor.origin = end, seat, None
        self.heard("set", actor, seat, when)
        self.go(actor, when, motion.SETTLE, _settle(end), motion.linear)
        return when

    def drop(self, actor: Actor, start: float, seat: Cell) -> None:
        """Let a marble fall one level down into its socket, with a small bounce."""
        end = self.place(*seat)
        path, spin = motion.roll(actor.at, end), motion.rolls_down(actor.at, end)
        when = self.go(actor, start, motion.DROP, path, motion.fall, look_at_end=look(seat), spin=spin)
        self.heard("fall", actor, seat, when)
        self.go(actor, when, motion.SETTLE, _settle(end), motion.linear)

    def from_above(self, at: Vector) -> motion.Path:
        """Return a path to ``at`` from above the frame, for a marble without a stock position."""
        return motion.straight(_above(at, motion.BRING_FROM * self.cast.plan.reach), at)

    def push(self, actor: Actor, start: float, seat: Cell) -> None:
        """Push a marble into ``seat``, the next socket in its row."""
        end = self.place(*seat)
        path, spin = motion.ride(actor.at, end), motion.rides(actor.at, end)
        self.go(actor, start, motion.PUSH, path, motion.STANDARD, look_at_end=look(seat), spin=spin)
        self.heard("slide", actor, seat, start, motion.PUSH)

    def new(self, colour: int, seat: Cell, at: Vector) -> Actor:
        """Add a new marble to the cast and return it."""
        actor = Actor(colour, seat, at, look(seat))
        self.cast.actors.append(actor)
        return actor


def _settle(at: Vector) -> motion.Path:
    def path(t: float) -> Vector:
        return at[0], at[1], at[2] + motion.SETTLE_HEIGHT * math.sin(math.pi * t)

    return path


def _above(at: Vector, height: float) -> Vector:
    return at[0], at[1], at[2] + height


# -- animations: each function animates a group of similar events ----------------------------------------


def _placed(cause: Cause, events: Sequence[ev.Placed]) -> None:
    lying = [cause.cast.spot(event.stock, event.colour) for event in events]
    hovers = [cause.cast.above(cause.place(event.board, event.point)) for event in events]
    brought = [
        motion.carry_time(stock, hover) if stock else motion.BRING
        for (_, stock), hover in zip(lying, hovers, strict=True)
    ]
    # A long chain is sped up, not cut short.
    chain = sum(brought) + (motion.SET_DOWN + motion.STACKED_PAUSE) * len(events)
    hurry = min(1.0, motion.STACKED_CHAIN / chain)
    start = 0.0
    for event, (key, stock), hover, length in zip(events, lying, hovers, brought, strict=True):
        seat = (event.board, event.point)
        actor = cause.new(event.colour, seat, stock or hover)
        cause.trip(key, event.colour, start, -1)
        if cause.cast.reduced:
            cause.hop(actor, cause.place(*seat), (0.0, 1.0), look(seat), seat)
            continue
        cause.appear(actor, start)
        path = cause.carry(actor, stock, hover) if stock else cause.from_above(hover)
        when = cause.go(actor, start, length * hurry, path, motion.STANDARD)
        actor.at = hover
        start = cause.set_down(actor, when, seat, motion.SET_DOWN * hurry) + motion.STACKED_PAUSE * hurry


def _removed(cause: Cause, events: Sequence[ev.Removed | ev.Captured | ev.Dropped]) -> None:
    taken = [event for event in events if not isinstance(event, ev.Dropped)]
    fallen = [event for event in events if isinstance(event, ev.Dropped)]
    found = [cause.cast.find(event.board, event.point, event.colour) for event in taken]
    stagger = max(min(motion.LEAVE_STAGGER, motion.LEAVE_CHAIN / len(taken)), motion.LEAVE_LEAST)
    lying = [cause.cast.lies(event.stock, event.colour) for event in taken]
    farthest = max([math.dist(a.at, to[1]) for a, to in zip(found, lying, strict=True) if to], default=0.0)
    leaving: list[tuple[_Leaving, Cell, str]] = []
    # In this order, no marble flies over another that is just being lifted.
    for number in sorted(range(len(taken)), key=lambda n: _leaving(found[n].at, lying[n])):
        event, actor = taken[number], found[number]
        seat = (event.board, event.point)
        load = cause.load(seat)
        actor.seat, actor.gone = None, True
        key, stock = cause.cast.spot(event.stock, event.colour)
        if cause.cast.reduced:
            cause.heard("lift", actor, seat, 0.0)
            cause.trip(key, event.colour, motion.FADE, 1)
            cause.hop(actor, actor.at, (1.0, 0.0), actor.look)
            cause.length = max(cause.length, cause.tail)
            continue
        leaving.append((_Leaving(cause, actor, seat, load, stock, farthest), seat, key))
    motion.find([one.carried for one, *_ in leaving])
    start, lies, sky = 0.0, 0.0, Sky(cause.cast.plan)
    for one, seat, key in leaving:
        if len(leaving) > 1:
            start = sky.start(one.legs, start)
        cause.heard("lift", one.actor, seat, start)
        landed = one.go(cause, start)
        lies = max(lies, landed)
        cause.trip(key, one.actor.colour, landed, 1)
        cause.length = max(cause.length, start + motion.LIFT)
        start += stagger
    # The marbles resting on it fall once it is out of the way.
    _chain(cause, fallen, cause.length if fallen and not cause.cast.reduced else 0.0)
    # Wait until the hand is empty again.
    cause.length = max(cause.length, lies)


def _leaving(at: Vector, lying: tuple[str, Vector] | None) -> tuple[float, float]:
    """Return a sort key for removed marbles: highest first, then nearest to their destination."""
    return -round(at[2], 3), math.dist(at, lying[1]) if lying else 0.0


class _Leaving:
    """A marble that is lifted, carried past all others, and released above its destination.

    The destination is ``stock``, or a position on the table beside the board, where the marble then fades out. Marbles
    that are removed together all take the time required for the distance ``farthest``, so that none catches up with the
    marble before it.
    """

    def __init__(
        self,
        cause: Cause,
        actor: Actor,
        seat: Cell,
        load: Vector | None,
        stock: Vector | None,
        farthest: float,
    ) -> None:
        self.actor, self.stays = actor, stock is not None
        up, lift, others = cause.lift(actor, load)
        self.end = stock or cause.cast.beside(seat)
        over = _above(self.end, motion.LET_GO_HEIGHT)
        self.carried = cause.cast.carry(up, over, others)
        length = max(motion.carry_time(up, over), motion.carry_over(farthest))
        self.legs: tuple[Stretch, ...] = (
            Stretch(motion.LIFT, lift, motion.OUT),
            Stretch(length, self.carried, motion.SWING),
            Stretch(motion.LET_GO, motion.straight(over, self.end), motion.linear),
        )

    def go(self, cause: Cause, start: float) -> float:
        """Append the whole motion, beginning at ``start``; return the time of landing."""
        actor, end, when = self.actor, self.end, start
        for leg in self.legs:
            when = cause.go(actor, when, *leg)
        cause.heard("set", actor, None, when)
        actor.at = end
        if self.stays:
            cause.appear(actor, when)
        else:
            cause.go(actor, when, motion.AWAY, motion.straight(end, end), motion.linear, (1.0, 0.0))
        return when


def _lifted(cause: Cause, events: Sequence[ev.Lifted | ev.Dropped]) -> None:
    first, *drops = events
    assert isinstance(first, ev.Lifted)
    actor = cause.cast.find(first.board, first.point, first.colour)
    seat = (first.board, first.point)
    actor.seat, actor.origin = None, seat
    cause.heard("lift", actor, seat, 0.0)
    fallen = [drop for drop in drops if isinstance(drop, ev.Dropped)]
    filled_again = any((drop.board, drop.point) == seat for drop in fallen)
    end = held_at(
        cause.cast.plan, Held(first.colour, first.point, first.board), filled_again, cause.cast.edges
    )
    if cause.cast.reduced:
        cause.hop(actor, end, (1.0, 1.0), actor.look)
    else:
        load = cause.load(seat)
        path = motion.slip(actor.at, load, end) if load else motion.straight(actor.at, end)
        cause.go(actor, 0.0, motion.LIFT, path, motion.OUT)
        actor.at = end
    # The marbles resting on it fall once it is out of the way.
    _chain(cause, fallen, motion.LIFT)


def _moved(cause: Cause, events: Sequence[ev.Moved]) -> None:
    for event in events:
        seat = (event.board, event.point)
        hand = cause.cast.hand()
        actor = hand or cause.cast.find(event.board, event.origin, event.colour)
        if cause.cast.reduced:
            cause.hop(actor, cause.place(*seat), (1.0, 1.0), look(seat), seat)
            actor.seat, actor.origin = seat, None
            continue
        start = cause.length
        if hand is None:
            load = cause.load((event.board, event.origin))
            up, lift, _ = cause.lift(actor, load)
            cause.heard("lift", actor, (event.board, event.origin), start)
            start = cause.go(actor, start, motion.LIFT, lift, motion.OUT)
            actor.at = up
        hover = cause.cast.above(cause.place(*seat))
        length = motion.carry_time(actor.at, hover)
        path = cause.carry(actor, actor.at, hover)
        when = cause.go(actor, start, length, path, motion.STANDARD, look_at_end=look(seat))
        actor.at = hover
        cause.set_down(actor, when, seat)


def _chain(cause: Cause, events: Sequence[ev.Dropped], delay: float = 0.0) -> None:
    stagger = motion.DROP_STAGGER
    if len(events) > 1:
        left = motion.DROP_CHAIN - motion.DROP - motion.SETTLE - delay
        stagger = min(stagger, max(left, 0.0) / (len(events) - 1))
    for i, event in enumerate(events):
        seat = (event.board, event.point)
        actor = cause.cast.find(event.board, event.origin, event.colour)
        end = cause.place(*seat)
        if cause.cast.reduced:
            cause.hop(actor, end, (1.0, 1.0), look(seat), seat)
        else:
            cause.drop(actor, delay + i * stagger, seat)
            actor.at = end
        actor.seat = seat
        _raise_hand(cause, seat, delay)


def _raise_hand(cause: Cause, seat: Cell, start: float) -> None:
    """Move the marble in hand out of the way of a marble that falls into its old place."""
    hand = cause.cast.hand()
    if hand is None or hand.origin != seat:
        return
    end = held_at(cause.cast.plan, Held(hand.colour, seat[1], seat[0]), True, cause.cast.edges)
    if hand.at == end:
        return
    if not cause.cast.reduced:
        cause.go(hand, start, motion.LIFT, motion.straight(hand.at, end), motion.OUT)
    hand.at = end


def _drew(cause: Cause, events: Sequence[ev.Drew | ev.Given]) -> None:
    """Move marbles from stock to stock, one after another, low over the table.

    Marbles are not shown if either of the two stocks has no position.
    """
    each = motion.HAND_OVER + motion.HAND_OVER_PAUSE
    for event in events:
        to = event.receiver if isinstance(event, ev.Given) else event.seat
        leaves = cause.cast.lies(event.source, event.colour, event.seat)
        arrives = cause.cast.lies(event.stock, event.colour, to)
        if leaves is None or arrives is None:
            continue
        (left, start), (met, end) = leaves, arrives
        actor = Actor(event.colour, None, start, (0.0, 0.0), gone=True)
        cause.cast.actors.append(actor)
        if cause.cast.reduced:
            cause.trip(left, event.colour, 0.0, -1)
            begin = cause.go(actor, 0.0, motion.FADE, motion.straight(end, end), motion.linear, (0.0, 1.0))
        else:
            hurry = min(1.0, motion.STACKED_CHAIN / (each * len(events)))
            begin = cause.length + (motion.HAND_OVER_PAUSE * hurry if cause.length else 0.0)
            path = motion.beside(start, end, cause.cast.plan.reach + 0.7)
            if cause.cast.leaves(path):
                path = cause.carry(actor, start, end)
            # The marble is only visible while it moves; before and after, it is drawn as part of a stock.
            cause.go(actor, begin, 0.0, motion.straight(start, start), motion.linear, (0.0, 1.0), (0.0, 0.0))
            cause.trip(left, event.colour, begin, -1)
            begin = cause.go(actor, begin, motion.HAND_OVER * hurry, path, motion.STANDARD)
            cause.go(actor, begin, 0.0, motion.straight(end, end), motion.linear, (1.0, 0.0), (0.0, 0.0))
        cause.trip(met, event.colour, begin, 1)
        cause.length = begin
        actor.at = end


def _revealed(cause: Cause, events: Sequence[ev.Revealed]) -> None:
    """Open all boxes together, and wait until they are open.

    Their contents are drawn elsewhere.
    """
    cause.length = motion.FADE if cause.cast.reduced else motion.OPEN
    cause.cast.openings.append((cause.begin, cause.begin + cause.length * cause.factor))


def _pushed(cause: Cause, events: Sequence[ev.Pushed | ev.SideDropped | ev.Entered]) -> None:
    slid: set[int] = set()
    begin = 0.0 if cause.cast.reduced else _brought(cause, events)
    for event in events:
        seat = (event.board, event.point)
        end = cause.place(*seat)
        if isinstance(event, ev.Entered):
            actor = cause.new(event.colour, seat, _outside(cause, event))
            if cause.cast.reduced:
                cause.hop(actor, end, (0.0, 1.0), look(seat), seat)
                continue
            actor.clips += cause.brought.pop(0)
            cause.push(actor, begin, seat)
            actor.at = end
            continue
        actor = cause.cast.find(event.board, event.origin, event.colour)
        actor.seat = seat
        if cause.cast.reduced:
            # A marble that is pushed and then falls fades only once.
            actor.clips[:] = [clip for clip in actor.clips if clip.start < cause.begin]
            cause.hop(actor, end, (1.0, 1.0), look(seat), seat)
        elif isinstance(event, ev.Pushed):
            cause.push(actor, begin, seat)
            slid.add(id(actor))
        else:
            cause.drop(actor, begin + (motion.PUSH if id(actor) in slid else 0.0), seat)
        actor.at = end


def _outside(cause: Cause, event: ev.Entered) -> Vector:
    """Return the position, one place outside its row, where an entering marble waits."""
    x, y, z = cause.place(event.board, event.point)
    east, north, up = _OUTWARD[event.side]
    return x + east, y + north, z + up


def _brought(cause: Cause, events: Sequence[ev.Pushed | ev.SideDropped | ev.Entered]) -> float:
    """Move entering marbles, from their stocks or from above, to just outside their rows.

    Their paths are chosen before the rows move. Return when all have arrived, so that the push can begin.
    """
    begin = 0.0
    for event in events:
        if isinstance(event, ev.Entered):
            start = _outside(cause, event)
            key, stock = cause.cast.spot(event.stock, event.colour)
            actor = Actor(event.colour, None, stock or start, look((event.board, event.point)))
            cause.trip(key, event.colour, 0.0, -1)
            cause.appear(actor, 0.0)
            # Lower it from above: coming straight from across the row, it would touch the row.
            hover = cause.cast.above(start) if stock else start
            path = cause.carry(actor, stock, hover) if stock else cause.from_above(start)
            length = motion.carry_time(stock, hover) if stock else motion.BRING
            when = cause.go(actor, 0.0, length, path, motion.STANDARD)
            if stock:
                when = cause.go(actor, when, motion.LET_DOWN, motion.straight(hover, start), motion.STANDARD)
            begin = max(begin, when)
            cause.brought.append(actor.clips)
    return begin


def _recoloured(cause: Cause, events: Sequence[ev.Recoloured]) -> None:
    source = cause.cast.source
    places = [cause.place(event.board, event.point) for event in events]
    if source is None:
        source = places[0]
    ways = [math.dist(place, source) for place in places]
    nearest, farthest = min(ways), max(ways)
    each = min(motion.DYE_SPEED, motion.DYE_SPREAD / max(farthest - nearest, 1e-9))
    for event, place, way in zip(events, places, ways, strict=True):
        actor = cause.cast.find(event.board, event.point, event.before)
        start = 0.0 if cause.cast.reduced else (way - nearest) * each
        length = motion.FADE if cause.cast.reduced else motion.RECOLOUR
        times = cause.begin + start * cause.factor, cause.begin + (start + length) * cause.factor
        side = (
            tuple((s - p) / way for s, p in zip(source, place, strict=True))
            if way > 1e-6
            else (0.0, 0.0, 1.0)
        )
        actor.dyes.append(Dye(*times, event.before, event.after, (side[0], side[1], side[2])))
        actor.colour = event.after
        cause.length = max(cause.length, start + length)


def _cleared(cause: Cause, events: Sequence[ev.GameStarted]) -> None:
    length = motion.FADE if cause.cast.reduced else motion.CLEAR
    for actor in cause.cast.actors:
        if not actor.gone:
            actor.seat, actor.gone = None, True
            cause.go(actor, 0.0, length, motion.straight(actor.at, actor.at), motion.linear, (1.0, 0.0))
            cause.length = length


SOURCES = (ev.Placed, ev.Moved, ev.Entered)
Play: TypeAlias = Callable[..., None]
PLAYS: dict[type, tuple[str, Play]] = {
    ev.Placed: ("placed", _placed),
    ev.Removed: ("removed", _removed),
    ev.Captured: ("removed", _removed),
    ev.Lifted: ("lifted", _lifted),
    ev.Moved: ("moved", _moved),
    ev.Dropped: ("dropped", _chain),
    ev.Entered: ("pushed", _pushed),
    ev.Pushed: ("pushed", _pushed),
    ev.SideDropped: ("pushed", _pushed),
    ev.Recoloured: ("recoloured", _recoloured),
    ev.Drew: ("drew", _drew),
    ev.Given: ("drew", _drew),
    ev.Revealed: ("revealed", _revealed),
    ev.GameStarted: ("cleared", _cleared),
}


def causes(events: Iterable[ev.Event]) -> Iterator[tuple[Play, list[ev.Event]]]:
    """Yield groups of events to be animated together, each with the function that animates it.

    A lift or a removal includes the drops that it causes. A marble that is captured by replacement leaves before the
    capturing marble arrives.
    """
    seen = [event for event in events if type(event) in PLAYS]
    for number, event in enumerate(seen[1:], 1):
        match seen[number - 1], event:
            case ev.Moved() | ev.Placed() as comes, ev.Captured(board, point) if comes.point == point:
                if comes.board == board:
                    seen[number - 1 : number + 1] = [event, comes]
    runs = [list(run) for _, run in groupby(seen, key=lambda event: PLAYS[type(event)][0])]
    i = 0
    while i < len(runs):
        run = runs[i]
        i += 1
        causing = isinstance(run[0], ev.Lifted | ev.Removed | ev.Captured)
        if causing and i < len(runs) and isinstance(runs[i][0], ev.Dropped):
            run += runs[i]
            i += 1
        yield PLAYS[type(run[0])][1], run
