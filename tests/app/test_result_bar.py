"""The result bar: who won, why, and with how much help."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.ui import icons

if TYPE_CHECKING:
    from tests.app.hand import Hand

WHITE_LINE = ("Aa1", "Ab1", "Aa2", "Ab2", "Aa3", "Ab3", "Aa4")


def test_winner_reason_and_hints_are_above_the_buttons(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose(*WHITE_LINE)
    bar = play.result_bar
    assert (bar.headline(), bar.reason_line()) == ("Aiko wins", "Full line")
    play.match.hints[:] = [4, 1]
    assert bar.reason_line() == "Full line · with 4 hints"
    first = min(button.rect.y for button in bar._visible_buttons())
    assert bar.rect.bottom > first > bar.rect.y + 60
    # The bar is at the bottom of the view, and doesn't overlap anything.
    assert 0 < play.view.rect.bottom - bar.rect.bottom < 20
    assert not bar.rect.intersection(play.level_strip.rect).w
    assert not any(bar.rect.intersection(card.rect).w for card in play.seat_cards)
    assert bar._headline_seats() == [0]


def test_result_bar_hides_no_tray_counts(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.wait(3.0)
    hand.draw()
    assert play.result_bar.visible
    plaques = [box for box in play.board_overlay.occupied_rects if box.h == 18]
    assert len(plaques) == len(play.table_contents(play.animation_time()).count_labels) == 2
    for plaque in plaques:
        common = plaque.intersection(play.result_bar.rect)
        assert common.w <= 1 or common.h <= 1


@pytest.mark.parametrize("size", [(1280, 720), (1600, 900), (640, 480)])
@pytest.mark.parametrize(
    ("game", "seats"), [("spline", 2), ("spargo", 2), ("spangle", 4), ("hyena-spiral", 2), ("arcanoid", 2)]
)
def test_result_bar_has_the_same_place_at_all_tables(
    hand: Hand, game: str, seats: int, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    entry, chance = hand.app.catalogue.get(game), Random(1)
    options = {"rounds": 1} if any(option.name == "rounds" for option in entry.options) else {}
    hand.app.matches.start(entry, [*"ABCD"[:seats]], entry.size, "", 1, options=options)
    page = hand.page(MatchPage)
    while (ask := page.match.state.decision) is not None:
        page.match.play(chance.choice(page.match.game.moves(page.match.state, ask.seats[0])), ask.seats[0])
    hand.app.root.close_popups()
    page.update()
    page.actions.show_without_animation()
    hand.draw()
    bar, view = page.result_bar.rect, page.view.rect
    assert page.result_bar.visible
    assert bar.bottom == view.bottom - 14
    if size != (640, 480):
        assert bar.cx == view.cx
    cards = (
        page.seat_cards.card_rects
        if isinstance(page, SceneMatchPage)
        else [card.rect for card in page.seat_cards]
    )
    assert not [place for place in cards if place.intersection(bar).w > 0 and place.intersection(bar).h > 0]
    assert view.x <= bar.x
    assert bar.right <= view.right


def test_compact_card_leaves_a_low_table_visible(hand: Hand) -> None:
    """At a scale of 200%, the view is less than 280 logical pixels high, so the card is compact.

    It covers less than a third of the height of the view and none of the holes in the winning line. Its menu begins
    with the buttons for which it has no room, such as the one that swaps the seats.
    """
    hand.app.change_settings(scale=200)
    play = hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.wait(3.0)
    hand.draw()
    bar = play.result_bar
    assert play.view.rect.h < 280
    assert bar.rect.h < play.view.rect.h / 3
    for point in ("Aa1", "Aa2", "Aa3", "Aa4"):
        (spot,) = (
            Spot(0, number) for number, name in enumerate(play.state.pyramid.point_names) if name == point
        )
        x, y = play.pointer.spot_position(spot)
        assert not bar.rect.contains(x, y)
    assert not bar.mistakes_button.visible
    hand.push("more")
    hand.draw()
    hand.push("swap seats")
    hand.draw()
    assert hand.play.names[0] == "Ben"


def test_headline_is_as_close_to_its_symbol_on_a_compact_card(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a compact card, the symbol is smaller, so the headline moves to the left and the gap stays the same."""
    play = hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.wait(3.0)
    symbols, texts = [], {}
    monkeypatch.setattr(
        icons, "draw_seat_symbol", lambda canvas, seat, x, y, colour, radius: symbols.append(x + radius)
    )
    monkeypatch.setattr(hand.app.canvas, "text_fit", lambda place, text, *rest: texts.update({text: place.x}))
    gaps = []
    for is_compact in (False, True):
        play.result_bar.is_compact = is_compact
        play.result_bar.paint(hand.app.canvas, hand.app.root.style)
        gaps.append(texts[play.result_bar.headline()] - symbols[-1])
    assert gaps[0] == gaps[1]


WON = "B@Aa3 B@Aa4 W@Ac1 B@Aa2 R@Ad3 R@Ac4 B@Ad1 R@Ab4 B@Ab1 R@Ab2 B@Ad4 B@Ac3 W@Ab3 R@Ba2 W@Bb3 W@Bc3 W@Ad2"
WON += " W@Ac2 R@Aa1 R@Ba3 B@Bb2 R@Bc1 R@Ca2 W@Bb1 B@Bc2 W@Ba1 W@Cb1 R@Cb2 B@Ca1 B@Da1"
DRAWN = (
    "W@Ad1 W@Ac2 W@Ad2 B@Ab4 W@Ac4 B@Ad3 W@Aa4 R@Ab1 W@Ac3 R@Ab3 W@Ac1 R@Bb3 B@Aa1 B@Aa3 R@Bc2 B@Ad4 R@Bc3"
)
DRAWN += " R@Aa2 R@Ba3 B@Ab2 B@Bb1 W@Ba1 W@Ba2 B@Bb2 R@Ca1 B@Ca2 R@Cb2"


def test_result_compares_values_and_draws_show_all_symbols(hand: Hand) -> None:
    play = hand.start("speq")
    bar = play.result_bar
    assert (bar.headline(), bar.reason_line(), bar._headline_seats()) == ("", "", [])
    for move in WON.split():
        play.match.play(move)
    assert (bar.headline(), bar._headline_seats()) == ("Ben wins", [1])
    assert bar.reason_line() == "Most marbles of their colour · Ben 11, Aiko 9"
    play.match.go_to(0)
    for move in DRAWN.split():
        play.match.play(move)
    assert (bar.headline(), bar._headline_seats()) == ("A draw", [0, 1])
    assert bar.reason_line() == "Equal numbers of marbles · Aiko 9, Ben 9"
