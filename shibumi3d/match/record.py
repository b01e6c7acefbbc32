"""Match records: small, readable text files that can be replayed exactly.

::

    shibumi3d: 1
    game: spline-plus
    size: 4
    seats: [Ann, Ben]
    seed: 7
    moves:
      - W@Aa1
      - B@Ab1
      - ^Aa1 >Ac2
    result: {winners: [1], scores: [3, 2], reason: full line}

Each line of ``moves`` is a turn, with its moves separated by spaces. A move that contains spaces is in double quotes.
An answer out of turn is prefixed with its seat: ``3:steal``. Seats are counted from 1.

Format 1 has these optional keys: ``file`` is the path of the game's file if it isn't in a games folder. ``variant`` and
``deal`` describe the start. ``undone`` holds the turns that can be redone, and ``result`` the outcome. ``repetition:
false`` means that no draw may be claimed when positions are repeated; a claimed draw is the last move, ``claim-draw``.
``players`` holds each seat's player type: ``[person, stone]``. A file written by hand may omit ``size``, which then is
the default size, and ``result``, which the moves then determine.

Format 2 adds the following keys; a record without ``size`` is also written in it. ``options`` are other choices made
before the match: ``{length: 80}``. ``variations`` holds alternative lines, each with the number of moves ``after``
which it branches off. ``position`` is the position in which a match began, if it wasn't the game's usual start:
``{boards: ["W.,../."], to-move: 2, phase: 1, stocks: {hand: [WW, B]}}``; default values are omitted. ``hints`` is the
number of hints given to each seat: ``[3, 0]``. ``shown: true`` means that the program played the solution of a puzzle.
``swap: true`` allows the second seat to take over the first turn, which is recorded as ``swap-seats``; ``seats`` lists
the players as they were before the swap. ``clock`` holds the time limit and the seconds that each seat has left:
``{pace: 10+5, left: [580, 600]}``. The time limit is written like ``10+5`` (10 minutes per seat plus 5 seconds per
turn), ``1:30`` (90 seconds per seat) or ``30s`` (30 seconds per turn). A loss on time is the last move, ``time-up``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from shibumi3d import files
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.fields import PLAYER_RANGE
from shibumi3d.catalogue.notation import format_turn as format_turn
from shibumi3d.catalogue.notation import parse_turn as parse_turn
from shibumi3d.deprecation import FormerNames
from shibumi3d.i18n import N_, LocalizedError, Message
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.file_format import FileFormat
from shibumi3d.match.history import MAX_VARIATIONS
from shibumi3d.rules.game import Deal, Position
from shibumi3d.rules.source import Item, Problem

FORMAT = 2
"""Latest version of the format.

Files with a later version are rejected. Records that need only format 1 are written in it.
"""

LIMITS = yaml_parser.Limits(size=1024 * 1024, depth=6, items=200_000)
"""Limits on a record file, which leave room for 100,000 moves."""
MAX_SECONDS_LEFT = 100 * 24 * 3600
"""Maximum number of seconds that a seat can have left; with increments, this can be more than the time limit."""
KEYS = (
    "shibumi3d",
    "game",
    "file",
    "size",
    "variant",
    "options",
    "seats",
    "players",
    "hints",
    "shown",
    "seed",
    "deal",
    "position",
    "swap",
    "clock",
    "moves",
    "undone",
    "variations",
    "result",
    "repetition",
)

# Text that YAML reads as a string in any context, unless it is one of the reserved words.
_PLAIN_SCALAR = re.compile(r"[A-Za-z^(][\w@^>+/!.()'-]*(?: [\w@^>+/!.()'-]+)*", re.ASCII)
_RESERVED_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


UNNAMED_TEXT = Message("the text")


class RecordError(LocalizedError, ValueError):
    """Raised if reading, writing or replaying a record fails. The message is for users."""


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """Result of a match.

    ``winners`` are seats counted from 0. There are none if nobody won, and several if they share the win. ``scores``
    holds the score of each seat, or is empty. ``reason`` says in English why the match ended; it may be empty.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Record(FormerNames):
    """Content of a record file.

    ``seats`` holds the names of the players in turn order, as they were before any swap. ``player_types`` holds the
    player type of each seat: "person", "random" or the level of a computer player; if it is empty, all players are
    people. ``file`` is the path of the game's file if it isn't in a games folder, else "". A ``size`` of 0 means the
    default size, or that the game has no sizes. ``options`` holds the values of the game options by name, excluding
    size and variant. ``turns`` holds the texts of the moves made, and ``undone`` the texts of the moves that can be
    redone, both grouped by turn. If ``can_claim_repetition`` is set, a draw may be claimed when a position occurs for
    the third time.

    ``deal`` holds presets for random outcomes and setup choices, by name (see :data:`.Deal`); the table kind determines
    the names and values. In games with marbles, it maps names of stocks to colour letters, with one text per seat if
    each seat has such a stock.
    """

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {"players": "player_types"}

    game: str
    size: int
    variant: str
    seats: tuple[str, ...]
    seed: int
    deal: Mapping[str, str | tuple[str, ...]]
    turns: tuple[tuple[str, ...], ...]
    undone: tuple[tuple[str, ...], ...] = ()
    result: RecordedResult | None = None
    file: str = ""
    can_claim_repetition: bool = True
    player_types: tuple[str, ...] = ()
    options: Mapping[str, int | str] = field(default_factory=dict)
    variations: tuple[tuple[int, tuple[tuple[str, ...], ...]], ...] = ()
    """Alternative lines: for each, the number of moves after which it branches off, and its own turns."""
    position: Position | None = None
    """Position in which the match began, or None for the usual start of the game."""
    hints: tuple[int, ...] = ()
    """Number of hints given to each seat, or empty if there were none."""
    is_solution_shown: bool = False
    """Whether the program played the solution of a puzzle."""

    has_swap_rule: bool = False
    """Whether the second seat may swap instead of making its first turn."""
    time_limit: TimeLimit | None = None
    """Time limit of the match, or None for a match without clocks."""
    seconds_left: tuple[int, ...] = ()
    """Seconds that each seat has left, or empty for a match without clocks."""

    def to_text(self) -> str:
        """Return the text of the record file."""
        more = (
            self.options,
            self.variations,
            self.position,
            self.hints,
            self.is_solution_shown,
            self.has_swap_rule,
            self.time_limit,
        )
        lines = [
            f"shibumi3d: {1 if self.size and not any(more) else 2}",
            f"game: {_quote(self.game)}",
            *([f"file: {_quote(self.file)}"] if self.file else []),
            *([f"size: {self.size}"] if self.size else []),
            *([f"variant: {_quote(self.variant)}"] if self.variant else []),
            *([f"options: {_format_options(self.options)}"] if self.options else []),
            f"seats: {_format_list(map(_quote, self.seats))}",
            *([f"players: {_format_list(map(_quote, self.player_types))}"] if self.player_types else []),
            *([f"hints: {_format_list(map(str, self.hints))}"] if self.hints else []),
            *(["shown: true"] if self.is_solution_shown else []),
            f"seed: {self.seed}",
            *([f"deal: {_format_deal(self.deal)}"] if self.deal else []),
            *([f"position: {_format_position(self.position)}"] if self.position else []),
            *(["swap: true"] if self.has_swap_rule else []),
            *([_clock_line(self.time_limit, self.seconds_left)] if self.time_limit is not None else []),
            *_turn_lines("moves", self.turns),
            *(_turn_lines("undone", self.undone) if self.undone else []),
            *(_variation_lines(self.variations) if self.variations else []),
            *([] if self.can_claim_repetition else ["repetition: false"]),
        ]
        if (result := self.result) is not None:
            winners = _format_list(str(seat + 1) for seat in result.winners)
            scores = f", scores: {_format_list(map(str, result.scores))}" if result.scores else ""
            reason = f", reason: {_quote(result.reason)}" if result.reason else ""
            lines.append(f"result: {{winners: {winners}{scores}{reason}}}")
        return "\n".join(lines) + "\n"

    def save(self, path: Path) -> None:
        """Write the record to ``path`` atomically.

        Raises OSError if writing fails. Raises :class:`RecordError` if the file exists and isn't a readable record; it
        is then left unchanged.
        """
        if os.path.exists(path):
            try:
                load(path)
            except RecordError as error:
                raise RecordError("{path} was not overwritten: {problem}", path=path, problem=error) from None
        files.write(path, self.to_text())


def load(path: Path) -> Record:
    """Load the record in the file at ``path``. Raises :class:`RecordError` if it can't be read."""
    return _FILE_FORMAT.load(path)


def parse(data: bytes | str, name: str | Message = UNNAMED_TEXT) -> Record:
    """Parse the content of a record file.

    ``name`` is the name used for the file in error messages. Raises :class:`RecordError` on any failure.
    """
    return _FILE_FORMAT.parse(data, name)


class _RecordReader:
    """Reader that converts the parsed items of a file to a record, and rejects invalid items."""

    def __init__(self, item: Item, name: str | Message) -> None:
        assert isinstance(item.value, dict)
        self._item = item
        self._entries: dict[str, Item] = item.value
        self._name = name

    def record(self) -> Record:
        for key in self._entries:
            if key not in KEYS:
                place = self._item.key_locations[key]
                raise _FILE_FORMAT.error_at(self._name, Problem(place, "unknown key '{key}'", key=key))
        given = self._entries.get("seats")
        if given is not None and isinstance(given.value, list) and len(given.value) > PLAYER_RANGE[1]:
            raise self._error(given, "seats: there can be at most {most} players", most=PLAYER_RANGE[1])
        seats = tuple(self._words(given, "seats"))
        if not seats:
            raise self._error(self._item, "seats: expected the names of the players")
        player_types = tuple(
            self._words(self._entries["players"], "players") if "players" in self._entries else ()
        )
        if player_types and len(player_types) != len(seats):
            raise self._error(self._entries["players"], "players: expected one entry for each seat")
        return Record(
            game=self._word("game"),
            size=self._number("size") if "size" in self._entries else 0,
            options=self._options(),
            variant=self._word("variant", ""),
            seats=seats,
            seed=self._number("seed"),
            deal=self._deal(self._entries.get("deal")),
            position=self._position(),
            turns=self._turns("moves"),
            undone=self._turns("undone") if "undone" in self._entries else (),
            result=self._result(len(seats)),
            file=self._word("file", ""),
            can_claim_repetition=self._flag("repetition", True),
            player_types=player_types,
            variations=self._variations(),
            hints=self._hints(len(seats)),
            is_solution_shown=self._flag("shown", False),
            has_swap_rule=self._flag("swap", False),
            **self._clock(len(seats)),
        )

    def _hints(self, seats: int) -> tuple[int, ...]:
        item = self._entries.get("hints")
        if item is None:
            return ()
        numbers = self._numbers(self._item, "hints")
        if self._format == 1 or len(numbers) != seats or any(number < 0 for number in numbers):
            raise self._error(item, "hints: expected one number for each seat (requires format 2)")
        return tuple(numbers)

    def _clock(self, seats: int) -> dict[str, Any]:
        item = self._entries.get("clock")
        if item is None:
            return {}
        keys = item.value if isinstance(item.value, dict) else {}
        pace = keys.get("pace")
        if (
            self._format == 1
            or keys.keys() != {"pace", "left"}
            or pace is None
            or not _is_text_or_number(pace.value)
        ):
            raise self._error(item, "clock: expected 'pace' and 'left' (requires format 2)")
        try:
            read = TimeLimit.parse(str(pace.value))
        except ValueError as error:
            raise self._error(pace, "clock: {problem}", problem=error) from None
        left = tuple(self._numbers(item, "left"))
        if read is None or len(left) != seats or any(not 0 <= each <= MAX_SECONDS_LEFT for each in left):
            raise self._error(item, "clock: expected the seconds left for each seat")
        return {"time_limit": read, "seconds_left": left}

    def _variations(self) -> tuple[tuple[int, tuple[tuple[str, ...], ...]], ...]:
        item = self._entries.get("variations")
        if item is None:
            return ()
        found = []
        entries = item.value if isinstance(item.value, list) else [item]
        if len(entries) > MAX_VARIATIONS:
            raise self._error(item, "variations: there can be at most {most} of them", most=MAX_VARIATIONS)
        for entry in entries:
            keys = entry.value if isinstance(entry.value, dict) else {}
            after = keys.get("after")
            if keys.keys() != {"after", "moves"} or after is None or not _is_number(after.value):
                raise self._error(entry, "variations: expected a list of {{after: …, moves: …}}")
            found.append((int(str(after.value)), self._turns_of(keys["moves"], "variations")))
        return tuple(found)

    @property
    def _format(self) -> object:
        return self._entries["shibumi3d"].value

    def _options(self) -> dict[str, int | str]:
        item = self._entries.get("options")
        if item is None:
            return {}
        if self._format == 1 or not isinstance(item.value, dict):
            raise self._error(item, "options: expected a mapping from names to values (requires format 2)")
        options: dict[str, int | str] = {}
        for name, given in item.value.items():
            if not _is_text_or_number(given.value):
                raise self._error(given, "options: {name}: expected a whole number or a word", name=name)
            options[name] = int(str(given.value)) if _is_number(given.value) else str(given.value)
        return options

    def _error(self, item: Item, key: str, /, **values: object) -> LocalizedError:
        return _FILE_FORMAT.error_at(self._name, Problem(item.location, key, **values))

    def _word(self, key: str, default: str | None = None) -> str:
        item = self._entries.get(key)
        if item is None and default is not None:
            return default
        text = None if item is None else item.scalar_text
        if text is None:
            raise self._error(item or self._item, "{key}: expected text", key=key)
        return text

    def _flag(self, key: str, default: bool) -> bool:
        item = self._entries.get(key)
        if item is None:
            return default
        if not isinstance(item.value, bool):
            raise self._error(item, "{key}: expected true or false", key=key)
        return item.value

    def _number(self, key: str) -> int:
        item = self._entries.get(key)
        if item is None or not _is_number(item.value):
            raise self._error(item or self._item, "{key}: expected a whole number", key=key)
        return int(str(item.value))

    def _words(self, item: Item | None, key: str) -> list[str]:
        listed = item.value if item is not None and isinstance(item.value, list) else [None]
        texts = [None if each is None else each.scalar_text for each in listed]
        result = [text for text in texts if text is not None]
        if len(result) < len(texts):
            raise self._error(item or self._item, "{key}: expected a list of strings", key=key)
        return result

    def _turns(self, key: str) -> tuple[tuple[str, ...], ...]:
        return self._turns_of(self._entries.get(key), key)

    def _turns_of(self, item: Item | None, key: str) -> tuple[tuple[str, ...], ...]:
        lines = self._words(item, key)
        assert item is not None
        assert isinstance(item.value, list)
        turns = []
        for place, line in zip(item.value, lines, strict=True):
            try:
                turns.append(parse_turn(line))
            except ValueError:
                raise self._error(place, "{key}: '{text}' is not a turn", key=key, text=line) from None
        return tuple(turns)

    def _position(self) -> Position | None:
        item = self._entries.get("position")
        if item is None:
            return None
        given = item.value if isinstance(item.value, dict) else {}
        numbers = [given[key] for key in ("to-move", "phase") if key in given]
        if (
            self._format == 1
            or "boards" not in given
            or given.keys() - {"boards", "to-move", "phase", "stocks"}
            or not all(_is_number(number.value) and int(str(number.value)) > 0 for number in numbers)
        ):
            raise self._error(
                item, "position: expected {{boards: …, to-move: …, phase: …, stocks: …}} (requires format 2)"
            )
        to_move, phase = (
            int(str(given[key].value)) - 1 if key in given else 0 for key in ("to-move", "phase")
        )
        boards = tuple(self._words(given["boards"], "position"))
        return Position(boards, to_move, phase, self._deal(given.get("stocks")))

    def _deal(self, item: Item | None) -> dict[str, str | tuple[str, ...]]:
        if item is None:
            return {}
        if not isinstance(item.value, dict):
            raise self._error(item, "deal: expected a mapping from stocks to letters")
        deal: dict[str, str | tuple[str, ...]] = {}
        for name, given in item.value.items():
            letters = given.scalar_text
            deal[name] = tuple(self._words(given, "deal")) if letters is None else letters
        return deal

    def _result(self, seats: int) -> RecordedResult | None:
        item = self._entries.get("result")
        if item is None:
            return None
        if not isinstance(item.value, dict) or not item.value.keys() <= {"winners", "scores", "reason"}:
            raise self._error(item, "result: expected 'winners', 'scores' and 'reason'")
        winners = self._numbers(item, "winners")
        if any(not 1 <= seat <= seats for seat in winners) or len(set(winners)) < len(winners):
            raise self._error(
                item, "result: winners must be seats from 1 to {seats}, each listed only once", seats=seats
            )
        scores = self._numbers(item, "scores")
        if len(scores) > seats:
            raise self._error(item, "result: there are more scores than seats")
        reason = item.value.get("reason")
        if reason is not None and reason.scalar_text is None:
            raise self._error(reason, "reason: expected text")
        return RecordedResult(
            winners=tuple(seat - 1 for seat in winners),
            scores=tuple(scores),
            reason="" if reason is None else reason.scalar_text or "",
        )

    def _numbers(self, item: Item, key: str) -> list[int]:
        assert isinstance(item.value, dict)
        numbers = item.value.get(key)
        if numbers is None:
            return []
        if not isinstance(numbers.value, list) or not all(_is_number(i.value) for i in numbers.value):
            raise self._error(numbers, "{key}: expected a list of whole numbers", key=key)
        return [int(str(i.value)) for i in numbers.value]


_FILE_FORMAT = FileFormat(
    "shibumi3d",
    FORMAT,
    LIMITS,
    N_("{name} is not a saved Shibumi 3D game"),
    RecordError,
    lambda item, name: _RecordReader(item, name).record(),
)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text_or_number(value: object) -> bool:
    return isinstance(value, str) or _is_number(value)


def _clock_line(time_limit: TimeLimit, seconds_left: Sequence[int]) -> str:
    return f"clock: {{pace: {_quote(str(time_limit))}, left: {_format_list(map(str, seconds_left))}}}"


def _variation_lines(variations: Sequence[tuple[int, Sequence[Sequence[str]]]]) -> list[str]:
    lines = ["variations:"]
    for after, turns in variations:
        lines += [f"  - after: {after}", "    moves:"]
        lines += [f"      - {_quote(format_turn(turn))}" for turn in turns]
    return lines


def _turn_lines(key: str, turns: Sequence[Sequence[str]]) -> list[str]:
    if not turns:
        return [f"{key}: []"]
    return [f"{key}:", *(f"  - {_quote(format_turn(turn))}" for turn in turns)]


def _format_list(words: Iterable[str]) -> str:
    return f"[{', '.join(words)}]"


def _format_position(position: Position) -> str:
    parts = [
        f"boards: {_format_list(map(_quote, position.boards))}",
        *([f"to-move: {position.to_move + 1}"] if position.to_move else []),
        *([f"phase: {position.phase + 1}"] if position.phase else []),
        *([f"stocks: {_format_deal(position.stocks)}"] if position.stocks else []),
    ]
    return f"{{{', '.join(parts)}}}"


def _format_deal(deal: Deal) -> str:
    given = (
        f"{_quote(name)}: {_quote(letters) if isinstance(letters, str) else _format_list(map(_quote, letters))}"
        for name, letters in deal.items()
    )
    return f"{{{', '.join(given)}}}"


def _format_options(options: Mapping[str, int | str]) -> str:
    parts = (
        f"{name}: {value if isinstance(value, int) else _quote(value)}" for name, value in options.items()
    )
    return f"{{{', '.join(parts)}}}"


def _quote(text: str) -> str:
    """Return ``text`` as a YAML scalar, in double quotes unless it is clearly safe without them."""
    if _PLAIN_SCALAR.fullmatch(text) and text.casefold() not in _RESERVED_WORDS:
        return text
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:  # a lone surrogate, which can't be encoded
        return "\\ufffd"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
