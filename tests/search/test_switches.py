"""How playouts go: what the file says, and what is tried in matches between players."""

from __future__ import annotations

from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.thinking.switches import KEPT, Switches, read, switches, written
from tools import switches as command


def test_lines_are_read_as_they_are_written() -> None:
    for name, told in written().items():
        assert read(told.line(name)) == (name, told)
    assert read("own/4/-/2 0 1.5 120 0.10 -")[1].share < 0


def test_early_means_a_quarter_of_a_match_or_sooner() -> None:
    """The limit is four matches."""
    assert Switches(limit=120).cuts == (4, 7)
    assert Switches(limit=64).cuts == (4,)
    assert Switches(limit=40).cuts == (3,)
    assert Switches(limit=400).cuts == (4, 8)


@pytest.mark.parametrize(
    ("telling", "shares", "cut"),
    [
        ("0.10", {4: 0.5, 7: 0.54}, 0),  # not clearly better, and the lead tells nothing
        ("0.10", {4: 0.5, 7: 0.56}, 7),
        ("0.30", {4: 0.5, 7: 0.48}, 4),  # the lead tells: as good is enough
        ("0.30", {4: 0.4, 7: 0.48}, 0),
    ],
)
def test_matches_decide(
    telling: str, shares: dict[int, float], cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = 7 if float(telling) >= 0.25 else 0
    told = f"spline/4/-/2 {before} 1.5 120 {telling} -"
    game = shibumi3d.game("spline")
    monkeypatch.setattr(command, "measured", lambda game, seats: read(told)[1])
    monkeypatch.setattr(command, "share", lambda game, one, other: shares[one.cut])
    name, found = read(command.line(game, 2))
    assert (name, found.cut, found.share) == ("spline/4/-/2", cut, max(shares.values()))
    assert command.line(game, 2, tries=False) == told


def test_short_playouts_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a match of 32 turns 16 lie ahead, four times as many as are played out."""
    game: Any = shibumi3d.game("spline")
    whole = command.playing(Switches(limit=128), 1)
    early = command.playing(Switches(cut=4, limit=128), 1)
    assert whole.level is not None
    assert early.level is not None
    assert early.level.iterations == 4 * whole.level.iterations
    monkeypatch.setitem(game.kept, (KEPT, 2), switches(game, 2))
    early.choose(game, game.view(game.start(), 0), seat=0)
    assert switches(game, 2).cut == 4
