"""What a seat has, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import language, say

if TYPE_CHECKING:
    from shibumi3d.rules.game import Facts, Game


NUMBER = re.compile(r"-?\d+")


def score_of(state: Any, facts: Facts, seat: int) -> str:
    """Return the score of a seat, and what it had in the games of a series before; empty where nothing is scored."""
    score = str(state.scores[seat]) if facts.scored or any(state.scores) else ""
    if any(state.totals):
        score = f"{score} · {state.totals[seat]}" if score else str(state.totals[seat])
    return score


def owned(game: Game, view: Any, seat: int, names: Sequence[str], score: str | None = None) -> str:
    """Return what a seat has, is after, may take and has scored, by name; a ``score`` where it is told otherwise."""
    if score is None:
        score = score_of(view, game.facts(len(names)), seat)
    told = (
        game.own_line(view, seat, language()),
        game.stock_line(view, seat, language()),
        say("asked.points", int(number.group()) if (number := NUMBER.fullmatch(score)) else 2, points=score)
        if score
        else "",
    )
    return say("asked.did", who=names[seat], did=" · ".join(filter(None, told)) or say("asked.nothing-own"))
