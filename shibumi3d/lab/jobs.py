"""Jobs as plain values.

A job contains everything that determines its work, and nothing specific to a machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, asdict, dataclass, fields, replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.sharing import to_game_file
from shibumi3d.deprecation import FormerNames, warn_renamed
from shibumi3d.rules.game import Game
from shibumi3d.search.arena import PlayedMatch, play_randomly

Row: TypeAlias = dict[str, Any]
"""Result of one match, or of another part of a job, as JSON data."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A game with its settings.

    ``text`` is the game file, merged with the games that it extends.
    """

    id: str
    text: str
    size: int
    seats: int
    variant: str = ""
    options: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(cls, entry: Entry | str, **options: Any) -> GameText:
        """Call :meth:`from_entry`; this name is deprecated."""
        warn_renamed("GameText.of", "GameText.from_entry")
        return cls.from_entry(entry, **options)

    @classmethod
    def from_entry(
        cls,
        entry: Entry | str,
        *,
        seats: int | None = None,
        size: int | None = None,
        variant: str | None = None,
        options: Mapping[str, int | str] | Iterable[tuple[str, int | str]] = (),
    ) -> GameText:
        """Return a game with its settings; ``entry`` is its entry, ID, title or path.

        Omitted settings have their default values; the default for ``seats`` is the game's minimum. Raises ValueError
        if the game can't be found or read, or has no such size, variant or option. An invalid number of seats raises
        ValueError only in table kinds whose ``facts`` method checks it.
        """
        if isinstance(entry, str):
            entry = load_catalogue().get(entry)
        # If local files were used, the rows of a job would depend on the machine.
        game = replace(entry, learned_folder="").game(size=size, variant=variant, options=dict(options))
        seats = game.players[0] if seats is None else seats
        game.facts(seats)
        chosen = tuple(sorted(dict(options).items()))
        table = cls(entry.id, to_game_file(entry), game.size, seats, game.variant, chosen)
        _latest_game.clear()
        _latest_game[table] = game
        return table

    @property
    def hash(self) -> str:
        """Hash that identifies the text."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def load_game(self) -> Game:
        """Return the game, ready to play."""
        return _load_game(self)


_latest_game: dict[GameText, Game] = {}
"""The most recent game, by its text. It was parsed from its own file, so that errors refer to lines of that file."""


@lru_cache(maxsize=8)
def _load_game(text: GameText) -> Game:
    if text in _latest_game:
        return _latest_game[text]
    known = load_catalogue().find(text.id)
    # Use the built-in entry if it is the same, because its players can use certificates and other data.
    if known is None or to_game_file(known) != text.text:
        known = load_catalogue().parse(text.text.encode("utf-8"), Path(f"{text.id}.yaml"))
    return known.game(size=text.size or None, variant=text.variant, options=dict(text.options))


class Job(Protocol):
    """A piece of work that produces rows.

    The rows depend only on the job itself, unless the job has a CPU time limit.
    """

    kind: ClassVar[str]

    @property
    def table(self) -> GameText:
        """The game that the job is about, with its settings."""

    def run(self) -> list[Row]:
        """Do the job and return its rows."""


RunJobs = Callable[[Sequence[Job]], tuple[list[Row], float]]
"""Function that runs jobs and returns their rows and the CPU time used, in seconds."""


@dataclass(frozen=True, slots=True)
class Matches(FormerNames):
    """Job that plays matches ``first`` to ``first + count - 1`` of the series determined by ``seed``.

    ``players`` are the levels of the computer players; without any, moves are random. ``opening`` is the number of
    random turns at the start of a match between computer players. ``tries`` overrides the levels' number of simulations
    per move.
    """

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {"jobs": "split", "rows": "run"}

    kind: ClassVar[str] = "matches"
    table: GameText
    players: tuple[str, ...] = ()
    seed: int = 0
    opening: int = 2
    tries: int | None = None
    first: int = 0
    count: int = 100

    def run(self) -> list[Row]:
        """Play the matches and return a row for each."""
        game, numbers = self.table.load_game(), range(self.first, self.first + self.count)
        if not self.players:
            return [
                match_to_row(n, play_randomly(game, self.table.seats, Random(f"{self.seed}/{n}")))
                for n in numbers
            ]
        from shibumi3d.search.arena import play_series_match  # not needed for random matches
        from shibumi3d.search.players import Budget, player

        players, budget = [player(name, place) for place, name in enumerate(self.players)], Budget(self.tries)
        return [
            match_to_row(n, play_series_match(game, players, n, self.seed, self.opening, budget))
            for n in numbers
        ]

    def split(self) -> Iterator[Matches]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, COMPUTER_MATCHES_PER_JOB if self.players else RANDOM_MATCHES_PER_JOB)


@dataclass(frozen=True, slots=True)
class Judging(FormerNames):
    """Job that plays matches ``first`` to ``first + count - 1`` of the series that measures the quality of a game."""

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {"jobs": "split", "rows": "run"}

    kind: ClassVar[str] = "judging"
    table: GameText
    seed: int = 0
    first: int = 0
    count: int = 500

    def run(self) -> list[Row]:
        """Play the matches and return a row for each.

        In each row, "strong" is the seat of the stronger player, or None in a match between equals.
        """
        from shibumi3d.search.game_quality import play_quality_match

        result = []
        for number in range(self.first, self.first + self.count):
            strong, match = play_quality_match(self.table.load_game(), self.table.seats, number, self.seed)
            result.append(match_to_row(number, match) | {"strong": strong})
        return result

    def split(self) -> Iterator[Judging]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, COMPUTER_MATCHES_PER_JOB)


def level_matches(text: GameText, seed: int = 0, count: int = 40) -> Iterator[Matches]:
    """For each level, yield a job of ``count`` two-player matches against the next lower level.

    The lowest level plays against random moves.
    """
    from shibumi3d.search.levels import LEVELS, RANDOM

    for lower, upper in pairwise((RANDOM, *(level.name for level in LEVELS))):
        yield Matches(text, (upper, lower), seed, count=count)


COMPUTER_MATCHES_PER_JOB, RANDOM_MATCHES_PER_JOB = 10, 250
"""Numbers of matches per job: between computer players, and with random moves.

A job takes only seconds, so little is lost if a worker fails, and the last job doesn't delay the end much.
"""


class SplittableJob(Job, Protocol):
    """A job for consecutive matches or deals. It must be a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @property
    def first(self) -> int:
        """Number of the first match or deal."""

    @property
    def count(self) -> int:
        """Number of matches or deals."""


JobT = TypeVar("JobT", bound=SplittableJob)


def split_job(job: JobT, count: int) -> Iterator[JobT]:
    """Yield parts of a job, each with at most ``count`` matches or deals."""
    for first in range(job.first, job.first + job.count, count):
        yield replace(job, first=first, count=min(count, job.first + job.count - first))


def match_to_row(number: int, match: PlayedMatch) -> Row:
    """Return the row of ``match``, which is match ``number`` of its series."""
    return {
        "number": number,
        "moves": list(match.moves),
        "turns": match.turns,
        "winners": None if match.winners is None else list(match.winners),
        "scores": list(match.scores),
        "reason": match.reason,
    }


def row_to_match(row: Row) -> PlayedMatch:
    """Restore a match from the result of :func:`match_to_row`, except for ``is_swapped``."""
    scores, winners = row["scores"], row["winners"]
    won = None if winners is None else tuple(winners)
    return PlayedMatch(tuple(row["moves"]), row["turns"], won, tuple(scores), row["reason"])


def job_to_json(job: Job) -> str:
    """Return a job as a line of JSON, with the hash of the game's text instead of the text."""
    values = {field.name: getattr(job, field.name) for field in fields(job)}  # type: ignore[arg-type]
    table = asdict(job.table)
    del table["text"]
    values["table"] = {**table, "rules": job.table.hash}
    return json.dumps({"what": job.kind, **values}, sort_keys=True, ensure_ascii=False)


def job_key(job: Job) -> str:
    """Return a hash that identifies a job."""
    return sha256(job_to_json(job).encode("utf-8", "surrogatepass")).hexdigest()[:32]
