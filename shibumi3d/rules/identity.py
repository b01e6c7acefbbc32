"""What tells moments of a match apart."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def identity(state: State) -> Hashable:
    """Return what tells moments of one match apart, also within a turn: all that the rest of the match may depend on,
    or, once it is over, what lies on the table and how it ended.

    ``standing`` alone does not: it leaves out what was chosen in the turn, and scores.
    """
    return state if state.result is None else (state.standing, state.result)
