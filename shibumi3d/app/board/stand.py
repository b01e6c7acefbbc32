"""Protocols of replay views, which differ by kind of table, and of the page that contains them."""

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
    """Viewer, in the form accepted by :func:`.secrets.view_of`.

    It is :data:`.secrets.ALL` unless the match is over.
    """
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
        """Convert ``now``, a time of the app's clock, to playback time."""

    def now(self) -> float:
        """Return the current playback time."""

    def go(self, ply: int) -> None:
        """Jump to the state after ``ply`` moves, without animation."""

    def caption(self, at: int | None = None) -> str:
        """Return a description of move number ``at``, counted from 1.

        The default is the last move shown.
        """

    def update(self) -> None:
        """Update everything that depends on the current move or on the review."""

    def refresh(self) -> None:
        """Request a new frame."""


class Stand(Protocol):
    """Replay view of one kind of table, which shows the page's current move.

    :func:`.kinds.stand_of` creates it together with the page.
    """

    view: View
    ending: bool
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """
    keys: Mapping[str, Callable[[], object]]
    """Key bindings that show or hide things on this kind of table."""
    editable: bool
    """Whether positions can be opened in the position editor."""
    plans: bool
    """Whether diagrams of positions can be exported."""

    @property
    def over(self) -> Widget:
        """Widget drawn on top of the view."""

    def reset(self) -> None:
        """Show the current position without animation."""

    def play(self, ply: Ply) -> None:
        """Animate ``ply``, which is the last move shown."""

    def back(self, ply: Ply) -> None:
        """Animate undoing ``ply``, which is the move after the last one shown."""

    def finish(self) -> None:
        """Finish all animations at once."""

    def busy(self, time: float) -> bool:
        """Return whether anything is moving at playback time ``time``."""

    def hurry(self, speed: float) -> float:
        """Return the factor by which to speed up time while the slider is dragged at ``speed``.

        Scheduled sounds are dropped.
        """

    def things(self) -> Sequence[Thing]:
        """Return the items on the table, for screen readers."""

    def told(self, number: int) -> str:
        """Return a description of the move with index ``number``; it may be empty."""

    def fit(self, foot: Rect) -> None:
        """Fit the table into the view, clear of the controls at ``foot``."""

    def animate(self, now: float) -> bool:
        """Advance the view to ``now``, a time of the app's clock; return whether anything moves."""

    def fading(self) -> bool:
        """Return whether anything is still fading in or out."""
