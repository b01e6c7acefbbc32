"""The game still matches its golden playthrough."""

from __future__ import annotations

from .playthrough import FILE, all_matches_text


def test_playthrough_matches_golden_file() -> None:
    assert all_matches_text() == FILE.read_text(encoding="utf-8")
