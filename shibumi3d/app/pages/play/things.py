"""What stands on boards of marbles as those are told who do not see it: a place a name, and what a click there does."""

from __future__ import annotations

from typing import Any

from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.wording.naming import colour_name, point_name

from ...board.heard import about, level_of
from ...marbles.controller import Spot
from ...marbles.pointing import aimed
from ...text import language, say
from ...ui.tree import Thing


def things(page: Any) -> list[Thing]:
    """Return every marble that is seen and every place that may be chosen, by boards and levels, lowest first."""
    stage, control, pointing = page.stage, page.control, page.pointing
    aims = aimed(control) if page.session.live and not control.away else set[Spot]()
    spots = {*aims, *(Spot(board, point) for board, point in stage.marbles)}
    # A marble that may be taken stands there once.
    state = page.session.state
    table = pyramid(state.size)
    found = []
    for spot in sorted(spots, key=lambda spot: (spot.board, table.level[spot.point], spot.point, spot.side)):
        key, colour = pointing.name_of(spot), stage.marbles.get(spot[:2])
        words, does = [table.names[spot.point]], ""
        if spot.side < 0:
            words.append(say("empty") if colour is None else colour_name(colour, language()))
        if spot in control.targets:
            does = control.foretell(spot) or say("may.choose")
            for name in (point_name(state, spot.board, spot.point, language(), page.names), *words[:1]):
                does = does.removeprefix(name).removeprefix(" –").strip()
        x, y = pointing.where(spot)
        radius = pointing.radius(spot)

        def press(spot: Spot = spot) -> None:
            pointing.clicked_spot(spot)
            page.refresh()

        group = level_of(state, spot.board, spot.point, page.names)
        found.append(
            Thing(
                key,
                ", ".join(words),
                about(x, y, radius),
                press if spot in aims else None,
                group,
                colour is not None,
                does,
            )
        )
    return found
