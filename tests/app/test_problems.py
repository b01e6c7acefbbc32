"""Problems on the table: solved, failed, hinted, shown, left and taken up, killed in between; days, streaks, doubts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shibumi3d.app.board.coach import Coach
from shibumi3d.app.board.posed import Posed
from shibumi3d.app.host.courses import Course, Daily, Doubt, OfGame, Streak
from shibumi3d.app.host.problems import of_game
from shibumi3d.app.pages.home.screen import Home
from shibumi3d.app.pages.play.problem import ProblemPage
from shibumi3d.app.pages.problems.screen import ProblemsPage
from shibumi3d.app.ui.button import Button
from shibumi3d.catalogue.problems import games_with_problems, problem_set
from shibumi3d.match.tries import DAILY, FAILED, GAME, HINTED, SHOWN, SOLVED
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.share import THOROUGH
from tests.three_problems import three

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture
def posing(hand: Hand, tmp_path: Path) -> Iterator[Hand]:
    """A hand with no tries yet, a clock on the wall that stands, and a worker in this process."""
    for file in Path(hand.app.store.folder.parent).glob("results.sqlite*"):
        file.unlink()
    hand.app.results.problems.now = lambda: NOON
    hand.step = 0.5
    hand.app.solver._worker = AtOnce()  # type: ignore[assignment]  # what it is asked for by the window
    with three(tmp_path / "problems"):
        yield hand


def begin(hand: Hand, course: Course) -> ProblemPage:
    hand.app.pages.problem(course)
    hand.draw()
    page = hand.app.screen
    assert isinstance(page, ProblemPage)
    hand.wait(0.5)
    return page


def of_spline(hand: Hand, number: int) -> ProblemPage:
    return begin(hand, OfGame(hand.app.results.problems, "spline", f"spline#{number}"))


def told(page: Posed) -> str:
    assert isinstance(page.coach, Coach)
    return page.coach.words


def came(hand: Hand) -> list[tuple[str, str, int]]:
    return [(one.problem, one.came, one.tries) for one in hand.app.results.problems.tries()]


def test_solved_turn_by_turn(posing: Hand) -> None:
    page = of_spline(posing, 2)
    assert told(page) == "White to move and win in 2 turns."
    posing.choose("Ac3")
    posing.wait(3)
    assert posing.moves[-2:] == ["W@Ac3", "B@Ab1"]
    assert told(page) == "White to move and win in 1 turn."
    posing.choose("Ac2")
    posing.wait(3)
    assert came(posing) == [("spline#2", SOLVED, 1)]
    assert told(page).startswith("Solved on the first try, in 0:0")
    assert "You get a rating after 10 problems." in told(page)
    posing.push("coach go")
    assert isinstance(posing.app.screen, ProblemPage)
    assert posing.app.screen.solving.problem.id == 3
    assert told(posing.app.screen).startswith("Black to move and win in 3")


def test_a_refutation_stays_until_the_player_acts(posing: Hand) -> None:
    page = of_spline(posing, 2)
    floor = page.match.cursor
    posing.choose("Ab1")
    posing.wait(1.2)
    assert posing.moves[-2:] == ["W@Ab1", "B@Ad4"]  # the row tells it
    refuted = "White: white on Ab1. Then Black: black on Ad4. That no longer wins in 2 turns."
    posing.wait(30)
    assert posing.moves[-2:] == ["W@Ab1", "B@Ad4"]
    assert told(page) == refuted
    assert not page.session.asking
    posing.push("coach go")
    posing.draw()
    assert page.match.cursor == floor
    assert told(page) == "That's not it. White to move and win in 2 turns."
    posing.choose("Ad4")  # the row says nothing of it: it is proved
    posing.wait(6)
    assert len(posing.moves) == floor + 2
    posing.key("ctrl+z")
    assert page.match.cursor == floor
    posing.key("ctrl+z")  # what led here is not taken back
    assert page.match.cursor == floor
    posing.choose("Ab1")
    posing.wait(6)
    assert told(page) == refuted
    posing.key("enter")
    assert page.match.cursor == floor
    posing.choose("Ab1")
    posing.wait(6)
    posing.choose("Ac3")  # a click on the board takes it back, too
    assert page.match.cursor == floor
    posing.choose("Ac3")
    posing.wait(3)
    posing.choose("Ac2")
    posing.wait(2)
    assert came(posing) == [("spline#2", FAILED, 3)]
    assert "Solved on try 3, in " in told(page)


@THOROUGH
def test_another_way_that_is_proved_to_win_is_right(posing: Hand) -> None:
    """The third problem's second turn is B@Bc3; wherever else Black wins by force, that is as good."""
    page = of_spline(posing, 3)
    posing.choose("Ba1")
    posing.wait(3)
    wins = [
        text for text in ("B@Bb2", "B@Bb3", "B@Bc2") if text in {move.text for move in page.match.moves()}
    ]
    tried = 0
    for text in wins:
        floor = page.match.cursor
        posing.choose(text[2:])
        posing.wait(6)
        tried += 1
        if not page.resume():
            break
    assert page.match.cursor > floor or len(page.solving.wrong) == tried


def test_hints_in_stages_and_what_they_cost(posing: Hand) -> None:
    page = of_spline(posing, 1)
    posing.key("h")
    assert page.advice.stage == 0
    assert "A hint halves the rating gain" in page.hint.sentence()[0]
    posing.key("h")
    assert page.advice.stage == 1
    assert page.advice.region()
    posing.key("h")
    assert page.advice.stage == 2
    posing.key("h")
    posing.wait(3)
    assert came(posing) == [("spline#1", HINTED, 1)]
    posing.key("h")
    assert page.solving.hints == 3
    assert not page.advice.watch.visible


@THOROUGH
def test_the_answer_is_shown_when_that_was_meant(posing: Hand) -> None:
    page = of_spline(posing, 3)
    posing.push("show the answer")
    assert not page.showing
    posing.draw()
    posing.push("show the answer")
    posing.wait(15)
    assert came(posing) == [("spline#3", SHOWN, 1)]
    assert page.match.state.to_move is None
    assert posing.moves[-5:] == ["B@Ba1", "W@Bb1", "B@Bc3", "W@Bb2", "B@Bc2"]
    assert told(page).startswith("Solution shown.")


def test_why_not_and_play_on(posing: Hand) -> None:
    page = of_spline(posing, 1)
    posing.choose("Ac1")
    posing.wait(2)
    posing.push("why not")
    posing.wait(2)
    floor = page.match.cursor
    posing.choose("Ab1")
    posing.wait(1.2)
    posing.wait(30)
    assert told(page) == "White: white on Ab1. Then Black: black on Ac1. That doesn't win in 1 turn."
    posing.push("coach go")
    posing.draw()
    assert page.match.cursor == floor
    assert told(page) == "Try any move to see why it fails."
    posing.choose("Ac1")
    posing.wait(4)
    assert told(page) == "Correct!"
    posing.push("coach go")
    posing.draw()
    assert page.match.cursor == floor
    assert came(posing) == [("spline#1", SOLVED, 1)]
    posing.push("play on")
    assert not isinstance(posing.app.screen, ProblemPage)
    assert posing.play.match.cursor == floor
    assert posing.play.match.kinds.count("person") == 1


def test_left_and_taken_up_also_after_a_kill(posing: Hand) -> None:
    page = of_spline(posing, 3)
    posing.choose("Bb1")
    posing.wait(5)
    posing.push("coach go")
    posing.choose("Ba1")
    posing.wait(3)
    # Killed here: nothing more is written. What is on the disk is all that there is.
    seconds = page.solving.seconds
    again = OfGame(posing.app.results.problems, "spline")
    assert again.at == "spline#3"
    page = begin(posing, again)
    assert posing.moves[-2:] == ["B@Ba1", "W@Bb1"]
    assert page.solving.wrong == [("B@Bb1",)]
    assert page.solving.seconds == pytest.approx(seconds, abs=0.1)
    assert seconds > 1
    assert told(page) == "Black to move and win in 2 turns."
    posing.choose("Bc3")
    posing.wait(3)
    posing.choose("Bc2")
    posing.wait(2)
    assert came(posing) == [("spline#3", FAILED, 2)]


def test_problems_of_the_day(posing: Hand) -> None:
    posing.app.pages.problems()
    posing.draw()
    page = posing.app.screen
    assert isinstance(page, ProblemsPage)
    assert [line.came for line in page.lines[:3]] == [("",)] * 3
    assert len(page.lines) == 3 + 29
    assert not page.share.visible
    posing.push("solve")
    shown = posing.app.screen
    assert isinstance(shown, ProblemPage)
    course = shown.course
    assert isinstance(course, Daily)
    for name in course.names[1:]:
        posing.app.results.problems.add(name, 1500, DAILY, SHOWN, 1, 30.0, course.day)
    posing.push("show the answer")
    posing.draw()
    posing.push("show the answer")
    posing.wait(6)
    assert course.at == ""  # all three are done
    posing.push("coach stop")
    page = posing.app.screen
    assert isinstance(page, ProblemsPage)
    assert [line.came for line in page.lines[:3]] == [(SHOWN,)] * 3
    assert page.stands.words == "No streak yet"
    copied: list[str] = []
    posing.app.copy = copied.append
    posing.draw()
    posing.push("share")
    assert copied[0].startswith("Shibumi 3D · 25 Nov 2026 · ○ ○ ○ · 1:0")


def test_a_streak_until_the_third_miss(posing: Hand) -> None:
    page = begin(posing, Streak(posing.app.results.problems))
    first = page.course.at
    wrong = page.solving.problem.wrong[0][0][0]
    posing.choose(wrong[2:])
    posing.wait(6)
    assert came(posing) == [(first, FAILED, 2)]
    assert told(page).startswith("Missed")
    assert "0 solved in this streak, 1 missed." in told(page)
    assert ". Then " in told(page)
    # Closed here, it goes on with the next.
    page = begin(posing, Streak(posing.app.results.problems))
    course = page.course
    assert isinstance(course, Streak)
    assert (course.missed, course.had) == (1, [first])
    assert course.at != first


def test_whether_there_is_a_win(posing: Hand) -> None:
    """The same question of two positions, of which one is won and one lost: both answers are shown afterwards."""
    seen = set()
    course = Doubt(posing.app.results.problems)
    for _ in range(3):
        page = begin(posing, course)
        assert told(page).endswith("forced win?")
        turned = page.turned
        # Nothing on the page tells which it is.
        assert (page.session.asking, page.undo.enabled, page.status.sentence()) == (False, False, "")
        assert not page.advice.hint.enabled
        posing.push("there is")
        posing.wait(12)
        assert told(page).startswith("No. There is no win." if turned else "Correct! There is a win.")
        assert page.match.state.to_move is None
        seen.add(turned)
        if course.at:
            posing.push("coach go")
            posing.wait(0.5)
    assert [one.came for one in posing.app.results.problems.tries()].count(SOLVED) >= 1


def test_what_was_tried_is_forgotten_with_the_results(posing: Hand) -> None:
    posing.app.results.problems.add("spline#1", 1100, GAME, SOLVED, 1, 3.0)
    posing.app.pages.results()
    posing.draw()
    for _ in range(2):
        posing.push("forget")
        posing.draw()
    assert came(posing) == []


def test_nothing_is_kept_where_that_is_not_wished(posing: Hand) -> None:
    posing.app.change(results=False)
    page = of_spline(posing, 1)
    posing.key("h")
    assert page.advice.stage == 1  # it costs nothing
    posing.choose("Ac1")
    posing.wait(2)
    assert came(posing) == []
    assert "rating" not in told(page).lower()


def test_from_the_first_page(posing: Hand) -> None:
    """The card tells the first of the day's problems; one click shows its board, and back leads there again."""
    hand = posing
    hand.app.change(guided=True)
    problem_set.cache_clear()
    hand.app.pages.home()
    hand.draw()
    assert problem_set.cache_info().misses == 0  # no set is read before the page stands
    hand.wait(1)
    home = hand.app.screen
    assert isinstance(home, Home)
    assert home.today.visible
    assert home.counts["problems"] >= 3
    title, below = home.today.words()
    assert title == "Daily problem"
    assert re.fullmatch(r"[\w-]+: (White|Black|.*) to move .*", below)
    hand.push("today")
    hand.wait(0.5)
    page = hand.app.screen
    assert isinstance(page, ProblemPage)
    assert isinstance(page.course, Daily)
    assert not hand.app.root.floats
    hand.key("escape")
    assert isinstance(hand.app.screen, Home)


def test_from_the_panel_of_a_game_and_the_group(posing: Hand) -> None:
    hand = posing
    hand.app.change(played=())
    hand.app.pages.home()
    home = hand.app.screen
    assert isinstance(home, Home)
    home.search.set("spline")
    hand.draw()
    button = hand.found("problems", Button)
    assert button.label.startswith("Learn with ")
    hand.app.change(played=("spline",))
    home.start._say_problems()
    assert button.label.startswith("Problems 0 / ")
    hand.push("problems")
    page = hand.app.screen
    assert isinstance(page, ProblemsPage)
    assert page.chosen == "spline"
    hand.key("escape")
    home = hand.app.screen
    assert isinstance(home, Home)
    home._choose_group(home.groups.index("problems"))
    page = hand.app.screen
    assert isinstance(page, ProblemsPage)
    assert page.chosen == "today"


def test_keys_alone_and_another_language(posing: Hand) -> None:
    hand = posing
    hand.app.pages.problems("spline")
    hand.draw()
    hand.key("enter")
    page = hand.app.screen
    assert isinstance(page, ProblemPage)
    assert page.solving.problem.id == 1
    hand.wait(0.5)
    hand.key("slash")
    hand.app.root.close_all()
    while (
        hand.play.pointing.cursor is None
        or hand.play.state.point_name(*hand.play.pointing.cursor[1::-1]) != "Ac1"
    ):
        hand.key("tab")
    hand.key("enter")
    hand.wait(2)
    assert came(hand) == [("spline#1", SOLVED, 1)]
    hand.app.change(language="fr")
    hand.draw()
    page = hand.app.screen
    assert isinstance(page, ProblemPage)
    assert told(page).startswith("Résolu du premier coup")


@THOROUGH
@pytest.mark.parametrize("name", games_with_problems())
def test_the_answers_of_all_games_are_played_to_their_end(hand: Hand, name: str) -> None:
    """Turns of several steps, boards of all kinds: what is to be found is shown, and the last is won or held."""
    hand.app.solver._worker = AtOnce()  # type: ignore[assignment]
    hand.step = 0.5
    problems = hand.app.results.problems
    rows = of_game(name)
    for head in {rows[0], rows[-1]}:
        page = begin(hand, OfGame(problems, name, head.name))
        for wrong, answer in page.solving.problem.wrong[:1]:
            floor = page.match.cursor
            for number, move in enumerate(wrong):
                if page.match.cursor == floor + number:  # a step that has one answer is taken as answered
                    page.doing.made(page.doing.make(move))
                    hand.wait(0.5)
            whole = [*wrong, *answer]
            for _ in range(10 * len(whole)):
                if page.match.cursor < floor + len(whole):
                    hand.wait(0.5)
            assert [ply.move for ply in page.match.plies[floor:]] == whole
            hand.wait(6)
            assert len(page.match.plies) == floor + len(whole)
            assert page.resume()
            assert page.match.cursor == floor
        page.show()
        page.show()
        hand.wait(2 + 4 * page.solving.problem.n * 3)
        assert page.rests, (head, [ply.move for ply in page.match.plies[page.solving.begun :]])
        assert problems.tries()[-1].came == SHOWN
        assert page.solving.at == len(page.solving.problem.line)
