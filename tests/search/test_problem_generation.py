"""The requirements for problems, on positions whose value is worked out by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.notation import parse_position
from shibumi3d.catalogue.problems import load_problems
from shibumi3d.rules.game import Game, initial_state
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import never_stop
from shibumi3d.search.problems import candidates, proofs, requirements
from shibumi3d.search.problems import difficulty as grading
from shibumi3d.search.problems.candidates import Candidate, FoundProblem, difficulty
from shibumi3d.search.problems.selection import ProblemSelection
from tests.rules.inline import inline
from tests.search.test_review import ONLY

# White has three marbles in rank 1, Black three in rank 4: whoever is to move wins by completing the row, and in no
# other way.
RACE = "BBB.,....,....,WWW."
# White has two open rows of three, which end at Ad1 and Aa4; Black has none.
TWICE = "....,W...,W.B.,WWW."
# Black to move has no row. Both rows of White lack only Aa1, where one marble stops both.
STOP = "W...,W...,W.BB,.WWW"


@pytest.fixture(scope="module")
def spline() -> Game:
    return load_catalogue().get("spline").game()


def make_candidate(game: Game, board: str, to_move: int = 0) -> Candidate:
    """Return a candidate whose level A is given by the text ``board``, with no marbles above it."""
    return Candidate(game, game.position(f"{board}/...,...,.../..,../.", to_move=to_move), ())  # type: ignore[attr-defined]


def evaluations(at: Candidate, work: int = 200_000, **more: Any) -> dict[str, MoveEvaluation]:
    found = make_search(at.game, at.game.observe(at.state, at.seat), at.seat).prove_turns(
        work, never_stop, **more
    )
    return {" ".join(one.move_texts): one for one in found}


def test_every_turn_is_listed_once_with_its_value(spline: Game) -> None:
    found = evaluations(make_candidate(spline, RACE), max_turns=2)
    # Ten holes of level A are empty, and no 2 × 2 square is complete to build on.
    assert len(found) == 10
    assert found["W@Ad1"].lower_bound == 1.0
    # Black completes rank 4 unless White plays there; if White does, nothing is lost within two turns.
    assert {turn for turn, one in found.items() if one.upper_bound < 1.0} == found.keys() - {"W@Ad1", "W@Ad4"}


def test_losing_turns_are_found_where_none_wins(spline: Game) -> None:
    found = evaluations(make_candidate(spline, STOP, 1), max_turns=2)
    assert {turn for turn, one in found.items() if one.upper_bound > 0.0} == {"B@Aa1"}


def test_multi_choice_turns_are_listed_once_per_position() -> None:
    game = load_catalogue().get("spree").game()
    state = game.start()
    found = make_search(game, game.observe(state, 0), 0).prove_turns(0, never_stop, max_turns=1)
    reached = [candidates.state_after(game, state, one.move_texts) for one in found]
    assert {(there.turn, there.step) for there in reached} == {(1, 0)}
    assert len({there.repetition_key for there in reached}) == len(found)
    assert {there.repetition_key for _, there in candidates.possible_turns(game, state)} == {
        there.repetition_key for there in reached
    }


def test_positions_with_too_many_turns_list_none(spline: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.rules.marbles.search.marble_search.MAX_TURN_POSITIONS", 9)
    assert evaluations(make_candidate(spline, RACE), max_turns=1) == {}
    assert candidates.possible_turns(spline, make_candidate(spline, RACE).state, 9) == []
    assert len(candidates.possible_turns(spline, make_candidate(spline, RACE).state, 10)) == 10


def test_immediate_wins_are_found(spline: Game) -> None:
    assert proofs.immediate_wins(spline, make_candidate(spline, RACE).state, 0) == [("W@Ad1",)]
    assert proofs.immediate_wins(spline, make_candidate(spline, RACE, 1).state, 1) == [("B@Ad4",)]
    assert sorted(proofs.immediate_wins(spline, make_candidate(spline, TWICE).state, 0)) == [
        ("W@Aa4",),
        ("W@Ad1",),
    ]
    assert proofs.immediate_wins(spline, make_candidate(spline, STOP, 1).state, 1) == []


@pytest.mark.parametrize(
    ("board", "to_move", "seat", "length"),
    [
        (RACE, 0, 0, 1),
        # Black can stop only one of the two rows, so White wins with the next turn.
        (TWICE, 1, 0, 2),
        # Black has no row to complete, and can stop both of White's.
        (STOP, 1, 0, 0),
        (STOP, 0, 0, 1),
    ],
)
def test_turns_to_forced_win_are_counted(
    spline: Game, board: str, to_move: int, seat: int, length: int
) -> None:
    state = make_candidate(spline, board, to_move).state
    search = make_search(spline, spline.observe(state, seat), seat)
    assert search.turns_to_win(2, 10**6, never_stop) == length
    # The result doesn't depend on earlier searches.
    search.prove_turns(10**5, never_stop, max_turns=3)
    assert search.turns_to_win(2, 10**6, never_stop) == length


@pytest.mark.parametrize(
    ("board", "to_move", "seat", "number"),
    [
        (RACE, 0, 0, 1),
        (TWICE, 1, 0, 1),  # Black's turn does not count
        (STOP, 1, 0, 4),  # not in three
        (STOP, 0, 0, 1),
    ],
)
def test_own_turns_to_win_are_counted(spline: Game, board: str, to_move: int, seat: int, number: int) -> None:
    search = make_search(spline, spline.observe(make_candidate(spline, board, to_move).state, seat), seat)
    assert search.own_turns_to_win(3, 10**6, never_stop) == number
    assert search.own_turns_to_win(3, 10**6, never_stop) == number
    assert search.own_turns_to_win(3, 1, never_stop) in (number, -1)


def test_forced_losing_reply_adds_no_own_turn() -> None:
    """In Special Cake, whoever eats the last marble loses.

    White eats one of the last two, so Black has to eat the other; this forced reply doesn't count as one of White's
    turns. White therefore needs one turn to win and, once it has been played, no further turn. Black can't win, so the
    result for Black is one more than the limit of three turns.
    """
    cake = load_catalogue().get("special-cake").game()
    left = "...B,....,....,W.../...,...,.../..,../."
    state = cake.position(left, to_move=0, phase=1)  # type: ignore[attr-defined]
    assert make_search(cake, cake.observe(state, 0), 0).own_turns_to_win(3, 10**6, never_stop) == 1
    state, _ = cake.apply(state, "xAa1")
    assert make_search(cake, cake.observe(state, 0), 0).own_turns_to_win(3, 10**6, never_stop) == 0
    assert make_search(cake, cake.observe(state, 1), 1).own_turns_to_win(3, 10**6, never_stop) == 4


IN_A_ROW = """
turn:
  - {place: own, at: "Aa1 | Aa2 | Aa3"}
  - {next: me}
end:
  - {when: "count(filled) == 3", win: %s}
"""
"""A game in which the first seat takes all turns."""


def test_consecutive_turns_count_for_their_seat() -> None:
    for winner, numbers in (("me", (3, 4)), ("next(me)", (4, 0))):
        game = inline(IN_A_ROW % winner)
        state = game.start(2)
        found = [
            make_search(game, game.observe(state, seat), seat).own_turns_to_win(3, 10**6, never_stop)
            for seat in (0, 1)
        ]
        assert tuple(found) == numbers
    at = Candidate(game, state, ())
    assert not proofs.seats_alternate(at, (("W@Aa1",), ("W@Aa2",)))
    assert proofs.seats_alternate(at, (("W@Aa1",),))


def test_equally_fast_turn_is_a_second_solution() -> None:
    """In Spack, both B@Cb2 and W@Cb2 win in one turn here.

    Above the lowest level, a marble must rest on at least one marble of its own colour. The match ends when the player
    to move can't play. Each player then counts the colour of which they hold the fewest marbles, and the higher count
    wins. The opponent has only white marbles left, so their count is 0. After B@Cb2, they can't play, since none of the
    four marbles under the top is white. After W@Cb2, they can only fill the top, which ends the match. In both cases,
    the winner has marbles of each colour left.
    """
    spack = load_catalogue().get("spack").game()
    begun = parse_position("BBBB,RBRB,WWBB,WRWB/RR.,RWR,RBW/R.,BR/. 1 1 hand=WWWWWWWB|WWWBBBBRRRRRR")
    state, _ = spack.apply(initial_state(spack, 2, 0, begun), "B@Bc3")
    at = Candidate(spack, state, ())
    search = make_search(spack, spack.observe(state, at.seat), at.seat)
    won = {
        one.move_texts
        for one in search.prove_turns(10**6, never_stop, max_own_turns=1)
        if one.lower_bound == 1.0
    }
    assert {("B@Cb2",), ("W@Cb2",)} <= won
    assert requirements.verify(at, make_found_problem(at, n=1, line=(("B@Cb2",),))) == ["second"]
    assert requirements.find_problem(at) is None


def test_distant_win_is_not_reported_as_near(spline: Game) -> None:
    state = make_candidate(spline, TWICE).state
    search = make_search(spline, spline.observe(state, 0), 0)
    won = [
        {
            one.move_texts
            for one in search.prove_turns(10**6, never_stop, max_turns=turns)
            if one.lower_bound == 1.0
        }
        for turns in (3, 2)
    ]
    # With three turns, White may start elsewhere, because Black can't stop both rows; with two, it has to complete
    # one.
    assert len(won[0]) > 2
    assert won[1] == {("W@Aa4",), ("W@Ad1",)}


def test_without_work_turns_to_win_are_unknown(spline: Game) -> None:
    state = make_candidate(spline, STOP, 1).state
    assert make_search(spline, spline.observe(state, 0), 0).turns_to_win(4, 1, never_stop) == -1


def test_only_one_turn_may_solve_except_equivalents(spline: Game) -> None:
    race, twice = make_candidate(spline, RACE), make_candidate(spline, TWICE)
    sure = [MoveEvaluation(("W@Ad1",), 0, 1.0, 1.0, 1.0), MoveEvaluation(("W@Ad2",), 0, 0.0, 0.0, 0.0)]
    assert proofs.find_solutions(race, sure, 1.0) == [("W@Ad1",)]
    # If another turn isn't known to be worse, nothing is proved.
    assert proofs.find_solutions(race, [sure[0], replace(sure[1], upper_bound=1.0)], 1.0) == []
    # Without the black marble, the two rows of TWICE would be mirror images.
    both = [MoveEvaluation((turn,), 0, 1.0, 1.0, 1.0) for turn in ("W@Ad1", "W@Aa4")]
    assert proofs.find_solutions(twice, both, 1.0) == []
    assert proofs.find_solutions(make_candidate(spline, "....,W.B.,WB..,WWW."), both, 1.0) == [
        ("W@Ad1",),
        ("W@Aa4",),
    ]


def test_rotated_positions_are_equivalent(spline: Game) -> None:
    one, other = (
        make_candidate(spline, board).state for board in ("W...,....,....,...B", "...B,....,....,W...")
    )
    search = make_search(spline, one, 0)
    # The positions are the same after a quarter turn; unrotated, they differ in all four corners.
    assert search.distance_to(other) == 0
    assert search.distance_to(make_candidate(spline, "W...,....,....,...W").state) == 1
    assert search.distance_to(make_candidate(spline, "WB..,....,....,...B").state) == 1
    assert search.is_equivalent(other)
    assert not search.is_equivalent(make_candidate(spline, "W...,....,....,...B", 1).state)


def test_immediately_losing_turns_do_not_count_as_choices(spline: Game) -> None:
    at = make_candidate(spline, STOP, 1)
    turns = [turn for turn, _ in candidates.possible_turns(spline, at.state)]
    assert proofs.count_surviving(spline, at.state, turns, 1) == 1
    assert not proofs.has_suitable_choices([None] * 5)
    assert proofs.has_suitable_choices([None] * 6)


def test_drawing_turn_survives() -> None:
    game = inline('turn: {place: own, at: Aa1}\nend: [{when: "not (holes & Aa1)", win: none}]\n')
    state = game.start(2)
    drawn = candidates.state_after(game, state, ("W@Aa1",))
    assert drawn.result is not None
    assert drawn.result.winners == ()
    assert proofs.count_surviving(game, state, [("W@Aa1",)], 0) == 1


def test_fastest_win_and_longest_resistance_are_found(spline: Game) -> None:
    # Black loses within two turns whatever it does; stopping a row takes no longer than other turns.
    state = make_candidate(spline, TWICE, 1).state
    assert proofs.fastest_win(spline, make_candidate(spline, RACE).state, 0) == ("W@Ad1",)
    answer = proofs.longest_resistance(spline, state, 0)
    there = candidates.state_after(spline, state, answer)
    assert proofs.immediate_wins(spline, there, 0)


def test_line_ends_when_only_losing_turns_remain() -> None:
    """In Special Cake, whoever eats the last marble loses.

    Two marbles side by side and a single one are left. White wins by eating both marbles of the pair in one turn,
    because Black must then eat the last marble. The winning line ends with Black's turn. If White ate only one marble,
    Black would eat another, and leave the last one to White.
    """
    game: Any = load_catalogue().get("special-cake").game()
    state = game.position("...B,....,....,WB../...,...,.../..,../.", phase=1)
    at = Candidate(game, state, ())
    key = ("Aa1+Ab1", "xAa1", "xAb1")
    found = evaluations(at)
    assert {turn: one.lower_bound for turn, one in found.items()} == {
        " ".join(key): 1.0,
        "xAa1": 0.0,
        "xAb1": 0.0,
        "xAd4": 0.0,
    }
    line = proofs.find_winning_line(at, key)
    assert line == (key, ("xAd4",))
    assert proofs.count_own_turns(at, line) == 1
    assert not requirements.verify(at, FoundProblem("win", at, 1, line))


def test_refutation_wins_where_possible(spline: Game) -> None:
    # White didn't stop rank 4 and hasn't won, so Black completes it.
    state = candidates.state_after(spline, make_candidate(spline, RACE).state, ("W@Ab2",))
    assert proofs.find_refutation(spline, state) == ("B@Ad4",)


@pytest.mark.parametrize(
    ("shares", "tries"),
    [
        ([1.0, 1.0, 1.0, 1.0, 1.0], 30),
        ([0.2, 0.4, 0.6, 0.8, 1.0], 300),
        # A solution that was found once but lost again doesn't count.
        ([0.8, 0.4, 1.0, 1.0, 1.0], 300),
        ([0.0, 0.0, 0.0, 0.0, 0.6], 3_000),
        ([1.0, 1.0, 1.0, 1.0, 0.4], grading.UNSOLVED),
    ],
)
def test_simulations_needed_are_counted(shares: list[float], tries: int) -> None:
    assert grading.simulations_needed(shares) == tries


def test_rating_matches_the_expected_number_of_solutions() -> None:
    # With 1000 tries, half of the problems are solved: 2.5 of 5, and 1 of 2.
    assert grading.estimate_rating([0.5], [1_000]) == 1_000
    # 6 of 7 solved: 1000 - 400 log10(6) = 688.7. With 1 of 7, it is as much above 1000.
    assert grading.estimate_rating([1.0], [1_000]) == 689
    assert grading.estimate_rating([0.0], [1_000]) == 1_311


def make_found_problem(at: Candidate, **more: Any) -> FoundProblem:
    given = {"kind": "win", "candidate": at, "n": 1, "line": (("W@Ad1",),), "surprise": 30, **more}
    return FoundProblem(**given)


@pytest.mark.parametrize(
    ("n", "surprise", "hard"),
    [
        (1, 30, "easy"),
        (2, 100, "easy"),
        (3, 30, "middling"),
        (1, 300, "middling"),
        (1, 1_000, "hard"),
        (4, 30, "hard"),
    ],
)
def test_difficulty_tiers_depend_on_length_and_surprise(
    spline: Game, n: int, surprise: int, hard: str
) -> None:
    assert difficulty(make_found_problem(make_candidate(spline, RACE), n=n, surprise=surprise)) == hard


def test_selection_accepts_only_new_problems_in_its_range(spline: Game) -> None:
    first_problem = ProblemSelection(lambda one: one.rating < 2_000)
    assert first_problem.add(make_found_problem(make_candidate(spline, RACE)))
    # A position that is rotated by 180° with two more marbles isn't new; with three more it is.
    assert not first_problem.add(make_found_problem(make_candidate(spline, ".WWW,....,....,.BBB")))
    assert not first_problem.add(make_found_problem(make_candidate(spline, "BBB.,W...,B...,WWW.")))
    assert first_problem.add(make_found_problem(make_candidate(spline, "BBB.,W.W.,B...,WWW.")))
    assert not first_problem.add(make_found_problem(make_candidate(spline, TWICE), rating=2_000))
    assert len(first_problem.sorted_problems()) == 2
    assert not first_problem.is_complete


@pytest.fixture(scope="module")
def first_problem(spline: Game) -> FoundProblem:
    """The first problem of Spline: a win in one, near the end of a match."""
    given = load_problems("spline")[0]
    at = Candidate(spline, given.start_state(spline), given.moves)
    return make_found_problem(at, n=given.n, line=given.line, wrong=given.wrong)


def test_problem_is_verified_by_both_methods(first_problem: FoundProblem) -> None:
    assert requirements.verify(first_problem.candidate, first_problem) == []
    assert requirements.verify(first_problem.candidate, first_problem, use_other_method=True) == []


def test_invalid_problem_fails_verification(first_problem: FoundProblem) -> None:
    at, (wrong, _) = first_problem.candidate, first_problem.wrong[0]
    assert set(requirements.verify(at, replace(first_problem, line=(wrong,)))) == {"key", "second", "line"}
    assert requirements.verify(at, replace(first_problem, n=2)) == ["length", "line"]
    assert requirements.verify(at, replace(first_problem, also=(wrong,))) == ["key"]
    assert requirements.verify(
        at, replace(first_problem, wrong=((wrong, useless_refutation(first_problem)),))
    ) == ["wrong"]


def useless_refutation(first_problem: FoundProblem) -> tuple[str, ...]:
    """Return a useless answer to the first wrong turn: after that answer, the solution still wins."""
    at, (wrong, _) = first_problem.candidate, first_problem.wrong[0]
    there = candidates.state_after(at.game, at.state, wrong)
    return next(
        answer
        for answer, after in candidates.possible_turns(at.game, there)
        if after.result is None and first_problem.solution in proofs.immediate_wins(at.game, after, at.seat)
    )


def test_generated_refutations_pass_verification(
    first_problem: FoundProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, (wrong, right) = first_problem.candidate, first_problem.wrong[0]
    found = []
    for answer in (right, useless_refutation(first_problem)):
        monkeypatch.setattr(proofs, "find_refutation", lambda game, state, answer=answer: answer)
        found.append(proofs.refute_wrong_turns(at, [wrong], Counter(), "win", len(first_problem.line)))
    assert found == [((wrong, right),), ()]


def test_generated_matches_are_reproducible(spline: Game) -> None:
    first, again = (next(candidates.generate_matches(spline, 2)) for _ in range(2))
    assert first[1] == again[1]
    assert first[0][-1].result is not None
    assert len(first[0]) == len(first[1]) + 1


NEAR = ("sp-fireball", "spargo", "sphlag", "spoing", "spuds")
"""Games whose problems are proved quickly without the compiled engine; ``make problems`` checks all."""


@pytest.mark.parametrize("name", NEAR)
def test_first_five_problems_pass_the_other_method(name: str) -> None:
    game = load_catalogue().get(name).game()
    for given in load_problems(name)[:5]:
        at = Candidate(game, given.start_state(game), given.moves)
        one = FoundProblem(given.kind, at, given.n, given.line, given.also, given.wrong)
        assert requirements.verify(at, one, use_other_method=True) == []


def test_aborted_match_yields_no_candidates(spline: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "play_match", lambda game, *_: ([game.start()], []))
    assert [next(candidates.generate_candidates(spline, seed)) for seed in (1, 2)] == [[], []]


@pytest.mark.parametrize(
    ("kind", "bounds", "fault"),
    [
        ("hold", (0.0, 0.5), "open"), ("hold", (0.0, 1.0), "open"), ("hold", (0.0, 0.0), ""),
        ("hold", (0.5, 0.5), "wrong"), ("hold", (0.5, 1.0), "wrong"), ("win", (0.5, 1.0), "open"),
        ("win", (1.0, 1.0), "wrong"), ("win", (0.0, 0.5), ""),
    ],
)  # fmt: skip
def test_refutation_is_wrong_only_if_the_goal_is_proved_to_be_reached(
    kind: str, bounds: tuple[float, float], fault: str, spline: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To reach the goal, the value must be at least 0.5 (a draw) for "hold", and 1 for "win".

    ``bounds`` are the proved bounds on the solving seat's value after the refutation. If the upper bound is below the
    goal, the refutation is proved, and ``fault`` is empty. If the lower bound reaches the goal, the refutation is
    wrong. Otherwise, the question is open.
    """
    candidate = Candidate(spline, spline.start(2), ())

    class Bounded:
        def __init__(self, *_: object) -> None: ...

        def solve(self, *_: object) -> tuple[float, float, tuple[str, ...]]:
            return *bounds, ()

    monkeypatch.setattr(proofs, "make_search", Bounded)
    assert proofs.refutation_fault(candidate, kind, 1, ("W@Aa1",), ("B@Ad4",)) == fault


def test_value_is_proved_for_either_seat() -> None:
    """The first seat can draw only by taking Aa1; if it takes Aa2 instead, the second seat wins at Aa1.

    The bounds are exact for both seats in three states: at the start, after the first seat has taken Aa2, and after the
    second seat has then won.
    """
    game = inline(ONLY)
    first = game.start(2)
    lost, _ = game.apply(first, "W@Aa2")
    over, _ = game.apply(lost, "B@Aa1")
    assert [
        proofs._proved_bounds(game, state, seat, None) for state in (first, lost, over) for seat in (0, 1)
    ] == [
        *((0.5, 0.5), (0.5, 0.5)),
        *((0.0, 0.0), (1.0, 1.0)),
        *((0.0, 0.0), (1.0, 1.0)),
    ]


@pytest.mark.parametrize(("number", "expected"), [(2, True), (1, False)])
def test_leaving_a_draw_a_draw_is_no_mistake(
    number: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that keeps a drawn position drawn is no mistake, but one that misses a win is.

    Problems 1 and 2 of Speq both ask the player to hold a draw. Before problem 2, the opponent had a winning turn and
    missed it; before problem 1, there was none. This is checked by proving the values of the turns that the opponent
    could have played. If the problems asked for a win instead, the opponent's turn would count as a mistake in both
    cases, since the opponent had at least a draw before it.
    """
    monkeypatch.setattr(proofs, "PROOF_SECONDS", 60.0)
    game = load_catalogue().get("speq").game()
    problem = next(each for each in load_problems("speq") if each.id == number)
    assert (problem.kind, problem.slip) == ("hold", expected)
    state = problem.start_state(game)
    before = replace(problem, moves=problem.moves[:-1]).start_state(game)
    assert before.to_move is not None
    search = make_search(game, game.observe(before, before.to_move), before.to_move)
    evaluations = search.prove_turns(10**9, never_stop, stop_after_wins=1)
    assert any(evaluation.lower_bound == 1.0 for evaluation in evaluations) == expected
    candidate = Candidate(game, state, problem.moves, before)
    assert requirements.follows_mistake(candidate, "hold") == expected
    assert requirements.follows_mistake(candidate, "win")
