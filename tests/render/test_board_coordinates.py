"""File and rank names on the rims of boards: their positions, and their legibility from every side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shibumi3d.render.passes.boards import make_label_rows, text_direction
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import HOME_CAMERA, make_home_camera
from shibumi3d.scene.marbles.exploded_view import make_exploded_view
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, half_side
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.palette import BOARD_COLOURS, LUMINANCE_WEIGHTS, make_theme

WIDTH, HEIGHT = 640, 360
LETTERS = "abcdefghij"


@pytest.mark.parametrize("size", range(2, 11))
def test_names_on_each_level_of_the_exploded_view_stay_within_its_board(size: int) -> None:
    for _, _, board in make_exploded_view((size,), 1280, 585).level_boards():
        rows = make_label_rows(board.size, board.rim_width)
        reach = np.abs(rows[:, :2]).max(axis=1)
        # A letter takes up about two thirds of its image.
        assert (reach + 0.67 * rows[:, 2] < board.half_side).all()
        assert (reach - 0.67 * rows[:, 2] > board.size / 2).all()


@pytest.mark.parametrize("size", range(2, 11))
def test_coordinates_lie_on_rim_beside_their_points(size: int) -> None:
    stage, rows = MarbleScene((size,)), make_label_rows(size)
    lettered: set[tuple[str, int, int]] = set()
    for x, y, high, number in rows.tolist():
        # Names are between the outermost marbles and the edge of the board.
        assert max(abs(x), abs(y)) - high / 2 > size / 2
        assert max(abs(x), abs(y)) + high < half_side(size)
        letter = number < 10
        told_ = LETTERS[int(number)] if letter else str(int(number) - 9)
        for point in range(size * size):
            at, name = stage.marble_position(0, point), get_pyramid(size).point_names[point]
            if abs(at[0] - x if letter else at[1] - y) < 0.01:
                # Names have a level, a file and a rank, as in Ab3.
                assert (name[1] if letter else name[2:]) == told_
        lettered.add(("file" if letter else "rank", int(np.sign(y if letter else x)), int(number) % 10))
    assert len(lettered) == len(rows) == 4 * size


@pytest.mark.parametrize("quarter", range(4))
def test_coordinates_face_the_viewer(quarter: int) -> None:
    stage = MarbleScene((4, 4))
    stage.shows_coordinates = True
    for aside in (-40.0, 0.0, 40.0):
        camera = replace(HOME_CAMERA, yaw=90.0 * quarter + aside)
        (names,) = {board.label_side for board in stage.frame(0.0, camera, make_theme()).boards}
        assert names == quarter
        assert np.dot(camera.axes()[0][:2], text_direction(names)) > 0.75
    stage.shows_coordinates = False
    assert {board.label_side for board in stage.frame(0.0, HOME_CAMERA, make_theme()).boards} == {-1}


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("board", sorted(BOARD_COLOURS))
def test_coordinates_contrast_with_every_board(low: OffscreenRenderer, board: str, tone: str) -> None:
    """The coordinates have a contrast of at least 2:1 with the board's rim, and at least 3:1 on its near side."""
    stage, camera = MarbleScene((4,)), make_home_camera((4,), WIDTH / HEIGHT)
    pictures = []
    for engraved in (False, True):
        stage.shows_coordinates = engraved
        drawn = (
            low.render(stage.frame(0.0, camera, make_theme(tone, board=board)), camera, WIDTH, HEIGHT) / 255.0
        )
        bright = np.where(drawn <= 0.04045, drawn / 12.92, ((drawn + 0.055) / 1.055) ** 2.4)
        pictures.append(bright @ np.array(LUMINANCE_WEIGHTS) + 0.05)
    plain, signed = pictures
    apart = np.maximum(plain / signed, signed / plain)
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    for x, y, high, number in make_label_rows(4).tolist():
        at, depth = camera.project(np.array([(x, y, BOARD_TOP_Z)]), WIDTH, HEIGHT)
        wide = float(camera.projected_radius(high, depth, HEIGHT)[0])
        here = np.hypot(rows - at[0][1], columns - at[0][0]) < wide
        # Fine strokes are blended with the wood beside them, but some pixels are completely inside.
        assert (apart[here] >= 2.0).sum() >= 6, (x, y, number)
        if y == min(make_label_rows(4)[:, 1]):
            assert apart[here].max() >= 3.0, (x, y, number)
