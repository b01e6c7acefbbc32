from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from shibumi3d.render.passes.boards import make_label_rows
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.position import playable_points
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import HOME_CAMERA, HOME_DISTANCE_FACTOR, TOP_CAMERA, make_home_camera
from shibumi3d.scene.frame import CHEVRON_SIZE_RANGE_PX, Ball, MarkKind
from shibumi3d.scene.marbles import scene, sign_painter
from shibumi3d.scene.marbles.actors import HeldMarble
from shibumi3d.scene.marbles.exploded_view import EXPLODED_RADIUS, make_exploded_view
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import LEVEL_HEIGHT, TABLE_Z, half_side
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import ENTRY_HALF_LENGTH, GHOST_ALPHA, Ghost, Sign, SignKind
from shibumi3d.scene.palette import MARK_COLOURS, make_theme

AT = get_pyramid(4).point_by_name


@dataclass(frozen=True)
class State:
    """Stand-in for a game's state, with only the parts that the scene uses.

    For each board, ``boards`` has one mask of points per colour. ``held`` is the colour, origin and board of the held
    marble, or None.
    """

    boards: tuple[tuple[int, ...], ...]
    held: tuple[int, int, int] | None = None

    @property
    def board_names(self) -> tuple[str, ...]:
        return tuple(str(i) for i in range(len(self.boards)))

    def cells(self, board: int = 0) -> tuple[int, ...]:
        return self.boards[board]


def mask(names: str) -> int:
    return sum(1 << AT[name] for name in names.split())


def state(white: str = "", black: str = "", held: tuple[int, int, int] | None = None) -> State:
    return State(((mask(white), mask(black), 0),), held)


def make_shown_scene(white: str = "", black: str = "") -> MarbleScene:
    made = MarbleScene((4,))
    made.reset(state(white, black))
    return made


def legal_signs(*names: str, colours: tuple[int, ...] = ()) -> list[Sign]:
    return [Sign(SignKind.LEGAL, 0, AT[name], colours) for name in names]


def test_frame_shows_the_marbles_of_the_state() -> None:
    made = make_shown_scene("Aa1 Ab1", "Ad4")
    assert made.marbles == {(0, AT["Aa1"]): 0, (0, AT["Ab1"]): 0, (0, AT["Ad4"]): 1}
    frame = made.frame(0.0, HOME_CAMERA, make_theme())
    assert [ball.colour for ball in frame.balls] == [0, 0, 1]
    assert [ball.position for ball in frame.balls] == [
        made.marble_position(0, AT[name]) for name in ("Aa1", "Ab1", "Ad4")
    ]
    assert frame.boards[0].size == 4
    assert not frame.marks


def test_equal_scenes_produce_equal_frames() -> None:
    one, other = make_shown_scene("Aa1", "Ab1"), MarbleScene((4,))
    other.play([ev.Placed(0, AT["Ab1"], 1, "bag"), ev.Placed(0, AT["Aa1"], 0, "bag")], 0.0)
    assert other.frame(0.1, HOME_CAMERA, make_theme()) != one.frame(0.1, HOME_CAMERA, make_theme())
    assert other.frame(9.0, HOME_CAMERA, make_theme()) == one.frame(0.0, HOME_CAMERA, make_theme())
    assert one.frame(0.0, HOME_CAMERA, make_theme("night")) != one.frame(0.0, HOME_CAMERA, make_theme())
    assert hash(one.frame(0.0, HOME_CAMERA, make_theme())) == hash(
        other.frame(9.0, HOME_CAMERA, make_theme())
    )


def test_several_boards_show_the_active_one_outlined() -> None:
    made = MarbleScene((4, 3))
    made.reset(State(((1, 0, 0), (0, 2, 0))))
    frame = made.frame(0.0, make_home_camera((4, 3)), make_theme(), signs=[Sign(SignKind.ACTIVE_BOARD, 1)])
    assert made.marbles == {(0, 0): 0, (1, 1): 1}
    assert [board.size for board in frame.boards] == [4, 3]
    assert frame.marks[0].kind is MarkKind.BOARD_OUTLINE
    assert frame.marks[0].position[:2] == made.layout.origins[1]


def test_held_marble_floats_above_its_origin() -> None:
    made = MarbleScene((4,))
    made.reset(state("Aa1", held=(1, AT["Ad4"], 0)))
    assert made.held == HeldMarble(1, AT["Ad4"], 0)
    frame = made.frame(0.0, HOME_CAMERA, make_theme(), signs=[Sign(SignKind.ORIGIN, 0, AT["Ad4"])])
    assert frame.balls[-1].z == pytest.approx(0.6)
    assert frame.marks[0].kind is MarkKind.DASHED_RING


def test_rewind_ends_at_the_previous_state() -> None:
    made = make_shown_scene("Aa1")
    made.rewind([ev.Placed(0, AT["Aa1"], 0, "bag")], 0.0, state())
    assert made.is_animating(0.01)
    made.finish()
    assert made.marbles == {}


class TestLegalPoints:
    def test_hole_has_a_ring_and_a_raised_point_has_a_bead(self) -> None:
        frame = make_shown_scene("Aa1 Ab1 Aa2 Ab2").frame(
            0.0, HOME_CAMERA, make_theme(), signs=legal_signs("Ad1", "Ba1")
        )
        assert [mark.kind for mark in frame.marks] == [MarkKind.RING, MarkKind.CIRCLE]
        assert frame.marks[0].position[2] == pytest.approx(SURFACE, abs=0.01)
        bead = frame.balls[-1]
        assert bead.bead == 1.0
        # It rests on the four marbles below: its distance from the centre of each is the sum of both radii.
        for name in ("Aa1", "Ab1", "Aa2", "Ab2"):
            at = make_shown_scene().marble_position(0, AT[name])
            assert math.dist(bead.position, at) == pytest.approx(0.5 + bead.radius)
        assert frame.marks[1].position == bead.position

    def test_more_than_the_maximum_of_rings_become_dots(self) -> None:
        made = MarbleScene((6,))
        signs = [Sign(SignKind.LEGAL, 0, p) for p in range(scene.MAX_RING_COUNT + 1)]
        assert {mark.kind for mark in made.frame(0.0, HOME_CAMERA, make_theme(), signs=signs).marks} == {
            MarkKind.DOT
        }
        assert {mark.kind for mark in made.frame(0.0, HOME_CAMERA, make_theme(), signs=signs[1:]).marks} == {
            MarkKind.RING
        }

    def test_several_colours_share_a_ring(self) -> None:
        light, *marks = (
            make_shown_scene()
            .frame(0.0, HOME_CAMERA, make_theme(), signs=legal_signs("Aa1", colours=(0, 2)))
            .marks
        )
        assert [(mark.sector_start, mark.sector_fraction) for mark in marks] == [(0.0, 0.5), (0.5, 0.5)]
        assert [mark.colour for mark in marks] == [
            make_theme().marble_colour(0),
            make_theme().marble_colour(2),
        ]
        # On every board, they stand out from the light ring between them.
        assert (light.colour, light.sector_fraction) == (MARK_COLOURS["legal"], 1.0)
        assert light.stroke_width > marks[0].stroke_width

    def test_hidden_point_is_dashed_and_never_drawn_on_other_marbles(self) -> None:
        ring = "Aa1 Ab1 Ac1 Ad1 Aa2 Ac2 Ad2 Aa3 Ab3 Ac3 Ad3 Aa4 Ab4 Ac4 Ad4"
        made = make_shown_scene(f"{ring} Bc1 Bc3")
        low = HOME_CAMERA.rotated(0, -40)
        hidden = made.frame(0.0, low, make_theme(), signs=legal_signs("Ab2")).marks[0]
        assert not hidden.on_top
        assert hidden.alpha == sign_painter.HIDDEN_ALPHA
        assert hidden.kind is MarkKind.DASHED_RING
        assert not made.frame(0.0, TOP_CAMERA, make_theme(), signs=legal_signs("Ab2")).marks[0].on_top

    def test_only_legal_points_under_a_marble_are_hidden_from_above(self) -> None:
        pyr = get_pyramid(4)
        filled = pyr.levels[0] | 1 << AT["Ba1"]
        made = MarbleScene((4,))
        made.reset(State(((filled, 0, 0),)))
        signs = [Sign(SignKind.LEGAL, 0, p) for p in iter_bits(playable_points(pyr, filled))]
        marks_ = made.frame(0.0, TOP_CAMERA, make_theme(), signs=signs).marks
        assert len(marks_) == len(signs)
        assert {mark.kind for mark in marks_} == {MarkKind.CIRCLE}

    def test_selectable_marble_has_a_tick(self) -> None:
        frame = make_shown_scene("Aa1").frame(0.0, HOME_CAMERA, make_theme(), signs=legal_signs("Aa1"))
        assert [mark.kind for mark in frame.marks] == [MarkKind.TICK_UP]

    def test_ghost_replaces_the_mark(self) -> None:
        frame = make_shown_scene().frame(
            0.0, HOME_CAMERA, make_theme(), signs=legal_signs("Aa1", "Ab1"), ghosts=[Ghost(0, AT["Aa1"], 2)]
        )
        assert len(frame.marks) == 1
        (ghost,) = frame.balls
        assert (ghost.colour, ghost.alpha) == (2, GHOST_ALPHA)

    def test_ghost_rests_in_its_socket_and_is_smaller_than_a_marble(self) -> None:
        made = make_shown_scene("Aa1 Ab1 Aa2 Ab2")
        ghosts = [Ghost(0, AT[name], 2) for name in ("Ad1", "Ba1", "Aa1")]
        low, raised, fallen = made.frame(0.0, HOME_CAMERA, make_theme(), ghosts=ghosts).balls[-3:]
        assert 0.3 < low.radius == raised.radius < 0.45
        # One rests on the rim of its hole, whose radius is 0.31, the other on the four marbles.
        assert math.hypot(0.31, low.z - SURFACE) == pytest.approx(low.radius)
        for name in ("Aa1", "Ab1", "Aa2", "Ab2"):
            assert math.dist(raised.position, made.marble_position(0, AT[name])) == pytest.approx(
                0.5 + raised.radius
            )
        # Inside a marble that is still there, a smaller one would be invisible.
        assert (fallen.position, fallen.radius) == (made.marble_position(0, AT["Aa1"]), 0.5)


def test_doomed_marbles_are_transparent_and_winning_ones_highlighted() -> None:
    made = make_shown_scene("Aa1 Ab1 Ac1")
    signs = [Sign(SignKind.DOOMED, 0, AT["Aa1"]), Sign(SignKind.WIN, 0, AT["Ab1"])]
    doomed, won, other = made.frame(0.0, HOME_CAMERA, make_theme(), signs=signs).balls
    assert doomed.alpha == scene.DOOMED_ALPHA
    assert (won.gold_rim, won.saturation) == (1.0, 1.0)
    assert other.saturation == scene.DIMMED_SATURATION
    assert other.gold_rim == 0.0


def test_every_sign_kind_produces_a_mark() -> None:
    made = make_shown_scene("Aa1 Ab1")
    for kind in SignKind:
        frame = made.frame(0.0, HOME_CAMERA, make_theme(), signs=[Sign(kind, 0, 0, side=0, target_point=1)])
        steps_back = kind is SignKind.DECIDED_BESIDE and {ball.saturation for ball in frame.balls} == {
            scene.DIMMED_SATURATION
        }
        assert frame.marks or frame.boards[0].is_covered or steps_back, kind


def test_hand_move_sign_draws_an_arc_between_points() -> None:
    made = make_shown_scene("Aa1")
    (bow,) = made.frame(
        0.0, TOP_CAMERA, make_theme(), signs=[Sign(SignKind.HAND_MOVE, 0, AT["Ad4"], target_point=AT["Aa1"])]
    ).marks
    assert bow.kind is MarkKind.ARC
    assert (bow.position, bow.end) == (made.marble_position(0, AT["Ad4"]), made.marble_position(0, AT["Aa1"]))


def test_number_sign_is_upper_right_of_its_marble() -> None:
    made = make_shown_scene("Ab2")
    (mark,) = made.frame(
        0.0, HOME_CAMERA, make_theme(), signs=[Sign(SignKind.NUMBER, 0, AT["Ab2"], number=3)]
    ).marks
    assert (mark.kind, mark.number, mark.on_top) == (MarkKind.NUMBER, 3, False)
    (place, middle), depth = HOME_CAMERA.project(
        np.array([mark.position, made.marble_position(0, AT["Ab2"])]), 1280, 720
    )
    radius = HOME_CAMERA.projected_radius(0.5, depth, 720)[1]
    assert 0.4 * radius < place[0] - middle[0] < 0.6 * radius
    assert 0.4 * radius < middle[1] - place[1] < 0.6 * radius
    assert 0.3 * radius > sign_painter.NUMBER_RADIUS_PX


def test_sign_moves_to_the_visible_part_of_its_marble() -> None:
    """Seen from the south, Ba1 and Bb1 cover the upper part of Ab2, so the tick on Ab2 moves down."""
    south = replace(HOME_CAMERA, yaw=0.0, pitch=45.0)
    heights = []
    for above in ("", "Ba1 Bb1"):
        made = make_shown_scene(f"Aa1 Ab1 Ac1 Aa2 Ac2 {above}", "Ab2")
        (mark,) = made.frame(0.0, south, make_theme(), signs=legal_signs("Ab2")).marks
        assert (mark.kind, mark.on_top) == (MarkKind.TICK_UP, False)
        heights.append((np.array(mark.position) - made.marble_position(0, AT["Ab2"])) @ south.axes()[1])
    assert heights[0] == pytest.approx(0.27)
    assert heights[1] < 0.0


def test_hidden_marble_gets_a_dashed_circle() -> None:
    """Seen from above, Ab2 is hidden under Ca1."""
    made = make_shown_scene("Aa1 Ab1 Aa2 Ab2 Ac1 Ac2 Aa3 Ab3 Ac3", "Ba1 Bb1 Ba2 Bb2 Ca1")
    (mark,) = made.frame(0.0, TOP_CAMERA, make_theme(), signs=legal_signs("Ab2")).marks
    assert (mark.kind, mark.on_top, mark.alpha) == (MarkKind.DASHED_CIRCLE, False, sign_painter.HIDDEN_ALPHA)
    assert made.are_signs_hidden(legal_signs("Ab2", "Ca1", "Ad4"), TOP_CAMERA, 16 / 9) == [True, False, False]


def test_trail_ends_in_an_arrow() -> None:
    made = make_shown_scene("Aa1 Ab1 Aa2 Ab2")
    trail = Sign(SignKind.TRAIL, 0, AT["Ba1"], target_point=AT["Ab2"])
    *lines, arrow = made.frame(0.0, TOP_CAMERA, make_theme(), signs=[trail]).marks
    assert ({line.kind for line in lines}, arrow.kind) == ({MarkKind.LINE}, MarkKind.CHEVRON)
    assert lines[0].position == pytest.approx(made.marble_position(0, AT["Ba1"]))
    assert lines[-1].end == pytest.approx(made.marble_position(0, AT["Ab2"]))
    assert arrow.end == made.marble_position(0, AT["Ab2"])
    # The trail follows the path on which a marble rolls around the neighbours of the point it falls to.
    for line, following in pairwise(lines):
        assert line.end == following.position
        for beside in ("Ab1", "Aa2"):
            assert math.dist(line.end, made.marble_position(0, AT[beside])) == pytest.approx(1.0)
    # The arrow is drawn on the marble at the end of the path, inside its outline.
    assert 0.2 < math.dist(arrow.position, arrow.end) < 0.45
    assert not arrow.on_top


def test_push_and_cross_level_trails_are_dotted() -> None:
    made = make_shown_scene("Aa1 Ab1 Aa2 Ab2")
    push = Sign(SignKind.TRAIL, 0, AT["Ba1"], target_point=AT["Bb1"])
    dots, arrow = made.frame(0.0, TOP_CAMERA, make_theme(), signs=[push]).marks
    assert (dots.kind, arrow.kind) == (MarkKind.DOTTED_LINE, MarkKind.CHEVRON)
    fall = Sign(SignKind.TRAIL, 0, AT["Ba1"], target_point=AT["Ab2"])
    apart = make_exploded_view((4,), 1000.0, 585.0)
    assert MarkKind.DOTTED_LINE in {
        mark.kind
        for mark in made.frame(0.0, HOME_CAMERA, make_theme(), signs=[fall], exploded_view=apart).marks
    }


def test_extra_balls_can_be_anywhere() -> None:
    tray = Ball(-5.0, 0.0, TABLE_Z + 0.5, 1)
    assert make_shown_scene().frame(0.0, HOME_CAMERA, make_theme(), extra_balls=[tray]).balls == (tray,)


def test_exploded_view_moves_marbles_marks_and_anchors() -> None:
    made = make_shown_scene("Aa1 Ab1 Aa2 Ab2", "Ba1")
    apart = make_exploded_view((4,), 1000.0, 585.0)
    frame = made.frame(0.0, HOME_CAMERA, make_theme(), exploded_view=apart)
    (ball,) = [ball for ball in frame.balls if ball.colour == 1]
    assert ball.z == pytest.approx(0.0)
    assert ball.radius == EXPLODED_RADIUS
    assert made.marble_position(0, AT["Ba1"], apart) == ball.position
    assert dict(made.resting_marbles(apart))[(0, AT["Ba1"])] == ball.position
    # Every level lies on a board of its own; Ba1 is in the corner of its board.
    assert [board.size for board in frame.boards] == [4, 3, 2, 1]
    under = frame.boards[1]
    assert (ball.x, ball.y) == pytest.approx((under.x - 1.0, under.y - 1.0))
    # Free points of all levels are holes.
    (ring,) = made.frame(0.0, HOME_CAMERA, make_theme(), signs=legal_signs("Bc3"), exploded_view=apart).marks
    assert ring.kind is MarkKind.RING
    half = replace(apart, progress=0.5)
    (ball,) = [
        ball
        for ball in made.frame(0.0, HOME_CAMERA, make_theme(), exploded_view=half).balls
        if ball.colour == 1
    ]
    assert ball.z == pytest.approx(LEVEL_HEIGHT / 2)


def test_entry_signs_are_outside_the_line() -> None:
    made = make_shown_scene()
    for side, (axis, sign) in enumerate(((0, -1), (0, 1), (1, -1), (1, 1))):
        point = made.marble_position(0, AT["Bb2"])
        assert (made.entry_position(0, AT["Bb2"], side)[axis] - point[axis]) * sign > 0.5


def test_highlighted_entry_sign_is_bolder_and_points_inward() -> None:
    made = make_shown_scene("Aa1 Ab1 Aa2 Ab2")
    calm, strong = (
        made.frame(
            0.0,
            TOP_CAMERA,
            make_theme(),
            signs=[Sign(SignKind.ENTRY, 0, AT["Ba1"], side=0, is_highlighted=strong)],
        ).marks[0]
        for strong in (False, True)
    )
    assert calm.kind is strong.kind is MarkKind.CHEVRON
    assert strong.size > calm.size
    assert strong.stroke_width > calm.stroke_width
    assert calm.end == made.marble_position(0, AT["Ba1"])
    assert calm.position[2] == pytest.approx(made.marble_position(0, AT["Ba1"])[2])
    assert calm.position[0] < made.boards()[0].x - half_side(4)


@pytest.mark.parametrize(("width", "height", "least"), [(640, 344, 28), (1000, 584, 20), (1640, 944, 20)])
def test_entry_signs_never_overlap_rim_labels(width: int, height: int, least: int) -> None:
    made, names = make_shown_scene(), make_label_rows(4)
    entered = [
        move for move in itertools.product(range(len(made.layout.points[0])), range(4)) if outermost(*move)
    ]
    start = replace(make_home_camera((4,), width / height), distance_factor=HOME_DISTANCE_FACTOR)
    for yaw, pitch in itertools.product(range(-180, 180, 24), (least, 36, 60, 90)):
        camera = replace(start, yaw=yaw, pitch=pitch)
        back = camera.axes()[2]
        signs = np.array([made.entry_position(0, *move, toward_camera=back) for move in entered])
        at, far = camera.project(signs, width, height)
        named, off = camera.project(
            np.column_stack([names[:, :2], np.full(len(names), SURFACE)]), width, height
        )
        # A letter fills about two thirds of its field; a sign is surrounded by a dark edge.
        letters = camera.projected_radius(1.0, off, height) * names[:, 2] * 0.65
        arrows = (
            np.clip(camera.projected_radius(ENTRY_HALF_LENGTH, far, height), *CHEVRON_SIZE_RANGE_PX) + 2.0
        )
        apart = np.linalg.norm(at[:, None] - named[None], axis=2) - arrows[:, None] - letters[None]
        assert apart.min() > 0, (yaw, pitch, entered[int(apart.min(axis=1).argmin())])


def outermost(point: int, side: int) -> bool:
    """Return whether ``point`` is among the outermost points of its level on the given side.

    The board has size 4. ``side`` is an index into ``pyramid.SIDES``: 0 is west, 1 east, 2 south and 3 north.
    """
    pyr = get_pyramid(4)
    level = [other for other in range(30) if pyr.level[other] == pyr.level[point]]
    return pyr.centres[point][side // 2] == (min, max)[side % 2](
        pyr.centres[other][side // 2] for other in level
    )


def test_covered_board_reveals_nothing() -> None:
    one, other = MarbleScene((4, 4)), MarbleScene((4, 4))
    one.timeline.reset({(0, 0): 0, (1, 3): 1, (1, 16): 2})
    other.timeline.reset({(0, 0): 0})
    signs = [Sign(SignKind.COVERED_BOARD, 1), Sign(SignKind.ACTIVE_BOARD, 1)]
    camera = make_home_camera((4, 4))
    other_signs = [Sign(SignKind.LAST, 1, 3), Sign(SignKind.LEGAL, 1, 5), Sign(SignKind.WIN, 1, 3)]
    covered = one.frame(0.0, camera, make_theme(), signs=signs + other_signs[:2], ghosts=[Ghost(1, 4, 0)])
    assert covered == other.frame(0.0, camera, make_theme(), signs=signs)
    assert [board.is_covered for board in covered.boards] == [False, True]
    one.play([ev.Recoloured(1, 3, 1, 0)], 0.0)
    assert one.frame(0.1, camera, make_theme(), signs=signs) == covered


def test_connection_signs_show_links_and_cuts() -> None:
    ground = dict.fromkeys(("Ab2", "Ab3"), 0)
    made = MarbleScene((4,))
    made.timeline.reset({(0, AT[name]): colour for name, colour in ground.items()})
    assert [sign.kind for sign in made.connection_signs()] == [SignKind.LINKED]
    across = dict.fromkeys(("Aa2", "Aa3", "Ac2", "Ac3", "Aa1", "Ab1", "Ac1", "Aa4", "Ab4", "Ac4"), 1)
    over = {"Ba2": 2, "Bb2": 2}
    made.timeline.reset({(0, AT[name]): colour for name, colour in {**ground, **across, **over}.items()})
    signs = [s for s in made.connection_signs() if {s.point, s.target_point} == {AT["Ab2"], AT["Ab3"]}]
    assert [sign.kind for sign in signs] == [SignKind.CUT]
    marks = made.frame(0.0, HOME_CAMERA, make_theme(), signs=signs).marks
    assert [mark.kind for mark in marks] == [
        MarkKind.BROKEN_LINE,
        MarkKind.DASHED_CIRCLE,
        MarkKind.DASHED_CIRCLE,
    ]
    assert {mark.position for mark in marks[1:]} == {made.marble_position(0, AT[name]) for name in over}


def test_shaken_marble_swings_and_comes_to_rest() -> None:
    made = make_shown_scene("Aa1 Ab1")
    still = made.frame(0.0, TOP_CAMERA, make_theme())
    made.shake(0, AT["Aa1"], 1.0)
    assert made.is_animating(1.1)
    places = [
        made.frame(1.0 + t / 100, TOP_CAMERA, make_theme()).balls[0].x - still.balls[0].x for t in range(16)
    ]
    assert max(places) > 0.015
    assert min(places) < -0.015
    assert max(map(abs, places)) <= 0.031
    assert not made.is_animating(1.161)
    assert made.frame(1.161, TOP_CAMERA, make_theme()) == still
    made.timeline.reduce_motion = True
    made.shake(0, AT["Aa1"], 2.0)
    calm = made.frame(2.1, TOP_CAMERA, make_theme())
    assert calm.balls == still.balls
    assert [mark.kind for mark in calm.marks] == [MarkKind.CIRCLE]


def test_winning_line_is_drawn_gradually_at_the_end() -> None:
    made = make_shown_scene("Aa1 Ab1 Ac1")
    signs = [Sign(SignKind.WIN, 0, AT[name]) for name in ("Aa1", "Ab1", "Ac1")]

    def thread(now: float) -> float:
        marks = made.frame(now, TOP_CAMERA, make_theme(), signs=signs).marks
        return sum(abs(mark.end[0] - mark.position[0]) for mark in marks if mark.kind is MarkKind.LINE)

    assert thread(0.0) == pytest.approx(2.0)
    made.play([ev.Ended((0,), "line")], 1.0)
    lengths = [thread(1.0 + t / 10) for t in range(7)]
    assert lengths == sorted(lengths)
    assert lengths[0] == 0.0
    assert 0.2 < lengths[1] < 2.0
    assert made.is_animating(1.59)
    assert not made.is_animating(1.61)
    assert thread(1.61) == pytest.approx(2.0)
