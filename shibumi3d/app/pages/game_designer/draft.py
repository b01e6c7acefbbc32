"""The game being edited: its text, its errors, its file and the autosaved draft."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.catalogue.catalogue import SUFFIX, learned_folder_beside
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.yaml_parser import GAME_LIMITS
from shibumi3d.i18n import _, explain_crash, localize, ngettext, shorten
from shibumi3d.match.store import games_folder
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.worker import WorkerTimeout

from ...ui.text_buffer import TextBuffer
from ...ui.text_editor import Diagnostic, TextEditor
from . import completion
from .text_checker import CheckResult, TextChecker

if TYPE_CHECKING:
    from ...host import Host


MAX_NAME_LENGTH = 40
"""Maximum number of characters of a title that are used in the file name."""
DEFAULT_FILE_NAME = "game"
_TITLE = re.compile(r"^title:(.*)", re.MULTILINE)
_LETTERS = re.compile("[a-z0-9]+")


def title_in_text(text: str) -> str:
    """Return the title in the text of a game, or an empty string if none can be found.

    The text doesn't have to be valid YAML.
    """
    match = _TITLE.search(text)
    value = match[1].strip() if match is not None else ""
    for quote, doubled in (("'", "''"), ('"', '\\"')):
        if value.startswith(quote):
            inside = value[1:].replace(doubled, "\0").partition(quote)[0]
            return inside.replace("\0", quote).strip()
    return "" if value.startswith("#") else value.partition(" #")[0].strip()


def file_name_for(title: str) -> str:
    """Convert a title to a file name of lower-case letters, digits and hyphens, without a suffix.

    The name has at most :data:`MAX_NAME_LENGTH` characters. If nothing is left of the title, return
    :data:`DEFAULT_FILE_NAME`.
    """
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return files.file_name(
        "-".join(_LETTERS.findall(plain))[:MAX_NAME_LENGTH].rstrip("-"), empty=DEFAULT_FILE_NAME
    )


class GameFiles:
    """Access to the files of the user's own games and to the autosaved draft.

    ``folder`` contains the games, and ``draft`` is the path of the file with the draft.
    """

    def __init__(self, folder: Path, draft: Path) -> None:
        self.folder, self._draft = folder, draft

    def path_of(self, name: str) -> Path:
        """Return the path of the game ``name``; an empty name stands for :data:`DEFAULT_FILE_NAME`.

        Raises OSError if ``name`` isn't a plain file name, for example if it contains a slash.
        """
        return files.path_in_folder(self.folder, f"{name or DEFAULT_FILE_NAME}{SUFFIX}")

    def free_name(self, title: str, taken_names: Collection[str]) -> str:
        """Return an unused file name for a new game with the given title.

        It differs from the names of all files in the folder and from ``taken_names``, the names of built-in games.
        """
        name, number = file_name_for(title), 1
        candidate = name
        while candidate in taken_names or os.path.lexists(self.path_of(candidate)):
            number += 1
            candidate = f"{name}-{number}"
        return candidate

    @staticmethod
    def with_final_newline(text: str) -> str:
        """Return ``text`` as it is written to a file, with a final newline."""
        return text if text.endswith("\n") else f"{text}\n"

    def write(self, name: str, text: str) -> None:
        """Write a game to its file atomically.

        Raises OSError if that fails.
        """
        files.make_folder(self.folder)
        files.write(self.path_of(name), self.with_final_newline(text))

    def read(self, path: Path) -> str:
        """Return the text of a game file.

        Raises OSError if the file can't be read, is too large or isn't text.
        """
        return files.read_text(path, GAME_LIMITS.size)

    def save_draft(self, name: str, text: str, saved: str) -> None:
        """Save the draft.

        ``name`` is the name of the game's file; it is empty if the game has no file yet. ``saved`` is the text last
        saved to that file. Raises OSError if the draft can't be written.
        """
        files.make_folder(self._draft.parent)
        files.write(self._draft, json.dumps({"name": name, "text": text, "saved": saved}))

    def load_draft(self) -> tuple[str, str, str] | None:
        """Return the draft's file name, its text and the last saved text, or None if there is no usable draft."""
        try:
            data = json.loads(files.read(self._draft, 8 * GAME_LIMITS.size))
            values = [data.get(key, "") for key in ("name", "text", "saved")]
            # JSON may contain lone surrogates, which can't be written to a file.
            name, text, saved = (str(value).encode("utf-8", "replace").decode() for value in values)
            if len(text) > GAME_LIMITS.size or (name and file_name_for(name) != name):
                return None
        except Exception:  # the page must open whatever is wrong with the draft
            return None
        return name, text, saved


AUTOSAVE_DELAY_SECONDS = 2.0
"""Delay between the last change and autosaving the draft, in seconds."""
MAX_VISIBLE_ERRORS = 100
"""Maximum number of errors shown at the same time below their lines."""


@dataclass
class _Document:
    """Game to which a text in the editor belongs.

    ``file_name`` is empty if the game has no file yet.
    """

    file_name: str


class GameDraft:
    """Text of the game being edited, which a worker process checks after each change.

    ``on_change`` is called whenever the text, its file or the result of the check changes.
    """

    def __init__(self, app: Host) -> None:
        self.app = app
        self.on_change: Callable[[], None] = lambda: None
        self.game_files = GameFiles(
            app.catalogue.user_folder or games_folder(), app.services.config_folder / "draft.json"
        )
        name, text, saved = self.game_files.load_draft() or (
            "",
            _("title: My game\nplayers: 2\nturn:\n  - place: own\nend:\n  - when: stuck\n    lose: mover\n"),
            "",
        )
        self._saved_texts = {name: saved} if name else {}
        """Texts of games as last saved or opened, by file name."""
        self.last_valid: CheckResult | None = None
        """Result of the latest check without errors, or None."""
        self.last_check: CheckResult | None = None
        self.check_failure = ""
        """Sentence that says why the last check failed; empty if it didn't."""
        self._autosaved_text = text
        self._changes = 0
        self._after_check: Callable[[], None] | None = None
        """Function to call once the text has been checked, or None."""
        self._checker = TextChecker(app.schedule, self._on_check_done)
        self.editor = TextEditor(
            TextBuffer(text, GAME_LIMITS.size, completion.continuing_keys()),
            self._on_edit,
            find_completions=completion.find_completions,
            tokenize=completion.colour_pieces,
        )
        self.editor.buffer.document = _Document(name)

    @property
    def _document(self) -> _Document:
        document = self.editor.buffer.document
        assert isinstance(document, _Document)
        return document

    @property
    def file_name(self) -> str:
        """Name of the game's file; empty if the game has never been saved."""
        return self._document.file_name

    @property
    def saved_text(self) -> str:
        """Text as last saved or opened; empty if the game has never been saved."""
        return self._saved_texts.get(self.file_name, "")

    @property
    def text(self) -> str:
        return self.editor.buffer.text

    @property
    def path(self) -> Path:
        """Path of the game's file, which may not exist yet."""
        return self.game_files.path_of(self.file_name)

    @property
    def library(self) -> Path:
        """Folder for what computer players learn when they are trained on the user's own games."""
        return learned_folder_beside(self.game_files.folder)

    @property
    def is_checked(self) -> bool:
        """Whether the latest check result belongs to the current text."""
        return self.last_check is not None and self.last_check.text == self.text

    @property
    def is_checking(self) -> bool:
        """Whether a text is being checked or waiting to be checked."""
        return self._checker.is_busy

    # Editing

    def open(self, name: str) -> None:
        """Load the user's own game ``name`` into the editor, or show a message if its file can't be read.

        Undo restores the previous game and its file name.
        """
        try:
            text = self.game_files.read(self.game_files.path_of(name))
        except OSError as problem:
            self.app.show_message(_("Couldn't open {path}: {problem}.", path=name, problem=problem))
            return
        self.import_text(text, name)
        self._saved_texts[name] = self.text
        self.on_change()

    def import_text(self, text: str, file_name: str = "") -> None:
        """Import ``text`` as the game in the file ``file_name``, or as a new, unsaved game if ``file_name`` is empty.

        Undo restores the previous game and its file name.
        """
        self.start_new(TextBuffer(text, GAME_LIMITS.size).lines, file_name)
        self.editor.go_to(0)

    def start_new(self, lines: list[str], file_name: str = "") -> None:
        """Start editing a game whose text is ``lines``.

        ``file_name`` is the name of the game's file, or empty for a new, unsaved game.
        """
        self.editor.set_lines(lines, _Document(file_name))

    # Checking

    def check_now(self) -> None:
        """Check the text now, without the usual delay."""
        self._checker.check(self.text, self.path, immediately=True)

    def run_when_valid(self, action: Callable[[Entry], None]) -> None:
        """Call ``action`` with the game when the text has been checked and has no errors.

        If the text has errors or can't be checked, show a message instead. Editing the text before the check has ended
        cancels the call.
        """
        self._run_when_checked(lambda: self._run_if_valid(action))

    def _run_when_checked(self, action: Callable[[], None]) -> None:
        """Call ``action`` once the check of the text has ended, even if it failed.

        If the text hasn't been checked yet, or if its last check failed, it is checked now. Editing the text before the
        check has ended cancels the call.
        """
        if self.is_checked:
            action()
            return
        self._after_check = action
        if self.check_failure:
            self.check_failure = ""
            self.on_change()
        self.check_now()

    def _run_if_valid(self, action: Callable[[Entry], None]) -> None:
        reading = self.last_check
        if self.check_failure:
            self.app.show_message(self.check_failure)
        elif reading is None or not reading.is_valid or reading.entry is None:
            self.app.show_message(_("Fix the errors in the text first."))
        else:
            action(replace(reading.entry, learned_folder=str(self.library)))

    def _on_edit(self) -> None:
        self._changes += 1
        self._after_check, self.check_failure = None, ""
        change_number = self._changes
        self._checker.check(self.text, self.path)
        self.on_change()

        def autosave_if_unchanged() -> None:
            if change_number == self._changes:
                self.autosave()

        self.app.schedule(AUTOSAVE_DELAY_SECONDS, autosave_if_unchanged)

    def _on_check_done(self, result: CheckResult | Exception) -> None:
        self.check_failure = ""
        if isinstance(result, WorkerTimeout):
            self.check_failure = _("Checking this game took too long; perhaps it is too complex.")
        elif isinstance(result, Exception):
            self.check_failure = _(
                "Couldn't check the game: {problem}.", problem=localize(explain_crash(result))
            )
        else:
            self.last_check = result
            if result.text == self.text:
                self.editor.set_diagnostics(self._diagnostics(result))
            if result.is_valid:
                self.last_valid = result
        self.on_change()
        if self._after_check is not None and not self._checker.is_busy:
            wished, self._after_check = self._after_check, None
            wished()

    def _diagnostics(self, result: CheckResult) -> list[Diagnostic]:
        """Return diagnostics for the first :data:`MAX_VISIBLE_ERRORS` errors.

        Errors in other files are shown on the first line.
        """
        remarks = []
        for problem in result.problems[:MAX_VISIBLE_ERRORS]:
            mark = problem.location
            if mark.file == str(self.path):
                text = capitalize_first(shorten(localize(problem.message)))
                remarks.append(Diagnostic(mark.line - 1, mark.column - 1, _("{text}.", text=text)))
            else:
                remarks.append(Diagnostic(0, 0, localize(problem)))
        return remarks

    def status(self) -> tuple[str, str]:
        """Return a short description of the text's status, and the name of the colour to show it in."""
        reading = self.last_check
        if self.check_failure:
            return " ".join((self.check_failure, _("To try again, save the game."))), "warning"
        if reading is None or not self.is_checked:
            return _("Checking…"), "secondary_ink"
        if reading.problems:
            before = _("The board shows the last valid version.") if self.last_valid is not None else ""
            return " ".join(
                filter(None, (ngettext("{n} error.", "{n} errors.", len(reading.problems)), before))
            ), "warning"
        if reading.state is None or reading.entry is None:
            return _("No errors, but a match can't be played with these rules."), "warning"
        min_players, max_players = reading.entry.players
        players = (
            _("{least}–{most} players", least=min_players, most=max_players)
            if max_players > min_players
            else _("solo")
            if max_players == 1
            else _("{n} players", n=max_players)
        )
        saved = _("saved") if self.text == self.saved_text else _("unsaved changes")
        return _("No errors · {players} · {saved}", players=players, saved=saved), "secondary_ink"

    # Saving

    def autosave(self) -> None:
        """Autosave the draft if it has changed, and warn if that fails."""
        if self.text == self._autosaved_text:
            return
        try:
            self.game_files.save_draft(self.file_name, self.text, self.saved_text)
        except OSError as problem:
            self.app.show_warning(_("Couldn't save the draft: {problem}.", problem=problem))
        else:
            self._autosaved_text = self.text

    def save(self) -> None:
        """Save the game to its file, or show why it can't be saved.

        A game that has no file yet gets one named after the game's title. If the text hasn't been checked yet, or if
        its last check couldn't be completed, it is checked first. The game isn't saved if the check can't be completed,
        or if the text has an error that would prevent the saved file from being loaded.
        """
        self._run_when_checked(self._save)

    def _save(self) -> None:
        text = self.text
        name = self.file_name or self.game_files.free_name(
            title_in_text(text), {entry.id for entry in self.app.catalogue if not entry.own}
        )
        if self.check_failure:
            self.app.show_message(_("The game wasn't saved. {problem}", problem=self.check_failure))
            return
        if why := self._explain_unloadable(name):
            self.app.show_message(
                _("The game can't be saved until this error is fixed. {problem}", problem=why)
            )
            return
        try:
            self.game_files.write(name, text)
        except OSError as problem:
            self.app.show_message(_("Couldn't save the file: {problem}.", problem=problem))
            return
        self._document.file_name, self._saved_texts[name], self._autosaved_text = name, text, ""
        self.autosave()
        if self.app.catalogue.user_folder is not None:
            self.app.catalogue = self.app.catalogue.with_user_games(self.app.catalogue.user_folder)
        self._checker.check(text, self.path)
        self.on_change()

    def _explain_unloadable(self, name: str) -> str:
        """Return the error that would prevent loading the text from the file ``name``, or "" if there is none."""
        if self.last_check is not None and self.last_check.is_valid and name == self.file_name:
            return ""
        text = self.game_files.with_final_newline(self.text).encode("utf-8", "replace")
        problems = self.app.catalogue.listing_problems(text, self.game_files.path_of(name))
        if not problems:
            return ""
        sentence = _("{text}.", text=capitalize_first(localize(problems[0].message)))
        return _("Line {line}: {problem}", line=problems[0].location.line, problem=sentence)

    def close(self) -> None:
        """Autosave the draft, cancel any pending action, and end the worker process.

        This method is called when the page is left.
        """
        self._changes += 1
        self._after_check = None
        self.autosave()
        self._checker.close()
