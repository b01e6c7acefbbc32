"""The game: the verbs of the contract on frozen states, by the numbers and flags of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

from shibumi3d.rules.arcanoid import telling, views, words
from shibumi3d.rules.arcanoid.acts import act
from shibumi3d.rules.arcanoid.cards import CARDS, NUMBER
from shibumi3d.rules.arcanoid.event import CardEvent
from shibumi3d.rules.arcanoid.flow import deal as deal_round
from shibumi3d.rules.arcanoid.flow import first_seat, run
from shibumi3d.rules.arcanoid.move import Move, compact
from shibumi3d.rules.arcanoid.moves import open_moves
from shibumi3d.rules.arcanoid.state import State
from shibumi3d.rules.arcanoid.table import MOST, CardRules
from shibumi3d.rules.arcanoid.work import Work
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Deal, Facts, Option, Outcome, settled

CHOSEN = ("rounds", "dummies")
"""What a file may leave to be chosen before a match."""
TURNS = (12, 30)
"""Turns that a participant has in a round, usually."""


class CardGame:
    """Battles of a tarot deck, in one form."""

    kind = "arcanoid"
    size = 0
    effort = 0.0

    def __init__(
        self,
        id: str,
        title: str,
        table: CardRules,
        players: tuple[int, int],
        form: Mapping[str, int | str] | None = None,
        meta: Any = None,
    ) -> None:
        self.id = id
        self.title = title
        self.table = table
        self.players = players
        self.meta = meta
        self._form = dict(form or {})
        self.variant = str(self._form.get("variant", ""))
        self._offered: tuple[State | None, int, tuple[Move, ...]] = (None, -1, ())
        """The moves found last, where, and for whom."""

    def __repr__(self) -> str:
        return f"game({self.id!r}{f', variant={self.variant!r}' if self.variant else ''})"

    @property
    def options(self) -> tuple[Option, ...]:
        """What is chosen before a match, as the file tells."""
        return cast("tuple[Option, ...]", (self.meta or {}).get("options", ()))

    def chosen(self, seats: int) -> CardRules:
        """The numbers and flags, as chosen for a match of so many seats."""
        chosen = settled(self.options, self._form, seats)
        return replace(self.table, **{name: chosen[name] for name in CHOSEN if name in chosen})  # type: ignore[arg-type]

    @property
    def form(self) -> Mapping[str, int | str]:
        """The options chosen, by name."""
        return self._form

    def facts(self, seats: int | None = None) -> Facts:
        """What can be said of the game for a number of seats."""
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

    # ------------------------------------------------------------ the four verbs

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the first moment of a match.

        ``deal`` may give ``first``, the number of the seat that begins, and ``stock``, names of cards in the order in
        which they are drawn, as far as it goes: first six for each seat. Raises ValueError when it does not fit.
        """
        least, most = self.players
        seats = least if seats is None else seats
        if not least <= seats <= most:
            raise ValueError(f"{self.title} is for {least} to {most} players, not {seats}")
        table = self.chosen(seats)
        if seats + table.dummies > MOST:
            raise ValueError(f"{self.title}: {seats} players leave no room for {table.dummies} more")
        first = first_seat(seed, seats)
        forced: tuple[int, ...] = ()
        for name, given in (deal or {}).items():
            text = given if isinstance(given, str) else " ".join(given)
            if name == "first":
                if not text.strip().isdecimal() or not 1 <= int(text) <= seats:
                    raise ValueError(f"'first' is a seat from 1 to {seats}, not '{text}'")
                first = int(text) - 1
            elif name == "stock":
                forced = _cards(text)
            else:
                raise ValueError(f"{self.title} has no '{name}' to be given: first, stock")
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
        """Return the choices open now (to ``seat``), each once, in a fixed order."""
        asked = state.to_move if seat is None else seat
        if asked is None:
            return ()
        if self._offered[0] is not state or self._offered[1] != asked:
            self._offered = (state, asked, open_moves(state, asked))
        return self._offered[2]

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[CardEvent, ...]]:
        """Return the state after a move (or its text) and what happened, in order. Raises IllegalMove."""
        if isinstance(move, Move):
            seat = None if move.seat < 0 else move.seat
            if move not in self.moves(state, seat):
                move = self.parse(state, move.text, seat)
        else:
            move = self.parse(state, str(move))
        work = Work(state)
        act(work, move)
        run(work, state)
        return work.frozen(state), tuple(work.events)

    def drawn(self, state: State) -> tuple[State, tuple[CardEvent, ...]]:
        """No position comes back, so no draw can be claimed: raises IllegalMove."""
        raise IllegalMove("no position comes back")

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return state.result

    def parse(self, state: State, text: str, seat: int | None = None) -> Move:
        """Return the move that a text names; ``2:steal`` is that of the second seat. Raises IllegalMove."""
        wanted = text.strip()
        number, colon, rest = wanted.partition(":")
        if colon and number.isdecimal():
            seat, wanted = int(number) - 1, rest
        wanted = compact(wanted)
        for move in self.moves(state, seat):
            if move.text == wanted:
                return move
        if state.result is not None:
            raise IllegalMove(f"'{text.strip()}': the match is over")
        raise IllegalMove(f"'{text.strip()}' is not possible now")

    # ------------------------------------------------------------ secrets

    def view(self, state: State, seat: int | None) -> State:
        """Return the state with all left out that a seat may not know; None: what everybody knows."""
        return views.seen_by(state, seat)

    def told(self, state: State, events: Iterable[CardEvent], seat: int | None) -> tuple[CardEvent, ...]:
        """Return the events as a seat may know them, at ``state``."""
        return views.told(state, events, seat)

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return a whole state, its chance new, that looks like ``view`` to ``seat``."""
        return views.sampled(view, seat, rng)

    # ------------------------------------------------------------ search

    def fast(self, seats: int | None = None, seed: int = 0) -> Any:
        """There is none."""
        return None

    def move_of(self, state: State, code: int) -> Move:
        """Return the choice of a number, as :meth:`moves` has them."""
        return self.moves(state)[code]

    def foresee(self, view: State, move: Move) -> Any:
        """Nothing is foreseen: chance decides what is drawn."""
        return None

    def search(self, view: State, seat: int, seed: int = 0, past: Iterable[State] = ()) -> Any:
        """There is no search but the one for all tables."""
        return None

    # ------------------------------------------------------------ in words

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Sequence[Move] | None = None
    ) -> str:
        """Return what is asked for now."""
        return words.ask_line(view, lang, names)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return a move as a button says it."""
        return words.say(view, move, lang, names)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return a move and all that surely comes of it."""
        return words.foretell(view, move, lang, names)

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Return a sentence that says why nothing can be done with some cards and a place now."""
        return telling.why_not(view, spots, lang, names)

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return what a seat has won so far."""
        return telling.own_line(view, seat, lang)

    def roles(self, view: State, seat: int) -> tuple[str, ...]:
        """The rules call no seat anything."""
        return ()

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return the table as lines for a terminal."""
        return telling.lines(view, lang, names)


def _cards(text: str) -> tuple[int, ...]:
    """The cards that a text names, in its order. Raises ValueError."""
    found = []
    for name in text.replace(",", " ").upper().split():
        if name not in NUMBER:
            raise ValueError(f"there is no card '{name}': they are named as in S10, CN or M21")
        if NUMBER[name] in found:
            raise ValueError(f"the card {name} is given twice")
        found.append(NUMBER[name])
    assert len(found) <= CARDS
    return tuple(found)
