"""Accessible objects of a page with marbles, which screen readers can read and activate."""

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
    """Interface of the pointer and keyboard cursor that can also name spots."""

    def name_of(self, spot: Spot) -> str:
        """Return the name of a spot, as used in the notation of moves."""


class Lying(Protocol):
    """Interface of the marbles that lie on the table."""

    def seen_at(self, colour: int) -> tuple[float, float] | None:
        """Return the position of the foremost marble of a placeable colour, in logical pixels.

        Returns None if no such marble lies on the table.
        """


class Standing(Table, Protocol):
    """Interface of a page whose marbles and points are accessible."""

    @property
    def taking(self) -> Lying:
        """Marbles that lie on the table."""

    @property
    def pointing(self) -> Named:
        """Pointer and keyboard cursor."""

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for a computer's pending move, or for hints and analysis."""


def things(page: Standing) -> list[Thing]:
    """Return an accessible object for every visible marble, empty point and possible target.

    They are sorted by board, level (lowest first) and point. If something can be chosen on the boards, they are
    followed by the colours to choose from that lie beside the boards.
    """
    stage, control, pointing = page.stage, page.control, page.pointing
    aims = aimed(control) if page.session.live and not control.away else set[Spot]()
    # List each marble that can be chosen only once.
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
    """Return descriptions of the hint and the analysis at each point, by board and point."""
    found: dict[tuple[int, int], list[str]] = {}
    for sign in page.lit()[0] if not page.control.away else ():
        place = found.setdefault((sign.board, sign.point), [])
        if sign.kind is SignKind.HINT:
            place.append(_("marked"))
        elif sign.kind is SignKind.NUMBER:
            place.append(_("best move no. {number}", number=sign.number))
    return found


def _colours(page: Standing) -> list[Thing]:
    """Return the colours to choose from that lie beside the boards; empty if there is no choice."""
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
