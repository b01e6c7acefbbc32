"""The names that expressions in a file can use, and limits on the size of expressions."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import LocalizedError, Message, untranslated
from shibumi3d.rules.marbles.engine.rules import Term
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.language.graphs import strongly_connected_components
from shibumi3d.rules.marbles.language.types import SCALAR_TYPES, Type
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.source import Item, SourceLocation

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.build.expressions import ConstantEvaluator

MAX_EXPRESSION_CHARS = 2000
"""Maximum length of an expression, in characters."""
MAX_NESTING_DEPTH = 40
"""Maximum nesting depth of an expression, and of definitions that use other definitions."""
MAX_SLOTS = 4000
"""Maximum number of names and loop variables in a file.

Those in definitions count at every use, and variables with one value per seat count once for each seat.
"""
MAX_LOOP_ITERATIONS = 10_000_000
"""Maximum estimated number of iterations of the nested loops in an expression."""
MAX_SYNTAX_NODES = 100_000
"""Maximum number of syntax nodes in all expressions of a file, with definitions expanded."""

CONTEXT_WORDS = {
    "colour": Message("in 'at', 'to' and 'onto'"),
    "tied": Message("in 'tie'"),
    "winners": Message("in the 'gain' of 'series'"),
    "able": Message("in the 'when' of 'end'"),
    "score": Message("in programs and in 'end', not in the formula of 'score' itself"),
}
"""Words that are valid only in certain contexts, with descriptions of these contexts."""

BITMASK_TYPES = frozenset({Type.POINT, Type.POINTS, Type.COLOUR_WORD, Type.COLOURS, Type.SEATS})


class ExpressionError(LocalizedError):
    """A mistake in an expression.

    The message says what is wrong and, where that helps, what was expected. ``mark`` is the location of the mistake if
    it is not in the expression itself but in a definition that the expression uses; otherwise, it is None.
    """

    mark: SourceLocation | None = None


class WordContextError(ExpressionError):
    """A word used in a context in which it isn't valid."""


class ExpressionLimitError(ExpressionError):
    """A violation of a limit on all expressions of a file together, or on the nesting of its definitions.

    A violation of a limit on a single expression, such as its length, is a plain :class:`ExpressionError` instead. Only
    the first violation in a file is reported.
    """


class TypedTerm(NamedTuple):
    """A term with its type.

    ``iteration_estimate`` is the estimated number of iterations of a loop over the term's value.
    """

    term: Term
    type: Type
    iteration_estimate: int = 0


@dataclass
class DeclaredName:
    """A name defined in a file: a variable, a value that lasts for one turn, or a mark.

    ``kind`` is "value" or "mark". ``is_lasting`` is set for names that the file declares under ``vars``.
    """

    kind: str
    type: Type = Type.NONE
    slot: int = 0
    is_per_seat: bool = False
    is_lasting: bool = False


@dataclass
class Definition:
    """A definition in a game file: an expression that is expanded wherever its name is used.

    ``params`` holds the names of its parameters and is empty if it has none. ``text`` is the expression, and ``item``
    is the value in the file from which it was read.
    """

    params: tuple[str, ...]
    text: str
    item: Item
    expanded_size: int = 0
    """Number of syntax nodes with inner definitions expanded, capped at :data:`MAX_SYNTAX_NODES` + 1."""
    nesting_depth: int = 1
    """Nesting depth of the definitions used, including this one."""
    cycle_start: str = ""
    """Name of the first definition in the file that is on a cycle with this one, or "" if there is none."""


@dataclass
class DeclaredStock:
    """A stock declared in a game file.

    If ``is_per_seat`` is set, every seat has such a stock, and ``base_index`` is the index of the first seat's stock.
    Otherwise, ``base_index`` is the index of the stock itself.
    """

    base_index: int
    is_per_seat: bool


@dataclass
class Scope:
    """Names that the expressions in a file can use, for one board size and number of seats."""

    pyramid: Pyramid
    seats: int
    owned_colours: tuple[int, ...]
    board_names: tuple[str, ...] = ("board",)
    has_board_per_seat: bool = False
    names: dict[str, DeclaredName] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    stocks: dict[str, DeclaredStock] = field(default_factory=dict)
    next_slot: int = 0
    syntax_node_count: int = 0
    words_used: set[str] = field(default_factory=set)
    constant_evaluator: ConstantEvaluator = field(init=False)
    """Evaluator of terms that depend only on the seat."""
    suggests_words: bool = True
    """Whether errors about unknown words suggest similar known words."""

    def __post_init__(self) -> None:
        self.constant_evaluator = get_engine(self.pyramid.size).ConstantEvaluator(self.pyramid, self.seats)

    def measure_definitions(self) -> None:
        """Compute the expanded size and the nesting depth of every definition that isn't recursive.

        A definition that is too large can then be rejected before it is expanded. For recursive definitions, only
        ``cycle_start`` is set.
        """
        order = {name: number for number, name in enumerate(self.definitions)}
        counts = {name: self._count_uses(define) for name, define in self.definitions.items()}
        for component in strongly_connected_components({name: used for name, (_, used) in counts.items()}):
            circular = len(component) > 1 or component[0] in counts[component[0]][1]
            first = min(component, key=order.__getitem__) if circular else ""
            for name in component:
                define, (own, used) = self.definitions[name], counts[name]
                if circular:
                    define.cycle_start = first
                    continue
                inner = sum(self.definitions[each].expanded_size * times for each, times in used.items())
                define.expanded_size = min(own + inner, MAX_SYNTAX_NODES + 1)
                define.nesting_depth = 1 + max(
                    (self.definitions[each].nesting_depth for each in used), default=0
                )

    def _count_uses(self, define: Definition) -> tuple[int, Counter[str]]:
        """Return the number of expression nodes in ``define``, and how often it uses each definition, by name.

        Other nodes of the syntax tree, such as operators, are not counted. If ``define`` uses itself, this is counted,
        too. A definition that can't be parsed counts as one node that uses no definitions.
        """
        try:
            parts = [part for part in ast.walk(parse_expression(define.text)) if isinstance(part, ast.expr)]
        except ExpressionError:
            return 1, Counter()  # A mistake is reported where the definition is used.
        names = (part.id for part in parts if isinstance(part, ast.Name))
        used = Counter(name for name in names if name in self.definitions and name not in define.params)
        return len(parts), used

    def prepare_expansion(self, name: str) -> Definition:
        """Return a definition after checking that it can be expanded.

        Raises ExpressionError if it is recursive. Raises ExpressionLimitError if the definitions it uses are nested too
        deeply, or if expanding it would make the file's expressions too large.
        """
        define = self.definitions[name]
        if define.cycle_start:
            error = ExpressionError("'{name}' is defined in terms of itself", name=define.cycle_start)
            error.mark = self.definitions[define.cycle_start].item.location
            raise error
        if define.nesting_depth > MAX_NESTING_DEPTH:
            raise ExpressionLimitError(
                "'{name}' uses definitions nested more than {most} levels deep",
                name=name,
                most=MAX_NESTING_DEPTH,
            )
        if self.syntax_node_count + define.expanded_size > MAX_SYNTAX_NODES:
            raise ExpressionLimitError(
                "the file's expressions have more than {most:,} parts once all definitions are expanded",
                most=MAX_SYNTAX_NODES,
            )
        return define

    def allocate_slot(self) -> int:
        """Allocate a slot for another value and return its index.

        Raises ExpressionLimitError if none is left.
        """
        if self.next_slot >= MAX_SLOTS:
            raise ExpressionLimitError(
                "the file has too many loops and names, counting each use of a definition"
            )
        self.next_slot += 1
        return self.next_slot - 1


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression.

    Raises ExpressionError if the expression can't be parsed or is too long.
    """
    if len(text) > MAX_EXPRESSION_CHARS:
        raise ExpressionError("an expression can have at most {most} characters", most=MAX_EXPRESSION_CHARS)
    try:
        with warnings.catch_warnings(
            action="ignore", category=SyntaxWarning
        ):  # e.g. for "1or 2"; the text comes from a game file
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        detail = untranslated(error.msg) if isinstance(error, SyntaxError) else Message("it can't be read")
        raise ExpressionError("'{text}' is not an expression: {why}", text=text, why=detail) from None


def storage_shape(kind: Type) -> str:
    """Return how values of a type are stored: "scalar", "items" or "lists"."""
    return "scalar" if kind in SCALAR_TYPES else "lists" if kind is Type.SETS_LIST else "items"
