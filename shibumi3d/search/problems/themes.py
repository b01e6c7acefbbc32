"""What a problem is about, by test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shibumi3d.search.problems.candidates import Candidate, Turn, after
from shibumi3d.search.problems.proofs import wins_at_once


def themes(
    spot: Candidate, kind: str, line: Sequence[Turn], lost_at_once: int, wrong: int
) -> tuple[str, ...]:
    """Return what a problem is about, by test: names of :data:`shibumi3d.catalogue.problems.THEMES`."""
    game, seat = spot.game, spot.seat
    events: list[Any] = []
    state = spot.state
    for move in line[0]:
        state, happened = game.apply(state, move)
        events += happened
    names = {type(event).__name__ for event in events}
    found = []
    if kind != "hold" and len(line) == 1:
        found.append("at-once")
    if len(line) == 3 and state.result is None:
        there = after(game, state, line[1])
        if there.result is None and there.to_move == seat and len(wins_at_once(game, there, seat)) > 1:
            found.append("double")
    if len(line) > 1 and wrong and 2 * lost_at_once > wrong:
        found.append("block")
    if names & {"Captured"}:
        found.append("capture")
    if names & {"Dropped", "SideDropped"}:
        found.append("fall")
    if kind == "hold":
        found.append("draw")
    return tuple(found)
