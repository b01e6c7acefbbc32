"""Tournaments: rounds, results, withdrawals, standings with tie-breaks worked out by hand, and their files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.store import acquire_lock
from shibumi3d.match.tournament import (
    BY_FORFEIT,
    BY_HAND,
    DOUBLE_ROUND_ROBIN,
    DRAW,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    WIN_FIRST,
    WIN_SECOND,
    Tournament,
    TournamentError,
    TournamentGame,
    TournamentMatch,
    TournamentPlayer,
    explain_unsuitable,
    make_match,
    new_tournament,
    points_from_record,
)
from shibumi3d.match.tournament_store import LOCK_FILE, TournamentStore, load, parse, to_text

FORMAT_1 = """\
shibumi3d-tournament: 1
name: "Friday"
system: swiss
rounds: 3
games:
  - {game: "spline", size: 4, variant: "strict", options: {"length": 80}}
  - {game: "arcanoid"}
clock: 10+5
players:
  - {name: "Ann"}
  - {name: "Pebble", type: "pebble"}
  - {name: "Ben", withdrawn: true}
matches:
  - {round: 1, players: [1, 3], file: "2026-03-01 12-00-05 spline.yaml", points: [0.5, 0.5]}
  - {round: 1, players: [2]}
  - {round: 2, players: [3, 2], points: [0, 1], by: forfeit}
  - {round: 2, players: [1]}
"""
NOON = datetime(2026, 3, 1, 12)
A, B, C, D, E = range(5)


def make_tournament(system: str, count: int, **more: object) -> Tournament:
    players = [TournamentPlayer("ABCDEFGHIJKLMNOP"[number]) for number in range(count)]
    return new_tournament("Friday", system, [TournamentGame("spline")], players, **more)  # type: ignore[arg-type]


def decide(tournament: Tournament, winner: int | None, *pair: int) -> Tournament:
    """Decide the first undecided match between two players, and return the changed tournament.

    ``winner`` is the number of the player who wins, or None for a draw. ``pair`` holds the numbers of both players.
    """
    index = next(
        number
        for number, match in enumerate(tournament.matches)
        if set(match.players) == set(pair) and not match.points
    )
    match = tournament.matches[index]
    points = DRAW if winner is None else WIN_FIRST if match.players[0] == winner else WIN_SECOND
    return tournament.with_match(index, points=points, decided_by=BY_HAND)


def ranking(tournament: Tournament) -> list[tuple[int, str, float, tuple[float, ...]]]:
    return [
        (row.rank, tournament.players[row.player].name, row.points, row.tie_breaks)
        for row in tournament.standings()
    ]


def test_round_robin_ranks_by_sonneborn_berger() -> None:
    tournament = make_tournament(ROUND_ROBIN, 4)
    results: Sequence[tuple[int | None, int, int]] = (
        *((A, A, B), (None, A, C), (D, A, D)),
        *((B, B, C), (B, B, D), (C, C, D)),
    )
    for winner, one, two in results:
        tournament = decide(tournament, winner, one, two)
    assert tournament.is_over
    # A: beat B (2), drew with C (1.5): 2 + 0.75. C: drew with A (1.5), beat D (1): 0.75 + 1.
    # B: beat C (1.5) and D (1). D: beat A (1.5).
    assert ranking(tournament) == [
        (1, "B", 2.0, (2.5, 2.0)),
        (2, "A", 1.5, (2.75, 1.0)),
        (3, "C", 1.5, (1.75, 1.0)),
        (4, "D", 1.0, (1.5, 1.0)),
    ]


def test_swiss_ranks_by_buchholz_and_counts_a_bye_as_an_opponent_with_equal_points() -> None:
    tournament = make_tournament(SWISS, 5, rounds=2)
    assert [match.players for match in tournament.matches] == [(A, C), (D, B), (E,)]
    tournament = decide(decide(tournament, A, A, C), B, B, D).start_round()
    assert [match.players for match in tournament.round_matches(2)] == [(B, A), (C, E), (D,)]
    tournament = decide(decide(tournament, None, A, B), C, C, E)
    assert tournament.is_over
    # Points: A and B 1.5, all others 1. Buchholz of A: C (1) and B (1.5); of E: its bye (1) and C (1).
    # Sonneborn-Berger of A: all of C and half of B; of D: its bye (1).
    assert ranking(tournament) == [
        (1, "A", 1.5, (2.5, 1.75, 1.0)),
        (1, "B", 1.5, (2.5, 1.75, 1.0)),
        (3, "C", 1.0, (2.5, 1.0, 1.0)),
        (4, "D", 1.0, (2.5, 1.0, 0.0)),
        (5, "E", 1.0, (2.0, 1.0, 0.0)),
    ]


def test_drawn_knockout_match_is_played_again_and_then_decided_by_seed() -> None:
    tournament = make_tournament(KNOCKOUT, 4)
    pairs = [match.players for match in tournament.matches]
    assert [set(pair) for pair in pairs] == [{A, D}, {B, C}]
    tournament = decide(tournament, None, A, D)
    assert [match.players for match in tournament.matches] == [pairs[0], pairs[0][::-1], pairs[1]]
    tournament = decide(decide(tournament, None, A, D), C, B, C)
    assert tournament.knockout_winners(1) == [A, C]
    tournament = tournament.start_round()
    assert tournament.rounds == 2
    tournament = decide(tournament, C, A, C)
    assert tournament.is_over
    assert [(row.rank, row.player) for row in tournament.standings()] == [(1, C), (2, A), (3, B), (3, D)]


def test_corrected_draw_of_a_knockout_needs_no_second_match() -> None:
    tournament = decide(make_tournament(KNOCKOUT, 4), None, A, D)
    assert len(tournament.matches) == 3
    assert len(tournament.with_match(0, points=WIN_FIRST).matches) == 2


def test_withdrawal_gives_the_point_to_the_opponents_and_can_be_taken_back() -> None:
    tournament = make_tournament(ROUND_ROBIN, 4)
    tournament = decide(decide(decide(tournament, A, A, B), A, A, C), B, B, C)
    gone = tournament.with_withdrawal(A, True)
    forfeits = [match for match in gone.matches if gone.is_forfeit(match)]
    assert [set(match.players) for match in forfeits] == [{A, D}]
    assert gone.points_of(forfeits[0])[forfeits[0].players.index(D)] == 1
    assert gone.left_out_players() == frozenset()  # two of A's three matches were played, so they count
    assert gone.with_withdrawal(A, False) == tournament
    assert make_tournament(ROUND_ROBIN, 4).with_withdrawal(A, True).left_out_players() == {A}


def test_player_who_withdrew_is_not_paired_in_later_swiss_rounds() -> None:
    tournament = make_tournament(SWISS, 6).with_withdrawal(B, True)
    for one, two in [match.players for match in tournament.matches if not tournament.points_of(match)]:
        tournament = decide(tournament, one, one, two)
    tournament = tournament.start_round()
    busy = [player for match in tournament.round_matches(2) for player in match.players]
    assert sorted(busy) == [A, C, D, E, 5]
    forfeit = next(match for match in tournament.matches if B in match.players)
    assert forfeit.decided_by == BY_FORFEIT
    (rested,) = (match.players[0] for match in tournament.round_matches(2) if match.is_bye)
    assert rested not in forfeit.players  # a win by forfeit counts as a bye


def test_both_players_withdraw_from_a_knockout_match() -> None:
    tournament = make_tournament(KNOCKOUT, 4).with_withdrawal(B, True).with_withdrawal(C, True)
    tournament = decide(tournament, A, A, D).start_round()
    assert [match.players for match in tournament.round_matches(2)] == [(A,)]
    assert tournament.is_over
    assert tournament.standings()[0].player == A


@pytest.mark.parametrize(("count", "rounds"), [(3, 2), (4, 2), (5, 3), (16, 4)])
def test_knockout_has_as_many_rounds_as_halvings(count: int, rounds: int) -> None:
    tournament = make_tournament(KNOCKOUT, count)
    played = 1
    while not tournament.is_over:
        for match in tournament.round_matches(played):
            if len(match.players) == 2:
                tournament = decide(tournament, match.players[0], *match.players)
        if tournament.can_start_round:
            tournament, played = tournament.start_round(), played + 1
    assert played == tournament.rounds == rounds
    assert [row.rank for row in tournament.standings()][:2] == [1, 2]


def test_number_of_players_is_limited() -> None:
    for count in (2, 17):
        with pytest.raises(TournamentError, match="3 to 16"):
            new_tournament(
                "x", SWISS, [TournamentGame("spline")], [TournamentPlayer(f"{n}") for n in range(count)]
            )


def test_games_that_two_cannot_play_against_each_other_are_refused_with_a_reason() -> None:
    reasons = {
        game: str(explain_unsuitable(load_catalogue().get(game)))
        for game in ("spin", "spandrel", "sprout", "hyena-spiral", "spline")
    }
    assert "one player" in reasons["spin"]
    assert "more than two" in reasons["spandrel"]
    assert "together" in reasons["sprout"]
    assert reasons["hyena-spiral"] == reasons["spline"] == "None"


@pytest.mark.parametrize("game", ["spline", "hyena-spiral", "golden-spiral", "arcanoid"])
def test_match_of_every_kind_of_table_is_made(game: str) -> None:
    players = [TournamentPlayer("Ann"), TournamentPlayer("Stone", "stone"), TournamentPlayer("Ben")]
    tournament = new_tournament(
        "x", ROUND_ROBIN, [TournamentGame(game)], players, time_limit=TimeLimit.parse("5")
    )
    match = make_match(tournament, 0, load_catalogue().get(game), 1)
    assert (match.names, match.player_types) == (["Stone", "Ben"], ("stone", "person"))
    assert (match.clock is None) == match.game.facts(2).has_simultaneous_moves


def test_swap_rule_and_claims_are_those_of_the_tournament() -> None:
    players = [TournamentPlayer(name) for name in "ABC"]
    games = [TournamentGame("spline", 3, has_swap_rule=True, can_claim_repetition=False)]
    tournament = new_tournament("x", ROUND_ROBIN, games, players)
    match = make_match(tournament, 0, load_catalogue().get("spline"), 1)
    assert (match.game.size, match.has_swap_rule, match.can_claim_repetition) == (3, True, False)


def test_win_after_a_swap_counts_for_whoever_took_the_winning_seat() -> None:
    players = [TournamentPlayer(name) for name in "ABC"]
    games = [TournamentGame("spline", has_swap_rule=True)]
    tournament = new_tournament("x", ROUND_ROBIN, games, players)
    match = make_match(tournament, 0, load_catalogue().get("spline"), 1)
    second = match.names[1]
    for move in ("W@Aa1", "swap-seats", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"):
        match.play(move)
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    assert [match.names[seat] for seat in outcome.winners] == [second]
    assert points_from_record(match.record()) == WIN_SECOND


def test_rounds_alternate_between_the_games() -> None:
    players = [TournamentPlayer(name) for name in "ABC"]
    tournament = new_tournament(
        "x", DOUBLE_ROUND_ROBIN, [TournamentGame("spline"), TournamentGame("spire")], players
    )
    assert [tournament.game_of(match).game for match in tournament.matches][:3] == [
        "spline",
        "spire",
        "spline",
    ]


def test_random_order_is_the_same_for_the_same_seed() -> None:
    names = [player.name for player in make_tournament(SWISS, 8, shuffle_seed=4).players]
    assert names == [player.name for player in make_tournament(SWISS, 8, shuffle_seed=4).players]
    assert names != sorted(names) == list("ABCDEFGH")


class TestFiles:
    def test_text_is_read_back(self) -> None:
        players = [
            TournamentPlayer('Ann "the fox"', "person", True),
            *map(TournamentPlayer, ("é: [x]", "Ben")),
        ]
        tournament = new_tournament(
            "Friday: #1",
            SWISS,
            [
                TournamentGame("spline", 4, "", {"length": 80}),
                TournamentGame("own game", 0, "long way", {}, True, False),
            ],
            players,
            time_limit=TimeLimit.parse("10+5"),
        ).with_match(0, file="2026-03-01 12-00-05 spline.yaml", points=DRAW)
        assert parse(to_text(tournament), "x") == tournament

    def test_file_in_format_1_is_read(self) -> None:
        tournament = parse(FORMAT_1, "x")
        assert tournament.games == (
            TournamentGame("spline", 4, "strict", {"length": 80}),
            TournamentGame("arcanoid"),
        )
        assert [player.has_withdrawn for player in tournament.players] == [False, False, True]
        assert tournament.matches == (
            TournamentMatch(1, (0, 2), "2026-03-01 12-00-05 spline.yaml", (0.5, 0.5)),
            TournamentMatch(1, (1,)),
            TournamentMatch(2, (2, 1), "", (0.0, 1.0), BY_FORFEIT),
            TournamentMatch(2, (0,)),
        )
        assert to_text(tournament) == FORMAT_1

    @pytest.mark.parametrize(
        ("before", "after", "message"),
        [
            ("system: swiss", "system: swish", "line 3: unknown system 'swish', did you mean 'swiss'?"),
            ("players: [1, 3]", "players: [1, 9]", "line 13: invalid value for 'players'"),
            ("round: 1, players: [1, 3]", "round: 1, seats: [1, 3]", "line 13: unknown key in matches"),
            ("players: [1, 3]", "players: [1, 1]", "line 13: invalid value for 'players'"),
            ("players: [1, 3]", "players: [1, 3], points: [1]", "line 13: invalid value for 'points'"),
            ("players: [1, 3]", 'players: [1, 3], file: "../x"', "line 13: invalid value for 'file'"),
            (
                "round: 1, players: [1, 3]",
                "round: 3, players: [1, 3]",
                "line 13: invalid value for 'matches'",
            ),
            (
                "  - {round: 1, players: [1, 3]}\n",
                "  - {round: 1, players: [1, 3]}\n" * 5,
                "line 13: invalid value for 'matches'",
            ),
            ('- {name: "A"}', '- {name: ""}', "line 8: name: expected text"),
            ('- {name: "A"}', '- {type: "pebble"}', "line 8: invalid value for 'players'"),
            ("rounds: 2", "rounds: 0", "line 4: rounds: expected a number"),
            ("rounds: 2\n", "", "invalid value for 'rounds'"),
            ("shibumi3d-tournament: 1", "shibumi3d-tournament: 3", "newer version"),
            ("shibumi3d-tournament: 1", "shibumi3d-tournament: 0", "expected the format number"),
            ("shibumi3d-tournament: 1\n", "", "is not a saved Shibumi 3D tournament"),
            ("rounds: 2", "rounds: [", "line"),
        ],
    )
    def test_invalid_file_is_named_with_its_line_and_kept(
        self, before: str, after: str, message: str, tmp_path: Path
    ) -> None:
        store = TournamentStore(tmp_path / "tournaments")
        path = store.save_new(make_tournament(SWISS, 4), NOON)
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))
        with pytest.raises(TournamentError) as caught:
            store.update(path, lambda tournament: tournament)
        assert str(path) in str(caught.value)
        assert message in str(caught.value)
        (listed,) = store.list_files()
        assert listed.tournament is None
        assert listed.problem is not None
        assert path.read_text() == text.replace(before, after)

    def test_file_without_matches_is_refused(self) -> None:
        with pytest.raises(TournamentError, match="line 13: invalid value for 'matches'"):
            parse(f"{FORMAT_1.partition('matches:')[0]}matches: []\n", "x")

    def test_player_of_a_knockout_who_has_no_match_counts_as_eliminated_at_once(self) -> None:
        text = to_text(make_tournament(KNOCKOUT, 4).with_withdrawal(D, True))
        tournament = parse(text.replace("players: [1, 4]", "players: [1]"), "x")
        assert (tournament.standings()[-1].player, tournament.standings()[-1].round_lost) == (D, 1)

    def test_deleted_tournament_is_restored(self, tmp_path: Path) -> None:
        store = TournamentStore(tmp_path)
        path = store.save_new(make_tournament(SWISS, 4), NOON)
        trashed = store.delete(path, NOON)
        assert trashed is not None
        assert store.list_files() == []
        store.restore(trashed, path)
        assert load(path) == make_tournament(SWISS, 4)

    def test_match_leads_to_its_tournament(self, tmp_path: Path) -> None:
        store = TournamentStore(tmp_path)
        store.save_new(make_tournament(SWISS, 4), NOON)
        path = store.save_new(make_tournament(SWISS, 5).with_match(0, file="a.yaml"), NOON)
        found = store.find_by_match("a.yaml")
        assert found is not None
        assert found.path == path
        assert store.find_by_match("b.yaml") is None

    def test_two_processes_lose_none_of_their_results(self, tmp_path: Path) -> None:
        store = TournamentStore(tmp_path)
        path = store.save_new(make_tournament(ROUND_ROBIN, 16), NOON)
        script = """
import sys
from pathlib import Path
from shibumi3d.match.tournament import WIN_FIRST
from shibumi3d.match.tournament_store import TournamentStore
store, path, first = TournamentStore(Path(sys.argv[1]).parent), Path(sys.argv[1]), int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for index in range(first, 120, 2):
    store.update(path, lambda tournament: tournament.with_match(index, points=WIN_FIRST))
"""
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", script, str(path), str(first)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ},
            )
            for first in (0, 1)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == b"ready"
        for process in processes:
            process.communicate(b"go\n")
        assert [process.returncode for process in processes] == [0, 0]
        assert [match.points for match in load(path).matches] == [WIN_FIRST] * 120

    def test_tournament_is_read_while_another_process_holds_the_lock(self, tmp_path: Path) -> None:
        store = TournamentStore(tmp_path)
        path = store.save_new(make_tournament(SWISS, 4), NOON)
        lock = acquire_lock(tmp_path / LOCK_FILE)
        assert lock is not None
        assert store.update(path, lambda tournament: tournament) == make_tournament(SWISS, 4)
        lock.release()

    def test_match_that_has_changed_since_is_not_overwritten(self, tmp_path: Path) -> None:
        store = TournamentStore(tmp_path)
        path = store.save_new(make_tournament(KNOCKOUT, 4), NOON)
        shown = load(path).matches
        decided = store.update(path, lambda now: now.with_match(now.index_of(shown[0]), points=DRAW))
        with pytest.raises(TournamentError, match="another window"):
            store.update(path, lambda now: now.with_match(now.index_of(shown[0]), points=WIN_FIRST))
        assert load(path) == decided
        # After a draw, a match is added to replay it, which moves the following ones.
        store.update(path, lambda now: now.with_match(now.index_of(shown[1]), points=WIN_SECOND))
        assert [match.points for match in load(path).matches] == [DRAW, (), WIN_SECOND]

    def test_process_killed_in_round_2_loses_nothing(self, tmp_path: Path) -> None:
        script = """
import sys, time
from pathlib import Path
from datetime import datetime
from shibumi3d.match.tournament import *
from shibumi3d.match.tournament_store import TournamentStore
store = TournamentStore(Path(sys.argv[1]))
players = [TournamentPlayer(name) for name in "ABCDEF"]
path = store.save_new(new_tournament("x", SWISS, [TournamentGame("spline")], players), datetime.now())
for index in range(3):
    store.update(path, lambda tournament: tournament.with_match(index, points=WIN_FIRST))
store.update(path, lambda tournament: tournament.start_round())
store.update(path, lambda tournament: tournament.with_match(3, points=DRAW))
print("ready", flush=True)
time.sleep(60)
"""
        command = [sys.executable, "-c", script, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ}) as process:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == b"ready"
            os.kill(process.pid, signal.SIGKILL)
        store = TournamentStore(tmp_path)
        (saved,) = store.list_files()
        tournament = saved.tournament
        assert tournament is not None
        assert (tournament.current_round, len(tournament.matches)) == (2, 6)
        assert tournament.matches[3] == TournamentMatch(2, tournament.matches[3].players, points=DRAW)
        for index in (4, 5):
            tournament = store.update(saved.path, lambda now: now.with_match(index, points=WIN_FIRST))  # noqa: B023
        assert store.update(saved.path, lambda now: now.start_round()).current_round == 3
