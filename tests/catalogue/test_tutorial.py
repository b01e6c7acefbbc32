"""The tutorial: every step is a working game that does what the text says and is quoted in it exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.marbles.event import Moved, Placed
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State

DOCS = Path(__file__).resolve().parents[2] / "docs"
STEPS = sorted((DOCS / "tutorial").glob("*.yaml"))
GAMES = 50


def step_game(step: int, *, size: int | None = None, variant: str | None = None) -> MarbleGame:
    return load_catalogue().open(STEPS[step - 1]).game(size=size, variant=variant)


def random_states(rules: MarbleGame, seed: int) -> Iterator[State]:
    """Yield all states of a match played to its end at random."""
    chance = Random(seed)
    state = rules.start(seed=seed)
    yield state
    while moves := rules.moves(state):
        state, _ = rules.apply(state, chance.choice(moves))
        yield state


def final_state(rules: MarbleGame, seed: int) -> State:
    return list(random_states(rules, seed))[-1]


def shoulders(state: State, seat: int) -> int:
    """Count the opposing marbles directly under each marble of a seat, and return the sum."""
    pyr = state.pyramid
    mine, theirs = state.cells()[seat], state.cells()[1 - seat]
    return sum((pyr.supports[p] & theirs).bit_count() for p in range(pyr.point_count) if mine >> p & 1)


def test_tutorial_text_shows_all_ten_steps() -> None:
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    parts = re.split(r"(?m)^## ", text)[1:]
    assert len(parts) == len(STEPS) == 10
    for number, (part, path) in enumerate(zip(parts, STEPS, strict=True), 1):
        assert part.startswith(f"{number}. ")
        assert path.name.startswith(f"{number:02}-")
        assert f"[{path.name}](tutorial/{path.name})" in part
        shown = re.findall(r"(?ms)^```yaml\n(.*?)^```$", part)
        assert shown
        for block in shown:
            assert block in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", STEPS, ids=lambda path: path.stem)
def test_every_step_is_valid_and_plays_to_the_end(path: Path) -> None:
    assert load_catalogue().check([path]) == (1, ())
    rules = load_catalogue().open(path).game()
    for seed in range(GAMES):
        assert rules.outcome(final_state(rules, seed)) is not None


def test_step_1_black_makes_the_last_move() -> None:
    rules = step_game(1)
    for seed in range(GAMES):
        state = final_state(rules, seed)
        outcome = rules.outcome(state)
        assert outcome is not None
        assert (state.turn, outcome.winners) == (30, (1,))


def test_step_2_higher_score_wins() -> None:
    rules = step_game(2)
    for seed in range(GAMES):
        for state in random_states(rules, seed):
            assert state.scores == (shoulders(state, 0), shoulders(state, 1))
        outcome = rules.outcome(state)
        assert outcome is not None
        equal = state.scores[0] == state.scores[1]
        assert outcome.winners == (() if equal else (state.scores.index(max(state.scores)),))


def test_step_3_landing_scores_match_the_formula() -> None:
    formula, tally = step_game(2), step_game(3)
    for seed in range(GAMES):
        ends = final_state(formula, seed), final_state(tally, seed)
        assert ends[0].boards == ends[1].boards
        assert ends[0].scores == ends[1].scores


def test_step_4_marbles_climb_and_nothing_falls() -> None:
    rules = step_game(4)
    climbs = 0
    for seed in range(10):
        chance = Random(seed)
        state = rules.start(seed=seed)
        level = state.pyramid.level
        while moves := rules.moves(state):
            state, events = rules.apply(state, chance.choice(moves))
            assert not state.fallen_points()
            for event in events:
                if isinstance(event, Moved):
                    climbs += 1
                    assert level[event.point] > level[event.origin]
    assert climbs > 20


def test_step_5_three_opponents_give_another_turn() -> None:
    rules = step_game(5)
    again = 0
    for seed in range(10):
        chance = Random(seed)
        state = rules.start(seed=seed)
        while moves := rules.moves(state):
            before = state
            state, events = rules.apply(state, chance.choice(moves))
            if state.turn == before.turn or state.to_move is None or before.to_move is None:
                continue
            gain = sum(state.scores) - sum(before.scores)
            assert (state.to_move == before.to_move) == (gain >= 3)
            assert any(isinstance(event, Placed | Moved) for event in events)
            again += gain >= 3
    assert again > 10


def test_step_6_twelve_points_win_at_once() -> None:
    rules = step_game(6)
    reached = 0
    for seed in range(GAMES):
        *before, end = random_states(rules, seed)
        assert all(max(state.scores) < 12 for state in before)
        outcome = rules.outcome(end)
        assert outcome is not None
        if max(end.scores) >= 12:
            reached += 1
            assert outcome.winners == (end.scores.index(max(end.scores)),)
        elif end.scores[0] != end.scores[1]:
            assert outcome.winners == (end.scores.index(max(end.scores)),)
    assert reached > 0


def test_step_7_four_marbles_start_in_the_middle() -> None:
    rules = step_game(7)
    starts = {rules.start(seed=seed).boards[0] for seed in range(100)}
    assert len(starts) == 12
    for start in starts:
        assert re.fullmatch(r"\.{4},\.[WBR]{2}\.,\.[WBR]{2}\.,\.{4}/.*", start)
        assert sorted(start.replace(".", "").split("/")[0].replace(",", "")) == ["B", "R", "R", "W"]


def test_step_8_sizes_and_variants() -> None:
    for size in (4, 5, 6):
        for variant, goal in (("", 3), ("long", 5), ("feet on the ground", 3)):
            rules = step_game(8, size=size, variant=variant)
            for seed in range(3):
                *before, end = random_states(rules, seed)
                assert all(max(state.scores) < goal * size for state in before)
                assert rules.outcome(end) is not None
                if variant == "feet on the ground":
                    assert not any(state.held for state in before)
    seven, eight = step_game(7), step_game(8)
    for seed in range(10):
        assert final_state(seven, seed).boards == final_state(eight, seed).boards


def test_step_9_adds_texts_without_changing_play() -> None:
    before, after = step_game(8), step_game(9)
    for seed in range(10):
        assert [s.boards for s in random_states(before, seed)] == [
            s.boards for s in random_states(after, seed)
        ]
    entry = load_catalogue().open(STEPS[8])
    assert set(entry.summary) == set(entry.rules) == {"en", "fr"}
    end = after.outcome(final_state(after, 0))
    assert end is not None
    assert end.reason in ("enough points", "higher score")


def test_step_10_three_players_with_red_owned() -> None:
    entry = load_catalogue().open(STEPS[9])
    assert (entry.title, entry.players, entry.variants, entry.sizes) == (
        "Spry for three",
        (3, 3),
        (),
        (4, 5, 6),
    )
    assert "Spry" in entry.rules["en"]
    rules = entry.game()
    start = rules.start(seed=1)
    assert [start.owned_colours(seat) for seat in range(3)] == [(0,), (1,), (2,)]
    assert start.filled().bit_count() == 3
    reds = 0
    for seed in range(10):
        *before, end = random_states(rules, seed)
        assert all(max(state.scores) < 16 for state in before)
        reds += end.scores[2]
    assert reds > 0
