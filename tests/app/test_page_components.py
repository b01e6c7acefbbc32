"""Page components without a window, with a minimal stand-in for the page and the program."""

from __future__ import annotations

import pytest

from shibumi3d.app.host.page import Page as WindowPage
from shibumi3d.app.match.marble_view.boards import LastTurnSigns
from shibumi3d.app.match.replay import Playback
from shibumi3d.app.pages.home.demo import IDLE_SECONDS, IdleDemo
from shibumi3d.app.pages.position_editor.pointer import EditorPointer
from shibumi3d.app.pages.position_editor.position import EditablePosition
from shibumi3d.app.ui.widget import Key
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.marbles import event as ev

from .stand_in import StandIn


class Page:
    def __init__(self, app: StandIn) -> None:
        self.app, self.pictures, self.is_current = app, 0, True

    def refresh(self) -> None:
        self.pictures += 1

    update = refresh


def test_fall_trails_stay_until_the_next_event() -> None:
    app = StandIn()
    last = LastTurnSigns(Page(app))  # type: ignore[arg-type]
    last.show_trails([ev.Dropped(0, 20, 4, 1)])
    app.wait(60.0)
    assert [(sign.point, sign.target_point) for sign in last.trails] == [(20, 4)]
    last.show_trails([ev.Dropped(0, 21, 5, 1)])
    assert [sign.point for sign in last.trails] == [21]
    last.show_trails([ev.Passed(1)])
    assert last.trails == []


def test_playback_runs_to_the_end_and_restarts() -> None:
    app, shown = StandIn(), [3]

    def go(ply: int) -> None:
        shown.append(ply)

    running = Playback(Page(app), lambda: shown[-1], lambda: 3, go, lambda by: go(shown[-1] + by))
    running.toggle()
    for _ in range(20):
        app.wait(1.0)
        running.animate(app.now, False)
    assert shown == [3, 0, 1, 2, 3]
    assert not running.is_playing


@pytest.mark.parametrize(
    ("single", "key", "meant"),
    [
        (True, Key("a"), "a"),
        (False, Key("a"), None),
        (False, Key("a", ctrl=True), "a"),
        (False, Key("s", ctrl=True), "ctrl+s"),
        (False, Key("enter"), "enter"),
    ],
)
def test_shortcuts_need_ctrl_when_single_keys_are_disabled(single: bool, key: Key, meant: str | None) -> None:
    page = WindowPage(StandIn(single=single))  # type: ignore[arg-type]
    found = page.resolve_shortcut(key, {"ctrl+s"})
    assert (found.chord if found is not None else None) == meant


@pytest.mark.parametrize(("wished", "asked"), [({}, 1), ({"attract": False}, 0), ({"reduced": True}, 0)])
def test_idle_page_schedules_the_demo_only_when_enabled(wished: dict[str, bool], asked: int) -> None:
    app = StandIn(**wished)
    attract = IdleDemo(Page(app), None, None)  # type: ignore[arg-type]
    attract.on_input()
    attract.on_input()
    assert [due for due, _ in app._due] == [IDLE_SECONDS] * asked


def test_editable_spots_are_known_before_drawing() -> None:
    class Laid(Page):
        position = EditablePosition(load_catalogue().get("spline").game(), ["A", "B"], 1)
        marble_scene = type("Sizes", (), {"sizes": (4,)})

    page = Laid(StandIn())
    pointing = EditorPointer(page, None)  # type: ignore[arg-type]
    assert [spot.point for spot in pointing.editable_spots()] == list(range(16))
    assert [page.position.place_marble(0, point, 1) for point in (0, 1, 4, 5)] == [""] * 4
    assert [spot.point for spot in pointing.editable_spots()] == list(range(17)), (
        "one more, on top of the four"
    )
