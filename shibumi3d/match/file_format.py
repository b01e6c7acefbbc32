"""What match files and tournament files have in common: a format number, and errors that give the line number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from shibumi3d import files
from shibumi3d.catalogue import yaml_parser
from shibumi3d.i18n import LocalizedError, Message, explain_crash
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.source import Item, Problem

T = TypeVar("T")

BYTE_ORDER_MARKS = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"
"""Marks with which files in UTF-8 and UTF-16 may begin."""


@dataclass(frozen=True)
class FileFormat(Generic[T]):
    """A format of text files that begin with a line such as ``shibumi3d: 1``.

    ``key`` is the first key; its value is the number of the format. Files with a number above ``newest`` were written
    by a newer version of the program. A file must not exceed ``limits``. ``unrecognized`` is the error message for a
    file without the key; ``{name}`` stands for the file's name. ``read`` converts the parsed content of a file; its
    second argument is the file's name. All errors raised are of the type ``error``, with a message for users.
    """

    key: str
    newest: int
    limits: yaml_parser.Limits
    unrecognized: str
    error: type[LocalizedError]
    read: Callable[[Item, str | Message], T]

    def load(self, path: Path) -> T:
        """Return the object read from the file at ``path``.

        Raises an exception of type :attr:`error` on any failure.
        """
        try:
            data = files.read(path, self.limits.size)
        except OSError as error:
            message = Message("{name} can't be read: {reason}", name=path, reason=error)
            raise self.error(message) from None
        return self.parse(data, str(path))

    def parse(self, data: bytes | str, name: str | Message) -> T:
        """Return the object parsed from ``data``, the content of a file.

        ``name`` is the file's name for error messages. Raises an exception of the format's ``error`` type on any
        failure.
        """
        try:
            content = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
            return self.read(self._parse_yaml(content, name), name)
        except self.error:
            raise
        except Exception as error:
            message = Message("{name} can't be read: {reason}", name=name, reason=explain_crash(error))
            raise self.error(message) from error

    def error_at(self, name: str | Message, problem: Problem) -> LocalizedError:
        """Return an error that reports ``problem`` and its line in the file ``name``."""
        return self.error(
            Message(
                "{name} has an error on line {line}: {problem}",
                name=name,
                line=problem.location.line,
                problem=problem.message,
            )
        )

    def _parse_yaml(self, content: bytes, name: str | Message) -> Item:
        problems = ProblemList()
        try:
            item = yaml_parser.parse_yaml(content, str(name), problems, self.limits)
        except GameFileError:  # too many errors: only the first is reported
            item = None
        keys = item.value if item is not None and isinstance(item.value, dict) else {}
        if self.key not in keys:
            start = content[:64].replace(b"\0", b"")  # in UTF-16, too
            for mark in BYTE_ORDER_MARKS:
                start = start.removeprefix(mark)
            if problems and start.startswith(f"{self.key}:".encode()):
                raise self.error_at(name, problems[0])
            raise self.error(Message(self.unrecognized, name=name))
        version = keys[self.key].value
        if isinstance(version, int) and not isinstance(version, bool) and version > self.newest:
            message = Message(
                "{name} was written by a newer version of Shibumi 3D (format {format}; this version reads "
                "formats up to {newest})",
                name=name,
                format=version,
                newest=self.newest,
            )
            raise self.error(message)
        if problems:
            raise self.error_at(name, problems[0])
        assert item is not None
        if version not in range(1, self.newest + 1):
            problem = Problem(
                keys[self.key].location,
                "{key}: expected the format number, up to {newest}",
                key=self.key,
                newest=self.newest,
            )
            raise self.error_at(name, problem)
        return item
