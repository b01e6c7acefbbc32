"""Exporting films, pictures and diagrams: start, progress, cancellation and error messages."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import imageio_ffmpeg
import pytest
from PIL import Image

from shibumi3d import i18n
from shibumi3d.app.match import export
from shibumi3d.app.match.export import ExportCard, ExportProcess
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.accessibility import TreeBuilder
from shibumi3d.app.ui.widget import Key
from shibumi3d.export import EXPORT_FORMATS, encoder
from tests.app.hand import Hand
from tests.app.writing import written

MOVES = ["Aa1", "Aa2", "Ab1"]


@pytest.fixture
def card(hand: Hand, tmp_path: Path) -> ExportCard:
    """The export card, opened in a replay of three moves at the position after the second move."""
    hand.app.services.pictures_folder = tmp_path / "pictures"
    hand.start("spline")
    for point in MOVES:
        hand.click(*hand.spot(point))
        hand.wait(3)
    hand.app.show_page(ReplayPage(hand.app, hand.play.match, hand.play.entry))
    page = hand.page(ReplayPage)
    page.go_to(2)
    hand.draw()
    hand.key("ctrl+e")
    found = hand.floating(ExportCard)
    found.size_choice.selected_index = 0
    return found


def exported_file(hand: Hand) -> Path:
    (file,) = hand.app.services.pictures_folder.iterdir()
    return file


def test_film_of_the_moves_from_here(hand: Hand, card: ExportCard) -> None:
    card.range_choice.selected_index = 1
    card.speed_choice.selected_index = 3
    hand.push("make")
    assert not card.export_button.enabled
    assert card.cancel_button.label == "Cancel"
    hand.wait_until(lambda: card.process is None)
    assert card.cancel_button.label == "Close"
    assert (card.is_error, exported_file(hand).suffix) == (False, ".mp4")
    assert str(exported_file(hand)) in card.message
    pictures = list(imageio_ffmpeg.read_frames(str(exported_file(hand))))
    # At four times the speed and 30 frames per second, each of three pauses of 0.7 s has 5 frames, a move one or two.
    assert pictures[0]["size"] == (640, 360)
    assert 3 * 5 + 1 <= len(pictures) - 1 <= 3 * 5 + 4


def test_picture_of_the_current_position(hand: Hand, card: ExportCard) -> None:
    card.format_choice.select(card.formats.index("png"))
    assert not card.range_choice.visible
    hand.push("make")
    hand.wait_until(lambda: card.process is None)
    assert not card.is_error
    assert Image.open(exported_file(hand)).size == (640, 360)


def test_saved_file_can_be_found_and_its_path_copied(
    hand: Hand, card: ExportCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    copied: list[str] = []
    monkeypatch.setattr(hand.app.services, "open_folder", lambda folder: opened.append(folder) or True)
    monkeypatch.setattr(hand.app.services, "write_clipboard", copied.append)
    assert not card.open_folder_button.visible
    card.format_choice.select(card.formats.index("svg"))
    hand.push("make")
    hand.wait_until(lambda: card.process is None)
    hand.push("open folder")
    hand.push("copy path")
    assert (opened, copied) == ([hand.app.services.pictures_folder], [str(exported_file(hand))])
    card.format_choice.select(card.formats.index("png"))
    assert not card.copy_path_button.visible, "another export begins"


def test_stopped_export_leaves_no_file(hand: Hand, card: ExportCard) -> None:
    hand.push("make")
    hand.wait_until(lambda: card.process is None or card.process.progress > 0)
    hand.push("cancel")
    assert card.process is None
    assert card.message == "Export cancelled. Nothing was saved."
    assert list(hand.app.services.pictures_folder.iterdir()) == []
    hand.push("cancel")
    assert not hand.app.root.popups


@pytest.mark.parametrize(("seconds", "text"), [(7, "About 7 seconds left."), (0, "About a second left.")])
def test_estimated_time_left_is_at_least_a_second(
    hand: Hand, card: ExportCard, monkeypatch: pytest.MonkeyPatch, seconds: int, text: str
) -> None:
    card.process = SimpleNamespace(  # type: ignore[assignment]
        progress=0.5, seconds_left=seconds, close=lambda: None
    )
    assert text in written(monkeypatch, hand.draw).texts


def test_leaving_the_page_stops_the_export(hand: Hand, card: ExportCard) -> None:
    hand.push("make")
    export = card.process
    assert export is not None
    hand.app.pages.show_home()
    assert export.is_done
    assert list(hand.app.services.pictures_folder.iterdir()) == []


def test_export_failure_is_explained(hand: Hand, card: ExportCard) -> None:
    hand.app.services.pictures_folder.write_text("a file where the folder should be")
    hand.push("make")
    assert card.is_error
    assert card.message.startswith("Export failed: ")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os.kill(os.getpid(), 9)", "the system stopped it, perhaps because memory ran out"),
        ("import os; os.kill(os.getpid(), 15)", "another program stopped it"),
        ("import os; os.abort()", "it crashed"),
        ("raise SystemExit(3)", "it ended unexpectedly"),
        ("raise KeyError('frame')", "it ended unexpectedly"),
        ("raise SystemExit('shibumi3d: No space left on device')", "No space left on device"),
    ],
)
def test_every_outcome_of_an_export_has_a_message(
    hand: Hand, card: ExportCard, monkeypatch: pytest.MonkeyPatch, code: str, words: str
) -> None:
    monkeypatch.setattr(export, "launch_command", lambda: [sys.executable, "-c", code])
    hand.push("make")
    hand.wait_until(lambda: card.process is None)
    assert card.message == f"Export failed: {words}."


def test_postcard_from_the_result_bar(hand: Hand, tmp_path: Path) -> None:
    hand.app.services.pictures_folder = tmp_path / "pictures"
    hand.start("spline")
    hand.choose("Aa1", "Ab1", "Aa2", "Ab2", "Aa3", "Ab3", "Aa4")
    hand.wait(3)
    hand.push("more")
    hand.push("postcard")
    card = hand.floating(ExportCard)
    assert not card.size_choice.visible
    hand.push("make")
    hand.wait_until(lambda: card.process is None)
    assert not card.is_error
    assert Image.open(exported_file(hand)).size == (1480, 1050)


def test_diagram_sheet_by_keyboard(hand: Hand, card: ExportCard) -> None:
    while not card.format_choice.focused:
        hand.key("tab")
    for _ in range(EXPORT_FORMATS.index("pdf")):
        hand.key("right")
    assert not card.size_choice.visible
    while not card.export_button.focused:
        hand.key("tab")
    hand.key("enter")
    hand.wait_until(lambda: card.process is None)
    assert not card.is_error
    assert exported_file(hand).read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(("lang", "line"), [("en", "shibumi3d: it failed"), ("fr", "shibumi3d : it failed")])
def test_encoder_error_omits_the_program_name(lang: str, line: str) -> None:
    export = object.__new__(ExportProcess)
    export._process = SimpleNamespace(returncode=1)  # type: ignore[assignment]
    export._output_lines = [line]
    i18n.set_language(lang)
    try:
        assert export.error_message == "it failed"
    finally:
        i18n.set_language("en")


def test_video_without_ffmpeg_is_disabled_with_a_reason(
    hand: Hand, card: ExportCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.key("escape")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(encoder.shutil, "which", lambda name: None)
    hand.key("ctrl+e")
    plain = hand.floating(ExportCard)
    assert plain is not card
    assert [plain.formats[n] for n in sorted(plain.format_choice.disabled_options)] == ["mp4"]
    assert plain.formats[plain.format_choice.selected_index] == "gif", "what is chosen first works"
    expected_message = (
        "Videos need ffmpeg. Install it, or the package that includes it: pip install 'shibumi3d[film]'"
    )
    assert plain.message == expected_message
    assert not plain.is_error
    video = plain.format_choice.option_rects()[0]
    hand.click(video.cx, video.cy)
    plain.format_choice.on_key(Key("left"))
    assert plain.formats[plain.format_choice.selected_index] == "gif"
    plain.format_choice.on_key(Key("right"))
    assert plain.formats[plain.format_choice.selected_index] == "html"
    assert plain.message == expected_message
    plain.format_choice.on_key(Key("left"))
    node = next(
        each
        for each in TreeBuilder(hand.app.root, hand.app.canvas)._own_nodes(plain.format_choice)
        if each.children
    )
    assert [option.is_enabled for option in node.children][:3] == [False, True, True]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_format_has_a_line_of_full_height(hand: Hand, card: ExportCard, language: str) -> None:
    """The seven formats need two lines, and the options below them still end above the buttons."""
    hand.key("escape")
    hand.app.change_settings(language=language)
    hand.key("ctrl+e")
    shown = hand.floating(ExportCard)
    hand.draw()
    rects = shown.format_choice.option_rects()
    assert len(rects) == 7
    assert len({rect.y for rect in rects}) == 2
    assert min(rect.h for rect in rects) >= 26
    foot = min(shown.export_button.rect.y, shown.cancel_button.rect.y)
    assert shown.speed_choice.rect.bottom < foot
