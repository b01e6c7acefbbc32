"""High-quality stills, rendered in small steps while nothing moves.

Without a graphics card, an image of the highest tier takes too long to render at once. It is rendered in tiles, so that
events can be handled between two tiles. With a graphics card, the live view already has that quality, and the still is
the mean of many images.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import moderngl
import numpy as np

from shibumi3d.render.renderer import Area, Renderer
from shibumi3d.render.shaders import program
from shibumi3d.render.tiers import TIERS
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame

COLUMNS, ROWS = 8, 6
"""Number of tiles across and down. Tiles near the centre, which has the most detail, are smaller."""
SAMPLES = 64
"""Number of images that are averaged into a still if there is a graphics card."""
BUDGET = 0.008
"""Time in seconds after which a step starts no more tiles."""
LONGEST = 0.025
"""Target for the maximum rendering time of a tile, in seconds.

A tile that is expected to take longer is halved.
"""
STAMP = 64 * 64
"""Area in pixels below which a tile is not split further."""
# Large light maps and anisotropic filtering are slow in software GL and make no visible difference.
_TIER = replace(TIERS["high"], name="still", shadow=512, anisotropy=1.0)
_LARGEST = 6_000_000  # maximum number of pixels of an image that is smoothed
_SHARED = ("table", "board", "ball", "piece", "splat", "slab", "shade", "present")


class Still:
    """A high-quality still of one scene.

    ``live`` is the renderer of the moving view, whose textures are shared. :meth:`begin` sets the scene, and each call
    of :meth:`step` renders a part of it until it is :attr:`ready`. Signs are not part of the scene: :meth:`present`
    draws them over the still, so they can change without rendering it again.
    """

    def __init__(self, live: Renderer) -> None:
        self._live = live
        self._renderer: Renderer | None = None
        self._key: tuple[object, ...] = ()
        self._steps: Iterator[None] | None = None
        self._pace = 0.0
        self.ready = False

    @property
    def under_way(self) -> bool:
        """Whether a still is being rendered."""
        return self._steps is not None

    def begin(self, frame: Frame, camera: Camera, width: int, height: int) -> None:
        """Start a still of this scene, unless the current one shows the same scene at the same size."""
        key = scene(frame, camera, width, height)
        if key != self._key:
            self._key, self.ready = key, False
            self._steps = self._drawn(frame, camera, width, height)

    def drop(self) -> None:
        """Discard the current still."""
        self._key, self._steps, self.ready = (), None, False

    def step(self) -> bool:
        """Render for a few hundredths of a second; return whether there is more to do."""
        until = time.perf_counter() + BUDGET
        while self._steps is not None:
            try:
                next(self._steps)
            except StopIteration:
                self._steps, self.ready = None, True
            if time.perf_counter() > until:
                break
        return self._steps is not None

    def shows(self, frame: Frame, camera: Camera, width: int, height: int) -> bool:
        """Return whether the still is ready and shows this scene. Signs are ignored."""
        return self.ready and self._key == scene(frame, camera, width, height)

    def present(
        self,
        frame: Frame,
        camera: Camera,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        part: float = 1.0,
    ) -> None:
        """Draw the still and the signs of ``frame`` into ``framebuffer`` with opacity ``part``."""
        assert self._renderer is not None
        assert self.ready
        self._renderer.present(frame, camera, framebuffer, width, height, scale, part=part)

    def release(self) -> None:
        """Free all OpenGL resources."""
        self.drop()
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    def _drawn(self, frame: Frame, camera: Camera, width: int, height: int) -> Iterator[None]:
        """Render a still in short steps and yield after each."""
        if self._renderer is None:
            yield from self._compiled(frame, camera, width, height)
        made = self._renderer
        assert made is not None
        made.pace.fix(1.0)
        if self._live.tier.rays:
            yield from made.gather(frame, camera, width, height, SAMPLES)
            return
        cut = Tiles(tiles(width, height), time.perf_counter, self._pace)
        for _ in made.parts(frame, camera, width, height, cut):
            cut.drawn()
            # Halve the estimate, so that one busy moment doesn't mark the machine as slow forever.
            self._pace = cut.pace / 2
            yield

    def _compiled(self, frame: Frame, camera: Camera, width: int, height: int) -> Iterator[None]:
        """Create the renderer in short steps and yield after each.

        The driver caches compiled programs, so each program is first compiled in a step of its own.
        """
        ctx = self._live.ctx
        if self._live.tier.rays:
            self._renderer = Renderer(ctx, self._live.tier, self._live)
            return
        for name, defines in self._live.compiled:
            if name in _SHARED:
                program(ctx, name, (*defines, "HDR")).release()
                yield
        made = self._renderer = Renderer(ctx, _TIER, self._live)
        yield
        # Drivers do most of the compiling on first use, so draw the table alone first, then add more.
        bare = replace(frame, boards=(), balls=(), pieces=(), solids=(), cards=())
        for shown in (bare, replace(bare, boards=frame.boards), replace(frame, pieces=())):
            for _ in made.parts(shown, camera, width, height, [(width // 2, height // 2, 1, 1)], whole=False):
                yield


class Tiles:
    """Iterator over the tiles of an image, which splits tiles that would take too long.

    ``pace`` is the highest time per pixel so far, in seconds, or 0 if unknown. Call :meth:`drawn` after each tile.
    """

    def __init__(self, areas: Iterable[Area], clock: Callable[[], float], pace: float = 0.0) -> None:
        self._left, self._clock, self.pace = deque(areas), clock, pace
        self._begun: tuple[int, float] | None = None

    def __iter__(self) -> Iterator[Area]:
        while self._left:
            left, low, wide, high = self._left.popleft()
            while wide * high * self.pace > LONGEST and wide * high > STAMP:
                if wide >= high:
                    half = wide // 2
                    self._left.appendleft((left + half, low, wide - half, high))
                    wide = half
                else:
                    half = high // 2
                    self._left.appendleft((left, low + half, wide, high - half))
                    high = half
            self._begun = wide * high, self._clock()
            yield left, low, wide, high

    def drawn(self) -> None:
        """Record that the most recent tile has been drawn, and update ``pace``."""
        if self._begun is not None:
            pixels, begun = self._begun
            # Most of the time for a small tile is overhead, so count at least STAMP pixels. Keep the maximum, because
            # the next tile may be as expensive as any so far.
            self.pace = max((self._clock() - begun) / max(pixels, STAMP), self.pace)
            self._begun = None


def scene(frame: Frame, camera: Camera, width: int, height: int) -> tuple[object, ...]:
    """Return a key of everything on which a still depends: the frame without signs, camera and size."""
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


def tiles(width: int, height: int) -> list[Area]:
    """Return the tiles of an image, starting with those nearest the centre."""

    def cuts(length: int, count: int) -> list[int]:
        at = np.linspace(-1.0, 1.0, count + 1)
        places: list[int] = (
            np.rint((0.5 + 0.5 * np.sign(at) * np.abs(at) ** 1.3) * length).astype(int).tolist()
        )
        return places

    across, upward = cuts(width, COLUMNS), cuts(height, ROWS)
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
