"""Spargo for two players, implemented from page 58 of the rule book and from our rulings."""

from __future__ import annotations

from tests.naive.pyramid import Marbles, Point, below, carried, group, hidden, name, neighbours, playable


class Spargo:
    def __init__(self, size: int) -> None:
        self.size = size
        self.marbles: Marbles = {}
        self.mover = 0
        self.box = size * size
        """Number of marbles of each colour."""
        self.before: list[Marbles] = [{}, {}]
        """The board after the last turn of each player."""

    def _freedom(self, marbles: Marbles, members: set[Point]) -> bool:
        holes = {hole for one in members if not one[0] for hole in neighbours(self.size, one)}
        return any(hole not in marbles for hole in holes)

    def _after(self, point: Point) -> Marbles | None:
        """Return the board after the mover has placed a marble on ``point``, or None if that is illegal.

        ``point`` must be playable, and the mover must have a marble left. The move is illegal if, after captures, the
        marble's group has no freedom, or if the board would be the same as after the mover's last turn.
        """
        own, enemy = "WB"[self.mover], "BW"[self.mover]
        marbles = {**self.marbles, point: own}
        captured = {
            one
            for one, colour in marbles.items()
            if colour == enemy
            and (hidden(marbles, one) or not self._freedom(marbles, group(self.size, marbles, one)))
        }
        while loose := [one for one in captured if not carried(marbles, one)]:
            for one in loose:
                del marbles[one]
                captured.remove(one)
        if not self._freedom(marbles, group(self.size, marbles, point)):
            return None
        return None if marbles == self.before[self.mover] else marbles

    def moves(self) -> dict[str, Marbles]:
        """Return a dictionary from each legal move to the board after it."""
        colour = "WB"[self.mover]
        if list(self.marbles.values()).count(colour) == self.box:
            return {}
        found = {f"{colour}@{name(p)}": self._after(p) for p in playable(self.size, self.marbles)}
        return {move: marbles for move, marbles in found.items() if marbles is not None}

    def play(self, move: str) -> None:
        self.marbles = self.moves()[move]
        assert all(one in self.marbles for point in self.marbles for one in below(point)), "nothing floats"
        self.before[self.mover] = self.marbles
        self.mover = 1 - self.mover

    def winners(self) -> set[int] | None:
        """Return the winners as a set of seats, or None while the match continues.

        The match ends when the seat to move has no legal move. The seat with more marbles on the board wins; if both
        have the same number, both are returned.
        """
        if self.moves():
            return None
        count = [list(self.marbles.values()).count(colour) for colour in "WB"]
        return {seat for seat in (0, 1) if count[seat] == max(count)}
