"""Sets up the environment of tests and of the programs they start, so that it is the same on every machine."""

from __future__ import annotations

import os
import signal
import sys
import time

DROPPED = ("PYTHON", "LC_", "LANG", "PYGLET_", "XDG_")
"""How the names of variables begin that change what programs do."""
ALSO_DROPPED = {
    *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"),
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"),  # set by git's hooks
    *("MAKEFLAGS", "MFLAGS", "MAKELEVEL"),
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"),
}
FIXED = {"LC_ALL": "C.UTF-8", "TERM": "xterm", "TZ": "UTC"}
"""The program speaks English, whatever the system does."""
LEFT_IGNORED = {"SIGPIPE", "SIGXFSZ", "SIGHUP", "SIGTSTP", "SIGTTIN", "SIGTTOU"}
"""Signals that Python itself ignores, or that whoever started the tests did not want them to have."""


def settle() -> None:
    """Set up this process, from which others take everything over."""
    for name in list(os.environ):
        if name.startswith(DROPPED) or name in ALSO_DROPPED:
            del os.environ[name]
    os.environ.update(FIXED)
    if hasattr(time, "tzset"):
        time.tzset()
    if sys.platform == "win32":
        return
    os.umask(0o022)
    # A shell lets what it runs in the background ignore Ctrl-C.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals():
        name = signal.Signals(number).name if number in set(signal.Signals) else ""
        if name and name not in LEFT_IGNORED and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
