"""The demo that an idle home page plays: any input ends it, and it can be turned off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.pages.home import demo
from shibumi3d.app.pages.home.demo import IDLE_SECONDS, MOVE_PAUSE_SECONDS
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.rules.game import Game
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.search.players import Analysis, Choice

if TYPE_CHECKING:
    from tests.app.hand import Hand


pytestmark = pytest.mark.smooth


class QuickEngine:
    """Engine stand-in that always plays the first legal move at once."""

    asked = 0

    def request_move(self, game: Game, view: Any, strength: str, *, seat: int, seed: int) -> None:
        QuickEngine.asked += 1
        self.move = game.moves(view, seat)[0].text

    def poll(self) -> Choice:
        return Choice(self.move, Analysis(0, 0, 0.5))

    def close(self) -> None:
        """Do nothing, since there is no process."""


@pytest.fixture
def home(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> HomePage:
    monkeypatch.setattr(demo, "EngineClient", QuickEngine)
    monkeypatch.setattr(demo, "is_on_battery", lambda: False)
    QuickEngine.asked = 0
    page = hand.page(HomePage)
    page.start_panel.show_game(hand.app.catalogue.get("spline"))
    hand.wait(1)
    # Drawing is slow, so frames are drawn only where a test looks at one.
    monkeypatch.setattr(hand, "draw", lambda: page.animate(hand.now))
    hand.point(5, 714)
    return page


def test_idle_home_page_plays_a_demo_until_input(hand: Hand, home: HomePage) -> None:
    before = dict(home.view.marble_scene.timeline.marbles)
    hand.wait(IDLE_SECONDS - 1)
    assert home.demo.match is None
    hand.wait(4 * MOVE_PAUSE_SECONDS + 4)
    match = home.demo.match
    assert match is not None
    assert match.game.id == "spline"
    assert match.cursor >= 2
    home.view.marble_scene.finish()
    assert home.view.marble_scene.timeline.marbles == marbles_by_cell(match.state)
    hand.app.draw()
    hand.point(6, 714)
    assert home.demo.match is None
    assert home.view.marble_scene.timeline.marbles == before
    assert hand.app.current_page is home
    # The demo isn't saved as a match of the player.
    assert hand.app.matches.unfinished is None
    assert hand.app.settings.played == ()
    assert not list(hand.app.store.folder.glob("*"))


def test_demo_ends_and_the_page_rests(hand: Hand, home: HomePage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "MAX_DEMO_MOVES", 3)
    hand.wait(IDLE_SECONDS + 20)
    assert (home.demo.match, QuickEngine.asked) == (None, 3)
    hand.wait(3 * IDLE_SECONDS)
    assert QuickEngine.asked == 3
    hand.app.draw()
    assert hand.app.is_resting
    assert hand.waiting == []


@pytest.mark.parametrize("off", [{"attract": False}, {"reduced": True}, {"motion": "off"}])
def test_demo_does_not_start_if_turned_off(
    hand: Hand, home: HomePage, off: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.change_settings(**off)
    hand.wait(IDLE_SECONDS)  # until the earlier idle timer would have fired
    hand.point(7, 714)
    hand.app.draw()
    drawn: list[int] = []
    monkeypatch.setattr(hand, "draw", lambda: drawn.append(1))
    assert hand.waiting == []
    hand.wait(3 * IDLE_SECONDS)
    assert (QuickEngine.asked, drawn, hand.waiting) == (0, [], [])


def test_demo_does_not_start_on_battery_or_in_the_background(
    hand: Hand, home: HomePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "is_on_battery", lambda: True)
    hand.wait(2 * IDLE_SECONDS + 1)
    monkeypatch.setattr(demo, "is_on_battery", lambda: False)
    hand.native.dispatch_event("on_deactivate")
    hand.wait(2 * IDLE_SECONDS + 1)
    hand.point(6, 714)
    hand.app.pages.show_settings()
    hand.wait(2 * IDLE_SECONDS + 1)
    assert QuickEngine.asked == 0


def test_demo_plays_other_tables(hand: Hand, home: HomePage) -> None:
    hand.app.resize(1280, 900)  # a tall window, as its set-up leaves little room for a picture
    home.start_panel.show_game(hand.app.catalogue.get("hyena-spiral"))
    hand.wait(IDLE_SECONDS + 6)
    assert home.demo.match is not None
    assert home.demo.match.cursor >= 1
    hand.key("escape")
    assert home.demo.match is None
    assert home.view.table_scene is not None
