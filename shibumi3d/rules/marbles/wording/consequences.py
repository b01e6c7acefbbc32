"""Descriptions of a move's effects, shown in its preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.i18n import translate
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.wording.naming import colour_name, point_name
from shibumi3d.rules.marbles.wording.texts import PHRASES, listed, signed
from shibumi3d.rules.marbles.wording.turns import Describer

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.foresight import Foresight
    from shibumi3d.rules.marbles.state import State

NAMED = 3
"""Maximum number of marbles that are named individually; if there are more, they are counted."""


def takes(move: Move, seen: Foresight) -> bool:
    """Return whether a move selects a set of marbles and removes all of them."""
    gone = sum({1 << event.point for event in seen.events if isinstance(event, ev.Removed)})
    return move.kind == "points" and bool(gone) and move.value & gone == move.value


def consequences(view: State, move: Move, seen: Foresight, lang: str, names: Sequence[str]) -> list[str]:
    """Return phrases for the side effects of a move on boards, stocks and scores.

    The marbles that the move itself takes, gives or places are not mentioned.
    """
    removed = [event for event in seen.events if isinstance(event, ev.Removed)]
    picked = removed[: 1 if move.kind == "take" else move.value.bit_count() if takes(move, seen) else 0]
    given = [event for event in seen.events if isinstance(event, ev.Given)]
    picked_up: list[ev.Event] = [*picked, *given[: move.kind == "give"]]
    # Gains come from the scores, because some scores are computed from the board without an event.
    other = [
        event
        for event in seen.events
        if not isinstance(event, ev.Scored | ev.Drew)
        and not (isinstance(event, ev.Given) and event.stock == "box")
        and not any(event is each for each in picked_up)
    ]
    seat = view.to_move if view.to_move is not None else view.mover
    describer = Describer(view, seat, lang, names, detailed=True)
    parts = [part.words for part in describer.on_boards(other)]
    parts += _added(view, move, seen.events, lang, names)
    parts += [part.words for part in describer.beside_boards(other)]
    return [*filter(None, parts), *_gains(view, seen, lang, names)]


def _added(view: State, move: Move, events: Sequence[Any], lang: str, names: Sequence[str]) -> list[str]:
    """Return phrases for marbles that are added apart from the one that the move places."""
    added = [event for event in events if isinstance(event, ev.Placed)][move.kind == "place" :]
    if move.kind == "points" and {event.point for event in added} == set(bits(move.value)):
        return []
    parts = []
    for colour in sorted({event.colour for event in added}):
        spots = [(event.board, event.point) for event in added if event.colour == colour]
        named = listed([point_name(view, *spot, lang, names) for spot in spots], lang)
        key = "added" if len(spots) <= NAMED else "added many"
        parts.append(
            translate(lang, PHRASES[key], len(spots), points=named, colour=colour_name(colour, lang))
        )
    return parts


def _gains(view: State, seen: Foresight, lang: str, names: Sequence[str]) -> list[str]:
    """Return a phrase for the changes in the scores, starting with the seat to move."""
    me = view.to_move
    order = sorted(range(len(seen.gains)), key=lambda seat: (seat != me, seat))
    gains = [
        signed(seen.gains[seat]) if seat == me else f"{names[seat]} {signed(seen.gains[seat])}"
        for seat in order
        if seen.gains[seat]
    ]
    return [translate(lang, "score {gains}", gains=", ".join(gains))] if gains else []
