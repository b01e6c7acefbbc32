"""Dialogs over the page: messages, and help for screen reader users."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.button import Button
from ..ui.label import Label
from ..ui.panel import MAX_TEXT_CARD_HEIGHT_PX, Card, centred_placement
from ..ui.prose import ExplanationTooltip, FormattedText
from ..ui.widget import Key

if TYPE_CHECKING:
    from . import Host


TEXT_CARD_SIZE_PX = (620, 560)


class TextCard(Card):
    """Card that shows a long text, with a button that closes it."""

    max_column_height = MAX_TEXT_CARD_HEIGHT_PX

    def __init__(self, app: Host, heading: str, markup: str, name: str) -> None:
        """Create a card that shows the text ``markup``; ``name`` is the internal name of the text's widget."""
        super().__init__(heading)
        self.text_area = FormattedText(markup, name=name)
        self.explanation = ExplanationTooltip()
        self.text_area.on_word_hover = self.explanation.set_word
        self.close_button = Button(_("Close"), app.root.close_popup, kind="quiet", name=f"close {name}")
        self.add(self.text_area, self.close_button, self.explanation)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.close_button.layout(Rect(rect.right - 112, rect.y + 16, 96, 32))
        self.text_area.layout(Rect(rect.x + 24, rect.y + 60, rect.w - 40, rect.h - 72))


def show_text(
    app: Host,
    heading: str,
    markup: str,
    name: str,
    explain_words: Callable[[Sequence[str]], list[str]] | None = None,
) -> None:
    """Show a long text in a card, with the focus on the text.

    Because the text has the focus, screen readers read it, and the arrow keys scroll it.

    ``markup`` is the text, and ``name`` is the internal name of its widget. ``explain_words`` returns the explanation
    of each of the given words, or an empty string for words without one.
    """
    card = TextCard(app, heading, markup, name)
    if explain_words is not None:
        card.text_area.explain_words = explain_words
    app.root.open_popup(card, centred_placement(*TEXT_CARD_SIZE_PX), card.text_area)


def show_screen_reader_help(app: Host) -> None:
    """Show help on playing with the keyboard, with a screen reader or in a terminal."""
    text = _(
        "You can do everything with the keyboard and, on Linux, have everything read aloud. Press the "
        "question mark key to list a page's shortcuts, Tab to move to the next item, Enter to "
        "activate it, and Escape to go back.\n\n"
        "## With a screen reader\n\n"
        "Buttons, fields, lists and dialogs all have names and come in reading order. Boards are "
        "read point by point, level by level: “Ab2, white, carries 2 marbles” is a marble; “Ab2, "
        "empty, ends the turn” is a spot you can choose. Activate it to choose it. Everything that "
        "happens is announced once. What you aren't allowed to see is never read out.\n\n"
        "If your screen reader can't read the window, open *Settings*, *Sound* and turn on "
        "*Announce events in the window title*: the title then says what's happening.\n\n"
        "## Five questions\n\n"
        "During any game, five keys each answer a question aloud.\n\n"
        "- **F3**: the last turn.\n"
        "- **F4**: what is at the cursor, in its rank and file, and on its level. Without a "
        "cursor, each press reads the next level.\n"
        "- **F7**: what you have, what your goal is, what you can still take, and your points.\n"
        "- **F8**: how many choices you have. Press it again to hear them one by one.\n"
        "- **F9**: whose turn it is, and the clocks.\n\n"
        "## On the board\n\n"
        "Move between points with Tab and the arrow keys, and choose one with Enter. Press slash "
        "to type a move, H for a hint, and Ctrl+Z to undo.\n\n"
        "## In a terminal\n\n"
        "“shibumi3d play spline --text” plays Spline in text mode. Replace “spline” with the name of any "
        "other game. Type “help” for the list of commands."
    )
    show_text(app, _("Screen reader help"), text, "playing without sight")


class MessageCard(Card):
    """Dialog with a message and a Continue button."""

    def __init__(self, app: Host, message: str) -> None:
        super().__init__("")
        self.app = app
        self.message_label = Label(message, "serif", 17, max_lines=99)
        self.continue_button = Button(_("Continue"), app.root.close_popup, kind="main", name="go on")
        self.add(self.message_label, self.continue_button)

    def place(self, window: Rect) -> Rect:
        """Return the dialog's rectangle, in the middle of the window and tall enough for its message.

        If a long message doesn't fit, the font size is reduced; at the smallest size, the message may be cut off.
        """
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        wide = min(480.0, window.w - 24)
        for size in (17, 15, 13):
            self.message_label.size = size
            high = len(canvas.wrap(self.message_label.caption, "serif", size, wide - 48)) * size * 1.3 + 88
            if high <= window.h - 24:
                break
        self.message_label.max_lines = max(2, int((window.h - 112) / (self.message_label.size * 1.3) + 0.01))
        return window.centred(wide, min(max(high, 150.0), window.h - 24))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 20)
        button, area = area.cut_bottom(32, 8)
        self.continue_button.layout(button.cut_right(96)[0])
        self.message_label.layout(area)

    def on_key(self, key: Key) -> bool:
        if key.name == "enter" and self.root is not None:
            self.root.close_popup()
            return True
        return False


class ChoiceCard(MessageCard):
    """Dialog with a message and two buttons.

    ``first`` and ``second`` each give the label of a button and the function to call when it is pressed. Either button
    closes the dialog. The Enter key presses the first button.
    """

    def __init__(
        self,
        app: Host,
        message: str,
        first: tuple[str, Callable[[], None]],
        second: tuple[str, Callable[[], None]],
    ) -> None:
        super().__init__(app, message)
        self._first_action, second_action = first[1], second[1]
        self.continue_button.label, self.continue_button.on_click = first[0], self._choose_first
        self.second_button = Button(
            second[0], lambda: self._close_and_run(second_action), name="other choice"
        )
        self.add(self.second_button)

    def _choose_first(self) -> None:
        self._close_and_run(self._first_action)

    def _close_and_run(self, action: Callable[[], None]) -> None:
        self.app.root.close_popup()
        action()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        foot = rect.inset(24, 20).cut_bottom(32)[0]
        wide = self.continue_button.preferred_width(canvas)
        first, foot = foot.cut_right(wide, 8)
        self.continue_button.layout(first)
        self.second_button.layout(foot.cut_right(self.second_button.preferred_width(canvas))[0])

    def on_key(self, key: Key) -> bool:
        if key.name == "enter":
            self._choose_first()
            return True
        return False


def show_message(app: Host, message: str) -> None:
    """Show a message in a dialog that stays open until it is dismissed."""
    card = MessageCard(app, message)
    app.root.open_popup(card, card.place, focus=card.continue_button)
