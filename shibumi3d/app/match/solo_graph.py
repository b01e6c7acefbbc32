"""Graph in the review of a solo game: the best result that was still possible after each turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import _, pgettext
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style

from ..ui.canvas import Canvas
from .evaluation import CURVE_WIDTH_PX, ESTIMATED_OPACITY, EvaluationGraph, LegendEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shibumi3d.search.review.results import TurnReview, ValueBounds

    from .replay import ReplayOwner
    from .review import MatchReviewer

MIN_SCORE_RANGE = 4
"""Minimum difference between the highest and the lowest score on the graph, in a game with scores."""
PLOT_MARGIN_PX = 9.0
"""Distance of the best result from the top edge of the graph, in logical pixels."""
MIN_LABEL_DISTANCE_PX = 14.0
"""Minimum vertical distance between two labels of the axis, in logical pixels."""
WON = 1
"""Score that stands for "can still be won" in a game without scores."""


class TurnScores(NamedTuple):
    """The moves of a turn, and the best score that was proved to be possible before and after it.

    A score is None if the game can no longer be won. In a game without scores, :data:`WON` means that it can still be
    won. The moves are those from ``start`` up to, but not including, ``end``.
    """

    start: int
    end: int
    before: int | None
    after: int | None


class SoloGraph(EvaluationGraph):
    """Graph of the best result that was still possible at each moment of a solo game.

    It shows the best possible score or, if the game isn't scored, whether the game could still be won. The graph falls
    at each turn that made the result worse. Such a turn is marked with the points that it cost or, if it lost the game,
    with its annotation symbol. Once the game is lost, the graph is at the lower edge. Where nothing is proved, the
    graph has gaps.
    """

    def __init__(self, page: ReplayOwner, reviewer: MatchReviewer, known_best: int | None) -> None:
        super().__init__(page, reviewer)
        self.known_best = known_best
        """Best score of the deal or game if it is known without a review, or None."""

    @property
    def best(self) -> int | None:
        """Best score that was possible when the player began; None if it isn't known or the game couldn't be won."""
        first = next(iter(self.turn_scores()), None)
        if self.known_best is None and first is not None and first.start == self.reviewer.lead:
            return first.before
        return self.known_best

    @property
    def is_scored(self) -> bool:
        """Whether the game is played for a score."""
        return self.reviewer.match.game.facts(1).solver == "score"

    def turn_scores(self) -> list[TurnScores]:
        """Return the scores of the turns for which the best possible result is proved, in the order played."""
        review = self.reviewer.review
        turns: Iterable[TurnReview] = review.turns if review is not None else ()
        if self.is_scored:
            return [
                TurnScores(turn.start, turn.end, turn.best_score, turn.played_score)
                for turn in turns
                if turn.is_scored
            ]
        return [
            TurnScores(turn.start, turn.end, _result(turn.best_value), _result(turn.played_value))
            for turn in turns
            if turn.best_value is not None and turn.played_value is not None
        ]

    def accessible_text(self) -> str:
        ply, turn_scores = self.page.at_ply, self.turn_scores()
        found = [each.before for each in turn_scores if each.start <= ply < each.end]
        found += [each.after for each in turn_scores if each.end == ply]
        if not found:
            text = (
                _("Best possible result")
                if not turn_scores
                else _("Nothing has been proved about this position")
            )
        elif found[0] is None:
            text = _("No way to win any more")
        elif self.is_scored:
            text = _("Best score still possible: {n}", n=found[0])
        else:
            text = _("This can still be won")
        return ", ".join([text, *map(self.reviewer.describe_cost, self.reviewer.mistakes())])

    @property
    def _range(self) -> tuple[int, int]:
        """The scores at the lower and the upper end of the graph's vertical axis."""
        if not self.is_scored:
            return WON - 1, WON
        scores = self._scores()
        high = max(scores, default=MIN_SCORE_RANGE)
        return min(min(scores, default=0) - 1, high - MIN_SCORE_RANGE), high

    def _scores(self) -> list[int]:
        """Return all scores that the graph shows."""
        found = [self.best, *(score for each in self.turn_scores() for score in (each.before, each.after))]
        return [score for score in found if score is not None]

    def y_of_score(self, score: int | None) -> float:
        """Return the y coordinate of a score.

        For a lost game, ``score`` is None, and the result is the lower edge of the plot.
        """
        plot, (low, high) = self.plot, self._range
        if score is None:
            return plot.bottom
        return plot.bottom - (plot.h - PLOT_MARGIN_PX) * (score - low) / (high - low)

    def _mark_y(self, turn: TurnReview) -> float:
        return self.y_of_score(turn.played_score if self.is_scored else _result(turn.played_value))

    def _mark_text(self, turn: TurnReview) -> str:
        if turn.best_score is None or turn.played_score is None:
            return turn.mark
        return f"−{turn.best_score - turn.played_score}"

    def _paint_curves(self, canvas: Canvas, style: Style) -> None:
        plot, turn_scores = self.plot, self.turn_scores()
        if not turn_scores:
            return
        best_y = self.y_of_score(self.best if self.is_scored else WON)
        shows_best = self.is_scored and self.best is not None
        if shows_best:
            canvas.hairline(plot.x, best_y, plot.w, style.amber)
        with canvas.clip(plot):
            for each in turn_scores:
                left, right = self.x_of_ply(each.start), self.x_of_ply(each.end)
                y = self.y_of_score(each.before)
                level = [(left, y), (right, y)]
                canvas.area(level, plot.bottom, multiply_alpha(style.action, ESTIMATED_OPACITY))
                if shows_best and y > best_y:
                    canvas.area(level, best_y, multiply_alpha(style.amber, ESTIMATED_OPACITY))
                # The result changes when the turn ends.
                line = [*level, (right, self.y_of_score(each.after))]
                canvas.path(line, style.action, CURVE_WIDTH_PX)

    def _axis_labels(self) -> list[tuple[float, str]]:
        """Return the y coordinate and the text of each label of the axis, from top to bottom.

        Scores that are too close to the label above them are left out.
        """
        if not self.is_scored:
            texts = pgettext("graph", "winnable"), pgettext("graph", "lost")
            return list(zip((self.y_of_score(WON), self.plot.bottom - 6), texts, strict=True))
        labels = [(self.y_of_score(score), str(score)) for score in {*self._scores()}]
        shown: list[tuple[float, str]] = []
        for y, text in sorted(labels):
            if not shown or y - shown[-1][0] >= MIN_LABEL_DISTANCE_PX:
                shown.append((y, text))
        return shown

    def _paint_axis(self, canvas: Canvas, style: Style, area: Rect) -> None:
        for y, text in self._axis_labels():
            place = Rect(area.x, y - 8, area.w - 8, 16)
            width = canvas.text_width(text, "sans", SMALL_TEXT_PX - 1)
            place = place.cut_right(min(width + 1, place.w))[0]
            canvas.text_fit(place, text, style.secondary_ink, "sans", SMALL_TEXT_PX - 1)

    def _legend_entries(self, with_names: bool, with_signs: bool) -> list[LegendEntry]:
        turn_scores, entries = self.turn_scores(), []
        if not turn_scores:
            return []
        if with_names:
            text = _("best score still possible") if self.is_scored else _("still winnable")
            entries.append(LegendEntry("reach", text))
        if self.is_scored and self.best is not None:
            entries.append(LegendEntry("best", _("best possible: {n}", n=self.best)))
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


def _result(value: ValueBounds | None) -> int | None:
    """Return the score that stands for ``value`` in a game without scores.

    This is :data:`WON`, or None if the game is lost or ``value`` is None.
    """
    return WON if value is not None and value.value > 0.5 else None
