"""Every marble game of the catalogue in random play: animations end with the marbles where the state has them.

On the way, marbles don't pass through each other or leave the picture.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.event import Event
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.scene.camera import Panel, make_home_camera
from shibumi3d.scene.marbles.layout import RADIUS, TABLE_Z, half_side
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.tabletop import Tabletop
from tests.marble_games import marble_games
from tests.share import THOROUGH

from .apart import motion_faults

STEPS = 60
HAIR = 0.88
"""Share of a marble's radius that must stay inside the picture."""
FALLS = (ev.Dropped, ev.Pushed, ev.SideDropped, ev.Entered)
FEW = (
    "spectacular-tumble",
    "splush",
    "spone",
    "spruit",
    "spargo",
    "sphlying-marbles",
    "spy",
    "spline-plus",
)
"""Games with drops, pushes, entries, large captures or several boards."""


@pytest.mark.parametrize("identity", [entry.id for entry in marble_games()])
@pytest.mark.parametrize("reduced", [False, True])
def test_animated_scene_ends_like_the_state(identity: str, reduced: bool) -> None:
    chance = random.Random(f"{identity} {reduced}")
    game = load_catalogue().get(identity).game()
    state = game.start(seed=chance.randrange(1000))
    sizes = [state.size] * len(state.board_names)
    played, fresh, now = MarbleScene(sizes, reduce_motion=reduced), MarbleScene(sizes), 0.0
    played.reset(state)
    for _ in range(STEPS):
        moves = game.moves(state)
        if not moves:
            break
        state, events = game.apply(state, chance.choice(moves))
        played.play(events, now)
        for part in range(4):
            played.timeline.sample(now + (max(played.timeline.end_time, now) - now) * part / 4)
        now = max(played.timeline.end_time, now) + 0.001
        fresh.reset(state)
        assert played.marbles == fresh.marbles
        assert played.held == fresh.held
        assert played.timeline.sample(now) == fresh.timeline.sample(now)


def random_moves(
    identity: str, variant: str | None, most: int, seed: int
) -> Iterator[tuple[MarbleScene, list[Event]]]:
    """Yield up to ``most`` moves of a random match: for each, the scene before it and its events.

    A move is included only if marbles fall, are pushed or enter, or if several marbles are taken.
    """
    game, chance = load_catalogue().get(identity).game(variant=variant), random.Random(seed)
    state = game.start(seed=seed + 1)
    while most and state.result is None:
        before = state
        state, events = game.apply(state, chance.choice(game.moves(state)))
        taken = sum(isinstance(event, ev.Removed | ev.Captured) for event in events)
        if taken > 1 or any(isinstance(event, FALLS) for event in events):
            stage = MarbleScene([state.size] * len(state.board_names))
            stage.reset(before)
            far = half_side(state.size) + 1.5
            stage.timeline.stock_positions = {
                name: (side * far - stage.layout.origins[-1][0] * -side, -1.0, TABLE_Z + 0.4)
                for name, side in zip(state.reserves, (-1, 1, -1, 1), strict=False)
            }
            stage.timeline.set_camera(
                make_home_camera(stage.sizes, 16 / 9, [tuple(stage.timeline.stock_positions.values())]),
                16 / 9,
            )
            yield stage, list(events)
            most -= 1


@pytest.mark.parametrize(
    ("identity", "most"),
    [(identity, 6) for identity in FEW]
    + [pytest.param(entry.id, 60, marks=THOROUGH) for entry in marble_games()],
)
def test_no_marble_of_any_game_passes_through_another(identity: str, most: int) -> None:
    seen = 0
    for variant in (None, *load_catalogue().get(identity).variants):
        for seed in range(9):
            for stage, events in random_moves(identity, variant, (most - seen), seed):
                stage.play(events, 0.0)
                assert motion_faults(stage.timeline, events, 0.0) == [], f"{variant}, {seed}: {events}"
                seen += 1
    assert seen or identity not in FEW


PANEL_LAYOUTS = [(), [(0.0, 0.0, 1.0, 0.08), (0.77, 0.0, 1.0, 1.0)]]
"""Panels over the picture: none, or the bar at the top and the panel at the side."""


@pytest.mark.parametrize(
    ("identity", "seeds"),
    [(entry.id, range(1)) for entry in marble_games()]
    + [("spook", range(1, 2)), ("splush", range(2, 3))]  # taken below the apex, entering from the far side
    + [pytest.param(entry.id, range(1, 6), marks=THOROUGH) for entry in marble_games()],
)
@pytest.mark.parametrize("panels", [*PANEL_LAYOUTS[:-1], pytest.param(PANEL_LAYOUTS[-1], marks=THOROUGH)])
def test_moving_marbles_stay_inside_the_picture(identity: str, seeds: range, panels: list[Panel]) -> None:
    """In the initial view, no moving marble leaves the picture by more than 12% of its radius.

    Marbles whose stock isn't shown are an exception: they enter or leave the picture.
    """
    width, height = 1280.0, 720.0
    for variant in (None, *load_catalogue().get(identity).variants):
        game = load_catalogue().get(identity).game(variant=variant)
        for seed in seeds:
            chance, state, now = random.Random(seed), game.start(seed=seed + 1), 0.0
            stage = MarbleScene([state.size] * len(state.board_names))
            stage.reset(state)
            table = Tabletop(state, marble_facts(game, state.seats))
            boxes = table.boxes_of_seats(range(state.seats))
            eye = make_home_camera(stage.sizes, width / height, table.layout.outlines, panels)
            stage.timeline.set_camera(eye, width / height)
            for _ in range(40):
                if state.result is not None:
                    break
                mover = state.to_move or 0
                lying = table.make_contents(state, mover, {}, None)
                state, events = game.apply(state, chance.choice(game.moves(state)))
                places = table.stock_positions(mover, mover, boxes, lying.heaps, lying.dish_heap, events)
                stage.timeline.set_stocks(places, table.row_positions)
                nowhere = {
                    (event.board, event.point) if isinstance(event, ev.Placed | ev.Entered) else None
                    for event in events
                    if isinstance(event, ev.Placed | ev.Entered | ev.Removed | ev.Captured)
                    and stage.timeline.cast.find_stock(event.stock, event.colour) is None
                }
                stage.play(events, now)
                while now < stage.timeline.end_time:
                    poses = [
                        pose
                        for pose in stage.timeline.sample(now)
                        if pose.alpha and pose.socket not in nowhere
                    ]
                    at = np.array([pose.position for pose in poses]).reshape(-1, 3)
                    pixels, depth = eye.project(at, width, height)
                    radius = HAIR * eye.projected_radius(RADIUS, depth, height)
                    beyond = (
                        np.abs(pixels - (width / 2, height / 2)) + radius[:, None] - (width / 2, height / 2)
                    )
                    assert (beyond <= 0.0).all(), f"{variant}, {seed}: {beyond.max():.1f} pixels, {events}"
                    now += 1 / 30
