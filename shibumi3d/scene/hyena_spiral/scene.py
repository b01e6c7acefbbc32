"""Scene of a Hyena Spiral match: frames, clickable spots and animations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from shibumi3d.rules.game import Game
from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral.moves import Move, legal_moves
from shibumi3d.rules.hyena_spiral.state import Leg, State
from shibumi3d.scene import motion
from shibumi3d.scene.frame import Frame, Mark, MarkKind, Piece, Solid
from shibumi3d.scene.hyena_spiral.animations import (
    EventAnimation,
    animation_sounds,
    draw_animation,
    make_animations,
    make_resting_chips,
    make_standing_pawn,
    reverse_animations,
)
from shibumi3d.scene.hyena_spiral.figures import (
    VisibleTable,
    draw_from_above,
    make_furniture,
    make_path_numbers,
    make_pawn,
    make_seat_symbols,
    make_taba_counts,
    make_tabas,
    pawn_position,
    visible_table,
)
from shibumi3d.scene.hyena_spiral.layout import SpiralGeometry, spiral_geometry
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z, Vector
from shibumi3d.scene.palette import MARK_COLOURS, Theme
from shibumi3d.scene.sound_cues import SoundCue, take_due, truncate_cues
from shibumi3d.scene.table_scene import Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view

BOWL_SPOT, WELL_SPOT = "bowl", "well"
DISH_RIM_Z = TABLE_Z + 0.24  # height of a dish's rim
DISH_RING_RADIUS, PLACE_RING_RADIUS = 0.98, 0.36
GHOST_ALPHA = 0.45
THROWS_BY_WHITES = (1, 3, 3, 1)
"""How many of the eight possible throws show 0, 1, 2 and 3 white faces."""


class HyenaScene:
    """Scene of one Hyena Spiral match.

    ``speed`` and ``reduce_motion`` may be changed at any time.
    """

    view_direction = ViewDirection(0.0, 54.0)

    def __init__(self, game: Game, seats: int) -> None:
        self.speed = "normal"
        self.reduce_motion = False
        self.language = "en"
        self._state = cast("State", game.start(seats))
        self._table: VisibleTable = visible_table(self._state)
        self._animations: list[EventAnimation] = []
        self._cues: list[SoundCue] = []

    @property
    def _geometry(self) -> SpiralGeometry:
        return spiral_geometry(self._state.length)

    @property
    def hull(self) -> tuple[Vector, ...]:
        """Corners of the area to show: the board with the bowl, the bank and the dishes beside it."""
        half = self._geometry.half_width
        east, west = self._geometry.bowl_position[0] + 1.0, -self._geometry.bowl_position[0] - 1.3
        corners = [
            (x, y, z) for x in (west, east) for y, z in ((-half, TABLE_Z), (half - 0.4, BOARD_TOP_Z + 0.6))
        ]
        return tuple(corners)

    @property
    def final_hull(self) -> tuple[Vector, ...]:
        """The same as :attr:`hull`, since nothing is cleared away when the match is over."""
        return self.hull

    # ------------------------------------------------------------ motion

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Show ``observation`` immediately, without animation.

        All motion ends, and pending sounds are discarded.
        """
        self._state, self._table = observation, visible_table(observation)
        self._animations, self._cues = [], []

    def play(self, events: Iterable[ev.Event], now: float, observation: State, perspective_seat: int) -> None:
        """Animate ``events`` after any animation already in progress, ending with ``observation``."""
        begin = max(now, self._animations[-1].end_time if self._animations else now)
        self._animations = [step for step in self._animations if step.end_time > now]
        self._schedule(
            make_animations(self._table, list(events), self._seconds_per_ms, self.reduce_motion), begin
        )
        self._state, self._table = observation, visible_table(observation)

    def rewind(
        self, events: Iterable[ev.Event], now: float, observation: State, perspective_seat: int
    ) -> None:
        """Play ``events`` backwards and somewhat faster, ending with ``observation``, the state before them."""
        self.reset(observation, perspective_seat)
        steps = make_animations(
            self._table,
            list(events),
            motion.REWIND_DURATION_FACTOR * self._seconds_per_ms,
            self.reduce_motion,
        )
        self._schedule(reverse_animations(steps), now)

    @property
    def _seconds_per_ms(self) -> float:
        return motion.SPEED_FACTORS[self.speed] / 1000

    def _schedule(self, animations: Iterable[EventAnimation], start_time: float) -> None:
        """Schedule animations, with their sounds, to start at ``start_time``."""
        for step in animations:
            later = replace(
                step, start_time=start_time + step.start_time, end_time=start_time + step.end_time
            )
            self._animations.append(later)
            self._cues += animation_sounds(later)

    def finish(self) -> None:
        """End all motion now and put everything at its destination.

        At most one of the pending sounds is kept.
        """
        self._animations = []
        self._cues = truncate_cues(self._cues)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""
        return bool(self._animations) and now < self._animations[-1].end_time

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""
        return take_due(self._cues, now)

    # ------------------------------------------------------------ clicks

    def spots(self) -> Mapping[str, Spot]:
        """Return everything that can be clicked, by key.

        This includes the bowl of chips, the dishes, the well, the pawns, and the places to which the current player's
        pawn can go.
        """
        track, state = self._geometry, self._state
        found = {BOWL_SPOT: Spot((*track.bowl_position, DISH_RIM_Z), DISH_RING_RADIUS)}
        for seat in range(state.seats):
            found[f"tabas {seat + 1}"] = Spot(
                (*track.dish_position(seat, state.seats), DISH_RIM_Z), DISH_RING_RADIUS
            )
        found[WELL_SPOT] = Spot((0.0, 0.0, BOARD_TOP_Z), 0.7)
        for seat in range(state.seats):
            x, y, z = pawn_position(self._table, seat)
            found[f"pawn {seat + 1}"] = Spot((x, y, z + 0.4), 0.3)
        for move in legal_moves(state):
            if move.kind == "go":
                place = state.place_after(state.mover, move.steps)
                if place != state.length:
                    found[f"place {place}"] = Spot(track.pawn_position(place, state.mover), 0.45)
        return found

    def clicks_for(self, move: Move) -> Clicks:
        """Return the clicks that make a move.

        A click on the bowl throws the chips. A click on the dish of the seat to move buys steps or takes tabas. Any
        other move is made by a click on a place or the well.
        """
        state = self._state
        if move.kind == "throw":
            return Clicks(last_spot=BOWL_SPOT)
        if move.kind in ("buy", "take"):
            return Clicks(last_spot=f"tabas {state.mover + 1}")
        if move.kind == "go":
            place = state.place_after(state.mover, move.steps)
            return Clicks(last_spot=WELL_SPOT if place == state.length else f"place {place}")
        return Clicks(last_spot=WELL_SPOT)

    # ------------------------------------------------------------ drawing

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame to draw at time ``now``."""
        step = next((step for step in self._animations if now < step.end_time), None)
        pieces: list[Piece]
        solids: list[Solid]
        marks: list[Mark]
        if step is not None:
            pieces, solids = draw_animation(step, now, self.reduce_motion)
            marks = []
            # Count moving tabas only once they have arrived.
            shown = step.after if step.is_reversed else step.before
        else:
            shown = self._table
            pieces = [*make_furniture(shown), *make_resting_chips(shown)]
            for seat in range(len(shown.walkers)):
                pieces += make_standing_pawn(shown, seat)
            solids = make_tabas(shown)
            pieces += self._preview_pawns(highlights)
            marks = [*self._reach_marks(), *self._highlight_marks(highlights), *self._winner_rings()]
        return Frame(
            theme,
            (self._geometry.board,),
            marks=tuple(marks),
            pieces=tuple(pieces),
            solids=tuple(solids),
            cards=(
                *make_path_numbers(self._geometry),
                *make_seat_symbols(shown, theme.interface_colours["ink"]),
                *make_taba_counts(shown),
            ),
        )

    def _winner_rings(self) -> Iterator[Mark]:
        """Yield golden rings around the pawn and the dish of each winner once the match is over."""
        result, shown = self._state.result, self._table
        for seat in result.winners if result is not None else ():
            x, y = self._geometry.dish_position(seat, len(shown.walkers))
            yield Mark(
                MarkKind.RING, (x, y, DISH_RIM_Z), MARK_COLOURS["win"], DISH_RING_RADIUS, stroke_width=3.5
            )
            figure = make_standing_pawn(shown, seat)[0]
            at = (figure.x, figure.y, figure.z + 0.02)
            yield Mark(MarkKind.RING, at, MARK_COLOURS["win"], PLACE_RING_RADIUS, stroke_width=3.5)

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame at time ``now`` as a flat drawing, seen from straight above."""
        return make_top_view(self.frame(now, theme, highlights), draw_from_above)

    def _reach_marks(self) -> list[Mark]:
        """Return rings on the places that the hyena can reach next, with the number of steps to each.

        The list is empty until the hyena may leave the well, and after the match is over.
        """
        state = self._state
        seat = state.hyena_seat
        if seat is None or state.result is not None:
            return []
        walker = state.walkers[seat]
        if walker.leg is not Leg.BACK and (walker.leg is not Leg.WELL or state.fee_due(seat)):
            return []
        found = []
        for steps in sorted({n for n in (*state.rules.steps_by_whites, state.rules.steps_bought) if n}):
            walked = steps * state.factor_for(seat)
            place = state.place_after(seat, walked)
            if place:
                x, y, z = self._geometry.pawn_position(place)
                found.append(_make_ring((x, y, z), MARK_COLOURS["stop"], PLACE_RING_RADIUS + 0.06, 2.0))
                found.append(Mark(MarkKind.NUMBER, (x, y, z), MARK_COLOURS["stop"], 7.5, number=walked))
        return found

    def _preview_pawns(self, highlights: TableHighlights) -> list[Piece]:
        """Return translucent pawns at the places to which the previewed move leads."""
        result: list[Piece] = []
        for event in highlights.preview:
            if isinstance(event, ev.Walked):
                walker = self._table.walkers[event.seat]
                at = self._geometry.pawn_position(event.to_place, event.seat)
                result += make_pawn(walker, event.seat, at, alpha=GHOST_ALPHA)
        return result

    def _highlight_marks(self, highlights: TableHighlights) -> list[Mark]:
        """Return rings around clickable spots, the spots of a hint, and the pawn moved by the last turn.

        If the pointer or the keyboard cursor is on the bowl and the chips can be thrown, the marks from
        :meth:`_throw_marks` are added. A hatched circle marks each pawn that would be eaten if the previewed move were
        made.
        """
        spots = self.spots()
        found = []
        for event in highlights.last_events:
            if isinstance(event, ev.Walked):
                walker = self._state.walkers[event.seat]
                if walker.place == event.to_place and walker.leg in (Leg.OUT, Leg.BACK, Leg.WELL):
                    found.append(
                        _make_ring(
                            pawn_position(self._table, event.seat),
                            MARK_COLOURS["last"],
                            PLACE_RING_RADIUS,
                            2.0,
                        )
                    )
        open_now = {
            self.clicks_for(move).last_spot for move in legal_moves(self._state)
        } & highlights.clickable
        for key in open_now | ({highlights.focused} & set(spots)) | (highlights.hint & set(spots)):
            spot = spots[key]
            colour = MARK_COLOURS["win"] if key in highlights.hint else MARK_COLOURS["legal"]
            size = spot.radius if key != WELL_SPOT else 0.72
            strong = key == highlights.focused or key in highlights.hint
            if key in open_now or key in highlights.hint:
                found.append(_make_ring(spot.position, colour, size, 3.5 if strong else 2.0))
        if highlights.focused == BOWL_SPOT and BOWL_SPOT in open_now:
            found += self._throw_marks()
        for event in highlights.preview:
            if isinstance(event, ev.Eaten):
                at = pawn_position(self._table, event.seat)
                found.append(
                    Mark(MarkKind.HATCHED_CIRCLE, (at[0], at[1], at[2] + 0.5), MARK_COLOURS["stop"], 0.4)
                )
        return found

    def _throw_marks(self) -> list[Mark]:
        """Return marks for each place that the next throw can lead to: a ring and the number of steps.

        The bold fraction of each ring is the probability of the throw that leads to its place. There are no marks while
        a fee is due.
        """
        state, found = self._state, []
        seat = state.mover
        if state.fee_due(seat):
            return []
        for whites, steps in enumerate(state.rules.steps_by_whites):
            walked = steps * state.factor_for(seat)
            if not steps or state.overshoots_well(seat, walked):
                continue
            x, y, z = self._geometry.pawn_position(state.place_after(seat, walked), seat)
            found.append(_make_ring((x, y, z), MARK_COLOURS["legal"], PLACE_RING_RADIUS + 0.05, 1.5, 0.55))
            mark = _make_ring((x, y, z), MARK_COLOURS["legal"], PLACE_RING_RADIUS + 0.05, 5.0)
            found.append(mark._replace(sector_fraction=THROWS_BY_WHITES[whites] / 8))
            found.append(Mark(MarkKind.NUMBER, (x, y, z), MARK_COLOURS["legal"], 7.5, number=walked))
        return found


def _make_ring(position: Vector, colour: str, radius: float, width: float, alpha: float = 1.0) -> Mark:
    return Mark(MarkKind.RING, position, colour, radius, alpha, stroke_width=width)
