"""Paths of the bundled files (in a checkout, an editable install or a wheel) and of the cache."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DATA_FOLDERS = ("games", "shaders", "models")


def data_root() -> Traversable:
    """Return the folder that contains a subfolder for each of :data:`DATA_FOLDERS`.

    It isn't necessarily a real path, so callers can use only the methods of ``Traversable``.
    """
    top = Path(__file__).resolve().parent.parent
    if (top / "pyproject.toml").is_file() and all((top / kind).is_dir() for kind in DATA_FOLDERS):
        return top
    return _package_root() / "_data"


def launch_command() -> list[str]:
    """Return the command for starting this program in another process."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "shibumi3d"]


def cache_folder() -> Path:
    """Return the folder for files that can be recreated (on Linux ``~/.cache/shibumi3d``)."""
    from platformdirs import user_cache_path

    return user_cache_path("shibumi3d", appauthor=False)


def _package_root() -> Traversable:
    from importlib.resources import files  # it loads slowly, and most commands don't need it

    return files("shibumi3d")


def catalogue_folder() -> Traversable:
    """Return the folder of the built-in games, which contains a YAML file for each of them."""
    return data_root() / "games"


def read_text(folder: str, name: str) -> str:
    """Return the text of the file ``name`` in ``folder`` (one of :data:`DATA_FOLDERS`).

    Raises FileNotFoundError if there is no such file.
    """
    return (data_root() / folder / name).read_text(encoding="utf-8")


def read_bytes(folder: str, name: str) -> bytes:
    """Return the content of the file ``name`` in ``folder`` (one of :data:`DATA_FOLDERS`).

    Raises FileNotFoundError if there is no such file.
    """
    return (data_root() / folder / name).read_bytes()
