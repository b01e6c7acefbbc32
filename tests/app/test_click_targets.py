"""In every game and from every camera angle, each pixel selects what is visible there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

import shibumi3d
from shibumi3d.app.match.marble_view.controller import Controller, Spot
from shibumi3d.app.match.marble_view.highlights import SignLayer
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.marble_view.picking_targets import (
    ClickTarget,
    PickTarget,
    board_targets,
    clickable_spots,
    table_targets,
)
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.scene.camera import Camera, make_home_camera
from shibumi3d.scene.frame import Ball, Frame, Mark, MarkKind
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, Array
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import BEAD_RADIUS, Sign, SignKind
from shibumi3d.scene.marbles.table_objects import BAG_HEIGHT, BAG_RADIUS
from shibumi3d.scene.marbles.tabletop import Tabletop
from shibumi3d.scene.palette import make_theme
from shibumi3d.scene.picking import pick_many
from tests.marble_games import marble_games
from tests.share import some

ENTRIES = {entry.id: entry for entry in marble_games()}
WIDE, HIGH = 1000.0, 585.0
"""Size of the board view in a window of 1280 × 720."""
VIEWS = 20
STEP = 19.0
"""Distance between the tested pixels: about a dozen of them hit each marble."""


def cameras(sizes: tuple[int, ...]) -> Iterator[Camera]:
    """Yield ``VIEWS`` cameras: the initial one, one from above, one from as low as possible, and random ones."""
    chance, start = random.Random(5), make_home_camera(sizes, WIDE / HIGH)
    yield from (start, start.from_above(), replace(start, yaw=45.0, pitch=20.0, zoom=0.7))
    for _ in range(VIEWS - 3):
        yaw, pitch, zoom = (chance.uniform(*span) for span in ((-180, 180), (20, 90), (0.7, 1.8)))
        yield replace(start, yaw=yaw, pitch=pitch, zoom=zoom)


def positions(name: str) -> Iterator[Match]:
    """Play random matches of a game, and yield each match at every one of its first 60 positions.

    The iterator never ends.
    """
    chance, entry = random.Random(name), ENTRIES[name]
    while True:
        match = Match(entry.game(), [str(n) for n in range(entry.players[0])], chance.randrange(1000))
        for _ in range(60):
            yield match
            if not match.legal_moves():
                break
            match.play(chance.choice(match.legal_moves()))


class Desk:
    """The scene and the click targets of a match in its current state, built without a window."""

    def __init__(self, match: Match) -> None:
        self.control = Controller(match)
        state = self.control.observation
        self.stage = MarbleScene([state.size] * len(state.board_names))
        self.stage.reset(state)
        facts = match.game.facts(len(match.seats))
        tabletop = Tabletop(
            match.initial_state, facts, always_has_dish=len(self.control.available_colours) > 1
        )
        self.lay, self.bag = tabletop.layout, tabletop.bag_stock
        self.lying = tabletop.make_contents(state, match.state.mover, {}, None)

    def pick_targets(self, camera: Camera) -> list[PickTarget]:
        on = board_targets(self.control, self.stage, toward_camera=camera.axes()[2])
        return [*on, *table_targets(self.bag, self.lay, self.lying)]

    def meant(self, camera: Camera, places: Array) -> list[ClickTarget | None]:
        objects = self.pick_targets(camera)
        found = pick_many(
            camera, WIDE, HIGH, places, [thing.pick_object for thing in objects], self.stage.board_squares()
        )
        return [None if number < 0 else objects[number].click_target for number in found]

    def frame(self, camera: Camera) -> Frame:
        signs = [
            Sign(SignKind.ENTRY if spot.side >= 0 else SignKind.LEGAL, *spot[:2], side=spot.side)
            for spot in self.control.targets
        ]
        extra = self.lying.balls
        return self.stage.frame(0.0, camera, make_theme(), signs=signs, extra_balls=extra, aspect=WIDE / HIGH)

    def drawn(self, frame: Frame, camera: Camera) -> list[tuple[Ball | Mark, ClickTarget | None]]:
        """Return the objects of the frame that a click can hit, each with its click target.

        The target is None if a click on the object selects nothing. The objects are all marbles and beads, the bag
        (approximated by a ball), and the rings, dots and chevrons that aren't drawn on top of everything. A bead that
        is drawn only as a dashed outline is returned as a ball, too. The target of a marble in hand is the point from
        which it was lifted.
        """
        at = {
            self.stage.marble_position(board, point): Spot(board, point)
            for board in range(len(self.stage.sizes))
            for point in range(len(self.stage.layout.points[board]))
        }
        # Beads are lower than marbles at the same point.
        at |= {
            self.stage.position_in_socket(*spot[:2], BEAD_RADIUS): spot
            for spot in at.values()
            if not self.stage.is_board_hole(*spot[:2])
        }
        heaps = {
            place: heap
            for heap, marbles in self.lying.heaps.items()
            for place, _ in zip(self.lay.heaps[heap].positions, marbles, strict=False)
        }
        held = self.control.state.held
        hand = None if held is None else Spot(held[2], held[1])
        table = {ball.position for ball in self.lying.balls}
        found: list[tuple[Ball | Mark, ClickTarget | None]] = []
        for ball in frame.balls:
            where = heaps.get(ball.position) if ball.position in table else at.get(ball.position, hand)
            found.append((ball, where))
        if self.lay.bag_position is not None:
            x, y, z = self.lay.bag_position
            # The bag is a mesh, approximated here by a ball.
            found.append((Ball(x, y, z + BAG_HEIGHT / 2, 0, radius=BAG_RADIUS), self.bag))
        entries = {
            self.stage.entry_position(*spot, toward_camera=camera.axes()[2]): spot
            for spot in self.control.targets
            if spot.side >= 0
        }
        standing = {ball.position for ball in frame.balls}
        for mark in frame.marks:
            if mark.kind is MarkKind.DASHED_CIRCLE and mark.position in at and mark.position not in standing:
                # The part of a bead that shows beside the marbles in front of it selects the bead's own point.
                found.append((Ball(*mark.position, 0, radius=mark.size), at[mark.position]))
            if mark.on_top:
                continue
            if mark.kind is MarkKind.CHEVRON:
                found.append((mark, entries[mark.position]))
            elif mark.kind in (MarkKind.RING, MarkKind.DOT):
                x, y, _ = mark.position
                found.append(
                    (mark, next(s for p, s in at.items() if np.allclose(p[:2], (x, y)) and p[2] == 0))
                )
        return found


EDGE = 0.75
"""Pixels closer than this to the edge of an object aren't tested, since either side may be visible there."""


def stable_frontmost(
    desk: Desk, camera: Camera, drawn: list[tuple[Ball | Mark, ClickTarget | None]], places: Array
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the result of :func:`frontmost` at each pixel, and whether it is stable.

    A result is stable if the points ``EDGE`` pixels to the left, to the right, above and below give the same result.
    """
    found = frontmost(desk, camera, drawn, places)
    same = np.ones(len(places), dtype=bool)
    for off in ((EDGE, 0.0), (-EDGE, 0.0), (0.0, EDGE), (0.0, -EDGE)):
        same &= frontmost(desk, camera, drawn, places + off) == found
    return found, same


def frontmost(
    desk: Desk, camera: Camera, drawn: list[tuple[Ball | Mark, ClickTarget | None]], places: Array
) -> NDArray[np.int64]:
    """Return the index of the drawn object nearest to the camera at each pixel, or -1 where there is none.

    Drawn objects behind a board don't count. The rays are cast independently of the program: a quadratic equation is
    solved for each ball, and the plane of each mark is intersected with the ray.
    """
    eye, directions = camera.rays(places, WIDE, HIGH)
    away = np.full((len(places), len(drawn) + 1), np.inf)
    for number, (thing, _) in enumerate(drawn):
        to = eye - np.array(thing.position)
        if isinstance(thing, Ball):
            b, c = directions @ to, to @ to - thing.radius**2
            root = b * b - c
            away[:, number] = np.where(root >= 0, -b - np.sqrt(np.maximum(root, 0)), np.inf)
            continue
        flat = thing.kind is not MarkKind.CHEVRON
        normal = np.array((0.0, 0.0, 1.0)) if flat else camera.axes()[2]
        part = -(to @ normal) / (directions @ normal)
        off = np.linalg.norm(to + directions * part[:, None], axis=1)
        _, depth = camera.project(np.array([thing.position]), WIDE, HIGH)
        unit = float(camera.projected_radius(1.0, depth, HIGH)[0])
        size = thing.size if flat else min(max(thing.size * unit, 11.0), 18.0) / unit
        away[:, number] = np.where(off <= (0.37 if thing.kind is MarkKind.DOT else size), part, np.inf)
    down = (BOARD_TOP_Z - eye[2]) / directions[:, 2]
    for x, y, half in desk.stage.board_squares():
        is_hit = np.abs(eye[:2] + directions[:, :2] * down[:, None] - (x, y)).max(axis=1) <= half
        away[is_hit, -1] = np.minimum(away[is_hit, -1], down[is_hit] + 0.01)
    found = away.argmin(axis=1)
    return np.where(np.isinf(away.min(axis=1)) | (found == len(drawn)), -1, found)


@pytest.mark.parametrize("name", some(ENTRIES, 14, 0))
def test_click_targets_the_frontmost_visible_object_or_nothing(name: str) -> None:
    matches = positions(name)
    chance = random.Random(name)
    size = ENTRIES[name].game().start(seed=1)
    sizes = (size.size,) * len(size.board_names)
    looked = 0
    for camera in cameras(sizes):
        for _ in range(chance.randrange(1, 8)):
            match = next(matches)
        desk = Desk(match)
        if visibility.covered_boards(match.state, match.state.to_move):
            # Covered boards aren't drawn.
            continue
        begin = [chance.uniform(0, STEP) for _ in range(2)]
        xs, ys = (np.arange(start, end, STEP) for start, end in zip(begin, (WIDE, HIGH), strict=True))
        places = np.array([(x, y) for y in ys for x in xs])
        drawn = desk.drawn(desk.frame(camera), camera)
        aims = clickable_spots(desk.control)
        fronts, sure = stable_frontmost(desk, camera, drawn, places)
        for place, number, clear, meant in zip(places, fronts, sure, desk.meant(camera, places), strict=True):
            where = (match.cursor, camera, tuple(place))
            if number >= 0 and clear:
                # A click on a visible marble, hole or sign selects it, whatever is behind or beside it.
                assert meant == drawn[number][1], where
                looked += 1
            elif number < 0 and clear and isinstance(meant, Spot) and meant in aims:
                # A click beside all visible objects selects a target nearby, if any.
                assert is_near(desk, camera, place, meant), where
    assert looked > 300


ON_MARBLES = (
    MarkKind.TICK_UP,
    MarkKind.TICK_DOWN,
    MarkKind.ONE_BAR,
    MarkKind.TWO_BARS,
    MarkKind.NUMBER,
    MarkKind.CHEVRON,
)
ROUND = 0.1
"""Distance, in marble diameters, from the centre of a sign to the four points around it that are tested, too."""


@pytest.mark.parametrize("name", some(ENTRIES, 14, 1))
def test_signs_never_overlap_unrelated_marbles(name: str) -> None:
    """Signs that mark marbles as targets of legal moves are visible and stay on these marbles.

    This is tested in random positions. Marbles in front of a sign may hide a part of it, since no sign is drawn on top
    of everything.
    """
    matches, chance = positions(name), random.Random(name)
    first_ = ENTRIES[name].game().start(seed=1)
    for camera in cameras((first_.size,) * len(first_.board_names)):
        for _ in range(chance.randrange(1, 8)):
            match = next(matches)
        desk = Desk(match)
        if visibility.covered_boards(match.state, match.state.to_move):
            continue
        frame = desk.frame(camera)
        marks = [mark for mark in frame.marks if mark.kind in ON_MARBLES]
        assert not any(mark.on_top for mark in marks)
        if not marks:
            continue
        assert_signs_on_their_own_marbles(camera, marks, [ball for ball in frame.balls if not ball.bead])


def assert_signs_on_their_own_marbles(camera: Camera, marks: list[Mark], balls: list[Ball]) -> None:
    """Assert that each sign is visible and stays on its own marble.

    A sign's own marble is the one nearest to it, and no two signs of the same kind may share a marble. Five points of
    each sign are tested: its centre and four around it. At least two of them must be visible, and the line of sight
    through each visible point must meet the sign's own marble before any solid marble at another position. Marbles with
    an ``alpha`` of 0.5 or less aren't solid: they cover no signs, and a sign on such a marble may reach over its edge.
    Chevrons don't belong to a marble and aren't checked.
    """
    eye, (right, up, _) = camera.eye(WIDE / HIGH), camera.axes()
    centres = np.array([ball.position for ball in balls]).reshape(-1, 3)
    solid = np.array([ball.alpha > 0.5 for ball in balls], dtype=bool)
    marked: set[tuple[MarkKind, int]] = set()
    for mark in marks:
        own_ball = -1
        if mark.kind is not MarkKind.CHEVRON:
            away = np.linalg.norm(centres - mark.position, axis=1)
            own_ball = int(away.argmin())
            assert away[own_ball] < 0.6
            assert (mark.kind, own_ball) not in marked, "one sign of a kind a marble"
            marked.add((mark.kind, own_ball))
        # A marble and its possible replacement have the same position.
        apart = np.linalg.norm(centres - (centres[own_ball] if own_ball >= 0 else np.inf), axis=1) > 0.3
        round_ = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
        samples = np.array(mark.position) + ROUND * np.array([right * x + up * y for x, y in round_])
        drawn = 0
        for sample in samples:
            ray = sample - eye
            ray /= np.linalg.norm(ray)
            b = (centres - eye) @ ray
            root = b * b - np.einsum("ij,ij->i", centres - eye, centres - eye) + 0.25
            distance = np.where(root >= 0, b - np.sqrt(np.maximum(root, 0)), np.inf)
            distance[own_ball] = np.inf if own_ball < 0 else distance[own_ball]
            others = solid & apart
            other = distance[others].min() if others.any() else np.inf
            if other < np.linalg.norm(sample - eye):
                continue  # the sign is covered by a marble in front of it
            drawn += 1
            if own_ball >= 0 and solid[own_ball]:
                assert distance[own_ball] < other, "the sign reaches over its marble's edge onto another"
        assert drawn >= 2 or mark.kind is MarkKind.CHEVRON


GLYPHS = (
    MarkKind.THEREFORE,
    MarkKind.SWAP,
    MarkKind.NUMBER,
    MarkKind.ONE_BAR,
    MarkKind.TWO_BARS,
    MarkKind.TICK_DOWN,
)
"""Kinds of signs that a preview puts on marbles."""


@pytest.mark.parametrize("name", some(ENTRIES, 14, 2))
def test_preview_signs_never_overlap_unrelated_marbles(name: str) -> None:
    matches, chance = positions(name), random.Random(name)
    start = ENTRIES[name].game().start(seed=1)
    for camera in cameras((start.size,) * len(start.board_names)):
        for _ in range(chance.randrange(1, 8)):
            match = next(matches)
        desk = Desk(match)
        if visibility.covered_boards(match.state, match.state.to_move):
            continue
        control = desk.control
        page = SimpleNamespace(model=SimpleNamespace(observation=control.observation, state=match.state))
        page.controller, page.marble_scene = control, desk.stage
        for spot in chance.sample(control.targets, min(3, len(control.targets))):
            preview = control.preview_click(spot)
            if preview is None:
                continue
            signs, ghosts = SignLayer(cast(MarbleMatchPage, page)).preview_signs(preview)
            frame = desk.stage.frame(
                0.0,
                camera,
                make_theme(),
                signs=signs,
                ghosts=ghosts,
                extra_balls=desk.lying.balls,
                aspect=WIDE / HIGH,
            )
            marks = [mark for mark in frame.marks if mark.kind in GLYPHS]
            assert_signs_on_their_own_marbles(camera, marks, [ball for ball in frame.balls if not ball.bead])


def is_near(desk: Desk, camera: Camera, place: Array, spot: Spot) -> bool:
    """Return whether the pixel ``place`` is on or near an object that selects ``spot``.

    It is near the object if it is within 16 pixels of the object's centre. Two objects can select the same spot: a held
    marble selects the point that it came from.
    """
    seen = [thing.pick_object for thing in desk.pick_targets(camera) if thing.click_target == spot]
    pixels, depth = camera.project(np.array([thing.position for thing in seen]), WIDE, HIGH)
    sizes = camera.projected_radius(1.0, depth, HIGH) * [thing.radius for thing in seen]
    away = np.hypot(*(pixels - place).T)
    return bool((away <= np.maximum(16.0, sizes) + 1e-6).any())


def make_desk(name: str, *moves: str) -> Desk:
    match = Match(shibumi3d.game(name), ["Aiko", "Ben"], 1)
    for move in moves:
        match.play(move)
    return Desk(match)
