"""The game still plays as its golden file tells."""

from __future__ import annotations

from .playthrough import FILE, text


def test_the_playthrough() -> None:
    assert text() == FILE.read_text(encoding="utf-8")
