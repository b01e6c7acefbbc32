"""The interface that every kind of game implements, and optional interfaces for further abilities.

A :class:`Game` is a set of functions on immutable states. Code that is not made for one kind of game uses only this
interface. Seats are numbered from 0. Languages are codes such as "en"; a text that is missing in a language falls back
to English.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    runtime_checkable,
)

from shibumi3d.deprecation import FormerNames
from shibumi3d.i18n import InvalidValueError, Message, Plural
from shibumi3d.rules.search_protocols import FastGame, Search

Deal = Mapping[str, str | Sequence[str]]
"""Presets for random outcomes and setup choices, by name; each is one string, or one per seat."""

Text = Mapping[str, str]
"""Text in several languages, keyed by language code."""


@dataclass(frozen=True, slots=True)
class Position:
    """A custom starting position, as accepted by :meth:`SupportsPositions.position`.

    ``boards`` are texts in the notation of the table kind. ``to_move`` is the seat to move and ``phase`` the current
    phase; both are numbered from 0.

    In marble games, ``stocks`` gives the contents of stocks, which lie beside the boards. Stocks that are not mentioned
    have their initial contents. The box is an exception: if it is not mentioned, marbles are moved between it and the
    boards to turn the initial boards into the given ones. In other table kinds, ``stocks`` is a deal.
    """

    boards: tuple[str, ...]
    to_move: int = 0
    phase: int = 0
    stocks: Deal = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """A single choice of a player, usually made with one click.

    Each kind of game adds fields in a subclass. Some values of ``kind`` are common to several games: "pass" means that
    the player does nothing, and "done" ends an optional part of the turn. ``text`` is the notation of the move. It is
    never translated, and it is unique among the legal moves of a seat. ``seat`` is the seat that makes the move, or -1
    for the seat to move.
    """

    kind: str
    text: str
    seat: int = field(default=-1, kw_only=True, repr=False)

    def __str__(self) -> str:
        return self.text


MoveT = TypeVar("MoveT", bound=Move)


def first_deciding_seat(decision: Decision | None, viewer: int) -> int | None:
    """Return the seat to move: the first seat with a pending decision, or None if there is none.

    If ``viewer`` has a pending decision, return ``viewer`` instead, because a player's own view describes that player's
    decision and moves.
    """
    if decision is None:
        return None
    return viewer if viewer in decision.seats else decision.seats[0]


def as_move_of(move: MoveT, seat: int, state: State) -> MoveT:
    """Return ``move`` as a move of ``seat`` in ``state``.

    If ``seat`` is the seat to move, ``move`` is returned unchanged. Otherwise, the returned move stores ``seat``.
    """
    return move if move.seat == seat or seat == state.to_move else replace(move, seat=seat)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, described in enough detail to be animated.

    ``seat`` is the seat that the event concerns, or -1 if there is none. ``can_be_previewed`` is set if a preview may
    show the event. A preview ends before the first event for which this isn't set, such as a random outcome, a reveal
    or the end of a turn. ``blocks_undo`` is set if the event reveals information, so that moves before it can't be
    undone. ``ends_secrecy`` is set if choices made in secret before the event are now public. ``includes_fall`` is set
    if something falls without being moved by a player.
    """

    seat: int = field(default=-1, kw_only=True, repr=False)

    can_be_previewed: ClassVar[bool] = True
    blocks_undo: ClassVar[bool] = False
    ends_secrecy: ClassVar[bool] = False
    includes_fall: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The pending decision.

    ``seats`` are the seats that have yet to answer; they may do so in any order. The game's ``moves(state, seat)``
    returns the answers that a seat can give; an answer out of turn is a move with its ``seat`` set. ``visibility`` says
    how the seats answer: "open" means in front of everybody, "own" means behind a curtain with the seat's own view, and
    "hidden" is like "own", except that all answers are kept secret until the last seat has answered.

    While ``visibility`` is "hidden", the state contains the answers given so far, but a view must reveal neither the
    answers of other seats nor whether they have answered. If several seats are asked at once, a seat that has answered
    therefore stays in ``seats`` in all views except its own.

    ``default`` is the text of the move made for a seat that doesn't answer, or "" if there is none. If this move is the
    only one and ``visibility`` is "open", it is played automatically. If the seat decides for a participant that is not
    a seat, ``actor`` is the number of that participant; otherwise it is -1.
    """

    kind: str
    seats: tuple[int, ...]
    visibility: Literal["open", "own", "hidden"] = "open"
    default: str = ""
    actor: int = -1


DEAD_END_REASON = "nobody can move"
"""Reason for the end of a match that stops because no rule says how to continue."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match.

    ``winners`` is empty for a draw, a lost solo game and a common loss; if there are several winners, they share the
    win. ``reason_by_language`` gives ``reason`` by language, as pairs of language code and text. ``is_common_loss`` is
    set if all players lost together.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    reason_by_language: tuple[tuple[str, str], ...] = ()
    is_common_loss: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Option:
    """A setting chosen before a match.

    ``name`` identifies the setting in match records. ``default_by_seats`` overrides ``default`` for particular numbers
    of seats.
    """

    name: str
    label: Text
    values: tuple[int | str, ...]
    default: int | str
    default_by_seats: Mapping[int, int | str] = field(default_factory=dict)

    def default_for(self, seats: int) -> int | str:
        """Return the default value for ``seats`` seats."""
        return self.default_by_seats.get(seats, self.default)


SEPARATE_OPTIONS = ("size", "variant")
"""Names of options that are stored and shown separately from the others."""


def option_values(
    options: Iterable[Option], chosen: Mapping[str, int | str], seats: int
) -> dict[str, int | str]:
    """Return the values of ``options`` by name, leaving out the size and the variant.

    Options that are not set in ``chosen`` have the default for this number of seats.
    """
    return {
        option.name: chosen.get(option.name, option.default_for(seats))
        for option in options
        if option.name not in SEPARATE_OPTIONS
    }


@dataclass(frozen=True, slots=True)
class Facts(FormerNames):
    """What is known about a game without playing it, for one form of the game and one number of seats.

    ``players`` is the minimum and maximum number of seats. ``turns`` is the usual minimum and maximum number of turns
    in a match, or (0, 0) if unknown. ``aim`` is "win", with one exception: it is "score" if the rules define no score,
    but an end rule compares a single number, which then serves as the score. ``solver`` says what an exhaustive search
    can look for in a game without opponents: a "win" or the highest "score". It is "" in games with opponents.
    ``phases`` are the names of the phases, or () if they have none.

    ``is_series`` is set if a match consists of several games. ``games_in_series`` is their number, or 0 if the series
    lasts until a player's total reaches a target. ``has_scores`` is set if the rules define a score; in marble games,
    this requires a formula for it, and points awarded by the verb ``score`` alone don't count. ``positions_may_repeat``
    is set if a position can occur more than once in a marble game. ``score_unit`` is the unit of the score in a solo
    game that is played for a high score and has a formula for it: "marbles", or "points" for anything else. It is "" in
    all other games.

    ``common_loss_reasons`` contains, in English, the reasons why a match can end with a loss for all players together.
    Some reasons why a match ended contain numbers; ``numbered_reasons`` contains their English templates.
    """

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {
        "secrets": "has_secrets",
        "chance": "has_chance",
        "series": "is_series",
        "games": "games_in_series",
        "scored": "has_scores",
        "recurs": "positions_may_repeat",
        "counted": "score_unit",
        "lost_by": "common_loss_reasons",
        "drawn_from": "dealable_names",
        "hand": "choosable_hand",
        "simultaneous": "has_simultaneous_moves",
    }

    players: tuple[int, int]
    turns: tuple[int, int] = (0, 0)
    has_secrets: bool = False
    has_chance: bool = False
    has_simultaneous_moves: bool = False
    aim: Literal["win", "score"] = "win"
    solver: Literal["", "win", "score"] = ""
    phases: tuple[Text, ...] = ()
    options: tuple[Option, ...] = ()
    is_series: bool = False
    games_in_series: int = 1
    has_scores: bool = False
    positions_may_repeat: bool = False
    score_unit: Literal["", "marbles", "points"] = ""
    common_loss_reasons: frozenset[str] = frozenset()
    numbered_reasons: tuple[str, ...] = ()

    @property
    def dealable_names(self) -> frozenset[str] | None:
        """Names under which a deal may preset random outcomes, or None if they are not known."""
        return None

    @property
    def choosable_hand(self) -> tuple[str, tuple[int, ...]]:
        """Name and default contents of the stock a solo player may fill freely, or ("", ()) if there is none.

        The contents give the number of pieces of each sort.
        """
        return "", ()


class FormerStateNames(FormerNames):
    """Base class of all game states, which keeps the former names of their attributes working."""

    __slots__ = ()

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {"ask": "decision", "standing": "repetition_key"}


class State(Protocol):
    """The state of a match at one moment, or a view of it; immutable, hashable and picklable."""

    @property
    def seats(self) -> int:
        """Number of seats."""

    @property
    def seed(self) -> int | None:
        """Random seed of the match; None in a view while the match is in progress.

        Once the match is over, a view may contain the seed, depending on the table kind.
        """

    @property
    def decision(self) -> Decision | None:
        """Pending decision, or None if the match is over."""

    @property
    def to_move(self) -> int | None:
        """Seat to move, or None if the match is over.

        If several seats have a pending decision, this is the first of them; in the view of one of these seats, it is
        that seat.
        """

    @property
    def mover(self) -> int:
        """Seat whose turn it is; unlike :attr:`to_move`, it is never None.

        It can differ from ``to_move``, for example while another seat makes a choice during the turn. It is a valid
        seat even if the match is over or the turn belongs to no seat.
        """

    @property
    def repetition_key(self) -> Hashable:
        """Key for detecting repetitions: two states have equal keys if one repeats the other.

        The key covers what is on the table and which seat is to move. Arcanoid and Hyena Spiral, in which no state
        counts as a repetition, use keys that every move changes instead.
        """

    @property
    def turn(self) -> int:
        """Number of completed turns; Golden Spiral counts its rounds, called Spirals, as turns."""

    @property
    def step(self) -> int:
        """Number of choices made in the current turn."""

    @property
    def phase(self) -> int:
        """Phase of the game, numbered from 0; -1 during setup choices."""

    @property
    def game_number(self) -> int:
        """Number of the current game in a series, counted from 1; always 1 if there is no series."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Current or final score of each seat or, in a series, of each player.

        During a series, these are the scores of the current game. Once a series has been played to its end, they are
        the players' totals.
        """

    @property
    def totals(self) -> tuple[int, ...]:
        """Points that each player has gained in the finished games of a series.

        The tuple is empty before the first game is finished, and if the match is not a series.
        """

    @property
    def result(self) -> Outcome | None:
        """Result of the match, or None if it is not over."""


@runtime_checkable
class SupportsPositions(Protocol):
    """A :class:`Game` that can start from a given position."""

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
        """Return the state at the start of a turn, with the given boards.

        ``boards``, ``to_move``, ``phase`` and ``stocks`` have the same meaning as in :class:`Position`, and ``seed`` is
        the random seed of the match. If ``seats`` is None, the number of seats is inferred from ``boards``; if that
        isn't possible, the minimum is used. Raises ValueError if the position is not valid, and RuleFailure if a rule
        can't be carried out.
        """


@runtime_checkable
class ExportsPositions(SupportsPositions, Protocol):
    """A :class:`SupportsPositions` game that can also convert a state to a :class:`Position`."""

    def position_of(self, state: State) -> Position | None:
        """Return the :class:`Position` that describes ``state``, or None if no position describes it.

        The first state of a match that starts from the position is the same as ``state``, except for its history, its
        number of turns and its random seed.
        """


@runtime_checkable
class RecognizesNotableEvents(Protocol):
    """A :class:`Game` that can tell which events are remarkable, such as captures and falls."""

    def notable_events(
        self, before: State, after: State, events: Sequence[Event], seat: int
    ) -> frozenset[str]:
        """Return the names of the remarkable events among ``events``, which led from ``before`` to ``after``.

        The names are "capture" (something was captured), "fall" (something fell), "loss" (``seat`` has fewer pieces in
        play than before), "climb" (a piece of ``seat`` was set down mainly on pieces that aren't its own) and "last" (a
        hand or other stock became empty).
        """


def initial_state(
    game: Game, seats: int | None, seed: int, position: Position | None = None, deal: Deal | None = None
) -> State:
    """Return the state before the first move; the match starts from ``position`` if it is given.

    If ``seats`` is None, the minimum is used, unless the position implies another number. ``deal`` is ignored if there
    is a ``position``. Raises ValueError if the number of seats, the position or the deal is not valid, or if the game
    can't start from a given position. Raises RuleFailure if a rule can't be carried out.
    """
    if position is None:
        return game.start(seats, seed, deal)
    if not isinstance(game, SupportsPositions):
        raise InvalidValueError("{game} can't start from a given position", game=game.title)
    return game.position(
        position.boards,
        seats=seats,
        to_move=position.to_move,
        seed=seed,
        phase=position.phase,
        stocks=position.stocks,
    )


@runtime_checkable
class NumericallyEncoded(Protocol):
    """A :class:`Game` that encodes its moves and observations as numbers."""

    def all_move_texts(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all moves that can ever occur with ``seats`` seats (None: the minimum).

        They may include moves that are never legal, but there are no duplicates. Their order depends only on the rules
        and is stable across versions of the program. Raises ValueError if the moves can't be listed.
        """

    def encode_observation(self, view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return the observation of ``seat`` as numbers: the shape of an array and its values.

        ``view`` is the state as ``seat`` may know it. The values are in row-major order; each table kind documents what
        they mean. The shape depends only on the game and the number of seats.
        """


class UnavailableEntry(NamedTuple):
    """A choice that is listed but can't be made now, with the reason and further details."""

    label: str
    reason: str
    detail: str = ""
    key: str = ""
    """The keyboard key that makes the choice when it is available."""


StateT = TypeVar("StateT", bound=State)
EventT = TypeVar("EventT", bound=Event)


class DefaultTexts(FormerNames, Generic[StateT, MoveT, EventT]):
    """Base class for games of any kind, with empty optional texts and a check of the number of seats."""

    title: str
    players: tuple[int, int]

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {
        "remarks": "notable_events",
        "figures": "encode_observation",
        "every_choice": "all_move_texts",
        "ask_line": "describe_decision",
        "say": "move_label",
        "foretell": "describe_outcome",
        "why_not": "explain_illegal",
        "stock_line": "describe_stock",
        "log_line": "describe_move",
        "happened": "summarize_events",
        "round_line": "describe_round",
        "thing_line": "describe_spot",
        "detail": "move_details",
        "key_of": "shortcut_key",
        "closed": "unavailable_entries",
        "lines": "table_lines",
        "drawn": "agree_to_draw",
        "lost": "lose_on_time",
        "view": "observe",
        "told": "observe_events",
        "sample_hidden": "determinize",
        "fast": "make_fast_game",
        "move_of": "decode_move",
        "foresee": "preview",
        "search": "make_search",
    }

    def check_seats(self, seats: int | None) -> int:
        """Return ``seats``, or the minimum number of seats if ``seats`` is None.

        Raises InvalidValueError if the game does not allow this number.
        """
        min_seats, max_seats = self.players
        seats = min_seats if seats is None else seats
        if not min_seats <= seats <= max_seats:
            allowed = (
                min_seats
                if min_seats == max_seats
                else Message("{least} to {most}", least=min_seats, most=max_seats)
            )
            raise InvalidValueError(
                Plural(
                    "{game} is for {allowed} player, not {seats}",
                    "{game} is for {allowed} players, not {seats}",
                ),
                game=self.title,
                allowed=allowed,
                n=max_seats,
                seats=seats,
            )
        return seats

    def describe_move(
        self,
        before: StateT,
        move: MoveT,
        events: Sequence[EventT],
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> str:
        """Return the log text for a move and its effects; by default ""."""
        return ""

    def summarize_events(
        self, view: StateT, events: Iterable[EventT], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Return a summary of ``events``, which led to ``view``; by default ""."""
        return ""

    def describe_round(self, view: StateT, lang: str = "en") -> str:
        """Return the name of the current round; by default ""."""
        return ""

    def describe_spot(self, view: StateT, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return a description of what is at ``spot``; by default ""."""
        return ""

    def move_details(self, view: StateT, move: MoveT, lang: str = "en") -> str:
        """Return the cost of a move and, on a second line, its effect; by default ""."""
        return ""

    def shortcut_key(self, view: StateT, move: MoveT) -> str:
        """Return the digit or letter that selects this move, or "" if it has none; by default ""."""
        return ""

    def unavailable_entries(
        self, view: StateT, lang: str = "en", names: Sequence[str] = ()
    ) -> tuple[UnavailableEntry, ...]:
        """Return the choices that are listed but can't be made now; by default ()."""
        return ()


StateT_contra = TypeVar("StateT_contra", bound=State, contravariant=True)
MoveT_contra = TypeVar("MoveT_contra", bound=Move, contravariant=True)
EventT_contra = TypeVar("EventT_contra", bound=Event, contravariant=True)


class TypedGame(Protocol[StateT_contra, MoveT_contra, EventT_contra]):
    """A game in one form (size, variant and options), as used by the rest of the program.

    The type parameters are the state, move and event types of one kind of game. Only code made for that kind of game
    uses anything beyond this interface.
    """

    id: str
    kind: str
    title: str
    players: tuple[int, int]
    """Minimum and maximum number of seats."""
    size: int
    """Board size, or 0 if the game has none."""
    variant: str
    """Variant of the game; "" is the standard variant."""
    meta: Any
    """Metadata of the game file, by key; ``path`` is the path of the file."""
    effort: float
    """Work done by the last query or move, as a fraction of the maximum allowed."""

    @property
    def form(self) -> Mapping[str, int | str]:
        """Board size, variant and chosen options of the game, by name.

        The board size, which is 0 if the game has none, is found under ``size``, and the variant under ``variant``.
        Options that weren't chosen are not included; they have their default values.
        """

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game for ``seats`` seats, or for the minimum number if ``seats`` is None.

        ``seats`` must be a number of seats that the game allows.
        """

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """Return the initial state of a match with ``seats`` seats (None: the minimum).

        ``seed`` determines all random outcomes that ``deal`` doesn't preset. Raises ValueError if the number of seats
        or the deal is not valid, and RuleFailure if the setup can't be completed.
        """

    def moves(self, state: StateT_contra, seat: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move) in a fixed order.

        There are no duplicates. There are no moves if the match is over or if the seat has no pending decision. The
        seat's view of a state has the same legal moves as the state itself, except where these depend on hidden
        information: a view has only the moves that are legal whatever the hidden information is. Raises RuleFailure if
        a rule can't be carried out.
        """

    def apply(self, state: StateT_contra, move: MoveT_contra | str) -> tuple[State, tuple[Event, ...]]:
        """Return the state after a move, and the events in order.

        The move can be given as its text. Raises IllegalMove if the move is not legal, and RuleFailure if a rule can't
        be carried out. Applying a move to a view can also raise UnknownOutcomeError.
        """

    def agree_to_draw(self, state: StateT_contra) -> tuple[State, tuple[Event, ...]]:
        """Return the final state after the seats agree to a draw by repetition, and the events.

        Raises IllegalMove if the match is over or if the table kind has no such draw.
        """

    def lose_on_time(self, state: StateT_contra, seat: int) -> tuple[State, tuple[Event, ...]]:
        """Return the state after ``seat`` loses on time to all others, and the events.

        Raises IllegalMove if the match is over or if the game can't be lost on time.
        """

    def outcome(self, state: StateT_contra) -> Outcome | None:
        """Return the result of the match, or None if it is not over."""

    def parse(self, state: StateT_contra, text: str, seat: int | None = None) -> Move:
        """Return the legal move that ``text`` denotes in the notation of the game.

        ``seat`` is the seat that makes the move, or None for the seat to move. Except in marble games, ``text`` may
        begin with the number of a seat, counted from 1 ("2:7"); if ``seat`` is None, the move then belongs to that
        seat. Raises IllegalMove if the move is not legal or if the number contradicts ``seat``.
        """

    def observe(self, state: StateT_contra, seat: int | None) -> State:
        """Return the state reduced to what ``seat`` may know.

        If ``seat`` is None, the state is reduced to what every seat may know.
        """

    def observe_events(
        self, state: StateT_contra, events: Iterable[EventT_contra], seat: int | None
    ) -> tuple[Event, ...]:
        """Return ``events``, reduced to what ``seat`` may know.

        The events led to ``state``. If ``seat`` is None, they are reduced to what all seats may know.
        """

    def determinize(self, view: StateT_contra, seat: int, rng: Random) -> State:
        """Return a determinization: a random full state that is consistent with the ``view`` of ``seat``.

        The full state has a new random seed.
        """

    def make_fast_game(self, seats: int | None = None, seed: int = 0) -> FastGame | None:
        """Return the fast version of the game that searches use, or None if there is none.

        ``seats`` is the number of seats (None: the minimum). ``seed`` seeds the random numbers of playouts and of
        :meth:`.FastGame.random_move`. When a move is made outside a playout, its random outcome depends on the seed
        given to :meth:`.FastGame.load` instead.
        """

    def decode_move(self, state: StateT_contra, move_code: int) -> Move:
        """Return the move in ``state`` that a :class:`FastGame` encodes as ``move_code``.

        In a game without a fast version, ``move_code`` is the index of the move in :meth:`moves`.
        """

    def preview(self, view: StateT_contra, move: MoveT_contra) -> Any:
        """Preview those effects of a move that are certain; return None if there is no preview.

        The result has at least two attributes: ``events`` are the events that are certain, and ``after`` is the state
        after the move, or None if that state is not certain. Both are given as observed by the seat that makes the
        move.
        """

    def make_search(
        self, view: StateT_contra, seat: int, seed: int = 0, earlier_states: Iterable[StateT_contra] = ()
    ) -> Search | None:
        """Return a search for ``seat`` that starts from ``view``.

        ``earlier_states`` holds the state at the start of each earlier turn. Returns None if this kind of game has no
        search of its own; moves are then evaluated by playouts from states sampled with :meth:`determinize`.
        """

    def describe_decision(
        self,
        view: StateT_contra,
        lang: str = "en",
        names: Sequence[str] = ...,
        moves: Sequence[MoveT_contra] | None = None,
    ) -> str:
        """Describe the pending decision.

        The text doesn't say who decides, unless several players do and their choices differ. It starts in lower case,
        unless it starts with a player's name, and has no final full stop. It is "" if the match is over or no legal
        moves are known. ``moves`` are the legal moves, if the caller already knows them.
        """

    def move_label(
        self, view: StateT_contra, move: MoveT_contra, lang: str = "en", names: Sequence[str] = ...
    ) -> str:
        """Return the label for a button that makes ``move``."""

    def describe_outcome(
        self, view: StateT_contra, move: MoveT_contra, lang: str = "en", names: Sequence[str] = ...
    ) -> str:
        """Describe a move and its effects, as far as they are known in advance.

        For a move with a random or secret outcome, some games list possible outcomes. The text doesn't end with a full
        stop.
        """

    def explain_illegal(
        self,
        view: StateT_contra,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = ...,
        moves: Sequence[MoveT_contra] | None = None,
    ) -> str:
        """Return a sentence that explains why ``spots`` can't be used now, or "" if no reason applies.

        The last of ``spots`` is the one that the player has just tried to use; any spots before it are those already
        selected. ``moves`` are the legal moves, if the caller already knows them.
        """

    def describe_seat(self, view: StateT_contra, seat: int, lang: str = "en") -> tuple[str, ...]:
        """Return phrases that describe a seat, for example by its colours, role or goal.

        The result is () if there is nothing to say. The caller joins the phrases if it shows them in one line.
        """

    def describe_stock(self, view: StateT_contra, seat: int, lang: str = "en") -> str:
        """Return a text that counts the pieces of each sort in a seat's own stocks and in the shared stocks.

        Stocks from which nobody can take pieces are included. If the seat owns colours, only pieces of these colours
        are counted in a shared stock. If there is nothing to count, the text says so, as in "Supply: empty". Returns ""
        if :meth:`describe_seat` already gives the counts.
        """

    def roles(self, view: StateT_contra, seat: int) -> tuple[str, ...]:
        """Return the names of the roles that a seat currently has under the rules, if any."""

    def describe_move(
        self,
        before: StateT_contra,
        move: MoveT_contra,
        events: Sequence[EventT_contra],
        lang: str = "en",
        names: Sequence[str] = ...,
    ) -> str:
        """Return the log text for a move and its effects, or "" if the label of the move is used instead."""

    def summarize_events(
        self,
        view: StateT_contra,
        events: Iterable[EventT_contra],
        lang: str = "en",
        names: Sequence[str] = ...,
    ) -> str:
        """Summarize the events that led to ``view``.

        The summary is a single line without a final full stop. It includes the numbers involved, such as how many
        cards, steps or medals. It is "" if there is nothing to report, or if this kind of game doesn't summarize
        events.
        """

    def describe_round(self, view: StateT_contra, lang: str = "en") -> str:
        """Return the name of the current round, e.g. "Round 2 of 4", or "" if it has no name.

        A round has no name if it is the only one of the match, except in Golden Spiral. Marble games always return "".
        """

    def describe_spot(
        self, view: StateT_contra, spot: str, lang: str = "en", names: Sequence[str] = ...
    ) -> str:
        """Describe what is at a spot, or return "" for an unknown spot.

        Kinds of games that don't describe spots, such as marble games, always return "". Any seat or number in ``spot``
        must exist, because some kinds of games don't check it.
        """

    def move_details(self, view: StateT_contra, move: MoveT_contra, lang: str = "en") -> str:
        """Return the cost of a move and, on a second line, its effect; "" if neither is given.

        If only the effect is given, the first line is empty. Kinds of games that don't give such details, such as
        marble games and Hyena Spiral, always return "".
        """

    def shortcut_key(self, view: StateT_contra, move: MoveT_contra) -> str:
        """Return the digit or letter that selects this move, or "" if it has none.

        The key doesn't depend on which other moves are legal. It may depend on ``view``, for example on where a card
        lies in the hand.
        """

    def unavailable_entries(
        self, view: StateT_contra, lang: str = "en", names: Sequence[str] = ...
    ) -> tuple[UnavailableEntry, ...]:
        """Return the choices that can't be made now but are shown all the same, with the reason for each.

        A game without such choices returns ().
        """

    def table_lines(self, view: StateT_contra, lang: str = "en", names: Sequence[str] = ...) -> list[str]:
        """Return the visible table as lines of text for a terminal."""


Game: TypeAlias = TypedGame[Any, Any, Any]
"""A game of any kind, for code that only hands its states, moves and events back to it."""


@runtime_checkable
class ExplainsMoves(Protocol):
    """A :class:`.game.Game` that supplies details for explanations of moves.

    The details are the place that a move concerns, the numbers of pieces taken and fallen, and the line that decided
    the match.
    """

    def move_place(self, move: Move) -> str:
        """Return the name of the place that a move concerns, or the move's text if it concerns none.

        The name is the same in all languages.
        """

    def count_taken_and_fallen(self, events: Iterable[Event]) -> Mapping[str, int]:
        """Return how many pieces were taken and how many fell in ``events``, under the keys "taken" and "fallen"."""

    def deciding_line(self, state: State) -> str:
        """Return the end points of the straight line that decided the match, e.g. ``Aa1–Aa4``.

        Returns "" unless the deciding points form exactly one straight line.
        """


@runtime_checkable
class GivesReasons(Protocol):
    """A :class:`.game.Game` that can give reasons for a move."""

    def reasons_for(
        self, view: State, move: Move, seat: int, seat_name: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return the reasons for a move of ``seat``, most important first.

        The reasons follow from the rules. Each is a sentence without a subject or a final full stop. ``seat_name`` is a
        function that returns the name of a seat.
        """


@runtime_checkable
class LearnsBySelfPlay(Protocol):
    """A :class:`.game.Game` whose table kind supports learning by self-play.

    Not every such game can learn; see :meth:`explain_cannot_learn`. What a game has learned is called its knowledge,
    and is stored as text.
    """

    lesson_count: int
    """Number of lessons in a complete course."""
    learned_folder: str
    """Folder where the user's learned knowledge is stored, or "" if there is none."""

    def explain_cannot_learn(self, seats: int) -> Message | None:
        """Return why the game can't learn by self-play with ``seats`` seats, or None if it can."""

    def run_lesson(self, seats: int, knowledge: str, lesson_index: int, seed: int = 0) -> str:
        """Run lesson ``lesson_index`` (from 0), starting with ``knowledge``, and return the resulting knowledge.

        ``knowledge`` is "" if the game has not learned anything. The result is the same on every machine. Raises
        ValueError if the game cannot learn or if ``knowledge`` is not valid.
        """

    def knowledge_weightings(self, seats: int, knowledge: str) -> tuple[str, ...]:
        """Return variants of ``knowledge`` that differ only in how searches use it.

        Like ``knowledge``, each variant is a text. Matches, for example against the knowledge in use, can show which
        variant is best. Raises ValueError if ``knowledge`` isn't valid for the game with ``seats`` seats.
        """

    def with_knowledge(self, seats: int, knowledge: str) -> Game:
        """Return a copy of the game that evaluates states with ``knowledge``, or without any if it is "".

        This applies only to matches with ``seats`` seats. Raises ValueError if the knowledge is damaged, has an unknown
        version or was learned under other rules.
        """

    def stored_knowledge(self, seats: int, learned_folder: str) -> str:
        """Return the valid knowledge stored for the game, or "" if there is none or the game can't learn.

        The user's knowledge in ``learned_folder`` takes precedence over that shipped with the program. If
        ``learned_folder`` is "", only the shipped knowledge counts. Knowledge passed to :meth:`with_knowledge` doesn't
        count.
        """

    def knowledge_file_name(self, seats: int, is_user_file: bool = True) -> str:
        """Return the name of the user's knowledge file or, if ``is_user_file`` is False, of the shipped one.

        The name of the user's file depends on the rules, so it changes when they do.
        """

    def explain_ignored_knowledge(self, seats: int) -> Message | None:
        """Return why stored knowledge is ignored, or None if there is nothing to explain.

        The result is None if any stored knowledge is used, if none is stored, if :meth:`with_knowledge` has replaced
        it, or if the game can't learn.
        """


def match_state_key(state: State) -> Hashable:
    """Return a key that distinguishes the states of a match, even within a turn.

    Before the end of the match, the key covers everything that the rest of the match may depend on. Afterwards, it
    covers only the position and the result. ``repetition_key`` alone is not enough, because it can leave out the scores
    and the choices made during the turn.
    """
    return cast("Hashable", state) if state.result is None else (state.repetition_key, state.result)
