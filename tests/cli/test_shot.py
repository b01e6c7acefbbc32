"""Pictures made by ``shot``: they need no display and show the right position."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageChops

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.export.drawing import make_drawing
from shibumi3d.match.match import Match
from shibumi3d.scene.frame import MarkKind
from shibumi3d.scene.marbles.layout import DISH_MARBLE_Z

if TYPE_CHECKING:
    from .conftest import Run

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 7)
    for move in LINE:
        match.play(move)
    match.record().save(tmp_path / "m.yaml")
    return tmp_path / "m.yaml"


@pytest.mark.usefixtures("needs_gl")
class TestPictures:
    @pytest.fixture(autouse=True)
    def _no_display(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("DISPLAY", raising=False)

    def draw(self, run: Run, tmp_path: Path, *arguments: object) -> Image.Image:
        out = tmp_path / "picture.png"
        assert run("shot", *arguments, "--size", "160x90", "--out", out) == (0, "", "")
        image = Image.open(BytesIO(out.read_bytes()))
        assert (image.format, image.size) == ("PNG", (160, 90))
        return image.convert("RGB")

    def test_game_picture_depends_on_turn_and_seed(self, run: Run, tmp_path: Path) -> None:
        later = self.draw(run, tmp_path, "spline", "--at", 12, "--seed", 5)
        assert self.draw(run, tmp_path, "spline", "--at", 12, "--seed", 5) == later
        assert self.draw(run, tmp_path, "spline", "--at", 12, "--seed", 6) != later

    def test_record_picture_shows_the_chosen_turn(self, run: Run, tmp_path: Path, file: Path) -> None:
        end = self.draw(run, tmp_path, file)
        assert self.draw(run, tmp_path, file, "--at", -1) == self.draw(run, tmp_path, file, "--at", 6) != end

    def test_view_options_change_the_picture(self, run: Run, tmp_path: Path) -> None:
        looks = [["--night", "--board", 3], ["--above"], ["--above", "--choices"]]
        pictures = [self.draw(run, tmp_path, "spline", *look).tobytes() for look in looks]
        assert len(set(pictures)) == len(looks)

    def test_style_options_change_the_picture(self, run: Run, tmp_path: Path) -> None:
        looks = [
            [],
            ["--clear"],
            ["--material", "tatami"],
            ["--material", "kuro", "--night"],
            ["--tier", "low"],
        ]
        pictures = [self.draw(run, tmp_path, "spline", "--above", *look) for look in looks]
        assert len({picture.tobytes() for picture in pictures}) == len(looks)
        # The middle of the board is wood by default, and slate with --clear.
        red, _, blue = pictures[0].getpixel((80, 45))
        assert red > 1.3 * blue
        red, _, blue = pictures[1].getpixel((80, 45))
        assert blue > red

    def test_colour_vision_is_simulated(self, run: Run, tmp_path: Path) -> None:
        grey = self.draw(run, tmp_path, "spline", "--at", 6, "--eyes", "grey")
        assert all(red == green == blue for _, (red, green, blue) in grey.getcolors(160 * 90))
        out = tmp_path / "several.png"
        kinds = ["grey", "protan", "deutan"]
        assert run("shot", "spline", "--at", 6, "--size", "160x90", "--out", out, "--eyes", *kinds).code == 0
        several = Image.open(out).convert("RGB")
        assert several.size == (320, 180)
        assert several.crop((0, 0, 160, 90)).tobytes() == grey.tobytes()
        assert several.getpixel((300, 170)) == (255, 255, 255)

    def test_small_option_reduces_the_file_but_not_the_quality(self, run: Run, tmp_path: Path) -> None:
        plain = self.draw(run, tmp_path, "spline")
        size = (tmp_path / "picture.png").stat().st_size
        small = self.draw(run, tmp_path, "spline", "--small")
        assert (tmp_path / "picture.png").stat().st_size < 0.75 * size
        assert max(high for _, high in ImageChops.difference(plain, small).getextrema()) <= 3

    def test_open_and_export_options_draw_a_record(self, run: Run, tmp_path: Path, file: Path) -> None:
        out = tmp_path / "x.png"
        assert run("--open", file, "--export", out).code == 0
        assert Image.open(out).size == (1280, 720)

    def test_unwritable_path_is_reported(self, run: Run, tmp_path: Path) -> None:
        out = tmp_path / "no" / "x.png"
        assert run("shot", "spline", "--size", "16x9", "--out", out).err == (
            f"shibumi3d: {out}: no such file or folder\n"
        )


def test_entry_directions_are_marked_as_choices() -> None:
    match = Match(load_catalogue().get("splush").game(), ["Ann", "Ben"], 1)
    frame = make_drawing(match, 16 / 9, show_choices=True).draw_still()
    kinds = Counter(mark.kind for mark in frame.marks)
    # Marbles may enter at every end of a row of level B, and eight white marbles may be taken.
    assert kinds[MarkKind.CHEVRON] == 8
    assert kinds[MarkKind.TICK_UP] == 8


def test_table_option_draws_the_table_contents() -> None:
    match = Match(load_catalogue().get("spalone").game(), ["Ann"], 1)
    plain = make_drawing(match, 16 / 9).draw_still()
    assert not plain.pieces
    assert not plain.balls
    drawing = make_drawing(match, 16 / 9, table=True)
    frame = drawing.draw_still()
    assert {piece.model for piece in frame.pieces} == {"bag", "dish"}
    # The marble drawn last lies in the dish, entirely within the picture.
    (ball,) = frame.balls
    assert ball.z == pytest.approx(DISH_MARBLE_Z)
    (x, y), *_ = drawing.camera.project(np.array([ball.position]), 160, 90)[0]
    assert 5 < x < 155
    assert 5 < y < 85


@pytest.mark.parametrize("size", ["0x5", "5", "axb", "100000x5", "9000x9000", "-4x4"])
def test_invalid_sizes_are_refused(run: Run, tmp_path: Path, size: str) -> None:
    code, _, err = run("shot", "spline", f"--size={size}", "--out", tmp_path / "x.png")
    assert code == 2
    assert "expected a width and height such as 1280x720," in err


def test_unknown_turn_is_refused(run: Run, tmp_path: Path, file: Path) -> None:
    for turn in (8, -8):
        assert run("shot", file, "--at", turn, "--out", tmp_path / "x.png").err == (
            f"shibumi3d: there is no turn {turn}: the saved game ends after turn 7\n"
        )


def test_invalid_record_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("shibumi3d: 1\ngame: [\n")
    code, _, err = run("shot", tmp_path / "m.yaml", "--out", tmp_path / "x.png")
    assert code == 1
    assert "has an error on line 3" in err


@pytest.mark.parametrize("number", ["0", "257", "many"])
def test_invalid_sample_counts_are_refused(run: Run, tmp_path: Path, number: str) -> None:
    assert run("shot", "spline", "--samples", number, "--out", tmp_path / "x.png").code == 2


def test_more_samples_smooth_the_picture(run: Run, tmp_path: Path, needs_gl: None) -> None:
    pictures = []
    for number in (1, 4):
        out = tmp_path / f"{number}.png"
        assert (
            run("shot", "spline", "--samples", number, "--size", "96x54", "--tier", "low", "--out", out).code
            == 0
        )
        pictures.append(np.asarray(Image.open(out).convert("L"), dtype=float))
    one, four = (np.abs(np.diff(picture, axis=1)).max() for picture in pictures)
    assert four < one
