"""The replay page of every table kind.

This includes stepping, the timeline, evaluations, films, postcards and *Play from here*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import imageio_ffmpeg
import pytest
from PIL import Image

from shibumi3d import i18n
from shibumi3d.app.match.evaluation import CurvePoint
from shibumi3d.app.match.export import ExportCard
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.replay import MarbleReplayView, PositionPreview, SceneReplayView
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.pages.position_editor.page import PositionEditorPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.accessibility import TreeBuilder
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.record import parse
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.palette import MARK_COLOURS, Theme
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS
from shibumi3d.search.review import reviewer
from shibumi3d.search.review.results import Review, ReviewMove, TurnReview, ValueBounds
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.app.writing import written
from tests.share import some

GAMES: Mapping[str, Mapping[str, int | str]] = {
    "spline": {},
    "hyena-spiral": {"length": 48, "rounds": 1},
    "golden-spiral": {},
    "arcanoid": {"rounds": 1},
}
OTHERS = [game for game in GAMES if game != "spline"]


@cache
def record_of(game: str) -> str:
    match = Match(load_catalogue().get(game).game(options=GAMES.get(game, {})), ["Ann", "Ben"], 4)
    chance = Random(2)
    while match.state.to_move is not None:
        match.play(chance.choice(match.game.moves(match.state)))
    return match.record().to_text()


def finished_match(game: str) -> Match:
    """Return a new match with the moves of ``record_of(game)``."""
    return Match.from_record(
        parse(record_of(game)), load_catalogue().get(game).game(options=GAMES.get(game, {}))
    )


@pytest.mark.parametrize("game", OTHERS)
def test_winner_is_marked_in_gold_on_the_table(game: str) -> None:
    """Once the match is over, and not before, gold marks the winner's side of the table."""
    match = finished_match(game)
    table = make_scene(match.game, 2)

    def golden() -> list[float]:
        table.finish()
        table.reset(match.game.observe(match.state, None), 0)
        frame = table.frame(0.0, Theme(), NO_HIGHLIGHTS)
        found = [mark.position for mark in frame.marks if mark.colour == MARK_COLOURS["win"]]
        found += [solid.position for solid in frame.solids if solid.colour == MARK_COLOURS["win"]]
        return [
            at[1]
            for at in (*found, *(card.position for card in frame.cards if card.fill == MARK_COLOURS["win"]))
        ]

    result = match.state.result
    assert result is not None
    assert len(result.winners) == 1
    # Seat 0 is at the front in Golden Spiral, and at the back in the other games.
    assert golden()[0] * (-1 if game == "golden-spiral" else 1) * (1 - 2 * result.winners[0]) > 0
    match.go_to(len(match.plies) - 1)
    assert golden() == []


def open_replay(hand: Hand, game: str, tmp_path: Path) -> ReplayPage:
    hand.app.change_settings(motion="off")
    file = tmp_path / "match.yaml"
    file.write_text(record_of(game), encoding="utf-8")
    hand.app.matches.open_file(file)
    hand.draw()
    return hand.page(ReplayPage)


def test_unfinished_match_can_be_replayed_and_continued(hand: Hand, tmp_path: Path) -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 7)
    for move in ("W@Aa1", "B@Aa2", "W@Ab1"):
        match.play(move)
    file = tmp_path / "match.yaml"
    match.record().save(file)
    before = file.read_text(encoding="utf-8")
    hand.app.matches.replay_file(file)
    page = hand.page(ReplayPage)
    assert (page.at_ply, len(page.history)) == (0, 3)
    assert not hand.app.store.list_files(), "a match that is only shown is not saved"
    page = page.rebuild()
    page.go_back()
    assert hand.moves == ["W@Aa1", "B@Aa2", "W@Ab1"]
    assert file.read_text(encoding="utf-8") == before


def matches_new_scene(page: ReplayPage, hand: Hand) -> bool:
    """Return whether the table looks exactly like a new scene that shows the current state.

    At a marble table, only the marbles and their cells are compared.
    """
    stand = page.replay_view
    if isinstance(stand, MarbleReplayView):
        return stand.marble_scene.marbles == marbles_by_cell(stand.state)
    assert isinstance(stand, SceneReplayView)
    fresh = make_scene(page.match.game, 2)
    fresh.reset(stand.state, stand.front_seat)
    look = hand.app.settings.board_theme
    return stand.scene.frame(hand.now, look, NO_HIGHLIGHTS) == fresh.frame(hand.now, look, NO_HIGHLIGHTS)


@pytest.mark.parametrize("game", GAMES)
def test_finished_match_can_be_stepped_through_at_any_table(hand: Hand, game: str, tmp_path: Path) -> None:
    page = open_replay(hand, game, tmp_path)
    last = len(page.history)
    assert page.at_ply == 0
    for key, at in (("end", last), ("left", last - 1), (",", last - 2), (".", last - 1), ("right", last)):
        hand.key(key)
        hand.wait(0.5)
        assert page.at_ply == at
        assert matches_new_scene(page, hand)
        assert page.caption().startswith(f"Turn {page.history[at - 1].turn + 1} – ")
    assert any(name in page.caption() for name in ("Ann", "Ben"))
    line = page.timeline
    hand.click(*hand.app.to_window_pixels(line.x_of(3), line.rect.cy))
    assert page.at_ply == 3
    assert matches_new_scene(page, hand)
    hand.key("i")
    hand.click(*hand.app.to_window_pixels(line.x_of(5), line.rect.cy))
    hand.key("o")
    assert page.playback.loop_range.playing_range(last) == (3, 5)
    seen = []
    hand.key("space")
    for _ in range(12):
        hand.wait(0.5)
        seen.append(page.at_ply)
    assert set(seen) == {3, 4, 5}
    hand.key("l")
    hand.key("up")
    assert page.playback.speed == 2.0
    glance = hand.found("glance", PositionPreview)
    hand.point(*hand.app.to_window_pixels(line.x_of(2), line.rect.cy))
    hand.draw()
    assert glance.previewed_ply == 2
    i18n.set_language("fr")
    assert page.rebuild().caption(2).startswith("Tour ")


@pytest.mark.parametrize("game", GAMES)
def test_evaluation_graph_works_at_any_table(
    hand: Hand, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shibumi3d.app.match.review.Worker", AtOnce)
    monkeypatch.setattr(reviewer, "review_in_worker", make_review)
    page = open_replay(hand, game, tmp_path)
    hand.push("who stood better")
    hand.wait(1)
    assert page.reviewer.is_complete
    judged = [n for n in range(len(page.history)) if n % 4]
    curves = page.evaluation_graph.curves()
    plies = {point.ply for points in curves.values() for point in points}
    assert sorted(plies) == [*judged, len(page.history)]
    assert CurvePoint(1, 0.25, False) in curves[page.history[1].seat]
    hand.key("a")
    assert not page.evaluation_graph.visible


def make_review(game: Any, first: Any, history: Sequence[ReviewMove]) -> Review:
    """Return a review in which only the second move is known to be worse than the best move.

    For the first move, and for every fourth move after it, the value of the best move is unknown.
    """
    return Review(
        tuple(
            TurnReview(
                n,
                n + 1,
                made.turn,
                made.seat,
                ValueBounds(0.25) if n % 4 else None,
                ValueBounds(0.0 if n == 1 else 0.25),
                best_turn=(made.move,),
            )
            for n, made in enumerate(history)
        ),
        10,
        is_complete=True,
    )


def set_review(page: ReplayPage, *losses: float) -> list[TurnReview]:
    """Give the page a review with the given losses, and return the turns of the review.

    ``losses`` holds the value that each of the first turns loses; all later turns lose nothing.
    """
    points = [*losses, *[0.0] * len(page.history)]
    moments = [
        TurnReview(
            n,
            n + 1,
            ply.turn,
            ply.seat,
            ValueBounds(0.8),
            ValueBounds(0.8 - points[n]),
            best_turn=(ply.move,),
        )
        for n, ply in enumerate(page.history)
    ]
    page.reviewer.review = Review(tuple(moments), 10, is_complete=True)
    return moments


def test_mistakes_are_reached_by_click_or_key(hand: Hand, tmp_path: Path) -> None:
    page = open_replay(hand, "spline", tmp_path)
    set_review(page, 0.0, 0.4, 0.0, 0.2)
    hand.key("n")
    assert page.evaluation_graph.is_on
    assert page.at_ply == 1, "the board asks before it is told"
    assert "??" not in page.caption()
    hand.key("n")
    assert page.at_ply == 3
    hand.key("n")
    assert page.at_ply == 1, "and round"
    hand.draw()
    hand.click(page.evaluation_graph.x_of_ply(2), page.evaluation_graph.rect.y + 6)
    assert page.at_ply == 2
    assert "?? 40% to win instead of 80% (estimated). Better: black on Ac1" in page.caption().replace(
        "  ", " "
    )


def test_each_seat_has_a_curve_of_its_chances_that_distinguishes_proved_values(
    hand: Hand, tmp_path: Path
) -> None:
    page = open_replay(hand, "spline", tmp_path)
    end, winner = len(page.history), page.history[-1].state.result.winners[0]
    proved = TurnReview(1, 2, 1, 1, ValueBounds(0.9, 1.0, 1.0), ValueBounds(0.0, 0.0, 0.0))
    page.reviewer.review = Review((TurnReview(0, 1, 0, 0, ValueBounds(0.7)), proved), 10, is_complete=True)
    hand.key("a")
    graph = page.evaluation_graph
    last = [float(winner == seat) for seat in (0, 1)]
    assert graph.curves() == {
        0: [CurvePoint(0, 0.7, False), CurvePoint(1, 0.0, True), CurvePoint(end, last[0], True)],
        1: [
            CurvePoint(0, pytest.approx(0.3), False),
            CurvePoint(1, 1.0, True),
            CurvePoint(end, last[1], True),
        ],
    }
    assert graph.y_of_share(0, 0.5) == graph.y_of_share(1, 0.5) == graph.plot.cy, "one line of 50%"
    assert graph.y_of_share(0, 1.0) == graph.y_of_share(1, 0.0) == graph.plot.y
    assert graph.x_of_ply(0) == pytest.approx(page.timeline.x_of(0))
    assert graph.x_of_ply(end) == pytest.approx(page.timeline.x_of(end))
    drawn_texts = TreeBuilder(hand.app.root, hand.app.canvas).painted_texts(graph)
    assert drawn_texts == [*page.names, "proved", "estimated", "mistake", "100%", "50%", "100%", "??"]
    page.go_to(1)
    assert graph.accessible_text() == f"Chances of winning, {page.names[0]}: 0%, {page.names[1]}: 100%"


def test_seats_that_lose_together_have_curves_that_end_at_zero(hand: Hand, tmp_path: Path) -> None:
    page = open_replay(hand, "sprout", tmp_path)
    state = page.history[-1].state
    assert len(page.names) == 2
    assert state.result.is_common_loss
    page.reviewer.review = Review((TurnReview(0, 1, 0, 0, ValueBounds(0.4)),), 10, is_complete=True)
    hand.key("a")
    end = len(page.history)
    assert page.evaluation_graph.curves() == {
        0: [CurvePoint(0, 0.4, False), CurvePoint(end, 0.0, True)],
        1: [CurvePoint(end, 0.0, True)],
    }


def test_the_legend_of_a_review_is_never_cut(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_replay(hand, "spline", tmp_path)
    page.names[:] = ["A very long name indeed", "Another name that is even longer than that one"]
    set_review(page, 0.4)
    hand.key("a")
    graph = page.evaluation_graph
    for wide in (700, 300, 120, 60):
        graph.rect = Rect(0, 0, wide, graph.rect.h)
        drawn_texts = written(monkeypatch, lambda: graph.paint(hand.app.canvas, hand.app.root.style))
        assert not drawn_texts.cut, wide


def test_review_shows_the_mix_of_secret_choices(hand: Hand, tmp_path: Path) -> None:
    page = open_replay(hand, "spline", tmp_path)
    first, other, rare = (move.text for move in page.match.game.moves(page.match.initial_state)[:3])
    mixed = TurnReview(0, 1, 0, 0, ValueBounds(0.5), mix=((other, 0.3), (first, 0.68), (rare, 0.02)))
    page.reviewer.review = Review((mixed,), 10, is_complete=True)
    hand.key("a")
    page.go_to(1)
    caption = page.caption()
    assert caption.index("68%") < caption.index("30%")
    assert "Best strategy: white on " in caption
    assert "2 %" not in caption


@pytest.mark.parametrize("game", GAMES)
def test_play_from_here_works_at_any_table(hand: Hand, game: str, tmp_path: Path) -> None:
    page = open_replay(hand, game, tmp_path)
    page.go_to(4)
    hand.push("play from here")
    hand.draw()
    played = hand.app.current_page
    assert isinstance(played, MarbleMatchPage if game == "spline" else SceneMatchPage)
    assert played.match.state == page.history[3].state
    assert [ply.move for ply in played.match.plies] == [ply.move for ply in page.history[:4]]


@pytest.mark.parametrize("button", ["review", "postcard"])
@pytest.mark.parametrize("game", OTHERS)
def test_result_menu_opens_the_replay_and_returns(hand: Hand, game: str, button: str) -> None:
    entry = load_catalogue().get(game)
    hand.app.change_settings(motion="off")
    hand.app.show_page(SceneMatchPage(hand.app, finished_match(game), entry))
    hand.draw()
    hand.push("more")
    hand.push(button)
    hand.draw()
    page = hand.page(ReplayPage)
    if button == "postcard":
        card = hand.floating(ExportCard)
        assert card.formats[card.format_choice.selected_index] == "postcard"
        assert page.at_ply == len(page.history)
        hand.push("cancel")
    hand.push("back")
    assert isinstance(hand.app.current_page, SceneMatchPage)


def test_only_marble_matches_open_in_the_position_editor(hand: Hand, tmp_path: Path) -> None:
    page = open_replay(hand, "hyena-spiral", tmp_path)
    assert not page.controls.edit_button.visible
    assert "edit" not in page.shortcuts
    hand.key("e")
    assert hand.app.current_page is page
    page = open_replay(hand, "spline", tmp_path)
    assert "edit" in page.shortcuts
    hand.key("e")
    assert isinstance(hand.app.current_page, PositionEditorPage)


@pytest.mark.parametrize("game", some(OTHERS, 1))
def test_films_and_postcards_work_at_other_tables(hand: Hand, game: str, tmp_path: Path) -> None:
    page = open_replay(hand, game, tmp_path)
    hand.app.services.pictures_folder = tmp_path / "pictures"
    page.go_to(2)
    hand.key("ctrl+e")
    card = hand.floating(ExportCard)
    assert card.formats == ["mp4", "gif", "html", "png", "postcard"]
    card.size_choice.selected_index, card.speed_choice.selected_index, card.range_choice.selected_index = (
        0,
        3,
        2,
    )
    for kind in ("mp4", "postcard") if game == "arcanoid" else ("mp4",):
        card.format_choice.select(card.formats.index(kind))
        card.start_export()
        hand.wait_until(lambda: card.process is None)
        assert not card.is_error, card.message
    for file in hand.app.services.pictures_folder.iterdir():
        if file.suffix == ".png":
            assert Image.open(file).size == (1480, 1050)
        else:
            assert next(imageio_ffmpeg.read_frames(str(file)))["size"] == (640, 360)


@pytest.mark.parametrize("scale", [100, 175])
def test_ten_seats_fit_above_the_table(hand: Hand, scale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The boxes of ten seats are in rows at the top, and the table is below them.

    No text is cut off or overlaps another. If boxes with names would cover too much of the table, all names are left
    out.
    """
    game = load_catalogue().get("arcanoid")
    names = ["Ann", "Benedikt", "Player 3", "Dan", "Eva", "Fay", "Gus", "Hal", "Ira", "Jon"]
    match = Match(game.game(options={"rounds": 1}), names, 4)
    hand.app.change_settings(motion="off", scale=scale, language="fr")
    hand.app.resize(*((640, 480) if scale == 100 else (1280, 800)))
    hand.app.show_page(ReplayPage(hand.app, match, game))
    drawn_texts = written(monkeypatch, hand.draw)
    assert not drawn_texts.cut
    assert not drawn_texts.overprinted()
    page = hand.page(ReplayPage)
    assert isinstance(page.replay_view, SceneReplayView)
    seats, view = page.replay_view.overlay, page.view.rect
    assert len(seats.seat_rects) == 10
    assert max(place.right for place in seats.seat_rects) <= view.right + 0.01
    assert seats.rect.h < 0.35 * view.h
    hull = page.view.all_to_window(page.replay_view.scene.hull)
    assert min(y for _, y in hull) >= seats.rect.bottom - 1
    hand.app.resize(1280, 720)
