"""What was won and lost: kept when matches end in the window, counted on a page, forgotten when that is asked twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shibumi3d.app.results.screen import ResultsPage
from shibumi3d.match.results import Finished, Results
from tests.app.hand import Hand

WIN = ["Aa1", "Aa2", "Ab1", "Ab2", "Ac1", "Ac2", "Ad1"]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
STONE = Finished("a", NOON, "spline", "", 4, ("Ann", "Stone"), ("person", "stone"), (0,), (0, 0), 9, 61.5)


def kept(hand: Hand) -> tuple[Finished, ...]:
    return Results(hand.app.store.folder.parent / "results.sqlite").matches()


def test_a_match_is_kept_when_it_ends(hand: Hand) -> None:
    hand.start("spline")
    for point in WIN[:-1]:
        hand.click(*hand.spot(point))
        hand.wait(3)
    assert kept(hand) == ()
    begun = hand.now
    hand.click(*hand.spot(WIN[-1]))
    (match,) = kept(hand)
    assert (match.game, match.names, match.winners, match.turns) == ("spline", ("Aiko", "Ben"), (0,), 7)
    assert match.seconds is not None
    assert match.seconds >= begun - 1000 - 1
    # Taken back, white plays elsewhere, and black completes the row Aa2 to Ad2: one match all the same.
    hand.wait(3)
    hand.key("ctrl+z")
    for point in ("Ba1", "Ad2"):
        hand.wait(3)
        hand.click(*hand.spot(point))
    (match,) = kept(hand)
    assert (match.turns, match.winners) == (8, (1,))


def test_nothing_is_kept_where_that_is_not_wanted(hand: Hand) -> None:
    hand.app.change(results=False)
    hand.start("spline")
    for point in WIN:
        hand.click(*hand.spot(point))
        hand.wait(3)
    assert kept(hand) == ()
    assert not (hand.app.store.folder.parent / "results.sqlite").exists()


def filled(hand: Hand) -> ResultsPage:
    """Spline: won, lost and won against Stone; a draw against Ben. Span, earlier: lost."""
    results = Results(hand.app.store.folder.parent / "results.sqlite")
    rows = [
        {"game": "span", "winners": (1,)},
        {},
        {"winners": (1,)},
        {"winners": (), "names": ("Ann", "Ben"), "kinds": ("person", "person")},
        {"turns": 7, "seconds": 120.0},
    ]
    for number, changes in enumerate(rows):
        changes = {"key": str(number), "ended": NOON + timedelta(hours=number)} | changes
        results.add(replace(STONE, **changes))  # type: ignore[arg-type]  # names of fields are checked when set
    hand.app.show_results()
    hand.draw()
    page = hand.app.screen
    assert isinstance(page, ResultsPage)
    return page


def test_the_page_counts(hand: Hand) -> None:
    page = filled(hand)
    assert [(game, len(matches)) for game, matches in page.games] == [("spline", 4), ("span", 1)]
    assert page.lines() == [
        ("played", "4"),
        ("won", "2"),
        ("drawn", "1"),
        ("lost", "1"),
        ("won in turn", "1 now, 1 at most"),
        ("shortest win", "7 turns"),
        ("quickest win", "1:02"),
    ]
    assert page.against() == [("Stone", "2 won · 0 drawn · 1 lost"), ("Ben", "0 won · 1 drawn · 0 lost")]
    hand.key("down")
    assert page.lines()[0] == ("played", "1")
    hand.app.change(language="fr")
    page = hand.app.screen
    assert isinstance(page, ResultsPage)
    assert page.against()[0] == ("Pierre", "2 gagnées · 0 nulle · 1 perdue")


def test_forgetting_is_asked_once_more(hand: Hand) -> None:
    filled(hand)
    hand.push("forget")
    assert len(kept(hand)) == 5
    hand.key("escape")  # not for good
    hand.push("forget")
    assert len(kept(hand)) == 5
    hand.push("forget")
    assert kept(hand) == ()
    hand.key("escape")
    assert hand.app.screen.title == "home"


def test_reached_by_keys_from_the_games_kept(hand: Hand) -> None:
    hand.key("ctrl+o")
    hand.push("show results")
    assert hand.app.screen.title == "results"


def test_damage_is_told(hand: Hand) -> None:
    path = hand.app.store.folder.parent / "results.sqlite"
    path.write_bytes(b"no database, but a long file" * 100)
    hand.app.show_results()
    hand.wait(0.2)
    assert hand.app.root.floats, "a sentence floats over the page"
    assert (path.parent / "results.damaged-1.sqlite").exists()
