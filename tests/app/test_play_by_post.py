"""Play by post: two players with their own home folders exchange links; challenges; links that don't match."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host.dialogs import ChoiceCard, MessageCard
from shibumi3d.app.host.share_card import ShareCard
from shibumi3d.app.match.dialogs import SaveDialog
from shibumi3d.app.match.sharing import MatchShareCard, open_share_card
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.match.record import load
from shibumi3d.match.sharing import decode, encode_challenge, encode_match
from shibumi3d.match.store import MatchStore

if TYPE_CHECKING:
    from tests.app.hand import Hand


class Players:
    """Two players at one window, each with an own store; the clipboard is the post between them."""

    def __init__(self, hand: Hand, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hand, self.link = hand, ""
        self.stores = [MatchStore(folder / name) for name in ("ann", "ben")]
        monkeypatch.setattr(hand.app.services, "write_clipboard", self._take)
        monkeypatch.setattr(hand.app.services, "read_clipboard", lambda: self.link)
        monkeypatch.setattr(hand.app, "store", self.stores[0])

    def _take(self, text: str) -> None:
        self.link = text

    def sit_down(self, player: int) -> None:
        """Change places: the other player's program is at its home page."""
        self.hand.app.matches.release_current()
        self.hand.app.pages.show_home()
        self.hand.app.store = self.stores[player]

    def send(self) -> str:
        """Send the link of the match on the screen, and return it."""
        self.hand.key("ctrl+e")
        self.hand.push("copy line")
        card = self.hand.floating(MatchShareCard)
        assert (card.note, card.is_error) == ("Link copied. Paste it into any message.", False)
        self.hand.key("escape")
        return self.link

    def receive(self, link: str) -> None:
        self.link = f"Your turn!\n{link}"
        self.hand.key("ctrl+v")
        self.hand.wait(6)

    def saved(self, player: int) -> list[list[str]]:
        """Return the turns of each saved match of a player."""
        return sorted(
            [" ".join(turn) for turn in load(file.path).turns] for file in self.stores[player].list_files()
        )


@pytest.fixture
def players(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Players:
    return Players(hand, tmp_path, monkeypatch)


def test_match_goes_back_and_forth_and_each_player_has_one_file(hand: Hand, players: Players) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    first = players.send()
    players.sit_down(1)
    players.receive(first)
    assert [ply.move for ply in hand.play.match.plies] == ["W@Aa1"]
    hand.choose("Ab1")
    second = players.send()
    players.sit_down(0)
    players.receive(second)
    assert [ply.move for ply in hand.play.match.plies] == ["W@Aa1", "B@Ab1"]
    hand.choose("Ad4")
    players.send()
    assert players.saved(0) == [["W@Aa1", "B@Ab1", "W@Ad4"]]
    assert players.saved(1) == [["W@Aa1", "B@Ab1"]]


def test_received_turn_is_shown_as_motion(hand: Hand, players: Players) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    link = players.send()
    players.sit_down(1)
    players.link = link
    hand.key("ctrl+v")
    assert hand.play.actions.is_replaying
    hand.wait(6)
    assert not hand.play.actions.is_replaying
    assert hand.play.match.cursor == 1


def test_older_link_opens_ones_own_match_and_says_so(hand: Hand, players: Players) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    old = players.send()
    hand.choose("Ab1")
    players.sit_down(0)
    players.receive(old)
    told = hand.floating(MessageCard).message_label.caption
    assert told == "This link is older than your match: it ends after turn 1, yours after turn 2."
    hand.key("enter")
    assert hand.play.match.cursor == 2
    assert players.saved(0) == [["W@Aa1", "B@Ab1"]]


@pytest.mark.parametrize(("button", "shown"), [("go on", "W@Ad4"), ("other choice", "W@Ac1")])
def test_fork_is_told_and_nothing_is_lost(hand: Hand, players: Players, button: str, shown: str) -> None:
    """Ann plays Ac1 as turn 3 while Ben receives Ad4: she sent it, took it back, and played something else."""
    hand.start("spline")
    hand.choose("Aa1", "Ab1", "Ad4")
    sent = players.send()
    hand.key("ctrl+z")
    hand.choose("Ac1")
    players.sit_down(0)
    players.receive(sent)
    card = hand.floating(ChoiceCard)
    assert card.message_label.caption.startswith("This link and your match differ from turn 3 on")
    hand.push(button)
    hand.wait(6)
    assert hand.play.match.plies[-1].move == shown
    turns = players.saved(0)
    assert ["W@Aa1", "B@Ab1", "W@Ac1"] in turns
    assert len(turns) == (2 if button == "go on" else 1)


def test_match_that_the_other_player_has_won_is_recorded(hand: Hand, players: Players) -> None:
    """Four in a row on level A win Spline: Aa1 to Ad1."""
    hand.start("spline")
    hand.choose("Aa1", "Aa4", "Ab1", "Ab4", "Ac1", "Ac4")
    before = players.send()
    match = hand.play.match
    ended = Match.from_record(match.record(), match.game)
    ended.play("W@Ad1")
    assert ended.state.to_move is None
    players.sit_down(1)
    players.receive(before)
    players.receive(encode_match(ended))
    assert hand.play.result_bar.visible
    (file,) = players.stores[1].list_files()
    result = load(file.path).result
    assert result is not None
    assert result.winners == (0,)
    assert [each.game for each in hand.app.results.matches("spline")] == ["spline"]


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (
            "shibumi3d:match:1:000000000000:eJwDAAAAAAE",
            "This link can't be opened: the line is incomplete or damaged.",
        ),
        (
            "shibumi3d:match:9:000000000000:eJwDAAAAAAE",
            "This link can't be opened: the line was written by a newer version of Shibumi 3D.",
        ),
    ],
)
def test_damaged_link_is_refused_with_the_reason(hand: Hand, players: Players, link: str, told: str) -> None:
    before = hand.app.current_page
    players.receive(link)
    assert hand.floating(MessageCard).message_label.caption == told
    assert hand.app.current_page is before
    assert players.saved(0) == []


def test_secret_game_is_refused_with_the_reason(hand: Hand, players: Players) -> None:
    open_share_card(hand.start("springe"))
    hand.push("copy line")
    card = hand.floating(MatchShareCard)
    assert card.is_error
    assert card.note == "This game has secrets, which the other player could read in the link."
    assert players.link == ""


def test_save_dialog_leads_to_playing_by_post(hand: Hand, players: Players) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    hand.key("ctrl+s")
    hand.floating(SaveDialog)
    hand.push("share")
    hand.push("take in")
    card = hand.floating(MatchShareCard)
    assert (card.note, card.is_error) == ("The clipboard contains no link to a match.", True)


def test_challenge_shows_the_result_to_beat_beside_ones_own(hand: Hand, players: Players) -> None:
    entry = hand.app.catalogue.get("spuzzle")
    theirs = Match(entry.game(), ["Cleo"], 4)
    while theirs.state.to_move is not None:
        theirs.play(theirs.legal_moves()[0])
    outcome = theirs.game.outcome(theirs.state)
    assert outcome is not None
    score = outcome.scores[0]
    link = encode_challenge(theirs)
    assert not isinstance(decode(link), Match)
    players.receive(link)
    told = hand.floating(MessageCard).message_label.caption
    assert told == f"Cleo scored {score} with this deal. Can you beat that?"
    hand.key("enter")
    mine = hand.play.match
    assert (mine.seed, mine.cursor) == (4, 0)
    assert mine.names != ["Cleo"]
    for move in [ply.move for ply in theirs.plies]:
        hand.play.actions.on_move_made(hand.play.actions.make_move(move))
    hand.wait(4)
    assert f"Cleo: {score}." in hand.play.result_bar.reason_line()


@pytest.mark.parametrize("language", ["en", "fr", "de", "es"])
def test_buttons_of_the_share_card_stay_on_it(hand: Hand, language: str) -> None:
    hand.app.change_settings(language=language)
    card = ShareCard(
        hand.app,
        _("Challenge"),
        "",
        copy_label=_("Copy challenge"),
        on_copy=lambda: None,
        paste_label=_("Open copied link"),
        on_paste=lambda: None,
    )
    card.open()
    hand.draw()
    buttons = (card.copy_button, card.paste_button, card.close_button)
    assert all(button.rect.right <= card.rect.right for button in buttons)
    for one, other in combinations(buttons, 2):
        common = one.rect.intersection(other.rect)
        assert not common.w * common.h
