"""Evaluation bar of a match page, and evaluation graph of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.scene.pen import Colour, multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.players import MIN_RELIABLE_VISITS
from shibumi3d.search.review.context import final_value
from shibumi3d.wording import move_tokens

from ..ui import icons
from ..ui.canvas import Canvas, paint_card_background
from ..ui.widget import InertWidget, Key, Widget
from .review import MatchReviewer

if TYPE_CHECKING:
    from shibumi3d.rules.search_protocols import MoveEvaluation
    from shibumi3d.search.review.results import TurnReview

    from .hints import HintsAndAnalysis
    from .replay import ReplayOwner


EVALUATION_GRAPH_HEIGHT_PX, LOW_EVALUATION_GRAPH_HEIGHT_PX = 116.0, 80.0
"""Height of the graph, including its legend, and its height in a low window."""
LEGEND_HEIGHT_PX = 20.0
AXIS_WIDTH_PX = 60.0
"""Width of the percentages to the left of the curves."""
MARK_HIT_DISTANCE_PX = 12.0
"""Maximum horizontal distance at which the pointer still selects a mark."""
SEAT_SYMBOL_RADIUS_PX = 4.0
"""Half the height of a seat's symbol."""
MARK_RADIUS_PX = 4.0
CURVE_WIDTH_PX = 1.75
PROVED_OPACITY, ESTIMATED_OPACITY = 0.75, 0.22
"""Opacity of the areas between the curves and the 50% line, for proved evaluations and for estimates.

With more than three seats, both are halved.
"""
SWATCH_WIDTH_PX, LEGEND_GAP_PX = 14.0, 14.0
"""Width of an entry's colour sample in the legend, and the space between two entries."""


class CurvePoint(NamedTuple):
    """A seat's chance of winning after ``ply`` moves, and whether that chance is proved.

    The chance ``share`` is between 0 and 1. ``ply`` is fractional only where a curve crosses the 50% line.
    """

    ply: float
    share: float
    is_proved: bool


class LegendEntry(NamedTuple):
    """Entry of the legend: the kind of its colour sample, its text, and the seat that it represents, or -1 if none."""

    sample: str
    text: str
    seat: int = -1


class EvaluationGraph(Widget):
    """Graph of each seat's chance of winning, as a curve with the area between it and the 50% line filled.

    With two opponents, the curves mirror each other, so only the first seat's is drawn: the area above the 50% line
    belongs to the first seat, and the area below it to the second. With more seats, or if the seats win or lose
    together, all curves are drawn.

    An area is more opaque where the chances are proved than where they are estimates. Turns with an annotation are
    marked on the curve that shows their seat's chance: with a disc if the evaluations are proved, and with a ring if
    they are estimates.
    """

    def __init__(self, page: ReplayOwner, reviewer: MatchReviewer) -> None:
        super().__init__("band")
        self.page, self.reviewer = page, reviewer
        self.visible = False
        self.has_axis = True
        """Whether the percentages are shown to the left of the curves."""

    @property
    def is_on(self) -> bool:
        """Whether the graph is shown."""
        return self.visible

    @property
    def is_available(self) -> bool:
        """Whether the match can be reviewed.

        It must be over, so that nothing is secret any more. If it has a single seat, its game must have a solver.
        """
        return self.reviewer.is_available

    @property
    def is_mirrored(self) -> bool:
        """Whether two seats play against each other, so that one curve shows the chances of both."""
        return len(self.page.names) == 2 and not self.page.match.game.facts(2).solver

    def curves(self) -> dict[int, list[CurvePoint]]:
        """Return the points of each seat's curve, in the order of the turns.

        The result is empty until the review has its first results. A curve has a point at the start of each evaluated
        turn of the seat and, if the curves mirror each other, of the opponent. If the match is over, the last point is
        its outcome: the winners share 1 equally, as do all seats after a draw. Losers get 0.
        """
        review, end = self.reviewer.review, len(self.page.history)
        if review is None:
            return {}
        curves: dict[int, list[CurvePoint]] = {seat: [] for seat in range(len(self.page.names))}
        for turn in review.turns:
            if turn.best_value is None:
                continue
            share, is_proved = turn.best_value.value, turn.best_value.is_proved
            curves[turn.seat].append(CurvePoint(turn.start, share, is_proved))
            if self.is_mirrored:
                curves[1 - turn.seat].append(CurvePoint(turn.start, 1.0 - share, is_proved))
        state = self.page.history[-1].state
        if state.result is not None:
            for seat, points in curves.items():
                points.append(CurvePoint(end, final_value(state, seat).value, True))
        return curves

    def share_at(self, seat: int, ply: float) -> float | None:
        """Return a seat's chance of winning after ``ply`` moves, interpolated along its curve.

        Returns None if the curve doesn't extend to ``ply``.
        """
        points = self.curves().get(seat, [])
        for before, after in pairwise(points):
            if before.ply <= ply <= after.ply:
                part = (ply - before.ply) / max(1, after.ply - before.ply)
                return before.share + (after.share - before.share) * part
        return points[-1].share if points and points[-1].ply == ply else None

    def accessible_text(self) -> str:
        """Return a text with each seat's chance of winning in the position shown, if known."""
        shares = {seat: self.share_at(seat, self.page.at_ply) for seat in range(len(self.page.names))}
        chance_texts = [
            _("{who}: {share}%", who=self.page.names[seat], share=round(100 * share))
            for seat, share in shares.items()
            if share is not None
        ]
        return ", ".join([_("Chances of winning"), *chance_texts])

    def toggle(self) -> None:
        """Show the graph and start the review, or hide the graph and stop the review."""
        self.visible = self.is_available and not self.visible
        if self.visible:
            self.reviewer.start()
        else:
            self.reviewer.close()
        self.page.update()

    # Positions and input

    @property
    def plot(self) -> Rect:
        """Rectangle in which the curves are drawn."""
        plot = self.rect.cut_top(LEGEND_HEIGHT_PX)[1].inset(0, 3)
        return plot.cut_left(AXIS_WIDTH_PX)[1] if self.has_axis else plot

    def x_of_ply(self, ply: float) -> float:
        """Return the x coordinate that corresponds to a number of moves made."""
        return self.plot.x + self.plot.w * ply / max(1, len(self.page.history))

    def y_of_share(self, seat: int, share: float) -> float:
        """Return the y coordinate of ``share``, the given seat's chance of winning as a number from 0 to 1.

        If one curve shows the chances of both seats, the second seat's chance is measured from the top.
        """
        if self.is_mirrored and seat == 1:
            share = 1.0 - share
        return self.plot.bottom - share * self.plot.h

    def marked_ply_near(self, x: float) -> int | None:
        """Return the number of moves up to the mark nearest to ``x``, or None if no mark is close enough.

        A mark stands at the end of an annotated turn.
        """
        nearest = min(
            self.reviewer.marked_turns(), key=lambda one: abs(self.x_of_ply(one.end) - x), default=None
        )
        return (
            nearest.end
            if nearest is not None and abs(self.x_of_ply(nearest.end) - x) <= MARK_HIT_DISTANCE_PX
            else None
        )

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button != "left":
            return False
        stop = self.marked_ply_near(x)
        if stop is None:
            share = (x - self.plot.x) / max(1.0, self.plot.w)
            stop = round(max(0.0, min(1.0, share)) * len(self.page.history))
        self.page.go_to(stop)
        return True

    def on_pointer_move(self, x: float, y: float) -> None:
        self.page.timeline.on_hover(self.marked_ply_near(x))

    def on_pointer_leave(self) -> None:
        self.page.timeline.on_hover(None)

    def next_mistake_ply(self) -> int | None:
        """Return how many moves were made before the next mistake, or None if there are no mistakes.

        The next mistake is the first that begins after the position shown. If there is none, it is the first in the
        match.
        """
        places = [one.start for one in self.reviewer.mistakes()]
        return next((at for at in places if at > self.page.at_ply), min(places, default=None))

    # Painting

    def _colour_of(self, style: Style, seat: int) -> Colour:
        colours = (style.action, style.amber, style.warning, *style.marbles[3:], style.ink)
        return colours[seat % len(colours)]

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.page.history:
            return
        plot = self.plot
        canvas.rect(plot, style.card)
        self._paint_legend(canvas, style, self.rect.cut_top(LEGEND_HEIGHT_PX)[0])
        self._paint_curves(canvas, style)
        canvas.outline(plot, style.hairline)
        if self.has_axis:
            self._paint_axis(canvas, style, self.rect.cut_left(AXIS_WIDTH_PX)[0])
        canvas.hairline(self.x_of_ply(self.page.at_ply), plot.y, plot.h, style.action, vertical=True)
        self._paint_marks(canvas, style)

    def _paint_curves(self, canvas: Canvas, style: Style) -> None:
        plot, curves = self.plot, self.curves()
        with canvas.clip(plot):
            for seat, points in curves.items():
                self._paint_area(canvas, style, seat, points)
        canvas.hairline(plot.x, plot.cy, plot.w, style.tertiary_ink)
        with canvas.clip(plot):
            for seat, points in curves.items():
                if seat == 0 or not self.is_mirrored:
                    self._paint_curve(canvas, style, seat, points)

    def _paint_area(self, canvas: Canvas, style: Style, seat: int, points: Sequence[CurvePoint]) -> None:
        """Fill the area between a seat's curve and the 50% line.

        If two seats play against each other, fill it only where the seat's chance of winning is above 50%.
        """
        colour, few = self._colour_of(style, seat), len(self.page.names) <= 3
        for before, after in pairwise(points):
            is_proved = before.is_proved and after.is_proved
            strength = PROVED_OPACITY if is_proved else ESTIMATED_OPACITY
            fill = multiply_alpha(colour, strength if few else strength / 2)
            for part in _split_at_half(before, after):
                if not self.is_mirrored or max(point.share for point in part) > 0.5:
                    ends = [(self.x_of_ply(point.ply), self.y_of_share(seat, point.share)) for point in part]
                    canvas.area(ends, self.plot.cy, fill)

    def _paint_curve(self, canvas: Canvas, style: Style, seat: int, points: Sequence[CurvePoint]) -> None:
        line = [(self.x_of_ply(point.ply), self.y_of_share(seat, point.share)) for point in points]
        ink = style.secondary_ink if self.is_mirrored else self._colour_of(style, seat)
        canvas.path(line, ink, CURVE_WIDTH_PX)
        if not self.is_mirrored and line:
            x, y = line[-1]
            icons.draw_seat_symbol(
                canvas, seat, x - 6, max(self.plot.y + 5, y - 7), ink, SEAT_SYMBOL_RADIUS_PX
            )

    def _paint_axis(self, canvas: Canvas, style: Style, area: Rect) -> None:
        """Draw the percentages on the axis.

        When two seats play against each other, the 100% at the top is the first seat's, and the 100% at the bottom is
        the second seat's.
        """
        plot, ends = (
            self.plot,
            ((100, 0), (50, -1), (100, 1)) if self.is_mirrored else ((100, -1), (50, -1), (0, -1)),
        )
        for (percent, seat), y in zip(ends, (plot.y + 6, plot.cy, plot.bottom - 6), strict=True):
            text = _("{n}%", n=percent)
            place = Rect(area.x, y - 8, area.w - 8, 16)
            width = canvas.text_in(place, text, style.secondary_ink, "sans", SMALL_TEXT_PX - 1, 1)
            if seat >= 0:
                x = place.right - width - 10
                icons.draw_seat_symbol(
                    canvas, seat, x, y, self._colour_of(style, seat), SEAT_SYMBOL_RADIUS_PX
                )

    def _legend_entries(self, with_names: bool, with_signs: bool) -> list[LegendEntry]:
        entries = [
            LegendEntry("seat", name if with_names else "", seat) for seat, name in enumerate(self.page.names)
        ]
        if with_signs:
            entries += [LegendEntry("proved", _("proved")), LegendEntry("estimated", _("estimated"))]
            entries += [LegendEntry("mark", _("mistake"))] if self.reviewer.mistakes() else []
            entries += [] if self.has_axis else [LegendEntry("line", _("{n}%", n=50))]
        return entries

    def _paint_legend(self, canvas: Canvas, style: Style, area: Rect) -> None:
        if self.has_axis:
            area = area.cut_left(AXIS_WIDTH_PX)[1]
        if self.reviewer.review is None:
            canvas.text_in(area, _("Analysing…"), style.secondary_ink, "sans", SMALL_TEXT_PX)
            return

        def width(entry: LegendEntry) -> float:
            text = canvas.text_width(entry.text, "sans", SMALL_TEXT_PX) + 5 if entry.text else 0.0
            return SWATCH_WIDTH_PX + text + LEGEND_GAP_PX

        # If there is too little room, leave out the names, and then the meanings of the signs as well.
        ways = [(True, True), (False, True), (False, False)]
        entries = [self._legend_entries(*way) for way in ways]
        shown = next((each for each in entries if sum(map(width, each)) <= area.w), entries[-1])
        x = area.x
        for entry in shown:
            self._paint_sample(canvas, style, entry, Rect(x, area.cy - 5, SWATCH_WIDTH_PX, 10))
            place = Rect(x + SWATCH_WIDTH_PX + 5, area.y, area.right - x - SWATCH_WIDTH_PX - 5, area.h)
            canvas.text_in(place, entry.text, style.secondary_ink, "sans", SMALL_TEXT_PX)
            x += width(entry)

    def _paint_sample(self, canvas: Canvas, style: Style, entry: LegendEntry, box: Rect) -> None:
        if entry.sample == "seat":
            colour = self._colour_of(style, entry.seat)
            icons.draw_seat_symbol(canvas, entry.seat, box.cx, box.cy, colour, SEAT_SYMBOL_RADIUS_PX + 1)
        elif entry.sample == "mark":
            canvas.disc(box.cx, box.cy, MARK_RADIUS_PX, style.warning)
        elif entry.sample == "line":
            canvas.hairline(box.x, box.cy, box.w, style.tertiary_ink)
        else:
            opacity = PROVED_OPACITY if entry.sample == "proved" else ESTIMATED_OPACITY
            canvas.rect(box, style.card)
            canvas.rect(box, multiply_alpha(style.ink, opacity))
            canvas.outline(box, style.hairline)

    def _mark_y(self, turn: TurnReview) -> float:
        share = self.share_at(turn.seat, turn.end)
        if share is None and turn.played_value is not None:
            share = turn.played_value.value
        return self.y_of_share(turn.seat, 0.5 if share is None else share)

    def _mark_text(self, turn: TurnReview) -> str:
        return turn.mark

    def _paint_marks(self, canvas: Canvas, style: Style) -> None:
        free, plot = self.plot.x, self.plot
        for turn in self.reviewer.marked_turns():
            x, y, text = self.x_of_ply(turn.end), self._mark_y(turn), self._mark_text(turn)
            ink = style.warning if turn.loss >= 15 else style.amber if turn.loss else style.secondary_ink
            canvas.disc(x, y, MARK_RADIUS_PX, ink)
            if not turn.is_proved:
                canvas.disc(x, y, MARK_RADIUS_PX - 1.5, style.card)
            width = canvas.text_width(text, "bold", SMALL_TEXT_PX)
            left = min(x - width / 2, plot.right - width - 2)
            if left >= free:
                above = y - 18 >= plot.y
                place = Rect(left, y - 19 if above else y + 4, width + 1, 16)
                # The background keeps the text legible on any area.
                canvas.rect(place.inset(-2, 1), multiply_alpha(style.card, 0.85), 3)
                canvas.text_in(place, text, ink, "bold", SMALL_TEXT_PX)
                free = left + width + 4


def _split_at_half(before: CurvePoint, after: CurvePoint) -> list[tuple[CurvePoint, CurvePoint]]:
    """Return the line between two points of a curve as one segment, or as two if it crosses 50%."""
    if (before.share - 0.5) * (after.share - 0.5) >= 0:
        return [(before, after)]
    ply = before.ply + (after.ply - before.ply) * (0.5 - before.share) / (after.share - before.share)
    crossing = CurvePoint(ply, 0.5, before.is_proved and after.is_proved)
    return [(before, crossing), (crossing, after)]


EVALUATED_TURN_TEXTS = {
    "wins": N_("{number}  {turn}  wins in {n}"),
    "loses": N_("{number}  {turn}  loses in {n}"),
    "surely-wins": N_("{number}  {turn}  wins"),
    "surely-loses": N_("{number}  {turn}  loses"),
}

EVALUATION_BAR_HEIGHT_PX = 64.0
"""Height of the evaluation bar with the best turns side by side, in logical pixels."""
EVALUATION_CARD_WIDTH_PX, EVALUATION_CARD_HEIGHT_PX = 250.0, 110.0
"""Width of the evaluation bar beside the boards, and its height with three turns one below the other."""
MAX_EVALUATION_WIDTH_FRACTION = 0.4
TURN_LINE_HEIGHT_PX = 20.0


def share_percent(share: float) -> int:
    """Return a chance of winning in percent, from 1 to 99; 0 and 100 are reserved for proved results."""
    return max(1, min(99, round(100 * share)))


class EvaluationBar(InertWidget):
    """Evaluation bar for the seat to move, with the best turns below it.

    Turns whose evaluation isn't reliable are drawn paler.
    """

    def __init__(self, advice: HintsAndAnalysis) -> None:
        super().__init__("standing")
        self.advice = advice

    def place_at_right(self, area: Rect, shown_cards: Sequence[Rect]) -> None:
        """Lay out the bar at the right edge of ``area``, below any of ``shown_cards`` that reach into its column.

        This keeps the middle of the picture free for the boards and the top of a pyramid.
        """
        width = min(EVALUATION_CARD_WIDTH_PX, area.w * MAX_EVALUATION_WIDTH_FRACTION)
        y = max([card.bottom + 6 for card in shown_cards if card.right > area.right - width], default=area.y)
        self.layout(Rect(area.right - width, y, width, EVALUATION_CARD_HEIGHT_PX))

    def describe_evaluation(self) -> str:
        """Return the line above the bar: who wins or loses, or else the chance of winning.

        Before there is a result, the line says that the analysis is running.
        """
        choice = self.advice.best_choice
        if choice is None:
            return _("Analysing…")
        analysis = choice.analysis
        who = self.advice.page.names[analysis.seat]
        if analysis.wins_in:
            return ngettext("{who} wins in {n} turn", "{who} wins in {n} turns", analysis.wins_in, who=who)
        if analysis.loses_in:
            return ngettext("{who} loses in {n} turn", "{who} loses in {n} turns", analysis.loses_in, who=who)
        best = analysis.turns[0] if analysis.turns else None
        if best is not None and best.is_proved and best.mean_value in (0.0, 1.0):
            return _("{who} wins", who=who) if best.mean_value else _("{who} loses", who=who)
        return _("{who}: {share}%", who=who, share=share_percent(analysis.mean))

    def best_turns(self) -> list[tuple[str, bool]]:
        """Return the best turns: for each, a description and whether its evaluation is reliable.

        An evaluation is reliable if it is proved or based on at least :data:`.MIN_RELIABLE_VISITS` visits. The list is
        empty if there is no result yet or the analysis must not be shown now.
        """
        advice = self.advice
        if advice.best_choice is None or not advice.is_allowed:
            return []
        return [
            (self._describe_turn(number, turn), turn.is_proved or turn.visits >= MIN_RELIABLE_VISITS)
            for number, turn in enumerate(advice.best_choice.analysis.turns, 1)
        ]

    def _describe_turn(self, rank: int, turn: MoveEvaluation) -> str:
        text = self.short_turn_text(turn)
        if turn.is_proved and turn.mean_value in (0.0, 1.0):
            how = "wins" if turn.mean_value else "loses"
            if turn.turns_to_end:
                return _(EVALUATED_TURN_TEXTS[how], (turn.turns_to_end + 1) // 2, number=rank, turn=text)
            return _(EVALUATED_TURN_TEXTS[f"surely-{how}"], number=rank, turn=text)
        return _("{number}  {turn}  {share}%", number=rank, turn=text, share=share_percent(turn.mean_value))

    def short_turn_text(self, turn: MoveEvaluation) -> str:
        """Return a short description of a turn, or the notation of its moves if there is no description."""
        return self.advice.describe_turn(turn.move_texts) or " ".join(
            text for move in turn.move_texts for _, text in move_tokens(move)
        )

    def turn_rects(self, area: Rect, count: int) -> list[Rect]:
        """Return the rectangles of ``count`` turns.

        They are stacked vertically or, if ``area`` isn't high enough for two lines, side by side.
        """
        if area.h >= 2 * TURN_LINE_HEIGHT_PX:
            return [
                Rect(area.x, area.y + TURN_LINE_HEIGHT_PX * line, area.w, TURN_LINE_HEIGHT_PX)
                for line in range(count)
            ]
        each = area.w / max(1, count)
        return [Rect(area.x + each * column, area.y, each - 6, area.h) for column in range(count)]

    def paint(self, canvas: Canvas, style: Style) -> None:
        box = self.rect
        paint_card_background(canvas, style, box)
        inner = box.inset(12, 6)
        line, rest = inner.cut_top(20)
        choice = self.advice.best_choice
        left = line.x
        if choice is not None:
            icons.draw_seat_symbol(canvas, choice.analysis.seat, line.x + 7, line.cy, style.action, 6)
            left += 20
        canvas.text_fit(
            Rect(left, line.y, line.right - left, line.h),
            self.describe_evaluation(),
            style.ink,
            "bold",
            BODY_TEXT_PX,
        )
        bar, rest = rest.cut_top(12)
        bar = Rect(bar.x, bar.cy - 3, bar.w, 6)
        canvas.rect(bar, style.recessed, 3)
        if choice is not None:
            analysis = choice.analysis
            share = analysis.mean
            if share * bar.w >= 6:
                canvas.rect(Rect(bar.x, bar.y, bar.w * share, bar.h), style.action, 3)
        canvas.hairline(bar.cx, bar.y - 2, bar.h + 4, style.tertiary_ink, vertical=True)
        turns = self.best_turns()
        for (text, is_reliable), space in zip(turns, self.turn_rects(rest, len(turns)), strict=True):
            canvas.text_fit(
                space, text, style.ink if is_reliable else style.tertiary_ink, "sans", SMALL_TEXT_PX
            )
