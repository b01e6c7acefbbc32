"""Table layout of Arcanoid: a grid with one row per participant and one column per suit."""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.rules.arcanoid.cards import SUIT_LETTERS
from shibumi3d.rules.arcanoid.state import State
from shibumi3d.scene.arcanoid.card_faces import CARD_ASPECT
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.table_scene import Spot

SPOT_Z = TABLE_Z + 0.012
"""Height above the table at which clickable spots and highlighted column heads lie.

Everything else lies slightly higher, at ``CARD_Z``, because cards are drawn in order of height.
"""
CARD_Z = TABLE_Z + 0.02
LEFT_X, RIGHT_X = -8.2, 8.2
COLUMNS_X = -6.5
"""Left edge of the first column."""
COLUMN_WIDTH = 3.05
FIELD_CARDS_WIDTH = COLUMN_WIDTH - 0.95
"""Width available for the cards of a field, to the left of their strength."""
INDEX_WIDTH_FRACTION = 0.42
"""Fraction of a card's width occupied by its corner index."""
ROWS_TOP_Y, ROWS_BOTTOM_Y = 3.4, -4.4
"""Top and bottom edges of the rows."""
FOUR_PLAYER_ROW_HEIGHT = 1.95
"""Height of a row if there are four participants.

If there are fewer, rows are higher and their signs larger.
"""
SIDE_AREA_X = COLUMNS_X + 4 * COLUMN_WIDTH
SHELF_Y = 4.62
"""Vertical position of the row that contains the piles."""
SHELF_CARD_WIDTH = 0.84
HAND_Y = -5.92
HAND_CARD_WIDTH = 1.45
MAX_HAND_STEP, MAX_HAND_WIDTH = 1.6, 12.8
"""Maximum distances between neighbouring cards of a hand, and between its first and last card."""
STOCK_POSITION = (-7.6, SHELF_Y, CARD_Z)
DISCARD_POSITION = (-6.6, SHELF_Y, CARD_Z)
POOL_X = -5.3
MAJORS_IN_PLAY_X = 2.9
UNCROPPED_HEIGHT = 9.0
"""Available height for cards that must never be cropped."""
CALL_GRID = (14, 1.14, 0.43)
"""Grid of the cards that can be called: cards per row, horizontal and vertical spacing."""
TABLE_CORNERS = (
    *((x, y, TABLE_Z) for x in (LEFT_X, RIGHT_X) for y in (ROWS_BOTTOM_Y, 5.45)),
    *(
        (side * (MAX_HAND_WIDTH + HAND_CARD_WIDTH) / 2, HAND_Y - HAND_CARD_WIDTH / 2 * CARD_ASPECT, TABLE_Z)
        for side in (-1, 1)
    ),
)


class ParticipantRow(NamedTuple):
    """Row of a participant: its vertical centre, its height, and the width of its cards."""

    y: float
    height: float
    card_width: float

    @property
    def max_card_height(self) -> float:
        """Height available for cards; higher cards are cropped to their upper part."""
        return self.height - 0.08

    @property
    def symbol_scale(self) -> float:
        """Scale of signs relative to a table with four participants, at least 1."""
        return max(1.0, self.height / FOUR_PLAYER_ROW_HEIGHT)

    @property
    def card_y(self) -> float:
        """Vertical centre of a whole card placed at the top of the row."""
        return self.y + self.height / 2 - 0.04 - self.card_width * CARD_ASPECT / 2

    def fit_cards(self, card_count: int) -> ParticipantRow:
        """Return this row with cards narrow enough for ``card_count`` cards to fit on a field.

        The index of each card stays visible.
        """
        return self._replace(
            card_width=min(self.card_width, FIELD_CARDS_WIDTH / (1 + INDEX_WIDTH_FRACTION * (card_count - 1)))
        )


def participant_rows(state: State) -> dict[int, ParticipantRow]:
    """Return the row of each participant, in turn order from the top."""
    pitch = (ROWS_TOP_Y - ROWS_BOTTOM_Y) / len(state.turn_order)
    width = max(0.87, 0.55 * pitch)
    return {
        who: ParticipantRow(ROWS_TOP_Y - pitch * (i + 0.5), pitch, width)
        for i, who in enumerate(state.turn_order)
    }


def mat_rectangle(state: State) -> tuple[Vector, tuple[float, float]]:
    """Return the centre of the mat under the fields, half its width, and half its height."""
    high = participant_rows(state)[state.turn_order[0]].height * len(state.turn_order)
    return (COLUMNS_X + 2 * COLUMN_WIDTH, ROWS_TOP_Y - high / 2, CARD_Z), (
        2 * COLUMN_WIDTH + 0.03,
        high / 2 + 0.03,
    )


def column_x(suit: int) -> float:
    """Return the x coordinate of the left edge of a suit's column."""
    return COLUMNS_X + COLUMN_WIDTH * suit


def field_card_position(row: ParticipantRow, suit: int, index: int, card_count: int) -> Vector:
    """Return the position of card number ``index`` on a field that holds ``card_count`` cards."""
    row = row.fit_cards(card_count)
    step = (
        min(
            max(0.46, INDEX_WIDTH_FRACTION * row.card_width),
            (FIELD_CARDS_WIDTH - row.card_width) / (card_count - 1),
        )
        if card_count > 1
        else 0.0
    )
    return column_x(suit) + 0.12 + row.card_width / 2 + step * index, row.card_y, CARD_Z


def hand_card_position(index: int, card_count: int) -> Vector:
    """Return the position of card number ``index`` in a hand of ``card_count`` cards."""
    step = min(MAX_HAND_STEP, MAX_HAND_WIDTH / (card_count - 1)) if card_count > 1 else 0.0
    return (index - (card_count - 1) / 2) * step, HAND_Y, CARD_Z


def hand_back_position(row: ParticipantRow) -> Vector:
    """Return the position of the card back that represents a participant's hand."""
    return SIDE_AREA_X + 0.22, row.y, CARD_Z


def callable_card_position(card: int) -> Vector:
    """Return the position of a card in the grid of cards that can be called.

    There is one row for each suit, with the majors below the suits.
    """
    across, wide, high = CALL_GRID
    if card >= across * 4:
        return -7.65 + 0.73 * (card - across * 4), -5.0 - high * 4.1, CARD_Z
    return -7.4 + wide * (card % across), -5.0 - high * (card // across), CARD_Z


def field_key(participant: int, suit: int) -> str:
    """Return the spot key of a participant's field, e.g. ``1S``."""
    return f"{participant + 1}{SUIT_LETTERS[suit]}"


def row_spots(state: State, participant: int) -> dict[str, Spot]:
    """Return the spots of a participant's row by key: plaque, four fields and side area."""
    row = participant_rows(state)[participant]
    found = {
        f"P{participant + 1}": Spot(
            ((LEFT_X + COLUMNS_X) / 2, row.y, SPOT_Z), half_size=(0.8, row.height / 2)
        )
    }
    for suit in range(4):
        middle = (column_x(suit) + COLUMN_WIDTH / 2, row.y, SPOT_Z)
        found[field_key(participant, suit)] = Spot(
            middle, half_size=(COLUMN_WIDTH / 2 - 0.04, row.height / 2)
        )
    found[f"side {participant + 1}"] = Spot(
        ((SIDE_AREA_X + RIGHT_X) / 2, row.y, SPOT_Z), half_size=(1.2, row.height / 2)
    )
    return found


def top_spots() -> dict[str, Spot]:
    """Return the spots above the rows, by key: column heads, piles and the shelf for majors."""
    found = {
        f"head {SUIT_LETTERS[suit]}": Spot(
            (column_x(suit) + COLUMN_WIDTH / 2, 3.6, SPOT_Z), half_size=(COLUMN_WIDTH / 2 - 0.04, 0.2)
        )
        for suit in range(4)
    }
    size = (SHELF_CARD_WIDTH / 2, SHELF_CARD_WIDTH / 2 * CARD_ASPECT)
    found["stock"] = Spot(STOCK_POSITION, half_size=size)
    found["discard"] = Spot(DISCARD_POSITION, half_size=size)
    found["shelf"] = Spot(
        ((MAJORS_IN_PLAY_X + RIGHT_X) / 2 - 0.25, SHELF_Y, SPOT_Z), half_size=(2.9, size[1])
    )
    return found


def fixed_spots(state: State) -> dict[str, Spot]:
    """Return all spots that never move, by key: rows, column heads, piles and shelf."""
    found: dict[str, Spot] = {}
    for who in state.turn_order:
        found.update(row_spots(state, who))
    return found | top_spots()
