"""The contract that every table meets: a game as the rest of the program sees it.

A game is a handful of verbs on frozen states. What lies above the rules takes these and nothing else of a table, so
nothing here knows marbles. Seats are counted from 0. Languages are codes such as "en"; a text that a language lacks
is given in English.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

from shibumi3d.i18n import Unusable
from shibumi3d.rules.search import FastGame, Search

Deal = Mapping[str, str | Sequence[str]]
"""What chance or a setup would decide, given: by name one text, or one a seat."""

Text = Mapping[str, str]
"""A text by language."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a match begins that does not begin at the start of the game, as :class:`Drawable` takes it.

    ``boards`` are texts of the game's own kind. ``to_move`` is a seat and ``phase`` a phase, both from 0. ``stocks``
    say what lies beside the boards; what they leave out lies as at the start.
    """

    boards: tuple[str, ...]
    to_move: int = 0
    phase: int = 0
    stocks: Deal = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Move:
    """One atomic choice: what a person does with one click. A table's own fields live in its subclass.

    ``kind`` "pass" and "done" mean the same on every table. ``text`` holds no spaces that matter, is never translated
    and is unique among the moves of a seat. ``seat`` is who makes it; -1: the one to move.
    """

    kind: str
    text: str
    seat: int = field(default=-1, kw_only=True, repr=False)

    def __str__(self) -> str:
        return self.text


def asked_first(ask: Ask | None, viewer: int) -> int | None:
    """Return who is to move: the first of the seats asked, None where nobody is.

    In the ``viewer``'s own view it is that seat if it is one of them, as what is said and offered there is its own.
    """
    if ask is None:
        return None
    return viewer if viewer in ask.seats else ask.seats[0]


def by_seat(move: Any, seat: int, state: Any) -> Any:
    """Return ``move`` as one that ``seat`` makes at ``state``: out of turn it says whose it is."""
    return move if move.seat == seat or seat == state.to_move else replace(move, seat=seat)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, complete enough to draw. ``seat`` is whom it is about; -1: nobody.

    ``foreseen``: a preview may show it (chance, reveals and the end of a turn stop previews). ``seals``: it can't be
    unseen, so undo stops at it. ``reveals``: what was chosen in secret before is open from now on. ``falls``: something
    falls by itself.
    """

    seat: int = field(default=-1, kw_only=True, repr=False)

    foreseen: ClassVar[bool] = True
    seals: ClassVar[bool] = False
    reveals: ClassVar[bool] = False
    falls: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Ask:
    """The one question open now.

    ``seats`` may still answer, in any order: the moves of each are ``moves(state, seat)``, and an answer out of turn
    is a move with its ``seat``. ``sight`` says how: "open" before everybody, "own" behind a curtain with the seat's own
    view, "hidden" likewise and kept until all answers are in. The state keeps hidden answers; in the view of anybody
    else, and in everybody's, nobody has answered yet and ``seats`` are all that were asked, so that a view tells
    neither what was answered nor who has. ``default`` is the move of whoever says nothing; where it is the only one
    and the sight is open it is made by itself. ``actor`` is the participant who is played for where that is no seat,
    else -1.
    """

    kind: str
    seats: tuple[int, ...]
    sight: Literal["open", "own", "hidden"] = "open"
    default: str = ""
    actor: int = -1


DEAD_END = "nobody can play on"
"""The reason of a match that stopped where no rule decides."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    ``winners`` is empty for a draw (and for a solo game that was lost); several share the win. ``because`` gives
    ``reason`` by language. ``lost``: all have lost together.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    because: tuple[tuple[str, str], ...] = ()
    lost: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that is chosen before a match: its ``name`` in records, its label, its values and the usual one.

    ``usual_by_seats`` overrules ``usual`` for a number of seats.
    """

    name: str
    label: Text
    values: tuple[int | str, ...]
    usual: int | str
    usual_by_seats: Mapping[int, int | str] = field(default_factory=dict)

    def usual_for(self, seats: int) -> int | str:
        """Return the usual value for a number of seats."""
        return self.usual_by_seats.get(seats, self.usual)


OWN_KEYS = ("size", "variant")
"""The names of options that have a place of their own everywhere."""


def settled(options: Iterable[Option], form: Mapping[str, int | str], seats: int) -> dict[str, int | str]:
    """Return the value of each of the ``options`` but size and variant, by name.

    It is the one chosen in ``form``, else the usual one for so many seats.
    """
    return {
        option.name: form.get(option.name, option.usual_for(seats))
        for option in options
        if option.name not in OWN_KEYS
    }


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be said of a game, for a form and a number of seats, without playing it.

    ``players`` is the least and the most seats, ``turns`` the usual length of a match in turns (0, 0: not known).
    ``aim`` is what a match is about: winning, or a score. ``solver`` says what can be searched for to the end when
    nobody plays against anybody: a "win", the greatest "score", or "" in games played against others. ``series``: a
    match is several games; ``games`` is how many, 0 when that depends on the totals. ``scored``: the rules say what a
    score is. ``recurs``: positions may come again. ``counted`` is what the score of one who plays alone for a score
    counts: "marbles", or "points" of any other kind. ``lost_by`` are the reasons, in English, of the ends by which all
    lose together.
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
        """The names under which a deal fixes what chance decides; None for all of them."""
        return None

    @property
    def hand(self) -> tuple[str, tuple[int, ...]]:
        """What one who plays alone begins with and may choose freely, by its name, how much of each sort; empty where
        there is nothing."""
        return "", ()


class State(Protocol):
    """A moment of a match: frozen, hashable, picklable, and complete."""

    @property
    def seats(self) -> int:
        """How many seats play."""

    @property
    def seed(self) -> int | None:
        """The seed of chance; None in a view."""

    @property
    def ask(self) -> Ask | None:
        """The question open now; None when the match is over."""

    @property
    def to_move(self) -> int | None:
        """The first of the seats asked (in the view of one of them: that seat); None when the match is over."""

    @property
    def mover(self) -> int:
        """Whose turn it is."""

    @property
    def standing(self) -> Hashable:
        """What lies on the table and who is to move: equal for positions that recur."""

    @property
    def turn(self) -> int:
        """Complete turns so far."""

    @property
    def step(self) -> int:
        """Choices made in this turn so far."""

    @property
    def phase(self) -> int:
        """The phase of the game, from 0; -1 while the setup asks for choices."""

    @property
    def game_number(self) -> int:
        """Which game of a series is played, from 1."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat now, or at the end."""

    @property
    def totals(self) -> tuple[int, ...]:
        """What each seat gained in the finished games of a series; empty where there is none."""

    @property
    def result(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""


@runtime_checkable
class Drawable(Protocol):
    """A game that can begin anywhere, besides being a :class:`Game`."""

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
        """Return the beginning of a turn of a seat in a phase, on boards given as texts, with stocks as given.

        Raises ValueError when the position can't stand.
        """


@runtime_checkable
class Redrawable(Drawable, Protocol):
    """A game that tells of a moment from which position it would be the beginning."""

    def position_of(self, state: Any) -> Position | None:
        """Return the position at which a match would begin as a state stands: all that it holds but how many turns
        were played and where the match has been. None where no position says as much."""


@runtime_checkable
class Remarkable(Protocol):
    """A game that says what people have a word for in a turn."""

    def remarks(self, before: Any, after: Any, events: Sequence[Any], seat: int) -> frozenset[str]:
        """Return what is remarkable in what came between two moments, as seen by a seat: of "capture", something was
        taken; "fall", something fell; "loss", less of the seat's own is left in play; "climb", something of its own
        came to rest on more of others' than of its own; "last", somebody has nothing left of what there was in hand."""


def beginning(
    game: Any, seats: int | None, seed: int, position: Position | None = None, deal: Deal | None = None
) -> Any:
    """Return the state before the first move, at a position or at the start. Raises ValueError where a position or a
    deal can't stand."""
    if position is None:
        return game.start(seats, seed, deal)
    if not isinstance(game, Drawable):
        raise Unusable("{game} can't begin at a position", game=game.title)
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
    """A game whose choices and whose sight are told in numbers, besides being a :class:`Game`."""

    def every_choice(self, seats: int | None = None) -> tuple[str, ...]:
        """Return the texts of all choices there can ever be for a number of seats, each once.

        Their order rests on the rules alone, and stays from version to version. Raises ValueError where there is no
        end of them.
        """

    def figures(self, view: Any, seat: int) -> tuple[tuple[int, ...], list[float]]:
        """Return what a seat sees of its view as numbers: their shape, the same at every moment, and all in a row."""


class Shut(NamedTuple):
    """Something that is listed though it can't be chosen now: what it is called, why not, what stands below it."""

    label: str
    reason: str
    detail: str = ""
    key: str = ""
    """The key that makes it when it can be chosen."""


class Unspoken:
    """What a kind may say besides, and does without where it says nothing else."""

    def log_line(
        self, before: Any, move: Any, events: Sequence[Any], lang: str = "en", names: Sequence[str] = ()
    ) -> str:
        """Return a choice that was made and what came of it, as a list of moves tells it; "" for the choice alone."""
        return ""

    def happened(self, view: Any, events: Iterable[Any], lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return what ``events`` came to, which led to ``view``, in one sentence with numbers, without a full stop."""
        return ""

    def round_line(self, view: Any, lang: str = "en") -> str:
        """Return which round is played; "" where a match has none."""
        return ""

    def thing_line(self, view: Any, spot: str, lang: str = "en", names: Sequence[str] = ()) -> str:
        """Return what lies at a spot: its name, its price, what it does; "" where there is nothing to be told."""
        return ""

    def detail(self, view: Any, move: Any, lang: str = "en") -> str:
        """Return what a choice in a list costs and, on a second line, what it does; "" for nothing."""
        return ""

    def key_of(self, view: Any, move: Any) -> str:
        """Return the digit or letter that always makes this choice; "" where it has none."""
        return ""

    def closed(self, view: Any, lang: str = "en", names: Sequence[str] = ()) -> tuple[Shut, ...]:
        """Return what is listed though it can't be chosen now."""
        return ()


class Worded(Protocol):
    """What of a game is said in words, for the window, for a reader and for a terminal alike.

    ``names`` are what the seats are called; without them each has its sign. ``moves`` are the choices open at a view,
    where they are known already.
    """

    def ask_line(
        self, view: Any, lang: str = "en", names: Sequence[str] = ..., moves: Sequence[Any] | None = None
    ) -> str:
        """Return what is asked for now, without whom, beginning small and without a full stop."""

    def say(self, view: Any, move: Any, lang: str = "en", names: Sequence[str] = ...) -> str:
        """Return a move as a button says it."""

    def foretell(self, view: Any, move: Any, lang: str = "en", names: Sequence[str] = ...) -> str:
        """Return a move and all that comes of it up to where chance or a secret decides, without a full stop."""

    def why_not(
        self,
        view: Any,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = ...,
        moves: Sequence[Any] | None = None,
    ) -> str:
        """Return a sentence that says why nothing can be done with the last of some places now."""

    def own_line(self, view: Any, seat: int, lang: str = "en") -> str:
        """Return what is a seat's own and what it is after; empty where there is nothing to say."""

    def stock_line(self, view: Any, seat: int, lang: str = "en") -> str:
        """Return what a seat still has to play with, counted; empty where :meth:`own_line` tells it or nothing is."""

    def roles(self, view: Any, seat: int) -> tuple[str, ...]:
        """Return what the rules call a seat now."""

    def log_line(
        self, before: Any, move: Any, events: Sequence[Any], lang: str = "en", names: Sequence[str] = ...
    ) -> str:
        """Return a choice that was made and what came of it, as a list of moves tells it; "" for the choice alone."""

    def happened(self, view: Any, events: Iterable[Any], lang: str = "en", names: Sequence[str] = ...) -> str:
        """Return what ``events`` came to, which led to ``view``, in one sentence with numbers, without a full stop."""

    def round_line(self, view: Any, lang: str = "en") -> str:
        """Return which round is played; "" where a match has none."""

    def thing_line(self, view: Any, spot: str, lang: str = "en", names: Sequence[str] = ...) -> str:
        """Return what lies at a spot: its name, its price, what it does; "" where there is nothing to be told."""

    def detail(self, view: Any, move: Any, lang: str = "en") -> str:
        """Return what a choice in a list costs and, on a second line, what it does; "" for nothing."""

    def key_of(self, view: Any, move: Any) -> str:
        """Return the digit or letter that always makes this choice; "" where it has none."""

    def closed(self, view: Any, lang: str = "en", names: Sequence[str] = ...) -> tuple[Shut, ...]:
        """Return what is listed though it can't be chosen now."""

    def lines(self, view: Any, lang: str = "en", names: Sequence[str] = ...) -> list[str]:
        """Return the table as it is seen, as lines for a terminal."""


class Game(Worded, Protocol):
    """A game in one form (size, variant, options): what match, record, search, scene and app know of it.

    States, moves and events are those of the game's own kind: what a kind offers besides is for its own scene.
    """

    id: str
    kind: str
    title: str
    players: tuple[int, int]
    """The least and the most seats."""
    size: int
    """The size of the board, where the game has several; else 0."""
    variant: str
    """The variant; the usual one is ""."""
    meta: Any
    """What the file of the game says of itself, by key; ``path`` is the file."""
    effort: float
    """What the last question or choice cost, as a part of what one may cost."""

    @property
    def form(self) -> Mapping[str, int | str]:
        """The options chosen, by name."""

    def facts(self, seats: int | None = None) -> Facts:
        """Return what can be said of the game for a number of seats (None: the least)."""

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> Any:
        """Return the first moment of a match. Raises ValueError when seats or deal do not fit."""

    def moves(self, state: Any, seat: int | None = None) -> tuple[Any, ...]:
        """Return the choices open now to ``seat`` (None: the one to move), each once, in a fixed order.

        There are none when the match is over or the seat is not asked. They are the same at a state and at the view
        of that seat, but for what depends on what the seat may not know: a view offers what is open whatever is
        hidden.
        """

    def apply(self, state: Any, move: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state after a move (or its text) and what happened, in order. Raises IllegalMove."""

    def drawn(self, state: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state in which the seats ended the match as a draw, because positions recur, and its events."""

    def lost(self, state: Any, seat: int) -> tuple[Any, tuple[Any, ...]]:
        """Return the state in which ``seat`` lost the match to all others, its time being up, and its events.

        Raises IllegalMove when it is over, or where nobody can lose so.
        """

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""

    def parse(self, state: Any, text: str, seat: int | None = None) -> Any:
        """Return the move that a text names: ``parse(s, m.text) == m``. Raises IllegalMove when it is not open."""

    def view(self, state: Any, seat: int | None) -> Any:
        """Return the state with all left out that a seat may not know; None: what is common to the views of all."""

    def as_seen_by(self, state: Any, events: Iterable[Any], seat: int | None) -> tuple[Any, ...]:
        """Return the events as a seat may know them, at ``state``."""

    def sample_hidden(self, view: Any, seat: int, rng: Random) -> Any:
        """Return a whole state, its chance new, that looks like ``view`` to ``seat``."""

    def fast(self, seats: int | None = None, seed: int = 0) -> FastGame | None:
        """Return the game for search, for a number of seats; None where it has no such form.

        ``seed`` begins the random numbers of its playouts.
        """

    def move_of(self, state: Any, code: int) -> Any:
        """Return the move that is a choice of :class:`FastGame` at ``state``."""

    def foresee(self, view: Any, move: Any) -> Any:
        """Return what surely comes of a move, as the seat to move sees it: its ``events`` and the state ``after``
        it.

        Returns None where that is not known.
        """

    def search(self, view: Any, seat: int, seed: int = 0, past: Iterable[Any] = ()) -> Search | None:
        """Return a search from ``view`` for ``seat``; ``past`` are the states at which earlier turns began.

        Returns None where the kind has none of its own: then ways on are played out from :meth:`sample_hidden`.
        """
