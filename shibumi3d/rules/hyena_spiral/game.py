"""Hyena Spiral behind the contract: verbs on a frozen state, and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from shibumi3d.i18n import Message, Unusable
from shibumi3d.rules.errors import IllegalMove, Unforeseen
from shibumi3d.rules.game import Deal, Facts, settled
from shibumi3d.rules.hyena_spiral import event as ev
from shibumi3d.rules.hyena_spiral import reasons, words
from shibumi3d.rules.hyena_spiral.flow import Move, Turn, ended, moves
from shibumi3d.rules.hyena_spiral.numbers import CHIPS, Numbers
from shibumi3d.rules.hyena_spiral.placing import placed
from shibumi3d.rules.hyena_spiral.state import Leg, State, Walker
from shibumi3d.rules.plain import PlainGame

USUAL_LENGTH = 80
TWO_SEATS = 4
"""Rounds that two seats play; more seats play as many as they are, so that each begins once."""
TURNS = (9.0, 0.31)
"""Turns that a seat has in a round, about: so many, and so many more for each place of the spiral, as measured."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What surely comes of a choice: its events up to where chance decides or the turn ends, and the state ``after``
    it (None where chance comes in)."""

    events: tuple[ev.Event, ...]
    after: State | None


class HyenaGame(PlainGame[Numbers]):
    """A race of some length to the well and back, for some rounds."""

    kind = "hyena-spiral"

    def chosen(self, seats: int) -> tuple[int, int]:
        """Return the length of the spiral, and how many rounds so many seats play."""
        usual = {"length": USUAL_LENGTH, "rounds": TWO_SEATS if seats == 2 else seats}
        chosen = usual | dict(self.form) | settled(self.options, self.form, seats)
        return int(chosen["length"]), int(chosen["rounds"])

    def facts(self, seats: int | None = None) -> Facts:
        """Return what can be said of the game for a number of seats."""
        seats = self.seats_of(seats)
        length, rounds = self.chosen(seats)
        about = seats * rounds * (TURNS[0] + TURNS[1] * length)
        return Facts(
            players=self.players,
            turns=(round(about * 0.8), round(about * 1.2)),
            chance=True,
            options=self.options,
            scored=True,
        )

    # ------------------------------------------------------------ the verbs

    def every_choice(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all choices there can ever be, as :class:`.Numbered` has it."""
        return "throw", "buy", "enter", "go", "take", "pay"

    def figures(self, view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return what ``seat`` sees of ``view`` as numbers in a row, ten a seat and five more.

        For each seat, the one that looks first: the place as a part of the way; for each leg of the way (out, well,
        back, home, eaten) 1 on that; tabas and points in tens; 1 for the hyena. Then for each seat 1 if it is to
        move; the faces of the last throw, whether they leave a choice, and the round as a part of all.
        """
        order = [(seat + other) % view.seats for other in range(view.seats)]
        found: list[float] = []
        for walker in (view.walkers[other] for other in order):
            found.append(walker.place / view.length)
            found += [walker.leg is leg for leg in Leg]
            found += [walker.tabas / 10, walker.points / 10, walker.hyena]
        found += [view.to_move == other for other in order]
        found += [*(view.chips or (False,) * CHIPS), view.choosing, view.round / view.rounds]
        return (len(found),), [float(value) for value in found]

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the first moment of a match: all in the village.

        ``deal`` gives what chance would decide: ``starter``, a seat from 1, and ``throws``, numbers of white faces
        from 0 to 3 for the first throws. Raises ValueError when it does not fit.
        """
        seats = self.seats_of(seats)
        starter, throws = _dealt(deal or {}, seats, self.title)
        if starter < 0:
            starter = Random(f"{seed}/starter").randrange(seats)
        return self._state(tuple([Walker()] * seats), starter, seed, throws)

    def _state(self, walkers: tuple[Walker, ...], starter: int, seed: int, throws: tuple[int, ...]) -> State:
        length, rounds = self.chosen(len(walkers))
        return State(
            numbers=self.table,
            length=length,
            rounds=rounds,
            walkers=walkers,
            mover=starter,
            starter=starter,
            seed=seed,
            forced=throws,
        )

    def position(
        self,
        boards: str | Sequence[str],
        *,
        seats: int | None = None,
        to_move: int = 0,
        seed: int = 0,
        phase: int = 0,
        stocks: Deal | None = None,
    ) -> State:
        """Return a turn's beginning told by a text a seat, such as "back 72, 3 tabas" (see :func:`.placing.placed`).

        ``phase`` is the round, from 0, and ``stocks`` what :meth:`start` takes as a deal. Raises ValueError when the
        position can't stand.
        """
        texts = boards.split(";") if isinstance(boards, str) else list(boards)
        if seats is not None and seats != len(texts):
            raise Unusable("the position has {told} seats, not {seats}", told=len(texts), seats=seats)
        self.seats_of(len(texts))
        walkers = placed(texts, self.chosen(len(texts))[0], self.table)
        starter, throws = _dealt(stocks or {}, len(texts), self.title)
        state = self._state(walkers, max(starter, 0), seed, throws)
        return replace(state, mover=to_move, round=phase + 1)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the choices open now (to ``seat``); none when the match is over."""
        return () if seat not in (None, state.to_move) else moves(state)

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state after a choice and what happened.

        Raises IllegalMove, and Unforeseen for a throw in a view.
        """
        turn = Turn(state)
        after = turn.play(self.parse(state, str(move)))
        return after, tuple(turn.events)

    def drawn(self, state: State) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state in which the seats ended the match as a draw. Raises IllegalMove when it is over."""
        if state.result is not None:
            raise IllegalMove("the match is over")
        outcome = ended(state, (), "drawn")
        return replace(state, result=outcome), (ev.MatchOver((), outcome.reason),)

    def lost(self, state: State, seat: int) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state in which ``seat`` lost to all others by the clock.

        Raises IllegalMove when the match is over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        outcome = ended(state, tuple(each for each in range(state.seats) if each != seat), "time")
        return replace(state, result=outcome), (ev.MatchOver(outcome.winners, outcome.reason),)

    # ------------------------------------------------------------ what a seat may know

    def view(self, state: State, seat: int | None) -> State:
        """Return the state without the chance to come: nothing else is hidden."""
        return replace(state, seed=None, forced=())

    def as_seen_by(self, state: State, events: Iterable[ev.Event], seat: int | None) -> tuple[ev.Event, ...]:
        """Return the events as they are: everybody sees all."""
        return tuple(events)

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return the view with new chance."""
        return replace(view, seed=rng.getrandbits(48), forced=())

    def foresee(self, view: State, move: Move) -> Outlook:
        """Return what surely comes of a choice: nothing of a throw."""
        turn = Turn(self.view(view, None))
        try:
            after = turn.play(move)
        except Unforeseen:
            return Outlook((), None)
        end = next((i for i, event in enumerate(turn.events) if not event.foreseen), len(turn.events))
        return Outlook(tuple(turn.events[:end]), after)

    def grounds(
        self, view: State, move: Move, seat: int, who: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return what speaks for a choice, as the rules alone show it."""
        return tuple(reasons.grounds(view, move, seat))

    # ------------------------------------------------------------ in words

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Sequence[Move] | None = None
    ) -> str:
        """Return what the seat to move is asked for."""
        return words.ask_line(view, lang)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return a choice as a button says it."""
        return words.say(move, lang)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return a choice and all that comes of it; of a throw the chances."""
        return words.foretell(view, move, lang, names)

    def log_line(
        self,
        before: State,
        move: Move,
        events: Sequence[ev.Event],
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> str:
        """Return a choice that was made and what came of it, as a list of moves tells it."""
        return words.log_line(before, move, events, lang, names)

    def happened(
        self, view: State, events: Iterable[ev.Event], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Return what events came to, turn by turn."""
        return words.happened(view, list(events), lang, names)

    def round_line(self, view: State, lang: str = "en") -> str:
        """Return which round is played."""
        return words.round_line(view, lang)

    def thing_line(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return what lies at a spot."""
        return words.thing_line(view, spot, lang, names)

    def key_of(self, view: State, move: Move) -> str:
        """Return the digit of a choice, which is always the same."""
        return words.KEYS.get(move.kind, "")

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Return why nothing can be done with the last of some spots now."""
        return words.why_not(view, spots[-1], lang, names) if spots else ""

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return what a seat is, where, and what it holds, briefly."""
        return words.own_line(view, seat, lang)

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return the table as lines of text."""
        return words.lines(view, lang, names)


def _dealt(deal: Deal, seats: int, title: str) -> tuple[int, tuple[int, ...]]:
    """The starter (-1: by lot) and the throws that a deal gives. Raises ValueError."""
    starter = -1
    throws: tuple[int, ...] = ()
    for name, given in deal.items():
        told = given.split() if isinstance(given, str) else [part for text in given for part in text.split()]
        if name == "starter":
            if len(told) != 1 or told[0] not in [str(seat + 1) for seat in range(seats)]:
                raise Unusable(
                    "'starter' must be a seat from 1 to {seats}, not '{text}'",
                    seats=seats,
                    text=" ".join(told),
                )
            starter = int(told[0]) - 1
        elif name == "throws":
            wrong = [each for each in told if each not in [str(whites) for whites in range(CHIPS + 1)]]
            if wrong:
                raise Unusable(
                    "'throws' must list numbers of white faces from 0 to {most}, not '{text}'",
                    most=CHIPS,
                    text=wrong[0],
                )
            throws = tuple(map(int, told))
        else:
            raise Unusable(
                "{game}: the deal can't set '{name}', only starter and throws", game=title, name=name
            )
    return starter, throws
