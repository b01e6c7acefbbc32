"""What scenes of any kind of table have: pictures by strokes, things under way, a view that fits a hull."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.catalogue.catalogue import load
from shibumi3d.rules import kinds
from shibumi3d.scene.camera import home_of
from shibumi3d.scene.flat import disc, flat
from shibumi3d.scene.frame import Board, Card, Frame, Mark, MarkKind, Piece, Solid
from shibumi3d.scene.glyphs import GLYPHS, draw, strokes
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.moving import Moving
from shibumi3d.scene.palette import theme
from shibumi3d.scene.table import NOTHING, Clicks
from tests.tables import sealed


def test_a_path_is_read_as_svg_writes_it() -> None:
    lines, dots = strokes("M4 20L17 7 18 8O 8.5 9 1.2")
    assert lines == [((4.0, 20.0), (17.0, 7.0), (18.0, 8.0))]
    assert dots == [(8.5, 9.0, 1.2)]


def test_an_arc_goes_round_as_its_flags_say() -> None:
    """From (20, 12) round (12, 12) with radius 8: clockwise on the screen it first goes down."""
    (line,), _ = strokes("M20 12A8 8 0 0 1 4 12")
    assert all(math.isclose(math.hypot(x - 12, y - 12), 8.0) for x, y in line)
    assert line[len(line) // 2] == pytest.approx((12.0, 20.0), abs=0.5)
    (line,), _ = strokes("M20 12A8 8 0 0 0 4 12")
    assert line[len(line) // 2] == pytest.approx((12.0, 4.0), abs=0.5)


@pytest.mark.parametrize("path", ["L1 2", "M1", "M1 2A1 1 0"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        strokes(path)


def test_two_pictures_can_t_have_one_name() -> None:
    draw({"ring": GLYPHS["ring"]})
    with pytest.raises(ValueError, match="two pictures called 'ring'"):
        draw({"ring": "M0 0L1 1"})


def test_all_pictures_lie_in_their_field() -> None:
    for name, path in GLYPHS.items():
        lines, dots = strokes(path)
        places = [place for line in lines for place in line] + [(x, y) for x, y, _ in dots]
        assert places, name
        assert all(0 <= x <= 24 and 0 <= y <= 24 for x, y in places), name


def test_things_move_leg_by_leg_and_wait_between() -> None:
    """Half a second from 0 to 4, then from there to 4 north; the middle of a leg is within it, its end exact."""
    moving = Moving()
    there = moving.go("a", (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), 10.0, 500, hop=1.0)
    moving.go("a", (4.0, 0.0, 0.0), (4.0, 4.0, 0.0), there, 500)
    rest = (4.0, 4.0, 0.0)
    assert moving.at("a", 9.0, rest) == (0.0, 0.0, 0.0)
    x, _, z = moving.at("a", 10.1, rest)
    assert 0 < x < 4
    assert z > 0
    assert moving.at("a", 10.5, rest) == (4.0, 0.0, 0.0)
    assert moving.busy(10.9)
    assert not moving.busy(11.0)
    assert moving.at("a", 11.0, rest) == rest
    moving.speed = "off"
    moving.go("b", (0.0, 0.0, 0.0), rest, 20.0, 500)
    assert not moving.busy(20.0)


@pytest.mark.parametrize("pitch", [40.0, 54.0, 90.0])
@pytest.mark.parametrize("aspect", [1.0, 16 / 9, 2.2])
def test_the_view_at_the_start_shows_the_hull_beside_panels(pitch: float, aspect: float) -> None:
    hull = [(x, y, z) for x in (-5.0, 9.0) for y in (-4.0, 4.0) for z in (-0.9, 0.3)]
    panels = [(0.0, 0.0, 0.2, 0.4)]
    camera = home_of(hull, (0.0, pitch), aspect, panels)
    pixels, depth = camera.project(np.array(hull), aspect, 1.0)
    assert (depth > 0).all()
    assert (pixels >= 0).all()
    assert (pixels <= (aspect, 1.0)).all()


def test_what_is_seen_from_above_is_as_large_as_on_the_table() -> None:
    """A die of half a side 0.4 stands above a disc rolled by 60 degrees, which is half as wide; what is over all is
    drawn last; what pieces look like is told by the scene."""
    frame = Frame(
        theme(),
        (Board(2, 1.0, 2.0, holes=((0.5, 0.0, 1.0),)),),
        pieces=(Piece("pot", 3.0, 0.0),),
        solids=(
            Solid("box", (0.0, 0.0, 0.0), (0.4, 0.4, 0.8), "#FFFFFF"),
            Solid("disc", (1.0, 0.0, 0.0), (1.0, 1.0, 0.1), "#E3B23C", roll=math.radians(60)),
        ),
        cards=(Card((0.0, 0.0, -9.0), (1.0, 1.0), glyph="ring", over=True),),
        marks=(Mark(MarkKind.RING, (0.0, 0.0, 0.0), "#FFFFFF", 1.0),),
    )
    plan = flat(frame, lambda piece: [disc(piece, 0.7, "#8A623B")])
    assert (plan.boards, plan.pieces, plan.solids) == ((), (), ())
    assert plan.marks == frame.marks
    pot, wood, hole, medal, die, ring = plan.cards
    assert wood.at[:2] == (1.0, 2.0)
    assert hole.at[:2] == (1.5, 2.0)
    assert (pot.at[:2], pot.half) == ((3.0, 0.0), (0.7, 0.7))
    assert medal.half == pytest.approx((0.5, 1.0))
    assert (die.half, die.at[2]) == ((0.4, 0.4), 0.8)
    assert ring == frame.cards[0]


def test_a_kind_without_a_scene_has_an_empty_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.MODULES, "sealed", "tests.tables.sealed")
    game = load().parse(sealed.TEXT.encode(), Path("sealed.yaml")).game()
    shown = scene(game, 2)
    shown.reset(game.view(game.start(2, 1), 0), 0)
    assert shown.way(game.moves(game.start(2, 1))[0]) == Clicks()
    frame = shown.frame(0.0, theme(), NOTHING)
    assert frame.boards == frame.balls == frame.solids == ()
