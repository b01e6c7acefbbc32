"""Preview of a choice: its certain effects, up to the first random or hidden outcome."""

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
    """Certain effects of a choice.

    ``events`` are the events of the turn to which the choice belongs. ``gains`` is the change in each player's score up
    to the next choice, and ``outcome`` is the result of the match if the choice ends it. ``asked`` is the player who
    chooses next, and ``after`` is the state at that moment; both are None if unknown.

    ``stop`` is what prevents the preview from going further: "chance" for a random draw, "reveal" for secret choices
    that are revealed, "game" for the next game of a series, "hidden" for hidden information. It is "" if everything up
    to the next choice is known.
    """

    events: tuple[ev.Event, ...]
    gains: tuple[int, ...]
    outcome: MarbleOutcome | None
    turn_over: bool
    asked: int | None
    after: State | None
    stop: Stop


def foresee(runner: Runner, view: State, code: int) -> Foresight:
    """Preview the choice ``code`` of the seat to move, as far as the state ``view`` allows.

    Afterwards, the position of the machine of ``runner`` is arbitrary, and the runner doesn't rely on it.
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
        # Either the rules fail, or the continuation only seems impossible because hidden stocks and boards look empty.
        stop = "hidden"
    finally:
        machine.events, machine.blind = None, False
    if machine.secret and machine.who(machine.me) != view.to_move:
        # It doesn't matter whether the other seats have chosen already: all choices are revealed together.
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
    """Return the score of each seat, or an empty list if scores depend on hidden information."""
    try:
        return list(runner.engine.scores_now(runner.machine))
    except Unforeseen:
        return []


def _gained(runner: Runner, before: list[int]) -> list[int]:
    """Return the change in each score, or zeros if it can't be known."""
    after = _scores(runner)
    if not before or not after:
        return [0] * int(runner.machine.seats)
    return [now - then for now, then in zip(after, before, strict=True)]


def _hidden(sights: tuple[int, ...], bit: int) -> int:
    """Return a bit mask of the indices of the items that a seat can't see."""
    return sum(1 << number for number, sight in enumerate(sights) if not sight & bit)
