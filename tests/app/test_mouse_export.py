"""A film made with a real pointer, and a plan made with keys alone, of a match that is shown again."""

from __future__ import annotations

from pathlib import Path

import imageio_ffmpeg
import pytest

from tests.app.test_mouse import Desk, cache, desk, display

pytestmark = pytest.mark.display
__all__ = ["cache", "desk", "display"]
RECORD = "shibumi3d: 1\ngame: spline\nsize: 4\nseats: [Ann, Ben]\nseed: 1\nmoves:\n  - W@Aa1\n  - B@Ab1\n"


@pytest.fixture
def pictures(desk: Desk, tmp_path: Path) -> Path:
    """The folder of a person's pictures, and a replay that is open."""
    desk.environment["XDG_PICTURES_DIR"] = str(tmp_path / "pictures")
    file = tmp_path / "match.shibumi3d.yaml"
    file.write_text(RECORD, encoding="utf-8")
    desk.open(str(file))
    desk.until(lambda seen: seen["screen"] == "replay" and not seen["running"])
    return tmp_path / "pictures" / "Shibumi 3D"


def made(desk: Desk, pictures: Path, ending: str) -> Path:
    """The file that is there when all is done."""
    desk.until(lambda seen: [file for file in pictures.glob(f"*{ending}") if file.stat().st_size])
    (file,) = pictures.iterdir()
    return file


def test_a_film_with_the_mouse(desk: Desk, pictures: Path) -> None:
    desk.click("export")
    desk.until(lambda seen: "make" in seen["widgets"])
    desk.click("make")
    film = made(desk, pictures, ".mp4")
    shown = imageio_ffmpeg.read_frames(str(film))
    assert next(shown)["size"] == (1280, 720)
    # At 30 a second: rests of 0.7 s before, between and after two moves are 63 pictures, and a move lasts some more.
    assert 63 < sum(1 for _ in shown) < 63 + 2 * 30
    desk.key("Escape")
    assert desk.close() == 0
    assert desk.errors.read_text() == ""


def test_a_plan_with_keys_alone(desk: Desk, pictures: Path) -> None:
    """From the button that stands ready, Tab goes round to the first row; the fifth kind of those offered is SVG."""
    desk.key("ctrl+e")
    desk.until(lambda seen: {"make", "range"} <= set(seen["widgets"]))
    desk.key("Tab", "Right", "Right", "Right", "Right")
    desk.until(lambda seen: "range" not in seen["widgets"])
    desk.key("shift+Tab", "Return")
    plan = made(desk, pictures, ".svg").read_text(encoding="utf-8")
    assert plan.startswith("<")
    assert "Ann" in plan
    desk.key("Escape")
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
