"""Opening statistics from matches between equal computer players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from shibumi3d.catalogue.openings import FirstTurn, OpeningStatistics
from shibumi3d.lab.jobs import GameText, Row, RunJobs, match_to_row, split_job
from shibumi3d.search.arena import continue_match
from shibumi3d.search.openings import first_turn_classes
from shibumi3d.search.players import Budget, player

STRENGTH = "pebble"
"""Level of all players."""
SIMULATIONS = 8
"""Number of simulations for each move."""
MATCHES_PER_JOB = 8
"""Number of matches per job; slow games take seconds for each match."""
Turn = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpeningJob:
    """Job that plays matches ``first`` to ``first + count - 1``, using ``turns`` in rotation as first turns."""

    kind: ClassVar[str] = "openings"
    table: GameText
    turns: tuple[Turn, ...]
    seed: int = 1
    first: int = 0
    count: int = 2_000

    def run(self) -> list[Row]:
        """Play the matches and return a row for each."""
        game, seats, result = self.table.load_game(), self.table.seats, []
        for number in range(self.first, self.first + self.count):
            chance = Random(f"{self.seed}/o{number}")
            turn = self.turns[number % len(self.turns)]
            state = game.start(seats, chance.getrandbits(30))
            for move in turn:
                state, _ = game.apply(state, move)
            players = [player(STRENGTH, seat) for seat in range(seats)]
            played = continue_match(game, players, state, turn, chance.getrandbits(30), Budget(SIMULATIONS))
            result.append(match_to_row(number, played))
        return result

    def split(self) -> Iterator[OpeningJob]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, MATCHES_PER_JOB)


def mine_openings(
    text: GameText,
    rules_hash: str,
    run_jobs: RunJobs,
    *,
    seed: int = 1,
    matches: int = 2_000,
    seconds: float = 60.0,
    parallel_jobs: int = 1,
) -> tuple[OpeningStatistics, float]:
    """Play matches; return opening statistics and the CPU time used, in seconds.

    At most ``matches`` matches are played, ``parallel_jobs`` jobs at a time. After ``seconds`` seconds of CPU time, new
    jobs are begun only if some first turns have not been played yet. Raises InvalidValueError if the game can't have
    opening statistics.
    """
    classes = first_turn_classes(text.load_game(), text.seats)
    jobs = list(OpeningJob(text, tuple(turns[0] for turns in classes), seed, count=matches).split())
    rows: list[Row] = []
    spent = 0.0
    while jobs and (spent < seconds or len(rows) < len(classes)):
        found, used = run_jobs(jobs[:parallel_jobs])
        del jobs[:parallel_jobs]
        rows, spent = rows + found, spent + used
    results = [
        FirstTurn(
            turns[0],
            turns[1:],
            len(part := rows[index :: len(classes)]),
            tuple(sum(seat in (row["winners"] or ()) for row in part) for seat in range(text.seats)),
            sum(row["winners"] == [] for row in part),
        )
        for index, turns in enumerate(classes)
    ]
    return OpeningStatistics(rules_hash, STRENGTH, SIMULATIONS, seed, tuple(results)), spent
