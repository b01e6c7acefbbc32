"""Files of the user's own games, and the file of the draft."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Collection
from pathlib import Path

from shibumi3d import files
from shibumi3d.catalogue.catalogue import SUFFIX
from shibumi3d.catalogue.loader import GAME_LIMITS

LONGEST = 40
"""Maximum number of characters of a title that are used in the name of its file."""
UNNAMED = "game"
_TITLE = re.compile(r"^title:(.*)", re.MULTILINE)
_LETTERS = re.compile("[a-z0-9]+")


def titled(text: str) -> str:
    """Return the title in the text of a game, or an empty string if none can be found.

    The text doesn't have to be valid YAML.
    """
    found = _TITLE.search(text)
    value = found[1].strip() if found is not None else ""
    for quote, doubled in (("'", "''"), ('"', '\\"')):
        if value.startswith(quote):
            inside = value[1:].replace(doubled, "\0").partition(quote)[0]
            return inside.replace("\0", quote).strip()
    return "" if value.startswith("#") else value.partition(" #")[0].strip()


def name_of(title: str) -> str:
    """Convert a title to a file name without suffix, made of lower-case letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return files.file_name("-".join(_LETTERS.findall(plain))[:LONGEST].rstrip("-"), empty=UNNAMED)


class Shelf:
    """Folder of the user's own games, and the file ``draft`` with the autosaved draft."""

    def __init__(self, folder: Path, draft: Path) -> None:
        self.folder, self._draft = folder, draft

    def path_of(self, name: str) -> Path:
        """Return the path of the game named ``name``.

        Raises OSError if it would be outside the folder.
        """
        return files.inside(self.folder, f"{name or UNNAMED}{SUFFIX}")

    def free(self, title: str, taken: Collection[str]) -> str:
        """Return an unused file name for a new game with the given title.

        No file in the folder has that name, and it isn't in ``taken``, the names of the built-in games.
        """
        name, number = name_of(title), 1
        found = name
        while found in taken or os.path.lexists(self.path_of(found)):
            number += 1
            found = f"{name}-{number}"
        return found

    @staticmethod
    def written(text: str) -> str:
        """Return ``text`` in the form in which it is written to a file, with a final newline."""
        return text if text.endswith("\n") else f"{text}\n"

    def write(self, name: str, text: str) -> None:
        """Write a game to its file atomically.

        Raises OSError if that fails.
        """
        files.make_folder(self.folder)
        files.write(self.path_of(name), self.written(text))

    def read(self, path: Path) -> str:
        """Return the text of a game file.

        Raises OSError if the file can't be read, is too large or isn't text.
        """
        return files.read_text(path, GAME_LIMITS.size)

    def keep(self, name: str, text: str, saved: str) -> None:
        """Save the draft.

        ``name`` is the name of the game to whose file the draft belongs, or empty if it has no file yet. ``saved`` is
        the text last saved to that file. Raises OSError if the draft can't be written.
        """
        files.make_folder(self._draft.parent)
        files.write(self._draft, json.dumps({"name": name, "text": text, "saved": saved}))

    def draft(self) -> tuple[str, str, str] | None:
        """Return the draft's name, its text and the last saved text, or None if it can't be read."""
        try:
            found = json.loads(files.read(self._draft, 8 * GAME_LIMITS.size))
            told = [found.get(key, "") for key in ("name", "text", "saved")]
            # JSON may contain lone surrogates, which can't be written to a file.
            name, text, saved = (str(each).encode("utf-8", "replace").decode() for each in told)
            if len(text) > GAME_LIMITS.size or (name and name_of(name) != name):
                return None
        except Exception:  # the page must open whatever is wrong with the draft
            return None
        return name, text, saved
