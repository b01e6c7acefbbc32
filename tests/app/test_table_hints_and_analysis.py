"""Hints and analysis at tables without marbles: what is marked and said, for whom, and from which observation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shibumi3d.app.match.model import MatchModel
from shibumi3d.app.match.review import describe_turn_texts
from shibumi3d.match import visibility
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search.explanations import explain_move
from shibumi3d.search.players import Analysis, Choice
from tests.app.hand import Hand
from tests.app.test_hints_and_analysis import Adviser
from tests.app.test_table_keyboard_play import ARCANOID, GOLDEN, HYENA, lift, make_move_with_keys, sit


def make_answer(*turns: tuple[str, float], seat: int = 0) -> Choice:
    """Return an engine's answer for ``seat``, with the given turns and their values.

    Each turn is a single move, given as its text and its value, from 0 (lost) to 1 (won). The turns must be ordered
    from best to worst; the first is the move that the engine chooses.
    """
    found = tuple(MoveEvaluation((text,), 60, mean) for text, mean in turns)
    return Choice(turns[0][0], Analysis(seat, 100, turns[0][1], found))


def test_hint_marks_spots_then_cards_then_plays(hand: Hand) -> None:
    """A hint first marks good moves and decoys, then only the best move; its third stage plays that move.

    The engine stand-in gives the highest value to engaging two swords, and a slightly lower one to engaging all three.
    The first of the three stages therefore marks the third sword, S4, too.
    """
    page = sit(hand, ARCANOID)
    lift(hand)
    before = page.view.home_camera, list(page.seat_cards.card_rects)
    adviser = page.advice.engine = Adviser()
    hand.key("h")
    assert page.message_line.message == "Analysing…"
    ((game, view, _, more),) = adviser.asked
    assert view == game.observe(page.match.state, 0)
    assert more["seat"] == 0
    adviser.answers = [make_answer(("S:S6+S7", 0.6), ("S:S4+S6+S7", 0.59), ("-C3", 0.1))]
    hand.wait(0.3)
    assert page.message_line.message == "The best choice is one of those marked."
    swords = {"S6", "S7", page.scene.clicks_for(page.advice.find_move("S:S6+S7")).last_spot}
    region = page.advice.hinted_spots()
    assert region > swords | {"S4"}
    hand.key("h")
    assert page.advice.hinted_spots() == swords
    # The same spots are marked in the accessibility tree.
    assert {thing.key for thing in page.board_elements() if thing.name.endswith(", marked")} == swords & {
        thing.key for thing in page.board_elements()
    }
    assert page.message_line.message.startswith("Engage")
    assert page.match.cursor == 0
    hand.push("hint")
    assert page.match.plies[0].move == "S:S6+S7"
    assert page.seat_cards.describe_seat(0).endswith("1 hint")
    assert (page.view.home_camera, page.seat_cards.card_rects) == before, "the number of hints moves nothing"
    assert page.advice.hinted_spots() == frozenset()


def test_hint_gives_a_reason(hand: Hand) -> None:
    """The hint to set 11 says that 11 is higher than 10 of the 12 numbers the opponent can set.

    In Golden Spiral, a number must be lower than the player's own Gold. The opponent has 13 Gold and may therefore set
    1 to 12. Ten of these numbers are lower than 11.
    """
    page = sit(hand, GOLDEN)
    lift(hand)
    page.advice.engine = Adviser(
        replace(
            make_answer(("11", 0.5)),
            reasons=explain_move(page.match.game, page.model.chooser_observation(), "11", names=page.names),
        )
    )
    hand.key("h")
    hand.wait(0.3)
    hand.key("h")
    before, why, tries = page.message_line.message.rsplit(". ", 2)
    assert before.startswith("Set 11 – ")
    assert why == f"Is higher than 10 of the 12 numbers {page.names[1]} can set"
    assert tries == "Wins 50% of simulated games."


def test_hint_without_a_spot_marks_an_answer_button(hand: Hand) -> None:
    page = sit(hand, GOLDEN)
    for text in ("5", "9"):
        make_move_with_keys(hand, text)
    page.advice.engine = Adviser(make_answer(("pass", 0.5), seat=1))
    page.scene.clicks_for = lambda move: (
        type(page.scene).clicks_for(page.scene, move)._replace(picks=frozenset(), last_spot="")
    )
    hand.key("h")
    hand.wait(0.3)
    assert page.message_line.message == "The best move is one of the listed choices."
    row = list(page.choices.moves).index(page.advice.hinted_move())
    assert [page.choices.describe_row_graphics(each) for each in range(page.choices.row_count)].index(
        "marked"
    ) == row
    hand.key("h")
    assert page.message_line.message == "Pass. Wins 50% of simulated games."
    assert page.choices.moves[page.choices.labels.index("Pass")] == page.advice.hinted_move()
    assert [page.seat_cards.describe_seat(seat).endswith("1 hint") for seat in (0, 1)] == [False, True]
    hand.draw()
    assert page.seat_cards.card_rects[0].h == page.seat_cards.card_rects[1].h


def test_hint_for_a_randomised_choice_mentions_equal_alternatives(hand: Hand) -> None:
    """The three moves searched most are equally good.

    Since the choice of a number is secret, the engine has picked a fourth move at random.
    """
    page = sit(hand, GOLDEN)
    lift(hand)
    found = make_answer(("2", 0.5), ("11", 0.5), ("3", 0.5))
    page.advice.engine = Adviser(replace(found, move="7"))
    hand.key("h")
    hand.wait(0.3)
    hand.key("h")
    assert page.message_line.message.endswith(
        ". Other choices are just as good; this one was picked at random so that nobody can guess it."
    )


@pytest.mark.parametrize(
    ("language", "begins"), [("en", "There is only one choice. "), ("fr", "Il n'y a qu'un choix possible. ")]
)
def test_only_legal_choice_is_given_without_counting_a_hint(hand: Hand, language: str, begins: str) -> None:
    hand.app.change_settings(language=language)
    page = sit(hand, HYENA)
    (throw,) = page.model.legal_moves()
    adviser = page.advice.engine = Adviser()
    hand.key("h")
    description = page.match.game.describe_outcome(
        page.model.chooser_observation(), throw, language, page.names
    )
    assert page.message_line.message.casefold() == f"{begins}{description}.".casefold()
    assert page.advice.hinted_spots() == {"bowl"}
    assert (adviser.asked, page.match.hints) == ([], [0, 0])
    hand.key("h")
    assert page.match.plies[0].move == "throw"


@pytest.mark.parametrize(
    ("language", "ends"),
    [
        ("en", ". Wins 60% of simulated games; the next best ({}) wins 10%."),
        ("fr", ". Gagne 60 % des parties simulées ; le deuxième meilleur choix ({}) en gagne 10 %."),
    ],
)
def test_alternative_is_capitalised_correctly_within_the_reason(hand: Hand, language: str, ends: str) -> None:
    hand.app.change_settings(language=language)
    page = sit(hand, HYENA)
    make_move_with_keys(hand, "throw")
    page.advice.engine = Adviser(make_answer(("go", 0.6), ("take", 0.1)))
    for _ in "to":
        hand.key("h")
        hand.wait(0.3)
    assert page.message_line.message.endswith(
        ends.format("take 1 taba" if language == "en" else "prendre 1 taba")
    )
    page = sit(hand, GOLDEN)
    for text in ("5", "9"):
        make_move_with_keys(hand, text)
    page.advice.engine = Adviser(make_answer(("pass", 0.6), ("permutation", 0.1), seat=1))
    for _ in "to":
        hand.key("h")
        hand.wait(0.3)
    assert page.message_line.message.endswith(
        ends.format("announce Permutation" if language == "en" else "annoncer Permutation")
    )


def test_consecutive_choices_form_one_sentence(hand: Hand) -> None:
    page = sit(hand, HYENA)
    state = page.match.state
    texts = describe_turn_texts(page.match, state, 0, ("throw", "go"), page.names)
    assert texts == "Throw, then go 12 steps"


def test_evaluation_works_with_a_single_legal_choice(hand: Hand) -> None:
    page = sit(hand, HYENA)
    page.advice.engine = Adviser(make_answer(("throw", 0.5)))
    hand.key("h")
    page.advice.is_analysing = True
    page.update()
    hand.wait(0.3)
    assert page.evaluation_bar.describe_evaluation() == "Aiko: 50%"


def test_best_choices_are_numbered_after_everyone_agrees(hand: Hand) -> None:
    page = sit(hand, HYENA)
    make_move_with_keys(hand, "throw")
    page.advice.engine = Adviser(make_answer(("go", 0.64), ("take", 0.31)))
    hand.key("a")
    assert not page.advice.is_analysing
    hand.push("agree 1")
    hand.push("agree 2")
    hand.wait(0.3)
    assert page.evaluation_bar.visible
    assert page.evaluation_bar.describe_evaluation() == "Aiko: 64%"
    assert page.evaluation_bar.best_turns() == [("1  Go 12 steps  64%", True), ("2  Take 1 taba  31%", True)]
    assert dict(page.advice.ranked_spots()) == {
        page.scene.clicks_for(page.advice.find_move("go")).last_spot: 1,
        page.scene.clicks_for(page.advice.find_move("take")).last_spot: 2,
    }
    hand.key("a")
    assert not page.evaluation_bar.visible


def test_public_view_gives_no_advice_from_hidden_hands(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """While everybody looks at the table, advice is withheld if it would be based on a hidden hand."""
    page = sit(hand, ARCANOID)
    lift(hand)
    assert page.advice.helped_seat == 0
    page.model.viewed_ply = 0
    assert page.advice.helped_seat is None, "another moment is shown"
    page.model.viewed_ply, page.model.last_viewer = None, None
    assert page.advice.helped_seat is None, "somebody else looked last"
    page.model.last_viewer = 0
    monkeypatch.setattr(MatchModel, "viewer", visibility.ALL_SEATS)
    assert page.advice.helped_seat is None
    page = sit(hand, HYENA)
    assert page.advice.helped_seat == 0, "nothing is hidden here"


def test_hint_scrolls_its_answer_into_view(hand: Hand) -> None:
    page = sit(hand, GOLDEN)
    for text in ("5", "9"):
        make_move_with_keys(hand, text)
    page.advice.engine = Adviser(make_answer(("permutation", 0.5), seat=1))
    row = page.choices.labels.index("Permutation")
    assert page.choices.row_rect(row).bottom > page.choices.rect.bottom
    hand.key("h")
    hand.wait(0.3)
    assert page.choices.row_rect(row).bottom <= page.choices.rect.bottom + 0.5


def test_scene_input_is_cached_until_it_changes(hand: Hand) -> None:
    page = sit(hand, HYENA)
    hand.wait(1)
    shown = page.pointer.scene_input.get()
    hand.draw()
    assert page.pointer.scene_input.get() is shown
    assert (shown.focused, shown.hint) == ("", frozenset())
    page.pointer.on_point(*page.pointer.spot_position(page.scene.spots()["bowl"]))
    assert page.pointer.scene_input.get().focused == "bowl"
    page.pointer.on_point(None, None)
    page.advice.engine = Adviser(make_answer((page.model.legal_moves()[0].text, 0.5)))
    hand.key("h")
    hand.wait(0.3)
    assert page.pointer.scene_input.get().hint == page.advice.hinted_spots() != frozenset()
