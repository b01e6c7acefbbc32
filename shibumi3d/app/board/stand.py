"""What shows a match again on a table of one kind, and what it asks of the page."""

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
    """A page on which a match is shown again."""

    app: Host
    match: Match
    entry: Entry
    names: list[str]
    history: tuple[Ply, ...]
    at_ply: int
    """After how many moves it is shown."""
    viewer: int | None
    """For whom, as :func:`.secrets.view_of` takes it: for all while the match goes on."""
    stand: Stand
    line: Slider
    told: str
    """The record of the match."""

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""

    @property
    def aloud(self) -> bool:
        """Whether what moves is heard."""

    def time(self, now: float) -> float:
        """Return the time on the table at the time ``now`` of the clock."""

    def now(self) -> float:
        """Return the time on the table at this moment."""

    def go(self, ply: int) -> None:
        """Show the board after so many moves, without motion."""

    def caption(self, at: int | None = None) -> str:
        """Return what the last of the first ``at`` moves did."""

    def update(self) -> None:
        """Show what follows from what is known."""

    def refresh(self) -> None:
        """Ask for a new picture."""


class Stand(Protocol):
    """Shows the moment at which such a page is. Made with the page, by :func:`.kinds.stand_of`."""

    view: View
    ending: bool
    """Whether the match is over as soon as all lies still."""
    keys: Mapping[str, Callable[[], object]]
    """Keys that show more or less of such a table."""
    editable: bool
    """Whether what is shown can be laid out on a page where it is changed."""
    plans: bool
    """Whether there are plans of it on paper."""

    @property
    def over(self) -> Widget:
        """What stands over the picture."""

    def reset(self) -> None:
        """Show the moment, nothing moving."""

    def play(self, ply: Ply) -> None:
        """Show how the last move shown is made."""

    def back(self, ply: Ply) -> None:
        """Show how the move after the moment is taken back."""

    def finish(self) -> None:
        """End all motion now."""

    def busy(self, time: float) -> bool:
        """Return whether something moves at a time on the table."""

    def hurry(self, speed: float) -> float:
        """Return how much faster than at ``speed`` time must pass while the line is dragged; nothing more is heard."""

    def things(self) -> Sequence[Thing]:
        """Return what stands or lies there, for those who do not see it."""

    def told(self, number: int) -> str:
        """Return move ``number`` in words, or nothing."""

    def fit(self, foot: Rect) -> None:
        """Lay everything within the view, free of the ``foot``."""

    def animate(self, now: float) -> bool:
        """Move on to a time of the clock; return whether something moves."""

    def fading(self) -> bool:
        """Return whether something in the picture still comes or leaves."""
