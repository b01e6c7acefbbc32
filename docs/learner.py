"""A table learns Spline on a board of 3 by 3 from matches with itself, and is tried against chance.

    python docs/learner.py [MATCHES] [PICTURE.svg]

Each choice that was made has a value, by what was seen when it was made. After each match the values of each player's
choices go a part of the way, the last towards what came of the match, each one before towards the next. Every 500
matches it plays 100 against a player who chooses at random, first and second in turn.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import shibumi3d
from shibumi3d.research import pettingzoo_env

STEP, CURIOUS = 0.3, 0.1
EVERY, TRIES = 500, 100


class Learner:
    """The values of choices, by what was seen when they were made."""

    def __init__(self, seed: int) -> None:
        self.values: dict[bytes, float] = {}
        self.random = random.Random(seed)

    def choose(self, before: bytes, open_: list[int], curious: float) -> int:
        """Return the choice of the greatest value, or now and then any."""
        if self.random.random() < curious:
            return self.random.choice(open_)
        return max(
            open_, key=lambda number: (self.values.get(self.key(before, number), 0.0), self.random.random())
        )

    @staticmethod
    def key(before: bytes, number: int) -> bytes:
        """Return what stands for a choice in a position."""
        return before + number.to_bytes(2, "big")

    def learn(self, met: list[bytes], reward: float) -> None:
        """Take the values of one player's choices, the last first, towards what came of them."""
        target = reward
        for key in reversed(met):
            value = self.values.get(key, 0.0)
            target = self.values[key] = value + STEP * (target - value)


def play(env, learner: Learner, learns: tuple[bool, bool], curious: float) -> list[float]:  # type: ignore[no-untyped-def]
    """Play a match; who does not learn chooses at random. Return the reward of each."""
    env.reset()
    met: dict[str, list[bytes]] = {agent: [] for agent in env.possible_agents}
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        rewards[agent] += reward
        if over or cut:
            env.step(None)
            continue
        open_ = [int(number) for number in seen["action_mask"].nonzero()[0]]
        if not learns[env.possible_agents.index(agent)]:
            env.step(learner.random.choice(open_))
            continue
        before = seen["observation"].tobytes()
        number = learner.choose(before, open_, curious)
        met[agent].append(learner.key(before, number))
        env.step(number)
    if curious:
        for agent, keys in met.items():
            learner.learn(keys, rewards[agent])
    return [rewards[agent] for agent in env.possible_agents]


def learn(matches: int, seed: int = 1, every: int = EVERY, tries: int = TRIES) -> list[float]:
    """Return the part of won matches against chance, before the first match and after so many."""
    env = pettingzoo_env(shibumi3d.game("spline", size=3))
    learner = Learner(seed)
    curve = []
    for done in range(matches + 1):
        if done % every == 0:
            won = [play(env, learner, (n % 2 == 0, n % 2 == 1), 0.0)[n % 2] for n in range(tries)]
            curve.append(sum(result > 0 for result in won) / tries)
            print(f"{done:6d} matches: {curve[-1]:.0%} won", flush=True)
        if done < matches:
            play(env, learner, (True, True), CURIOUS)
    return curve


def picture(curve: list[float]) -> str:
    """Return the curve as SVG."""
    wide, high, left = 480, 240, 48
    xs = [left + (wide - left - 16) * n / max(1, len(curve) - 1) for n in range(len(curve))]
    ys = [high - 32 - (high - 56) * value for value in curve]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    marks = "".join(
        f'<line x1="{left}" x2="{wide - 16}" y1="{y}" y2="{y}" stroke="#d8cfbf"/>'
        f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{share}%</text>'
        for share, y in ((share, high - 32 - (high - 56) * share / 100) for share in (0, 50, 100))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        'font-family="sans-serif" font-size="12">'
        f'<rect width="{wide}" height="{high}" fill="#fbf8f1"/>{marks}'
        f'<text x="{left}" y="16">Spline 3×3: matches won against chance</text>'
        f'<text x="{wide - 16}" y="{high - 10}" text-anchor="end">{(len(curve) - 1) * EVERY} matches with itself</text>'
        f'<polyline points="{line}" fill="none" stroke="#2b5c56" stroke-width="2"/></svg>\n'
    )


if __name__ == "__main__":
    result = learn(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(picture(result), encoding="utf-8")
