"""A moment of a match: where every card lies, who knows it, and what is still to be done."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from shibumi3d.rules.arcanoid.cards import cards_in
from shibumi3d.rules.arcanoid.table import CardRules
from shibumi3d.rules.game import Ask, Outcome, asked_first

STOCK, DISCARD, POOL, TABLE = range(4)
"""Places that belong to nobody."""
HAND, SLOTS, RESERVE, FIELD = range(4)
"""Places of a participant: the hidden hand, the cards that lie open before it, the Chariot, four fields."""
EACH = FIELD + 4
OPEN, ABDICATED, FORCES = range(3)
"""What a participant has on a field."""

Task = tuple[str | int | tuple[int, ...], ...]
"""Something still to be done: its name, then what it is about."""


def place(participant: int, which: int, suit: int = 0) -> int:
    """Return the number of a participant's place."""
    return TABLE + 1 + participant * EACH + which + suit


class Stand(NamedTuple):
    """What a participant has on a field: ``seq`` is when that came about; ``down``: face down; ``link``: the suit of
    the participant's field on which the cards of a couple lie that stands on two, else -1."""

    kind: int = OPEN
    seq: int = 0
    down: bool = False
    link: int = -1


class Won(NamedTuple):
    """Who won a field: the participant, the seat it counts for (-1: nobody), and the rule that decided."""

    who: int
    seat: int
    why: str


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a match; never changed.

    Participants are the seats, then what plays by itself, then demons. ``at`` is the set of cards at each place, in a
    view of those known there; ``count`` how many lie there. ``known``: for each seat, and last for everybody, the
    cards whose places it knows. ``fresh`` are cards drawn and not yet looked at. ``queues`` are the hands of those
    that play by themselves, the oldest card first, -1 for one not known. ``tasks`` are still to be done, the next one
    last. ``won`` are the fields of finished rounds, four each.
    """

    rules: CardRules = field(compare=False, repr=False)
    seats: int
    seed: int | None
    at: tuple[int, ...]
    count: tuple[int, ...]
    known: tuple[int, ...]
    stands: tuple[Stand, ...]
    masters: tuple[int, ...]
    """Who plays each participant: a seat, -1 for what plays by itself."""
    queues: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    caps: tuple[int, ...]
    """How many cards each hand holds."""
    slots: tuple[int, ...]
    """How many cards may lie open before each."""
    tasks: tuple[Task, ...]
    forced: tuple[int, ...] = ()
    """Cards that are drawn next."""
    draws: int = 0
    fresh: int = 0
    current: int = 0
    """Whose regular turn it is, or was last."""
    acting: int = 0
    """Who plays now."""
    skip: int = -1
    """A demon that waits for the next round of turns."""
    out: int = 0
    """Participants that have left the round, as a set."""
    touched: int = 0
    """Suits on which something was engaged."""
    spent: int = 0
    """Participants who laid all they may face down, counted in two bits each."""
    seq: int = 0
    justice: bool = False
    hermit: tuple[int, int] = (-1, 0)
    """Who has the Hermit, and the turns left."""
    temper: tuple[int, int] = (-1, -1)
    """Whose Temperance lies on which suit."""
    dead: bool = False
    """Whether the stock is never renewed any more."""
    renewals: int = 0
    round: int = 1
    first: int = 0
    """The seat that began the round."""
    won: tuple[Won, ...] = ()
    turn: int = 0
    step: int = 0
    over: Outcome | None = None
    viewer: int = field(default=-1, compare=False)
    """In the view of a seat, that seat."""

    # ------------------------------------------------------------ the contract

    @property
    def result(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self.over

    @property
    def ask(self) -> Ask | None:
        """The question open now; None when the match is over."""
        if self.over is not None:
            return None
        name, *rest = self.tasks[-1]
        if name == "vote":
            return Ask("vote", (self._first(rest[0]),))
        if name == "fool":
            asked = rest[2]
            assert isinstance(asked, tuple)
            if rest[4]:
                # Where everybody sees the Fool, one after the other is asked.
                return Ask("fool", (self.masters[asked[0]],), "open", "let", self._actor(asked[0]))
            return Ask("fool", tuple([self.masters[each] for each in asked]), "own", "let")
        who = rest[0]
        assert isinstance(who, int)
        if name == "hermit":
            return Ask("hermit", (self.masters[who],), "open", "go", self._actor(who))
        return Ask(str(name), (self.masters[who],), "own", "", self._actor(who))

    @staticmethod
    def _first(voters: str | int | tuple[int, ...]) -> int:
        assert isinstance(voters, tuple)
        return voters[0]

    def _actor(self, who: int) -> int:
        return who if who >= self.seats else -1

    @property
    def to_move(self) -> int | None:
        """The first of the seats asked, or the one that looks; None when the match is over."""
        return asked_first(self.ask, self.viewer)

    @property
    def mover(self) -> int:
        """The seat whose turn it is."""
        return max(0, self.masters[self.acting])

    @property
    def standing(self) -> Hashable:
        """Everything: no position recurs, as each turn is counted."""
        return self

    @property
    def phase(self) -> int:
        """There is one phase."""
        return 0

    @property
    def game_number(self) -> int:
        """A match is one game."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """The fields that each seat has won so far."""
        return tuple([sum(won.seat == seat for won in self.won) for seat in range(self.seats)])

    @property
    def totals(self) -> tuple[int, ...]:
        """Nothing: a match is no series."""
        return ()

    # ------------------------------------------------------------ what lies where

    @property
    def participants(self) -> int:
        """How many take part in the round."""
        return len(self.masters)

    def is_dummy(self, who: int) -> bool:
        """Return whether a participant plays by itself."""
        return self.masters[who] < 0

    def is_demon(self, who: int) -> bool:
        """Return whether a participant is a demon."""
        return who >= self.seats and self.masters[who] >= 0

    def is_out(self, who: int) -> bool:
        """Return whether a participant has left the round."""
        return bool(self.out >> who & 1)

    def stand(self, who: int, suit: int) -> Stand:
        """Return what a participant has on a field."""
        return self.stands[who * 4 + suit]

    def open_fields(self, who: int) -> list[int]:
        """Return the suits on which a participant has nothing yet."""
        return [suit for suit in range(4) if self.stands[who * 4 + suit].kind == OPEN]

    def hand(self, who: int) -> int:
        """Return the cards in a participant's hand, as far as they are known."""
        return self.at[place(who, HAND)]

    def held(self, who: int) -> int:
        """Return how many cards a participant has in the hand."""
        return self.count[place(who, HAND)]

    def open_cards(self, who: int) -> int:
        """Return the cards that lie open before a participant as a part of the hand."""
        return self.at[place(who, SLOTS)]

    def reserve(self, who: int) -> int:
        """Return the Chariot of a participant, with all that lies in it; 0 without one."""
        return self.at[place(who, RESERVE)]

    def available(self, who: int) -> int:
        """Return the cards that a participant may play: hand, open cards, and the pool."""
        first = place(who, HAND)
        return self.at[first] | self.at[first + SLOTS] | self.at[POOL]

    def laid_out(self, who: int) -> list[int]:
        """Return the cards that a participant may play, in the order in which they lie: hand, open cards, pool."""
        first = place(who, HAND)
        return [card for here in (first, first + SLOTS, POOL) for card in cards_in(self.at[here])]

    def field_place(self, who: int, suit: int) -> int:
        """Return the number of the place of the cards that a participant has on a field."""
        link = self.stands[who * 4 + suit].link
        return place(who, FIELD, suit if link < 0 else link)

    def forces(self, who: int, suit: int) -> int:
        """Return the cards that a participant has engaged on a field, as far as they are known; 0 for none."""
        if self.stands[who * 4 + suit].kind != FORCES:
            return 0
        return self.at[self.field_place(who, suit)]

    def other_half(self, who: int, suit: int) -> int:
        """Return the other field on which the cards of a couple stand too, or -1."""
        stand = self.stands[who * 4 + suit]
        if stand.kind != FORCES:
            return -1
        if stand.link >= 0:
            return stand.link
        for other in range(4):
            if self.stands[who * 4 + other].link == suit:
                return other
        return -1

    @property
    def fool_place(self) -> int:
        """Where the Fool lies, by what is known; -1 when that is not known."""
        return next((i for i, cards in enumerate(self.at) if cards >> 56 & 1), -1)

    def turned_order(self, who: int) -> list[int]:
        """Return the participants in turn order, beginning after ``who``."""
        at = self.order.index(who)
        return [*self.order[at + 1 :], *self.order[:at]]

    def known_hand(self, who: int) -> list[int]:
        """Return the cards of a hand as a viewer sees them, known ones first, -1 for each other."""
        cards = cards_in(self.hand(who))
        return cards + [-1] * (self.held(who) - len(cards))
