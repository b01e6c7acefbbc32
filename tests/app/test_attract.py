"""The first page, left alone: a game plays itself, any input ends it, and nothing happens where it is not wished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.pages.home import attract
from shibumi3d.app.pages.home.attract import IDLE, PAUSE
from shibumi3d.app.pages.home.screen import Home
from shibumi3d.rules.game import Game
from shibumi3d.scene.marbles.stage import marbles_of
from shibumi3d.search.players import Analysis, Choice

if TYPE_CHECKING:
    from tests.app.hand import Hand


pytestmark = pytest.mark.smooth


class Quick:
    """Takes the first move there is, at once."""

    asked = 0

    def ask(self, game: Game, view: Any, strength: str, *, seat: int, seed: int) -> None:
        Quick.asked += 1
        self.move = game.moves(view, seat)[0].text

    def poll(self) -> Choice:
        return Choice(self.move, Analysis(0, 0, 0.5))

    def close(self) -> None:
        """There is no process."""


@pytest.fixture
def home(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(attract, "Thinker", Quick)
    monkeypatch.setattr(attract, "on_battery", lambda: False)
    Quick.asked = 0
    page = hand.app.screen
    assert isinstance(page, Home)
    page.start.show(hand.app.catalogue.get("spline"))
    hand.wait(1)
    # What each picture costs is paid where one is looked at.
    monkeypatch.setattr(hand, "draw", lambda: page.animate(hand.now))
    hand.point(5, 714)
    return page


def test_a_page_left_alone_plays_until_there_is_input(hand: Hand, home: Home) -> None:
    before = dict(home.view.stage.queue.marbles)
    hand.wait(IDLE - 1)
    assert home.attract.match is None
    hand.wait(4 * PAUSE + 4)
    match = home.attract.match
    assert match is not None
    assert match.game.id == "spline"
    assert match.cursor >= 2
    home.view.stage.finish()
    assert home.view.stage.queue.marbles == marbles_of(match.state)
    hand.app.draw()
    hand.point(6, 714)
    assert home.attract.match is None
    assert home.view.stage.queue.marbles == before
    assert hand.app.screen is home
    # It is nobody's match.
    assert hand.app.matches.saved is None
    assert hand.app.settings.played == ()
    assert not list(hand.app.store.folder.glob("*"))


def test_the_game_ends_and_the_page_rests(hand: Hand, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attract, "MOST", 3)
    hand.wait(IDLE + 20)
    assert (home.attract.match, Quick.asked) == (None, 3)
    hand.wait(3 * IDLE)
    assert Quick.asked == 3
    hand.app.draw()
    assert hand.app.resting
    assert hand.waiting == []


@pytest.mark.parametrize("off", [{"attract": False}, {"reduced": True}, {"motion": "off"}])
def test_where_it_is_not_wished_nothing_is_done(
    hand: Hand, home: Home, off: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.change(**off)
    hand.wait(IDLE)  # what was set before the change has come by
    hand.point(7, 714)
    hand.app.draw()
    drawn: list[int] = []
    monkeypatch.setattr(hand, "draw", lambda: drawn.append(1))
    assert hand.waiting == []
    hand.wait(3 * IDLE)
    assert (Quick.asked, drawn, hand.waiting) == (0, [], [])


def test_no_game_is_begun_on_battery_or_behind_something(
    hand: Hand, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attract, "on_battery", lambda: True)
    hand.wait(2 * IDLE + 1)
    monkeypatch.setattr(attract, "on_battery", lambda: False)
    hand.native.dispatch_event("on_deactivate")
    hand.wait(2 * IDLE + 1)
    hand.point(6, 714)
    hand.app.pages.settings()
    hand.wait(2 * IDLE + 1)
    assert Quick.asked == 0


def test_other_tables_play_too(hand: Hand, home: Home) -> None:
    hand.app.resize(1280, 900)  # its set-up is long, and leaves room for a picture
    home.start.show(hand.app.catalogue.get("hyena-spiral"))
    hand.wait(IDLE + 6)
    assert home.attract.match is not None
    assert home.attract.match.cursor >= 1
    hand.key("escape")
    assert home.attract.match is None
    assert home.view.table is not None
