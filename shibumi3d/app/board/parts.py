"""The interface through which the parts of a match page use the page, for tables of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.scene.rect import Rect

    from ..host import Host
    from .coach import Coach
    from .session import Session


class MatchTable(Protocol):
    """Page on which a match is played."""

    app: Host
    match: Match
    entry: Entry
    names: list[str]
    coach: Coach | None
    """Instruction strip of a lesson or problem, or None."""
    ending: bool
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """
    rect: Rect

    @property
    def session(self) -> Session:
        """The match, and what the viewer may know of it."""

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""

    def now(self) -> float:
        """Return the current time of the table's animations, in seconds."""

    def update(self) -> None:
        """Update the page after a change of the state."""

    def refresh(self) -> None:
        """Request a redraw."""

    def resume(self) -> bool:
        """Clear what stays on the table until the player acts; return whether anything was cleared.

        For example, a refuted turn and the reply to it stay on the table.
        """

    def remark(self, sentence: str) -> None:
        """Show a message that isn't about a particular place on the table."""

    def keep_eye(self) -> None:
        """Save the camera position."""
