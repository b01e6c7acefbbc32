"""Properties that every game has, whatever its rules, checked in random play of every variant."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest

import shibumi3d
from shibumi3d import native
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.board import hash_cells
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.state import State
from tests.marble_games import marble_games, thinned
from tests.share import everything

if native.status.is_native:
    MANY, OTHERS, LARGE = 100 if everything else 50, 5, 2
else:
    MANY, OTHERS, LARGE = (20, 5, 2) if everything else (5, 2, 1)
"""Numbers of games played in the usual form, in other forms and on large boards; fewer in plain Python, which is
slower.
"""
LONGEST = 20_000
"""Number of choices that no random game may exceed."""


def game_configurations() -> list[tuple[str, str, int, int]]:
    """Return the configurations to test, each as (game, variant, size, seats).

    Every variant is tested with the fewest and the most seats, and every game with its smallest and largest sizes.
    """
    found = []
    for entry in marble_games():
        for variant in ("", *entry.variants):
            game = shibumi3d.game(entry.id, variant=variant or None)
            found += [(entry.id, variant, game.size, seats) for seats in sorted(set(game.players))]
        for size in sorted({min(entry.sizes), max(entry.sizes)} - {shibumi3d.game(entry.id).size}):
            found.append((entry.id, "", size, shibumi3d.game(entry.id).players[0]))
    return found


def make(name: str, variant: str, size: int) -> MarbleGame:
    return shibumi3d.game(name, variant=variant or None, size=size)


def count_marbles(m: Machine) -> list[int]:
    total = [sum(row[c].value for row in m.stocks) for c in range(3)]
    for board in m.boards:
        for c, cells in enumerate(board.by_colour):
            total[c] += cells.value.bit_count()
    if m.held_colour.value >= 0:
        total[m.held_colour.value] += 1
    return total


@pytest.mark.parametrize(("name", "variant", "size", "seats"), thinned(game_configurations(), 5, 2))
def test_random_games_keep_the_contract(name: str, variant: str, size: int, seats: int) -> None:
    """In random matches, marbles are conserved and supported, and there are legal choices until the end.

    No choice is offered twice. The match ends in fewer than :data:`LONGEST` choices, and each choice stays well within
    the work budget. What the engine stores about a board, such as its playable points, agrees with the marbles on it.
    """
    game = make(name, variant, size)
    usual = shibumi3d.game(name)
    rounds = MANY if (variant, size, seats) == ("", usual.size, usual.players[0]) else OTHERS
    engine = get_engine(size)
    machine = engine.build_machine(game._rules_for(seats))
    pyr = get_pyramid(size)
    for seed in range(rounds if size <= 6 else LARGE):
        start = game.start(seats, seed=seed)
        engine.load_snapshot(machine, start._snapshot)
        machine.seed = seed
        rng = Random(seed)
        stock = count_marbles(machine)
        choices = 0
        while machine.result is None:
            options = engine.legal_choices(machine)
            assert options, "nobody can choose, and the game is not over"
            assert machine.work_left > WORK_BUDGET // 3, "ordinary games stay far from what a choice may cost"
            assert len(set(options)) == len(options)
            engine.play_choice(machine, options[int(rng.random() * len(options))])
            assert machine.work_left > WORK_BUDGET // 3
            machine.undo_length = 0
            assert count_marbles(machine) == stock
            for board in machine.boards:
                filled = board.filled
                assert position.unsupported_marbles(pyr, filled) == 0
                assert sum(word.value for word in board.by_colour) == filled
                assert board.playable == position.playable_points(pyr, filled)
                assert filled & ~board.hidden == position.visible_marbles(pyr, filled)
                assert board.key == hash_cells(board.index, tuple(word.value for word in board.by_colour))
                for p, cell in enumerate(board.cells):
                    assert cell.uncut_contacts == pyr.uncut_contacts[p][filled & pyr.resting[p]]
            choices += 1
            assert choices < LONGEST
        assert min(word.value for row in machine.stocks for word in row) >= 0


@pytest.mark.parametrize("name", thinned([entry.id for entry in marble_games()], 4))
def test_events_rebuild_the_boards_and_moves_replay(name: str) -> None:
    game = shibumi3d.game(name)
    for seed in range(3):
        rng = Random(seed)
        state = game.start(seed=seed)
        boards = [Counter(pieces(state, b)) for b in range(len(state.boards))]
        texts = []
        while moves := game.moves(state):
            assert len({str(move) for move in moves}) == len(moves)
            move = rng.choice(moves)
            assert game.parse(state, str(move)) == move
            texts.append(str(move))
            before = state
            state, events = game.apply(state, move)
            for event in events:
                apply_event(boards, event, state)
            held = Counter({(state.held[1], state.held[0]): 0}) if state.held else Counter()
            for b, rebuilt in enumerate(boards):
                assert +rebuilt == +(Counter(pieces(state, b)) + held), f"after {move} of {before}"
        again = game.start(seed=seed)
        for text in texts:
            again, _ = game.apply(again, text)
        assert again == state
        assert hash(again) == hash(state)
        assert game.outcome(state) is not None


def pieces(state: State, board: int) -> list[tuple[int, int]]:
    """Return a pair (point, colour) for every marble on a board."""
    return [
        (p, c)
        for c, cells in enumerate(state.cells(board))
        for p in range(cells.bit_length())
        if cells >> p & 1
    ]


def apply_event(boards: list[Counter[tuple[int, int]]], event: ev.Event, state: State) -> None:
    match event:
        case ev.Placed(board, point, colour) | ev.Entered(board, point, _, colour):
            boards[board][point, colour] += 1
        case (
            ev.Removed(board, point, colour)
            | ev.Captured(board, point, colour)
            | ev.Lifted(board, point, colour)
        ):
            boards[board][point, colour] -= 1
        case ev.Moved(board, _, point, colour):
            boards[board][point, colour] += 1
        case ev.Dropped(board, origin, point, colour) | ev.Pushed(board, origin, point, colour):
            boards[board][origin, colour] -= 1
            boards[board][point, colour] += 1
        case ev.SideDropped(board, origin, point, colour):
            boards[board][origin, colour] -= 1
            boards[board][point, colour] += 1
        case ev.Recoloured(board, point, before, after):
            boards[board][point, before] -= 1
            boards[board][point, after] += 1
        case ev.GameStarted():
            for b in range(len(boards)):
                cells = state._rules.initial_cells
                start = [
                    (p, c) for c, mask in enumerate(cells) for p in range(mask.bit_length()) if mask >> p & 1
                ]
                boards[b] = Counter(start)


@pytest.mark.parametrize("name", [entry.id for entry in marble_games()])
def test_illegal_moves_are_refused(name: str) -> None:
    game = shibumi3d.game(name)
    state = game.start(seed=1)
    copy = pickle.loads(pickle.dumps(state))
    offered = {str(move) for move in game.moves(state)}
    for text in ("", "W@Zz9", "nonsense", "W@Aa1 B@Ab1", "pass", "done", "^Aa1", ">Aa1", "W@Ba1"):
        if text not in offered:
            with pytest.raises(IllegalMove):
                game.apply(state, text)
    assert state == copy
    state_after = state
    while moves := game.moves(state_after):
        state_after, _ = game.apply(state_after, moves[-1] if state_after.turn % 2 else moves[0])
        if state_after.turn > 400:
            return
    with pytest.raises(IllegalMove, match="over"):
        game.apply(state_after, "pass")
