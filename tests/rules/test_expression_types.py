"""The types of expressions: how they are converted, and that expressions can't fail during play."""

from __future__ import annotations

import pytest

from tests.rules.inline import at, inline, options, play, problems_of
from tests.rules.test_rule_words import PLAIN

# PLAIN has white Aa1 Aa2 Aa3, black Ab1 Ac1 Ab2, and red Ac3 and Ba1 (on white, black, white, black).
LIMIT = 2**56 - 1


def value(expression: str, *, file: str = "", before: str = "", kind: str = "set", seat: int = 0) -> str:
    """Return the choices, separated by spaces, that a turn offers when it picks from ``expression``.

    ``seat`` takes the turn, in the position ``PLAIN``. ``file`` contains further lines of the game file, and ``before``
    the instructions before the pick, each followed by a comma. ``kind`` is the type of ``expression``: a "set" is used
    as it is, an "int" is put in a list, and a "bool" is replaced by a list that contains 1 for true or 0 for false.
    """
    source = {"set": expression, "int": f"[{expression}]", "bool": f"[1 if {expression} else 0]"}[kind]
    game = inline(f'{file}\nturn: [{before}{{pick: "{source}"}}]')
    return options(game, at(game, PLAIN, to_move=seat))


# ---------------------------------------------------------------- colour words and Colours


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("own & holes", "Aa1 Aa2 Aa3"),  # beside Points a colour word is its marbles
        ("red | Aa1", "Aa1 Ac3 Ba1"),
        ("white | red", "Aa1 Aa2 Aa3 Ac3 Ba1"),  # two colour words together too
        ("white - red", "Aa1 Aa2 Aa3"),
        ("colours(filled) - red", "white black"),  # beside computed Colours it is a colour
        ("red | colours(Aa1)", "white red"),
        ("supports(Ba1) & colours(Aa1)", "Aa1 Aa2"),  # computed Colours beside Points are marbles
        ("{p for p in red}", "Ac3 Ba1"),  # a loop over a colour word runs over marbles
        (
            "{c for c in colours(filled) if count(box & c) == 7}",
            "red",
        ),  # over Colours over colours: 9 - 2 red
        ("{touching(p) & holes for p in red}", "Ac2+Ab3 Aa1+Ab1+Aa2+Ab2"),  # Points make Sets
        ("{own for s in everyone}", "Aa1 Aa2 Aa3"),
        ("{of(s) for s in everyone}", "Aa1 Ab1 Ac1 Aa2 Ab2 Aa3"),
        ("white if red else black", "Aa1 Aa2 Aa3"),
        ("red & white or black", "Ab1 Ac1 Ab2"),  # colours are different: no marble is red and white
        ("black and red", "Ac3 Ba1"),
        ("none or red", "Ac3 Ba1"),
        ("none", ""),
    ],
)
def test_colour_words_convert_to_expected_values(expression: str, expected: str) -> None:
    if expression == "none":
        assert problems_of("turn: {pick: none}") == []
        return
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("red", "1"),
        ("not red", "0"),
        ("red & Aa1", "0"),
        ("not (red & Aa1)", "1"),
        ("white <= holes", "1"),
        ("red <= holes", "0"),
        ("red < filled", "1"),
        ("filled < filled", "0"),
        ("filled <= filled", "1"),
        ("Ba1 in red", "1"),
        ("Aa1 in red", "0"),
        ("Aa1 not in red", "1"),
        ("red in colours(filled)", "1"),
        ("red in colours(holes & white)", "0"),
        ("none in red", "0"),  # nothing is in no set
        ("none <= red", "1"),  # but it is a part of every one
        ("me in everyone", "1"),
        ("owner(red) in everyone", "0"),
        ("Aa1 | Aa2 | Aa3 in rows", "1"),
        ("Aa1 | Aa3 in rows", "0"),
        ("2 in range(3)", "1"),
        ("3 in range(3)", "0"),
        ("1 < 2 < 3", "1"),
        ("1 < 2 > 2", "0"),
        ("colours(white) == white", "1"),
        ("groups(white) == groups(own)", "1"),
        ("groups(red) <= groups(filled)", "1"),
        ("groups(red) < groups(filled)", "1"),
        ("groups(red) < groups(red)", "0"),
        ("(count(own) > 2) == (count(red) > 1)", "1"),
        ("box", "1"),
        ("box & own & red", "0"),
    ],
)
def test_truth_values_convert_as_expected(expression: str, expected: str) -> None:
    assert value(expression, kind="bool") == expected


def test_colour_without_marbles_is_false() -> None:
    game = inline("turn: {take: red}\nend: [{when: not red, win: me}]")
    state = play(game, at(game, "R . R | . . | .\n. . . | . .\n. . ."), "xAa3")
    assert state.result is None
    state = play(game, state, "xAc3")
    assert state.result is not None
    assert state.result.winners == (1,)


def test_var_assigned_a_colour_word_holds_a_colour() -> None:
    # the first value given to a name decides: colours, or marbles where Points come in too
    assert value("x", file="vars: {x: none}", before="{let: {x: own}}, ") == "white"
    assert value("x & holes", file="vars: {x: none}", before="{let: {x: own}}, ") == "Aa1 Aa2 Aa3"
    assert value("x", file="vars: {x: holes}", before="{let: {x: own}}, ") == "Aa1 Aa2 Aa3"


# ---------------------------------------------------------------- lists


@pytest.mark.parametrize(
    ("expression", "seat", "expected"),
    [
        ("[white, red][me]", 0, "Aa1 Aa2 Aa3"),
        ("[white, red][me]", 1, "Ac3 Ba1"),
        ("[west, Ac1][next(me)] & holes", 0, "Ac1"),
        ("[own & holes, red][0]", 0, "Aa1 Aa2 Aa3"),
        ("[rows, slopes][1] & [{Aa1 | Ba1 for s in me}][0]", 0, "Aa1+Ba1"),
        ("levels[2]", 0, "Ca1"),
        ("levels[3]", 0, ""),  # nothing outside the list
        ("levels[-1]", 0, ""),
        ("[Aa1, Ab1][owner(red)]", 0, ""),  # nothing for nobody
        ("[Aa1][seat(2)]", 0, ""),
        ("[Aa1, Ab1]", 0, "Aa1 Ab1"),  # a list of Points is a family of sets
        ("[seat(2), seat(1)][0]", 0, "seat 2"),
        ("[{Aa1 | Ba1 for s in me}, {Aa2 | Ba1 for s in me}][me]", 0, "Aa1+Ba1"),
        ("[{Aa1 | Ba1 for s in me}, {Aa2 | Ba1 for s in me}][me]", 1, "Aa2+Ba1"),
        ("[{Aa1 | Ba1 for s in me}][next(me)]", 0, ""),
        ("[count(g) for g in groups(filled)]", 0, "3 1"),  # each number is offered once
        ("[5, 5, 3]", 0, "5 3"),
    ],
)
def test_list_expressions_give_expected_values(expression: str, seat: int, expected: str) -> None:
    assert value(expression, seat=seat) == expected


def test_per_seat_var_is_read_by_seat() -> None:
    file = "vars: {left: {each: 4}}"
    before = "{let: {left: left - 1}}, "
    assert value("left + 10 * left(next(me))", file=file, before=before, kind="int") == "43"
    assert value("left + 10 * left(next(me))", file=file, before=before, kind="int", seat=1) == "43"
    assert value("left(none)", file=file, kind="int") == "0"


# ---------------------------------------------------------------- totality


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("level(none)", -1),
        ("max(count(g) for g in groups(none))", 0),
        ("min(count(g) for g in groups(none))", 0),
        ("sum(count(g) for g in groups(none))", 0),
        ("prod(count(g) for g in groups(none))", 1),
        ("longest_path(none)", 0),
        ("steps(none, Aa1)", 0),
        ("7 // 0", 0),
        ("7 % 0", 0),
        ("7 // count(white & red)", 0),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("count(touching(none))", 0),
        ("count(groups(none))", 0),
        ("count(rarest(none))", 3),  # every colour is absent
        ("count(commonest(none))", 0),
        ("count(colours(none))", 0),
        ("count(of(none)) + count(owner(none)) + count(next(none))", 0),
        ("score(none)", 0),
        (f"{LIMIT} + 1", LIMIT),
        (f"-{LIMIT} - 1", -LIMIT),
        (f"{LIMIT} * {LIMIT}", LIMIT),
        (f"{10**30}", LIMIT),
        (f"sum({LIMIT} for p in points)", LIMIT),
        (f"prod(-{LIMIT} for p in Aa1 | Ab1)", LIMIT),
        (f"prod(10 for p in points) * {10**18}", LIMIT),
        ("true + true", 2),
        ("(red and 1) + 0", 1),
        ("(count(red) or 5) + 0", 2),  # numbers joined are numbers, as in Python
        ("(count(red & white) or 5) + 0", 5),
        ("(own > holes) + 10", 10),
    ],
)
def test_expressions_are_total(expression: str, expected: int) -> None:
    assert value(expression, kind="int") == str(expected)


def test_boolean_counts_as_0_or_1() -> None:
    # three white marbles are a truth, not the number of their mask
    assert value("sum((p & own) or false for p in west)", kind="int") == "3"
    assert value("x + 0", file="vars: {x: false}", before="{let: {x: own & holes}}, ", kind="int") == "1"


# ---------------------------------------------------------------- what does not fit


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("own + red", "expected Int, but found colour word"),
        ("count(3)", "'count' takes a set, not Int"),
        ("touching(3)", "expected Points, but found Int"),
        ("own == 3", "'own == 3': can't compare colour word with Int"),
        ("own & holes == true", "'own & holes == true': can't compare Points with Bool"),
        ("3 > own", "'3 > own': can't compare Int with colour word"),
        ("me | own", "'me | own': can't combine Seats and colour word"),
        ("3 & 4", "'3 & 4': use 'and' or 'or' to combine Int values"),
        ("box == box", "'box == box': can't compare Stock with Stock"),
        ("holes[0]", "'holes[0]': Points is not a list and has no entries"),
        ("[]", "an empty list has no type: write 'none' instead"),
        ("[1, own]", "'[1, own]' mixes values of different types"),
        ("{1, 2}", "write the set '{1, 2}' with '|' between its members"),
        ("own if red else 3", "'own if red else 3' gives colour word in one case and Int in the other"),
        ("3 in holes", "'3 in holes': can't look for Int in Points"),
        ("any(own)", "'any' needs a loop: any(… for p in …)"),
        ("sum(own)", "'sum' takes numbers, not colour word"),
        ("max(3)", "'max' takes numbers, not Int"),
        ("count(p for p in own)", "'(p for p in own)' is not part of the rule language"),
        ("hand(me)", "unknown word 'hand'"),
        ("box(me)", "'box(me)': there is only one 'box', shared by all"),
        ("sum(p for p, q in rows)", "a loop must use a single name, as in 'for p in …'"),
        ("sum(1 for own in rows)", "'own' is already taken: choose another name for the loop variable"),
        ("sum(1 for Aa1 in rows)", "'Aa1' is already taken: choose another name for the loop variable"),
        ("sum(1 for p in 3)", "can't loop over '3', which is of type Int"),
        ("copies(own)", "'copies' takes a shape of fixed points, as in copies(Aa1 | Ab1 | Ba1)"),
        ("1.5", "1.5 is not a whole number"),
        ("0x10 + 1j", "1j is not a whole number"),
        ("own is red", "'own is red' uses a comparison that is not part of the rule language"),
        ("[1] is [1, 2]", "'[1] is [1, 2]' uses a comparison that is not part of the rule language"),
        ("[1] is not [1]", "'[1] is not [1]' uses a comparison that is not part of the rule language"),
        ("~own", "'~own' is not part of the rule language"),
        ("own ^ red", "'own ^ red' uses an operator that is not part of the rule language"),
        ("sum(*rows)", "'*rows' is not part of the rule language"),
        ("count(x=own)", "'count(x=own)' is not part of the rule language"),
        ("rows[0:2]", "'0:2' is not part of the rule language"),
        ("(own := red)", "'(own := red)' is not part of the rule language"),
    ],
)
def test_wrong_types_are_reported(expression: str, message: str) -> None:
    assert problems_of(f'turn:\n  - require: "[{expression}]"\n  - place: own') == [f"3:14: {message}"]
