"""The light changes during a match if the setting ``drift`` is on and motion isn't reduced."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shibumi3d.app.host.settings import Settings
from shibumi3d.scene.palette import MOVES_UNTIL_NOON, time_of_day_after
from tests.app.hand import Hand


def test_light_changes_from_morning_to_noon_and_evening() -> None:
    assert time_of_day_after(0) == -1.0
    assert time_of_day_after(MOVES_UNTIL_NOON) == pytest.approx(0.0)
    assert time_of_day_after(2 * MOVES_UNTIL_NOON) == pytest.approx(0.5)
    hours = [time_of_day_after(moves) for moves in range(200)]
    assert hours == sorted(hours)
    assert max(later - sooner for sooner, later in pairwise(hours)) < 0.06


def test_light_is_fixed_by_default_and_with_reduced_motion() -> None:
    usual = Settings()
    assert usual.board_theme_after(40) == usual.board_theme
    assert usual.with_changes(drift=True).board_theme_after(40).time_of_day == pytest.approx(
        time_of_day_after(40)
    )
    assert usual.with_changes(drift=True, reduced=True).board_theme_after(40) == usual.board_theme


def test_light_changes_with_a_move_without_extra_frames(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.app.change_settings(drift=True)
    page = hand.start("span")
    hand.choose("Aa1", "Ab2")
    assert len(hand.moves) == 2
    assert page.sign_layer.make_frame(hand.now, 1.7).theme.time_of_day == pytest.approx(time_of_day_after(2))
    hand.point(5, 715)
    hand.wait(2.0)
    drawn: list[float] = []
    monkeypatch.setattr(hand, "draw", lambda: drawn.append(hand.now))
    hand.wait(60.0)
    assert not drawn
    hand.key("ctrl+z")
    assert page.sign_layer.make_frame(hand.now, 1.7).theme.time_of_day == pytest.approx(time_of_day_after(1))
