"""If the engine process can't start or ends unexpectedly, this is reported and the page stays usable."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.catalogue import catalogue
from shibumi3d.i18n import Message
from shibumi3d.search.engine_client import EngineFailure
from shibumi3d.search.players import Choice
from tests.app.test_computer_players import Scripted
from tests.app.writing import written

if TYPE_CHECKING:
    from tests.app.hand import Hand

KINDS = ["spline", "arcanoid", "hyena-spiral", "golden-spiral"]
"""One game of each table kind."""
LOOKING = "Analysing…"


class FailingEngine(Scripted):
    """Engine stand-in that answers each request with a failure.

    The failure says that the engine's process has stopped unexpectedly for the second time and isn't restarted.
    """

    def poll(self) -> Choice | EngineFailure | None:
        if not self.open:
            return None
        self.open = False
        return EngineFailure(Message("The computer player stopped unexpectedly twice."), is_restarting=False)


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the system refuse to start processes, as if it were out of memory."""

    def refuse(_: object) -> None:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refuse)


def start_match(hand: Hand, game: str, *kinds: str) -> MarbleMatchPage | SceneMatchPage:
    entry = catalogue.load_catalogue().get(game)
    seats = max(2, entry.players[0])
    kinds = (*kinds, *["stone"] * (seats - len(kinds)))
    hand.app.change_settings(motion="off")
    hand.app.matches.start(
        entry, [f"Somebody {n}" for n in range(seats)], entry.size, "", 1, player_types=kinds
    )
    page = hand.app.current_page
    assert isinstance(page, MarbleMatchPage | SceneMatchPage)
    return page


def drawn_texts(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patch:
        return "\n".join(written(patch, hand.draw).texts)


@pytest.mark.usefixtures("no_processes")
@pytest.mark.parametrize("game", KINDS)
def test_computer_that_cannot_start_stops_and_can_be_resumed(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    page = start_match(hand, game)
    hand.wait(1)
    assert "The computer player couldn't choose a move" in drawn_texts(hand, monkeypatch)
    assert page.computer_players.is_paused
    assert not page.computer_players.pause_button.visible
    assert page.computer_players.continue_button.visible
    hand.key("enter")
    hand.wait(1)
    assert not hand.app.root.popups, "it is said once"
    thinker = page.computer_players.engine = Scripted()
    seat = page.computer_players.choosing_seats[0]
    thinker.script = [page.match.game.moves(page.match.state, seat)[0].text]
    hand.push("go on thinking")
    hand.wait(6)
    assert page.match.cursor or page.computer_players.choices, "it thinks again"


@pytest.mark.parametrize("game", KINDS)
def test_computer_stops_after_its_process_died_twice(hand: Hand, game: str) -> None:
    page = start_match(hand, game)
    page.computer_players.engine = FailingEngine()
    hand.wait(1)
    assert hand.app.root.popups
    assert (page.computer_players.pause_button.visible, page.computer_players.continue_button.visible) == (
        False,
        True,
    )


@pytest.mark.parametrize("game", KINDS[:2])  # at the third table, the computer moves first
@pytest.mark.parametrize("ends", [False, True])
def test_hint_is_given_up_if_no_process_can_start(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, game: str, ends: bool
) -> None:
    page = start_match(hand, game, "person")
    if ends:
        page.advice.engine = FailingEngine()
    else:
        request.getfixturevalue("no_processes")
    hand.key("h")
    assert LOOKING in drawn_texts(hand, monkeypatch)
    hand.wait(1)
    assert "Couldn't analyse the position. " in drawn_texts(hand, monkeypatch)
    hand.key("enter")
    assert LOOKING not in drawn_texts(hand, monkeypatch)
    assert sum(page.match.hints) == 0, "what never came does not count"
    page.advice.engine = Scripted()
    hand.key("h")
    assert LOOKING in drawn_texts(hand, monkeypatch)


@pytest.mark.usefixtures("no_processes")
def test_missing_reply_search_is_reported(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    page = hand.start("spuzzle", ("Ann",))
    hand.push("solve")
    hand.wait(1)
    assert "Another process couldn't be started" in drawn_texts(hand, monkeypatch)
    assert not page.advice.auto_solver.is_active


@pytest.mark.usefixtures("no_processes")
def test_home_page_works_without_a_process(hand: Hand) -> None:
    hand.app.pages.show_home()
    hand.wait(30)
    assert isinstance(hand.app.current_page, HomePage)
    assert not hand.app.root.popups
