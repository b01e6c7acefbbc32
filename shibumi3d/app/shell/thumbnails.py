"""Small pictures of games and positions, drawn to files by a worker process with its own OpenGL context.

Arguments and results of the public functions can be pickled, so that they can be sent between processes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d import files
from shibumi3d.match.match import Match, game_of_record
from shibumi3d.match.record import load, parse
from shibumi3d.render.png import encode_png
from shibumi3d.rules.marbles.state import State as MarbleState
from shibumi3d.scene import camera, palette
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, RADIUS, TABLE_Z, Array, Vector
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS
from shibumi3d.search.levels import player_type_of

from ...match import visibility
from ..match.game_preview import random_position

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.catalogue.solo import SoloDeal
    from shibumi3d.render.screenshot import OffscreenRenderer
    from shibumi3d.rules.game import Game, State


PICTURE_SIZE_PX = (480, 300)
"""Width and height of a picture, in pixels."""
QUALITY_TIER = "high"
FILL_FRACTION = 0.88
"""Fraction of the picture that its content fills, in width or height, whichever is greater."""
MARBLE_BOX_HALF_SIDE = 0.8 * RADIUS
"""Half the side of the box that stands for a marble when the extent of the content is computed.

The outline of the box is about as large as that of the marble.
"""
ThemeArguments = tuple[str, str, str, str]
"""Names of the tone, marbles, board and symbols, as passed to :func:`.make_theme`."""


def draw_game(entry: Entry, theme: ThemeArguments, path: Path) -> bool:
    """Draw a position from the middle of a random match of a game, and save the picture to ``path``.

    Returns True, or False if the game can't be loaded or played.
    """
    seats = max(entry.players[0], min(2, entry.players[1]))
    state = random_position(entry, entry.size, "", seats)
    return state is not None and _draw_to_file(entry.game(), state, seats, theme, path)


def draw_match(file: Path, entry: Entry, theme: ThemeArguments, path: Path) -> bool:
    """Draw the current position of the match in ``file``, save the picture to ``path``, and return True.

    Hidden information is left out if the match is unfinished.
    """
    record = load(file)
    record = replace(record, player_types=tuple(map(player_type_of, record.player_types)))
    match = Match.from_record(record, game_of_record(record, entry))
    state = visibility.observe(match.game, match.state, visibility.public_viewer(match))
    return _draw_to_file(match.game, state, len(match.seats), theme, path)


def draw_position(record_text: str, ply_count: int, entry: Entry, theme: ThemeArguments, path: Path) -> bool:
    """Draw the position after ``ply_count`` moves of a record, save the picture to ``path``, and return True.

    Hidden information is left out if the match is unfinished.
    """
    record = parse(record_text)
    match = Match.from_record(
        replace(record, player_types=tuple(map(player_type_of, record.player_types))),
        game_of_record(record, entry),
    )
    front = visibility.default_perspective_seat(match)
    match.go_to(ply_count)
    state = visibility.observe(match.game, match.state, visibility.public_viewer(match))
    return _draw_to_file(match.game, state, len(match.seats), theme, path, front)


def draw_problem(problem: ProvedProblem, entry: Entry, theme: ThemeArguments, path: Path) -> bool:
    """Draw the position of a problem, save the picture to ``path``, and return True."""
    game = entry.game(variant=problem.variant or None)
    state = problem.start_state(game)
    return _draw_to_file(game, state, state.seats, theme, path)


def draw_deal(deal: SoloDeal, entry: Entry, theme: ThemeArguments, path: Path) -> bool:
    """Draw the starting position of a solo game's deal, save the picture to ``path``, and return True."""
    game = deal.load_game(entry)
    return _draw_to_file(game, deal.start_state(game), 1, theme, path)


@cache
def _studio() -> OffscreenRenderer:
    from shibumi3d.render.screenshot import OffscreenRenderer

    studio = OffscreenRenderer(QUALITY_TIER)
    studio.renderer.scale_control.fix_scale(1.0)
    return studio


def _make_frame(
    game: Game, state: State, seats: int, theme: palette.Theme, front: int | None = None
) -> tuple[Frame, camera.Camera]:
    """Return the frame and the camera for a position.

    ``front`` is the seat nearest to the camera, or None for the seat to move. It is ignored for boards with marbles.
    """
    aspect = PICTURE_SIZE_PX[0] / PICTURE_SIZE_PX[1]
    if not isinstance(state, MarbleState):
        table = make_scene(game, seats)
        table.reset(state, state.mover if front is None else front)
        return table.frame(0.0, theme, NO_HIGHLIGHTS), camera.make_home_camera_for_hull(
            table.hull, table.view_direction, aspect
        )
    sizes = (state.size,) * len(state.board_names)
    stage = MarbleScene(sizes, "off")
    stage.reset(state)
    eye = camera.make_home_camera(sizes, aspect)
    frame = stage.frame(0.0, eye, theme, aspect=aspect)
    corners = _content_corners(frame)
    hull = np.array(corners)
    eye = camera.make_home_camera_for_hull(corners, (eye.yaw, eye.pitch), aspect, sizes=sizes)
    # Move the camera as close as possible while everything is in view, and centre the picture.
    low, high = _covered_area(eye, hull)
    eye = replace(eye, zoom=eye.zoom * float((high - low).max()) / (2 * FILL_FRACTION))
    low, high = _covered_area(eye, hull)
    right, up = (low + high) / 2
    return frame, replace(eye, shift=(float(-right), float(-up)))


def _covered_area(eye: camera.Camera, points: Array) -> tuple[Array, Array]:
    """Return the lower left and upper right corners of the bounding box of ``points`` in the picture.

    Coordinates range from -1 to 1 across the picture.
    """
    projected, _ = eye.project(points, *PICTURE_SIZE_PX)
    projected = (projected / PICTURE_SIZE_PX * 2 - 1) * (1, -1)
    return projected.min(0), projected.max(0)


def _content_corners(frame: Frame) -> list[Vector]:
    """Return the corners of the boards with their rims and of the boxes that stand for the marbles."""
    both = (-1, 1)
    slabs = [
        (
            board.x + x * (board.size / 2 + board.rim_width),
            board.y + y * (board.size / 2 + board.rim_width),
            z,
        )
        for board in frame.boards
        for x, y, z in product(both, both, (BOARD_TOP_Z, TABLE_Z))
    ]
    marbles = [
        (
            ball.x + x * MARBLE_BOX_HALF_SIDE,
            ball.y + y * MARBLE_BOX_HALF_SIDE,
            ball.z + z * MARBLE_BOX_HALF_SIDE,
        )
        for ball in frame.balls
        for x, y, z in product(both, both, both)
    ]
    return slabs + marbles


def _draw_to_file(
    game: Game, state: State, seats: int, theme: ThemeArguments, path: Path, front: int | None = None
) -> bool:
    """Draw a position, write the picture atomically to the file at ``path``, and return True.

    ``front`` is the seat nearest to the camera, or None for the seat to move. It is ignored for boards with marbles.
    """
    frame, eye = _make_frame(game, state, seats, palette.make_theme(*theme), front)
    data = encode_png(_studio().render(frame, eye, *PICTURE_SIZE_PX))
    files.make_folder(path.parent)
    files.write(path, data)
    return True
