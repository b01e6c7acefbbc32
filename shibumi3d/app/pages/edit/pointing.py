"""Mouse pointer and keyboard cursor on the boards of the position editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.scene.marbles.layout import RADIUS
from shibumi3d.scene.picking import Seen

from ...marbles.controller import Spot
from ...marbles.pointing import on_level, towards
from ...ui.core import Key

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.scene.marbles.stage import Stage

    from ...host import Host
    from ...host.view import View
    from .doing import Doing
    from .draft import Bench


class Laid(Protocol):
    """Interface of the position editor's page that :class:`Pointing` uses."""

    app: Host
    bench: Bench
    match: Match
    stage: Stage
    view: View
    doing: Doing

    def refresh(self) -> None:
        """Request a redraw."""


class Pointing:
    """Mouse pointer and keyboard cursor on the editor's boards, and the handlers of their input."""

    def __init__(self, page: Laid) -> None:
        self.page = page
        self.hover: Spot | None = None
        self.cursor: Spot | None = None
        self._done: Spot | None = None
        """Point just edited, which has no preview until the pointer has left it; or None."""

    def targets(self) -> list[Spot]:
        """Return the editable points: points with a marble, and empty points that can hold a marble."""
        return [
            Spot(board, point)
            for board in range(len(self.page.stage.sizes))
            for point in bits(self.page.bench.filled(board) | self.page.bench.open(board))
        ]

    @property
    def active(self) -> Spot | None:
        """Point under the keyboard cursor or, if there is none, under the pointer."""
        return self.cursor if self.cursor is not None else self.hover

    def _things(self) -> tuple[list[Spot], list[Seen]]:
        """Return the points that can be clicked, and the shapes used to hit-test them."""
        stage = self.page.stage
        spots, things = (
            [Spot(*cell) for cell, _ in stage.standing()],
            [Seen(at, RADIUS) for _, at in stage.standing()],
        )
        for board in range(len(stage.sizes)):
            for point in bits(self.page.bench.open(board)):
                spots.append(Spot(board, point))
                things.append(stage.mark(board, point))
        return spots, things

    def under(self, x: float, y: float) -> Spot | None:
        """Return the editable point at a position in the view, or None."""
        spots, things = self._things()
        number = self.page.view.pick(x, y, things, self.page.stage.slabs())
        return None if number is None else spots[number]

    def places(self) -> dict[str, list[int]]:
        """Return the position at which each point can be clicked, in window pixels, by point name."""
        spots, things = self._things()
        met = self.page.view.met_at(things, self.page.stage.slabs())
        name = self.page.match.first.point_name
        return {
            name(spot.point, spot.board): self.page.app.pixels(*place)
            for spot, (place, seen) in zip(spots, met, strict=True)
            if seen
        }

    def clicked(self, x: float, y: float) -> bool:
        """Handle a click on the view; return whether it hit a point."""
        spot = self.under(x, y)
        if spot is not None:
            self.page.doing.touch(spot)
            self._acted(x, y)
        return spot is not None

    def cancelled(self, x: float, y: float) -> None:
        """Handle a right click by removing the marble under it."""
        spot = self.under(x, y)
        if spot is not None:
            self.page.doing.take(spot)
            self._acted(x, y)

    def _acted(self, x: float, y: float) -> None:
        """Suppress the preview until the pointer leaves the point that was just edited."""
        self.hover, self._done = None, self.under(x, y)

    def pointed(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion over the view; the position is None when the pointer has left it."""
        before = self.hover, self.cursor
        there = None if x is None or y is None else self.under(x, y)
        if there != self._done:
            self._done = None
        self.hover = there if self._done is None else None
        if x is not None:
            self.cursor = None
        self.page.view.shape = "hand" if there is not None else ""
        if (self.hover, self.cursor) != before:
            self.page.doing.note = ""
            self.page.refresh()

    def where(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a point in the window, in logical pixels."""
        return self.page.view.on_screen(self.page.stage.anchor(*spot[:2]))

    def walk(self, key: Key) -> bool:
        """Handle a key that moves the cursor or edits the point there; return whether it was used."""
        targets = self.targets()
        at, level, doing = self.cursor, self.page.bench.pyramid.level, self.page.doing
        if key.ctrl or key.alt or not targets:
            return False
        if key.name in ("enter", "space", "delete", "backspace"):
            if at is not None:
                (doing.touch if key.name in ("enter", "space") else doing.take)(at)
                self.cursor = at if at in self.targets() else None
            return True
        if key.name in ("left", "right", "up", "down"):
            at = towards(key.name, at, targets, self.where)
        elif key.name in ("pageup", "pagedown"):
            at = on_level(1 if key.name == "pageup" else -1, at, targets, level, self.where)
        elif key.name in ("home", "end"):
            at = targets[0 if key.name == "home" else -1]
        else:
            return False
        self.cursor, self.hover, doing.note = at, None, ""
        self.page.refresh()
        return True
