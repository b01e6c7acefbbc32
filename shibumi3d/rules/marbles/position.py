"""Pure functions on positions and sets of points.

``filled`` is the mask of all marbles on a board. ``marbles`` is a set of them, usually those of one colour. ``cells``
has one mask per colour, in the order of :data:`~shibumi3d.rules.marbles.colours.COLOURS`. Unless stated otherwise,
``filled`` is stable: every marble rests in a hole or on four marbles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.i18n import InvalidValueError, Plural
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.marbles.pyramid import MAX_SIZE, MIN_SIZE, Pyramid, get_pyramid


def playable_points(pyramid: Pyramid, filled: int) -> int:
    """Return the empty holes and the empty points with four filled supports."""
    result = pyramid.holes & ~filled
    for k, points in enumerate(pyramid.upper_levels):
        if not filled & pyramid.levels[k]:
            break
        for bit, supports in points:
            if filled & supports == supports and not filled & bit:
                result |= bit
    return result


def unsupported_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles above the lowest level that lack at least one of their four supports.

    There are no such marbles in a stable position.
    """
    result = 0
    upper = filled & ~pyramid.holes
    while upper:
        low = upper & -upper
        if pyramid.supports[low.bit_length() - 1] & ~filled:
            result |= low
        upper ^= low
    return result


def free_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles that support no other marble."""
    carrying = 0
    upper = filled & ~pyramid.holes
    while upper:
        low = upper & -upper
        carrying |= pyramid.supports[low.bit_length() - 1]
        upper ^= low
    return filled & ~carrying


def pinned_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles that support two or more other marbles."""
    once = twice = 0
    upper = filled & ~pyramid.holes
    while upper:
        low = upper & -upper
        supports = pyramid.supports[low.bit_length() - 1]
        twice |= once & supports
        once |= supports
        upper ^= low
    return filled & twice


def hidden_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles that have a marble vertically above them."""
    found = 0
    # Marbles on levels A and B have no point vertically below them.
    high = filled & ~(pyramid.levels[0] | pyramid.levels[1])
    while high:
        low = high & -high
        found |= 1 << pyramid.point_below[low.bit_length() - 1]
        high ^= low
    return found & filled


def visible_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles that have no marble vertically above them."""
    return filled & ~hidden_marbles(pyramid, filled)


def cut_contacts(pyramid: Pyramid, filled: int) -> tuple[tuple[int, int], ...]:
    """Return the contacts that are cut by an overpass, as pairs of points (p, q) with p < q.

    An overpass consists of two marbles side by side, both of which rest on p as well as on q.
    """
    return tuple((p, q) for p, q, overpass in pyramid.contacts if overpass and filled & overpass == overpass)


def visible_groups(pyramid: Pyramid, filled: int, marbles: int) -> tuple[int, ...]:
    """Return the groups of ``marbles`` linked by visible connections; hidden marbles belong to no group."""
    uncut, resting = pyramid.uncut_contacts, pyramid.resting
    left = marbles & visible_marbles(pyramid, filled)
    found = []
    while left:
        todo = left & -left
        left ^= todo
        group = todo
        while todo:
            low = todo & -todo
            p = low.bit_length() - 1
            new = uncut[p][filled & resting[p]] & left
            left ^= new
            group |= new
            todo ^= low | new
        found.append(group)
    return tuple(found)


def longest_path_length(
    pyramid: Pyramid, filled: int, marbles: int, on_step: Callable[[], None] | None = None
) -> int:
    """Return the number of marbles in the longest simple path of visible connections among ``marbles``.

    The search is exact, so its time grows exponentially with the number of connected marbles. If ``marbles`` fill half
    of the pyramid, the search takes milliseconds on size 4 and at most seconds on size 5, but it may take minutes on
    size 6 and above. With more marbles, it can take longer. ``on_step`` is called at every step of the search and may
    abort it with an exception.
    """
    best = 0
    for group in sorted(visible_groups(pyramid, filled, marbles), key=int.bit_count, reverse=True):
        if group.bit_count() <= best:
            break
        links = {p: pyramid.uncut_contacts[p][filled & pyramid.resting[p]] & group for p in iter_bits(group)}
        cache: dict[tuple[int, int], int] = {}
        for p in links:
            best = max(best, _longest_path_from(links, p, group ^ 1 << p, cache, on_step))
            if best == group.bit_count():
                break
    return best


def format_board(pyramid: Pyramid, cells: Sequence[int]) -> str:
    """Return a board as text.

    ``cells`` has, for each colour, a mask of the points that hold its marbles. Each point is written as ``W``, ``B`` or
    ``R`` for the colour of its marble, or as ``.`` if it is empty. Levels are listed from the lowest up, separated by
    ``/``, and the ranks of each level from north to south, separated by ``,``.
    """
    letters = ["."] * pyramid.point_count
    for letter, mask in zip(COLOUR_LETTERS, cells, strict=True):
        for p in iter_bits(mask):
            letters[p] = letter
    levels = []
    start = 0
    for width in range(pyramid.size, 0, -1):
        ranks = ["".join(letters[start + width * j : start + width * (j + 1)]) for j in range(width)]
        levels.append(",".join(reversed(ranks)))
        start += width * width
    return "/".join(levels)


def parse_board(text: str) -> tuple[int, tuple[int, ...]]:
    """Parse a board in the format of :func:`format_board`.

    Returns the size of the board, and a mask of points for each colour. Raises ValueError if the text is malformed or a
    marble lacks a support.
    """
    levels = text.split("/")
    size = len(levels)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise InvalidValueError(
            "a board has {least} to {most} levels separated by '/', but this text has {found}",
            least=MIN_SIZE,
            most=MAX_SIZE,
            found=size,
        )
    pyramid = get_pyramid(size)
    cells = [0] * len(COLOUR_LETTERS)
    p = 0
    for k, level in enumerate(levels):
        width = size - k
        ranks = level.split(",")
        if len(ranks) != width:
            raise InvalidValueError(
                Plural(
                    "level {level}: expected {n} rank, but found {found} in '{text}'",
                    "level {level}: expected {n} ranks, but found {found} in '{text}'",
                ),
                level=chr(65 + k),
                n=width,
                found=len(ranks),
                text=level,
            )
        for j, rank in enumerate(reversed(ranks)):
            if len(rank) != width:
                raise InvalidValueError(
                    Plural(
                        "level {level}, rank {rank}: expected {n} cell, but found {found} in '{text}'",
                        "level {level}, rank {rank}: expected {n} cells, but found {found} in '{text}'",
                    ),
                    level=chr(65 + k),
                    rank=j + 1,
                    n=width,
                    found=len(rank),
                    text=rank,
                )
            for letter in rank:
                if letter in COLOUR_LETTERS:
                    cells[COLOUR_LETTERS.index(letter)] |= 1 << p
                elif letter != ".":
                    raise InvalidValueError(
                        "{point}: '{letter}' is not one of {letters} .",
                        point=pyramid.point_names[p],
                        letter=letter,
                        letters=" ".join(COLOUR_LETTERS),
                    )
                p += 1
    filled = 0
    for mask in cells:
        filled |= mask
    for p in iter_bits(unsupported_marbles(pyramid, filled)):
        missing = " ".join(pyramid.point_names[q] for q in iter_bits(pyramid.supports[p] & ~filled))
        raise InvalidValueError(
            "{point}: the marble has no support at {below}", point=pyramid.point_names[p], below=missing
        )
    return size, tuple(cells)


def _longest_path_from(
    links: dict[int, int],
    p: int,
    unvisited: int,
    cache: dict[tuple[int, int], int],
    on_step: Callable[[], None] | None,
) -> int:
    """Return the number of points in the longest path from ``p`` through ``unvisited``, including ``p``.

    ``links`` maps each point to a mask of the points next to it. ``unvisited`` is a mask that must not contain ``p``;
    the path needn't visit all of it. ``cache`` contains earlier results, by (p, unvisited), and new results are added
    to it. ``on_step``, if given, is called before each new result is computed.
    """
    best = cache.get((p, unvisited), 0)
    if best:
        return best
    if on_step is not None:
        on_step()
    options = links[p] & unvisited
    while options:
        # Without p, there may be several components, and the path continues in one of them.
        part = todo = options & -options
        while todo:
            low = todo & -todo
            new = links[low.bit_length() - 1] & unvisited & ~part
            part |= new
            todo ^= low | new
        inside = options & part
        options ^= inside
        most = part.bit_count()
        while inside and best < most:
            low = inside & -inside
            best = max(best, _longest_path_from(links, low.bit_length() - 1, part ^ low, cache, on_step))
            inside ^= low
    cache[p, unvisited] = best + 1
    return best + 1
