"""The registry of verbs: meaning, example and compilation of every kind of step.

The modules beside this one fill the registry. The language reference is generated from it.
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

    ``item`` is the value of its verb, ``table`` holds all its keys, ``whole`` is the complete step, and ``depth`` its
    nesting depth.
    """

    item: Item
    table: dict[str, Item]
    whole: Item
    depth: int


class Writing(Protocol):
    """The part of a program compiler that verbs use to append instructions.

    ``code`` holds the instructions so far, ``labels`` the labels of all choices, and ``drawn`` the names of the stocks
    from which marbles are drawn.
    """

    reader: Reader
    code: list[Instruction]
    labels: list[str]
    drawn: set[str]

    def add(self, step: Instruction) -> int:
        """Append an instruction that continues with the one after it; return its index."""

    def choice(self, step: Instruction, table: dict[str, Item], kind: Type) -> None:
        """Append a choice whose result has the type ``kind``.

        The modifier ``as`` names the slot that receives the result.
        """

    def program(self, item: Item, depth: int = 0) -> None:
        """Compile a step or a list of steps."""

    def branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """Append the branch programs of a choice; return those in which no seat has to choose."""

    def body(self, given: GivenStep) -> None:
        """Compile the program under ``do``."""


Compile = Callable[[Writing, GivenStep], None]


@dataclass(frozen=True)
class Verb:
    """A verb of the language.

    A step is a mapping with exactly one verb and any of its modifiers.
    """

    name: str
    kind: str
    """``player`` (a player chooses), ``engine`` (no choice) or ``combinator`` (control flow)."""
    modifiers: tuple[str, ...]
    meaning: str
    example: str
    compile: Compile
    chosen: Type | None = Type.POINTS
    """Type of the value that ``as`` names; None for the element type of the set that is chosen from."""


class Verbs(dict[str, Verb]):
    """Verbs of one kind by name, in the order of the language reference."""

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
