"""Films of tables other than marbles': one side in front all the way, and the names of the seats at the top."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from shibumi3d.catalogue.catalogue import load
from shibumi3d.cli.drawing import TableDrawing, drawing_of
from shibumi3d.cli.lettering import HEAD, names_line
from shibumi3d.match.match import Match
from shibumi3d.scene.style import style

TEN = ["Ann", "Ben", "Cleopatra of Egypt", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo"]


@pytest.mark.parametrize("kinds", [(), ("person", "pebble"), ("pebble", "person")])
@pytest.mark.parametrize("game", ["hyena-spiral", "golden-spiral", "arcanoid"])
def test_one_side_is_in_front_all_the_way(game: str, kinds: tuple[str, ...]) -> None:
    match = Match(load().get(game).game(), ["Ann", "Ben"], 4, kinds=kinds)
    chance = Random(2)
    for _ in range(4):
        match.play(chance.choice(match.moves()))
    assert {ply.seat for ply in match.plies} == {0, 1}
    drawing = drawing_of(match, 16 / 9, head=HEAD)
    assert isinstance(drawing, TableDrawing)
    seen: list[tuple[int, int]] = []
    reset, play = drawing.scene.reset, drawing.scene.play
    drawing.scene.reset = lambda state, sitting: (seen.append((0, sitting)), reset(state, sitting))[1]  # type: ignore[method-assign]
    drawing.scene.play = lambda events, now, state, sitting: (  # type: ignore[method-assign]
        seen.append((1, sitting)),
        play(events, now, state, sitting),
    )[1]
    shots = list(drawing.film(0, 4, 5))
    assert {how for how, _ in seen} == {0, 1}
    assert {sitting for _, sitting in seen} == {1 if kinds[1:] == ("person",) else 0}
    assert {shot.seat for shot in shots} == {-1, 0, 1}


def test_the_table_is_seen_below_the_names() -> None:
    match = Match(load().get("arcanoid").game(), ["Ann", "Ben"], 4)
    drawing = drawing_of(match, 16 / 9, head=HEAD)
    assert isinstance(drawing, TableDrawing)
    places, _ = drawing.camera.project(np.array(drawing.scene.hull), 640, 360)
    assert places[:, 1].min() >= HEAD * 360
    assert drawing_of(Match(load().get("spline").game(), ["Ann", "Ben"]), 16 / 9, head=HEAD).head == 0


def parts(names: list[str], acts: int = -1) -> list[bool]:
    """Of each column of the line of names whether anything stands in it."""
    line = names_line(names, 640, 360, style("day"), acts)
    assert line.shape == (25, 640, 3)
    return [bool(column) for column in (line != line[0, 0]).any(axis=(0, 2))]


@pytest.mark.parametrize("names", [["Ann", "Ben"], TEN])
def test_the_names_have_room(names: list[str]) -> None:
    columns = parts(names)
    assert any(columns)
    assert not any(columns[:4] + columns[-4:])
    assert abs(columns.index(True) - columns[::-1].index(True)) < 8, "they stand in the middle"


def test_who_acts_is_underlined() -> None:
    plain, first, second = (names_line(["Ann", "Ben"], 640, 360, style("day"), seat) for seat in (-1, 0, 1))
    assert not (first[:-3] != plain[:-3]).any()
    left, right = ((line != plain).any(axis=(0, 2)).nonzero()[0] for line in (first, second))
    assert left.max() < right.min()
