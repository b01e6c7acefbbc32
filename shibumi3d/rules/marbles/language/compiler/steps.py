"""Compilation of programs, step by step; each verb compiles its own steps."""

from __future__ import annotations

from shibumi3d.i18n import Message
from shibumi3d.rules.marbles.engine.rules import FALLIBLE_OPS, Instruction
from shibumi3d.rules.marbles.language.compiler.reader import RulesReader, source_location
from shibumi3d.rules.marbles.language.types import Type, common_type
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.verbs.registry import SourceStep
from shibumi3d.rules.source import Item, suggest_spelling

MODIFIERS = frozenset(modifier for verb in VERBS.values() for modifier in verb.modifiers)


class StepCompiler:
    """Compiler that turns the steps of a game's rules into instructions, and collects the instructions.

    ``labels`` are the labels of all choices compiled so far, and ``drawn_stocks`` the names of the stocks from which
    marbles are drawn.
    """

    def __init__(self, reader: RulesReader) -> None:
        self.reader = reader
        self.instructions: list[Instruction] = []
        self.labels: list[str] = []
        self.drawn_stocks: set[str] = set()

    def append(self, instruction: Instruction) -> int:
        """Append an instruction to the program and return its index.

        The instruction's ``next`` becomes the index after its own. ``may_fail`` becomes True if the instruction awaits
        a choice or its operation is in :data:`.FALLIBLE_OPS`, and False otherwise.
        """
        self.instructions.append(instruction)
        instruction.next = len(self.instructions)
        instruction.may_fail = instruction.awaits_choice or instruction.op in FALLIBLE_OPS
        return len(self.instructions) - 1

    def compile_steps(self, item: Item, depth: int = 0) -> None:
        """Compile a step or a list of steps, and append the instructions to those compiled so far.

        ``depth`` is the nesting depth of ``item`` in the program. If it is greater than 50, or if ``item`` is neither a
        mapping nor a list, report a problem instead.
        """
        if depth > 50:
            self.reader.report_problem(item.location, "the program is nested too deeply")
        elif isinstance(item.value, list):
            for part in item.value:
                self.compile_steps(part, depth + 1)
        elif isinstance(item.value, dict):
            self.compile_step(item, depth)
        else:
            self.reader.report_problem(
                item.location, "expected a step: a mapping with one verb, or a list of steps"
            )

    def compile_step(self, item: Item, depth: int) -> None:
        """Compile one step according to its first verb.

        Report a missing verb, any further verbs, and keys that the verb doesn't accept.
        """
        table = item.value
        assert isinstance(table, dict)
        verbs = [key for key in table if key in VERBS]
        if not verbs:
            unknown = [key for key in table if key not in MODIFIERS]
            for key in unknown:
                self.reader.report_problem(
                    item.key_locations.get(key, item.location),
                    "unknown verb '{verb}'{hint}",
                    verb=key,
                    hint=suggest_spelling(key, VERBS),
                )
            if not unknown:
                self.reader.report_problem(
                    item.location, "a step needs one of these verbs: {verbs}", verbs=", ".join(VERBS)
                )
            return
        verb = VERBS[verbs[0]]
        for key in table:
            location = item.key_locations.get(key, item.location)
            if key in verbs[1:]:
                self.reader.report_problem(
                    location,
                    "a step can have only one verb, but this one has '{verb}' and '{other}'",
                    verb=verb.name,
                    other=key,
                )
            elif key != verb.name and key not in verb.modifiers:
                words = ", ".join(verb.modifiers)
                accepted_modifiers = (
                    Message("it takes {words}", words=words) if words else Message("it takes none")
                )
                self.reader.report_problem(
                    location,
                    "'{verb}' has no modifier '{word}': {takes}{hint}",
                    verb=verb.name,
                    word=key,
                    takes=accepted_modifiers,
                    hint=suggest_spelling(key, verb.modifiers),
                )
        first = len(self.instructions)
        verb.compile(self, SourceStep(table[verb.name], table, item, depth))
        for instruction in self.instructions[first:]:
            instruction.source_location = instruction.source_location or source_location(item)

    def append_choice(self, instruction: Instruction, table: dict[str, Item], result_type: Type) -> None:
        """Append the instruction for a choice whose result has the type ``result_type``.

        ``table`` contains the keys of the step. The optional key ``as`` names the variable that receives the result,
        and the optional key ``because`` gives the reason shown for an option that the choice doesn't allow. If ``as``
        isn't a name, or if its variable can't hold a result of this type, a problem is reported.
        """
        self.append(instruction)
        if "because" in table:
            instruction.reasons = self.reader.read_reasons(table["because"])
        item = table.get("as")
        if item is None:
            return
        if not isinstance(item.value, str):
            self.reader.report_problem(
                item.location, "'as' must give a name, but '{text}' isn't one", text=item.value
            )
            return
        known = self.reader.scope.names.get(item.value)
        if known is None or known.kind == "mark":
            return  # already reported when the names were collected
        if common_type(known.type, result_type) is not known.type:
            self.reader.report_problem(
                item.location,
                "'{name}' holds {known}, but the choice gives {kind}",
                name=item.value,
                known=known.type,
                kind=result_type,
            )
        else:
            instruction.slot, instruction.by_seat = known.slot, known.is_per_seat

    def compile_branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """Append the programs of a choice's branches, and return the branches that contain no choice.

        ``depth`` is the nesting depth of the step with the choice. A final ``Jump`` instruction is appended after all
        programs, and each program ends with a jump to it. An empty branch has no program and starts at the final
        ``Jump``. The index of each branch's first instruction is added to ``choice.branch_starts``. ``choice.next`` is
        set to the index of the final ``Jump``, and ``choice.may_fail`` is set unless a branch is empty.
        """
        jumps = []
        choiceless = []
        for branch in branches:
            choice.branch_starts.append(len(self.instructions))
            before = len(self.instructions)
            self.compile_steps(branch, depth + 1)
            if not any(step.awaits_choice for step in self.instructions[before:]):
                choiceless.append(branch)
            if len(self.instructions) == before:
                choice.branch_starts[-1] = -1
                continue
            jump = Instruction("Jump")
            self.append(jump)
            jumps.append(jump)
        end = len(self.instructions)
        choice.next = end
        choice.branch_starts = [end if start < 0 else start for start in choice.branch_starts]
        for jump in jumps:
            jump.next = end
        choice.may_fail = end not in choice.branch_starts
        self.append(Instruction("Jump"))
        return choiceless

    def compile_body(self, source_step: SourceStep) -> None:
        """Compile the program under ``do``, or report that it is missing."""
        if "do" in source_step.keys:
            self.compile_steps(source_step.keys["do"], source_step.depth + 1)
        else:
            verb = next(key for key in source_step.keys if key in VERBS)
            self.reader.report_problem(
                source_step.step_item.location, "'{verb}' needs 'do': the program to run", verb=verb
            )
