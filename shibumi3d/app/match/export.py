"""Export of a replay as a video, web page, picture or diagrams: the card with the options, and the process."""

from __future__ import annotations

import re
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from shibumi3d import files
from shibumi3d.export import EXPORT_FORMATS, FILM_FORMATS, SHEET_FORMATS, encoder
from shibumi3d.i18n import N_, _, describe_exit, format_decimal, language, localize, ngettext
from shibumi3d.match.record import RecordError
from shibumi3d.paths import launch_command
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import game_title

from ..host.desktop import new_picture_path
from ..ui.button import Button, layout_row
from ..ui.canvas import Canvas
from ..ui.choice import Choice
from ..ui.panel import Card, centred_placement
from .replay import ReplayOwner

EXPORT_FORMAT_TEXTS = {
    "mp4": N_("video"),
    "gif": N_("animated GIF"),
    "html": N_("web page"),
    "pdf": N_("diagrams (PDF)"),
    "svg": N_("diagrams (SVG)"),
    "png": N_("picture"),
    "postcard": N_("postcard"),
}

PROGRAM_NAME = "shibumi3d"
PICTURE_SIZES = ("640x360", "1280x720", "1920x1080")
VIDEO_SPEEDS = (0.5, 1.0, 2.0, 4.0)
PROGRESS_POLL_SECONDS = 0.2
"""Interval between updates of the progress bar, in seconds."""
PROGRESS_PATTERN = re.compile(r"(\d+)/(\d+)\s(\d+)")


class ExportProcess:
    """``shibumi3d export`` command that runs in a separate process, so that the window never blocks.

    The command exports the match in ``record_text``. ``arguments`` are its other arguments, including ``output_path``.
    ``progress`` is the completed fraction, from 0 to 1. ``seconds_left`` is the estimated time left, or None if it
    isn't known yet.
    """

    def __init__(self, record_text: str, output_path: Path, arguments: Sequence[str]) -> None:
        self.output_path = output_path
        self.progress = 0.0
        self.seconds_left: int | None = None
        self._folder = tempfile.TemporaryDirectory(prefix=PROGRAM_NAME)
        file = Path(self._folder.name, "match.yaml")
        files.write(file, record_text)
        command = [*launch_command(), "export", str(file), *arguments, "--progress"]
        self._output_lines: list[str] = []
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        threading.Thread(target=self._read_output, daemon=True).start()

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            step = PROGRESS_PATTERN.fullmatch(line.strip())
            if step is None:
                self._output_lines.append(line.strip())
            else:
                done, total, left = map(int, step.groups())
                self.progress, self.seconds_left = done / total, left

    @property
    def is_done(self) -> bool:
        """Whether the process has ended, successfully or not."""
        return self._process.poll() is not None

    @property
    def error_message(self) -> str:
        """Why the export failed, or an empty string if it succeeded.

        This is valid only once the process has ended.
        """
        if not self._process.returncode:
            return ""
        # Messages from the command begin with its name; all others come from Python or a library.
        sign = _("{prog}: {message}", prog=PROGRAM_NAME, message="").rstrip()
        last = self._output_lines[-1] if self._output_lines else ""
        if last.startswith(sign) and self._process.returncode > 0:
            return last.removeprefix(sign).strip()
        return localize(describe_exit(self._process.returncode))

    def close(self) -> None:
        """Stop the process if it is still running, and delete the temporary files.

        If the export is unfinished, its output is discarded.
        """
        if not self.is_done:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()


class ExportCard(Card):
    """Card with the options of an export, its progress and its result.

    ``played_on`` is the day on which the match was played; None stands for today. ``export_format`` is the format
    selected at first, by default the first one available.
    """

    SIZE_PX = (640, 406)
    LABEL_HEIGHT_PX = 22.0
    """Height of a label placed above its choice because there is no room beside it."""

    def __init__(self, page: ReplayOwner, played_on: date | None, export_format: str = "") -> None:
        super().__init__(_("Export"))
        self.page, self._played_on = page, played_on
        self.process: ExportProcess | None = None
        self.message = ""
        self.is_error = False
        self.formats = [
            kind
            for kind in EXPORT_FORMATS
            if page.replay_view.can_export_diagrams or kind not in SHEET_FORMATS
        ]
        labels = [_(EXPORT_FORMAT_TEXTS[kind]) for kind in self.formats]
        unavailable = frozenset(
            self.formats.index(kind) for kind in FILM_FORMATS if not encoder.can_encode(kind)
        )
        first = (
            self.formats.index(export_format)
            if export_format
            else min(set(range(len(self.formats))) - unavailable)
        )
        self.format_choice = Choice(labels, first, self._on_change, name="export kind")
        self.format_choice.disabled_options = unavailable
        self.range_choice = Choice(
            [_("the whole game"), _("from here on"), _("up to here")],
            0,
            self._on_change,
            name="range",
        )
        self.size_choice = Choice(
            [size.replace("x", " × ") for size in PICTURE_SIZES], 1, self._on_change, name="export size"
        )
        self.speed_choice = Choice(
            [_("{times}×", times=format_decimal(speed)) for speed in VIDEO_SPEEDS],
            1,
            self._on_change,
            name="export speed",
        )
        self.rows: list[tuple[str, Choice]] = [
            (_("Format"), self.format_choice),
            (_("Range"), self.range_choice),
            (_("Size"), self.size_choice),
            (_("Speed"), self.speed_choice),
        ]
        self.export_button = Button(_("Export"), self.start_export, kind="main", name="make")
        self.cancel_button = Button(_("Cancel"), self._on_cancel, name="cancel")
        self.open_folder_button = Button(_("Open folder"), self._open_folder, name="open folder")
        self.copy_path_button = Button(_("Copy path"), self._copy_path, kind="quiet", name="copy path")
        self.saved_path: Path | None = None
        """File saved by the last export, or None if there is none or an option has been changed since."""
        self.add(
            self.format_choice,
            self.range_choice,
            self.size_choice,
            self.speed_choice,
            self.copy_path_button,
            self.open_folder_button,
            self.cancel_button,
            self.export_button,
        )
        self._on_change(first)

    def _on_change(self, _unused: int) -> None:
        kind = self.formats[self.format_choice.selected_index]
        self.range_choice.visible = self.speed_choice.visible = kind in FILM_FORMATS
        self.size_choice.visible = kind not in (*SHEET_FORMATS, "postcard", "html")
        self.message = (
            _(
                "Videos need ffmpeg. Install it, or the package that includes it: pip install '{package}'",
                package=encoder.FILM_PACKAGE,
            )
            if self.format_choice.disabled_options
            else ""
        )
        self.is_error = False
        self._set_saved_path(None)
        self.refresh()

    def _set_saved_path(self, path: Path | None) -> None:
        """Set the file that was just saved, and show the buttons for it; if ``path`` is None, hide them."""
        self.saved_path = path
        self.open_folder_button.visible = self.copy_path_button.visible = path is not None
        if self.rect.w:
            self.layout(self.rect)

    def _open_folder(self) -> None:
        if self.saved_path is not None and not self.page.app.services.open_folder(self.saved_path.parent):
            self._show_message(_("No file manager was found."), True)

    def _copy_path(self) -> None:
        if self.saved_path is not None and self.page.app.root.copy_text(str(self.saved_path)):
            self._show_message(_("Path copied."), False)

    def start_export(self) -> None:
        """Start exporting to a new file in the pictures folder, or show why the export can't start."""
        app, match = self.page.app, self.page.match
        kind = self.formats[self.format_choice.selected_index]
        at = self.page.at_ply
        turn = self.page.history[at - 1].turn + 1 if at else 0
        day = ["--day", f"{self._played_on or date.today()}"]
        arguments = (
            [] if kind in SHEET_FORMATS else day if kind == "html" else self._picture_arguments(kind, turn)
        )
        end = "png" if kind == "postcard" else kind
        try:
            out = new_picture_path(app.services.pictures_folder, game_title(self.page.entry), end)
            cursor = match.cursor
            match.go_to(len(self.page.history))
            try:
                record = match.record().to_text()
            finally:
                match.go_to(cursor)
            self.process = ExportProcess(
                record, out, ["--lang", language(), f"--{kind}", str(out), *arguments]
            )
        except RecordError as problem:
            self._show_message(capitalize_first(localize(problem)), True)
        except OSError as problem:
            self._show_message(_("Export failed: {problem}.", problem=problem), True)
        else:
            self._set_saved_path(None)
            self._show_message("", False)
            self._update_progress()

    def _picture_arguments(self, export_format: str, turn: int) -> list[str]:
        """Return the command-line options for a video, a picture or a postcard.

        ``turn`` is the number of the turn shown, or 0 before the first turn.
        """
        arguments = (
            [] if export_format == "postcard" else ["--size", PICTURE_SIZES[self.size_choice.selected_index]]
        )
        if export_format == "postcard":
            arguments += ["--day", f"{self._played_on or date.today()}"]
        elif export_format == "png":
            arguments += ["--to", str(turn)]
        else:
            arguments += ["--speed", str(VIDEO_SPEEDS[self.speed_choice.selected_index])]
            arguments += ([], ["--from", str(turn)], ["--to", str(turn)])[self.range_choice.selected_index]
        settings = self.page.app.settings
        arguments += ["--night"] if settings.theme == "night" else []
        arguments += ["--clear"] if settings.marbles == "clear" else []
        arguments += ["--material", settings.board] if settings.board != "usual" else []
        return [*arguments, "--table"]

    def _show_message(self, message: str, is_error: bool) -> None:
        self.message, self.is_error = message, is_error
        self.export_button.enabled = self.process is None
        self.refresh()

    def _update_progress(self) -> None:
        """Update the progress bar at intervals, and show the result at the end."""
        export = self.process
        if export is None:
            return
        if not export.is_done:
            self.refresh()
            self.page.app.schedule(PROGRESS_POLL_SECONDS, self._update_progress)
            return
        problem = export.error_message
        self.stop_export()
        if problem:
            self._show_message(_("Export failed: {problem}.", problem=problem), True)
        else:
            self.cancel_button.label = _("Close")  # there is nothing left to cancel
            self._set_saved_path(export.output_path)
            self._show_message(_("Saved to {path}.", path=export.output_path), False)
        if self not in self.page.app.root.popups:  # the card has been closed in the meantime
            self.page.app.show_message(self.message)

    def _on_cancel(self) -> None:
        if self.process is None:
            self.page.app.root.close_popup()
            return
        self.stop_export()
        self._show_message(_("Export cancelled. Nothing was saved."), False)

    def stop_export(self) -> None:
        """Stop the export, if one is running."""
        if self.process is not None:
            self.process.close()
            self.process = None

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44)
        self._is_stacked = rect.w < self.SIZE_PX[0] - 160
        canvas = self.page.app.canvas
        canvas.scale = self.page.app.scale
        for _unused, widget in self.rows:
            widget.measure(canvas)
            if self._is_stacked:
                _, area = area.cut_top(self.LABEL_HEIGHT_PX)
                line, area = area.cut_top(34 * len(widget.wrap_options(area.w)), 6)
                widget.layout(line)
                continue
            line, area = area.cut_top(34 * len(widget.wrap_options(area.w - 104)), 8)
            widget.layout(line.cut_left(104)[1])
        ok, foot = area.cut_bottom(32)[0].cut_right(110, 8)
        self.export_button.layout(ok)
        cancel, foot = foot.cut_right(110, 8)
        self.cancel_button.layout(cancel)
        layout_row(foot, (self.open_folder_button, self.copy_path_button), canvas, 8)
        self._progress_rect = area.cut_bottom(40)[1]

    def popup_rect(self, window: Rect) -> Rect:
        """Return the card's rectangle, which is centred in the window and taller if the window is narrow."""
        wide, high = self.SIZE_PX
        return centred_placement(wide, high if window.w >= wide else self.max_column_height)(window)

    _is_stacked = False
    """Whether labels are placed above their choices."""
    _progress_rect = Rect()
    """Area of the progress bar and the messages."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for label, widget in self.rows:
            if widget.visible:
                place = Rect(self.rect.x + 24, widget.rect.y, 100, widget.rect.h)
                if self._is_stacked:
                    place = Rect(
                        widget.rect.x,
                        widget.rect.y - self.LABEL_HEIGHT_PX,
                        widget.rect.w,
                        self.LABEL_HEIGHT_PX,
                    )
                canvas.text_in(place, label, style.secondary_ink, "sans", BODY_TEXT_PX - 1)
        bar, words = self._progress_rect.cut_top(10, 6)
        text, ink = self.message, style.warning if self.is_error else style.secondary_ink
        if self.process is not None:
            canvas.rect(bar, style.recessed, 5)
            canvas.rect(Rect(bar.x, bar.y, max(10.0, bar.w * self.process.progress), bar.h), style.action, 5)
            left = self.process.seconds_left
            text = (
                _("Starting…")
                if left is None
                else ngettext("About a second left.", "About {n} seconds left.", max(1, left))
            )
        lines = canvas.wrap(text, "sans", SMALL_TEXT_PX, words.w)
        for number, line in enumerate(lines[:3]):
            canvas.text_in(
                Rect(words.x, words.y + 18 * number, words.w, 18), line, ink, "sans", SMALL_TEXT_PX
            )
