"""Learn Spline on a 3 × 3 board by self-play, and test the learner against a random player.

    python docs/learner.py [MATCHES] [PICTURE.svg]

The learner stores a value for each pair of an observation and a move it has chosen there. After each match, the values
of each player's moves are updated from the last move to the first: each value moves towards the value of the next one,
and the last one towards the reward. After every 500 matches, the learner plays 100 matches against a random player,
half of them as the first player.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import shibumi3d
from shibumi3d.research import pettingzoo_env

LEARNING_RATE, EXPLORATION_RATE = 0.3, 0.1
TEST_INTERVAL, TEST_MATCHES = 500, 100


class Learner:
    """Table of learned values, one for each pair of an observation and a move.

    A pair whose value hasn't been updated yet counts as 0. ``seed`` determines the random choices.
    """

    def __init__(self, seed: int) -> None:
        self.values: dict[bytes, float] = {}
        self.random = random.Random(seed)

    def choose(self, observation: bytes, legal_moves: list[int], exploration_rate: float) -> int:
        """Return the move with the highest value or, with probability ``exploration_rate``, a random one."""
        if self.random.random() < exploration_rate:
            return self.random.choice(legal_moves)
        return max(
            legal_moves,
            key=lambda move: (self.values.get(self.key(observation, move), 0.0), self.random.random()),
        )

    @staticmethod
    def key(observation: bytes, move: int) -> bytes:
        """Return the key under which the table stores the value of a move after an observation."""
        return observation + move.to_bytes(2, "big")

    def update(self, keys: list[bytes], reward: float) -> None:
        """Update the values of the moves that one player made in a match.

        ``keys`` are the keys of these moves in the order of play, and ``reward`` is the player's reward. Each value
        moves towards the value of the next move, and the last one towards the reward.
        """
        target = reward
        for key in reversed(keys):
            value = self.values.get(key, 0.0)
            target = self.values[key] = value + LEARNING_RATE * (target - value)


def play(env, learner: Learner, is_learner: tuple[bool, bool], exploration_rate: float) -> list[float]:  # type: ignore[no-untyped-def]
    """Play a match and return the reward of each player.

    The learner chooses the moves of the players marked in ``is_learner``; the others move at random. The learner
    updates its table after the match, unless ``exploration_rate`` is 0.
    """
    env.reset()
    keys: dict[str, list[bytes]] = {agent: [] for agent in env.possible_agents}
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        legal_moves = [int(move) for move in observed["action_mask"].nonzero()[0]]
        if not is_learner[env.possible_agents.index(agent)]:
            env.step(learner.random.choice(legal_moves))
            continue
        observation = observed["observation"].tobytes()
        move = learner.choose(observation, legal_moves, exploration_rate)
        keys[agent].append(learner.key(observation, move))
        env.step(move)
    if exploration_rate:
        for agent, agent_keys in keys.items():
            learner.update(agent_keys, rewards[agent])
    return [rewards[agent] for agent in env.possible_agents]


def train(
    matches: int, seed: int = 1, test_interval: int = TEST_INTERVAL, test_matches: int = TEST_MATCHES
) -> list[float]:
    """Train a learner by self-play, and return the share of matches that it won in each test.

    ``matches`` is the number of matches for training. The learner is tested before the first of them, and after every
    ``test_interval`` of them. In a test, it plays ``test_matches`` matches against a random player.
    """
    env = pettingzoo_env(shibumi3d.game("spline", size=3))
    learner = Learner(seed)
    curve = []
    for played in range(matches + 1):
        if played % test_interval == 0:
            rewards = [play(env, learner, (n % 2 == 0, n % 2 == 1), 0.0)[n % 2] for n in range(test_matches)]
            curve.append(sum(reward > 0 for reward in rewards) / test_matches)
            print(f"{played:6d} matches: {curve[-1]:.0%} won", flush=True)
        if played < matches:
            play(env, learner, (True, True), EXPLORATION_RATE)
    return curve


def draw_curve(curve: list[float]) -> str:
    """Return the learning curve as SVG.

    ``curve`` holds the share of test matches won, first before any training and then after every :data:`TEST_INTERVAL`
    matches of self-play.
    """
    width, height, left = 480, 240, 48
    xs = [left + (width - left - 16) * n / max(1, len(curve) - 1) for n in range(len(curve))]
    ys = [height - 32 - (height - 56) * value for value in curve]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    grid = "".join(
        f'<line x1="{left}" x2="{width - 16}" y1="{y}" y2="{y}" stroke="#d8cfbf"/>'
        f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{percent}%</text>'
        for percent, y in ((percent, height - 32 - (height - 56) * percent / 100) for percent in (0, 50, 100))
    )
    matches = f"{(len(curve) - 1) * TEST_INTERVAL:,} matches of self-play"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="#fbf8f1"/>{grid}'
        f'<text x="{left}" y="16">Spline 3×3: matches won against a random player</text>'
        f'<text x="{width - 16}" y="{height - 10}" text-anchor="end">{matches}</text>'
        f'<polyline points="{line}" fill="none" stroke="#2b5c56" stroke-width="2"/></svg>\n'
    )


if __name__ == "__main__":
    result = train(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(draw_curve(result), encoding="utf-8")
