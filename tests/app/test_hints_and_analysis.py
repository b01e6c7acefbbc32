"""Hints in stages and analysis: what is shown and said, to whom, and what it is based on."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui import icons
from shibumi3d.i18n import P_, Message, Plural
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.scene.marbles.signs import SignKind
from shibumi3d.search.levels import PERSON
from shibumi3d.search.players import Analysis, Choice
from shibumi3d.search.review import proofs, reviewer
from shibumi3d.search.review.results import Review, TurnReview, ValueBounds
from tests.app.at_once import AtOnce
from tests.app.test_computer_players import Scripted, play

if TYPE_CHECKING:
    from tests.app.hand import Hand


class Adviser(Scripted):
    """Engine stand-in that answers each request with the next of ``answers``.

    Once all answers have been used, a request stays open.
    """

    def __init__(self, *answers: Choice) -> None:
        super().__init__()
        self.answers = list(answers)

    def poll(self) -> Choice | None:
        if not self.open or not self.answers:
            return None
        self.open = False
        return self.answers.pop(0)


def make_answer(*turns: MoveEvaluation, mean: float = 0.6, wins_in: int = 0) -> Choice:
    return Choice(turns[0].move_texts[0], Analysis(0, 100, mean, turns, wins_in))


BEST = make_answer(
    MoveEvaluation(("W@Ab2",), 60, 0.64),
    MoveEvaluation(("W@Ac3",), 40, 0.62),
    MoveEvaluation(("W@Aa1",), 8, 0.4),
    mean=0.64,
)
"""Ab2 is best and Ac3 nearly as good; the evaluation of Aa1 is uncertain."""


def sign_points(hand: Hand, kind: SignKind) -> set[str]:
    names = hand.play.advice.make_signs()[0]
    return {hand.play.state.point_name(s.point, s.board) for s in names if s.kind is kind}


def test_hint_is_given_in_stages_and_counted(hand: Hand) -> None:
    page = hand.start("spline")
    adviser = page.advice.engine = Adviser()
    hand.key("h")
    assert page.actions.message == "Analysing…"
    hand.key("h")
    assert page.advice.hint_counts == [1, 0], "nothing more is known yet"
    adviser.answers = [BEST]
    hand.wait(0.5)
    assert page.actions.message == "The best move is at one of the marked spots."
    # Ab2, the legal points around it, and Ac3, which is nearly as good.
    assert sign_points(hand, SignKind.HINT) == {"Ab2", "Aa2", "Ac2", "Ab1", "Ab3", "Ac3"}
    hand.push("hint")
    assert sign_points(hand, SignKind.HINT) == {"Ab2"}
    assert page.actions.message == "Best: Ab2."
    assert hand.moves == []
    hand.key("h")
    hand.wait(2)
    assert hand.moves == ["W@Ab2"]
    assert page.advice.hint_counts == [1, 0], "it was one hint, in three stages"
    assert "1 hint" in page.seat_cards[0].side_notes()
    assert page.seat_cards[1].side_notes() == []
    assert sign_points(hand, SignKind.HINT) == set()


STOPS = Message(
    P_("why.stops.line", "stops {who} from winning at {place} with the line {line}"),
    who="Ben",
    place="Ab2",
    line="Aa2–Ad2",
)


def test_hint_gives_a_reason(hand: Hand) -> None:
    page = hand.start("spline")
    adviser = page.advice.engine = Adviser(
        replace(
            BEST,
            reasons=(STOPS, Message(Plural(P_("why.takes", "takes {n} marble"), "takes {n} marbles"), n=2)),
        )
    )
    hand.key("h")
    hand.wait(0.5)
    hand.key("h")
    assert page.actions.message == (
        "Ab2: this stops Ben from winning at Ab2 with the line Aa2–Ad2, and it takes 2 marbles."
    )
    assert adviser.asked[0][3]["names"] == page.names


def test_analysis_gives_a_reason_for_the_best_turn(hand: Hand) -> None:
    play(hand, "spline", (PERSON, "stone"))
    page = hand.play
    page.advice.engine = Adviser(replace(BEST, reasons=(STOPS,)))
    hand.key("a")
    hand.wait(0.5)
    assert page.actions.message == "Ab2: this stops Ben from winning at Ab2 with the line Aa2–Ad2."


def test_hint_text_stays_while_pointer_or_cursor_is_on_the_board(hand: Hand) -> None:
    page = hand.start("spline")
    page.advice.engine = Adviser(BEST)
    hand.point(*hand.spot("Aa1"))
    before = page.message_line.current_message()
    hand.key("h")
    hand.wait(0.5)
    assert page.message_line.current_message() == ("The best move is at one of the marked spots.", True)
    hand.point(*hand.spot("Ad4"))
    hand.point(*hand.spot("Aa1"))
    assert page.pointer.active_spot is not None
    hand.key("home")
    assert page.message_line.current_message() == before, (
        "the cursor went elsewhere, and nothing is said any more"
    )
    hand.key("h")
    assert page.message_line.current_message() == ("Best: Ab2.", True)


def test_hint_waits_until_the_current_position_is_shown(hand: Hand) -> None:
    page = hand.start("spline")
    hand.choose("Ab1", "Ad4")
    adviser = page.advice.engine = Adviser()
    hand.key("h")
    page.step_by(-1)
    earlier = page.message_line.current_message()
    adviser.answers = [BEST]
    hand.wait(0.5)
    assert page.message_line.current_message() == earlier
    page.step_by(1)
    hand.wait(0.5)
    assert page.message_line.current_message() == ("The best move is at one of the marked spots.", True)


def test_analysis_shows_evaluation_and_best_turns(hand: Hand) -> None:
    play(hand, "spline", (PERSON, "stone"), "B@Ad4")
    page = hand.play
    adviser = page.advice.engine = Adviser(BEST)
    hand.key("a")
    hand.wait(0.5)
    assert page.evaluation_bar.visible
    assert page.evaluation_bar.describe_evaluation() == "Player 1: 64%"
    assert page.evaluation_bar.best_turns() == [
        ("1  Ab2  64%", True),
        ("2  Ac3  62%", True),
        ("3  Aa1  40%", False),
    ]
    signs, ghosts = page.advice.make_signs()
    numbers = {page.state.point_name(s.point): s.number for s in signs if s.kind is SignKind.NUMBER}
    assert numbers == {"Ab2": 1, "Ac3": 2, "Aa1": 3}
    assert len(ghosts) == 3
    adviser.answers = [make_answer(MoveEvaluation(("W@Ab3",), 60, 1.0, 1.0, 1.0, 5), mean=1.0, wins_in=3)]
    hand.choose("Ab2")
    hand.wait(3)
    assert hand.moves == ["W@Ab2", "B@Ad4"]
    assert page.evaluation_bar.describe_evaluation() == "Player 1 wins in 3 turns"
    assert page.evaluation_bar.best_turns() == [("1  Ab3  wins in 3", True)]
    assert [more["seat"] for _, _, _, more in adviser.asked] == [0, 0], "never for the computer"
    hand.key("a")
    assert not page.evaluation_bar.visible


def test_analysis_with_two_people_needs_both_to_agree(hand: Hand) -> None:
    page = hand.start("spline")
    page.advice.engine = Adviser(BEST)
    hand.key("a")
    assert not page.advice.is_analysing
    hand.push("agree 1")
    assert not page.advice.is_analysing
    assert hand.app.root.popups
    hand.push("agree 2")
    assert page.advice.is_analysing
    assert not hand.app.root.popups


@pytest.mark.parametrize("game", ["spanic", "spagyric"])
def test_hints_use_only_the_observation_of_the_seat(hand: Hand, game: str) -> None:
    from shibumi3d.catalogue import catalogue

    play(hand, game, (PERSON, *["pebble"] * (catalogue.load_catalogue().get(game).players[0] - 1)))
    adviser = hand.play.advice.engine = Adviser()
    hand.key("h")
    ((asked_game, view, _, more),) = adviser.asked
    state = hand.play.match.state
    assert view == asked_game.observe(state, state.to_move)
    assert more["seat"] == state.to_move == 0


def test_hint_finds_an_immediate_win(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """White has marbles on Aa1, Aa2 and Aa3, and wins by placing another on Aa4.

    The graph of the review shows this win as proved.
    """
    page = hand.start("spline")
    for text in ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3", "B@Ac3"):
        page.actions.play_move(next(m for m in page.controller.moves if m.text == text))
    hand.wait(1)
    hand.key("h")
    hand.wait_until(lambda: page.advice.is_complete)
    hand.key("h")
    assert sign_points(hand, SignKind.HINT) == {"Aa4"}
    hand.key("h")
    hand.wait(2)
    assert page.match.state.result.winners == (0,)
    assert page.advice.engine is not None
    monkeypatch.setattr("shibumi3d.app.match.review.Worker", AtOnce)
    monkeypatch.setattr(proofs, "MAX_WORK", 20_000)
    monkeypatch.setattr(reviewer.review_in_worker, "__defaults__", (8, 0))
    hand.push("more")
    hand.push("review")
    replay = hand.page(ReplayPage)
    hand.push("who stood better")
    hand.wait(1)
    white = replay.evaluation_graph.curves()[0]
    assert [point.ply for point in white] == list(range(8))
    assert white[7] == (7, 1.0, True), "White has won"
    assert white[6] == (6, 1.0, True), "White to move wins, and that is proved"
    assert replay.evaluation_graph.is_on
    hand.app.pages.show_home()


def test_any_position_of_a_finished_match_can_be_analysed(hand: Hand) -> None:
    page = hand.start("spline")
    for text in ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3", "B@Ac3", "W@Aa4"):
        page.actions.play_move(next(m for m in page.controller.moves if m.text == text))
    hand.wait(1)
    assert page.match.state.to_move is None
    assert not page.advice.analysis_button.enabled
    adviser = Adviser(make_answer(MoveEvaluation(("W@Aa4",), 50, 1.0, 1.0, 1.0, 1), wins_in=1))
    page.advice.engine = adviser
    page.actions.view_ply(6)
    assert page.advice.analysis_button.enabled
    assert not page.advice.hint_button.enabled, "nothing is to be done any more"
    hand.key("a")
    hand.wait(1)
    assert page.evaluation_bar.visible
    assert page.evaluation_bar.describe_evaluation() == f"{page.names[0]} wins in 1 turn"
    assert sign_points(hand, SignKind.NUMBER) == {"Aa4"}
    ((asked_game, view, _, _),) = adviser.asked
    assert view == asked_game.observe(page.match.plies[5].state, 0)


def test_each_of_three_has_a_curve_with_their_sign_at_its_end(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.start("spaniel", ("Ann", "Ben", "Cy"))
    match, chance = hand.play.match, random.Random(3)
    while moves := match.legal_moves():
        match.play(chance.choice(moves))
    hand.app.show_page(ReplayPage(hand.app, match, hand.play.entry))
    replay = hand.page(ReplayPage)
    band, last = replay.evaluation_graph, len(replay.history)
    assert replay.controls.review_button.visible
    (winner,) = match.state.result.winners
    thought = ((0, 0, 0.4), (2, 1, 0.3), (4, 2, 0.2), (6, 0, 0.1))
    moments = tuple(TurnReview(at, at + 1, at, seat, ValueBounds(share)) for at, seat, share in thought)
    replay.reviewer.review = Review(moments, 10, is_complete=True)
    ends = [(last, float(seat == winner), True) for seat in range(3)]
    assert band.curves() == {
        0: [(0, 0.4, False), (6, 0.1, False), ends[0]],
        1: [(2, 0.3, False), ends[1]],
        2: [(4, 0.2, False), ends[2]],
    }
    assert band.share_at(0, 3) == pytest.approx(0.25)
    assert band.share_at(1, 1) is None, "nobody has thought about it yet"
    band.toggle()
    seats: list[int] = []
    monkeypatch.setattr(icons, "draw_seat_symbol", lambda canvas, seat, *_: seats.append(seat))
    band.paint(hand.app.canvas, hand.app.root.style)
    assert seats == [0, 1, 2, 0, 1, 2], "in the legend, and at the ends of the curves"
