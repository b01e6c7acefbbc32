"""Implementation of the game interface for Golden Spiral, with parameters from a game file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from shibumi3d.i18n import InvalidValueError, Message, ntranslate, translate
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Deal, Event, Facts, UnavailableEntry, option_values
from shibumi3d.rules.golden_spiral import text
from shibumi3d.rules.golden_spiral.effects import Amount, announceable_jokers, possible_amounts
from shibumi3d.rules.golden_spiral.events import NumberSet
from shibumi3d.rules.golden_spiral.flow import MoveExecution
from shibumi3d.rules.golden_spiral.state import OPTION_BOUNDS, MedalRules, Move, State, read_rules
from shibumi3d.rules.golden_spiral.text import DEFAULT_SEAT_NAMES, translate_to_all
from shibumi3d.rules.python_games import PythonGame, PythonGameKind, item_at
from shibumi3d.rules.source import Item, Problem

TYPICAL_SPIRALS = (2, 14)
"""Usual minimum and maximum length of a match, in Spirals."""
KEYS_FROM_TEN = "0cdef"
"""Keys for numbers and jokers from the tenth on: ``0`` for the tenth, then letters."""


@dataclass(frozen=True, slots=True)
class MovePreview:
    """Preview of a move: the events that can be shown in advance, and the mover's view after the move."""

    events: tuple[Event, ...]
    after: State


class MedalGame(PythonGame[MedalRules, State, Move, Event]):
    """The Golden Spiral with the parameters of a game file.

    Options chosen before the match take precedence over the file.
    """

    kind = "golden-spiral"

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game."""
        return Facts(
            players=self.players,
            turns=TYPICAL_SPIRALS,
            has_secrets=True,
            has_simultaneous_moves=True,
            phases=tuple(dict(translate_to_all(f"phase {number}")) for number in range(4)),
            options=self.options,
            numbered_reasons=text.NUMBERED_REASONS,
        )

    # ------------------------------------------------------------ states and moves

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match.

        Nothing in this game is random, so ``deal`` must be empty. Raises ValueError if it is not, or if the game
        doesn't allow that many seats.
        """
        self.check_seats(seats)
        if deal:
            raise InvalidValueError(
                "{game}: the deal can't set '{name}', because nothing in this game is random",
                game=self.title,
                name=next(iter(deal)),
            )
        stars = option_values(self.options, self.form, 2).get("stars", self.rules.stars)
        medals = self.rules.medals
        return State((medals, medals), (0, 0), (int(stars), int(stars)), seed=seed)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of a seat in a fixed order, without duplicates.

        If ``seat`` is None, the moves of the seat to move are returned. The result is empty if the seat has no pending
        decision.
        """
        mover = state.to_move if seat is None else seat
        if mover is None or mover not in state.deciding_seats:
            return ()
        if state.decision_kind == "bid":
            return tuple(
                Move("bid", str(n), number=n, seat=mover) for n in self.rules.legal_numbers(state.gold[mover])
            )
        if state.decision_kind == "joker":
            joker_moves = [
                Move("joker", joker.id, seat=mover) for joker in announceable_jokers(self.rules, state, mover)
            ]
            return (*joker_moves, Move("pass", "pass", seat=mover))
        if state.decision_kind == "amount":
            return tuple(
                Move("amount", amount.text, number=amount.number, seat=mover)
                for amount in self.joker_amounts(state)
            )
        max_count = min(state.turn_back_limits[mover], state.spiral[mover])
        return tuple(Move("turn", str(n), number=n, seat=mover) for n in range(max_count + 1))

    def joker_amounts(self, state: State) -> tuple[Amount, ...]:
        """Return the amounts that can be chosen for the joker that is taking effect."""
        joker = self.rules.joker_by_id(state.announced_jokers[state.jokers_done])
        return possible_amounts(joker, state, state.speaking_seat(state.jokers_done))

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[Event, ...]]:
        """Return the state after a move, and the events in order.

        The move can be given as its text. Raises IllegalMove if it is not legal.
        """
        if isinstance(move, Move):
            chosen = self.parse(state, move.text, move.seat if move.seat >= 0 else None)
        else:
            chosen = self.parse(state, move)
        flow = MoveExecution(self.rules, state)
        seat = chosen.seat
        if chosen.kind == "bid":
            flow.set_number(seat, chosen.number)
        elif chosen.kind == "joker":
            flow.announce_joker(seat, chosen.text)
        elif chosen.kind == "pass":
            flow.announce_joker(seat, "")
        elif chosen.kind == "amount":
            flow.choose_amount(
                next(
                    joker_amount
                    for joker_amount in self.joker_amounts(state)
                    if joker_amount.text == chosen.text
                )
            )
        else:
            flow.turn_back(seat, chosen.number)
        return flow.resulting_state(), tuple(flow.events)

    def agree_to_draw(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Raise IllegalMove, since this game has no draw by repetition.

        The numbers are set in secret, and in a game with hidden information, claiming a draw would reveal some of that
        information.
        """
        raise IllegalMove("a draw can't be claimed in this game: numbers are set in secret")

    # ------------------------------------------------------------ hidden information

    def observe(self, state: State, seat: int | None) -> State:
        """Return the state as seen by ``seat``, or by spectators if ``seat`` is None.

        The view has no random seed and doesn't contain the numbers that other seats have set in secret. Another seat
        that has set its number appears as if it hadn't: its number is 0, it still has a pending decision, and ``step``
        doesn't count its move.
        """
        state = replace(state, seed=None, viewer=-1 if seat is None else seat)
        if state.decision_kind != "bid":
            return state
        bids = tuple(bid if each == seat else 0 for each, bid in enumerate(state.secret_numbers))
        unseen = sum(bool(bid) for bid in state.secret_numbers) - sum(bool(bid) for bid in bids)
        asked = tuple(each for each, bid in enumerate(bids) if not bid)
        return replace(state, secret_numbers=bids, deciding_seats=asked, step=state.step - unseen)

    def observe_events(self, state: State, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        """Return the events, leaving out those in which a seat other than ``seat`` sets a secret number.

        If ``seat`` is None, all events in which a secret number is set are left out.
        """
        return tuple(event for event in events if not isinstance(event, NumberSet) or event.seat == seat)

    def determinize(self, view: State, seat: int, rng: Random) -> State:
        """Return ``view`` as a full state with a new random seed.

        If a clash is pending, the opponent of ``seat`` still has to set its number in this state, even if it has
        already done so in the match.
        """
        return replace(view, seed=rng.getrandbits(48), viewer=-1)

    def preview(self, view: State, move: Move) -> MovePreview | None:
        """Preview a move; return None if the move sets a number or the match is over."""
        if move.kind == "bid" or view.result is not None:
            return None
        after, events = self.apply(view, move)
        end = next((i for i, event in enumerate(events) if not event.can_be_previewed), len(events))
        return MovePreview(events[:end], self.observe(after, move.seat if move.seat >= 0 else view.to_move))

    def reasons_for(
        self, view: State, move: Move, seat: int, seat_name: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for ``seat`` to make ``move``.

        Only a move that sets a number can have reasons.
        """
        return tuple(text.reasons_for(self.rules, view.gold, move, seat, seat_name))

    # ------------------------------------------------------------ texts

    def describe_decision(
        self,
        view: State,
        lang: str = "en",
        names: Sequence[str] = DEFAULT_SEAT_NAMES,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Describe the pending decision, or return "" if the match is over."""
        return text.describe_decision(self.rules, view, lang, names)

    def move_label(
        self, view: State, move: Move, lang: str = "en", names: Sequence[str] = DEFAULT_SEAT_NAMES
    ) -> str:
        """Return the button label for a move."""
        return text.move_label(self.rules, view, move, lang)

    def describe_outcome(
        self, view: State, move: Move, lang: str = "en", names: Sequence[str] = DEFAULT_SEAT_NAMES
    ) -> str:
        """Describe a move and its known effects, without a final full stop."""
        return text.describe_outcome(self.rules, view, move, lang, names)

    def explain_illegal(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = DEFAULT_SEAT_NAMES,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why the last of ``spots`` can't be used now.

        Returns "" if there are no spots or if the last one is a joker that can be announced. Don't call this if the
        last spot is a number that can be set.
        """
        return text.explain_illegal(self.rules, view, spots[-1], lang, names) if spots else ""

    def unavailable_entries(
        self, view: State, lang: str = "en", names: Sequence[str] = DEFAULT_SEAT_NAMES
    ) -> tuple[UnavailableEntry, ...]:
        """Return the jokers that can't be announced now, each with the reason, its cost and its effect.

        Returns () unless the pending decision is to announce a joker.
        """
        if view.decision_kind != "joker":
            return ()
        open_ = {move.text for move in self.moves(view)}
        entries = []
        for joker in self.rules.jokers:
            if joker.id not in open_:
                move = Move("joker", joker.id)
                reason = self.explain_illegal(view, [f"joker {joker.id}"], lang, names)
                details = self.move_details(view, move, lang)
                entries.append(
                    UnavailableEntry(
                        joker.localized_name(lang), reason, details, self.shortcut_key(view, move)
                    )
                )
        return tuple(entries)

    def describe_move(
        self,
        before: State,
        move: Move,
        events: Sequence[Event],
        lang: str = "en",
        names: Sequence[str] = DEFAULT_SEAT_NAMES,
    ) -> str:
        """Return the log text for a move and its effects."""
        return text.describe_move(self.rules, before, move, events, lang, names)

    def summarize_events(
        self,
        view: State,
        events: Iterable[Event],
        lang: str = "en",
        names: Sequence[str] = DEFAULT_SEAT_NAMES,
    ) -> str:
        """Summarize ``events`` in one sentence, or return "" if there is nothing to report.

        If any medals were moved or turned, the medal counts in ``view`` are added at the end.
        """
        return text.summarize_events(self.rules, view, list(events), lang, names)

    def describe_round(self, view: State, lang: str = "en") -> str:
        """Return the name of the current Spiral, e.g. "Spiral 3 of 40"."""
        return translate(
            lang, "Spiral {n} of {most}", view.turn + (view.result is None), most=self.rules.max_spirals
        )

    def describe_spot(
        self, view: State, spot: str, lang: str = "en", names: Sequence[str] = DEFAULT_SEAT_NAMES
    ) -> str:
        """Describe what is at a spot, such as a joker with its cost and effect.

        Returns "" if the joker or the kind of spot is unknown. If ``spot`` names a seat or a number for the dice, that
        seat or number must exist.
        """
        return text.describe_spot(self.rules, view, spot, lang, names)

    def move_details(self, view: State, move: Move, lang: str = "en") -> str:
        """Return the cost and the effect of a joker on two lines, or "" if the move doesn't announce a joker."""
        return text.move_details(self.rules, move, lang)

    def shortcut_key(self, view: State, move: Move) -> str:
        """Return the fixed key that selects a move, or "" if it has none.

        The number of a joker is its position in the list of all jokers, counted from 1. A number below 10 has its digit
        as the key. Jokers and bids with higher numbers have the keys in :data:`KEYS_FROM_TEN`, until these run out.
        Other numbers above 9, passing and amounts such as ``2S`` have no keys.
        """
        if move.kind == "joker":
            place = [joker.id for joker in self.rules.jokers].index(move.text) + 1
        elif move.kind == "pass" or move.text.endswith(("S", "G")):
            return ""
        else:
            place = move.number
        if place < 10:
            return str(place)
        return (
            KEYS_FROM_TEN[place - 10]
            if move.kind in ("joker", "bid") and place - 10 < len(KEYS_FROM_TEN)
            else ""
        )

    def describe_event(
        self, event: Event, lang: str = "en", names: Sequence[str] = DEFAULT_SEAT_NAMES
    ) -> str:
        """Describe an event in one line, or return "" if it needs no text."""
        return text.describe_event(self.rules, event, lang, names)

    def describe_seat(self, view: State, seat: int, lang: str = "en") -> tuple[str, ...]:
        """Return phrases for the medals and stars of a seat, such as ``("6 Gold", "7 Spiral", "5 stars")``."""
        return (
            translate(lang, "{n} Gold", view.gold[seat]),
            translate(lang, "{n} Spiral", view.spiral[seat]),
            ntranslate(lang, "{n} star", "{n} stars", view.stars[seat]),
        )

    def table_lines(
        self, view: State, lang: str = "en", names: Sequence[str] = DEFAULT_SEAT_NAMES
    ) -> list[str]:
        """Return the visible table as lines of text for a terminal."""
        return text.table_lines(self.rules, view, lang, names)


def _read_file_rules(rules: Item, problems: list[Problem]) -> MedalRules:
    table = item_at(rules, "table")
    if table is None:
        problems.append(
            Problem(rules.location, "'table' is missing; it must give the medals, the dice and the jokers")
        )
    return read_rules(table, problems)


def _game_class() -> type[MedalGame]:

    return MedalGame


KIND = PythonGameKind(_read_file_rules, _game_class, OPTION_BOUNDS)
KEYS, make = KIND.KEYS, KIND.make


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Append any errors in the rules of a file, or in its number of seats, to ``problems``."""
    if seats != 2:
        problems.append(
            Problem(rules.location, "this kind of game is for 2 players, not {seats}", seats=seats)
        )
    KIND.check(rules, form, seats, problems)
