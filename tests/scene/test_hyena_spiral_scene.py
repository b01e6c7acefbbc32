"""The Hyena Spiral scene: geometry, clickable spots, and motion, which always ends in the right place."""

from __future__ import annotations

import itertools
import math
from random import Random

import numpy as np
import pytest

from shibumi3d.rules.hyena_spiral.state import State
from shibumi3d.scene.camera import make_home_camera_for_hull
from shibumi3d.scene.frame import Frame, MarkKind, Piece
from shibumi3d.scene.hyena_spiral.animations import make_animations
from shibumi3d.scene.hyena_spiral.figures import (
    NUMBER_INK,
    NUMBER_PLAQUE_INK,
    PAWN_COLOURS,
    draw_from_above,
    visible_table,
)
from shibumi3d.scene.hyena_spiral.layout import (
    NUMBER_HALF_SIZE,
    NUMBERED_RING_RADIUS,
    heap_positions,
    shared_place_offset,
    spiral_geometry,
)
from shibumi3d.scene.hyena_spiral.scene import HyenaScene
from shibumi3d.scene.marbles.layout import HOLE_RADIUS
from shibumi3d.scene.palette import make_theme
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, TableHighlights
from tests.tables.spiral import spiral as game_of

DAY = make_theme()
LENGTHS = (48, 60, 80)


def scene_of(state: State, length: int = 48) -> HyenaScene:
    game = game_of(length)
    scene = HyenaScene(game, state.seats)
    scene.reset(game.observe(state, 0), 0)
    return scene


def final_frame(scene: HyenaScene, pointed: TableHighlights = NO_HIGHLIGHTS) -> Frame:
    return scene.frame(1e9, DAY, pointed)


@pytest.mark.parametrize("length", LENGTHS)
def test_track_places_are_evenly_spaced_on_the_board(length: int) -> None:
    """Places are 0.95 apart along the track, and a little less in a straight line.

    Their hollows of radius 0.31 don't overlap.
    """
    track = spiral_geometry(length)
    places = [track.pawn_position(place)[:2] for place in range(1, length)]
    steps = [math.dist(a, b) for a, b in itertools.pairwise(places)]
    assert min(steps) > 0.85
    assert max(steps) < 1.0
    assert min(math.dist(a, b) for a, b in itertools.combinations(places, 2)) > 2 * 0.31
    assert all(math.hypot(x, y) > 1.29 for x, y in places)
    board = track.board
    assert board.half_side == pytest.approx(track.half_width)
    assert board.holes is not None
    assert all(max(abs(x), abs(y)) < track.half_width - 0.2 for x, y, _ in board.holes)
    assert len([size for *_, size in board.holes if size == 1.0]) == length - 1


@pytest.mark.parametrize("length", LENGTHS)
def test_pawns_have_room_wherever_they_share_a_space(length: int) -> None:
    track = spiral_geometry(length)
    for spots in (
        track.village_positions,
        track.home_positions,
        [track.pawn_position(length, seat)[:2] for seat in range(5)],
    ):
        assert min(math.dist(a, b) for a, b in itertools.combinations(spots, 2)) > 0.52
    together = [shared_place_offset(number, 5) for number in range(5)]
    assert min(math.dist(a, b) for a, b in itertools.combinations(together, 2)) > 0.3
    assert shared_place_offset(0, 1) == (0.0, 0.0)


def test_tabas_are_stacked_in_layers_of_seven() -> None:
    assert [round(z, 2) for *_, z in heap_positions(15)] == [0.0] * 7 + [0.09] * 7 + [0.18]


def test_every_tenth_space_is_numbered() -> None:
    frame = final_frame(scene_of(game_of(48).start(2)))
    assert [card.glyph for card in frame.cards if card.glyph.isdecimal() and card.ink == NUMBER_INK] == list(
        "10203040"
    )


@pytest.mark.parametrize("length", [48, 60, 80])
def test_space_numbers_are_large_and_clear_of_holes(length: int) -> None:
    """In a window of 1280 x 720, the numbers are at least 13 pixels high.

    Regression test: they were only 8 pixels high. Distances are in marble diameters. If a number overlaps a hole, or
    the ring around a numbered space, it does so by less than 0.05. Each number is at most 0.3 farther from its own
    space than from the nearest one. It is farther from the centre of the spiral than its own space, by more than 0.2.
    """
    scene = scene_of(game_of(length).start(2), length)
    track = spiral_geometry(length)
    panels = [(0.0, 0.0, 0.165, 0.3), (0.755, 0.0, 1.0, 0.22), (0.755, 0.85, 1.0, 1.0)]
    camera = make_home_camera_for_hull(scene.hull, scene.view_direction, 1280 / 624, panels)
    for place in range(10, length, 10):
        x, y, z = track.number_position(place)
        wide, high = NUMBER_HALF_SIZE
        ends, _ = camera.project(np.array([(x, y - high, z), (x, y + high, z)]), 1280, 624)
        assert ends[0, 1] - ends[1, 1] >= 13
        for other in range(1, length):
            hole_x, hole_y, _ = track.pawn_position(other)
            gap = max(abs(hole_x - x) - wide, 0.0), max(abs(hole_y - y) - high, 0.0)
            radius = HOLE_RADIUS if other % 10 else NUMBERED_RING_RADIUS
            assert math.hypot(*gap) > radius - 0.05
        away = [math.dist(track.pawn_position(other)[:2], (x, y)) for other in range(1, length)]
        assert math.dist(track.pawn_position(place)[:2], (x, y)) <= min(away) + 0.3
        outside = math.hypot(x, y) - math.hypot(*track.pawn_position(place)[:2])
        assert outside > 0.2


def test_taba_count_updates_when_the_taba_arrives() -> None:
    game = game_of(48)
    # One white face brings a taba.
    state = game.start(2, deal={"starter": "1", "throws": "1"})
    scene = scene_of(state)
    after, events = game.apply(state, "throw")

    def counted(now: float) -> list[str]:
        cards = scene.frame(now, DAY, NO_HIGHLIGHTS).cards
        return [card.glyph for card in cards if card.glyph.isdecimal() and card.ink == NUMBER_PLAQUE_INK]

    before = counted(0.0)
    assert before == [str(walker.tabas) for walker in state.walkers]
    scene.play(events, 1.0, after, 0)
    assert scene.is_animating(1.01)
    assert counted(1.01) == before
    assert counted(1e9) == [str(walker.tabas) for walker in after.walkers] != before


def test_every_move_has_a_clickable_spot() -> None:
    game, rng = game_of(48), Random(2)
    seen: set[tuple[str, str]] = set()
    state = game.position(["well, 1 paid, 4 tabas", "hyena out 0", "out 4", "out 8"])
    while moves := game.moves(state):
        scene = scene_of(state)
        spots = scene.spots()
        for move in moves:
            clicks = scene.clicks_for(move)
            assert not clicks.picks
            assert clicks.last_spot in spots
            seen.add((move.kind, clicks.last_spot.split()[0]))
        assert len({scene.clicks_for(move).last_spot for move in moves}) == len(moves)
        state, _ = game.apply(state, rng.choice(moves))
    assert {("throw", "bowl"), ("buy", "tabas"), ("take", "tabas"), ("go", "place"), ("pay", "well")} <= seen


@pytest.mark.parametrize("speed", ["normal", "off"])
@pytest.mark.parametrize("reduced", [False, True])
def test_animations_end_like_a_fresh_scene(speed: str, reduced: bool) -> None:
    """After each move of a whole match, the scene ends up looking exactly like a new scene of the same state."""
    game, rng = game_of(48, 2), Random(3)
    state = game.start(3, seed=3)
    scene = scene_of(state)
    scene.speed, scene.reduce_motion = speed, reduced
    now = 0.0
    kinds = set()
    while moves := game.moves(state):
        state, events = game.apply(state, rng.choice(moves))
        scene.play(events, now, game.observe(state, 0), 0)
        assert not (speed == "off" and scene.is_animating(now))
        for _ in range(3):
            frame = scene.frame(now, DAY, NO_HIGHLIGHTS)
            assert all(math.isfinite(piece.x + piece.y + piece.z) for piece in frame.pieces)
            kinds |= {piece.model for piece in frame.pieces}
            now += 0.3
        now += 10.0
        assert not scene.is_animating(now)
        assert scene.frame(now, DAY, NO_HIGHLIGHTS) == final_frame(scene_of(state))
        scene.take_cues(now)
    assert {"villager", "hyena", "jar", "chip", "sign1", "sign3", "well", "hut", "bowl"} <= kinds


def test_finish_completes_the_animation() -> None:
    game = game_of(48)
    state = game.position(["hyena well, 1 paid, 4 tabas", "back 28", "out 8"])
    scene = scene_of(state)
    after, events = game.apply(state, "buy")
    scene.play(events, 5.0, game.observe(after, 0), 0)
    assert scene.is_animating(5.0)
    scene.finish()
    assert not scene.is_animating(5.0)
    assert scene.frame(5.0, DAY, NO_HIGHLIGHTS) == final_frame(scene_of(after))
    assert scene.take_cues(5.0)


def test_chips_keep_their_thrown_faces() -> None:
    """A throw of 2 shows the pale faces of two chips and the dark face of the third.

    A chip with its pale face up isn't tilted; one with its dark face up is turned by 180°.
    """
    game = game_of(48)
    state, _ = game.apply(game.start(2, deal={"starter": "1", "throws": "2"}), "throw")
    tilts = [piece.tilt for piece in final_frame(scene_of(state)).pieces if piece.model == "chip"]
    assert tilts == [0.0, 0.0, math.pi]


def test_departing_hyenas_reach_is_marked() -> None:
    game = game_of(48)
    numbers = {
        seats[0]: [
            mark.number
            for mark in final_frame(scene_of(game.position(seats))).marks
            if mark.kind is MarkKind.NUMBER
        ]
        for seats in (["hyena well, 1 paid", "out 4"], ["hyena well", "out 4"], ["hyena back 20", "back 4"])
    }
    # 24 steps from 20 lead into the village, where no ring is needed.
    assert list(numbers.values()) == [[8, 12, 24], [], [8, 12]]


def test_hovering_the_bowl_marks_throw_targets_and_odds() -> None:
    game = game_of(48)
    state = game.position(["out 8, 2 tabas", "out 0"])
    open_now = frozenset({"bowl", "tabas 1"})
    marks = final_frame(scene_of(state), TableHighlights(focused="bowl", clickable=open_now)).marks
    assert sorted(mark.number for mark in marks if mark.kind is MarkKind.NUMBER) == [4, 6, 12]
    parts = sorted(
        mark.sector_fraction for mark in marks if mark.kind is MarkKind.RING and mark.sector_fraction < 1
    )
    assert parts == [1 / 8, 1 / 8, 3 / 8]


def test_preview_shows_hyena_target_and_eaten_villagers() -> None:
    game = game_of(48)
    state = game.position(["hyena well, 1 paid, 4 tabas", "back 28", "back 12"])
    buy = game.moves(state)[1]
    preview = tuple(game.preview(game.observe(state, 0), buy).events)
    frame = final_frame(
        scene_of(state), TableHighlights(focused="tabas 1", clickable=frozenset({"tabas 1"}), preview=preview)
    )
    (ghost,) = [piece for piece in frame.pieces if piece.model == "hyena" and piece.alpha < 1]
    assert (ghost.x, ghost.y) == pytest.approx(spiral_geometry(48).pawn_position(24)[:2])
    assert len([mark for mark in frame.marks if mark.kind is MarkKind.HATCHED_CIRCLE]) == 1


def test_top_view_shows_every_piece() -> None:
    game, chance = game_of(48, rounds=1), Random(5)
    state = game.start(3, 5)
    models: set[str] = set()
    while state.to_move is not None:
        state, _ = game.apply(state, chance.choice(game.moves(state)))
        scene = scene_of(state)
        frame = final_frame(scene)
        models |= {piece.model for piece in frame.pieces}
        papers = [card.fill for card in scene.top_view(1e9, DAY, NO_HIGHLIGHTS).cards]
        assert all(PAWN_COLOURS[seat] in papers for seat in range(3))
    assert {"villager", "hyena", "jar", "well", "hut", "bowl", "chip", "plate", "sign1"} <= models
    assert all(list(draw_from_above(Piece(model, 0.0, 0.0, colour=PAWN_COLOURS[0]))) for model in models)


def test_chips_and_tabas_sound_when_they_land() -> None:
    """The throw takes 0.9 s; its chips land in the second half, and the taba that it earns lands later.

    In Hyena Spiral, three chips are thrown; a throw with one white face, as here, earns a taba.
    """
    game = game_of(48)
    state = game.start(2, deal={"starter": "1", "throws": "1"})
    scene = scene_of(state)
    after, events = game.apply(state, "throw")
    scene.play(game.observe_events(after, events, 0), 10.0, game.observe(after, 0), 0)
    assert scene.take_cues(10.4) == []
    assert [cue.object_kind for cue in scene.take_cues(10.9)] == ["chip"] * 3
    assert [cue.object_kind for cue in scene.take_cues(12.0)] == ["taba"]
    assert scene.take_cues(99.0) == []


def villager_tilts(frame: Frame) -> dict[str, float]:
    return {piece.colour: piece.tilt for piece in frame.pieces if piece.model == "villager"}


def test_eaten_villagers_tip_as_the_hyena_reaches_them() -> None:
    """The hyena walks 24 places in 0.9 s, from the well at 48 past villagers at 44 and 28.

    The villager at 44 is reached first and tips first.
    """
    game = game_of(48)
    state = game.position(["hyena well, 1 paid, 4 tabas", "back 28", "back 44", "back 12"])
    scene = scene_of(state)
    after, events = game.apply(state, "buy")
    walk = next(step for step in make_animations(visible_table(state), events, 0.001, False) if step.eaten_at)
    moments = dict(walk.eaten_at)
    assert list(moments) == [2, 1]
    assert moments[2] < moments[1] < 1.0
    scene.play(events, 0.0, game.observe(after, 0), 0)
    for seat, moment in moments.items():
        frame = scene.frame(walk.start_time + 0.9 * moment, DAY, NO_HIGHLIGHTS)
        (hyena,) = [piece for piece in frame.pieces if piece.model == "hyena"]
        (villager,) = [piece for piece in frame.pieces if piece.colour == PAWN_COLOURS[seat]][:1]
        # Places are 0.95 apart.
        assert math.dist(hyena[1:3], villager[1:3]) < 0.95
    # Half a tip after she is reached; the tip takes 0.13 s.
    now = walk.start_time + 0.9 * moments[2] + 0.065
    tilts = villager_tilts(scene.frame(now, DAY, NO_HIGHLIGHTS))
    assert 0.5 < tilts[PAWN_COLOURS[2]] < 1.1
    assert tilts[PAWN_COLOURS[1]] == tilts[PAWN_COLOURS[3]] == 0.0
    later = villager_tilts(scene.frame(walk.start_time + 0.9, DAY, NO_HIGHLIGHTS))
    assert later[PAWN_COLOURS[2]] == pytest.approx(math.pi / 2)


def test_eaten_villagers_off_the_path_tip_before_the_walk() -> None:
    """Villagers who are still on their way out tip over one by one before the hyena leaves the well.

    When the hyena leaves the well, it eats all of these villagers, however far away they are.
    """
    game = game_of(48)
    state = game.position(["hyena well, 1 paid, 4 tabas", "out 20", "out 30", "back 12"])
    scene = scene_of(state)
    after, events = game.apply(state, "buy")
    _bought, *meals, walk = make_animations(visible_table(state), events, 0.001, False)
    assert [type(step.event).__name__ for step in (*meals, walk)] == ["Eaten", "Eaten", "Walked"]
    assert meals[0].end_time <= meals[1].start_time < meals[1].end_time <= walk.start_time
    scene.play(events, 0.0, game.observe(after, 0), 0)
    for step in meals:
        colour, took = PAWN_COLOURS[step.event.seat], step.end_time - step.start_time
        tilts = [
            villager_tilts(scene.frame(step.start_time + took * part, DAY, NO_HIGHLIGHTS))[colour]
            for part in (0.01, 0.2, 0.5)
        ]
        assert tilts[0] < 0.1 < tilts[1] < tilts[2]
        assert tilts[2] == pytest.approx(math.pi / 2)


def test_villager_stays_opaque_until_she_becomes_the_hyena() -> None:
    game, chance, length = game_of(48), Random(0), 48
    state = game.start(2, 1)
    while True:
        before = state
        seat = state.to_move
        assert seat is not None
        state, events = game.apply(state, chance.choice(game.moves(state)))
        if any("BecameHyena" in str(event) for event in events):
            break
    scene = scene_of(before)
    scene.play(events, 0.0, game.observe(state, 0), 0)
    (step,) = [
        s
        for s in make_animations(visible_table(before), events, 0.001, False)
        if "BecameHyena" in str(s.event)
    ]
    heights = []
    for k in range(41):
        frame = scene.frame(step.start_time + (step.end_time - step.start_time) * k / 41, DAY, NO_HIGHLIGHTS)
        (pawn,) = [piece for piece in frame.pieces if piece.colour == PAWN_COLOURS[step.event.seat]]
        assert pawn.alpha == 1.0
        heights.append(pawn.z)
    assert max(heights) > spiral_geometry(length).half_width
    assert heights[0] < 1.0 > heights[-1]


@pytest.mark.parametrize("reduced", [False, True])
def test_rewind_retraces_the_move(reduced: bool) -> None:
    """Rewinding starts with the table after the move and ends with the table before the move.

    With reduced motion, the pawn doesn't travel back: it fades out, and then fades in at its earlier place.
    """
    game = game_of(48)
    state = game.position(["out 8, 2 tabas", "out 0"])
    after, events = game.apply(state, "buy")
    scene = scene_of(after)
    scene.reduce_motion = reduced
    scene.rewind(events, 3.0, game.observe(state, 0), 0)
    assert scene.is_animating(3.0)
    (start,) = [
        piece for piece in scene.frame(3.0, DAY, NO_HIGHLIGHTS).pieces if piece.colour == PAWN_COLOURS[0]
    ]
    (gone,) = [piece for piece in final_frame(scene_of(after)).pieces if piece.colour == PAWN_COLOURS[0]]
    assert start[1:3] == pytest.approx(gone[1:3])
    faint = [
        min(piece.alpha for piece in scene.frame(3.0 + k / 100, DAY, NO_HIGHLIGHTS).pieces) for k in range(20)
    ]
    assert (min(faint) < 0.5) == reduced
    assert scene.frame(9.0, DAY, NO_HIGHLIGHTS) == final_frame(scene_of(state))
    assert not scene.is_animating(9.0)


@pytest.mark.parametrize("seats", [2, 5])
def test_each_dish_shows_its_seat_sign(seats: int) -> None:
    """Each seat's sign is nearer to that seat's dish than to any other, and isn't cut off in the west.

    A sign would be cut off if it extended beyond the western edge of the area that the initial view must show.
    """
    game = game_of(80)
    scene = scene_of(game.start(seats, 1), 80)
    signs = {card.glyph: card.position for card in final_frame(scene).cards if card.glyph.startswith("seat")}
    dishes = {seat: spiral_geometry(80).dish_position(seat, seats) for seat in range(seats)}
    west = min(x for x, _, _ in scene.hull)
    assert set(signs) == {f"seat {seat}" for seat in range(seats)}
    for seat in range(seats):
        x, y, _ = signs[f"seat {seat}"]
        assert min(dishes, key=lambda other: math.dist(dishes[other], (x, y))) == seat
        assert x - 0.2 > west
