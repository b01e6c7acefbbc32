"""Clocks, match settings and seat rotation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.host.colour_counts import ColourCounts
from shibumi3d.app.host.match_settings import MatchSettings, describe_time_limit, shuffle_seats
from shibumi3d.app.host.match_settings_card import MatchSettingsButton, MatchSettingsChoice
from shibumi3d.app.host.match_setup import MatchSetup
from shibumi3d.app.match.clock import TimeUpDialog
from shibumi3d.app.match.move_list import MarbleMoveList
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.dropdown import Dropdown
from shibumi3d.app.ui.widget import Widget
from shibumi3d.catalogue import catalogue
from shibumi3d.i18n import set_language
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.record import load
from shibumi3d.rules.game import Facts
from shibumi3d.scene.rect import Rect
from tests.app.test_computer_players import Scripted

if TYPE_CHECKING:
    from shibumi3d.app.pages.home.start_panel import StartPanel
    from tests.app.hand import Hand


def start_match(hand: Hand, terms: MatchSettings, kinds: tuple[str, ...] = ()) -> None:
    entry = catalogue.load_catalogue().get("spline")
    hand.app.matches.start(entry, ["Aiko", "Ben"], 4, "", 1, player_types=kinds, settings=terms)
    hand.draw()


def seconds_left(hand: Hand) -> list[float]:
    clock = hand.play.match.clock
    assert clock is not None
    return [round(each, 1) for each in clock.seconds_left]


def test_last_ten_seconds_are_highlighted_and_tick(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: list[float] = []
    start_match(hand, MatchSettings(TimeLimit(14)))
    timing = hand.play.clocks
    monkeypatch.setattr(hand.app.sounds, "play_clock_tick", lambda: ticks.append(seconds_left(hand)[0]))
    hand.wait(3)
    assert not timing.is_time_low(0)
    assert not ticks
    hand.wait(20)
    assert timing.is_time_low(0)
    assert not timing.is_time_low(1)
    assert [math.ceil(each) for each in ticks] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert isinstance(hand.app.root.top, TimeUpDialog)


@pytest.mark.parametrize("game", ["spline", "hyena-spiral"])
def test_low_time_is_red_at_every_table(hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    entry = catalogue.load_catalogue().get(game)
    hand.app.matches.start(entry, ["Aiko", "Ben"], entry.size, "", 1, settings=MatchSettings(TimeLimit(14)))
    hand.draw()
    page, inks, write = hand.app.current_page, dict[str, Any](), hand.app.canvas.text_in
    assert isinstance(page, MatchPage)

    def text_in(place: Rect, text: str, ink: Any, *more: Any) -> float:
        inks[text] = ink
        return write(place, text, ink, *more)

    monkeypatch.setattr(hand.app.canvas, "text_in", text_in)
    brick = hand.app.root.style.warning
    for seconds, red in ((2, False), (5, True)):
        hand.wait(seconds)
        hand.app.root.paint_cache.clear()
        hand.app.root.dirty = True
        hand.draw()
        assert page.clocks.is_time_low(0) is red
        assert (inks[page.clocks.time_text(0)] == brick) is red


def test_clock_runs_for_the_choosing_seat_except_under_menus(hand: Hand) -> None:
    start_match(hand, MatchSettings(TimeLimit(60, 5)))
    hand.wait(10)
    assert 49.9 <= seconds_left(hand)[0] <= 50.5
    assert hand.play.clocks.time_text(0) in ("0:50", "0:51")
    hand.app.pages.show_settings()
    hand.wait(1)
    paused = seconds_left(hand)
    hand.wait(5)
    assert seconds_left(hand) == paused
    hand.key("escape")
    hand.wait(0.4)
    hand.choose("Aa1")
    assert 53.5 <= seconds_left(hand)[0] <= 55.2, "five seconds more for the turn"
    hand.wait(12)
    assert seconds_left(hand)[1] < 50
    path = hand.app.matches.current_path
    assert path is not None
    kept = load(path)
    assert kept.seconds_left[1] < 60, "the time that passed is kept while nobody moves"
    hand.choose("Ab2")
    spent = seconds_left(hand)
    hand.key("ctrl+z")
    assert seconds_left(hand)[1] <= spent[1], "time does not come back"
    hand.app.pages.show_home()
    before = load(path).seconds_left
    hand.wait(5)
    hand.app.matches.resume_unfinished()
    hand.draw()
    assert [round(each) for each in seconds_left(hand)] == [*before]


def test_running_out_of_time_asks_before_ending_the_game(hand: Hand) -> None:
    start_match(hand, MatchSettings(TimeLimit(5)))
    hand.choose("Aa1")
    hand.wait(7)
    card = hand.floating(TimeUpDialog)
    assert card.question_label.caption == "Ben has run out of time. End the game, or keep playing anyway?"
    hand.push("go on without time")
    hand.wait(5)
    assert not hand.app.root.popups, "it is asked once"
    hand.choose("Ab1")
    assert hand.moves == ["W@Aa1", "B@Ab1"]
    hand.wait(7)
    hand.floating(TimeUpDialog)
    hand.push("end on time")
    assert hand.play.result_bar.describe_result() == "Ben wins: time ran out"
    hand.key("ctrl+z")
    hand.wait(1)
    assert hand.moves == ["W@Aa1", "B@Ab1"], "even that can be taken back"


def test_second_seat_can_swap_and_computers_swap_by_evaluation(hand: Hand) -> None:
    start_match(hand, MatchSettings(swap_rule=True))
    hand.choose("Ab2")
    hand.key("s")
    assert hand.play.names == ["Ben", "Aiko"]
    hand.wait(1)
    assert hand.play.status_line.sentence().startswith("Aiko to move")
    hand.unfold()
    listed = hand.found("moves", MarbleMoveList)
    hand.choose("Ac3")
    assert [listed.describe_turn_row(row) for row in range(3)] == [
        "Aiko: white on Ab2",
        "Ben swaps seats",
        "Aiko: black on Ac3",
    ]
    start_match(hand, MatchSettings(swap_rule=True))
    hand.choose("Ab2")
    hand.push("claim a draw")
    assert hand.play.names == ["Ben", "Aiko"]
    start_match(hand, MatchSettings(swap_rule=True), ("person", "stone"))
    thinker = hand.play.computer_players.engine = Scripted(0.3)
    thinker.script = ["B@Ac3"]
    hand.choose("Ab2")
    hand.wait(3)
    assert hand.play.match.plies[-1].move == "swap-seats"
    assert hand.play.match.player_types == ("stone", "person")
    assert hand.play.controller.targets, "the person is to move"


def test_match_settings_are_chosen_saved_and_shown(hand: Hand) -> None:
    page = hand.page(HomePage)
    start = page.start_panel
    start.show_game(catalogue.load_catalogue().get("spline"))
    assert hand.found("terms", MatchSettingsButton).label == "no clock"
    hand.push("terms")
    drop = hand.found("clock", Dropdown)
    drop.select(drop.options.index("10 min + 5 s per turn"))
    hand.push("swap")
    hand.key("right")
    hand.push("terms done")
    assert hand.found("terms", MatchSettingsButton).label == "10 min + 5 s per turn · swap rule"
    start.start_match()
    match = hand.play.match
    assert match.has_swap_rule
    assert match.clock is not None
    assert match.clock.time_limit == TimeLimit(600, 5)
    hand.app.pages.show_home()
    again = hand.page(HomePage)
    assert again.start_panel.setup.match_settings.limited_to(
        again.start_panel.setup.facts(), 2
    ) == MatchSettings(TimeLimit(600, 5), swap_rule=True)
    again.start_panel.show_game(catalogue.load_catalogue().get("hyena-spiral"))
    assert (
        again.start_panel.setup.match_settings.limited_to(again.start_panel.setup.facts(), 2)
        == MatchSettings()
    )


def test_handicap_is_chosen_saved_and_applied(hand: Hand) -> None:
    page = hand.page(HomePage)
    start = page.start_panel
    start.show_game(catalogue.load_catalogue().get("sp-kapow"))  # a bomb for each player, and none in the box
    hand.push("terms")
    first, second = (hand.found(f"begins {seat}", ColourCounts) for seat in (1, 2))

    def click(button: Widget) -> None:
        hand.click(*hand.app.to_window_pixels(button.rect.cx, button.rect.cy))

    click(second.children[1])
    assert second.counts == (1,), "there is no third bomb"
    click(first.children[0])
    click(second.children[1])
    assert (first.counts, second.counts) == ((0,), (2,))
    hand.push("terms done")
    assert hand.found("terms", MatchSettingsButton).label == "no clock · handicap"
    start.start_match()
    match = hand.play.match
    assert match.deal == {"bomb": ("", "RR")}
    hand.app.matches.rematch(match, hand.play.entry, 1)
    assert hand.play.match.deal == {"bomb": ("RR", "")}, "who has the bombs sits at the first seat now"
    hand.app.pages.show_home()
    again = hand.page(HomePage)
    assert again.start_panel.setup.match_settings.limited_to(
        again.start_panel.setup.facts(), 2
    ) == MatchSettings(handicap="1-R,2+R")
    again.start_panel.show_game(catalogue.load_catalogue().get("spline"))
    again.start_panel.setup.match_settings.chosen_settings = MatchSettings(handicap="1-R,2+R")
    assert (
        again.start_panel.setup.match_settings.limited_to(again.start_panel.setup.facts(), 2)
        == MatchSettings()
    )


def test_match_settings_descriptions_and_random_seats() -> None:
    set_language("fr")
    assert describe_time_limit(TimeLimit(600, 5)) == "10 min + 5 s par tour"
    set_language("en")
    assert describe_time_limit(TimeLimit(30, is_per_turn=True)) == "30 s per turn"
    assert describe_time_limit(TimeLimit(90, 5)) == "1:30 min + 5 s per turn"
    assert MatchSettings.from_saved("nonsense", 1, 0) == MatchSettings(random_seats=True)
    agreed = MatchSettingsChoice()
    agreed.chosen_settings = MatchSettings(TimeLimit(60), True, True)
    assert agreed.limited_to(None, 2) == MatchSettings()
    assert agreed.limited_to(Facts((1, 2)), 1) == MatchSettings(TimeLimit(60))
    assert agreed.limited_to(Facts((1, 2), has_simultaneous_moves=True), 2) == MatchSettings()
    assert agreed.limited_to(Facts((1, 2)), 2) == agreed.chosen_settings
    drawn = {tuple(map(tuple, shuffle_seats(seed, "ab", "xy"))) for seed in range(8)}
    assert drawn == {(("a", "b"), ("x", "y")), (("b", "a"), ("y", "x"))}


def test_invalid_saved_number_of_players_means_two() -> None:
    entry = next(
        each for each in catalogue.load_catalogue().entries if each.players[0] == 1 < each.players[1]
    )
    assert MatchSetup.from_saved(entry, {"players": "three"}).seats == 2
    assert MatchSetup.from_saved(entry, {}).seats == 2
    assert MatchSetup.from_saved(entry, {"players": 1}).seats == 1


def test_recommended_swap_rule_is_selected_shown_and_can_be_declined(hand: Hand) -> None:
    """The swap rule is on by default in variants that recommend it.

    If the user switches it off in a variant that recommends it, it stays off when another variant that recommends it is
    selected.
    """

    def start_panel() -> StartPanel:
        hand.app.pages.show_home()
        page = hand.page(HomePage)
        page.start_panel.show_game(catalogue.load_catalogue().get("spargo"))
        return page.start_panel

    def label() -> str:
        return hand.found("terms", MatchSettingsButton).label

    start = start_panel()
    variants = ("", *catalogue.load_catalogue().get("spargo").variants)
    assert label() == "no clock"
    hand.found("variant", Choice).select(variants.index("margo"))
    assert label() == "no clock · swap rule"
    assert (start.setup.size, start.setup.sizes()) == (6, [6, 7, 9]), "size 4 is none of Margo's"
    hand.push("terms")
    assert hand.found("swap", Choice).options == ("off", "on (recommended)")
    hand.push("terms done")
    hand.found("variant", Choice).select(variants.index("superko"))
    assert label() == "no clock"
    assert start.setup.size == 6, "superko may be played on it"
    hand.found("variant", Choice).select(variants.index("margo"))
    start.start_match()
    assert hand.play.match.has_swap_rule
    assert ".swap" not in hand.app.settings.setups["spargo"]

    start = start_panel()
    assert (start.setup.variant, label()) == ("margo", "no clock · swap rule")
    hand.push("terms")
    hand.found("swap", Choice).select(0)
    hand.push("terms done")
    assert label() == "no clock"
    hand.found("variant", Choice).select(variants.index("margo superko"))
    assert label() == "no clock", "it recommends the same, so the choice stands"
    start.start_match()
    assert not hand.play.match.has_swap_rule
    assert start_panel().setup.variant == "margo superko"
    assert label() == "no clock"
