"""Preview of a choice: the effects that are certain, up to the first random or hidden outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.machine import CHANCE
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from shibumi3d.rules.marbles.engines import Runner
from shibumi3d.rules.marbles.state import MarbleOutcome, State

StopReason = Literal["", "chance", "reveal", "game", "hidden"]


@dataclass(frozen=True, slots=True)
class MovePreview:
    """The effects of a choice, as far as they are certain.

    ``events`` are the events that the choice causes, up to the next choice, the end of the turn or the first uncertain
    outcome. ``score_changes`` is the change in each player's score up to the next choice or the first uncertain
    outcome, or 0 if it is unknown. ``outcome`` is the result of the match if the choice is known to end it, and None
    otherwise. ``is_turn_over`` is set if the choice is known to end the turn. ``next_seat`` is the player who chooses
    next, or None if the match is over. If the preview stops before the next choice, ``next_seat`` is the player who is
    acting at that point, or None if the turn is over. ``after`` is the state at the next choice or at the end of the
    match, or None if it is unknown.

    ``stop_reason`` is what prevents the preview from going further: "chance" for a random draw, "reveal" if another
    seat has to choose in secret or secret choices are revealed, "game" for the next game of a series, and "hidden" for
    hidden information or a failure of the rules. It is "" if everything up to the next choice is known.
    """

    events: tuple[ev.Event, ...]
    score_changes: tuple[int, ...]
    outcome: MarbleOutcome | None
    is_turn_over: bool
    next_seat: int | None
    after: State | None
    stop_reason: StopReason


def preview_choice(runner: Runner, view: State, code: int) -> MovePreview:
    """Preview a choice: return the effects that are certain from what ``view`` shows.

    ``code`` is the code of the choice. The machine of ``runner`` is left in an unspecified position.
    """
    seats, rotation = view.seats, view.game_number - 1
    machine = runner.load(view._snapshot, view.seed)
    runner.reset_after_failure()
    bit = 1 << view._snapshot.me
    events: list[ev.Event] = []
    machine.events, machine.is_previewing, machine.work_left = events, True, WORK_BUDGET
    machine.hidden_stocks = _hidden_indices(view._rules.stock_viewers, bit) & sum(
        1 << number for number, content in enumerate(view._snapshot.stocks) if any(content)
    )
    machine.hidden_boards = _hidden_indices(view._rules.board_viewers, bit)
    before: list[int] = []
    gains = [0] * seats
    stop: StopReason = ""
    try:
        before = _known_scores(runner)
        runner.engine.play_choice(machine, code)
        gains = _score_changes(runner, before)
    except UnknownOutcomeError:
        last = events[-1] if events else None
        stop = "chance" if machine.current_step.kind == CHANCE else "hidden"
        if isinstance(last, ev.Revealed):
            stop = "reveal"
        elif isinstance(last, ev.GameStarted):
            stop = "game"
        gains = _score_changes(runner, before)
    except (RuleFailure, RecursionError):
        # Either the rules fail, or the continuation only seems impossible because hidden stocks and boards look empty.
        stop = "hidden"
    finally:
        machine.events, machine.is_previewing = None, False
    if machine.secret_parts and machine.player_at(machine.me) != view.to_move:
        # It doesn't matter whether the other seats have chosen already: all choices are revealed together.
        stop = "reveal"
    after = None if stop else State(view._rules, runner.engine.save_snapshot(machine), None)
    turn_over = any(isinstance(event, ev.TurnEnded) for event in events)
    asked = after.to_move if after is not None else None if turn_over else machine.player_at(machine.me)
    end = next((i for i, event in enumerate(events) if not event.can_be_previewed), len(events))
    return MovePreview(
        events=tuple(events[:end]),
        score_changes=tuple([gains[(player - rotation) % seats] for player in range(seats)]),
        outcome=after.result if after is not None else None,
        is_turn_over=turn_over,
        next_seat=asked,
        after=after,
        stop_reason=stop,
    )


def _known_scores(runner: Runner) -> list[int]:
    """Return the score of each seat, or an empty list if scores depend on hidden information."""
    try:
        return list(runner.engine.current_scores(runner.machine))
    except UnknownOutcomeError:
        return []


def _score_changes(runner: Runner, before: list[int]) -> list[int]:
    """Return each seat's score minus its score in ``before``, or only zeros if the scores can't be known.

    ``before`` is empty if the earlier scores couldn't be known.
    """
    after = _known_scores(runner)
    if not before or not after:
        return [0] * int(runner.machine.seats)
    return [now - then for now, then in zip(after, before, strict=True)]


def _hidden_indices(viewers: tuple[int, ...], bit: int) -> int:
    """Return a mask of the stocks or boards that a seat can't see.

    ``viewers`` contains, for each stock or board, the mask of the seats that can see it. ``bit`` is the mask that
    contains only the seat in question.
    """
    return sum(1 << number for number, sight in enumerate(viewers) if not sight & bit)
