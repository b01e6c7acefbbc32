"""A naive pyramid of marbles: a dictionary of points that is searched from end to end.

It is a slow implementation of the rule book (the system, pages 5 to 9), used by the games in this package. It
imports nothing from the program, so agreement with it isn't due to shared code. A point is (level, file, rank),
each from 0; its marble is one letter.
"""

from __future__ import annotations

from itertools import product

Point = tuple[int, int, int]
Marbles = dict[Point, str]


def points(size: int) -> list[Point]:
    return [(k, i, j) for k in range(size) for j, i in product(range(size - k), repeat=2)]


def name(point: Point) -> str:
    k, i, j = point
    return f"{'ABCDEFGH'[k]}{'abcdefgh'[i]}{j + 1}"


def below(point: Point) -> list[Point]:
    """Return the four points that a point rests on, or an empty list for a hole."""
    k, i, j = point
    return [(k - 1, i + a, j + b) for a, b in product((0, 1), repeat=2)] if k else []


def carried(marbles: Marbles, point: Point) -> list[Point]:
    """Return the points of the marbles that a marble at ``point`` supports."""
    return [upper for upper in marbles if point in below(upper)]


def playable(size: int, marbles: Marbles) -> list[Point]:
    return [p for p in points(size) if p not in marbles and all(q in marbles for q in below(p))]


def hidden(marbles: Marbles, point: Point) -> bool:
    """Return whether there is a marble vertically above a point.

    Each level is shifted by half a marble in both directions, so the nearest point vertically above is two levels
    higher.
    """
    k, i, j = point
    return (k + 2, i - 1, j - 1) in marbles


def neighbours(size: int, point: Point) -> list[Point]:
    """Return the points beside a point on the same level."""
    k, i, j = point
    near = [(k, i - 1, j), (k, i + 1, j), (k, i, j - 1), (k, i, j + 1)]
    return [p for p in near if 0 <= p[1] < size - k and 0 <= p[2] < size - k]


def linked(size: int, marbles: Marbles, one: Point, other: Point) -> bool:
    """Return whether two marbles touch and the contact is visible from above."""
    if hidden(marbles, one) or hidden(marbles, other):
        return False
    if one in below(other) or other in below(one):
        return True
    above = [p for p in marbles if one in below(p) and other in below(p)]
    return other in neighbours(size, one) and len(above) < 2


def group(size: int, marbles: Marbles, start: Point) -> set[Point]:
    """Return the points of the group that the marble at ``start`` belongs to.

    A group consists of marbles of the same colour that are visibly connected.
    """
    found, todo = {start}, [start]
    while todo:
        one = todo.pop()
        for other, colour in marbles.items():
            if other not in found and colour == marbles[start] and linked(size, marbles, one, other):
                found.add(other)
                todo.append(other)
    return found


def format_position(size: int, marbles: Marbles) -> str:
    """Return a position as text in the notation of records, where northern ranks come first."""
    return "/".join(
        ",".join(
            "".join(marbles.get((k, i, j), ".") for i in range(size - k)) for j in reversed(range(size - k))
        )
        for k in range(size)
    )
