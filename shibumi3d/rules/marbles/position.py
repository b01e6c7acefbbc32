"""What stands where: pure functions on sets of points.

``filled`` is the mask of all marbles of a board, ``marbles`` a set of them (of one colour, mostly), ``cells``
one mask a colour in the order of :data:`~shibumi3d.rules.marbles.colour.COLOURS`. Unless a function says otherwise,
``filled`` is a position at rest: every marble stands in a hole or on four marbles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shibumi3d.i18n import Unusable
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import LETTERS
from shibumi3d.rules.marbles.pyramid import LARGEST, SMALLEST, Pyramid, pyramid


class EntryPath(NamedTuple):
    """What an entry does to the marbles of its line.

    ``pushed`` holds (from, to) a marble pushed, the one farthest from the entered point first: the order in
    which they make room for each other. ``side_drop`` is (from, to) of the first if it falls: it is pushed to
    ``from`` and falls on to ``to``. The entered marble then finds its point empty.
    """

    pushed: tuple[tuple[int, int], ...]
    side_drop: tuple[int, int] | None


class Slide(NamedTuple):
    """What a slide does.

    ``pushed`` and ``side_drop`` are as in :class:`EntryPath`, the slid marble pushed last. ``drops`` holds (from,
    to) of what it carried, in causal order: the first falls into the place that it left.
    """

    pushed: tuple[tuple[int, int], ...]
    side_drop: tuple[int, int] | None
    drops: tuple[tuple[int, int], ...]


def playable(pyr: Pyramid, filled: int) -> int:
    """Return the empty holes, and the empty points whose four supports are filled."""
    found = pyr.holes & ~filled
    for k, points in enumerate(pyr.upper):
        if not filled & pyr.levels[k]:
            break
        for bit, supports in points:
            if filled & supports == supports and not filled & bit:
                found |= bit
    return found


def floating(pyr: Pyramid, filled: int) -> int:
    """Return the marbles that lack a support; none at rest."""
    found = 0
    upper = filled & ~pyr.holes
    while upper:
        low = upper & -upper
        if pyr.supports[low.bit_length() - 1] & ~filled:
            found |= low
        upper ^= low
    return found


def free(pyr: Pyramid, filled: int) -> int:
    """Return the marbles that support no marble."""
    carrying = 0
    upper = filled & ~pyr.holes
    while upper:
        low = upper & -upper
        carrying |= pyr.supports[low.bit_length() - 1]
        upper ^= low
    return filled & ~carrying


def pinned(pyr: Pyramid, filled: int) -> int:
    """Return the marbles that support two or more marbles."""
    once = twice = 0
    upper = filled & ~pyr.holes
    while upper:
        low = upper & -upper
        supports = pyr.supports[low.bit_length() - 1]
        twice |= once & supports
        once |= supports
        upper ^= low
    return filled & twice


def movable(pyr: Pyramid, filled: int) -> int:
    """Return the marbles that support no marble or exactly one."""
    return filled & ~pinned(pyr, filled)


def hidden(pyr: Pyramid, filled: int) -> int:
    """Return the marbles that have a marble vertically above them."""
    found = 0
    # Levels A and B lie above nothing.
    high = filled & ~(pyr.levels[0] | pyr.levels[1])
    while high:
        low = high & -high
        found |= 1 << pyr.under[low.bit_length() - 1]
        high ^= low
    return found & filled


def visible(pyr: Pyramid, filled: int) -> int:
    """Return the marbles that are not hidden."""
    return filled & ~hidden(pyr, filled)


def drop_chain(pyr: Pyramid, filled: int, p: int) -> tuple[tuple[int, int], ...]:
    """Return what falls when the marble on ``p`` is taken away: (from, to) in causal order, the first into ``p``.

    Raises ValueError when no movable marble stands on ``p``.
    """
    if not filled >> p & 1:
        raise Unusable("there is no marble on {point}", point=pyr.names[p])
    carried = pyr.resting[p] & filled
    if carried & (carried - 1):
        raise Unusable("the marble on {point} is pinned", point=pyr.names[p])
    chain = []
    # Of the marbles around the one that falls only it rests on the place below, so that no more than one can
    # rest on it in turn: the one straight on.
    while carried:
        q = carried.bit_length() - 1
        chain.append((q, p))
        carried = pyr.resting[q] & filled
        p = q
    return tuple(chain)


def cut_contacts(pyr: Pyramid, filled: int) -> tuple[tuple[int, int], ...]:
    """Return the contacts (p, q), p < q, that lie under an overpass."""
    return tuple((p, q) for p, q, overpass in pyr.contacts if overpass and filled & overpass == overpass)


def linked(pyr: Pyramid, filled: int, marbles: int) -> int:
    """Return the marbles of any colour visibly connected to one of ``marbles``; hidden ones connect to none.

    Two of ``marbles`` that are visibly connected to each other are both in the result.
    """
    seen_from_above = visible(pyr, filled)
    found = 0
    todo = marbles & seen_from_above
    while todo:
        low = todo & -todo
        p = low.bit_length() - 1
        found |= pyr.uncut[p][filled & pyr.resting[p]]
        todo ^= low
    return found & seen_from_above


def groups(pyr: Pyramid, filled: int, marbles: int) -> tuple[int, ...]:
    """Return the groups that ``marbles`` form by visible connections among themselves; hidden ones are in none."""
    uncut, resting = pyr.uncut, pyr.resting
    left = marbles & visible(pyr, filled)
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


def full_groups(pyr: Pyramid, marbles: int) -> tuple[int, ...]:
    """Return the groups that ``marbles`` form by touching alone, hidden ones and cut contacts included."""
    touching = pyr.touching
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


def longest_path(pyr: Pyramid, filled: int, marbles: int, step: Callable[[], None] | None = None) -> int:
    """Return the length of the longest chain of visible connections among ``marbles``, none of them used twice.

    The search is exact, so its time grows exponentially with the groups: milliseconds on size 4, seconds at most on
    size 5, but a colour that fills half of a size 6 pyramid or more may take minutes. ``step`` is called at every
    step of the search, and may end it by an exception.
    """
    best = 0
    for group in sorted(groups(pyr, filled, marbles), key=int.bit_count, reverse=True):
        if group.bit_count() <= best:
            break
        links = {p: pyr.uncut[p][filled & pyr.resting[p]] & group for p in bits(group)}
        known: dict[tuple[int, int], int] = {}
        for p in links:
            best = max(best, _extend(links, p, group ^ 1 << p, known, step))
            if best == group.bit_count():
                break
    return best


def seen(pyr: Pyramid, filled: int, points: int) -> bool:
    """Return whether all of ``points`` are filled and visible, and no contact between two of them is cut; True of no
    points.
    """
    if points & ~visible(pyr, filled):
        return False
    todo = points
    while todo:
        low = todo & -todo
        p = low.bit_length() - 1
        if pyr.touching[p] & points & ~pyr.uncut[p][filled & pyr.resting[p]]:
            return False
        todo ^= low
    return True


def entry(pyr: Pyramid, filled: int, point: int, side: int) -> EntryPath | None:
    """Return what happens when a marble enters ``point`` over the edge ``SIDES[side]``; None if that is illegal.

    The point must lie at that edge of a level above the board, on a full platform. A marble there is pushed one point
    on with the unbroken line behind it; none of these may support a marble. The leading one must find four supports,
    or three and the fourth point playable: then it falls there.
    """
    supports = pyr.supports[point]
    if not supports or filled & supports != supports or pyr.onward[side ^ 1][point] >= 0:
        return None
    if not filled >> point & 1:
        return EntryPath((), None)
    line = _line(pyr, filled, point, side)
    for p in line:
        if pyr.resting[p] & filled:
            return None
    return _push(pyr, filled, line, side)


def slide(pyr: Pyramid, filled: int, p: int, side: int) -> Slide | None:
    """Return what happens when the marble on ``p`` is pushed on from ``SIDES[side]``; None if that is illegal.

    It stands on a level above the board and moves one point on with the unbroken line in front of it, by the rules of
    :func:`entry`; but a marble that slides alone may carry one marble, which drops into its place.
    """
    if not filled >> p & 1 or pyr.level[p] == 0:
        return None
    line = _line(pyr, filled, p, side)
    allowed = 1 if len(line) == 1 else 0
    for q in line:
        if (pyr.resting[q] & filled).bit_count() > allowed:
            return None
    push = _push(pyr, filled, line, side)
    if push is None:
        return None
    # What rests on the marble does not rest on the empty point in front of it, so it falls backwards, and the
    # landing of the marble lies on levels that no drop reaches: neither disturbs the other.
    return Slide(push.pushed, push.side_drop, drop_chain(pyr, filled, p))


def format_board(pyr: Pyramid, cells: Sequence[int]) -> str:
    """Return the board as text: cells ``W B R .``, ranks north first joined by ``,``, levels joined by ``/``."""
    letters = ["."] * pyr.count
    for letter, mask in zip(LETTERS, cells, strict=True):
        for p in bits(mask):
            letters[p] = letter
    levels = []
    start = 0
    for width in range(pyr.size, 0, -1):
        ranks = ["".join(letters[start + width * j : start + width * (j + 1)]) for j in range(width)]
        levels.append(",".join(reversed(ranks)))
        start += width * width
    return "/".join(levels)


def parse_board(text: str) -> tuple[int, tuple[int, ...]]:
    """Return the size and the cells of a board written as by :func:`format_board`.

    Raises ValueError naming the level, rank or point that is wrong. A marble in the air is wrong too.
    """
    levels = text.split("/")
    size = len(levels)
    if not SMALLEST <= size <= LARGEST:
        raise Unusable(
            "a board has {least} to {most} levels separated by '/', but this text has {found}",
            least=SMALLEST,
            most=LARGEST,
            found=size,
        )
    pyr = pyramid(size)
    cells = [0] * len(LETTERS)
    p = 0
    for k, level in enumerate(levels):
        width = size - k
        ranks = level.split(",")
        if len(ranks) != width:
            raise Unusable(
                "level {level}: expected {needed} ranks, but found {found} in '{text}'",
                level=chr(65 + k),
                needed=width,
                found=len(ranks),
                text=level,
            )
        for j, rank in enumerate(reversed(ranks)):
            if len(rank) != width:
                raise Unusable(
                    "level {level}, rank {rank}: expected {needed} cells, but found {found} in '{text}'",
                    level=chr(65 + k),
                    rank=j + 1,
                    needed=width,
                    found=len(rank),
                    text=rank,
                )
            for letter in rank:
                if letter in LETTERS:
                    cells[LETTERS.index(letter)] |= 1 << p
                elif letter != ".":
                    raise Unusable(
                        "{point}: '{letter}' is not one of {letters} .",
                        point=pyr.names[p],
                        letter=letter,
                        letters=" ".join(LETTERS),
                    )
                p += 1
    filled = 0
    for mask in cells:
        filled |= mask
    for p in bits(floating(pyr, filled)):
        missing = " ".join(pyr.names[q] for q in bits(pyr.supports[p] & ~filled))
        raise Unusable("{point}: the marble has no support at {below}", point=pyr.names[p], below=missing)
    return size, tuple(cells)


def _line(pyr: Pyramid, filled: int, point: int, side: int) -> list[int]:
    """The unbroken line of marbles from ``point`` on, away from the side."""
    onward = pyr.onward[side]
    line = []
    while point >= 0 and filled >> point & 1:
        line.append(point)
        point = onward[point]
    return line


def _push(pyr: Pyramid, filled: int, line: list[int], side: int) -> EntryPath | None:
    """The line pushed one point on, with the side drop of its head; None when the head has no clear place."""
    onward = pyr.onward[side]
    head = onward[line[-1]]
    if head < 0:
        return None
    pushed = tuple((p, onward[p]) for p in reversed(line))
    # A push changes nothing on the levels below, and what lies below decides where the head comes to rest.
    missing = pyr.supports[head] & ~filled
    if not missing:
        return EntryPath(pushed, None)
    fall = missing.bit_length() - 1
    if missing & (missing - 1) or pyr.supports[fall] & ~filled:
        return None
    return EntryPath(pushed, (head, fall))


def _extend(
    links: dict[int, int],
    p: int,
    left: int,
    known: dict[tuple[int, int], int],
    step: Callable[[], None] | None,
) -> int:
    """The number of points in the longest path from ``p`` on through ``left``.

    ``known`` keeps what was found, by (p, left).
    """
    best = known.get((p, left), 0)
    if best:
        return best
    if step is not None:
        step()
    options = links[p] & left
    while options:
        # Taking p away may leave several parts, and the path continues in one of them.
        part = todo = options & -options
        while todo:
            low = todo & -todo
            new = links[low.bit_length() - 1] & left & ~part
            part |= new
            todo ^= low | new
        inside = options & part
        options ^= inside
        most = part.bit_count()
        while inside and best < most:
            low = inside & -inside
            best = max(best, _extend(links, low.bit_length() - 1, part ^ low, known, step))
            inside ^= low
    known[p, left] = best + 1
    return best + 1
