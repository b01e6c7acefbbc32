"""Tournament files: small, readable text files in a folder beside that of the matches.

::

    shibumi3d-tournament: 1
    name: "Friday"
    system: swiss
    rounds: 3
    games:
      - {game: "spline", size: 4}
    clock: 10+5
    players:
      - {name: "Ann"}
      - {name: "Pebble", type: "pebble"}
      - {name: "Ben", withdrawn: true}
    matches:
      - {round: 1, players: [1, 3], file: "2026-03-01 12-00-05 spline.yaml", points: [0.5, 0.5]}
      - {round: 1, players: [2]}

``system`` is one of :data:`.SYSTEMS`. ``clock`` is omitted if there are no clocks, and ``type`` for people. Players are
numbered from 1; a match with a single one is a bye. ``points`` are those of each seat, omitted while the match is
undecided. ``by`` is ``hand`` for a result that was entered by hand, and ``forfeit`` if a player had withdrawn.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from shibumi3d import files
from shibumi3d.catalogue import yaml_parser
from shibumi3d.i18n import Message, explain_crash
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.history import PERSON
from shibumi3d.match.store import SUFFIX, MatchStore
from shibumi3d.match.tournament import (
    BY_FORFEIT,
    BY_HAND,
    PLAYER_COUNTS,
    SYSTEMS,
    Tournament,
    TournamentError,
    TournamentGame,
    TournamentMatch,
    TournamentPlayer,
)
from shibumi3d.names import has_visible_text
from shibumi3d.rules.source import Item, Problem

FORMAT = 1
"""Latest version of the format. Files with a later version are rejected."""
LIMITS = yaml_parser.Limits(size=256 * 1024, depth=6, items=20_000)
FILE_KEYS = ("shibumi3d-tournament", "name", "system", "rounds", "games", "clock", "players", "matches")
GAME_KEYS = ("game", "size", "variant", "options")
PLAYER_KEYS = ("name", "type", "withdrawn")
MATCH_KEYS = ("round", "players", "file", "points", "by")
POINTS = (0, 0.5, 1)


@dataclass(frozen=True, slots=True)
class SavedTournament:
    """A file in the store; if it can't be read, ``tournament`` is None and ``problem`` says why."""

    path: Path
    modified_at: float
    tournament: Tournament | None = None
    problem: Message | None = None


class TournamentStore:
    """A folder of tournaments. Every change is written at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._trash = MatchStore(folder)
        """Moves files to the folder of deleted ones, as it does for matches."""

    def list_files(self) -> list[SavedTournament]:
        """Return all files in the store, most recently changed first."""
        found = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            if path.name.startswith("."):
                continue
            with suppress(OSError):
                changed_at = path.stat().st_mtime
                try:
                    found.append(SavedTournament(path, changed_at, load(path)))
                except TournamentError as error:
                    found.append(SavedTournament(path, changed_at, problem=error.message))
        return sorted(found, key=lambda saved: (saved.modified_at, saved.path.name), reverse=True)

    def find_by_match(self, match_file: str) -> SavedTournament | None:
        """Return the tournament to which the match in a file belongs, or None."""
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError, TournamentError):
                # Parsing is slow, so files that don't mention the match are skipped.
                if json.dumps(match_file, ensure_ascii=False) in files.read_text(path, LIMITS.size):
                    return SavedTournament(path, path.stat().st_mtime, load(path))
        return None

    def save_new(self, tournament: Tournament, now: datetime) -> Path:
        """Save a tournament to a new file and return its path. Raises OSError."""
        files.make_folder(self.folder)
        path = files.unused_path(self.folder, f"{now:%Y-%m-%d} {tournament.name}", SUFFIX)
        files.write(path, to_text(tournament))
        return path

    def update(self, path: Path, change: Callable[[Tournament], Tournament]) -> Tournament:
        """Change the tournament in a file, as it is there now, and return the new one.

        The file is written only if something changes. Raises OSError and TournamentError, without writing anything.
        """
        before = load(path)
        after = change(before)
        if after != before:
            files.write(path, to_text(after))
        return after

    def delete(self, path: Path, now: datetime) -> Path | None:
        """Move a file to the folder of deleted ones, where it stays for at least a day; return its new path.

        The matches stay. Raises OSError.
        """
        return self._trash.delete(path, now)

    def restore(self, deleted_path: Path, path: Path) -> None:
        """Move a deleted file back. Raises OSError, also if another file has that path by now."""
        self._trash.restore(deleted_path, path)


def to_text(tournament: Tournament) -> str:
    """Return the text of the tournament's file."""
    lines = [
        f"shibumi3d-tournament: {FORMAT}",
        f"name: {_quote(tournament.name)}",
        f"system: {tournament.system}",
        f"rounds: {tournament.rounds}",
        "games:",
    ]
    for game in tournament.games:
        options = ", ".join(f"{_quote(name)}: {_quote(value)}" for name, value in game.options.items())
        parts = [
            f"game: {_quote(game.game)}",
            *([f"size: {game.size}"] if game.size else []),
            *([f"variant: {_quote(game.variant)}"] if game.variant else []),
            *([f"options: {{{options}}}"] if options else []),
        ]
        lines.append(f"  - {{{', '.join(parts)}}}")
    if tournament.time_limit is not None:
        lines.append(f"clock: {tournament.time_limit}")
    lines.append("players:")
    for player in tournament.players:
        parts = [
            f"name: {_quote(player.name)}",
            *([f"type: {_quote(player.player_type)}"] if player.player_type != PERSON else []),
            *(["withdrawn: true"] if player.has_withdrawn else []),
        ]
        lines.append(f"  - {{{', '.join(parts)}}}")
    lines.append("matches:" if tournament.matches else "matches: []")
    for match in tournament.matches:
        parts = [
            f"round: {match.round}",
            f"players: [{', '.join(str(player + 1) for player in match.players)}]",
            *([f"file: {_quote(match.file)}"] if match.file else []),
            *([f"points: [{', '.join(f'{one:g}' for one in match.points)}]"] if match.points else []),
            *([f"by: {match.decided_by}"] if match.decided_by else []),
        ]
        lines.append(f"  - {{{', '.join(parts)}}}")
    return "\n".join(lines) + "\n"


def _quote(value: int | str) -> str:
    """Return a value as YAML; text is in double quotes, in the style of JSON, which YAML includes."""
    return json.dumps(value, ensure_ascii=False)


def load(path: Path) -> Tournament:
    """Load the tournament in the file at ``path``. Raises TournamentError."""
    try:
        data = files.read(path, LIMITS.size)
    except OSError as error:
        raise TournamentError("{name} can't be read: {reason}", name=path, reason=error) from None
    return parse(data, str(path))


def parse(data: bytes | str, name: str) -> Tournament:
    """Parse a tournament, which error messages call ``name``. Raises TournamentError on any failure."""
    try:
        return _parse(data.encode() if isinstance(data, str) else data, name)
    except TournamentError:
        raise
    except Exception as error:
        raise TournamentError(
            "{name} can't be read: {reason}", name=name, reason=explain_crash(error)
        ) from error


def _parse(data: bytes, name: str) -> Tournament:
    problems: list[Problem] = []
    item = yaml_parser.parse_yaml(data, name, problems, LIMITS)
    keys = item.value if item is not None and isinstance(item.value, dict) else {}
    version = keys["shibumi3d-tournament"].value if "shibumi3d-tournament" in keys else None
    if isinstance(version, int) and version > FORMAT:
        raise TournamentError(
            "{name} was written by a newer version of Shibumi 3D (format {format}; this one "
            "reads up to {newest})",
            name=name,
            format=version,
            newest=FORMAT,
        )
    if problems:
        raise _error_at(name, problems[0])
    if version is None or item is None:
        raise TournamentError("{name} is not a saved Shibumi 3D tournament", name=name)
    return _Reader(name).tournament(item)


def _error_at(name: str, problem: Problem) -> TournamentError:
    return TournamentError(
        "{name} has an error on line {line}: {problem}",
        name=name,
        line=problem.location.line,
        problem=problem.message,
    )


class _Reader:
    """Converts the parsed items of a file to a tournament, and rejects invalid items."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _invalid(self, item: Item, key: str) -> TournamentError:
        """Return the error for an item whose value isn't what ``key`` may have."""
        return _error_at(self._name, Problem(item.location, "invalid value for '{key}'", key=key))

    def _mapping(self, item: Item, keys: Collection[str], key: str) -> dict[str, Item]:
        """Return the entries of a mapping, none of which is unknown."""
        if not isinstance(item.value, dict):
            raise self._invalid(item, key)
        for found in item.value:
            if found not in keys:
                raise _error_at(
                    self._name, Problem(item.key_locations[found], "unknown key '{key}'", key=found)
                )
        return item.value

    def _list(self, entries: dict[str, Item], key: str, whole: Item) -> list[Item]:
        item = entries.get(key)
        if item is None or not isinstance(item.value, list):
            raise self._invalid(item or whole, key)
        return item.value

    def _text(self, entries: dict[str, Item], key: str, whole: Item, default: str | None = None) -> str:
        item = entries.get(key)
        if item is None:
            if default is None:
                raise self._invalid(whole, key)
            return default
        if (text := item.scalar_text) is None:
            raise self._invalid(item, key)
        return text

    def _number(self, item: Item, key: str, least: int, most: int) -> int:
        if not isinstance(item.value, int) or isinstance(item.value, bool) or not least <= item.value <= most:
            raise self._invalid(item, key)
        return item.value

    def tournament(self, whole: Item) -> Tournament:
        entries = self._mapping(whole, FILE_KEYS, "shibumi3d-tournament")
        self._number(entries["shibumi3d-tournament"], "shibumi3d-tournament", 1, FORMAT)
        system = self._text(entries, "system", whole)
        if system not in SYSTEMS:
            raise self._invalid(entries["system"], "system")
        players = [self._player(item) for item in self._list(entries, "players", whole)]
        if not PLAYER_COUNTS[0] <= len(players) <= PLAYER_COUNTS[1]:
            raise self._invalid(entries["players"], "players")
        games = [self._game(item) for item in self._list(entries, "games", whole)]
        if not games:
            raise self._invalid(entries["games"], "games")
        try:
            time_limit = TimeLimit.parse(self._text(entries, "clock", whole, ""))
        except ValueError:
            raise self._invalid(entries["clock"], "clock") from None
        matches = [self._match(item, len(players)) for item in self._list(entries, "matches", whole)]
        rounds = self._number(entries.get("rounds", whole), "rounds", 1, 1000)
        return Tournament(
            self._text(entries, "name", whole),
            system,
            rounds,
            tuple(games),
            tuple(players),
            tuple(matches),
            time_limit,
        )

    def _game(self, item: Item) -> TournamentGame:
        entries = self._mapping(item, GAME_KEYS, "games")
        options: dict[str, int | str] = {}
        if "options" in entries:
            chosen = entries["options"].value
            for name, each in chosen.items() if isinstance(chosen, dict) else ():
                if not isinstance(each.value, int | str):
                    raise self._invalid(each, "options")
                options[name] = each.value
        size = self._number(entries["size"], "size", 0, 100) if "size" in entries else 0
        return TournamentGame(
            self._text(entries, "game", item), size, self._text(entries, "variant", item, ""), options
        )

    def _player(self, item: Item) -> TournamentPlayer:
        entries = self._mapping(item, PLAYER_KEYS, "players")
        name = self._text(entries, "name", item)
        if not has_visible_text(name):
            raise self._invalid(entries["name"], "name")
        has_withdrawn = "withdrawn" in entries and entries["withdrawn"].value is True
        return TournamentPlayer(name, self._text(entries, "type", item, PERSON), has_withdrawn)

    def _match(self, item: Item, player_count: int) -> TournamentMatch:
        entries = self._mapping(item, MATCH_KEYS, "matches")
        numbers = [
            self._number(each, "players", 1, player_count) - 1
            for each in self._list(entries, "players", item)
        ]
        if len(numbers) > 2 or len(set(numbers)) < len(numbers):
            raise self._invalid(entries["players"], "players")
        points: list[float] = []
        for each in self._list(entries, "points", item) if "points" in entries else ():
            if not isinstance(each.value, int | float) or each.value not in POINTS:
                raise self._invalid(each, "points")
            points.append(float(each.value))
        if points and len(points) != len(numbers):
            raise self._invalid(entries["points"], "points")
        by = self._text(entries, "by", item, "")
        if by not in ("", BY_HAND, BY_FORFEIT):
            raise self._invalid(entries["by"], "by")
        file = self._text(entries, "file", item, "")
        if file and os.path.basename(file) != file:
            raise self._invalid(entries["file"], "file")
        number = self._number(entries.get("round", item), "round", 1, 1000)
        return TournamentMatch(number, tuple(numbers), file, tuple(points), by)
