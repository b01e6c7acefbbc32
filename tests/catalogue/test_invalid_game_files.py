"""Invalid game files are refused with every error, its location and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.catalogue.bad import FOLDER, answer, expected


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_invalid_game_file_is_refused_with_expected_errors(path: Path) -> None:
    told = expected(path.read_text(encoding="utf-8"))
    assert told, "say at the top what must be answered: make goldens"
    assert answer(path) == told
