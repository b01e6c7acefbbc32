"""The vocabulary of expressions: all words by name.

The modules of :mod:`.words` fill the vocabulary. The language reference is generated from it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from shibumi3d.i18n import Message
from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term
from shibumi3d.rules.marbles.language.scope import Scope, TypedTerm
from shibumi3d.rules.marbles.language.types import Type


class WordContext(Protocol):
    """The part of an expression compiler that words use to compile themselves."""

    scope: Scope

    def compile_tree(self, tree: ast.expr) -> TypedTerm:
        """Return the typed term for a part of the expression.

        Raises ExpressionError if this part has a mistake.
        """

    def coerce(self, value: TypedTerm, wanted_type: Type) -> Term:
        """Return the term of ``value``, converted to the type ``wanted_type`` if necessary.

        Raises ExpressionError if it can't be converted.
        """

    def compile_board(self, tree: ast.expr) -> Term:
        """Return the term for the board that a part of the expression denotes.

        Raises ExpressionError if the part denotes no board.
        """

    def compile_comprehension(
        self, generators: Sequence[ast.comprehension], elt: ast.expr
    ) -> tuple[tuple[LoopTerm, ...], TypedTerm, int]:
        """Return the loops, the element, and the estimated number of iterations of a comprehension.

        ``generators`` are the clauses of the comprehension, and ``elt`` is its element. Raises ExpressionError if one
        of them has a mistake, or if the loops would run too many times.
        """

    def compile_quantifier(self, tree: ast.GeneratorExp, is_all: bool) -> Term:
        """Return the term for ``any`` over a generator expression, or for ``all`` if ``is_all`` is set.

        Raises ExpressionError if the generator expression has a mistake.
        """

    def estimate_iterations(self, kind: Type) -> int:
        """Estimate how many elements a computed value of this type has."""


WordCompiler = Callable[[WordContext, list[ast.expr]], TypedTerm]


@dataclass(frozen=True)
class WordEntry:
    """A word of the rule language.

    ``params`` has one entry for each parameter, as the language reference shows it, such as "Points"; ``result``
    describes the value in the same way. ``meaning`` and ``example`` also appear in the reference. ``compile`` returns
    the typed term for the word and its arguments. ``min_arguments`` and ``max_arguments`` are the limits on the number
    of arguments; -1 stands for the number of parameters.
    """

    name: str
    params: tuple[str, ...]
    result: str
    meaning: str
    example: str
    compile: WordCompiler
    min_arguments: int = -1
    max_arguments: int = -1

    def accepts(self, count: int) -> bool:
        """Return whether the word accepts this number of arguments."""
        least = len(self.params) if self.min_arguments < 0 else self.min_arguments
        max_count = len(self.params) if self.max_arguments < 0 else self.max_arguments
        return least <= count <= max_count

    @property
    def parameter_list(self) -> Message | str:
        """The parameter list as shown in messages, or "no values" if there are no parameters."""
        return f"({', '.join(self.params)})" if self.params else Message("no values")


class Vocabulary(dict[str, WordEntry]):
    """Dictionary of the words of the rule language by name, in the order of the language reference."""

    def register_word(
        self,
        name: str,
        params: str,
        result: str,
        meaning: str,
        example: str,
        min_arguments: int = -1,
        max_arguments: int = -1,
    ) -> Callable[[WordCompiler], WordCompiler]:
        """Register the decorated function as the compiler of a word.

        ``params`` lists the types of the parameters, separated by spaces, and ``result`` is the type of the result,
        both as shown in the language reference. ``meaning`` and ``example`` also appear there. ``min_arguments`` and
        ``max_arguments`` are the limits on the number of arguments; -1 stands for the number of parameters.
        """

        def add(build: WordCompiler) -> WordCompiler:
            self[name] = WordEntry(
                name, tuple(params.split()), result, meaning, example, build, min_arguments, max_arguments
            )
            return build

        return add

    def register_value(
        self, name: str, kind: Type, meaning: str, example: str, make_term: Callable[[WordContext], Term]
    ) -> None:
        """Register a word without parameters; ``make_term`` returns its term."""

        def build(b: WordContext, args: list[ast.expr]) -> TypedTerm:
            node = make_term(b)
            rounds = len(node.value) if node.op == "ConstItems" else b.estimate_iterations(kind)
            return TypedTerm(node, kind, rounds)

        self[name] = WordEntry(name, (), str(kind), meaning, example, build)


WORDS = Vocabulary()
"""All words of the rule language."""
