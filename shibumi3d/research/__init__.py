"""Games for learning programs of other people: environments of PettingZoo and games of OpenSpiel.

There are no rules here: choices and what is seen become numbers, and numbers become choices again.

>>> from shibumi3d.research import choices
>>> import shibumi3d
>>> numbers = choices(shibumi3d.game("spline"))
>>> numbers.number("W@Ab2"), numbers.text(15), len(numbers)
(15, 'W@Ab2', 92)
"""

from __future__ import annotations

from .numbers import Choices, choices, returns
from .seeing import planes

__all__ = ["Choices", "choices", "pettingzoo_env", "planes", "register_open_spiel", "returns"]


def __getattr__(name: str) -> object:
    """Fetch what needs a package of somebody else when it is asked for."""
    if name == "pettingzoo_env":
        from .zoo import pettingzoo_env

        return pettingzoo_env
    if name == "register_open_spiel":
        from .spiel import register_open_spiel

        return register_open_spiel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
