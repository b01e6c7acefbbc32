"""Example and *Try it* at tables other than marbles: shown beside the rules, tried, and left as they were come to."""

from __future__ import annotations

import pytest

from shibumi3d.app.pages.tables.lesson import TableTrial
from shibumi3d.app.pages.tables.screen import TablePlay
from tests.app.hand import Hand
from tests.app.test_tables_by_keys import ARCANOID, GOLDEN, HYENA, Game, lift, make, sit

TABLES = pytest.mark.parametrize("game", [HYENA, GOLDEN, ARCANOID], ids=["hyena", "golden", "arcanoid"])


@TABLES
def test_the_example_is_shown_beside_the_rules(hand: Hand, game: Game) -> None:
    page = sit(hand, game)
    lift(hand)
    hand.key("f1")
    hand.draw()
    example = page.example
    assert example.visible
    assert example.told() == "An example"
    lesson = example.lesson
    assert lesson is not None
    said = []
    for _ in range(80):
        hand.wait(0.2)
        if example.moved and (not said or said[-1][0] != example.moved):
            said.append((example.moved, example.sentence()))
        if example.moved == len(lesson.moves):
            break
    assert said == [(n, lesson.say[n - 1]["en"]) for n in range(1, len(lesson.moves) + 1)]
    hand.key("f1")
    hand.draw()
    assert not example.visible
    assert not page.match.plies


@TABLES
def test_try_it(hand: Hand, game: Game) -> None:
    """Another move is taken back; the right one is praised. Nothing falls between two persons, nothing is kept."""
    page = sit(hand, game)
    lift(hand)
    hand.key("f1")
    hand.draw()
    hand.push("try it")
    hand.draw()
    trial = hand.app.screen
    assert isinstance(trial, TableTrial)
    assert not hand.app.root.floats
    asked = trial.lesson.say[0]["en"]
    assert trial.coach is not None
    assert trial.coach.words == asked
    kept, results = list(hand.app.store.saved()), hand.app.results
    other = next(move.text for move in trial.session.moves() if move.text != trial.lesson.moves[0])
    trial.doing.play_move(trial.advice.move(other))
    assert trial.coach.words.endswith(f" – legal, but not the right move here. {asked}")
    hand.wait(2.0)
    assert trial.match.cursor == 0
    make(hand, trial.lesson.moves[0])
    assert trial.solved
    assert trial.coach.go.label == "Once more"
    assert list(hand.app.store.saved()) == kept
    assert hand.app.results is results
    hand.key("escape")
    back = hand.app.screen
    assert isinstance(back, TablePlay)
    assert not isinstance(back, TableTrial)
    assert back.match is page.match
