"""Determinization: filling in what a seat can't see, consistently with what it can see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.engine.board import hash_cells
from shibumi3d.rules.marbles.engine.rules import ALL_SEATS, Rules, Snapshot
from shibumi3d.rules.marbles.engines import Runner
from shibumi3d.rules.marbles.position import playable_points

BoardSnapshot = tuple[tuple[int, ...], int, int, tuple[int, ...]]


def determinize(
    runner: Runner, rules: Rules, view: Snapshot, seat: int, rng: Random
) -> tuple[Snapshot, bool]:
    """Return a random complete snapshot that looks like ``view`` to ``seat``.

    Also return whether the snapshot is inside a block of secret choices. If so, the other seats have yet to choose in
    the snapshot. In a series, ``seat`` is a seat of the current game.

    Marbles whose location the seat doesn't know are distributed at random over the stocks and boards that it can't see,
    so that the total of each colour is correct. If there are too few of them for the stocks whose sizes the seat knows,
    these stocks are filled up with marbles of random colours. This can happen in matches that started from a given
    position.
    """
    bit = 1 << seat
    stocks = [list(content) for content in view.stocks]
    unseen = [i for i, content in enumerate(view.stocks) if len(content) > rules.colour_count]
    covered = [i for i, sight in enumerate(rules.board_viewers) if not sight & bit]
    boards = list(view.boards)
    missing = _count_unseen(rules, view)
    if covered:
        for number in covered:
            boards[number] = _stack_at_random(
                rules, _sample_board_contents(rules, view, number, missing, rng), rng
            )
            for colour, mask in enumerate(boards[number][0]):
                missing[colour] -= mask.bit_count()
    pool = [colour for colour, count in enumerate(missing) for _ in range(max(count, 0))]
    rng.shuffle(pool)
    sizes = _sample_stock_sizes(view, unseen, len(pool), rules.colour_count, rng)
    if len(pool) < sum(sizes):
        colours, usual = range(rules.colour_count), _count_all(rules)
        pool += rng.choices(colours, usual if any(usual) else None, k=sum(sizes) - len(pool))
    for i, size in zip(unseen, sizes, strict=True):
        stocks[i] = [0] * rules.colour_count
        for colour in pool[:size]:
            stocks[i][colour] += 1
        del pool[:size]
    began = list(view.turn_start)
    for i in covered:
        began[i] = boards[i][1], hash_cells(i, boards[i][0])
    full_state = view._replace(
        boards=tuple(boards),
        stocks=tuple(tuple(content) for content in stocks),
        turn_start=tuple(began),
    )
    return runner.with_others_unchosen(full_state, seat)


def deduce_stocks(rules: Rules, view: Snapshot) -> Snapshot:
    """Return ``view`` with the contents of unseen stocks filled in as far as they can be deduced.

    A marble counts as missing if ``view`` doesn't show where it is. For each unseen stock, the other unseen stocks
    together have room for only so many missing marbles. If more marbles of one colour are missing, the surplus must be
    in that stock. The colours of all other missing marbles stay unknown.

    Nothing is deduced if a board is hidden from any seat, if there are several unseen stocks and the size of one of
    them is unknown, or if the numbers of marbles don't add up, as in some matches that started from a given position.
    In these cases, ``view`` is returned unchanged.
    """
    unseen = [i for i, content in enumerate(view.stocks) if len(content) > rules.colour_count]
    missing = _count_unseen(rules, view)
    sizes = {i: view.stocks[i][rules.colour_count] for i in unseen}
    if len(unseen) == 1 and sizes[unseen[0]] < 0:
        sizes = {unseen[0]: sum(missing)}
    if any(sight != ALL_SEATS for sight in rules.board_viewers) or sum(missing) != sum(sizes.values()):
        return view
    if min((*missing, *sizes.values()), default=0) < 0:
        return view
    stocks = list(view.stocks)
    for i in unseen:
        elsewhere = sum(missing) - sizes[i]
        least = [max(0, count - elsewhere) for count in missing]
        stocks[i] = (*least, sizes[i] - sum(least))
    return view._replace(stocks=tuple(stocks))


def _count_all(rules: Rules) -> list[int]:
    """Return how many marbles of each colour a match normally starts with.

    The numbers can be different if the match starts from a given position, or with a deal that gives the contents of a
    stock.
    """
    result = [sum(contents) for contents in zip(*rules.initial_stocks, strict=True)]
    for colour, mask in enumerate(rules.initial_cells):
        result[colour] += len(rules.board_names) * mask.bit_count()
    return result


def _count_unseen(rules: Rules, view: Snapshot) -> list[int]:
    """Return, for each colour, how many of the marbles in a normal match are not visible in ``view``.

    A normal match is one that starts with the marbles counted by :func:`_count_all`. If the match started from a
    position, or with a deal, that has more marbles of a colour than that, the result for this colour can be negative.
    """
    result = _count_all(rules)
    for colour in range(rules.colour_count):
        result[colour] -= sum(content[colour] for content in view.stocks)
        result[colour] -= sum(board[0][colour].bit_count() for board in view.boards)
    if view.held_marble is not None:
        result[view.held_marble[0]] -= 1
    return result


def _sample_stock_sizes(
    view: Snapshot, unseen: Sequence[int], total: int, colours: int, rng: Random
) -> list[int]:
    """Return the size of each stock whose index is in ``unseen``.

    Sizes not given in the view are chosen at random, so that all sizes add up to ``total`` if that is possible.
    ``colours`` is the number of colours.
    """
    sizes = [view.stocks[i][colours] for i in unseen]
    left = total - sum(size for size in sizes if size >= 0)
    open_ = [place for place, size in enumerate(sizes) if size < 0]
    for place in open_:
        sizes[place] = 0
    if open_:
        for _ in range(max(left, 0)):
            sizes[rng.choice(open_)] += 1
    return sizes


def _sample_board_contents(
    rules: Rules, view: Snapshot, board: int, missing: Sequence[int], rng: Random
) -> list[int]:
    """Return a random guess at the number of marbles of each colour on a hidden board.

    If there is one board per seat and the board's owner has stocks, the guess starts from the marbles that these stocks
    contain initially but aren't known to contain now. If the stocks now contain marbles of unknown colour, an equal
    number of those marbles, chosen at random, is assumed to be in the stocks and not on the board.

    If there isn't one board per seat, or if the owner has no stocks, the board is assumed to hold all marbles that are
    not visible anywhere; ``missing`` has their number for each colour, and negative numbers count as 0.
    """
    own_stocks = [i for i, holder in enumerate(rules.stock_holders) if holder == board]
    if len(rules.board_names) != rules.seats or not own_stocks:
        return [max(count, 0) for count in missing]
    board_contents = []
    for colour in range(rules.colour_count):
        initial_count = sum(rules.initial_stocks[i][colour] for i in own_stocks)
        board_contents.append(initial_count - sum(view.stocks[i][colour] for i in own_stocks))
    unknown = sum(
        max(view.stocks[i][rules.colour_count], 0)
        for i in own_stocks
        if len(view.stocks[i]) > rules.colour_count
    )
    pool = [colour for colour, count in enumerate(board_contents) for _ in range(count)]
    for _ in range(min(unknown, len(pool))):
        board_contents[pool.pop(rng.randrange(len(pool)))] -= 1
    return board_contents


def _stack_at_random(rules: Rules, numbers: Sequence[int], rng: Random) -> BoardSnapshot:
    """Return a board with the given numbers of marbles of each colour, stacked at random.

    Marbles for which there is no room are left out.
    """
    pyramid = rules.pyramid
    pool = [colour for colour, count in enumerate(numbers) for _ in range(count)]
    rng.shuffle(pool)
    cells = [0] * rules.colour_count
    filled = 0
    for colour in pool:
        open_ = list(iter_bits(playable_points(pyramid, filled)))
        if not open_:
            break
        bit = 1 << rng.choice(open_)
        cells[colour] |= bit
        filled |= bit
    return tuple(cells), filled, playable_points(pyramid, filled), (0,) * rules.mark_count
