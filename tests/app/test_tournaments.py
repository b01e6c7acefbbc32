"""The pages of tournaments: setting up, playing, entering results, exporting, and continuing after a crash."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.app.host import solver
from shibumi3d.app.host.dialogs import ChoiceCard
from shibumi3d.app.host.game_form import GameFormCard
from shibumi3d.app.host.tournaments import tournament_store
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.result_bar import ResultBar
from shibumi3d.app.pages.home.filters import TOURNAMENTS
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.pages.tournaments.list_page import TournamentsPage
from shibumi3d.app.pages.tournaments.page import TournamentPage
from shibumi3d.app.pages.tournaments.setup import TournamentSetupPage
from shibumi3d.app.ui.choice import Choice
from shibumi3d.match.record import load as load_record
from shibumi3d.match.store import MatchStore
from shibumi3d.match.tournament import (
    DRAW,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    SYSTEMS,
    Tournament,
    TournamentGame,
    TournamentPlayer,
    new_tournament,
)
from shibumi3d.match.tournament_store import TournamentStore, load
from shibumi3d.search import players as computers
from tests.app.at_once import AtOnce
from tests.app.hand import Hand

WHITE_WINS = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]
NOON = datetime(2026, 3, 1, 12)


def open_tournament(
    hand: Hand, system: str = SWISS, *, computers: int = 0, game: str = "spline", people: int = 4
) -> TournamentPage:
    players = [TournamentPlayer("ABCDEF"[number]) for number in range(people)]
    players += [TournamentPlayer(f"Computer {number}", "random") for number in range(computers)]
    tournament = new_tournament("Friday", system, [TournamentGame(game)], players)
    hand.app.pages.show_tournament(tournament_store(hand.app).save_new(tournament, NOON))
    hand.draw()
    return hand.page(TournamentPage)


def saved_tournament(page: TournamentPage) -> Tournament:
    return load(page.path)


def play_to_the_end(hand: Hand) -> None:
    page = hand.page(MatchPage)
    for move in WHITE_WINS:
        page.match.play(move)
    page.update()
    hand.draw()


def test_tournament_is_set_up_from_the_home_page(hand: Hand) -> None:
    home = hand.page(HomePage)
    home.group_list.on_select(home.groups.index(TOURNAMENTS))
    hand.draw()
    assert isinstance(hand.app.current_page, TournamentsPage)
    hand.push("new tournament")
    hand.draw()
    form = hand.page(TournamentSetupPage)
    hand.push("add player")
    hand.draw()
    form.player_rows[4][1].select(1)  # the new player is a computer
    hand.draw()
    assert not form.player_rows[4][0].visible
    form.system_choice.select(SYSTEMS.index(SWISS))
    assert "5 players, 3 rounds." in form.summary()
    hand.draw()
    hand.push("start tournament")
    hand.draw()
    tournament = saved_tournament(hand.page(TournamentPage))
    assert (tournament.system, tournament.rounds, tournament.games[0].game) == (SWISS, 3, "spline")
    assert [player.name for player in tournament.players][:4] == [f"Player {n}" for n in range(1, 5)]
    assert tournament.players[4] == TournamentPlayer("Pebble", "pebble")
    hand.key("escape")
    hand.draw()
    page = hand.page(TournamentsPage)
    assert len(page.files) == 1


def test_players_are_no_fewer_than_three_and_no_more_than_sixteen(hand: Hand) -> None:
    hand.app.pages.show_tournament_setup()
    form = hand.page(TournamentSetupPage)
    form._remove_player(0)
    assert not any(remove.enabled for _field, _types, remove in form.player_rows)
    for _ in range(13):
        assert form.add_button.enabled
        form._add_player()
    assert (len(form.names), form.add_button.enabled) == (16, False)


def test_game_for_one_player_is_refused_with_the_reason(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.app.pages.show_tournament_setup()
    form = hand.page(TournamentSetupPage)
    messages: list[str] = []
    monkeypatch.setattr(hand.app, "show_message", messages.append)
    form.toggle_game([entry.id for entry in form.listed_games].index("spin"))
    assert form.chosen_games == ["spline"]
    assert "one player" in messages[0]
    form.toggle_game([entry.id for entry in form.listed_games].index("spire"))
    assert form.chosen_games == ["spline", "spire"]


def chosen_form(hand: Hand, game: str) -> TournamentSetupPage:
    """Open the form for a new tournament, select only ``game``, and return the page."""
    hand.app.pages.show_tournament_setup()
    hand.draw()
    form = hand.page(TournamentSetupPage)
    form.chosen_games = [game]
    form._list_games()
    form._update()
    hand.draw()
    return form


def test_board_size_variant_and_swap_rule_are_chosen_and_saved(hand: Hand) -> None:
    form = chosen_form(hand, "spargo")
    action = form.game_list.action_rect(0)
    hand.click(*hand.app.to_window_pixels(action.cx, action.cy))
    hand.draw()
    assert form.chosen_games == ["spargo"], "the button doesn't untick its game"
    card = hand.floating(GameFormCard)
    assert [label for label, _widget in card.rows] == ["Size", "Variant", "Repetition", "Swap rule"]
    variants = ("", *hand.app.catalogue.get("spargo").variants)
    hand.found("variant", Choice).select(variants.index("margo"))
    hand.draw()
    assert hand.found("size", Choice).options == ("6", "7", "9"), "sizes are those of the variant"
    assert hand.found("swap", Choice).selected_index == 1, "the variant recommends it"
    hand.found("size", Choice).select(1)
    hand.draw()
    hand.push("terms done")
    hand.draw()
    assert form.describe_game(form.listed_games[0]) == "Spargo (size 7, margo, swap rule)"
    hand.push("start tournament")
    hand.draw()
    page = hand.page(TournamentPage)
    assert saved_tournament(page).games == (TournamentGame("spargo", 7, "margo", {}, True),)
    assert page.note_label.caption.startswith("Spargo (size 7, margo, swap rule) · ")
    page.open_match(0)
    hand.draw()
    match = hand.page(MatchPage).match
    assert (match.game.size, match.game.variant, match.has_swap_rule) == (7, "margo", True)


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [("arcanoid", "rounds", 3), ("golden-spiral", "stars", 3), ("hyena-spiral", "length", 48)],
)
def test_options_of_a_game_without_marbles_are_chosen_from_the_keyboard(
    hand: Hand, game: str, option: str, value: int
) -> None:
    form = chosen_form(hand, game)
    hand.app.root.focus = form.form_button
    hand.key("enter")
    hand.draw()
    given = next(each for each in hand.app.catalogue.get(game).options if each.name == option)
    hand.found(option, Choice).select(given.values.index(value))
    hand.key("escape")
    hand.draw()
    form.start()
    page = hand.page(TournamentPage)
    assert saved_tournament(page).games[0].options == {option: value}
    page.open_match(0)
    hand.draw()
    assert hand.page(MatchPage).match.options[option] == value


def test_match_is_played_from_its_row_and_its_result_comes_back(hand: Hand) -> None:
    page = open_tournament(hand)
    assert [page.action_label(index) for index in page.shown_matches] == ["Play", "Play"]
    action = page.match_list.action_rect(0)
    hand.click(*hand.app.to_window_pixels(action.cx, action.cy))
    hand.draw()
    match = hand.page(MatchPage)
    assert match.names == ["A", "C"]
    assert match.back_button.label == "Tournament"
    play_to_the_end(hand)
    hand.wait(2)
    assert hand.found("band", ResultBar).rematch_button.label == "Tournament"
    hand.push("rematch")
    hand.draw()
    page = hand.page(TournamentPage)
    assert saved_tournament(page).matches[0].points == (1.0, 0.0)
    assert page.standings[0].player == 0
    page.open_match(0)
    hand.draw()
    replay = hand.page(ReplayPage)
    assert replay.return_to is page


def test_match_under_way_is_continued_after_the_program_was_killed(hand: Hand) -> None:
    page = open_tournament(hand)
    page.enter_result(1, (0.5, 0.5))
    page.open_match(0)
    hand.draw()
    hand.page(MatchPage).match.play(WHITE_WINS[0])
    # Nothing is closed or saved, as if the program had been killed here; only the files remain.
    path = page.path
    hand.app.store.release()
    hand.app.matches.current_path = None
    hand.app.pages.show_tournament(path)
    hand.draw()
    page = hand.page(TournamentPage)
    assert saved_tournament(page).matches[1].points == (0.5, 0.5)
    assert page.action_label(0) == "Continue"
    page.open_match(0)
    hand.draw()
    assert [ply.move for ply in hand.page(MatchPage).match.plies] == WHITE_WINS[:1]
    assert hand.page(MatchPage).tournament_path == path


def test_match_that_ended_before_the_program_was_killed_counts(hand: Hand) -> None:
    page = open_tournament(hand)
    page.open_match(0)
    hand.draw()
    match = hand.page(MatchPage).match
    for move in WHITE_WINS:
        match.play(move)
    hand.app.store.release()
    hand.app.matches.current_path = None
    assert saved_tournament(page).matches[0].points == ()
    hand.app.pages.show_tournament(page.path)
    assert saved_tournament(page).matches[0].points == (1.0, 0.0)


def test_result_is_entered_by_hand_and_the_next_round_started(hand: Hand) -> None:
    page = open_tournament(hand)
    assert not page.next_round_button.visible
    hand.push("enter result")
    hand.draw()
    hand.push("second wins")
    hand.draw()
    page.match_list.select_row(1)
    hand.draw()
    hand.push("enter result")
    hand.draw()
    hand.push("drawn")
    hand.draw()
    assert [match.points for match in saved_tournament(page).matches] == [(0.0, 1.0), (0.5, 0.5)]
    hand.push("start round")
    hand.draw()
    assert (page.round, saved_tournament(page).current_round) == (2, 2)
    page._show_round(1)
    assert not page.result_button.visible  # the pairings of the second round depend on it


def test_manual_result_can_be_withdrawn_and_a_saved_match_then_starts_again(hand: Hand) -> None:
    page = open_tournament(hand)
    page.open_match(0)
    hand.draw()
    play_to_the_end(hand)
    hand.app.pages.show_tournament(page.path)
    page = hand.page(TournamentPage)
    page.enter_result(0, ())
    assert saved_tournament(page).matches[0].points == ()
    assert page.action_label(0) == "Play"


def test_player_withdraws_after_a_question_and_comes_back(hand: Hand) -> None:
    page = open_tournament(hand, ROUND_ROBIN)
    hand.push("withdraw")
    hand.draw()
    assert not any(player.has_withdrawn for player in saved_tournament(page).players)
    hand.push("go on")
    hand.draw()
    assert [player.has_withdrawn for player in saved_tournament(page).players].count(True) == 1
    page.standing_list.select_row(
        next(
            row
            for row, each in enumerate(page.standings)
            if page.tournament.players[each.player].has_withdrawn
        )
    )
    assert "Reinstate" in page.withdraw_button.label
    page._withdraw_or_return()
    assert not any(player.has_withdrawn for player in saved_tournament(page).players)


def withdrawal_message(hand: Hand) -> str:
    """Ask to withdraw the selected player, cancel, and return the question's text."""
    hand.push("withdraw")
    hand.draw()
    message = hand.floating(ChoiceCard).message_label.caption
    hand.push("other choice")
    hand.draw()
    return message


def test_question_says_what_a_withdrawal_does_and_how_long_it_can_be_undone(hand: Hand) -> None:
    page = open_tournament(hand, ROUND_ROBIN, people=3)
    name = page.tournament.players[page.standings[0].player].name
    assert withdrawal_message(hand) == (
        f"If {name} withdraws now, before playing half of their matches, none of {name}'s matches will count. "
        "You can undo this until the tournament is over."
    )
    number = page.standings[0].player
    own = [index for index, match in enumerate(page.tournament.matches) if number in match.players]
    page.enter_result(own[0], DRAW)
    row = next(row for row, each in enumerate(page.standings) if each.player == number)
    page.standing_list.select_row(row)
    hand.draw()
    assert withdrawal_message(hand) == (
        f"If {name} withdraws, the unfinished match counts as a win for the opponent. "
        "You can undo this until the tournament is over."
    )
    page.enter_result(own[1], DRAW)
    page.standing_list.select_row(
        next(row for row, each in enumerate(page.standings) if each.player == number)
    )
    hand.draw()
    assert withdrawal_message(hand).startswith(
        f"If {name} withdraws, the tournament goes on without this player."
    )


def test_question_says_that_a_withdrawal_ends_the_tournament(hand: Hand) -> None:
    page = open_tournament(hand, SWISS)
    name = page.tournament.players[page.standings[0].player].name
    assert withdrawal_message(hand) == (
        f"If {name} withdraws, the unfinished match counts as a win for the opponent. "
        "You can undo this until the next round starts."
    )
    for index in (0, 1):
        page.enter_result(index, DRAW)
    hand.push("start round")
    hand.draw()
    page.enter_result(2, DRAW)
    other = page.tournament.matches[3].players[0]
    row = next(row for row, each in enumerate(page.standings) if each.player == other)
    page.standing_list.select_row(row)
    hand.draw()
    name = page.tournament.players[other].name
    assert withdrawal_message(hand) == (
        f"If {name} withdraws, the unfinished match counts as a win for the opponent. "
        f"Withdrawing {name} ends the tournament and can't be undone."
    )
    hand.push("withdraw")
    hand.draw()
    hand.push("go on")
    hand.draw()
    assert page.tournament.is_over
    assert not page.withdraw_button.visible


@pytest.mark.parametrize("game", ["spline", "hyena-spiral", "golden-spiral", "arcanoid"])
def test_computers_play_in_the_background_at_every_kind_of_table(
    game: str, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.solver.close()
    monkeypatch.setattr(solver, "Worker", AtOnce)
    page = open_tournament(hand, ROUND_ROBIN, computers=2, game=game, people=1)
    both = next(index for index, match in enumerate(page.tournament.matches) if set(match.players) == {1, 2})
    page._show_round(page.tournament.matches[both].round)
    hand.push("play computers")
    hand.wait(1)
    match = saved_tournament(page).matches[both]
    assert sum(match.points) == 1
    assert (hand.app.store.folder / match.file).is_file()
    assert page.action_label(both) == "Replay"
    page._replay(match)
    hand.draw()
    assert isinstance(hand.app.current_page, ReplayPage)
    hand.app.solver.close()


def test_computer_swaps_in_the_background(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = computers.Player.choose

    def choose_without_hope(self: computers.Player, *args: Any, **more: Any) -> computers.Choice:
        choice = choose(self, *args, **more)
        return replace(choice, analysis=replace(choice.analysis, mean=0.4))

    hand.app.solver.close()
    monkeypatch.setattr(solver, "Worker", AtOnce)
    monkeypatch.setattr(computers.Player, "choose", choose_without_hope)
    players = [TournamentPlayer("A"), *(TournamentPlayer(f"C{n}", "random") for n in (1, 2))]
    tournament = new_tournament("x", ROUND_ROBIN, [TournamentGame("spline", has_swap_rule=True)], players)
    hand.app.pages.show_tournament(tournament_store(hand.app).save_new(tournament, NOON))
    hand.draw()
    page = hand.page(TournamentPage)
    both = next(index for index, match in enumerate(page.tournament.matches) if set(match.players) == {1, 2})
    page._show_round(page.tournament.matches[both].round)
    hand.push("play computers")
    hand.wait(1)
    match = saved_tournament(page).matches[both]
    record = load_record(hand.app.store.folder / match.file)
    assert record.turns[1][0] == "swap-seats"
    assert record.result is not None
    # The players have swapped seats.
    assert match.points == ((0.0, 1.0) if record.result.winners == (0,) else (1.0, 0.0))
    hand.app.solver.close()


def test_tournament_is_exported_as_pdf(hand: Hand, tmp_path: Path) -> None:
    open_tournament(hand, KNOCKOUT)
    hand.app.services.pictures_folder = tmp_path
    hand.push("pdf")
    hand.draw()
    (file,) = tmp_path.glob("*.pdf")
    assert file.name.startswith("Friday")
    assert file.read_bytes().startswith(b"%PDF")


def test_unreadable_file_is_listed_with_the_reason(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_tournament(hand)
    page.path.write_text("shibumi3d-tournament: 1\nsystem: swish\n")
    hand.app.pages.show_tournaments()
    hand.draw()
    listed = hand.page(TournamentsPage)
    messages: list[str] = []
    monkeypatch.setattr(hand.app, "show_message", messages.append)
    listed._open_row(0)
    assert "line 2" in messages[0]
    hand.push("delete")
    hand.draw()
    assert listed.files == []
    hand.push("restore")
    assert len(listed.files) == 1


def test_result_from_another_window_is_kept_and_shown(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_tournament(hand)
    messages: list[str] = []
    monkeypatch.setattr(hand.app, "show_message", messages.append)
    other = TournamentStore(page.path.parent)
    other.update(page.path, lambda tournament: tournament.with_match(0, points=(0.0, 1.0)))
    page.enter_result(1, (1.0, 0.0))  # a different match, so both results stay
    assert [match.points for match in saved_tournament(page).matches] == [(0.0, 1.0), (1.0, 0.0)]
    other.update(page.path, lambda tournament: tournament.with_match(1, points=(0.5, 0.5)))
    page.enter_result(1, (0.0, 1.0))
    assert [match.points for match in saved_tournament(page).matches] == [(0.0, 1.0), (0.5, 0.5)]
    assert messages == ["This match was changed in another window."]
    assert page.tournament == saved_tournament(page)


def test_match_started_in_another_window_is_not_started_again(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_tournament(hand)
    messages: list[str] = []
    monkeypatch.setattr(hand.app, "show_message", messages.append)
    matches, name = MatchStore(hand.app.store.folder), "2026-03-01 12-00-00 spline.yaml"
    matches.folder.mkdir(parents=True, exist_ok=True)
    assert matches.claim(matches.folder / name)  # no move has been made yet, so there is no file
    TournamentStore(page.path.parent).update(page.path, lambda now: now.with_match(0, file=name))
    page.open_match(0)
    page.open_match(0)
    assert messages == [
        "This match was changed in another window.",
        "This match is being played in another window.",
    ]
    assert hand.app.current_page is page
    matches.release()
    page.open_match(0)
    assert saved_tournament(page).matches[0].file != name


def test_match_that_two_windows_play_in_the_background_counts_once(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.solver.close()
    monkeypatch.setattr(solver, "Worker", AtOnce)
    page = open_tournament(hand, ROUND_ROBIN, computers=2, people=1)
    both = next(index for index, match in enumerate(page.tournament.matches) if set(match.players) == {1, 2})
    page._show_round(page.tournament.matches[both].round)
    messages: list[str] = []
    monkeypatch.setattr(hand.app, "show_message", messages.append)
    TournamentStore(page.path.parent).update(
        page.path, lambda tournament: tournament.with_match(both, points=(0.0, 1.0))
    )
    hand.push("play computers")
    hand.wait(1)
    assert saved_tournament(page).matches[both].points == (0.0, 1.0)
    assert messages == ["This match was changed in another window."]
    assert list(hand.app.store.folder.glob("*.yaml")) == []
    hand.app.solver.close()
