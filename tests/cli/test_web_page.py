"""The web page of a match: what it contains, and how it plays in a real browser."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d import i18n
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.export import web_page
from shibumi3d.export.web_page import make_web_page, render_page
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.match.visibility import covered_boards
from tests.cli.chromium import Browser, browser

if TYPE_CHECKING:
    from .conftest import Run

__all__ = ["browser"]

MAX_BYTES = 1_000_000
DAY = date(2026, 11, 29)


def new_match(game: str, moves: Sequence[str] = (), names: Sequence[str] = ("Ann", "Ben")) -> Match:
    match = Match(load_catalogue().get(game).game(), names, 7)
    for move in moves:
        match.play(move)
    return match


def play_at_random(match: Match, plies: int = 400, seed: int = 1) -> Match:
    random = Random(seed)
    while match.state.to_move is not None and len(match.plies) < plies:
        match.play(random.choice(match.legal_moves()))
    return match


def data_of(page: bytes) -> Any:
    (text,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', page.decode("utf-8"), re.DOTALL
    )
    return json.loads(text)


def test_page_holds_every_turn_with_its_marbles_and_words() -> None:
    """Points 0, 1 and 3 are Aa1, Ab1 and Ad1; colour 0 is white and 1 is black.

    A motion consists of its kind, the board, the point it begins at (-1: none), the point it ends at, and the colour.
    """
    data = data_of(make_web_page(new_match("spline", ["W@Aa1", "B@Ab1", "W@Ad1"]), DAY))
    assert [step["boards"][0][:4] for step in data["steps"]] == ["....", "0...", "01..", "01.0"]
    assert [step["caption"] for step in data["steps"][1:]] == [
        "Turn 1 – Ann: white on Aa1",
        "Turn 2 – Ben: black on Ab1",
        "Turn 3 – Ann: white on Ad1",
    ]
    assert data["steps"][2]["motions"] == [["place", 0, -1, 1, 1]]
    assert (data["title"], data["heading"], data["result"]) == ("Spline", "Ann – Ben · 29 Nov 2026", "")


def test_dropped_and_taken_marbles_are_motions() -> None:
    """In Spectacular Tumble, marbles are taken from a full pyramid, and the marbles that rested on them drop."""
    match = play_at_random(new_match("spectacular-tumble"), 8)
    kinds = {motion[0] for step in data_of(make_web_page(match))["steps"] for motion in step["motions"]}
    assert {"take", "drop"} <= kinds


@pytest.mark.parametrize(
    "game", ["spline", "splush", "spair", "spire", "arcanoid", "golden-spiral", "hyena-spiral"]
)
def test_page_of_every_table_is_small_and_loads_nothing(game: str) -> None:
    entry = load_catalogue().get(game)
    match = play_at_random(new_match(game, names=["A", "B", "C"][: max(2, entry.players[0])]))
    cursor = match.cursor
    page = make_web_page(match, DAY)
    assert match.cursor == cursor
    assert len(page) < MAX_BYTES
    text = page.decode("utf-8")
    # The SVG namespace is only a name; nothing is loaded from it.
    assert re.findall(r"https?://[^\"']+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|link|img)[^>]* (src|href)=", text)


def packed_data_of(page: bytes) -> Any:
    (text,) = re.findall(r'id="data" data-packed="[^"]+">(.*?)</script>', page.decode("utf-8"), re.DOTALL)
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_long_match_is_compressed_and_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play_at_random(new_match("spline"))
    whole = make_web_page(match, DAY)
    monkeypatch.setattr(web_page, "MAX_PAGE_BYTES", len(whole) - 1)
    page = make_web_page(match, DAY)
    assert len(page) < len(whole)
    assert packed_data_of(page) == data_of(whole)


@pytest.mark.parametrize("game", ["spline", "arcanoid"])
def test_first_turns_of_a_very_long_match_are_left_out_with_a_note(
    monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    match = play_at_random(new_match(game))
    whole = data_of(make_web_page(match, DAY))
    packed = len(render_page("", whole, is_packed=True))
    limit = packed - 200 if game == "spline" else packed - 5000
    monkeypatch.setattr(web_page, "MAX_PAGE_BYTES", limit)
    page = make_web_page(match, DAY)
    assert len(page) <= limit
    data = packed_data_of(page)
    left_out = len(whole["steps"]) - len(data["steps"])
    assert 0 < left_out < len(whole["steps"]) - 1
    assert data["steps"][-1]["caption"] == whole["steps"][-1]["caption"]
    first = data["steps"][0]["caption"]
    assert re.fullmatch(
        r"The position after turn \d+. The turns before it are left out, to keep the file small.", first
    )
    if game == "spline":  # one step for each turn
        assert str(left_out) in first
        assert data["steps"][0]["boards"] == whole["steps"][left_out]["boards"]


def test_names_cannot_break_out_of_the_page(tmp_path: Path, browser: Browser) -> None:
    evil = "</script><script>document.title='broken'</script>"
    page = make_web_page(new_match("spline", ["W@Aa1"], (evil, "<b>Ben</b>")), DAY)
    assert b"</script><script>document" not in page
    (tmp_path / "page.html").write_bytes(page)
    browser.open(tmp_path / "page.html")
    assert browser.run("document.title") != "broken"
    assert "<b>Ben</b>" in browser.run("document.getElementById('players').textContent")
    assert browser.run("document.querySelectorAll('b').length") == 0


def test_secrets_of_an_unfinished_match_stay_out_of_the_page() -> None:
    """In Springe, a player begins a turn by hiding marbles in their fists.

    Two matches that differ only in what was hidden give the same page.
    """
    entry = load_catalogue().get("springe")
    pages = []
    for choice in (0, -1):
        match = Match(entry.game(), ["Ann", "Ben"], 3)
        match.play(match.legal_moves()[choice])
        assert match.state.to_move is not None
        assert not covered_boards(match.state, None)
        pages.append(make_web_page(match, DAY))
    assert pages[0] == pages[1]


def test_page_is_in_the_language_of_the_export() -> None:
    i18n.set_language("fr")
    try:
        page = make_web_page(new_match("spline", ["W@Aa1"]), DAY)
    finally:
        i18n.set_language("en")
    assert page.startswith(b'<!DOCTYPE html>\n<html lang="fr">')
    data = data_of(page)
    assert data["steps"][1]["caption"] == "Tour 1 – Ann : blanche en Aa1"
    assert data["colours"][1]["name"] == "noire"


def test_command_writes_the_page(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "m.yaml"
    record.write_text(new_match("spline", ["W@Aa1", "B@Ab1"]).record().to_text(), encoding="utf-8")
    done = run("export", str(record), "--html", str(tmp_path / "m.html"), "--day", "2026-11-29")
    assert (done.code, done.err) == (0, "")
    page = (tmp_path / "m.html").read_bytes()
    assert page == make_web_page(new_match("spline", ["W@Aa1", "B@Ab1"]), DAY)


class TestInTheBrowser:
    """The page in Chromium, in windows of various sizes, including that of a phone."""

    @pytest.fixture
    def page(self, tmp_path: Path, browser: Browser) -> Browser:
        (tmp_path / "page.html").write_bytes(
            make_web_page(new_match("spline", ["W@Aa1", "B@Ab1", "W@Ad4"]), DAY)
        )
        browser.open(tmp_path / "page.html", prefers_reduced_motion="reduce")
        return browser

    @staticmethod
    def caption(page: Browser) -> str:
        return str(page.run("document.getElementById('caption').textContent"))

    @pytest.mark.parametrize(
        ("width", "scene", "plan", "button"),
        [(1280, True, True, False), (1000, True, True, False), (999, True, False, True)],
    )
    def test_plan_stands_beside_the_scene_where_there_is_room(
        self, tmp_path: Path, browser: Browser, width: int, scene: bool, plan: bool, button: bool
    ) -> None:
        (tmp_path / "page.html").write_bytes(make_web_page(new_match("spline", ["W@Aa1", "B@Ab1"]), DAY))
        browser.open(tmp_path / "page.html", width, 720, prefers_reduced_motion="reduce")
        shown = {
            name: browser.run(f"document.getElementById('{name}').getBoundingClientRect().width > 0")
            for name in ("scene", "plan", "view")
        }
        assert shown == {"scene": scene, "plan": plan, "view": button}
        browser.run("document.getElementById('next').click()")
        marbles = "document.querySelectorAll('#plan circle[r=\"0.43\"]').length"
        if not plan:
            browser.run("document.getElementById('view').click()")
            assert browser.run("document.getElementById('scene').hidden")
        assert browser.run(marbles) == 1
        # Beside the scene, levels are stacked with the highest on top; without it, they are in a row.
        tops = browser.run(
            "[...document.querySelectorAll('#plan rect')].map((each) => each.getBoundingClientRect().top)"
        )
        assert (tops == sorted(tops, reverse=True)) == plan
        assert browser.problems == []

    def test_compressed_page_plays(
        self, tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(web_page, "MAX_PAGE_BYTES", 48_000)
        page = make_web_page(play_at_random(new_match("spline")), DAY)
        assert b"data-packed" in page
        (tmp_path / "page.html").write_bytes(page)
        browser.open(tmp_path / "page.html", prefers_reduced_motion="reduce")
        browser.wait("document.getElementById('caption').textContent")
        browser.press("End")
        assert "wins" in self.caption(browser)
        assert browser.problems == []

    def test_buttons_and_keys_step_through_the_match(self, page: Browser) -> None:
        assert self.caption(page) == "The start"
        page.run("document.getElementById('next').click()")
        assert self.caption(page) == "Turn 1 – Ann: white on Aa1"
        page.press("End")
        assert self.caption(page) == "Turn 3 – Ann: white on Ad4"
        assert page.run("document.getElementById('next').disabled")
        page.press("ArrowLeft")
        assert self.caption(page) == "Turn 2 – Ben: black on Ab1"
        page.press("Home")
        assert self.caption(page) == "The start"
        page.run("document.querySelectorAll('#moves button')[2].click()")
        assert self.caption(page) == "Turn 2 – Ben: black on Ab1"
        assert page.problems == []

    def test_space_plays_to_the_end(self, page: Browser) -> None:
        page.press(" ")
        page.wait("document.getElementById('caption').textContent.startsWith('Turn 3')")
        page.wait("document.getElementById('play').getAttribute('aria-label') === 'Play'")

    def test_position_is_described_in_words(self, page: Browser) -> None:
        page.press("End")
        label = page.run("document.getElementById('scene').getAttribute('aria-label')")
        assert label == "level A: white Aa1, Ad4; black Ab1"
        assert page.run("document.getElementById('caption').getAttribute('aria-live')") == "polite"
        assert page.run(
            "[...document.querySelectorAll('button')].every((b) => !b.offsetParent || b.ariaLabel || b.textContent)"
        )

    def test_flat_view_shows_the_same_marbles(self, page: Browser) -> None:
        page.call(
            "Emulation.setDeviceMetricsOverride", width=800, height=720, deviceScaleFactor=1, mobile=False
        )
        page.wait("!document.getElementById('view').hidden")
        page.press("End")
        page.run("document.getElementById('view').click()")
        fills = page.run(
            "[...document.querySelectorAll('#plan circle')].filter((c) => c.getAttribute('r') === '0.43').length"
        )
        assert fills == 3
        assert page.run("document.getElementById('scene').hidden")

    def test_marbles_are_drawn_in_3d(self, tmp_path: Path, browser: Browser) -> None:
        """More than a tenth of the picture is wood, and the marbles appear as almost white and almost black pixels."""
        page = make_web_page(new_match("spline", ["W@Aa1", "B@Ab1", "W@Ad4"]), DAY)
        readable = page.replace(b"antialias: true", b"antialias: true, preserveDrawingBuffer: true", 1)
        assert readable != page
        (tmp_path / "page.html").write_bytes(readable)
        browser.open(tmp_path / "page.html")
        browser.press("End")
        browser.picture()
        white, black, wood = browser.run(
            """(() => {
              const canvas = document.getElementById('scene');
              const copy = document.createElement('canvas');
              [copy.width, copy.height] = [canvas.width, canvas.height];
              const pen = copy.getContext('2d');
              pen.drawImage(canvas, 0, 0);
              const { data } = pen.getImageData(0, 0, copy.width, copy.height);
              let [white, black, wood] = [0, 0, 0];
              for (let at = 0; at < data.length; at += 4) {
                const [r, g, b] = [data[at], data[at + 1], data[at + 2]];
                if (r > 225 && g > 215 && b > 200) white += 1;
                if (data[at + 3] === 255 && r < 50 && g < 50 && b < 50) black += 1;
                if (r > 130 && r - b > 50) wood += 1;
              }
              return [white, black, wood].map((count) => count / (data.length / 4));
            })()"""
        )
        assert white > 0.002
        assert black > 0.002
        assert wood > 0.1
        assert browser.problems == []

    def test_page_fits_a_phone(self, tmp_path: Path, browser: Browser) -> None:
        (tmp_path / "page.html").write_bytes(make_web_page(new_match("spline", ["W@Aa1"]), DAY))
        browser.open(tmp_path / "page.html", 390, 844, prefers_color_scheme="dark")
        assert browser.run("document.documentElement.scrollWidth") == 390
        controls = browser.run("document.getElementById('controls').getBoundingClientRect().bottom")
        assert controls < 844, "the controls are seen without scrolling"
        assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(29, 27, 26)"
        smallest = browser.run(
            "Math.min(...[...document.querySelectorAll('#controls button')].map((b) => b.offsetHeight))"
        )
        assert smallest >= 44, "large enough for a finger"

    def test_browser_without_webgl_shows_the_flat_view(self, tmp_path: Path, browser: Browser) -> None:
        page = make_web_page(new_match("spline", ["W@Aa1"]), DAY)
        broken = page.replace(
            b'"use strict";', b'"use strict"; HTMLCanvasElement.prototype.getContext = () => null;', 1
        )
        assert broken != page
        (tmp_path / "page.html").write_bytes(broken)
        browser.open(tmp_path / "page.html")
        assert not browser.run("document.getElementById('plan').hidden")
        assert browser.run("document.getElementById('view').hidden")
        assert browser.problems == []

    @pytest.mark.parametrize("game", ["golden-spiral", "arcanoid", "hyena-spiral"])
    def test_table_without_marbles_is_shown_from_above(
        self, tmp_path: Path, browser: Browser, game: str
    ) -> None:
        match = play_at_random(
            new_match(game, names=["Ann", "Ben", "Cleo"][: 3 if "hyena" in game else 2]), 4
        )
        (tmp_path / "page.html").write_bytes(make_web_page(match, DAY))
        browser.open(tmp_path / "page.html")
        before = browser.run("document.querySelector('#plan svg').innerHTML")
        browser.press("End")
        after = browser.run("document.querySelector('#plan svg').innerHTML")
        assert before != after
        assert browser.run("document.querySelectorAll('#plan rect, #plan circle').length") > 10
        label = browser.run("document.querySelector('#plan svg').getAttribute('aria-label')")
        seen = visibility.observe(match.game, match.state, visibility.public_viewer(match))
        assert label == ". ".join(match.game.table_lines(seen, "en", names=tuple(match.names)))
        assert browser.problems == []
