"""Replaying the biggest fall of a finished match from its result bar."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.loop import find_biggest_fall
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.event import Dropped
from tests.app.hand import Hand

DROP = Dropped(board=0, origin=16, point=0, colour=0)


@pytest.mark.parametrize(
    ("plies", "span"),
    [
        ([], None),
        ([(0, 2), (1, 2)], None),
        ([(0, 3)], (0, 1)),
        ([(0, 3), (1, 0), (1, 4), (2, 3)], (1, 3)),  # includes the move that caused the drops
        ([(0, 2), (0, 1), (1, 0), (2, 3), (3, 1)], (3, 4)),  # the last of several equal ones
    ],
)
def test_biggest_fall_is_found(plies: list[tuple[int, int]], span: tuple[int, int] | None) -> None:
    history: list[Any] = [SimpleNamespace(turn=turn, events=(DROP,) * drops) for turn, drops in plies]
    assert find_biggest_fall(history) == span


def test_biggest_fall_is_replayed_in_slow_motion(hand: Hand) -> None:
    entry = load_catalogue().get("spectacular-tumble")
    match, chance = Match(entry.game(), ["Ann", "Ben"], 0), random.Random(0)
    while moves := match.legal_moves():
        match.play(chance.choice(moves))
    hand.app.show_page(MarbleMatchPage(hand.app, match, entry))
    hand.wait(1)
    hand.push("more")
    hand.push("last fall")
    page = hand.page(ReplayPage)
    begin, end = page.playback.loop_range.playing_range(len(page.history))
    assert sum(isinstance(event, Dropped) for ply in page.history[begin:end] for event in ply.events) >= 3
    assert page.playback.is_playing
    assert page.playback.speed == 0.5
    seen = []
    for _ in range(80):
        hand.wait(0.4)
        seen.append(page.at_ply)
    assert set(seen) == set(range(begin, end + 1))
    first = seen.index(end)
    assert begin in seen[first:], "it begins again"
    hand.key("escape")
    assert isinstance(hand.app.current_page, MarbleMatchPage)
