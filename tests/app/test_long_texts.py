"""Texts of any length: what is worked out of them takes time in proportion, and what is seen no more than is seen."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from shibumi3d.app.pages.design import reading
from shibumi3d.app.pages.design.screen import Design
from shibumi3d.app.pages.design.shelf import Shelf, name_of, titled
from shibumi3d.app.pages.design.steps import added, entries, fields_of
from shibumi3d.app.pages.design.words import at_key, offers, own_names, parts
from shibumi3d.app.ui.canvas import words_of
from shibumi3d.app.ui.writing import Writing
from shibumi3d.catalogue.loader import GAME_LIMITS
from shibumi3d.i18n import localize, use
from shibumi3d.rules.marbles.wording.glossary import explained
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


def written(text: str) -> Writing:
    writing = Writing(text, 1 << 20)
    writing.go((len(writing.lines), len(writing.lines[-1])))
    return writing


def french(text: str) -> str:
    use("fr")
    try:
        return localize(text)
    finally:
        use("en")


WORK: dict[str, Callable[[str], object]] = {
    "title": lambda text: titled(f"title: x{text}x"),
    "name": name_of,
    "names": lambda text: own_names(f"define:\n  {text}"),
    "offers": lambda text: offers(written(text), True),
    "key": lambda text: at_key(text, len(text)),
    "colours": parts,
    "enter": lambda text: written(text).enter(),
    "word": lambda text: (written(text).skip(-1), written(text).select_word()),
    "shift": lambda text: written(text).shift(1),
    "fields": lambda text: fields_of(f"{{place: {text}}}"),
    "entries": lambda text: entries(f"turn: [{text}]\n{text}".split("\n"), "turn"),
    "added": lambda text: added(f"turn:\n  - {text}".split("\n"), "turn", ["- x"]),
    "told": lambda text: french(f"unknown word '{text}', did you mean '{text}'?"),
    "words": words_of,
    "explained": lambda text: explained(words_of(text), "fr"),
}


@pytest.mark.parametrize("name", sorted(WORK))
def test_ten_times_the_text_takes_ten_times_as_long(name: str) -> None:
    def cost(text: str) -> float:
        gc.disable()
        began = time.process_time()
        try:
            WORK[name](text)
        finally:
            gc.enable()
        return time.process_time() - began

    WORK[name]("warm")
    for sign in SIGNS:
        short, long = (sign * (n // len(sign)) for n in (SHORT, 10 * SHORT))
        spent = cost(long)
        if spent > 0.01:
            spent = min(spent, cost(long))
            least = min(cost(short) for _ in range(3))
            assert spent < 25 * max(least, 0.002), f"{sign!r}: {least:.4f} s, {spent:.4f} s"


def test_the_title_of_a_text_as_far_as_it_can_be_seen() -> None:
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
        assert titled(text) == title, text[:40]


def test_keys_stay_keys_whatever_stands_before_their_colon() -> None:
    assert parts("place: own # here") == [("place", "action"), (": own ", "ink"), ("# here", "soft")]
    assert parts("sizes \t: x")[0] == ("sizes", "action")
    assert parts('a b "c: d" e')[-1][0].endswith("e")
    line = 'turn x1 3 é: [_y, "place: z"] #no # yes'
    assert "".join(text for text, _ in parts(line)) == line


# What is seen


def monsters() -> dict[str, str]:
    """Texts that a game may have by its length alone."""
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


@pytest.mark.parametrize("name", sorted(monsters()))
def test_a_draft_of_any_form_is_opened_painted_and_written_in(
    hand: Hand, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = monsters()[name]
    Shelf(hand.app.config, hand.app.config / "draft.json").keep("", text, "")
    monkeypatch.setattr(reading, "Worker", AtOnce)
    monkeypatch.setattr(reading, "read", lambda text, path: reading.Reading(text))
    hand.app.pages.design()
    hand.draw()
    page = hand.app.screen
    assert isinstance(page, Design)
    assert page.draft.text.rstrip() == text.rstrip()
    coloured: list[str] = []
    page.editor._lines._parts = lambda line: coloured.append(line) or parts(line)  # type: ignore[func-returns-value]
    corners: list[int] = []
    flush = hand.app.canvas.flush
    monkeypatch.setattr(hand.app.canvas, "flush", lambda: (corners.append(hand.app.canvas._count), flush()))
    for _ in range(3):
        page.refresh()
        hand.draw()
    assert coloured == []  # nothing is worked out anew
    hand.key("ctrl+end")
    hand.key("x")
    hand.draw()
    assert page.draft.text.endswith("x")
    hand.key("ctrl+z")
    assert page.draft.text.rstrip() == text.rstrip()
    hand.key("ctrl+home")
    hand.click(page.editor.rect.x + 200, page.editor.rect.y + 60)
    hand.draw()
    # Two triangles a glyph: no more are drawn than fit on the page.
    assert max(corners) < 6 * 12_000
    hand.app.pages.home()
