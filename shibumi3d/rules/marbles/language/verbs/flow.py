"""Verbs for control flow.

They determine which program runs, how often, for which seat and on which board.
"""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.rules import (
    Instruction,
)
from shibumi3d.rules.marbles.language.expressions import ExpressionBuilder
from shibumi3d.rules.marbles.language.scope import (
    Wrong,
    parse,
)
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.verbs.registry import GivenStep, Verbs, Writing
from shibumi3d.rules.source import Item

FLOW = Verbs("combinator")


@FLOW.verb(
    "choose",
    (),
    "run one of several programs; the player's first choice decides which one, or the label "
    "chosen if they have labels",
    "{choose: [{place: own}, {move: own}]}",
)
def _choose(p: Writing, given: GivenStep) -> None:
    labels: list[int] = []
    if isinstance(given.item.value, dict):
        branches = list(given.item.value.values())
        for label in given.item.value:
            if label in ("done", "pass"):
                p.reader.problem(
                    given.item.keys.get(label, given.item.mark),
                    "'{label}' is reserved and can't be a label",
                    label=label,
                )
            if label not in p.labels:
                p.labels.append(label)
            labels.append(p.labels.index(label))
    elif isinstance(given.item.value, list):
        branches = given.item.value
    else:
        branches = []
    if not branches:
        p.reader.problem(given.item.mark, "'choose' takes a list of programs, or programs with labels")
        return
    choice = Instruction("Choose", labels=tuple(labels))
    p.add(choice)
    silent = p.branches(choice, branches, given.depth)
    if not labels and len(silent) > 1:
        p.reader.problem(
            silent[1].mark,
            "two programs of 'choose' don't ask the player anything: give them labels to choose from",
        )


@FLOW.verb("may", (), "offer a program that the player may decline", "{may: {take: own}}")
def _may(p: Writing, given: GivenStep) -> None:
    choice = Instruction("Choose")
    ask = Instruction("Ask", jumps={"asked": len(p.code) + 1})
    p.add(ask)
    p.add(choice)
    if len(p.branches(choice, [given.item, Item([], given.item.mark)], given.depth)) > 1:
        p.reader.problem(
            given.item.mark, "'may' needs something to choose; to ask yes or no, use 'choose' with labels"
        )
    ask.next = choice.next


@FLOW.verb(
    "first",
    (),
    "run the first of several programs that can be completed",
    "{first: [{place: own}, []]}",
)
def _first(p: Writing, given: GivenStep) -> None:
    if not isinstance(given.item.value, list) or not given.item.value:
        p.reader.problem(given.item.mark, "'first' takes a list of programs")
        return
    first = Instruction("First")
    p.add(first)
    jumps = []
    for branch in given.item.value:
        start = len(p.code)
        p.program(branch, given.depth + 1)
        jump = Instruction("Jump")
        first.starts.append(start)
        first.stops.append(p.add(jump))
        jumps.append(jump)
    for jump in jumps:
        jump.next = len(p.code)
    first.next = len(p.code)
    first.may_fail = first.starts[-1] != first.stops[-1]


@FLOW.verb(
    "repeat",
    ("times",),
    "repeat a program until it can't be completed or changes nothing, or as many times as "
    "'times' says: n or [least, most]",
    "{repeat: {place: own}, times: [1, 3]}",
)
def _repeat(p: Writing, given: GivenStep) -> None:
    times = given.table.get("times")
    if times is None:
        key = p.add(Instruction("RepeatBegin", (len(p.code),)))
        test = Instruction("RepeatTest", (key,))
        at = p.add(test)
        p.program(given.item, given.depth + 1)
        end = Instruction("RepeatEnd", (key,))
        test.stops.append(p.add(end))
        end.next = at
        test.jumps["leave"] = end.jumps["leave"] = len(p.code)
        return
    bounds = times.value if isinstance(times.value, list) else [times, times]
    if len(bounds) != 2:
        p.reader.problem(times.mark, "'times' must be a number or [least, most]")
        return
    least, most = (p.reader.node(bound, Type.INT) for bound in bounds)
    key = p.add(Instruction("TimesBegin", (len(p.code), least, most)))
    test_times = Instruction("TimesTest", (key, least.op != "Const" or least.value > 0))
    at = p.add(test_times)
    body = len(p.code)
    p.program(given.item, given.depth + 1)
    end_times = Instruction("TimesEnd", (key,))
    p.add(end_times)
    end_times.next = at
    if isinstance(times.value, list):
        choice = Instruction("Choose", starts=[body])
        ask = Instruction("Ask", jumps={"asked": len(p.code) + 1})
        test_times.jumps["ask"] = p.add(ask)
        p.add(choice)
        leave = len(p.code)
        choice.starts.append(leave)
        choice.may_fail = False
        ask.next = choice.next = leave
    test_times.jumps["leave"] = len(p.code)
    if not isinstance(times.value, list):
        test_times.jumps["ask"] = test_times.jumps["leave"]
    p.add(Instruction("TimesOver", (key,)))


@FLOW.verb(
    "if",
    ("then", "else"),
    "run 'then' if a condition holds, otherwise 'else'",
    "{if: not hand, then: {next: me}}",
)
def _if(p: Writing, given: GivenStep) -> None:
    if "then" not in given.table:
        p.reader.problem(given.whole.mark, "'if' needs 'then': what to do if the condition holds")
        return
    test = Instruction("If", (p.reader.node(given.item, Type.BOOL),))
    p.add(test)
    p.program(given.table["then"], given.depth + 1)
    if "else" in given.table:
        jump = Instruction("Jump")
        p.add(jump)
        test.jumps["otherwise"] = len(p.code)
        p.program(given.table["else"], given.depth + 1)
        jump.next = len(p.code)
    else:
        test.jumps["otherwise"] = len(p.code)


@FLOW.verb(
    "require",
    ("because",),
    "forbid what came before unless this holds; 'because' tells the player why",
    "{require: not again}",
)
def _require(p: Writing, given: GivenStep) -> None:
    step = Instruction("Require", (p.reader.node(given.item, Type.BOOL),))
    p.add(step)
    if "because" in given.table:
        step.because = p.reader.because(given.table["because"])


@FLOW.verb(
    "best",
    ("do",),
    "allow only the ways through a program that end with the greatest value",
    "{best: -count(prey), do: {repeat: {take: prey}}}",
)
def _best(p: Writing, given: GivenStep) -> None:
    value = p.reader.node(given.item, Type.INT)
    begin = Instruction("BestBegin", (len(p.code), value))
    key = p.add(begin)
    p.body(given)
    begin.stops.append(p.add(Instruction("BestEnd", (key, value))))


@FLOW.verb(
    "by",
    ("do", "secret"),
    "let these players act one after the other; with 'secret', each sees only their own choices until all are done",
    "{by: everyone, secret: true, do: {give: colours(hand), from: hand, to: fist}}",
)
def _by(p: Writing, given: GivenStep) -> None:
    found = p.reader.expression(given.item, None)
    listed = found.type is Type.SEAT_LIST
    seats = found.node if listed else p.reader.fitted(given.item, found, Type.SEATS)
    secret = False
    if "secret" in given.table:
        secret = given.table["secret"].value is True
        if not isinstance(given.table["secret"].value, bool):
            p.reader.problem(given.table["secret"].mark, "'secret' must be true or false")
    begin = Instruction("ByBegin", (len(p.code), seats, listed, secret))
    key = p.add(begin)
    body = len(p.code)
    p.body(given)
    end = Instruction("ByEnd", (key, secret), jumps={"body": body})
    p.add(end)
    end.may_fail = any(step.clears for step in p.code[body:-1])
    begin.jumps["leave"] = len(p.code)


@FLOW.verb("board", ("do",), "run a program on another board", "{board: left, do: {place: own}}")
def _board(p: Writing, given: GivenStep) -> None:
    try:
        board = ExpressionBuilder(p.reader.scope, ("score",)).board(parse(str(given.item.value)))
    except Wrong as wrong:
        p.reader.wrong(given.item.mark, wrong)
        return
    key = p.add(Instruction("BoardBegin", (len(p.code), board)))
    p.body(given)
    p.add(Instruction("BoardEnd", (key,)))
