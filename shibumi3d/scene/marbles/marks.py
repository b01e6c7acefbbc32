"""Conversion of signs to drawable marks, placed so that they are visible and cover little."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene import motion, palette
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Ball, Mark, MarkKind
from shibumi3d.scene.marbles.actors import Cell
from shibumi3d.scene.marbles.layout import RADIUS, RISE, TOP, Array, Vector, half_side
from shibumi3d.scene.marbles.signs import BEAD, ENTRY, RING, STRONG, Sign, SignKind
from shibumi3d.scene.marbles.spread import Spread, radius_of
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.picking import Seen

DOT_PIXELS = 5.0
NUMBER_PIXELS = 8.0
TICK_PIXELS = 11.0
STROKE = 2.0  # default line width, in logical pixels
_DYE, _LINED = 1.5 * STROKE, 3.5 * STROKE  # width of a ring in a marble's colour, and of the light one below
ABOUT = 0.08  # distance of the ring of a hint from the mark or marble inside
QUIET = 0.7  # opacity of arcs and of rings around counted marbles
HIDDEN_ALPHA = 0.8  # opacity of a mark that is mostly hidden by marbles
_SEEN = 0.3  # a mark counts as hidden if less than this part is visible
_GLYPH = 0.13  # approximate half-width of a sign on a marble
_ROOM = RADIUS - _GLYPH  # greatest distance of a sign from the centre of its marble

_TRAIL, _THIN = 6, 1.0  # number of segments of a thin trail, and half its width

_LINES = {
    SignKind.THREAD: (MarkKind.LINE, 1.2),
    SignKind.LINKED: (MarkKind.LINE, 1.5),
}
# Signs drawn on a marble, or where one would land, with their preferred offset right and up in the picture.
_FACED = {
    SignKind.LEGAL: (0.0, 0.27),
    SignKind.LIFTABLE: (0.0, 0.27),
    SignKind.FELL: (0.0, 0.0),
    SignKind.PINNED: (0.0, -0.3),
    SignKind.LOADED: (0.0, -0.3),
    SignKind.STACKED: (0.0, 0.0),
    SignKind.REPLACED: (0.0, 0.0),
    SignKind.LOCKED: (0.0, 0.0),
    SignKind.NUMBER: (0.25, 0.25),
}


class Places(Protocol):
    """The positions of boards and marbles that :class:`SignPainter` needs."""

    @property
    def sizes(self) -> Sequence[int]:
        """Size of each board."""

    @property
    def marbles(self) -> Mapping[Cell, int]:
        """Colour of every marble by (board, point), once all motion has ended."""

    def middle(self, board: int, spread: Spread | None = None) -> tuple[float, float]:
        """Return the centre (x, y) of a board."""

    def anchor(self, board: int, point: int, spread: Spread | None = None) -> Vector:
        """Return the centre of a marble on a point."""

    def seat(self, board: int, point: int, radius: float, spread: Spread | None = None) -> Vector:
        """Return the centre of a ball of ``radius``, smaller than a marble, that rests in a socket."""

    def on_board(self, board: int, point: int, spread: Spread | None = None) -> bool:
        """Return whether a point is a hole in a board."""

    def entry_mark(
        self, board: int, point: int, side: int, spread: Spread | None = None, back: Array | None = None
    ) -> Seen:
        """Return the position of the mark for entering a row over ``side``.

        ``back`` (3,) is the direction towards the camera.
        """


def _tree(places: Places, seats: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """Return a minimum spanning tree of the cells of each board, as a list of edges.

    Prim's algorithm grows the tree from the first cell, so marbles that touch are joined first.
    """
    steps: list[tuple[Cell, Cell]] = []
    done, left = list(seats[:1]), list(seats[1:])
    at = {seat: places.anchor(*seat) for seat in seats}
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
    """Converter of signs to marks and beads, for one frame.

    ``solid`` (n, 3) contains the centres of the marbles that may hide marks. ``ghosts`` contains the cells that show a
    ghost.
    """

    def __init__(
        self,
        places: Places,
        camera: Camera,
        aspect: float,
        spread: Spread | None,
        solid: Array,
        ghosts: set[Cell],
        theme: Theme,
    ) -> None:
        self.places = places
        self.theme = theme
        self.spread = spread
        self.radius = radius_of(spread)
        self.solid = solid
        self.ghosts = ghosts
        self.standing = places.marbles
        """Marbles on the boards once all motion has ended."""
        self.eye = camera.eye(aspect)
        self.right, self.up, self.back = camera.axes()
        self.marks: list[Mark] = []
        self.beads: list[Ball] = []
        self.faces: dict[tuple[SignKind, int, int], Vector | None] = {}

    def at(self, sign: Sign) -> Vector:
        """Return the centre of a marble at a sign's point, whether or not there is a marble."""
        return self.places.anchor(sign.board, sign.point, self.spread)

    def ground(self, sign: Sign) -> Vector | None:
        """Return the centre of the hole at a sign's point, or None if the point is not a hole."""
        x, y, _ = self.at(sign)
        return (x, y, TOP + 0.004) if self.places.on_board(sign.board, sign.point, self.spread) else None

    def bead(self, sign: Sign) -> Vector:
        """Return the centre of a bead in the socket at a sign's point."""
        return self.places.seat(sign.board, sign.point, BEAD, self.spread)

    def raised(self, at: Vector, by: float, aside: float = 0.0, nearer: float = 0.0) -> Vector:
        """Return ``at`` shifted relative to the picture.

        The point is shifted by ``by`` upward, ``aside`` to the right, and ``nearer`` towards the camera.
        """
        x, y, z = np.array(at) + self.up * by + self.right * aside + self.back * nearer
        return float(x), float(y), float(z)

    def put(
        self,
        kind: MarkKind,
        at: Vector,
        colour: str,
        size: float,
        alpha: float = 1.0,
        to: Vector = (0.0, 0.0, 0.0),
        over: bool = False,
        width: float = STROKE,
    ) -> None:
        """Append one mark."""
        self.marks.append(Mark(kind, at, palette.MARKS[colour], size, alpha, to, over, width=width))

    def add(self, sign: Sign) -> None:
        """Append the marks of a sign."""
        first = len(self.marks)
        self._add(sign)
        if sign.alpha < 1.0:
            self.marks[first:] = [m._replace(alpha=m.alpha * sign.alpha) for m in self.marks[first:]]

    def _add(self, sign: Sign) -> None:
        kind = sign.kind
        if kind is SignKind.BESIDE:
            return  # drawn by dimming the marbles on the boards
        if kind in (SignKind.ACTIVE, SignKind.EVEN):
            x, y = self.places.middle(sign.board, self.spread)
            size = half_side(self.places.sizes[sign.board]) - 0.16
            width = STROKE if kind is SignKind.ACTIVE else STRONG
            self.put(MarkKind.RIM, (x, y, TOP + 0.004), "legal", size, width=width)
            return
        at = self.at(sign)
        if kind is SignKind.LAST:
            self.put(MarkKind.CIRCLE, at, "last", self.radius, width=STRONG)
        elif kind in (SignKind.WIN, SignKind.LIT):
            self.put(MarkKind.CIRCLE, at, "win", self.radius)
        elif kind is SignKind.COUNTED:
            self.put(MarkKind.CIRCLE, at, "legal", self.radius, QUIET)
        elif kind is SignKind.FELL:
            self.glyph(MarkKind.DOWN, sign, "last")
        elif kind is SignKind.LIFTABLE:
            self.tick(sign)
        elif kind is SignKind.HOVER:
            place = self.raised(at, motion.EAGER * sign.alpha) if sign.strong else at
            self.put(MarkKind.CIRCLE, place, "legal", self.radius, 0.8)
        elif kind is SignKind.ORIGIN:
            self.origin(sign, at)
        elif kind is SignKind.PINNED:
            self.glyph(MarkKind.BARS, sign)
        elif kind is SignKind.LOADED:
            self.glyph(MarkKind.BAR, sign)
        elif kind is SignKind.DOOMED:
            self.put(MarkKind.CROSS, at, "stop", 0.4, width=STRONG)
        elif kind is SignKind.STACKED:
            if sign.to >= 0:
                self.thread(MarkKind.LINE, sign, 1.2)
            self.glyph(MarkKind.THEREFORE, sign)
        elif kind is SignKind.REPLACED:
            self.glyph(MarkKind.SWAP, sign, size=1.4 * TICK_PIXELS)
        elif kind is SignKind.DYED:
            self.dyed(at, sign.colours[0] if sign.colours else -1)
        elif kind is SignKind.LOCKED:
            self.locked(sign)
        elif kind is SignKind.HINT:
            self.put(MarkKind.HALO, at, "last", 0.8, 0.6)
            self.ring_of_hint(sign, at)
        elif kind is SignKind.CURSOR:
            self.put(MarkKind.BRACKET, at, "legal", 0.58, over=True)
        elif kind is SignKind.CUT:
            self.thread(MarkKind.BROKEN, sign, 1.0, "stop")
            for point in self.cutters(sign):
                self.put(
                    MarkKind.DASHED, self.places.anchor(sign.board, point, self.spread), "stop", self.radius
                )
        elif kind is SignKind.TRAIL:
            self.trail(sign, at)
        elif kind is SignKind.WAY:
            end = self.places.anchor(sign.board, sign.to, self.spread)
            self.put(MarkKind.ARC, at, "last", 1.2, QUIET, to=end, over=True)
        elif kind is SignKind.NUMBER:
            self.number(sign)
        elif kind in _LINES:
            shape, width = _LINES[kind]
            self.thread(shape, sign, width)

    def ring_of_hint(self, sign: Sign, at: Vector) -> None:
        """Append a ring around the marble or the mark on the point of a hint.

        A hint also glows, but not everyone can see the glow, since it relies on colour.
        """
        if (sign.board, sign.point) in self.standing:
            self.put(MarkKind.CIRCLE, at, "last", self.radius + ABOUT, width=STRONG)
        elif ground := self.ground(sign):
            self.put(MarkKind.RING, ground, "last", RING + ABOUT, width=STRONG)
        else:
            self.put(MarkKind.CIRCLE, self.bead(sign), "last", BEAD + ABOUT, width=STRONG)

    def thread(self, shape: MarkKind, sign: Sign, width: float, colour: str = "legal") -> None:
        """Append a line from a sign's point to its other point, ``to``."""
        end = self.places.anchor(sign.board, sign.to, self.spread)
        self.put(shape, self.at(sign), colour, width, to=end, over=True)

    def trail(self, sign: Sign, at: Vector) -> None:
        """Append the path of a marble that moved to the sign's point ``to``, ending in an arrowhead.

        A fall is a thin line that follows the marbles over which it rolled; a push is a dotted line.
        """
        goal = self.places.anchor(sign.board, sign.to, self.spread)
        if abs(at[2] - goal[2] - RISE) < 0.01:
            way = motion.fallen(at, goal, _TRAIL)
            for here, there in pairwise(way):
                self.put(MarkKind.LINE, here, "legal", _THIN, to=there, over=True)
            at = way[-3]
        else:
            self.thread(MarkKind.DOTS, sign, 2.0)
        end = np.array(goal)
        back = np.array(at) - end
        x, y, z = end + back * (_ROOM / max(math.sqrt(float(back @ back)), _ROOM))
        to = (float(end[0]), float(end[1]), float(end[2]))
        self.put(MarkKind.CHEVRON, (float(x), float(y), float(z)), "legal", ENTRY, to=to, width=STRONG)

    def glyph(
        self, kind: MarkKind, sign: Sign, colour: str = "legal", size: float = TICK_PIXELS
    ) -> Vector | None:
        """Append a glyph on a marble; return its position, or None if it would be hidden."""
        place = self.faces[sign.kind, sign.board, sign.point]
        if place is not None:
            self.put(kind, place, colour, size, width=STRONG)
        return place

    def tick(self, sign: Sign) -> None:
        """Append the tick on a marble that can be chosen.

        If the tick would be hidden, append a dashed ring around the marble instead, the visible part of which is drawn.
        """
        if self.glyph(MarkKind.UP, sign) is None:
            self.put(MarkKind.DASHED, self.at(sign), "legal", self.radius, HIDDEN_ALPHA)

    def number(self, sign: Sign) -> None:
        """Append a number at the upper right of a marble.

        At this position, it does not cover the sign of the colour.
        """
        place = self.faces[sign.kind, sign.board, sign.point]
        if place is not None:
            colour = palette.MARKS["legal" if sign.strong else "last"]
            self.marks.append(Mark(MarkKind.NUMBER, place, colour, NUMBER_PIXELS, number=sign.number))

    def trace(self, seats: Sequence[Cell], part: float) -> None:
        """Append a gold line through the winning marbles, starting at the first one.

        Only the fraction ``part`` of the line is drawn.
        """
        steps = _tree(self.places, seats)
        for i, (one, other) in enumerate(steps):
            done = min(max(part * len(steps) - i, 0.0), 1.0)
            if done > 0.0:
                a = self.places.anchor(*one, self.spread)
                b = self.places.anchor(*other, self.spread)
                x, y, z = (p + (q - p) * done for p, q in zip(a, b, strict=True))
                self.put(MarkKind.LINE, a, "win", 1.2, to=(x, y, z), over=True)

    def cutters(self, sign: Sign) -> list[int]:
        """Return the two points at which marbles pass over a contact."""
        one, other = sorted((sign.point, sign.to))
        contacts = pyramid(self.places.sizes[sign.board]).contacts
        return list(bits(next((cut for p, q, cut in contacts if (p, q) == (one, other)), 0)))

    def dyed(self, at: Vector, colour: int) -> None:
        """Append a ring in the given colour, on top of a wider light ring.

        The light ring keeps the coloured ring visible on any background.
        """
        self.put(MarkKind.CIRCLE, at, "legal", self.radius, width=_LINED)
        shade = self.theme.marble(colour)
        self.marks.append(Mark(MarkKind.CIRCLE, at, shade, self.radius, width=_DYE))

    def locked(self, sign: Sign) -> None:
        """Append a knot on a point where no marble may be placed.

        If a single colour is still allowed, append a dot of that colour on a light disc instead.
        """
        place = self.ground(sign) or self.bead(sign)
        if not sign.colours:
            if (sign.board, sign.point) in self.standing:
                self.glyph(MarkKind.KNOT, sign)
            else:
                self.put(MarkKind.KNOT, place, "legal", TICK_PIXELS)
            return
        self.put(MarkKind.DOT, place, "legal", 1.2 * TICK_PIXELS)
        shade = self.theme.marble(sign.colours[0])
        self.marks.append(Mark(MarkKind.DOT, place, shade, 0.8 * TICK_PIXELS))

    def entry(self, sign: Sign, hidden: bool) -> None:
        """Append the chevron in front of a row, larger if it is highlighted.

        If marbles hide the chevron, append a dashed ring instead. The ring shows through the marbles only if it is
        highlighted.
        """
        end = self.entry_at(sign)
        colour = "last" if sign.strong else "legal"
        if hidden:
            alpha = 1.0 if sign.strong else HIDDEN_ALPHA
            self.put(MarkKind.DASHED, end, colour, ENTRY, alpha, over=sign.strong)
            return
        size, width = (0.2, 2.2 * STROKE) if sign.strong else (ENTRY, 1.4 * STROKE)
        self.put(MarkKind.CHEVRON, end, colour, size, to=self.at(sign), width=width)

    def entry_at(self, sign: Sign) -> Vector:
        """Return the position of the chevron for a sign."""
        return self.places.entry_mark(sign.board, sign.point, sign.side, self.spread, self.back).at

    def origin(self, sign: Sign, at: Vector) -> None:
        """Append a dashed outline at the point from which the marble in hand was lifted.

        If another marble has fallen into its place, the outline surrounds that marble.
        """
        if (sign.board, sign.point) in self.standing:
            self.put(MarkKind.DASHED, at, "legal", self.radius)
        elif ground := self.ground(sign):
            self.put(MarkKind.FLAT_DASHED, ground, "legal", RING)
        else:
            self.put(MarkKind.DASHED, self.bead(sign), "legal", BEAD)

    def legal(self, sign: Sign, hidden: bool, many: bool) -> None:
        """Append the mark of a point that can be chosen.

        ``hidden`` is set if marbles cover the point, and ``many`` if there are too many choices for full-size rings.
        """
        if (sign.board, sign.point) in self.ghosts:
            return
        ground = self.ground(sign)
        at = ground or self.bead(sign)
        if (sign.board, sign.point) in self.standing:
            # A marble that can be chosen has the same tick as one that can be lifted.
            self.tick(sign)
        elif hidden:
            shape, size = (MarkKind.FLAT_DASHED, RING) if ground else (MarkKind.DASHED, BEAD)
            self.put(shape, at, "legal", size, HIDDEN_ALPHA)
        elif many and ground:
            self.put(MarkKind.DOT, ground, "legal", DOT_PIXELS / 2)
        elif len(sign.colours) > 1:
            shape, size = (MarkKind.RING, RING) if ground else (MarkKind.CIRCLE, BEAD)
            part = 1 / len(sign.colours)
            # The light ring keeps dark colours visible on a dark board.
            self.put(shape, at, "legal", size, width=_LINED)
            for i, colour in enumerate(sign.colours):
                shade = self.theme.marble(colour)
                self.marks.append(
                    Mark(shape, at, shade, size, begin=i * part, part=part, width=_DYE),
                )
        elif ground:
            self.put(MarkKind.RING, ground, "legal", RING)
        else:
            # The glass is hard to see in front of white marbles, and its outline in front of black ones.
            self.beads.append(Ball(*at, 0, radius=BEAD, glass=1.0))
            self.put(MarkKind.CIRCLE, at, "legal", BEAD)

    def signs_hidden(self, signs: Sequence[Sign]) -> list[bool]:
        """Return, for each sign of a legal choice, whether marbles hide it from the camera."""
        centres, sizes, flat = [], [], []
        for sign in signs:
            ground = self.ground(sign) if sign.kind is not SignKind.ENTRY else None
            centres.append(self.entry_at(sign) if sign.kind is SignKind.ENTRY else ground or self.bead(sign))
            sizes.append(ENTRY if sign.kind is SignKind.ENTRY else RING if ground else BEAD)
            flat.append(ground is not None)
        covered = self.covered(centres, sizes, flat)
        return [
            self.faces[key] is None if (key := (sign.kind, sign.board, sign.point)) in self.faces else hidden
            for sign, hidden in zip(signs, covered, strict=True)
        ]

    def face(self, signs: Sequence[Sign]) -> None:
        """Find a position for each sign that is drawn on a marble.

        This is the preferred position if the sign is fully visible there, and otherwise the position at which most of
        it is visible. A sign that is visible nowhere counts as hidden. Signs on empty cells are placed as if a marble
        were there.
        """
        faced = [
            sign
            for sign in signs
            if sign.kind in _FACED
            and (sign.kind is not SignKind.LEGAL or (sign.board, sign.point) in self.standing)
        ]
        if not faced:
            return
        middles = np.array([self.at(sign) for sign in faced])
        liked = np.array([_FACED[sign.kind] for sign in faced])[:, None, :]
        hiding = self.before(middles)
        seen = self.clear(middles, liked, hiding)[:, 0]
        partly = np.flatnonzero(seen < len(_CROSS))
        if len(partly):
            everywhere = np.broadcast_to(_PLACES, (len(partly), *_PLACES.shape))
            found = self.clear(middles[partly], everywhere, hiding[partly])
            # Among the most visible positions, take the one nearest to the preferred one.
            off = _PLACES - liked[partly]
            best = (found * 10.0 - np.sqrt(np.einsum("npk,npk->np", off, off))).argmax(axis=1)
            liked[partly, 0], seen[partly] = _PLACES[best], found[np.arange(len(partly)), best]
        places = middles + self.right * liked[:, 0, :1] + self.up * liked[:, 0, 1:]
        for sign, (x, y, z), part in zip(faced, places.tolist(), seen.tolist(), strict=True):
            self.faces[sign.kind, sign.board, sign.point] = (x, y, z) if part > len(_CROSS) / 2 else None

    def before(self, middles: Array) -> Array:
        """Return the centres (n, k, 3) of the marbles that may hide the marbles at ``middles``.

        Rows with fewer than k marbles are padded with a point far away.
        """
        way = middles - self.eye
        length = np.sqrt(np.einsum("ij,ij->i", way, way))
        to = self.solid - self.eye
        along = (way / length[:, None]) @ to.T
        off = np.sqrt(np.maximum(np.einsum("ij,ij->i", to, to) - along * along, 0.0))
        own = np.linalg.norm(middles[:, None, :] - self.solid[None, :, :], axis=2) < 0.9 * self.radius
        near = (off < 2 * self.radius) & (along < length[:, None] + self.radius) & ~own
        most = int(near.sum(axis=1).max(initial=0))
        which = np.argsort(~near, axis=1, kind="stable")[:, :most]
        found: Array = np.where(np.take_along_axis(near, which, 1)[:, :, None], self.solid[which], 1e6)
        return found

    def clear(self, middles: Array, places: Array, hiding: Array) -> Array:
        """Return how many sample points of signs are visible at each of ``places``.

        The result is an (n, p) array. ``places`` (n, p, 2) contains offsets to the right and up in the picture from
        ``middles`` (n, 3). ``hiding`` (n, k, 3) contains the centres of the marbles that may hide the signs.
        """
        at = places[:, :, None, :] + _CROSS * _GLYPH
        samples = middles[:, None, None, :] + at[..., :1] * self.right + at[..., 1:] * self.up
        way = samples - self.eye
        length = np.sqrt(np.einsum("npsk,npsk->nps", way, way))
        way /= length[..., None]
        to = hiding - self.eye
        along = np.einsum("npsk,nbk->npsb", way, to)
        inside = self.radius**2 - np.einsum("nbk,nbk->nb", to, to)[:, None, None, :] + along**2
        covered = (inside > 0.0) & (along - np.sqrt(np.maximum(inside, 0.0)) < length[..., None])
        result: Array = (~covered.any(axis=3)).sum(axis=2)
        return result

    def covered(self, centres: Sequence[Vector], sizes: Sequence[float], flat: Sequence[bool]) -> list[bool]:
        """Return, for each disc, whether marbles hide it from the camera.

        The discs have the given centres and radii. A disc for which ``flat`` is set lies horizontally; all others face
        the camera.
        """
        if not len(self.solid) or not centres:
            return [False] * len(centres)
        middle = np.array(centres)
        # Five samples: the centre and the ends of a cross, which lies on the board or faces the camera.
        across = np.cross(self.up, self.eye - middle)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        east, north = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        lies = np.array(flat)[:, None]
        first = np.where(lies, east, across) * np.array(sizes)[:, None]
        second = np.where(lies, north, self.up) * np.array(sizes)[:, None]
        samples = np.stack([middle, middle + first, middle - first, middle + second, middle - second], 1)
        way = samples - self.eye
        length = np.linalg.norm(way, axis=2)
        way /= length[:, :, None]
        to = self.solid - self.eye
        along = np.einsum("psk,bk->psb", way, to)
        off = np.einsum("bk,bk->b", to, to) - along**2
        own = np.linalg.norm(middle[:, None, :] - self.solid[None, :, :], axis=2) < self.radius * 0.9
        covered = (off < self.radius**2) & (along < length[:, :, None]) & ~own[:, None, :]
        seen = 1.0 - covered.any(axis=2).mean(axis=1)
        return [bool(part < _SEEN) for part in seen]


_CROSS = np.array([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
# Candidate positions of a sign on a marble.
_PLACES = np.array(
    [(0.0, 0.0), *_FACED.values()]
    + [
        (part * _ROOM * math.cos(math.tau * i / count), part * _ROOM * math.sin(math.tau * i / count))
        for part, count in ((0.5, 8), (1.0, 16))
        for i in range(count)
    ]
)
