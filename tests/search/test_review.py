"""Reviews of matches, turn by turn: proved values agree with the solver, and estimates are never called proved."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.game import Game, match_state_key
from shibumi3d.search.players import Budget, player
from shibumi3d.search.review import estimates, proofs, reviewer
from shibumi3d.search.review.context import ReviewContext
from shibumi3d.search.review.estimates import Estimator
from shibumi3d.search.review.proofs import Prover
from shibumi3d.search.review.results import (
    Review,
    ReviewMove,
    TurnReview,
    ValueBounds,
    turn_accuracy,
)
from shibumi3d.search.review.reviewer import review_in_worker, review_progressively
from shibumi3d.search.solver import solve_two_player
from tests.rules.inline import inline

ONLY = """
turn: {place: own, at: "Aa1 | Aa2"}
end:
  - {when: "me == seat(2) and (own & Aa1)", win: me}
  - {when: "not (holes & (Aa1 | Aa2))", win: none}
"""
"""If the first player doesn't take Aa1, the second player wins there; otherwise, the match is a draw."""
LAST = 10
"""Number of plies at the end of a match in which proved values are checked."""
GAMES = (
    "span",
    "special-cake",
    "sp-fireball",
    "spaiji",
    "sp-dancers",
    "spline",
    "spava",
    "spree",
    "spargo",
    "sparks",
)


def play_match(game: Game, seed: int, strength: str = "pebble") -> tuple[Any, list[ReviewMove]]:
    """Play a match between players of the same level, and return its initial state and its moves.

    The first four moves are random; players of the level ``strength`` choose the others. If ``strength`` is "random",
    all moves are random.
    """
    chance = Random(seed)
    first = state = game.start(game.facts(None).players[0], seed)
    made: list[ReviewMove] = []
    while state.to_move is not None:
        seat, turn = state.to_move, state.turn
        open_ = [move.text for move in game.moves(state)]
        text = chance.choice(open_)
        if strength != "random" and len(made) > 3:
            who = player(strength, seed + seat)
            text = who.choose(game, game.observe(state, seat), Budget(30), seat=seat, moves=open_).move
        state, _ = game.apply(state, text)
        made.append(ReviewMove(seat, turn, text, state))
    return first, made


def solved_value(game: Game, state: Any, seat: int, work: int) -> float | None:
    """Return the value of a state for ``seat``: 1 for a win, 0.5 for a draw and 0 for a loss.

    Unless the match is over, the value comes from the solver. Return None if the value is still unknown after the
    solver has tried ``work`` moves.
    """
    if state.result is not None:
        return 0.5 if not state.result.winners else float(seat in state.result.winners)
    worth, _ = solve_two_player(game, state, max_moves=work)
    return worth if worth is None or state.to_move == seat else 1 - worth


def turn_ends(game: Game, here: Any) -> list[Any]:
    """Return the state after each way to complete the current turn."""
    ways, found = [here], []
    while ways:
        state = ways.pop()
        for move in game.moves(state):
            after, _ = game.apply(state, move)
            inside = after.result is None and (after.to_move, after.turn) == (here.to_move, here.turn)
            (ways if inside else found).append(after)
    return found


def check_proved_values(game: Game, seed: int, work: int = 20_000) -> int:
    """Play a match, and assert that the review of its last turns agrees with the solver.

    Only turns that end within the last :data:`LAST` plies are checked. Each value that the review calls proved is
    compared with the solver's value. For each "only move" (see :class:`.TurnReview`), the solver's values of the
    alternatives must be lower. The solver tries up to ``work`` moves per value; values that it doesn't find aren't
    compared. Return the number of proved values that the solver confirms, plus the number of "only moves".
    """
    first, made = play_match(game, seed)
    *_, found = review_progressively(game, first, made, simulations=30)
    states = [first, *[one.state for one in made]]
    number = 0
    for one in found.turns:
        if one.end <= len(made) - LAST:
            continue
        for said, state in ((one.best_value, states[one.start]), (one.played_value, states[one.end])):
            if said is not None and said.is_proved:
                known = solved_value(game, state, one.seat, work)
                assert known in (None, said.value), (game.id, seed, one)
                number += known is not None
        if one.is_only_move:
            there = states[one.end]
            ends = [
                state
                for state in turn_ends(game, states[one.start])
                if match_state_key(state) != match_state_key(there)
            ]
            worths = [solved_value(game, state, one.seat, work) for state in ends]
            assert one.best_value is not None
            assert all(worth is None or worth < one.best_value.value for worth in worths), (
                game.id,
                seed,
                one,
            )
            number += 1
    return number


def test_review_proofs_agree_with_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MAX_WORK", 500_000)
    assert check_proved_values(load_catalogue().get("spline").game(), 1, work=1_000) > 4


@pytest.mark.thorough
@pytest.mark.parametrize("name", GAMES)
def test_review_proofs_agree_with_solver_in_many_matches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MAX_WORK", 500_000)  # with the usual limit, a game may take an hour
    game = load_catalogue().get(name).game()
    assert sum(check_proved_values(game, seed) for seed in range(20)) > 20


def test_review_is_deterministic_for_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MAX_WORK", 1_000)
    game = load_catalogue().get("spline").game()
    first, made = play_match(game, 3, "random")
    made = made[:6]
    one, other = (list(review_progressively(game, first, made, simulations=12, seed=5))[-1] for _ in range(2))
    assert one == other
    assert one.is_complete
    assert one != list(review_progressively(game, first, made, simulations=12, seed=6))[-1]


def test_interrupted_review_keeps_partial_results(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_catalogue().get("spline").game()
    first, made = play_match(game, 3, "random")
    asked = iter([False, False, True])
    monkeypatch.setattr(reviewer, "make_hurry_callback", lambda: lambda: next(asked, True))
    monkeypatch.setattr(reviewer, "limit_memory", lambda: None)
    found = review_in_worker(game, first, made)
    assert found is not None
    assert not found.is_complete
    assert len(found.turns) == len(made)


def test_review_never_compares_proofs_with_estimates() -> None:
    sure, lost, guessed = ValueBounds(1.0, 1.0, 1.0), ValueBounds(0.0, 0.0, 0.0), ValueBounds(0.3)
    assert TurnReview(0, 1, 0, 0, sure, lost).lost_result == "win"
    assert TurnReview(0, 1, 0, 0, ValueBounds(0.5, 0.5, 0.5), lost).lost_result == "draw"
    for one in (TurnReview(0, 1, 0, 0, sure, guessed), TurnReview(0, 1, 0, 0, guessed, lost)):
        assert not one.is_proved
        assert one.lost_result == ""
        assert one.mark == "??"


def test_turn_that_only_costs_points_gives_away_no_result() -> None:
    most, half, lost = ValueBounds(1.0, 1.0, 1.0), ValueBounds(0.5, 0.5, 0.5), ValueBounds(0.0, 0.0, 0.0)
    fewer = TurnReview(0, 1, 0, 0, most, half, best_score=8, played_score=4, is_scored=True)
    assert (fewer.is_mistake, fewer.lost_result) == (True, "")
    failed = TurnReview(0, 1, 0, 0, half, lost, best_score=4, played_score=None, is_scored=True)
    assert failed.lost_result == "win"


def test_three_player_review_proves_only_last_turn() -> None:
    game = load_catalogue().get("spao").game()
    first, made = play_match(game, 1, "random")
    first, made = made[-5].state, made[-4:]
    found = list(review_progressively(game, first, made, simulations=4))[-1]
    for one in found.turns[:-1]:
        assert one.played_value is not None
        assert not one.played_value.is_proved
    last = found.turns[-1]
    assert last.played_value is not None
    assert last.played_value.is_proved


def test_proved_losing_turn_is_never_recommended() -> None:
    game = load_catalogue().get("spline").game()
    first, made = play_match(game, 3, "random")
    course, at = ReviewContext(game, first, made, 0, lambda: False), 8
    judge = Estimator(course, Prover(course))
    judge.estimate_turn(at, 30)
    best_turn = course.turns[at].best_turn
    assert best_turn != (made[at].move,)
    course.losing_turns[at] = frozenset({best_turn})
    judge.estimate_turn(at, 30)
    assert course.turns[at].best_turn != best_turn
    course.losing_turns[at] = frozenset((move.text,) for move in game.moves(made[at - 1].state))
    judge.estimate_turn(at, 30)
    assert course.turns[at].loss == 0, "where all loses nothing is lost"


def test_review_marks_follow_value_loss() -> None:
    def mark(loss: float) -> str:
        return TurnReview(0, 1, 0, 0, ValueBounds(0.9), ValueBounds(0.9 - loss / 100)).mark

    assert [mark(loss) for loss in (0.0, 6.9, 7.1, 14.9, 15.1, 29.9, 30.1, 80)] == [
        "", "", "?!", "?!", "?", "?", "??", "??",
    ]  # fmt: skip


def test_seat_accuracy_lies_between_turn_accuracies() -> None:
    turns = tuple(
        TurnReview(n, n + 1, n, 0, ValueBounds(0.8), ValueBounds(0.8 - loss))
        for n, loss in enumerate((0.0, 0.3, 0.1))
    )
    accuracy = Review(turns, 10).accuracy(0)
    assert accuracy is not None
    assert turn_accuracy(30) < accuracy[0] < turn_accuracy(0)
    assert round(turn_accuracy(0)) == 100
    assert Review(turns, 10).accuracy(1) is None
    assert [one.start for one in Review(turns, 10).mistakes([0])] == [1, 2]


def test_review_searches_from_seat_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches use only the view of the seat that moves, and simultaneous secret choices get no mark.

    In Spagyric, both players secretly choose a marble at the same time. For such a choice, the review gives no value of
    the move played, but may give a mixed strategy, whose probabilities sum to 1 apart from rounding.
    """
    game = load_catalogue().get("spagyric").game()
    first, made = play_match(game, 2, "random")
    looked: list[tuple[Any, int]] = []
    search_of = estimates.make_search

    def seen(game: Game, view: Any, seat: int, *more: Any) -> Any:
        looked.append((view, seat))
        return search_of(game, view, seat, *more)

    monkeypatch.setattr(estimates, "make_search", seen)
    monkeypatch.setattr(proofs, "make_search", seen)
    found = list(review_progressively(game, first, made[:12], simulations=4))[-1]
    states = [first, *[one.state for one in made]]
    assert looked
    assert all(view.seed is None for view, _ in looked)
    for one in found.turns:
        ask = states[one.start].decision
        if ask.visibility == "hidden":
            assert one.played_value is None
            assert one.mark == ""
            assert not one.mix or abs(sum(share for _, share in one.mix) - 1) < 0.01
    assert any(one.mix for one in found.turns)
    assert any(one.played_value is not None for one in found.turns)


def test_review_value_ignores_later_chance_result() -> None:
    """The review of a move stays the same if a different marble is drawn after it.

    In Spoker, each turn begins with a random draw from the bag. The reviewed move is also made in another state that
    looks the same to the seat to move, but in which a different draw follows.
    """
    game = load_catalogue().get("spoker").game()
    first, made = play_match(game, 1, "random")
    found = list(review_progressively(game, first, made[:1], simulations=12))[-1].turns[0]
    seat = made[0].seat
    after, _ = game.apply(game.determinize(game.observe(first, seat), seat, Random(99)), made[0].move)
    assert game.observe(after, seat) != game.observe(made[0].state, seat)
    other = [replace(made[0], state=after)]
    assert list(review_progressively(game, first, other, simulations=12))[-1].turns[0] == found


def test_only_turn_keeping_draw_is_marked() -> None:
    """The second seat threatens to win at Aa1, so only the turn that takes this hole keeps the draw."""
    game = inline(ONLY)
    first = game.start(2)
    kept, _ = game.apply(first, "W@Aa1")
    drawn, _ = game.apply(kept, "B@Aa2")
    lost, _ = game.apply(first, "W@Aa2")
    over, _ = game.apply(lost, "B@Aa1")
    held = list(
        review_progressively(
            game, first, [ReviewMove(0, 1, "W@Aa1", kept), ReviewMove(1, 2, "B@Aa2", drawn)], simulations=4
        )
    )[-1]
    assert (held.turns[0].mark, held.turns[0].is_only_move, held.turns[0].lost_result) == ("!", True, "")
    given = list(
        review_progressively(
            game, first, [ReviewMove(0, 1, "W@Aa2", lost), ReviewMove(1, 2, "B@Aa1", over)], simulations=4
        )
    )[-1]
    assert (given.turns[0].is_only_move, given.turns[0].lost_result) == (False, "draw")
    assert given.turns[0].best_turn == ("W@Aa1",)


# Special Cake with White to eat: Aa3, Ab1 to Ab4, Ac1, Ad4. Whoever eats the last marble loses.
CAKE = ".B.B,WW..,.B..,.WW./...,...,.../..,../."


def make_moves(game: Game, first: Any, *turns: tuple[str, ...]) -> list[ReviewMove]:
    state, made = first, []
    for turn in turns:
        for text in turn:
            seat, number = state.to_move, state.turn
            state, _ = game.apply(state, text)
            made.append(ReviewMove(seat, number, text, state))
    return made


def test_winning_turn_with_equal_alternative_is_not_only_move() -> None:
    """White wins by eating Ab2 and Ab3, or by eating Ab1 to Ab4, so neither turn is the only winning one.

    In Special Cake, whoever eats the last marble loses. In a turn, a player eats one marble, or a line of touching
    marbles of at least two colours. The first winning turn leaves five marbles, and the second leaves three. In both
    cases, no two marbles of different colours touch. The marbles are therefore eaten one by one, and Black eats the
    last. Each winning turn starts with the choice of a line, which doesn't change the board.
    """
    game = load_catalogue().get("special-cake").game()
    first = game.position(CAKE, to_move=0, phase=1)  # type: ignore[attr-defined]
    turns = [("Ab2+Ab3", "xAb3", "xAb2"), *[(f"x{point}",) for point in ("Ad4", "Ab4", "Aa3", "Ab1", "Ac1")]]
    found = list(review_progressively(game, first, make_moves(game, first, *turns), simulations=3))[-1].turns[
        0
    ]
    assert found.best_value is not None
    assert (found.best_value.is_proved, found.best_value.value) == (True, 1.0)
    assert found.played_value is not None
    assert (found.played_value.value, found.is_only_move, found.mark) == (1.0, False, "")


CHOSEN = """
turn:
  - {pick: "range(3)", as: way}
  - {place: own, at: "Aa1 if way == 1 else Aa2 if way == 2 else Aa3"}
end:
  - {when: "own & (%s)", win: me}
  - {when: "not (own & (%s))", win: next(me)}
"""
"""A number is chosen, which doesn't change the board but determines where the marble goes."""


@pytest.mark.parametrize(("wins", "only"), [("Aa1", True), ("Aa1 | Aa2", False)])
def test_review_considers_all_turns_after_neutral_choice(wins: str, only: bool) -> None:
    game = inline(CHOSEN % (wins, wins))
    first = game.start(2)
    choices = [
        (one.text, two.text) for one in game.moves(first) for two in game.moves(game.apply(first, one)[0])
    ]
    assert [two for _, two in choices] == ["W@Aa3", "W@Aa1", "W@Aa2"]
    found = list(review_progressively(game, first, make_moves(game, first, choices[1]), simulations=3))[
        -1
    ].turns[0]
    assert (found.is_only_move, found.mark) == (only, "!" if only else "")
