"""The solver finds wins that the rules confirm, reports only true losses, and uses no hidden information."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.game import Game
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.registry import load_kind
from shibumi3d.search.solver import (
    BestScore,
    SolveResult,
    find_best_score,
    find_winnable_seed,
    solve,
    solve_two_player,
)
from tests.rules.inline import inline
from tests.share import THOROUGH

HANDS = [(w, b, r) for w in range(7) for b in range(w + 1) for r in range(b + 1) if 1 <= w + b + r <= 6]
LONG = [(3, 2, 1), (4, 2, 0)]
"""Hands that can't be won, for which trying every move takes seconds; tested only by ``make thorough``."""

WALK = """
players: 1
start: "W..,...,.../..,../."
turn: {move: white, to: touching(origin)}
end: [{when: GOAL, win: me}]
"""


def replay_moves(game: Game, state: State, moves: tuple[str, ...]) -> State:
    for move in moves:
        state, _ = game.apply(state, move)
    return state


def assert_wins(game: Game, state: State, verdict: SolveResult) -> None:
    assert verdict.is_winnable is True
    outcome = game.outcome(replay_moves(game, state, verdict.moves))
    assert outcome is not None
    assert outcome.winners == tuple(range(state.seats))


class TestHands:
    """Tests that the solver finds out which hands in Spin can be won.

    A hand can be won if and only if its size isn't divisible by 3 or its three colour counts are equal modulo 3.
    """

    @staticmethod
    def start(game: Game, hand: tuple[int, int, int]) -> State:
        letters = "".join(letter * number for letter, number in zip("WBR", hand, strict=True))
        return game.start(deal={"hand": letters})

    @staticmethod
    def good(hand: tuple[int, int, int]) -> bool:
        return sum(hand) % 3 != 0 or len({number % 3 for number in hand}) == 1

    @pytest.mark.parametrize(
        "hand", [pytest.param(hand, marks=THOROUGH if hand in LONG else ()) for hand in HANDS], ids=str
    )
    def test_hands_of_up_to_six_marbles_are_solved(self, hand: tuple[int, int, int]) -> None:
        game = shibumi3d.game("spin")
        if not self.good(hand) and sum(hand) == 6:
            # Every move is tried: seconds on 9 holes, minutes on 16.
            form = load_catalogue().get("spin").with_variant(None)
            small = {"size": 3, "variant": ""}
            game = load_kind("marbles").make("spin", "Spin", form.rules_item, form.players, small, form.meta)
        state = self.start(game, hand)
        verdict = solve(game, state, max_moves=1_000_000)
        if self.good(hand):
            assert_wins(game, state, verdict)
        else:
            assert verdict.is_winnable is False
            assert verdict.moves == ()

    @pytest.mark.parametrize("variant", [None, "very easy", "easy"])
    def test_hands_of_the_book_are_won(self, variant: str | None) -> None:
        game = shibumi3d.game("spin", variant=variant)
        assert_wins(game, game.start(), solve(game, game.start()))


class TestClearing:
    """Tests of the solver on Spoff, in which marbles are taken in pairs from a randomly filled pyramid."""

    def test_deal_is_solved_reproducibly(self) -> None:
        game = shibumi3d.game("spoff")
        state = game.start(seed=3)
        verdict = solve(game, state)
        assert_wins(game, state, verdict)
        assert len(verdict.moves) == 30
        assert solve(game, state) == verdict

    def test_most_deals_are_won_with_little_work(self) -> None:
        game = shibumi3d.game("spoff")
        found = [solve(game, game.start(seed=seed), max_moves=4_000) for seed in range(12)]
        assert sum(verdict.is_winnable is True for verdict in found) >= 9

    def test_unfinished_turn_can_be_solved(self) -> None:
        game = shibumi3d.game("spoff")
        state = game.start(seed=3)
        half, _ = game.apply(state, solve(game, state).moves[0])
        assert half.step == 1
        assert_wins(game, half, solve(game, half))

    def test_lost_position_is_recognized(self) -> None:
        """In Spoff, a turn removes two marbles of the same colour that don't belong to the same group.

        The player wins when the board is empty. In the first position, the two white marbles touch, so only the two
        black ones can be taken, and the board can't be emptied. In the second, the white marbles don't touch, so all
        four can be taken.
        """
        game = shibumi3d.game("spoff")
        state = game.position("WW..,....,....,B..B/...,...,.../..,../.")
        assert "pass" not in {move.kind for move in game.moves(state)}
        assert solve(game, state).is_winnable is False
        state = game.position("W..W,....,....,B..B/...,...,.../..,../.")
        assert_wins(game, state, solve(game, state))

    def test_endgames_agree_with_brute_force(self) -> None:
        game = shibumi3d.game("spoff")
        seen: set[bool] = set()
        for seed in range(8):
            rng = Random(seed)
            state = game.start(seed=seed)
            while state.filled().bit_count() > 10 and state.result is None:
                state, _ = game.apply(state, rng.choice(game.moves(state)))
            if state.result is None:
                verdict = solve(game, state)
                assert verdict.is_winnable is wins_by_brute_force(game, state)
                seen.add(bool(verdict.is_winnable))
        assert seen == {True, False}


def wins_by_brute_force(game: Game, state: State) -> bool:
    if state.result is not None:
        return bool(state.result.winners)
    return any(wins_by_brute_force(game, game.apply(state, move)[0]) for move in game.moves(state))


class TestChance:
    def test_unknown_draws_leave_the_result_open(self) -> None:
        game = shibumi3d.game("spalone")
        verdict = solve(game, game.start(seed=1))
        assert (verdict.is_winnable, verdict.needs_chance, verdict.moves) == (None, True, ())

    def test_bag_of_one_colour_involves_no_chance(self) -> None:
        game = shibumi3d.game("spalone")
        board = "WBRW,BBRR,WWBB,RRWW/RBR,BWR,WBW/BR,W./."
        stocks = {"bag": "W", "hand": "W"}
        state = game.position(board, stocks=stocks)
        assert solve(game, state).is_winnable is not None
        assert solve(game, game.position(board, stocks={"bag": "WBR", "hand": "W"})).needs_chance

    def test_known_chance_lets_a_deal_be_solved(self) -> None:
        game = shibumi3d.game("spalone")
        state = game.start(seed=1)
        assert_wins(game, state, solve(game, state, known_chance=True))
        with pytest.raises(ValueError, match="seed"):
            solve(game, game.observe(state, 0), known_chance=True)

    def test_observation_leaves_the_result_open(self) -> None:
        game = shibumi3d.game("spalone")
        verdict = solve(game, game.observe(game.start(seed=1), 0))
        assert (verdict.is_winnable, verdict.needs_chance) == (None, True)

    def test_given_order_of_draws_is_used(self) -> None:
        game = shibumi3d.game("spalone")
        state = game.start(deal={"bag": "WWWWBBBBRRRRWBRWBRWBRWBRWBRWBR"})
        assert_wins(game, state, solve(game, state))

    def test_winnable_seed_is_found(self) -> None:
        game = shibumi3d.game("spalone")
        seed = find_winnable_seed(game, 3, max_moves=5_000)
        assert seed is not None
        assert seed > 3
        state = game.start(seed=seed)
        assert_wins(game, state, solve(game, state, known_chance=True))
        assert find_winnable_seed(game, 3, tries=1) is None


class TestOutcomes:
    def test_finished_match_is_solved(self) -> None:
        game = shibumi3d.game("spoff")
        state = game.start(seed=3)
        assert solve(game, replay_moves(game, state, solve(game, state).moves)) == SolveResult(True)

    def test_solver_respects_its_work_limit(self) -> None:
        game = shibumi3d.game("spoff")
        verdict = solve(game, game.start(seed=3), max_moves=20)
        assert (verdict.is_winnable, verdict.needs_chance) == (None, False)
        assert verdict.moves_tried < 60

    def test_competitive_games_are_refused(self) -> None:
        game = shibumi3d.game("spline")
        with pytest.raises(ValueError, match="has opponents"):
            solve(game, game.start())
        with pytest.raises(ValueError, match="several"):
            find_best_score(game, game.start())

    def test_cooperative_games_are_solved(self) -> None:
        game = shibumi3d.game("sprout", size=3)
        state = game.start(3, seed=1)
        assert game.facts(3).solver == "win"
        assert_wins(game, state, solve(game, state, known_chance=True))

    def test_games_with_cycles_are_solved(self) -> None:
        won = inline(WALK.replace("GOAL", "Ac1 & filled"))
        assert_wins(won, won.start(), solve(won, won.start()))
        lost = inline(WALK.replace("GOAL", "Ba1 & filled"))
        assert solve(lost, lost.start()).is_winnable is False

    def test_rule_failure_leaves_the_result_open(self) -> None:
        game = inline(
            "players: 1\nvars: {n: 0}\n"
            "turn: [{place: white}, {if: placed & Ac3, then: {repeat: {let: {n: n + 1}}}}]\n"
            "end: [{when: filled, lose: me}]\n"
        )
        assert solve(game, game.start()).is_winnable is None


class TestScores:
    def test_best_score_is_proved_by_exhaustive_search(self) -> None:
        game = inline(
            "players: 1\nboards: {size: 2}\nscore: count(white) * count(black)\n"
            "turn: {place: white | black}\nend: [{when: not empty, most: score}]\n"
        )
        best = find_best_score(game, game.start())
        assert (best.score, best.is_proved) == (6, True)
        assert replay_moves(game, game.start(), best.moves).scores == (6,)
        over = replay_moves(game, game.start(), best.moves)
        assert find_best_score(game, over) == BestScore(6, True)

    def test_good_score_is_found_where_search_is_not_exhaustive(self) -> None:
        game = shibumi3d.game("spuzzle")
        state = game.start()
        best = find_best_score(game, state, max_moves=15_000)
        assert best.score is not None
        assert 22 <= best.score <= 27
        assert not best.is_proved
        assert replay_moves(game, state, best.moves).scores == (best.score,)

    def test_playouts_find_a_good_score_where_move_order_is_bad(self) -> None:
        """All nine black marbles can be placed, but a search in move order starts with white marbles."""
        game = inline(
            "players: 1\nboards: {size: 3}\nscore: count(black)\n"
            "turn: {place: white | black}\nend: [{when: not empty, most: score}]\n"
        )
        best = find_best_score(game, game.start(), max_moves=1_000)
        assert (best.score, best.is_proved) == (9, False)
        assert replay_moves(game, game.start(), best.moves).scores == (9,)

    def test_facts_name_the_goal_of_the_solver(self) -> None:
        judged = {name: shibumi3d.game(name).facts().solver for name in ("spuzzle", "spin", "spruit")}
        assert judged == {"spuzzle": "score", "spin": "win", "spruit": "score"}


def test_dealt_candy_cake_matches_minimax() -> None:
    """In the candy variant of Special Cake, the solver reports only moves that win in a minimax search.

    On a board of size 3, the cake has 14 marbles, which are few enough for a full minimax search. The search treats
    positions as equal if the same points are filled, the same seat is to move and the same choice is pending, since
    colours don't matter in this variant. Some of the possible moves win for the first player, but not all.
    """
    game = shibumi3d.game("special-cake", size=3, variant="candy")
    state = game.start(2, seed=4)
    fast = game.make_fast_game(2)
    fast.load(state)
    known: dict[tuple[object, ...], bool] = {}

    def wins(seat: int) -> bool:
        result = fast.result()
        if result is not None:
            return bool(result.winners == 1 << seat)
        at = fast.save()
        key = (
            seat,
            fast.seat_to_move,
            at.step_index,
            at.choices_made,
            *(board[1:] for board in at.boards),
            at.name_values,
            at.loop_values,
        )
        if key not in known:
            known[key] = (any if fast.seat_to_move == seat else all)(
                after(code, seat) for code in fast.choices()
            )
        return known[key]

    def after(code: int, seat: int) -> bool:
        fast.make(code)
        found = wins(seat)
        fast.unmake()
        return found

    winning = {game.decode_move(state, code).text for code in fast.choices() if after(code, 0)}
    worth, solved = solve_two_player(game, state)
    assert worth == 1.0
    assert solved
    assert set(solved) <= winning < {move.text for move in game.moves(state)}
