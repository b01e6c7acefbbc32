"""Deprecation warnings for documented names that have been renamed; the old names work for one more version."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar


def warn_renamed(old: str, new: str) -> None:
    """Warn that ``old`` is now called ``new``.

    The warning points to the caller of the function that calls this one.
    """
    warnings.warn(f"{old} is now called {new}", DeprecationWarning, stacklevel=3)


class FormerNames:
    """Base class of objects with renamed public attributes: the old names still work, with a warning."""

    __slots__ = ()

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {}
    """Map from the former names of attributes to the current ones."""

    if not TYPE_CHECKING:  # otherwise, type checkers would accept every attribute

        def __getattr__(self, name: str) -> Any:
            """Return the attribute that was formerly called ``name``, and warn that it has been renamed.

            Raises AttributeError if no attribute had this name.
            """
            current = type(self).FORMER_NAMES.get(name)
            if current is None:  # this raises the usual error, or again the one that a property raised
                return object.__getattribute__(self, name)
            warn_renamed(name, current)
            return getattr(self, current)
