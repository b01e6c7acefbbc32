"""What stands on boards of marbles as those are told who do not see it: a place a name, and what a click there does."""

from __future__ import annotations

from typing import Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.wording.naming import point_name, word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.rect import Rect

from ...board.heard import about
from ...marbles.controller import Spot
from ...marbles.heard import Told, level_of
from ...marbles.pointing import aimed
from ...ui.tree import Act, Thing
from .parts import Aiming, Table


class Named(Aiming, Protocol):
    """The pointer, which knows what places are called."""

    def name_of(self, spot: Spot) -> str:
        """Return a place by name, as moves write it."""


class Lying(Protocol):
    """The marbles that lie on the table."""

    def seen_at(self, colour: int) -> tuple[float, float] | None:
        """Return where the foremost marble of a colour is seen that may be set down, in logical pixels; None where
        none lies in sight."""


class Standing(Table, Protocol):
    """A page whose marbles and places are told."""

    @property
    def taking(self) -> Lying:
        """The marbles that lie on the table."""

    @property
    def pointing(self) -> Named:
        """The pointer and the cursor of the keys."""

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return what computers show: where they play next, or what they advise."""


def things(page: Standing) -> list[Thing]:
    """Return every marble that is seen and every place that may be chosen, by boards and levels, lowest first."""
    stage, control, pointing = page.stage, page.control, page.pointing
    aims = aimed(control) if page.session.live and not control.away else set[Spot]()
    # A marble that may be taken stands there once.
    state = page.session.state
    told = Told(state.size, stage.marbles, page.facts.moves)
    spots = {*aims, *(Spot(board, point) for board, point in stage.marbles)}
    aimed_at = {spot[:2] for spot in aims}
    for board in set(range(len(state.board_names))) - page.session.cloths:
        spots |= {Spot(*hole) for hole in told.holes(board) - aimed_at}
    table = told.pyramid
    marked = _advised(page)
    found = []
    for spot in sorted(spots, key=lambda spot: (spot.board, table.level[spot.point], spot.point, spot.side)):
        words, does = [table.names[spot.point]], ""
        if spot.side < 0:
            words += told.words(spot.board, spot.point)
        words += marked.get(spot[:2], ())
        if spot in control.targets:
            does = control.foretell(spot) or _("can be chosen")
            for name in (point_name(state, spot.board, spot.point, language(), page.names), *words[:1]):
                does = does.removeprefix(name).lstrip(" –,")

        def press(spot: Spot = spot) -> None:
            pointing.clicked_spot(spot)
            page.refresh()

        found.append(
            Thing(
                pointing.name_of(spot),
                ", ".join(words),
                about(*pointing.where(spot), pointing.radius(spot)),
                press if spot in aims else None,
                level_of(state, spot.board, spot.point, page.names),
                spot[:2] in stage.marbles,
                does,
                told.lines(spot.board, spot.point),
            )
        )
    return [*found, *_colours(page)] if aims else found


def _advised(page: Standing) -> dict[tuple[int, int], list[str]]:
    """Return how points are marked by what is advised there."""
    found: dict[tuple[int, int], list[str]] = {}
    for sign in page.lit()[0] if not page.control.away else ():
        place = found.setdefault((sign.board, sign.point), [])
        if sign.kind is SignKind.HINT:
            place.append(_("marked"))
        elif sign.kind is SignKind.NUMBER:
            place.append(_("best move no. {number}", number=sign.number))
    return found


def _colours(page: Standing) -> list[Thing]:
    """Return the colours among which one is chosen, which lie on the table beside the boards."""
    control = page.control

    def take(colour: int) -> Act:
        def press() -> None:
            control.choose_colour(colour)
            page.refresh()

        return press

    def place(colour: int) -> Rect:
        at = page.taking.seen_at(colour)
        return about(*at) if at is not None else Rect()

    return [
        Thing(
            f"colour {COLOURS[colour]}",
            capital(word(COLOURS[colour], language())),
            place(colour),
            take(colour),
            _("Colours"),
            False,
            _("chosen") if colour == control.colour else "",
        )
        for colour in (control.tray if len(control.tray) > 1 else ())
    ]
