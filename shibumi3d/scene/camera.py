"""Camera that orbits the table within limits, and the choice of its initial view."""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from pyrr import matrix44

from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, RADIUS, TABLE_Z, Array, Vector, half_side, make_layout
from shibumi3d.scene.motion import FrameEdge, FrameEdges

FIELD_OF_VIEW_DEGREES = 22.0  # vertical field of view in degrees: like a 52 mm lens at 16:9
# The same for a single board: like an 82 mm lens. From farther away, the board looks wider relative to its height.
BOARD_FIELD_OF_VIEW_DEGREES = 14.0
# The same for the exploded view: from so far away that levels hardly overlap.
EXPLODED_FIELD_OF_VIEW_DEGREES = 6.0
PITCH_RANGE_DEGREES = (20.0, 90.0)
ZOOM_RANGE = (0.7, 1.8)
HEIGHT_LIMITED_ASPECT = 4.0  # aspect ratio at which only the height limits the distance
MIN_ASPECT = 1e-3  # minimum aspect ratio; narrower frames count as this wide
MIN_SIDE = 1e-3  # minimum width and height of a frame, in any unit; empty frames count as this large
WHEEL_STEP_FACTOR = 1.08  # maximum zoom factor of one wheel event
DEGREES_PER_PIXEL = 0.35
HOME_YAW_DEGREES = -24.0
HOME_PITCH_DEGREES = 38.0
FRAME_MARGIN = 0.04  # fraction of the frame's height kept free on every side
PAGE_MARGIN = 0.016  # the same on a page, where the boards fill the space that panels leave free
PAGE_HEADROOM = 0.035  # the same at the top of a page, so that marbles on their way to an apex are visible
BARE_HEADROOM = 0.064  # the same without panels, where the boards fill the frame and marbles are larger

# ``Camera.distance_factor`` of the initial view on a page: full pyramids fill the frame up to its margins.
HOME_DISTANCE_FACTOR = 0.955
MAX_DISTANCE_FACTOR = 1.85  # its maximum, for when things beside the boards or panels need much room
MAX_FOCUS_FACTOR = 1.44  # its maximum if one board is in focus and what is beside the row must be shown too
MIN_DISTANCE_FACTOR = 0.8  # its minimum for tables with a hull, if there are panels
DISTANCE_STEPS = 72  # steps from HOME_DISTANCE_FACTOR to MAX_DISTANCE_FACTOR
# Maximum width of a board on a page, as a fraction of the frame's width. Boards above MAX_USUAL_SIZE are exempt, so
# that their marbles are not too small. In frames up to the first of these aspect ratios, a board may fill the whole
# width; from the second one on, the maximum applies in full.
MAX_BOARD_WIDTH_FRACTION = 0.558
FULL_WIDTH_ASPECT, WIDE_ASPECT = 1.2, 1.6
MAX_USUAL_SIZE = 4  # maximum size of a board to which this maximum applies
# Minimum height of a board, as a fraction of the frame's. If several boards would be smaller, focus on one of them.
MIN_BOARD_HEIGHT_FRACTION = 0.45
END_BOARD_SHIFT = 0.2  # how far off-centre the first or last board then is, so that the others are visible
MAX_HORIZONTAL_SHIFT = 0.55  # maximum horizontal shift to avoid panels, in half widths of the frame

Panel: TypeAlias = tuple[float, float, float, float]


MAX_SWING_DEGREES = 75.0
"""Maximum deviation of the yaw from the initial view, in degrees, if items must stay readable."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Immutable view of the boards, or of another kind of table.

    ``yaw`` is the direction from the target to the eye in degrees: 0 for south, 90 for east. With a ``hull``, it stays
    within ``MAX_SWING_DEGREES`` of the initial yaw. ``pitch`` is the angle of the eye above the horizon; it is clamped
    to the range from 20 to 90 degrees. ``target`` is the point that the camera looks at. ``shift`` is the position of
    this point in the frame, rightward and upward: (0, 0) is the centre, (1, 1) the top right corner.

    ``zoom`` and ``distance_factor`` multiply the distance at which full pyramids on boards of ``sizes`` fit into the
    frame. ``zoom`` is set by the user and clamped to the range from 0.7 to 1.8; ``distance_factor`` makes room for
    panels and for objects beside the boards. ``board_focus`` is 0 if all boards have to fit, and 1 if only the targeted
    board has to fit.

    A single board is seen through a longer lens, which makes it look wider relative to its height; a row of boards is
    shown in stronger perspective, which makes it easier to tell them apart. ``exploded_fraction`` is 0 for a normal
    view and 1 for the exploded view, which has a field of view of ``EXPLODED_FIELD_OF_VIEW_DEGREES`` degrees. In the
    exploded view, ``frame_height`` is the height of the frame in world units at a zoom of 1, measured in the plane
    through the target; it replaces the fitted distance and ``distance_factor``. During transitions, ``board_focus`` and
    ``exploded_fraction`` have values between 0 and 1.

    If there is a ``hull``, its corners have to fit instead of the boards, and ``home_angles`` are the yaw and pitch of
    the initial view. Tables without marbles have a hull and no ``sizes``.
    """

    yaw: float = HOME_YAW_DEGREES
    pitch: float = HOME_PITCH_DEGREES
    zoom: float = 1.0
    target: Vector = (0.0, 0.0, 0.0)
    sizes: tuple[int, ...] = (4,)
    shift: tuple[float, float] = (0.0, 0.0)
    distance_factor: float = 1.0
    board_focus: float = 0.0
    frame_height: float = 0.0
    exploded_fraction: float = 0.0
    hull: tuple[Vector, ...] = ()
    home_angles: tuple[float, float] = (HOME_YAW_DEGREES, HOME_PITCH_DEGREES)

    def __post_init__(self) -> None:
        object.__setattr__(self, "yaw", (self.yaw + 180) % 360 - 180)
        if self.hull:
            # Items on such a table must be readable, so never show them upside down.
            yaw = min(max(self.yaw - self.home_angles[0], -MAX_SWING_DEGREES), MAX_SWING_DEGREES)
            object.__setattr__(self, "yaw", self.home_angles[0] + yaw)
        object.__setattr__(
            self, "pitch", min(max(self.pitch, PITCH_RANGE_DEGREES[0]), PITCH_RANGE_DEGREES[1])
        )
        object.__setattr__(self, "zoom", min(max(self.zoom, ZOOM_RANGE[0]), ZOOM_RANGE[1]))

    def orbit(self, dx: float, dy: float) -> Camera:
        """Return the camera after a drag by (dx, dy) logical pixels, with y pointing down.

        The table turns in the direction of the drag.
        """
        return self.rotated(-dx * DEGREES_PER_PIXEL, dy * DEGREES_PER_PIXEL)

    def rotated(self, yaw: float, pitch: float = 0.0) -> Camera:
        """Return the camera rotated by ``yaw`` and ``pitch`` degrees."""
        return replace(self, yaw=self.yaw + yaw, pitch=self.pitch + pitch)

    def zoomed(self, steps: float) -> Camera:
        """Return the camera after ``steps`` of the mouse wheel; a positive number moves it closer.

        A step changes the distance by a factor of 1.08. One call changes it by at most one step.
        """
        return replace(self, zoom=self.zoom * WHEEL_STEP_FACTOR ** -min(max(steps, -1.0), 1.0))

    def with_home_angles(self) -> Camera:
        """Return the camera turned and zoomed to the initial view.

        A single board is seen at a slight angle, and a row of boards at a smaller one. A camera with a ``hull`` turns
        to its ``home_angles``.
        """
        if self.hull:
            return replace(self, yaw=self.home_angles[0], pitch=self.home_angles[1], zoom=1.0)
        plan = make_layout(self.sizes)
        return replace(
            self,
            yaw=HOME_YAW_DEGREES * plan.half_diagonal / plan.horizontal_extent,
            pitch=HOME_PITCH_DEGREES,
            zoom=1.0,
        )

    def with_framing_of(self, home: Camera) -> Camera:
        """Return a copy of this camera with the target, board focus, shift and distance factor of ``home``."""
        return replace(
            self,
            target=home.target,
            board_focus=home.board_focus,
            shift=home.shift,
            distance_factor=home.distance_factor,
        )

    def focused_on(self, board: int) -> Camera:
        """Return a view of one of several boards, framed like the initial view of a single board.

        For boards in the eastern half, the camera is east of south; otherwise, it is west of south. This puts the other
        boards in the background.
        """
        x, y = make_layout(self.sizes).origins[board]
        z = _centred_home_camera((max(self.sizes),)).target[2]
        # The other boards should be farther away. Seen from the west of south, those in the east are.
        yaw = HOME_YAW_DEGREES if 2 * board < len(self.sizes) else -HOME_YAW_DEGREES
        return replace(
            self,
            yaw=yaw,
            zoom=1.0,
            target=(x, y, z),
            shift=(0.0, 0.0),
            distance_factor=HOME_DISTANCE_FACTOR,
            board_focus=1.0,
        )

    def from_above(self) -> Camera:
        """Return the view from straight above, with north up."""
        return replace(self, yaw=0.0, pitch=90.0)

    def from_side(self, side: int) -> Camera:
        """Return the view from a side, at a pitch of 28 degrees.

        ``side`` is an index into :data:`.SIDES`: west, east, south, north.
        """
        return replace(self, yaw=(-90.0, 90.0, 0.0, 180.0)[side], pitch=28.0)

    def interpolate(self, other: Camera, fraction: float) -> Camera:
        """Return the view at ``fraction`` of the way to ``other``.

        The camera turns in the shorter direction. ``sizes``, ``hull`` and ``home_angles`` are those of ``other``.
        """
        if fraction >= 1.0:
            return other
        turn = (other.yaw - self.yaw + 180) % 360 - 180

        def mix(a: float, b: float) -> float:
            return a + (b - a) * fraction

        return Camera(
            self.yaw + turn * fraction,
            mix(self.pitch, other.pitch),
            mix(self.zoom, other.zoom),
            (
                mix(self.target[0], other.target[0]),
                mix(self.target[1], other.target[1]),
                mix(self.target[2], other.target[2]),
            ),
            other.sizes,
            (mix(self.shift[0], other.shift[0]), mix(self.shift[1], other.shift[1])),
            mix(self.distance_factor, other.distance_factor),
            mix(self.board_focus, other.board_focus),
            # A view without a frame height of its own takes the other's.
            mix(self.frame_height or other.frame_height, other.frame_height or self.frame_height),
            mix(self.exploded_fraction, other.exploded_fraction),
            other.hull,
            other.home_angles,
        )

    def distance(self, aspect: float) -> float:
        """Return the distance from the eye to the target for a frame with this aspect ratio."""
        if not self.exploded_fraction:
            return self.zoom * self.distance_factor * _fitting_distance(self, aspect)
        whole = (
            2
            * math.tan(math.radians(self.normal_field_of_view / 2))
            * self.distance_factor
            * _fitting_distance(self, aspect)
        )
        return (
            self.zoom
            * (whole + (self.frame_height - whole) * self.exploded_fraction)
            / (2 * self.tan_half_fov)
        )

    @property
    def normal_field_of_view(self) -> float:
        """Vertical field of view in degrees when the view isn't exploded."""
        return BOARD_FIELD_OF_VIEW_DEGREES if len(self.sizes) == 1 else FIELD_OF_VIEW_DEGREES

    @property
    def field_of_view(self) -> float:
        """Vertical field of view, in degrees."""
        normal = self.normal_field_of_view
        return normal + (EXPLODED_FIELD_OF_VIEW_DEGREES - normal) * self.exploded_fraction

    @property
    def tan_half_fov(self) -> float:
        """Tangent of half the vertical field of view."""
        return math.tan(math.radians(self.field_of_view / 2))

    @property
    def horizontal_extent(self) -> float:
        """Maximum distance of the hull, or of the boards if there is no hull, from the vertical axis."""
        if self.hull:
            return max(math.hypot(x, y) for x, y, _ in self.hull)
        return make_layout(self.sizes).horizontal_extent

    def axes(self) -> tuple[Array, Array, Array]:
        """Return the unit vectors that point right, up and backward (from target to eye), each of shape (3,)."""
        return _axes(self.yaw, self.pitch)

    def eye(self, aspect: float) -> Array:
        """Return the position of the eye (3,) for a frame with this aspect ratio."""
        return np.array(self.target) + self.axes()[2] * self.distance(aspect)

    def frame_edges(self, aspect: float, top_margin: float = 0.0) -> FrameEdges:
        """Return the top, bottom, left and right edges of the frame.

        A marble is entirely within the frame if its centre is inside all four edges. ``top_margin`` is the fraction of
        the frame's height that is covered at the top.
        """
        return _frame_edges(self, aspect, top_margin)

    def matrices(self, aspect: float) -> tuple[Array, Array]:
        """Return the view and projection matrices, (4, 4) each.

        They apply to row vectors: ``[x, y, z, 1] @ view @ projection``.
        """
        return _matrices(self, max(aspect, MIN_ASPECT))

    def ray(self, x: float, y: float, width: float, height: float) -> tuple[Array, Array]:
        """Return the ray through pixel (x, y), as its origin and unit direction.

        Pixels are counted from the top left corner of a frame of ``width`` by ``height`` pixels.
        """
        eye, ways = self.rays(np.array([[x, y]]), width, height)
        return eye, ways[0]

    def rays(self, pixels: Array, width: float, height: float) -> tuple[Array, Array]:
        """Return the rays through ``pixels`` (n, 2): the position of the eye (3,) and unit directions (n, 3).

        ``width`` and ``height`` are the size of the frame in pixels.
        """
        right, up, back = self.axes()
        tall = self.tan_half_fov
        width, height = max(width, 1.0), max(height, 1.0)
        aside, above = self.shift
        across = (2 * pixels[:, :1] / width - 1 - aside) * (tall * width / height)
        upward = (1 - 2 * pixels[:, 1:] / height - above) * tall
        ways = across * right + upward * up - back
        ways /= np.sqrt(np.einsum("ij,ij->i", ways, ways))[:, None]
        return self.eye(width / height), ways

    def project(self, points: Array, width: float, height: float) -> tuple[Array, Array]:
        """Project ``points`` (n, 3) onto a frame of ``width`` by ``height`` pixels.

        Returns pixel coordinates (n, 2), measured from the top left corner, and depths (n,) along the view direction.
        """
        view, projection = self.matrices(max(width, MIN_SIDE) / max(height, MIN_SIDE))
        at = np.atleast_2d(np.asarray(points, dtype=np.float64))
        clip = np.column_stack([at, np.ones(len(at))]) @ view @ projection
        screen = clip[:, :2] / clip[:, 3:]
        return (screen * (0.5, -0.5) + 0.5) * (width, height), clip[:, 3]

    def projected_radius(self, radius: float, depth: Array, height: float) -> Array:
        """Return the radius in pixels of an object of ``radius`` world units at each depth in ``depth`` (n,).

        ``height`` is the height of the frame in pixels.
        """
        return radius * height / (2 * self.tan_half_fov * depth)


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
def _extreme_points(sizes: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the corners (n, 3) of the boards, and the centres (m, 3) of the outermost marbles.

    The outermost marbles are those at the corners of the pyramids; their convex hull contains all others.
    """
    plan = make_layout(sizes)
    slabs = [
        (x + sx * half_side(size), y + sy * half_side(size), z)
        for size, (x, y) in zip(sizes, plan.origins, strict=True)
        for sx in (-1, 1)
        for sy in (-1, 1)
        for z in (BOARD_TOP_Z, TABLE_Z)
    ]
    marbles = [
        points[p]
        for size, points in zip(sizes, plan.points, strict=True)
        for p in (0, size - 1, size * (size - 1), size * size - 1, len(points) - 1)
    ]
    return np.array(slabs), np.array(marbles)


@functools.lru_cache(maxsize=64)
def _fitting_distance(camera: Camera, aspect: float) -> float:
    """Return the distance from the target at which everything that ``camera`` must show fits into the frame."""
    # A single board keeps its initial size while it rotates; a row needs more distance at some angles.
    yaw = HOME_YAW_DEGREES if len(camera.sizes) == 1 else camera.yaw
    if camera.hull:
        return _fitting_distance_of_hull(camera, aspect)
    tall = math.tan(math.radians(camera.normal_field_of_view / 2))
    need = 0.0
    if camera.board_focus < 1.0:
        need += (1.0 - camera.board_focus) * _fitting_distance_of_boards(
            camera.sizes, camera.target, yaw, camera.pitch, aspect, tall
        )
    if camera.board_focus > 0.0:
        above = (0.0, 0.0, camera.target[2])
        need += camera.board_focus * _fitting_distance_of_boards(
            (max(camera.sizes),), above, HOME_YAW_DEGREES, camera.pitch, aspect, tall
        )
    return need


def _fitting_distance_of_hull(camera: Camera, aspect: float) -> float:
    right, up, back = camera.axes()
    points = np.array(camera.hull) - camera.target
    tall, margin = math.tan(math.radians(camera.normal_field_of_view / 2)), 2 * FRAME_MARGIN
    wide = points @ back + np.abs(points @ right) / (tall * max(aspect - margin, 0.1))
    high = points @ back + np.abs(points @ up) / (tall * (1 - margin))
    return float(np.maximum(wide, high).max())


def _fitting_distance_of_boards(
    sizes: tuple[int, ...], target: Vector, yaw: float, pitch: float, aspect: float, tall: float
) -> float:
    """Return how far from ``target`` the camera must be to show boards of ``sizes`` with full pyramids.

    ``tall`` is the tangent of half the vertical field of view.
    """
    right, up, back = _axes(yaw, pitch)
    slabs, marbles = (points - target for points in _extreme_points(sizes))
    aside = np.concatenate([np.abs(slabs @ right), np.abs(marbles @ right) + RADIUS])
    above = np.concatenate([slabs @ up, marbles @ up + RADIUS, marbles @ up - RADIUS])
    toward = np.concatenate([slabs @ back, marbles @ back, marbles @ back])
    aside = np.concatenate([aside, aside[len(slabs) :]])
    margin = 2 * FRAME_MARGIN
    wide = toward + aside / (tall * max(aspect - margin, 0.1))
    high = toward + np.abs(above) / (tall * (1 - margin))
    return float(np.maximum(wide, high).max())


@functools.lru_cache(maxsize=64)
def _frame_edges(camera: Camera, aspect: float, top_margin: float) -> FrameEdges:
    eye = camera.eye(aspect)
    right, up, back = camera.axes()

    def edge(way: Array, slope: float, shift: float) -> FrameEdge:
        out = way + slope * (1.0 - shift) * back
        out /= np.linalg.norm(out)
        return FrameEdge(*(float(number) for number in (*out, out @ eye - RADIUS)))

    aside, above = camera.shift
    wide = camera.tan_half_fov * aspect
    return (
        edge(up, camera.tan_half_fov, above + 2 * top_margin),
        edge(-up, camera.tan_half_fov, -above),
        edge(-right, wide, -aside),
        edge(right, wide, aside),
    )


@functools.lru_cache(maxsize=64)
def _matrices(camera: Camera, aspect: float) -> tuple[Array, Array]:
    distance = camera.distance(aspect)
    eye = camera.eye(aspect)
    # With the camera's own up vector, looking straight down is no special case.
    view = matrix44.create_look_at(eye, np.array(camera.target), camera.axes()[1])
    reach = camera.horizontal_extent
    # The lower edge of the frame always shows the table beyond half the distance.
    near, far = max(min(distance - 3 * reach, distance / 2), 0.1), distance + 12 * reach
    projection = matrix44.create_perspective_projection(camera.field_of_view, aspect, near, far)
    projection[2, :2] -= camera.shift  # moves the target away from the centre of the frame
    return np.asarray(view, dtype=np.float64), np.asarray(projection, dtype=np.float64)


def make_home_camera(
    sizes: Sequence[int],
    aspect: float = 16 / 9,
    surroundings: Sequence[tuple[Vector, ...]] = (),
    panels: Sequence[Panel] = (),
    *,
    temporary_panels: Sequence[Panel] = (),
    from_above: bool = False,
    board: int = 0,
) -> Camera:
    """Return the initial view of boards of ``sizes`` or, if ``from_above`` is set, the view from straight above.

    It shows full pyramids and the things around them (``surroundings``), each given by the corners of its hull. None of
    these is covered by ``panels`` or ``temporary_panels``. A panel is (left, top, right, bottom), in fractions of a
    frame with the aspect ratio ``aspect``.

    If that is impossible, requirements are dropped in this order: first, temporary panels may cover something; then
    things around the boards may be covered or cut off; finally, any panel may cover the boards.

    With several boards, the view normally focuses on ``board``, the board in use. It still shows all boards if
    possible; otherwise, the others may be cut off. From above, it focuses on ``board`` only if some board would appear
    too small or no view of all boards fits. Without surroundings and panels, it shows all boards without focusing on
    one.

    Raises ValueError if ``board`` does not exist, or if a size is not from 2 to 10.
    """
    if not 0 <= board < len(sizes):
        raise ValueError(f"there is no board {board}")
    return _find_home_camera(
        tuple(sizes), aspect, tuple(surroundings), tuple(panels), tuple(temporary_panels), from_above, board
    )


def make_home_camera_for_hull(
    hull: Sequence[Vector],
    home_angles: tuple[float, float],
    aspect: float = 16 / 9,
    panels: Sequence[Panel] = (),
    *,
    from_above: bool = False,
    sizes: Sequence[int] = (),
) -> Camera:
    """Return the initial view of a table with this ``hull``.

    If possible, ``panels`` do not cover the table. They are given as in :func:`make_home_camera`. The yaw and pitch of
    the view are ``home_angles``, unless ``from_above`` is set. In that case, the view is from straight above. ``sizes``
    contains the sizes of the boards on the table, if there are any. If there is exactly one board, the field of view is
    narrower.
    """
    low, high = np.array(hull).min(0), np.array(hull).max(0)
    x, y, z = (float(number) for number in (low + high) / 2)
    view = Camera(
        home_angles[0],
        home_angles[1],
        target=(x, y, z),
        sizes=tuple(sizes),
        hull=tuple(hull),
        home_angles=home_angles,
    )
    view = view.from_above() if from_above else view
    if not panels:
        return view
    # A table seen at an angle leaves room above it, so the eye may come nearer if the frame is shifted.
    for way in (replace(view, distance_factor=MIN_DISTANCE_FACTOR), view):
        if found := _move_clear_of_panels(way, (), aspect, (), tuple(panels)):
            return found
    return view


def make_group_camera(
    sizes: Sequence[int],
    aspect: float,
    surroundings: Sequence[tuple[Vector, ...]],
    panels: Sequence[Panel],
    *,
    from_above: bool = False,
) -> Camera:
    """Return an initial view in which the boards and what surrounds them are centred as one group.

    The arguments have the same meaning as those of :func:`make_home_camera`.
    """
    whole = _centred_home_camera(tuple(sizes))
    boards = _required_points(whole, tuple(range(len(sizes))), ())
    hull = [(float(x), float(y), float(z)) for corners in boards for x, y, z in corners]
    hull += [corner for corners in surroundings for corner in corners]
    angles = (HOME_YAW_DEGREES, HOME_PITCH_DEGREES)
    return make_home_camera_for_hull(hull, angles, aspect, panels, from_above=from_above, sizes=sizes)


@functools.lru_cache(maxsize=512)
def _find_home_camera(
    sizes: tuple[int, ...],
    aspect: float,
    surroundings: tuple[tuple[Vector, ...], ...],
    panels: tuple[Panel, ...],
    temporary_panels: tuple[Panel, ...],
    from_above: bool,
    board: int,
) -> Camera:
    whole = _centred_home_camera(sizes).from_above() if from_above else _centred_home_camera(sizes)
    if not surroundings and not panels and not temporary_panels:
        return whole
    whole = replace(whole, distance_factor=HOME_DISTANCE_FACTOR)
    is_page = bool(panels or temporary_panels)
    whole = _limit_board_width(whole, aspect, board) if is_page else whole
    covered = list(dict.fromkeys((panels + temporary_panels, panels)))
    every = (board, *(number for number in range(len(sizes)) if number != board))
    views = [(whole, every)]
    if len(sizes) > 1:
        alone = whole.focused_on(board).from_above() if from_above else whole.focused_on(board)
        alone = _limit_board_width(alone, aspect, board) if is_page else alone
        if not _is_board_large(whole, aspect, board):
            views = []
        # In a narrow frame, larger angles place the boards behind each other rather than side by side.
        turned = [alone.yaw * (1 + step / 5) for step in range(1 if from_above else 9)]
        near = [(replace(alone, yaw=yaw), every) for yaw in turned]
        views = views + near if from_above else near + views
    # Showing all boards uncovered matters more than the things around them. Showing one board uncovered is better than
    # showing several that are partly covered or cut off.
    free = [[(things, covering) for covering in covered] for things in dict.fromkeys((surroundings, ()))]
    tries = [(view, *each) for way in free for view in views for each in way]
    if len(sizes) > 1:
        views.append((alone, (board,)))
        tries += [(views[-1], *each) for way in free for each in way]
    tries += [(view, *each) for each in ((surroundings, ()), ((), ())) for view in views]
    for (view, boards), things, covering in tries:
        found = _move_clear_of_panels(view, boards, aspect, things, covering)
        if found is not None and (
            view.board_focus or len(sizes) == 1 or _is_board_large(found, aspect, board)
        ):
            return found
    return tries[-1][0][0]


def _limit_board_width(view: Camera, aspect: float, board: int) -> Camera:
    """Return ``view``, or the same view from farther away if ``board`` would be too wide.

    Views of a whole row, views from above, and views of a board larger than ``MAX_USUAL_SIZE`` are returned unchanged.
    """
    size, is_from_above = view.sizes[board], view.pitch >= PITCH_RANGE_DEGREES[1]
    if (len(view.sizes) > 1 and not view.board_focus) or size > MAX_USUAL_SIZE or is_from_above:
        return view
    slab = _extreme_points((size,))[0] + np.array([*make_layout(view.sizes).origins[board], 0.0])
    width = float(np.ptp(view.project(slab, aspect, 1.0)[0][:, 0])) / aspect
    most = float(np.interp(aspect, (FULL_WIDTH_ASPECT, WIDE_ASPECT), (1.0, MAX_BOARD_WIDTH_FRACTION)))
    return replace(view, distance_factor=view.distance_factor * max(1.0, width / most))


@functools.lru_cache(maxsize=128)
def _move_clear_of_panels(
    view: Camera,
    boards: tuple[int, ...],
    aspect: float,
    surroundings: tuple[tuple[Vector, ...], ...],
    panels: tuple[Panel, ...],
) -> Camera | None:
    """Return ``view``, shifted and possibly moved back so that everything is clear of ``panels``.

    This includes the boards with the indices ``boards``, the ``surroundings`` and, if ``view`` has one, its hull. They
    are placed near the middle of the area without panels. Return None if no such view is found.
    """
    candidates = [
        replace(
            view,
            distance_factor=view.distance_factor
            * (1 + (MAX_DISTANCE_FACTOR / HOME_DISTANCE_FACTOR - 1) * step / DISTANCE_STEPS),
        )
        for step in range(DISTANCE_STEPS + 1)
    ]
    if view.board_focus:
        # Things beside a row of boards may be far from the one that is looked at.
        candidates = (
            [camera for camera in candidates if not surroundings or camera.distance_factor < MAX_FOCUS_FACTOR]
            if len(boards) == 1
            else _views_with_large_board(candidates, aspect, boards[0])
        )
    # The views in ``candidates`` differ only in distance.
    things, nearest = _required_points(view, boards, surroundings), _panel_distances(panels)
    middle = np.array(_free_area_centre(panels))
    if 0 < len(boards) < len(view.sizes):
        middle[0] += END_BOARD_SHIFT * (2 * boards[0] / (len(view.sizes) - 1) - 1)
    if view.board_focus and (
        not candidates or _find_clear_shift(candidates[-1], aspect, things, nearest, middle) is None
    ):
        return None
    first = None
    best, least = None, math.inf
    for step, candidate in enumerate(candidates):
        found = _find_clear_shift(candidate, aspect, things, nearest, middle)
        if found is None:
            continue
        first = step if first is None else first
        shift, off = found
        # Going a little farther away is worth it if that brings everything nearer to the middle.
        cost = off + 2.0 * candidate.distance_factor / view.distance_factor
        if cost < least:
            best, least = replace(candidate, shift=shift), cost
        if step >= first + 6:
            break
    return best


def _views_with_large_board(cameras: list[Camera], aspect: float, board: int) -> list[Camera]:
    """Return those of ``cameras`` in which the boards appear large enough.

    ``cameras`` must be sorted from near to far. If a camera focuses on ``board``, only that board counts.
    """
    return cameras[
        : bisect.bisect_left(
            cameras, True, key=lambda candidate: not _is_board_large(candidate, aspect, board)
        )
    ]


def _is_board_large(camera: Camera, aspect: float, board: int) -> bool:
    """Return whether the boards appear large enough; if the camera focuses on one board, only ``board`` counts."""
    for number, (size, (x, y)) in enumerate(
        zip(camera.sizes, make_layout(camera.sizes).origins, strict=True)
    ):
        if camera.board_focus and number != board:
            continue
        pixels, _ = camera.project(_extreme_points((size,))[0] + np.array([x, y, 0.0]), aspect, 1.0)
        wide, high = np.ptp(pixels, axis=0)
        # If the frame is taller than it is wide, its width limits the size of a board.
        if high < MIN_BOARD_HEIGHT_FRACTION and (aspect > 1.0 or wide < MIN_BOARD_HEIGHT_FRACTION * aspect):
            return False
    return True


def _required_points(
    camera: Camera, boards: tuple[int, ...], surroundings: tuple[tuple[Vector, ...], ...]
) -> list[Array]:
    """Return the points that must be visible, as a list of arrays (n, 3).

    If ``camera`` has a hull, the first array is the hull. Then there is an array for each board whose index is in
    ``boards``, followed by one for each of the ``surroundings``.
    """
    seen = [np.array(camera.hull)] if camera.hull else []
    for board in boards:
        size = camera.sizes[board]
        x, y = make_layout(camera.sizes).origins[board]
        slabs, marbles = _extreme_points((size,))
        up = camera.axes()[1]
        crown = [marbles + way * RADIUS for way in (up, -up, *np.eye(3)[:2], *-np.eye(3)[:2])]
        seen.append(np.concatenate([slabs, *crown]) + np.array([x, y, 0.0]))
    return seen + [np.array(thing) for thing in surroundings]


@functools.lru_cache(maxsize=128)
def _panel_distances(panels: tuple[Panel, ...]) -> tuple[Array, ...]:
    """Return how far along each of ``_DIRECTIONS`` each panel begins, measured from the frame's centre.

    The result contains an array for each panel. A distance is that of the panel's first corner in the direction, and is
    negative if this corner lies behind the centre. The unit is half the width of the frame horizontally, and half its
    height vertically.
    """
    found = []
    for left, top, right, bottom in panels:
        corners = np.array([(x, y) for x in (left, right) for y in (top, bottom)])
        found.append(((corners * (2.0, -2.0) + (-1.0, 1.0)) @ _DIRECTIONS.T).min(0))
    return tuple(found)


def _find_clear_shift(
    camera: Camera,
    aspect: float,
    required_points: list[Array],
    panel_distances: tuple[Array, ...],
    centre: Array,
) -> tuple[tuple[float, float], float] | None:
    """Return the shift that best centres the required points on ``centre``, and how far off-centre they remain.

    The shift keeps all points in the frame and clear of the panels. Return None if no such shift is found.
    """
    pixels, _ = camera.project(np.concatenate(required_points), 2.0, 2.0 / aspect)
    places = (pixels * (1.0, aspect) - 1.0) * (1.0, -1.0)
    parts = np.split(places, np.cumsum([len(points) for points in required_points])[:-1])
    # The nearest positions at which the group is in the frame.
    margin = 2 * PAGE_MARGIN
    headroom = 2 * (PAGE_HEADROOM if panel_distances else BARE_HEADROOM)
    if camera.hull or camera.pitch >= PITCH_RANGE_DEGREES[1]:
        # Seen from above, or on other tables, nothing rises towards the top of the frame.
        headroom = margin
    low = np.array([margin / aspect, margin]) - 1 - places.min(0)
    high = 1 - np.array([margin / aspect, headroom]) - places.max(0)
    if (low > high).any():
        return None
    wanted = centre - (0.0, (headroom - margin) / 2) - (places.min(0) + places.max(0)) / 2
    shifts = np.concatenate([np.clip(wanted, low, high)[None], _CANDIDATE_SHIFTS])
    shifts = shifts[((shifts >= low) & (shifts <= high)).all(1)]
    along = shifts @ _DIRECTIONS.T
    for at in parts:
        reach = (at @ _DIRECTIONS.T).max(0)
        for near in panel_distances:
            free = (reach + along < near).any(1)
            shifts, along = shifts[free], along[free]
        if not len(shifts):
            return None
    off = np.hypot((shifts[:, 0] - wanted[0]) * aspect, shifts[:, 1] - wanted[1])
    found = int(off.argmin())
    return (float(shifts[found, 0]), float(shifts[found, 1])), float(off[found])


def _free_area_centre(panels: tuple[Panel, ...]) -> tuple[float, float]:
    """Return the centre of the area that panels leave free.

    Its two coordinates increase rightward and upward, from -1 to 1. Only panels that cross the horizontal or vertical
    centre line of the frame are taken into account.
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


_DIRECTIONS = np.array([(math.cos(a), math.sin(a)) for a in np.arange(24) * math.tau / 24])
_CANDIDATE_SHIFTS = np.array(
    [(x * MAX_HORIZONTAL_SHIFT / 24, y * 0.4 / 16) for x in range(-24, 25) for y in range(-16, 17)]
)


@functools.lru_cache(maxsize=32)
def _centred_home_camera(sizes: tuple[int, ...]) -> Camera:
    top = make_layout(sizes).height
    # Choose the height of the target at which the boards fit from the shortest distance.
    views = [
        Camera(target=(0.0, 0.0, top * part / 40 - 0.4), sizes=sizes).with_home_angles() for part in range(41)
    ]
    return min(views, key=lambda view: _fitting_distance(view, HEIGHT_LIMITED_ASPECT))


HOME_CAMERA = make_home_camera((4,))
TOP_CAMERA = HOME_CAMERA.from_above()
