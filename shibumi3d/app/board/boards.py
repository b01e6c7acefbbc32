"""The boards of a match of marbles, and what lies on the table beside them, seen through a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene import motion
from shibumi3d.scene.fades import Fades, Pace
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.ending import LIGHTS, ending_signs
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.marbles.spread import Spread
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.marbles.tray import Heap
from shibumi3d.scene.rect import Rect

from ..host.view import View
from ..marbles import reveals
from ..marbles.table import Lying, Slot, Tabletop
from .last_turn import LastTurn
from .seen import Open, Seen
from .shown import Kept, Shown

if TYPE_CHECKING:
    from ..host import Host

PACES = {
    SignKind.LAST: Pace(motion.RING),
    SignKind.WAY: Pace(motion.RING),
    SignKind.NUMBER: Pace(motion.RING),
    SignKind.TRAIL: Pace(motion.RING),
    SignKind.HOVER: Pace(*motion.HOVER, motion.OUT),
}
"""The signs that come or leave softly."""
ENDING = (*LIGHTS, SignKind.COUNTED, SignKind.EVEN, SignKind.BESIDE)
"""The signs that tell how a match ended."""
AFTER = (SignKind.LAST, SignKind.WAY, SignKind.NUMBER, *ENDING)
"""The signs that wait until everything lies where they say."""
GHOST = Pace(motion.GHOST, motion.GHOST)


def coordinates(app: Host) -> dict[str, Callable[[], object]]:
    """Return the key that shows the names of points, or no longer."""
    return {"c": lambda: app.change(coordinates=not app.settings.coordinates)}


class Boards:
    """Shows a moment of a match; a page adds what is done there."""

    refresh: Callable[[], None]
    """Asks for a new picture."""

    def __init__(self, app: Host, match: Match, entry: Entry, seen: Seen | None = None) -> None:
        self.app = app
        self.seen = seen or Open(match)
        self.match, self.entry = match, entry
        self._sight = Kept(self.look, lambda: (self.state, self.app.settings))
        self.facts = marble_facts(match.game, len(match.seats))
        self.names = match.names
        self.stage = Stage([match.first.size] * len(match.first.board_names), app.settings.motion)
        self.stage.recolours = self.facts.recolours
        self.stage.reset(self.seen.view)
        self.last_turn = LastTurn(self)
        self._fades: Fades[Sign | Ghost] = Fades()
        self.tabletop = Tabletop(match.first, self.facts)
        self._lying: tuple[State, tuple[object, ...], Lying] | None = None
        self.view: View = self.make_view()

    def make_view(self) -> View:
        """The view with what the page does with clicks."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        """The state that is shown."""
        return self.seen.state

    @property
    def board(self) -> int:
        """The board in use, of several."""
        return 0

    announced = ""
    """A change of phase that is told for a moment."""
    spread: Spread | None = None
    """Where the levels lie when they are apart."""
    ending = False
    """Whether the match is over as soon as the marbles lie still."""

    # The table

    bare = False
    """Whether nothing but the boards is shown."""

    def in_dish(self) -> Heap | None:
        """Where the colour comes from that was chosen: a marble of it lies in the dish."""
        return None

    def lying(self, time: float) -> Lying:
        """What lies on the table at a time of the stage."""
        queue, shown = self.stage.queue, self.sight
        seen, passed = shown.view, shown.passed
        under_way = queue.under_way(time)
        boxes = self.boxes(passed, time)
        still = not queue.busy(time)
        chosen = self.in_dish() if still else None
        lit = self.tabletop.decisive(seen, shown.sitting) if still else frozenset()
        key = (
            self.tabletop,
            self.tabletop.dish_shown,
            len(passed),
            shown.sitting,
            chosen,
            lit,
            tuple(boxes.items()),
            tuple(under_way.items()),
        )
        if self._lying is None or self._lying[0] is not seen or self._lying[1] != key:
            self._lying = seen, key, self.tabletop.show(seen, shown.sitting, under_way, chosen, boxes, lit)
        return self._lying[2]

    _slots: tuple[tuple[State, bool, bool], list[Slot], set[Slot]] | None = None

    def boxes(self, passed: Sequence[Ply], time: float) -> dict[Slot, float]:
        """The boxes for secret choices that stand on the table after the moves ``passed``, and how far each is open.

        They are shut while choices are made, open together when all have chosen, and stay so while anything that all
        may see is left in them.
        """
        table, queue = self.tabletop, self.stage.queue
        if not table.plan.boxes:
            return {}
        looked = (
            bool(passed) and reveals.revealed(passed[-1].events) and (self.seen.opening or queue.busy(time))
        )
        key = (self.state, looked, self.seen.opening)
        if self._slots is None or self._slots[0][0] is not self.state or self._slots[0] != key:
            slots: list[Slot] = []
            opens: set[Slot] = set()
            if looked:
                slots = table.boxes_of(reveals.givers(self.match, passed, True))
                opens = table.opening(passed, self.seen.all_know(passed[-1].events))
            elif self.state.in_secret:
                slots = table.boxes_of(reveals.givers(self.match, passed, False))
            else:
                slots = table.left_open(passed)
                opens = set(slots)
            self._slots = key, slots, opens
        part = queue.opening(time)
        return {slot: part if slot in self._slots[2] else 0.0 for slot in self._slots[1]}

    def end_fades(self) -> None:
        """What comes or leaves is there or gone at once."""
        self._fades.finish()
        self.last_turn.trails = []

    def set_table(self, passed: Sequence[Ply], events: Sequence[ev.Event]) -> None:
        """Tells the stage where marbles come from and go to, before it shows the ``events`` of the last of the moves
        ``passed``."""
        boxes: list[Slot] = []
        if self.tabletop.plan.boxes:
            before = passed[-2].state if len(passed) > 1 else self.match.first
            opened = reveals.revealed(passed[-1].events)
            boxes = self.tabletop.left_open(passed[:-1])
            if before.in_secret:
                boxes = self.tabletop.boxes_of(reveals.givers(self.match, passed, opened))
        heaps, chosen = (self._lying[2].heaps, self._lying[2].chosen) if self._lying else ({}, None)
        if self.bare:
            self.stage.queue.lay({}, {})
        else:
            places = self.tabletop.places(self.seen.sitting, passed[-1].seat, boxes, heaps, chosen, events)
            self.stage.queue.lay(places, self.tabletop.rows)

    def time(self, now: float) -> float:
        """The time of the stage at the time ``now``."""
        return now

    def now(self) -> float:
        """The time of the stage at this moment."""
        return self.time(self.app.clock())

    def animate(self, now: float) -> bool:
        """Moves on to the time ``now``; whether anything moves."""
        self._sight.drop()
        self.stage.queue.speed = self.app.settings.motion
        self.stage.queue.reduced = self.app.settings.reduced
        moving = self.view.animate(now)
        self.sound(now)
        return self.stage.busy(self.time(now)) or moving

    @property
    def aloud(self) -> bool:
        """Whether the marbles are heard."""
        return True

    def sound(self, now: float) -> None:
        """Lets be heard what has happened until ``now``."""
        time = self.time(now)
        for cue in self.stage.queue.cues(time):
            if self.aloud:
                self.app.sounds.touch(cue)
        if self.ending and not self.stage.queue.busy(time):
            self.ending = False
            self.app.sounds.bowl()

    def fading(self) -> bool:
        """Whether a sign still comes or leaves."""
        return self._fades.busy

    def panels(self) -> list[Rect]:
        """What covers the view now."""
        return []

    # Signs

    @property
    def sight(self) -> Shown:
        """What is shown: made anew for each picture, and when something has changed."""
        return self._sight.get()

    def look(self) -> Shown:
        """Make what is shown now."""
        known = self.seen
        seen, passed, unread = known.view, known.passed(), known.unread
        turn = self.last_turn.plies(passed, unread)
        landed = self.last_turn.landed(turn)
        return Shown(
            self.app.settings,
            known.state,
            seen,
            passed,
            unread,
            known.cloths,
            self.board,
            known.sitting,
            known.asking,
            self.stage.marbles,
            tuple(landed),
            (*self._steady(seen, known.cloths, landed), *self.last_turn.signs(turn)),
        )

    def steady_signs(self) -> list[Sign]:
        """The last move, what fell, the marble in hand, the winning shape; the ways of falls when all have fallen."""
        still = not self.stage.queue.busy(self.now())
        return [*self.sight.steady, *(self.last_turn.trails if still else ())]

    def _steady(self, state: State, covered: frozenset[int], landed: Sequence[tuple[int, int]]) -> list[Sign]:
        boards = range(len(state.board_names))
        signs = [Sign(SignKind.CLOTH, board) for board in covered]
        signs += [Sign(SignKind.FELL, b, p) for b in boards for p in bits(state.fallen(b))]
        beside = not self.bare and bool(self.tabletop.decisive(state, self.seen.sitting))
        signs += ending_signs(state, landed, beside)
        if state.held is not None:
            signs.append(Sign(SignKind.ORIGIN, state.held[2], state.held[1]))
        if beside or any(sign.kind in LIGHTS for sign in signs):
            return signs  # nothing else stands out
        return signs + [Sign(SignKind.LAST, *seat) for seat in landed]

    def frame(self, now: float, aspect: float, signs: Sequence[Sign], ghosts: Sequence[Ghost] = ()) -> Frame:
        """The picture with these signs; some of them come and leave softly."""
        if self.stage.queue.busy(self.time(now)):
            signs = [sign for sign in signs if sign.kind not in AFTER]
        wanted: dict[Sign | Ghost, Pace] = {s: PACES[s.kind] for s in signs if s.kind in PACES}
        wanted.update(dict.fromkeys(ghosts, GHOST))
        soft = self._fades.sample(wanted, now, motion.SPEEDS[self.app.settings.motion])
        signs = [sign for sign in signs if sign.kind not in PACES]
        signs += [key._replace(alpha=part) for key, part in soft.items() if isinstance(key, Sign)]
        ghosts = [k._replace(alpha=k.alpha * part) for k, part in soft.items() if isinstance(k, Ghost)]
        # Where the levels lie apart they need the whole table.
        lying = None if self.bare or self.spread is not None else self.lying(self.time(now))
        self.stage.engraved = self.app.settings.coordinates
        return self.stage.frame(
            self.time(now),
            self.view.camera,
            self.app.settings.colours_after(len(self.sight.passed)),
            signs=signs,
            ghosts=ghosts,
            extra=lying.balls if lying else (),
            pieces=lying.pieces if lying else (),
            aspect=aspect,
            spread=self.spread,
        )

    def points_on_screen(self) -> dict[str, list[int]]:
        """Where the points are seen, by name, in window pixels."""
        from shibumi3d.rules.marbles.pyramid import pyramid

        pyr = pyramid(self.state.size)
        found: dict[str, list[int]] = {}
        state = self.state
        for board, title in enumerate(self.state.board_names):
            head = f"{title}." if len(self.state.board_names) > 1 else ""
            filled = state.filled(board)
            places = [
                self.stage.anchor(board, point, self.spread)
                if filled >> point & 1
                else self.stage.mark(board, point, self.spread).at
                for point in range(pyr.count)
            ]
            for point, place in enumerate(self.view.all_on_screen(places)):
                found[head + pyr.names[point]] = self.app.pixels(*place)
        return found
