"""The match page of games without marbles: descriptions, the move list, keys, and the place of the table."""

from __future__ import annotations

import numpy as np
import pytest

from shibumi3d.app.match.scene_view.page import SceneMatchPage, overlaps_polygon, project_hull
from shibumi3d.catalogue.catalogue import load_catalogue
from tests.app.hand import Hand

GAMES = ("arcanoid", "golden-spiral", "hyena-spiral")


def start_match(hand: Hand, name: str, people: int = 2, seats: int = 2, **options: int) -> SceneMatchPage:
    entry = load_catalogue().get(name)
    names = ["Aiko", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Iris", "Jon"][:seats]
    kinds = ["person"] * people + ["easy"] * (seats - people)
    hand.app.matches.start(entry, names, 0, "", 1, options=options, player_types=kinds)
    page = hand.page(SceneMatchPage)
    page.toggle_flat_view()
    return page


@pytest.mark.parametrize("name", GAMES)
def test_every_spot_has_a_description(hand: Hand, name: str) -> None:
    page = start_match(hand, name, 1)
    for lang in ("en", "fr"):
        for key in page.scene.spots():
            description = page.match.game.describe_spot(page.model.observation, key, lang, page.names)
            assert "{" not in description
            assert description or key.startswith(("head", "place")), key


def test_summary_of_the_last_action_stays_until_the_next(hand: Hand) -> None:
    """In Golden Spiral, the summary describes the last clash, in which both players revealed a number.

    The message line describes the spot under the pointer, so the summary can stay. A match has up to 40 rounds, called
    Spirals. The move list shows the heading of a new Spiral only once its first move has been made.
    """
    page = start_match(hand, "golden-spiral")
    match, game = page.match, page.match.game
    for text, seat in (("7", 0), ("5", 1)):
        match.play(text, seat)
    page.actions.show_without_animation()
    assert page.summary.summary_text == (
        "Aiko sets 7, Ben 5: Aiko turns 7 to Spiral, Ben loses 2 Gold; Aiko 6 Gold, 7 Spiral; Ben 11 Gold, 0 Spiral"
    )
    page.pointer.hovered_spot = "gold 2 1"
    page.pointer.update_message()
    assert page.message_line.message.startswith("Ben's Gold: 11")
    while match.state.turn == 0:
        move = game.moves(match.state)[-1]
        match.play(move.text, match.state.to_move)
    page.actions.show_without_animation()
    assert [row for row in page.move_list.rows if isinstance(row, str)] == ["Spiral 1 of 40"]
    match.play("1", 0)
    page.actions.show_without_animation()
    assert [row for row in page.move_list.rows if isinstance(row, str)] == [
        "Spiral 1 of 40",
        "Spiral 2 of 40",
    ]
    assert page.summary.round_text == "Spiral 2 of 40"


def test_long_summary_keeps_the_latest_part(hand: Hand) -> None:
    page = start_match(hand, "hyena-spiral", 1, 5)
    match, me = page.match, 0
    while not match.plies or match.plies[-1].seat != me or match.state.to_move == me:
        match.play(page.match.game.moves(match.state)[0])
    for _ in range(30):
        seat = match.state.to_move
        if seat == me:
            break
        match.play(page.match.game.moves(match.state)[0])
    page.actions.show_without_animation()
    last = page.match.game.summarize_events(page.model.observation, match.plies[-1].events, "en", page.names)
    assert page.summary.fit_height(hand.app.canvas, 120.0) <= 6 * 19 + 4
    assert page.summary.summary_text.endswith(last.split(": ")[-1])


def test_move_list_stays_at_the_present_with_many_choices(hand: Hand) -> None:
    page = start_match(hand, "golden-spiral")
    hand.app.resize(1600, 720)  # large enough to show the side panel
    match, game = page.match, page.match.game
    for _ in range(3):
        while match.state.decision_kind != "joker":
            seat = match.state.decision.seats[0]
            # Setting 2 against 1 costs the least.
            match.play(game.moves(match.state, seat)[1 - seat].text, seat)
        page.actions.show_without_animation()
        page.layout(page.rect)
        row = page.move_list.row_rect(page.move_list.current_row)
        assert row.y >= page.move_list.rect.y - 0.5
        assert row.bottom <= page.move_list.rect.bottom + 0.5
        assert page.move_list.rect.h > 90
        match.play("pass")
        match.play("pass")


def test_joker_keys_are_stable_and_p_passes(hand: Hand) -> None:
    page = start_match(hand, "golden-spiral")
    hand.key("space", held=True)
    hand.wait(1.0)
    match = page.match
    for text, seat in (("7", 0), ("5", 1)):
        match.play(text, seat)
    page.actions.show_without_animation()
    choices = page.choices
    before = dict(zip(choices.labels, choices.keys, strict=True))
    assert before["Pass"] == "p"
    assert choices.details[choices.labels.index("Reserve")].startswith("1 star, 1 Gold\n")
    hand.key("p")
    assert match.plies[-1].move == "pass"
    after = dict(zip(page.choices.labels, page.choices.keys, strict=True))
    assert after == before
    hand.key(after["Destruction"])
    assert match.plies[-1].move == "destruction"


def test_nothing_looks_selectable_during_the_opponents_clash(hand: Hand) -> None:
    page = start_match(hand, "golden-spiral", 1)
    assert page.model.first_choosing_computer is not None
    tiles = [
        card
        for card in page.pointer.make_flat_frame(page.animation_time()).cards
        if card.outline == "#2E5E5A" and card.corner_rounding == 0.2
    ]
    assert tiles == []


@pytest.mark.parametrize("name", GAMES)
def test_table_position_is_independent_of_the_choices(hand: Hand, name: str) -> None:
    page = start_match(hand, name)
    page.layout(page.rect)
    before = page.view.home_camera
    assert page.choices.visible
    page.choices.set_choices((), ())
    page.layout(page.rect)
    assert not page.choices.visible
    assert page.view.home_camera == before


@pytest.mark.parametrize("size", [(900, 600), (1280, 720)])
def test_two_line_message_is_below_the_choices(hand: Hand, size: tuple[int, int]) -> None:
    page = start_match(hand, "golden-spiral")
    hand.app.resize(*size)
    page.layout(page.rect)
    assert not page.side_panel.is_expanded
    assert page.choices.visible
    # A second line makes the message 16 pixels higher, upwards.
    assert page.choices.rect.bottom <= page.message_line.rect.y - 16


def test_two_choices_do_not_move_the_table(hand: Hand) -> None:
    page = start_match(hand, "hyena-spiral")
    hand.app.resize(1280, 720)
    assert len(page.choices.labels) == 1
    before = page.view.home_camera
    page.choices.set_choices(page.choices.moves * 2, page.choices.labels * 2)
    page.layout(page.rect)
    assert not page.side_panel.is_expanded
    assert len(page.choices.labels) == 2
    assert page.view.home_camera == before


def test_two_line_summary_does_not_move_the_table(hand: Hand) -> None:
    page = start_match(hand, "hyena-spiral")
    hand.app.resize(1280, 720)
    page.match.play("throw", 0)
    page.actions.show_without_animation()
    page.summary.summary_text = "Short"
    page._largest_floating_rects = (page.view.rect.inset(1, 1), {})
    page.layout(page.rect)
    before, high = page.view.home_camera, page.summary.rect.h
    page.summary.summary_text = "A sentence that is too long for a line of the card"
    page.layout(page.rect)
    assert not page.side_panel.is_expanded
    assert page.summary.rect.h == high + 19
    assert page.view.home_camera == before


SIZES = ((900, 600), (1024, 640), (1280, 720), (1920, 1080))


@pytest.mark.parametrize(
    ("name", "seats"),
    [("arcanoid", n) for n in (2, 4, 7, 10)] + [("hyena-spiral", n) for n in (2, 5)] + [("golden-spiral", 2)],
)
def test_seat_cards_never_cover_the_table(hand: Hand, name: str, seats: int) -> None:
    page = start_match(hand, name, 1, seats)
    hand.app.root.popups.clear()
    for size in SIZES:
        for scale in (100, 150, 175):
            hand.app.change_settings(scale=scale)
            hand.app.resize(*size)
            page = hand.page(SceneMatchPage)
            table, case = page.view.rect, (name, seats, size, scale)
            corners = project_hull(page.view.home_camera, page.scene.hull, table)
            assert not [place for place in page.seat_cards.card_rects if overlaps_polygon(place, corners)], (
                case
            )
            assert all(table.x <= x <= table.right and table.y <= y <= table.bottom for x, y in corners), case
            for place in page.seat_cards.card_rects:
                assert table.x <= place.x, case
                assert place.right <= table.right, case
                assert place.bottom <= table.bottom, case
            full = page.seat_cards.describe_seat(seats - 1)
            page.seat_cards.on_pointer_move(
                page.seat_cards.card_rects[-1].cx, page.seat_cards.card_rects[-1].cy
            )
            assert page.message_line.message == full
            assert page.names[seats - 1] in full


@pytest.mark.parametrize("name", GAMES)
def test_text_on_the_table_is_never_upside_down(hand: Hand, name: str) -> None:
    """However far the user rotates the table, the camera stops before text would be upside down.

    Text written from west to east always runs left to right in the picture.
    """
    page = start_match(hand, name)
    for turn in (90.0, 180.0, -135.0):
        view = page.view.home_camera.rotated(turn)
        (x0, _), (x1, _) = view.project(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), 1000, 700)[0]
        assert x1 > x0


def test_hyena_shows_the_symbol_of_its_seat() -> None:
    from shibumi3d.rules.hyena_spiral.state import Leg, Walker
    from shibumi3d.scene.hyena_spiral.figures import make_pawn

    models = [piece.model for piece in make_pawn(Walker(is_hyena=True, leg=Leg.OUT), 2, (0.0, 0.0, 0.0))]
    assert models == ["hyena", "plate", "sign3"]
