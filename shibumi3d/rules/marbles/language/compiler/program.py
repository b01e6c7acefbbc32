"""Compilation of programs, step by step; each verb compiles its own steps."""

from __future__ import annotations

from shibumi3d.i18n import Message
from shibumi3d.rules.marbles.engine.rules import (
    FAILS,
    Instruction,
)
from shibumi3d.rules.marbles.language.compiler.reading import Reader, place_of
from shibumi3d.rules.marbles.language.types import Type, common
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.verbs.registry import GivenStep
from shibumi3d.rules.source import Item, nearest

MODIFIERS = frozenset(modifier for verb in VERBS.values() for modifier in verb.modifiers)


class Program:
    """The instructions of a game file, in the order in which they are compiled.

    ``labels`` are the labels of all choices. ``drawn`` are the names of the stocks from which marbles are drawn.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.code: list[Instruction] = []
        self.labels: list[str] = []
        self.drawn: set[str] = set()

    def add(self, step: Instruction) -> int:
        """Append an instruction that is followed by the next one appended, and return its index."""
        self.code.append(step)
        step.next = len(self.code)
        step.may_fail = step.waits or step.op in FAILS
        return len(self.code) - 1

    def program(self, item: Item, depth: int = 0) -> None:
        """Compile a step or a list of steps."""
        if depth > 50:
            self.reader.problem(item.mark, "the program is nested too deeply")
        elif isinstance(item.value, list):
            for part in item.value:
                self.program(part, depth + 1)
        elif isinstance(item.value, dict):
            self.step(item, depth)
        else:
            self.reader.problem(item.mark, "expected a step: a mapping with one verb, or a list of steps")

    def step(self, item: Item, depth: int) -> None:
        """Compile one step."""
        table = item.value
        assert isinstance(table, dict)
        verbs = [key for key in table if key in VERBS]
        if not verbs:
            unknown = [key for key in table if key not in MODIFIERS]
            for key in unknown:
                self.reader.problem(
                    item.keys.get(key, item.mark),
                    "unknown verb '{verb}'{hint}",
                    verb=key,
                    hint=nearest(key, VERBS),
                )
            if not unknown:
                self.reader.problem(
                    item.mark, "a step needs one of these verbs: {verbs}", verbs=", ".join(VERBS)
                )
            return
        verb = VERBS[verbs[0]]
        for key in table:
            where = item.keys.get(key, item.mark)
            if key in verbs[1:]:
                self.reader.problem(
                    where,
                    "a step can have only one verb, but this one has '{verb}' and '{other}'",
                    verb=verb.name,
                    other=key,
                )
            elif key != verb.name and key not in verb.modifiers:
                words = ", ".join(verb.modifiers)
                takes = Message("it takes {words}", words=words) if words else Message("it takes none")
                self.reader.problem(
                    where,
                    "'{verb}' has no modifier '{word}': {takes}{hint}",
                    verb=verb.name,
                    word=key,
                    takes=takes,
                    hint=nearest(key, verb.modifiers),
                )
        first = len(self.code)
        verb.compile(self, GivenStep(table[verb.name], table, item, depth))
        for made in self.code[first:]:
            made.place = made.place or place_of(item)

    def choice(self, step: Instruction, table: dict[str, Item], kind: Type) -> None:
        """Append a choice whose result has the type ``kind``.

        The modifier ``as`` names the slot that receives the result.
        """
        self.add(step)
        if "because" in table:
            step.because = self.reader.because(table["because"])
        item = table.get("as")
        if item is None:
            return
        if not isinstance(item.value, str):
            self.reader.problem(item.mark, "'as' must give a name, but '{text}' isn't one", text=item.value)
            return
        known = self.reader.scope.names.get(item.value)
        if known is None or known.kind == "mark":
            return  # already reported when the names were collected
        if common(known.type, kind) is not known.type:
            self.reader.problem(
                item.mark,
                "'{name}' holds {known}, but the choice gives {kind}",
                name=item.value,
                known=known.type,
                kind=kind,
            )
        else:
            step.slot, step.by_seat = known.slot, known.by_seat

    def branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """Append the programs of a choice's branches, each followed by a jump past the last one.

        Returns the branches that don't require a choice.
        """
        jumps = []
        silent = []
        for branch in branches:
            choice.starts.append(len(self.code))
            before = len(self.code)
            self.program(branch, depth + 1)
            if not any(step.waits for step in self.code[before:]):
                silent.append(branch)
            if len(self.code) == before:
                choice.starts[-1] = -1
                continue
            jump = Instruction("Jump")
            self.add(jump)
            jumps.append(jump)
        end = len(self.code)
        choice.next = end
        choice.starts = [end if start < 0 else start for start in choice.starts]
        for jump in jumps:
            jump.next = end
        choice.may_fail = end not in choice.starts
        self.add(Instruction("Jump"))
        return silent

    def body(self, given: GivenStep) -> None:
        """Compile the program under ``do``, or report that it is missing."""
        if "do" in given.table:
            self.program(given.table["do"], given.depth + 1)
        else:
            verb = next(key for key in given.table if key in VERBS)
            self.reader.problem(given.whole.mark, "'{verb}' needs 'do': the program to run", verb=verb)
