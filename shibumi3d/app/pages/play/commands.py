"""Keyboard shortcuts and view buttons of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _

from ...board import commands
from ...ui.button import Button
from ...ui.core import Key
from .parts import Boarded

if TYPE_CHECKING:
    from ...board.result import ResultBar
    from ...ui.choice import Tabs
    from .advice import Advice
    from .doing import MarbleDoing
    from .hidden_targets import HiddenTargets
    from .pointing import Pointing
    from .signs import Signs
    from .spreading import Spreading


class Commanded(Boarded, Protocol):
    """Interface of the page that :class:`MarbleCommands` uses."""

    tabs: Tabs
    hidden_targets: HiddenTargets
    spreading: Spreading
    result_bar: ResultBar
    advice: Advice
    doing: MarbleDoing
    pointing: Pointing
    signs: Signs

    def lay_out(self) -> None:
        """Open the position shown in the position editor."""


class MarbleCommands(commands.Commands):
    """Keyboard shortcuts and view buttons of a match with marbles."""

    def __init__(self, page: Commanded, board: commands.Commanded) -> None:
        super().__init__(board)
        self.page = page
        self.session, self.control, self.stage = page.session, page.control, page.stage

    def view_buttons(self) -> list[Button]:
        """Return the buttons for the exploded view, the flat plan and the position editor."""
        return [
            Button(
                _("Exploded"),
                lambda: self.page.spreading.set(not self.page.spreading.on),
                icon="spread",
                kind="quiet",
                tip=_("Exploded view  hold X"),
                name="spread",
            ),
            Button(
                _("Flat"),
                self.board.toggle_flat,
                icon="plan",
                kind="quiet",
                tip=_("Flat view  F2"),
                name="plan",
            ),
            Button(
                "",
                self.page.lay_out,
                icon="marbles",
                kind="quiet",
                tip=_("Edit position  E"),
                name="lay out",
            ),
        ]

    def own(self) -> Mapping[str, Callable[[], object]]:
        return {
            "ctrl+enter": self.page.doing.finish_turn,
            "shift+h": self._solve,
            "p": self.page.doing.pass_now,
            "l": self._next_marks,
            "k": self.toggle_threads,
            "x": lambda: self.page.spreading.set(True),
            "v": self.page.hidden_targets.show,
            "e": self.page.lay_out,
            "f6": lambda: self._next_board(1),
            "shift+f6": lambda: self._next_board(-1),
            ";": lambda: self.turn_shape(1),
            "shift+;": lambda: self.turn_shape(-1),
        }

    def other(self, key: Key) -> bool:
        """Handle a key that is not in :meth:`own`; return whether it was used.

        Such keys move the camera or the keyboard cursor, go one step back, place a shape, or select a colour.
        """
        if self.board.view_commands.key(key):
            return True
        if key.chord in ("escape", "backspace") and self._step_back():
            return True
        if key.chord == "escape" and self.page.coach is None and self.page.app.root.focus is None:
            self.page.app.pages.home()  # the match has already been saved
            return True
        if (
            key.chord == "tab"
            and self.page.pointing.hover is not None
            and len(self.page.pointing.overlap) > 1
        ):
            self.page.pointing.overlap_at = (self.page.pointing.overlap_at + 1) % len(
                self.page.pointing.overlap
            )
            self.page.pointing.hover = self.page.pointing.overlap[self.page.pointing.overlap_at]
            self.page.refresh()
            return True
        if key.name == "enter" and self.control.shapes.turned and self.page.pointing.active is not None:
            # Enter places the selected shape where it is shown.
            preview = self.control.preview(self.page.pointing.active)
            if preview is not None and preview.move.kind == "points":
                self.page.doing.play_move(preview.move)
                return True
        if key.chord.isdecimal():
            return self.page.doing.choose_colour(int(key.chord) - 1)
        return self.page.pointing.cursor_key(key)

    def _solve(self) -> None:
        """Play out the solution or, if the match is lost, show how it could have been won."""
        if self.session.match.state.to_move is None:
            self.page.result_bar.show_way()
        else:
            self.page.advice.solution.toggle()

    def toggle_threads(self) -> None:
        """Show or hide the lines that connect marbles of the same colour."""
        self.page.signs.threads = not self.page.signs.threads
        self.page.refresh()

    def key_up(self, key: Key) -> None:
        if key.name == "x":
            self.page.spreading.set(False)

    def _next_board(self, by: int) -> None:
        count = len(self.stage.sizes)
        if count > 1:
            self.page.pointing.look_at_board((self.page.pointing.in_use + by) % count)

    def turn_shape(self, by: int) -> None:
        """Move the selection by ``by`` places among the shapes that fit at the pointer."""
        self.control.shapes.turned += by
        self.page.refresh()

    def _next_marks(self) -> None:
        modes = ("always", "hover", "off")
        self.page.app.change(marks=modes[(modes.index(self.page.app.settings.marks) + 1) % 3])

    def _step_back(self) -> bool:
        """Leave or undo one thing; return whether there was anything to leave or undo.

        The first of these applies: leave an earlier position, undo a step of the turn, show the panels again, leave the
        exploded view, leave the second tab, remove the message and the keyboard cursor.
        """
        self.page.doing.skip()
        if not self.session.live:
            self.page.doing.look(None)
            return True
        if self.page.doing.step_back():
            return True
        if self.board.bare:
            self.toggle_bare()
            return True
        if self.page.spreading.on:
            self.page.spreading.set(False)
            return True
        if self.page.tabs.visible and self.page.tabs.chosen == 1:
            self.page.tabs.choose(0)
            return True
        if self.page.doing.note or self.page.pointing.cursor:
            self.page.doing.forget_note()
            self.page.pointing.cursor = None
            return True
        return False
