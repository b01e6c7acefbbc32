"""The Golden Spiral scene: positions, clickable spots and motion, as seen from a seat."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

import shibumi3d
from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral.events import MedalsTurned, NumbersRevealed, StarsMoved, StarsSpent
from shibumi3d.scene.frame import Card, Solid
from shibumi3d.scene.golden_spiral import layout
from shibumi3d.scene.golden_spiral.scene import MedalScene, add_count_labels
from shibumi3d.scene.palette import MARK_COLOURS, make_theme
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, TableHighlights

DAY = make_theme()
GAME = shibumi3d.game("golden-spiral")


def make_medal_scene(reduced: bool = False) -> MedalScene:
    found = make_scene(GAME, 2)
    assert isinstance(found, MedalScene)
    found.reduce_motion = reduced
    return found


def moments(seed: int) -> list[tuple[Any, Any, Any]]:
    """Return each move of a random match as the state before it, its events and the state after it."""
    chance, state, found = Random(seed), GAME.start(2, seed), []
    while state.to_move is not None:
        move = chance.choice(GAME.moves(state, chance.choice(state.deciding_seats)))
        after, events = GAME.apply(state, move)
        found.append((state, events, after))
        state = after
    return found


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("sitting", [0, 1])
def test_animations_end_like_a_fresh_scene(reduced: bool, sitting: int) -> None:
    for seed in range(12):
        moving, now = make_medal_scene(reduced), 1.0
        moving.reset(GAME.observe(GAME.start(2, seed), sitting), sitting)
        for _, events, after in moments(seed):
            seen = GAME.observe(after, sitting)
            moving.play(GAME.observe_events(after, events, sitting), now, seen, sitting)
            for _ in range(40):
                now += 0.11
                moving.frame(now, DAY, NO_HIGHLIGHTS)
            now += 8.0
            assert not moving.is_animating(now)
            fresh = make_medal_scene()
            fresh.reset(seen, sitting)
            assert moving.frame(now, DAY, NO_HIGHLIGHTS) == fresh.frame(now, DAY, NO_HIGHLIGHTS)
            assert moving.spots() == fresh.spots()


def test_finish_matches_a_fresh_scene() -> None:
    for seed in range(6):
        moving = make_medal_scene()
        moving.reset(GAME.observe(GAME.start(2, seed), 0), 0)
        for _, events, after in moments(seed):
            seen = GAME.observe(after, 0)
            moving.play(GAME.observe_events(after, events, 0), 1.0, seen, 0)
            moving.finish()
            assert not moving.is_animating(1.0)
            fresh = make_medal_scene()
            fresh.reset(seen, 0)
            assert moving.frame(1.0, DAY, NO_HIGHLIGHTS) == fresh.frame(1.0, DAY, NO_HIGHLIGHTS)


def test_every_move_has_distinct_clickable_spots() -> None:
    asked = set()
    for seed in range(40):
        for state, _, _ in moments(seed):
            for seat in state.deciding_seats:
                shown = make_medal_scene()
                view = GAME.observe(state, seat)
                shown.reset(view, seat)
                spots = shown.spots()
                click_choices = [shown.clicks_for(move) for move in GAME.moves(view, seat)]
                clicked = [way for way in click_choices if way.last_spot]
                assert all(way.last_spot in spots for way in clicked)
                assert len({way.last_spot for way in clicked}) == len(clicked)
                if state.decision_kind in ("bid", "amount", "reinforce"):
                    asked.add(state.decision_kind)
                    assert len(clicked) >= len(click_choices) - 1
    assert asked == {"bid", "amount", "reinforce"}


def test_second_to_last_medal_click_turns_two_back() -> None:
    """After a clash of 7 against 5 and two passes, seat 0 may turn up to two Spiral medals back to Gold.

    It has seven Spiral medals. A click on the seventh turns back only the seventh; a click on the sixth turns back both
    the sixth and the seventh.
    """
    state = GAME.start(2)
    for move in ("7", "5", "pass", "pass"):
        state, _ = GAME.apply(state, move)
    shown = make_medal_scene()
    shown.reset(GAME.observe(state, 0), 0)
    assert [shown.clicks_for(move).last_spot for move in GAME.moves(state)] == [
        "",
        "spiral 1 7",
        "spiral 1 6",
    ]


def test_screens_hide_the_other_seats_number() -> None:
    """Seat 1 sees the same picture, without any dice, whatever number seat 0 has set.

    Seat 0 sees its own dice: they show 12 as two sixes.
    """
    pictures = set()
    for number in ("1", "7", "12"):
        state, events = GAME.apply(GAME.start(2), number)
        shown = make_medal_scene()
        shown.reset(GAME.observe(GAME.start(2), 1), 1)
        shown.play(GAME.observe_events(state, events, 1), 1.0, GAME.observe(state, 1), 1)
        pictures.add(repr((shown.frame(1.05, DAY, NO_HIGHLIGHTS), shown.top_view(9.0, DAY, NO_HIGHLIGHTS))))
        assert not any(card.glyph.startswith("die") for card in shown.frame(9.0, DAY, NO_HIGHLIGHTS).cards)
    assert len(pictures) == 1
    own = make_medal_scene()
    own.reset(GAME.observe(state, 0), 0)
    assert [
        card.glyph for card in own.frame(1.0, DAY, NO_HIGHLIGHTS).cards if card.glyph.startswith("die")
    ] == [
        "die 6",
        "die 6",
    ]


def test_medal_counts_update_when_medals_arrive() -> None:
    state = GAME.start(2)
    state, _ = GAME.apply(state, "7")
    after, events = GAME.apply(state, "5")
    shown = make_medal_scene()
    shown.reset(GAME.observe(state, 0), 0)

    def digits(now: float) -> list[str]:
        cards = shown.frame(now, DAY, NO_HIGHLIGHTS).cards
        # Only numbers beside the rows; those that the dice show are engraved lower.
        return [
            card.glyph for card in cards if card.ink == "#FBF8F1" and card.position[2] > layout.TRAY_FLOOR_Z
        ]

    before = digits(0.0)
    shown.play(GAME.observe_events(after, events, 0), 0.0, GAME.observe(after, 0), 0)
    assert digits(0.01) == digits(shown.animator.end_time / 3) == before
    assert digits(shown.animator.end_time + 0.01) != before


def test_preview_shows_resulting_medal_counts() -> None:
    state = GAME.start(2)
    for move in ("7", "5", "pass", "pass"):
        state, _ = GAME.apply(state, move)
    shown = make_medal_scene()
    shown.reset(GAME.observe(state, 0), 0)
    foreseen = GAME.preview(GAME.observe(state, 0), GAME.parse(state, "2"))
    plain = shown.frame(0.0, DAY, NO_HIGHLIGHTS)
    preview = shown.frame(0.0, DAY, TableHighlights(preview=foreseen.events))
    added = [card.glyph for card in preview.cards if card not in plain.cards]
    # 6 + 2 Gold and 7 - 2 Spiral.
    assert added.count("towards") == 2
    assert {"8", "5"} <= set(added)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (StarsSpent("thief", 2, seat=0), [("1", -1)]),
        (StarsMoved(1, 2, seat=0), [("1", 1), ("5", -1)]),
    ],
)
def test_preview_shows_resulting_star_counts(event: Event, expected: list[tuple[str, int]]) -> None:
    counts = {(row, seat): 3 for row in ("gold", "spiral", "stars") for seat in (0, 1)} | {("lost", -1): 0}
    plain: list[Card] = []
    preview: list[Card] = []
    add_count_labels(counts, counts, 0, (), plain)
    add_count_labels(counts, counts, 0, (event,), preview)
    added = [card for card in preview if card not in plain]
    numbers = [(card.glyph, 1 if card.position[1] > 0 else -1) for card in added if card.glyph.isdigit()]
    assert sorted(numbers) == expected
    assert sum(card.glyph == "towards" for card in added) == len(expected)


def test_preview_beyond_a_full_row_lies_on_wood() -> None:
    shown = make_medal_scene()
    shown.reset(GAME.observe(GAME.start(2), 0), 0)
    for gold, is_beyond in ((13, True), (6, False)):
        counts = {(row, seat): 0 for row in ("gold", "spiral", "stars") for seat in (0, 1)} | {
            ("lost", -1): 0
        }
        counts["gold", 0] = gold
        cards: list[Card] = []
        add_count_labels(counts, counts, 0, (MedalsTurned(1, 0, "clash", seat=0),), cards)
        (arrow,) = [card for card in cards if card.glyph == "towards" and card.position[1] > -3]
        under = [
            card
            for card in cards
            if card.fill and abs(card.position[0] - arrow.position[0]) < card.half_size[0]
        ]
        assert bool(under) is is_beyond


@pytest.mark.parametrize("sitting", [0, 1])
def test_each_seat_sign_lies_by_its_tray(sitting: int) -> None:
    """The viewer's sign lies on the near side of the table (y < 0), the opponent's on the far side.

    ``sitting`` is the viewer. Films don't show the player cards beside the table, so the signs are needed.
    """
    shown = make_medal_scene()
    shown.reset(GAME.observe(GAME.start(2), None), sitting)
    for frame in (shown.frame(0.0, DAY, NO_HIGHLIGHTS), shown.top_view(0.0, DAY, NO_HIGHLIGHTS)):
        signs = {card.glyph: card for card in frame.cards if card.glyph.startswith("seat ")}
        assert signs[f"seat {sitting}"].position[1] < 0 < signs[f"seat {1 - sitting}"].position[1]


def test_numbers_that_risk_default_are_marked() -> None:
    """With 8 Gold against 11, setting 1 would risk Default, but setting 2 wouldn't.

    In Golden Spiral, a number must be lower than one's own Gold, so the opponent can set at most 10. The seat with the
    lower number loses the difference in Gold; if it doesn't have enough, it is in Default and loses the game. Setting 1
    could cost 9 Gold, but setting 2 at most 8 (examples 4 and 5 of the specification). Therefore, only the number 1 is
    marked with a dashed line.
    """
    state = GAME.start(2)
    for move in ("7", "5", "pass", "pass", "2"):
        state, _ = GAME.apply(state, move)
    assert (state.gold, state.spiral) == ((8, 11), (5, 0))
    shown = make_medal_scene()
    shown.reset(GAME.observe(state, 0), 0)
    open_ = TableHighlights(clickable=frozenset(f"number {n}" for n in range(1, 8)))
    cards = shown.frame(0.0, DAY, open_).cards
    assert sum(card.glyph == "dashes" for card in cards) == 1
    # While the other player thinks, nothing looks as if it could be chosen.
    assert not any(card.glyph == "dashes" for card in shown.frame(0.0, DAY, NO_HIGHLIGHTS).cards)


def test_other_seat_sees_clash_motion_without_numbers() -> None:
    """The number that seat 0 has set stays hidden from seat 1 until seat 1 has set a number, too.

    Then both numbers are revealed, and the table turns to the side of seat 0, which speaks first because it has less
    Gold. The numbers are shown by dice behind screens. The dice appear only after the screens have folded, so none is
    visible after 0.1 s.
    """
    first, _ = GAME.apply(GAME.start(2), "12")
    shown = make_medal_scene()
    shown.reset(GAME.observe(first, 0), 0)
    shown.play((), 1.0, GAME.observe(first, 1), 1)
    for now in (1.0, 1.01, 2.0):
        assert not any(card.glyph.startswith("die") for card in shown.frame(now, DAY, NO_HIGHLIGHTS).cards)
    after, events = GAME.apply(first, "3")
    shown.play(GAME.observe_events(after, events, None), 5.0, GAME.observe(after, None), 0)
    assert shown.is_animating(5.1)
    assert not any(card.glyph.startswith("die") for card in shown.frame(5.1, DAY, NO_HIGHLIGHTS).cards)
    fresh = make_medal_scene()
    fresh.reset(GAME.observe(after, None), 0)
    assert shown.frame(20.0, DAY, NO_HIGHLIGHTS) == fresh.frame(20.0, DAY, NO_HIGHLIGHTS)


def test_dice_and_medals_sound_when_visible() -> None:
    """The dice are heard once the screens have folded, which takes 0.3 s; the medals follow.

    In Golden Spiral, both players set their dice in secret, behind screens, and then reveal them.
    """
    for _, events, after in moments(3):
        moving = make_medal_scene()
        moving.reset(GAME.observe(GAME.start(2, 3), 0), 0)
        moving.play(GAME.observe_events(after, events, 0), 10.0, GAME.observe(after, 0), 0)
        if not any(isinstance(event, NumbersRevealed) for event in events):
            continue
        assert moving.take_cues(10.2) == []
        assert {cue.object_kind for cue in moving.take_cues(10.5)} == {"die"}
        later = moving.take_cues(99.0)
        assert {cue.object_kind for cue in later} <= {"medal", "chip"}
        return
    pytest.fail("no numbers were shown")


@pytest.mark.parametrize("reduced", [False, True])
def test_rewind_ends_like_the_previous_state(reduced: bool) -> None:
    """While a move of a match is undone, all 26 medals remain in the scene.

    Afterwards, the scene looks exactly like a new scene of the state before the move. Every move of a random match is
    undone in this way, with full motion or, if ``reduced`` is true, with reduced motion.
    """
    for state, events, after in moments(5):
        moving, fresh = make_medal_scene(reduced), make_medal_scene()
        moving.reset(GAME.observe(after, 0), 0)
        moving.rewind(GAME.observe_events(after, events, 0), 1.0, GAME.observe(state, 0), 0)
        bodies = [body for row in moving.bodies_at.values() for body in row]
        assert len(bodies) == len(set(bodies))
        assert sum(body[0] == "medal" for body in bodies) == 26
        moving.frame(1.05, DAY, NO_HIGHLIGHTS)
        fresh.reset(GAME.observe(state, 0), 0)
        assert not moving.is_animating(9.0)
        assert moving.frame(9.0, DAY, NO_HIGHLIGHTS) == fresh.frame(9.0, DAY, NO_HIGHLIGHTS)


def test_rewind_turns_medals_back() -> None:
    """When a clash is undone, the medals that it turned over to Spiral turn back to Gold.

    In Golden Spiral, both seats start with 13 Gold medals and set a number in secret. The seat with the higher number
    turns that many of its Gold medals over to Spiral. After the choices 7 and 5, seat 0 therefore has 6 Gold and 7
    Spiral. Undoing the second choice undoes the clash, so seven medals turn back.
    """
    first, _ = GAME.apply(GAME.start(2), "7")
    after, events = GAME.apply(first, "5")
    moving = make_medal_scene()
    moving.reset(GAME.observe(after, 0), 0)
    moving.rewind(events, 1.0, GAME.observe(first, 0), 0)
    turning = [moving.animator.progress_at(body, 1.01)[1] for body in moving.bodies_at["gold", 0]]
    assert turning.count("spiral>gold") == 7


def solids_after(moves: tuple[str, ...]) -> tuple[Solid, ...]:
    state = GAME.start(2)
    for move in moves:
        state, _ = GAME.apply(state, move)
    shown = make_medal_scene()
    shown.reset(GAME.observe(state, 0), 0)
    return shown.frame(0.0, DAY, NO_HIGHLIGHTS).solids


def test_wooden_trays_receive_medal_shadows() -> None:
    """The floor of a tray receives the shadows of the medals, but casts none itself."""
    solids = solids_after(())
    medals = [one for one in solids if one.shape == "coin" and one.finish == "metal"]
    assert len(medals) == 26
    assert not any(one.receives_shadows for one in medals)
    floors = [one for one in solids if one.shape == "box" and one.receives_shadows and one.size[0] > 5]
    assert [one.finish for one in floors] == ["wood", "wood"]
    for medal in medals:
        _, y, z = medal.position
        under = [one for one in floors if abs(one.position[1] - y) < one.size[1] - 0.45]
        assert len(under) == 1
        assert z == pytest.approx(under[0].position[2] + under[0].size[2])
    rails = [one for one in solids if one.shape == "rail"]
    assert len(rails) == 8
    assert all(one.size[2] > layout.TRAY_HEIGHT and not one.receives_shadows for one in rails)


def test_each_medal_shows_its_embossed_sign() -> None:
    shown = make_medal_scene()
    shown.reset(GAME.observe(GAME.start(2), 0), 0)
    cards = shown.frame(0.0, DAY, NO_HIGHLIGHTS).cards
    signs = [card for card in cards if card.surface == "relief"]
    assert [card.glyph for card in signs] == ["rings"] * 26
    radius, height = layout.MEDAL_RADIUS_AND_HEIGHT
    assert all(card.half_size == (0.8 * radius, 0.8 * radius) for card in signs)
    assert signs[0].position[2] == pytest.approx(layout.TRAY_FLOOR_Z + 0.8 * height, abs=0.005)


def test_dice_are_bevelled_and_screens_are_thin_wood() -> None:
    dice = [one for one in solids_after(("7", "5")) if one.shape == "die"]
    assert [one.size[0] for one in dice] == [layout.DIE_HALF_SIDE] * 4
    blank = [one for one in solids_after(()) if one.shape == "die"]
    assert not [one for one in blank if one.size[0] == one.size[2] / 2], (
        "dice lie there once they show numbers"
    )
    deep = layout.SCREEN_SIZE[1]
    boards = [one for one in solids_after(()) if one.finish == "wood" and one.size[1] == deep]
    assert len(boards) == 6, "two screens of three panels"
    assert all(2 * one.size[1] < one.size[2] / 15 for one in boards)
    assert not any(one.size[1] == deep for one in solids_after(("7", "5"))), "folded"


def test_top_view_draws_signs_on_their_medals() -> None:
    """A sign is lower than the rim of its medal, but is drawn after the medal, so the medal doesn't cover it."""
    shown = make_medal_scene()
    shown.reset(GAME.observe(GAME.start(2), 0), 0)
    cards = shown.top_view(0.0, DAY, NO_HIGHLIGHTS).cards
    radius = layout.MEDAL_RADIUS_AND_HEIGHT[0]
    for x, y in {card.position[:2] for card in cards if card.surface == "relief"}:
        here = [card for card in cards if card.position[:2] == (x, y)]
        assert [card.half_size[0] for card in here] == pytest.approx([radius, 0.8 * radius])


def test_shown_dice_drop_onto_their_plank() -> None:
    first, _ = GAME.apply(GAME.start(2), "7")
    after, events = GAME.apply(first, "5")
    moving = make_medal_scene()
    moving.reset(GAME.observe(first, None), 0)
    moving.play(GAME.observe_events(after, events, None), 0.0, GAME.observe(after, None), 0)

    def heights(now: float) -> set[float]:
        solids = moving.frame(now, DAY, NO_HIGHLIGHTS).solids
        return {one.position[2] for one in solids if one.size[0] == layout.DIE_HALF_SIDE}

    assert heights(0.2) == set()
    (high,) = heights(0.32)
    (low,) = heights(0.45)
    assert high > low > layout.PLANK_TOP_Z
    assert heights(0.6) == {layout.PLANK_TOP_Z}


def test_winners_tray_does_not_lie_in_the_shadow_of_its_border() -> None:
    state, chance = GAME.start(2, 1), Random(1)
    while state.to_move is not None:
        state, _ = GAME.apply(state, chance.choice(GAME.moves(state, state.deciding_seats[0])))
    shown = make_medal_scene()
    shown.reset(GAME.observe(state, 0), 0)
    solids = shown.frame(0.0, DAY, NO_HIGHLIGHTS).solids
    borders = [one for one in solids if one.colour == MARK_COLOURS["win"]]
    assert borders
    assert all(one.receives_shadows for one in borders)


def test_table_has_the_proportions_of_a_window() -> None:
    """Regression test: the table was drawn 2.4 times as wide as high, so half of the window was empty."""
    corners = np.array(MedalScene.hull)
    west, south = corners.min(0)[:2]
    east, north = corners.max(0)[:2]
    shown = make_medal_scene()
    shown.reset(GAME.observe(GAME.start(2), 0), 0)
    for solid in shown.frame(0.0, DAY, NO_HIGHLIGHTS).solids:
        x, y, _ = solid.position
        if not solid.yaw:
            wide, deep, _ = solid.size
            assert west <= x - wide
            assert x + wide <= east
            assert south <= y - deep
            assert y + deep <= north
    pitch = math.radians(MedalScene.view_direction.pitch)
    assert (east - west) / ((north - south) * math.sin(pitch)) < 1.9
