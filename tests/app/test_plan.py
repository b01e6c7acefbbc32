"""The plan of a board: its levels drawn flat, in the window and on paper."""

from __future__ import annotations

import pytest

from shibumi3d.app.marbles.controller import Spot
from shibumi3d.render.tiers import ScaleControl
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene import palette
from shibumi3d.scene.marbles.diagram import STONE, arranged, within
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import style
from tests.app.hand import Hand
from tests.app.test_contrast import hexed

ROOMS = ((960, 420), (1600, 800), (560, 300), (420, 900), (700, 700))


@pytest.mark.parametrize("size", range(2, 11))
def test_the_levels_fill_the_room_and_never_meet(size: int) -> None:
    for wide, high in ROOMS:
        plan = within(size, Rect(30, 40, wide, high))
        for level, ground in enumerate(plan.grounds):
            assert min(ground.x - 30, ground.y - 40) > -0.01
            assert max(ground.right - 30 - wide, ground.bottom - 40 - high) < 0.01
            assert ground.w == ground.h > (size - level) * plan.cell
            for other in plan.grounds[:level]:
                common = ground.overlap(other)
                assert not (common.w and common.h)
        # One line would not have made it larger.
        assert plan.cell >= 0.99 * min(wide / sum(size - k + 1.42 for k in range(size)), high / (size + 1.3))


def test_the_levels_of_the_usual_board_stand_in_one_line_with_their_middles_at_one_height() -> None:
    plan = arranged(4, 960, 420)
    assert {round(ground.cy, 3) for ground in plan.grounds} == {round(plan.grounds[0].cy, 3)}
    assert [ground.x for ground in plan.grounds] == sorted(ground.x for ground in plan.grounds)
    assert plan.cell > 60
    # North is up, west is left; Bb2 lies in the middle of its ground, and so does the apex.
    index = pyramid(4).index
    assert plan.spot(index["Aa1"])[0] == plan.spot(index["Aa4"])[0]
    assert plan.spot(index["Aa1"])[1] - plan.spot(index["Aa4"])[1] == pytest.approx(3 * plan.cell)
    for level, name in ((1, "Bb2"), (3, "Da1")):
        assert plan.spot(index[name]) == pytest.approx((plan.grounds[level].cx, plan.grounds[level].cy))
    # In a high window they stand one above the other.
    upright = arranged(4, 300, 1400)
    assert {round(ground.cx, 3) for ground in upright.grounds} == {round(upright.grounds[0].cx, 3)}


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("preset", ["standard", "clear"])
def test_white_and_black_are_told_from_the_ground(tone: str, preset: str) -> None:
    look = style(tone, preset)
    for colour in (0, 1):
        assert palette.contrast(hexed(look.marbles[colour]), hexed(look.ground)) >= 3.0
    assert palette.contrast(palette.MARKS["legal"], hexed(look.ground)) >= 3.0


def test_signs_of_colours_are_as_the_settings_say() -> None:
    assert style("day").signs == 0.0 < style("day", "clear").signs
    assert style("day", "standard", "subtle").signs < style("day", "standard", "strong").signs
    assert style("day", "clear", "off").signs == 0.0


def test_a_game_is_played_on_the_plan_by_keys_to_its_end(hand: Hand) -> None:
    play = hand.start("spline", size=3)
    hand.key("f2")
    hand.wait(0.5)
    assert play.flat.visible
    assert not play.view.visible
    for _ in range(14):
        if play.result_bar.visible:
            break
        hand.key("tab")
        hand.key("enter")
        hand.wait(1)
    assert play.result_bar.visible
    assert play.match.state.result is not None
    assert not play.flat.rect.overlap(play.result_bar.rect).h


def test_in_a_small_window_the_levels_stand_beside_the_tray_not_above_it(hand: Hand) -> None:
    hand.app.resize(640, 480)
    page = hand.start("spire")
    hand.key("f2")
    hand.wait(0.5)
    assert page.tray.visible
    plan, tray = page.flat, page.tray.rect
    assert plan.cell >= 24, "half as large again as in the 118 pixels that are left above the tray"
    for ground in plan.diagrams[0].grounds:
        for over in (tray, *[card.rect for card in page.cards]):
            common = ground.overlap(over)
            assert common.w * common.h == 0
    hand.app.resize(1280, 720)
    hand.wait(0.5)
    assert plan.rect.bottom <= page.tray.rect.y, "where there is room the plan is in the middle"


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_the_levels_do_not_move_while_no_colour_can_be_chosen(hand: Hand, size: tuple[int, int]) -> None:
    hand.app.resize(*size)
    page = hand.start("spire")
    hand.key("f2")
    hand.wait(0.5)
    before = page.flat.rect
    page.tray.visible = False
    page.places.layout(page.rect)
    assert page.flat.rect == before


def test_two_boards_have_a_plan_each_and_the_keys_go_by_what_is_seen(hand: Hand) -> None:
    play = hand.start("spair")
    hand.app.root.close_all()
    hand.key("f2")
    hand.draw()
    left, right = play.flat.diagrams
    assert left.cell == right.cell
    assert 0.0 < STONE < 0.5
    for board, plan in enumerate(play.flat.diagrams):
        for point in range(30):
            spot = Spot(board, point)
            x, y = play.flat.spot(spot)
            assert (x, y) == plan.spot(point)
            assert play.flat.spot_at(x, y) == spot
    hand.key("tab")
    first = play.pointing.cursor
    hand.key("right")
    assert first is not None
    assert play.pointing.cursor is not None
    assert play.flat.spot(play.pointing.cursor)[0] > play.flat.spot(first)[0]


def test_what_is_kept_while_marbles_fly_is_what_would_be_painted(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine the boards become coarser from one picture to the next.
    monkeypatch.setattr(ScaleControl, "scale", 1.0)
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.app.change(motion="slow")
    x, y = hand.app.pixels(*play.plans.place(0))
    hand.click(x, y)
    hand.draw()
    window = Rect(0, 0, *hand.app.root.size)
    for _ in range(2):
        hand.now += 0.05
        hand.draw()
    assert hand.app.moving
    assert hand.app.root.kept
    kept = hand.app.canvas.read(window)
    hand.app.root.dirty = True
    hand.draw()
    assert hand.app.root.kept is None
    assert (hand.app.canvas.read(window) == kept).all()
    # A new picture that is asked for shows what is new.
    hand.app.change(theme="night")
    hand.draw()
    assert (hand.app.canvas.read(window) != kept).any()
