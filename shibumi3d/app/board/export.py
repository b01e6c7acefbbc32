"""Export of a replay as a video, picture or diagram: the card with the options, and the process."""

from __future__ import annotations

import re
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Protocol

from shibumi3d import files
from shibumi3d.app.wording import titled
from shibumi3d.i18n import N_, _, decimal, describe_exit, language, localize, ngettext
from shibumi3d.match.record import RecordError
from shibumi3d.paths import program
from shibumi3d.render import movie
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, SMALL, Style

from ..host.pictures import picture_file
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.choice import Choice
from ..ui.panel import Card, middle
from .stand import Retold

EXPORT_AS_TEXTS = {
    "mp4": N_("video"),
    "gif": N_("animated GIF"),
    "pdf": N_("diagrams, PDF"),
    "svg": N_("diagrams, SVG"),
    "png": N_("picture"),
    "postcard": N_("postcard"),
}

KINDS = ("mp4", "gif", "png", "pdf", "svg", "postcard")
FILMS = ("mp4", "gif")
PLANS = ("pdf", "svg")
PROGRAM = "shibumi3d"
SIZES = ("640x360", "1280x720", "1920x1080")
SPEEDS = (0.5, 1.0, 2.0, 4.0)
POLL = 0.2
"""Interval between updates of the progress bar, in seconds."""
STEP = re.compile(r"(\d+)/(\d+)\s(\d+)")


class Exported(Retold, Protocol):
    """Replay page that can be exported."""

    day: date | None
    """Day on which the match was saved, or None if it has just been played."""
    exporting: ExportCard | None


class Export:
    """A running ``shibumi3d export`` command, in a separate process so that the window never blocks.

    ``part`` is the completed fraction, from 0 to 1. ``left`` is the estimated time left in seconds, or None if it isn't
    known yet.
    """

    def __init__(self, record: str, out: Path, arguments: Sequence[str]) -> None:
        self.out = out
        self.part = 0.0
        self.left: int | None = None
        self._folder = tempfile.TemporaryDirectory(prefix=PROGRAM)
        file = Path(self._folder.name, "match.yaml")
        files.write(file, record)
        command = [*program(), "export", str(file), *arguments, "--progress"]
        self._said: list[str] = []
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            step = STEP.fullmatch(line.strip())
            if step is None:
                self._said.append(line.strip())
            else:
                made, total, left = map(int, step.groups())
                self.part, self.left = made / total, left

    @property
    def done(self) -> bool:
        """Whether the process has ended, successfully or not."""
        return self._process.poll() is not None

    @property
    def problem(self) -> str:
        """Reason why the export failed, or an empty string. Known once the process has ended."""
        if not self._process.returncode:
            return ""
        # Messages from the command begin with its name; all others come from Python or a library.
        sign = _("{prog}: {message}", prog=PROGRAM, message="").rstrip()
        last = self._said[-1] if self._said else ""
        if last.startswith(sign) and self._process.returncode > 0:
            return last.removeprefix(sign).strip()
        return localize(describe_exit(self._process.returncode))

    def close(self) -> None:
        """Stop the process if it is still running, and delete the temporary files.

        If the export is unfinished, its output is discarded.
        """
        if not self.done:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()


class ExportCard(Card):
    """Card with the options of an export, its progress and its result."""

    SIZE = (640, 372)
    LABEL = 22.0
    """Height of a label placed above its choice because there is no room beside it."""

    def __init__(self, screen: Exported) -> None:
        super().__init__(_("Export"))
        self.screen = screen
        self.running: Export | None = None
        self.told = ""
        self.wrong = False
        self.kinds = [kind for kind in KINDS if screen.stand.plans or kind not in PLANS]
        said = [_(EXPORT_AS_TEXTS[kind]) for kind in self.kinds]
        unavailable = frozenset() if movie.available() else frozenset(map(self.kinds.index, FILMS))
        first = min(set(range(len(self.kinds))) - unavailable)
        self.kind = Choice(said, first, self._changed, name="export kind")
        self.kind.unavailable = unavailable
        self.range = Choice(
            [_("the whole game"), _("from here on"), _("up to here")],
            0,
            self._changed,
            name="range",
        )
        self.size = Choice([size.replace("x", " × ") for size in SIZES], 1, self._changed, name="export size")
        self.speed = Choice(
            [_("{times}×", times=decimal(speed)) for speed in SPEEDS],
            1,
            self._changed,
            name="export speed",
        )
        self.rows: list[tuple[str, Choice]] = [
            (_("Format"), self.kind),
            (_("Range"), self.range),
            (_("Size"), self.size),
            (_("Speed"), self.speed),
        ]
        self.ok = Button(_("Export"), self.begin, kind="main", name="make")
        self.cancel = Button(_("Cancel"), self._cancel, name="cancel")
        self.add(self.kind, self.range, self.size, self.speed, self.cancel, self.ok)
        self._changed(first)

    def _changed(self, _unused: int) -> None:
        kind = self.kinds[self.kind.chosen]
        self.range.visible = self.speed.visible = kind in FILMS
        self.size.visible = kind not in (*PLANS, "postcard")
        self.told = (
            _(
                "Video and animated GIF need an extra package. To install it: pip install '{package}'",
                package=movie.EXTRA,
            )
            if self.kind.unavailable
            else ""
        )
        self.wrong = False
        self.refresh()

    def begin(self) -> None:
        """Start exporting to a new file in the user's pictures folder."""
        app, match = self.screen.app, self.screen.match
        kind = self.kinds[self.kind.chosen]
        at = self.screen.at_ply
        turn = self.screen.history[at - 1].turn + 1 if at else 0
        arguments = [] if kind in PLANS else self._looks(kind, turn)
        end = "png" if kind == "postcard" else kind
        try:
            out = picture_file(app.stage.pictures, titled(self.screen.entry), end)
            cursor = match.cursor
            match.goto(len(self.screen.history))
            try:
                record = match.record().text()
            finally:
                match.goto(cursor)
            self.running = Export(record, out, ["--lang", language(), f"--{kind}", str(out), *arguments])
        except RecordError as problem:
            self._say(capital(localize(problem)), True)
        except OSError as problem:
            self._say(_("Export failed: {problem}.", problem=problem), True)
        else:
            self._say("", False)
            self._look()

    def _looks(self, kind: str, turn: int) -> list[str]:
        """Return the command-line arguments that select a video, a picture or a postcard."""
        arguments = [] if kind == "postcard" else ["--size", SIZES[self.size.chosen]]
        if kind == "postcard":
            arguments += ["--day", f"{self.screen.day or date.today()}"]
        elif kind == "png":
            arguments += ["--to", str(turn)]
        else:
            arguments += ["--speed", str(SPEEDS[self.speed.chosen])]
            arguments += ([], ["--from", str(turn)], ["--to", str(turn)])[self.range.chosen]
        settings = self.screen.app.settings
        arguments += ["--night"] if settings.theme == "night" else []
        arguments += ["--clear"] if settings.marbles == "clear" else []
        arguments += ["--material", settings.board] if settings.board != "usual" else []
        return [*arguments, "--table"]

    def _say(self, told: str, wrong: bool) -> None:
        self.told, self.wrong = told, wrong
        self.ok.enabled = self.running is None
        self.refresh()

    def _look(self) -> None:
        """Update the progress bar at intervals, and show the result at the end."""
        export = self.running
        if export is None:
            return
        if not export.done:
            self.refresh()
            self.screen.app.later(POLL, self._look)
            return
        problem = export.problem
        self.close()
        if problem:
            self._say(_("Export failed: {problem}.", problem=problem.rstrip(".")), True)
        else:
            self.cancel.label = _("Close")  # there is nothing left to cancel
            self._say(_("Saved to {path}.", path=export.out), False)
        if self not in self.screen.app.root.floats:  # the card has been closed in the meantime
            self.screen.app.tell(self.told)

    def _cancel(self) -> None:
        if self.running is None:
            self.screen.app.root.close()
            return
        self.close()
        self._say(_("Export cancelled. Nothing was saved."), False)

    def close(self) -> None:
        """Stop the export if one is running."""
        if self.running is not None:
            self.running.close()
            self.running = None

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44)
        self._stacked = rect.w < self.SIZE[0] - 160
        canvas = self.screen.app.canvas
        canvas.scale = self.screen.app.scale
        for _unused, widget in self.rows:
            if self._stacked:
                widget.measure(canvas)
                _, area = area.cut_top(self.LABEL)
                line, area = area.cut_top(34 * len(widget.rows(area.w)), 6)
                widget.layout(line)
                continue
            line, area = area.cut_top(34, 8)
            widget.layout(line.cut_left(104)[1])
        ok, foot = area.cut_bottom(32)[0].cut_right(110, 8)
        self.ok.layout(ok)
        self.cancel.layout(foot.cut_right(110)[0])
        self._line = area.cut_bottom(40)[1]

    def place(self, window: Rect) -> Rect:
        """Return the card's rectangle, in the middle of the window and taller if the window is narrow."""
        wide, high = self.SIZE
        return middle(wide, high if window.w >= wide else self.column)(window)

    _stacked = False
    """Whether labels are placed above their choices."""
    _line = Rect()
    """Area of the progress bar and the messages."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for label, widget in self.rows:
            if widget.visible:
                place = Rect(self.rect.x + 24, widget.rect.y, 100, widget.rect.h)
                if self._stacked:
                    place = Rect(widget.rect.x, widget.rect.y - self.LABEL, widget.rect.w, self.LABEL)
                canvas.text_in(place, label, style.soft, "sans", BODY - 1)
        bar, words = self._line.cut_top(10, 6)
        told, ink = self.told, style.brick if self.wrong else style.soft
        if self.running is not None:
            canvas.rect(bar, style.sunk, 5)
            canvas.rect(Rect(bar.x, bar.y, max(10.0, bar.w * self.running.part), bar.h), style.action, 5)
            left = self.running.left
            told = (
                _("Starting…")
                if left is None
                else ngettext("About a second left.", "About {n} seconds left.", left)
            )
        lines = canvas.wrap(told, "sans", SMALL, words.w)
        for number, line in enumerate(lines[:3]):
            canvas.text_in(Rect(words.x, words.y + 18 * number, words.w, 18), line, ink, "sans", SMALL)


def show(screen: Exported, kind: str = "") -> None:
    """Open the export card over the page.

    If an export is running, reopen the card that shows its progress. Otherwise, open a new card, with the format
    ``kind`` selected if it is given.
    """
    card = screen.exporting
    if card is None or card.running is None:
        card = screen.exporting = ExportCard(screen)
        if kind:
            card.kind.choose(card.kinds.index(kind))
    screen.app.root.popup(card, card.place, focus=card.ok)
