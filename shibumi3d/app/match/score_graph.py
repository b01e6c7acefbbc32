"""Graph of the score that was still possible after each turn of a solo game, for its review."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import _
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style

from ..ui.canvas import Canvas
from .evaluation import CURVE_WIDTH_PX, ESTIMATED_OPACITY, EvaluationGraph, LegendEntry

if TYPE_CHECKING:
    from shibumi3d.search.review.results import TurnReview

MIN_SCORE_RANGE = 4
"""Minimum range of scores that the graph covers."""
PLOT_MARGIN_PX = 9.0
"""Distance of the highest score from the top edge, in pixels."""
MIN_LABEL_DISTANCE_PX = 14.0
"""Minimum vertical distance between two scores of the axis, in pixels."""


class ScorePoint(NamedTuple):
    """The proved best score that is still possible after ``ply`` moves; None if the game is lost."""

    ply: int
    score: int | None


class ScoreGraph(EvaluationGraph):
    """Graph of the score that was still possible after each turn, below a line at the best score of the deal.

    It falls at each turn that cost points, which is marked with what it cost. A lost game ends at the lower edge.
    """

    def score_points(self) -> list[ScorePoint]:
        """Return the scores in the order played; empty until something is proved."""
        review = self.reviewer.review
        turns = [turn for turn in review.turns if turn.is_scored] if review is not None else []
        points = [ScorePoint(turns[0].start, turns[0].best_score)] if turns else []
        return points + [ScorePoint(turn.end, turn.played_score) for turn in turns]

    def score_at(self, ply: int) -> ScorePoint | None:
        """Return the score that is still possible after ``ply`` moves, or None where it is unknown."""
        points = self.score_points()
        if not points or ply < points[0].ply:
            return None
        return next(point for point in reversed(points) if point.ply <= ply)

    @property
    def _range(self) -> tuple[int, int]:
        """The lowest and the highest score of the graph."""
        scores = [point.score for point in self.score_points() if point.score is not None]
        high = max(scores, default=MIN_SCORE_RANGE)
        return min(min(scores, default=0) - 1, high - MIN_SCORE_RANGE), high

    def y_of_score(self, score: int | None) -> float:
        """Return the y coordinate of a score; a lost game is at the lower edge."""
        plot, (low, high) = self.plot, self._range
        if score is None:
            return plot.bottom
        return plot.bottom - (plot.h - PLOT_MARGIN_PX) * (score - low) / (high - low)

    def accessible_text(self) -> str:
        points, here = self.score_points(), self.score_at(self.page.at_ply)
        if not points or here is None:
            return _("Score still possible")
        parts = [
            _("Score still possible: {n} of {best}", n=here.score, best=points[0].score)
            if here.score is not None
            else _("No way to win any more")
        ]
        parts += [self.reviewer.describe_cost(turn) for turn in self.reviewer.mistakes()]
        return ", ".join(parts)

    def _mark_y(self, turn: TurnReview) -> float:
        return self.y_of_score(turn.played_score)

    def _mark_text(self, turn: TurnReview) -> str:
        if turn.best_score is None or turn.played_score is None:
            return turn.mark
        return f"−{turn.best_score - turn.played_score}"

    def _paint_curves(self, canvas: Canvas, style: Style) -> None:
        points, plot = self.score_points(), self.plot
        if not points:
            return
        best_y = self.y_of_score(points[0].score)
        line = [(self.x_of_ply(points[0].ply), best_y)]
        for before, after in pairwise(points):
            left, right = self.x_of_ply(before.ply), self.x_of_ply(after.ply)
            y, next_y = self.y_of_score(before.score), self.y_of_score(after.score)
            # The score falls when the turn ends.
            line += [(right, y), (right, next_y)]
            level = [(left, y), (right, y)]
            canvas.area(level, plot.bottom, multiply_alpha(style.action, ESTIMATED_OPACITY))
            if y > best_y:
                canvas.area(level, best_y, multiply_alpha(style.amber, ESTIMATED_OPACITY))
        canvas.hairline(plot.x, best_y, plot.w, style.amber)
        with canvas.clip(plot):
            canvas.path(line, style.action, CURVE_WIDTH_PX)

    def _paint_axis(self, canvas: Canvas, style: Style, area: Rect) -> None:
        above = self.plot.y - MIN_LABEL_DISTANCE_PX
        for score in sorted({point.score for point in self.score_points()} - {None}, reverse=True):  # type: ignore[type-var]
            y = self.y_of_score(score)
            if y - above >= MIN_LABEL_DISTANCE_PX:
                place = Rect(area.x, y - 8, area.w - 8, 16)
                canvas.text_in(place, str(score), style.secondary_ink, "sans", SMALL_TEXT_PX - 1, 1)
                above = y

    def _legend_entries(self, with_names: bool, with_signs: bool) -> list[LegendEntry]:
        points = self.score_points()
        if not points:
            return []
        entries = [LegendEntry("reach", _("score still possible"))] if with_names else []
        entries.append(LegendEntry("best", _("best possible: {n}", n=points[0].score)))
        if with_signs and self.reviewer.mistakes():
            entries.append(LegendEntry("mark", _("mistake")))
        return entries

    def _paint_sample(self, canvas: Canvas, style: Style, entry: LegendEntry, box: Rect) -> None:
        if entry.sample == "reach":
            canvas.rect(box, multiply_alpha(style.action, ESTIMATED_OPACITY))
            canvas.path([(box.x, box.y), (box.right, box.y)], style.action, CURVE_WIDTH_PX)
        elif entry.sample == "best":
            canvas.hairline(box.x, box.cy, box.w, style.amber)
        else:
            super()._paint_sample(canvas, style, entry, box)
