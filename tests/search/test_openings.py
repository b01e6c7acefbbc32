"""First turns are grouped by the position that they lead to, up to symmetry."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.i18n import InvalidValueError
from shibumi3d.search.openings import first_turn_classes


def test_first_turns_are_grouped_by_symmetry() -> None:
    # The 16 holes of a 4 × 4 board fall into three classes: corners, centres and edges (where points mirror each
    # other).
    classes = first_turn_classes(load_catalogue().get("spline").game(), 2)
    assert sorted(map(len, classes)) == [4, 4, 8]
    corners = next(turns for turns in classes if any("Aa1" in turn[0] for turn in turns))
    assert sorted(turn[0][-3:] for turn in corners) == ["Aa1", "Aa4", "Ad1", "Ad4"]


@pytest.mark.parametrize(
    ("name", "reason"), [("arcanoid", "chance"), ("spagyric", "hidden"), ("spalone", "solo")]
)
def test_game_without_openings_is_left_out_with_the_reason(name: str, reason: str) -> None:
    entry = load_catalogue().get(name)
    with pytest.raises(InvalidValueError, match=reason):
        first_turn_classes(entry.game(), entry.players[0])


def test_symmetry_counts_even_if_positions_may_not_recur() -> None:
    # The ko rule compares positions with earlier ones, so no symmetry is exact.
    classes = first_turn_classes(load_catalogue().get("spargo").game(), 2)
    assert sorted(map(len, classes)) == [4, 4, 8]
