"""A match never stalls: there is always a choice or a result.

This is checked for every game of the catalogue and for randomly generated rule files.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import yaml

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.errors import GameFileError, RuleFailure
from tests.rules.inline import inline, options, play
from tests.share import some

LONGEST = 60
"""Number of choices after which a random match is stopped."""
SAID = (
    "the rules need too much computation for a single choice",
    "the rules loop forever",
    "a 'repeat' never ends",
    "the setup can't be completed",
    "no deal meets the setup's requirements",
)
"""Errors that random rules may raise, in addition to those found by the compiler."""


@pytest.mark.parametrize("name", [entry.id for entry in load_catalogue()])
def test_every_game_has_a_choice_or_an_outcome(name: str) -> None:
    game = shibumi3d.game(name)
    chance = Random(name)
    state: Any = game.start(chance.randint(*game.players), seed=chance.randrange(1000))
    for _ in range(LONGEST):
        asked = () if state.decision is None else state.decision.seats
        assert bool(asked) == (game.outcome(state) is None)
        if not asked:
            break
        offered = {seat: game.moves(state, seat) for seat in asked}
        assert all(offered.values())
        state, _ = game.apply(state, chance.choice(offered[chance.choice(asked)]))


# ---------------------------------------------------------------- random rules

POINTS = (
    "own",
    "enemy",
    "holes",
    "free & own",
    "movable",
    "Aa1 | Ab1",
    "playable",
    "points - touching(placed)",
    "red",
)
TESTS = ("count(own) > 2", "not enemy", "count(filled) % 2", "me == seat(1)", "count(playable) > 1", "placed")
NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "count(own)",
    "count(playable)",
    "count(filled) // 3",
    "min(2, count(empty))",
)
DEEDS: tuple[dict[str, str], ...] = (
    {"require": "count(filled) % 2"},
    {"require": "count(playable) > 1"},
    {"remove": "free & enemy"},
    {"put": "red", "at": "playable & west"},
    {"recolour": "placed", "into": "red"},
    {"draw": "1", "from": "pot", "to": "hand"},
    {"next": "me"},
)


def random_choice(chance: Random) -> Any:
    """Return a random instruction that asks a seat for a choice."""
    kind = chance.choice(("place", "place", "place at", "take", "move", "pick", "enter", "give"))
    if kind == "place":
        return {"place": chance.choice(("own", "own", "red", "all_colours"))}
    if kind == "place at":
        return {"place": "own", "at": chance.choice(POINTS)}
    if kind == "pick":
        return {"pick": chance.choice(("range(2)", "everyone", "Aa1 | Ab1", "own"))}
    if kind == "enter":
        return {"enter": "own"}
    if kind == "give":
        return {"give": "all_colours", "from": "pot", "to": "hand"}
    return {kind: chance.choice(POINTS)}


def random_step(chance: Random, depth: int) -> Any:
    """Return a random step of a program; steps are nested at most ``depth`` levels deep."""
    flows = ("repeat", "times", "times", "between", "choose", "labels", "may", "first", "if", "by", "best")
    kind = chance.choice(("choice", "choice", "choice", "deed", *(flows if depth else ())))
    if kind == "choice":
        return random_choice(chance)
    if kind == "deed":
        return dict(chance.choice(DEEDS))

    def inner() -> Any:
        return random_program(chance, depth - 1)

    return {
        "repeat": lambda: {"repeat": inner()},
        "times": lambda: {"repeat": inner(), "times": chance.choice(NUMBERS)},
        "between": lambda: {"repeat": inner(), "times": [chance.choice(NUMBERS), chance.choice(NUMBERS)]},
        "choose": lambda: {"choose": [inner() for _ in range(chance.randint(1, 3))]},
        "labels": lambda: {"choose": {f"way {n}": inner() for n in range(chance.randint(1, 3))}},
        "may": lambda: {"may": inner()},
        "first": lambda: {"first": [inner(), inner(), *([[]] if chance.random() < 0.5 else [])]},
        "if": lambda: {"if": chance.choice(TESTS), "then": inner(), "else": inner()},
        "by": lambda: {
            "by": chance.choice(("everyone", "next(me)")),
            "secret": chance.random() < 0.4,
            "do": inner(),
        },
        "best": lambda: {"best": chance.choice(NUMBERS), "do": inner()},
    }[kind]()


def random_program(chance: Random, depth: int) -> list[Any]:
    return [random_step(chance, depth) for _ in range(chance.choice((1, 1, 2, 2, 3)))]


def random_rules(chance: Random, depth: int) -> str:
    """Return the text of a random game file, without its title and its boards.

    The instructions of a turn are nested at most ``depth`` levels deep.
    """
    rules: dict[str, Any] = {
        "stocks": {"pot": {"holds": {"all_colours": 2}}, "hand": {"each": {}, "see": "me"}},
        "turn": random_program(chance, depth),
    }
    if chance.random() < 0.3:
        rules["pass"] = chance.choice(("stuck", "count(own) > 2"))
    if chance.random() < 0.1:
        rules["setup"] = random_program(chance, 1)
    rules["end"] = chance.choice(
        ([{"when": "stuck", "lose": "mover"}], [{"when": "count(filled) > 9", "most": "count(own)"}], [])
    )
    text: str = yaml.safe_dump({key: value for key, value in rules.items() if value != []}, sort_keys=False)
    return text


@pytest.mark.parametrize("first", some(range(0, 240, 30), 4))
def test_random_rules_have_a_choice_or_an_outcome(first: int) -> None:
    played = 0
    for seed in range(first, first + 30):
        chance = Random(seed)
        text = random_rules(chance, seed % 4)
        try:
            game = inline(text)
            state = game.start()
            for _ in range(LONGEST):
                moves = game.moves(state)
                assert bool(moves) == (state.result is None), f"seed {seed}:\n{text}"
                if not moves:
                    break
                state, _ = game.apply(state, chance.choice(moves))
            played += 1
        except GameFileError:
            continue
        except RuleFailure as failure:
            if not any(said in str(failure) for said in SAID):
                raise
    assert played > 10


# ---------------------------------------------------------------- by hand


def test_repeat_count_is_offered_only_when_possible() -> None:
    # With nine, four and one points, two are left after four turns of three marbles: not enough for another turn.
    game = inline("turn: {repeat: {place: own}, times: 3}")
    state = game.start()
    chance = Random(1)
    for _ in range(12):
        state, _ = game.apply(state, chance.choice(game.moves(state)))
    assert state.result is not None
    assert (state.result.winners, state.result.reason) == ((), "nobody can move")
    assert sum(cell not in "./," for cell in state.boards[0]) == 12


def test_impossible_repeat_count_allows_a_pass() -> None:
    for before in ("", "{let: {x: 1}}, "):
        game = inline(f"turn: [{before}{{repeat: {{place: own, at: west}}, times: 7}}]\npass: stuck")
        # The west face of a board of size 3 has six points.
        assert options(game, game.start()) == "pass"


def test_computed_repeat_count_adapts_to_the_available_room() -> None:
    game = inline("turn: {repeat: {place: own}, times: 'min(3, count(empty))'}")
    state = game.start()
    chance = Random(1)
    for _ in range(14):
        state, _ = game.apply(state, chance.choice(game.moves(state)))
    assert "." not in state.boards[0]
    assert state.result is not None


def test_failure_after_chance_leaves_the_seat_stuck() -> None:
    # Looking ahead stops at the draw, after which the turn turns out to be impossible.
    game = inline("""
        stocks: {bag: {holds: {white: 2}}, hand: {each: {}}}
        turn: [{pick: Aa1}, {draw: 1, from: bag, to: hand}, {require: not hand}]
        end: [{when: stuck, lose: mover}]
        """)
    state = play(game, game.start(), "Aa1")
    assert state.result is not None
    assert state.result.winners == (1,)


def test_failure_after_chance_becomes_a_pass_when_allowed() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 2}}, hand: {each: {}}}
        turn: [{pick: Aa1}, {draw: 1, from: bag, to: hand}, {require: not hand}]
        pass: stuck
        end: [{when: not bag, win: mover}]
        """)
    state = play(game, game.start(), "Aa1")
    assert options(game, state) == "pass"
    assert state.to_move == 0
    fast = game.make_fast_game()
    fast.load(state)
    # Seat 2 draws the last marble, is stuck and passes, as the bag is empty.
    assert fast.playout() == 2
