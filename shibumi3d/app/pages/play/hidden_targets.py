"""Button that shows how many targets are hidden behind marbles, and turns the view towards them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ...ui.button import Button
from ...ui.canvas import Canvas
from .parts import Boarded

if TYPE_CHECKING:
    from .spreading import Spreading

STEEP = 62.0
"""Camera pitch, in degrees, from which holes behind marbles are visible."""
HIGH = 28.0


class Looked(Boarded, Protocol):
    """Interface of the page that :class:`HiddenTargets` uses."""

    spreading: Spreading


class HiddenTargets(Button):
    """Button that shows the number of hidden targets, visible only if there are any.

    A click on the button turns the view to where the targets are visible.
    """

    def __init__(self, screen: Looked) -> None:
        super().__init__(
            "", self.show, tip=_("Rotate the board to see them  V"), name="behind", size=SMALL, kind="plain"
        )
        self.screen = screen
        self.visible = False
        self.hidden = 0
        self._known: tuple[object, ...] = ()

    def update(self) -> bool:
        """Update the number if anything has changed; return whether the number is different."""
        screen = self.screen
        control, view = screen.control, screen.view
        asked = control.moves, control.colour, control.picked, id(screen.match.state), screen.session.asking
        key = (
            asked,
            view.camera,
            view.rect,
            view.visible,
            screen.spread,
            screen.announced,
            screen.bare,
        )
        if key == self._known:
            return False
        self._known, before = key, self.hidden
        shown = screen.session.asking and screen.view.visible
        self.hidden = sum(self.hidden_from(screen.view.camera)) if shown else 0
        self.label = _("{n} hidden – V to look", self.hidden)
        self.visible = self.hidden > 0 and not screen.announced
        return self.hidden != before

    def hidden_from(self, camera: Camera) -> list[bool]:
        """Return, for each target on the boards, whether its sign is hidden from ``camera``."""
        screen = self.screen
        lying = () if screen.bare else screen.lying(screen.now()).balls
        signs = screen.signs.target_signs()
        extra = [ball.at for ball in lying]
        return screen.stage.hidden(signs, camera, screen.view.aspect, screen.spread, extra)

    def show(self) -> None:
        """Turn the view to where the fewest targets are hidden.

        If no view hides fewer targets than the current one, choose the view that shows the most of the targets hidden
        now. If they are hidden in every view, turn on the exploded view.
        """
        screen = self.screen
        here = self.hidden_from(screen.view.goal)
        if not any(here):
            return
        home = screen.view.home
        quarters = [home.turned(90.0 * quarter) for quarter in range(4)]
        ways = [*quarters, *(replace(way, pitch=STEEP) for way in quarters), home.top()]
        found = [self.hidden_from(way) for way in ways]
        fewest = min(range(len(ways)), key=lambda i: sum(found[i]))
        gains = [sum(a and not b for a, b in zip(here, there, strict=True)) for there in found]
        if sum(found[fewest]) < sum(here):
            screen.view.go(ways[fewest])
        elif max(gains):
            screen.view.go(ways[gains.index(max(gains))])
        else:
            screen.spreading.set(True)

    def place(self, area: Rect, cards: Sequence[Rect], canvas: Canvas) -> None:
        """Lay out the button at the top of ``area``.

        It is placed between the players' cards or, if they leave too little room, below them.
        """
        wide = canvas.width(_("{n} hidden – V to look", 88), "sans", SMALL) + 28
        west = max((card.right for card in cards if card.cx < area.cx), default=area.x) + 8
        east = min((card.x for card in cards if card.cx > area.cx), default=area.right) - 8
        y = area.y
        if east - west < wide:
            west, east = area.x, area.right
            y = max(card.bottom for card in cards) + 8
        middle = min(max(area.cx, west + wide / 2), east - wide / 2)
        self.layout(Rect(middle - wide / 2, y, wide, HIGH))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.shadow(self.rect, style.shadow)
        super().paint(canvas, style)
