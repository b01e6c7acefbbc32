"""Every character that the program shows is in the font used for it."""

from __future__ import annotations

import ast
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.app.ui.text_editor import LineLayouts
from shibumi3d.assets import fonts
from shibumi3d.assets.fonts import typeset
from shibumi3d.assets.fonts.truetype import TrueTypeFace
from shibumi3d.catalogue import catalogue
from shibumi3d.i18n import LANGUAGES
from shibumi3d.rules.marbles.wording.messages import SEAT_SYMBOLS
from shibumi3d.scene.marbles.seat_symbols import SEAT_POLYGONS, seat_polygon
from tests.sources import FILES, layer_of, nodes
from tools.messages import catalogue_path, read_catalogue

ttLib = pytest.importorskip("fontTools.ttLib")


def characters(face: str) -> set[int]:
    return set(ttLib.TTFont(BytesIO(fonts.font_data(face))).getBestCmap())


@pytest.fixture(scope="module")
def face_characters() -> dict[str, set[int]]:
    return {face: characters(face) for face in fonts.FACES}


def missing_characters(text: str, face: str, known: dict[str, set[int]]) -> set[str]:
    shown = [c for c in text if c.isprintable() and seat_polygon(c) is None]
    return {c for c in shown if ord(c) not in known.get(typeset.choose_face(c, face)[0], set())}


def test_fonts_cover_all_texts_of_the_program(face_characters: dict[str, set[int]]) -> None:
    wrong = {}
    for file in FILES:
        if layer_of(file) not in ("app", "assets", "export", "wording"):
            continue
        for node in nodes(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for face in ("sans", "bold"):
                    if missing := missing_characters(node.value, face, face_characters):
                        wrong[f"{file.name}:{node.lineno}"] = missing
    assert not wrong


def test_fonts_cover_all_translations(face_characters: dict[str, set[int]]) -> None:
    wrong = {}
    for code in LANGUAGES:
        for message in read_catalogue(catalogue_path(code), code):
            text = "".join(message.string or ())
            for face in ("sans", "bold"):
                if missing := missing_characters(text, face, face_characters):
                    wrong[code, message.id] = missing
    assert not wrong


def test_fonts_cover_all_texts_of_the_games(face_characters: dict[str, set[int]]) -> None:
    wrong = {}
    for entry in catalogue.load_catalogue():
        texts = (entry.title, *entry.authors, *entry.summary.values(), *entry.rules.values())
        for face in ("sans", "serif", "title", "italic"):
            if missing := missing_characters("".join(texts), face, face_characters):
                wrong[entry.id, face] = missing
    assert not wrong


def test_fonts_cover_names_of_people(face_characters: dict[str, set[int]]) -> None:
    names = "Néstor Łucja Žižka Győző Șerban Ñandú Æsa Þór Ḥasan Thuỷ Gökçe Ĝoja ĳ ẞ ½ × – … “”"
    for face in ("sans", "bold", "serif", "title", "italic"):
        assert not missing_characters(names, face, face_characters)
    assert not missing_characters("Ελένη", "sans", face_characters)


def test_font_of_the_seal_covers_its_characters(face_characters: dict[str, set[int]]) -> None:
    assert face_characters["seal"] >= {ord("渋")}


@pytest.mark.parametrize("face", fonts.FACES)
def test_font_families_have_unique_names(face: str) -> None:
    font = ttLib.TTFont(BytesIO(fonts.font_data(face)))
    assert font["name"].getDebugName(1) == fonts.FACES[face][0]
    assert "fvar" not in font


def test_code_is_set_in_characters_of_equal_width() -> None:
    font = ttLib.TTFont(BytesIO(fonts.font_data("mono")))
    widths = {font["hmtx"][font.getBestCmap()[code]][0] for code in range(0x20, 0x7F)}
    assert len(widths) == 1


def test_the_editor_of_games_sets_code_in_that_face() -> None:
    class FakeCanvas:
        scale = 1.0

        def text_width(self, text: str, face: str, size: float) -> float:
            font = typeset.load_face(face)
            assert isinstance(font, TrueTypeFace)
            return size * sum(font.advance_width(font.glyph_index(sign)) for sign in text)

    lines = LineLayouts(lambda text: [(text, "ink")])
    canvas: Any = FakeCanvas()
    lines.begin_frame(canvas)
    line = "  - place: iWm0"
    steps = [lines.x_of_column(line, column) for column in range(len(line) + 1)]
    assert steps == pytest.approx([0.6 * 13 * column for column in range(len(line) + 1)])


def test_digits_have_equal_width() -> None:
    for face in ("sans", "bold"):
        font = ttLib.TTFont(BytesIO(fonts.font_data(face)))
        widths = {font["hmtx"][font.getBestCmap()[ord(digit)]][0] for digit in "0123456789"}
        assert len(widths) == 1


def test_each_licence_is_shipped() -> None:
    files = {path.name for path in (Path(fonts.__file__).parent / "files").iterdir()}
    assert files >= {"Sans-OFL.txt", "Serif-OFL.txt", "Mono-OFL.txt", "Mincho-OFL.txt", "Seal-licence.txt"}


def test_seat_symbols_are_drawn_in_texts() -> None:
    assert len(set(SEAT_SYMBOLS)) == len(SEAT_POLYGONS) == 10
    assert [seat_polygon(sign) for sign in SEAT_SYMBOLS] == list(SEAT_POLYGONS)
    assert seat_polygon("A") is None
    assert seat_polygon("") is None
