"""The interface that every kind of game implements.

A :class:`Game` is a set of functions on immutable states. The packages above ``rules`` use only this interface, so
nothing here is specific to marbles. Seats are numbered from 0. Languages are codes such as "en"; a text that is missing
in a language falls back to English.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

from shibumi3d.i18n import Unusable
from shibumi3d.rules.search import FastGame, Search

Deal = Mapping[str, str | Sequence[str]]
"""Preset outcomes of chance or of setup choices: for each name one text, or one text per seat."""

Text = Mapping[str, str]
"""A text in several languages, keyed by language code."""


@dataclass(frozen=True, slots=True)
class Position:
    """A custom starting position, as accepted by :meth:`Drawable.position`.

    ``boards`` are texts in the notation of the game's kind. ``to_move`` is a seat and ``phase`` a phase, both numbered
    from 0. ``stocks`` lists what lies beside the boards; stocks that are left out start as usual.
    """

    boards: tuple[str, ...]
    to_move: int = 0
    phase: int = 0
    stocks: Deal = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """One atomic choice, such as a player makes with a single click.

    Kinds of games add fields in subclasses. The ``kind`` values "pass" and "done" mean the same in every game.
    Whitespace in ``text`` is not significant; ``text`` is never translated and is unique among the moves of a seat.
    ``seat`` is the seat that makes the move, or -1 for the seat to move.
    """

    kind: str
    text: str
    seat: int = field(default=-1, kw_only=True, repr=False)

    def __str__(self) -> str:
        return self.text


def asked_first(ask: Ask | None, viewer: int) -> int | None:
    """Return the seat to move: the first of the seats asked, or None if no seat is asked.

    If ``viewer`` is one of the seats asked, return ``viewer``, because a player's own view describes and offers that
    player's moves.
    """
    if ask is None:
        return None
    return viewer if viewer in ask.seats else ask.seats[0]


def by_seat(move: Any, seat: int, state: Any) -> Any:
    """Return ``move`` as made by ``seat`` in ``state``.

    If the move is made out of turn, the result has its ``seat`` set.
    """
    return move if move.seat == seat or seat == state.to_move else replace(move, seat=seat)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, described completely enough to be drawn.

    ``seat`` is the seat it concerns, or -1 for none. ``foreseen``: a preview may show the event (chance, reveals and
    the end of a turn stop previews). ``seals``: the event reveals something that can't be unseen, so undo stops there.
    ``reveals``: choices made in secret before the event are public from now on. ``falls``: something falls without
    being moved by a player.
    """

    seat: int = field(default=-1, kw_only=True, repr=False)

    foreseen: ClassVar[bool] = True
    seals: ClassVar[bool] = False
    reveals: ClassVar[bool] = False
    falls: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Ask:
    """The decision that is pending.

    ``seats`` are the seats that have yet to answer, in any order. The moves of each are ``moves(state, seat)``; an
    answer out of turn is a move with its ``seat`` set. ``sight`` says how they answer: "open" in front of everybody,
    "own" behind a curtain with the seat's own view, "hidden" likewise, with the answers kept secret until all are in.

    The state holds the hidden answers. In the view of any other seat, and in the spectators' view, nobody has answered
    yet and ``seats`` are all the seats that were asked, so a view reveals neither the answers nor who has answered.

    ``default`` is the move of a seat that doesn't answer; if it is the only move and ``sight`` is "open", it is played
    automatically. ``actor`` is the participant being played for if that is not a seat, else -1.
    """

    kind: str
    seats: tuple[int, ...]
    sight: Literal["open", "own", "hidden"] = "open"
    default: str = ""
    actor: int = -1


DEAD_END = "nobody can move"
"""The reason given when a match stops because no rule says how to continue."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match.

    ``winners`` is empty for a draw and for a lost solo game; several winners share the win. ``because`` gives
    ``reason`` as pairs of language code and text. ``lost`` is set if all players lost together.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    because: tuple[tuple[str, str], ...] = ()
    lost: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Option:
    """A setting chosen before a match: its ``name`` in records, label, values and default.

    ``usual`` is the default value; ``usual_by_seats`` overrides it for particular numbers of seats.
    """

    name: str
    label: Text
    values: tuple[int | str, ...]
    usual: int | str
    usual_by_seats: Mapping[int, int | str] = field(default_factory=dict)

    def usual_for(self, seats: int) -> int | str:
        """Return the default value for a number of seats."""
        return self.usual_by_seats.get(seats, self.usual)


OWN_KEYS = ("size", "variant")
"""The names of options that are stored and shown separately from the others."""


def settled(options: Iterable[Option], form: Mapping[str, int | str], seats: int) -> dict[str, int | str]:
    """Return the value of each of ``options`` by name, except size and variant.

    The value is the one chosen in ``form``, or else the default for this number of seats.
    """
    return {
        option.name: form.get(option.name, option.usual_for(seats))
        for option in options
        if option.name not in OWN_KEYS
    }


@dataclass(frozen=True, slots=True)
class Facts:
    """Properties of a game in one form for a number of seats, known without playing it.

    ``players`` is the minimum and maximum number of seats. ``turns`` is the usual range of the length of a match in
    turns, or (0, 0) if unknown. ``aim`` is whether players try to win or to reach a high score. ``solver`` is what an
    exhaustive search can look for in a game without opponents: a "win" or the highest "score"; it is "" in games with
    opponents.

    ``series``: a match consists of several games. ``games`` is how many, or 0 if that depends on the totals.
    ``scored``: the rules define a score. ``recurs``: positions can repeat. ``counted`` is the unit of the score in a
    solo game played for a score: "marbles", or "points" for anything else. ``lost_by`` holds the reasons, in English,
    for which all players lose together.
    """

    players: tuple[int, int]
    turns: tuple[int, int] = (0, 0)
    secrets: bool = False
    chance: bool = False
    simultaneous: bool = False
    aim: Literal["win", "score"] = "win"
    solver: Literal["", "win", "score"] = ""
    phases: tuple[Text, ...] = ()
    options: tuple[Option, ...] = ()
    series: bool = False
    games: int = 1
    scored: bool = False
    recurs: bool = False
    counted: Literal["", "marbles", "points"] = ""
    lost_by: frozenset[str] = frozenset()

    @property
    def drawn_from(self) -> frozenset[str] | None:
        """Names under which a deal can preset chance outcomes, or None if any name is allowed."""
        return None

    @property
    def hand(self) -> tuple[str, tuple[int, ...]]:
        """Name and contents of the hand that a solo player may choose freely.

        The contents are a count per sort; empty if there is no such hand.
        """
        return "", ()


class State(Protocol):
    """The complete state of a match at one moment: immutable, hashable and picklable."""

    @property
    def seats(self) -> int:
        """Number of seats."""

    @property
    def seed(self) -> int | None:
        """Random seed of the match; None in a view."""

    @property
    def ask(self) -> Ask | None:
        """Pending decision, or None if the match is over."""

    @property
    def to_move(self) -> int | None:
        """First of the seats asked, or None if the match is over.

        In the view of a seat that is asked, it is that seat.
        """

    @property
    def mover(self) -> int:
        """Seat whose turn it is."""

    @property
    def standing(self) -> Hashable:
        """Repetition key: what is on the table and which seat is to move.

        It is equal for repeated positions.
        """

    @property
    def turn(self) -> int:
        """Number of completed turns."""

    @property
    def step(self) -> int:
        """Number of choices made in the current turn."""

    @property
    def phase(self) -> int:
        """Phase of the game, numbered from 0; -1 during setup choices."""

    @property
    def game_number(self) -> int:
        """Number of the current game in a series, from 1."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Current or final score of each seat."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Points that each seat gained in the finished games of a series; else empty."""

    @property
    def result(self) -> Outcome | None:
        """Result of the match, or None if it is not over."""


@runtime_checkable
class Drawable(Protocol):
    """A :class:`Game` that can start from any position."""

    def position(
        self,
        boards: str | Sequence[str],
        *,
        seats: int | None = None,
        to_move: int = 0,
        seed: int = 0,
        phase: int = 0,
        stocks: Deal | None = None,
    ) -> Any:
        """Return the state at the start of a turn on the given boards.

        ``to_move`` takes that turn, in ``phase`` and with ``stocks``. Raises ValueError if the position is not valid.
        """


@runtime_checkable
class Redrawable(Drawable, Protocol):
    """A :class:`Drawable` game that can also convert a state back to a :class:`Position`."""

    def position_of(self, state: Any) -> Position | None:
        """Return the position from which a match would start in this state, or None.

        The position holds everything in the state except the number of turns played and the history of the match. None
        means that no position describes the state.
        """


@runtime_checkable
class Remarkable(Protocol):
    """A game that recognizes notable happenings in a turn."""

    def remarks(self, before: Any, after: Any, events: Sequence[Any], seat: int) -> frozenset[str]:
        """Return the names of the notable things that ``seat`` saw happen between two states.

        The names are "capture" (something was captured), "fall" (something fell), "loss" (``seat`` has fewer pieces
        left in play), "climb" (a piece of ``seat`` came to rest on more pieces of others than of its own) and "last" (a
        player used up the last piece in hand).
        """


def beginning(
    game: Any, seats: int | None, seed: int, position: Position | None = None, deal: Deal | None = None
) -> Any:
    """Return the state before the first move, at ``position`` if given, else at the normal start.

    Raises ValueError if the position or the deal is not valid.
    """
    if position is None:
        return game.start(seats, seed, deal)
    if not isinstance(game, Drawable):
        raise Unusable("{game} can't start from a given position", game=game.title)
    return game.position(
        position.boards,
        seats=seats,
        to_move=position.to_move,
        seed=seed,
        phase=position.phase,
        stocks=position.stocks,
    )


@runtime_checkable
class Numbered(Protocol):
    """A :class:`Game` that encodes its moves and observations as numbers."""

    def every_choice(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all moves that can ever occur, without duplicates.

        Their order depends only on the rules and is stable across versions. Raises ValueError if there are infinitely
        many.
        """

    def figures(self, view: Any, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return the observation of ``seat`` as numbers: the shape and the flattened values.

        The shape never changes.
        """


class Shut(NamedTuple):
    """An entry that is listed but can't be chosen now, with the reason and a detail."""

    label: str
    reason: str
    detail: str = ""
    key: str = ""
    """The keyboard key that selects the entry when it is available."""


class Unspoken:
    """Default implementations of the optional texts of :class:`Worded`, all empty."""

    def log_line(
        self, before: Any, move: Any, events: Sequence[Any], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Return the log text for a move and its effects, or "" if the move alone says enough."""
        return ""

    def happened(self, view: Any, events: Iterable[Any], lang: str = "en", names: Sequence[str] = ()) -> str:
        """Summarize ``events``, which led to ``view``, in one sentence with numbers.

        There is no final period.
        """
        return ""

    def round_line(self, view: Any, lang: str = "en") -> str:
        """Return text that says which round is being played, or "" if the match has no rounds."""
        return ""

    def thing_line(self, view: Any, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Describe what is at a spot (name, price and effect), or return "" if nothing is."""
        return ""

    def detail(self, view: Any, move: Any, lang: str = "en") -> str:
        """Return what a listed move costs and, on a second line, does; "" for nothing."""
        return ""

    def key_of(self, view: Any, move: Any) -> str:
        """Return the digit or letter that always selects this move, or "" if it has none."""
        return ""

    def closed(self, view: Any, lang: str = "en", names: Sequence[str] = ()) -> tuple[Shut, ...]:
        """Return the entries that are listed although they can't be chosen now."""
        return ()


class Worded(Protocol):
    """The texts of a game, used by the window, the screen reader and the terminal alike.

    ``names`` are the names of the seats; without them, each seat is called by its symbol. ``moves`` are the legal moves
    in a view, if the caller already knows them.
    """

    def ask_line(
        self, view: Any, lang: str = "en", names: Sequence[str] = ..., moves: Sequence[Any] | None = None
    ) -> str:
        """Describe the pending decision, without naming the player.

        The text starts in lower case and has no final period.
        """

    def say(self, view: Any, move: Any, lang: str = "en", names: Sequence[str] = ...) -> str:
        """Return the label of a move for a button."""

    def foretell(self, view: Any, move: Any, lang: str = "en", names: Sequence[str] = ...) -> str:
        """Describe a move and its effects up to the first chance or secret outcome.

        There is no final period.
        """

    def why_not(
        self,
        view: Any,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = ...,
        moves: Sequence[Any] | None = None,
    ) -> str:
        """Return a sentence that explains why the last of ``spots`` can't be used now."""

    def own_line(self, view: Any, seat: int, lang: str = "en") -> str:
        """Describe what belongs to a seat and what its goal is, or return "" for nothing."""

    def stock_line(self, view: Any, seat: int, lang: str = "en") -> str:
        """Return the counts of what a seat has left to play.

        Returns "" if there is nothing, or if :meth:`own_line` gives them.
        """

    def roles(self, view: Any, seat: int) -> tuple[str, ...]:
        """Return the names that the rules currently give to a seat."""

    def log_line(
        self, before: Any, move: Any, events: Sequence[Any], lang: str = "en", names: Sequence[str] = ...
    ) -> str:
        """Return the log text for a move and its effects, or "" if the move alone says enough."""

    def happened(self, view: Any, events: Iterable[Any], lang: str = "en", names: Sequence[str] = ...) -> str:
        """Summarize ``events``, which led to ``view``, in one sentence with numbers.

        There is no final period.
        """

    def round_line(self, view: Any, lang: str = "en") -> str:
        """Return text that says which round is being played, or "" if the match has no rounds."""

    def thing_line(self, view: Any, spot: str, lang: str = "en", names: Sequence[str] = ...) -> str:
        """Describe what is at a spot (name, price and effect), or return "" if nothing is."""

    def detail(self, view: Any, move: Any, lang: str = "en") -> str:
        """Return what a listed move costs and, on a second line, does; "" for nothing."""

    def key_of(self, view: Any, move: Any) -> str:
        """Return the digit or letter that always selects this move, or "" if it has none."""

    def closed(self, view: Any, lang: str = "en", names: Sequence[str] = ...) -> tuple[Shut, ...]:
        """Return the entries that are listed although they can't be chosen now."""

    def lines(self, view: Any, lang: str = "en", names: Sequence[str] = ...) -> list[str]:
        """Return the visible table as lines of text for a terminal."""


class Game(Worded, Protocol):
    """A game in one form (size, variant, options), as used by the rest of the program.

    States, moves and events have the types of the game's kind; only the scene of that kind uses anything beyond this
    interface.
    """

    id: str
    kind: str
    title: str
    players: tuple[int, int]
    """The minimum and maximum number of seats."""
    size: int
    """The board size if the game has several, else 0."""
    variant: str
    """The variant; "" is the standard one."""
    meta: Any
    """The metadata of the game file, by key; ``path`` is the file."""
    effort: float
    """The cost of the last query or move, as a fraction of the maximum allowed."""

    @property
    def form(self) -> Mapping[str, int | str]:
        """Chosen options by name."""

    def facts(self, seats: int | None = None) -> Facts:
        """Return the properties of the game for a number of seats (None: the minimum)."""

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> Any:
        """Return the initial state of a match.

        Raises ValueError if the seats or the deal are not valid.
        """

    def moves(self, state: Any, seat: int | None = None) -> tuple[Any, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move) in a fixed order.

        There are no duplicates, and no moves if the match is over or the seat is not asked. A state and that seat's
        view of it have the same legal moves, except where these depend on hidden information: a view offers the moves
        that are legal whatever is hidden.
        """

    def apply(self, state: Any, move: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state after a move (or its text) and the events, in order.

        Raises IllegalMove.
        """

    def drawn(self, state: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state after the seats agree to a draw by repetition, and the events."""

    def lost(self, state: Any, seat: int) -> tuple[Any, tuple[Any, ...]]:
        """Return the state after ``seat`` loses on time to all others, and the events.

        Raises IllegalMove if the match is over or if the game can't be lost on time.
        """

    def outcome(self, state: Any) -> Outcome | None:
        """Return the result of the match, or None if it is not over."""

    def parse(self, state: Any, text: str, seat: int | None = None) -> Any:
        """Return the move that ``text`` denotes: ``parse(s, m.text) == m``.

        Raises IllegalMove if it is not legal.
        """

    def view(self, state: Any, seat: int | None) -> Any:
        """Return the state without what ``seat`` may not know; None gives what all seats know."""

    def as_seen_by(self, state: Any, events: Iterable[Any], seat: int | None) -> tuple[Any, ...]:
        """Return the events in ``state`` as observed by ``seat``."""

    def sample_hidden(self, view: Any, seat: int, rng: Random) -> Any:
        """Return a full state that is consistent with ``seat``'s ``view``, sampled at random.

        This is a determinization; the state has a new random seed.
        """

    def fast(self, seats: int | None = None, seed: int = 0) -> FastGame | None:
        """Return the search form of the game for a number of seats, or None if it has none.

        ``seed`` seeds the random numbers of its playouts.
        """

    def move_of(self, state: Any, code: int) -> Any:
        """Return the move in ``state`` for a move code of :class:`FastGame`."""

    def foresee(self, view: Any, move: Any) -> Any:
        """Preview a move: return its certain ``events`` and the state ``after`` it.

        They are as the seat to move sees them. Returns None if they are not known.
        """

    def search(self, view: Any, seat: int, seed: int = 0, past: Iterable[Any] = ()) -> Search | None:
        """Return a search for ``seat`` that starts from ``view``.

        ``past`` holds the state at the start of each earlier turn. Returns None if the kind has no search of its own;
        moves are then evaluated by playouts from states sampled with :meth:`sample_hidden`.
        """
