"""Parser that turns YAML into :class:`Item` trees with line numbers, within limits on size, nesting and item count.

The accepted language is a safe subset of YAML 1.2. Only ``true`` and ``false`` are booleans; ``on``, ``yes``, ``no``
and ``off`` are text. There are no tags or merge keys. Keys are always read as text and must be unique in a mapping.
An alias can refer to an earlier value, but not to one that contains the alias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

from shibumi3d.files import decode_text
from shibumi3d.i18n import N_, Message, untranslated
from shibumi3d.rules.source import Item, Problem, SourceLocation

# The C parser is ten times as fast, but not every build of PyYAML has it.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PARSE_ERRORS = (yaml.YAMLError, ValueError, OverflowError)
r"""Exceptions that the parsers may raise.

The Python parser accepts any number as a code point, e.g. in ``"\UFFFFFFFF"``, and then raises OverflowError or
ValueError.
"""
_INT = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?[0-9]{1,18}\.[0-9]{1,18}")
_CONSTANTS: dict[str, bool | None] = {"": None, "~": None, "null": None, "true": True, "false": False}

_ENCODINGS = (
    ("UTF-32", re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff|\0\0\0[^\0]|[^\0]\0\0\0")),
    ("UTF-16", re.compile(rb"\xff\xfe|\xfe\xff|\0[^\0]|[^\0]\0")),
)
"""Encodings other than UTF-8, each with a pattern for the first bytes of a file.

The patterns match a byte order mark or, if there is none, the NUL bytes next to an ASCII character.
"""
_DOS_END = "\x1a"
_LOOKAHEAD = 1100
"""How far the parsers look ahead for the end of a key, in characters, plus a margin."""

_INVALID_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Pattern for a character that YAML doesn't allow."""
_SPECIAL_FIRST_CHARACTERS = "{[&*!|>%@`"
# Matches the value of the last key or list entry on a line, i.e. what follows "- " or "key: ".
_LINE_VALUE = re.compile(
    r"\s*(?:-\s+)*(?P<key>(?:[^\s'\"{\[#:]|:(?=\S))(?:[^#:]|:(?=\S))*:\s+)?(?:-\s+)*(?P<value>\S.*)"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that a file must not exceed.

    ``size`` is in bytes, ``depth`` is the nesting depth, and ``items`` is the number of items after aliases are
    expanded.
    """

    size: int = 256 * 1024
    depth: int = 60
    items: int = 20_000


GAME_LIMITS = Limits()


class _Node(NamedTuple):
    """An item, with the number of items that it contains (itself included) and its nesting depth (1 for a scalar)."""

    item: Item
    item_count: int
    depth: int


class _ParseStopped(Exception):
    """Raised when parsing can't continue; the reason is already in the list of problems."""


def parse_yaml(data: bytes, file: str, problems: list[Problem], limits: Limits = GAME_LIMITS) -> Item | None:
    """Parse the content of a file and return the value in it, or None if it can't be parsed.

    ``data`` is the content; ``file`` is the name used in messages. Errors are appended to ``problems``; if there are
    any, the value may be incomplete.
    """
    start = SourceLocation(file, 1, 1)
    if len(data) > limits.size:
        problems.append(Problem(start, "the file is larger than {size} KB", size=limits.size // 1024))
        return None
    if (other := _foreign_encoding(data)) is not None:
        problems.append(Problem(start, "the file is {encoding} text, not UTF-8", encoding=other))
        return None
    try:
        text = decode_text(data)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        mark = SourceLocation(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        problems.append(
            Problem(mark, "the file is not UTF-8 text (byte 0x{byte:02x})", byte=data[error.start])
        )
        return None
    try:
        return _ItemBuilder(text, file, problems, limits).read_document()
    except _ParseStopped:
        return None
    except _PARSE_ERRORS as error:
        problems.append(_depth_problem(text, file, limits) or _syntax_problem(error, text, file))
        return None


class _ItemBuilder:
    """Builder that turns the parser events of a text into an :class:`Item` tree.

    Errors are appended to ``problems``. :class:`_ParseStopped` is raised after an error that makes it impossible to
    continue, for example because a limit is exceeded. If the YAML parser itself fails, one of the :data:`_PARSE_ERRORS`
    is raised.
    """

    def __init__(self, text: str, file: str, problems: list[Problem], limits: Limits) -> None:
        self._text = text
        self._file = file
        self._problems = problems
        self._limits = limits
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self._anchors: dict[str, _Node | None] = {}  # None while the value is being read
        self._item_count = 0

    def read_document(self) -> Item:
        next(self._events)  # skip the start of the stream
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            self._fail(SourceLocation(self._file, 1, 1), "the file is empty")
        node = self._build_node(next(self._events), 1)
        next(self._events)  # skip the end of the document
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            self._fail(
                self._mark(event), "a file can contain only one document; a second one starts here ('---')"
            )
        return node.item

    def _mark(self, event: Any) -> SourceLocation:
        return SourceLocation(self._file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _report(self, mark: SourceLocation, key: str, /, **values: object) -> None:
        self._problems.append(Problem(mark, key, **values))

    def _fail(self, mark: SourceLocation, key: str, /, **values: object) -> None:
        self._report(mark, key, **values)
        raise _ParseStopped

    def _build_node(self, event: Any, depth: int) -> _Node:
        mark = self._mark(event)
        if isinstance(event, yaml.AliasEvent):
            return self._resolve_alias(event.anchor or "", mark, depth)
        if depth > self._limits.depth:
            self._fail(mark, "values are nested more than {most} levels deep", most=self._limits.depth)
        self._count_items(1, mark)
        if event.tag is not None:
            self._report_tag(event.tag, mark)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            if event.anchor is not None and event.value == "" and event.implicit[0]:
                self._report(
                    mark,
                    "anchor '&{name}' has no value; quote a value that starts with '&'",
                    name=event.anchor,
                )
            self._check_text(event.value, mark)
            node = _Node(Item(_parse_scalar(event), mark, source_text=event.value), 1, 1)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._build_sequence(mark, depth)
        else:
            node = self._build_mapping(event, mark, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _report_tag(self, tag: str, mark: SourceLocation) -> None:
        self._report(mark, "the tag '{tag}' can't be used here; quote a value that starts with '!'", tag=tag)

    def _check_text(self, text: str, mark: SourceLocation) -> None:
        try:
            text.encode()
        except UnicodeEncodeError:  # the Python parser accepts "\ud800"
            self._report(mark, "the file contains a character that is not allowed in text")

    def _count_items(self, items: int, mark: SourceLocation) -> None:
        self._item_count += items
        if self._item_count > self._limits.items:
            self._fail(
                mark,
                "the file contains more than {most} values, counting those repeated by aliases",
                most=self._limits.items,
            )

    def _resolve_alias(self, name: str, mark: SourceLocation, depth: int) -> _Node:
        if name not in self._anchors:
            self._fail(
                mark, "alias '*{name}' has no anchor before it; quote a value that starts with '*'", name=name
            )
        node = self._anchors[name]
        if node is None:
            self._report(mark, "alias '*{name}' is inside the value it refers to", name=name)
            raise _ParseStopped
        if depth + node.depth - 1 > self._limits.depth:
            self._fail(mark, "values are nested more than {most} levels deep", most=self._limits.depth)
        self._count_items(node.item_count, mark)
        return node

    def _build_sequence(self, mark: SourceLocation, depth: int) -> _Node:
        before = self._item_count
        items: list[Item] = []
        deepest = 0
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            node = self._build_node(event, depth + 1)
            items.append(node.item)
            deepest = max(deepest, node.depth)
        return _Node(Item(items, mark), self._item_count - before + 1, deepest + 1)

    def _build_mapping(self, start: Any, mark: SourceLocation, depth: int) -> _Node:
        before = self._item_count
        items: dict[str, Item] = {}
        keys: dict[str, SourceLocation] = {}
        deepest = 0
        words = 0  # YAML parses an unquoted expression as a mapping that has keys without values
        bare: list[tuple[str, SourceLocation]] = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            place = self._mark(event)
            if not isinstance(event, yaml.ScalarEvent):
                self._fail(
                    place,
                    "a key must be a word{hint}",
                    hint=_syntax_hint(self._line(place)) or Message(", not a list or a mapping"),
                )
            if event.tag is not None:
                self._report_tag(event.tag, place)
            key = event.value
            self._check_text(key, place)
            value = next(self._events)
            node = self._build_node(value, depth + 1)
            deepest = max(deepest, node.depth)
            if key == "<<" and event.implicit[0]:
                # Keys missing because of this are reported at the same location, and thus only once.
                self._report(mark if start.flow_style else place, "merge keys ('<<') can't be used here")
                continue
            words += 1
            if isinstance(value, yaml.ScalarEvent) and value.value == "" and value.implicit[0]:
                bare.append((key, place))
            if key in items:
                self._report(
                    place, "key '{key}' appears twice; first on line {line}", key=key, line=keys[key].line
                )
            else:
                items[key] = node.item
                keys[key] = place
        if bare and start.flow_style:
            # In {p for p in own} no key has a value; in {at: f(a, b)} the key after the comma has none.
            word, place = bare[0]
            is_complete = len(bare) == words
            sign = Message(N_("starts with '{{'") if is_complete else N_("contains ', '"))
            self._report(
                mark if is_complete else place,
                "there is no value after '{word}'; quote an expression that {why}",
                word=word,
                why=sign,
            )
        return _Node(Item(items, mark, keys), self._item_count - before + 1, deepest + 1)

    def _line(self, mark: SourceLocation) -> str:
        lines = self._text.splitlines()
        return lines[mark.line - 1] if mark.line <= len(lines) else ""


def _parse_scalar(event: Any) -> object:
    text: str = event.value
    if not event.implicit[0]:  # a quoted text or a block
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _foreign_encoding(data: bytes) -> str | None:
    """Return the name of the encoding of ``data`` if its first bytes show that it is not UTF-8, else None."""
    return next((name for name, begins in _ENCODINGS if begins.match(data)), None)


def _depth_problem(text: str, file: str, limits: Limits) -> Problem | None:
    """Return a problem if a parser failed on ``text`` because values are nested too deeply, else None.

    Parsers look ahead for the end of a key and may thus fail before they report all nested values. Therefore, the
    brackets in the :data:`_LOOKAHEAD` characters after the last event are counted too.
    """
    depth, index, line, column = 0, 0, 0, 0
    with suppress(*_PARSE_ERRORS):
        for event in yaml.parse(text, Loader=_LOADER):
            end: Any = event.end_mark
            index, line, column = end.index, end.line, end.column
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    with suppress(*_PARSE_ERRORS):
        for token in yaml.scan(text[index : index + _LOOKAHEAD], Loader=yaml.SafeLoader):
            if isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken):
                depth += 1
            elif isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken):
                depth -= 1
            if depth > limits.depth:
                at = token.start_mark
                mark = SourceLocation(file, line + at.line + 1, at.column + 1 + (0 if at.line else column))
                return Problem(mark, "values are nested more than {most} levels deep", most=limits.depth)
    return None


def _syntax_problem(error: Exception, text: str, file: str) -> Problem:
    """Return a problem that describes a parser's error.

    If the line of the error, or the line on which the faulty value begins, contains a common mistake, the problem names
    it as the likely cause. An error without a location is about a character that YAML doesn't allow; see
    :func:`_character_problem`.
    """
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    places = [mark for mark in marks if mark is not None]
    if not places:
        return _character_problem(text, file)
    lines = text.splitlines()
    shown = [lines[mark.line] for mark in places if mark.line < len(lines)]
    hint = next((found for found in map(_syntax_hint, shown) if found), "")
    mark = places[0]
    # The C and the Python parser word their messages differently, so these are only a fallback.
    what = hint or Message(": {problem}", problem=untranslated(getattr(error, "problem", None) or error))
    return Problem(
        SourceLocation(file, mark.line + 1, mark.column + 1), "this is not valid YAML{why}", why=what
    )


def _syntax_hint(line: str) -> Message | str:
    """Return a hint such as ``"; quote …"`` if ``line`` contains a common mistake, else "".

    The mistakes recognized are tabs in the indentation and unquoted values that need quotes.
    """
    line = line[:_LOOKAHEAD]
    indent = line[: len(line) - len(line.lstrip())]
    if "\t" in indent:
        return Message("; indent with spaces, not tabs")
    match = _LINE_VALUE.match(line)
    if match is None or match["value"][0] in "'\"":
        return ""
    value = match["value"]
    if value[0] in _SPECIAL_FIRST_CHARACTERS:
        return Message("; quote a value that starts with '{sign}'", sign=value[0])
    if match["key"] and (": " in value or value.endswith(":")):
        return Message("; quote a value that contains ': '")
    return ""


def _character_problem(text: str, file: str) -> Problem:
    """Return a problem at the first character that YAML doesn't allow, such as a control character.

    If there is none, the problem is at the start of the file.
    """
    found = _INVALID_CHARACTER.search(text)
    before = text[: found.start()] if found else ""
    mark = SourceLocation(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
    if found is not None and found[0] == _DOS_END:
        return Problem(mark, "there is a DOS end-of-file character (0x1a) here; remove it")
    return Problem(mark, "the file contains a character that is not allowed in text")
