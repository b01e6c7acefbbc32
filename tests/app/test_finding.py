"""*Find the turn*: what is asked, tried, answered, shown, and where one goes on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from shibumi3d.app.board.finding import TurnFinder
from shibumi3d.app.pages.play.lesson import Find
from shibumi3d.app.pages.play.screen import Play
from shibumi3d.app.pages.replay.screen import Replay
from shibumi3d.app.pages.tables.lesson import TableFind
from shibumi3d.app.pages.tables.screen import TablePlay
from shibumi3d.catalogue.catalogue import load
from shibumi3d.match.match import Match
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.problems import asking
from shibumi3d.search.problems.candidates import Candidate
from shibumi3d.search.problems.finding import Finding
from shibumi3d.search.review import estimates, proofs
from shibumi3d.search.review import passes as reviewing
from shibumi3d.search.review.moments import Judged, Made, Moment, Review, Worth
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.app.test_replay import over

LOST = ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3", "B@Ad3", "W@Ab1", "B@Ad4")
"""White could have completed its file in turn 7."""


def lost() -> Match:
    match = Match(load().get("spline").game(), ["Ann", "Stone"], 1, kinds=["person", "stone"])
    for move in LOST:
        match.play(move)
    return match


@cache
def known() -> Review:
    """What is found of it, once for all."""
    match = lost()
    made = [Made(ply.seat, ply.turn, ply.move, ply.state) for ply in match.plies]
    return list(reviewing.reviews(match.game, match.first, made, 8))[-1]


@pytest.fixture
def page(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> Find:
    """A match lost by a person: its end, *Find the turn* pushed."""
    for module in ("board.reviewer", "host.solver"):
        monkeypatch.setattr(f"shibumi3d.app.{module}.Worker", AtOnce)
    monkeypatch.setattr(proofs, "WORK", 20_000)
    for module in (reviewing, estimates):
        monkeypatch.setattr(module, "QUICK", 8)
    monkeypatch.setattr(reviewing, "review", lambda *_: known())
    hand.app.change(motion="off")
    hand.app.show(Play(hand.app, lost(), load().get("spline")))
    hand.draw()
    hand.push("find the turn")
    hand.wait(1)
    shown = hand.app.screen
    assert isinstance(shown, Find)
    return shown


def words(page: TurnFinder) -> str:
    assert page.coach is not None
    return page.coach.words


def test_the_board_stands_as_before_the_turn_that_lost_most(hand: Hand, page: Find) -> None:
    assert page.one is not None
    assert (page.one.at, page.one.gave_away) == (6, "win")
    assert page.match.state == page.whole.plies[5].state
    assert words(page) == "Turn 7 – Ann: white on Ab1. There was a better move."
    assert not page.result_bar.visible
    assert all(one.seat == 0 for one in page.moments), "the computer's turns are its own business"


def test_what_was_played_is_crossed_out_on_the_board_until_something_is_tried(hand: Hand, page: Find) -> None:
    board = page.match.state
    point = next(point for point in range(16) if board.point_name(point, 0) == "Ab1")
    assert page.lit() == ([Sign(SignKind.DOOMED, 0, point)], [Ghost(0, point, 0)])
    hand.choose("Ac2")
    assert page.lit() == ([], [])


def test_what_was_played_is_answered_until_the_player_acts(hand: Hand, page: Find) -> None:
    hand.choose("Ab1")
    hand.wait(1.5)
    assert [ply.move for ply in page.match.plies] == ["W@Ab1", "B@Ad4"]
    refuted = words(page)
    assert refuted.startswith("Ann: white on Ab1. Then Stone: black on Ad4. ")
    assert refuted.endswith(". Try something else.")
    assert refuted.split(". ")[2].startswith(("That's a forced loss", "About "))
    hand.wait(30)
    assert [ply.move for ply in page.match.plies] == ["W@Ab1", "B@Ad4"]
    assert words(page) == refuted
    hand.push("coach go")
    hand.draw()
    assert page.match.cursor == 0
    assert page.phase == "ask"
    assert page.right == 0


def test_what_is_no_better_is_answered_too(hand: Hand, page: Find) -> None:
    hand.choose("Ac2")
    hand.wait(2)
    assert page.match.plies[-1].move == "B@Ad4", "Black completes its file"
    assert ". Then Stone: black on Ad4. That's a forced loss." in words(page)
    hand.wait(30)
    hand.choose("Aa4")  # a click on the board takes it back
    assert (page.phase, page.match.cursor) == ("ask", 0)
    hand.choose("Aa4")
    hand.wait(1)
    assert page.phase == "right"


def test_the_turn_is_found_and_says_why(hand: Hand, page: Find) -> None:
    hand.choose("Aa4")
    hand.wait(1)
    assert page.phase == "right"
    assert words(page).startswith("Correct! Ann: white on Aa4")
    assert words(page).endswith("Correct! Ann: white on Aa4. It wins at once.")
    hand.key("n")
    assert isinstance(hand.app.screen, Find)
    assert hand.app.screen.right == 1


def test_it_is_shown_and_one_goes_on_from_there(hand: Hand, page: Find) -> None:
    hand.key("s")
    hand.draw()
    assert page.match.plies[-1].move == "W@Aa4"
    assert page.right == 0
    hand.push("other")
    hand.draw()
    played = hand.app.screen
    assert isinstance(played, Play)
    assert not isinstance(played, Find)
    assert [ply.move for ply in played.match.plies] == list(LOST[:6])
    assert played.match.kinds == ("person", "stone")


@pytest.mark.parametrize("alone", [True, False])
def test_a_win_that_was_missed_is_kept_as_a_problem_of_ones_own(
    hand: Hand, page: Find, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    def found(spot: Candidate) -> Finding | None:
        return Finding("win", spot, 1, (("W@Aa4",),), rating=900, work=12) if alone else None

    monkeypatch.setattr(asking, "problem_at", found)
    assert not page.keeping.visible
    hand.choose("Aa4")
    hand.wait(1)
    hand.push("keep as a problem")
    hand.wait(1)
    own = list(hand.app.results.problems.own().values())
    assert [each.moves for each in own] == ([tuple((move,) for move in LOST[:6])] if alone else [])
    assert words(page).startswith(
        "Saved to your problems" if alone else "Not saved: a problem needs exactly one solution"
    )
    assert not page.keeping.visible


def test_one_who_plays_alone_has_nothing_to_find(hand: Hand) -> None:
    hand.start("spuzzle", ("Ann",))
    assert not hand.play.result_bar.find.visible


def test_after_the_last_one_it_says_how_many_were_found(hand: Hand, page: Find) -> None:
    for _ in page.moments:
        hand.key("n")
        hand.draw()
    last = hand.app.screen
    assert isinstance(last, Find)
    assert words(last) == f"You found 0 of {len(page.moments)}."
    hand.key("escape")
    back = hand.app.screen
    assert isinstance(back, Play)
    assert back.match is page.whole
    assert back.result_bar.visible


def test_where_nothing_was_given_away_that_is_said(hand: Hand, page: Find) -> None:
    known = page.review.found
    assert known is not None
    calm = Review(tuple(replace(one, played=one.best) for one in known.moments), 8, complete=True)
    hand.app.pages.find(page.whole, page.entry, page, calm)
    shown = hand.app.screen
    assert isinstance(shown, Find)
    assert words(shown) == "You made no big mistakes."
    blind = Review(tuple(replace(one, played=None) for one in known.moments), 8, complete=True)
    hand.app.pages.find(page.whole, page.entry, page, blind)
    shown = hand.app.screen
    assert isinstance(shown, Find)
    assert "The computer can't evaluate the moves of this match." in words(shown)


def test_a_review_that_was_cut_short_is_the_one_that_every_page_shows(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked to make do with what is known, *Find the turn* says 33 %; the replay must not say 100 %."""
    monkeypatch.setattr("shibumi3d.app.board.reviewer.Worker", AtOnce)
    entry, worths = load().get("spline"), [0.33, 1.0]
    moment = known().moments[6]
    monkeypatch.setattr(
        reviewing,
        "review",
        lambda *_: Review((replace(moment, best=Worth(1.0), played=Worth(worths.pop(0))),), 8),
    )
    hand.app.pages.find(lost(), entry, None)
    hand.wait(1)
    shown = hand.app.screen
    assert isinstance(shown, Find)
    found = shown.review.found
    assert found is not None
    assert found.moments[0].played == Worth(0.33)
    replay = Replay(hand.app, lost(), entry)
    hand.app.show(replay)
    hand.push("who stood better")
    hand.wait(1)
    assert replay.review.found == found
    assert "33%." in replay.review.sentence(replay.review.marked()[0])
    assert worths == [1.0]


@pytest.mark.parametrize(("name", "spots"), [("golden-spiral", False), ("arcanoid", True)])
def test_at_another_table(hand: Hand, monkeypatch: pytest.MonkeyPatch, name: str, spots: bool) -> None:
    """A choice that was there is tried on the table, judged, and taken back or said to be it; where it was made on the
    table, and not in the list beside it, it is crossed out there."""
    monkeypatch.setattr("shibumi3d.app.host.solver.Worker", AtOnce)
    monkeypatch.setattr(reviewing, "judged", lambda *_: Judged(Worth(0.2)))
    hand.app.change(motion="off")
    match, entry = over(name), load().get(name)
    states = [match.first, *[ply.state for ply in match.plies]]
    number, texts = next(
        (n, [move.text for move in moves])
        for n, ply in enumerate(match.plies)
        if len(moves := match.game.moves(states[n], ply.seat)) > 2 and states[n].ask.sight != "hidden"
    )
    ply = match.plies[number]
    better, other = [text for text in texts if text != ply.move][:2]
    one = Moment(number, number + 1, ply.turn, ply.seat, Worth(0.9), Worth(0.1), better=(better,))
    came = TablePlay(hand.app, match, entry)
    hand.app.show(came)
    hand.app.pages.find(match, entry, came, Review((one,), 10, complete=True))
    hand.draw()
    shown = hand.app.screen
    assert isinstance(shown, TableFind)
    assert "There was a better move." in words(shown)
    played = shown.scene.way(next(move for move in shown.match.moves() if move.text == ply.move))
    assert set(shown.crossed()) == {played.last, *played.picks} - {""}
    assert bool(shown.crossed()) is spots
    for text, phase in ((other, "wrong"), (better, "right")):
        move = next(move for move in shown.match.moves() if move.text == text)
        shown.doing.made(shown.doing.make(move))
        hand.wait(0.5)
        assert shown.phase == phase
        assert not shown.crossed()
        hand.wait(30)
        if phase == "wrong":
            assert shown.phase == "refuted"
            assert "20% to win instead of 90%" in words(shown)
            hand.push("coach go")
            hand.draw()
    assert shown.match.cursor == 1
