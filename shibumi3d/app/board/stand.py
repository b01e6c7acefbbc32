"""Protocols of a replay view, one for each kind of table, and of the page it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
    from shibumi3d.scene.rect import Rect

    from ..host import Host
    from ..host.view import View
    from ..ui.core import Widget
    from ..ui.slider import Slider
    from ..ui.tree import Thing


class Retold(Protocol):
    """Page on which a match is replayed."""

    app: Host
    match: Match
    entry: Entry
    names: list[str]
    history: tuple[Ply, ...]
    at_ply: int
    """Number of moves shown."""
    viewer: int | None
    """Viewer as for :func:`.secrets.view_of`; :data:`.secrets.ALL` until the match is over."""
    stand: Stand
    line: Slider
    told: str
    """Text of the match record."""

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""

    @property
    def aloud(self) -> bool:
        """Whether sounds are played."""

    def time(self, now: float) -> float:
        """Return the playback time at ``now``, a time of the app's clock."""

    def now(self) -> float:
        """Return the current playback time."""

    def go(self, ply: int) -> None:
        """Jump to the state after ``ply`` moves, without animation."""

    def caption(self, at: int | None = None) -> str:
        """Return the last of the first ``at`` moves in words; by default, the last move shown."""

    def update(self) -> None:
        """Update everything that depends on the current move or the review."""

    def refresh(self) -> None:
        """Request a new frame."""


class Stand(Protocol):
    """Replay view of one kind of table, showing the page's current move.

    :func:`.kinds.stand_of` makes it together with the page.
    """

    view: View
    ending: bool
    """Whether the end of the match has been reached, and its sound is due once nothing moves."""
    keys: Mapping[str, Callable[[], object]]
    """Key bindings that show or hide things on this kind of table."""
    editable: bool
    """Whether a position can be opened in the position editor."""
    plans: bool
    """Whether diagrams of a position can be exported."""

    @property
    def over(self) -> Widget:
        """Widget drawn above the view."""

    def reset(self) -> None:
        """Show the current move without animation."""

    def play(self, ply: Ply) -> None:
        """Animate ``ply``, the last move shown."""

    def back(self, ply: Ply) -> None:
        """Animate taking back ``ply``, the move after the last one shown."""

    def finish(self) -> None:
        """Finish all animations at once."""

    def busy(self, time: float) -> bool:
        """Return whether anything is moving at playback time ``time``."""

    def hurry(self, speed: float) -> float:
        """Return the factor by which to speed up time while the slider is dragged at ``speed``.

        Sounds that are still to come are dropped.
        """

    def things(self) -> Sequence[Thing]:
        """Return what is on the table, for screen readers."""

    def told(self, number: int) -> str:
        """Return move ``number`` (from 0) in words; may be empty."""

    def fit(self, foot: Rect) -> None:
        """Fit the table into the view, clear of the controls at ``foot``."""

    def animate(self, now: float) -> bool:
        """Advance the view to ``now``, a time of the app's clock; return whether anything moves."""

    def fading(self) -> bool:
        """Return whether anything is still fading in or out."""
