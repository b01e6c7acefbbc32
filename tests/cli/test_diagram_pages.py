"""SVG and PDF diagram pages are read back and contain what they should show."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from shibumi3d.assets.fonts import typeset
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.scene.style import make_style
from tests.app.test_contrast import hexed

if TYPE_CHECKING:
    from .conftest import Run

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]
SVG = "{http://www.w3.org/2000/svg}"


def save_match(folder: Path, game: str, moves: list[str], names: list[str]) -> Path:
    match = Match(load_catalogue().get(game).game(), names, 7)
    for move in moves:
        match.play(move)
    file = folder / f"{game}.yaml"
    match.record().save(file)
    return file


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return save_match(tmp_path, "spline", LINE, ["Ann", "Ben & Zoë"])


def texts_and_fills(file: Path) -> tuple[list[str], list[str]]:
    root = ElementTree.fromstring(file.read_bytes())
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    return texts, [path.get("fill", "") for path in root.iter(f"{SVG}path")]


def test_match_page_shows_turns_and_marbles(run: Run, record: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.svg"
    assert run("export", record, "--svg", out) == (0, "", "")
    texts, fills = texts_and_fills(out)
    assert {
        "Spline",
        "Ann – Ben & Zoë",
        "6  after turn 7: white on Ad1",
        "1  white on Aa1",
        "7  white on Ad1",
    } <= set(texts)
    assert "The diagrams show 6 of 7 turns." in texts
    assert [text[:2] for text in texts if "after turn" in text] == ["1 ", "2 ", "3 ", "4 ", "5 ", "6 "]
    look = make_style("day")
    # Six diagrams, after turns 1, 2, 4, 5, 6 and 7 of seven, with 1 + 1 + 2 + 3 + 3 + 4 white marbles and
    # 0 + 1 + 2 + 2 + 3 + 3 black ones.
    stones = [
        path.get("fill")
        for path in ElementTree.fromstring(out.read_bytes()).iter(f"{SVG}path")
        if path.get("fill-opacity") is None
    ]
    assert stones.count(hexed(look.marbles[0])) == 14
    assert stones.count(hexed(look.marbles[1])) == 11
    # Four levels in each of six diagrams.
    assert fills.count(hexed(look.diagram_ground)) == 24


def test_pdf_has_valid_offsets_and_extractable_text(run: Run, record: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.pdf"
    assert run("--lang", "fr", "export", record, "--pdf", out) == (0, "", "")
    data = out.read_bytes()
    begins = int(re.findall(rb"startxref\n(\d+)\n", data)[0])
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", data[begins:])]
    assert all(data[place:].startswith(b"%d 0 obj" % number) for number, place in enumerate(places, 1))
    streams = [zlib.decompress(part) for part in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)]
    shown = {
        "".join(_letters(part))
        for part in re.findall(r"/F1 \S+ Tf \S+ \S+ Td <([0-9A-F]+)>", streams[0].decode())
    }
    assert {"Ann – Ben & Zoë", "1  blanche en Aa1", "niv. A"} <= shown
    assert any(face == stream for face in (typeset.load_face("sans").data,) for stream in streams)


def _letters(text: str) -> list[str]:
    """Decode glyph numbers of the sans face into characters.

    ``text`` contains four hexadecimal digits for each glyph.
    """
    letters = {glyph: character for character, glyph in typeset.load_face("sans").glyph_by_character.items()}
    return [letters[int(text[i : i + 4], 16)] for i in range(0, len(text), 4)]


def test_puzzles_and_several_records_share_a_page(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "ten.svg"
    assert run("export", "spoff", "--svg", out) == (0, "", "")
    texts, _ = texts_and_fills(out)
    assert [text for text in texts if "Spoff" in text] == [
        f"{number}  Spoff {number}" for number in range(1, 11)
    ]
    # This puzzle has no random deal, so there is only one start.
    assert run("export", "spalone", "--svg", out) == (0, "", "")
    assert texts_and_fills(out)[0].count("level A") == 1
    first, second = (
        save_match(tmp_path, "spline", LINE[:2], ["a", "b"]),
        save_match(tmp_path, "spargo", [], ["a", "b"]),
    )
    assert run("export", first, second, "--svg", out) == (0, "", "")
    assert "white on Aa1 · black on Aa2" in texts_and_fills(out)[0]


def test_secret_choice_is_not_drawn(run: Run, tmp_path: Path) -> None:
    match = Match(load_catalogue().get("spagyric").game(), ["a", "b"], 7)
    match.play(match.legal_moves()[-1])
    file = tmp_path / "secret.yaml"
    match.record().save(file)
    out = tmp_path / "secret.svg"
    assert run("export", file, "--svg", out) == (0, "", "")
    assert match.plies[0].move not in " ".join(texts_and_fills(out)[0])


def test_impossible_diagram_page_is_explained(run: Run, record: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.pdf"
    for given, message in (
        (["spline"], "Spline is not a solo"),
        ([record] * 11, "a page has room for 10 diagrams, not for 11"),
        (["hyena-spiral"], "is not a solo game: give a"),
    ):
        status, _, wrong = run("export", *given, "--pdf", out)
        assert status
        assert message in wrong
    assert run("export", record, record, "--png", out)[0]
    assert not out.exists()


@pytest.mark.parametrize("name", ["sans", "bold", "title", "italic"])
def test_text_widths_match_the_fonts(name: str) -> None:
    from io import BytesIO

    from fontTools.ttLib import TTFont

    face = typeset.load_face(name)
    font = TTFont(BytesIO(face.data))
    names, widths = font.getBestCmap(), font["hmtx"]
    for character in "AWil1@ –éœ½":
        wide = widths[names[ord(character)]][0] / font["head"].unitsPerEm
        assert typeset.text_width(character, name, 1.0) == pytest.approx(wide)
