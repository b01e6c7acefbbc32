"""Keys and buttons that move the eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


SIDES = ("left", "right", "down", "up")
"""The arrows for the sides of the board, in the order of ``pyramid.SIDES``."""
