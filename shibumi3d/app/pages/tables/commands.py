"""Keyboard commands of the match page for tables other than marbles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from ...board import commands
from ...ui.core import Key
from .parts import Table

if TYPE_CHECKING:
    from .doing import TableDoing
    from .lists import ChoiceList
    from .pointer import Pointer


class Commanded(Table, Protocol):
    """Interface of a table page with keyboard commands."""

    pointer: Pointer
    doing: TableDoing
    choices: ChoiceList


class TableCommands(commands.Commands):
    """Keyboard commands for the cursor, the list of moves and the view."""

    def __init__(self, page: Commanded, board: commands.Commanded) -> None:
        super().__init__(board)
        self.page = page

    def own(self) -> Mapping[str, Callable[[], object]]:
        page = self.page
        return {
            "tab": lambda: page.pointer.walk(1),
            "shift+tab": lambda: page.pointer.walk(-1),
            "down": lambda: page.pointer.step(1),
            "up": lambda: page.pointer.step(-1),
            "ctrl+enter": page.doing.confirm,
            "t": self.toggle_above,
            "enter": self._enter,
            "escape": self._leave,
        }

    def key(self, key: Key) -> bool:
        # In a lesson, Esc is handled by the lesson's bar, which closes the page.
        if key.chord == "escape" and self.page.coach is not None and not self._steps_back():
            return False
        return super().key(key)

    def other(self, key: Key) -> bool:
        """Make the move that ``key`` selects in the list or, if there is none, move the camera."""
        move = self.page.choices.by_key(key.chord)
        if move is not None:
            self.page.doing.choose(move)
            return True
        return self.board.view_commands.key(key)

    def _enter(self) -> None:
        page = self.page
        if page.doing.waiting is not None:
            page.doing.confirm()
        elif page.pointer.spot:
            page.pointer.click(page.pointer.spot)
        elif 0 <= page.choices.current < len(page.choices.moves):
            page.doing.choose(page.choices.moves[page.choices.current])
        elif page.session.window:
            page.doing.press(-1)

    def _steps_back(self) -> bool:
        """Return whether Esc has something to cancel or close before it leaves the page."""
        page = self.page
        picked = page.picking.picks or page.picking.slip
        waits = page.doing.waiting is not None
        return bool(picked) or waits or not page.session.live or self.board.bare

    def _leave(self) -> None:
        """Cancel or leave one thing, or go to the start page if there is nothing to cancel or leave.

        The first of these applies: drop the unconfirmed move, drop the picks, stop looking back, leave the plain view.
        """
        page = self.page
        if page.doing.waiting is not None:
            page.doing.forget()
        elif page.picking.picks or page.picking.slip:
            page.pointer.drop()
        elif not page.session.live:
            page.doing.look(None)
        elif self.board.bare:
            self.toggle_bare()
        else:
            page.app.pages.home()

    def toggle_above(self) -> None:
        """Switch the camera between the top view and the initial view."""
        if self.board.flat.visible:
            self.board.toggle_flat()
        view = self.page.view
        view.go(view.home if view.goal == view.above else view.above)
