"""The first steps, examples and positions to try, by mouse and by keys alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d import i18n
from shibumi3d.app.board.coach import Coach
from shibumi3d.app.board.example import ROUNDS, Example
from shibumi3d.app.board.staged import staged
from shibumi3d.app.host import settings
from shibumi3d.app.pages.home.offer import offer
from shibumi3d.app.pages.play.guide import Guide
from shibumi3d.app.pages.play.lesson import Trial
from shibumi3d.app.pages.play.screen import Play
from shibumi3d.app.pages.tables.lesson import TableTrial
from shibumi3d.app.pages.tables.screen import TablePlay
from shibumi3d.catalogue.catalogue import load
from shibumi3d.scene.marbles.stage import marbles_of

if TYPE_CHECKING:
    from pathlib import Path

    from shibumi3d.app.ui.prose import Prose
    from tests.app.hand import Hand

GAMES = [pytest.param(entry, id=entry.id) for entry in load()]


def coach(hand: Hand) -> str:
    return hand.found("coach", Coach).words


def trial(hand: Hand) -> Trial:
    assert isinstance(hand.app.screen, Trial)
    return hand.app.screen


def test_the_example_is_shown_beside_the_rules_until_it_rests(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    example = hand.found("example", Example)
    assert example.picture.h > 90
    assert example.told() == "An example"
    assert example.sentence() == "Four white marbles cross level A from edge to edge: a full line wins."
    hand.wait(2)
    assert example.told() == "1 of 3  Player 1: white on Ac4"
    hand.wait(60)
    assert (example.rounds, example.moved) == (ROUNDS, 3)
    assert example.stage.marbles == marbles_of(example.match.state)  # type: ignore[union-attr]
    assert hand.app.resting
    assert not hand.waiting, "nothing is left that would draw"
    assert hand.moves == [], "the match beside it stays as it is"
    hand.push("example")
    assert example.moved == 0
    hand.wait(3)
    assert example.moved == 1


def test_the_example_is_at_rest_while_the_moves_are_read(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    hand.key("f1")
    hand.wait(10)
    assert hand.play.example.moved == 0
    assert hand.app.resting


@pytest.mark.parametrize("entry", GAMES)
def test_every_example_and_try_it_can_be_shown(entry: object) -> None:
    from shibumi3d.catalogue.schema import Entry

    assert isinstance(entry, Entry)
    for lesson in (entry.example, entry.trial):
        assert lesson is not None
        match = staged(entry, lesson)
        for move in lesson.moves:
            match.play(move)
        assert match.cursor == len(lesson.moves)


def explained(hand: Hand, prose: Prose, start: str) -> str:
    """What the first word that begins so means, once the pointer has rested on it; nothing when it is left."""
    page = hand.app.screen
    assert isinstance(page, Play | TablePlay)
    hand.draw()
    top, run = next((line[0], run) for line in prose._lines for run in line[2] if run[1].startswith(start))
    hand.point(*hand.app.pixels(prose.rect.x + run[0] + 4, prose.rect.y + top + 8))
    assert page.explained.word is None
    hand.wait(0.7)
    word = page.explained.word
    hand.point(5, 715)
    assert page.explained.word is None
    return word[1] if word is not None else ""


def test_words_of_strips_explain_themselves(hand: Hand) -> None:
    """What is asked for in a lesson explains its words, at tables of all kinds by the words of the game alone."""
    hand.app.pages.guide()
    guide = hand.app.screen
    assert isinstance(guide, Guide)
    guide.tell("A full line on the platform.")
    hand.draw()
    assert not next(button for button in guide.eye if button.name == "lay out").visible, (
        "a lesson stays as it is"
    )
    strip = hand.found("coach", Coach).told
    assert strip.bar() is None, "all of it is in sight"
    assert explained(hand, strip, "platform") == "platform: four marbles in a square that can carry a fifth"
    entry = hand.app.catalogue.get("hyena-spiral")
    assert entry.trial is not None
    trial = TableTrial(hand.app, entry, entry.trial)
    hand.app.show(trial)
    trial.tell("Pay a taba at that point.")
    strip = hand.found("coach", Coach).told
    assert explained(hand, strip, "taba").startswith("taba: what you pay at the well")
    assert explained(hand, strip, "point") == ""


def test_a_position_is_tried_with_the_mouse(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Ab2")
    hand.key("f1")
    hand.wait(0.5)
    hand.push("try it")
    hand.wait(0.5)
    page = trial(hand)
    assert coach(hand) == "Complete White's line."
    # A marble stands there: the reason is told, and nothing changes.
    hand.click(*hand.spot("Ab2"))
    assert page.doing.note == "There is already a white marble on Ab2."
    assert hand.moves == []
    # Legal, but no line: it is shown, and taken back.
    hand.choose("Aa1")
    assert coach(hand).startswith("Player 1: white on Aa1 – legal, but not the right move here.")
    hand.wait(2)
    assert hand.moves == []
    hand.choose("Ab3")
    assert hand.moves == ["W@Ab3"]
    assert coach(hand) == "Player 1: white on Ab3. Player 1 wins: full line."
    assert not page.result_bar.visible
    hand.push("coach go")
    assert trial(hand).match.plies == ()
    hand.push("coach stop")
    assert not isinstance(hand.app.screen, Trial)
    assert hand.moves == ["W@Ab2"], "the match goes on where it was"


def test_a_position_is_tried_with_keys_alone(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    play = hand.play
    for _ in range(60):
        if hand.app.root.focus is play.trial:
            break
        hand.app.root.step_focus(1)
    hand.key("enter")
    hand.wait(0.5)
    page = trial(hand)
    hand.key("/")
    hand.type("Ab3")
    hand.key("enter")
    hand.wait(1)
    assert page.solved
    hand.key("escape")
    assert isinstance(hand.app.screen, Play)
    assert not isinstance(hand.app.screen, Trial)


def test_the_first_steps_with_the_mouse(hand: Hand) -> None:
    hand.app.pages.guide()
    hand.wait(0.5)
    page = hand.app.screen
    assert isinstance(page, Guide)
    assert coach(hand) == "Drag the board to rotate it, or press [ or ]."
    hand.drag((500, 250), (620, 250))
    hand.wait(1)
    assert coach(hand).startswith("White goes first")
    hand.choose("Aa4")
    hand.wait(2)
    assert [ply.seat for ply in page.match.plies] == [0, 1], "the other seat answers by itself"
    assert coach(hand).startswith("Now lift a white marble")
    hand.choose("Ab1", "Ad2")
    hand.wait(2)
    # The black marble that Ab1 carried has dropped there.
    assert page.match.plies[3].state.cells(0)[1] >> 1 & 1
    assert coach(hand).startswith("You can undo any turn")
    hand.push("undo")
    hand.wait(3)
    assert page.step == ""
    assert page.match.state.to_move == 0
    assert hand.app.settings.guided
    hand.push("coach go")
    assert hand.app.screen.title == "home"
    assert hand.app.matches.saved is None, "nothing of it is kept"


def test_the_first_steps_with_keys_alone_in_french(hand: Hand) -> None:
    hand.app.pages.guide()
    hand.app.change(language="fr")
    hand.wait(0.5)
    page = hand.app.screen
    assert isinstance(page, Guide)
    assert i18n.language() == "fr"
    hand.key("]")
    hand.wait(1)
    assert coach(hand).startswith("Blanc commence.")
    hand.key("/")
    hand.type("W@Aa4")
    hand.key("enter")
    hand.wait(3)
    hand.key("/")
    hand.type("^Ab1")
    hand.key("enter")
    hand.wait(1)
    hand.key("/")
    hand.type(">Ad2")
    hand.key("enter")
    hand.wait(3)
    assert coach(hand).startswith("Vous pouvez annuler n'importe quel tour")
    hand.key("ctrl+z")
    hand.wait(3)
    assert coach(hand).startswith("C'est tout ce qu'il faut savoir.")


def test_the_first_steps_are_offered_once(hand: Hand, tmp_path: Path) -> None:
    assert settings.load(tmp_path / "nothing").first
    offer(hand.app)
    hand.key("escape")
    assert not hand.app.root.floats
    assert hand.app.screen.title == "home"
    kept = settings.load(hand.app.config)
    assert not kept.first
    assert kept.settings.guided
    offer(hand.app)
    hand.key("enter")
    assert hand.app.screen.title == "guide"


def test_one_key_leaves_the_first_steps(hand: Hand) -> None:
    assert not hand.app.settings.guided
    hand.app.pages.guide()
    hand.wait(0.5)
    hand.key("escape")
    assert hand.app.screen.title == "home"
    assert hand.app.settings.guided


def test_the_words_of_the_example_explain_themselves(hand: Hand) -> None:
    play = hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    words = play.example.words
    # "Four white marbles cross level A …": the fifth word is a term.
    top, high, runs, _, _ = words._lines[0]
    assert runs[4][1] == "level"
    hand.point(words.rect.x + runs[4][0] + 5, words.rect.y + top + high / 2)
    hand.wait(0.8)
    assert play.explained.word is not None
    assert play.explained.word[1].startswith("level: one layer of the pyramid")
