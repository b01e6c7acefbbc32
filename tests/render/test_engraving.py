"""Names of files and ranks in the rims of boards: where they stand, that they are read, from every side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shibumi3d.render.passes.engraving import places, writing
from shibumi3d.render.shot import Studio
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.camera import HOME, home
from shibumi3d.scene.marbles.layout import TOP, half_side
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.palette import BOARDS, LUMINANCE, theme

WIDTH, HEIGHT = 640, 360
LETTERS = "abcdefghij"


@pytest.mark.parametrize("size", range(2, 11))
def test_names_stand_on_the_rim_beside_what_they_name(size: int) -> None:
    stage, rows = Stage((size,)), places(size)
    told: set[tuple[str, int, int]] = set()
    for x, y, high, number in rows.tolist():
        # Beyond the outermost marbles, within the edge.
        assert max(abs(x), abs(y)) - high / 2 > size / 2
        assert max(abs(x), abs(y)) + high < half_side(size)
        letter = number < 10
        told_ = LETTERS[int(number)] if letter else str(int(number) - 9)
        for point in range(size * size):
            at, name = stage.anchor(0, point), pyramid(size).names[point]
            if abs(at[0] - x if letter else at[1] - y) < 0.01:
                # As in Ab3: level, file, rank.
                assert (name[1] if letter else name[2:]) == told_
        told.add(("file" if letter else "rank", int(np.sign(y if letter else x)), int(number) % 10))
    assert len(told) == len(rows) == 4 * size


@pytest.mark.parametrize("quarter", range(4))
def test_they_are_read_from_where_the_eye_is(quarter: int) -> None:
    stage = Stage((4, 4))
    stage.engraved = True
    for aside in (-40.0, 0.0, 40.0):
        camera = replace(HOME, yaw=90.0 * quarter + aside)
        (names,) = {board.names for board in stage.frame(0.0, camera, theme()).boards}
        assert names == quarter
        assert np.dot(camera.axes()[0][:2], writing(names)) > 0.75
    stage.engraved = False
    assert {board.names for board in stage.frame(0.0, HOME, theme()).boards} == {-1}


@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("board", sorted(BOARDS))
def test_they_stand_out_from_every_board(low: Studio, board: str, tone: str) -> None:
    """3:1 or more where a stroke is, on the rims that are near, by day and in the lamp's light."""
    stage, camera = Stage((4,)), home((4,), WIDTH / HEIGHT)
    pictures = []
    for engraved in (False, True):
        stage.engraved = engraved
        drawn = low.pixels(stage.frame(0.0, camera, theme(tone, board=board)), camera, WIDTH, HEIGHT) / 255.0
        bright = np.where(drawn <= 0.04045, drawn / 12.92, ((drawn + 0.055) / 1.055) ** 2.4)
        pictures.append(bright @ np.array(LUMINANCE) + 0.05)
    plain, signed = pictures
    apart = np.maximum(plain / signed, signed / plain)
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    for x, y, high, number in places(4).tolist():
        at, depth = camera.project(np.array([(x, y, TOP)]), WIDTH, HEIGHT)
        wide = float(camera.pixels(high, depth, HEIGHT)[0])
        here = np.hypot(rows - at[0][1], columns - at[0][0]) < wide
        # Fine strokes are blended with the wood beside them: some pixels lie within them.
        assert (apart[here] >= 2.0).sum() >= 6, (x, y, number)
        if y == min(places(4)[:, 1]):
            assert apart[here].max() >= 3.0, (x, y, number)
