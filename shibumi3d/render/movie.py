"""Writes moving pictures, as MP4 or as animated GIF, by the ffmpeg that comes with imageio-ffmpeg."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shibumi3d import files
from shibumi3d.i18n import LocalizedError, Message, NoFile, describe_exit, reason
from shibumi3d.render.png import png

Pixels: TypeAlias = NDArray[np.uint8]
"""A picture as (height, width, 3), rows from the top."""

EXTRA = "shibumi3d[film]"
"""What is to be installed for films."""


class NoEncoder(LocalizedError, RuntimeError):
    """Films can't be written here. The message is one plain sentence."""


def write(
    path: Path,
    kind: str,
    pictures: Iterable[tuple[Pixels, int]],
    rate: int,
    samples: Sequence[Pixels],
    reads: Iterable[Path] = (),
) -> None:
    """Write the film of ``pictures``, each shown so many times in turn, ``rate`` a second, to ``path`` in one step.

    ``kind`` is "mp4" or "gif". A GIF has 256 colours, chosen by those of ``samples``, and runs round. Widths and
    heights are even. What ``pictures`` raises passes through, and the file is as it was. ``reads`` are files of which
    it may be none. Raises NoEncoder, and OSError.
    """
    encoder = _encoder()
    # What comes with a film lies where there is room for what passes; the film itself beside its place.
    with files.replacing(path, reads=reads, streams=True) as part, tempfile.TemporaryDirectory() as folder:
        if kind == "gif":
            how = _gif(encoder, Path(folder), samples)
        else:
            # Colours are told as they are meant on screens; the head of the file comes first, for players on the way.
            how = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709"]
            how += ["-color_primaries", "bt709", "-color_trc", "iec61966-2-1"]
            how += ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        height, width, _ = samples[0].shape
        _run(encoder, _raw(width, height, rate), [*how, "-f", kind, str(part)], pictures)


def available() -> bool:
    """Return whether films can be written here."""
    try:
        _encoder()
    except NoEncoder:
        return False
    return True


def _encoder() -> str:
    """The path of ffmpeg."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise NoEncoder(
            "films need the package imageio-ffmpeg: pip install '{package}'", package=EXTRA
        ) from None


def _raw(width: int, height: int, rate: int) -> list[str]:
    """How ffmpeg is told of pixels that come in by a pipe."""
    return ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]


def _gif(encoder: str, folder: Path, samples: Sequence[Pixels]) -> list[str]:
    """How a GIF is made, with a palette of the colours of ``samples``."""
    seen, palette = folder / "seen.png", folder / "palette.png"
    files.write(seen, png(np.vstack(samples)))
    # Marbles and signs are small, and their colours matter as much as those of the table.
    _run(encoder, ["-i", str(seen)], ["-vf", "palettegen=stats_mode=full", str(palette)], ())
    return ["-i", str(palette), "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"]


def _run(encoder: str, source: list[str], how: list[str], pictures: Iterable[tuple[Pixels, int]]) -> None:
    """Let ffmpeg make a file of ``pictures``. Raises OSError with its reason when it can't."""
    with tempfile.TemporaryFile() as told:
        command = [encoder, "-y", "-loglevel", "error", *source, *how]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=told, stderr=told) as process:
            assert process.stdin is not None
            try:
                for pixels, times in pictures:
                    data = pixels.tobytes()
                    for _ in range(times):
                        process.stdin.write(data)
                process.stdin.close()
            except BrokenPipeError:
                pass  # it has ended, and says why
            except BaseException:
                process.kill()
                with suppress(OSError):
                    process.stdin.close()
                raise
        if process.returncode:
            told.seek(0)
            raise NoFile(_reason(process.returncode, told.read()))


def _reason(status: int, said: bytes) -> Message:
    """Why ffmpeg failed, in plain words: what the system told it, or how it ended."""
    if status > 0:
        for number in errno.errorcode:
            if os.strerror(number).encode() in said:
                return reason(OSError(number, os.strerror(number)))
    return Message("the video encoder failed: {how}", how=describe_exit(status))
