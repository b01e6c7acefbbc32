"""Tiled stills equal an image of the highest tier, whatever is drawn between two steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.render import stills
from shibumi3d.render.accumulator import jittered_cameras
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.renderer import Renderer
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.render.stills import Still
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import HOME_CAMERA
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.palette import make_theme
from tests.render.test_side_pieces import WIDE, full_frame

WIDTH, HEIGHT = 320, 180
AT = get_pyramid(4).point_by_name


def scene(*signs: Sign, count: int = 20) -> Frame:
    made = MarbleScene((4,))
    made.timeline.reset({(0, point): point * 7 % 6 for point in range(count)})
    return made.frame(0.0, HOME_CAMERA, make_theme(), signs=signs)


def shown(studio: OffscreenRenderer, by: Still | Renderer, frame: Frame) -> NDArray[np.int64]:
    texture = studio.ctx.texture((WIDTH, HEIGHT), 3)
    target = studio.ctx.framebuffer([texture])
    target.use()
    target.clear(0.0, 0.0, 1.0)
    by.present(frame, HOME_CAMERA, target, WIDTH, HEIGHT)
    data = np.frombuffer(target.read(components=3, alignment=1), dtype=np.uint8).astype(np.int64)
    target.release()
    texture.release()
    return data


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw one tile in each step, however fast the machine is."""
    monkeypatch.setattr(stills, "STEP_BUDGET_SECONDS", 0.0)


@pytest.fixture
def made(low: OffscreenRenderer, one_by_one: None) -> Iterator[Still]:
    found = Still(low.renderer)
    yield found
    found.release()


def finish(made: Still) -> int:
    steps = 1
    while made.step():
        steps += 1
    return steps


def test_tiles_cover_picture_once_with_smaller_centre() -> None:
    for width, height in ((1280, 720), (333, 77), (8, 8)):
        covered = np.zeros((height, width), dtype=int)
        for left, low_, wide, high in stills.split_into_tiles(width, height):
            covered[low_ : low_ + high, left : left + wide] += 1
        assert (covered == 1).all()
    areas = [wide * high for _, _, wide, high in stills.split_into_tiles(1280, 720)]
    assert areas[0] < 0.7 * np.mean(areas)
    assert len(areas) == stills.TILE_COLUMNS * stills.TILE_ROWS


def test_tiled_still_matches_single_high_tier_render(low: OffscreenRenderer, made: Still) -> None:
    frame = scene()
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    steps = finish(made)
    assert steps > stills.TILE_COLUMNS * stills.TILE_ROWS
    assert made.shows(frame, HOME_CAMERA, WIDTH, HEIGHT)
    tiled = shown(low, made, frame)
    # The same renderer draws the scene without tiles.
    whole = made._renderer
    assert whole is not None
    texture = low.ctx.texture((WIDTH, HEIGHT), 3)
    target = low.ctx.framebuffer([texture])
    whole.draw(frame, HOME_CAMERA, target, WIDTH, HEIGHT)
    wanted = np.frombuffer(target.read(components=3, alignment=1), dtype=np.uint8).astype(np.int64)
    # A pixel that is crossed by two edges may get either colour; of 57,600 pixels, at most four do.
    assert np.any((tiled != wanted).reshape(-1, 3), axis=1).sum() <= 4
    target.release()
    texture.release()


def test_rendering_between_steps_does_not_affect_still(low: OffscreenRenderer, made: Still) -> None:
    frame, other = scene(), scene(count=7)
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    finish(made)
    alone = shown(low, made, frame)
    made.discard()
    assert not made.shows(frame, HOME_CAMERA, WIDTH, HEIGHT)
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    while made.step():
        low.render(replace(other, theme=make_theme("night")), WIDE, 64, 36)
    assert np.array_equal(shown(low, made, frame), alone)


def test_still_after_an_abandoned_one_has_all_its_shadows(low: OffscreenRenderer, made: Still) -> None:
    frame, other = scene(), scene(count=7)
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    finish(made)
    alone = shown(low, made, frame)
    for steps in range(1, 7):  # abandoned between two of the light maps
        made.begin(other, HOME_CAMERA, WIDTH, HEIGHT)
        for _ in range(steps):
            assert made.step()
        made.discard()
        made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
        finish(made)
        assert np.array_equal(shown(low, made, frame), alone), steps


def test_each_light_map_is_a_step_of_its_own(made: Still, monkeypatch: pytest.MonkeyPatch) -> None:
    made.begin(scene(), HOME_CAMERA, WIDTH, HEIGHT)
    finish(made)
    drawn: list[object] = []
    begin_map = LightMaps._begin_map
    monkeypatch.setattr(
        LightMaps, "_begin_map", lambda self, key: (drawn.append(key), begin_map(self, key))[1]
    )
    made.begin(scene(count=7), HOME_CAMERA, WIDTH, HEIGHT)
    steps = 0
    while not made.is_ready:
        before = len(drawn)
        made.step()
        steps += 1
        assert len(drawn) - before <= 1
    assert len(drawn) >= 4


def test_still_restarts_only_when_scene_changes(made: Still) -> None:
    frame = scene()
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    finish(made)
    made.begin(scene(Sign(SignKind.LAST, 0, AT["Ba1"])), HOME_CAMERA, WIDTH, HEIGHT)
    assert made.is_ready
    assert not made.step()
    for request in (
        (frame, HOME_CAMERA.rotated(1), WIDTH, HEIGHT),
        (frame, HOME_CAMERA, WIDTH + 1, HEIGHT),
        (scene(count=8), HOME_CAMERA, WIDTH, HEIGHT),
        (replace(frame, theme=make_theme("night")), HOME_CAMERA, WIDTH, HEIGHT),
    ):
        made.begin(*request)
        assert not made.is_ready
        assert made.step()
        assert not made.shows(*request)


def test_signs_are_drawn_over_still(low: OffscreenRenderer, made: Still) -> None:
    frame, signed = scene(), scene(Sign(SignKind.LAST, 0, AT["Ba1"]))
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    finish(made)
    assert made.shows(signed, HOME_CAMERA, WIDTH, HEIGHT)
    plain, marked = shown(low, made, frame), shown(low, made, signed)
    assert (np.abs(plain - marked) > 40).sum() > 60


def test_fade_steps_add_up_to_full_still(low: OffscreenRenderer, made: Still) -> None:
    frame = scene()
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    finish(made)
    texture = low.ctx.texture((WIDTH, HEIGHT), 3)
    target = low.ctx.framebuffer([texture])
    target.use()
    target.clear(0.0, 0.0, 1.0)
    blue = []
    for left in range(4, 0, -1):
        made.present(frame, HOME_CAMERA, target, WIDTH, HEIGHT, opacity=1 / left)
        data = np.frombuffer(target.read(components=3, alignment=1), dtype=np.uint8).astype(np.int64)
        blue.append(data.reshape(-1, 3)[0, 2])
    assert blue == sorted(blue, reverse=True)
    assert blue[0] > blue[1] > blue[2] > blue[3]
    assert np.abs(data - shown(low, made, frame)).max() == 0
    target.release()
    texture.release()


def test_still_steps_leave_no_gl_error(low: OffscreenRenderer, made: Still) -> None:
    for frame in (scene(), full_frame(), scene(Sign(SignKind.LEGAL, 0, AT["Ba1"]), count=16)):
        made.begin(frame, WIDE, 160, 90)
        while made.step():
            assert low.ctx.error == "GL_NO_ERROR"
    made.begin(full_frame(), WIDE, 170, 90)
    made.step()
    made.release()
    assert low.ctx.error == "GL_NO_ERROR"


def test_multisampled_render_is_mean_of_jittered_renders(medium: OffscreenRenderer) -> None:
    frame = scene()
    cameras = list(jittered_cameras(HOME_CAMERA, WIDTH, HEIGHT, 3))
    assert cameras[0] == HOME_CAMERA
    at = [camera.project(np.array([(0.0, 0.0, 0.0)]), WIDTH, HEIGHT)[0][0] for camera in cameras]
    away = [np.abs(place - at[0]).max() for place in at[1:]]
    assert 0.0 < min(away) <= max(away) < 0.6
    one_by_one = [medium.render(frame, camera, WIDTH, HEIGHT).astype(float) for camera in cameras]
    together = medium.render(frame, HOME_CAMERA, WIDTH, HEIGHT, samples=3).astype(float)
    assert np.abs(together - np.mean(one_by_one, axis=0)).max() <= 1.0
    # The next picture is made of a single sample again.
    assert np.array_equal(medium.render(frame, HOME_CAMERA, WIDTH, HEIGHT), one_by_one[0])


@pytest.mark.parametrize("tone", ["day", "night"])
def test_ray_traced_samples_match_mean_brightness(high: OffscreenRenderer, tone: str) -> None:
    frame, count = replace(scene(), theme=make_theme(tone)), 8
    plain = np.mean(
        [
            high.render(frame, camera, 160, 90).astype(float)
            for camera in jittered_cameras(HOME_CAMERA, 160, 90, count)
        ],
        axis=0,
    )
    traced = high.render(frame, HOME_CAMERA, 160, 90, samples=count).astype(float)
    bare = high.render(replace(frame, balls=()), HOME_CAMERA, 160, 90).astype(float)
    apart = np.abs(traced - plain).max(axis=2)
    marbles = np.abs(plain - bare).max(axis=2) > 30
    # Ray tracing finds indirect light and blurred reflections elsewhere than the approximation, ...
    assert (apart[marbles] > 4).mean() > 0.2
    # ... but only on marbles, ...
    assert np.abs(traced - plain)[:20, :40].max() <= 1.0
    # ... and without changing the average brightness.
    assert abs(float((traced - plain)[marbles].mean())) < 4.0


def test_still_on_graphics_card_is_mean_of_samples(
    high: OffscreenRenderer, one_by_one: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stills, "STILL_SAMPLES", 4)
    made, frame, signed = Still(high.renderer), scene(), scene(Sign(SignKind.HINT, 0, AT["Ad4"]))
    made.begin(frame, HOME_CAMERA, WIDTH, HEIGHT)
    assert finish(made) <= 8
    wanted = high.render(frame, HOME_CAMERA, WIDTH, HEIGHT, samples=4)[::-1].reshape(-1)
    assert np.abs(shown(high, made, frame) - wanted.astype(int)).max() <= 1
    # Signs are drawn once over the finished still; no further steps are needed.
    assert made.shows(signed, HOME_CAMERA, WIDTH, HEIGHT)
    assert not made.step()
    made.release()
