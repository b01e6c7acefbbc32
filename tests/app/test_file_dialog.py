"""The system's file dialog: a fake chooser in the window, fake programs, and a fake desktop portal on a real bus."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

from shibumi3d.app.host import file_dialog
from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.host.file_dialog import FileRequest, NoFileDialogError, ask_for_file, path_of_uri
from shibumi3d.app.match.dialogs import SaveDialog
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.problem import ProblemPageBase
from shibumi3d.app.pages.game_designer.page import GameDesignerPage
from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.catalogue.sharing import encode_game
from shibumi3d.match.record import load
from shibumi3d.match.sharing import encode_match
from tests.app.hand import Hand
from tests.app.test_dropped_files import GAME, LINE, save_record

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="portals and these programs are Linux's"
)


class Chooser:
    """Stand-in for the system's file dialog.

    It stays open until it is cancelled or :meth:`answer` gives it a path, ``None`` or an error.
    """

    def __init__(self, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hand = hand
        self.requests: list[FileRequest] = []
        self.cancelled = False
        self._answered, self._answer = threading.Event(), None
        monkeypatch.setattr(hand.app.services, "ask_for_file", self._ask)
        monkeypatch.setattr(hand.app.file_chooser, "folder", Path.home())

    def _ask(self, request: FileRequest, cancelled: threading.Event) -> Path | None:
        self.requests.append(request)
        while not self._answered.wait(0.01):
            if cancelled.is_set():
                self.cancelled = True
                return None
        self._answered.clear()
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def answer(self, answer: Any) -> None:
        """Close the dialog with ``answer``, and let the window handle it.

        ``answer`` is the path of the chosen file, None if the user chose none, or an exception that the dialog raises.
        """
        thread = self.hand.app.file_chooser._thread
        assert thread is not None
        self._answer = answer
        self._answered.set()
        thread.join(10)
        self.hand.wait(0.5)


@pytest.fixture
def chooser(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chooser]:
    yield Chooser(hand, monkeypatch)
    hand.app.file_chooser.close()


def message_text(hand: Hand) -> str:
    return hand.floating(MessageCard).message_label.caption


def open_dialog(hand: Hand) -> None:
    hand.app.pages.show_saved_games()
    hand.draw()
    hand.push("choose file")


# Opening


def test_chosen_match_is_opened_and_the_window_stays_responsive(
    hand: Hand, chooser: Chooser, tmp_path: Path
) -> None:
    open_dialog(hand)
    hand.wait(1)
    hand.key("escape")
    hand.wait(1)
    assert not isinstance(hand.app.current_page, SavedGamesPage)
    chooser.answer(save_record(tmp_path, 2))
    assert hand.moves == LINE[:2]
    (request,) = chooser.requests
    assert (request.title, request.name) == ("Open file", "")


def test_dialog_opens_where_the_last_file_was(hand: Hand, chooser: Chooser, tmp_path: Path) -> None:
    open_dialog(hand)
    chooser.answer(save_record(tmp_path, 2))
    open_dialog(hand)
    chooser.answer(None)
    assert [request.folder for request in chooser.requests] == [Path.home(), tmp_path]


def test_ctrl_o_twice_opens_the_dialog(hand: Hand, chooser: Chooser) -> None:
    hand.key("ctrl+o")
    hand.key("ctrl+o")
    chooser.answer(None)
    assert len(chooser.requests) == 1


def test_cancelled_dialog_changes_nothing(hand: Hand, chooser: Chooser) -> None:
    open_dialog(hand)
    chooser.answer(None)
    assert isinstance(hand.app.current_page, SavedGamesPage)
    assert not hand.app.root.popups


def test_second_dialog_is_not_opened_beside_the_first(hand: Hand, chooser: Chooser) -> None:
    open_dialog(hand)
    hand.push("choose file")
    assert message_text(hand) == "The file dialog is already open."
    chooser.answer(None)
    assert len(chooser.requests) == 1


def test_missing_dialog_is_reported_and_the_path_can_be_typed(
    hand: Hand, chooser: Chooser, tmp_path: Path
) -> None:
    open_dialog(hand)
    chooser.answer(NoFileDialogError())
    assert message_text(hand) == "There is no file dialog on this computer. Type the file's path instead."
    hand.key("enter")
    page = hand.page(SavedGamesPage)
    page.path_field.value = str(save_record(tmp_path, 2))
    hand.app.root.focus = page.path_field
    hand.key("enter")
    assert hand.moves == LINE[:2]


def test_closing_the_window_closes_the_dialog(hand: Hand, chooser: Chooser) -> None:
    open_dialog(hand)
    hand.app.file_chooser.close()
    assert chooser.cancelled
    hand.wait(1)
    assert isinstance(hand.app.current_page, SavedGamesPage)


PROBLEM = (
    '{id: 1, game: spline, rules: "RULES", moves: "W@Aa1, B@Ad3, W@Ac2, B@Aa3, W@Ad2, B@Aa2, W@Ab4, B@Ab3, W@Ad1, '
    'B@Ab1, W@Ac1, B@Aa4, W@Ab2, B@Bb1, W@Bc1", n: 1, line: B@Ac3, rating: 592, work: 6}'
)


def write_of_kind(kind: str, folder: Path, hand: Hand) -> Path:
    from shibumi3d.catalogue.catalogue import load_catalogue
    from shibumi3d.catalogue.problems import rules_hash
    from shibumi3d.match.match import Match

    rules = rules_hash(load_catalogue().get("spline"))
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"])
    match.play("W@Aa1")
    texts = {
        "game": GAME,
        "shared game": encode_game(GAME),
        "link": f"Your turn!\n{encode_match(match)}\n",
        "problem": f"problems:\n  - {PROBLEM.replace('RULES', rules)}\n",
        "problem of other rules": f"problems:\n  - {PROBLEM.replace('RULES', '0' * 12)}\n",
    }
    if kind == "unfinished":
        return save_record(folder, 2)
    if kind == "finished":
        return save_record(folder, 7)
    path = folder / "file.txt"
    path.write_text(texts[kind], "utf-8")
    return path


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        ("unfinished", MarbleMatchPage),
        ("finished", ReplayPage),
        ("game", MarbleMatchPage),
        ("shared game", GameDesignerPage),
        ("link", MarbleMatchPage),
        ("problem", ProblemPageBase),
    ],
)
@pytest.mark.parametrize("way", ["dialog", "drop", "command line"])
def test_every_kind_of_file_opens(
    hand: Hand, chooser: Chooser, tmp_path: Path, kind: str, page: type, way: str
) -> None:
    path = write_of_kind(kind, tmp_path, hand)
    if way == "dialog":
        open_dialog(hand)
        chooser.answer(path)
    elif way == "drop":
        hand.native.dispatch_event("on_file_drop", 10, 10, [str(path)])
    else:
        hand.app.matches.open_path(path, replay=True)
    hand.draw()
    if kind == "unfinished" and way == "command line":
        page = ReplayPage
    assert isinstance(hand.app.current_page, page)
    assert way != "dialog" or chooser.requests


def test_built_in_problem_from_a_file_is_not_copied(hand: Hand, tmp_path: Path) -> None:
    hand.app.matches.open_path(write_of_kind("problem", tmp_path, hand))
    page = hand.page(ProblemPageBase)
    assert page.course.current_name == "spline#1"
    assert not hand.app.results.problems.own_problems()


def test_problem_of_other_rules_is_refused(hand: Hand, tmp_path: Path) -> None:
    hand.app.matches.open_path(write_of_kind("problem of other rules", tmp_path, hand))
    assert (
        message_text(hand)
        == "This problem file can't be opened: it was made for a different version of the rules of Spline."
    )


def test_own_problems_are_saved_and_played_in_order(hand: Hand, tmp_path: Path) -> None:
    path = write_of_kind("problem", tmp_path, hand)
    row = path.read_text("utf-8").splitlines()[1]
    orders = "W@Ac2, B@Ad3, W@Aa1, B@Aa3", "W@Ac2, B@Aa3, W@Aa1, B@Ad3"
    new = [
        row.replace("W@Aa1, B@Ad3, W@Ac2, B@Aa3", order).replace("id: 1", f"id: {number}")
        for number, order in enumerate(orders, 1)
    ]
    path.write_text("problems:\n" + "\n".join(new) + "\n", "utf-8")
    for _ in range(2):
        hand.app.matches.open_path(path)
        page = hand.page(ProblemPageBase)
        assert page.course.current_name == "spline#own1"
    page.course.advance()
    assert page.course.current_name == "spline#own2"
    assert list(hand.app.results.problems.own_problems()) == ["spline#own1", "spline#own2"]


# Saving


def test_match_is_saved_where_the_dialog_says(hand: Hand, chooser: Chooser, tmp_path: Path) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    hand.key("ctrl+s")
    hand.draw()
    proposed = hand.floating(SaveDialog).path_field.value
    hand.push("choose path")
    chooser.answer(tmp_path / "evening.yaml")
    (request,) = chooser.requests
    assert request.folder / request.name == Path(proposed)
    assert load(tmp_path / "evening.yaml").turns == (("W@Aa1",),)
    assert not hand.app.root.popups


def test_choice_for_a_closed_save_dialog_is_ignored(hand: Hand, chooser: Chooser, tmp_path: Path) -> None:
    hand.start("spline")
    hand.key("ctrl+s")
    hand.draw()
    hand.push("choose path")
    hand.key("escape")
    chooser.answer(tmp_path / "evening.yaml")
    assert not (tmp_path / "evening.yaml").exists()


def test_missing_folder_is_reported_in_the_save_dialog(hand: Hand, chooser: Chooser, tmp_path: Path) -> None:
    hand.start("spline")
    hand.key("ctrl+s")
    hand.draw()
    hand.push("choose path")
    chooser.answer(tmp_path / "missing" / "evening.yaml")
    assert "Couldn't save the file" in hand.floating(SaveDialog).problem


# Programs


OPEN = FileRequest("Open file", Path("/home/ann"))
SAVE = FileRequest("Save the game", Path("/home/ann"), "evening.yaml", parent=26)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the search path for programs.

    No desktop portal can be reached.
    """
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    monkeypatch.delenv("XDG_CURRENT_DESKTOP", raising=False)
    return tmp_path


def install(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >{quote(f'{path}.arguments')}\n{script}\n", "utf-8")
    path.chmod(0o755)


def arguments(folder: Path, name: str) -> list[str]:
    return (folder / f"{name}.arguments").read_text("utf-8").splitlines()


@linux
def test_zenity_is_asked(programs: Path) -> None:
    install(programs, "zenity", "printf '/a/Zoé b.yaml\\n'")
    assert ask_for_file(OPEN, threading.Event()) == Path("/a/Zoé b.yaml")
    assert arguments(programs, "zenity") == [
        "--file-selection",
        "--title=Open file",
        "--filename=/home/ann/",
        "--file-filter=Shibumi 3D files | *.yaml *.yml *.txt",
        "--file-filter=All files | *",
    ]
    assert ask_for_file(SAVE, threading.Event()) == Path("/a/Zoé b.yaml")
    assert arguments(programs, "zenity")[2:] == [
        "--save",
        "--confirm-overwrite",
        "--filename=/home/ann/evening.yaml",
    ]


@linux
def test_kdialog_comes_first_on_kde(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(programs, "zenity", "exit 5")
    install(programs, "kdialog", "echo /a/b.yaml")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "KDE")
    assert ask_for_file(SAVE, threading.Event()) == Path("/a/b.yaml")
    assert arguments(programs, "kdialog") == [
        "--title",
        "Save the game",
        "--attach",
        "26",
        "--getsavefilename",
        "/home/ann/evening.yaml",
    ]
    assert not (programs / "zenity.arguments").exists()


@linux
def test_cancelled_dialog_program_returns_nothing(programs: Path) -> None:
    install(programs, "zenity", "exit 1")
    assert ask_for_file(OPEN, threading.Event()) is None


@linux
def test_failing_program_is_followed_by_the_next(programs: Path) -> None:
    install(programs, "zenity", "exit 255")
    install(programs, "kdialog", "echo /a/b.yaml")
    assert ask_for_file(OPEN, threading.Event()) == Path("/a/b.yaml")


@linux
def test_no_program_at_all_is_an_error(programs: Path) -> None:
    with pytest.raises(NoFileDialogError):
        ask_for_file(OPEN, threading.Event())


@linux
def test_program_ends_with_the_window(programs: Path) -> None:
    install(programs, "zenity", f"echo $$ >{quote(f'{programs}/pid')}; exec /bin/sleep 60")
    cancelled = threading.Event()
    answers: list[object] = []
    thread = threading.Thread(target=lambda: answers.append(ask_for_file(OPEN, cancelled)))
    thread.start()
    while not (programs / "pid").exists() or not (programs / "pid").read_text():
        time.sleep(0.01)
    cancelled.set()
    thread.join(10)
    assert answers == [None]
    with pytest.raises(ProcessLookupError):
        os.kill(int((programs / "pid").read_text()), 0)


@pytest.mark.parametrize(("platform", "name"), [("win32", "powershell"), ("darwin", "osascript")])
def test_texts_for_other_systems_cannot_become_commands(
    monkeypatch: pytest.MonkeyPatch, platform: str, name: str
) -> None:
    """In PowerShell, single quotes within a text are doubled; AppleScript receives texts as arguments."""
    monkeypatch.setattr(sys, "platform", platform)
    ((found, make),) = file_dialog._programs()
    assert found == name
    made = make(FileRequest("Ann's", Path("/a'b"), "c'd.yaml"))
    if platform == "win32":
        assert "Title = 'Ann''s'" in made[-1]
        assert "FileName = 'c''d.yaml'" in made[-1]
    else:
        assert made[-3:] == ["Ann's", "/a'b", "c'd.yaml"]


# The desktop portal


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c.yaml", Path("/a/b c.yaml")),
        ("file:///a/%C3%A9%23.yaml", Path("/a/é#.yaml")),
        ("https://example.org/a.yaml", None),
        ("file:", None),
    ],
)
def test_uri_of_a_chosen_file_becomes_a_path(uri: str, path: Path | None) -> None:
    assert path_of_uri(uri) == path


PORTAL_SERVICE = """
import sys, threading
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal, message_bus
from jeepney.io.blocking import open_dbus_connection

mode = sys.argv[1]
bus = open_dbus_connection("SESSION")
bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
print("ready", flush=True)
while True:
    message = bus.receive()
    if message.header.message_type is not MessageType.method_call:
        continue
    fields = message.header.fields
    member = fields[HeaderFields.member]
    print(member, fields[HeaderFields.path], flush=True)
    if member == "Close":
        break
    if mode == "refuse":
        bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        continue
    parent, title, options = message.body
    print(repr((parent, title, sorted((k, v) for k, v in options.items() if k != "handle_token"))), flush=True)
    sender = fields[HeaderFields.sender].lstrip(":").replace(".", "_")
    handle = f"/org/freedesktop/portal/desktop/request/{sender}/{options['handle_token'][1]}"
    bus.send(new_method_return(message, "o", (handle,)))
    request = DBusAddress(handle, interface="org.freedesktop.portal.Request")
    if mode == "choose":
        bus.send(new_signal(request, "Response", "ua{sv}", (0, {"uris": ("as", ["file:///a/b%20c.yaml"])})))
    elif mode == "cancel":
        bus.send(new_signal(request, "Response", "ua{sv}", (1, {})))
    elif mode == "crash":
        break
"""


class Portal:
    """A fake desktop portal: a process on the session bus at ``address``.

    ``mode`` is what the portal does when it is asked for a file: ``choose`` answers with a file, ``cancel`` reports
    that the user cancelled, ``crash`` ends the process instead of answering, ``refuse`` returns an error, and ``wait``
    doesn't answer. The process prints the calls that it receives; :meth:`line` reads a line of this output.
    """

    def __init__(self, mode: str, address: str) -> None:
        environment = {
            **os.environ,
            "DBUS_SESSION_BUS_ADDRESS": address,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", PORTAL_SERVICE, mode],
            stdout=subprocess.PIPE,
            env=environment,
            encoding="utf-8",
        )
        assert self.line() == "ready"

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start a session bus without services, and yield its address.

    During the test, the program finds no other programs that show file dialogs, such as zenity. If jeepney is missing,
    the test is skipped. If dbus-daemon is missing, the test is skipped too, except in CI, where it fails.
    """
    pytest.importorskip("jeepney")
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        if os.environ.get("CI"):
            pytest.fail("dbus-daemon is missing: apt-get install dbus")
        pytest.skip("needs dbus-daemon")
    process = subprocess.Popen(
        [daemon, "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.setattr(file_dialog, "_programs", tuple)
    yield address
    process.terminate()
    process.wait(10)


@pytest.fixture
def portal(bus: str, request: pytest.FixtureRequest) -> Iterator[Portal]:
    found = Portal(request.param, bus)
    yield found
    found.process.terminate()
    found.process.wait(10)


@linux
@pytest.mark.parametrize("portal", ["choose"], indirect=True)
def test_portal_opens_its_dialog_and_gives_the_path(portal: Portal) -> None:
    assert ask_for_file(OPEN, threading.Event()) == Path("/a/b c.yaml")
    assert portal.line() == "OpenFile /org/freedesktop/portal/desktop"
    patterns = [(0, "*.yaml"), (0, "*.yml"), (0, "*.txt")]
    filters = [("Shibumi 3D files", patterns), ("All files", [(0, "*")])]
    assert portal.line() == repr(
        (
            "",
            "Open file",
            [
                ("current_folder", ("ay", b"/home/ann\0")),
                ("filters", ("a(sa(us))", filters)),
                ("modal", ("b", True)),
            ],
        )
    )


@linux
@pytest.mark.parametrize("portal", ["choose"], indirect=True)
def test_portal_is_asked_where_to_save_over_the_window(portal: Portal) -> None:
    assert ask_for_file(SAVE, threading.Event()) == Path("/a/b c.yaml")
    assert portal.line() == "SaveFile /org/freedesktop/portal/desktop"
    request = portal.line()
    assert request.startswith("('x11:1a', 'Save the game', [")
    assert "('current_name', ('s', 'evening.yaml'))" in request


@linux
@pytest.mark.parametrize("portal", ["cancel", "crash"], indirect=True)
def test_portal_dialog_without_a_choice_returns_nothing(portal: Portal) -> None:
    assert ask_for_file(OPEN, threading.Event()) is None


@linux
@pytest.mark.parametrize("portal", ["refuse"], indirect=True)
def test_portal_without_file_dialogs_raises_an_error(portal: Portal) -> None:
    with pytest.raises(NoFileDialogError):
        ask_for_file(OPEN, threading.Event())


@linux
def test_bus_without_a_portal_raises_an_error(bus: str) -> None:
    with pytest.raises(NoFileDialogError):
        ask_for_file(OPEN, threading.Event())


@linux
@pytest.mark.parametrize("portal", ["wait"], indirect=True)
def test_dialog_of_the_portal_closes_with_the_window(portal: Portal) -> None:
    cancelled = threading.Event()
    answers: list[object] = []
    thread = threading.Thread(target=lambda: answers.append(ask_for_file(OPEN, cancelled)))
    thread.start()
    assert portal.line().startswith("OpenFile")
    portal.line()
    cancelled.set()
    thread.join(10)
    assert answers == [None]
    assert portal.line().startswith("Close /org/freedesktop/portal/desktop/request/")
