"""Exploded view and flat plans of the boards, and the button that shows hidden targets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from shibumi3d.i18n import Plural, _, pgettext
from shibumi3d.match.marbles import marble_state
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.pyramid import Pyramid, get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles import diagram
from shibumi3d.scene.marbles.diagram import (
    EDGE_COLOUR,
    LAST_MOVE_COLOUR,
    STOP_COLOUR,
    Diagram,
    draw_line,
    draw_ring,
)
from shibumi3d.scene.marbles.exploded_view import (
    ExplodedView,
    FreeArea,
    exploded_view_camera,
    make_exploded_view,
)
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.pen import Colour, Pen, multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style

from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.widget import Key, Widget
from . import boards
from .controller import Spot
from .interfaces import MarblePage

EXPLODED_VIEW_MARGIN_PX = 8.0
"""Margin kept free at the edges of the area for the levels, and around panels, in logical pixels."""


class ExplodedViewControl:
    """Controller that turns the exploded view on and off, lays out its levels and animates the transition."""

    def __init__(self, page: MarblePage) -> None:
        self.page = page
        self.is_on = False
        self.current_layout: ExplodedView | None = None
        """Current layout of the levels, or None while they are stacked as pyramids."""
        self._target_layout: ExplodedView | None = None
        self._progress = 0.0
        self._start_progress = self._start_time = 0.0
        self._quarter_turns = 0
        self._return_camera: Camera = page.view.home_camera
        """Camera to return to when the exploded view is turned off."""

    def set_on(self, is_on: bool) -> None:
        """Turn the exploded view on or off, and start the transition.

        Marbles in motion jump to their targets. Nothing happens if the exploded view is already in the requested state.
        """
        if is_on == self.is_on:
            return
        view = self.page.view
        self.is_on = is_on
        self._start_progress, self._start_time = self._progress, self.page.app.clock()
        # Marbles in flight would miss their targets, since the levels move.
        self.page.marble_scene.finish()
        if is_on:
            self._return_camera = view.target_camera
            self._quarter_turns = round(view.target_camera.yaw / 90.0) % 4
        else:
            view.rest_camera = None
            view.animate_to(self._return_camera)
        self.page.layout(self.page.rect)
        self.page.refresh()

    def rotate(self, quarters: int) -> bool:
        """Rotate every level by ``quarters`` quarter turns.

        Returns whether the exploded view is on; does nothing if it is off.
        """
        if not self.is_on:
            return False
        self._quarter_turns = (self._quarter_turns + quarters) % 4
        self.page.layout(self.page.rect)
        return True

    def layout_levels(self, area: Rect, panels: tuple[Rect, ...]) -> None:
        """Lay out the levels as large as possible in ``area``, clear of ``panels`` if there is room.

        The camera moves to show the new layout. Do nothing if the exploded view is off.
        """
        if not self.is_on:
            return
        view = self.page.view
        places = [
            self._relative_bounds(free, area)
            for free in _find_free_rects(area.inset(EXPLODED_VIEW_MARGIN_PX), panels)
        ]
        sizes = self.page.marble_scene.sizes
        found = [
            (make_exploded_view(sizes, x1 - x0, y1 - y0, self._quarter_turns), (x0, y0, x1, y1))
            for x0, y0, x1, y1 in places
        ]
        spread, free = max(
            found, key=lambda pair: -exploded_view_camera(pair[0], area.w, area.h, pair[1]).frame_height
        )
        camera = exploded_view_camera(spread, area.w, area.h, free)
        self._target_layout = spread
        if camera != view.rest_camera:
            # If only the available space has changed, switch to the new layout without animation.
            moved = view.rest_camera is not None and view.target_camera == view.rest_camera
            if moved:
                view.camera = camera
                view.stop()
            else:
                view.animate_to(camera)
            view.rest_camera = camera
        self._update_layout()

    @staticmethod
    def _relative_bounds(free: Rect, area: Rect) -> FreeArea:
        return free.x - area.x, free.y - area.y, free.right - area.x, free.bottom - area.y

    def animate(self, now: float) -> bool:
        """Advance the transition to the clock time ``now``; return whether it was running."""
        goal = 1.0 if self.is_on else 0.0
        if self._progress == goal:
            return False
        length = self.page.app.settings.animation_seconds(motion.EXPLODE_MS)
        progress = motion.EASE_STANDARD((now - self._start_time) / length) if length > 0 else 1.0
        self._progress = (
            goal if progress >= 1.0 else self._start_progress + (goal - self._start_progress) * progress
        )
        self._update_layout()
        return True

    def _update_layout(self) -> None:
        self.current_layout = (
            None
            if self._target_layout is None or not self._progress
            else replace(self._target_layout, progress=self._progress)
        )


def _find_free_rects(area: Rect, panels: tuple[Rect, ...]) -> list[Rect]:
    """Return large rectangles in ``area`` that don't overlap any of ``panels``.

    Each side of a rectangle lies on an edge of the area, or at a distance of :data:`EXPLODED_VIEW_MARGIN_PX` from a
    panel. Rectangles that are at most 40 logical pixels wide or high are left out. If a panel leaves no rectangle, it
    and all panels before it are ignored.
    """
    free_rects = [area]
    for panel in panels:
        parts: list[Rect] = []
        for rect in free_rects:
            if rect.intersection(panel).w <= 0 or rect.intersection(panel).h <= 0:
                parts.append(rect)
                continue
            parts += [
                Rect(rect.x, rect.y, panel.x - EXPLODED_VIEW_MARGIN_PX - rect.x, rect.h),
                Rect(
                    panel.right + EXPLODED_VIEW_MARGIN_PX,
                    rect.y,
                    rect.right - panel.right - EXPLODED_VIEW_MARGIN_PX,
                    rect.h,
                ),
                Rect(rect.x, rect.y, rect.w, panel.y - EXPLODED_VIEW_MARGIN_PX - rect.y),
                Rect(
                    rect.x,
                    panel.bottom + EXPLODED_VIEW_MARGIN_PX,
                    rect.w,
                    rect.bottom - panel.bottom - EXPLODED_VIEW_MARGIN_PX,
                ),
            ]
        free_rects = [part for part in parts if part.w > 40 and part.h > 40] or [area]
    return free_rects


STEEP_PITCH_DEGREES = 62.0
"""Camera pitch, in degrees, at which holes behind marbles are visible."""
BUTTON_HEIGHT_PX = 28.0
LOW_BOARD_HEIGHT_PX = 300.0
"""Height of the board's area below which the marbles beside the board come close to the area's left edge."""
HIDDEN_TARGETS_TEXT = Plural(
    "{n} point that you can choose is hidden behind marbles: press V to see it.",
    "{n} points that you can choose are hidden behind marbles: press V to see them.",
)


class HiddenTargetsButton(Button):
    """Button that shows the number of hidden targets.

    The button is visible only if there are any. Clicking the button moves the camera to reveal targets or, if that
    doesn't help, turns on the exploded view.
    """

    def __init__(self, page: MarblePage, exploded_view: ExplodedViewControl) -> None:
        super().__init__(
            "",
            self.reveal_targets,
            tip=_("Rotate the board to show hidden points  V"),
            name="behind",
            size=SMALL_TEXT_PX,
            kind="plain",
        )
        self.page, self._exploded_view = page, exploded_view
        self.visible = False
        self.hidden_count = 0
        self._update_key: tuple[object, ...] = ()

    def update(self) -> bool:
        """Update the button if anything that it depends on has changed; return whether the number on it changed."""
        page = self.page
        controller, view = page.controller, page.view
        asked = (
            controller.moves,
            controller.next_colour,
            controller.selected_points,
            id(page.match.state),
            page.model.can_choose,
        )
        key = (
            asked,
            view.camera,
            view.rect,
            view.visible,
            page.exploded_layout,
            page.banner_text,
            page.is_zen_mode,
        )
        if key == self._update_key:
            return False
        self._update_key, before = key, self.hidden_count
        shown = page.model.can_choose and page.view.visible
        self.hidden_count = sum(self.find_hidden(page.view.camera)) if shown else 0
        self.label = _("{n} hidden – V to show", self.hidden_count)
        self.visible = self.hidden_count > 0 and not page.banner_text
        return self.hidden_count != before

    def find_hidden(self, camera: Camera) -> list[bool]:
        """Return, for each target on the boards, whether its sign is hidden from ``camera``."""
        page = self.page
        lying = () if page.is_zen_mode else page.table_contents(page.animation_time()).balls
        signs = page.sign_layer.target_signs()
        extra = [ball.position for ball in lying]
        return page.marble_scene.are_signs_hidden(
            signs, camera, page.view.aspect, page.exploded_layout, extra
        )

    def explain_hidden_behind(self, spot: Spot) -> str:
        """Return a sentence that says how many targets are hidden.

        The result is empty unless a target is hidden behind the marble at ``spot``, or all targets are hidden.
        """
        page = self.page
        targets, pointer = page.controller.targets, page.pointer
        hidden = [
            target
            for target, is_hidden in zip(targets, self.find_hidden(page.view.camera), strict=True)
            if is_hidden
        ]
        here, radius = pointer.spot_position(spot), pointer.spot_radius(spot)
        behind = [target for target in hidden if math.dist(pointer.spot_position(target), here) < radius]
        if not behind and len(hidden) < len(targets):
            return ""
        return _(HIDDEN_TARGETS_TEXT, len(hidden)) if hidden else ""

    def reveal_targets(self) -> None:
        """Move the camera so that as few targets as possible are hidden.

        The views tried are from four directions, each at the usual and at a steep pitch, and from above. If none of
        them hides fewer targets than the current view, choose the one that shows the most of the targets that are
        hidden now. If none of them shows any of those targets, turn on the exploded view.
        """
        page = self.page
        here = self.find_hidden(page.view.target_camera)
        if not any(here):
            return
        home = page.view.home_camera
        quarters = [home.rotated(90.0 * quarter) for quarter in range(4)]
        ways = [*quarters, *(replace(way, pitch=STEEP_PITCH_DEGREES) for way in quarters), home.from_above()]
        found = [self.find_hidden(way) for way in ways]
        fewest = min(range(len(ways)), key=lambda i: sum(found[i]))
        gains = [sum(a and not b for a, b in zip(here, there, strict=True)) for there in found]
        if sum(found[fewest]) < sum(here):
            page.view.animate_to(ways[fewest])
        elif max(gains):
            page.view.animate_to(ways[gains.index(max(gains))])
        else:
            self._exploded_view.set_on(True)

    def layout_beside_cards(self, area: Rect, cards: Sequence[Rect], canvas: Canvas) -> None:
        """Lay out the button at the left edge of ``area``, below the cards there.

        If there is too little room below these cards, the button goes to the right of them, at the top. In a low area
        without cards in its right half, the button goes to the top right corner instead if there is room.
        """
        wide = canvas.text_width(_("{n} hidden – V to show", 88), "sans", SMALL_TEXT_PX) + 28
        west = [card for card in cards if card.cx < area.cx]
        taken = max((card.right for card in west), default=area.x)
        if area.h < LOW_BOARD_HEIGHT_PX and len(west) == len(cards) and taken + 8 + wide < area.right:
            self.layout(Rect(area.right - wide, area.y, wide, BUTTON_HEIGHT_PX))
            return
        x, y = area.x, max((card.bottom + 8 for card in west), default=area.y)
        if y + BUTTON_HEIGHT_PX > area.bottom:
            x, y = taken + 8, area.y
        self.layout(Rect(x, y, wide, BUTTON_HEIGHT_PX))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.shadow(self.rect, style.shadow)
        super().paint(canvas, style)


PlanPosition = tuple[float, float]
MIN_NUMBERED_CELL_PX = 26.0
"""Minimum size of a point's square, in logical pixels, at which numbers and coloured dots in it are legible."""
CONNECTING_SIGNS = (
    SignKind.TRAIL,
    SignKind.LINE,
    SignKind.HAND_MOVE,
    SignKind.STACKED,
    SignKind.LINKED,
    SignKind.CUT,
)


def paint_sign(pen: Pen, style: Style, sign: Sign, position: PlanPosition, cell_size: float) -> None:
    """Draw a sign at a single point.

    ``position`` is the centre of the point's square, and ``cell_size`` the length of the square's sides. A number
    is left out if the square is too small. Signs of kinds that are drawn elsewhere are ignored.
    """
    x, y = position
    match sign.kind:
        case SignKind.NUMBER if cell_size >= MIN_NUMBERED_CELL_PX:
            px, py, size = x + cell_size * 0.3, y - cell_size * 0.3, max(7.0, cell_size * 0.16)
            pen.disc(px, py, size + 1, style.ink)
            pen.disc(px, py, size, style.card)
            place = Rect(px - size, py - size, 2 * size, 2 * size)
            pen.text_in(place, str(sign.number), style.ink, "bold", round(size * 1.35), 0.5)
        case SignKind.HOVER:
            draw_ring(pen, x, y, cell_size * 0.46, style.card, max(1.0, cell_size * 0.02))
        case SignKind.PINNED | SignKind.LOADED:
            for bar in (0.3, 0.4) if sign.kind is SignKind.PINNED else (0.35,):
                pen.rect(
                    Rect(
                        x - cell_size * 0.18, y + cell_size * (bar - 0.02), cell_size * 0.36, cell_size * 0.1
                    ),
                    EDGE_COLOUR,
                )
                pen.rect(
                    Rect(x - cell_size * 0.16, y + cell_size * bar, cell_size * 0.32, cell_size * 0.06),
                    LAST_MOVE_COLOUR,
                )
        case SignKind.RECOLOURED:
            pen.ring(x, y, cell_size * 0.48, EDGE_COLOUR, cell_size * 0.12)
            pen.ring(x, y, cell_size * 0.46, style.marbles[sign.colours[0]], cell_size * 0.08)
        case SignKind.STACKED:
            for turn in range(3):
                angle = math.tau * turn / 3
                dot = x + cell_size * 0.12 * math.sin(angle), y - cell_size * 0.12 * math.cos(angle)
                pen.disc(*dot, cell_size * 0.06 + 1, style.ink)
                pen.disc(*dot, cell_size * 0.06, style.card)
        case SignKind.REPLACED:
            for way in (-1, 1):
                left, right = (
                    (x - way * cell_size * 0.2, y + way * cell_size * 0.1),
                    (x + way * cell_size * 0.2, y + way * cell_size * 0.1),
                )
                paint_line(pen, left, right, LAST_MOVE_COLOUR, cell_size)
                paint_arrowhead(pen, right, (way, 0.0), cell_size * 0.12, LAST_MOVE_COLOUR)


def paint_connecting_sign(
    pen: Pen, style: Style, sign: Sign, start: PlanPosition, end: PlanPosition, cell_size: float
) -> None:
    """Draw a sign that connects two points, whose centres are ``start`` and ``end``.

    ``cell_size`` is the side length of a point's square.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 1.0:
        return
    way = dx / long, dy / long
    match sign.kind:
        case SignKind.HAND_MOVE:
            end = end[0], end[1] - cell_size * 0.44
            places = arc_points(start, end)
            for one, other in pairwise(places):
                paint_line(pen, one, other, LAST_MOVE_COLOUR, cell_size)
            (x, y), (tip_x, tip_y) = places[-3], end
            last = max(math.hypot(tip_x - x, tip_y - y), 1e-6)
            paint_arrowhead(
                pen, end, ((tip_x - x) / last, (tip_y - y) / last), cell_size * 0.16, LAST_MOVE_COLOUR
            )
        case SignKind.TRAIL:
            paint_line(pen, start, end, LAST_MOVE_COLOUR, cell_size)
            paint_arrowhead(
                pen, (start[0] + dx * 0.55, start[1] + dy * 0.55), way, cell_size * 0.2, LAST_MOVE_COLOUR
            )
        case SignKind.CUT:
            for a, b in ((0.15, 0.42), (0.58, 0.85)):
                one, other = (start[0] + dx * a, start[1] + dy * a), (start[0] + dx * b, start[1] + dy * b)
                paint_line(pen, one, other, STOP_COLOUR, cell_size)
        case _:
            paint_line(pen, start, end, LAST_MOVE_COLOUR, cell_size)


def paint_line(pen: Pen, start: PlanPosition, end: PlanPosition, colour: Colour, cell_size: float) -> None:
    """Draw a line with a dark outline, which makes it visible on marbles, wood and paper.

    The line's width depends on ``cell_size``, the side length of a point's square.
    """
    width = max(1.2, cell_size * 0.035)
    draw_line(pen, start, end, multiply_alpha(EDGE_COLOUR, 0.8), width * 2.2)
    draw_line(pen, start, end, colour, width)


def arc_points(start: PlanPosition, end: PlanPosition) -> list[PlanPosition]:
    """Return 13 points on an arc from ``start`` to ``end``.

    The arc rises above the straight line between ``start`` and ``end``. Its height in the middle is a quarter of that
    line's length.
    """
    (x0, y0), (x1, y1) = start, end
    rise = 0.25 * math.hypot(x1 - x0, y1 - y0)
    steps = [i / 12 for i in range(13)]
    return [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t - rise * 4 * t * (1 - t)) for t in steps]


def paint_arrowhead(
    pen: Pen, tip: PlanPosition, direction: PlanPosition, size: float, colour: Colour
) -> None:
    """Draw an arrowhead of length ``size`` at ``tip``, pointing in the direction of the unit vector ``direction``."""
    for scale, tint in ((1.35, EDGE_COLOUR), (1.0, colour)):
        dx, dy = direction[0] * size * scale, direction[1] * size * scale
        head = [(0.0, 0.0), (-dx - dy * 0.6, -dy + dx * 0.6), (-dx + dy * 0.6, -dy - dx * 0.6)]
        pen.polygon(
            tip[0] + direction[0] * size * (scale - 1) * 0.5,
            tip[1] + direction[1] * size * (scale - 1) * 0.5,
            head,
            tint,
        )


MAX_CELL_SIZE_PX, LEVEL_GAP_PX, STRIP_PADDING_PX, LEVEL_LABEL_WIDTH_PX, LEVEL_SELECTOR_HEIGHT_PX = (
    18.0,
    8.0,
    8.0,
    14.0,
    20.0,
)
MAX_FULL_STRIP_BOARD_SIZE = 5
"""Largest board size for which the strip shows all levels; for larger boards it shows three."""
SIDE_DIRECTIONS = ((-1, 0), (1, 0), (0, 1), (0, -1))
"""Unit vectors on the screen for west, east, south and north."""


class PointGrid(Widget):
    """Plan of one or more levels, with a clickable square for each point."""

    def __init__(self, page: MarblePage, name: str) -> None:
        super().__init__(name)
        self.page = page
        self._pressed_spot: Spot | None = None

    @property
    def pyramid(self) -> Pyramid:
        """Geometry of the boards."""
        return get_pyramid(marble_state(self.page.match.initial_state).size)

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a point's centre in the window, in logical pixels."""
        raise NotImplementedError

    def point_positions(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Return the window positions of all points drawn, by board and point, in drawing order."""
        raise NotImplementedError

    @property
    def cell_size(self) -> float:
        """Side length of a point's square, in logical pixels."""
        raise NotImplementedError

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the point whose square contains the window position (x, y), or None if there is none."""
        half = self.cell_size / 2
        for at, (px, py) in self.point_positions().items():
            if abs(px - x) <= half and abs(py - y) <= half:
                return Spot(*at)
        return None

    def paint_points(self, canvas: Canvas, style: Style, signs: list[Sign], ghosts: list[Ghost]) -> None:
        """Paint the points of the uncovered boards, with their marbles, targets, signs and ghosts."""
        page, cell, sight = self.page, self.cell_size, self.page.snapshot
        targets = {spot[:2] for spot in page.controller.targets} if sight.can_choose else set()
        entries = [spot for spot in page.controller.targets if spot.side >= 0 and sight.can_choose]
        if page.app.settings.marks == "off":
            targets, entries = set(), []
        covered, last, standing_at = sight.covered_boards, sight.placed_cells, sight.marbles
        active = page.pointer.active_spot
        kinds: dict[tuple[int, int], set[SignKind]] = {}
        for sign in signs:
            kinds.setdefault((sign.board, sign.point), set()).add(sign.kind)
        ghost_at = {(ghost.board, ghost.point): ghost for ghost in ghosts}
        split = len(page.controller.available_colours) > 1 and page.controller.chosen_colour is None
        thick = max(1.5, cell * 0.05)
        places = self.point_positions()
        for at, (x, y) in places.items():
            if at[0] in covered:
                continue
            here = kinds.get(at, ())
            standing = standing_at.get(at)
            if standing is not None:
                doomed = SignKind.DOOMED in here
                diagram.draw_marble(canvas, style, x, y, cell, standing, 0.35 if doomed else 1.0)
                if at in last:
                    diagram.draw_ring(canvas, x, y, cell * 0.49, diagram.LAST_MOVE_COLOUR, thick)
                if SignKind.WIN in here or SignKind.DECISIVE in here:
                    diagram.draw_ring(canvas, x, y, cell * 0.46, diagram.WINNING_COLOUR, thick * 1.6)
                if SignKind.COUNTED in here:
                    diagram.draw_ring(canvas, x, y, cell * 0.46, diagram.LEGAL_COLOUR, thick)
                if SignKind.FALLEN in here:
                    low, half = y + cell * 0.42, cell * 0.14
                    canvas.polygon(
                        x, low, [(-half, -half), (half, -half), (0, half)], diagram.LAST_MOVE_COLOUR
                    )
                if at in targets:
                    canvas.disc(x, y, cell * 0.16, diagram.EDGE_COLOUR)
                    canvas.disc(x, y, cell * 0.12, diagram.LEGAL_COLOUR)
                if doomed:
                    size = cell * 0.3
                    for turn in (-1, 1):
                        ends = (x - size, y - size * turn), (x + size, y + size * turn)
                        paint_line(canvas, *ends, diagram.STOP_COLOUR, cell)
            elif at in targets:
                diagram.draw_ring(canvas, x, y, cell * 0.32, diagram.LEGAL_COLOUR, thick)
                colours = (
                    page.controller.colours_at(Spot(*at)) if split and cell >= MIN_NUMBERED_CELL_PX else ()
                )
                for number, colour in enumerate(colours if len(colours) > 1 else ()):
                    aside = (number - (len(colours) - 1) / 2) * cell * 0.17
                    canvas.disc(x + aside, y, cell * 0.09, diagram.EDGE_COLOUR)
                    canvas.disc(x + aside, y, cell * 0.07, style.marbles[colour])
            else:
                diagram.draw_hole(canvas, x, y, cell * 0.7)
            if at in ghost_at:
                diagram.draw_marble(canvas, style, x, y, cell * 0.9, ghost_at[at].colour, 0.6)
            if SignKind.HINT in here:
                diagram.draw_ring(canvas, x, y, cell * 0.48, diagram.LAST_MOVE_COLOUR, thick)
            if SignKind.ORIGIN in here:
                diagram.draw_ring(canvas, x, y, cell * 0.3, style.card, max(1.0, cell * 0.02))
            if active is not None and active[:2] == at:
                box = Rect(x - cell / 2, y - cell / 2, cell, cell)
                canvas.outline(box.inset(-1), diagram.EDGE_COLOUR, 4, thick + 2)
                canvas.outline(box, diagram.LEGAL_COLOUR, 3, thick)
        for sign in signs:
            if (sign.board, sign.point) in places and sign.board not in covered:
                place = places[sign.board, sign.point]
                if sign.kind in CONNECTING_SIGNS and (sign.board, sign.target_point) in places:
                    paint_connecting_sign(
                        canvas, style, sign, place, places[sign.board, sign.target_point], cell
                    )
                paint_sign(canvas, style, sign, place, cell)
        for entry in entries:
            if entry.board in covered or entry[:2] not in places:
                continue
            x, y = places[entry[:2]]
            dx, dy = SIDE_DIRECTIONS[entry.side]
            strong = active is not None and active == entry
            size = cell * (0.2 if strong else 0.14)
            px, py = x + dx * cell * 0.42, y + dy * cell * 0.42
            # The arrow points inward.
            tip = (-dx * size, -dy * size)
            left, right = (
                (dx * size - dy * size, dy * size + dx * size),
                (dx * size + dy * size, dy * size - dx * size),
            )
            loop = [tip, left, right]
            area = (left[0] - tip[0]) * (right[1] - tip[1]) - (right[0] - tip[0]) * (left[1] - tip[1])
            loop = loop if area > 0 else loop[::-1]
            canvas.polygon(px, py, [(1.3 * dx, 1.3 * dy) for dx, dy in loop], diagram.EDGE_COLOUR)
            canvas.polygon(px, py, loop, diagram.LEGAL_COLOUR)

    def on_pointer_move(self, x: float, y: float) -> None:
        spot = self.spot_at(x, y)
        at = None if spot is None else spot[:2]
        self.cursor_shape = "hand" if any(target[:2] == at for target in self.page.controller.targets) else ""
        self.page.pointer.on_spot_hover(spot)

    def on_pointer_leave(self) -> None:
        self.page.pointer.on_spot_hover(None)

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        self._pressed_spot = self.spot_at(x, y)
        return button in ("left", "right")

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        spot = self.spot_at(x, y) if self.rect.contains(x, y) else None
        if spot != self._pressed_spot:
            return
        if button == "right":
            self.page.pointer.on_spot_cancel(spot)
        elif spot is not None:
            self.page.pointer.on_spot_click(spot)


class LevelStrip(PointGrid):
    """Strip of small plans of the active board's levels, with the highest level at the top.

    North is at the top of each plan. For a large board, the strip shows only three levels at a time; a row of letters
    above the plans selects which ones.
    """

    is_static = True

    def __init__(self, page: MarblePage) -> None:
        super().__init__(page, "plans")
        self.middle_level = 1

    @property
    def levels(self) -> range:
        """Levels that are drawn."""
        size = self.pyramid.size
        if size <= MAX_FULL_STRIP_BOARD_SIZE:
            return range(size)
        middle = max(1, min(size - 2, self.middle_level))
        return range(middle - 1, middle + 2)

    @property
    def selector_height(self) -> float:
        """Height of the row of letters for selecting levels, or 0 if there is none."""
        return LEVEL_SELECTOR_HEIGHT_PX if self.pyramid.size > MAX_FULL_STRIP_BOARD_SIZE else 0.0

    def show_level_of(self, point: int) -> None:
        """Show the level of ``point`` in the strip."""
        level = self.pyramid.level[point]
        if level not in self.levels:
            self.middle_level = level
            self.refresh()

    def preferred_size(self, max_height: float) -> tuple[float, float]:
        """Return the preferred width and height, with a height of at most ``max_height``."""
        size, levels = self.pyramid.size, self.levels
        rows = sum(size - level for level in levels) if size <= MAX_FULL_STRIP_BOARD_SIZE else 3 * size - 3
        gaps = 2 * STRIP_PADDING_PX + LEVEL_GAP_PX * (len(levels) - 1) + self.selector_height
        cell = min(MAX_CELL_SIZE_PX, (max_height - gaps) / rows)
        return 2 * STRIP_PADDING_PX + LEVEL_LABEL_WIDTH_PX + size * cell, gaps + rows * cell

    @property
    def cell_size(self) -> float:
        return (self.rect.w - 2 * STRIP_PADDING_PX - LEVEL_LABEL_WIDTH_PX) / self.pyramid.size

    def point_positions(self) -> dict[tuple[int, int], tuple[float, float]]:
        pyr, board = self.pyramid, self.page.snapshot.active_board
        return {
            (board, point): place
            for level in self.levels
            for point, place in self._level_positions(level, iter_bits(pyr.levels[level])).items()
        }

    def _level_positions(self, level: int, points: Iterable[int]) -> dict[int, tuple[float, float]]:
        pyr, cell = self.pyramid, self.cell_size
        width = pyr.size - level
        higher = [pyr.size - k for k in self.levels if k > level]
        above = self.selector_height + sum(higher) * cell + LEVEL_GAP_PX * len(higher)
        left = self.rect.x + STRIP_PADDING_PX + LEVEL_LABEL_WIDTH_PX + (pyr.size - width) * cell / 2
        top = self.rect.y + STRIP_PADDING_PX + above
        return {
            p: (left + (pyr.file[p] + 0.5) * cell, top + (width - pyr.rank[p] - 0.5) * cell) for p in points
        }

    def point_position(self, point: int) -> tuple[float, float]:
        """Return the centre of a point on the active board, in window coordinates."""
        return self._level_positions(self.pyramid.level[point], (point,))[point]

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        return self.point_position(spot.point)

    def _selector_rect(self, level: int) -> Rect:
        wide = (self.rect.w - 8) / self.pyramid.size
        return Rect(self.rect.x + 4 + wide * level, self.rect.y + 4, wide, LEVEL_SELECTOR_HEIGHT_PX - 2)

    def paint_key(self) -> object:
        page, shown = self.page, self.page.snapshot
        controller, signs = page.controller, page.sign_layer.plan_signs()
        what = (
            shown.active_board,
            shown.marbles,
            shown.covered_boards,
            shown.placed_cells,
            shown.can_choose,
            self.middle_level,
        )
        return (
            *what,
            signs,
            controller.moves,
            controller.targets,
            controller.chosen_colour,
            page.pointer.active_spot,
            page.app.settings.marks,
        )

    def accessible_text(self) -> str:
        """Return an empty string, since screen readers get the points from the boards."""
        return ""

    def paint(self, canvas: Canvas, style: Style) -> None:
        pyr, cell = self.pyramid, self.cell_size
        canvas.rect(self.rect, multiply_alpha(style.card, 0.88), CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.hairline, CORNER_RADIUS_PX)
        if self.selector_height:
            for level in range(pyr.size):
                on = level in self.levels
                if on:
                    canvas.rect(self._selector_rect(level), style.recessed, 3)
                ink = style.ink if on else style.secondary_ink
                canvas.text_in(
                    self._selector_rect(level), chr(65 + level), ink, "sans", SMALL_TEXT_PX - 1, 0.5
                )
        for level in self.levels:
            y = self.point_position(pyr.levels[level].bit_length() - 1)[1]
            place = Rect(self.rect.x + 6, y - cell / 2, LEVEL_LABEL_WIDTH_PX, cell)
            canvas.text_in(
                place, chr(65 + level), style.secondary_ink, "sans", min(SMALL_TEXT_PX - 1, round(cell)), 0
            )
            x = self.point_position((pyr.levels[level] & -pyr.levels[level]).bit_length() - 1)[0]
            side = (pyr.size - level) * cell
            canvas.rect(Rect(x - cell / 2, y - cell / 2, side, side).inset(-1), style.diagram_ground, 3)
        if self.page.snapshot.active_board in self.page.snapshot.covered_boards:
            canvas.text_fit(
                self.rect.inset(4), _("under a cloth"), style.secondary_ink, "italic", SMALL_TEXT_PX, 0.5
            )
        self.paint_points(canvas, style, *self.page.sign_layer.plan_signs())

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.selector_height and y < self.rect.y + STRIP_PADDING_PX + self.selector_height:
            for level in range(self.pyramid.size):
                if self._selector_rect(level).contains(x, y):
                    self.middle_level = level
                    self.refresh()
            return
        super().on_release(x, y, button, key)


class FlatPlan(PointGrid):
    """Main view in flat mode: a plan of all levels of all boards, drawn as large as possible."""

    def __init__(self, page: MarblePage) -> None:
        super().__init__(page, "flat plan")
        self.visible = False

    def drawn_spots(self) -> list[Spot]:
        """Return all points of all boards."""
        pyr = self.pyramid
        boards = range(len(self.page.state.board_names))
        return [Spot(board, point) for board in boards for point in range(pyr.point_count)]

    def point_positions(self) -> dict[tuple[int, int], tuple[float, float]]:
        points = range(self.pyramid.point_count)
        return {
            (board, point): drawn.point_centre(point)
            for board, drawn in enumerate(self.diagrams)
            for point in points
        }

    @property
    def diagrams(self) -> tuple[Diagram, ...]:
        """Plans of the boards, arranged in the number of columns that makes the marbles largest."""
        return diagram.fit_diagrams(self.rect, self.pyramid.size, len(self.page.state.board_names))

    @property
    def cell_size(self) -> float:
        return self.diagrams[0].cell_size

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        return self.diagrams[spot.board].point_centre(spot.point)

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        several = len(page.state.board_names) > 1
        sight = page.snapshot
        covered = sight.covered_boards
        for board, drawn in enumerate(self.diagrams):
            standing = {} if board in covered else self.marbles_on_board(board)
            title = boards.board_title(page.state, page.names, board)[0] if several else ""
            diagram.draw_level_backgrounds(
                canvas,
                style,
                drawn,
                standing,
                lambda letter: pgettext("level", "level {letter}", letter=letter),
                title,
                several and board == sight.active_board,
            )
            if board in covered:
                canvas.rect(drawn.backgrounds[0], multiply_alpha(style.card, 0.92), CORNER_RADIUS_PX)
                canvas.text_in(
                    drawn.backgrounds[0], _("under a cloth"), style.secondary_ink, "italic", BODY_TEXT_PX, 0.5
                )
        self.paint_points(canvas, style, *page.sign_layer.plan_signs())

    def marbles_on_board(self, board: int) -> dict[int, int]:
        """Return the marbles on a board, as a mapping from points to colours."""
        return {point: colour for (on, point), colour in self.page.snapshot.marbles.items() if on == board}
