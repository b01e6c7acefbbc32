"""Marble games as a kind of table: their rules are written in the rule language."""

from __future__ import annotations

from collections.abc import Mapping

from shibumi3d.rules.marbles.game import RuleGame
from shibumi3d.rules.marbles.language.program import RULE_KEYS, compile_rules
from shibumi3d.rules.source import Item, Problem

KEYS = RULE_KEYS


def make(
    id: str,
    title: str,
    rules: Item,
    players: tuple[int, int],
    form: Mapping[str, int | str],
    meta: Mapping[str, object],
) -> RuleGame:
    """Return the game told by ``rules`` on a board of ``form["size"]``."""
    size, variant = int(form["size"]), str(form["variant"])
    return RuleGame(id=id, title=title, meta=meta, item=rules, players=players, size=size, variant=variant)


def check(rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
    """Compile ``rules`` for a size and a number of seats, adding what is wrong to ``problems``."""
    compile_rules(rules, size=int(form["size"]), seats=seats, problems=problems)
