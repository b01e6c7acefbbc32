"""In every game, every point that can't be chosen has a reason, and the reason is true."""

from __future__ import annotations

import re
from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.state import State
from tests.marble_games import marble_games, thinned

GENERIC = re.compile(r"couldn't be completed|can't be")
POINTS = re.compile(r"[A-J][a-j]\d+")


def named_points(state: State, text: str) -> int:
    index = state.pyramid.point_by_name
    return sum(1 << index[name] for name in set(POINTS.findall(text)))


def is_false(state: State, board: int, point: int, reason: str) -> bool:
    """Return whether ``reason`` contradicts ``state``.

    ``reason`` is the game's explanation of why ``point`` of ``board`` can't be chosen. For kinds of reasons that aren't
    checked here, the result is False.
    """
    pyramid, filled = state.pyramid, state.filled(board)
    colour = next((c for c, cells in enumerate(state.cells(board)) if cells >> point & 1), -1)
    head, _, rest = reason.rstrip(".").partition(": ")
    if "belongs to" in reason:
        signs = reason.rstrip(".").rsplit(" ", 1)[-1]
        return colour not in state.owned_colours("▲■◆●★".index(signs)) or colour in state.owned_colours(
            state.to_move or 0
        )
    if reason.startswith("There is already a "):
        return COLOURS[colour] not in reason
    if "is pinned" in reason:
        above = pyramid.resting[point] & filled
        return above.bit_count() < 2 or named_points(state, rest) != above
    if "is not free" in reason:
        return named_points(state, rest) != pyramid.resting[point] & filled
    if "needs four marbles below" in reason:
        return named_points(state, rest) != pyramid.supports[point] & ~filled or not named_points(state, rest)
    if "just dropped" in reason:
        return bool(named_points(state, rest) & ~state.fallen_points(board))
    if "is empty" in head:
        return bool(filled >> point & 1)
    if " instead" in reason:
        return COLOURS[colour] not in head or COLOURS[colour] in rest
    if "can't go back to" in reason:
        return state.held is None or state.held[1] != point
    return False


def forms() -> list[tuple[str, str]]:
    return [(entry.id, variant) for entry in marble_games() for variant in ("", *entry.variants)]


@pytest.mark.parametrize(("name", "variant"), thinned(forms(), 4, 2))
def test_every_refusal_has_a_true_reason(name: str, variant: str) -> None:
    game = shibumi3d.game(name, variant=variant or None)
    wrong = set()
    for seed in range(2):
        rng = Random(seed)
        state = game.start(seed=seed)
        for _ in range(90):
            moves = game.moves(state)
            if not moves:
                break
            assert state.to_move is not None
            view, pyramid = game.observe(state, state.to_move), state.pyramid
            open_ = {(move.board, move.point) for move in moves}
            open_ |= {(m.board, p) for m in moves if m.kind == "points" for p in iter_bits(m.value)}
            for board in range(len(state.board_names)):
                if board in state.hidden_boards(state.to_move):
                    continue
                for point in rng.sample(range(pyramid.point_count), 5):
                    if (board, point) in open_:
                        continue
                    reason = game.explain_illegal(view, [state.point_name(point, board)], moves=moves)
                    gone = "marbles left in the" in reason
                    asks = reason.endswith("first.") or reason in (
                        "No moves left: pass.",
                        "Nothing left to choose: end the turn.",
                    )
                    if GENERIC.search(reason) or not (asks or gone or pyramid.point_names[point] in reason):
                        wrong.add(reason)
                    elif is_false(state, board, point, reason):
                        wrong.add(f"{reason} – in {state}")
            state, _ = game.apply(state, rng.choice(moves))
    assert not wrong
