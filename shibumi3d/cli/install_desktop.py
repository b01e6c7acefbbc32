"""``shibumi3d install-desktop``: install a Linux desktop entry and a file type for saved matches."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.app.host.desktop import MATCH_FILE_SUFFIX, desktop_entry_texts
from shibumi3d.assets import icon
from shibumi3d.cli.common import CommandError, add_command, print_line
from shibumi3d.i18n import _, localize
from shibumi3d.paths import launch_command

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

MIME_TYPE = "application/x-shibumi3d-match"
DATABASE_TOOLS = (("update-desktop-database", "applications"), ("update-mime-database", "mime"))
"""Optional tools that update the desktop's databases, each with the folder to call it on."""


def register(commands: Commands) -> None:
    """Add the ``install-desktop`` command."""
    parser = add_command(
        commands,
        "install-desktop",
        run,
        _("add Shibumi 3D to the applications menu, with its icon and file type (Linux)"),
    )
    parser.add_argument("--remove", action="store_true", help=_("remove it again"))


def run(args: argparse.Namespace) -> int:
    """Install the desktop files, or remove them with ``--remove``."""
    if not sys.platform.startswith("linux"):
        raise CommandError(
            _("desktop entries are only for Linux; on other systems, the packaged app brings its own")
        )
    home = data_home()
    try:
        if args.remove:
            _remove_files(home)
            print_line(_("Removed from the applications menu."))
        else:
            for path, text in desktop_files(desktop_command()).items():
                files.make_folder((home / path).parent)
                files.write(home / path, text)
            print_line(_("Added to the applications menu."))
    except OSError as problem:
        raise CommandError(f"{problem.filename}: {localize(problem)}") from None
    for tool, folder in DATABASE_TOOLS:
        if shutil.which(tool) and (home / folder).is_dir():
            subprocess.run([tool, str(home / folder)], capture_output=True, check=False)
    return 0


def data_home() -> Path:
    """Return the folder for the user's data files.

    It is ``XDG_DATA_HOME`` if that is an absolute path, else ``~/.local/share``.
    """
    told = os.environ.get("XDG_DATA_HOME", "")
    return Path(told) if os.path.isabs(told) else Path.home() / ".local" / "share"


def desktop_command() -> list[str]:
    """Return a command that starts this installation of the program, whatever the working directory."""
    script = Path(sys.executable).with_name("shibumi3d")
    return [str(script)] if script.is_file() else launch_command()


def _remove_files(home: Path) -> None:
    for path in desktop_files([]):
        with suppress(FileNotFoundError):
            (home / path).unlink()


def desktop_files(start: list[str]) -> dict[str, str]:
    """Return the contents of the desktop files, by path below the data folder.

    ``start`` is the command that starts the program.
    """
    return {
        "applications/shibumi3d.desktop": _desktop_entry(start),
        "mime/packages/shibumi3d.xml": _mime_types(),
        "icons/hicolor/scalable/apps/shibumi3d.svg": icon.svg_source(),
    }


def _desktop_entry(start: list[str]) -> str:
    lines = ["[Desktop Entry]", "Type=Application", "Version=1.1", "Name=Shibumi 3D"]
    said = desktop_entry_texts()
    for key, name in (("GenericName", "kind"), ("Comment", "what"), ("Keywords", "words")):
        for code, told in said[name].items():
            lines.append(f"{key}{'' if code == 'en' else f'[{code}]'}={told}")
    lines += [
        f"Exec={' '.join(map(_quote, start))} %u",
        "Icon=shibumi3d",
        "Terminal=false",
        "Categories=Game;BoardGame;",
        f"MimeType={MIME_TYPE};x-scheme-handler/shibumi3d;",
        "StartupWMClass=Shibumi 3D",
    ]
    return "\n".join(lines) + "\n"


def _quote(word: str) -> str:
    """Quote a word of a command for the Exec key (Desktop Entry Specification 1.5)."""
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    # Values are escaped once more, and a single % would start a field code.
    return f'"{word}"'.replace("\\", "\\\\").replace("%", "%%")


def _mime_types() -> str:
    comments = []
    for code, told in desktop_entry_texts()["match"].items():
        lang = "" if code == "en" else f' xml:lang="{code}"'
        comments.append(f"    <comment{lang}>{escape(told, quote=False)}</comment>\n")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n'
        f'  <mime-type type="{MIME_TYPE}">\n{"".join(comments)}'
        '    <sub-class-of type="application/yaml"/>\n'
        '    <icon name="shibumi3d"/>\n'
        f'    <glob pattern="*{MATCH_FILE_SUFFIX}"/>\n'
        "  </mime-type>\n</mime-info>\n"
    )
