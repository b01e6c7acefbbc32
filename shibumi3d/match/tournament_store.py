"""Tournament files: small, readable text files in a folder next to the one for matches.

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
numbered from 1; a match with only one player is a bye. ``points`` lists the points of each seat; it is omitted for a
bye, and while no result is recorded. ``by`` is ``hand`` for a result that was entered by hand, and ``forfeit`` if a
player had withdrawn.

Format 2 is needed for two more settings of a game: ``swap: true`` allows the second seat to take over the first turn,
and ``repetition: false`` means that no draw may be claimed when positions are repeated.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from shibumi3d import files
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.fields import FieldReader, check_keys
from shibumi3d.i18n import N_, Message
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.file_format import FileFormat
from shibumi3d.match.history import PERSON
from shibumi3d.match.store import SUFFIX, MatchStore, hold_lock
from shibumi3d.match.tournament import (
    BY_FORFEIT,
    BY_HAND,
    DOUBLE_ROUND_ROBIN,
    PLAYER_COUNTS,
    SYSTEMS,
    Tournament,
    TournamentError,
    TournamentGame,
    TournamentMatch,
    TournamentPlayer,
    round_count,
)
from shibumi3d.rules.source import Item, Problem

FORMAT = 2
"""Latest version of the format.

Files with a later version are rejected. Tournaments that need only format 1 are written in it.
"""
MAX_FILE_BYTES = 256 * 1024
MAX_ROUNDS = round_count(DOUBLE_ROUND_ROBIN, PLAYER_COUNTS[1])
FILE_KEYS = ("shibumi3d-tournament", "name", "system", "rounds", "games", "clock", "players", "matches")
GAME_KEYS = ("game", "size", "variant", "options", "swap", "repetition")
PLAYER_KEYS = ("name", "type", "withdrawn")
MATCH_KEYS = ("round", "players", "file", "points", "by")
POINTS = (0, 0.5, 1)
LOCK_FILE = ".tournaments.lock"
"""Name of the file that a process locks while it changes anything in the folder."""


@dataclass(frozen=True, slots=True)
class SavedTournament:
    """A file in the store, last changed at ``modified_at`` (seconds since 1970).

    If it can't be read, ``tournament`` is None and ``problem`` says why.
    """

    path: Path
    modified_at: float
    tournament: Tournament | None = None
    problem: Message | None = None


class TournamentStore:
    """A folder of tournaments. Every change is written immediately.

    Several processes can share the folder. Each change applies to the current content of a file, and only one process
    changes files at a time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._trash = MatchStore(folder)
        """Match store of the same folder, used only to delete and restore files."""

    def list_files(self) -> list[SavedTournament]:
        """Return the tournament files in the store, most recently changed first.

        Invalid files are included, with their problems. Hidden files, and files that can no longer be accessed, are
        left out.
        """
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
        """Return the tournament that includes the match in the file ``match_file``, or None if there is none.

        ``match_file`` is the name of the file without its folder. Tournament files that can't be read are skipped.
        """
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError, TournamentError):
                # Parsing is slow, so files that don't mention the match are skipped.
                if json.dumps(match_file, ensure_ascii=False) in files.read_text(path, MAX_FILE_BYTES):
                    return SavedTournament(path, path.stat().st_mtime, load(path))
        return None

    def save_new(self, tournament: Tournament, now: datetime) -> Path:
        """Save a tournament to a new file and return its path. Raises OSError if that fails."""
        files.make_folder(self.folder)
        with hold_lock(self.folder / LOCK_FILE):
            path = files.unused_path(self.folder, f"{now:%Y-%m-%d} {tournament.name}", SUFFIX)
            files.write(path, to_text(tournament))
        return path

    def update(self, path: Path, change: Callable[[Tournament], Tournament]) -> Tournament:
        """Apply ``change`` to the tournament in the file at ``path``, and return the new tournament.

        If ``change`` makes no difference, nothing is locked or written. Otherwise, the folder is locked, and ``change``
        is called again with the current content of the file, before the result is written. Raises OSError or
        TournamentError, and leaves the file unchanged, if reading, changing or writing fails.
        """
        before = load(path)
        if change(before) == before:
            return before
        with hold_lock(self.folder / LOCK_FILE):
            before = load(path)
            after = change(before)
            if after != before:
                files.write(path, to_text(after))
        return after

    def delete(self, path: Path, now: datetime) -> Path | None:
        """Move the file at ``path`` to the folder of deleted files, and return its new path.

        It stays there for at least a day. The files of the matches are not moved. Returns None, without moving
        anything, if another process has claimed the file. Raises OSError if moving fails.
        """
        with hold_lock(self.folder / LOCK_FILE):
            return self._trash.delete(path, now)

    def restore(self, deleted_path: Path, path: Path) -> None:
        """Move a deleted file from ``deleted_path`` back to ``path``.

        Raises OSError if that fails, for example because there is already another file at ``path``.
        """
        with hold_lock(self.folder / LOCK_FILE):
            self._trash.restore(deleted_path, path)


def to_text(tournament: Tournament) -> str:
    """Return the tournament as text in the tournament file format."""
    needs_format_2 = any(game.has_swap_rule or not game.can_claim_repetition for game in tournament.games)
    lines = [
        f"shibumi3d-tournament: {2 if needs_format_2 else 1}",
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
            *(["swap: true"] if game.has_swap_rule else []),
            *([] if game.can_claim_repetition else ["repetition: false"]),
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
    """Return a value as JSON, which is also valid YAML."""
    return json.dumps(value, ensure_ascii=False)


def load(path: Path) -> Tournament:
    """Load the tournament in the file at ``path``. Raises TournamentError if it can't be read."""
    return _FILE_FORMAT.load(path)


def parse(data: bytes | str, name: str) -> Tournament:
    """Parse the content of a tournament file. Raises TournamentError on any failure.

    ``name`` is the name used for the file in messages.
    """
    return _FILE_FORMAT.parse(data, name)


def _read(item: Item, name: str | Message) -> Tournament:
    """Convert the parsed content of a file to a tournament.

    ``name`` is the name used for the file in messages. Raises TournamentError with the first problem if the content is
    invalid.
    """
    problems: list[Problem] = []
    check_keys(item, FILE_KEYS, Message("key"), problems)
    fields = FieldReader(item, problems)
    games, players = fields.rows("games", GAME_KEYS), fields.rows("players", PLAYER_KEYS)
    time_limit = None
    try:
        time_limit = TimeLimit.parse(fields.text("clock"))
    except ValueError:
        problems.append(_invalid(fields.entries["clock"], "clock"))
    tournament = Tournament(
        fields.text("name"),
        fields.choice("system", SYSTEMS),
        fields.integer("rounds", 1, MAX_ROUNDS),
        tuple([_read_game(each, problems) for each in games]),
        tuple(
            [
                TournamentPlayer(each.text("name"), each.text("type") or PERSON, each.flag("withdrawn"))
                for each in players
            ]
        ),
        tuple([_read_match(each, len(players), problems) for each in fields.rows("matches", MATCH_KEYS)]),
        time_limit,
    )
    least, most = PLAYER_COUNTS
    for key, is_valid in (
        ("name", tournament.name),
        ("system", tournament.system),
        ("rounds", tournament.rounds),
        ("games", games and all(game.game for game in tournament.games)),
        ("players", least <= len(players) <= most and all(player.name for player in tournament.players)),
        ("matches", _has_valid_rounds(tournament.matches, len(players))),
    ):
        if not is_valid:
            problems.append(_invalid(fields.entries.get(key, item), key))
    if problems:
        raise _FILE_FORMAT.error_at(name, problems[0])
    return tournament


def _has_valid_rounds(matches: Sequence[TournamentMatch], player_count: int) -> bool:
    """Return whether rounds are numbered 1, 2, … without gaps and none has more matches than there are players.

    This limit holds even for a knockout round in which all matches are drawn and played again. Returns False if there
    are no matches.
    """
    counts = Counter(match.round for match in matches)
    return (
        bool(counts)
        and sorted(counts) == list(range(1, len(counts) + 1))
        and max(counts.values()) <= player_count
    )


def _invalid(item: Item, key: str) -> Problem:
    return Problem(item.location, "invalid value for '{key}'", key=key)


def _read_game(fields: FieldReader, problems: list[Problem]) -> TournamentGame:
    options: dict[str, int | str] = {}
    if (chosen := fields.entries.get("options")) is not None:
        for name, each in chosen.value.items() if isinstance(chosen.value, dict) else ():
            if isinstance(each.value, int | str):
                options[name] = each.value
            else:
                problems.append(_invalid(each, "options"))
    return TournamentGame(
        _read_name(fields, "game"),
        fields.integer("size", 0, 100),
        fields.text("variant"),
        options,
        fields.flag("swap"),
        fields.flag("repetition") if "repetition" in fields.entries else True,
    )


def _read_name(fields: FieldReader, key: str) -> str:
    """Return the file or game name under ``key``, exactly as it is written, or "" if there is none."""
    return (fields.entries[key].scalar_text or "") if key in fields.entries else ""


def _read_match(fields: FieldReader, player_count: int, problems: list[Problem]) -> TournamentMatch:
    def values(key: str, allowed: Container[object]) -> list[float]:
        item = fields.entries.get(key)
        if item is None:
            return []
        found = [each.value for each in item.value] if isinstance(item.value, list) else [None]
        numbers = [each for each in found if isinstance(each, int | float) and each in allowed]
        if len(numbers) < len(found):
            problems.append(_invalid(item, key))
        return numbers

    players = tuple([int(number) - 1 for number in values("players", range(1, player_count + 1))])
    points = tuple(map(float, values("points", POINTS)))
    file = _read_name(fields, "file")
    for key, is_valid in (
        ("players", len(players) <= 2 and len(set(players)) == len(players)),
        ("points", not points or len(points) == len(players)),
        ("file", os.path.basename(file) == file),
    ):
        if not is_valid:
            problems.append(_invalid(fields.entries[key], key))
    by = fields.choice("by", (BY_HAND, BY_FORFEIT))
    return TournamentMatch(fields.integer("round", 1, MAX_ROUNDS), players, file, points, by)


_FILE_FORMAT = FileFormat(
    "shibumi3d-tournament",
    FORMAT,
    yaml_parser.Limits(size=MAX_FILE_BYTES, depth=6, items=20_000),
    N_("{name} is not a saved Shibumi 3D tournament"),
    TournamentError,
    _read,
)
