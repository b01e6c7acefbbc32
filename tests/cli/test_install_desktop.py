"""The desktop entry, its icon and the file type, as read by the desktop's own tools."""

from __future__ import annotations

import configparser
import io
import shlex
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from shibumi3d.assets import icon
from shibumi3d.cli.install_desktop import desktop_files
from shibumi3d.cli.main import main

from .conftest import Run

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="desktop entries are for Linux")


def read(text: str) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser["Desktop Entry"]


def test_desktop_files_are_installed_and_removed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice over is as once; removed, no file is left, and what others put there stays."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    other = tmp_path / "applications" / "other.desktop"
    other.parent.mkdir()
    other.write_text("[Desktop Entry]\nName=Other\n", encoding="utf-8")
    for _ in range(2):
        assert run("install-desktop").out == "Added to the applications menu.\n"
    entry = read((tmp_path / "applications" / "shibumi3d.desktop").read_text(encoding="utf-8"))
    assert entry["Name"] == "Shibumi 3D"
    assert entry["GenericName[fr]"] == "Jeux de société"
    assert (tmp_path / "icons/hicolor/scalable/apps" / f"{entry['Icon']}.svg").is_file()
    assert run("--lang", "fr", "install-desktop", "--remove").out == "Retiré du menu des applications.\n"
    assert run("install-desktop", "--remove").code == 0  # nothing is left to be removed
    ours = {tmp_path / path for path in desktop_files([])}
    assert not [path for path in ours if path.exists()]
    assert other.is_file()


def test_desktop_entry_starts_an_existing_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is found without any search path, as a desktop may have another one."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run("install-desktop").code == 0
    entry = read((tmp_path / "applications" / "shibumi3d.desktop").read_text(encoding="utf-8"))
    command = shlex.split(entry["Exec"])
    assert Path(command[0]).is_file()
    assert command[-1] == "%u"


def test_command_path_is_escaped_in_the_desktop_entry(tmp_path: Path) -> None:
    """As the specification says: in quotes \\, ", ` and $ are escaped; the value is escaped once more; % is doubled."""
    text = desktop_files(['/opt/a "b" $c 5%/shibumi3d'])["applications/shibumi3d.desktop"]
    assert 'Exec="/opt/a \\\\"b\\\\" \\\\$c 5%%/shibumi3d" %u\n' in text


def test_match_files_have_a_mime_type() -> None:
    text = desktop_files([])["mime/packages/shibumi3d.xml"]
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    (kind,) = ET.fromstring(text.encode())
    assert kind.get("type") == "application/x-shibumi3d-match"
    glob = kind.find(f"{space}glob")
    assert glob is not None
    assert glob.get("pattern") == "*.shibumi3d.yaml"
    assert (
        f"MimeType={kind.get('type')};x-scheme-handler/shibumi3d;"
        in desktop_files([])["applications/shibumi3d.desktop"]
    )


def test_unwritable_folder_is_reported(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    ran = run("install-desktop")
    assert ran.code == 1
    assert str(tmp_path / "file") in ran.err
    assert "Traceback" not in ran.err


def test_match_file_given_alone_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a desktop runs when a kept match is clicked twice: the program and the file."""
    kept = tmp_path / "evening.shibumi3d.yaml"
    kept.write_text(
        "shibumi3d: 1\ngame: spline\nsize: 4\nseats: [Ann, Ben]\nseed: 1\nmoves:\n  - W@Aa1\n",
        encoding="utf-8",
    )
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("PYGLET_HEADLESS", raising=False)
    assert main([str(kept), "--text"]) == 0
    assert "turn 1, Ann" in capsys.readouterr().out


@pytest.mark.parametrize("size", icon.PNG_SIZES_PX)
def test_window_icon_exists_in_all_sizes(size: int) -> None:
    picture = Image.open(io.BytesIO(icon.png_data(size))).convert("RGBA")
    assert picture.size == (size, size)
    assert picture.getpixel((0, 0))[3] == 0  # what stands around the marbles is seen through
    red, green, blue, alpha = picture.getpixel((size // 2, size // 4))
    assert alpha == 255
    assert red > 2 * max(green, blue)  # the marble on top
