"""Where matches are kept: one record file each, in the user's data folder."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from shibumi3d.match.match import Match
from shibumi3d.match.record import Record, RecordError, load

SUFFIX = ".yaml"


@dataclass(frozen=True, slots=True)
class Saved:
    """A file in the store. ``record`` is None when it can't be read, and ``problem`` says why."""

    path: Path
    record: Record | None
    problem: str = ""


class Store:
    """A folder of matches. Files that are not records stay where they are and as they are."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder`` is by default the one that the system gives programs for the user's data."""
        self.folder = default_folder() if folder is None else folder

    def keep(self, match: Match, now: datetime) -> Path:
        """Save ``match`` from its next change on, in a new file called by the time ``now`` and the game.

        Raises OSError when the folder can't be made.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self._sweep(now)
        stem = f"{now:%Y-%m-%d %H-%M-%S} {re.sub('[^a-z0-9-]', '', match.game.id)}"
        path = self.folder / f"{stem}{SUFFIX}"
        number = 2
        while path.exists():
            path = self.folder / f"{stem} {number}{SUFFIX}"
            number += 1
        match.autosave(path, at_once=False)
        return path

    def _sweep(self, now: datetime) -> None:
        """Remove what a program that was killed while it wrote has left behind, once it is a day old."""
        for part in self.folder.glob(".*.part"):
            with suppress(OSError):
                if now.timestamp() - part.stat().st_mtime > 24 * 3600:
                    part.unlink()

    def saved(self) -> tuple[Saved, ...]:
        """Every file in the store, the last changed first."""
        found: list[tuple[float, str, Path]] = []
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.suffix == SUFFIX and not path.name.startswith("."):
                    found.append((path.stat().st_mtime, path.name, path))
        return tuple(_saved(path) for _, _, path in sorted(found, reverse=True))

    def unfinished(self) -> Saved | None:
        """The match last changed that has no result yet: the one to continue."""
        return next((s for s in self.saved() if s.record is not None and s.record.result is None), None)


def default_folder() -> Path:
    """The folder for matches among the user's data (on Linux ``~/.local/share/shibumi3d/matches``)."""
    return _user_data() / "matches"


def games_folder() -> Path:
    """The folder for game files of the user's own (on Linux ``~/.local/share/shibumi3d/games``)."""
    return _user_data() / "games"


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("shibumi3d", appauthor=False)


def _saved(path: Path) -> Saved:
    try:
        return Saved(path, load(path))
    except RecordError as error:
        return Saved(path, None, str(error))
