"""Canvas that collects the shapes and text of a frame in one mesh and draws it in a few calls.

Later painting covers earlier painting. The mesh is split into several draw calls only where clipping or the picture
changes. Glyphs come from pyglet's fonts and share one texture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shibumi3d.assets import fonts
from shibumi3d.assets.fonts import typeset
from shibumi3d.scene import pen
from shibumi3d.scene.marbles.seat_symbols import seat_polygon
from shibumi3d.scene.pen import CAP_HEIGHT_EM, Colour
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX

from . import mesh
from .interface_layer import Box, InterfaceLayer, Span, overlap

if TYPE_CHECKING:
    from shibumi3d.scene.style import Style


def white_with_alpha(alpha: bytes) -> bytes:
    """Return white RGBA pixels whose alpha values are the bytes of ``alpha``."""
    wide = bytearray(b"\xff") * (4 * len(alpha))
    wide[3::4] = alpha
    return bytes(wide)


@cache
def with_fast_expansion(renderer_class: Any) -> Any:
    """Return a subclass of a pyglet glyph renderer that expands bitmaps without a slow loop.

    The loop runs over all bytes of a bitmap and takes half of the time that pyglet needs for a glyph. A renderer
    without this loop is returned unchanged.
    """
    if not hasattr(renderer_class, "_expand_to_rgba"):
        return renderer_class

    class Quick(renderer_class):  # type: ignore[misc]
        """Glyph renderer that expands single-channel bitmaps to BGRA pixels without a loop."""

        def _expand_to_rgba(self, data: Any, src_format: str, dst_format: str) -> Any:
            if (src_format, dst_format) == ("R", "BGRA"):
                return white_with_alpha(bytes(data))
            return super()._expand_to_rgba(data, src_format, dst_format)

    return Quick


SEAT_SIGN_RADIUS_EM = 0.36
"""Radius of a seat's symbol in text, in ems."""
MIN_FONT_SIZE_PX = 6
MIN_FIT_FONT_SIZE = 12
"""Minimum font size in :meth:`Canvas.text_fit`, in logical pixels."""
LINE_HEIGHT_FACTOR = 1.22
"""Line height in :meth:`Canvas.text_fit`, as a multiple of the font size."""

VERTEX_SHADER = """#version 330 core
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
uniform vec2 extent;
uniform vec2 shift;
out vec2 glyph;
out vec4 colour;
void main() {
    glyph = place.zw;
    colour = tint;
    vec2 at = (place.xy - shift) / extent;
    gl_Position = vec4(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
}
"""
FRAGMENT_SHADER = """#version 330 core
in vec2 glyph;
in vec4 colour;
uniform sampler2D atlas;
out vec4 result;
void main() {
    float ink = glyph.x < -0.5 ? 1.0 : texture(atlas, glyph).a;
    result = vec4(colour.rgb, colour.a * ink);
}
"""
# This is a separate program because software GL would otherwise sample the picture for every pixel of the page.
PICTURE_SHADER = """#version 330 core
in vec2 glyph;
in vec4 colour;
uniform sampler2D picture;
out vec4 result;
void main() {
    result = vec4(texture(picture, glyph).rgb, colour.a);
}
"""


CLIP_MARGIN_PX = 8192
"""Margin by which the initial clip extends beyond the frame on the right and at the bottom, in pixels.

It makes room for content that is scrolled out of view.
"""
_BREAKABLE_SPACES = re.compile(r"(?<!«)[^\S\xa0]+(?!»|%|[;:!?](?:\s|$))")
"""Spaces at which a line may break; no-break spaces (U+00A0) aren't among them.

French puts a space before some punctuation marks and inside guillemets, and several languages put one before a percent
sign; lines must not break at these spaces.
"""


def split_words(text: str) -> list[str]:
    """Split text at the spaces where a line may break.

    A punctuation mark or percent sign that is set off by a space stays with its word. For example, ``50 % oui`` and
    ``Oui : « non »`` have two words each.
    """
    return [word for word in _BREAKABLE_SPACES.split(text.strip()) if word]


class Picture:
    """Texture for an RGB image.

    The image has shape (height, width, 3); its first row is the top one. Requires a current GL context.
    """

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        from pyglet import gl

        self._gl = gl
        height, width, _ = pixels.shape
        self.aspect = width / height
        self.name = gl.GLuint()
        gl.glGenTextures(1, self.name)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.name)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        data = np.ascontiguousarray(pixels)
        pixel_format = (gl.GL_RGB, gl.GL_UNSIGNED_BYTE)
        gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGB8, width, height, 0, *pixel_format, data.ctypes.data)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 4)
        for setting, value in (
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR),
            (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
        ):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, setting, value)
        gl.glGenerateMipmap(gl.GL_TEXTURE_2D)
        gl.glBindTexture(gl.GL_TEXTURE_2D, 0)

    def release(self) -> None:
        """Free the texture."""
        self._gl.glDeleteTextures(1, self.name)


class Recording(NamedTuple):
    """Recording of painted content that can be replayed.

    Each item of ``clips`` and ``pictures`` starts with the index in ``vertices`` from which it applies. ``glyph_bin``
    is the texture bin that contains the glyphs.
    """

    vertices: NDArray[np.float32]
    clips: list[tuple[int, Rect]]
    pictures: list[tuple[int, Picture]]
    glyph_bin: object


class DrawList:
    """Vertices, clip changes and pictures painted so far in the current frame.

    Parts of the list can be recorded and replayed.
    """

    def __init__(self) -> None:
        self._vertex_chunks: list[NDArray[np.float32]] = []
        self._count = 0
        self._clips: list[tuple[int, Rect]] = []
        self._pictures: list[tuple[int, Picture]] = []
        """Index of each picture's first vertex, and the picture; each gets its own draw call."""
        self._glyph_bin: Any = None
        """pyglet texture bin that holds the glyphs."""

    def _append_vertices(self, vertices: NDArray[np.float32]) -> None:
        self._vertex_chunks.append(vertices)
        self._count += len(vertices)

    def record(self, paint: Callable[[], None]) -> Recording:
        """Call ``paint`` and return a recording of what it painted."""
        chunk_count, count, clips, pictures = (
            len(self._vertex_chunks),
            self._count,
            len(self._clips),
            len(self._pictures),
        )
        paint()
        corners = (
            np.concatenate(self._vertex_chunks[chunk_count:])
            if self._vertex_chunks[chunk_count:]
            else np.empty((0, 8), np.float32)
        )
        self._vertex_chunks[chunk_count:] = [corners]
        return Recording(
            corners,
            [(start - count, area) for start, area in self._clips[clips:]],
            [(start - count, picture) for start, picture in self._pictures[pictures:]],
            self._glyph_bin,
        )

    def replay(self, recording: Recording) -> bool:
        """Replay a recording; return whether that was possible.

        If the glyphs of the recording are no longer available, nothing is painted, and the result is False. The content
        must then be painted again.
        """
        if recording.glyph_bin is not self._glyph_bin:
            return False
        self._clips += [(start + self._count, area) for start, area in recording.clips]
        self._pictures += [(start + self._count, picture) for start, picture in recording.pictures]
        self._append_vertices(recording.vertices)
        return True


class Canvas(DrawList):
    """Painter for a pyglet window.

    Requires a current GL context, even for measuring text.
    """

    def __init__(self) -> None:
        from pyglet import font, gl
        from pyglet.font.base import GlyphTextureBin
        from pyglet.graphics.shader import Shader, ShaderProgram

        super().__init__()
        self._font, self._gl = font, gl
        fonts.register_fonts(font)
        self._make_glyph_bin: Any = GlyphTextureBin
        self._program, self._picture_program = (
            ShaderProgram(Shader(VERTEX_SHADER, "vertex"), Shader(text, "fragment"))
            for text in (FRAGMENT_SHADER, PICTURE_SHADER)
        )
        self._vao, self._vbo = gl.GLuint(), gl.GLuint()
        gl.glGenVertexArrays(1, self._vao)
        gl.glGenBuffers(1, self._vbo)
        gl.glBindVertexArray(self._vao)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vbo)
        for place, offset in ((0, 0), (1, 16)):
            gl.glEnableVertexAttribArray(place)
            gl.glVertexAttribPointer(place, 4, gl.GL_FLOAT, gl.GL_FALSE, 32, offset)
        gl.glBindVertexArray(0)
        self.layer = InterfaceLayer()
        self._glyph_scale = 0.0
        self._atlas: Any = None
        """Texture atlas of the glyphs, or None before its first use."""
        self.begin_frame(1, 1, 1.0)

    def begin_frame(self, width: int, height: int, scale: float, scroll: tuple[int, int] = (0, 0)) -> None:
        """Start a frame of ``width`` × ``height`` pixels.

        ``scale`` is the number of pixels per logical pixel. ``scroll`` gives the distances, in pixels, by which the
        content is scrolled to the left and upwards.
        """
        if scale != self._glyph_scale or (
            self._atlas is not None and self._glyph_bin.atlases != [self._atlas]
        ):
            self._reset_glyphs(scale)
        self._size, self._scroll = (width, height), scroll
        self.scale = scale
        self._vertex_chunks = []
        self._count = 0
        # Larger than the window, because recordings keep this clip and may be replayed after scrolling.
        self._clips = [(0, Rect(0, 0, (width + CLIP_MARGIN_PX) / scale, (height + CLIP_MARGIN_PX) / scale))]
        self._clip_stack = [self._clips[0][1]]
        self._pictures = []

    def read_pixels(self, area: Rect) -> NDArray[np.uint8]:
        """Return the visible pixels of ``area`` as an array of shape (height, width, 3), top row first."""
        from pyglet import gl

        left, top, wide, high = self._visible_pixels(area)
        pixels = np.empty((round(high), round(wide), 3), dtype=np.uint8)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        bottom = self._size[1] - round(top + high)
        read_area = round(left), bottom, round(wide), round(high)
        gl.glReadPixels(*read_area, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data)
        return pixels[::-1]

    # Shapes

    def rect(self, rect: Rect, colour: Colour, radius: float = 0) -> None:
        """Fill a rectangle whose corners are rounded by ``radius`` logical pixels.

        Its edges are snapped to whole device pixels.
        """
        x, y, w, h = self._snap(rect)
        if w <= 0 or h <= 0:
            return
        self._add_mesh(mesh.polygon(mesh.round_rect(w, h, radius * self.scale)), x, y, colour)

    def outline(self, rect: Rect, colour: Colour, radius: float = 0, width: float = 1) -> None:
        """Draw the outline of a rectangle; the line lies inside the rectangle.

        The line is ``width`` logical pixels thick, but at least one device pixel. Nothing is drawn if the rectangle is
        at most two device pixels wide or high.
        """
        x, y, w, h = self._snap(rect)
        if w <= 2 or h <= 2:
            return
        thick = max(1.0, float(round(width * self.scale)))
        self._add_mesh(mesh.outline(mesh.round_rect(w, h, radius * self.scale), thick), x, y, colour)

    def shadow(self, rect: Rect, colour: Colour, radius: float = 6, drop: float = 2, blur: float = 8) -> None:
        """Draw the shadow of ``rect``, offset downwards by ``drop`` logical pixels.

        It fades to nothing at a distance of ``blur`` logical pixels from the offset rectangle.
        """
        x, y, w, h = self._snap(rect.moved(0, drop))
        self._add_mesh(mesh.shadow(w, h, radius * self.scale, blur * self.scale), x, y, colour)

    def hairline(self, x: float, y: float, length: float, colour: Colour, vertical: bool = False) -> None:
        """Draw a hairline from (x, y) to the right, or downwards if ``vertical`` is set.

        It is one device pixel thick, or more at large scales.
        """
        thin = max(1, round(self.scale * 0.75)) / self.scale
        self.rect(Rect(x, y, thin, length) if vertical else Rect(x, y, length, thin), colour)

    def strokes(
        self, x: float, y: float, size: float, strokes: mesh.Strokes, grid_size: float, colour: Colour
    ) -> None:
        """Draw strokes with round ends.

        The points of ``strokes`` lie in a square that is ``grid_size`` units wide. The square is scaled to a width of
        ``size`` logical pixels and centred on (x, y). The strokes are 1.75 units wide, but at least one device pixel.
        """
        s = self.scale
        share = round(size * s / grid_size, 4)
        corner = size * s / 2
        self._add_mesh(mesh.strokes(strokes, share), round(x * s - corner), round(y * s - corner), colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a circle centred on (x, y)."""
        self._add_mesh(
            mesh.polygon(mesh.circle(round(radius * self.scale, 2))), x * self.scale, y * self.scale, colour
        )

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float = 1.5) -> None:
        """Draw the outline of a circle centred on (x, y); the line lies inside the circle."""
        band = mesh.outline(mesh.circle(round(radius * self.scale, 2)), max(1.0, width * self.scale))
        self._add_mesh(band, x * self.scale, y * self.scale, colour)

    def polygon(self, x: float, y: float, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Fill a polygon whose corners are given relative to (x, y), clockwise on the screen.

        Every part of it must be visible from the mean of its corners; see :func:`.mesh.polygon`.
        """
        s = self.scale
        shape = mesh.polygon(tuple((round(px * s, 2), round(py * s, 2)) for px, py in points))
        self._add_mesh(shape, x * s, y * s, colour)

    def area(self, line: Sequence[tuple[float, float]], base: float, colour: Colour) -> None:
        """Fill the area between ``line`` and the horizontal line y = ``base``.

        Its edges aren't anti-aliased, so that there is no seam between adjacent translucent areas.
        """
        s = self.scale
        corners = [
            corner
            for (x, y), (x2, y2) in pairwise(line)
            for corner in ((x, y), (x2, y2), (x, base), (x2, y2), (x2, base), (x, base))
        ]
        shape = np.array([(x * s, y * s, 1.0) for x, y in corners], dtype=np.float32)
        self._add_mesh(shape.reshape(-1, 3), 0.0, 0.0, colour)

    def path(self, points: Sequence[tuple[float, float]], colour: Colour, width: float) -> None:
        """Draw a line through ``points``, with round joins and ends."""
        s = self.scale
        for (x, y), (x2, y2) in pairwise(points):
            length = math.hypot(x2 - x, y2 - y)
            if length:
                across = (y - y2) / length * width / 2, (x2 - x) / length * width / 2
                corners = [
                    (-across[0], -across[1]),
                    (x2 - x - across[0], y2 - y - across[1]),
                    (x2 - x + across[0], y2 - y + across[1]),
                    (across[0], across[1]),
                ]
                self.polygon(x, y, corners, colour)
        for x, y in points:
            radius = round(width / 2 * s, 2)
            self._add_mesh(mesh.polygon(mesh.circle(radius)), x * s, y * s, colour)

    def picture(self, rect: Rect, picture: Picture, radius: float = 0, opacity: float = 1.0) -> None:
        """Draw a picture, cropped to fill ``rect``.

        The corners are rounded by ``radius`` logical pixels. ``opacity`` ranges from 0 to 1.
        """
        x, y, w, h = self._snap(rect)
        if w <= 0 or h <= 0:
            return
        shape = mesh.polygon(mesh.round_rect(w, h, radius * self.scale))
        wide, high = min(1.0, w / h / picture.aspect), min(1.0, picture.aspect * h / w)
        placed = np.empty((len(shape), 8), dtype=np.float32)
        placed[:, :2] = shape[:, :2] + (x, y)
        placed[:, 2] = 0.5 + (shape[:, 0] / w - 0.5) * wide
        placed[:, 3] = 0.5 + (shape[:, 1] / h - 0.5) * high
        placed[:, 4:7] = 1.0
        placed[:, 7] = shape[:, 2] * opacity
        self._clips.append((self._count, self._clip_stack[-1]))
        self._pictures.append((self._count, picture))
        self._append_vertices(placed)
        self._clips.append((self._count, self._clip_stack[-1]))

    # Text

    def text_width(self, text: str, face: str, size: float) -> float:
        """Return the width of a line of text in logical pixels."""
        # _px() is inlined, because no other method is called as often.
        px = max(MIN_FONT_SIZE_PX, round(size * self.scale))
        return float(self._shape_run(text, face, px)[1]) / self.scale

    def fit_font_size(self, text: str, face: str, sizes: Sequence[float], max_width: float) -> float:
        """Return the first of ``sizes`` at which a line of text is at most ``max_width`` wide, or else the last."""
        return next(
            (size for size in sizes[:-1] if self.text_width(text, face, size) <= max_width), sizes[-1]
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: Colour,
        face: str = "sans",
        size: float = 15,
        align: float = 0,
    ) -> float:
        """Draw one line of text with its baseline at ``y``, and return its width.

        The line starts at ``x`` if ``align`` is 0, is centred on ``x`` if ``align`` is 0.5, and ends at ``x`` if
        ``align`` is 1.
        """
        glyphs, wide = self._shape_run(text, face, self._px(size))
        s = self.scale
        if len(glyphs):
            left, base = round(x * s - wide * align), round(y * s)
            placed = np.empty((len(glyphs), 8), dtype=np.float32)
            placed[:, :4] = glyphs[:, :4]
            placed[:, 0] += left
            placed[:, 1] += base
            placed[:, 4:7] = colour[:3]
            placed[:, 7] = glyphs[:, 4] * colour[3]
            self._append_vertices(placed)
        return float(wide) / s

    def text_in(
        self, rect: Rect, text: str, colour: Colour, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Draw one line of text in ``rect``, vertically centred, and return its width.

        Text that doesn't fit is cut off with an ellipsis. ``align`` is 0 for the left edge of ``rect``, 0.5 for the
        middle and 1 for the right edge.
        """
        if not text:
            return 0.0
        text = self.truncate(text, face, size, rect.w)
        return self.text(
            rect.x + rect.w * align, rect.cy + size * CAP_HEIGHT_EM / 2, text, colour, face, size, align
        )

    def text_fit(
        self, rect: Rect, text: str, colour: Colour, face: str = "sans", size: float = 15, align: float = 0
    ) -> list[tuple[Rect, str, float]]:
        """Draw a text in ``rect``, shrinking or wrapping it if necessary.

        The text stays on one line if it fits at ``size`` or slightly smaller. Otherwise it is wrapped, and shrunk
        if it is then too tall or contains a word that is too wide. Text is cut off only if it doesn't fit even at the
        smallest size. Returns the rectangle, text and font size of each line.
        """
        text = text[
            : pen.max_visible_characters(rect.w)
            * (2 + int(rect.h / (MIN_FIT_FONT_SIZE * LINE_HEIGHT_FACTOR)))
        ]
        lines = [text]
        for pixel in (size, size - 1, size - 2):
            if self.text_width(text, face, pixel) <= rect.w:
                break
        else:
            pixel, lines = size, self.wrap(text, face, size, rect.w)
            # Measure only as much of a very long word as can fit.
            words = [word[: pen.max_visible_characters(rect.w)] for word in split_words(text)]
            words = [word for word in words if self.text_width(word, face, MIN_FIT_FONT_SIZE) <= rect.w]
            while pixel > MIN_FIT_FONT_SIZE and (
                (len(lines) > 1 and len(lines) * pixel * LINE_HEIGHT_FACTOR > rect.h)
                or any(self.text_width(word, face, pixel) > rect.w for word in words)
            ):
                pixel -= 1
                lines = self.wrap(text, face, pixel, rect.w)
        max_lines, high = max(1, int(rect.h / (pixel * LINE_HEIGHT_FACTOR))), pixel * LINE_HEIGHT_FACTOR
        if len(lines) > max_lines:
            lines = [*lines[: max_lines - 1], " ".join(lines[max_lines - 1 :])]
        top = rect.cy - high * len(lines) / 2
        written = [(Rect(rect.x, top + n * high, rect.w, high), line, pixel) for n, line in enumerate(lines)]
        for place, line, _ in written:
            self.text_in(place, line, colour, face, pixel, align)
        return written

    def truncate(self, text: str, face: str, size: float, width: float) -> str:
        """Return ``text``, cut off with an ellipsis if it is wider than ``width``."""
        return pen.ellipsize(self, text, face, size, width)

    def wrap(self, text: str, face: str, size: float, width: float) -> list[str]:
        """Return ``text`` as a list of lines, wrapped at ``width``."""
        return list(self._wrap_cached(text, face, size, width))

    def _split_long_word(self, word: str, face: str, size: float, width: float) -> list[str]:
        """Split a word into pieces at most ``width`` wide.

        A piece that consists of a single character may be wider.
        """
        pieces: list[str] = []
        # Measure only as much of a very long word as can fit.
        max_characters = pen.max_visible_characters(width)
        while len(word) > max_characters or (len(word) > 1 and self.text_width(word, face, size) > width):
            low, high = 1, min(len(word), max_characters)
            while low < high:
                middle = (low + high + 1) // 2
                if self.text_width(word[:middle], face, size) <= width:
                    low = middle
                else:
                    high = middle - 1
            pieces.append(word[:low])
            word = word[low:]
        return [*pieces, word]

    def _wrap(self, text: str, face: str, size: float, width: float) -> tuple[str, ...]:
        lines: list[str] = []
        px = self._px(size)
        gap = self._shape_run(" ", face, px)[1]
        for paragraph in text.split("\n"):
            line: list[str] = []
            line_width = 0
            for long_word in split_words(paragraph):
                for word in self._split_long_word(long_word, face, size, width):
                    wide = self._shape_run(word, face, px)[1]
                    longer = line_width + gap + wide if line else wide
                    if line and longer / self.scale > width:
                        lines.append(" ".join(line))
                        line, longer = [], wide
                    line.append(word)
                    line_width = longer
            lines.append(" ".join(line))
        return tuple(lines)

    # Clipping and drawing

    @contextmanager
    def clip(self, rect: Rect) -> Iterator[None]:
        """Restrict painting in the ``with`` block to ``rect``."""
        self._clip_stack.append(self._clip_stack[-1].intersection(rect))
        self._clips.append((self._count, self._clip_stack[-1]))
        yield
        self._clip_stack.pop()
        self._clips.append((self._count, self._clip_stack[-1]))

    def flush(self) -> None:
        """Draw everything painted since :meth:`begin_frame` into the bound framebuffer."""
        key = self._size, self._scroll, self._glyph_bin
        self.layer.show(self._make_spans(), key, self._size, self._scroll, self._draw_spans)

    def _make_spans(self) -> list[Span]:
        """Return the visible painted content as spans.

        The triangles of a span belong to one chunk, share one clip, and show at most one picture.
        """
        clip_starts = [start for start, _ in self._clips]
        pictures = dict(self._pictures)
        boxes_by_area: dict[Rect, Box] = {}
        for _, area in self._clips:
            if area not in boxes_by_area:
                x, y, w, h = self._visible_pixels(area)
                boxes_by_area[area] = int(x), int(y), int(x + w), int(y + h)
        boxes = [boxes_by_area[area] for _, area in self._clips]
        spans: list[Span] = []
        chunk_start = index = 0
        for vertices in self._vertex_chunks:
            start, chunk_end = chunk_start, chunk_start + len(vertices)
            while start < chunk_end:
                while index + 1 < len(clip_starts) and clip_starts[index + 1] <= start:
                    index += 1
                end = min(chunk_end, clip_starts[index + 1]) if index + 1 < len(clip_starts) else chunk_end
                box = boxes[index]
                if box[2] > box[0] and box[3] > box[1]:
                    span = Span()
                    span.vertices, span.clip, span.picture = vertices, box, pictures.get(clip_starts[index])
                    span.start, span.end = start - chunk_start, end - chunk_start
                    spans.append(span)
                start = end
            chunk_start = chunk_end
        return spans

    def _draw_spans(self, spans: Sequence[Span], areas: Sequence[Box]) -> None:
        """Draw the parts of ``spans`` that lie in ``areas`` into the bound framebuffer."""
        if not spans:
            return
        gl, (width, height) = self._gl, self._size
        data = np.ascontiguousarray(np.concatenate([span.vertices[span.start : span.end] for span in spans]))
        gl.glViewport(0, 0, width, height)
        for state in (gl.GL_DEPTH_TEST, gl.GL_CULL_FACE):
            gl.glDisable(state)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(
            gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA
        )
        for program in (self._picture_program, self._program):
            program.use()
            program["extent"], program["shift"] = (width, height), self._scroll
        gl.glActiveTexture(gl.GL_TEXTURE0)
        if self._atlas is None and self._glyph_bin.atlases:
            self._atlas = self._glyph_bin.atlases[0]
        if self._atlas is not None:
            gl.glBindTexture(gl.GL_TEXTURE_2D, self._atlas.texture.id)
        gl.glBindVertexArray(self._vao)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vbo)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, data.nbytes, data.ctypes.data, gl.GL_STREAM_DRAW)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        for area in areas:
            for (left, top, right, bottom), picture, start, end in _join_spans(spans, area):
                gl.glScissor(left, height - bottom, right - left, bottom - top)
                if picture is not None:
                    gl.glBindTexture(gl.GL_TEXTURE_2D, picture.name)
                    self._picture_program.use()
                gl.glDrawArrays(gl.GL_TRIANGLES, start, end - start)
                if picture is not None:
                    gl.glBindTexture(gl.GL_TEXTURE_2D, self._atlas.texture.id if self._atlas else 0)
                    self._program.use()
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_BLEND)
        gl.glBindVertexArray(0)
        self._program.stop()

    def release(self) -> None:
        """Free the GL buffers, the shader programs and the interface layer."""
        self._gl.glGetError()  # clear an earlier error, which would be attributed to the calls below
        self._gl.glDeleteBuffers(1, self._vbo)
        self._gl.glDeleteVertexArrays(1, self._vao)
        self._program.delete()
        self._picture_program.delete()
        self.layer.release()

    # Helpers

    def _reset_glyphs(self, scale: float) -> None:
        """Discard all glyphs because the scale has changed or the texture is full."""
        self._glyph_scale = scale
        self._glyph_bin = self._make_glyph_bin(2048, 2048)
        self._atlas = None
        self._faces: dict[tuple[str, int], Any] = {}
        self._shape_run = lru_cache(8192)(self._shape_run_uncached)
        self._wrap_cached = lru_cache(512)(self._wrap)

    def _px(self, size: float) -> int:
        return max(MIN_FONT_SIZE_PX, round(size * self.scale))

    def _snap(self, rect: Rect) -> tuple[float, float, float, float]:
        s = self.scale
        x, y = float(round(rect.x * s)), float(round(rect.y * s))
        w, h = round((rect.x + rect.w) * s) - x, round((rect.y + rect.h) * s) - y
        return x, y, max(w, 1.0) if rect.w > 0 else 0.0, max(h, 1.0) if rect.h > 0 else 0.0

    def _visible_pixels(self, rect: Rect) -> tuple[float, float, float, float]:
        """Return the part of ``rect`` that lies inside the frame, as x, y, width and height in device pixels.

        ``rect`` is in logical pixels, relative to the unscrolled content. The result is relative to the frame's top
        left corner.
        """
        x, y, w, h = self._snap(rect)
        visible = Rect(x - self._scroll[0], y - self._scroll[1], w, h).intersection(Rect(0, 0, *self._size))
        return visible.x, visible.y, visible.w, visible.h

    def _add_mesh(self, shape: mesh.Mesh, x: float, y: float, colour: Colour) -> None:
        placed = np.empty((len(shape), 8), dtype=np.float32)
        placed[:, 0] = shape[:, 0] + x
        placed[:, 1] = shape[:, 1] + y
        placed[:, 2:4] = -1
        placed[:, 4:7] = colour[:3]
        placed[:, 7] = shape[:, 2] * colour[3]
        self._append_vertices(placed)

    def _load_face(self, face: str, px: int) -> Any:
        result: Any = self._faces.get((face, px))
        if result is None:
            result = self._font.load(fonts.FACES[face][0] if face in fonts.FACES else face, px, dpi=72)
            # All faces share one texture; a cached font object may still refer to an earlier one.
            result.texture_bin = self._glyph_bin
            result.glyphs = {}
            result._glyph_renderer = None
            result.glyph_renderer_class = with_fast_expansion(type(result).glyph_renderer_class)
            self._faces[face, px] = result
        return result

    def _shape_run_uncached(self, text: str, face: str, px: int) -> tuple[NDArray[np.float32], int]:
        """Return the triangles for a line of text that starts at (0, 0), and its width in pixels.

        Each vertex is (x, y, u, v, coverage). For the symbols of seats, which are drawn as shapes, u and v are -1.
        """
        quads: list[list[float]] = []
        x, base = 0, (0, 0, 0)
        for run, run_face in _split_by_font(text, face):
            shape = seat_polygon(run)
            if shape is not None:
                radius, middle = px * SEAT_SIGN_RADIUS_EM, -px * CAP_HEIGHT_EM / 2
                wide = math.ceil(px * SEAT_SIGN_RADIUS_EM * 2.5)
                polygon = tuple((round(cx * radius, 2), round(cy * radius, 2)) for cx, cy in shape)
                for sx, sy, ink in mesh.polygon(polygon):
                    quads.append([sx + x + wide / 2, sy + middle, -1.0, -1.0, ink])
                x += wide
                continue
            glyphs, _ = self._load_face(run_face, px).get_glyphs(run)
            for character, glyph in zip(run, glyphs, strict=True):
                left, low, right, high = glyph.vertices
                dx, dy = x, 0
                if typeset.is_combining_mark(character) and quads:
                    dx, dy = round((base[0] + base[1] - left - right) / 2), 0
                    if typeset.is_mark_above(character):
                        dy = max(0, round(base[2] + px * typeset.MARK_GAP_EM - low))
                else:
                    base = x + left, x + right, high
                    x += glyph.advance
                t = glyph.tex_coords
                corners = (
                    (left, low, t[0], t[1]),
                    (right, low, t[3], t[4]),
                    (right, high, t[6], t[7]),
                    (left, high, t[9], t[10]),
                )
                for index in (0, 1, 2, 0, 2, 3):
                    cx, cy, u, v = corners[index]
                    quads.append([cx + dx, -cy - dy, u, v, 1.0])
        return np.array(quads, dtype=np.float32).reshape(-1, 5), x


def _join_spans(spans: Sequence[Span], area: Box) -> Iterator[tuple[Box, Picture | None, int, int]]:
    """Yield the draw calls for the spans that are visible in ``area``.

    A call consists of the clip, the picture, the first vertex and the vertex after the last. The vertices of all spans
    are numbered consecutively.
    """
    call: tuple[Box, Picture | None, int, int] | None = None
    start = 0
    for span in spans:
        end = start + span.end - span.start
        assert span.box is not None
        if overlap(span.box, area) is not None:
            clip = overlap(span.clip, area)
            assert clip is not None
            if call is not None and call[:2] == (clip, None) and span.picture is None and call[3] == start:
                call = clip, None, call[2], end
            else:
                if call is not None:
                    yield call
                call = clip, span.picture, start, end
        start = end
    if call is not None:
        yield call


def _split_by_font(text: str, face: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text with their fonts, from left to right.

    Each seat symbol is a separate piece.
    """
    part = ""
    for character in text:
        if seat_polygon(character) is None:
            part += character
            continue
        yield from ((piece, run_face) for run_face, piece in typeset.split_into_runs(part, face))
        yield character, face
        part = ""
    yield from ((piece, run_face) for run_face, piece in typeset.split_into_runs(part, face))


def paint_card_background(canvas: Canvas, style: Style, rect: Rect, radius: float = CORNER_RADIUS_PX) -> None:
    """Paint a card with a shadow and a border; ``radius`` is in logical pixels."""
    canvas.shadow(rect, style.shadow)
    canvas.rect(rect, style.card, radius)
    canvas.outline(rect, style.hairline, radius)
