"""Implementation of the game interface for Hyena Spiral, and the notation of its positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from shibumi3d.i18n import InvalidValueError, Message, Plural
from shibumi3d.rules.errors import IllegalMove, UnknownOutcomeError
from shibumi3d.rules.game import Deal, Facts, option_values
from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral import text
from shibumi3d.rules.hyena_spiral.moves import Move, MoveExecution, legal_moves, make_outcome
from shibumi3d.rules.hyena_spiral.state import (
    CHIP_COUNT,
    OPTION_BOUNDS,
    HyenaRules,
    Leg,
    State,
    Walker,
    read_rules,
)
from shibumi3d.rules.python_games import PythonGame, PythonGameKind

_WALKER_PATTERN = re.compile(
    r"(?P<hyena>hyena )?(?P<leg>out|well|back|home|eaten)(?: (?P<place>\d+))?"
    r"(?:, (?P<paid>\d+) paid)?(?:, (?P<tabas>\d+) tabas?)?(?:, (?P<points>\d+) points?)?"
)


def parse_walkers(texts: Sequence[str], length: int, rules: HyenaRules) -> tuple[Walker, ...]:
    """Return the walkers described by ``texts``, one text per seat.

    Typical texts are "out 30, 3 tabas", "well, 1 paid, 4 tabas", "hyena back 72" and "home". ``length`` is the length
    of the path. Raises ValueError if a text is invalid, if more than one seat is the hyena, if no seat is the hyena
    although one has already reached the well, or if no villager is left on the path. Other impossible positions, such
    as one in which the hyena has been eaten, aren't detected.
    """
    walkers = tuple([_parse_walker(text.strip(), length, rules) for text in texts])
    if sum(walker.is_hyena for walker in walkers) > 1:
        raise InvalidValueError("only one seat can be the hyena")
    ahead = [walker for walker in walkers if walker.leg is not Leg.OUT]
    if ahead and not any(walker.is_hyena for walker in walkers):
        raise InvalidValueError("someone has already reached the well, so one seat must be the hyena")
    if all(walker.is_hyena or walker.leg in (Leg.HOME, Leg.EATEN) for walker in walkers):
        raise InvalidValueError("no villager is left on the path, so the round is over")
    return walkers


def _parse_walker(text: str, length: int, rules: HyenaRules) -> Walker:
    match = _WALKER_PATTERN.fullmatch(text)
    if match is None:
        raise InvalidValueError(
            "'{text}' doesn't say where a seat is; write, for example, 'out 30, 3 tabas' or 'hyena "
            "well, 1 paid'",
            text=text,
        )
    leg, hyena = Leg(match["leg"]), match["hyena"] is not None
    place = length if leg is Leg.WELL else int(match["place"] or 0)
    first, last = {Leg.OUT: (0, length - 1), Leg.BACK: (1, length - 1)}.get(leg, (0, length))
    if not first <= place <= last:
        raise InvalidValueError(
            "'{text}': the space must be from {least} to {most}", text=text, least=first, most=last
        )
    fees = 1 if hyena else len(rules.villager_fees)
    paid = int(match["paid"] or 0)
    if paid > fees:
        raise InvalidValueError("'{text}': 'paid' can be at most {most}", text=text, most=fees)
    return Walker(leg, place, int(match["tabas"] or 0), paid, hyena, int(match["points"] or 0))


DEFAULT_LENGTH = 80
DEFAULT_ROUNDS_FOR_TWO = 4
"""Default number of rounds for two seats.

For more seats, the default is one round per seat, so that each seat takes the first turn once.
"""
ROUND_LENGTH_ESTIMATE = (9.0, 0.31)
"""Measured coefficients for estimating the length of a round, in turns per seat.

The first is a constant; the second is multiplied by the number of spaces on the path.
"""


@dataclass(frozen=True, slots=True)
class MovePreview:
    """Preview of a move: the events that are certain, and the state after the move.

    ``events`` contains the events before the end of the turn. If the move is a throw, ``events`` is empty and ``after``
    is None.
    """

    events: tuple[ev.Event, ...]
    after: State | None


class HyenaGame(PythonGame[HyenaRules, State, Move, ev.Event]):
    """Hyena Spiral with the parameters of a game file.

    The length of the path and the number of rounds can be chosen as options.
    """

    kind = "hyena-spiral"

    def length_and_rounds(self, seats: int) -> tuple[int, int]:
        """Return the length of the path and the number of rounds for a match with ``seats`` seats."""
        usual = {"length": DEFAULT_LENGTH, "rounds": DEFAULT_ROUNDS_FOR_TWO if seats == 2 else seats}
        chosen = usual | dict(self.form) | option_values(self.options, self.form, seats)
        return int(chosen["length"]), int(chosen["rounds"])

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game for ``seats`` seats, or for the minimum number if ``seats`` is None.

        Raises InvalidValueError if the game does not allow this number.
        """
        seats = self.check_seats(seats)
        length, rounds = self.length_and_rounds(seats)
        about = seats * rounds * (ROUND_LENGTH_ESTIMATE[0] + ROUND_LENGTH_ESTIMATE[1] * length)
        return Facts(
            players=self.players,
            turns=(round(about * 0.8), round(about * 1.2)),
            has_chance=True,
            options=self.options,
            has_scores=True,
        )

    # ------------------------------------------------------------ states and moves

    def all_move_texts(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all moves that can ever occur; see :class:`.NumericallyEncoded`."""
        return "throw", "buy", "enter", "go", "take", "pay"

    def encode_observation(self, view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return the observation of ``seat`` as the shape of a one-dimensional array and its values.

        Seats are in turn order, starting with ``seat``. First come nine numbers for each seat: its place divided by the
        length of the path; its leg, one-hot encoded (out, well, back, home, eaten); its tabas and its points, each
        divided by 10; and whether it is the hyena. Then comes one number for each seat: whether it is to move. The last
        five are the three faces of the last throw (1 if white; all 0 before the first throw), whether the player still
        has to choose between the steps and the tabas of that throw, and the round divided by the number of rounds.
        Truth values are 1 or 0.
        """
        order = [(seat + other) % view.seats for other in range(view.seats)]
        result: list[float] = []
        for walker in (view.walkers[other] for other in order):
            result.append(walker.place / view.length)
            result += [walker.leg is leg for leg in Leg]
            result += [walker.tabas / 10, walker.points / 10, walker.is_hyena]
        result += [view.to_move == other for other in order]
        result += [*(view.last_throw or (False,) * CHIP_COUNT), view.is_choosing, view.round / view.rounds]
        return (len(result),), [float(value) for value in result]

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match, with all pawns in the village.

        ``deal`` presets random outcomes: ``starter`` is the starting seat, counted from 1, and ``throws`` gives the
        number of white faces, from 0 to 3, for each of the first throws. Both are optional. Raises ValueError if the
        deal or the number of seats is not valid.
        """
        seats = self.check_seats(seats)
        starter, throws = _parse_deal(deal or {}, seats, self.title)
        if starter < 0:
            starter = Random(f"{seed}/starter").randrange(seats)
        return self._make_state(tuple([Walker()] * seats), starter, seed, throws)

    def _make_state(
        self, walkers: tuple[Walker, ...], starter: int, seed: int, throws: tuple[int, ...]
    ) -> State:
        length, rounds = self.length_and_rounds(len(walkers))
        return State(
            rules=self.rules,
            length=length,
            rounds=rounds,
            walkers=walkers,
            mover=starter,
            first_seat=starter,
            seed=seed,
            preset_throws=throws,
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

        ``boards`` contains the texts, such as "back 72, 3 tabas", in a list or separated by semicolons; see
        :func:`parse_walkers`. ``phase`` is the round, counted from 0. ``stocks`` is a deal as for :meth:`start`, except
        that ``starter`` is the seat that took the first turn of the round, by default the first seat. Raises ValueError
        if an argument is not valid. Some impossible positions aren't detected; for example, ``to_move`` may be a seat
        that has already finished the round.
        """
        texts = boards.split(";") if isinstance(boards, str) else list(boards)
        if seats is not None and seats != len(texts):
            raise InvalidValueError(
                Plural("the position has {n} seat, not {seats}", "the position has {n} seats, not {seats}"),
                n=len(texts),
                seats=seats,
            )
        self.check_seats(len(texts))
        if not 0 <= to_move < len(texts):
            raise InvalidValueError("seat {seat} is to move, but there is no such seat", seat=to_move + 1)
        length, rounds = self.length_and_rounds(len(texts))
        if not 0 <= phase < rounds:
            raise InvalidValueError("{game} has no phase {phase}", game=self.title, phase=phase + 1)
        walkers = parse_walkers(texts, length, self.rules)
        starter, throws = _parse_deal(stocks or {}, len(texts), self.title)
        state = self._make_state(walkers, max(starter, 0), seed, throws)
        return replace(state, mover=to_move, round=phase + 1)

    def moves(self, state: State, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move).

        There are none if the match is over or if it is another seat's turn.
        """
        return () if seat not in (None, state.to_move) else legal_moves(state)

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state after a move, and the events in order.

        The move can be given as its text. Raises IllegalMove if it is not legal, or UnknownOutcomeError for a throw in
        a view.
        """
        turn = MoveExecution(state)
        after = turn.apply_move(self.parse(state, str(move)))
        return after, tuple(turn.events)

    def agree_to_draw(self, state: State) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the final state after the seats agree to a draw, and the event that ends the match.

        Raises IllegalMove if the match is already over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        outcome = make_outcome(state, (), "drawn")
        return replace(state, result=outcome), (ev.MatchEnded((), outcome.reason),)

    def lose_on_time(self, state: State, seat: int) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the final state, in which all seats but ``seat`` win on time, and the event that ends the match.

        Raises IllegalMove if the match is already over.
        """
        if state.result is not None:
            raise IllegalMove("the match is over")
        outcome = make_outcome(state, tuple(each for each in range(state.seats) if each != seat), "time")
        return replace(state, result=outcome), (ev.MatchEnded(outcome.winners, outcome.reason),)

    # ------------------------------------------------------------ hidden information

    def observe(self, state: State, seat: int | None) -> State:
        """Return the state without the random seed and preset throws, the only hidden information."""
        return replace(state, seed=None, preset_throws=())

    def observe_events(
        self, state: State, events: Iterable[ev.Event], seat: int | None
    ) -> tuple[ev.Event, ...]:
        """Return the events unchanged, since every seat observes everything."""
        return tuple(events)

    def determinize(self, view: State, seat: int, rng: Random) -> State:
        """Return ``view`` as a full state with a new random seed."""
        return replace(view, seed=rng.getrandbits(48), preset_throws=())

    def preview(self, view: State, move: Move) -> MovePreview:
        """Return the effects of a move, as far as they are certain.

        For a throw, the result has no events, and its ``after`` is None.
        """
        turn = MoveExecution(self.observe(view, None))
        try:
            after = turn.apply_move(move)
        except UnknownOutcomeError:
            return MovePreview((), None)
        end = next((i for i, event in enumerate(turn.events) if not event.can_be_previewed), len(turn.events))
        return MovePreview(tuple(turn.events[:end]), after)

    def reasons_for(
        self, view: State, move: Move, seat: int, seat_name: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for ``seat``, whose turn it is, to make ``move``.

        The reasons follow from the rules alone. ``seat_name`` isn't used, since no reason names a seat.
        """
        return tuple(text.reasons_for(view, move, seat))

    # ------------------------------------------------------------ texts

    def describe_decision(
        self, view: State, lang: str = "en", names: Sequence[str] = (), moves: Sequence[Move] | None = None
    ) -> str:
        """Describe the pending decision without naming the player, or return "" if the match is over."""
        return text.describe_decision(view, lang)

    def move_label(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return the button label for a move."""
        return text.move_label(move, lang)

    def describe_outcome(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe a move and its effects or, if it is a throw, its possible outcomes and their probabilities."""
        return text.describe_outcome(view, move, lang, names)

    def describe_move(
        self,
        before: State,
        move: Move,
        events: Sequence[ev.Event],
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> str:
        """Return the log text for a move and its effects."""
        return text.describe_move(before, move, events, lang, names)

    def summarize_events(
        self, view: State, events: Iterable[ev.Event], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Summarize ``events`` in one sentence: what each seat did, in order, and which rounds ended and began."""
        return text.summarize_events(view, list(events), lang, names)

    def describe_round(self, view: State, lang: str = "en") -> str:
        """Return the name of the current round, e.g. "Round 2 of 4", or "" if the match has a single round."""
        return text.describe_round(view, lang)

    def describe_spot(self, view: State, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe what is at a spot, or return "" if there is no such spot."""
        return text.describe_spot(view, spot, lang, names)

    def shortcut_key(self, view: State, move: Move) -> str:
        """Return the digit that selects a move; it depends only on the kind of move."""
        return text.MOVE_KEYS.get(move.kind, "")

    def explain_illegal(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = (),
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why the last of ``spots`` can't be used now.

        Returns "" if no reason applies or there are no spots.
        """
        return text.explain_illegal(view, spots[-1], lang, names) if spots else ""

    def describe_seat(self, view: State, seat: int, lang: str = "en") -> tuple[str, ...]:
        """Return the role and place of a seat, and its tabas.

        The tabas are left out if the seat is home or eaten.
        """
        return text.describe_seat(view, seat, lang)

    def table_lines(self, view: State, lang: str = "en", names: Sequence[str] = ()) -> list[str]:
        """Return the visible table as lines of text for a terminal."""
        return text.table_lines(view, lang, names)


def _parse_deal(deal: Deal, seats: int, title: str) -> tuple[int, tuple[int, ...]]:
    """Return the starting seat and the throws that a deal presets.

    The seat is -1 if the deal doesn't preset it. Each throw is given as its number of white faces. ``title`` is the
    title of the game, for error messages. Raises ValueError if the deal is not valid.
    """
    starter = -1
    throws: tuple[int, ...] = ()
    for name, given in deal.items():
        values = (
            given.split() if isinstance(given, str) else [part for text in given for part in text.split()]
        )
        if name == "starter":
            if len(values) != 1 or values[0] not in [str(seat + 1) for seat in range(seats)]:
                raise InvalidValueError(
                    "'starter' must be a seat from 1 to {seats}, not '{text}'",
                    seats=seats,
                    text=" ".join(values),
                )
            starter = int(values[0]) - 1
        elif name == "throws":
            wrong = [each for each in values if each not in [str(whites) for whites in range(CHIP_COUNT + 1)]]
            if wrong:
                raise InvalidValueError(
                    "'throws' must list the number of white faces for each throw, from 0 to {most}, not '{text}'",
                    most=CHIP_COUNT,
                    text=wrong[0],
                )
            throws = tuple(map(int, values))
        else:
            raise InvalidValueError(
                "{game}: the deal can't set '{name}', only 'starter' and 'throws'", game=title, name=name
            )
    return starter, throws


def _game_class() -> type[HyenaGame]:

    return HyenaGame


KIND = PythonGameKind(read_rules, _game_class, OPTION_BOUNDS)
KEYS, make, check = KIND.KEYS, KIND.make, KIND.check
