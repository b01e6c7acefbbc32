"""Words for the position, the current turn, groups and visibility."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import FALLEN, MOVED, PLACED, make_term
from shibumi3d.rules.marbles.language.scope import TypedTerm
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.vocabulary import Vocabulary, WordContext, WordEntry

POSITION_WORDS = Vocabulary()

POSITION_WORDS.register_value(
    "empty", Type.POINTS, "points without a marble", "not empty", lambda b: make_term("Empty")
)
POSITION_WORDS.register_value(
    "filled", Type.POINTS, "points with a marble", "count(filled)", lambda b: make_term("Filled")
)
POSITION_WORDS.register_value(
    "playable",
    Type.POINTS,
    "empty holes, and empty points that rest on four marbles",
    "playable & holes",
    lambda b: make_term("Playable"),
)
POSITION_WORDS.register_value(
    "free", Type.POINTS, "marbles that carry no marble", "enemy & free", lambda b: make_term("Free")
)
POSITION_WORDS.register_value(
    "movable",
    Type.POINTS,
    "marbles that carry no marble or just one",
    "own & movable",
    lambda b: make_term("Movable"),
)
POSITION_WORDS.register_value(
    "visible",
    Type.POINTS,
    "marbles with no marble vertically above them",
    "own & visible",
    lambda b: make_term("Visible"),
)
POSITION_WORDS.register_value(
    "placed",
    Type.POINTS,
    "the points where the marbles that were placed this turn are now",
    "touching(placed)",
    lambda b: make_term("MarkValue", PLACED),
)
POSITION_WORDS.register_value(
    "moved",
    Type.POINTS,
    "the points where the marbles that were moved this turn are now",
    "count(moved) == 1",
    lambda b: make_term("MarkValue", MOVED),
)
POSITION_WORDS.register_value(
    "fallen",
    Type.POINTS,
    "the points where the marbles that dropped this turn are now",
    "resting_on(fallen)",
    lambda b: make_term("MarkValue", FALLEN),
)
POSITION_WORDS.register_value(
    "vacated",
    Type.POINTS,
    "points that were filled at the start of the turn and are empty now (in a 'by', at the start of the "
    "player's part of the turn)",
    "playable & vacated",
    lambda b: make_term("Vacated"),
)
POSITION_WORDS.register_value(
    "origin",
    Type.POINT,
    "the point from which the marble in hand, or the last one moved this turn, was lifted",
    "touching(origin)",
    lambda b: make_term("Origin"),
)


def _register_position_word(name: str, result: Type, op: str, meaning: str, example: str) -> None:
    def build(b: WordContext, args: list[ast.expr]) -> TypedTerm:
        return TypedTerm(
            make_term(op, b.coerce(b.compile_tree(args[0]), Type.POINTS)), result, b.scope.pyramid.point_count
        )

    POSITION_WORDS[name] = WordEntry(name, ("Points",), str(result), meaning, example, build)


_register_position_word(
    "linked",
    Type.POINTS,
    "Linked",
    N_("marbles of any colour visibly connected to a set"),
    "count(linked(p) & red)",
)
_register_position_word(
    "seen",
    Type.BOOL,
    "Seen",
    N_("every point of the set is filled and visible, and no contact within it is cut"),
    "seen(l)",
)
_register_position_word(
    "groups",
    Type.SETS,
    "Groups",
    N_("the groups formed by the marbles of a set: visibly connected, one colour each"),
    "count(groups(own)) == 1",
)
_register_position_word(
    "full_groups",
    Type.SETS,
    "FullGroups",
    N_("like 'groups', but hidden marbles and cut contacts count, too"),
    "any(count(g) > 3 for g in full_groups(own))",
)
_register_position_word(
    "longest_path",
    Type.INT,
    "LongestPath",
    N_("the number of marbles in the longest visible, unbranched chain of one colour"),
    "longest_path(own)",
)
