"""The state of a match of Arcanoid: where each card is, who knows it, and which tasks are pending."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from shibumi3d.rules.arcanoid.cards import cards_in
from shibumi3d.rules.arcanoid.table import CardRules
from shibumi3d.rules.game import Ask, Outcome, asked_first

STOCK, DISCARD, POOL, TABLE = range(4)
"""Places that belong to nobody: stock, discard pile, shared open cards, and majors in play."""
HAND, SLOTS, RESERVE, FIELD = range(4)
"""Places of a participant: hand, own open cards, Chariot, and the first of four fields."""
EACH = FIELD + 4
OPEN, ABDICATED, FORCES = range(3)
"""Statuses of a participant's field: undecided, given up, and cards engaged."""

Task = tuple[str | int | tuple[int, ...], ...]
"""A pending task as a tuple of its name and its arguments."""


def place(participant: int, which: int, suit: int = 0) -> int:
    """Return the index of a participant's place; FIELD stands for the field of ``suit``."""
    return TABLE + 1 + participant * EACH + which + suit


class Stand(NamedTuple):
    """Status of a participant's field.

    ``seq`` numbers all engagements and abdications of a round in the order in which they were made. ``down`` is set if
    the cards are face down. If a couple is split over two fields, its cards are on one of them; on the other, ``link``
    is the suit of the field with the cards. Otherwise, ``link`` is -1.
    """

    kind: int = OPEN
    seq: int = 0
    down: bool = False
    link: int = -1


class Won(NamedTuple):
    """A field that was won.

    Its values are the participant who won it, the seat for which it was won (-1: no seat), and the rule that decided
    it.
    """

    who: int
    seat: int
    why: str


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match at one moment; immutable.

    Participants are numbered in this order: the seats, the Automatons, which play by themselves, and the demons, for
    which seats play. Places are indexed as in :func:`place`. Sets of cards are bit masks.

    ``at`` holds the cards at each place; in a view, only those that the viewer knows. ``count`` is the number of cards
    at each place, whether known or not. ``known`` holds the cards whose place is known, for each seat and finally for
    the public. ``fresh`` are the cards drawn as a result of the last move; while a vote is pending, nobody may look at
    them. ``queues`` are the hands of the Automatons, oldest card first, with -1 for an unknown card. ``order`` lists
    the participants in turn order. ``tasks`` is a stack of pending tasks, of which the last is the next one. ``seq``
    counts engagements and abdications in this round. ``won`` holds the fields of all finished rounds, four per round.
    """

    rules: CardRules = field(compare=False, repr=False)
    seats: int
    seed: int | None
    at: tuple[int, ...]
    count: tuple[int, ...]
    known: tuple[int, ...]
    stands: tuple[Stand, ...]
    masters: tuple[int, ...]
    """For each participant, the seat that plays for it, or -1 for an Automaton."""
    queues: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    caps: tuple[int, ...]
    """Number of cards up to which each participant refills its hand."""
    slots: tuple[int, ...]
    """Number of open cards that each participant may have because of Strength."""
    tasks: tuple[Task, ...]
    forced: tuple[int, ...] = ()
    """Next cards to be drawn, as preset by the deal."""
    draws: int = 0
    fresh: int = 0
    current: int = 0
    """Participant who has the current regular turn, or had the last one."""
    acting: int = 0
    """Participant who is taking the current turn, which may be an extra turn."""
    skip: int = -1
    """Demon that has to wait for the next round of turns, or -1."""
    out: int = 0
    """Participants who have left the round, as bits."""
    touched: int = 0
    """Suits of the fields on which anyone has engaged or that anyone has given up, as bits."""
    spent: int = 0
    """Number of face-down engagements by each participant in this round, in four bits each."""
    seq: int = 0
    justice: bool = False
    hermit: tuple[int, int] = (-1, 0)
    """Participant who played the Hermit, or -1, and the number of extra turns left."""
    temper: tuple[int, int] = (-1, -1)
    """Participant who has Temperance in play and the suit of its field, or -1, -1."""
    dead: bool = False
    """Whether the stock is closed for the rest of the round."""
    renewals: int = 0
    round: int = 1
    first: int = 0
    """Seat that takes the first turn of the round."""
    won: tuple[Won, ...] = ()
    turn: int = 0
    step: int = 0
    over: Outcome | None = None
    viewer: int = field(default=-1, compare=False)
    """Seat whose view this is; -1 for the full state and for spectators."""

    # ------------------------------------------------------------ the State protocol

    @property
    def result(self) -> Outcome | None:
        """Result of the match, or None if it is not over."""
        return self.over

    @property
    def ask(self) -> Ask | None:
        """Pending decision, or None if the match is over."""
        if self.over is not None:
            return None
        name, *rest = self.tasks[-1]
        if name == "vote":
            return Ask("vote", (self._first(rest[0]),))
        if name == "fool":
            asked = rest[2]
            assert isinstance(asked, tuple)
            if rest[4]:
                # Everybody knows where the Fool is, so the participants decide one after another.
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
        """Seat to move, or None if the match is over.

        If several seats have to decide, it is the viewer if the viewer is one of them, else the first of them.
        """
        return asked_first(self.ask, self.viewer)

    @property
    def mover(self) -> int:
        """Seat that plays for the acting participant, or 0 for an Automaton."""
        return max(0, self.masters[self.acting])

    @property
    def standing(self) -> Hashable:
        """Repetition key: the state itself, since turns are counted and no position recurs."""
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
        return tuple([sum(won.seat == seat for won in self.won) for seat in range(self.seats)])

    @property
    def totals(self) -> tuple[int, ...]:
        """Always empty, since a match is not a series."""
        return ()

    # ------------------------------------------------------------ participants and cards

    @property
    def participants(self) -> int:
        """Number of participants in the round, including those who have left it."""
        return len(self.masters)

    def is_demon(self, who: int) -> bool:
        """Return whether a participant is a demon."""
        return who >= self.seats and self.masters[who] >= 0

    def is_out(self, who: int) -> bool:
        """Return whether a participant has left the round."""
        return bool(self.out >> who & 1)

    def stand(self, who: int, suit: int) -> Stand:
        """Return the status of a participant's field."""
        return self.stands[who * 4 + suit]

    def open_fields(self, who: int) -> list[int]:
        """Return the suits of the fields that a participant has neither engaged on nor given up."""
        return [suit for suit in range(4) if self.stands[who * 4 + suit].kind == OPEN]

    def hand(self, who: int) -> int:
        """Return the known cards in a participant's hand."""
        return self.at[place(who, HAND)]

    def held(self, who: int) -> int:
        """Return the number of cards in a participant's hand."""
        return self.count[place(who, HAND)]

    def open_cards(self, who: int) -> int:
        """Return the open cards of a participant, which it may play like those in its hand."""
        return self.at[place(who, SLOTS)]

    def reserve(self, who: int) -> int:
        """Return the mask of a participant's Chariot and the cards in it, or 0 if it has no Chariot."""
        return self.at[place(who, RESERVE)]

    def available(self, who: int) -> int:
        """Return the cards that a participant may play: hand, own open cards and shared open cards."""
        first = place(who, HAND)
        return self.at[first] | self.at[first + SLOTS] | self.at[POOL]

    def laid_out(self, who: int) -> list[int]:
        """Return the playable cards of a participant in order: hand, open cards, shared cards."""
        first = place(who, HAND)
        return [card for here in (first, first + SLOTS, POOL) for card in cards_in(self.at[here])]

    def field_place(self, who: int, suit: int) -> int:
        """Return the index of the place of a participant's cards for a field."""
        link = self.stands[who * 4 + suit].link
        return place(who, FIELD, suit if link < 0 else link)

    def forces(self, who: int, suit: int) -> int:
        """Return the known cards that a participant has engaged on a field, as a mask."""
        if self.stands[who * 4 + suit].kind != FORCES:
            return 0
        return self.at[self.field_place(who, suit)]

    @property
    def fool_place(self) -> int:
        """Index of the place where the Fool is, or -1 if it is unknown."""
        return next((i for i, cards in enumerate(self.at) if cards >> 56 & 1), -1)
