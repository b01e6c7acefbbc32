"""The game interface of Arcanoid, on immutable states, with the parameters from a game file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.arcanoid import reasons, telling, views, words
from shibumi3d.rules.arcanoid.acts import act
from shibumi3d.rules.arcanoid.cards import CARDS, NUMBER, cards_in, renamed
from shibumi3d.rules.arcanoid.event import CardEvent, MatchDone
from shibumi3d.rules.arcanoid.flow import deal as deal_round
from shibumi3d.rules.arcanoid.flow import first_seat, lost_on_time, run
from shibumi3d.rules.arcanoid.move import Move, compact
from shibumi3d.rules.arcanoid.moves import open_moves
from shibumi3d.rules.arcanoid.state import State
from shibumi3d.rules.arcanoid.table import CHOICES, MOST, CardRules
from shibumi3d.rules.arcanoid.work import Work
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Deal, Facts, settled
from shibumi3d.rules.plain import PlainGame

TURNS = (12, 30)
"""Usual minimum and maximum number of turns that a seat takes in a round."""
ANSWER_KEYS = {"steal": "1", "extra": "1", "yes": "1", "no": "2"}
"""Digit keys for one-word answers.

Answers that do nothing are left out, because the page has its own key for them.
"""
CARD_KEYS = "1234567890"
"""Keys of the playable cards, in the order in which they are laid out."""
FIELD_KEYS = "cdef"
"""Keys for giving up a field. They are far from the digits, because giving up can't be undone."""


class CardGame(PlainGame[CardRules]):
    """Arcanoid with one set of parameters."""

    kind = "arcanoid"
    _offered: tuple[State | None, int, tuple[Move, ...]] = (None, -1, ())
    """The last result of :meth:`moves`: the state, the seat and its legal moves."""

    def chosen(self, seats: int) -> CardRules:
        """Return the parameters, including the options chosen for a match of ``seats`` seats."""
        chosen = settled(self.options, self.form, seats)
        return replace(self.table, **{name: chosen[name] for name in CHOICES if name in chosen})  # type: ignore[arg-type]

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game for ``seats`` seats (None: the minimum)."""
        seats = self.players[0] if seats is None else seats
        many = seats * self.chosen(seats).rounds
        return Facts(
            players=self.players,
            turns=(TURNS[0] * many, TURNS[1] * many),
            secrets=True,
            chance=True,
            options=self.options,
            scored=True,
        )

    # ------------------------------------------------------------ states and moves

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match.

        ``deal`` may preset ``first``, the number of the starting seat, counted from 1. It may also preset ``stock``,
        the names of the first cards in the order in which they are drawn; these fill one hand after the other. All
        later cards are drawn at random. Raises ValueError if the number of seats or the deal is not valid.
        """
        seats = self.seats_of(seats)
        table = self.chosen(seats)
        if seats + table.dummies > MOST:
            raise InvalidValueError(
                "{game}: too many at the table (players: {seats}, Automatons: {more})",
                game=self.title,
                seats=seats,
                more=table.dummies,
            )
        first = first_seat(seed, seats)
        forced: tuple[int, ...] = ()
        for name, given in (deal or {}).items():
            text = given if isinstance(given, str) else " ".join(given)
            if name == "first":
                told = text.strip()
                if not (told.isdecimal() and len(told) < 3 and 1 <= int(told) <= seats):
                    raise InvalidValueError(
                        "'first' must be a seat from 1 to {seats}, not '{text}'", seats=seats, text=text
                    )
                first = int(told) - 1
            elif name == "stock":
                forced = _cards(text)
            else:
                raise InvalidValueError(
                    "{game}: the deal can't set '{name}', only first and stock", game=self.title, name=name
                )
        before = State(
            table,
            seats,
            seed,
            (),
            (),
            (0,) * (seats + 1),
            (),
            (),
            (),
            (),
            (),
            (),
            (),
            forced,
            first=first,
        )
        work = Work(before)
        deal_round(work)
        return work.frozen(before)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move), in a fixed order."""
        asked = state.to_move if seat is None else seat
        if asked is None:
            return ()
        if self._offered[0] is not state or self._offered[1] != asked:
            self._offered = (state, asked, open_moves(state, asked))
        return self._offered[2]

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[CardEvent, ...]]:
        """Return the state after a move, and the events in order.

        The move may be given as text. Raises IllegalMove.
        """
        chosen = move if isinstance(move, Move) else self.parse(state, move)
        seat = None if chosen.seat < 0 else chosen.seat
        if chosen not in self.moves(state, seat):
            chosen = self.parse(state, chosen.text, seat)
        work = Work(state)
        act(work, chosen)
        run(work, state)
        return work.frozen(state), tuple(work.events)

    def drawn(self, state: State) -> tuple[State, tuple[CardEvent, ...]]:
        """Raise IllegalMove: no draw can be claimed, since positions never repeat."""
        raise IllegalMove("positions never repeat in this game")

    def lost(self, state: State, seat: int) -> tuple[State, tuple[CardEvent, ...]]:
        """Return the state after ``seat`` loses on time to all other seats, and the event.

        Raises IllegalMove if the match is over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        return replace(state, over=lost_on_time(state, seat)), (MatchDone(),)

    def compact(self, text: str) -> str:
        """Convert typed text to the notation of moves."""
        return compact(text)

    # ------------------------------------------------------------ hidden information

    def view(self, state: State, seat: int | None) -> State:
        """Return the state without what ``seat`` may not know; None stands for a spectator."""
        return views.view_of(state, seat)

    def as_seen_by(
        self, state: State, events: Iterable[CardEvent], seat: int | None
    ) -> tuple[CardEvent, ...]:
        """Return the events in ``state`` as observed by ``seat``."""
        return views.as_seen_by(state, events, seat)

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return a random full state that is consistent with ``view``, with a new random seed."""
        return views.sampled(view, seat, rng)

    def grounds(
        self, view: State, move: Move, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for a move that follow from the rules alone."""
        return tuple(reasons.grounds(view, move))

    # ------------------------------------------------------------ texts

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Sequence[Move] | None = None
    ) -> str:
        """Describe the pending decision, in lower case and without naming the player."""
        return words.ask_line(view, lang, names)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return the text of a move for the label of a button."""
        return words.say(view, move, lang, names)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe a move and its certain consequences."""
        return words.foretell(view, move, lang, names)

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why the selected cards can't be used at the selected place now."""
        return telling.why_not(view, spots, lang, names)

    def log_line(
        self,
        before: State,
        move: Move,
        events: Sequence[CardEvent],
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> str:
        """Return the log text for a move and its effects."""
        # Log a theft as the public saw it, because a demon may steal cards that its own master laid face down.
        seat = None if move.kind == "steal" else move.seat if move.seat >= 0 else before.to_move
        view = self.view(before, seat)
        return telling.log_line(view, move, events, lang, names)

    def happened(
        self, view: State, events: Iterable[CardEvent], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Summarize events in one sentence."""
        return telling.happened(view, list(events), lang, names)

    def round_line(self, view: State, lang: str = "en") -> str:
        """Return text that says which round is being played."""
        return telling.round_line(view, lang)

    def thing_line(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe what is at a spot, such as a pile, or a card with its points or effect."""
        return telling.thing_line(view, spot, lang, names)

    def detail(self, view: State, move: Move, lang: str = "en") -> str:
        """Return a second line that gives the effect of the major played, or "" for other moves."""
        told = words.effect(cards_in(move.cards)[0], lang) if move.kind == "play" else ""
        return f"\n{told}" if told else ""

    def key_of(self, view: State, move: Move) -> str:
        """Return the key that selects a move, or "" if it has none.

        Digits stand for the cards in hand, the open cards and the shared cards, numbered from left to right. During a
        turn, the digit of a card discards it. Digits also stand for one-word answers, and letters for giving up fields.
        If the choice is to discard after the Wheel or to load the Chariot, the letters stand for the cards after those
        with digits.
        """
        if move.kind == "abdicate":
            return FIELD_KEYS[move.suits[0]]
        task = view.tasks[-1]
        if move.kind != "discard" and (move.kind, task[0]) != ("load", "load"):
            return ANSWER_KEYS.get(move.kind, "")
        keys = CARD_KEYS if task[0] == "turn" else CARD_KEYS + FIELD_KEYS
        assert isinstance(task[1], int)
        laid, card = view.laid_out(task[1]), cards_in(move.cards)[0]
        place = laid.index(card) if card in laid else len(keys)
        return keys[place] if place < len(keys) else ""

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Describe which fields a seat has won so far and which of its majors are in play."""
        return telling.own_line(view, seat, lang)

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return the visible table as lines of text for the terminal."""
        return telling.lines(view, lang, names)


def _cards(text: str) -> tuple[int, ...]:
    """Return the cards named in ``text``, in the same order.

    Raises ValueError if a name is unknown or repeated.
    """
    found = []
    for name in renamed(text.replace(",", " ").upper()).split():
        if name not in NUMBER:
            raise InvalidValueError(
                "there is no card '{name}': cards have names like S10, CJ or M21", name=name
            )
        if NUMBER[name] in found:
            raise InvalidValueError("the card {card} is listed twice", card=name)
        found.append(NUMBER[name])
    assert len(found) <= CARDS
    return tuple(found)
