"""Errors in rules are reported with their location, what was expected, and the nearest known word.

``tests/bad`` has files with many errors each, for ``tests/catalogue/test_invalid_game_files.py``; here, single
errors are tested that are easily missed.
"""

from __future__ import annotations

import pytest

from tests.rules.inline import problems_of

# Line 1 of each file is its title, so these texts start on line 2.
MISTAKES = (
    # words and verbs
    ("turn: {plcae: own}", "2:8: unknown verb 'plcae', did you mean 'place'?"),
    ("turn: {zzz: own}", "2:8: unknown verb 'zzz'"),
    (
        "turn: {place: own, att: holes}",
        "2:20: 'place' has no modifier 'att': it takes at, from, as, because, did you mean 'at'?",
    ),
    ("turn: {place: own, to: holes}", "2:20: 'place' has no modifier 'to': it takes at, from, as, because"),
    ("turn: {next: me, at: holes}", "2:18: 'next' has no modifier 'at': it takes none"),
    (
        "turn: {place: own, take: red}",
        "2:20: a step can have only one verb, but this one has 'place' and 'take'",
    ),
    ("turn: {place: own, at: hoels}", "2:24: unknown word 'hoels', did you mean 'holes'?"),
    ("turn: {place: own, at: toching(own)}", "2:24: unknown word 'toching', did you mean 'touching'?"),
    ("turn: {place: own, at: Ae1}", "2:24: unknown word 'Ae1', did you mean 'Aa1'?"),
    ("turn: {place: own, at: touching}", "2:24: 'touching' needs (Points), as in touching(placed) & own"),
    ("turn: {place: own, at: west()}", ""),
    (
        "turn: {choose: {claim-draw: {place: own}, go-on: {place: own}}}",
        "2:17: 'claim-draw' is reserved and can't be a label",
    ),
    ("turn: {place: own, at: west(own)}", "2:24: 'west' takes no values, as in west & holes"),
    ("turn: {place: own, from: bag}", "2:26: 'bag' is not a stock"),
    (
        "stocks: {hand: {each: {}}}\nturn: {place: own, from: hnad}",
        "3:26: 'hnad' is not a stock, did you mean 'hand'?",
    ),
    ("turn: {place: own, from: own}", "2:26: 'own' is not a stock"),
    # the shape of a file
    ("pass: true", "1:1: a game needs either 'turn' or 'phases'"),
    (
        "turn: {place: own}\nphases: [{turn: {place: own}}]",
        "1:1: 'turn' and 'phases' can't be used together; keep only one",
    ),
    ("turn: 3", "2:7: expected a step: a mapping with one verb, or a list of steps"),
    (
        "turn: [{place: own}, [place]]",
        "2:23: expected a step: a mapping with one verb, or a list of steps",
    ),
    ("phases: {turn: {place: own}}", "2:9: 'phases' must be a list of {turn: …, turns: n or until: …}"),
    (
        "turn: {place: own}\nstart: here",
        "3:8: a board has 2 to 10 levels separated by '/', but this text has 1",
    ),
    ('turn: {place: own}\nstart: "..,.W,../."', "3:8: level A: expected 2 ranks, but found 3 in '..,.W,..'"),
    (
        'turn: {place: own}\nstart: "..,../."',
        "3:8: the starting position has size 2, but the board has size 3",
    ),
    (
        'turn: {place: own}\nstart: "...,...,.../W.,../."',
        "3:8: Ba2: the marble has no support at Aa2 Ab2 Aa3 Ab3",
    ),
    ("turn: {place: own}\nseats: [white, withe]", "3:16: unknown colour 'withe', did you mean 'white'?"),
    ("turn: {place: own}\nseats: [white]", "3:8: 'seats' must list one colour per seat: 2, not 1"),
    ("turn: {place: own}\nseats: white", "3:8: 'seats' must be a list of colours in turn order, or 'none'"),
    (
        "turn: {place: own}\nstocks: {bag: {holds: {}, sea: me}}",
        "3:27: unknown key in a stock: 'sea', did you mean 'see'?",
    ),
    ("turn: {place: own}\nstocks: {bag: {see: me}}", "3:15: the stock 'bag' needs either 'each' or 'holds'"),
    ("turn: {place: own}\nstocks: {bag: {holds: {blue: 1}}}", "3:24: unknown word 'blue'"),
    (
        "turn: {place: own}\nstocks: {bag: {holds: {white: 10001}}}",
        "3:31: a stock can hold 0 to 10,000 marbles of each colour",
    ),
    ("turn: {place: own}\nvars: [last]", "3:7: 'vars' must be a mapping from names to values"),
    ("turn: {place: own}\nvars: {x: 0.5}", "3:11: expected an expression here"),
    (
        "turn: {place: own}\nvars: {x: [1, 2]}",
        "3:11: expected an expression here; put an expression that starts with '[' in quotes",
    ),
    ("turn: {place: own}\ndefine: {own: red}", "3:10: 'own' is already a word of the language"),
    ("turn: {place: own}\ndefine: {a: b, b: b}", "3:19: 'b' is defined in terms of itself"),
    ("turn: {place: own}\ndefine: {a: b(red), b(x): b(x)}", "3:27: 'b' is defined in terms of itself"),
    (
        "turn: {place: own}\nscore: score + 1",
        "3:8: 'score' can only be used in programs and in 'end', not in the formula of 'score' itself",
    ),
    (
        "turn: [{require: able(everyone)}, {place: own}]",
        "2:18: 'able' can only be used in the 'when' of 'end'",
    ),
    (
        "turn: {place: own}\nend: [{as_soon_as: not able(me), lose: me}]",
        "3:20: 'able' can only be used in the 'when' of 'end'",
    ),
    # steps
    ("turn: {recolour: own}", "2:7: 'recolour' needs 'into': the new colour"),
    ("turn: {choose: []}", "2:16: 'choose' takes a list of programs, or programs with labels"),
    (
        "turn: {choose: [{score: 1}, {next: me}]}",
        "2:29: two of the programs in 'choose' don't ask the player anything: label the programs so that the "
        "player can choose between them",
    ),
    (
        "turn: {may: {score: 1}}",
        "2:13: 'may' needs something to choose; to ask yes or no, use 'choose' with labels",
    ),
    ("turn: [{let: {x: 1}}, {let: {x: own}}, {place: own}]", "2:33: expected Int, but found colour word"),
    ("vars: {x: 0}\nturn: {place: own, as: x}", "3:24: 'x' holds Int, but the choice gives Points"),
    (
        "turn: [{mark: {x: own}}, {let: {x: 1}}, {place: own}]",
        "2:33: 'x' is used both by 'mark' and by 'let' or 'as': choose different names",
    ),
    # expressions
    ("turn: {place: own, at: 3}", "2:24: expected Points, but found Int"),
    ("turn: {place: holes}", "2:15: expected Colours, but found Points"),
    ("turn: {score: own}", "2:15: expected Int, but found colour word"),
    ("turn: {next: own}", "2:14: expected Seats, but found colour word"),
    ("turn: {place: own, at: own.x}", "2:24: 'own.x' is not part of the rule language"),
    ("turn: {place: own, at: '\"red\"'}", "2:24: 'red' is not a whole number"),
    ("turn: {place: own, at: 'lambda: own'}", "2:24: 'lambda: own' is not part of the rule language"),
    (
        "turn: {place: own, at: 2 ** 3}",
        "2:24: '2 ** 3' uses an operator that is not part of the rule language",
    ),
    ("turn: {place: own, at: import os}", "2:24: 'import os' is not an expression: invalid syntax"),
    ("turn: {place: own, at: __import__(own)}", "2:24: unknown word '__import__'"),
    ("turn: {place: own, at: own own}", "2:24: 'own own' is not an expression: invalid syntax"),
    ("turn: {place: own, at: 1 / 2}", "2:24: '1 / 2' uses an operator that is not part of the rule language"),
    (
        "turn: {place: own, at: [own]}",
        "2:24: expected an expression here, of type Points; put an expression that starts with '[' in quotes",
    ),
)


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[text for text, _ in MISTAKES])
def test_rule_mistake_is_reported(text: str, message: str) -> None:
    found = problems_of(text)
    if message:
        assert message in found
        assert len(found) == 1
    else:
        assert found == []


def test_all_mistakes_are_reported_in_file_order() -> None:
    assert problems_of("""
        define:
          fit: "{p for p in playable if level(p) ==}"
          room(p): count(support(p)) < 2
        turn:
          - {plcae: own}
          - {place: onw, at: fit}
          - {place: own, at: fit}
          - {take: "{p for p in own if room(p)}"}
        end:
          - {when: stuk, loose: mover}
        """) == [
        "3:8: '{p for p in playable if level(p) ==}' is not an expression: invalid syntax",
        "6:6: unknown verb 'plcae', did you mean 'place'?",
        "7:13: unknown word 'onw', did you mean 'on'?",
        "9:12: in 'room': unknown word 'support', did you mean 'supports'?",
        "11:5: an end rule needs 'win', 'lose' or 'most'",
        "11:18: unknown key in an end rule: 'loose', did you mean 'lose'?",
    ]


def test_define_mistake_is_reported_at_its_definition() -> None:
    assert problems_of("define: {fit: hoels}\nturn: [{place: own, at: fit}, {place: own, at: fit}]") == [
        "2:15: unknown word 'hoels', did you mean 'holes'?"
    ]
    # a word that is only known in some places is refused elsewhere
    assert problems_of("define: {fit: touching(colour)}\nturn: [{place: own, at: fit}, {take: fit}]") == [
        "3:38: in 'fit': 'colour' can only be used in 'at', 'to' and 'onto'"
    ]


def test_unused_defines_are_checked() -> None:
    assert problems_of("define: {a: hoels, b(x): x +}\nturn: {place: own}") == [
        "2:13: unknown word 'hoels', did you mean 'holes'?",
        "2:26: 'x +' is not an expression: invalid syntax",
    ]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (
            "end: [{when: stuck, lose: me, win: others}]",
            "3:31: 'lose' and 'win' can't be used together; keep only one",
        ),
        (
            "end: [{when: stuck, win: me, most: 1}]",
            "3:30: 'win' and 'most' can't be used together; keep only one",
        ),
        (
            "end: [{when: stuck, as_soon_as: stuck, win: me}]",
            "3:21: 'when' and 'as_soon_as' can't be used together; keep only one",
        ),
        (
            "stocks: {bag: {each: {}, holds: {}}}",
            "3:26: 'each' and 'holds' can't be used together; keep only one",
        ),
        (
            "series: {games: 2, target: 3, gain: 1}",
            "3:20: 'games' and 'target' can't be used together; keep only one",
        ),
        (
            "setup: {draw: 1, from: box, to: box, at: holes}",
            "3:38: 'to' and 'at' can't be used together; keep only one",
        ),
        (
            "setup: {move: own, to: holes, onto: red}",
            "3:31: 'to' and 'onto' can't be used together; keep only one",
        ),
    ],
)
def test_conflicting_keys_are_both_named(rest: str, message: str) -> None:
    assert message in problems_of(f"turn: {{place: own}}\n{rest}")


def test_long_define_chain_is_not_circular() -> None:
    def chain(count: int) -> str:
        links = "".join(f"\n  d{number + 1}: d{number}" for number in range(count))
        return f"turn: {{place: own, at: d{count}}}\ndefine:\n  d0: own{links}"

    assert problems_of(chain(39)) == []
    assert problems_of(chain(60)) == ["2:24: 'd60' uses definitions nested more than 40 levels deep"]


def test_too_many_names_are_reported() -> None:
    names = "".join(f"\n  v{number}: 0" for number in range(4001))
    (error,) = problems_of(f"turn: {{place: own}}\nvars:{names}")
    assert error.endswith("the file has too many loops and names, counting each use of a definition")
