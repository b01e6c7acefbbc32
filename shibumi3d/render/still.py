"""Stills: the picture of the highest tier, drawn a part at a time while nothing moves and nobody waits.

Without a graphics card that picture takes too long to be drawn at once; so it comes in tiles, and whatever happens
between two of them is not kept waiting. With one, that picture is what is seen all the time: its still is the mean of
many.
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
"""Tiles of a picture; those in the middle, where most is to be seen, are smaller."""
SAMPLES = 64
"""Pictures that the still of a graphics card is the mean of."""
BUDGET = 0.008
"""Seconds of a step after which no further tile is begun."""
LONGEST = 0.025
"""Seconds that a tile should take at most: it is halved where those before took longer."""
STAMP = 64 * 64
"""Pixels of a tile that is not cut any more."""
# Large maps of light and grain sharpened at a slant are what software GL is slow with, and nobody misses them.
_TIER = replace(TIERS["high"], name="still", shadow=512, anisotropy=1.0)
_LARGEST = 6_000_000  # pixels of a picture that is smoothed
_SHARED = ("table", "board", "ball", "piece", "splat", "slab", "shade", "present")


class Still:
    """The still of one scene. ``live`` is the renderer that draws what moves; its grains are used.

    :meth:`begin` says what is to be drawn, :meth:`step` draws a part of it, until :attr:`ready`. Signs are not part
    of the scene: they are drawn by :meth:`present`, over a still that is kept while they change.
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
        """Whether something was begun that is not ready yet."""
        return self._steps is not None

    def begin(self, frame: Frame, camera: Camera, width: int, height: int) -> None:
        """Begin a still of this scene, in place of what was begun, unless that is the same scene and as large."""
        key = scene(frame, camera, width, height)
        if key != self._key:
            self._key, self.ready = key, False
            self._steps = self._drawn(frame, camera, width, height)

    def drop(self) -> None:
        """Forget what was begun."""
        self._key, self._steps, self.ready = (), None, False

    def step(self) -> bool:
        """Draw a part, a few hundredths of a second of work; return whether there is more to do."""
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
        """Return whether the still is ready and of this scene, whatever its signs."""
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
        """Draw the still and the signs of ``frame`` over ``framebuffer``; ``part`` of what is there is covered."""
        assert self._renderer is not None
        assert self.ready
        self._renderer.present(frame, camera, framebuffer, width, height, scale, part=part)

    def release(self) -> None:
        """Free everything on the graphics card."""
        self.drop()
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    def _drawn(self, frame: Frame, camera: Camera, width: int, height: int) -> Iterator[None]:
        """Draws a still; every step is short."""
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
            # A machine that was busy for once is not held to be slow for ever.
            self._pace = cut.pace / 2
            yield

    def _compiled(self, frame: Frame, camera: Camera, width: int, height: int) -> Iterator[None]:
        """Makes the renderer. The driver remembers programs that it has compiled once: each is a step."""
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
        # What the driver makes of them when they are first used takes it longest: the table alone, then more and more.
        bare = replace(frame, boards=(), balls=(), pieces=(), solids=(), cards=())
        for shown in (bare, replace(bare, boards=frame.boards), replace(frame, pieces=())):
            for _ in made.parts(shown, camera, width, height, [(width // 2, height // 2, 1, 1)], whole=False):
                yield


class Tiles:
    """Hands out the tiles of a picture, in halves or less where a whole one would take too long.

    ``pace`` is how many seconds a pixel took at most; 0: nothing is known. After each tile :meth:`drawn` is called.
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
        """Note that the tile that was handed out last is drawn."""
        if self._begun is not None:
            pixels, begun = self._begun
            # What a small tile takes is not for its pixels. The next may show as much as the dearest so far.
            self.pace = max((self._clock() - begun) / max(pixels, STAMP), self.pace)
            self._begun = None


def scene(frame: Frame, camera: Camera, width: int, height: int) -> tuple[object, ...]:
    """Return what a still depends on: all of a frame but its signs, the camera and the size of the picture."""
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
    """Return the tiles of a picture, those in the middle first."""

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
