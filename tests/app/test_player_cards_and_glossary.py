"""Contents of the player cards, and explanations of words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import shibumi3d
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.ui.prose import ExplainedSentence, ExplanationTooltip, FormattedText
from shibumi3d.catalogue import catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import text_for_language, translate
from shibumi3d.rules.marbles.wording.glossary import GLOSSARY, explain_word, explain_words
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.marbles.wording.sentences import describe_colours_and_goal
from tests.marble_games import marble_games
from tests.tables.contract import LANGUAGES

if TYPE_CHECKING:
    from tests.app.hand import Hand

GAMES = [pytest.param(entry, id=entry.id) for entry in marble_games()]


def colours_and_goals(name: str, variant: str = "", seats: int | None = None) -> list[tuple[str, ...]]:
    game = shibumi3d.game(name, variant=variant or None)
    state = game.start(seats)
    return [describe_colours_and_goal(game, state, seat) for seat in range(state.seats)]


@pytest.mark.parametrize("entry", GAMES)
def test_player_card_shows_the_goal(entry: Entry) -> None:
    for variant in ("", *entry.variants):
        form = entry.with_variant(variant)
        for language in LANGUAGES:
            assert form.aim[language]
            assert len(form.aim[language]) in (1, form.players[0], 2)
            for aim in form.aim[language]:
                assert 0 < len(aim) <= 32, aim
                assert not re.search(r"\byour?\b|[.!?]$", aim)
    for seats in set(entry.players):
        game = entry.game()
        state = game.start(seats)
        for seat in range(seats):
            parts = describe_colours_and_goal(game, state, seat)
            assert parts[0][0].isupper()
            assert len(parts) == (2 if state.owned_colours(seat) else 1)


def test_player_card_shows_the_seats_own_sides() -> None:
    """In Span, White connects west and east, and Black south and north (p. 33).

    In SP-Dancers, it is the other way round (vol. 2, p. 207). In Spair, the first player needs a line on the right
    board, and the second on the left board. In Spy, the first player sets the code that all others try to crack.
    """
    assert colours_and_goals("span") == [("White", "west to east"), ("Black", "south to north")]
    assert colours_and_goals("sp-dancers") == [("White", "south to north"), ("Black", "west to east")]
    assert colours_and_goals("spair") == [("A line on the right board",), ("A line on the left board",)]
    assert colours_and_goals("spy", seats=4) == [("Set the code",), *[("Crack the code",)] * 3]


def test_roles_rotate_in_a_series() -> None:
    """In Splink, the mediator wants many contacts between white and red, and the other player few.

    The mediator is the first player in the first game, and the second player in the second (p. 69).
    """
    game = shibumi3d.game("splink")
    state = game.start()
    assert [describe_colours_and_goal(game, state, seat) for seat in (0, 1)] == [
        ("Bring white and red together",),
        ("Keep white and red apart",),
    ]
    while state.game_number == 1:
        state, _ = game.apply(state, game.moves(state)[0])
    assert [describe_colours_and_goal(game, state, seat) for seat in (0, 1)] == [
        ("Keep white and red apart",),
        ("Bring white and red together",),
    ]


def test_status_line_names_the_board_of_the_decision(hand: Hand) -> None:
    play = hand.start("spair")
    assert play.status_line.sentence() == "Aiko to move – choose a colour and a point on the left board"
    hand.choose("left.Aa1")
    assert play.status_line.sentence() == "Aiko to move – choose a colour and a point on the right board"


@pytest.mark.parametrize("entry", GAMES)
def test_every_game_term_has_an_explanation(entry: Entry) -> None:
    for variant in ("", *entry.variants):
        form = entry.with_variant(variant)
        facts = form.game().facts()
        for name in (*[stock.name for stock in facts.stocks], *facts.labels):
            for language in LANGUAGES:
                assert explain_word(name, language, form.words), f"{name} is shown and not explained"
        for name, texts in form.words.items():
            assert set(texts) == set(LANGUAGES), name


def test_everyday_words_are_not_marked_as_terms() -> None:
    """In Springe, the fists are stocks called left and right, but "left" can also mean remaining.

    Names of stocks, here left, right, palm and discard, are therefore not explained where they occur in running text.
    """
    entry = catalogue.load_catalogue().get("springe")
    assert set(entry.words) == {"fist", "left", "right", "palm", "discard"}
    assert set(entry.glossary) == {"fist"}
    assert explain_words(["nothing", "is", "left"], game_terms=entry.glossary) == ["", "", ""]


def test_general_terms_are_explained_in_both_languages() -> None:
    for name, text in GLOSSARY.items():
        assert name.casefold() not in translate("en", text).casefold().split()[:2]
        assert " : " in translate("fr", text), f"{name} has no French name"
    assert explain_word("platforms,") == "platform: four marbles in a square that can carry a fifth"
    assert explain_word("Dropped").startswith("drop: ")
    assert explain_word("marbles") == ""
    words = ["It", "is", "a", "full", "line,", "on", "a", "platform."]
    assert [bool(meaning) for meaning in explain_words(words)] == [
        False,
        False,
        False,
        True,
        True,
        False,
        False,
        True,
    ]
    assert explain_words(words)[3] == explain_words(words)[4]
    assert explain_words(["fist"], game_terms={"fist": {"en": "a hand"}}) == ["fist: a hand"]


def test_french_word_forms_are_recognized_as_terms() -> None:
    """Plurals, feminines, verb forms and words after an elided article are recognized.

    A term without a French text is explained in English.
    """
    assert (
        explain_word("plateformes,", "fr")
        == "plateforme : quatre billes en carré, qui peuvent en porter une cinquième"
    )
    assert explain_word("d'arêtes", "fr").startswith("arête : ")
    assert explain_word("tombées", "fr") == explain_word("chute", "fr") == explain_word("tomber", "fr")
    assert explain_word("cachés", "fr").startswith("cachée : ")
    words = ["Les", "passages", "supérieurs", "coupent", ";", "l'arête,", "elle,", "est", "visible", ":"]
    terms = [meaning.partition(" : ")[0] for meaning in explain_words(words, "fr")]
    assert terms == ["", *["passage supérieur"] * 2, "", "", "arête", "", "", "visible", ""]
    own_terms = {"fist": {"en": "a hand", "fr": "poing : une main"}, "palm": {"en": "open"}}
    assert explain_words(["Deux", "poings", "palm"], "fr", own_terms) == [
        "",
        "poing : une main",
        "palm : open",
    ]
    assert explain_words(["plateforme :"], "fr") == explain_words(["plateforme"], "fr")


def test_point_names_are_explained_and_everyday_words_are_not() -> None:
    """The explanation of a point's name gives the point's level, file and rank.

    "Supply", which the code calls "box", is an everyday word. It is explained where it labels a card, but not within a
    sentence.
    """
    assert explain_word("(Ab2,") == "a point, named by its level (A), its file (a) and its rank (1)"
    assert (
        explain_word("Ab2", "fr") == "un point, désigné par son niveau (A), sa colonne (a) et sa rangée (1)"
    )
    assert explain_word("Ak2") == explain_word("A2") == ""
    assert (
        explain_word("box")
        == explain_word("supply")
        == "supply: marbles beside the board, for everyone to use"
    )
    assert (display_name("box"), display_name("box", "fr")) == ("supply", "réserve générale")
    assert explain_words(["the", "supply"]) == explain_words(["the", "box"]) == ["", ""]


@pytest.mark.parametrize("entry", GAMES)
def test_game_terms_have_french_names(entry: Entry) -> None:
    for name, texts in entry.words.items():
        assert " : " in texts["fr"], name
        term = explain_word(name, "fr", entry.words).partition(" : ")[0]
        assert term == display_name(name, "fr"), "one name in sentences and explanations"
    for stock in entry.game().facts().stocks:
        term = explain_word(stock.name, "fr", entry.words).partition(" : ")[0]
        assert term in ("", display_name(stock.name, "fr"))


@pytest.mark.parametrize("entry", GAMES)
def test_variant_names_agree_in_rules_and_messages(entry: Entry) -> None:
    for name in entry.variants:
        if f"*{name}*" in entry.rules["en"].lower():
            assert f"*{text_for_language(entry.variant_labels[name], 'fr')}*" in entry.rules["fr"].lower()


@pytest.mark.parametrize("lang", ["fr", "de", "es"])
def test_variant_names_are_translated_except_proper_names(lang: str) -> None:
    labels = [label for entry in catalogue.load_catalogue() for label in entry.variant_labels.values()]
    towns = {"Nassau", "Koblenz", "Mainz", "Malta", "Worms", "Gaza"}
    assert {label["en"] for label in labels if lang not in label} == {
        "2018",
        "margo",
        "superko",
        "margo superko",
        *towns,
    }


def test_hovering_a_term_in_the_rules_explains_it(hand: Hand) -> None:
    hand.app.resize(1280, 960)  # high enough to show the rules below the example
    play = hand.start("spline")
    hand.key("f1")
    hand.wait(1)
    hand.draw()
    found = [
        (line[0], run) for line in play.rules_text._lines for run in line[2] if run[1].startswith("platform")
    ]
    top, run = found[0]
    x = play.rules_text.rect.x + run[0] + 4
    y = play.rules_text.rect.y + top + 8
    hand.point(x, y)
    assert play.explanation_tooltip.word is None
    hand.wait(0.7)
    assert play.explanation_tooltip.word is not None
    assert play.explanation_tooltip.word[1] == "platform: four marbles in a square that can carry a fifth"
    hand.point(5, 715)
    assert play.explanation_tooltip.word is None


def hover_word(hand: Hand, sentence: ExplainedSentence, word: str) -> str:
    """Move the pointer to a word of a sentence, wait, and return its explanation, or "" if it has none."""
    hand.draw()
    place = next(place for place, written in sentence._words if written.strip(".,;:") == word)
    hand.point(place.cx, place.cy)
    hand.wait(0.7)
    shown = hand.found("explained", ExplanationTooltip).word
    return shown[1] if shown is not None else ""


def test_hovering_a_term_in_the_status_lines_explains_it(hand: Hand) -> None:
    """Terms are explained in the status line at the top and in the message line at the bottom."""
    play = hand.start("splush")
    assert play.status_line.sentence() == "Aiko to move – enter a marble or take one"
    assert hover_word(hand, play.status_line, "enter").startswith("enter: to come in over an edge")
    assert hover_word(hand, play.status_line, "marble") == ""
    play = hand.start("spline")
    hand.choose("Ab2")
    assert (
        hover_word(hand, play.message_line, "Ab2")
        == "a point, named by its level (A), its file (a) and its rank (1)"
    )
    hand.point(5, 715)
    assert play.explanation_tooltip.word is None


def test_hovering_a_term_in_the_status_line_works_at_other_tables(hand: Hand) -> None:
    hand.app.matches.start(catalogue.load_catalogue().get("hyena-spiral"), ["Aiko", "Ben"], 0, "", 1)
    hand.draw()
    play = hand.page(SceneMatchPage)
    play.status_line.sentence = lambda: "Aiko pays at the well."  # type: ignore[method-assign]
    assert hover_word(hand, play.status_line, "well") == "well: the inner end of the path"
    assert hover_word(hand, play.status_line, "Aiko") == ""


def test_hovering_a_term_on_a_player_card_explains_it(hand: Hand) -> None:
    play = hand.start("springe")
    hand.app.root.close_popups()
    hand.draw()
    meanings = {text for _, text in play.seat_cards[0]._explanations}
    assert "Left: the left fist." in meanings
    assert play.entry.summary["en"] in meanings
    area = next(area for area, text in play.seat_cards[0]._explanations if text == "Left: the left fist.")
    hand.point(area.cx, area.cy)
    hand.wait(0.7)
    assert play.explanation_tooltip.word is not None
    assert play.explanation_tooltip.word[1] == "Left: the left fist."


def test_hovering_a_label_explains_it(hand: Hand) -> None:
    hand.start("spangle", ("A", "B", "C", "D"))
    while True:
        hand.app.root.close_popups()
        hand.draw()
        button = hand.app.root.find("answer against")
        if button is not None:
            break
        hand.play.actions.play_move(hand.play.controller.moves[0])
    assert (
        button.tooltip
        == "Against: a vote to reject the proposal, which fails if enough players vote against it"
    )


def test_typed_moves_spell_out_west(hand: Hand) -> None:
    from shibumi3d.app.match.dialogs import TypeMoveCard

    play = hand.start("splush")
    hand.key("/")
    card = hand.floating(TypeMoveCard)
    assert "W>Ba1/west" in card.feedback()[0]
    hand.type("W>Ba2/west")
    card.accept()
    assert hand.moves == ["W>Ba2/W"]
    assert play.match.cursor == 1


def test_hovering_a_term_works_before_a_match(hand: Hand) -> None:
    hand.type("spline")
    hand.wait(0.3)
    body = hand.found("rules", FormattedText)
    high = body.rect.h - 20
    top, (left, _, _, meant) = next(
        (line[0], run) for line in body._lines for run in line[2] if run[3] and line[0] < high
    )
    hand.point(body.rect.x + left + 4, body.rect.y + top + 8)
    hand.wait(0.7)
    word = hand.found("explained", ExplanationTooltip).word
    assert word is not None
    assert word[1] == meant
