"""The boards of a match of marbles and the objects beside them, as one viewer sees them."""

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
"""Fade durations of the signs that fade in or out."""
ENDING = (*LIGHTS, SignKind.COUNTED, SignKind.EVEN, SignKind.BESIDE)
"""Signs that show how a match ended."""
AFTER = (SignKind.LAST, SignKind.WAY, SignKind.NUMBER, *ENDING)
"""Signs that are shown only while nothing is moving."""
GHOST = Pace(motion.GHOST, motion.GHOST)


def coordinates(app: Host) -> dict[str, Callable[[], object]]:
    """Return the key binding that shows or hides the names of points."""
    return {"c": lambda: app.change(coordinates=not app.settings.coordinates)}


class Boards:
    """Drawing of one position in a match of marbles. Subclasses add the interaction."""

    refresh: Callable[[], None]
    """Request a new frame."""

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
        """Create the view and connect it to the page's click handlers."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        """State shown."""
        return self.seen.state

    @property
    def board(self) -> int:
        """Index of the current board."""
        return 0

    announced = ""
    """Announcement of a new phase or game of a series, shown briefly; empty if there is none."""
    spread: Spread | None = None
    """Positions of the levels in the exploded view, or None if it is off."""
    ending = False
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """

    # The table

    bare = False
    """Whether only the boards are shown, without the objects beside them."""

    def in_dish(self) -> Heap | None:
        """Return the heap of the chosen colour, or None.

        The front marble of this heap lies in the dish.
        """
        return None

    def lying(self, time: float) -> Lying:
        """Return the objects on the table at ``time``, given in seconds on the stage's clock."""
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
        """Return the boxes for secret choices after the moves ``passed``, and how far each is open.

        The values range from 0 (shut) to 1 (open). All boxes are shut while choices are being made, and open together
        once everybody has chosen. A box then stays open for as long as it holds marbles that everybody may see.
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
        """Finish all fades at once and remove the trails of fallen marbles."""
        self._fades.finish()
        self.last_turn.trails = []

    def set_table(self, passed: Sequence[Ply], events: Sequence[ev.Event]) -> None:
        """Tell the stage the start and end points of marbles that move to or from the table.

        Call this before the stage animates ``events``, the events of the last move in ``passed``.
        """
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
        """Convert ``now``, a time of the app's clock, to the stage's clock."""
        return now

    def now(self) -> float:
        """Return the stage's current time."""
        return self.time(self.app.clock())

    def animate(self, now: float) -> bool:
        """Advance all animations and sounds to ``now``; return whether anything is still moving."""
        self._sight.drop()
        self.stage.queue.speed = self.app.settings.motion
        self.stage.queue.reduced = self.app.settings.reduced
        moving = self.view.animate(now)
        self.sound(now)
        return self.stage.busy(self.time(now)) or moving

    @property
    def aloud(self) -> bool:
        """Whether the sounds of the marbles are played."""
        return True

    def sound(self, now: float) -> None:
        """Play the sounds that are due by ``now``.

        After the end of a match, these include the sound of the bowl once nothing moves.
        """
        time = self.time(now)
        for cue in self.stage.queue.cues(time):
            if self.aloud:
                self.app.sounds.touch(cue)
        if self.ending and not self.stage.queue.busy(time):
            self.ending = False
            self.app.sounds.bowl()

    def fading(self) -> bool:
        """Return whether a sign or a ghost is still fading in or out."""
        return self._fades.busy

    def panels(self) -> list[Rect]:
        """Return the rectangles of the panels that cover the view."""
        return []

    # Signs

    @property
    def sight(self) -> Shown:
        """Snapshot of what is shown, rebuilt for each frame and after each change."""
        return self._sight.get()

    def look(self) -> Shown:
        """Return a new snapshot of what is shown now."""
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
        """Return the signs that don't depend on the pointer.

        They mark the last move, fallen marbles, the origin of the held marble, covered boards, and what decided the
        match. Once nothing moves, they include the trails of fallen marbles.
        """
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
            return signs  # highlight only what decided the match
        return signs + [Sign(SignKind.LAST, *seat) for seat in landed]

    def frame(self, now: float, aspect: float, signs: Sequence[Sign], ghosts: Sequence[Ghost] = ()) -> Frame:
        """Return the frame at ``now`` with the given signs and ghosts, some of which may be fading."""
        if self.stage.queue.busy(self.time(now)):
            signs = [sign for sign in signs if sign.kind not in AFTER]
        wanted: dict[Sign | Ghost, Pace] = {s: PACES[s.kind] for s in signs if s.kind in PACES}
        wanted.update(dict.fromkeys(ghosts, GHOST))
        soft = self._fades.sample(wanted, now, motion.SPEEDS[self.app.settings.motion])
        signs = [sign for sign in signs if sign.kind not in PACES]
        signs += [key._replace(alpha=part) for key, part in soft.items() if isinstance(key, Sign)]
        ghosts = [k._replace(alpha=k.alpha * part) for k, part in soft.items() if isinstance(k, Ghost)]
        # The exploded view needs the whole table.
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
        """Return the window position of each point in pixels, by the point's name.

        If there are several boards, names have the form ``board.point``.
        """
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
