"""The ``options`` of a game file, which players choose before a match.

::

    options:
      length: {label: {en: length, fr: longueur}, values: [48, 60, 80], usual: 80}
      rounds: {label: {en: rounds, fr: manches}, range: [1, 10], usual: {2: 4, 3: 3}}

``usual`` is the default, which may depend on the number of seats. Where it isn't given, the default is the first of the
``values``, or the lowest number of the ``range``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shibumi3d.catalogue.fields import PLAYER_RANGE, FieldReader, check_keys
from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.game import SEPARATE_OPTIONS, Option
from shibumi3d.rules.source import Item, Problem, suggest_or_list_existing

OPTION_KEYS = ("label", "values", "range", "usual")
MAX_OPTIONS = 12
MAX_VALUES = 100
_NAME = re.compile(r"[a-z]+(_[a-z]+)*")
_WORD = re.compile(r"[a-z]+( [a-z]+)*")


def read_options(
    fields: FieldReader, players: tuple[int, int], problems: list[Problem]
) -> tuple[Option, ...]:
    """Return the valid options of a file and append any errors to ``problems``.

    ``players`` holds the minimum and maximum number of players. If there are more than :data:`MAX_OPTIONS` options,
    none is returned.
    """
    item = fields.entries.get("options")
    if item is None:
        return ()
    if not isinstance(item.value, dict):
        problems.append(
            Problem(item.location, "options: expected a mapping from the name of each option to its values")
        )
        return ()
    if len(item.value) > MAX_OPTIONS:
        problems.append(
            Problem(item.location, "options: a game can have at most {most} of them", most=MAX_OPTIONS)
        )
        return ()
    found = []
    for name, told in item.value.items():
        if not _NAME.fullmatch(name) or name in SEPARATE_OPTIONS:
            problems.append(
                Problem(
                    item.key_locations[name],
                    "option '{name}': use lowercase words joined by '_'; 'size' and 'variant' are reserved",
                    name=name,
                )
            )
            continue
        option = _read_option(name, told, players, problems)
        if option is not None:
            found.append(option)
    return tuple(found)


def _read_option(name: str, item: Item, players: tuple[int, int], problems: list[Problem]) -> Option | None:
    def report_problem(item: Item, expected: str, /, **values: object) -> None:
        problems.append(
            Problem(
                item.location,
                "option '{name}': expected {expected}",
                name=name,
                expected=Message(expected, **values),
            )
        )

    if not isinstance(item.value, dict):
        report_problem(item, "a mapping with 'values' or 'range', and optionally 'usual'")
        return None
    check_keys(item, OPTION_KEYS, Message("key in option '{name}'", name=name), problems)
    values = _read_values(item, report_problem)
    if not values:
        return None
    usual: int | str = values[0]
    by_seats: dict[int, int | str] = {}
    given = item.value.get("usual")
    if given is not None and isinstance(given.value, dict):
        for word, entry in given.value.items():
            seats = int(word) if word.isdecimal() and len(word) < 3 else 0
            if not max(players[0], PLAYER_RANGE[0]) <= seats <= players[1] or entry.value not in values:
                report_problem(
                    entry,
                    "numbers of players from {least} to {most}, with one of the option's values for each",
                    least=players[0],
                    most=players[1],
                )
                return None
            by_seats[seats] = _to_value(entry.value)
    elif given is not None:
        if isinstance(given.value, bool) or given.value not in values:
            report_problem(given, "one of its values: {values}", values=", ".join(map(str, values)))
            return None
        usual = _to_value(given.value)
    label = FieldReader(item, problems).by_language("label") or {"en": name.replace("_", " ")}
    return Option(name, label, values, usual, by_seats)


def _read_values(item: Item, report_problem: object) -> tuple[int | str, ...]:
    assert isinstance(item.value, dict)
    assert callable(report_problem)
    listed, between = item.value.get("values"), item.value.get("range")
    if (listed is None) == (between is None):
        if listed is None:
            report_problem(item, "either 'values' or 'range'")
        else:
            report_problem(item, "either 'values' or 'range', not both")
        return ()
    if between is not None:
        ends = [entry.value for entry in between.value] if isinstance(between.value, list) else []
        if not (
            len(ends) == 2 and all(_is_integer(end) for end in ends) and 0 <= ends[1] - ends[0] < MAX_VALUES
        ):
            report_problem(
                between,
                "the lowest and the highest of at most {most} whole numbers, as in [1, 10]",
                most=MAX_VALUES,
            )
            return ()
        return tuple(range(ends[0], ends[1] + 1))
    assert listed is not None
    values = [entry.value for entry in listed.value] if isinstance(listed.value, list) else []
    if not 0 < len(values) <= MAX_VALUES or not all(
        _is_integer(value) or _is_option_word(value) for value in values
    ):
        report_problem(listed, "a list of 1 to {most} whole numbers or lowercase words", most=MAX_VALUES)
        return ()
    if len(set(values)) < len(values):
        report_problem(listed, "each value only once")
        return ()
    return tuple(values)


def check_options(
    options: Sequence[Option], given: Mapping[str, int | str], title: str
) -> dict[str, int | str]:
    """Return the ``given`` values of ``options``, by name, after checking them.

    Numbers given as text are converted. Raises ValueError, with a message for the player, for an unknown option or
    value.
    """
    known = {option.name: option for option in options}
    result: dict[str, int | str] = {}
    for name, value in given.items():
        if name not in known:
            raise InvalidValueError(
                "{game} has no option '{name}'{hint}",
                game=title,
                name=name,
                hint=suggest_or_list_existing(name, known),
            )
        by_text = {str(value): value for value in known[name].values}
        if str(value) not in by_text:
            raise InvalidValueError(
                "{game}: {name} must be one of {values}, not '{value}'",
                game=title,
                name=name,
                values=", ".join(by_text),
                value=value,
            )
        result[name] = by_text[str(value)]
    return result


def _to_value(value: object) -> int | str:
    return value if isinstance(value, int) else str(value)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6


def _is_option_word(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None
