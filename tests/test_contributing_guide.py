"""CONTRIBUTING.md is correct: its commands, files, names and links exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import shibumi3d
from shibumi3d import build_native, native
from shibumi3d.cli.main import COMMANDS
from tools.mutants import AREAS, nearest_first

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CREATED_FILES = {
    "shibumi3d/_native",
    "shibumi3d/app/pages/thanks.py",
    "shibumi3d/locale/eo/LC_MESSAGES/shibumi3d.po",
    "shibumi3d/rules/heap.py",
}
"""Files and folders named in the guide that exist only after you follow it or compile the engine."""


def test_contributing_guide_commands_match_the_makefile() -> None:
    commands = set(re.findall(r"`make (\w+)", TEXT))
    listed = set(re.findall(r"^(\w+):.* ## ", MAKEFILE, re.MULTILINE))
    assert commands == listed - {"help"}
    assert set(re.findall(r"`shibumi3d (\w+)", TEXT)) <= set(COMMANDS)


def test_contributing_guide_files_and_links_exist() -> None:
    named = set(re.findall(r"`((?:shibumi3d|tests|\.ci)/[\w./]+)`", TEXT)) - CREATED_FILES
    assert len(named) > 5
    for name in named | set(re.findall(r"\]\((?!https:)([^)]+)\)", TEXT)):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("area", AREAS)
def test_mutation_testing_finds_its_test_files(area: str) -> None:
    assert all((ROOT / name).exists() for name in AREAS[area])
    assert len(nearest_first(area)) > 5


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("`MODULES`", build_native.MODULES),
        ("`shibumi3d/_native`", native.COMPILED_FOLDER.relative_to(ROOT).as_posix() == "shibumi3d/_native"),
        ("`SHIBUMI3D_NATIVE=no`", native.ENGINE_VARIABLE == "SHIBUMI3D_NATIVE"),
        ("`from mypy_extensions import i64 as M`", build_native.twin_modules()),
        ("`__version__`", shibumi3d.__version__),
        ("*Unreleased*", "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")),
    ],
)
def test_contributing_guide_names_exist(said: str, meant: object) -> None:
    assert said in TEXT
    assert meant
