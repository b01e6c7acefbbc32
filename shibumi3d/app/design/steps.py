"""Steps and rules as lines of a game's text: taken apart into fields, and put where they belong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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


def section(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """The lines of a key of the file: the one where it stands and the one behind its last; None where it is missing."""
    start = next((n for n, line in enumerate(lines) if re.match(rf"{key}\s*:", line)), None)
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
    fresh = [INDENT + line for line in step]
    found = section(lines, key)
    if found is None:
        before = list(lines)
        while before and not before[-1].strip():
            before.pop()
        return [*before, f"{key}:", *fresh, ""]
    start, end = found
    head, _, value = lines[start].partition(":")
    value = value.strip()
    block = list(lines[start + 1 : end])
    if value.startswith("[") and value.endswith("]"):
        block = [f"{INDENT}- {part.strip()}" for part in _split(value[1:-1])]
    elif value and not value.startswith("#"):
        block = [f"{INDENT}- {value}", *block]
    elif block and not any(line.lstrip().startswith("- ") for line in block[:1]):
        deep = len(block[0]) - len(block[0].lstrip())
        block = [" " * deep + ("- " if n == 0 else "  ") + line[deep:] for n, line in enumerate(block)]
    if block and block[0].lstrip().startswith("- "):
        deep = len(block[0]) - len(block[0].lstrip())
        fresh = [" " * deep + line for line in step]
    return [*lines[:start], f"{head}:", *block, *fresh, *lines[end:]]


def _split(text: str) -> list[str]:
    """The parts of a text between commas that stand in no bracket and no quotation marks."""
    parts, deep, quoted = [""], 0, ""
    for sign in text:
        if quoted:
            quoted = "" if sign == quoted else quoted
        elif sign in "\"'":
            quoted = sign
        elif sign in _OPEN:
            deep += 1
        elif sign in _CLOSE:
            deep -= 1
        if sign == "," and not deep and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return [part for part in parts if part.strip()]


def _written(key: str, value: str) -> str:
    """A value as YAML takes it: an expression that looks like something else is quoted."""
    quoted = value[0] == value[-1] == '"' and len(value) > 1
    plain = key in PROGRAMS or quoted or not (value[0] in _SPECIAL or ": " in value or " #" in value)
    if plain or (key == "most" and value[0] == "["):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
