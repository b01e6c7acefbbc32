"""What is said below the window, by key and values: why a file, a record or a move is refused.

Rules, catalogue and records know no language. What they say is a :class:`Saying`, a key with its values; ``str`` of it
is the English sentence, and whoever shows it asks for it in another language. The sentences stand in a table for each
language (:mod:`.en`, :mod:`.fr`), with the same keys and gaps.
"""

from __future__ import annotations

import errno
import signal
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from shibumi3d.sayings.filling import Template, filled

LANGUAGES = ("en", "fr")
"""The languages there is a table for."""
LONGEST_VALUE = 500
"""The most characters of a value in a sentence: values may come from files of any size."""
_SIGNALS = frozenset(each.value for each in signal.Signals)
_CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS")
_WINDOWS_CRASH = 0xC000_0000
"""From this status on Windows has ended a process that crashed."""
SYSTEM = "system."
"""How the keys of what the system says begin; the name of the error follows."""


@cache
def table(lang: str) -> Mapping[str, Template]:
    """Return the sentences of a language by key: the English ones where it has none.

    A table is read when the first of its sentences is said: most programs say none in most languages.
    """
    found: Mapping[str, Template] = import_module(
        f"shibumi3d.sayings.{lang if lang in LANGUAGES else 'en'}"
    ).TABLE
    return found


class Saying:
    """A sentence, or a part of one, by its ``key`` and ``values``.

    A value is a number, a text, or a saying that is said in the same language; of an error it is what that says.
    A template in two forms counts the value ``n``. A key that is in no table stands for itself.
    """

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values: Mapping[str, object] = {name: _plain(value) for name, value in values.items()}

    def told(self, lang: str) -> str:
        """Return the sentence in that language, in English where it has none."""
        template = table(lang).get(self.key)
        if template is None:
            template = table("en").get(self.key)
        return self.key if template is None else filled(template, lang, self.values)

    def __str__(self) -> str:
        return self.told("en")

    def __repr__(self) -> str:
        return f"Saying({', '.join([repr(self.key), *(f'{k}={v!r}' for k, v in self.values.items())])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Saying) and (self.key, self.values) == (other.key, other.values)

    def __hash__(self) -> int:
        return hash((self.key, *self.values))

    def data(self) -> list[Any]:
        """Return the key and values in a form that JSON can hold."""
        values = {
            name: {"saying": v.data()} if isinstance(v, Saying) else v for name, v in self.values.items()
        }
        return [self.key, values]

    @classmethod
    def of_data(cls, data: Any) -> Saying:
        """Return the saying that :meth:`data` gave. Raises an error of Python for anything else."""
        key, values = data
        return cls(
            str(key), **{k: cls.of_data(v["saying"]) if isinstance(v, dict) else v for k, v in values.items()}
        )


@runtime_checkable
class Tellable(Protocol):
    """What can be said in several languages: a saying, an error, a problem of a file."""

    def told(self, lang: str) -> str:
        """Return it in the language of that code."""


class Told(Exception):
    """An error that says what is wrong by a key and values, as a :class:`Saying` does."""

    def __init__(self, what: str | Saying, /, **values: object) -> None:
        super().__init__(saying(what, values))

    @property
    def saying(self) -> Saying:
        """What it says."""
        found: Saying = self.args[0]
        return found

    def told(self, lang: str) -> str:
        """Return what it says in the language of that code."""
        return self.saying.told(lang)


class Unusable(Told, ValueError):
    """What was given can't be taken."""


class NoFile(Told, OSError):
    """A path leads to no file that can be used; ``filename`` is the path, where that is told."""

    def __init__(self, what: str | Saying, /, *, path: object = None, **values: object) -> None:
        super().__init__(what, **values)
        if path is not None:
            self.filename = str(path)

    def __str__(self) -> str:
        return self.told("en")


def saying(what: str | Saying, values: Mapping[str, object]) -> Saying:
    """Return a saying itself, or the one of a key and ``values``."""
    return what if isinstance(what, Saying) else Saying(what, **values)


def verbatim(text: object) -> Saying:
    """Return a saying of words that are not the program's own: they are the same in all languages."""
    return Saying("verbatim", text=" ".join(str(text).split()))


def reason(error: BaseException) -> Saying:
    """Return what an error says, without the file it names."""
    if isinstance(error, Told):
        return error.saying
    if isinstance(error, OSError):
        key = SYSTEM + errno.errorcode.get(error.errno or 0, "")
        return Saying(key) if key in table("en") else verbatim(error.strerror or error)
    if isinstance(error, RecursionError):
        return Saying("crash.deep")
    if isinstance(error, MemoryError):
        return Saying("crash.memory")
    return verbatim(error if str(error).strip() else type(error).__name__)


def ending(status: int) -> Saying:
    """Return in plain words how a child process ended that said nothing itself, by its status in subprocess."""
    number = -status if status < 0 else status - 128 if 128 < status < 160 else 0
    name = signal.Signals(number).name if number in _SIGNALS else ""
    if name in _CRASHES or status >= _WINDOWS_CRASH:
        return Saying("ended.crashed")
    if name == "SIGKILL":
        return Saying("ended.killed")
    return Saying("ended.stopped" if name else "ended.other")


def cut(text: str, most: int = LONGEST_VALUE) -> str:
    """Return ``text``, without its middle if it has more than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 4 :]}"


def explain_crash(error: Exception) -> Saying:
    """Return in plain words why reading something failed in a way that nobody foresaw."""
    if isinstance(error, Tellable | OSError | RecursionError | MemoryError):
        return reason(error)
    return Saying("crash.other", problem=verbatim(f"{type(error).__name__}: {error}"))


def _plain(value: object) -> object:
    """A value as a saying keeps it."""
    if isinstance(value, BaseException):
        return reason(value)
    if isinstance(value, int | float | Saying):
        return value
    return cut(value if isinstance(value, str) else str(value))
