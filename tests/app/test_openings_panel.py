"""The openings beside the rules: first turns with their share of wins, and the picture of the selected turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.side_panel import OPENINGS_TAB, RULES_TAB
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.openings import FirstTurn, OpeningStatistics
from shibumi3d.match.match import Match
from tests.app.hand import Hand
from tests.app.writing import written

STATISTICS = OpeningStatistics(
    "abc",
    "pebble",
    8,
    1,
    (
        FirstTurn(("W@Aa1",), (("W@Ad4",),), 40, (10, 30), 0),
        FirstTurn(("W@Ab2",), (), 40, (30, 8), 2),
    ),
)


@pytest.fixture(autouse=True)
def _statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.app.match.openings.load_openings", lambda name: STATISTICS)


def sit(hand: Hand, size: int = 4) -> MatchPage:
    entry = load_catalogue().get("spline")
    hand.app.pages.show_match(Match(entry.game(size=size), ("Ann", "Ben")), entry)
    hand.draw()
    return hand.page(MatchPage)


def open_openings(hand: Hand) -> MatchPage:
    page = sit(hand)
    page.side_panel.show_rules()
    hand.wait(0.5)
    page.tabs.select(OPENINGS_TAB)
    hand.wait(0.5)
    return page


def save_match(hand: Hand, moves: Sequence[str], players: Sequence[str] = (), size: int = 4) -> None:
    """Save a finished match of Spline that begins with ``moves``.

    After these moves, both players always make the first legal move. ``players`` gives the player types; by default,
    both players are people.
    """
    game = load_catalogue().get("spline").game(size=size)
    match = Match(game, ("Ann", "Ben"), player_types=tuple(players) or ("person", "person"))
    path = hand.app.store.save_new(match, datetime(2026, 1, 1) + timedelta(seconds=len(moves)))
    for move in moves:
        match.play(move)
    while match.state.to_move is not None:
        match.play(game.moves(match.state)[0].text)
    hand.app.store.release(path)


def test_openings_have_a_tab_only_in_the_standard_game(hand: Hand) -> None:
    assert sit(hand).tabs.options == ("Moves", "Rules", "Openings")
    assert sit(hand, size=5).tabs.options == ("Moves", "Rules")


def test_first_turns_are_described_in_words_best_first(hand: Hand) -> None:
    page = open_openings(hand)
    rows = page.openings.list
    assert [rows.describe_row(row, str)[:3] for row in range(2)] == [
        ["White on Ab2", "75%", "60% to 86% · 40 matches, 2 draws"],
        ["White on Aa1", "25%", "14% to 40% · 40 matches"],
    ]


def test_picture_shows_the_selected_turn_and_then_the_lesson_again(hand: Hand) -> None:
    page = open_openings(hand)
    rows = page.openings.list
    assert page.example.visible
    assert page.example.lesson is not None
    assert page.example.lesson.moves == ("W@Ab2",)
    row = rows.row_rect(1)
    hand.click(row.cx, row.cy)
    assert page.example.lesson.moves == ("W@Aa1",)
    hand.wait(1.5)
    assert page.example.moves_shown == 1
    page.tabs.select(RULES_TAB)
    hand.draw()
    assert not page.openings.visible
    assert page.example.lesson == page.initial_lesson()


def test_own_matches_are_counted_by_first_turn(hand: Hand) -> None:
    save_match(hand, ["W@Aa1"])
    save_match(hand, ["W@Ad4", "B@Aa1"])  # the same first turn, with the board turned
    save_match(hand, ["W@Ab2", "B@Aa1", "W@Aa2"], players=("pebble", "pebble"))
    save_match(hand, ["W@Aa1", "B@Ab1", "W@Aa2", "B@Ab2"], size=3)
    page = open_openings(hand)
    winners = [
        saved.summary.result.winners
        for saved in hand.app.store.list_files()
        if saved.summary is not None
        and saved.summary.result is not None
        and saved.summary.size == 4
        and saved.summary.first_turn
    ]
    assert len(winners) == 2
    won = sum(0 in each for each in winners)
    assert page.openings.describe_own_matches(1) == f"in your matches: {won} of 2"
    assert page.openings.describe_own_matches(0) == ""


def test_own_matches_do_not_cut_the_statistics(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    save_match(hand, ["W@Ab2", "B@Aa1", "W@Aa2"])
    page = open_openings(hand)
    texts = written(monkeypatch, hand.draw)
    own = page.openings.describe_own_matches(0)
    assert own.startswith("in your matches: ")
    assert {own, "60% to 86% · 40 matches, 2 draws"} <= set(texts.texts)
    assert not [text for text in texts.cut if "openings" in text]


def test_escape_leads_from_the_openings_back_to_the_moves(hand: Hand) -> None:
    page = open_openings(hand)
    hand.key("escape")
    assert page.tabs.selected_index == 0
