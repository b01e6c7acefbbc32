"""What a choice surely brings about: it is made in thought, up to where chance or a secret decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.engine.workspace import CHANCE
from shibumi3d.rules.marbles.engines import Runner
from shibumi3d.rules.marbles.state import MarbleOutcome, State

Stop = Literal["", "chance", "reveal", "game", "hidden"]


@dataclass(frozen=True, slots=True)
class Foresight:
    """What comes of a choice.

    ``events`` are those of the turn of the choice. ``gains`` is how the score of each player changes up to the next
    choice, ``outcome`` how the match ends, if it does. ``asked`` is who chooses next, ``after`` the state then (None
    where that can't be known). ``stop`` says what nobody can look past: a draw by chance, choices that are shown, the
    next game of a series, something hidden; "" when all is known up to the next choice.
    """

    events: tuple[ev.Event, ...]
    gains: tuple[int, ...]
    outcome: MarbleOutcome | None
    turn_over: bool
    asked: int | None
    after: State | None
    stop: Stop


def foresee(runner: Runner, view: State, code: int) -> Foresight:
    """Return what comes of the choice ``code`` of the seat to move, who sees ``view``.

    The machine of ``runner`` is left anywhere.
    """
    seats, rotation = view.seats, view.game_number - 1
    machine = runner.stand(view._at, view.seed)
    runner.lost()
    bit = 1 << view._at.me
    events: list[ev.Event] = []
    machine.events, machine.blind, machine.work = events, True, WORK
    machine.veiled = _hidden(view._rules.stock_sight, bit) & sum(
        1 << number for number, content in enumerate(view._at.stocks) if any(content)
    )
    machine.covered = _hidden(view._rules.board_sight, bit)
    before: list[int] = []
    gains = [0] * seats
    stop: Stop = ""
    try:
        before = _scores(runner)
        runner.engine.play(machine, code)
        gains = _gained(runner, before)
    except Unforeseen:
        last = events[-1] if events else None
        stop = "chance" if machine.at.kind == CHANCE else "hidden"
        if isinstance(last, ev.Revealed):
            stop = "reveal"
        elif isinstance(last, ev.GameStarted):
            stop = "game"
        gains = _gained(runner, before)
    except (RuleFailure, RecursionError):
        # Of what is hidden there seems to be nothing, so that what comes next seems impossible; or the rules fail.
        stop = "hidden"
    finally:
        machine.events, machine.blind = None, False
    if machine.secret and machine.who(machine.me) != view.to_move:
        # Whether the others have chosen already is no matter: all choices are shown together.
        stop = "reveal"
    after = None if stop else State(view._rules, runner.engine.save(machine), None)
    turn_over = any(isinstance(event, ev.TurnEnded) for event in events)
    asked = after.to_move if after is not None else None if turn_over else machine.who(machine.me)
    end = next((i for i, event in enumerate(events) if not event.foreseen), len(events))
    return Foresight(
        events=tuple(events[:end]),
        gains=tuple([gains[(player - rotation) % seats] for player in range(seats)]),
        outcome=after.result if after is not None else None,
        turn_over=turn_over,
        asked=asked,
        after=after,
        stop=stop,
    )


def _scores(runner: Runner) -> list[int]:
    """The scores by seat; none where they hang on what is hidden."""
    try:
        return list(runner.engine.scores_now(runner.machine))
    except Unforeseen:
        return []


def _gained(runner: Runner, before: list[int]) -> list[int]:
    """How the scores have changed; not at all where that can't be known."""
    after = _scores(runner)
    if not before or not after:
        return [0] * int(runner.machine.seats)
    return [now - then for now, then in zip(after, before, strict=True)]


def _hidden(sights: tuple[int, ...], bit: int) -> int:
    """Those of several things that a seat does not see, as a mask of their numbers."""
    return sum(1 << number for number, sight in enumerate(sights) if not sight & bit)
