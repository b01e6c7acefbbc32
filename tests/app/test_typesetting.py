"""Text in any script: visual order, fonts and the position of marks."""

from __future__ import annotations

import time
import unicodedata

import pytest

from shibumi3d.assets.fonts import FACES, system_fonts, typeset
from shibumi3d.assets.fonts.bidi import to_visual_order
from shibumi3d.assets.fonts.system_fonts import SystemFont

LACKING = "\U0001f9ff\u0ba4"


@pytest.fixture
def no_system_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_fonts, "find_font", lambda character: None)
    typeset.choose_face.cache_clear()
    typeset.layout_line.cache_clear()
    yield
    typeset.choose_face.cache_clear()
    typeset.layout_line.cache_clear()


@pytest.mark.parametrize("face", ["sans", "bold", "serif", "title", "italic"])
@pytest.mark.parametrize("name", ["Иван Щёголев", "Їжакевич Ђорђе Ўладзімір", "Ελένη Ὀδυσσεύς", "Žižka Thuỷ"])
def test_latin_greek_and_cyrillic_need_no_system_font(no_system_fonts: None, name: str, face: str) -> None:
    for text in (name, name.upper(), unicodedata.normalize("NFD", name)):
        runs = typeset.split_into_runs(text, face)
        assert "".join(part for _, part in runs) == unicodedata.normalize("NFC", text)
        assert {own for own, _ in runs} <= FACES.keys()


def test_unsupported_characters_become_one_placeholder(no_system_fonts: None) -> None:
    assert typeset.split_into_runs(f"A{LACKING}B", "title") == [
        ("title", "A"),
        ("bold", "□□"),
        ("title", "B"),
    ]
    assert typeset.text_width("\U0001f9ff", "sans", 10) == typeset.text_width("□", "sans", 10) > 5


def test_system_font_is_used_for_missing_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        system_fonts,
        "find_font",
        lambda character: SystemFont("Some", "some.ttf", 0) if character in "张伟静" else None,
    )
    typeset.choose_face.cache_clear()
    assert typeset.split_into_runs("张伟", "sans") == [("Some", "张伟")]
    # A whole name uses one font, although the shipped font has its first character, which alone uses the shipped font.
    assert typeset.split_into_runs("静张", "sans") == [("Some", "静张")]
    assert typeset.split_into_runs("静", "sans") == [("kanji", "静")]
    typeset.choose_face.cache_clear()


def test_fontconfig_finds_a_usable_font() -> None:
    found = system_fonts.find_font("A")
    if found is None:
        pytest.skip("this system has no font")
    drawn = system_fonts.load_system_face(found.family)
    glyph = drawn.glyph_index("A")
    assert 0.4 < drawn.advance_width(glyph) < 1
    corners = [corner for line in drawn.outlines(glyph) for corner in line]
    assert 0.5 < max(y for _, y in corners) < 1
    assert drawn.outlines(drawn.glyph_index(" ")) == []
    assert system_fonts.find_font("\U000f1234") is None


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("שלום", "םולש"),
        ("Ann – שלום", "Ann – םולש"),
        ("שלום עולם", "םלוע םולש"),
        ("משה (42) כהן", "ןהכ (42) השמ"),
        ("A1 אב 1.5 C", "A1 1.5 בא C"),
        ("אב 12,5 גד", "דג 12,5 בא"),
        ("אב!", "בא!"),
        ("Zoe\u0308", "Zoë"),
        ("a\u200b\u00ad\u2060\ufeffb\x07", "ab"),
        ("\u202eAnn", "Ann"),
        ("لا", "ﻻ"),
        ("علي", "ﻲﻠﻋ"),
        ("محمد", "ﺪﻤﺤﻣ"),
    ],
)
def test_bidirectional_text_is_reordered(text: str, drawn: str) -> None:
    assert "".join(to_visual_order(text)) == drawn


def test_combining_mark_stays_with_its_letter(no_system_fonts: None) -> None:
    assert to_visual_order("ב\u05bcג") == ["ג", "ב\u05bc"]
    (q, mark), wide = typeset.layout_line("q\u0303", "sans")
    assert (q[1], mark[1]) == ("q", "\u0303")
    assert wide == typeset.layout_line("q", "sans")[1]
    assert mark[3] == 0
    assert typeset.layout_line("Q\u0303", "sans")[0][1][3] > 0.1


def test_layout_time_grows_linearly_with_line_length() -> None:
    def cost(text: str) -> float:
        start = time.process_time()
        to_visual_order(text)
        return time.process_time() - start

    for part in ("אב ", "ا", "a\u0301\u0301", "ل\u064e", "- "):
        small, large = part * 2_000, part * 20_000
        usual = min(cost("א" + small) for _ in range(3))
        assert cost("א" + large) < 40 * (usual + 0.001)
