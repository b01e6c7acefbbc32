"""Interfaces to machine-learning libraries: environments for PettingZoo and games for OpenSpiel.

This package has no game rules of its own. It converts moves and observations to numbers, and numbers to moves.

>>> from shibumi3d.research import choices
>>> import shibumi3d
>>> numbers = choices(shibumi3d.game("spline"))
>>> numbers.number("W@Ab2"), numbers.text(15), len(numbers)
(15, 'W@Ab2', 92)
"""

from __future__ import annotations

from .encoding import Choices, choices, planes, returns

__all__ = ["Choices", "choices", "pettingzoo_env", "planes", "register_open_spiel", "returns"]


def __getattr__(name: str) -> object:
    """Import ``pettingzoo_env`` and ``register_open_spiel`` on demand, since they need optional packages.

    Raises AttributeError for any other name.
    """
    if name == "pettingzoo_env":
        from .pettingzoo_adapter import pettingzoo_env

        return pettingzoo_env
    if name == "register_open_spiel":
        from .openspiel_adapter import register_open_spiel

        return register_open_spiel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
