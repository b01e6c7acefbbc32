"""Classification of the first turns of a game: equivalent turns form a class."""

from __future__ import annotations

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.game import Game, State
from shibumi3d.search.heuristics import make_search

MAX_FIRST_TURNS = 2_000
"""Maximum number of first turns of a game that has opening statistics."""
MAX_CLASSES = 40
"""Maximum number of groups of equivalent first turns of a game that has opening statistics."""
Turn = tuple[str, ...]


def first_turn_classes(game: Game, seats: int) -> tuple[tuple[Turn, ...], ...]:
    """Return the first turns, grouped into classes of turns that are equivalent or nearly so.

    After equivalent turns, the rest of the match is the same, apart from symmetry. In each class, turns with fewer
    moves come first, and the classes are in the order of their first turns. Raises InvalidValueError with the reason if
    the game can't have opening statistics.
    """
    facts = game.facts(seats)
    if seats < 2:
        raise InvalidValueError("a solo game has no openings")
    if facts.has_secrets or facts.has_chance or facts.has_simultaneous_moves:
        raise InvalidValueError("the first turn depends on chance or on something hidden")
    start = game.start(seats, 0)
    classes: list[tuple[State, list[Turn]]] = []
    for turn, state in _first_turns(game, start):
        view = game.observe(state, start.to_move)
        for known, turns in classes:
            if _is_equivalent(game, known, view):
                turns.append(turn)
                break
        else:
            if len(classes) == MAX_CLASSES:
                raise InvalidValueError(
                    "there are more than {most} first turns, even if equivalent ones are counted as one",
                    most=MAX_CLASSES,
                )
            classes.append((view, [turn]))
    return tuple(tuple(turns) for _, turns in classes)


def _is_equivalent(game: Game, one: State, other: State) -> bool:
    if one.repetition_key == other.repetition_key and one.result == other.result:
        return True
    if one.to_move is None or other.to_move is None:
        return False
    search = make_search(game, one, one.to_move)
    return search.is_equivalent(other) or search.is_similar(other)


def _first_turns(game: Game, start: State) -> list[tuple[Turn, State]]:
    """Return all first turns, each with the state after it, even if several lead to the same state.

    Raises InvalidValueError if more than :data:`MAX_FIRST_TURNS` turns, including incomplete ones, have been found
    while some are still incomplete.
    """
    found: list[tuple[Turn, State]] = []
    open_turns: list[tuple[Turn, State]] = [((), start)]
    while open_turns:
        if len(found) + len(open_turns) > MAX_FIRST_TURNS:
            raise InvalidValueError("there are more than {most} first turns", most=MAX_FIRST_TURNS)
        turn, state = open_turns.pop(0)
        for move in game.moves(state):
            after, _ = game.apply(state, move)
            longer = (*turn, move.text)
            is_complete = after.to_move is None or (after.mover, after.turn) != (start.mover, start.turn)
            (found if is_complete else open_turns).append((longer, after))
    return found
