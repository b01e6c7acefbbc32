"""Problems are looked for in many matches at once; which of them make a set is settled where all of them are known."""

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
"""Matches of a job: each is looked at for seconds."""
FROM_ONE = 2
"""Problems that one match may give."""
FEW = 5
"""Problems found with usual demands in a part of the time that make it worth going on with them."""
Doing = Callable[[Sequence[Job]], tuple[list[Row], float]]
"""What does jobs: their rows, and the CPU time that was spent in seconds."""


@dataclass(frozen=True, slots=True)
class Mining:
    """Matches ``first`` to ``first + count``, in which problems are looked for.

    Proofs have a limit in CPU time: a faster machine may find one more, and what is found is proved everywhere.
    """

    kind: ClassVar[str] = "mining"
    table: GameText
    first: int = 1
    count: int = 100
    modest: bool = False
    """Whether less is demanded of a problem."""

    def rows(self) -> list[Row]:
        """Look, and return a row for each match, with its ``problems``."""
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
        """Yield the parts in which it is done: the same ones for any number of workers."""
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
    """Return how many matches were looked at and the problems kept, of the matches from number ``seed`` on.

    It ends when there are enough, and else after so many ``matches``, or without them after so many ``seconds`` of CPU
    time, ``at_once`` jobs at a time. Where a third of that was in vain, less is demanded of a problem. ``known`` are
    problems that a set has already, and keeps.
    """
    game, kept = table.game(), Selection(fits, known)
    looked, spent, modest = 0, 0.0, False
    while not kept.full and (looked < matches if matches else not looked or spent < seconds):
        # With a number of matches two shares, so that it is the same for any number of workers.
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
    """What :meth:`.Finding.told` has told, as JSON holds it."""
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
