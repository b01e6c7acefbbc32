"""A move at a table of any kind, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.match.outside_moves import CLAIM, OUTSIDE, SWAP, TIME_UP
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.wording import capital, within

from . import language, say

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
BEYOND_TOLD = {CLAIM: "moves.claims", SWAP: "moves.swaps", TIME_UP: "moves.time-up"}
"""What was done beyond the rules, as the texts call it."""


def spoken(match: Match, plies: Sequence[Ply], number: int, events: Sequence[Any]) -> str:
    """The move of that number of ``plies``, the first of the match or of a variation, in words; ``events`` are what is
    known of what came of it."""
    ply, names = plies[number], match.names
    before = plies[number - 1].state if number else match.first
    if ply.move in OUTSIDE:
        return say(BEYOND_TOLD[ply.move])
    text = ply.move.partition(":")[2] if ply.seat != before.to_move else ply.move
    try:
        move = match.game.parse(before, text, ply.seat)
    except IllegalMove:
        return ply.move
    # Where chance decides, what was chosen says little: some kinds tell what came of it.
    told = match.game.log_line(before, move, events, language(), names)
    if told:
        return capital(told)
    return capital(match.game.say(match.game.view(before, ply.seat), move, language(), names))


def thought(match: Match, state: Any, seat: int | None, move: Any, names: Sequence[str]) -> str:
    """Return a move that may be made at ``state``, in words as they stand within a sentence."""
    game = match.game
    # As a list of moves tells it: on a button it may be a name alone.
    told = game.log_line(state, move, (), language(), names)
    return within(told or game.say(game.view(state, seat), move, language(), names))
