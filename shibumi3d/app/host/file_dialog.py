"""The system's file dialog, for choosing a file to open or to save.

On Linux, the dialog comes from the desktop portal (https://flatpak.github.io/xdg-desktop-portal/docs/, FileChooser) or,
failing that, from zenity or kdialog; on Windows and macOS, it is shown by a program that comes with the system. The
dialog belongs to another process, and :func:`ask_for_file` is called in a thread, so the window never waits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from shibumi3d.i18n import _

OPENED_PATTERNS = ("*.yaml", "*.yml", "*.txt")
"""Glob patterns for the names of files that the program can open."""
POLL_SECONDS = 0.1
"""Interval at which to check whether the dialog has been closed, in seconds."""
PORTAL_TIMEOUT_SECONDS = 25.0
"""Maximum time to wait for the answer to a D-Bus call, in seconds."""
PORTAL = "org.freedesktop.portal"
CANCELLED_STATUS = 1
"""Exit status of each of the programs below if the user cancels."""


class NoFileDialogError(Exception):
    """Raised if the system has no usable file dialog."""


class FileRequest(NamedTuple):
    """Request to choose a file to open or, if ``name`` is given, to choose where to save a file.

    ``name`` is the suggested name, ``folder`` is where the dialog starts, and ``parent`` is the X11 window over which
    it opens, or 0.
    """

    title: str
    folder: Path
    name: str = ""
    parent: int = 0


def ask_for_file(request: FileRequest, cancelled: threading.Event) -> Path | None:
    """Show a dialog and wait until it is closed; return the chosen path, or None if no file was chosen.

    Setting ``cancelled`` closes the dialog. Raises :class:`NoFileDialogError` if no dialog can be shown.
    """
    for ask in _dialogs():
        try:
            return ask(request, cancelled)
        except NoFileDialogError:
            continue
    raise NoFileDialogError


def _dialogs() -> Iterator[Callable[[FileRequest, threading.Event], Path | None]]:
    """Yield functions that show a file dialog on this system, in order of preference."""
    if sys.platform.startswith("linux"):
        yield _ask_portal
    for name, make_command in _programs():
        if program := shutil.which(name):
            yield partial(_ask_program, program, make_command)


# Programs


def _programs() -> Sequence[tuple[str, Callable[[FileRequest], list[str]]]]:
    """Return the programs that can show a dialog, in order of preference.

    Each is paired with a function that makes the program's command-line arguments. The commands for Windows and macOS
    were written from their documentation and haven't been tested.
    """
    if sys.platform == "win32":
        return [("powershell", _powershell_arguments)]
    if sys.platform == "darwin":
        return [("osascript", _osascript_arguments)]
    programs = ("zenity", _zenity_arguments), ("kdialog", _kdialog_arguments)
    return programs[::-1] if "KDE" in os.environ.get("XDG_CURRENT_DESKTOP", "") else programs


def _zenity_arguments(request: FileRequest) -> list[str]:
    arguments = ["--file-selection", f"--title={request.title}"]
    if request.name:
        path = request.folder / request.name
        return [*arguments, "--save", "--confirm-overwrite", f"--filename={path}"]
    return [
        *arguments,
        f"--filename={request.folder}{os.sep}",
        f"--file-filter={_('Shibumi 3D files')} | {' '.join(OPENED_PATTERNS)}",
        f"--file-filter={_('All files')} | *",
    ]


def _kdialog_arguments(request: FileRequest) -> list[str]:
    arguments = ["--title", request.title]
    if request.parent:
        arguments += ["--attach", str(request.parent)]
    if request.name:
        return [*arguments, "--getsavefilename", str(request.folder / request.name)]
    filters = f"{_('Shibumi 3D files')} ({' '.join(OPENED_PATTERNS)})\n{_('All files')} (*)"
    return [*arguments, "--getopenfilename", str(request.folder), filters]


def _osascript_arguments(request: FileRequest) -> list[str]:
    ask = "choose file name" if request.name else "choose file"
    ask += " with prompt (item 1 of argv) default location POSIX file (item 2 of argv)"
    ask += " default name (item 3 of argv)" if request.name else ""
    lines = ("on run argv", f"return POSIX path of ({ask})", "end run")
    script = [word for line in lines for word in ("-e", line)]
    return [*script, request.title, str(request.folder), request.name]


def _powershell_arguments(request: FileRequest) -> list[str]:
    def quote(text: object) -> str:
        return "'{}'".format(str(text).replace("'", "''"))

    files = f"{_('Shibumi 3D files')}|{';'.join(OPENED_PATTERNS)}|"
    lines = [
        "Add-Type -AssemblyName System.Windows.Forms",
        "[Console]::OutputEncoding = [System.Text.Encoding]::UTF8",
        f"$dialog = New-Object System.Windows.Forms.{'Save' if request.name else 'Open'}FileDialog",
        f"$dialog.Title = {quote(request.title)}",
        f"$dialog.InitialDirectory = {quote(request.folder)}",
        f"$dialog.FileName = {quote(request.name)}",
        f"$dialog.Filter = {quote(('' if request.name else files) + _('All files') + '|*.*')}",
        "$owner = New-Object System.Windows.Forms.Form -Property @{TopMost = $true}",
        f"if ($dialog.ShowDialog($owner) -ne 'OK') {{ exit {CANCELLED_STATUS} }}",
        "[Console]::Out.Write($dialog.FileName)",
    ]
    return ["-NoProfile", "-STA", "-Command", "; ".join(lines)]


def _ask_program(
    program: str,
    make_arguments: Callable[[FileRequest], list[str]],
    request: FileRequest,
    cancelled: threading.Event,
) -> Path | None:
    """Run a program that shows a dialog and prints the chosen path; return the path, or None if the user cancels.

    Setting ``cancelled`` ends the program, and the result is None. Raises :class:`NoFileDialogError` if the program
    fails.
    """
    try:
        process = subprocess.Popen(
            [program, *make_arguments(request)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        raise NoFileDialogError from None
    while True:
        try:
            output, _unused = process.communicate(timeout=POLL_SECONDS)
            break
        except subprocess.TimeoutExpired:
            if cancelled.is_set():
                process.terminate()
                process.communicate()
                return None
    path = output.removesuffix(b"\n").removesuffix(b"\r")
    if process.returncode == 0 and path:
        return Path(os.fsdecode(path))
    if process.returncode == CANCELLED_STATUS or cancelled.is_set():
        return None
    raise NoFileDialogError


# The desktop portal


def _ask_portal(request: FileRequest, cancelled: threading.Event) -> Path | None:
    try:
        from jeepney import DBusErrorResponse
        from jeepney.io.blocking import open_dbus_connection
    except ImportError:
        raise NoFileDialogError from None
    try:
        with open_dbus_connection("SESSION") as connection:
            return _ask_portal_on(connection, request, cancelled)
    except (DBusErrorResponse, OSError, KeyError, EOFError, ValueError, TimeoutError):
        # There is no session bus, no portal on it, or a portal without file dialogs.
        raise NoFileDialogError from None


def _ask_portal_on(connection: Any, request: FileRequest, cancelled: threading.Event) -> Path | None:
    """Show the portal's dialog and return the chosen path, or None if no file was chosen or the portal exited.

    ``connection`` is a connection to the session bus. Setting ``cancelled`` closes the dialog. Raises
    :class:`NoFileDialogError` if the chosen file isn't on this computer.
    """
    from jeepney import DBusAddress, MatchRule, message_bus, new_method_call
    from jeepney.wrappers import unwrap_msg

    token = f"shibumi3d{uuid.uuid4().hex}"
    sender = connection.unique_name.removeprefix(":").replace(".", "_")
    handle = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"
    response = MatchRule(type="signal", interface=f"{PORTAL}.Request", member="Response", path=handle)
    # The portal may also crash while its dialog is open.
    loss = MatchRule(type="signal", interface=message_bus.interface, member="NameOwnerChanged")
    loss.add_arg_condition(0, f"{PORTAL}.Desktop")

    def call(message: object) -> None:
        unwrap_msg(connection.send_and_get_reply(message, timeout=PORTAL_TIMEOUT_SECONDS))

    for rule in (response, loss):
        call(message_bus.AddMatch(rule.serialise()))
    portal = DBusAddress(
        "/org/freedesktop/portal/desktop", f"{PORTAL}.Desktop", interface=f"{PORTAL}.FileChooser"
    )
    parent = f"x11:{request.parent:x}" if request.parent else ""
    method = "SaveFile" if request.name else "OpenFile"
    options = portal_options(request, token)
    with (
        connection.filter(response) as signals,
        connection.filter(loss, queue=signals),
    ):
        call(new_method_call(portal, method, "ssa{sv}", (parent, request.title, options)))
        while True:
            try:
                signal = connection.recv_until_filtered(signals, timeout=POLL_SECONDS).body
            except TimeoutError:
                if cancelled.is_set():
                    opened = DBusAddress(handle, f"{PORTAL}.Desktop", interface=f"{PORTAL}.Request")
                    connection.send(new_method_call(opened, "Close"))
                    return None
                continue
            if len(signal) == 2:
                break
            if not signal[2]:  # the new owner of the portal's name
                return None
    status, results = signal
    uris = results.get("uris", ("as", []))[1]
    if status != 0 or not uris:
        return None
    path = path_of_uri(uris[0])
    if path is None:
        raise NoFileDialogError  # the file isn't on this computer
    return path


def portal_options(request: FileRequest, token: str) -> dict[str, tuple[str, object]]:
    """Return the options for the D-Bus call that opens the desktop portal's file dialog.

    ``token`` identifies the request. Each option is a pair of its D-Bus type and its value.
    """
    options: dict[str, tuple[str, object]] = {
        "handle_token": ("s", token),
        "modal": ("b", True),
        "current_folder": ("ay", os.fsencode(request.folder) + b"\0"),
    }
    if request.name:
        options["current_name"] = ("s", request.name)
    else:
        # Each pattern has the type 0, for a name with wildcards.
        options["filters"] = (
            "a(sa(us))",
            [
                (_("Shibumi 3D files"), [(0, pattern) for pattern in OPENED_PATTERNS]),
                (_("All files"), [(0, "*")]),
            ],
        )
    return options


def path_of_uri(uri: str) -> Path | None:
    """Return the path of a ``file:`` URI, ignoring its host, or None for any other URI."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or not parts.path:
        return None
    return Path(os.fsdecode(unquote_to_bytes(parts.path)))
