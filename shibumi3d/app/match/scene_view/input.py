"""Pointer, keyboard cursor and keyboard shortcuts on a table drawn by a TableScene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from shibumi3d.i18n import _, language
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.table_scene import Spot, TableHighlights

from ...ui.widget import Key
from .. import shortcuts
from ..model import Memo, ResponderChoice
from .interfaces import ScenePage
from .lists import PASS_KEY

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move

    from .actions import SceneActions
    from .hints import SceneHints
    from .lists import ChoiceList


SPOT_HIT_DISTANCE_PX = 14.0
"""Distance from an open or picked spot within which a click still hits it, in logical pixels."""


class ScenePointer:
    """Pointer and keyboard cursor; :attr:`hovered_spot` is the key of the spot under one of them, or ""."""

    def __init__(self, page: ScenePage, choices: ChoiceList) -> None:
        self.page, self.choices = page, choices
        self.hovered_spot = ""
        self.scene_input = Memo(self._make_scene_input, self._scene_input_key)
        """Cached description of the pointer, the cursor and the picks for the scene."""
        self._spots_at_last_move: dict[int, frozenset[str]] = {}
        """Keys of the spots that existed at each seat's last move."""

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return the centre of a spot in the view or the flat drawing, in logical pixels."""
        pixels = self._project(np.array([spot.position]))[0]
        return float(pixels[0, 0]), float(pixels[0, 1])

    def _distance_from(self, spot: Spot, x: float, y: float) -> float:
        """Return the distance of (``x``, ``y``) from a spot in logical pixels, or 0 inside it."""
        if spot.half_size == (0.0, 0.0):
            pixels, unit = self._project(np.array([spot.position]))
            return max(0.0, float(np.hypot(*(pixels[0] - (x, y)))) - spot.radius * float(unit[0]))
        c, s = np.cos(spot.yaw), np.sin(spot.yaw)
        east, north = np.array([c, s, 0.0]) * spot.half_size[0], np.array([-s, c, 0.0]) * spot.half_size[1]
        middle = np.array(spot.position)
        ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        pixels, _ = self._project(np.array([middle + a * east + b * north for a, b in ways]))
        outside = 0.0
        for k in range(4):
            (ax, ay), (bx, by) = pixels[k], pixels[(k + 1) % 4]
            long = max(float(np.hypot(bx - ax, by - ay)), 1e-9)
            # The corners are counterclockwise in the world, but clockwise here, where y points down.
            outside = max(outside, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long)
        return outside

    def _project(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Project world coordinates (n, 3) to the view or the flat drawing.

        Return the positions (n, 2) in logical pixels, and the number of pixels per world unit at each of them (n,).
        """
        view, plan = self.page.view, self.page.plan
        if plan.visible:
            return plan.project(points), np.full(len(points), plan.pixels_per_unit)
        pixels, depth = view.camera.project(points, view.rect.w, view.rect.h)
        return pixels, view.camera.projected_radius(1.0, depth, view.rect.h)

    def spot_at(self, x: float, y: float) -> str:
        """Return the key of the spot at (``x``, ``y``), or "".

        Open and picked spots take precedence over others. They are also hit from a distance of up to
        :data:`SPOT_HIT_DISTANCE_PX`. Of several spots at the same distance, the highest is hit.
        """
        open_, best = self.page.selection.open_spots | self.page.selection.picks, (2, 0.0, 0.0, "")
        for key, spot in self.page.scene.spots().items():
            away = self._distance_from(spot, x, y)
            if away <= (SPOT_HIT_DISTANCE_PX if key in open_ else 0.0):
                best = min(best, (0 if key in open_ else 1, away, -spot.position[2], key))
        return best[3]

    def on_point(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion to (``x``, ``y``) in the view; both are None if it has left the view."""
        spot = "" if x is None or y is None else self.spot_at(x, y)
        if spot != self.hovered_spot:
            self.hovered_spot = spot
            self.page.message = ""
            self.update_message()

    def on_click(self, x: float, y: float) -> bool:
        """Handle a click at (``x``, ``y``) in the view; return whether it was handled."""
        return self.click_spot(self.spot_at(x, y))

    def click_spot(self, key: str) -> bool:
        """Handle a click on the spot ``key``; return whether it was handled.

        If the page waits for a click to resume, the click does only that. Otherwise it makes a move, picks the spot or
        unpicks it. If none of these is possible, the message line says why. Clicks on no spot, and clicks while an
        earlier position is shown, aren't handled.
        """
        if self.page.clear_refutation():
            return True
        if not key or not self.page.model.is_live:
            return False
        result = self.page.selection.click(key)
        if result.move is not None:
            self.page.actions.choose_move(result.move)
        elif result.picks_changed:
            self.update_choices()
            self.update_message()
        else:
            asked = [move for move, _ in self.page.selection.click_paths]
            spots = [*sorted(self.page.selection.picks), key]
            if asked:
                self.page.message = self.page.match.game.explain_illegal(
                    self.page.model.chooser_observation(), spots, language(), self.page.names, asked
                )
            self.page.app.sounds.play_rejected()
            self.update_message()
        return True

    def drop_picks(self) -> None:
        """Drop all picks."""
        if self.page.selection.drop_picks():
            self.update_choices()
            self.update_message()

    def move_cursor(self, steps: int) -> None:
        """Move the cursor by ``steps`` open spots in tab order, wrapping around.

        If no spot is open, move the selection in the list of moves instead.
        """
        stops = [key for key in self.page.scene.spots() if key in self.page.selection.open_spots]
        if stops:
            here = stops.index(self.hovered_spot) if self.hovered_spot in stops else (-1 if steps > 0 else 0)
            self.hovered_spot = stops[(here + steps) % len(stops)]
            self.choices.hovered_row = -1
            self.update_message()
        elif self.choices.moves:
            self.move_list_selection(steps)

    def move_list_selection(self, rows: int) -> None:
        """Move the selection in the list of moves by ``rows`` rows, wrapping around."""
        choices = self.choices
        count = len(choices.labels)
        if count:
            self.hovered_spot, choices.hovered_row = "", -1
            choices.set_rows(count, (choices.current_row + rows) % count if choices.current_row >= 0 else 0)
            self.page.message = choices.unavailable_reason(choices.current_row)
            self.update_message()

    def update_message(self) -> None:
        """Update the message line: describe the move pointed at, or else the spot."""
        move = self.pending_move()
        if move is None:
            self.page.message_line.set_message(self.page.message or self.describe_hovered_spot())
        else:
            self.page.message = ""
            text = self.page.match.game.describe_outcome(
                self.page.model.chooser_observation(), move, language(), self.page.names
            )
            waits = move == self.page.actions.unconfirmed_move
            self.page.message_line.set_message(
                _("{told}. Enter confirms, Esc cancels.", told=capitalize_first(text))
                if waits
                else capitalize_first(text)
            )
        self.page.refresh()

    def describe_hovered_spot(self) -> str:
        """Describe what is under the pointer, or return "" if there is nothing."""
        if not self.hovered_spot:
            return ""
        game, seen = self.page.match.game, self.page.model.observation
        return capitalize_first(game.describe_spot(seen, self.hovered_spot, language(), self.page.names))

    def pending_move(self) -> Move | None:
        """Return the move that a click or Enter would make, or None."""
        move = self._pending_choice()
        return None if isinstance(move, ResponderChoice) else move

    def _pending_choice(self) -> Move | ResponderChoice | None:
        if 0 <= self.choices.hovered_row < len(self.choices.moves):
            return self.choices.moves[self.choices.hovered_row]
        if self.hovered_spot:
            return self.page.selection.move_at(self.hovered_spot)
        if self.page.actions.unconfirmed_move is not None:
            return self.page.actions.unconfirmed_move
        if 0 <= self.choices.current_row < len(self.choices.moves):
            return self.choices.moves[self.choices.current_row]
        return None

    def make_frame(self, now: float, aspect: float) -> Frame:
        """Return the frame of the 3D view at the time ``now``."""
        colours = self.page.app.settings.board_theme_after(self.page.model.cursor)
        return self.page.scene.frame(now, colours, self.scene_input.get())

    def make_plan_frame(self, now: float) -> Frame:
        """Return the frame of the flat drawing at the time ``now``."""
        return self.page.scene.top_view(now, self.page.app.settings.board_theme, self.scene_input.get())

    def record_spots(self, seat: int) -> None:
        """Record which spots exist when ``seat`` makes its move, so that later ones are shown as new."""
        self._spots_at_last_move[seat] = frozenset(self.page.scene.spots())

    def _new_spots(self) -> frozenset[str]:
        viewer = self.page.model.viewer
        if viewer not in self._spots_at_last_move or not self.page.model.is_live:
            return frozenset()
        return frozenset(self.page.scene.spots()) - self._spots_at_last_move[viewer]

    def _scene_input_key(self) -> tuple[object, ...]:
        """Return the values on which the cached :class:`.TableHighlights` depend.

        After any other change, the page's ``refresh`` is called.
        """
        page = self.page
        choices, picks = self.choices, page.selection.picks
        return (
            page.model.moment_key,
            self.hovered_spot,
            picks,
            choices.hovered_row,
            choices.current_row,
            page.actions.unconfirmed_move,
        )

    def _make_scene_input(self) -> TableHighlights:
        move, preview = self.pending_move(), ()
        if move is not None:
            seen = self.page.match.game.preview(self.page.model.chooser_observation(), move)
            preview = tuple(seen.events) if seen is not None else ()
        way = self.page.scene.clicks_for(move) if move is not None and not self.hovered_spot else None
        return TableHighlights(
            focused=self.hovered_spot or (way.last_spot if way is not None else ""),
            picks=self.page.selection.picks | (way.picks if way is not None else frozenset()),
            clickable=self.page.selection.open_spots,
            preview=preview,
            last_events=tuple(self.page.model.last_turn_events()),
            hint=self.page.advice.hinted_spots(),
            new_spots=self._new_spots(),
        )

    def update_choices(self) -> None:
        """Fill the list of moves with the moves that can be chosen now."""
        moves = self.page.selection.moves
        window = self.page.model.response_seats if self.page.model.is_live else ()
        if window:
            looks = [_("{who} looks at their hand", who=self.page.names[seat]) for seat in window]
            self.choices.set_choices(
                [*map(ResponderChoice, window), ResponderChoice(-1)],
                [*looks, _("Nobody (continue)  Enter")],
                keys=[*[str((seat + 1) % 10) for seat in window], PASS_KEY],
            )
            return
        view = self.page.model.chooser_observation() if moves else None
        game, names = self.page.match.game, self.page.names
        # Passing comes first, so that it is visible however long the list is.
        moves = sorted(moves, key=lambda move: move.kind != "pass")
        labels = [capitalize_first(game.move_label(view, move, language(), names)) for move in moves]
        details = [_capitalize_lines(game.move_details(view, move, language())) for move in moves]
        ask = self.page.match.state.decision
        idle = ask.default if ask is not None else ""
        # Passing always has the same key; the keys of other moves come from the rules.
        keys = [
            PASS_KEY if move.kind in ("pass", "done") or move.text == idle else game.shortcut_key(view, move)
            for move in moves
        ]
        # Some table kinds also list entries that can't be chosen now, with the reason.
        shut = (
            game.unavailable_entries(view, language(), names)
            if moves and not self.page.selection.picks
            else ()
        )
        shut = tuple(each._replace(detail=_capitalize_lines(each.detail)) for each in shut)
        self.choices.set_choices(moves, labels, shut, keys=keys, details=details)


def _capitalize_lines(detail: str) -> str:
    """Capitalize the first letter of each line."""
    return "\n".join(map(capitalize_first, detail.split("\n")))


class SceneShortcutsOwner(shortcuts.ShortcutsOwner, ScenePage, Protocol):
    """Interface of a table page with keyboard shortcuts."""

    pointer: ScenePointer
    actions: SceneActions
    choices: ChoiceList

    @property
    def advice(self) -> SceneHints:
        """Hints and analysis."""


class SceneShortcuts(shortcuts.MatchShortcuts):
    """Keyboard shortcuts for the cursor, the list of moves and the view."""

    page: SceneShortcutsOwner

    def page_bindings(self) -> Mapping[str, Callable[[], object]]:
        page = self.page
        return {
            "tab": lambda: page.pointer.move_cursor(1),
            "shift+tab": lambda: page.pointer.move_cursor(-1),
            "down": lambda: page.pointer.move_list_selection(1),
            "up": lambda: page.pointer.move_list_selection(-1),
            "ctrl+enter": page.actions.confirm,
            "t": self.toggle_top_view,
            "enter": self._on_enter,
            "escape": self._on_escape,
        }

    def on_key(self, key: Key) -> bool:
        # In a lesson, Esc is handled by the guided page, which is then left.
        if key.chord == "escape" and self.page.instruction_strip is not None and not self._can_step_back():
            return False
        return super().on_key(key)

    def on_unbound_key(self, key: Key) -> bool:
        """Make the move that ``key`` selects in the list or, if there is none, move the camera."""
        move = self.page.choices.move_for_key(key.chord)
        if move is not None:
            self.page.actions.choose_move(move)
            return True
        return self.page.camera_controls.on_key(key)

    def _on_enter(self) -> None:
        page = self.page
        if page.actions.unconfirmed_move is not None:
            page.actions.confirm()
        elif page.pointer.hovered_spot:
            page.pointer.click_spot(page.pointer.hovered_spot)
        elif 0 <= page.choices.current_row < len(page.choices.moves):
            page.actions.choose_move(page.choices.moves[page.choices.current_row])
        elif page.model.response_seats:
            page.actions.let_seat_respond(-1)

    def _can_step_back(self) -> bool:
        """Return whether Esc has something to cancel or close before it leaves the page."""
        page = self.page
        picked = page.selection.picks or page.selection.ambiguous_moves
        waits = page.actions.unconfirmed_move is not None
        return bool(picked) or waits or not page.model.is_live or self.page.is_zen_mode

    def _on_escape(self) -> None:
        """Cancel a choice or leave a view; if there is nothing to cancel or leave, go to the start page.

        The first of these applies: drop the unconfirmed move, drop the picks, return to the current position, leave
        zen mode.
        """
        page = self.page
        if page.actions.unconfirmed_move is not None:
            page.actions.discard_pending_choice()
        elif page.selection.picks or page.selection.ambiguous_moves:
            page.pointer.drop_picks()
        elif not page.model.is_live:
            page.actions.view_ply(None)
        elif self.page.is_zen_mode:
            self.toggle_zen_mode()
        else:
            page.leave_match()

    def toggle_top_view(self) -> None:
        """Switch the camera between the top view and the initial view."""
        if self.page.flat_view.visible:
            self.page.toggle_flat_view()
        view = self.page.view
        view.animate_to(view.home_camera if view.target_camera == view.top_camera else view.top_camera)
