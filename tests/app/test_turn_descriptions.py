"""The description of a turn includes everything it did, in the same words wherever it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.move_list import MarbleMoveList
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import terminal
from shibumi3d.export import sheet, web_page
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.turn_descriptions import describe_turn_parts
from shibumi3d.wording import caption_ply
from tests.rules.inline import at, inline

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State
    from tests.app.hand import Hand

CAPTURE = ("W@Ab1", "B@Aa1", "W@Ad4", "B@Aa2", "W@Ab2", "B@Ad1", "W@Aa3")
"""Moves of Spargo: the black group on Aa1 and Aa2 loses its last free point, so White takes both marbles."""


def spargo() -> Match:
    match = Match(load_catalogue().get("spargo").game(), ["Ann", "Ben"], 1)
    for move in CAPTURE:
        match.play(move)
    return match


def test_capture_is_described_in_terminal_and_captions() -> None:
    match = spargo()
    assert list(terminal.format_turns(match, None))[-1] == "  7  Ann: white on Aa3, captures 2 marbles"
    assert caption_ply(match, 6, None) == "Turn 7 – Ann: white on Aa3, captures 2 marbles"


def test_capture_is_described_in_web_page_and_diagrams() -> None:
    match = spargo()
    page = web_page.make_web_page(match).decode()
    assert "white on Aa3, captures 2 marbles" in page
    drawn = sheet.draw_sheet([match], "svg").decode()
    assert "after turn 7: white on Aa3, captures 2 marbles" in drawn


def test_capture_is_described_in_status_line_and_move_list(hand: Hand) -> None:
    page = hand.start("spargo")
    for move in CAPTURE:
        page.actions.on_move_made(page.actions.make_move(move))
    hand.wait(3)
    names = page.names
    assert page.message_line.current_message()[0] == f"{names[0]}: white on Aa3, captures 2 marbles"
    assert page.describe_move(6) == f"{names[0]}: white on Aa3, captures 2 marbles"
    assert isinstance(page.move_list, MarbleMoveList)
    assert page.move_list._move_parts(page.match.plies[-1:], names) == [
        (0, "Aa3,"),
        (-1, "captures 2 marbles"),
    ]
    row = len(page.move_list.rows) - 1
    # When the pointer is on a line, there is room for the points.
    assert page.move_list.describe_turn_row(row) == f"{names[0]}: white on Aa3, captures Aa2 and Aa1"


@pytest.fixture(name="state")
def _state() -> State:
    return at(inline("turn: {place: own}"))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([ev.Placed(0, 0, 0, "box"), ev.Removed(0, 1, 1, "box")], "white on Aa1, captures 1 marble"),
        ([ev.Placed(0, 0, 0, "box"), ev.Removed(0, 1, 2, "box")], "white on Aa1, removes 1 marble"),
        ([ev.Removed(0, 2, 1, "box"), ev.Dropped(0, 9, 2, 1)], "takes Ac1, 1 marble drops"),
        (
            [ev.Chose(0, "Aa1+Ac1"), ev.Removed(0, 0, 1, "box"), ev.Removed(0, 2, 1, "box")],
            "takes Aa1 and Ac1",
        ),
        (
            [ev.Lifted(0, 0, 0), ev.Captured(0, 2, 1, "box"), ev.Moved(0, 0, 2, 0)],
            "Aa1 to Ac1, captures 1 marble",
        ),
        (
            [ev.Entered(0, 0, 0, 0, "box"), ev.Pushed(0, 0, 1, 1), ev.SideDropped(0, 9, 2, 1)],
            "white enters Aa1 from the west, 1 marble is pushed, 1 marble drops",
        ),
        (
            [ev.Placed(0, 0, 0, "box"), ev.Recoloured(0, 1, 1, 0), ev.Recoloured(0, 2, 1, 0)],
            "white on Aa1, 2 marbles turn white",
        ),
        ([ev.Placed(0, 0, 0, "box"), ev.Given(0, 2, "box", "hand", 1)], "white on Aa1, red to Ben"),
        ([ev.Placed(0, 0, 0, "box"), ev.Scored(0, 2), ev.Scored(1, -1)], "white on Aa1, score: +2, Ben −1"),
        ([ev.Chose(0, "red")], "chooses red"),
        ([ev.Passed(0)], "passes"),
    ],
)
def test_every_event_is_described(state: State, events: list[ev.Event], words: str) -> None:
    assert sentences.describe_actions(state, 0, events, "en", ["Ann", "Ben"]) == words


def test_many_points_are_counted_instead_of_listed(state: State) -> None:
    removals: list[ev.Event] = [ev.Removed(0, point, 1, "box") for point in range(1, 5)]
    events = [ev.Placed(0, 0, 0, "box"), *removals]
    for detailed in (False, True):
        parts = describe_turn_parts(state, 0, events, "en", ["Ann", "Ben"], detailed=detailed)
        assert [part.text for part in parts] == ["white on Aa1", "captures 4 marbles"]


def test_records_do_not_contain_descriptions(tmp_path: Path) -> None:
    match = spargo()
    match.record().save(tmp_path / "kept.yaml")
    assert "W@Aa3" in (tmp_path / "kept.yaml").read_text(encoding="utf-8")
    assert "captures" not in (tmp_path / "kept.yaml").read_text(encoding="utf-8")
