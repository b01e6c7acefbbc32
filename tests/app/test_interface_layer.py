"""The interface is cached between frames, and always looks as if it had been drawn without the cache."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.app.ui import interface_layer
from shibumi3d.app.ui.interface_layer import TILE_PX, Span, find_changed_spans
from shibumi3d.render.quality_tiers import ScaleController
from shibumi3d.render.renderer import Renderer
from shibumi3d.scene.rect import Rect
from tests.app.hand import Hand

# Otherwise most frames of an animation aren't drawn, and their changes are missing from the layer.
pytestmark = pytest.mark.smooth


def make_span(value: float, clip: tuple[int, int, int, int] = (0, 0, 99, 99)) -> Span:
    span = Span()
    span.vertices, span.start, span.end = np.full((3, 8), value, dtype=np.float32), 0, 3
    span.clip, span.picture = clip, None
    span.box = clip
    return span


def test_unchanged_spans_share_an_order() -> None:
    chance = Random(1)
    for _ in range(300):
        before = [make_span(chance.randrange(6)) for _ in range(chance.randrange(9))]
        after = [
            copy(chance.choice(before))
            if before and chance.random() < 0.5
            else make_span(chance.randrange(6))
            for _ in range(9)
        ]
        changed = {id(span) for span in find_changed_spans(before, after)}
        kept = [
            [span.vertices[0, 0] for span in spans if id(span) not in changed] for spans in (before, after)
        ]
        assert kept[0] == kept[1]


def test_equal_spans_are_recognised_in_new_arrays() -> None:
    before = [make_span(1), make_span(2), make_span(3)]
    assert find_changed_spans(before, [make_span(1), make_span(2), make_span(3)]) == []
    new = make_span(9)
    assert find_changed_spans(before, [make_span(1), new, make_span(3)]) == [new, before[1]]
    assert find_changed_spans(before, [make_span(1), make_span(3)]) == [before[1]]
    other_clip = make_span(2, (0, 0, 50, 99))
    assert find_changed_spans(before, [make_span(1), other_clip, make_span(3)]) == [other_clip, before[1]]


def test_tiles_are_joined_without_overlap() -> None:
    chance = np.random.default_rng(1)
    for _ in range(50):
        tiles = chance.random((7, 11)) < 0.5
        size = 11 * TILE_PX - 5, 7 * TILE_PX - 9
        counts = np.zeros((size[1], size[0]), dtype=int)
        for left, top, right, bottom in interface_layer._join_tiles(tiles, size):
            counts[top:bottom, left:right] += 1
        assert (counts == np.kron(tiles, np.ones((TILE_PX, TILE_PX), dtype=int))[: size[1], : size[0]]).all()


@pytest.fixture
def spans_drawn(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list to which each call of ``Canvas._draw_spans`` appends the number of spans it draws."""
    counts: list[int] = []
    draw = hand.app.canvas._draw_spans
    monkeypatch.setattr(
        hand.app.canvas, "_draw_spans", lambda spans, areas: (counts.append(len(spans)), draw(spans, areas))
    )
    return counts


def redraw(hand: Hand) -> None:
    hand.app.root.dirty = True
    hand.draw()


def test_interface_is_not_drawn_again_while_the_view_turns(hand: Hand, spans_drawn: list[int]) -> None:
    hand.start("spline")
    hand.wait(2.0)
    redraw(hand)
    spans_drawn.clear()
    redraw(hand)
    assert spans_drawn == []
    hand.play.view.turn(1)
    hand.draw()
    hand.now += 0.05
    hand.draw()
    areas = hand.app.canvas.layer.redrawn_areas
    # Only the labels of the marbles beside the board and the compass needle move.
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in areas) < 0.1 * 1280 * 720


def test_hovered_button_is_all_that_is_drawn_again(hand: Hand) -> None:
    hand.start("spline")
    hand.wait(2.0)
    redraw(hand)
    button = hand.app.root.find("hint")
    assert button is not None
    hand.point(*hand.app.to_window_pixels(button.rect.cx, button.rect.cy))
    hand.draw()
    areas = hand.app.canvas.layer.redrawn_areas
    assert areas
    grown = button.rect.inset(-2 * TILE_PX)
    assert all(
        grown.contains(left, top) and grown.contains(right - 1, bottom - 1)
        for left, top, right, bottom in areas
    )


@pytest.fixture
def equals_redrawn(hand: Hand) -> Callable[[], bool]:
    """A function that returns whether the cached window looks the same as a complete redraw."""

    def look() -> NDArray[np.int16]:
        pixels = hand.app.canvas.read_pixels(Rect(0, 0, *hand.app.root.size))
        return pixels.astype(np.int16)

    def check() -> bool:
        redraw(hand)
        kept = look()
        hand.app.canvas.layer._content = None, ()
        hand.app.canvas.layer._last = None, ()
        redraw(hand)
        direct = look()
        redraw(hand)
        # Half-transparent shapes are rounded once more in the layer.
        for other in (direct, look()):
            difference = np.abs(other - kept)
            if difference.max() > 2 or (difference > 1).mean() > 1e-4:
                return False
        return True

    return check


def test_cached_interface_equals_redrawn_one(hand: Hand, equals_redrawn: Callable[[], bool]) -> None:
    app = hand.app
    play = hand.start("splastwo")
    hand.wait(2.0)
    assert equals_redrawn()
    button = app.root.find("hint")
    assert button is not None
    hand.point(*app.to_window_pixels(button.rect.cx, button.rect.cy))
    assert equals_redrawn()
    hand.wait(1.0)
    assert app.root.tooltip_widget is button
    assert equals_redrawn()
    hand.point(*hand.spot(play.pointer.spot_name(play.controller.targets[0])))
    assert equals_redrawn()
    play.actions.play_move(play.controller.moves[0])
    hand.wait(0.5)
    assert equals_redrawn()
    hand.wait(2.0)
    play.view.turn(1)
    hand.wait(0.25)
    assert equals_redrawn()
    app.pages.show_settings()
    hand.wait(1.0)
    assert equals_redrawn()
    app.root.close_popups()
    assert equals_redrawn()
    changes: dict[str, object]
    for changes in ({"theme": "night"}, {"language": "fr"}, {"scale": 150}, {"marks": "off"}, {"scale": 0}):
        app.change_settings(**changes)
        hand.wait(1.0)
        assert equals_redrawn(), changes
    app.resize(900, 500)
    assert equals_redrawn()
    app.resize(1280, 720)
    assert equals_redrawn()
    app.pages.show_home()
    hand.wait(1.0)
    assert equals_redrawn()
    hand.native.dispatch_event("on_mouse_scroll", 400, 300, 0, -3)
    assert equals_redrawn()


def test_page_fade_is_drawn_without_the_layer(hand: Hand, spans_drawn: list[int]) -> None:
    hand.start("spline")
    hand.wait(2.0)
    hand.app.fade_in(400, lambda fraction: fraction)
    for _ in range(3):
        hand.now += 0.05
        redraw(hand)
        assert hand.app.canvas.layer.redrawn_areas == ()
    assert len(spans_drawn) >= 3


def test_changed_signs_leave_the_scene_as_it_was_drawn(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.start("spline")
    hand.wait(2.0)
    redraw(hand)
    drawn: list[str] = []
    for name in ("draw", "present"):
        was = getattr(Renderer, name)
        monkeypatch.setattr(
            Renderer,
            name,
            lambda *given, was=was, name=name, **named: (drawn.append(name), was(*given, **named)),
        )
    shown = hand.app.canvas.read_pixels(hand.play.view.rect)
    hand.app.change_settings(marks="off")
    hand.draw()
    assert drawn == ["present"]
    assert (hand.app.canvas.read_pixels(hand.play.view.rect) != shown).any()
    hand.app.change_settings(marks="always")
    hand.draw()
    assert drawn == ["present", "present"]
    assert (hand.app.canvas.read_pixels(hand.play.view.rect) == shown).all()
    hand.app.change_settings(theme="night")
    hand.draw()
    assert drawn[2:] == ["draw"]


def test_picture_of_the_board_stays_opaque(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the picture weren't opaque, a window with an alpha channel would show the desktop through it."""
    hand.start("spline")
    for _ in range(3):
        hand.play.actions.play_move(hand.play.controller.moves[0])
        hand.wait(2.0)
    redraw(hand)
    painter = hand.app._board_painter
    assert painter is not None
    assert painter._target is not None
    pixels = np.frombuffer(painter._target.framebuffer.read(components=4, alignment=1), dtype=np.uint8)
    assert (pixels.reshape(-1, 4)[:, 3] == 255).all()


def test_picture_in_the_window_has_the_colours_of_an_upright_one(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The boards in the window have the same colours as if drawn upright into an ordinary texture.

    They are drawn upside down, into a texture whose channels are in the order that most windows use. Some drivers
    handle that incorrectly. Each colour component, which is a number from 0 to 255, may differ by 1.
    """
    monkeypatch.setattr(ScaleController, "scale", 1.0)
    hand.start("spline")
    hand.wait(2.0)
    redraw(hand)
    painter = hand.app._board_painter
    assert painter is not None
    frame, camera, scale = painter._drawn_key
    target = painter._target
    assert target is not None
    upright = Renderer(painter._context, painter._renderer.tier)
    plain = painter._context.framebuffer([painter._context.texture(target.size, 4)])
    try:
        for opacity in (1.0, 0.5):
            pictures = []
            for renderer, into in ((painter._renderer, target.framebuffer), (upright, plain)):
                into.clear(0.0, 0.0, 0.0, 1.0)
                renderer.draw(frame, camera, into, *target.size, scale, opacity=opacity)  # type: ignore[arg-type]
                pixels = np.frombuffer(into.read(components=3, alignment=1), dtype=np.uint8)
                pictures.append(pixels.reshape(target.size[1], target.size[0], 3).astype(int))
            assert np.abs(pictures[0][::-1] - pictures[1]).max() <= 1, opacity
    finally:
        plain.release()
        upright.release()
        painter._drawn_key = painter._drawn_scene = ()
