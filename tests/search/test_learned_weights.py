"""Weights shipped with games: they can be read back, are ignored if they don't fit, and affect the search."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.marbles.search import learned_weights, learning
from shibumi3d.rules.marbles.search.learned_weights import (
    STORED_WEIGHT_UNIT,
    LearnedWeights,
    format_weights,
    get_weights,
    parse_weights,
    set_weights,
)
from shibumi3d.search.levels import LEVELS, interpolated_level
from shibumi3d.search.players import Budget, Player
from tests.share import THOROUGH


@pytest.fixture(scope="module")
def small_spline() -> Any:
    """Spline on a small board, and weights that favour white marbles in the middle of level A."""
    game = shibumi3d.game("spline", size=3)
    boards, _ = learning.get_features(game, 2)
    numbers = learning.create_weights(game, game.make_fast_game(2).machine, 2).weight_values()
    numbers[boards[0][4].first_weight + 2] = 2 * 65_536
    return game, LearnedWeights(numbers, 1.0, 0.4)


def test_weights_round_trip(small_spline: Any) -> None:
    game, known = small_spline
    assert known.values.count(0) == len(known.values) - 1
    for read in (
        known,
        known._replace(minimax_share=0.5),
        known._replace(minimax_share=0.5, feature_version=2),
        known._replace(feature_version=1),
    ):
        assert parse_weights(format_weights(game, 2, read), game, 2) == read
    rough = known._replace(values=[STORED_WEIGHT_UNIT * 40_000, -STORED_WEIGHT_UNIT * 40_000, 100])
    assert parse_weights(format_weights(game, 2, rough), game, 2).values == [
        STORED_WEIGHT_UNIT * 32_767,
        -STORED_WEIGHT_UNIT * 32_768,
        128,
    ]


def test_weights_for_other_rules_are_rejected(small_spline: Any) -> None:
    game, known = small_spline
    text = format_weights(game, 2, known)
    large = shibumi3d.game("spline")
    with pytest.raises(InvalidValueError, match="different rules") as raised:
        parse_weights(text, large, 2)
    assert raised.value.message.text == "{game}: these weights were made for different rules"
    for broken in (
        "",
        "x",
        text[:-20],
        *(text.replace(" 1 ", f" {trust} ") for trust in ("one", "nan", "2")),
        text.replace(" 0.4 0", " 0.4 1.5"),
        text.replace(" 0.4 0", " 0.4 0 0 0"),
    ):
        with pytest.raises(InvalidValueError) as raised:
            parse_weights(broken, game, 2)
        assert raised.value.message.text == "{game}: these weights are damaged"
    with pytest.raises(InvalidValueError, match="version 4, but this program reads version 3"):
        parse_weights("4" + text[1:], game, 2)


def test_only_learned_levels_use_weights(small_spline: Any) -> None:
    """Weights change how sky evaluates its move, but they don't affect a level that doesn't use them.

    The weights favour the central hole. Sky takes this hole even without them, but expects more from it with them. Each
    choice takes 100 iterations.
    """
    game, known = small_spline
    view = game.observe(game.start(2), 0)
    sky = replace(LEVELS[-1], search_work=0)
    plain = replace(sky, learned_weight=0.0)
    set_weights(game, 2, None)
    before = [Player(one, 3).choose(game, view, Budget(100), seat=0) for one in (sky, plain)]
    assert before[0] == before[1]
    set_weights(game, 2, known)
    assert Player(plain, 3).choose(game, view, Budget(100), seat=0) == before[1]
    chosen = Player(sky, 3).choose(game, view, Budget(100), seat=0)
    assert chosen.move == "W@Ab2"
    assert chosen.analysis.mean > before[0].analysis.mean
    set_weights(game, 2, None)


def test_learned_weight_rises_with_level() -> None:
    """Halfway between the levels with weights of 0.05 and 1, the weight is the geometric mean of the two.

    A weight of 0.05 already brings far more than a twentieth of the improvement from a weight of 1. Between 0 and 0.05,
    the interpolation is linear.
    """
    assert [one.learned_weight for one in LEVELS] == [0, 0, 0, 0.05, 1]
    assert interpolated_level(3.5).learned_weight == 0.025
    assert interpolated_level(4.5).learned_weight == pytest.approx(0.2236, abs=1e-4)


COME = sorted(
    path.name.split("_")[0] for path in files(learned_weights.__package__).joinpath("weights").iterdir()
)


@pytest.mark.parametrize("name", [COME[0], *(pytest.param(one, marks=THOROUGH) for one in COME[1:])])
def test_bundled_weights_fit_their_rules(name: str) -> None:
    game = shibumi3d.game(name)
    known = get_weights(game, 2)
    assert known is not None
    assert game.explain_ignored_knowledge(2) is None
    fast = game.make_fast_game(2)
    weights = learning.create_weights(game, fast.machine, 2, known.feature_version)
    weights.set_weights(known.values)


OWN = """\
title: Mine
players: 2
sizes: [3]
turn: {place: own}
end: [{when: stuck, lose: me}]
"""


@pytest.fixture
def short_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the number of matches used for learning to 20."""
    monkeypatch.setattr(learned_weights, "count_course_matches", lambda game, seats: 20)


def add_user_game(folder: Path, text: str = OWN, name: str = "mine") -> tuple[Catalogue, Any]:
    """Add a user's game to the subfolder ``games`` of ``folder``, and return the catalogue and the game."""
    games = folder / "games"
    games.mkdir(exist_ok=True)
    (games / f"{name}.yaml").write_text(text)
    catalogue = load_catalogue(games)
    return catalogue, catalogue.get(name).game()


@pytest.mark.usefixtures("short_course")
def test_custom_game_weights_expire_when_rules_change(tmp_path: Path) -> None:
    catalogue, game = add_user_game(tmp_path)
    assert get_weights(game, 2) is None
    assert catalogue.learned_folder is not None
    catalogue.learned_folder.mkdir()
    path = catalogue.learned_folder / game.knowledge_file_name(2)
    path.write_text(game.run_lesson(2, "", 9))
    assert get_weights(game, 2) is None, "what is looked for is kept with the game"
    catalogue, game = add_user_game(tmp_path)
    assert get_weights(game, 2) is not None
    remarked = OWN.replace("title: Mine", "# other words\ntitle: Yours\nsummary: {en: all else is as it was}")
    for text, name, knows in (
        (remarked, "yours", True),
        (OWN.replace("lose: me", "win: me"), "changed", False),
        (OWN, "mine", True),
    ):
        _, other = add_user_game(tmp_path, text, name)
        assert (get_weights(other, 2) is not None) is knows, name
        assert other.explain_ignored_knowledge(2) is None
    outside = tmp_path / "elsewhere.yaml"
    outside.write_text(OWN)
    assert get_weights(catalogue.get(str(outside)).game(), 2) is not None
    assert get_weights(load_catalogue().open(outside).game(), 2) is None, "from Python there is no user"


@pytest.mark.usefixtures("short_course")
@pytest.mark.parametrize(
    ("spoil", "key"),
    [
        (
            lambda data: b"7" + data[1:],
            "{game}: these weights are version {version}, but this program reads version {wanted}",
        ),
        (lambda data: data[:80], "{game}: these weights are damaged"),
        (lambda data: b"\xff\xfe", "{game}: these weights are damaged"),
        (lambda data: data + b"\n" * (2 << 20), "{game}: these weights are damaged"),
    ],
)
def test_unreadable_weights_are_ignored_with_explanation(tmp_path: Path, spoil: Any, key: str) -> None:
    catalogue, game = add_user_game(tmp_path)
    assert catalogue.learned_folder is not None
    catalogue.learned_folder.mkdir()
    path = catalogue.learned_folder / game.knowledge_file_name(2)
    path.write_text(game.run_lesson(2, "", 9))
    path.write_bytes(spoil(path.read_bytes()))
    game = catalogue.get("mine").game()
    assert get_weights(game, 2) is None
    assert game.explain_ignored_knowledge(2).text == key
    view = game.observe(game.start(2), 0)
    assert Player(LEVELS[-1], 3).choose(game, view, Budget(20), seat=0).move


def test_shipped_weights_replace_a_damaged_file_without_a_message(tmp_path: Path) -> None:
    catalogue, _ = add_user_game(tmp_path)
    game = catalogue.get(COME[0]).game()
    assert catalogue.learned_folder is not None
    catalogue.learned_folder.mkdir()
    (catalogue.learned_folder / game.knowledge_file_name(2)).write_bytes(b"1 broken")
    assert get_weights(game, 2) == get_weights(shibumi3d.game(COME[0]), 2)
    assert game.explain_ignored_knowledge(2) is None
