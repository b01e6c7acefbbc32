"""Examples and exercises at tables without marbles: shown beside the rules, tried and left."""

from __future__ import annotations

import pytest

from shibumi3d.app.match.scene_view.page import SceneExercisePage, SceneMatchPage
from tests.app.hand import Hand
from tests.app.test_table_keyboard_play import ARCANOID, GOLDEN, HYENA, Game, lift, make_move_with_keys, sit

TABLES = pytest.mark.parametrize("game", [HYENA, GOLDEN, ARCANOID], ids=["hyena", "golden", "arcanoid"])


@TABLES
def test_example_is_shown_beside_the_rules(hand: Hand, game: Game) -> None:
    page = sit(hand, game)
    lift(hand)
    hand.key("f1")
    hand.draw()
    example = page.example
    assert example.visible
    assert example.heading() == "An example"
    lesson = example.lesson
    assert lesson is not None
    instructions = []
    for _ in range(80):
        hand.wait(0.2)
        if example.moves_shown and (not instructions or instructions[-1][0] != example.moves_shown):
            instructions.append((example.moves_shown, example.caption_text()))
        if example.moves_shown == len(lesson.moves):
            break
    assert instructions == [(n, lesson.comments[n - 1]["en"]) for n in range(1, len(lesson.moves) + 1)]
    hand.key("f1")
    hand.draw()
    assert not example.visible
    assert not page.match.plies


@TABLES
def test_exercise_undoes_wrong_moves(hand: Hand, game: Game) -> None:
    """A wrong move is undone, and the right one solves the exercise.

    There are no privacy screens, and nothing is saved. Escape leads back to the match.
    """
    page = sit(hand, game)
    lift(hand)
    hand.key("f1")
    hand.draw()
    hand.push("try it")
    hand.draw()
    trial = hand.page(SceneExercisePage)
    assert not hand.app.root.popups
    asked = trial.lesson.comments[0]["en"]
    assert trial.instruction_strip is not None
    assert trial.instruction_strip.instruction_text.markup == asked
    kept, results = list(hand.app.store.list_files()), hand.app.results.matches()
    other = next(move.text for move in trial.model.legal_moves() if move.text != trial.lesson.moves[0])
    trial.actions.play_move(trial.advice.find_move(other))
    assert trial.instruction_strip.instruction_text.markup.endswith(
        f" – legal, but not the right move here. {asked}"
    )
    hand.wait(2.0)
    assert trial.match.cursor == 0
    make_move_with_keys(hand, trial.lesson.moves[0])
    assert trial.is_solved
    assert trial.instruction_strip.main_button.label == "Play it again"
    assert list(hand.app.store.list_files()) == kept
    assert hand.app.results.matches() == results
    hand.key("escape")
    back = hand.page(SceneMatchPage)
    assert not isinstance(back, SceneExercisePage)
    assert back.match is page.match
