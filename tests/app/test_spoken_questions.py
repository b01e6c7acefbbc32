"""Questions asked with keys are answered in the status line, at every kind of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.board_descriptions import BoardDescriber
from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.i18n import Plural, _
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.pyramid import get_pyramid
from tests.app.test_hidden_information import look

if TYPE_CHECKING:
    from tests.app.hand import Hand


def test_each_question_key_is_answered(hand: Hand) -> None:
    play = hand.start("spline")

    def asked(key: str) -> str:
        hand.key(key)
        return play.actions.message

    assert asked("f3") == "Nothing has been played yet"
    assert asked("f4") == "Level A: empty"
    hand.choose("Ab2")
    hand.wait(1)
    assert asked("f3") == "Aiko: white on Ab2"
    assert asked("f4") == "Level A: Ab2, white"
    play.pointer.cursor = Spot(0, get_pyramid(4).point_by_name["Ab2"])
    assert asked("f4").endswith("Level A: nothing else")
    play.pointer.cursor = Spot(0, get_pyramid(4).point_by_name["Ac2"])
    assert asked("f4") == (
        "Ac2, empty. ends the turn. Rank 2: empty, white, empty, empty. File c: empty, empty, empty, empty. "
        "Level A: Ab2, white"
    )
    assert asked("f7") == "Ben: Black · a full line · Supply: 16 black"
    assert asked("f8") == "15 choices"
    first, second = asked("f8"), asked("f8")
    assert first.startswith("1 of 15: Place black on A")
    assert second.startswith("2 of 15: ")
    assert first != second
    assert asked("f9") == "Ben to move – choose a point"
    # Like every message there, it is read aloud.
    assert "Ben to move – choose a point" in hand.app.current_page.announcement()


def test_listing_of_choices_restarts_after_a_move(hand: Hand) -> None:
    play = hand.start("spline")
    for _time in range(3):
        hand.key("f8")
    assert play.actions.message.startswith("2 of 16")
    hand.choose("Ab2")
    hand.wait(1)
    hand.key("f8")
    assert play.actions.message == "15 choices"


def test_answers_do_not_reveal_a_secret_choice(hand: Hand) -> None:
    play = hand.start("spagyric")
    look(hand)
    hand.push("answer B!")
    look(hand)
    hand.key("f3")
    assert play.actions.message == "Aiko chose in secret"


@pytest.mark.parametrize("name", ["arcanoid", "golden-spiral", "hyena-spiral"])
def test_questions_are_answered_at_other_tables(hand: Hand, name: str) -> None:
    entry = hand.app.catalogue.get(name)
    hand.app.matches.start(entry, ["Ann", "Ben"], 0, "", 1)
    hand.app.root.close_popups()
    look(hand)
    page = hand.app.current_page
    answers = []
    for key in ("f3", "f4", "f7", "f8", "f9"):
        hand.key(key)
        answers.append(page.message_line.message)  # type: ignore[attr-defined]
    assert answers[0] == "Nothing has been played yet"
    assert answers[2].startswith("Ann: ")
    assert answers[3] == _(Plural("{n} choice", "{n} choices"), len(page.model.legal_moves()))  # type: ignore[attr-defined]
    assert all(answers)
    if name == "golden-spiral":
        assert answers[1].count("Ann's Gold: 13") == 1


def test_answer_says_why_nobody_can_choose_now(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.wait(1)
    hand.key(",")
    hand.key("f8")
    assert play.actions.message == "Before the first turn"


def test_boards_are_named_after_their_owners(hand: Hand) -> None:
    play = hand.start("spy", names=("Ann", "Ben", "Cleo"))
    look(hand)
    play.actions.play_move(next(move for move in play.actions.legal_moves() if move.text.endswith("Aa3")))
    hand.wait(2)
    hand.key("f4")
    assert play.actions.message in {
        f"Ann's board, level A: Aa3, {colour}" for colour in ("white", "black", "red")
    }
    assert play.status_line.sentence().endswith("a point on Ann's board")


def test_questions_are_answered_in_a_replay(hand: Hand) -> None:
    entry = hand.app.catalogue.get("spline")
    match = Match(entry.game(), ["Ann", "Ben"], 1)
    # Aa1, Ab1, Aa2 and Ab2 are a platform for one marble.
    for move in ("W@Aa1", "B@Ab1", "W@Aa2", "B@Ab2", "W@Ba1"):
        match.play(move)
    hand.app.pages.show_replay(match, entry)
    page = hand.app.current_page

    def asked(key: str) -> str:
        hand.key(key)
        return page.announcement()

    assert asked("f3") == "Before the first move"
    assert asked("f8") == "16 choices"
    assert asked("f9") == "Ann to move – choose a point"
    hand.key("end")
    assert page.announcement() == "Turn 5 – Ann: white on Ba1"
    assert asked("f4") == (
        "Level A: Aa1, white, carries 1 marble; Ab1, black, carries 1 marble; Aa2, white, carries 1 marble; "
        "Ab2, black, carries 1 marble"
    )
    assert asked("f4") == "Level B: Ba1, white"
    assert (
        asked("f7")
        == "Ann: White · a full line · Supply: 13 white. Ben: Black · a full line · Supply: 14 black"
    )
    hand.key("left")
    assert page.announcement() == "Turn 4 – Ben: black on Ab2"


def test_questions_are_answered_in_the_position_editor(hand: Hand) -> None:
    entry = hand.app.catalogue.get("splice")
    match = Match(entry.game(), ["Ann", "Ben"], 1)
    hand.app.pages.edit_position(match, 0, entry)
    page = hand.app.current_page
    hand.key("f8")
    assert page.announcement() == "32 choices"  # two colours on each of 16 points
    hand.key("f4")
    assert page.announcement() == "Level A: empty"


STANDING = "Aa1", "Ab1", "Ac1", "Aa2", "Ab2", "Ac2", "Ba1", "Bb1"


def test_answer_says_that_a_supporting_marble_cannot_be_moved() -> None:
    # By hand: Ba1 and Bb1 both rest on Ab1 and Ab2; Ba1 alone on Aa1 and Aa2, Bb1 alone on Ac1 and Ac2.
    seen = {(0, point): 0 for point in (get_pyramid(4).point_by_name[name] for name in STANDING)}
    describer = BoardDescriber(4, seen, True)
    assert describer.describe_point(0, get_pyramid(4).point_by_name["Ab1"]) == [
        "white",
        "carries 2 marbles",
        "can't be moved",
    ]
    assert describer.describe_point(0, get_pyramid(4).point_by_name["Aa1"]) == ["white", "carries 1 marble"]
    assert describer.describe_point(0, get_pyramid(4).point_by_name["Ba1"]) == ["white"]
    assert BoardDescriber(4, seen, False).describe_point(0, get_pyramid(4).point_by_name["Ab1"]) == [
        "white",
        "carries 2 marbles",
    ]
    assert describer.describe_lines(0, get_pyramid(4).point_by_name["Bb1"]) == (
        "rank 1: white, white, empty",
        "file b: white, empty, empty",
    )
