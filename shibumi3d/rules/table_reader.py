"""Validating reader for the numbers, flags and words in the ``table:`` of a game file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shibumi3d.i18n import Message, Translatable, to_message
from shibumi3d.rules.source import Item, Problem, SourceLocation, suggest_or_list


class TableReader:
    """Reader that returns the entries of a mapping and collects the errors in them.

    For each missing or invalid entry, it returns a default value; for each invalid one, it also appends a problem to
    ``problems``. Keys that are not in ``known_keys`` are reported when the reader is created; if ``known_keys`` is
    None, any key is allowed. ``name`` denotes the mapping in messages, such as "table" or "table: fees". If ``item`` is
    None, the reader has no entries. If ``item`` is not a mapping, the reader has no entries either, and a problem is
    reported.
    """

    def __init__(
        self, item: Item | None, name: str, known_keys: Sequence[str] | None, problems: list[Problem]
    ) -> None:
        self.name = name
        self.problems = problems
        self.location: SourceLocation | None = item.location if item is not None else None
        self.items: Mapping[str, Item] = {}
        if item is None:
            return
        if not isinstance(item.value, dict):
            problems.append(Problem(item.location, "{key}: expected a mapping", key=name))
            return
        self.items = item.value
        for key, mark in item.key_locations.items():
            if known_keys is not None and key not in known_keys:
                problems.append(
                    Problem(
                        mark,
                        "{what}: unknown key '{word}'{hint}",
                        what=name,
                        word=key,
                        hint=suggest_or_list(key, known_keys),
                    )
                )

    def report_error(self, key: str, expected: Translatable | Message, /, **values: object) -> None:
        """Report that the value under ``key`` is not what was expected.

        ``expected`` is a message, or a template to be filled in with ``values``. If the key is missing, the problem is
        located at the start of the mapping.
        """
        item = self.items.get(key)
        mark = item.location if item is not None else self.location
        assert mark is not None, f"{self.name}: a missing mapping has no errors"
        self.problems.append(
            Problem(mark, "{key}: expected {expected}", key=key, expected=to_message(expected, values))
        )

    def read_int(self, key: str, minimum: int, maximum: int, default: int) -> int:
        """Return the integer under ``key``, or ``default`` if it is missing or invalid.

        Valid integers are from ``minimum`` to ``maximum``. An invalid value is also reported as a problem.
        """
        if key not in self.items:
            return default
        value = self.items[key].value
        if _is_int_within(value, minimum, maximum):
            return int(str(value))
        self.report_error(key, "a whole number from {least} to {most}", least=minimum, most=maximum)
        return default

    def read_number(self, key: str, minimum: float, maximum: float, default: float) -> float:
        """Return the number under ``key``, such as 14.5, or ``default`` if it is missing or invalid.

        Valid numbers are from ``minimum`` to ``maximum``. An invalid value is reported as a problem.
        """
        if key not in self.items:
            return default
        value = self.items[key].value
        if isinstance(value, int | float) and not isinstance(value, bool) and minimum <= value <= maximum:
            return value
        self.report_error(key, "a number from {least:g} to {most:g}", least=minimum, most=maximum)
        return default

    def read_flag(self, key: str, default: bool = False) -> bool:
        """Return the boolean under ``key``, or ``default`` if it is missing or invalid.

        An invalid value is also reported as a problem.
        """
        if key not in self.items:
            return default
        value = self.items[key].value
        if isinstance(value, bool):
            return value
        self.report_error(key, "true or false")
        return default

    def read_word(self, key: str, known_words: Sequence[str], default: str = "") -> str:
        """Return the word under ``key``, or ``default`` if it is missing or not one of ``known_words``.

        A value that is not one of ``known_words`` is also reported as a problem.
        """
        if key not in self.items:
            return default
        value = str(self.items[key].value)
        if value in known_words:
            return value
        self.problems.append(
            Problem(
                self.items[key].location,
                "{key}: unknown word '{word}'{hint}",
                key=key,
                word=value,
                hint=suggest_or_list(value, known_words),
            )
        )
        return default

    def read_string(self, key: str, default: str = "") -> str:
        """Return the value under ``key`` as stripped text, or ``default`` if it is missing, blank or not text.

        A value that is blank or not text is reported as a problem.
        """
        if key not in self.items:
            return default
        value = self.items[key].value
        if isinstance(value, str) and value.strip():
            return value.strip()
        self.report_error(key, "text")
        return default

    def read_ints(
        self, key: str, minimum: int, maximum: int, default: Sequence[int], count: int | None = None
    ) -> tuple[int, ...]:
        """Return the integers listed under ``key``, or ``default`` if the list is missing or invalid.

        Valid integers are from ``minimum`` to ``maximum``. If ``count`` is given, the list must have that length. An
        invalid list is also reported as a problem.
        """
        if key not in self.items:
            return tuple(default)
        value = self.items[key].value
        if (
            isinstance(value, list)
            and (count is None or len(value) == count)
            and all(_is_int_within(one.value, minimum, maximum) for one in value)
        ):
            return tuple(int(str(one.value)) for one in value)
        if count is None:
            self.report_error(
                key, "a list of whole numbers from {least} to {most}", least=minimum, most=maximum
            )
        else:
            self.report_error(
                key, "{count} whole numbers from {least} to {most}", count=count, least=minimum, most=maximum
            )
        return tuple(default)

    def check_ints(self, key: str, bounds: tuple[int, int]) -> None:
        """Report every item in the list under ``key`` that is not an integer within ``bounds``.

        ``bounds`` holds the minimum and the maximum, which are both allowed. If the key is missing or its value is not
        a list, nothing is reported.
        """
        given = self.items[key].value if key in self.items else None
        for item in given if isinstance(given, list) else ():
            if not _is_int_within(item.value, *bounds):
                expected = Message("whole numbers from {least} to {most}", least=bounds[0], most=bounds[1])
                self.problems.append(
                    Problem(item.location, "{key}: expected {expected}", key=self.name, expected=expected)
                )

    def read_int_mapping(
        self, key: str, key_bounds: tuple[int, int], value_bounds: tuple[int, int], default: Mapping[int, int]
    ) -> dict[int, int]:
        """Return the mapping of integers to integers under ``key``, such as ``{0: 12, 2: 4}``.

        Return a copy of ``default`` if the mapping is missing, empty or invalid. An empty or invalid one is also
        reported as a problem. ``key_bounds`` and ``value_bounds`` give the minimum and maximum for keys and values.
        """
        if key not in self.items:
            return dict(default)
        value = self.items[key].value
        int_mapping: dict[int, int] = {}
        for word, item in value.items() if isinstance(value, dict) else ():
            number = int(word) if word.isdecimal() and len(word) < 7 else -1
            if key_bounds[0] <= number <= key_bounds[1] and _is_int_within(item.value, *value_bounds):
                int_mapping[number] = int(str(item.value))
            else:
                int_mapping.clear()
                break
        if not int_mapping:
            self.report_error(
                key,
                "a mapping whose keys are numbers from {first} to {last} and whose values are numbers from "
                "{least} to {most}, as in {{{first}: {least}}}",
                least=value_bounds[0],
                most=value_bounds[1],
                first=key_bounds[0],
                last=key_bounds[1],
            )
            return dict(default)
        return int_mapping

    def sub_reader(self, key: str, known_keys: Sequence[str] | None) -> TableReader:
        """Return a reader for the mapping under ``key``.

        If the mapping is missing, the reader has no entries. If the value is not a mapping, the reader has no entries
        either, and a problem is reported. Keys that are not in ``known_keys`` are reported, unless ``known_keys`` is
        None.
        """
        return TableReader(self.items.get(key), f"{self.name}: {key}", known_keys, self.problems)

    def row_readers(self, key: str, known_keys: Sequence[str]) -> list[TableReader]:
        """Return a reader for each item in the list under ``key``, or [] if the list is missing or invalid.

        A value that is not a list is reported as a problem. So is an item that is not a mapping; its reader has no
        entries. In the other items, keys that are not in ``known_keys`` are reported.
        """
        if key not in self.items:
            return []
        value = self.items[key].value
        if not isinstance(value, list):
            self.report_error(key, "a list of mappings")
            return []
        name = f"{self.name}: {key}"
        return [
            TableReader(item, f"{name} {number}", known_keys, self.problems)
            for number, item in enumerate(value, 1)
        ]


def _is_int_within(value: object, minimum: int, maximum: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= maximum
