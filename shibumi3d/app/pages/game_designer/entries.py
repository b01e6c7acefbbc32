"""Functions that find, add, move and remove steps and rules in the text of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

INDENT = "  "
VERBATIM_KEYS = frozenset(
    ("choose", "may", "first", "repeat", "then", "else", "do", "let", "mark", "next", "because", "times")
)
"""Keys whose values are copied as YAML without quoting, such as programs, named values, and texts by language."""
_YAML_SPECIAL = "{[&*!|>%@`\"'"
_OPEN, _CLOSE = "([{", ")]}"


def parse_fields(example: str) -> dict[str, str]:
    """Return the keys of a step such as ``{place: own, at: holes}``, with their values exactly as written."""
    inner = example.strip()
    inner = inner[1:-1] if inner.startswith("{") else inner
    result: dict[str, str] = {}
    for part in _split_at_commas(inner):
        key, _, value = part.partition(":")
        result[key.strip()] = value.strip()
    return result


def format_step(fields: Mapping[str, str]) -> list[str]:
    """Return the lines of a YAML list entry with the given fields.

    Empty fields are left out. The first line starts with a dash, and the others are indented.
    """
    filled = {key: value.strip() for key, value in fields.items() if value.strip()}
    return [
        f"{'- ' if index == 0 else INDENT}{key}: {_format_value(key, value)}"
        for index, (key, value) in enumerate(filled.items())
    ]


def _is_key(line: str, key: str) -> bool:
    """Return whether ``line`` starts with the top-level key ``key``."""
    return line.startswith(key) and line[len(key) :].lstrip().startswith(":")


def find_section(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """Return the range of lines that belong to a top-level key, or None if the key is missing.

    The range is a pair of indices (start, end), with the end exclusive. Blank lines at the end are left out.
    """
    start = next((n for n, line in enumerate(lines) if _is_key(line, key)), None)
    if start is None:
        return None
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or lines[end][0] in " -#"):
        end += 1
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return start, end


def add_entry(lines: Sequence[str], key: str, step: Sequence[str]) -> list[str]:
    """Return ``lines`` with the entry ``step`` appended to the list under ``key``.

    If there is no such list, a new one is added at the end.
    """
    listed = _find_list(lines, key)
    if listed is None:
        before = list(lines)
        while before and not before[-1].strip():
            before.pop()
        return [*before, f"{key}:", *[INDENT + line for line in step], ""]
    deep = len(listed.entries[0][0]) - len(listed.entries[0][0].lstrip()) if listed.entries else len(INDENT)
    return listed.replace_entries([*listed.entries, [" " * deep + line for line in step]])


def list_entries(lines: Sequence[str], key: str) -> list[str]:
    """Return the entries of the list under ``key``, each joined into one line.

    The result is empty if there is no list.
    """
    listed = _find_list(lines, key)
    return [_join_entry(entry) for entry in listed.entries] if listed is not None else []


def remove_entry(lines: Sequence[str], key: str, index: int) -> list[str]:
    """Return the lines without the entry at ``index`` in the list under ``key``.

    If it is the only entry, the key is removed as well. If there is no such entry, the lines are returned unchanged.
    """
    listed = _find_list(lines, key)
    if listed is None or not 0 <= index < len(listed.entries):
        return list(lines)
    remaining = [entry for position, entry in enumerate(listed.entries) if position != index]
    return listed.replace_entries(remaining) if remaining else [*listed.before, *listed.after]


def move_entry(lines: Sequence[str], key: str, index: int, by: int) -> list[str]:
    """Return the text with entry ``index`` of the list under ``key`` moved by ``by`` places.

    If the entry doesn't exist, or its new place would be outside the list, the text is returned unchanged.
    """
    listed = _find_list(lines, key)
    if listed is None or not (0 <= index < len(listed.entries) and 0 <= index + by < len(listed.entries)):
        return list(lines)
    order = list(listed.entries)
    order.insert(index + by, order.pop(index))
    return listed.replace_entries(order)


@dataclass(frozen=True, slots=True)
class _EntryList:
    """A list in a game's text: the lines of its key and of each entry, and the lines before and after it.

    ``head`` contains the line with the key, and any comments between it and the first entry.
    """

    before: list[str]
    head: list[str]
    entries: list[list[str]]
    after: list[str]

    def replace_entries(self, entries: Sequence[Sequence[str]]) -> list[str]:
        """Return the lines of the whole text, with ``entries`` in place of the current entries."""
        return [*self.before, *self.head, *[line for entry in entries for line in entry], *self.after]


def _find_list(lines: Sequence[str], key: str) -> _EntryList | None:
    """Return the list under ``key``, or None if there is none.

    Two shorter forms are recognized, too: a list in brackets on the same line as its key, and a single entry without a
    dash. Their entries are returned with dashes.
    """
    section = find_section(lines, key)
    if section is None:
        return None
    start, end = section
    head, _, value = lines[start].partition(":")
    value = value.strip()
    block = list(lines[start + 1 : end])
    if value.startswith("[") and value.endswith("]"):
        block = [f"{INDENT}- {part.strip()}" for part in _split_at_commas(value[1:-1])]
    elif value and not value.startswith("#"):
        block = [f"{INDENT}- {value}", *block]
    first_entry_line = next(
        (n for n, line in enumerate(block) if line.strip() and line.lstrip()[0] != "#"), 0
    )
    if block and not block[first_entry_line].lstrip().startswith("- "):
        # A single step with a key on each line becomes the only entry.
        deep = len(block[first_entry_line]) - len(block[first_entry_line].lstrip())
        single = [
            " " * deep + ("- " if n == 0 else "  ") + line[deep:]
            for n, line in enumerate(block[first_entry_line:])
        ]
        block = [*block[:first_entry_line], *single]
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
    return _EntryList(list(lines[:start]), top, entries, list(lines[end:]))


def _join_entry(entry: Sequence[str]) -> str:
    return "  ".join(line.strip() for line in entry).removeprefix("- ").strip()


def _split_at_commas(text: str) -> list[str]:
    """Split a text at the commas outside brackets and quotation marks, leaving out blank parts."""
    parts, start, depth, quoted = [], 0, 0, ""
    for index, character in enumerate(text):
        if quoted:
            quoted = "" if character == quoted else quoted
        elif character in "\"'":
            quoted = character
        elif character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
        if character == "," and not depth and not quoted:
            parts.append(text[start:index])
            start = index + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def _format_value(key: str, value: str) -> str:
    """Return a value as YAML, adding quotes if YAML wouldn't read it as plain text without them.

    Some values are always returned unchanged: those of :data:`VERBATIM_KEYS`, those already in double quotes, and a
    list under the key ``most``.
    """
    quoted = value[0] == value[-1] == '"' and len(value) > 1
    plain = (
        key in VERBATIM_KEYS or quoted or not (value[0] in _YAML_SPECIAL or ": " in value or " #" in value)
    )
    if plain or (key == "most" and value[0] == "["):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
