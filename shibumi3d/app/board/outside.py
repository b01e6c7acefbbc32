"""Actions outside the rules of a game, for tables of any kind: draw claims, swaps, losses on time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.match.outside_moves import CLAIM, SWAP, TIME_UP, may_claim_draw, may_swap

if TYPE_CHECKING:
    from ..ui.button import Button
    from .doing import Doing, Played


class Outside:
    """Draw claims, seat swaps and losses on time, and the choice of the seat whose clock runs."""

    def __init__(self, page: Played, doing: Doing) -> None:
        self._page, self._doing = page, doing

    def offered(self) -> str:
        """Return the action available to the person to move: :data:`.SWAP`, :data:`.CLAIM` or ""."""
        session, match = self._page.session, self._page.session.match
        if session.asked is None or not session.asking:
            return ""
        if may_swap(match):
            return SWAP
        return CLAIM if session.facts.recurs and may_claim_draw(match) else ""

    def offer(self, button: Button) -> None:
        """Set up a button for the action that is available now, or hide the button if there is none."""
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
        """Perform the action that is available now, if any."""
        offered = self.offered()
        if offered:
            self._doing.skip()
            self._doing.made(self._doing.make(offered))

    def choosing(self) -> int | None:
        """Return the seat whose clock runs, or None.

        No clock runs while the table is in motion, or until a computer that must move has started thinking.
        """
        session = self._page.session
        if self._doing.moving:
            return None
        thinking = session.thinking
        if thinking is not None:
            return thinking if self._page.computers.seconds else None
        return session.asked

    def lose_on_time(self) -> None:
        """End the match because the seat to move is out of time."""
        self._doing.skip()
        self._page.session.looking = None
        self._doing.made(self._doing.make(TIME_UP))
