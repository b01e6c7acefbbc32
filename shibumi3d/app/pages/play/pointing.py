"""Pointer and keyboard cursor: what is under them, and what a click there does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.marbles.pyramid import SIDES, pyramid
from shibumi3d.scene.marbles.layout import Array

from ...board.over import board_at
from ...marbles.controller import Spot
from ...marbles.pointing import Meant, Pointable, aimed, on_boards, on_level, towards
from ...ui.core import Key
from .parts import Boarded

if TYPE_CHECKING:
    from ...ui.prose import Explained
    from .doing import MarbleDoing
    from .plans import Flat, Plans
    from .seats import SeatCard
    from .taking import Taking


REST = 0.4
"""Seconds that the pointer must rest on a marble before its supporting marbles are shown."""


class Turning(Protocol):
    """Interface of the part that switches between shapes."""

    def turn_shape(self, by: int) -> None:
        """Move the selection by ``by`` places among the shapes that can be placed."""


class Pointed(Boarded, Protocol):
    """Interface of the page that :class:`Pointing` uses."""

    plans: Plans
    flat: Flat
    taking: Taking
    explained: Explained
    cards: list[SeatCard]
    doing: MarbleDoing

    @property
    def commands(self) -> Turning:
        """Keyboard shortcuts of the page."""


class Pointing:
    """Pointer and keyboard cursor on the boards, and the handlers of clicks and drags."""

    def __init__(self, page: Pointed) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.hover: Spot | None = None
        self.hover_marble: tuple[int, int] | None = None
        self.rested: tuple[int, int] | None = None
        """Board and point of the marble on which the pointer has rested, or None."""
        self.cursor: Spot | None = None
        self.overlap: list[Spot] = []
        self.overlap_at = 0
        self.looked: int | None = None
        """Board selected by the user, or None for the one in use."""
        self.used: int | None = None
        """Board that was in use last, or None."""

    @property
    def board(self) -> int:
        """Board in use: the selected board or, by default, that of the active place or first target."""
        if self.looked is not None:
            return self.looked
        if self.active is not None:
            return self.active.board
        return next((spot.board for spot in self.control.targets), 0)

    def look_at_board(self, board: int) -> None:
        """Select a board: outline it and show its levels in the strip."""
        self.looked = board
        self.page.doing.forget_note()
        self.page.layout(self.page.rect)
        self.page.refresh()

    @property
    def in_use(self) -> int:
        """Board that the camera must show if it can't show all of them.

        This is the board that the user selected or, at the start of a turn, the only board with targets. It doesn't
        change between the steps of a turn, so that the camera doesn't move.
        """
        boards = {spot.board for spot in self.control.targets}
        if self.looked is not None:
            self.used = self.looked
        elif len(boards) == 1 and (self.used is None or not self.session.match.state.step):
            (self.used,) = boards
        return self.used or 0

    def anchor(self, spot: Spot) -> tuple[float, float, float]:
        """Return the world position of the sign at a place."""
        if spot.side >= 0:
            return self.stage.entry_mark(*spot, self.page.spread, self._back()).at
        return self.stage.anchor(spot.board, spot.point, self.page.spread)

    def _back(self) -> Array:
        return self.page.view.camera.axes()[2]

    def _on_boards(self) -> list[Pointable]:
        return on_boards(self.control, self.stage, self.page.spread, self._back())

    def where(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a place in the window, in the 3D view or on the flat plan."""
        return (
            self.page.flat.spot(spot)
            if self.page.flat.visible
            else self.page.view.on_screen(self.anchor(spot))
        )

    def radius(self, spot: Spot) -> float:
        """Return the apparent radius of a marble at a place, in logical pixels."""
        return (
            self.page.flat.cell * 0.4 if self.page.flat.visible else self.page.view.size_of(self.anchor(spot))
        )

    @property
    def active(self) -> Spot | None:
        """Place under the keyboard cursor or, if there is none, under the pointer."""
        return self.cursor if self.cursor is not None else self.hover

    def under(self, x: float, y: float) -> Meant | None:
        """Return what a click at a position in the view refers to, or None.

        This is the frontmost thing or, if targets overlap there, the target selected with Tab.
        """
        things = [*self._on_boards(), *self.page.taking.pointable()]
        seen = [thing.seen for thing in things]
        number = self.page.view.pick(x, y, seen, self.stage.slabs(self.page.spread))
        found = None if number is None else things[number].means
        around: list[Spot] = []
        if isinstance(found, Spot) and number is not None and seen[number].aim:
            others = (things[i].means for i in self.page.view.about(x, y, seen))
            around = list(dict.fromkeys([found, *(spot for spot in others if isinstance(spot, Spot))]))
        if around != self.overlap:
            self.overlap, self.overlap_at = around, 0
        return around[self.overlap_at % len(around)] if around else found

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the target under the pointer, or None.

        The origin of the marble in hand counts as a target, since a click on it puts the marble back.
        """
        found = self.under(x, y)
        return found if isinstance(found, Spot) and found in aimed(self.control) else None

    def meant(self, x: float, y: float) -> Meant | None:
        """Return what a click at a position in the view refers to, or None."""
        return self.under(x, y)

    def wheeled(self, by: int) -> bool:
        """Turn the shape under the pointer with the mouse wheel; return whether there was a shape."""
        if self.active is None or len(self.control.sets_at(self.active)) < 2:
            return False
        self.page.commands.turn_shape(by)
        return True

    def grab(self, x: float, y: float) -> bool:
        """Handle the start of a drag; return whether it picks up the marble there."""
        self.page.doing.skip()
        spot = self.spot_at(x, y)
        if spot is None or not self.session.live or self.control.away or not self.page.app.settings.carry:
            return False
        moves = self.control.spots.get(spot, [])
        if len(moves) == 1 and moves[0].kind == "lift":
            self.page.doing.choose(spot)
        held = self.session.match.state.held
        return held is not None and (held[2], held[1]) == spot[:2]

    def dropped(self, x: float, y: float) -> None:
        """Drop the marble being dragged on the target there, or put it back if there is none."""
        self.page.doing.skip()
        spot = self.spot_at(x, y)
        if spot in self.control.targets and spot is not None:
            self.page.doing.choose(spot)
        elif self.session.match.state.held is not None:
            self.page.doing.step_back()

    def explain_at(self, x: float, y: float) -> None:
        """Show the explanation that a player's card gives for a window position, if any."""
        cards = [card.explained_at(x, y) for card in self.page.cards if card.visible]
        self.page.explained.point(next((found for found in cards if found is not None), None))

    def pointed(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion over the view; the position is None when the pointer has left it."""
        self.explain_at(*self.page.app.root.pointer)
        self.page.doing.move_on(x, y)
        before = (self.hover, self.hover_marble, self.page.taking.hover, self.cursor)
        self.hover = self.hover_marble = self.page.taking.hover = None
        met = False
        if x is not None and y is not None and self.session.live:
            self.cursor = None
            found = self.under(x, y)
            if not isinstance(found, Spot):
                met = self.page.taking.point(found)
            elif found in aimed(self.control):
                self.hover = found
                self.page.plans.follow(found.point)
            elif found[:2] in self.stage.marbles:
                self.hover_marble = found[:2]
        if (self.hover, self.hover_marble, self.page.taking.hover, self.cursor) != before:
            self._rest()
            self.page.refresh()
        self.page.view.shape = "hand" if self.hover is not None or met else ""

    def _rest(self) -> None:
        """Show which marbles support the marble under the pointer, once the pointer has rested there."""
        self.rested, resting = None, self.hover_marble

        def stayed() -> None:
            if self.hover_marble == resting is not None:
                self.rested = resting
                self.page.refresh()

        if resting is not None:
            self.page.app.later(REST, stayed)

    def clicked(self, x: float, y: float) -> bool:
        """Handle a click on the view; return whether there was anything to click."""
        self.page.doing.skip()
        if self.page.resume():
            return True
        if not self.session.live:
            self.page.doing.look(None)
            return True
        found = self.under(x, y)
        if isinstance(found, Spot):
            self.page.doing.choose(found)
        elif found is not None:
            self.page.taking.take(found)
        else:
            self.page.doing.forget_note()
            board = board_at(self.page, x, y)
            if board < 0 or len(self.stage.sizes) == 1:
                return False
            self.look_at_board(board)
        return True

    def clicked_spot(self, spot: Spot) -> None:
        """Handle a click on a point outside the 3D view, e.g. on a plan.

        If marbles can enter the point from several sides, ask which side is meant.
        """
        self.page.doing.skip()
        if self.page.resume():
            return
        if not self.session.live:
            self.page.doing.look(None)
            return
        sides = [s for s in self.control.targets if s[:2] == spot[:2] and s.side >= 0]
        if spot not in self.control.targets and len(sides) == 1:
            self.page.doing.choose(sides[0])
        elif spot not in self.control.targets and sides:
            self.page.doing.offer([move for side in sides for move in self.control.spots[side]], spot)
        else:
            self.page.doing.choose(spot)

    def point_out(self, spot: Spot | None) -> None:
        """Handle the pointer moving onto a point outside the 3D view, or off all points (None)."""
        self.explain_at(*self.page.app.root.pointer)
        if self.page.doing.note_at is not None and spot != self.page.doing.note_at:
            self.page.doing.forget_note()
        if self.session.live:
            self.cursor = None
            self.hover = spot if spot in self.control.targets else None
            filled = spot is not None and self.session.view.filled(spot.board) >> spot.point & 1
            self.hover_marble = (
                (spot.board, spot.point) if spot is not None and filled and not self.hover else None
            )
            self._rest()
            self.page.refresh()

    def cancelled(self, x: float, y: float) -> None:
        """Handle a right click in the view: undo a step or, failing that, explain the point clicked.

        While an earlier position is shown, return to the current one instead.
        """
        found = self.under(x, y)
        self.cancelled_at(found if isinstance(found, Spot) else None)

    def cancelled_at(self, spot: Spot | None) -> None:
        """Handle a right click on a place, or on no place (None)."""
        self.page.doing.skip()
        if not self.session.live:
            self.page.doing.look(None)
        elif not self.page.doing.step_back() and spot is not None:
            preview = self.control.preview(spot)
            if preview is not None:
                self.page.doing.say(f"{preview.text}.", spot)
            elif not self.control.spots.get(spot):
                self.page.doing.say(self.control.reason(spot), spot)

    def cursor_key(self, key: Key) -> bool:
        """Handle a key of the keyboard cursor; return whether it was used.

        Tab, Home, End, the arrow keys, Page Up and Page Down move the cursor between targets. Enter or Space chooses
        the target under the cursor. If there is no cursor, they end the turn, or pass if that is the only legal move.
        While a choice waits for confirmation, Enter confirms it instead.
        """
        if self.page.app.root.focus is not None or not self.session.live:
            return False
        targets = self.control.targets
        if key.name in ("enter", "space") and not (key.ctrl or key.alt):
            self.page.doing.skip()
            if self.cursor is not None and (self.control.pending is None or key.name == "space"):
                self.page.doing.choose(self.cursor)
            elif self.control.done is not None:
                self.page.doing.finish_turn()
            elif self.control.passing is not None and len(self.control.moves) == 1:
                self.page.doing.pass_now()
            return True
        if not targets or key.ctrl or key.alt:
            return False
        if key.name == "tab":
            if self.cursor in targets:
                place = (targets.index(self.cursor) + (-1 if key.shift else 1)) % len(targets)
            else:
                place = -1 if key.shift else 0
            self.set_cursor(targets[place])
        elif key.name in ("home", "end"):
            self.set_cursor(targets[0 if key.name == "home" else -1])
        elif key.name in ("left", "right", "up", "down"):
            self.set_cursor(towards(key.name, self.cursor, targets, self.where))
        elif key.name in ("pageup", "pagedown"):
            level = pyramid(self.session.state.size).level
            self.set_cursor(
                on_level(1 if key.name == "pageup" else -1, self.cursor, targets, level, self.where)
            )
        else:
            return False
        return True

    def set_cursor(self, spot: Spot) -> None:
        """Move the keyboard cursor to a place."""
        self.cursor, self.hover, self.hover_marble = spot, None, None
        self.page.plans.follow(spot.point)
        self.page.doing.forget_note()
        self.page.refresh()

    def places_on_screen(self) -> dict[str, list[int]]:
        """Return the click positions of all visible places, by name, in window pixels."""
        things = [*self._on_boards(), *self.page.taking.pointable()]
        met = self.page.view.met_at([thing.seen for thing in things], self.stage.slabs(self.page.spread))
        return {
            self.name_of(thing.means): self.page.app.pixels(*place)
            for thing, (place, seen) in zip(things, met, strict=True)
            if seen and isinstance(thing.means, Spot)
        }

    def name_of(self, spot: Spot) -> str:
        """Return the name of a place, as used in the notation of moves."""
        titles, side = (
            self.session.state.board_names,
            f"/{SIDES[spot.side][0].upper()}" if spot.side >= 0 else "",
        )
        head = f"{titles[spot.board]}." if len(titles) > 1 else ""
        return f"{head}{pyramid(self.session.state.size).names[spot.point]}{side}"
