"""Colours that can't matter any more: read from the rules, and to a proof as good as one another."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine import machine
from shibumi3d.rules.marbles.engine.exact import NO, WIN, YES
from shibumi3d.rules.marbles.open_lines import Lines, read_lines
from shibumi3d.rules.marbles.symmetry import alike

WHITE, BLACK, RED = 1, 2, 4


@pytest.mark.parametrize(
    ("name", "number", "of", "always"),
    [
        ("spline", 24, (WHITE, BLACK), 0),  # 10 lines of four on A, 8 of three on B, 6 of two on C
        ("spava", 68, (WHITE, BLACK), 0),  # these, and those one too short: 24 of three on A, 20 of two on B
        ("splice", 24, (WHITE | RED, BLACK | RED), RED),  # one may build on red
    ],
)
def test_what_rules_see_of_colours(name: str, number: int, of: tuple[int, int], always: int) -> None:
    lines = read_lines(shibumi3d.game(name).start(2)._rules)
    assert (len(lines.sets), lines.of, lines.always) == (number, of, always)


@pytest.mark.parametrize("name", ["span", "spree", "spaiji", "sploof", "spodd", "spargo", "spaghetti"])
def test_rules_that_see_more(name: str) -> None:
    """Groups, counts, marbles that go: there every colour counts."""
    assert read_lines(shibumi3d.game(name).start(2)._rules) == Lines()


def test_rules_that_see_no_colours() -> None:
    """The sweets are eaten whatever their colours; a line of the cake is of both."""
    assert read_lines(shibumi3d.game("special-cake", variant="candy").start(2)._rules).blind
    assert not read_lines(shibumi3d.game("special-cake").start(2)._rules).blind
    assert not read_lines(shibumi3d.game("spectacular-tumble").start(2)._rules).blind


def test_deals_are_alike_where_no_colours_are_seen() -> None:
    game = shibumi3d.game("special-cake", variant="candy")
    fast = game.fast(2)
    keys = set()
    for seed in (0, 1, 2):
        state = game.start(2, seed=seed)
        state, _ = game.apply(state, game.moves(state)[0])
        fast.load(state)
        keys.add(machine.Prover(fast.machine, *alike(game, 2)).key())
    assert len(keys) == 1


def key(moves: str) -> int:
    game = shibumi3d.game("spline")
    state = game.start(2)
    for number, point in enumerate(moves.split()):
        state, _ = game.apply(state, f"{'WB'[number % 2]}@{point}")
    fast = game.fast(2)
    fast.load(state)
    return machine.Prover(fast.machine, *alike(game, 2)).key()


def test_marbles_in_lines_of_both_are_alike() -> None:
    """All lines through the corners Aa1 and Ad4 hold both colours elsewhere, so these two may be exchanged; while
    rank 1 is free they may not."""
    rest = "Aa3 Aa2 Ac3 Ab2 Ab4 Ac4 Ad2 Ad3"
    assert key(f"Aa1 Ad4 {rest} Ac1 Ab1") == key(f"Ad4 Aa1 {rest} Ac1 Ab1")
    assert key(f"Aa1 Ad4 {rest}") != key(f"Ad4 Aa1 {rest}")


@pytest.mark.parametrize("name", ["spline", "spava", "splice"])
def test_the_same_is_proved_without(name: str) -> None:
    """On the 3×3 board, from random positions on, for both players."""
    game = shibumi3d.game(name, size=3)
    chance, fast = Random(7), game.fast(2)
    found = alike(game, 2)
    assert found.lines
    answers: set[int] = set()
    for _ in range(12):
        state = game.start(2)
        while state.to_move is not None and state.turn < 5:
            state, _ = game.apply(state, chance.choice(game.moves(state)))
        if state.to_move is None:
            continue
        fast.load(state)
        for seat in (0, 1):
            plain = machine.Prover(fast.machine, [], [], [0, 0], 0, False)
            seeing = machine.Prover(fast.machine, *found)
            plain.work = seeing.work = 10**9
            answer = plain.prove(seat, WIN)
            assert seeing.prove(seat, WIN) == answer
            answers.add(answer)
    assert answers == {YES, NO}
