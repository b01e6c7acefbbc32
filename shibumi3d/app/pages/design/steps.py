"""Steps and rules as lines of a game's text: taken apart into fields, and put where they belong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

INDENT = "  "
PROGRAMS = frozenset(
    ("choose", "may", "first", "repeat", "then", "else", "do", "let", "mark", "next", "because", "times")
)
"""Keys whose values are written as YAML: programs, names with values, texts by language."""
_SPECIAL = "{[&*!|>%@`\"'"
_OPEN, _CLOSE = "([{", ")]}"


def fields_of(example: str) -> dict[str, str]:
    """The keys of a step and their values, as they are written: ``{place: own, at: holes}`` has two."""
    inner = example.strip()
    inner = inner[1:-1] if inner.startswith("{") else inner
    found: dict[str, str] = {}
    for part in _split(inner):
        key, _, value = part.partition(":")
        found[key.strip()] = value.strip()
    return found


def step_lines(fields: Mapping[str, str]) -> list[str]:
    """A step or a rule as entry of a list: its first key behind the dash, the others below; empty ones are left out."""
    given = {key: value.strip() for key, value in fields.items() if value.strip()}
    return [
        f"{'- ' if number == 0 else INDENT}{key}: {_written(key, value)}"
        for number, (key, value) in enumerate(given.items())
    ]


def _is_key(line: str, key: str) -> bool:
    """Whether ``key`` stands in that line of the file, at its beginning."""
    return line.startswith(key) and line[len(key) :].lstrip().startswith(":")


def section(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """The lines of a key of the file: the one where it stands and the one behind its last; None where it is missing."""
    start = next((n for n, line in enumerate(lines) if _is_key(line, key)), None)
    if start is None:
        return None
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or lines[end][0] in " -#"):
        end += 1
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return start, end


def added(lines: Sequence[str], key: str, step: Sequence[str]) -> list[str]:
    """The text with one more entry in the list of ``key``, which is made where there is none."""
    listed = _listed(lines, key)
    if listed is None:
        before = list(lines)
        while before and not before[-1].strip():
            before.pop()
        return [*before, f"{key}:", *[INDENT + line for line in step], ""]
    deep = len(listed.entries[0][0]) - len(listed.entries[0][0].lstrip()) if listed.entries else len(INDENT)
    return listed.text([*listed.entries, [" " * deep + line for line in step]])


def entries(lines: Sequence[str], key: str) -> list[str]:
    """What the list of ``key`` holds, an entry a line; empty where there is none."""
    listed = _listed(lines, key)
    return [_told(entry) for entry in listed.entries] if listed is not None else []


def removed(lines: Sequence[str], key: str, number: int) -> list[str]:
    """The text without an entry of the list of ``key``, and without ``key`` if it was the only one."""
    listed = _listed(lines, key)
    if listed is None or not 0 <= number < len(listed.entries):
        return list(lines)
    left = [entry for place, entry in enumerate(listed.entries) if place != number]
    return listed.text(left) if left else [*listed.before, *listed.after]


def moved(lines: Sequence[str], key: str, number: int, by: int) -> list[str]:
    """The text with an entry of the list of ``key`` so many places later; as it was where there is no such place."""
    listed = _listed(lines, key)
    if listed is None or not (0 <= number < len(listed.entries) and 0 <= number + by < len(listed.entries)):
        return list(lines)
    order = list(listed.entries)
    order.insert(number + by, order.pop(number))
    return listed.text(order)


@dataclass(frozen=True, slots=True)
class _Listed:
    """The list of a key as the lines of its entries, the line of the key, and what stands around it."""

    before: list[str]
    head: list[str]
    entries: list[list[str]]
    after: list[str]

    def text(self, entries: Sequence[Sequence[str]]) -> list[str]:
        """The whole with other entries."""
        return [*self.before, *self.head, *[line for entry in entries for line in entry], *self.after]


def _listed(lines: Sequence[str], key: str) -> _Listed | None:
    """The list of ``key``, which may be written in its line or as a single entry; None where there is none."""
    found = section(lines, key)
    if found is None:
        return None
    start, end = found
    head, _, value = lines[start].partition(":")
    value = value.strip()
    block = list(lines[start + 1 : end])
    if value.startswith("[") and value.endswith("]"):
        block = [f"{INDENT}- {part.strip()}" for part in _split(value[1:-1])]
    elif value and not value.startswith("#"):
        block = [f"{INDENT}- {value}", *block]
    first = next((n for n, line in enumerate(block) if line.strip() and line.lstrip()[0] != "#"), 0)
    if block and not block[first].lstrip().startswith("- "):
        # A single step, its keys below one another: it becomes the only entry.
        deep = len(block[first]) - len(block[first].lstrip())
        single = [
            " " * deep + ("- " if n == 0 else "  ") + line[deep:] for n, line in enumerate(block[first:])
        ]
        block = [*block[:first], *single]
    dashed = next((line for line in block if line.lstrip().startswith("- ")), "")
    dash = f"{dashed[: len(dashed) - len(dashed.lstrip())]}- "
    top = [f"{head}:"]
    entries: list[list[str]] = []
    for line in block:
        if line.startswith(dash) or not entries:
            # A remark above the first entry stays where it is.
            if not entries and not line.startswith(dash):
                top.append(line)
                continue
            entries.append([])
        entries[-1].append(line)
    return _Listed(list(lines[:start]), top, entries, list(lines[end:]))


def _told(entry: Sequence[str]) -> str:
    """An entry in one line."""
    return "  ".join(line.strip() for line in entry).removeprefix("- ").strip()


def _split(text: str) -> list[str]:
    """The parts of a text between commas that stand in no bracket and no quotation marks."""
    parts, start, deep, quoted = [], 0, 0, ""
    for place, sign in enumerate(text):
        if quoted:
            quoted = "" if sign == quoted else quoted
        elif sign in "\"'":
            quoted = sign
        elif sign in _OPEN:
            deep += 1
        elif sign in _CLOSE:
            deep -= 1
        if sign == "," and not deep and not quoted:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def _written(key: str, value: str) -> str:
    """A value as YAML takes it: an expression that looks like something else is quoted."""
    quoted = value[0] == value[-1] == '"' and len(value) > 1
    plain = key in PROGRAMS or quoted or not (value[0] in _SPECIAL or ": " in value or " #" in value)
    if plain or (key == "most" and value[0] == "["):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
