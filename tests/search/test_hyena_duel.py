"""The exact values of a round of Hyena Spiral for two players.

The figures were computed independently of this program. In addition, a correct table satisfies Bellman's equation with
the rules as implemented, and a player who follows it clearly beats random play.
"""

from __future__ import annotations

from random import Random

import pytest

from shibumi3d.rules.hyena_spiral.game import HyenaGame
from shibumi3d.rules.hyena_spiral.state import HyenaRules, State
from shibumi3d.search.hyena_spiral import DuelSolver, duel_solver, move_policy, move_values, playout_move
from shibumi3d.search.players import analyse, player
from tests.tables.spiral import spiral


def test_small_duel_has_its_known_value() -> None:
    """The value at the start agrees with one that was computed independently of this program.

    The value is the expected lead, in points, of the seat that begins. The spiral has 12 places. A villager's tabas
    beyond 8 and the hyena's beyond 16 are treated as worthless.
    """
    assert DuelSolver(12, HyenaRules(), (8, 16)).race_values[0, 0, 0, 0] == pytest.approx(0.0775, abs=5e-5)


@pytest.mark.parametrize(("length", "value"), [(48, 0.175), (60, 0.172), (80, 0.168)])
def test_opening_has_its_known_value(length: int, value: float) -> None:
    assert duel_solver(length, HyenaRules()).race_values[0, 0, 0, 0] == pytest.approx(value, abs=5e-4)


def random_turn_starts(length: int, matches: int, numbers: HyenaRules | None = None) -> list[State]:
    """Play random matches and return the states in which a turn begins and nobody has many tabas.

    ``matches`` is the number of matches. Each has two players and a single round, on a spiral of ``length`` places.
    ``numbers`` are the rules; by default, they are the standard ones. States in which a villager has more than 13 tabas
    or the hyena more than 28 are left out, to stay clear of the limits of the solver's table.
    """
    found = []
    game = spiral(length, 1)
    if numbers is not None:
        game = HyenaGame(game.id, game.title, numbers, game.players, game.form)
    for seed in range(matches):
        rng = Random(seed)
        state = game.start(2, seed=seed)
        while state.to_move is not None:
            within = all(w.tabas <= (28 if w.is_hyena else 13) for w in state.walkers)
            if not state.is_choosing and within:
                found.append(state)
            state, _ = game.apply(state, rng.choice(game.moves(state)))
    return found


def test_duel_values_agree_with_the_rules() -> None:
    """The value of a state equals that of its best choice, carried out by the rules and averaged over the throws."""
    for state in random_turn_starts(48, 30):
        assert duel_solver(48, HyenaRules()).state_value(state) == pytest.approx(
            max(move_values(state).values()), abs=2e-4
        )


def test_different_fees_are_valued_in_order() -> None:
    """The solver's values agree with the rules even if the two fees of a villager differ.

    In Hyena Spiral, a villager pays fees at the well, one per turn and in a fixed order: here, 1 taba and then 3. The
    solver's value of a state must equal the value of the best move. To value a move, the rules carry it out for each
    possible throw, and the solver's values of the resulting states are averaged.
    """
    numbers = HyenaRules(villager_fees=(1, 3))
    for state in random_turn_starts(24, 30, numbers):
        assert duel_solver(24, numbers).state_value(state) == pytest.approx(
            max(move_values(state).values()), abs=2e-4
        )


def test_unsolved_duels_have_no_values() -> None:
    assert move_values(spiral().start(3)) == {}
    assert move_values(spiral(exact=True).start(2)) == {}


def test_certain_catch_is_worth_two_points() -> None:
    """A hyena that lets no villager come home scores 2 points; here it can catch the only one.

    Buying 24 steps, for 4 tabas, takes the hyena from the well (48) to 24, past the villager on 28, who is on the way
    home. If the hyena throws instead, the villager may escape.
    """
    game = spiral(48)
    found = move_values(game.position(["hyena well, 1 paid, 4 tabas", "back 28"]))
    assert found["buy"] == 2.0
    assert found["throw"] < 2.0


def test_best_value_play_beats_random_play() -> None:
    """Moves with the highest value beat random moves by far more points than chance could explain.

    Between players of equal strength, the lead after 200 rounds, with seats taking turns to start, has a standard
    deviation of about 22 points; here, it must exceed 100 points.
    """
    game, lead = spiral(48, 1), 0
    for number in range(200):
        state = game.start(2, seed=number, deal={"starter": str(1 + number % 2)})
        rng = Random(number)
        while state.to_move is not None:
            if state.to_move == 0:
                found = move_values(state)
                move = max(found, key=found.__getitem__)
            else:
                move = rng.choice(game.moves(state)).text
            state, _ = game.apply(state, move)
        lead += state.scores[0] - state.scores[1]
    assert lead > 100


def test_strong_players_choose_the_best_value() -> None:
    game = spiral(48)
    view = game.observe(game.position(["hyena well, 1 paid, 4 tabas", "back 28"]), 0)
    for strength in ("sky", "mountain"):
        assert player(strength, 1).choose(game, view).move == "buy"
    often = move_policy(game, view, 0)
    assert often is not None
    assert often["buy"][0] > often["throw"][0] > 0
    assert sum(part for part, _ in often.values()) == pytest.approx(1.0)


def test_estimated_win_chances_match_results() -> None:
    """If both players play well, they win about as often as the estimates predict.

    States with similar estimates are grouped. In each group, the share of states whose player to move wins the match is
    close to the mean estimate.
    """
    game, found = spiral(48, 1), dict[int, list[tuple[float, float]]]()
    for seed in range(60):
        state, estimates = game.start(2, seed=seed), list[tuple[int, float]]()
        while state.to_move is not None:
            seen = move_policy(game, state, state.to_move)
            assert seen is not None
            estimates.append((state.to_move, max(worth for _, worth in seen.values())))
            state, _ = game.apply(state, max(seen, key=lambda text: seen[text][0]))
        assert state.result is not None
        for seat, worth in estimates:
            found.setdefault(round(worth * 4), []).append((worth, float(seat in state.result.winners)))
    assert found.keys() == {0, 1, 2, 3, 4}
    for pairs in found.values():
        expected, won = (sum(each) / len(pairs) for each in zip(*pairs, strict=True))
        assert won == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("seat", [0, 1])
def test_round_points_count_less_when_more_rounds_remain(seat: int) -> None:
    """The hyena at the well is certain to eat the villager, for 2 points.

    Its 4 tabas buy 24 steps, which take it from the well (48) to 24, past the villager on 28. In the last round, these
    points decide the match; when more rounds follow, they matter less.
    """
    seats = ["hyena well, 1 paid, 4 tabas", "back 28"]
    worth = []
    for rounds in (1, 2, 4):
        game = spiral(48, rounds)
        view = game.position(seats[::-1] if seat else seats, to_move=seat)
        worth.append(analyse(game, view).mean)
    assert worth[0] == 1.0
    assert worth[0] > worth[1] > worth[2] > 0.5


def test_three_seat_game_is_played_by_playouts() -> None:
    """Buying 24 steps wins at once, because the hyena eats both villagers on its way.

    Its 4 tabas pay for these steps, which take it from the well (48) to 24, past the villagers on 28 and 26. If it
    throws instead, one of them may escape.

    Exact values are known only for two seats. With three, a player at the river level must find the move by playouts.
    """
    game = spiral(48, 1)
    view = game.observe(game.position(["hyena well, 1 paid, 4 tabas", "back 28", "back 26"]), 0)
    assert player("river", 1).choose(game, view).move == "buy"


def test_playout_policy_saves_tabas_and_hurries_home() -> None:
    game = spiral()

    def plays(*seats: str) -> str:
        state = game.position(seats)
        return playout_move(game, state, 0, game.moves(state), Random(1)).text

    assert plays("out 20, 2 tabas", "out 0") == "buy"
    assert plays("out 20, 4 tabas", "hyena out 0") == "throw"
    assert plays("out 20, 6 tabas", "hyena out 0") == "buy"
    assert plays("back 20, 2 tabas", "hyena out 0") == "buy"
    assert plays("hyena out 20, 13 tabas", "out 0") == "throw"
    assert plays("hyena out 20, 14 tabas", "out 0") == "buy"
