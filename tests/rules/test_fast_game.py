"""The game as used by searches: the same choices, complete undo, and unbiased random play."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine.playouts import play_random_turn
from shibumi3d.rules.marbles.engine.rules import POINTS
from shibumi3d.rules.marbles.engine.snapshots import position_tuple
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.notation import choice_text
from tests.marble_games import marble_games
from tests.rules.inline import inline

GAMES = [entry.id for entry in marble_games()]


@pytest.mark.parametrize("name", GAMES)
def test_fast_moves_match_game_and_undo_cleanly(name: str) -> None:
    game = shibumi3d.game(name)
    rng = Random(name)
    fast = game.make_fast_game()
    for seed in range(2):
        state = game.start(seed=seed)
        fast.load(state, seed)
        saved = fast.save()
        made = 0
        while moves := game.moves(state):
            codes = fast.choices()
            texts = [choice_text(state._rules, code, state._snapshot.board_index) for code in codes]
            assert texts == [move.text for move in moves]
            before, key = fast.save(), fast.position_hash()
            for code in rng.sample(codes, min(3, len(codes))):
                fast.make(code)
                fast.unmake()
                assert fast.save() == before
                assert fast.position_hash() == key
            chosen = rng.randrange(len(codes))
            fast.make(codes[chosen])
            state, _ = game.apply(state, moves[chosen])
            made += 1
            if made == 60:
                break
        ended = fast.result()
        assert (ended is None) is (state._snapshot.result is None)
        if ended is not None and state._snapshot.result is not None:
            assert ended[:3] == state._snapshot.result[:3]
        assert (
            fast.seat_to_move == state._snapshot.me
            or state._snapshot.stuck
            or state._snapshot.result is not None
        )
        for _ in range(made):
            fast.unmake()
        assert fast.save() == saved


@pytest.mark.parametrize("name", GAMES)
def test_playouts_end_and_restore_position(name: str) -> None:
    game = shibumi3d.game(name)
    fast = game.make_fast_game(seed=3)
    fast.load(game.start(seed=1))
    code = fast.choices()[0]
    fast.make(code)
    before, key = fast.save(), fast.position_hash()
    winners = fast.playout()
    assert -1 <= winners < 1 << game.players[0]
    *wins, unfinished = fast.playouts(5)
    assert len(wins) == game.players[0]
    assert all(0 <= won <= 5 for won in wins)
    assert unfinished == 0
    assert fast.save() == before
    assert fast.position_hash() == key
    fast.unmake()
    assert fast.choices()[0] == code


def test_playout_returns_winners_of_whole_series() -> None:
    """At the last choice of a Splink match, a playout has the same winners as one of the legal choices.

    A match of Splink consists of two games, and the player who scores more as Mediator wins the match. The playout must
    return the winners of the match, not those of a single game. Positions in which some choice doesn't end the match
    aren't compared.
    """
    game = shibumi3d.game("splink")
    compared = 0
    for seed in range(12):
        fast, rng = game.make_fast_game(seed=seed), Random(seed)
        fast.load(game.start(seed=1))
        made = 0
        while fast.result() is None:
            fast.make(rng.choice(fast.choices()))
            made += 1
        fast.unmake()
        winners = []
        for code in fast.choices():
            fast.make(code)
            result = fast.result()
            winners.append(None if result is None else result.winners)
            fast.unmake()
        if None not in winners:
            compared += 1
            assert fast.playout() in winners
            *wins, unfinished = fast.playouts(1)
            assert not unfinished
            assert sum(1 << seat for seat, won in enumerate(wins) if won) in winners
    assert compared


def test_playout_stops_at_turn_limit() -> None:
    game = shibumi3d.game("spline")
    fast = game.make_fast_game()
    fast.load(game.start())
    # A line of four takes four turns of the winner, so seven in total.
    assert fast.playout(6) == -1
    assert fast.playouts(10, 6) == [0, 0, 10]


def count_random_turns(game: MarbleGame, times: int) -> Counter[tuple[str, ...]]:
    """Play ``times`` random first turns, and return how often each turn was played.

    A turn is identified by the points that were picked in it.
    """
    fast = game.make_fast_game(seed=11)
    start = game.start()
    found: Counter[tuple[str, ...]] = Counter()
    for _ in range(times):
        fast.load(start)
        fast.machine.defers_option_checks = True
        play_random_turn(fast.machine)
        found[
            tuple(choice_text(game._rules_for(), name << 8 | POINTS, 0) for name in fast.save().name_values)
        ] += 1
    return found


def test_random_moves_are_uniform_over_legal_moves() -> None:
    """Three of 16 holes are legal.

    Each is chosen in a third of 3,000 turns, give or take 130 turns (five standard deviations).
    """
    game = inline(
        "vars: {x: none | Aa1}\nturn: [{pick: holes, as: x}, {require: x <= Aa1 | Bb1 | Ab1 | Ac1}]", size=4
    )
    found = count_random_turns(game, 3000)
    assert set(found) == {("Aa1",), ("Ab1",), ("Ac1",)}
    assert all(abs(number - 1000) < 130 for number in found.values())


def test_random_turns_are_drawn_choice_by_choice() -> None:
    """Only the first choices Aa1 and Ab1 can be completed: Aa1 in two ways, Ab1 in one.

    Each of these first choices is made in about half of 4,000 turns, so about a quarter of the turns are Aa1 followed
    by Ac1, and another quarter Aa1 followed by Ad1.
    """
    game = inline(
        """
        vars: {x: none | Aa1, y: none | Aa1}
        turn:
          - {pick: Aa1 | Ab1 | Ad4, as: x}
          - {pick: Ac1 | Ad1 | Aa2, as: y}
          - {require: "x | y <= Aa1 | Ac1 | Ad1 or x | y == Ab1 | Ac1"}
        """,
        size=4,
    )
    found = count_random_turns(game, 4000)
    assert set(found) == {("Aa1", "Ac1"), ("Aa1", "Ad1"), ("Ab1", "Ac1")}
    assert abs(found["Ab1", "Ac1"] - 2000) < 160
    assert abs(found["Aa1", "Ac1"] - 1000) < 140


def test_random_moves_include_passing() -> None:
    """Three of 16 holes and a pass are legal; each of the four is chosen in about a quarter of 4,000 random moves."""
    game = inline(
        """
        vars: {x: none | Aa1}
        pass: true
        turn: [{pick: holes, as: x}, {require: x <= Aa1 | Bb1 | Ab1 | Ac1}]
        """,
        size=4,
    )
    fast = game.make_fast_game(seed=5)
    fast.load(game.start())
    found = Counter(choice_text(game._rules_for(), fast.random_move(), 0) for _ in range(4000))
    assert set(found) == {"Aa1", "Ab1", "Ac1", "pass"}
    assert all(abs(number - 1000) < 140 for number in found.values())


def test_rules_are_released_with_their_game() -> None:
    game = inline("turn: {place: own}")
    rules = weakref.ref(game.start()._rules)
    assert rules() is not None
    del game
    gc.collect()
    assert rules() is None


def test_random_numbers_match_reference_generator() -> None:
    """The generator consists of two multiply-with-carry generators of 16 bits, with factors 36969 and 18000.

    The expected numbers are computed here from this definition.
    """
    game = shibumi3d.game("spline")
    m = game.make_fast_game().machine
    m.random_x, m.random_y = 362436069, 521288629
    x, y = 362436069, 521288629
    for _ in range(100):
        x = 36969 * (x % 65536) + x // 65536
        y = 18000 * (y % 65536) + y // 65536
        assert m.random_below(1000) == (x * 65536 + y) % 2**30 * 1000 // 2**30


@pytest.mark.parametrize(("name", "size"), [("spargo", 6), ("spline", 10), ("span", 8), ("spire", 6)])
def test_wide_boards_support_make_and_unmake(name: str, size: int) -> None:
    game = shibumi3d.game(name, size=size)
    fast = game.make_fast_game()
    fast.load(game.start())
    before = fast.save()
    for _ in range(5):
        fast.make(fast.random_move())
    assert sum(board[1].bit_count() for board in fast.save().boards) > 0
    for _ in range(5):
        fast.unmake()
    assert fast.save() == before
    assert fast.playouts(1, 3)[-1] == 1


SOLO = [(e.id, v) for e in marble_games() if e.players[0] == 1 for v in ("", *e.variants)]


@pytest.mark.parametrize(("name", "variant"), SOLO)
def test_position_hash_ignores_turn_and_move_counts(name: str, variant: str) -> None:
    """Snapshots that differ only in counters that don't affect play have the same position.

    These counters are the number of turns in the match, the number of choices made in the current turn, as long as
    there is at least one, and, in the last phase, the number of turns in the phase. If they are changed, the legal
    choices and the positions that follow stay the same. In contrast, whether a snapshot is marked as stuck is part of
    the position.
    """
    game = shibumi3d.game(name, variant=variant or None)
    rules = game._rules_for()
    engine = get_engine(game.size)
    machine, other = engine.build_machine(rules), engine.build_machine(rules)
    for seed in range(3):
        rng = Random(seed)
        at = game.start(seed=seed)._snapshot
        machine.seed = other.seed = seed
        while at.result is None:
            engine.load_snapshot(machine, at)
            codes = engine.legal_choices(machine)
            changed = at._replace(
                turn=at.turn + 7,
                choices_made=at.choices_made + 3 if at.choices_made else 0,
                phase_turns=at.phase_turns + (0 if at.phase + 1 < len(rules.phases) else 5),
            )
            assert position_tuple(rules, changed) == position_tuple(rules, at)
            engine.load_snapshot(other, changed)
            assert engine.legal_choices(other) == codes
            code = codes[int(rng.random() * len(codes))]
            engine.load_snapshot(machine, at)
            engine.play_choice(machine, code)
            engine.load_snapshot(other, changed)
            engine.play_choice(other, code)
            assert position_tuple(rules, engine.save_snapshot(other)) == position_tuple(
                rules, engine.save_snapshot(machine)
            )
            at = engine.save_snapshot(machine)
            assert position_tuple(rules, at._replace(is_stuck=not at.is_stuck)) != position_tuple(rules, at)


def test_median_playout_turns_estimates_remaining_turns() -> None:
    """Each turn of Spodd fills two of the 28 empty points, so 14 turns remain at the start.

    The estimate never exceeds the given limit.
    """
    game = shibumi3d.game("spodd")
    fast = game.make_fast_game(2)
    fast.load(game.start(2))
    before = fast.position_hash()
    assert (
        fast.median_playout_turns(5, 60),
        fast.median_playout_turns(1, 60),
        fast.median_playout_turns(5, 6),
    ) == (14, 14, 6)
    assert fast.position_hash() == before
    fast.make(fast.random_move())
    fast.make(fast.random_move())
    assert fast.median_playout_turns(3, 60) == 13
