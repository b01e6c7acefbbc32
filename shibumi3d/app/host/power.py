"""Detection of whether the computer runs on battery power."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

from shibumi3d import files

SUPPLIES = Path("/sys/class/power_supply")


LONGEST = 64
"""Maximum number of bytes read from a file that describes a power supply."""


def on_battery() -> bool:
    """Return whether the computer is known to run on battery power."""
    if sys.platform == "win32":
        status = ctypes.create_string_buffer(12)
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(status)) and status.raw[0] == 0
    return any(_word(supply / "status") == "Discharging" for supply in SUPPLIES.glob("BAT*"))


def _word(path: Path) -> str:
    try:
        return files.read(path, LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""
