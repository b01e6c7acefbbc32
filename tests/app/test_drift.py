"""The light of the day goes by while a game is played, if that is wished."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shibumi3d.app.host.settings import Settings
from shibumi3d.scene.palette import NOON, hour
from tests.app.hand import Hand


def test_morning_comes_first_then_noon_and_evening_slowly() -> None:
    assert hour(0) == -1.0
    assert hour(NOON) == pytest.approx(0.0)
    assert hour(2 * NOON) == pytest.approx(0.5)
    hours = [hour(moves) for moves in range(200)]
    assert hours == sorted(hours)
    assert max(later - sooner for sooner, later in pairwise(hours)) < 0.06


def test_it_is_always_noon_at_first_and_where_motion_is_reduced() -> None:
    usual = Settings()
    assert usual.colours_after(40) == usual.colours
    assert usual.with_(drift=True).colours_after(40).hour == pytest.approx(hour(40))
    assert usual.with_(drift=True, reduced=True).colours_after(40) == usual.colours


def test_a_move_brings_it_on_and_no_picture_is_drawn_for_it(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.change(drift=True)
    page = hand.start("span")
    hand.choose("Aa1", "Ab2")
    assert len(hand.moves) == 2
    assert page.signs.picture(hand.now, 1.7).theme.hour == pytest.approx(hour(2))
    hand.point(5, 715)
    hand.wait(2.0)
    drawn: list[float] = []
    monkeypatch.setattr(hand, "draw", lambda: drawn.append(hand.now))
    hand.wait(60.0)
    assert not drawn
    hand.key("ctrl+z")
    assert page.signs.picture(hand.now, 1.7).theme.hour == pytest.approx(hour(1))
