"""Transcripts of random matches, in which changes to the rules become visible; written by ``make goldens``."""

from __future__ import annotations

from pathlib import Path

from .bench import game
from .matches import random_match

FILE = Path(__file__).with_name("playthrough.txt")
SEEDS = (7, 22, 38)
NAMES = ("Aiko", "Ben")


def match_text(seed: int) -> str:
    """Return a transcript of the random match that ``seed`` determines.

    It lists the decisions, the events, the state of the table after each Spiral (a round of the game), and the result.
    """
    lines = [f"seed {seed}"]
    for before, after, events in random_match(seed):
        seat = next(iter({event.seat for event in events[:1]}))
        lines.append(f"{before.turn + 1}.{before.step + 1} {before.decision_kind} {NAMES[seat]}")
        lines += [f"    {line}" for event in events if (line := game().describe_event(event, "en", NAMES))]
        if after.turn > before.turn:
            lines += [f"  = {line}" for line in game().table_lines(after, "en", NAMES)]
    assert after.result is not None
    winners = " and ".join(NAMES[seat] for seat in after.result.winners) or "nobody"
    return "\n".join([*lines, f"{winners}: {after.result.reason}", ""])


def all_matches_text() -> str:
    return "\n".join(map(match_text, SEEDS))


if __name__ == "__main__":
    FILE.write_text(all_matches_text(), encoding="utf-8")
