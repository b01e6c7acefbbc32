"""What every part of the page of a match asks of it, whatever lies on its table."""

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
    """The page of a match."""

    app: Host
    match: Match
    entry: Entry
    names: list[str]
    coach: Coach | None
    """What says on the pages of lessons what to do."""
    ending: bool
    """Whether the match is over as soon as nothing moves."""
    rect: Rect

    @property
    def session(self) -> Session:
        """What is played and what of it is seen."""

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""

    def now(self) -> float:
        """Return the time on the table at this moment."""

    def update(self) -> None:
        """Make anew what follows from the state."""

    def refresh(self) -> None:
        """Ask for a new picture."""

    def resume(self) -> bool:
        """Leave what stays on the table until the player acts; return whether there was anything."""

    def remark(self, sentence: str) -> None:
        """Say something that belongs to no place of the table."""

    def keep_eye(self) -> None:
        """Remember from where the table is seen."""
