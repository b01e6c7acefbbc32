"""Encoding of films as MP4 or animated GIF.

Films are encoded by ffmpeg, either the one that imageio-ffmpeg provides or the system's. Without either, Pillow writes
GIFs.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from shibumi3d import files
from shibumi3d.i18n import FileError, LocalizedError, Message, describe_error, describe_exit
from shibumi3d.render.png import RgbImage, encode_png

FILM_PACKAGE = "shibumi3d[film]"
"""What to install with ``pip`` to get a copy of ffmpeg."""


class NoEncoderError(LocalizedError, RuntimeError):
    """Raised when there is no video encoder on this machine.

    The message is a single sentence for users.
    """


def encode_film(
    path: Path,
    file_format: str,
    images: Iterable[tuple[RgbImage, int]],
    frames_per_second: int,
    palette_samples: Sequence[RgbImage],
    protected_paths: Iterable[Path] = (),
) -> None:
    """Write a film to ``path`` atomically.

    ``images`` yields images, each with the number of frames for which it is shown; ``frames_per_second`` is the frame
    rate. ``file_format`` is ``"mp4"`` or ``"gif"``. An MP4 has an even width and height: if necessary, a row or column
    is cut off. A GIF loops, and has a palette of 256 colours chosen from ``palette_samples``. The samples must have the
    same size as the images; at least one is needed, even for an MP4.

    Raises NoEncoderError if an MP4 can't be encoded on this machine, and OSError if encoding or writing fails or if
    ``path`` is one of the ``protected_paths``. Exceptions raised by ``images`` propagate. If an exception is raised, an
    existing file is left unchanged.
    """
    try:
        encoder = _find_encoder()
    except NoEncoderError:
        if file_format != "gif":
            raise
        with files.atomic_replace(path, sources=protected_paths, allow_streams=True) as part:
            _write_gif(part, images, frames_per_second, palette_samples)
        return
    # Helper files go to the temporary folder; the film itself is written next to its destination.
    with (
        files.atomic_replace(path, sources=protected_paths, allow_streams=True) as part,
        tempfile.TemporaryDirectory() as folder,
    ):
        if file_format == "gif":
            how = _gif_arguments(encoder, Path(folder), palette_samples)
        else:
            # Tag the colours as BT.709/sRGB, and put the index first so that players can stream the file.
            how = ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv"]
            how += ["-colorspace", "bt709"]
            how += ["-color_primaries", "bt709", "-color_trc", "iec61966-2-1"]
            how += ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        height, width, _ = palette_samples[0].shape
        _run_ffmpeg(
            encoder,
            _raw_input_arguments(width, height, frames_per_second),
            [*how, "-f", file_format, str(part)],
            images,
        )


def can_encode(file_format: str) -> bool:
    """Return whether this machine can encode films as ``file_format``.

    ``file_format`` is ``"mp4"`` or ``"gif"``.
    """
    if file_format == "gif":
        return True
    try:
        _find_encoder()
    except NoEncoderError:
        return False
    return True


def _find_encoder() -> str:
    """Return the path of ffmpeg, or raise NoEncoderError if there is none."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        pass
    if (system := shutil.which("ffmpeg")) is not None:
        return system
    raise NoEncoderError(
        "videos need ffmpeg; install it, or run: pip install '{package}'",
        package=FILM_PACKAGE,
    )


def _write_gif(
    path: Path,
    images: Iterable[tuple[RgbImage, int]],
    frames_per_second: int,
    samples: Sequence[RgbImage],
) -> None:
    """Write an animated GIF frame by frame.

    ``images`` yields images, each with the number of frames for which it is shown. All images use one palette, which is
    computed from ``samples``. Pillow's own animation writer isn't used, because it keeps all frames in memory.
    """
    from PIL import GifImagePlugin, Image, ImageChops

    palette = Image.fromarray(np.vstack(samples)).quantize(256)
    shown: Image.Image | None = None
    waiting: Image.Image | None = None
    offset, milliseconds = (0, 0), 0
    with open(path, "wb") as stream:
        for pixels, times in images:
            frame = Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
            if shown is None:
                stream.writelines(GifImagePlugin.getheader(frame, info={"loop": 0})[0])
                changed: tuple[int, int, int, int] | None = (0, 0, *frame.size)
            else:
                changed = ImageChops.subtract_modulo(frame, shown).getbbox()
            if changed is not None:
                if waiting is not None:
                    stream.writelines(GifImagePlugin.getdata(waiting, offset, duration=milliseconds))
                shown, waiting = frame, frame.crop(changed)
                offset, milliseconds = changed[:2], 0
            milliseconds += round(1000 / frames_per_second) * times
        if waiting is not None:
            stream.writelines(GifImagePlugin.getdata(waiting, offset, duration=milliseconds))
        stream.write(b";")


def _raw_input_arguments(width: int, height: int, rate: int) -> list[str]:
    """Return the ffmpeg arguments for reading raw RGB images from standard input at ``rate`` images per second."""
    return ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]


def _gif_arguments(encoder: str, folder: Path, samples: Sequence[RgbImage]) -> list[str]:
    """Save a palette of ``samples`` in ``folder``; return the ffmpeg arguments for a GIF with this palette."""
    seen, palette = folder / "seen.png", folder / "palette.png"
    files.write(seen, encode_png(np.vstack(samples)))
    # Marbles and signs are small, but their colours matter as much as the table's.
    _run_ffmpeg(encoder, ["-i", str(seen)], ["-vf", "palettegen=stats_mode=full", str(palette)], ())
    return ["-i", str(palette), "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"]


def _run_ffmpeg(
    encoder: str,
    input_arguments: list[str],
    output_arguments: list[str],
    images: Iterable[tuple[RgbImage, int]],
) -> None:
    """Run ffmpeg and pipe ``images`` to it.

    Each image comes with the number of times to write it. Raises OSError with the reason if ffmpeg fails.
    """
    with tempfile.TemporaryFile() as output:
        command = [encoder, "-y", "-loglevel", "error", *input_arguments, *output_arguments]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output) as process:
            assert process.stdin is not None
            try:
                for pixels, times in images:
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
            output.seek(0)
            raise FileError(_failure_reason(process.returncode, output.read()))


def _failure_reason(status: int, output: bytes) -> Message:
    """Return why ffmpeg failed: the system error it reported, or its exit status."""
    if status > 0:
        for number in errno.errorcode:
            if os.strerror(number).encode() in output:
                return describe_error(OSError(number, os.strerror(number)))
    return Message("the video encoder failed: {how}", how=describe_exit(status))
