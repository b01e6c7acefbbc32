"""The contract that every table meets: a game as the rest of the program sees it.

A game is a handful of verbs on frozen states. What lies above the rules takes these and nothing else of a table, so
nothing here knows marbles. Seats are counted from 0. Languages are codes such as "en"; a text that a language lacks
is given in English.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Literal, Protocol

Deal = Mapping[str, str | Sequence[str]]
"""What chance or a setup would decide, given: by name one text, or one a seat."""

Text = Mapping[str, str]
"""A text by language."""


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


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, complete enough to draw. ``seat`` is whom it is about; -1: nobody.

    ``foreseen``: a preview may show it (chance, reveals and the end of a turn stop previews). ``seals``: it can't be
    unseen, so undo stops at it.
    """

    seat: int = field(default=-1, kw_only=True, repr=False)

    foreseen: ClassVar[bool] = True
    seals: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Ask:
    """The one question open now.

    ``seats`` may answer, in any order. ``sight`` says how: "open" before everybody, "own" behind a curtain with the
    seat's own view, "hidden" likewise and kept until all answers are in. ``default`` is the move of whoever says
    nothing; ``actor`` the participant who is played for where that is no seat, else -1.
    """

    kind: str
    seats: tuple[int, ...]
    sight: Literal["open", "own", "hidden"] = "open"
    default: str = ""
    actor: int = -1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    ``winners`` is empty for a draw (and for a solo game that was lost); several share the win. ``because`` gives
    ``reason`` by language.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    because: tuple[tuple[str, str], ...] = ()


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


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be said of a game, for a form and a number of seats, without playing it.

    ``players`` is the least and the most seats, ``turns`` the usual length of a match in turns (0, 0: not known).
    ``aim`` is what a match is about: winning, or a score. ``solver`` says what can be searched for to the end when
    nobody plays against anybody: a "win", the greatest "score", or "" in games played against others.
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
        """The first of the seats asked; None when the match is over."""

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


class Game(Protocol):
    """A game in one form (size, variant, options): what match, record, search, scene and app know of it."""

    id: str
    kind: str
    title: str

    @property
    def form(self) -> Mapping[str, int | str]:
        """The options chosen, by name."""

    def facts(self, seats: int | None = None) -> Facts:
        """What can be said of the game for a number of seats (None: the least)."""

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> Any:
        """Return the first moment of a match. Raises ValueError when seats or deal do not fit."""

    def moves(self, state: Any, seat: int | None = None) -> tuple[Any, ...]:
        """Return the choices open now, each once, in a fixed order; none when the match is over."""

    def apply(self, state: Any, move: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state after a move (or its text) and what happened, in order. Raises IllegalMove."""

    def drawn(self, state: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the state in which the seats ended the match as a draw, because positions recur, and its events."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the match ended, or None while it goes on."""

    def parse(self, state: Any, text: str, seat: int | None = None) -> Any:
        """Return the move that a text names: ``parse(s, m.text) == m``. Raises IllegalMove when it is not open."""

    def view(self, state: Any, seat: int | None) -> Any:
        """Return the state with all left out that a seat may not know; None: what everybody knows."""

    def told(self, state: Any, events: Iterable[Any], seat: int | None) -> tuple[Any, ...]:
        """Return the events as a seat may know them, at ``state``."""

    def sample_hidden(self, view: Any, seat: int, rng: Random) -> Any:
        """Return a whole state, its chance new, that looks like ``view`` to ``seat``."""

    def ask_line(self, view: Any, lang: str = "en") -> str:
        """Return what is asked for now, without whom, beginning small and without a full stop."""

    def say(self, view: Any, move: Any, lang: str = "en") -> str:
        """Return a move as a button says it."""

    def foretell(self, view: Any, move: Any, lang: str = "en") -> str:
        """Return a move and all that comes of it up to where chance or a secret decides, without a full stop."""

    def why_not(self, view: Any, spots: Sequence[str], lang: str = "en") -> str:
        """Return a sentence that says why nothing can be done with the last of some places now."""
