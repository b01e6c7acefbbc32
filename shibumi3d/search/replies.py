"""Replies to the turns of a user who is solving a problem, with proved values where possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

WORK = 2_000_000
"""Maximum work for a reply, in the units of the rules."""
FAR = 40
"""Maximum number of turns to look ahead."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The best turn of the seat to move, as move texts, and its value.

    ``worth`` is 1 if the turn is proved to win, 0 if every turn is proved to lose, 0.5 if at least a draw is proved,
    and None if nothing is proved. ``turns`` is set only if every turn loses: it is the number of turns of its own that
    the other seat needs to win after this turn, or None if that is unknown.
    """

    turn: tuple[str, ...]
    worth: float | None
    turns: int | None = None


def reply(game: Game, state: State, work: int = WORK) -> Reply:
    """Return the best turn at ``state`` as far as it can be proved.

    This is the fastest win or the longest resistance. Raises ValueError if the match is over.
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


def _own_turns(game: Game, state: State, work: int) -> int | None:
    """Return how many turns of its own the opponent of the seat to move needs to win.

    Return None if that is unknown.
    """
    other = 1 - state.to_move
    number = search_of(game, game.view(state, other), other).own_turns(FAR, work, lambda: False)
    return number if 0 <= number <= FAR else None


def _choice(game: Game, state: State, work: int) -> Reply:
    """Return the best move, by the criteria that :func:`reply` applies to whole turns."""
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
    # Moves not proved to lose come first; if all lose, take the one that loses last.
    open_ = [move for move in moves if move not in known or known[move].high > 0.0]
    best = max(open_, key=lambda move: _hope(known.get(move))) if open_ else ""
    return Reply((best or max(known.values(), key=lambda one: one.turns).moves[0],), worth)


def _hope(one: Considered | None) -> float:
    """Return how promising a move is, from 0 to 2, if it is not proved to lose."""
    return one.high + one.low if one is not None else 1.0
