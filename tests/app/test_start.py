"""What is seen while the program starts: drawing a board for the first time takes long on a slow machine."""

from __future__ import annotations

import pytest

from shibumi3d.app.pages.home.screen import Home
from shibumi3d.app.program.native import greet, picture
from shibumi3d.scene.rect import Rect
from tests.app.hand import Hand


def colours(hand: Hand, area: Rect) -> set[tuple[int, ...]]:
    """The colours in a part of the window."""
    return {tuple(map(int, pixel)) for row in hand.app.canvas.read(area) for pixel in row}


def paper(hand: Hand, area: Rect) -> bool:
    """Whether nothing is seen there; a display without a screen may keep five bits of a colour."""
    (found, *others) = colours(hand, area)
    page = [255 * part for part in hand.app.root.style.page[:3]]
    return not others and all(abs(have - part) <= 4 for have, part in zip(found, page, strict=True))


@pytest.mark.parametrize("theme", ["day", "night"])
def test_paper_with_the_sign_of_the_program_comes_before_the_first_page(hand: Hand, theme: str) -> None:
    hand.app.change(theme=theme)
    hand.draw()  # tests before may have left another framebuffer
    sign = picture(128)
    greet(hand.native, sign, hand.app.root.style.page)
    assert paper(hand, Rect(0, 0, 1280, 100))
    assert paper(hand, Rect(0, 620, 1280, 100))
    assert len(colours(hand, Rect(576, 296, 128, 128))) > 100


def test_the_first_page_is_shown_before_its_board_is_drawn(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []
    window = hand.window
    home = hand.app.screen
    assert isinstance(home, Home)
    monkeypatch.setattr(window.native, "flip", lambda: drawn.append(paper(hand, home.view.rect)))  # type: ignore[attr-defined]
    monkeypatch.setattr(window.pyglet.app, "run", lambda interval: hand.draw())  # type: ignore[attr-defined]
    monkeypatch.setattr(window, "close", lambda: None)
    window.run()  # type: ignore[attr-defined]
    assert drawn == [True, False]
    assert len(colours(hand, home.start.rect)) > 100
