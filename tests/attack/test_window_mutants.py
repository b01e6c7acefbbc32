"""Mutants in the window: whatever their rules, their pages and pictures can be drawn."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.catalogue import catalogue
from shibumi3d.rules.errors import GameFileError, RuleFailure
from tests.attack.mutants import Mutant, mutant

if TYPE_CHECKING:
    from tests.app.hand import Hand

SHARE = int(os.environ.get("SHIBUMI3D_ATTACK", "6"))
"""Number of games tried in every test run: by default 6, which takes about 20 s of CPU."""
STEPS = 8
KEYS = (
    "v",
    "k",
    "l",
    "t",
    "x",
    "f2",
    "f2",
    "b",
    "ctrl+z",
    "ctrl+y",
    "tab",
    "enter",
    "f6",
    "z",
    "z",
    "escape",
)


@cache
def playable_mutants(seed: int, count: int) -> list[Mutant]:
    """Return the first ``count`` mutants of game files from which a match can be started.

    ``seed`` determines the mutants, which are tried in order, beginning with number 1. Only game files that mix games
    or give each seat a board of its own are considered.
    """
    found: list[Mutant] = []
    number = 0
    while len(found) < count:
        number += 1
        one = mutant(seed, number)
        if one.kind != "game" or not (" of " in one.how or one.how.startswith("boards apart")):
            continue
        try:
            entry = catalogue.load_catalogue().parse(one.data, Path("x.yaml"))
            entry.game().start(entry.players[0], seed=1)
        except (GameFileError, RuleFailure):
            continue
        found.append(one)
    return found


@pytest.mark.parametrize("number", range(SHARE))
def test_mutant_of_several_games_is_playable(hand: Hand, tmp_path: Path, number: int) -> None:
    one = playable_mutants(11, SHARE)[number]
    path = tmp_path / "mixed.yaml"
    path.write_bytes(one.data)
    entry = catalogue.load_catalogue().open(path)
    chance = Random(number)
    hand.app.matches.start(entry, [f"Player {n + 1}" for n in range(entry.players[0])], entry.size, "", 1)
    for _ in range(STEPS):
        hand.wait(0.2)
        while hand.app.root.popups:
            if isinstance(hand.app.root.popups[-1], PrivacyScreen):
                hand.key("enter")
            else:
                hand.app.root.close_popup()
        screen = hand.app.current_page
        if not isinstance(screen, MarbleMatchPage):
            return  # its rules failed
        hand.point(chance.randrange(1280), chance.randrange(720))
        hand.draw()
        hand.click(chance.randrange(300, 900), chance.randrange(150, 600))
        hand.key(chance.choice(KEYS))
        hand.draw()
        screen = hand.app.current_page
        if (
            isinstance(screen, MarbleMatchPage)
            and screen.model.is_live
            and screen.controller.moves
            and not hand.app.root.popups
        ):
            screen.actions.play_move(chance.choice(screen.controller.moves))
