"""Places of a board to click."""

from __future__ import annotations

from typing import NamedTuple


class Spot(NamedTuple):
    """A place to click: a point, or with a ``side`` the way in over that side."""

    board: int
    point: int
    side: int = -1
