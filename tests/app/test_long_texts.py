"""Texts of any length are handled in time proportional to their length, and only the visible part is drawn."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from shibumi3d.app.pages.game_designer import text_checker
from shibumi3d.app.pages.game_designer.completion import (
    colour_pieces,
    defined_names,
    find_completions,
    is_in_key,
)
from shibumi3d.app.pages.game_designer.draft import GameFiles, file_name_for, title_in_text
from shibumi3d.app.pages.game_designer.entries import add_entry, list_entries, parse_fields
from shibumi3d.app.pages.game_designer.page import GameDesignerPage
from shibumi3d.app.ui.canvas import split_words
from shibumi3d.app.ui.text_buffer import TextBuffer
from shibumi3d.catalogue.yaml_parser import GAME_LIMITS
from shibumi3d.i18n import localize, set_language
from shibumi3d.rules.marbles.wording.glossary import explain_words
from tests.app.at_once import AtOnce
from tests.app.hand import Hand

SHORT = 1_000

SIGNS = (
    "a",
    " ",
    "a ",
    ": ",
    "- ",
    "#",
    '"',
    "'",
    "{",
    "[a,",
    "&a",
    "é",
    "\u0301",
    "a:1:2: ",
    "(\n",
    "\n",
    "- a\n",
)


def written(text: str) -> TextBuffer:
    writing = TextBuffer(text, 1 << 20)
    writing.move_to((len(writing.lines), len(writing.lines[-1])))
    return writing


def french(text: str) -> str:
    set_language("fr")
    try:
        return localize(text)
    finally:
        set_language("en")


WORK: dict[str, Callable[[str], object]] = {
    "title": lambda text: title_in_text(f"title: x{text}x"),
    "name": file_name_for,
    "names": lambda text: defined_names(f"define:\n  {text}"),
    "offers": lambda text: find_completions(written(text), True),
    "key": lambda text: is_in_key(text, len(text)),
    "colours": colour_pieces,
    "enter": lambda text: written(text).insert_line_break(),
    "word": lambda text: (written(text).move_by_word(-1), written(text).select_word()),
    "shift": lambda text: written(text).indent(1),
    "fields": lambda text: parse_fields(f"{{place: {text}}}"),
    "entries": lambda text: list_entries(f"turn: [{text}]\n{text}".split("\n"), "turn"),
    "added": lambda text: add_entry(f"turn:\n  - {text}".split("\n"), "turn", ["- x"]),
    "told": lambda text: french(f"unknown word '{text}', did you mean '{text}'?"),
    "words": split_words,
    "explained": lambda text: explain_words(split_words(text), "fr"),
}


@pytest.mark.parametrize("name", sorted(WORK))
def test_time_grows_linearly_with_text_length(name: str) -> None:
    def cost(text: str) -> float:
        gc.disable()
        started_at = time.process_time()
        try:
            WORK[name](text)
        finally:
            gc.enable()
        return time.process_time() - started_at

    WORK[name]("warm")
    for sign in SIGNS:
        short, long = (sign * (n // len(sign)) for n in (SHORT, 10 * SHORT))
        spent = cost(long)
        if spent > 0.01:
            spent = min(spent, cost(long))
            least = min(cost(short) for _ in range(3))
            assert spent < 25 * max(least, 0.002), f"{sign!r}: {least:.4f} s, {spent:.4f} s"


def test_long_title_is_shortened_to_what_fits() -> None:
    told_of = {
        "title: Bead": "Bead",
        "players: 2\ntitle:   'It''s mine'  # draft": "It's mine",
        'title: "Say \\"go\\" # now"': 'Say "go" # now',
        "title: C# for two # a remark": "C# for two",
        "title: # none": "",
        "title:\nplayers: 2": "",
        "title: 'not closed": "not closed",
        f"title: a{' ' * 20_000}b": f"a{' ' * 20_000}b",
    }
    for text, title in told_of.items():
        assert title_in_text(text) == title, text[:40]


def test_highlighting_recognizes_keys_of_any_length() -> None:
    assert colour_pieces("place: own # here") == [
        ("place", "action"),
        (": own ", "ink"),
        ("# here", "secondary_ink"),
    ]
    assert colour_pieces("sizes \t: x")[0] == ("sizes", "action")
    assert colour_pieces('a b "c: d" e')[-1][0].endswith("e")
    line = 'turn x1 3 é: [_y, "place: z"] #no # yes'
    assert "".join(text for text, _ in colour_pieces(line)) == line


# What is drawn


def extreme_texts() -> dict[str, str]:
    """Return extreme texts that a draft of a game can hold, keyed by a description.

    None of them has more characters than a game file may have bytes.
    """
    most = GAME_LIMITS.size - 200
    return {
        "a title of spaces": f"title: a{' ' * 20_000}b\nplayers: 2\nturn:\n  - place: own\n",
        "a title without end": f"title: {'a: ' * (most // 3)}",
        "one word": "a" * most,
        "one line of keys": "a: " * (most // 3),
        "one line of spaces": " " * most + "x",
        "one line of dashes": "- " * (most // 2),
        "one line of quotes": '"' * most,
        "signs without width": "q" + "\u0301" * most,
        "no words in any line": "\n" * most,
        "a letter a line": "title: x\n" + "a:\n" * (most // 3),
    }


@pytest.mark.parametrize("name", sorted(extreme_texts()))
def test_draft_of_any_shape_can_be_opened_and_edited(
    hand: Hand, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = extreme_texts()[name]
    GameFiles(hand.app.services.config_folder, hand.app.services.config_folder / "draft.json").save_draft(
        "", text, ""
    )
    monkeypatch.setattr(text_checker, "Worker", AtOnce)
    monkeypatch.setattr(text_checker, "check_text", lambda text, path: text_checker.CheckResult(text))
    hand.app.pages.show_game_designer()
    hand.draw()
    page = hand.page(GameDesignerPage)
    assert page.draft.text.rstrip() == text.rstrip()
    coloured: list[str] = []
    page.editor._line_layouts._tokenize = lambda line: coloured.append(line) or colour_pieces(line)  # type: ignore[func-returns-value]
    corners: list[int] = []
    flush = hand.app.canvas.flush
    monkeypatch.setattr(hand.app.canvas, "flush", lambda: (corners.append(hand.app.canvas._count), flush()))
    for _ in range(3):
        page.refresh()
        hand.draw()
    assert coloured == []  # nothing is highlighted again
    hand.key("ctrl+end")
    hand.key("x")
    hand.draw()
    assert page.draft.text.endswith("x")
    hand.key("ctrl+z")
    assert page.draft.text.rstrip() == text.rstrip()
    hand.key("ctrl+home")
    hand.click(page.editor.rect.x + 200, page.editor.rect.y + 60)
    hand.draw()
    # Two triangles per glyph: no more are drawn than fit on the page.
    assert max(corners) < 6 * 12_000
    hand.app.pages.show_home()
