"""Reports: the data collected from matches, the measures, and the page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import lab
from shibumi3d.cli.lab import _draw_problems
from shibumi3d.cli.main import main
from shibumi3d.cli.report import format_report
from shibumi3d.export.svg import animate_match
from shibumi3d.lab import GameText, run
from shibumi3d.lab.report import (
    MAX_PROOF_MOVES,
    FirstMovesJob,
    MirrorMatches,
    RecordedMatchesJob,
    UnequalMatchesJob,
    compile_report,
)
from shibumi3d.match.match import Match
from shibumi3d.search.arena import initial_state_seed
from shibumi3d.search.solver import solve_two_player

SMALL = GameText.from_entry("spline", size=3)
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)
"""Path of an installed Chromium browser, whose name differs between systems, or None if there is none."""


def row(winner: int, turns: int, *hopes: tuple[int, float]) -> dict[str, object]:
    choices = [[seat, turn, 4 - turn, 0, turn, hoped] for turn, (seat, hoped) in enumerate(hopes)]
    return {
        "moves": [], "turns": turns, "winners": [winner], "scores": [], "reason": "", "choices": choices, "number": 0,
    }  # fmt: skip


def test_measures_match_hand_calculation() -> None:
    # The first seat falls to 0.2, takes the lead in turn 2 and keeps it.
    first = row(0, 4, (0, 0.4), (1, 0.8), (0, 0.75), (1, 0.1))
    other = row(1, 4, (0, 0.3), (1, 0.9), (0, 0.1), (1, 1.0))
    found = compile_report(
        SMALL, 0, [first, other], [(6, {**first, "strong": 0}), (6, {**other, "strong": 0})], []
    )
    values = {name: one["value"] for name, one in found["measures"].items()}
    assert values["drama"] == pytest.approx((0.6 + 0) / 2)
    assert values["leads"] == pytest.approx((1 + 0) / 2)
    # The other match is decided from its second choice on; in the first, the winner estimates 0.7.
    assert values["decided"] == pytest.approx((2 / 4 + 1 / 4) / 2)
    assert values["choices"] == pytest.approx((4 + 3 + 2 + 1) / 4)
    assert values["forced"] == pytest.approx(1 / 4)
    assert values["seat 1"] == values["seat 2"] == 0.5
    assert found["by turn"] == [4, 3, 2, 1]
    assert found["coverage"] == [[0, point, 2] for point in range(4)]
    assert [one["value"] for one in found["skill"]] == [0.5]
    assert found["area"] == 0
    # The mean of 0 and 0.6 is 0.3 ± 1.96 × 0.3, limited to the range from 0 to 1.
    assert found["measures"]["drama"]["interval"] == [0.0, 0.888]


def test_report_summarizes_proved_ends_plausible_and_copied_moves() -> None:
    first = {**row(0, 10, (0, 0.5)), "solved": 8, "plausible": [0.25, 0.75]}
    other = {**row(1, 10, (0, 0.5)), "solved": 4, "plausible": []}
    open_end = {**row(1, 10, (0, 0.5)), "solved": None, "plausible": None}
    copied = [
        {**row(1, 4, (0, 0.5)), "copied": 1, "chosen": 2},
        {**row(0, 4, (0, 0.5)), "copied": 2, "chosen": 2},
    ]
    found = compile_report(SMALL, 0, [first, other, open_end], [], [], copied)["measures"]
    assert (found["proved"]["value"], found["proved"]["from"]) == (pytest.approx((0.2 + 0.6) / 2), 2)
    assert (found["plausible"]["value"], found["plausible"]["from"]) == (0.5, 1)
    assert (found["mirror"]["value"], found["copied"]["value"]) == (0.5, 0.75)


def test_end_is_proved_from_the_reported_turn() -> None:
    """The solver finds the result at the turn reported as "solved", but not one turn earlier.

    If that turn is the first one, there is no earlier turn to check. In this match, each share of plausible moves is
    greater than 0 and less than 1.
    """
    (one,) = run(RecordedMatchesJob(SMALL, first=1, count=1).split())
    game, states = SMALL.load_game(), []
    # Matches with odd numbers start without random turns.
    state = game.start(2)
    for text in one["moves"]:
        states.append(state)
        state, _ = game.apply(state, text)
    assert solve_two_player(game, states[one["solved"]], max_moves=MAX_PROOF_MOVES)[0] is not None
    assert (
        one["solved"] == 0
        or solve_two_player(game, states[one["solved"] - 1], max_moves=MAX_PROOF_MOVES)[0] is None
    )
    assert 0 < min(one["plausible"]) <= max(one["plausible"]) < 1


def test_mirroring_second_seat_copies_across_the_centre() -> None:
    for one in run(MirrorMatches(GameText.from_entry("spline"), 6, count=2).split()):
        pairs = list(zip(one["moves"][::2], one["moves"][1::2], strict=False))
        assert one["copied"] == sum(second == opposite(first) for first, second in pairs) >= 3
        assert pairs[0][1] == opposite(pairs[0][0])


def opposite(text: str) -> str:
    """Convert the placement of a white marble into that of a black one on the opposite point.

    Opposite points change places when a board of size 4 is rotated by 180°: "W@Aa1" becomes "B@Ad4".
    """
    _, level, file, rank = text.replace("@", "")
    side = 4 - "ABCD".index(level)
    return f"B@{level}{'abcd'[side - 1 - 'abcd'.index(file)]}{side + 1 - int(rank)}"


def test_report_shows_the_match_of_median_length() -> None:
    matches = [
        {**row(0, turns, (0, 0.5)), "number": turns, "moves": [f"{turns} moves"]} for turns in (9, 4, 7, 5)
    ]
    matches.append({**row(0, 1, (0, 0.5)), "winners": None})
    found = compile_report(SMALL, 0, matches, [], [{"move": "red!", "board": 0, "point": -1, "mean": 0.25}])
    assert found["match"] == {
        "number": 5, "moves": ["5 moves"], "turns": 5, "winners": [0], "first seed": initial_state_seed("0/w5"),
    }  # fmt: skip
    report = format_report("Middling", found)
    assert "number 5, 5 turns, won by seat 1" in report
    # Results that have no place on a board are listed by name.
    assert "red! 0.25" in report


def test_recorded_choices_match_the_moves_played() -> None:
    rows = run(RecordedMatchesJob(SMALL, count=2).split())
    game = SMALL.load_game()
    for one in rows:
        # Every other match has a random opening before the first choice.
        played = one["moves"][len(one["moves"]) - len(one["choices"]) :]
        assert len(one["moves"]) - len(played) == (0 if one["number"] % 2 else 2)
        state = game.start(2, 0)
        for text in one["moves"][: len(one["moves"]) - len(played)]:
            state, _ = game.apply(state, text)
        for text, (seat, turn, open_, board, point, hoped) in zip(played, one["choices"], strict=True):
            moves = {move.text: move for move in game.moves(state)}
            assert (seat, turn, open_) == (state.to_move, state.turn, len(moves))
            assert (board, point) == (moves[text].board, moves[text].point)
            assert hoped == -1 or 0 <= hoped <= 1
            state, _ = game.apply(state, text)


def test_unequal_matches_play_each_opening_from_both_seats() -> None:
    rows = run(UnequalMatchesJob(SMALL, 6, count=4).split())
    assert [one["strong"] for one in rows] == [0, 1, 0, 1]
    assert rows[0]["moves"][:2] == rows[1]["moves"][:2]


def test_every_first_move_has_a_point_and_a_value() -> None:
    rows = run([FirstMovesJob(SMALL, tries=20)])
    assert {one["point"] for one in rows} == set(range(9))
    assert all(0 <= one["mean"] <= 1 for one in rows)


def test_solo_game_report_has_no_skill_measure() -> None:
    played = row(0, 2, (0, 0.4), (0, 0.8))
    found = compile_report(GameText.from_entry("spoff"), 0, [played], [(6, {**played, "strong": 0})], [])
    assert (found["skill"], found["area"]) == ([], None)
    report = format_report("Alone", found)
    assert "Nothing to show." in report
    assert "share of matches that were solved;" in report


def test_report_without_points_has_no_board_picture() -> None:
    cards = row(0, 2, (0, 0.4), (1, 0.8))
    cards["choices"] = [[seat, turn, 3, -1, -1, 0.5] for seat, turn in ((0, 0), (1, 1))]
    first = [{"move": "D:M21", "board": -1, "point": -1, "mean": 0.63}]
    report = format_report("Cards", compile_report(GameText.from_entry("arcanoid"), 0, [cards], [], first))
    assert "D:M21 0.63" in report
    assert not any(words in report for words in ("Where marbles go", ", size:", "darker"))
    board = format_report(
        "Board",
        compile_report(SMALL, 0, [row(0, 2, (0, 0.4), (1, 0.8))], [], [{**first[0], "board": 0, "point": 1}]),
    )
    assert all(words in board for words in ("Where marbles go", ", size: 3", "darker"))


class PageChecker(HTMLParser):
    """Parser that asserts that end tags match and that start tags have no ``src`` or ``href`` attribute.

    ``open`` lists the elements not yet closed, except ``meta`` elements, which need no end tag. ``met`` lists all
    elements so far. The attributes of self-closing tags aren't checked.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href"} & {name for name, _ in attrs}
        self.met.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("lang", "word"), [("en", "Skill trace"), ("fr", "Courbe d'habileté")])
def test_report_is_a_valid_page_with_a_json_file(tmp_path: Path, lang: str, word: str) -> None:
    out = tmp_path / "report.html"
    assert (
        main(["--lang", lang, "lab", "report", "spline", "--size", "3", "--games", "4", "--out", str(out)])
        == 0
    )
    text = out.read_text(encoding="utf-8")
    reader = PageChecker()
    reader.feed(text)
    assert not reader.open
    assert reader.met.count("svg") == 5
    assert word in text.replace("&#x27;", "'")
    numbers = json.loads(out.with_suffix(".json").read_text())
    length = f"{numbers['measures']['length']['value']:.2f}".replace(".", "," if lang == "fr" else ".")
    assert f'<td class="n">{length}</td>' in text


def test_match_animation_shows_each_marble_when_placed() -> None:
    match = Match(load_catalogue().get("spline").game(), ["–", "–"], 0)
    for move in ("W@Aa1", "B@Ab1", "W@Aa2", "B@Ab2", "W@Ba1"):
        match.play(move)
    drawn = re.findall(r'<circle [^>]*stroke="#333"[^>]*>(?:<animate[^>]*/>)?', animate_match(match))
    times = [re.search(r'keyTimes="0;([^"]*)"', one) for one in drawn]
    # There are nine moments: the start, five turns, and three more for the end, which is shown before the animation
    # restarts.
    assert sorted(float(one[1]) for one in times if one) == pytest.approx(
        [n / 9 for n in range(1, 6)], abs=1e-3
    )
    assert all('opacity="1"' in one for one in drawn)


@pytest.mark.parametrize("name", ["spline", "spargo"])
def test_report_has_three_problems_only_for_the_default_size(name: str) -> None:
    assert _draw_problems(GameText.from_entry(name)).count("<svg") == 3
    assert _draw_problems(GameText.from_entry(name, size=6)) == ""


@pytest.mark.parametrize(("seconds", "number"), [(0.02, 100), (2.7, 100), (2.8, 48), (11, 24), (60, 12)])
def test_number_of_matches_depends_on_the_available_time(
    monkeypatch: pytest.MonkeyPatch, seconds: float, number: int
) -> None:
    # The time for twice the first match may be at most 540 s: 540 / 2 / 100 = 2.7.
    clock = iter([5.0, 5.0 + seconds])
    monkeypatch.setattr(lab, "process_time", lambda: next(clock))
    assert lab._affordable_matches(SMALL, 0) == number


def test_report_name_must_end_in_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "report", "spline", "--out", str(tmp_path / "report.json")]) == 1
    assert "must end in .html:" in capsys.readouterr().err
    assert not list(tmp_path.glob("report*"))


@pytest.mark.thorough
@pytest.mark.skipif(BROWSER is None, reason="no chromium")
def test_browser_renders_the_report_pictures(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert main(["lab", "report", "spline", "--size", "3", "--games", "4", "--out", str(out)]) == 0
    script = "<script>document.title = [...document.querySelectorAll('svg')].map(s => s.getBBox().width > 100)</script>"
    out.write_text(out.read_text().replace("</body>", script + "</body>"))
    browser = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", out.as_uri()],
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    assert re.search(r"<title>(.*)</title>", browser)[1] == "true,true,true,true,true"  # type: ignore[index]
