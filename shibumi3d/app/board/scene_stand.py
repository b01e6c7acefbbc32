"""Replay view of tables that are drawn by a scene, always seen from the same seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from shibumi3d.app.wording import score_of, spoken
from shibumi3d.i18n import _, language
from shibumi3d.match.ply import Ply
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, Style
from shibumi3d.scene.table import Pointed

from ..host.view import View
from ..marbles import secrets
from ..ui.canvas import Canvas
from ..ui.core import Still
from ..ui.tree import Thing
from .fitting import fit_scene
from .heard import things_told
from .seat_line import paint_box, paint_line

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from .stand import Retold

HURRY = 8.0
"""Factor by which animations are sped up while the slider is dragged."""
HIGH, GAP = 28.0, 8.0
"""Height of a seat's box, and the gap between boxes."""
SHARE = 0.3
"""Maximum fraction of the table's height that boxes with names may cover."""


class SceneStand:
    """Replay view (see :class:`.stand.Stand`) of a scene, with the seats and their scores above it."""

    ending = editable = plans = False
    keys: Mapping[str, Callable[[], object]] = MappingProxyType({})

    def __init__(self, page: Retold) -> None:
        self.page, match = page, page.match
        self.facts = match.game.facts(len(match.seats))
        self.front = secrets.front(match)
        self.scene = scene(match.game, len(match.seats))
        self.view = View(
            page.app,
            (4,),
            self.picture,
            clicked=lambda x, y: False,
            cancelled=lambda x, y: None,
            pointed=lambda x, y: None,
            name="table",
        )
        self.view.home = self.view.camera = cameras.home_of(self.scene.hull, self.scene.eye)
        self.view.above = cameras.home_of(self.scene.hull, self.scene.eye, above=True)
        self.over = Seats(self)
        self.reset()

    @property
    def state(self) -> State:
        """State after the moves shown, including hidden information."""
        page = self.page
        return page.match.state_after(page.at_ply)

    def _seen(self) -> Any:
        return secrets.view_of(self.page.match.game, self.state, self.page.viewer)

    def _known(self, ply: Ply) -> list[Any]:
        return secrets.as_seen_by(self.page.match.game, ply.state, self.page.viewer, ply.events)

    def picture(self, now: float, aspect: float) -> Frame:
        """Return the frame at ``now``, a time of the app's clock, with the last turn highlighted."""
        page = self.page
        passed = page.history[: page.at_ply]
        last = [event for ply in passed if ply.turn == passed[-1].turn for event in self._known(ply)]
        colours = page.app.settings.colours_after(page.at_ply)
        return self.scene.frame(page.time(now), colours, Pointed(last=tuple(last)))

    def reset(self) -> None:
        self.scene.reset(self._seen(), self.front)

    def play(self, ply: Ply) -> None:
        try:
            self.scene.play(self._known(ply), self.page.now(), self._seen(), self.front)
        except LookupError:
            self.reset()

    def back(self, ply: Ply) -> None:
        try:
            self.scene.back(self._known(ply), self.page.now(), self._seen(), self.front)
        except LookupError:
            self.reset()

    def finish(self) -> None:
        self.scene.finish()

    def busy(self, time: float) -> bool:
        return self.scene.busy(time)

    def hurry(self, speed: float) -> float:
        return HURRY

    def things(self) -> list[Thing]:
        return things_told(
            self.page.match.game,
            self._seen(),
            self.scene,
            self.page.names,
            lambda spot: self.view.on_screen(spot.at),
        )

    def told(self, number: int) -> str:
        page = self.page
        ply = page.history[number]
        did = spoken(page.match, page.history, number, self._known(ply))
        return _("{who}: {did}", who=page.names[ply.seat], did=did) if len(page.names) > 1 else did

    def fit(self, foot: Rect) -> None:
        seats = self.over.lay(self.view.rect, self.page.app.canvas)
        fit_scene(self.view, self.scene, [seats], foot)

    def animate(self, now: float) -> bool:
        app, scene = self.page.app, self.scene
        scene.speed, scene.reduced, scene.language = app.settings.motion, app.settings.reduced, language()
        for cue in scene.cues(self.page.time(now)):
            if self.page.aloud:
                app.sounds.touch(cue)
        moving = scene.busy(self.page.time(now))
        if self.ending and not moving:
            self.ending = False
            app.sounds.bowl()
        return self.view.animate(now) or moving

    def fading(self) -> bool:
        return False


class Seats(Still):
    """Boxes with the symbol, name and score of each seat, in rows at the top of the table."""

    def __init__(self, stand: SceneStand) -> None:
        super().__init__("seats")
        self.stand = stand
        self.places: list[Rect] = []
        self.named = True
        """Whether there is room for the names."""

    def lay(self, area: Rect, canvas: Canvas) -> Rect:
        """Lay out the boxes at the top of ``area``; return the rectangle that they cover.

        The names are left out if the boxes would otherwise take up more than the fraction SHARE of the height of the
        area.
        """
        room = area.inset(10, 10)
        plies, names = self.stand.page.history, self.stand.page.names
        end = plies[-1].state if plies else self.stand.state
        score = max(
            canvas.width(score_of(end, self.stand.facts, seat), "bold", BODY) for seat in range(len(names))
        )
        for self.named in (True, False):
            self.places, x, y = [], room.x, room.y
            for name in names:
                wide = canvas.width(name, "bold", BODY) + 10 if self.named else 0.0
                wide = min(room.w, 30 + wide + max(score, 24.0) + 14)
                if x > room.x and x + wide > room.right:
                    x, y = room.x, y + HIGH + GAP / 2
                self.places.append(Rect(x, y, wide, HIGH))
                x += wide + GAP
            if y + HIGH - area.y <= area.h * SHARE:
                break
        right = max(place.right for place in self.places)
        self.layout(Rect(room.x, room.y, right - room.x, y + HIGH - room.y))
        return self.rect

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.stand.state
        for seat, box in enumerate(self.places):
            on = state.ask is not None and seat in state.ask.seats
            paint_box(canvas, style, box, on)
            name = self.stand.page.names[seat] if self.named else ""
            paint_line(canvas, style, box, seat, name, score_of(state, self.stand.facts, seat), on)
