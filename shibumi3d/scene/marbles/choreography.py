"""Events become motion: a queue of clips, sampled at a time that is passed in.

The marbles stand where the events have put them as soon as the events are added; what the queue adds is the way
there. Causes play one after another, the marbles of one cause together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.actors import Actor, Cast, Cell, Held, Pose, held_at, look, pose
from shibumi3d.scene.marbles.causes import SOURCES, Cause, causes
from shibumi3d.scene.marbles.cue import Cue, cut_short, grouped
from shibumi3d.scene.marbles.layout import Layout, Vector


class Queue:
    """The marbles on boards of ``sizes`` and what is moving among them.

    ``speed`` is a key of :data:`motion.SPEEDS`; ``reduced`` replaces every way by a short fade. ``stocks``
    maps names of stocks to the world position marbles come from and go to; without one they appear and vanish
    above their point. The key of a stock that is one seat's own is :func:`own`; each colour may have a place of its
    own, see :func:`coloured`. Times are seconds on any clock that runs forward.
    """

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduced: bool = False) -> None:
        self.cast = Cast(sizes, reduced)
        self.speed = speed
        self._end = -math.inf
        self._cues: list[Cue] = []  # still to be heard, by time
        # While going back: the sum of first and last moment, and what stands at the end of it.
        self._mirror: float | None = None
        self._before: tuple[Mapping[Cell, int], Held | None] | None = None

    @property
    def plan(self) -> Layout:
        """Where the boards lie."""
        return self.cast.plan

    @property
    def reduced(self) -> bool:
        """Whether every way is replaced by a short fade."""
        return self.cast.reduced

    @reduced.setter
    def reduced(self, on: bool) -> None:
        self.cast.reduced = on

    @property
    def stocks(self) -> dict[str, Vector]:
        """By key of a stock, where marbles come from and go to."""
        return self.cast.stocks

    @stocks.setter
    def stocks(self, places: dict[str, Vector]) -> None:
        self.lay(places, {})

    def lay(self, places: dict[str, Vector], rows: Mapping[str, Sequence[Vector]]) -> None:
        """Tell by key of a stock where marbles come from and go to, and in ``rows`` where several do one after
        another.
        """
        self.cast.stocks, self.cast.rows = places, rows

    # -- what stands --------------------------------------------------------------------------------------

    @property
    def marbles(self) -> dict[Cell, int]:
        """Colour by (board, point) of every marble, as it will be when nothing moves any more."""
        if self._before:
            return dict(sorted(self._before[0].items()))
        return dict(sorted([(a.seat, a.colour) for a in self.cast.actors if a.seat is not None]))

    @property
    def held(self) -> Held | None:
        """The marble in hand when nothing moves any more, or None."""
        if self._before:
            return self._before[1]
        hand = self.cast.hand()
        return Held(hand.colour, hand.origin[1], hand.origin[0]) if hand and hand.origin else None

    def held_at(self, held: Held, filled_again: bool) -> Vector:
        """Return where a lifted marble floats; see :func:`actors.held_at`."""
        hand = self.cast.hand()
        if self._before is None and hand is not None:
            return hand.at
        return held_at(self.cast.plan, held, filled_again, self.cast.edges)

    def reset(self, marbles: Mapping[Cell, int], held: Held | None = None) -> None:
        """End all motion and sound; ``marbles`` (colour by seat) stand and ``held`` is in hand."""
        self.hush()
        self._stand(marbles, held)

    def _stand(self, marbles: Mapping[Cell, int], held: Held | None) -> None:
        self._end, self._mirror, self._before = -math.inf, None, None
        self.cast.openings.clear()
        self.cast.trips.clear()
        self.cast.actors = [
            Actor(colour, seat, self.cast.plan.place(*seat), look(seat))
            for seat, colour in sorted(marbles.items())
        ]
        if held:
            origin = (held.board, held.origin)
            at = held_at(self.cast.plan, held, origin in marbles, self.cast.edges)
            self.cast.actors.append(Actor(held.colour, None, at, look(origin), origin=origin))

    def face(self, eye: Camera, aspect: float) -> None:
        """Note where the eye stands, whose picture is ``aspect`` times as wide as high: what is carried from now on
        goes on that side, and is seen.
        """
        x, y = (float(number) for number in eye.axes()[2][:2])
        far = math.hypot(x, y)
        if far > 1e-3:  # from straight above the side is the one of before
            self.cast.front = x / far, y / far
        self.cast.edges = eye.edges(aspect)

    # -- time ---------------------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """Return whether something still moves at ``now``."""
        return now < self._end

    @property
    def end(self) -> float:
        """When the last motion ends; minus infinity when there is none."""
        return self._end

    def opening(self, now: float) -> float:
        """Return how far boxes with secret choices are open: from 0 to 1, and 1 when none is opening."""
        time = now if self._mirror is None else self._mirror - now
        for start, end in self.cast.openings:
            if time < end:
                return motion.STANDARD((time - start) / (end - start))
        return 1.0

    def under_way(self, now: float) -> Counter[tuple[str, int]]:
        """Return how many marbles more (or fewer) lie in a stock at ``now`` than in the end, by key in
        :attr:`stocks` and colour.
        """
        more: Counter[tuple[str, int]] = Counter()
        time = now if self._mirror is None else self._mirror - now
        for trip in self.cast.trips:
            # What has not happened yet, or on the way back, what has not been undone yet.
            if self._mirror is None and trip.when > time:
                more[trip.key, trip.colour] -= trip.by
            elif self._mirror is not None and trip.when <= time:
                more[trip.key, trip.colour] += trip.by
        return more

    def cues(self, now: float) -> tuple[Cue, ...]:
        """Return the sounds due by ``now``, each once."""
        latest = now if self.busy(now) else math.inf
        due = tuple(cue for cue in self._cues if cue.time <= latest)
        self._cues = [cue for cue in self._cues if cue.time > latest]
        return due

    def hush(self) -> None:
        """Drop the sounds that are still to come."""
        self._cues = []

    def finish(self) -> None:
        """End all motion now: put everything where it was going.

        Of all that was still to be heard one sound is left.
        """
        self._cues = cut_short(self._cues)
        self._rest()

    def _rest(self) -> None:
        if self._before:
            self._stand(*self._before)
            return
        self._end = -math.inf
        self.cast.openings.clear()
        self.cast.trips.clear()
        self.cast.actors = [actor for actor in self.cast.actors if not actor.gone]
        self.cast.actors.sort(key=_place)
        for actor in self.cast.actors:
            actor.clips.clear()
            actor.dyes.clear()

    def sample(self, now: float) -> tuple[Pose, ...]:
        """Return all marbles as they are at ``now``, in no particular order; past the end their exact places."""
        if not self.busy(now):
            self._rest()
        time = now if self._mirror is None else self._mirror - now
        poses = [pose(actor, time) for actor in self.cast.actors]
        return tuple([seen for seen in poses if seen.alpha > 0.0])

    # -- what moves ---------------------------------------------------------------------------------------

    def add(self, events: Iterable[ev.Event], now: float, wait: float = 0.0) -> None:
        """Play the events after what still runs and ``wait`` seconds (kept at every speed).

        Raises ``LookupError`` when an event speaks of a marble that is not there.
        """
        if self._before:
            self.finish()
        begin = max(now, self._end) + wait
        self._end = max(begin, self._compile(events, begin, motion.SPEEDS[self.speed]))
        self._cues += grouped(self.cast.contacts)
        if not self.busy(now):
            self.finish()

    def rewind(
        self, events: Iterable[ev.Event], now: float, marbles: Mapping[Cell, int], held: Held | None = None
    ) -> None:
        """Take the events back: the same ways in reverse, to the place before them (``marbles``, ``held``)."""
        self.reset(marbles, held)
        end = self._compile(events, now, motion.SPEEDS[self.speed] * motion.REWIND)
        self._end, self._mirror = end, now + end
        self._cues = grouped([contact.mirrored(now + end) for contact in self.cast.contacts])
        self._before = (dict(marbles), held)
        if not self.busy(now):
            self.finish()

    def _compile(self, events: Iterable[ev.Event], begin: float, factor: float) -> float:
        """Adds the clips of ``events`` from ``begin`` on and returns when they end."""
        self.cast.source = None
        self.cast.contacts = []
        self.cast.used.clear()
        last = begin
        for cause, together in causes(events):
            # Times are collected in milliseconds of normal speed, so that a cause can be stretched as a whole.
            timed = Cause(self.cast, begin, factor / 1000)
            cause(timed, together)
            for event in together:
                if isinstance(event, SOURCES):
                    self.cast.source = self.cast.plan.place(event.board, event.point)
            last = max(last, begin + max(timed.length, timed.tail) * factor / 1000)
            begin += timed.length * factor / 1000
        motion.find(self.cast.carries)
        self.cast.carries = []
        return last


def _place(actor: Actor) -> tuple[bool, Cell]:
    """Sorts marbles by where they stand, the one in hand last."""
    return actor.seat is None, actor.seat or (0, 0)
