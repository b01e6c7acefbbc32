"""What an event is in words: what a choice would bring about, and what a move did, by the class of the event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording.naming import colour_name, point_name, word
from shibumi3d.rules.marbles.wording.texts import listed, signed, text

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.foresight import Foresight
    from shibumi3d.rules.marbles.state import State

NAMED = 3
"""So many marbles are named; more are counted."""


@dataclass(frozen=True)
class Telling:
    """What a consequence is told by: the choice, what comes of it, and for whom."""

    view: State
    move: Move
    seen: Foresight
    lang: str
    names: Sequence[str]

    def text(self, key: str, n: int | None = None, **gaps: object) -> str:
        """Return a template filled in the language of the reader."""
        return text(self.lang, key, n, **gaps)

    def counted(self, spots: list[tuple[int, int]], key: str, colour: str = "") -> str:
        """Return points by name or, when there are many, by number."""
        if len(spots) > NAMED:
            return self.text(f"{key} many", len(spots), colour=colour)
        where = listed([point_name(self.view, *spot, self.lang, self.names) for spot in spots], self.lang)
        return self.text(key, len(spots), points=where, colour=colour)

    def by_colour(self, events: Sequence[Any], field: str, key: str) -> list[str]:
        """Return the points of events, put together by a colour of theirs."""
        return [
            self.counted(
                [(event.board, event.point) for event in events if getattr(event, field) == colour],
                key,
                colour_name(colour, self.lang),
            )
            for colour in sorted({getattr(event, field) for event in events})
        ]


def takes(move: Move, seen: Foresight) -> bool:
    """Return whether a set of marbles is picked to be taken at once."""
    gone = sum({1 << event.point for event in seen.events if isinstance(event, ev.Removed)})
    return move.kind == "points" and bool(gone) and move.value & gone == move.value


def consequences(view: State, move: Move, seen: Foresight, lang: str, names: Sequence[str]) -> list[str]:
    """Return what else happens on the boards, in the stocks and to the scores."""
    telling = Telling(view, move, seen, lang, names)
    parts: list[str] = []
    for kinds, tell in CONSEQUENCES.items():
        found = [event for event in seen.events if isinstance(event, kinds)]
        if found:
            parts += tell(telling, found)
    return parts + _gains(view, seen, lang, names)


def _captured(telling: Telling, events: Sequence[Any]) -> list[str]:
    return [
        telling.text(
            "captured",
            point=point_name(telling.view, event.board, event.point, telling.lang, telling.names),
            colour=colour_name(event.colour, telling.lang),
        )
        for event in events
    ]


def _removed(telling: Telling, events: Sequence[Any]) -> list[str]:
    """Marbles that leave, besides those that are chosen."""
    move = telling.move
    chosen = 1 if move.kind == "take" else move.value.bit_count() if takes(move, telling.seen) else 0
    gone = [(event.board, event.point) for event in events][chosen:]
    return [telling.counted(gone, "taken")] if gone else []


def _pushed(telling: Telling, events: Sequence[Any]) -> list[str]:
    return [telling.text("pushed", len(events))]


def _dropped(telling: Telling, events: Sequence[Any]) -> list[str]:
    if len(events) > 1:
        return [telling.text("drop", len(events))]
    points = telling.view.pyramid.names
    return [telling.text("drops", origin=points[events[0].origin], point=points[events[0].point])]


def _placed(telling: Telling, events: Sequence[Any]) -> list[str]:
    """Marbles that come, besides the one that is chosen."""
    move = telling.move
    added = events[move.kind == "place" :]
    if move.kind == "points" and {event.point for event in added} == set(bits(move.value)):
        return []
    return telling.by_colour(added, "colour", "added")


def _recoloured(telling: Telling, events: Sequence[Any]) -> list[str]:
    return telling.by_colour(events, "after", "turn")


def _handed(telling: Telling, events: Sequence[Any]) -> list[str]:
    """Marbles that go from stock to stock, besides the one that is chosen."""
    given = events[1 if telling.move.kind == "give" else 0 :]
    parts = []
    for (colour, receiver, stock, seat), n in Counter(
        (e.colour, e.receiver, e.stock, e.seat) for e in given
    ).items():
        if stock == "box":
            continue
        of = colour_name(colour, telling.lang)
        if receiver not in (-1, seat):
            parts.append(telling.text("handed", n, colour=of, seat=telling.names[receiver]))
        else:
            parts.append(telling.text("put away", n, colour=of, stock=word(stock, telling.lang)))
    return parts


CONSEQUENCES: dict[type | tuple[type, ...], Callable[[Telling, Sequence[Any]], list[str]]] = {
    ev.Captured: _captured,
    ev.Removed: _removed,
    ev.Pushed: _pushed,
    (ev.Dropped, ev.SideDropped): _dropped,
    ev.Placed: _placed,
    ev.Recoloured: _recoloured,
    ev.Given: _handed,
}
"""By class what the events of a choice bring about, in the order in which it is told."""

HAPPENED: dict[type, str] = {
    ev.Placed: "was placed",
    ev.Lifted: "was lifted",
    ev.Removed: "was taken",
    ev.Captured: "was taken",
    ev.Entered: "enter",
    ev.Moved: "was moved",
    ev.Given: "was given",
    ev.Passed: "passed",
    ev.Chose: "chose",
}
"""By class the template that tells a move by its first event."""


def happened(view: State, seat: int, event: ev.Event, lang: str, names: Sequence[str]) -> str:
    """Return what an event was, for the seat that brought it about; "" where nothing is said of it."""
    key = HAPPENED.get(type(event))
    colour = getattr(event, "colour", 0)
    if key is None or colour < 0:
        return ""
    points = view.pyramid.names
    point, origin, board = (getattr(event, field, 0) for field in ("point", "origin", "board"))
    # The seat's own board goes without saying, as the seat is named.
    own = view.board_a_seat and view.player(board) == seat
    return text(
        lang,
        key,
        point=points[point] if own else point_name(view, board, point, lang, names),
        origin=points[origin],
        colour=colour_name(colour, lang),
        side=text(lang, SIDES[getattr(event, "side", 0)]),
        choice=word(getattr(event, "text", ""), lang),
    )


def _gains(view: State, seen: Foresight, lang: str, names: Sequence[str]) -> list[str]:
    """How the scores change, that of the seat that chooses first."""
    me = view.to_move
    order = sorted(range(len(seen.gains)), key=lambda seat: (seat != me, seat))
    gains = [
        signed(seen.gains[seat]) if seat == me else f"{names[seat]} {signed(seen.gains[seat])}"
        for seat in order
        if seen.gains[seat]
    ]
    return [text(lang, "score", gains=", ".join(gains))] if gains else []
