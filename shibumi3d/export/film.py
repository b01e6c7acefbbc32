"""Films of matches: frames are rendered, labelled with names, moves and marble counts, and encoded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from shibumi3d.export.drawing import Drawing, FilmFrame, TrayCount
from shibumi3d.export.encoder import encode_film
from shibumi3d.export.lettering import draw_caption, draw_names, draw_tray_counts
from shibumi3d.render.png import RgbImage
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.scene.style import make_style

FRAME_RATES = {"gif": 20, "mp4": 30}
"""Frames per second by file format. The delays in a GIF are whole hundredths of a second."""


def write_film(
    path: Path,
    file_format: str,
    drawing: Drawing,
    renderer: OffscreenRenderer,
    size: tuple[int, int],
    plies: tuple[int, int],
    speed: float = 1.0,
    *,
    track: Callable[[Iterator[FilmFrame], int], Iterator[FilmFrame]] | None = None,
    protected_paths: Iterable[Path] = (),
) -> None:
    """Write a film of the moves ``plies[0]`` to ``plies[1] - 1``, counted from 0.

    ``file_format`` is one of :data:`.FILM_FORMATS`, ``size`` is in pixels, and ``speed`` is relative to the normal
    speed in the window. Names, moves and marble counts are added if the drawing leaves room for them. The cursor of the
    match is moved.

    ``track`` is called with the frames and with their total number, including repeats; it must yield them unchanged.
    ``path`` must not be one of the ``protected_paths``. Raises the same errors as :func:`.encode_film`.
    """
    first, last = plies
    rate = FRAME_RATES[file_format]
    captions = _CaptionPainter(drawing, size)
    # A first pass counts the frames without rendering them.
    total = sum(frame.repeats for frame in drawing.draw_film(first, last, rate, speed))
    samples = []
    for ply in sorted({first, (first + last) // 2, last}):
        drawing.match.go_to(ply)
        samples.append(captions.paint(renderer.render(drawing.draw_still(), drawing.camera, *size), -1, ""))
    frames = drawing.draw_film(first, last, rate, speed)
    images = (
        (
            captions.paint(
                renderer.render(frame.frame, drawing.camera, *size),
                frame.seat,
                frame.caption,
                frame.tray_counts,
            ),
            frame.repeats,
        )
        for frame in (track(frames, total) if track else frames)
    )
    encode_film(path, file_format, images, rate, samples, protected_paths)


class _CaptionPainter:
    """Painter that draws names, captions and marble counts on the images of a film."""

    def __init__(self, drawing: Drawing, size: tuple[int, int]) -> None:
        self._drawing, self._size = drawing, size
        self._names_by_seat: dict[int, RgbImage] = {}
        self._caption: str | None = None
        self._caption_line: RgbImage

    def paint(
        self, image: RgbImage, seat: int, caption: str, tray_counts: Sequence[TrayCount] = ()
    ) -> RgbImage:
        """Return a copy of an image with the names, the caption and the marble counts added.

        The names are at the top, with that of the acting player highlighted; ``seat`` is this player's seat, or -1 if
        nobody is acting. The caption is at the bottom. ``tray_counts`` contains the marble counts and their positions.
        If the drawing has no top margin, return the image itself.
        """
        if not self._drawing.top_margin:
            return image
        style = make_style(self._drawing.theme.tone)
        if seat not in self._names_by_seat:
            self._names_by_seat[seat] = draw_names(self._drawing.match.names, *self._size, style, seat)
        if caption != self._caption:
            self._caption, self._caption_line = caption, draw_caption(caption, *self._size, style)
        head, foot = self._names_by_seat[seat], self._caption_line
        if tray_counts:
            image = draw_tray_counts(image, tray_counts, self._drawing.theme)
        return np.concatenate([head, image[len(head) : len(image) - len(foot)], foot])
