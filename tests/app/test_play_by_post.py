"""Play by post: links that two players exchange, challenges, and links that don't match."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host.courses import GameCourse
from shibumi3d.app.host.dialogs import ChoiceCard, MessageCard
from shibumi3d.app.host.share_card import ShareCard
from shibumi3d.app.match.dialogs import SaveDialog
from shibumi3d.app.match.problem import ProblemPageBase
from shibumi3d.app.match.sharing import MatchShareCard, ProblemShareCard, open_share_card
from shibumi3d.catalogue.problems import load_problems
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.match.record import load
from shibumi3d.match.sharing import (
    ProblemChallenge,
    ProblemResult,
    decode,
    encode_challenge,
    encode_match,
    encode_problem,
)
from shibumi3d.match.store import MatchStore

if TYPE_CHECKING:
    from tests.app.hand import Hand


class Players:
    """Two players who share a window, each with their own store.

    They exchange links through the clipboard.
    """

    def __init__(self, hand: Hand, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hand, self.link = hand, ""
        self.stores = [MatchStore(folder / name) for name in ("ann", "ben")]
        monkeypatch.setattr(hand.app.services, "write_clipboard", self._take)
        monkeypatch.setattr(hand.app.services, "read_clipboard", lambda: self.link)
        monkeypatch.setattr(hand.app, "store", self.stores[0])

    def _take(self, text: str) -> None:
        self.link = text

    def sit_down(self, player: int) -> None:
        self.hand.app.matches.release_current()
        self.hand.app.pages.show_home()
        self.hand.app.store = self.stores[player]

    def send(self) -> str:
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


def test_older_link_opens_the_players_own_match_and_says_so(hand: Hand, players: Players) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    old = players.send()
    hand.choose("Ab1")
    players.sit_down(0)
    players.receive(old)
    message = hand.floating(MessageCard).message_label.caption
    assert message == "Your match is ahead of this link: the link ends after turn 1, your match after turn 2."
    hand.key("enter")
    assert hand.play.match.cursor == 2
    assert players.saved(0) == [["W@Aa1", "B@Ab1"]]


@pytest.mark.parametrize(("button", "shown"), [("go on", "W@Ad4"), ("other choice", "W@Ac1")])
def test_fork_is_reported_and_nothing_is_lost(hand: Hand, players: Players, button: str, shown: str) -> None:
    """Ann has sent Ad4 as turn 3, undone it and played Ac1 instead; then she receives her own link.

    The button "go on" opens the match in the link, which is saved as a second match. The button "other choice" opens
    her own match.
    """
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
    """White wins Spline with a row of four marbles from Aa1 to Ad1."""
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
    ("link", "message"),
    [
        (
            "shibumi3d:match:1:000000000000:eJwDAAAAAAE",
            "This link can't be opened: the text is incomplete or has been changed; copy all of it again.",
        ),
        (
            "shibumi3d:match:9:000000000000:eJwDAAAAAAE",
            "This link can't be opened: the text was made by a newer version of Shibumi 3D.",
        ),
    ],
)
def test_damaged_link_is_refused_with_the_reason(
    hand: Hand, players: Players, link: str, message: str
) -> None:
    before = hand.app.current_page
    players.receive(link)
    assert hand.floating(MessageCard).message_label.caption == message
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
    assert (card.note, card.is_error) == ("The clipboard doesn't contain a Shibumi 3D link.", True)


def test_challenge_shows_the_result_to_beat_beside_the_players_own(hand: Hand, players: Players) -> None:
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
    message = hand.floating(MessageCard).message_label.caption
    assert message == f"Cleo scored {score} on this deal. Can you beat that?"
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


def solve_first_problem(hand: Hand) -> None:
    """Solve problem 1 of Spline, which Black wins with a marble on Ac3."""
    page = hand.page(ProblemPageBase)
    (move,) = [move for move in page.match.legal_moves() if str(move) == "B@Ac3"]
    page.actions.play_move(move)
    hand.wait(4)
    assert page.is_finished


def test_solved_problem_is_sent_and_the_results_stand_side_by_side(hand: Hand, players: Players) -> None:
    library = hand.app.results.problems
    hand.app.pages.show_problem(GameCourse(library, "spline", "spline#1"))
    hand.draw()
    solve_first_problem(hand)
    hand.key("ctrl+e")
    hand.push("copy line")
    assert hand.floating(ProblemShareCard).note == "Link copied. Paste it into any message."
    sent = decode(players.link)
    assert isinstance(sent, ProblemChallenge)
    assert (sent.result.outcome, sent.result.tries) == ("solved", 1)
    hand.key("escape")
    players.sit_down(1)
    link = encode_problem(sent.problem, ProblemResult("Cleo", "failed", 3, 75))
    players.receive(link)
    message = hand.floating(MessageCard).message_label.caption
    assert message == "Cleo solved this problem, but not on the first try. Can you do better?"
    hand.key("enter")
    players.receive(encode_problem(sent.problem, ProblemResult("Cleo", "hinted", 1, 75)))
    message = hand.floating(MessageCard).message_label.caption
    assert message == "Cleo solved this problem with hints. Can you solve it without?"
    hand.key("enter")
    players.receive(link)
    hand.key("enter")
    assert hand.page(ProblemPageBase).problem_name == "spline#1"
    solve_first_problem(hand)
    assert "Cleo: Solved on try 3, in 1:15." in str(hand.page(ProblemPageBase).trace_values()["task"])


def test_unsolved_problem_is_sent_without_a_result(hand: Hand, players: Players) -> None:
    hand.app.pages.show_problem(GameCourse(hand.app.results.problems, "spline", "spline#2"))
    hand.draw()
    hand.push("save")
    hand.push("copy line")
    sent = decode(players.link)
    assert isinstance(sent, ProblemChallenge)
    assert (sent.result.outcome, sent.result.tries) == ("", 0)
    players.sit_down(1)
    players.receive(players.link)
    message = hand.floating(MessageCard).message_label.caption
    assert message == f"{sent.result.name} challenges you: can you solve this problem?"


def test_problem_that_cannot_be_played_here_is_refused(hand: Hand, players: Players) -> None:
    problem = replace(load_problems("spline")[0], rules="0" * 12)
    players.receive(encode_problem(problem, ProblemResult("Cleo")))
    message = hand.floating(MessageCard).message_label.caption
    assert message == "This link can't be opened: it was made for a different version of the rules of Spline."


def test_problem_is_exported_as_a_web_page(
    hand: Hand, players: Players, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand.app.services, "pictures_folder", tmp_path / "pictures")
    opened: list[Path] = []
    monkeypatch.setattr(hand.app.services, "open_folder", lambda folder: bool(opened.append(folder)) or True)
    hand.app.pages.show_problem(GameCourse(hand.app.results.problems, "spline", "spline#1"))
    hand.draw()
    hand.key("ctrl+e")
    hand.draw()
    hand.push("web page")
    card = hand.floating(ProblemShareCard)
    end = time.monotonic() + 120
    while card.process is not None and time.monotonic() < end:
        time.sleep(0.1)
        hand.wait(0.5)
    (page,) = (tmp_path / "pictures").iterdir()
    assert card.note == f"Saved to {page}."
    assert page.name.startswith("Spline, problem 1")
    assert b'"problem":' in page.read_bytes()
    hand.draw()
    hand.push("open folder")
    assert opened == [tmp_path / "pictures"]
