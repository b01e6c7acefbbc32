"""Invalid game files are refused with every error, its location and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.catalogue.bad import FOLDER, expected_problems, find_problems


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_invalid_game_file_is_refused_with_expected_errors(path: Path) -> None:
    expected = expected_problems(path.read_text(encoding="utf-8"))
    assert expected, "say at the top what must be answered: make goldens"
    assert find_problems(path) == expected
