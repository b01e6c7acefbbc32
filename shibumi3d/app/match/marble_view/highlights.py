"""Signs and ghosts over the boards: legal targets, picked points, and previews of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.frame import Frame, Mark
from shibumi3d.scene.marbles.displacements import find_displacements
from shibumi3d.scene.marbles.signs import GHOST_ALPHA, Ghost, Sign, SignKind

from .boards import number_signs
from .controller import Preview, Spot
from .interfaces import MarblePage


class SignLayer:
    """Signs and ghosts drawn over the boards of a page."""

    def __init__(self, page: MarblePage) -> None:
        self.page, self.model, self.controller, self.marble_scene = (
            page,
            page.model,
            page.controller,
            page.marble_scene,
        )
        self.shows_connections = False

    def make_frame(self, now: float, aspect: float) -> Frame:
        """Return the frame at time ``now``, with the signs and ghosts over the boards.

        During an animation, there are no previews, and the only signs for the player's choice are those that mean the
        same before and after it.
        """
        pointer = self.page.pointer
        signs = self.page.static_signs() if not self.page.actions.is_replaying else []
        if len(self.marble_scene.sizes) > 1:
            signs.append(Sign(SignKind.ACTIVE_BOARD, pointer.board))
        if self.shows_connections and pointer.board not in self.model.covered_boards:
            signs += self.marble_scene.connection_signs(pointer.board)
        ghosts: list[Ghost] = []
        still = not self.marble_scene.timeline.is_animating(self.page.to_animation_time(now))
        if self.model.can_choose and not still and not self.page.actions.is_replaying:
            # Signs that mean the same before and after an animation stay visible during it.
            signs += [
                sign for sign in self.choice_signs() if self._sign_meaning(sign) in self._steady_choice_signs
            ]
        if self.model.can_choose and still and not self.page.actions.is_replaying:
            signs, ghosts = signs + self.picked_point_signs()[0], self.picked_point_signs()[1]
            choices = self.choice_signs()
            self._steady_choice_signs = frozenset(self._sign_meaning(sign) for sign in choices)
            signs += choices
            active = pointer.active_spot
            if active is not None:
                signs += self._support_lines(*active[:2]) if self.page.exploded_layout is not None else []
                if pointer.cursor is not None:
                    signs.append(Sign(SignKind.CURSOR, pointer.cursor.board, pointer.cursor.point))
            preview = self.controller.visible_preview(active)
            if preview is not None:
                more, coming = self.preview_signs(preview)
                signs, ghosts = signs + more, ghosts + coming
            if pointer.hovered_marble is not None and pointer.cursor is None:
                signs += self.marble_signs(*pointer.hovered_marble)
        shown, coming = self.page.overlay_signs() if still or self.controller.is_computer_turn else ([], [])
        frame = self.page.make_frame(now, aspect, signs + shown, ghosts + coming)
        if not self.page.is_zen_mode:
            rings = self.page.rings()
            if still:
                self._steady_rings = frozenset(rings)
            steady_rings = tuple(ring for ring in rings if ring in self._steady_rings)
            frame = replace(frame, marks=(*frame.marks, *steady_rings))
        return frame

    _steady_choice_signs: frozenset[tuple[object, ...]] = frozenset()
    """Results of :meth:`_sign_meaning` for the choice signs in the last frame without motion."""

    _steady_rings: frozenset[Mark] = frozenset()

    def _sign_meaning(self, sign: Sign) -> tuple[object, ...]:
        """Return a key that tells signs apart, ignoring how strongly they are drawn.

        The key includes whether there is a marble on the sign's point.
        """
        return sign._replace(is_highlighted=False, alpha=1.0), (
            sign.board,
            sign.point,
        ) in self.marble_scene.marbles

    def picked_point_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for the empty points picked in this turn.

        A point picked after a colour gets a ghost of that colour; any other point gets a sign. There are none in games
        with several boards, when the match is over, or while an earlier position is shown.
        """
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        state, colour = self.model.observation, -1
        if not self.model.is_live or state.to_move is None:
            return signs, ghosts
        index, turn = get_pyramid(state.size).point_by_name, state.turn
        for number, ply in enumerate(self.model.match.plies):
            if ply.turn != turn or self.model.is_ply_hidden(number):
                continue
            if ply.move in COLOURS:
                colour = COLOURS.index(ply.move)
            names = ply.move.split("+")
            if all(name in index for name in names) and len(state.board_names) == 1:
                open_ = [index[name] for name in names if not state.filled() >> index[name] & 1]
                signs += [Sign(SignKind.HINT, 0, point) for point in open_ if colour < 0]
                ghosts += [Ghost(0, point, colour) for point in open_ if colour >= 0]
        return signs, ghosts

    def plan_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for the flat plans.

        The legal targets are left out, because the plans draw them themselves.
        """
        pointer = self.page.pointer
        proposed, standing = self.picked_point_signs()
        signs = self.page.static_signs() + proposed
        if self.shows_connections and pointer.board not in self.model.covered_boards:
            signs += self.marble_scene.connection_signs(pointer.board)
        if pointer.hovered_marble is not None and pointer.cursor is None:
            signs += self.marble_signs(*pointer.hovered_marble)
        if self.model.is_live:
            signs += [
                Sign(SignKind.HINT, self.controller.selected_board, p)
                for p in iter_bits(self.controller.selected_points)
            ]
            shown, coming = self.page.overlay_signs()
            signs, standing = signs + shown, standing + coming
            preview = self.controller.visible_preview(pointer.active_spot)
            if preview is not None:
                more, ghosts = self.preview_signs(preview)
                return signs + more, standing + ghosts
        return signs, standing

    def choice_signs(self) -> list[Sign]:
        """Return the signs of the legal targets and the selected points.

        If the setting ``marks`` is ``hover``, the only target included is the one under the cursor or the pointer. If
        it is ``off``, the list is empty.
        """
        pointer = self.page.pointer
        mode = self.page.app.settings.marks
        targets = self.controller.targets
        if mode == "off":
            return []
        if mode == "hover":
            targets = (
                (pointer.active_spot,)
                if pointer.active_spot in targets and pointer.active_spot is not None
                else ()
            )
        signs = self.target_signs(targets)
        picked = iter_bits(self.controller.selected_points)
        signs += [Sign(SignKind.HINT, self.controller.selected_board, point) for point in picked]
        return signs

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of ``targets``, by default of all legal targets."""
        pointer = self.page.pointer
        signs: list[Sign] = []
        split = len(self.controller.available_colours) > 1 and self.controller.chosen_colour is None
        for spot in self.controller.targets if targets is None else targets:
            if spot.side >= 0:
                strong = spot == pointer.active_spot
                signs.append(
                    Sign(SignKind.ENTRY, spot.board, spot.point, side=spot.side, is_highlighted=strong)
                )
            else:
                colours = self.controller.colours_at(spot) if split else ()
                signs.append(
                    Sign(SignKind.LEGAL, spot.board, spot.point, colours if len(colours) > 1 else ())
                )
        return signs

    def preview_signs(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that preview the effect of a move."""
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        if preview.move.kind == "points" and preview.move.value & self.model.observation.filled(
            preview.move.board
        ):
            signs += [
                Sign(SignKind.HINT, preview.move.board, point) for point in iter_bits(preview.move.value)
            ]
        placed = -1
        for event in preview.events:
            match event:
                case ev.Placed() | ev.Moved() | ev.Entered():
                    ghosts.append(Ghost(event.board, event.point, event.colour))
                    if placed >= 0 and preview.move.kind != "points":
                        signs.append(Sign(SignKind.STACKED, event.board, event.point, target_point=placed))
                    placed = event.point if placed < 0 else placed
                case ev.Dropped() | ev.Pushed() | ev.SideDropped():
                    ghosts.append(Ghost(event.board, event.point, event.colour, GHOST_ALPHA + 0.15))
                    signs.append(Sign(SignKind.TRAIL, event.board, event.origin, target_point=event.point))
                case ev.Removed() | ev.Captured():
                    signs.append(Sign(SignKind.DOOMED, event.board, event.point))
                case ev.Lifted():
                    signs.append(Sign(SignKind.HOVER, event.board, event.point, is_highlighted=True))
                    if get_pyramid(self.model.state.size).resting[
                        event.point
                    ] & self.model.observation.filled(event.board):
                        signs.append(Sign(SignKind.LOADED, event.board, event.point))
                case ev.Recoloured():
                    signs.append(Sign(SignKind.RECOLOURED, event.board, event.point, (event.after,)))
        # The player chooses only the first marble set down. Marbles set down as a consequence are numbered.
        done = find_displacements(preview.events)
        asked = [s for s in done if not s.has_fallen][: None if preview.move.kind == "points" else 1]
        signs += number_signs([(s.board, s.point) for s in done if s not in asked], is_highlighted=True)
        taken = {(g.board, g.point) for g in ghosts}
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        # A marble that is removed and replaced in the same move is drawn as the new one.
        kept_signs = [
            s for s in signs if s.kind is not SignKind.DOOMED or (s.board, s.point) not in taken & doomed
        ]
        return kept_signs + [Sign(SignKind.REPLACED, *at) for at in sorted(taken & doomed)], ghosts

    def marble_signs(self, board: int, point: int) -> list[Sign]:
        """Return the signs for the marble under the pointer.

        If any marble can be lifted or taken, the signs show whether this marble supports other marbles. If those
        marbles pin it, lines lead to them. Once the pointer has rested on the marble, and always in the exploded view,
        the signs also show which marbles support it.
        """
        pointer = self.page.pointer
        signs = [Sign(SignKind.HOVER, board, point)]
        if pointer.rested_marble == (board, point) or self.page.exploded_layout is not None:
            signs += self._support_lines(board, point)
        if any(move.kind in ("lift", "take") for move in self.controller.moves):
            pyr, filled = get_pyramid(self.model.state.size), self.model.observation.filled(board)
            on_it = pyr.resting[point] & filled
            if position.pinned_marbles(pyr, filled) >> point & 1:
                signs.append(Sign(SignKind.PINNED, board, point))
                signs += [Sign(SignKind.LINE, board, point, target_point=p) for p in iter_bits(on_it)]
            elif on_it:
                signs.append(Sign(SignKind.LOADED, board, point))
        return signs

    def _support_lines(self, board: int, point: int) -> list[Sign]:
        below = get_pyramid(self.model.state.size).supports[point] & self.model.observation.filled(board)
        return [Sign(SignKind.LINE, board, point, target_point=p) for p in iter_bits(below)]
