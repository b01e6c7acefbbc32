"""Typed access to the entries of a mapping in a game file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from shibumi3d.i18n import LANGUAGES as CODES
from shibumi3d.i18n import P_, Message, to_message
from shibumi3d.names import has_visible_text, normalize
from shibumi3d.rules.source import Item, Problem, SourceLocation, suggest_or_list

LANGUAGES = tuple(CODES)
SIZE_RANGE = (2, 10)
PLAYER_RANGE = (1, 10)

_T = TypeVar("_T")


def check_keys(item: Item, known: tuple[str, ...], what: Message, problems: list[Problem]) -> None:
    """Append a problem to ``problems`` for each key that is not in ``known``.

    ``what`` describes the unknown key in the error message, for example as "key in tips".
    """
    for key, mark in item.key_locations.items():
        if key not in known:
            problems.append(
                Problem(
                    mark,
                    "unknown {what}: '{word}'{hint}",
                    what=what,
                    word=key,
                    hint=suggest_or_list(key, known),
                )
            )


class FieldReader:
    """Reader that returns checked values from a mapping and reports invalid ones as problems.

    An item that is not a mapping is read as an empty mapping.
    """

    def __init__(self, item: Item | None, problems: list[Problem]) -> None:
        self.entries: dict[str, Item] = (
            item.value if item is not None and isinstance(item.value, dict) else {}
        )
        self._problems = problems

    def _report_expected(
        self, mark: SourceLocation, key: str, expected: str | Message, /, **values: object
    ) -> None:
        self._problems.append(
            Problem(mark, "{key}: expected {expected}", key=key, expected=to_message(expected, values))
        )

    def text(self, key: str) -> str:
        """Return the text or whole number under ``key`` as text, or "" if it is missing.

        If the value has another type or no visible characters, it is reported, and "" is returned.
        """
        item = self.entries.get(key)
        if item is None:
            return ""
        if isinstance(item.value, str | int) and not isinstance(item.value, bool):
            text = (item.scalar_text or "").strip()
            if has_visible_text(text):
                return normalize(text)
            if text:
                self._report_expected(item.location, key, "text with visible characters")
                return ""
        self._report_expected(item.location, key, "text")
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts in the list under ``key``, or () if the key is missing.

        A single text counts as a list of one. Invalid values are reported and left out.
        """
        item = self.entries.get(key)
        if item is None:
            return ()
        if isinstance(item.value, str) and item.value.strip():
            return (item.value.strip(),)
        return self._read_list(
            item,
            key,
            Message("a list of strings"),
            lambda v: (v.strip() or None) if isinstance(v, str) else None,
        )

    def integer(self, key: str, min_value: int, max_value: int) -> int:
        """Return the integer under ``key``, or 0 if it is missing.

        A value that is not an integer from ``min_value`` to ``max_value`` is reported, and 0 is returned.
        """
        item = self.entries.get(key)
        if item is None:
            return 0
        number = _valid_integer(item.value, min_value, max_value)
        if number is None:
            self._report_expected(
                item.location, key, "a number from {least} to {most}", least=min_value, most=max_value
            )
        return number or 0

    def flag(self, key: str) -> bool:
        """Return the boolean under ``key``, or False if it is missing.

        A value of any other type is reported, and False is returned.
        """
        item = self.entries.get(key)
        if item is None:
            return False
        if not isinstance(item.value, bool):
            self._report_expected(item.location, key, "true or false")
            return False
        return item.value

    def integers(self, key: str, min_value: int, max_value: int) -> tuple[int, ...]:
        """Return the integers in the list under ``key``, without duplicates, or () if the key is missing.

        Values in the list that are not integers from ``min_value`` to ``max_value`` are reported and left out. If the
        value under ``key`` isn't a list or is empty, it is reported, and () is returned.
        """
        item = self.entries.get(key)
        if item is None:
            return ()
        expected = Message("a list of numbers from {least} to {most}", least=min_value, most=max_value)
        found = self._read_list(item, key, expected, lambda v: _valid_integer(v, min_value, max_value))
        return tuple(dict.fromkeys(found))

    def choice(self, key: str, known: tuple[str, ...]) -> str:
        """Return the word under ``key``, or "" if it is missing.

        A word that is not in ``known`` is reported, and "" is returned.
        """
        word = self.text(key)
        if not word or word in known:
            return word
        mark = self.entries[key].location
        self._problems.append(
            Problem(
                mark,
                P_("errors", "unknown {what} '{word}'{hint}"),
                what=key,
                word=word,
                hint=suggest_or_list(word, known),
            )
        )
        return ""

    def mapping(self, key: str, known: tuple[str, ...]) -> FieldReader:
        """Return the fields of the mapping under ``key``, and report any that are not in ``known``.

        A missing mapping is treated as an empty one. A value that isn't a mapping is reported and treated in the same
        way.
        """
        item = self.entries.get(key)
        if item is not None:
            if isinstance(item.value, dict):
                check_keys(item, known, Message("key in {what}", what=key), self._problems)
            else:
                self._report_expected(
                    item.location, key, "a mapping with some of these keys: {words}", words=", ".join(known)
                )
        return FieldReader(item, self._problems)

    def rows(self, key: str, known: tuple[str, ...]) -> list[FieldReader]:
        """Return the fields of each mapping in the list under ``key``, and report any that are not in ``known``.

        Returns [] if the list is missing. A value that isn't a list is reported, and [] is returned. Rows that aren't
        mappings are reported and left out.
        """
        item = self.entries.get(key)
        if item is None:
            return []
        if not isinstance(item.value, list):
            self._report_expected(item.location, key, "a list")
            return []
        found = []
        for row in item.value:
            if isinstance(row.value, dict):
                check_keys(row, known, Message("key in {what}", what=key), self._problems)
                found.append(FieldReader(row, self._problems))
            else:
                self._report_expected(row.location, key, "a mapping")
        return found

    def by_language(self, key: str) -> Mapping[str, str]:
        """Return the texts under ``key``, by language code."""
        texts = self.mapping(key, LANGUAGES)
        return MappingProxyType({word: texts.text(word) for word in LANGUAGES if word in texts.entries})

    def lists_by_language(self, key: str) -> Mapping[str, tuple[str, ...]]:
        """Return the lists of texts under ``key``, by language.

        In the file, a single text may be given instead of a list.
        """
        texts = self.mapping(key, LANGUAGES)
        return MappingProxyType({word: texts.texts(word) for word in LANGUAGES if word in texts.entries})

    def explanations(self, key: str) -> Mapping[str, Mapping[str, str]]:
        """Return a mapping from each name under ``key`` to its texts by language.

        A missing mapping is treated as an empty one. A value that isn't a mapping is reported and treated in the same
        way.
        """
        item = self.entries.get(key)
        if item is None:
            return MappingProxyType({})
        if not isinstance(item.value, dict):
            self._report_expected(
                item.location, key, "a mapping from each name to texts in one or more languages"
            )
            return MappingProxyType({})
        names = FieldReader(item, self._problems)
        return MappingProxyType({name: names.by_language(name) for name in item.value})

    def by_size(self, key: str) -> Mapping[int, int]:
        """Return the numbers under ``key``, by board size; invalid sizes and numbers are reported and left out."""
        item = self.entries.get(key)
        if item is None:
            return MappingProxyType({})
        expected = Message(
            "board sizes ({least} to {most}) with a number for each, as in {{4: 27}}",
            least=SIZE_RANGE[0],
            most=SIZE_RANGE[1],
        )
        found: dict[int, int] = {}
        for word, value in (item.value if isinstance(item.value, dict) else {"": item}).items():
            size, number = (
                _valid_integer(int(word) if word.isdecimal() and len(word) < 3 else None, *SIZE_RANGE),
                _valid_integer(value.value, 0, 10**6),
            )
            if size is None or number is None:
                self._report_expected(value.location, key, expected)
            else:
                found[size] = number
        return MappingProxyType(found)

    def players(self) -> tuple[int, int]:
        """Return the minimum and maximum number of players, or (2, 2) if ``players`` is missing or invalid."""
        item = self.entries.get("players")
        if item is None:
            return (2, 2)
        count = _valid_integer(item.value, *PLAYER_RANGE)
        if count is not None:
            return (count, count)
        if isinstance(item.value, list) and len(item.value) == 2:
            least, most = (_valid_integer(i.value, *PLAYER_RANGE) for i in item.value)
            if least is not None and most is not None and least <= most:
                return (least, most)
        self._report_expected(
            item.location,
            "players",
            "a number from 1 to 10, or the lowest and the highest number, as in [2, 3]",
        )
        return (2, 2)

    def _read_list(
        self, item: Item, key: str, expected: Message, read: Callable[[object], _T | None]
    ) -> tuple[_T, ...]:
        if not isinstance(item.value, list) or not item.value:
            self._report_expected(item.location, key, expected)
            return ()
        found: list[_T] = []
        for entry in item.value:
            value = read(entry.value)
            if value is not None:
                found.append(value)
            else:
                self._report_expected(entry.location, key, expected)
        return tuple(found)


def _valid_integer(value: object, min_value: int, max_value: int) -> int | None:
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool) and min_value <= value <= max_value
        else None
    )
