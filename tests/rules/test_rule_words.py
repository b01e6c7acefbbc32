"""Every word of the language on drawn positions.

The value of a word is read from the choices it offers: ``pick`` shows points, colours, seats, numbers and sets.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

import pytest

from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from tests.rules.inline import at, inline, options, play, problems_of

# White owns the west file, Black the middle; red has Ac3 and Ba1. Seat 1 is White.
PLAIN = """
    W . R | . . | .
    W B . | R .
    W B B
"""
# Two levels are full except for one point. Ab2 is hidden by Ca1, and all its four contacts on level A are cut.
TALL = """
    W W B | R W | B
    W W B | W W
    B B B
"""
# Ba1 and Bb1 lie over the contact Ab1–Ab2 and cut it.
BRIDGE = """
    . . . | . . | .
    W W W | R R
    B W B
"""


class Case(NamedTuple):
    """A word, an expression that uses it, and the expected value of the expression on the board ``picture``.

    ``before`` contains steps to carry out first, and ``moves`` the choices made in them. ``file`` is additional text
    for the game file, and ``seat`` is the seat to move.
    """

    word: str
    picture: str
    expression: str
    expected: str | int | bool
    before: str = ""
    moves: str = ""
    file: str = ""
    seat: int = 0


CASES = (
    # -- places: size 3 has 9 + 4 + 1 points
    Case("Aa1", PLAIN, "Aa1 | Bb2", "Aa1 Bb2"),
    Case("points", PLAIN, "count(points)", 14),
    Case("holes", PLAIN, "count(holes)", 9),
    Case("apex", PLAIN, "apex", "Ca1"),
    Case("west", PLAIN, "west", "Aa1 Aa2 Aa3 Ba1 Ba2 Ca1"),
    Case("east", PLAIN, "east", "Ac1 Ac2 Ac3 Bb1 Bb2 Ca1"),
    Case("south", PLAIN, "south", "Aa1 Ab1 Ac1 Ba1 Bb1 Ca1"),
    Case("north", PLAIN, "north", "Aa3 Ab3 Ac3 Ba2 Bb2 Ca1"),
    Case("levels", PLAIN, "levels[1]", "Ba1 Bb1 Ba2 Bb2"),
    Case("levels", PLAIN, "count(levels)", 3),
    # level A: 6 lines of three points with 3 runs each; level B: 4 lines of two points
    Case("rows", PLAIN, "count(rows)", 22),
    Case("rows", PLAIN, "{l for l in rows if count(l) == 3 and Aa1 <= l}", "Aa1+Ab1+Ac1 Aa1+Aa2+Aa3"),
    # level A: 2 lines of three points with 3 runs each, 4 of two; level B: 2
    Case("diagonals", PLAIN, "count(diagonals)", 12),
    Case("diagonals", PLAIN, "{l for l in diagonals if Ba1 <= l}", "Ba1+Bb2"),
    # each of four directions: 4 from A to B, 1 from B to C, 1 across all three levels
    Case("slopes", PLAIN, "count(slopes)", 24),
    Case("slopes", PLAIN, "{l for l in slopes if apex <= l and Aa1 <= l}", "Aa1+Ba1+Ca1"),
    # level A: 3 + 3 + 2, level B: 2 + 2 + 2, none at the apex
    Case("full_lines", PLAIN, "count(full_lines)", 14),
    # through Ba1, north-east: Aa1-Ba1-Ab2, Aa1-Ba1-Ca1, Ba1-Ab2-Bb2, Ba1-Ca1-Bb2; north-west: Ab1-Ba1-Aa2
    Case("sight_lines", PLAIN, "count({l for l in sight_lines if count(l) == 3 and Ba1 <= l})", 5),
    Case("size", PLAIN, "size", 3),
    Case("players", PLAIN, "players", 2),
    Case("players", PLAIN, "players", 3, file="players: 3"),
    # pairs side by side: 12 on level A, 4 on level B
    Case("copies", PLAIN, "count(copies(Aa1 | Ab1))", 16),
    # a pyramid of five: 4 upright on A, 1 on B; upside down, four on B over one of A: once; none on C
    Case("copies", PLAIN, "count(copies(Aa1 | Ab1 | Aa2 | Ab2 | Ba1))", 6),
    Case("level", PLAIN, "level(red)", 1),
    Case("level", PLAIN, "level(none)", -1),
    # half a hole east and half a hole north; from the west to the east ridge of level A are 2 holes
    Case("steps", PLAIN, "steps(Aa1, Ba1)", 2),
    Case("steps", PLAIN, "steps(Aa1, Ac1)", 4),
    # -- relations
    Case("touching", PLAIN, "touching(Ba1)", "Aa1 Ab1 Aa2 Ab2 Bb1 Ba2 Ca1"),
    Case("touching", PLAIN, "touching(Aa1 | Ac3) & holes", "Ab1 Aa2 Ac2 Ab3"),
    Case("diagonal_to", PLAIN, "diagonal_to(Ab2)", "Aa1 Ac1 Aa3 Ac3"),
    Case("supports", PLAIN, "supports(Ba1)", "Aa1 Ab1 Aa2 Ab2"),
    Case("resting_on", PLAIN, "resting_on(Ab2)", "Ba1 Bb1 Ba2 Bb2"),
    Case("resting_on", PLAIN, "resting_on(none)", ""),
    # -- what stands where
    Case("empty", PLAIN, "empty", "Ac2 Ab3 Bb1 Ba2 Bb2 Ca1"),
    Case("filled", PLAIN, "filled", "Aa1 Ab1 Ac1 Aa2 Ab2 Aa3 Ac3 Ba1"),
    Case("playable", PLAIN, "playable", "Ac2 Ab3"),
    Case("playable", BRIDGE, "playable", "Aa3 Ab3 Ac3"),
    # Ba1 rests on the other four of the south-west corner
    Case("free", PLAIN, "free", "Ac1 Aa3 Ac3 Ba1"),
    # Ab1 and Ab2 carry both Ba1 and Bb1
    Case("movable", BRIDGE, "movable", "Aa1 Ac1 Aa2 Ac2 Ba1 Bb1"),
    Case("visible", TALL, "filled - visible", "Ab2"),
    Case("placed", PLAIN, "placed", "Ab3", before="put: own, at: Ab3"),
    # when Aa1 is removed, Ba1 falls into its place
    Case("fallen", PLAIN, "fallen", "Aa1", before="remove: Aa1"),
    Case("vacated", PLAIN, "vacated", "Ba1", before="remove: Aa1"),
    Case("taken", PLAIN, "taken", "white black", before="remove: Aa1 | Ac1"),
    Case("moved", PLAIN, "moved", "Ac2", before="move: Aa3, to: Ac2", moves="^Aa3 >Ac2"),
    Case("origin", PLAIN, "origin", "Aa3", before="move: Aa3, to: Ac2", moves="^Aa3 >Ac2"),
    Case("origin", PLAIN, "origin", ""),
    Case("linked", PLAIN, "linked(Ba1)", "Aa1 Ab1 Aa2 Ab2"),
    # Ab2 loses its contact with Ab1 under the overpass, but keeps its neighbours in the row and what rests on it
    Case("linked", BRIDGE, "linked(Ab2)", "Aa2 Ac2 Ba1 Bb1"),
    Case("seen", PLAIN, "seen(Aa1 | Aa2)", True),
    Case("seen", BRIDGE, "seen(Ab1 | Ab2)", False),
    Case("seen", PLAIN, "seen(Aa1 | Ac2)", False),
    Case("groups", PLAIN, "groups(filled)", "Aa1+Aa2+Aa3 Ab1+Ac1+Ab2 Ac3 Ba1"),
    Case("groups", BRIDGE, "groups(white)", "Ab1 Aa2+Ab2+Ac2"),
    Case("full_groups", BRIDGE, "full_groups(white)", "Ab1+Aa2+Ab2+Ac2"),
    Case("longest_path", PLAIN, "longest_path(filled)", 3),
    Case("longest_path", BRIDGE, "longest_path(white)", 3),
    # -- colours and seats
    Case("white", PLAIN, "white", "Aa1 Aa2 Aa3"),
    Case("black", PLAIN, "black", "Ab1 Ac1 Ab2"),
    Case("red", PLAIN, "red", "Ac3 Ba1"),
    Case("all_colours", PLAIN, "count(all_colours)", 8),
    Case("own", PLAIN, "own & west", "Aa1 Aa2 Aa3"),
    Case("own", PLAIN, "own", "Ab1 Ac1 Ab2", seat=1),
    Case("enemy", PLAIN, "enemy", "Ab1 Ac1 Ab2"),
    Case("enemy", PLAIN, "enemy", "Ab1 Ac1 Ab2 Ac3 Ba1", file="players: 3"),
    Case("none", PLAIN, "none | red", "Ac3 Ba1"),
    Case("of", PLAIN, "of(next(me))", "Ab1 Ac1 Ab2"),
    Case("owner", PLAIN, "owner(black)", "seat 2"),
    Case("owner", PLAIN, "owner(red)", ""),
    Case("colours", PLAIN, "colours(supports(Ba1))", "white black"),
    Case("colours", PLAIN, "colours(empty)", ""),
    # two white and two black under Ba1; in total three white, three black and two red
    Case("commonest", PLAIN, "commonest(supports(Ba1))", "white black"),
    Case("commonest", PLAIN, "commonest(empty)", ""),
    Case("rarest", PLAIN, "rarest(filled)", "red"),
    Case("rarest", PLAIN, "rarest(supports(Ba1))", "red"),
    Case("me", PLAIN, "me", "seat 1"),
    Case("me", PLAIN, "me", "seat 2", seat=1),
    Case("mover", PLAIN, "mover", "seat 2", seat=1),
    Case("everyone", PLAIN, "everyone", "seat 1 seat 2 seat 3", file="players: 3"),
    Case("seat", PLAIN, "seat(2)", "seat 2"),
    Case("seat", PLAIN, "seat(3)", ""),
    Case("next", PLAIN, "next(me)", "seat 1", seat=2, file="players: 3"),
    Case("previous", PLAIN, "previous(me)", "seat 3", file="players: 3"),
    Case("passed", PLAIN, "passed(me)", False),
    Case("score", PLAIN, "score", 3, file="score: count(own)"),
    Case("score", PLAIN, "score(next(me)) + 10 * score(me)", 57, before="score: 7, to: seat(2)", moves=""),
    Case("stuck", PLAIN, "stuck", False),
    Case("repeats", PLAIN, "repeats", 0, before="put: own, at: Ab3"),
    # -- stocks, boards, numbers: 9 of each colour, 3 + 3 + 2 on the board
    Case("box", PLAIN, "count(box)", 19),
    Case("box", PLAIN, "count(box & red)", 7),
    Case("box", PLAIN, "colours(box - own)", "black red"),
    Case("count", PLAIN, "count(everyone) + 10 * count(own) + 100 * count(taken)", 32),
    Case("sum", PLAIN, "sum(count(g) for g in groups(filled))", 8),
    Case("max", PLAIN, "max(count(g) for g in groups(red))", 1),
    Case("max", PLAIN, "max(2, 7, 5)", 7),
    Case("min", PLAIN, "min(count(white), count(red))", 2),
    Case("prod", PLAIN, "prod(count(g) for g in groups(filled))", 9),
    Case("any", PLAIN, "any(l <= own for l in full_lines)", True),
    Case("any", PLAIN, "any(l <= red for l in rows)", False),
    Case("all", PLAIN, "all(p <= holes for p in own)", True),
    Case("all", PLAIN, "all(p <= holes for p in red)", False),
    Case("range", PLAIN, "range(3)", "0 1 2"),
    Case("range", PLAIN, "range(-1, 2)", "-1 0 1"),
    Case("range", PLAIN, "range(2, 2)", ""),
)

# 57: the tally of seat 2 is 7 and that of seat 1 is 5.
SCORED = "score: 5"


def offered(case: Case) -> str:
    """Return the choices that a ``pick`` offers from the value of the case's expression.

    The choices are separated by spaces. If the value is a number, it is the only choice, and True counts as 1 and False
    as 0. The steps in ``before`` are carried out before the ``pick``. If they change a score, the score of the seat to
    move is first set to 5.
    """
    source = case.expression
    if isinstance(case.expected, bool):
        source = f"[1 if {source} else 0]"
    elif isinstance(case.expected, int):
        source = f"[{source}]"
    steps = [f"{{{SCORED}}}"] if case.before.startswith("score") else []
    steps += [f"{{{case.before}}}"] if case.before else []
    turn = ", ".join([*steps, f'{{pick: "{source}"}}'])
    game = inline(f"turn: [{turn}]\n{case.file}")
    state = at(game, case.picture, to_move=case.seat)
    state = play(game, state, case.moves)
    return options(game, state)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.expression)
def test_word_evaluates_as_expected(case: Case) -> None:
    expected = int(case.expected) if isinstance(case.expected, bool) else case.expected
    assert offered(case) == str(expected)


class GameCase(NamedTuple):
    """A word, a game whose result depends on it, and the expected winners.

    Some of the words, such as ``tied``, are allowed only in certain places. ``game`` is the game as a YAML text.
    ``moves``, separated by spaces, are played from the position drawn in ``picture`` or, if that is empty, from the
    start of the game. ``winners`` lists the seats that have won after these moves.
    """

    word: str
    game: str
    picture: str
    moves: str
    winners: tuple[int, ...]


ELSEWHERE = (
    # two white and two black are under Ba1, so either colour may go there
    GameCase(
        "colour",
        """
        turn: {place: own, at: "{p for p in playable - holes if count(supports(p) & colour) == 2}"}
        end: [{when: Ba1 & white, win: me}]
        """,
        """
        . . . | . . | .
        W B . | . .
        B W .
        """,
        "W@Ba1",
        (0,),
    ),
    # all three are tied, so the one after the first of them wins
    GameCase(
        "tied",
        """
        players: 3
        turn: {place: own}
        end: [{when: Aa1 & filled, most: 1, tie: next(seat(1)) & tied}]
        """,
        "",
        "W@Aa1",
        (1,),
    ),
    # the winner of the only game gains 1, the others gain 2
    GameCase(
        "winners",
        """
        turn: {place: own}
        end: [{when: Aa1 & filled, win: me}]
        series: {games: 1, gain: 1 if me <= winners else 2}
        """,
        "",
        "W@Aa1",
        (1,),
    ),
    GameCase(
        "on",
        """
        boards: {names: [left, right]}
        turn: {board: right, do: {place: own}}
        end: [{when: "on(right, Aa1 & own) and not on(left, filled)", win: me}]
        """,
        "",
        "W@right.Aa1",
        (0,),
    ),
    # seat 2 has nothing left: 'stuck' is evaluated with seat 2 as the mover
    GameCase(
        "stuck",
        """
        turn: {place: own, at: Aa1}
        end: [{when: stuck, lose: mover}]
        """,
        "",
        "W@Aa1",
        (0,),
    ),
    # after White's marble at Ab1, no point is left in the row for either player: passing doesn't help
    GameCase(
        "able",
        """
        turn: {place: own, at: Aa1 | Ab1}
        pass: stuck
        end: [{when: not able(everyone), win: me}]
        """,
        """
        . . .
        . . .
        W . .
        """,
        "W@Ab1",
        (0,),
    ),
    GameCase(
        "passed",
        """
        turn: {place: own}
        pass: true
        end: [{when: "passed(seat(1)) and passed(seat(2))", win: seat(2)}]
        """,
        "",
        "pass pass",
        (1,),
    ),
)


@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: case.word)
def test_context_specific_word_decides_the_winner(case: GameCase) -> None:
    game = inline(case.game)
    state = play(game, at(game, case.picture), case.moves)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == case.winners


def test_every_word_is_tested() -> None:
    used = set()
    for case in CASES:
        names = {node.id for node in ast.walk(ast.parse(case.expression)) if isinstance(node, ast.Name)}
        assert case.word in names
        used.add(case.word)
    for case in ELSEWHERE:
        assert case.word in case.game
        used.add(case.word)
    assert used == set(WORDS)


# Names other than words that the examples use; each may be defined as a var, a stock, a define or a board.
GIVEN_VARS = {"p": "Aa1", "l": "Aa1 | Ab1", "g": "own & holes", "bid": "0"}
GIVEN = """
    boards: {names: [left, right]}
    stocks: {hand: {each: {own: 1}}, fist: {each: {}}, reserve: {each: {}}, bag: {holds: {red: 1}}}
    """


def free_names(text: str) -> set[str]:
    """Return the names in an expression that aren't loop variables."""
    tree = ast.parse(text, mode="eval")
    loops = {ast.unparse(node.target) for node in ast.walk(tree) if isinstance(node, ast.comprehension)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - loops


@pytest.mark.parametrize("name", WORDS)
def test_every_word_is_documented(name: str) -> None:
    word = WORDS[name]
    assert word.meaning
    assert word.result
    # Some examples include the key that the word is used in.
    example = word.example.rpartition(": ")[2]
    free = free_names(example)
    assert name in free or name == "Aa1"
    given = ", ".join(f"{key}: {value}" for key, value in GIVEN_VARS.items() if key in free)
    assert (
        problems_of(f'''{GIVEN}
    vars: {{{given}}}
    define: {{example: "{example}"}}
    turn: {{place: own}}''')
        == []
    )


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_documented(name: str) -> None:
    verb = VERBS[name]
    assert verb.kind in ("player", "engine", "combinator")
    assert verb.meaning
    assert verb.example.startswith(f"{{{name}: ")
    vars_ = "" if "last" not in verb.example else "vars: {last: none}"
    assert (
        problems_of(f"""{GIVEN}
    {vars_}
    define: {{dead: enemy - visible, prey: enemy & free, again: repeats == players}}
    turn: {verb.example}""")
        == []
    )
