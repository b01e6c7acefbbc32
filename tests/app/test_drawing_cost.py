"""Drawing a frame takes few Python calls, and frames drawn from caches look the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.calls import (
    GAMES,
    MAX_CALLS_AT_REST,
    MAX_CALLS_IN_MOTION,
    MAX_CLICK_CALLS,
    MAX_CLICK_CALLS_UP,
    count_click,
    measure_game,
)

if TYPE_CHECKING:
    from tests.app.hand import Hand


@pytest.mark.parametrize("game", GAMES)
def test_frame_takes_few_python_calls(hand: Hand, game: str) -> None:
    found = measure_game(hand.app, hand.draw, game)
    assert found.rest.total() <= MAX_CALLS_AT_REST, found.rest.most_common(5)
    assert found.motion.total() <= MAX_CALLS_IN_MOTION, found.motion.most_common(5)


def test_click_that_moves_takes_few_python_calls(hand: Hand) -> None:
    click = count_click(hand.app, hand.draw, hand.native.dispatch_event)
    assert hand.moves, "the click made a move"
    assert click.calls.total() <= MAX_CLICK_CALLS, click.calls.most_common(5)
    assert click.calls_up.total() <= MAX_CLICK_CALLS_UP, click.calls_up


@pytest.fixture
def cache_matches(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """A function that draws a frame with the cache and one without it, and returns whether the two are equal."""
    canvas, root = hand.app.canvas, hand.app.root
    flush, painted = canvas.flush, list[NDArray[np.float32]]()

    def flushed() -> None:
        painted.append(np.concatenate(canvas._vertex_chunks))
        flush()

    monkeypatch.setattr(canvas, "flush", flushed)

    def twice() -> bool:
        root.dirty = True
        hand.draw()
        assert root.paint_cache
        root.paint_cache.clear()
        root.dirty = True
        hand.draw()
        return np.array_equal(painted[-1], painted[-2])

    return twice


def test_partial_redraw_of_a_marble_match_equals_full_redraw(
    hand: Hand, cache_matches: Callable[[], bool]
) -> None:
    play = hand.start("splastwo")
    for step in range(6):
        hand.wait(2.0)
        assert cache_matches(), step
        hand.point(*hand.spot(play.pointer.spot_name(play.controller.targets[0])))
        assert cache_matches(), step
        play.actions.play_move(play.controller.moves[0])
        assert cache_matches(), step
    hand.wait(2.0)
    for name in ("undo", "look back", "redo", "panel", "moves"):
        widget = hand.app.root.find(name)
        assert widget is not None
        place = hand.app.to_window_pixels(widget.rect.cx, widget.rect.y + 10)
        hand.press(*place)
        assert cache_matches(), name
        hand.release(*place)
        assert cache_matches(), name
        hand.wait(2.0)
        assert cache_matches(), name
    for changes in (
        {"marks": "hover"},
        {"signs": "subtle"},
        {"theme": "night"},
        {"scale": 125},
        {"language": "fr"},
    ):
        hand.app.change_settings(**changes)
        assert cache_matches(), changes


def test_partial_redraw_of_a_card_match_equals_full_redraw(
    hand: Hand, cache_matches: Callable[[], bool]
) -> None:
    entry = hand.app.catalogue.get("arcanoid")
    hand.app.matches.start(entry, ["Aiko", "Ben"], entry.size, "", 1)
    page = hand.app.current_page
    page.model.in_lesson = True  # type: ignore[attr-defined]
    for step in range(6):
        hand.app.root.close_popups()
        hand.wait(2.0)
        assert cache_matches(), step
        page.actions.play_move(page.model.legal_moves()[-1])  # type: ignore[attr-defined]
        assert cache_matches(), step
    for name in ("undo", "look back", "return", "redo"):
        hand.wait(2.0)
        hand.push(name)
        assert cache_matches(), name
    hand.key("ctrl+b")
    hand.wait(2.0)
    log = hand.app.root.find("moves")
    assert log is not None
    hand.point(*hand.app.to_window_pixels(log.rect.cx, log.rect.y + 30))
    assert cache_matches()
