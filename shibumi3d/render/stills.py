"""High-quality stills, rendered in small steps while nothing moves.

Without a graphics card, an image of the highest tier takes too long to render at once. It is therefore rendered in
tiles, so that events can be handled between two tiles. With a graphics card, the live view already has that quality,
and the still is the mean of many images.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import moderngl
import numpy as np

from shibumi3d.render.quality_tiers import TIERS
from shibumi3d.render.renderer import PixelArea, Renderer
from shibumi3d.render.shaders import compile_program
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame

TILE_COLUMNS, TILE_ROWS = 8, 6
"""Number of tiles across and down. Tiles near the centre, which has the most detail, are smaller."""
STILL_SAMPLES = 64
"""Number of images that are averaged into a still if there is a graphics card."""
STEP_BUDGET_SECONDS = 0.008
"""Time in seconds after which a step doesn't start another tile."""
MAX_TILE_SECONDS = 0.025
"""Target for the maximum rendering time of a tile, in seconds.

A tile that is expected to take longer is halved.
"""
MIN_SPLIT_AREA_PX = 64 * 64
"""Area in pixels up to which a tile is not split further."""
# Large light maps and anisotropic filtering are slow in software GL and make no visible difference.
_STILL_TIER = replace(TIERS["high"], name="still", light_map_size=512, anisotropy=1.0)
_SHARED_PROGRAMS = ("table", "board", "ball", "piece", "splat", "slab", "shade", "present")


class Still:
    """A high-quality still of one scene.

    The still shares the textures of ``live_renderer``, which draws the moving view. :meth:`begin` sets the scene, and
    each call of :meth:`step` renders a part of it until :attr:`is_ready` is set. Marks are not part of the scene:
    :meth:`present` draws them over the still, so the still remains valid when they change.
    """

    def __init__(self, live_renderer: Renderer) -> None:
        self._live_renderer = live_renderer
        self._renderer: Renderer | None = None
        self._key: tuple[object, ...] = ()
        self._steps: Iterator[None] | None = None
        self._seconds_per_pixel = 0.0
        self.is_ready = False

    @property
    def is_rendering(self) -> bool:
        """Whether a still is being rendered."""
        return self._steps is not None

    def begin(self, frame: Frame, camera: Camera, width: int, height: int) -> None:
        """Start rendering a still of ``frame`` as seen by ``camera``.

        Nothing happens if the current still has the same scene, camera and size.
        """
        key = scene_key(frame, camera, width, height)
        if key != self._key:
            self._key, self.is_ready = key, False
            self._steps = self._render_steps(frame, camera, width, height)

    def discard(self) -> None:
        """Discard the current still."""
        self._key, self._steps, self.is_ready = (), None, False

    def step(self) -> bool:
        """Render parts of the still for about :data:`STEP_BUDGET_SECONDS`; return whether there is more to do."""
        until = time.perf_counter() + STEP_BUDGET_SECONDS
        while self._steps is not None:
            try:
                next(self._steps)
            except StopIteration:
                self._steps, self.is_ready = None, True
            if time.perf_counter() > until:
                break
        return self._steps is not None

    def shows(self, frame: Frame, camera: Camera, width: int, height: int) -> bool:
        """Return whether the still is ready and shows the given frame, camera and size.

        Marks are ignored.
        """
        return self.is_ready and self._key == scene_key(frame, camera, width, height)

    def present(
        self,
        frame: Frame,
        camera: Camera,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        opacity: float = 1.0,
    ) -> None:
        """Draw the still into ``framebuffer`` with the given opacity, and the marks of ``frame`` on top.

        The still must be ready. ``scale`` is the number of physical pixels per logical pixel.
        """
        assert self._renderer is not None
        assert self.is_ready
        self._renderer.present(frame, camera, framebuffer, width, height, scale, opacity=opacity)

    def release(self) -> None:
        """Free all OpenGL resources."""
        self.discard()
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    def _render_steps(self, frame: Frame, camera: Camera, width: int, height: int) -> Iterator[None]:
        """Render a still in short steps and yield after each."""
        if self._renderer is None:
            yield from self._compile_steps(frame, camera, width, height)
        made = self._renderer
        assert made is not None
        made.scale_control.fix_scale(1.0)
        if self._live_renderer.tier.ray_tracing:
            yield from made.accumulate(frame, camera, width, height, STILL_SAMPLES)
            return
        cut = TileSplitter(split_into_tiles(width, height), time.perf_counter, self._seconds_per_pixel)
        for _ in made.draw_tiles(frame, camera, width, height, cut):
            cut.record_drawn()
            # Halve the estimate, so that one busy moment doesn't mark the machine as slow forever.
            self._seconds_per_pixel = cut.seconds_per_pixel / 2
            yield

    def _compile_steps(self, frame: Frame, camera: Camera, width: int, height: int) -> Iterator[None]:
        """Create the renderer in short steps and yield after each.

        Many shader programs are first compiled one by one. The driver caches them, so the renderer is then created
        quickly. Finally, it draws single pixels, because drivers do most of the compiling on first use. If the live
        renderer uses ray tracing, the new one is created at once, and nothing is yielded.
        """
        ctx = self._live_renderer.ctx
        if self._live_renderer.tier.ray_tracing:
            self._renderer = Renderer(ctx, self._live_renderer.tier, self._live_renderer)
            return
        for name, defines in self._live_renderer.compiled_programs:
            if name in _SHARED_PROGRAMS:
                compile_program(ctx, name, (*defines, "HDR")).release()
                yield
        made = self._renderer = Renderer(ctx, _STILL_TIER, self._live_renderer)
        yield
        # Drivers do most of the compiling on first use, so draw the table alone first, then add more.
        bare = replace(frame, boards=(), balls=(), pieces=(), solids=(), cards=())
        with_boards = replace(bare, boards=frame.boards)
        for shown in (bare, with_boards, replace(with_boards, balls=frame.balls), frame):
            for _ in made.draw_tiles(
                shown, camera, width, height, [(width // 2, height // 2, 1, 1)], resolve=False
            ):
                yield


class TileSplitter:
    """Iterable of the tiles of an image; a tile that would take too long to draw is split.

    ``areas`` are the tiles, and ``clock`` returns the time in seconds. ``seconds_per_pixel`` is the highest time per
    pixel so far, or 0 if unknown. Call :meth:`record_drawn` after each tile.
    """

    def __init__(
        self, areas: Iterable[PixelArea], clock: Callable[[], float], seconds_per_pixel: float = 0.0
    ) -> None:
        self._remaining, self._clock, self.seconds_per_pixel = deque(areas), clock, seconds_per_pixel
        self._current: tuple[int, float] | None = None

    def __iter__(self) -> Iterator[PixelArea]:
        while self._remaining:
            left, low, wide, high = self._remaining.popleft()
            while wide * high * self.seconds_per_pixel > MAX_TILE_SECONDS and wide * high > MIN_SPLIT_AREA_PX:
                if wide >= high:
                    half = wide // 2
                    self._remaining.appendleft((left + half, low, wide - half, high))
                    wide = half
                else:
                    half = high // 2
                    self._remaining.appendleft((left, low + half, wide, high - half))
                    high = half
            self._current = wide * high, self._clock()
            yield left, low, wide, high

    def record_drawn(self) -> None:
        """Record that the most recent tile has been drawn, and update ``seconds_per_pixel``."""
        if self._current is not None:
            pixels, start_time = self._current
            # Most of the time for a small tile is overhead, so count at least MIN_SPLIT_AREA_PX pixels. Keep the
            # maximum, because the next tile may be as expensive as any so far.
            self.seconds_per_pixel = max(
                (self._clock() - start_time) / max(pixels, MIN_SPLIT_AREA_PX), self.seconds_per_pixel
            )
            self._current = None


def scene_key(frame: Frame, camera: Camera, width: int, height: int) -> tuple[object, ...]:
    """Return a key of everything that a still depends on: the frame without its marks, the camera and the size."""
    return (
        frame.theme,
        frame.boards,
        frame.balls,
        frame.pieces,
        frame.solids,
        frame.cards,
        camera,
        width,
        height,
    )


def split_into_tiles(width: int, height: int) -> list[PixelArea]:
    """Return the tiles of an image of ``width`` x ``height`` pixels, starting with those nearest the centre."""

    def cuts(length: int, count: int) -> list[int]:
        at = np.linspace(-1.0, 1.0, count + 1)
        places: list[int] = (
            np.rint((0.5 + 0.5 * np.sign(at) * np.abs(at) ** 1.3) * length).astype(int).tolist()
        )
        return places

    across, upward = cuts(width, TILE_COLUMNS), cuts(height, TILE_ROWS)
    tiles = [
        (left, low, right - left, high - low)
        for low, high in pairwise(upward)
        for left, right in pairwise(across)
        if right > left and high > low
    ]
    middle = width / 2, height / 2
    return sorted(
        tiles, key=lambda t: (t[0] + t[2] / 2 - middle[0]) ** 2 + (t[1] + t[3] / 2 - middle[1]) ** 2
    )
