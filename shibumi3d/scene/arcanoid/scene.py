"""Scene of an Arcanoid match: placement of cards, clickable spots, and animations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shibumi3d.rules.arcanoid import events as ev
from shibumi3d.rules.arcanoid.cards import (
    CARD_NAMES,
    DEVIL,
    HANGED_MAN,
    HIGH_PRIESTESS,
    JUDGEMENT,
    MINOR_COUNT,
    SUIT_LETTERS,
    SUIT_SIZE,
    TEMPERANCE,
    TOWER,
    WHEEL_OF_FORTUNE,
    cards_in,
)
from shibumi3d.rules.arcanoid.moves import COUPLE_KINDS, Move, engagement_kind, engagement_points
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    DISCARD_PILE,
    ENGAGED,
    IN_PLAY,
    OPEN_CARDS,
    POOL,
    STOCK,
    State,
    place_index,
)
from shibumi3d.rules.game import Game
from shibumi3d.scene import motion
from shibumi3d.scene.arcanoid import layout
from shibumi3d.scene.arcanoid.card_faces import (
    CARD_ASPECT,
    CARD_OUTLINE,
    CARD_PAPERS,
    FELT_SUIT_INKS,
    MAJOR_INK,
    PrintStyle,
    card_ink,
    corner_glyph,
    make_back,
    make_face,
    make_glyph,
    make_number,
    make_turning_card,
    rotate_cards,
)
from shibumi3d.scene.frame import Card, Frame
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.object_animator import AnimatedScene
from shibumi3d.scene.palette import MARK_COLOURS, Theme
from shibumi3d.scene.sound_cues import SoundCue, take_due, truncate_cues
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view

PLAY_MS, DRAW_MS, DEAL_MS = 320, 220, 90
"""Times in milliseconds for playing, drawing and dealing a card."""
TURN_OVER_MS = 240
"""Time in milliseconds for turning a card face up."""
MAX_DEAL_MS = 1500
"""Maximum time in milliseconds for dealing all hands."""
STEAL_DELAY_AND_MOVE_MS = (300, 420)
"""Delay before stolen cards start to move, and duration of their movement, in milliseconds."""
RENEW_STOCK_MS = 600
"""Time in milliseconds for turning the discard pile into the new stock."""
STAGGER_SECONDS = 0.045
MIN_SOUND_INTERVAL_SECONDS = 0.09
"""Minimum time in seconds between the sounds of two cards that move together."""
REVEALING_EVENTS = (ev.Drawn, ev.Dealt, ev.CardsRevealed, ev.Called, ev.HandSeen)
"""Events that reveal cards that were face down."""
MAJORS_TARGETING_PARTICIPANTS = (HIGH_PRIESTESS, HANGED_MAN)
SELECTED_CARD_RAISE, POINTED_CARD_RAISE = 0.28, 0.2
"""Distances by which a selected card, and a card of the hand that is pointed at, are pushed out of their row."""
FELT, FIELD_FELT, FIELD_EDGE, FELT_INK = "#24483C", "#1B382F", "#4C6B5E", "#F1E7D0"
"""Colours of the felt, of the fields on it, of their edges, and of what is printed on it."""
FELT_EDGE = "#8A6A3A"
"""Colour of the cord around the felt."""


class CardPlacement(NamedTuple):
    """Placement of a card on the table.

    ``position`` is the centre of the whole card, and ``yaw`` its rotation in radians. ``participant`` is the
    participant whose row contains the card, or -1 if the card isn't in a row. If the card is taller than
    ``max_height``, only its upper part shows.
    """

    position: Vector
    width: float
    participant: int = -1
    max_height: float = layout.UNCROPPED_HEIGHT
    yaw: float = 0.0

    @property
    def spot(self) -> Spot:
        """Spot that covers the visible part of the card."""
        x, y, z = self.position
        whole = self.width * CARD_ASPECT
        high = min(whole, self.max_height)
        return Spot((x, y + (whole - high) / 2, z), half_size=(self.width / 2, high / 2), yaw=self.yaw)


def open_cards_place(participant: int) -> int:
    """Return the index of the place that holds a participant's open cards."""
    return place_index(participant, OPEN_CARDS)


def motion_ends(state: State, events: Sequence[ev.CardEvent]) -> tuple[dict[int, Vector], dict[int, Vector]]:
    """Return two mappings from cards to positions on the table.

    The first says where a card comes from if it appears during ``events``. The second says where a card goes if it
    disappears.
    """
    rows = layout.participant_rows(state)
    origins: dict[int, Vector] = {}
    destinations: dict[int, Vector] = {}
    for event in events:
        hand = (
            layout.hand_back_position(rows[event.participant])
            if event.participant in rows
            else layout.STOCK_POSITION
        )
        for card in event.cards:
            origins[card] = layout.STOCK_POSITION if isinstance(event, ev.Drawn | ev.Dealt) else hand
            if isinstance(event, ev.Discarded | ev.ForcesRemoved | ev.Withdrawn):
                destinations[card] = layout.DISCARD_POSITION
    return origins, destinations


class CardScene(AnimatedScene):
    """Scene of one Arcanoid match, seen from one seat."""

    hull = layout.TABLE_CORNERS
    final_hull = layout.CORNERS_WITHOUT_HANDS
    view_direction = ViewDirection(0.0, 64.0)

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.observation: State | None = None
        self.perspective_seat = 0
        super().__init__()
        self._cues: list[SoundCue] = []
        self._placements: dict[int, CardPlacement] = {}
        """Where each visible card lies."""
        self._disappearing: dict[int, CardPlacement] = {}
        """Destinations of cards that move face up and disappear on arrival."""
        self._face_down_moves: dict[str, CardPlacement] = {}
        """Destinations of cards that are face down all the way, by the key of their motion."""
        self._initial_yaws: dict[int, float] = {}
        """Rotation of each card before it started to move."""

    # ------------------------------------------------------------ motion

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Show ``observation`` immediately, without animation."""
        self.observation, self.perspective_seat = observation, perspective_seat
        self.animator.clear()
        self._cues = []
        self._disappearing, self._face_down_moves = {}, {}
        self._placements = self._place_cards()

    def play(
        self, events: Iterable[ev.CardEvent], now: float, observation: State, perspective_seat: int
    ) -> None:
        """Animate ``events``: move cards from their old positions to those in ``observation``.

        The events determine where appearing cards come from and where disappearing cards go. Appearing cards that no
        event mentions come from the stock.
        """
        self._animate(tuple(events), now, observation, perspective_seat, is_rewind=False)

    def rewind(
        self, events: Iterable[ev.CardEvent], now: float, observation: State, perspective_seat: int
    ) -> None:
        """End all motion, then animate an undo: move cards straight back to their positions in ``observation``."""
        self.finish()
        self._animate(tuple(events), now, observation, perspective_seat, is_rewind=True)

    def _animate(
        self,
        events: Sequence[ev.CardEvent],
        now: float,
        view: State,
        perspective_seat: int,
        *,
        is_rewind: bool,
    ) -> None:
        before = self._placements
        self._initial_yaws = {card: lying.yaw for card, lying in before.items()}
        self.observation, self.perspective_seat = view, perspective_seat
        self._placements = self._place_cards()
        comes, goes = motion_ends(view, events)
        turned: set[int] = set()
        if not is_rewind:
            turned.update(*(event.cards for event in events if isinstance(event, REVEALING_EVENTS)))
        self._face_down_moves = {}
        if is_rewind:
            comes, goes = goes, comes
        self._disappearing = {
            card: lying._replace(position=goes[card], participant=-1, yaw=0.0)
            for card, lying in before.items()
            if card in goes and card not in self._placements
        }
        begin, last_sound_time = self.animator.next_start(now), -MIN_SOUND_INTERVAL_SECONDS
        stolen: set[int] = set()
        if not is_rewind:
            stolen.update(*(event.cards for event in events if isinstance(event, ev.Stolen)))
        if stolen & before.keys():
            begin += STEAL_DELAY_AND_MOVE_MS[0] / 1000 * motion.SPEED_FACTORS[self.speed]
        for card, (there, *_) in (self._disappearing | self._placements).items():
            start = before[card].position if card in before else comes.get(card, layout.STOCK_POSITION)
            if start != there:
                slow = (
                    STEAL_DELAY_AND_MOVE_MS[1] if card in stolen else DRAW_MS if card in turned else PLAY_MS
                )
                hidden = card in turned and card not in before
                end = self.animator.add_move(card, start, there, begin, slow, 0.15, "back" if hidden else "")
                if hidden and not self.reduce_motion:
                    end = self.animator.add_move(card, there, there, end, TURN_OVER_MS, tag="turn")
                # When many cards move at once, only some of them make sounds: one at the start and one on landing.
                if begin >= last_sound_time + MIN_SOUND_INTERVAL_SECONDS:
                    last_sound_time = begin
                    self._cues += [
                        SoundCue(begin, "slide", 0, 0, 0.8, "card"),
                        SoundCue(end, "set", 0, 0, 0.9, "card"),
                    ]
                begin += STAGGER_SECONDS
        if not is_rewind:
            self._animate_face_down(view, events, now)
        if any(isinstance(event, ev.StockRenewed) for event in events):
            way = (
                (layout.STOCK_POSITION, layout.DISCARD_POSITION)
                if is_rewind
                else (layout.DISCARD_POSITION, layout.STOCK_POSITION)
            )
            self.animator.add_move(
                "renewed", *way, self.animator.next_start(now), RENEW_STOCK_MS, arc_height=0.15
            )

    def _animate_face_down(self, state: State, events: Sequence[ev.CardEvent], now: float) -> None:
        """Animate face-down cards that move from the stock to hands, and from hands to the discard pile."""
        rows, ways = layout.participant_rows(state), list[tuple[Vector, Vector, int]]()
        for event in events:
            unknown = sum(card < 0 for card in event.cards)
            if not unknown or event.participant not in rows:
                continue
            hand = layout.hand_back_position(rows[event.participant])
            if isinstance(event, ev.Drawn):
                ways += [(layout.STOCK_POSITION, hand, DRAW_MS)] * unknown
            elif isinstance(event, ev.Discarded):
                ways += [(hand, layout.DISCARD_POSITION, DRAW_MS)] * unknown
        if any(isinstance(event, ev.Dealt) for event in events):
            for who, row in rows.items():
                if who != self._hand_participant:
                    ways += [
                        (layout.STOCK_POSITION, layout.hand_back_position(row), DEAL_MS)
                    ] * state.hand_size(who)
        pace = motion.SPEED_FACTORS[self.speed]
        stagger = min(STAGGER_SECONDS, (MAX_DEAL_MS - DEAL_MS) / 1000 / max(1, len(ways))) * pace
        begin = self.animator.next_start(now) if not any(way[2] == DEAL_MS for way in ways) else now
        for nth, (start, there, slow) in enumerate(ways):
            key = f"back {nth}"
            self._face_down_moves[key] = CardPlacement(there, 0.5)
            self.animator.add_move(key, start, there, begin + stagger * nth, slow, arc_height=0.15)
            if nth % 3 == 0:
                self._cues.append(SoundCue(begin + stagger * nth, "slide", 0, 0, 0.6, "card"))

    def finish(self) -> None:
        """End all motion now and put everything at its destination.

        At most one of the pending sounds is kept.
        """
        self.animator.clear()
        self._cues = truncate_cues(self._cues)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""
        return self.animator.is_animating(now)

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""
        return take_due(self._cues, now)

    # ------------------------------------------------------------ pending decision

    @property
    def _own_decision(self) -> tuple[str, int]:
        """Kind of decision that the viewing seat has to make, and the participant for which the seat decides.

        If that seat has no decision to make, the kind is "" and the participant is the seat itself.
        """
        state = self.observation
        if state is None or state.decision is None or self.perspective_seat not in state.decision.seats:
            return "", self.perspective_seat
        return (
            state.decision.kind,
            state.decision.actor if state.decision.actor >= 0 else self.perspective_seat,
        )

    @property
    def _hand_participant(self) -> int:
        """Participant whose hand is displayed at the bottom.

        This is the viewing seat, or the demon for which the seat is making a decision.
        """
        return self._own_decision[1]

    @property
    def _is_calling(self) -> bool:
        return self._own_decision[0] == "call"

    # ------------------------------------------------------------ layout of cards

    def _place_cards(self) -> dict[int, CardPlacement]:
        """Return the placement of every card whose face is visible, in drawing order."""
        state = self.observation
        assert state is not None
        result: dict[int, CardPlacement] = {}
        for who, row in layout.participant_rows(state).items():
            for suit in range(4):
                if state.field_status(who, suit).kind != ENGAGED:
                    continue
                cards = cards_in(state.engaged_cards(who, suit))
                for nth, card in enumerate(cards):
                    # The cards of a couple on two fields lie on the first; the second shows them dimmed.
                    if card not in result:
                        there = layout.field_card_position(row, suit, nth, len(cards))
                        fit = row.fit_cards(len(cards))
                        result[card] = CardPlacement(there, fit.card_width, who, fit.max_card_height)
            result.update(self._place_side_cards(state, who, row))
        pool = cards_in(state.cards_at[POOL])
        stays = [card for card in cards_in(state.cards_at[IN_PLAY]) if card != TEMPERANCE]
        for x, width, cards in (
            (layout.POOL_X, layout.MAX_POOL_WIDTH, pool),
            (layout.MAJORS_IN_PLAY_X, layout.MAX_MAJORS_WIDTH, stays),
        ):
            for nth, card in enumerate(cards):
                there = layout.shelf_card_position(x, width, nth, len(cards))
                result[card] = CardPlacement(there, layout.SHELF_CARD_WIDTH)
        if state.temperance_status[0] >= 0:
            there, width, high = layout.head_card_position(state.temperance_status[1])
            result[TEMPERANCE] = CardPlacement(there, width, max_height=high)
        if not self._is_calling:
            who = self._hand_participant
            many = state.hand_size(who) + state.counts_at[open_cards_place(who)]
            for nth, card in enumerate(self._hand_cards(state)):
                result[card] = CardPlacement(
                    layout.hand_card_position(nth, many),
                    layout.HAND_CARD_WIDTH,
                    yaw=layout.hand_card_yaw(nth, many),
                )
        return result

    def _hand_cards(self, state: State) -> list[int]:
        """Return the known hand cards, then the open cards, of the participant whose hand is shown at the bottom."""
        who = self._hand_participant
        return [*cards_in(state.known_hand_cards(who)), *cards_in(state.open_cards(who))]

    def _place_side_cards(
        self, state: State, participant: int, row: layout.ParticipantRow
    ) -> dict[int, CardPlacement]:
        """Return the placements of the cards to the right of a participant's fields.

        These are the Chariot with the cards in it and, unless the participant's hand is shown at the bottom, the
        participant's open cards and the known cards of the hand.
        """
        cards = cards_in(state.chariot_cards(participant))
        if participant != self._hand_participant or self._is_calling:
            cards += cards_in(state.open_cards(participant)) + cards_in(state.known_hand_cards(participant))
        found = {}
        for nth, card in enumerate(cards):
            there, width, high = layout.side_card_position(row, nth, len(cards))
            found[card] = CardPlacement(there, width, participant, high)
        return found

    # ------------------------------------------------------------ clicks

    def spots(self) -> Mapping[str, Spot]:
        """Return everything that can be clicked, by key.

        The key of a card is its name. The piles and the shelf have the keys ``stock``, ``discard`` and ``shelf``.
        Examples of other keys are ``1S`` for a field, ``P1`` for a plaque, ``side 1`` for a side area, and ``head S``
        for a column head. During a call, there is also a spot for naming each card. Before anything is shown, there are
        no spots.
        """
        state = self.observation
        if state is None:
            return {}
        result: dict[str, Spot] = {}
        if self._is_calling:
            for card in range(len(CARD_NAMES)):
                half = layout.CALL_MAJOR_HALF_SIZE if card >= MINOR_COUNT else layout.CALL_HALF_SIZE
                result[f"call {CARD_NAMES[card]}"] = Spot(layout.callable_card_position(card), half_size=half)
        for card, lying in self._placements.items():
            result[CARD_NAMES[card]] = lying.spot
        result.update(layout.fixed_spots(state))
        return result

    def clicks_for(self, move: Move) -> Clicks:
        """Return the clicks that make a move.

        Most moves take clicks on their cards, in any order, and then one on the destination. Calling a card takes one
        click on that card, and lifting Temperance takes one on the head of its column. Moves that can only be made with
        a button have no clicks.
        """
        kind = move.kind
        cards = frozenset(CARD_NAMES[card] for card in cards_in(move.cards))
        who = self._own_decision[1]
        if kind == "discard":
            return Clicks(cards, "discard")
        if kind in ("engage", "reinforce", "abdicate"):
            return Clicks(cards, layout.field_key(who, move.suits[0]))
        if kind == "load":
            return Clicks(cards, f"side {who + 1}")
        if kind == "unload":
            return Clicks(cards, "discard")
        if kind == "lift":
            return Clicks(frozenset(), f"head {SUIT_LETTERS[move.suits[0]]}")
        if kind == "call":
            return Clicks(frozenset(), f"call {CARD_NAMES[cards_in(move.cards)[0]]}")
        return self._clicks_for_major(move, cards) if kind == "play" else Clicks()

    def _clicks_for_major(self, move: Move, cards: frozenset[str]) -> Clicks:
        """Return the clicks that play a major.

        The first click is on the card, the second on its target: a participant, a field or a column. If the card has no
        target, the second click is on the shelf.
        """
        card = cards_in(move.cards)[0]
        if card in MAJORS_TARGETING_PARTICIPANTS:
            return Clicks(cards, f"P{move.target + 1}")
        if card in (TOWER, JUDGEMENT):
            return Clicks(cards, layout.field_key(move.target, move.suits[0]))
        if card == TEMPERANCE:
            return Clicks(cards, f"head {SUIT_LETTERS[move.suits[0]]}")
        return Clicks(cards, "shelf")

    # ------------------------------------------------------------ drawing

    def frame(self, now: float, theme: Theme, highlights: TableHighlights = NO_HIGHLIGHTS) -> Frame:
        """Return the frame to draw at time ``now``."""
        state = self.observation
        if state is None:
            return Frame(theme, ())
        position, half = layout.felt_rectangle()
        cards = [Card(position, half, FELT, outline=FELT_EDGE, corner_rounding=0.05, surface="felt")]
        cards += [*self._highlighted_top_spots(highlights), *self._pile_cards(state, theme)]
        moving: list[Card] = []
        for who, row in layout.participant_rows(state).items():
            cards += self._row_mats(state, theme, highlights, who)
            cards += self._seat_plaque(state, theme, who, row)
            cards += self._field_cards(state, theme, who, row)
            cards += self._face_up_cards(now, theme, highlights, who, moving)
            cards += self._strength_numbers(now, state, theme, who, row)
        cards += self._unseen_hand_backs(state)
        cards += self._face_up_cards(now, theme, highlights, -1, moving)
        cards += moving
        cards += self._disappearing_cards(now, theme)
        if self._is_calling:
            cards += self._callable_cards(theme, highlights)
        return Frame(theme, (), cards=tuple(cards))

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights = NO_HIGHLIGHTS) -> Frame:
        """Return the frame at time ``now`` as a flat drawing, seen from straight above."""
        return make_top_view(self.frame(now, theme, highlights))

    def _row_mats(
        self, state: State, theme: Theme, highlights: TableHighlights, participant: int
    ) -> Iterator[Card]:
        """Yield the mats of a row and the suit symbols on its fields.

        Fields always have a mat. The plaque has one if its participant has the turn or has won. Any part of the row has
        one while it is highlighted.
        """
        won = state.result is not None and participant in state.result.winners
        for key, spot in layout.row_spots(state, participant).items():
            lit = key in highlights.clickable or key in highlights.hint
            under = key == highlights.focused
            paper = FIELD_FELT if key[0].isdecimal() else ""
            if key[0] == "P" and participant == state.turn_participant and state.result is None:
                paper = CARD_PAPERS[theme.tone]
            if not paper and not (lit or under or (won and key[0] == "P")):
                continue
            edge = MARK_COLOURS["last"] if under else MARK_COLOURS["legal"] if lit else FIELD_EDGE
            if won and key[0] == "P":
                paper, edge = MARK_COLOURS["win"], MARK_COLOURS["edge"]
            half, rounding = (spot.half_size[0] - 0.03, spot.half_size[1] - 0.05), 0.1
            if key[0] == "P":
                half, rounding = 2 * (min(0.5, 0.9 * spot.half_size[1]),), 1.0
            yield Card(spot.position, half, fill=paper, outline=edge, corner_rounding=rounding)
        row = layout.participant_rows(state)[participant]
        for suit, ink in enumerate(FELT_SUIT_INKS):
            yield make_glyph(f"suit {suit}", *layout.suit_symbol_position(row, suit), ink)

    def _highlighted_top_spots(self, highlights: TableHighlights) -> Iterator[Card]:
        """Yield the column heads and the shelf, each only if it is highlighted."""
        for key, spot in layout.top_spots().items():
            lit = key in highlights.clickable or key in highlights.hint
            if (key[0] == "h" or key == "shelf") and (lit or key == highlights.focused):
                edge = MARK_COLOURS["last"] if key == highlights.focused else MARK_COLOURS["legal"]
                yield Card(spot.position, spot.half_size, fill=FIELD_FELT, outline=edge, corner_rounding=0.1)

    def _pile_cards(self, state: State, theme: Theme) -> Iterator[Card]:
        """Yield the stock and the discard pile, each with its number of cards."""
        for here, (x, y, z) in ((STOCK, layout.STOCK_POSITION), (DISCARD_PILE, layout.DISCARD_POSITION)):
            count = state.counts_at[here]
            if count:
                for under in range(min(2, count // 10), 0, -1):
                    yield from make_back((x + 0.05 * under, y - 0.04 * under, z), layout.SHELF_CARD_WIDTH)
                yield from make_back((x, y, z), layout.SHELF_CARD_WIDTH)
            else:
                half = layout.SHELF_CARD_WIDTH / 2
                slot = (half, half * CARD_ASPECT)
                yield Card((x, y, z), slot, FIELD_FELT, outline=FIELD_EDGE, corner_rounding=0.12)
                if here == STOCK and state.stock_closed:
                    yield make_glyph("cross", (x, y + 0.2, z), 0.3, FELT_INK, 0.6)
            there = (x, y - 0.62, z)
            yield Card(there, (0.44, 0.33), fill=CARD_PAPERS[theme.tone], corner_rounding=0.4)
            yield from make_number(count, there, 0.26, MAJOR_INK)

    def _field_cards(
        self, state: State, theme: Theme, participant: int, row: layout.ParticipantRow
    ) -> Iterator[Card]:
        """Yield the cards and crosses that :meth:`_face_up_cards` leaves out of a participant's row.

        These are face-down cards, crosses on abdicated fields, dimmed cards on the second field of a couple, and a card
        back for the hand, with the number of cards in the hand.
        """
        for suit in range(4):
            stand = state.field_status(participant, suit)
            if stand.kind == ABDICATED:
                size = min(0.24 * row.symbol_scale, row.height * 0.3)
                yield make_glyph(
                    "cross",
                    (layout.column_x(suit) + row.field_cards_width / 2, row.y, layout.CARD_Z),
                    size,
                    FELT_INK,
                    0.7,
                )
            elif stand.kind == ENGAGED:
                here = state.field_place(participant, suit)
                hidden = state.counts_at[here] - state.cards_at[here].bit_count()
                fit = row.fit_cards(hidden)
                for nth in range(hidden):
                    there = layout.field_card_position(row, suit, nth, hidden)
                    yield from make_back(there, fit.card_width, max_height=fit.max_card_height)
                if stand.linked_suit >= 0:
                    for nth, card in enumerate(cards_in(state.cards_at[here])):
                        yield from make_face(
                            card,
                            layout.field_card_position(row, suit, nth, 2),
                            row.card_width,
                            PrintStyle(theme.tone, self.language),
                            alpha=0.7,
                            max_height=row.max_card_height,
                        )
        if not state.has_left_round(participant):
            there = layout.hand_back_position(row)
            width = layout.hand_back_width(row)
            yield from make_back(there, width, max_height=row.max_card_height)
            size = min(0.58 * width, 0.36)
            yield Card(there, (size, size), fill=CARD_PAPERS[theme.tone], corner_rounding=1.0)
            yield from make_number(state.hand_size(participant), there, size * 0.76, MAJOR_INK)

    def _unseen_hand_backs(self, state: State) -> Iterator[Card]:
        """Yield the backs of those cards in the hand at the bottom of the table that the viewer has not seen yet."""
        who = self._hand_participant
        if not self._is_calling and not state.has_left_round(who):
            many = state.hand_size(who) + state.counts_at[open_cards_place(who)]
            for nth in range(len(self._hand_cards(state)), many):
                there, yaw = layout.hand_card_position(nth, many), layout.hand_card_yaw(nth, many)
                yield from rotate_cards(make_back(there, layout.HAND_CARD_WIDTH), there, yaw)

    def _face_up_cards(
        self,
        now: float,
        theme: Theme,
        highlights: TableHighlights,
        participant: int,
        moving_cards: list[Card],
    ) -> Iterator[Card]:
        """Yield the face-up cards in the row of ``participant``, or those in no row if ``participant`` is -1.

        Cards in motion are added to ``moving_cards`` instead, to be drawn above the others.
        """
        for card, (there, width, row, high, final_yaw) in self._placements.items():
            if row != participant or self.observation is None:
                continue
            name = CARD_NAMES[card]
            x, y, z = position = self.animator.position_at(card, now, there)
            part, tag = self.animator.progress_at(card, now)
            yaw = self._yaw_at(card, part, tag, final_yaw)
            edge = MARK_COLOURS["last"] if name == highlights.focused or name in highlights.hint else ""
            raised = (
                POINTED_CARD_RAISE if name == highlights.focused and there[1] < layout.ROWS_BOTTOM_Y else 0.0
            )
            if name in highlights.picks:
                raised, edge = SELECTED_CARD_RAISE, theme.interface_colours["action"]
            x, y = x - raised * math.sin(yaw), y + raised * math.cos(yaw)
            alpha = self.animator.opacity_at(card, now)
            style = PrintStyle(theme.tone, self.language)
            there_now = (x, y, z)
            shown: Iterable[Card]
            if tag == "back":
                shown = rotate_cards(make_back(there_now, width, alpha, high), there_now, yaw)
            elif tag == "turn":
                face = make_face(card, there_now, width, style, edge, alpha, high)
                shown = rotate_cards(make_turning_card(there_now, width, style, part, face), there_now, yaw)
            else:
                shown = make_face(card, there_now, width, style, edge, alpha, high, yaw)
                if name in highlights.new_spots and card in self._hand_cards(self.observation):
                    corner = (x + width * 0.3, y + width * 0.68, z)
                    tick = make_glyph("tick", corner, 0.12, MAJOR_INK, alpha, 3.0)
                    shown = [*shown, *rotate_cards([tick], there_now, yaw)]
            if tag == "turn":
                moving_cards += shown
            elif position == there:
                yield from shown
            else:
                moving_cards += shown

    def _yaw_at(self, card: int, progress: float, tag: str, final_yaw: float) -> float:
        """Return the rotation of ``card``, in radians, at ``progress`` (0 to 1) of a motion tagged ``tag``."""
        if progress >= 1.0 or tag == "turn" or (self.reduce_motion and progress >= 0.5):
            return final_yaw
        first = self._initial_yaws.get(card, 0.0)
        return first + (final_yaw - first) * (0.0 if self.reduce_motion else motion.EASE_STANDARD(progress))

    def _disappearing_cards(self, now: float, theme: Theme) -> Iterator[Card]:
        """Yield the cards that are disappearing, and those that are moving face down.

        While the discard pile is being turned into the new stock, or back during a rewind, it is drawn as a single
        card, face down.
        """
        for key, (there, width, *_) in self._face_down_moves.items():
            x, y, z = self.animator.position_at(key, now, there)
            if self.animator.progress_at(key, now)[0] < 1.0 and (x, y, z) != layout.STOCK_POSITION:
                yield from make_back((x, y, z), width, self.animator.opacity_at(key, now))
        for card, (there, width, *_) in self._disappearing.items():
            if self.animator.progress_at(card, now)[0] < 1.0:
                place, alpha = (
                    self.animator.position_at(card, now, there),
                    self.animator.opacity_at(card, now),
                )
                part, tag = self.animator.progress_at(card, now)
                yaw = self._yaw_at(card, part, tag, 0.0)
                style = PrintStyle(theme.tone, self.language)
                yield from make_face(card, place, width, style, alpha=alpha, yaw=yaw)
        if self.animator.progress_at("renewed", now)[0] < 1.0:
            place = self.animator.position_at("renewed", now, layout.STOCK_POSITION)
            yield from make_back(place, layout.SHELF_CARD_WIDTH, self.animator.opacity_at("renewed", now))

    def _strength_numbers(
        self, now: float, state: State, theme: Theme, participant: int, row: layout.ParticipantRow
    ) -> Iterator[Card]:
        """Yield cards that show the strength of the forces on each field of a row.

        Nothing is shown for a field until all its cards have arrived. If some of them are hidden, the number of cards
        is shown instead. For couples and the World, a symbol is shown.
        """
        for suit in range(4):
            if state.field_status(participant, suit).kind != ENGAGED:
                continue
            there, size = layout.strength_position(row, suit)
            cards, here = state.engaged_cards(participant, suit), state.field_place(participant, suit)
            if any(self.animator.progress_at(card, now)[0] < 1.0 for card in cards_in(cards)):
                continue
            sort = engagement_kind(cards, suit, state.rules)
            if state.counts_at[here] > cards.bit_count():
                yield from make_number(state.counts_at[here], there, size, FELT_INK, 0.7)
            elif sort in COUPLE_KINDS:
                sign = {"royal": "court 3", "imperial": "major 4"}.get(sort, "major 6")
                yield make_glyph(sign, there, size, FELT_INK)
            elif sort == "world":
                yield make_glyph("star", there, size, FELT_INK)
            else:
                value = engagement_points(cards, state.rules)
                there, size = layout.strength_position(row, suit, has_half=value % 1 > 0)
                yield from make_number(value, there, size, FELT_INK)

    def _callable_cards(self, theme: Theme, highlights: TableHighlights) -> list[Card]:
        """Return small plates for naming a card: one for each minor card and one for each major that can be called."""
        found = []
        for card in range(len(CARD_NAMES)):
            key = f"call {CARD_NAMES[card]}"
            if card >= MINOR_COUNT and key not in highlights.clickable:
                continue
            x, y, z = layout.callable_card_position(card)
            half = layout.CALL_MAJOR_HALF_SIZE if card >= MINOR_COUNT else layout.CALL_HALF_SIZE
            edge = MARK_COLOURS["last"] if key == highlights.focused else CARD_OUTLINE
            found.append(
                Card((x, y, z), half, fill=CARD_PAPERS[theme.tone], outline=edge, corner_rounding=0.3)
            )
            sign = f"major {card - MINOR_COUNT}" if card >= MINOR_COUNT else f"suit {card // SUIT_SIZE}"
            aside, size = (0.16, 0.15) if card >= MINOR_COUNT else (0.24, 0.22)
            ink = card_ink(card)
            found.append(make_glyph(corner_glyph(card, self.language), (x - aside, y, z), size, ink))
            found.append(make_glyph(sign, (x + aside, y, z), size, ink))
        return found

    def _seat_plaque(
        self, state: State, theme: Theme, participant: int, row: layout.ParticipantRow
    ) -> Iterator[Card]:
        """Yield the symbol of the seat that controls ``participant``.

        For a demon, the Devil's figure is drawn to the left of this symbol. For an Automaton, which no seat controls,
        only the figure of the Wheel of Fortune is drawn.
        """
        has_turn = participant == state.turn_participant and state.result is None
        won = state.result is not None and participant in state.result.winners
        ink = MAJOR_INK if has_turn or won else FELT_INK
        alpha = 0.4 if state.has_left_round(participant) and not won else 1.0
        x, master = (layout.LEFT_X + layout.COLUMNS_X) / 2, state.controlling_seats[participant]
        is_shared = participant >= state.seats and master >= 0
        size = min(0.25 if is_shared else 0.4, 0.3 * row.symbol_scale, row.height * 0.36)
        if participant >= state.seats:
            picture = DEVIL if master >= 0 else WHEEL_OF_FORTUNE
            at = (x - 0.27 * is_shared, row.y, layout.CARD_Z)
            yield make_glyph(f"major {picture - MINOR_COUNT}", at, size, ink, alpha)
        if master >= 0:
            at = (x + 0.27 * is_shared, row.y, layout.CARD_Z)
            yield make_glyph(f"seat {master}", at, size, ink, alpha, 4.0)
