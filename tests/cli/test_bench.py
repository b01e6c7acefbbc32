"""Benchmarks: what is measured and how figures are combined, but not how large they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from shibumi3d import native
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.marbles.game import MarbleGame
from tests.marble_games import marble_games
from tools import bench

if TYPE_CHECKING:
    from .conftest import Run


def test_selected_benchmark_parts_as_json(tool: Run) -> None:
    code, out, _ = tool("bench", "playouts", "states", "--game", "span", "--seconds", 0.01, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["engine"] == str(native.status)
    assert [figure["name"] for figure in found["figures"]] == [
        "Span, random playouts",
        "Span, moves + apply with states and events",
    ]
    assert all(figure["value"] > 0 for figure in found["figures"])
    assert found["figures"][0]["ratio"] > 0


def test_playout_benchmark_skips_other_kinds_of_games(tool: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    some = [load_catalogue().get(name) for name in ("span", "golden-spiral", "spline")]
    monkeypatch.setattr(bench, "load_catalogue", lambda: some)
    code, out, err = tool("bench", "playouts", "--seconds", 0.01)
    assert (code, err) == (0, "")
    assert "Spline, random playouts" in out
    assert "Golden" not in out


def test_benchmark_of_kept_wins_skips_solo_games(tool: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    some = [load_catalogue().get(name) for name in ("spalone", "span")]
    monkeypatch.setattr(bench, "load_catalogue", lambda: some)
    code, out, err = tool("bench", "kept", "--positions", 1, "--turns", 2)
    assert (code, err) == (0, "")
    assert "Span, won positions" in out


def test_text_output_shows_the_mode_and_its_target(tool: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line names the engine in use; the result's line ends with the targets for that engine."""
    for status, head, aim in (
        (native.EngineStatus(is_native=True), "(native)", "aim: 400,000, 5.5 x"),
        (native.EngineStatus(), "(pure Python)", "aim: 14,000"),
    ):
        monkeypatch.setattr(native, "status", status)
        code, out, _ = tool("bench", "playouts", "--game", "spline", "--seconds", 0.01)
        first, second = out.splitlines()
        assert code == 0
        assert head in first
        assert second.startswith("Spline, random playouts ")
        assert second.endswith(aim)


def test_proofs_are_benchmarked_only_with_the_compiled_engine(
    tool: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In plain Python, no proof is measured, and only the header is printed.

    ``PROOF_TARGETS`` maps each game and board size to the winning seat and the target in seconds. On 3×3 boards, the
    first player wins both Span and Spline, so the proofs for seat 0 succeed. If seat 1 is entered for Spline, the proof
    fails, and this is reported as an error.
    """
    monkeypatch.setattr(bench, "PROOF_TARGETS", {("span", 3): (0, 20), ("spline", 3): (0, 60)})
    monkeypatch.setattr(native, "status", native.EngineStatus())
    assert len(tool("bench", "proofs").out.splitlines()) == 1
    monkeypatch.setattr(native, "status", native.EngineStatus(is_native=True))
    _, span, spline = tool("bench", "proofs").out.splitlines()
    assert span.startswith("Span 3x3, proof of who wins ")
    assert span.endswith("aim: 20")
    assert spline.startswith("Spline 3x3, ")
    monkeypatch.setattr(bench, "PROOF_TARGETS", {("spline", 3): (1, 60)})
    assert "Spline can't be proved any more" in tool("bench", "proofs").err


def test_unknown_part_is_refused(tool: Run) -> None:
    assert tool("bench", "speed").err.startswith(
        "shibumi3d: there is no part 'speed' to measure, only playouts"
    )


def test_benchmarked_games_exist() -> None:
    for name, variant in bench.PLAYOUT_TARGETS:
        load_catalogue().get(name).game(variant=variant)


def test_crowded_table_benchmark_draws_ten_seats() -> None:
    """All ten seats are drawn, and everything lies within the camera's view.

    Each seat has a row of four cells, a sign, a hand, and the number of its cards.
    """
    title, make, camera = bench.most_crowded_table()
    assert " for 10, " in title
    frame = make()
    assert len(frame.cards) > 10 * (4 + 3)
    assert {f"seat {seat}" for seat in range(10)} <= {card.glyph for card in frame.cards}
    pixels, _ = camera.project(np.array([card.position for card in frame.cards]), 1280, 720)
    assert ((pixels >= 0) & (pixels <= (1280, 720))).all()


@pytest.mark.usefixtures("needs_gl")
def test_start_up_benchmark_measures_three_commands(tool: Run) -> None:
    """All three must succeed: a command that fails would seem fast."""
    figures = json.loads(tool("bench", "start-up", "--seconds", 0.01, "--json").out)["figures"]
    assert [figure["unit"] for figure in figures] == ["s"] * 3


class TestSums:
    def test_median_and_slowest_rate_are_reported(self, tool: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        """The benchmark reports the median rate of the two-player games and the rate of the slowest game.

        In this test, each game's rate is its position in the list of titles, counted from 1, so the first game is the
        slowest. The yardstick's rate is always 10, and each reported ratio is the rate divided by 10.
        """
        titles = [entry.title for entry in marble_games()]

        def rate(
            title: str, game: MarbleGame, hand: object, seconds: float, aim: object = None
        ) -> tuple[bench.Figure, float]:
            value = titles.index(title) + 1.0 if title in titles else 1e6
            return bench.Figure(title, value, "1/s"), 10.0

        monkeypatch.setattr(bench, "_measure_playouts", rate)
        figures = json.loads(tool("bench", "playouts", "--json").out)["figures"]
        assert len(figures) == len(titles) + 1 + 3  # one variant is measured too
        two = [titles.index(entry.title) + 1 for entry in marble_games() if entry.players[0] == 2]
        middle, slowest, yard = figures[-3:]
        assert middle["name"] == f"median of {len(two)} games for two"
        assert sum(place < middle["value"] for place in two) == sum(place > middle["value"] for place in two)
        assert middle["ratio"] == pytest.approx(middle["value"] / 10)
        assert (slowest["name"], slowest["value"], slowest["ratio"]) == (
            f"slowest of {len(titles)} games: {titles[0]}",
            1,
            0.1,
        )
        assert yard["value"] == 10

    def test_rate_and_ratio_follow_from_the_clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only playouts (2 s each) and runs of the yardstick (0.25 s each) advance the clock.

        Each of five rounds has two playouts in 4 s and four runs of the yardstick in 1 s. The rates are therefore 0.5/s
        and 4/s, and their ratio is 1/8.
        """

        @dataclass
        class Clock:
            now: float = 0.0

            def pass_by(self, seconds: float) -> Callable[[], None]:
                def wait() -> None:
                    self.now += seconds

                return wait

        clock = Clock()
        monkeypatch.setattr(bench, "process_time", lambda: clock.now)
        monkeypatch.setattr(
            bench, "make_playout_runner", lambda game: lambda number: clock.pass_by(2.0 * number)()
        )
        game = load_catalogue().get("spline").game()
        figure, yard = bench._measure_playouts("X", game, clock.pass_by(0.25), 20.0)
        assert (figure.value, yard, figure.ratio) == (0.5, 4.0, 0.125)
        assert clock.now == 2 * 2 + 5 * (4 + 1)  # two playouts for warming up
