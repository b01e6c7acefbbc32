"""Secret choices are revealed to everybody, with their outcome, before the next privacy screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import shibumi3d
from shibumi3d.app import secret_reveals
from shibumi3d.app.match.marble_view.playback import RevealCard
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.match.match import Match
from tests.app.test_hidden_information import look
from tests.app.writing import written
from tests.rules.inline import inline

if TYPE_CHECKING:
    from tests.app.hand import Hand

NAMES = ("Ann", "Ben", "Cem", "Dan")


def revealed_choices(game: str, seats: int, moves: str, size: int = 4) -> tuple[dict[int, list[str]], str]:
    """Return what each seat reveals after ``moves``, and the sentence shown; both are empty without a reveal."""
    match = Match(shibumi3d.game(game, size=size), NAMES[:seats], 1)
    for move in moves.split():
        match.play(move)
    reveal = secret_reveals.public_reveal(match, match.plies, NAMES[:seats])
    if reveal is None:
        return {}, ""
    return {choice.seat: [text for _, text in choice.parts] for choice in reveal.choices}, reveal.sentence


@pytest.mark.parametrize(
    ("game", "seats", "moves", "chosen", "sentence"),
    [
        # White beats black, black beats red, red beats white (p. 71); the winner places.
        ("spagyric", 2, "W! B!", {0: ["white"], 1: ["black"]}, "White beats black: ▲ Ann places white."),
        ("spagyric", 2, "R! B!", {0: ["red"], 1: ["black"]}, "Black beats red: ■ Ben places black."),
        ("spagyric", 2, "R! R!", {0: ["red"], 1: ["red"]}, "Everyone chose red: 2 red to the discard."),
        # The marble in the chosen fist is placed, and nobody sees the other one (p. 131).
        ("springe", 2, "W! R! left", {1: ["left"]}, "Left: white, ▲ Ann places it."),
        ("springe", 2, "W! R! right", {1: ["right"]}, "Right: red, ▲ Ann places it."),
        ("springe", 2, "W! done right", {1: ["right"]}, "Nothing happens, ■ Ben is next."),
        # With four players, two votes are a veto at the start (p. 104).
        (
            "spangle",
            4,
            "W! B! R! W! white Aa1 for against for",
            {1: ["for"], 2: ["against"], 3: ["for"]},
            "2 for, 1 against: white on Aa1, ■ Ben is next.",
        ),
        (
            "spangle",
            4,
            "W! B! R! W! white Aa1 against for against",
            {1: ["against"], 2: ["for"], 3: ["against"]},
            "2 against, 1 for: veto is now 3, ■ Ben is next.",
        ),
        # The owner of the colour chosen by the Master goes first (p. 63).
        (
            "spindizzy",
            3,
            "B! B! R!",
            {0: ["black"], 1: ["black"], 2: ["red"]},
            "■ Ben places black.",
        ),
    ],
)
def test_public_reveal_shows_choices_and_outcome(
    game: str, seats: int, moves: str, chosen: dict[int, list[str]], sentence: str
) -> None:
    assert revealed_choices(game, seats, moves) == (chosen, sentence)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "2 for: white on Aa1. ▲ Ann wins: white lies."),
        ("fr", "2 pour : blanche en Aa1. ▲ Ann gagne : une blanche est posée."),
    ],
)
def test_match_end_is_a_separate_sentence(
    monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    monkeypatch.setattr(secret_reveals, "language", lambda: language)
    game = inline(
        """
        players: 3
        seats: none
        vars: {against: {each: 0}}
        turn:
          - by: everyone - mover
            secret: true
            do: {choose: {for: {let: {against: 0}}, against: {let: {against: 1}}}}
          - {put: white, at: Aa1}
        end: [{when: white, win: mover, because: {en: white lies, fr: une blanche est posée}}]
        """
    )
    match = Match(game, NAMES[:3], 1)
    for _ in range(2):
        match.play("for")
    reveal = secret_reveals.public_reveal(match, match.plies, NAMES[:3])
    assert reveal is not None
    assert reveal.sentence == sentence


def test_french_reveal_uses_the_article_of_the_marble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret_reveals, "language", lambda: "fr")
    assert revealed_choices("springe", 2, "W! R! left")[1] == "Gauche : blanche, ▲ Ann la pose."


def test_permanent_secrets_are_not_revealed() -> None:
    """The colours taken at the start of Spangle stay secret to the end."""
    assert revealed_choices("spangle", 4, "W! B! R! W!") == ({}, "")


def test_marbles_placed_in_secret_are_not_reported_as_nothing() -> None:
    """In Spy, each disciple secretly places five marbles on their own board (p. 81).

    When both disciples have done so behind the privacy screen, their choices are revealed. The reveal has no further
    effects, so its sentence says only who is next. It doesn't say that nothing happens, since marbles were placed.
    """
    match = Match(shibumi3d.game("spy"), NAMES[:3], 1)
    while match.state.phase < 2:
        match.play(match.legal_moves()[0].text)
    reveal = secret_reveals.public_reveal(match, match.plies, NAMES[:3])
    assert reveal is not None
    assert {choice.seat for choice in reveal.choices} == {1, 2}
    assert reveal.sentence.endswith(" is next.")
    assert "Nothing" not in reveal.sentence


def test_reveal_that_ends_the_match_names_the_winner() -> None:
    """If a duel with discarded marbles decides a match of Spagyric, its reveal names the winner.

    If nobody has won when both hands have run out, each player secretly chooses a colour from the discard pile, and the
    player whose colour beats the other's wins the match (p. 71). Here, all duels from the hands are ties. Ann then
    chooses black and Ben red, and black beats red.
    """
    match = Match(shibumi3d.game("spagyric"), NAMES[:2], 1)
    while match.state.to_move is not None and match.state.phase == 0:
        hands = match.state.reserves["hand"]
        colour = next(c for c in "WBR" if all(h[{"W": "white", "B": "black", "R": "red"}[c]] for h in hands))
        match.play(f"{colour}!")
        match.play(f"{colour}!")
    assert match.state.to_move == 0
    match.play("B!")
    match.play("R!")
    reveal = secret_reveals.public_reveal(match, match.plies, NAMES[:2])
    assert reveal is not None
    assert reveal.sentence == "Black beats red. ▲ Ann wins: winning colour chosen from the discard pile."


def choose_in_secret(hand: Hand, *answers: str) -> None:
    for answer in answers:
        look(hand)
        hand.push(f"answer {answer}")


def test_choices_are_revealed_before_the_privacy_screen(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    play = hand.start("spagyric", ("Ann", "Ben"))
    play.side_panel.toggle()
    choose_in_secret(hand, "W!", "B!")
    card = hand.floating(RevealCard)
    assert play.status_line.sentence() == "Everyone has chosen"
    # The colours are hidden while the boxes are closed.
    drawn_texts = written(monkeypatch, hand.draw)
    assert not {"white", "black"} & set(drawn_texts.texts)
    assert drawn_texts.texts.count("secret move") == 2
    assert "winner" not in drawn_texts.texts
    for _ in range(60):
        hand.wait(0.1)
        if card.is_open:
            break
    assert card.is_open
    hand.wait(3)
    drawn_texts = written(monkeypatch, hand.draw)
    assert {"white", "black", "White beats black: ▲ Ann places white."} <= set(drawn_texts.texts)
    # Everybody looks at the screen, so neither hand is shown.
    for seat in range(2):
        assert set(play.visible_position.observation.reserves["hand"][seat]) == {
            "white",
            "black",
            "red",
            "unknown",
        }
        assert play.visible_position.observation.reserves["hand"][seat]["white"] == 0
    assert play.controller.targets  # Ann may place, but isn't asked yet
    assert play.table_marbles.click_effects() == {}
    assert not play.hidden_targets_button.visible
    assert not play.choice_panel.visible
    hand.push("go on")
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)
    look(hand)
    assert play.message_line.current_message()[0] == "White beats black: ▲ Ann places white."
    assert play.model.viewer == 0


def test_boxes_with_equal_marbles_close_for_the_next_round(hand: Hand) -> None:
    play = hand.start("spagyric", ("Ann", "Ben"))
    choose_in_secret(hand, "W!", "W!")
    hand.wait(6)
    hand.push("go on")
    look(hand)
    hand.wait(1)
    # Ben is asked first now: his box is shown, empty and closed.
    assert play.match.state.to_move == 1
    lids = [piece.tilt for piece in play.table_contents(play.animation_time()).pieces if piece.model == "lid"]
    assert lids == [0.0]


def test_click_beside_the_reveal_card_first_finishes_the_animation(hand: Hand) -> None:
    play = hand.start("spagyric", ("Ann", "Ben"))
    choose_in_secret(hand, "W!", "B!")
    card = hand.floating(RevealCard)
    hand.draw()
    assert play.marble_scene.is_animating(play.animation_time())
    hand.click(640, 200)
    assert hand.app.root.popups == [card]
    assert card.is_open
    hand.key("escape")
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)


def test_only_the_chosen_fist_opens(hand: Hand) -> None:
    play = hand.start("springe", ("Ann", "Ben"))
    choose_in_secret(hand, "W!", "R!")
    boxes = play.box_openings(play.visible_position.shown_plies(), play.animation_time())
    assert boxes == {(0, "left"): 0.0, (0, "right"): 0.0}
    choose_in_secret(hand, "left")
    hand.wait(4)
    assert play.box_openings(play.visible_position.shown_plies(), play.animation_time()) == {
        (0, "left"): 1.0,
        (0, "right"): 0.0,
    }
    assert play.table_contents(play.animation_time()).dish_colour == 0
    hand.push("go on")
    look(hand)
    hand.choose("Ab2")
    assert hand.moves[-1] == "W@Ab2"


def test_votes_have_no_boxes(hand: Hand) -> None:
    play = hand.start("spangle", NAMES)
    choose_in_secret(hand, "W!", "B!", "R!", "W!")
    # The colours that were taken stay secret, so there is no public reveal.
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)
    look(hand)
    hand.push("answer white")
    hand.wait(1)
    hand.choose("Aa1")
    choose_in_secret(hand, "for")
    look(hand)
    assert play.box_openings(play.visible_position.shown_plies(), play.animation_time()) == {}
    choose_in_secret(hand, "for", "against")
    hand.wait(4)
    assert hand.floating(RevealCard).reveal.sentence.startswith("2 for, 1 against: white on Aa1")
    assert play.marble_scene.marbles == {(0, 0): 0}
    assert play.box_openings(play.visible_position.shown_plies(), play.animation_time()) == {}


@pytest.mark.parametrize("size", [(640, 480), (900, 600), (1280, 720)])
def test_ten_votes_fit_in_the_window(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    hand.app.change_settings(motion="off")
    names = tuple(f"Player {n}" for n in range(1, 11))
    hand.start("spangle", names)
    for _ in names:
        choose_in_secret(hand, hand.play.controller.moves[0].text)
    look(hand)
    hand.play.actions.play_move(hand.play.controller.moves[0])
    hand.play.actions.play_move(hand.play.controller.moves[0])
    choose_in_secret(hand, *["for", "against", "for"] * 3)
    hand.wait(1)
    card = hand.floating(RevealCard)
    assert card.is_open
    drawn_texts = written(monkeypatch, hand.draw)
    votes = [
        line.text
        for line in drawn_texts.lines
        if line.by == "RevealCard opening" and line.text in ("for", "against")
    ]
    assert votes == ["for", "against", "for"] * 3
    assert [line for line in drawn_texts.cut if line.startswith("RevealCard")] == []
    inside = hand.app.root.page.rect.intersection(card.rect)
    assert inside == card.rect
    hand.app.change_settings(motion="normal")
