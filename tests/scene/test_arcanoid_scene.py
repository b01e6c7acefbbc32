"""The Arcanoid scene: every choice can be clicked, hidden cards are never shown, and moving cards arrive."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

import shibumi3d
from shibumi3d.rules.arcanoid import events as ev
from shibumi3d.rules.arcanoid.cards import CARD_NAMES
from shibumi3d.rules.game import as_move_of
from shibumi3d.scene.arcanoid import card_faces as faces
from shibumi3d.scene.arcanoid import layout, scene
from shibumi3d.scene.arcanoid.figures import FIGURE_HEIGHT
from shibumi3d.scene.arcanoid.scene import CardScene
from shibumi3d.scene.camera import Camera, make_home_camera_for_hull
from shibumi3d.scene.frame import Card, Frame
from shibumi3d.scene.glyphs import GLYPHS, parse_path
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.palette import contrast_ratio, make_theme
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, TableHighlights

WORDS = ("done", "yes", "no", "steal", "let", "extra", "go")
"""Answers that are given with a button."""


@pytest.mark.parametrize(
    ("variant", "seats", "options"), [("", 2, {}), ("malta", 10, {"dummies": 2}), ("koblenz", 3, {})]
)
def test_every_choice_can_be_made_by_clicks(variant: str, seats: int, options: dict[str, int | str]) -> None:
    game = shibumi3d.game("arcanoid", variant=variant or None, options={"rounds": 1} | options)
    chance = Random(seats)
    for seed in range(3):
        state = game.start(seats, seed)
        shown = make_scene(game, seats)
        while state.result is None:
            seat = chance.choice(state.decision.seats)
            view = game.observe(state, seat)
            shown.reset(view, seat)
            spots = shown.spots()
            kinds: dict[str, list[object]] = {}
            for move in game.moves(view, seat):
                clicks = shown.clicks_for(move)
                kinds.setdefault(move.kind, []).append(move)
                if move.kind in WORDS:
                    assert clicks.last_spot == ""
                else:
                    assert {*clicks.picks, clicks.last_spot} <= set(spots), move
            move = chance.choice(kinds[chance.choice(list(kinds))])
            state, _ = game.apply(state, as_move_of(move, seat, state))


def pictures(frame: Frame) -> list[Card]:
    assert all(card.glyph in GLYPHS for card in frame.cards if card.glyph)
    return list(frame.cards)


def test_hidden_cards_do_not_affect_the_scene() -> None:
    """Two deals that look the same to a seat give the same pictures and spots."""
    game = shibumi3d.game("arcanoid", variant="koblenz", options={"dummies": 1})
    chance = Random(3)
    state = game.start(4, 3)
    for _ in range(150):
        seat = chance.randrange(4)
        view = game.observe(state, seat)
        other = game.observe(game.determinize(view, seat, chance), seat)
        seen = []
        for each in (view, other):
            shown = make_scene(game, 4)
            shown.reset(each, seat)
            drawn = [
                pictures(shown.frame(0.0, make_theme(), NO_HIGHLIGHTS)),
                pictures(shown.top_view(0.0, make_theme(), NO_HIGHLIGHTS)),
            ]
            seen.append((drawn, dict(shown.spots())))
        assert seen[0] == seen[1]
        asked = chance.choice(state.decision.seats)
        state, _ = game.apply(state, as_move_of(chance.choice(game.moves(state, asked)), asked, state))


def test_played_cards_slide_to_their_field() -> None:
    game = shibumi3d.game("arcanoid")
    state = game.start(2, 1, {"first": "1", "stock": "S4 S6 S7 T2 C3 D5"})
    shown = make_scene(game, 2)
    shown.reset(game.observe(state, 0), 0)
    after, events = game.apply(state, "S:S4+S6")
    shown.play(game.observe_events(after, events, 0), 10.0, game.observe(after, 0), 0)
    assert [(cue.kind, cue.object_kind) for cue in shown.take_cues(10.0)] == [("slide", "card")]
    assert shown.is_animating(10.1)
    assert ("set", "card") in [(cue.kind, cue.object_kind) for cue in shown.take_cues(14.0)]
    assert not shown.is_animating(14.0)
    still = make_scene(game, 2)
    still.reset(game.observe(after, 0), 0)
    assert shown.frame(14.0, make_theme(), NO_HIGHLIGHTS) == still.frame(0.0, make_theme(), NO_HIGHLIGHTS)
    shown.play((), 20.0, game.observe(state, 0), 0)
    shown.finish()
    assert not shown.is_animating(20.0)


def test_discarded_cards_fly_to_the_discard_pile() -> None:
    """The first player discards the 4 of swords and draws a card; the 4 flies to the discard pile.

    When the move is undone, the drawn card flies back to the stock, and the 4 returns from the discard pile.
    """
    game = shibumi3d.game("arcanoid")
    state = game.start(2, 1, {"first": "1", "stock": "S4 S6 S7 T2 C3 D5"})
    four = 3
    shown = make_scene(game, 2)
    shown.reset(game.observe(state, 0), 0)
    move = next(move for move in game.moves(state, 0) if move.text == "-S4")
    after, events = game.apply(state, move)
    observed, view = game.observe_events(after, events, 0), game.observe(after, 0)
    drawn = next(event.cards[0] for event in observed if type(event).__name__ == "Drawn")
    shown.play(observed, 10.0, view, 0)
    assert shown._disappearing[four].position == layout.DISCARD_POSITION
    flying = shown.animator.position_at(four, 10.05, (0.0, 0.0, 0.0))
    assert flying not in (layout.DISCARD_POSITION, (0.0, 0.0, 0.0))
    seen = shown.frame(10.05, make_theme(), NO_HIGHLIGHTS).cards
    assert any(
        card.fill == faces.CARD_PAPERS["day"] and card.position == pytest.approx(flying) for card in seen
    )
    still = make_scene(game, 2)
    still.reset(view, 0)
    assert shown.frame(20.0, make_theme(), NO_HIGHLIGHTS) == still.frame(0.0, make_theme(), NO_HIGHLIGHTS)
    shown.rewind(observed, 30.0, game.observe(state, 0), 0)
    assert shown._disappearing[drawn].position == layout.STOCK_POSITION
    assert shown.animator.position_at(four, 30.0, (0.0, 0.0, 0.0)) == layout.DISCARD_POSITION
    shown.finish()
    still.reset(game.observe(state, 0), 0)
    assert shown.frame(30.1, make_theme(), NO_HIGHLIGHTS) == still.frame(0.0, make_theme(), NO_HIGHLIGHTS)


def test_stolen_cards_wait_and_the_renewed_stock_is_shown() -> None:
    game = shibumi3d.game("arcanoid")
    deal = {"first": "1", "stock": "S4 S6 S7 T2 C3 M1 S9 S10 M0 T9 C8 D2 M7"}
    state, _ = game.apply(game.start(2, 1, deal), "S:S4+S6")
    shown = make_scene(game, 2)
    shown.reset(game.observe(state, 1), 1)
    start_position = shown._placements[3].position
    steal = next(move for move in game.moves(state, 1) if move.kind == "steal")
    after, events = game.apply(state, as_move_of(steal, 1, state))
    shown.play(game.observe_events(after, events, 1), 10.0, game.observe(after, 1), 1)
    there = shown._placements[3]
    assert there.participant == 1
    assert shown.animator.position_at(3, 10.29, there.position) == start_position
    assert shown.animator.position_at(3, 10.45, there.position) not in (start_position, there.position)
    assert shown.animator.position_at(3, 10.30 + 0.42 + 6 * 0.045, there.position) == there.position
    shown.reset(game.observe(after, 1), 1)
    quiet = len(shown.frame(0.0, make_theme(), NO_HIGHLIGHTS).cards)
    shown.play([ev.StockRenewed(number=20)], 20.0, game.observe(after, 1), 1)
    assert len(shown.frame(20.5, make_theme(), NO_HIGHLIGHTS).cards) == quiet + 3, (
        "a back, its picture and its shadow"
    )
    assert len(shown.frame(20.7, make_theme(), NO_HIGHLIGHTS).cards) == quiet


@pytest.mark.parametrize("tone", ["day", "night"])
def test_ten_seat_scene_stays_within_its_card_limit(tone: str) -> None:
    game = shibumi3d.game("arcanoid", options={"dummies": 2})
    chance = Random(1)
    state = game.start(10, 1)
    most = 0
    for _ in range(200):
        shown = make_scene(game, 10)
        shown.reset(game.observe(state, 0), 0)
        most = max(most, len(shown.frame(0.0, make_theme(tone), NO_HIGHLIGHTS).cards))
        asked = chance.choice(state.decision.seats)
        state, _ = game.apply(state, as_move_of(chance.choice(game.moves(state, asked)), asked, state))
    assert most < 600


@pytest.mark.parametrize("many", range(2, 11))
def test_crowded_field_keeps_every_card_index_visible(many: int) -> None:
    """In each line of a field, every card starts to the right of the index of the card before it.

    The index is the label in the corner of a card, and ``many`` is the number of cards on the field. The cards may lie
    in two lines, which don't overlap and stay within the height of the participant's row. Every card ends to the left
    of the number that shows the strength of the field.
    """
    for seats in (2, 4, 10):
        row = layout.participant_rows(shibumi3d.game("arcanoid").start(seats, 1))[0]
        places = [layout.field_card_position(row, 2, nth, many) for nth in range(many)]
        fit = row.fit_cards(many)
        width = fit.card_width
        for (ax, ay, _), (bx, by, _) in pairwise(places):
            if ay == by:
                assert bx - ax >= 0.4 * width
            else:
                assert ay - by >= fit.max_card_height, "the next line"
        tops = [y + width / 2 * faces.CARD_ASPECT for _, y, _ in places]
        assert max(tops) <= row.y + row.height / 2
        assert min(tops) - fit.max_card_height >= row.y - row.height / 2
        assert max(x for x, _, _ in places) + width / 2 < layout.column_x(2) + layout.COLUMN_WIDTH - 0.8


def test_four_cards_on_a_field_of_two_players_are_readable() -> None:
    """With two players, each of four cards on a field is at least 60 pixels wide at 1280 x 720.

    The corner index takes up 42% of a card's width. Regression test: the index was only 12 pixels wide in a window of
    that size.
    """
    row = layout.participant_rows(shibumi3d.game("arcanoid").start(2, 1))[1]
    at = layout.field_card_position(row, 0, 0, 4)
    assert pixels(at, row.fit_cards(4).card_width / 2) >= 60


def test_court_card_letters_follow_the_language() -> None:
    """The queen of cups is the thirteenth card of the third suit; in French, she is a *dame*."""
    assert faces.corner_glyph(2 * 14 + 12) == faces.corner_glyph(2 * 14 + 12, "eo") == "rank Q"
    assert faces.corner_glyph(2 * 14 + 12, "fr") == "rank D"
    assert {"rank V", "rank C", "rank D", "rank R"} <= set(GLYPHS)


@pytest.mark.parametrize(("lang", "expected"), [("en", "0 fields"), ("fr", "0 terrain")])
def test_seat_without_wins_is_described(lang: str, expected: str) -> None:
    game = shibumi3d.game("arcanoid")
    assert game.describe_seat(game.observe(game.start(2, 1), 0), 0, lang) == (expected,)


def test_drawn_cards_turn_up_only_for_their_owner() -> None:
    game = shibumi3d.game("arcanoid", options={"rounds": 1})
    state = game.start(2, 1, {"first": "1", "stock": "S4 S6 S7 T2 C3 D5"})
    move = next(move for move in game.moves(state, 0) if move.text == "-S4")
    after, events = game.apply(state, move)
    for seat in (0, 1):
        shown = make_scene(game, 2)
        shown.reset(game.observe(state, seat), seat)
        shown.play(game.observe_events(after, events, seat), 10.0, game.observe(after, seat), seat)
        drawn = [card for card in shown._placements if card not in scene_of(game, state, seat)._placements]
        assert len(drawn) == (1 if seat == 0 else 0)
        assert bool(shown._face_down_moves) is (seat == 1), (
            "the other sees its back alone, from the stock to the hand"
        )
        if drawn:
            assert [leg.tag for leg in shown.animator._legs[drawn[0]]] == ["back", "turn"]
        end = shown.animator.end_time
        assert shown.frame(end, make_theme(), NO_HIGHLIGHTS) == scene_of(game, after, seat).frame(
            0.0, make_theme(), NO_HIGHLIGHTS
        )
        marked = TableHighlights(new_spots=frozenset(CARD_NAMES))
        ticks = [card for card in shown.frame(end, make_theme(), marked).cards if card.glyph == "tick"]
        assert len(ticks) == 6, "only what lies in the hand is marked as new"


def scene_of(game: Any, state: Any, seat: int) -> Any:
    shown = make_scene(game, 2)
    shown.reset(game.observe(state, seat), seat)
    return shown


def test_field_strength_appears_once_its_cards_land() -> None:
    game = shibumi3d.game("arcanoid")
    state = game.start(2, 3)
    seat = state.decision.seats[0]
    move = next(each for each in game.moves(state, seat) if each.kind == "engage" and each.suits == (0,))
    shown = make_scene(game, 2)
    shown.reset(game.observe(state, seat), seat)
    after, events = game.apply(state, move)
    shown.play(game.observe_events(after, events, seat), 10.0, game.observe(after, seat), seat)
    x, y = layout.column_x(0) + layout.COLUMN_WIDTH - 0.42, layout.participant_rows(after)[seat].y

    def shows_glyph(now: float) -> bool:
        return any(
            card.glyph and abs(card.position[0] - x) < 0.45 and card.position[1] == y
            for card in shown.frame(now, make_theme()).cards
        )

    assert not shows_glyph(10.1)
    assert shows_glyph(20.0)


def window_camera() -> Camera:
    """Return the camera with which the table fits between the panels of a page in a window of 1280 x 720."""
    panels = [(0.0, 0.0, 0.165, 0.6), (0.755, 0.0, 1.0, 0.22), (0.755, 0.5, 1.0, 1.0)]
    return make_home_camera_for_hull(CardScene.hull, CardScene.view_direction, 1280 / 624, panels)


def pixels(at: Vector, half: float, up: float = 0.0) -> float:
    """Return the width of an object in pixels, or its height if ``up`` isn't 0.

    The object is seen in a window of 1280 x 720 pixels. ``at`` is its centre, and ``half`` and ``up`` are half its
    width and half its height, all in units of the scene.
    """
    x, y, z = at
    ends, _ = window_camera().project(np.array([(x - half, y - up, z), (x + half, y + up, z)]), 1280, 624)
    return float(abs(ends[1] - ends[0])[1 if up else 0])


@pytest.mark.parametrize("seats", range(2, 11))
def test_field_signs_are_readable_in_a_small_window(seats: int) -> None:
    state = shibumi3d.game("arcanoid").start(seats, 1)
    for row in layout.participant_rows(state).values():
        for suit in range(4):
            at, size = layout.suit_symbol_position(row, suit)
            assert pixels(at, size) >= 24
            assert abs(at[1] - row.y) + size <= row.height / 2 + 0.1, "inside the field"
            there, size = layout.strength_position(row, suit)
            assert pixels(there, size) >= 18
            half, size = layout.strength_position(row, suit, has_half=True)
            assert half[0] + 2.5 * size <= layout.column_x(suit) + layout.COLUMN_WIDTH


def test_hand_cards_are_large_and_span_the_table() -> None:
    """Regression test: the cards of a hand were only 66 pixels wide in a window of 1280 x 720."""
    assert pixels(layout.hand_card_position(3, 8), layout.HAND_CARD_WIDTH / 2) >= 99
    first, last = layout.hand_card_position(0, 8), layout.hand_card_position(7, 8)
    wide = last[0] - first[0] + layout.HAND_CARD_WIDTH
    assert wide >= 0.93 * (layout.RIGHT_X - layout.LEFT_X)
    assert layout.HAND_CARD_WIDTH - (last[0] - first[0]) / 7 < 0.5 * layout.HAND_CARD_WIDTH


@pytest.mark.parametrize("rank", range(10))
def test_whole_number_cards_show_as_many_signs_as_their_number(rank: int) -> None:
    width = layout.HAND_CARD_WIDTH
    shown = list(faces.make_face(28 + rank, (0.0, 0.0, 0.0), width, faces.PrintStyle("day")))
    signs = [card for card in shown if card.glyph == "suit 2"]
    index, *pips = signs
    assert len(pips) == rank + 1
    number = next(card for card in shown if card.glyph == faces.corner_glyph(28 + rank))
    for pip in pips:
        x, y = (abs(pip.position[axis]) + pip.half_size[axis] for axis in (0, 1))
        assert x < width / 2
        assert y < width / 2 * faces.CARD_ASPECT
        for other in (index, number, *pips):
            if other is not pip:
                apart = [abs(pip.position[axis] - other.position[axis]) for axis in (0, 1)]
                assert max(apart) > 0.8 * (pip.half_size[0] + other.half_size[0]), "they don't overlap"


def test_hand_is_fanned_and_its_cards_stay_readable() -> None:
    """The cards lie on an arc, each turned a little further, and none covers the index of the card below it."""
    game = shibumi3d.game("arcanoid")
    shown = scene_of(game, game.start(2, 1), 0)
    hand = [lying for lying in shown._placements.values() if lying.width == layout.HAND_CARD_WIDTH]
    yaws = [lying.yaw for lying in hand]
    assert yaws == sorted(yaws, reverse=True)
    assert 0.09 < yaws[0] == -yaws[-1] < 0.2
    middle, end = hand[2].position, hand[0].position
    assert middle[1] > end[1]
    for many in (2, 6, 8, 13):
        places = [layout.hand_card_position(nth, many) for nth in range(many)]
        assert all(b[0] - a[0] > 0.42 * layout.HAND_CARD_WIDTH for a, b in pairwise(places))
        assert all(b[2] > a[2] for a, b in pairwise(places))
    frame = shown.frame(0.0, make_theme(), NO_HIGHLIGHTS)
    half = (layout.HAND_CARD_WIDTH / 2, layout.HAND_CARD_WIDTH / 2 * faces.CARD_ASPECT)
    assert [card.yaw for card in frame.cards if card.half_size == pytest.approx(half)] == yaws


def test_pointed_card_of_the_hand_rises_and_its_spot_stays() -> None:
    game = shibumi3d.game("arcanoid")
    shown = scene_of(game, game.start(2, 1), 0)
    card, lying = next(
        (card, at) for card, at in shown._placements.items() if at.width == layout.HAND_CARD_WIDTH
    )
    spot = shown.spots()[CARD_NAMES[card]]
    assert (spot.position, spot.yaw) == (lying.position, lying.yaw)

    def middle(highlights: TableHighlights) -> Vector:
        cards = shown.frame(0.0, make_theme(), highlights).cards
        half = layout.HAND_CARD_WIDTH / 2
        paper = [one for one in cards if one.half_size[0] == half and one.yaw == lying.yaw]
        return paper[0].position

    at, up = middle(NO_HIGHLIGHTS), middle(TableHighlights(focused=CARD_NAMES[card]))
    assert at == pytest.approx(lying.position)
    assert np.hypot(up[0] - at[0], up[1] - at[1]) == pytest.approx(scene.POINTED_CARD_RAISE)
    assert up[1] > at[1]
    assert shown.spots()[CARD_NAMES[card]] == spot


@pytest.mark.parametrize("number", [14, 62, 78])
def test_two_digits_fit_side_by_side(number: int) -> None:
    """Regression test: in two-digit numbers, each digit was only half as wide as on its own."""
    strokes, _ = parse_path(GLYPHS[faces.number_glyph(number)])
    first, second = (parse_path(GLYPHS[digit])[0] for digit in str(number))
    xs = [x for stroke in strokes for x, _ in stroke]
    assert min(xs) >= 0
    assert max(xs) <= 24
    left = strokes[: len(first)]
    width = max(x for s in left for x, _ in s) - min(x for s in left for x, _ in s)
    plain = max(x for s in first for x, _ in s) - min(x for s in first for x, _ in s)
    assert width >= 0.79 * plain
    assert max(x for s in left for x, _ in s) < min(x for s in strokes[len(first) :] for x, _ in s)
    assert len(strokes) == len(first) + len(second)


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_cropped_card_is_clickable_only_where_visible(seats: int) -> None:
    game = shibumi3d.game("arcanoid")
    state, chance = game.start(seats, 3), Random(3)
    found = 0
    while state.result is None and found < 5:
        seat = state.decision.seats[0]
        state, _ = game.apply(state, as_move_of(chance.choice(game.moves(state, seat)), seat, state))
        shown = make_scene(game, seats)
        assert isinstance(shown, CardScene)
        shown.reset(game.observe(state, 0), 0)
        rows = layout.participant_rows(state)
        for card, lying in shown._placements.items():
            spot = shown.spots()[CARD_NAMES[card]]
            if lying.participant >= 0:
                found += 1
                row = rows[lying.participant]
                assert abs(spot.position[1] - row.y) + spot.half_size[1] <= row.height / 2
                top = lying.position[1] + lying.width / 2 * faces.CARD_ASPECT
                assert spot.position[1] + spot.half_size[1] == pytest.approx(top)
    assert found


@pytest.mark.parametrize("many", range(1, 9))
def test_cards_beside_the_fields_stay_readable(many: int) -> None:
    """Regression test: six known cards of another player's hand lay in one line, and were only 0.6 units wide."""
    row = layout.participant_rows(shibumi3d.game("arcanoid").start(2, 1))[1]
    found = [layout.side_card_position(row, nth, many) for nth in range(many)]
    for ((ax, ay, _), width, high), ((bx, by, _), _, _) in pairwise(found):
        assert bx - ax >= 0.3 * width if ay == by else ay - by >= high
    (x, y, _), width, high = found[-1]
    assert width >= (0.9 if many <= 6 else 0.7)
    assert x + width / 2 <= layout.RIGHT_X + 0.11
    bottom = y + width / 2 * faces.CARD_ASPECT - min(high, width * faces.CARD_ASPECT)
    _, back_y, _ = layout.hand_back_position(row)
    assert bottom >= back_y + layout.hand_back_height(row) / 2


def test_print_on_felt_is_readable() -> None:
    for ink in (*faces.FELT_SUIT_INKS, scene.FELT_INK):
        assert contrast_ratio(ink, scene.FIELD_FELT) >= 4.5
        assert contrast_ratio(ink, scene.FELT) >= 4.5
    for paper in faces.CARD_PAPERS.values():
        assert contrast_ratio(paper, scene.FELT) >= 7, "cream cards on dark felt"


@pytest.mark.parametrize(
    ("card", "name"),
    [*((56 + n, f"figure {n}") for n in range(22)), *((10 + n, f"court figure {n}") for n in range(4))],
)
def test_figures_consist_of_two_matching_glyphs(card: int, name: str) -> None:
    strokes, dots = parse_path(GLYPHS[name])
    at = [*(point for stroke in strokes for point in stroke), *((x, y) for x, y, _ in dots)]
    assert all(0.0 <= x <= 24.0 and 0.0 <= y <= FIGURE_HEIGHT for x, y in at)
    assert min(y for _, y in at) < 8
    assert max(y for _, y in at) > 29
    moved, _ = parse_path(GLYPHS[f"lower {name}"])
    for stroke, below in zip(strokes, moved, strict=True):
        assert np.allclose(np.array(stroke) - (0.0, 23.5), below, atol=0.006)
    shown = list(faces.make_face(card, (0.0, 0.0, 0.0), 2.0, faces.PrintStyle("day")))
    upper, lower = (next(part for part in shown if part.glyph == glyph) for glyph in (name, f"lower {name}"))
    # A glyph is 24 units of twice its half size.
    assert upper.position[1] - lower.position[1] == pytest.approx(23.5 / 12 * upper.half_size[0])


def test_cards_cast_soft_shadows_except_in_top_view() -> None:
    game = shibumi3d.game("arcanoid")
    shown = scene_of(game, game.start(2, 1), 0)
    cards = shown.frame(0.0, make_theme(), NO_HIGHLIGHTS).cards
    shadows = [card for card in cards if card.surface == "shadow"]
    papers = [card for card in cards if card.half_size[0] == layout.HAND_CARD_WIDTH / 2]
    assert len(shadows) >= len(papers) == 6
    assert all(card.softness > 0 for card in shadows)
    heights = sorted(card.position[2] for card in papers)
    hand = [card.position[2] for card in shadows if card.half_size[0] > layout.HAND_CARD_WIDTH / 2]
    assert all(
        under < dark < above
        for under, dark, above in zip(heights, sorted(hand)[1:], heights[1:], strict=False)
    )
    assert not any(
        card.surface == "shadow" for card in shown.top_view(0.0, make_theme(), NO_HIGHLIGHTS).cards
    )
