"""Deals of solo games: proved by the solver, rated by attempts, and reviewed."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.solo import LEVELS, load_ladder
from shibumi3d.rules.game import Game, State
from shibumi3d.search import solo
from shibumi3d.search.review.results import Review, ReviewMove, TurnReview, ValueBounds
from shibumi3d.search.review.solo import evaluate_solo_turn, review_solo
from shibumi3d.search.solo import count_only_moves, find_deal_faults, grade_deal, make_lead_in, prove_deal
from shibumi3d.search.solver import solve

SPUZZLE = shibumi3d.game("spuzzle")
LAST_TWO = SPUZZLE.position(("WBRW,RWBR,BRWB,WBRW/BRW,WBR,.../..,../.",))  # type: ignore[attr-defined]


def review_last_move(game: Game, first: State, moves: list[str]) -> Review:
    state, history = first, []
    for text in moves:
        turn = state.turn
        state, _ = game.apply(state, text)
        history.append(ReviewMove(0, turn, text, state))
    *_, last = review_solo(game, first, history)
    return last


def test_score_that_is_too_high_is_proved_impossible() -> None:
    deal = load_ladder("spuzzle")[0]
    game = deal.load_game(load_catalogue().get("spuzzle"))
    state = deal.start_state(game)
    assert deal.best is not None
    found = solve(game, state, target_score=deal.best)
    for text in found.moves:
        state, _ = game.apply(state, text)
    assert state.result is not None
    assert state.result.scores == (deal.best,)
    start = deal.start_state(game)
    assert solve(game, start, target_score=deal.best + 1).is_winnable is False
    assert prove_deal(game, start).best == deal.best  # type: ignore[union-attr]


def test_wrong_claims_about_a_deal_are_found() -> None:
    deal = load_ladder("spuzzle")[0]
    game = deal.load_game(load_catalogue().get("spuzzle"))
    state, line = deal.start_state(game), [move for turn in deal.line for move in turn]
    assert deal.best is not None
    assert find_deal_faults(game, state, line, deal.best) == []
    assert find_deal_faults(game, state, line, deal.best - 1) == ["line"]
    assert find_deal_faults(game, state, line[:-1], deal.best) == ["line"]
    assert find_deal_faults(game, state, ["Zz9"], deal.best) == ["moves"]
    assert find_deal_faults(game, state, line, deal.best, max_moves=1) == ["open"]


def test_random_lead_does_not_end_the_match() -> None:
    game = shibumi3d.game("spruit")
    leads = [(seed, make_lead_in(game, game.start(1, seed), 5, Random(seed))) for seed in range(10)]
    found = [(seed, lead) for seed, lead in leads if lead is not None]
    assert found
    for seed, lead in found:
        assert len(lead) == 5
        state = game.start(1, seed)
        for turn in lead:
            for move in turn:
                state, _ = game.apply(state, move)
        assert state.to_move == 0


@pytest.mark.parametrize(
    ("board", "only"),
    [("WWWW,WWWB,WWW.,.WWW", 1), ("....,...B,....,....", 0)],
    ids=["one hole", "three holes"],
)
def test_only_moves_are_counted_where_all_others_lose(board: str, only: int) -> None:
    """In these positions of Spin, the last marble, which is red, wins only beside the black one on Ad3.

    A new marble and a neighbour of another colour both change to the third colour, and at the end all marbles must have
    the same colour. Beside Ad3, red and black can both become white, the colour of any other marbles on the board. On
    the first board, Ad2 is the only empty hole beside Ad3. On the second, three such holes are empty, so none of them
    is an only move.
    """
    game = shibumi3d.game("spin")
    state = game.position((f"{board}/...,...,.../..,../.",), stocks={"hand": "R"})  # type: ignore[attr-defined]
    proved = prove_deal(game, state)
    assert proved is not None
    assert count_only_moves(game, state, proved) == only


@pytest.mark.parametrize(
    ("shares", "level"),
    [
        ((50, 0, 0), 1),
        ((25, 50, 0), 2),
        ((25, 25, 75), 3),
        ((25, 25, 50), 3),
        ((25, 25, 25), 4),
        ((25, 25, 0), 5),
    ],
)
def test_grade_is_the_weakest_player_that_wins(
    shares: tuple[int, int, int], level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    won = dict(zip(("pebble", "stone", "river"), shares, strict=True))
    asked: list[str] = []

    def measured(game: object, state: object, best: object, strength: str) -> int:
        asked.append(strength)
        return won.get(strength, 5)

    monkeypatch.setattr(solo, "measure_success_percentage", measured)
    assert grade_deal(SPUZZLE, LAST_TWO, 1, LEVELS) == (level, {"random": 5, **won})
    others = [other for other in LEVELS if other != level]
    asked.clear()
    assert grade_deal(SPUZZLE, LAST_TWO, 1, others) is None
    if level <= 2:
        assert asked[-1] == ("pebble", "stone")[level - 1], "stronger players needn't try"


def test_review_names_the_turn_that_lost() -> None:
    """In Spin, if a marble is placed beside one of another colour, both change to the third colour.

    The player wins if only one colour is left once the hand is empty. After R@Aa1, a red and a black marble stand
    apart, and a white one is left in the hand. Placing it beside either of them wins, because the two that touch change
    to the colour of the other marble on the board. At Aa4, it touches neither, and the game is lost.
    """
    game = shibumi3d.game("spin")
    first = game.position(("....,...B,....,..../...,...,.../..,../.",), stocks={"hand": "WR"})  # type: ignore[attr-defined]
    review = review_last_move(game, first, ["R@Aa1", "W@Aa4"])
    assert review.is_complete
    assert [turn.mark for turn in review.turns] == ["", "??"]
    lost = review.turns[1]
    assert lost.lost_result == "win"
    state, _ = game.apply(first, "R@Aa1")
    end = state
    for text in lost.best_turn:
        end, _ = game.apply(end, text)
    assert end.result is not None
    assert end.result.winners == (0,)
    assert evaluate_solo_turn(game, state, lost, lost.best_turn).value.value == 1.0
    assert evaluate_solo_turn(game, state, lost, ["W@Aa4"]).value.value == 0.0


def test_proof_of_a_loss_counts_the_moves_tried() -> None:
    """In Spin, a hand of one white and two black marbles can't win, so any move leads to a proved loss.

    The player wins if only one colour is left at the end. If a marble is placed beside one of another colour, both
    change to the third colour. This changes the numbers of white, black and red marbles by the same amount modulo 3.
    Here, these numbers are 1, 2 and 0, which are all different modulo 3, so two of them can never both become 0.
    """
    game = shibumi3d.game("spin")
    first = game.start(1, deal={"hand": "WBB"})
    turn = TurnReview(0, 1, 0, 0, best_value=ValueBounds(1.0, 1.0, 1.0))
    answer = evaluate_solo_turn(game, first, turn, ["W@Aa1"])
    assert answer.value.is_proved
    assert answer.value.value == 0.0
    assert answer.moves_tried > 0


def test_review_of_a_score_game_gives_what_each_turn_cost() -> None:
    deal = load_ladder("spuzzle")[0]
    game = deal.load_game(load_catalogue().get("spuzzle"))
    first = state = deal.start_state(game)
    moves = []
    while state.to_move is not None:
        moves.append(game.moves(state)[0].text)
        state, _ = game.apply(state, moves[-1])
    assert state.result is not None
    review = review_last_move(game, first, moves)
    assert review.turns[0].best_score == deal.best
    cost = sum((turn.best_score or 0) - (turn.played_score or 0) for turn in review.turns)
    assert cost == (deal.best or 0) - state.result.scores[0]
