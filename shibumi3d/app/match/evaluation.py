"""Evaluation bar of a match page, and evaluation graph of a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.players import MIN_RELIABLE_VISITS
from shibumi3d.wording import move_tokens

from ..ui import icons
from ..ui.canvas import Canvas, paint_card_background
from ..ui.widget import InertWidget, Key, Widget
from .review import MatchReviewer

if TYPE_CHECKING:
    from shibumi3d.rules.search_protocols import MoveEvaluation

    from .hints import HintsAndAnalysis
    from .replay import ReplayOwner


EVALUATION_GRAPH_HEIGHT_PX = 48.0
"""Height of the graph."""
MARK_STRIP_HEIGHT_PX = 20.0
"""Height of the strip above the bars that is reserved for the marks of turns."""
MARK_HIT_DISTANCE_PX = 12.0
"""Maximum horizontal distance at which the pointer still selects a mark."""
SEAT_SIGN_RADIUS_PX = 4.0
"""Half the height of a seat's symbol."""
BASELINE_MARGIN_PX = 3.0
"""Space below the baseline of the bars if there are three or more seats."""


class EvaluationGraph(Widget):
    """Evaluation graph with a bar for each turn.

    With two seats, a bar points up if the first seat is ahead and down if the second is. With more seats, the height of
    a bar is the evaluation of the leading seat, and the seat's symbol is drawn wherever the lead changes.

    Turns with an annotation are marked above the bars: with a filled square if the evaluations are proved, and with an
    empty square if they are estimates.
    """

    def __init__(self, page: ReplayOwner, reviewer: MatchReviewer) -> None:
        super().__init__("band")
        self.page, self.reviewer = page, reviewer
        self.visible = False

    @property
    def is_on(self) -> bool:
        """Whether the graph is shown."""
        return self.visible

    @property
    def is_available(self) -> bool:
        """Whether the match can be reviewed.

        The match must have several seats, and it must be over, so that nothing is secret any more.
        """
        return self.reviewer.is_available

    @property
    def evaluations_by_ply(self) -> dict[int, tuple[int, float]]:
        """Evaluations by the number of moves made: a seat, and its value from 0 (loss) to 1 (win).

        Each evaluation is for the seat to move. The entry for the end of the match holds the first winner and an equal
        share of 1 among the winners, or among all seats if there are none.
        """
        history, review = self.page.history, self.reviewer.review
        if review is None:
            return {}
        evaluations = {
            turn.start: (turn.seat, turn.best_value.value)
            for turn in review.turns
            if turn.best_value is not None
        }
        if (result := history[-1].state.result) is not None:
            winners = result.winners or range(len(self.page.names))
            evaluations[len(history)] = winners[0], 1.0 / len(winners)
        return evaluations

    @property
    def first_seat_shares(self) -> dict[int, float]:
        """Evaluations from the point of view of the first of two seats, by the number of moves made."""
        return {
            n: share if seat == 0 else 1.0 - share for n, (seat, share) in self.evaluations_by_ply.items()
        }

    def leaders_by_ply(self) -> dict[int, tuple[int, float]]:
        """Return the leading seat and its value, by the number of moves made.

        The leader is the seat with the highest value in its latest evaluation. There are no entries until every seat
        has been evaluated. The last entry is the result.
        """
        latest: dict[int, float] = {}
        leaders = {}
        for number, (seat, share) in sorted(self.evaluations_by_ply.items()):
            latest[seat] = share
            if number == len(self.page.history):
                leaders[number] = seat, share
            elif len(latest) == len(self.page.names):
                leader = max(latest, key=lambda each: latest[each])
                leaders[number] = leader, latest[leader]
        return leaders

    def toggle(self) -> None:
        """Show the graph and start the review, or hide the graph and stop the review."""
        self.visible = self.is_available and not self.visible
        if self.visible:
            self.reviewer.start()
        else:
            self.reviewer.close()
        self.page.update()

    # Positions and input

    def x_of_ply(self, ply: float) -> float:
        """Return the x coordinate that corresponds to a number of moves made."""
        return self.rect.x + self.rect.w * ply / max(1, len(self.page.history))

    def marked_ply_near(self, x: float) -> int | None:
        """Return the number of moves made up to the end of the turn marked near ``x``, or None."""
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
            stop = round((x - self.rect.x) / max(1.0, self.rect.w) * len(self.page.history))
        self.page.go_to(stop)
        return True

    def on_pointer_move(self, x: float, y: float) -> None:
        self.page.timeline.on_hover(self.marked_ply_near(x))

    def on_pointer_leave(self) -> None:
        self.page.timeline.on_hover(None)

    def next_mistake_ply(self) -> int | None:
        """Return the number of moves made before the next mistake, or None if there are no mistakes.

        After the last mistake, the search starts again at the first.
        """
        places = [one.start for one in self.reviewer.mistakes()]
        return next((at for at in places if at > self.page.at_ply), min(places, default=None))

    # Painting

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.page.history:
            return
        marks, area = self.rect.cut_top(MARK_STRIP_HEIGHT_PX)
        if len(self.page.names) == 2:
            self._paint_two_seats(canvas, style, area)
        else:
            self._paint_leaders(canvas, style, area)
        here = self.x_of_ply(self.page.at_ply)
        canvas.hairline(here, area.y, area.h, style.action, vertical=True)
        self._paint_marks(canvas, style, marks)

    def _paint_marks(self, canvas: Canvas, style: Style, area: Rect) -> None:
        free = area.x - 20
        for turn in self.reviewer.marked_turns():
            x = self.x_of_ply(turn.end)
            ink = style.warning if turn.loss >= 15 else style.amber if turn.loss else style.secondary_ink
            box = Rect(x - 3, area.bottom - 7, 6, 6)
            if turn.is_proved:
                canvas.rect(box, ink)
            else:
                canvas.outline(box, ink, 0, 1.5)
            wide = canvas.text_width(turn.mark, "bold", SMALL_TEXT_PX)
            if x - wide / 2 >= free:
                canvas.text_in(
                    Rect(x - 15, area.y, 30, area.h - 8), turn.mark, ink, "bold", SMALL_TEXT_PX, 0.5
                )
                free = x + wide / 2 + 2

    def _bars(self, known: Iterable[int]) -> Iterator[tuple[int, float, float]]:
        """Yield the bar of each evaluation: the number of moves made, its left edge and its width.

        A bar is at least 2 pixels wide and ends one pixel before the next bar if there is room. The bar of the result
        takes up the last 2 pixels.
        """
        area, last, numbers = self.rect, len(self.page.history), sorted(known)
        for number, after in zip(numbers, [*numbers[1:], last][: len(numbers)], strict=True):
            x, end = (area.x + area.w * each / last for each in (number, max(after, number)))
            wide = max(2.0, min(end - x, area.w / last * max(1, after - number)) - 1)
            yield (number, area.right - 2, 2.0) if number == last else (number, x, wide)

    def _paint_two_seats(self, canvas: Canvas, style: Style, area: Rect) -> None:
        shares = self.first_seat_shares
        canvas.hairline(area.x, area.cy, area.w, style.hairline)
        for number, x, wide in self._bars(shares):
            high = (shares[number] - 0.5) * area.h
            if abs(high) >= 0.5:
                colour = style.action if high > 0 else style.amber
                canvas.rect(Rect(x, area.cy - max(high, 0.0), wide, abs(high)), colour)

    def _paint_leaders(self, canvas: Canvas, style: Style, area: Rect) -> None:
        _, area = area.cut_bottom(BASELINE_MARGIN_PX)
        canvas.hairline(area.x, area.bottom, area.w, style.hairline)
        best, colours = self.leaders_by_ply(), cycle((style.action, style.amber))
        leader, colour, free = -1, style.action, area.x
        for number, x, wide in self._bars(best):
            seat, share = best[number]
            changed, leader = seat != leader, seat
            if changed:
                colour = next(colours)
            high = share * area.h
            if high >= 0.5:
                canvas.rect(Rect(x, area.bottom - high, wide, high), colour)
            if changed and x >= free:
                icons.draw_seat_sign(
                    canvas, seat, x + SEAT_SIGN_RADIUS_PX, area.cy, style.ink, SEAT_SIGN_RADIUS_PX
                )
                free = x + 3 * SEAT_SIGN_RADIUS_PX


EVALUATED_TURN_TEXTS = {
    "wins": N_("{number}  {turn}  wins in {n}"),
    "loses": N_("{number}  {turn}  loses in {n}"),
    "surely-wins": N_("{number}  {turn}  wins"),
    "surely-loses": N_("{number}  {turn}  loses"),
}

EVALUATION_BAR_HEIGHT_PX = 64.0
"""Height with the best turns side by side, in logical pixels."""
EVALUATION_CARD_WIDTH_PX, EVALUATION_CARD_HEIGHT_PX = 250.0, 110.0
"""Width beside the boards, and height with the three best turns one below the other, in logical pixels."""
MAX_EVALUATION_WIDTH_FRACTION = 0.4
TURN_LINE_HEIGHT_PX = 20.0


def share_percent(share: float) -> int:
    """Return a chance of winning in percent, from 1 to 99; 0 and 100 are reserved for proved results."""
    return max(1, min(99, round(100 * share)))


class EvaluationBar(InertWidget):
    """Evaluation bar for the seat to move, with the best turns below it.

    Turns that have hardly been searched are drawn paler.
    """

    def __init__(self, advice: HintsAndAnalysis) -> None:
        super().__init__("standing")
        self.advice = advice

    def place_at_right(self, area: Rect, shown_cards: Sequence[Rect]) -> None:
        """Lay out the bar at the right edge of ``area``, below the cards there.

        The middle of the picture belongs to the boards, with the apex of a pyramid at the top.
        """
        wide = min(EVALUATION_CARD_WIDTH_PX, area.w * MAX_EVALUATION_WIDTH_FRACTION)
        y = max([card.bottom + 6 for card in shown_cards if card.right > area.right - wide], default=area.y)
        self.layout(Rect(area.right - wide, y, wide, EVALUATION_CARD_HEIGHT_PX))

    def describe_evaluation(self) -> str:
        """Return a description of the evaluation."""
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

        An evaluation is reliable if it is proved or based on at least :data:`.MIN_RELIABLE_VISITS` visits.
        """
        advice = self.advice
        if advice.best_choice is None or not advice.is_allowed:
            return []
        return [
            (self._describe_turn(number, turn), turn.is_proved or turn.visits >= MIN_RELIABLE_VISITS)
            for number, turn in enumerate(advice.best_choice.analysis.turns, 1)
        ]

    def _describe_turn(self, number: int, turn: MoveEvaluation) -> str:
        text = self.short_turn_text(turn)
        if turn.is_proved and turn.mean_value in (0.0, 1.0):
            how = "wins" if turn.mean_value else "loses"
            if turn.turns_to_end:
                return _(EVALUATED_TURN_TEXTS[how], (turn.turns_to_end + 1) // 2, number=number, turn=text)
            return _(EVALUATED_TURN_TEXTS[f"surely-{how}"], number=number, turn=text)
        return _("{number}  {turn}  {share}%", number=number, turn=text, share=share_percent(turn.mean_value))

    def short_turn_text(self, turn: MoveEvaluation) -> str:
        """Return a short description of a turn, or the notation of its moves."""
        return self.advice.describe_turn(turn.move_texts) or " ".join(
            text for move in turn.move_texts for _, text in move_tokens(move)
        )

    def turn_rects(self, area: Rect, count: int) -> list[Rect]:
        """Return the rectangles of ``count`` turns, one below the other or, in a low ``area``, side by side."""
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
            icons.draw_seat_sign(canvas, choice.analysis.seat, line.x + 7, line.cy, style.action, 6)
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
