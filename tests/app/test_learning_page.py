"""The learning page: the path of first games, and the shelf of games played."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shibumi3d.app.host.problems import problems_of_game
from shibumi3d.app.match.marble_view.guided import MarbleExercisePage
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.home.filters import LEARNING
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.learning import (
    PATH_PROBLEMS,
    PATH_TAB,
    SHELF_TAB,
    LearningPage,
    beaten_strength,
    shorten_rules,
)
from shibumi3d.app.ui.button import Button
from shibumi3d.match.attempts import FAILED, GAME, SOLVED, compute_rating, new_attempt, rating_history
from shibumi3d.match.results import FinishedMatch, ResultStore
from shibumi3d.search.levels import PERSON, is_adaptive
from tests.app.hand import Hand

WON = FinishedMatch(
    "1", datetime(2026, 11, 28, tzinfo=UTC), "spline", "", 4, ("Ann", "stone"), (PERSON, "stone"), (0,), (), 9
)  # fmt: skip


def store(hand: Hand, *matches: FinishedMatch) -> None:
    results = ResultStore(hand.app.store.folder.parent / "results.sqlite")
    assert all(results.add(match) for match in matches)


def open_page(hand: Hand) -> LearningPage:
    hand.app.pages.show_learning()
    hand.draw()
    return hand.page(LearningPage)


def test_home_page_leads_to_the_path_until_it_is_hidden(hand: Hand) -> None:
    hand.app.pages.show_home()
    hand.draw()
    home = hand.page(HomePage)
    home.group_list.on_select(home.groups.index(LEARNING))
    hand.draw()
    assert hand.page(LearningPage).tabs.selected_index == PATH_TAB
    hand.push("hide learning")
    hand.draw()
    home = hand.page(HomePage)
    assert LEARNING not in home.groups
    hand.app.change_settings(learning=True)
    hand.app.pages.show_home()
    hand.draw()
    assert LEARNING in hand.app.current_page.groups  # type: ignore[attr-defined]


def test_text_of_a_step_can_be_read_in_a_low_window(hand: Hand) -> None:
    page = open_page(hand)
    hand.app.resize(640, 360)
    hand.draw()
    assert page.text.rect.h > 120
    assert page.text.rect.x > page.row_list.rect.right


def test_nothing_on_the_path_is_locked(hand: Hand) -> None:
    page = open_page(hand)
    last = len(page.path) - 1
    page.row_list.on_select(last)
    hand.draw()
    assert page.row_texts(last) == ("10. Spargo", "0 / 3")
    assert all(button.visible for button in (page.idea_button, page.problems_button, page.main_button))


def test_step_is_played_against_an_opponent_that_adapts(hand: Hand) -> None:
    open_page(hand)
    hand.push("start")
    hand.draw()
    match = hand.page(MarbleMatchPage)
    mine, other = match.match.player_types
    assert (match.match.game.id, mine) == ("spline", PERSON)
    assert is_adaptive(other)


def test_match_on_the_path_leads_back_to_its_step(hand: Hand) -> None:
    page = open_page(hand)
    page.row_list.select_row(3)  # a solo game with a ladder
    hand.draw()
    hand.push("start")
    hand.draw()
    match = hand.page(MarbleMatchPage)
    assert match.back_button.label == "Learn"
    hand.push("back")
    hand.draw()
    assert hand.page(LearningPage).row == 3
    hand.app.pages.show_home()
    hand.start("spline")
    assert hand.play.back_button.label == "Games"


def test_path_continues_only_after_a_won_match(hand: Hand) -> None:
    for winner, label in ((1, "Rematch"), (0, "Continue")):
        open_page(hand)
        hand.push("start")
        hand.draw()
        finish_line(hand, winner)
        assert hand.found("rematch", Button).label == label
    hand.push("rematch")
    hand.draw()
    assert hand.page(LearningPage).row == 0
    assert hand.page(LearningPage).row_texts(0) == ("1. Spline", "1 / 3")


def finish_line(hand: Hand, winner: int) -> None:
    """Play a new match of Spline to its end, making moves for both seats so that ``winner`` wins.

    In Spline, a full line of four marbles of one colour wins.
    """
    lines = (("Aa1", "Ab1", "Ac1", "Ad1"), ("Aa3", "Ac3", "Aa4", "Ad4"))
    play = hand.play
    while play.match.state.to_move is not None:
        seat, turn = play.match.state.to_move, play.match.state.turn // 2
        play.actions.on_move_made(play.actions.make_move(f"{'WB'[seat]}@{lines[seat != winner][turn]}"))
    hand.wait(2)
    hand.draw()


def see_tips(hand: Hand) -> None:
    """Open every tip of the selected game, and let the program play the turn that the tip shows."""
    hand.push("idea")
    hand.draw()
    while isinstance(page := hand.app.current_page, MarbleExercisePage):
        hand.push("coach go")
        hand.wait(6)
        assert page.is_solved
        hand.push("coach go")
        hand.draw()


def test_skipped_tips_are_still_to_be_done(hand: Hand) -> None:
    open_page(hand)
    hand.push("idea")
    hand.draw()
    assert len(hand.page(MarbleExercisePage).sequence) > 1
    hand.push("coach stop")
    hand.draw()
    page = hand.page(LearningPage)
    assert page.row_texts(0) == ("1. Spline", "0 / 3")
    assert "Still to do: the tips, 5 problems and a win." in page.text.markup


def test_step_asks_only_for_problems_that_the_game_has(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.app.pages.learning.count_problems", lambda game: 3)
    assert "Still to do: the tips, 3 problems and a win." in open_page(hand).text.markup


def test_only_unsolved_problems_are_still_to_be_done(hand: Hand) -> None:
    first, *_ = problems_of_game("spline")
    hand.app.results.problems.add_attempt(first.name, first.rating, GAME, SOLVED, 1, 9.0)
    assert "Still to do: the tips, 4 problems and a win." in open_page(hand).text.markup


def test_first_open_part_of_a_step_stands_out(hand: Hand) -> None:
    page = open_page(hand)
    assert [button.kind for button in page._buttons] == ["main", "plain", "plain", "main"]
    store(hand, WON)
    see_tips(hand)
    assert [button.kind for button in hand.page(LearningPage)._buttons] == ["plain", "main", "plain", "main"]


def test_seen_tips_and_a_win_are_counted(hand: Hand) -> None:
    page = open_page(hand)
    assert "Still to do: the tips, 5 problems and a win." in page.text.markup
    see_tips(hand)
    assert hand.page(LearningPage).row_texts(0) == ("1. Spline", "1 / 3")
    store(hand, WON)
    page = open_page(hand)
    assert page.row_texts(0) == ("1. Spline", "2 / 3")
    assert "Still to do: 5 problems." in page.text.markup


def test_finished_step_leads_to_the_next_one(hand: Hand) -> None:
    page = open_page(hand)
    assert not page.next_button.visible
    see_tips(hand)
    problems = hand.app.results.problems
    for head in problems_of_game("spline")[:PATH_PROBLEMS]:
        problems.add_attempt(head.name, head.rating, GAME, SOLVED, 1, 9.0)
    store(hand, WON)
    page = open_page(hand)
    assert "All done." in page.text.markup
    hand.push("next step")
    hand.draw()
    assert hand.page(LearningPage).row == 1
    assert "## Span" in hand.page(LearningPage).text.markup
    assert not hand.page(LearningPage).next_button.visible


def test_shelf_lists_games_met_and_strengths_beaten(hand: Hand) -> None:
    store(hand, WON, replace(WON, key="2", winners=(1,), game="span"))
    page = open_page(hand)
    page.tabs.select(SHELF_TAB)
    hand.draw()
    assert [page.row_texts(row) for row in range(page.row_count)] == [
        ("Span", "1 match, 0 won"),
        ("Spline", "1 match, 1 won"),
    ]
    assert "Games played: 2 of 70" in page.text.markup
    assert "Different games won: 1" in page.text.markup
    assert "Levels beaten: Pebble, Stone" in page.text.markup
    assert page._graph_rect.h == 0, "no problem has been tried"


@pytest.mark.parametrize(
    ("change", "strength"),
    [
        ({}, 2.0),
        ({"winners": (1,)}, 0.0),
        ({"hints": 1}, 0.0),
        ({"player_types": (PERSON, PERSON)}, 0.0),
        ({"player_types": (PERSON, "random")}, 0.0),
        ({"player_types": (PERSON, "fits 2.5")}, 2.5),
        ({"names": ("Ann", "a", "b"), "player_types": (PERSON, "sky", "river")}, 3.0),
    ],
)
def test_strength_beaten_in_a_match(change: dict[str, object], strength: float) -> None:
    assert beaten_strength(replace(WON, **change)) == strength  # type: ignore[arg-type]


def test_rating_history_ends_at_the_rating() -> None:
    now = datetime(2026, 11, 28, tzinfo=UTC)
    attempts = [
        new_attempt(f"spline#{n}", 1500, GAME, SOLVED if n % 3 else FAILED, 1, 9.0, now=now + timedelta(n))
        for n in range(1, 15)
    ]
    history = rating_history(attempts)
    # A rating is shown from the tenth problem on.
    assert len(history) == 5
    rating = compute_rating(attempts)
    assert rating is not None
    assert history[-1] == rating.value
    assert rating_history(attempts[:9]) == []
    tenth = compute_rating(attempts[:10])
    assert tenth is not None
    assert history[0] == tenth.value


def test_rules_in_a_minute_leave_out_the_details() -> None:
    rules = "## Goal\n\nWin.\n\n## On your turn\n\nPlay.\n\n## Details\n\n- Many."
    assert shorten_rules(rules) == "## Goal\n\nWin.\n\n## On your turn\n\nPlay.\n"
    assert shorten_rules("Just play.") == "Just play."
