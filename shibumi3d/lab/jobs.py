"""What there is to do, as values: a job holds all that its rows depend on, and nothing of one machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Protocol, TypeAlias

from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.sharing import written_out
from shibumi3d.rules.game import Game
from shibumi3d.search.fought import Fought, by_lot

Row: TypeAlias = dict[str, Any]
"""What came of one match, as JSON holds it."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A game as it is set up. ``text`` is its file, with all that it extends written out."""

    id: str
    text: str
    size: int
    seats: int
    variant: str = ""
    options: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(
        cls,
        entry: Entry | str,
        *,
        seats: int | None = None,
        size: int | None = None,
        variant: str | None = None,
        options: Mapping[str, int | str] | Iterable[tuple[str, int | str]] = (),
    ) -> GameText:
        """Return a table of a game, or of the one that came with the program by that name; what is left out is as
        usual.

        Raises ValueError with a sentence where the game has no such size, variant, option or number of seats.
        """
        if isinstance(entry, str):
            entry = load().get(entry)
        # What lies on this machine alone would make other rows of the same job.
        game = replace(entry, library="").game(size=size, variant=variant, options=dict(options))
        seats = game.players[0] if seats is None else seats
        game.facts(seats)
        chosen = tuple(sorted(dict(options).items()))
        table = cls(entry.id, written_out(entry), game.size, seats, game.variant, chosen)
        _here.clear()
        _here[table] = game
        return table

    @property
    def hash(self) -> str:
        """What the text is known by."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def game(self) -> Game:
        """Return the game, ready to be played."""
        return _game(self)


_here: dict[GameText, Game] = {}
"""The game last asked about, as it was read here: what goes wrong in it names the lines of its own file."""


@lru_cache(maxsize=8)
def _game(table: GameText) -> Game:
    if table in _here:
        return _here[table]
    known = load().find(table.id)
    # One that came with the program is that one: its certificates and what else is known of it help its players.
    if known is None or written_out(known) != table.text:
        known = load().parse(table.text.encode("utf-8"), Path(f"{table.id}.yaml"))
    return known.game(size=table.size or None, variant=table.variant, options=dict(table.options))


class Job(Protocol):
    """Something to do whose rows follow from it alone."""

    kind: ClassVar[str]

    @property
    def table(self) -> GameText:
        """The game that it is about."""

    def rows(self) -> list[Row]:
        """Do it, and return a row for each match."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches ``first`` to ``first + count`` of those that computer players play with a seed.

    ``players`` are strengths; without any, moves are drawn by lot. ``tries`` is how many ways on are looked at for a
    choice, in place of what each strength looks at.
    """

    kind: ClassVar[str] = "matches"
    table: GameText
    players: tuple[str, ...] = ()
    seed: int = 0
    opening: int = 2
    tries: int | None = None
    first: int = 0
    count: int = 100

    def rows(self) -> list[Row]:
        """Play, and return a row for each match."""
        game, numbers = self.table.game(), range(self.first, self.first + self.count)
        if not self.players:
            return [row_of(n, by_lot(game, self.table.seats, Random(f"{self.seed}/{n}"))) for n in numbers]
        from shibumi3d.search.arena import numbered  # who plays by lot needs none of it
        from shibumi3d.search.players import Budget, player

        players, budget = [player(name, place) for place, name in enumerate(self.players)], Budget(self.tries)
        return [row_of(n, numbered(game, players, n, self.seed, self.opening, budget)) for n in numbers]

    def jobs(self) -> Iterator[Matches]:
        """Yield the parts in which it is done: the same ones for any number of workers."""
        yield from cut(self, AMONG_PLAYERS if self.players else BY_LOT)


@dataclass(frozen=True, slots=True)
class Judging:
    """Matches ``first`` to ``first + count`` of those by which a game is judged."""

    kind: ClassVar[str] = "judging"
    table: GameText
    seed: int = 0
    first: int = 0
    count: int = 500

    def rows(self) -> list[Row]:
        """Play, and return a row for each match; ``strong`` is the seat that looked at more, None among equals."""
        from shibumi3d.search.judge import judged

        found = []
        for number in range(self.first, self.first + self.count):
            strong, one = judged(self.table.game(), self.table.seats, number, self.seed)
            found.append(row_of(number, one) | {"strong": strong})
        return found

    def jobs(self) -> Iterator[Judging]:
        """Yield the parts in which it is done: the same ones for any number of workers."""
        yield from cut(self, AMONG_PLAYERS)


def ladder(table: GameText, seed: int = 0, count: int = 40) -> Iterator[Matches]:
    """Yield ``count`` matches for two of every strength against the next lower, the lowest against moves by lot."""
    from shibumi3d.search.levels import LEVELS, RANDOM

    for lower, upper in pairwise((RANDOM, *(level.name for level in LEVELS))):
        yield Matches(table, (upper, lower), seed, count=count)


AMONG_PLAYERS, BY_LOT = 10, 250
"""Matches of a job: seconds of work, so that little is lost with a worker, and nothing waits long for the last."""


def cut(job: Any, count: int) -> Iterator[Any]:
    """Yield a job in parts of so many matches."""
    for first in range(job.first, job.first + job.count, count):
        yield replace(job, first=first, count=min(count, job.first + job.count - first))


def row_of(number: int, fought: Fought) -> Row:
    """Return a match as a row."""
    return {
        "number": number,
        "moves": list(fought.moves),
        "turns": fought.turns,
        "winners": None if fought.winners is None else list(fought.winners),
        "scores": list(fought.scores),
        "reason": fought.reason,
    }


def fought_of(row: Row) -> Fought:
    """Return the match that a row tells."""
    scores, winners = row["scores"], row["winners"]
    won = None if winners is None else tuple(winners)
    return Fought(tuple(row["moves"]), row["turns"], won, tuple(scores), row["reason"])


def told(job: Job) -> str:
    """Return a job as a line of JSON, in which the game's text is named by its hash."""
    values = {each.name: getattr(job, each.name) for each in fields(job)}  # type: ignore[arg-type]
    table = asdict(job.table)
    del table["text"]
    values["table"] = {**table, "rules": job.table.hash}
    return json.dumps({"what": job.kind, **values}, sort_keys=True, ensure_ascii=False)


def key(job: Job) -> str:
    """Return what a job is known by."""
    return sha256(told(job).encode("utf-8", "surrogatepass")).hexdigest()[:32]
