"""Descriptions of completed turns: first the seat's own actions, then their effects.

All descriptions of turns in marble games are created by :func:`describe_turn_parts`. They appear in the status line,
move list, captions, terminal and review.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d.i18n import translate
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording.messages import MESSAGES, format_list, format_signed
from shibumi3d.rules.marbles.wording.names import colour_name, display_name, point_name

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State


MAX_OWN_POINTS = 6
"""Maximum number of points named for the seat's own actions.

If there are more, only actions at a single point name that point.
"""
MAX_NAMED_POINTS = 3
"""Maximum number of points named for each effect in a detailed description.

If there are more, they are only counted.
"""


class DescriptionPart(NamedTuple):
    """A part of the description of a turn.

    If ``colour`` isn't -1, ``text_beside_marble`` can be shown instead of ``text`` where this colour is known anyway,
    for example beside a drawn marble; it doesn't name the colour. Otherwise, ``text_beside_marble`` is empty.
    ``starts_with_verb`` is set if the text begins with a verb whose subject is the seat, as in "takes Ac1".
    """

    text: str
    text_beside_marble: str = ""
    colour: int = -1
    starts_with_verb: bool = False


def describe_turn_parts(
    view: State,
    seat: int,
    events: Sequence[ev.Event],
    lang: str,
    names: Sequence[str],
    *,
    detailed: bool = False,
) -> list[DescriptionPart]:
    """Describe what ``seat`` did and caused, in parts such as "white on Aa3" and "captures 2 marbles".

    If the next game of a series begins, the last part says so. Unless ``detailed`` is set, marbles affected by the
    seat's actions are only counted, and draws are left out. A detailed description also says what was drawn and, if
    exactly one marble dropped, from where to where. It names the points of captured, removed or recoloured marbles if
    an effect concerns at most three points and none of them twice; otherwise, it counts these marbles. Pushed marbles
    are always counted.
    """
    start = next((n for n, event in enumerate(events) if isinstance(event, ev.GameStarted)), len(events))
    describer = TurnDescriber(view, seat, lang, names, detailed, is_next_game=start < len(events))
    own, other = _split_actions(view, events[:start])
    parts = [*describer.action_parts(own), *describer.effect_parts(other)]
    for event in events[start : start + 1]:
        parts.append(
            DescriptionPart(translate(lang, "game {number} begins", number=getattr(event, "number", 0)))
        )
    return [part for part in parts if part.text]


@dataclass(frozen=True)
class TurnDescriber:
    """Describer of a seat's actions and their effects, in one language.

    If ``is_detailed`` is set, marbles drawn at random from a stock are mentioned. For each effect of the actions, the
    points of captured, removed or recoloured marbles are then named if there are at most :data:`MAX_NAMED_POINTS` of
    them and none occurs twice. If exactly one marble drops, its old and new points are named, too. ``is_next_game`` is
    set if ``view`` already belongs to the next game of a series.
    """

    view: State
    seat: int
    lang: str
    names: Sequence[str]
    is_detailed: bool = False
    is_next_game: bool = False

    def action_parts(self, events: Sequence[ev.Event]) -> Iterator[DescriptionPart]:
        """Yield the parts for the seat's actions in order, combining some actions of the same kind.

        Placements of one colour are combined, as are recolourings to one colour, all removals and all choices; the
        combined part takes the place of the first of these actions. If all actions together involve more than
        :data:`MAX_OWN_POINTS` points, a part that combines several placements, recolourings or removals doesn't name
        their points. A lift is left out if the same marble is then moved. The choice of a number is left out if several
        marbles are placed, because the number only selects the shape to be placed.
        """
        few = sum(hasattr(event, "point") for event in events) <= MAX_OWN_POINTS
        events_by_action: dict[object, list[object]] = {}
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
            events_by_action.setdefault(key, []).append(event)
        for action_events in events_by_action.values():
            yield self._action_part(action_events[0], action_events, MAX_OWN_POINTS if few else 1)

    def _action_part(self, action: object, events: Sequence[Any], max_points: int) -> DescriptionPart:
        """Return the part for ``events``, which are combined into one action.

        ``action`` is the first of them. Points of placed, removed or recoloured marbles are named only if there are at
        most ``max_points`` of them. The text of the part is empty for kinds of events that aren't described.
        """
        match action:
            case ev.Placed(colour=colour):
                point_names = self._point_names(events, max_points)
                if not point_names:
                    return DescriptionPart(self.format_marbles(len(events), colour))
                return DescriptionPart(
                    self._message("was placed", colour=self._colour_name(colour), points=point_names),
                    point_names,
                    colour,
                )
            case ev.Removed():
                return self._marbles_part("takes", events, max_points)
            case ev.Recoloured(after=colour):
                return self._marbles_part("turn", events, max_points, colour)
            case ev.Lifted():
                return DescriptionPart(
                    self._message("was lifted", point=self._point_name(action.board, action.point)),
                    starts_with_verb=True,
                )
            case ev.Moved():
                origin = self.view.pyramid.point_names[action.origin]
                return DescriptionPart(
                    self._message(
                        "was moved", origin=origin, point=self._point_name(action.board, action.point)
                    )
                )
            case ev.Entered(colour=colour):
                point, side = self._point_name(action.board, action.point), self._message(SIDES[action.side])
                text = self._message("enter", colour=self._colour_name(colour), point=point, side=side)
                return DescriptionPart(text, self._message("enters", point=point, side=side), colour)
            case ev.Chose():
                choices = format_list([self._localize_choice(event.text) for event in events], self.lang)
                return DescriptionPart(self._message("chose", choice=choices), starts_with_verb=True)
            case ev.Passed():
                return DescriptionPart(self._message("passed"), starts_with_verb=True)
        return DescriptionPart("")

    def effect_parts(self, events: Sequence[ev.Event]) -> Iterator[DescriptionPart]:
        """Yield the parts for effects on the board, then for marbles drawn, marbles given and scores.

        The parts for drawn marbles are left out unless the description is detailed. The text of a part can be empty.
        """
        yield from self.board_effect_parts(events)
        yield from self.other_effect_parts(events)

    def board_effect_parts(self, events: Sequence[ev.Event]) -> Iterator[DescriptionPart]:
        """Yield the parts for captured, removed, pushed, dropped and recoloured marbles, in this order.

        A removed marble counts as captured if its colour is owned only by other seats. For recoloured marbles, there is
        one part for each new colour. For each other kind of effect, there is always exactly one part; its text is empty
        if nothing of its kind happened.
        """
        most = MAX_NAMED_POINTS if self.is_detailed else 0
        opponents_colours = self._opponents_colours()
        captured = [
            event
            for event in events
            if isinstance(event, ev.Captured)
            or (isinstance(event, ev.Removed) and event.colour in opponents_colours)
        ]
        removed = [
            event
            for event in events
            if isinstance(event, ev.Removed) and event.colour not in opponents_colours
        ]
        pushed = sum(isinstance(event, ev.Pushed) for event in events)
        turned = [event for event in events if isinstance(event, ev.Recoloured)]
        yield self._marbles_part("captures", captured, most)
        yield self._marbles_part("removes", removed, most)
        yield DescriptionPart(self._message("pushed", pushed) if pushed else "")
        yield self._drop_part([event for event in events if event.includes_fall])
        for colour in sorted({event.after for event in turned}):
            yield self._marbles_part(
                "turn", [event for event in turned if event.after == colour], most, colour
            )

    def other_effect_parts(self, events: Sequence[ev.Event]) -> Iterator[DescriptionPart]:
        """Yield the parts for marbles drawn, marbles given and changes of score, in this order.

        Marbles drawn are left out unless the description is detailed. There is always exactly one part for the scores;
        its text is empty if no score changed.
        """
        if self.is_detailed:
            yield from self._draw_parts([event for event in events if isinstance(event, ev.Drew)])
        yield from self._gift_parts([event for event in events if isinstance(event, ev.Given)])
        yield self._score_part([event for event in events if isinstance(event, ev.Scored)])

    def _opponents_colours(self) -> set[int]:
        """Return the colours that only other seats own.

        If the next game of a series has already begun, ownership in the game just finished counts, because the turn
        belongs to that game.
        """
        seats = self.view.seats
        owned = [self.view.owned_colours((seat + self.is_next_game) % seats) for seat in range(seats)]
        return {colour for colours in owned for colour in colours} - set(owned[self.seat])

    def _drop_part(self, events: Sequence[Any]) -> DescriptionPart:
        if self.is_detailed and len(events) == 1:
            names, event = self.view.pyramid.point_names, events[0]
            return DescriptionPart(
                self._message("drops", origin=names[event.origin], point=names[event.point])
            )
        return DescriptionPart(self._message("drop", len(events)) if events else "")

    def _draw_parts(self, events: Sequence[ev.Drew]) -> Iterator[DescriptionPart]:
        for seat in dict.fromkeys(event.seat for event in events):
            colours = [event.colour for event in events if event.seat == seat]
            marbles = self.format_marbles(len(colours), colours[0] if len({*colours}) == 1 else -1)
            key = "draws" if seat == self.seat else "draws for"
            yield DescriptionPart(
                self._message(key, what=marbles, seat=self.names[seat]), starts_with_verb=True
            )

    def _gift_parts(self, events: Sequence[ev.Given]) -> Iterator[DescriptionPart]:
        kinds = Counter((event.colour, event.receiver, event.stock, event.seat) for event in events)
        for (colour, receiver, stock, seat), n in kinds.items():
            marbles = self.format_marbles(n, colour)
            if receiver not in (-1, seat):
                yield DescriptionPart(self._message("gives", what=marbles, seat=self.names[receiver]))
            else:
                yield DescriptionPart(
                    self._message("puts", what=marbles, stock=display_name(stock, self.lang))
                )

    def _score_part(self, events: Sequence[ev.Scored]) -> DescriptionPart:
        gains: Counter[int] = Counter()
        for event in events:
            gains[event.seat] += event.points
        phrases = [
            format_signed(gains[seat])
            if seat == self.seat
            else f"{self.names[seat]} {format_signed(gains[seat])}"
            for seat in sorted(gains, key=lambda seat: (seat != self.seat, seat))
            if gains[seat]
        ]
        return DescriptionPart(self._message("score", gains=", ".join(phrases)) if phrases else "")

    def _marbles_part(
        self, key: str, events: Sequence[object], max_points: int, colour: int = -1
    ) -> DescriptionPart:
        """Return the part of the description that says what happened to the marbles in ``events``.

        ``key`` is the key of the message that names the points of the marbles; with " many" appended, it is the key of
        the message that counts them. ``colour`` is the new colour of recoloured marbles, or -1 for other events. The
        points are named if there are at most ``max_points`` and none occurs twice; otherwise, the marbles are counted.
        The text is empty if there are no events.
        """
        if not events:
            return DescriptionPart("")
        gaps = {"colour": self._colour_name(colour)} if colour >= 0 else {}
        point_names = self._point_names(events, max_points)
        if point_names:
            return DescriptionPart(
                self._message(key, len(events), points=point_names, **gaps), starts_with_verb=key != "turn"
            )
        return DescriptionPart(
            self._message(f"{key} many", len(events), **gaps), starts_with_verb=key != "turn"
        )

    # Names

    def _message(self, key: str, n: int | None = None, **values: object) -> str:
        return translate(self.lang, MESSAGES[key], n, **values)

    def _colour_name(self, colour: int) -> str:
        return colour_name(colour, self.lang)

    def format_marbles(self, n: int, colour: int) -> str:
        """Return a number of marbles as text, with their colour, such as "3 white".

        For a single marble, the text is only its colour, such as "white". The colour is omitted if ``colour`` is -1,
        which stands for several colours or a hidden one; the text is then, for example, "3 marbles" or "a marble".
        """
        if colour < 0:
            return self._message("marbles", n)
        return self._message(
            "coloured marbles" if n > 1 else COLOURS[colour], n, colour=self._colour_name(colour)
        )

    def _point_name(self, board: int, point: int) -> str:
        # The seat is named, so its own board need not be.
        if self.view.has_board_per_seat and self.view.player_at(board) == self.seat:
            return self.view.pyramid.point_names[point]
        return point_name(self.view, board, point, self.lang, self.names)

    def _point_names(self, events: Sequence[Any], max_points: int) -> str:
        """Return the names of the points at which events happened.

        Return "" if there are more than ``max_points`` points or if a point occurs twice.
        """
        spots = dict.fromkeys((event.board, event.point) for event in events)
        if len(spots) > max_points or len(spots) < len(events):
            return ""
        return format_list([self._point_name(*spot) for spot in spots], self.lang)

    def _localize_choice(self, text: str) -> str:
        """Return the text that is displayed for a recorded choice.

        Several points are shown as a list, and a seat is shown by its name.
        """
        if "+" in text:
            return format_list(text.split("+"), self.lang)
        seat = text.removeprefix("seat ")
        if seat != text and seat.isdecimal() and 0 < int(seat) <= len(self.names):
            return self.names[self.view.player_at(int(seat) - 1)]
        return display_name(text, self.lang)


def _split_actions(view: State, events: Sequence[ev.Event]) -> tuple[list[ev.Event], list[ev.Event]]:
    """Split the events of a turn into actions of the seat and their effects.

    All :data:`ACTION_EVENTS` are actions, but a choice of points is left out if a marble is then placed, removed or
    recoloured at one of them. Removing or recolouring a marble at one of the points of the last choice is an action,
    too.

    Any other removal is an action in two cases. In the first, the seat has removed a marble at a chosen point, and has
    not placed, entered, moved or lifted a marble since. In the second, the turn doesn't begin with a choice, and the
    seat has not yet placed, entered, moved or lifted a marble. If one recolouring is an action, all of them are.
    """
    own: list[ev.Event] = []
    other: list[ev.Event] = []
    points = view.pyramid.point_names
    picked: set[str] = set()
    takes = not isinstance(next(iter(events), None), ev.Chose)
    for event in events:
        named = isinstance(event, ev.Placed | ev.Removed | ev.Recoloured) and points[event.point] in picked
        if named:
            # The action at the chosen points names them, so the choice itself is redundant.
            own = [
                each
                for each in own
                if not (isinstance(each, ev.Chose) and _chosen_point_names(each) & picked)
            ]
        if isinstance(event, ACTION_EVENTS):
            picked = _chosen_point_names(event) if isinstance(event, ev.Chose) else picked
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


def _chosen_point_names(choice: ev.Chose) -> set[str]:
    """Return the names of the points in a choice, without their boards."""
    return {name.rpartition(".")[2] for name in choice.text.split("+")}


ACTION_EVENTS = (ev.Placed, ev.Entered, ev.Moved, ev.Lifted, ev.Chose, ev.Passed)
"""Events that represent actions of the seat itself."""
