"""The reference of the language says what the program does."""

from __future__ import annotations

from pathlib import Path

from shibumi3d.catalogue.reference import filled_in

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"


def test_page_is_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled_in(text) == text, "run: make docs"
