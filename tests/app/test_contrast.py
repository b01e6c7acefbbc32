"""Every text on every page has a contrast of at least 4.5:1 (WCAG) in the day and night themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from shibumi3d.app.ui.canvas import Canvas
from shibumi3d.scene import palette
from shibumi3d.scene.palette import contrast_ratio
from shibumi3d.scene.pen import Colour, multiply_alpha, rgba
from shibumi3d.scene.picking import PickableObject
from shibumi3d.scene.rect import Rect
from tests.share import some

if TYPE_CHECKING:
    from tests.app.hand import Hand

LEAST = 4.5


class DrawnText(NamedTuple):
    """A text, its colour and centre (in logical pixels), and the colours painted under it, bottom layer first."""

    text: str
    colour: Colour
    x: float
    y: float
    under: list[Colour]


class CanvasRecorder:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fills: list[tuple[Rect, Colour]] = []
        self.written: list[DrawnText] = []
        begin, rect, disc, text = Canvas.begin_frame, Canvas.rect, Canvas.disc, Canvas.text

        def begins(canvas: Canvas, *given: Any) -> None:
            self.fills, self.written = [], []
            begin(canvas, *given)

        def fills(canvas: Canvas, box: Rect, colour: Colour, radius: float = 0) -> None:
            self.fills.append((box.intersection(canvas._clip_stack[-1]), colour))
            rect(canvas, box, colour, radius)

        def fills_disc(canvas: Canvas, x: float, y: float, radius: float, colour: Colour) -> None:
            half = radius * 0.7
            self.fills.append((Rect(x - half, y - half, 2 * half, 2 * half), colour))
            disc(canvas, x, y, radius, colour)

        def writes(
            canvas: Canvas,
            x: float,
            y: float,
            words: str,
            colour: Colour,
            face: str = "sans",
            size: float = 15,
            align: float = 0,
        ) -> float:
            wide = text(canvas, x, y, words, colour, face, size, align)
            middle, height = x + wide * (0.5 - align), y - size * 0.35
            if words and canvas._clip_stack[-1].contains(middle, height):
                under = [colour for box, colour in self.fills if box.contains(middle, height)]
                self.written.append(DrawnText(words, colour, middle, height, under))
            return wide

        for name, done in (("begin_frame", begins), ("rect", fills), ("disc", fills_disc), ("text", writes)):
            monkeypatch.setattr(Canvas, name, done)


@pytest.fixture
def recorder(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> CanvasRecorder:
    return CanvasRecorder(monkeypatch)


def pages(hand: Hand) -> Iterator[str]:
    """Show the pages of the program in various states, and yield a name for each state once it has been drawn."""

    def draw(name: str) -> str:
        hand.app.root.dirty = True
        hand.draw()
        return name

    hand.app.pages.show_home()
    yield draw("home")
    hand.type("spl")
    hand.wait(1)
    yield draw("searched")
    hand.key("enter")
    hand.wait(1)
    yield draw("chosen")
    hand.app.pages.show_settings()
    yield draw("settings")
    hand.app.root.close_popups()
    hand.app.change_settings(coordinates=True)
    play = hand.start("speedo", ("Aiko", "Ben", "Cleo"))
    hand.choose("Ab2")
    hand.choose("Ac3", "Ab3")
    hand.key("ctrl+z")
    hand.wait(1)
    hand.point(*hand.spot("Ac2"))
    hand.wait(0.3)
    yield draw("playing")
    hand.click(*hand.spot("Ab2"))
    hand.wait(0.3)
    yield draw("refused")
    hand.key("f1")
    yield draw("rules")
    hand.key("f2")
    yield draw("flat")
    hand.key("f2")
    hand.key("/")
    yield draw("typing")
    hand.app.root.close_popups()
    hand.key("ctrl+s")
    yield draw("saving")
    hand.app.root.close_popups()
    hand.app.pages.show_shortcuts()
    yield draw("keys")
    hand.app.root.close_popups()
    hand.start("spline", size=8)
    yield draw("large")
    hand.start("spair")
    hand.choose(next(name for name in hand.play.point_pixels() if name.endswith("Ab2")))
    yield draw("two boards")
    hand.start("springe")
    yield draw("curtain")
    hand.app.root.close_popups()
    yield draw("secret")
    play = hand.start("spline")
    hand.choose("Aa1", "Ab1", "Aa2", "Ab2", "Aa3", "Ab3", "Aa4")
    assert play.result_bar.visible
    yield draw("over")
    hand.push("more")
    hand.push("review")
    hand.wait(1)
    yield draw("review")
    hand.app.pages.show_saved_games()
    yield draw("kept")


def grounds(hand: Hand, written: DrawnText) -> list[str]:
    """Return the possible background colours of a text, as hex codes.

    If the text lies over the picture of the boards, its background is a marble or, if none is there, either the table
    or a board. Otherwise, its background is the page. The colours painted under the text are blended over the
    background.
    """
    style, view = hand.app.root.style, hand.app.current_page.view
    below = [style.page]
    if view is not None and view.visible and view.rect.contains(written.x, written.y):
        theme = palette.make_theme(hand.app.settings.theme, hand.app.settings.marbles)
        stage = getattr(hand.app.current_page, "replay_view", hand.app.current_page).marble_scene
        place = written.x - view.rect.x, written.y - view.rect.y
        standing = stage.resting_marbles()
        picked = view.pick(*place, [PickableObject(at, is_target=False) for _, at in standing], ())
        named = [theme.marble_colour(stage.marbles[standing[picked][0]])] if picked is not None else []
        below = [rgba(colour) for colour in named or (theme.table_colour, palette.BOARD_COLOURS[theme.board])]
    for colour in written.under:
        below = [blend(colour, ground) for ground in below]
    return [hexed(ground) for ground in below]


def blend(colour: Colour, ground: Colour) -> Colour:
    r, g, b = (c * colour[3] + under * (1 - colour[3]) for c, under in zip(colour, ground[:3], strict=False))
    return r, g, b, 1.0


def hexed(colour: Colour) -> str:
    return "#{:02X}{:02X}{:02X}".format(*(round(255 * part) for part in colour[:3]))


@pytest.mark.parametrize(
    ("tone", "preset"),
    some([("day", "standard"), ("night", "clear"), ("day", "clear"), ("night", "standard")], 2),
)
def test_every_text_has_enough_contrast(hand: Hand, recorder: CanvasRecorder, tone: str, preset: str) -> None:
    hand.app.change_settings(theme=tone, marbles=preset)
    off = multiply_alpha(
        hand.app.root.style.tertiary_ink, 0.75
    )  # disabled controls are recognized by their position and needn't be legible
    weak: set[str] = set()
    count = 0
    for page in pages(hand):
        assert recorder.written, page
        for written in recorder.written:
            for ground in grounds(hand, written):
                if written.colour == off:
                    continue
                count += 1
                seen = hexed(blend(written.colour, rgba(ground)))
                if contrast_ratio(seen, ground) < LEAST:
                    weak.add(
                        f"{page}: {written.text!r} {seen} on {ground}: {contrast_ratio(seen, ground):.2f}"
                    )
    assert not weak, "\n".join(sorted(weak))
    assert count > 500
