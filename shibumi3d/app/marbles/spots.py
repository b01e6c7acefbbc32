"""Clickable places on a board."""

from __future__ import annotations

from typing import NamedTuple


class Spot(NamedTuple):
    """Clickable place: a point or, if ``side`` isn't -1, the entry to that point over that side."""

    board: int
    point: int
    side: int = -1
