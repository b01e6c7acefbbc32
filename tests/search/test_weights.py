"""The weights that come with games: read as they were written, left aside where they don't fit, used by who knows."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import Catalogue, load
from shibumi3d.i18n import Unusable
from shibumi3d.rules.marbles.thinking import knowledge, weights
from shibumi3d.rules.marbles.thinking.weights import (
    FINE,
    Knowledge,
    known_weights,
    read_weights,
    use_weights,
    written_out,
)
from shibumi3d.search.levels import LEVELS, between
from shibumi3d.search.players import Budget, Player
from tests.share import THOROUGH


@pytest.fixture(scope="module")
def small() -> Any:
    """The small board of Spline, and weights by which White is glad of every marble in the middle of level A."""
    game = shibumi3d.game("spline", size=3)
    boards, _ = knowledge.pieces(game, 2)
    numbers = knowledge.blank(game, game.fast(2).machine, 2).all_numbers()
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
    assert raised.value.message.text == "{game}: these weights were made for other rules"
    for broken in (
        "",
        "x",
        text[:-20],
        *(text.replace(" 1 ", f" {trust} ") for trust in ("one", "nan", "2")),
    ):
        with pytest.raises(Unusable) as raised:
            read_weights(broken, game, 2)
        assert raised.value.message.text == "{game}: these weights are damaged"
    with pytest.raises(Unusable, match="version 2, but this program reads version 1"):
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


def test_the_mountain_knows_a_little_and_from_there_to_the_sky_more_and_more() -> None:
    """By factors, as one in twenty already takes far more than a twentieth of the matches: half way the root of it."""
    assert [one.knows for one in LEVELS] == [0, 0, 0, 0.05, 1]
    assert between(3.5).knows == 0.025
    assert between(4.5).knows == pytest.approx(0.2236, abs=1e-4)


COME = sorted(path.name.split("_")[0] for path in files(weights.__package__).joinpath("weights").iterdir())


@pytest.mark.parametrize("name", [COME[0], *(pytest.param(one, marks=THOROUGH) for one in COME[1:])])
def test_weights_that_come_with_the_program_fit_their_rules(name: str) -> None:
    game = shibumi3d.game(name)
    known = known_weights(game, 2)
    assert known is not None
    assert game.left_aside(2) is None
    fast = game.fast(2)
    knowledge.blank(game, fast.machine, 2).fill(known.numbers)


OWN = """\
title: Mine
players: 2
sizes: [3]
turn: {place: own}
end: [{when: stuck, lose: me}]
"""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons of two matches."""
    monkeypatch.setattr(weights, "matches_of", lambda game, seats: 20)


def own(folder: Path, text: str = OWN, name: str = "mine") -> tuple[Catalogue, Any]:
    """A game of the user's, who keeps games in the folder ``games`` and what they have learned beside it."""
    games = folder / "games"
    games.mkdir(exist_ok=True)
    (games / f"{name}.yaml").write_text(text)
    catalogue = load(games)
    return catalogue, catalogue.get(name).game()


@pytest.mark.usefixtures("short")
def test_own_games_know_what_they_have_learned_until_their_rules_change(tmp_path: Path) -> None:
    catalogue, game = own(tmp_path)
    assert known_weights(game, 2) is None
    assert catalogue.library is not None
    catalogue.library.mkdir()
    path = catalogue.library / game.known_as(2)
    path.write_text(game.lesson(2, "", 9))
    assert known_weights(game, 2) is None, "what is looked for is kept with the game"
    game.know(2, None)
    assert known_weights(game, 2) is not None
    remarked = OWN.replace("title: Mine", "# other words\ntitle: Yours\nsummary: {en: all else is as it was}")
    for text, name, knows in (
        (remarked, "yours", True),
        (OWN.replace("lose: me", "win: me"), "changed", False),
        (OWN, "mine", True),
    ):
        _, other = own(tmp_path, text, name)
        assert (known_weights(other, 2) is not None) is knows, name
        assert other.left_aside(2) is None
    outside = tmp_path / "elsewhere.yaml"
    outside.write_text(OWN)
    assert known_weights(catalogue.get(str(outside)).game(), 2) is not None
    assert known_weights(load().open(outside).game(), 2) is None, "from Python there is no user"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    ("spoil", "key"),
    [
        (
            lambda data: b"7" + data[1:],
            "{game}: these weights are version {version}, but this program reads version {wanted}",
        ),
        (lambda data: data[:80], "{game}: these weights are damaged"),
        (lambda data: b"\xff\xfe", "{game}: these weights are damaged"),
    ],
)
def test_what_cannot_be_read_is_left_aside_with_a_sentence(tmp_path: Path, spoil: Any, key: str) -> None:
    catalogue, game = own(tmp_path)
    assert catalogue.library is not None
    catalogue.library.mkdir()
    path = catalogue.library / game.known_as(2)
    path.write_text(game.lesson(2, "", 9))
    path.write_bytes(spoil(path.read_bytes()))
    game.know(2, None)
    assert known_weights(game, 2) is None
    assert game.left_aside(2).text == key
    view = game.view(game.start(2), 0)
    assert Player(LEVELS[-1], 3).choose(game, view, Budget(20), seat=0).move
