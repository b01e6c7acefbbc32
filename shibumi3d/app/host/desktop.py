"""Desktop integration: folders, battery status, and texts for the desktop entry and software stores."""

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
    """Return the texts of the desktop entry by key.

    Each value maps language codes to translations. ``kind`` is the generic name of the program, ``what`` the comment,
    ``words`` the search keywords, and ``match`` the name of the file type.
    """
    return {
        "kind": translate_all(N_("Board games")),
        "what": translate_all(N_("Play marble-stacking games and other board games, alone or together")),
        "words": translate_all(N_("board;games;marbles;pyramid;puzzle;")),
        "match": translate_all(N_("Saved Shibumi 3D game")),
    }


def store_texts() -> dict[str, list[dict[str, str]]]:
    """Return the texts of the program's page in a software store, by key.

    Each key has a list of texts, and each text is a dictionary that maps language codes to translations. ``summary`` is
    a single line and ``description`` a single paragraph; ``features`` are bullet points, and ``captions`` belong to the
    pictures in ``docs/pictures/store``, in the order of their file names.
    """
    return {
        "summary": [translate_all(N_("Marble games on a pyramid, in 3D"))],
        "description": [
            translate_all(
                N_(
                    "Stack marbles in three colours on a board with sixteen holes and play a whole family of games "
                    "with them: make lines, connect sides, capture marbles, or solve puzzles on your own. Three more "
                    "games need no marbles: a race on a spiral, a duel of secret numbers and a battle of tarot cards."
                )
            )
        ],
        "features": [
            translate_all(N_("The board shows what you can do, and what will happen if you do it")),
            translate_all(
                N_("Fair computer players from beginner to expert: they never see hidden information")
            ),
            translate_all(
                N_("Problems and solo puzzles, all proved to be solvable, with new ones every day")
            ),
            translate_all(N_("Play on one screen, or by post: each turn is a link in a message")),
            translate_all(N_("Everything works with the mouse, the keyboard, a gamepad or a screen reader")),
            translate_all(N_("Change the rules or write your own games: each fits in one small file")),
            translate_all(N_("No account, no ads, no internet needed")),
        ],
        "captions": [
            translate_all(N_("A finished match of Spline")),
            translate_all(N_("The full pyramid of Spectacular Tumble")),
            translate_all(N_("A problem with exactly one solution")),
            translate_all(N_("Arcanoid, a battle of tarot cards")),
            translate_all(N_("The list of games, with one ready to play")),
        ],
    }


def new_picture_path(folder: Path, title: str, suffix: str) -> Path:
    """Return an unused path in ``folder`` for a file named after ``title`` and the current time.

    The folder is created if it doesn't exist. Raises OSError if that fails.
    """
    files.make_folder(folder)
    return files.unused_path(folder, title, f" {datetime.now():%Y-%m-%d %H.%M.%S}.{suffix}")


def open_folder(folder: Path) -> bool:
    """Open ``folder`` in the system's file manager; return whether there is a command for that."""
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
    """Return whether the computer is known to run on battery power.

    The result is always False on macOS.
    """
    if sys.platform == "win32":
        status = ctypes.create_string_buffer(12)
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(status)) and status.raw[0] == 0
    return any(_read_word(supply / "status") == "Discharging" for supply in POWER_SUPPLY_FOLDER.glob("BAT*"))


def _read_word(path: Path) -> str:
    try:
        return files.read(path, MAX_STATUS_BYTES).decode("ascii", "replace").strip()
    except OSError:
        return ""
