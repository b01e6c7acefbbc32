"""Observations as arrays of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Game, Numbered

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def planes(game: Game, view: State, seat: int) -> npt.NDArray[np.float32]:
    """Return what ``seat`` sees of ``view`` as an array.

    Its shape is the same throughout a match. The meaning of the numbers is documented in docs/research.md and in the
    method ``figures`` of each kind of game. Raises Unusable for a game without such numbers.
    """
    if not isinstance(game, Numbered):
        raise Unusable("{game} can't be observed as numbers", game=game.title)
    shape, values = game.figures(view, seat)
    return np.array(values, np.float32).reshape(shape)
