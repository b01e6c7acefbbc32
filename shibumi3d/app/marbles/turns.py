"""Descriptions of whole turns, for tables of any kind. All marbles of a turn are described together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.app.wording import BEYOND_TOLD, spoken, thought
from shibumi3d.i18n import _, language
from shibumi3d.match.outside_moves import OUTSIDE
from shibumi3d.rules.marbles.facts import MarbleFacts
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.wording import capital, within

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.game import State


def turn_spoken(
    match: Match, plies: Sequence[Ply], numbers: Sequence[int], events: Callable[[Ply], Sequence[Any]]
) -> str:
    """Return a description of the moves with indexes ``numbers``, which one seat made in one turn.

    ``events`` returns the events of a move, limited to what is known.
    """
    marbles = isinstance(match.game.facts(len(match.seats)), MarbleFacts)
    inside = [number for number in numbers if plies[number].move not in OUTSIDE]
    told = [
        _(BEYOND_TOLD[plies[number].move]) if number not in inside else spoken(match, plies, number, known)
        for number in numbers
        if number not in inside or not marbles
        for known in [events(plies[number])]
    ]
    if marbles and inside:
        seat = plies[inside[0]].seat
        known = [event for number in inside for event in events(plies[number])]
        did = sentences.did(plies[inside[-1]].state, seat, known, language(), match.names)
        told.insert(0, did or within(spoken(match, plies, inside[-1], ())))
    return ", ".join(told)


def turn_thought(match: Match, view: State, texts: Sequence[str]) -> str:
    """Return a description of what the moves ``texts`` would do, limited to what ``view`` shows."""
    game, names = match.game, match.names
    if isinstance(game.facts(len(match.seats)), MarbleFacts):
        parts = sentences.foreseen(game, view, texts, language(), names)
        if parts:
            return capital(", ".join(part.words for part in parts))
    told: list[str] = []
    for text in texts:
        move = next((move for move in game.moves(view) if move.text == text), None)
        told.append(text if move is None else thought(match, view, view.to_move, move, names))
        seen = game.foresee(view, move) if move is not None else None
        if seen is None or seen.after is None:
            break
        view = seen.after
    return capital(", ".join(told))
