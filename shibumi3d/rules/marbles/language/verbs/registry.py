"""The verbs: what a step may do, each with its meaning, an example and how it is compiled.

The reference of the language is made from this table, which the modules beside it fill.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from shibumi3d.rules.marbles.engine.rules import Instruction
from shibumi3d.rules.marbles.language.compiler.reading import Reader
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.source import Item


@dataclass(frozen=True)
class GivenStep:
    """A step as the file gives it: what stands at its verb, all its keys, the whole, and how deep it stands."""

    item: Item
    table: dict[str, Item]
    whole: Item
    depth: int


class Writing(Protocol):
    """The program being written, as a verb appends to it: the instructions so far in ``code``, the ``labels`` of all
    choices, and the stocks that are ``drawn`` from."""

    reader: Reader
    code: list[Instruction]
    labels: list[str]
    drawn: set[str]

    def add(self, step: Instruction) -> int:
        """Append an instruction that goes on to the one after it; return its index."""

    def choice(self, step: Instruction, table: dict[str, Item], kind: Type) -> None:
        """Append a choice; ``as`` says where it puts what was chosen, which is of type ``kind``."""

    def program(self, item: Item, depth: int = 0) -> None:
        """Append what a step, or a list of steps, is compiled to."""

    def branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """Append the programs of a choice, one after the other; return those that ask nothing."""

    def body(self, given: GivenStep) -> None:
        """Append the program under ``do``."""


Compile = Callable[[Writing, GivenStep], None]


@dataclass(frozen=True)
class Verb:
    """One verb: a step is a mapping with exactly one verb and that verb's modifiers."""

    name: str
    kind: str
    """player (somebody chooses), engine (nobody is asked) or combinator (order)"""
    modifiers: tuple[str, ...]
    meaning: str
    example: str
    compile: Compile
    chosen: Type | None = Type.POINTS
    """What ``as`` names of it; None: an element of what it chooses from."""


class Verbs(dict[str, Verb]):
    """Verbs of one kind by name, in the order of the reference."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def verb(
        self,
        name: str,
        modifiers: tuple[str, ...],
        meaning: str,
        example: str,
        chosen: Type | None = Type.POINTS,
    ) -> Callable[[Compile], Compile]:
        """Add a verb: its name, modifiers, meaning, an example, and what makes instructions of it."""

        def add(compile: Compile) -> Compile:
            self[name] = Verb(name, self.kind, modifiers, meaning, example, compile, chosen)
            return compile

        return add
