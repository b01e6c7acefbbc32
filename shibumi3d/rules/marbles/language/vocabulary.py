"""The vocabulary of expressions: what a word is, and all words by name.

The reference of the language is made from this table, which the modules of :mod:`.words` fill.
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
    """What a word needs of the expression in which it stands, to be made a term of it."""

    scope: Scope

    def expr(self, tree: ast.expr) -> Typed:
        """Return the typed node of a part of the expression. Raises Wrong."""

    def coerce(self, value: Typed, wanted: Type) -> Term:
        """Return ``value`` as a node of the wanted type. Raises Wrong when it can't be one."""

    def board(self, tree: ast.expr) -> Term:
        """Return the board that a part of the expression names. Raises Wrong."""

    def comprehension(
        self, generators: Sequence[ast.comprehension], elt: ast.expr
    ) -> tuple[tuple[LoopTerm, ...], Typed, int]:
        """Return the loops of a comprehension, its element, and how often they go round at most."""

    def quantifier(self, tree: ast.GeneratorExp, every: bool) -> Term:
        """Return whether something holds in one round of loops, or in ``every`` one."""

    def rounds_of(self, kind: Type) -> int:
        """Return a fair guess of how many values a computed value of this type holds."""


Build = Callable[[Building, list[ast.expr]], Typed]


@dataclass(frozen=True)
class WordEntry:
    """One word of the language."""

    name: str
    params: tuple[str, ...]
    result: str
    meaning: str
    example: str
    build: Build
    least: int = -1
    most: int = -1

    def fits(self, count: int) -> bool:
        """Return whether the word may be called with so many values."""
        least = len(self.params) if self.least < 0 else self.least
        most = len(self.params) if self.most < 0 else self.most
        return least <= count <= most

    @property
    def arguments(self) -> Message | str:
        """How its parameters are written, for messages."""
        return f"({', '.join(self.params)})" if self.params else Message("no values")


class Words(dict[str, WordEntry]):
    """Words by name, in the order of the reference."""

    def word(
        self, name: str, params: str, result: str, meaning: str, example: str, least: int = -1, most: int = -1
    ) -> Callable[[Build], Build]:
        """Add a word to the language: its name, parameters, type, meaning and an example."""

        def add(build: Build) -> Build:
            self[name] = WordEntry(name, tuple(params.split()), result, meaning, example, build, least, most)
            return build

        return add

    def value(
        self, name: str, kind: Type, meaning: str, example: str, make: Callable[[Building], Term]
    ) -> None:
        """Add a word without parameters."""

        def build(b: Building, args: list[ast.expr]) -> Typed:
            node = make(b)
            rounds = len(node.value) if node.op == "ConstItems" else b.rounds_of(kind)
            return Typed(node, kind, rounds)

        self[name] = WordEntry(name, (), str(kind), meaning, example, build)


WORDS = Words()
"""All words of the language."""
