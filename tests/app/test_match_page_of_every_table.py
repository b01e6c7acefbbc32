"""What all match pages share, for every table kind.

This includes the result bar, matches between computer players, continuing from an earlier position, rotating seats and
claiming a draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from shibumi3d.app.match.dialogs import TypeMoveCard
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.scene_view.lists import MAX_SUMMARY_LINES, SUMMARY_LINE_HEIGHT_PX
from shibumi3d.app.match.scene_view.page import SceneMatchPage, overlaps_polygon, project_hull
from shibumi3d.app.ui.button import Button
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.scene.style import BODY_TEXT_PX, SMALL_TEXT_PX
from shibumi3d.scene.table_scene import Spot
from tests.app.hand import Hand
from tests.app.test_computer_players import Instant
from tests.app.test_table_keyboard_play import ARCANOID, GOLDEN, HYENA, Game, lift, make_move_with_keys, sit

TABLES = {"hyena-spiral": HYENA, "golden-spiral": GOLDEN, "arcanoid": ARCANOID}
GIVEN_UP = ("S:S4+S6+S7", "steal", "T:-", "S:-", "C:-", "T:-", "D:-", "C:-", "D:-")
"""Moves of a match of Arcanoid that Aiko wins with three fields to one."""


def play_to_end(hand: Hand, game: Game) -> SceneMatchPage:
    table = sit(hand, game)
    texts = iter(GIVEN_UP if game is ARCANOID else ())
    for _ in range(300):
        if table.match.state.to_move is None:
            break
        lift(hand)
        if table.model.automatic_move():
            hand.wait(0.6)
        elif game is ARCANOID:
            make_move_with_keys(hand, next(texts))
        elif game is GOLDEN:
            # Aiko sets 12 against 3 and keeps one Gold. Ben calls a clash for which she has no number.
            move_texts = {
                table.match.game.move_label(table.model.chooser_observation(), m): m.text
                for m in table.model.legal_moves()
            }
            hints = {0: "12", 1: "3", 2: move_texts.get("Pass"), 3: move_texts.get("Second Clash")}
            make_move_with_keys(hand, str(hints[table.match.cursor]))
        else:
            texts_open = [move.text for move in table.model.legal_moves()]
            make_move_with_keys(hand, next(text for text in ("go", "throw", "buy") if text in texts_open))
    assert table.match.state.to_move is None
    return table


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", [*TABLES])
def test_result_bar_offers_the_next_actions(hand: Hand, name: str, language: str) -> None:
    table = play_to_end(hand, TABLES[name])
    hand.app.change_settings(language=language)
    hand.draw()
    table = hand.page(SceneMatchPage)
    bar = table.result_bar
    assert bar.visible
    assert bar.describe_result().startswith(("Aiko", "Ben"))
    buttons = [child for child in bar.children if isinstance(child, Button) and child.visible]
    assert {button.name for button in buttons} >= {"rematch", "swap seats"}
    for button in buttons:
        assert bar.rect.x <= button.rect.x
        assert button.rect.right <= bar.rect.right
        assert button.rect.bottom <= bar.rect.bottom
    assert table.view.rect.x <= bar.rect.x
    assert bar.rect.right <= table.view.rect.right
    assert bar.rect.bottom <= table.view.rect.bottom
    over = [
        place
        for place in table.seat_cards.card_rects
        if place.intersection(bar.rect).w and place.intersection(bar.rect).h
    ]
    assert over == [], "the cards of the seats stay free"
    before = table.match
    hand.push("swap seats")
    assert hand.page(MatchPage).match is not before
    assert [seat.name for seat in hand.page(MatchPage).match.seats] == ["Ben", "Aiko"]
    assert not hand.page(MatchPage).result_bar.visible


@pytest.mark.parametrize("name", [*TABLES])
def test_finished_table_is_shown_above_the_result(hand: Hand, name: str) -> None:
    """At the end of a match, the whole table is visible above the result bar.

    The hands of Arcanoid and the tiles of Golden Spiral are gone by then, so they need no room. When the user steps
    back, they are shown again, and the result bar is hidden.
    """
    table = play_to_end(hand, TABLES[name])
    hand.draw()
    scene, view = table.scene, table.view
    low = max(y for _, y in project_hull(view.home_camera, scene.final_hull, view.rect))
    assert low <= table.result_bar.rect.y + 1
    finished = view.home_camera
    table.step_by(-1)
    hand.draw()
    assert not table.result_bar.visible
    assert max(y for _, y in project_hull(view.home_camera, scene.hull, view.rect)) <= view.rect.bottom
    table.step_by(1)
    hand.draw()
    assert view.home_camera == finished


def test_result_is_not_celebrated_while_looking_back(hand: Hand) -> None:
    table = play_to_end(hand, GOLDEN)
    hand.key(",")
    assert not table.model.is_live
    assert not table.result_bar.visible
    hand.key("escape")
    assert table.result_bar.visible


@pytest.mark.parametrize("name", [*TABLES])
def test_series_between_computers_continues(hand: Hand, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.app.match.players.EngineClient", Instant)
    game, options, _ = TABLES[name]
    entry = hand.app.catalogue.get(game)
    kinds = ("stone", "pebble")
    hand.app.matches.start(entry, ["Stone", "Pebble"], 0, "", 1, player_types=kinds, options=options)
    hand.draw()
    first = hand.page(MatchPage)
    hand.push("how many")
    for _ in range(3):
        hand.push("speed")
    assert first.computer_players.series_controls.speed_button.label == "Speed ×8"
    hand.page(SceneMatchPage).toggle_flat_view()  # without the cost of drawing the table in 3D
    until(hand, lambda: hand.page(MatchPage).match is not first.match)
    series = hand.app.matches.series
    assert series is not None
    assert series.matches_played == 1
    assert [seat.name for seat in hand.page(MatchPage).match.seats] == ["Pebble", "Stone"]
    ended = first.match.state.result
    assert ended is not None
    assert [name for name, wins in zip(series.names, series.wins, strict=True) if wins] == [
        first.match.seats[seat].name for seat in ended.winners
    ]


def until(hand: Hand, done: Callable[[], bool]) -> None:
    """Let time pass until ``done`` returns true; fail after 1,000 seconds on the window's clock."""
    for _ in range(4000):
        if done():
            return
        hand.wait(0.25)
    raise AssertionError("it never came")


def test_hyena_spiral_continues_from_an_earlier_position(hand: Hand) -> None:
    """Choices made after a throw can be undone, but the throw itself can't."""
    table = sit(hand, HYENA)
    make_move_with_keys(hand, "throw")
    make_move_with_keys(hand, "go")
    table.actions.view_ply(1)
    assert hand.app.root.find("play from here") is not None
    hand.push("play from here")
    assert (table.match.cursor, table.model.is_live) == (1, True)
    assert [ply.move for ply in table.match.undone] == ["go"]
    hand.key("ctrl+y")
    table.actions.view_ply(0)
    hand.push("play from here")
    assert table.match.cursor == 2
    assert "can't be undone" in table.message_line.message
    assert not table.model.is_live


def test_golden_spiral_continues_from_an_earlier_position(hand: Hand) -> None:
    table = sit(hand, GOLDEN)
    make_move_with_keys(hand, "12")
    make_move_with_keys(hand, "3")
    move_texts = {
        table.match.game.move_label(table.model.chooser_observation(), move): move.text
        for move in table.model.legal_moves()
    }
    make_move_with_keys(hand, move_texts["Pass"])
    table.actions.view_ply(2)
    hand.push("play from here")
    assert (table.match.cursor, table.model.is_live) == (2, True)
    table.actions.view_ply(1)
    hand.push("play from here")
    assert table.match.cursor == 2, "what was set in secret and shown can't be set again"


def test_arcanoid_continues_from_an_earlier_position_but_not_before_a_draw(hand: Hand) -> None:
    table = sit(hand, ARCANOID)
    make_move_with_keys(hand, "S:S4+S6+S7")
    make_move_with_keys(hand, "steal")
    lift(hand)
    table.actions.view_ply(0)
    lift(hand)
    hand.push("play from here")
    assert table.match.cursor == 2
    assert "can't be undone" in table.message_line.message


def test_second_seat_can_swap_with_the_swap_rule(hand: Hand) -> None:
    game, options, deal = HYENA
    entry = hand.app.catalogue.get(game)
    match = Match(entry.game(options=dict(options)), ["Aiko", "Ben"], 3, deal=deal, has_swap_rule=True)
    hand.app.change_settings(motion="off")
    hand.app.pages.show_match(match, entry)
    hand.draw()
    table = hand.page(SceneMatchPage)
    assert not table.special_move_button.visible
    make_move_with_keys(hand, "throw")
    make_move_with_keys(hand, "go")
    assert table.special_move_button.visible
    assert table.special_move_button.label == "Swap seats"
    hand.key("s")
    assert table.names == ["Ben", "Aiko"]
    assert not table.special_move_button.visible
    assert table.move_list.describe_move(2) == "swaps seats"
    hand.key("ctrl+z")
    assert table.names == ["Aiko", "Ben"]


def test_draw_can_be_claimed_if_positions_repeat(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit(hand, HYENA)
    monkeypatch.setattr(Match, "count_repetitions", lambda self: 3)
    table.update()
    assert not table.special_move_button.visible, "by its rules no position recurs"
    table.model.facts = replace(table.model.facts, positions_may_repeat=True)
    table.update()
    hand.draw()
    hand.push("claim a draw")
    result: Any = table.match.state.result
    assert result.winners == ()
    assert "draw" in table.result_bar.describe_result().casefold()


@pytest.mark.parametrize("name", [*TABLES])
def test_last_turn_can_be_replayed(hand: Hand, name: str) -> None:
    table = sit(hand, TABLES[name])
    texts = {"hyena-spiral": ["throw", "go"], "golden-spiral": ["5", "9"], "arcanoid": ["S:S4+S6+S7", "let"]}
    hand.key("b")
    assert not table.actions.is_replaying, "nothing was played yet"
    for text in texts[name]:
        make_move_with_keys(hand, text)
    lift(hand)
    table.scene.finish()
    hand.draw()
    assert not table.scene.is_animating(table.animation_time())
    before, spots = table.match.cursor, table.scene.spots()
    table.replay_turn_button.on_click()
    assert table.actions.is_replaying
    assert table.scene.is_animating(table.animation_time())
    assert table.scene.speed == hand.app.settings.motion
    table.scene.finish()
    hand.draw()
    assert not table.actions.is_replaying
    assert (table.match.cursor, table.scene.spots()) == (before, spots)


@pytest.mark.parametrize(
    ("name", "text"), [("hyena-spiral", "throw"), ("golden-spiral", "12"), ("arcanoid", "S:S4+S6+S7")]
)
def test_moves_can_be_typed_and_turns_jumped_to(hand: Hand, name: str, text: str) -> None:
    table = sit(hand, TABLES[name])
    lift(hand)
    hand.key("/")
    card = hand.floating(TypeMoveCard)
    hand.type("zz")
    assert card.feedback()[1] is False
    hand.key("enter")
    assert table.match.cursor == 0
    hand.key("escape")
    hand.key("/")
    hand.type(text.casefold())
    hand.key("enter")
    assert [ply.move for ply in table.match.plies] == [text]
    lift(hand)
    hand.key("g")
    hand.type("0")
    hand.key("enter")
    assert (table.model.cursor, table.model.is_live) == (0, False)


def test_choice_can_be_typed_as_its_button_label(hand: Hand) -> None:
    table = sit(hand, ARCANOID)
    lift(hand)
    hand.key("/")
    hand.type("give up sw")
    hand.key("enter")
    assert [ply.move for ply in table.match.plies] == ["S:-"]


def test_moves_can_be_copied_only_without_secrets(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(hand.app.services, "write_clipboard", copied.append)
    sit(hand, HYENA)
    make_move_with_keys(hand, "throw")
    hand.key("ctrl+c")
    assert len(copied) == 1
    assert "throw" in copied[0]
    table = sit(hand, GOLDEN)
    make_move_with_keys(hand, "5")
    lift(hand)
    hand.key("ctrl+c")
    assert len(copied) == 1
    assert table.message_line.message


def test_choice_keys_keep_their_meaning() -> None:
    """Within each kind of decision, a key always means the same choice, or the same place in a hand of cards.

    All keys are digits or the letters C to F.
    """
    for name in TABLES:
        game = load_catalogue().get(name).game()
        meant: dict[tuple[str, str], set[str]] = {}
        for seed in range(2):
            match, chance = Match(game, ["Aiko", "Ben"], seed), Random(seed)
            while (ask := match.state.decision) is not None:
                seat = ask.seats[0]
                moves, view = game.moves(match.state, seat), game.observe(match.state, seat)
                keys = [key for move in moves if (key := game.shortcut_key(view, move))]
                assert len(set(keys)) == len(keys), "one key, one choice"
                for move in moves:
                    # The digit of a card is its place in the hand, as displayed there.
                    text = "card" if move.kind in ("discard", "load") else move.text
                    meant.setdefault((ask.kind, game.shortcut_key(view, move)), set()).add(text)
                match.play(chance.choice(moves), seat)
        fixed = {key: meanings for key, meanings in meant.items() if key[1]}
        assert fixed
        assert {key: meanings for key, meanings in fixed.items() if len(meanings) > 1} == {}
        assert {key for _, key in fixed} <= set("1234567890cdef")


@pytest.mark.parametrize("lang", ["en", "fr", "de", "es"])
@pytest.mark.parametrize("kinds", [("person", "person"), ("person", "pebble"), ("pebble", "pebble")])
def test_bottom_buttons_do_not_overlap(hand: Hand, kinds: tuple[str, ...], lang: str) -> None:
    hand.app.change_settings(language=lang, confirm=True)
    hand.app.resize(640, 480)
    hand.app.matches.start(
        load_catalogue().get("hyena-spiral"), ["Aiko", "Ben"], 0, "", 1, player_types=kinds
    )
    table = hand.page(SceneMatchPage)
    table.match.play("throw")
    table.actions.show_without_animation()
    for _ in range(2):
        shown = [each.rect for each in table.children if isinstance(each, Button) and each.visible]
        feet = [place for place in shown if place.y > table.bottom_bar.rect.y]
        assert len(feet) > 3
        for number, place in enumerate(feet):
            assert table.bottom_bar.rect.x <= place.x
            assert place.right <= table.bottom_bar.rect.right
            assert not [other for other in feet[:number] if place.intersection(other).w > 0]
        hand.key(",")
    assert not table.model.is_live


@pytest.mark.parametrize("size", [(1600, 900), (640, 480)])
@pytest.mark.parametrize("name", [*TABLES])
def test_collapsing_the_side_panel_keeps_the_choices(hand: Hand, name: str, size: tuple[int, int]) -> None:
    hand.app.resize(*size)
    table = sit(hand, TABLES[name])
    lift(hand)
    if not table.side_panel_background.visible:
        hand.push("panel")
        hand.wait(0.5)
    labels, wide = list(table.choices.labels), table.view.rect.w
    assert table.side_panel_button.is_on
    hand.push("panel")
    hand.wait(0.5)
    assert not table.side_panel_background.visible
    assert not table.move_list.visible
    assert table.view.rect.right == table.rect.right
    assert table.view.rect.w > wide
    if labels:
        assert table.choices.visible
        place, free = table.choices.rect, table.view.rect
        assert free.x <= place.x
        assert place.right <= free.right
        assert place.bottom <= free.bottom
        assert not [
            seat
            for seat in table.seat_cards.card_rects
            if seat.intersection(place).w and seat.intersection(place).h
        ]
        first = table.choices.row_rect(0)
        assert table.widget_at(first.cx, first.cy) is table.choices
    assert hand.page(SceneMatchPage).rebuild().side_panel.is_open is False
    hand.key("f1")
    hand.wait(0.5)
    assert (table.side_panel_background.visible, table.tabs.selected_index) == (True, 1)
    before = hand.app.settings.panel
    hand.key("ctrl+b")
    hand.wait(0.5)
    assert not table.side_panel_background.visible
    # Where the panel never opens by itself, closing it stores nothing.
    assert hand.app.settings.panel is (False if size[0] == 1600 else before)
    hand.key("ctrl+b")
    assert hand.app.settings.panel is True


@pytest.mark.parametrize("name", [*TABLES])
def test_zen_mode_shows_only_the_table_until_escape(hand: Hand, name: str) -> None:
    table = sit(hand, TABLES[name])
    lift(hand)
    hand.key("ctrl+b")
    hand.wait(0.5)
    around = (
        table.back_button,
        *table.top_bar_buttons(),
        table.seat_cards,
        table.side_panel_background,
        table.replay_turn_button,
        table.previous_button,
    )
    assert all(widget.visible for widget in around)
    hand.key("z")
    hand.draw()
    assert not any(widget.visible for widget in around)
    assert table.undo_button.visible
    assert table.choices.visible == bool(table.choices.labels)
    before = table.match.cursor
    make_move_with_keys(hand, table.model.legal_moves()[0].text)
    assert table.match.cursor == before + 1, "it is played on as before"
    lift(hand)
    hand.key("escape")
    hand.draw()
    assert table.rect == hand.page(SceneMatchPage).rect
    assert all(widget.visible for widget in around)


@pytest.mark.parametrize(
    ("game", "size", "opens"),
    [
        *[(game, size, False) for game in TABLES.values() for size in ((640, 480), (850, 560), (1280, 720))],
        *[(game, (1500, 800), True) for game in TABLES.values()],
    ],
)
def test_side_panel_opens_automatically_only_in_wide_windows(
    hand: Hand, game: Game, size: tuple[int, int], opens: bool
) -> None:
    table = sit(hand, game)
    hand.app.resize(*size)
    lift(hand)
    hand.wait(0.5)
    assert table.side_panel_background.visible is opens
    assert table.choices.visible
    if not opens:
        corners = project_hull(table.view.home_camera, table.scene.hull, table.view.rect)
        assert not overlaps_polygon(table.choices.rect, corners)


def test_pointer_hits_the_upper_of_two_overlapping_cards(hand: Hand) -> None:
    """The cards of a hand are fanned out.

    Where two overlap, the upper one is hit.
    """
    table = sit(hand, ARCANOID)
    lift(hand)
    cards = [(key, spot) for key, spot in table.scene.spots().items() if spot.yaw and spot.half_size[0] > 1.0]
    cards.sort(key=lambda item: item[1].position[0])
    assert len(cards) == 6
    for (_, low), (upper, spot) in pairwise(cards):
        (x, y, z), (wide, high) = spot.position, spot.half_size
        assert z > low.position[2]
        c, s = math.cos(spot.yaw), math.sin(spot.yaw)
        a, b = -0.97 * wide, -0.8 * high
        corner = Spot((x + a * c - b * s, y + a * s + b * c, z))
        there = table.pointer.spot_position(corner)
        assert table.pointer._distance_from(low, *there) == 0.0, "they overlap here"
        assert table.pointer.spot_at(*there) == upper


def test_seat_cards_are_wider_in_a_large_window(hand: Hand) -> None:
    """Regression test: the description of a seat was cut off at any window size."""
    widths = []
    for size in ((1280, 720), (1920, 1080)):
        hand.app.resize(*size)
        table = sit(hand, HYENA)
        hand.draw()
        rect = table.seat_cards.card_rects[0]
        widths.append(rect.w)
        long = "Villager on space 42, outbound · 3 tabas"
    assert 190 <= widths[0] < widths[1]
    assert hand.app.canvas.text_width(long, "sans", SMALL_TEXT_PX) <= widths[1] - 20


def test_details_that_are_too_long_for_a_seat_card_are_wrapped(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sit(hand, ARCANOID)
    details = ("2 fields won", "Strength: +1 card", "Temperance: Pentacles", "Chariot: 2 cards")
    monkeypatch.setattr(
        type(table.match.game), "describe_seat", lambda game, view, seat, lang: () if seat else details
    )
    table.layout(table.rect)
    painted = []
    monkeypatch.setattr(hand.app.canvas, "text_fit", lambda place, text, *rest: painted.append((place, text)))
    table.seat_cards.paint(hand.app.canvas, hand.app.root.style)
    assert len(painted) > 1
    assert " · ".join(text for _place, text in painted) == " · ".join(details)
    for place, text in painted:
        assert hand.app.canvas.text_width(text, "sans", SMALL_TEXT_PX) <= place.w
        assert place.bottom <= table.seat_cards.card_rects[0].bottom


def test_long_label_of_a_move_is_not_cut_off_by_its_price(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sit(hand, GOLDEN)
    label, price, effect = "An unusually long name of a joker", "12 stars, 12 medals", "take a star"
    choices = table.choices
    choices.set_choices(choices.moves[:1], [label], details=[f"{price}\n{effect}"])
    painted = {}
    monkeypatch.setattr(hand.app.canvas, "text_fit", lambda place, text, *rest: painted.update({text: place}))
    choices.paint(hand.app.canvas, hand.app.root.style)
    assert hand.app.canvas.text_width(label, "sans", SMALL_TEXT_PX) <= painted[label].w
    assert any(price in text and effect in text for text in painted)


def test_last_events_of_a_match_are_summarized_in_full(hand: Hand) -> None:
    """Regression test: in a small window, the long sentence about the end of a match of Arcanoid was cut off."""
    hand.app.resize(853, 480)
    table = play_to_end(hand, ARCANOID)
    hand.wait(1)
    hand.draw()
    summary = table.summary
    assert summary.visible
    lines = hand.app.canvas.wrap(summary.summary_text, "sans", BODY_TEXT_PX - 1, summary.rect.w - 16)
    assert len(lines) > MAX_SUMMARY_LINES
    assert summary.rect.h >= SUMMARY_LINE_HEIGHT_PX * len(lines)
    for size in ((853, 480), (700, 400), (700, 360), (640, 330)):
        hand.app.resize(*size)
        hand.draw()
        shared = summary.rect.intersection(table.result_bar.rect)
        assert shared.w <= 0 or shared.h <= 0, size


@pytest.mark.parametrize("size", [(1280, 720), (853, 480), (700, 360)])
def test_summary_has_one_place_clear_of_the_result(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Within a single layout pass, the summary is laid out in only one place, clear of the result bar.

    Regression test: the camera made room for the full height of the summary, which was shortened only afterwards.
    """
    hand.app.resize(*size)
    table = play_to_end(hand, ARCANOID)
    hand.wait(1)
    summary, bar = table.summary, table.result_bar
    assert summary.is_floating
    laid_out = []
    monkeypatch.setattr(
        summary, "layout", lambda rect: (laid_out.append(rect), type(summary).layout(summary, rect))
    )
    table.layout(table.rect)
    assert len({*laid_out}) == 1
    assert summary.rect == laid_out[0]
    apart = (
        summary.rect.bottom <= bar.rect.y
        or summary.rect.right <= bar.rect.x
        or summary.rect.x >= bar.rect.right
    )
    assert apart


def test_layout_at_the_end_of_a_match_is_final(hand: Hand) -> None:
    """Regression test: the seat cards made no room for the result bar until the window was resized."""
    hand.app.resize(900, 600)
    table = play_to_end(hand, GOLDEN)
    hand.wait(1)
    before = list(table.seat_cards.card_rects), table.result_bar.rect
    table.layout(table.rect)
    assert (table.seat_cards.card_rects, table.result_bar.rect) == before
