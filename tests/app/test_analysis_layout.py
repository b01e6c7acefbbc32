"""The analysis card covers none of the points it mentions, and the note of a hint is beside its marble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.app.match.marble_view.messages import place_beside_marble
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.scene.rect import Rect
from tests.app.hand import Hand
from tests.app.test_hints_and_analysis import Adviser, make_answer
from tests.app.test_match_page_of_every_table import TABLES, lift, sit

LOOKS = [(size, scale) for size in ((640, 480), (1280, 720), (1920, 1080)) for scale in (100, 150)]


def overlap_area(a: Rect, b: Rect) -> float:
    common = a.intersection(b)
    return common.w * common.h


def numbered_rects(page: MatchPage) -> list[Rect]:
    """Return a rectangle around each point that has a number in the analysis.

    On a table without marbles, return one around each spot that the analysis ranks.
    """
    found = []
    if isinstance(page, MarbleMatchPage):
        for sign in page.advice.make_signs()[0]:
            spot = Spot(sign.board, sign.point)
            (x, y), radius = page.pointer.spot_position(spot), page.pointer.spot_radius(spot)
            found.append(Rect(x - radius, y - radius, 2 * radius, 2 * radius))
    else:
        assert isinstance(page, SceneMatchPage)
        spots = page.scene.spots()
        for key, _ in page.advice.ranked_spots():
            x, y = page.pointer.spot_position(spots[key])
            found.append(Rect(page.view.rect.x + x - 10, page.view.rect.y + y - 10, 20, 20))
    return found


def analyse(hand: Hand, page: Any, moves: Sequence[str]) -> None:
    turns = [MoveEvaluation((move,), 60, 0.64) for move in moves]
    page.advice.engine = Adviser(make_answer(*turns, mean=0.64))
    page.advice._start_analysis()
    hand.wait(2)
    hand.draw()


@pytest.mark.parametrize(("size", "scale"), LOOKS)
@pytest.mark.parametrize("name", ["spline", "spair", "spargo", *TABLES])
def test_analysis_card_covers_no_marble_it_mentions(
    hand: Hand, name: str, size: tuple[int, int], scale: int
) -> None:
    hand.app.change_settings(scale=scale)
    hand.app.resize(*size)
    page: Any = sit(hand, TABLES[name]) if name in TABLES else hand.start(name)
    lift(hand)
    moves = [move.text for move in page.advice.legal_moves()]
    for some in (moves[:3], moves[-3:], moves[len(moves) // 2 :][:3]):
        page.advice.cancel()
        page.advice.is_analysing = False
        analyse(hand, page, some)
        card = page.evaluation_bar
        assert card.visible
        assert numbered_rects(page), some
        assert all(not overlap_area(card.rect, place) for place in numbered_rects(page)), some
        assert card.rect.y >= page.top_bar.rect.bottom
        assert card.rect.right <= page.rect.right
        for seat in page.seat_cards if isinstance(page, MarbleMatchPage) else ():
            assert not overlap_area(card.rect, seat.rect)


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_analysis_card_avoids_mentioned_marbles_at_any_camera_angle(
    hand: Hand, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    page = hand.start("spline")
    analyse(hand, page, ["W@Ad4", "W@Ac4", "W@Ad3"])
    view, tested = page.view, 0
    for x, y, zoom in ((0, 0, 6), (120, 0, 2), (-300, 60, 2), (0, -200, 1)):
        view.camera = view.camera.orbit(x, y)
        for _ in range(zoom):
            hand.native.dispatch_event("on_mouse_scroll", size[0] // 2, size[1] // 2, 0, 1)
        hand.wait(1)
        hand.draw()
        view_area = view.rect
        places = [place for place in numbered_rects(page) if overlap_area(place, view_area)]
        free = [
            place
            for place in page.page_layout._evaluation_bar_rects
            if not sum(overlap_area(place, p) for p in places)
        ]
        if free and places:
            tested += 1
            assert sum(overlap_area(page.evaluation_bar.rect, place) for place in places) == 0
    assert tested > 1


def test_plan_view_is_laid_out_below_the_analysis(hand: Hand) -> None:
    for size in ((640, 480), (1280, 720)):
        hand.app.resize(*size)
        page = hand.start("spline")
        hand.key("f2")
        analyse(hand, page, ["W@Ad4", "W@Ac4", "W@Aa4"])
        assert page.evaluation_bar.visible
        assert len(numbered_rects(page)) == 3
        assert all(not overlap_area(page.evaluation_bar.rect, place) for place in numbered_rects(page))


@pytest.mark.parametrize("width", [200, 300, 400, 1280])
def test_hint_note_is_next_to_its_marble_and_inside_the_window(width: int) -> None:
    area = Rect(6, 6, width - 12, 300)
    wide, high, radius = min(180.0, area.w), 47.0, 20.0
    for x in range(20, width - 10, 20):
        for y in range(20, 300, 20):
            box = place_beside_marble(area, x, y, radius, wide, high)
            core = Rect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius)
            assert overlap_area(box, core) == 0
            assert box.x >= area.x
            assert box.right <= area.right
            assert box.y >= area.y
            assert box.bottom <= area.bottom + high
