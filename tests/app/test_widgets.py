"""The widget toolkit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from shibumi3d.app.platform.keyboard import to_key
from shibumi3d.app.ui import mesh
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.canvas import split_words, with_fast_expansion
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.list_view import ListView
from shibumi3d.app.ui.prose import FormattedText, _split_styled_words
from shibumi3d.app.ui.slider import Slider
from shibumi3d.app.ui.text_input import TextField
from shibumi3d.app.ui.widget import Key, Root, Widget
from shibumi3d.scene.marbles.seat_symbols import SEAT_POLYGONS
from shibumi3d.scene.pen import Colour, mix_colours, multiply_alpha, rgba
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import make_style

if TYPE_CHECKING:
    from tests.app.hand import Hand


def area(shape: np.ndarray) -> float:
    """Return the total area of the triangles of a shape, weighted by coverage.

    Each row of ``shape`` is a corner (x, y, coverage), and every three rows form a triangle, whose weight is the mean
    coverage of its corners.
    """
    corners = shape.reshape(-1, 3, 3).astype(float)
    a, b, c = corners[:, 0, :2], corners[:, 1, :2], corners[:, 2, :2]
    size = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    return float((size * corners[:, :, 2].mean(axis=1)).sum())


def test_rectangle_cutting_and_intersection() -> None:
    top, rest = Rect(0, 0, 100, 60).cut_top(20, 5)
    assert (top, rest) == (Rect(0, 0, 100, 20), Rect(0, 25, 100, 35))
    right, rest = rest.cut_right(30)
    assert (right, rest) == (Rect(70, 25, 30, 35), Rect(0, 25, 70, 35))
    assert Rect(0, 0, 10, 10).intersection(Rect(5, 5, 10, 10)) == Rect(5, 5, 5, 5)
    assert Rect(0, 0, 10, 10).intersection(Rect(20, 0, 5, 5)).w == 0
    assert Rect(0, 0, 10, 10).contains(0, 9.9)
    assert not Rect(0, 0, 10, 10).contains(10, 5)


@pytest.mark.parametrize(
    ("points", "size"),
    [
        (mesh.round_rect(40, 20, 0), 800),
        (mesh.round_rect(40, 20, 6), 800 - (4 - math.pi) * 36),
        (mesh.circle(10), math.pi * 100),
    ],
)
def test_shapes_cover_the_expected_area(points: mesh.Points, size: float) -> None:
    assert area(mesh.polygon(points)) == pytest.approx(size, rel=0.02)


def test_lines_and_rings_have_the_requested_width() -> None:
    assert area(mesh.round_line(30, 40, 3)) == pytest.approx(150 + math.pi * 2.25, rel=0.08)
    assert area(mesh.outline(mesh.circle(20), 2)) == pytest.approx(2 * math.pi * 19 * 2, rel=0.05)


def test_fast_glyph_expansion_matches_pyglet(hand: Hand) -> None:
    from pyglet.font.freetype import FreeTypeGlyphRenderer

    quick, own = with_fast_expansion(FreeTypeGlyphRenderer), FreeTypeGlyphRenderer
    made = [object.__new__(kind)._expand_to_rgba(b"\0\x07\xff", "R", "BGRA") for kind in (quick, own)]
    assert made == [b"\xff\xff\xff\0\xff\xff\xff\x07\xff\xff\xff\xff"] * 2
    # Coloured glyphs have four bytes per pixel already.
    assert object.__new__(quick)._expand_to_rgba(b"abcd", "BGRA", "BGRA") == b"abcd"
    # On other systems, pyglet uses another class, which isn't changed.
    assert with_fast_expansion(int) is int


def test_seat_symbols_differ() -> None:
    shapes = set(SEAT_POLYGONS)
    assert len(shapes) == 10
    for points in shapes:
        assert area(mesh.polygon(tuple((x * 20, y * 20) for x, y in points))) > 200


def test_colour_conversion_and_mixing() -> None:
    assert rgba("#FF0080") == pytest.approx((1.0, 0.0, 0.502, 1.0), abs=0.001)
    assert multiply_alpha(rgba("#000000"), 0.5)[3] == 0.5
    assert mix_colours(rgba("#000000"), rgba("#FFFFFF"), 0.5) == (0.5, 0.5, 0.5, 1.0)


def contrast(a: Colour, b: Colour) -> float:
    def light(colour: Colour) -> float:
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour[:3]]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tone", ["day", "night"])
def test_text_contrast_by_day_and_night(tone: str) -> None:
    look = make_style(tone)
    for paper in (look.page, look.card, look.recessed):
        assert contrast(look.ink, paper) > 10
        assert contrast(look.secondary_ink, paper) > 4.5
    for paper in (look.page, look.card):
        assert contrast(look.warning, paper) > 4.5
        assert contrast(look.amber, paper) > 4.5
    assert contrast(look.on_action, look.action) > 4.5
    assert len(set(look.marbles)) == len(look.marbles)


def root_with(*widgets: Widget) -> Root:
    root = Root(make_style("day"))
    page = Widget()
    page.rect = Rect(0, 0, 200, 200)
    page.add(*widgets)
    root.size = (200, 200)
    root.show_page(page)
    page.rect = Rect(0, 0, 200, 200)
    return root


def click(root: Root, x: float, y: float, end: tuple[float, float] | None = None) -> None:
    root.mouse_move(x, y)
    root.mouse_press(x, y, "left", Key(""))
    root.mouse_release(*(end or (x, y)), "left", Key(""))


def test_double_click_guard_ignores_quick_second_clicks() -> None:
    done: list[int] = []
    button = Button("Go", lambda: done.append(1))
    button.rect = Rect(10, 10, 150, 32)
    root, now = root_with(button), [0.0]
    root.clock = lambda: now[0]
    for when in (0.0, 0.2):
        now[0] = when
        click(root, 20, 20)
    assert len(done) == 2  # by default, all clicks count
    root.double_click_guard_seconds = 0.5
    now[0] = 10.0
    click(root, 20, 20)
    now[0] = 10.4
    click(root, 25, 24)  # less than half a second later
    assert len(done) == 3
    click(root, 60, 20)  # a click elsewhere is intentional
    assert len(done) == 4
    now[0] = 10.9
    click(root, 60, 20)
    assert len(done) == 5
    now[0] = 3.0  # a clock that was set back doesn't suppress clicks
    click(root, 60, 20)
    assert len(done) == 6


def test_button_needs_press_and_release_on_itself() -> None:
    done: list[int] = []
    button = Button("Go", lambda: done.append(1))
    button.rect = Rect(10, 10, 50, 32)
    root = root_with(button)
    click(root, 20, 20)
    assert done == [1]
    click(root, 20, 20, (150, 150))
    assert done == [1]
    button.enabled = False
    click(root, 20, 20)
    assert done == [1]
    button.enabled = True
    root.key_press(Key("tab"))
    root.key_press(Key("space"))
    assert done == [1, 1]


def test_click_outside_a_popup_only_closes_it() -> None:
    done: list[int] = []
    button = Button("Go", lambda: done.append(1))
    button.rect = Rect(10, 10, 50, 32)
    root = root_with(button)
    root.open_popup(Widget(), lambda window: Rect(100, 100, 50, 50))
    click(root, 20, 20)
    assert (done, root.popups) == ([], [])
    root.open_popup(Widget(), lambda window: Rect(100, 100, 50, 50))
    root.key_press(Key("escape"))
    assert root.popups == []


def test_text_field_editing() -> None:
    changes: list[str] = []
    entry = TextField("", changes.append, max_length=8)
    for word in ("Žo", "ë\r\n"):
        entry.on_text(word)
    assert entry.value == "Žoë"
    entry.on_key(Key("home"))
    entry.on_text("x")
    entry.on_key(Key("delete"))
    assert entry.value == "xoë"
    entry.on_key(Key("end"))
    entry.on_key(Key("backspace"))
    assert entry.value == "xo"
    entry.on_text("1234567890")
    assert entry.value == "xo123456"
    entry.on_key(Key("a", ctrl=True))
    entry.on_text("new")
    assert entry.value == "new"
    assert changes[-1] == "new"
    assert not entry.on_key(Key("escape"))
    assert entry.value == "new"
    search = TextField("new", clears_on_escape=True)
    assert search.on_key(Key("escape"))
    assert search.value == ""
    assert not search.on_key(Key("escape"))
    assert not entry.on_key(Key("q", ctrl=True))


def test_list_scrolls_and_follows_the_keyboard() -> None:
    chosen: list[int] = []
    listing = ListView(20, lambda *a: None, chosen.append)
    listing.rect = Rect(0, 0, 100, 100)
    listing.set_rows(30)
    assert listing.row_at(10, 45) == 2
    listing.on_scroll(5, 5, 0, -1, Key(""))
    assert listing.offset == 60
    assert listing.row_at(10, 5) == 3
    listing.on_key(Key("end"))
    assert (chosen[-1], listing.offset) == (29, 500)
    listing.on_key(Key("up"))
    listing.on_key(Key("home"))
    assert (chosen[-1], listing.offset) == (0, 0)
    listing.on_scroll(5, 5, 0, 9, Key(""))
    assert listing.offset == 0
    listing.set_rows(2)
    assert listing.scroll_handle() is None
    assert listing.row_at(10, 90) == -1


def test_choices_and_sliders() -> None:
    chosen: list[int] = []
    choice = Choice(("a", "b", "c"), 0, chosen.append)
    choice.rect = Rect(0, 0, 90, 30)
    choice.on_release(45, 10, "left", Key(""))
    choice.on_key(Key("right"))
    choice.on_key(Key("right"))
    assert chosen == [1, 2]
    slider = Slider(chosen.append)
    slider.rect = Rect(0, 0, 120, 20)
    slider.set_stops(10, 0)
    slider.on_press(60, 5, "left", Key(""))
    slider.on_key(Key("end"))
    assert chosen[2:] == [5, 10]


def test_bold_and_italic_words() -> None:
    assert _split_styled_words("a **big red** *very* b", "serif") == [
        ("a", "serif"),
        ("big", "title"),
        ("red", "title"),
        ("very", "italic"),
        ("b", "serif"),
    ]


def test_french_punctuation_stays_with_its_word() -> None:
    assert split_words("Oui : « non » ; si !  Et 1, 2.") == ["Oui :", "« non » ;", "si !", "Et", "1,", "2."]
    assert split_words("« a », « b ». « c »") == ["« a »,", "« b ».", "« c »"]
    assert split_words("a ;b \n c") == ["a", ";b", "c"]
    assert split_words(" ") == []


def test_percent_signs_stay_with_their_number() -> None:
    assert split_words("Etwa 50 % (40 %–60 %)") == ["Etwa", "50 %", "(40 %–60 %)"]


def test_formatted_text_wraps_to_its_width(hand: Hand) -> None:
    canvas = hand.app.canvas
    prose = FormattedText("## Goal\n\nOne line\nthat runs on and on and on.\n\n- first\n- second", 16)
    prose.layout(Rect(0, 0, 160, 400))
    prose._lay_out_text(canvas)
    lines = [" ".join(word for _, word, *_ in runs) for _, _, runs, _, _ in prose._lines]
    assert lines[0] == "Goal"
    assert (
        " ".join(line for line in lines if line != "•")
        == "Goal One line that runs on and on and on. first second"
    )
    assert lines.count("•") == 2
    assert (
        max(x + canvas.text_width(w, f, s) for _, _, runs, _, s in prose._lines for x, w, f, _ in runs) <= 160
    )


def test_numbered_items_start_on_lines_of_their_own(hand: Hand) -> None:
    text = FormattedText("Do both:\n\n1. take one;\n2. place one\non a platform.")
    text.fit_height(hand.app.canvas, 600)
    shown = [[run[1] for run in runs] for _, _, runs, _, _ in text._lines]
    assert shown == [
        ["Do", "both:"],
        ["1."],
        ["take", "one;"],
        ["2."],
        ["place", "one", "on", "a", "platform."],
    ]
    assert text.plain_text == "Do both:\n1. take one;\n2. place one on a platform."


def test_text_is_truncated_wrapped_and_drawn(hand: Hand) -> None:
    canvas = hand.app.canvas
    assert canvas.truncate("short", "sans", 15, 200) == "short"
    cut = canvas.truncate("a very long sentence indeed", "sans", 15, 80)
    assert cut.endswith("…")
    assert canvas.text_width(cut, "sans", 15) <= 80
    lines = canvas.wrap("a very long sentence indeed", "sans", 15, 80)
    assert " ".join(lines) == "a very long sentence indeed"
    assert len(lines) > 1
    assert canvas.text_width("渋い", "title", 20) > canvas.text_width("i", "title", 20)


def test_long_word_is_shrunk_before_it_is_broken(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = hand.app.canvas
    written: list[str] = []
    monkeypatch.setattr(canvas, "text_in", lambda rect, text, *rest: written.append(text))
    room = canvas.text_width("Joueur", "bold", 15) - 1
    canvas.text_fit(Rect(0, 0, room, 38), "Joueur 1", make_style("day").ink, "bold", 15)
    assert written == ["Joueur", "1"]


def test_key_chords_have_names() -> None:
    class Codes:
        MOD_CTRL, MOD_COMMAND, MOD_SHIFT, MOD_ALT = 1, 2, 4, 8

        @staticmethod
        def symbol_string(symbol: int) -> str:
            return {1: "RETURN", 2: "Z", 3: "BRACKETLEFT"}[symbol]

    assert to_key(Codes, 1, 0).chord == "enter"
    assert to_key(Codes, 2, 5).chord == "ctrl+shift+z"
    assert to_key(Codes, 2, 2).chord == "ctrl+z"
    assert to_key(Codes, 3, 0).chord == "["


def test_text_survives_scale_changes_and_a_full_glyph_texture(hand: Hand) -> None:
    app = hand.app
    for scale in (300, 75, 100):
        app.change_settings(scale=scale)
        hand.draw()
    picture = _picture(hand)
    app.canvas._glyph_bin.atlases.append(app.canvas._glyph_bin.atlases[0])
    app.root.dirty = True
    hand.draw()
    assert _picture(hand) == picture


def _picture(hand: Hand) -> bytes:
    import pyglet

    buffer = pyglet.image.get_buffer_manager().get_color_buffer()
    return bytes(buffer.get_image_data().get_data("RGBA"))
