"""Verbs for control flow.

They determine which program runs, how often, for which seat and on which board.
"""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.rules import Instruction
from shibumi3d.rules.marbles.language.expressions import ExpressionCompiler
from shibumi3d.rules.marbles.language.scope import ExpressionError, parse_expression
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.verbs.registry import SourceStep, StepContext, VerbRegistry
from shibumi3d.rules.source import Item

CONTROL_FLOW_VERBS = VerbRegistry("combinator")
RESERVED_LABELS = frozenset(("done", "pass", "claim-draw", "swap-seats", "time-up"))
"""Texts of moves that a label could be mistaken for, including the special moves of a match."""


@CONTROL_FLOW_VERBS.register_verb(
    "choose",
    (),
    "run one of several programs: the player picks its label or, if there are no labels, makes the first choice in it",
    "{choose: [{place: own}, {move: own}]}",
)
def _choose(context: StepContext, source_step: SourceStep) -> None:
    labels: list[int] = []
    if isinstance(source_step.verb_value.value, dict):
        branches = list(source_step.verb_value.value.values())
        for label in source_step.verb_value.value:
            if label in RESERVED_LABELS:
                context.reader.report_problem(
                    source_step.verb_value.key_locations.get(label, source_step.verb_value.location),
                    "'{label}' is reserved and can't be a label",
                    label=label,
                )
            if label not in context.labels:
                context.labels.append(label)
            labels.append(context.labels.index(label))
    elif isinstance(source_step.verb_value.value, list):
        branches = source_step.verb_value.value
    else:
        branches = []
    if not branches:
        context.reader.report_problem(
            source_step.verb_value.location, "'choose' takes a list of programs, or programs with labels"
        )
        return
    choice = Instruction("Choose", labels=tuple(labels))
    context.append(choice)
    choiceless = context.compile_branches(choice, branches, source_step.depth)
    if not labels and len(choiceless) > 1:
        context.reader.report_problem(
            choiceless[1].location,
            "two of the programs in 'choose' don't ask the player anything: label the programs so that the player "
            "can choose between them",
        )


@CONTROL_FLOW_VERBS.register_verb(
    "may", (), "offer a program that the player may decline", "{may: {take: own}}"
)
def _may(context: StepContext, source_step: SourceStep) -> None:
    choice = Instruction("Choose")
    ask = Instruction("Ask", jumps={"asked": len(context.instructions) + 1})
    context.append(ask)
    context.append(choice)
    if (
        len(
            context.compile_branches(
                choice, [source_step.verb_value, Item([], source_step.verb_value.location)], source_step.depth
            )
        )
        > 1
    ):
        context.reader.report_problem(
            source_step.verb_value.location,
            "'may' needs something to choose; to ask yes or no, use 'choose' with labels",
        )
    ask.next = choice.next


@CONTROL_FLOW_VERBS.register_verb(
    "first",
    (),
    "run the first of several programs that can be completed",
    "{first: [{place: own}, []]}",
)
def _first(context: StepContext, source_step: SourceStep) -> None:
    if not isinstance(source_step.verb_value.value, list) or not source_step.verb_value.value:
        context.reader.report_problem(source_step.verb_value.location, "'first' takes a list of programs")
        return
    first = Instruction("First")
    context.append(first)
    jumps = []
    for branch in source_step.verb_value.value:
        start = len(context.instructions)
        context.compile_steps(branch, source_step.depth + 1)
        jump = Instruction("Jump")
        first.branch_starts.append(start)
        first.branch_ends.append(context.append(jump))
        jumps.append(jump)
    for jump in jumps:
        jump.next = len(context.instructions)
    first.next = len(context.instructions)
    first.may_fail = first.branch_starts[-1] != first.branch_ends[-1]


@CONTROL_FLOW_VERBS.register_verb(
    "repeat",
    ("times",),
    "repeat a program until it can't be completed or changes nothing, or as many times as "
    "'times' says: n or [least, most]",
    "{repeat: {place: own}, times: [1, 3]}",
)
def _repeat(context: StepContext, source_step: SourceStep) -> None:
    times = source_step.keys.get("times")
    if times is None:
        key = context.append(Instruction("RepeatBegin", (len(context.instructions),)))
        test = Instruction("RepeatTest", (key,))
        index = context.append(test)
        context.compile_steps(source_step.verb_value, source_step.depth + 1)
        end = Instruction("RepeatEnd", (key,))
        test.branch_ends.append(context.append(end))
        end.next = index
        test.jumps["leave"] = end.jumps["leave"] = len(context.instructions)
        return
    bounds = times.value if isinstance(times.value, list) else [times, times]
    if len(bounds) != 2:
        context.reader.report_problem(times.location, "'times' must be a number or [least, most]")
        return
    minimum, maximum = (context.reader.compile_term(bound, Type.INT) for bound in bounds)
    key = context.append(Instruction("TimesBegin", (len(context.instructions), minimum, maximum)))
    test_times = Instruction("RepeatTimesHead", (key, minimum.op != "Const" or minimum.value > 0))
    index = context.append(test_times)
    body = len(context.instructions)
    context.compile_steps(source_step.verb_value, source_step.depth + 1)
    end_times = Instruction("TimesEnd", (key,))
    context.append(end_times)
    end_times.next = index
    if isinstance(times.value, list):
        choice = Instruction("Choose", branch_starts=[body])
        ask = Instruction("Ask", jumps={"asked": len(context.instructions) + 1})
        test_times.jumps["ask"] = context.append(ask)
        context.append(choice)
        leave = len(context.instructions)
        choice.branch_starts.append(leave)
        choice.may_fail = False
        ask.next = choice.next = leave
    test_times.jumps["leave"] = len(context.instructions)
    if not isinstance(times.value, list):
        test_times.jumps["ask"] = test_times.jumps["leave"]
    context.append(Instruction("TimesOver", (key,)))


@CONTROL_FLOW_VERBS.register_verb(
    "if",
    ("then", "else"),
    "run 'then' if a condition holds, otherwise 'else'",
    "{if: not hand, then: {next: me}}",
)
def _if(context: StepContext, source_step: SourceStep) -> None:
    if "then" not in source_step.keys:
        context.reader.report_problem(
            source_step.step_item.location, "'if' needs 'then': what to do if the condition holds"
        )
        return
    test = Instruction("If", (context.reader.compile_term(source_step.verb_value, Type.BOOL),))
    context.append(test)
    context.compile_steps(source_step.keys["then"], source_step.depth + 1)
    if "else" in source_step.keys:
        jump = Instruction("Jump")
        context.append(jump)
        test.jumps["otherwise"] = len(context.instructions)
        context.compile_steps(source_step.keys["else"], source_step.depth + 1)
        jump.next = len(context.instructions)
    else:
        test.jumps["otherwise"] = len(context.instructions)


@CONTROL_FLOW_VERBS.register_verb(
    "require",
    ("because",),
    "allow the choices made so far only if this holds; 'because' tells the player why not",
    "{require: not again}",
)
def _require(context: StepContext, source_step: SourceStep) -> None:
    step = Instruction("Require", (context.reader.compile_term(source_step.verb_value, Type.BOOL),))
    context.append(step)
    if "because" in source_step.keys:
        step.reasons = context.reader.read_reasons(source_step.keys["because"])


@CONTROL_FLOW_VERBS.register_verb(
    "best",
    ("do",),
    "run a program, but allow only the ways of completing it after which this value is greatest",
    "{best: -count(prey), do: {repeat: {take: prey}}}",
)
def _best(context: StepContext, source_step: SourceStep) -> None:
    value = context.reader.compile_term(source_step.verb_value, Type.INT)
    begin = Instruction("BestBegin", (len(context.instructions), value))
    key = context.append(begin)
    context.compile_body(source_step)
    begin.branch_ends.append(context.append(Instruction("BestEnd", (key, value))))


@CONTROL_FLOW_VERBS.register_verb(
    "by",
    ("do", "secret"),
    "let these players act one after the other; with 'secret', each sees only their own choices until all are done",
    "{by: everyone, secret: true, do: {give: colours(hand), from: hand, to: fist}}",
)
def _by(context: StepContext, source_step: SourceStep) -> None:
    expression = context.reader.compile_expression(source_step.verb_value, None)
    listed = expression.type is Type.SEAT_LIST
    seats = (
        expression.term if listed else context.reader.convert(source_step.verb_value, expression, Type.SEATS)
    )
    secret = False
    if "secret" in source_step.keys:
        secret = source_step.keys["secret"].value is True
        if not isinstance(source_step.keys["secret"].value, bool):
            context.reader.report_problem(
                source_step.keys["secret"].location, "'secret' must be true or false"
            )
    begin = Instruction("ByBegin", (len(context.instructions), seats, listed, secret))
    key = context.append(begin)
    body = len(context.instructions)
    context.compile_body(source_step)
    end = Instruction("ByEnd", (key, secret), jumps={"body": body})
    context.append(end)
    end.may_fail = any(step.removes_marbles for step in context.instructions[body:-1])
    begin.jumps["leave"] = len(context.instructions)


@CONTROL_FLOW_VERBS.register_verb(
    "board", ("do",), "run a program on another board", "{board: left, do: {place: own}}"
)
def _board(context: StepContext, source_step: SourceStep) -> None:
    try:
        board = ExpressionCompiler(context.reader.scope, ("score",)).compile_board(
            parse_expression(str(source_step.verb_value.value))
        )
    except ExpressionError as wrong:
        context.reader.report_error(source_step.verb_value.location, wrong)
        return
    key = context.append(Instruction("BoardBegin", (len(context.instructions), board)))
    context.compile_body(source_step)
    context.append(Instruction("BoardEnd", (key,)))
