"""Screens, labels with numbers, and the colours of everything on the table in Golden Spiral."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral.state import DISCARD
from shibumi3d.scene.frame import Card, Solid
from shibumi3d.scene.glyphs import register_glyphs
from shibumi3d.scene.golden_spiral import layout
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.palette import NUMBER_PLAQUE_EDGE, NUMBER_PLAQUE_WOOD

register_glyphs(
    {
        "die 1": "O 12 12 2.6",
        "die 2": "O 6 6 2.6O 18 18 2.6",
        "die 3": "O 6 6 2.6O 12 12 2.6O 18 18 2.6",
        "die 4": "O 6 6 2.6O 18 6 2.6O 6 18 2.6O 18 18 2.6",
        "die 5": "O 6 6 2.6O 18 6 2.6O 12 12 2.6O 6 18 2.6O 18 18 2.6",
        "die 6": "O 6 5 2.6O 18 5 2.6O 6 12 2.6O 18 12 2.6O 6 19 2.6O 18 19 2.6",
        "dashes": "M2 12L7 12M10 12L14 12M17 12L22 12",
        "towards": "M3 12L20 12M14 6L20 12L14 18",
    }
)

LACQUER, IVORY, PAPER, INK, WOOD = "#3A3733", "#EFE9DC", "#FBF8F1", "#26241F", "#8A623B"
FACES = {"gold": ("#E3B23C", "#845A14", "rings"), "spiral": ("#56636B", "#EFE9DC", "spiral")}
"""Paper colour, ink colour and glyph of each side of a medal."""
TEAL, AMBER, BRICK = "#2E5E5A", "#D8B06A", "#9B3A2C"
ENGRAVED = "#FBF8F1"
"""Ink colour of numbers on lacquer."""

Place = tuple[str, int]
"""Where bodies lie: the name of the place, and its seat.

The name is ``gold``, ``spiral``, ``stars`` or ``laid``. The discard bowl is named ``lost`` and has seat -1.
"""


def digits_of(cards: list[Card], at: Vector, n: int, ink: str, half: float = 0.32) -> None:
    """Add a number to ``cards``.

    If ``ink`` is empty, the number is on a plaque of planed wood.
    """
    x, y, z = at
    digits = str(n)
    if not ink:
        size = (half * (0.75 + 0.5 * len(digits)), half * 1.2)
        cards.append(Card(at, size, NUMBER_PLAQUE_WOOD, outline=NUMBER_PLAQUE_EDGE, corner_rounding=0.25))
    step = half * 1.05
    for place, digit in enumerate(digits):
        there = (x + (place - (len(digits) - 1) / 2) * step, y, z + 0.003)
        cards.append(
            Card(there, (half, half), ink=ink or INK, glyph=digit, glyph_scale=0.78, stroke_width=2.8)
        )


def screens(high: float, solids: list[Solid]) -> None:
    """Add both screens, of three panels each, to ``solids``.

    ``high`` is 0 for folded screens and 1 for upright ones.
    """
    if high <= 0.02:
        return
    wide, deep, tall = layout.SCREEN
    for side in (-1, 1):
        x, y, z = layout.screen(side)
        for leaf, lean in ((-1, 0.16), (0, -0.16), (1, 0.16)):
            at = (x + leaf * wide * 0.66, y, z)
            solids.append(
                Solid("box", at, (wide / 3, deep, tall * high), PAPER, yaw=lean, side_colour="#E9E1D1")
            )


def after(now: Mapping[Place, int], events: Iterable[Event]) -> dict[Place, int]:
    """Return the number of medals or stars at each place after ``events``."""
    then = dict(now)
    for event in events:
        if isinstance(event, ev.MedalsTurned):
            then["gold", event.seat] += event.spiral - event.gold
            then["spiral", event.seat] += event.gold - event.spiral
        elif isinstance(event, ev.MedalsMoved):
            for holder, sign in ((event.source, -1), (event.target, 1)):
                if holder == DISCARD:
                    then["lost", DISCARD] += sign * (event.gold + event.spiral)
                else:
                    then["gold", holder] += sign * event.gold
                    then["spiral", holder] += sign * event.spiral
    return then


def counts(
    now: Mapping[Place, int],
    long: Mapping[Place, int],
    sitting: int,
    preview: Iterable[Event],
    cards: list[Card],
) -> None:
    """Add labels to all rows, star piles and the discard bowl, and the sign of each seat.

    ``now`` is the number of bodies at each place. ``long`` contains the length of each row, after which its label is
    placed. If the events in ``preview`` would change a number, an arrow leads to the new number.
    """
    then = after(now, preview)
    for seat in (0, 1):
        side = layout.side_of(seat, sitting)
        for row in ("gold", "spiral"):
            x, y, z = at = layout.count(row, side, long[row, seat])
            digits_of(cards, at, now[row, seat], ENGRAVED)
            if then[row, seat] != now[row, seat]:
                cards.append(Card((x + 0.75, y, z), (0.2, 0.2), ink=AMBER, glyph="towards", stroke_width=2.4))
                digits_of(cards, (x + 1.45, y, z), then[row, seat], AMBER)
        x, y, _ = layout.star(side, 0)
        digits_of(cards, (x, y - 0.9, layout.FLOOR + 0.004), now["stars", seat], ENGRAVED, 0.3)
        at = (x, y - 1.8, TABLE_Z + 0.01)
        cards.append(
            Card(
                at,
                (0.34, 0.34),
                PAPER,
                outline="#CFC4AF",
                corner_rounding=1.0,
                ink=INK,
                glyph=f"seat {seat}",
                stroke_width=2.8,
            )
        )
    x, y = layout.BOWL
    digits_of(cards, (x, y - layout.RIM, TABLE_Z + 0.09), then["lost", DISCARD], "", 0.3)
