"""Hyena Spiral as a :class:`~shibumi3d.rules.game.Game` on immutable states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from shibumi3d.i18n import InvalidValueError, Message
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
"""Default number of rounds for two seats.

For more seats, the default is one round per seat, so that each seat takes the first turn once.
"""
TURNS = (9.0, 0.31)
"""Two numbers for estimating the length of a round, in turns per seat.

The first is constant; the second is multiplied by the number of spaces on the path. Both were measured.
"""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Preview of a move: the events that are certain, and the state ``after`` it.

    The events stop at a throw and at the end of the turn. ``after`` is None if the move depends on chance.
    """

    events: tuple[ev.Event, ...]
    after: State | None


class HyenaGame(PlainGame[Numbers]):
    """Hyena Spiral with the parameters of a game file.

    The length of the path and the number of rounds can be chosen as options.
    """

    kind = "hyena-spiral"

    def chosen(self, seats: int) -> tuple[int, int]:
        """Return the chosen path length and number of rounds for a number of seats."""
        usual = {"length": USUAL_LENGTH, "rounds": TWO_SEATS if seats == 2 else seats}
        chosen = usual | dict(self.form) | settled(self.options, self.form, seats)
        return int(chosen["length"]), int(chosen["rounds"])

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game for a number of seats (None: the minimum)."""
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

    # ------------------------------------------------------------ states and moves

    def every_choice(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all moves that can ever occur; see :class:`.Numbered`."""
        return "throw", "buy", "enter", "go", "take", "pay"

    def figures(self, view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return the observation of ``seat`` as numbers: ten for each seat, then five more.

        Seats are listed in turn order, starting with ``seat``. Each seat first has nine numbers: its place divided by
        the length of the path; five for its leg (out, well, back, home, eaten), 1 for the current one and 0 for the
        others; its tabas and its points, each divided by 10; and 1 if it is the hyena, else 0. After these, each seat
        has one more number: 1 if it is to move, else 0. The last five numbers are the three faces of the last throw (1
        if white), 1 if they leave a choice, else 0, and the round divided by the number of rounds.
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
        """Return the initial state of a match, with all pawns in the village.

        ``deal`` may preset random outcomes: ``starter`` is the starting seat, counted from 1, and ``throws`` gives the
        number of white faces, from 0 to 3, for each of the first throws. Raises ValueError if the deal or the number of
        seats is not valid.
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
        """Return the state at the start of a turn, given one text per seat.

        A text is e.g. "back 72, 3 tabas"; see :func:`.placing.placed`. ``phase`` is the round, counted from 0.
        ``stocks`` is a deal as for :meth:`start`. Raises ValueError if the position is not valid.
        """
        texts = boards.split(";") if isinstance(boards, str) else list(boards)
        if seats is not None and seats != len(texts):
            raise InvalidValueError(
                "the position has {told} seats, not {seats}", told=len(texts), seats=seats
            )
        self.seats_of(len(texts))
        walkers = placed(texts, self.chosen(len(texts))[0], self.table)
        starter, throws = _dealt(stocks or {}, len(texts), self.title)
        state = self._state(walkers, max(starter, 0), seed, throws)
        return replace(state, mover=to_move, round=phase + 1)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move).

        There are none if the match is over or if it is another seat's turn.
        """
        return () if seat not in (None, state.to_move) else moves(state)

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state after a move and the events, in order.

        The move can be given as its text. Raises IllegalMove if it is not legal, or Unforeseen for a throw in a view.
        """
        turn = Turn(state)
        after = turn.play(self.parse(state, str(move)))
        return after, tuple(turn.events)

    def drawn(self, state: State) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state after a draw that the seats agreed to, and the event.

        Raises IllegalMove if the match is over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        outcome = ended(state, (), "drawn")
        return replace(state, result=outcome), (ev.MatchOver((), outcome.reason),)

    def lost(self, state: State, seat: int) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state after ``seat`` loses on time to all others, and the event.

        Raises IllegalMove if the match is over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        outcome = ended(state, tuple(each for each in range(state.seats) if each != seat), "time")
        return replace(state, result=outcome), (ev.MatchOver(outcome.winners, outcome.reason),)

    # ------------------------------------------------------------ hidden information

    def view(self, state: State, seat: int | None) -> State:
        """Return the state without the random seed and preset throws, the only hidden information."""
        return replace(state, seed=None, forced=())

    def as_seen_by(self, state: State, events: Iterable[ev.Event], seat: int | None) -> tuple[ev.Event, ...]:
        """Return the events unchanged, since every seat observes everything."""
        return tuple(events)

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return ``view`` as a full state with a new random seed."""
        return replace(view, seed=rng.getrandbits(48), forced=())

    def foresee(self, view: State, move: Move) -> Outlook:
        """Preview a move. If it is a throw, no events are certain."""
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
        """Return the reasons for a move that follow from the rules alone; see :mod:`.reasons`."""
        return tuple(reasons.grounds(view, move, seat))

    # ------------------------------------------------------------ texts

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Sequence[Move] | None = None
    ) -> str:
        """Describe the pending decision, without naming the player."""
        return words.ask_line(view, lang)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return the label of a move for a button."""
        return words.say(move, lang)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe a move and its effects, or the outcomes of a throw with their probabilities."""
        return words.foretell(view, move, lang, names)

    def log_line(
        self,
        before: State,
        move: Move,
        events: Sequence[ev.Event],
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> str:
        """Return the log text for a move and its effects."""
        return words.log_line(before, move, events, lang, names)

    def happened(
        self, view: State, events: Iterable[ev.Event], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Summarize ``events`` in one sentence, turn by turn."""
        return words.happened(view, list(events), lang, names)

    def round_line(self, view: State, lang: str = "en") -> str:
        """Return a text such as "Round 2 of 4", or "" if the match has a single round."""
        return words.round_line(view, lang)

    def thing_line(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe what is at a spot, or return "" if nothing is there."""
        return words.thing_line(view, spot, lang, names)

    def key_of(self, view: State, move: Move) -> str:
        """Return the digit that always selects this kind of move."""
        return words.KEYS.get(move.kind, "")

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why the last of ``spots`` can't be used now."""
        return words.why_not(view, spots[-1], lang, names) if spots else ""

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return the role, place and tabas of a seat, e.g. "Villager → 42 · 3 tabas"."""
        return words.own_line(view, seat, lang)

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return the visible table as lines of text for a terminal."""
        return words.lines(view, lang, names)


def _dealt(deal: Deal, seats: int, title: str) -> tuple[int, tuple[int, ...]]:
    """Return the starting seat (-1: random) and the throws that a deal presets.

    Raises ValueError if the deal is not valid.
    """
    starter = -1
    throws: tuple[int, ...] = ()
    for name, given in deal.items():
        told = given.split() if isinstance(given, str) else [part for text in given for part in text.split()]
        if name == "starter":
            if len(told) != 1 or told[0] not in [str(seat + 1) for seat in range(seats)]:
                raise InvalidValueError(
                    "'starter' must be a seat from 1 to {seats}, not '{text}'",
                    seats=seats,
                    text=" ".join(told),
                )
            starter = int(told[0]) - 1
        elif name == "throws":
            wrong = [each for each in told if each not in [str(whites) for whites in range(CHIPS + 1)]]
            if wrong:
                raise InvalidValueError(
                    "'throws' must list numbers of white faces from 0 to {most}, not '{text}'",
                    most=CHIPS,
                    text=wrong[0],
                )
            throws = tuple(map(int, told))
        else:
            raise InvalidValueError(
                "{game}: the deal can't set '{name}', only starter and throws", game=title, name=name
            )
    return starter, throws
