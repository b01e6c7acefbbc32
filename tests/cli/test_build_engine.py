"""``build-engine`` compiles the engine into the user's cache if the program was installed without a compiled one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shibumi3d import build_native, native
from shibumi3d.cli.main import main
from shibumi3d.i18n import Message, untranslated


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Pretend that the program is installed in site-packages; return the folder for its compiled modules."""
    monkeypatch.setattr(native, "PACKAGE_FOLDER", tmp_path / "site-packages" / "shibumi3d")
    folder = native._find_compiled_folder()
    monkeypatch.setattr(native, "COMPILED_FOLDER", folder)
    return folder


def test_compiled_engine_folder_depends_on_the_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path
) -> None:
    assert cache == tmp_path / "xdg_cache_home" / "shibumi3d" / "engine"
    package = native.PACKAGE_FOLDER
    (package / "_native").mkdir(parents=True)
    assert native._find_compiled_folder() == package / "_native"
    monkeypatch.setattr(native, "PACKAGE_FOLDER", tmp_path / "checkout" / "shibumi3d")
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "pyproject.toml").touch()
    assert native._find_compiled_folder() == tmp_path / "checkout" / "shibumi3d" / "_native"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_missing_compiler_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path, lang: str
) -> None:
    monkeypatch.setattr(build_native, "is_compiled", lambda: False)
    monkeypatch.setattr(
        build_native, "missing_tools", lambda: Message("no C compiler was found ({command})", command="cc")
    )
    assert main(["--lang", lang, "build-engine"]) == 1
    err = capsys.readouterr().err
    assert "shibumi3d[native]" in err
    assert {
        "en": "the engine: no C compiler was found (cc).",
        "fr": "le moteur : aucun compilateur C n'a été trouvé (cc).",
    }[lang] in err


def test_engine_is_compiled_into_the_cache_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    built: list[Path] = []

    def build(folder: Path, report: Callable[[float], None]) -> None:
        assert folder.is_dir()
        report(0.5)
        built.append(folder)

    monkeypatch.setattr(build_native, "is_compiled", lambda: bool(built))
    monkeypatch.setattr(build_native, "missing_tools", lambda: None)
    monkeypatch.setattr(build_native, "build_engine", build)
    assert main(["build-engine"]) == 0
    assert str(cache) in capsys.readouterr().out
    assert main(["build-engine"]) == 0
    assert built == [cache]


def test_compiler_error_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    def build(folder: Path, report: Callable[[float], None]) -> None:
        raise build_native.BuildError(untranslated("error: no such thing"), "long output")

    monkeypatch.setattr(build_native, "is_compiled", lambda: False)
    monkeypatch.setattr(build_native, "missing_tools", lambda: None)
    monkeypatch.setattr(build_native, "build_engine", build)
    assert main(["build-engine"]) == 1
    assert capsys.readouterr().err.startswith("shibumi3d: Couldn't compile the engine: error: no such thing")


def test_outdated_engine_warning_names_the_command(cache: Path) -> None:
    notice = native.EngineStatus(reason="lacks a file").warning
    assert "Run 'shibumi3d build-engine' to compile it again" in str(notice)
