"""Computer players: legal moves in every game, no use of secrets, wins taken and losses blocked."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine import interface
from shibumi3d.rules.marbles.search.symmetry import get_equivalence
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search.levels import LEVELS, find_level
from shibumi3d.search.players import Budget, Player, analyse, player, reliability
from tests.marble_games import marble_games, thinned

QUICK = Budget(iterations=8)
GAMES = [entry.id for entry in marble_games()]
HIDING = [
    entry.id
    for entry in marble_games()
    if (facts := entry.game().facts(entry.players[0])).has_secrets or facts.has_chance
]
FOR_TWO = [
    "spline",
    "span",
    "spava",
    "spree",
    "sponnect",
    "sploof",
    "spectacular-tumble",
    "spline-plus",
]


def play_randomly(game: Any, chance: Random, choices: int) -> Any:
    """Return the state after ``choices`` random choices from the start of a match.

    If one of these choices would end the match, return the state before it.
    """
    state = game.start(seed=chance.randrange(1000))
    for _ in range(choices):
        after, _ = game.apply(state, chance.choice(game.moves(state)))
        if after.to_move is None:
            break
        state = after
    return state


def test_reliability_distinguishes_proved_searched_and_judged() -> None:
    assert reliability(MoveEvaluation(("a",), 3, 0.0, 0.0, 0.0, 2)) == "proved"
    assert reliability(MoveEvaluation(("a",), 30, 0.9)) == "looked at"
    assert reliability(MoveEvaluation(("a",), 29, 0.9)) == "judged"


@pytest.mark.parametrize("name", thinned(GAMES, 6))
def test_players_choose_legal_moves_in_every_game(name: str) -> None:
    game = shibumi3d.game(name)
    players = [player("stone", 1), player("mountain", 2), player("random", 3)]
    chance = Random(name)
    for number, choices in enumerate((0, 25)):
        state = play_randomly(game, chance, choices)
        for made in range(6):
            seat = state.to_move
            if seat is None:
                break
            chosen = players[(made + number) % 3].choose(game, game.observe(state, seat), QUICK)
            assert chosen.move in {move.text for move in game.moves(state)}
            assert 0 <= chosen.analysis.mean <= 1
            state, _ = game.apply(state, chosen.move)


def test_players_guess_hidden_codes_with_legal_moves() -> None:
    """In Spy, computer players choose legal moves even within a turn, after they have lifted a marble.

    A lifted marble must not be put back on the point it came from. Seat 0 is the Master, who only sets the code and
    scores no points. The other seats are the Disciples, who score points for marbles that match the code. After 90
    choices, at least one Disciple has points.
    """
    game = shibumi3d.game("spy")
    state = game.start(3, 3)
    players = [player("random", 1), player("stone", 2), player("mountain", 3)]
    for _ in range(90):
        seat = state.to_move
        assert seat is not None
        chosen = players[seat].choose(game, game.observe(state, seat), QUICK)
        state, _ = game.apply(state, chosen.move)
    assert state.scores[0] == 0
    assert sum(state.scores) > 0


@pytest.mark.parametrize("name", HIDING)
def test_hidden_information_does_not_affect_the_choice(name: str) -> None:
    game = shibumi3d.game(name)
    chance = Random(7)
    strong = player("river", 5)
    for choices in (0, 9, 33):
        state = play_randomly(game, chance, choices)
        seat = state.to_move
        assert seat is not None
        other = game.determinize(game.observe(state, seat), seat, chance)
        seen, also_seen = game.observe(state, seat), game.observe(other, seat)
        assert seen == also_seen
        assert seen.seed is None
        assert strong.choose(game, seen, QUICK) == strong.choose(game, also_seen, QUICK)


def test_search_is_restricted_to_moves_allowed_by_secrets() -> None:
    """In Spangle, nobody can look into the bag, but a proposed colour must still be in it.

    When the bag runs low, a search based on the view alone therefore also considers colours that have run out. After it
    has been restricted to the legal moves, it doesn't.
    """
    game = shibumi3d.game("spangle")
    chance = Random(2)
    misled, state = 0, game.start(4, 1)
    while not misled:
        if (seat := state.to_move) is None:
            state = game.start(4, chance.randrange(1000))
            continue
        view, moves = game.observe(state, seat), [move.text for move in game.moves(state)]
        if game.make_search(view, seat).move_texts != tuple(moves):
            misled += 1
            search = game.make_search(view, seat)
            search.restrict_moves(moves)
            assert search.move_texts == tuple(moves)
            assert player("stone", 1).choose(game, view, QUICK, moves=moves).move in moves
        state, _ = game.apply(state, chance.choice(moves))


def whole_turns(game: Any, state: Any) -> list[tuple[str, Any]]:
    """For every way to complete the turn, return the text of its first move and the resulting state."""
    found = []
    for move in game.moves(state):
        after, _ = game.apply(state, move)
        if after.to_move is None or after.turn != state.turn:
            found.append((move.text, after))
        else:
            found += [(move.text, end) for _, end in whole_turns(game, after)]
    return found


def wins_at_once(game: Any, state: Any, seat: int) -> list[str]:
    """Return the first choice of each turn that wins immediately for ``seat``, the seat to move."""
    return [text for text, end in whole_turns(game, state) if end.result and end.result.winners == (seat,)]


@pytest.mark.parametrize("name", FOR_TWO)
def test_immediate_wins_are_taken_and_immediate_losses_blocked(name: str) -> None:
    game = shibumi3d.game(name)
    chance = Random(name)
    strong = player("mountain", 1)
    wins = blocks = 0
    for _ in range(30):
        state = play_randomly(game, chance, chance.randrange(6, 30))
        seat = state.to_move
        if seat is None or state.step or len(game.moves(state)) == 1:
            continue
        turns = whole_turns(game, state)
        winning = [text for text, end in turns if end.result and end.result.winners == (seat,)]
        if winning:
            wins += 1
            chosen = strong.choose(game, game.observe(state, seat), QUICK)
            assert chosen.move in winning
            assert chosen.analysis.wins_in == 1
            assert chosen.analysis.mean == 1
            continue
        if len(turns) > 60 or blocks == 4:
            continue
        safe = {
            text
            for text, end in turns
            if (end.result is None and not wins_at_once(game, end, 1 - seat))
            or (end.result is not None and end.result.winners != (1 - seat,))
        }
        if safe and len(safe) < len({text for text, _ in turns}):
            blocks += 1
            assert strong.choose(game, game.observe(state, seat), QUICK).move in safe
    assert wins + blocks > 2


def test_lookahead_agrees_with_minimax() -> None:
    """``solve`` and a computer player find the same values of states as a plain minimax search.

    The computer player also finds the number of turns to a win or a loss. The minimax search counts the turns of both
    seats, but the player's analysis counts only the turns of its own seat.
    """
    game = shibumi3d.game("spline", size=3)

    @cache
    def worth(state: Any) -> tuple[int, int]:
        """Return the value for the seat to move (-1, 0 or 1) and the number of turns to the end.

        A seat that can win ends the match as early as possible. A seat that draws or loses delays the end as long as
        possible.
        """
        if state.result is not None:
            winners = state.result.winners
            return (1 if state.mover in winners else -1) if winners else 0, 0
        found = []
        for move in game.moves(state):
            after, _ = game.apply(state, move)
            value, far = worth(after)
            if after.result is not None:
                value = -1 if after.result.winners == (state.mover,) else 1 if after.result.winners else 0
            found.append((-value, far + 1))
        return max(found, key=lambda each: (each[0], -each[1] if each[0] > 0 else each[1]))

    chance = Random(4)
    seen = set()
    for _ in range(12):
        state = play_randomly(game, chance, 6)
        seat = state.to_move
        assert seat is not None
        value, far = worth(state)
        seen.add(value)
        low, high, keeping = game.make_search(game.observe(state, seat), seat).solve(10**8, lambda: False)
        assert low == high == (value + 1) / 2
        if value > 0:
            after = game.apply(state, keeping[0])[0]
            assert after.result is not None or worth(after)[0] < 0
        analysis = player("mountain").choose(game, game.observe(state, seat), QUICK).analysis
        assert analysis.mean == (value + 1) / 2
        assert analysis.wins_in == ((far + 1) // 2 if value > 0 else 0)
        assert analysis.loses_in == (far // 2 if value < 0 else 0)
    assert {1, -1} <= seen


def test_symmetries_are_derived_from_the_rules() -> None:
    """The expected number of symmetries, including the identity, follows from the rules of each game.

    Spline has all 8 symmetries of the square, because each of them maps lines to lines. Span and SP-Dancers have 4,
    because the other 4 would exchange the players' goals. Spaghetti refers to the last marble placed, and Spair has two
    boards, so no symmetries are used, not even the identity.
    """
    for name, number in (("spline", 8), ("span", 4), ("sp-dancers", 4), ("spaghetti", 0), ("spair", 0)):
        assert len(get_equivalence(shibumi3d.game(name), 2).symmetry_tables) == number, name


def test_position_key_is_the_same_in_every_orientation() -> None:
    game = shibumi3d.game("spline")
    found = []
    for moves in (
        ("W@Aa1", "B@Ab2"),
        ("W@Ad4", "B@Ac3"),
        ("W@Aa4", "B@Ab3"),
        ("W@Aa1", "B@Ab3"),
        ("W@Ab2", "B@Aa1"),
    ):
        state = game.start()
        for move in moves:
            state, _ = game.apply(state, move)
        fast = game.make_fast_game()
        fast.load(state)
        found.append(interface.ProofNumberSearch(fast.machine, get_equivalence(game, 2)).position_key())
    assert len(set(found[:3])) == 1
    assert len(set(found)) == 3


def test_position_key_includes_the_turns_start() -> None:
    """In Spuds, the next red marble may not be placed on the point from which another has just dropped.

    A red marble at Ba1 or Bb1 drops to Ab1 when Black takes the black marble at Ab1. The boards are then the same in
    both cases, but the legal moves differ. The keys must therefore differ.
    """
    game = shibumi3d.game("spuds")
    keys, open_ = [], []
    for red in ("Ba1", "Bb1"):
        state = game.start()
        for move in (f"R@{red}", "xAb1"):
            state, _ = game.apply(state, move)
        fast = game.make_fast_game()
        fast.load(state)
        keys.append(
            (
                fast.position_hash(),
                interface.ProofNumberSearch(fast.machine, get_equivalence(game, 2)).position_key(),
            )
        )
        open_.append({move.text for move in game.moves(state)})
    assert open_[0] ^ open_[1] == {"R@Ba1", "R@Bb1"}
    assert keys[0][0] != keys[1][0]
    assert keys[0][1] != keys[1][1]


def test_same_seed_plays_the_same_match() -> None:
    game = shibumi3d.game("spaiji")

    def played(seed: int) -> list[str]:
        state, made = game.start(), []
        for _ in range(10):
            seat = state.to_move
            assert seat is not None
            made.append(player("pebble", seed).choose(game, game.observe(state, seat)).move)
            state, _ = game.apply(state, made[-1])
        return made

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_thinking_stops_on_time_limit_or_request() -> None:
    game = shibumi3d.game("spargo")
    view = game.observe(game.start(), 0)
    patient = player("sky")
    short, longer = (patient.choose(game, view, Budget(seconds=seconds)) for seconds in (0.02, 0.4))
    assert 0 < short.analysis.iterations < longer.analysis.iterations
    stopped = patient.choose(game, view, should_stop=lambda: True)
    assert stopped.analysis.iterations <= 16
    assert stopped.move in {move.text for move in game.moves(view)}


def test_progress_is_reported_while_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.search.players.REPORT_INTERVAL_SECONDS", 0.0)
    game = shibumi3d.game("spaiji")
    reports: list[Any] = []
    chosen = player("sky").choose(
        game, game.observe(game.start(), 0), Budget(iterations=64), on_progress=reports.append
    )
    assert len(reports) > 2
    assert reports[-1].analysis.iterations <= chosen.analysis.iterations
    assert [each.analysis.iterations for each in reports] == sorted(
        each.analysis.iterations for each in reports
    )


def test_analysis_lists_whole_turns_best_first() -> None:
    game = shibumi3d.game("spaiji")
    view = game.observe(game.start(), 0)
    analysis = analyse(game, view, Budget(iterations=600))
    assert len(analysis.turns) == 3
    best = analysis.turns[0]
    assert len(best.move_texts) > 1
    state = game.start()
    for move in best.move_texts:
        state, _ = game.apply(state, move)
    assert best.visits >= analysis.turns[1].visits >= analysis.turns[2].visits > 0


def test_threefold_repetition_is_avoided() -> None:
    """A player avoids its preferred move if the resulting state has already occurred twice."""
    game = shibumi3d.game("splush")
    chance = Random(1)
    state = play_randomly(game, chance, 12)
    seat = state.to_move
    assert seat is not None
    first = player("mountain", 1).choose(game, game.observe(state, seat), Budget(iterations=60)).move
    after, _ = game.apply(state, first)
    while after.step:  # to the end of the turn
        state = after
        first = player("mountain", 1).choose(game, game.observe(state, seat), Budget(iterations=60)).move
        after, _ = game.apply(state, first)
    again = player("mountain", 1).choose(
        game, game.observe(state, seat), Budget(iterations=60), past_states=[after, after]
    )
    assert again.move != first


def test_strengths_have_names_numbers_and_descriptions() -> None:
    assert [one.number for one in LEVELS] == [1, 2, 3, 4, 5]
    for one in LEVELS:
        assert player(one.name).level is one
        assert player(one.number).level is one
        assert find_level(one.localize_title("fr")) is one
        assert one.description[0].islower(), "a phrase that follows the name of the level"
    assert player("random").level is None
    assert {"stone", "river"} <= {one.name for one in LEVELS}
    with pytest.raises(ValueError, match="unknown level 'rock': choose pebble"):
        player("rock")


def test_choosing_in_a_finished_match_is_an_error() -> None:
    game = shibumi3d.game("spline")
    state = game.start()
    for text in ["W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3", "B@Ad3", "W@Aa4"]:
        state, _ = game.apply(state, text)
    with pytest.raises(ValueError, match="over"):
        Player(None).choose(game, state)


def test_proofs_leave_time_for_the_search_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof searches end at 30% of the thinking time, and the tree search that follows ends at 96%.

    The test replaces each search by one that runs until it must stop. The thinking time is 10 s, and each call to the
    clock takes 0.01 s.
    """
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.01
        return now

    game = shibumi3d.game("spargo")
    search = game.make_search(game.observe(game.start(), 0), 0, 1)
    ends: dict[str, float] = {}

    def make_method(name: str) -> Callable[..., Any]:
        """Return a search method that runs until it must stop and then records the time."""

        def until_stopped(self: object, *given: Any) -> Any:
            while not given[-1]():
                pass
            assert name not in ends
            ends[name] = now
            return (0.0, 1.0, ()) if name == "solve" else ()

        return until_stopped

    for name in ("prove_by_lookahead", "solve", "run_simulations"):
        monkeypatch.setattr(type(search), name, make_method(name))
    monkeypatch.setattr(type(search), "is_proved_loss", lambda self, move, turns, work, stop: stop())
    player("sky").choose(game, game.observe(game.start(), 0), Budget(seconds=10.0, clock=clock))
    assert list(ends) == ["prove_by_lookahead", "solve", "run_simulations"]
    for name, end in (("prove_by_lookahead", 3.0), ("solve", 3.0), ("run_simulations", 9.6)):
        assert end <= ends[name] < end + 0.2


def test_garbage_collection_is_paused_while_choosing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage collection is off while a computer player chooses a move, and on again afterwards.

    Otherwise, scanning a large search tree would use up a tenth of the thinking time and find no garbage.
    """
    game = shibumi3d.game("spaiji")
    search = type(game.make_search(game.observe(game.start(), 0), 0))
    collects: list[bool] = []
    ranked = search.ranked_moves

    def choices(self: Any) -> Any:
        collects.append(gc.isenabled())
        return ranked(self)

    monkeypatch.setattr(search, "ranked_moves", choices)
    assert gc.isenabled()
    player("stone").choose(game, game.observe(game.start(), 0), Budget(20))
    assert collects
    assert not any(collects)
    assert gc.isenabled()


def test_proof_effort_is_concentrated_near_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timed search does little proof work early in a match, and more near the end.

    The weighted variant of Spodd always takes 14 turns. With 0.01 s to think, the solver is given no work on the first
    turn, but some when three turns are left. If only iterations are limited, it is given some on the first turn too.
    The usual form of Spodd has a stored proof. On its first turn, the solver is given even more work, although there is
    again only 0.01 s to think. The clock stands still, so the speed of the machine doesn't matter.
    """
    game = shibumi3d.game("spodd", variant="weighted")
    asked: list[int] = []

    def solved(self: object, work: int, stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        asked.append(work)
        return 0.0, 1.0, ()

    monkeypatch.setattr(type(game.make_search(game.observe(game.start(), 0), 0)), "solve", solved)
    sky, chance, state = player("sky"), Random(2), game.start()
    short = Budget(4, 0.01, clock=lambda: 0.0)
    sky.choose(game, game.observe(state, 0), short)
    sky.choose(game, game.observe(state, 0), Budget(iterations=4))
    while state.turn < 11:
        state, _ = game.apply(state, chance.choice(game.moves(state)))
    sky.choose(game, game.observe(state, state.to_move), short)
    assert asked[0] == 0
    assert min(asked[1:]) > 0
    usual = shibumi3d.game("spodd")
    sky.choose(usual, usual.observe(usual.start(), 0), short)
    assert asked[-1] > max(asked[:-1])
