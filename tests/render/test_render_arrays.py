from __future__ import annotations

import numpy as np
import pytest

from shibumi3d.render import lighting
from shibumi3d.render.arrays.drawing_order import (
    are_balls_behind,
    sort_balls_far_to_near,
    split_by_nearest_board,
)
from shibumi3d.render.arrays.marbles import (
    BallArrays,
    make_ball_arrays,
    make_depth_discs,
    make_neighbour_table,
)
from shibumi3d.render.arrays.slab import make_slab_mesh, make_slab_outline, open_holes, table_strips_around
from shibumi3d.render.arrays.solids import shape_vertices
from shibumi3d.render.lighting import WINDOW_DIRECTION
from shibumi3d.render.shaders import program_sources
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import HOME_CAMERA, TOP_CAMERA, Camera, make_home_camera
from shibumi3d.scene.frame import BOWL_FLOOR, SOLID_SHAPES, Ball, Board
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import TABLE_Z, Array, half_side, make_layout
from shibumi3d.scene.palette import linear_rgb, make_theme

BOARD = (Board(4, 0.0, 0.0),)


def ball_arrays(*items: Ball) -> BallArrays:
    return make_ball_arrays(items, BOARD, make_theme())


def full_board(size: int) -> list[Ball]:
    return [
        Ball(*make_layout((size,)).point_position(0, p), p % 3) for p in range(get_pyramid(size).point_count)
    ]


@pytest.mark.parametrize(
    "camera", [HOME_CAMERA, TOP_CAMERA, HOME_CAMERA.rotated(140, -16), Camera(zoom=0.7, pitch=20)]
)
def test_paint_order_matches_ray_order(camera: Camera) -> None:
    """Of the marbles that a ray hits, the nearest is painted last."""
    chance = np.random.default_rng(4)
    items = [
        *full_board(4)[:22],
        Ball(*make_layout((4,)).point_position(0, 29), 0, radius=0.2),
        Ball(3.4, 0.2, TABLE_Z + 0.5, 1),
    ]
    made = ball_arrays(*items)
    eye = camera.eye(16 / 9)
    order = {int(i): n for n, i in enumerate(sort_balls_far_to_near(made, eye))}
    rows = made.rows.astype(np.float64)
    met_two = 0
    for x, y in chance.uniform((0, 0), (1280, 720), (3000, 2)):
        origin, direction = camera.ray(x, y, 1280, 720)
        to = rows[:, :3] - origin
        along = to @ direction
        inside = rows[:, 3] ** 2 - (np.einsum("ij,ij->i", to, to) - along**2)
        hit = [i for i in np.flatnonzero(inside > 0) if i in order]
        if len(hit) < 2:
            continue
        met_two += 1
        front = along[hit] - np.sqrt(inside[hit])
        painted = [order[int(i)] for i in hit]
        assert np.argmin(front) == np.argmax(painted)
    assert met_two > 50


def test_only_hidden_marbles_are_left_out() -> None:
    size = 4
    made = ball_arrays(*full_board(size))
    left_out = set(range(30)) - set(made.visible.tolist())
    pyr = get_pyramid(size)
    assert left_out == {p for p in range(30) if pyr.point_above[p] >= 0 and pyr.resting[p].bit_count() == 4}
    without_apex = ball_arrays(*full_board(size)[:-1])
    assert pyr.point_by_name["Bb2"] in without_apex.visible


def test_neighbours_occlude_less_with_distance() -> None:
    names = get_pyramid(4).point_by_name
    plan = make_layout((4,))
    below = Ball(*plan.point_position(0, names["Ab1"]), 0)
    x, y, z = plan.point_position(0, names["Aa1"])
    beside = [ball_arrays(below, Ball(x, y, z + up, 0)).rows[0, 16:28].sum() for up in (0.0, 0.3, 0.6, 1.2)]
    assert beside[0] == pytest.approx(1.0)
    assert beside == sorted(beside, reverse=True)
    assert beside[-1] == 0.0


def test_marble_in_window_direction_blocks_light() -> None:
    x, y, z = (float(number) for number in 1.6 * WINDOW_DIRECTION)
    made = ball_arrays(Ball(0.0, 0.0, 0.0, 0), Ball(x, y, z, 1))
    assert made.rows[0, 29] == 1
    assert made.rows[1, 29] == 0
    assert made.light_blockers[0][:3] == pytest.approx((x, y, z))


def test_beads_cast_no_shadow_and_ghosts_a_weaker_one() -> None:
    made = ball_arrays(Ball(0, 0, 0, 0, bead=1.0), Ball(2, 0, 0, 0, alpha=0.45))
    assert len(made.shadow_casters) == 1
    assert made.shadow_casters[0][4] == pytest.approx(0.45)


def test_ball_colours_match_palette() -> None:
    made = ball_arrays(
        Ball(0, 0, 0, 2),
        Ball(2, 0, 0, 0, new_colour=2, recoloured_fraction=1.0),
        Ball(4, 0, 0, 2, saturation=0.55),
    )
    red = linear_rgb(make_theme().marble_colour(2))
    assert made.rows[0, 4:7] == pytest.approx(red, rel=1e-5)
    assert made.rows[1, 44:48] == pytest.approx((*red, 1.0), rel=1e-5)
    assert np.ptp(made.rows[2, 4:7]) < np.ptp(red) * 0.7


def test_empty_frame_has_empty_arrays() -> None:
    made = ball_arrays()
    assert len(made.rows) == len(made.visible) == len(made.shadow_casters) == 0


def test_marbles_behind_slab_are_detected() -> None:
    eye: Array = HOME_CAMERA.rotated(-HOME_CAMERA.yaw).eye(16 / 9)
    rows = ball_arrays(
        Ball(0, 4.0, TABLE_Z + 0.5, 0),
        Ball(0, -4.0, TABLE_Z + 0.5, 0),
        Ball(0, 0, 0, 0),
        Ball(4.0, 0, TABLE_Z + 0.5, 0),
    ).rows
    assert are_balls_behind(rows, BOARD[0], eye).tolist() == [True, False, False, True]


@pytest.mark.parametrize("size", [2, 4, 10])
def test_slab_grows_without_stretching_edges(size: int) -> None:
    half = half_side(size)
    mesh = make_slab_mesh(half)
    assert np.abs(mesh[:, :2]).max() == pytest.approx(half, abs=1e-4)
    assert mesh[:, 2].max() == 0.0
    corner = mesh[(mesh[:, 0] > half - 0.31) & (mesh[:, 1] > half - 0.31)]
    small = make_slab_mesh(1.0)
    smallest = small[(small[:, 0] > 0.69) & (small[:, 1] > 0.69)]
    assert np.allclose(np.sort(corner[:, 0] - half), np.sort(smallest[:, 0] - 1.0), atol=1e-4)


def test_slab_faces_point_outward() -> None:
    corners = make_slab_mesh(2.0)[:, :3].astype(np.float64).reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    away = corners.mean(axis=1) - np.array([0.0, 0.0, -0.26])
    size = np.linalg.norm(normals, axis=1)
    assert (np.einsum("ij,ij->i", normals, away)[size > 1e-9] > 0).all()


def test_outline_surrounds_slab() -> None:
    camera = make_home_camera((4,))
    view, projection = camera.matrices(16 / 9)
    strip = make_slab_outline(half_side(4), (0.0, 0.0, -0.4), view @ projection, (1280, 720))
    at = camera.project(strip[::2, :3] + np.array([0.0, 0.0, -0.4]), 1280, 720)[0]
    area = 0.5 * np.sum(at[:-1, 0] * at[1:, 1] - at[1:, 0] * at[:-1, 1])
    assert abs(area) > 100_000
    assert (strip[::2, 8] == 1).all()
    assert (strip[1::2, 8] == 0).all()
    pushed = np.hypot(strip[1::2, 6] * 640, strip[1::2, 7] * 360)
    assert pushed.min() > 0.9
    assert pushed.max() < 2.1


@pytest.mark.parametrize("size", [2, 4, 10])
@pytest.mark.parametrize("turn", [0, 24, 45, 100])
@pytest.mark.parametrize("pitch", [20, 36, 90])
def test_table_is_cut_only_where_slab_hides_it(size: int, turn: int, pitch: int) -> None:
    half, camera = half_side(size), Camera(yaw=turn, pitch=pitch, sizes=(size,))
    eye = camera.eye(16 / 9)
    wide = half + 3.0, half + 2.0
    near, outer = table_strips_around(half, (0.0, 0.0, SURFACE), eye, wide, 200.0)
    hole, edge = near[0::2], near[1::2]
    assert np.array_equal(edge, outer[0::2])
    assert np.hypot(*outer[1::2].T).min() > 100
    # The rays to the middles of the hole's edges pass through the box of the slab.
    for x, y in (hole[:-1] + hole[1:]) / 2:
        steps = np.linspace(0.0, 1.0, 2000)[:, None]
        ray = eye + (np.array([x, y, TABLE_Z]) - eye) * steps
        inside = (
            (np.abs(ray[:, :2]).max(axis=1) < half - 0.05) & (ray[:, 2] < SURFACE) & (ray[:, 2] > TABLE_Z)
        )
        assert inside.any()
    # The hole is large enough to be useful: it has most of the area under the slab.
    area = abs(np.sum(hole[:-1, 0] * hole[1:, 1] - hole[1:, 0] * hole[:-1, 1])) / 2
    assert area > 0.8 * (2 * half - 0.5) ** 2
    # The inner strip reaches as far as shadows can, to a rectangle, unless the hole extends beyond it.
    beyond = (np.abs(hole) > wide).any(axis=1)
    on_border = np.abs(np.abs(edge) / wide).max(axis=1)
    assert np.allclose(on_border[~beyond], 1.0, atol=1e-4)
    if not beyond.any():
        corners = np.isclose(np.abs(edge), wide, atol=1e-3).all(axis=1)
        assert len(np.unique(np.sign(edge[corners]), axis=0)) == 4


def test_holes_under_solid_marbles_are_not_drawn() -> None:
    made = ball_arrays(
        Ball(-1.5, -1.5, 0.0, 0),
        Ball(-0.5, -1.5, 0.0, 1, alpha=0.4),
        Ball(0.5, -1.5, 0.3, 2),
        Ball(1.5, -1.5, 0.0, 0, bead=1.0),
        Ball(1.5, 1.5, 0.0, 3),
    )
    middles = {(float(x), float(y)) for x, y, _ in open_holes(BOARD[0], made)}
    every = {(x - 1.5, y - 1.5) for x in range(4) for y in range(4)}
    assert middles == every - {(-1.5, -1.5), (1.5, 1.5)}


def test_neighbour_reflects_its_colour_from_its_side() -> None:
    """A red marble touches a white one and throws light onto it.

    This light is T = albedo x (0.34 x key light + 0.35 x sky light) x 0.42 / d^3, where d, the distance between the
    centres, is 1. The white marble stores T / 2 as a vector towards the red one, and T / 4 as light from all sides.
    """
    sun = WINDOW_DIRECTION / np.linalg.norm(WINDOW_DIRECTION[:2])
    aside = np.array([-sun[1], sun[0], 0.0])  # at right angles to the light, none of which is lost
    made = ball_arrays(Ball(0, 0, 0, 0), Ball(*(float(part) for part in aside), 2))
    red = np.array(linear_rgb(make_theme().marble_colour(2)))
    light = lighting.room_light(make_theme())
    thrown = red * (0.34 * np.array(light.key) + 0.35 * np.array(light.sky)) * 0.42
    for row, colour in enumerate(thrown):
        vector = made.rows[0, 32 + 4 * row : 36 + 4 * row]
        assert vector == pytest.approx([*(aside * colour / 2), colour / 4], rel=0.02, abs=1e-4)
    alone = ball_arrays(Ball(0, 0, 0, 0), Ball(*(float(part) for part in 2.2 * aside), 2))
    assert not alone.rows[:, 32:44].any()


def test_shaded_neighbour_reflects_less_light() -> None:
    across = np.array([-WINDOW_DIRECTION[1], WINDOW_DIRECTION[0], 0.0]) / np.hypot(
        WINDOW_DIRECTION[0], WINDOW_DIRECTION[1]
    )
    red = tuple(float(part) for part in across)
    above = tuple(float(part) for part in across + 1.05 * WINDOW_DIRECTION)
    lit, dark = (
        ball_arrays(Ball(0, 0, 0, 0), Ball(*red, 2), *more).rows[0, 35]
        for more in ((), (Ball(*above, 1, tint=0.0),))
    )
    black = ball_arrays(Ball(0, 0, 0, 0), Ball(*above, 1)).rows[0, 35]
    assert dark - black < 0.45 * lit


def test_neighbour_table_lists_ray_targets() -> None:
    made = make_ball_arrays(
        [
            Ball(0, 0, 0, 3),
            Ball(1, 0, 0, 0),
            Ball(3, 0, 0, 2),
            Ball(0, 1, 0, 0, alpha=0.4),
            Ball(0, -1, 0, 0, bead=1.0),
        ],
        BOARD,
        make_theme(),
        glass_is_clear=1.0,
    )
    assert (made.rows[:, 14] > 0).tolist() == [True, False, False, False, True]
    beside = make_neighbour_table(made)
    assert beside[0, 0].tolist() == [1, 0, 0, 0.5]
    assert beside[0, 1, :3] == pytest.approx(linear_rgb(make_theme().marble_colour(0)), rel=0.03)
    assert beside[0, 2].tolist() == [3, 0, 0, 0.5]
    assert not beside[0, 4::2].any()
    # Every marble has a row of neighbours, which contains neither itself nor beads or ghosts.
    assert beside[1, 0::2, 0][:2].tolist() == [0, 3]
    assert not beside[1, 4::2].any()


def test_glass_balls_are_split_by_nearest_board() -> None:
    boards = (Board(4, -3.0, 0.0), Board(4, 3.0, 0.0))
    rows = ball_arrays(*(Ball(x, 0, 0, 3) for x in (-3.5, -2.0, 4.0, -1.0))).rows
    parts = split_by_nearest_board(rows, boards)
    assert [(part[:, 0].tolist(), board) for part, board in parts] == [
        ([-3.5, -2.0], boards[0]),
        ([4.0], boards[1]),
        ([-1.0], boards[0]),
    ]


@pytest.mark.parametrize(
    "name", ["table", "board", "ball", "splat", "slab", "grain", "present", "mark", "piece", "shade"]
)
def test_shader_programs_include_their_parts(name: str) -> None:
    for source in program_sources(name):
        assert source.startswith("#version 330 core\n")
        assert "#include" not in source
        assert "void main()" in source


def test_depth_disc_stays_inside_marble_edge() -> None:
    eye = np.array([0.0, 0.0, 5.0])
    marble, ghost, bead = (
        Ball(0.0, 0.0, 2.0, 1),
        Ball(2.0, 0.0, 2.0, 1, alpha=0.5),
        Ball(0.0, 2.0, 2.0, 1, bead=1.0),
    )
    # Rays that graze the marble pass its centre plane at radius 0.5 * 3 / sqrt(3 * 3 - 0.5 * 0.5); a pixel is 0.01
    # wide there.
    assert make_depth_discs(ball_arrays(marble, ghost, bead), eye, 0.01 / 3).tolist() == [
        pytest.approx([0.0, 0.0, 2.0, 0.97 * 0.507093 - 0.01], abs=1e-5)
    ]
    # A marble smaller than a pixel has no disc.
    assert not len(make_depth_discs(ball_arrays(marble), eye, 0.2))


def triangles(shape: str) -> tuple[Array, Array]:
    """Return the corners and normals of the triangles of a shape, both (n, 3, 3).

    The shape is stretched to a height of 2, for which its normals were computed.
    """
    rows = shape_vertices(shape).reshape(-1, 3, 6).astype(np.float64)
    return rows[:, :, :3] * (1, 1, 2), rows[:, :, 3:]


@pytest.mark.parametrize("shape", SOLID_SHAPES)
def test_every_shape_of_a_solid_is_closed_and_seen_from_outside(shape: str) -> None:
    at, normals = triangles(shape)
    faces = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])
    keep = np.linalg.norm(faces, axis=1) > 1e-9
    assert (np.einsum("ij,ikj->ik", faces, normals)[keep] > 0).all()
    assert np.allclose(np.linalg.norm(normals, axis=2), 1, atol=1e-5)
    # The area vectors of a closed surface add up to zero.
    assert np.allclose(faces.sum(axis=0), 0, atol=1e-5)
    assert np.allclose(at.reshape(-1, 3).min(axis=0), (-1, -1, 0), atol=1e-6)
    assert np.allclose(at.reshape(-1, 3).max(axis=0), (1, 1, 2), atol=1e-6)


def test_the_edges_of_a_die_are_rounded_by_8_percent() -> None:
    """The shape is 2 wide, so the flat part of a face ends 0.16 before its edge."""
    at, normals = triangles("die")
    upper = at.reshape(-1, 3)[normals.reshape(-1, 3)[:, 2] > 1 - 1e-6]
    assert np.allclose(np.abs(upper[:, :2]), 1 - 0.16)
    assert np.allclose(upper[:, 2], 2)


def test_a_bowl_is_hollow_and_stands_on_a_narrower_foot() -> None:
    at = triangles("bowl")[0].reshape(-1, 3) / (1, 1, 2)
    radii = np.linalg.norm(at[:, :2], axis=1)
    floor, low = BOWL_FLOOR
    assert at[radii < floor - 1e-6, 2].max() == pytest.approx(low)
    assert radii[at[:, 2] < 1e-6].max() < 0.9
    assert radii[at[:, 2] > 0.999].min() > floor


def test_a_coin_has_a_rim_around_its_field() -> None:
    at = triangles("coin")[0].reshape(-1, 3)
    far = np.hypot(at[:, 0], at[:, 1])
    field = at[(far < 0.8 - 1e-6) & (at[:, 2] > 0)]
    assert np.allclose(field[:, 2], 2 * 0.8)
    assert far[at[:, 2] > 2 - 1e-6].min() > 0.8
