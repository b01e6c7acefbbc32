"""Texture that keeps the interface from frame to frame, so that only what has changed is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle, in pixels from the top left corner of the frame."""

TILE_PX = 32
"""Side length, in pixels, of the square tiles, each of which is redrawn or kept as a whole."""
MAX_REDRAWN_FRACTION = 0.5
"""Fraction of changed tiles above which a frame is drawn directly, without updating the texture.

The texture is updated once a frame differs less from the one before it.
"""

VERTEX_SHADER = """#version 330 core
layout(location = 0) in vec2 corner;
uniform vec2 extent;
out vec2 place;
void main() {
    place = vec2(corner.x, extent.y - corner.y) / extent;
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}
"""
FRAGMENT_SHADER = """#version 330 core
in vec2 place;
uniform sampler2D layer;
out vec4 result;
void main() {
    result = texture(layer, place);
}
"""


def overlap(one: Box, other: Box) -> Box | None:
    """Return the intersection of two rectangles, or None if they don't overlap."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


class Span:
    """Triangles of a painted chunk that share a clip and a picture.

    There is no constructor, since a frame has hundreds of spans and calls take time: the code that creates a span sets
    its attributes.
    """

    vertices: NDArray[np.float32]
    """Vertices of the chunk; rows ``start`` to ``end`` - 1 belong to the span."""
    start: int
    end: int
    clip: Box
    picture: Any
    """Picture that fills the triangles, or None. It is only compared by its identity here."""
    box: Box | None = None
    """Rectangle that the triangles may cover, within the clip; None before :func:`measure`."""


def _count_equal(before: Iterable[Span], after: Iterable[Span]) -> int:
    """Return how many spans at the start of both lists look the same, and copy the boxes of these spans to ``after``.

    This is called in every frame, so it compares most chunks by identity only.
    """
    count = 0
    for old, new in zip(before, after, strict=False):
        start, end, chunk, old_chunk = new.start, new.end, new.vertices, old.vertices
        if new.clip != old.clip or new.picture is not old.picture or end - start != old.end - old.start:
            break
        if (chunk is not old_chunk or start != old.start) and chunk[start:end].tobytes() != old_chunk[
            old.start : old.end
        ].tobytes():
            break
        new.box = old.box
        count += 1
    return count


def find_changed_spans(before: Sequence[Span], after: Sequence[Span]) -> list[Span]:
    """Return the spans that have been added, removed or moved between ``before`` and ``after``.

    Painting either list gives the same result outside the area of these spans. Each unchanged span in ``after`` gets
    the box of its counterpart in ``before``.
    """
    head = _count_equal(before, after)
    before, after = before[head:], after[head:]
    tail = _count_equal(reversed(before), reversed(after))
    before, after = before[: len(before) - tail], after[: len(after) - tail]
    indices: dict[object, list[int]] = {}
    for index, old in enumerate(before):
        indices.setdefault(_span_key(old), []).append(index)
    changed, matched, least = list[Span](), set[int](), 0
    for new in after:
        for index in indices.get(_span_key(new), ()):
            if index >= least and _count_equal((before[index],), (new,)):
                matched.add(index)
                least = index + 1
                break
        else:
            changed.append(new)
    return changed + [old for index, old in enumerate(before) if index not in matched]


def _span_key(span: Span) -> object:
    """Return a key that is equal for equal spans, and usually differs for different ones."""
    return span.end - span.start, span.clip, span.vertices[span.start, :2].tobytes()


def measure(spans: Sequence[Span], scroll: tuple[int, int]) -> None:
    """Set the boxes of the spans that have none yet.

    ``scroll`` is the scroll position of the frame in pixels.
    """
    spans = [span for span in spans if span.box is None]
    if not spans:
        return
    places = np.concatenate([span.vertices[span.start : span.end, :2] for span in spans])
    starts = np.cumsum([0, *(span.end - span.start for span in spans[:-1])])
    low = np.floor(np.minimum.reduceat(places, starts)).astype(int) - scroll
    high = np.ceil(np.maximum.reduceat(places, starts)).astype(int) - scroll
    clips = np.array([span.clip for span in spans])
    low, high = np.maximum(low, clips[:, :2]), np.minimum(high, clips[:, 2:])
    for span, (left, top), (right, bottom) in zip(spans, low.tolist(), high.tolist(), strict=True):
        span.box = left, top, max(left, right), max(top, bottom)


class InterfaceLayer:
    """Transparent texture that holds the painted interface, so that unchanged parts aren't drawn again.

    :meth:`show` lays it over each frame, unless large parts of the interface keep changing: then it draws the spans
    directly. The content of the texture is reused only while the ``key`` passed to :meth:`show` stays the same. The key
    represents the size of the frame, the scroll position and the glyph texture. Requires a current GL context.
    """

    def __init__(self) -> None:
        from pyglet import gl
        from pyglet.graphics.shader import Shader, ShaderProgram

        self._gl = gl
        self._program = ShaderProgram(Shader(VERTEX_SHADER, "vertex"), Shader(FRAGMENT_SHADER, "fragment"))
        self._vao, self._vbo, self._texture, self._framebuffer = (
            gl.GLuint(),
            gl.GLuint(),
            gl.GLuint(),
            gl.GLuint(),
        )
        gl.glGenVertexArrays(1, self._vao)
        gl.glGenBuffers(1, self._vbo)
        gl.glGenTextures(1, self._texture)
        gl.glGenFramebuffers(1, self._framebuffer)
        gl.glBindVertexArray(self._vao)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vbo)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, gl.GL_FALSE, 8, 0)
        gl.glBindVertexArray(0)
        self._size = (0, 0)
        self._covered_tiles = _tiles((), self._size)
        """Tiles that spans may cover; all others are fully transparent."""
        self._corner_count = 0
        """Number of vertices of the triangles that cover :attr:`_covered_tiles`."""
        self._content: tuple[object, Sequence[Span]] = None, ()
        """Key and spans of what the texture shows."""
        self._last: tuple[object, Sequence[Span]] = None, ()
        """Key and spans of the last frame."""
        self.redrawn_areas: Sequence[Box] = ()
        """Areas of the texture that were redrawn for the last frame."""

    def show(
        self,
        spans: Sequence[Span],
        key: object,
        size: tuple[int, int],
        scroll: tuple[int, int],
        draw: Callable[[Sequence[Span], Sequence[Box]], None],
    ) -> None:
        """Draw the spans, from back to front, over the content of the bound framebuffer.

        ``draw(spans, areas)`` draws spans into the bound framebuffer, clipped to each of the areas. ``size`` is the
        width and height of the framebuffer. The frame is scrolled by ``scroll`` pixels. If ``key`` has changed, nothing
        drawn earlier is reused.
        """
        changed = self._changed_tiles(self._content, spans, key, size, scroll)
        last, self._last = self._last, (key, spans)
        self.redrawn_areas = ()
        if changed is not None:
            if _is_large(changed) and _is_large(self._changed_tiles(last, spans, key, size, scroll)):
                draw(spans, [(0, 0, *size)])
                return
            self._redraw(spans, changed, size, draw)
        self._content = key, spans
        self._lay_over(size)

    def _changed_tiles(
        self,
        before: tuple[object, Sequence[Span]],
        spans: Sequence[Span],
        key: object,
        size: tuple[int, int],
        scroll: tuple[int, int],
    ) -> NDArray[np.bool_] | None:
        """Return the tiles that may have changed since ``before``, or None if there are none."""
        if before[0] != key:
            measure(spans, scroll)
            return np.ones_like(_tiles((), size))
        changed = find_changed_spans(before[1], spans)
        measure(changed, scroll)
        return _tiles(changed, size) if changed else None

    def _redraw(
        self,
        spans: Sequence[Span],
        tiles: NDArray[np.bool_],
        size: tuple[int, int],
        draw: Callable[[Sequence[Span], Sequence[Box]], None],
    ) -> None:
        gl, bound = self._gl, self._gl.GLint()
        gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, bound)
        if size != self._size:
            self._resize(size)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        self.redrawn_areas = areas = _join_tiles(tiles, size)
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        for left, top, right, bottom in areas:
            gl.glScissor(left, size[1] - bottom, right - left, bottom - top)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        draw([span for span in spans if _tiles_of(span, tiles).any()], areas)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, bound.value)
        covered = _tiles(spans, size)
        if np.array_equal(covered, self._covered_tiles):
            return
        self._covered_tiles = covered
        corners = np.array(
            [
                corner
                for left, top, right, bottom in _join_tiles(covered, size)
                for corner in (left, top, right, top, right, bottom, left, top, right, bottom, left, bottom)
            ],
            dtype=np.float32,
        )
        self._corner_count = len(corners) // 2
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vbo)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, corners.nbytes, corners.ctypes.data, gl.GL_DYNAMIC_DRAW)

    def _resize(self, size: tuple[int, int]) -> None:
        gl, self._size = self._gl, size
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture)
        gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, *size, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, None)
        for setting in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, setting, gl.GL_NEAREST)
        for setting in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, setting, gl.GL_CLAMP_TO_EDGE)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        gl.glFramebufferTexture2D(
            gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, self._texture, 0
        )

    def _lay_over(self, size: tuple[int, int]) -> None:
        if not self._corner_count:
            return
        gl = self._gl
        gl.glViewport(0, 0, *size)
        for state in (gl.GL_DEPTH_TEST, gl.GL_CULL_FACE, gl.GL_SCISSOR_TEST):
            gl.glDisable(state)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        self._program.use()
        self._program["extent"] = size
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture)
        gl.glBindVertexArray(self._vao)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, self._corner_count)
        gl.glBindVertexArray(0)
        gl.glDisable(gl.GL_BLEND)
        self._program.stop()

    def release(self) -> None:
        """Free all GPU resources."""
        gl = self._gl
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteTextures(1, self._texture)
        gl.glDeleteBuffers(1, self._vbo)
        gl.glDeleteVertexArrays(1, self._vao)
        self._program.delete()


def _is_large(tiles: NDArray[np.bool_] | None) -> bool:
    """Return whether so many tiles have changed that it is quicker to draw everything.

    ``tiles`` is true for the tiles that have changed, or None if there are none.
    """
    return tiles is not None and bool(np.count_nonzero(tiles) > MAX_REDRAWN_FRACTION * tiles.size)


def _tiles(spans: Sequence[Span], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which tiles the boxes of the spans overlap, as a Boolean array of shape (rows, columns)."""
    tiles = np.zeros((-(-size[1] // TILE_PX), -(-size[0] // TILE_PX)), dtype=bool)
    for span in spans:
        _tiles_of(span, tiles)[...] = True
    return tiles


def _tiles_of(span: Span, tiles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a view of the part of ``tiles`` that the box of a span overlaps."""
    assert span.box is not None
    left, top, right, bottom = span.box
    if left == right or top == bottom:
        return tiles[:0]
    return tiles[top // TILE_PX : -(-bottom // TILE_PX), left // TILE_PX : -(-right // TILE_PX)]


def _join_tiles(tiles: NDArray[np.bool_], size: tuple[int, int]) -> list[Box]:
    """Return non-overlapping rectangles, in pixels, that together cover the tiles that are set.

    ``size`` is the size of the whole area in pixels. No rectangle extends beyond it.
    """
    rows, columns = (indices.tolist() for indices in np.nonzero(np.diff(tiles, prepend=False, append=False)))
    runs = list(zip(rows[::2], columns[::2], columns[1::2], strict=True))
    open_boxes: dict[tuple[int, int], tuple[int, int]] = {}
    """Top and bottom of the latest rectangle for each pair of left and right sides, all counted in tiles."""
    boxes = list[tuple[int, int, int, int]]()
    for row, left, right in runs:
        top, bottom = open_boxes.get((left, right), (row, row))
        if bottom != row:
            boxes.append((left, top, right, bottom))
            top = row
        open_boxes[left, right] = top, row + 1
    boxes += [(left, top, right, bottom) for (left, right), (top, bottom) in open_boxes.items()]
    return [
        (left * TILE_PX, top * TILE_PX, min(right * TILE_PX, size[0]), min(bottom * TILE_PX, size[1]))
        for left, top, right, bottom in boxes
    ]
