from __future__ import annotations

import pytest

from shibumi3d import paths


def test_every_data_kind_has_a_folder() -> None:
    for kind in paths.DATA_FOLDERS:
        assert any(True for _ in (paths.data_root() / kind).iterdir())


def test_asset_files_are_read() -> None:
    assert paths.read_text("models", "board.obj").startswith("# Written by python -m tools.models")
    assert paths.read_bytes("models", "board.obj").startswith(b"# Written")
    with pytest.raises(FileNotFoundError):
        paths.read_text("shaders", "none.glsl")


def test_games_are_found_in_their_folder() -> None:
    assert any(file.name.endswith(".yaml") for file in paths.catalogue_folder().iterdir())
