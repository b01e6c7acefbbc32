"""Real keyboard layouts on a real display: accents, letters by position, and missing input methods."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.test_real_window import Desk, cache, desk, display

__all__ = ["cache", "desk", "display"]

pytestmark = pytest.mark.display

CIRCUMFLEX, SPACE = 34, 65
"""Keycodes. The first key has ^ and ¨ on French layouts, ` and ^ on Spanish ones."""


class Typist:
    """Helper that opens a window on an X display and presses keys in it.

    The window prints the keys and text that it receives. ``display`` is the name of the X display, such as ":99", and
    ``errors`` the file to which the error output of the window's program is written.
    """

    def __init__(self, display: str, errors: Path) -> None:
        self.environment = {**os.environ, "DISPLAY": display}
        self.errors = errors
        self.program: subprocess.Popen[str] | None = None
        self.said: list[str] = []

    def layout(self, *words: str) -> None:
        subprocess.run(["setxkbmap", *words], env=self.environment, check=True)

    def open(self, *arguments: str, **environment: str) -> None:
        self.close()
        with self.errors.open("wb") as errors:
            self.program = subprocess.Popen(
                [sys.executable, "-m", "tests.app.typed", *arguments],
                env={**self.environment, **environment},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )
        assert self.program.stdout is not None
        while self.program.stdout.readline().strip() != "ready":
            assert self.program.poll() is None, self.errors.read_text()
        # With the pointer in the window, keys arrive through its canvas, a child of the focused window.
        self.do("mousemove", 90, 50)

    def close(self) -> None:
        if self.program is not None:
            self.program.terminate()
            self.program.wait(10)

    def do(self, *words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def press(self, *keys: str | int) -> list[str]:
        """Press keys one after another, and return the lines that the window prints for them.

        ``keys`` are key names or keycodes, as ``xdotool key`` expects them. F12 is pressed last, to mark the end; its
        line isn't returned.
        """
        assert self.program is not None
        assert self.program.stdout is not None
        for key in (*keys, "F12"):
            self.do("key", key)
        found = []
        while (line := self.program.stdout.readline().strip()) != "key F12":
            assert line or self.program.poll() is None, self.errors.read_text()
            found.append(line)
        return found

    def text(self, *keys: str | int) -> str:
        lines = (line.split(" ", 1) for line in self.press(*keys) if line.startswith("text"))
        return "".join(line[1] if len(line) > 1 else " " for line in lines)


@pytest.fixture
def typist(display: str, tmp_path: Path, in_ci: bool) -> Iterator[Typist]:
    if shutil.which("setxkbmap") is None:
        message = "setxkbmap is missing; install x11-xkb-utils"
        if in_ci:
            pytest.fail(message)
        pytest.skip(message)
    found = Typist(display, tmp_path / "errors")
    yield found
    found.close()
    found.layout("us")


def shift(key: int) -> str:
    return f"shift+{key}"


def test_dead_keys_of_french_spanish_and_german_layouts(typist: Typist) -> None:
    typist.open("writing")
    typist.layout("fr")
    e, o, i = 26, 32, 31
    assert typist.text(CIRCUMFLEX, e, CIRCUMFLEX, o, shift(CIRCUMFLEX), e, shift(CIRCUMFLEX), i) == "êôëï"
    assert typist.text(CIRCUMFLEX, shift(e)) == "Ê"
    assert typist.text(CIRCUMFLEX, SPACE, CIRCUMFLEX, CIRCUMFLEX) == "^^"
    assert typist.text(11, 18, 20) == "éç)"
    typist.layout("es")
    acute, a, n_tilde = 48, 38, 47
    assert typist.text(acute, a, n_tilde, acute, shift(a), acute, SPACE) == "áñÁ'"
    typist.layout("de")
    assert typist.text(49, e, 21, a, shift(21), a, 48, shift(48)) == "êáàäÄ"
    typist.layout("us", "intl")
    assert typist.text(shift(49), 57, 48, SPACE) == "ñ'"


def test_escape_only_cancels_a_pending_accent(typist: Typist) -> None:
    typist.layout("fr")
    typist.open("writing")
    assert typist.press(CIRCUMFLEX, "Escape") == []
    assert typist.press(26) == ["key E", "text e"]
    assert typist.press("Escape") == ["key ESCAPE"]


def test_shortcuts_do_not_wait_for_dead_keys(typist: Typist) -> None:
    """On a page without a text field, a dead key doesn't delay the next letter or change it."""
    typist.layout("fr")
    typist.open()
    assert typist.press(CIRCUMFLEX, 43) == ["key user_key(22)", "key H", "text h"]


def test_dead_keys_work_in_full_screen(typist: Typist) -> None:
    typist.layout("fr")
    typist.open("writing")
    assert typist.press("F11") == ["key F11"]
    assert typist.text(CIRCUMFLEX, 26) == "ê"


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "xx_XX.UTF-8"},
        {"XMODIFIERS": "@im=ibus"},
        {"XMODIFIERS": "@im=none"},
        {"LC_ALL": "C", "XMODIFIERS": "@im=fcitx"},
    ],
)
def test_dead_keys_work_without_the_configured_input_method(
    typist: Typist, environment: dict[str, str]
) -> None:
    typist.layout("fr")
    typist.open("writing", **environment)
    assert typist.text(CIRCUMFLEX, 26, 11) == "êé"


@pytest.mark.parametrize("layout", ["ru", "gr", "il", "ua", "bg", "ara", "th", "ge"])
def test_shortcuts_use_key_positions_in_non_latin_layouts(typist: Typist, layout: str) -> None:
    typist.layout(layout)
    typist.open()
    q, a, z, h = 24, 38, 52, 43
    shortcuts = typist.press(f"ctrl+{z}", f"ctrl+{a}", f"ctrl+{q}", h)
    keys = [line for line in shortcuts if line.startswith("key")]
    assert keys == ["key LCTRL", "key Z ctrl", "key LCTRL", "key A ctrl", "key LCTRL", "key Q ctrl", "key H"]


def test_letters_of_other_layouts_can_be_typed(typist: Typist) -> None:
    typist.open("writing")
    q, w, e = 24, 25, 26
    for layout, letters in (("ru", "йцу"), ("gr", ";ςε"), ("il", "/'ק")):
        typist.layout(layout)
        assert typist.text(q, w, e) == letters


def test_second_layout_decides_the_latin_letter_of_a_key(typist: Typist) -> None:
    """With Russian as the first layout and French as the second, Z is where it is on a French keyboard.

    The Russian layout has no Latin letters, so those of the second layout are used. With the German layout alone, Z is
    where it is on a German keyboard.
    """
    typist.layout("ru,fr")
    typist.open()
    assert typist.press("ctrl+25")[-1] == "key Z ctrl"
    typist.layout("de")
    assert typist.press("ctrl+29")[-1] == "key Z ctrl"


def test_accented_names_and_russian_shortcuts_work(desk: Desk, typist: Typist) -> None:
    desk.open()
    desk.key("Escape")
    desk.do("mousemove", *desk.place("search"), "click", 1, "type", "splice")
    desk.until(lambda seen: set(seen.get("games", ())) == {"splice"})
    desk.click("splice")
    desk.until(lambda seen: seen["chosen"] == "splice")
    typist.layout("fr")
    desk.click("seat 1")
    desk.do("key", "ctrl+a", "key", 25, "key", 32, "key", shift(CIRCUMFLEX), "key", 26, "key", "Tab")
    desk.click("play")
    desk.until(lambda seen: seen["screen"] == "play")
    desk.choose("Aa1", 1)
    typist.layout("ru")
    desk.do("key", "ctrl+24")
    assert desk.program is not None
    assert desk.program.wait(60) == 0
    (kept,) = (desk.trace.parent / "data").rglob("*.yaml")
    assert "zoë" in kept.read_text("utf-8")
