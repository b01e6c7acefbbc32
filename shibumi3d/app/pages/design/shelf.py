"""Where games of one's own lie as files, and the draft on which somebody works."""

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
"""How many letters of a title stand in the name of its file."""
UNNAMED = "game"
_TITLE = re.compile(r"^title:(.*)", re.MULTILINE)
_LETTERS = re.compile("[a-z0-9]+")


def titled(text: str) -> str:
    """The title that a text gives its game, as far as it can be seen; empty where there is none."""
    found = _TITLE.search(text)
    value = found[1].strip() if found is not None else ""
    for quote, doubled in (("'", "''"), ('"', '\\"')):
        if value.startswith(quote):
            inside = value[1:].replace(doubled, "\0").partition(quote)[0]
            return inside.replace("\0", quote).strip()
    return "" if value.startswith("#") else value.partition(" #")[0].strip()


def name_of(title: str) -> str:
    """A title as the name of a file, without its ending: small letters, digits and '-'."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return files.file_name("-".join(_LETTERS.findall(plain))[:LONGEST].rstrip("-"), empty=UNNAMED)


class Shelf:
    """The folder of one's own games, and the file of the draft beside the settings."""

    def __init__(self, folder: Path, draft: Path) -> None:
        self.folder, self._draft = folder, draft

    def path_of(self, name: str) -> Path:
        """The file of a game."""
        return files.inside(self.folder, f"{name or UNNAMED}{SUFFIX}")

    def free(self, title: str, taken: Collection[str]) -> str:
        """A name for a new game of that title: no game of the program has it, nor a file that is there."""
        name, number = name_of(title), 1
        found = name
        while found in taken or os.path.lexists(self.path_of(found)):
            number += 1
            found = f"{name}-{number}"
        return found

    @staticmethod
    def written(text: str) -> str:
        """A game as its file holds it."""
        return text if text.endswith("\n") else f"{text}\n"

    def write(self, name: str, text: str) -> None:
        """Writes a game, whole or not at all. Raises OSError."""
        files.make_folder(self.folder)
        files.write(self.path_of(name), self.written(text))

    def read(self, path: Path) -> str:
        """The text of a game file. Raises OSError, for one that is too large or no text too."""
        return files.read_text(path, GAME_LIMITS.size)

    def keep(self, name: str, text: str, saved: str) -> None:
        """Keeps the draft: the game it is to be saved as (none yet: empty), and what was saved last. Raises OSError."""
        files.make_folder(self._draft.parent)
        files.write(self._draft, json.dumps({"name": name, "text": text, "saved": saved}))

    def draft(self) -> tuple[str, str, str] | None:
        """The draft as it was kept; None where there is none, or none that can be read."""
        try:
            found = json.loads(files.read(self._draft, 8 * GAME_LIMITS.size))
            told = [found.get(key, "") for key in ("name", "text", "saved")]
            # Halves of characters, which JSON may hold, are in no file.
            name, text, saved = (str(each).encode("utf-8", "replace").decode() for each in told)
            if len(text) > GAME_LIMITS.size or (name and name_of(name) != name):
                return None
        except Exception:  # whatever lies there, the page begins with another text
            return None
        return name, text, saved
