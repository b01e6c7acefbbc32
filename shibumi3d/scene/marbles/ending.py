"""Signs on the boards that show how a match ended.

The winning marbles are highlighted, the marbles compared with them are counted, and all others are dimmed.
"""

from __future__ import annotations

from collections.abc import Iterable

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.deciding import deciding
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.marbles.actors import Cell
from shibumi3d.scene.marbles.signs import Sign, SignKind

LIGHTS = (SignKind.WIN, SignKind.LIT)
"""Kinds of signs that highlight marbles."""


def ending_signs(state: State, last: Iterable[Cell] = (), beside: bool = False) -> list[Sign]:
    """Return the signs that show how the match ended, or none while it is in progress.

    If the winner was not decided by marbles on the boards, other marbles are highlighted: those beside the boards if
    ``beside`` is set, and otherwise those on ``last``, the cells where marbles were last set down.
    """
    result = state.result
    if result is None:
        return []
    parts = deciding(state)
    boards = range(len(state.board_names))
    if not parts:
        if result.winners and beside:
            return [Sign(SignKind.BESIDE, board) for board in boards]
        if result.winners:
            return [Sign(SignKind.LIT, *seat) for seat in last]
        return [Sign(SignKind.EVEN, board) for board in boards]
    signs: list[Sign] = []
    together = sum(part.won for part in parts) < 2
    for part in parts:
        if not part.won and result.winners and not part.counted:
            continue  # dim what cannot be counted by eye
        joined = part.joined and together
        kind = (
            SignKind.COUNTED if not part.won and result.winners else SignKind.WIN if joined else SignKind.LIT
        )
        seats = [(board, point) for board in boards for point in bits(part.marbles[board])]
        signs += [Sign(kind, *seat) for seat in seats]
        if part.counted and len(seats) > 1:
            signs += [
                Sign(SignKind.NUMBER, *seat, strong=kind is SignKind.COUNTED, number=number)
                for number, seat in enumerate(seats, 1)
            ]
    # Several winners may share the same marbles.
    return list(dict.fromkeys(signs))
