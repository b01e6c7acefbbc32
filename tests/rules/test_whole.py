"""Tables of whole games say of a position what a proof finds, and the strongest keeps every win by them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.thinking.certificates import WHOLE, Certificate, known
from shibumi3d.rules.marbles.thinking.relevance import counted
from shibumi3d.rules.marbles.thinking.symmetry import alike
from shibumi3d.rules.marbles.thinking.whole import Keys, TableMaker, TooMany
from shibumi3d.search.players import Budget, Choice, analyse, player
from tests.marble_games import with_compiled
from tools.kept import kept_wins


def positions(game: Any, number: int, seed: int) -> list[Any]:
    """States at which a turn begins, of matches played at random."""
    chance = Random(seed)
    found: list[Any] = []
    while len(found) < number:
        state, begun = game.start(2, seed), []
        while state.to_move is not None:
            if not state.step:
                begun.append(state)
            state, _ = game.apply(state, chance.choice(game.moves(state)).text)
        found.append(chance.choice(begun))
    return found


def loses(game: Any, state: Any, work: int) -> bool | None:
    """Whether whoever is to move at a state loses, as a proof finds that knows no table; None for open."""
    engine, fast = engine_of(game.size), game.fast(2)
    fast.load(state)
    prover = engine.Prover(fast.machine, alike(game, 2))
    prover.work = work
    found = prover.prove(1 - state.to_move, 2)
    return None if found == engine.OPEN else bool(found == engine.YES)


@with_compiled
def test_the_table_of_a_small_game_says_what_proofs_find() -> None:
    game: Any = shibumi3d.game("special-cake", size=3, variant="candy")
    maker = TableMaker(game)
    assert maker.make(10**9) == 1, "docs/solved.md: the first player wins"
    assert loses(game, game.start(2), 10**9) is False
    keys = Keys(game, game.fast(2))
    seen = set()
    for state in positions(game, 15, 2):
        walker = Certificate(game, state.to_move, maker.lost, whole=True)
        walker.load(state)
        seen.add(walker.key() in maker.lost)
        assert (walker.key() in maker.lost) is loses(game, state, 10**9)
        assert (walker.key() in maker.lost) is not bool(walker.keeping())
        assert walker.key() in maker.worth
    assert seen == {False, True}
    assert keys.sets == ()
    with pytest.raises(TooMany):
        TableMaker(game).make(1_000)


@with_compiled
def test_a_table_is_kept_of_candy_and_asked_by_either_seat() -> None:
    game: Any = shibumi3d.game("special-cake", variant="candy")
    assert (known(game) or [-1])[0] == WHOLE
    late = [state for state in positions(game, 40, 5) if bin(state._at.boards[0][1]).count("1") <= 7]
    seen = set()
    for state in late:
        seat = state.to_move
        low, high, keeping = game.search(game.view(state, seat), seat).solved(0, lambda: False)
        lost = loses(game, state, 10**9)
        assert (low, high) == ((0.0, 0.0) if lost else (1.0, 1.0))
        assert bool(keeping) is not lost
        seen.add((seat, lost))
        for text in keeping[:1]:
            after, _ = game.apply(state, text)
            if after.to_move not in (None, seat):
                assert loses(game, after, 10**9)
    assert len(seen) >= 3
    start = game.start(2, 4)
    assert analyse(game, game.view(start, 0), Budget(2)).mean == 1.0


@pytest.mark.parametrize(
    ("name", "variant"), [("special-cake", None), ("span", None), ("spline", None), ("splice", None)]
)
def test_where_more_is_seen_of_colours_no_table_is_made(name: str, variant: str | None) -> None:
    game: Any = shibumi3d.game(name, variant=variant)
    assert counted(game.start(2)._rules) is None
    with pytest.raises(TooMany):
        TableMaker(game)


def test_the_sets_in_which_colours_are_counted_are_read_from_the_rules() -> None:
    """Of Spodd the five diagonals, of *candy* none."""
    spodd: Any = shibumi3d.game("spodd")
    state = spodd.start(2)
    rules = state._rules
    pyramid = rules.pyramid
    diagonals = [
        "Ab1 Ba1 Aa2",
        "Ac1 Bb1 Ca1 Ba2 Aa3",
        "Ad1 Bc1 Cb1 Da1 Ca2 Ba3 Aa4",
        "Ad2 Bc2 Cb2 Bb3 Ab4",
        "Ad3 Bc3 Ac4",
    ]
    masks = {sum(1 << pyramid.index[point] for point in line.split()) for line in diagonals}
    found = counted(rules)
    assert found is not None
    assert set(found.sets) == masks
    weighted: Any = shibumi3d.game("spodd", variant="weighted")
    also = counted(weighted.start(2)._rules)
    assert also is not None
    assert set(also.sets) == masks


def test_positions_that_differ_in_what_is_not_counted_have_one_key() -> None:
    game: Any = shibumi3d.game("spodd")
    fast = game.fast(2)
    keys = Keys(game, fast)

    def key(*moves: str) -> int:
        state = game.start(2)
        for move in moves:
            state, _ = game.apply(state, move)
        fast.load(state)
        return keys.key()

    # Ab1 and Aa2 lie on one diagonal, Ac1 and Aa3 on the next.
    assert key("W@Ab1", "B@Ac1", "W@Aa2", "B@Aa3") == key("W@Aa2", "B@Aa3", "W@Ab1", "B@Ac1")
    assert key("W@Ab1", "B@Ac1", "B@Aa2", "W@Aa3") == key("B@Ab1", "W@Ac1", "W@Aa2", "B@Aa3")
    assert key("W@Ab1", "B@Ac1", "W@Aa2", "B@Aa3") != key("W@Ab1", "B@Ac1", "B@Aa2", "W@Aa3")


@with_compiled
def test_no_won_position_is_thrown_away_and_one_that_is_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game: Any = shibumi3d.game("special-cake", size=3, variant="candy")
    found = kept_wins(game, 4, 1, Budget(1))
    assert (found.won, found.kept, found.threw) == (4, 4, ())
    rest: Any = player("random")
    monkeypatch.setattr("tools.kept.player", lambda *_: rest)
    found = kept_wins(game, 12, 1, Budget(1))
    assert found.won == 12
    assert found.kept + len(found.threw) == 12
    assert found.threw
    assert isinstance(rest.choose(game, game.start(2)), Choice)
