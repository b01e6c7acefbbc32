"""Playing by post: cards that copy links to a match, a challenge or a problem, and open links from other players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.problems import ProvedProblem
from shibumi3d.i18n import _, language, localize
from shibumi3d.match.sharing import (
    ProblemResult,
    SharingError,
    encode_challenge,
    encode_match,
    encode_problem,
    find_link,
)
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import game_title

from ..host.desktop import new_picture_path
from ..host.share_card import ShareCard
from ..ui.button import Button
from .export import PROGRESS_POLL_SECONDS, ExportProcess
from .players import MatchPageInterface

if TYPE_CHECKING:
    from ..host import Host


class MatchShareCard(ShareCard):
    """Card for copying a link to the page's match and for opening a link from the clipboard.

    After the end of a solo game, the copied link is a challenge to beat the player's result.
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
        _open_copied_link(self)


class ProblemShareCard(ShareCard):
    """Card that copies a link with a problem and the player's result, or exports the problem as a web page.

    It can also open the link on the clipboard.
    """

    def __init__(self, app: Host, problem: ProvedProblem, result: ProblemResult) -> None:
        super().__init__(
            app,
            _("Share problem"),
            _("Challenge a friend with this problem. The link also contains your result, once there is one."),
            copy_label=_("Copy challenge"),
            on_copy=self._copy,
            paste_label=_("Open copied link"),
            on_paste=lambda: _open_copied_link(self),
        )
        self.problem, self.result = problem, result
        self.process: ExportProcess | None = None
        self.web_page_button = Button(
            _("Export web page"),
            self._export,
            name="web page",
            tip=_("Save the problem as a web page, so that anyone can solve it in a browser"),
        )
        self.open_folder_button = Button(_("Open folder"), self._open_folder, name="open folder")
        self.open_folder_button.visible = False
        self._saved_path: Path | None = None
        self.add_buttons(self.web_page_button, self.open_folder_button)

    def _copy(self) -> None:
        self.app.root.copy_text(encode_problem(self.problem, self.result))
        self.show_note(_("Link copied. Paste it into any message."))

    def _export(self) -> None:
        if self.process is not None:
            return
        entry = self.app.catalogue.get(self.problem.game)
        title = _("{game}, problem {number}", game=game_title(entry), number=self.problem.id)
        text = f"problems:\n  - {self.problem.to_row(include_game=True)}\n"
        try:
            path = new_picture_path(self.app.services.pictures_folder, title, "html")
            self.process = ExportProcess(text, path, ["--lang", language(), "--html", str(path)])
        except OSError as problem:
            self.show_note(_("Export failed: {problem}.", problem=problem), is_error=True)
            return
        self.show_note(_("Exporting…"))
        self._poll()

    def _poll(self) -> None:
        process = self.process
        if process is None:
            return
        if not process.is_done:
            self.app.schedule(PROGRESS_POLL_SECONDS, self._poll)
            return
        problem, path = process.error_message, process.output_path
        process.close()
        self.process = None
        if problem:
            note = _("Export failed: {problem}.", problem=problem)
        else:
            note, self._saved_path = _("Saved to {path}.", path=path), path
            self.open_folder_button.visible = True
            self.layout(self.rect)
        self.show_note(note, is_error=bool(problem))
        if self not in self.app.root.popups:  # the card has been closed in the meantime
            self.app.show_message(note)

    def _open_folder(self) -> None:
        if self._saved_path is not None and not self.app.services.open_folder(self._saved_path.parent):
            self.show_note(_("No file manager was found."), is_error=True)


def _open_copied_link(card: ShareCard) -> None:
    """Close the card and open the link on the clipboard, or say on the card that there is no link."""
    link = find_link(card.app.root.paste_text())
    if not link:
        card.show_note(_("The clipboard doesn't contain a Shibumi 3D link."), is_error=True)
        return
    card.app.root.close_popup()
    card.app.matches.open_text(link)


def open_share_card(page: MatchPageInterface) -> None:
    """Open the card for sharing the page's match."""
    MatchShareCard(page).open()
