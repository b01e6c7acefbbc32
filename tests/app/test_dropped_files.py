"""Files dropped on the window, both as pyglet events and as real drags on a display."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.game_designer.page import GameDesignerPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.platform.drag_and_drop import parse_uri_list
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.sharing import encode_game
from shibumi3d.match.match import Match
from tests.app.hand import Hand
from tests.app.test_real_window import Desk, cache, desk, display

__all__ = ["cache", "desk", "display"]

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]
GAME = "title: Slip\nturn: {place: own}\nend:\n- {when: any(l <= own for l in full_lines), win: me}\n"


def save_record(place: Path, moves: int) -> Path:
    """Play the first ``moves`` moves of :data:`LINE` in a match of Spline, and save the match.

    Return the path of the file. It is in the folder ``place``, and its name contains spaces and special characters.
    """
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Zoë"])
    for move in LINE[:moves]:
        match.play(move)
    path = place / "Ann & Zoë 100% #1.yaml"
    match.record().save(path)
    return path


def drop_files(hand: Hand, *paths: object) -> None:
    hand.native.dispatch_event("on_file_drop", 10, 10, [str(path) for path in paths])
    hand.draw()


def message_text(hand: Hand) -> str:
    return hand.floating(MessageCard).message_label.caption


def test_dropped_unfinished_match_is_resumed(hand: Hand, tmp_path: Path) -> None:
    drop_files(hand, save_record(tmp_path, 2))
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    assert hand.moves == LINE[:2]
    assert not hand.app.root.popups


def test_dropped_finished_match_is_replayed(hand: Hand, tmp_path: Path) -> None:
    drop_files(hand, save_record(tmp_path, 7))
    assert isinstance(hand.app.current_page, ReplayPage)


def test_current_match_is_saved_when_another_is_dropped(hand: Hand, tmp_path: Path) -> None:
    hand.start("span")
    hand.choose("Aa1")
    kept = hand.app.matches.current_path
    assert kept is not None
    drop_files(hand, save_record(tmp_path, 1))
    assert hand.moves == LINE[:1]
    assert "Aa1" in kept.read_text("utf-8")


def test_dropped_game_starts(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "slip.yaml"
    path.write_text(GAME, "utf-8")
    drop_files(hand, path)
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    assert hand.app.current_page.entry.title == "Slip"


def test_dropped_invalid_game_reports_the_location(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "slip.yaml"
    path.write_text(GAME.replace("turn:", "trun:"), "utf-8")
    drop_files(hand, path)
    assert isinstance(hand.app.current_page, HomePage)
    assert "slip.yaml:2:1" in message_text(hand)


def test_dropped_shared_game_is_imported(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "line.txt"
    path.write_text(encode_game(GAME), "utf-8")
    drop_files(hand, path)
    assert isinstance(hand.app.current_page, GameDesignerPage)
    assert hand.app.current_page.draft.text == GAME.rstrip("\n") or hand.app.current_page.draft.text == GAME


@pytest.mark.parametrize("what", ["folder", "nothing", "zeros", "picture", "link"])
def test_other_dropped_files_are_refused_with_a_message(hand: Hand, tmp_path: Path, what: str) -> None:
    play = hand.start("spline")
    path = tmp_path / what
    if what == "folder":
        path.mkdir()
    elif what == "picture":
        path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    elif what == "zeros":
        path = Path(f"{path}\0.yaml")
    elif what == "link":
        path.symlink_to(tmp_path / "nowhere")
    drop_files(hand, path)
    assert hand.app.current_page is play
    assert message_text(hand)


def test_first_of_several_dropped_files_is_opened(hand: Hand, tmp_path: Path) -> None:
    drop_files(hand, save_record(tmp_path, 2), tmp_path / "another.yaml")
    assert hand.moves == LINE[:2]
    assert message_text(hand) == "Only the first file was opened: Ann & Zoë 100% #1.yaml."


def test_only_the_first_dropped_file_is_reported_if_invalid(hand: Hand, tmp_path: Path) -> None:
    drop_files(hand, tmp_path / "another.yaml", save_record(tmp_path, 2))
    assert len(hand.app.root.popups) == 1
    assert "another.yaml" in message_text(hand)


def test_drop_without_files_is_reported(hand: Hand) -> None:
    drop_files(hand)
    assert message_text(hand) == "Only files can be dropped here."


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        (b"file:///a/b.yaml\r\n", ["/a/b.yaml"]),
        (b"file:///a%20b/Zo%C3%AB%23.yaml", ["/a b/Zoë#.yaml"]),
        (b"file://localhost/a\r\nFILE:///b\n", ["/a", "/b"]),
        (b"file:/a", ["/a"]),
        (f"file://{socket.gethostname()}/a".encode(), ["/a"]),
        (b"# told by somebody\r\nfile:///a\0", ["/a"]),
        (b"file://elsewhere/a\r\nhttps://example.org/a.yaml\r\nfile:a\r\n/a\r\n\r\n", []),
        (b"\xff\xfe", []),
        (b"", []),
    ],
)
def test_file_urls_are_decoded(data: bytes, paths: list[str]) -> None:
    assert parse_uri_list(data) == paths


def test_file_names_need_not_be_valid_utf8() -> None:
    (path,) = parse_uri_list(b"file:///a/%FF.yaml")
    assert Path(path).name.encode("utf-8", "surrogateescape") == b"\xff.yaml"


@pytest.mark.display
def test_files_can_be_dragged_to_a_real_window(desk: Desk, tmp_path: Path) -> None:
    def drag(mode: str, *addresses: str) -> list[object]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.app.x11", "drag", mode, *addresses],
            stdout=subprocess.PIPE,
            env=desk.environment,
            check=True,
            timeout=60,
        )
        found: list[object] = json.loads(done.stdout)
        return found

    desk.open("play", "span")
    address = save_record(tmp_path, 2).as_uri()
    assert drag("leave", address) == [1, False]
    assert drag("text") == [0, 0]
    desk.until(lambda seen: "go on" in seen["widgets"])
    desk.key("Return")
    desk.until(lambda seen: "go on" not in seen["widgets"])
    assert drag("silent", address) == [1, 0]
    desk.until(lambda seen: "go on" in seen["widgets"])
    desk.key("Return")
    assert drag("few", address) == [1, 1]
    desk.until(lambda seen: seen.get("plies") == LINE[:2])
    assert drag("many", save_record(tmp_path, 4).as_uri()) == [1, 1]
    desk.until(lambda seen: seen.get("plies") == LINE[:4])
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
