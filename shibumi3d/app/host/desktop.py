"""Desktop integration: battery status, names of new files, and texts of the desktop entry."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from shibumi3d import files
from shibumi3d.i18n import N_, translate_all

MATCH_FILE_SUFFIX = ".shibumi3d.yaml"
"""Suffix of exported match files."""


def desktop_entry_texts() -> dict[str, dict[str, str]]:
    """Return the texts of the desktop entry by key. Each text is a mapping by language code.

    ``kind`` is the generic name of the program, ``what`` the comment, ``words`` the search keywords, and ``match`` the
    name of the file type.
    """
    return {
        "kind": translate_all(N_("Board games")),
        "what": translate_all(N_("Play marble stacking games and other board games, alone or together")),
        "words": translate_all(N_("board;games;marbles;pyramid;puzzle;")),
        "match": translate_all(N_("Saved Shibumi 3D game")),
    }


def new_picture_path(folder: Path, title: str, suffix: str) -> Path:
    """Return the path of a new file in ``folder``, named after ``title`` and the current time.

    The folder is created if it doesn't exist. Raises OSError if that fails.
    """
    files.make_folder(folder)
    return files.unused_path(folder, title, f" {datetime.now():%Y-%m-%d %H.%M.%S}.{suffix}")


def open_folder(folder: Path) -> bool:
    """Open ``folder`` in the system's file manager; return whether there is one."""
    if sys.platform == "win32":
        os.startfile(folder)
        return True
    command = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if command is None:
        return False
    subprocess.Popen(
        [command, str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return True


POWER_SUPPLY_FOLDER = Path("/sys/class/power_supply")


MAX_STATUS_BYTES = 64
"""Maximum number of bytes read from a file that describes a power supply."""


def is_on_battery() -> bool:
    """Return whether the computer is known to run on battery power."""
    if sys.platform == "win32":
        status = ctypes.create_string_buffer(12)
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(status)) and status.raw[0] == 0
    return any(_read_word(supply / "status") == "Discharging" for supply in POWER_SUPPLY_FOLDER.glob("BAT*"))


def _read_word(path: Path) -> str:
    try:
        return files.read(path, MAX_STATUS_BYTES).decode("ascii", "replace").strip()
    except OSError:
        return ""
