"""The stocks of a match as objects on the table, limited to what the viewer may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.deciding_marbles import find_deciding_marbles
from shibumi3d.rules.marbles.state import UNKNOWN_COUNT
from shibumi3d.scene.frame import Ball, Piece
from shibumi3d.scene.marbles import table_objects
from shibumi3d.scene.marbles.actors import colour_stock_key, seat_stock_key
from shibumi3d.scene.marbles.layout import BOX_MARBLE_Z, TABLE_Z, Vector
from shibumi3d.scene.marbles.table_objects import Heap, TableObjects

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event
    from shibumi3d.rules.marbles.facts import MarbleFacts
    from shibumi3d.rules.marbles.state import State


SecretBox: TypeAlias = tuple[int, str]
"""Box for a secret choice: the seat that puts a marble into it, and the stock that it represents."""
UNKNOWN_COLOUR = -1
"""Colour of a marble whose colour is hidden, and of a heap of mixed colours."""
SHARED_SEAT = -1
VIEWER_SEAT = -2
"""Seat number for heaps that belong to the current viewer."""

_StockCounts = dict[tuple[str, int], Counter[int]]


class PlayedMove(Protocol):
    """A move of the match, with the seat that made it and its events."""

    @property
    def seat(self) -> int:
        """Seat that made the move."""

    @property
    def events(self) -> Sequence[Event]:
        """Events of the move, in order."""


class TableLabel(NamedTuple):
    """Label of a tray, a dish or the bag.

    ``number`` is the number of marbles there. It is None if the number isn't shown, and negative if the number isn't
    known. ``seat`` is the owner if the label belongs to the dish of a single player, and otherwise -1.
    """

    position: Vector
    number: int | None
    seat: int

    @property
    def text(self) -> str:
        """The number as text: "?" if it isn't known, or an empty string if it isn't shown."""
        return "" if self.number is None else "?" if self.number < 0 else str(self.number)


class TableContents(NamedTuple):
    """Contents of the table: marbles, pieces, heaps and labels.

    ``heaps`` maps each heap to the colours of its marbles. ``count_labels`` holds, for each label that shows a number
    of marbles, its position and the number, or -1 if the number isn't known. ``dish_colour`` is the colour of the
    marble in the dish, or None if the dish is empty; ``dish_heap`` is the heap from which the player took this marble,
    if any. If each player has a separate dish for the marbles taken, ``owner_labels`` holds the position of each such
    dish's label and the seat of its owner.
    """

    balls: tuple[Ball, ...]
    pieces: tuple[Piece, ...]
    heaps: Mapping[Heap, tuple[int, ...]]
    count_labels: tuple[tuple[Vector, int], ...]
    dish_colour: int | None
    dish_heap: Heap | None
    owner_labels: tuple[tuple[Vector, int], ...] = ()

    def labels(self) -> tuple[TableLabel, ...]:
        """Return the labels of trays, dishes and the bag, with numbers and owners."""
        numbers, owners = dict(self.count_labels), dict(self.owner_labels)
        return tuple(
            TableLabel(at, numbers.get(at), owners.get(at, SHARED_SEAT)) for at in {**owners, **numbers}
        )


def used_colours(initial_state: State, facts: MarbleFacts) -> frozenset[int]:
    """Return the colours used in a game: those owned by seats, named in its rules, or on the boards.

    If a seat owns no colours, or if the rules use ``all_colours``, all colours are returned.
    """
    seats = [initial_state.owned_colours(seat) for seat in range(initial_state.seats)]
    every = frozenset(range(len(COLOURS)))
    if not all(seats) or "all_colours" in facts.words_used:
        return every
    found = {colour for owned in seats for colour in owned}
    found |= {colour for colour in every if COLOURS[colour] in facts.words_used}
    found |= {
        c
        for board in range(len(initial_state.board_names))
        for c, m in enumerate(initial_state.cells(board))
        if m
    }
    return frozenset(found)


class Tabletop:
    """The stocks of a match as objects on the table: marbles in trays, piles, a dish, a bag and boxes.

    ``initial_state`` is the initial state of the match. If ``always_has_dish`` is true, the table has a dish even if
    the game doesn't need one.
    """

    def __init__(self, initial_state: State, facts: MarbleFacts, always_has_dish: bool = False) -> None:
        self.seats, self.initial_state, self.facts = initial_state.seats, initial_state, facts
        used = used_colours(initial_state, facts)
        self.secret_stocks: tuple[str, ...] = ()
        """Names of the stocks that receive marbles in secret and are shown as boxes."""
        self.bag_stock = ""
        self.hand_stocks: list[str] = []
        """Names of the stocks for a marble that a seat has just drawn, received or chosen."""
        shared: list[Heap] = []
        mine: list[list[Heap]] = [[] for _ in range(initial_state.seats)]
        spent: list[Heap] = []
        standing = {
            c
            for board in range(len(initial_state.board_names))
            for c, m in enumerate(initial_state.cells(board))
            if m
        }
        for stock in facts.stocks:
            name, given, now = stock.name, stock.initial_contents, initial_state.stock_contents(stock.name)
            alone = (
                initial_state.seats == 1 and name != "box" and not stock.is_drawn_from and not stock.is_hidden
            )
            if stock.is_per_seat or alone:
                if not any(map(any, given)) and all(sum(content) <= 1 for content in now):
                    self.hand_stocks.append(name)
                    continue
                if not stock.is_used_in_play:
                    continue
                for seat in range(len(now)):
                    these = (given[seat],) if initial_state.seats == 2 and not facts.is_series else given
                    colours = {c for c in used if any(content[c] for content in these)} or used
                    mine[seat] += [Heap(name, seat, c) for c in sorted(colours)]
            elif any(now[0]) and (stock.is_drawn_from or stock.is_hidden):
                if stock.is_used_in_play and not self.bag_stock:
                    self.bag_stock = name
            elif any(now[0]) and stock.is_used_in_play:
                colours = {c for c in used if now[0][c] or c in standing}
                shared += [Heap(name, SHARED_SEAT, c) for c in sorted(colours)]
            elif (
                stock.receives_in_play
                and not stock.is_drawn_from
                # Changing a marble's colour exchanges it for one in the box, so the number of marbles in the box stays
                # the same.
                and not (facts.can_recolour and any(now[0]))
            ):
                spent.append(Heap(name, SHARED_SEAT, UNKNOWN_COLOUR))
        hidden = {stock.name for stock in facts.stocks if stock.is_hidden}
        if (
            self.seats == 2
            and not facts.is_series
            and not (shared or any(mine) or hidden.intersection(heap.stock for heap in spent))
        ):
            # Each player has a dish for what that player has taken.
            spent = [heap._replace(seat=seat) for heap in spent for seat in range(2)]
        if self.seats == 2:
            west, east = (*mine[0], *shared), tuple(mine[1])
        else:
            every = dict.fromkeys((heap.stock, heap.colour) for heaps in mine for heap in heaps)
            west, east = tuple(shared), tuple(Heap(stock, VIEWER_SEAT, colour) for stock, colour in every)
        # A colour must be chosen unless every colour that can be placed is the only colour of some player.
        owners = [initial_state.owned_colours(seat) for seat in range(initial_state.seats)]
        set_down = {heap.colour for heap in (*west, *east) if heap.stock in facts.placement_stocks}
        chosen = set_down - {owned[0] for owned in owners if len(owned) == 1}
        self.secret_stocks = tuple(
            [
                stock.name
                for stock in facts.stocks
                if stock.receives_secretly and stock.name in self.hand_stocks
            ]
        )
        # Marbles chosen in secret are taken from their box, not from the dish.
        supplies = {stock.name for stock in facts.stocks if stock.is_used_in_play}
        held = [
            stock for stock in self.hand_stocks if not (stock in self.secret_stocks and stock in supplies)
        ]
        self.objects = TableObjects(
            (initial_state.size,) * len(initial_state.board_names),
            west,
            east,
            tuple(spent),
            bool(always_has_dish or held or chosen),
            bool(self.bag_stock),
            self.seats * len(self.secret_stocks),
        )
        self.layout = table_objects.arrange_objects(self.objects)
        self._stock_by_key: dict[str, tuple[str, int]] = {}
        self.row_positions: dict[str, tuple[Vector, ...]] = {}
        """Positions for marbles that arrive or leave one after another, by key; set by :meth:`stock_positions`."""
        self.is_dish_shown = True
        """Whether the dish is shown; a card may replace it."""
        self._piles: dict[Heap, tuple[int, ...]] = {}

    @property
    def own_dishes(self) -> tuple[Heap, ...]:
        """Heaps of the marbles that each player has taken; empty unless the players have separate dishes."""
        return tuple(heap for heap in self.objects.spent if heap.seat >= 0)

    # Contents

    def _visible_counts(self, observation: State, stock: str, player: int) -> dict[int, int]:
        """Return the number of marbles by colour in a shared stock or in ``player``'s own stock.

        Marbles of unknown colour are counted under the key -1. Colours whose number must remain hidden are left out.
        """
        found = {}
        for colour, number in self._stock_contents(observation, stock, player).items():
            if number != UNKNOWN_COUNT:
                found[COLOURS.index(colour) if colour in COLOURS else UNKNOWN_COLOUR] = number
        return found

    def _stock_contents(self, observation: State, stock: str, player: int) -> dict[str, int]:
        holders = observation.reserves[stock]
        return holders[0 if len(holders) == 1 else (player - observation.game_number + 1) % self.seats]

    def _contribution_of(
        self, seat: int, stock: str, content: Counter[int], plies: Sequence[PlayedMove]
    ) -> Counter[int]:
        """Return, by colour, how many of the marbles in a shared stock were put there by ``seat``.

        ``content`` contains the number of marbles in the stock by colour. Only the moves in ``plies`` are considered.
        Marbles that no move put there are attributed to the first seat.
        """
        if seat == 0:
            return content - self._contribution_of(1, stock, content, plies)
        taken = Counter[int](
            event.colour
            for ply in plies
            if ply.seat == seat
            for event in ply.events
            if isinstance(event, ev.Removed | ev.Captured | ev.Given) and event.stock == stock
        )
        return taken & content

    def _counts_by_stock(
        self,
        observation: State,
        viewer: int,
        under_way: Mapping[tuple[str, int], int],
        plies: Sequence[PlayedMove] = (),
    ) -> _StockCounts:
        """Return the number of marbles by stock, holder and colour, excluding marbles in motion.

        Marbles that have been in a pile of captured or discarded marbles since the start of the match aren't counted
        either. ``under_way`` is the result of :meth:`.Timeline.pending_stock_changes`. ``plies`` are the moves that led
        to ``observation``.
        """
        counts: _StockCounts = {}
        for heap in self.layout.heaps:
            seat = viewer if heap.seat == VIEWER_SEAT else heap.seat
            if (heap.stock, seat) not in counts:
                content = Counter(self._visible_counts(observation, heap.stock, seat))
                if heap in self.objects.spent:
                    # Marbles that have been there since the start are not in play.
                    initial_counts = self._visible_counts(self.initial_state, heap.stock, seat)
                    content -= Counter(
                        {UNKNOWN_COLOUR: sum(initial_counts.values())}
                        if UNKNOWN_COLOUR in content
                        else initial_counts
                    )
                    if seat != SHARED_SEAT:
                        content = self._contribution_of(seat, heap.stock, content, plies)
                counts[heap.stock, seat] = content
        for stock in self.hand_stocks:
            for seat in range(self.seats):
                counts[stock, seat] = Counter(self._visible_counts(observation, stock, seat))
        if self.bag_stock:
            counts[self.bag_stock, SHARED_SEAT] = Counter(
                self._visible_counts(observation, self.bag_stock, 0)
            )
        for (key, colour), number in under_way.items():
            if key in self._stock_by_key:
                content = counts[self._stock_by_key[key]]
                # If the colours are hidden, count all marbles as being of unknown colour.
                content[UNKNOWN_COLOUR if UNKNOWN_COLOUR in content else colour] += number
        return counts

    def make_contents(
        self,
        observation: State,
        viewer: int,
        under_way: Mapping[tuple[str, int], int],
        dish_heap: Heap | None,
        box_openings: Mapping[SecretBox, float] = MappingProxyType({}),
        highlighted: Collection[Heap] = (),
        plies: Sequence[PlayedMove] = (),
    ) -> TableContents:
        """Return everything on the table, limited to what ``viewer`` may know.

        The marbles of heaps in ``highlighted`` get a golden rim. ``under_way`` corrects the number of marbles in each
        stock while marbles are in motion; see :meth:`.Timeline.pending_stock_changes`. ``dish_heap`` is the heap from
        which the marble in the dish was taken, or None if it wasn't taken from a heap. ``box_openings`` maps each box
        on the table to how far it is open; the contents of open boxes are visible. ``plies`` are the moves that led to
        ``observation``.
        """
        counts = self._counts_by_stock(observation, viewer, under_way, plies)
        if self.layout.dish_position is None or not self.is_dish_shown:
            dish_heap = None
        heaps: dict[Heap, tuple[int, ...]] = {}
        count_labels: list[tuple[Vector, int]] = []
        unknown: dict[tuple[str, int], int] = {}
        for heap, row in self.layout.heaps.items():
            seat = viewer if heap.seat == VIEWER_SEAT else heap.seat
            content = counts[heap.stock, seat]
            if heap.colour == UNKNOWN_COLOUR:
                pile = self._arrange_pile(heap, content)
                heaps[heap], total = pile[: len(row.positions)], len(pile)
                if total == len(heaps[heap]):
                    continue  # all of them can be seen
            elif UNKNOWN_COLOUR in content:
                # The colours are hidden, so spread the marbles over all rows.
                total = content[UNKNOWN_COLOUR] if heap[:2] not in unknown else 0
                left = unknown.setdefault(heap[:2], total)
                heaps[heap] = (UNKNOWN_COLOUR,) * min(max(left, 0), len(row.positions))
                unknown[heap[:2]] -= len(heaps[heap])
                if not total:
                    continue
            else:
                total = content[heap.colour]
                left = total - (1 if heap == dish_heap else 0)
                heaps[heap] = (heap.colour,) * min(max(left, 0), len(row.positions))
            uncounted = UNKNOWN_COUNT in self._stock_contents(observation, heap.stock, seat).values()
            if not uncounted and total:
                count_labels.append((row.label_position, total))
        hand = Counter[int]()
        # A marble hidden from others is shown in the dish only to its owner, and only if nothing else is in it.
        for secret in (False, True):
            for stock in self.hand_stocks:
                if (
                    (stock in self.secret_stocks) is secret
                    and (viewer, stock) not in box_openings
                    and not +hand
                ):
                    hand.update(counts[stock, viewer])
            if secret:
                del hand[UNKNOWN_COLOUR]
        dish_colour = (
            dish_heap.colour
            if dish_heap is not None
            else next(iter(table_objects.interleave_colours(hand, 1)), None)
        )
        if self.bag_stock:
            uncounted = UNKNOWN_COUNT in self._stock_contents(observation, self.bag_stock, 0).values()
            total = UNKNOWN_COUNT if uncounted else sum(counts[self.bag_stock, SHARED_SEAT].values())
            count_labels.append((self.layout.bag_label_position, total))
        box_colours: dict[int, int] = {}
        for (seat, stock), opening in box_openings.items():
            colours = table_objects.interleave_colours(counts[stock, seat], 2) if opening > 0.0 else ()
            if len(colours) == 1 and colours[0] != UNKNOWN_COLOUR:
                box_colours[self.box_index(seat, stock)] = colours[0]
        balls = (
            *self.layout.heap_balls(heaps, dish_colour, highlighted),
            *self.layout.box_balls(box_colours),
        )
        pieces = self.layout.make_pieces(
            {self.box_index(*slot): opening for slot, opening in box_openings.items()}
        )
        if not self.is_dish_shown:
            pieces = tuple(piece for piece in pieces if piece.model != "dish")
        owner_labels = tuple((self.layout.heaps[heap].label_position, heap.seat) for heap in self.own_dishes)
        return TableContents(balls, pieces, heaps, tuple(count_labels), dish_colour, dish_heap, owner_labels)

    def _arrange_pile(self, heap: Heap, content: Counter[int]) -> tuple[int, ...]:
        """Return the colours of a pile in the order in which it is filled.

        Marbles that were there at the previous call come first, in the same order.
        """
        left, pile = +content, list[int]()
        for colour in self._piles.get(heap, ()):
            if left[colour] > 0:
                pile.append(colour)
                left[colour] -= 1
        self._piles[heap] = (*pile, *table_objects.interleave_colours(left, left.total()))
        return self._piles[heap]

    def decisive_heaps(self, observation: State, viewer: int) -> frozenset[Heap]:
        """Return the winners' heaps if the match is over and wasn't decided by marbles on the boards.

        Otherwise, the result is empty. Empty heaps are left out. Three more rules apply to games for several seats: if
        all seats have won, the result is empty; piles of captured and discarded marbles are left out; and a heap of a
        shared stock is included only if its colour is owned by winners and by nobody else.
        """
        result = observation.result
        if result is None or find_deciding_marbles(observation):
            return frozenset()
        winners, seats = set(result.winners), range(self.seats)
        if not winners or (self.seats > 1 and len(winners) == self.seats):
            return frozenset()
        mine = {colour for seat in winners for colour in observation.owned_colours(seat)}
        mine -= {
            colour for seat in seats if seat not in winners for colour in observation.owned_colours(seat)
        }
        counts, found = self._counts_by_stock(observation, viewer, {}), []
        for heap in self.layout.heaps:
            seat = viewer if heap.seat == VIEWER_SEAT else heap.seat
            if heap in self.objects.spent and self.seats > 1:
                continue
            content = counts[heap.stock, seat]
            theirs = seat in winners if seat >= 0 else self.seats == 1 or heap.colour in mine
            if theirs and (
                any(content.values()) if heap.colour == UNKNOWN_COLOUR else content[heap.colour] > 0
            ):
                found.append(heap)
        return frozenset(found)

    def box_index(self, seat: int, stock: str) -> int:
        """Return the index of the box that represents a secret stock of a seat."""
        return seat * len(self.secret_stocks) + self.secret_stocks.index(stock)

    def find_heap(self, stock: str, player: int, colour: int, viewer: int) -> Heap | None:
        """Return the heap of ``colour`` in a stock, or None if there is none.

        ``stock`` is the name of a shared stock or of one of ``player``'s own stocks.
        """
        seats = (player, VIEWER_SEAT, SHARED_SEAT) if player == viewer else (player, SHARED_SEAT)
        return next(
            (heap for seat in seats if (heap := Heap(stock, seat, colour)) in self.layout.heaps), None
        )

    # Boxes

    def boxes_of_seats(self, seats: Collection[int]) -> list[SecretBox]:
        """Return the boxes into which the given seats put marbles."""
        return [(seat, stock) for seat in sorted(seats) for stock in self.secret_stocks]

    def opened_boxes(self, events: Sequence[ev.Event]) -> set[SecretBox]:
        """Return the boxes opened by the reveal in ``events``.

        These are the boxes of the stocks in :meth:`public_secret_stocks`, and each box from which the reveal takes a
        marble of known colour. ``events`` must be limited to what everybody may know.
        """
        found = {(seat, stock) for stock in self.public_secret_stocks() for seat in range(self.seats)}
        shown = False
        for event in events:
            shown = shown or isinstance(event, ev.Revealed)
            if (
                shown
                and isinstance(event, ev.Given)
                and event.source in self.secret_stocks
                and event.colour >= 0
            ):
                found.add((event.seat, event.source))
        return found

    def boxes_left_open(self, state: State) -> list[SecretBox]:
        """Return the boxes that stay open in ``state`` because they still hold marbles that everybody may see.

        The list is empty while marbles are being chosen in secret.
        """
        if state.is_in_secret_block:
            return []
        return [
            (seat, stock)
            for stock in self.public_secret_stocks()
            for seat in range(self.seats)
            if any(self._visible_counts(state, stock, seat).values())
        ]

    def public_secret_stocks(self) -> list[str]:
        """Return the names of the stocks that are shown as boxes and become public when the boxes are opened."""
        shown = {stock.name for stock in self.facts.stocks if not stock.is_hidden}
        return [stock for stock in self.secret_stocks if stock in shown]

    # Start and end points of moving marbles

    def stock_positions(
        self,
        viewer: int,
        mover: int,
        boxes: Collection[SecretBox],
        heap_colours: Mapping[Heap, Sequence[int]],
        dish_heap: Heap | None,
        events: Sequence[ev.Event],
    ) -> dict[str, Vector]:
        """Return the position where marbles of each stock start or end their motion, by stock key.

        A key without a seat stands for a shared stock or for ``mover``'s own stock. ``heap_colours`` and ``dish_heap``
        describe the heaps before ``events``; ``boxes`` are the boxes on the table. This also sets
        :attr:`row_positions`.
        """
        places: dict[str, Vector] = {}
        self.row_positions = {}
        self._stock_by_key.clear()
        arriving = {
            (event.stock, event.colour)
            for event in events
            if isinstance(event, ev.Removed | ev.Captured | ev.Given | ev.Drew)
        }

        def put(key: str, position: Vector, stock: str, seat: int) -> None:
            if key not in places:
                places[key], self._stock_by_key[key] = position, (stock, seat)

        for heap, row in self.layout.heaps.items():
            seat = viewer if heap.seat == VIEWER_SEAT else heap.seat
            comes = (heap.stock, heap.colour) in arriving or heap in self.objects.spent
            number = len(heap_colours.get(heap, ()))
            # Arriving marbles line up one behind the other; leaving ones go in reverse order.
            used = (
                row.positions[min(number, len(row.positions) - 1) :]
                if comes
                else row.positions[:number][::-1]
            )
            used = used or row.positions[:1]
            if heap == dish_heap and self.layout.dish_position is not None:
                used = (self.layout.dish_position, *used)
            place = used[0]
            names = [seat_stock_key(heap.stock, seat)] if seat >= 0 else []
            names += [heap.stock] if seat in (SHARED_SEAT, mover) else []
            for name in names:
                if heap.colour == UNKNOWN_COLOUR:
                    put(name, place, heap.stock, seat)
                    self.row_positions.setdefault(name, used)
                else:
                    put(colour_stock_key(name, heap.colour), place, heap.stock, seat)
                    self.row_positions.setdefault(colour_stock_key(name, heap.colour), used)
                    # A marble of unknown colour goes to the first row.
                    put(colour_stock_key(name, UNKNOWN_COLOUR), place, heap.stock, seat)
        for stock in self.hand_stocks:
            for seat in range(self.seats):
                if (seat, stock) in boxes:
                    x, y, _ = self.layout.box_positions[self.box_index(seat, stock)]
                    place = (x, y, BOX_MARBLE_Z)
                elif seat in (viewer, mover) and self.layout.dish_position is not None:
                    place = self.layout.dish_position
                else:
                    continue
                put(seat_stock_key(stock, seat), place, stock, seat)
                if seat == mover:
                    put(stock, place, stock, seat)
        if self.bag_stock and self.layout.bag_position is not None:
            x, y, _ = self.layout.bag_position
            put(self.bag_stock, (x, y, TABLE_Z + table_objects.BAG_MOUTH_HEIGHT), self.bag_stock, SHARED_SEAT)
        return places
