"""Encoding films: clear errors, whatever ffmpeg reports and however it ends, and GIFs without ffmpeg."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from shibumi3d.export import encoder
from shibumi3d.export.encoder import NoEncoderError, encode_film
from shibumi3d.i18n import FileError
from shibumi3d.render.png import RgbImage

FRAME = np.zeros((8, 8, 3), np.uint8)


@pytest.mark.skipif(sys.platform == "win32", reason="the encoder is a script")
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo '[mp4 @ 0x55d] av_write(): No space left on device' >&2; exit 228", "the disk is full"),
        ("echo '[libx264 @ 0x55d] broken' >&2; exit 1", "the video encoder failed: it ended unexpectedly"),
        ("exit 1", "the video encoder failed: it ended unexpectedly"),
        (
            "kill -9 $$",
            "the video encoder failed: the system stopped it, perhaps because memory ran out",
        ),
        ("kill -11 $$", "the video encoder failed: it crashed"),
    ],
)
def test_encoder_failure_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, words: str
) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))
    with pytest.raises(FileError) as caught:
        encode_film(tmp_path / "film.mp4", "mp4", [(FRAME, 1)], 25, [FRAME])
    assert str(caught.value) == words
    assert not (tmp_path / "film.mp4").exists()


def moving_square(count: int, height: int, width: int) -> Iterator[tuple[RgbImage, int]]:
    """Yield images of a square that moves over noise, each with the number of film frames that show it.

    The square moves with every third image. Each image is shown for one frame, except the fifth, which is shown for
    two.
    """
    noise = np.random.default_rng(1).integers(0, 200, (height, width, 3), np.uint8)
    for number in range(count):
        image = noise.copy()
        left = number // 3 * 3 % (width - 9)
        image[4:9, left : left + 5] = 250, 40, 90
        yield image, 2 if number == 4 else 1


def test_gif_without_ffmpeg_shows_all_images_as_long_as_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_no_encoder() -> str:
        raise NoEncoderError("none")

    monkeypatch.setattr(encoder, "_find_encoder", find_no_encoder)
    given = list(moving_square(12, 31, 45))
    encode_film(tmp_path / "film.gif", "gif", iter(given), 20, [given[0][0]])
    with Image.open(tmp_path / "film.gif") as film:
        assert film.size == (45, 31)
        assert film.info["loop"] == 0
        assert (film.n_frames, film.info["duration"]) == (4, 150)
        milliseconds = []
        for number in range(film.n_frames):
            film.seek(number)
            milliseconds.append(film.info["duration"])
            shown = np.asarray(film.convert("RGB"), np.int16)
            assert np.abs(shown - given[3 * number][0]).mean() < 30
            if number:
                # The square has moved on without leaving a trace.
                assert (np.abs(shown[4:9, 3 * number : 3 * number + 5] - (250, 40, 90)) < 30).all()
                assert (np.abs(shown[4:9, : 3 * number] - (250, 40, 90)).max(axis=2) > 30).all()
    assert milliseconds == [150, 200, 150, 150]


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured otherwise there")
def test_long_gif_without_ffmpeg_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    script = """
import resource, sys
from pathlib import Path
from shibumi3d.export.encoder import _write_gif
from tests.render.test_film_encoding import moving_square
images = moving_square(int(sys.argv[1]), 360, 640)
_write_gif(Path(sys.argv[2]), images, 20, [next(images)[0]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    short, long = (
        int(subprocess.check_output([sys.executable, "-c", script, count, str(tmp_path / "film.gif")]))
        for count in ("10", "200")
    )
    # Keeping the 190 further images, of 230 kB each, would take 43,700 kB.
    assert long - short < 15_000
