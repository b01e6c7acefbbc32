"""Harmful or invalid game files are refused quickly, with a message and without damage."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import pytest

from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.engine import interface
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from tests.marble_games import thinned
from tests.rules.inline import inline, problems_of
from tests.yardstick import in_time

PATIENCE = 20.0
"""Maximum CPU seconds of a test: far more than any test needs, and far less than it would take without limits."""


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    started_at = process_time()
    yield
    assert in_time(process_time() - started_at, PATIENCE)


def first_error(text: str) -> str:
    problems = problems_of(text)
    assert problems
    return problems[0].partition(": ")[2]


def test_python_code_is_not_a_valid_expression() -> None:
    for text in (
        "__import__('os')",
        "own.__class__",
        "().__class__.__bases__[0]",
        "(lambda: own)()",
        "'own'",
        "2 ** 2 ** 2 ** 2 ** 2 ** 2",
        "[own for own in iter(int, 1)]",
        "open(own)",
        "eval(own)",
        "print",
        "{own: red}",
        "{**own}",
        "own if (yield) else red",
        "await own",
        "1 << 10 << 10 << 10",
    ):
        assert len(problems_of(f'turn: {{place: own, at: "{text}"}}')) == 1, text


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("(" * 300 + "own" + ")" * 300, "is not an expression: too many nested parentheses"),
        ("-" * 1500 + "1 > 0 and own", "nested"),
        ("not " * 400 + "own", "the expression is nested more than 40 levels deep"),
        ("[" * 60 + "own" + "]" * 60, "the expression is nested more than 40 levels deep"),
        ("own | " * 400 + "own", "an expression can have at most 2000 characters"),
        ("own|" * 400 + "own", "the expression is nested more than 40 levels deep"),
        (
            "any(1 for a in range(1000) for b in range(1000) for c in range(1000))",
            "the loops of this expression would run more than 10,000,000 times",
        ),
        (
            "any(1 for a in points for b in points for c in points for d in points for e in points for f in points"
            " for g in points)",
            "the loops of this expression would run more than 10,000,000 times",
        ),
        (
            "own if [x * y for x in range(1000) for y in range(1000) for z in Aa1 | Ab1] else red",
            "the constant parts of the file take too long to compute",
        ),
    ],
)
def test_hostile_expressions_are_refused(expression: str, message: str) -> None:
    assert message in first_error(f'turn: {{place: own, at: "{expression}"}}')


def test_huge_constant_sum_is_refused() -> None:
    rows = "\n".join(
        '  - require: "sum(x * y for x in range(1000) for y in range(900) if x) > 0"' for _ in range(200)
    )
    problems = problems_of(f"turn:\n  - place: own\n{rows}")
    assert [p.partition(": ")[2] for p in problems] == [
        "the constant parts of the file take too long to compute"
    ]


def test_huge_numbers_are_accepted_quickly() -> None:
    nines = "9" * 1900
    assert problems_of(f'turn: {{pick: "[{nines}]"}}') == []
    powers = " * ".join(["99999999999999999999"] * 30)
    assert problems_of(f'turn: {{pick: "[{powers}]"}}') == []


def test_huge_ranges_are_truncated() -> None:
    game = inline('turn: {pick: "range(-1, 99999999999999)"}')
    assert len(game.moves(game.start())) == 1000
    game = inline("vars: {n: 9223372036854775807}\nturn: {pick: range(n)}")
    assert len(game.moves(game.start())) == 1000


def test_define_expansion_is_limited() -> None:
    lines = "\n".join(f'  d{i}: "(d{i + 1} | d{i + 1})"' for i in range(35))
    problems = problems_of(f"define:\n{lines}\n  d35: own\nturn: {{place: own, at: d0}}")
    assert [p.partition(": ")[2] for p in problems] == [
        "the file's expressions have more than 100,000 parts once all definitions are expanded"
    ]


def test_loops_in_defines_are_limited() -> None:
    lines = "\n".join(f'  d{i}: "(d{i + 1} + d{i + 1})"' for i in range(13))
    loop = 'd13: "count({p for p in own})"'
    problems = problems_of(f"define:\n{lines}\n  {loop}\nturn: {{place: own, at: own if d0 else none}}")
    assert [p.partition(": ")[2] for p in problems] == [
        "the file has too many loops and names, counting each use of a definition"
    ]


def test_define_nesting_is_limited() -> None:
    lines = "\n".join(f'  d{i}(x): "d{i + 1}(touching(x))"' for i in range(60))
    text = f"define:\n{lines}\n  d60(x): x\nturn: {{place: own, at: d0(own)}}"
    assert "uses definitions nested more than 40 levels deep" in first_error(text)


def test_long_turn_program_compiles() -> None:
    steps = "\n".join("  - {score: 1}" for _ in range(5000))
    assert problems_of(f"turn:\n  - place: own\n{steps}") == []


def test_turn_program_nesting_is_limited() -> None:
    assert "nested" in first_error("turn: " + "{may: " * 70 + "{place: own}" + "}" * 70)


@pytest.mark.parametrize(
    ("turn", "message"),
    thinned(
        [
            ("[{repeat: {let: {n: n + 1}}}, {pick: Aa1}]", "a 'repeat' never ends"),
            (
                "[{repeat: {let: {n: n + 1}}, times: 99999999}, {pick: Aa1}]",
                "a 'repeat' would run more than 10,000 times",
            ),
            (
                "[{repeat: {let: {n: n + 1}}, times: [99999999, 2]}, {pick: Aa1}]",
                "a 'repeat' would run more than 10,000 times",
            ),
            (
                "[{repeat: {repeat: {let: {n: n + 1}}, times: 9999}, times: 9999}, {pick: Aa1}]",
                "the rules need too much computation",
            ),
            (
                '[{let: {x: "[y for y in x for z in range(1000)]"}}, {pick: x}]',
                "a set or list contains more than 1,000,000 values",
            ),
            (
                '[{let: {x: "[1000 * y + z for y in range(1000) for z in range(101)]"}}, {pick: x}]',
                "'x' would hold more than 100,000 values",
            ),
            (
                '[{let: {n: "sum(a * b + n for a in range(1000) for b in range(1000))"}}] ',
                "the rules need too much computation",
            ),
            ('[{let: {n: "sum(a * b + n for a in range(100) for b in range(100))"}}] ', ""),
            (
                "{repeat: [{let: {n: n + 1}}, {pick: range(1000)}], times: [0, 9999]}",
                "the rules need too much computation",
            ),
            (
                "{repeat: [{let: {n: n + 1}}, {pick: range(1000)}], times: [1, 9999]}",
                "the rules need too much computation",
            ),
            (
                "{repeat: [{pick: range(1000)}, {require: n < 1}], times: [3, 9999]}",
                "the rules need too much computation",
            ),
            ("{let: {n: n + 1}}", ""),
            ("[{draw: 1, from: box, to: box}, {let: {n: n + 1}}]", ""),
            ("[{by: everyone, do: {let: {n: n + 1}}}]", ""),
        ],
        3,
    ),
)
def test_turn_programs_terminate(turn: str, message: str) -> None:
    def some_turns() -> None:
        game = inline(f"vars: {{n: 0, x: range(3)}}\nturn: {turn}")
        state = game.start()
        for _ in range(5):
            moves = game.moves(state)
            if moves:
                state, _ = game.apply(state, moves[0])

    if not message:
        some_turns()
        return
    with pytest.raises(RuleFailure, match=f"Inline: .*{message}"):
        some_turns()


def test_hopeless_lookahead_is_stopped() -> None:
    # all orders of nine choices out of a thousand numbers, none of which is legal
    game = inline("""
        vars: {n: 0}
        turn: [{repeat: [{pick: range(1000), as: x}, {let: {n: 2 * n + x}}], times: 9}, {require: n < 0}]
        """)
    with pytest.raises(RuleFailure, match="Inline: the rules need too much computation for a single choice"):
        game.start()


def test_rule_failure_leaves_match_unchanged() -> None:
    game = inline("""
        vars: {n: 0}
        stocks: {bag: {holds: {red: 1}}, hand: {each: {}}}
        turn:
          choose:
            endless: [{pick: Aa1}, {draw: 1, from: bag, to: hand}, {repeat: {let: {n: n + 1}}}]
            plain: [{draw: 1, from: bag, to: hand}, {pick: Ab1}]
        """)
    state = game.start()
    stuck, _ = game.apply(state, "endless")
    with pytest.raises(RuleFailure):
        game.apply(stuck, "Aa1")
    # the state is unchanged, so the match can continue
    after, _ = game.apply(state, "plain")
    assert after.reserves["hand"][0]["red"] == 1
    assert [str(move) for move in game.moves(after)] == ["Ab1"]
    fresh = inline("turn: {pick: Aa1}")
    assert fresh.moves(fresh.start())


def test_board_sized_shapes_are_accepted() -> None:
    text = "turn: {place: own}\nend:\n" + "\n".join(
        f"  - {{when: any(l <= own for l in copies(points - Aa{i})), win: me}}" for i in range(1, 11)
    )
    assert problems_of(text, size=10) == []


def heap(size: int, levels: int) -> str:
    """Return a board text in which the lowest ``levels`` levels are full of white marbles."""
    rows = [
        ",".join(["W" * side if size - side < levels else "." * side] * side) for side in range(size, 0, -1)
    ]
    return "/".join(rows)


QUADS = "for a in points for b in points for c in points for d in points"
PLENTY = "stocks: {box: {holds: {all_colours: 1000}}}"


@pytest.mark.parametrize(
    ("size", "text"),
    thinned(
        [
            # sets of four points, with and without constants
            (4, f"turn: {{pick: '{{a | b | c | d {QUADS}}}'}}"),
            (4, f"turn: {{pick: '{{a | b | c | d | filled {QUADS}}}'}}"),
            (4, f"turn: {{pick: '[count(a | b | c | d | filled) {QUADS}]'}}"),
            # six choices of three kinds, with 300 options each, none of which is legal
            (
                10,
                "turn: [{repeat: {choose: [{place: own}, {place: red}, {place: enemy}]}, times: 6}, "
                "{require: not own}]",
            ),
            (10, "turn: [{repeat: {place: all_colours}, times: 6}, {require: not own}]"),
            (
                10,
                f"start: '{heap(10, 2)}'\nturn: [{{repeat: {{enter: all_colours}}, times: 6}}, {{require: not own}}]",
            ),
            (
                10,
                f"start: '{heap(10, 4)}'\n"
                "turn: [{repeat: {choose: [{move: filled}, {take: filled}, {place: own}]}, times: 6}, {require: red}]",
            ),
            (
                10,
                f"start: '{heap(10, 4)}'\nturn: {{best: count(filled), do: {{repeat: {{take: filled}}, times: 4}}}}",
            ),
            # words that scan a large board, thousands of times
            (
                10,
                f"start: '{heap(10, 6)}'\nturn: {{pick: '[count(groups(filled)) for a in points for b in filled]'}}",
            ),
            (
                10,
                f"start: '{heap(10, 6)}'\n"
                "turn: {pick: '[count(free | touching(filled)) for a in points for b in filled]'}",
            ),
            (
                10,
                f"start: '{heap(10, 6)}'\n"
                "turn: {pick: '[1 for a in points for b in filled if seen(filled & visible)]'}",
            ),
            (
                10,
                f"start: '{heap(10, 5)}'\nturn: [{{place: own}}, {{require: longest_path(own) > 90}}]",
            ),
            # thousands of options
            (6, "turn: {pick: '{a | b | c for a in empty for b in empty for c in empty if level(a) > 0}'}"),
            # a deal without a solution
            (
                10,
                "turn: {place: own}\nsetup: [{draw: 1000, from: box, at: points}, {require: count(white) < 3}]",
            ),
            # names with large values, stored and looked up in every attempt
            (
                3,
                "vars: {n: 'range(1000)'}\n"
                "turn: [{let: {n: '[y for y in n for z in range(90)]'}}, {repeat: {pick: range(30), as: k}, times: 6},"
                " {require: k > 50}]",
            ),
        ],
        3,
    ),
)
def test_expensive_choice_is_stopped_quickly(size: int, text: str) -> None:
    """Without limits, each of these choices took one to twenty seconds.

    The test measures CPU time, so other processes don't affect it.
    """

    def ask() -> None:
        game = inline(f"{text}\n{PLENTY}", size=size)
        game.moves(game.start())

    before = process_time()
    with pytest.raises((RuleFailure, GameFileError), match=r"too much computation|takes? too long|no deal"):
        ask()
    assert in_time(process_time() - before, 4)


def test_choice_cost_is_deterministic() -> None:
    """The cost of finding the choices is the same each time, since it is counted in units of work.

    A match in which it exceeds ``WORK_BUDGET`` is therefore stopped on all machines or on none, however fast they are.
    """
    spent = []
    for _ in range(2):
        game = inline("turn: [{repeat: {place: all_colours}, times: 3}, {require: count(own) > 1}]")
        machine = interface.build_machine(game._rules_for())
        interface.load_snapshot(machine, game.start()._snapshot)
        interface.legal_choices(machine)
        spent.append(WORK_BUDGET - machine.work_left)
    assert spent[0] == spent[1] > 0


TOO_MUCH = "sum(x * y for x in range(4000 * (count(filled) - 1)) for y in range(4000))"
"""An expression that sums nothing with one marble on the board, but sixteen million numbers with two."""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"end:\n  - {{when: none_stands, win: me}}\n  - {{when: {TOO_MUCH} > 9, win: me}}\n", 6),
        (f"score: {TOO_MUCH}\nend: [{{when: count(filled) == 2, most: score}}]\n", 4),
        (f"end:\n  - {{when: count(filled) == 2,\n     most: {TOO_MUCH}}}\n", 5),
        (f"end: [{{when: count(filled) == 2, win: me}}]\nseries: {{games: 2,\n  gain: {TOO_MUCH}}}\n", 6),
    ],
)
def test_failing_end_rule_names_its_line(text: str, line: int) -> None:
    """``text`` begins on line 4 of the game file, after the title and two more lines.

    ``inline`` adds the title as line 1. ``TOO_MUCH`` takes too much computation once there are two marbles on the
    board. An error in ``most`` is reported on the line where the end rule begins.
    """
    game = inline("turn: {place: own}\ndefine: {none_stands: count(filled) < 1}\n" + text, size=4)
    state, _ = game.apply(game.start(2), "W@Aa1")
    with pytest.raises(RuleFailure, match=rf"line {line}\b"):
        game.apply(state, "B@Ab1")


def test_failing_phase_end_names_its_line() -> None:
    game = inline(
        f"phases:\n  - {{turn: {{place: own}}, until: {TOO_MUCH} > 9}}\n  - {{turn: {{place: own}}}}\n"
        "end: [{when: count(filled) == 9, win: me}]\n",
        size=4,
    )
    state, _ = game.apply(game.start(2), "W@Aa1")
    with pytest.raises(RuleFailure, match=r"line 3\b"):
        game.apply(state, "B@Ab1")
