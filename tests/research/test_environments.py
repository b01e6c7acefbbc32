"""The environments and games pass the test suites of PettingZoo and OpenSpiel."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import runpy
from functools import partial
from pathlib import Path

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.i18n import InvalidValueError
from tests.research.test_numeric_encodings import LISTED
from tests.share import THOROUGH, some

SECRET = {entry.id for entry in load_catalogue().entries if entry.game().facts().has_secrets}
OPEN = [name for name in LISTED if name not in SECRET]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "name", ["spline", "hyena-spiral", *some(sorted({*OPEN} - {"spline", "hyena-spiral"}), 1)]
)
@pytest.mark.filterwarnings("ignore")  # the package warns of what it may want one day
def test_environment_passes_pettingzoo_tests(name: str) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    from shibumi3d.research import pettingzoo_env

    make = partial(pettingzoo_env, load_catalogue().get(name).game())
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(make(), num_cycles=40)
        seed_test(make, num_cycles=20)
        render_test(make)


def test_environment_rewards_winner() -> None:
    """In Spline, a full line wins: White fills rank 1 and is rewarded with 1, and Black gets -1."""
    from shibumi3d.research import pettingzoo_env

    env = pettingzoo_env(load_catalogue().get("spline").game())
    env.reset(seed=1)
    for text in ["W@Aa1", "B@Aa3", "W@Ab1", "B@Ab3", "W@Ac1", "B@Ad3", "W@Ad1"]:
        assert not any(env.terminations.values())
        assert env.observe(env.agent_selection)["action_mask"][env.choices.number(text)] == 1
        env.step(env.choices.number(text))
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}


def test_environment_rewards_score_of_solo_game() -> None:
    """In Spuzzle, each move places a marble, and the score is the number of marbles placed."""
    from shibumi3d.research import pettingzoo_env

    env = pettingzoo_env(load_catalogue().get("spuzzle").game())
    env.reset(seed=1)
    while not env.terminations["seat_0"]:
        env.step(int(env.observe("seat_0")["action_mask"].nonzero()[0][0]))
    assert env.rewards == {"seat_0": float(env.moves_made)}
    assert env.moves_made > 1


@pytest.mark.filterwarnings("ignore")
def test_custom_game_runs_as_environment(tmp_path: Path) -> None:
    """A game file that extends a built-in game becomes an environment, here on a board of size 3.

    For each of the 14 points, there are three choices, one for each colour of marble. The other two choices are "done"
    and "pass".
    """
    from pettingzoo.test import api_test

    from shibumi3d.research import pettingzoo_env

    env = pettingzoo_env(shibumi3d.game(str(own_game(tmp_path)), size=3))
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(env, num_cycles=20)
    assert env.metadata["name"] == "shibumi_wider_v0"
    assert len(env.choices) == 3 * (9 + 4 + 1) + 2


def own_game(folder: Path) -> Path:
    file = folder / "wider.yaml"
    file.write_text("title: Wider\nextends: spline\n")
    return file


def test_environment_truncates_after_move_limit() -> None:
    from shibumi3d.research import pettingzoo_env

    env = pettingzoo_env(load_catalogue().get("spline").game(), max_moves=2)
    env.reset()
    env.step(0)
    assert not any(env.truncations.values())
    env.step(4)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@pytest.mark.parametrize("name", ["springe", "spy"])
def test_pettingzoo_refuses_games_with_hidden_information(name: str) -> None:
    from shibumi3d.research import pettingzoo_env

    game = load_catalogue().get(name).game()
    with pytest.raises(InvalidValueError, match=f"{game.title} has hidden information: use OpenSpiel"):
        pettingzoo_env(game)


def test_example_learner_improves(capsys: pytest.CaptureFixture[str]) -> None:
    learner = runpy.run_path(str(ROOT / "docs" / "learner.py"))
    curve = learner["train"](300, test_interval=300, test_matches=40)
    assert curve[-1] > curve[0]
    assert learner["draw_curve"](curve).count("<polyline") == 1
    assert capsys.readouterr().out.count("won") == 2


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "shibumi3d.research.openspiel_adapter", raising=False)
    with pytest.raises(
        InvalidValueError, match=r"open-spiel is needed: pip install 'shibumi3d\[openspiel\]'"
    ):
        from shibumi3d.research import register_open_spiel  # noqa: F401


@THOROUGH
class TestOpenSpiel:
    """Tests with OpenSpiel, a large package that is installed only by ``make thorough``."""

    @pytest.fixture(autouse=True)
    def registered(self, in_ci: bool) -> None:
        if importlib.util.find_spec("pyspiel") is None:
            (pytest.fail if in_ci else pytest.skip)("open-spiel is missing")
        from shibumi3d.research import register_open_spiel

        assert len(register_open_spiel()) == len(LISTED)

    @pytest.mark.parametrize("name", LISTED)
    def test_built_in_game_passes_the_openspiel_tests(self, name: str) -> None:
        import pyspiel

        game = pyspiel.load_game(f"python_shibumi_{name.replace('-', '_')}")
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)

    def test_custom_game_passes_the_openspiel_tests(self, tmp_path: Path) -> None:
        import pyspiel

        from shibumi3d.research import register_open_spiel

        assert register_open_spiel(own_game(tmp_path)) == ("python_shibumi_wider",)
        game = pyspiel.load_game("python_shibumi_wider(size=3)")
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        with pytest.raises(
            InvalidValueError, match="a game named python_shibumi_wider is already registered"
        ):
            register_open_spiel(own_game(tmp_path))

    def test_openspiel_search_completes_a_line(self) -> None:
        """In Spline on a 3 × 3 board, White has two of three marbles in a rank, and the search adds the third."""
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import mcts

        game = pyspiel.load_game("python_shibumi_spline(size=3)")
        state = game.new_initial_state()
        for text in ["W@Aa1", "B@Aa3", "W@Ab1", "B@Ac3"]:
            state.apply_action(state.get_game().choices.number(text))
        rng = np.random.RandomState(1)
        bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
        assert state.action_to_string(0, bot.step(state)) == "W@Ac1"

    def test_information_state_hides_secrets_of_other_seats(self) -> None:
        """In Springe, the marble that is hidden in a fist appears only in its owner's information state."""
        import pyspiel

        state = pyspiel.load_game("python_shibumi_springe").new_initial_state()
        if state.is_chance_node():
            state.apply_action(0)
        seats = state.num_players()
        me = state.current_player()
        before = [state.information_state_string(seat) for seat in range(seats)]
        first, second = state.legal_actions()[:2]
        one, other = state.child(first), state.child(second)
        assert one.information_state_string(me) != other.information_state_string(me)
        assert one.information_state_string(me).startswith(before[me])
        for seat in {*range(seats)} - {me}:
            assert one.information_state_string(seat) == other.information_state_string(seat)
