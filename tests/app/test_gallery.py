"""The first page: pictures of games drawn beside the program, filters, what is remembered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.app.host import settings
from shibumi3d.app.pages.home.filters import FAVOURITES, FRESH, RECENT
from shibumi3d.app.pages.home.screen import Home
from shibumi3d.app.pages.play.guide import Guide
from shibumi3d.app.program import drawn
from shibumi3d.app.program.gallery import Gallery
from shibumi3d.app.ui.drop import Drop
from shibumi3d.match.match import Match
from shibumi3d.render.png import png, unpacked
from tests.app.hand import Hand

PATIENCE = 100.0
"""Seconds in which a picture is drawn on a busy machine."""
LOOK = ("day", "standard", "", "")


def home(hand: Hand) -> Home:
    assert isinstance(hand.app.screen, Home)
    return hand.app.screen


@pytest.fixture
def gallery(hand: Hand, tmp_path: Path) -> Iterator[Gallery]:
    """The pictures of the program that the hand holds, kept in a folder of their own."""
    found = hand.app.gallery
    found.folder = tmp_path / "pictures"
    yield found
    found.close()
    found.release()
    found.folder = None


def until_drawn(hand: Hand, count: int) -> list[Path]:
    """Waits until so many pictures are there."""
    folder = hand.app.gallery.folder
    assert folder is not None
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        hand.wait(0.1)
        files = sorted(folder.glob("*.png")) if folder.exists() else []
        if len(files) >= count:
            return files
        time.sleep(0.01)
    raise AssertionError("no picture was drawn")


def test_pictures_are_named_after_the_sources_that_draw_them(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: set[Path] = set()
    read_bytes = Path.read_bytes

    def remembered(path: Path) -> bytes:
        read.add(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", remembered)
    gallery._drawer = ""
    assert gallery._drawn_by()
    package = Path(drawn.__file__).parents[2]
    assert {package / "scene" / "camera.py", package / "render" / "renderer.py"} <= read


def test_a_picture_is_read_as_it_was_written() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3), dtype=np.uint8)
    assert np.array_equal(unpacked(png(pixels)), pixels)
    for wrong in (b"", b"\x89PNG\r\n\x1a\n", png(pixels)[:-30], b"GIF89a"):
        with pytest.raises(ValueError, match="PNG"):
            unpacked(wrong)


def test_pictures_come_in_the_background_those_in_sight_first(hand: Hand, gallery: Gallery) -> None:
    hand.app.pages.home()
    hand.draw()
    page = home(hand)
    sight = [page.found[row] for row in page.games.in_sight()]
    assert all(gallery.game(entry) is None for entry in sight)
    until_drawn(hand, 1)
    hand.wait(0.5)
    drawn_now = [e for e in page.found if gallery._asked("game", gallery._digest(e), e).path.exists()]
    assert drawn_now[0] is sight[0]
    assert gallery.game(sight[0]) is not None


def test_a_picture_is_drawn_once_and_again_only_for_other_rules_or_colours(
    hand: Hand, gallery: Gallery
) -> None:
    entry = hand.app.catalogue.get("spline")
    first = gallery._asked("game", gallery._digest(entry), entry)
    again = hand.app.catalogue.get("spline")
    assert gallery._asked("game", gallery._digest(again), again).path == first.path
    other = hand.app.catalogue.get("spline-plus")
    assert gallery._asked("game", gallery._digest(other), other).path != first.path
    hand.app.change(theme="night")
    assert gallery._asked("game", gallery._digest(entry), entry).path != first.path


def test_a_file_that_is_no_picture_is_drawn_anew(hand: Hand, gallery: Gallery) -> None:
    entry = hand.app.catalogue.get("spline")
    wanted = gallery._asked("game", gallery._digest(entry), entry)
    wanted.path.parent.mkdir()
    wanted.path.write_bytes(b"half of a pict")
    hand.type("spline")
    assert gallery.game(entry) is None
    end = time.monotonic() + PATIENCE
    while gallery.game(entry) is None and time.monotonic() < end:
        hand.wait(0.1)
        time.sleep(0.01)
    assert gallery.game(entry) is not None
    assert unpacked(wanted.path.read_bytes()).shape == (drawn.SIZE[1], drawn.SIZE[0], 3)


def test_the_picture_of_a_match_shows_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hand: Hand
) -> None:
    """Two matches that differ only in what was chosen in secret have the same picture."""
    entry = hand.app.catalogue.get("springe")
    shown = []
    monkeypatch.setattr(drawn, "_keep", lambda game, state, seats, look, path: shown.append(state) or True)
    for number in (0, -1):
        match = Match(entry.game(), ["Ann", "Ben"], 3)
        assert match.state.in_secret
        moves = match.moves()
        assert len(moves) > 1
        match.play(moves[number])
        file = tmp_path / f"{number}.yaml"
        file.write_text(match.record().text(), "utf-8")
        assert drawn.record(file, entry, LOOK, tmp_path / "x.png")
    assert shown[0].filled(0) == shown[1].filled(0)
    assert shown[0] == shown[1]


def test_a_game_of_another_group_is_found_by_its_name(hand: Hand) -> None:
    page = hand.app.screen
    assert isinstance(page, Home)
    page._choose_group(page.groups.index("pattern"))
    assert {entry.category for entry in page.found} == {"pattern"}
    hand.type("spuzzle")
    assert [entry.id for entry in page.found] == ["spuzzle"]
    assert page.group == "all"
    hand.type("zzz")
    assert page.found == []


def test_group_counts_follow_the_filters(hand: Hand) -> None:
    page = home(hand)
    every = {
        group: sum(entry.category == group for entry in hand.app.catalogue) for group in ("score", "puzzle")
    }
    assert {group: page.counts[group] for group in every} == every
    hand.found("for players", Drop).choose(1)
    alone = {
        group: sum(e.category == group and e.players[0] == 1 for e in hand.app.catalogue) for group in every
    }
    assert {group: page.counts[group] for group in every} == alone
    assert alone != every
    hand.type("zzz")
    assert set(page.counts.values()) == {0}


def test_filters_combine(hand: Hand) -> None:
    page = home(hand)
    for name, number in (("for players", 2), ("length", 1), ("level", 1)):
        hand.found(name, Drop).choose(number)
    assert page.found
    for entry in hand.app.catalogue:
        fits = entry.players[0] <= 2 <= entry.players[1] and entry.minutes <= 10 and entry.complexity <= 1
        assert (entry in page.found) == fits


def test_a_filter_is_chosen_from_its_list_with_the_mouse_and_with_keys(hand: Hand) -> None:
    page = home(hand)
    hand.push("level")
    hand.draw()
    options = hand.app.root.top.children[0]
    row = options.row_rect(3)  # type: ignore[attr-defined]
    hand.click(*hand.app.pixels(row.cx, row.cy))
    assert not hand.app.root.floats
    assert page.wanted.level == 3
    assert page.found == [entry for entry in hand.app.catalogue if entry.complexity >= 3]
    hand.app.root.focus = hand.found("level", Drop)
    hand.key("enter")
    hand.key("up")
    assert page.wanted.level == 3
    hand.key("enter")
    assert page.wanted.level == 2
    hand.key("left")
    assert page.wanted.level == 1
    hand.key("enter")
    hand.key("escape")
    assert not hand.app.root.floats
    assert page.wanted.level == 1


def test_games_played_are_remembered_the_last_one_first(hand: Hand) -> None:
    assert home(hand).counts[FRESH] == len(hand.app.catalogue)
    for game in ("spire", "spline", "spire"):
        hand.start(game)
    hand.app.pages.home()
    page = home(hand)
    assert settings.load(hand.app.config).settings.played == ("spire", "spline")
    assert page.counts[FRESH] == len(hand.app.catalogue) - 2
    page._choose_group(page.groups.index(RECENT))
    assert [entry.id for entry in page.found] == ["spire", "spline"]
    page._choose_group(page.groups.index(FRESH))
    assert not {"spire", "spline"} & {entry.id for entry in page.found}


def test_each_game_is_set_up_as_it_was_last(hand: Hand) -> None:
    page = home(hand)
    entry = next(e for e in hand.app.catalogue if e.variants and len(e.sizes) > 1 and e.players[1] > 1)
    page._choose(page.found.index(entry))
    other = next(size for size in entry.sizes if size != entry.size)
    page.start.chosen.size, page.start.chosen.variant = other, entry.variants[0]
    page.start.play()
    hand.app.pages.home()
    page = home(hand)
    assert page.chosen is entry or page.chosen == entry
    assert (page.start.chosen.size, page.start.chosen.variant) == (other, entry.variants[0])
    page._choose(page.found.index(hand.app.catalogue.get("spline")))
    assert (page.start.chosen.size, page.start.chosen.variant) == (4, "")
    # What is remembered survives the program, and what its file allows no longer is left.
    kept = settings.load(hand.app.config).settings
    assert kept.setups[entry.id]["size"] == other
    hand.app.change(setups={"spline": {"size": 99, "variant": "no such", "players": 7}})
    page.start.chosen.entry = None
    page._choose(page.found.index(hand.app.catalogue.get("spline")))
    assert (page.start.chosen.size, page.start.chosen.variant, page.start.chosen.seats) == (4, "", 2)


@pytest.mark.parametrize("kind", ["marbles", "another"])
def test_games_of_every_kind_have_a_picture(hand: Hand, tmp_path: Path, kind: str) -> None:
    games = [entry for entry in hand.app.catalogue if (entry.kind == "marbles") == (kind == "marbles")]
    shown = []

    def keep(game: object, state: object, seats: int, look: object, path: Path) -> bool:
        frame, _ = drawn._shown(game, state, seats, hand.app.settings.colours)  # type: ignore[arg-type]
        shown.append(frame)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawn, "_keep", keep)
        assert all(drawn.game(entry, LOOK, tmp_path / "x.png") for entry in games)
    assert len(shown) == len(games) > 0


def test_keys_alone_go_through_the_cards(hand: Hand) -> None:
    page = home(hand)
    games = page.games
    assert games.columns > 1
    begin = games.current
    hand.key("right")
    assert games.current == begin + 1
    hand.key("down")
    assert games.current == begin + 1 + games.columns
    hand.key("end")
    assert games.current == games.count - 1
    last = games.row_rect(games.current)
    assert games.rect.y <= last.y
    assert last.bottom <= games.rect.bottom + 1
    hand.key("home")
    hand.key("f")
    assert hand.app.settings.favourites == (page.found[0].id,)
    assert page.counts[FAVOURITES] == 1
    hand.key("enter")
    assert hand.app.screen is not page
    assert hand.app.matches.last_game == page.found[0].id


def test_r_starts_one_of_the_games_listed(hand: Hand) -> None:
    hand.found("for players", Drop).choose(1)
    ids = {entry.id for entry in home(hand).found}
    hand.key("right")
    hand.key("r")
    assert hand.play.match.game.id in ids


def test_letters_search_until_the_cards_have_the_keys(hand: Hand) -> None:
    hand.type("r")
    assert home(hand).wanted.words == "r"
    assert hand.app.root.focus is home(hand).search


def test_wide_windows_show_more_cards(hand: Hand) -> None:
    page = home(hand)
    columns = []
    for size in ((640, 480), (900, 600), (1280, 720), (1920, 1080), (3840, 2160)):
        hand.app.resize(*size)
        columns.append(page.games.columns)
        assert page.games.row_rect(page.games.columns - 1).right <= page.games.rect.right
    assert columns == sorted(columns)
    assert columns[0] >= 1
    assert columns[-2] >= 5


def test_every_group_can_be_reached_in_a_narrow_window(hand: Hand) -> None:
    hand.app.resize(640, 480)
    page = home(hand)
    assert not page.groups_list.visible
    hand.found("group", Drop).choose(page.groups.index("capture"))
    assert {entry.category for entry in page.found} == {"capture"}


def test_who_is_new_is_shown_the_first_steps(hand: Hand) -> None:
    hand.push("guide")
    assert isinstance(hand.app.screen, Guide)


def test_the_last_match_is_taken_up_with_one_click(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1", "Ab1")
    hand.push("back")
    hand.push("continue")
    assert hand.moves == ["W@Aa1", "B@Ab1"]


def test_scrolling_a_hundred_games_paints_only_what_is_seen(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = home(hand)
    page.found = [page.found[n % len(page.found)] for n in range(100)]
    page.games.fill(100, 0)
    painted: list[int] = []
    paint = page.games.paint_row
    monkeypatch.setattr(page.games, "paint_row", lambda *a: (painted.append(a[3]), paint(*a)))
    page.games.to(page.games.height)
    hand.draw()
    assert 99 in painted
    assert len(painted) <= page.games.columns * (page.games.rect.h // page.games.row_height + 2)
