"""Instructions made into steps, and a machine made from rules."""

from __future__ import annotations

from typing import Any

from shibumi3d.rules.marbles.engine import rules as data
from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.costs import cost
from shibumi3d.rules.marbles.engine.build.expressions import Builder
from shibumi3d.rules.marbles.engine.rules import COLOUR, POINTS, SEAT, Instruction, Rules
from shibumi3d.rules.marbles.engine.steps import blocks, branches, choices, verbs
from shibumi3d.rules.marbles.engine.workspace import EndRule, Machine, Node, Phase, Step


def machine(rules: Rules, full: bool = True) -> Machine:
    """A machine for a game. ``full``: it keeps all that people see; else only what the rules read."""
    m = Machine(rules, full)
    ProgramBuilder(m).build()
    return m


STEP_COST = 3
"""What an instruction costs besides its expressions."""
CONNECTIONS = frozenset({"linked", "seen", "groups", "longest_path"})
"""Words that ask for visible connections."""
TOUCHING = frozenset({"Take", "Lift", "SetDown", "Remove", "Recolour", "ByBegin"})
"""Instructions that move marbles which stand on a board, or let others act."""
SILENT = frozenset(
    {"Jump", "Put", "Remove", "Recolour", "Deal", "AddScore", "Let", "SetMark", "SetNext", "Require", "If"}
)
"""Instructions that ask nobody, leave nothing to chance and are done one after the other."""
TRYING = frozenset({"Choose", "Ask", "First", "RepeatTest", "BestBegin"})
"""Instructions that try something out."""


class ProgramBuilder:
    """Builds the steps of one machine."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.rules = m.rules
        self.builder = Builder(m)
        self.general = Builder(m, general=True)
        self.loops: dict[int, tuple[Word, Word, Word]] = {}
        self.bests: dict[int, Word] = {}
        self.bys: dict[int, blocks.By] = {}

    def marks(self, word: str) -> bool:
        """Whether placed, moved or fallen marbles must be kept in mind."""
        return self.m.full or word in self.rules.uses

    def new_word(self) -> Word:
        """A box of a loop, saved with the match."""
        word = Word(0)
        self.m.loops.append(word)
        return word

    def build(self) -> None:
        """Make all steps, phases and rules."""
        m, rules = self.m, self.rules
        code = [self.step(i, instruction) for i, instruction in enumerate(rules.code)]
        for i, (step, instruction) in enumerate(zip(code, rules.code, strict=True)):
            step.number = i
            step.cost = STEP_COST + sum(cost(term) for term in instruction.terms)
            if instruction.op in ("Take", "Lift"):
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
        m.score = self.builder.optional(rules.score)
        m.gain = self.builder.node(rules.series.gain) if rules.series is not None else None
        m.solvable = self.builder.optional(rules.solvable)
        m.starts = [self.start(start) for start in rules.starts]
        m.needs_began = rules.needs_began
        for board in m.boards:
            board.connected = m.full or bool(CONNECTIONS & rules.uses)
        m.score_cost = cost(rules.score)
        self.clear()
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
        """Say what lasts one turn, and which marks follow marbles."""
        m, rules = self.m, self.rules
        lasting = rules.lasting_marks
        for i in range(rules.var_names, rules.saved_names):
            if i in rules.shapes:
                m.boxes_cleared.append(m.boxes[i])
            else:
                m.turn_cleared.append(m.names[i])
        used = [i for i, word in enumerate(("placed", "moved", "fallen")) if self.marks(word)]
        m.falls = 2 in used
        m.marks_kept = [*used, *range(3, rules.marks)]
        for board in m.boards:
            m.turn_cleared += [board.marks[i] for i in m.marks_kept if i not in lasting]
        if any(instruction.op == "Remove" for instruction in rules.code):
            m.marks_kept.append(rules.marks)
        if m.full or any(instruction.op in TOUCHING for instruction in rules.code):
            m.turn_cleared += [m.taken, m.removed, m.origin]

    # ------------------------------------------------------------ steps

    def step(self, number: int, i: Instruction) -> Step:
        """The step of an instruction, not yet told where to go on."""
        maker = getattr(self, "on_" + i.op.lower())
        step: Step = maker(i, *i.terms)
        if isinstance(step, choices.ChoiceStep) and i.slot >= 0:
            if i.by_seat:
                step.words = [self.builder.word(i.slot + seat) for seat in range(self.rules.seats)]
            else:
                step.word = self.builder.word(i.slot)
        return step

    def link(self, step: Step, i: Instruction, code: list[Step]) -> None:
        """Tell a step where else the program goes on."""
        if isinstance(step, branches.Choose):
            step.starts = [code[start] for start in i.starts]
            by_start = {start: kind for kind, start in i.by_kind.items()}
            step.kinds = [by_start[start] for start in i.starts] if by_start else []
        elif isinstance(step, branches.Ask):
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

    def on_endturn(self, i: Instruction) -> Step:
        return branches.EndTurn()

    def on_jump(self, i: Instruction) -> Step:
        return branches.Jump()

    def on_place(self, i: Instruction, colours: data.Term, at: Any, stock: data.Term) -> Step:
        b = self.builder
        step = choices.Place(b.node(colours), b.optional(at), b.node(stock), self.marks("placed"))
        owned = [colours.value] * self.rules.seats if colours.op == "Const" else []
        if colours.op == "BySeat":
            owned = list(colours.value)
        if owned and all(value.bit_count() == 1 for value in owned):
            step.simple = True
            seat = stock.args[1] if stock.op == "StockValue" else stock
            if stock.op == "StockValue" and (seat is None or seat.op == "Me"):
                for number, value in enumerate(owned):
                    colour = value.bit_length() - 1
                    step.own_colours.append(Word(colour))
                    row = self.m.stocks[stock.args[0] + (number if seat is not None else 0)]
                    step.own_words.append(row[colour])
        return step

    def on_take(self, i: Instruction, points: data.Term, stock: data.Term) -> Step:
        return choices.Take(self.builder.node(points), self.builder.node(stock))

    def on_lift(self, i: Instruction, points: data.Term) -> Step:
        return choices.Lift(self.builder.node(points))

    def on_setdown(self, i: Instruction, points: Any, onto: bool, stock: data.Term) -> Step:
        b = self.builder
        return choices.SetDown(b.optional(points), onto, b.node(stock), self.marks("moved"))

    def on_enter(self, i: Instruction, colours: data.Term, at: Any, stock: data.Term) -> Step:
        b = self.builder
        return choices.Enter(b.node(colours), b.optional(at), b.node(stock), self.marks("placed"))

    def on_pick(self, i: Instruction, source: data.Term, family: bool) -> Step:
        node = self.builder.node(source)
        if i.kind in (COLOUR, SEAT):
            return choices.PickBit(node, i.kind)
        if i.kind == POINTS and not family:
            return choices.PickPoint(node)
        return choices.PickSet(node, i.kind)

    def on_give(self, i: Instruction, colours: data.Term, source: data.Term, stock: data.Term) -> Step:
        b = self.builder
        return choices.Give(b.node(colours), b.node(source), b.node(stock))

    def on_choose(self, i: Instruction) -> Step:
        return branches.Choose(list(i.labels))

    def on_ask(self, i: Instruction) -> Step:
        return branches.Ask()

    def on_put(self, i: Instruction, colours: data.Term, at: data.Term, stock: data.Term) -> Step:
        b = self.builder
        return verbs.Put(b.node(colours), b.node(at), b.node(stock))

    def on_remove(self, i: Instruction, points: data.Term, stock: data.Term) -> Step:
        return verbs.Remove(self.builder.node(points), self.builder.node(stock), self.rules.marks)

    def on_recolour(self, i: Instruction, points: data.Term, into: data.Term, stock: data.Term) -> Step:
        b = self.builder
        return verbs.Recolour(b.node(points), b.node(into), b.node(stock))

    def on_deal(
        self, i: Instruction, colours: data.Term, source: data.Term, stock: data.Term, number: data.Term
    ) -> Step:
        b = self.builder
        return verbs.Deal(b.node(colours), b.node(source), b.node(stock), b.node(number))

    def on_draw(self, i: Instruction, number: data.Term, source: data.Term, stock: Any, at: Any) -> Step:
        b = self.builder
        return verbs.Draw(b.node(number), b.node(source), b.optional(stock), b.optional(at))

    def on_addscore(self, i: Instruction, points: data.Term, seats: data.Term) -> Step:
        return verbs.AddScore(self.builder.node(points), self.builder.node(seats))

    def on_let(
        self, i: Instruction, name: str, slot: int, by_seat: bool, value: data.Term, shape: str
    ) -> Step:
        slots = range(slot, slot + self.rules.seats) if by_seat else [slot]
        node = self.builder.node(value)
        if shape == "scalar":
            return verbs.LetNumber([self.builder.word(s) for s in slots], node)
        return verbs.LetList(name, [self.builder.box(s) for s in slots], node, shape == "lists")

    def on_setmark(self, i: Instruction, mark: int, points: data.Term) -> Step:
        return verbs.SetMark(mark, self.builder.node(points))

    def on_setnext(self, i: Instruction, seat: data.Term) -> Step:
        return verbs.SetNext(self.builder.node(seat))

    def on_require(self, i: Instruction, test: data.Term) -> Step:
        return branches.Require(self.builder.node(test))

    def on_if(self, i: Instruction, test: data.Term) -> Step:
        return branches.If(self.builder.node(test))

    def on_first(self, i: Instruction) -> Step:
        return branches.First()

    # ------------------------------------------------------------ loops and blocks

    def of_loop(self, key: int) -> tuple[Word, Word, Word]:
        """The boxes of the loop numbered ``key``."""
        if key not in self.loops:
            self.loops[key] = (self.new_word(), self.new_word(), self.new_word())
        return self.loops[key]

    def of_repeat(self, key: int) -> tuple[Word, Word, Word]:
        """The boxes of a ``repeat`` without ``times``: its rounds, what lay everywhere, and one that stays 0."""
        if key not in self.loops:
            before = Word(0)
            self.m.prints.append(before)
            self.loops[key] = (self.new_word(), before, Word(0))
        return self.loops[key]

    def on_repeatbegin(self, i: Instruction, key: int) -> Step:
        code = self.rules.code
        test = code[key + 1]
        if not self.rules.early and all(step.op in SILENT for step in code[key + 2 : test.stops[0]]):
            return branches.RepeatAll()
        return branches.RepeatBegin(*self.of_repeat(key))

    def on_repeattest(self, i: Instruction, key: int) -> Step:
        return branches.RepeatTest(*self.of_repeat(key))

    def on_repeatend(self, i: Instruction, key: int) -> Step:
        return branches.RepeatEnd(*self.of_repeat(key))

    def on_timesbegin(self, i: Instruction, key: int, least: data.Term, most: data.Term) -> Step:
        return branches.TimesBegin(*self.of_loop(key), self.builder.node(least), self.builder.node(most))

    def on_timestest(self, i: Instruction, key: int, forced: bool) -> Step:
        return branches.TimesTest(*self.of_loop(key))

    def on_timesend(self, i: Instruction, key: int) -> Step:
        return branches.TimesEnd(*self.of_loop(key))

    def on_timesover(self, i: Instruction, key: int) -> Step:
        return branches.TimesOver(*self.of_loop(key))

    def on_bestbegin(self, i: Instruction, key: int, value: data.Term) -> Step:
        return branches.BestBegin(self.builder.node(value), self.of_loop(key)[0])

    def on_bestend(self, i: Instruction, key: int, value: data.Term) -> Step:
        return branches.BestEnd(self.builder.node(value), self.of_loop(key)[0])

    def by(self, key: int, secret: bool) -> blocks.By:
        """What the two ends of a block share."""
        if key not in self.bys:
            m, rules = self.m, self.rules
            locals_ = [m.names[s] for s in range(rules.var_names, rules.saved_names) if s not in rules.shapes]
            left, me = self.new_word(), self.new_word()
            kept = [self.new_word() for _ in locals_] if secret else []
            began = [Word(0) for _ in range(1 + 2 * len(m.boards))]
            m.prints += began
            self.bys[key] = blocks.By(left, me, locals_ if secret else [], kept, began, secret)
        return self.bys[key]

    def on_bybegin(self, i: Instruction, key: int, seats: data.Term, listed: bool, secret: bool) -> Step:
        step = blocks.ByBegin(self.by(key, secret), self.builder.node(seats), listed)
        if secret:
            self.m.secret_blocks.append(step)
            self.m.secret_me.append(step.by.me)
            self.m.secret_left.append(step.by.left)
        return step

    def on_byend(self, i: Instruction, key: int, secret: bool) -> Step:
        step = blocks.ByEnd(self.by(key, secret))
        step.may_fail = i.may_fail
        return step

    def on_boardbegin(self, i: Instruction, key: int, board: data.Term) -> Step:
        return blocks.BoardBegin(self.builder.node(board), self.of_loop(key)[0])

    def on_boardend(self, i: Instruction, key: int) -> Step:
        return blocks.BoardEnd(self.of_loop(key)[0])

    # ------------------------------------------------------------ phases, ends, vars

    def phase(self, phase: data.Phase, code: list[Step]) -> Phase:
        """A phase ready to run."""
        made = Phase(code[phase.start])
        made.turns = phase.turns
        made.until = self.builder.optional(phase.until)
        made.passing = self.builder.optional(phase.passing)
        made.pass_stuck = phase.pass_stuck
        made.ends = [self.end(rule) for rule in phase.ends]
        made.early = [self.end(rule) for rule in phase.early]
        made.prelude = phase.prelude
        made.cost = cost(phase.until) + cost(phase.passing)
        return made

    def end(self, rule: data.EndRule) -> EndRule:
        """A rule of ``end`` ready to run."""
        b = self.builder
        made = EndRule(rule.number, b.node(rule.when), self.general.node(rule.when))
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
        """What gives a var its first value."""
        node: Node = self.builder.node(start.term)
        if start.mark:
            return verbs.BeginMark(verbs.SetMark(start.slot, node))
        seats = self.rules.seats if start.by_seat else 1
        slots = range(start.slot, start.slot + seats)
        inner: Step
        if start.shape == "scalar":
            inner = verbs.LetNumber([self.builder.word(s) for s in slots], node)
        else:
            boxes = [self.builder.box(s) for s in slots]
            inner = verbs.LetList("", boxes, node, start.shape == "lists")
        return verbs.BeginVar(inner, seats)
