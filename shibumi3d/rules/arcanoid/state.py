"""The state of an Arcanoid match, its rules from a game file, and the mutable state that moves are applied to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, NamedTuple

from shibumi3d.rules.arcanoid import events as ev
from shibumi3d.rules.arcanoid.cards import ALL_CARDS, CARD_COUNT, FOOL, TEMPERANCE, cards_in
from shibumi3d.rules.game import Decision, FormerStateNames, Outcome, first_deciding_seat
from shibumi3d.rules.source import Item, Problem
from shibumi3d.rules.table_reader import TableReader


@dataclass(frozen=True, slots=True)
class CardRules:
    """Parameters of Arcanoid.

    ``hand`` is the hand size, ``rounds`` the number of rounds, ``pool`` the number of shared open cards (Justice),
    ``wheel`` the number of cards drawn for the Wheel, and ``turns`` the maximum number of extra turns (Hermit).
    Strength adds ``slots`` open cards or ``extra`` cards in hand. A knave counts ``knave`` points, and a knight counts
    ``knight`` points. ``renewals`` is the maximum number of new stocks per round, and ``secret`` the maximum number of
    engagements that a participant may lay face down in a round without using the Magician. ``dummies`` is the number of
    Automatons, which play by themselves.

    ``temperance`` is "soft" if the owner of Temperance can remove it by engaging on its field, or "hard" if removing it
    takes a whole turn. ``ace`` is "plain" if an ace is just a 1. With "guard", an ace can join a knave or a knight, and
    the Fool can't steal a set that contains an ace. With "foothold", the Fool can't steal an ace engaged alone, and
    such an ace can be reinforced later. ``magician`` is "transmute" if the Magician changes the suit of a card, or
    "secret" if it lays an engagement face down.
    """

    hand: int = 6
    rounds: int = 5
    pool: int = 6
    wheel: int = 5
    turns: int = 3
    slots: int = 2
    extra: int = 1
    knave: float = 14.5
    knight: float = 17.5
    renewals: int = 5
    temperance: str = "soft"
    ace: str = "guard"
    magician: str = "transmute"
    secret: int = 0
    dummies: int = 0

    def __hash__(self) -> int:
        """Return a hash of ``knave``, ``knight``, ``ace`` and ``magician``, leaving out all other parameters.

        The strength of a set of cards depends on none of the others. Rules are part of the keys in a cache of
        probabilities that are calculated from such strengths.
        """
        return hash((self.knave, self.knight, self.ace, self.magician))


PARAMETER_RANGES: Mapping[str, tuple[int, int]] = {
    "hand": (1, 6),
    "rounds": (1, 9),
    "pool": (1, 12),
    "wheel": (1, 10),
    "turns": (1, 9),
    "slots": (1, 4),
    "extra": (1, 4),
    "renewals": (0, 9),
    "secret": (0, 4),
    "dummies": (0, 2),
}
OPTION_BOUNDS = {name: PARAMETER_RANGES[name] for name in ("rounds", "dummies")}
"""Options that a game file may offer before a match, with their minimum and maximum values."""
COURT_STRENGTH_KEYS = ("knave", "knight")
WORD_CHOICES: Mapping[str, tuple[str, ...]] = {
    "temperance": ("soft", "hard"),
    "ace": ("guard", "plain", "foothold"),
    "magician": ("transmute", "secret"),
}
MAX_PARTICIPANTS = 12
"""Maximum number of seats and Automatons together.

Twelve hands of six cards leave six cards in the stock.
"""


def read_rules(item: Item | None, problems: list[Problem]) -> CardRules:
    """Return the parameters in ``item``, the mapping under ``table:`` in a game file.

    If the mapping is missing, ``item`` is None. Each missing or invalid value is replaced by its default, but values
    that are invalid only in combination are kept. Errors are added to ``problems``.
    """
    usual = CardRules()
    reader = TableReader(item, "table", [field.name for field in fields(CardRules)], problems)
    values: dict[str, int | float | str] = {}
    for key, (least, most) in PARAMETER_RANGES.items():
        values[key] = reader.read_int(key, least, most, getattr(usual, key))
    for key in COURT_STRENGTH_KEYS:
        values[key] = reader.read_number(key, 1.5, 55.5, getattr(usual, key))
        if float(values[key]) % 1 != 0.5:
            reader.report_error(
                key, "a number ending in .5, such as 14.5, so that no sum of card values can equal it"
            )
            values[key] = getattr(usual, key)
    for key, known in WORD_CHOICES.items():
        values[key] = reader.read_word(key, known, getattr(usual, key))
    rules = replace(usual, **values)  # type: ignore[arg-type]  # each value was checked by its name
    if rules.ace == "foothold" and (rules.secret or rules.magician == "secret"):
        reader.report_error("ace", "a value other than 'foothold' where engagements can be face down")
    return rules


STOCK, DISCARD_PILE, POOL, IN_PLAY = range(4)
"""Places that belong to nobody: stock, discard pile, shared open cards, and majors in play."""
HAND, OPEN_CARDS, CHARIOT_CARDS, FIELD = range(4)
"""Places of a participant: hand, own open cards, Chariot, and the first of four fields."""
PLACES_PER_PARTICIPANT = FIELD + 4
OPEN, ABDICATED, ENGAGED = range(3)
"""Statuses of a participant's field: undecided, given up, and cards engaged."""

Task = tuple[str | int | tuple[int, ...], ...]
"""A pending task as a tuple of its name and its arguments."""


def place_index(participant: int, place_kind: int, suit: int = 0) -> int:
    """Return the index of one of a participant's places.

    ``place_kind`` is HAND, OPEN_CARDS, CHARIOT_CARDS or FIELD; for FIELD, ``suit`` says which field.
    """
    return IN_PLAY + 1 + participant * PLACES_PER_PARTICIPANT + place_kind + suit


class FieldStatus(NamedTuple):
    """Status of a participant's field.

    ``kind`` is OPEN, ABDICATED or ENGAGED. ``sequence_number`` numbers all engagements and abdications of a round in
    the order in which they were made. ``is_face_down`` is set if the cards are face down. If a couple is split over two
    fields, its cards are on one of them; on the other, ``linked_suit`` is the suit of the field with the cards.
    Otherwise, ``linked_suit`` is -1.
    """

    kind: int = OPEN
    sequence_number: int = 0
    is_face_down: bool = False
    linked_suit: int = -1


class WonField(NamedTuple):
    """A field that was won.

    ``winner`` is the participant who won it, and ``seat`` the seat that plays for this participant, or -1 if the winner
    is an Automaton. ``deciding_rule`` names the rule that decided the field, as returned by
    :func:`.moves.field_winner`.
    """

    winner: int
    seat: int
    deciding_rule: str


@dataclass(frozen=True, slots=True)
class State(FormerStateNames):
    """The immutable state of a match at one moment.

    Participants are numbered in this order: the seats, the Automatons, which play by themselves, and the demons, for
    which seats play. Places are indexed as in :func:`place_index`. Sets of cards are bit masks.

    ``cards_at`` holds the cards at each place; in a view, only those that the viewer knows. ``counts_at`` holds the
    number of cards at each place, whether known or not. ``known_cards`` holds masks of the cards whose place is known:
    one for each seat, and a last one for the public. ``just_drawn`` are newly drawn cards; while a vote is pending,
    nobody may look at them. ``automaton_hands`` are the hands of the Automatons, oldest card first, with -1 for an
    unknown card. ``turn_order`` lists the participants in turn order. ``tasks`` is a stack of pending tasks; the last
    one is handled next. ``last_sequence_number`` counts engagements and abdications in this round. ``won_fields`` holds
    the fields of all finished rounds, four per round.
    """

    rules: CardRules = field(compare=False, repr=False)
    seats: int
    seed: int | None
    cards_at: tuple[int, ...]
    counts_at: tuple[int, ...]
    known_cards: tuple[int, ...]
    field_statuses: tuple[FieldStatus, ...]
    controlling_seats: tuple[int, ...]
    """For each participant, the seat that plays for it, or -1 for an Automaton."""
    automaton_hands: tuple[tuple[int, ...], ...]
    turn_order: tuple[int, ...]
    hand_limits: tuple[int, ...]
    """Number of cards to which each participant refills its hand."""
    open_card_limits: tuple[int, ...]
    """Number of cards to which each participant refills its open cards: 0 without Strength."""
    tasks: tuple[Task, ...]
    preset_draws: tuple[int, ...] = ()
    """Next cards to be drawn, as preset by the deal."""
    random_draws: int = 0
    just_drawn: int = 0
    regular_turn_participant: int = 0
    """Participant who has the current regular turn, or had the last one."""
    turn_participant: int = 0
    """Participant who is taking the current turn, which may be an extra turn."""
    skipped_demon: int = -1
    """Demon that has to wait for the next round of turns, or -1."""
    left_round: int = 0
    """Participants who have left the round, as bits."""
    touched_suits: int = 0
    """Suits of the fields where somebody has engaged cards or given up, as bits."""
    face_down_counts: int = 0
    """Number of face-down engagements by each participant in this round, in four bits each.

    Engagements that the Magician lays face down are not counted.
    """
    last_sequence_number: int = 0
    justice_in_play: bool = False
    hermit_status: tuple[int, int] = (-1, 0)
    """Participant who played the Hermit, or -1, and the number of extra turns left."""
    temperance_status: tuple[int, int] = (-1, -1)
    """Participant who has Temperance in play and the suit of the field it is on, or (-1, -1)."""
    stock_closed: bool = False
    """Whether the stock is closed for the rest of the round."""
    stock_renewals: int = 0
    round: int = 1
    first_seat: int = 0
    """Seat that takes the first turn of the round."""
    won_fields: tuple[WonField, ...] = ()
    turn: int = 0
    step: int = 0
    outcome: Outcome | None = None
    viewer: int = field(default=-1, compare=False)
    """Seat whose view this is; -1 for the full state and for spectators."""

    # ------------------------------------------------------------ the State protocol

    @property
    def result(self) -> Outcome | None:
        """Result of the match, or None if it is not over."""
        return self.outcome

    @property
    def decision(self) -> Decision | None:
        """Pending decision, or None if the match is over."""
        if self.outcome is not None:
            return None
        name, *rest = self.tasks[-1]
        if name == "vote":
            return Decision("vote", (self._first_voter(rest[0]),))
        if name == "fool":
            asked = rest[2]
            assert isinstance(asked, tuple)
            if rest[4]:
                # Everybody knows where the Fool is, so the participants decide one after another.
                return Decision(
                    "fool", (self.controlling_seats[asked[0]],), "open", "let", self._non_seat_actor(asked[0])
                )
            return Decision("fool", tuple(map(self.controlling_seats.__getitem__, asked)), "own", "let")
        participant = rest[0]
        assert isinstance(participant, int)
        if name == "hermit":
            return Decision(
                "hermit",
                (self.controlling_seats[participant],),
                "open",
                "go",
                self._non_seat_actor(participant),
            )
        return Decision(
            str(name), (self.controlling_seats[participant],), "own", "", self._non_seat_actor(participant)
        )

    @staticmethod
    def _first_voter(voters: str | int | tuple[int, ...]) -> int:
        assert isinstance(voters, tuple)
        return voters[0]

    def _non_seat_actor(self, participant: int) -> int:
        return participant if participant >= self.seats else -1

    @property
    def to_move(self) -> int | None:
        """Seat to move, or None if the match is over.

        If several seats have to decide, it is the viewer if the viewer is one of them, else the first of them.
        """
        return first_deciding_seat(self.decision, self.viewer)

    @property
    def mover(self) -> int:
        """Seat that plays for the participant whose turn it is, or 0 for an Automaton."""
        return max(0, self.controlling_seats[self.turn_participant])

    @property
    def repetition_key(self) -> Hashable:
        """Key for detecting repetitions: the state itself, which changes with every move.

        No state recurs, because a state contains the number of completed turns and the number of moves made in the
        current turn.
        """
        return self

    @property
    def phase(self) -> int:
        """Always 0, since a match has only one phase."""
        return 0

    @property
    def game_number(self) -> int:
        """Always 1, since a match is a single game."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """Number of fields that each seat has won so far."""
        return tuple([sum(won.seat == seat for won in self.won_fields) for seat in range(self.seats)])

    @property
    def totals(self) -> tuple[int, ...]:
        """Always empty, since a match is not a series."""
        return ()

    # ------------------------------------------------------------ participants and cards

    @property
    def participants(self) -> int:
        """Number of participants in the round, including those who have left it."""
        return len(self.controlling_seats)

    def is_demon(self, participant: int) -> bool:
        """Return whether a participant is a demon."""
        return participant >= self.seats and self.controlling_seats[participant] >= 0

    def has_left_round(self, participant: int) -> bool:
        """Return whether a participant has left the round."""
        return bool(self.left_round >> participant & 1)

    def field_status(self, participant: int, suit: int) -> FieldStatus:
        """Return the status of a participant's field of ``suit``."""
        return self.field_statuses[participant * 4 + suit]

    def open_fields(self, participant: int) -> list[int]:
        """Return the suits of a participant's open fields: those where it has no forces and hasn't given up.

        A field from which all the participant's forces were removed or stolen is open again.
        """
        return [suit for suit in range(4) if self.field_statuses[participant * 4 + suit].kind == OPEN]

    def known_hand_cards(self, participant: int) -> int:
        """Return the mask of the cards in a participant's hand.

        In a view, it contains only the cards that the viewer knows.
        """
        return self.cards_at[place_index(participant, HAND)]

    def hand_size(self, participant: int) -> int:
        """Return the number of cards in a participant's hand."""
        return self.counts_at[place_index(participant, HAND)]

    def open_cards(self, participant: int) -> int:
        """Return the mask of a participant's open cards, which can be played like cards in the hand.

        In a view, cards that were just drawn are missing while a vote on a new stock is pending.
        """
        return self.cards_at[place_index(participant, OPEN_CARDS)]

    def chariot_cards(self, participant: int) -> int:
        """Return the mask of a participant's Chariot and the cards in it, or 0 if there is no such Chariot."""
        return self.cards_at[place_index(participant, CHARIOT_CARDS)]

    def playable_cards(self, participant: int) -> int:
        """Return the mask of a participant's playable cards.

        These are its hand, its open cards and the shared open cards. In a view, hand cards that the viewer doesn't know
        are missing. While a vote on a new stock is pending, all cards that were just drawn are missing from a view,
        too.
        """
        first = place_index(participant, HAND)
        return self.cards_at[first] | self.cards_at[first + OPEN_CARDS] | self.cards_at[POOL]

    def playable_card_list(self, participant: int) -> list[int]:
        """Return the playable cards of a participant in order: hand, open cards, shared cards.

        Within each of these places, the cards are in ascending order. In a view, hand cards that the viewer doesn't
        know are missing. While a vote on a new stock is pending, all cards that were just drawn are missing from a
        view, too.
        """
        first = place_index(participant, HAND)
        return [card for here in (first, first + OPEN_CARDS, POOL) for card in cards_in(self.cards_at[here])]

    def field_place(self, participant: int, suit: int) -> int:
        """Return the index of the place that holds the cards engaged on a participant's field.

        For a couple split over two fields, this is the same place for both.
        """
        link = self.field_statuses[participant * 4 + suit].linked_suit
        return place_index(participant, FIELD, suit if link < 0 else link)

    def engaged_cards(self, participant: int, suit: int) -> int:
        """Return the mask of the cards that a participant has engaged on a field, or 0 if there are none.

        In a view, it contains only the cards that the viewer knows. For a couple split over two fields, both cards are
        returned for either field.
        """
        if self.field_statuses[participant * 4 + suit].kind != ENGAGED:
            return 0
        return self.cards_at[self.field_place(participant, suit)]


_MASK_64_BITS = (1 << 64) - 1


def random_below(seed: int, index: int, bound: int) -> int:
    """Return element ``index`` of the random sequence for ``seed``, in the range 0 to ``bound`` - 1.

    The bits are mixed as in SplitMix64 (Steele, Lea and Flood 2014).
    """
    x = (seed * 0x9E3779B97F4A7C15 + (index + 1) * 0xD1B54A32D192ED03) & _MASK_64_BITS
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK_64_BITS
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK_64_BITS
    return (x ^ x >> 31) % bound


class MutableState:
    """A mutable copy of a state, with the events recorded so far.

    Except for ``events``, the attributes have the same meanings as those of :class:`.state.State`.
    """

    def __init__(self, state: State) -> None:
        self.rules = state.rules
        self.seats = state.seats
        self.seed = state.seed or 0
        self.cards_at = list(state.cards_at)
        self.counts_at = list(state.counts_at)
        self.known_cards = list(state.known_cards)
        self.field_statuses = list(state.field_statuses)
        self.controlling_seats = list(state.controlling_seats)
        self.automaton_hands = list(state.automaton_hands)
        self.turn_order = list(state.turn_order)
        self.hand_limits = list(state.hand_limits)
        self.open_card_limits = list(state.open_card_limits)
        self.tasks: list[Task] = list(state.tasks)
        self.preset_draws = list(state.preset_draws)
        self.random_draws = state.random_draws
        self.just_drawn = state.just_drawn
        self.regular_turn_participant = state.regular_turn_participant
        self.turn_participant = state.turn_participant
        self.skipped_demon = state.skipped_demon
        self.left_round = state.left_round
        self.touched_suits = state.touched_suits
        self.face_down_counts = state.face_down_counts
        self.last_sequence_number = state.last_sequence_number
        self.justice_in_play = state.justice_in_play
        self.hermit_status = state.hermit_status
        self.temperance_status = state.temperance_status
        self.stock_closed = state.stock_closed
        self.stock_renewals = state.stock_renewals
        self.round = state.round
        self.first_seat = state.first_seat
        self.won_fields = state.won_fields
        self.turn = state.turn
        self.step = state.step
        self.outcome: Outcome | None = state.outcome
        self.events: list[ev.CardEvent] = []

    def freeze(self, before: State) -> State:
        """Return an immutable copy of this state.

        Attributes that never change during a match are copied from ``before``.
        """
        changed: list[Any] = [
            tuple(value) if isinstance(value, list) else value for value in _changing_fields(self)
        ]
        values = [before.rules, before.seats, before.seed, *changed, before.viewer]
        return State(*values)

    # ------------------------------------------------------------ participants

    def controlling_seat(self, participant: int) -> int:
        """Return the seat that plays for a participant, or -1 for an Automaton or if ``participant`` is -1."""
        return self.controlling_seats[participant] if participant >= 0 else -1

    def is_hand_open(self, participant: int) -> bool:
        """Return whether a participant plays with its hand face up, as demons do."""
        return participant >= self.seats and self.controlling_seats[participant] >= 0

    def has_left_round(self, participant: int) -> bool:
        """Return whether a participant has left the round."""
        return bool(self.left_round >> participant & 1)

    def others_in_turn_order(self, participant: int) -> list[int]:
        """Return the other participants in turn order, starting after ``participant``.

        After the last participant in turn order comes the first. Participants who have left the round are included.
        """
        at = self.turn_order.index(participant)
        return [*self.turn_order[at + 1 :], *self.turn_order[:at]]

    # ------------------------------------------------------------ knowledge and events

    def reveal(self, card_mask: int) -> None:
        """Reveal the locations of the cards in ``card_mask`` to everybody."""
        self.known_cards = [known | card_mask for known in self.known_cards]

    def reveal_to(self, participant: int, card_mask: int) -> None:
        """Reveal the locations of the given cards to the seat that plays for a participant, if there is one."""
        if self.controlling_seat(participant) >= 0:
            self.known_cards[self.controlling_seat(participant)] |= card_mask

    def forget(self, card_mask: int) -> None:
        """Mark the locations of the cards in ``card_mask`` as unknown to everybody."""
        self.known_cards = [known & ~card_mask for known in self.known_cards]

    def forget_hand_contents(self, participant: int, card_mask: int) -> None:
        """Update who knows the cards in a participant's hand, just before some of them leave it unseen.

        ``card_mask`` contains the cards that leave. The other seats and the public no longer know any card of the hand,
        because they can't tell which ones are left. Nothing changes if the whole hand leaves, if none of the cards is
        in the hand, or if ``participant`` is an Automaton or a demon.
        """
        hand = self.cards_at[place_index(participant, HAND)]
        if participant >= self.seats or not card_mask & hand or not hand & ~card_mask:
            return
        self.known_cards = [
            known if seat == participant else known & ~hand for seat, known in enumerate(self.known_cards)
        ]

    def seats_that_know(self, card_mask: int) -> int:
        """Return a bit mask of the seats that know where all cards in ``card_mask`` are, or -1 if this is public."""
        if not card_mask & ~self.known_cards[self.seats]:
            return -1
        return sum(1 << seat for seat, known in enumerate(self.known_cards) if not card_mask & ~known)

    def record_event(self, event: ev.CardEvent, card_mask: int = 0) -> None:
        """Record an event, with the cards in ``card_mask`` added to it.

        Only the seats that currently know where all these cards are can see them in the event.
        """
        if card_mask:
            event = replace(event, cards=tuple(cards_in(card_mask)), seen_by=self.seats_that_know(card_mask))
        self.events.append(event)

    # ------------------------------------------------------------ moving cards

    def move_cards(self, card_mask: int, destination: int) -> None:
        """Move cards from their current places to another place, without changing who knows them."""
        for number, here in enumerate(self.cards_at):
            taken = here & card_mask
            if taken:
                many = taken.bit_count()
                self.cards_at[number] ^= taken
                self.counts_at[number] -= many
                self.counts_at[destination] += many
        self.cards_at[destination] |= card_mask

    def play_cards(
        self, participant: int, card_mask: int, destination: int, *, is_face_down: bool = False
    ) -> None:
        """Move cards played by ``participant`` to a place, face up unless ``is_face_down`` is set."""
        if is_face_down:
            self.forget_hand_contents(participant, card_mask)
        else:
            self.reveal(card_mask)
        self.move_cards(card_mask, destination)
        self._update_automaton_hand(participant)

    def discard_cards(self, participant: int, card_mask: int, *, is_face_up: bool = False) -> None:
        """Move cards of ``participant`` to the discard pile, face down unless ``is_face_up`` is set.

        If ``participant`` is -1, the cards belong to nobody. Unless ``card_mask`` is 0, the discard is recorded as an
        event.
        """
        if not card_mask:
            return
        if is_face_up:
            self.reveal(card_mask)
        elif participant >= 0:
            self.forget_hand_contents(participant, card_mask)
        self.move_cards(card_mask, DISCARD_PILE)
        if participant >= 0:
            self._update_automaton_hand(participant)
        self.record_event(
            ev.Discarded(participant=participant, seat=self.controlling_seat(participant)), card_mask
        )

    def _update_automaton_hand(self, participant: int) -> None:
        """Update ``automaton_hands`` after cards have left the hand of ``participant``.

        Nothing changes if ``participant`` isn't an Automaton.
        """
        if 0 <= participant - self.seats < len(self.automaton_hands):
            hand = self.cards_at[place_index(participant, HAND)]
            queue = self.automaton_hands[participant - self.seats]
            self.automaton_hands[participant - self.seats] = tuple(
                [card for card in queue if hand >> card & 1]
            )

    def draw_card(self, participant: int, destination: str) -> int:
        """Draw a card from the stock and return it.

        The stock must not be empty. ``destination`` is "hand", "slots" (the open cards of ``participant``) or "pool". A
        card that goes to a hidden hand may be seen only by the seat that plays for ``participant``, if any. Any other
        card may be seen by everybody. In either case, the card is recorded as just drawn: while a vote is pending,
        nobody may look at it.
        """
        stock = self.cards_at[STOCK]
        card = -1
        while self.preset_draws and card < 0:
            card = self.preset_draws.pop(0)
            card = card if stock >> card & 1 else -1
        if card < 0:
            cards = cards_in(stock)
            card = cards[random_below(self.seed, self.random_draws, len(cards))]
            self.random_draws += 1
        there = (
            POOL
            if destination == "pool"
            else place_index(participant, HAND if destination == "hand" else OPEN_CARDS)
        )
        mask = 1 << card
        self.cards_at[STOCK] ^= mask
        self.counts_at[STOCK] -= 1
        self.cards_at[there] |= mask
        self.counts_at[there] += 1
        if destination == "hand":
            if self.is_hand_open(participant):
                self.reveal(mask)
            else:
                self.reveal_to(participant, mask)
            if participant >= self.seats and self.controlling_seat(participant) < 0:
                self.automaton_hands[participant - self.seats] += (card,)
        else:
            self.reveal(mask)
        self.just_drawn |= mask
        self.events.append(
            ev.Drawn(
                participant=participant,
                seat=self.controlling_seat(participant),
                cards=(card,),
                word=destination,
                seen_by=self.seats_that_know(mask),
            )
        )
        return card

    # ------------------------------------------------------------ fields and the round

    def field_status(self, participant: int, suit: int) -> FieldStatus:
        """Return the status of a participant's field of ``suit``."""
        return self.field_statuses[participant * 4 + suit]

    def set_field_status(self, participant: int, suit: int, status: FieldStatus) -> None:
        """Set the status of a participant's field."""
        self.field_statuses[participant * 4 + suit] = status

    def engaged_cards(self, participant: int, suit: int) -> int:
        """Return the cards that a participant has engaged on a field, as a mask.

        For a couple split over two fields, both cards are returned for either field.
        """
        stand = self.field_status(participant, suit)
        if stand.kind != ENGAGED:
            return 0
        return self.cards_at[
            place_index(participant, FIELD, suit if stand.linked_suit < 0 else stand.linked_suit)
        ]

    def next_sequence_number(self) -> int:
        """Count one more engagement or abdication, and return its sequence number."""
        self.last_sequence_number += 1
        return self.last_sequence_number

    def give_up_field(self, participant: int, suit: int, cause: str = "") -> None:
        """Make a participant give up its field of ``suit``.

        ``cause`` is "world" or "judgement" if that card forced it, else "".
        """
        self.set_field_status(participant, suit, FieldStatus(ABDICATED, self.next_sequence_number()))
        self.touched_suits |= 1 << suit
        self.record_event(
            ev.Abdicated(
                participant=participant, seat=self.controlling_seat(participant), suits=(suit,), word=cause
            )
        )

    def close_stock(self) -> None:
        """Close the stock for the rest of the round, and discard Temperance if it is in play."""
        if not self.stock_closed:
            self.stock_closed = True
            self.record_event(ev.StockClosed())
        self.remove_temperance()

    def remove_temperance(self) -> None:
        """Discard Temperance if it is in play."""
        owner, suit = self.temperance_status
        if owner >= 0:
            self.temperance_status = (-1, -1)
            card = 1 << TEMPERANCE
            self.record_event(
                ev.Withdrawn(participant=owner, seat=self.controlling_seat(owner), suits=(suit,)), card
            )
            self.move_cards(card, DISCARD_PILE)

    def add_participant(self, controlling_seat: int, hand_limit: int) -> int:
        """Add a participant controlled by seat ``controlling_seat``, and return its number.

        ``hand_limit`` is the number of cards to which the participant refills its hand.
        """
        participant = len(self.controlling_seats)
        self.controlling_seats.append(controlling_seat)
        self.hand_limits.append(hand_limit)
        self.open_card_limits.append(0)
        self.cards_at += [0] * PLACES_PER_PARTICIPANT
        self.counts_at += [0] * PLACES_PER_PARTICIPANT
        self.field_statuses += [FieldStatus()] * 4
        return participant

    def public_fool_place(self) -> int:
        """Return the index of the place that holds the Fool, or -1 if that isn't publicly known."""
        if not self.known_cards[self.seats] >> FOOL & 1:
            return -1
        return next(number for number, cards in enumerate(self.cards_at) if cards >> FOOL & 1)

    def cards_to_discard_on_leaving(self, participant: int) -> int:
        """Return a mask of the cards that a participant discards when it leaves the round.

        They are the cards in its hand, its open cards, its Chariot and the cards in the Chariot.
        """
        return (
            self.cards_at[place_index(participant, HAND)]
            | self.cards_at[place_index(participant, OPEN_CARDS)]
            | self.cards_at[place_index(participant, CHARIOT_CARDS)]
        )


# Read the fields that change: all but the first three (rules, seats, seed) and the last (viewer).
_changing_fields: Callable[[MutableState], tuple[object, ...]] = attrgetter(
    *[each.name for each in fields(State)[3:-1]]
)


def reset_round(state: MutableState) -> None:
    """Put all cards back in the stock, remove the demons, and reset everything else that lasts only for a round.

    The turn order, the current turn and the tasks are left as they are.
    """
    participant_count = state.seats + state.rules.dummies
    state.controlling_seats = [
        participant if participant < state.seats else -1 for participant in range(participant_count)
    ]
    size = IN_PLAY + 1 + PLACES_PER_PARTICIPANT * participant_count
    state.cards_at = [ALL_CARDS] + [0] * (size - 1)
    state.counts_at = [CARD_COUNT] + [0] * (size - 1)
    state.known_cards = [0] * (state.seats + 1)
    state.field_statuses = [FieldStatus()] * (4 * participant_count)
    state.automaton_hands = [()] * state.rules.dummies
    state.hand_limits = [state.rules.hand] * participant_count
    state.open_card_limits = [0] * participant_count
    state.left_round = state.touched_suits = state.face_down_counts = state.last_sequence_number = (
        state.just_drawn
    ) = state.stock_renewals = 0
    state.skipped_demon = -1
    state.justice_in_play = state.stock_closed = False
    state.hermit_status = (-1, 0)
    state.temperance_status = (-1, -1)
