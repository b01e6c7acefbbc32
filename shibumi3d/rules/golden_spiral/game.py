"""The game on this table: the verbs of the contract on frozen states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from shibumi3d.i18n import Message, Unusable, ntranslate, translate
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
"""How many Spirals a match mostly takes."""
BEYOND = "0cdef"
"""The keys of ten and what follows it."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What surely comes of a choice: its events, and the state after it."""

    events: tuple[Event, ...]
    after: State


class MedalGame(PlainGame[Tableau]):
    """The game in one form, by the numbers of a file. What is chosen of its options overrules the file."""

    kind = "golden-spiral"

    def facts(self, seats: int | None = None) -> Facts:
        """Return what can be said of the game without playing it."""
        return Facts(
            players=self.players,
            turns=TURNS,
            secrets=True,
            simultaneous=True,
            phases=tuple(dict(both(f"phase {number}")) for number in range(4)),
            options=self.options,
        )

    # ------------------------------------------------------------ the verbs

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the first moment of a match; ``deal`` must be empty, since nothing is left to chance.

        Raises ValueError when seats or deal do not fit.
        """
        self.seats_of(seats)
        if deal:
            raise Unusable(
                "{game} has no '{name}' to deal: nothing in it is random",
                game=self.title,
                name=next(iter(deal)),
            )
        stars = settled(self.options, self.form, 2).get("stars", self.table.stars)
        medals = self.table.medals
        return State((medals, medals), (0, 0), (int(stars), int(stars)), seed=seed)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the choices open now to a seat (None: to the first of those asked), each once, in a fixed order."""
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
        """Return what may be chosen for the joker that is carried out now."""
        joker = self.table.joker(state.spoken[state.used])
        return jokers.amounts(joker, state, state.speaker(state.used))

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[Event, ...]]:
        """Return the state after a choice and what happened, in order. Raises IllegalMove."""
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
        """Refuse to end the match as a draw: what was set in secret is no position that recurs.

        Raises IllegalMove, always.
        """
        raise IllegalMove("a draw can't be claimed in this game: numbers are set in secret")

    # ------------------------------------------------------------ secrets

    def view(self, state: State, seat: int | None) -> State:
        """Return the state without the numbers that others have set: in it nobody else has answered yet."""
        state = replace(state, seed=None, viewer=-1 if seat is None else seat)
        if state.question != "bid":
            return state
        bids = tuple(bid if each == seat else 0 for each, bid in enumerate(state.bids))
        unseen = sum(bool(bid) for bid in state.bids) - sum(bool(bid) for bid in bids)
        asked = tuple(each for each, bid in enumerate(bids) if not bid)
        return replace(state, bids=bids, asked=asked, step=state.step - unseen)

    def as_seen_by(self, state: State, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        """Return the events without those of numbers that others set."""
        return tuple(event for event in events if not isinstance(event, NumberSet) or event.seat == seat)

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return a whole state that looks like ``view``: one in which nobody else has answered."""
        return replace(view, seed=rng.getrandbits(48), viewer=-1)

    def foresee(self, view: State, move: Move) -> Foreseen | None:
        """Return what surely comes of a choice; None where a number stays hidden."""
        if move.kind == "bid" or view.result is not None:
            return None
        after, events = self.apply(view, move)
        end = next((i for i, event in enumerate(events) if not event.foreseen), len(events))
        return Foreseen(events[:end], self.view(after, move.seat if move.seat >= 0 else view.to_move))

    def grounds(
        self, view: State, move: Move, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return what speaks for a choice, as the rules alone show it."""
        return tuple(reasons.grounds(self.table, view.gold, move, seat, who))

    # ------------------------------------------------------------ in words

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = SIGNS, moves: Sequence[Move] | None = None
    ) -> str:
        """Return what is asked for now."""
        return sentences.ask_line(self.table, view, lang, names)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Return a choice as a button says it."""
        return sentences.say(self.table, view, move, lang)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Return a choice, and the counts that come of it, as a line without a full stop."""
        return sentences.foretell(self.table, view, move, lang, names)

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = SIGNS,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Return why nothing can be done now with the last of some places: a number, or a joker."""
        return sentences.why_not(self.table, view, spots[-1], lang, names) if spots else ""

    def closed(self, view: State, lang: str = "en", names: Sequence[str] = SIGNS) -> tuple[Shut, ...]:
        """Return the jokers that can't be announced now, each with its price and what it does."""
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
        """Return a choice that was made and what came of it."""
        return sentences.log_line(self.table, before, move, events, lang, names)

    def happened(
        self, view: State, events: Iterable[Event], lang: str = "en", names: Sequence[str] = SIGNS
    ) -> str:
        """Return what events came to, with the counts after them."""
        return sentences.happened(self.table, view, list(events), lang, names)

    def round_line(self, view: State, lang: str = "en") -> str:
        """Return which Spiral is played."""
        return translate(
            lang, "Spiral {n} of {most}", view.turn + (view.result is None), most=self.table.limit
        )

    def thing_line(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Return what lies at a place, or what a joker costs and does."""
        return sentences.thing_line(self.table, view, spot, lang, names)

    def detail(self, view: State, move: Move, lang: str = "en") -> str:
        """Return what a joker costs and does."""
        return sentences.detail(self.table, move, lang)

    def key_of(self, view: State, move: Move) -> str:
        """Return the key of a choice: a number has its own, a joker its place among all that there are."""
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
        """Return what happened, as a line; "" where nothing is to be said."""
        return sentences.line(self.table, event, lang, names)

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return the medals and stars that a seat has."""
        stars = ntranslate(lang, "{n} star", "{n} stars", view.stars[seat])
        return translate(
            lang,
            "{gold} Gold · {spiral} Spiral · {stars}",
            gold=view.gold[seat],
            spiral=view.spiral[seat],
            stars=stars,
        )

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = SIGNS) -> list[str]:
        """Return the table as lines for a terminal."""
        return lines.lines(self.table, view, lang, names)
