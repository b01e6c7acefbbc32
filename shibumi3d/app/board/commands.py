"""Keyboard commands of match pages, for tables of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, localize
from shibumi3d.match.record import RecordError
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect

from ..ui.core import Key
from .line_cards import GoCard, LineCard, TypeCard, Written
from .saving import ask_save

if TYPE_CHECKING:
    from ..host.view import View
    from ..ui.core import Widget
    from .adviser import Adviser
    from .outside import Outside
    from .questions import Questions
    from .side import Side
    from .view_commands import ViewCommands


class Commanded(Written, Protocol):
    """Match page with keyboard commands."""

    view: View
    view_commands: ViewCommands
    folding: Side
    outside_moves: Outside
    bare: bool
    """Whether everything but the table, the player to move and the undo button is hidden."""

    @property
    def questions(self) -> Questions:
        """Questions about the table, each with its own key."""

    @property
    def flat(self) -> Widget:
        """Flat drawing of the table, which can replace the 3D view."""

    @property
    def advice(self) -> Adviser:
        """Hints and analysis."""

    def act_on(
        self, key: Key, actions: Mapping[str, Callable[[], object]], other: Callable[[Key], bool]
    ) -> bool:
        """Run the action bound to a key, or else pass the key to ``other``.

        Returns whether the key was handled.
        """

    def layout(self, rect: Rect) -> None:
        """Lay out the page within ``rect``."""

    def look_by(self, by: int) -> None:
        """Show the position ``by`` moves later, or earlier if ``by`` is negative."""

    def toggle_flat(self) -> None:
        """Switch between the flat drawing and the 3D view."""


class Commands:
    """Keyboard commands of a match page. Each table kind has its own subclass."""

    def __init__(self, page: Commanded) -> None:
        self.board = page

    # Overridden by each table kind

    def own(self) -> Mapping[str, Callable[[], object]]:
        """Return the additional key bindings of this page."""
        raise NotImplementedError

    def other(self, key: Key) -> bool:
        """Handle a key that has no binding; return whether it was handled."""
        raise NotImplementedError

    def key_up(self, key: Key) -> None:
        """Handle the release of a key, which ends any action that lasts while the key is held down."""

    # Common to all tables

    def key(self, key: Key) -> bool:
        """Handle a key press; return whether it was handled."""
        page = self.board
        doing, pages = page.doing, page.app.pages
        actions: Mapping[str, Callable[[], object]] = {
            "ctrl+z": doing.undo_now,
            "ctrl+shift+z": doing.redo_now,
            "ctrl+y": doing.redo_now,
            "h": page.advice.more,
            "a": page.advice.toggle,
            "s": page.outside_moves.make,
            "b": doing.replay_last,
            "/": self.type_move,
            "g": self.go_to_turn,
            "ctrl+c": self.copy_moves,
            ",": lambda: page.look_by(-1),
            ".": lambda: page.look_by(1),
            "ctrl+home": lambda: doing.look(0 if page.match.cursor else None),
            "ctrl+end": lambda: doing.look(None),
            "f1": page.folding.show_rules,
            "f2": page.toggle_flat,
            "ctrl+b": page.folding.toggle,
            "z": self.toggle_bare,
            "ctrl+s": lambda: ask_save(page),
            "ctrl+o": pages.kept,
            "ctrl+n": pages.home,
            **page.questions.keys(),
            **self.own(),
        }
        return page.act_on(key, actions, self.other)

    def toggle_bare(self) -> None:
        """Hide everything but the table, the player to move and the undo button, or show it again."""
        page = self.board
        page.bare = not page.bare
        page.layout(page.rect)
        page.refresh()

    def copy_moves(self) -> None:
        """Copy the match to the clipboard as text, unless some of its moves are still secret."""
        page = self.board
        if any(page.session.masked(number) for number in range(len(page.match.plies))):
            page.remark(_("You can't copy the moves while some of them are secret."))
            return
        try:
            page.app.root.copy(page.match.record(undone=True).text())
        except RecordError as problem:
            page.remark(_("{text}.", text=capital(localize(problem))))
        else:
            page.remark(_("Moves copied."))

    def type_move(self) -> None:
        """Open the card for typing a move."""
        # Open it even if no move can be played now. Otherwise, the following letters would trigger single-key
        # shortcuts.
        self._ask_line(TypeCard(self.board))

    def go_to_turn(self) -> None:
        """Open the card for typing the number of the turn to show."""
        self._ask_line(GoCard(self.board))

    def _ask_line(self, card: LineCard) -> None:
        page = self.board

        def place(window: Rect) -> Rect:
            area = page.view.rect if page.view.visible else page.flat.rect
            wide, high = min(LineCard.SIZE[0], area.w - 28), LineCard.SIZE[1]
            return Rect(area.cx - wide / 2, area.bottom - high - 14, wide, high)

        page.app.root.popup(card, place, focus=card.field)
