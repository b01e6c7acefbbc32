"""Measurement of the rendering time: ``python -m tools.pictures``.

Times are CPU time of all threads, so that a busy machine hardly affects them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from shibumi3d.render.arrays.marbles import make_ball_arrays
from shibumi3d.render.arrays.marks import make_mark_arrays
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.scene import picking
from shibumi3d.scene.camera import Camera, make_home_camera
from shibumi3d.scene.frame import Ball, Frame, Piece
from shibumi3d.scene.marbles.layout import DISH_MARBLE_Z, TRAY_MARBLE_Z, make_layout
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.palette import make_theme


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU time of a frame in milliseconds.

    ``turning`` is measured while only the camera turns, and ``playing`` while a marble or card moves as well.
    """

    turning: float
    playing: float


def _time_calls(action: Callable[[int], object], count: int) -> float:
    """Return the mean CPU time of a call to ``action``, in milliseconds.

    ``action`` is called with the number of the call, from 0 to ``count``. Call 0 isn't timed.
    """
    action(0)
    start = time.process_time()
    for i in range(count):
        action(i + 1)
    return (time.process_time() - start) / count * 1000


def full_pyramid(size: int = 4) -> tuple[MarbleScene, Frame]:
    """Return a scene with a full pyramid in three colours, and its frame."""
    stage = MarbleScene((size,))
    count = len(make_layout((size,)).points[0])
    stage.timeline.reset({(0, point): point * 7 % 3 for point in range(count)})
    return stage, stage.frame(0.0, make_home_camera((size,)), make_theme())


# Points filled in a pyramid of size 4. The gaps in the first row make points of two levels legal.
MIDDLE_POINTS = (2, *range(4, 16), *range(19, 25), 27)
LEGAL_POINTS = (0, 1, 3, 28)


def busy() -> Frame:
    """Return a frame of a position in mid-game that shows as much as possible at once.

    All legal points and connections are marked, and there is a ghost marble. There is also a sign of every other kind,
    except the cover of a board, which would hide everything else. Trays, a dish and a bag are on the table, with loose
    marbles in the trays and the dish.
    """
    stage = MarbleScene((4,))
    stage.timeline.reset({(0, point): point * 7 % 3 for point in MIDDLE_POINTS})
    signs = [Sign(SignKind.LEGAL, 0, point, (0, 1, 2) if point % 2 else ()) for point in LEGAL_POINTS]
    signs += stage.connection_signs()
    # A cloth would hide everything else.
    kinds = [kind for kind in SignKind if kind not in (SignKind.LEGAL, SignKind.COVERED_BOARD)]
    for i, kind in enumerate(kinds):
        point, other_point = (MIDDLE_POINTS[(i * 7 + step) % len(MIDDLE_POINTS)] for step in (0, 1))
        signs.append(
            Sign(
                kind, 0, point, (1,) if kind is SignKind.RECOLOURED else (), side=0, target_point=other_point
            )
        )
    columns = (-5.7, -4.69, -3.68, 3.68, 4.69)
    lying = [Ball(x, 1.01 * i - 2.1, TRAY_MARBLE_Z, i % 3) for i in range(4) for x in columns]
    lying.append(Ball(-4.1, 2.6, DISH_MARBLE_Z, 1))
    pieces = (
        Piece("tray", -4.69, -0.585, half_size=(1.61, 2.115)),
        Piece("tray", 4.185, -0.585, half_size=(1.105, 2.115)),
        Piece("dish", -4.1, 2.6),
        Piece("bag", 4.0, 2.4),
    )
    return stage.frame(
        0.0,
        make_home_camera((4,)),
        make_theme(),
        signs=signs,
        ghosts=[Ghost(0, LEGAL_POINTS[-1], 2)],
        extra_balls=lying,
        pieces=pieces,
    )


def draw(
    tier: str = "low",
    scale: float = 0.67,
    width: int = 1280,
    height: int = 720,
    size: int = 4,
    count: int = 20,
    signs: bool = False,
) -> Cost:
    """Return the cost of drawing a full pyramid or, with ``signs``, the frame of :func:`busy`.

    The last marble moves while :attr:`Cost.playing` is measured. ``tier`` is the quality tier, and ``scale`` the size
    of the rendered image relative to the picture of ``width`` by ``height`` pixels. ``size`` is the size of the board;
    with ``signs``, leave it at 4. ``count`` is the number of pictures over which each time is averaged.
    """
    frame = busy() if signs else full_pyramid(size)[1]

    def moved(i: int) -> Frame:
        lifted = frame.balls[-1]._replace(z=frame.balls[-1].z + 0.01 * i)
        return replace(frame, balls=(*frame.balls[:-1], lifted))

    return cost(frame, moved, make_home_camera((size,)), tier, scale, width, height, count)


def cards(frame: Frame, camera: Camera, tier: str = "low", scale: float = 0.67, count: int = 20) -> Cost:
    """Return the cost of drawing ``frame``, which must show at least one card.

    The last card moves while :attr:`Cost.playing` is measured. ``tier`` is the quality tier, ``scale`` the size of the
    rendered image relative to the picture of 1280 by 720 pixels, and ``count`` the number of pictures over which each
    time is averaged.
    """

    def moved(i: int) -> Frame:
        x, y, z = frame.cards[-1].position
        return replace(
            frame, cards=(*frame.cards[:-1], frame.cards[-1]._replace(position=(x + 0.01 * i, y, z)))
        )

    return cost(frame, moved, camera, tier, scale, count=count)


def cost(
    frame: Frame,
    moved: Callable[[int], Frame],
    camera: Camera,
    tier: str,
    scale: float,
    width: int = 1280,
    height: int = 720,
    count: int = 20,
) -> Cost:
    """Return the cost of drawing frames while the camera turns.

    :attr:`Cost.turning` is measured with ``frame`` in each picture, and :attr:`Cost.playing` with ``moved(i)`` in
    picture ``i``. Both are means over ``count`` pictures; picture 0, drawn before them, isn't counted. ``tier`` is the
    name of the quality tier, and ``scale`` the fixed scale at which the renderer draws the image, where 1 is full
    resolution.
    """
    with OffscreenRenderer(tier) as studio:
        studio.renderer.scale_control.fix_scale(scale)
        texture = studio.ctx.texture((width, height), 3)
        target = studio.ctx.framebuffer([texture])

        def turn(i: int) -> None:
            studio.renderer.draw(frame, camera.rotated(i * 2.0), target, width, height)
            studio.ctx.finish()

        def move(i: int) -> None:
            studio.renderer.draw(moved(i), camera.rotated(i * 2.0), target, width, height)
            studio.ctx.finish()

        return Cost(_time_calls(turn, count), _time_calls(move, count))


def pick(size: int = 4, count: int = 2000) -> float:
    """Return the mean CPU time, in milliseconds, of picking the point under the pointer.

    Every point of a board of the given size can be picked. The mean is over ``count`` picks, and the pointer moves
    between them.
    """
    stage = MarbleScene((size,))
    positions = [
        picking.PickableObject(stage.marble_position(0, point))
        for point in range(len(make_layout((size,)).points[0]))
    ]
    camera: Camera = make_home_camera((size,))
    return _time_calls(
        lambda i: picking.pick(camera, 1280, 720, 400.0 + i % 400, 300.0, positions, stage.board_squares()),
        count,
    )


def frames(size: int = 4, count: int = 200) -> float:
    """Return the mean CPU time, in milliseconds, of making a frame and its arrays.

    The frame shows a full pyramid on a board of the given size, and every point is marked. The mean is over ``count``
    frames.
    """
    stage, _ = full_pyramid(size)
    signs = [Sign(SignKind.LEGAL, 0, point) for point in range(len(make_layout((size,)).points[0]))]
    colours, camera = make_theme(), make_home_camera((size,))

    def make(i: int) -> None:
        frame = stage.frame(float(i), camera, colours, signs=signs)
        arrays = make_ball_arrays(frame.balls, frame.boards, colours)
        make_mark_arrays(frame.marks, arrays, camera, 1280, 720, 1.0)

    return _time_calls(make, count)


def main() -> None:
    """Measure and print the CPU times of picking a point, making a frame and drawing a frame."""
    print(f"pick among 30 points            {pick():8.3f} ms")
    print(f"frame of 30 marbles, 30 signs   {frames():8.3f} ms")
    for tier, scale, size, signs in (
        ("low", 0.5, 4, False),
        ("low", 0.67, 4, False),
        ("low", 0.67, 4, True),
        ("low", 1.0, 4, False),
        ("low", 0.67, 10, False),
        ("medium", 1.0, 4, False),
        ("high", 1.0, 4, False),
    ):
        cost = draw(tier, scale, size=size, signs=signs)
        print(
            f"{tier:6} {scale:4.2f} size {size:2} {'signs' if signs else '':5}  "
            f"turning {cost.turning:7.1f} ms, playing {cost.playing:7.1f} ms"
        )


if __name__ == "__main__":
    main()
