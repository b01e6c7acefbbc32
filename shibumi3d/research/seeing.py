"""What is seen, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Game, Numbered


def planes(game: Game, view: Any, seat: int) -> npt.NDArray[np.float32]:
    """Return what ``seat`` sees of ``view`` as numbers; the shape is the same at every moment.

    What they mean each kind of table says of its ``figures``; docs/research.md tells it too. Raises Unusable for a
    table whose sight is not told in numbers.
    """
    if not isinstance(game, Numbered):
        raise Unusable("what is seen of {game} is not told in numbers", game=game.title)
    shape, values = game.figures(view, seat)
    return np.array(values, np.float32).reshape(shape)
