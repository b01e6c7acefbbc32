"""Render pass for marks."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.digits import digits
from shibumi3d.render.arrays.marbles import Balls
from shibumi3d.render.arrays.marks import FAMILIES, MARK, marks
from shibumi3d.render.kit import Kit, fill
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.palette import MARKS, rgb

_RING_SIDES = 24  # same as SIDES in mark.glsl
_BOW_STEPS = 24
_ROW = (
    "4f 3f 3f 4f 4f 4f/i",
    *("in_at", "in_across", "in_upward", "in_extent", "in_colour", "in_range"),
)


class MarkPass:
    """Render pass for the marks of a frame, drawn one family after another."""

    def __init__(self, kit: Kit) -> None:
        strips = {
            "RINGS": kit.buffer(_ring(_RING_SIDES)),
            "RIMS": kit.buffer(_ring(4, math.pi / 4)),
            "BOWS": kit.buffer(_ribbon(_BOW_STEPS)),
        }
        strokes = digits()
        self._digits = kit.keep(kit.ctx.texture(strokes.shape[::-1], 1, strokes.tobytes(), dtype="f4"))
        self._digits.filter = moderngl.LINEAR, moderngl.LINEAR
        self._cover = kit.lookup(64)
        self._families = {}
        for family in FAMILIES:
            made, rows = kit.program("mark", family), kit.rows(MARK, 64)
            strip = strips.get(family, kit.square)
            array = kit.array(made, [(strip, "2f", "in_corner"), (rows, *_ROW)])
            self._families[family] = made, rows, array

    def draw(self, view: View, found: Balls, width: int, height: int, scale: float) -> None:
        """Draw the marks over an image of ``width`` x ``height`` pixels.

        ``scale`` is the number of pixels per logical pixel.
        """
        if not view.frame.marks:
            return
        families = [[m for m in view.frame.marks if m.kind in kinds] for kinds in FAMILIES.values()]
        ordered = [mark for family in families for mark in family]
        rows, cover = marks(ordered, found, view.camera, width, height, scale)
        self._cover.write(cover)
        self._cover.use(0)
        self._digits.use(1)
        first = 0
        for (made, buffer, array), family in zip(self._families.values(), families, strict=True):
            if family:
                fill(buffer, rows[first : first + len(family)])
                put(
                    made,
                    u_view=view.uniforms["u_view"],
                    u_eye=view.uniforms["u_eye"],
                    u_cover=0,
                    u_digits=1,
                    u_scale=scale,
                    u_edge=rgb(MARKS["edge"]),
                )
                array.render(moderngl.TRIANGLE_STRIP, instances=len(family))
            first += len(family)


def _ring(sides: int, first: float = 0.0) -> Floats:
    """Return a triangle strip of directions around a ring; see mark.glsl.

    The outer vertices form a polygon that contains the unit circle; the inner ones have length 1/2.
    """
    around = first + np.linspace(0.0, math.tau, sides + 1)
    way = np.column_stack([np.sin(around), np.cos(around)])
    strip = np.empty((2 * len(way), 2), dtype=np.float32)
    strip[0::2], strip[1::2] = way / math.cos(math.pi / sides), way * 0.5
    return strip


def _ribbon(steps: int) -> Floats:
    """Return a triangle strip along a curve, with a curve parameter and a side (1 or -1) per vertex.

    The parameter runs from 0 to 1. The values -1 and 2 are for the caps of the strip, which extend beyond the curve.
    """
    along = np.repeat([-1.0, *np.linspace(0.0, 1.0, steps + 1), 2.0], 2)
    return np.column_stack([along, np.tile([1.0, -1.0], steps + 3)]).astype(np.float32)
