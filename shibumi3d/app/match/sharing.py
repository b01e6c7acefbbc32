"""Playing by post: the card that copies links to a match or a challenge, and opens links from other players."""

from __future__ import annotations

from shibumi3d.i18n import _, localize
from shibumi3d.match.sharing import SharingError, encode_challenge, encode_match, find_link
from shibumi3d.rules.wording import capitalize_first

from ..host.share_card import ShareCard
from .model import MatchPageInterface


class MatchShareCard(ShareCard):
    """Card that copies a link to the match on the page, or opens the link on the clipboard.

    After the end of a solo game, the link is a challenge to beat its result.
    """

    def __init__(self, page: MatchPageInterface) -> None:
        self.page = page
        match = page.match
        self.is_challenge = len(match.seats) == 1 and match.state.to_move is None
        introduction = (
            _("Challenge a friend to beat your result. The link contains the deal, but not your moves.")
            if self.is_challenge
            else _(
                "Send a link after each of your turns. The other player opens it, moves, and sends one back."
            )
        )
        super().__init__(
            page.app,
            _("Challenge") if self.is_challenge else _("Play by post"),
            introduction,
            copy_label=_("Copy challenge") if self.is_challenge else _("Copy link"),
            on_copy=self._copy,
            paste_label=_("Open copied link"),
            on_paste=self._open,
        )

    def _copy(self) -> None:
        match, app = self.page.match, self.app
        try:
            if self.is_challenge:
                deal = app.results.solo.find(match)
                link = encode_challenge(match, len(deal.lead) if deal is not None else 0)
            else:
                link = encode_match(match)
        except SharingError as problem:
            self.show_note(_("{text}.", text=capitalize_first(localize(problem))), is_error=True)
            return
        app.root.copy_text(link)
        self.show_note(_("Link copied. Paste it into any message."))

    def _open(self) -> None:
        link = find_link(self.app.root.paste_text())
        if not link:
            self.show_note(_("The clipboard contains no link to a match."), is_error=True)
            return
        self.app.root.close_popup()
        self.app.matches.open_text(link)


def open_share_card(page: MatchPageInterface) -> None:
    """Open the card for playing the page's match by post."""
    MatchShareCard(page).open()
