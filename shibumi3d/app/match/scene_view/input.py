"""Pointer and keyboard cursor on a table drawn by a TableScene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.i18n import _, language
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.table_scene import Spot, TableHighlights

from ..model import Memo, ResponderChoice
from .interfaces import ScenePage
from .lists import PASS_KEY

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move

    from .lists import ChoiceList


SPOT_HIT_DISTANCE_PX = 14.0
"""Distance from an open or picked spot within which a click still hits it, in logical pixels."""


class ScenePointer:
    """Pointer and keyboard cursor on the table.

    :attr:`hovered_spot` is the key of the spot under the pointer or the cursor, whichever moved last. It is empty if
    there is no spot there.
    """

    def __init__(self, page: ScenePage, choices: ChoiceList) -> None:
        self.page, self.choices = page, choices
        self.hovered_spot = ""
        self.scene_input = Memo(self._make_scene_input, self._scene_input_key)
        """Cached :class:`.TableHighlights` for the scene."""
        self._spots_at_last_move: dict[int, frozenset[str]] = {}
        """Keys of the spots that existed at each seat's last move."""

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        pixels = self.page.project(np.array([spot.position]))[0]
        return float(pixels[0, 0]), float(pixels[0, 1])

    def _distance_from(self, spot: Spot, x: float, y: float) -> float:
        """Return how far (``x``, ``y``) lies outside a spot, in logical pixels, or 0 if it lies inside.

        For a rectangular spot, the distances from the lines through its edges are measured, and the greatest of them
        counts.
        """
        if spot.half_size == (0.0, 0.0):
            pixels, unit = self.page.project(np.array([spot.position]))
            return max(0.0, float(np.hypot(*(pixels[0] - (x, y)))) - spot.radius * float(unit[0]))
        c, s = np.cos(spot.yaw), np.sin(spot.yaw)
        east, north = np.array([c, s, 0.0]) * spot.half_size[0], np.array([-s, c, 0.0]) * spot.half_size[1]
        middle = np.array(spot.position)
        ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        pixels, _ = self.page.project(np.array([middle + a * east + b * north for a, b in ways]))
        outside = 0.0
        for k in range(4):
            (ax, ay), (bx, by) = pixels[k], pixels[(k + 1) % 4]
            long = max(float(np.hypot(bx - ax, by - ay)), 1e-9)
            # The corners are counterclockwise in the world, but clockwise here, where y points down.
            outside = max(outside, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long)
        return outside

    def spot_at(self, x: float, y: float) -> str:
        """Return the key of the spot at (``x``, ``y``), or "" if there is none.

        Open and picked spots take precedence over others, and are also hit from up to :data:`SPOT_HIT_DISTANCE_PX`
        away. If several spots are hit, the nearest counts, and of several at the same distance, the highest.
        """
        open_, best = self.page.selection.open_spots | self.page.selection.picks, (2, 0.0, 0.0, "")
        for key, spot in self.page.scene.spots().items():
            away = self._distance_from(spot, x, y)
            if away <= (SPOT_HIT_DISTANCE_PX if key in open_ else 0.0):
                best = min(best, (0 if key in open_ else 1, away, -spot.position[2], key))
        return best[3]

    def on_point(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion to (``x``, ``y``) in the view; both are None if the pointer has left the view."""
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

        If a refuted turn is still on the table, the click only clears it. Otherwise, a click isn't handled if ``key``
        is empty or if an earlier position is shown.

        Any other click makes a move, selects or deselects the spot, or lists the moves to choose from. If none of these
        is possible, a sound is played and, if there are legal moves, the message line says why.
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
        """Move the selection in the list of moves by ``rows`` rows, wrapping around.

        If no row is selected, select the first.
        """
        choices = self.choices
        count = len(choices.labels)
        if count:
            self.hovered_spot, choices.hovered_row = "", -1
            choices.set_rows(count, (choices.current_row + rows) % count if choices.current_row >= 0 else 0)
            self.page.message = choices.unavailable_reason(choices.current_row)
            self.update_message()

    def update_message(self) -> None:
        """Update the message line.

        If a move is pending, the line describes it, and the page's message is cleared. Otherwise, the line shows the
        page's message or, if that is empty, describes the spot pointed at.
        """
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
        """Return a description of the spot under the pointer or the cursor, or "" if there is none."""
        if not self.hovered_spot:
            return ""
        game, seen = self.page.match.game, self.page.model.observation
        return capitalize_first(game.describe_spot(seen, self.hovered_spot, language(), self.page.names))

    def pending_move(self) -> Move | None:
        """Return the move that a click or Enter would make, or None if there is none."""
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

    def make_flat_frame(self, now: float) -> Frame:
        """Return the frame of the flat drawing at the time ``now``."""
        return self.page.scene.top_view(now, self.page.app.settings.board_theme, self.scene_input.get())

    def record_spots(self, seat: int) -> None:
        """Record which spots exist when ``seat`` makes its move, so that spots added later are shown as new."""
        self._spots_at_last_move[seat] = frozenset(self.page.scene.spots())

    def _new_spots(self) -> frozenset[str]:
        viewer = self.page.model.viewer
        if viewer not in self._spots_at_last_move or not self.page.model.is_live:
            return frozenset()
        return frozenset(self.page.scene.spots()) - self._spots_at_last_move[viewer]

    def _scene_input_key(self) -> tuple[object, ...]:
        """Return the values on which the cached :class:`.TableHighlights` depend.

        After any other change, the page's ``refresh`` discards the cached highlights.
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
        """Fill the list with the moves that can be chosen now, or ask which seat wants to respond.

        Some table kinds also list entries that can't be chosen now.
        """
        moves = self.page.selection.moves
        window = self.page.model.response_seats if self.page.model.is_live else ()
        if window:
            looks = [_("Let {who} look at their hand", who=self.page.names[seat]) for seat in window]
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
    return "\n".join(map(capitalize_first, detail.split("\n")))
