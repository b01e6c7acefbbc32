"""Deprecated names still work for one version, with a warning."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d import lab
from shibumi3d.deprecation import FormerNames
from shibumi3d.lab.jobs import GameText, Judging, Matches
from shibumi3d.match.match import Match
from shibumi3d.research.encoding import Choices
from shibumi3d.rules.game import DefaultTexts, Facts, FormerStateNames

GAMES = ("spline", "hyena-spiral", "golden-spiral", "arcanoid")
FIRST_NAMES = [
    "start",
    "moves",
    "apply",
    "parse",
    "outcome",
    "view",
    "told",
    "sample_hidden",
    "search",
    "facts",
    "foresee",
    "ask_line",
    "say",
    "foretell",
    "why_not",
    "roles",
    "lines",
    "fast",
    "move_of",
]
"""Methods of games in the documentation of version 0.1.0, except for ``own_line``, whose result has changed."""


@pytest.mark.parametrize("name", GAMES)
def test_deprecated_game_names_work_with_a_warning(name: str) -> None:
    game = shibumi3d.game(name)
    state = game.start(seed=3)
    assert game.observe(state, 0) == _former(game, "view")(state, 0)
    move = game.moves(state)[0]
    assert _former(game, "say")(game.observe(state, 0), move) == game.move_label(game.observe(state, 0), move)
    sampled = _former(game, "sample_hidden")(game.observe(state, 0), 0, Random(1))
    assert sampled == game.determinize(game.observe(state, 0), 0, Random(1))
    assert _former(state, "ask") == state.decision
    assert _former(state, "standing") == state.repetition_key
    assert _former(game.facts(), "secrets") is game.facts().has_secrets


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", GAMES)
def test_documented_names_of_the_first_version_still_work(name: str) -> None:
    game = shibumi3d.game(name)
    assert [each for each in FIRST_NAMES if not callable(getattr(game, each, None))] == []


@pytest.mark.parametrize("owner", [DefaultTexts, Facts, FormerStateNames])
@pytest.mark.parametrize("name", GAMES)
def test_every_deprecated_name_has_a_current_one(name: str, owner: type[FormerNames]) -> None:
    game = shibumi3d.game(name)
    value = {DefaultTexts: game, Facts: game.facts(), FormerStateNames: game.start()}[owner]
    optional = {"notable_events", "all_move_texts", "encode_observation"}  # of games that offer them
    missing = {new for new in owner.FORMER_NAMES.values() if not hasattr(value, new)}
    assert missing <= optional


@pytest.mark.parametrize("name", GAMES)
def test_unknown_attribute_raises_attribute_error(name: str) -> None:
    state = shibumi3d.game(name).start()
    with pytest.raises(AttributeError, match=r"'State' object has no attribute 'stand_ing'"):
        state.stand_ing  # type: ignore[attr-defined]  # noqa: B018
    assert pickle.loads(pickle.dumps(state)) == state


def test_former_names_of_jobs_and_move_numbers_warn_and_work() -> None:
    matches = Matches(GameText.from_entry("spline"), count=3)
    assert list(_former(matches, "jobs")()) == list(matches.split())
    judging = Judging(GameText.from_entry("spline"), count=3)
    assert list(_former(judging, "jobs")()) == list(judging.split())
    assert _former(matches, "rows")() == matches.run()
    assert _former(Choices(["a", "b"]), "open")(["b"]) == [1]


@pytest.mark.parametrize(
    ("former", "current"),
    [("Advance", "JobProgress"), ("Lost", "JobsLostError"), ("Unlike", "VersionMismatchError")],
)
def test_former_names_of_the_laboratory_warn_and_work(former: str, current: str) -> None:
    assert _former(lab, former) is getattr(lab, current)


def test_former_name_of_player_types_in_a_record_warns_and_works() -> None:
    record = Match(shibumi3d.game("spline"), ["Ann", "Ben"], player_types=("person", "stone")).record()
    assert _former(record, "players") == ("person", "stone") == record.player_types


def test_error_within_a_property_is_not_mistaken_for_an_unknown_name() -> None:
    class Faulty(FormerNames):
        @property
        def result(self) -> int:
            return len(self.missing)  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="'Faulty' object has no attribute 'missing'"):
        Faulty().result  # noqa: B018


def _former(value: object, name: str) -> Any:
    with pytest.warns(DeprecationWarning, match=rf"^{name} is now called "):
        return getattr(value, name)
