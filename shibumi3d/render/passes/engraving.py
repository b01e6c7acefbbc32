"""Render pass for the file letters and rank numbers engraved in the rims of boards."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.glyphs import CELL, named
from shibumi3d.render.kit import OVER, Kit, fill
from shibumi3d.render.lightmaps import LightMaps
from shibumi3d.render.room import level
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import NAMED, TOP
from shibumi3d.scene.palette import ENGRAVED, linear

MOST = 10
"""Number of files on the largest board."""
_SIZES = (0.15, 0.19)  # half the height of a label's image, on the smallest and on the largest board
_ROW = 4  # floats per label: position, size and image number


def places(size: int) -> Floats:
    """Return the rows (4 * size, 4) for the labels on all four rims.

    A row is x, y, half the height, and the number of the image. x and y are relative to the centre of the board. File
    letters (images 0 to 9) are on the south and north sides, and rank numbers (images 10 to 19) on the other two.
    """
    along = np.arange(size) - (size - 1) / 2
    rim = size / 2 + NAMED
    high = _SIZES[0] + (_SIZES[1] - _SIZES[0]) * (size - 2) / (MOST - 2)
    rows = [(at, side * rim, high, number) for side in (-1, 1) for number, at in enumerate(along)]
    rows += [(side * rim, at, high, MOST + number) for side in (-1, 1) for number, at in enumerate(along)]
    return np.array(rows, dtype=np.float32)


class Engraving:
    """Render pass for coordinates. Its resources are created on first use."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._program: moderngl.Program | None = None

    def draw(self, view: View, board: Board, light: LightMaps) -> None:
        """Draw the coordinates of ``board``, to be read from the side given by its ``names``."""
        program = self._program or self._make()
        theme, ctx = view.theme, self._kit.ctx
        rows = places(board.size)
        fill(self._rows, rows)
        self._atlas.use(0)
        light.board(board).use(2)
        window, sky = level(theme)
        ink = np.array(linear(ENGRAVED[theme.board]))
        put(
            program,
            **view.uniforms,
            u_atlas=0,
            u_light=2,
            u_origin=(board.x, board.y, TOP),
            u_half=board.half,
            u_right=writing(board.names),
            u_window=tuple(ink * window),
            u_above=tuple(ink * sky),
        )
        ctx.disable(moderngl.CULL_FACE)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = OVER
        self._array.render(moderngl.TRIANGLE_STRIP, instances=len(rows))

    def _make(self) -> moderngl.Program:
        kit = self._kit
        self._program = program = kit.program("engraving", *kit.hdr)
        self._rows = kit.rows(_ROW, 4 * MOST)
        row = self._rows, "4f/i", "in_place"
        self._array = kit.array(program, [(kit.square, "2f", "in_corner"), row])
        letters = [f"file {chr(ord('a') + number)}" for number in range(MOST)]
        names = letters + [str(number + 1) for number in range(MOST)]
        atlas = np.concatenate([named(name) for name in names], axis=1)
        self._atlas = kit.keep(kit.ctx.texture((len(names) * CELL, CELL), 1, atlas.tobytes(), dtype="f4"))
        self._atlas.filter = moderngl.LINEAR, moderngl.LINEAR
        return program


def writing(quarter: int) -> tuple[float, float]:
    """Return the direction (x, y) of text to be read from a given side of the board.

    ``quarter`` is 0 for the south side; the other sides follow counter-clockwise.
    """
    return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
