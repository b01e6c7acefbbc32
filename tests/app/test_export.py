"""Films made from the page of a replay: begun, watched, stopped, and failing with a sentence."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import imageio_ffmpeg
import pytest
from PIL import Image

from shibumi3d import i18n
from shibumi3d.app.board import export
from shibumi3d.app.board.export import KINDS, Export, ExportCard
from shibumi3d.app.pages.replay.screen import Replay
from shibumi3d.app.ui.core import Key
from shibumi3d.app.ui.tree import Reading
from tests.app.hand import Hand

MOVES = ["Aa1", "Aa2", "Ab1"]


@pytest.fixture
def card(hand: Hand, tmp_path: Path) -> ExportCard:
    """The card over a replay of three moves, two of them shown."""
    hand.app.pictures = tmp_path / "pictures"
    hand.start("spline")
    for point in MOVES:
        hand.click(*hand.spot(point))
        hand.wait(3)
    hand.app.show(Replay(hand.app, hand.play.match, hand.play.entry))
    page = hand.app.screen
    assert isinstance(page, Replay)
    page.go(2)
    hand.draw()
    hand.key("ctrl+e")
    found = hand.floating(ExportCard)
    found.size.chosen = 0
    return found


def until(hand: Hand, what: Callable[[], bool]) -> None:
    """Lets time pass, there and here, until that is so."""
    end = time.monotonic() + 300  # far more than it takes, however busy the machine is
    while not what() and time.monotonic() < end:
        hand.wait(0.3)
        time.sleep(0.05)
    assert what()


def made(hand: Hand) -> Path:
    (file,) = hand.app.pictures.iterdir()
    return file


def test_a_film_of_the_moves_from_here(hand: Hand, card: ExportCard) -> None:
    card.range.chosen = 1
    card.speed.chosen = 3
    hand.push("make")
    assert not card.ok.enabled
    assert card.cancel.label == "Cancel"
    until(hand, lambda: card.running is None)
    assert card.cancel.label == "Close"
    assert (card.wrong, made(hand).suffix) == (False, ".mp4")
    assert str(made(hand)) in card.told
    pictures = list(imageio_ffmpeg.read_frames(str(made(hand))))
    # Four times as fast, at 30 a second: three rests of 0.7 s are 5 pictures each, and a move is one or two.
    assert pictures[0]["size"] == (640, 360)
    assert 3 * 5 + 1 <= len(pictures) - 1 <= 3 * 5 + 4


def test_a_picture_of_this_moment(hand: Hand, card: ExportCard) -> None:
    card.kind.chosen = 2
    card._changed(2)
    assert not card.range.visible
    hand.push("make")
    until(hand, lambda: card.running is None)
    assert not card.wrong
    assert Image.open(made(hand)).size == (640, 360)


def test_stopped_nothing_is_kept(hand: Hand, card: ExportCard) -> None:
    hand.push("make")
    until(hand, lambda: card.running is None or card.running.part > 0)
    hand.push("cancel")
    assert card.running is None
    assert card.told == "Export cancelled. Nothing was saved."
    assert list(hand.app.pictures.iterdir()) == []
    hand.push("cancel")
    assert not hand.app.root.floats


def test_leaving_the_page_ends_it(hand: Hand, card: ExportCard) -> None:
    hand.push("make")
    export = card.running
    assert export is not None
    hand.app.pages.home()
    assert export.done
    assert list(hand.app.pictures.iterdir()) == []


def test_why_it_failed_is_told(hand: Hand, card: ExportCard) -> None:
    hand.app.pictures.write_text("a file where the folder should be")
    hand.push("make")
    assert card.wrong
    assert card.told.startswith("Export failed: ")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os.kill(os.getpid(), 9)", "the system stopped it, perhaps because memory ran out"),
        ("import os; os.kill(os.getpid(), 15)", "it was stopped from outside"),
        ("import os; os.abort()", "it crashed"),
        ("raise SystemExit(3)", "it ended unexpectedly"),
        ("raise KeyError('frame')", "it ended unexpectedly"),
        ("raise SystemExit('shibumi3d: No space left on device')", "No space left on device"),
    ],
)
def test_however_it_ends_is_told_in_plain_words(
    hand: Hand, card: ExportCard, monkeypatch: pytest.MonkeyPatch, code: str, words: str
) -> None:
    monkeypatch.setattr(export, "program", lambda: [sys.executable, "-c", code])
    hand.push("make")
    until(hand, lambda: card.running is None)
    assert card.told == f"Export failed: {words}."


def test_a_postcard_from_beside_the_result(hand: Hand, tmp_path: Path) -> None:
    hand.app.pictures = tmp_path / "pictures"
    hand.start("spline")
    hand.choose("Aa1", "Ab1", "Aa2", "Ab2", "Aa3", "Ab3", "Aa4")
    hand.wait(3)
    hand.push("more")
    hand.push("postcard")
    card = hand.floating(ExportCard)
    assert not card.size.visible
    hand.push("make")
    until(hand, lambda: card.running is None)
    assert not card.wrong
    assert Image.open(made(hand)).size == (1480, 1050)


def test_a_page_of_plans_by_keys_alone(hand: Hand, card: ExportCard) -> None:
    while not card.kind.focused:
        hand.key("tab")
    for _ in range(KINDS.index("pdf")):
        hand.key("right")
    assert not card.size.visible
    while not card.ok.focused:
        hand.key("tab")
    hand.key("enter")
    until(hand, lambda: card.running is None)
    assert not card.wrong
    assert made(hand).read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(("lang", "line"), [("en", "shibumi3d: it failed"), ("fr", "shibumi3d : it failed")])
def test_why_a_film_could_not_be_made_is_said_without_the_name_of_the_program(lang: str, line: str) -> None:
    export = object.__new__(Export)
    export._process = SimpleNamespace(returncode=1)  # type: ignore[assignment]
    export._said = [line]
    i18n.use(lang)
    try:
        assert export.problem == "it failed"
    finally:
        i18n.use("en")


def test_films_that_need_a_package_can_not_be_chosen_and_say_so(
    hand: Hand, card: ExportCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.key("escape")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    hand.key("ctrl+e")
    plain = hand.floating(ExportCard)
    assert plain is not card
    assert [plain.kinds[n] for n in sorted(plain.kind.unavailable)] == ["mp4", "gif"]
    assert plain.kinds[plain.kind.chosen] == "png", "what is chosen first works"
    said = "Video and animated GIF need an extra package. To install it: pip install 'shibumi3d[film]'"
    assert plain.told == said
    assert not plain.wrong
    video = plain.kind.fields()[0]
    hand.click(video.cx, video.cy)
    plain.kind.key(Key("left"))
    assert plain.kinds[plain.kind.chosen] == "png"
    plain.kind.key(Key("right"))
    assert plain.kinds[plain.kind.chosen] == "pdf"
    assert plain.told == said
    plain.kind.key(Key("left"))
    node = next(each for each in Reading(hand.app.root, hand.app.canvas)._own(plain.kind) if each.children)
    assert [option.enabled for option in node.children][:3] == [False, False, True]
