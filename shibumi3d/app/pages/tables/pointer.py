"""Pointer and keyboard cursor at tables other than marbles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from shibumi3d.i18n import _, language
from shibumi3d.rules.wording import capital
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.table import Pointed, Spot

from ...board.shown import Kept
from ...board.who import Answerer
from .lists import PASS
from .parts import Table

if TYPE_CHECKING:
    from .lists import ChoiceList
    from .parts import FlatPlan

NEAR = 14.0
"""Distance from an open or picked spot within which a click still hits it, in logical pixels."""


class Aimed(Table, Protocol):
    """Interface of a table page with spots that can be pointed at."""

    choices: ChoiceList

    @property
    def plan(self) -> FlatPlan:
        """Flat drawing of the table."""


class Pointer:
    """Pointer and keyboard cursor; :attr:`spot` is the key of the spot under one of them, or ""."""

    def __init__(self, page: Aimed) -> None:
        self.page = page
        self.spot = ""
        self.seen = Kept(self._look, self._follows)
        """Cached description of the pointer, the cursor and the picks for the scene."""
        self._left: dict[int, frozenset[str]] = {}
        """Keys of the spots that existed at each seat's last move."""

    def spots(self) -> Mapping[str, Spot]:
        """Return all spots that can be clicked, by key."""
        return self.page.scene.spots()

    def on_screen(self, spot: Spot) -> tuple[float, float]:
        """Return the centre of a spot in the view or the flat drawing, in logical pixels."""
        pixels = self._seen(np.array([spot.at]))[0]
        return float(pixels[0, 0]), float(pixels[0, 1])

    def _away(self, spot: Spot, x: float, y: float) -> float:
        """Return the distance of (``x``, ``y``) from a spot in logical pixels, or 0 inside it."""
        if spot.half == (0.0, 0.0):
            pixels, unit = self._seen(np.array([spot.at]))
            return max(0.0, float(np.hypot(*(pixels[0] - (x, y)))) - spot.radius * float(unit[0]))
        c, s = np.cos(spot.turn), np.sin(spot.turn)
        east, north = np.array([c, s, 0.0]) * spot.half[0], np.array([-s, c, 0.0]) * spot.half[1]
        middle = np.array(spot.at)
        ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        pixels, _ = self._seen(np.array([middle + a * east + b * north for a, b in ways]))
        outside = 0.0
        for k in range(4):
            (ax, ay), (bx, by) = pixels[k], pixels[(k + 1) % 4]
            long = max(float(np.hypot(bx - ax, by - ay)), 1e-9)
            # The corners are counterclockwise in the world, but clockwise here, where y points down.
            outside = max(outside, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long)
        return outside

    def _seen(self, places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Project world coordinates (n, 3) to the view or the flat drawing.

        Return the positions (n, 2) in logical pixels, and the number of pixels per world unit at each of them (n,).
        """
        view, plan = self.page.view, self.page.plan
        if plan.visible:
            return plan.project(places), np.full(len(places), plan.unit)
        pixels, depth = view.camera.project(places, view.rect.w, view.rect.h)
        return pixels, view.camera.pixels(1.0, depth, view.rect.h)

    def spot_at(self, x: float, y: float) -> str:
        """Return the key of the spot at (``x``, ``y``), or "".

        Open and picked spots take precedence over others. They are also hit from a distance of up to :data:`NEAR`.
        """
        open_, best = self.page.picking.open | self.page.picking.picks, (2, 0.0, "")
        for key, spot in self.spots().items():
            away = self._away(spot, x, y)
            if away <= (NEAR if key in open_ else 0.0):
                best = min(best, (0 if key in open_ else 1, away, key))
        return best[2]

    def pointed(self, x: float | None, y: float | None) -> None:
        """Handle pointer motion to (``x``, ``y``) in the view; both are None if it has left the view."""
        spot = "" if x is None or y is None else self.spot_at(x, y)
        if spot != self.spot:
            self.spot = spot
            self.page.note = ""
            self.looked()

    def clicked(self, x: float, y: float) -> bool:
        """Handle a click at (``x``, ``y``) in the view; return whether it was handled."""
        return self.click(self.spot_at(x, y))

    def click(self, key: str) -> bool:
        """Handle a click on the spot ``key``; return whether it was handled.

        If the page waits for a click to resume, the click does only that. Otherwise it makes a move, picks the spot or
        unpicks it. If none of these is possible, the status line says why. Clicks on no spot, and clicks while looking
        back, aren't handled.
        """
        if self.page.resume():
            return True
        if not key or not self.page.session.live:
            return False
        meant = self.page.picking.click(key)
        if meant.move is not None:
            self.page.doing.choose(meant.move)
        elif meant.changed:
            self.offer()
            self.looked()
        else:
            asked = [move for move, _ in self.page.picking.ways]
            spots = [*sorted(self.page.picking.picks), key]
            if asked:
                self.page.note = self.page.match.game.why_not(
                    self.page.session.own_view(), spots, language(), self.page.names, asked
                )
            self.page.app.sounds.tap()
            self.looked()
        return True

    def drop(self) -> None:
        """Drop all picks."""
        if self.page.picking.drop():
            self.offer()
            self.looked()

    def walk(self, by: int) -> None:
        """Move the cursor by ``by`` open spots in tab order, wrapping around.

        If no spot is open, move the selection in the list of moves instead.
        """
        stops = [key for key in self.spots() if key in self.page.picking.open]
        if stops:
            here = stops.index(self.spot) if self.spot in stops else (-1 if by > 0 else 0)
            self.spot = stops[(here + by) % len(stops)]
            self.page.choices.under = -1
            self.looked()
        elif self.page.choices.moves:
            self.step(by)

    def step(self, by: int) -> None:
        """Move the selection in the list of moves by ``by`` rows, wrapping around."""
        choices = self.page.choices
        count = len(choices.labels)
        if count:
            self.spot, choices.under = "", -1
            choices.fill(count, (choices.current + by) % count if choices.current >= 0 else 0)
            self.page.note = choices.reason(choices.current)
            self.looked()

    def looked(self) -> None:
        """Update the status line: describe the move pointed at, or else the spot."""
        move = self.would()
        if move is None:
            self.page.telling.say(self.page.note or self.thing())
        else:
            self.page.note = ""
            told = self.page.match.game.foretell(
                self.page.session.own_view(), move, language(), self.page.names
            )
            waits = move == self.page.doing.waiting
            self.page.telling.say(
                _("{told}. Enter confirms, Esc cancels.", told=capital(told)) if waits else capital(told)
            )
        self.page.refresh()

    def thing(self) -> str:
        """Describe what is at the spot pointed at, or return "" if no spot is pointed at."""
        if not self.spot:
            return ""
        game, seen = self.page.match.game, self.page.session.view
        return capital(game.thing_line(seen, self.spot, language(), self.page.names))

    def would(self) -> Any:
        """Return the move that a click or Enter would make, or None."""
        move = self._meant()
        return None if isinstance(move, Answerer) else move

    def _meant(self) -> Any:
        if 0 <= self.page.choices.under < len(self.page.choices.moves):
            return self.page.choices.moves[self.page.choices.under]
        if self.spot:
            return self.page.picking.would(self.spot)
        if self.page.doing.waiting is not None:
            return self.page.doing.waiting
        if 0 <= self.page.choices.current < len(self.page.choices.moves):
            return self.page.choices.moves[self.page.choices.current]
        return None

    def picture(self, now: float, aspect: float) -> Frame:
        """Return the frame of the 3D view at the time ``now``."""
        colours = self.page.app.settings.colours_after(self.page.session.cursor)
        return self.page.scene.frame(now, colours, self.seen.get())

    def plan(self, now: float) -> Frame:
        """Return the frame of the flat drawing at the time ``now``."""
        return self.page.scene.plan(now, self.page.app.settings.colours, self.seen.get())

    def leave(self, seat: int) -> None:
        """Record which spots exist when ``seat`` makes its move, so that later ones are shown as new."""
        self._left[seat] = frozenset(self.page.scene.spots())

    def _new(self) -> frozenset[str]:
        viewer = self.page.session.viewer
        if viewer not in self._left or not self.page.session.live:
            return frozenset()
        return frozenset(self.page.scene.spots()) - self._left[viewer]

    def _follows(self) -> tuple[object, ...]:
        """Return the values on which the cached :class:`.Pointed` depends.

        After any other change, the page's ``refresh`` is called.
        """
        page = self.page
        choices, picks = page.choices, page.picking.picks
        return page.session.moment, self.spot, picks, choices.under, choices.current, page.doing.waiting

    def _look(self) -> Pointed:
        move, preview = self.would(), ()
        if move is not None:
            seen = self.page.match.game.foresee(self.page.session.own_view(), move)
            preview = tuple(seen.events) if seen is not None else ()
        way = self.page.scene.way(move) if move is not None and not self.spot else None
        return Pointed(
            spot=self.spot or (way.last if way is not None else ""),
            picks=self.page.picking.picks | (way.picks if way is not None else frozenset()),
            open=self.page.picking.open,
            preview=preview,
            last=tuple(self.page.session.last()),
            hint=self.page.advice.spots(),
            new=self._new(),
        )

    def offer(self) -> None:
        """Fill the list of moves with the moves that can be chosen now."""
        moves = self.page.picking.moves
        window = self.page.session.window if self.page.session.live else ()
        if window:
            looks = [_("{who} looks at their hand", who=self.page.names[seat]) for seat in window]
            self.page.choices.offer(
                [*map(Answerer, window), Answerer(-1)],
                [*looks, _("Nobody (continue)  Enter")],
                keys=[*[str((seat + 1) % 10) for seat in window], PASS],
            )
            return
        view = self.page.session.own_view() if moves else None
        game, names = self.page.match.game, self.page.names
        # Passing comes first, so that it is visible however long the list is.
        moves = sorted(moves, key=lambda move: move.kind != "pass")
        labels = [capital(game.say(view, move, language(), names)) for move in moves]
        details = [_begun(game.detail(view, move, language())) for move in moves]
        ask = self.page.match.state.ask
        idle = ask.default if ask is not None else ""
        # Passing always has the same key; the keys of other moves come from the rules.
        keys = [
            PASS if move.kind in ("pass", "done") or move.text == idle else game.key_of(view, move)
            for move in moves
        ]
        # Some table kinds also list entries that can't be chosen now, with the reason.
        shut = game.closed(view, language(), names) if moves and not self.page.picking.picks else ()
        shut = tuple(each._replace(detail=_begun(each.detail)) for each in shut)
        self.page.choices.offer(moves, labels, shut, keys=keys, details=details)


def _begun(detail: str) -> str:
    """Capitalize the first letter of each line."""
    return "\n".join(map(capital, detail.split("\n")))
