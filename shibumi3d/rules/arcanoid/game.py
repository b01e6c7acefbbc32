"""Implementation of the game interface for Arcanoid, with parameters from a game file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.arcanoid import observations, text
from shibumi3d.rules.arcanoid.cards import CARD_BY_NAME, CARD_COUNT, cards_in, modernize_card_names
from shibumi3d.rules.arcanoid.events import CardEvent, MatchEnded
from shibumi3d.rules.arcanoid.flow import (
    apply_move,
    deal_round,
    outcome_on_time,
    random_first_seat,
    run_tasks,
)
from shibumi3d.rules.arcanoid.moves import Move, legal_moves, normalize_notation
from shibumi3d.rules.arcanoid.state import (
    MAX_PARTICIPANTS,
    OPTION_BOUNDS,
    CardRules,
    MutableState,
    State,
    read_rules,
)
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Deal, Facts, option_values
from shibumi3d.rules.python_games import PythonGame, PythonGameKind, item_at
from shibumi3d.rules.source import Item, Problem

SEAT_TURNS_PER_ROUND = (12, 30)
"""Usual minimum and maximum number of turns that a seat takes in a round."""
ANSWER_KEYS = {"steal": "1", "extra": "1", "yes": "1", "no": "2"}
"""Digit keys for one-word answers.

Answers that do nothing are left out, because the page has its own key for them.
"""
CARD_KEYS = "1234567890"
"""Keys for the playable cards, in the order in which the cards are laid out."""
FIELD_KEYS = "cdef"
"""Keys for giving up a field. They are far from the digits, because giving up a field is final."""


class CardGame(PythonGame[CardRules, State, Move, CardEvent]):
    """Arcanoid with the parameters of a game file."""

    kind = "arcanoid"
    _moves_cache: tuple[State | None, int, tuple[Move, ...]] = (None, -1, ())
    """The last result of :meth:`moves`: the state, the seat and its legal moves."""

    def rules_for(self, seats: int) -> CardRules:
        """Return the parameters for a match with ``seats`` seats, including the chosen options."""
        chosen = option_values(self.options, self.form, seats)
        return replace(self.rules, **{name: chosen[name] for name in OPTION_BOUNDS if name in chosen})  # type: ignore[arg-type]

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game for ``seats`` seats, or for the minimum number if ``seats`` is None.

        The number of seats is not checked.
        """
        seats = self.players[0] if seats is None else seats
        many = seats * self.rules_for(seats).rounds
        return Facts(
            players=self.players,
            turns=(SEAT_TURNS_PER_ROUND[0] * many, SEAT_TURNS_PER_ROUND[1] * many),
            has_secrets=True,
            has_chance=True,
            options=self.options,
            has_scores=True,
        )

    # ------------------------------------------------------------ states and moves

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match with ``seats`` seats (None: the minimum).

        ``deal`` may preset ``first``, the number of the starting seat, counted from 1. It may also preset ``stock``,
        the names of the first cards in the order in which they are drawn. Whichever seat starts, the hand of the first
        seat is drawn first, then those of the other seats in order, and then those of the Automatons. Cards after those
        in ``stock`` are drawn at random. Raises ValueError if the number of seats or the deal is not valid.
        """
        seats = self.check_seats(seats)
        rules = self.rules_for(seats)
        if seats + rules.dummies > MAX_PARTICIPANTS:
            raise InvalidValueError(
                "{game}: too many players and Automatons (players: {seats}, Automatons: {more})",
                game=self.title,
                seats=seats,
                more=rules.dummies,
            )
        first = random_first_seat(seed, seats)
        forced: tuple[int, ...] = ()
        for name, given in (deal or {}).items():
            text = given if isinstance(given, str) else " ".join(given)
            if name == "first":
                answer = text.strip()
                if not (answer.isdecimal() and len(answer) < 3 and 1 <= int(answer) <= seats):
                    raise InvalidValueError(
                        "'first' must be a seat from 1 to {seats}, not '{text}'", seats=seats, text=text
                    )
                first = int(answer) - 1
            elif name == "stock":
                forced = parse_card_list(text)
            else:
                raise InvalidValueError(
                    "{game}: the deal can't set '{name}', only 'first' and 'stock'",
                    game=self.title,
                    name=name,
                )
        before = State(
            rules,
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
            first_seat=first,
        )
        work = MutableState(before)
        deal_round(work)
        return work.freeze(before)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move) in a fixed order, or () if there are none."""
        asked = state.to_move if seat is None else seat
        if asked is None:
            return ()
        if self._moves_cache[0] is not state or self._moves_cache[1] != asked:
            self._moves_cache = (state, asked, legal_moves(state, asked))
        return self._moves_cache[2]

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[CardEvent, ...]]:
        """Return the state after a move, and the events in order.

        The move may be given as text. Raises IllegalMove if it is not legal.
        """
        chosen = move if isinstance(move, Move) else self.parse(state, move)
        seat = None if chosen.seat < 0 else chosen.seat
        if chosen not in self.moves(state, seat):
            chosen = self.parse(state, chosen.text, seat)
        work = MutableState(state)
        apply_move(work, chosen)
        run_tasks(work, state)
        return work.freeze(state), tuple(work.events)

    def agree_to_draw(self, state: State) -> tuple[State, tuple[CardEvent, ...]]:
        """Raise IllegalMove: the seats can't agree to a draw by repetition, since positions never repeat."""
        raise IllegalMove("positions never repeat in this game")

    def lose_on_time(self, state: State, seat: int) -> tuple[State, tuple[CardEvent, ...]]:
        """Return the final state, in which all seats but ``seat`` win on time, and the event that ends the match.

        Raises IllegalMove if the match is over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        return replace(state, outcome=outcome_on_time(state, seat)), (MatchEnded(),)

    def normalize_notation(self, text: str) -> str:
        """Convert typed text to the notation of moves."""
        return normalize_notation(text)

    # ------------------------------------------------------------ hidden information

    def observe(self, state: State, seat: int | None) -> State:
        """Return the view of ``seat``, or of a spectator if ``seat`` is None."""
        return observations.observe(state, seat)

    def observe_events(
        self, state: State, events: Iterable[CardEvent], seat: int | None
    ) -> tuple[CardEvent, ...]:
        """Return ``events``, reduced to what ``seat`` observed.

        The events led to ``state``. If ``seat`` is None, they are reduced to what a spectator observed.
        """
        return observations.observe_events(state, events, seat)

    def determinize(self, view: State, seat: int, rng: Random) -> State:
        """Return a random full state that is consistent with ``view`` and has a new random seed."""
        return observations.determinize(view, seat, rng)

    def reasons_for(
        self, view: State, move: Move, seat: int, seat_name: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for ``move`` that follow from the rules, or () if there are none.

        Only a face-up engagement or a discard can have reasons. ``seat`` and ``seat_name`` are not used.
        """
        return tuple(text.reasons_for(view, move))

    # ------------------------------------------------------------ texts

    def describe_decision(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Sequence[Move] | None = None
    ) -> str:
        """Describe the pending decision without naming the player who decides, or return "" if the match is over."""
        return text.describe_decision(view, lang, names)

    def move_label(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return the button label for a move."""
        return text.move_label(view, move, lang, names)

    def describe_outcome(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe a move and its effects, as far as they can be known in advance."""
        return text.describe_outcome(view, move, lang, names)

    def explain_illegal(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why the selected cards can't be used now.

        ``spots`` holds the selected cards and, if the player has selected a place for them, this place. Returns "" if
        nothing is selected or the match is over. ``moves`` is ignored.
        """
        return text.explain_illegal(view, spots, lang, names)

    def describe_move(
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
        view = self.observe(before, seat)
        return text.describe_move(view, move, events, lang, names)

    def summarize_events(
        self, view: State, events: Iterable[CardEvent], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Summarize events in phrases joined by semicolons, or return "" if none is worth mentioning."""
        return text.summarize_events(view, list(events), lang, names)

    def describe_round(self, view: State, lang: str = "en") -> str:
        """Return the name of the current round, e.g. "Round 2 of 5", or "" if the match has a single round."""
        return text.describe_round(view, lang)

    def describe_spot(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe what is at a spot, or return "" for a column head or an unknown spot."""
        return text.describe_spot(view, spot, lang, names)

    def move_details(self, view: State, move: Move, lang: str = "en") -> str:
        """Return the effect of the major that ``move`` plays, or "" if it plays none.

        The effect is on the second line; the first is empty, because moves cost nothing.
        """
        effect = text.major_effect(cards_in(move.cards)[0], view.rules, lang) if move.kind == "play" else ""
        return f"\n{effect}" if effect else ""

    def shortcut_key(self, view: State, move: Move) -> str:
        """Return the key that selects a move, or "" if it has none.

        The cards in hand, the open cards and the shared cards are numbered together from left to right. The digits 1 to
        9 and then 0 stand for the first ten of them. In the main choice of a turn, the digit of a card discards it, and
        a letter gives up a field. In the choice of a card to discard after the Wheel, or of a further card to load into
        the Chariot, the four letters stand for the next four cards instead. Digits also stand for the one-word answers
        in :data:`ANSWER_KEYS`. All other moves have no key, including answers that do nothing.
        """
        if move.kind == "abdicate":
            return FIELD_KEYS[move.suits[0]]
        task = view.tasks[-1]
        if move.kind != "discard" and (move.kind, task[0]) != ("load", "load"):
            return ANSWER_KEYS.get(move.kind, "")
        keys = CARD_KEYS if task[0] == "turn" else CARD_KEYS + FIELD_KEYS
        assert isinstance(task[1], int)
        laid, card = view.playable_card_list(task[1]), cards_in(move.cards)[0]
        place = laid.index(card) if card in laid else len(keys)
        return keys[place] if place < len(keys) else ""

    def describe_seat(self, view: State, seat: int, lang: str = "en") -> tuple[str, ...]:
        """Describe a seat in phrases: how many fields it has won, and which majors it has in play.

        Only the Hermit, Strength, Temperance and the Chariot are mentioned.
        """
        return text.describe_seat(view, seat, lang)

    def table_lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return the visible table as lines of text for the terminal."""
        return text.table_lines(view, lang, names)


def parse_card_list(text: str) -> tuple[int, ...]:
    """Return the cards named in ``text``, in the same order.

    The names are separated by spaces or commas. Lower case and old names of cards are accepted, too. Raises ValueError
    if a name is unknown or repeated.
    """
    cards = []
    for name in modernize_card_names(text.replace(",", " ").upper()).split():
        if name not in CARD_BY_NAME:
            raise InvalidValueError(
                "there is no card '{name}': cards have names like S10, CJ or M21", name=name
            )
        if CARD_BY_NAME[name] in cards:
            raise InvalidValueError("the card {card} is listed twice", card=name)
        cards.append(CARD_BY_NAME[name])
    assert len(cards) <= CARD_COUNT
    return tuple(cards)


def _read_file_rules(rules: Item, problems: list[Problem]) -> CardRules:
    return read_rules(item_at(rules, "table"), problems)


def _game_class() -> type[CardGame]:

    return CardGame


KIND = PythonGameKind(_read_file_rules, _game_class, OPTION_BOUNDS)
KEYS, make, check = KIND.KEYS, KIND.make, KIND.check
