"""The focus stays on its widget, or moves sensibly if the widget is rebuilt, hidden, disabled or removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host import settings_card
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.widget import Key, Root, Widget
from shibumi3d.scene.style import make_style
from tools.pages import PAGES, Sitter, Size

if TYPE_CHECKING:
    from tests.app.hand import Hand

ANEW = ("home", "found", "play", "puzzle", "replay", "edit", "design", "problems", "results", "arcanoid-2")
"""One page of each kind, without popups."""


def row(*names: str) -> tuple[Root, Widget, list[str]]:
    pressed: list[str] = []
    root, page = Root(make_style("night")), Widget("page")
    page.add(*[button(name, pressed) for name in names])
    root.show_page(page)
    return root, page, pressed


def button(name: str, pressed: list[str]) -> Button:
    return Button(name, lambda: pressed.append(name), name=name)


def tab(root: Root, *, back: bool = False) -> str:
    root.key_press(Key("tab", shift=back))
    assert root.focus is not None
    return root.focus.name


def test_recreated_widget_of_the_same_name_regains_focus() -> None:
    root, page, pressed = row("a", "b", "c")
    assert [tab(root), tab(root)] == ["a", "b"]
    page.clear()
    page.add(*[button(name, pressed) for name in "xabc"])
    root.key_press(Key("enter"))
    assert pressed == ["b"]
    assert root.focus is page.children[2]


@pytest.mark.parametrize("gone", ["taken", "hidden", "closed"])
def test_focus_moves_on_from_a_removed_widget(gone: str) -> None:
    for back, next_ in ((False, "d"), (True, "b")):
        root, page, pressed = row("a", "b", "c", "d")
        for _ in range(3):
            tab(root)
        one = page.children[2]
        if gone == "taken":
            page.clear()
            page.add(*[button(name, pressed) for name in "abd"])
        elif gone == "hidden":
            one.visible = False
        else:
            one.enabled = False
        root.key_press(Key("enter"))
        assert pressed == [], "what is not there can't be pressed"
        assert tab(root, back=back) == next_


def test_click_elsewhere_or_another_page_drops_the_focus() -> None:
    root, page, pressed = row("a", "b")
    tab(root)
    page.clear()
    root.mouse_press(500, 500, "left", Key(""))
    page.add(button("a", pressed))
    root.key_press(Key("enter"))
    assert (root.focus, pressed) == (None, [])
    tab(root)
    again = Widget()
    again.add(button("a", pressed))
    root.show_page(again)
    root.key_press(Key("enter"))
    assert (root.focus, pressed) == (None, [])


@pytest.mark.parametrize("name", ANEW)
def test_rebuilt_page_in_another_language_keeps_the_focus(hand: Hand, name: str, tmp_path: Path) -> None:
    sitter = Sitter(hand.window, tmp_path)  # type: ignore[arg-type]
    sitter.take(Size(1280, 720), "en", "day")
    PAGES[name](sitter)
    hand.draw()
    root, app = hand.app.root, hand.app
    assert root.popups == []
    stops = [widget for widget in root.page.walk() if widget.focusable and widget.enabled]
    assert all(widget.name for widget in stops)
    for number in (0, len(stops) // 2, len(stops) - 1):
        root.focus = [widget for widget in root.page.walk() if widget.focusable and widget.enabled][number]
        stop = root.focus.name
        app.change_settings(language="en" if app.settings.language == "fr" else "fr")
        hand.draw()
        assert root.focus is not None, stop
        assert (root.focus.name, root.focus.root) == (stop, root)


def test_settings_page_keeps_the_focus(hand: Hand) -> None:
    settings_card.show_settings(hand.app)
    hand.app.root.focus = hand.app.root.find("language")
    for code in ("fr", "en"):
        hand.key("right" if code == "fr" else "left")
        hand.draw()
        assert hand.app.settings.language == code
        assert hand.app.root.focus is not None
        assert hand.app.root.focus is hand.app.root.find("language")
