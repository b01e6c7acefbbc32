"""Every page in the pseudo-language: text without brackets was never translated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.platform.screen_reader import ScreenReader
from tests.app.test_accessibility_tree_snapshots import NOON, SHOWN
from tests.pseudo import data_words, pseudo_language, untranslated
from tools.pages import Sitter, Size

if TYPE_CHECKING:
    from tests.app.hand import Hand

NAMES = {
    # The program, languages, keys and OpenGL.
    "Shibumi", "English", "Français", "Deutsch", "Español", "OpenGL", "Ctrl", "Alt", "Esc",
    # Players.
    "Aiko", "Ben", "Dora", "Emil", "Fay", "Pebble", "Stone",
    # Tournaments, and the usual abbreviations of Buchholz and Sonneborn-Berger.
    "Friday", "Spring", "cup", "BH", "SB",
}  # fmt: skip
"""Words that are the same in every language."""


def test_no_page_contains_untranslated_text(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "randrange", lambda *_: 7)
    known = NAMES | data_words()
    found = []
    with pseudo_language():
        sitter = Sitter(hand.window, tmp_path)  # type: ignore[arg-type]
        hand.app.results.problems.now = lambda: NOON
        for name, show in SHOWN.items():
            sitter.take(Size(1280, 720), "fr", "day")
            hand.app.root.close_popups()
            show(sitter)
            for node in ScreenReader(hand.app, lambda: None).build_tree().root.walk():
                words = [word for word in untranslated(node.name) if word not in known]
                if words:
                    found.append(f"{name}: {node.name}: {' '.join(words)}")
    hand.app.root.close_popups()
    assert "\n".join(found) == ""
