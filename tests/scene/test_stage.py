from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from shibumi3d.render.passes.engraving import places
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.position import playable
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.camera import HOME, ROOM, TOP, home
from shibumi3d.scene.frame import CHEVRON, Ball, MarkKind
from shibumi3d.scene.marbles import marks
from shibumi3d.scene.marbles import stage as st
from shibumi3d.scene.marbles.actors import Held
from shibumi3d.scene.marbles.layout import RISE, TABLE, half_side
from shibumi3d.scene.marbles.layout import TOP as SURFACE
from shibumi3d.scene.marbles.signs import ENTRY, GHOST_ALPHA, Ghost, Sign, SignKind
from shibumi3d.scene.marbles.spread import LOOSE, arrange
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.palette import MARKS, theme

AT = pyramid(4).index


@dataclass(frozen=True)
class State:
    """As much of a state of a game as the stage looks at: points by colour, one dict a board."""

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


def shown(white: str = "", black: str = "") -> Stage:
    made = Stage((4,))
    made.reset(state(white, black))
    return made


def legal(*names: str, colours: tuple[int, ...] = ()) -> list[Sign]:
    return [Sign(SignKind.LEGAL, 0, AT[name], colours) for name in names]


def test_a_frame_shows_what_stands() -> None:
    made = shown("Aa1 Ab1", "Ad4")
    assert made.marbles == {(0, AT["Aa1"]): 0, (0, AT["Ab1"]): 0, (0, AT["Ad4"]): 1}
    frame = made.frame(0.0, HOME, theme())
    assert [ball.colour for ball in frame.balls] == [0, 0, 1]
    assert [ball.at for ball in frame.balls] == [made.anchor(0, AT[name]) for name in ("Aa1", "Ab1", "Ad4")]
    assert frame.boards[0].size == 4
    assert not frame.marks


def test_equal_scenes_make_equal_frames() -> None:
    one, other = shown("Aa1", "Ab1"), Stage((4,))
    other.play([ev.Placed(0, AT["Ab1"], 1, "bag"), ev.Placed(0, AT["Aa1"], 0, "bag")], 0.0)
    assert other.frame(0.1, HOME, theme()) != one.frame(0.1, HOME, theme())
    assert other.frame(9.0, HOME, theme()) == one.frame(0.0, HOME, theme())
    assert one.frame(0.0, HOME, theme("night")) != one.frame(0.0, HOME, theme())
    assert hash(one.frame(0.0, HOME, theme())) == hash(other.frame(9.0, HOME, theme()))


def test_several_boards() -> None:
    made = Stage((4, 3))
    made.reset(State(((1, 0, 0), (0, 2, 0))))
    frame = made.frame(0.0, home((4, 3)), theme(), signs=[Sign(SignKind.ACTIVE, 1)])
    assert made.marbles == {(0, 0): 0, (1, 1): 1}
    assert [board.size for board in frame.boards] == [4, 3]
    assert frame.marks[0].kind is MarkKind.RIM
    assert frame.marks[0].at[:2] == made.plan.origins[1]


def test_a_held_marble_floats_above_its_origin() -> None:
    made = Stage((4,))
    made.reset(state("Aa1", held=(1, AT["Ad4"], 0)))
    assert made.held == Held(1, AT["Ad4"], 0)
    frame = made.frame(0.0, HOME, theme(), signs=[Sign(SignKind.ORIGIN, 0, AT["Ad4"])])
    assert frame.balls[-1].z == pytest.approx(0.6)
    assert frame.marks[0].kind is MarkKind.FLAT_DASHED


def test_rewind_ends_at_the_state_before() -> None:
    made = shown("Aa1")
    made.rewind([ev.Placed(0, AT["Aa1"], 0, "bag")], 0.0, state())
    assert made.busy(0.01)
    made.finish()
    assert made.marbles == {}


class TestLegalPoints:
    def test_a_ring_around_a_hole_and_a_bead_on_a_seat(self) -> None:
        frame = shown("Aa1 Ab1 Aa2 Ab2").frame(0.0, HOME, theme(), signs=legal("Ad1", "Ba1"))
        assert [mark.kind for mark in frame.marks] == [MarkKind.RING, MarkKind.CIRCLE]
        assert frame.marks[0].at[2] == pytest.approx(SURFACE, abs=0.01)
        bead = frame.balls[-1]
        assert bead.glass == 1.0
        # It lies on the four marbles below: as far from the middle of each as both radii.
        for name in ("Aa1", "Ab1", "Aa2", "Ab2"):
            at = shown().anchor(0, AT[name])
            assert math.dist(bead.at, at) == pytest.approx(0.5 + bead.radius)
        assert frame.marks[1].at == bead.at

    def test_many_become_dots(self) -> None:
        made = Stage((6,))
        signs = [Sign(SignKind.LEGAL, 0, p) for p in range(st.MANY + 1)]
        assert {mark.kind for mark in made.frame(0.0, HOME, theme(), signs=signs).marks} == {MarkKind.DOT}
        assert {mark.kind for mark in made.frame(0.0, HOME, theme(), signs=signs[1:]).marks} == {
            MarkKind.RING
        }

    def test_several_colours_share_a_ring(self) -> None:
        light, *marks = shown().frame(0.0, HOME, theme(), signs=legal("Aa1", colours=(0, 2))).marks
        assert [(mark.begin, mark.part) for mark in marks] == [(0.0, 0.5), (0.5, 0.5)]
        assert [mark.colour for mark in marks] == [theme().marble(0), theme().marble(2)]
        # On any board they are seen against the light ring within.
        assert (light.colour, light.part) == (MARKS["legal"], 1.0)
        assert light.width > marks[0].width

    def test_a_hidden_one_is_dashed_and_never_drawn_on_other_marbles(self) -> None:
        ring = "Aa1 Ab1 Ac1 Ad1 Aa2 Ac2 Ad2 Aa3 Ab3 Ac3 Ad3 Aa4 Ab4 Ac4 Ad4"
        made = shown(f"{ring} Bc1 Bc3")
        low = HOME.turned(0, -40)
        hidden = made.frame(0.0, low, theme(), signs=legal("Ab2")).marks[0]
        assert not hidden.over
        assert hidden.alpha == marks.HIDDEN_ALPHA
        assert hidden.kind is MarkKind.FLAT_DASHED
        assert not made.frame(0.0, TOP, theme(), signs=legal("Ab2")).marks[0].over

    def test_from_above_every_legal_point_but_those_under_a_marble_is_seen(self) -> None:
        pyr = pyramid(4)
        filled = pyr.levels[0] | 1 << AT["Ba1"]
        made = Stage((4,))
        made.reset(State(((filled, 0, 0),)))
        signs = [Sign(SignKind.LEGAL, 0, p) for p in bits(playable(pyr, filled))]
        marks_ = made.frame(0.0, TOP, theme(), signs=signs).marks
        assert len(marks_) == len(signs)
        assert {mark.kind for mark in marks_} == {MarkKind.CIRCLE}

    def test_a_marble_that_may_be_chosen_carries_a_tick(self) -> None:
        frame = shown("Aa1").frame(0.0, HOME, theme(), signs=legal("Aa1"))
        assert [mark.kind for mark in frame.marks] == [MarkKind.UP]

    def test_the_ghost_takes_the_place_of_the_mark(self) -> None:
        frame = shown().frame(0.0, HOME, theme(), signs=legal("Aa1", "Ab1"), ghosts=[Ghost(0, AT["Aa1"], 2)])
        assert len(frame.marks) == 1
        (ghost,) = frame.balls
        assert (ghost.colour, ghost.alpha) == (2, GHOST_ALPHA)

    def test_a_ghost_lies_in_its_seat_smaller_than_a_marble(self) -> None:
        made = shown("Aa1 Ab1 Aa2 Ab2")
        ghosts = [Ghost(0, AT[name], 2) for name in ("Ad1", "Ba1", "Aa1")]
        low, raised, fallen = made.frame(0.0, HOME, theme(), ghosts=ghosts).balls[-3:]
        assert 0.3 < low.radius == raised.radius < 0.45
        # On the rim of its hole, whose radius is 0.31, and on the four marbles.
        assert math.hypot(0.31, low.z - SURFACE) == pytest.approx(low.radius)
        for name in ("Aa1", "Ab1", "Aa2", "Ab2"):
            assert math.dist(raised.at, made.anchor(0, AT[name])) == pytest.approx(0.5 + raised.radius)
        # Inside a marble that is still there a smaller one could not be seen.
        assert (fallen.at, fallen.radius) == (made.anchor(0, AT["Aa1"]), 0.5)


def test_doomed_marbles_are_seen_through_and_winning_ones_shine() -> None:
    made = shown("Aa1 Ab1 Ac1")
    signs = [Sign(SignKind.DOOMED, 0, AT["Aa1"]), Sign(SignKind.WIN, 0, AT["Ab1"])]
    doomed, won, other = made.frame(0.0, HOME, theme(), signs=signs).balls
    assert doomed.alpha == st.DOOMED_ALPHA
    assert (won.rim, won.strength) == (1.0, 1.0)
    assert other.strength == st.LOST_STRENGTH
    assert other.rim == 0.0


def test_every_kind_of_sign_makes_a_mark() -> None:
    made = shown("Aa1 Ab1")
    for kind in SignKind:
        frame = made.frame(0.0, HOME, theme(), signs=[Sign(kind, 0, 0, side=0, to=1)])
        steps_back = kind is SignKind.BESIDE and {ball.strength for ball in frame.balls} == {st.LOST_STRENGTH}
        assert frame.marks or frame.boards[0].cloth or steps_back, kind


def test_a_bow_leads_from_place_to_place() -> None:
    made = shown("Aa1")
    (bow,) = made.frame(0.0, TOP, theme(), signs=[Sign(SignKind.WAY, 0, AT["Ad4"], to=AT["Aa1"])]).marks
    assert bow.kind is MarkKind.ARC
    assert (bow.at, bow.to) == (made.anchor(0, AT["Ad4"]), made.anchor(0, AT["Aa1"]))


def test_a_number_stands_on_the_upper_right_of_its_marble() -> None:
    made = shown("Ab2")
    (mark,) = made.frame(0.0, HOME, theme(), signs=[Sign(SignKind.NUMBER, 0, AT["Ab2"], number=3)]).marks
    assert (mark.kind, mark.number, mark.over) == (MarkKind.NUMBER, 3, False)
    (place, middle), depth = HOME.project(np.array([mark.at, made.anchor(0, AT["Ab2"])]), 1280, 720)
    radius = HOME.pixels(0.5, depth, 720)[1]
    assert 0.4 * radius < place[0] - middle[0] < 0.6 * radius
    assert 0.4 * radius < middle[1] - place[1] < 0.6 * radius
    assert 0.3 * radius > marks.NUMBER_PIXELS


def test_a_sign_moves_to_where_its_marble_is_seen() -> None:
    """From the south Ba1 and Bb1 stand before the upper part of Ab2, left and right: its tick goes down."""
    south = replace(HOME, yaw=0.0, pitch=45.0)
    heights = []
    for above in ("", "Ba1 Bb1"):
        made = shown(f"Aa1 Ab1 Ac1 Aa2 Ac2 {above}", "Ab2")
        (mark,) = made.frame(0.0, south, theme(), signs=legal("Ab2")).marks
        assert (mark.kind, mark.over) == (MarkKind.UP, False)
        heights.append((np.array(mark.at) - made.anchor(0, AT["Ab2"])) @ south.axes()[1])
    assert heights[0] == pytest.approx(0.27)
    assert heights[1] < 0.0


def test_a_marble_that_is_not_seen_has_no_tick() -> None:
    """Under Ca1, seen from above, lies Ab2."""
    made = shown("Aa1 Ab1 Aa2 Ab2 Ac1 Ac2 Aa3 Ab3 Ac3", "Ba1 Bb1 Ba2 Bb2 Ca1")
    (mark,) = made.frame(0.0, TOP, theme(), signs=legal("Ab2")).marks
    assert (mark.kind, mark.over, mark.alpha) == (MarkKind.DASHED, False, marks.HIDDEN_ALPHA)
    assert made.hidden(legal("Ab2", "Ca1", "Ad4"), TOP, 16 / 9) == [True, False, False]


def test_a_trail_tells_its_direction() -> None:
    made = shown("Aa1 Ab1 Aa2 Ab2")
    trail = Sign(SignKind.TRAIL, 0, AT["Ba1"], to=AT["Ab2"])
    *lines, arrow = made.frame(0.0, TOP, theme(), signs=[trail]).marks
    assert ({line.kind for line in lines}, arrow.kind) == ({MarkKind.LINE}, MarkKind.CHEVRON)
    assert lines[0].at == pytest.approx(made.anchor(0, AT["Ba1"]))
    assert lines[-1].to == pytest.approx(made.anchor(0, AT["Ab2"]))
    assert arrow.to == made.anchor(0, AT["Ab2"])
    # It is the way that a marble rolls, about those beside the place that it falls to.
    for line, following in pairwise(lines):
        assert line.to == following.at
        for beside in ("Ab1", "Aa2"):
            assert math.dist(line.to, made.anchor(0, AT[beside])) == pytest.approx(1.0)
    # It stands on the marble at the end of the way, within it.
    assert 0.2 < math.dist(arrow.at, arrow.to) < 0.45
    assert not arrow.over


def test_the_trail_of_a_push_or_between_levels_apart_is_dotted() -> None:
    made = shown("Aa1 Ab1 Aa2 Ab2")
    push = Sign(SignKind.TRAIL, 0, AT["Ba1"], to=AT["Bb1"])
    dots, arrow = made.frame(0.0, TOP, theme(), signs=[push]).marks
    assert (dots.kind, arrow.kind) == (MarkKind.DOTS, MarkKind.CHEVRON)
    fall = Sign(SignKind.TRAIL, 0, AT["Ba1"], to=AT["Ab2"])
    apart = arrange((4,), 1000.0, 585.0)
    assert MarkKind.DOTS in {
        mark.kind for mark in made.frame(0.0, HOME, theme(), signs=[fall], spread=apart).marks
    }


def test_marbles_may_lie_anywhere() -> None:
    tray = Ball(-5.0, 0.0, TABLE + 0.5, 1)
    assert shown().frame(0.0, HOME, theme(), extra=[tray]).balls == (tray,)


def test_spreading_lifts_marbles_marks_and_anchors() -> None:
    made = shown("Aa1 Ab1 Aa2 Ab2", "Ba1")
    apart = arrange((4,), 1000.0, 585.0)
    frame = made.frame(0.0, HOME, theme(), spread=apart)
    (ball,) = [ball for ball in frame.balls if ball.colour == 1]
    assert ball.z == pytest.approx(0.0)
    assert ball.radius == LOOSE
    assert made.anchor(0, AT["Ba1"], apart) == ball.at
    assert dict(made.standing(apart))[(0, AT["Ba1"])] == ball.at
    # Every level lies on a board of its own: Ba1 in its corner.
    assert [board.size for board in frame.boards] == [4, 3, 2, 1]
    under = frame.boards[1]
    assert (ball.x, ball.y) == pytest.approx((under.x - 1.0, under.y - 1.0))
    # Free points of all levels are holes.
    (ring,) = made.frame(0.0, HOME, theme(), signs=legal("Bc3"), spread=apart).marks
    assert ring.kind is MarkKind.RING
    half = replace(apart, part=0.5)
    (ball,) = [ball for ball in made.frame(0.0, HOME, theme(), spread=half).balls if ball.colour == 1]
    assert ball.z == pytest.approx(RISE / 2)


def test_entries_stand_outside_the_line() -> None:
    made = shown()
    for side, (axis, sign) in enumerate(((0, -1), (0, 1), (1, -1), (1, 1))):
        point = made.anchor(0, AT["Bb2"])
        assert (made.entry_anchor(0, AT["Bb2"], side)[axis] - point[axis]) * sign > 0.5


def test_an_entry_shows_fuller_under_the_pointer_and_points_inward() -> None:
    made = shown("Aa1 Ab1 Aa2 Ab2")
    calm, strong = (
        made.frame(
            0.0, TOP, theme(), signs=[Sign(SignKind.ENTRY, 0, AT["Ba1"], side=0, strong=strong)]
        ).marks[0]
        for strong in (False, True)
    )
    assert calm.kind is strong.kind is MarkKind.CHEVRON
    assert strong.size > calm.size
    assert strong.width > calm.width
    assert calm.to == made.anchor(0, AT["Ba1"])
    assert calm.at[2] == pytest.approx(made.anchor(0, AT["Ba1"])[2])
    assert calm.at[0] < made.boards()[0].x - half_side(4)


@pytest.mark.parametrize(("width", "height", "least"), [(640, 344, 28), (1000, 584, 20), (1640, 944, 20)])
def test_signs_of_entries_never_lie_on_the_names_in_the_rim(width: int, height: int, least: int) -> None:
    made, names = shown(), places(4)
    entered = [
        move for move in itertools.product(range(len(made.plan.points[0])), range(4)) if outermost(*move)
    ]
    start = replace(home((4,), width / height), back=ROOM)
    for yaw, pitch in itertools.product(range(-180, 180, 24), (least, 36, 60, 90)):
        camera = replace(start, yaw=yaw, pitch=pitch)
        back = camera.axes()[2]
        signs = np.array([made.entry_anchor(0, *move, back=back) for move in entered])
        at, far = camera.project(signs, width, height)
        named, off = camera.project(
            np.column_stack([names[:, :2], np.full(len(names), SURFACE)]), width, height
        )
        # A letter fills some two thirds of its field; a sign has its dark edge about it.
        letters = camera.pixels(1.0, off, height) * names[:, 2] * 0.65
        arrows = np.clip(camera.pixels(ENTRY, far, height), *CHEVRON) + 2.0
        apart = np.linalg.norm(at[:, None] - named[None], axis=2) - arrows[:, None] - letters[None]
        assert apart.min() > 0, (yaw, pitch, entered[int(apart.min(axis=1).argmin())])


def outermost(point: int, side: int) -> bool:
    """Whether a point of a board of size 4 is the first that is met from a side."""
    pyr = pyramid(4)
    level = [other for other in range(30) if pyr.level[other] == pyr.level[point]]
    return pyr.xyz[point][side // 2] == (min, max)[side % 2](pyr.xyz[other][side // 2] for other in level)


def test_nothing_can_be_read_under_a_cloth() -> None:
    one, other = Stage((4, 4)), Stage((4, 4))
    one.queue.reset({(0, 0): 0, (1, 3): 1, (1, 16): 2})
    other.queue.reset({(0, 0): 0})
    signs = [Sign(SignKind.CLOTH, 1), Sign(SignKind.ACTIVE, 1)]
    camera = home((4, 4))
    told = [Sign(SignKind.LAST, 1, 3), Sign(SignKind.LEGAL, 1, 5), Sign(SignKind.WIN, 1, 3)]
    covered = one.frame(0.0, camera, theme(), signs=signs + told[:2], ghosts=[Ghost(1, 4, 0)])
    assert covered == other.frame(0.0, camera, theme(), signs=signs)
    assert [board.cloth for board in covered.boards] == [False, True]
    one.play([ev.Recoloured(1, 3, 1, 0)], 0.0)
    assert one.frame(0.1, camera, theme(), signs=signs) == covered


def test_connections_and_what_cuts_them() -> None:
    ground = dict.fromkeys(("Ab2", "Ab3"), 0)
    made = Stage((4,))
    made.queue.reset({(0, AT[name]): colour for name, colour in ground.items()})
    assert [sign.kind for sign in made.connections()] == [SignKind.LINKED]
    across = dict.fromkeys(("Aa2", "Aa3", "Ac2", "Ac3", "Aa1", "Ab1", "Ac1", "Aa4", "Ab4", "Ac4"), 1)
    over = {"Ba2": 2, "Bb2": 2}
    made.queue.reset({(0, AT[name]): colour for name, colour in {**ground, **across, **over}.items()})
    signs = [s for s in made.connections() if {s.point, s.to} == {AT["Ab2"], AT["Ab3"]}]
    assert [sign.kind for sign in signs] == [SignKind.CUT]
    marks = made.frame(0.0, HOME, theme(), signs=signs).marks
    assert [mark.kind for mark in marks] == [MarkKind.BROKEN, MarkKind.DASHED, MarkKind.DASHED]
    assert {mark.at for mark in marks[1:]} == {made.anchor(0, AT[name]) for name in over}


def test_a_shaken_marble_swings_and_stands_again() -> None:
    made = shown("Aa1 Ab1")
    still = made.frame(0.0, TOP, theme())
    made.shake(0, AT["Aa1"], 1.0)
    assert made.busy(1.1)
    places = [made.frame(1.0 + t / 100, TOP, theme()).balls[0].x - still.balls[0].x for t in range(16)]
    assert max(places) > 0.015
    assert min(places) < -0.015
    assert max(map(abs, places)) <= 0.031
    assert not made.busy(1.161)
    assert made.frame(1.161, TOP, theme()) == still
    made.queue.reduced = True
    made.shake(0, AT["Aa1"], 2.0)
    calm = made.frame(2.1, TOP, theme())
    assert calm.balls == still.balls
    assert [mark.kind for mark in calm.marks] == [MarkKind.CIRCLE]


def test_a_winning_line_is_traced_once() -> None:
    made = shown("Aa1 Ab1 Ac1")
    signs = [Sign(SignKind.WIN, 0, AT[name]) for name in ("Aa1", "Ab1", "Ac1")]

    def thread(now: float) -> float:
        marks = made.frame(now, TOP, theme(), signs=signs).marks
        return sum(abs(mark.to[0] - mark.at[0]) for mark in marks if mark.kind is MarkKind.LINE)

    assert thread(0.0) == pytest.approx(2.0)
    made.play([ev.Ended((0,), "line")], 1.0)
    lengths = [thread(1.0 + t / 10) for t in range(7)]
    assert lengths == sorted(lengths)
    assert lengths[0] == 0.0
    assert 0.2 < lengths[1] < 2.0
    assert made.busy(1.59)
    assert not made.busy(1.61)
    assert thread(1.61) == pytest.approx(2.0)
