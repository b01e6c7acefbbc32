"""Pictures for the home page, which a worker process with its own OpenGL context draws into files.

Arguments and results of the public functions can be pickled.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d import files
from shibumi3d.match.match import Match, game_of
from shibumi3d.match.record import load, parse
from shibumi3d.render.png import png
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene import camera, palette
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.marbles.layout import RADIUS, TABLE, TOP, Array, Vector
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.table import NOTHING
from shibumi3d.search.levels import kind_of

from ..board.showcase import example
from ..marbles import secrets

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.render.shot import Studio
    from shibumi3d.rules.game import Game

SIZE = (480, 300)
"""Width and height of a picture, in pixels."""
TIER = "high"
FILLED = 0.88
"""Fraction of the picture that its content fills."""
INSIDE = 0.8 * RADIUS
"""Half the side of the box that stands for a marble when the extent of the content is computed.

The outline of the box is about as large as that of the marble.
"""
Look = tuple[str, str, str, str]
"""Names of the tone, marbles, board and signs, as passed to :func:`palette.theme`."""


def game(entry: Entry, look: Look, path: Path) -> bool:
    """Draw a game as it may look in mid-match; return False if no match can be played."""
    seats = max(entry.players[0], min(2, entry.players[1]))
    state = example(entry, entry.size, "", seats)
    return state is not None and _keep(entry.game(), state, seats, look, path)


def record(file: Path, entry: Entry, look: Look, path: Path) -> bool:
    """Draw the current position of a saved match, without hidden information if it is unfinished."""
    kept = load(file)
    kept = replace(kept, players=tuple(map(kind_of, kept.players)))
    match = Match.from_record(kept, game_of(kept, entry))
    state = secrets.view_of(match.game, match.state, secrets.public_viewer(match))
    return _keep(match.game, state, len(match.seats), look, path)


def moment(told: str, plies: int, entry: Entry, look: Look, path: Path) -> bool:
    """Draw the position after the first ``plies`` moves of a record, with nothing hidden."""
    kept = parse(told)
    match = Match.from_record(replace(kept, players=tuple(map(kind_of, kept.players))), game_of(kept, entry))
    front = secrets.front(match)
    match.goto(plies)
    return _keep(match.game, match.state, len(match.seats), look, path, front)


@cache
def _studio() -> Studio:
    from shibumi3d.render.shot import Studio

    studio = Studio(TIER)
    studio.renderer.pace.fix(1.0)
    return studio


def _shown(
    game: Game, state: State, seats: int, theme: palette.Theme, front: int | None = None
) -> tuple[Frame, camera.Camera]:
    """Return the frame and the camera for a position.

    ``front`` is the seat at the front, or None for the seat to move. It is ignored for boards with marbles.
    """
    aspect = SIZE[0] / SIZE[1]
    if not isinstance(state, State):
        table = scene(game, seats)
        table.reset(state, state.mover if front is None else front)
        return table.frame(0.0, theme, NOTHING), camera.home_of(table.hull, table.eye, aspect)
    sizes = (state.size,) * len(state.board_names)
    stage = Stage(sizes, "off")
    stage.reset(state)
    eye = camera.home(sizes, aspect)
    frame = stage.frame(0.0, eye, theme, aspect=aspect)
    corners = _hull(frame)
    hull = np.array(corners)
    eye = camera.home_of(corners, (eye.yaw, eye.pitch), aspect)
    # Move the camera as close as possible while everything is in view, and center the picture.
    low, high = _seen(eye, hull)
    eye = replace(eye, zoom=eye.zoom * float((high - low).max()) / (2 * FILLED))
    low, high = _seen(eye, hull)
    right, up = (low + high) / 2
    return frame, replace(eye, shift=(float(-right), float(-up)))


def _seen(eye: camera.Camera, points: Array) -> tuple[Array, Array]:
    """Return the lower left and upper right corners of the area that ``points`` cover in the picture.

    Coordinates range from -1 to 1 across the picture.
    """
    at, _ = eye.project(points, *SIZE)
    at = (at / SIZE * 2 - 1) * (1, -1)
    return at.min(0), at.max(0)


def _hull(frame: Frame) -> list[Vector]:
    """Return the corners of the boards and of the boxes around all marbles."""
    both = (-1, 1)
    slabs = [
        (board.x + x * (board.size / 2 + board.rim), board.y + y * (board.size / 2 + board.rim), z)
        for board in frame.boards
        for x, y, z in product(both, both, (TOP, TABLE))
    ]
    marbles = [
        (ball.x + x * INSIDE, ball.y + y * INSIDE, ball.z + z * INSIDE)
        for ball in frame.balls
        for x, y, z in product(both, both, both)
    ]
    return slabs + marbles


def _keep(game: Game, state: State, seats: int, look: Look, path: Path, front: int | None = None) -> bool:
    """Draw a position, and write the picture atomically to the file at ``path``."""
    frame, eye = _shown(game, state, seats, palette.theme(*look), front)
    data = png(_studio().pixels(frame, eye, *SIZE))
    files.make_folder(path.parent)
    files.write(path, data)
    return True
