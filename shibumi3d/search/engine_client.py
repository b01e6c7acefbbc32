"""Client for a computer player in a separate process, polled by the window every frame.

Only the view of the player's seat is sent to the process, never the full state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from shibumi3d.i18n import Message
from shibumi3d.rules.game import Game
from shibumi3d.search.explanations import with_reasons
from shibumi3d.search.players import Budget, Choice, player
from shibumi3d.search.worker import Worker, WorkerDied, limit_memory, make_hurry_callback, report_progress

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


HURRY_SECONDS = 0.15
"""Time in seconds within which a process must answer after it has been asked to hurry."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The best choice so far, with the time spent on the search, in seconds."""

    choice: Choice
    seconds: float


@dataclass(frozen=True, slots=True)
class EngineFailure:
    """A failure of the worker process or of the search that runs in it, described by ``message``.

    ``is_restarting`` is set if the process is restarted automatically.
    """

    message: Message
    is_restarting: bool


_idle_workers: list[Worker] = []
"""At most one worker that a closed client has left idle.

The next client uses it, because starting a process takes half a second of CPU time. This way, a match, its rematch and
all matches of a tournament share one process.
"""


def end_idle_worker() -> None:
    """End the process that a closed client has left idle, if there is one."""
    while _idle_workers:
        _idle_workers.pop().close()


class EngineClient:
    """Client for a computer player that thinks about one move at a time, in a process of its own.

    After :meth:`request_move`, call :meth:`poll` every frame. It occasionally returns a :class:`Progress` and finally,
    once, a :class:`~shibumi3d.search.players.Choice`, or an :class:`EngineFailure` if no move could be chosen. If the
    process dies, it is restarted at most once for each request. Each restart is also reported as an
    :class:`EngineFailure`. No method waits for a search to finish. Use an instance from one thread only.
    """

    def __init__(self) -> None:
        self._worker = _idle_workers.pop() if _idle_workers else Worker()
        self._request: tuple[Any, ...] | None = None
        self._start_time = 0.0
        self._deadline: float | None = None
        self._best: Choice | None = None
        self._last_report: Any = None
        self._restarted = False

    @property
    def is_busy(self) -> bool:
        """Whether a choice is still pending."""
        return self._request is not None

    @property
    def elapsed_seconds(self) -> float:
        """Seconds spent so far on the pending choice, or 0 if none is pending."""
        return monotonic() - self._start_time if self.is_busy else 0.0

    @property
    def pid(self) -> int | None:
        """ID of the process, or None if there is none."""
        return self._worker.pid

    def request_move(
        self,
        game: Game,
        view: State,
        strength: str | int,
        *,
        seat: int | None = None,
        seed: int = 0,
        budget: Budget | None = None,
        past: Iterable[State] = (),
        moves: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        """Start choosing a move for ``seat`` in ``view``, replacing any pending request.

        ``strength`` and ``seed`` are the arguments of :func:`.players.player`. The other arguments, except ``names``,
        are those of :meth:`.Player.choose`, where ``past`` is called ``past_states``. ``names`` contains the names of
        the seats. If it is given, the choice comes with explanations that use these names; after :meth:`hurry`, they
        may be missing.
        """
        self._request = (game, view, strength, seat, seed, budget, tuple(past), moves, names)
        self._start_time = monotonic()
        self._restarted = False
        self._submit()

    def _submit(self) -> None:
        self._deadline = None
        self._best = None
        self._last_report = None
        assert self._request is not None
        self._worker.submit(f"{__name__}.choose_move", *self._request)

    def poll(self) -> Progress | Choice | EngineFailure | None:
        """Return what has arrived since the last call: progress, the final choice or a failure, or else None.

        If the process dies, it is started again at most once for each request. After a call of :meth:`hurry`, it is not
        started again: if it dies or doesn't answer in time, return the best choice so far, or a random move if there is
        none.
        """
        answer = self._worker.poll()
        if answer is None and self._deadline is not None and monotonic() > self._deadline:
            self._worker.cancel()
            self._deadline = None
            if self._request is not None:
                return self._finish(self._best or self._random_choice())
        if self._request is None:
            return None
        if answer is None:
            if not self._worker.is_busy:  # cancelled, because it had not begun when asked to hurry
                return self._finish(self._best or self._random_choice())
            if self._worker.report is self._last_report:
                return None
            self._last_report = self._best = self._worker.report
            return Progress(self._last_report, self.elapsed_seconds)
        if answer.error is None:
            choice: Choice = answer.value
            return self._finish(choice)
        if not isinstance(answer.error, WorkerDied):
            self._request = None
            return EngineFailure(
                Message("The computer player couldn't choose a move: {problem}.", problem=answer.error),
                is_restarting=False,
            )
        if self._deadline is not None:
            return self._finish(self._best or self._random_choice())
        if self._restarted:
            self._request = None
            return EngineFailure(
                Message("The computer player stopped unexpectedly twice."), is_restarting=False
            )
        self._submit()
        self._restarted = True
        return EngineFailure(
            Message("The computer player stopped unexpectedly and is starting again."), is_restarting=True
        )

    def _finish(self, choice: Choice) -> Choice:
        self._request = None
        return choice

    def _random_choice(self) -> Choice:
        """Return a random move, which is used if no better one is known in time."""
        assert self._request is not None
        game, view, _, seat, seed, _, _, moves, _ = self._request
        return player("random", seed).choose(game, view, seat=seat, moves=moves)

    def hurry(self) -> None:
        """Ask the process to choose a move soon; do nothing if no choice is pending.

        Within 0.2 seconds of this call, :meth:`poll` returns the best choice so far, or a random move if there is none.
        """
        if self._request is not None and self._deadline is None:
            self._deadline = monotonic() + HURRY_SECONDS
            self._worker.hurry()

    def cancel(self) -> None:
        """Cancel the pending choice.

        Keep calling :meth:`poll` afterwards; it ends the process if the search doesn't stop soon.
        """
        self.hurry()
        self._request = None

    def close(self) -> None:
        """End the search, and end the process or leave it to the next client.

        The process is left to the next client if it is idle and no other process is already waiting for one. A later
        :meth:`request_move` of this client starts a new process.
        """
        self._request = None
        self._deadline = None
        worker, self._worker = self._worker, Worker()
        if worker.pid is None or worker.is_busy or _idle_workers:
            worker.close()
        else:
            _idle_workers.append(worker)


def choose_move(
    game: Game,
    view: State,
    strength: str | int,
    seat: int | None,
    seed: int,
    budget: Budget | None,
    past: Iterable[State],
    moves: Sequence[str] | None,
    names: Sequence[str] | None = None,
) -> Choice:
    """Choose a move; this function runs in the worker process.

    It reports its progress, and stops early if it is asked to hurry. ``names`` contains the names of the seats. If
    ``names`` is given and the function is not asked to hurry, the choice includes the reasons for the move.
    """
    limit_memory()
    hurry = make_hurry_callback()
    choice = player(strength, seed).choose(
        game, view, budget, hurry, seat=seat, past_states=past, moves=moves, on_progress=report_progress
    )
    if names is None or hurry():
        return choice
    report_progress(choice)  # the answer if the process is asked to hurry before it has explained the choice
    return with_reasons(game, view, choice, names)
