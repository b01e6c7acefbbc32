"""Set up the environment of tests and of the programs they start, so that it is the same on every machine."""

from __future__ import annotations

import os
import signal
import sys
import time

DROPPED = ("PYTHON", "LC_", "LANG", "PYGLET_", "XDG_")
"""Prefixes of the environment variables that are removed because they change how programs behave."""
ALSO_DROPPED = {
    *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"),
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"),  # set by git's hooks
    *("MAKEFLAGS", "MFLAGS", "MAKELEVEL"),
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"),
}
FIXED = {"LC_ALL": "C.UTF-8", "TERM": "xterm", "TZ": "UTC"}
"""Variables that are set, so that the language, terminal and time zone are the same on every system."""
LEFT_IGNORED = {"SIGPIPE", "SIGXFSZ", "SIGHUP", "SIGTSTP", "SIGTTIN", "SIGTTOU"}
"""Signals that stay ignored: Python itself or whatever started the tests ignores them on purpose."""


def settle() -> None:
    """Give this process and the processes it starts the same surroundings on every machine.

    Environment variables that change how programs behave are removed, and those in :data:`FIXED` are set. The umask is
    set to 022, all signals are unblocked, and ignored signals are handled again, except those in :data:`LEFT_IGNORED`.
    On Windows, only the environment variables are changed.
    """
    for name in list(os.environ):
        if name.startswith(DROPPED) or name in ALSO_DROPPED:
            del os.environ[name]
    os.environ.update(FIXED)
    if hasattr(time, "tzset"):
        time.tzset()
    if sys.platform == "win32":
        return
    os.umask(0o022)
    # Shells make background jobs ignore Ctrl-C.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals():
        name = signal.Signals(number).name if number in set(signal.Signals) else ""
        if name and name not in LEFT_IGNORED and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
