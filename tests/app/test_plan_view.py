"""The flat plan of a board, in the window and on paper."""

from __future__ import annotations

import pytest

from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.render.quality_tiers import ScaleController
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import palette
from shibumi3d.scene.marbles.diagram import MARBLE_RADIUS, arrange_levels, fit_diagram
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import make_style
from tests.app.hand import Hand
from tests.app.test_contrast import hexed

ROOMS = ((960, 420), (1600, 800), (560, 300), (420, 900), (700, 700))


@pytest.mark.parametrize("size", range(2, 11))
def test_plan_levels_fill_the_area_without_overlapping(size: int) -> None:
    for wide, high in ROOMS:
        plan = fit_diagram(size, Rect(30, 40, wide, high))
        for level, ground in enumerate(plan.backgrounds):
            assert min(ground.x - 30, ground.y - 40) > -0.01
            assert max(ground.right - 30 - wide, ground.bottom - 40 - high) < 0.01
            assert ground.w == ground.h > (size - level) * plan.cell_size
            for other in plan.backgrounds[:level]:
                common = ground.intersection(other)
                assert not (common.w and common.h)
        # All levels in one row, or in one column, wouldn't be larger.
        assert plan.cell_size >= 0.99 * min(
            wide / sum(size - k + 1.42 for k in range(size)), high / (size + 1.3)
        )


def test_default_board_levels_are_aligned_in_one_row() -> None:
    plan = arrange_levels(4, 960, 420)
    assert {round(ground.cy, 3) for ground in plan.backgrounds} == {round(plan.backgrounds[0].cy, 3)}
    assert [ground.x for ground in plan.backgrounds] == sorted(ground.x for ground in plan.backgrounds)
    assert plan.cell_size > 60
    # North is up and west is left. Bb2 and the apex are in the centre of their levels.
    index = get_pyramid(4).point_by_name
    assert plan.point_centre(index["Aa1"])[0] == plan.point_centre(index["Aa4"])[0]
    assert plan.point_centre(index["Aa1"])[1] - plan.point_centre(index["Aa4"])[1] == pytest.approx(
        3 * plan.cell_size
    )
    for level, name in ((1, "Bb2"), (3, "Da1")):
        assert plan.point_centre(index[name]) == pytest.approx(
            (plan.backgrounds[level].cx, plan.backgrounds[level].cy)
        )
    # In a tall window the levels are stacked.
    upright = arrange_levels(4, 300, 1400)
    assert {round(ground.cx, 3) for ground in upright.backgrounds} == {round(upright.backgrounds[0].cx, 3)}


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("preset", ["standard", "clear"])
def test_white_and_black_contrast_with_the_plan_background(tone: str, preset: str) -> None:
    look = make_style(tone, preset)
    for colour in (0, 1):
        assert palette.contrast_ratio(hexed(look.marbles[colour]), hexed(look.diagram_ground)) >= 3.0
    assert palette.contrast_ratio(palette.MARK_COLOURS["legal"], hexed(look.diagram_ground)) >= 3.0


def test_colour_sign_strength_follows_the_settings() -> None:
    assert make_style("day").sign_strength == 0.0 < make_style("day", "clear").sign_strength
    assert (
        make_style("day", "standard", "subtle").sign_strength
        < make_style("day", "standard", "strong").sign_strength
    )
    assert make_style("day", "clear", "off").sign_strength == 0.0


def test_game_is_playable_on_the_plan_by_keyboard(hand: Hand) -> None:
    play = hand.start("spline", size=3)
    hand.key("f2")
    hand.wait(0.5)
    assert play.flat_view.visible
    assert not play.view.visible
    for _ in range(14):
        if play.result_bar.visible:
            break
        hand.key("tab")
        hand.key("enter")
        hand.wait(1)
    assert play.result_bar.visible
    assert play.match.state.result is not None
    assert not play.flat_view.rect.intersection(play.result_bar.rect).h


def test_small_window_places_levels_beside_the_tray(hand: Hand) -> None:
    hand.app.resize(640, 480)
    page = hand.start("spire")
    hand.key("f2")
    hand.wait(0.5)
    assert page.tray.visible
    plan, tray = page.flat_view, page.tray.rect
    assert plan.cell_size >= 24, "half as large again as in the 118 pixels that are left above the tray"
    for ground in plan.diagrams[0].backgrounds:
        for over in (tray, *[card.rect for card in page.seat_cards]):
            common = ground.intersection(over)
            assert common.w * common.h == 0
    hand.app.resize(1280, 720)
    hand.wait(0.5)
    assert plan.rect.bottom <= page.tray.rect.y, "where there is room the plan is in the middle"


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_levels_stay_in_place_while_the_tray_is_hidden(hand: Hand, size: tuple[int, int]) -> None:
    hand.app.resize(*size)
    page = hand.start("spire")
    hand.key("f2")
    hand.wait(0.5)
    before = page.flat_view.rect
    page.tray.visible = False
    page.page_layout.layout(page.rect)
    assert page.flat_view.rect == before


def test_each_board_has_a_plan_and_arrow_keys_follow_it(hand: Hand) -> None:
    play = hand.start("spair")
    hand.app.root.close_popups()
    hand.key("f2")
    hand.draw()
    left, right = play.flat_view.diagrams
    assert left.cell_size == right.cell_size
    assert 0.0 < MARBLE_RADIUS < 0.5
    for board, plan in enumerate(play.flat_view.diagrams):
        for point in range(30):
            spot = Spot(board, point)
            x, y = play.flat_view.spot_position(spot)
            assert (x, y) == plan.point_centre(point)
            assert play.flat_view.spot_at(x, y) == spot
    hand.key("tab")
    first = play.pointer.cursor
    hand.key("right")
    assert first is not None
    assert play.pointer.cursor is not None
    assert play.flat_view.spot_position(play.pointer.cursor)[0] > play.flat_view.spot_position(first)[0]


def test_cached_plan_matches_repainting_during_animation(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine, the resolution may change between frames.
    monkeypatch.setattr(ScaleController, "scale", 1.0)
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.app.change_settings(motion="slow")
    x, y = hand.app.to_window_pixels(*play.level_strip.point_position(0))
    hand.click(x, y)
    hand.draw()
    window = Rect(0, 0, *hand.app.root.size)
    for _ in range(2):
        hand.now += 0.05
        hand.draw()
    assert hand.app.is_moving
    assert hand.app.root.animation_cache
    kept = hand.app.canvas.read_pixels(window)
    hand.app.root.dirty = True
    hand.draw()
    assert hand.app.root.animation_cache is None
    assert (hand.app.canvas.read_pixels(window) == kept).all()
    # A requested redraw shows the changes.
    hand.app.change_settings(theme="night")
    hand.draw()
    assert (hand.app.canvas.read_pixels(window) != kept).any()
