"""Mouse pointer and keyboard cursor on the boards of the position editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.match.marbles import marble_state
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.scene.marbles.layout import RADIUS
from shibumi3d.scene.picking import PickableObject

from ...match.marble_view.controller import Spot
from ...match.marble_view.picking_targets import nearest_in_direction, nearest_on_next_level
from ...ui.widget import Key

if TYPE_CHECKING:
    from .actions import EditorActions, EditorPage


class EditorPointer:
    """Mouse pointer and keyboard cursor on the editor's boards, and the handlers for their input."""

    def __init__(self, page: EditorPage, actions: EditorActions) -> None:
        self.page, self.actions = page, actions
        self.hover: Spot | None = None
        self.cursor: Spot | None = None
        self._edited_spot: Spot | None = None
        """Point just edited, which has no preview until the pointer has left it; or None."""

    def editable_spots(self) -> list[Spot]:
        """Return the editable points: points with a marble, and empty points that can hold a marble."""
        return [
            Spot(board, point)
            for board in range(len(self.page.marble_scene.sizes))
            for point in iter_bits(
                self.page.position.occupied_mask(board) | self.page.position.playable_mask(board)
            )
        ]

    @property
    def active_spot(self) -> Spot | None:
        """Spot under the keyboard cursor or, without a cursor, under the pointer; None if there is no such spot."""
        return self.cursor if self.cursor is not None else self.hover

    def _pickable_shapes(self) -> tuple[list[Spot], list[PickableObject]]:
        """Return the points that can be clicked, and the shapes used to hit-test them."""
        stage = self.page.marble_scene
        spots, shapes = (
            [Spot(*cell) for cell, _ in stage.resting_marbles()],
            [PickableObject(at, RADIUS) for _, at in stage.resting_marbles()],
        )
        for board in range(len(stage.sizes)):
            for point in iter_bits(self.page.position.playable_mask(board)):
                spots.append(Spot(board, point))
                shapes.append(stage.empty_point_target(board, point))
        return spots, shapes

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the editable point at (x, y) in the view, or None if there is none."""
        spots, shapes = self._pickable_shapes()
        index = self.page.view.pick(x, y, shapes, self.page.marble_scene.board_squares())
        return None if index is None else spots[index]

    def click_positions(self) -> dict[str, list[int]]:
        """Return a position in window pixels for each point that can be clicked, by point name."""
        spots, shapes = self._pickable_shapes()
        click_positions = self.page.view.clickable_positions(shapes, self.page.marble_scene.board_squares())
        name = marble_state(self.page.match.initial_state).point_name
        return {
            name(spot.point, spot.board): self.page.app.to_window_pixels(*position)
            for spot, (position, is_clickable) in zip(spots, click_positions, strict=True)
            if is_clickable
        }

    def on_click(self, x: float, y: float) -> bool:
        """Handle a click on the view; return whether it hit a point."""
        spot = self.spot_at(x, y)
        if spot is not None:
            self.actions.apply_tool(spot)
            self._suppress_preview(x, y)
        return spot is not None

    def on_cancel(self, x: float, y: float) -> None:
        """Handle a right click: remove the marble that was clicked, if any."""
        spot = self.spot_at(x, y)
        if spot is not None:
            self.actions.remove_marble(spot)
            self._suppress_preview(x, y)

    def _suppress_preview(self, x: float, y: float) -> None:
        """Suppress the preview after a click at (x, y) until the pointer leaves the point that is now there."""
        self.hover, self._edited_spot = None, self.spot_at(x, y)

    def on_point(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion over the view.

        ``x`` and ``y`` are None when the pointer has left the view.
        """
        before = self.hover, self.cursor
        there = None if x is None or y is None else self.spot_at(x, y)
        if there != self._edited_spot:
            self._edited_spot = None
        self.hover = there if self._edited_spot is None else None
        if x is not None:
            self.cursor = None
        self.page.view.cursor_shape = "hand" if there is not None else ""
        if (self.hover, self.cursor) != before:
            self.actions.message = ""
            self.page.refresh()

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return where the point of ``spot`` is in the window, in logical pixels."""
        return self.page.view.to_window(self.page.marble_scene.marble_position(*spot[:2]))

    def handle_key(self, key: Key) -> bool:
        """Handle a key that moves the cursor or edits the point under it; return whether the key was used."""
        targets = self.editable_spots()
        spot, level, actions = self.cursor, self.page.position.pyramid.level, self.actions
        if key.ctrl or key.alt or not targets:
            return False
        if key.name in ("enter", "space", "delete", "backspace"):
            if spot is not None:
                (actions.apply_tool if key.name in ("enter", "space") else actions.remove_marble)(spot)
                self.cursor = spot if spot in self.editable_spots() else None
            return True
        if key.name in ("left", "right", "up", "down"):
            spot = nearest_in_direction(key.name, spot, targets, self.spot_position)
        elif key.name in ("pageup", "pagedown"):
            spot = nearest_on_next_level(
                1 if key.name == "pageup" else -1, spot, targets, level, self.spot_position
            )
        elif key.name in ("home", "end"):
            spot = targets[0 if key.name == "home" else -1]
        else:
            return False
        self.cursor, self.hover, actions.message = spot, None, ""
        self.page.refresh()
        return True
