"""PettingZoo environments for games without hidden information."""

from __future__ import annotations

import numpy as np

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.game import Game

from .encoding import MAX_MOVES, choices, planes, returns

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise InvalidValueError(
        "{package} is needed: pip install 'shibumi3d[{extra}]'", package="pettingzoo", extra="research"
    ) from None


def pettingzoo_env(
    game: Game, seats: int | None = None, *, max_moves: int = MAX_MOVES, render_mode: str | None = None
) -> AECEnv:
    """Return an environment in which the agents "seat_0", "seat_1" and so on act in turn.

    An observation is a dictionary: "observation" is an array as returned by :func:`.planes`, and "action_mask" has a 1
    for each legal move. When the match is over, the reward of each agent is its return (see :func:`.returns`) or, in a
    solo game played for a score, the score. A match that isn't over after ``max_moves`` moves is truncated. By default,
    ``seats`` is the smallest number of players that the game allows. In the render mode "human", the table is printed
    after every move.

    Raises ValueError if the game has hidden information or no numbered moves, or if it can't be played with that many
    seats.
    """
    return GameEnv(game, seats, max_moves, render_mode)


class GameEnv(AECEnv):  # type: ignore[misc]  # the package has no types
    """Environment in which agents play one match after another; see :func:`pettingzoo_env`."""

    def __init__(self, game: Game, seats: int | None, max_moves: int, render_mode: str | None) -> None:
        super().__init__()
        facts = game.facts(seats)
        self.choices = choices(game, seats)
        if facts.has_secrets:
            raise InvalidValueError(
                "{game} has hidden information: use OpenSpiel, which tracks what each player knows",
                game=game.title,
            )
        self.game, self.facts, self.max_moves, self.render_mode = game, facts, max_moves, render_mode
        self.seats = game.players[0] if seats is None else seats
        self.metadata = {
            "name": f"shibumi_{game.id.replace('-', '_')}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        shape = planes(game, game.observe(game.start(self.seats, 0), 0), 0).shape
        count = len(self.choices)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._next_seed = 0

    def observation_space(self, agent: str) -> object:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> object:
        """Return the action space of an agent: the numbers of all moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Start a new match with the random seed ``seed``, by default the previous seed plus one.

        ``options`` are ignored.
        """
        self._next_seed = self._next_seed + 1 if seed is None else seed
        self.match = self.game.start(self.seats, self._next_seed)
        self.moves_made = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.match.to_move or 0]

    def observe(self, agent: str) -> dict[str, object]:
        """Return what an agent observes, including its legal moves."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self.choices), np.int8)
        mask[self.choices.legal_numbers(self.game.moves(self.match, seat))] = 1
        return {
            "observation": planes(self.game, self.game.observe(self.match, seat), seat),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Make move number ``action`` for the agent whose turn it is.

        Raises IllegalMove if the move is illegal. Once the match is over or truncated, ``action`` must be None; each
        step then removes an agent.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match, _ = self.game.apply(self.match, self.choices.text(int(action)))
        self.moves_made += 1
        outcome = self.game.outcome(self.match)
        if outcome is not None:
            self._end_match(returns(outcome, self.seats))
        elif self.moves_made >= self.max_moves:
            self.truncations = dict.fromkeys(self.agents, True)
        if self.match.to_move is not None:
            self.agent_selection = self.possible_agents[self.match.to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end_match(self, rewards: list[float]) -> None:
        if self.facts.solver == "score" and self.seats == 1:
            rewards = [float(self.match.scores[0])]
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """Return the table as lines of text; in the render mode "human", print them instead."""
        lines = "\n".join(self.game.table_lines(self.game.observe(self.match, None)))
        if self.render_mode == "human":
            print(lines)
            return None
        return lines

    def close(self) -> None:
        """Do nothing, since there are no resources to release."""
