"""The ladder of a solo game: cards, stars, how its deals are played, and reviews of solo games."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.host.solo import SoloLibrary, ladder_of
from shibumi3d.app.match.marble_view.guided import MarbleMistakesPage
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.solo_graph import SoloGraph
from shibumi3d.app.pages.ladder import LadderPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.match.attempts import FAILED, HINTED, SHOWN, SOLO, SOLVED, new_attempt
from shibumi3d.match.match import Match
from shibumi3d.match.solo import BestRun, level_statistics
from shibumi3d.rules.game import Position
from shibumi3d.search.review.results import Review, TurnReview, ValueBounds
from shibumi3d.search.review.solo import WON
from tests.app.at_once import AtOnce
from tests.app.test_puzzle_solutions import at_once

if TYPE_CHECKING:
    from shibumi3d.catalogue.solo import SoloDeal
    from tests.app.hand import Hand


def ladder(hand: Hand, game: str = "spoff") -> LadderPage:
    hand.app.pages.show_ladder(hand.app.catalogue.get(game))
    hand.draw()
    return hand.page(LadderPage)


def finish(hand: Hand, deal: SoloDeal, *, hints: int = 0) -> None:
    """Play the proved solution of a deal on the current page, after adding ``hints`` to the number of hints used."""
    page: Any = hand.app.current_page
    with page.match.save_once():
        page.match.hints[0] += hints
    for turn in deal.line:
        for text in turn:
            page.actions.on_move_made(page.actions.make_move(text))
    hand.wait(1)


def attempt_outcomes(hand: Hand, game: str = "spoff") -> list[tuple[str, str]]:
    return [(one.problem, one.outcome) for one in hand.app.results.solo.attempts(game)]


def test_ladder_shows_every_deal_by_level(hand: Hand) -> None:
    page = ladder(hand)
    assert len(page.deals) == len(ladder_of("spoff")) > 0
    assert page.grid.headings[0].startswith("Level 1 · 0 / ")
    assert [deal.level for deal in page.deals] == sorted(deal.level for deal in page.deals)
    assert set(page.stars.values()) == {(False, False)}
    assert page.grid.describe_row_graphics(0) == "no stars yet"


def test_solved_deal_gets_its_stars_and_the_next_one_follows(hand: Hand) -> None:
    page = ladder(hand)
    first, second = page.deals[:2]
    hand.push("next deal")
    match = hand.app.current_page.match  # type: ignore[attr-defined]
    assert (match.seed, match.cursor) == (first.seed, len(first.lead))
    finish(hand, first, hints=1)
    assert attempt_outcomes(hand) == [(first.name, HINTED)]
    page = ladder(hand)
    assert page.stars[first.name] == (True, False)
    assert page.grid.current_row == 1
    page.play_deal(0)
    finish(hand, first)
    assert ladder(hand).stars[first.name] == (True, True)
    assert hand.app.results.solo.statistics("spoff")[1].streak == 2
    hand.push("next deal")
    assert hand.app.results.solo.find(hand.app.current_page.match) == second  # type: ignore[attr-defined]


def test_best_score_earns_a_star_of_its_own(hand: Hand) -> None:
    page = ladder(hand, "spuzzle")
    first = page.deals[0]
    assert len(page.stars[first.name]) == 3
    page.play_deal(0)
    finish(hand, first)
    bar = hand.play.result_bar
    assert bar.reason_line() == "That's the best possible score."
    assert not bar.mistakes_button.visible, "there is nothing to learn"
    page = ladder(hand, "spuzzle")
    assert page.stars[first.name] == (True, True, True)
    assert page.grid.describe_row_graphics(0) == "completed, without hints, best score"
    assert page.about_label.caption.endswith("and one for reaching the best score.")
    run = hand.app.results.solo.runs("spuzzle")[first.name]
    assert (run.score, run.turns) == (first.best, first.line)


TWO_SHORT = "B@Bb1 R@Ad2 W@Ac3 W@Bc3 R@Bc2 W@Ba3 W@Ba1"
"""Moves in Spuzzle's deal 4 that end with 22 marbles instead of 24, because of the fifth move."""


def play_two_short(hand: Hand) -> MarbleMatchPage:
    page = ladder(hand, "spuzzle")
    page.play_deal([deal.id for deal in page.deals].index(4))
    play = hand.page(MarbleMatchPage)
    for text in TWO_SHORT.split():
        play.actions.on_move_made(play.actions.make_move(text))
    hand.wait(2)
    return play


def test_scores_are_compared_with_the_best_of_the_deal(hand: Hand) -> None:
    """In Spuzzle, the best possible score is 27 from the empty board, and 24 in deal 4 of the ladder.

    Here, the player reaches 22 in deal 4. For deals that haven't been played, the ladder shows only the best possible
    score.
    """
    play = play_two_short(hand)
    assert play.seat_cards[0].score() == "22 of 24"
    assert play.result_bar.reason_line() == "Best possible: 24."
    assert play.result_bar.mistakes_button.visible
    page = ladder(hand, "spuzzle")
    texts = {deal.id: page.grid._describe_deal(deal) for deal in page.deals}
    assert (texts[4], texts[5], texts[2]) == ("22 of 24", "Best possible: 20", "Best possible: 13")
    forms = {page.grid._describe_form(deal) for deal in page.deals}
    assert forms == {"", "Two colours", "Size 3", "Size 3, two colours"}
    page.play_deal([deal.id for deal in page.deals].index(2))
    assert hand.play.status_line.seed_text() == "two colours"
    hand.app.pages.show_home()
    hand.start("spuzzle", ("Ann",))
    assert hand.play.seat_cards[0].score() == "0 of 27"


def test_review_graph_shows_the_score_still_possible(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.app.match.review.Worker", AtOnce)
    play = play_two_short(hand)
    hand.app.pages.show_replay(play.match, play.entry)
    replay = hand.page(ReplayPage)
    graph = replay.evaluation_graph
    assert isinstance(graph, SoloGraph)
    graph.toggle()
    hand.wait(1)
    hand.draw()
    assert [each.before for each in graph.turn_scores()] == [24] * 5 + [22] * 2
    assert [each.after for each in graph.turn_scores()] == [24] * 4 + [22] * 3
    assert [text for _, text in graph._axis_labels()] == ["24", "22"]
    (mistake,) = replay.reviewer.mistakes()
    assert (mistake.end, graph._mark_text(mistake)) == (5, "−2")
    assert graph.plot.y < graph.y_of_score(24) < graph.y_of_score(22) < graph.plot.bottom
    replay.go_to(4)
    assert graph.accessible_text() == "Best score still possible: 24, turn 5: −2"
    replay.go_to(6)
    assert graph.accessible_text() == "Best score still possible: 22, turn 5: −2"
    assert graph.next_mistake_ply() == 4
    assert replay.reviewer.describe_accuracies() == "Best possible: 24. Turn 5: −2."
    assert "A score of 24 was possible, but now the most you can reach is 22. Better: " in replay.caption(5)


def test_review_that_begins_late_does_not_call_its_first_score_the_best(hand: Hand) -> None:
    """The first score of a review that begins late isn't shown as the best possible score of the game.

    A review begins late if it can't be proved how much the earlier turns cost. Here, it contains only the last turn,
    before which a score of 20 was still possible. The highest possible score in Spuzzle is 27, so the graph shows 27 as
    the best score, and the text says only that no more than 20 was possible from this turn on.
    """
    entry = hand.app.catalogue.get("spuzzle")
    match = Match(entry.game(), ["Ann"])
    while match.state.to_move is not None:
        match.play(match.legal_moves()[0])
    hand.app.pages.show_replay(match, entry)
    replay = hand.page(ReplayPage)
    graph = replay.evaluation_graph
    assert isinstance(graph, SoloGraph)
    end = len(match.plies)
    turn = TurnReview(end - 1, end, end - 1, 0, WON, WON, best_score=20, played_score=20, is_scored=True)
    replay.reviewer.review = Review((turn,), 0, is_complete=True)
    hand.draw()
    assert graph.best == 27
    assert [text for _, text in graph._axis_labels()] == ["27", "20"]
    assert replay.reviewer.describe_accuracies() == f"From turn {end} on, no more than 20 was possible."


def test_one_point_is_a_mistake_and_keeping_it_is_asked_for() -> None:
    turn = TurnReview(0, 1, 0, 0, WON, ValueBounds(0.98, 0.98, 0.98), best_score=50, played_score=49)
    assert (turn.mark, replace(turn, is_scored=True).mark) == ("", "?!")
    assert Review((replace(turn, is_scored=True),), 0).mistakes([0])


def test_moves_that_lead_to_a_deal_are_not_reviewed(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The review of a deal begins with the player's first move, after the moves that lead to the deal.

    Most deals of Spruit start in the middle of a game, after moves that the player didn't make.
    """
    monkeypatch.setattr("shibumi3d.app.match.review.Worker", AtOnce)
    deal = next(deal for deal in ladder_of("spruit") if deal.lead)
    match = Match(deal.load_game(hand.app.catalogue.get("spruit")), ["Ann"], deal.seed)
    for text in (*deal.lead, *(move for turn in deal.line for move in turn)):
        match.play(text)
    hand.app.pages.show_replay(match, hand.app.catalogue.get("spruit"))
    replay = hand.page(ReplayPage)
    replay.evaluation_graph.toggle()
    hand.wait(1)
    assert replay.reviewer.review is not None
    first, *_others, last = replay.reviewer.review.turns
    assert (first.start, last.end) == (len(deal.lead), len(match.plies))
    assert first.best_score == deal.best
    assert replay.reviewer.describe_accuracies() == f"Best possible: {deal.best}. No turn cost any points."


def test_lost_and_shown_deals_count_as_attempts_without_stars(hand: Hand) -> None:
    page = ladder(hand)
    first = page.deals[0]
    page.play_deal(0)
    play: Any = hand.app.current_page
    play.match.is_solution_shown = True
    finish(hand, first)
    assert attempt_outcomes(hand) == [(first.name, SHOWN)]
    assert hand.app.results.solo.runs("spoff") == {}
    assert ladder(hand).stars[first.name] == (False, False)


def test_daily_deal_depends_only_on_the_date(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    solo = hand.app.results.solo
    found = []
    for day in (date(2026, 11, 25), date(2026, 11, 26), date(2026, 11, 25)):
        monkeypatch.setattr(type(solo), "today", lambda self, day=day: day)
        deal = solo.daily_deal("spoff")
        assert deal is not None
        found.append(deal.name)
    assert found[0] == found[2] != found[1]


def test_seed_field_starts_the_deal_of_that_seed(hand: Hand) -> None:
    page = ladder(hand)
    page.seed_field.set_value("41")
    hand.push("random deal")
    assert hand.app.current_page.match.seed == 41  # type: ignore[attr-defined]


def test_lost_deal_is_reviewed_with_its_solver(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Playing the first legal move each time loses Spoff with seed 2.

    The replay page then offers to go through the mistakes and to show a winning line.
    """
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    page = hand.start("spoff", ("Ann",), seed=2)
    while page.match.state.to_move is not None:
        page.actions.on_move_made(page.actions.make_move(page.match.legal_moves()[0].text))
    hand.wait(1)
    assert not page.match.state.result.winners  # type: ignore[union-attr]
    assert {came for _, came in attempt_outcomes(hand)} <= {FAILED}
    hand.app.pages.show_replay(page.match, page.entry)
    replay = hand.page(ReplayPage)
    assert replay.mistakes_button.visible
    assert replay.way_button.visible
    replay.show_solution()
    shown = hand.page(ReplayPage)
    assert shown is not replay
    assert shown.history[-1].state.result.winners == (0,)  # type: ignore[union-attr]


def test_solved_without_hints_is_the_best_outcome(hand: Hand) -> None:
    page = ladder(hand, "spin")
    page.play_deal(0)
    finish(hand, page.deals[0])
    assert attempt_outcomes(hand, "spin") == [(page.deals[0].name, SOLVED)]


def test_best_run_is_shown_only_if_wanted(hand: Hand) -> None:
    page = ladder(hand)
    first = page.deals[0]
    page.play_deal(0)
    finish(hand, first)
    ladder(hand).play_deal(0)
    play: Any = hand.app.current_page
    hand.wait(3)
    assert play.status_line.seed_text() == f"seed {first.seed}"
    assert play.advice.make_signs()[0] == []
    hand.app.change_settings(best_run="time")
    play = hand.app.current_page
    assert f"your best: {len(first.line)} turns" in play.status_line.seed_text()
    assert play.advice.make_signs()[0] == []
    hand.app.change_settings(best_run="moves")
    play = hand.app.current_page
    (sign,) = play.advice.make_signs()[0]
    assert play.match.state.point_name(sign.point) == first.line[0][0]
    assert sign.alpha < 1
    other = next(move for move in play.match.legal_moves() if move.text != first.line[0][0])
    play.actions.on_move_made(play.actions.make_move(other))
    assert play.advice.make_signs()[0] == [], "the marks end where another way is taken"


def test_deal_is_looked_up_once_in_each_position(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a match without a deal, the ladder is searched once after each move, not for every frame.

    The best run on the match's deal is requested for every frame. If the search finds no deal, this result is therefore
    remembered until the next move.
    """
    looked: list[Match] = []
    find = SoloLibrary.find
    monkeypatch.setattr(SoloLibrary, "find", lambda self, match: (looked.append(match), find(self, match))[1])
    entry = hand.app.catalogue.get("spuzzle")
    hand.app.matches.start(entry, ["Aiko"], entry.size, "", 1)
    match = hand.play.match
    looked.clear()
    for _ in range(3):
        assert hand.app.results.solo.best_run(match) is None
    assert looked == [], "the card of the seat has already asked"
    match.play(match.legal_moves()[0])
    for _ in range(3):
        hand.app.results.solo.best_run(match)
    assert looked == [match]


def test_better_run_replaces_the_best_one() -> None:
    slow = BestRun(0, (("Aa1",),), 90.0)
    assert BestRun(0, (("Aa1",),), 60.0).is_better_than(slow)
    assert not BestRun(0, (("Aa1",),), 60.0, hints=1).is_better_than(slow)
    assert BestRun(1, (("Aa1",), ("Aa2",)), None).is_better_than(slow)
    assert BestRun.from_json(slow.to_json()) == slow
    assert BestRun.from_json({"score": 1, "turns": 5}) is None


def test_level_statistics_count_streaks() -> None:
    deals = ladder_of("spoff")[:2]
    outcome_by_attempt = [(0, SOLVED), (0, HINTED), (1, FAILED), (1, SOLVED)]
    attempts = [
        new_attempt(deals[number].name, 900, SOLO, outcome, 5, 3.0) for number, outcome in outcome_by_attempt
    ]
    assert level_statistics(deals, attempts) == {1: (2, 4, 3, 1, 2)}


def test_results_of_deals_are_deleted_with_the_statistics(hand: Hand) -> None:
    page = ladder(hand)
    page.play_deal(0)
    finish(hand, page.deals[0])
    assert hand.app.results.solo.runs("spoff")
    hand.app.results.delete_results()
    assert hand.app.results.solo.runs("spoff") == {}
    assert hand.app.results.solo.attempts("spoff") == ()


def test_mistake_of_a_solo_game_is_tried_again(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mistake is W@Aa4: beside the red marble on Aa1, the white one would have won.

    In Spin, a new marble changes colour together with a neighbour of another colour: both take the third colour. The
    player wins if all marbles have the same colour at the end. Beside the red marble, the white one would have turned
    black with it, like the third marble.
    """
    for module in ("match.review", "host.solver"):
        monkeypatch.setattr(f"shibumi3d.app.{module}.Worker", AtOnce)
    hand.app.change_settings(motion="off")
    entry = hand.app.catalogue.get("spin")
    start = Position(("....,...B,....,..../...,...,.../..,../.",), stocks={"hand": "WR"})
    match = Match(entry.game(), ["Ann"], position=start)
    for move in ("R@Aa1", "W@Aa4"):
        match.play(move)
    hand.app.show_page(MarbleMatchPage(hand.app, match, entry))
    hand.draw()
    hand.push("find the turn")
    hand.wait(1)
    page = hand.page(MarbleMistakesPage)
    assert [mistake.start for mistake in page.mistakes] == [1]
    hand.choose("Aa4")
    hand.wait(2)
    assert page.instruction_strip is not None
    assert not page.instruction_strip.leave_button.visible, "the title bar has the only Back button"
    assert page.phase == "refuted"
    assert (
        "There is no way to win any more. Try something else."
        in page.instruction_strip.instruction_text.markup
    )
    hand.push("coach go")
    hand.choose("Aa2")
    hand.choose("Aa1")  # the marble to exchange with
    hand.wait(1)
    assert page.phase == "right"
    assert page.instruction_strip.instruction_text.markup.endswith("It keeps a win within reach.")
    assert not page.save_problem_button.visible
    assert page.extra_button.label == "Play from here"
    page.play_from_mistake()
    played: Any = hand.app.current_page
    assert [ply.move for ply in played.match.plies][:2] == ["R@Aa1", "W@Aa2"]
    assert played.match.hints == [1]
    hand.app.pages.show_replay(match, entry)
    replay = hand.page(ReplayPage)
    replay.evaluation_graph.toggle()
    hand.wait(1)
    assert replay.reviewer.describe_accuracies().startswith(
        "You could still have won by playing this on turn 2: "
    )
    graph = replay.evaluation_graph
    assert isinstance(graph, SoloGraph)
    assert graph.turn_scores() == [(0, 1, 1, 1), (1, 2, 1, None)], "it was lost by the second turn"
    replay.go_to(1)
    assert graph.accessible_text() == "This can still be won, turn 2: lost"
    replay.go_to(2)
    assert graph.accessible_text() == "No way to win any more, turn 2: lost"


@pytest.mark.thorough
def test_wrong_try_is_followed_by_a_line_that_ends_badly(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the user repeats a mistake when asked for a better turn, the game goes on until it is lost.

    The match is one of Spoff, a solo game, with seed 2. Always making the first legal move loses it, and the review of
    the match finds a mistake to correct.
    """
    for module in ("match.review", "host.solver"):
        monkeypatch.setattr(f"shibumi3d.app.{module}.Worker", AtOnce)
    hand.app.change_settings(motion="off")
    entry = hand.app.catalogue.get("spoff")
    match = Match(entry.game(), ["Ann"], 2)
    while match.state.to_move is not None:
        match.play(match.legal_moves()[0])
    hand.app.show_page(MarbleMatchPage(hand.app, match, entry))
    hand.draw()
    hand.push("find the turn")
    hand.wait(1)
    page: Any = hand.app.current_page
    assert isinstance(page, MarbleMistakesPage)
    mistake = page.mistakes[0]
    for ply in match.plies[mistake.start : mistake.end]:
        page.actions.on_move_made(page.actions.make_move(ply.move))
    for _ in range(30):
        hand.wait(2)
        if page.match.state.to_move is None:
            break
    assert page.phase == "refuted"
    assert page.match.state.to_move is None
    assert not page.match.state.result.winners
    assert (
        "There is no way to win any more (proved by trying" in page.instruction_strip.instruction_text.markup
    )


def test_back_returns_to_the_ladder(hand: Hand) -> None:
    ladder(hand).play_next()
    hand.draw()
    hand.push("back")
    assert isinstance(hand.app.current_page, LadderPage)
    hand.app.current_page.play_next()
    hand.draw()
    hand.key("escape")
    assert isinstance(hand.app.current_page, LadderPage)
    hand.start("spline", ("Ann", "Ben"))
    hand.push("back")
    assert not isinstance(hand.app.current_page, LadderPage)


def test_statistics_count_deals_by_level(hand: Hand) -> None:
    page = ladder(hand)
    page.play_deal(0)
    finish(hand, page.deals[0])
    hand.app.pages.show_statistics()
    statistics: Any = hand.app.current_page
    count = sum(deal.level == 1 for deal in page.deals)
    assert ("Level 1", f"1 / {count} · 1 in a row (best: 1)") in statistics.statistics()


def test_solution_is_shown_during_a_game_with_random_draws(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Spalone, the solver knows which marbles will be drawn, so it finds a win.

    The marbles are drawn at random, but to see the solution is to give up the puzzle anyway. Every deal of the ladder
    is proved winnable.
    """
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    page = ladder(hand, "spalone")
    page.play_deal(0)
    play: Any = hand.app.current_page
    hand.wait(4)
    hand.key("shift+h")
    hand.wait_until(lambda: play.match.state.to_move is None)
    assert play.match.state.result.winners == (0,)
    assert play.match.is_solution_shown
