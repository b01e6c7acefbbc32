"""Pure functions on positions and sets of points.

``filled`` is the mask of all marbles on a board. ``marbles`` is a set of them, usually those of one colour. ``cells``
has one mask per colour, in the order of :data:`~shibumi3d.rules.marbles.colours.COLOURS`. Unless stated otherwise,
``filled`` is stable: every marble rests in a hole or on four marbles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.marbles.pyramid import MAX_SIZE, MIN_SIZE, Pyramid, get_pyramid


class EntryPath(NamedTuple):
    """Effect of an entry on the marbles that are already in its line.

    ``pushed`` has a pair (origin, target) for each pushed marble. It starts with the marble farthest from the entry
    point, so that the target of each is empty when it moves. ``side_drop`` is a pair of points if that first marble
    loses its support: it is pushed to the first point and then falls to the second.
    """

    pushed: tuple[tuple[int, int], ...]
    side_drop: tuple[int, int] | None


class SlidePath(NamedTuple):
    """Effect of a slide.

    ``pushed`` and ``side_drop`` are as in :class:`EntryPath`; the sliding marble is the last one in ``pushed``.
    ``drops`` has pairs (origin, target) for the marbles that it carried, in causal order: the first falls to the point
    that the sliding marble left.
    """

    pushed: tuple[tuple[int, int], ...]
    side_drop: tuple[int, int] | None
    drops: tuple[tuple[int, int], ...]


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
    """Return the marbles that lack a support; a stable position has none."""
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


def movable_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles that support at most one other marble."""
    return filled & ~pinned_marbles(pyramid, filled)


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
    """Return the marbles that are not hidden."""
    return filled & ~hidden_marbles(pyramid, filled)


def drop_chain(pyramid: Pyramid, filled: int, p: int) -> tuple[tuple[int, int], ...]:
    """Return the drops that follow when the marble on ``p`` is removed.

    They are pairs (origin, target) in causal order; the first marble drops to ``p``. Raises ValueError if there is no
    movable marble on ``p``.
    """
    if not filled >> p & 1:
        raise InvalidValueError("there is no marble on {point}", point=pyramid.point_names[p])
    carried = pyramid.resting[p] & filled
    if carried & (carried - 1):
        raise InvalidValueError("the marble on {point} is pinned", point=pyramid.point_names[p])
    chain = []
    # The falling marble is the only one on its level that rests on p. At most one marble can then rest on it: the next
    # one in the same direction.
    while carried:
        q = carried.bit_length() - 1
        chain.append((q, p))
        carried = pyramid.resting[q] & filled
        p = q
    return tuple(chain)


def cut_contacts(pyramid: Pyramid, filled: int) -> tuple[tuple[int, int], ...]:
    """Return the contacts (p, q), p < q, that are cut by an overpass."""
    return tuple((p, q) for p, q, overpass in pyramid.contacts if overpass and filled & overpass == overpass)


def linked_marbles(pyramid: Pyramid, filled: int, marbles: int) -> int:
    """Return the marbles of any colour that are visibly connected to one of ``marbles``.

    Hidden marbles have no connections. If two of ``marbles`` are visibly connected to each other, the result includes
    both.
    """
    seen_from_above = visible_marbles(pyramid, filled)
    found = 0
    todo = marbles & seen_from_above
    while todo:
        low = todo & -todo
        p = low.bit_length() - 1
        found |= pyramid.uncut_contacts[p][filled & pyramid.resting[p]]
        todo ^= low
    return found & seen_from_above


def visible_groups(pyramid: Pyramid, filled: int, marbles: int) -> tuple[int, ...]:
    """Return the groups of ``marbles`` under visible connections; hidden marbles belong to none."""
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


def full_groups(pyramid: Pyramid, marbles: int) -> tuple[int, ...]:
    """Return the groups of ``marbles`` under all contacts.

    Hidden marbles and cut contacts are included.
    """
    touching = pyramid.touching
    left = marbles
    found = []
    while left:
        todo = left & -left
        left ^= todo
        group = todo
        while todo:
            low = todo & -todo
            new = touching[low.bit_length() - 1] & left
            left ^= new
            group |= new
            todo ^= low | new
        found.append(group)
    return tuple(found)


def longest_path_length(
    pyramid: Pyramid, filled: int, marbles: int, on_step: Callable[[], None] | None = None
) -> int:
    """Return the length of the longest simple path of visible connections among ``marbles``.

    The search is exact, so its time grows exponentially with the size of the groups. It takes milliseconds on size 4
    and at most seconds on size 5. On size 6 and above, it may take minutes if one colour fills half of the pyramid.
    ``on_step`` is called at every step of the search and may abort it with an exception.
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


def is_fully_visible(pyramid: Pyramid, filled: int, points: int) -> bool:
    """Return whether ``points`` are all filled and visible, with no cut contact between them.

    This is true for the empty set.
    """
    if points & ~visible_marbles(pyramid, filled):
        return False
    todo = points
    while todo:
        low = todo & -todo
        p = low.bit_length() - 1
        if pyramid.touching[p] & points & ~pyramid.uncut_contacts[p][filled & pyramid.resting[p]]:
            return False
        todo ^= low
    return True


def find_entry_path(pyramid: Pyramid, filled: int, point: int, side: int) -> EntryPath | None:
    """Return the effect of a marble entering ``point`` from ``SIDES[side]``, or None if illegal.

    The point must have four filled supports and lie at that edge of a level above the board. A marble that is already
    there is pushed one point onward, along with the unbroken line behind it. None of these marbles may support another.
    The leading marble must arrive on four filled supports, or on three if the fourth point is playable; in that case it
    falls there.
    """
    supports = pyramid.supports[point]
    if not supports or filled & supports != supports or pyramid.next_by_side[side ^ 1][point] >= 0:
        return None
    if not filled >> point & 1:
        return EntryPath((), None)
    line = _unbroken_line(pyramid, filled, point, side)
    for p in line:
        if pyramid.resting[p] & filled:
            return None
    return _push_line(pyramid, filled, line, side)


def find_slide_path(pyramid: Pyramid, filled: int, p: int, side: int) -> SlidePath | None:
    """Return the effect of pushing the marble on ``p`` from ``SIDES[side]``, or None if illegal.

    The marble must be on a level above the board. It moves one point onward, along with the unbroken line in front of
    it, by the rules of :func:`find_entry_path`. A marble that slides alone may carry one marble, which drops to the
    point that it left.
    """
    if not filled >> p & 1 or pyramid.level[p] == 0:
        return None
    line = _unbroken_line(pyramid, filled, p, side)
    allowed = 1 if len(line) == 1 else 0
    for q in line:
        if (pyramid.resting[q] & filled).bit_count() > allowed:
            return None
    push = _push_line(pyramid, filled, line, side)
    if push is None:
        return None
    # A carried marble doesn't rest on the empty point in front, so it drops backwards. A side drop lands on a level
    # that no such drop reaches. So neither affects the other.
    return SlidePath(push.pushed, push.side_drop, drop_chain(pyramid, filled, p))


def format_board(pyramid: Pyramid, cells: Sequence[int]) -> str:
    """Return a board as text.

    The cells are ``W``, ``B``, ``R`` and ``.`` (empty). Ranks are listed from north to south, separated by ``,``.
    Levels are listed from the board up, separated by ``/``.
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
    """Return the size and the cells of a board in the format of :func:`format_board`.

    Raises ValueError, naming the level, rank or point, if the text is malformed or a marble is unsupported.
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
                "level {level}: expected {needed} ranks, but found {found} in '{text}'",
                level=chr(65 + k),
                needed=width,
                found=len(ranks),
                text=level,
            )
        for j, rank in enumerate(reversed(ranks)):
            if len(rank) != width:
                raise InvalidValueError(
                    "level {level}, rank {rank}: expected {needed} cells, but found {found} in '{text}'",
                    level=chr(65 + k),
                    rank=j + 1,
                    needed=width,
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


def _unbroken_line(pyramid: Pyramid, filled: int, point: int, side: int) -> list[int]:
    """Return the unbroken line of marbles that starts at ``point`` and leads away from the side."""
    onward = pyramid.next_by_side[side]
    line = []
    while point >= 0 and filled >> point & 1:
        line.append(point)
        point = onward[point]
    return line


def _push_line(pyramid: Pyramid, filled: int, line: list[int], side: int) -> EntryPath | None:
    """Return the effect of pushing a line one point onward, or None if its head can't rest there."""
    onward = pyramid.next_by_side[side]
    head = onward[line[-1]]
    if head < 0:
        return None
    pushed = tuple((p, onward[p]) for p in reversed(line))
    # A push doesn't change lower levels, which determine where the head comes to rest.
    missing = pyramid.supports[head] & ~filled
    if not missing:
        return EntryPath(pushed, None)
    fall = missing.bit_length() - 1
    if missing & (missing - 1) or pyramid.supports[fall] & ~filled:
        return None
    return EntryPath(pushed, (head, fall))


def _longest_path_from(
    links: dict[int, int],
    p: int,
    unvisited: int,
    cache: dict[tuple[int, int], int],
    on_step: Callable[[], None] | None,
) -> int:
    """Return the number of points in the longest path from ``p`` through ``unvisited``.

    ``cache`` has results by (p, unvisited).
    """
    best = cache.get((p, unvisited), 0)
    if best:
        return best
    if on_step is not None:
        on_step()
    options = links[p] & unvisited
    while options:
        # Without p there may be several components, and the path continues in one of them.
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
