"""Certificates prove what they claim, and players who use them can't be beaten."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.sharing import to_game_file
from shibumi3d.cli.main import main
from shibumi3d.rules.marbles.search import certificates
from shibumi3d.rules.marbles.search.certificates import (
    Certificate,
    CertificateMaker,
    ReplyMaker,
    encode_certificate,
    load_certificate,
    load_replies,
)
from shibumi3d.rules.marbles.search.position_table import PositionTableSearch
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import Budget, player
from tests.marble_games import slow_in_plain_python, thinned
from tests.share import THOROUGH, everything
from tools.__main__ import run
from tools.kept import measure_kept_wins

NATIVE = os.environ["SHIBUMI3D_NATIVE"] == "yes"
WINNERS = {("span", None): 0, ("spline", None): 1}
if NATIVE:  # walking these takes minutes of plain Python
    WINNERS |= {("splastwo", None): 1, ("splice", None): 1, ("spodd", None): 0}
SHARES = {"span": 1, "splastwo": 40, "splice": 100, "spline": 20, "spodd": 100}
if not NATIVE:
    SHARES = {"span": 60, "spline": 600}
elif not everything:
    SHARES = {name: 4 * share for name, share in SHARES.items()}
"""By game, the number ``n`` if every ``n``-th uncovered win is proved.

To prove all of them would take minutes, or hours in plain Python.
"""


@pytest.mark.parametrize(
    ("name", "variant"),
    thinned([pytest.param(*of, marks=THOROUGH if of[0] == "splice" else ()) for of in WINNERS], 2),
)
def test_certificate_has_no_gaps(name: str, variant: str | None) -> None:
    """Whatever the loser does, the certificate gives the winner a turn, or a search proves the win.

    A turn from the certificate ends the match or leads to a position in the certificate. The search is tried only in a
    share of the positions for which the certificate has no turn (see ``SHARES``).
    """
    game = shibumi3d.game(name, variant=variant)
    winner, keys = load_certificate(game) or (-1, frozenset())
    assert winner == WINNERS[name, variant]
    walker = Certificate(game, winner, keys)
    walker.load(game.start(2, seed=3))
    assert not list(
        walker.find_gaps(lambda: walker.uncovered_count % SHARES[name] != 0 or walker.can_prove_win())
    )
    assert walker.uncovered_count > 0 < len(keys)


def test_empty_certificate_proves_nothing() -> None:
    game = shibumi3d.game("span")
    walker = Certificate(game, 0, set())
    walker.load(game.start(2))
    assert list(walker.find_gaps(walker.can_prove_win)) == [[]]


def test_winners_certificate_proves_nothing_for_the_loser() -> None:
    """The certificate of Span proves that the first player wins.

    Read as a certificate for the second player, it has at least one gap: a position for which it offers that player no
    move, or a finished match that the player hasn't won.
    """
    game = shibumi3d.game("span")
    _, keys = load_certificate(game) or (-1, frozenset())
    walker = Certificate(game, 1, keys)
    walker.load(game.start(2))
    assert next(walker.find_gaps(lambda: False))


def test_certificate_is_made_from_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate must store the whole proof if hardly any work is allowed for wins that it leaves out.

    Normally, a certificate leaves out wins that are quick to prove. Here, it can't, so the winner always has a move
    that wins at once or leads to a stored position. When half of the certificate's keys are removed, gaps appear;
    ``close_gaps`` adds keys until there are none.
    """
    monkeypatch.setattr("shibumi3d.rules.marbles.search.certificates.MAX_STORAGE_PROOF_WORK", 1)
    monkeypatch.setattr(Certificate.can_prove_win, "__defaults__", (10,))
    game = shibumi3d.game("spline", size=3)
    reports: list[str] = []
    maker = CertificateMaker(game, 0, reports.append)
    assert maker.collect_proof(10**9)
    assert reports[-1].endswith(", 0 of them not proved")
    assert encode_certificate(0, maker.keys)[0] == 0
    assert len(encode_certificate(0, maker.keys)) == 1 + 6 * len(maker.keys)

    def holes() -> list[list[int]]:
        walker = Certificate(game, 0, maker.keys)
        walker.load(game.start(2))
        return list(walker.find_gaps(walker.can_prove_win))

    assert not holes()
    for _ in range(len(maker.keys) // 2):
        maker.keys.pop()
    assert holes()
    assert maker.close_gaps(10**9)
    assert not holes()


@pytest.mark.parametrize(("name", "variant"), [("spline", None), ("special-cake", "candy")])
def test_replies_keep_every_win_of_the_first_turns(
    name: str, variant: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first turns, the side to move can win if and only if the replies give it a winning turn.

    Such a turn leads to a stored position or wins immediately. The expected values come from solving the positions
    after one or two moves on a small board. Positions in the middle of a turn are skipped.
    """
    monkeypatch.setattr("shibumi3d.rules.marbles.search.certificates.MAX_STORAGE_PROOF_WORK", 1)
    monkeypatch.setattr(Certificate.can_prove_win, "__defaults__", (1,))
    game: Any = shibumi3d.game(name, size=3, variant=variant)
    maker = ReplyMaker(game, lambda text: None)
    maker.collect(2, 10**9)
    assert maker.unproved_count == 0 < len(maker.keys)
    walker = Certificate(game, 0, maker.keys)
    solver = walker.engine.ProofNumberSearch(walker.fast.machine, walker.equivalence)
    won = 0
    for first in game.moves(start := game.start(2)):
        for second in (None, *game.moves(game.apply(start, first)[0])):
            state, _ = game.apply(start, first)
            if second is not None:
                state, _ = game.apply(state, second)
            assert state.to_move is not None
            if state.step:
                continue
            walker.load(state)
            walker.winner = state.to_move
            solver.work_left = 10**9
            is_won = solver.prove(state.to_move, certificates.WIN) == walker.engine.YES
            assert bool(walker.winning_moves()) == is_won, str(state)
            won += is_won
    assert won > 0


def test_no_replies_are_needed_where_players_can_search_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a 3×3 board, the candy variant of Special Cake has only 266 positions at the start of a turn.

    The colours of the marbles don't matter in this variant. Symmetric positions count once, but the seat to move
    matters. A player who can search all these positions from the start needs no stored replies. A limit of 1000 units
    of work is too low for such a search.
    """
    game: Any = shibumi3d.game("special-cake", size=3, variant="candy")
    maker = ReplyMaker(game, lambda text: None)
    monkeypatch.setattr("shibumi3d.rules.marbles.search.certificates.MAX_STORAGE_PROOF_WORK", 10**9)
    maker.collect(9, 10**9)
    assert (maker.positions_visited, maker.keys) == (1, set())
    monkeypatch.setattr("shibumi3d.rules.marbles.search.certificates.MAX_STORAGE_PROOF_WORK", 1000)
    maker.collect(9, 10**9)
    assert maker.positions_visited > 2


@pytest.mark.parametrize(("name", "is_solved"), [("splice", True), ("spodd", True), ("spava", False)])
def test_short_proofs_are_made_even_without_time(name: str, is_solved: bool) -> None:
    """In games with a stored proof, short proofs of wins are found even without thinking time.

    In the positions of Splice and Spodd, the player to move can win. The solver proves it because it does part of its
    work even if it is told to stop at once. Spava has no stored proof. There, a solver that is told to stop at once
    doesn't search, so the value stays unknown.
    """
    game: Any = shibumi3d.game(name)
    chance, state = Random(3), game.start(2)
    while state.turn < {"splice": 12, "spodd": 12, "spava": 20}[name]:
        state, _ = game.apply(state, chance.choice(game.moves(state)))
    search = make_search(game, game.observe(state, state.to_move), state.to_move, 0, ())
    low, high, _ = search.solve(10**9, lambda: True)
    assert (low == high) == is_solved


@pytest.mark.parametrize("first", ["W@Aa1", "W@Aa4", "W@Ab1"])
@pytest.mark.parametrize("seed", [1, 2])
def test_mistakes_of_the_winner_are_punished_at_once(first: str, seed: int) -> None:
    """White can force a win in Span only by starting in one of the four central holes.

    After any other first marble, Black can force a win. Although Black has only 0.02 s to think, it must find a turn
    that leads to a position in the file of replies. This file contains positions in which the player to move, here
    White, is known to lose.
    """
    game = shibumi3d.game("span")
    state, _ = game.apply(game.start(2), first)
    choice = player("sky", seed).choose(game, game.observe(state, 1), Budget(seconds=0.02))
    assert choice.analysis.mean == 1.0
    state, _ = game.apply(state, choice.move)
    walker = Certificate(game, 1, load_replies(game))
    walker.load(state)
    assert walker.position_key() in walker.keys


@slow_in_plain_python
@pytest.mark.parametrize(
    ("name", "variant"), [("spava", None), ("spire", None), ("spree", None), ("special-cake", "candy")]
)
def test_wins_of_small_boards_are_kept_without_time(name: str, variant: str | None) -> None:
    game: Any = shibumi3d.game(name, size=3, variant=variant)
    result = measure_kept_wins(game, 30, 1, Budget(seconds=0.0), max_turns=6)
    assert (result.won, result.kept, result.lost_lines) == (30, 30, ())


@slow_in_plain_python
@pytest.mark.parametrize("seed", range(4))
def test_early_wins_of_spodd_are_kept_at_once(seed: int) -> None:
    """If the first player has a win after two random turns of Spodd, the strongest level keeps it.

    An exhaustive search determines whether there is a win, and checks after the player's turn that it still exists. The
    player's own search must also know whether there is a win, even if it is stopped at once. The player has only 0.02 s
    for each move.
    """
    game: Any = shibumi3d.game("spodd")
    chance, state = Random(seed), game.start(2)
    while state.turn < 2:
        state, _ = game.apply(state, chance.choice(game.moves(state)))
    table = PositionTableSearch(game, game.make_fast_game(2))
    table.fast.load(state)
    table.work_left = 10**12
    is_won = table.evaluate() > 0
    low, _, _ = make_search(game, game.observe(state, 0), 0, 0, ()).solve(0, lambda: True)
    assert (low == 1.0) == is_won
    if is_won:
        while state.to_move == 0:
            choice = player("sky", seed).choose(game, game.observe(state, 0), Budget(seconds=0.02))
            state, _ = game.apply(state, choice.move)
        table.fast.load(state)
        assert table.evaluate() < 0


@slow_in_plain_python
def test_stored_reply_wins_where_both_have_erred() -> None:
    """White's start at the edge is a losing move, but Black errs too.

    The stored reply then wins for White, as confirmed by the solver.
    """
    game = shibumi3d.game("span")
    state = game.start(2)
    for move in ("W@Ac4", "B@Aa1", "W@Ad2", "B@Ac2"):
        state, _ = game.apply(state, move)
    walker = Certificate(game, 0, load_replies(game))
    walker.load(state)
    walker.fast.make(walker.winning_moves()[0])
    assert walker.can_prove_win(10**10)


def test_unsolved_games_have_no_certificate() -> None:
    assert load_certificate(shibumi3d.game("span", size=3)) is None
    assert load_certificate(shibumi3d.game("spargo")) is None


def test_custom_game_with_solved_name_has_no_certificate(tmp_path: Path) -> None:
    """A user's game that has the id and size of Span, but other rules, isn't covered by Span's proof.

    Span is a proved win for the first player, so its bounds are (1, 1). In the user's game, whoever connects their two
    edges loses. Nothing is proved there, so the bounds are (0, 1).
    """
    span = shibumi3d.game("span")
    path = tmp_path / "span.yaml"
    path.write_text(
        to_game_file(load_catalogue().get("span")).replace("win: me", "lose: me"), encoding="utf-8"
    )
    own = load_catalogue().open(path).game()
    assert (own.id, own.size) == (span.id, span.size)
    bounds = [
        game.make_search(game.observe(game.start(2), 0), 0).solve(0, lambda: False)[:2]
        for game in (span, own)
    ]
    assert bounds == [(1.0, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize("hole", ["Aa1", "Ab1", "Ab2"])
def test_second_player_of_spline_is_proved_to_win(hole: str) -> None:
    """The three holes represent all first turns, up to symmetry."""
    game = shibumi3d.game("spline")
    state, _ = game.apply(game.start(2), f"W@{hole}")
    low, _, keeping = game.make_search(game.observe(state, 1), 1).solve(0, lambda: False)
    assert low == 1.0
    assert keeping
    start = game.start(2)
    assert game.make_search(game.observe(start, 0), 0).solve(0, lambda: False) == (0.0, 0.0, ())
    assert player("sky").choose(game, game.observe(start, 0), Budget(iterations=20)).analysis.mean == 0.0


def test_player_with_a_certificate_wins_span() -> None:
    """Sky starts Span in a central hole, evaluates the position as won, and beats random play.

    According to the book and the solver, the first player can force a win in Span only by starting in one of the four
    central holes.
    """
    game = shibumi3d.game("span")
    central = {"Ab2", "Ab3", "Ac2", "Ac3"}
    chance = Random(3)
    sky = player("sky", 1)
    for _ in range(4 if NATIVE else 1):
        state = game.start(2)
        first = sky.choose(game, game.observe(state, 0), Budget(iterations=4))
        assert first.move.partition("@")[2] in central
        assert first.analysis.mean == 1.0
        while (seat := state.to_move) is not None:
            moves = game.moves(state)
            move = chance.choice(moves).text if seat else ""
            if not seat:
                move = sky.choose(game, game.observe(state, 0), Budget(iterations=4)).move
            state, _ = game.apply(state, move)
        assert state.result is not None
        assert state.result.winners == (0,)


def test_certificates_command_saves_only_found_proofs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proofs = ["certificates", "spline=1", "spline=2", "--size", "3", "--out", str(tmp_path)]
    # On a small board the win can be proved from the start, so no position is stored; the other seat can't win.
    assert main([*proofs, "--store", str(tmp_path / "proofs.db")], run=run) == 1
    assert "Spline: no proof found" in capsys.readouterr().out
    assert (tmp_path / "spline-3.bin").read_bytes() == b"\0"
    assert main(["certificates", "spline=3"], run=run) == 1
    assert "'spline=3' is not of the form GAME=WINNER" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\x00", b"\x01abc", b"\xff" + b"a" * 8, b"\x09"])
def test_damaged_certificate_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    """A valid file consists of one byte from 0 to 2, followed by any number of six-byte keys.

    The first byte is the winning seat, or 2 if the keys cover all positions in which the side to move loses. A single
    zero byte is therefore valid: the first player wins, and there are no keys.
    """
    (tmp_path / certificates.CERTIFICATE_FOLDER).mkdir()
    (tmp_path / certificates.CERTIFICATE_FOLDER / "some.bin").write_bytes(content)
    monkeypatch.setattr(certificates, "files", lambda package: tmp_path)
    certificates._read_certificate.cache_clear()
    found = certificates._read_certificate("some.bin")
    certificates._read_certificate.cache_clear()
    assert found == ((0, frozenset()) if content == b"\x00" else None)
