"""The places that a move in a solo game leaves for the marble that is drawn next."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from shibumi3d.i18n import P_, Message, Plural

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.basic import BasicGame
    from shibumi3d.rules.marbles.move import Move
    from shibumi3d.rules.marbles.state import State

MAX_SAMPLES = 200
"""Maximum number of random draws tried in order to see every colour that may be drawn."""
MAX_NOTABLE_PLACES = 4
"""Maximum number of places for which a reason is given; having more places than that is nothing special."""
SAFE_TEXT = Plural(
    P_("why.leaves-places", "leaves a place for the next marble, whatever its colour"),
    "leaves at least {n} places for the next marble, whatever its colour",
)


def reasons_by_next_draw(game: BasicGame, view: State, move: Move) -> tuple[Message, ...]:
    """Return a tuple with a message about how many places ``move`` leaves for the next marble, or ().

    If several colours may be drawn next, the one with the fewest places counts. The result is () unless the game is a
    solo game that is won or lost and involves chance during play. It is also () if some colour has no place, if there
    are more than :data:`MAX_NOTABLE_PLACES` places, or if their number can't be determined.
    """
    facts = game.facts(view.seats)
    if view.seats != 1 or facts.solver != "win" or not facts.has_chance_in_play:
        return ()
    places = _count_places_by_colour(game, view, move)
    least = min(places.values(), default=0)
    return (Message(SAFE_TEXT, n=least),) if 0 < least <= MAX_NOTABLE_PLACES else ()


def _count_places_by_colour(game: BasicGame, view: State, move: Move) -> dict[int, int]:
    """Count the places for the marble drawn after a move, for each colour that it could have.

    The game must be a solo game. Return {} if the move doesn't end the turn, if the player can choose between marbles
    of several colours, if some colour fits nowhere, or if some colour isn't drawn in :data:`MAX_SAMPLES` attempts.
    """
    possible: set[int] = set()
    places: dict[int, int] = {}
    for seed in range(MAX_SAMPLES):
        state = game.determinize(view, 0, Random(seed))
        for name in game.facts(1).dealable_names or ():
            for counts in state.stock_contents(name):
                possible |= {colour for colour, count in enumerate(counts) if count}
        after, _ = game.apply(state, move)
        if after.turn == view.turn:
            return {}
        placements = {
            (each.colour, each.board, each.point) for each in game.moves(after) if each.places_colour
        }
        colours = {colour for colour, _, _ in placements}
        if len(colours) != 1:
            return {}  # the marble fits nowhere, or marbles of several colours can be placed
        places[colours.pop()] = len(placements)
        if possible <= places.keys():
            return places
    return {}
