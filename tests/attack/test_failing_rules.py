"""Valid rules that fail during play: the match stops with a message, and everything else still works."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.catalogue import catalogue
from shibumi3d.rules.errors import RuleFailure

if TYPE_CHECKING:
    from tests.app.hand import Hand

LOST = "end: [{when: stuck, lose: me}]\n"
ENDLESS = "{repeat: {let: {n: n + 1}}}"
TOO_MUCH = "sum(x * y for x in range(4000 * (count(filled) - 31)) for y in range(4000))"
"""An expression that sums nothing while there are 31 marbles, but sixteen million numbers once there are 32."""
FULL = "sizes: [5]\nstart: WWWWW,BBBBB,WWWWW,BBBBB,WWWWW/WWWW,BB..,....,..../...,...,.../..,../.\n"
"""25 marbles on level A, 6 on level B."""

AT_THE_START = "setup: [{require: count(filled) > 0}]\nturn: {place: own}\n"
AT_THE_FIRST_MOVE = f"vars: {{n: 0}}\nturn: [{{place: own}}, {ENDLESS}]\n"
AT_THE_SECOND_TURN = f"vars: {{n: 0}}\nturn: [{{if: count(filled) > 0, then: {ENDLESS}}}, {{place: own}}]\n"
AT_ONE_CHOICE = (
    f"vars: {{n: 0}}\nturn: {{choose: {{good: {{place: own}}, bad: [{{pick: Aa1}}, {ENDLESS}]}}}}\n"
)
AT_THE_END = f"{FULL}turn: {{place: own}}\nend:\n  - {{when: '{TOO_MUCH} > 9', win: me}}\n"
AT_THE_SCORE = f"{FULL}turn: {{place: own}}\nscore: '{TOO_MUCH}'\n"


@pytest.fixture
def start_game(hand: Hand, tmp_path: Path) -> object:
    """Return a function that starts a match in the window under the given rules.

    Rules without ``end`` are given one: a player who is stuck loses.
    """

    def begun(text: str) -> None:
        path = tmp_path / "fails.yaml"
        path.write_text(f"title: Fails\n{text}" + ("" if "end:" in text else LOST))
        entry = catalogue.load_catalogue().open(path)
        hand.app.matches.start(entry, ["Ann", "Ben"], entry.size, "", 1)
        hand.draw()

    return begun


def assert_window_still_works(hand: Hand) -> None:
    """Assert that another game can still be played."""
    hand.app.root.close_popups()
    hand.app.pages.show_home()
    hand.draw()
    hand.start("spline")
    hand.click(*hand.spot("Ab2"))
    assert hand.moves == ["W@Ab2"]


def test_rule_failure_at_the_start(hand: Hand, start_game) -> None:  # type: ignore[no-untyped-def]
    start_game(AT_THE_START)
    assert isinstance(hand.app.current_page, HomePage)
    assert hand.dismiss_message().startswith(
        "Couldn't start this game: Fails: no deal meets the setup's requirements ("
    )
    assert_window_still_works(hand)


@pytest.mark.parametrize("text", [AT_THE_FIRST_MOVE, AT_THE_SECOND_TURN], ids=["first move", "second turn"])
def test_rule_failure_at_a_move(hand: Hand, start_game, text: str) -> None:  # type: ignore[no-untyped-def]
    start_game(text)
    hand.click(*hand.spot("Ab2"))
    assert "a 'repeat' never ends (" in (sentence := hand.dismiss_message())
    assert sentence.rstrip(".)").endswith("fails.yaml, line 3")
    assert hand.moves == []
    # The failed move leaves nothing behind, and other points fail in the same way.
    hand.click(*hand.spot("Ac3"))
    assert "a 'repeat' never ends" in hand.dismiss_message()
    for key in ("v", "f2", "tab", "enter"):
        hand.key(key)
        hand.draw()
    hand.app.root.close_popups()
    assert_window_still_works(hand)


def test_rule_failure_at_one_of_several_choices(hand: Hand, start_game) -> None:  # type: ignore[no-untyped-def]
    start_game(AT_ONE_CHOICE)
    moves = {move.text: move for move in hand.play.controller.moves}
    hand.play.actions.play_move(moves["bad"])
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    hand.wait(0.2)
    hand.app.root.close_popups()
    hand.key("ctrl+z")
    hand.wait(0.2)
    hand.app.root.close_popups()
    hand.play.actions.play_move({move.text: move for move in hand.play.controller.moves}["good"])
    hand.choose("Ab2")
    assert hand.moves == ["good", "W@Ab2"]


def test_rule_failure_in_the_end_condition(hand: Hand, start_game) -> None:  # type: ignore[no-untyped-def]
    start_game(AT_THE_END)
    hand.click(*hand.spot("Bc3"))
    assert "the rules need too much computation for a single choice" in hand.dismiss_message()
    assert hand.moves == []
    assert_window_still_works(hand)


def test_rule_failure_while_drawing_the_page(hand: Hand, start_game) -> None:  # type: ignore[no-untyped-def]
    start_game(AT_THE_SCORE)
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    hand.click(*hand.spot("Bc3"))
    for _ in range(3):
        hand.draw()
    assert isinstance(hand.app.current_page, HomePage)
    assert hand.dismiss_message().startswith("There's an error in this game's rules. The rules need ")
    (kept,) = hand.app.store.list_files()
    assert kept.record is not None
    assert kept.record.turns == (("W@Bc3",),)
    hand.push("continue")
    for _ in range(3):
        hand.draw()
    assert isinstance(hand.app.current_page, HomePage)
    assert_window_still_works(hand)


def test_rule_failure_on_rematch(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.start("spline")

    def fail(*args: object, **options: object) -> None:
        raise RuleFailure("Spline: no deal meets the setup's requirements")

    monkeypatch.setattr("shibumi3d.app.shell.matches.Match", fail)
    hand.app.matches.rematch(hand.play.match, hand.play.entry)
    assert (
        hand.dismiss_message() == "Couldn't start this game: Spline: no deal meets the setup's requirements."
    )
    assert isinstance(hand.app.current_page, MarbleMatchPage)
