"""Table layout of Arcanoid: a grid with one row per participant and one column per suit."""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.rules.arcanoid.cards import SUITS
from shibumi3d.rules.arcanoid.state import State
from shibumi3d.scene.arcanoid.faces import RATIO
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.table_scene import Spot

FLAT = TABLE_Z + 0.012
"""Height above the table at which clickable spots and highlighted column heads lie.

Everything else lies slightly higher, at ``UP``, because cards are drawn in order of height.
"""
UP = TABLE_Z + 0.02
WEST, EAST = -8.2, 8.2
LANES = -6.5
"""Left edge of the first column."""
LANE = 3.05
ROOM = LANE - 0.95
"""Width available for the cards of a field, to the left of their strength."""
INDEX = 0.42
"""Fraction of a card's width occupied by its corner index."""
TOP, FOOT = 3.4, -4.4
"""Top and bottom edges of the rows."""
USUAL = 1.95
"""Height of a row if there are four participants.

If there are fewer, rows are higher and their signs larger.
"""
SIDE = LANES + 4 * LANE
SHELF = 4.62
"""Vertical position of the row that contains the piles."""
SHELF_WIDTH = 0.84
HAND = -5.92
HAND_WIDTH = 1.45
HAND_STEP, HAND_REACH = 1.6, 12.8
"""Maximum distances between neighbouring cards of a hand, and between its first and last card."""
STOCK_AT = (-7.6, SHELF, UP)
DISCARD_AT = (-6.6, SHELF, UP)
POOL_AT = -5.3
STAYS_AT = 2.9
HIGH = 9.0
"""Available height for cards that must never be cropped."""
CALLS = (14, 1.14, 0.43)
"""Grid of the cards that can be called: cards per row, horizontal and vertical spacing."""
HULL = (
    *((x, y, TABLE_Z) for x in (WEST, EAST) for y in (FOOT, 5.45)),
    *((side * (HAND_REACH + HAND_WIDTH) / 2, HAND - HAND_WIDTH / 2 * RATIO, TABLE_Z) for side in (-1, 1)),
)


class Strip(NamedTuple):
    """Row of a participant: its vertical centre, its height, and the width of its cards."""

    y: float
    pitch: float
    width: float

    @property
    def room(self) -> float:
        """Height available for cards; higher cards are cropped to their upper part."""
        return self.pitch - 0.08

    @property
    def grown(self) -> float:
        """Scale of signs relative to a table with four participants, at least 1."""
        return max(1.0, self.pitch / USUAL)

    @property
    def card_y(self) -> float:
        """Vertical centre of a whole card placed at the top of the row."""
        return self.y + self.pitch / 2 - 0.04 - self.width * RATIO / 2

    def holding(self, many: int) -> Strip:
        """Return this row with cards narrow enough for ``many`` cards to fit on a field.

        The index of each card stays visible.
        """
        return self._replace(width=min(self.width, ROOM / (1 + INDEX * (many - 1))))


def rows(state: State) -> dict[int, Strip]:
    """Return the row of each participant, in turn order from the top."""
    pitch = (TOP - FOOT) / len(state.order)
    width = max(0.87, 0.55 * pitch)
    return {who: Strip(TOP - pitch * (i + 0.5), pitch, width) for i, who in enumerate(state.order)}


def mat(state: State) -> tuple[Vector, tuple[float, float]]:
    """Return the centre of the mat under the fields, half its width, and half its height."""
    high = rows(state)[state.order[0]].pitch * len(state.order)
    return (LANES + 2 * LANE, TOP - high / 2, UP), (2 * LANE + 0.03, high / 2 + 0.03)


def lane(suit: int) -> float:
    """Return the x coordinate of the left edge of a suit's column."""
    return LANES + LANE * suit


def in_field(row: Strip, suit: int, place: int, many: int) -> Vector:
    """Return the position of card number ``place`` on a field that holds ``many`` cards."""
    row = row.holding(many)
    step = min(max(0.46, INDEX * row.width), (ROOM - row.width) / (many - 1)) if many > 1 else 0.0
    return lane(suit) + 0.12 + row.width / 2 + step * place, row.card_y, UP


def in_hand(place: int, many: int) -> Vector:
    """Return the position of card number ``place`` in a hand of ``many`` cards."""
    step = min(HAND_STEP, HAND_REACH / (many - 1)) if many > 1 else 0.0
    return (place - (many - 1) / 2) * step, HAND, UP


def side_hand(row: Strip) -> Vector:
    """Return the position of the card back that represents a participant's hand."""
    return SIDE + 0.22, row.y, UP


def called(card: int) -> Vector:
    """Return the position of a card in the grid of cards that can be called.

    There is one row for each suit, with the majors below the suits.
    """
    across, wide, high = CALLS
    if card >= across * 4:
        return -7.65 + 0.73 * (card - across * 4), -5.0 - high * 4.1, UP
    return -7.4 + wide * (card % across), -5.0 - high * (card // across), UP


def cell_name(who: int, suit: int) -> str:
    """Return the spot key of a participant's field, e.g. ``1S``."""
    return f"{who + 1}{SUITS[suit]}"


def row_spots(state: State, who: int) -> dict[str, Spot]:
    """Return the spots of a participant's row by key: plaque, four fields and side area."""
    row = rows(state)[who]
    found = {f"P{who + 1}": Spot(((WEST + LANES) / 2, row.y, FLAT), half_size=(0.8, row.pitch / 2))}
    for suit in range(4):
        middle = (lane(suit) + LANE / 2, row.y, FLAT)
        found[cell_name(who, suit)] = Spot(middle, half_size=(LANE / 2 - 0.04, row.pitch / 2))
    found[f"side {who + 1}"] = Spot(((SIDE + EAST) / 2, row.y, FLAT), half_size=(1.2, row.pitch / 2))
    return found


def top_spots() -> dict[str, Spot]:
    """Return the spots above the rows, by key: column heads, piles and the shelf for majors."""
    found = {
        f"head {SUITS[suit]}": Spot((lane(suit) + LANE / 2, 3.6, FLAT), half_size=(LANE / 2 - 0.04, 0.2))
        for suit in range(4)
    }
    size = (SHELF_WIDTH / 2, SHELF_WIDTH / 2 * RATIO)
    found["stock"] = Spot(STOCK_AT, half_size=size)
    found["discard"] = Spot(DISCARD_AT, half_size=size)
    found["shelf"] = Spot(((STAYS_AT + EAST) / 2 - 0.25, SHELF, FLAT), half_size=(2.9, size[1]))
    return found


def fixed_spots(state: State) -> dict[str, Spot]:
    """Return all spots that never move, by key: rows, column heads, piles and shelf."""
    found: dict[str, Spot] = {}
    for who in state.order:
        found.update(row_spots(state, who))
    return found | top_spots()
