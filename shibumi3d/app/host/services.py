"""Services outside the application: time, clipboard, sound and folders."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from .desktop import open_folder
from .file_dialog import FileRequest, ask_for_file
from .sound import AudioOutput

Scheduler = Callable[[float, Callable[[], None]], None]
"""Function ``schedule(seconds, callback)`` that calls ``callback`` after a delay."""


def _pictures_folder() -> Path:
    return Path(platformdirs.user_pictures_dir()) / "Shibumi 3D"


@dataclass
class Services:
    """Services from outside the application, such as the clipboard.

    Most fields are read each time they are needed, so tests can replace them while the application is running.
    ``audio`` and ``cache_folder`` are read once, when the application is created.
    """

    config_folder: Path
    """Folder that contains the settings."""
    clock: Callable[[], float]
    """Function that returns the current time in seconds."""
    schedule: Scheduler
    audio: AudioOutput
    on_close: Callable[[], None]
    """Called when the user closes the program."""
    toggle_fullscreen: Callable[[], None]
    write_clipboard: Callable[[str], None]
    read_clipboard: Callable[[], object]
    """Function that returns the content of the clipboard, which isn't necessarily text."""
    on_rest: Callable[[dict[str, object]], None] | None = None
    """Called with a description of the screen after each frame without motion, for tests."""
    pixel_density: float = 1.0
    """Pixels per logical pixel at a scale of 100%."""
    screen_size: tuple[int, int] = (0, 0)
    """Size of the screen in pixels; (0, 0) if unknown."""
    cache_folder: Path | None = None
    """Folder for cached thumbnails, or None to show none."""
    pictures_folder: Path = field(default_factory=_pictures_folder)
    """Folder for screenshots and exported pictures."""
    open_folder: Callable[[Path], bool] = open_folder
    """Function that opens a folder in the system's file manager; it returns false if there is none."""
    ask_for_file: Callable[[FileRequest, threading.Event], Path | None] = ask_for_file
    """Function that shows the system's file dialog and returns the chosen path, or None if no file was chosen.

    It waits until the dialog is closed, so it is called in a separate thread. Setting the event closes the dialog.
    """
    get_window_id: Callable[[], int] = int
    """Function that returns the ID of the X11 window, or 0 if the system doesn't use X11."""
    log_path: Path | None = None
    """Path of the error log, or None if there is none."""
