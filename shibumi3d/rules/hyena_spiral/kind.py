"""The kind of game for Hyena Spiral, with its parameters under ``table:`` in a game file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.hyena_spiral.numbers import CHOICES, read
from shibumi3d.rules.plain import PlainKind

if TYPE_CHECKING:
    from shibumi3d.rules.hyena_spiral.game import HyenaGame


def _game() -> type[HyenaGame]:
    from shibumi3d.rules.hyena_spiral.game import HyenaGame

    return HyenaGame


KIND = PlainKind(read, _game, CHOICES)
KEYS, make, check = KIND.KEYS, KIND.make, KIND.check
