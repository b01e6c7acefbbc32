"""What the computer runs on."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

from shibumi3d import files

SUPPLIES = Path("/sys/class/power_supply")


LONGEST = 64
"""The most bytes of a word of the system."""


def on_battery() -> bool:
    """Return whether the computer runs on its battery, as far as the system tells."""
    if sys.platform == "win32":
        status = ctypes.create_string_buffer(12)
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(status)) and status.raw[0] == 0
    return any(_word(supply / "status") == "Discharging" for supply in SUPPLIES.glob("BAT*"))


def _word(path: Path) -> str:
    try:
        return files.read(path, LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""
