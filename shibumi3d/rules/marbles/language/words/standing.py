"""Words for the position, the current turn, groups and visibility."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import (
    FALLEN,
    MOVED,
    PLACED,
    term,
)
from shibumi3d.rules.marbles.language.scope import Typed
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.vocabulary import Building, WordEntry, Words

STANDING = Words()

STANDING.value("empty", Type.POINTS, "points without a marble", "not empty", lambda b: term("Empty"))
STANDING.value("filled", Type.POINTS, "points with a marble", "count(filled)", lambda b: term("Filled"))
STANDING.value(
    "playable",
    Type.POINTS,
    "empty holes, and empty points that rest on four marbles",
    "playable & holes",
    lambda b: term("Playable"),
)
STANDING.value("free", Type.POINTS, "marbles that carry no marble", "enemy & free", lambda b: term("Free"))
STANDING.value(
    "movable",
    Type.POINTS,
    "marbles that carry no marble or just one",
    "own & movable",
    lambda b: term("Movable"),
)
STANDING.value(
    "visible",
    Type.POINTS,
    "marbles with no marble vertically above them",
    "own & visible",
    lambda b: term("Visible"),
)
STANDING.value(
    "placed",
    Type.POINTS,
    "where the marbles placed this turn are now",
    "touching(placed)",
    lambda b: term("MarkValue", PLACED),
)
STANDING.value(
    "moved",
    Type.POINTS,
    "where the marbles moved this turn are now",
    "count(moved) == 1",
    lambda b: term("MarkValue", MOVED),
)
STANDING.value(
    "fallen",
    Type.POINTS,
    "where the marbles that dropped this turn are now",
    "resting_on(fallen)",
    lambda b: term("MarkValue", FALLEN),
)
STANDING.value(
    "vacated",
    Type.POINTS,
    "points that were filled at the start of the turn (in a 'by', of the player's part of it) and are empty now",
    "playable & vacated",
    lambda b: term("Vacated"),
)
STANDING.value(
    "origin",
    Type.POINT,
    "where the marble in hand, or the last one moved this turn, was lifted",
    "touching(origin)",
    lambda b: term("Origin"),
)


def _on_position(name: str, result: Type, op: str, meaning: str, example: str) -> None:
    def build(b: Building, args: list[ast.expr]) -> Typed:
        return Typed(term(op, b.coerce(b.expr(args[0]), Type.POINTS)), result, b.scope.pyramid.count)

    STANDING[name] = WordEntry(name, ("Points",), str(result), meaning, example, build)


_on_position(
    "linked",
    Type.POINTS,
    "Linked",
    N_("marbles of any colour visibly connected to a set"),
    "count(linked(p) & red)",
)
_on_position(
    "seen",
    Type.BOOL,
    "Seen",
    N_("every point of the set is filled and visible, and no contact within it is cut"),
    "seen(l)",
)
_on_position(
    "groups",
    Type.SETS,
    "Groups",
    N_("the groups formed by the marbles of a set: visibly connected, one colour each"),
    "count(groups(own)) == 1",
)
_on_position(
    "full_groups",
    Type.SETS,
    "FullGroups",
    N_("groups by contact alone, including hidden marbles and contacts"),
    "any(count(g) > 3 for g in full_groups(own))",
)
_on_position(
    "longest_path",
    Type.INT,
    "LongestPath",
    N_("the number of marbles in the longest visible, unbranched chain of one colour"),
    "longest_path(own)",
)
