"""Timeline that turns game events into marble animations.

Adding events moves the marbles to their final cells at once. The timeline then animates the way there; the caller can
sample it at any time. Events are grouped by cause: the groups are animated one after another, and the marbles within a
group move together.
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
    """Timeline of the marbles on boards of ``sizes``.

    ``speed`` is a key of :data:`motion.SPEEDS`. If ``reduced`` is set, marbles fade briefly instead of moving.
    ``stocks`` maps the key of a stock to the world position where its marbles come from and go to; marbles of a stock
    without an entry appear and vanish above their point. :func:`own` returns the key of a stock that belongs to one
    seat, and :func:`coloured` the key for a single colour of a stock.

    Times are in seconds, measured by any clock that runs forward.
    """

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduced: bool = False) -> None:
        self.cast = Cast(sizes, reduced)
        self.speed = speed
        self._end = -math.inf
        self._cues: list[Cue] = []  # pending sounds, by time
        # While rewinding: the sum of the start and end times, and the marbles to end with.
        self._mirror: float | None = None
        self._before: tuple[Mapping[Cell, int], Held | None] | None = None

    @property
    def plan(self) -> Layout:
        """Layout of the boards."""
        return self.cast.plan

    @property
    def reduced(self) -> bool:
        """Whether marbles fade briefly instead of moving."""
        return self.cast.reduced

    @reduced.setter
    def reduced(self, on: bool) -> None:
        self.cast.reduced = on

    @property
    def stocks(self) -> dict[str, Vector]:
        """Positions where marbles come from and go to, by stock key."""
        return self.cast.stocks

    @stocks.setter
    def stocks(self, places: dict[str, Vector]) -> None:
        self.lay(places, {})

    def lay(self, places: dict[str, Vector], rows: Mapping[str, Sequence[Vector]]) -> None:
        """Set the positions of the stocks.

        ``places`` maps the key of each stock to a position. For a stock in ``rows``, marbles come from or go to the
        positions of its row, one after another.
        """
        self.cast.stocks, self.cast.rows = places, rows

    # -- marbles ------------------------------------------------------------------------------------------

    @property
    def marbles(self) -> dict[Cell, int]:
        """Colour of every marble by (board, point), once all motion has ended."""
        if self._before:
            return dict(sorted(self._before[0].items()))
        return dict(sorted([(a.seat, a.colour) for a in self.cast.actors if a.seat is not None]))

    @property
    def held(self) -> Held | None:
        """Marble in hand once all motion has ended, or None."""
        if self._before:
            return self._before[1]
        hand = self.cast.hand()
        return Held(hand.colour, hand.origin[1], hand.origin[0]) if hand and hand.origin else None

    def held_at(self, held: Held, filled_again: bool) -> Vector:
        """Return the position at which a lifted marble floats; see :func:`actors.held_at`."""
        hand = self.cast.hand()
        if self._before is None and hand is not None:
            return hand.at
        return held_at(self.cast.plan, held, filled_again, self.cast.edges)

    def reset(self, marbles: Mapping[Cell, int], held: Held | None = None) -> None:
        """Show ``marbles`` (colour by cell) and the ``held`` marble; stop all motion and sound."""
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
        """Set the camera and the aspect ratio of the picture.

        Marbles added from now on are carried past the side of the boards that faces the camera and, if possible, within
        the picture.
        """
        x, y = (float(number) for number in eye.axes()[2][:2])
        far = math.hypot(x, y)
        if far > 1e-3:  # from straight above, keep the previous side
            self.cast.front = x / far, y / far
        self.cast.edges = eye.edges(aspect)

    # -- time ---------------------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""
        return now < self._end

    @property
    def end(self) -> float:
        """Time at which the last motion ends, or minus infinity if there is no motion."""
        return self._end

    def opening(self, now: float) -> float:
        """Return how far the boxes with secret choices are open, from 0 to 1.

        The result is 1 if no box is being opened.
        """
        time = now if self._mirror is None else self._mirror - now
        for start, end in self.cast.openings:
            if time < end:
                return motion.STANDARD((time - start) / (end - start))
        return 1.0

    def under_way(self, now: float) -> Counter[tuple[str, int]]:
        """Return how the number of marbles in each stock at ``now`` differs from the final number.

        The keys of the result are pairs of a stock key, as in :attr:`stocks`, and a colour. A positive number means
        that the stock still contains more marbles than it will in the end.
        """
        more: Counter[tuple[str, int]] = Counter()
        time = now if self._mirror is None else self._mirror - now
        for trip in self.cast.trips:
            # Trips still to be made or, while rewinding, still to be undone.
            if self._mirror is None and trip.when > time:
                more[trip.key, trip.colour] -= trip.by
            elif self._mirror is not None and trip.when <= time:
                more[trip.key, trip.colour] += trip.by
        return more

    def cues(self, now: float) -> tuple[Cue, ...]:
        """Return the sound cues due by ``now``; each cue is returned only once."""
        latest = now if self.busy(now) else math.inf
        due = tuple(cue for cue in self._cues if cue.time <= latest)
        self._cues = [cue for cue in self._cues if cue.time > latest]
        return due

    def hush(self) -> None:
        """Discard all pending sounds."""
        self._cues = []

    def finish(self) -> None:
        """End all motion now and put every marble in its final position.

        At most one of the pending sounds is kept.
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
        """Return the poses of all visible marbles at ``now``, in no particular order.

        Once all motion has ended, these are the exact final positions.
        """
        if not self.busy(now):
            self._rest()
        time = now if self._mirror is None else self._mirror - now
        poses = [pose(actor, time) for actor in self.cast.actors]
        return tuple([seen for seen in poses if seen.alpha > 0.0])

    # -- motion -------------------------------------------------------------------------------------------

    def add(self, events: Iterable[ev.Event], now: float, wait: float = 0.0) -> None:
        """Play the events, starting ``wait`` seconds after the current motion ends.

        The speed does not affect ``wait``. Raises ``LookupError`` if an event refers to a marble that does not exist.
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
        """Play the events backwards, ending with ``marbles`` and the ``held`` marble.

        These are the marbles before the events. Any other motion is stopped first.
        """
        self.reset(marbles, held)
        end = self._compile(events, now, motion.SPEEDS[self.speed] * motion.REWIND)
        self._end, self._mirror = end, now + end
        self._cues = grouped([contact.mirrored(now + end) for contact in self.cast.contacts])
        self._before = (dict(marbles), held)
        if not self.busy(now):
            self.finish()

    def _compile(self, events: Iterable[ev.Event], begin: float, factor: float) -> float:
        """Append the clips for ``events``, starting at ``begin``; return the time at which they end."""
        self.cast.source = None
        self.cast.contacts = []
        self.cast.used.clear()
        last = begin
        for cause, together in causes(events):
            # A cause collects times in milliseconds at normal speed, so that it can be stretched as a whole.
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
    return actor.seat is None, actor.seat or (0, 0)
