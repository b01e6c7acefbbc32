"""Replies to the turns of a user who is solving a problem, with proved values where possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.game import Game
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search.heuristics import make_search

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

MAX_WORK = 2_000_000
"""Maximum work for a reply, in the units of the rules."""
MAX_TURNS = 40
"""Maximum number of turns to look ahead."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The best turn of the seat to move, as move texts, and its value.

    ``value`` is 1 if the turn is proved to win, 0 if every turn is proved to lose, 0.5 if at least a draw is proved,
    and None if none of these is proved. ``turns`` is the number of turns that the other seat then needs to win,
    counting only its own; it is None unless every turn loses and this number is known.
    """

    turn: tuple[str, ...]
    value: float | None
    turns: int | None = None


def find_reply(game: Game, state: State, max_work: int = MAX_WORK) -> Reply:
    """Return the best turn in ``state``, with its value if it is proved.

    A turn that wins comes first, if possible the fastest. If every turn is proved to lose, the result is the one that
    delays the loss longest. In all other cases, it is a turn that secures a draw or, failing that, one that is not
    proved to lose. The turn includes all moves until another seat is to move or the match ends. Raises ValueError if
    the match is over.
    """
    seat = state.to_move
    if seat is None:
        raise InvalidValueError("the match is over")
    turn: list[str] = []
    first: Reply | None = None
    now = state
    while now.to_move == seat:
        found = _best_move(game, now, seat, max_work)
        turn += found.turn
        first = first or found
        now, _ = game.apply(now, found.turn[0])
    assert first is not None
    turns = _turns_to_win(game, state, 1 - seat, max_work) if first.value == 0 else None
    return Reply(tuple(turn), first.value, turns)


def _turns_to_win(game: Game, state: State, seat: int, max_work: int) -> int | None:
    """Return how many of its own turns a seat needs to force a win.

    The result is 0 if the opponent is forced to lose before the seat has a turn. It is None if no win within
    :data:`MAX_TURNS` of the seat's own turns is proved.
    """
    number = make_search(game, game.observe(state, seat), seat).own_turns_to_win(
        MAX_TURNS, max_work, lambda: False
    )
    return number if 0 <= number <= MAX_TURNS else None


def _best_move(game: Game, state: State, seat: int, max_work: int) -> Reply:
    """Return the best single move, by the criteria that :func:`find_reply` applies to whole turns."""
    moves = [move.text for move in game.moves(state)]
    search = make_search(game, game.observe(state, seat), seat)
    if not search.can_prove:
        return Reply((moves[0],), None)
    proved_moves = search.prove_by_lookahead(MAX_TURNS, max_work, lambda: False)
    known = {
        evaluation.move_texts[0]: evaluation
        for evaluation in proved_moves
        if evaluation.move_texts[0] in moves
    }
    won = next((evaluation for evaluation in known.values() if evaluation.lower_bound == 1.0), None)
    if won is not None:
        return Reply(won.move_texts[:1], 1.0)
    if len(known) == len(moves) and all(evaluation.upper_bound == 0.0 for evaluation in known.values()):
        longest = max(known.values(), key=lambda evaluation: evaluation.turns_to_end)
        return Reply(longest.move_texts[:1], 0.0)
    low, high, keeping = search.solve(max_work, lambda: False)
    value = low if low == high else None
    if keeping and low > 0.0:
        return Reply((keeping[0],), value if value is not None else low)
    # Moves not proved to lose come first; if all lose, take the one that loses last.
    open_ = [move for move in moves if move not in known or known[move].upper_bound > 0.0]
    best = max(open_, key=lambda move: _move_priority(known.get(move))) if open_ else ""
    return Reply(
        (best or max(known.values(), key=lambda evaluation: evaluation.turns_to_end).move_texts[0],), value
    )


def _move_priority(evaluation: MoveEvaluation | None) -> float:
    """Return the priority of a move, from 0 (proved to lose) to 2 (proved to win).

    A move without an evaluation has priority 1.
    """
    return evaluation.upper_bound + evaluation.lower_bound if evaluation is not None else 1.0
