"""Problems of winning at once, regardless of hidden information and chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game
from shibumi3d.search.problems.candidates import Candidate, Turn, turns_at
from shibumi3d.search.problems.finding import Finding
from shibumi3d.search.problems.proofs import enough_choices
from shibumi3d.search.problems.themes import themes

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def once_at(spot: Candidate) -> Finding | None:
    """Return the problem of winning at once in a position, or None.

    Exactly one turn must be certain to win, regardless of hidden information and chance.
    """
    game, seat = spot.game, spot.seat
    facts = game.facts(spot.state.seats)
    if facts.simultaneous or spot.state.step:
        return None
    if not (facts.secrets or facts.chance):
        ways = turns_at(game, spot.state)
        sure = [t for t, s in ways if s.result is not None and s.result.winners == (seat,)]
        all_ways = [t for t, _ in ways]
    else:
        all_ways, sure = _foreseen(game, game.view(spot.state, seat), seat)
    if not enough_choices(all_ways, spot.demands) or len(sure) != 1:
        return None
    spot_themes = themes(spot, "once", (sure[0],), 0, 0)
    return Finding("once", spot, 1, (sure[0],), (), (), 0, spot_themes, 900, len(all_ways))


def _foreseen(game: Game, view: State, seat: int) -> tuple[list[Turn], list[Turn]]:
    """Return the single-move turns possible at a view, and those among them that are certain to win.

    A turn is certain to win if it does so whatever the view hides.
    """
    ways: list[Turn] = []
    sure: list[Turn] = []
    for move in game.moves(view, seat):
        ways.append((move.text,))
        try:
            seen = game.foresee(view, move)
        except RuleFailure:
            continue
        end = None if seen is None or seen.after is None else seen.after.result
        if end is not None and end.winners == (seat,):
            sure.append((move.text,))
    return ways, sure
