"""Scene of an Arcanoid match: placement of cards, clickable spots, and animations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shibumi3d.rules.arcanoid import event as ev
from shibumi3d.rules.arcanoid.cards import (
    DEVIL,
    HANGED,
    JUDGEMENT,
    MINORS,
    NAMES,
    PRIESTESS,
    SUITS,
    TEMPERANCE,
    TOWER,
    WHEEL,
    cards_in,
)
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.sets import COUPLES, sort_of, value_of
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    DISCARD,
    FORCES,
    POOL,
    SLOTS,
    STOCK,
    TABLE,
    State,
    place,
)
from shibumi3d.rules.game import Game
from shibumi3d.scene import motion
from shibumi3d.scene.arcanoid import layout
from shibumi3d.scene.arcanoid.faces import (
    INK,
    INKS,
    Print,
    back,
    face,
    index_of,
    ink_of,
    number,
    sign,
    turning,
)
from shibumi3d.scene.frame import Card, Frame
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.object_animator import AnimatedScene
from shibumi3d.scene.palette import MARK_COLOURS, Theme
from shibumi3d.scene.sound_cues import SoundCue, take_due, truncate_cues
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view

FLY, DRAW, DEAL = 320, 220, 90
"""Times in milliseconds for playing, drawing and dealing a card."""
TURN = 240
"""Time in milliseconds for turning a card face up."""
DEALT = 1500
"""Maximum time in milliseconds for dealing all hands."""
STEAL = (300, 420)
"""Times in milliseconds: the delay before stolen cards start to move, and their movement."""
RENEW = 600
"""Time in milliseconds for turning the discard pile into the new stock."""
STAGGER = 0.045
HEARD = 0.09
"""Minimum time in seconds between the sounds of two cards that move together."""
TURNED = (ev.Drawn, ev.Dealt, ev.Opened, ev.Called, ev.Hands)
"""Events that reveal cards that were face down."""
AT_PERSON = (PRIESTESS, HANGED)
RAISED = 0.28


class _Lying(NamedTuple):
    """Placement of a card: its position, its width, and the participant whose row contains it, or -1."""

    at: Vector
    width: float
    who: int = -1


def place_of(who: int) -> int:
    """Return the index of the place that contains a participant's open cards."""
    return place(who, SLOTS)


def ends(state: State, events: Sequence[ev.CardEvent]) -> tuple[dict[int, Vector], dict[int, Vector]]:
    """Return where appearing cards come from and where disappearing cards go, both by card."""
    rows = layout.rows(state)
    comes: dict[int, Vector] = {}
    goes: dict[int, Vector] = {}
    for event in events:
        hand = layout.side_hand(rows[event.who]) if event.who in rows else layout.STOCK_AT
        for card in event.cards:
            comes[card] = layout.STOCK_AT if isinstance(event, ev.Drawn | ev.Dealt) else hand
            if isinstance(event, ev.Discarded | ev.Razed | ev.Withdrawn):
                goes[card] = layout.DISCARD_AT
    return comes, goes


class CardScene(AnimatedScene):
    """Scene of one Arcanoid match, seen from one seat."""

    hull = layout.HULL
    view_direction = ViewDirection(0.0, 64.0)

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.view: State | None = None
        self.sitting = 0
        super().__init__()
        self._cues: list[SoundCue] = []
        self._places: dict[int, _Lying] = {}
        """Where each visible card lies."""
        self._gone: dict[int, _Lying] = {}
        """Where cards go that are face up until they arrive and then disappear."""
        self._backs: dict[str, _Lying] = {}
        """Where cards go that are face down all the way, by the key of their motion."""

    # ------------------------------------------------------------ motion

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Show ``observation`` at once, without animation."""
        self.view, self.sitting = observation, perspective_seat
        self.animator.clear()
        self._cues = []
        self._gone, self._backs = {}, {}
        self._places = self._lying()

    def play(
        self, events: Iterable[ev.CardEvent], now: float, observation: State, perspective_seat: int
    ) -> None:
        """Animate ``events``: move cards from their old positions to those in ``observation``.

        The events determine where appearing cards come from and where disappearing cards go. Other cards that were not
        visible before come from the stock.
        """
        self._go(tuple(events), now, observation, perspective_seat, back=False)

    def rewind(
        self, events: Iterable[ev.CardEvent], now: float, observation: State, perspective_seat: int
    ) -> None:
        """Animate undoing ``events``: move cards straight back to their positions in ``observation``."""
        self.finish()
        self._go(tuple(events), now, observation, perspective_seat, back=True)

    def _go(
        self, events: Sequence[ev.CardEvent], now: float, view: State, sitting: int, *, back: bool
    ) -> None:
        before = self._places
        self.view, self.sitting = view, sitting
        self._places = self._lying()
        comes, goes = ends(view, events)
        turned: set[int] = set()
        if not back:
            turned.update(*(event.cards for event in events if isinstance(event, TURNED)))
        self._backs = {}
        if back:
            comes, goes = goes, comes
        self._gone = {
            card: lying._replace(at=goes[card], who=-1)
            for card, lying in before.items()
            if card in goes and card not in self._places
        }
        begin, heard = self.animator.next_start(now), -HEARD
        stolen: set[int] = set()
        if not back:
            stolen.update(*(event.cards for event in events if isinstance(event, ev.Stolen)))
        if stolen & before.keys():
            begin += STEAL[0] / 1000 * motion.SPEED_FACTORS[self.speed]
        for card, (there, _, _) in (self._gone | self._places).items():
            start = before[card].at if card in before else comes.get(card, layout.STOCK_AT)
            if start != there:
                slow = STEAL[1] if card in stolen else DRAW if card in turned else FLY
                hidden = card in turned and card not in before
                end = self.animator.add_move(card, start, there, begin, slow, 0.15, "back" if hidden else "")
                if hidden and not self.reduce_motion:
                    end = self.animator.add_move(card, there, there, end, TURN, tag="turn")
                # When many cards move at once, only some make a sound: one when it starts, one when it lands.
                if begin >= heard + HEARD:
                    heard = begin
                    self._cues += [
                        SoundCue(begin, "slide", 0, 0, 0.8, "card"),
                        SoundCue(end, "set", 0, 0, 0.9, "card"),
                    ]
                begin += STAGGER
        if not back:
            self._go_covered(view, events, now)
        if any(isinstance(event, ev.Renewed) for event in events):
            way = (layout.STOCK_AT, layout.DISCARD_AT) if back else (layout.DISCARD_AT, layout.STOCK_AT)
            self.animator.add_move("renewed", *way, self.animator.next_start(now), RENEW, arc_height=0.15)

    def _go_covered(self, state: State, events: Sequence[ev.CardEvent], now: float) -> None:
        """Animate face-down cards: from the stock to hands, and from hands to the discard pile."""
        rows, ways = layout.rows(state), list[tuple[Vector, Vector, int]]()
        for event in events:
            unknown = sum(card < 0 for card in event.cards)
            if not unknown or event.who not in rows:
                continue
            hand = layout.side_hand(rows[event.who])
            if isinstance(event, ev.Drawn):
                ways += [(layout.STOCK_AT, hand, DRAW)] * unknown
            elif isinstance(event, ev.Discarded):
                ways += [(hand, layout.DISCARD_AT, DRAW)] * unknown
        if any(isinstance(event, ev.Dealt) for event in events):
            for who, row in rows.items():
                if who != self._shown:
                    ways += [(layout.STOCK_AT, layout.side_hand(row), DEAL)] * state.held(who)
        pace = motion.SPEED_FACTORS[self.speed]
        stagger = min(STAGGER, (DEALT - DEAL) / 1000 / max(1, len(ways))) * pace
        begin = self.animator.next_start(now) if not any(way[2] == DEAL for way in ways) else now
        for nth, (start, there, slow) in enumerate(ways):
            key = f"back {nth}"
            self._backs[key] = _Lying(there, 0.5)
            self.animator.add_move(key, start, there, begin + stagger * nth, slow, arc_height=0.15)
            if nth % 3 == 0:
                self._cues.append(SoundCue(begin + stagger * nth, "slide", 0, 0, 0.6, "card"))

    def finish(self) -> None:
        """End all motion now, putting everything at its destination."""
        self.animator.clear()
        self._cues = truncate_cues(self._cues)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving."""
        return self.animator.is_animating(now)

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""
        return take_due(self._cues, now)

    # ------------------------------------------------------------ pending decision

    @property
    def _asked(self) -> tuple[str, int]:
        """Kind of decision that the viewing seat has to make, and the participant it decides for.

        If there is no decision to make, the kind is "" and the participant is the seat itself.
        """
        state = self.view
        if state is None or state.ask is None or self.sitting not in state.ask.seats:
            return "", self.sitting
        return state.ask.kind, state.ask.actor if state.ask.actor >= 0 else self.sitting

    @property
    def _shown(self) -> int:
        """Participant whose hand is displayed at the bottom.

        This is the viewing seat, or the demon for which the seat is making a decision.
        """
        return self._asked[1]

    @property
    def _calling(self) -> bool:
        return self._asked[0] == "call"

    # ------------------------------------------------------------ layout of cards

    def _lying(self) -> dict[int, _Lying]:
        """Return the placement of every card whose face is visible, in drawing order."""
        state = self.view
        assert state is not None
        found: dict[int, _Lying] = {}
        for who, row in layout.rows(state).items():
            for suit in range(4):
                if state.stand(who, suit).kind != FORCES:
                    continue
                cards = cards_in(state.forces(who, suit))
                for nth, card in enumerate(cards):
                    # The cards of a couple on two fields lie on the first; the second shows them dimmed.
                    if card not in found:
                        there = layout.in_field(row, suit, nth, len(cards))
                        found[card] = _Lying(there, row.holding(len(cards)).width, who)
            found.update(self._beside(state, who, row))
        for nth, card in enumerate(cards_in(state.at[POOL])):
            found[card] = _Lying((layout.POOL_AT + 1.02 * nth, layout.SHELF, layout.UP), layout.SHELF_WIDTH)
        stays = [card for card in cards_in(state.at[TABLE]) if card != TEMPERANCE]
        for nth, card in enumerate(stays):
            found[card] = _Lying((layout.STAYS_AT + 1.02 * nth, layout.SHELF, layout.UP), layout.SHELF_WIDTH)
        if state.temper[0] >= 0:
            x = layout.lane(state.temper[1]) + layout.LANE - 0.3
            found[TEMPERANCE] = _Lying((x, 3.66, layout.UP), 0.5)
        if not self._calling:
            who = self._shown
            many = state.held(who) + state.count[place_of(who)]
            for nth, card in enumerate(self._hand_cards(state)):
                found[card] = _Lying(layout.in_hand(nth, many), layout.HAND_WIDTH)
        return found

    def _hand_cards(self, state: State) -> list[int]:
        """Return the known cards of the hand at the bottom: first the hidden ones, then the open ones."""
        who = self._shown
        return [*cards_in(state.hand(who)), *cards_in(state.open_cards(who))]

    def _beside(self, state: State, who: int, row: layout.Strip) -> dict[int, _Lying]:
        """Return the cards to the right of a participant's fields.

        These are the Chariot and, unless the participant's hand is shown at the bottom, the open and otherwise known
        cards of the hand.
        """
        cards = cards_in(state.reserve(who))
        if who != self._shown or self._calling:
            cards += cards_in(state.open_cards(who)) + cards_in(state.hand(who))
        width = min(0.82, row.width)
        step = min(0.42, 1.2 / max(1, len(cards) - 1))
        y = row.y + row.pitch / 2 - 0.03 - width * 5 / 6
        return {
            card: _Lying((layout.SIDE + 0.88 + step * nth, y, layout.UP), width, who)
            for nth, card in enumerate(cards)
        }

    # ------------------------------------------------------------ clicks

    def spots(self) -> Mapping[str, Spot]:
        """Return everything that can be clicked, by key.

        Keys are card names, fields such as ``1S``, plaques such as ``P1``, sides, column heads and piles. During a
        call, there is also a spot for each card that can be named.
        """
        state = self.view
        if state is None:
            return {}
        found: dict[str, Spot] = {}
        if self._calling:
            for card in range(len(NAMES)):
                half = (0.34, 0.2) if card >= MINORS else (0.54, 0.2)
                found[f"call {NAMES[card]}"] = Spot(layout.called(card), half_size=half)
        for card, (there, width, _) in self._places.items():
            found[NAMES[card]] = Spot(there, half_size=(width / 2, width * 5 / 6))
        found.update(layout.fixed_spots(state))
        return found

    def clicks_for(self, move: Move) -> Clicks:
        """Return the clicks that make a move: on its cards in any order, then on the destination."""
        kind = move.kind
        cards = frozenset(NAMES[card] for card in cards_in(move.cards))
        who = self._asked[1]
        if kind == "discard":
            return Clicks(cards, "discard")
        if kind in ("engage", "reinforce", "abdicate"):
            return Clicks(cards, layout.cell_name(who, move.suits[0]))
        if kind == "load":
            return Clicks(cards, f"side {who + 1}")
        if kind == "unload":
            return Clicks(cards, "discard")
        if kind == "lift":
            return Clicks(frozenset(), f"head {SUITS[move.suits[0]]}")
        if kind == "call":
            return Clicks(frozenset(), f"call {NAMES[cards_in(move.cards)[0]]}")
        return self._play(move, cards) if kind == "play" else Clicks()

    def _play(self, move: Move, cards: frozenset[str]) -> Clicks:
        """Return the clicks that play a major.

        The first click is on the card, the second on its target: a participant, a field or a column. If it has no
        target, the second click is on the shelf.
        """
        card = cards_in(move.cards)[0]
        if card in AT_PERSON:
            return Clicks(cards, f"P{move.who + 1}")
        if card in (TOWER, JUDGEMENT):
            return Clicks(cards, layout.cell_name(move.who, move.suits[0]))
        if card == TEMPERANCE:
            return Clicks(cards, f"head {SUITS[move.suits[0]]}")
        return Clicks(cards, "shelf")

    # ------------------------------------------------------------ drawing

    def frame(self, now: float, theme: Theme, highlights: TableHighlights = NO_HIGHLIGHTS) -> Frame:
        """Return the frame to draw at time ``now``."""
        state = self.view
        if state is None:
            return Frame(theme, ())
        cards = [Card(*layout.mat(state), fill=theme.interface_colours["line"], corner_rounding=0.02)]
        cards += [*self._shelf(state, theme, highlights), *self._piles(state, theme)]
        moving: list[Card] = []
        for who, row in layout.rows(state).items():
            cards += self._mats(state, theme, highlights, who)
            cards += self._plaque(state, theme, who, row)
            cards += self._fields(state, theme, who, row)
            cards += self._seen_cards(now, theme, highlights, who, moving)
            cards += self._strengths(now, state, theme, who, row)
        cards += self._covered_hand(state)
        cards += self._seen_cards(now, theme, highlights, -1, moving)
        cards += moving
        cards += self._leaving(now, theme)
        if self._calling:
            cards += self._calls(theme, highlights)
        return Frame(theme, (), cards=tuple(cards))

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights = NO_HIGHLIGHTS) -> Frame:
        """Return the frame at time ``now`` as a flat plan, seen from straight above."""
        return make_top_view(self.frame(now, theme, highlights))

    def _mats(self, state: State, theme: Theme, pointed: TableHighlights, who: int) -> Iterator[Card]:
        """Yield the mats of a row.

        Clickable mats are highlighted, and winners' plaques are golden.
        """
        colours = theme.interface_colours
        won = state.result is not None and who in state.result.winners
        for key, spot in layout.row_spots(state, who).items():
            lit = key in pointed.clickable or key in pointed.hint
            under = key == pointed.focused
            paper = colours["recessed"] if key[0].isdecimal() else ""
            if key[0] == "P" and who == state.acting and state.result is None:
                paper = colours["card"]
            if not paper and not (lit or under or (won and key[0] == "P")):
                continue
            edge = MARK_COLOURS["last"] if under else colours["action"] if lit else colours["line"]
            if won and key[0] == "P":
                paper, edge = MARK_COLOURS["win"], MARK_COLOURS["edge"]
            half = (spot.half_size[0] - 0.03, spot.half_size[1] - 0.03)
            yield Card((*spot.position[:2], layout.UP), half, fill=paper, outline=edge, corner_rounding=0.1)

    def _shelf(self, state: State, theme: Theme, pointed: TableHighlights) -> Iterator[Card]:
        """Yield the column heads, and the shelf if it is highlighted."""
        colours = theme.interface_colours
        for key, spot in layout.top_spots().items():
            lit = key in pointed.clickable or key in pointed.hint
            if key[0] == "h" or key == "shelf":
                x, y, z = spot.position
                if lit or key == pointed.focused:
                    edge = MARK_COLOURS["last"] if key == pointed.focused else colours["action"]
                    yield Card(
                        (x, y, z), spot.half_size, fill=colours["recessed"], outline=edge, corner_rounding=0.1
                    )
                if key[0] == "h":
                    ink = INKS[SUITS.index(key[-1])] if theme.tone == "day" else colours["ink"]
                    yield sign(
                        f"suit {SUITS.index(key[-1])}", (x - layout.LANE / 2 + 0.3, y, layout.UP), 0.2, ink
                    )

    def _piles(self, state: State, theme: Theme) -> Iterator[Card]:
        """Yield the stock and the discard pile, each with its number of cards."""
        ink = theme.interface_colours["ink"]
        for here, (x, y, z) in ((STOCK, layout.STOCK_AT), (DISCARD, layout.DISCARD_AT)):
            count = state.count[here]
            if count:
                yield from back((x, y, z), layout.SHELF_WIDTH)
            else:
                yield sign("cross" if here == STOCK and state.dead else "ring", (x, y, z), 0.22, ink, 0.6)
            size = (layout.SHELF_WIDTH * 0.32, layout.SHELF_WIDTH * 0.26)
            yield Card((x, y - 0.42, z), size, fill=theme.interface_colours["card"], corner_rounding=0.4)
            yield from number(count, (x, y - 0.42, z), 0.16, ink)

    def _fields(self, state: State, theme: Theme, who: int, row: layout.Strip) -> Iterator[Card]:
        """Yield everything in a row except face-up cards.

        This includes face-down cards, abdicated fields, the second field of a couple, and the size of the hand.
        """
        for suit in range(4):
            stand = state.stand(who, suit)
            if stand.kind == ABDICATED:
                size = min(0.24 * row.grown, row.pitch * 0.3)
                yield sign(
                    "cross",
                    (layout.lane(suit) + layout.LANE / 2, row.y, layout.UP),
                    size,
                    theme.interface_colours["secondary_ink"],
                    0.6,
                )
            elif stand.kind == FORCES:
                here = state.field_place(who, suit)
                hidden = state.count[here] - state.at[here].bit_count()
                for nth in range(hidden):
                    width = row.holding(hidden).width
                    yield from back(layout.in_field(row, suit, nth, hidden), width, high=row.room)
                if stand.link >= 0:
                    for nth, card in enumerate(cards_in(state.at[here])):
                        yield from face(
                            card,
                            layout.in_field(row, suit, nth, 2),
                            row.width,
                            Print(theme.tone, self.language),
                            alpha=0.7,
                        )
        if not state.is_out(who):
            there = layout.side_hand(row)
            width = min(0.42, row.pitch * 0.5)
            yield from back(there, width)
            yield Card(
                there, (width * 0.5, width * 0.5), fill=theme.interface_colours["card"], corner_rounding=1.0
            )
            yield from number(state.held(who), there, width * 0.36, theme.interface_colours["ink"])

    def _covered_hand(self, state: State) -> Iterator[Card]:
        """Yield the backs of the cards at the bottom that the viewer has not yet seen."""
        who = self._shown
        if not self._calling and not state.is_out(who):
            many = state.held(who) + state.count[place_of(who)]
            for nth in range(len(self._hand_cards(state)), many):
                yield from back(layout.in_hand(nth, many), layout.HAND_WIDTH)

    def _seen_cards(
        self, now: float, theme: Theme, pointed: TableHighlights, who: int, moving: list[Card]
    ) -> Iterator[Card]:
        """Yield the face-up cards of a row; for row -1, yield those that are in no row.

        Cards in motion are added to ``moving`` instead, to be drawn above the others.
        """
        for card, (there, width, row) in self._places.items():
            if row != who or self.view is None:
                continue
            name = NAMES[card]
            x, y, z = self.animator.position_at(card, now, there)
            edge = MARK_COLOURS["last"] if name == pointed.focused or name in pointed.hint else ""
            if name in pointed.picks:
                y, edge = y + RAISED, theme.interface_colours["action"]
            high = layout.rows(self.view)[who].room if who >= 0 else layout.HIGH
            alpha = self.animator.opacity_at(card, now)
            style = Print(theme.tone, self.language)
            shown: Iterable[Card] = face(card, (x, y, z), width, style, edge, alpha, high)
            part, tag = self.animator.progress_at(card, now)
            if tag == "back":
                shown = back((x, y, z), width, alpha, high)
            elif tag == "turn":
                shown = turning((x, y, z), width, style, part, shown)
            elif name in pointed.new_spots and card in self._hand_cards(self.view):
                shown = [*shown, sign("tick", (x + width * 0.3, y + width * 0.68, z), 0.12, INK, alpha, 3.0)]
            if tag == "turn":
                moving += shown
            elif self.animator.position_at(card, now, there) == there:
                yield from shown
            else:
                moving += shown

    def _leaving(self, now: float, theme: Theme) -> Iterator[Card]:
        """Yield the cards that disappear or move face down.

        These include the discard pile while it becomes the new stock.
        """
        for key, (there, width, _) in self._backs.items():
            x, y, z = self.animator.position_at(key, now, there)
            if self.animator.progress_at(key, now)[0] < 1.0 and (x, y, z) != layout.STOCK_AT:
                yield from back((x, y, z), width, self.animator.opacity_at(key, now))
        for card, (there, width, _) in self._gone.items():
            if self.animator.progress_at(card, now)[0] < 1.0:
                place, alpha = (
                    self.animator.position_at(card, now, there),
                    self.animator.opacity_at(card, now),
                )
                yield from face(card, place, width, Print(theme.tone, self.language), alpha=alpha)
        if self.animator.progress_at("renewed", now)[0] < 1.0:
            place = self.animator.position_at("renewed", now, layout.STOCK_AT)
            yield from back(place, layout.SHELF_WIDTH, self.animator.opacity_at("renewed", now))

    def _strengths(
        self, now: float, state: State, theme: Theme, who: int, row: layout.Strip
    ) -> Iterator[Card]:
        """Yield the strength of the forces on each field of a row, once all their cards have arrived.

        If some of these cards are hidden, the number of cards is shown instead.
        """
        ink = theme.interface_colours["ink"]
        size = min(0.24 * min(row.grown, 1.3), row.pitch * 0.3)
        for suit in range(4):
            if state.stand(who, suit).kind != FORCES:
                continue
            x = layout.lane(suit) + layout.LANE - 0.42
            cards, here = state.forces(who, suit), state.field_place(who, suit)
            if any(self.animator.progress_at(card, now)[0] < 1.0 for card in cards_in(cards)):
                continue
            sort = sort_of(cards, suit, state.rules)
            there = (x, row.y, layout.UP)
            if state.count[here] > cards.bit_count():
                yield from number(state.count[here], there, size, theme.interface_colours["secondary_ink"])
            elif sort in COUPLES:
                yield sign({"royal": "court 3", "imperial": "major 4"}.get(sort, "major 6"), there, size, ink)
            elif sort == "world":
                yield sign("star", there, size, ink)
            else:
                value = value_of(cards, state.rules)
                # Make room for the ½ after the number.
                yield from number(value, (x - 2 * size * (value % 1), row.y, layout.UP), size, ink)

    def _calls(self, theme: Theme, pointed: TableHighlights) -> list[Card]:
        """Return a small plate for each card that can be called.

        There is one row for each suit, with the majors below the suits.
        """
        found = []
        for card in range(len(NAMES)):
            key = f"call {NAMES[card]}"
            if card >= MINORS and key not in pointed.clickable:
                continue
            x, y, z = layout.called(card)
            half = (0.34, 0.2) if card >= MINORS else (0.54, 0.2)
            edge = MARK_COLOURS["last"] if key == pointed.focused else theme.interface_colours["line"]
            found.append(
                Card((x, y, z), half, fill=theme.interface_colours["card"], outline=edge, corner_rounding=0.3)
            )
            if card >= MINORS:
                found.append(sign(index_of(card, self.language), (x - 0.14, y, z), 0.13, INK))
                found.append(sign(f"major {card - MINORS}", (x + 0.15, y, z), 0.15, INK))
            else:
                found.append(sign(index_of(card, self.language), (x - 0.2, y, z), 0.14, ink_of(card)))
                found.append(sign(f"suit {card // 14}", (x + 0.2, y, z), 0.15, ink_of(card)))
        return found

    def _plaque(self, state: State, theme: Theme, who: int, row: layout.Strip) -> Iterator[Card]:
        """Yield the sign of the seat that plays a row.

        For a demon, this is the sign of its master with the Devil's figure beside it. For a participant that plays by
        itself, it is the sign of the Wheel.
        """
        ink = theme.interface_colours["ink"]
        alpha = 0.4 if state.is_out(who) else 1.0
        size = min(0.3 * row.grown, row.pitch * 0.36)
        x, master = -7.35, state.masters[who]
        if who >= state.seats:
            picture = DEVIL if master >= 0 else WHEEL
            yield sign(f"major {picture - MINORS}", (x, row.y, layout.UP), size, ink, alpha)
            x += 0.55
        if master >= 0:
            yield sign(f"seat {master}", (x, row.y, layout.UP), size, ink, alpha, 4.0)
