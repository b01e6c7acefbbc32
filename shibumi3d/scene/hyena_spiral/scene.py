"""Scene of a Hyena Spiral match: frames, clickable spots and animations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from shibumi3d.rules.game import Game
from shibumi3d.rules.hyena_spiral import event as ev
from shibumi3d.rules.hyena_spiral.flow import Move, moves
from shibumi3d.rules.hyena_spiral.state import Leg, State
from shibumi3d.scene import motion
from shibumi3d.scene.frame import Frame, Mark, MarkKind, Piece, Solid
from shibumi3d.scene.hyena_spiral.figures import (
    Shown,
    furniture,
    held,
    numbers,
    owners,
    pawn,
    shown_of,
    spot_of,
    tabas,
)
from shibumi3d.scene.hyena_spiral.layout import Spiral, spiral
from shibumi3d.scene.hyena_spiral.plan import drawn
from shibumi3d.scene.hyena_spiral.steps import (
    Passage,
    mirrored,
    passages,
    resting_chips,
    sounds,
    standing,
    things,
)
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z, Vector
from shibumi3d.scene.palette import MARK_COLOURS, Theme
from shibumi3d.scene.sound_cues import SoundCue, take_due, truncate_cues
from shibumi3d.scene.table_scene import Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view

BOWL, WELL = "bowl", "well"
LIP = TABLE_Z + 0.24  # height of a dish's rim
ROUND_A_DISH, ROUND_A_PLACE = 0.98, 0.36
GHOST = 0.45
CHANCES = (1, 3, 3, 1)
"""Number of the eight possible throws that show 0, 1, 2 and 3 white faces."""


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
        self._shown: Shown = shown_of(self._state)
        self._steps: list[Passage] = []
        self._cues: list[SoundCue] = []

    @property
    def _track(self) -> Spiral:
        return spiral(self._state.length)

    @property
    def hull(self) -> tuple[Vector, ...]:
        """Corners of the table, including the dishes."""
        half = self._track.half
        east, west = self._track.bowl[0] + 1.0, -self._track.bowl[0] - 1.3
        corners = [
            (x, y, z) for x in (west, east) for y, z in ((-half, TABLE_Z), (half - 0.4, BOARD_TOP_Z + 0.6))
        ]
        return tuple(corners)

    # ------------------------------------------------------------ motion

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Show ``observation`` at once, without animation."""
        self._state, self._shown = observation, shown_of(observation)
        self._steps, self._cues = [], []

    def play(self, events: Iterable[ev.Event], now: float, observation: State, perspective_seat: int) -> None:
        """Animate ``events``, once any animation in progress has ended."""
        begin = max(now, self._steps[-1].end if self._steps else now)
        self._steps = [step for step in self._steps if step.end > now]
        self._begin(passages(self._shown, list(events), self._pace, self.reduce_motion), begin)
        self._state, self._shown = observation, shown_of(observation)

    def rewind(
        self, events: Iterable[ev.Event], now: float, observation: State, perspective_seat: int
    ) -> None:
        """Animate undoing ``events``, by the same motion in reverse and somewhat faster."""
        self.reset(observation, perspective_seat)
        steps = passages(
            self._shown, list(events), motion.REWIND_DURATION_FACTOR * self._pace, self.reduce_motion
        )
        self._begin(mirrored(steps), now)

    @property
    def _pace(self) -> float:
        return motion.SPEED_FACTORS[self.speed] / 1000

    def _begin(self, steps: Iterable[Passage], begin: float) -> None:
        """Schedule animation steps, with their sounds, to start at ``begin``."""
        for step in steps:
            later = replace(step, begin=begin + step.begin, end=begin + step.end)
            self._steps.append(later)
            self._cues += sounds(later)

    def finish(self) -> None:
        """End all motion now, putting everything at its destination."""
        self._steps = []
        self._cues = truncate_cues(self._cues)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving."""
        return bool(self._steps) and now < self._steps[-1].end

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""
        return take_due(self._cues, now)

    # ------------------------------------------------------------ clicks

    def spots(self) -> Mapping[str, Spot]:
        """Return everything that can be clicked, by key.

        This includes the bowl of chips, the dishes, the well, the pawns, and the places to which the thrown chips may
        lead.
        """
        track, state = self._track, self._state
        found = {BOWL: Spot((*track.bowl, LIP), ROUND_A_DISH)}
        for seat in range(state.seats):
            found[f"tabas {seat + 1}"] = Spot((*track.dish(seat, state.seats), LIP), ROUND_A_DISH)
        found[WELL] = Spot((0.0, 0.0, BOARD_TOP_Z), 0.7)
        for seat in range(state.seats):
            x, y, z = spot_of(self._shown, seat)
            found[f"pawn {seat + 1}"] = Spot((x, y, z + 0.4), 0.3)
        for move in moves(state):
            if move.kind == "go":
                place = state.reach(state.mover, move.steps)
                if place != state.length:
                    found[f"place {place}"] = Spot(track.at(place, state.mover), 0.45)
        return found

    def clicks_for(self, move: Move) -> Clicks:
        """Return the clicks that make a move.

        The chips are thrown by clicking their bowl, and tabas are spent or taken by clicking the seat's own dish. Any
        other move is made by clicking a place or the well.
        """
        state = self._state
        if move.kind == "throw":
            return Clicks(last_spot=BOWL)
        if move.kind in ("buy", "take"):
            return Clicks(last_spot=f"tabas {state.mover + 1}")
        if move.kind == "go":
            place = state.reach(state.mover, move.steps)
            return Clicks(last_spot=WELL if place == state.length else f"place {place}")
        return Clicks(last_spot=WELL)

    # ------------------------------------------------------------ drawing

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame to draw at time ``now``."""
        step = next((step for step in self._steps if now < step.end), None)
        pieces: list[Piece]
        solids: list[Solid]
        marks: list[Mark]
        if step is not None:
            pieces, solids = things(step, now, self.reduce_motion)
            marks = []
            # Count moving tabas when they have arrived.
            shown = step.after if step.back else step.before
        else:
            shown = self._shown
            pieces = [*furniture(shown), *resting_chips(shown)]
            for seat in range(len(shown.walkers)):
                pieces += standing(shown, seat)
            solids = tabas(shown)
            pieces += self._ghosts(highlights)
            marks = [*self._reach(), *self._signs(highlights), *self._lit()]
        return Frame(
            theme,
            (self._track.board,),
            marks=tuple(marks),
            pieces=tuple(pieces),
            solids=tuple(solids),
            cards=(*numbers(self._track), *owners(shown, theme.interface_colours["ink"]), *held(shown)),
        )

    def _lit(self) -> Iterator[Mark]:
        """Yield golden rings around the pawn and the dish of each winner once the match is over."""
        result, shown = self._state.result, self._shown
        for seat in result.winners if result is not None else ():
            x, y = self._track.dish(seat, len(shown.walkers))
            yield Mark(MarkKind.RING, (x, y, LIP), MARK_COLOURS["win"], ROUND_A_DISH, stroke_width=3.5)
            figure = standing(shown, seat)[0]
            at = (figure.x, figure.y, figure.z + 0.02)
            yield Mark(MarkKind.RING, at, MARK_COLOURS["win"], ROUND_A_PLACE, stroke_width=3.5)

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame at time ``now`` as a flat plan, seen from straight above."""
        return make_top_view(self.frame(now, theme, highlights), drawn)

    def _reach(self) -> list[Mark]:
        """Return rings on the places that the hyena can reach next, with the number of steps to each.

        They are shown once the hyena may leave the well.
        """
        state = self._state
        seat = state.hyena
        if seat is None or state.result is not None:
            return []
        walker = state.walkers[seat]
        if walker.leg is not Leg.BACK and (walker.leg is not Leg.WELL or state.due(seat)):
            return []
        found = []
        for steps in sorted({n for n in (*state.numbers.steps, state.numbers.bought) if n}):
            walked = steps * state.times(seat)
            place = state.reach(seat, walked)
            if place:
                x, y, z = self._track.at(place)
                found.append(_ring((x, y, z), MARK_COLOURS["stop"], ROUND_A_PLACE + 0.06, 2.0))
                found.append(Mark(MarkKind.NUMBER, (x, y, z), MARK_COLOURS["stop"], 7.5, number=walked))
        return found

    def _ghosts(self, pointed: TableHighlights) -> list[Piece]:
        """Return translucent pawns at the places to which the move under the pointer would lead."""
        found: list[Piece] = []
        for event in pointed.preview:
            if isinstance(event, ev.Walked):
                walker = self._shown.walkers[event.seat]
                at = self._track.at(event.place, event.seat)
                found += pawn(walker, event.seat, at, alpha=GHOST)
        return found

    def _signs(self, pointed: TableHighlights) -> list[Mark]:
        """Return rings and crosses.

        Rings mark the spots that can be clicked, the spots of a hint, and the place to which the last turn led. A cross
        marks a pawn that the move under the pointer would eat.
        """
        spots = self.spots()
        found = []
        for event in pointed.last_events:
            if isinstance(event, ev.Walked):
                walker = self._state.walkers[event.seat]
                if walker.place == event.place and walker.leg in (Leg.OUT, Leg.BACK, Leg.WELL):
                    found.append(
                        _ring(spot_of(self._shown, event.seat), MARK_COLOURS["last"], ROUND_A_PLACE, 2.0)
                    )
        open_now = {self.clicks_for(move).last_spot for move in moves(self._state)} & pointed.clickable
        for key in open_now | ({pointed.focused} & set(spots)) | (pointed.hint & set(spots)):
            spot = spots[key]
            colour = MARK_COLOURS["win"] if key in pointed.hint else MARK_COLOURS["legal"]
            size = spot.radius if key != WELL else 0.72
            strong = key == pointed.focused or key in pointed.hint
            if key in open_now or key in pointed.hint:
                found.append(_ring(spot.position, colour, size, 3.5 if strong else 2.0))
        if pointed.focused == BOWL and BOWL in open_now:
            found += self._odds()
        for event in pointed.preview:
            if isinstance(event, ev.Eaten):
                at = spot_of(self._shown, event.seat)
                found.append(
                    Mark(MarkKind.HATCHED_CIRCLE, (at[0], at[1], at[2] + 0.5), MARK_COLOURS["stop"], 0.4)
                )
        return found

    def _odds(self) -> list[Mark]:
        """Return rings on the places that a throw may lead to, each with the number of steps to it.

        The bold part of a ring shows the probability of its place.
        """
        state, found = self._state, []
        seat = state.mover
        if state.due(seat):
            return []
        for whites, steps in enumerate(state.numbers.steps):
            walked = steps * state.times(seat)
            if not steps or state.void(seat, walked):
                continue
            x, y, z = self._track.at(state.reach(seat, walked), seat)
            found.append(_ring((x, y, z), MARK_COLOURS["legal"], ROUND_A_PLACE + 0.05, 1.5, 0.55))
            mark = _ring((x, y, z), MARK_COLOURS["legal"], ROUND_A_PLACE + 0.05, 5.0)
            found.append(mark._replace(sector_fraction=CHANCES[whites] / 8))
            found.append(Mark(MarkKind.NUMBER, (x, y, z), MARK_COLOURS["legal"], 7.5, number=walked))
        return found


def _ring(at: Vector, colour: str, size: float, width: float, alpha: float = 1.0) -> Mark:
    return Mark(MarkKind.RING, at, colour, size, alpha, stroke_width=width)
