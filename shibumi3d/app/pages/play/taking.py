"""Taking marbles that lie on the table beside the boards, by clicking them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.wording.naming import colour_name
from shibumi3d.rules.marbles.wording.texts import listed
from shibumi3d.rules.wording import capital
from shibumi3d.scene import palette
from shibumi3d.scene.frame import Mark, MarkKind
from shibumi3d.scene.marbles.layout import LYING, Vector
from shibumi3d.scene.marbles.tray import Heap

from ...marbles.pointing import Pointable, on_table
from .parts import Boarded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...ui.core import Widget

REACH = 8
"""Minimum distance of a marble from the edge of the view and from all panels, in logical pixels.

Marbles that are closer count as out of reach.
"""
Thing = Heap | str
"""A heap of marbles on the table, or the name of the stock in the bag."""


class Taken(Boarded, Protocol):
    """Interface of the page that :class:`Taking` uses."""

    @property
    def cards(self) -> Sequence[Widget]:
        """Cards of the seats."""

    @property
    def plans(self) -> Widget:
        """Flat plans of the levels."""

    @property
    def answers(self) -> Widget:
        """Buttons for choices that are not made on the board."""


class Taking:
    """Handler for clicks on the heaps and the bag: colours to place, marbles to give or to draw."""

    def __init__(self, screen: Taken) -> None:
        self.screen = screen
        self.hover: Heap | None = None
        """Heap under the pointer from which marbles may be taken, or None."""
        self._known: tuple[tuple[object, ...], dict[Thing, int | Move]] | None = None

    def heap_of(self, colour: int) -> Heap | None:
        """Return the heap from which a marble of ``colour`` would be placed, or None if there is none."""
        screen = self.screen
        seat = screen.match.state.to_move
        stock = screen.control.source(colour)
        return None if seat is None else screen.tabletop.heap(stock, seat, colour, screen.session.sitting)

    def all(self) -> dict[Thing, int | Move]:
        """Return the effect of a click on each heap and on the bag.

        An integer is the colour that the click selects; a :class:`.Move` is the move that it makes. The result is empty
        while nothing can be chosen.
        """
        screen = self.screen
        if not screen.session.asking:
            return {}
        key = (screen.match.state, screen.control.moves, screen.tabletop)
        if self._known is None or any(a is not b for a, b in zip(self._known[0], key, strict=True)):
            found: dict[Thing, int | Move] = {}
            for colour in screen.control.tray if len(screen.control.tray) > 1 else ():
                heap = self.heap_of(colour)
                if heap is not None:
                    found[heap] = colour
            for thing, move in self._moves():
                found.setdefault(thing, move)
            self._known = key, found
        return self._known[1]

    def _moves(self) -> list[tuple[Thing, Move]]:
        """Return the moves that take a marble from the table, each with the heap or bag that it uses.

        Such moves choose a colour, give a marble or draw a marble. Drawing is included only if there is exactly one
        move for it.
        """
        screen, found = self.screen, []
        seat, table = screen.match.state.to_move, screen.tabletop
        drawn: list[Move] = []
        for move in screen.control.others:
            events = screen.match.game.apply(screen.match.state, move)[1]
            given = [event for event in events if isinstance(event, ev.Given | ev.Drew)]
            if table.bag and any(event.source == table.bag for event in given):
                drawn.append(move)
            if move.kind not in ("give", "colour") or seat is None:
                continue
            stocks = [given[0].source] if given else [heap.stock for heap in table.lay.rows]
            heaps = (table.heap(stock, seat, move.colour, screen.session.sitting) for stock in stocks)
            heap = next((heap for heap in heaps if heap is not None), None)
            if heap is not None:
                found.append((heap, move))
        return [*found, *[(table.bag, move) for move in drawn if len(drawn) == 1]]

    def pointable(self) -> list[Pointable]:
        """Return the marbles on the table and the bag, as objects that can be hit with the pointer."""
        screen = self.screen
        if screen.bare or screen.spread is not None:
            return []
        return on_table(screen.tabletop.bag, screen.tabletop.lay, screen.lying(screen.now()))

    def on_screen(self) -> dict[str, list[int]]:
        """Return the positions of the marbles that can be taken, in window pixels.

        Each key consists of a stock and a colour, such as ``"hand white"``.
        """
        screen, rows = self.screen, self.screen.tabletop.lay.rows
        return {
            f"{heap.stock} {COLOURS[heap.colour]}": screen.app.pixels(
                *screen.view.on_screen(rows[heap].places[0])
            )
            for heap in self.all()
            if isinstance(heap, Heap)
        }

    def seen_at(self, colour: int) -> tuple[float, float] | None:
        """Return the position of the foremost marble of a placeable colour, in logical pixels.

        Returns None if no such marble lies on the table.
        """
        heap = self.heap_of(colour)
        row = self.screen.tabletop.lay.rows.get(heap) if heap is not None else None
        return self.screen.view.on_screen(row.places[0]) if row is not None and row.places else None

    def point(self, thing: Thing | None) -> bool:
        """Record that the pointer is over ``thing``; return whether something can be taken from it."""
        met = thing is not None and thing in self.all()
        self.hover = thing if met and isinstance(thing, Heap) else None
        return met

    def take(self, thing: Thing) -> None:
        """Handle a click on a heap or the bag: take a marble, or say why that isn't possible."""
        screen = self.screen
        meant = self.all().get(thing)
        if isinstance(meant, Move):
            screen.doing.play_move(meant)
        elif meant is not None:
            screen.doing.choose_colour(screen.control.tray.index(meant))
        else:
            screen.remark(self.why_not(thing))

    def why_not(self, thing: Thing) -> str:
        """Return a sentence that explains why nothing can currently be taken from ``thing``."""
        screen = self.screen
        seat, tray = screen.match.state.to_move, screen.control.tray
        if screen.control.away:
            return screen.computers.busy_line()
        if seat is None:
            return _("The game is over.")
        if isinstance(thing, str):
            return _("There is nothing to draw now.")
        if thing.seat >= 0 and thing.seat != seat:
            return _("These marbles belong to {who}.", who=screen.names[thing.seat])
        if thing.colour < 0 or not tray:
            return _("You can't take a marble from there now.")
        colour = capital(colour_name(thing.colour, language()))
        if thing.colour in tray and self.heap_of(thing.colour) == thing:
            return _("{colour} is in hand: choose where to put it.", colour=colour)
        colours = listed([colour_name(c, language()) for c in tray], language(), "or")
        return _("{colour} can't be placed now, only {colours}.", colour=colour, colours=colours)

    def marks(self) -> list[Mark]:
        """Return rings around the selected marble and the marbles that can be taken.

        Only the foremost marble of a heap gets a ring. Depending on the settings, the ring is always shown, or only
        while the pointer is on the heap.
        """
        screen = self.screen
        if screen.spread is not None:
            return []
        lay, lying = screen.tabletop.lay, screen.lying(screen.now())
        always = screen.app.settings.marks == "always"
        marks = []
        for heap in self.all():
            here = heap == self.hover
            if isinstance(heap, Heap) and lying.heaps.get(heap) and (here or always):
                look = (1.0, 3.0) if here else (0.7, 2.0)
                marks.append(ring(lay.rows[heap].places[0], *look))
        if lying.chosen is not None and len(screen.control.tray) > 1 and lay.dish is not None:
            marks.append(ring(lay.dish, 1.0, 2.0))
        return marks

    def out_of_reach(self) -> bool:
        """Return whether any of the marbles that can be placed is hidden or outside the view."""
        screen = self.screen
        if not screen.view.rect.h:
            return False
        lay = screen.tabletop.lay
        places: list[Vector] = []
        for colour in screen.control.tray:
            heap = self.heap_of(colour)
            if heap is not None:
                places.append(lay.rows[heap].places[0])
            else:
                stock, table = screen.control.source(colour), screen.tabletop
                if stock in table.secret:
                    places.append(lay.boxes[table.box(screen.session.sitting, stock)])
                elif stock in table.hands and lay.dish:
                    places.append(lay.dish)
                else:
                    return True
        panels = [w.rect for w in (*screen.cards, screen.plans, screen.answers) if w.visible]
        area = screen.view.rect.inset(REACH)
        return not all(
            area.holds(x, y) and not any(panel.inset(-REACH).holds(x, y) for panel in panels)
            for x, y in screen.view.all_on_screen(places)
        )


def ring(at: Vector, alpha: float, width: float) -> Mark:
    """Return a ring around a marble on the table."""
    return Mark(MarkKind.CIRCLE, at, palette.MARKS["legal"], LYING, alpha, width=width)
