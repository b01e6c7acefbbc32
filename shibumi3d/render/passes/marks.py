"""Render pass for marks."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.distance_fields import make_digit_fields
from shibumi3d.render.arrays.marbles import BallArrays
from shibumi3d.render.arrays.marks import FAMILIES, FLOATS_PER_MARK, make_mark_arrays
from shibumi3d.render.gpu_resources import GpuResources, write_rows
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.palette import MARK_COLOURS, rgb

_RING_SEGMENTS = 24  # same as in mark.glsl
_ARC_SEGMENTS = 24
_ATTRIBUTE_FORMAT = (
    "4f 3f 3f 4f 4f 4f/i",
    *("in_position", "in_right", "in_up", "in_extent", "in_colour", "in_ranges"),
)


class MarkPass:
    """Render pass for marks.

    The marks are drawn one family after another, in the order of :data:`.FAMILIES`.
    """

    def __init__(self, resources: GpuResources) -> None:
        strips = {
            "RINGS": resources.buffer(_ring_strip(_RING_SEGMENTS)),
            "BOARD_OUTLINES": resources.buffer(_ring_strip(4, math.pi / 4)),
            "ARCS": resources.buffer(_ribbon_strip(_ARC_SEGMENTS)),
        }
        strokes = make_digit_fields()
        self._digits = resources.register(
            resources.ctx.texture(strokes.shape[::-1], 1, strokes.tobytes(), dtype="f4")
        )
        self._digits.filter = moderngl.LINEAR, moderngl.LINEAR
        self._occluder_table = resources.lookup_table(64)
        self._families = {}
        for family in FAMILIES:
            made, rows = resources.compile_program("mark", family), resources.row_buffer(FLOATS_PER_MARK, 64)
            strip = strips.get(family, resources.corner_buffer)
            array = resources.vertex_array(made, [(strip, "2f", "in_corner"), (rows, *_ATTRIBUTE_FORMAT)])
            self._families[family] = made, rows, array

    def draw(
        self,
        view: View,
        balls: BallArrays,
        width: int,
        height: int,
        scale: float,
        upside_down: bool = False,
    ) -> None:
        """Draw the marks over an image of ``width`` x ``height`` pixels.

        ``scale`` is the number of pixels per logical pixel. Set ``upside_down`` if the image is upside down.
        """
        if not view.frame.marks:
            return
        families = [[m for m in view.frame.marks if m.kind in kinds] for kinds in FAMILIES.values()]
        ordered = [mark for family in families for mark in family]
        rows, cover = make_mark_arrays(ordered, balls, view.camera, width, height, scale)
        self._occluder_table.write(cover)
        self._occluder_table.use(0)
        self._digits.use(1)
        first = 0
        for (made, buffer, array), family in zip(self._families.values(), families, strict=True):
            if family:
                write_rows(buffer, rows[first : first + len(family)])
                set_uniforms(
                    made,
                    u_view=view.uniforms["u_view"],
                    u_eye=view.uniforms["u_eye"],
                    u_up=-1.0 if upside_down else 1.0,
                    u_occluders=0,
                    u_digits=1,
                    u_scale=scale,
                    u_edge_colour=rgb(MARK_COLOURS["edge"]),
                )
                array.render(moderngl.TRIANGLE_STRIP, instances=len(family))
            first += len(family)


def _ring_strip(sides: int, start_angle: float = 0.0) -> Floats:
    """Return a triangle strip for a ring, as vectors (x, y) from its centre; see mark.glsl.

    The outer vertices form a polygon with ``sides`` sides that contains the unit circle. The first of them is at
    ``start_angle``, in radians clockwise from the top. The inner vertices are at a distance of 1/2 from the centre, by
    which the shader recognizes them; it then moves them to where they belong.
    """
    around = start_angle + np.linspace(0.0, math.tau, sides + 1)
    way = np.column_stack([np.sin(around), np.cos(around)])
    strip = np.empty((2 * len(way), 2), dtype=np.float32)
    strip[0::2], strip[1::2] = way / math.cos(math.pi / sides), way * 0.5
    return strip


def _ribbon_strip(steps: int) -> Floats:
    """Return a triangle strip along a curve, with a curve parameter and a side (1 or -1) per vertex.

    The parameter runs from 0 to 1 in ``steps`` equal steps. The values -1 and 2 are for the caps of the strip, which
    extend beyond the curve.
    """
    along = np.repeat([-1.0, *np.linspace(0.0, 1.0, steps + 1), 2.0], 2)
    return np.column_stack([along, np.tile([1.0, -1.0], steps + 3)]).astype(np.float32)
