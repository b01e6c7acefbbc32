"""The problem page: solving, failing, hints, solutions, leaving and resuming; daily problems, streaks and guesses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shibumi3d.app.host.courses import (
    DailyCourse,
    GameCourse,
    ProblemCourse,
    StreakCourse,
    WinnabilityCourse,
)
from shibumi3d.app.host.problems import problems_of_game
from shibumi3d.app.match.instruction_strip import InstructionStrip
from shibumi3d.app.match.marble_view.guided import ProblemPage
from shibumi3d.app.match.problem import ProblemPageBase
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.problems import ProblemsPage
from shibumi3d.app.platform.screen_reader import ScreenReader
from shibumi3d.app.ui import icons
from shibumi3d.app.ui.button import Button
from shibumi3d.catalogue.problems import games_with_problems, load_problem_set
from shibumi3d.match.attempts import DAILY, FAILED, GAME, HINTED, SHOWN, SOLVED
from shibumi3d.search.replies import Reply
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.share import THOROUGH
from tests.three_problems import three

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture
def problem_window(hand: Hand, tmp_path: Path) -> Iterator[Hand]:
    """The program with three problems of Spline and no stored attempts.

    The clock for problems is fixed, and the solver runs in this process.
    """
    for file in Path(hand.app.store.folder.parent).glob("results.sqlite*"):
        file.unlink()
    hand.app.results.problems.now = lambda: NOON
    hand.step = 0.5
    hand.app.solver._worker = AtOnce()  # type: ignore[assignment]  # for the questions asked by the window
    with three(tmp_path / "problems"):
        yield hand


def open_course(hand: Hand, course: ProblemCourse) -> ProblemPage:
    hand.app.pages.show_problem(course)
    hand.draw()
    page = hand.page(ProblemPage)
    hand.wait(0.5)
    return page


def open_spline_problem(hand: Hand, number: int) -> ProblemPage:
    return open_course(hand, GameCourse(hand.app.results.problems, "spline", f"spline#{number}"))


def instruction(page: ProblemPageBase) -> str:
    assert isinstance(page.instruction_strip, InstructionStrip)
    return page.instruction_strip.instruction_text.markup


def attempt_results(hand: Hand) -> list[tuple[str, str, int]]:
    return [(one.problem, one.outcome, one.turns_tried) for one in hand.app.results.problems.attempts()]


def test_problem_is_solved_turn_by_turn(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 2)
    assert instruction(page) == "White to move and win in 2 turns."
    problem_window.choose("Ac3")
    problem_window.wait(3)
    assert problem_window.moves[-2:] == ["W@Ac3", "B@Ab1"]
    assert instruction(page) == "White to move and win in 1 turn."
    problem_window.choose("Ac2")
    problem_window.wait(3)
    assert attempt_results(problem_window) == [("spline#2", SOLVED, 1)]
    assert instruction(page).startswith("Solved on the first try, in 0:0")
    assert "You get a rating after trying 10 problems." in instruction(page)
    problem_window.push("coach go")
    assert isinstance(problem_window.app.current_page, ProblemPage)
    assert problem_window.app.current_page.problem_session.problem.id == 3
    assert instruction(problem_window.app.current_page).startswith("Black to move and win in 3")


def test_undo_at_the_start_of_a_problem_does_nothing(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 2)
    before = page.match.plies
    problem_window.key("ctrl+z")
    assert page.match.plies == before
    assert "can't be undone" not in problem_window.play.message_line.current_message()[0]


def test_refutation_stays_until_the_player_acts(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 2)
    floor = page.match.cursor
    problem_window.choose("Ab1")
    problem_window.wait(1.2)
    assert problem_window.moves[-2:] == ["W@Ab1", "B@Ad4"]  # the move list shows it
    refuted = "White: Ab1. The reply – Black: Ad4. That doesn't win in 2 turns."
    problem_window.wait(30)
    assert problem_window.moves[-2:] == ["W@Ab1", "B@Ad4"]
    assert instruction(page) == refuted
    assert not page.model.can_choose
    problem_window.push("coach go")
    problem_window.draw()
    assert page.match.cursor == floor
    assert instruction(page) == "That's not it. White to move and win in 2 turns."
    problem_window.choose("Ad4")  # not in the stored line, but proved
    problem_window.wait(6)
    assert len(problem_window.moves) == floor + 2
    problem_window.key("ctrl+z")
    assert page.match.cursor == floor
    problem_window.key("ctrl+z")  # moves before the problem can't be undone
    assert page.match.cursor == floor
    problem_window.choose("Ab1")
    problem_window.wait(6)
    assert instruction(page) == refuted
    problem_window.key("enter")
    assert page.match.cursor == floor
    problem_window.choose("Ab1")
    problem_window.wait(6)
    problem_window.choose("Ac3")  # a click on the board undoes it, too
    assert page.match.cursor == floor
    problem_window.choose("Ac3")
    problem_window.wait(3)
    problem_window.choose("Ac2")
    problem_window.wait(2)
    assert attempt_results(problem_window) == [("spline#2", FAILED, 3)]
    assert "Solved on try 3, in " in instruction(page)


def test_turn_without_a_proof_is_not_a_mistake(problem_window: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn doesn't count as a mistake if the program can't prove whether it wins.

    The player's second turn isn't in the stored line, but it may also win. Here, the search for a proof is replaced by
    one that finds none. The turn is undone when the player presses the button to go on.
    """
    page = open_spline_problem(problem_window, 3)
    problem_window.choose("Ba1")
    problem_window.wait(3)
    floor = page.match.cursor
    monkeypatch.setattr("shibumi3d.search.replies.find_reply", lambda game, state: Reply(("W@Bb2",), None))
    problem_window.choose("Bb3")
    problem_window.wait(3)
    assert instruction(page) == (
        "Black: Bb3. The computer can't tell whether that still wins, so it doesn't count as a mistake."
    )
    assert page.problem_session.wrong_turns == []
    problem_window.push("coach go")
    problem_window.draw()
    assert page.match.cursor == floor
    problem_window.choose("Bc3")
    problem_window.wait(3)
    problem_window.choose("Bc2")
    problem_window.wait(2)
    assert attempt_results(problem_window) == [("spline#3", SOLVED, 1)]


@THOROUGH
@pytest.mark.parametrize("point", ["Bb2", "Bb3", "Bc2"])
def test_alternative_proved_win_counts_as_correct(problem_window: Hand, point: str) -> None:
    """The stored second turn is B@Bc3, but the other three legal moves are proved to win as well."""
    page = open_spline_problem(problem_window, 3)
    problem_window.choose("Ba1")
    problem_window.wait(3)
    floor = page.match.cursor
    problem_window.choose(point)
    problem_window.wait(6)
    assert not page.is_refutation_shown
    assert page.problem_session.wrong_turns == []
    assert page.match.cursor == floor + 2


def test_hints_come_in_stages_and_lower_the_rating_gain(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 1)
    problem_window.key("h")
    assert page.advice.hint_stage == 0
    assert "With a hint, a solution counts only half" in page.message_line.current_message()[0]
    problem_window.key("h")
    assert page.advice.hint_stage == 1
    assert page.advice.hinted_points()
    problem_window.key("h")
    assert page.advice.hint_stage == 2
    problem_window.key("h")
    problem_window.wait(3)
    assert attempt_results(problem_window) == [("spline#1", HINTED, 1)]
    problem_window.key("h")
    assert page.problem_session.hints == 3
    assert not page.advice.analysis_button.visible


@THOROUGH
def test_solution_is_shown_only_after_confirmation(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 3)
    problem_window.push("show the answer")
    assert not page.is_showing_solution
    problem_window.draw()
    problem_window.push("show the answer")
    problem_window.wait(15)
    assert attempt_results(problem_window) == [("spline#3", SHOWN, 1)]
    assert page.match.state.to_move is None
    assert problem_window.moves[-5:] == ["B@Ba1", "W@Bb1", "B@Bc3", "W@Bb2", "B@Bc2"]
    assert instruction(page).startswith("Solution shown.")


def test_solved_problem_allows_trying_wrong_moves_and_playing_on(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 1)
    problem_window.choose("Ac1")
    problem_window.wait(2)
    problem_window.push("why not")
    problem_window.wait(2)
    floor = page.match.cursor
    problem_window.choose("Ab1")
    problem_window.wait(1.2)
    problem_window.wait(30)
    assert instruction(page) == "White: Ab1. The reply – Black: Ac1. That doesn't win in 1 turn."
    problem_window.push("coach go")
    problem_window.draw()
    assert page.match.cursor == floor
    assert instruction(page) == "Try any move to see why it fails."
    problem_window.choose("Ac1")
    problem_window.wait(4)
    assert instruction(page) == "This move is the solution: it doesn't fail. Try another one."
    problem_window.push("coach go")
    problem_window.draw()
    assert page.match.cursor == floor
    assert attempt_results(problem_window) == [("spline#1", SOLVED, 1)]
    problem_window.push("play on")
    assert not isinstance(problem_window.app.current_page, ProblemPage)
    assert problem_window.play.match.cursor == floor
    assert problem_window.play.match.player_types.count("person") == 1


def test_problem_resumes_after_leaving_or_a_crash(problem_window: Hand) -> None:
    page = open_spline_problem(problem_window, 3)
    problem_window.choose("Bb1")
    problem_window.wait(5)
    problem_window.push("coach go")
    problem_window.choose("Ba1")
    problem_window.wait(3)
    # From here on, nothing more is written, as if the program had been killed.
    seconds = page.problem_session.seconds
    again = GameCourse(problem_window.app.results.problems, "spline")
    assert again.current_name == "spline#3"
    page = open_course(problem_window, again)
    assert problem_window.moves[-2:] == ["B@Ba1", "W@Bb1"]
    assert page.problem_session.wrong_turns == [("B@Bb1",)]
    assert page.problem_session.seconds == pytest.approx(seconds, abs=0.1)
    assert seconds > 1
    assert instruction(page) == "Black to move and win in 2 turns."
    problem_window.choose("Bc3")
    problem_window.wait(3)
    problem_window.choose("Bc2")
    problem_window.wait(2)
    assert attempt_results(problem_window) == [("spline#3", FAILED, 2)]


def test_daily_problems(problem_window: Hand) -> None:
    problem_window.app.pages.show_problems()
    problem_window.draw()
    page = problem_window.app.current_page
    assert isinstance(page, ProblemsPage)
    assert [line.outcome for line in page.content_rows] == [""] * 3
    assert len(page.day_rows) == 30
    assert not page.share_button.visible
    problem_window.push("solve")
    shown = problem_window.app.current_page
    assert isinstance(shown, ProblemPage)
    course = shown.course
    assert isinstance(course, DailyCourse)
    for name in course.names[1:]:
        problem_window.app.results.problems.add_attempt(name, 1500, DAILY, SHOWN, 1, 30.0, course.day)
    problem_window.push("show the answer")
    problem_window.draw()
    problem_window.push("show the answer")
    problem_window.wait(6)
    assert course.current_name == ""  # all three are finished
    problem_window.draw()
    assert problem_window.found("coach go", Button).label == "Done"
    assert problem_window.app.root.find("coach stop") is None
    problem_window.push("coach go")
    page = problem_window.app.current_page
    assert isinstance(page, ProblemsPage)
    assert [line.outcome for line in page.content_rows] == [SHOWN] * 3
    assert page.day_rows[-1].outcomes == (SHOWN,) * 3
    assert page.progress_label.caption == "No streak yet"
    copied: list[str] = []
    problem_window.app.services.write_clipboard = copied.append
    problem_window.draw()
    problem_window.push("share")
    assert copied[0].startswith("Shibumi 3D · 25 Nov 2026 · ○ ○ ○ · 1:0")


def test_a_strip_of_seven_days_leads_to_the_problems_of_a_month(problem_window: Hand) -> None:
    problem_window.app.pages.show_problems()
    problem_window.draw()
    page = problem_window.app.current_page
    assert isinstance(page, ProblemsPage)
    today, strip = NOON.date(), page.day_list
    shown = [page.day_rows[strip.first_day + row].day for row in range(strip.row_count)]
    assert shown == [today - timedelta(back) for back in (6, 5, 4, 3, 2, 1, 0)]
    assert len({strip.row_rect(row).y for row in range(7)}) == 1, "in one line"
    assert strip.row_rect(6).right <= strip.rect.right
    assert not page.later_button.enabled
    problem_window.click(*problem_window.app.to_window_pixels(strip.row_rect(4).cx, strip.rect.cy))
    assert page.day == today - timedelta(2)
    names = problem_window.app.results.problems.daily_names(page.day)
    assert [line.name for line in page.content_rows] == list(names)
    assert [line.tier for line in page.content_rows] == [0, 1, 2]
    for _ in range(4):
        problem_window.push("earlier days")
    assert page.day_rows[strip.first_day].day == today - timedelta(29)
    assert strip.row_count == 7
    assert not page.earlier_button.enabled
    assert page.day == today - timedelta(2), "looking for a day does not choose it"
    assert strip.current_row == -1
    problem_window.push("solve")
    course = problem_window.app.current_page.course  # type: ignore[attr-defined]
    assert isinstance(course, DailyCourse)
    assert course.day == today - timedelta(2)


def test_a_problem_is_a_card_with_its_position_and_its_difficulty(
    problem_window: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem_window.app.results.problems.add_attempt("spline#1", 1100, GAME, SOLVED, 1, 3.0)
    asked: list[str] = []
    monkeypatch.setattr(
        type(problem_window.app.gallery),
        "problem_picture",
        lambda _self, each, _entry: asked.append(str(each.id)),
    )
    stars: list[tuple[int, int]] = []
    monkeypatch.setattr(icons, "draw_stars", lambda canvas, x, y, colour, *rest: stars.append(rest))
    problem_window.app.pages.show_problems("spline")
    problem_window.draw()
    page = problem_window.app.current_page
    assert isinstance(page, ProblemsPage)
    assert [line.tier for line in page.content_rows] == [0, 1, 2]
    assert asked == [line.name.partition("#")[2] for line in page.content_rows]
    assert stars == [(1, 3), (2, 3), (3, 3)]
    tree = ScreenReader(problem_window.app, lambda: None).build_tree().root
    rows = [node.name for node in tree.walk() if node.role == "row" and node.name.startswith("Problem 1")]
    assert rows == ["Problem 1. win in 1 turn. easy, solved"]
    card = page.content_list.row_rect(1)
    problem_window.click(*problem_window.app.to_window_pixels(card.x + 9, card.y + 9))
    shown = problem_window.app.current_page
    assert isinstance(shown, ProblemPage), "one click opens it"
    assert shown.course.current_name == page.content_rows[1].name


def test_streak_ends_with_the_third_miss(problem_window: Hand) -> None:
    page = open_course(problem_window, StreakCourse(problem_window.app.results.problems))
    first = page.course.current_name
    wrong = page.problem_session.problem.wrong[0][0][0]
    problem_window.choose(wrong[2:])
    problem_window.wait(6)
    assert attempt_results(problem_window) == [(first, FAILED, 2)]
    assert instruction(page).startswith(
        "Missed. Press “Why not…?” to try other moves and see why they fail. "
    )
    assert page.explore_button.visible
    assert "0 solved in this streak, 1 missed." in instruction(page)
    assert ". The reply – " in instruction(page)
    # After closing here, the course continues with the next problem.
    page = open_course(problem_window, StreakCourse(problem_window.app.results.problems))
    course = page.course
    assert isinstance(course, StreakCourse)
    assert (course.missed_count, course.played_names) == (1, [first])
    assert course.current_name != first


def test_missed_immediate_win_does_not_mention_a_missing_button(
    problem_window: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_course(problem_window, StreakCourse(problem_window.app.results.problems))
    monkeypatch.setattr(type(page), "can_explore", False)
    wrong = page.problem_session.problem.wrong[0][0][0]
    problem_window.choose(wrong[2:])
    problem_window.wait(6)
    assert not page.explore_button.visible
    assert instruction(page).startswith("Missed. ")
    assert "Why not" not in instruction(page)


def test_win_or_no_win_problems_show_both_answers_afterwards(problem_window: Hand) -> None:
    """Positions with and without a forced win get the same question; the correct answer is shown afterwards."""
    seen = set()
    course = WinnabilityCourse(problem_window.app.results.problems)
    for _ in range(3):
        page = open_course(problem_window, course)
        assert instruction(page).endswith("forced win?")
        turned = page.starts_after_solution
        # Nothing on the page gives the answer away.
        assert (page.model.can_choose, page.undo_button.enabled, page.status_line.sentence()) == (
            False,
            False,
            "",
        )
        assert not page.advice.hint_button.enabled
        problem_window.push("there is")
        problem_window.wait(12)
        assert instruction(page).startswith("No. There is no win." if turned else "Correct! There is a win.")
        assert page.match.state.to_move is None
        seen.add(turned)
        if course.current_name:
            problem_window.push("coach go")
            problem_window.wait(0.5)
    assert seen == {False, True}
    assert [one.outcome for one in problem_window.app.results.problems.attempts()].count(SOLVED) >= 1


def test_deleting_results_deletes_problem_attempts(problem_window: Hand) -> None:
    problem_window.app.results.problems.add_attempt("spline#1", 1100, GAME, SOLVED, 1, 3.0)
    problem_window.app.pages.show_statistics()
    problem_window.draw()
    for _ in range(2):
        problem_window.push("forget")
        problem_window.draw()
    assert attempt_results(problem_window) == []


def test_attempts_are_not_saved_when_results_are_disabled(problem_window: Hand) -> None:
    problem_window.app.change_settings(results=False)
    page = open_spline_problem(problem_window, 1)
    problem_window.key("h")
    assert page.advice.hint_stage == 1  # it isn't counted
    problem_window.choose("Ac1")
    problem_window.wait(2)
    assert attempt_results(problem_window) == []
    assert "rating" not in instruction(page).lower()


def test_daily_problem_opens_from_the_home_page(problem_window: Hand) -> None:
    hand = problem_window
    hand.app.change_settings(guided=True)
    load_problem_set.cache_clear()
    hand.app.pages.show_home()
    hand.draw()
    assert load_problem_set.cache_info().misses == 0  # no problem set is read before the page is shown
    hand.wait(1)
    home = hand.page(HomePage)
    assert home.daily_card.visible
    assert home.group_counts["problems"] >= 3
    title, below = home.daily_card.texts()
    assert title == "Daily problems"
    assert re.fullmatch(r"[\w-]+: (White|Black|.*) to move .*", below)
    hand.push("today")
    hand.wait(0.5)
    page = hand.page(ProblemPage)
    assert isinstance(page.course, DailyCourse)
    assert not hand.app.root.popups
    hand.key("escape")
    assert isinstance(hand.app.current_page, HomePage)


def test_problems_open_from_the_game_panel_and_the_group(problem_window: Hand) -> None:
    hand = problem_window
    hand.app.change_settings(played=())
    hand.app.pages.show_home()
    home = hand.page(HomePage)
    home.search_field.set_value("spline")
    hand.draw()
    button = hand.found("problems", Button)
    assert button.label.startswith("Learn with ")
    hand.app.change_settings(played=("spline",))
    home.start_panel._update_problems_button()
    assert button.label.startswith("Problems 0 / ")
    hand.push("problems")
    page = hand.page(ProblemsPage)
    assert page.category == "spline"
    hand.key("escape")
    home = hand.page(HomePage)
    home._choose_group(home.groups.index("problems"))
    page = hand.page(ProblemsPage)
    assert page.category == "today"


def test_problems_are_playable_by_keyboard_and_in_french(problem_window: Hand) -> None:
    hand = problem_window
    hand.app.pages.show_problems("spline")
    hand.draw()
    hand.key("enter")
    page = hand.page(ProblemPage)
    assert page.problem_session.problem.id == 1
    hand.wait(0.5)
    hand.key("slash")
    hand.app.root.close_popups()
    while (
        hand.play.pointer.cursor is None
        or hand.play.state.point_name(*hand.play.pointer.cursor[1::-1]) != "Ac1"
    ):
        hand.key("tab")
    hand.key("enter")
    hand.wait(2)
    assert attempt_results(hand) == [("spline#1", SOLVED, 1)]
    hand.app.change_settings(language="fr")
    hand.draw()
    page = hand.page(ProblemPage)
    assert instruction(page).startswith("Résolu du premier coup")


@THOROUGH
@pytest.mark.parametrize("name", games_with_problems())
def test_solutions_of_every_game_play_to_the_end(hand: Hand, name: str) -> None:
    """For the first and last problem of each game, a refutation and then the solution are played to the end."""
    hand.app.solver._worker = AtOnce()  # type: ignore[assignment]
    hand.step = 0.5
    problems = hand.app.results.problems
    rows = problems_of_game(name)
    for head in {rows[0], rows[-1]}:
        page = open_course(hand, GameCourse(problems, name, head.name))
        for wrong, answer in page.problem_session.problem.wrong[:1]:
            floor = page.match.cursor
            for number, move in enumerate(wrong):
                if page.match.cursor == floor + number:  # a step with only one choice is made automatically
                    page.actions.on_move_made(page.actions.make_move(move))
                    hand.wait(0.5)
            whole = [*wrong, *answer]
            for _ in range(10 * len(whole)):
                if page.match.cursor < floor + len(whole):
                    hand.wait(0.5)
            assert [ply.move for ply in page.match.plies[floor:]] == whole
            hand.wait(6)
            assert len(page.match.plies) == floor + len(whole)
            assert page.clear_refutation()
            assert page.match.cursor == floor
        page.show_solution()
        page.show_solution()
        hand.wait(2 + 4 * page.problem_session.problem.n * 3)
        assert page.shows_solution_end, (
            head,
            [ply.move for ply in page.match.plies[page.problem_session.start_cursor :]],
        )
        assert problems.attempts()[-1].outcome == SHOWN
        assert page.problem_session.line_index == len(page.problem_session.problem.line)
