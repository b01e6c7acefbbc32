"""Timeline that turns game events into marble animations.

When events are added, marbles are assigned to their final cells immediately. The timeline then animates their way
there; the caller can sample it at any time. Events that belong together form a group: the groups are animated one after
another, and the marbles within a group move together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.actors import (
    Actor,
    Cast,
    Cell,
    HeldMarble,
    Pose,
    held_position,
    marble_variation,
    pose_at,
)
from shibumi3d.scene.marbles.animations import SOURCE_EVENTS, Animation, group_events
from shibumi3d.scene.marbles.layout import Layout, Vector
from shibumi3d.scene.sound_cues import SoundCue, make_cues, truncate_cues


class Timeline:
    """Timeline of the marbles on boards of ``sizes``.

    ``speed`` is a key of :data:`.SPEED_FACTORS`. If ``reduce_motion`` is set, marbles fade briefly instead of moving.
    ``stock_positions`` maps the key of a stock to the world position where its marbles come from and go to; see
    :class:`.Cast`. If a stock has no entry, its marbles come from and go to a place outside the picture. A marble that
    moves from one stock to another is shown only if both have entries.

    Times are in seconds, measured by any clock that runs forward.
    """

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduce_motion: bool = False) -> None:
        self.cast = Cast(sizes, reduce_motion)
        self.speed = speed
        self.top_margin = 0.0
        """Fraction of the picture's height that is covered at the top; marbles stay below the covered part."""
        self._end = -math.inf
        self._cues: list[SoundCue] = []  # pending sounds, by time
        # While rewinding: the sum of the start and end times, and the marbles to end with.
        self._mirror_time_sum: float | None = None
        self._rewind_target: tuple[Mapping[Cell, int], HeldMarble | None] | None = None

    @property
    def layout(self) -> Layout:
        """Layout of the boards."""
        return self.cast.layout

    @property
    def reduce_motion(self) -> bool:
        """Whether marbles fade briefly instead of moving."""
        return self.cast.reduce_motion

    @reduce_motion.setter
    def reduce_motion(self, enabled: bool) -> None:
        self.cast.reduce_motion = enabled

    @property
    def stock_positions(self) -> dict[str, Vector]:
        """Positions where marbles come from and go to, by stock key.

        Setting them discards the rows set by :meth:`set_stocks`.
        """
        return self.cast.stock_positions

    @stock_positions.setter
    def stock_positions(self, positions: dict[str, Vector]) -> None:
        self.set_stocks(positions, {})

    def set_stocks(self, positions: dict[str, Vector], rows: Mapping[str, Sequence[Vector]]) -> None:
        """Set the positions of the stocks.

        ``positions`` maps the key of each stock to a position. ``rows`` maps the keys of some stocks to rows of
        positions: successive marbles come from or go to successive positions in the row.
        """
        self.cast.stock_positions, self.cast.stock_rows = positions, rows

    # -- marbles ------------------------------------------------------------------------------------------

    @property
    def marbles(self) -> dict[Cell, int]:
        """Colour of every marble that is on the boards once all motion has ended, by (board, point)."""
        if self._rewind_target:
            return dict(sorted(self._rewind_target[0].items()))
        return dict(sorted([(a.socket, a.colour) for a in self.cast.actors if a.socket is not None]))

    @property
    def held(self) -> HeldMarble | None:
        """Marble in hand once all motion has ended, or None."""
        if self._rewind_target:
            return self._rewind_target[1]
        hand = self.cast.held_actor()
        return HeldMarble(hand.colour, hand.origin[1], hand.origin[0]) if hand and hand.origin else None

    def held_position(self, held_marble: HeldMarble, origin_is_refilled: bool) -> Vector:
        """Return the position at which a lifted marble floats; see :func:`.actors.held_position`.

        If a marble is in hand already, the result is that marble's position, whatever the arguments are. This does not
        apply during a rewind.
        """
        hand = self.cast.held_actor()
        if self._rewind_target is None and hand is not None:
            return hand.position
        return held_position(self.cast.layout, held_marble, origin_is_refilled, self.cast.frame_edges)

    def reset(self, marbles: Mapping[Cell, int], held: HeldMarble | None = None) -> None:
        """Show ``marbles`` (colour by cell) and the ``held`` marble, if any; end all motion.

        Pending sounds are discarded.
        """
        self.discard_cues()
        self._show(marbles, held)

    def _show(self, marbles: Mapping[Cell, int], held_marble: HeldMarble | None) -> None:
        self._end, self._mirror_time_sum, self._rewind_target = -math.inf, None, None
        self.cast.box_openings.clear()
        self.cast.stock_changes.clear()
        self.cast.actors = [
            Actor(colour, seat, self.cast.layout.point_position(*seat), marble_variation(seat))
            for seat, colour in sorted(marbles.items())
        ]
        if held_marble:
            origin = (held_marble.board, held_marble.origin)
            at = held_position(self.cast.layout, held_marble, origin in marbles, self.cast.frame_edges)
            self.cast.actors.append(
                Actor(held_marble.colour, None, at, marble_variation(origin), origin=origin)
            )

    def set_camera(self, camera: Camera, aspect: float) -> None:
        """Set the camera and the aspect ratio of the picture.

        This affects only motion added later: marbles are carried around the side of the boards that faces the camera
        and, if possible, stay within the picture.
        """
        x, y = (float(number) for number in camera.axes()[2][:2])
        far = math.hypot(x, y)
        if far > 1e-3:  # from straight above, keep the previous side
            self.cast.toward_camera = x / far, y / far
        self.cast.frame_edges = camera.frame_edges(aspect, self.top_margin)

    # -- time ---------------------------------------------------------------------------------------------

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""
        return now < self._end

    @property
    def end_time(self) -> float:
        """Time at which the last motion ends, or minus infinity if there is no motion."""
        return self._end

    def box_opening(self, now: float) -> float:
        """Return how far the boxes with secret choices are open, from 0 to 1.

        The result is 1 if no opening is under way or still to come.
        """
        time = now if self._mirror_time_sum is None else self._mirror_time_sum - now
        for start, end in self.cast.box_openings:
            if time < end:
                return motion.EASE_STANDARD((time - start) / (end - start))
        return 1.0

    def pending_stock_changes(self, now: float) -> Counter[tuple[str, int]]:
        """Return how the number of marbles in each stock at ``now`` differs from the final number.

        The keys of the result are pairs of a stock key, as in :attr:`stock_positions`, and a colour. A positive number
        means that the stock still contains more marbles than it will in the end.
        """
        more: Counter[tuple[str, int]] = Counter()
        time = now if self._mirror_time_sum is None else self._mirror_time_sum - now
        for trip in self.cast.stock_changes:
            # Trips still to be made or, while rewinding, still to be undone.
            if self._mirror_time_sum is None and trip.time > time:
                more[trip.key, trip.colour] -= trip.change
            elif self._mirror_time_sum is not None and trip.time <= time:
                more[trip.key, trip.colour] += trip.change
        return more

    def take_cues(self, now: float) -> tuple[SoundCue, ...]:
        """Return the sound cues due by ``now``, or all that remain if the motion has ended.

        Each cue is returned only once.
        """
        latest = now if self.is_animating(now) else math.inf
        due = tuple(cue for cue in self._cues if cue.time <= latest)
        self._cues = [cue for cue in self._cues if cue.time > latest]
        return due

    def discard_cues(self) -> None:
        """Discard all pending sounds."""
        self._cues = []

    def finish(self) -> None:
        """End all motion now and put every marble in its final position.

        At most one of the pending sounds is kept.
        """
        self._cues = truncate_cues(self._cues)
        self._settle()

    def _settle(self) -> None:
        if self._rewind_target:
            self._show(*self._rewind_target)
            return
        self._end = -math.inf
        self.cast.box_openings.clear()
        self.cast.stock_changes.clear()
        self.cast.actors = [actor for actor in self.cast.actors if not actor.is_leaving]
        self.cast.actors.sort(key=_sort_key)
        for actor in self.cast.actors:
            actor.track.clear()
            actor.recolourings.clear()

    def sample(self, now: float) -> tuple[Pose, ...]:
        """Return the poses of all visible marbles at ``now``, in no particular order.

        Once all motion has ended, the marbles are at their exact final positions.
        """
        if not self.is_animating(now):
            self._settle()
        time = now if self._mirror_time_sum is None else self._mirror_time_sum - now
        poses = [pose_at(actor, time) for actor in self.cast.actors]
        return tuple([seen for seen in poses if seen.alpha > 0.0])

    # -- motion -------------------------------------------------------------------------------------------

    def add(self, events: Iterable[ev.Event], now: float, wait: float = 0.0) -> None:
        """Play the events, starting ``wait`` seconds after the current motion ends.

        The speed does not affect ``wait``. A rewind still in progress is ended first. Raises LookupError if an event
        refers to a marble that does not exist.
        """
        if self._rewind_target:
            self.finish()
        begin = max(now, self._end) + wait
        self._end = max(begin, self._compile(events, begin, motion.SPEED_FACTORS[self.speed]))
        self._cues += make_cues(self.cast.contacts)
        if not self.is_animating(now):
            self.finish()

    def rewind(
        self,
        events: Iterable[ev.Event],
        now: float,
        marbles: Mapping[Cell, int],
        held: HeldMarble | None = None,
    ) -> None:
        """Play the events backwards.

        The motion ends with ``marbles`` (colour by cell) and the ``held`` marble, as they were before the events. Any
        other motion is stopped first. Raises LookupError if an event refers to a marble that does not exist.
        """
        self.reset(marbles, held)
        end = self._compile(events, now, motion.SPEED_FACTORS[self.speed] * motion.REWIND_DURATION_FACTOR)
        self._end, self._mirror_time_sum = end, now + end
        # Played backwards, a rebound would be heard before the marble is lifted.
        first = [contact for contact in self.cast.contacts if contact.gain == 1.0]
        self._cues = make_cues([contact.reversed(now + end) for contact in first])
        self._rewind_target = (dict(marbles), held)
        if not self.is_animating(now):
            self.finish()

    def _compile(self, events: Iterable[ev.Event], start_time: float, duration_factor: float) -> float:
        """Append the motion for ``events``, starting at ``start_time``; return the time at which it ends."""
        self.cast.cause_position = None
        self.cast.contacts = []
        self.cast.used_row_places.clear()
        last = start_time
        for cause, together in group_events(events):
            # An animation collects times in milliseconds at normal speed, so that it can be stretched as a whole.
            timed = Animation(self.cast, start_time, duration_factor / 1000)
            cause(timed, together)
            for event in together:
                if isinstance(event, SOURCE_EVENTS):
                    self.cast.cause_position = self.cast.layout.point_position(event.board, event.point)
            last = max(last, start_time + max(timed.duration_ms, timed.tail_ms) * duration_factor / 1000)
            start_time += timed.duration_ms * duration_factor / 1000
        motion.choose_carry_paths(self.cast.pending_carries)
        self.cast.pending_carries = []
        return last


def _sort_key(actor: Actor) -> tuple[bool, Cell]:
    return actor.socket is None, actor.socket or (0, 0)
