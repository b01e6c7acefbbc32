"""The static types of the rule language, and how their values are represented during play.

Sets of points, colours and seats are ints used as bit masks. A family (type Sets) is a list of sets of points. The
value of an expression is an int (``eval`` of its node), a list of ints (``items``) or a list of families (``lists``).
"""

from __future__ import annotations

from enum import Enum


class Type(Enum):
    """A type of the rule language.

    The value of each member is the name of the type in messages.
    """

    INT = "Int"
    BOOL = "Bool"
    POINT = "Point"
    POINTS = "Points"
    COLOURS = "Colours"
    COLOUR_WORD = "colour word"
    SEATS = "Seats"
    BOARD = "Board"
    NONE = "none"
    INTS = "Ints"
    SETS = "Sets"
    STOCK = "Stock"
    COLOUR_LIST = "list of Colours"
    COLOUR_WORD_LIST = "list of colour words"
    SEAT_LIST = "list of Seats"
    SETS_LIST = "list of Sets"

    def __str__(self) -> str:
        return self.value


SCALAR_TYPES = frozenset(
    {
        Type.INT,
        Type.BOOL,
        Type.POINT,
        Type.POINTS,
        Type.COLOURS,
        Type.COLOUR_WORD,
        Type.SEATS,
        Type.BOARD,
        Type.NONE,
    }
)
"""Types whose values are a single int; for points, colours and seats, the int is a bit mask."""

ELEMENT_TYPES = {
    Type.POINT: Type.POINT,
    Type.POINTS: Type.POINT,
    Type.COLOUR_WORD: Type.POINT,
    Type.COLOURS: Type.COLOURS,
    Type.SEATS: Type.SEATS,
    Type.INTS: Type.INT,
    Type.SETS: Type.POINTS,
    Type.COLOUR_LIST: Type.COLOURS,
    Type.COLOUR_WORD_LIST: Type.COLOUR_WORD,
    Type.SEAT_LIST: Type.SEATS,
    Type.SETS_LIST: Type.SETS,
}
"""Type of the loop variable for each type that a loop can iterate over.

A loop over a colour word iterates over the marbles of that colour. A loop over a computed Colours value iterates over
the colours.
"""

LIST_TYPES = {
    Type.INT: Type.INTS,
    Type.BOOL: Type.INTS,
    Type.POINT: Type.SETS,
    Type.POINTS: Type.SETS,
    Type.COLOURS: Type.COLOUR_LIST,
    Type.COLOUR_WORD: Type.COLOUR_WORD_LIST,
    Type.SEATS: Type.SEAT_LIST,
    Type.SETS: Type.SETS_LIST,
}
"""Type of a list, by the type of its entries."""

SET_TYPES = {
    Type.INT: Type.INTS,
    Type.POINT: Type.POINTS,
    Type.POINTS: Type.SETS,
    Type.COLOURS: Type.COLOURS,
    Type.COLOUR_WORD: Type.COLOUR_WORD,
    Type.SEATS: Type.SEATS,
}
"""Type of a set comprehension, by the type of its element."""


def common_type(a: Type, b: Type) -> Type | None:
    """Return the common type to which values of two types are converted, or None if there is none.

    A colour word becomes points or colours, depending on the other type. In the same way, a list of colour words can
    become a list of Colours. Colours, combined with points, become points. ``none`` can be converted to any type. Other
    conversions from and to Bool don't count here, so a Bool and an Int have no common type.
    """
    if a is b:
        return a
    if a is Type.NONE:
        return b
    if b is Type.NONE:
        return a
    pair = {a, b}
    if pair <= {Type.POINT, Type.POINTS, Type.COLOUR_WORD, Type.COLOURS} and pair & {Type.POINT, Type.POINTS}:
        return Type.POINTS
    if pair == {Type.COLOUR_WORD, Type.COLOURS}:
        return Type.COLOURS
    if pair == {Type.COLOUR_WORD_LIST, Type.COLOUR_LIST}:
        return Type.COLOUR_LIST
    return None


def picked_type(kind: Type) -> Type:
    """Return the type of the value that ``pick`` chooses from a value of type ``kind``.

    A picked point, colour or seat has the same type as a set of points, colours or seats. A type that ``pick`` doesn't
    accept is returned unchanged.
    """
    if kind in (Type.COLOUR_WORD, Type.POINT, Type.POINTS, Type.SETS):
        return Type.POINTS
    return Type.INT if kind is Type.INTS else kind
