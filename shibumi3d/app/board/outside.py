"""What may be done at a table of any kind beyond the rules of its game: a draw claimed, seats swapped, time run out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.match.outside_moves import CLAIM, SWAP, TIME_UP, may_claim_draw, may_swap

if TYPE_CHECKING:
    from ..ui.button import Button
    from .doing import Doing, Played


class Outside:
    """Moves beyond the rules of the game, and whose clock runs."""

    def __init__(self, page: Played, doing: Doing) -> None:
        self._page, self._doing = page, doing

    def offered(self) -> str:
        """Return the move that the person asked may make so; empty for none."""
        session, match = self._page.session, self._page.session.match
        if session.asked is None or not session.asking:
            return ""
        if may_swap(match):
            return SWAP
        return CLAIM if session.facts.recurs and may_claim_draw(match) else ""

    def offer(self, button: Button) -> None:
        """Let a button offer it, where there is anything."""
        offered = self.offered()
        button.visible = bool(offered)
        if offered:
            swaps = offered == SWAP
            button.label = _("Swap seats") if swaps else _("Claim a draw")
            button.tip = (
                _("Take over your opponent's seat and first turn  S")
                if swaps
                else _("This position has occurred three times  S")
            )

    def make(self) -> None:
        """Do it: claim a draw, or swap the seats."""
        offered = self.offered()
        if offered:
            self._doing.skip()
            self._doing.made(self._doing.make(offered))

    def choosing(self) -> int | None:
        """Return the seat that chooses now and whose clock runs: not while things are on their way."""
        session = self._page.session
        if self._doing.moving:
            return None
        thinking = session.thinking
        if thinking is not None:
            return thinking if self._page.computers.seconds else None
        return session.asked

    def lose_on_time(self) -> None:
        """End the match because the time of the one to move is up."""
        self._doing.skip()
        self._page.session.looking = None
        self._doing.made(self._doing.make(TIME_UP))
