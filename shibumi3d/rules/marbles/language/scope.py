"""What the expressions of a file may name: the names, definitions and stocks that it gives, and how large it may be."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from shibumi3d.i18n import LocalizedError, Message, verbatim
from shibumi3d.rules.marbles.engine.rules import Term
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.language.graph import components
from shibumi3d.rules.marbles.language.types import SCALARS, Type
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.source import FilePlace, Item

LONGEST = 2000
"""Characters of the longest expression."""
DEEPEST = 40
"""Levels of the deepest expression, and of defines calling defines."""
SLOTS = 4000
"""How many names and loop variables a file may have, defines counted wherever they are used."""
WIDEST = 10_000_000
"""The most rounds that nested loops of one expression may go, estimated when the file is loaded."""
GROWN = 100_000
"""How many parts the expressions of a file may have in all, defines put in wherever they are used."""

ONLY_SOMEWHERE = {
    "colour": Message("in 'at', 'to' and 'onto'"),
    "tied": Message("in 'tie'"),
    "winners": Message("in the 'gain' of 'series'"),
    "able": Message("in the 'when' of 'end'"),
    "score": Message("in programs and in 'end', not in the formula of 'score' itself"),
}
"""Words that are known only in some places, and where."""

SETS_OF_BITS = frozenset({Type.POINT, Type.POINTS, Type.WORD, Type.COLOURS, Type.SEATS})


class Wrong(LocalizedError):
    """An expression is wrong; it says what and what was expected.

    ``mark`` is where, when that is not where the expression stands: in a define that it uses.
    """

    mark: FilePlace | None = None


class Misplaced(Wrong):
    """A word stands where it is not known."""


class TooMuch(Wrong):
    """The file as a whole asks for too much; said once."""


class Typed(NamedTuple):
    """A node and its type; ``rounds`` estimates how many values a loop over it meets."""

    node: Term
    type: Type
    rounds: int = 0


@dataclass
class Name:
    """A name that a file gives: a var, a value that lasts a turn, or a mark."""

    kind: str
    type: Type = Type.NONE
    slot: int = 0
    by_seat: bool = False
    lasting: bool = False


@dataclass
class Define:
    """A definition: put in where it is used."""

    params: tuple[str, ...]
    text: str
    item: Item
    parts: int = 0
    """How many parts it has with the definitions that it uses put in, at most one more than :data:`GROWN`."""
    height: int = 1
    """How many definitions stand in each other at its deepest place, itself counted."""
    circular: str = ""
    """Where it uses itself, directly or by way of others, the first of these in the file."""


@dataclass
class Stock:
    """A stock as declared: the index of its first holder, and whether each seat has one."""

    base: int
    each: bool


@dataclass
class Scope:
    """What a file's expressions may name, for one board size and number of seats."""

    pyramid: Pyramid
    seats: int
    owned: tuple[int, ...]
    boards: tuple[str, ...] = ("board",)
    board_a_seat: bool = False
    names: dict[str, Name] = field(default_factory=dict)
    defines: dict[str, Define] = field(default_factory=dict)
    stocks: dict[str, Stock] = field(default_factory=dict)
    next_slot: int = 0
    grown: int = 0
    uses: set[str] = field(default_factory=set)
    fixed: Any = None
    """What works out terms that depend on nothing but the seat."""
    hints: bool = True
    """Whether a known word is proposed for an unknown one."""

    def __post_init__(self) -> None:
        self.fixed = engine_of(self.pyramid.size).Fixed(self.pyramid, self.seats)

    def measure_defines(self) -> None:
        """Find out how large each definition becomes, so that none that is too large is ever put in."""
        order = {name: number for number, name in enumerate(self.defines)}
        counts = {name: self._uses_of(define) for name, define in self.defines.items()}
        for component in components({name: used for name, (_, used) in counts.items()}):
            circular = len(component) > 1 or component[0] in counts[component[0]][1]
            first = min(component, key=order.__getitem__) if circular else ""
            for name in component:
                define, (own, used) = self.defines[name], counts[name]
                if circular:
                    define.circular = first
                    continue
                inner = sum(self.defines[each].parts * times for each, times in used.items())
                define.parts = min(own + inner, GROWN + 1)
                define.height = 1 + max((self.defines[each].height for each in used), default=0)

    def _uses_of(self, define: Define) -> tuple[int, Counter[str]]:
        """The number of parts of a definition's own text, and how often it names each other definition."""
        try:
            parts = [part for part in ast.walk(parse(define.text)) if isinstance(part, ast.expr)]
        except Wrong:
            return 1, Counter()  # told where it is used
        names = (part.id for part in parts if isinstance(part, ast.Name))
        used = Counter(name for name in names if name in self.defines and name not in define.params)
        return len(parts), used

    def open_define(self, name: str) -> Define:
        """Return a definition that is about to be put in.

        Raises Wrong where it uses itself, TooMuch where it is too large or uses others too deep.
        """
        define = self.defines[name]
        if define.circular:
            wrong = Wrong("'{name}' is defined in terms of itself", name=define.circular)
            wrong.mark = self.defines[define.circular].item.mark
            raise wrong
        if define.height > DEEPEST:
            raise TooMuch(
                "'{name}' uses definitions nested more than {most} levels deep", name=name, most=DEEPEST
            )
        if self.grown + define.parts > GROWN:
            raise TooMuch(
                "the file's expressions have more than {most:,} parts once all definitions are expanded",
                most=GROWN,
            )
        return define

    def new_slot(self) -> int:
        """Return a place for one more value. Raises TooMuch where there are no more."""
        if self.next_slot >= SLOTS:
            raise TooMuch("the file has too many loops and names, counting each use of a definition")
        self.next_slot += 1
        return self.next_slot - 1


@lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    """Return the syntax tree of an expression. Raises Wrong where it has none."""
    if len(text) > LONGEST:
        raise Wrong("an expression can have at most {most} characters", most=LONGEST)
    try:
        with warnings.catch_warnings(
            action="ignore", category=SyntaxWarning
        ):  # such as of "1or 2": it is a file's
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        detail = verbatim(error.msg) if isinstance(error, SyntaxError) else Message("it can't be read")
        raise Wrong("'{text}' is not an expression: {why}", text=text, why=detail) from None


def shape(kind: Type) -> str:
    """Return how a value of a type is kept: scalar, items or lists."""
    return "scalar" if kind in SCALARS else "lists" if kind is Type.SETS_LIST else "items"
