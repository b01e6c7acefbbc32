"""Plain UCT, the baseline for players: it plays its most visited move and keeps within its limits."""

from __future__ import annotations

import shibumi3d
from shibumi3d.search.levels import find_level
from shibumi3d.search.players import Budget
from tests.search.uct import Plain, compare_players


def test_plain_uct_takes_win_and_match_is_reported() -> None:
    """Plain UCT finds an immediate win, and a comparison with sky is reported in a single line.

    In Spline on a board of size 3, three marbles in a row on level A win. White already has Aa1 and Ab1, so White wins
    at Ac1. The report covers two matches against the strongest level, sky, and names both players.
    """
    game = shibumi3d.game("spline", size=3)
    state = game.start(2)
    for move in ("W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2"):
        state, _ = game.apply(state, move)
    chosen = Plain(find_level(5), 1).choose(game, game.observe(state, 0), Budget(None, 0.05), seat=0)
    assert chosen.move == "W@Ac1"
    assert chosen.analysis.iterations > 0
    reports: list[str] = []
    compare_players(game, 2, 0.002, 1, reports.append)
    assert len(reports) == 1
    assert "plain UCT" in reports[0]
    assert "sky" in reports[0]
