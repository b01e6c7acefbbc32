"""Exploded view: the levels of the boards are laid out side by side, so that no marble hides another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.spread import Free, Spread, above, arrange
from shibumi3d.scene.rect import Rect

from .parts import Boarded

if TYPE_CHECKING:
    pass

EDGE = 8.0
"""Margin around the levels, in logical pixels."""


class Spreading:
    """State of the exploded view: whether it is on, its layout, and the progress of its transition."""

    def __init__(self, screen: Boarded) -> None:
        self.screen = screen
        self.on = False
        self.spread: Spread | None = None
        """Current layout of the levels, or None while they are stacked as pyramids."""
        self._goal: Spread | None = None
        self._part = 0.0
        self._from = self._at = 0.0
        self._turn = 0
        self._closed: Camera = screen.view.home
        """Camera to return to when the exploded view is turned off."""

    def set(self, on: bool) -> None:
        """Turn the exploded view on or off, and start the transition."""
        if on == self.on:
            return
        view = self.screen.view
        self.on = on
        self._from, self._at = self._part, self.screen.app.clock()
        # Marbles in flight would miss their targets, since the levels move.
        self.screen.stage.finish()
        if on:
            self._closed = view.goal
            self._turn = round(view.goal.yaw / 90.0) % 4
        else:
            view.rest = None
            view.go(self._closed)
        self.screen.layout(self.screen.rect)
        self.screen.refresh()

    def turn(self, quarters: int) -> bool:
        """Rotate every level by ``quarters`` quarter turns.

        If the exploded view is off, do nothing and return False.
        """
        if not self.on:
            return False
        self._turn = (self._turn + quarters) % 4
        self.screen.layout(self.screen.rect)
        return True

    def lay(self, area: Rect, panels: tuple[Rect, ...]) -> None:
        """Lay out the levels as large as possible in ``area`` without touching ``panels``.

        Do nothing if the exploded view is off.
        """
        if not self.on:
            return
        view = self.screen.view
        places = [self._inside(free, area) for free in _free(area.inset(EDGE), panels)]
        sizes = self.screen.stage.sizes
        found = [
            (arrange(sizes, x1 - x0, y1 - y0, self._turn), (x0, y0, x1, y1)) for x0, y0, x1, y1 in places
        ]
        spread, free = max(found, key=lambda pair: -above(pair[0], area.w, area.h, pair[1]).span)
        camera = above(spread, area.w, area.h, free)
        self._goal = spread
        if camera != view.rest:
            # If only the available space has changed, switch to the new layout without animation.
            moved = view.rest is not None and view.goal == view.rest
            if moved:
                view.camera = camera
                view.stop()
            else:
                view.go(camera)
            view.rest = camera
        self._move()

    @staticmethod
    def _inside(free: Rect, area: Rect) -> Free:
        return free.x - area.x, free.y - area.y, free.right - area.x, free.bottom - area.y

    def animate(self, now: float) -> bool:
        """Advance the transition to the clock time ``now``; return whether it was running."""
        goal = 1.0 if self.on else 0.0
        if self._part == goal:
            return False
        length = self.screen.app.settings.travel(motion.SPREAD)
        part = motion.STANDARD((now - self._at) / length) if length > 0 else 1.0
        self._part = goal if part >= 1.0 else self._from + (goal - self._from) * part
        self._move()
        return True

    def _move(self) -> None:
        self.spread = None if self._goal is None or not self._part else replace(self._goal, part=self._part)


def _free(area: Rect, panels: tuple[Rect, ...]) -> list[Rect]:
    """Return large rectangles in ``area`` that are clear of ``panels``.

    Each side of a rectangle lies on the edge of the area or touches a panel. Rectangles that are at most 40 pixels wide
    or high are left out. If no rectangle is left, the whole area is returned.
    """
    found = [area]
    for panel in panels:
        parts: list[Rect] = []
        for rect in found:
            if rect.overlap(panel).w <= 0 or rect.overlap(panel).h <= 0:
                parts.append(rect)
                continue
            parts += [
                Rect(rect.x, rect.y, panel.x - EDGE - rect.x, rect.h),
                Rect(panel.right + EDGE, rect.y, rect.right - panel.right - EDGE, rect.h),
                Rect(rect.x, rect.y, rect.w, panel.y - EDGE - rect.y),
                Rect(rect.x, panel.bottom + EDGE, rect.w, rect.bottom - panel.bottom - EDGE),
            ]
        found = [part for part in parts if part.w > 40 and part.h > 40] or [area]
    return found
