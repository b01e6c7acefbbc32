"""Parallel search for problems in many matches, and selection of a set from those found."""

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
"""Number of matches per job; each match takes several seconds."""
FROM_ONE = 2
"""Maximum number of problems taken from one match."""
FEW = 5
"""Minimum number of problems in the first third of the search.

If fewer are found, the requirements for problems are lowered.
"""
Doing = Callable[[Sequence[Job]], tuple[list[Row], float]]
"""Function that runs jobs and returns their rows and the CPU time used, in seconds."""


@dataclass(frozen=True, slots=True)
class Mining:
    """Job that searches matches ``first`` to ``first + count - 1`` for problems.

    Proofs have a CPU time limit, so a faster machine may find more problems. On any machine, every problem that is
    found is also proved.
    """

    kind: ClassVar[str] = "mining"
    table: GameText
    first: int = 1
    count: int = 100
    modest: bool = False
    """Whether lower requirements for problems apply."""

    def rows(self) -> list[Row]:
        """Search the matches and return a row for each, with the ``problems`` found in it."""
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
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
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

    The search ends when the set is full, or after ``matches`` matches. If ``matches`` is None, it ends after
    ``seconds`` of CPU time and runs ``at_once`` jobs at a time. If too few problems are found in the first third, the
    requirements are lowered. ``known`` are the problems already in the set, which remain there.
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
    """Restore a problem from the JSON data made by :meth:`.Finding.told`."""
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
