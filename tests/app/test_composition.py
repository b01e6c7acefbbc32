"""The initial view of every game: the board is large, and nothing is covered or cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import pytest

from shibumi3d.app.host import board_view
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.catalogue.schema import Entry
from shibumi3d.scene.camera import HOME_PITCH_DEGREES, HOME_YAW_DEGREES
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, RADIUS, TABLE_Z, Array, half_side
from shibumi3d.scene.rect import Rect
from tests.app.hand import Hand
from tests.marble_games import marble_games
from tests.share import THOROUGH, everything

ENTRIES = list(marble_games())
NAMES = ("Ann", "Benedikt", "Player 3", "Dan", "Eva", "Fay", "Gus", "Hal", "Ira", "Jon")
WINDOWS = ((640, 480), (900, 600), (1024, 640), (1280, 720), (1366, 768), (1600, 900), (1920, 1080))
UPRIGHT = ((800, 1000), (720, 1280))
Windows: TypeAlias = tuple[tuple[int, int], ...]
BOARDS = ("spline", "spire", "splice", "spair", "spalone", "spight")
"""Games of which the initial view is tested at every board size."""


def board_extent(play: MarbleMatchPage, board: int) -> tuple[Array, Array]:
    """Return two arrays of points: the corners of a board's slab, and the extent of the full board.

    The second array consists of these corners and of four points for each marble of a full pyramid: its top, bottom,
    left and right, as seen from the home camera. ``board`` is the number of the board.
    """
    stage = play.marble_scene
    half, (x, y) = half_side(stage.sizes[board]), stage.layout.origins[board]
    slab = np.array(
        [(x + i * half, y + j * half, z) for i in (-1, 1) for j in (-1, 1) for z in (BOARD_TOP_Z, TABLE_Z)]
    )
    points, (right, up, _) = stage.layout.points[board], play.view.home_camera.axes()
    directions = (up, -up, right, -right)
    return slab, np.concatenate([slab, *(points + direction * RADIUS for direction in directions)])


def view_faults(play: MarbleMatchPage) -> Iterator[str]:
    area, home = play.view.rect, play.view.home_camera
    shown = (
        *play.seat_cards,
        play.level_strip,
        play.choice_panel,
        play.tray,
        play.result_bar,
        play.evaluation_bar,
    )
    panels = [widget.rect for widget in shown if widget.visible]
    in_use, count = play.pointer.camera_board, len(play.marble_scene.sizes)
    slab, board = board_extent(play, in_use)
    wide, high = np.ptp(home.project(slab, area.w, area.h)[0], axis=0)
    areas = [("the board", board)]
    if count == 2 or (count == 3 and in_use == 0 and area.w >= 1000):
        for other in set(range(count)) - {in_use}:
            other_slab, all_of_it = board_extent(play, other)
            areas.append(("another board", all_of_it))
            if np.ptp(home.project(other_slab, area.w, area.h)[0], axis=0)[1] > 0.95 * high:
                yield "another board is as large"
        if not (play.page_layout.are_side_objects_visible or (play.tray.visible and area.w < 1000)):
            yield "what lies beside is cut"
    if play.page_layout.are_side_objects_visible:
        areas += [("what lies beside", np.array(thing)) for thing in play.tabletop.layout.outlines]
    elif count == 1:
        yield "what lies beside is cut"
    for dish in play.table_contents(play.animation_time()).pieces if play.tray.visible else ():
        x, y = home.project(np.array([(dish.x, dish.y, TABLE_Z)]), area.w, area.h)[0][0]
        if dish.model == "dish" and play.tray.rect.inset(-20).contains(area.x + x, area.y + y):
            yield "the dish lies under the card of colours"
    for name, corners in areas:
        at = home.project(corners, area.w, area.h)[0] + (area.x, area.y)
        if (at < (area.x, area.y)).any() or (at > (area.right, area.bottom)).any():
            yield f"{name} is cut"
        for panel in panels:
            if ((at > (panel.x, panel.y)) & (at < (panel.right, panel.bottom))).all(axis=1).any():
                yield f"{name} is covered"
    free = area.h - (play.choice_panel.rect.h + 14 if play.choice_panel.visible else 0.0)
    # In a portrait window, the width limits the size of the board.
    if high < 0.45 * free and (area.w > area.h or wide < 0.45 * area.w):
        yield f"the board is {high / free:.2f} of the free height, {wide / area.w:.2f} of the width"
    if (count == 1 and home.yaw != HOME_YAW_DEGREES) or home.pitch != HOME_PITCH_DEGREES:
        yield "the board is turned"


@pytest.fixture
def desk(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setattr(board_view.BoardView, "render", lambda *given: None)
    hand.app.change_settings(motion="off")
    return hand


def view_faults_in(desk: Hand, windows: Windows, entry: Entry, seats: int, size: int) -> list[str]:
    """Return the faults of a game's initial view at each of the window sizes ``windows``.

    The match is started once. Its page is laid out at each size in turn, and never drawn.
    """
    desk.app.matches.start(entry, list(NAMES[:seats]), size, "", 1)
    desk.app.root.close_popups()
    found = []
    for window in windows:
        desk.app.resize(*window)
        desk.play.animate(desk.now)
        case = f"{entry.id}, {seats} seats, size {size}, {window[0]}x{window[1]}"
        found += [f"{case}: {what}" for what in view_faults(desk.play)]
    return found


def start_game(desk: Hand, name: str) -> MarbleMatchPage:
    entry = next(entry for entry in ENTRIES if entry.id == name)
    desk.app.matches.start(entry, list(NAMES[: entry.players[0]]), entry.size, "", 1)
    desk.app.root.close_popups()
    return desk.play


@pytest.mark.parametrize("windows", [WINDOWS, pytest.param(UPRIGHT, marks=THOROUGH)], ids=("wide", "upright"))
def test_initial_view_shows_a_large_uncovered_board(desk: Hand, windows: Windows) -> None:
    found = []
    for entry in ENTRIES:
        least, most = entry.players
        for seats in range(least, most + 1) if everything else {least, most}:
            found += view_faults_in(desk, windows, entry, seats, entry.size)
    assert found == []


@THOROUGH
def test_boards_of_every_size_are_framed_alike(desk: Hand) -> None:
    found = []
    for entry in ENTRIES:
        for size in entry.sizes if entry.id in BOARDS else ():
            found += view_faults_in(desk, (*WINDOWS, *UPRIGHT), entry, entry.players[0], size)
    assert found == []


def test_active_one_of_two_boards_is_larger_and_both_are_visible(desk: Hand) -> None:
    found = []
    entry = next(entry for entry in ENTRIES if entry.id == "spair")
    for size in entry.sizes:
        desk.app.matches.start(entry, list(NAMES[:2]), size, "", 1)
        desk.app.root.close_popups()
        for window in (*WINDOWS, *UPRIGHT):
            desk.app.resize(*window)
            for board in (1, 0):
                desk.play.pointer.select_board(board)
                desk.play.animate(desk.now)
                found += [f"size {size}, {window}, board {board}: {what}" for what in view_faults(desk.play)]
    assert found == []


def board_width(play: MarbleMatchPage, board: int = 0) -> float:
    """Return the width of a board as seen by the home camera, as a fraction of the width of the view.

    Only the board's slab is measured, not the marbles. ``board`` is the index of the board.
    """
    area, home = play.view.rect, play.view.home_camera
    return float(np.ptp(home.project(board_extent(play, board)[0], area.w, area.h)[0][:, 0])) / area.w


def test_most_games_show_the_board_at_the_same_size(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the default window, over 75% of two-player games show the board at nearly the same width."""
    monkeypatch.setattr(board_view.BoardView, "render", lambda *given: None)
    widths = []
    for entry in ENTRIES:
        if entry.players[0] <= 2 <= entry.players[1]:
            widths.append(board_width(hand.start(entry.id)))
            hand.app.root.close_popups()
    assert len(widths) > 40
    assert max(widths) < 0.56
    assert sum(width > 0.94 * 0.55 for width in widths) > 0.75 * len(widths)


def test_choices_are_offered_where_the_board_can_be_large(desk: Hand) -> None:
    """In a wide window, the choices are just left of the level strip, so the board can be large.

    For choices below the middle of the board, the camera would usually have to move back.
    """
    play = start_game(desk, "sprout")
    assert play.choice_panel.visible
    assert play.choice_panel.rect.right == play.level_strip.rect.x - 12
    assert board_width(play) > 0.53


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (2560, 1440)])
@pytest.mark.parametrize("panel", [False, True])
@pytest.mark.parametrize("name", ["spline", "sparro", "spinimax", "spectacular-tumble"])
def test_boards_and_tray_are_centred_as_one_group_and_the_board_fills_55_percent_of_the_width(
    desk: Hand, name: str, panel: bool, size: tuple[int, int]
) -> None:
    play = start_game(desk, name)
    desk.app.resize(*size)
    if play.side_panel.is_expanded is not panel:
        play.side_panel.toggle()
    play.relayout()
    area, home = play.view.rect, play.view.home_camera
    board = board_extent(play, 0)[1]
    group = np.concatenate([board, *(np.array(thing) for thing in play.tabletop.layout.outlines)])
    at, _ = home.project(group, area.w, area.h)
    left, right = at[:, 0].min(), area.w - at[:, 0].max()
    # In the smallest window, the side panel leaves a narrow view, with the level strip on its right.
    assert abs(left - right) < (0.06 if panel and size == (1280, 720) else 0.025) * area.w
    # Spectacular Tumble has a dish on each side.
    assert (0.52 if name == "spectacular-tumble" else 0.54) < board_width(play) < 0.56


@pytest.mark.parametrize("name", ["spline", "spinimax", "spectacular-tumble", "spangle"])
def test_no_card_covers_a_marble_while_the_analysis_is_open(desk: Hand, name: str) -> None:
    play = start_game(desk, name)
    play.advice._start_analysis()
    for window in ((900, 600), (1280, 720), (1920, 1080), (2560, 1440)):
        desk.app.resize(*window)
        before = play.view.home_camera
        assert play.evaluation_bar.visible
        assert list(view_faults(play)) == []
        play.advice.toggle_analysis()
        play.relayout()
        # Opening the analysis hardly moves the boards, except beside the wide trays of Spectacular Tumble.
        most = 0.2 if name == "spectacular-tumble" else 0.06
        assert play.view.home_camera.distance_factor == pytest.approx(before.distance_factor, rel=most)
        play.advice._start_analysis()


@pytest.mark.parametrize("name", ["spline", "spinimax", "spagyric"])
def test_no_card_covers_a_level_of_the_exploded_view(desk: Hand, name: str) -> None:
    play = start_game(desk, name)
    play.exploded_view.set_on(True)
    for window in (*WINDOWS, *UPRIGHT):
        desk.app.resize(*window)
        desk.wait(1)
        exploded = play.exploded_layout
        assert exploded is not None
        shown = (
            *play.seat_cards,
            play.choice_panel,
            play.tray,
            play.evaluation_bar,
            play.hidden_targets_button,
        )
        for _, _, lies in exploded.level_boards():
            half = lies.half_side
            corners = [(lies.x + half * i, lies.y + half * j, BOARD_TOP_Z) for i in (-1, 1) for j in (-1, 1)]
            at = np.array(play.view.all_to_window(corners))
            (x0, y0), (x1, y1) = at.min(0), at.max(0)
            plate = Rect(x0, y0, x1 - x0, y1 - y0)
            for widget in shown:
                common = plate.intersection(widget.rect)
                assert not widget.visible or common.w <= 0 or common.h <= 0, (window, type(widget).__name__)


def test_a_replay_describes_moves_beside_the_table(desk: Hand) -> None:
    play = desk.start("spline")
    desk.choose("Ab2")
    for window in ((640, 480), (1280, 720)):
        desk.app.resize(*window)
        page = ReplayPage(desk.app, play.match, play.entry)
        desk.app.show_page(page)
        assert page.controls.caption_rect.y >= page.view.rect.bottom
        assert page.controls.caption_rect.bottom <= page.timeline.rect.y


def test_camera_follows_the_active_board_and_keeps_its_rotation(hand: Hand) -> None:
    play = hand.start("spair")
    hand.app.root.close_popups()
    hand.draw()
    first = play.view.home_camera
    assert first.board_focus
    hand.choose("left.Ab2")
    hand.wait(1)
    assert play.pointer.camera_board == 0
    assert play.view.camera == play.view.home_camera == first, "nothing turns between two steps of a turn"
    hand.key("f6")
    hand.wait(1)
    assert play.pointer.camera_board == 1
    assert play.view.camera == play.view.home_camera
    assert play.view.camera.target[0] > first.target[0]
    assert play.view.camera.distance(1.7) == pytest.approx(first.distance(1.7), rel=0.12)
    # Then the more distant board is on the other side.
    assert play.view.camera.yaw == -first.yaw
    play.view.camera = play.view.camera.rotated(10.0)
    hand.choose("right.Ab2")
    assert play.pointer.camera_board == 0
    assert play.view.camera.target == play.view.home_camera.target
    assert play.view.camera.yaw == -first.yaw + 10.0
