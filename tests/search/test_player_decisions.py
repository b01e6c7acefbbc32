"""How a player uses the results of its search; the searches here return given results."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search import players
from shibumi3d.search.levels import find_level
from shibumi3d.search.players import Budget, Choice, never_stop


def make_choice(reports: list[Choice] | None = None, **found: Any) -> Any:
    """Return the ``_MoveChoice`` of a sky player whose search is a stand-in with the moves a and b.

    The stand-in finds and proves nothing, except as given by ``found``, whose items replace its attributes and methods.
    Progress reports are appended to ``reports`` if it isn't None.
    """
    usual = {
        "move_texts": ("a", "b"),
        "ranked_moves": list,
        "ranked_turns": lambda most: found.get("ranked_moves", list)(),
        "prove_by_lookahead": lambda turns, work, stop: [],
        "solve": lambda work, stop: (0.0, 1.0, ()),
        "has_stored_proof": False,
        "is_simultaneous": False,
        "is_proved_loss": lambda move, turns, work, stop: False,
        "count_repetitions": lambda move: 0,
        "set_learned_weight": lambda part: None,
    }
    tell = None if reports is None else reports.append
    search: Any = SimpleNamespace(**(usual | found))
    return players._MoveChoice(
        search, 0, find_level(5), Budget(iterations=8), never_stop, tell, Random(1), monotonic()
    )


def evaluations_by_visits(**visits: int) -> list[MoveEvaluation]:
    return [MoveEvaluation((move,), number, 0.5) for move, number in visits.items()]


@pytest.mark.parametrize(
    ("before", "chosen"),
    [({"a": 1}, "a"), ({"a": 2}, "b"), ({"a": 2, "b": 2}, "a")],
    ids=["a second time", "a third time", "both"],
)
def test_player_avoids_threefold_repetition_where_possible(before: dict[str, int], chosen: str) -> None:
    mind = make_choice(count_repetitions=lambda move: before.get(move, 0))
    mind.level = SimpleNamespace(search_work=1, temperature=0.0, keeps_match_close=False)
    assert mind.pick_move(evaluations_by_visits(a=50, b=10)) == chosen


def test_proved_winning_move_is_ranked_first() -> None:
    mind = make_choice(
        solve=lambda work, stop: (1.0, 1.0, ("b",)), ranked_moves=lambda: evaluations_by_visits(a=90, b=1)
    )
    assert mind.prove_results()
    best = mind.rank_moves()[0]
    assert (best.move_texts, best.mean_value, best.is_proved) == (("b",), 1.0, True)


def test_ranking_prefers_longest_loss_and_shortest_win() -> None:
    sure = {
        "a": MoveEvaluation(("a",), 5, 0.0, 0.0, 0.0, 2),
        "b": MoveEvaluation(("b",), 1, 0.0, 0.0, 0.0, 4),
    }
    mind = make_choice(ranked_moves=lambda: evaluations_by_visits(a=5, b=1))
    mind.proved = sure
    assert [one.move_texts[0] for one in mind.rank_moves()] == ["b", "a"]
    mind.proved = {
        move: MoveEvaluation((move,), 1, 1.0, 1.0, 1.0, one.turns_to_end) for move, one in sure.items()
    }
    assert [one.move_texts[0] for one in mind.rank_moves()] == ["a", "b"]


@pytest.mark.parametrize("found", ["tried", "proved", "nothing"])
def test_progress_reports_best_tried_or_proved_move(found: str) -> None:
    reports: list[Choice] = []
    choices: Sequence[MoveEvaluation] = evaluations_by_visits(a=5) if found == "tried" else ()
    mind = make_choice(reports, ranked_moves=lambda: list(choices))
    if found == "proved":
        mind.proved = {"a": MoveEvaluation(("a",), 0, 1.0, 1.0, 1.0, 1)}
    mind.next_report = 0.0
    mind.should_stop()
    assert [choice.move for choice in reports] == ([] if found == "nothing" else ["a"])
    mind.should_stop()
    assert len(reports) <= 1, "not again at once"


@pytest.mark.parametrize(("sees", "stopped"), [(0, False), (1, True), (0, True), (1, False)])
def test_lookahead_runs_only_when_enabled_and_not_stopped(sees: int, stopped: bool) -> None:
    asked: list[int] = []
    mind = make_choice(prove_by_lookahead=lambda turns, work, stop: asked.append(turns) or [])
    mind.level = SimpleNamespace(search_work=sees, uses_full_time=False)
    mind.search_work, mind.stop_requested = sees, lambda: stopped
    assert not mind.prove_results()
    assert bool(asked) == (sees == 1 and not stopped)
