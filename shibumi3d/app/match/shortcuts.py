"""Keyboard shortcuts of match pages, for tables of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, localize
from shibumi3d.match.record import RecordError
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect

from ..ui.widget import Key
from .dialogs import GoToTurnCard, TextEntryCard, TypeMoveCard, open_save_dialog
from .players import MatchPageInterface
from .sharing import open_share_card

if TYPE_CHECKING:
    from ..host.board_view import BoardView
    from ..host.camera_controls import CameraControls
    from ..ui.widget import Widget
    from .actions import MatchActions, SpecialMoves
    from .hints import HintsAndAnalysis
    from .messages import SpokenAnswers
    from .side_panel import SidePanel


class ShortcutsOwner(MatchPageInterface, Protocol):
    """Match page with keyboard shortcuts."""

    view: BoardView
    camera_controls: CameraControls
    side_panel: SidePanel
    special_moves: SpecialMoves

    @property
    def actions(self) -> MatchActions:
        """The actions available to people and computer players in the match."""

    def leave_match(self) -> None:
        """Leave the match for the page to which *Back* leads."""

    @property
    def spoken_answers(self) -> SpokenAnswers:
        """Spoken answers to questions about the table; each question has its own key."""

    @property
    def flat_view(self) -> Widget:
        """Flat drawing of the table, which can replace the 3D view."""

    @property
    def advice(self) -> HintsAndAnalysis:
        """Hints and analysis."""

    def handle_shortcut(
        self, key: Key, actions: Mapping[str, Callable[[], object]], on_unbound_key: Callable[[Key], bool]
    ) -> bool:
        """Run the action bound to a key, or else pass the key to ``on_unbound_key``.

        For a disabled single-key shortcut, neither happens. Returns whether the key was handled.
        """

    def step_by(self, steps: int) -> None:
        """Show the position ``steps`` steps later, or earlier if ``steps`` is negative.

        A step is a move or, in games with marbles, a whole turn.
        """

    def toggle_flat_view(self) -> None:
        """Switch between the flat drawing and the 3D view."""


class MatchShortcuts:
    """Keyboard shortcuts of a match page.

    There is one subclass for the marble view and one for the scene view.
    """

    def __init__(self, page: ShortcutsOwner) -> None:
        self.page = page

    # Overridden by the subclasses

    def page_bindings(self) -> Mapping[str, Callable[[], object]]:
        """Return the additional key bindings of this page."""
        raise NotImplementedError

    def on_unbound_key(self, key: Key) -> bool:
        """Handle a key that has no binding; return whether it was handled."""
        raise NotImplementedError

    def on_key_release(self, key: Key) -> None:
        """Handle the release of a key: end any action that lasts while the key is held down."""

    # Common to all tables

    def on_key(self, key: Key) -> bool:
        """Handle a key press; return whether it was handled."""
        page = self.page
        doing, pages = page.actions, page.app.pages
        actions: Mapping[str, Callable[[], object]] = {
            "ctrl+z": doing.undo,
            "ctrl+shift+z": doing.redo,
            "ctrl+y": doing.redo,
            "h": page.advice.advance_hint,
            "a": page.advice.toggle_analysis,
            "s": page.special_moves.make_available_move,
            "b": doing.replay_last_turn,
            "/": self.ask_move,
            "g": self.ask_turn,
            "ctrl+c": self.copy_moves,
            ",": lambda: page.step_by(-1),
            ".": lambda: page.step_by(1),
            "ctrl+home": lambda: doing.view_ply(0 if page.match.cursor else None),
            "ctrl+end": lambda: doing.view_ply(None),
            "f1": page.side_panel.show_rules,
            "f2": page.toggle_flat_view,
            "ctrl+b": page.side_panel.toggle,
            "z": self.toggle_zen_mode,
            "ctrl+s": lambda: open_save_dialog(page),
            "ctrl+e": lambda: open_share_card(page),
            "ctrl+o": pages.show_saved_games,
            "ctrl+n": pages.show_home,
            **page.spoken_answers.bindings(),
            **self.page_bindings(),
        }
        return page.handle_shortcut(key, actions, self.on_unbound_key)

    def toggle_zen_mode(self) -> None:
        """Hide everything that isn't needed to play, such as the bars and the side panel, or show it again."""
        page = self.page
        page.is_zen_mode = not page.is_zen_mode
        page.layout(page.rect)
        page.refresh()

    def copy_moves(self) -> None:
        """Copy the match to the clipboard as text, unless some of its moves are still secret.

        A note says that the moves were copied or why they weren't.
        """
        page = self.page
        if any(page.model.is_ply_hidden(number) for number in range(len(page.match.plies))):
            page.show_note(_("You can't copy the moves while some of them are secret."))
            return
        try:
            page.app.root.copy_text(page.match.record(include_undone=True).to_text())
        except RecordError as problem:
            page.show_note(_("{text}.", text=capitalize_first(localize(problem))))
        else:
            page.show_note(_("Moves copied."))

    def ask_move(self) -> None:
        """Open the card for typing a move."""
        # Open it even if no move can be played now. Otherwise, the following letters would trigger single-key
        # shortcuts.
        self._open_card(TypeMoveCard(self.page))

    def ask_turn(self) -> None:
        """Open the card for typing the number of the turn to show."""
        self._open_card(GoToTurnCard(self.page))

    def _open_card(self, card: TextEntryCard) -> None:
        page = self.page

        def place(window: Rect) -> Rect:
            area = page.view.rect if page.view.visible else page.flat_view.rect
            wide, high = min(TextEntryCard.SIZE_PX[0], area.w - 28), TextEntryCard.SIZE_PX[1]
            return Rect(area.cx - wide / 2, area.bottom - high - 14, wide, high)

        page.app.root.open_popup(card, place, focus=card.field)
