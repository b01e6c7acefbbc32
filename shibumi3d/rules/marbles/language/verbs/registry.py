"""The registry of verbs: meaning, example and compiler of every kind of step.

The modules next to this one fill the registry. The language reference is generated from it.
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
    """A step as written in the file.

    ``item`` is the value of its verb, ``table`` has all its keys, ``whole`` is the complete step, and ``depth`` is its
    nesting depth.
    """

    item: Item
    table: dict[str, Item]
    whole: Item
    depth: int


class Writing(Protocol):
    """The part of a program compiler that verbs use to append instructions.

    ``code`` has the instructions so far. ``labels`` are the labels of all choices. ``drawn`` are the names of the
    stocks from which marbles are drawn.
    """

    reader: Reader
    code: list[Instruction]
    labels: list[str]
    drawn: set[str]

    def add(self, step: Instruction) -> int:
        """Append an instruction that is followed by the next one appended, and return its index."""

    def choice(self, step: Instruction, table: dict[str, Item], kind: Type) -> None:
        """Append a choice whose result has the type ``kind``.

        The modifier ``as`` names the slot that receives the result.
        """

    def program(self, item: Item, depth: int = 0) -> None:
        """Compile a step or a list of steps."""

    def branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """Append the programs of a choice's branches, and return those that don't require a choice."""

    def body(self, given: GivenStep) -> None:
        """Compile the program under ``do``."""


Compile = Callable[[Writing, GivenStep], None]


@dataclass(frozen=True)
class Verb:
    """A verb of the rule language.

    A step is a mapping with exactly one verb and any of the verb's modifiers.
    """

    name: str
    kind: str
    """``player`` (a player chooses), ``engine`` (no choice) or ``combinator`` (control flow)."""
    modifiers: tuple[str, ...]
    meaning: str
    example: str
    compile: Compile
    chosen: Type | None = Type.POINTS
    """Type of the value named by ``as``, or None for the element type of the set to choose from."""


class Verbs(dict[str, Verb]):
    """The verbs of one kind by name, in the order of the language reference."""

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
        """Register the decorated function as the compiler of a verb."""

        def add(compile: Compile) -> Compile:
            self[name] = Verb(name, self.kind, modifiers, meaning, example, compile, chosen)
            return compile

        return add
