"""Playout settings: the stored values, and those tried in matches between players."""

from __future__ import annotations

from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.search.playout_settings import (
    SETTINGS_CACHE_KEY,
    PlayoutSettings,
    get_playout_settings,
    parse_settings_line,
    stored_settings,
)
from tools import switches


def test_playout_settings_round_trip() -> None:
    for name, settings in stored_settings().items():
        assert parse_settings_line(settings.format_line(name)) == (name, settings)
    assert parse_settings_line("own/4/-/2 0 1.5 120 0.10 -")[1].cut_players_share < 0


def test_early_cutoff_is_at_most_quarter_of_match() -> None:
    """One candidate is a quarter of the length of a match, but at least 3 and at most 8 turns.

    The candidates are numbers of turns after which playouts may be cut. If this candidate is more than 4 turns, 4 turns
    is a second one. The length of a match is estimated as a quarter of ``max_playout_turns``. This limit is four times
    the usual length of a match, but at least 40.
    """
    assert PlayoutSettings(max_playout_turns=120).candidate_playout_turns == (4, 7)
    assert PlayoutSettings(max_playout_turns=64).candidate_playout_turns == (4,)
    assert PlayoutSettings(max_playout_turns=40).candidate_playout_turns == (3,)
    assert PlayoutSettings(max_playout_turns=400).candidate_playout_turns == (4, 8)


@pytest.mark.parametrize(
    ("telling", "shares", "cut"),
    [
        ("0.10", {4: 0.5, 7: 0.54}, 0),  # not clearly better, and the lead predicts nothing
        ("0.10", {4: 0.5, 7: 0.56}, 7),
        ("0.30", {4: 0.5, 7: 0.48}, 4),  # the lead predicts the winner, so being as good is enough
        ("0.30", {4: 0.4, 7: 0.48}, 0),
    ],
)
def test_playout_settings_are_chosen_by_matches(
    telling: str, shares: dict[int, float], cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = 7 if float(telling) >= 0.25 else 0
    row = f"spline/4/-/2 {before} 1.5 120 {telling} -"
    game = shibumi3d.game("spline")
    monkeypatch.setattr(switches, "measure_playout_settings", lambda game, seats: parse_settings_line(row)[1])
    monkeypatch.setattr(switches, "share", lambda game, one, other: shares[one.playout_turns])
    name, found = parse_settings_line(switches.line(game, 2))
    assert (name, found.playout_turns, found.cut_players_share) == ("spline/4/-/2", cut, max(shares.values()))
    assert switches.line(game, 2, tries=False) == row


def test_shorter_playouts_allow_more_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping playouts after four turns saves three quarters of the time, so four times as many are run.

    A match is assumed to take 32 turns, a quarter of ``max_playout_turns``. On average, half of these turns, 16, are
    still ahead when a playout begins. A shortened playout plays only four of them.
    """
    game: Any = shibumi3d.game("spline")
    whole = switches.playing(PlayoutSettings(max_playout_turns=128), 1)
    early = switches.playing(PlayoutSettings(playout_turns=4, max_playout_turns=128), 1)
    assert whole.level is not None
    assert early.level is not None
    assert early.level.iterations == 4 * whole.level.iterations
    monkeypatch.setitem(game.cache, (SETTINGS_CACHE_KEY, 2), get_playout_settings(game, 2))
    early.choose(game, game.observe(game.start(), 0), seat=0)
    assert get_playout_settings(game, 2).playout_turns == 4
