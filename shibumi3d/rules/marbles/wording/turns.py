"""Descriptions of completed turns: first the seat's own actions, then their effects.

All descriptions of turns in marble games are created by :func:`turn_parts`. They appear in the status line, move list,
captions, terminal and review.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d.i18n import translate
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording.naming import colour_name, point_name, word
from shibumi3d.rules.marbles.wording.texts import PHRASES, listed, signed

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State

MAX_OWN_POINTS = 6
"""Maximum number of points named for the seat's own actions; more than that are only counted."""
MAX_NAMED_POINTS = 3
"""Maximum number of points named for each effect in a detailed description.

More than that are only counted.
"""


class Part(NamedTuple):
    """A part of a description.

    If a marble of ``colour`` is drawn in front of the text, ``beside`` is shown instead of ``words``. ``verb`` is set
    if the words begin with a verb whose subject is the seat, as in "takes Ac1".
    """

    words: str
    beside: str = ""
    colour: int = -1
    verb: bool = False


def turn_parts(
    view: State,
    seat: int,
    events: Sequence[ev.Event],
    lang: str,
    names: Sequence[str],
    *,
    detailed: bool = False,
) -> list[Part]:
    """Return a description of what ``seat`` did, in parts such as "white on Aa3" and "captures 2".

    If ``detailed`` is set, the description also says what was drawn, and names up to three points for each effect that
    would otherwise only be counted.
    """
    start = next((n for n, event in enumerate(events) if isinstance(event, ev.GameStarted)), len(events))
    describer = Describer(view, seat, lang, names, detailed, next_game=start < len(events))
    own, other = _split(view, events[:start])
    parts = [*describer.own(own), *describer.effects(other)]
    for event in events[start : start + 1]:
        parts.append(Part(translate(lang, "game {number} begins", number=getattr(event, "number", 0))))
    return [part for part in parts if part.words]


@dataclass(frozen=True)
class Describer:
    """Writer of descriptions of what ``seat`` did, in one language.

    If ``detailed`` is set, the points of an effect are named if there are only a few. ``next_game`` is set if ``view``
    already belongs to the next game of a series.
    """

    view: State
    seat: int
    lang: str
    names: Sequence[str]
    detailed: bool = False
    next_game: bool = False

    def own(self, events: Sequence[ev.Event]) -> Iterator[Part]:
        """Yield the parts for the seat's actions in order, combining actions of the same kind.

        Points are named if all actions together involve at most :data:`MAX_OWN_POINTS`.
        """
        few = sum(hasattr(event, "point") for event in events) <= MAX_OWN_POINTS
        deeds: dict[object, list[Any]] = {}
        lands = {event.origin for event in events if isinstance(event, ev.Moved)}
        shape = sum(isinstance(event, ev.Placed) for event in events) > 1
        for number, event in enumerate(events):
            if isinstance(event, ev.Lifted) and event.point in lands:
                continue
            if isinstance(event, ev.Chose) and shape and event.text.isdecimal():
                continue  # it only selects the shape that is placed next
            key: object = number
            if isinstance(event, ev.Placed | ev.Recoloured):
                key = type(event), event.colour if isinstance(event, ev.Placed) else event.after
            elif isinstance(event, ev.Removed | ev.Chose):
                key = type(event)
            deeds.setdefault(key, []).append(event)
        for deed in deeds.values():
            yield self._own_part(deed[0], deed, MAX_OWN_POINTS if few else 1)

    def _own_part(self, deed: Any, events: Sequence[Any], most: int) -> Part:
        """Return the part for an action.

        ``events`` contains all events that the action combines. Up to ``most`` points are named.
        """
        match deed:
            case ev.Placed(colour=colour):
                where = self._points(events, most)
                if not where:
                    return Part(self.marbles(len(events), colour))
                return Part(
                    self._text("was placed", colour=self._colour(colour), points=where), where, colour
                )
            case ev.Removed():
                return self._several("takes", events, most)
            case ev.Recoloured(after=colour):
                return self._several("turn", events, most, colour)
            case ev.Lifted():
                return Part(self._text("was lifted", point=self._point(deed.board, deed.point)), verb=True)
            case ev.Moved():
                origin = self.view.pyramid.names[deed.origin]
                return Part(self._text("was moved", origin=origin, point=self._point(deed.board, deed.point)))
            case ev.Entered(colour=colour):
                point, side = self._point(deed.board, deed.point), self._text(SIDES[deed.side])
                whole = self._text("enter", colour=self._colour(colour), point=point, side=side)
                return Part(whole, self._text("enters", point=point, side=side), colour)
            case ev.Chose():
                choices = listed([self._choice(event.text) for event in events], self.lang)
                return Part(self._text("chose", choice=choices), verb=True)
            case ev.Passed():
                return Part(self._text("passed"), verb=True)
        return Part("")

    def effects(self, events: Sequence[ev.Event]) -> Iterator[Part]:
        """Yield the parts for everything that happened apart from the seat's own actions."""
        yield from self.on_boards(events)
        yield from self.beside_boards(events)

    def on_boards(self, events: Sequence[ev.Event]) -> Iterator[Part]:
        """Yield the parts for marbles captured, removed, pushed, dropped or recoloured."""
        most = MAX_NAMED_POINTS if self.detailed else 0
        theirs = self._theirs()
        captured = [
            event
            for event in events
            if isinstance(event, ev.Captured) or (isinstance(event, ev.Removed) and event.colour in theirs)
        ]
        removed = [event for event in events if isinstance(event, ev.Removed) and event.colour not in theirs]
        pushed = sum(isinstance(event, ev.Pushed) for event in events)
        turned = [event for event in events if isinstance(event, ev.Recoloured)]
        yield self._several("captures", captured, most)
        yield self._several("removes", removed, most)
        yield Part(self._text("pushed", pushed) if pushed else "")
        yield self._fell([event for event in events if event.falls])
        for colour in sorted({event.after for event in turned}):
            yield self._several("turn", [event for event in turned if event.after == colour], most, colour)

    def beside_boards(self, events: Sequence[ev.Event]) -> Iterator[Part]:
        """Yield the parts for what was drawn, given and scored."""
        if self.detailed:
            yield from self._drawn([event for event in events if isinstance(event, ev.Drew)])
        yield from self._given([event for event in events if isinstance(event, ev.Given)])
        yield self._scored([event for event in events if isinstance(event, ev.Scored)])

    def _theirs(self) -> set[int]:
        """Return the colours owned only by other seats."""
        seats = self.view.seats
        owned = [self.view.owned((seat + self.next_game) % seats) for seat in range(seats)]
        return {colour for colours in owned for colour in colours} - set(owned[self.seat])

    def _fell(self, events: Sequence[Any]) -> Part:
        if self.detailed and len(events) == 1:
            names, event = self.view.pyramid.names, events[0]
            return Part(self._text("drops", origin=names[event.origin], point=names[event.point]))
        return Part(self._text("drop", len(events)) if events else "")

    def _drawn(self, events: Sequence[ev.Drew]) -> Iterator[Part]:
        for seat in dict.fromkeys(event.seat for event in events):
            colours = [event.colour for event in events if event.seat == seat]
            what = self.marbles(len(colours), colours[0] if len({*colours}) == 1 else -1)
            key = "draws" if seat == self.seat else "draws for"
            yield Part(self._text(key, what=what, seat=self.names[seat]), verb=True)

    def _given(self, events: Sequence[ev.Given]) -> Iterator[Part]:
        kinds = Counter((event.colour, event.receiver, event.stock, event.seat) for event in events)
        for (colour, receiver, stock, seat), n in kinds.items():
            what = self.marbles(n, colour)
            if receiver not in (-1, seat):
                yield Part(self._text("gives", what=what, seat=self.names[receiver]))
            else:
                yield Part(self._text("puts", what=what, stock=word(stock, self.lang)))

    def _scored(self, events: Sequence[ev.Scored]) -> Part:
        gains: Counter[int] = Counter()
        for event in events:
            gains[event.seat] += event.points
        told = [
            signed(gains[seat]) if seat == self.seat else f"{self.names[seat]} {signed(gains[seat])}"
            for seat in sorted(gains, key=lambda seat: (seat != self.seat, seat))
            if gains[seat]
        ]
        return Part(self._text("score", gains=", ".join(told)) if told else "")

    def _several(self, key: str, events: Sequence[Any], most: int, colour: int = -1) -> Part:
        """Return the part for something that happened to several marbles.

        Their points are named if there are at most ``most``; otherwise, the marbles are counted.
        """
        if not events:
            return Part("")
        gaps = {"colour": self._colour(colour)} if colour >= 0 else {}
        where = self._points(events, most)
        if where:
            return Part(self._text(key, len(events), points=where, **gaps), verb=key != "turn")
        return Part(self._text(f"{key} many", len(events), **gaps), verb=key != "turn")

    # Names

    def _text(self, key: str, n: int | None = None, **gaps: object) -> str:
        return translate(self.lang, PHRASES[key], n, **gaps)

    def _colour(self, colour: int) -> str:
        return colour_name(colour, self.lang)

    def marbles(self, n: int, colour: int) -> str:
        """Return a number of marbles as text, with their colour.

        The colour is omitted if ``colour`` is -1, which stands for several colours or a hidden one.
        """
        if colour < 0:
            return self._text("marbles", n)
        return self._text("coloured marbles" if n > 1 else COLOURS[colour], n, colour=self._colour(colour))

    def _point(self, board: int, point: int) -> str:
        # The seat is named, so its own board need not be.
        if self.view.board_a_seat and self.view.player(board) == self.seat:
            return self.view.pyramid.names[point]
        return point_name(self.view, board, point, self.lang, self.names)

    def _points(self, events: Sequence[Any], most: int) -> str:
        """Return the names of the points at which events happened.

        Return "" if there are more than ``most`` points or if a point occurs twice.
        """
        spots = dict.fromkeys((event.board, event.point) for event in events)
        if len(spots) > most or len(spots) < len(events):
            return ""
        return listed([self._point(*spot) for spot in spots], self.lang)

    def _choice(self, written: str) -> str:
        """Return a recorded choice for display: points as a list, a seat by its name."""
        if "+" in written:
            return listed(written.split("+"), self.lang)
        seat = written.removeprefix("seat ")
        if seat != written and seat.isdecimal() and 0 < int(seat) <= len(self.names):
            return self.names[self.view.player(int(seat) - 1)]
        return word(written, self.lang)


def _split(view: State, events: Sequence[ev.Event]) -> tuple[list[ev.Event], list[ev.Event]]:
    """Split the events of a turn into actions of the seat and their effects.

    A marble that leaves the board counts as taken by the seat if this happens before any marble is set down, or at a
    point that the seat had selected before.
    """
    own: list[ev.Event] = []
    other: list[ev.Event] = []
    points = view.pyramid.names
    picked: set[str] = set()
    takes = not isinstance(next(iter(events), None), ev.Chose)
    for event in events:
        named = isinstance(event, ev.Placed | ev.Removed | ev.Recoloured) and points[event.point] in picked
        if named:
            # The action at the chosen points names them, so the choice itself is redundant.
            own = [each for each in own if not (isinstance(each, ev.Chose) and _points(each) & picked)]
        if isinstance(event, OWN):
            picked = _points(event) if isinstance(event, ev.Chose) else picked
            takes = takes and isinstance(event, ev.Chose)
            own.append(event)
        elif named or (isinstance(event, ev.Removed) and takes):
            takes = takes or isinstance(event, ev.Removed)
            own.append(event)
        else:
            other.append(event)
    if any(isinstance(event, ev.Recoloured) for event in own):
        own += [event for event in other if isinstance(event, ev.Recoloured)]
        other = [event for event in other if not isinstance(event, ev.Recoloured)]
    return own, other


def _points(choice: ev.Chose) -> set[str]:
    """Return the names of the points in a choice, without their boards."""
    return {name.rpartition(".")[2] for name in choice.text.split("+")}


OWN = (ev.Placed, ev.Entered, ev.Moved, ev.Lifted, ev.Chose, ev.Passed)
"""Events that represent actions of the seat itself."""
