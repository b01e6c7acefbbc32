"""What keys do on the page of a match, whatever lies on its table."""

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
    """A match in which keys do something."""

    view: View
    view_commands: ViewCommands
    folding: Side
    outside_moves: Outside
    bare: bool
    """Whether only the table is shown."""

    @property
    def questions(self) -> Questions:
        """What answers questions to the table."""

    @property
    def flat(self) -> Widget:
        """The table drawn flat, where it takes the place of the view."""

    @property
    def advice(self) -> Adviser:
        """Hints and analysis."""

    def act_on(
        self, key: Key, actions: Mapping[str, Callable[[], object]], other: Callable[[Key], bool]
    ) -> bool:
        """Do what a key means among the ``actions``, else what ``other`` makes of it."""

    def layout(self, rect: Rect) -> None:
        """Put everything into a rectangle."""

    def look_by(self, by: int) -> None:
        """Look so much back or on."""

    def toggle_flat(self) -> None:
        """Show the table drawn flat, or as it lies there again."""


class Commands:
    """What keys do."""

    def __init__(self, page: Commanded) -> None:
        self.board = page

    # What a table adds

    def own(self) -> Mapping[str, Callable[[], object]]:
        """Return what keys do on this page alone."""
        raise NotImplementedError

    def other(self, key: Key) -> bool:
        """Do what a key means that no command has to itself; return whether it meant anything."""
        raise NotImplementedError

    def key_up(self, key: Key) -> None:
        """End what lasts while a key is held."""

    # The same at all tables

    def key(self, key: Key) -> bool:
        """Do what a key means; return whether it meant anything."""
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
        """Hide all but the table, whose turn it is and undo; or show it again."""
        page = self.board
        page.bare = not page.bare
        page.layout(page.rect)
        page.refresh()

    def copy_moves(self) -> None:
        """Put the match as text where other programs can take it from."""
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
        """Ask for a move to be typed."""
        # Open it even if no move can be played now: what is typed next must not act as single-key shortcuts.
        self._ask_line(TypeCard(self.board))

    def go_to_turn(self) -> None:
        """Ask after which turn the table is to be shown."""
        self._ask_line(GoCard(self.board))

    def _ask_line(self, card: LineCard) -> None:
        page = self.board

        def place(window: Rect) -> Rect:
            area = page.view.rect if page.view.visible else page.flat.rect
            wide, high = min(LineCard.SIZE[0], area.w - 28), LineCard.SIZE[1]
            return Rect(area.cx - wide / 2, area.bottom - high - 14, wide, high)

        page.app.root.popup(card, place, focus=card.field)
