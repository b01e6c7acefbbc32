"""Observations as arrays of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Game, Numbered


def planes(game: Game, view: Any, seat: int) -> npt.NDArray[np.float32]:
    """Return what ``seat`` sees of ``view`` as an array, whose shape is the same at every moment.

    The meaning of the numbers is given by the ``figures`` of each kind of table and in docs/research.md. Raises
    Unusable for a table without such numbers.
    """
    if not isinstance(game, Numbered):
        raise Unusable("{game} can't be observed as numbers", game=game.title)
    shape, values = game.figures(view, seat)
    return np.array(values, np.float32).reshape(shape)
