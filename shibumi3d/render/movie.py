"""Export of films as MP4 or animated GIF, with the ffmpeg that imageio-ffmpeg provides."""

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
"""An image of shape (height, width, 3), with rows from the top."""

EXTRA = "shibumi3d[film]"
"""Package that has to be installed for film export."""


class NoEncoder(LocalizedError, RuntimeError):
    """Raised when films can't be exported on this machine. The message is a single plain sentence."""


def write(
    path: Path,
    kind: str,
    pictures: Iterable[tuple[Pixels, int]],
    rate: int,
    samples: Sequence[Pixels],
    reads: Iterable[Path] = (),
) -> None:
    """Write a film to ``path`` atomically.

    ``pictures`` yields images, each with the number of frames for which it is shown; ``rate`` is in frames per second.
    Widths and heights must be even. ``kind`` is ``"mp4"`` or ``"gif"``. A GIF loops, and has a palette of 256 colours
    chosen from ``samples``.

    ``path`` must not be one of the files in ``reads``. Raises NoEncoder and OSError. Exceptions raised by ``pictures``
    propagate. If an exception is raised, an existing file is left unchanged.
    """
    encoder = _encoder()
    # Helper files go to the temporary folder; the film itself is written next to its destination.
    with files.replacing(path, reads=reads, streams=True) as part, tempfile.TemporaryDirectory() as folder:
        if kind == "gif":
            how = _gif(encoder, Path(folder), samples)
        else:
            # Tag the colours as BT.709/sRGB, and put the index first so that players can stream the file.
            how = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709"]
            how += ["-color_primaries", "bt709", "-color_trc", "iec61966-2-1"]
            how += ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        height, width, _ = samples[0].shape
        _run(encoder, _raw(width, height, rate), [*how, "-f", kind, str(part)], pictures)


def available() -> bool:
    """Return whether films can be exported on this machine."""
    try:
        _encoder()
    except NoEncoder:
        return False
    return True


def _encoder() -> str:
    """Return the path of ffmpeg. Raises NoEncoder."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise NoEncoder(
            "videos need the imageio-ffmpeg package: pip install '{package}'", package=EXTRA
        ) from None


def _raw(width: int, height: int, rate: int) -> list[str]:
    """Return the ffmpeg arguments for reading raw pixels from a pipe."""
    return ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]


def _gif(encoder: str, folder: Path, samples: Sequence[Pixels]) -> list[str]:
    """Return the ffmpeg arguments for a GIF with a palette made from ``samples``."""
    seen, palette = folder / "seen.png", folder / "palette.png"
    files.write(seen, png(np.vstack(samples)))
    # Marbles and signs are small, but their colours matter as much as the table's.
    _run(encoder, ["-i", str(seen)], ["-vf", "palettegen=stats_mode=full", str(palette)], ())
    return ["-i", str(palette), "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"]


def _run(encoder: str, source: list[str], how: list[str], pictures: Iterable[tuple[Pixels, int]]) -> None:
    """Run ffmpeg and pipe ``pictures`` to it. Raises OSError with the reason if it fails."""
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
                pass  # ffmpeg has exited; its output says why
            except BaseException:
                process.kill()
                with suppress(OSError):
                    process.stdin.close()
                raise
        if process.returncode:
            told.seek(0)
            raise NoFile(_reason(process.returncode, told.read()))


def _reason(status: int, said: bytes) -> Message:
    """Return why ffmpeg failed: the system error it reported, or its exit status."""
    if status > 0:
        for number in errno.errorcode:
            if os.strerror(number).encode() in said:
                return reason(OSError(number, os.strerror(number)))
    return Message("the video encoder failed: {how}", how=describe_exit(status))
