"""Replay view for matches of marbles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shibumi3d.i18n import _, language
from shibumi3d.match.outside_moves import last_turn
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.scene import motion
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.rect import Rect

from ..host.view import View
from ..marbles import secrets
from ..ui.tree import Thing
from .boards import Boards, coordinates
from .heard import marbles_told
from .over import Over
from .seen import Open
from .stand import Retold


class Retelling(Open):
    """Position in a replay, limited to what the viewer may know.

    Once the match is over, nothing is hidden.
    """

    def __init__(self, page: Retold) -> None:
        super().__init__(page.match)
        self.page = page

    @property
    def state(self) -> State:
        """State shown, including hidden information."""
        state: State = self.match.state_after(self.page.at_ply)
        return state

    @property
    def view(self) -> State:
        """State shown, limited to what the viewer may know."""
        return secrets.view_of(self.match.game, self.state, self.page.viewer)

    @property
    def cloths(self) -> frozenset[int]:  # type: ignore[override]
        """Indexes of the boards that are hidden from some seat while the match continues."""
        return secrets.covered(self.state, self.page.viewer)

    def passed(self) -> Sequence[Ply]:
        """Return the moves that led to the position."""
        return self.page.history[: self.page.at_ply]


class MarbleStand(Boards):
    """Replay view of the boards, and of the objects beside them on the table."""

    editable = plans = True

    def __init__(self, page: Retold) -> None:
        self.page = page
        self.refresh = page.refresh
        self.hidden = secrets.masked(page.match, page.history, page.viewer)
        """Numbers of the moves that are secret from the viewer while the match goes on."""
        super().__init__(page.app, page.match, page.entry, Retelling(page))
        self.over = Over(self)
        self.keys: Mapping[str, Callable[[], object]] = coordinates(page.app)

    def make_view(self) -> View:
        return View(
            self.app,
            self.stage.sizes,
            self.picture,
            clicked=lambda x, y: False,
            cancelled=lambda x, y: None,
            pointed=lambda x, y: None,
        )

    def _known(self, ply: Ply) -> list[Any]:
        return secrets.as_seen_by(self.match.game, ply.state, self.page.viewer, ply.events)

    def time(self, now: float) -> float:
        return self.page.time(now)

    @property
    def aloud(self) -> bool:
        return self.page.aloud

    def picture(self, now: float, aspect: float) -> Frame:
        """Return the frame at ``now``, a time of the app's clock."""
        return self.frame(now, aspect, self.steady_signs())

    def reset(self) -> None:
        self.last_turn.trails = []
        self.stage.reset(self.seen.view)

    def play(self, ply: Ply) -> None:
        known = self._known(ply)
        self.set_table(self.seen.passed(), known)
        try:
            self.stage.play(known, self.now())
        except LookupError:
            self.stage.reset(self.seen.view)
        self.last_turn.leave_trails(known)

    def back(self, ply: Ply) -> None:
        known = self._known(ply)
        self.set_table((*self.seen.passed(), ply), known)
        self.last_turn.trails = []
        try:
            self.stage.rewind(known, self.now(), self.seen.view)
        except LookupError:
            self.stage.reset(self.seen.view)

    def finish(self) -> None:
        self.stage.finish()

    def busy(self, time: float) -> bool:
        return self.stage.busy(time)

    def hurry(self, speed: float) -> float:
        self.stage.queue.hush()
        left = (self.stage.queue.end - self.now()) / speed
        return max(1.0, left * 1000 / motion.SCRUB)

    def things(self) -> list[Thing]:
        covered = secrets.covered(self.state, self.page.viewer)
        return marbles_told(self.stage, self.seen.view, self.view, self.names, self.facts.moves, covered)

    def told(self, number: int) -> str:
        ply = self.page.history[number]
        if number in self.hidden:
            return _("{who} chose in secret", who=self.names[ply.seat])
        history = self.page.history[: number + 1]
        turn = [history[each] for each in last_turn(history) if each not in self.hidden]
        events = [event for each in turn for event in self._known(each)]
        told = sentences.told(ply.state, ply.seat, events, language(), self.names)
        return told or (self.names[ply.seat] if len(self.names) > 1 else "")

    def fit(self, foot: Rect) -> None:
        self.view.fit(self.tabletop.lay.around, [foot])
