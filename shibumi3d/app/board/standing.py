"""Evaluation bar, with the best turns below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, SMALL, Style
from shibumi3d.search.players import FEW

from ..marbles.words import tokens
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.card import paint_card
from ..ui.core import Still

if TYPE_CHECKING:
    from shibumi3d.rules.search import Considered

    from .adviser import Adviser

ADVICE_TURN_TEXTS = {
    "wins": N_("{number}  {turn}  wins in {n}"),
    "loses": N_("{number}  {turn}  loses in {n}"),
    "surely-wins": N_("{number}  {turn}  wins"),
    "surely-loses": N_("{number}  {turn}  loses"),
}

HIGH = 64.0
WIDE = 380.0


def percent(share: float) -> int:
    """Return a chance of winning in percent, from 1 to 99; 0 and 100 are reserved for proved results."""
    return max(1, min(99, round(100 * share)))


class Advised(Protocol):
    """Page that shows the evaluation bar."""

    names: list[str]

    @property
    def advice(self) -> Adviser:
        """Evaluation of the position shown."""


class Standing(Still):
    """Evaluation bar for the seat to move, with the best turns below it.

    Turns that have hardly been searched are drawn paler.
    """

    def __init__(self, screen: Advised) -> None:
        super().__init__("standing")
        self.screen = screen

    def place(self, area: Rect, shown: Sequence[Rect]) -> None:
        """Lay out the bar at the top of ``area``.

        The bar goes between the cards in ``shown`` at the left and right or, if there is too little room, below them.
        """
        cards = shown
        left = max([card.right for card in cards if card.cx < area.cx], default=area.x) + 10
        right = min([card.x for card in cards if card.cx >= area.cx], default=area.right) - 10
        wide = min(WIDE, right - left)
        y = area.y
        if wide < 150:
            left, right, wide = area.x, area.right, min(WIDE, area.w)
            y = max([card.bottom for card in cards], default=area.y) + 6
        middle = max(left + wide / 2, min(area.cx, right - wide / 2))
        self.layout(Rect(middle - wide / 2, y, wide, HIGH))

    def told(self) -> str:
        """Return a description of the evaluation."""
        found = self.screen.advice.found
        if found is None:
            return _("Analysing…")
        analysis = found.analysis
        who = self.screen.names[analysis.seat]
        if analysis.wins_in:
            return ngettext("{who} wins in {n} turn", "{who} wins in {n} turns", analysis.wins_in, who=who)
        if analysis.loses_in:
            return ngettext("{who} loses in {n} turn", "{who} loses in {n} turns", analysis.loses_in, who=who)
        best = analysis.turns[0] if analysis.turns else None
        if best is not None and best.proved and best.mean in (0.0, 1.0):
            return _("{who} wins", who=who) if best.mean else _("{who} loses", who=who)
        return _("{who}: {share}%", who=who, share=percent(analysis.mean))

    def turns(self) -> list[tuple[str, bool]]:
        """Return the best turns: for each, a description and whether its evaluation is reliable.

        An evaluation is reliable if it is proved or based on at least FEW visits.
        """
        advice = self.screen.advice
        if advice.found is None or not advice.may:
            return []
        return [
            (self._told(number, turn), turn.proved or turn.visits >= FEW)
            for number, turn in enumerate(advice.found.analysis.turns, 1)
        ]

    def _told(self, number: int, turn: Considered) -> str:
        text = self.turn_text(turn)
        if turn.proved and turn.mean in (0.0, 1.0):
            how = "wins" if turn.mean else "loses"
            if turn.turns:
                return _(ADVICE_TURN_TEXTS[how], (turn.turns + 1) // 2, number=number, turn=text)
            return _(ADVICE_TURN_TEXTS[f"surely-{how}"], number=number, turn=text)
        return _("{number}  {turn}  {share}%", number=number, turn=text, share=percent(turn.mean))

    def turn_text(self, turn: Considered) -> str:
        """Return a short description of a turn, or the notation of its moves."""
        return self.screen.advice.described(turn.moves) or " ".join(
            part for move in turn.moves for _, part in tokens(move)
        )

    def spaces(self, area: Rect, number: int) -> list[Rect]:
        """Return the rectangles of ``number`` turns side by side in ``area``."""
        each = area.w / max(1, number)
        return [Rect(area.x + each * column, area.y, each - 6, area.h) for column in range(number)]

    def paint(self, canvas: Canvas, style: Style) -> None:
        box = self.rect
        paint_card(canvas, style, box)
        inner = box.inset(12, 6)
        line, rest = inner.cut_top(20)
        found = self.screen.advice.found
        left = line.x
        if found is not None:
            icons.sign(canvas, found.analysis.seat, line.x + 7, line.cy, style.action, 6)
            left += 20
        canvas.text_fit(Rect(left, line.y, line.right - left, line.h), self.told(), style.ink, "bold", BODY)
        bar, rest = rest.cut_top(12)
        bar = Rect(bar.x, bar.cy - 3, bar.w, 6)
        canvas.rect(bar, style.sunk, 3)
        if found is not None:
            analysis = found.analysis
            part = analysis.mean
            if part * bar.w >= 6:
                canvas.rect(Rect(bar.x, bar.y, bar.w * part, bar.h), style.action, 3)
        canvas.rule(bar.cx, bar.y - 2, bar.h + 4, style.faint, upright=True)
        told = self.turns()
        for (text, sure), space in zip(told, self.spaces(rest, len(told)), strict=True):
            canvas.text_fit(space, text, style.ink if sure else style.faint, "sans", SMALL)
