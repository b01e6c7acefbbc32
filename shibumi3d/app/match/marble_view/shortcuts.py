"""Keyboard shortcuts and view buttons of a match with marbles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _

from ...ui.button import Button
from ...ui.widget import Key
from .. import shortcuts
from .interfaces import MarblePage

if TYPE_CHECKING:
    from ...ui.choice import Tabs
    from ..move_list import MarbleMoveList
    from ..result_bar import ResultBar
    from .actions import MarbleActions
    from .board_views import ExplodedViewControl, HiddenTargetsButton
    from .highlights import SignLayer
    from .hints import MarbleHints
    from .input import BoardPointer


class MarbleShortcutsOwner(shortcuts.ShortcutsOwner, MarblePage, Protocol):
    """Page interface that :class:`MarbleShortcuts` uses."""

    tabs: Tabs
    move_list: MarbleMoveList
    hidden_targets_button: HiddenTargetsButton
    exploded_view: ExplodedViewControl
    result_bar: ResultBar
    advice: MarbleHints
    actions: MarbleActions
    pointer: BoardPointer
    sign_layer: SignLayer

    def edit_position(self) -> None:
        """Open the position editor with the position being shown.

        If a turn is in progress there, the editor opens with the position at the start of that turn.
        """


class MarbleShortcuts(shortcuts.MatchShortcuts):
    """Keyboard shortcuts and view buttons of a match with marbles."""

    page: MarbleShortcutsOwner

    def __init__(self, page: MarbleShortcutsOwner) -> None:
        super().__init__(page)
        self.model, self.controller, self.marble_scene = page.model, page.controller, page.marble_scene

    def view_buttons(self) -> list[Button]:
        """Return the buttons for the exploded view, the flat plan and the position editor."""
        return [
            Button(
                _("Exploded"),
                lambda: self.page.exploded_view.set_on(not self.page.exploded_view.is_on),
                icon="spread",
                kind="quiet",
                tip=_("Exploded view  X (hold)"),
                name="spread",
            ),
            Button(
                _("Flat"),
                self.page.toggle_flat_view,
                icon="plan",
                kind="quiet",
                tip=_("Flat view  F2"),
                name="plan",
            ),
            Button(
                "",
                self.page.edit_position,
                icon="marbles",
                kind="quiet",
                tip=_("Edit position  E"),
                name="lay out",
            ),
        ]

    def page_bindings(self) -> Mapping[str, Callable[[], object]]:
        return {
            "ctrl+enter": self.page.actions.end_turn,
            "shift+h": self._show_solution,
            "p": self.page.actions.pass_turn,
            "l": self._cycle_target_marks,
            "k": self.toggle_connections,
            "x": lambda: self.page.exploded_view.set_on(True),
            "v": self.page.hidden_targets_button.reveal_targets,
            "e": self.page.edit_position,
            "f6": lambda: self._select_next_board(1),
            "shift+f6": lambda: self._select_next_board(-1),
            ";": lambda: self.page.actions.rotate_shape(1),
            "shift+;": lambda: self.page.actions.rotate_shape(-1),
        }

    def on_unbound_key(self, key: Key) -> bool:
        """Handle a key that isn't in :meth:`page_bindings`; return whether it was used.

        For example, such keys move the camera or the keyboard cursor, choose a target, place a shape, select a colour,
        end the turn, go one step back, or leave the match.
        """
        if self.page.camera_controls.on_key(key):
            return True
        if key.chord in ("escape", "backspace") and self._step_back():
            return True
        if key.chord == "escape" and self.page.instruction_strip is None and self.page.app.root.focus is None:
            self.page.leave_match()
            return True
        if (
            key.chord == "tab"
            and self.page.pointer.hovered_spot is not None
            and len(self.page.pointer.overlapping_targets) > 1
        ):
            self.page.pointer.overlap_index = (self.page.pointer.overlap_index + 1) % len(
                self.page.pointer.overlapping_targets
            )
            self.page.pointer.hovered_spot = self.page.pointer.overlapping_targets[
                self.page.pointer.overlap_index
            ]
            self.page.refresh()
            return True
        if (
            key.name == "enter"
            and self.controller.shapes.rotation
            and self.page.pointer.active_spot is not None
        ):
            # Enter places the selected shape where it is shown.
            preview = self.controller.preview_click(self.page.pointer.active_spot)
            if preview is not None and preview.move.kind == "points":
                self.page.actions.play_move(preview.move)
                return True
        if key.chord.isdecimal():
            return self.page.actions.choose_colour(int(key.chord) - 1)
        return self.page.pointer.handle_key(key)

    def _show_solution(self) -> None:
        """Start or stop the solver or, once the match is over, show how a lost deal could have been won."""
        if self.model.match.state.to_move is None:
            self.page.result_bar.show_solution()
        else:
            self.page.advice.auto_solver.toggle()

    def toggle_connections(self) -> None:
        """Show or hide the lines between touching marbles of the same colour."""
        self.page.sign_layer.shows_connections = not self.page.sign_layer.shows_connections
        self.page.refresh()

    def on_key_release(self, key: Key) -> None:
        if key.name == "x":
            self.page.exploded_view.set_on(False)

    def _select_next_board(self, direction: int) -> None:
        count = len(self.marble_scene.sizes)
        if count > 1:
            self.page.pointer.select_board((self.page.pointer.camera_board + direction) % count)

    def _cycle_target_marks(self) -> None:
        modes = ("always", "hover", "off")
        self.page.app.change_settings(marks=modes[(modes.index(self.page.app.settings.marks) + 1) % 3])

    def _step_back(self) -> bool:
        """Leave a view or undo a step; return whether there was anything to leave or undo.

        Do the first of these that is possible: return from an earlier position to the current one, clear the selection,
        undo a step of the turn, show the panels again, leave the exploded view, select the first tab, or remove the
        message and the keyboard cursor.
        """
        self.page.actions.finish_animations()
        if not self.model.is_live:
            self.page.actions.view_ply(None)
            return True
        if self.page.actions.step_back():
            return True
        if self.page.is_zen_mode:
            self.toggle_zen_mode()
            return True
        if self.page.exploded_view.is_on:
            self.page.exploded_view.set_on(False)
            return True
        if self.page.tabs.visible and self.page.tabs.selected_index > 0:
            self.page.tabs.select(0)
            return True
        if self.page.actions.message or self.page.pointer.cursor:
            self.page.actions.clear_message()
            self.page.pointer.cursor = None
            return True
        return False
