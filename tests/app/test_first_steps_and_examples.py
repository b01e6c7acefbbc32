"""First steps, examples and exercises, by mouse and by keyboard alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from shibumi3d import i18n
from shibumi3d.app.host import settings
from shibumi3d.app.host.player_setup import lesson_match
from shibumi3d.app.match.game_preview import (
    EXAMPLE_LINE_HEIGHT_PX,
    EXAMPLE_ROUNDS,
    RulesExample,
    random_position,
)
from shibumi3d.app.match.guided import ExercisePage
from shibumi3d.app.match.instruction_strip import InstructionStrip
from shibumi3d.app.match.marble_view.guided import GuidePage, MarbleExercisePage
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.scene_view.page import SceneExercisePage, SceneMatchPage
from shibumi3d.app.pages.home.cards import offer_tutorial
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.ui.canvas import Canvas
from shibumi3d.app.ui.choice import Choice
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.shown_problems import tip_lesson, tip_lessons
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.registry import make_scene

if TYPE_CHECKING:
    from pathlib import Path

    from shibumi3d.app.ui.prose import FormattedText
    from tests.app.hand import Hand

GAMES = [pytest.param(entry, id=entry.id) for entry in load_catalogue()]


def coach(hand: Hand) -> str:
    return hand.found("coach", InstructionStrip).instruction_text.markup


def test_example_plays_beside_the_rules_until_it_ends(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    example = hand.found("example", RulesExample)
    assert example.picture_rect.h > 90
    assert example.heading() == "An example"
    assert (
        example.caption_text()
        == "Four white marbles cross level A from edge to edge. That is a full line, and White wins."
    )
    hand.wait(2)
    assert example.heading() == "1 of 3 · Player 1: white on Ac4"
    hand.wait(60)
    assert (example.rounds_shown, example.moves_shown) == (EXAMPLE_ROUNDS, 3)
    assert example.marble_scene.marbles == marbles_by_cell(example.match.state)  # type: ignore[union-attr]
    assert hand.app.is_resting
    assert not hand.waiting, "nothing is left that would draw"
    assert hand.moves == [], "the match beside it stays as it is"
    hand.push("example")
    assert example.moves_shown == 0
    hand.wait(3)
    assert example.moves_shown == 1


def test_long_heading_of_the_example_gets_a_second_line(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.app.change_settings(language="es")
    hand.start("spargo")
    hand.key("f1")
    hand.wait(0.5)
    example = hand.found("example", RulesExample)
    assert example.match is not None
    example.moves_shown = len(example.match.plies)
    drawn: list[str] = []
    draw_text = Canvas.text

    def record(canvas: Canvas, x: float, y: float, text: str, *look: object) -> float:
        drawn.append(text)
        return draw_text(canvas, x, y, text, *look)  # type: ignore[arg-type]  # the same arguments

    monkeypatch.setattr(Canvas, "text", record)
    example.refresh()
    hand.draw()
    assert example.heading() == "3 de 3 · Jugador 1: blanca en Aa3, captura 1 canica"
    assert "Jugador 1: blanca en Aa3, captura 1 canica" in " ".join(drawn)
    assert example.caption.rect.y >= example.heading_rect.bottom
    assert example.heading_rect.bottom - example.picture_rect.bottom > 2 * EXAMPLE_LINE_HEIGHT_PX
    assert example.picture_rect.h > 90


def test_example_pauses_while_the_moves_are_read(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    hand.key("f1")
    hand.wait(10)
    assert hand.play.example.moves_shown == 0
    assert hand.app.is_resting


@pytest.mark.parametrize("entry", GAMES)
def test_every_example_and_exercise_can_be_shown(entry: object) -> None:
    from shibumi3d.catalogue.schema import Entry

    assert isinstance(entry, Entry)
    for lesson in (entry.example, entry.exercise):
        assert lesson is not None
        match = lesson_match(entry, lesson)
        for move in lesson.moves:
            match.play(move)
        assert match.cursor == len(lesson.moves)


@pytest.mark.parametrize("name", ["arcanoid", "golden-spiral", "hyena-spiral"])
def test_pictures_of_tables_show_a_usual_choice_as_its_seat_sees_it(name: str) -> None:
    """Regression test: the picture of Arcanoid showed a rare choice, with a list of all cards.

    Each picture must show an ordinary decision of its game and, in Arcanoid, the hand of the seat to move. The six
    cards of this hand are fanned out, so they are the only spots with a yaw other than 0. In the pictures of the other
    two games, no spot is rotated.
    """
    entry = load_catalogue().get(name)
    state = random_position(entry, entry.size, "", 2)
    assert state is not None
    assert state.decision is not None
    assert state.decision.kind == {"arcanoid": "turn", "golden-spiral": "bid", "hyena-spiral": "turn"}[name]
    scene = make_scene(entry.game(), 2)
    scene.reset(state, state.mover)
    hand = [spot for spot in scene.spots().values() if spot.yaw]
    assert len(hand) == (6 if name == "arcanoid" else 0)


def explanation_of(hand: Hand, prose: FormattedText, start: str) -> str:
    """Return the explanation that is shown for the first word in ``prose`` that begins with ``start``.

    Return "" if the word has no explanation. The pointer stays on the word until its tooltip would appear, and then
    moves away.
    """
    page = hand.app.current_page
    assert isinstance(page, MarbleMatchPage | SceneMatchPage)
    hand.draw()
    top, run = next((line[0], run) for line in prose._lines for run in line[2] if run[1].startswith(start))
    hand.point(*hand.app.to_window_pixels(prose.rect.x + run[0] + 4, prose.rect.y + top + 8))
    assert page.explanation_tooltip.word is None
    hand.wait(0.7)
    word = page.explanation_tooltip.word
    hand.point(5, 715)
    assert page.explanation_tooltip.word is None
    return word[1] if word is not None else ""


def test_terms_in_lesson_tasks_are_explained(hand: Hand) -> None:
    """In the tasks of lessons and exercises, terms are explained.

    In games without marbles, only the terms of the game itself are explained. In Hyena Spiral, "taba" is explained, but
    "point" isn't, because it is a general term of the games with marbles.
    """
    hand.app.pages.show_tutorial()
    guide = hand.page(GuidePage)
    guide.show_instruction("A full line on the platform.")
    hand.draw()
    assert not next(button for button in guide.view_buttons if button.name == "lay out").visible, (
        "a lesson stays as it is"
    )
    strip = hand.found("coach", InstructionStrip).instruction_text
    assert strip.scroll_handle() is None, "all of it is in sight"
    assert (
        explanation_of(hand, strip, "platform") == "platform: four marbles in a square that can carry a fifth"
    )
    entry = hand.app.catalogue.get("hyena-spiral")
    assert entry.exercise is not None
    trial = SceneExercisePage(hand.app, entry, entry.exercise)
    hand.app.show_page(trial)
    trial.show_instruction("Pay a taba at that point.")
    strip = hand.found("coach", InstructionStrip).instruction_text
    assert explanation_of(hand, strip, "taba").startswith("taba: the currency of the game")
    assert explanation_of(hand, strip, "point") == ""


def test_exercise_with_the_mouse(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Ab2")
    hand.key("f1")
    hand.wait(0.5)
    hand.push("try it")
    hand.wait(0.5)
    page = hand.page(MarbleExercisePage)
    assert coach(hand) == "Complete White's line."
    assert hand.app.root.find("coach stop") is None, "the title bar has the only Back button"
    # The point is occupied: the reason is shown, and nothing changes.
    hand.click(*hand.spot("Ab2"))
    assert page.actions.message == "There is already a white marble on Ab2."
    assert hand.moves == []
    # Legal, but not a line: the move is shown and then undone.
    hand.choose("Aa1")
    assert coach(hand).startswith("Player 1: white on Aa1 – legal, but not the right move here.")
    hand.wait(2)
    assert hand.moves == []
    hand.choose("Ab3")
    assert hand.moves == ["W@Ab3"]
    assert coach(hand) == "Correct! Player 1: white on Ab3. Player 1 wins: full line."
    assert not page.result_bar.visible
    hand.push("coach go")
    assert hand.page(MarbleExercisePage).match.plies == ()
    hand.push("back")
    assert not isinstance(hand.app.current_page, MarbleExercisePage)
    assert hand.moves == ["W@Ab2"], "the match goes on where it was"


def test_exercise_by_keyboard(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    play = hand.play
    for _ in range(60):
        if hand.app.root.focus is play.exercise_button:
            break
        hand.app.root.step_focus(1)
    hand.key("enter")
    hand.wait(0.5)
    page = hand.page(MarbleExercisePage)
    hand.key("/")
    hand.type("Ab3")
    hand.key("enter")
    hand.wait(1)
    assert page.is_solved
    hand.key("escape")
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    assert not isinstance(hand.app.current_page, MarbleExercisePage)


def test_first_steps_with_the_mouse(hand: Hand) -> None:
    hand.app.pages.show_tutorial()
    hand.wait(0.5)
    page = hand.page(GuidePage)
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
    assert page.next_step == ""
    assert page.match.state.to_move == 0
    assert hand.app.settings.guided
    hand.push("coach go")
    assert hand.app.current_page.page_name == "home"
    assert hand.app.matches.unfinished is None, "nothing of it is kept"


def test_first_steps_by_keyboard_in_french(hand: Hand) -> None:
    hand.app.pages.show_tutorial()
    hand.app.change_settings(language="fr")
    hand.wait(0.5)
    hand.page(GuidePage)
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


def test_first_steps_are_offered_once(hand: Hand, tmp_path: Path) -> None:
    assert settings.load_settings(tmp_path / "nothing").is_first_start
    offer_tutorial(hand.app)
    hand.key("escape")
    assert not hand.app.root.popups
    assert hand.app.current_page.page_name == "home"
    kept = settings.load_settings(hand.app.services.config_folder)
    assert not kept.is_first_start
    assert kept.settings.guided
    offer_tutorial(hand.app)
    hand.key("enter")
    assert hand.app.current_page.page_name == "guide"


def test_single_key_leaves_the_first_steps(hand: Hand) -> None:
    assert not hand.app.settings.guided
    hand.app.pages.show_tutorial()
    hand.wait(0.5)
    hand.key("escape")
    assert hand.app.current_page.page_name == "home"
    assert hand.app.settings.guided


def test_terms_in_the_example_are_explained(hand: Hand) -> None:
    play = hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    words = play.example.caption
    # "Four white marbles cross level A …": the fifth word is a term.
    top, high, runs, _, _ = words._lines[0]
    assert runs[4][1] == "level"
    hand.point(words.rect.x + runs[4][0] + 5, words.rect.y + top + high / 2)
    hand.wait(0.8)
    assert play.explanation_tooltip.word is not None
    assert play.explanation_tooltip.word[1].startswith("level: one layer of the pyramid")


def test_tips_are_shown_beside_the_rules(hand: Hand) -> None:
    hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    example, choice = hand.found("example", RulesExample), hand.found("lessons", Choice)
    assert choice.options == ("Example", "Tip 1", "Tip 2")
    choice.select(1)
    hand.wait(0.5)
    assert example.caption_text().startswith("Make two threats with one marble.")
    assert example.heading() == "Tip 1"
    hand.wait(2)
    assert example.heading() == "1 of 1 · Player 1: white on Ad1"
    assert hand.moves == []
    choice.select(0)
    hand.wait(0.5)
    assert example.heading() == "An example"


def test_tips_are_offered_for_games_with_a_ladder_too(hand: Hand) -> None:
    """Spruit and Spuzzle have a ladder; Spline and Splice, which are for two players, don't."""
    home = hand.page(HomePage)
    for game, label in (
        ("spline", "2 tips"),
        ("spruit", "2 tips"),
        ("splice", "3 tips"),
        ("spuzzle", "2 tips"),
    ):
        home.start_panel.show_game(hand.app.catalogue.get(game))
        button = home.start_panel.tips_button
        assert (button.label if button.visible else "") == label


def test_tips_are_exercises_before_a_match(hand: Hand) -> None:
    hand.app.pages.show_home()
    hand.draw()
    home = hand.page(HomePage)
    home.start_panel.show_game(load_catalogue().get("spline"))
    hand.draw()
    assert home.start_panel.tips_button.label == "2 tips"
    hand.push("tips")
    hand.draw()
    page = hand.page(MarbleExercisePage)
    assert coach(hand).endswith("A single reply can't block both lines. Find the best move.")
    hand.choose("Ad4")
    assert "legal, but not the turn this exercise is looking for" in coach(hand)
    hand.wait(2)
    assert page.match.plies == ()
    # The solution can be shown.
    assert page.instruction_strip is not None
    assert page.instruction_strip.main_button.label == "Show solution"
    hand.push("coach go")
    hand.wait(2)
    assert hand.moves == ["W@Ad1"]
    assert coach(hand) == "Player 1: white on Ad1."
    hand.push("coach go")
    hand.draw()
    last = hand.page(MarbleExercisePage)
    assert (last.sequence_index, last.match.state.to_move) == (1, 1)
    hand.choose("Bb2")
    assert last.is_solved
    assert last.instruction_strip is not None
    assert last.instruction_strip.main_button.label == "Done"
    assert coach(hand).startswith("Correct! ")
    hand.push("coach go")
    assert isinstance(hand.app.current_page, HomePage)


def test_turn_of_a_tip_may_be_played_in_any_order(hand: Hand) -> None:
    entry = load_catalogue().get("spaiji")
    pair = replace(tip_lesson(entry.id, entry.tips[0]), boards=(), lead_moves=(), moves=("W@Aa1", "B@Ab1"))
    hand.app.pages.show_exercises([(entry, pair)])
    hand.draw()
    page = hand.page(MarbleExercisePage)
    page.actions.play_move(page.match.game.parse(page.match.state, "B@Ab1"))
    assert not page.is_solved
    assert not page.is_wrong
    page.actions.play_move(page.match.game.parse(page.match.state, "W@Aa1"))
    assert page.is_solved


MEASURED = [
    pytest.param(entry, id=entry.id)
    for entry in load_catalogue()
    if any(not tip.problem for tip in entry.tips)
]


@pytest.mark.parametrize("entry", MEASURED)
def test_turn_of_every_measured_tip_can_be_shown(hand: Hand, entry: Entry) -> None:
    hand.app.pages.show_exercises([(entry, lesson) for lesson in tip_lessons(entry.id, entry.tips)])
    hand.draw()
    page = hand.page(ExercisePage)
    assert not hand.app.root.popups, "nothing is covered"
    hand.push("coach go")
    hand.wait(6)
    assert page.is_solved
    assert [ply.move for ply in page.match.plies[: len(page.lesson.moves)]] == list(page.lesson.moves)
