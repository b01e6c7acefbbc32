"""Table layout of Arcanoid: a grid with one row per participant and one column per suit."""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.rules.arcanoid.cards import SUIT_LETTERS
from shibumi3d.rules.arcanoid.state import State
from shibumi3d.scene.arcanoid.card_faces import CARD_ASPECT
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.table_scene import Spot

SPOT_Z = TABLE_Z + 0.012
"""z coordinate of the spots of rows, column heads and the shelf, and of the mats drawn there.

The shadows of cards lie slightly higher, and the cards themselves lie at ``CARD_Z``; everything is drawn in order of
height.
"""
CARD_Z = TABLE_Z + 0.02
LEFT_X, RIGHT_X = -8.2, 8.2
COLUMNS_X = -7.1
"""Left edge of the first column."""
COLUMN_WIDTH = 3.3
INDEX_WIDTH_FRACTION = 0.42
"""Fraction of a card's width occupied by its corner index."""
SIDE_INDEX_WIDTH_FRACTION = 0.34
"""Minimum fraction of a card's width that stays visible where cards beside the fields overlap."""
ROWS_TOP_Y, ROWS_BOTTOM_Y = 3.4, -4.4
"""Top and bottom edges of the rows."""
FOUR_PLAYER_ROW_HEIGHT = 1.95
"""Height of a row if there are four participants.

If there are fewer, rows are taller and their signs larger.
"""
MIN_TALL_ROW_HEIGHT = 1.5
"""Minimum height at which a row has room for the strength of a field below the sign of its suit."""
MIN_TWO_LINE_HEIGHT, MAX_CARDS_IN_ONE_LINE = 2.5, 2
"""Minimum height of a row with two lines of cards on a field, and the maximum number of cards in a single line."""
MIN_TWO_LINE_SIDE_HEIGHT, MAX_SIDE_CARDS_IN_ONE_LINE = 1.2, 3
"""Minimum height for two lines of cards beside the fields, and the maximum number of cards in a single line."""
LINE_GAP = 0.06
MIN_CARD_WIDTH = 1.3
"""Width of the cards in low rows, unless they must be narrower to fit; only their upper parts are shown."""
SIDE_AREA_X = COLUMNS_X + 4 * COLUMN_WIDTH
HEADS_Y = 3.68
"""Vertical position of the column heads."""
SHELF_Y = 5.05
"""Vertical position of the row that contains the piles."""
SHELF_CARD_WIDTH = 1.26
HAND_CARD_WIDTH = 2.25
HAND_Y = ROWS_BOTTOM_Y - 0.2 - HAND_CARD_WIDTH / 2 * CARD_ASPECT
MAX_HAND_STEP, MAX_HAND_WIDTH = 2.16, 13.2
"""Maximum distances between neighbouring cards of a hand, and between its first and last card."""
FAN_RADIUS = 40.0
"""Radius of the arc on which the cards of a hand lie, fanned as if they were held."""
FAN_STEP_Z = 0.006
"""Height of a card in a hand above the one that it overlaps."""
STOCK_POSITION = (-7.45, SHELF_Y, CARD_Z)
DISCARD_POSITION = (-6.05, SHELF_Y, CARD_Z)
POOL_X, MAX_POOL_WIDTH = -4.5, 5.4
MAJORS_IN_PLAY_X, MAX_MAJORS_WIDTH = 2.75, 4.7
MAX_SHELF_STEP = 1.36
"""Maximum distance between neighbouring cards of the pool, and of the majors in play."""
UNCROPPED_HEIGHT = 9.0
"""Available height for cards that must never be cropped."""
CALL_GRID = (14, 1.15, 0.7)
"""Grid of the cards that can be called: cards per row, horizontal and vertical spacing."""
CALL_TOP_Y = -5.0
CALL_HALF_SIZE, CALL_MAJOR_HALF_SIZE = (0.54, 0.31), (0.35, 0.31)
"""Half the width and height of the plates for calling a minor and a major card."""
FELT_MARGIN = 0.28
"""Width of the felt beyond everything that lies on it."""
HAND_BOTTOM_Y = HAND_Y - HAND_CARD_WIDTH / 2 * CARD_ASPECT - 0.42
"""Approximate lower edge of a fanned hand of six cards; the corners of a larger hand reach a little further."""
SHELF_TOP_Y = SHELF_Y + SHELF_CARD_WIDTH / 2 * CARD_ASPECT
TABLE_CORNERS = (
    *((x, y, TABLE_Z) for x in (LEFT_X, RIGHT_X) for y in (ROWS_BOTTOM_Y, SHELF_TOP_Y + 0.1)),
    *((side * (MAX_HAND_WIDTH + HAND_CARD_WIDTH) / 2, HAND_BOTTOM_Y - 0.1, TABLE_Z) for side in (-1, 1)),
)
CORNERS_WITHOUT_HANDS = tuple(
    (x, y, TABLE_Z) for x in (LEFT_X, RIGHT_X) for y in (ROWS_BOTTOM_Y - 0.1, SHELF_TOP_Y + 0.1)
)
"""Corners of what is left on the table after the last round."""


class ParticipantRow(NamedTuple):
    """Row of a participant.

    ``y`` is the vertical centre of the row. ``card_width`` is the width of a card, and ``line_count`` is the number of
    lines of cards on a field.
    """

    y: float
    height: float
    card_width: float
    line_count: int = 1

    @property
    def max_card_height(self) -> float:
        """Height available for each line of cards; taller cards are cropped to their upper part."""
        return (self.height - 0.12 - LINE_GAP * (self.line_count - 1)) / self.line_count

    @property
    def is_tall(self) -> bool:
        """Whether the row is tall enough to show a field's strength below the suit symbol rather than beside it."""
        return self.height >= MIN_TALL_ROW_HEIGHT

    @property
    def field_cards_width(self) -> float:
        """Width available for the cards of a field, to the left of its suit symbol and its strength."""
        return COLUMN_WIDTH - (1.12 if self.is_tall else 1.95)

    @property
    def symbol_scale(self) -> float:
        """Scale of a row's seat symbol, strength numbers and crosses, at least 1.

        It is 1 if there are four or more participants, and greater in the taller rows of fewer participants.
        """
        return max(1.0, self.height / FOUR_PLAYER_ROW_HEIGHT)

    @property
    def card_y(self) -> float:
        """Vertical centre of a whole card placed at the top of the row."""
        return self.y + self.height / 2 - 0.06 - self.card_width * CARD_ASPECT / 2

    def fit_cards(self, card_count: int) -> ParticipantRow:
        """Return this row with cards narrow enough for ``card_count`` cards to fit on a field.

        The index of each card stays visible. If there are more than two cards and the row is high enough, they lie in
        two lines.
        """
        in_two = self.height >= MIN_TWO_LINE_HEIGHT and card_count > MAX_CARDS_IN_ONE_LINE
        lines = 2 if in_two else 1
        longest = -(-card_count // lines)
        return self._replace(
            card_width=min(
                self.card_width, self.field_cards_width / (1 + INDEX_WIDTH_FRACTION * (longest - 1))
            ),
            line_count=lines,
        )


def participant_rows(state: State) -> dict[int, ParticipantRow]:
    """Return the row of each participant, in turn order from the top."""
    pitch = (ROWS_TOP_Y - ROWS_BOTTOM_Y) / len(state.turn_order)
    width = max(MIN_CARD_WIDTH, min(0.82 * pitch, 0.58 * pitch + 0.5, 2.17))
    return {
        who: ParticipantRow(ROWS_TOP_Y - pitch * (i + 0.5), pitch, width)
        for i, who in enumerate(state.turn_order)
    }


def felt_rectangle() -> tuple[Vector, tuple[float, float]]:
    """Return the centre of the felt under everything, half its width, and half its height."""
    low, high = HAND_BOTTOM_Y - FELT_MARGIN, SHELF_TOP_Y + FELT_MARGIN
    return (0.0, (low + high) / 2, TABLE_Z + 0.008), (RIGHT_X + FELT_MARGIN, (high - low) / 2)


def column_x(suit: int) -> float:
    """Return the x coordinate of the left edge of a suit's column."""
    return COLUMNS_X + COLUMN_WIDTH * suit


def field_card_position(row: ParticipantRow, suit: int, index: int, card_count: int) -> Vector:
    """Return the position of the card at ``index`` on a field that holds ``card_count`` cards."""
    row = row.fit_cards(card_count)
    longest = -(-card_count // row.line_count)
    line, place = divmod(index, longest)
    step = (
        min(
            max(0.46, INDEX_WIDTH_FRACTION * row.card_width),
            (row.field_cards_width - row.card_width) / (longest - 1),
        )
        if longest > 1
        else 0.0
    )
    x = column_x(suit) + 0.12 + row.card_width / 2 + step * place
    return x, row.card_y - line * (row.max_card_height + LINE_GAP), CARD_Z


def hand_card_position(index: int, card_count: int) -> Vector:
    """Return the position of the card at ``index`` in a hand of ``card_count`` cards."""
    step = min(MAX_HAND_STEP, MAX_HAND_WIDTH / (card_count - 1)) if card_count > 1 else 0.0
    x = (index - (card_count - 1) / 2) * step
    return x, HAND_Y - x * x / (2 * FAN_RADIUS), CARD_Z + FAN_STEP_Z * index


def hand_card_yaw(index: int, card_count: int) -> float:
    """Return the rotation, in radians, of the card at ``index`` in a hand of ``card_count`` cards."""
    return -hand_card_position(index, card_count)[0] / FAN_RADIUS


def hand_back_position(row: ParticipantRow) -> Vector:
    """Return the position of the card back that represents a participant's hand."""
    if row.is_tall:
        return SIDE_AREA_X + 0.6, row.y - row.height / 2 + hand_back_height(row) / 2 + 0.08, CARD_Z
    return SIDE_AREA_X + 0.45, row.y, CARD_Z


def hand_back_width(row: ParticipantRow) -> float:
    """Return the width of the card back that represents a participant's hand."""
    return min(max(0.5, 0.23 * row.height), 0.9) if row.is_tall else min(0.5, 0.58 * row.height)


def hand_back_height(row: ParticipantRow) -> float:
    """Return the visible height of the card back that represents a participant's hand."""
    return min(hand_back_width(row) * CARD_ASPECT, row.max_card_height)


def side_card_position(row: ParticipantRow, index: int, card_count: int) -> tuple[Vector, float, float]:
    """Return the position and width of a card beside a participant's fields, and the height available for it.

    ``index`` is the card's place among the ``card_count`` cards there. If there is room, more than three cards lie in
    two lines.
    """
    x = SIDE_AREA_X + (0.1 if row.is_tall else 0.85)
    room = RIGHT_X - x + 0.1
    high = row.max_card_height - (hand_back_height(row) + 0.1 if row.is_tall else 0.0)
    lines = 2 if card_count > MAX_SIDE_CARDS_IN_ONE_LINE and high >= MIN_TWO_LINE_SIDE_HEIGHT else 1
    longest = -(-card_count // lines)
    high = (high - LINE_GAP * (lines - 1)) / lines
    line, place = divmod(index, longest)
    width = min(1.26, row.card_width, room / (1 + SIDE_INDEX_WIDTH_FRACTION * (longest - 1)))
    step = min(0.5 * width, (room - width) / (longest - 1)) if longest > 1 else 0.0
    y = row.y + row.height / 2 - 0.06 - width / 2 * CARD_ASPECT - line * (high + LINE_GAP)
    return (x + width / 2 + step * place, y, CARD_Z), width, high


def shelf_card_position(x: float, width: float, index: int, card_count: int) -> Vector:
    """Return the position of the card at ``index`` in a row of ``card_count`` cards on the shelf.

    The first card is centred at ``x``. The last card is centred at most ``width`` farther to the right.
    """
    step = min(MAX_SHELF_STEP, width / (card_count - 1)) if card_count > 1 else 0.0
    return x + step * index, SHELF_Y, CARD_Z


def head_card_position(suit: int) -> tuple[Vector, float, float]:
    """Return the position and the width of a card at the head of a column, and the height available for it."""
    width, high = 1.2, 0.56
    x, top = column_x(suit) + COLUMN_WIDTH - 0.1 - width / 2, ROWS_TOP_Y + 0.02 + high
    return (x, top - width / 2 * CARD_ASPECT, CARD_Z), width, high


def suit_symbol_position(row: ParticipantRow, suit: int) -> tuple[Vector, float]:
    """Return the position and half the size of the suit symbol on the field for ``suit`` in ``row``."""
    size = min(0.38, 0.48 * row.height)
    y = row.y + row.height / 2 - 0.1 - size if row.is_tall else row.y
    return (column_x(suit) + COLUMN_WIDTH - 0.5, y, CARD_Z), size


def strength_position(row: ParticipantRow, suit: int, *, has_half: bool = False) -> tuple[Vector, float]:
    """Return the position and half the size of the number that shows the strength of the forces on a field.

    If ``has_half`` is set, room is left for a ½ after the number.
    """
    size = min(0.27 * min(row.symbol_scale, 1.4), row.height * 0.36)
    if not row.is_tall:
        return (column_x(suit) + COLUMN_WIDTH - 1.2 - 1.6 * size * has_half, row.y, CARD_Z), size
    size *= 0.75 if has_half else 1.0
    y = min(row.y, row.y + row.height / 2 - 0.9 - size)
    return (column_x(suit) + COLUMN_WIDTH - 0.5 - 0.75 * size * has_half, y, CARD_Z), size


def callable_card_position(card: int) -> Vector:
    """Return the position of a card in the grid of cards that can be called.

    There is one row for each suit, with the majors below the suits.
    """
    across, wide, high = CALL_GRID
    if card >= across * 4:
        return -7.67 + 0.73 * (card - across * 4), CALL_TOP_Y - high * 4.1, CARD_Z
    return -7.475 + wide * (card % across), CALL_TOP_Y - high * (card // across), CARD_Z


def field_key(participant: int, suit: int) -> str:
    """Return the spot key of a participant's field, e.g. ``1S``."""
    return f"{participant + 1}{SUIT_LETTERS[suit]}"


def row_spots(state: State, participant: int) -> dict[str, Spot]:
    """Return the spots for the plaque, the four fields and the side area of a participant's row, by key."""
    row = participant_rows(state)[participant]
    found = {
        f"P{participant + 1}": Spot(
            ((LEFT_X + COLUMNS_X) / 2, row.y, SPOT_Z), half_size=(0.55, row.height / 2)
        )
    }
    for suit in range(4):
        middle = (column_x(suit) + COLUMN_WIDTH / 2, row.y, SPOT_Z)
        found[field_key(participant, suit)] = Spot(
            middle, half_size=(COLUMN_WIDTH / 2 - 0.04, row.height / 2)
        )
    found[f"side {participant + 1}"] = Spot(
        ((SIDE_AREA_X + RIGHT_X) / 2, row.y, SPOT_Z), half_size=((RIGHT_X - SIDE_AREA_X) / 2, row.height / 2)
    )
    return found


def top_spots() -> dict[str, Spot]:
    """Return the spots of the column heads, the piles and the shelf for majors, by key."""
    found = {
        f"head {SUIT_LETTERS[suit]}": Spot(
            (column_x(suit) + COLUMN_WIDTH / 2, HEADS_Y, SPOT_Z), half_size=(COLUMN_WIDTH / 2 - 0.04, 0.24)
        )
        for suit in range(4)
    }
    size = (SHELF_CARD_WIDTH / 2, SHELF_CARD_WIDTH / 2 * CARD_ASPECT)
    found["stock"] = Spot(STOCK_POSITION, half_size=size)
    found["discard"] = Spot(DISCARD_POSITION, half_size=size)
    found["shelf"] = Spot(((MAJORS_IN_PLAY_X + RIGHT_X) / 2 - 0.4, SHELF_Y, SPOT_Z), half_size=(3.1, size[1]))
    return found


def fixed_spots(state: State) -> dict[str, Spot]:
    """Return the spots of the rows, the column heads, the piles and the shelf, by key.

    These spots never move.
    """
    result: dict[str, Spot] = {}
    for who in state.turn_order:
        result.update(row_spots(state, who))
    return result | top_spots()
