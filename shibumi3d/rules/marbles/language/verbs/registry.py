"""The registry of verbs: meaning, example and compiler of every kind of step.

The modules next to this one fill the registry. The language reference is generated from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from shibumi3d.rules.marbles.engine.rules import Instruction
from shibumi3d.rules.marbles.language.compiler.reader import RulesReader
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.source import Item


@dataclass(frozen=True)
class SourceStep:
    """A step as written in the game file.

    ``verb_value`` is the value of its verb, ``keys`` contains all its keys with their values, ``step_item`` is the
    complete step, and ``depth`` is its nesting depth.
    """

    verb_value: Item
    keys: dict[str, Item]
    step_item: Item
    depth: int


class StepContext(Protocol):
    """The part of a step compiler that verbs use to append instructions.

    ``instructions`` contains the instructions appended so far, ``labels`` the labels of their choices, and
    ``drawn_stocks`` the names of the stocks from which they draw marbles.
    """

    reader: RulesReader
    instructions: list[Instruction]
    labels: list[str]
    drawn_stocks: set[str]

    def append(self, instruction: Instruction) -> int:
        """Append an instruction and return its index.

        The instruction's ``next`` is set to the index after its own. Its ``may_fail`` is True if it awaits a choice or
        if its operation is in :data:`.FALLIBLE_OPS`, and False otherwise.
        """

    def append_choice(self, instruction: Instruction, table: dict[str, Item], result_type: Type) -> None:
        """Append the instruction for a choice whose result has the type ``result_type``.

        ``table`` contains the keys of the step. The optional key ``as`` names the variable that receives the result,
        and the optional key ``because`` gives the reason shown for an option that the choice doesn't allow. If ``as``
        isn't a name, or if its variable can't hold a result of this type, a problem is reported.
        """

    def compile_steps(self, item: Item, depth: int = 0) -> None:
        """Compile a step or a list of steps, and append the instructions.

        ``depth`` is the nesting depth of ``item`` in the program. If it is too great, or if ``item`` is neither a
        mapping nor a list, a problem is reported instead.
        """

    def compile_branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """Compile a choice's branches, and return those that contain no choice.

        ``depth`` is the nesting depth of the step with the choice. The instructions of all branches are appended to the
        ones compiled so far. In ``choice``, ``branch_starts`` is set to the indices at which the branches begin, and
        ``next`` to the index of the instruction after all branches, at which any empty branch begins. ``may_fail`` is
        set to False if a branch is empty, and to True otherwise.
        """

    def compile_body(self, source_step: SourceStep) -> None:
        """Compile the program under ``do``, or report that it is missing."""


VerbCompiler = Callable[[StepContext, SourceStep], None]


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
    compile: VerbCompiler
    chosen_type: Type | None = Type.POINTS
    """Type of the value named by ``as``, or None for the element type of the set to choose from."""


class VerbRegistry(dict[str, Verb]):
    """The verbs of one kind, by name, in the order of the language reference."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def register_verb(
        self,
        name: str,
        modifiers: tuple[str, ...],
        meaning: str,
        example: str,
        chosen_type: Type | None = Type.POINTS,
    ) -> Callable[[VerbCompiler], VerbCompiler]:
        """Return a decorator that registers a function as the compiler of a verb.

        The arguments have the same meaning as the fields of :class:`Verb`.
        """

        def add(compile: VerbCompiler) -> VerbCompiler:
            self[name] = Verb(name, self.kind, modifiers, meaning, example, compile, chosen_type)
            return compile

        return add
