from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.event import Event
from shibumi3d.rules.marbles.pyramid import Pyramid, get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.camera import make_home_camera
from shibumi3d.scene.marbles.actors import (
    Cell,
    HeldMarble,
    Pose,
    colour_stock_key,
    marble_variation,
    position_clear_of_load,
    seat_stock_key,
)
from shibumi3d.scene.marbles.layout import RADIUS, make_layout
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.timeline import Timeline
from shibumi3d.scene.palette import make_theme
from tests.rules import pushed_marbles

from .apart import motion_faults, queue

PYR = get_pyramid(4)
AT = PYR.point_by_name
PLAN = make_layout((4,))


def at(made: Timeline, seat: str, now: float) -> Pose:
    return next(pose for pose in made.sample(now) if pose.socket == (0, AT[seat]))


def place(name: str) -> tuple[float, float, float]:
    return PLAN.point_position(0, AT[name])


BRING_MS = motion.CARRY_MS_RANGE[1]
"""Time to carry a marble whose stock isn't shown: the longest possible, since the marble comes from outside the
picture."""


def test_placed_marble_lands_on_its_point_and_rebounds_once() -> None:
    made = queue()
    made.add([ev.Placed(0, AT["Ab2"], 1, "bag")], 10.0)
    assert made.is_animating(10.0)
    falls = int(BRING_MS + motion.SET_DOWN_MS)
    assert made.end_time == pytest.approx(10.0 + (falls + 60.0) / 1000)
    poses = [at(made, "Ab2", 10.0 + t / 1000) for t in range(0, falls, 10)]
    assert {pose.alpha for pose in poses} == {1.0}
    landed = 10.0 + falls / 1000
    assert at(made, "Ab2", landed).position == pytest.approx(place("Ab2"))
    assert max(at(made, "Ab2", landed + t / 1000).position[2] for t in range(60)) == pytest.approx(0.04)
    assert made.sample(11.0) == (
        Pose(place("Ab2"), 1, (0, AT["Ab2"]), 1.0, *marble_variation((0, AT["Ab2"])), 1),
    )


def test_marbles_without_a_stock_cross_the_picture_edge() -> None:
    """Marbles whose stock isn't shown enter or leave the picture at carrying height, and never fade."""
    camera = make_home_camera((4,))
    edges = camera.frame_edges(16 / 9)
    for event in (ev.Placed(0, AT["Ba1"], 1, "bag"), ev.Removed(0, AT["Ba1"], 0, "bag")):
        made = queue("Aa1 Ab1 Aa2 Ab2" + (" Ba1" if isinstance(event, ev.Removed) else ""))
        made.set_camera(camera, 16 / 9)
        made.add([event], 0.0)
        poses = [made.sample(made.end_time * (t + 0.01) / 200)[-1] for t in range(200)]
        outside = [motion.distance_outside(edges, pose.position) for pose in poses]
        far, near = (outside[0], outside[-1]) if isinstance(event, ev.Placed) else (outside[-1], outside[0])
        assert far > 2 * RADIUS - 0.1 > 0.0 >= near
        assert {pose.alpha for pose in poses} == {1.0}
        assert max(pose.position[2] for pose in poses) < 3.5


def test_marble_starts_from_its_stock_position() -> None:
    made = queue()
    made.stock_positions["tray"] = (-5.0, 0.0, -0.4)
    made.add([ev.Placed(0, 0, 1, "tray")], 0.0)
    assert at(made, "Aa1", 1e-6).position == pytest.approx((-5.0, 0.0, -0.4), abs=1e-3)
    assert at(made, "Aa1", made.end_time).position == place("Aa1")


def test_each_stock_colour_may_have_its_own_position() -> None:
    made = queue()
    made.stock_positions = {"box": (-5.0, 0.0, -0.4), colour_stock_key("box", 2): (-6.0, 0.0, -0.4)}
    made.add([ev.Placed(0, 0, 2, "box"), ev.Placed(0, 1, 1, "box")], 0.0)
    assert at(made, "Aa1", 1e-6).position[0] == pytest.approx(-6.0, abs=1e-3)
    assert made.sample(made.end_time - 1e-6)[0].colour == 2


def test_pending_stock_changes_track_marbles_in_flight() -> None:
    made = queue("Ad4")
    box, red = colour_stock_key("box", 0), colour_stock_key("box", 2)
    made.stock_positions = {
        box: (-5.0, 0.0, -0.4),
        red: (-6.0, 0.0, -0.4),
        seat_stock_key("hand", 1): (5.0, 0.0, -0.4),
    }
    events = [ev.Placed(0, 0, 2, "box"), ev.Removed(0, AT["Ad4"], 0, "box")]
    made.add(events, 0.0)
    # Red has left at once; white has not come back yet.
    assert made.pending_stock_changes(0.001) == Counter({(box, 0): -1})
    assert made.pending_stock_changes(made.end_time - 0.001) == Counter({(box, 0): -1})
    assert made.pending_stock_changes(made.end_time) == Counter()
    now = made.end_time
    made.add([ev.Drew(1, 0, "box", "hand")], now)
    assert made.pending_stock_changes(now + 0.001) == Counter({(seat_stock_key("hand", 1), 0): -1})
    assert made.pending_stock_changes(made.end_time) == Counter()
    made.finish()
    assert made.pending_stock_changes(0.0) == Counter()
    # During rewinding, the drawn marble counts as in the hand, and red as away, until they have returned.
    made.rewind([*events, ev.Drew(1, 0, "box", "hand")], 10.0, {(0, AT["Ad4"]): 0})
    assert made.pending_stock_changes(10.001)[red, 2] == -1
    assert made.pending_stock_changes(made.end_time - 0.001)[red, 2] == -1
    assert made.pending_stock_changes(made.end_time + 0.001)[seat_stock_key("hand", 1), 0] == 0


def test_causes_animate_in_sequence_and_their_marbles_together() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ad4")
    made.add(
        [
            ev.Recoloured(0, AT["Aa1"], 0, 2),
            ev.Removed(0, AT["Ad4"], 0, "bag"),
            ev.Removed(0, AT["Ab2"], 0, "bag"),
        ],
        0.0,
    )
    early = motion.RECOLOUR_MS / 2000
    assert 0 < at(made, "Aa1", early).recoloured_fraction < 1
    assert {pose.alpha for pose in made.sample(early)} == {1.0}
    assert len([pose for pose in made.sample(early) if pose.position in (place("Ad4"), place("Ab2"))]) == 2
    late = (motion.RECOLOUR_MS + motion.LEAVE_STAGGER_MS + motion.LIFT_MS) / 1000
    leaving = [pose for pose in made.sample(late) if pose.socket is None]
    assert len(leaving) == 2
    assert all(pose.alpha == 1.0 and pose.position[2] > 0.3 for pose in leaving)
    assert len(made.sample(made.end_time)) == 3


def test_captured_marble_keeps_its_size_and_opacity() -> None:
    """A captured marble has the same size and opacity all the way into the dish.

    In the dish, it bounces once before it becomes part of the stock.
    """
    stage = MarbleScene((4,))
    stage.timeline.reset({(0, AT[name]): 0 for name in ["Aa1", "Ab1", "Aa2", "Ab2", "Ba1"]})
    dish = (-4.0, 0.0, -0.4)
    stage.timeline.stock_positions = {"tray": dish}
    stage.timeline.add([ev.Removed(0, AT["Ba1"], 0, "tray")], 0.0)
    end, camera = stage.timeline.end_time, make_home_camera((4,))
    for t in range(200):
        balls = stage.frame(end * t / 200, camera, make_theme()).balls
        assert len(balls) == 5
        assert {(ball.radius, ball.alpha) for ball in balls} == {(RADIUS, 1.0)}
    positions = [stage.timeline.sample(end - t / 1000)[-1].position for t in range(1, 62)]
    assert positions[-1] == pytest.approx(dish, abs=0.03)
    assert max(z for _, _, z in positions[:-1]) == pytest.approx(dish[2] + 0.04, abs=0.001)
    assert positions[0] == pytest.approx(dish, abs=0.01)
    assert len(stage.timeline.sample(end)) == 4


def test_captured_marble_flies_in_one_arc() -> None:
    """Until the marble lands, its height first only increases and then only decreases."""
    made = queue("Aa1 Ab1 Aa2 Ab2 Ba1")
    made.stock_positions = {"tray": (-4.0, 0.0, -0.4)}
    made.add([ev.Removed(0, AT["Ba1"], 0, "tray")], 0.0)
    landed = made.end_time - motion.REBOUND_MS / 1000
    heights = [made.sample(landed * t / 200)[-1].position[2] for t in range(200)]
    top = heights.index(max(heights))
    assert heights[: top + 1] == sorted(heights[: top + 1])
    assert heights[top:] == sorted(heights[top:], reverse=True)


def test_marbles_drop_only_after_the_captured_marble_is_clear() -> None:
    made = queue("Aa1 Ab1 Ac1 Aa2 Ab2 Ac2 Aa3 Ab3 Ac3 Ba1 Bb1 Ba2 Bb2 Ca1")
    made.stock_positions = {"tray": (-4.5, 0.0, -0.4)}
    chain = [("Ba1", "Aa1"), ("Ca1", "Ba1")]
    made.add([ev.Removed(0, AT["Aa1"], 0, "tray"), *(ev.Dropped(0, AT[a], AT[b], 0) for a, b in chain)], 0.0)
    begins = {}
    for t in range(1000):
        for origin, end in chain:
            falling = at(made, end, t / 1000)
            if math.dist(falling.position, place(origin)) > 1e-6 and end not in begins:
                begins[end] = t
                taken = next(pose for pose in made.sample(t / 1000) if pose.socket is None)
                assert all(math.dist(taken.position, place(name)) > 1.5 for name in ("Aa1", "Ba1", "Ca1"))
    assert begins["Aa1"] < begins["Ba1"], "lower levels first"


def test_marbles_hit_by_a_drop_shift_slightly_and_return() -> None:
    made = queue("Ab1 Aa2 Ab2 Ac1 Ad4 Ba1")
    made.add([ev.Dropped(0, AT["Ba1"], AT["Aa1"], 0)], 0.0)
    landed = motion.DROP_MS / 1000
    pixels = 95.0  # of a diameter in a window of 1280x720
    for name, touched in (("Ab1", True), ("Aa2", True), ("Ab2", False), ("Ac1", False), ("Ad4", False)):
        assert at(made, name, landed - 0.01).position == place(name)
        distances = [math.dist(at(made, name, landed + t / 1000).position, place(name)) for t in range(1, 80)]
        assert (1.0 < max(distances) * pixels < 2.0) if touched else max(distances) == 0.0
    east = at(made, "Ab1", landed + 0.02).position
    assert east[0] > place("Ab1")[0]
    assert east[1:] == pytest.approx(place("Ab1")[1:])
    for name in ("Ab1", "Aa2"):
        assert at(made, name, made.end_time).position == place(name)


def test_tray_counts_each_marble_once_it_is_at_rest() -> None:
    """The tray still lacks a marble that is on its way, even if another one has already arrived.

    The first marble's place in the tray is farther away than the second's, so the first marble arrives last. Just
    before the end, it is therefore the only one missing (-1).
    """
    made = queue()
    made.reset({(0, AT["Aa1"]): 0, (0, AT["Ad4"]): 1})
    far, near = colour_stock_key("tray", 0), colour_stock_key("tray", 1)
    made.stock_positions = {far: (9.0, 9.0, -0.4), near: (2.5, 2.5, -0.4)}
    made.add([ev.Removed(0, AT["Aa1"], 0, "tray"), ev.Removed(0, AT["Ad4"], 1, "tray")], 0.0)
    assert made.pending_stock_changes(made.end_time - 0.001) == Counter({(far, 0): -1})
    assert made.pending_stock_changes(made.end_time) == Counter()


def test_capturing_marble_arrives_after_the_point_is_free() -> None:
    made = queue()
    made.reset({(0, AT["Aa1"]): 0, (0, AT["Ad4"]): 1})
    made.stock_positions = {"tray": (-5.0, 0.0, -0.4)}
    events = [ev.Moved(0, AT["Ad4"], AT["Aa1"], 1), ev.Captured(0, AT["Aa1"], 0, "tray")]
    made.add(events, 0.0)
    for t in range(int(made.end_time * 120)):
        poses = made.sample(t / 120)
        assert len(poses) < 2 or math.dist(poses[0].position, poses[1].position) > 0.98


def test_drop_chain_is_staggered_within_its_time_limit() -> None:
    size = 10
    pyr = get_pyramid(size)
    chain = [
        (pyr.point_by_name[f"{chr(66 + k)}a1"], pyr.point_by_name[f"{chr(65 + k)}a1"])
        for k in range(size - 1)
    ]
    made = Timeline((size,))
    made.reset({(0, origin): 0 for origin, _ in chain})
    made.add([ev.Dropped(0, origin, point, 0) for origin, point in chain], 0.0)
    assert made.end_time <= motion.MAX_DROP_CHAIN_MS / 1000 + 1e-9
    falls = motion.DROP_MS + motion.DROP_STAGGER_MS * (size - 2)
    # The neighbours of the last falling marble come back last.
    assert made.end_time == pytest.approx((falls + motion.NUDGE_MS) / 1000)
    moving = made.sample(0.12)
    assert (
        sum(
            pose.position[2] != pytest.approx(make_layout((size,)).point_position(*pose.socket)[2])
            for pose in moving
            if pose.socket
        )
        > 1
    )
    made.finish()
    assert made.marbles == {(0, point): 0 for _, point in chain}


def test_long_placement_chain_is_sped_up() -> None:
    made = queue()
    made.add([ev.Placed(0, p, p % 3, "bag") for p in range(30)], 0.0)
    assert made.end_time <= (motion.MAX_STACKED_CHAIN_MS + motion.REBOUND_MS) / 1000 + 1e-9
    assert len(made.sample(0.001)) < 30


def test_lifted_marble_hovers_and_is_carried_over_others() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ac1 Ac2 Ba1")
    made.add([ev.Lifted(0, AT["Ac2"], 0)], 0.0)
    assert made.held == HeldMarble(0, AT["Ac2"], 0)
    made.finish()
    x, y, z = place("Ac2")
    assert made.sample(0.0)[-1].position == (x, y, z + motion.LIFT_HEIGHT)
    made.add([ev.Moved(0, AT["Ac2"], AT["Ad1"], 0)], 1.0)
    assert made.held is None
    assert made.end_time - 1.0 > (motion.CARRY_MS_RANGE[0] + motion.SET_DOWN_MS) / 1000
    assert max(at(made, "Ad1", 1.0 + t / 100).position[2] for t in range(40)) > motion.LIFT_HEIGHT
    made.finish()
    assert (0, AT["Ad1"]) in made.marbles


def test_lifted_marble_makes_room_for_the_dropping_marble() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ba1")
    made.add([ev.Lifted(0, AT["Aa1"], 0), ev.Dropped(0, AT["Ba1"], AT["Aa1"], 0)], 0.0)
    made.finish()
    held = made.sample(0.0)[-1]
    assert held.socket is None
    assert math.dist(held.position, place("Aa1")) > 1.0
    again = Timeline((4,))
    again.reset(made.marbles, made.held)
    assert again.sample(0.0) == made.sample(0.0)


def test_pushed_marbles_slide_together_before_the_first_drops() -> None:
    made = queue("Aa1 Ab1 Ac1 Ad1 Aa2 Ab2 Ac2 Ba1 Bb1")
    made.add(
        [
            ev.Pushed(0, AT["Bb1"], AT["Bc1"], 0),
            ev.SideDropped(0, AT["Bc1"], AT["Ad2"], 0),
            ev.Pushed(0, AT["Ba1"], AT["Bb1"], 0),
            ev.Entered(0, AT["Ba1"], 0, 2, "bag"),
        ],
        0.0,
    )
    brought = (BRING_MS + motion.LOWER_MS) / 1000
    assert made.end_time == pytest.approx(
        brought + (motion.PUSH_MS + motion.DROP_MS + motion.NUDGE_MS) / 1000
    )
    halfway = brought + motion.PUSH_MS / 2000
    places = {pose.socket: pose.position for pose in made.sample(halfway)}
    moved = places[(0, AT["Bb1"])][0] - place("Ba1")[0]
    assert 0 < moved < 1
    assert places[(0, AT["Ad2"])][0] - place("Bb1")[0] == pytest.approx(moved)
    assert places[(0, AT["Ba1"])][0] == pytest.approx(place("Ba1")[0] - 1 + moved)
    edge = {pose.socket: pose.position for pose in made.sample(brought + motion.PUSH_MS / 1000)}
    assert edge[(0, AT["Ad2"])] == pytest.approx(place("Bc1"))


def test_pushed_and_entering_marbles_roll_over_those_below() -> None:
    made = queue("Aa1 Ab1 Ac1 Aa2 Ab2 Ac2 Ba1")
    made.add([ev.Pushed(0, AT["Ba1"], AT["Bb1"], 0), ev.Entered(0, AT["Ba1"], 0, 2, "bag")], 0.0)
    begin = (BRING_MS + motion.LOWER_MS) / 1000
    below = [place(name) for name in ("Ab1", "Ab2")]
    rolled = []
    for t in range(1, int(motion.PUSH_MS)):
        pose = at(made, "Bb1", begin + t / 1000)
        assert pose.roll[:2] == pytest.approx((0.0, 1.0))  # to the east, about an axis to the north
        assert min(math.dist(pose.position, under) for under in below) == pytest.approx(1.0, abs=1e-6)
        rolled.append(pose.roll[2])
        assert pose.rotation == marble_variation((0, AT["Ba1" if pose.roll[2] <= pose.roll[3] else "Bb1"]))[1]
    assert rolled == sorted(rolled)
    # A marble that rolls over stationary ones turns by twice the angle that its centre covers around them.
    over = 2 * 2 * math.asin(RADIUS / math.hypot(1.0, 0.0) / math.sin(math.pi / 3))
    assert sum(at(made, "Bb1", begin + 0.1).roll[2:]) == pytest.approx(over)
    assert at(made, "Bb1", made.end_time).roll == (0.0, 0.0, 0.0, 0.0)


def test_dropping_marble_rolls_half_a_turn() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ba1")
    made.reset({seat: 0 for seat in made.marbles if seat != (0, AT["Aa1"])})
    made.add([ev.Dropped(0, AT["Ba1"], AT["Aa1"], 0)], 0.0)
    east, north, rolled, ahead = at(made, "Aa1", 0.2).roll
    assert (east, north) == pytest.approx((math.sqrt(0.5), -math.sqrt(0.5)))
    assert rolled + ahead == pytest.approx(math.pi)
    # It turns by twice the angle that its centre has covered around the midpoint between the two marbles.
    x, y, z = at(made, "Aa1", 0.2).position
    middle = [(a + b) / 2 for a, b in zip(place("Ab1"), place("Aa2"), strict=True)]
    turned_angle = math.pi / 2 - math.asin((z - middle[2]) / math.dist((x, y, z), middle))
    assert rolled == pytest.approx(2 * turned_angle)


def test_successive_marbles_line_up_in_the_tray() -> None:
    row = [(-5.0, float(y), -0.4) for y in range(2)]
    made = queue("Aa1 Ab1 Ac1")
    made.set_stocks({"tray": row[0]}, {"tray": row})
    made.add([ev.Removed(0, AT[name], 0, "tray") for name in ("Aa1", "Ab1", "Ac1")], 0.0)
    landed = sorted(trip.time for trip in made.cast.stock_changes)
    ends = [min(made.sample(when - 1e-6), key=lambda pose: pose.position[0]).position for when in landed]
    for end, where in zip(ends, [*row, row[1]], strict=True):  # the third where the second lies
        assert end == pytest.approx(where, abs=1e-3)


def test_captured_marble_leaves_the_shared_point() -> None:
    made = queue()
    made.reset({(0, AT["Aa1"]): 0, (0, AT["Ad4"]): 1})
    made.add(
        [
            ev.Lifted(0, AT["Ad4"], 1),
            ev.Moved(0, AT["Ad4"], AT["Aa1"], 1),
            ev.Captured(0, AT["Aa1"], 0, "bag"),
        ],
        0.0,
    )
    made.finish()
    assert made.marbles == {(0, AT["Aa1"]): 1}


@pytest.mark.parametrize(("speed", "factor"), [("fast", 0.5), ("normal", 1.0), ("slow", 1.8)])
def test_animation_speed_scales_durations(speed: str, factor: float) -> None:
    made = queue(speed=speed)
    made.add([ev.Placed(0, 0, 0, "bag")], 0.0, wait=0.5)
    length = BRING_MS + motion.SET_DOWN_MS + motion.REBOUND_MS
    assert made.end_time == pytest.approx(0.5 + factor * length / 1000)


def test_speed_off_skips_motion_but_keeps_pauses() -> None:
    made = queue(speed="off")
    made.add([ev.Placed(0, 0, 0, "bag")], 0.0)
    assert not made.is_animating(0.0)
    assert [pose.position for pose in made.sample(0.0)] == [place("Aa1")]
    made.add([ev.Placed(0, 1, 0, "bag")], 1.0, wait=0.5)
    assert made.is_animating(1.4)
    assert [pose.alpha for pose in made.sample(1.4)] == [1.0]
    assert not made.is_animating(1.5)
    assert len(made.sample(1.5)) == 2


def test_new_marble_is_absent_before_its_animation() -> None:
    made = queue()
    made.add([ev.Placed(0, 0, 0, "bag")], 0.0, wait=0.5)
    assert made.sample(0.3) == ()


def test_reduced_motion_only_fades() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ad1 Ba1", reduced=True)
    events: list[Event] = [
        ev.Lifted(0, AT["Aa1"], 0),
        ev.Dropped(0, AT["Ba1"], AT["Aa1"], 0),
        ev.Moved(0, AT["Aa1"], AT["Ad4"], 0),
        ev.Placed(0, AT["Ac1"], 2, "bag"),
        ev.Removed(0, AT["Ad1"], 0, "bag"),
        ev.Recoloured(0, AT["Ab2"], 0, 1),
    ]
    made.add(events, 0.0)
    assert made.end_time == pytest.approx(5 * motion.FADE_MS / 1000)
    rest = {PLAN.point_position(0, p) for p in range(30)} | {
        (x, y, z + d) for x, y, z in [place("Aa1")] for d in (motion.LIFT_HEIGHT, motion.CLEAR_LIFT_HEIGHT)
    }
    for t in range(100):
        for pose in made.sample(made.end_time * t / 100):
            assert min(math.dist(pose.position, where) for where in rest) < 1e-9


def test_rewind_retraces_the_path_in_less_time() -> None:
    events: list[Event] = [ev.Lifted(0, AT["Aa1"], 0), ev.Moved(0, AT["Aa1"], AT["Ad4"], 0)]
    forward, back = queue("Aa1"), queue("Ad4")
    forward.add(events, 0.0)
    back.rewind(events, 0.0, {(0, AT["Aa1"]): 0})
    assert back.marbles == {(0, AT["Aa1"]): 0}
    assert back.end_time == pytest.approx(forward.end_time * motion.REWIND_DURATION_FACTOR)
    for t in range(1, 20):
        (there,), (here,) = (
            forward.sample(forward.end_time * t / 20),
            back.sample(back.end_time * (20 - t) / 20),
        )
        assert there.position == pytest.approx(here.position, abs=1e-6)
    assert back.sample(back.end_time)[0].position == place("Aa1")


def test_new_input_completes_a_rewind() -> None:
    made = queue("Aa1")
    made.rewind([ev.Placed(0, AT["Aa1"], 0, "bag")], 0.0, {})
    assert len(made.sample(0.01)) == 1
    made.add([ev.Placed(0, AT["Ab1"], 1, "bag")], 0.02)
    assert made.marbles == {(0, AT["Ab1"]): 1}
    made.finish()
    assert len(made.sample(0.02)) == 1


def test_new_game_clears_the_boards() -> None:
    made = queue("Aa1 Ab1")
    made.add([ev.GameStarted(2), ev.Placed(0, 5, 1, "bag")], 0.0)
    assert made.marbles == {(0, 5): 1}
    assert len(made.sample(0.1)) == 2


def test_events_without_motion_take_no_time() -> None:
    made = queue()
    made.add([ev.Scored(0, 2), ev.Passed(1), ev.TurnEnded(0, 3), ev.Ended((0,), "line")], 0.0)
    assert not made.is_animating(0.0)


def test_event_about_a_missing_marble_raises_lookup_error() -> None:
    with pytest.raises(LookupError, match="there is no marble on point 5"):
        queue().add([ev.Removed(0, 5, 0, "bag")], 0.0)


def random_steps(
    pyr: Pyramid, chance: random.Random
) -> Iterator[tuple[list[Event], dict[Cell, int], HeldMarble | None]]:
    """Yield an endless series of random changes to a board.

    Each item contains the events of a change, the colours of the marbles by cell, and the held marble or None. The last
    two describe the board after the change.
    """
    stands: dict[int, int] = {}
    while True:
        filled = sum(1 << p for p in stands)
        done: list[Event] = []
        held: HeldMarble | None = None
        kind = chance.choice(("place", "place", "place", "remove", "move", "enter", "recolour", "stack"))
        free = list(iter_bits(position.playable_points(pyr, filled)))
        movable = list(iter_bits(pushed_marbles.movable_marbles(pyr, filled)))

        if kind in ("place", "stack") and free:
            for _ in range(1 if kind == "place" else 3):
                now = list(iter_bits(position.playable_points(pyr, sum(1 << p for p in stands))))
                if now:
                    p, colour = chance.choice(now), chance.randrange(3)
                    stands[p] = colour
                    done.append(ev.Placed(0, p, colour, "bag"))
        elif kind in ("remove", "move") and movable:
            p = chance.choice(movable)
            colour = stands[p]
            done.append(ev.Removed(0, p, colour, "bag") if kind == "remove" else ev.Lifted(0, p, colour))
            chain = pushed_marbles.drop_chain(pyr, filled, p)
            del stands[p]
            for origin, point in chain:
                done.append(ev.Dropped(0, origin, point, stands[origin]))
                stands[point] = stands.pop(origin)
            if kind == "move":
                held = HeldMarble(colour, p, 0)
                yield done, {(0, q): c for q, c in stands.items()}, held
                q = chance.choice(list(iter_bits(position.playable_points(pyr, sum(1 << q for q in stands)))))
                done, held = [ev.Moved(0, p, q, colour)], None
                stands[q] = colour
        elif kind == "enter" and filled:
            p, side = chance.choice(range(pyr.point_count)), chance.randrange(4)
            push = pushed_marbles.find_entry_path(pyr, filled, p, side)
            if push is None:
                continue
            for origin, point in push.pushed:
                done.append(ev.Pushed(0, origin, point, stands[origin]))
                stands[point] = stands.pop(origin)
                if push.side_drop and push.side_drop[0] == point:
                    done.append(ev.SideDropped(0, *push.side_drop, stands[point]))
                    stands[push.side_drop[1]] = stands.pop(point)
            stands[p] = chance.randrange(3)
            done.append(ev.Entered(0, p, side, stands[p], "bag"))
        elif kind == "recolour" and stands:
            for p in chance.sample(sorted(stands), min(3, len(stands))):
                after = (stands[p] + 1) % 3
                done.append(ev.Recoloured(0, p, stands[p], after))
                stands[p] = after
        if done:
            yield done, {(0, p): c for p, c in stands.items()}, held


@pytest.mark.parametrize("size", [2, 4, 5])
@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_random_steps_end_at_the_freshly_reset_positions(size: int, reduced: bool, seed: int) -> None:
    made, now = Timeline((size,), reduce_motion=reduced), 0.0
    before: tuple[dict[Cell, int], HeldMarble | None] = ({}, None)
    for events, marbles, held in itertools.islice(random_steps(get_pyramid(size), random.Random(seed)), 60):
        made.add(events, now)
        assert (made.marbles, made.held) == (dict(sorted(marbles.items())), held)
        for t in range(8):
            poses = made.sample(now + (made.end_time - now) * t / 8)
            assert all(math.isfinite(number) for pose in poses for number in pose.position)
        now = made.end_time + 0.001
        fresh = Timeline((size,))
        fresh.reset(marbles, held)
        assert made.sample(now) == fresh.sample(now)
        made.rewind(events, now, *before)
        made.sample(now + 0.05)
        now = made.end_time + 0.001
        fresh.reset(*before)
        assert made.sample(now) == fresh.sample(now)
        made.reset(marbles, held)
        before = (marbles, held)


def test_carried_marble_avoids_others_and_stays_close() -> None:
    """A marble carried to another hole overlaps no other marble and isn't lifted too high.

    The marble has already been lifted from Ac3, and the two marbles above it have dropped. On the way to Ad1, its
    centre stays less than 4.5 marble diameters above the centres of the marbles on level A.
    """
    marbles = "Aa1 Ab1 Ac1 Aa2 Ab2 Ac2 Aa3 Ab3 Ac3 Ba1 Bb1 Ba2 Bb2 Ca1"
    made = queue(marbles)
    made.add(
        [
            ev.Lifted(0, AT["Ac3"], 0),
            ev.Dropped(0, AT["Bb2"], AT["Ac3"], 0),
            ev.Dropped(0, AT["Ca1"], AT["Bb2"], 0),
        ],
        0.0,
    )
    now = made.end_time
    made.add([ev.Moved(0, AT["Ac3"], AT["Ad1"], 0)], now)
    for t in range(101):
        poses = made.sample(now + (made.end_time - now) * t / 100 - 1e-9)
        moving = next(pose for pose in poses if pose.socket == (0, AT["Ad1"]))
        assert moving.position[2] < 4.5
        for pose in poses:
            assert pose is moving or math.dist(pose.position, moving.position) > 1 - 1e-6


@pytest.mark.parametrize("direct", [False, True])
def test_lifting_does_not_brush_the_marble_above(direct: bool) -> None:
    """While a marble slips out and others fall, no two marbles overlap noticeably.

    If the marble is lifted to be put down elsewhere, the lift and the drops together take no longer than the limit for
    a chain of drops.
    """
    made = queue("Aa1 Ab1 Ac1 Aa2 Ab2 Ac2 Aa3 Ab3 Ac3 Ba1 Bb1 Ba2 Bb2 Ca1")
    chain: list[Event] = [ev.Dropped(0, AT["Bb2"], AT["Ac3"], 0), ev.Dropped(0, AT["Ca1"], AT["Bb2"], 0)]
    lift: list[Event] = [ev.Removed(0, AT["Ac3"], 0, "bag")] if direct else [ev.Lifted(0, AT["Ac3"], 0)]
    made.add([*lift, *chain], 0.0)
    if not direct:
        assert made.end_time <= motion.MAX_DROP_CHAIN_MS / 1000
    for t in range(201):
        poses = made.sample(made.end_time * t / 200 - 1e-9)
        for one, other in itertools.combinations([pose for pose in poses if pose.alpha > 0.9], 2):
            assert math.dist(one.position, other.position) > 0.98  # one may give way to another by 1.5%


def test_marble_lifted_near_the_picture_edge_does_not_brush_the_corner_below() -> None:
    made = Timeline((4,))
    made.reset({(0, point): 0 for point in range(PYR.point_count)})
    stock = (-4.1, -1.0, -0.5)
    made.set_camera(make_home_camera((4,), 16 / 9, [(stock,)]), 16 / 9)
    events = [
        ev.Lifted(0, AT["Bc3"], 0),
        ev.Dropped(0, AT["Cb2"], AT["Bc3"], 0),
        ev.Dropped(0, AT["Da1"], AT["Cb2"], 0),
    ]
    made.add(events, 0.0)
    assert motion_faults(made, events, 0.0) == []


def test_only_a_load_before_the_destination_makes_a_marble_give_way() -> None:
    """A marble gives way to its load only if the load blocks the straight path to the destination.

    The marble is pulled out from under the load, held, and then moved straight to its destination. If the load lies
    before the destination, the marble is held in another position. If the load lies beyond the destination, it isn't in
    the way, and the marble is held in the same position as without a destination.
    """
    load = (-0.5, -0.5, math.sqrt(0.5))
    edges = motion.UNBOUNDED_EDGES
    held = position_clear_of_load((0.0, 0.0, 0.0), load, edges)
    toward_load = motion.straight_path(held, load)
    near, far = toward_load(0.1), toward_load(4.0)
    assert math.dist(near, load) > 2 * RADIUS
    assert position_clear_of_load((0.0, 0.0, 0.0), load, edges, destination=near) == held
    assert position_clear_of_load((0.0, 0.0, 0.0), load, edges, destination=far) != held


def test_drawn_marble_flies_low_between_stocks_and_disappears() -> None:
    made = queue("Aa1")
    made.add([ev.Drew(1, 2, "bag", "hand")], 0.0)
    assert not made.is_animating(0.0)
    made.stock_positions = {
        "bag": (-5.0, -1.0, -0.4),
        seat_stock_key("hand", 1): (5.0, -1.0, -0.4),
        "hand": (0.0, -9.0, 0.0),
    }
    made.add([ev.Drew(1, 2, "bag", "hand"), ev.Given(0, 1, "bag", "hand", 1)], 0.0)
    assert made.end_time == pytest.approx((2 * motion.HAND_OVER_MS + motion.HAND_OVER_PAUSE_MS) / 1000)
    pose_lists = [[p for p in made.sample(t / 1000) if p.socket is None] for t in range(0, 320, 5)]
    assert all(len(poses) == 1 and poses[0].colour == 2 for poses in pose_lists)
    assert pose_lists[0][0].position == pytest.approx((-5.0, -1.0, -0.4))
    assert all(math.hypot(*pose.position[:2]) > 3.6 and pose.position[2] < 0.3 for (pose,) in pose_lists)
    assert [pose.socket for pose in made.sample(made.end_time)] == [(0, AT["Aa1"])]


def test_recolouring_spreads_from_its_cause() -> None:
    made = queue("Aa1 Ab1 Ac1 Ad1")
    dyed: list[Event] = [ev.Recoloured(0, AT[name], 0, 1) for name in ("Ad1", "Ab1", "Ac1")]
    made.add([ev.Placed(0, AT["Aa2"], 2, "bag"), *dyed], 0.0)
    now = (BRING_MS + motion.SET_DOWN_MS + motion.REBOUND_MS + 110) / 1000
    near, middle, far = (at(made, name, now) for name in ("Ab1", "Ac1", "Ad1"))
    assert near.recoloured_fraction > middle.recoloured_fraction > far.recoloured_fraction
    assert near.recolour_direction[0] < 0 < near.recolour_direction[1]
    assert math.hypot(*near.recolour_direction) == pytest.approx(1.0)


def test_revealed_boxes_open_together() -> None:
    made = queue()
    assert made.box_opening(0.0) == 1.0
    made.add([ev.Revealed((0, 1))], 0.0)
    assert made.end_time == pytest.approx(0.6)
    assert made.box_opening(0.0) == 0.0 < made.box_opening(0.2) < 1.0 == made.box_opening(0.6)


TRAYS = {"bag": (-5.5, -1.0, -0.4), colour_stock_key("bag", 2): (5.5, 1.0, -0.4)}


@pytest.mark.parametrize(
    ("size", "seeds"),
    [(4, range(1)), (5, range(1)), pytest.param(4, range(100, 118), marks=pytest.mark.thorough),
     pytest.param(6, range(8), marks=pytest.mark.thorough)],
)  # fmt: skip
def test_marbles_never_intersect_or_sink_into_the_board(size: int, seeds: range) -> None:
    """The centres of two marbles stay at least 98% of a diameter apart, or 92% if only one of the two is carried.

    Marbles that aren't carried don't sink into the board.
    """
    for seed in seeds:
        made, now = Timeline((size,)), 0.0
        made.stock_positions = dict(TRAYS)
        for events, marbles, held in itertools.islice(
            random_steps(get_pyramid(size), random.Random(seed)), 40
        ):
            made.add(events, now)
            assert motion_faults(made, events, now) == []
            end = max(made.end_time, now)
            now = end + 0.001
            fresh = Timeline((size,))
            fresh.reset(marbles, held)
            assert made.sample(now) == fresh.sample(now)
