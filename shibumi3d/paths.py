"""Finds the files that come with the program: in a checkout, an editable install or a wheel; and where it keeps
what can be made anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

KINDS = ("games", "shaders", "models")


def root() -> Traversable:
    """The folder that holds one folder a kind of :data:`KINDS`; use only what ``Traversable`` promises."""
    top = Path(__file__).resolve().parent.parent
    if (top / "pyproject.toml").is_file() and all((top / kind).is_dir() for kind in KINDS):
        return top
    return _package() / "_data"


def program() -> list[str]:
    """The command that starts this very program anew, in another process."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "shibumi3d"]


def fonts() -> Traversable:
    """The folder of the fonts."""
    return _package() / "app" / "assets" / "fonts" / "files"


def cache_folder() -> Path:
    """Return the folder for what can be made anew (on Linux ``~/.cache/shibumi3d``)."""
    from platformdirs import user_cache_path

    return user_cache_path("shibumi3d", appauthor=False)


def _package() -> Traversable:
    from importlib.resources import files  # it loads more than most commands use

    return files("shibumi3d")


def games() -> Traversable:
    """The folder of the games, one YAML file each."""
    return root() / "games"


def read_text(kind: str, name: str) -> str:
    """The text of file ``name`` of ``kind`` (one of :data:`KINDS`); FileNotFoundError when there is none."""
    return (root() / kind / name).read_text(encoding="utf-8")


def read_bytes(kind: str, name: str) -> bytes:
    """The bytes of file ``name`` of ``kind`` (one of :data:`KINDS`); FileNotFoundError when there is none."""
    return (root() / kind / name).read_bytes()
