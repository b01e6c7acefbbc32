"""Optimized expressions have the same values as general ones, which take no shortcuts.

The general form computes everything member by member; it is also used to fold constants when a file is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET, Rules, Term
from shibumi3d.rules.marbles.game import MarbleGame
from tests.marble_games import marble_games
from tests.rules.test_rule_words import PLAIN, Case, offered
from tests.share import some

FORMS = [(entry.id, variant) for entry in marble_games() for variant in ("", *entry.variants)]


def outermost_terms(rules: Rules) -> Iterator[Term]:
    """Yield outermost expressions from a game's program, end rules and score.

    From an end rule, only the condition and the compared values are yielded, not the terms for winners, losers and
    ties. The end rules of single phases are left out.
    """
    for instruction in rules.program:
        yield from (term for term in instruction.terms if isinstance(term, Term))
    for rule in rules.end_rules:
        yield from (rule.when, *(rule.compared_values or ()))
    if rules.score is not None:
        yield rules.score


def evaluate(machine: Any, node: Any) -> object:
    """Return the value of a node of any type, or the type of the error if its evaluation fails.

    Return None for a stock, which has no value.
    """
    for read in (node.eval, node.items, node.lists):
        machine.work_left = WORK_BUDGET
        try:
            return read(machine)
        except NotImplementedError:
            continue
        except (RuleFailure, UnknownOutcomeError) as failure:
            return type(failure)
    return None  # a stock, which has no value


def assert_forms_agree(game: MarbleGame, state: Any) -> int:
    """Assert that the terms of a game have the same values in optimized and in general form.

    The terms are those of :func:`outermost_terms`, evaluated in ``state``. Return the number of terms.
    """
    fast: Any = game.make_fast_game(state.seats)
    fast.load(state)
    machine = fast.machine
    # The compiled engine has a copy for large boards, with its own classes.
    twin = import_module(type(machine).__module__.replace(".machine", ".build.expressions"))
    short, plain = twin.NodeBuilder(machine), twin.NodeBuilder(machine, general=True)
    terms = list(outermost_terms(machine.rules))
    for term in terms:
        assert evaluate(machine, short.build(term)) == evaluate(machine, plain.build(term)), term
    return len(terms)


@pytest.mark.parametrize(("name", "variant"), some(FORMS, 40))
def test_shortcuts_do_not_change_values(name: str, variant: str) -> None:
    game = shibumi3d.game(name, variant=variant)
    rng = Random(f"{name} {variant}")
    state = game.start(seed=1)
    made = compared = 0
    while (moves := game.moves(state)) and made < 60:
        if made % 12 == 11 or made in (0, 3):
            compared += assert_forms_agree(game, state)
        state, _ = game.apply(state, rng.choice(moves))
        made += 1
    assert compared


# The drawing: on level A white Aa1 Aa2 Aa3, black Ab1 Ab2 Ac1, red Ac3; red Ba1 on the four corner marbles. The full
# rows are file a and rank 1. Numbers of neighbours: Aa1 3, Aa2 4, Aa3 1, Ab1 4, Ab2 3, Ac1 1, Ac3 0, Ba1 4.
WORTH = (
    # points filtered by their location
    ("{p for p in playable if level(p) == 0}", "Ab3 Ac2"),
    ("{p for p in playable if level(p) > 0 or level(origin) < 0}", "Ab3 Ac2"),
    ("{p for p in playable if level(p) == 0 and count(touching(p) & white) == 1}", "Ab3"),
    ("count({s for s in everyone if s == seat(2)})", 1),
    ("count({c for c in colours(filled) if not c <= red})", 2),
    # members of a fixed family that contain a point, and a union of several
    (
        "{p for p in filled if any(p <= l and count(l & filled) == 3 for l in rows if count(l) == 3)}",
        "Aa1 Aa2 Aa3 Ab1 Ac1",
    ),
    ("{p for p in filled if not any(p <= l and l & red for l in rows)}", "Aa1 Aa2 Ab1 Ab2"),
    # the points of the members of a family, also if that loop is itself in a loop: red has two groups, Ac3 and Ba1
    ("{p for g in groups(red) for p in g}", "Ac3 Ba1"),
    ("{p for c in white | red for g in groups(white) if touching(g) & red for p in g}", "Aa1 Aa2 Aa3"),
    ("{p for q in Ac2 | Ab3 for g in groups(red) for p in g}", "Ac3 Ba1"),
    ("count({g for g in groups(white) if any(g <= l for l in rows)})", 1),
    ("count({g for g in groups(black) if any(g <= l for l in rows)})", 0),
    # counts compared with small numbers
    ("{p for p in filled if count(touching(p) & filled) < 1}", "Ac3"),
    ("{p for p in filled if count(touching(p) & filled) < 2}", "Aa3 Ac1 Ac3"),
    ("{p for p in filled if count(touching(p) & filled) <= 0}", "Ac3"),
    ("{p for p in filled if count(touching(p) & filled) <= 3}", "Aa1 Aa3 Ab2 Ac1 Ac3"),
    ("{p for p in filled if count(touching(p) & filled) > 1}", "Aa1 Aa2 Ab1 Ab2 Ba1"),
    ("{p for p in filled if count(touching(p) & filled) >= 4}", "Aa2 Ab1 Ba1"),
    ("{p for p in filled if 3 < count(touching(p) & filled)}", "Aa2 Ab1 Ba1"),
    ("{p for p in filled if 1 <= count(touching(p) & filled)}", "Aa1 Aa2 Aa3 Ab1 Ab2 Ac1 Ba1"),
    ("count({p for p in filled if count(touching(p) & filled) < 5})", 8),
    ("{p for p in filled if count(resting_on(p) & red) < 1}", "Aa3 Ac1 Ac3 Ba1"),
    ("{p for p in points if count(supports(p) & white) >= 2}", "Ba1 Ba2"),
    # neighbours of several points, each counted once: the white group touches Ab1 and Ab2
    ("count({g for g in groups(white) if count(touching(g) & black) < 3})", 1),
    ("count({g for g in groups(white) if count(touching(g) & black) < 2})", 0),
    # marbles of the same colour as another
    ("{p for p in filled if touching(p) & colours(p)}", "Aa1 Aa2 Aa3 Ab1 Ab2 Ac1"),
    # neighbours of all points of a set; true for an empty set
    ("{p for p in points if all(supports(q) <= filled for q in resting_on(p))}", "Aa1 Ca1"),
    # tests that have the same result for all points
    ("{p for p in points if p & white}", "Aa1 Aa2 Aa3"),
    ("{p for p in points if not p & filled}", "Ab3 Ac2 Ba2 Bb1 Bb2 Ca1"),
    ("{p for p in points if supports(p) & red}", "Bb2 Ca1"),
    ("{p for p in filled if not resting_on(p) & filled}", "Aa3 Ac1 Ac3 Ba1"),
    ("{p for p in points - holes if supports(p) <= filled}", "Ba1"),
    ("{p for p in filled if p & white and touching(p) & black}", "Aa1 Aa2"),
    ("{p for p in filled if not (p & white and touching(p) & black)}", "Aa3 Ab1 Ab2 Ac1 Ac3 Ba1"),
    ("{p for p in filled if p & white and level(p) == 0 and not resting_on(p) & filled}", "Aa3"),
    ("{p for p in filled if not any(q & empty for q in touching(p))}", "Aa1"),
    ("{p for p in playable if all(count(supports(q) & white) < 2 for q in resting_on(p))}", "Ac2"),
    ("{p for p in playable if any(count(supports(q) & white) >= 2 for q in resting_on(p))}", "Ab3"),
    ("count({s for s in everyone if not s <= me})", 1),
    ("count({c for c in colours(filled) if not c & red})", 2),
)


@pytest.mark.parametrize(("expression", "expected"), WORTH)
def test_shortcut_values_match_hand_computation(expression: str, expected: str | int) -> None:
    case = Case("", PLAIN, expression, expected)
    assert sorted(offered(case).split()) == sorted(str(expected).split())


def test_points_are_not_tested_one_by_one() -> None:
    """In Spire, the points where a marble fits are found by set operations, not by nested loops.

    A marble may neither rest on two marbles of its own colour nor be the third of that colour in a 2 × 2 square. Only
    the general form of the expression tests these conditions point by point.
    """
    machine: Any = shibumi3d.game("spire").make_fast_game().machine
    twin = import_module(type(machine).__module__.replace(".machine", ".build.expressions"))
    rooms = [term for term in outermost_terms(machine.rules) if term.op == "Union"]
    assert rooms
    for term in rooms:
        assert type(twin.NodeBuilder(machine, general=True).build(term)).__name__ == "Union"
        assert type(twin.NodeBuilder(machine).build(term)).__name__ == "SetIntersection"
