"""Package metadata: licences, classifiers, links and citation."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import shibumi3d
from shibumi3d import native

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = "https://forge.example/people/shibumi3d"


def metadata(root: Path) -> ProjectMetadata:
    return ProjectMetadata(str(root), PluginManager())


def published(folder: Path) -> ProjectMetadata:
    """Return the metadata that the package would have if the project's address were ``ADDRESS``.

    The files that determine the metadata are copied to ``folder``, and the address is filled in there.
    """
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    (folder / "shibumi3d").mkdir()
    shutil.copy(ROOT / "shibumi3d/__init__.py", folder / "shibumi3d")
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    assert 'address = ""' in text
    text = text.replace('address = ""', f'address = "{ADDRESS}/"')
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return metadata(folder)


def test_every_licence_is_included() -> None:
    core = metadata(ROOT).core
    fonts = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "shibumi3d/assets/fonts/files").glob("*.txt")
    }
    assert len(fonts) == 5
    assert set(core.license_files) == {"LICENSE", *fonts}
    assert core.license_expression == "MIT AND OFL-1.1"


def test_classifiers_are_valid() -> None:
    from trove_classifiers import classifiers

    declared = metadata(ROOT).core.classifiers
    assert set(declared) <= set(classifiers)
    least = f"Programming Language :: Python :: {metadata(ROOT).core.requires_python.removeprefix('>=')}"
    assert {least, "Typing :: Typed", "Natural Language :: French"} <= set(declared)
    assert (ROOT / "shibumi3d/py.typed").is_file()


def test_check_of_built_wheels_asks_for_the_engine_status_by_its_name() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (command,) = [one for one in settings["tool"]["cibuildwheel"]["test-command"] if "native.status" in one]
    attributes = re.findall(r"native\.status\.(\w+)", command)
    assert attributes
    assert all(hasattr(native.status, name) for name in attributes)


def test_readme_is_unchanged_without_a_project_address() -> None:
    core = metadata(ROOT).core
    assert core.readme == (ROOT / "README.md").read_text(encoding="utf-8")
    assert not core.urls


def test_readme_links_are_absolute_with_a_project_address(tmp_path: Path) -> None:
    core = published(tmp_path).core
    tag = f"v{shibumi3d.__version__}"
    assert {"Homepage", "Source", "Issues", "Changelog", "Documentation"} == set(core.urls)
    assert core.urls["Changelog"] == f"{ADDRESS}/blob/{tag}/CHANGELOG.md"
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", core.readme)
    assert len(pictures) >= 7
    for picture in pictures:
        path = picture.removeprefix(f"{ADDRESS}/raw/{tag}/")
        assert (ROOT / path).is_file(), picture
        assert path != picture
    links = re.findall(r"(?<!!)\[[^]]*\]\(([^)]+)\)", core.readme)
    assert f"{ADDRESS}/blob/{tag}/LICENSE" in links
    assert all(link.startswith("https://") for link in links)


def test_citation_file_matches_the_project() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert str(citation["version"]) == shibumi3d.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in project["authors"]
    ]
    assert citation["license"] == project["license"].split(" AND ")


@pytest.mark.parametrize("name", ["pyproject.toml", "README.md", "README.fr.md", "CONTRIBUTING.md"])
def test_project_address_is_a_placeholder(name: str) -> None:
    """Until the project has an address, install commands contain a placeholder in capitals."""
    addresses = re.findall(r"git\+(\S+?)[`'\"]", (ROOT / name).read_text(encoding="utf-8"))
    assert addresses or not name.startswith("README")
    for address in addresses:
        assert address in ("https://FORGE/NAME/shibumi3d", "https://FORGE/NOM/shibumi3d")
