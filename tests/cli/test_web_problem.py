"""The web page of a problem, solved in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.chromium import Browser, browser

if TYPE_CHECKING:
    from .conftest import Run

__all__ = ["browser"]


@pytest.fixture
def page(tmp_path: Path, browser: Browser, run: Run) -> Browser:
    """The page of Spline problem 20: White wins in two turns with Ac3 and Ac1; Black refutes Ad1 with Ac3."""
    done = run("problems", "show", "spline", "20", "--html", str(tmp_path / "p.html"))
    assert (done.code, done.err) == (0, "")
    assert (tmp_path / "p.html").stat().st_size < 1_000_000
    browser.open(tmp_path / "p.html", prefers_reduced_motion="reduce")
    return browser


def caption(page: Browser) -> str:
    return str(page.run("document.getElementById('caption').textContent"))


def choose(page: Browser, label: str) -> None:
    page.run(
        f"[...document.querySelectorAll('#moves button')].find((b) => b.textContent === {label!r}).click()"
    )


def test_wrong_try_gets_its_proved_reply_and_the_solution_is_played_out(page: Browser) -> None:
    assert caption(page) == "Player 1 to move and win in 2 turns."
    choose(page, "Place white on Ad1")
    page.wait('document.getElementById("caption").textContent.includes("doesn\'t")')
    assert caption(page) == "Turn 12 – Player 2: black on Ac3\nThat doesn't win in 2 turns."
    page.run("document.getElementById('again').click()")
    choose(page, "Place white on Ac3")
    page.wait("document.getElementById('caption').textContent.includes('Correct!')")
    assert caption(page).startswith("Turn 13 – Player 1: white on Ac1\nCorrect! Player 1 wins")
    assert page.problems == []


def test_wrong_try_without_stored_reply_is_reported_and_can_be_repeated(page: Browser) -> None:
    choose(page, "Place white on Aa2")
    assert caption(page).endswith("\nPlace white on Aa2: That doesn't win in 2 turns.")
    choose(page, "Place white on Ac3")
    assert caption(page).startswith("Turn 11 – Player 1: white on Ac3")


def test_problem_is_solved_by_clicking_the_point(page: Browser) -> None:
    """Level A is drawn as a square of 4 × 4 cells; Ac3 is in the third column and the second row from the top."""
    page.run("document.getElementById('view').click()")
    box = page.run(
        """(() => {
          const level = document.querySelector('#plan rect').getBoundingClientRect();
          return [level.left, level.top, level.width, level.height];
        })()"""
    )
    left, top, width, height = box
    x, y = left + width * 2.5 / 4, top + height * 1.5 / 4
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    page.wait("document.getElementById('caption').textContent.includes('Ac3')")


def test_point_is_clicked_in_3d(page: Browser) -> None:
    """The test doesn't know where Ac3 is drawn, so it clicks on a grid of places until Ac3 is played.

    Before each click, the problem is started again.
    """
    page.picture()
    found = set()
    for column in range(20):
        for row in range(16):
            page.run("document.getElementById('again').click()")
            x, y = 60 + column * 42, 90 + row * 36
            for kind in ("mousePressed", "mouseReleased"):
                page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
            found.add(caption(page))
            if any("Ac3" in text for text in found):
                return
    raise AssertionError(found)


def test_solution_is_shown(page: Browser) -> None:
    page.run("document.getElementById('solution').click()")
    page.wait("document.getElementById('caption').textContent.includes('Correct!')")


def test_problem_file_is_exported_like_the_built_in_problem(tmp_path: Path, run: Run) -> None:
    from shibumi3d.catalogue.problems import load_problems

    row = load_problems("spline")[19].to_row(include_game=True)
    (tmp_path / "mine.yaml").write_text(f"problems:\n  - {row}\n", "utf-8")
    done = run("export", str(tmp_path / "mine.yaml"), "--html", str(tmp_path / "a.html"))
    assert (done.code, done.err) == (0, "")
    run("problems", "show", "spline", "20", "--html", str(tmp_path / "b.html"))
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
