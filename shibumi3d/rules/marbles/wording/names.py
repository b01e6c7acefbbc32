"""Names of points, boards, colours and stocks for use in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import ptranslate, translate
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.wording.messages import (
    DISPLAYED_NAMES,
    MESSAGES,
    NAME_CONTEXT,
    SEAT_SYMBOLS,
    format_list,
)

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State


def point_name(
    view: State, board: int, point: int, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS
) -> str:
    """Return the name of a point, including its board if there are several boards."""
    name = view.pyramid.point_names[point]
    if len(view.board_names) == 1:
        return name
    return translate(lang, "{what} on {board}", what=name, board=board_name(view, board, lang, names))


def board_name(view: State, board: int, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS) -> str:
    """Return the name of one of several boards, such as "the left board" or "Anna's board"."""
    if view.has_board_per_seat:
        return translate(lang, "{seat}'s board", seat=names[view.player_at(board)])
    return translate(lang, "the {board} board", board=display_name(view.board_names[board], lang))


def display_name(name: str, lang: str = "en") -> str:
    """Return the display form of a name from a game file.

    Names in :data:`.DISPLAYED_NAMES` are replaced, underscores become spaces, and names in :data:`.GAME_FILE_NAMES` are
    translated.
    """
    plain = DISPLAYED_NAMES.get(name, name.replace("_", " "))
    return ptranslate(lang, NAME_CONTEXT, plain)


def colour_name(colour: int, lang: str) -> str:
    """Return the translated name of a colour."""
    return translate(lang, MESSAGES[COLOURS[colour]])


def name_points(view: State, board: int, mask: int, lang: str, names: Sequence[str]) -> str:
    """Return the names of the points in a mask, as a list or as a range such as "Aa1–Aa4".

    The text is a range if the mask consists of three or more consecutive points of a row, diagonal or slope. If there
    are several boards, the name of ``board`` follows. ``mask`` must not be empty.
    """
    pyramid = view.pyramid
    point_names = [pyramid.point_names[point] for point in iter_bits(mask)]
    if len(point_names) > 2 and any(
        mask in runs for runs in (pyramid.rows, pyramid.diagonals, pyramid.slopes)
    ):
        last = point_name(view, board, mask.bit_length() - 1, lang, names)
        return translate(lang, "{first}–{last}", first=point_names[0], last=last)
    return format_list([*point_names[:-1], point_name(view, board, mask.bit_length() - 1, lang, names)], lang)
