"""Captions of films: names at the top, moves at the bottom, and the pause at the end.

Tables without marbles are shown from the same side throughout.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.export.drawing import MarbleDrawing, SceneDrawing, make_drawing
from shibumi3d.export.lettering import (
    FILM_FOOT_HEIGHT,
    FILM_HEAD_HEIGHT,
    draw_caption,
    draw_names,
    draw_tray_counts,
)
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.scene.marbles.layout import RADIUS, TABLE_Z, half_side
from shibumi3d.scene.palette import make_theme
from shibumi3d.scene.style import make_style
from shibumi3d.wording import caption_ply

TEN = ["Ann", "Ben", "Cleopatra of Egypt", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo"]


@pytest.mark.parametrize("kinds", [(), ("person", "pebble"), ("pebble", "person")])
@pytest.mark.parametrize("game", ["hyena-spiral", "golden-spiral", "arcanoid"])
def test_camera_keeps_one_side_in_front_throughout(game: str, kinds: tuple[str, ...]) -> None:
    match = Match(load_catalogue().get(game).game(), ["Ann", "Ben"], 4, player_types=kinds)
    chance = Random(2)
    for _ in range(4):
        match.play(chance.choice(match.legal_moves()))
    assert {ply.seat for ply in match.plies} == {0, 1}
    drawing = make_drawing(match, 16 / 9, top_margin=FILM_HEAD_HEIGHT)
    assert isinstance(drawing, SceneDrawing)
    seen: list[tuple[int, int]] = []
    reset, play = drawing.scene.reset, drawing.scene.play
    drawing.scene.reset = lambda state, sitting: (seen.append((0, sitting)), reset(state, sitting))[1]  # type: ignore[method-assign]
    drawing.scene.play = lambda events, now, state, sitting: (  # type: ignore[method-assign]
        seen.append((1, sitting)),
        play(events, now, state, sitting),
    )[1]
    shots = list(drawing.draw_film(0, 4, 5))
    assert {how for how, _ in seen} == {0, 1}
    assert {sitting for _, sitting in seen} == {1 if kinds[1:] == ("person",) else 0}
    assert {shot.seat for shot in shots} == {-1, 0, 1}


def test_table_is_drawn_below_the_names() -> None:
    match = Match(load_catalogue().get("arcanoid").game(), ["Ann", "Ben"], 4)
    drawing = make_drawing(match, 16 / 9, top_margin=FILM_HEAD_HEIGHT)
    assert isinstance(drawing, SceneDrawing)
    places, _ = drawing.camera.project(np.array(drawing.scene.hull), 640, 360)
    assert places[:, 1].min() >= FILM_HEAD_HEIGHT * 360


@pytest.mark.parametrize("aspect", [304 / 172, 4 / 3, 1.0])
@pytest.mark.parametrize("game", ["speq", "splice", "spectacular-tumble", "spack", "spair"])
def test_board_and_trays_are_centred_between_names_and_captions(game: str, aspect: float) -> None:
    match = Match(load_catalogue().get(game).game(), ["Ann", "Ben"])
    drawing = make_drawing(
        match, aspect, table=True, top_margin=FILM_HEAD_HEIGHT, bottom_margin=FILM_FOOT_HEIGHT
    )
    assert isinstance(drawing, MarbleDrawing)
    assert drawing.tabletop is not None
    corners = [corner for thing in drawing.tabletop.layout.outlines for corner in thing]
    for board, (x, y) in enumerate(drawing.scene.layout.origins):
        half = half_side(drawing.scene.sizes[board])
        corners += [(x + i * half, y + j * half, TABLE_Z) for i in (-1, 1) for j in (-1, 1)]
        corners.append(drawing.scene.layout.point_position(board, -1))
    places, _ = drawing.camera.project(np.array(corners), aspect, 1.0)
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    assert FILM_HEAD_HEIGHT < top < bottom < 1 - FILM_FOOT_HEIGHT
    assert 0.0 < left < right < aspect
    assert abs(left + right - aspect) / 2 < 0.06


def test_film_starts_with_all_marbles_and_none_fades_shrinks_or_falls_from_above() -> None:
    match = Match(load_catalogue().get("spectacular-tumble").game(), ["Ann", "Ben"], 2)
    for move in ("xAa1", "xAd1"):
        match.play(move)
    match.go_to(0)
    drawing = make_drawing(
        match, 16 / 9, table=True, top_margin=FILM_HEAD_HEIGHT, bottom_margin=FILM_FOOT_HEIGHT
    )
    assert isinstance(drawing, MarbleDrawing)
    shots = list(drawing.draw_film(0, len(match.plies) + len(match.undone), 20))
    first = shots[0]
    assert first.repeats > 1
    assert {ball.position for ball in first.frame.balls} == {
        drawing.scene.layout.point_position(0, point) for point in range(30)
    }
    highest = max(ball.z for ball in first.frame.balls)
    for shot in shots:
        assert len(shot.frame.balls) == 30, "what was taken lies in its dish"
        assert {(ball.radius, ball.alpha) for ball in shot.frame.balls} == {(0.5, 1.0)}
        assert max(ball.z for ball in shot.frame.balls) < highest + 1.0


def test_moving_marbles_stay_below_the_names() -> None:
    match = Match(load_catalogue().get("spectacular-tumble").game(), ["Ann", "Ben"], 2)
    for move in ("xCb1", "xBa1", "xCb2", "xBb1"):
        match.play(move)
    count = len(match.plies)
    match.go_to(0)
    drawing = make_drawing(
        match, 16 / 9, table=True, top_margin=FILM_HEAD_HEIGHT, bottom_margin=FILM_FOOT_HEIGHT
    )
    tops = []
    for shot in drawing.draw_film(0, count, 30):
        places, depths = drawing.camera.project(
            np.array([ball.position for ball in shot.frame.balls]), 16 / 9, 1.0
        )
        tops.append((places[:, 1] - drawing.camera.projected_radius(RADIUS, depths, 1.0)).min())
    assert min(tops) > FILM_HEAD_HEIGHT - 0.005


def test_each_move_is_captioned_and_the_result_is_held() -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 7)
    for move in ("W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"):
        match.play(move)
    shots = list(
        make_drawing(match, 16 / 9, top_margin=FILM_HEAD_HEIGHT, bottom_margin=FILM_FOOT_HEIGHT).draw_film(
            5, 7, 10
        )
    )
    captions = list(dict.fromkeys(shot.caption for shot in shots))
    assert captions == [
        "Turn 5 – Ann: white on Ac1",
        "Turn 6 – Ben: black on Ac2",
        "Turn 7 – Ann: white on Ad1",
        "Ann wins (full line).",
    ]
    assert [shots[-1].repeats, shots[-1].seat] == [30, -1]
    # The winning line is traced over several frames before the film pauses on it.
    lit = [shot for shot in shots if any(ball.gold_rim for ball in shot.frame.balls)]
    assert 4 < sum(shot.repeats == 1 for shot in lit) < 9
    assert shots[0].seat == -1


def test_captions_hide_secret_moves() -> None:
    match = Match(load_catalogue().get("spangle").game(), ["Ann", "Ben", "Cy", "Di"], 3)
    chance = Random(1)
    for _ in range(3):
        match.play(chance.choice(match.legal_moves()))
    everything = [caption_ply(match, number, None) for number in range(3)]
    viewer = visibility.public_viewer(match)
    hidden = visibility.hidden_plies(match, match.plies, viewer)
    assert hidden
    for number in range(3):
        caption = caption_ply(match, number, viewer)
        assert (caption != everything[number]) >= (number in hidden)
    assert caption_ply(match, -1, None) == ""


def filled_columns(names: list[str], acts: int = -1) -> list[bool]:
    """Return, for each pixel column of the line of names, whether it contains anything.

    ``acts`` is the seat whose name is underlined, or -1 for none.
    """
    line = draw_names(names, 640, 360, make_style("day"), acts)
    assert line.shape == (25, 640, 3)
    return [bool(column) for column in (line != line[0, 0]).any(axis=(0, 2))]


@pytest.mark.parametrize("names", [["Ann", "Ben"], TEN])
def test_names_fit_and_are_centred(names: list[str]) -> None:
    columns = filled_columns(names)
    assert any(columns)
    assert not any(columns[:4] + columns[-4:])
    assert abs(columns.index(True) - columns[::-1].index(True)) < 8, "they stand in the middle"


def test_acting_seat_is_underlined() -> None:
    plain, first, second = (
        draw_names(["Ann", "Ben"], 640, 360, make_style("day"), seat) for seat in (-1, 0, 1)
    )
    assert not (first[:-3] != plain[:-3]).any()
    left, right = ((line != plain).any(axis=(0, 2)).nonzero()[0] for line in (first, second))
    assert left.max() < right.min()


def test_captions_are_centred_at_any_length() -> None:
    for words in ("Turn 7", "a very long sentence of what a move did and " * 6):
        line = draw_caption(words, 640, 360, make_style("day"))
        columns = [bool(column) for column in (line != line[0, 0]).any(axis=(0, 2))]
        assert not any(columns[:4] + columns[-4:])
        assert abs(columns.index(True) - columns[::-1].index(True)) < 8
    plain = draw_caption("", 640, 360, make_style("day"))
    assert not (plain != plain[0, 0]).any()


def test_tray_counts_are_on_the_tray_rims() -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"])
    match.play(match.legal_moves()[0])
    drawing = make_drawing(
        match, 16 / 9, table=True, top_margin=FILM_HEAD_HEIGHT, bottom_margin=FILM_FOOT_HEIGHT
    )
    shots = list(drawing.draw_film(0, 1, 5))
    # Each tray starts with 16 marbles; a marble leaves it as soon as its move begins.
    assert sorted(each.text for each in shots[0].tray_counts) == ["16", "16"]
    assert sorted(each.text for each in shots[-1].tray_counts) == ["15", "16"]
    for x, y, _, seat in shots[0].tray_counts:
        assert seat == -1, "the box is nobody's"
        assert 0 < x < 16 / 9
        assert 0 < y < 1.05


def test_tray_count_is_drawn_only_where_fully_visible() -> None:
    picture = np.full((200, 320, 3), 90, np.uint8)
    one = (0.8, 0.5, "12", -1)
    drawn = draw_tray_counts(picture, [one], make_theme())
    ys, xs = np.nonzero((drawn != picture).any(axis=2))
    # It is centred at its coordinates, whose unit is the height of the picture.
    assert abs(xs.mean() - 160) < 2
    assert abs(ys.mean() - 100) < 2
    assert (picture == 90).all(), "the picture given stays as it was"
    # A count that the caption would cover is drawn just above it.
    foot = draw_tray_counts(picture, [(0.4, 0.95, "3", -1)], make_theme())
    assert (
        200 * (1 - FILM_FOOT_HEIGHT) - 3
        < np.nonzero((foot != picture).any(axis=2))[0].max()
        < 200 * (1 - FILM_FOOT_HEIGHT)
    )
    for x, y in ((0.81, 0.5), (0.001, 0.5), (0.8, 1.1), (0.8, 0.03)):
        hidden = x, y, "7", -1
        assert (draw_tray_counts(picture, [one, hidden], make_theme()) == drawn).all(), hidden


def test_plaques_of_two_dishes_in_a_film_show_whose_they_are() -> None:
    match = Match(load_catalogue().get("spectacular-tumble").game(), ["Ann", "Ben"])
    drawing = make_drawing(
        match, 16 / 9, table=True, top_margin=FILM_HEAD_HEIGHT, bottom_margin=FILM_FOOT_HEIGHT
    )
    west, east = next(drawing.draw_film(0, 0, 5)).tray_counts
    assert west.x < east.x
    assert [(each.text, each.seat) for each in (west, east)] == [("", 0), ("", 1)]
    picture = np.full((200, 320, 3), 90, np.uint8)
    first, second, counted = (
        draw_tray_counts(picture, [(0.8, 0.5, text, seat)], make_theme())
        for text, seat in (("", 0), ("", 1), ("12", 0))
    )
    assert (first != second).any(), "each seat has its own symbol"
    assert np.ptp(np.nonzero(counted != picture)[1]) > np.ptp(np.nonzero(first != picture)[1])
