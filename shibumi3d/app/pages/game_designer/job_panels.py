"""Panels that playtest a game, or train its computer players, in a worker process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, format_percent, localize, ngettext
from shibumi3d.lab.jobs import GameText
from shibumi3d.lab.training import (
    MAX_TEST_MATCHES,
    MOVE_SECONDS,
    NOTHING_NEW,
    STORE_FILE,
    TrainingProgress,
    TrainingResult,
    save_if_accepted,
)
from shibumi3d.paths import cache_folder
from shibumi3d.scene.pen import Colour, multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.game_quality import DEFAULT_MATCHES, SUGGESTIONS, GameQuality, Proportion
from shibumi3d.search.worker import Worker

from ...host.player_setup import displayed_player_count
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.panel import Panel

if TYPE_CHECKING:
    from ...host import Host


POLL_SECONDS = 0.25
"""Interval between checks of the job's progress, in seconds."""
LINE_HEIGHT_PX, TEXT_ROW_HEIGHT_PX = 23.0, 17.0
"""Heights of a line of results and of a line of running text, in logical pixels."""


class JobPanel(Panel):
    """Panel that shows the progress and results of a job in a worker process.

    While the job is running, ``button`` is labelled "Stop" and has the tooltip ``stop_tip``.
    """

    def __init__(self, app: Host, button: Button, name: str, stop_tip: str) -> None:
        super().__init__("page", "top", name=name)
        self.app = app
        self.button = button
        self._idle_look = button.label, button.icon, button.tooltip
        self._running_look = _("Stop"), "pause", stop_tip
        self.is_running = False
        self.failure = ""
        self.is_outdated = False
        """Whether the text has changed since the job started."""
        self.worker: Worker | None = None
        self.visible = False

    def run(self, function: str, *args: object) -> None:
        """Start running a function in a new process and show the panel.

        ``function`` is the function's fully qualified name. If another job is running, it is abandoned.
        """
        self.close()
        self.failure, self.is_outdated = "", False
        self.worker = Worker()
        self.worker.submit(function, *args)
        self.is_running = self.visible = True
        self.app.schedule(POLL_SECONDS, self._poll)
        self._update_button()

    def close(self) -> None:
        """End the worker process."""
        self.is_running = False
        if self.worker is not None:
            self.worker.close()
            self.worker = None
        self._update_button()

    def on_progress(self, report: Any) -> None:
        """Handle the latest intermediate result.

        After the first intermediate result, this method is called at every poll, even if nothing has changed.
        """
        raise NotImplementedError

    def on_result(self, value: Any) -> None:
        """Handle the final result."""
        raise NotImplementedError

    def describe_failure(self, error: BaseException) -> str:
        """Return the message to show if the job fails with ``error``."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the job early, keeping the results so far."""
        raise NotImplementedError

    def preferred_height(self, canvas: Canvas, width: float) -> float:
        """Return the preferred height of the panel when it is ``width`` logical pixels wide."""
        raise NotImplementedError

    def _update_button(self) -> None:
        self.button.label, self.button.icon, self.button.tooltip = (
            self._running_look if self.is_running else self._idle_look
        )
        if self.parent is not None and self.parent.rect.w:
            self.parent.layout(self.parent.rect)
        self.refresh()

    def _poll(self) -> None:
        if self.worker is None or not self.is_running:
            return
        answer = self.worker.poll()
        if self.worker.report is not None:
            self.on_progress(self.worker.report)
        if answer is None:
            self.refresh()
            self.app.schedule(POLL_SECONDS, self._poll)
            return
        if answer.error is not None:
            self.failure = self.describe_failure(answer.error)
        else:
            self.on_result(answer.value)
        self.close()

    def paint_background(self, canvas: Canvas, style: Style) -> Rect:
        """Draw the panel's background and return the area inside it."""
        canvas.rect(self.rect, style.card, CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.hairline, CORNER_RADIUS_PX)
        return self.rect.inset(12, 8)

    def paint_header(self, canvas: Canvas, style: Style, rect: Rect, text: str, fraction: float) -> None:
        """Draw ``text`` and a progress bar filled to ``fraction`` (0 to 1).

        If the results are for an earlier version of the game, a note says so.
        """
        wide = canvas.text_in(rect, text, style.ink, "bold", SMALL_TEXT_PX)
        if self.is_outdated:
            room = Rect(rect.x + wide + 10, rect.y, rect.w - wide - 140, rect.h)
            canvas.text_in(room, _("for an earlier version"), style.secondary_ink, "sans", SMALL_TEXT_PX)
        bar = Rect(rect.right - 120, rect.cy - 3, 120, 6)
        canvas.rect(bar, style.recessed, 3)
        canvas.rect(Rect(bar.x, bar.y, bar.w * fraction, 6), style.action, 3)

    def text_height(self, canvas: Canvas, sentences: Sequence[str], width: float) -> float:
        """Return the height that ``sentences`` need in a panel of width ``width``."""
        return TEXT_ROW_HEIGHT_PX * sum(
            len(canvas.wrap(sentence, "sans", SMALL_TEXT_PX, width - 24)) for sentence in sentences
        )

    def draw_sentences(self, canvas: Canvas, area: Rect, sentences: Sequence[str], ink: Colour) -> None:
        """Draw ``sentences`` one below the other, wrapped to the width of ``area``."""
        for sentence in sentences:
            for row in canvas.wrap(sentence, "sans", SMALL_TEXT_PX, area.w):
                place, area = area.cut_top(TEXT_ROW_HEIGHT_PX)
                canvas.text_in(place, row, ink, "sans", SMALL_TEXT_PX)


def format_portion(portion: Proportion) -> str:
    """Format a fraction as a percentage with its confidence interval."""
    return _(
        "{part}% ({least}–{most}%)",
        part=round(100 * portion.value),
        least=round(100 * portion.low),
        most=round(100 * portion.high),
    )


class PlaytestPanel(JobPanel):
    """Panel with statistics from matches between computer players, and suggestions for the game."""

    def __init__(self, app: Host, button: Button) -> None:
        super().__init__(app, button, "judgement", _("Stop and keep the results so far  F6"))
        self.result: GameQuality | None = None
        self.games_wanted = DEFAULT_MATCHES

    def start(self, entry: Entry) -> None:
        """Start playtesting a game, discarding any earlier results."""
        self.result = None
        self.run(
            "shibumi3d.search.game_quality.measure_quality",
            entry.game(size=entry.size),
            displayed_player_count(entry),
            self.games_wanted,
        )

    def stop(self) -> None:
        if self.worker is not None and self.is_running:
            self.worker.hurry()

    def describe_failure(self, error: BaseException) -> str:
        return _("Playtest failed: {problem}.", problem=error)

    def on_progress(self, report: GameQuality) -> None:
        before, self.result = (self.statistics(), self.hints()), report
        if [len(part) for part in before] != [len(self.statistics()), len(self.hints())]:
            self._update_button()

    def on_result(self, value: GameQuality | None) -> None:
        if value is not None:
            self.result = value

    # Display

    def statistics(self) -> list[tuple[str, str]]:
        """Return the current statistics as pairs of a label and a value, or an empty list if there are none yet."""
        quality = self.result
        if quality is None:
            return []
        mean, shortest, longest = quality.turns
        rows = [
            (
                _("Turns per game"),
                _("{mean} ({least}–{most})", mean=f"{mean:.0f}", least=shortest, most=longest),
            )
        ]
        if len(quality.seat_shares) > 1:
            rows += [
                (_("Seat {n}'s score", n=seat + 1), format_portion(portion))
                for seat, portion in enumerate(quality.seat_shares)
            ][:4]
            rows.append((_("Draws"), format_percent(quality.draws)))
        else:
            rows.append((_("Solved"), format_portion(quality.seat_shares[0])))
        rows.append((_("Stuck or endless"), format_percent(quality.dead_ends + quality.endless)))
        rows.append((_("Choices per move"), f"{quality.choices:.0f}"))
        if quality.stronger_share is not None:
            label = (
                _("Stronger player's score")
                if len(quality.seat_shares) > 1
                else _("Solved by stronger player")
            )
            rows.append((label, format_portion(quality.stronger_share)))
        return rows

    def hints(self) -> list[str]:
        """Return translated suggestions for improving the game.

        If all matches have been played and there is nothing to improve, the only item is a sentence that says so.
        """
        quality = self.result
        if quality is None:
            return []
        if not quality.suggestions and quality.games == quality.total:
            return [
                _(
                    "The playtest found nothing to improve: the game is balanced, matches end, and skill matters."
                )
                if len(quality.seat_shares) > 1
                else _("The playtest found nothing to improve.")
            ]
        return [localize(SUGGESTIONS[key]) for key in quality.suggestions]

    def preferred_height(self, canvas: Canvas, width: float) -> float:
        return (
            LINE_HEIGHT_PX * (len(self.statistics()) + 1) + self.text_height(canvas, self.hints(), width) + 22
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        area = self.paint_background(canvas, style)
        quality = self.result
        head, area = area.cut_top(LINE_HEIGHT_PX)
        if self.failure:
            canvas.text_fit(head, self.failure, style.warning, "sans", SMALL_TEXT_PX)
        elif quality is None:
            canvas.text_in(head, _("Starting…"), style.secondary_ink, "sans", SMALL_TEXT_PX)
        else:
            progress_text = ngettext(
                "{n} of {wanted} games", "{n} of {wanted} games", quality.games, wanted=quality.total
            )
            self.paint_header(canvas, style, head, progress_text, quality.games / max(1, quality.total))
        with canvas.clip(self.rect.inset(1)):
            for name, value in self.statistics():
                place, area = area.cut_top(LINE_HEIGHT_PX)
                wide = canvas.text_width(value, "bold", SMALL_TEXT_PX)
                canvas.text_in(
                    Rect(place.x, place.y, place.w - wide - 8, place.h),
                    name,
                    style.secondary_ink,
                    "sans",
                    SMALL_TEXT_PX,
                )
                canvas.text_in(place, value, style.ink, "bold", SMALL_TEXT_PX, 1)
                canvas.hairline(place.x, place.bottom - 1, place.w, multiply_alpha(style.hairline, 0.6))
            _unused, area = area.cut_top(6)
            self.draw_sentences(canvas, area, self.hints(), style.ink)


class TrainingPanel(JobPanel):
    """Panel that shows the progress of training a game's computer players.

    The result is saved only if it makes the strongest level stronger.
    """

    def __init__(self, app: Host, button: Button) -> None:
        super().__init__(app, button, "lesson", _("Stop; training resumes from here next time  Ctrl+L"))
        self.last_step: TrainingProgress | None = None
        self.result_text = ""
        """Result of the training, in words; empty until it ends."""
        self.seconds, self.max_games = MOVE_SECONDS, MAX_TEST_MATCHES
        self._library = Path()

    def start(self, entry: Entry) -> None:
        """Start training the computer players of a game.

        Work completed in earlier training runs is not repeated.
        """
        self.last_step, self.result_text, self._library = None, "", Path(entry.learned_folder)
        table = GameText.from_entry(entry, seats=displayed_player_count(entry), size=entry.size)
        self.run(
            "shibumi3d.lab.training.train_in_worker",
            table,
            cache_folder() / STORE_FILE,
            self.seconds,
            self.max_games,
            str(self._library),
        )

    def stop(self) -> None:
        self.result_text = _("Stopped. Training will resume from here next time.")
        self.close()

    def describe_failure(self, error: BaseException) -> str:
        return _("Training failed: {problem}.", problem=error)

    def on_progress(self, report: TrainingProgress) -> None:
        self.last_step = report

    def on_result(self, value: TrainingResult) -> None:
        try:
            path = save_if_accepted(value, self._library)
        except OSError as problem:
            self.failure = _("Couldn't save the file: {problem}.", problem=problem)
            return
        if value.reason == NOTHING_NEW:
            self.result_text = _("Training found nothing new for Sky to learn.")
            return
        if value.reason is not None:
            self.result_text = _("Training isn't possible: {reason}.", reason=localize(value.reason))
            return
        assert value.series is not None
        told_share = format_portion(Proportion(value.series.share, *value.series.interval))
        if path is None:
            self.result_text = ngettext(
                "After this training, Sky scored {share} in {n} game against its earlier self. That isn't "
                "clearly better, so nothing was saved.",
                "After this training, Sky scored {share} in {n} games against its earlier self. That isn't "
                "clearly better, so nothing was saved.",
                value.series.games,
                share=told_share,
            )
        else:
            self.result_text = ngettext(
                "Training finished. Sky scored {share} in {n} game against its earlier self. From now on, it "
                "uses what it has learned.",
                "Training finished. Sky scored {share} in {n} games against its earlier self. From now on, it "
                "uses what it has learned.",
                value.series.games,
                share=told_share,
            )

    def format_progress(self) -> tuple[str, float]:
        """Return the progress as text, and the completed fraction of the current step."""
        step = self.last_step
        if step is None:
            return _("Starting training…"), 0.0
        fraction = step.done / max(1, step.total)
        if step.step == "lesson":
            return _(
                "Training: round {number} of {wanted}", number=step.done + 1, wanted=step.total
            ), fraction
        if step.step == "way":
            return ngettext(
                "Comparing two evaluation methods: {n} of {wanted} games",
                "Comparing two evaluation methods: {n} of {wanted} games",
                step.done,
                wanted=step.total,
            ), fraction
        if step.share is None:
            return ngettext(
                "Test: {n} of up to {wanted} games",
                "Test: {n} of up to {wanted} games",
                step.done,
                wanted=step.total,
            ), fraction
        return ngettext(
            "Test: {n} of up to {wanted} games, score {share}",
            "Test: {n} of up to {wanted} games, score {share}",
            step.done,
            wanted=step.total,
            share=format_percent(step.share),
        ), fraction

    def sentences(self) -> list[str]:
        """Return the sentences to show below the progress."""
        return [
            self.failure
            or self.result_text
            or _("You can stop at any time; next time, training will resume where it left off.")
        ]

    def preferred_height(self, canvas: Canvas, width: float) -> float:
        return (
            (LINE_HEIGHT_PX if self.is_running else 0.0)
            + self.text_height(canvas, self.sentences(), width)
            + 22
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        area = self.paint_background(canvas, style)
        if self.is_running:
            head, area = area.cut_top(LINE_HEIGHT_PX)
            self.paint_header(canvas, style, head, *self.format_progress())
        with canvas.clip(self.rect.inset(1)):
            self.draw_sentences(canvas, area, self.sentences(), style.warning if self.failure else style.ink)
