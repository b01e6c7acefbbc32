"""Signs and ghosts over the boards: legal targets, points picked so far, and previews of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.frame import Frame, Mark
from shibumi3d.scene.marbles.signs import GHOST_ALPHA, Ghost, Sign, SignKind
from shibumi3d.scene.marbles.steps import steps

from ...board.last_turn import numbered
from ...marbles.controller import Preview, Spot
from .parts import Boarded

if TYPE_CHECKING:
    from ...board.result import ResultBar
    from ...board.status import Status
    from .hidden_targets import HiddenTargets
    from .plans import Flat
    from .pointing import Pointing
    from .taking import Taking


class Signed(Boarded, Protocol):
    """Interface of the page that :class:`Signs` uses."""

    pointing: Pointing
    hidden_targets: HiddenTargets
    flat: Flat
    taking: Taking
    status: Status
    result_bar: ResultBar

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for a computer's pending move, or for hints and analysis."""

    def rings(self) -> list[Mark]:
        """Return the rings around marbles on the table."""

    def frame(self, now: float, aspect: float, signs: Sequence[Sign], ghosts: Sequence[Ghost] = ()) -> Frame:
        """Return the frame at time ``now``, with the given signs and ghosts."""

    def time(self, now: float) -> float:
        """Convert the clock time ``now`` to the time of the stage."""

    def steady_signs(self) -> list[Sign]:
        """Return the signs that don't depend on the current choice."""

    def points_on_screen(self) -> dict[str, list[int]]:
        """Return the position of each point by name, in window pixels."""


class Signs:
    """Signs and ghosts drawn over the boards of a page."""

    def __init__(self, page: Signed) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.threads = False

    def picture(self, now: float, aspect: float) -> Frame:
        """Return the frame at time ``now``, with all signs and ghosts over the boards."""
        pointing = self.page.pointing
        signs = self.page.steady_signs() if not self.page.doing.replaying else []
        if len(self.stage.sizes) > 1:
            signs.append(Sign(SignKind.ACTIVE, pointing.board))
        if self.threads and pointing.board not in self.session.cloths:
            signs += self.stage.connections(pointing.board)
        ghosts: list[Ghost] = []
        still = not self.stage.queue.busy(self.page.time(now))
        if self.session.asking and not still and not self.page.doing.replaying:
            # Signs that mean the same before and after an animation stay visible during it.
            signs += [sign for sign in self.choice_signs() if self._says(sign) in self._said]
        if self.session.asking and still and not self.page.doing.replaying:
            signs, ghosts = signs + self.proposed()[0], self.proposed()[1]
            choices = self.choice_signs()
            self._said = frozenset(self._says(sign) for sign in choices)
            signs += choices
            active = pointing.active
            if active is not None:
                signs += self._supports(*active[:2]) if self.page.spread is not None else []
                if pointing.cursor is not None:
                    signs.append(Sign(SignKind.CURSOR, pointing.cursor.board, pointing.cursor.point))
            preview = self.control.shown(active)
            if preview is not None:
                more, coming = self.foreseen(preview)
                signs, ghosts = signs + more, ghosts + coming
            if pointing.hover_marble is not None and pointing.cursor is None:
                signs += self.marble_signs(*pointing.hover_marble)
        shown, coming = self.page.lit() if still or self.control.away else ([], [])
        frame = self.page.frame(now, aspect, signs + shown, ghosts + coming)
        if not self.page.bare:
            rings = self.page.rings()
            if still:
                self._ringed = frozenset(rings)
            kept = tuple(ring for ring in rings if ring in self._ringed)
            frame = replace(frame, marks=(*frame.marks, *kept))
        return frame

    _said: frozenset[tuple[object, ...]] = frozenset()
    """Results of :meth:`_says` for the choice signs in the last frame without motion."""

    _ringed: frozenset[Mark] = frozenset()

    def _says(self, sign: Sign) -> tuple[object, ...]:
        """Return the meaning of a sign, and whether there is a marble on its point.

        The meaning doesn't depend on how strongly the sign is drawn.
        """
        return sign._replace(strong=False, alpha=1.0), (sign.board, sign.point) in self.stage.marbles

    def proposed(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for the empty points picked in this turn.

        A point picked after a colour gets a ghost of that colour; any other point gets a sign.
        """
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        state, colour = self.session.view, -1
        if not self.session.live or state.to_move is None:
            return signs, ghosts
        index, turn = pyramid(state.size).index, state.turn
        for number, ply in enumerate(self.session.match.plies):
            if ply.turn != turn or self.session.masked(number):
                continue
            if ply.move in COLOURS:
                colour = COLOURS.index(ply.move)
            names = ply.move.split("+")
            if all(name in index for name in names) and len(state.board_names) == 1:
                open_ = [index[name] for name in names if not state.filled() >> index[name] & 1]
                signs += [Sign(SignKind.HINT, 0, point) for point in open_ if colour < 0]
                ghosts += [Ghost(0, point, colour) for point in open_ if colour >= 0]
        return signs, ghosts

    def flat_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for the flat plan, which draws the legal targets itself."""
        pointing = self.page.pointing
        proposed, standing = self.proposed()
        signs = self.page.steady_signs() + proposed
        if self.threads and pointing.board not in self.session.cloths:
            signs += self.stage.connections(pointing.board)
        if pointing.hover_marble is not None and pointing.cursor is None:
            signs += self.marble_signs(*pointing.hover_marble)
        if self.session.live:
            signs += [Sign(SignKind.HINT, self.control.picked_board, p) for p in bits(self.control.picked)]
            shown, coming = self.page.lit()
            signs, standing = signs + shown, standing + coming
            preview = self.control.shown(pointing.active)
            if preview is not None:
                more, ghosts = self.foreseen(preview)
                return signs + more, standing + ghosts
        return signs, standing

    def choice_signs(self) -> list[Sign]:
        """Return the signs of the picked points and, depending on the settings, of the legal targets."""
        pointing = self.page.pointing
        mode = self.page.app.settings.marks
        targets = self.control.targets
        if mode == "off":
            return []
        if mode == "hover":
            targets = (pointing.active,) if pointing.active in targets and pointing.active is not None else ()
        signs = self.target_signs(targets)
        picked = bits(self.control.picked)
        signs += [Sign(SignKind.HINT, self.control.picked_board, point) for point in picked]
        return signs

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of ``targets``, by default of all legal targets."""
        pointing = self.page.pointing
        signs: list[Sign] = []
        split = len(self.control.tray) > 1 and self.control.wanted is None
        for spot in self.control.targets if targets is None else targets:
            if spot.side >= 0:
                strong = spot == pointing.active
                signs.append(Sign(SignKind.ENTRY, spot.board, spot.point, side=spot.side, strong=strong))
            else:
                colours = self.control.colours_at(spot) if split else ()
                signs.append(
                    Sign(SignKind.LEGAL, spot.board, spot.point, colours if len(colours) > 1 else ())
                )
        return signs

    def foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that preview the effect of a move."""
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        if preview.move.kind == "points" and preview.move.value & self.session.view.filled(
            preview.move.board
        ):
            signs += [Sign(SignKind.HINT, preview.move.board, point) for point in bits(preview.move.value)]
        placed = -1
        for event in preview.events:
            match event:
                case ev.Placed() | ev.Moved() | ev.Entered():
                    ghosts.append(Ghost(event.board, event.point, event.colour))
                    if placed >= 0 and preview.move.kind != "points":
                        signs.append(Sign(SignKind.STACKED, event.board, event.point, to=placed))
                    placed = event.point if placed < 0 else placed
                case ev.Dropped() | ev.Pushed() | ev.SideDropped():
                    ghosts.append(Ghost(event.board, event.point, event.colour, GHOST_ALPHA + 0.15))
                    signs.append(Sign(SignKind.TRAIL, event.board, event.origin, to=event.point))
                case ev.Removed() | ev.Captured():
                    signs.append(Sign(SignKind.DOOMED, event.board, event.point))
                case ev.Lifted():
                    signs.append(Sign(SignKind.HOVER, event.board, event.point, strong=True))
                    if pyramid(self.session.state.size).resting[event.point] & self.session.view.filled(
                        event.board
                    ):
                        signs.append(Sign(SignKind.LOADED, event.board, event.point))
                case ev.Recoloured():
                    signs.append(Sign(SignKind.DYED, event.board, event.point, (event.after,)))
        # The player chooses only the first marble set down. Marbles set down as a consequence are numbered.
        done = steps(preview.events)
        asked = [s for s in done if not s.fell][: None if preview.move.kind == "points" else 1]
        signs += numbered([(s.board, s.point) for s in done if s not in asked], strong=True)
        taken = {(g.board, g.point) for g in ghosts}
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        # A marble that is removed and replaced in the same move is drawn as the new one.
        kept = [s for s in signs if s.kind is not SignKind.DOOMED or (s.board, s.point) not in taken & doomed]
        return kept + [Sign(SignKind.REPLACED, *at) for at in sorted(taken & doomed)], ghosts

    def marble_signs(self, board: int, point: int) -> list[Sign]:
        """Return the signs for the marble under the pointer.

        If marbles may be moved, the signs show which marbles it supports. Once the pointer has rested on it, they also
        show which marbles support it.
        """
        pointing = self.page.pointing
        signs = [Sign(SignKind.HOVER, board, point)]
        if pointing.rested == (board, point) or self.page.spread is not None:
            signs += self._supports(board, point)
        if any(move.kind in ("lift", "take") for move in self.control.moves):
            pyr, filled = pyramid(self.session.state.size), self.session.view.filled(board)
            on_it = pyr.resting[point] & filled
            if position.pinned(pyr, filled) >> point & 1:
                signs.append(Sign(SignKind.PINNED, board, point))
                signs += [Sign(SignKind.THREAD, board, point, to=p) for p in bits(on_it)]
            elif on_it:
                signs.append(Sign(SignKind.LOADED, board, point))
        return signs

    def _supports(self, board: int, point: int) -> list[Sign]:
        """Return lines from a point to the marbles that support it."""
        below = pyramid(self.session.state.size).supports[point] & self.session.view.filled(board)
        return [Sign(SignKind.THREAD, board, point, to=p) for p in bits(below)]

    def trace(self) -> Mapping[str, object]:
        """Return the part of the page's trace that describes the boards, for external tests."""
        pointing = self.page.pointing
        met = {} if self.page.flat.visible else pointing.places_on_screen()
        targets = [pointing.name_of(spot) for spot in self.control.targets]
        return {
            "points": self.page.points_on_screen(),
            "entries": {name: place for name, place in met.items() if "/" in name},
            "targets": targets,
            "hidden": [name for name in targets if name not in met and not self.page.flat.visible],
            "behind": self.page.hidden_targets.hidden,
            "table": self.page.taking.on_screen(),
            "cursor": pointing.name_of(pointing.cursor) if pointing.cursor is not None else "",
            "plies": [ply.move for ply in self.session.match.plies],
            "status": self.page.status.sentence(),
            "note": self.page.doing.note,
            "game": self.session.match.game.id,
            "over": self.page.result_bar.sentence() if self.page.result_bar.visible else "",
        }
