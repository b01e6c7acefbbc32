"""What stands on boards of marbles as those are told who do not see it: a place a name, and what a click there does."""

from __future__ import annotations

from typing import Any

from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.wording.naming import colour_name

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
    table = pyramid(page.session.state.size)
    found = []
    for spot in sorted(spots, key=lambda spot: (spot.board, table.level[spot.point], spot.point, spot.side)):
        name, colour = pointing.name_of(spot), stage.marbles.get(spot[:2])
        words = [name]
        if spot.side < 0:
            words.append(say("empty") if colour is None else colour_name(colour, language()))
        if spot in control.targets:
            told = control.foretell(spot) or say("may.choose")
            words.append(told.removeprefix(name).removeprefix(" –").strip())
        x, y = pointing.where(spot)
        radius = pointing.radius(spot)

        def press(spot: Spot = spot) -> None:
            pointing.clicked_spot(spot)
            page.refresh()

        group = level_of(page.session.state, spot.board, spot.point)
        found.append(
            Thing(
                name,
                ", ".join(words),
                about(x, y, radius),
                press if spot in aims else None,
                group,
                colour is not None,
            )
        )
    return found
