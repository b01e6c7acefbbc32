"""The desktop entry, its icon and the file type, read as the desktop's own tools would read them."""

from __future__ import annotations

import configparser
import io
import re
import shlex
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml
from PIL import Image

from shibumi3d.assets import icon
from shibumi3d.cli.install_desktop import (
    APP_ID,
    PICTURE_SIZE_PX,
    PICTURES,
    PICTURES_FOLDER,
    RELEASES,
    desktop_files,
    package_files,
)
from shibumi3d.cli.main import main

from .conftest import Run

ROOT = Path(__file__).resolve().parent.parent.parent
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="desktop entries are for Linux")


def read(text: str) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser["Desktop Entry"]


def test_desktop_files_are_installed_and_removed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installing twice does no harm; removing deletes all installed files and no others."""
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
    assert run("install-desktop", "--remove").code == 0  # removing again is no error
    ours = {tmp_path / path for path in desktop_files([])}
    assert not [path for path in ours if path.exists()]
    assert other.is_file()


def test_desktop_entry_starts_an_existing_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is an absolute path, because the desktop's PATH may differ."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run("install-desktop").code == 0
    entry = read((tmp_path / "applications" / "shibumi3d.desktop").read_text(encoding="utf-8"))
    command = shlex.split(entry["Exec"])
    assert Path(command[0]).is_absolute()
    assert Path(command[0]).is_file()
    assert command[-1] == "%u"


def test_command_path_is_escaped_in_the_desktop_entry(tmp_path: Path) -> None:
    """The Desktop Entry Specification requires two layers of escaping.

    In a quoted argument, backslashes, double quotes, backquotes and dollar signs are each escaped with a backslash. In
    the whole value, all backslashes are then doubled. Percent signs are doubled, too.
    """
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
    """When a saved game is double-clicked, the desktop runs the program with just the file name.

    Here, ``--text`` is added, since there is no display.
    """
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
    assert picture.getpixel((0, 0))[3] == 0  # the background is transparent
    red, green, blue, alpha = picture.getpixel((size // 2, size // 4))
    assert alpha > 250
    assert red > 2 * max(green, blue)  # the top marble is red


# Package files for software stores; `make release` also checks them with the desktop's own tools.


def metainfo() -> ET.Element:
    return ET.fromstring(str(package_files()[f"metainfo/{APP_ID}.metainfo.xml"]).encode())


def test_package_files_are_written_below_the_folder(run: Run, tmp_path: Path) -> None:
    assert run("install-desktop", "--package", str(tmp_path)).code == 0
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    sizes = (16, 24, 32, 48, 64, 128, 256, 512)
    assert found == {
        f"applications/{APP_ID}.desktop",
        f"metainfo/{APP_ID}.metainfo.xml",
        f"mime/packages/{APP_ID}.xml",
        f"icons/hicolor/scalable/apps/{APP_ID}.svg",
        *(f"icons/hicolor/{size}x{size}/apps/{APP_ID}.png" for size in sizes),
    }
    entry = read((tmp_path / "applications" / f"{APP_ID}.desktop").read_text(encoding="utf-8"))
    assert (entry["Exec"], entry["Icon"]) == ('"shibumi3d" %u', APP_ID)


@pytest.mark.parametrize(
    "tag", ["summary", "description/p", "description/ul/li", "screenshots/screenshot/caption"]
)
def test_store_page_is_written_in_every_language(tag: str) -> None:
    texts = [(element.get(LANG, "en"), element.text) for element in metainfo().findall(tag)]
    languages = ["en", "fr", "de", "es"]
    assert [language for language, _ in texts] == languages * (len(texts) // 4)
    assert texts
    assert len({text for _, text in texts}) == len(texts), "one is not translated"


def test_store_page_fits_its_desktop_entry() -> None:
    page = metainfo()
    entry = read(str(package_files()[f"applications/{APP_ID}.desktop"]))
    assert page.findtext("id") == APP_ID
    assert page.findtext("launchable") == f"{APP_ID}.desktop"
    assert page.findtext("name") == entry["Name"]
    assert [each.text for each in page.findall("categories/category")] == entry["Categories"].split(";")[:-1]
    assert f"{page.findtext('provides/mediatype')};" in entry["MimeType"]
    assert len(page.findtext("summary") or "") <= 35  # as Flathub asks
    assert not (page.findtext("summary") or "").endswith(".")


def test_store_page_shows_existing_pictures() -> None:
    images = [image.text or "" for image in metainfo().findall("screenshots/screenshot/image")]
    assert [image.rpartition("/")[2] for image in images] == list(PICTURES)
    assert all(image.startswith("https://") for image in images)
    folder = ROOT / PICTURES_FOLDER
    assert sorted(path.name for path in folder.iterdir()) == list(PICTURES)
    for name in PICTURES:
        with Image.open(folder / name) as picture:
            assert picture.size == PICTURE_SIZE_PX


def test_store_page_lists_the_releases_of_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert list(RELEASES) == re.findall(r"^## \[([\d.]+)\] – ([\d-]+)$", text, re.MULTILINE)


def test_recipes_of_packages_use_the_id() -> None:
    recipe = yaml.safe_load((ROOT / "tools" / "flatpak.yaml").read_text(encoding="utf-8"))
    assert recipe["id"] == APP_ID
    (module,) = recipe["modules"]
    assert any("install-desktop --package" in command for command in module["build-commands"])
    text = (ROOT / "tools" / "appimage.sh").read_text(encoding="utf-8")
    assert "install-desktop --package" in text
    for name in ("flatpak.yaml", "appimage.sh"):
        assert "Tested:" in (ROOT / "tools" / name).read_text(encoding="utf-8")
