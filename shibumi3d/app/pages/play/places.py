"""Layout of the play page for any window size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.rect import Rect

from ...board.result import FOOT
from ...board.standing import HIGH
from ...marbles.controller import Spot
from ...ui.button import narrowed, row
from ...ui.canvas import Canvas

if TYPE_CHECKING:
    from .laid import Above, Footed, Headed, Placed


BAR, TOOLS = 52, 40
SENTENCE = 200
"""Minimum width reserved for the message line in the footer, in logical pixels."""
NARROW = 900
"""Page width below which the cards of more than two players shrink to one line each."""
ROOMY = 700
"""View width up to which the height of a column of cards is limited, to leave room for the board."""
TALL = 0.25
"""Limit on the height of a card, as a fraction of the view's height.

If there are two cards and either is taller, both shrink to one line.
"""
ROUND = 32
LARGER = 1.2
"""How many times larger marbles must be for the flat plan to be placed beside the tray."""
RIM = 0.3
"""Radius around the centre of a hole that answers should not cover, in world units.

A marble has a radius of 0.5.
"""


class Places:
    """Layout of the page: the table, the header, the footer, and the widgets over the boards."""

    def __init__(self, page: Placed, head: Headed, foot: Footed, above: Above) -> None:
        self.head, self.foot, self.above = head, foot, above
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage

    def layout(self, rect: Rect) -> None:
        """Lay out all widgets of the page in ``rect``."""
        rect, canvas, folding = self.head.room(rect), self.page.app.canvas, self.head.folding
        for widget in (self.head.back, *self.head.corner(), *self.above.cards, *self.foot.eye):
            widget.visible = not self.page.bare
        for widget in (self.foot.tools, self.foot.again, self.foot.look_back, self.foot.look_on):
            widget.visible = not self.page.bare
        # The position of a lesson can't be edited.
        self.foot.eye[-1].visible = not (self.page.bare or self.page.taught)
        foot = BAR if self.page.bare else BAR + TOOLS
        under = self.under(rect.w, canvas) if self.page.narrow else 0.0
        bottom, _, area = self.head.lay_frame(rect, foot + under, folding.width(rect))
        below, bottom = bottom.cut_top(under)
        folding.lay_pages(folding.lay(rect, self.head.top.rect.bottom, rect.bottom))
        line, tools = bottom.cut_top(BAR)
        self.foot.tools.layout(tools)
        self._lay_bar(line.inset(14, 0), canvas)
        left = tools.inset(10, 0)
        looking = (self.foot.again, self.foot.look_back, self.foot.look_on)
        if not narrowed(self.foot.eye, canvas, left.w - 112, gap=2):
            # The move list offers the same navigation.
            for button in looking:
                button.visible = False
        row(left, self.foot.eye, canvas, gap=2)
        self.foot.look_on.layout(Rect(tools.right - 46, tools.cy - 18, 32, 32))
        self.foot.look_back.layout(Rect(tools.right - 80, tools.cy - 18, 32, 32))
        self.foot.again.layout(Rect(tools.right - 114, tools.cy - 18, 32, 32))
        self.page.view.layout(area)
        self._lay_over(area, canvas)
        if under:
            if self.above.standing.visible:
                card, below = below.inset(10, 0).cut_top(HIGH, FOOT)
                self.above.standing.layout(card)
            self.above.result_bar.stand(canvas, below, below.inset(10, 0))

    def under(self, wide: float, canvas: Canvas) -> float:
        """Return the height needed for widgets below the table if there is only one column.

        These widgets are the analysis card and the result of the match. ``wide`` is the width of the column.
        """
        shown = self.above.result_bar
        advised = HIGH + FOOT if self._advised() else 0.0
        return advised + (shown.natural(canvas, wide - 20)[1] + 2 * FOOT if shown.visible else 0.0)

    def _advised(self) -> bool:
        """Return whether the analysis card is visible."""
        return self.page.advice.analysing and self.page.advice.may and not self.page.bare

    def _lay_bar(self, line: Rect, canvas: Canvas) -> None:
        ends = (
            self.foot.end_turn,
            self.foot.pass_turn,
            self.foot.claim,
            self.foot.turn_it,
            self.foot.return_,
            self.foot.from_here,
            *self.page.computers.buttons,
        )
        buttons = [b for b in ends if b.visible]
        advice = self.page.advice
        back = [*advice.offered, advice.solution.button, self.foot.undo, self.foot.redo]
        taken = (
            sum(button.natural(canvas) + 8 for button in buttons) + self.foot.step_indicator.natural() + 26
        )
        for button in advice.offered:
            button.visible = True
        if not narrowed(back, canvas, line.w - taken - SENTENCE, gap=4):
            # The message matters more than the buttons for advice, which also have shortcuts.
            for button in advice.offered:
                button.visible = False
            narrowed(back, canvas, line.w - taken - SENTENCE, gap=4)
        wide = row(Rect(line.x, line.y, line.w, line.h), back, canvas, gap=4, align=1)
        line = Rect(line.x, line.y, line.w - wide - 12, line.h)
        beads, line = line.cut_left(self.foot.step_indicator.natural(), 12)
        self.foot.step_indicator.layout(beads)
        wide = row(line, buttons, canvas, gap=8)
        self.foot.hint.layout(Rect(line.x + wide + (14 if wide else 0), line.y, line.w - wide - 14, line.h))

    def _lay_over(self, area: Rect, canvas: Canvas) -> None:
        inner = area.inset(14)
        few = len(self.above.cards) <= 2 or self.page.bare
        y = [inner.y, inner.y]
        for card in self.above.cards:
            card.aimed = True
        highs = [card.natural(few) for card in self.above.cards]
        most = inner.h if area.w > ROOMY else inner.h / 2
        column = max(highs) * 4 if few else sum(highs) + 6 * len(highs)
        if column > most:
            for card in self.above.cards:
                card.aimed = False
            highs = [card.natural(few) for card in self.above.cards]
        narrow = self.head.room(self.page.rect).w < NARROW
        longest = inner.h if area.w > ROOMY else 0.75 * inner.h
        lined = not few and (narrow or sum(highs) + 6 * len(highs) > longest)
        lined = lined or (few and max(highs) > TALL * inner.h)
        if lined:
            highs = [min(38.0, (inner.h + 6) / len(highs) - 6)] * len(highs)
        for card, high in zip(self.above.cards, highs, strict=True):
            card.lined = lined
            column = card.seat % 2 if few else 0
            wide = max(other.wide(few) for other in (self.above.cards if not few else [card]))
            wide = min(wide, (inner.w - 8) / 2 if few else max(110.0, 0.36 * inner.w))
            x = inner.right - wide if column else inner.x
            card.layout(Rect(x, y[column], wide, high))
            y[column] += high + 6
        # Widgets that come and go must not cover a long column of cards.
        beside = not few and y[0] > inner.bottom - 110
        end = max(card.rect.right for card in self.above.cards) - inner.x
        free = inner.cut_left(end, 12)[1] if beside else inner
        self.above.tray.layout(Rect(free.x, free.bottom - 84, self.above.tray.natural(), 84))
        self.above.tag.layout(area)
        self.above.over.layout(area)
        self._lay_result(inner, canvas)
        low = max(y) if few else inner.y
        wide, high = self.above.plans.natural(inner.h - (max(120.0, low - inner.y) if few else low - inner.y))
        self.above.plans.visible = _roomy(inner) and not (
            self.page.flat.visible or self.page.bare or self.page.spreading.on
        )
        self.above.plans.layout(Rect(inner.right - wide, inner.bottom - high, wide, high))
        strip = wide + 12 if self.above.plans.visible else 0.0
        panels = [_rounded(widget.rect) for widget in (*self.above.cards, self.above.plans) if widget.visible]
        above = [card.rect for card in self.above.cards]
        self.above.standing.visible = self._advised()
        advised = self.above.standing.visible and not self.page.narrow
        if advised:
            self.above.standing.place(inner, [card.rect for card in self.above.cards if card.visible])
            above.append(self.above.standing.rect)
            panels.append(self.above.standing.rect)
        self._advice_places = self._places_for_advice(free, strip) if advised else []
        self._lay_answers(free, strip, panels, canvas)
        self.above.hidden_targets.place(inner, above, canvas)
        self._footed = self._footed or self.above.tray.visible or self.above.answers.visible
        foot = 96.0 if self._footed else 0.0
        if self.above.result_bar.visible and not self.page.narrow:
            foot = self.above.result_bar.rect.h + 8
        head = low - inner.y + (2 if few else 0)
        if advised:
            head = max(head, self.above.standing.rect.bottom - inner.y + 2)
        left = 0.0 if few else max(card.rect.right for card in self.above.cards) - inner.x + 12
        self._lay_flat(Rect(inner.x + left, inner.y + head, inner.w - left, inner.h - head), foot)
        over = (*self.above.cards, self.above.tray, self.above.answers, self.above.result_bar)
        over = (*over, self.above.standing) if advised else over
        self.page.spreading.lay(area, tuple(widget.rect for widget in over if widget.visible))

    def _places_for_advice(self, area: Rect, strip: float) -> list[Rect]:
        """Return rectangles for the analysis card: the usual place, then three at the bottom."""
        head = self.above.standing.rect
        wide = min(head.w, area.w - strip)
        xs = (head.x, area.x, area.right - strip - wide)
        return [head, *[Rect(x, area.bottom - head.h, wide, head.h) for x in xs]]

    def clear_advice(self) -> bool:
        """Move the analysis card off the marbles that it refers to; return whether it was moved.

        It moves to the place where it covers the least of these marbles. Among equally good places, it moves to the
        place where it covers the least of other widgets.
        """
        card, pointing = self.above.standing, self.page.pointing
        if not (card.visible and self._advice_places):
            return False
        spoken = []
        for sign in self.page.advice.signs()[0]:
            spot = Spot(sign.board, sign.point)
            (x, y), radius = pointing.where(spot), pointing.radius(spot)
            spoken.append(Rect(x - radius, y - radius, 2 * radius, 2 * radius))
        others = (*self.above.cards, self.above.plans, self.above.answers, self.above.tray)
        shown = [widget.rect for widget in (*others, self.above.result_bar) if widget.visible]

        def covered(place: Rect) -> tuple[float, float]:
            return _common(place, spoken), _common(place, shown)

        if not covered(card.rect)[0]:
            return False
        best = min(self._advice_places, key=covered)
        if best == card.rect:
            return False
        card.layout(best)
        return True

    _advice_places: Sequence[Rect] = ()
    """Rectangles that the analysis card may occupy."""

    def _lay_flat(self, area: Rect, foot: float) -> None:
        """Lay out the flat plan above the footer, or beside the tray if it would be much larger there.

        Space once taken by the tray or the answers stays reserved, so that the plan doesn't move between turns.
        """
        flat, tray = self.page.flat, self.above.tray
        if tray.visible:
            self._tray_wide = max(self._tray_wide, tray.rect.right - area.x)
        self._answers_met = self._answers_met or self.above.answers.visible
        flat.layout(Rect(area.x, area.y, area.w, area.h - foot))
        if self._tray_wide and not (self._answers_met or self.above.result_bar.visible):
            above, cell = flat.rect, flat.cell
            flat.layout(area.cut_left(self._tray_wide, 12)[1])
            if flat.cell < LARGER * cell:
                flat.layout(above)

    def _lay_result(self, area: Rect, canvas: Canvas) -> None:
        """Lay out the result at the bottom, beside a column of cards and the strip of levels."""
        few = len(self.above.cards) <= 2
        strip = (
            self.above.plans.natural(area.h)[0] + 12 if _roomy(area) and not self.page.flat.visible else 0.0
        )
        left = 0.0 if few else self.above.cards[0].rect.right - area.x + 12
        free = Rect(area.x + left, area.y, area.w - left - strip, area.h)
        self.above.result_bar.stand(canvas, self.page.view.rect, free)

    def _lay_answers(self, area: Rect, strip: float, panels: Sequence[Rect], canvas: Canvas) -> None:
        """Fit the boards into the view, and lay out the answers where they cover least.

        Once there have been answers, their space stays reserved, so that the boards don't move between steps. The
        camera moves back if answers would cover much.
        """
        view, around = self.page.view, () if self.page.bare else self.page.tabletop.lay.around
        left = self.above.tray.rect.right + 12 if self.above.tray.visible else area.x
        right = area.right - strip
        kept = self._answered if self._answered[0] == area else (area, 0.0, 0.0)
        wide, high = (
            self.above.answers.natural(canvas, right - left) if self.above.answers.visible else (0.0, 0.0)
        )
        self._answered = kept = area, max(wide, kept[1]), max(high, kept[2])

        def places(wide: float, high: float) -> list[Rect]:
            middle = max(left, min(area.cx - wide / 2, right - wide))
            found = [Rect(x, area.bottom - high, wide, high) for x in (middle, right - wide, left)]
            return [*found, Rect(area.cx - wide / 2, area.y, wide, high)]

        def covered(place: Rect) -> tuple[float, float]:
            """Return how much area of the cards, the holes and the things on the table is covered."""
            cards = [place.overlap(card.rect) for card in self.above.cards]
            common = [place.overlap(thing) for thing in things]
            return sum(part.w * part.h for part in cards), sum(part.w * part.h for part in common)

        foot = [_rounded(places(*kept[1:])[0])] if kept[2] else []
        if self.above.result_bar.visible and not self.page.narrow:
            foot = [*foot, self.above.result_bar.rect]
        board = self.page.pointing.in_use
        hold = len(self.stage.sizes) > 1 and self.session.match.state.step > 0
        view.fit(around, panels, passing=foot, board=board, hold=hold)
        self.beside = all(self._in_sight(corners) for corners in around)
        if not self.beside and self.above.tray.visible:
            view.fit(around, [*panels, self.above.tray.rect], passing=foot, board=board, hold=hold)
        # If the dish of marbles would be partly out of view, show the tray instead.
        table = self.page.tabletop
        table.dish_shown = self.beside or not self.above.tray.visible or bool(table.hands)
        bare = self.page.flat.visible or self.page.bare
        things: list[Rect] = [] if bare else self._things(view.home)
        self.looked_down = view.goal == view.above
        if self.looked_down and things:
            things = self._things(view.above)
        elif things:
            things = self._things(view.home)
        self.above.answers.layout(min(places(wide, high), key=covered))

    def _in_sight(self, corners: Sequence[Vector]) -> bool:
        """Return whether a thing on the table is entirely visible.

        The top view is checked if it is the current view, otherwise the home view.
        """
        view = self.page.view
        camera = view.above if view.goal == view.above else view.home
        at, _ = camera.project(np.array(corners), view.rect.w, view.rect.h)
        return bool((at >= 0).all() and (at <= (view.rect.w, view.rect.h)).all())

    def _things(self, camera: Camera) -> list[Rect]:
        """Return where the holes and the things on the table appear when viewed from ``camera``."""
        view, stage = self.page.view, self.stage
        holes = [
            [stage.anchor(board, point) for point in bits(pyramid(size).holes)]
            for board, size in enumerate(stage.sizes)
        ]
        found = []
        for corners in self.page.tabletop.lay.around:
            at, _ = camera.project(np.array(corners), view.rect.w, view.rect.h)
            (x0, y0), (x1, y1) = at.min(0), at.max(0)
            found.append(Rect(view.rect.x + x0, view.rect.y + y0, x1 - x0, y1 - y0))
        for places in holes:
            at, depth = camera.project(np.array(places), view.rect.w, view.rect.h)
            for (x, y), radius in zip(at, camera.pixels(RIM, depth, view.rect.h), strict=True):
                found.append(Rect(view.rect.x + x - radius, view.rect.y + y - radius, 2 * radius, 2 * radius))
        return found

    _answered: tuple[Rect, float, float] = (Rect(), 0.0, 0.0)
    """Area of the layout, and the maximum width and height of the answers so far in that area."""

    _footed = _answers_met = False
    """Whether the tray or the answers have ever been visible; whether the answers have ever been."""

    _tray_wide = 0.0
    """Maximum width of the tray so far."""

    beside = True
    """Whether all things beside the boards are visible.

    The top view is checked if it is the current view, otherwise the home view.
    """

    looked_down = False
    """Whether the answers were last laid out for the top view."""

    def tray_needed(self) -> bool:
        """Return whether the tray of colours must be shown.

        It is needed if the person has a choice of colours and the marbles on the table can't be clicked.
        """
        asked = len(self.control.tray) > 1 or self.above.tray.in_hand()
        if not self.session.asking or self.session.match.state.to_move is None or not asked:
            return False
        return (
            self.page.flat.visible
            or self.page.bare
            or self.page.spreading.on
            or not self.beside
            or self.page.taking.out_of_reach()
        )


def _common(place: Rect, others: Sequence[Rect]) -> float:
    """Return the total area of the overlaps of a rectangle with ``others``."""
    return sum(part.w * part.h for part in (place.overlap(other) for other in others))


def _roomy(area: Rect) -> bool:
    """Return whether there is room for the strip of levels beside the boards."""
    return area.h > 300 and area.w > 620


def _rounded(rect: Rect) -> Rect:
    """Return a rectangle enlarged to multiples of :data:`ROUND`.

    This way, the boards don't move when a card gets a line more or less.
    """
    right, bottom = (math.ceil(end / ROUND) * ROUND for end in (rect.right, rect.bottom))
    return Rect(rect.x, rect.y, right - rect.x, bottom - rect.y)
