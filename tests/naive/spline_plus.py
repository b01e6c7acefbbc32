"""Spline+, implemented from page 20 of the rule book and from our rulings."""

from __future__ import annotations

from tests.naive.pyramid import Marbles, Point, below, carried, name, playable, points


class SplinePlus:
    def __init__(self, size: int) -> None:
        self.size = size
        self.marbles: Marbles = {}
        self.mover = 0
        self.box = size * size
        self.lifted: Point | None = None
        self.fallen: set[Point] = set()
        """Points to which marbles have dropped in this turn."""

    def _lift(self, point: Point) -> tuple[Marbles, set[Point]] | None:
        """Return the board after lifting the marble at ``point``, and the points to which others have dropped.

        Return None if the marble supports more than one other, and so can't be lifted.
        """
        marbles, fallen, gap = dict(self.marbles), set(), point
        if len(carried(marbles, point)) > 1:
            return None
        del marbles[point]
        while above := carried(marbles, gap):
            (one,) = above
            marbles[gap] = marbles.pop(one)
            fallen.add(gap)
            gap = one
        return marbles, fallen

    def _targets(self, point: Point, marbles: Marbles, fallen: set[Point]) -> list[Point]:
        return [
            p for p in playable(self.size, marbles) if p != point and not any(q in fallen for q in below(p))
        ]

    def moves(self) -> set[str]:
        colour = "WB"[self.mover]
        if self.winners() is not None:
            return set()
        if self.lifted:
            return {f">{name(p)}" for p in self._targets(self.lifted, self.marbles, self.fallen)}
        found = set()
        if list(self.marbles.values()).count(colour) < self.box:
            found |= {f"{colour}@{name(p)}" for p in playable(self.size, self.marbles)}
        for point in [p for p in self.marbles if self.marbles[p] == colour]:
            after = self._lift(point)
            if after and self._targets(point, *after):
                found.add(f"^{name(point)}")
        return found

    def play(self, move: str) -> None:
        assert move in self.moves()
        place = next(p for p in points(self.size) if name(p) == move[-3:])
        if move[0] == "^":
            after = self._lift(place)
            assert after
            self.lifted, (self.marbles, self.fallen) = place, after
        else:
            self.marbles = {**self.marbles, place: "WB"[self.mover]}
            self.lifted, self.fallen, self.mover = None, set(), 1 - self.mover

    def winners(self) -> set[int] | None:
        """Return the seat with the longest full line, as a set, or None while the match continues.

        A full line is a whole rank, file or long diagonal of a level below the apex, all of one colour. If the longest
        full lines of both seats have the same length, the seat that moved last wins.
        """
        if self.lifted:
            return None
        longest = [0, 0]
        for k in range(self.size - 1):
            wide = range(self.size - k)
            lines = [[(k, i, j) for i in wide] for j in wide] + [[(k, i, j) for j in wide] for i in wide]
            lines += [[(k, i, i) for i in wide], [(k, i, len(wide) - 1 - i) for i in wide]]
            for line in lines:
                for seat, colour in enumerate("WB"):
                    if all(self.marbles.get(p) == colour for p in line):
                        longest[seat] = max(longest[seat], len(line))
        if longest == [0, 0]:
            return None
        last = 1 - self.mover
        return {last if longest[last] == max(longest) else self.mover}
