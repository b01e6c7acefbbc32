"""Lessons on ideas that recur in many games: texts, positions and playing through a lesson."""

from __future__ import annotations

import pytest

from shibumi3d.app.host.player_setup import lesson_match
from shibumi3d.app.match.instruction_strip import InstructionStrip
from shibumi3d.app.match.marble_view.guided import MarbleExercisePage
from shibumi3d.app.pages.learning import IDEAS_TAB, LearningPage
from shibumi3d.app.ui.button import Button
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.courses import Idea, load_ideas
from shibumi3d.catalogue.shown_problems import find_problem, show_problem
from shibumi3d.i18n import LANGUAGES
from tests.app.hand import Hand

IDEAS = [pytest.param(idea, id=idea.id) for idea in load_ideas()]


@pytest.mark.parametrize("idea", IDEAS)
def test_idea_is_explained_and_shown_in_two_or_three_positions(idea: Idea) -> None:
    assert all(idea.title.get(language) and idea.text.get(language) for language in LANGUAGES)
    assert len(idea.steps) in (2, 3)
    for step in idea.steps:
        assert step.text.get("en")
        assert step.text.get("fr")
        entry = load_catalogue().get(step.game)
        lesson = show_problem(find_problem(step.game, step.problem), step.text)
        match = lesson_match(entry, lesson)
        for move in lesson.moves:
            match.play(move)


@pytest.mark.parametrize(
    ("game", "problem", "seat"),
    [("spaiji", 4, 1), ("spaiji", 9, 1), ("spandrel", 10, 1), ("speedo", 2, 0), ("spice", 31, 0)],
)
def test_positions_about_cutting_make_a_group_smaller(game: str, problem: int, seat: int) -> None:
    lesson = show_problem(find_problem(game, problem), {})
    match = lesson_match(load_catalogue().get(game), lesson)
    before = match.state.scores[seat]
    for move in lesson.moves:
        match.play(move)
    assert match.state.scores[seat] < before


def test_idea_is_learned_on_the_real_board(hand: Hand) -> None:
    hand.app.show_page(LearningPage(hand.app, IDEAS_TAB, [idea.id for idea in load_ideas()].index("double")))
    hand.draw()
    hand.push("start")
    hand.draw()
    for point in ("Ad1", "Ad1", "Ad1"):
        page = hand.page(MarbleExercisePage)
        assert hand.found("coach", InstructionStrip).total_steps == 3
        hand.choose(point)
        assert page.is_solved
        label = hand.found("coach go", Button).label
        assert label == ("Done" if page.is_last else "Next")
        hand.push("coach go")
        hand.draw()
    back = hand.page(LearningPage)
    assert back.idea is not None
    assert back.idea.id == "double"
