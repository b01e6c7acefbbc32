"""Conversion of signs to drawable marks, placed so that they are visible and cover little."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import motion, palette
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Ball, Mark, MarkKind
from shibumi3d.scene.marbles.actors import Cell
from shibumi3d.scene.marbles.exploded_view import ExplodedView, marble_radius
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, LEVEL_HEIGHT, RADIUS, Array, Vector, half_side
from shibumi3d.scene.marbles.signs import (
    BEAD_RADIUS,
    ENTRY_HALF_LENGTH,
    RING_RADIUS,
    STRONG_STROKE_PX,
    Sign,
    SignKind,
)
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.picking import PickableObject

DOT_DIAMETER_PX = 5.0
NUMBER_RADIUS_PX = 8.0
TICK_SIZE_PX = 11.0
STROKE_PX = 2.0  # default line width, in logical pixels
_COLOUR_RING_PX, _BACKING_RING_PX = (
    1.5 * STROKE_PX,
    3.5 * STROKE_PX,
)  # width of a ring in a marble's colour, and of the light one below
HINT_RING_DISTANCE = 0.08  # distance of the ring of a hint from the mark or marble inside
SUBDUED_ALPHA = 0.7  # opacity of arcs and of rings around counted marbles
HIDDEN_ALPHA = 0.8  # opacity of a mark that is largely hidden by marbles
_MIN_VISIBLE_FRACTION = 0.3  # a mark counts as hidden if less than this part is visible
_GLYPH_HALF_WIDTH = 0.13  # approximate half-width of a sign on a marble
_MAX_GLYPH_OFFSET = RADIUS - _GLYPH_HALF_WIDTH  # greatest distance of a sign from the centre of its marble

_TRAIL_SEGMENTS, _TRAIL_HALF_WIDTH_PX = 6, 1.0  # number of segments of a thin trail, and half its width

_LINE_MARKS = {
    SignKind.LINE: (MarkKind.LINE, 1.2),
    SignKind.LINKED: (MarkKind.LINE, 1.5),
}
# Signs drawn on a marble, or where one would land, with their preferred offset right and up in the picture.
_GLYPH_OFFSETS = {
    SignKind.LEGAL: (0.0, 0.27),
    SignKind.LIFTABLE: (0.0, 0.27),
    SignKind.FALLEN: (0.0, 0.0),
    SignKind.PINNED: (0.0, -0.3),
    SignKind.LOADED: (0.0, -0.3),
    SignKind.STACKED: (0.0, 0.0),
    SignKind.REPLACED: (0.0, 0.0),
    SignKind.LOCKED: (0.0, 0.0),
    SignKind.NUMBER: (0.25, 0.25),
}


class BoardGeometry(Protocol):
    """Interface through which :class:`SignPainter` queries the boards and the marbles on them."""

    @property
    def sizes(self) -> Sequence[int]:
        """Size of each board."""

    @property
    def marbles(self) -> Mapping[Cell, int]:
        """Colour of every marble that is on the boards once all motion has ended, by (board, point)."""

    def board_centre(self, board: int, exploded_view: ExplodedView | None = None) -> tuple[float, float]:
        """Return the centre (x, y) of a board or, in the exploded view, of its level A."""

    def marble_position(self, board: int, point: int, exploded_view: ExplodedView | None = None) -> Vector:
        """Return the centre of a marble on ``point`` of ``board``."""

    def position_in_socket(
        self, board: int, point: int, radius: float, exploded_view: ExplodedView | None = None
    ) -> Vector:
        """Return the centre of a ball that rests in the socket at ``point``.

        The ball is smaller than a marble; ``radius`` is its radius.
        """

    def is_board_hole(self, board: int, point: int, exploded_view: ExplodedView | None = None) -> bool:
        """Return whether a point is a hole in a board.

        This is true on level A and, once the exploded view is complete, on all levels.
        """

    def entry_target(
        self,
        board: int,
        point: int,
        side: int,
        exploded_view: ExplodedView | None = None,
        toward_camera: Array | None = None,
    ) -> PickableObject:
        """Return the click target of the mark that shows where a marble can enter a row from ``side``.

        For the arguments, see :meth:`.MarbleScene.entry_position`.
        """


def _spanning_tree(geometry: BoardGeometry, cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """Return the edges of a minimum spanning tree of the ``cells`` on each board.

    The edges of each tree are in the order in which Prim's algorithm adds them, starting at the board's first cell.
    """
    steps: list[tuple[Cell, Cell]] = []
    done, left = list(cells[:1]), list(cells[1:])
    at = {seat: geometry.marble_position(*seat) for seat in cells}
    while left:
        ways = [(math.dist(at[a], at[b]), -done.index(a), a, b) for a in done for b in left if a[0] == b[0]]
        if not ways:
            done.append(left.pop(0))
            continue
        _, _, one, other = min(ways)
        steps.append((one, other))
        done.append(other)
        left.remove(other)
    return steps


class SignPainter:
    """Painter that converts the signs of one frame into marks and beads.

    ``occluders`` (n, 3) contains the centres of the marbles that may hide marks. ``ghost_cells`` contains the cells
    that show a ghost.
    """

    def __init__(
        self,
        geometry: BoardGeometry,
        camera: Camera,
        aspect: float,
        exploded_view: ExplodedView | None,
        occluders: Array,
        ghost_cells: set[Cell],
        theme: Theme,
    ) -> None:
        self.geometry = geometry
        self.theme = theme
        self.exploded_view = exploded_view
        self.radius = marble_radius(exploded_view)
        self.occluders = occluders
        self.ghost_cells = ghost_cells
        self.resting_marbles = geometry.marbles
        """Colours of the marbles on the boards by cell, once all motion has ended."""
        self.eye = camera.eye(aspect)
        self.right, self.up, self.toward_camera = camera.axes()
        self.marks: list[Mark] = []
        self.beads: list[Ball] = []
        self.glyph_positions: dict[tuple[SignKind, int, int], Vector | None] = {}

    def point_position(self, sign: Sign) -> Vector:
        """Return where the centre of a marble on the sign's point is, or would be if the point is empty."""
        return self.geometry.marble_position(sign.board, sign.point, self.exploded_view)

    def hole_position(self, sign: Sign) -> Vector | None:
        """Return the centre of the hole at a sign's point, or None if the point is not a hole in a board.

        The returned position is slightly above the board, so that the board does not hide marks there.
        """
        x, y, _ = self.point_position(sign)
        return (
            (x, y, BOARD_TOP_Z + 0.004)
            if self.geometry.is_board_hole(sign.board, sign.point, self.exploded_view)
            else None
        )

    def bead_position(self, sign: Sign) -> Vector:
        """Return the centre of a bead in the socket at a sign's point."""
        return self.geometry.position_in_socket(sign.board, sign.point, BEAD_RADIUS, self.exploded_view)

    def raise_in_view(self, position: Vector, up: float) -> Vector:
        """Return ``position`` shifted by ``up`` towards the top of the picture."""
        x, y, z = np.array(position) + self.up * up
        return float(x), float(y), float(z)

    def add_mark(
        self,
        kind: MarkKind,
        position: Vector,
        colour: str,
        size: float,
        alpha: float = 1.0,
        end: Vector = (0.0, 0.0, 0.0),
        on_top: bool = False,
        stroke_width: float = STROKE_PX,
    ) -> None:
        """Append one mark.

        ``colour`` is a key of :data:`.MARK_COLOURS`; the other arguments are fields of :class:`.Mark`.
        """
        self.marks.append(
            Mark(
                kind,
                position,
                palette.MARK_COLOURS[colour],
                size,
                alpha,
                end,
                on_top,
                stroke_width=stroke_width,
            )
        )

    def add_sign(self, sign: Sign) -> None:
        """Append the marks for a sign of any kind except ``LEGAL`` and ``ENTRY``.

        For those, see :meth:`add_legal` and :meth:`add_entry`.
        """
        first = len(self.marks)
        self._add_marks_of(sign)
        if sign.alpha < 1.0:
            self.marks[first:] = [m._replace(alpha=m.alpha * sign.alpha) for m in self.marks[first:]]

    def _add_marks_of(self, sign: Sign) -> None:
        kind = sign.kind
        if kind is SignKind.DECIDED_BESIDE:
            return  # drawn by dimming the marbles on the boards
        if kind in (SignKind.ACTIVE_BOARD, SignKind.UNDECIDED):
            x, y = self.geometry.board_centre(sign.board, self.exploded_view)
            size = half_side(self.geometry.sizes[sign.board]) - 0.16
            width = STROKE_PX if kind is SignKind.ACTIVE_BOARD else STRONG_STROKE_PX
            self.add_mark(
                MarkKind.BOARD_OUTLINE, (x, y, BOARD_TOP_Z + 0.004), "legal", size, stroke_width=width
            )
            return
        at = self.point_position(sign)
        if kind is SignKind.LAST:
            self.add_mark(MarkKind.CIRCLE, at, "last", self.radius, stroke_width=STRONG_STROKE_PX)
        elif kind in (SignKind.WIN, SignKind.DECISIVE):
            self.add_mark(MarkKind.CIRCLE, at, "win", self.radius)
        elif kind is SignKind.COUNTED:
            self.add_mark(MarkKind.CIRCLE, at, "legal", self.radius, SUBDUED_ALPHA)
        elif kind is SignKind.FALLEN:
            self.add_glyph(MarkKind.TICK_DOWN, sign, "last")
        elif kind is SignKind.LIFTABLE:
            self.add_tick(sign)
        elif kind is SignKind.HOVER:
            place = self.raise_in_view(at, motion.HOVER_RISE * sign.alpha) if sign.is_highlighted else at
            self.add_mark(MarkKind.CIRCLE, place, "legal", self.radius, 0.8)
        elif kind is SignKind.ORIGIN:
            self.add_origin(sign, at)
        elif kind is SignKind.PINNED:
            self.add_glyph(MarkKind.TWO_BARS, sign)
        elif kind is SignKind.LOADED:
            self.add_glyph(MarkKind.ONE_BAR, sign)
        elif kind is SignKind.DOOMED:
            self.add_mark(MarkKind.HATCHED_CIRCLE, at, "stop", 0.4, stroke_width=STRONG_STROKE_PX)
        elif kind is SignKind.STACKED:
            if sign.target_point >= 0:
                self.add_line(MarkKind.LINE, sign, 1.2)
            self.add_glyph(MarkKind.THEREFORE, sign)
        elif kind is SignKind.REPLACED:
            self.add_glyph(MarkKind.SWAP, sign, size=1.4 * TICK_SIZE_PX)
        elif kind is SignKind.RECOLOURED:
            self.add_colour_ring(at, sign.colours[0] if sign.colours else -1)
        elif kind is SignKind.LOCKED:
            self.add_lock(sign)
        elif kind is SignKind.HINT:
            self.add_mark(MarkKind.HALO, at, "last", 0.8, 0.6)
            self.add_hint_ring(sign, at)
        elif kind is SignKind.CURSOR:
            self.add_mark(MarkKind.BRACKETS, at, "legal", 0.58, on_top=True)
        elif kind is SignKind.CUT:
            self.add_line(MarkKind.BROKEN_LINE, sign, 1.0, "stop")
            for point in self.crossing_points(sign):
                self.add_mark(
                    MarkKind.DASHED_CIRCLE,
                    self.geometry.marble_position(sign.board, point, self.exploded_view),
                    "stop",
                    self.radius,
                )
        elif kind is SignKind.TRAIL:
            self.add_trail(sign, at)
        elif kind is SignKind.HAND_MOVE:
            end = self.geometry.marble_position(sign.board, sign.target_point, self.exploded_view)
            self.add_mark(MarkKind.ARC, at, "last", 1.2, SUBDUED_ALPHA, end=end, on_top=True)
        elif kind is SignKind.NUMBER:
            self.add_number(sign)
        elif kind in _LINE_MARKS:
            shape, width = _LINE_MARKS[kind]
            self.add_line(shape, sign, width)

    def add_hint_ring(self, sign: Sign, position: Vector) -> None:
        """Add a ring around the marble, empty hole or bead that a hint points at.

        ``position`` is the centre that a marble there has or would have. The ring is needed because not everyone can
        see the hint's glow, which relies on colour.
        """
        if (sign.board, sign.point) in self.resting_marbles:
            self.add_mark(
                MarkKind.CIRCLE,
                position,
                "last",
                self.radius + HINT_RING_DISTANCE,
                stroke_width=STRONG_STROKE_PX,
            )
        elif ground := self.hole_position(sign):
            self.add_mark(
                MarkKind.RING, ground, "last", RING_RADIUS + HINT_RING_DISTANCE, stroke_width=STRONG_STROKE_PX
            )
        else:
            self.add_mark(
                MarkKind.CIRCLE,
                self.bead_position(sign),
                "last",
                BEAD_RADIUS + HINT_RING_DISTANCE,
                stroke_width=STRONG_STROKE_PX,
            )

    def add_line(self, kind: MarkKind, sign: Sign, half_width_px: float, colour: str = "legal") -> None:
        """Append a line from a sign's point to its ``target_point``."""
        end = self.geometry.marble_position(sign.board, sign.target_point, self.exploded_view)
        self.add_mark(kind, self.point_position(sign), colour, half_width_px, end=end, on_top=True)

    def add_trail(self, sign: Sign, position: Vector) -> None:
        """Append the path of a marble from ``position`` to the sign's ``target_point``, ending in an arrowhead.

        The path of a fall is a thin line that curves over the marbles below; the path of a push is a dotted line.
        """
        goal = self.geometry.marble_position(sign.board, sign.target_point, self.exploded_view)
        if abs(position[2] - goal[2] - LEVEL_HEIGHT) < 0.01:
            way = motion.roll_down_points(position, goal, _TRAIL_SEGMENTS)
            for here, there in pairwise(way):
                self.add_mark(MarkKind.LINE, here, "legal", _TRAIL_HALF_WIDTH_PX, end=there, on_top=True)
            position = way[-3]
        else:
            self.add_line(MarkKind.DOTTED_LINE, sign, 2.0)
        end = np.array(goal)
        back = np.array(position) - end
        x, y, z = end + back * (_MAX_GLYPH_OFFSET / max(math.sqrt(float(back @ back)), _MAX_GLYPH_OFFSET))
        to = (float(end[0]), float(end[1]), float(end[2]))
        self.add_mark(
            MarkKind.CHEVRON,
            (float(x), float(y), float(z)),
            "legal",
            ENTRY_HALF_LENGTH,
            end=to,
            stroke_width=STRONG_STROKE_PX,
        )

    def add_glyph(
        self, kind: MarkKind, sign: Sign, colour: str = "legal", size: float = TICK_SIZE_PX
    ) -> Vector | None:
        """Append a glyph on a marble, and return the position of the glyph.

        If the glyph would be hidden, append nothing and return None. :meth:`place_glyphs` must be called first.
        """
        place = self.glyph_positions[sign.kind, sign.board, sign.point]
        if place is not None:
            self.add_mark(kind, place, colour, size, stroke_width=STRONG_STROKE_PX)
        return place

    def add_tick(self, sign: Sign) -> None:
        """Append the tick on a marble that can be chosen.

        If the tick would be hidden, append a dashed ring around the marble instead; only the visible part of the ring
        is drawn.
        """
        if self.add_glyph(MarkKind.TICK_UP, sign) is None:
            self.add_mark(
                MarkKind.DASHED_CIRCLE, self.point_position(sign), "legal", self.radius, HIDDEN_ALPHA
            )

    def add_number(self, sign: Sign) -> None:
        """Append a number on a marble, unless it would be hidden.

        If possible, it is at the upper right, where it does not cover the sign printed on the marble.
        """
        place = self.glyph_positions[sign.kind, sign.board, sign.point]
        if place is not None:
            colour = palette.MARK_COLOURS["legal" if sign.is_highlighted else "last"]
            self.marks.append(Mark(MarkKind.NUMBER, place, colour, NUMBER_RADIUS_PX, number=sign.number))

    def add_winning_line(self, cells: Sequence[Cell], fraction: float) -> None:
        """Append golden lines that connect the winning marbles within each board.

        ``cells`` contains the cells of these marbles. The lines are drawn one after another; ``fraction``, from 0 to
        1, is the part drawn so far.
        """
        steps = _spanning_tree(self.geometry, cells)
        for i, (one, other) in enumerate(steps):
            done = min(max(fraction * len(steps) - i, 0.0), 1.0)
            if done > 0.0:
                a = self.geometry.marble_position(*one, self.exploded_view)
                b = self.geometry.marble_position(*other, self.exploded_view)
                x, y, z = (p + (q - p) * done for p, q in zip(a, b, strict=True))
                self.add_mark(MarkKind.LINE, a, "win", 1.2, end=(x, y, z), on_top=True)

    def crossing_points(self, sign: Sign) -> list[int]:
        """Return the two points whose marbles would together cut the contact that a sign marks.

        Each of these marbles rests on both marbles in contact. The list is empty if the contact can't be cut.
        """
        one, other = sorted((sign.point, sign.target_point))
        contacts = get_pyramid(self.geometry.sizes[sign.board]).contacts
        return list(iter_bits(next((cut for p, q, cut in contacts if (p, q) == (one, other)), 0)))

    def add_colour_ring(self, position: Vector, colour: int) -> None:
        """Append a ring in the given colour, on top of a wider light ring.

        The light ring keeps the coloured ring visible on any background.
        """
        self.add_mark(MarkKind.CIRCLE, position, "legal", self.radius, stroke_width=_BACKING_RING_PX)
        shade = self.theme.marble_colour(colour)
        self.marks.append(Mark(MarkKind.CIRCLE, position, shade, self.radius, stroke_width=_COLOUR_RING_PX))

    def add_lock(self, sign: Sign) -> None:
        """Append the mark of a locked point.

        The mark is a knot if no marble may be placed there. If a single colour is still allowed, it is a dot of that
        colour on a light disc.
        """
        place = self.hole_position(sign) or self.bead_position(sign)
        if not sign.colours:
            if (sign.board, sign.point) in self.resting_marbles:
                self.add_glyph(MarkKind.KNOT, sign)
            else:
                self.add_mark(MarkKind.KNOT, place, "legal", TICK_SIZE_PX)
            return
        self.add_mark(MarkKind.DOT, place, "legal", 1.2 * TICK_SIZE_PX)
        shade = self.theme.marble_colour(sign.colours[0])
        self.marks.append(Mark(MarkKind.DOT, place, shade, 0.8 * TICK_SIZE_PX))

    def add_entry(self, sign: Sign, is_hidden: bool) -> None:
        """Append the chevron in front of a row, or a dashed ring if ``is_hidden`` is set.

        Set ``is_hidden`` if marbles hide the chevron. A highlighted chevron is larger. The ring shows through the
        marbles only if ``sign`` is highlighted.
        """
        end = self.entry_position(sign)
        colour = "last" if sign.is_highlighted else "legal"
        if is_hidden:
            alpha = 1.0 if sign.is_highlighted else HIDDEN_ALPHA
            self.add_mark(
                MarkKind.DASHED_CIRCLE, end, colour, ENTRY_HALF_LENGTH, alpha, on_top=sign.is_highlighted
            )
            return
        size, width = (0.2, 2.2 * STROKE_PX) if sign.is_highlighted else (ENTRY_HALF_LENGTH, 1.4 * STROKE_PX)
        self.add_mark(MarkKind.CHEVRON, end, colour, size, end=self.point_position(sign), stroke_width=width)

    def entry_position(self, sign: Sign) -> Vector:
        """Return the position of the chevron for a sign."""
        return self.geometry.entry_target(
            sign.board, sign.point, sign.side, self.exploded_view, self.toward_camera
        ).position

    def add_origin(self, sign: Sign, position: Vector) -> None:
        """Append a dashed outline at the point from which the marble in hand was lifted.

        If another marble has fallen into its place, the outline surrounds that marble, whose centre is ``position``.
        """
        if (sign.board, sign.point) in self.resting_marbles:
            self.add_mark(MarkKind.DASHED_CIRCLE, position, "legal", self.radius)
        elif ground := self.hole_position(sign):
            self.add_mark(MarkKind.DASHED_RING, ground, "legal", RING_RADIUS)
        else:
            self.add_mark(MarkKind.DASHED_CIRCLE, self.bead_position(sign), "legal", BEAD_RADIUS)

    def add_legal(self, sign: Sign, is_hidden: bool, use_dots: bool) -> None:
        """Append the marks for a point that can be chosen, unless a ghost is shown there.

        Set ``is_hidden`` if marbles cover the point, and ``use_dots`` if there are too many choices for full-size
        rings.
        """
        if (sign.board, sign.point) in self.ghost_cells:
            return
        ground = self.hole_position(sign)
        at = ground or self.bead_position(sign)
        if (sign.board, sign.point) in self.resting_marbles:
            # A marble that can be chosen has the same tick as one that can be lifted.
            self.add_tick(sign)
        elif is_hidden:
            shape, size = (
                (MarkKind.DASHED_RING, RING_RADIUS) if ground else (MarkKind.DASHED_CIRCLE, BEAD_RADIUS)
            )
            self.add_mark(shape, at, "legal", size, HIDDEN_ALPHA)
        elif use_dots and ground:
            self.add_mark(MarkKind.DOT, ground, "legal", DOT_DIAMETER_PX / 2)
        elif len(sign.colours) > 1:
            shape, size = (MarkKind.RING, RING_RADIUS) if ground else (MarkKind.CIRCLE, BEAD_RADIUS)
            part = 1 / len(sign.colours)
            # The light ring keeps dark colours visible on a dark board.
            self.add_mark(shape, at, "legal", size, stroke_width=_BACKING_RING_PX)
            for i, colour in enumerate(sign.colours):
                shade = self.theme.marble_colour(colour)
                self.marks.append(
                    Mark(
                        shape,
                        at,
                        shade,
                        size,
                        sector_start=i * part,
                        sector_fraction=part,
                        stroke_width=_COLOUR_RING_PX,
                    ),
                )
        elif ground:
            self.add_mark(MarkKind.RING, ground, "legal", RING_RADIUS)
        else:
            # The glass is hard to see in front of white marbles, and its outline in front of black ones.
            self.beads.append(Ball(*at, 0, radius=BEAD_RADIUS, bead=1.0))
            self.add_mark(MarkKind.CIRCLE, at, "legal", BEAD_RADIUS)

    def are_signs_hidden(self, signs: Sequence[Sign]) -> list[bool]:
        """Return, for each of ``signs``, whether marbles hide it from the camera.

        All signs must be of the kind ``LEGAL`` or ``ENTRY``, and :meth:`place_glyphs` must have been called for them.
        """
        centres, sizes, flat = [], [], []
        for sign in signs:
            ground = self.hole_position(sign) if sign.kind is not SignKind.ENTRY else None
            centres.append(
                self.entry_position(sign)
                if sign.kind is SignKind.ENTRY
                else ground or self.bead_position(sign)
            )
            sizes.append(
                ENTRY_HALF_LENGTH if sign.kind is SignKind.ENTRY else RING_RADIUS if ground else BEAD_RADIUS
            )
            flat.append(ground is not None)
        covered = self.are_discs_hidden(centres, sizes, flat)
        return [
            self.glyph_positions[key] is None
            if (key := (sign.kind, sign.board, sign.point)) in self.glyph_positions
            else hidden
            for sign, hidden in zip(signs, covered, strict=True)
        ]

    def place_glyphs(self, signs: Sequence[Sign]) -> None:
        """Set :attr:`glyph_positions` for the signs that are drawn on marbles.

        A sign gets its preferred position if it is fully visible there, and otherwise the position where as much of it
        as possible is visible. If no position shows more than half of it, the sign counts as hidden, and its position
        is None. Signs on empty cells are placed as if a marble were there, except for ``LEGAL`` signs, which are left
        out.
        """
        faced = [
            sign
            for sign in signs
            if sign.kind in _GLYPH_OFFSETS
            and (sign.kind is not SignKind.LEGAL or (sign.board, sign.point) in self.resting_marbles)
        ]
        if not faced:
            return
        middles = np.array([self.point_position(sign) for sign in faced])
        liked = np.array([_GLYPH_OFFSETS[sign.kind] for sign in faced])[:, None, :]
        hiding = self.find_occluders(middles)
        seen = self.count_visible_samples(middles, liked, hiding)[:, 0]
        partly = np.flatnonzero(seen < len(_CROSS_SAMPLES))
        if len(partly):
            everywhere = np.broadcast_to(_CANDIDATE_OFFSETS, (len(partly), *_CANDIDATE_OFFSETS.shape))
            found = self.count_visible_samples(middles[partly], everywhere, hiding[partly])
            # Among the most visible positions, take the one nearest to the preferred one.
            off = _CANDIDATE_OFFSETS - liked[partly]
            best = (found * 10.0 - np.sqrt(np.einsum("npk,npk->np", off, off))).argmax(axis=1)
            liked[partly, 0], seen[partly] = _CANDIDATE_OFFSETS[best], found[np.arange(len(partly)), best]
        places = middles + self.right * liked[:, 0, :1] + self.up * liked[:, 0, 1:]
        for sign, (x, y, z), part in zip(faced, places.tolist(), seen.tolist(), strict=True):
            self.glyph_positions[sign.kind, sign.board, sign.point] = (
                (x, y, z) if part > len(_CROSS_SAMPLES) / 2 else None
            )

    def find_occluders(self, centres: Array) -> Array:
        """Return the centres (n, k, 3) of the marbles that may hide the marbles at ``centres`` (n, 3).

        k is the largest number of marbles that may hide the same one. Shorter rows are padded with a point far away.
        """
        way = centres - self.eye
        length = np.sqrt(np.einsum("ij,ij->i", way, way))
        to = self.occluders - self.eye
        along = (way / length[:, None]) @ to.T
        off = np.sqrt(np.maximum(np.einsum("ij,ij->i", to, to) - along * along, 0.0))
        own = np.linalg.norm(centres[:, None, :] - self.occluders[None, :, :], axis=2) < 0.9 * self.radius
        near = (off < 2 * self.radius) & (along < length[:, None] + self.radius) & ~own
        most = int(near.sum(axis=1).max(initial=0))
        which = np.argsort(~near, axis=1, kind="stable")[:, :most]
        result: Array = np.where(np.take_along_axis(near, which, 1)[:, :, None], self.occluders[which], 1e6)
        return result

    def count_visible_samples(self, centres: Array, offsets: Array, occluders: Array) -> Array:
        """Return how many sample points of each sign would be visible at each of its possible positions.

        The result is an (n, p) array for n signs with p positions each. Each sign is on a marble. ``centres`` (n, 3)
        contains the centres of these marbles, and ``offsets`` (n, p, 2) says how far each position is from the centre,
        to the right and up in the picture. ``occluders`` (n, k, 3) contains the centres of the marbles that may hide
        the signs.
        """
        count, offset_count, sample_count = *offsets.shape[:2], len(_CROSS_SAMPLES)
        at = (offsets[:, :, None, :] + _CROSS_SAMPLES * _GLYPH_HALF_WIDTH).reshape(count, -1, 2)
        way = at @ np.array([self.right, self.up])
        way += (centres - self.eye)[:, None, :]
        length = np.sqrt(np.einsum("nsk,nsk->ns", way, way))[..., None]
        way /= length
        to = occluders - self.eye
        along = way @ to.transpose(0, 2, 1)
        inside = along * along
        inside += (self.radius**2 - np.einsum("nbk,nbk->nb", to, to))[:, None, :]
        covered = inside > 0.0
        # The ray enters a marble before it reaches the sample.
        np.sqrt(np.maximum(inside, 0.0, out=inside), out=inside)
        along -= inside
        covered &= along < length
        seen = ~covered.any(axis=2)
        result: Array = seen.reshape(count, offset_count, sample_count).sum(axis=2)
        return result

    def are_discs_hidden(
        self, centres: Sequence[Vector], sizes: Sequence[float], is_horizontal: Sequence[bool]
    ) -> list[bool]:
        """Return, for each disc, whether marbles hide most of it from the camera.

        The discs have the given centres and radii. A disc for which ``is_horizontal`` is set lies horizontally; all
        others face the camera.
        """
        if not len(self.occluders) or not centres:
            return [False] * len(centres)
        middle = np.array(centres)
        # Five samples: the centre and the ends of a cross, which lies on the board or faces the camera.
        across = np.cross(self.up, self.eye - middle)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        east, north = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        lies = np.array(is_horizontal)[:, None]
        first = np.where(lies, east, across) * np.array(sizes)[:, None]
        second = np.where(lies, north, self.up) * np.array(sizes)[:, None]
        samples = np.stack([middle, middle + first, middle - first, middle + second, middle - second], 1)
        way = samples - self.eye
        length = np.linalg.norm(way, axis=2)
        way /= length[:, :, None]
        to = self.occluders - self.eye
        along = np.einsum("psk,bk->psb", way, to)
        off = np.einsum("bk,bk->b", to, to) - along**2
        own = np.linalg.norm(middle[:, None, :] - self.occluders[None, :, :], axis=2) < self.radius * 0.9
        covered = (off < self.radius**2) & (along < length[:, :, None]) & ~own[:, None, :]
        seen = 1.0 - covered.any(axis=2).mean(axis=1)
        return [bool(part < _MIN_VISIBLE_FRACTION) for part in seen]


_CROSS_SAMPLES = np.array([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
# Candidate positions of a sign on a marble.
_CANDIDATE_OFFSETS = np.array(
    [(0.0, 0.0), *_GLYPH_OFFSETS.values()]
    + [
        (
            part * _MAX_GLYPH_OFFSET * math.cos(math.tau * i / count),
            part * _MAX_GLYPH_OFFSET * math.sin(math.tau * i / count),
        )
        for part, count in ((0.5, 8), (1.0, 16))
        for i in range(count)
    ]
)
