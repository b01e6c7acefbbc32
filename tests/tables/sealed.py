"""A small card game for tests, with hidden cards, simultaneous choices, chance and open answers out of turn.

Each seat holds three cards from 1 to 9 that others may not see. In each turn, each seat lays one card face down (a
hidden decision); then all cards are turned up. The seat with the highest number that no other seat laid gains a
point; the others are asked, in any order, whether they cheer (an open decision of several seats). Then each seat
draws a card. After ``turns`` turns, the seats with the most points win; if all seats have the same number, nobody
wins.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Deal, Decision, DefaultTexts, Event, Facts, Move, Outcome, option_values
from shibumi3d.rules.search_protocols import FastGame, Search
from shibumi3d.rules.source import Item, Problem
from shibumi3d.rules.table_reader import TableReader

KEYS = ("players", "options", "table")
TABLE = ("hand",)
TEXT = """
title: Sealed
kind: sealed
category: bidding
players: [2, 4]
summary: {en: Lay the highest number.}
options: {turns: {label: {en: turns, fr: tours}, range: [1, 6], usual: {2: 3, 3: 2}}}
table: {hand: 3}
variants: {long hands: {table: {hand: 5}}}
"""


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A card was laid face down; ``card`` is 0 for viewers who can't see it."""

    card: int


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    """All cards that were laid have been turned up.

    ``cards`` holds the card of each seat. ``winner`` is the seat that laid the highest number that no other seat laid,
    or -1 if each number was laid by several seats.
    """

    blocks_undo: ClassVar[bool] = True
    can_be_previewed: ClassVar[bool] = False
    ends_secrecy: ClassVar[bool] = True

    cards: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Cheered(Event):
    loud: bool


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A card was drawn; ``card`` is 0 for viewers who may not know it."""

    blocks_undo: ClassVar[bool] = True
    can_be_previewed: ClassVar[bool] = False

    card: int


@dataclass(frozen=True, slots=True)
class State:
    """State of a match: the hands, the cards laid face down, and the points.

    In ``hands``, 0 means an unknown card. ``laid`` holds the card that each seat has laid, or 0 if it has laid none; in
    a view, it is also 0 for every seat but the viewer. ``cheering`` lists the seats that still have to say whether they
    cheer. ``turn`` is the number of completed turns, and ``last`` the number of turns in the match. ``step`` is the
    number of moves made in the current turn; in a view, only moves that the viewer knows of count. ``draws`` is the
    number of times that all seats have drawn a card. ``seed`` is None in a view.
    """

    hands: tuple[tuple[int, ...], ...]
    laid: tuple[int, ...]
    points: tuple[int, ...]
    cheering: tuple[int, ...] = ()
    turn: int = 0
    last: int = 3
    draws: int = 0
    seed: int | None = 0
    step: int = 0
    phase: int = 0
    game_number: int = 1
    totals: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def mover(self) -> int:
        return 0

    @property
    def scores(self) -> tuple[int, ...]:
        return self.points

    @property
    def decision(self) -> Decision | None:
        if self.result is not None:
            return None
        if self.cheering:
            return Decision("cheer", self.cheering, default="quiet")
        return Decision("lay", tuple(seat for seat, card in enumerate(self.laid) if not card), "hidden")

    @property
    def to_move(self) -> int | None:
        return self.decision.seats[0] if self.decision else None

    @property
    def repetition_key(self) -> Hashable:
        return self

    @property
    def result(self) -> Outcome | None:
        if self.turn < self.last:
            return None
        best = max(self.points)
        won = tuple(seat for seat, points in enumerate(self.points) if points == best)
        return Outcome(won if len(won) < self.seats else (), self.points, "most points")


class SealedGame(DefaultTexts):
    """Game of sealed cards.

    ``hand`` is the number of cards per seat, and ``form`` contains the variant and the values of the options.
    """

    kind, size, effort = "sealed", 0, 0.0

    def __init__(
        self, id: str, title: str, players: tuple[int, int], hand: int, form: Any, meta: Any
    ) -> None:
        self.id, self.title, self.players, self.hand, self.meta = id, title, players, hand, meta
        self.variant: str = form["variant"]
        self.form: Mapping[str, int | str] = form

    def facts(self, seats: int | None = None) -> Facts:
        options = tuple(self.meta["options"])
        return Facts(
            players=self.players,
            has_secrets=True,
            has_chance=True,
            has_simultaneous_moves=True,
            options=options,
            has_scores=True,
        )

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        count = seats or self.players[0]
        if not self.players[0] <= count <= self.players[1]:
            raise ValueError(f"{self.title} is for 2 to 4 players, not {count}")
        chosen = option_values(self.facts(count).options, self.form, count)
        cards = Random(f"{seed}/deal")
        hands = [tuple(cards.randint(1, 9) for _ in range(self.hand)) for _ in range(count)]
        for seat, given in enumerate((deal or {}).get("hands", ())):
            hands[seat] = tuple(map(int, given))
        return State(tuple(hands), (0,) * count, (0,) * count, last=int(chosen["turns"]), seed=seed)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        ask = state.decision
        asked = state.to_move if seat is None else seat
        if ask is None or asked not in ask.seats:
            return ()
        assert asked is not None
        who = -1 if asked == state.to_move else asked
        if ask.kind == "cheer":
            return (Move("cheer", "loud", seat=who), Move("cheer", "quiet", seat=who))
        return tuple(Move("lay", str(card), seat=who) for card in sorted(set(state.hands[asked])))

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[Event, ...]]:
        given = -1 if isinstance(move, str) else move.seat
        seat = state.to_move if given < 0 else given
        if seat is None:
            raise IllegalMove("the match is over")
        move = self.parse(state, str(move), seat)
        ask = state.decision
        assert ask is not None
        if ask.kind == "cheer":
            left = tuple(other for other in state.cheering if other != seat)
            after = replace(state, cheering=left, step=state.step + 1)
            events: tuple[Event, ...] = (Cheered(move.text == "loud", seat=seat),)
            if not left:
                after, drawn = self._draw(after)
                events += drawn
            return after, events
        card = int(move.text)
        hand = list(state.hands[seat])
        hand.remove(card)
        hands = tuple(tuple(hand) if other == seat else kept for other, kept in enumerate(state.hands))
        laid = tuple(card if other == seat else kept for other, kept in enumerate(state.laid))
        after = replace(state, hands=hands, laid=laid, step=state.step + 1)
        events = (Laid(card, seat=seat),)
        if 0 in laid:
            return after, events
        alone = [number for number in laid if laid.count(number) == 1]
        winner = laid.index(max(alone)) if alone else -1
        points = tuple(n + (other == winner) for other, n in enumerate(after.points))
        others = tuple(other for other in range(state.seats) if other != winner) if alone else ()
        after = replace(after, points=points, laid=(0,) * state.seats, cheering=others)
        events += (TurnedUp(laid, winner),)
        if not others:
            after, drawn = self._draw(after)
            events += drawn
        return after, events

    def _draw(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Let everyone draw a card, and end the turn."""
        cards = Random(f"{state.seed}/{state.draws}")
        drawn = [cards.randint(1, 9) for _ in range(state.seats)]
        hands = tuple((*hand, card) for hand, card in zip(state.hands, drawn, strict=True))
        after = replace(state, hands=hands, turn=state.turn + 1, draws=state.draws + 1, step=0)
        return after, tuple(Drawn(card, seat=seat) for seat, card in enumerate(drawn))

    def agree_to_draw(self, state: State) -> tuple[State, tuple[Event, ...]]:
        raise IllegalMove("nothing recurs")

    def lose_on_time(self, state: State, seat: int) -> tuple[State, tuple[Event, ...]]:
        raise IllegalMove("this game can't be lost on time")

    def outcome(self, state: State) -> Outcome | None:
        return state.result

    def parse(self, state: State, text: str, seat: int | None = None) -> Move:
        for move in self.moves(state, seat):
            if move.text == text.strip():
                return move
        raise IllegalMove(f"'{text.strip()}' is not possible now")

    def observe(self, state: State, seat: int | None) -> State:
        if state.result is not None:
            return replace(state, seed=None)
        # A viewer only knows that a seat has laid a card if it was its own; all others still seem to hold theirs.
        hands = tuple(
            tuple(sorted(hand)) if other == seat else (0,) * (len(hand) + bool(state.laid[other]))
            for other, hand in enumerate(state.hands)
        )
        laid = tuple(card if other == seat else 0 for other, card in enumerate(state.laid))
        step = sum(map(bool, laid)) if not state.cheering else state.step
        return replace(state, hands=hands, laid=laid, seed=None, step=step)

    def observe_events(self, state: State, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        if state.result is not None:
            return tuple(events)
        return tuple(
            replace(event, card=0) if isinstance(event, Laid | Drawn) and event.seat != seat else event
            for event in events
        )

    def determinize(self, view: State, seat: int, rng: Random) -> State:
        hands = tuple(tuple(card or rng.randint(1, 9) for card in hand) for hand in view.hands)
        return replace(view, hands=hands, seed=rng.getrandbits(48))

    def make_search(
        self, view: State, seat: int, seed: int = 0, earlier_states: Iterable[State] = ()
    ) -> Search | None:
        return None

    def make_fast_game(self, seats: int | None = None, seed: int = 0) -> FastGame | None:
        return None

    def decode_move(self, state: State, move_code: int) -> Move:
        raise IllegalMove("moves have no numbers here")

    def preview(self, view: State, move: Move) -> Any:
        return None

    def describe_decision(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Any = None
    ) -> str:
        asked = view.decision
        if asked is None:
            return ""
        return {
            "en": {"lay": "lay a card face down", "cheer": "cheer or be quiet"},
            "fr": {"lay": "pose une carte face cachée", "cheer": "acclame ou se tait"},
        }[lang][asked.kind]

    def shortcut_key(self, view: State, move: Move) -> str:
        return {"loud": "1", "quiet": "2"}.get(move.text, move.text)

    def move_label(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        if move.kind == "lay":
            return f"Lay {move.text}" if lang == "en" else f"Poser {move.text}"
        words = {
            "en": {"loud": "Cheer", "quiet": "Be quiet"},
            "fr": {"loud": "Acclamer", "quiet": "Se taire"},
        }
        return words[lang][move.text]

    def describe_outcome(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        return self.move_label(view, move, lang, names)

    def explain_illegal(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Any = None,
    ) -> str:
        return ""

    def describe_seat(self, view: State, seat: int, lang: str = "en") -> tuple[str, ...]:
        return ()

    def describe_stock(self, view: State, seat: int, lang: str = "en") -> str:
        return ""

    def roles(self, view: State, seat: int) -> tuple[str, ...]:
        return ()

    def table_lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        return [
            f"{seat + 1}: {' '.join(str(card or '?') for card in hand)}"
            for seat, hand in enumerate(view.hands)
        ]


def make(
    id: str,
    title: str,
    rules: Item,
    players: tuple[int, int],
    form: Mapping[str, int | str],
    meta: Mapping[str, object],
) -> SealedGame:
    return SealedGame(id, title, players, _hand(rules, []), form, meta)


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    _hand(rules, problems)


def _hand(rules: Item, problems: list[Problem]) -> int:
    assert isinstance(rules.value, dict)
    return TableReader(rules.value.get("table"), "table", TABLE, problems).read_int("hand", 2, 9, 3)
