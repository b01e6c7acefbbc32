"""Draws the pictures of the first page into files. It runs in a process of its own, with a drawing context of its own.

Functions here take and give what can be sent from process to process.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.match.match import Match, game_of
from shibumi3d.match.record import load, parse
from shibumi3d.render.png import png
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene import camera, palette
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.table import NOTHING
from shibumi3d.search.levels import kind_of

from .. import secrets
from .showcase import example

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.render.shot import Studio
    from shibumi3d.rules.game import Game

SIZE = (480, 300)
"""Of a picture, in pixels."""
TIER = "high"
NEARER = 2
"""Turns of the wheel by which the eye comes nearer than in the window: nothing stands beside the boards here."""
Look = tuple[str, str, str, str]
"""Tone, marbles, board and signs, as :func:`palette.theme` takes them."""


def game(entry: Entry, look: Look, path: Path) -> bool:
    """Draws a game as it may look in the middle of a match; whether there was anything to draw."""
    seats = max(entry.players[0], min(2, entry.players[1]))
    state = example(entry, entry.size, "", seats)
    return state is not None and _keep(entry.game(), state, seats, look, path)


def record(file: Path, entry: Entry, look: Look, path: Path) -> bool:
    """Draws the match in a file as it stands, without what somebody at the table may not know."""
    kept = load(file)
    kept = replace(kept, players=tuple(map(kind_of, kept.players)))
    match = Match.from_record(kept, game_of(kept, entry))
    state = secrets.seen(match.game, match.state, secrets.public_viewer(match))
    return _keep(match.game, state, len(match.seats), look, path)


def moment(told: str, plies: int, entry: Entry, look: Look, path: Path) -> bool:
    """Draws the match that a record tells as it stood after so many moves, to be seen by whoever sees them all."""
    kept = parse(told)
    match = Match.from_record(replace(kept, players=tuple(map(kind_of, kept.players))), game_of(kept, entry))
    match.goto(plies)
    return _keep(match.game, match.state, len(match.seats), look, path)


@cache
def _studio() -> Studio:
    from shibumi3d.render.shot import Studio

    studio = Studio(TIER)
    studio.renderer.pace.fix(1.0)
    return studio


def _shown(game: Game, state: State, seats: int, theme: palette.Theme) -> tuple[Frame, camera.Camera]:
    """What is drawn of a position, and where from."""
    aspect = SIZE[0] / SIZE[1]
    if not isinstance(state, State):
        table = scene(game, seats)
        table.reset(state, state.mover)
        return table.frame(0.0, theme, NOTHING), camera.home_of(table.hull, table.eye, aspect)
    sizes = (state.size,) * len(state.board_names)
    stage = Stage(sizes, "off")
    stage.reset(state)
    eye = camera.home(sizes, aspect)
    for _ in range(NEARER):
        eye = eye.zoomed(1)
    return stage.frame(0.0, eye, theme, aspect=aspect), eye


def _keep(game: Game, state: State, seats: int, look: Look, path: Path) -> bool:
    """Draws a position into the file at ``path``, which is there whole or not at all."""
    frame, eye = _shown(game, state, seats, palette.theme(*look))
    data = png(_studio().pixels(frame, eye, *SIZE))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            os.unlink(part)
        raise
    return True
