"""Solver queries, which run in a worker process so that the window never blocks."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.i18n import _, localize
from shibumi3d.match.match import Match
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.solver import BestScore, SolveResult
from shibumi3d.search.worker import Answer, Worker

from .services import Scheduler

MAX_SOLVER_MOVES = 200_000
"""Maximum number of moves that the solver may try."""
POLL_SECONDS = 0.15
"""Interval between checks for an answer, in seconds."""


class BackgroundSolver:
    """Worker process that runs one query at a time.

    A new query cancels the previous one, whose callback is then never called.
    """

    def __init__(self, schedule: Scheduler) -> None:
        self._schedule = schedule
        self._worker: Worker | None = None
        self._query_number = 0

    def submit(
        self,
        on_answer: Callable[[Answer], None],
        name: str,
        *args: object,
        delay_seconds: float = 0.0,
        **options: object,
    ) -> None:
        """Run a function of :mod:`shibumi3d.search` in the worker process, and pass its answer to ``on_answer``.

        ``name`` is the name of a function in the module ``solver``, or it begins with the name of another module, e.g.
        ``replies.find_reply``. The function is called with the remaining arguments, after ``delay_seconds`` seconds.

        An earlier query that hasn't been answered yet is cancelled, and its callback is never called.
        """
        self._query_number += 1
        query_number = self._query_number

        def poll() -> None:
            if query_number != self._query_number or self._worker is None:
                return
            answer = self._worker.poll()
            if answer is None:
                self._schedule(POLL_SECONDS, poll)
            else:
                on_answer(answer)

        def begin() -> None:
            if query_number != self._query_number:
                return
            if self._worker is None:
                self._worker = Worker()
            where = name if "." in name else f"solver.{name}"
            self._worker.submit(f"shibumi3d.search.{where}", *args, **options)
            self._schedule(POLL_SECONDS, poll)

        if self._worker is not None and self._worker.is_busy:
            self._worker.cancel()
        if delay_seconds:
            self._schedule(delay_seconds, begin)
        else:
            begin()

    def cancel(self) -> None:
        """Cancel the current query without calling its callback."""
        self._query_number += 1
        if self._worker is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End the worker process, if any, and cancel the current query without calling its callback."""
        self._query_number += 1
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def find_solution(
    solver: BackgroundSolver,
    match: Match,
    plies: int,
    on_found: Callable[[tuple[str, ...]], None],
    show_note: Callable[[str], None],
) -> None:
    """Look for a win or the best score from the position after the first ``plies`` moves of a finished match.

    Because the match is over, the solver may use the outcomes of random events after that position. If a solution is
    found, ``on_found`` is called with its moves. ``show_note`` is called with a message when the search starts. When
    the search ends, it is called with the reason if no solution was found, or otherwise with an empty string, which
    clears the note.
    """
    facts = match.game.facts(len(match.seats))

    def on_answer(answer: Answer) -> None:
        result = answer.value
        if not isinstance(result, SolveResult | BestScore):
            show_note(_("{text}.", text=capitalize_first(localize(answer.error or ""))))
        elif result.moves:
            show_note("")
            on_found(result.moves)
        else:
            is_lost_deal = not plies and not result.needs_chance and _is_exhausted(result)
            show_note(
                _("This deal can't be won, whatever you play.") if is_lost_deal else explain_unsolved(result)
            )

    show_note(_("Looking for a solution…"))
    solver.submit(
        on_answer,
        "solve" if facts.solver == "win" else "find_best_score",
        match.game,
        match.state_after(plies),
        max_moves=MAX_SOLVER_MOVES,
        known_chance=True,
    )


def explain_unsolved(answer: SolveResult | BestScore) -> str:
    """Return the message to show if a search found no solution.

    The message gives the reason: the result depends on chance, there is no win, or the search was too large to finish.
    """
    if answer.needs_chance:
        return _("Chance still plays a part, so nothing is certain here.")
    return (
        _("There is no way to win from here.")
        if _is_exhausted(answer)
        else _("No solution found: there are too many possibilities to try.")
    )


def _is_exhausted(answer: SolveResult | BestScore) -> bool:
    """Return whether a search that found no solution has tried all possibilities."""
    return answer.is_winnable is False if isinstance(answer, SolveResult) else answer.is_proved
