"""How matches of every table end, in words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from shibumi3d.rules.ending import ending
from shibumi3d.rules.game import Outcome

NAMES = ("Aiko", "Ben", "Cleo")
WHY = (("en", "most points"), ("fr", "le plus de points"))


@pytest.mark.parametrize(
    ("seats", "winners", "because", "told"),
    [
        (2, (1,), (), ("Ben wins", "Ben gagne")),
        (3, (0, 2), WHY, ("Aiko and Cleo share the win: most points",
                          "Aiko et Cleo partagent la victoire : le plus de points")),
        (2, (), (), ("A draw", "Partie nulle")),
        (1, (), WHY, ("Not this time: most points", "Pas cette fois : le plus de points")),
        (1, (0,), (), ("5 points", "5 points")),
    ],
)  # fmt: skip
def test_who_won_is_told_of_any_table(
    seats: int, winners: tuple[int, ...], because: tuple[tuple[str, str], ...], told: tuple[str, str]
) -> None:
    state = SimpleNamespace(seats=seats, result=Outcome(winners, (5,) * seats, "", because))
    for lang, line in zip(("en", "fr"), told, strict=True):
        assert ending(state, lang, NAMES, counted="points") == line
    assert ending(SimpleNamespace(seats=seats, result=None), "en", NAMES) == ""


def test_that_the_program_played_what_was_to_be_found_is_told() -> None:
    state = SimpleNamespace(seats=1, result=Outcome((0,), (1,), ""))
    assert ending(state, "en", NAMES, shown=True) == "Shown"
    assert ending(state, "en", NAMES, counted="marbles", shown=True) == "Shown, 1 marble"
