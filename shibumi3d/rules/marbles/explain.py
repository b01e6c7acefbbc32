"""Why not: a sentence for a click that does nothing, naming the marble in the way."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.state import State


def listed(names: Sequence[str]) -> str:
    """``Aa1``, ``Aa1 and Ab1``, ``Aa1, Ab1 and Ac1``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def why_not(state: State, moves: Sequence[Move], board: int, point: int) -> str:
    """Why nothing can be done at ``point`` now: what stands in the way, or what is asked for instead."""
    pyramid = state.rules.pyramid
    name = pyramid.names[point]
    if state.result is not None:
        return "The game is over."
    filled = state.filled(board)
    kinds = {move.kind for move in moves}
    puts = kinds & {"place", "set", "enter"}
    takes = kinds & {"take", "lift"}
    if not (puts or takes or "points" in kinds):
        return "No place on the board is chosen at this step."
    if filled >> point & 1:
        above = [pyramid.names[p] for p in bits(pyramid.resting[point] & filled)]
        if takes and len(above) > 1:
            return f"{name} is pinned: it holds up {listed(above)}."
        colour = next(COLOURS[c] for c, cells in enumerate(state.cells(board)) if cells >> point & 1)
        if takes:
            return f"{name}, {colour}, can't be taken up now."
        return f"{name} holds a {colour} marble already."
    if not position.playable(pyramid, filled) >> point & 1:
        missing = [pyramid.names[p] for p in bits(pyramid.supports[point] & ~filled)]
        verb = "is" if len(missing) == 1 else "are"
        return f"{name} needs four marbles below: {listed(missing)} {verb} empty."
    if state.fallen(board) & pyramid.supports[point] and "set" in kinds:
        fell = [pyramid.names[p] for p in bits(state.fallen(board) & pyramid.supports[point])]
        return f"{name} is not open: {listed(fell)} just fell."
    held = state.held
    if held is not None and held[1] == point:
        return f"{name} is where the marble came from."
    if puts:
        return f"The rules leave {name} closed this time."
    return f"{name} is empty: choose a marble." if takes else f"{name} can't be chosen now."
