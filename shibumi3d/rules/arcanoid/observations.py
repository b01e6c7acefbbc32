"""What a seat can observe of states and events in Arcanoid, and random full states consistent with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from shibumi3d.rules.arcanoid.cards import ALL_CARDS, NUMBER_CARDS, SUIT_CARDS, cards_in
from shibumi3d.rules.arcanoid.events import UNKNOWN_CARD, CardEvent
from shibumi3d.rules.arcanoid.moves import legal_sets
from shibumi3d.rules.arcanoid.state import ENGAGED, FIELD, HAND, OPEN_CARDS, POOL, State, place_index


def observe(state: State, seat: int | None) -> State:
    """Return the view of ``seat`` (None: spectators).

    While a vote on a new stock is pending, the cards that were just drawn are hidden from everybody, even from the seat
    that drew them.
    """
    observer = state.seats if seat is None else seat
    known = state.known_cards[observer]
    public = state.known_cards[state.seats]
    if is_vote_pending(state):
        known, public = known & ~state.just_drawn, public & ~state.just_drawn
    knowing = [public] * (state.seats + 1)
    knowing[observer] = known
    queues = tuple(
        [
            tuple([card if card >= 0 and known >> card & 1 else -1 for card in queue])
            for queue in state.automaton_hands
        ]
    )
    return replace(
        state,
        seed=None,
        cards_at=tuple([cards & known for cards in state.cards_at]),
        known_cards=tuple(knowing),
        automaton_hands=queues,
        preset_draws=(),
        just_drawn=0,
        viewer=-1 if seat is None else seat,
    )


def is_vote_pending(state: State) -> bool:
    """Return whether a vote on a new stock is pending."""
    return bool(state.tasks) and state.tasks[-1][0] == "vote"


def observe_events(state: State, events: Iterable[CardEvent], seat: int | None) -> tuple[CardEvent, ...]:
    """Return ``events``, reduced to what ``seat`` observed.

    The events led to ``state``. If ``seat`` is None, they are reduced to what a spectator observed.
    """
    observer = state.seats if seat is None else seat
    covered = state.just_drawn if is_vote_pending(state) else 0
    return tuple([_observe_event(event, observer, state.seats, covered) for event in events])


def _observe_event(event: CardEvent, observer: int, public_bit: int, hidden_cards: int) -> CardEvent:
    hidden = any(card >= 0 and hidden_cards >> card & 1 for card in event.cards)
    if hidden or not event.seen_by >> observer & 1:
        return replace(event, cards=(UNKNOWN_CARD,) * len(event.cards), seen_by=0)
    # The view must not reveal which other seats know the cards.
    return (
        event
        if event.seen_by == -1
        else replace(event, seen_by=-1 if event.seen_by >> public_bit & 1 else 1 << observer)
    )


def determinize(view: State, seat: int, rng: Random) -> State:
    """Return a determinization: a random full state that is consistent with the ``view`` of ``seat``.

    Unknown cards are put in random places. Face-down engagements get theirs first, so that they are legal sets if
    possible. The state has a new random seed.
    """
    cards_at = list(view.cards_at)
    lying = 0
    for cards in cards_at:
        lying |= cards
    unknown = cards_in(ALL_CARDS & ~lying)
    rng.shuffle(unknown)
    for participant in range(view.participants):
        for suit in range(4):
            status = view.field_statuses[participant * 4 + suit]
            if status.kind == ENGAGED and status.is_face_down:
                place = place_index(participant, FIELD, suit)
                missing_count = view.counts_at[place] - cards_at[place].bit_count()
                if missing_count:
                    chosen = _complete_face_down_set(view, cards_at[place], unknown, suit, missing_count, rng)
                    unknown = [card for card in unknown if not chosen >> card & 1]
                    cards_at[place] |= chosen
    for place, count in enumerate(view.counts_at):
        for _ in range(count - cards_at[place].bit_count()):
            cards_at[place] |= 1 << unknown.pop()
    known, fresh = list(view.known_cards), 0
    for each in range(view.seats):
        known[each] |= cards_at[place_index(each, HAND)]
    if is_vote_pending(view):
        # This seat sees all cards in the following places, except those that were drawn just before the vote.
        own_places = [
            place_index(seat, HAND),
            POOL,
            *(place_index(participant, OPEN_CARDS) for participant in range(view.participants)),
        ]
        own_places += [
            place_index(participant, HAND)
            for participant in range(view.participants)
            if view.is_demon(participant)
        ]
        for place in own_places:
            drawn = cards_at[place] & ~view.known_cards[seat]
            fresh |= drawn
            if place != place_index(seat, HAND):
                known = [each | drawn for each in known]
    queues = []
    for number, queue in enumerate(view.automaton_hands):
        hand = cards_at[place_index(view.seats + number, HAND)]
        rest = [card for card in cards_in(hand) if card not in queue]
        rng.shuffle(rest)
        queues.append(tuple([card if card >= 0 else rest.pop() for card in queue]))
    return replace(
        view,
        seed=rng.getrandbits(48),
        cards_at=tuple(cards_at),
        known_cards=tuple(known),
        automaton_hands=tuple(queues),
        just_drawn=fresh,
        viewer=-1,
    )


def _complete_face_down_set(
    view: State, seen_cards: int, unknown_cards: list[int], suit: int, missing_count: int, rng: Random
) -> int:
    """Return a mask of ``missing_count`` unknown cards that complete a face-down engagement, chosen at random.

    ``unknown_cards`` must be in random order. If possible, the completed engagement is a legal set; if ``seen_cards``
    is empty, number cards of ``suit`` are preferred. ``seen_cards`` is the mask of the engagement's cards that the
    viewer knows.
    """
    own = [card for card in unknown_cards if SUIT_CARDS[suit] & NUMBER_CARDS & 1 << card]
    if not seen_cards and (missing_count > 2 or rng.random() < 0.7) and len(own) >= missing_count:
        return sum(1 << card for card in own[:missing_count])
    pool = sum(1 << card for card in unknown_cards)
    fitting = [
        legal_set & ~seen_cards
        for legal_set in legal_sets(pool, seen_cards, suit, view.rules)
        if (legal_set & ~seen_cards).bit_count() == missing_count
    ]
    if fitting:
        return rng.choice(fitting)
    return sum(1 << card for card in unknown_cards[:missing_count])
