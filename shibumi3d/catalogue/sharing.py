"""Game files as single lines of text that can be sent to other people. Received lines are not trusted.

The format is ``shibumi3d-game:1:CHECK:DATA``, as described in :mod:`.packed_lines`.
"""

from __future__ import annotations

import yaml

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.yaml_parser import GAME_LIMITS
from shibumi3d.packed_lines import LineFormat, PackedLineError
from shibumi3d.rules.source import to_plain_data

PREFIX = "shibumi3d-game:"
LINE_FORMAT = LineFormat(PREFIX, "1", GAME_LIMITS.size)
MAX_LINE_LENGTH = LINE_FORMAT.max_line_length
"""Maximum length of a line in characters."""


def is_shared_line(line: str) -> bool:
    """Return whether a text starts like a line made by :func:`encode_game`, after any whitespace."""
    return line.lstrip()[: len(PREFIX)] == PREFIX


def encode_game(text: str) -> str:
    """Encode the text of a game file as one line."""
    return LINE_FORMAT.pack(text)


def to_game_file(entry: Entry) -> str:
    """Return the game as the text of a self-contained file.

    The games that it extends are merged into it, and comments are lost.
    """
    data = to_plain_data(entry.item)
    assert isinstance(data, dict)
    return yaml.safe_dump(
        {key: value for key, value in data.items() if key != "extends"},
        allow_unicode=True,
        sort_keys=False,
        width=100,
    )


def decode_game(line: str) -> str:
    """Decode a line into the text of a game file, ignoring any line breaks and spaces.

    Raises :class:`CatalogueError` if the line is not a shared game, is damaged or too long, or was made by a newer
    version of the program. This function doesn't check whether the text is a valid game; the catalogue does.
    """
    if not "".join(line[: 2 * MAX_LINE_LENGTH].split()).startswith(PREFIX):
        raise CatalogueError("this is not a shared game: the line must start with {sign}", sign=PREFIX)
    try:
        return LINE_FORMAT.unpack(line)
    except PackedLineError as problem:
        raise CatalogueError(problem.message) from None
