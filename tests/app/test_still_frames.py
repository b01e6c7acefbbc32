"""High-quality stills while nothing moves: they are rendered between events, and discarded on any change."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.app.host import desktop, stills
from shibumi3d.app.host.board_painter import BoardPainter
from shibumi3d.app.host.board_view import framebuffer_area
from shibumi3d.render.stills import MAX_TILE_SECONDS, MIN_SPLIT_AREA_PX, TileSplitter, split_into_tiles
from tests.app.hand import Hand
from tests.app.test_hints_and_analysis import BEST, Adviser
from tools.bench import Figure
from tools.settle import summarize

pytestmark = pytest.mark.smooth


def board_pixels(hand: Hand) -> NDArray[np.float64]:
    target: Any = painter(hand)._target
    width, height = target.size
    pixels = np.frombuffer(target.framebuffer.read(components=3, alignment=1), dtype=np.uint8)
    return pixels.reshape(height, width, 3)[::-1].astype(np.float64)


def painter(hand: Hand) -> BoardPainter:
    found = hand.app._board_painter
    assert found is not None
    return found


def is_settled(hand: Hand) -> bool:
    return painter(hand).stills.is_settled


@pytest.fixture
def resting_match(hand: Hand) -> Hand:
    """A match of Span in which nothing has moved for a while, with the pointer away from the board.

    Stills are switched on, but the first one isn't complete yet. If the live picture is ray-traced, and therefore as
    fine as a still, the test is skipped.
    """
    hand.app.change_settings(stills=True)
    hand.start("span")
    hand.point(5, 715)
    # Longer than the page takes to appear. A still takes many steps, each a tenth of a second here.
    hand.wait(1.4)
    if painter(hand)._renderer.tier.ray_tracing:
        pytest.skip("the live picture is as fine here")
    return hand


def count_draws(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    times: list[float] = []
    draw = hand.draw
    monkeypatch.setattr(hand, "draw", lambda: (times.append(hand.now), draw()))
    return times


def test_still_fades_in_and_then_nothing_is_drawn(
    resting_match: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = resting_match
    times = count_draws(hand, monkeypatch)
    before = board_pixels(hand)
    pictures = [before]
    for _ in range(400):
        hand.wait(0.1)
        pictures.append(board_pixels(hand))
        if is_settled(hand):
            break
    assert is_settled(hand)
    # The still appears only when it is complete, and then gradually.
    steps = [np.abs(a - b).mean() for a, b in pairwise(pictures)]
    assert np.count_nonzero(steps) == len(times) == stills.FADE_FRAMES
    whole = np.abs(pictures[-1] - before).mean()
    assert whole > 0.3
    assert max(steps) < 0.4 * whole
    hand.wait(3.0)
    assert len(times) == stills.FADE_FRAMES
    assert hand.app.is_resting


@pytest.mark.parametrize("at_once", [False, True])
def test_still_is_dropped_on_change_or_motion(
    resting_match: Hand, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    hand = resting_match
    still = painter(hand).stills._still
    while not still._key and hand.now < 1010:
        hand.wait(0.1)
    first = still._key
    assert first
    if at_once:  # even on a fast machine, an outdated still isn't shown
        monkeypatch.setattr("shibumi3d.render.stills.STEP_BUDGET_SECONDS", 100.0)
    hand.native.dispatch_event("on_mouse_scroll", 500, 400, 0, 1)
    hand.draw()
    # The camera has moved; a new still is started after a while.
    assert not still.is_ready
    until = hand.now + 5
    while still._key in ((), first) and hand.now < until:
        hand.wait(0.1)
    assert still._key not in ((), first)
    assert hand.play.view.camera in still._key
    hand.click(*hand.spot("Aa1"))
    hand.draw()
    assert hand.app.is_moving
    assert not still._key
    assert not still.step()


def test_still_returns_after_a_ghost_marble(resting_match: Hand) -> None:
    hand = resting_match
    hand.wait(12.0)
    assert is_settled(hand)
    hand.point(*hand.spot("Ac1"))
    hand.wait(0.2)
    assert not painter(hand).stills._still.is_ready
    hand.wait(12.0)
    assert is_settled(hand)


def test_signs_change_without_redrawing_the_still(resting_match: Hand) -> None:
    hand = resting_match
    hand.wait(12.0)
    assert is_settled(hand)
    still, fine = painter(hand).stills._still, board_pixels(hand)
    key = still._key
    hand.app.change_settings(marks="off")
    hand.draw()
    assert still._key == key
    assert is_settled(hand)
    hand.app.change_settings(marks="always")
    hand.draw()
    assert np.array_equal(board_pixels(hand), fine)


def test_resolution_changes_are_gradual_except_in_mid_motion(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.start("span")
    hand.point(5, 715)
    hand.wait(1.4)
    pace = painter(hand)._renderer.scale_control
    if painter(hand)._renderer.tier.ray_tracing:
        pytest.skip("the picture is as fine in motion")

    def corner() -> NDArray[np.float64]:
        """Return the pixels around the nearest corner of the board, where nothing moves."""
        _, _, wide, high = framebuffer_area(hand.app, hand.play.view.rect)
        (x, y), *_ = hand.play.view.all_to_window([(2.3, -2.3, 0.0)])
        left, low = round(x - hand.play.view.rect.x), high - round(y - hand.play.view.rect.y)
        assert board_pixels(hand).shape == (high, wide, 3)
        return board_pixels(hand)[low - 44 : low + 44, left - 66 : left + 66]

    def steps(count: int, begin: Callable[[], None]) -> list[float]:
        """Call ``begin``, and return how much the corner changes in each of ``count`` steps of 0.02 seconds.

        Each change is given as a share of the whole change, from the picture before ``begin`` to the last one. The
        shares add up to 1 if no pixel changes back.
        """
        pictures = [corner()]
        begin()
        for _ in range(count):
            hand.wait(0.02)
            pictures.append(corner())
        whole = np.abs(pictures[-1] - pictures[0]).mean()
        assert whole > 0.05
        return [float(np.abs(a - b).mean() / whole) for a, b in pairwise(pictures)]

    def coarse(step: int) -> None:
        monkeypatch.setattr(pace, "_step", step)

    monkeypatch.setattr(pace, "record_frame_time", lambda seconds: False)
    coarse(2)
    # While a marble flies, the sharp picture gets coarser in two steps; in the end it is sharp again.
    # The last step is a little larger, because software GL scales an opaque picture less exactly.
    assert max(steps(4, lambda: hand.click(*hand.spot("Ad4")))) < 0.7
    assert hand.app.is_moving
    # During motion the change is immediate: in a cross-fade, moving marbles would be seen twice.
    assert steps(4, lambda: coarse(0))[0] > 0.9
    assert hand.app.is_moving
    ending = steps(60, lambda: None)
    assert max(ending) < 0.4
    assert not hand.app.is_moving


def test_gold_rim_shader_is_precompiled_without_visible_change(hand: Hand) -> None:
    hand.start("span")
    hand.point(5, 715)
    found = painter(hand)
    # Other tests have drawn the ends of matches in the same window.
    found.reload_shaders()
    hand.wait(0.5)

    def ready() -> bool:
        return any(
            "GOLD_RIM" in defines for name, defines in found._renderer.compiled_programs if name == "ball"
        )

    assert not ready()
    hand.wait(BoardPainter.PRECOMPILE_DELAY_SECONDS + 1.0)
    assert ready()
    hand.app.root.dirty = True
    hand.draw()
    before = board_pixels(hand)
    frame, camera, _ = found._drawn_key
    found._precompile_gold_rim(frame, camera)  # type: ignore[arg-type]
    hand.app.root.dirty = True
    hand.draw()
    assert np.array_equal(board_pixels(hand), before)


def test_input_is_handled_between_rendering_steps(
    resting_match: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop runs only one rendering step, however quick, before it checks for input."""
    import pyglet

    from shibumi3d.app.platform.window import ProgramWindow

    window = resting_match.window
    assert isinstance(window, ProgramWindow)
    found = painter(resting_match).stills
    steps: list[None] = []
    monkeypatch.setattr(found, "_schedule", window._schedule)

    def step() -> bool:
        steps.append(None)
        return True

    monkeypatch.setattr(found._still, "step", step)
    for turn in range(1, 5):
        if turn == 1:
            found._step(found._request_number)
        else:
            pyglet.clock.tick()
        assert len(steps) == turn
    found.discard()
    pyglet.clock.tick()


@pytest.mark.parametrize("cost", [1e-7, 4e-6, 1e-4])
def test_tile_size_adapts_to_rendering_cost(cost: float) -> None:
    """After the first tile, no tile that can be split takes over 1% longer than MAX_TILE_SECONDS.

    ``cost`` is the drawing time per pixel, in seconds. Tiles whose centre is less than 200 pixels to the left or right
    of the middle take ten times as long.
    """
    now, width, height = 0.0, 900, 600
    covered = np.zeros((height, width), dtype=int)
    cut = TileSplitter(split_into_tiles(width, height), lambda: now)
    took = []
    for left, low, wide, high in cut:
        part = covered[low : low + high, left : left + wide]
        part += 1
        dear = abs(left + wide / 2 - 450) < 200
        spent = part.size * cost * (10 if dear else 1)
        now += spent
        cut.record_drawn()
        now += 5.0  # the pointer is moved in between
        if part.size > MIN_SPLIT_AREA_PX:
            took.append(spent)
    assert (covered == 1).all()
    # The cost is unknown before the first tile, which is in the middle.
    assert max(took[1:], default=0.0) <= MAX_TILE_SECONDS * 1.01


def test_stills_are_disabled_by_setting_and_on_battery(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    for wished, empty in ((False, False), (True, True)):
        monkeypatch.setattr("shibumi3d.app.application.is_on_battery", lambda empty=empty: empty)
        hand.app.change_settings(stills=wished)
        hand.start("span")
        hand.wait(4.0)
        assert not painter(hand).stills._still._key


@pytest.mark.skipif(sys.platform == "win32", reason="it is told otherwise there")
@pytest.mark.parametrize(
    ("states", "empty"),
    [({}, False), ({"BAT0": "Charging\n"}, False), ({"BAT0": "Full\n", "BAT1": "Discharging\n"}, True)],
)
def test_battery_state_is_read_from_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: dict[str, str], empty: bool
) -> None:
    monkeypatch.setattr(desktop, "POWER_SUPPLY_FOLDER", tmp_path)
    (tmp_path / "AC").mkdir()
    for name, word in states.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(word)
    assert desktop.is_on_battery() is empty


def test_hints_and_analysis_appear_on_stills(resting_match: Hand) -> None:
    """With a hint, the still marks only the best point; with the analysis, it shows three moves.

    The second stage of a hint marks the point of the best move, Ab2. The analysis, to which both players must agree,
    shows a ghost marble for each of the moves in ``BEST``: at Ab2, Ac3 and Aa1.
    """
    hand = resting_match
    page = hand.play
    page.advice.engine = Adviser(BEST)

    def still() -> NDArray[np.float64]:
        for _ in range(400):
            hand.wait(0.1)
            if is_settled(hand):
                return board_pixels(hand).reshape(painter(hand)._target.size[1], -1, 3)[::-1]
        raise AssertionError("no still came")

    def around(picture: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        x, y = (round(value) for value in hand.spot(name))
        high = picture.shape[0]
        scale = high / page.view.rect.h
        x, y = round((x - page.view.rect.x) * scale), round((y - page.view.rect.y) * scale)
        return picture[y - 12 : y + 13, x - 12 : x + 13]

    def changed(picture: NDArray[np.float64]) -> dict[str, float]:
        names = ("Ab2", "Ac3", "Aa1", "Ad1")
        return {name: np.abs(around(picture, name) - around(plain, name)).mean() for name in names}

    plain = still()
    hand.key("h")
    hand.wait(0.5)
    hand.key("h")
    hinted = changed(still())
    assert hinted["Ab2"] > 10
    assert max(hinted["Aa1"], hinted["Ad1"]) < 1
    hand.key("escape")
    page.advice.cancel()
    page.advice.engine = Adviser(BEST)
    hand.key("a")
    hand.push("agree 1")
    hand.push("agree 2")
    hand.point(5, 715)
    hand.wait(0.5)
    # The board makes room for the card, so the whole picture moves. A ghost of a white marble is brighter than a hole.
    analysed = still()
    bright = {name: around(analysed, name).mean() for name in ("Ab2", "Ac3", "Aa1", "Ad1", "Aa4")}
    assert min(bright[name] for name in ("Ab2", "Ac3", "Aa1")) > 5 + max(bright["Ad1"], bright["Aa4"])


def test_still_that_was_not_started_is_not_measured() -> None:
    none = summarize((1280, 720), [[], []], 0)
    assert none == ((1280, 720), None, None, None, 0)
    assert str(Figure("a still", none.longest, "ms", "50")).split() == [
        "a",
        "still",
        "not",
        "measured",
        "aim:",
        "50",
    ]
    # A still that was never started doesn't speed up the others.
    assert summarize((1280, 720), [[4.0, 8.0], [], [6.0]], 2) == ((1280, 720), 8.0, 6.0, 9.0, 2)
    assert str(Figure("a still", 8.0, "ms", "50")).split() == ["a", "still", "8.00", "ms", "aim:", "50"]
