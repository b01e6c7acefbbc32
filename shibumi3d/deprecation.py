"""Warnings about Python names that were documented and have been renamed; the old ones work for one more version."""

from __future__ import annotations

import warnings


def warn_renamed(old: str, new: str) -> None:
    """Warn the caller of the calling function that ``old`` is now called ``new``."""
    warnings.warn(f"{old} is now called {new}", DeprecationWarning, stacklevel=3)
