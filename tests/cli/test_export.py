"""Films and pictures of saved games, made without a display: decoded and compared with single pictures."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.export import encoder
from shibumi3d.match.match import Match

if TYPE_CHECKING:
    from .conftest import Run

pytestmark = pytest.mark.usefixtures("needs_gl")

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]
SIZE = (160, 90)
REST = {"gif": 14, "mp4": 21}
"""Number of frames in a pause of 0.7 s, by format: a GIF has 20 frames a second, an MP4 film has 30."""


@pytest.fixture(autouse=True)
def _no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 7)
    for move in LINE:
        match.play(move)
    folder = tmp_path / "films"
    folder.mkdir()
    match.record().save(folder / "m.yaml")
    return folder / "m.yaml"


def export_frames(run: Run, file: Path, out: Path, *more: object) -> list[np.ndarray[Any, Any]]:
    kind = out.suffix[1:]
    assert run("export", file, f"--{kind}", out, "--size", "160x90", *more) == (0, "", "")
    if kind == "gif":
        image = Image.open(BytesIO(out.read_bytes()))
        found = []
        for number in range(image.n_frames):
            image.seek(number)
            # A GIF stores equal frames once, with a longer duration.
            shown = round(image.info["duration"] * 20 / 1000)
            found += [np.asarray(image.convert("RGB")).astype(int)] * shown
        return found
    film = imageio_ffmpeg.read_frames(str(out))
    about = next(film)
    assert (about["size"], about["fps"]) == (SIZE, 30)
    return [np.frombuffer(data, np.uint8).reshape(90, 160, 3).astype(int) for data in film]


def take_shot(run: Run, file: Path, turn: int, out: Path, *more: object) -> np.ndarray[Any, Any]:
    assert run("shot", file, "--at", turn, "--size", "160x90", "--out", out, *more) == (0, "", "")
    return np.asarray(Image.open(out).convert("RGB")).astype(int)


def matching_picture(picture: np.ndarray[Any, Any], others: list[np.ndarray[Any, Any]]) -> int:
    """Return the index of the image in ``others`` that is most like ``picture``, or -1 if no match is clear.

    Small differences are allowed, since films are compressed.
    """
    off = [float(np.abs(picture - other).mean()) for other in others]
    # A marble covers a fiftieth of the picture; its shadow covers more.
    return off.index(min(off)) if min(off) < 2.5 and min(off) < 0.8 * sorted(off)[1] else -1


@pytest.mark.parametrize("kind", ["gif", "mp4"])
def test_film_frames_at_rest_match_single_shots(run: Run, tmp_path: Path, file: Path, kind: str) -> None:
    film = export_frames(run, file, tmp_path / f"f.{kind}", "--to", 2, "--bare")
    turns = [take_shot(run, file, turn, tmp_path / "s.png", "--table") for turn in range(3)]
    rest = REST[kind]
    assert all(matching_picture(film[n], turns) == 0 for n in range(rest))
    assert all(matching_picture(picture, turns) == 2 for picture in film[-2 * rest :])
    # In between, each of two marbles takes 260 to 420 ms from its tray, 160 ms to be set down and 60 ms to rebound,
    # with a pause between the two.
    rate = {"gif": 20, "mp4": 30}[kind]
    assert 2 * (0.48 * rate - 1) <= len(film) - 4 * rest <= 2 * 0.64 * rate
    between = [matching_picture(picture, turns) for picture in film[rest : -2 * rest]]
    assert rest <= between.count(1) <= rest + 0.64 * rate


def test_film_of_no_moves_shows_before_and_after(run: Run, tmp_path: Path, file: Path) -> None:
    """The film consists of two pauses of 0.7 s: 21 frames each, at 30 frames a second.

    At double speed, a pause would take 10.5 frames, which is rounded to 10.
    """
    assert len(export_frames(run, file, tmp_path / "f.mp4", "--from", 3, "--to", 3)) == 2 * 21
    assert len(export_frames(run, file, tmp_path / "f.mp4", "--from", 3, "--to", 3, "--speed", 2)) == 2 * 10


def test_exported_picture_equals_a_shot_byte_for_byte(run: Run, tmp_path: Path, file: Path) -> None:
    for more, turn in (((), 7), (("--to", 4), 4), (("--from", 2), 2)):
        out, single = tmp_path / "p.png", tmp_path / "s.png"
        assert run("export", file, "--png", out, "--size", "160x90", "--night", *more).code == 0
        take_shot(run, file, turn, single, "--night")
        assert out.read_bytes() == single.read_bytes()


def test_progress_output_counts_the_frames(run: Run, tmp_path: Path, file: Path) -> None:
    code, out, _ = run(
        "export", file, "--mp4", tmp_path / "f.mp4", "--size", "160x90", "--to", 1, "--progress"
    )
    made_, total = zip(*[map(int, line.split()[0].split("/")) for line in out.splitlines()], strict=True)
    assert code == 0
    assert list(made_) == sorted(set(made_))
    assert made_[-1] == total[0] == len(list(imageio_ffmpeg.read_frames(str(tmp_path / "f.mp4")))) - 1


def test_names_and_captions_are_drawn_unless_bare(run: Run, tmp_path: Path, file: Path) -> None:
    paper = np.array([251, 248, 241])
    for more, lettered in (((), True), (("--bare",), False)):
        picture = export_frames(run, file, tmp_path / "f.gif", "--from", 3, "--to", 3, *more)[0]
        for line in (picture[1], picture[-2]):
            assert (float(np.abs(line - paper).mean()) < 12) == lettered


def test_interrupted_export_leaves_the_previous_file(file: Path) -> None:
    out = file.parent / "f.mp4"
    out.write_text("what was there before")
    command = [sys.executable, "-m", "shibumi3d", "export", file, "--mp4", out, "--progress"]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # wait until it has begun
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)  # an impatient user interrupts twice
        process.stdout.read()
    assert process.returncode == 130
    assert out.read_text() == "what was there before"
    assert sorted(os.listdir(file.parent)) == ["f.mp4", "m.yaml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mp4", "no/such/f.mp4", "--size", "160x90"], "no such file or folder"),
        (
            ["--gif", "f.gif", "--from", "5", "--to", "2"],
            "the start (after turn 5) is later than the end (after turn 2)",
        ),
        (["--gif", "f.gif", "--to", "8"], "there is no turn 8: the saved game ends after turn 7"),
        (["--gif", "f.gif", "--speed", "9"], "expected a number from 0.25 to 4, not '9'"),
        (["--gif", "f.gif", "--mp4", "f.mp4"], "not allowed with argument"),
        ([], "one of the arguments --gif --mp4 --html --png --postcard --svg --pdf is required"),
    ],
)
def test_invalid_export_is_refused_without_output(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(file.parent)
    code, _, err = run("export", file, *arguments)
    assert code
    assert message in err
    assert os.listdir(file.parent) == ["m.yaml"]


def test_missing_ffmpeg_is_reported(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(encoder.shutil, "which", lambda name: None)
    code, _, err = run("export", file, "--mp4", file.parent / "f.mp4", "--size", "160x90")
    assert (code, err) == (
        1,
        f"shibumi3d: videos need ffmpeg; install it, or run: pip install '{encoder.FILM_PACKAGE}'\n",
    )
    assert os.listdir(file.parent) == ["m.yaml"]


def test_system_ffmpeg_is_used_without_the_film_package(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(encoder.shutil, "which", lambda name: ffmpeg if name == "ffmpeg" else None)
    assert run("export", file, "--mp4", file.parent / "f.mp4", "--size", "161x91", "--to", "1").code == 0
    size = next(imageio_ffmpeg.read_frames(str(file.parent / "f.mp4")))["size"]
    assert size == (160, 90), "an odd row and column are cut off"


def test_gif_needs_no_ffmpeg(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The GIF has 20 frames a second, and consecutive equal frames are stored as one.

    All durations are therefore multiples of 50 ms.
    """
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(encoder.shutil, "which", lambda name: None)
    out = file.parent / "f.gif"
    assert run("export", file, "--gif", out, "--size", "161x91", "--to", "1") == (0, "", "")
    with Image.open(out) as film:
        assert (film.format, film.size, film.info["loop"]) == ("GIF", (161, 91), 0)
        durations = []
        for number in range(film.n_frames):
            film.seek(number)
            durations.append(film.info["duration"])
    assert len(durations) > 3
    assert all(duration % 50 == 0 for duration in durations)
