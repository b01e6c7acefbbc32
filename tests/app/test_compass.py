"""The compass among the view buttons."""

from __future__ import annotations

from shibumi3d.app.host.camera_controls import CompassButton

from .hand import Hand


def test_compass_shows_the_side_and_resets_the_view(hand: Hand) -> None:
    play = hand.start("spline")
    compass = hand.found("home view", CompassButton)
    sides = [compass.tooltip.split(".")[0]]
    home = play.view.camera
    for _ in range(3):
        hand.key("]")
        hand.wait(1)
        hand.draw()
        sides.append(compass.tooltip.split(".")[0])
    # The camera starts slightly west of south, and moves counterclockwise.
    assert sides == [
        f"Viewed from the {side}" for side in ("south-west", "south-east", "north-east", "north-west")
    ]
    hand.push("home view")
    hand.wait(1)
    assert play.view.camera == home
    hand.key("t")
    hand.wait(1)
    hand.draw()
    assert compass.tooltip.startswith("Viewed from above")
    # Zen mode hides the compass too.
    hand.key("z")
    hand.wait(1)
    assert not compass.visible or not play.toolbar.visible
