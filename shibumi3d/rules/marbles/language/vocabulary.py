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
from shibumi3d.rules.marbles.language.scope import Scope, Typed
from shibumi3d.rules.marbles.language.types import Type


class Building(Protocol):
    """The part of an expression builder that words use to compile themselves."""

    scope: Scope

    def expr(self, tree: ast.expr) -> Typed:
        """Return the typed term for a part of the expression.

        Raises Wrong if it has a mistake.
        """

    def coerce(self, value: Typed, wanted: Type) -> Term:
        """Return a term that converts ``value`` to the type ``wanted``.

        Raises Wrong if it can't be converted.
        """

    def board(self, tree: ast.expr) -> Term:
        """Return the term for the board that a part of the expression names.

        Raises Wrong if it names none.
        """

    def comprehension(
        self, generators: Sequence[ast.comprehension], elt: ast.expr
    ) -> tuple[tuple[LoopTerm, ...], Typed, int]:
        """Return the loops and the element of a comprehension, and an upper bound on its iterations."""

    def quantifier(self, tree: ast.GeneratorExp, every: bool) -> Term:
        """Return the term for ``any`` (or, with ``every``, ``all``) over a generator expression."""

    def rounds_of(self, kind: Type) -> int:
        """Estimate how many elements a computed value of this type has."""


Build = Callable[[Building, list[ast.expr]], Typed]


@dataclass(frozen=True)
class WordEntry:
    """A word of the rule language."""

    name: str
    params: tuple[str, ...]
    result: str
    meaning: str
    example: str
    build: Build
    least: int = -1
    most: int = -1

    def fits(self, count: int) -> bool:
        """Return whether the word accepts this number of arguments."""
        least = len(self.params) if self.least < 0 else self.least
        most = len(self.params) if self.most < 0 else self.most
        return least <= count <= most

    @property
    def arguments(self) -> Message | str:
        """The parameter list shown in messages."""
        return f"({', '.join(self.params)})" if self.params else Message("no values")


class Words(dict[str, WordEntry]):
    """Words by name, in the order of the language reference."""

    def word(
        self, name: str, params: str, result: str, meaning: str, example: str, least: int = -1, most: int = -1
    ) -> Callable[[Build], Build]:
        """Register the decorated function as the compiler of a word.

        ``least`` and ``most`` are the minimum and maximum number of arguments; -1 stands for the number of parameters.
        """

        def add(build: Build) -> Build:
            self[name] = WordEntry(name, tuple(params.split()), result, meaning, example, build, least, most)
            return build

        return add

    def value(
        self, name: str, kind: Type, meaning: str, example: str, make: Callable[[Building], Term]
    ) -> None:
        """Register a word without parameters; ``make`` returns its term."""

        def build(b: Building, args: list[ast.expr]) -> Typed:
            node = make(b)
            rounds = len(node.value) if node.op == "ConstItems" else b.rounds_of(kind)
            return Typed(node, kind, rounds)

        self[name] = WordEntry(name, (), str(kind), meaning, example, build)


WORDS = Words()
"""All words of the rule language."""
