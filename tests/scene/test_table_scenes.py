"""What all table scenes share: glyphs, animations in progress, and a view that fits the hull."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules import registry as kinds
from shibumi3d.scene.arcanoid.figures import FIGURE_HEIGHT, LOWER_PART_SHIFT
from shibumi3d.scene.camera import make_home_camera_for_hull
from shibumi3d.scene.frame import Board, Card, Frame, Mark, MarkKind, Piece, Solid
from shibumi3d.scene.glyphs import GLYPHS, parse_path, register_glyphs
from shibumi3d.scene.object_animator import ObjectAnimator
from shibumi3d.scene.palette import make_theme
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, Clicks
from shibumi3d.scene.top_view import make_top_view, round_card
from tests.tables import sealed


def test_glyph_path_is_parsed_like_svg() -> None:
    lines, dots = parse_path("M4 20L17 7 18 8O 8.5 9 1.2")
    assert lines == [((4.0, 20.0), (17.0, 7.0), (18.0, 8.0))]
    assert dots == [(8.5, 9.0, 1.2)]


def test_arc_direction_follows_its_flags() -> None:
    """An arc with sweep flag 1 is drawn clockwise, and one with sweep flag 0 anticlockwise.

    Because y points down, the clockwise half circle from (20, 12) to (4, 12) passes through its lowest point, (12, 20).
    The other one passes through its highest point, (12, 4).
    """
    (line,), _ = parse_path("M20 12A8 8 0 0 1 4 12")
    assert all(math.isclose(math.hypot(x - 12, y - 12), 8.0) for x, y in line)
    assert line[len(line) // 2] == pytest.approx((12.0, 20.0), abs=0.5)
    (line,), _ = parse_path("M20 12A8 8 0 0 0 4 12")
    assert line[len(line) // 2] == pytest.approx((12.0, 4.0), abs=0.5)


@pytest.mark.parametrize("path", ["L1 2", "M1", "M1 2A1 1 0"])
def test_malformed_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="invalid glyph path"):
        parse_path(path)


def test_duplicate_glyph_name_is_refused() -> None:
    register_glyphs({"ring": GLYPHS["ring"]})
    with pytest.raises(ValueError, match="two glyphs are named 'ring'"):
        register_glyphs({"ring": "M0 0L1 1"})


def test_all_glyphs_fit_their_grid() -> None:
    """All glyphs fit a grid of 24 by 24 units, except the drawings on Arcanoid's majors and courts.

    These drawings are ``FIGURE_HEIGHT`` units high, so each becomes two glyphs, which both contain all of it. In the
    first glyph, the upper part of the drawing lies in the grid. In the second, whose name begins with "lower", the
    drawing is shifted up by ``LOWER_PART_SHIFT``, so that the lower part lies in the grid.
    """
    for name, path in GLYPHS.items():
        lines, dots = parse_path(path)
        places = [place for line in lines for place in line] + [(x, y) for x, y, _ in dots]
        assert places, name
        top, bottom = (0.0, FIGURE_HEIGHT) if name.split()[-2:-1] in (["figure"], ["gilt"]) else (0.0, 24.0)
        shift = LOWER_PART_SHIFT if name.startswith("lower ") else 0.0
        assert all(0 <= x <= 24 and top - shift <= y <= bottom - shift for x, y in places), name


def test_object_moves_leg_by_leg_after_waiting_at_its_start() -> None:
    """An object waits until its first leg starts, moves 4 units east in half a second, then 4 units north."""
    moving = ObjectAnimator()
    there = moving.add_move("a", (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), 10.0, 500, arc_height=1.0)
    moving.add_move("a", (4.0, 0.0, 0.0), (4.0, 4.0, 0.0), there, 500)
    rest = (4.0, 4.0, 0.0)
    assert moving.position_at("a", 9.0, rest) == (0.0, 0.0, 0.0)
    x, _, z = moving.position_at("a", 10.1, rest)
    assert 0 < x < 4
    assert z > 0
    assert moving.position_at("a", 10.5, rest) == (4.0, 0.0, 0.0)
    assert moving.is_animating(10.9)
    assert not moving.is_animating(11.0)
    assert moving.position_at("a", 11.0, rest) == rest
    moving.speed = "off"
    moving.add_move("b", (0.0, 0.0, 0.0), rest, 20.0, 500)
    assert not moving.is_animating(20.0)


@pytest.mark.parametrize("pitch", [40.0, 54.0, 90.0])
@pytest.mark.parametrize("aspect", [1.0, 16 / 9, 2.2])
def test_home_view_shows_the_hull_beside_panels(pitch: float, aspect: float) -> None:
    hull = [(x, y, z) for x in (-5.0, 9.0) for y in (-4.0, 4.0) for z in (-0.9, 0.3)]
    panels = [(0.0, 0.0, 0.2, 0.4)]
    camera = make_home_camera_for_hull(hull, (0.0, pitch), aspect, panels)
    pixels, depth = camera.project(np.array(hull), aspect, 1.0)
    assert (depth > 0).all()
    assert (pixels >= 0).all()
    assert (pixels <= (aspect, 1.0)).all()


def test_top_view_draws_objects_to_scale() -> None:
    """Cards come in order of height, except that those marked as on top come last.

    The top of the die is higher than that of the disc, so the die's card comes later. The ``half_size`` of a card
    consists of half its width and half its depth; for the die, both are 0.4. The disc is rolled by 60 degrees, so it
    appears half as wide. The caller supplies the cards for pieces.
    """
    frame = Frame(
        make_theme(),
        (Board(2, 1.0, 2.0, holes=((0.5, 0.0, 1.0),)),),
        pieces=(Piece("pot", 3.0, 0.0),),
        solids=(
            Solid("box", (0.0, 0.0, 0.0), (0.4, 0.4, 0.8), "#FFFFFF"),
            Solid("disc", (1.0, 0.0, 0.0), (1.0, 1.0, 0.1), "#E3B23C", roll=math.radians(60)),
        ),
        cards=(Card((0.0, 0.0, -9.0), (1.0, 1.0), glyph="ring", on_top=True),),
        marks=(Mark(MarkKind.RING, (0.0, 0.0, 0.0), "#FFFFFF", 1.0),),
    )
    plan = make_top_view(frame, lambda piece: [round_card(piece, 0.7, "#8A623B")])
    assert (plan.boards, plan.pieces, plan.solids) == ((), (), ())
    assert plan.marks == frame.marks
    pot, wood, hole, medal, die, ring = plan.cards
    assert wood.position[:2] == (1.0, 2.0)
    assert hole.position[:2] == (1.5, 2.0)
    assert (pot.position[:2], pot.half_size) == ((3.0, 0.0), (0.7, 0.7))
    assert medal.half_size == pytest.approx((0.5, 1.0))
    assert (die.half_size, die.position[2]) == ((0.4, 0.4), 0.8)
    assert ring == frame.cards[0]


def test_kind_without_a_scene_has_an_empty_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.KIND_MODULES, "sealed", "tests.tables.sealed")
    game = load_catalogue().parse(sealed.TEXT.encode(), Path("sealed.yaml")).game()
    shown = make_scene(game, 2)
    shown.reset(game.observe(game.start(2, 1), 0), 0)
    assert shown.clicks_for(game.moves(game.start(2, 1))[0]) == Clicks()
    frame = shown.frame(0.0, make_theme(), NO_HIGHLIGHTS)
    assert frame.boards == frame.balls == frame.solids == ()
