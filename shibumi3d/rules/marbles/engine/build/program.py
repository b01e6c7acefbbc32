"""Construction of steps from instructions, and of a machine from rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine import rules as data
from shibumi3d.rules.marbles.engine.board import marble_key
from shibumi3d.rules.marbles.engine.build.costs import cost
from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder
from shibumi3d.rules.marbles.engine.build.maker import Maker
from shibumi3d.rules.marbles.engine.rules import MARKS, Instruction, Rules
from shibumi3d.rules.marbles.engine.steps import blocks, branches, choices, picks, verbs
from shibumi3d.rules.marbles.engine.workspace import BoundEnd, BoundPhase, Machine, Node, Step


def machine(rules: Rules, full: bool = True) -> Machine:
    """Return a machine for a game.

    If ``full`` is set, the machine maintains everything that players can see; otherwise, it maintains only what the
    rules read.
    """
    m = Machine(rules, full)
    ProgramBuilder(m).build()
    return m


STEP_COST = 3
"""Cost of an instruction, not including its expressions."""
CONNECTIONS = frozenset({"linked", "seen", "groups", "longest_path"})
"""Words of the rule language that depend on visible connections."""
TOUCHING = frozenset({"SetDown", "ByBegin"})
"""Instructions that move marbles or let other seats act, apart from those that remove marbles."""
TRYING = frozenset({"Choose", "Ask", "First", "RepeatTest", "BestBegin"})
"""Instructions that need look-ahead."""


MAKERS: Final[dict[str, Callable[..., Step]]] = {
    **choices.MAKERS,
    **picks.MAKERS,
    **verbs.MAKERS,
    **branches.MAKERS,
    **blocks.MAKERS,
}
"""Functions that build the step of an instruction, by operation."""


class ProgramBuilder(Maker):
    """Builder of the steps of one machine."""

    def __init__(self, m: Machine) -> None:
        super().__init__(m)
        self.general = NodeBuilder(m, general=True)

    def build(self) -> None:
        """Build all steps, phases and end rules."""
        m, rules = self.m, self.rules
        code = [self.step(i, instruction) for i, instruction in enumerate(rules.code)]
        for i, (step, instruction) in enumerate(zip(code, rules.code, strict=True)):
            step.number = i
            step.cost = STEP_COST + sum(cost(term) for term in instruction.terms)
            if instruction.clears and instruction.waits:
                step.cost += rules.pyramid.count
            step.acts = instruction.acts
            step.look, step.sure, step.again = instruction.look, instruction.sure, instruction.again
            if instruction.next < len(code):
                step.next = code[instruction.next]
        for step, instruction in zip(code, rules.code, strict=True):
            self.link(step, instruction, code)
        m.code = code
        m.setup = code[rules.setup] if rules.setup >= 0 else None
        m.ends = [self.end(rule) for rule in rules.ends]
        m.phases = [self.phase(phase, code) for phase in rules.phases]
        m.early = rules.early
        m.score = self.nodes.optional(rules.score)
        m.gain = self.nodes.node(rules.series.gain) if rules.series is not None else None
        m.solvable = self.nodes.optional(rules.solvable)
        m.starts = [self.start(start) for start in rules.starts]
        m.needs_began = rules.needs_began
        for board in m.boards:
            board.connected = m.full or bool(CONNECTIONS & rules.uses)
        m.score_cost = cost(rules.score)
        self.clear()
        # States and keys are exchanged between all machines of a game, so keys cover only what the rules can change or
        # read. Full machines also maintain marks that no rule reads.
        read = [i for i, word in enumerate(MARKS) if word in rules.uses]
        read += range(len(MARKS), len(m.boards[0].marks))
        marks = [board.marks[i] for board in m.boards for i in read]
        known = m.colours if all(sight == data.EVERYONE for sight in rules.stock_sight) else m.colours + 1
        stocks = [word for row in m.stocks for word in row[:known]]
        m.lying = [*marks, *stocks, *m.saved, *m.tallies]
        prints = [word for word in m.prints if word not in m.turn_began]
        m.under_way = [*m.loops, *prints, m.taken, m.removed, m.next_seat]
        if any(instruction.op == "Lift" for instruction in rules.code):
            m.under_way += [m.origin, m.held_colour, m.held_point, m.held_board, m.held_marks]
        for place, word in enumerate((*m.lying, *m.under_way, *m.turn_began)):
            # Salts are odd, so that different values of a word differ in the key, and use a board number that no board
            # has, so that they differ from the keys of marbles.
            word.salt = marble_key(len(m.boards), place, 0) | 1
        words = sum(len(row) for row in (*m.stocks, m.saved, m.tallies, m.loops, m.prints)) + len(
            m.saved_boxes
        )
        m.key_cost = 3 * (words + sum(1 + len(board.marks) for board in m.boards))
        m.tries = (
            any(step.look or step.op in TRYING for step in rules.code)
            or any(phase.prelude for phase in rules.phases)
            or "able" in rules.uses
            or rules.setup >= 0
        )

    def clear(self) -> None:
        """Determine what is cleared at the start of a turn, and which marks move along with marbles."""
        m, rules = self.m, self.rules
        lasting = rules.lasting_marks
        for i in range(rules.var_names, rules.saved_names):
            if i in rules.shapes:
                m.boxes_cleared.append(m.boxes[i])
            else:
                m.turn_cleared.append(m.names[i])
        used = [i for i, word in enumerate(MARKS) if self.marks(word)]
        m.falls = 2 in used
        m.marks_kept = [*used, *range(3, rules.marks)]
        for board in m.boards:
            m.turn_cleared += [board.marks[i] for i in m.marks_kept if i not in lasting]
        if any(instruction.op == "Remove" for instruction in rules.code):
            m.marks_kept.append(rules.marks)
        if m.full or any(i.clears or i.op in TOUCHING for i in rules.code):
            m.turn_cleared += [m.taken, m.removed, m.origin]

    def step(self, number: int, i: Instruction) -> Step:
        """Return the step for an instruction, not yet linked to other steps."""
        step = MAKERS[i.op](self, i, *i.terms)
        if isinstance(step, choices.ChoiceStep) and i.slot >= 0:
            step.named = True
            if i.by_seat:
                step.words = [self.nodes.word(i.slot + seat) for seat in range(self.rules.seats)]
            else:
                step.word = self.nodes.word(i.slot)
        return step

    def link(self, step: Step, i: Instruction, code: list[Step]) -> None:
        """Set the jump targets of a step."""
        if isinstance(step, branches.Choose):
            step.starts = [code[start] for start in i.starts]
            by_start = {start: kind for kind, start in i.by_kind.items()}
            step.kinds = [by_start[start] for start in i.starts] if by_start else []
        elif isinstance(step, branches.AskFirst):
            step.asked = code[i.jumps["asked"]]
        elif isinstance(step, branches.If):
            step.otherwise = code[i.jumps["otherwise"]]
        elif isinstance(step, branches.First):
            step.starts = [code[start] for start in i.starts]
            step.stops = [code[stop] for stop in i.stops]
        elif isinstance(step, branches.RepeatAll):
            test = self.rules.code[i.next]
            step.body, step.stop, step.leave = (
                code[test.next],
                code[test.stops[0]],
                code[test.jumps["leave"]],
            )
        elif isinstance(step, branches.RepeatTest):
            step.leave, step.stop = code[i.jumps["leave"]], code[i.stops[0]]
        elif isinstance(step, branches.RepeatEnd):
            step.leave = code[i.jumps["leave"]]
        elif isinstance(step, branches.TimesTest):
            step.ask, step.leave = code[i.jumps["ask"]], code[i.jumps["leave"]]
        elif isinstance(step, branches.BestBegin):
            step.stop = code[i.stops[0]]
        elif isinstance(step, blocks.ByBegin):
            step.leave = code[i.jumps["leave"]]
        elif isinstance(step, blocks.ByEnd):
            step.body = code[i.jumps["body"]]

    def phase(self, phase: data.Phase, code: list[Step]) -> BoundPhase:
        """Return the executable form of a phase."""
        made = BoundPhase(code[phase.start])
        made.turns = phase.turns
        made.until = self.nodes.optional(phase.until)
        made.passing = self.nodes.optional(phase.passing)
        made.pass_stuck = phase.pass_stuck
        made.ends = [self.end(rule) for rule in phase.ends]
        made.early = [self.end(rule) for rule in phase.early]
        made.prelude = phase.prelude
        made.cost = cost(phase.until) + cost(phase.passing)
        return made

    def end(self, rule: data.EndRule) -> BoundEnd:
        """Return the executable form of an end rule."""
        b = self.nodes
        made = BoundEnd(rule.number, b.node(rule.when), self.general.node(rule.when))
        made.when_stuck = rule.when_stuck
        made.by_seat = rule.by_seat
        made.win, made.lose, made.tie = b.optional(rule.win), b.optional(rule.lose), b.optional(rule.tie)
        made.most = [b.node(term) for term in rule.most or ()]
        made.listed = list(rule.most_lists)
        made.most_is_score = rule.most_is_score
        made.tie_listed = rule.tie_listed
        made.cost = cost(rule.when)
        return made

    def start(self, start: data.Start) -> Step:
        """Return the step that initializes a ``var`` or a mark."""
        node: Node = self.nodes.node(start.term)
        if start.mark:
            return verbs.BeginMark(verbs.SetMark(start.slot, node))
        seats = self.rules.seats if start.by_seat else 1
        slots = range(start.slot, start.slot + seats)
        inner: Step
        if start.shape == "scalar":
            inner = verbs.LetNumber([self.nodes.word(s) for s in slots], node)
        else:
            boxes = [self.nodes.box(s) for s in slots]
            inner = verbs.LetList("", boxes, node, start.shape == "lists")
        return verbs.BeginVar(inner, seats)
