"""Construction of steps from instructions, and of a machine from rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine import rules as data
from shibumi3d.rules.marbles.engine.board import zobrist_key
from shibumi3d.rules.marbles.engine.build.context import BuildContext
from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder
from shibumi3d.rules.marbles.engine.build.term_analysis import term_cost
from shibumi3d.rules.marbles.engine.machine import BoundEndRule, BoundPhase, Machine, Node, Step
from shibumi3d.rules.marbles.engine.rules import MARK_WORDS, Instruction, Rules
from shibumi3d.rules.marbles.engine.steps import blocks, choices, control_flow, picks, verbs


def build_machine(rules: Rules, for_display: bool = True) -> Machine:
    """Return a machine for a game.

    If ``for_display`` is set, the machine maintains everything that players can see; otherwise, it maintains only what
    the rules read.
    """
    m = Machine(rules, for_display)
    ProgramBuilder(m).build()
    return m


STEP_WORK = 3
"""Cost of an instruction, not including its expressions."""
CONNECTION_WORDS = frozenset({"linked", "seen", "groups", "longest_path"})
"""Words of the rule language that depend on visible connections."""
MOVING_OPS = frozenset({"SetDown", "ByBegin"})
"""Instructions that move marbles or let other seats act, apart from those that remove marbles."""
LOOKAHEAD_OPS = frozenset({"Choose", "Ask", "First", "RepeatTest", "BestBegin"})
"""Instructions that need look-ahead."""


STEP_BUILDERS: Final[dict[str, Callable[..., Step]]] = {
    **choices.CHOICE_STEP_BUILDERS,
    **picks.PICK_STEP_BUILDERS,
    **verbs.VERB_STEP_BUILDERS,
    **control_flow.CONTROL_FLOW_STEP_BUILDERS,
    **blocks.BLOCK_STEP_BUILDERS,
}
"""Functions that build steps, by the operation of the instruction."""


class ProgramBuilder(BuildContext):
    """Builder of the steps, phases and end rules of one machine."""

    def __init__(self, m: Machine) -> None:
        super().__init__(m)
        self.general_nodes = NodeBuilder(m, general=True)

    def build(self) -> None:
        """Build all steps, phases and end rules, and store them in the machine with the data needed to run them."""
        m, rules = self.m, self.rules
        code = [self.build_step(instruction) for instruction in rules.program]
        for i, (step, instruction) in enumerate(zip(code, rules.program, strict=True)):
            step.program_index = i
            step.cost = STEP_WORK + sum(term_cost(term) for term in instruction.terms)
            if instruction.removes_marbles and instruction.awaits_choice:
                step.cost += rules.pyramid.point_count
            step.changes_match = instruction.changes_match
            step.needs_lookahead, step.always_completes, step.may_recur = (
                instruction.needs_lookahead,
                instruction.always_completes,
                instruction.may_recur,
            )
            if instruction.next < len(code):
                step.next = code[instruction.next]
        for step, instruction in zip(code, rules.program, strict=True):
            self.link_step(step, instruction, code)
        m.program = code
        m.setup = code[rules.setup] if rules.setup >= 0 else None
        m.end_rules = [self.bind_end_rule(rule) for rule in rules.end_rules]
        m.phases = [self.bind_phase(phase, code) for phase in rules.phases]
        m.has_early_end_rules = rules.has_early_end_rules
        m.score_node = self.nodes.build_optional(rules.score)
        m.gain_node = self.nodes.build(rules.series.gain) if rules.series is not None else None
        m.solvable_node = self.nodes.build_optional(rules.solvable)
        m.initial_value_steps = [self.initial_value_step(start) for start in rules.initial_values]
        m.needs_turn_start = rules.needs_turn_start
        for board in m.boards:
            board.tracks_contacts = m.for_display or bool(CONNECTION_WORDS & rules.words_used)
        m.score_cost = term_cost(rules.score)
        self.set_cleared_words()
        # States and keys are exchanged between all machines of a game, so keys cover only what the rules can change or
        # read. Machines for display also maintain marks that no rule reads.
        read = [i for i, word in enumerate(MARK_WORDS) if word in rules.words_used]
        read += range(len(MARK_WORDS), len(m.boards[0].marks))
        marks = [board.marks[i] for board in m.boards for i in read]
        known = m.colours if all(sight == data.ALL_SEATS for sight in rules.stock_viewers) else m.colours + 1
        stocks = [word for row in m.stocks for word in row[:known]]
        m.lasting_words = [*marks, *stocks, *m.saved_words, *m.tallies]
        other_words = [word for word in m.checkpoint_words if word not in m.turn_start_words]
        m.in_progress_words = [*m.loop_words, *other_words, m.taken_colours, m.has_removed, m.next_seat]
        if any(instruction.op == "Lift" for instruction in rules.program):
            m.in_progress_words += [m.origin, m.held_colour, m.held_point, m.held_board, m.held_marks]
        for place, word in enumerate((*m.lasting_words, *m.in_progress_words, *m.turn_start_words)):
            # Salts are odd, so that different values of a word differ in the key, and use a board number that no board
            # has, so that they differ from the keys of marbles.
            word.salt = zobrist_key(len(m.boards), place, 0) | 1
        words = sum(
            len(row) for row in (*m.stocks, m.saved_words, m.tallies, m.loop_words, m.checkpoint_words)
        ) + len(m.saved_list_words)
        m.key_cost = 3 * (words + sum(1 + len(board.marks) for board in m.boards))
        m.playouts_need_undo = (
            any(step.needs_lookahead or step.op in LOOKAHEAD_OPS for step in rules.program)
            or any(phase.may_end_before_choice for phase in rules.phases)
            or "able" in rules.words_used
            or rules.setup >= 0
        )

    def set_cleared_words(self) -> None:
        """Determine what is cleared at the start of a turn, and which marks move along with marbles.

        Also set ``marks_fallen``, which says whether marbles that fall are marked.
        """
        m, rules = self.m, self.rules
        lasting = rules.lasting_marks
        for i in range(rules.var_count, rules.saved_name_count):
            if i in rules.list_shapes:
                m.lists_cleared_each_turn.append(m.list_words[i])
            else:
                m.words_cleared_each_turn.append(m.name_words[i])
        used = [i for i, word in enumerate(MARK_WORDS) if self.needs_mark(word)]
        m.marks_fallen = 2 in used
        m.moving_marks = [*used, *range(3, rules.mark_count)]
        for board in m.boards:
            m.words_cleared_each_turn += [board.marks[i] for i in m.moving_marks if i not in lasting]
        if any(instruction.op == "Remove" for instruction in rules.program):
            m.moving_marks.append(rules.mark_count)
        if m.for_display or any(i.removes_marbles or i.op in MOVING_OPS for i in rules.program):
            m.words_cleared_each_turn += [m.taken_colours, m.has_removed, m.origin]

    def build_step(self, instruction: Instruction) -> Step:
        """Build the step for an instruction, without linking it to other steps."""
        step = STEP_BUILDERS[instruction.op](self, instruction, *instruction.terms)
        if isinstance(step, choices.ChoiceStep) and instruction.slot >= 0:
            step.is_named = True
            if instruction.by_seat:
                step.words = [self.nodes.word(instruction.slot + seat) for seat in range(self.rules.seats)]
            else:
                step.word = self.nodes.word(instruction.slot)
        return step

    def link_step(self, step: Step, instruction: Instruction, code: list[Step]) -> None:
        """Set the jump targets of ``step``, which carries out ``instruction``.

        ``code`` lists all steps of the program.
        """
        if isinstance(step, control_flow.Choose):
            step.branch_starts = [code[start] for start in instruction.branch_starts]
            by_start = {start: kind for kind, start in instruction.branch_by_choice_kind.items()}
            step.kind_by_branch = [by_start[start] for start in instruction.branch_starts] if by_start else []
        elif isinstance(step, control_flow.SkipIfOnlyDone):
            step.optional_choice = code[instruction.jumps["asked"]]
        elif isinstance(step, control_flow.If):
            step.otherwise = code[instruction.jumps["otherwise"]]
        elif isinstance(step, control_flow.FirstPossible):
            step.branch_starts = [code[start] for start in instruction.branch_starts]
            step.branch_ends = [code[stop] for stop in instruction.branch_ends]
        elif isinstance(step, control_flow.RepeatAll):
            test = self.rules.program[instruction.next]
            step.body, step.body_end, step.exit_step = (
                code[test.next],
                code[test.branch_ends[0]],
                code[test.jumps["leave"]],
            )
        elif isinstance(step, control_flow.RepeatTest):
            step.exit_step, step.body_end = code[instruction.jumps["leave"]], code[instruction.branch_ends[0]]
        elif isinstance(step, control_flow.RepeatEnd):
            step.exit_step = code[instruction.jumps["leave"]]
        elif isinstance(step, control_flow.RepeatTimesHead):
            step.ask_step, step.exit_step = code[instruction.jumps["ask"]], code[instruction.jumps["leave"]]
        elif isinstance(step, control_flow.BestBegin):
            step.body_end = code[instruction.branch_ends[0]]
        elif isinstance(step, blocks.ByBegin):
            step.exit_step = code[instruction.jumps["leave"]]
        elif isinstance(step, blocks.ByEnd):
            step.body = code[instruction.jumps["body"]]

    def bind_phase(self, phase: data.Phase, code: list[Step]) -> BoundPhase:
        """Return the executable form of a phase; ``code`` lists all steps of the program."""
        bound = BoundPhase(code[phase.start])
        bound.max_turns = phase.max_turns
        bound.until = self.nodes.build_optional(phase.until)
        bound.pass_condition = self.nodes.build_optional(phase.pass_condition)
        bound.stuck_may_pass = phase.stuck_may_pass
        bound.end_rules = [self.bind_end_rule(rule) for rule in phase.end_rules]
        bound.early_end_rules = [self.bind_end_rule(rule) for rule in phase.early_end_rules]
        bound.may_end_before_choice = phase.may_end_before_choice
        bound.cost = term_cost(phase.until) + term_cost(phase.pass_condition)
        return bound

    def bind_end_rule(self, rule: data.EndRule) -> BoundEndRule:
        """Return the executable form of an end rule."""
        b = self.nodes
        bound = BoundEndRule(rule.number, b.build(rule.when), self.general_nodes.build(rule.when))
        bound.only_when_stuck = rule.only_when_stuck
        bound.is_tested_by_seat = rule.is_tested_by_seat
        bound.win, bound.lose, bound.tie = (
            b.build_optional(rule.win),
            b.build_optional(rule.lose),
            b.build_optional(rule.tie),
        )
        bound.compared_values = [b.build(term) for term in rule.compared_values or ()]
        bound.is_list_by_value = list(rule.is_list_by_value)
        bound.compares_only_score = rule.compares_only_score
        bound.tie_is_list = rule.tie_is_list
        bound.cost = term_cost(rule.when)
        return bound

    def initial_value_step(self, start: data.InitialValue) -> Step:
        """Return the step that initializes a ``var`` or a mark."""
        node: Node = self.nodes.build(start.term)
        if start.is_mark:
            return verbs.InitializeMark(verbs.SetMark(start.slot, node))
        seats = self.rules.seats if start.by_seat else 1
        slots = range(start.slot, start.slot + seats)
        inner: Step
        if start.shape == "scalar":
            inner = verbs.LetNumber([self.nodes.word(s) for s in slots], node)
        else:
            boxes = [self.nodes.list_word(s) for s in slots]
            inner = verbs.LetList("", boxes, node, start.shape == "lists")
        return verbs.InitializeVar(inner, seats)
