"""Search for problems in many matches in parallel, and selection of a set from all that are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar

from shibumi3d.lab.jobs import GameText, Job, Row, cut
from shibumi3d.rules.game import Game
from shibumi3d.search.problems.asking import TooFar, problem_at
from shibumi3d.search.problems.candidates import MODEST, USUAL, Candidate, after, candidates
from shibumi3d.search.problems.finding import Finding
from shibumi3d.search.problems.selection import Selection

MATCHES = 4
"""Matches for each job; each takes seconds."""
FROM_ONE = 2
"""Maximum number of problems from one match."""
FEW = 5
"""Number of problems that must be found in the first third for the usual requirements to be kept."""
Doing = Callable[[Sequence[Job]], tuple[list[Row], float]]
"""Callback that runs jobs and returns their rows and the CPU time used, in seconds."""


@dataclass(frozen=True, slots=True)
class Mining:
    """Matches ``first`` to ``first + count - 1``, searched for problems.

    Proofs have a CPU time limit, so a faster machine may find more problems. Those found are proved on every machine.
    """

    kind: ClassVar[str] = "mining"
    table: GameText
    first: int = 1
    count: int = 100
    modest: bool = False
    """Whether the requirements for a problem are lower."""

    def rows(self) -> list[Row]:
        """Search the matches and return a row for each, with its ``problems``."""
        game, demands = self.table.game(), MODEST if self.modest else USUAL
        found = []
        every = candidates(game, self.first, self.table.seats)
        for number, positions in enumerate(islice(every, self.count), self.first):
            kept = Selection(lambda one: True)
            with suppress(TooFar):
                for spot in positions:
                    one = problem_at(replace(spot, demands=demands))
                    if one is not None and kept.take(one) and len(kept.kept) + len(kept.spare) == FROM_ONE:
                        break
            problems = [one.told() for one in (*kept.kept, *kept.spare)]
            found.append({"number": number, "problems": problems})
        return found

    def jobs(self) -> Iterator[Mining]:
        """Yield the job in parts. The division does not depend on the number of workers."""
        yield from cut(self, MATCHES)


def mine(
    table: GameText,
    fits: Callable[[Finding], bool],
    do: Doing,
    *,
    seed: int = 1,
    matches: int | None = None,
    seconds: float = 60.0,
    at_once: int = 1,
    known: Sequence[Finding] = (),
) -> tuple[int, Selection]:
    """Search matches from number ``seed`` on; return the number searched and the problems kept.

    The search ends when the set is full, or after ``matches`` matches; if that is None, after ``seconds`` of CPU time,
    running ``at_once`` jobs at a time. If a third of that yields too few problems, the requirements are lowered.
    ``known`` are problems already in the set, which stay there.
    """
    game, kept = table.game(), Selection(fits, known)
    looked, spent, modest = 0, 0.0, False
    while not kept.full and (looked < matches if matches else not looked or spent < seconds):
        # A fixed number of matches is split in two, so that the result does not depend on the number of workers.
        share = ((-(-matches // 3) if not looked else matches) - looked) if matches else at_once * MATCHES
        rows, took = do(list(Mining(table, seed + looked, share, modest).jobs()))
        for row in rows:
            for found in row["problems"]:
                kept.take(_finding(found, game, table.seats))
        looked, spent = looked + len(rows), spent + took
        third = looked * 3 >= matches if matches else spent * 3 > seconds
        modest = modest or (third and len(kept.chosen()) - len(known) < FEW)
    return looked, kept


def _finding(told: dict[str, Any], game: Game, seats: int) -> Finding:
    """Return the problem that :meth:`.Finding.told` represents, as JSON data."""
    moves, state = _turns(told["moves"]), game.start(seats, told["seed"])
    for turn in moves:
        state = after(game, state, turn)
    return Finding(
        told["kind"],
        Candidate(game, state, moves, seed=told["seed"]),
        told["n"],
        _turns(told["line"]),
        _turns(told["also"]),
        tuple((tuple(turn), tuple(answer)) for turn, answer in told["wrong"]),
        told["surprise"],
        tuple(told["themes"]),
        told["rating"],
        told["work"],
        told["slip"],
    )


def _turns(told: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(turn) for turn in told)
