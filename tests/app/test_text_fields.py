"""Text fields: copy, cut, paste, selection and undo, as in the editor."""

from __future__ import annotations

import pytest

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.ui.text_buffer import LineBuffer, to_single_line
from shibumi3d.app.ui.text_input import TextField
from shibumi3d.app.ui.widget import Key, Root, Widget
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import make_style
from tests.app.hand import Hand


class Desk:
    """Focused text field with a clipboard, and methods to press keys and to type text.

    The field starts with the text ``words`` and holds at most ``longest`` characters; the property ``words`` is its
    current text. ``changes`` lists the texts that the field has reported after changes, and ``board`` is the text on
    the clipboard.
    """

    def __init__(self, words: str, longest: int = 60) -> None:
        self.changes: list[str] = []
        self.board = ""
        self.field = TextField(words, self.changes.append, max_length=longest)
        self.root = Root(make_style("day"))
        page = Widget()
        page.add(self.field)
        self.root.show_page(page)
        self.root.focus = self.field
        self.root.copy_text, self.root.paste_text = self._copy, lambda: self.board

    def _copy(self, text: str) -> None:
        self.board = text

    def press(self, *chords: str) -> None:
        for chord in chords:
            *held, name = chord.split("+")
            key = Key(name, "ctrl" in held, "shift" in held, "alt" in held)
            assert self.root.key_press(key), chord

    def type(self, text: str) -> None:
        for character in text:
            self.press(character)
            self.root.type_text(character)

    @property
    def words(self) -> str:
        return self.field.value


def test_word_can_be_copied_cut_and_pasted() -> None:
    desk = Desk("one two three")
    desk.press("ctrl+shift+left", "ctrl+c")
    assert (desk.board, desk.words) == ("three", "one two three")
    desk.press("ctrl+x")
    assert (desk.board, desk.words, desk.changes) == ("three", "one two ", ["one two "])
    desk.press("home", "ctrl+v", "ctrl+v")
    assert desk.words == "threethreeone two "
    desk.press("ctrl+z", "ctrl+z", "ctrl+z")
    assert desk.words == "one two three"
    desk.press("ctrl+y", "ctrl+shift+z")
    assert desk.words == "threeone two "


def test_copy_and_cut_need_a_selection() -> None:
    desk = Desk("one two")
    desk.board = "kept"
    desk.press("ctrl+c", "ctrl+x")
    assert (desk.board, desk.words, desk.changes) == ("kept", "one two", [])


def test_typing_replaces_the_selection() -> None:
    desk = Desk("one two three")
    desk.press("shift+left", "shift+left", "left")
    desk.type("X")
    assert desk.words == "one two thrXee"
    desk.press("shift+home")
    desk.type("Y")
    assert desk.words == "Yee"
    desk.press("shift+end", "delete", "shift+left", "backspace")
    assert desk.words == ""
    desk.press("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")
    assert desk.words == "one two three"


def test_ctrl_moves_and_deletes_by_words() -> None:
    desk = Desk("one two three")
    desk.press("ctrl+left", "ctrl+left")
    desk.type("(")
    assert desk.words == "one (two three"
    desk.press("ctrl+delete")
    assert desk.words == "one ( three"
    desk.press("ctrl+end", "ctrl+backspace", "ctrl+home", "ctrl+right")
    desk.type("!")
    assert desk.words == "one! ( "


def test_undo_removes_text_typed_in_one_go() -> None:
    desk = Desk("")
    desk.type("one two")
    desk.press("ctrl+z")
    assert desk.words == "one "
    desk.press("ctrl+z", "ctrl+z", "ctrl+z")
    assert (desk.words, desk.changes[-1]) == ("", "")


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("two\nlines", "two lines"),
        ("two\r\nlines\r\n", "two lines"),
        ("\n\nat\u2028last\n", "at last"),
        ("a\tb\u00a0c\u3000d", "a b c d"),
        ("a\x00b\x1bc\u200b", "abc"),
        ("\n", ""),
        ("0123456789ABCDEF", "0123456789"),
        ("x" * 100_000, "x" * 10),
    ],
)
def test_pasted_text_is_joined_to_one_line_and_cut_to_fit(pasted: str, words: str) -> None:
    desk = Desk("", longest=10)
    desk.board = pasted
    desk.press("ctrl+v")
    assert desk.words == words


def test_pasting_over_a_selection_uses_its_room() -> None:
    desk = Desk("0123456789", longest=10)
    desk.board = "abc"
    desk.press("ctrl+v")
    assert desk.words == "0123456789"
    desk.press("shift+left", "shift+left", "ctrl+v")
    assert desk.words == "01234567ab"
    assert desk.changes == ["01234567ab"]


def test_field_starts_unfocused_and_clipped() -> None:
    assert LineBuffer("one\ntwo\n", 5).text == "one t"
    assert to_single_line("one\r\n\r\ntwo") == "one  two"
    assert to_single_line("  ") == "  "
    assert to_single_line("\r") == ""


def search(hand: Hand) -> tuple[TextField, Rect]:
    assert isinstance(hand.app.current_page, HomePage)
    field = hand.app.current_page.search_field
    hand.push("search")
    hand.type("spline plus")
    hand.draw()
    return field, field.rect


def test_double_click_selects_a_word_and_dragging_a_range(hand: Hand) -> None:
    board: list[str] = []
    hand.app.services.write_clipboard = board.append
    field, _ = search(hand)
    left, right = field._caret_positions[8], field._caret_positions[9]
    x, y = hand.app.to_window_pixels((left + right) / 2 - 1, field.rect.cy)
    hand.click(x, y)
    hand.now += 0.1
    hand.click(x, y)
    hand.key("ctrl+c")
    hand.now += 5
    hand.click(x, y)
    hand.key("ctrl+c")
    assert board == ["plus"]
    ends = [hand.app.to_window_pixels(field._caret_positions[n], field.rect.cy) for n in (1, 4)]
    hand.drag((ends[0][0], ends[0][1]), (ends[1][0], ends[1][1]))
    hand.key("ctrl+c")
    assert board == ["plus", "pli"]
    hand.click(*hand.app.to_window_pixels(field._caret_positions[0], field.rect.cy))
    hand.click(*hand.app.to_window_pixels(field._caret_positions[6], field.rect.cy), held=_shift())
    hand.key("ctrl+x")
    assert (board[-1], field.value) == ("spline", " plus")


def _shift() -> int:
    from pyglet.window import key

    return int(key.MOD_SHIFT)


def test_ctrl_v_in_a_field_does_not_open_a_match(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(hand.app.matches, "open_text", opened.append)
    hand.app.services.read_clipboard = lambda: "game: spline\n"
    field, _ = search(hand)
    hand.key("ctrl+a")
    hand.key("ctrl+v")
    assert (field.value, opened) == ("game: spline", [])
    hand.app.services.read_clipboard = str
    hand.key("ctrl+v")
    assert (field.value, opened) == ("game: spline", [])
    hand.key("escape")
    hand.key("escape")
    hand.app.services.read_clipboard = lambda: "game: spline\n"
    hand.key("ctrl+v")
    assert opened == ["game: spline\n"]


def test_ctrl_z_in_a_field_does_not_undo_a_turn(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    hand.key("t")
    hand.app.root.open_popup(
        card := TextField("abc", name="probe"), lambda window: Rect(50, 50, 200, 30), focus=None
    )
    hand.app.root.focus = card
    for _ in range(3):
        hand.key("ctrl+z")
    assert hand.moves == ["W@Aa1"]


def test_long_text_scrolls_only_as_far_as_needed(hand: Hand) -> None:
    field, place = search(hand)
    field.set_value("m" * 60)
    hand.draw()
    assert field._caret_positions[-1] <= place.right
    assert field._caret_positions[0] < place.x
    hand.key("home")
    hand.draw()
    assert field._caret_positions[0] >= place.x


def test_pasted_text_too_long_for_a_match_is_refused_with_a_message(hand: Hand) -> None:
    hand.app.services.read_clipboard = lambda: "game: spline\n" * 30_000
    hand.key("ctrl+v")
    assert hand.floating(MessageCard).message_label.caption == "The text on the clipboard is too long."
