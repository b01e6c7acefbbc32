"""The mutable state to which moves are applied: where the cards are and which seats know it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from shibumi3d.rules.arcanoid import event as ev
from shibumi3d.rules.arcanoid.cards import ALL, CARDS, FOOL, TEMPERANCE, cards_in
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    DISCARD,
    EACH,
    FIELD,
    FORCES,
    HAND,
    POOL,
    RESERVE,
    SLOTS,
    STOCK,
    TABLE,
    Stand,
    State,
    Task,
    place,
)
from shibumi3d.rules.game import Outcome

_MANY = (1 << 64) - 1


def chance(seed: int, number: int, below: int) -> int:
    """Return element ``number`` of the random sequence for ``seed``, in the range 0 to ``below`` - 1.

    The bits are mixed as in SplitMix64 (Steele, Lea and Flood 2014).
    """
    x = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xD1B54A32D192ED03) & _MANY
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MANY
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MANY
    return (x ^ x >> 31) % below


class Work:
    """A mutable copy of a state, with the events recorded so far.

    The attributes are those of :class:`.state.State`.
    """

    def __init__(self, state: State) -> None:
        self.rules = state.rules
        self.seats = state.seats
        self.seed = state.seed or 0
        self.at = list(state.at)
        self.count = list(state.count)
        self.known = list(state.known)
        self.stands = list(state.stands)
        self.masters = list(state.masters)
        self.queues = list(state.queues)
        self.order = list(state.order)
        self.caps = list(state.caps)
        self.slots = list(state.slots)
        self.tasks: list[Task] = list(state.tasks)
        self.forced = list(state.forced)
        self.draws = state.draws
        self.fresh = state.fresh
        self.current = state.current
        self.acting = state.acting
        self.skip = state.skip
        self.out = state.out
        self.touched = state.touched
        self.spent = state.spent
        self.seq = state.seq
        self.justice = state.justice
        self.hermit = state.hermit
        self.temper = state.temper
        self.dead = state.dead
        self.renewals = state.renewals
        self.round = state.round
        self.first = state.first
        self.won = state.won
        self.turn = state.turn
        self.step = state.step
        self.over: Outcome | None = state.over
        self.events: list[ev.CardEvent] = []

    def frozen(self, before: State) -> State:
        """Return an immutable copy of this state.

        Fields that never change during a match are copied from ``before``.
        """
        changed: list[Any] = [tuple(value) if isinstance(value, list) else value for value in _changing(self)]
        values = [before.rules, before.seats, before.seed, *changed, before.viewer]
        return State(*values)

    # ------------------------------------------------------------ participants

    def seat(self, who: int) -> int:
        """Return the seat that plays for a participant, or -1 for an Automaton."""
        return self.masters[who] if who >= 0 else -1

    def in_sight(self, who: int) -> bool:
        """Return whether a participant's hand is face up, like that of a demon."""
        return who >= self.seats and self.masters[who] >= 0

    def is_out(self, who: int) -> bool:
        """Return whether a participant has left the round."""
        return bool(self.out >> who & 1)

    def after(self, who: int) -> list[int]:
        """Return the other participants in turn order, starting after ``who``."""
        at = self.order.index(who)
        return [*self.order[at + 1 :], *self.order[:at]]

    # ------------------------------------------------------------ knowledge and events

    def show(self, cards: int) -> None:
        """Reveal the locations of some cards to all seats."""
        self.known = [known | cards for known in self.known]

    def show_to(self, who: int, cards: int) -> None:
        """Reveal the locations of some cards to the seat that plays for a participant."""
        if self.seat(who) >= 0:
            self.known[self.seat(who)] |= cards

    def forget(self, cards: int) -> None:
        """Mark the locations of some cards as unknown to all seats."""
        self.known = [known & ~cards for known in self.known]

    def slip(self, who: int, cards: int) -> None:
        """Update who knows the hand of ``who``, just before some of its cards leave it unseen.

        Another seat that knew cards in the hand can't tell which of them are left, so it no longer knows any. If the
        whole hand leaves, nobody's knowledge changes.
        """
        hand = self.at[place(who, HAND)]
        if who >= self.seats or not cards & hand or not hand & ~cards:
            return
        self.known = [known if seat == who else known & ~hand for seat, known in enumerate(self.known)]

    def seers(self, cards: int) -> int:
        """Return a bit mask of the seats that know where all ``cards`` are, or -1 for all seats."""
        if not cards & ~self.known[self.seats]:
            return -1
        return sum(1 << seat for seat, known in enumerate(self.known) if not cards & ~known)

    def tell(self, event: ev.CardEvent, cards: int = 0) -> None:
        """Record an event about ``cards``.

        Only the seats that currently know where the cards are can see them in the event.
        """
        if cards:
            event = replace(event, cards=tuple(cards_in(cards)), seen=self.seers(cards))
        self.events.append(event)

    # ------------------------------------------------------------ moving cards

    def move(self, cards: int, there: int) -> None:
        """Move cards from their current places to another place, without changing who knows them."""
        for number, here in enumerate(self.at):
            taken = here & cards
            if taken:
                many = taken.bit_count()
                self.at[number] ^= taken
                self.count[number] -= many
                self.count[there] += many
        self.at[there] |= cards

    def leave(self, who: int, cards: int, there: int, *, unseen: bool = False) -> None:
        """Move cards played by ``who`` to a place, face up or, if ``unseen`` is set, face down."""
        if unseen:
            self.slip(who, cards)
        else:
            self.show(cards)
        self.move(cards, there)
        self._queued(who)

    def discard(self, who: int, cards: int, *, shown: bool = False) -> None:
        """Move cards of ``who`` to the discard pile, face down unless ``shown``.

        If ``who`` is -1, the cards belong to nobody.
        """
        if not cards:
            return
        if shown:
            self.show(cards)
        elif who >= 0:
            self.slip(who, cards)
        self.move(cards, DISCARD)
        if who >= 0:
            self._queued(who)
        self.tell(ev.Discarded(who=who, seat=self.seat(who)), cards)

    def _queued(self, who: int) -> None:
        """Remove from an Automaton's queue the cards that have left its hand."""
        if 0 <= who - self.seats < len(self.queues):
            hand = self.at[place(who, HAND)]
            queue = self.queues[who - self.seats]
            self.queues[who - self.seats] = tuple([card for card in queue if hand >> card & 1])

    def draw(self, who: int, which: str) -> int:
        """Draw a card from the stock, which must not be empty, and return it.

        ``which`` is the destination: "hand", "slots" (the open cards of ``who``) or "pool". All seats see the card
        unless it goes to a hidden hand. The card is marked as fresh: while a vote is pending, its owner can't look at
        it.
        """
        stock = self.at[STOCK]
        card = -1
        while self.forced and card < 0:
            card = self.forced.pop(0)
            card = card if stock >> card & 1 else -1
        if card < 0:
            cards = cards_in(stock)
            card = cards[chance(self.seed, self.draws, len(cards))]
            self.draws += 1
        there = POOL if which == "pool" else place(who, HAND if which == "hand" else SLOTS)
        mask = 1 << card
        self.at[STOCK] ^= mask
        self.count[STOCK] -= 1
        self.at[there] |= mask
        self.count[there] += 1
        if which == "hand":
            if self.in_sight(who):
                self.show(mask)
            else:
                self.show_to(who, mask)
            if who >= self.seats and self.seat(who) < 0:
                self.queues[who - self.seats] += (card,)
        else:
            self.show(mask)
        self.fresh |= mask
        self.events.append(
            ev.Drawn(
                who=who,
                seat=self.seat(who),
                cards=(card,),
                word=which,
                seen=self.seers(mask),
            )
        )
        return card

    # ------------------------------------------------------------ fields and the round

    def stand(self, who: int, suit: int) -> Stand:
        """Return the status of a participant's field."""
        return self.stands[who * 4 + suit]

    def set_stand(self, who: int, suit: int, stand: Stand) -> None:
        """Change the status of a participant's field."""
        self.stands[who * 4 + suit] = stand

    def forces(self, who: int, suit: int) -> int:
        """Return the cards that a participant has engaged on a field."""
        stand = self.stand(who, suit)
        if stand.kind != FORCES:
            return 0
        return self.at[place(who, FIELD, suit if stand.link < 0 else stand.link)]

    def stamp(self) -> int:
        """Return the next sequence number for an engagement or abdication."""
        self.seq += 1
        return self.seq

    def abdicate(self, who: int, suit: int, why: str = "") -> None:
        """Make a participant give up its field.

        ``why`` is "world" or "judgement" if that card forced it, else "".
        """
        self.set_stand(who, suit, Stand(ABDICATED, self.stamp()))
        self.touched |= 1 << suit
        self.tell(ev.Abdicated(who=who, seat=self.seat(who), suits=(suit,), word=why))

    def die(self) -> None:
        """Close the stock for the rest of the round and remove Temperance."""
        if not self.dead:
            self.dead = True
            self.tell(ev.Died())
        self.lift()

    def lift(self) -> None:
        """Discard Temperance if it is in play."""
        owner, suit = self.temper
        if owner >= 0:
            self.temper = (-1, -1)
            card = 1 << TEMPERANCE
            self.tell(ev.Withdrawn(who=owner, seat=self.seat(owner), suits=(suit,)), card)
            self.move(card, DISCARD)

    def join(self, master: int, cap: int) -> int:
        """Add a participant for whom seat ``master`` plays, and return its number.

        ``cap`` is its maximum hand size.
        """
        who = len(self.masters)
        self.masters.append(master)
        self.caps.append(cap)
        self.slots.append(0)
        self.at += [0] * EACH
        self.count += [0] * EACH
        self.stands += [Stand()] * 4
        return who

    def fool_place(self) -> int:
        """Return the index of the place where the Fool is, or -1 unless all seats know it."""
        if not self.known[self.seats] >> FOOL & 1:
            return -1
        return next(number for number, cards in enumerate(self.at) if cards >> FOOL & 1)

    def owned(self, who: int) -> int:
        """Return the cards that a participant discards when it leaves the round.

        They are its hand, its open cards and its Chariot.
        """
        return self.at[place(who, HAND)] | self.at[place(who, SLOTS)] | self.at[place(who, RESERVE)]


# Read the fields that change: all but the first three (rules, seats, seed) and the last (viewer).
_changing: Callable[[Work], tuple[Any, ...]] = attrgetter(*[field.name for field in fields(State)[3:-1]])


def fresh_deck(work: Work) -> None:
    """Put all cards back in the stock and reset the participants to seats and Automatons."""
    people = work.seats + work.rules.dummies
    work.masters = [who if who < work.seats else -1 for who in range(people)]
    size = TABLE + 1 + EACH * people
    work.at = [ALL] + [0] * (size - 1)
    work.count = [CARDS] + [0] * (size - 1)
    work.known = [0] * (work.seats + 1)
    work.stands = [Stand()] * (4 * people)
    work.queues = [()] * work.rules.dummies
    work.caps = [work.rules.hand] * people
    work.slots = [0] * people
    work.out = work.touched = work.spent = work.seq = work.fresh = work.renewals = 0
    work.skip = -1
    work.justice = work.dead = False
    work.hermit = (-1, 0)
    work.temper = (-1, -1)
