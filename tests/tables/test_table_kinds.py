"""What all table kinds share, tested on a small one: options, game files, answers out of turn and search."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.match.match import Match
from shibumi3d.match.record import parse
from shibumi3d.rules import registry as kinds
from shibumi3d.rules.errors import GameFileError, IllegalMove
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Budget, player
from tests.tables import sealed
from tests.tables.contract import check_random_match


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.KIND_MODULES, "sealed", "tests.tables.sealed")


def entry(text: str = sealed.TEXT) -> Entry:
    return load_catalogue().parse(text.encode(), Path("sealed.yaml"))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", ["", "long hands"])
def test_sample_table_fulfils_the_table_contract(seats: int, variant: str) -> None:
    for seed in range(10):
        check_random_match(entry().game(variant=variant), seats, seed)


def test_options_default_by_seat_count_unless_chosen() -> None:
    """The game file sets a default of 3 turns for two players and of 2 turns for three.

    It sets no default for four players, so they have 1 turn, the first value of the range.
    """
    sealed = entry()
    assert [sealed.game().start(seats).last for seats in (2, 3, 4)] == [3, 2, 1]
    assert sealed.game(options={"turns": "5"}).start(3).last == 5
    with pytest.raises(CatalogueError, match="turns must be one of 1, 2, 3, 4, 5, 6, not '9'"):
        sealed.game(options={"turns": 9})
    with pytest.raises(CatalogueError, match="has no option 'turn', did you mean 'turns'"):
        sealed.game(options={"turn": 3})


def test_variant_overrides_the_table_section() -> None:
    assert len(entry().game(variant="long hands").start().hands[0]) == 5
    assert entry().sizes == ()


@pytest.mark.parametrize(
    ("was", "now", "line", "message"),
    [
        ("hand: 3", "hnad: 3", 8, "table: unknown key 'hnad', did you mean 'hand'?"),
        ("hand: 3", "hand: 30", 8, "hand: expected a whole number from 2 to 9"),
        ("table: {hand: 3}", "table: [3]", 8, "table: expected a mapping"),
        (
            "range: [1, 6]",
            "range: [6, 1]",
            7,
            "option 'turns': expected the lowest and the highest of at most 100 whole numbers",
        ),
        ("usual: {2: 3, 3: 2}", "usual: {7: 3}", 7, "expected numbers of players from 2 to 4, with one"),
        ("usual: {2: 3, 3: 2}", "usual: 9", 7, "option 'turns': expected one of its values"),
        (
            "range: [1, 6]",
            "rnage: [1, 6]",
            7,
            "unknown key in option 'turns': 'rnage', did you mean 'range'?",
        ),
        ("bidding", "biding", 4, "unknown category 'biding', did you mean 'bidding'?"),
        ("kind: sealed", "kind: seeled", 3, "unknown kind 'seeled', did you mean 'sealed'?"),
        ("players: [2, 4]", "players: [2, 4]\nsizes: [4]", 6, "unknown key: 'sizes'"),
    ],
)
def test_file_mistakes_are_reported_with_their_line(
    was: str, now: str, line: int, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "sealed.yaml"
    path.write_text(sealed.TEXT.replace(was, now, 1), encoding="utf-8")
    _, problems = load_catalogue().check([path])
    matching = [problem for problem in problems if message in str(problem.message)]
    assert [problem.location.line for problem in matching[:1]] == [line], problems


def test_valid_file_has_no_problems(tmp_path: Path) -> None:
    path = tmp_path / "sealed.yaml"
    path.write_text(sealed.TEXT, encoding="utf-8")
    assert load_catalogue().check([path]) == (1, ())
    with pytest.raises(GameFileError):
        load_catalogue().parse(b"title: X\nkind: sealed\nturn: {}\n", path)


def test_out_of_turn_answers_are_recorded_with_their_seat() -> None:
    """Seat 3 lays its card before seats 1 and 2, and seat 2 answers before seat 1.

    In moves and records, seats are counted from 1. The seats lay their cards in any order. The seat with the highest
    number that no other seat laid gains a point: here seat 3 with its 7, against 2 and 6. The other seats then say, in
    any order, whether they cheer (``loud`` or ``quiet``). A move is recorded with its seat unless that is the first of
    the seats that may act.
    """
    game = entry().game(options={"turns": 1})
    match = Match(game, ["Ann", "Ben", "Cleo"], 4, deal={"hands": ["123", "456", "789"]})
    for move in ("3:7", "2", "6"):
        match.play(move)
    assert match.state.points == (0, 0, 1)
    assert [ply.seat for ply in match.plies] == [2, 0, 1]
    assert match.state.decision is not None
    assert match.state.decision.seats == (0, 1)
    with pytest.raises(IllegalMove):
        match.play("3:loud")
    match.play("2:loud")
    match.play("quiet")
    text = match.record().to_text()
    lines = [line for line in text.splitlines() if not line.startswith("file: ")]
    assert lines == [
        "shibumi3d: 2",
        "game: sealed",
        "options: {turns: 1}",
        "seats: [Ann, Ben, Cleo]",
        "seed: 4",
        'deal: {hands: ["123", "456", "789"]}',
        "moves:",
        '  - "3:7 2 6 2:loud quiet"',
        "result: {winners: [3], scores: [0, 0, 1], reason: most points}",
    ]
    again = Match.from_record(parse(text), game)
    assert again.state == match.state


@pytest.mark.parametrize("strength", ["random", *[one.name for one in LEVELS]])
def test_every_strength_plays_the_table(strength: str) -> None:
    """A computer player of each strength chooses legal moves from its own view, even out of turn.

    When several seats may decide, the test lets the last of them move, so that some moves are made out of turn. If a
    player is asked again about the same view, it chooses the same move.
    """
    game = entry().game(options={"turns": 1})
    match = Match(game, ["Ann", "Ben", "Cleo"], 2)
    computer = player(strength, 1)
    while match.state.decision is not None:
        seat = match.state.decision.seats[-1]
        view = game.observe(match.state, seat)
        chosen = computer.choose(game, view, Budget(60), seat=seat)
        assert chosen == computer.choose(game, view, Budget(60), seat=seat)
        match.play(chosen.move, seat)
    assert match.state.turn == 1


def test_strong_player_usually_plays_the_dominant_card() -> None:
    """In the last turn, a player with 1 and 9 nearly always lays 9, because it is never worse than 1.

    In each turn, the highest card that no other seat laid gains a point. The player doesn't know the other hand.
    """
    game = entry().game(options={"turns": 1})
    state = game.start(2, 1, {"hands": ["199", "199"]})
    laid = Counter(
        player("mountain", seed).choose(game, game.observe(state, 0), seat=0).move for seed in range(10)
    )
    assert laid["9"] >= 8


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("hyena-spiral", "length: {values: [4, far]}", "3:32: options: length: expected whole numbers from 2 to 200"),
        ("hyena-spiral", "length: {values: [48, 0]}", "3:33: options: length: expected whole numbers from 2 to 200"),
        ("hyena-spiral", "rounds: {range: [0, 3]}", "3:28: options: rounds: expected whole numbers from 1 to 100"),
        ("hyena-spiral", "lenght: {values: [48]}", "3:11: options: unknown key 'lenght', did you mean 'length'?"),
        ("golden-spiral", "stars: {values: [3, many]}", "3:31: options: stars: expected whole numbers from 0 to 9"),
        ("arcanoid", "rounds: {values: [3, x]}", "3:32: options: rounds: expected whole numbers from 1 to 9"),
        ("arcanoid", "dummies: {range: [0, 9]}", "3:32: options: dummies: expected whole numbers from 0 to 2"),
        ("arcanoid", "temperance: {values: [hard]}", "3:11: options: unknown key 'temperance'"),
    ],
)  # fmt: skip
def test_options_that_the_table_refuses_are_reported(
    game: str, options: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(f"title: Other\nextends: {game}\noptions: {{{options}}}\n", encoding="utf-8")
    _, problems = load_catalogue().check([path])
    assert len(problems) == 1
    assert str(problems[0]).startswith(f"{path}:{message}")
    with pytest.raises(GameFileError):
        load_catalogue().open(path).game()


def test_jokers_without_an_id_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    joker = "{name: {en: J}, stars: 1, price: [1, 0], when: always, do: flip}"
    path.write_text(
        f"title: Other\nextends: golden-spiral\ntable:\n  jokers:\n    - {joker}\n    - {joker}\n",
        encoding="utf-8",
    )
    _, problems = load_catalogue().check([path])
    assert "table: jokers 1: a joker needs 'id'" in [str(problem.message) for problem in problems]
    assert not [problem for problem in problems if "failed" in str(problem.message)]
