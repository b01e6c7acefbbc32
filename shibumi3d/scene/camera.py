"""Camera that orbits the boards within limits, and the choice of a view that shows everything."""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from pyrr import matrix44

from shibumi3d.scene.marbles.layout import RADIUS, TABLE, Array, Vector, half_side, layout
from shibumi3d.scene.marbles.layout import TOP as SURFACE
from shibumi3d.scene.motion import Edge, Edges

FIELD = 22.0  # vertical field of view in degrees: like a 52 mm lens at 16:9
FAR = 6.0  # the same for the exploded view: from so far away that levels hardly overlap
PITCH = (20.0, 90.0)
ZOOM = (0.7, 1.8)
WIDEST = 4.0  # aspect ratio at which only the height limits the distance
NARROW = 1e-3  # minimum aspect ratio; narrower frames count as this wide
STEP = 1.08  # maximum factor of one wheel event
DEGREES_A_PIXEL = 0.35
HOME_YAW = -24.0
HOME_PITCH = 36.0
MARGIN = 0.04  # fraction of the frame's height kept free on every side

ROOM = 1.14  # ``Camera.back`` of the initial view
FARTHEST = 1.75  # its maximum, if much is beside the boards or covers the frame
NEAREST = 0.8  # its minimum for tables with a hull, beside panels
STEPS = 24  # steps from ROOM to FARTHEST that are tried
# Minimum height of a board, as a fraction of the frame's. If several would be smaller, look at one of them.
LEAST = 0.45
ROW = 0.2  # how far off-centre the first or last board is then, so that the others show beside it
ASIDE = 0.55  # maximum horizontal shift to avoid panels, in half widths of the frame

Panel: TypeAlias = tuple[float, float, float, float]


SWING = 75.0
"""Maximum deviation of the yaw from the initial view, in degrees, if items must stay readable."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Immutable view of the boards, or of another kind of table.

    ``yaw`` is the direction of the eye from the target in degrees, 0 for south and 90 for east. ``pitch`` is the angle
    of the eye above the horizon, clamped to 20-90 degrees. ``target`` is the point looked at, and ``shift`` is its
    position in the frame, from -1 to 1, rightward and upward.

    ``zoom`` and ``back`` multiply the distance at which full pyramids on boards of ``sizes`` fit into the frame.
    ``zoom`` is set by the user and clamped to 0.7-1.8; ``back`` makes room for objects beside the boards. ``alone`` is
    0 if all boards have to fit, and 1 if only the targeted board has to.

    ``apart`` is 0 for a normal view and 1 for the exploded view, which has a field of view of ``FAR`` degrees. In the
    exploded view, ``span`` is the height of the frame in world units, measured in the plane through the target. During
    transitions, ``alone`` and ``apart`` have values between 0 and 1.

    For other kinds of table, the corners in ``hull`` have to fit instead of boards. ``start`` is the yaw and pitch of
    their initial view.
    """

    yaw: float = HOME_YAW
    pitch: float = HOME_PITCH
    zoom: float = 1.0
    target: Vector = (0.0, 0.0, 0.0)
    sizes: tuple[int, ...] = (4,)
    shift: tuple[float, float] = (0.0, 0.0)
    back: float = 1.0
    alone: float = 0.0
    span: float = 0.0
    apart: float = 0.0
    hull: tuple[Vector, ...] = ()
    start: tuple[float, float] = (HOME_YAW, HOME_PITCH)

    def __post_init__(self) -> None:
        object.__setattr__(self, "yaw", (self.yaw + 180) % 360 - 180)
        if self.hull:
            # Items on such a table must be readable, so never show them upside down.
            yaw = min(max(self.yaw - self.start[0], -SWING), SWING)
            object.__setattr__(self, "yaw", self.start[0] + yaw)
        object.__setattr__(self, "pitch", min(max(self.pitch, PITCH[0]), PITCH[1]))
        object.__setattr__(self, "zoom", min(max(self.zoom, ZOOM[0]), ZOOM[1]))

    def orbit(self, dx: float, dy: float) -> Camera:
        """Return the camera after a drag by (dx, dy) logical pixels, with y pointing down.

        The table turns in the direction of the drag.
        """
        return self.turned(-dx * DEGREES_A_PIXEL, dy * DEGREES_A_PIXEL)

    def turned(self, yaw: float, pitch: float = 0.0) -> Camera:
        """Return the camera rotated by ``yaw`` and ``pitch`` degrees."""
        return replace(self, yaw=self.yaw + yaw, pitch=self.pitch + pitch)

    def zoomed(self, steps: float) -> Camera:
        """Return the camera after ``steps`` of the mouse wheel; a positive number moves it closer.

        A step changes the distance by 8 %. One call changes it by at most one step.
        """
        return replace(self, zoom=self.zoom * STEP ** -min(max(steps, -1.0), 1.0))

    def home(self) -> Camera:
        """Return the camera turned and zoomed to the initial view.

        A single board is seen at a slight angle. For a row of boards, which is wide, the angle is smaller.
        """
        if self.hull:
            return replace(self, yaw=self.start[0], pitch=self.start[1], zoom=1.0)
        plan = layout(self.sizes)
        return replace(self, yaw=HOME_YAW * plan.depth / plan.reach, pitch=HOME_PITCH, zoom=1.0)

    def within(self, home: Camera) -> Camera:
        """Return this view with target, framing and margins taken from ``home``."""
        return replace(self, target=home.target, alone=home.alone, shift=home.shift, back=home.back)

    def near(self, board: int) -> Camera:
        """Return a view of one of several boards, framed like the initial view of a single board.

        The camera is east of south for boards in the eastern half and west of south for the others, so that the other
        boards are in the background.
        """
        x, y = layout(self.sizes).origins[board]
        z = _home((max(self.sizes),)).target[2]
        # The other boards should be farther away. Seen from the west of south, those in the east are.
        yaw = HOME_YAW if 2 * board < len(self.sizes) else -HOME_YAW
        return replace(self, yaw=yaw, zoom=1.0, target=(x, y, z), shift=(0.0, 0.0), back=ROOM, alone=1.0)

    def top(self) -> Camera:
        """Return the view from straight above, with north up."""
        return replace(self, yaw=0.0, pitch=90.0)

    def side(self, index: int) -> Camera:
        """Return the view from a side.

        ``index`` is an index into ``pyramid.SIDES``: west, east, south, north.
        """
        return replace(self, yaw=(-90.0, 90.0, 0.0, 180.0)[index], pitch=28.0)

    def towards(self, other: Camera, part: float) -> Camera:
        """Return the view at fraction ``part`` of the way to ``other``.

        The camera turns in the shorter direction.
        """
        if part >= 1.0:
            return other
        turn = (other.yaw - self.yaw + 180) % 360 - 180

        def mix(a: float, b: float) -> float:
            return a + (b - a) * part

        return Camera(
            self.yaw + turn * part,
            mix(self.pitch, other.pitch),
            mix(self.zoom, other.zoom),
            (
                mix(self.target[0], other.target[0]),
                mix(self.target[1], other.target[1]),
                mix(self.target[2], other.target[2]),
            ),
            other.sizes,
            (mix(self.shift[0], other.shift[0]), mix(self.shift[1], other.shift[1])),
            mix(self.back, other.back),
            mix(self.alone, other.alone),
            # A view without a span of its own takes that of the other.
            mix(self.span or other.span, other.span or self.span),
            mix(self.apart, other.apart),
            other.hull,
            other.start,
        )

    def distance(self, aspect: float) -> float:
        """Return the distance from the eye to the target for a frame with this aspect ratio."""
        if not self.apart:
            return self.zoom * self.back * _fitting(self, aspect)
        whole = 2 * math.tan(math.radians(FIELD / 2)) * self.back * _fitting(self, aspect)
        return self.zoom * (whole + (self.span - whole) * self.apart) / (2 * self.slope)

    @property
    def field(self) -> float:
        """Vertical field of view, in degrees."""
        return FIELD + (FAR - FIELD) * self.apart

    @property
    def slope(self) -> float:
        """Tangent of half the vertical field of view."""
        return math.tan(math.radians(self.field / 2))

    def axes(self) -> tuple[Array, Array, Array]:
        """Return the unit vectors of the view: right, up and backward (from target to eye), (3,) each."""
        return _axes(self.yaw, self.pitch)

    def eye(self, aspect: float) -> Array:
        """Return the position of the eye (3,)."""
        return np.array(self.target) + self.axes()[2] * self.distance(aspect)

    def edges(self, aspect: float) -> Edges:
        """Return the top, bottom, left and right limits within which a marble is fully visible."""
        return _edges(self, aspect)

    def matrices(self, aspect: float) -> tuple[Array, Array]:
        """Return the view and projection matrices, (4, 4) each.

        They apply to row vectors: ``[x, y, z, 1] @ view @ projection``.
        """
        return _matrices(self, max(aspect, NARROW))

    def ray(self, x: float, y: float, width: float, height: float) -> tuple[Array, Array]:
        """Return the ray through pixel (x, y), as its origin and unit direction.

        Pixels are counted from the top left corner.
        """
        eye, ways = self.rays(np.array([[x, y]]), width, height)
        return eye, ways[0]

    def rays(self, places: Array, width: float, height: float) -> tuple[Array, Array]:
        """Return the rays through pixels (n, 2): the eye (3,) and unit directions (n, 3)."""
        right, up, back = self.axes()
        tall = self.slope
        width, height = max(width, 1.0), max(height, 1.0)
        aside, above = self.shift
        across = (2 * places[:, :1] / width - 1 - aside) * (tall * width / height)
        upward = (1 - 2 * places[:, 1:] / height - above) * tall
        ways = across * right + upward * up - back
        ways /= np.sqrt(np.einsum("ij,ij->i", ways, ways))[:, None]
        return self.eye(width / height), ways

    def project(self, points: Array, width: float, height: float) -> tuple[Array, Array]:
        """Project ``points`` (n, 3) to pixels.

        Returns pixels (n, 2), counted from the top left corner, and depths (n,) along the view direction.
        """
        view, projection = self.matrices(max(width, 1.0) / max(height, 1.0))
        at = np.atleast_2d(np.asarray(points, dtype=np.float64))
        clip = np.column_stack([at, np.ones(len(at))]) @ view @ projection
        screen = clip[:, :2] / clip[:, 3:]
        return (screen * (0.5, -0.5) + 0.5) * (width, height), clip[:, 3]

    def pixels(self, radius: float, depth: Array, height: float) -> Array:
        """Return the size in pixels of an object of ``radius`` world units at depths ``depth`` (n,)."""
        return radius * height / (2 * self.slope * depth)


@functools.lru_cache(maxsize=64)
def _axes(yaw: float, pitch: float) -> tuple[Array, Array, Array]:
    yaw, pitch = math.radians(yaw), math.radians(pitch)
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    back = np.array([math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch), math.sin(pitch)])
    axes = right, np.cross(back, right), back
    for axis in axes:
        axis.setflags(write=False)
    return axes


@functools.lru_cache(maxsize=32)
def _outermost(sizes: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the corners (n, 3) of the boards, and the centres (m, 3) of the outermost marbles.

    The outermost marbles are those at the corners of the pyramids; their convex hull contains all others.
    """
    plan = layout(sizes)
    slabs = [
        (x + sx * half_side(size), y + sy * half_side(size), z)
        for size, (x, y) in zip(sizes, plan.origins, strict=True)
        for sx in (-1, 1)
        for sy in (-1, 1)
        for z in (SURFACE, TABLE)
    ]
    marbles = [
        points[p]
        for size, points in zip(sizes, plan.points, strict=True)
        for p in (0, size - 1, size * (size - 1), size * size - 1, len(points) - 1)
    ]
    return np.array(slabs), np.array(marbles)


@functools.lru_cache(maxsize=64)
def _fitting(camera: Camera, aspect: float) -> float:
    """Return the distance from the target at which everything fits into the frame."""
    # A single board keeps its initial size while it rotates; a row needs more distance at some angles.
    yaw = HOME_YAW if len(camera.sizes) == 1 else camera.yaw
    if camera.hull:
        return _fit_hull(camera.hull, camera.target, camera.yaw, camera.pitch, aspect)
    need = 0.0
    if camera.alone < 1.0:
        need += (1.0 - camera.alone) * _fit(camera.sizes, camera.target, yaw, camera.pitch, aspect)
    if camera.alone > 0.0:
        above = (0.0, 0.0, camera.target[2])
        need += camera.alone * _fit((max(camera.sizes),), above, HOME_YAW, camera.pitch, aspect)
    return need


def _fit_hull(hull: tuple[Vector, ...], target: Vector, yaw: float, pitch: float, aspect: float) -> float:
    right, up, back = _axes(yaw, pitch)
    points = np.array(hull) - target
    tall, margin = math.tan(math.radians(FIELD / 2)), 2 * MARGIN
    wide = points @ back + np.abs(points @ right) / (tall * max(aspect - margin, 0.1))
    high = points @ back + np.abs(points @ up) / (tall * (1 - margin))
    return float(np.maximum(wide, high).max())


def _fit(sizes: tuple[int, ...], target: Vector, yaw: float, pitch: float, aspect: float) -> float:
    right, up, back = _axes(yaw, pitch)
    slabs, marbles = (points - target for points in _outermost(sizes))
    aside = np.concatenate([np.abs(slabs @ right), np.abs(marbles @ right) + RADIUS])
    above = np.concatenate([slabs @ up, marbles @ up + RADIUS, marbles @ up - RADIUS])
    toward = np.concatenate([slabs @ back, marbles @ back, marbles @ back])
    aside = np.concatenate([aside, aside[len(slabs) :]])
    tall, margin = math.tan(math.radians(FIELD / 2)), 2 * MARGIN
    wide = toward + aside / (tall * max(aspect - margin, 0.1))
    high = toward + np.abs(above) / (tall * (1 - margin))
    return float(np.maximum(wide, high).max())


@functools.lru_cache(maxsize=64)
def _edges(camera: Camera, aspect: float) -> Edges:
    eye = camera.eye(aspect)
    right, up, back = camera.axes()

    def edge(way: Array, slope: float, shift: float) -> Edge:
        out = way + slope * (1.0 - shift) * back
        out /= np.linalg.norm(out)
        return Edge(*(float(number) for number in (*out, out @ eye - RADIUS)))

    aside, above = camera.shift
    wide = camera.slope * aspect
    return (
        edge(up, camera.slope, above),
        edge(-up, camera.slope, -above),
        edge(-right, wide, -aside),
        edge(right, wide, aside),
    )


@functools.lru_cache(maxsize=64)
def _matrices(camera: Camera, aspect: float) -> tuple[Array, Array]:
    distance = camera.distance(aspect)
    eye = camera.eye(aspect)
    # With the camera's own up vector, looking straight down is no special case.
    view = matrix44.create_look_at(eye, np.array(camera.target), camera.axes()[1])
    reach = max(math.hypot(x, y) for x, y, _ in camera.hull) if camera.hull else layout(camera.sizes).reach
    near, far = max(distance - 3 * reach, 0.1), distance + 12 * reach
    projection = matrix44.create_perspective_projection(camera.field, aspect, near, far)
    projection[2, :2] -= camera.shift  # moves the target away from the centre of the frame
    return np.asarray(view, dtype=np.float64), np.asarray(projection, dtype=np.float64)


def home(
    sizes: Sequence[int],
    aspect: float = 16 / 9,
    around: Sequence[tuple[Vector, ...]] = (),
    panels: Sequence[Panel] = (),
    *,
    passing: Sequence[Panel] = (),
    above: bool = False,
    board: int = 0,
) -> Camera:
    """Return the initial view of boards of ``sizes``, or the view from straight above.

    It shows full pyramids and the things ``around`` them, each given by the corners of its hull. None of these is
    covered by ``panels`` or by the temporary panels in ``passing``. A panel is (left, top, right, bottom), in fractions
    of a frame with the aspect ratio ``aspect``.

    If that is impossible, requirements are dropped in this order: first, temporary panels may cover something; then
    things around the boards may be covered or cut off; finally, any panel may cover the boards. If several boards would
    all appear too small, only ``board``, the board in use, has to be visible.

    Raises ValueError if ``board`` does not exist.
    """
    if not 0 <= board < len(sizes):
        raise ValueError(f"there is no board {board}")
    return _roomy(tuple(sizes), aspect, tuple(around), tuple(panels), tuple(passing), above, board)


def home_of(
    hull: Sequence[Vector],
    start: tuple[float, float],
    aspect: float = 16 / 9,
    panels: Sequence[Panel] = (),
    *,
    above: bool = False,
) -> Camera:
    """Return the initial view of a table with this ``hull``, not covered by ``panels`` if possible.

    Its yaw and pitch are given by ``start``; if ``above`` is set, it is the view from straight above instead. Panels
    are given as in :func:`home`.
    """
    low, high = np.array(hull).min(0), np.array(hull).max(0)
    x, y, z = (float(number) for number in (low + high) / 2)
    view = Camera(start[0], start[1], target=(x, y, z), hull=tuple(hull), start=start)
    view = view.top() if above else view
    if not panels:
        return view
    # A table seen at an angle leaves room above it, so the eye may come nearer if the frame is shifted.
    for way in (replace(view, back=NEAREST), view):
        if found := _placed(way, (), aspect, (), tuple(panels)):
            return found
    return view


@functools.lru_cache(maxsize=512)
def _roomy(
    sizes: tuple[int, ...],
    aspect: float,
    around: tuple[tuple[Vector, ...], ...],
    panels: tuple[Panel, ...],
    passing: tuple[Panel, ...],
    above: bool,
    board: int,
) -> Camera:
    whole = _home(sizes).top() if above else _home(sizes)
    if not around and not panels and not passing:
        return whole
    whole = replace(whole, back=ROOM)
    covered = list(dict.fromkeys((panels + passing, panels)))
    every = (board, *(number for number in range(len(sizes)) if number != board))
    views = [(whole, every)]
    if len(sizes) > 1:
        alone = whole.near(board).top() if above else whole.near(board)
        if not _large(whole, aspect, board):
            views = []
        # In a narrow frame, larger angles place the boards behind each other rather than side by side.
        turned = [alone.yaw * (1 + step / 5) for step in range(1 if above else 9)]
        near = [(replace(alone, yaw=yaw), every) for yaw in turned]
        views = views + near if above else near + views
    # Showing all boards uncovered matters more than the things around them. Showing one board uncovered is better than
    # showing several that are partly covered or cut off.
    free = [[(things, covering) for covering in covered] for things in dict.fromkeys((around, ()))]
    tries = [(view, *each) for way in free for view in views for each in way]
    if len(sizes) > 1:
        views.append((alone, (board,)))
        tries += [(views[-1], *each) for way in free for each in way]
    tries += [(view, *each) for each in ((around, ()), ((), ())) for view in views]
    for (view, boards), things, covering in tries:
        found = _placed(view, boards, aspect, things, covering)
        if found is not None and (view.alone or len(sizes) == 1 or _large(found, aspect, board)):
            return found
    return tries[-1][0][0]


@functools.lru_cache(maxsize=128)
def _placed(
    view: Camera,
    boards: tuple[int, ...],
    aspect: float,
    around: tuple[tuple[Vector, ...], ...],
    panels: tuple[Panel, ...],
) -> Camera | None:
    """Return ``view`` from as close as possible, with ``boards`` near the middle of the free area.

    Return None if something is covered or cut off at every distance tried.
    """
    ways = [
        replace(view, back=view.back * (1 + (FARTHEST / ROOM - 1) * step / STEPS))
        for step in range(STEPS + 1)
    ]
    if view.alone:
        # Things beside a row of boards may be far from the one that is looked at.
        ways = (
            ways[: STEPS // 3 if around else STEPS + 1]
            if len(boards) == 1
            else _larger(ways, aspect, boards[0])
        )
    # The views in ``ways`` differ only in distance.
    things, nearest = _things(view, boards, around), _nearest(panels)
    middle = np.array(_middle(panels))
    if 0 < len(boards) < len(view.sizes):
        middle[0] += ROW * (2 * boards[0] / (len(view.sizes) - 1) - 1)
    if view.alone and (not ways or _clear(ways[-1], aspect, things, nearest, middle) is None):
        return None
    first = None
    best, least = None, math.inf
    for step, way in enumerate(ways):
        found = _clear(way, aspect, things, nearest, middle)
        if found is None:
            continue
        first = step if first is None else first
        shift, off = found
        # Going a little farther away is worth it if that brings the boards nearer to the middle.
        cost = off + 2.0 * way.back / view.back
        if cost < least:
            best, least = replace(way, shift=shift), cost
        if step >= first + 3:
            break
    return best


def _larger(ways: list[Camera], aspect: float, board: int) -> list[Camera]:
    """Return the views in ``ways``, sorted from near to far, in which ``board`` is large enough."""
    return ways[: bisect.bisect_left(ways, True, key=lambda way: not _large(way, aspect, board))]


def _large(camera: Camera, aspect: float, board: int) -> bool:
    """Return whether the boards appear large enough; if only ``board`` is shown, only it counts."""
    for number, (size, (x, y)) in enumerate(zip(camera.sizes, layout(camera.sizes).origins, strict=True)):
        if camera.alone and number != board:
            continue
        pixels, _ = camera.project(_outermost((size,))[0] + np.array([x, y, 0.0]), aspect, 1.0)
        wide, high = np.ptp(pixels, axis=0)
        # If the frame is higher than wide, its width limits the size of a board.
        if high < LEAST and (aspect > 1.0 or wide < LEAST * aspect):
            return False
    return True


def _things(
    camera: Camera, boards: tuple[int, ...], around: tuple[tuple[Vector, ...], ...]
) -> tuple[list[Array], int]:
    """Return the corners (n, 3) of each thing that must be fully visible, and a count.

    The hull and the boards come first, then the things ``around`` the boards. The count is the number of things in the
    first group.
    """
    seen = [np.array(camera.hull)] if camera.hull else []
    for board in boards:
        size = camera.sizes[board]
        x, y = layout(camera.sizes).origins[board]
        slabs, marbles = _outermost((size,))
        up = camera.axes()[1]
        crown = [marbles + way * RADIUS for way in (up, -up, *np.eye(3)[:2], *-np.eye(3)[:2])]
        seen.append(np.concatenate([slabs, *crown]) + np.array([x, y, 0.0]))
    count = len(seen)
    return seen + [np.array(thing) for thing in around], count


@functools.lru_cache(maxsize=128)
def _nearest(panels: tuple[Panel, ...]) -> tuple[Array, ...]:
    """Return the distance to the nearest corner of each panel along each direction in ``_WAYS``.

    The unit is half the width of the frame horizontally, and half its height vertically.
    """
    found = []
    for left, top, right, bottom in panels:
        corners = np.array([(x, y) for x in (left, right) for y in (top, bottom)])
        found.append(((corners * (2.0, -2.0) + (-1.0, 1.0)) @ _WAYS.T).min(0))
    return tuple(found)


def _clear(
    camera: Camera, aspect: float, things: tuple[list[Array], int], nearest: tuple[Array, ...], middle: Array
) -> tuple[tuple[float, float], float] | None:
    """Return the shift that best centres the boards on ``middle``, and how far off they remain.

    The shift must keep everything in the frame and clear of the panels. Return None if no shift does.
    """
    seen, count = things
    pixels, _ = camera.project(np.concatenate(seen), 2.0, 2.0 / aspect)
    places = (pixels * (1.0, aspect) - 1.0) * (1.0, -1.0)
    parts = np.split(places, np.cumsum([len(points) for points in seen])[:-1])
    shifts, along = _SHIFTS, _ALONG
    for number, at in enumerate(parts):
        # The distance already leaves a margin around the boards.
        margin = np.array([1 / aspect, 1.0]) * (MARGIN * (2.0 if number < count else 0.8))
        margin -= 1e-3
        low, high = at.min(0) + shifts, at.max(0) + shifts
        within = ((low >= margin - 1) & (high <= 1 - margin)).all(1)
        shifts, along = shifts[within], along[within]
        reach = (at @ _WAYS.T).max(0)
        for near in nearest:
            free = (reach + along < near).any(1)
            shifts, along = shifts[free], along[free]
        if not len(shifts):
            return None
    shown = np.concatenate(parts[:count])
    wanted = middle - (shown.min(0) + shown.max(0)) / 2
    off = np.hypot((shifts[:, 0] - wanted[0]) * aspect, shifts[:, 1] - wanted[1])
    found = int(off.argmin())
    return (float(shifts[found, 0]), float(shifts[found, 1])), float(off[found])


def _middle(panels: tuple[Panel, ...]) -> tuple[float, float]:
    """Return the centre of the area that panels leave free, from -1 to 1, rightward and upward.

    Only panels that cross the horizontal or vertical centre line of the frame are taken into account.
    """
    low, high = [0.0, 0.0], [1.0, 1.0]
    for left, top, right, bottom in panels:
        for axis, (begin, end), (one, other) in (
            (0, (left, right), (top, bottom)),
            (1, (top, bottom), (left, right)),
        ):
            if one < 0.5 < other:
                if (begin + end) / 2 < 0.5:
                    low[axis] = max(low[axis], end)
                else:
                    high[axis] = min(high[axis], begin)
    return low[0] + high[0] - 1.0, 1.0 - low[1] - high[1]


_WAYS = np.array([(math.cos(a), math.sin(a)) for a in np.arange(24) * math.tau / 24])
_SHIFTS = np.array([(x * ASIDE / 24, y * 0.4 / 16) for x in range(-24, 25) for y in range(-16, 17)])
_ALONG = _SHIFTS @ _WAYS.T


@functools.lru_cache(maxsize=32)
def _home(sizes: tuple[int, ...]) -> Camera:
    top = layout(sizes).height
    # Choose the height of the target at which the boards fit from the shortest distance.
    views = [Camera(target=(0.0, 0.0, top * part / 40 - 0.4), sizes=sizes).home() for part in range(41)]
    return min(views, key=lambda view: _fitting(view, WIDEST))


HOME = home((4,))
TOP = HOME.top()
