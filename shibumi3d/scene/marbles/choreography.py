"""Events become motion: a queue of clips, sampled at a time that is passed in.

The marbles stand where the events have put them as soon as the events are added; what the queue adds is the way
there. Causes play one after another, the marbles of one cause together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, TypeAlias

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.marbles.cue import Contact, Cue, Touch, cut_short, grouped
from shibumi3d.scene.marbles.layout import Layout, Vector, layout

Seat: TypeAlias = tuple[int, int]  # board, point
_OUTWARD: tuple[Vector, ...] = ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0))


class Held(NamedTuple):
    """A marble in hand, lifted from ``origin`` of ``board``."""

    colour: int
    origin: int
    board: int


class Pose(NamedTuple):
    """A marble at one moment. ``seat`` is where it will stand: None in hand or on its way out."""

    at: Vector
    colour: int
    seat: Seat | None
    alpha: float = 1.0
    tint: float = 0.0
    turn: float = 0.0
    into: int = 0
    dye: float = 0.0
    source: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Clip:
    """One stretch of the way of one marble, from ``start`` to ``end`` seconds.

    ``path`` maps 0-1 to world coordinates, ``curve`` maps the part of the time to the part of the way.
    ``alpha`` goes from the first to the second number between the parts of the time ``fade``. ``look`` holds
    (tint, turn) at the start and at the end.
    """

    start: float
    end: float
    path: motion.Path
    curve: motion.Curve
    look: tuple[tuple[float, float], tuple[float, float]]
    alpha: tuple[float, float] = (1.0, 1.0)
    fade: tuple[float, float] = (0.0, 1.0)


class _Dye(NamedTuple):
    """A change of colour; the dye comes from the direction ``source``."""

    start: float
    end: float
    before: int
    after: int
    source: Vector


@dataclass(slots=True)
class _Actor:
    """A marble with its way: ``seat`` None and ``gone`` False is the marble in hand."""

    colour: int
    seat: Seat | None
    at: Vector  # at the end of all clips
    look: tuple[float, float]
    gone: bool = False
    origin: Seat | None = None
    clips: list[Clip] = field(default_factory=list)
    dyes: list[_Dye] = field(default_factory=list)


def look(seat: Seat) -> tuple[float, float]:
    """What makes the marble on a seat differ by a hair: (tint from -1 to 1, turn in radians)."""
    mixed = (seat[0] * 7919 + seat[1] + 1) * 2654435761 & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 2246822519 & 0xFFFFFFFF
    return (mixed >> 8 & 0xFFF) / 2047.5 - 1.0, (mixed >> 20) / 4096 * math.tau


def held_at(plan: Layout, held: Held, filled_again: bool) -> Vector:
    """Where a lifted marble floats: above its origin, higher when another stands there by now."""
    x, y, z = plan.place(held.board, held.origin)
    return x, y, z + (motion.HELD_HEIGHT if filled_again else motion.LIFT_HEIGHT)


def own(stock: str, seat: int) -> str:
    """The key in :attr:`Queue.stocks` of the stock of this name that belongs to ``seat``."""
    return f"{stock} of seat {seat}"


def coloured(stock: str, colour: int) -> str:
    """The key in :attr:`Queue.stocks` of the marbles of one colour under the key ``stock``."""
    return f"{stock} in colour {colour}"


class Trip(NamedTuple):
    """A marble leaves the place of a stock (``by`` -1) or arrives there (1) at ``when``."""

    key: str
    colour: int
    when: float
    by: int


class Queue:
    """The marbles on boards of ``sizes`` and what is moving among them.

    ``speed`` is a key of :data:`motion.SPEEDS`; ``reduced`` replaces every way by a short fade. ``stocks``
    maps names of stocks to the world position marbles come from and go to; without one they appear and vanish
    above their point. The key of a stock that is one seat's own is :func:`own`; each colour may have a place of its
    own, see :func:`coloured`. Times are seconds on any clock that runs forward.
    """

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduced: bool = False) -> None:
        self.plan = layout(tuple(sizes))
        self.speed = speed
        self.reduced = reduced
        self.stocks: dict[str, Vector] = {}
        self._actors: list[_Actor] = []
        self._end = -math.inf
        self._openings: list[tuple[float, float]] = []
        self._trips: list[Trip] = []
        self._source: Vector | None = None  # where the marble is that causes what follows
        self._contacts: list[Contact] = []  # of the events being compiled
        self._cues: list[Cue] = []  # still to be heard, by time
        # While going back: the sum of first and last moment, and what stands at the end of it.
        self._mirror: float | None = None
        self._before: tuple[Mapping[Seat, int], Held | None] | None = None

    # -- what stands --------------------------------------------------------------------------------------

    @property
    def marbles(self) -> dict[Seat, int]:
        """Colour by (board, point) of every marble, as it will be when nothing moves any more."""
        if self._before:
            return dict(sorted(self._before[0].items()))
        return dict(sorted((a.seat, a.colour) for a in self._actors if a.seat is not None))

    @property
    def held(self) -> Held | None:
        """The marble in hand when nothing moves any more, or None."""
        if self._before:
            return self._before[1]
        hand = self._hand()
        return Held(hand.colour, hand.origin[1], hand.origin[0]) if hand and hand.origin else None

    def reset(self, marbles: Mapping[Seat, int], held: Held | None = None) -> None:
        """Nothing moves or is heard; ``marbles`` (colour by seat) stand and ``held`` is in hand."""
        self.hush()
        self._stand(marbles, held)

    def _stand(self, marbles: Mapping[Seat, int], held: Held | None) -> None:
        self._end, self._mirror, self._before = -math.inf, None, None
        self._openings.clear()
        self._trips.clear()
        self._actors = [
            _Actor(colour, seat, self.plan.place(*seat), look(seat))
            for seat, colour in sorted(marbles.items())
        ]
        if held:
            origin = (held.board, held.origin)
            at = held_at(self.plan, held, origin in marbles)
            self._actors.append(_Actor(held.colour, None, at, look(origin), origin=origin))

    # -- time ---------------------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """Whether something still moves at ``now``."""
        return now < self._end

    @property
    def end(self) -> float:
        """When the last motion ends; minus infinity when there is none."""
        return self._end

    def opening(self, now: float) -> float:
        """How far boxes with secret choices are open: from 0 to 1, and 1 when none is opening."""
        time = now if self._mirror is None else self._mirror - now
        for start, end in self._openings:
            if time < end:
                return motion.STANDARD((time - start) / (end - start))
        return 1.0

    def under_way(self, now: float) -> Counter[tuple[str, int]]:
        """By key in :attr:`stocks` and colour, how many marbles more (or fewer) lie there than in the end."""
        more: Counter[tuple[str, int]] = Counter()
        time = now if self._mirror is None else self._mirror - now
        for trip in self._trips:
            # What has not happened yet, or on the way back, what has not been undone yet.
            if self._mirror is None and trip.when > time:
                more[trip.key, trip.colour] -= trip.by
            elif self._mirror is not None and trip.when <= time:
                more[trip.key, trip.colour] += trip.by
        return more

    def cues(self, now: float) -> tuple[Cue, ...]:
        """What is to be heard until ``now`` and was not asked for before."""
        latest = now if self.busy(now) else math.inf
        due = tuple(cue for cue in self._cues if cue.time <= latest)
        self._cues = [cue for cue in self._cues if cue.time > latest]
        return due

    def hush(self) -> None:
        """What was still to be heard is not."""
        self._cues = []

    def finish(self) -> None:
        """Everything is where it was going, at once; of all that was still to be heard one sound is left."""
        self._cues = cut_short(self._cues)
        self._rest()

    def _rest(self) -> None:
        if self._before:
            self._stand(*self._before)
            return
        self._end = -math.inf
        self._openings.clear()
        self._trips.clear()
        self._actors = [actor for actor in self._actors if not actor.gone]
        self._actors.sort(key=_place)
        for actor in self._actors:
            actor.clips.clear()
            actor.dyes.clear()

    def sample(self, now: float) -> tuple[Pose, ...]:
        """All marbles as they are at ``now``, in no particular order; past the end their exact places."""
        if not self.busy(now):
            self._rest()
        time = now if self._mirror is None else self._mirror - now
        return tuple(pose for actor in self._actors if (pose := _pose(actor, time)).alpha > 0.0)

    # -- what moves ---------------------------------------------------------------------------------------

    def add(self, events: Iterable[ev.Event], now: float, wait: float = 0.0) -> None:
        """The events happen, after what still runs and ``wait`` seconds (kept at every speed).

        Raises ``LookupError`` when an event speaks of a marble that is not there.
        """
        if self._before:
            self.finish()
        begin = max(now, self._end) + wait
        self._end = max(begin, self._compile(events, begin, motion.SPEEDS[self.speed]))
        self._cues += grouped(self._contacts)
        if not self.busy(now):
            self.finish()

    def rewind(
        self, events: Iterable[ev.Event], now: float, marbles: Mapping[Seat, int], held: Held | None = None
    ) -> None:
        """The events are taken back: the same ways in reverse, to the place before them (``marbles``, ``held``)."""
        self.reset(marbles, held)
        end = self._compile(events, now, motion.SPEEDS[self.speed] * motion.REWIND)
        self._end, self._mirror = end, now + end
        self._cues = grouped([contact.mirrored(now + end) for contact in self._contacts])
        self._before = (dict(marbles), held)
        if not self.busy(now):
            self.finish()

    def _compile(self, events: Iterable[ev.Event], begin: float, factor: float) -> float:
        """Adds the clips of ``events`` from ``begin`` on and returns when they end."""
        self._source = None
        self._contacts = []
        for cause, together in _causes(events):
            # Times are collected in milliseconds of normal speed, so that a cause can be stretched as a whole.
            timed = _Cause(self, begin, factor / 1000)
            cause(timed, together)
            for event in together:
                if isinstance(event, _SOURCES):
                    self._source = self.plan.place(event.board, event.point)
            begin += timed.length * factor / 1000
        return begin

    def _lies(self, stock: str, colour: int, seat: int | None = None) -> tuple[str, Vector] | None:
        """The key and the place of the marbles of a colour in a stock, that of ``seat`` if it has its own."""
        names = [stock] if seat is None else [own(stock, seat), stock]
        keys = [key for name in names for key in (coloured(name, colour), name)]
        return next(((key, self.stocks[key]) for key in keys if key in self.stocks), None)

    def _hand(self) -> _Actor | None:
        return next((a for a in self._actors if a.seat is None and not a.gone), None)

    def _find(self, board: int, point: int, colour: int) -> _Actor:
        """The marble on a seat; of two there for a moment (one taken by the other) the one of ``colour``."""
        there = [a for a in self._actors if a.seat == (board, point)]
        for actor in there:
            if actor.colour == colour:
                return actor
        if there:
            return there[0]
        raise LookupError(f"no marble stands on point {point} of board {board}")


def _place(actor: _Actor) -> tuple[bool, Seat]:
    """Sorts marbles by where they stand, the one in hand last."""
    return actor.seat is None, actor.seat or (0, 0)


def _pose(actor: _Actor, time: float) -> Pose:
    colour, into, dye, source = actor.colour, actor.colour, 0.0, (0.0, 0.0, 0.0)
    for change in actor.dyes:
        if time < change.end:
            part = max(time - change.start, 0.0) / (change.end - change.start)
            colour, into, dye = change.before, change.after, motion.STANDARD(part)
            source = change.source
            break
    clips = actor.clips
    if not clips:
        return Pose(actor.at, colour, actor.seat, 1.0, *actor.look, into, dye, source)
    clip = clips[0]
    for later in clips[1:]:
        if later.start > time:
            break
        clip = later
    if clip.end > clip.start:
        part = min(max((time - clip.start) / (clip.end - clip.start), 0.0), 1.0)
    else:
        part = 1.0 if time >= clip.start else 0.0
    arrived = part >= 1.0 and clip is clips[-1]
    at = actor.at if arrived else clip.path(clip.curve(part))
    faded = min(max((part - clip.fade[0]) / max(clip.fade[1] - clip.fade[0], 1e-9), 0.0), 1.0)
    alpha = clip.alpha[0] + (clip.alpha[1] - clip.alpha[0]) * faded
    (tint0, turn0), (tint1, turn1) = clip.look
    tint, turn = tint0 + (tint1 - tint0) * part, turn0 + (turn1 - turn0) * part
    return Pose(at, colour, actor.seat, alpha, tint, turn, into, dye, source)


class _Cause:
    """The clips of one cause, in milliseconds from its beginning; ``length`` grows with them."""

    def __init__(self, queue: Queue, begin: float, factor: float) -> None:
        self.queue = queue
        self.begin = begin
        self.factor = factor
        self.length = 0.0

    def place(self, board: int, point: int) -> Vector:
        return self.queue.plan.place(board, point)

    def load(self, seat: Seat) -> Vector | None:
        """Where the marble is that rests on a seat; None without one, or with several."""
        resting = {(seat[0], point) for point in pyramid(self.queue.plan.sizes[seat[0]]).resting_on[seat[1]]}
        found = [actor.at for actor in self.queue._actors if actor.seat in resting]
        return found[0] if len(found) == 1 else None

    def others(self, actor: _Actor) -> list[Vector]:
        """Where all other marbles will stand."""
        return [a.at for a in self.queue._actors if a is not actor and not a.gone]

    def go(
        self,
        actor: _Actor,
        start: float,
        length: float,
        path: motion.Path,
        curve: motion.Curve,
        alpha: tuple[float, float] = (1.0, 1.0),
        fade: tuple[float, float] = (0.0, 1.0),
        look_at_end: tuple[float, float] | None = None,
    ) -> float:
        """Adds a clip and returns its end."""
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
            )
        )
        actor.look = ending
        self.length = max(self.length, start + length)
        return start + length

    def trip(self, key: str, colour: int, when: float, by: int) -> None:
        """Notes that a marble leaves a stock or arrives there; with an empty key nobody knows where."""
        if key:
            self.queue._trips.append(Trip(key, colour, self.begin + when * self.factor, by))

    def heard(self, kind: Touch, actor: _Actor, seat: Seat, start: float, length: float = 0.0) -> None:
        """The marble touches its seat, or leaves it, at ``start``."""
        begin = self.begin + start * self.factor
        level = int(self.queue.plan.levels[seat[0]][seat[1]])
        self.queue._contacts.append(Contact(begin, begin + length * self.factor, kind, actor.colour, level))

    def hop(
        self,
        actor: _Actor,
        end: Vector,
        alpha: tuple[float, float],
        looks: tuple[float, float],
        seat: Seat | None = None,
    ) -> None:
        """With reduced motion: fades out here and in there; ``alpha`` tells whether it is here and there at all.

        ``seat`` is where it is heard to be set when it is there.
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

    def set_down(self, actor: _Actor, start: float, seat: Seat, length: float = motion.SET_DOWN) -> float:
        """From straight above on to the seat, with one small settle."""
        end = self.place(*seat)
        when = self.go(actor, start, length, motion.straight(actor.at, end), motion.fall)
        actor.at, actor.seat, actor.origin = end, seat, None
        self.heard("set", actor, seat, when)
        self.go(actor, when, motion.SETTLE, _settle(end), motion.linear)
        return when

    def new(self, colour: int, seat: Seat, at: Vector) -> _Actor:
        actor = _Actor(colour, seat, at, look(seat))
        self.queue._actors.append(actor)
        return actor


def _settle(at: Vector) -> motion.Path:
    def path(t: float) -> Vector:
        return at[0], at[1], at[2] + motion.SETTLE_HEIGHT * math.sin(math.pi * t)

    return path


def _above(at: Vector, height: float) -> Vector:
    return at[0], at[1], at[2] + height


# -- causes: each plays a run of like events ------------------------------------------------------------------


def _placed(cause: _Cause, events: Sequence[ev.Placed]) -> None:
    each = motion.STACKED + motion.STACKED_PAUSE
    # A long chain is hurried, not cut.
    hurry = min(1.0, motion.STACKED_CHAIN / (each * len(events)))
    start = 0.0
    for event in events:
        seat = (event.board, event.point)
        end = cause.place(*seat)
        key, stock = cause.queue._lies(event.stock, event.colour) or ("", None)
        hover = _above(end, motion.LIFT_HEIGHT)
        actor = cause.new(event.colour, seat, stock or hover)
        cause.trip(key, event.colour, start, -1)
        if cause.queue.reduced:
            cause.hop(actor, end, (0.0, 1.0), look(seat), seat)
            continue
        if stock:
            length = motion.carry_time(stock, hover) * hurry
            path = motion.arc(stock, hover, cause.others(actor))
            fade = (0.0, min(motion.GHOST / length, 1.0))
            when = cause.go(actor, start, length, path, motion.STANDARD, (0.0, 1.0), fade)
            actor.at = hover
            when = cause.set_down(actor, when, seat, motion.SET_DOWN * hurry)
        else:
            length = motion.SET_DOWN * hurry
            when = cause.go(
                actor,
                start,
                length,
                motion.straight(hover, end),
                motion.fall,
                (0.0, 1.0),
                (0.0, motion.GHOST / motion.SET_DOWN),
            )
            actor.at = end
            cause.heard("set", actor, seat, when)
            cause.go(actor, when, motion.SETTLE, _settle(end), motion.linear)
        start = when + motion.STACKED_PAUSE * hurry


def _removed(cause: _Cause, events: Sequence[ev.Removed | ev.Captured]) -> None:
    for event in events:
        actor = cause.queue._find(event.board, event.point, event.colour)
        actor.seat, actor.gone = None, True
        key, stock = cause.queue._lies(event.stock, event.colour) or ("", None)
        cause.trip(key, event.colour, motion.FADE if cause.queue.reduced else motion.REMOVE, 1)
        cause.heard("lift", actor, (event.board, event.point), 0.0)
        if cause.queue.reduced:
            cause.hop(actor, actor.at, (1.0, 0.0), actor.look)
            continue
        load = cause.load((event.board, event.point)) if isinstance(event, ev.Removed) else None
        up = _above(actor.at, motion.HELD_HEIGHT)
        path = motion.slip(actor.at, load, motion.HELD_HEIGHT) if load else motion.straight(actor.at, up)
        if stock:
            over = motion.arc(up if load else actor.at, stock, cause.others(actor))
            path = motion.along(path, over, 0.35) if load else over
        fade = (1.0 - motion.REMOVE_FADE / motion.REMOVE, 1.0)
        cause.go(actor, 0.0, motion.REMOVE, path, motion.STANDARD, (1.0, 0.0), fade)


def _lifted(cause: _Cause, events: Sequence[ev.Lifted | ev.Dropped]) -> None:
    first, *drops = events
    assert isinstance(first, ev.Lifted)
    actor = cause.queue._find(first.board, first.point, first.colour)
    seat = (first.board, first.point)
    actor.seat, actor.origin = None, seat
    cause.heard("lift", actor, seat, 0.0)
    fallen = [drop for drop in drops if isinstance(drop, ev.Dropped)]
    filled_again = any((drop.board, drop.point) == seat for drop in fallen)
    end = held_at(cause.queue.plan, Held(first.colour, first.point, first.board), filled_again)
    if cause.queue.reduced:
        cause.hop(actor, end, (1.0, 1.0), actor.look)
    else:
        load = cause.load(seat)
        path = motion.slip(actor.at, load, end[2] - actor.at[2]) if load else motion.straight(actor.at, end)
        cause.go(actor, 0.0, motion.LIFT, path, motion.OUT)
        actor.at = end
    # What rested on it falls when it is out of the way.
    _chain(cause, fallen, motion.LIFT)


def _moved(cause: _Cause, events: Sequence[ev.Moved]) -> None:
    for event in events:
        seat = (event.board, event.point)
        hand = cause.queue._hand()
        actor = hand or cause.queue._find(event.board, event.origin, event.colour)
        if cause.queue.reduced:
            cause.hop(actor, cause.place(*seat), (1.0, 1.0), look(seat), seat)
            actor.seat, actor.origin = seat, None
            continue
        start = cause.length
        if hand is None:
            load = cause.load((event.board, event.origin))
            high = motion.HELD_HEIGHT if load else motion.LIFT_HEIGHT
            up = _above(actor.at, high)
            lift = motion.slip(actor.at, load, high) if load else motion.straight(actor.at, up)
            cause.heard("lift", actor, (event.board, event.origin), start)
            start = cause.go(actor, start, motion.LIFT, lift, motion.OUT)
            actor.at = up
        hover = _above(cause.place(*seat), motion.LIFT_HEIGHT)
        length = motion.carry_time(actor.at, hover)
        path = motion.arc(actor.at, hover, cause.others(actor))
        when = cause.go(actor, start, length, path, motion.STANDARD, look_at_end=look(seat))
        actor.at = hover
        cause.set_down(actor, when, seat)


def _chain(cause: _Cause, events: Sequence[ev.Dropped], delay: float = 0.0) -> None:
    stagger = motion.DROP_STAGGER
    if len(events) > 1:
        stagger = min(stagger, (motion.DROP_CHAIN - delay - motion.DROP) / (len(events) - 1))
    for i, event in enumerate(events):
        seat = (event.board, event.point)
        actor = cause.queue._find(event.board, event.origin, event.colour)
        end = cause.place(*seat)
        if cause.queue.reduced:
            cause.hop(actor, end, (1.0, 1.0), look(seat), seat)
        else:
            path = motion.roll(actor.at, end)
            when = delay + i * stagger
            when = cause.go(actor, when, motion.DROP, path, motion.fall, look_at_end=look(seat))
            cause.heard("fall", actor, seat, when)
            actor.at = end
        actor.seat = seat
        _raise_hand(cause, seat, delay)


def _raise_hand(cause: _Cause, seat: Seat, start: float) -> None:
    """The marble in hand makes room for one that falls into the place it left."""
    hand = cause.queue._hand()
    if hand is None or hand.origin != seat:
        return
    end = _above(cause.place(*seat), motion.HELD_HEIGHT)
    if hand.at == end:
        return
    if not cause.queue.reduced:
        cause.go(hand, start, motion.LIFT, motion.straight(hand.at, end), motion.OUT)
    hand.at = end


def _drew(cause: _Cause, events: Sequence[ev.Drew | ev.Given]) -> None:
    """From stock to stock, one after another, low over the table; without places nothing is to be seen."""
    each = motion.HAND_OVER + motion.HAND_OVER_PAUSE
    for event in events:
        to = event.receiver if isinstance(event, ev.Given) else event.seat
        leaves = cause.queue._lies(event.source, event.colour, event.seat)
        arrives = cause.queue._lies(event.stock, event.colour, to)
        if leaves is None or arrives is None:
            continue
        (left, start), (met, end) = leaves, arrives
        actor = _Actor(event.colour, None, start, (0.0, 0.0), gone=True)
        cause.queue._actors.append(actor)
        if cause.queue.reduced:
            cause.trip(left, event.colour, 0.0, -1)
            begin = cause.go(actor, 0.0, motion.FADE, motion.straight(end, end), motion.linear, (0.0, 1.0))
        else:
            hurry = min(1.0, motion.STACKED_CHAIN / (each * len(events)))
            begin = cause.length + (motion.HAND_OVER_PAUSE * hurry if cause.length else 0.0)
            path = motion.beside(start, end, cause.queue.plan.reach + 0.7)
            # It is not there before its time, and no longer once it lies among the others.
            cause.go(actor, begin, 0.0, motion.straight(start, start), motion.linear, (0.0, 1.0), (0.0, 0.0))
            cause.trip(left, event.colour, begin, -1)
            begin = cause.go(actor, begin, motion.HAND_OVER * hurry, path, motion.STANDARD)
            cause.go(actor, begin, 0.0, motion.straight(end, end), motion.linear, (1.0, 0.0), (0.0, 0.0))
        cause.trip(met, event.colour, begin, 1)
        actor.at = end


def _revealed(cause: _Cause, events: Sequence[ev.Revealed]) -> None:
    """All boxes open together; what they hold is told elsewhere, but the boards wait for it."""
    cause.length = motion.FADE if cause.queue.reduced else motion.OPEN
    cause.queue._openings.append((cause.begin, cause.begin + cause.length * cause.factor))


def _pushed(cause: _Cause, events: Sequence[ev.Pushed | ev.SideDropped | ev.Entered]) -> None:
    slid: set[int] = set()
    for event in events:
        seat = (event.board, event.point)
        end = cause.place(*seat)
        if isinstance(event, ev.Entered):
            out = _OUTWARD[event.side]
            start = (end[0] + out[0], end[1] + out[1], end[2])
            actor = cause.new(event.colour, seat, start)
            if cause.queue.reduced:
                cause.hop(actor, end, (0.0, 1.0), look(seat), seat)
                continue
            way = motion.straight(start, end)
            fade = (0.0, motion.GHOST / motion.PUSH)
            cause.go(actor, 0.0, motion.PUSH, way, motion.STANDARD, (0.0, 1.0), fade)
            cause.heard("slide", actor, seat, 0.0, motion.PUSH)
            actor.at = end
            continue
        actor = cause.queue._find(event.board, event.origin, event.colour)
        actor.seat = seat
        if cause.queue.reduced:
            # A marble that is pushed and then falls fades but once.
            actor.clips[:] = [clip for clip in actor.clips if clip.start < cause.begin]
            cause.hop(actor, end, (1.0, 1.0), look(seat), seat)
        elif isinstance(event, ev.Pushed):
            path = motion.straight(actor.at, end)
            cause.go(actor, 0.0, motion.PUSH, path, motion.STANDARD, look_at_end=look(seat))
            cause.heard("slide", actor, seat, 0.0, motion.PUSH)
            slid.add(id(actor))
        else:
            when = motion.PUSH if id(actor) in slid else 0.0
            path = motion.roll(actor.at, end)
            when = cause.go(actor, when, motion.DROP, path, motion.fall, look_at_end=look(seat))
            cause.heard("fall", actor, seat, when)
        actor.at = end


def _recoloured(cause: _Cause, events: Sequence[ev.Recoloured]) -> None:
    source = cause.queue._source
    places = [cause.place(event.board, event.point) for event in events]
    if source is None:
        source = places[0]
    ways = [math.dist(place, source) for place in places]
    nearest, farthest = min(ways), max(ways)
    each = min(motion.DYE_SPEED, motion.DYE_SPREAD / max(farthest - nearest, 1e-9))
    for event, place, way in zip(events, places, ways, strict=True):
        actor = cause.queue._find(event.board, event.point, event.before)
        start = 0.0 if cause.queue.reduced else (way - nearest) * each
        length = motion.FADE if cause.queue.reduced else motion.RECOLOUR
        times = cause.begin + start * cause.factor, cause.begin + (start + length) * cause.factor
        side = (
            tuple((s - p) / way for s, p in zip(source, place, strict=True))
            if way > 1e-6
            else (0.0, 0.0, 1.0)
        )
        actor.dyes.append(_Dye(*times, event.before, event.after, (side[0], side[1], side[2])))
        actor.colour = event.after
        cause.length = max(cause.length, start + length)


def _cleared(cause: _Cause, events: Sequence[ev.GameStarted]) -> None:
    length = motion.FADE if cause.queue.reduced else motion.REMOVE
    for actor in cause.queue._actors:
        if not actor.gone:
            actor.seat, actor.gone = None, True
            cause.go(actor, 0.0, length, motion.straight(actor.at, actor.at), motion.linear, (1.0, 0.0))


_SOURCES = (ev.Placed, ev.Moved, ev.Entered)
_Play: TypeAlias = Callable[..., None]
_PLAYS: dict[type, tuple[str, _Play]] = {
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


def _causes(events: Iterable[ev.Event]) -> Iterator[tuple[_Play, list[ev.Event]]]:
    """Runs of events that belong together; a lift takes along the drops that it causes."""
    seen = [event for event in events if type(event) in _PLAYS]
    runs = [list(run) for _, run in groupby(seen, key=lambda event: _PLAYS[type(event)][0])]
    i = 0
    while i < len(runs):
        run = runs[i]
        i += 1
        if isinstance(run[0], ev.Lifted):
            if i < len(runs) and isinstance(runs[i][0], ev.Dropped):
                run += runs[i]
                i += 1
            yield _lifted, run
        else:
            yield _PLAYS[type(run[0])][1], run
