"""Parallel search for problems in many matches, and selection of a set for a problem file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

from shibumi3d.catalogue.problems import ProvedProblem
from shibumi3d.lab.jobs import GameText, Row, RunJobs, split_job
from shibumi3d.rules.game import ExportsPositions, Game, Position
from shibumi3d.search.problems.candidates import (
    DEFAULT_REQUIREMENTS,
    LOWER_REQUIREMENTS,
    Candidate,
    FoundProblem,
    generate_candidates,
    state_after,
)
from shibumi3d.search.problems.requirements import Unprovable, find_problem
from shibumi3d.search.problems.selection import ProblemSelection

MATCHES_PER_JOB = 4
"""Number of matches per job; each match takes several seconds."""
MAX_PROBLEMS_PER_MATCH = 2
"""Maximum number of problems taken from one match."""
MIN_EARLY_PROBLEMS = 5
"""Minimum number of new problems in the first third of the search.

If fewer are found, the requirements for problems are lowered.
"""


@dataclass(frozen=True, slots=True)
class MiningJob:
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

    def run(self) -> list[Row]:
        """Search the matches for problems; return a row for each match, with the problems found."""
        game, demands = self.table.load_game(), LOWER_REQUIREMENTS if self.modest else DEFAULT_REQUIREMENTS
        result = []
        candidates = generate_candidates(game, self.first, self.table.seats)
        for number, positions in enumerate(islice(candidates, self.count), self.first):
            problem_selection = ProblemSelection(lambda one: True)
            with suppress(Unprovable):
                for spot in positions:
                    problem = find_problem(replace(spot, requirements=demands))
                    if (
                        problem is not None
                        and problem_selection.add(problem)
                        and len(problem_selection.selected) + len(problem_selection.spares)
                        == MAX_PROBLEMS_PER_MATCH
                    ):
                        break
            problems = [one.to_row() for one in (*problem_selection.selected, *problem_selection.spares)]
            result.append({"number": number, "problems": problems})
        return result

    def split(self) -> Iterator[MiningJob]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, MATCHES_PER_JOB)


def mine_problems(
    text: GameText,
    is_acceptable: Callable[[FoundProblem], bool],
    run_jobs: RunJobs,
    *,
    seed: int = 1,
    matches: int | None = None,
    seconds: float = 60.0,
    parallel_jobs: int = 1,
    known: Sequence[FoundProblem] = (),
) -> tuple[int, ProblemSelection]:
    """Search matches for problems; return the number of matches searched and the problems selected.

    The first match is number ``seed``. The search ends when enough problems have been selected or ``matches`` matches
    have been searched. If ``matches`` is None, there is a limit of ``seconds`` seconds of CPU time instead, and
    ``parallel_jobs`` jobs are run at a time. The requirements are lowered if fewer than :data:`MIN_EARLY_PROBLEMS` new
    problems are found in the first third of the search. Only problems for which ``is_acceptable`` returns True are
    selected. ``known`` contains problems that were selected earlier and remain selected.
    """
    game, problem_selection = text.load_game(), ProblemSelection(is_acceptable, known)
    matches_searched, spent, has_lowered_requirements = 0, 0.0, False
    while not problem_selection.is_complete and (
        matches_searched < matches if matches else not matches_searched or spent < seconds
    ):
        # A fixed number of matches is split in two, so that the result does not depend on the number of workers.
        share = (
            ((-(-matches // 3) if not matches_searched else matches) - matches_searched)
            if matches
            else parallel_jobs * MATCHES_PER_JOB
        )
        rows, took = run_jobs(
            list(MiningJob(text, seed + matches_searched, share, has_lowered_requirements).split())
        )
        for row in rows:
            for found in row["problems"]:
                problem_selection.add(_finding_from_row(found, game, text.seats))
        matches_searched, spent = matches_searched + len(rows), spent + took
        third = matches_searched * 3 >= matches if matches else spent * 3 > seconds
        has_lowered_requirements = has_lowered_requirements or (
            third and len(problem_selection.sorted_problems()) - len(known) < MIN_EARLY_PROBLEMS
        )
    return matches_searched, problem_selection


def _finding_from_row(row: Row, game: Game, seats: int) -> FoundProblem:
    """Restore a problem from the JSON data made by :meth:`.FoundProblem.to_row`."""
    moves, state = _to_turns(row["moves"]), game.start(seats, row["seed"])
    for turn in moves:
        state = state_after(game, state, turn)
    return FoundProblem(
        row["kind"],
        Candidate(game, state, moves, seed=row["seed"]),
        row["n"],
        _to_turns(row["line"]),
        _to_turns(row["also"]),
        tuple((tuple(turn), tuple(answer)) for turn, answer in row["wrong"]),
        row["surprise"],
        tuple(row["themes"]),
        row["rating"],
        row["work"],
        row["slip"],
    )


def _to_turns(texts: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(turn) for turn in texts)


PREFERRED_ROW_BYTES = 300
"""Preferred maximum size of a row in bytes."""
MAX_ROW_BYTES = 800
"""Maximum size in bytes of a row that doesn't fit into :data:`PREFERRED_ROW_BYTES`.

Such a row usually contains the whole match, because its position can't be described otherwise.
"""
LARGE_SET = 10
"""Minimum number of problems in a large set; very common themes are dropped from large sets."""


def make_row(problem: FoundProblem, game: str, rules_hash: str, number: int = 99) -> ProvedProblem | None:
    """Return a problem as row ``number`` of a set, or None if the row would be too long.

    The row contains the whole match if such a row fits into :data:`PREFERRED_ROW_BYTES`, or if the position before the
    last turn can't be exported. Otherwise, it contains that position and the last turn. Wrong turns that don't fit are
    left out. A row is too long if it exceeds :data:`MAX_ROW_BYTES` even without wrong turns.
    """
    proved = ProvedProblem(game=game, id=number, rules=rules_hash, **problem.to_row())
    if _row_size(proved) <= PREFERRED_ROW_BYTES:
        return proved
    position = _position_before_last_turn(problem)
    short = (
        proved if position is None else replace(proved, position=position, moves=problem.candidate.moves[-1:])
    )
    limits = (MAX_ROW_BYTES,) if position is None else (PREFERRED_ROW_BYTES, MAX_ROW_BYTES)
    return next(
        (
            row
            for max_bytes in limits
            for row in _with_fewer_wrong_turns(short)
            if _row_size(row) <= max_bytes
        ),
        None,
    )


def drop_common_themes(problems: Sequence[ProvedProblem]) -> list[ProvedProblem]:
    """Return the problems of a set without their uninformative themes.

    A theme is uninformative if more than two thirds of the problems have it. In a set of fewer than :data:`LARGE_SET`
    problems, all themes are kept.
    """
    having = Counter(theme for problem in problems for theme in problem.themes)
    known = {
        theme
        for theme, number in having.items()
        if len(problems) < LARGE_SET or 3 * number <= 2 * len(problems)
    }
    return [
        replace(problem, themes=tuple(theme for theme in problem.themes if theme in known))
        for problem in problems
    ]


def _with_fewer_wrong_turns(problem: ProvedProblem) -> Iterator[ProvedProblem]:
    """Yield a problem with all its wrong turns, then with one wrong turn fewer each time, down to none."""
    for count in range(len(problem.wrong), -1, -1):
        yield replace(problem, wrong=problem.wrong[:count])


def _row_size(problem: ProvedProblem) -> int:
    return len(problem.to_row().encode())


def _position_before_last_turn(problem: FoundProblem) -> Position | None:
    """Return the position before the last turn that led to a problem.

    Return None if there is no such turn, or if the game can't export a position that describes the state.
    """
    candidate = problem.candidate
    game, state = candidate.game, candidate.game.start(candidate.state.seats, candidate.seed)
    if not isinstance(game, ExportsPositions) or not candidate.moves:
        return None
    for turn in candidate.moves[:-1]:
        state = state_after(game, state, turn)
    return game.position_of(state)
