"""The weights that come with games: read as they were written, left aside where they don't fit, used by who knows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.thinking import knowledge
from shibumi3d.rules.marbles.thinking.weights import (
    FINE,
    Knowledge,
    known_weights,
    read_weights,
    use_weights,
    written_out,
)
from shibumi3d.sayings import Unusable
from shibumi3d.search.levels import LEVELS, between
from shibumi3d.search.players import Budget, Player
from tools import weights as command


@pytest.fixture(scope="module")
def small() -> Any:
    """The small board of Spline, and weights by which White is glad of every marble in the middle of level A."""
    game = shibumi3d.game("spline", size=3)
    boards, _ = knowledge.pieces(game, 2)
    numbers = knowledge.learned(game, 2, 0)
    numbers[boards[0][4].base + 2] = 2 * 65_536
    return game, Knowledge(numbers, 1.0, 0.4)


def test_weights_are_read_as_they_were_written(small: Any) -> None:
    game, known = small
    assert known.numbers.count(0) == len(known.numbers) - 1
    assert read_weights(written_out(game, 2, known), game, 2) == known
    rough = known._replace(numbers=[FINE * 40_000, -FINE * 40_000, 100])
    assert read_weights(written_out(game, 2, rough), game, 2).numbers == [FINE * 32_767, -FINE * 32_768, 128]


def test_weights_of_something_else_are_left_aside(small: Any) -> None:
    game, known = small
    text = written_out(game, 2, known)
    large = shibumi3d.game("spline")
    with pytest.raises(Unusable, match="other rules") as raised:
        read_weights(text, large, 2)
    assert raised.value.saying.key == "weights.other"
    for broken in ("", "x", text[:-20], text.replace(" 1 ", " one ")):
        with pytest.raises(Unusable) as raised:
            read_weights(broken, game, 2)
        assert raised.value.saying.key == "weights.broken"
    with pytest.raises(Unusable, match="other rules"):
        read_weights("2" + text[1:], game, 2)


def test_who_knows_judges_by_weights_and_others_do_not(small: Any) -> None:
    """White who believes in the middle takes it, with few looks; knowing nothing, what is chosen stays as it was."""
    game, known = small
    view = game.view(game.start(2), 0)
    sky = replace(LEVELS[-1], sees=0)
    plain = replace(sky, knows=0.0)
    use_weights(game, 2, None)
    before = [Player(one, 3).choose(game, view, Budget(100), seat=0) for one in (sky, plain)]
    assert before[0] == before[1]
    use_weights(game, 2, known)
    assert Player(plain, 3).choose(game, view, Budget(100), seat=0) == before[1]
    chosen = Player(sky, 3).choose(game, view, Budget(100), seat=0)
    assert chosen.move == "W@Ab2"
    assert chosen.analysis.mean > before[0].analysis.mean
    use_weights(game, 2, None)


def test_only_the_sky_knows_and_from_the_mountain_to_it_more_and_more() -> None:
    assert [one.knows for one in LEVELS] == [0, 0, 0, 0, 1]
    assert between(4.5).knows == 0.5


def test_weights_that_come_with_the_program_fit_their_rules() -> None:
    game = shibumi3d.game("spargo")
    known = known_weights(game, 2)
    assert known is not None
    fast = game.fast(2)
    knowledge.blank(game, fast.machine, 2).fill(known.numbers)


@pytest.mark.parametrize(("low", "kept"), [(0.49, False), (0.5, True)])
def test_only_what_is_surely_better_is_kept(low: float, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    game = shibumi3d.game("spline", size=3)

    def told(game: Any, known: Knowledge, games: int, seconds: float, seed: int) -> Any:
        best = 0.7 if known.trust < 1 else 0.6
        return command.Tally(games, (7, 3), 0, 0, best, (low, 0.8))

    monkeypatch.setattr(command, "share", told)
    said, text = command.taught(game, 120, 0.03, 0)
    assert "70%" in said
    assert bool(text) is kept
    if kept:
        assert read_weights(text, game, 2).trust == 0.5
    assert command.taught(shibumi3d.game("splink"), 2, 0.03, 0)[1] == ""
