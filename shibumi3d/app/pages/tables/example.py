"""Animated example shown beside the rules, for tables other than marbles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shibumi3d.app.wording import spoken
from shibumi3d.match.ply import Ply
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.table import Pointed, TableScene

from ...board.example import Example

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


class TableExample(Example):
    """Example that shows the moves of a lesson, each from the view of the seat that makes it."""

    scene: TableScene

    def _make(self, first: Any) -> None:
        assert self.match is not None
        self.scene = scene(self.match.game, len(self.match.seats))

    def _seen(self, state: State) -> tuple[Any, int]:
        assert self.match is not None
        seat = state.mover if state.to_move is None else state.to_move
        return self.match.game.view(state, seat), seat

    def _reset(self, state: State) -> None:
        self.scene.reset(*self._seen(state))

    def _play(self, ply: Ply, now: float) -> float:
        assert self.match is not None
        seen, seat = self._seen(ply.state)
        try:
            self.scene.play(self.match.game.as_seen_by(ply.state, ply.events, seat), now, seen, seat)
        except LookupError:
            self.scene.reset(seen, seat)
        return now

    def _busy(self, now: float) -> bool:
        self.scene.speed, self.scene.reduced = self.app.settings.motion, self.app.settings.reduced
        self.scene.cues(now)  # discard the sounds, since examples are silent
        return self.scene.busy(now)

    def _frame(self, now: float, aspect: float) -> tuple[Frame, Camera]:
        assert self.match is not None
        last = self.match.plies[self.moved - 1].events if self.moved else ()
        frame = self.scene.frame(now, self.app.settings.colours, Pointed(last=tuple(last)))
        return frame, cameras.home_of(self.scene.hull, self.scene.eye, aspect)

    def _did(self, number: int) -> str:
        assert self.match is not None
        return spoken(self.match, self.match.plies, number, self.match.plies[number].events)
