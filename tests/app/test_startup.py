"""What is shown while the program starts, since a slow machine takes a long time to draw the first frame of a board."""

from __future__ import annotations

import pytest

from shibumi3d.app.host.board_view import BoardView
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.platform.pyglet_window import show_splash, window_icon
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z
from shibumi3d.scene.palette import BOARD_COLOURS
from shibumi3d.scene.pen import rgba
from shibumi3d.scene.rect import Rect
from tests.app.hand import Hand


def colours(hand: Hand, area: Rect) -> set[tuple[int, ...]]:
    return {tuple(map(int, pixel)) for row in hand.app.canvas.read_pixels(area) for pixel in row}


def shows_only_background(hand: Hand, area: Rect) -> bool:
    """Return whether an area shows only the background.

    A small difference in colour is accepted, because some displays store only five bits per channel.
    """
    (found, *others) = colours(hand, area)
    page = [255 * part for part in hand.app.root.style.page[:3]]
    return not others and all(abs(have - part) <= 4 for have, part in zip(found, page, strict=True))


@pytest.mark.parametrize("theme", ["day", "night"])
def test_splash_screen_appears_before_the_first_page(hand: Hand, theme: str) -> None:
    hand.app.change_settings(theme=theme)
    hand.draw()  # earlier tests may have left another framebuffer bound
    sign = window_icon(128)
    show_splash(hand.native, sign, hand.app.root.style.page)
    assert shows_only_background(hand, Rect(0, 0, 1280, 100))
    assert shows_only_background(hand, Rect(0, 620, 1280, 100))
    assert len(colours(hand, Rect(576, 296, 128, 128))) > 100


def shows_colour(hand: Hand, x: float, y: float, colour: str) -> bool:
    """Return whether a pixel has the given colour.

    Each colour component, from 0 to 255, may differ by up to 8.
    """
    (found,) = colours(hand, Rect(round(x), round(y), 1, 1))
    wanted = [255 * part for part in rgba(colour)[:3]]
    return all(abs(have - part) <= 8 for have, part in zip(found, wanted, strict=True))


def test_placeholder_board_appears_before_the_first_rendering(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[bool, bool]] = []
    window = hand.window
    home = hand.page(HomePage)
    painters: list[object] = []
    painter = hand.app.board_painter

    def made() -> object:
        painters.append(painter())
        return painters[-1]

    def flip() -> None:
        drawn.append((bool(painters), shows_only_background(hand, home.view.rect)))

    monkeypatch.setattr(hand.app, "board_painter", made)
    monkeypatch.setattr(hand.app, "_rendered_kinds", set())
    monkeypatch.setattr(window.pyglet_window, "flip", flip)  # type: ignore[attr-defined]
    monkeypatch.setattr(window.pyglet.app, "run", lambda interval: hand.draw())  # type: ignore[attr-defined]
    monkeypatch.setattr(window, "close", lambda: None)
    window.run()  # type: ignore[attr-defined]
    assert drawn == [(False, False), (True, False)]
    assert len(colours(hand, home.start_panel.rect)) > 100


@pytest.mark.parametrize("game", ["spline", "arcanoid"])
def test_board_pages_start_with_a_placeholder_board(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    rendered: list[object] = []
    render = BoardView.render
    monkeypatch.setattr(BoardView, "render", lambda *given: (rendered.append(1), render(*given))[1])
    monkeypatch.setattr(hand.app, "_rendered_kinds", set())
    entry = load_catalogue().get(game)
    hand.app.matches.start(entry, ["Aiko", "pebble"], entry.size, "", 1)
    hand.app.root.close_popups()
    page = hand.page(MatchPage)
    assert isinstance(page.view, BoardView)
    hand.draw()
    assert rendered == []
    assert hand.app.root.dirty, "the picture itself comes next"
    rect = page.view.rect
    # The table reaches the edge of the picture, with no background from the page fade.
    assert shows_colour(
        hand, rect.x + 3, rect.bottom - 3, hand.app.settings.board_theme_after(0).table_colour
    )
    if game == "spline":
        x, y = page.view.to_window((1.9, 1.9, BOARD_TOP_Z))
        assert shows_colour(hand, x, y, BOARD_COLOURS["keyaki"])
        x, y = page.view.to_window((1.5, 1.5, BOARD_TOP_Z))
        assert not shows_colour(hand, x, y, BOARD_COLOURS["keyaki"]), "there is a hole"
    hand.draw()
    assert rendered == [1]
    # A page that was shown before is drawn at once.
    hand.app.matches.start(entry, ["Aiko", "pebble"], 4, "", 1)
    hand.draw()
    assert rendered == [1, 1]


def test_services_can_be_replaced_while_the_program_runs(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    services, scheduled, copied = hand.app.services, list[float](), list[str]()
    monkeypatch.setattr(services, "clock", lambda: 5.0)
    monkeypatch.setattr(services, "schedule", lambda seconds, callback: scheduled.append(seconds))
    monkeypatch.setattr(services, "write_clipboard", copied.append)
    monkeypatch.setattr(services, "read_clipboard", lambda: "pasted\0")
    assert (hand.app.clock(), hand.app.root.clock()) == (5.0, 5.0)
    hand.app.root.schedule(2.0, hand.app.root.refresh)
    assert scheduled == [2.0]
    hand.app.root.copy_text("text")
    assert copied == ["text"]
    assert hand.app.root.paste_text() == "pasted"


def test_ctrl_q_calls_the_close_service(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = list[bool]()
    monkeypatch.setattr(hand.app.services, "on_close", lambda: closed.append(True))
    hand.key("ctrl+q")
    assert closed == [True]
