"""Tables of whole games agree with proofs, and let the strongest level keep every win."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.search.certificates import ALL_POSITIONS, Certificate, load_certificate
from shibumi3d.rules.marbles.search.position_table import PositionKeys, PositionTableMaker, TooManyPositions
from shibumi3d.rules.marbles.search.relevance import find_counted_details
from shibumi3d.rules.marbles.search.symmetry import get_equivalence
from shibumi3d.search.players import Budget, Choice, analyse, player
from tests.marble_games import slow_in_plain_python
from tools.kept import measure_kept_wins


def positions(game: Any, number: int, seed: int) -> list[Any]:
    """Return ``number`` states from random matches, each at the start of a turn."""
    chance = Random(seed)
    found: list[Any] = []
    while len(found) < number:
        state, turn_starts = game.start(2, seed), []
        while state.to_move is not None:
            if not state.step:
                turn_starts.append(state)
            state, _ = game.apply(state, chance.choice(game.moves(state)).text)
        found.append(chance.choice(turn_starts))
    return found


def loses(game: Any, state: Any, work: int) -> bool | None:
    """Return whether the seat to move loses, or None if the proof-number search can't decide that.

    ``work`` is the work budget of the search, in the units of ``WORK_BUDGET``. No position tables are used.
    """
    engine, fast = get_engine(game.size), game.make_fast_game(2)
    fast.load(state)
    prover = engine.ProofNumberSearch(fast.machine, get_equivalence(game, 2))
    prover.work_left = work
    found = prover.prove(1 - state.to_move, 2)
    return None if found == engine.UNDECIDED else bool(found == engine.YES)


@slow_in_plain_python
def test_small_position_table_agrees_with_proofs() -> None:
    game: Any = shibumi3d.game("special-cake", size=3, variant="candy")
    maker = PositionTableMaker(game)
    assert maker.make(10**9) == 1, "docs/solved.md: the first player wins"
    assert loses(game, game.start(2), 10**9) is False
    keys = PositionKeys(game, game.make_fast_game(2))
    seen = set()
    for state in positions(game, 15, 2):
        walker = Certificate(game, state.to_move, maker.lost_keys, covers_all=True)
        walker.load(state)
        seen.add(walker.position_key() in maker.lost_keys)
        assert (walker.position_key() in maker.lost_keys) is loses(game, state, 10**9)
        assert (walker.position_key() in maker.lost_keys) is not bool(walker.winning_moves())
        assert walker.position_key() in maker.values
    assert seen == {False, True}
    assert keys.point_sets == ()
    with pytest.raises(TooManyPositions):
        PositionTableMaker(game).make(1_000)


@slow_in_plain_python
def test_candy_position_table_answers_for_either_seat() -> None:
    game: Any = shibumi3d.game("special-cake", variant="candy")
    assert (load_certificate(game) or [-1])[0] == ALL_POSITIONS
    late = [state for state in positions(game, 40, 5) if bin(state._snapshot.boards[0][1]).count("1") <= 7]
    seen = set()
    for state in late:
        seat = state.to_move
        low, high, keeping = game.make_search(game.observe(state, seat), seat).solve(0, lambda: False)
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
    assert analyse(game, game.observe(start, 0), Budget(2)).mean == 1.0


@pytest.mark.parametrize(
    ("name", "variant"), [("special-cake", None), ("span", None), ("spline", None), ("splice", None)]
)
def test_games_beyond_colour_counts_get_no_position_table(name: str, variant: str | None) -> None:
    game: Any = shibumi3d.game(name, variant=variant)
    assert find_counted_details(game.start(2)._rules) is None
    with pytest.raises(TooManyPositions):
        PositionTableMaker(game)


def test_counted_colour_sets_are_found_in_the_rules() -> None:
    """In Spodd, each of five diagonals goes to the colour with more marbles on it.

    Colours matter only through the numbers of marbles on these diagonals. The point sets found in the rules are
    therefore the diagonals, both in the usual form and in the variant *weighted*.
    """
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
    masks = {sum(1 << pyramid.point_by_name[point] for point in line.split()) for line in diagonals}
    found = find_counted_details(rules)
    assert found is not None
    assert set(found.point_sets) == masks
    weighted: Any = shibumi3d.game("spodd", variant="weighted")
    also = find_counted_details(weighted.start(2)._rules)
    assert also is not None
    assert set(also.point_sets) == masks


def test_positions_equal_in_counted_sets_share_a_key() -> None:
    game: Any = shibumi3d.game("spodd")
    fast = game.make_fast_game(2)
    keys = PositionKeys(game, fast)

    def key(*moves: str) -> int:
        state = game.start(2)
        for move in moves:
            state, _ = game.apply(state, move)
        fast.load(state)
        return keys.position_key()

    # Ab1 and Aa2 are on one diagonal, Ac1 and Aa3 on the next.
    assert key("W@Ab1", "B@Ac1", "W@Aa2", "B@Aa3") == key("W@Aa2", "B@Aa3", "W@Ab1", "B@Ac1")
    assert key("W@Ab1", "B@Ac1", "B@Aa2", "W@Aa3") == key("B@Ab1", "W@Ac1", "W@Aa2", "B@Aa3")
    assert key("W@Ab1", "B@Ac1", "W@Aa2", "B@Aa3") != key("W@Ab1", "B@Ac1", "B@Aa2", "W@Aa3")


@slow_in_plain_python
def test_kept_and_thrown_wins_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game: Any = shibumi3d.game("special-cake", size=3, variant="candy")
    found = measure_kept_wins(game, 4, 1, Budget(1))
    assert (found.won, found.kept, found.lost_lines) == (4, 4, ())
    rest: Any = player("random")
    monkeypatch.setattr("tools.kept.player", lambda *_: rest)
    found = measure_kept_wins(game, 12, 1, Budget(1))
    assert found.won == 12
    assert found.kept + len(found.lost_lines) == 12
    assert found.lost_lines
    assert isinstance(rest.choose(game, game.start(2)), Choice)
