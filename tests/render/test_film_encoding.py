"""If a film can't be encoded, the error is clear, whatever ffmpeg reports and however it ends."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.export.encoder import encode_film
from shibumi3d.i18n import FileError

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
    encoder = tmp_path / "ffmpeg"
    encoder.write_text(f"#!/bin/sh\n{script}\n")
    encoder.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(encoder))
    with pytest.raises(FileError) as caught:
        encode_film(tmp_path / "film.mp4", "mp4", [(FRAME, 1)], 25, [FRAME])
    assert str(caught.value) == words
    assert not (tmp_path / "film.mp4").exists()
