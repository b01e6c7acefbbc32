"""Comparison of states within a match."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


def identity(state: Any) -> Hashable:
    """Return a key that distinguishes the states of one match, even within a turn.

    The key covers everything that the rest of the match may depend on; after the end, it covers the position and the
    result. ``standing`` alone is not enough: it leaves out the choices made during the turn, and the scores.
    """
    told: Hashable = state if state.result is None else (state.standing, state.result)
    return told
