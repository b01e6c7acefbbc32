"""``shibumi3d install-desktop``: install a Linux desktop entry and a file type for saved matches.

Packages for software stores contain the same files under the program's ID, with a description (AppStream metainfo).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.app.host.desktop import MATCH_FILE_SUFFIX, desktop_entry_texts, store_texts
from shibumi3d.assets import icon
from shibumi3d.cli.common import CommandError, add_command, print_line
from shibumi3d.i18n import _, localize
from shibumi3d.paths import launch_command

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

MIME_TYPE = "application/x-shibumi3d-match"
APP_ID = "org.shibumi3d.Shibumi3D"
"""ID of the program in software stores. Whoever publishes it there must own the domain, or change the ID."""
HOMEPAGE = "https://shibumi3d.org"
"""Address of the website, as shown in software stores; change it together with :data:`APP_ID`.

The pictures in ``docs/pictures/store`` must be published there.
"""
PICTURES_FOLDER = "docs/pictures/store"
PICTURES = ("1-match.webp", "2-pyramid.webp", "3-problem.webp", "4-arcanoid.webp", "5-games.webp")
PICTURE_SIZE_PX = (1280, 720)
RELEASES = (("0.1.0", "2026-11-25"),)
"""Version and date of each release in the changelog, the newest first."""
CATEGORIES = ("Game", "BoardGame")
DATABASE_TOOLS = (("update-desktop-database", "applications"), ("update-mime-database", "mime"))
"""Optional tools that update the desktop's databases, each with the folder on which it is run."""


def register(commands: Commands) -> None:
    """Add the ``install-desktop`` command."""
    parser = add_command(
        commands,
        "install-desktop",
        run,
        _("add Shibumi 3D to the applications menu, with its icon and file type (Linux)"),
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--remove", action="store_true", help=_("remove Shibumi 3D from the applications menu")
    )
    either.add_argument(
        "--package",
        type=Path,
        metavar=_("FOLDER"),
        help=_(
            "for packagers: write the files into this folder (such as /usr/share) instead of your home folder"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Install the desktop files, remove them (``--remove``), or write the files for a package (``--package``)."""
    if not sys.platform.startswith("linux"):
        raise CommandError(_("only Linux has desktop entries; on other systems, use the packaged app"))
    home = data_home()
    try:
        if args.package is not None:
            _write_files(args.package, package_files())
            return 0
        if args.remove:
            _remove_files(home)
            print_line(_("Removed from the applications menu."))
        else:
            _write_files(home, desktop_files(desktop_command()))
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
    folder = os.environ.get("XDG_DATA_HOME", "")
    return Path(folder) if os.path.isabs(folder) else Path.home() / ".local" / "share"


def desktop_command() -> list[str]:
    """Return a command that starts this installation of the program, whatever the working directory."""
    script = Path(sys.executable).with_name("shibumi3d")
    return [str(script)] if script.is_file() else launch_command()


def _write_files(folder: Path, contents: Mapping[str, str | bytes]) -> None:
    for path, content in contents.items():
        files.make_folder((folder / path).parent)
        files.write(folder / path, content)


def _remove_files(home: Path) -> None:
    for path in desktop_files([]):
        with suppress(FileNotFoundError):
            (home / path).unlink()


def desktop_files(start: list[str], name: str = "shibumi3d") -> dict[str, str | bytes]:
    """Return the desktop entry, the definition of the file type and the icons, keyed by path.

    The paths are relative to a data folder such as ``/usr/share``. ``start`` is the command that starts the program,
    and ``name`` is the base name of the files.
    """
    pngs: dict[str, str | bytes] = {
        f"icons/hicolor/{size}x{size}/apps/{name}.png": icon.png_data(size) for size in icon.PNG_SIZES_PX
    }
    return {
        f"applications/{name}.desktop": _desktop_entry(start, name),
        f"mime/packages/{name}.xml": _mime_types(name),
        f"icons/hicolor/scalable/apps/{name}.svg": icon.svg_source(),
        **pngs,
    }


def package_files() -> dict[str, str | bytes]:
    """Return the contents of the files for a software package, by path relative to the data folder.

    They are the files of :func:`desktop_files`, named after :data:`APP_ID`, and the description for software stores.
    The desktop entry starts the program with the command ``shibumi3d``.
    """
    return {
        **desktop_files(["shibumi3d"], APP_ID),
        f"metainfo/{APP_ID}.metainfo.xml": metainfo(),
    }


def metainfo() -> str:
    """Return the description for software stores, as AppStream metainfo in all languages."""
    texts, entry_texts = store_texts(), desktop_entry_texts()
    size = 'width="{}" height="{}"'.format(*PICTURE_SIZE_PX)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<component type="desktop-application">',
        f"  <id>{APP_ID}</id>",
        "  <metadata_license>CC0-1.0</metadata_license>",
        "  <project_license>MIT AND OFL-1.1</project_license>",
        "  <name>Shibumi 3D</name>",
        *_elements("summary", texts["summary"][0], 2),
        "  <developer_name>Shibumi 3D contributors</developer_name>",
        "  <description>",
        *_elements("p", texts["description"][0], 4),
        "    <ul>",
        *(line for feature in texts["features"] for line in _elements("li", feature, 6)),
        "    </ul>",
        "  </description>",
        f'  <launchable type="desktop-id">{APP_ID}.desktop</launchable>',
        f'  <url type="homepage">{HOMEPAGE}</url>',
        "  <screenshots>",
    ]
    for number, (picture, caption) in enumerate(zip(PICTURES, texts["captions"], strict=True)):
        lines += [
            "    <screenshot>" if number else '    <screenshot type="default">',
            f'      <image type="source" {size}>{HOMEPAGE}/{PICTURES_FOLDER}/{picture}</image>',
            *_elements("caption", caption, 6),
            "    </screenshot>",
        ]
    lines += ["  </screenshots>", "  <categories>"]
    lines += [f"    <category>{category}</category>" for category in CATEGORIES]
    lines += ["  </categories>", "  <keywords>"]
    for code, words in entry_texts["words"].items():
        lines += [
            f"    <keyword{_language(code)}>{escape(word)}</keyword>" for word in words.split(";") if word
        ]
    lines += [
        "  </keywords>",
        "  <provides>",
        "    <binary>shibumi3d</binary>",
        f"    <mediatype>{MIME_TYPE}</mediatype>",
        "  </provides>",
        "  <supports>",
        *(f"    <control>{control}</control>" for control in ("pointing", "keyboard", "gamepad")),
        "  </supports>",
        '  <content_rating type="oars-1.1"/>',
        "  <releases>",
        *(f'    <release version="{version}" date="{day}"/>' for version, day in RELEASES),
        "  </releases>",
        "</component>",
    ]
    return "\n".join(lines) + "\n"


def _elements(tag: str, texts: Mapping[str, str], indent: int) -> list[str]:
    """Return one line of XML for each language code in ``texts``.

    Each line is a ``tag`` element with the text, indented by ``indent`` spaces. Except for English, the element has an
    ``xml:lang`` attribute.
    """
    return [
        f"{' ' * indent}<{tag}{_language(code)}>{escape(text, quote=False)}</{tag}>"
        for code, text in texts.items()
    ]


def _language(code: str) -> str:
    """Return a space and the ``xml:lang`` attribute for a language code, or "" for English."""
    return "" if code == "en" else f' xml:lang="{code}"'


def _desktop_entry(start: list[str], name: str) -> str:
    lines = ["[Desktop Entry]", "Type=Application", "Version=1.1", "Name=Shibumi 3D"]
    texts = desktop_entry_texts()
    for key, text in (("GenericName", "kind"), ("Comment", "what"), ("Keywords", "words")):
        for code, translation in texts[text].items():
            lines.append(f"{key}{'' if code == 'en' else f'[{code}]'}={translation}")
    lines += [
        f"Exec={' '.join(map(_quote, start))} %u",
        f"Icon={name}",
        "Terminal=false",
        f"Categories={';'.join(CATEGORIES)};",
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


def _mime_types(name: str) -> str:
    comments = "\n".join(_elements("comment", desktop_entry_texts()["match"], 4))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n'
        f'  <mime-type type="{MIME_TYPE}">\n{comments}\n'
        '    <sub-class-of type="application/yaml"/>\n'
        f'    <icon name="{name}"/>\n'
        f'    <glob pattern="*{MATCH_FILE_SUFFIX}"/>\n'
        "  </mime-type>\n</mime-info>\n"
    )
