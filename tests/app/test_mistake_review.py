"""*Learn from your mistakes*: the question, attempts, replies, the solution and continuing from there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from shibumi3d.app.match.marble_view.guided import MarbleMistakesPage
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.mistakes import MistakesPage
from shibumi3d.app.match.scene_view.page import SceneMatchPage, SceneMistakesPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.problems import requirements
from shibumi3d.search.problems.candidates import Candidate, FoundProblem
from shibumi3d.search.review import estimates, proofs, reviewer
from shibumi3d.search.review.results import Review, ReviewMove, TurnEvaluation, TurnReview, ValueBounds
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.app.test_replay_page import finished_match

LOST = ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3", "B@Ad3", "W@Ab1", "B@Ad4")
"""Moves of a match that White loses. On turn 7, White could have completed the line from Aa1 to Aa4."""


def make_lost_match() -> Match:
    match = Match(
        load_catalogue().get("spline").game(), ["Ann", "Stone"], 1, player_types=["person", "stone"]
    )
    for move in LOST:
        match.play(move)
    return match


@cache
def lost_match_review() -> Review:
    match = make_lost_match()
    made = [ReviewMove(ply.seat, ply.turn, ply.move, ply.state) for ply in match.plies]
    return list(reviewer.review_progressively(match.game, match.initial_state, made, 8))[-1]


@pytest.fixture
def page(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> MarbleMistakesPage:
    for module in ("match.review", "host.solver"):
        monkeypatch.setattr(f"shibumi3d.app.{module}.Worker", AtOnce)
    monkeypatch.setattr(proofs, "MAX_WORK", 20_000)
    for module in (reviewer, estimates):
        monkeypatch.setattr(module, "QUICK_SIMULATIONS", 8)
    monkeypatch.setattr(reviewer, "review_in_worker", lambda *_: lost_match_review())
    hand.app.change_settings(motion="off")
    hand.app.show_page(MarbleMatchPage(hand.app, make_lost_match(), load_catalogue().get("spline")))
    hand.draw()
    hand.push("find the turn")
    hand.wait(1)
    return hand.page(MarbleMistakesPage)


def instruction(page: MistakesPage) -> str:
    assert page.instruction_strip is not None
    return page.instruction_strip.instruction_text.markup


def test_board_shows_the_position_before_the_worst_mistake(hand: Hand, page: MarbleMistakesPage) -> None:
    assert page.current_mistake is not None
    assert (page.current_mistake.start, page.current_mistake.lost_result) == (6, "win")
    assert page.match.state == page.played_match.plies[5].state
    assert instruction(page) == "Turn 7 – Ann: white on Ab1. There was a better move."
    assert not page.result_bar.visible
    assert all(one.seat == 0 for one in page.mistakes), "the computer's mistakes are not listed"


def test_played_move_is_crossed_out_until_a_try(hand: Hand, page: MarbleMistakesPage) -> None:
    board = page.match.state
    point = next(point for point in range(16) if board.point_name(point, 0) == "Ab1")
    assert page.overlay_signs() == ([Sign(SignKind.DOOMED, 0, point)], [Ghost(0, point, 0)])
    hand.choose("Ac2")
    assert page.overlay_signs() == ([], [])


def test_reply_to_the_mistake_is_shown_until_the_player_acts(hand: Hand, page: MarbleMistakesPage) -> None:
    hand.choose("Ab1")
    hand.wait(1.5)
    assert [ply.move for ply in page.match.plies] == ["W@Ab1", "B@Ad4"]
    refuted = instruction(page)
    assert refuted.startswith("Ann: white on Ab1. The reply – Stone: black on Ad4. ")
    assert refuted.endswith(". Try something else.")
    assert refuted.split(". ")[2].startswith(("That's a forced loss", "About "))
    hand.wait(30)
    assert [ply.move for ply in page.match.plies] == ["W@Ab1", "B@Ad4"]
    assert instruction(page) == refuted
    hand.push("coach go")
    hand.draw()
    assert page.match.cursor == 0
    assert page.phase == "ask"
    assert page.corrected_count == 0


def test_other_bad_tries_are_answered_too(hand: Hand, page: MarbleMistakesPage) -> None:
    hand.choose("Ac2")
    hand.wait(2)
    assert page.match.plies[-1].move == "B@Ad4", "Black completes its file"
    assert ". The reply – Stone: black on Ad4. That's a forced loss." in instruction(page)
    hand.wait(30)
    hand.choose("Aa4")  # a click on the board undoes it
    assert (page.phase, page.match.cursor) == ("ask", 0)
    hand.choose("Aa4")
    hand.wait(1)
    assert page.phase == "right"


def test_better_turn_is_accepted_with_a_reason(hand: Hand, page: MarbleMistakesPage) -> None:
    hand.choose("Aa4")
    hand.wait(1)
    assert page.phase == "right"
    assert page.extra_button.label == "Play from before the mistake"
    assert instruction(page).startswith("Correct! Ann: white on Aa4")
    assert instruction(page).endswith("Correct! Ann: white on Aa4. It wins at once.")
    hand.key("n")
    assert isinstance(hand.app.current_page, MarbleMistakesPage)
    assert hand.app.current_page.corrected_count == 1


def test_solution_can_be_shown_and_continued_from(hand: Hand, page: MarbleMistakesPage) -> None:
    hand.key("s")
    hand.draw()
    assert page.match.plies[-1].move == "W@Aa4"
    assert page.corrected_count == 0
    hand.push("other")
    hand.draw()
    played = hand.page(MarbleMatchPage)
    assert not isinstance(played, MarbleMistakesPage)
    assert [ply.move for ply in played.match.plies] == list(LOST[:6])
    assert played.match.player_types == ("person", "stone")


@pytest.mark.parametrize("alone", [True, False])
def test_missed_win_is_saved_as_own_problem(
    hand: Hand, page: MarbleMistakesPage, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    def found(spot: Candidate) -> FoundProblem | None:
        return FoundProblem("win", spot, 1, (("W@Aa4",),), rating=900, work=12) if alone else None

    monkeypatch.setattr(requirements, "find_problem", found)
    assert not page.save_problem_button.visible
    hand.choose("Aa4")
    hand.wait(1)
    hand.push("keep as a problem")
    hand.wait(1)
    stored_problems = list(hand.app.results.problems.own_problems().values())
    assert [each.moves for each in stored_problems] == (
        [tuple((move,) for move in LOST[:6])] if alone else []
    )
    assert instruction(page).startswith(
        "Saved to your problems" if alone else "Not saved: the computer couldn't prove that only one"
    )
    assert not page.save_problem_button.visible


def test_a_problem_that_cannot_be_written_is_not_called_saved(
    hand: Hand, page: MarbleMistakesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        requirements,
        "find_problem",
        lambda spot: FoundProblem("win", spot, 1, (("W@Aa4",),), rating=900, work=12),
    )
    monkeypatch.setattr(hand.app.results.problems, "save_own", lambda problem: "")
    hand.choose("Aa4")
    hand.wait(1)
    hand.push("keep as a problem")
    hand.wait(1)
    assert instruction(page).startswith("The problem couldn't be saved.")


def test_solo_match_offers_its_mistakes(hand: Hand) -> None:
    hand.start("spuzzle", ("Ann",))
    assert hand.play.result_bar.mistakes_button in hand.play.result_bar._visible_buttons()


def test_summary_counts_the_better_moves_found(hand: Hand, page: MarbleMistakesPage) -> None:
    for _ in page.mistakes:
        hand.key("n")
        hand.draw()
    last = hand.page(MarbleMistakesPage)
    assert instruction(last) == f"Better moves found: 0 of {len(page.mistakes)}."
    hand.key("escape")
    back = hand.page(MarbleMatchPage)
    assert back.match is page.played_match
    assert back.result_bar.visible


def test_match_without_mistakes_says_so(hand: Hand, page: MarbleMistakesPage) -> None:
    known = page.reviewer.review
    assert known is not None
    calm = Review(
        tuple(replace(one, played_value=one.best_value) for one in known.turns),
        8,
        is_complete=True,
    )
    hand.app.pages.show_mistakes(page.played_match, page.entry, page, calm)
    shown = hand.page(MarbleMistakesPage)
    assert instruction(shown) == "You made no big mistakes."
    blind = Review(tuple(replace(one, played_value=None) for one in known.turns), 8, is_complete=True)
    hand.app.pages.show_mistakes(page.played_match, page.entry, page, blind)
    shown = hand.page(MarbleMistakesPage)
    assert "The computer can't evaluate the moves in this match." in instruction(shown)


def test_every_page_shows_the_same_interrupted_review(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay shows the interrupted review of the mistakes page instead of making a second one.

    In the first review, the played turn is worth 33%. In a second one, it would be worth 100%.
    """
    monkeypatch.setattr("shibumi3d.app.match.review.Worker", AtOnce)
    entry, worths = load_catalogue().get("spline"), [0.33, 1.0]
    moment = lost_match_review().turns[6]
    monkeypatch.setattr(
        reviewer,
        "review_in_worker",
        lambda *_: Review(
            (replace(moment, best_value=ValueBounds(1.0), played_value=ValueBounds(worths.pop(0))),), 8
        ),
    )
    hand.app.pages.show_mistakes(make_lost_match(), entry, None)
    hand.wait(1)
    shown = hand.page(MarbleMistakesPage)
    found = shown.reviewer.review
    assert found is not None
    assert found.turns[0].played_value == ValueBounds(0.33)
    replay = ReplayPage(hand.app, make_lost_match(), entry)
    hand.app.show_page(replay)
    hand.push("who stood better")
    hand.wait(1)
    assert replay.reviewer.review == found
    assert "33% to win" in replay.reviewer.describe_judgement(replay.reviewer.marked_turns()[0])
    assert worths == [1.0]


@pytest.mark.parametrize(("name", "spots"), [("golden-spiral", False), ("arcanoid", True)])
def test_better_turn_is_found_at_another_table(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, name: str, spots: bool
) -> None:
    """The spots of the move played in the match, if any, are crossed out until another move is tried.

    In Arcanoid, that move has spots; in The Golden Spiral, it has none. The first move tried is refuted, because it
    wins with a chance of only 20% where 90% was possible. The button "Try again" undoes it. The better move is then
    accepted.
    """
    monkeypatch.setattr("shibumi3d.app.host.solver.Worker", AtOnce)
    monkeypatch.setattr(reviewer, "evaluate_turn_in_worker", lambda *_: TurnEvaluation(ValueBounds(0.2)))
    hand.app.change_settings(motion="off")
    match, entry = finished_match(name), load_catalogue().get(name)
    states = [match.initial_state, *[ply.state for ply in match.plies]]
    number, texts = next(
        (n, [move.text for move in moves])
        for n, ply in enumerate(match.plies)
        if len(moves := match.game.moves(states[n], ply.seat)) > 2
        and states[n].decision.visibility != "hidden"
    )
    ply = match.plies[number]
    better, other = [text for text in texts if text != ply.move][:2]
    one = TurnReview(
        number, number + 1, ply.turn, ply.seat, ValueBounds(0.9), ValueBounds(0.1), best_turn=(better,)
    )
    page = SceneMatchPage(hand.app, match, entry)
    hand.app.show_page(page)
    hand.app.pages.show_mistakes(match, entry, page, Review((one,), 10, is_complete=True))
    hand.draw()
    shown = hand.page(SceneMistakesPage)
    assert "There was a better move." in instruction(shown)
    played = shown.scene.clicks_for(next(move for move in shown.match.legal_moves() if move.text == ply.move))
    assert set(shown.crossed_spots()) == {played.last_spot, *played.picks} - {""}
    assert bool(shown.crossed_spots()) is spots
    for text, phase in ((other, "wrong"), (better, "right")):
        move = next(move for move in shown.match.legal_moves() if move.text == text)
        shown.actions.on_move_made(shown.actions.make_move(move))
        hand.wait(0.5)
        assert shown.phase == phase
        assert not shown.crossed_spots()
        hand.wait(30)
        if phase == "wrong":
            assert shown.phase == "refuted"
            assert "The chance of winning is 20% instead of 90%." in instruction(shown)
            hand.push("coach go")
            hand.draw()
    assert shown.match.cursor == 1
