from __future__ import annotations

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.marbles.displacements import Displacement, find_displacements

AT = get_pyramid(4).point_by_name


def at(name: str) -> int:
    return AT[name]


def placed(name: str, colour: int = 0) -> ev.Placed:
    return ev.Placed(0, at(name), colour, "box")


def test_displacements_follow_arrival_order() -> None:
    entered = ev.Entered(0, at("Ba1"), 0, 1, "box")
    assert find_displacements([placed("Ad4"), entered, placed("Aa1"), ev.TurnEnded(0, 1)]) == [
        Displacement(0, -1, at("Ad4")),
        Displacement(0, -1, at("Ba1")),
        Displacement(0, -1, at("Aa1")),
    ]


def test_marble_moved_twice_keeps_its_first_origin() -> None:
    """A marble that is moved twice in a turn has one displacement, from its first origin.

    The fall of the marble that filled this origin remains separate.
    """
    events = [
        ev.Lifted(0, at("Ab2"), 0),
        ev.Dropped(0, at("Bb2"), at("Ab2"), 1),
        ev.Moved(0, at("Ab2"), at("Aa1"), 0),
        ev.Lifted(0, at("Aa1"), 0),
        ev.Moved(0, at("Aa1"), at("Ad4"), 0),
    ]
    assert find_displacements(events) == [
        Displacement(0, at("Bb2"), at("Ab2"), has_fallen=True),
        Displacement(0, at("Ab2"), at("Ad4")),
    ]


def test_displacement_follows_later_pushes_and_drops() -> None:
    events = [
        placed("Aa1"),
        ev.Pushed(0, at("Aa1"), at("Ab1"), 0),
        ev.Pushed(0, at("Ac1"), at("Ad1"), 1),
        placed("Bb2"),
        ev.Dropped(0, at("Bb2"), at("Ac3"), 0),
    ]
    assert find_displacements(events) == [Displacement(0, -1, at("Ab1")), Displacement(0, -1, at("Ac3"))]


def test_removed_marble_has_no_displacement() -> None:
    taken = ev.Captured(0, at("Aa1"), 0, "box")
    assert find_displacements([placed("Aa1"), placed("Ab1", 1), taken, placed("Aa1", 1)]) == [
        Displacement(0, -1, at("Ab1")),
        Displacement(0, -1, at("Aa1")),
    ]
    assert find_displacements([placed("Aa1"), ev.Removed(0, at("Aa1"), 0, "box")]) == []
    assert find_displacements([placed("Aa1"), ev.GameStarted(2)]) == []
