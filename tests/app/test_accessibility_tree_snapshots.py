"""The accessibility tree of every page, compared with the snapshots in ``tests/trees``.

To write new snapshots, to be reviewed as a diff:

TREES=write python -m pytest tests/app/test_accessibility_tree_snapshots.py
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.platform import screen_reader, window_title
from shibumi3d.app.platform.screen_reader import ScreenReader
from shibumi3d.app.ui.accessibility import AccessibleNode
from shibumi3d.app.ui.button import Button
from tests.app.test_accessibility_tree import naming_faults
from tools.pages import PAGES, Sitter, Size

if TYPE_CHECKING:
    from tests.app.hand import Hand

SNAPSHOT_FOLDER = Path(__file__).resolve().parents[1] / "trees"
SHOWN = {
    "kept": lambda sitter: sitter.app.pages.show_saved_games(),
    **{
        name: PAGES[name]
        for name in ("home", "found", "terms", "first", "settings", "keys", "sightless", "results")
    },
    **{name: PAGES[name] for name in ("tournaments", "new_cup", "cup_options", "swiss", "knockout")},
    **{name: PAGES[name] for name in ("problems", "problem", "design", "edit", "replay", "sheets", "end")},
    **{name: PAGES[name] for name in ("play", "rules", "puzzle", "curtain", "many", "trial-spline")},
    **{name: make for name, make in PAGES.items() if name.endswith(("spiral-2", "arcanoid-2"))},
}
"""Functions that open the pages, keyed by name; most are those of ``make pages``."""
TARGET = 24.0
"""Minimum width and height in pixels of anything that can be pressed."""
LONG, ALIKE = 72, 4
"""Maximum length of a line, in characters, and maximum number of similar siblings. If there are more, only the first
two and the last one are kept."""
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def snapshot_lines(node: AccessibleNode, depth: int = 0) -> Iterator[str]:
    """Yield the lines of the snapshot of the tree whose root is ``node``.

    ``depth`` is the number of levels by which the root is indented. A line is shortened to :data:`LONG` characters, not
    counting its indentation. If more than :data:`ALIKE` consecutive siblings share the role ``row``, ``thing`` or
    ``text``, only the first two and the last one are shown, with the number of those left out.
    """
    line = node.format_tree().partition("\n")[0].replace("\\n", " ")
    yield "  " * depth + (line if len(line) <= LONG else line[: LONG - 1].rstrip() + "…")
    rest = list(node.children)
    while rest:
        run = next((n for n, each in enumerate(rest) if each.role != rest[0].role), len(rest))
        alike, rest = rest[:run], rest[run:]
        left = alike[2:-1] if run > ALIKE and alike[0].role in ("row", "thing", "text") else []
        for number, each in enumerate(alike):
            if each not in left:
                yield from snapshot_lines(each, depth + 1)
            elif number == 2:
                yield "  " * (depth + 1) + f"… {len(left)} more"


def icon_buttons(hand: Hand) -> Iterator[Button]:
    for widget in hand.app.root.top.walk():
        if isinstance(widget, Button) and widget.shows_only_icon and widget.rect.w > 0:
            yield widget


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_matches_its_stored_tree(
    hand: Hand, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "randrange", lambda *_: 7)  # random seeds
    sitter = Sitter(hand.window, tmp_path)  # type: ignore[arg-type]
    hand.app.results.problems.now = lambda: NOON
    found, nameless, small, uncalled = [], [], [], set()
    silent = []

    def known(name: str) -> str:
        if window_title.widget_display_name(name) == name:
            uncalled.add(name)
        return window_title.widget_display_name(name)

    monkeypatch.setattr(screen_reader, "widget_display_name", known)
    for name, show in SHOWN.items():
        sitter.take(Size(1280, 720), language, "day")
        hand.app.root.close_popups()
        show(sitter)
        window = ScreenReader(hand.app, lambda: None).build_tree().root
        nameless += [f"{name}: {each}" for each in naming_faults(window)]
        pressed = [node for node in window.walk() if "press" in node.actions and node.is_enabled]
        small += [f"{name}: {node}" for node in pressed if min(node.rect.w, node.rect.h) < TARGET]
        found.append("\n".join([f"== {name}", *snapshot_lines(window)]))
        silent += [f"{name}: {each.name}" for each in icon_buttons(hand) if not each.hover_text]
    hand.app.root.close_popups()
    assert nameless == []
    assert silent == [], "an icon without a word has its name under the pointer"
    assert small == [], "a target that is missed by a shaking hand"
    assert uncalled == set(), "their names are for the program alone"
    text, path = "\n\n".join(found) + "\n", SNAPSHOT_FOLDER / f"{language}.txt"
    if os.environ.get("TREES") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text.splitlines() == path.read_text("utf-8").splitlines()
