"""Letters of a move that is typed too early don't act as shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.dialogs import GoToTurnCard, TypeMoveCard
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.search.levels import PERSON
from tests.app.test_computer_players import Scripted, play
from tests.app.test_match_page_of_every_table import TABLES, lift, sit

if TYPE_CHECKING:
    from tests.app.hand import Hand


def shortcut_states(hand: Hand) -> tuple[bool, bool, bool]:
    """Return whether the analysis card is open, zen mode is on and coordinates are shown.

    The shortcuts A, Z and C, in this order, change these states.
    """
    page, settings = hand.play, hand.app.settings
    return hand.app.root.find("analysis card") is not None, page.is_zen_mode, settings.coordinates


def think(hand: Hand) -> Scripted:
    thinker = play(hand, "spline", (PERSON, "stone"))
    hand.choose("Ab2")
    assert hand.play.status_line.sentence() == "Stone is thinking"
    return thinker


def test_entered_early_move_is_played_after_the_computers_reply(hand: Hand) -> None:
    thinker = think(hand)
    before = shortcut_states(hand)
    hand.key("/")
    for letter in "ac2":
        hand.key(letter)
    card = hand.floating(TypeMoveCard)
    assert card.field.value == "ac2"
    assert card.feedback() == (
        "Press Enter to have your move played as soon as it's your turn.",
        True,
    )
    hand.key("enter")
    assert card.feedback() == ("This move will be played when it's your turn. Esc cancels.", True)
    hand.wait(1)
    assert shortcut_states(hand) == before
    assert hand.moves == ["W@Ab2"]
    thinker.script.append("B@Ac3")
    hand.wait_until(lambda: len(hand.moves) == 3)
    assert hand.moves == ["W@Ab2", "B@Ac3", "W@Ac2"]
    assert not hand.app.root.popups


def test_unconfirmed_early_move_waits_for_enter(hand: Hand) -> None:
    thinker = think(hand)
    hand.key("/")
    hand.type("ac2")
    thinker.script.append("B@Ac3")
    hand.wait_until(lambda: len(hand.moves) == 2)
    hand.wait(1)
    card = hand.floating(TypeMoveCard)
    assert card.feedback() == ("W@Ac2", True)
    hand.key("enter")
    assert hand.moves == ["W@Ab2", "B@Ac3", "W@Ac2"]


def test_early_move_made_illegal_is_refused_with_a_reason(hand: Hand) -> None:
    thinker = think(hand)
    hand.key("/")
    hand.type("ac3")
    hand.key("enter")
    thinker.script.append("B@Ac3")
    hand.wait_until(lambda: len(hand.moves) == 2)
    hand.wait(1)
    card = hand.floating(TypeMoveCard)
    assert card.feedback() == ("There is already a black marble on Ac3.", False)
    hand.key("backspace")
    hand.type("2")
    hand.wait(1)
    assert len(hand.moves) == 2, "it was changed: Enter is asked for"
    hand.key("enter")
    assert hand.moves[2:] == ["W@Ac2"]


def test_early_move_can_be_cancelled_or_changed(hand: Hand) -> None:
    thinker = think(hand)
    hand.key("/")
    hand.type("ac2")
    hand.key("enter")
    hand.key("escape")
    assert not hand.app.root.popups
    hand.key("/")
    hand.type("ac2")
    hand.key("enter")
    hand.key("backspace")
    thinker.script.append("B@Ac3")
    hand.wait_until(lambda: len(hand.moves) == 2)
    hand.wait(1)
    assert hand.moves == ["W@Ab2", "B@Ac3"]


def test_move_dialog_says_why_no_move_can_be_played(hand: Hand) -> None:
    page = hand.start("spline")
    hand.choose("Ab2", "Ac2")
    page.actions.view_ply(1)
    for key, card in (("/", TypeMoveCard), ("g", GoToTurnCard)):
        hand.key(key)
        hand.floating(card)
        hand.key("escape")
    hand.key("/")
    hand.type("aa1")
    hand.key("enter")
    sentence = "This is an earlier turn. Return to the current one to play."
    assert hand.floating(TypeMoveCard).feedback() == (sentence, False)
    hand.key("escape")
    assert (page.model.cursor, len(hand.moves)) == (1, 2)
    page.actions.view_ply(None)
    hand.key("/")
    assert hand.floating(TypeMoveCard).feedback()[1]
    hand.key("escape")
    play(hand, "spline", ("stone", "stone"))
    hand.key("/")
    hand.type("aa1")
    hand.key("enter")
    assert hand.floating(TypeMoveCard).feedback() == ("Only computers are playing this match.", False)


def test_move_dialog_says_that_the_game_is_over(hand: Hand) -> None:
    hand.start("spline", size=3)
    hand.choose("Ab3", "Ac2", "Ab1", "Ac3", "Ab2")
    assert hand.play.match.state.to_move is None
    hand.wait(3)
    hand.key("/")
    assert hand.floating(TypeMoveCard).feedback() == ("The match is over.", False)


def test_go_to_turn_works_before_the_first_turn(hand: Hand) -> None:
    hand.start("spline")
    hand.key("g")
    hand.key("0")
    hand.key("enter")
    assert not hand.app.root.popups
    assert hand.moves == []


def test_privacy_screen_clears_an_early_move(hand: Hand) -> None:
    think(hand)
    hand.key("/")
    hand.type("ac2")
    hand.key("enter")
    card = hand.floating(TypeMoveCard)
    hand.app.root.open_popup(PrivacyScreen(hand.app, 0, "Ben"), lambda window: window)
    hand.wait(0.2)
    assert card.field.value == ""
    assert not card.is_entered_early


@pytest.mark.parametrize("name", ["hyena-spiral", "golden-spiral", "arcanoid"])
def test_early_moves_work_at_every_table(hand: Hand, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = sit(hand, TABLES[name])
    lift(hand)
    move = next(iter(table.actions.legal_moves()))
    moves = table.actions.legal_moves()
    with monkeypatch.context() as patch:
        patch.setattr(table.actions, "legal_moves", lambda: ())
        hand.key("/")
        hand.type(move.text.casefold())
        hand.key("enter")
        hand.wait(0.5)
        assert table.match.cursor == 0
        assert hand.floating(TypeMoveCard).is_entered_early
    assert move in moves
    hand.wait(0.5)
    assert [ply.move for ply in table.match.plies] == [move.text]
