"""Opening statistics: the results of each first turn of a game in matches between equal computer players.

The built-in statistics are in ``games/openings``. Each file is named after its game::

    rules: 0f3a52c19e77
    strength: pebble
    simulations: 8
    seed: 1
    matches: 2000
    turns:
      - {turn: W@Aa1, also: "W@Aa4, W@Ad1, W@Ad4", matches: 500, wins: [270, 220], draws: 10}

``rules`` identifies the rules as in the problem files (:mod:`.problems`). The players are of the level ``strength``,
but run ``simulations`` simulations for each move. The row of a turn also stands for the first turns under ``also``,
which are equivalent to it, or nearly so, for example because of the symmetry of the board. ``wins`` counts the matches
that each seat won, alone or with others. A match may also end without a result, so the counts may add up to less than
``matches``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from shibumi3d import paths
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.catalogue import SUFFIX, load_catalogue
from shibumi3d.catalogue.fields import FieldReader, check_keys
from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.notation import format_turn, format_turns
from shibumi3d.catalogue.problems import Turn, games_with_file, quote_scalar, read_turns, rules_hash
from shibumi3d.i18n import N_, Message
from shibumi3d.intervals import wilson_interval
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.source import Item, SourceLocation
from shibumi3d.rules.source import Problem as Mistake

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

FOLDER = "openings"
HEADER_KEYS = ("rules", "strength", "simulations", "seed", "matches", "turns")
ROW_KEYS = ("turn", "also", "matches", "wins", "draws")
LIMITS = yaml_parser.Limits(size=256 * 1024, depth=6, items=20_000)


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """Results of the matches that began with a certain turn; the module docstring explains the fields."""

    turn: Turn
    also: tuple[Turn, ...]
    matches: int
    wins: tuple[int, ...]
    draws: int

    def lesson(self) -> Lesson:
        """Return a lesson that shows the turn at the start of a match, without comments."""
        return Lesson(
            size=0,
            variant="",
            seats=len(self.wins),
            seed=0,
            boards=(),
            stocks={},
            mover=0,
            phase=0,
            lead_moves=(),
            moves=self.turn,
            effects=(),
            comments=({},),
            location=SourceLocation("", 1, 1),
            locations=(),
        )

    def win_share(self, seat: int) -> float:
        """Return a seat's number of wins divided by the number of matches."""
        return self.wins[seat] / self.matches

    def win_interval(self, seat: int) -> tuple[float, float]:
        """Return the 95% Wilson score interval of :meth:`win_share`."""
        return wilson_interval(self.win_share(seat), self.matches)


@dataclass(frozen=True, slots=True)
class OpeningStatistics:
    """Results of the first turns of a game; the module docstring explains the fields."""

    rules: str
    strength: str
    simulations: int
    seed: int
    turns: tuple[FirstTurn, ...]

    @property
    def matches(self) -> int:
        """Number of matches played."""
        return sum(row.matches for row in self.turns)

    def to_yaml(self) -> str:
        """Return the content of a file with these statistics."""
        header = (
            f"rules: {json.dumps(self.rules)}\nstrength: {self.strength}\nsimulations: {self.simulations}\n"
            f"seed: {self.seed}\nmatches: {self.matches}\nturns:\n"
        )
        return header + "".join(
            f"  - {{turn: {quote_scalar(format_turn(row.turn))}, "
            + (f"also: {quote_scalar(format_turns(row.also))}, " if row.also else "")
            + f"matches: {row.matches}, wins: [{', '.join(map(str, row.wins))}], draws: {row.draws}}}\n"
            for row in self.turns
        )

    def find_row(self, turn: Turn) -> FirstTurn | None:
        """Return the row that covers ``turn``, or None if there is no such row.

        A row covers its own turn and the turns in its ``also``, which are equivalent to it, or nearly so.
        """
        return next((row for row in self.turns if turn == row.turn or turn in row.also), None)


@cache
def load_openings(game_name: str) -> OpeningStatistics | None:
    """Return the opening statistics of a built-in game in its standard form.

    The file is read only once. Returns None if there is no such game, if it has no statistics, or if its rules have
    changed since the statistics were collected. Raises :class:`GameFileError` if the file has errors.
    """
    entry: Entry | None = load_catalogue().find(game_name)
    if entry is None or game_name not in games_with_file(FOLDER):
        return None
    name = f"{game_name}{SUFFIX}"
    data = (paths.catalogue_folder() / FOLDER / name).read_bytes()
    statistics = parse_openings(data, f"games/{FOLDER}/{name}")
    return statistics if statistics.rules == rules_hash(entry) else None


def parse_openings(data: bytes, file: str) -> OpeningStatistics:
    """Return the opening statistics in a file.

    ``data`` is the content of the file, and ``file`` its name in messages. Raises :class:`GameFileError`, with all
    errors, if the file has any.
    """
    mistakes = ProblemList()
    item = yaml_parser.parse_yaml(data, file, mistakes, LIMITS)
    if item is None:
        raise GameFileError(mistakes)
    rows = item.value.get("turns") if isinstance(item.value, dict) else None
    check_keys(item, HEADER_KEYS, Message("key"), mistakes)
    read = FieldReader(item, mistakes)
    found: list[FirstTurn] = []
    if not isinstance(rows, Item) or not isinstance(rows.value, list) or not rows.value:
        mistakes.append(Mistake(item.location, N_("turns: expected a list of turns")))
    else:
        for row in rows.value:
            if isinstance(row.value, dict):
                found.append(_read_row(row, mistakes))
            else:
                mistakes.append(Mistake(row.location, N_("turn: expected a turn in the game's notation")))
    statistics = OpeningStatistics(
        read.text("rules"),
        read.text("strength"),
        read.integer("simulations", 1, 10**9),
        read.integer("seed", 0, 10**9),
        tuple(found),
    )
    if mistakes:
        raise GameFileError(mistakes)
    return statistics


def _read_row(item: Item, mistakes: list[Mistake]) -> FirstTurn:
    check_keys(item, ROW_KEYS, Message("key"), mistakes)
    read = FieldReader(item, mistakes)
    turns = read_turns(item, "turn", mistakes)
    if len(turns) != 1:
        mistakes.append(Mistake(item.location, N_("turn: expected a turn in the game's notation")))
    if "matches" not in read.entries:
        mistakes.append(Mistake(item.location, N_("matches: expected the number of matches")))
    return FirstTurn(
        turns[0] if turns else (),
        read_turns(item, "also", mistakes),
        read.integer("matches", 1, 10**9),
        _read_wins(item, mistakes),
        read.integer("draws", 0, 10**9),
    )


def _read_wins(item: Item, mistakes: list[Mistake]) -> tuple[int, ...]:
    assert isinstance(item.value, dict)
    given = item.value.get("wins")
    values = [each.value for each in given.value] if given and isinstance(given.value, list) else []
    if not values or not all(isinstance(value, int) and value >= 0 for value in values):
        mistakes.append(Mistake(item.location, N_("wins: expected the number of wins of each seat")))
    return tuple(value for value in values if isinstance(value, int))
