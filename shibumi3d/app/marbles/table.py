"""The stocks of a match as objects on the table, limited to what the person at the screen may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.deciding import deciding
from shibumi3d.rules.marbles.state import UNCOUNTED
from shibumi3d.scene.frame import Ball, Piece
from shibumi3d.scene.marbles import tray
from shibumi3d.scene.marbles.actors import coloured, own
from shibumi3d.scene.marbles.layout import BOX_SEAT, TABLE, Vector
from shibumi3d.scene.marbles.tray import Heap, Plan

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.marbles.facts import MarbleFacts
    from shibumi3d.rules.marbles.state import State

Slot: TypeAlias = tuple[int, str]
"""Box for a secret choice: the seat that puts a marble into it, and the stock that it represents."""
UNKNOWN = -1
"""Colour of a marble whose colour is hidden, and of a heap of mixed colours."""
SHARED = -1
VIEWER = -2
"""Seat number for heaps that belong to the current viewer."""

_Counts = dict[tuple[str, int], Counter[int]]


class Lying(NamedTuple):
    """Objects on the table: marbles, pieces, the colours of the marbles in each heap, and counts.

    ``numbers`` holds the counts with their positions. ``dish`` is the colour of the marble in the dish, and ``chosen``
    is the heap from which the player took it.
    """

    balls: tuple[Ball, ...]
    pieces: tuple[Piece, ...]
    heaps: Mapping[Heap, tuple[int, ...]]
    numbers: tuple[tuple[Vector, int], ...]
    dish: int | None
    chosen: Heap | None


def named_colours(first: State, facts: MarbleFacts) -> frozenset[int]:
    """Return the colours used in a game: owned by seats, named in its rules, or on the boards."""
    seats = [first.owned(seat) for seat in range(first.seats)]
    every = frozenset(range(len(COLOURS)))
    if not all(seats) or "all_colours" in facts.words:
        return every
    found = {colour for owned in seats for colour in owned}
    found |= {colour for colour in every if COLOURS[colour] in facts.words}
    found |= {c for board in range(len(first.board_names)) for c, m in enumerate(first.cells(board)) if m}
    return frozenset(found)


class Tabletop:
    """The stocks of a match as objects on the table: rows, a bag, marbles in hand and boxes.

    ``first`` is the initial state of the match. If ``dish`` is true, the table has a dish for the chosen colour even if
    the game doesn't need one.
    """

    def __init__(self, first: State, facts: MarbleFacts, dish: bool = False) -> None:
        self.seats, self.first, self.facts = first.seats, first, facts
        used = named_colours(first, facts)
        self.secret: tuple[str, ...] = ()
        """Stocks shown as boxes, which receive marbles in secret."""
        self.bag = ""
        self.hands: list[str] = []
        """Names of each seat's stocks for a marble just drawn, given or chosen."""
        shared: list[Heap] = []
        mine: list[list[Heap]] = [[] for _ in range(first.seats)]
        spent: list[Heap] = []
        standing = {
            c for board in range(len(first.board_names)) for c, m in enumerate(first.cells(board)) if m
        }
        for stock in facts.stocks:
            name, given, now = stock.name, stock.begins, first.contents(stock.name)
            alone = first.seats == 1 and name != "box" and not stock.drawn and not stock.hidden
            if stock.each or alone:
                if not any(map(any, given)) and all(sum(content) <= 1 for content in now):
                    self.hands.append(name)
                    continue
                if not stock.supplies:
                    continue
                for seat in range(len(now)):
                    these = (given[seat],) if first.seats == 2 and not facts.series else given
                    colours = {c for c in used if any(content[c] for content in these)} or used
                    mine[seat] += [Heap(name, seat, c) for c in sorted(colours)]
            elif any(now[0]) and (stock.drawn or stock.hidden):
                if stock.supplies and not self.bag:
                    self.bag = name
            elif any(now[0]) and stock.supplies:
                colours = {c for c in used if now[0][c] or c in standing}
                shared += [Heap(name, SHARED, c) for c in sorted(colours)]
            elif not stock.drawn and not (facts.recolours and any(now[0])):
                # Changing a marble's colour exchanges it for one in the box, so the number of marbles in the box stays
                # the same.
                spent.append(Heap(name, SHARED, UNKNOWN))
        if self.seats == 2:
            west, east = (*mine[0], *shared), tuple(mine[1])
        else:
            every = dict.fromkeys((heap.stock, heap.colour) for heaps in mine for heap in heaps)
            west, east = tuple(shared), tuple(Heap(stock, VIEWER, colour) for stock, colour in every)
        # A colour must be chosen unless every colour that can be placed is the only colour of some player.
        owners = [first.owned(seat) for seat in range(first.seats)]
        set_down = {heap.colour for heap in (*west, *east) if heap.stock in facts.set_down_from}
        chosen = set_down - {owned[0] for owned in owners if len(owned) == 1}
        self.secret = tuple(
            [stock.name for stock in facts.stocks if stock.secret and stock.name in self.hands]
        )
        # Marbles chosen in secret are taken from their box, not from the dish.
        supplies = {stock.name for stock in facts.stocks if stock.supplies}
        held = [stock for stock in self.hands if not (stock in self.secret and stock in supplies)]
        self.plan = Plan(
            (first.size,) * len(first.board_names),
            west,
            east,
            tuple(spent),
            bool(dish or held or chosen),
            bool(self.bag),
            self.seats * len(self.secret),
        )
        self.lay = tray.lay(self.plan)
        self._things: dict[str, tuple[str, int]] = {}
        self.rows: dict[str, tuple[Vector, ...]] = {}
        """Positions for several marbles that arrive or leave in turn, by key; set by :meth:`places`."""
        self.dish_shown = True
        """Whether the dish is shown; a card may replace it."""

    # Contents

    def _content(self, seen: State, stock: str, player: int) -> dict[int, int]:
        """Return the number of marbles by colour in a shared stock or in ``player``'s own stock.

        Colours whose number must remain hidden are left out.
        """
        found = {}
        for colour, number in self._holder(seen, stock, player).items():
            if number != UNCOUNTED:
                found[COLOURS.index(colour) if colour in COLOURS else UNKNOWN] = number
        return found

    def _holder(self, seen: State, stock: str, player: int) -> dict[str, int]:
        holders = seen.reserves[stock]
        return holders[0 if len(holders) == 1 else (player - seen.game_number + 1) % self.seats]

    def _counts(self, seen: State, viewer: int, under_way: Mapping[tuple[str, int], int]) -> _Counts:
        """Return the number of marbles by stock, holder and colour, without marbles in motion."""
        found: _Counts = {}
        for heap in self.lay.rows:
            seat = viewer if heap.seat == VIEWER else heap.seat
            if (heap.stock, seat) not in found:
                content = Counter(self._content(seen, heap.stock, seat))
                if heap in self.plan.spent:
                    # Marbles that have been there since the start are not in play.
                    kept = self._content(self.first, heap.stock, seat)
                    content -= Counter({UNKNOWN: sum(kept.values())} if UNKNOWN in content else kept)
                found[heap.stock, seat] = content
        for stock in self.hands:
            for seat in range(self.seats):
                found[stock, seat] = Counter(self._content(seen, stock, seat))
        if self.bag:
            found[self.bag, SHARED] = Counter(self._content(seen, self.bag, 0))
        for (key, colour), number in under_way.items():
            if key in self._things:
                content = found[self._things[key]]
                # If the colours are hidden, count all marbles as being of unknown colour.
                content[UNKNOWN if UNKNOWN in content else colour] += number
        return found

    def show(
        self,
        seen: State,
        viewer: int,
        under_way: Mapping[tuple[str, int], int],
        chosen: Heap | None,
        boxes: Mapping[Slot, float] = MappingProxyType({}),
        lit: Collection[Heap] = (),
    ) -> Lying:
        """Return everything on the table, limited to what ``viewer`` may know.

        Heaps in ``lit`` get a gold rim. ``under_way`` adjusts the counts for marbles in motion. ``chosen`` is the heap
        from which the marble in the dish was taken. ``boxes`` maps each box on the table to how far it is open; the
        contents of open boxes are visible.
        """
        counts = self._counts(seen, viewer, under_way)
        if self.lay.dish is None or not self.dish_shown:
            chosen = None
        heaps: dict[Heap, tuple[int, ...]] = {}
        numbers: list[tuple[Vector, int]] = []
        unknown: dict[tuple[str, int], int] = {}
        for heap, row in self.lay.rows.items():
            seat = viewer if heap.seat == VIEWER else heap.seat
            content = counts[heap.stock, seat]
            if heap.colour == UNKNOWN:
                heaps[heap] = tray.mixed(content, len(row.places))
                total = sum(content.values())
            elif UNKNOWN in content:
                # The colours are hidden, so spread the marbles over all rows.
                total = content[UNKNOWN] if heap[:2] not in unknown else 0
                left = unknown.setdefault(heap[:2], total)
                heaps[heap] = (UNKNOWN,) * min(max(left, 0), len(row.places))
                unknown[heap[:2]] -= len(heaps[heap])
                if not total:
                    continue
            else:
                total = content[heap.colour]
                left = total - (1 if heap == chosen else 0)
                heaps[heap] = (heap.colour,) * min(max(left, 0), len(row.places))
            uncounted = UNCOUNTED in self._holder(seen, heap.stock, seat).values()
            if not uncounted and total:
                numbers.append((row.number, total))
        hand = Counter[int]()
        # A marble hidden from others is shown in the dish only to its owner, and only if nothing else is in it.
        for secret in (False, True):
            for stock in self.hands:
                if (stock in self.secret) is secret and (viewer, stock) not in boxes and not +hand:
                    hand.update(counts[stock, viewer])
            if secret:
                del hand[UNKNOWN]
        dish = chosen.colour if chosen is not None else next(iter(tray.mixed(hand, 1)), None)
        if self.bag:
            numbers.append((self.lay.bag_number, sum(counts[self.bag, SHARED].values())))
        inside: dict[int, int] = {}
        for (seat, stock), part in boxes.items():
            found = tray.mixed(counts[stock, seat], 2) if part > 0.0 else ()
            if len(found) == 1 and found[0] != UNKNOWN:
                inside[self.box(seat, stock)] = found[0]
        balls = (*self.lay.lying(heaps, dish, lit), *self.lay.inside(inside))
        pieces = self.lay.pieces({self.box(*slot): part for slot, part in boxes.items()})
        if not self.dish_shown:
            pieces = tuple(piece for piece in pieces if piece.model != "dish")
        return Lying(balls, pieces, heaps, tuple(numbers), dish, chosen)

    def decisive(self, seen: State, viewer: int) -> frozenset[Heap]:
        """Return the winners' heaps if the match is over and wasn't decided by marbles on the boards.

        A heap of a stock shared by several seats is included only if its colour is owned by winners and by nobody else.
        """
        result = seen.result
        if result is None or deciding(seen):
            return frozenset()
        winners, seats = set(result.winners), range(self.seats)
        if not winners or (self.seats > 1 and len(winners) == self.seats):
            return frozenset()
        mine = {colour for seat in winners for colour in seen.owned(seat)}
        mine -= {colour for seat in seats if seat not in winners for colour in seen.owned(seat)}
        counts, found = self._counts(seen, viewer, {}), []
        for heap in self.lay.rows:
            seat = viewer if heap.seat == VIEWER else heap.seat
            content = counts[heap.stock, seat]
            theirs = seat in winners if seat >= 0 else self.seats == 1 or heap.colour in mine
            if theirs and (any(content.values()) if heap.colour == UNKNOWN else content[heap.colour] > 0):
                found.append(heap)
        return frozenset(found)

    def box(self, seat: int, stock: str) -> int:
        """Return the index of the box that represents a secret stock of a seat."""
        return seat * len(self.secret) + self.secret.index(stock)

    def heap(self, stock: str, player: int, colour: int, viewer: int) -> Heap | None:
        """Return the heap for a colour in a shared stock or in ``player``'s own, or None."""
        seats = (player, VIEWER, SHARED) if player == viewer else (player, SHARED)
        return next((heap for seat in seats if (heap := Heap(stock, seat, colour)) in self.lay.rows), None)

    # Boxes

    def boxes_of(self, seats: Collection[int]) -> list[Slot]:
        """Return the boxes into which the given seats put marbles."""
        return [(seat, stock) for seat in sorted(seats) for stock in self.secret]

    def opening(self, plies: Sequence[Ply], events: Sequence[ev.Event]) -> set[Slot]:
        """Return the boxes opened by a reveal.

        These are the boxes of all stocks that everybody may see, and every box from which the reveal takes a marble.
        ``events`` must be limited to what everybody may know.
        """
        found = {(seat, stock) for stock in self.seen_by_all() for seat in range(self.seats)}
        shown = False
        for event in events:
            shown = shown or isinstance(event, ev.Revealed)
            if shown and isinstance(event, ev.Given) and event.source in self.secret and event.colour >= 0:
                found.add((event.seat, event.source))
        return found

    def left_open(self, plies: Sequence[Ply]) -> list[Slot]:
        """Return the boxes that stay open because they still hold marbles that everybody may see."""
        state = plies[-1].state if plies else self.first
        if state.in_secret:
            return []
        return [
            (seat, stock)
            for stock in self.seen_by_all()
            for seat in range(self.seats)
            if any(self._content(state, stock, seat).values())
        ]

    def seen_by_all(self) -> list[str]:
        """Return the stocks shown as boxes and made public when the boxes are opened."""
        shown = {stock.name for stock in self.facts.stocks if not stock.hidden}
        return [stock for stock in self.secret if stock in shown]

    # Start and end points of moving marbles

    def places(
        self,
        viewer: int,
        mover: int,
        boxes: Collection[Slot],
        shown: Mapping[Heap, Sequence[int]],
        chosen: Heap | None,
        events: Sequence[ev.Event],
    ) -> dict[str, Vector]:
        """Return the positions of heaps, boxes and the bag, by key, for animating moves of ``mover``.

        They are the start and end points of moving marbles in the animation queue. ``shown`` and ``chosen`` describe
        the heaps before the ``events``; ``boxes`` are the boxes on the table.
        """
        places: dict[str, Vector] = {}
        self.rows = {}
        self._things.clear()
        arriving = {
            (event.stock, event.colour)
            for event in events
            if isinstance(event, ev.Removed | ev.Captured | ev.Given | ev.Drew)
        }

        def put(key: str, place: Vector, stock: str, seat: int) -> None:
            if key not in places:
                places[key], self._things[key] = place, (stock, seat)

        for heap, row in self.lay.rows.items():
            seat = viewer if heap.seat == VIEWER else heap.seat
            comes = (heap.stock, heap.colour) in arriving or heap in self.plan.spent
            number = len(shown.get(heap, ()))
            # Arriving marbles line up one behind the other; leaving ones go in reverse order.
            used = row.places[min(number, len(row.places) - 1) :] if comes else row.places[:number][::-1]
            used = used or row.places[:1]
            if heap == chosen and self.lay.dish is not None:
                used = (self.lay.dish, *used)
            place = used[0]
            names = [own(heap.stock, seat)] if seat >= 0 else []
            names += [heap.stock] if seat in (SHARED, mover) else []
            for name in names:
                if heap.colour == UNKNOWN:
                    put(name, place, heap.stock, seat)
                    self.rows.setdefault(name, used)
                else:
                    put(coloured(name, heap.colour), place, heap.stock, seat)
                    self.rows.setdefault(coloured(name, heap.colour), used)
                    # A marble of unknown colour goes to the first row.
                    put(coloured(name, UNKNOWN), place, heap.stock, seat)
        for stock in self.hands:
            for seat in range(self.seats):
                if (seat, stock) in boxes:
                    x, y, _ = self.lay.boxes[self.box(seat, stock)]
                    place = (x, y, BOX_SEAT)
                elif seat in (viewer, mover) and self.lay.dish is not None:
                    place = self.lay.dish
                else:
                    continue
                put(own(stock, seat), place, stock, seat)
                if seat == mover:
                    put(stock, place, stock, seat)
        if self.bag and self.lay.bag is not None:
            x, y, _ = self.lay.bag
            put(self.bag, (x, y, TABLE + tray.MOUTH), self.bag, SHARED)
        return places
