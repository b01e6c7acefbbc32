"""constraints.txt pins the tested version of every package that the program and its tests need."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINES = [
    line
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
HELD = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LINES)}

HERE = {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"}
"""The system for which constraints.txt is written; others may need additional packages."""


def needed(lists: Iterable[list[str]]) -> dict[str, list[Requirement]]:
    """Map each package that is needed on Linux to the requirements on it.

    ``lists`` contains lists of requirements such as ``pyyaml>=6``. These requirements and those of all direct and
    indirect dependencies are included, under normalized package names. Requirements on shibumi3d itself, such as
    ``shibumi3d[film]``, are skipped. Raises PackageNotFoundError if one of the packages isn't installed.
    """
    found: dict[str, list[Requirement]] = {}
    todo = [Requirement(text) for each in lists for text in each]
    while todo:
        one = todo.pop()
        name = canonicalize_name(one.name)
        if name == "shibumi3d" or one in found.setdefault(name, []):
            continue
        found[name].append(one)
        for text in metadata.requires(one.name) or []:
            below = Requirement(text)
            if below.marker is None or any(
                below.marker.evaluate(HERE | {"extra": e}) for e in ("", *one.extras)
            ):
                todo.append(below)
    return found


EXTRAS = PROJECT["project"]["optional-dependencies"]


def test_constraints_contain_only_names_and_versions() -> None:
    for line in LINES:
        assert re.fullmatch(r"[\w.-]+==[\w.]+", line), line
    assert len(HELD) == len(LINES)


@pytest.mark.parametrize(
    ("name", "lists"),
    [
        ("run", [PROJECT["project"]["dependencies"], EXTRAS["native"]]),
        ("build", [PROJECT["build-system"]["requires"]]),
        *((extra, [EXTRAS[extra]]) for extra in EXTRAS),
    ],
)
def test_every_dependency_is_pinned_to_an_allowed_version(name: str, lists: list[list[str]]) -> None:
    try:
        found = needed(lists)
    except metadata.PackageNotFoundError:
        if name != "openspiel":  # only `make thorough` installs it
            raise
        pytest.skip("open-spiel is not installed")
    for package, asked in found.items():
        assert package in HELD, f"{name} needs {package}"
        for one in asked:
            assert one.specifier.contains(HELD[package]), one


def test_packages_for_tests_are_listed_once() -> None:
    """The groups that uv installs refer to the extras that pip installs, instead of repeating them."""
    assert PROJECT["dependency-groups"] == {"native": ["shibumi3d[native]"], "dev": ["shibumi3d[test]"]}
    assert "shibumi3d[film,lab,reader,release,research]" in EXTRAS["test"]
    assert "shibumi3d[native,bundle]" in EXTRAS["release"]
    names = [Requirement(text).name for extra in EXTRAS.values() for text in extra]
    assert not {name for name in names if names.count(name) > 1} - {"shibumi3d"}
    assert PROJECT["tool"]["uv"]["default-groups"] == ["native"]
