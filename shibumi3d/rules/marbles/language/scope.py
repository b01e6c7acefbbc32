"""The names that expressions in a file can use, and limits on the size of expressions."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import LocalizedError, Message, verbatim
from shibumi3d.rules.marbles.engine.rules import Term
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.language.graph import components
from shibumi3d.rules.marbles.language.types import SCALARS, Type
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.source import FilePlace, Item

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.build.fixed import Fixed

LONGEST = 2000
"""Maximum length of an expression, in characters."""
DEEPEST = 40
"""Maximum nesting depth of an expression, and of definitions that use other definitions."""
SLOTS = 4000
"""Maximum number of names and loop variables in a file; those in definitions count at every use."""
WIDEST = 10_000_000
"""Maximum estimated number of iterations of the nested loops in an expression."""
GROWN = 100_000
"""Maximum number of syntax nodes in all expressions of a file, with definitions expanded."""

ONLY_SOMEWHERE = {
    "colour": Message("in 'at', 'to' and 'onto'"),
    "tied": Message("in 'tie'"),
    "winners": Message("in the 'gain' of 'series'"),
    "able": Message("in the 'when' of 'end'"),
    "score": Message("in programs and in 'end', not in the formula of 'score' itself"),
}
"""Words that are valid only in certain contexts, with descriptions of these contexts."""

SETS_OF_BITS = frozenset({Type.POINT, Type.POINTS, Type.WORD, Type.COLOURS, Type.SEATS})


class Wrong(LocalizedError):
    """A mistake in an expression.

    The message says what is wrong and what was expected. ``mark`` is the location of the mistake if it is not in the
    expression itself but in a definition that the expression uses.
    """

    mark: FilePlace | None = None


class Misplaced(Wrong):
    """A word is used in a context in which it is not valid."""


class TooMuch(Wrong):
    """The expressions in the file are too large or too costly in total; this is reported only once."""


class Typed(NamedTuple):
    """A term with its type; ``rounds`` is the estimated number of iterations of a loop over it."""

    node: Term
    type: Type
    rounds: int = 0


@dataclass
class Name:
    """A name defined in a file: a variable, a value that lasts for one turn, or a mark."""

    kind: str
    type: Type = Type.NONE
    slot: int = 0
    by_seat: bool = False
    lasting: bool = False


@dataclass
class Define:
    """A definition, which is expanded wherever it is used."""

    params: tuple[str, ...]
    text: str
    item: Item
    parts: int = 0
    """Number of syntax nodes with inner definitions expanded, capped at :data:`GROWN` + 1."""
    height: int = 1
    """Nesting depth of the definitions used, including this one."""
    circular: str = ""
    """Name of the first definition in the file that is on a cycle with this one, or "" if there is none."""


@dataclass
class Stock:
    """A declared stock.

    If ``each`` is set, every seat has such a stock, and ``base`` is the index of the first seat's. Otherwise, ``base``
    is the index of the stock itself.
    """

    base: int
    each: bool


@dataclass
class Scope:
    """What the expressions in a file can use, for one board size and number of seats."""

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
    fixed: Fixed = field(init=False)
    """Evaluator of terms that depend only on the seat."""
    hints: bool = True
    """Whether errors about unknown words suggest similar known words."""

    def __post_init__(self) -> None:
        self.fixed = engine_of(self.pyramid.size).Fixed(self.pyramid, self.seats)

    def measure_defines(self) -> None:
        """Compute the expanded size and the nesting depth of every definition.

        This prevents definitions that are too large from ever being expanded. Recursive definitions are marked instead.
        """
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
        """Return a definition's number of syntax nodes, and how often it uses each other definition."""
        try:
            parts = [part for part in ast.walk(parse(define.text)) if isinstance(part, ast.expr)]
        except Wrong:
            return 1, Counter()  # A mistake is reported where the definition is used.
        names = (part.id for part in parts if isinstance(part, ast.Name))
        used = Counter(name for name in names if name in self.defines and name not in define.params)
        return len(parts), used

    def open_define(self, name: str) -> Define:
        """Return a definition that is about to be expanded.

        Raises Wrong if it is recursive, and TooMuch if it is too large or nested too deeply.
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
        """Allocate a slot for another value and return its index.

        Raises TooMuch if there are too many.
        """
        if self.next_slot >= SLOTS:
            raise TooMuch("the file has too many loops and names, counting each use of a definition")
        self.next_slot += 1
        return self.next_slot - 1


@lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    """Return the syntax tree of an expression.

    Raises Wrong if it has a syntax error or is too long.
    """
    if len(text) > LONGEST:
        raise Wrong("an expression can have at most {most} characters", most=LONGEST)
    try:
        with warnings.catch_warnings(
            action="ignore", category=SyntaxWarning
        ):  # e.g. for "1or 2"; the text comes from a game file
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        detail = verbatim(error.msg) if isinstance(error, SyntaxError) else Message("it can't be read")
        raise Wrong("'{text}' is not an expression: {why}", text=text, why=detail) from None


def shape(kind: Type) -> str:
    """Return how values of a type are stored: "scalar", "items" or "lists"."""
    return "scalar" if kind in SCALARS else "lists" if kind is Type.SETS_LIST else "items"
