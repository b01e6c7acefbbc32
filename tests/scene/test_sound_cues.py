"""Sound cues: which sounds are played and when, and how simultaneous ones are grouped."""

from __future__ import annotations

import math

import pytest

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.timeline import Timeline
from shibumi3d.scene.sound_cues import (
    MAX_VOICES_PER_GROUP,
    ROLL_OFF_SECONDS,
    Contact,
    SoundCue,
    make_cues,
    truncate_cues,
)

from .apart import queue

AT = get_pyramid(4).point_by_name
BRING_MS = motion.CARRY_MS_RANGE[1]  # from outside the picture, which is far away
LAND = (BRING_MS + motion.SET_DOWN_MS) / 1000


def first_contacts(made: Timeline, until: float = math.inf) -> list[SoundCue]:
    """Take the cues up to the time ``until``, and return all but those of rebounds."""
    return [cue for cue in made.take_cues(until) if cue.gain > motion.REBOUND_GAIN]


def first_contact_rows(made: Timeline, until: float = math.inf) -> list[tuple[str, int, int]]:
    return [(cue.kind, cue.colour, cue.level) for cue in first_contacts(made, until)]


def test_placed_marble_sounds_on_landing_and_rebound() -> None:
    made = queue()
    made.add([ev.Placed(0, AT["Ab2"], 2, "bag")], 10.0)
    assert made.take_cues(10.0 + LAND - 0.001) == ()
    made.sample(10.0 + LAND)  # drawing takes nothing away
    (cue,) = made.take_cues(10.0 + LAND + 0.001)
    assert cue == SoundCue(pytest.approx(10.0 + LAND), "set", 2, 0, 1.0)
    (soft,) = made.take_cues(math.inf)
    assert soft == SoundCue(pytest.approx(10.0 + LAND + 0.06), "set", 2, 0, 0.3)
    assert made.take_cues(math.inf) == ()


def test_cue_missed_during_the_motion_is_still_returned() -> None:
    made = queue()
    made.add([ev.Placed(0, AT["Ab2"], 2, "bag")], 10.0)
    made.sample(99.0)
    assert first_contact_rows(made, 99.0) == [("set", 2, 0)]


@pytest.mark.parametrize(
    ("speed", "reduced"), [("off", False), ("normal", True), ("fast", True), ("off", True)]
)
def test_placed_marble_sounds_once_without_flight(speed: str, reduced: bool) -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2", speed, reduced)
    made.add([ev.Placed(0, AT["Ba1"], 1, "bag")], 10.0)
    assert first_contact_rows(made, 10.2) == [("set", 1, 1)]


def test_carried_marble_sounds_when_lifted_and_set_down() -> None:
    made = queue("Ac2")
    made.add([ev.Lifted(0, AT["Ac2"], 0)], 0.0)
    assert first_contact_rows(made, 0.0) == [("lift", 0, 0)]
    made.add([ev.Moved(0, AT["Ac2"], AT["Ad1"], 0)], 1.0)
    (cue,) = first_contacts(made)
    assert cue.kind == "set"
    assert cue.time == pytest.approx(made.end_time - motion.REBOUND_MS / 1000)


def test_move_without_prior_lift_sounds_a_lift_first() -> None:
    made = queue("Ac2")
    made.add([ev.Moved(0, AT["Ac2"], AT["Ad1"], 0)], 1.0)
    lift, down = first_contacts(made)
    assert (lift.time, lift.kind) == (1.0, "lift")
    assert down.kind == "set"


def test_dropping_marble_sounds_after_rolling_off() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ba1")
    made.add([ev.Removed(0, AT["Aa1"], 0, "bag"), ev.Dropped(0, AT["Ba1"], AT["Aa1"], 0)], 0.0)
    lift, fall, soft = made.take_cues(math.inf)
    assert lift == SoundCue(0.0, "lift", 0, 0)
    assert (fall.kind, fall.level) == ("fall", 0)
    # The marble falls once the captured one is halfway through its flight, which ends silently outside the picture.
    begins = motion.LIFT_MS + BRING_MS / 2
    assert fall.time == pytest.approx((begins + motion.DROP_MS) / 1000 - ROLL_OFF_SECONDS)
    assert (soft.kind, soft.level, soft.gain) == ("set", 0, motion.REBOUND_GAIN)
    assert soft.time == pytest.approx((begins + motion.DROP_MS + motion.REBOUND_MS) / 1000)
    assert motion.DROP_MS / 1000 * motion.SPEED_FACTORS["fast"] >= ROLL_OFF_SECONDS  # never before it moves


def test_captured_marble_sounds_in_its_dish() -> None:
    made = queue("Aa1")
    made.stock_positions = {"dish": (-4.0, 0.0, -0.4)}
    made.add([ev.Removed(0, AT["Aa1"], 0, "dish")], 0.0)
    lift, knock, soft = made.take_cues(math.inf)
    assert (lift.kind, knock.kind, knock.gain, soft.kind, soft.gain) == ("lift", "set", 1.0, "set", 0.3)
    assert knock.time == pytest.approx(made.end_time - 0.06)
    assert soft.time == pytest.approx(made.end_time)


def test_pushed_row_sounds_simultaneous_slides() -> None:
    made = queue("Aa1 Ab1")
    made.add(
        [
            ev.Entered(0, AT["Aa1"], 1, 0, "bag"),
            ev.Pushed(0, AT["Aa1"], AT["Ab1"], 0),
            ev.Pushed(0, AT["Ab1"], AT["Ac1"], 0),
        ],
        5.0,
    )
    slides = made.take_cues(math.inf)
    assert [(cue.time, cue.kind) for cue in slides] == [
        (5.0 + (BRING_MS + motion.LOWER_MS) / 1000, "slide")
    ] * 3
    assert sum(cue.gain**2 for cue in slides) == pytest.approx(1.0)


def test_ten_simultaneous_drops_are_limited_in_volume() -> None:
    ten = [Contact(0.001 * i, 0.001 * i, "set", 0, 0) for i in range(10)]
    heard = make_cues(ten)
    assert len(heard) == MAX_VOICES_PER_GROUP == 4
    assert [cue.gain for cue in heard] == [0.5] * 4


def test_separate_contacts_are_not_grouped() -> None:
    heard = make_cues([Contact(time, time, "set", 0, 0) for time in (0.0, 0.05, 0.1, 0.15, 0.3)])
    assert [cue.time for cue in heard] == [0.0, 0.05, 0.1, 0.15, 0.3]
    assert [cue.gain for cue in heard] == pytest.approx([0.5**0.5] * 4 + [1.0])


def test_drop_chain_sounds_each_landing() -> None:
    made = Timeline((8,))
    pyr = get_pyramid(8)
    chain = [(pyr.point_by_name[f"{chr(66 + k)}a1"], pyr.point_by_name[f"{chr(65 + k)}a1"]) for k in range(7)]
    made.reset({(0, origin): 0 for origin, _ in chain})
    made.add([ev.Dropped(0, origin, point, 0) for origin, point in chain], 0.0)
    heard = first_contacts(made)
    assert [cue.level for cue in heard] == list(range(7))
    lands = [
        motion.DROP_MS / 1000 + number * motion.DROP_STAGGER_MS / 1000 - ROLL_OFF_SECONDS
        for number in range(7)
    ]
    assert [cue.time for cue in heard] == pytest.approx(lands)


def test_rewind_swaps_lift_and_set_sounds() -> None:
    made = queue("Aa1 Ab1 Aa2 Ab2 Ba1")
    made.stock_positions = {"bag": (-5.0, 0.0, -0.4)}
    events = [ev.Removed(0, AT["Aa1"], 0, "bag"), ev.Dropped(0, AT["Ba1"], AT["Aa1"], 0)]
    made.add(events, 0.0)
    made.finish()
    before = {(0, AT[name]): 0 for name in ("Aa1", "Ab1", "Aa2", "Ab2", "Ba1")}
    made.rewind(events, 10.0, before)
    # The marble that fell is lifted first, since it had landed last. Rebounds make no sound.
    up, taken, down = made.take_cues(math.inf)
    assert (up.kind, taken.kind, down.kind, down.level) == ("lift", "lift", "set", 0)
    assert 10.0 < up.time < taken.time < down.time == pytest.approx(made.end_time)


def test_reversed_slide_keeps_its_duration() -> None:
    slide = Contact(2.0, 2.5, "slide", 1, 0)
    assert slide.reversed(10.0) == Contact(7.5, 8.0, "slide", 1, 0)


def test_finishing_early_plays_one_remaining_sound() -> None:
    made = queue()
    made.add([ev.Placed(0, p, p % 3, "bag") for p in range(6)], 0.0)
    first = first_contacts(
        made, motion.MAX_STACKED_CHAIN_MS / 6000
    )  # a sixth of the time, before which one of six lands
    assert [cue.colour for cue in first] == [0]
    made.finish()
    assert made.take_cues(0.0) == (SoundCue(-math.inf, "set", 5 % 3, 0),)
    made.finish()
    assert made.take_cues(math.inf) == ()


def test_truncated_drop_sounds_like_a_set_marble() -> None:
    pending = [SoundCue(1.0, "fall", 1, 2, 0.5), SoundCue(1.5, "lift", 0, 0)]
    assert truncate_cues(pending) == [SoundCue(-math.inf, "set", 1, 2)]
    assert truncate_cues(pending[1:]) == [SoundCue(-math.inf, "lift", 0, 0)]
    assert truncate_cues([]) == []


def test_reset_board_is_silent() -> None:
    made = queue()
    made.add([ev.Placed(0, 0, 0, "bag")], 0.0)
    made.reset({(0, 0): 0})
    assert made.take_cues(math.inf) == ()
    stage = MarbleScene([4])
    stage.play([ev.Placed(0, 0, 0, "bag")], 0.0)
    stage.finish()
    assert [cue.kind for cue in stage.timeline.take_cues(0.0)] == ["set"]


def test_recolouring_and_stock_transfers_are_silent() -> None:
    made = queue("Aa1")
    made.stock_positions.update({"bag": (-5.0, 0.0, 0.0), "hand": (5.0, 0.0, 0.0)})
    made.add([ev.Recoloured(0, AT["Aa1"], 0, 1), ev.Drew(0, 1, "bag", "hand")], 0.0)
    assert made.take_cues(math.inf) == ()
