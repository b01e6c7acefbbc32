"""Key for comparing states within a match."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def identity(state: State) -> Hashable:
    """Return a key that distinguishes all states of a match, even within a turn.

    The key covers everything that the rest of the match may depend on. If the match is over, it covers the position and
    the result. ``standing`` alone is not enough, because it leaves out the scores and the choices made during the turn.
    """
    return cast("Hashable", state) if state.result is None else (state.standing, state.result)
