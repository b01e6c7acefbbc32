"""Validating reader for the numbers, flags and words in the ``table:`` of a game file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shibumi3d.i18n import Message, Translatable, to_message
from shibumi3d.rules.source import FilePlace, Item, Problem, or_list


class TableReader:
    """Reader for the entries of a mapping that collects the errors found in them.

    For each missing or invalid entry, it returns a default value; for each invalid one, it appends a problem to
    ``problems``. Keys that are not in ``known`` are reported when the reader is created; if ``known`` is None, any key
    is allowed. ``name`` denotes the mapping in messages, such as "table" or "table: fees".
    """

    def __init__(
        self, item: Item | None, name: str, known: Sequence[str] | None, problems: list[Problem]
    ) -> None:
        self.name = name
        self.problems = problems
        self.mark: FilePlace | None = item.mark if item is not None else None
        self.items: Mapping[str, Item] = {}
        if item is None:
            return
        if not isinstance(item.value, dict):
            problems.append(Problem(item.mark, "{key}: expected a mapping of keys", key=name))
            return
        self.items = item.value
        for key, mark in item.keys.items():
            if known is not None and key not in known:
                problems.append(
                    Problem(
                        mark,
                        "{what}: unknown key '{word}'{hint}",
                        what=name,
                        word=key,
                        hint=or_list(key, known),
                    )
                )

    def wrong(self, key: str, expected: Translatable | Message, /, **values: object) -> None:
        """Report that the value under ``key`` is not what was expected.

        ``expected`` is a message, or a template to be filled in with ``values``. If the key is missing, the problem is
        located at the start of the mapping.
        """
        item = self.items.get(key)
        mark = item.mark if item is not None else self.mark
        assert mark is not None, f"{self.name}: nothing is wrong where nothing stands"
        self.problems.append(
            Problem(mark, "{key}: expected {expected}", key=key, expected=to_message(expected, values))
        )

    def whole(self, key: str, least: int, most: int, usual: int) -> int:
        """Return the integer under ``key``, or ``usual`` if it is missing or invalid.

        Valid integers are from ``least`` to ``most``.
        """
        if key not in self.items:
            return usual
        value = self.items[key].value
        if _whole(value, least, most):
            return int(str(value))
        self.wrong(key, "a whole number from {least} to {most}", least=least, most=most)
        return usual

    def number(self, key: str, least: float, most: float, usual: float) -> float:
        """Return the number under ``key``, such as 14.5, or ``usual`` if it is missing or invalid.

        Valid numbers are from ``least`` to ``most``.
        """
        if key not in self.items:
            return usual
        value = self.items[key].value
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.wrong(key, "a number from {least:g} to {most:g}", least=least, most=most)
        return usual

    def flag(self, key: str, usual: bool = False) -> bool:
        """Return the boolean under ``key``, or ``usual`` if it is missing or invalid."""
        if key not in self.items:
            return usual
        value = self.items[key].value
        if isinstance(value, bool):
            return value
        self.wrong(key, "true or false")
        return usual

    def word(self, key: str, known: Sequence[str], usual: str = "") -> str:
        """Return the word under ``key``, or ``usual`` if it is missing or not one of ``known``."""
        if key not in self.items:
            return usual
        value = str(self.items[key].value)
        if value in known:
            return value
        self.problems.append(
            Problem(
                self.items[key].mark,
                "{key}: unknown word '{word}'{hint}",
                key=key,
                word=value,
                hint=or_list(value, known),
            )
        )
        return usual

    def text(self, key: str, usual: str = "") -> str:
        """Return the non-empty text under ``key``, or ``usual`` if it is missing or invalid."""
        if key not in self.items:
            return usual
        value = self.items[key].value
        if isinstance(value, str) and value.strip():
            return value.strip()
        self.wrong(key, "text")
        return usual

    def wholes(
        self, key: str, least: int, most: int, usual: Sequence[int], count: int | None = None
    ) -> tuple[int, ...]:
        """Return the list of integers under ``key``, or ``usual`` if it is missing or invalid.

        Valid integers are from ``least`` to ``most``. If ``count`` is given, the list must have that length.
        """
        if key not in self.items:
            return tuple(usual)
        value = self.items[key].value
        if (
            isinstance(value, list)
            and (count is None or len(value) == count)
            and all(_whole(one.value, least, most) for one in value)
        ):
            return tuple(int(str(one.value)) for one in value)
        if count is None:
            self.wrong(key, "a list of whole numbers from {least} to {most}", least=least, most=most)
        else:
            self.wrong(
                key, "{count} whole numbers from {least} to {most}", count=count, least=least, most=most
            )
        return tuple(usual)

    def only(self, key: str, bounds: tuple[int, int]) -> None:
        """Report every item in the list under ``key`` that is not an integer within ``bounds``."""
        given = self.items[key].value if key in self.items else None
        for item in given if isinstance(given, list) else ():
            if not _whole(item.value, *bounds):
                expected = Message("whole numbers from {least} to {most}", least=bounds[0], most=bounds[1])
                self.problems.append(
                    Problem(item.mark, "{key}: expected {expected}", key=self.name, expected=expected)
                )

    def by_number(
        self, key: str, keys: tuple[int, int], values: tuple[int, int], usual: Mapping[int, int]
    ) -> dict[int, int]:
        """Return the mapping of integers to integers under ``key``, such as ``{0: 12, 2: 4}``.

        Return ``usual`` if it is missing or invalid. ``keys`` is the minimum and maximum of the keys, and ``values``
        that of the values.
        """
        if key not in self.items:
            return dict(usual)
        value = self.items[key].value
        found: dict[int, int] = {}
        for word, item in value.items() if isinstance(value, dict) else ():
            number = int(word) if word.isdecimal() and len(word) < 7 else -1
            if keys[0] <= number <= keys[1] and _whole(item.value, *values):
                found[number] = int(str(item.value))
            else:
                found.clear()
                break
        if not found:
            self.wrong(
                key,
                "a mapping of numbers from {first} to {last} to numbers from {least} to {most}, as in "
                "{{{first}: {least}}}",
                least=values[0],
                most=values[1],
                first=keys[0],
                last=keys[1],
            )
            return dict(usual)
        return found

    def table(self, key: str, known: Sequence[str] | None) -> TableReader:
        """Return a reader for the mapping under ``key``; it has no entries if the key is missing."""
        return TableReader(self.items.get(key), f"{self.name}: {key}", known, self.problems)

    def rows(self, key: str, known: Sequence[str]) -> list[TableReader]:
        """Return a reader for each mapping in the list under ``key``, or none if the key is missing."""
        if key not in self.items:
            return []
        value = self.items[key].value
        if not isinstance(value, list):
            self.wrong(key, "a list of mappings")
            return []
        name = f"{self.name}: {key}"
        return [
            TableReader(item, f"{name} {number}", known, self.problems)
            for number, item in enumerate(value, 1)
        ]


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
