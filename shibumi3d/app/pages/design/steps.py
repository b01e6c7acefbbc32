"""Steps and rules as lines of a game's text, which can be split, added, moved and removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

INDENT = "  "
PROGRAMS = frozenset(
    ("choose", "may", "first", "repeat", "then", "else", "do", "let", "mark", "next", "because", "times")
)
"""Keys whose values are copied as YAML: programs, named values, and texts by language."""
_SPECIAL = "{[&*!|>%@`\"'"
_OPEN, _CLOSE = "([{", ")]}"


def fields_of(example: str) -> dict[str, str]:
    """Return the keys of a step, with their values as they are written.

    An example of a step is ``{place: own, at: holes}``.
    """
    inner = example.strip()
    inner = inner[1:-1] if inner.startswith("{") else inner
    found: dict[str, str] = {}
    for part in _split(inner):
        key, _, value = part.partition(":")
        found[key.strip()] = value.strip()
    return found


def step_lines(fields: Mapping[str, str]) -> list[str]:
    """Return the lines of a list entry with the given fields. Empty fields are left out.

    The first key is on the line of the dash, and the others are on the lines below.
    """
    given = {key: value.strip() for key, value in fields.items() if value.strip()}
    return [
        f"{'- ' if number == 0 else INDENT}{key}: {_written(key, value)}"
        for number, (key, value) in enumerate(given.items())
    ]


def _is_key(line: str, key: str) -> bool:
    """Return whether ``line`` starts with the top-level key ``key``."""
    return line.startswith(key) and line[len(key) :].lstrip().startswith(":")


def section(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """Return the range of lines of a top-level key (end exclusive), or None if the key is missing."""
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
    """Return the text with ``step`` appended to the list under ``key``.

    If there is no list, it is created.
    """
    listed = _listed(lines, key)
    if listed is None:
        before = list(lines)
        while before and not before[-1].strip():
            before.pop()
        return [*before, f"{key}:", *[INDENT + line for line in step], ""]
    deep = len(listed.entries[0][0]) - len(listed.entries[0][0].lstrip()) if listed.entries else len(INDENT)
    return listed.text([*listed.entries, [" " * deep + line for line in step]])


def entries(lines: Sequence[str], key: str) -> list[str]:
    """Return the entries of the list under ``key``, each as one line; empty if there is no list."""
    listed = _listed(lines, key)
    return [_told(entry) for entry in listed.entries] if listed is not None else []


def removed(lines: Sequence[str], key: str, number: int) -> list[str]:
    """Return the text without the entry with index ``number`` in the list under ``key``.

    If it was the only entry, the key is removed as well.
    """
    listed = _listed(lines, key)
    if listed is None or not 0 <= number < len(listed.entries):
        return list(lines)
    left = [entry for place, entry in enumerate(listed.entries) if place != number]
    return listed.text(left) if left else [*listed.before, *listed.after]


def moved(lines: Sequence[str], key: str, number: int, by: int) -> list[str]:
    """Return the text with an entry of the list under ``key`` moved by ``by`` places.

    If the new place would be outside the list, the text is returned unchanged.
    """
    listed = _listed(lines, key)
    if listed is None or not (0 <= number < len(listed.entries) and 0 <= number + by < len(listed.entries)):
        return list(lines)
    order = list(listed.entries)
    order.insert(number + by, order.pop(number))
    return listed.text(order)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A list in a game's text: its key, the lines of each entry, and the lines before and after it."""

    before: list[str]
    head: list[str]
    entries: list[list[str]]
    after: list[str]

    def text(self, entries: Sequence[Sequence[str]]) -> list[str]:
        """Return the whole text, with ``entries`` in place of the current entries."""
        return [*self.before, *self.head, *[line for entry in entries for line in entry], *self.after]


def _listed(lines: Sequence[str], key: str) -> _Listed | None:
    """Return the list under ``key``, or None if there is none.

    The list may also be on the same line as its key, or consist of a single entry without a dash.
    """
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
        # A single step with a key on each line becomes the only entry.
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
            # A comment above the first entry stays where it is.
            if not entries and not line.startswith(dash):
                top.append(line)
                continue
            entries.append([])
        entries[-1].append(line)
    return _Listed(list(lines[:start]), top, entries, list(lines[end:]))


def _told(entry: Sequence[str]) -> str:
    """Return an entry as one line."""
    return "  ".join(line.strip() for line in entry).removeprefix("- ").strip()


def _split(text: str) -> list[str]:
    """Split a text at the commas outside brackets and quotation marks."""
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
    """Return a value as YAML, quoting expressions that YAML would interpret as something else."""
    quoted = value[0] == value[-1] == '"' and len(value) > 1
    plain = key in PROGRAMS or quoted or not (value[0] in _SPECIAL or ": " in value or " #" in value)
    if plain or (key == "most" and value[0] == "["):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
