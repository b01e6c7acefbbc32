"""Values of expressions in the cheapest form, compared with the general one, which takes no shortcuts.

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


def terms_of(rules: Rules) -> Iterator[Term]:
    """Every expression of a game that is not part of another."""
    for instruction in rules.program:
        yield from (term for term in instruction.terms if isinstance(term, Term))
    for rule in rules.end_rules:
        yield from (rule.when, *(rule.compared_values or ()))
    if rules.score is not None:
        yield rules.score


def worth(machine: Any, node: Any) -> object:
    """What a node gives, of whatever type it is."""
    for read in (node.eval, node.items, node.lists):
        machine.work_left = WORK_BUDGET
        try:
            return read(machine)
        except NotImplementedError:
            continue
        except (RuleFailure, UnknownOutcomeError) as failure:
            return type(failure)
    return None  # a stock, which has no value


def compare(game: MarbleGame, state: Any) -> int:
    """See that all expressions are worth the same in both forms; return how many there are."""
    fast: Any = game.make_fast_game(state.seats)
    fast.load(state)
    machine = fast.machine
    # The compiled engine has a twin for wide boards, with classes of its own.
    twin = import_module(type(machine).__module__.replace(".machine", ".build.expressions"))
    short, plain = twin.NodeBuilder(machine), twin.NodeBuilder(machine, general=True)
    terms = list(terms_of(machine.rules))
    for term in terms:
        assert worth(machine, short.build(term)) == worth(machine, plain.build(term)), term
    return len(terms)


@pytest.mark.parametrize(("name", "variant"), some(FORMS, 40))
def test_shortcuts_do_not_change_values(name: str, variant: str) -> None:
    game = shibumi3d.game(name, variant=variant)
    rng = Random(f"{name} {variant}")
    state = game.start(seed=1)
    made = compared = 0
    while (moves := game.moves(state)) and made < 60:
        if made % 12 == 11 or made in (0, 3):
            compared += compare(game, state)
        state, _ = game.apply(state, rng.choice(moves))
        made += 1
    assert compared


# The drawing: on level A white Aa1 Aa2 Aa3, black Ab1 Ab2 Ac1, red Ac3, with red Ba1 over the four of the corner; full
# rows are the file a and the rank 1. So many touch each: Aa1 3, Aa2 4, Aa3 1, Ab1 4, Ab2 3, Ac1 1, Ac3 0, Ba1 4.
WORTH = (
    # points judged by where they lie
    ("{p for p in playable if level(p) == 0}", "Ab3 Ac2"),
    ("{p for p in playable if level(p) > 0 or level(origin) < 0}", "Ab3 Ac2"),
    ("{p for p in playable if level(p) == 0 and count(touching(p) & white) == 1}", "Ab3"),
    ("count({s for s in everyone if s == seat(2)})", 1),
    ("count({c for c in colours(filled) if not c <= red})", 2),
    # members of a fixed family that hold a point, and a set of several
    (
        "{p for p in filled if any(p <= l and count(l & filled) == 3 for l in rows if count(l) == 3)}",
        "Aa1 Aa2 Aa3 Ab1 Ac1",
    ),
    ("{p for p in filled if not any(p <= l and l & red for l in rows)}", "Aa1 Aa2 Ab1 Ab2"),
    ("count({g for g in groups(white) if any(g <= l for l in rows)})", 1),
    ("count({g for g in groups(black) if any(g <= l for l in rows)})", 0),
    # counts up to a few
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
    # of what touches any of several points, each is counted once: the white group touches Ab1 and Ab2
    ("count({g for g in groups(white) if count(touching(g) & black) < 3})", 1),
    ("count({g for g in groups(white) if count(touching(g) & black) < 2})", 0),
    # marbles of the colour of another
    ("{p for p in filled if touching(p) & colours(p)}", "Aa1 Aa2 Aa3 Ab1 Ab2 Ac1"),
    # what is beside all points of a set; of no points it is true
    ("{p for p in points if all(supports(q) <= filled for q in resting_on(p))}", "Aa1 Ca1"),
    # tests that all points pass or fail at once
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
    """Where a square of four has room for a marble: loops within loops, if each point is judged by itself."""
    machine: Any = shibumi3d.game("spire").make_fast_game().machine
    twin = import_module(type(machine).__module__.replace(".machine", ".build.expressions"))
    rooms = [term for term in terms_of(machine.rules) if term.op == "Union"]
    assert rooms
    for term in rooms:
        assert type(twin.NodeBuilder(machine, general=True).build(term)).__name__ == "Union"
        assert type(twin.NodeBuilder(machine).build(term)).__name__ == "SetIntersection"
