"""Pointer and keyboard cursor on the boards, and clicks on the marbles beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES, get_pyramid
from shibumi3d.rules.marbles.wording.messages import format_list
from shibumi3d.rules.marbles.wording.names import colour_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene import palette
from shibumi3d.scene.frame import Mark, MarkKind
from shibumi3d.scene.marbles.layout import RADIUS, Array, Vector
from shibumi3d.scene.marbles.table_objects import Heap
from shibumi3d.scene.marbles.tabletop import TableContents

from ...ui.widget import Key
from ..model import Memo
from .boards import board_at
from .controller import Spot
from .interfaces import MarblePage
from .picking_targets import (
    ClickTarget,
    PickTarget,
    board_targets,
    clickable_spots,
    nearest_in_direction,
    nearest_on_next_level,
    table_targets,
)

if TYPE_CHECKING:
    from ...ui.prose import ExplanationTooltip
    from .actions import MarbleActions
    from .board_views import FlatPlan, HiddenTargetsButton, LevelStrip
    from .choices import ChoicePanel
    from .seat_cards import SeatCard


MIN_EDGE_DISTANCE_PX = 8
"""Minimum distance of a marble from the edge of the view and from all panels, in logical pixels.

Marbles that are closer count as out of reach.
"""
MarbleSource = Heap | str
"""A heap of marbles on the table, or the name of the stock in the bag."""


class TableMarbles:
    """The heaps and the bag on the table.

    A click on one of them selects a colour, gives a marble or draws a marble.
    """

    def __init__(self, page: BoardPointerOwner) -> None:
        self.page = page
        self.hovered_heap: Heap | None = None
        """Heap under the pointer from which marbles may be taken, or None."""
        self._effects_cache: tuple[tuple[object, ...], dict[MarbleSource, int | Move]] | None = None
        self._pick_targets = Memo(
            lambda: table_targets(page.tabletop.bag_stock, page.tabletop.layout, self._contents()),
            lambda: (page.tabletop, page.tabletop.layout, self._contents()),
        )

    def _contents(self) -> TableContents:
        return self.page.table_contents(self.page.animation_time())

    def find_heap(self, colour: int) -> Heap | None:
        """Return the heap from which a marble of ``colour`` would be placed, or None if there is none."""
        page = self.page
        seat = page.match.state.to_move
        stock = page.controller.source_stock(colour)
        return (
            None
            if seat is None
            else page.tabletop.find_heap(stock, seat, colour, page.model.perspective_seat)
        )

    def click_effects(self) -> dict[MarbleSource, int | Move]:
        """Return the effect of a click on each heap or bag that can be used now.

        An integer is the colour that the click selects; a :class:`.Move` is the move that it makes. The result is empty
        while nothing can be chosen.
        """
        page = self.page
        if not page.model.can_choose:
            return {}
        key = (page.match.state, page.controller.moves, page.tabletop)
        if self._effects_cache is None or any(
            a is not b for a, b in zip(self._effects_cache[0], key, strict=True)
        ):
            effects: dict[MarbleSource, int | Move] = {}
            for colour in (
                page.controller.available_colours if len(page.controller.available_colours) > 1 else ()
            ):
                heap = self.find_heap(colour)
                if heap is not None:
                    effects[heap] = colour
            for thing, move in self._taking_moves():
                effects.setdefault(thing, move)
            self._effects_cache = key, effects
        return self._effects_cache[1]

    def _taking_moves(self) -> list[tuple[MarbleSource, Move]]:
        """Return the moves made by clicking a heap or the bag, each in a pair with what is clicked.

        The bag is represented by its stock. A click on a heap makes a move that chooses a colour or gives a marble. A
        click on the bag makes the move that takes a marble from it; if there are several such moves, none is included.
        """
        page, found = self.page, []
        seat, table = page.match.state.to_move, page.tabletop
        drawn: list[Move] = []
        for move in page.controller.other_moves:
            events = page.match.game.apply(page.match.state, move)[1]
            given = [event for event in events if isinstance(event, ev.Given | ev.Drew)]
            if table.bag_stock and any(event.source == table.bag_stock for event in given):
                drawn.append(move)
            if move.kind not in ("give", "colour") or seat is None:
                continue
            stocks = [given[0].source] if given else [heap.stock for heap in table.layout.heaps]
            heaps = (
                table.find_heap(stock, seat, move.colour, page.model.perspective_seat) for stock in stocks
            )
            heap = next((heap for heap in heaps if heap is not None), None)
            if heap is not None:
                found.append((heap, move))
        return [*found, *[(table.bag_stock, move) for move in drawn if len(drawn) == 1]]

    def pick_targets(self) -> list[PickTarget]:
        """Return the bag and the marbles on the table, as objects that can be hit with the pointer.

        The list is empty in zen mode and in the exploded view.
        """
        page = self.page
        if page.is_zen_mode or page.exploded_layout is not None:
            return []
        return self._pick_targets.get()

    def heap_positions(self) -> dict[str, list[int]]:
        """Return the position of the first marble in each clickable heap, in window pixels.

        Each key of the result consists of a stock and a colour, such as ``"hand white"``.
        """
        page, rows = self.page, self.page.tabletop.layout.heaps
        return {
            f"{heap.stock} {COLOURS[heap.colour]}": page.app.to_window_pixels(
                *page.view.to_window(rows[heap].positions[0])
            )
            for heap in self.click_effects()
            if isinstance(heap, Heap)
        }

    def marble_position(self, colour: int) -> tuple[float, float] | None:
        """Return the position of the foremost marble of ``colour`` on the table, in logical pixels.

        Returns None if no marble of this colour can be placed from the table.
        """
        heap = self.find_heap(colour)
        row = self.page.tabletop.layout.heaps.get(heap) if heap is not None else None
        return self.page.view.to_window(row.positions[0]) if row is not None and row.positions else None

    def on_point(self, source: MarbleSource | None) -> bool:
        """Set :attr:`hovered_heap` to ``source`` if it is a heap that can be used now, otherwise to None.

        ``source`` is the heap or bag under the pointer, or None if there is none. Returns whether it can be used now.
        """
        met = source is not None and source in self.click_effects()
        self.hovered_heap = source if met and isinstance(source, Heap) else None
        return met

    def on_click(self, source: MarbleSource) -> None:
        """Handle a click on a heap or the bag: select its colour, make a move, or say why neither is possible."""
        page = self.page
        effect = self.click_effects().get(source)
        if isinstance(effect, Move):
            page.actions.play_move(effect)
        elif effect is not None:
            page.actions.choose_colour(page.controller.available_colours.index(effect))
        else:
            page.show_note(self.explain_illegal(source))

    def explain_illegal(self, source: MarbleSource) -> str:
        """Return a sentence that explains why nothing can currently be taken from ``source``."""
        page = self.page
        seat, tray = page.match.state.to_move, page.controller.available_colours
        if page.controller.is_computer_turn:
            return page.computer_players.status_text()
        if seat is None:
            return _("The match is over.")
        if isinstance(source, str):
            return _("You can't draw a marble now.")
        if source.seat >= 0 and source.seat != seat:
            return _("These marbles belong to {who}.", who=page.names[source.seat])
        if source.colour < 0 or not tray:
            return _("You can't take a marble from there now.")
        if source.colour in tray and self.find_heap(source.colour) == source:
            return _("You don't need to pick up a marble: just choose where to put it.")
        colour = capitalize_first(colour_name(source.colour, language()))
        colours = format_list([colour_name(c, language()) for c in tray], language(), "or")
        return _("{colour} can't be placed now, only {colours}.", colour=colour, colours=colours)

    def target_rings(self) -> list[Mark]:
        """Return rings around the selected marble and the marbles that can be taken.

        The selected marble gets a ring only if there is more than one colour to choose from. Of each heap, only the
        foremost marble gets a ring. Depending on the settings, the ring of a heap is always shown, or only while the
        pointer is on the heap. In the exploded view, there are no rings.
        """
        page = self.page
        if page.exploded_layout is not None:
            return []
        lay, lying = page.tabletop.layout, page.table_contents(page.animation_time())
        always = page.app.settings.marks == "always"
        marks = []
        for heap in self.click_effects():
            here = heap == self.hovered_heap
            if isinstance(heap, Heap) and lying.heaps.get(heap) and (here or always):
                look = (1.0, 3.0) if here else (0.7, 2.0)
                marks.append(make_ring(lay.heaps[heap].positions[0], *look))
        if (
            lying.dish_heap is not None
            and len(page.controller.available_colours) > 1
            and lay.dish_position is not None
        ):
            marks.append(make_ring(lay.dish_position, 1.0, 2.0))
        return marks

    def is_out_of_reach(self) -> bool:
        """Return whether any marble that can be placed is out of reach.

        A marble is out of reach if it isn't on the table, or if it is closer than :data:`MIN_EDGE_DISTANCE_PX` to a
        panel or to the edge of the view. If the view has no height, return False.
        """
        page = self.page
        if not page.view.rect.h:
            return False
        lay = page.tabletop.layout
        places: list[Vector] = []
        for colour in page.controller.available_colours:
            heap = self.find_heap(colour)
            if heap is not None:
                places.append(lay.heaps[heap].positions[0])
            else:
                stock, table = page.controller.source_stock(colour), page.tabletop
                if stock in table.secret_stocks:
                    places.append(lay.box_positions[table.box_index(page.model.perspective_seat, stock)])
                elif stock in table.hand_stocks and lay.dish_position:
                    places.append(lay.dish_position)
                else:
                    return True
        panels = [w.rect for w in (*page.seat_cards, page.level_strip, page.choice_panel) if w.visible]
        area = page.view.rect.inset(MIN_EDGE_DISTANCE_PX)
        return not all(
            area.contains(x, y)
            and not any(panel.inset(-MIN_EDGE_DISTANCE_PX).contains(x, y) for panel in panels)
            for x, y in page.view.all_to_window(places)
        )


def make_ring(position: Vector, alpha: float, width: float) -> Mark:
    """Return a ring with the radius of a marble around ``position``, facing the camera.

    Its line is ``width`` logical pixels wide.
    """
    return Mark(MarkKind.CIRCLE, position, palette.MARK_COLOURS["legal"], RADIUS, alpha, stroke_width=width)


HOVER_REST_SECONDS = 0.4
"""Seconds that the pointer must rest on a marble before its supporting marbles are shown."""


class BoardPointerOwner(MarblePage, Protocol):
    """Interface through which :class:`BoardPointer` and :class:`TableMarbles` use the page."""

    level_strip: LevelStrip
    flat_view: FlatPlan
    choice_panel: ChoicePanel
    hidden_targets_button: HiddenTargetsButton
    table_marbles: TableMarbles
    explanation_tooltip: ExplanationTooltip
    seat_cards: list[SeatCard]
    actions: MarbleActions


class BoardPointer:
    """Handler of pointer and keyboard input on the boards."""

    def __init__(self, page: BoardPointerOwner) -> None:
        self.page, self.model, self.controller, self.marble_scene = (
            page,
            page.model,
            page.controller,
            page.marble_scene,
        )
        self.hovered_spot: Spot | None = None
        self.hovered_marble: tuple[int, int] | None = None
        self.rested_marble: tuple[int, int] | None = None
        """Board and point of the marble on which the pointer has rested, or None."""
        self.cursor: Spot | None = None
        self.overlapping_targets: list[Spot] = []
        self.overlap_index = 0
        self.selected_board: int | None = None
        """Index of the board that the user selected, or None."""
        self.last_camera_board: int | None = None
        """Latest value of :attr:`camera_board`, or None while that is the default, board 0."""
        self._board_targets_cache: tuple[tuple[object, ...], list[PickTarget]] | None = None
        """Cache key, and the objects on the boards that the pointer can hit."""
        self._pick_cache: tuple[tuple[object, ...], ClickTarget | None, list[Spot]] | None = None
        """Cache key, and the result of the last pick."""

    @property
    def board(self) -> int:
        """Index of the board in use.

        This is the selected board, if any. Otherwise, it is the board of the active spot or, if no spot is active, that
        of the first target. If there are no targets either, it is board 0.
        """
        if self.selected_board is not None:
            return self.selected_board
        if self.active_spot is not None:
            return self.active_spot.board
        return next((spot.board for spot in self.controller.targets), 0)

    def select_board(self, board: int) -> None:
        """Select a board: outline it and show its levels in the strip."""
        self.selected_board = board
        self.page.actions.clear_message()
        self.page.layout(self.page.rect)
        self.page.refresh()

    @property
    def camera_board(self) -> int:
        """Index of the board that the camera must show if it can't show all boards.

        This is the board that the user selected or, at the start of a turn, the only board with targets. Otherwise, it
        stays the same, so that the camera doesn't move between the steps of a turn.
        """
        boards = {spot.board for spot in self.controller.targets}
        if self.selected_board is not None:
            self.last_camera_board = self.selected_board
        elif len(boards) == 1 and (self.last_camera_board is None or not self.model.match.state.step):
            (self.last_camera_board,) = boards
        return self.last_camera_board or 0

    def sign_position(self, spot: Spot) -> tuple[float, float, float]:
        """Return the world position of the sign at a spot."""
        if spot.side >= 0:
            return self.marble_scene.entry_target(
                *spot, self.page.exploded_layout, self._camera_direction()
            ).position
        return self.marble_scene.marble_position(spot.board, spot.point, self.page.exploded_layout)

    def _camera_direction(self) -> Array:
        return self.page.view.camera.axes()[2]

    def _pick_targets(self) -> list[PickTarget]:
        """Return everything that the pointer can hit, on the boards and beside them."""
        controller, scene, exploded_layout = self.controller, self.marble_scene, self.page.exploded_layout
        key = (
            controller.targets,
            controller.selected_board,
            controller.selected_points,
            controller.state.held,
            scene.marbles,
            scene.held_marble_target(exploded_layout),
            exploded_layout,
            self.page.view.camera,
        )
        if self._board_targets_cache is None or self._board_targets_cache[0] != key:
            targets = board_targets(controller, scene, exploded_layout, self._camera_direction())
            self._board_targets_cache = key, targets
        return [*self._board_targets_cache[1], *self.page.table_marbles.pick_targets()]

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return the window position of a spot in the 3D view or on the flat plan, whichever is shown."""
        return (
            self.page.flat_view.spot_position(spot)
            if self.page.flat_view.visible
            else self.page.view.to_window(self.sign_position(spot))
        )

    def spot_radius(self, spot: Spot) -> float:
        """Return the apparent radius of a marble at a spot, in logical pixels."""
        return (
            self.page.flat_view.cell_size * 0.4
            if self.page.flat_view.visible
            else self.page.view.marble_radius(self.sign_position(spot))
        )

    @property
    def active_spot(self) -> Spot | None:
        """Spot under the keyboard cursor or, if there is no cursor, under the pointer.

        It is None if there is neither a cursor nor a spot under the pointer.
        """
        return self.cursor if self.cursor is not None else self.hovered_spot

    def find_target(self, x: float, y: float) -> ClickTarget | None:
        """Return what a click at a position in the view would hit, or None if there is nothing there.

        The result is the frontmost object or, if targets overlap there, the target selected with Tab.
        """
        view, things = self.page.view, self._pick_targets()
        # A click asks several times about the same position.
        key = x, y, view.rect.w, view.rect.h, view.camera, self.page.exploded_layout, things
        if self._pick_cache is None or self._pick_cache[0] != key:
            self._pick_cache = key, *self._pick(x, y, things)
        _, found, around = self._pick_cache
        if around != self.overlapping_targets:
            self.overlapping_targets, self.overlap_index = around, 0
        return around[self.overlap_index % len(around)] if around else found

    def _pick(
        self, x: float, y: float, things: Sequence[PickTarget]
    ) -> tuple[ClickTarget | None, list[Spot]]:
        """Return what a click at a position in the view refers to, and the spots that overlap there.

        The former is None if there is nothing to click. The spots begin with the one clicked; the list is empty if the
        click doesn't hit a spot that is a target.
        """
        seen = [thing.pick_object for thing in things]
        number = self.page.view.pick(x, y, seen, self.marble_scene.board_squares(self.page.exploded_layout))
        if number is None:
            return None, []
        found = things[number].click_target
        if not isinstance(found, Spot) or not seen[number].is_target:
            return found, []
        others = (things[i].click_target for i in self.page.view.pick_near(x, y, seen))
        return found, list(dict.fromkeys([found, *(spot for spot in others if isinstance(spot, Spot))]))

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the spot at a position in the view if a click on it has an effect, otherwise None.

        A click on the origin of the marble in hand has an effect, since it puts the marble back.
        """
        found = self.find_target(x, y)
        return found if isinstance(found, Spot) and found in clickable_spots(self.controller) else None

    def on_ctrl_wheel(self, steps: int) -> bool:
        """Handle Ctrl+wheel: rotate the shape at :attr:`active_spot` by ``steps`` orientations.

        If ``steps`` is negative, the shape is rotated backwards. Returns False if there is no shape to rotate,
        otherwise True.
        """
        if self.active_spot is None or len(self.controller.point_set_moves(self.active_spot)) < 2:
            return False
        self.page.actions.rotate_shape(steps)
        return True

    def on_grab(self, x: float, y: float) -> bool:
        """Handle the start of a drag: lift the marble at (``x``, ``y``) if that is the only move there.

        Nothing is lifted if the user can't move now, or if the settings say that dragging a marble rotates the board.
        Returns whether the drag carries a marble.
        """
        self.page.actions.finish_animations()
        spot = self.spot_at(x, y)
        if (
            spot is None
            or not self.model.is_live
            or self.controller.is_computer_turn
            or not self.page.app.settings.carry
        ):
            return False
        moves = self.controller.moves_by_spot.get(spot, [])
        if len(moves) == 1 and moves[0].kind == "lift":
            self.page.actions.choose_spot(spot)
        held = self.controller.state.held
        return held is not None and (held[2], held[1]) == spot[:2]

    def on_drop(self, x: float, y: float) -> None:
        """Drop the dragged marble on the target at (x, y), or put the marble back if there is no target."""
        self.page.actions.finish_animations()
        spot = self.spot_at(x, y)
        if spot in self.controller.targets and spot is not None:
            self.page.actions.choose_spot(spot)
        elif self.controller.state.held is not None:
            self.page.actions.step_back()

    def show_card_explanation(self, x: float, y: float) -> None:
        """Show a tooltip that explains the part of a player's card at (x, y) in the window.

        If there is no explanation, the tooltip is hidden.
        """
        cards = [card.explanation_at(x, y) for card in self.page.seat_cards if card.visible]
        self.page.explanation_tooltip.set_word(next((found for found in cards if found is not None), None))

    def on_point(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion to (``x``, ``y``) in the view; both are None if the pointer has left it."""
        self.show_card_explanation(*self.page.app.root.pointer)
        self.page.actions.hide_message_if_far(x, y)
        before = (self.hovered_spot, self.hovered_marble, self.page.table_marbles.hovered_heap, self.cursor)
        self.hovered_spot = self.hovered_marble = self.page.table_marbles.hovered_heap = None
        met = False
        if x is not None and y is not None and self.model.is_live:
            self.cursor = None
            found = self.find_target(x, y)
            if not isinstance(found, Spot):
                met = self.page.table_marbles.on_point(found)
            elif found in clickable_spots(self.controller):
                self.hovered_spot = found
                self.page.level_strip.show_level_of(found.point)
            elif found[:2] in self.marble_scene.marbles:
                self.hovered_marble = found[:2]
        if (
            self.hovered_spot,
            self.hovered_marble,
            self.page.table_marbles.hovered_heap,
            self.cursor,
        ) != before:
            self._start_rest_timer()
            self.page.refresh()
        self.page.view.cursor_shape = "hand" if self.hovered_spot is not None or met else ""

    def _start_rest_timer(self) -> None:
        """Start the timer that shows which marbles support the marble under the pointer.

        They are shown if the pointer is on the same marble :data:`HOVER_REST_SECONDS` later. If the pointer isn't on a
        marble, no timer is started.
        """
        self.rested_marble, resting = None, self.hovered_marble

        def stayed() -> None:
            if self.hovered_marble == resting is not None:
                self.rested_marble = resting
                self.page.refresh()

        if resting is not None:
            self.page.app.schedule(HOVER_REST_SECONDS, stayed)

    def on_click(self, x: float, y: float) -> bool:
        """Handle a click on the view; return False if there was nothing to click.

        If a refuted turn is still on the table, a click anywhere only takes back that turn and any reply to it. If an
        earlier position is shown, a click anywhere only returns to the current position.
        """
        self.page.actions.finish_animations()
        if self.page.clear_refutation():
            return True
        if not self.model.is_live:
            self.page.actions.view_ply(None)
            return True
        found = self.find_target(x, y)
        if isinstance(found, Spot):
            is_in_the_way = found[:2] in self.marble_scene.marbles and found not in clickable_spots(
                self.controller
            )
            self.page.actions.choose_spot(
                found, self.page.hidden_targets_button.explain_hidden_behind(found) if is_in_the_way else ""
            )
        elif found is not None:
            self.page.table_marbles.on_click(found)
        else:
            self.page.actions.clear_message()
            board = board_at(self.page.view, self.marble_scene, self.page.exploded_layout, x, y)
            if board < 0 or len(self.marble_scene.sizes) == 1:
                return False
            self.select_board(board)
        return True

    def on_spot_click(self, spot: Spot) -> None:
        """Handle a click on a point that is shown outside the 3D view, e.g. on a plan.

        If marbles can enter the point from several sides, ask which side is meant. While a refuted turn or an earlier
        position is shown, only return to the current position.
        """
        self.page.actions.finish_animations()
        if self.page.clear_refutation():
            return
        if not self.model.is_live:
            self.page.actions.view_ply(None)
            return
        sides = [s for s in self.controller.targets if s[:2] == spot[:2] and s.side >= 0]
        if spot not in self.controller.targets and len(sides) == 1:
            self.page.actions.choose_spot(sides[0])
        elif spot not in self.controller.targets and sides:
            self.page.actions.ask_which_move(
                [move for side in sides for move in self.controller.moves_by_spot[side]], spot
            )
        else:
            self.page.actions.choose_spot(spot)

    def on_spot_hover(self, spot: Spot | None) -> None:
        """Handle the pointer moving onto or off a point of a plan.

        ``spot`` is None if the pointer isn't on a point.
        """
        self.show_card_explanation(*self.page.app.root.pointer)
        if self.page.actions.message_spot is not None and spot != self.page.actions.message_spot:
            self.page.actions.clear_message()
        if self.model.is_live:
            self.cursor = None
            self.hovered_spot = spot if spot in self.controller.targets else None
            filled = spot is not None and self.model.observation.filled(spot.board) >> spot.point & 1
            self.hovered_marble = (
                (spot.board, spot.point) if spot is not None and filled and not self.hovered_spot else None
            )
            self._start_rest_timer()
            self.page.refresh()

    def on_cancel(self, x: float, y: float) -> None:
        """Handle a right click in the view: clear the selection or, if there is none, undo a step of the turn.

        If there is nothing to clear or undo, show what a click on the spot under the pointer would do, or why nothing
        can be done there. If such a click could mean several moves, show nothing. While an earlier position is shown,
        return to the current one instead.
        """
        found = self.find_target(x, y)
        self.on_spot_cancel(found if isinstance(found, Spot) else None)

    def on_spot_cancel(self, spot: Spot | None) -> None:
        """Handle a right click on ``spot`` or, if ``spot`` is None, away from all spots."""
        self.page.actions.finish_animations()
        if not self.model.is_live:
            self.page.actions.view_ply(None)
        elif not self.page.actions.step_back() and spot is not None:
            preview = self.controller.preview_click(spot)
            if preview is not None:
                self.page.actions.show_message(f"{self.controller.describe_outcome(preview.move)}.", spot)
            elif not self.controller.moves_by_spot.get(spot):
                self.page.actions.show_message(self.controller.explain_illegal(spot), spot)

    def handle_key(self, key: Key) -> bool:
        """Handle a key that controls the keyboard cursor; return whether the key was used.

        Tab, Home, End, the arrow keys, Page Up and Page Down move the cursor between targets. Enter or Space chooses
        the target under the cursor. If there is no cursor, Enter and Space make the controller's
        :attr:`~.Controller.finishing_move`, or pass if that is the only legal move. While a choice waits for
        confirmation, Enter confirms it instead.

        No key is used while a widget has the focus or an earlier position is shown.
        """
        if self.page.app.root.focus is not None or not self.model.is_live:
            return False
        targets = self.controller.targets
        if key.name in ("enter", "space") and not (key.ctrl or key.alt):
            self.page.actions.finish_animations()
            if self.cursor is not None and (self.controller.unconfirmed_move is None or key.name == "space"):
                self.page.actions.choose_spot(self.cursor)
            elif self.controller.finishing_move is not None:
                self.page.actions.end_turn()
            elif self.controller.pass_move is not None and len(self.controller.moves) == 1:
                self.page.actions.pass_turn()
            return True
        if not targets or key.ctrl or key.alt:
            return False
        if key.name == "tab":
            if self.cursor in targets:
                place = (targets.index(self.cursor) + (-1 if key.shift else 1)) % len(targets)
            else:
                place = -1 if key.shift else 0
            self.set_cursor(targets[place])
        elif key.name in ("home", "end"):
            self.set_cursor(targets[0 if key.name == "home" else -1])
        elif key.name in ("left", "right", "up", "down"):
            self.set_cursor(nearest_in_direction(key.name, self.cursor, targets, self.spot_position))
        elif key.name in ("pageup", "pagedown"):
            level = get_pyramid(self.model.state.size).level
            self.set_cursor(
                nearest_on_next_level(
                    1 if key.name == "pageup" else -1, self.cursor, targets, level, self.spot_position
                )
            )
        else:
            return False
        return True

    def set_cursor(self, spot: Spot) -> None:
        """Move the keyboard cursor to a spot, show the spot's level in the level strip, and clear the message."""
        self.cursor, self.hovered_spot, self.hovered_marble = spot, None, None
        self.page.level_strip.show_level_of(spot.point)
        self.page.actions.clear_message()
        self.page.refresh()

    def click_positions(self) -> dict[str, list[int]]:
        """Return the click positions of all visible spots, by name, in window pixels."""
        things = self._pick_targets()
        positions = self.page.view.clickable_positions(
            [thing.pick_object for thing in things],
            self.marble_scene.board_squares(self.page.exploded_layout),
        )
        return {
            self.spot_name(thing.click_target): self.page.app.to_window_pixels(*place)
            for thing, (place, seen) in zip(things, positions, strict=True)
            if seen and isinstance(thing.click_target, Spot)
        }

    def spot_name(self, spot: Spot) -> str:
        """Return the name of a spot, as used in the notation of moves."""
        titles, side = (
            self.model.state.board_names,
            f"/{SIDES[spot.side][0].upper()}" if spot.side >= 0 else "",
        )
        head = f"{titles[spot.board]}." if len(titles) > 1 else ""
        return f"{head}{get_pyramid(self.model.state.size).point_names[spot.point]}{side}"
