"""The game being edited: its text, the errors in it, its file, and the autosaved draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.catalogue import library_beside
from shibumi3d.catalogue.loader import GAME_LIMITS
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, cut, explain_crash, localize, ngettext
from shibumi3d.match.store import games_folder
from shibumi3d.rules.wording import capital
from shibumi3d.search.worker import WorkerLate

from ...ui.editor import Editor, Remark
from ...ui.writing import Writing
from . import words
from .reading import Reader, Reading
from .shelf import Shelf, titled

if TYPE_CHECKING:
    from ...host import Host

KEEP = 2.0
"""Delay between the last change and autosaving the draft, in seconds."""
MOST = 100
"""Maximum number of errors shown at the same time below their lines."""


class Draft:
    """Text of the game being edited, which a worker process checks after each change.

    ``heard`` is called whenever the text, its file or the result of the check changes.
    """

    def __init__(self, app: Host) -> None:
        self.app = app
        self.heard: Callable[[], None] = lambda: None
        self.shelf = Shelf(app.catalogue.user_folder or games_folder(), app.config / "draft.json")
        name, text, saved = self.shelf.draft() or (
            "",
            _("title: My game\nplayers: 2\nturn:\n  - place: own\nend:\n  - when: stuck\n    lose: mover\n"),
            "",
        )
        self.name = name
        """Name of the file; empty if the game has never been saved."""
        self.saved = saved
        """Text as last saved."""
        self.good: Reading | None = None
        """Result of the latest check without errors, or None."""
        self.reading: Reading | None = None
        self.stuck = ""
        """Why the check was given up; empty if it wasn't."""
        self._kept = text
        self._changes = 0
        self._wished: Callable[[], None] | None = None
        """Function to call once the text has been checked, or None."""
        self._reader = Reader(lambda delay, what: app.later(delay, what), self._read)
        self.editor = Editor(
            Writing(text, GAME_LIMITS.size, words.goes_on()),
            self._changed,
            offers=words.offers,
            parts=words.parts,
        )

    @property
    def text(self) -> str:
        """Current text."""
        return self.editor.writing.text

    @property
    def path(self) -> Path:
        """Path of the game's file, which may not exist yet."""
        return self.shelf.path_of(self.name)

    @property
    def library(self) -> Path:
        """Folder for the data learned by the user's own games."""
        return library_beside(self.shelf.folder)

    @property
    def fresh(self) -> bool:
        """Whether the latest result is for the current text."""
        return self.reading is not None and self.reading.text == self.text

    @property
    def busy(self) -> bool:
        """Whether a text is being checked or waiting to be checked."""
        return self._reader.busy

    # Editing

    def open(self, name: str) -> None:
        """Load one of the user's own games into the editor. This can be undone."""
        try:
            text = self.shelf.read(self.shelf.path_of(name))
        except OSError as problem:
            self.app.tell(_("Couldn't open {path}: {problem}.", path=name, problem=problem))
            return
        self.take_in(text)
        self.name, self.saved = name, self.text
        self._changed()

    def take_in(self, text: str) -> None:
        """Replace the text with a game from elsewhere. This can be undone."""
        self.begin(Writing(text, GAME_LIMITS.size).lines)
        self.editor.show(0)

    def begin(self, lines: list[str]) -> None:
        """Start a new, unsaved game with the text ``lines``. This can be undone."""
        self.name = self.saved = ""
        self.editor.set(lines)

    # Checking

    def read(self) -> None:
        """Check the text now, without the usual delay."""
        self._reader.read(self.text, self.path, at_once=True)

    def when_read(self, what: Callable[[Entry], None]) -> None:
        """Call ``what`` with the game once the text is checked; show a message if the text has errors."""
        self._once_read(lambda: self._do(what))

    def _once_read(self, what: Callable[[], None]) -> None:
        """Call ``what`` once the text has been checked. If the last check was abandoned, try again."""
        if self.fresh:
            what()
            return
        self._wished = what
        if self.stuck:
            self.stuck = ""
            self.heard()
        self.read()

    def _do(self, what: Callable[[Entry], None]) -> None:
        reading = self.reading
        if self.stuck or reading is None or not reading.good or reading.entry is None:
            self.app.tell(_("Fix the errors in the text first."))
        else:
            what(replace(reading.entry, library=str(self.library)))

    def _changed(self) -> None:
        """Schedule a check of the changed text, and an autosave."""
        self._changes += 1
        self._wished, self.stuck = None, ""
        number = self._changes
        self._reader.read(self.text, self.path)
        self.heard()

        def rest() -> None:
            if number == self._changes:
                self.keep()

        self.app.later(KEEP, rest)

    def _read(self, found: Reading | Exception) -> None:
        """Handle the result of a check, or the exception that prevented it."""
        self.stuck = ""
        if isinstance(found, WorkerLate):
            self.stuck = _("Checking this game took too long. Simplify it, or save it to try again.")
        elif isinstance(found, Exception):
            self.stuck = _(
                "Couldn't check the game: {problem}. Save it to try again.",
                problem=localize(explain_crash(found)),
            )
        else:
            self.reading = found
            if found.text == self.text:
                self.editor.remark(self._remarks(found))
            if found.good:
                self.good = found
        self.heard()
        if self._wished is not None and not self._reader.busy:
            wished, self._wished = self._wished, None
            wished()

    def _remarks(self, found: Reading) -> list[Remark]:
        """Return the errors as remarks on their lines.

        Errors in other files are shown on the first line.
        """
        remarks = []
        for problem in found.problems[:MOST]:
            mark = problem.mark
            if mark.file == str(self.path):
                text = _("{text}.", text=capital(cut(localize(problem.message)).rstrip(".")))
                remarks.append(Remark(mark.line - 1, mark.column - 1, text.replace("?.", "?")))
            else:
                remarks.append(Remark(0, 0, localize(problem)))
        return remarks

    def sentence(self) -> tuple[str, str]:
        """Return a sentence about the status of the text, and the name of the colour to show it in."""
        reading = self.reading
        if self.stuck:
            return self.stuck, "brick"
        if reading is None or not self.fresh:
            return _("Checking…"), "soft"
        if reading.problems:
            before = _("Showing the last valid version.") if self.good is not None else ""
            return " ".join(
                filter(None, (ngettext("{n} error.", "{n} errors.", len(reading.problems)), before))
            ), "brick"
        if reading.state is None or reading.entry is None:
            return _("No errors, but a match can't be played with these rules."), "brick"
        least, most = reading.entry.players
        players = (
            _("{least}–{most} players", least=least, most=most)
            if most > least
            else _("solo")
            if most == 1
            else _("{n} players", n=most)
        )
        saved = _("saved") if self.text == self.saved else _("not saved yet")
        return _("No errors · {players} · {saved}", players=players, saved=saved), "soft"

    # Saving

    def keep(self) -> None:
        """Autosave the draft if it has changed, and warn if that fails."""
        if self.text == self._kept:
            return
        try:
            self.shelf.keep(self.name, self.text, self.saved)
        except OSError as problem:
            self.app.warn(_("Couldn't save the draft: {problem}", problem=problem))
        else:
            self._kept = self.text

    def save(self) -> None:
        """Save the game to its file, or show why it can't be saved.

        It isn't saved if it couldn't be loaded again from that file. If the text is still being checked, it is saved
        once the check has finished.
        """
        self._once_read(self._save)

    def _save(self) -> None:
        text = self.text
        name = self.name or self.shelf.free(
            titled(text), {entry.id for entry in self.app.catalogue if not entry.own}
        )
        if why := self._unfit(name):
            self.app.tell(_("Not saved, because the game wouldn't load again. {problem}", problem=why))
            return
        try:
            self.shelf.write(name, text)
        except OSError as problem:
            self.app.tell(_("Couldn't save the file: {problem}.", problem=problem))
            return
        self.name, self.saved, self._kept = name, text, ""
        self.keep()
        if self.app.catalogue.user_folder is not None:
            self.app.catalogue = self.app.catalogue.joined(self.app.catalogue.user_folder)
        self._reader.read(text, self.path)
        self.heard()

    def _unfit(self, name: str) -> str:
        """Return why the text couldn't be loaded from the file ``name``, or "" if it could be."""
        if self.stuck:
            return self.stuck
        if self.reading is not None and self.reading.good and name == self.name:
            return ""
        text = self.shelf.written(self.text).encode("utf-8", "replace")
        problems = self.app.catalogue.obstacles(text, self.shelf.path_of(name))
        if not problems:
            return ""
        sentence = _("{text}.", text=capital(localize(problems[0].message).rstrip("."))).replace("?.", "?")
        return _("Line {line}: {problem}", line=problems[0].mark.line, problem=sentence)

    def rest(self) -> None:
        """Autosave the draft and end the worker process. Called when the page is left."""
        self._changes += 1
        self._wished = None
        self.keep()
        self._reader.close()
