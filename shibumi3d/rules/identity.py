"""What tells moments of a match apart."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


def identity(state: Any) -> Hashable:
    """Return what tells moments of one match apart, also within a turn: all that the rest of the match may depend on,
    or, once it is over, what lies on the table and how it ended.

    ``standing`` alone does not: it leaves out what was chosen in the turn, and scores.
    """
    told: Hashable = state if state.result is None else (state.standing, state.result)
    return told
