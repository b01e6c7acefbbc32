"""One-minute guide for new players: turn the board, place a marble, move one, undo."""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import N_, _
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles import event as ev

from ...board.staged import staged
from ...board.taught import Taught
from .screen import Play

if TYPE_CHECKING:
    from ...host import Host
    from ...host.screen import Screen

GUIDE_TEXTS = {
    "turn": N_("Drag the board to rotate it, or press [ or ]."),
    "place": N_("White goes first. Each mark shows where a marble can go: click one."),
    "lift": N_(
        "Now lift a white marble that has at most one marble on top, then click where to put it. "
        "Any marble on top drops into the gap."
    ),
    "undo": N_("You can undo any turn. Press Undo or Ctrl+Z."),
    "done": N_(
        "That's all you need. F1 shows a game's rules, H gives a hint, ? lists the keyboard shortcuts."
    ),
    "next": N_("Next"),
    "play": N_("Choose a game"),
}

STEPS = ("turn", "place", "lift", "undo")
"""Steps of the guide, in order; each is a key of :data:`GUIDE_TEXTS`."""
TURNED = 8.0
"""Minimum change of the camera's yaw or pitch, in degrees, that counts as turning the board."""
ANSWER = 0.9
"""Seconds before the opponent replies."""


def first_steps(app: Host) -> tuple[Match, Entry]:
    """Return the match used by the guide, at its start, and its game."""
    with importlib.resources.as_file(importlib.resources.files(__package__) / "first.yaml") as file:
        entry = app.catalogue.open(Path(file))
    assert entry.example is not None
    return staged(entry, entry.example), entry


class Guide(Taught, Play):
    """Page that teaches the first steps on a real board."""

    title = "guide"

    def __init__(self, app: Host, came: Screen | None = None) -> None:
        match, entry = first_steps(app)
        self.met: set[str] = set()
        """Steps completed so far."""
        self._answering = False
        super().__init__(app, match, entry, came)
        self._looked = (self.view.goal.yaw, self.view.goal.pitch)

    @property
    def step(self) -> str:
        """Next step to be done; empty once all are done."""
        return next((step for step in STEPS if step not in self.met), "")

    def instruct(self) -> None:
        number = STEPS.index(self.step) if self.step else len(STEPS)
        if not self.step:
            self.tell(
                _(
                    "That's all you need. F1 shows a game's rules, H gives a hint, ? lists the keyboard "
                    "shortcuts."
                ),
                _("Choose a game"),
                number,
                len(STEPS),
            )
        else:
            go = _("Next") if self.step == "turn" else ""
            self.tell(_(GUIDE_TEXTS[self.step]), go, number, len(STEPS))

    def renewed(self) -> Guide:
        page = Guide(self.app, self.came)
        page.met = set(self.met)
        page.instruct()
        return page

    def go(self) -> None:
        if self.step:
            self.met.add(self.step)
            self.instruct()
        else:
            self.app.pages.home()

    def finish(self) -> None:
        self.app.change(guided=True)
        super().finish()

    def update(self) -> None:
        self._look_at_match()
        super().update()
        self._answer()

    def _look_at_match(self) -> None:
        """Mark steps as done if the last move or an undo completed them."""
        if any(isinstance(event, ev.Placed) for ply in self.match.plies[-1:] for event in ply.events):
            self.met |= {"turn", "place"}
        if any(isinstance(event, ev.Moved) for ply in self.match.plies[-1:] for event in ply.events):
            self.met |= {"turn", "place", "lift"}
        if self.match.undone and "lift" in self.met:
            self.met.add("undo")
        if not self.step and not self.app.settings.guided:
            self.app.change(guided=True)

    def _answer(self) -> None:
        """Place a marble for the opponent, after :data:`ANSWER` seconds.

        If the user has undone the opponent's move, undo the player's preceding move instead of answering it again.
        """
        if self.match.state.to_move != 1 or self._answering:
            return
        self._answering = True

        def now() -> None:
            self._answering = False
            if self.app.stage.screen is not self or self.match.state.to_move != 1 or not self.session.live:
                return
            if self.match.undone:
                self.doing.undo_now()
                return
            placing = [move for move in self.match.moves() if move.kind == "place"]
            if placing:
                self.doing.play_move(placing[-1])

        self.app.later(ANSWER, now)

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        yaw, pitch = self.view.camera.yaw - self._looked[0], self.view.camera.pitch - self._looked[1]
        if self.step == "turn" and max(abs(yaw), abs(pitch)) > TURNED:
            self.met.add("turn")
            self.instruct()
        return moving
