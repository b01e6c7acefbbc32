"""The Golden Spiral as a :class:`~shibumi3d.rules.game.Game` on immutable states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from shibumi3d.i18n import InvalidValueError, Message, ntranslate, translate
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Deal, Event, Facts, Shut, settled
from shibumi3d.rules.golden_spiral import jokers, lines, reasons, sentences
from shibumi3d.rules.golden_spiral.events import NumberSet
from shibumi3d.rules.golden_spiral.flow import Flow
from shibumi3d.rules.golden_spiral.jokers import Amount
from shibumi3d.rules.golden_spiral.state import Move, State
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.rules.golden_spiral.words import SIGNS, both
from shibumi3d.rules.plain import PlainGame

TURNS = (2, 14)
"""Usual minimum and maximum length of a match, in Spirals."""
BEYOND = "0cdef"
"""Keys for numbers and jokers from the tenth on: ``0`` for the tenth, then letters."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Preview of a move: the events that may be shown in advance, and the state after the move."""

    events: tuple[Event, ...]
    after: State


class MedalGame(PlainGame[Tableau]):
    """The Golden Spiral with the parameters of a game file.

    Options chosen before the match take precedence over the file.
    """

    kind = "golden-spiral"

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game."""
        return Facts(
            players=self.players,
            turns=TURNS,
            secrets=True,
            simultaneous=True,
            phases=tuple(dict(both(f"phase {number}")) for number in range(4)),
            options=self.options,
        )

    # ------------------------------------------------------------ states and moves

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match.

        Nothing in this game is random, so ``deal`` must be empty. Raises ValueError if it is not, or if the game
        doesn't allow that many seats.
        """
        self.seats_of(seats)
        if deal:
            raise InvalidValueError(
                "{game} has no '{name}' to deal: nothing in it is random",
                game=self.title,
                name=next(iter(deal)),
            )
        stars = settled(self.options, self.form, 2).get("stars", self.table.stars)
        medals = self.table.medals
        return State((medals, medals), (0, 0), (int(stars), int(stars)), seed=seed)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of a seat (None: the seat to move) in a fixed order.

        There are no duplicates. There are no moves if the seat has no pending decision.
        """
        who = state.to_move if seat is None else seat
        if who is None or who not in state.asked:
            return ()
        if state.question == "bid":
            return tuple(Move("bid", str(n), number=n, seat=who) for n in self.table.legal(state.gold[who]))
        if state.question == "joker":
            found = [
                Move("joker", joker.id, seat=who) for joker in jokers.open_jokers(self.table, state, who)
            ]
            return (*found, Move("pass", "pass", seat=who))
        if state.question == "amount":
            return tuple(
                Move("amount", amount.text, number=amount.number, seat=who) for amount in self.amounts(state)
            )
        most = min(state.allowance[who], state.spiral[who])
        return tuple(Move("turn", str(n), number=n, seat=who) for n in range(most + 1))

    def amounts(self, state: State) -> tuple[Amount, ...]:
        """Return the amounts that can be chosen for the joker being carried out."""
        joker = self.table.joker(state.spoken[state.used])
        return jokers.amounts(joker, state, state.speaker(state.used))

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[Event, ...]]:
        """Return the state after a move and the events, in order.

        The move can be given as its text. Raises IllegalMove if it is not legal.
        """
        if isinstance(move, Move):
            chosen = self.parse(state, move.text, move.seat if move.seat >= 0 else None)
        else:
            chosen = self.parse(state, move)
        flow = Flow(self.table, state)
        seat = chosen.seat
        if chosen.kind == "bid":
            flow.bid(seat, chosen.number)
        elif chosen.kind == "joker":
            flow.announce(seat, chosen.text)
        elif chosen.kind == "pass":
            flow.announce(seat, "")
        elif chosen.kind == "amount":
            flow.amount(next(each for each in self.amounts(state) if each.text == chosen.text))
        else:
            flow.turn_back(seat, chosen.number)
        return flow.after(), tuple(flow.events)

    def drawn(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Raise IllegalMove, since this game has no draw by repetition.

        Numbers are set in secret, so there is no way to tell that a position has been repeated.
        """
        raise IllegalMove("a draw can't be claimed in this game: numbers are set in secret")

    # ------------------------------------------------------------ hidden information

    def view(self, state: State, seat: int | None) -> State:
        """Return the state as seen by ``seat``, or by spectators if ``seat`` is None.

        The view has no random seed and doesn't contain the numbers that other seats have set. A seat that has set one
        appears as if it hadn't: its bid is 0, it still has a pending decision, and ``step`` doesn't count its move.
        """
        state = replace(state, seed=None, viewer=-1 if seat is None else seat)
        if state.question != "bid":
            return state
        bids = tuple(bid if each == seat else 0 for each, bid in enumerate(state.bids))
        unseen = sum(bool(bid) for bid in state.bids) - sum(bool(bid) for bid in bids)
        asked = tuple(each for each, bid in enumerate(bids) if not bid)
        return replace(state, bids=bids, asked=asked, step=state.step - unseen)

    def as_seen_by(self, state: State, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        """Return the events without the numbers that were set in secret by other seats."""
        return tuple(event for event in events if not isinstance(event, NumberSet) or event.seat == seat)

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return a random full state that is consistent with ``view``, with a new random seed.

        In this state, no other seat has set a number yet.
        """
        return replace(view, seed=rng.getrandbits(48), viewer=-1)

    def foresee(self, view: State, move: Move) -> Foreseen | None:
        """Preview a move; return None if the move sets a number or the match is over."""
        if move.kind == "bid" or view.result is not None:
            return None
        after, events = self.apply(view, move)
        end = next((i for i, event in enumerate(events) if not event.foreseen), len(events))
        return Foreseen(events[:end], self.view(after, move.seat if move.seat >= 0 else view.to_move))

    def grounds(
        self, view: State, move: Move, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for a move that follow from the rules alone; see :mod:`.reasons`."""
        return tuple(reasons.grounds(self.table, view.gold, move, seat, who))

    # ------------------------------------------------------------ texts

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = SIGNS, moves: Sequence[Move] | None = None
    ) -> str:
        """Describe the pending decision, without naming the player."""
        return sentences.ask_line(self.table, view, lang, names)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Return the label of a move for a button."""
        return sentences.say(self.table, view, move, lang)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Describe a move and the medals of both seats after it, without a final period."""
        return sentences.foretell(self.table, view, move, lang, names)

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = SIGNS,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why the last of ``spots``, e.g. a number or a joker, can't be used now."""
        return sentences.why_not(self.table, view, spots[-1], lang, names) if spots else ""

    def closed(self, view: State, lang: str = "en", names: Sequence[str] = SIGNS) -> tuple[Shut, ...]:
        """Return the jokers that can't be announced now, each with the reason, price and effect.

        Returns nothing unless the pending decision is to announce a joker.
        """
        if view.question != "joker":
            return ()
        open_ = {move.text for move in self.moves(view)}
        found = []
        for joker in self.table.jokers:
            if joker.id not in open_:
                move = Move("joker", joker.id)
                reason = self.why_not(view, [f"joker {joker.id}"], lang, names)
                told = self.detail(view, move, lang)
                found.append(Shut(joker.called(lang), reason, told, self.key_of(view, move)))
        return tuple(found)

    def log_line(
        self,
        before: State,
        move: Move,
        events: Sequence[Event],
        lang: str = "en",
        names: Sequence[str] = SIGNS,
    ) -> str:
        """Return the log text for a move and its effects."""
        return sentences.log_line(self.table, before, move, events, lang, names)

    def happened(
        self, view: State, events: Iterable[Event], lang: str = "en", names: Sequence[str] = SIGNS
    ) -> str:
        """Summarize ``events`` in one sentence, including the resulting medals if any have moved."""
        return sentences.happened(self.table, view, list(events), lang, names)

    def round_line(self, view: State, lang: str = "en") -> str:
        """Return a text such as "Spiral 3 of 40"."""
        return translate(
            lang, "Spiral {n} of {most}", view.turn + (view.result is None), most=self.table.limit
        )

    def thing_line(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Describe what is at a spot, or the price and effect of a joker."""
        return sentences.thing_line(self.table, view, spot, lang, names)

    def detail(self, view: State, move: Move, lang: str = "en") -> str:
        """Return the price of a joker and, on a second line, its effect; "" for other moves."""
        return sentences.detail(self.table, move, lang)

    def key_of(self, view: State, move: Move) -> str:
        """Return the key that always selects this move, or "" if it has none.

        For a number, the key is its digit. For a joker, it is the joker's position in the list of all jokers, counted
        from 1. See ``BEYOND`` for keys from the tenth on.
        """
        if move.kind == "joker":
            place = [joker.id for joker in self.table.jokers].index(move.text) + 1
        elif move.kind == "pass" or move.text.endswith(("S", "G")):
            return ""
        else:
            place = move.number
        if place < 10:
            return str(place)
        return BEYOND[place - 10] if move.kind in ("joker", "bid") and place - 10 < len(BEYOND) else ""

    def line(self, event: Event, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Describe an event in one line, or return "" if it needs no text."""
        return sentences.line(self.table, event, lang, names)

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return the medals and stars of a seat, e.g. "6 Gold · 7 Spiral · 5 stars"."""
        stars = ntranslate(lang, "{n} star", "{n} stars", view.stars[seat])
        return translate(
            lang,
            "{gold} Gold · {spiral} Spiral · {stars}",
            gold=view.gold[seat],
            spiral=view.spiral[seat],
            stars=stars,
        )

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = SIGNS) -> list[str]:
        """Return the visible table as lines of text for a terminal."""
        return lines.lines(self.table, view, lang, names)
