"""What is answered to a turn of somebody who solves a problem: whether it was right, proved where that can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of

WORK = 2_000_000
"""The most that is spent on an answer, as rules count it."""
FAR = 40
"""So many turns are looked ahead, at most."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What whoever is to move does, as the texts of a turn, and what that is worth.

    ``worth`` is 1 where it is proved that this wins, 0 where it is proved that all loses, 0.5 where the best is proved
    to be a draw, None where nothing is proved. ``turns`` is how many turns the other seat, which wins by force where
    all loses, needs of its own then; None where that is not known.
    """

    turn: tuple[str, ...]
    worth: float | None
    turns: int | None = None


def reply(game: Game, state: Any, work: int = WORK) -> Reply:
    """Return the best turn at ``state``, as far as it can be proved: the quickest win, else what holds out longest.

    Raises ValueError where the match is over.
    """
    seat = state.to_move
    if seat is None:
        raise Unusable("the match is over")
    turn: list[str] = []
    first: Reply | None = None
    now = state
    while now.to_move == seat and now.turn == state.turn:
        found = _choice(game, now, work)
        turn += found.turn
        first = first or found
        now, _ = game.apply(now, found.turn[0])
    assert first is not None
    turns = _own_turns(game, state, work) if first.worth == 0 else None
    return Reply(tuple(turn), first.worth, turns)


def _own_turns(game: Game, state: Any, work: int) -> int | None:
    """Return how many turns of its own the seat that is not to move needs to win; None where that is not known."""
    other = 1 - state.to_move
    number = search_of(game, game.view(state, other), other).own_turns(FAR, work, lambda: False)
    return number if 0 <= number <= FAR else None


def _choice(game: Game, state: Any, work: int) -> Reply:
    """The same for one choice of the turn."""
    seat = state.to_move
    moves = [move.text for move in game.moves(state)]
    search = search_of(game, game.view(state, seat), seat)
    if not search.exact:
        return Reply((moves[0],), None)
    looked = search.forced(FAR, work, lambda: False)
    known = {one.moves[0]: one for one in looked if one.moves[0] in moves}
    won = next((one for one in known.values() if one.low == 1.0), None)
    if won is not None:
        return Reply(won.moves[:1], 1.0)
    if len(known) == len(moves) and all(one.high == 0.0 for one in known.values()):
        longest = max(known.values(), key=lambda one: one.turns)
        return Reply(longest.moves[:1], 0.0)
    low, high, keeping = search.solved(work, lambda: False)
    worth = low if low == high else None
    if keeping and low > 0.0:
        return Reply((keeping[0],), worth if worth is not None else low)
    # What is not known to lose holds out longer than what is; of that, what loses last.
    open_ = [move for move in moves if move not in known or known[move].high > 0.0]
    best = max(open_, key=lambda move: _hope(known.get(move))) if open_ else ""
    return Reply((best or max(known.values(), key=lambda one: one.turns).moves[0],), worth)


def _hope(one: Considered | None) -> float:
    """How good a choice may be that is not proved to lose."""
    return one.high + one.low if one is not None else 1.0
