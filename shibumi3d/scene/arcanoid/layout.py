"""Where everything lies: one grid for any number of participants. Rows are participants, columns are suits."""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.rules.arcanoid.cards import SUITS
from shibumi3d.rules.arcanoid.state import State
from shibumi3d.scene.arcanoid.faces import RATIO
from shibumi3d.scene.marbles.layout import TABLE, Vector
from shibumi3d.scene.table import Spot

FLAT = TABLE + 0.012
"""How high mats lie, and a hair above them all cards: what lies higher is drawn later."""
UP = TABLE + 0.02
WEST, EAST = -8.2, 8.2
LANES = -6.5
"""Where the first column begins."""
LANE = 3.05
ROOM = LANE - 0.95
"""What of a column the cards of a field may take; beside it stands how strong they are."""
INDEX = 0.42
"""The part of a card's width that its index takes."""
TOP, FOOT = 3.4, -4.4
"""The rows' ends."""
USUAL = 1.95
"""The height of the rows of four participants: signs of fewer grow with their rows."""
SIDE = LANES + 4 * LANE
SHELF = 4.62
"""The middle of the row of piles."""
SHELF_WIDTH = 0.84
HAND = -5.92
HAND_WIDTH = 1.45
HAND_STEP, HAND_REACH = 1.6, 12.8
"""How far the cards of a hand lie apart, and how far its first and its last do at most."""
STOCK_AT = (-7.6, SHELF, UP)
DISCARD_AT = (-6.6, SHELF, UP)
POOL_AT = -5.3
STAYS_AT = 2.9
HIGH = 9.0
"""More than any card needs."""
CALLS = (14, 1.14, 0.43)
"""The cards that may be called: how many in a row, and how far from each other."""
HULL = (
    *((x, y, TABLE) for x in (WEST, EAST) for y in (FOOT, 5.45)),
    *((side * (HAND_REACH + HAND_WIDTH) / 2, HAND - HAND_WIDTH / 2 * RATIO, TABLE) for side in (-1, 1)),
)


class Strip(NamedTuple):
    """The row of a participant: its middle, how high it is, and the width of its cards."""

    y: float
    pitch: float
    width: float

    @property
    def room(self) -> float:
        """How high a card may be; of a higher one the upper part is seen."""
        return self.pitch - 0.08

    @property
    def grown(self) -> float:
        """How many times as large signs are as in the rows of four participants."""
        return max(1.0, self.pitch / USUAL)

    @property
    def card_y(self) -> float:
        """The middle of a whole card whose upper edge is that of the row."""
        return self.y + self.pitch / 2 - 0.04 - self.width * RATIO / 2

    def holding(self, many: int) -> Strip:
        """Return this strip with cards so narrow that the index of each of ``many`` on a field is seen."""
        return self._replace(width=min(self.width, ROOM / (1 + INDEX * (many - 1))))


def rows(state: State) -> dict[int, Strip]:
    """Return the row of each participant, in turn order from the top."""
    pitch = (TOP - FOOT) / len(state.order)
    width = max(0.87, 0.55 * pitch)
    return {who: Strip(TOP - pitch * (i + 0.5), pitch, width) for i, who in enumerate(state.order)}


def mat(state: State) -> tuple[Vector, tuple[float, float]]:
    """Return the middle of the mat under the fields, and half its sides."""
    high = rows(state)[state.order[0]].pitch * len(state.order)
    return (LANES + 2 * LANE, TOP - high / 2, UP), (2 * LANE + 0.03, high / 2 + 0.03)


def lane(suit: int) -> float:
    """Return the x at which the column of a suit begins."""
    return LANES + LANE * suit


def in_field(row: Strip, suit: int, place: int, many: int) -> Vector:
    """Return where a card lies on a field, one of ``many``."""
    row = row.holding(many)
    step = min(max(0.46, INDEX * row.width), (ROOM - row.width) / (many - 1)) if many > 1 else 0.0
    return lane(suit) + 0.12 + row.width / 2 + step * place, row.card_y, UP


def in_hand(place: int, many: int) -> Vector:
    """Return where a card of the hand lies, one of ``many``."""
    step = min(HAND_STEP, HAND_REACH / (many - 1)) if many > 1 else 0.0
    return (place - (many - 1) / 2) * step, HAND, UP


def side_hand(row: Strip) -> Vector:
    """Return where the card back lies that stands for the hand of a participant."""
    return SIDE + 0.22, row.y, UP


def called(card: int) -> Vector:
    """Return where a card lies that may be called: minor cards a suit a row, majors below."""
    across, wide, high = CALLS
    if card >= across * 4:
        return -7.65 + 0.73 * (card - across * 4), -5.0 - high * 4.1, UP
    return -7.4 + wide * (card % across), -5.0 - high * (card // across), UP


def cell_name(who: int, suit: int) -> str:
    """Return the key of a field of a participant."""
    return f"{who + 1}{SUITS[suit]}"


def row_spots(state: State, who: int) -> dict[str, Spot]:
    """Return a participant's plaque, fields and side."""
    row = rows(state)[who]
    found = {f"P{who + 1}": Spot(((WEST + LANES) / 2, row.y, FLAT), half=(0.8, row.pitch / 2))}
    for suit in range(4):
        middle = (lane(suit) + LANE / 2, row.y, FLAT)
        found[cell_name(who, suit)] = Spot(middle, half=(LANE / 2 - 0.04, row.pitch / 2))
    found[f"side {who + 1}"] = Spot(((SIDE + EAST) / 2, row.y, FLAT), half=(1.2, row.pitch / 2))
    return found


def top_spots() -> dict[str, Spot]:
    """Return the heads of the columns, the piles, and the shelf where majors are played, each by its key."""
    found = {
        f"head {SUITS[suit]}": Spot((lane(suit) + LANE / 2, 3.6, FLAT), half=(LANE / 2 - 0.04, 0.2))
        for suit in range(4)
    }
    size = (SHELF_WIDTH / 2, SHELF_WIDTH / 2 * RATIO)
    found["stock"] = Spot(STOCK_AT, half=size)
    found["discard"] = Spot(DISCARD_AT, half=size)
    found["shelf"] = Spot(((STAYS_AT + EAST) / 2 - 0.25, SHELF, FLAT), half=(2.9, size[1]))
    return found


def fixed_spots(state: State) -> dict[str, Spot]:
    """Return what lies at the same place all the time, by key: rows, heads of columns, piles."""
    found: dict[str, Spot] = {}
    for who in state.order:
        found.update(row_spots(state, who))
    return found | top_spots()
