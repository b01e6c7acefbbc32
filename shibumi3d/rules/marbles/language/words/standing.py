"""Words of what stands where: the position, the turn so far, groups and views."""

from __future__ import annotations

import ast

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
    "empty holes, and empty points on four marbles",
    "playable & holes",
    lambda b: term("Playable"),
)
STANDING.value("free", Type.POINTS, "marbles that support no marble", "enemy & free", lambda b: term("Free"))
STANDING.value(
    "movable",
    Type.POINTS,
    "marbles that support no marble or just one",
    "own & movable",
    lambda b: term("Movable"),
)
STANDING.value(
    "visible", Type.POINTS, "marbles with none vertically above", "own & visible", lambda b: term("Visible")
)
STANDING.value(
    "placed",
    Type.POINTS,
    "where marbles placed in this turn stand now",
    "touching(placed)",
    lambda b: term("MarkValue", PLACED),
)
STANDING.value(
    "moved",
    Type.POINTS,
    "where marbles moved in this turn stand now",
    "count(moved) == 1",
    lambda b: term("MarkValue", MOVED),
)
STANDING.value(
    "fallen",
    Type.POINTS,
    "where marbles that dropped in this turn stand now",
    "resting_on(fallen)",
    lambda b: term("MarkValue", FALLEN),
)
STANDING.value(
    "vacated",
    Type.POINTS,
    "points filled when the turn (in a 'by', the seat's part of it) began and empty now",
    "playable & vacated",
    lambda b: term("Vacated"),
)
STANDING.value(
    "origin",
    Type.POINT,
    "where the marble in hand, or the one moved last in this turn, was lifted",
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
    "marbles of any colour visibly connected to a set",
    "count(linked(p) & red)",
)
_on_position(
    "seen", Type.BOOL, "Seen", "all of a set is filled and visible, and no contact in it is cut", "seen(l)"
)
_on_position(
    "groups",
    Type.SETS,
    "Groups",
    "groups formed by the marbles of a set: visible connections, one colour each",
    "count(groups(own)) == 1",
)
_on_position(
    "full_groups",
    Type.SETS,
    "FullGroups",
    "groups by touching alone, hidden marbles and contacts included",
    "any(count(g) > 3 for g in full_groups(own))",
)
_on_position(
    "longest_path",
    Type.INT,
    "LongestPath",
    "marbles in the longest unbranched chain of visible connections of one colour",
    "longest_path(own)",
)
