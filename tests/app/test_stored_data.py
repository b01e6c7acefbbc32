"""The program starts with any stored data, however badly its files are damaged."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app import main
from shibumi3d.app.host import settings
from shibumi3d.app.host.courses import GameCourse, StreakCourse, WinnabilityCourse
from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.host.settings import Settings
from shibumi3d.app.host.solo import ladder_of
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.match.problem import resume_attempt
from shibumi3d.app.pages.home.cards import ResumeCard
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.platform.drag_and_drop import open_dropped
from shibumi3d.app.ui.button import Button
from shibumi3d.match.attempts import GUESS, STREAK, AttemptStore, new_attempt, to_row
from shibumi3d.match.database import ATTEMPT_COLUMNS, MATCH_COLUMNS
from shibumi3d.match.match import Match
from shibumi3d.match.results import FinishedMatch, ResultStore
from shibumi3d.match.sharing import ProblemResult, match_challenge_key
from shibumi3d.match.store import MatchStore
from shibumi3d.search.levels import (
    ADAPTIVE_STEP,
    LEVELS,
    adaptive_level,
    adaptive_level_of,
    interpolated_level,
    is_player_type,
    next_adaptive_level,
    player_type_of,
)
from tests.app.test_computer_players import Scripted

if TYPE_CHECKING:
    from tests.app.hand import Hand

ROOT = Path(__file__).parents[2]
LOCK = """import sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
input()"""
LOSES = ("Aa3", "Ab4", "Ac3", "Ad4")
"""Points that the person chooses in Spline while the computer completes a row."""
ROW = ("B@Aa1", "B@Ab1", "B@Ac1", "B@Ad1")


def restart(hand: Hand) -> HomePage:
    """Simulate a restart of the program: load the settings again, and show and return the home page."""
    app = hand.app
    app.matches.release_current()
    loaded = settings.load_settings(app.services.config_folder)
    app.settings = loaded.settings
    app.matches.last_game_id, app.pages.last_home = "", None
    app._shown_warnings.clear()
    if loaded.notice:
        app.show_warning(loaded.notice)
    app.pages.show_home()
    hand.wait(1)
    hand.draw()
    assert isinstance(app.current_page, HomePage)
    return app.current_page


def shown_message(hand: Hand) -> str:
    floats = [each for each in hand.app.root.popups if isinstance(each, MessageCard)]
    return floats[-1].message_label.caption if floats else ""


def choose(hand: Hand, game: str) -> HomePage:
    """Select a game on the home page by typing its name, and return the page."""
    hand.type(game)
    hand.wait(0.5)
    hand.draw()
    home = hand.page(HomePage)
    assert home.selected_game is not None
    assert home.selected_game.id == game
    return home


def lose(hand: Hand) -> None:
    """Start the selected game, Spline, and lose it, using only the mouse.

    The opponent is the default one, but its moves are scripted.
    """
    hand.push("play")
    hand.play.computer_players.engine = thinker = Scripted()
    thinker.script = list(ROW)
    hand.draw()
    for point in LOSES:
        hand.click(*hand.spot(point))
        hand.wait(6)
    assert hand.play.match.state.to_move is None
    assert hand.play.match.player_types[0] == "person"


def test_repeated_losses_lower_the_adaptive_level_to_zero(hand: Hand) -> None:
    """Each loss lowers the level of the adaptive opponent: from 1.5 to 1, 0.5 and 0, where it stays.

    After each match, its page is left with either the back button or Escape, and the game is selected again after a
    simulated restart. No message is shown.
    """
    hand.app.settings = Settings(stills=False, language="en", names=("Ann",))
    hand.app.pages.show_home()
    choose(hand, "spline")
    for number, leave in zip((1.5, 1.0, 0.5, 0.0, 0.0), ("button", "escape") * 3, strict=False):
        lose(hand)
        assert hand.play.match.player_types[1] == f"fits {number:g}"
        if leave == "escape":
            hand.key("escape")
        else:
            hand.push("back")
        hand.wait(1)
        assert isinstance(hand.app.current_page, HomePage)
        assert shown_message(hand) == ""
        restart(hand)
        home = choose(hand, "spline")
        assert shown_message(hand) == ""
        assert hand.found("play", Button).label == "Play"
        assert home.start_panel.setup.player_types[:2] == ["person", "fits"]


def test_every_adaptive_level_is_a_player_type() -> None:
    """Levels in steps of 0.01 are recognized under every name by which they are stored.

    Adaptive levels range from 0 to 5. From 1 to 5, there are also named or interpolated levels, and levels that keep
    the match close; for these, :func:`adaptive_level_of` returns None.
    """
    for hundredths in range(100 * len(LEVELS) + 1):
        number = hundredths / 100
        name = adaptive_level(number).name
        assert (player_type_of(name), adaptive_level_of(name), is_player_type(name)) == (name, number, True)
        if number >= 1:
            for name in (interpolated_level(number).name, f"close {number:g}"):
                assert (player_type_of(name), is_player_type(name), adaptive_level_of(name)) == (
                    name,
                    True,
                    None,
                )


def test_every_match_series_leads_to_a_valid_adaptive_level() -> None:
    """From level 1.5, wins, draws and losses lead to exactly the multiples of ``ADAPTIVE_STEP`` from 0 to 5."""
    reached, new = set[float](), {1.5}
    while new:
        reached |= new
        new = {next_adaptive_level(number, gained) for number in new for gained in (0.0, 0.5, 1.0)} - reached
    assert reached == {n * ADAPTIVE_STEP for n in range(int(len(LEVELS) / ADAPTIVE_STEP) + 1)}


@pytest.mark.parametrize("kind", ["fits 7", "fits -1", "fits nan", "fits inf", "fits 1.505", "fits", "x", ""])
def test_invalid_adaptive_level_is_rejected(kind: str) -> None:
    assert adaptive_level_of(kind) is None
    assert player_type_of(player_type_of(kind)) == player_type_of(kind)


# Settings

FULL: dict[str, Any] = {
    "theme": "night", "language": "fr", "scale": 125, "motion": "fast", "marks": "hover", "marbles": "clear",
    "board": "slate", "signs": "strong", "names": ["Ann", "Ben"], "seats": {"spline": ["person", "fits"]},
    "setups": {"spline": {"players": 2, "size": 4, "variant": "", ".clock": "10+5"}}, "size": [900, 700],
    "place": [10, 20], "panel": False, "volume": "loud", "favourites": ["spline"], "played": ["spline"],
    "views": {"spline": [[1.0, 2.0, 1.0], None, None, None]}, "eye": {"x.yaml": [1.0, 2.0, 1.0]}, "muted": True,
}  # fmt: skip
"""A value other than the default for each kind of setting."""
NAMES = tuple(vars(Settings()))
DAMAGE: dict[str, Any] = {
    "null": None, "list": [], "list of lists": [[[]]], "numbers": [1, 2, 3], "dict": {},
    "dict of null": {"spline": None},
    "dict of dicts": {"spline": {"spline": {}}}, "dict of lists": {"spline": [None, [], {}, 1e999]},
    "huge": 10**300, "minus": -(10**300), "longer": "DIGITS", "nan": float("nan"), "infinite": float("inf"),
    "float": 1.5, "zero": 0, "switch": True, "word": "unknown", "empty": "", "half": "\ud800", "long": "x" * 10_000,
}  # fmt: skip
UNKNOWN = {"spline": {"future": {"deep": [1, {"er": None}]}}}


def to_json(value: Any) -> str:
    """Return a value as JSON, with each string ``DIGITS`` replaced by a number too long for Python to parse."""
    return json.dumps(value).replace('"DIGITS"', "9" * 5000)


@pytest.mark.parametrize("name", NAMES)
def test_setting_with_an_invalid_value_leaves_the_others_intact(tmp_path: Path, name: str) -> None:
    """Whatever value one setting has in the file, all other settings are loaded.

    If there is a notice, it names only this setting. When another setting is changed and saved, this one keeps its
    value in the file, except that a lone surrogate becomes a question mark.
    """
    others = {each: value for each, value in FULL.items() if each != name}
    usual = getattr(Settings(), name)
    for damage, value in DAMAGE.items():
        (tmp_path / "settings.json").write_text(to_json({**others, name: value}))
        loaded = settings.load_settings(tmp_path)
        assert loaded.notice in (
            "",
            f"Couldn't read some settings in {tmp_path / 'settings.json'}: {name}. Their defaults will be used.",
        ), damage
        for each in others:
            assert getattr(loaded.settings, each) == getattr(
                Settings().with_changes(**{each: others[each]}), each
            )
        if loaded.notice and not isinstance(value, list | dict):
            assert getattr(loaded.settings, name) == usual, damage
        before = json.loads((tmp_path / "settings.json").read_text(), parse_int=float)
        other = "panel" if name != "panel" else "guided"
        settings.save_settings(
            tmp_path, loaded.settings.with_changes(**{other: not getattr(loaded.settings, other)})
        )
        after = json.loads((tmp_path / "settings.json").read_text(), parse_int=float)
        assert to_json(after.get(name)).replace("?", "\\ud800") == to_json(before.get(name)), damage
        assert settings.load_settings(tmp_path).settings == loaded.settings.with_changes(
            **{other: not getattr(loaded.settings, other)}
        )


def test_home_page_opens_with_any_settings(hand: Hand) -> None:
    """Damaged values are tried for all settings at once, and for single ones about games and players.

    The home page still opens with a game selected. If it shows a message, this is about the settings, and Escape closes
    it.
    """
    hand.app.services.config_folder.mkdir(parents=True, exist_ok=True)
    for value in DAMAGE.values():
        for names in (NAMES, ("seats",), ("setups",), ("names",), ("played",)):
            (hand.app.services.config_folder / "settings.json").write_text(
                to_json({**FULL, "stills": False, **dict.fromkeys(names, value)})
            )
            home = restart(hand)
            assert home.start_panel.setup.entry is not None
            sentence = shown_message(hand)
            assert not sentence or "settings" in sentence or "Réglages" in sentence
            hand.key("escape")
            assert not shown_message(hand)


def test_settings_of_a_newer_version_are_preserved(tmp_path: Path) -> None:
    """Unknown keys and values survive at every depth, whatever other settings are changed."""
    newer = {
        **FULL, "theme": "dusk", "future": {"a": [1, {"b": None}]},
        "seats": {"spline": ["person", "oracle", "stone"], "spice": {"1": "person"}},
        "setups": {"spline": {"players": 2, "size": 4, ".clock": "1 hour", "future": {"x": 1}, ".lamp": 1}},
        "views": {"spline": [[1.0, 2.0, 1.0], None, None, None, [5.0, 5.0, 1.0]]},
    }  # fmt: skip
    (tmp_path / "settings.json").write_text(json.dumps(newer))
    now = settings.load_settings(tmp_path).settings
    now = now.with_changes(
        scale=150,
        names=("Zoë", "Ben"),
        seats={**now.seats, "spline": ("stone", *now.seats["spline"][1:]), "span": ("person", "fits")},
        setups={**now.setups, "spline": {**now.setups["spline"], "size": 5}},
        views={"spline": (None, (3.0, 3.0, 1.0), None, None)},
    )
    settings.save_settings(tmp_path, now)
    after = json.loads((tmp_path / "settings.json").read_text())
    assert (after["theme"], after["future"], after["scale"]) == ("dusk", newer["future"], 150)
    assert after["names"] == ["Zoë", "Ben"]
    assert after["seats"] == {
        "spline": ["stone", "oracle", "stone"],
        "spice": {"1": "person"},
        "span": ["person", "fits"],
    }
    assert after["setups"]["spline"] == {**newer["setups"]["spline"], "size": 5}
    assert after["views"]["spline"] == [None, [3.0, 3.0, 1.0], None, None, [5.0, 5.0, 1.0]]
    settings.save_settings(tmp_path, now.with_changes(theme="night", seats={}))
    after = json.loads((tmp_path / "settings.json").read_text())
    assert (after["theme"], after["seats"]) == ("night", {"spice": {"1": "person"}})


def test_game_settings_of_a_newer_version_survive_a_match(hand: Hand) -> None:
    hand.app.services.config_folder.mkdir(parents=True, exist_ok=True)
    file = hand.app.services.config_folder / "settings.json"
    setup = {"players": 2, "size": 4, "variant": "", ".clock": "1 hour", "future": {"x": 1}, ".lamp": 1}
    file.write_text(
        json.dumps({"stills": False, "language": "en", "names": ["Ann"], "setups": {"spline": setup}})
    )
    restart(hand)
    assert (
        shown_message(hand) == f"Couldn't read some settings in {file}: setups. Their defaults will be used."
    )
    hand.key("escape")
    choose(hand, "spline")
    hand.push("play")
    assert json.loads(file.read_text())["setups"]["spline"] == setup
    hand.start("spline", size=6)
    assert json.loads(file.read_text())["setups"]["spline"] == {**setup, "size": 6}


# Results, courses and drafts

DAY = datetime(2026, 5, 1, 12, tzinfo=UTC)
LOST = FinishedMatch("a", DAY, "spline", "", 4, ("Ann", "Pebble"), ("person", "fits 1"), (1,), (), 8, 60.0)


def database(hand: Hand) -> Path:
    """Create a database with a lost match, an attempt at a problem and progress in four courses.

    These are a streak, a course of positions to judge, the problems of Spline, and the daily problems of a day. An
    existing database is replaced. Return the path of the database.
    """
    path = hand.app.store.folder.parent / "results.sqlite"
    path.unlink(missing_ok=True)
    assert ResultStore(path).add(LOST)
    tries = AttemptStore(path)
    assert tries.add(new_attempt("spline#1", 1400, "daily", "solved", 1, 3.0, day=DAY.date(), now=DAY))
    for key in (STREAK, GUESS, "game spline", f"daily {DAY.date()}"):
        assert tries.save_progress(key, {"at": "spline#4", "had": [], "missed": 1, "seed": 3, "solving": {}})
    return path


def discard_database(hand: Hand) -> None:
    while hand.app.root.popups:
        hand.key("escape")
    for file in hand.app.store.folder.parent.glob("results*"):
        file.unlink()


def visit_pages(hand: Hand, courses: bool = False) -> list[str]:
    """Open the home page, statistics and problems, and return all messages shown.

    If ``courses`` is true, three courses of problems are opened, too. The settings are replaced.
    """
    sentences: list[str] = []
    hand.app.results._write_queue = None
    hand.app.settings = Settings(
        stills=False, language="en", names=("Ann",), seats={"spline": ("person", "fits")}, guided=True
    )
    show_message = hand.app.show_message
    hand.app.show_message = sentences.append  # type: ignore[method-assign, assignment]
    try:
        hand.app._shown_warnings.clear()
        hand.app.pages.show_home()
        hand.wait(1)
        home = choose(hand, "spline")
        assert home.start_panel.setup.adaptive_level().startswith("fits ")
        hand.app.pages.show_statistics()
        hand.draw()
        hand.app.pages.show_problems()
        hand.draw()
        problems = hand.app.results.problems
        for course in (
            (StreakCourse(problems), WinnabilityCourse(problems), GameCourse(problems, "spline"))
            if courses
            else ()
        ):
            hand.app.pages.show_problem(course)
            hand.wait(0.5)
        hand.app.pages.show_home()
        hand.wait(0.5)
    finally:
        hand.app.show_message = show_message  # type: ignore[method-assign]
    return sentences


def test_truncated_or_corrupted_database_is_survived(hand: Hand) -> None:
    """If the database file is damaged, the pages still open and show at most two messages in all.

    Each time, the file is either truncated or has a single byte changed. The changed bytes are spread over the file,
    and some are in its table definitions.
    """
    whole = database(hand).read_bytes()
    discard_database(hand)
    path = hand.app.store.folder.parent / "results.sqlite"
    schema = [place for place in range(len(whole)) if whole[place : place + 6] == b"CREATE"]
    places = [*range(0, 100, 9), *range(100, len(whole), 4001)]
    places += [start + step for start in schema for step in range(0, 60, 30)]
    damaged = [
        whole[:place] + bytes([whole[place] ^ bits]) + whole[place + 1 :]
        for place in places
        for bits in (0x80,)
    ]
    for content in [*(whole[:size] for size in (0, 1, 50, 100, 5000, len(whole) - 1)), *damaged]:
        path.write_bytes(content)
        assert len(visit_pages(hand)) <= 2
        discard_database(hand)


ODD = [None, 0, -1, 10**18, 1.5, float("inf"), "", "x", "[]", "{}", "[[[]]]", "null", "NaN", "[NaN, 1e999]", b"\xff",
       "\0", '["person", "fits 7"]', '["person", "fits -1"]', '["person", "fits nan"]', '["person", "fits 1.505"]',
       "[" * 9000, "9" * 5000]  # fmt: skip


@pytest.mark.parametrize("column", [*MATCH_COLUMNS[1:], *ATTEMPT_COLUMNS[1:]])
def test_invalid_database_rows_are_skipped_or_accepted(hand: Hand, column: str) -> None:
    """Database rows with odd values are accepted or skipped; at most one message mentions skipped rows.

    For each value of :data:`ODD`, a row with this value in ``column`` is added to every table that has this column,
    unless the database itself rejects the value.
    """
    path = database(hand)
    with sqlite3.connect(path) as base:
        for table, columns in (("finished", MATCH_COLUMNS), ("tries", ATTEMPT_COLUMNS)):
            for number, value in enumerate(ODD) if column in columns else ():
                row = dict(zip(columns, base.execute(f"SELECT * FROM {table}").fetchone(), strict=True))
                row |= {"key": f"odd {number}", column: value}
                with suppress(sqlite3.IntegrityError):
                    base.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", [*row.values()])
    base.close()
    sentences = visit_pages(hand)
    assert len(sentences) <= 1
    assert all("couldn't be read and" in each for each in sentences)


KEYS = ["at", "had", "missed", "seed", "number", "solving", "wrong", "moves", "hints", "shown", "seconds", ""]


@pytest.mark.parametrize("key", KEYS)
def test_courses_with_invalid_values_continue(hand: Hand, key: str) -> None:
    """A course of problems continues even if its saved progress is damaged.

    The values that can be read are still used. ``key`` is the key of the damaged value, which belongs to the course
    itself or to the attempt at its current problem. If ``key`` is empty, an invalid value replaces all of the progress.
    The page of each course can still be opened and closed, and each course reports damage at most once.
    """
    path = database(hand)
    solving = {"moves": [], "wrong": [], "hints": 0, "shown": False, "seconds": 1.0}
    good: dict[str, Any] = {"at": "spline#4", "had": ["spline#1"], "missed": 1, "seed": 3, "number": 2}
    problems = hand.app.results.problems
    entry = hand.app.catalogue.get("spline")
    for damage, value in DAMAGE.items():
        damaged: Any = {**good, "solving": solving, key: value}
        if key in solving:
            damaged = {**good, "solving": {**solving, key: value}}
        if not key:
            damaged = value
        with sqlite3.connect(path) as base:
            base.execute("UPDATE under_way SET told = ?", (to_json(damaged),))
        base.close()
        for course in (StreakCourse(problems), WinnabilityCourse(problems), GameCourse(problems, "spline")):
            problem = problems.find(course.current_name)
            assert problem is not None, damage
            if problem.game == "spline":
                resume_attempt(entry, problem, course)
            course.advance()
    assert len(visit_pages(hand, courses=True)) <= 3, "each course reports damage at most once"


def test_drafts_with_invalid_values_are_survived(hand: Hand) -> None:
    file = hand.app.services.config_folder / "draft.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    good = {"name": "mine", "text": "title: Mine\n", "saved": ""}
    contents = [to_json({**good, key: value}) for key in good for value in DAMAGE.values()]
    for content in [*contents, *map(to_json, DAMAGE.values()), "", "{", "[" * 100_000, "\0"]:
        file.write_text(content)
        hand.app.pages.show_game_designer()
        hand.draw()
        hand.app.pages.show_home()
        assert isinstance(hand.app.current_page, HomePage)
        discard_database(hand)


# All files at once


def write_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 << 30)


SPOILERS: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo if hasattr(os, "mkfifo") else Path.mkdir,
    "circle": lambda path: path.symlink_to(path.name),
    "dangling link": lambda path: path.symlink_to("/nowhere/x"),
    "huge": write_huge,
    "zeros": lambda path: path.write_bytes(bytes(3000)),
    "noise": lambda path: path.write_bytes(Random(1).randbytes(5000)),
}


@pytest.mark.skipif(os.name != "posix", reason="needs pipes and links")
@pytest.mark.parametrize("spoiler", SPOILERS)
def test_all_pages_open_whatever_is_in_place_of_the_files(hand: Hand, spoiler: str) -> None:
    app, data, config = hand.app, hand.app.store.folder.parent, hand.app.services.config_folder
    paths = [
        database(hand), data / "results.pending.json", data / "problems/own.yaml", data / "learned/a.txt",
        data / "matches/a.yaml", data / "tournaments/a.yaml", config / "settings.json", config / "draft.json",
    ]  # fmt: skip
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        SPOILERS[spoiler](path)
    app.results._write_queue = None
    for _start in range(2):
        restart(hand)
        for show in (
            app.pages.show_saved_games, app.pages.show_statistics, app.pages.show_problems,
            app.pages.show_tournaments, app.pages.show_learning, app.pages.show_game_designer,
        ):  # fmt: skip
            show()
            hand.wait(0.3)
            hand.draw()
            while app.root.popups:
                hand.key("escape")
        app.pages.show_home()
        hand.draw()
        app.change_settings(volume="loud")
        app.results.problems.add_attempt("spline#2", 1400, "game", "solved", 1, 2.0)
        app.results.flush()


# One game and the others


def test_command_line_match_does_not_change_other_settings(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match from the command line uses the stored names unless others are given.

    The name ``me`` means the stored name for that seat. The name of a level means a computer player of that level. The
    stored names, seats and set-ups don't change, so the home page still offers a person and Stone as the players of the
    next match.
    """
    app = hand.app
    before = {
        "names": ("Zoë", "Ben"), "seats": {"spline": ("person", "stone")},
        "setups": {"spline": {"players": 2, "size": 4, "variant": ""}}, "played": ("spline",),
    }  # fmt: skip
    app.change_settings(**before)
    monkeypatch.setattr(main, "ProgramWindow", lambda *given, **named: hand.window)
    monkeypatch.setattr(type(hand.window), "run", lambda window: None)
    for names, sat in (
        ((), ("Zoë", "Ben")),
        (("me", "Ann"), ("Zoë", "Ann")),
        (("Eve", "sky"), ("Eve", "Sky")),
    ):
        main.run_window(game="splush", names=names)
        assert app.current_page is hand.play
        assert tuple(hand.play.match.names) == sat
        for name in ("names", "seats", "setups"):
            assert getattr(app.settings, name) == before[name], (names, name)
        assert app.settings.played == ("splush", "spline")
    app.pages.show_home()
    hand.wait(1)
    home = choose(hand, "spice")
    assert home.start_panel.setup.player_types[:2] == ["person", "stone"]
    assert home.start_panel.name_fields[0].value == "Zoë"


def test_dropped_game_file_does_not_change_other_settings(hand: Hand, tmp_path: Path) -> None:
    hand.app.change_settings(names=("Zoë",), seats={"spline": ("person", "stone")}, played=("spline",))
    file = tmp_path / "mine.yaml"
    file.write_text((ROOT / "games" / "span.yaml").read_text())
    open_dropped(hand.app, [str(file)])
    hand.wait(0.5)
    assert hand.play.match.names[0] == "Zoë"
    assert hand.app.settings.seats == {"spline": ("person", "stone")}
    assert hand.app.settings.names == ("Zoë",)


def test_viewing_one_setup_does_not_change_another(hand: Hand) -> None:
    home = restart(hand)
    games = hand.app.catalogue
    some = [entry for entry in games if entry.players[0] <= 2 < entry.players[1]]
    home.start_panel.show_game(some[0])
    home.start_panel._set_seats(some[0].players[1] - some[0].players[0])
    assert home.start_panel.setup.seats > 2
    other = some[1]
    home.start_panel.show_game(other)
    assert home.start_panel.setup.seats == 2


def test_continue_offers_the_match_last_played_in_another_window(hand: Hand) -> None:
    """The *Continue* card is updated as soon as this window is activated again."""
    hand.app.store.release()
    for game in ("spline", "span"):
        other = MatchStore(hand.app.store.folder)
        match = Match(hand.app.catalogue.get(game).game(), ["Ann", "Ben"], 1)
        other.save_new(match, datetime.now())
        match.play(match.legal_moves()[0].text)
        other.release()
        hand.native.dispatch_event("on_activate")
        hand.wait(0.5)
        saved = hand.app.matches.unfinished
        assert saved is not None
        assert saved.game == game
        assert hand.found("continue", ResumeCard).visible
        sleep(0.02)


# Locked by another program


def test_locked_database_neither_blocks_nor_loses_data(hand: Hand) -> None:
    """While another program has locked the database, the home page opens at once.

    New results count immediately, and they are written to the database once the lock is released.
    """
    path = database(hand)
    hand.app.results._write_queue = None
    assert hand.app.results.matches("spline") == (LOST,)
    other = subprocess.Popen(
        [sys.executable, "-c", LOCK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdin is not None
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    hand.app.settings = Settings(stills=False, language="en", names=("Ann",), guided=True)
    begun_at = monotonic()
    hand.app.pages.show_home()
    hand.draw()
    assert monotonic() - begun_at < 2, "the home page doesn't wait for the lock"
    hand.wait(0.2)
    assert (
        shown_message(hand)
        == f"Another program is using {path}. Shibumi 3D will try again; nothing has been lost."
    )
    hand.key("escape")
    choose(hand, "spline")
    lose(hand)
    problems = hand.app.results.problems
    problems.add_attempt("spline#2", 1400, "game", "solved", 1, 2.0)
    problems.save_progress("game span", {"at": "span#2"})
    started_at = monotonic()
    assert [each.player_types[1] for each in hand.app.results.matches("spline")] == ["fits 1", "fits 0.5"]
    assert "spline#2" in {one.problem for one in problems.attempts()}
    assert problems.load_progress("game span") == {"at": "span#2"}
    assert monotonic() - started_at < 1
    hand.wait(5)
    assert not shown_message(hand), "the message was shown before"
    other.communicate("\n")
    end = monotonic() + 20
    while monotonic() < end and (
        len(ResultStore(path).load()) < 2 or not AttemptStore(path).load_progress("game span")
    ):
        sleep(0.05)
        hand.wait(1)
    assert [each.player_types[1] for each in ResultStore(path).load()] == ["fits 1", "fits 0.5"]
    assert "spline#2" in {one.problem for one in AttemptStore(path).load()}
    assert AttemptStore(path).load_progress("game span") == {"at": "span#2"}


def test_pending_writes_are_saved_at_the_next_start(hand: Hand) -> None:
    path = database(hand)
    hand.app.results._write_queue = None
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    hand.app.results.problems.add_attempt("spline#2", 1400, "game", "solved", 1, 2.0)
    hand.app.results.flush()
    assert path.with_name("results.pending.json").exists()
    other.execute("ROLLBACK")
    other.close()
    hand.app.results._write_queue = None
    assert "spline#2" in {one.problem for one in hand.app.results.problems.attempts()}
    assert "spline#2" in {one.problem for one in AttemptStore(path).load()}
    assert not path.with_name("results.pending.json").exists()


def test_locked_results_are_not_deleted_in_part(hand: Hand) -> None:
    path = database(hand)
    hand.app.results._write_queue = None
    other = sqlite3.connect(path, isolation_level=None)
    hand.app.pages.show_statistics()
    other.execute("BEGIN EXCLUSIVE")
    for _press in range(2):
        hand.push("forget")
        hand.draw()
    assert shown_message(hand) == f"Another program is using {path}, so nothing was deleted. Try again later."
    other.execute("ROLLBACK")
    other.close()
    hand.wait(5)
    assert ResultStore(path).load() == (LOST,)
    assert AttemptStore(path).load()
    assert AttemptStore(path).load_progress("game spline")


@pytest.mark.parametrize("obstacle", ["folder", "loop"])
def test_progress_that_could_not_be_read_is_not_overwritten(hand: Hand, obstacle: str) -> None:
    path = database(hand)
    hand.app.results._write_queue = None
    problems = hand.app.results.problems
    stored = AttemptStore(path).load_progress("game spline")
    aside = path.rename(path.with_name("elsewhere.sqlite"))
    if obstacle == "folder":
        path.mkdir()
    else:
        path.symlink_to(path)
    assert problems.load_progress("game spline") == {}
    if obstacle == "folder":
        path.rmdir()
    else:
        path.unlink()
    aside.rename(path)
    problems.save_progress("game spline", {"at": "spline#1"})
    assert AttemptStore(path).load_progress("game spline") == stored
    assert problems.load_progress("game spline") == stored
    problems.save_progress("game spline", {"at": "spline#1"})
    assert AttemptStore(path).load_progress("game spline") == {"at": "spline#1"}


def test_damaged_progress_is_kept_under_another_name(hand: Hand) -> None:
    path = database(hand)
    hand.app.results._write_queue = None
    problems = hand.app.results.problems
    for number in (1, 2):
        with sqlite3.connect(path) as base:
            base.execute("UPDATE under_way SET told = ? WHERE mode = 'game spline'", (f"{{{number}",))
        base.close()
        assert problems.load_progress("game spline") == {}
        hand.wait(1)
        message = shown_message(hand)
        assert (
            message
            == f"Part of the progress saved in {path} was damaged. The damaged part has been kept in that file "
            f"under the name game spline.damaged-{number}."
        )
        hand.key("escape")
        problems.save_progress("game spline", {"at": "spline#1"})
        assert AttemptStore(path).load_progress("game spline") == {"at": "spline#1"}
    with sqlite3.connect(path) as base:
        rows = base.execute("SELECT told FROM under_way WHERE mode LIKE 'game spline.%' ORDER BY mode")
        assert rows.fetchall() == [("{1",), ("{2",)]
    base.close()


INVALID_ROWS: list[list[object]] = [
    [], ["tries"], ["finished", [], {}], ["x", 1], ["finished", *[None] * len(MATCH_COLUMNS)],
    ["tries", *[None] * len(ATTEMPT_COLUMNS)], ["finished", "key", *[10**30] * (len(MATCH_COLUMNS) - 1)],
    ["finished", "key", *[float("nan")] * (len(MATCH_COLUMNS) - 1)], ["under_way", None], ["under_way", 5, "{}"],
    ["under_way", None, None], ["under_way", "game spline", "x"], ["under_way", "game spline", "[]"],
]  # fmt: skip


@pytest.mark.parametrize("content", ["", "{", "[]", "[1]", "[" * 9000, *map(json.dumps, INVALID_ROWS)])
def test_damaged_pending_file_is_renamed(hand: Hand, content: str) -> None:
    """A damaged file of unsaved results is renamed, and its valid rows are written to the database.

    The invalid rows affect neither the database nor rows added later. A file that contains only ``[]`` isn't damaged:
    it is deleted without a message.
    """
    path = database(hand)
    attempt = new_attempt("spline#2", 1400, "game", "solved", 1, 2.0, now=DAY)
    valid = json.dumps(["tries", *to_row(replace(attempt, key="\ud800"))])
    is_row = content in map(json.dumps, INVALID_ROWS)
    if is_row:
        content = f"[{content}, {valid}, {content}]"
    file = path.with_name("results.pending.json")
    file.write_text(content)
    hand.app.results._write_queue = None
    assert hand.app.results.matches() == (LOST,)
    hand.app.results.problems.add_attempt("spline#3", 1400, "game", "solved", 1, 2.0)
    stored = {attempt.problem for attempt in AttemptStore(path).load()}
    assert stored == {"spline#1", *(["spline#2"] if is_row else []), "spline#3"}
    assert AttemptStore(path).load_progress("game spline")["at"] == "spline#4"
    hand.wait(1)
    renamed = file.with_name("results.pending.damaged-1.json")
    is_damaged = content != "[]"
    names = {each.name for each in path.parent.glob("results*")}
    assert names == {path.name, *([renamed.name] if is_damaged else [])}
    if is_damaged:
        assert renamed.read_text() == content
        assert shown_message(hand) == (
            f"{file}, which held unsaved results, was damaged. It has been renamed to {renamed.name}."
        )
    else:
        assert shown_message(hand) == ""


# Solo games, the path of first games, and challenges


@pytest.mark.parametrize("key", ["score", "turns", "seconds", "hints", "name", "won", "shown", ""])
def test_solo_runs_path_and_challenges_with_invalid_values_are_survived(hand: Hand, key: str) -> None:
    path = database(hand)
    hand.app.results._write_queue = None
    entry = hand.app.catalogue.get("spin")
    deal = ladder_of("spin")[0]
    good = {"score": 3, "turns": "Aa1", "seconds": 9.0, "hints": 0, "name": "Ben", "won": True, "shown": []}
    hand.app.settings = Settings(stills=False, language="en", names=("Ann",), best_run="moves", guided=True)
    hand.app.matches.start_deal(deal, entry)
    assert isinstance(hand.app.current_page, MatchPage)
    key_of_challenge = match_challenge_key(hand.app.current_page.match, len(deal.lead))
    assert key_of_challenge
    for damage, value in DAMAGE.items():
        row_values: Any = {**good, key: value} if key else value
        with sqlite3.connect(path) as base:
            for name, data in (
                ("solo spin", {deal.name: row_values}),
                ("challenges", {key_of_challenge: row_values}),
                ("first games", row_values),
                ("problem challenges", {"spline#1": row_values}),
            ):
                base.execute("INSERT OR REPLACE INTO under_way VALUES (?, ?)", (name, to_json(data)))
        base.close()
        hand.app.pages.show_ladder(entry)
        hand.draw()
        hand.app.pages.show_learning()
        hand.draw()
        hand.app.matches.start_deal(deal, entry)
        hand.draw()
        assert isinstance(hand.app.current_page, MatchPage), damage
        hand.app.matches.release_current()
        hand.app.pages.show_home()
        assert shown_message(hand) == ""


def test_oldest_challenges_make_room_for_new_ones(hand: Hand) -> None:
    """The oldest problem challenges are deleted when the saved data would become too long to be read back.

    The challenges of all games are saved together. A challenge that is saved again, here the one for problem 60, counts
    as new.
    """
    problems = hand.app.results.problems
    name = "\U0001f600" * 100
    for number in range(90):
        problems.save_challenge(f"spline#{number}", ProblemResult(name, "solved", 1, 2))
    assert problems.challenge_result("spline#0") is None
    assert problems.challenge_result("spline#60") == ProblemResult(name, "solved", 1, 2)
    problems.save_challenge("spline#60", ProblemResult("Ben", "solved", 1, 2))
    for number in range(90, 115):
        problems.save_challenge(f"spline#{number}", ProblemResult(name, "solved", 1, 2))
    assert problems.challenge_result("spline#61") is None
    assert problems.challenge_result("spline#60") == ProblemResult("Ben", "solved", 1, 2)
