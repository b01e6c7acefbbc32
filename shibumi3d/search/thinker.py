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
from shibumi3d.search.players import Budget, Choice, player
from shibumi3d.search.why import reasoned
from shibumi3d.search.worker import Worker, WorkerDied, bound_memory, hurried, tell

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

PATIENCE = 0.15
"""Time in seconds within which a process must answer after it has been asked to hurry."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The best choice so far, and the time spent thinking about it, in seconds."""

    choice: Choice
    seconds: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """A message that the process stopped or failed.

    ``again`` is set if the process is restarted automatically.
    """

    sentence: Message
    again: bool


class Thinker:
    """Client for a computer player that thinks about one move at a time.

    After :meth:`ask`, call :meth:`poll` every frame. It occasionally returns a :class:`Progress` and finally, once, a
    :class:`~shibumi3d.search.players.Choice`. No method blocks. If the process dies, it is restarted at most once for
    each request. Use an instance from one thread only.
    """

    def __init__(self) -> None:
        self._worker = Worker()
        self._asked: tuple[Any, ...] | None = None
        self._began = 0.0
        self._deadline: float | None = None
        self._best: Choice | None = None
        self._last: Any = None
        self._anew = False

    @property
    def busy(self) -> bool:
        """Whether a choice is still pending."""
        return self._asked is not None

    @property
    def seconds(self) -> float:
        """Seconds spent so far on the pending choice, or 0."""
        return monotonic() - self._began if self.busy else 0.0

    @property
    def pid(self) -> int | None:
        """ID of the process, or None if there is none."""
        return self._worker.pid

    def ask(
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
        """Start choosing a move for ``seat`` at ``view``, replacing any pending request.

        The arguments are those of :meth:`.players.Player.choose`. If ``names``, the names of the seats, is given, the
        choice comes with explanations that contain these names.
        """
        self._asked = (game, view, strength, seat, seed, budget, tuple(past), moves, names)
        self._began = monotonic()
        self._anew = False
        self._submit()

    def _submit(self) -> None:
        self._deadline = None
        self._best = None
        self._last = None
        assert self._asked is not None
        self._worker.submit(f"{__name__}.think", *self._asked)

    def poll(self) -> Progress | Choice | Trouble | None:
        """Return any news since the last call: the final choice, progress, or None."""
        answer = self._worker.poll()
        if answer is None and self._deadline is not None and monotonic() > self._deadline:
            self._worker.cancel()
            self._deadline = None
            if self._asked is not None:
                return self._done(self._best or self._any())
        if self._asked is None:
            return None
        if answer is None:
            if not self._worker.busy:  # it was cancelled because it had not begun when asked to hurry
                return self._done(self._best or self._any())
            if self._worker.report is self._last:
                return None
            self._last = self._best = self._worker.report
            return Progress(self._last, self.seconds)
        if answer.error is None:
            choice: Choice = answer.value
            return self._done(choice)
        if not isinstance(answer.error, WorkerDied):
            self._asked = None
            return Trouble(
                Message("The computer player couldn't choose a move: {problem}.", problem=answer.error),
                again=False,
            )
        if self._deadline is not None:
            return self._done(self._best or self._any())
        if self._anew:
            self._asked = None
            return Trouble(Message("The computer player stopped unexpectedly twice."), again=False)
        self._submit()
        self._anew = True
        return Trouble(Message("The computer player stopped unexpectedly and is starting again."), again=True)

    def _done(self, choice: Choice) -> Choice:
        self._asked = None
        return choice

    def _any(self) -> Choice:
        """Return a random move, for use if no better move is known in time."""
        assert self._asked is not None
        game, view, _, seat, seed, _, _, moves, _ = self._asked
        return player("random", seed).choose(game, view, seat=seat, moves=moves)

    def now(self) -> None:
        """Ask the process to hurry.

        Within 0.2 seconds, :meth:`poll` then returns the best choice so far.
        """
        if self._asked is not None and self._deadline is None:
            self._deadline = monotonic() + PATIENCE
            self._worker.hurry()

    def stop(self) -> None:
        """Cancel the pending choice.

        Keep calling :meth:`poll` afterwards; it ensures that the process really stops.
        """
        self.now()
        self._asked = None

    def close(self) -> None:
        """End the process; the next :meth:`ask` starts a new one."""
        self._asked = None
        self._deadline = None
        self._worker.close()


def think(
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
    """Choose a move inside the worker process, reporting progress, until asked to hurry."""
    bound_memory()
    hurry = _Hurry()
    choice = player(strength, seed).choose(
        game, view, budget, hurry, seat=seat, past=past, moves=moves, tell=tell
    )
    if names is None or hurry():
        return choice
    tell(choice)  # this is the answer if it is asked to hurry before the explanations are done
    return reasoned(game, view, choice, names)


class _Hurry:
    """``stop`` callback that returns True once the program has asked to hurry."""

    def __init__(self) -> None:
        self.said = False

    def __call__(self) -> bool:
        self.said = self.said or hurried()
        return self.said
