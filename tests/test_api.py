"""The public package interface: ``shibumi3d.game`` and ``shibumi3d.games``."""

from __future__ import annotations

from pathlib import Path

import pytest

import shibumi3d
from shibumi3d.lab import GameText, Judging, Matches
from shibumi3d.research.encoding import choices
from shibumi3d.search import thinker
from shibumi3d.search.engine_client import EngineClient

GAMES = Path(__file__).resolve().parent.parent / "games"


def test_game_is_loaded_by_name_size_and_variant() -> None:
    game = shibumi3d.game("Spline", size=5)
    assert (game.id, game.size, game.variant) == ("spline", 5, "")
    assert len(game.moves(game.start(seats=2, seed=7))) == 25
    variant = shibumi3d.game("spuzzle", variant="two-colours")
    assert variant.variant == "two colours"
    assert {str(move)[0] for move in variant.moves(variant.start())} == {"W", "B"}


def test_game_includes_its_metadata() -> None:
    game = shibumi3d.game("spline")
    assert game.meta["title"] == "Spline"
    assert game.meta["players"] == (2, 2)
    assert set(game.meta["rules"]) == {"en", "fr"}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("splinne", {}, "there is no game 'splinne', did you mean 'spline'?"),
        (
            "spline",
            {"size": 1},
            "Spline can't be played on a board of size 1; possible sizes: 3, 4, 5, 6, 7, 8, 10",
        ),
        ("spline", {"variant": "x"}, "Spline has no variant 'x'; it has none"),
    ],
)
def test_unknown_game_size_or_variant_is_an_error(
    name: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=r"^there|^Spline") as caught:
        shibumi3d.game(name, **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_games_lists_the_whole_catalogue_by_title() -> None:
    games = shibumi3d.games()
    assert {entry.id for entry in games} == {path.stem for path in GAMES.glob("*.yaml")}
    assert [entry.title.casefold() for entry in games] == sorted(entry.title.casefold() for entry in games)


@pytest.mark.filterwarnings("error")
def test_deprecated_names_work_with_a_warning() -> None:
    line = shibumi3d.game("spline", size=3)
    state = line.start()
    with pytest.warns(DeprecationWarning, match="tree is now called create_search_tree"):
        line.tree(state, seed=1)  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match=r"GameText\.from_entry"):
        table = GameText.of("spline", size=3)
    assert table == GameText.from_entry("spline", size=3)
    for job in (Matches(table, count=2), Judging(table, count=2)):
        with pytest.warns(DeprecationWarning, match="called split"):
            assert list(job.jobs()) == list(job.split())
    numbers = choices(line)
    with pytest.warns(DeprecationWarning, match="legal_numbers"):
        assert numbers.open(line.moves(state)) == numbers.legal_numbers(line.moves(state))
    with pytest.warns(DeprecationWarning, match="EngineClient"):
        assert thinker.Thinker is EngineClient
