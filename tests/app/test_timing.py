"""Clocks at the table, terms of a match, and seats that are swapped."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.board.match_page import MatchPage
from shibumi3d.app.board.moves import MoveList
from shibumi3d.app.board.timing import TimeUp
from shibumi3d.app.host.terms import Terms, lots, pace_told
from shibumi3d.app.marbles.counts import Counts
from shibumi3d.app.pages.home.screen import Home
from shibumi3d.app.pages.home.terms_card import Agreement, TermsButton
from shibumi3d.app.ui.core import Widget
from shibumi3d.app.ui.drop import Drop
from shibumi3d.catalogue import catalogue
from shibumi3d.i18n import use
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.record import load
from shibumi3d.rules.game import Facts
from shibumi3d.scene.rect import Rect
from tests.app.test_computers import Scripted

if TYPE_CHECKING:
    from tests.app.hand import Hand


def begin(hand: Hand, terms: Terms, kinds: tuple[str, ...] = ()) -> None:
    entry = catalogue.load().get("spline")
    hand.app.matches.start(entry, ["Aiko", "Ben"], 4, "", 1, kinds=kinds, terms=terms)
    hand.draw()


def left(hand: Hand) -> list[float]:
    clock = hand.play.match.clock
    assert clock is not None
    return [round(each, 1) for each in clock.left]


def test_the_last_ten_seconds_are_seen_and_heard(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: list[float] = []
    begin(hand, Terms(TimeLimit(14)))
    timing = hand.play.timing
    monkeypatch.setattr(hand.app.sounds, "tick", lambda: ticks.append(left(hand)[0]))
    hand.wait(3)
    assert not timing.short(0)
    assert not ticks
    hand.wait(20)
    assert timing.short(0)
    assert not timing.short(1)
    assert [math.ceil(each) for each in ticks] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert isinstance(hand.app.root.top, TimeUp)


@pytest.mark.parametrize("game", ["spline", "hyena-spiral"])
def test_little_time_is_written_in_red_at_every_table(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    entry = catalogue.load().get(game)
    hand.app.matches.start(entry, ["Aiko", "Ben"], entry.size, "", 1, terms=Terms(TimeLimit(14)))
    hand.draw()
    page, inks, write = hand.app.screen, dict[str, Any](), hand.app.canvas.text_in
    assert isinstance(page, MatchPage)

    def text_in(place: Rect, text: str, ink: Any, *more: Any) -> float:
        inks[text] = ink
        return write(place, text, ink, *more)

    monkeypatch.setattr(hand.app.canvas, "text_in", text_in)
    brick = hand.app.root.style.brick
    for seconds, red in ((2, False), (5, True)):
        hand.wait(seconds)
        hand.app.root.painted.clear()
        hand.app.root.dirty = True
        hand.draw()
        assert page.timing.short(0) is red
        assert (inks[page.timing.line(0)] == brick) is red


def test_a_clock_runs_for_whoever_chooses_and_rests_under_menus(hand: Hand) -> None:
    begin(hand, Terms(TimeLimit(60, 5)))
    hand.wait(10)
    assert 49.9 <= left(hand)[0] <= 50.5
    assert hand.play.timing.line(0) in ("0:50", "0:51")
    hand.app.pages.settings()
    hand.wait(1)
    paused = left(hand)
    hand.wait(5)
    assert left(hand) == paused
    hand.key("escape")
    hand.wait(0.4)
    hand.choose("Aa1")
    assert 53.5 <= left(hand)[0] <= 55.2, "five seconds more for the turn"
    hand.wait(12)
    assert left(hand)[1] < 50
    path = hand.app.matches.kept
    assert path is not None
    kept = load(path)
    assert kept.left[1] < 60, "the time that passed is kept while nobody moves"
    hand.choose("Ab2")
    spent = left(hand)
    hand.key("ctrl+z")
    assert left(hand)[1] <= spent[1], "time does not come back"
    hand.app.pages.home()
    before = load(path).left
    hand.wait(5)
    hand.app.matches.resume()
    hand.draw()
    assert [round(each) for each in left(hand)] == [*before]


def test_it_is_asked_before_a_game_ends_on_time(hand: Hand) -> None:
    begin(hand, Terms(TimeLimit(5)))
    hand.choose("Aa1")
    hand.wait(7)
    card = hand.floating(TimeUp)
    assert card.words.words == "Ben has run out of time. End the game, or keep playing anyway?"
    hand.push("go on without time")
    hand.wait(5)
    assert not hand.app.root.floats, "it is asked once"
    hand.choose("Ab1")
    assert hand.moves == ["W@Aa1", "B@Ab1"]
    hand.wait(7)
    hand.floating(TimeUp)
    hand.push("end on time")
    assert hand.play.result_bar.sentence() == "Ben wins: time ran out"
    hand.key("ctrl+z")
    hand.wait(1)
    assert hand.moves == ["W@Aa1", "B@Ab1"], "even that can be taken back"


def test_the_second_seat_swaps_by_a_key_or_a_button_and_a_computer_by_its_judgement(hand: Hand) -> None:
    begin(hand, Terms(swap=True))
    hand.choose("Ab2")
    hand.key("s")
    assert hand.play.names == ["Ben", "Aiko"]
    hand.wait(1)
    assert hand.play.status.sentence().startswith("Aiko to move")
    hand.unfold()
    listed = hand.found("moves", MoveList)
    hand.choose("Ac3")
    assert [listed.sentence(row) for row in range(3)] == [
        "Aiko: white on Ab2",
        "Ben swaps seats",
        "Aiko: black on Ac3",
    ]
    begin(hand, Terms(swap=True))
    hand.choose("Ab2")
    hand.push("claim a draw")
    assert hand.play.names == ["Ben", "Aiko"]
    begin(hand, Terms(swap=True), ("person", "stone"))
    thinker = hand.play.computers.thinker = Scripted(0.3)
    thinker.script = ["B@Ac3"]
    hand.choose("Ab2")
    hand.wait(3)
    assert hand.play.match.plies[-1].move == "swap-seats"
    assert hand.play.match.kinds == ("stone", "person")
    assert hand.play.control.targets, "the person is to move"


def test_terms_are_chosen_remembered_and_told(hand: Hand) -> None:
    page = hand.app.screen
    assert isinstance(page, Home)
    start = page.start
    start.show(catalogue.load().get("spline"))
    assert hand.found("terms", TermsButton).label == "no clock"
    hand.push("terms")
    drop = hand.found("clock", Drop)
    drop.choose(drop.options.index("10 min + 5 s per turn"))
    hand.push("swap")
    hand.key("right")
    hand.push("terms done")
    assert hand.found("terms", TermsButton).label == "10 min + 5 s per turn · swap rule"
    start.play()
    match = hand.play.match
    assert match.swap
    assert match.clock is not None
    assert match.clock.pace == TimeLimit(600, 5)
    hand.app.pages.home()
    again = hand.app.screen
    assert isinstance(again, Home)
    assert again.start.chosen.terms.within(again.start.chosen.facts(), 2) == Terms(
        TimeLimit(600, 5), swap=True
    )
    again.start.show(catalogue.load().get("hyena-spiral"))
    assert again.start.chosen.terms.within(again.start.chosen.facts(), 2) == Terms()


def test_a_handicap_is_chosen_remembered_and_goes_along(hand: Hand) -> None:
    page = hand.app.screen
    assert isinstance(page, Home)
    start = page.start
    start.show(catalogue.load().get("sp-kapow"))  # a bomb each, and none in the box
    hand.push("terms")
    first, second = (hand.found(f"begins {seat}", Counts) for seat in (1, 2))

    def click(button: Widget) -> None:
        hand.click(*hand.app.pixels(button.rect.cx, button.rect.cy))

    click(second.children[1])
    assert second.counts == (1,), "there is no third bomb"
    click(first.children[0])
    click(second.children[1])
    assert (first.counts, second.counts) == ((0,), (2,))
    hand.push("terms done")
    assert hand.found("terms", TermsButton).label == "no clock · handicap"
    start.play()
    match = hand.play.match
    assert match.deal == {"bomb": ("", "RR")}
    hand.app.matches.rematch(match, hand.play.entry, 1)
    assert hand.play.match.deal == {"bomb": ("RR", "")}, "who has the bombs sits at the first seat now"
    hand.app.pages.home()
    again = hand.app.screen
    assert isinstance(again, Home)
    assert again.start.chosen.terms.within(again.start.chosen.facts(), 2) == Terms(handicap="1-R,2+R")
    again.start.show(catalogue.load().get("spline"))
    again.start.chosen.terms.wanted = Terms(handicap="1-R,2+R")
    assert again.start.chosen.terms.within(again.start.chosen.facts(), 2) == Terms()


def test_terms_in_words_and_by_lot() -> None:
    use("fr")
    assert pace_told(TimeLimit(600, 5)) == "10 min + 5 s par tour"
    use("en")
    assert pace_told(TimeLimit(30, each_turn=True)) == "30 s per turn"
    assert Terms.last("nonsense", 1, 0) == Terms(lot=True)
    agreed = Agreement()
    agreed.wanted = Terms(TimeLimit(60), True, True)
    assert agreed.within(None, 2) == Terms()
    assert agreed.within(Facts((1, 2)), 1) == Terms(TimeLimit(60))
    assert agreed.within(Facts((1, 2), simultaneous=True), 2) == Terms()
    assert agreed.within(Facts((1, 2)), 2) == agreed.wanted
    drawn = {tuple(map(tuple, lots(seed, "ab", "xy"))) for seed in range(8)}
    assert drawn == {(("a", "b"), ("x", "y")), (("b", "a"), ("y", "x"))}
