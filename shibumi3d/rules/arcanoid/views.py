"""What a seat can observe of states and events, and random full states consistent with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from shibumi3d.rules.arcanoid.cards import ALL, NUMERIC, SUIT, cards_in
from shibumi3d.rules.arcanoid.event import UNKNOWN, CardEvent
from shibumi3d.rules.arcanoid.sets import sets_for
from shibumi3d.rules.arcanoid.state import FIELD, FORCES, HAND, POOL, SLOTS, State, place


def view_of(state: State, seat: int | None) -> State:
    """Return the view of ``seat`` (None: spectators).

    While a vote is pending, cards that were just drawn are hidden.
    """
    who = state.seats if seat is None else seat
    known = state.known[who]
    public = state.known[state.seats]
    if voting(state):
        known, public = known & ~state.fresh, public & ~state.fresh
    knowing = [public] * (state.seats + 1)
    knowing[who] = known
    queues = tuple(
        [tuple([card if card >= 0 and known >> card & 1 else -1 for card in queue]) for queue in state.queues]
    )
    return replace(
        state,
        seed=None,
        at=tuple([cards & known for cards in state.at]),
        known=tuple(knowing),
        queues=queues,
        forced=(),
        fresh=0,
        viewer=-1 if seat is None else seat,
    )


def voting(state: State) -> bool:
    """Return whether a vote on a new stock is pending."""
    return bool(state.tasks) and state.tasks[-1][0] == "vote"


def as_seen_by(state: State, events: Iterable[CardEvent], seat: int | None) -> tuple[CardEvent, ...]:
    """Return the events that led to ``state`` as observed by ``seat`` (None: spectators)."""
    who = state.seats if seat is None else seat
    covered = state.fresh if voting(state) else 0
    return tuple([_told(event, who, state.seats, covered) for event in events])


def _told(event: CardEvent, who: int, everybody: int, covered: int) -> CardEvent:
    hidden = any(card >= 0 and covered >> card & 1 for card in event.cards)
    if hidden or not event.seen >> who & 1:
        return replace(event, cards=(UNKNOWN,) * len(event.cards), seen=0)
    # The view must not reveal which other seats know the cards.
    return event if event.seen == -1 else replace(event, seen=-1 if event.seen >> everybody & 1 else 1 << who)


def sampled(view: State, seat: int, rng: Random) -> State:
    """Return a random full state consistent with the ``view`` of ``seat`` (a determinization).

    Unknown cards are distributed at random over the unknown places. Face-down engagements are filled first so that they
    are legal sets if possible. The state has a new random seed.
    """
    at = list(view.at)
    lying = 0
    for cards in at:
        lying |= cards
    unknown = cards_in(ALL & ~lying)
    rng.shuffle(unknown)
    for who in range(view.participants):
        for suit in range(4):
            stand = view.stands[who * 4 + suit]
            if stand.kind == FORCES and stand.down:
                here = place(who, FIELD, suit)
                lacking = view.count[here] - at[here].bit_count()
                if lacking:
                    chosen = _laid(view, at[here], unknown, suit, lacking, rng)
                    unknown = [card for card in unknown if not chosen >> card & 1]
                    at[here] |= chosen
    for here, count in enumerate(view.count):
        for _ in range(count - at[here].bit_count()):
            at[here] |= 1 << unknown.pop()
    known, fresh = list(view.known), 0
    for each in range(view.seats):
        known[each] |= at[place(each, HAND)]
    if voting(view):
        # In a place where this seat sees all cards, an unknown card has just been drawn while a vote is pending.
        mine = [place(seat, HAND), POOL, *(place(who, SLOTS) for who in range(view.participants))]
        mine += [place(who, HAND) for who in range(view.participants) if view.is_demon(who)]
        for here in mine:
            drawn = at[here] & ~view.known[seat]
            fresh |= drawn
            if here != place(seat, HAND):
                known = [each | drawn for each in known]
    queues = []
    for number, queue in enumerate(view.queues):
        hand = at[place(view.seats + number, HAND)]
        rest = [card for card in cards_in(hand) if card not in queue]
        rng.shuffle(rest)
        queues.append(tuple([card if card >= 0 else rest.pop() for card in queue]))
    return replace(
        view,
        seed=rng.getrandbits(48),
        at=tuple(at),
        known=tuple(known),
        queues=tuple(queues),
        fresh=fresh,
        viewer=-1,
    )


def _laid(view: State, seen: int, unknown: list[int], suit: int, lacking: int, rng: Random) -> int:
    """Return ``lacking`` unknown cards to complete a face-down engagement, legally if possible.

    ``seen`` is the mask of the engagement's cards that the viewer knows.
    """
    own = [card for card in unknown if SUIT[suit] & NUMERIC & 1 << card]
    if not seen and (lacking > 2 or rng.random() < 0.7) and len(own) >= lacking:
        return sum(1 << card for card in own[:lacking])
    pool = sum(1 << card for card in unknown)
    fitting = [
        some & ~seen
        for some in sets_for(pool, seen, suit, view.rules)
        if (some & ~seen).bit_count() == lacking
    ]
    if fitting:
        return rng.choice(fitting)
    return sum(1 << card for card in unknown[:lacking])
