"""Drawing of matches without a window: still pictures and animated moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shibumi3d.app.marbles import secrets
from shibumi3d.app.marbles.table import Lying, Tabletop
from shibumi3d.app.wording import spoken
from shibumi3d.cli.text import result_line
from shibumi3d.i18n import _, language
from shibumi3d.match.outside_moves import last_turn
from shibumi3d.rules.marbles.event import Dropped, Entered, Event, Moved, Placed, Pushed, SideDropped
from shibumi3d.rules.marbles.facts import MarbleFacts, marble_facts
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.scene.camera import Camera, home, home_of
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.marbles.ending import LIGHTS, ending_signs
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.palette import Theme, theme
from shibumi3d.scene.table import Pointed

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.marbles.state import State

REST = 0.7
"""Pause between moves in seconds, the same as in the window."""
HELD = 3.0
"""How long a film shows the end of a match, in seconds."""


class HeapNumber(NamedTuple):
    """Number of marbles in a heap, and where to draw it.

    The position is measured from the top left corner, in picture heights.
    """

    x: float
    y: float
    number: int


class Shot(NamedTuple):
    """A frame of a film, with its caption and repeat count.

    ``times`` is the number of consecutive frames for which it is shown. ``seat`` is the seat that acts, ``told`` the
    description of the move, and ``numbers`` are the marble counts of the trays.
    """

    frame: Frame
    times: int
    seat: int = -1
    told: str = ""
    numbers: tuple[HeapNumber, ...] = ()


class Drawing:
    """Renderer of a match at its cursor, for pictures with a given aspect ratio (width / height).

    ``colours`` defaults to the standard theme. ``above`` selects a view straight down, ``choices`` marks the legal
    moves on the boards, and ``table`` shows the marbles beside them. Until the match is over, only public information
    is drawn.

    The fractions ``head`` and ``foot`` of the picture are left free for names and text. If either is set, the boards
    are centred and as large as possible, even if their surroundings are cut off.
    """

    def __init__(
        self,
        match: Match,
        aspect: float,
        *,
        colours: Theme | None = None,
        above: bool = False,
        choices: bool = False,
        table: bool = False,
        head: float = 0.0,
        foot: float = 0.0,
    ) -> None:
        self.head, self.foot = head, foot
        self.match, self.aspect, self.colours, self.choices = match, aspect, colours or theme(), choices
        self.viewer = secrets.public_viewer(match)
        first = match.first
        sizes = [first.size] * len(first.board_names)
        self.tabletop = Tabletop(first, marble_facts(match.game, first.seats)) if table else None
        if head or foot:
            self.camera = home(sizes, aspect, panels=_strips(head, foot), above=above)
        else:
            camera = home(sizes, aspect, self.tabletop.lay.around if self.tabletop else ())
            self.camera = camera.top() if above else camera
        self.stage = Stage(sizes, "off")
        self._shown: Lying | None = None

    def still(self) -> Frame:
        """Return a frame of the board at the cursor, with the last turn marked and no animation."""
        state = self._seen()
        self.stage.finish()
        self.stage.reset(state)
        return self._frame(0.0, state, self._signs(state))

    def film(self, first: int, last: int, rate: int, speed: float = 1.0) -> Iterator[Shot]:
        """Yield the frames that animate the moves from ``first`` up to but not including ``last``.

        Moves are numbered from 0. ``rate`` is in frames per second, and ``speed`` is relative to the normal speed in
        the window. The animation pauses before and after each move. The cursor of the match is moved.
        """
        self.match.goto(first)
        self.stage.queue.speed = "normal"
        rest = max(1, round(REST * rate / speed))
        told = told_of(self.match, first - 1, self.viewer)
        yield Shot(self.still(), rest, told=told, numbers=self._numbers())
        for number in range(first, last):
            told = told_of(self.match, number, self.viewer)
            yield from self._moved(number, rate / speed, told)
            yield Shot(self.still(), rest, self.match.plies[-1].seat, told, self._numbers())
        yield Shot(self.still(), *_held(self.match, rate, rest, told), self._numbers())

    def _moved(self, number: int, rate: float, told: str) -> Iterator[Shot]:
        """Yield the frames that animate move ``number`` and then highlight its result."""
        self.match.goto(number + 1)
        ply, state = self.match.plies[-1], self._seen()
        events = secrets.as_seen_by(self.match.game, ply.state, self.viewer, ply.events)
        if self.tabletop and self._shown:
            heaps, chosen = self._shown.heaps, self._shown.chosen
            places = self.tabletop.places(ply.seat, ply.seat, (), heaps, chosen, events)
            self.stage.queue.lay(places, self.tabletop.rows)
        try:
            self.stage.play(events, 0.0)
        except LookupError:
            return  # the viewer may not know which marbles moved
        picture = 1
        while self.stage.busy(picture / rate):
            lies = not self.stage.queue.busy(picture / rate)
            signs = self._ending(state) if lies else []
            yield Shot(self._frame(picture / rate, state, signs), 1, ply.seat, told, self._numbers())
            picture += 1

    def _seen(self) -> State:
        return secrets.view_of(self.match.game, self.match.state, self.viewer)

    def _frame(self, now: float, state: State, signs: list[Sign]) -> Frame:
        self._shown = None
        if self.tabletop:
            under_way = self.stage.queue.under_way(now)
            viewer = state.to_move or 0
            lit = () if self.stage.queue.busy(now) else self.tabletop.decisive(state, viewer)
            self._shown = self.tabletop.show(state, viewer, under_way, None, lit=lit)
        return self.stage.frame(
            now,
            self.camera,
            self.colours,
            signs=signs,
            extra=self._shown.balls if self._shown else (),
            pieces=self._shown.pieces if self._shown else (),
            aspect=self.aspect,
        )

    def _numbers(self) -> tuple[HeapNumber, ...]:
        """Return the marble counts of the trays in the latest frame."""
        if not (self._shown and self._shown.numbers):
            return ()
        places = np.array([at for at, _ in self._shown.numbers])
        seen, _ = self.camera.project(places, self.aspect, 1.0)
        return tuple(
            HeapNumber(float(x), float(y), number)
            for (x, y), (_, number) in zip(seen, self._shown.numbers, strict=True)
        )

    def _signs(self, state: State) -> list[Sign]:
        signs = self._ending(state)
        if not any(sign.kind in (*LIGHTS, SignKind.BESIDE) for sign in signs):
            last = last_points(self.match, state, self.viewer)
            signs += [Sign(SignKind.LAST, board, point) for board, point in last]
        return signs + (self._choices() if self.choices else [])

    def _ending(self, state: State) -> list[Sign]:
        beside = self.tabletop is not None and bool(self.tabletop.decisive(state, state.to_move or 0))
        return ending_signs(state, last_points(self.match, state, self.viewer), beside)

    def _choices(self) -> list[Sign]:
        covered = secrets.covered(self.match.state, self.viewer)
        signs: list[Sign] = []
        open_: dict[tuple[int, int], tuple[int, ...]] = {}
        for move in self.match.game.moves(self._seen()):
            if move.board in covered:
                continue
            seat = (move.board, move.point)
            if move.kind == "enter":
                signs.append(Sign(SignKind.ENTRY, *seat, side=move.side))
            elif move.point >= 0:
                open_[seat] = (*open_.get(seat, ()), move.colour)
        return signs + [Sign(SignKind.LEGAL, *seat, colours=several) for seat, several in open_.items()]


def frame_of(
    match: Match,
    width: int,
    height: int,
    *,
    colours: Theme | None = None,
    above: bool = False,
    choices: bool = False,
    table: bool = False,
) -> tuple[Frame, Camera]:
    """Return a frame with the board at the cursor of ``match``, and its camera.

    The options are those of :class:`Drawing`.
    """
    drawing = drawing_of(match, width / height, colours=colours, above=above, choices=choices, table=table)
    return drawing.still(), drawing.camera


def drawing_of(
    match: Match,
    aspect: float,
    *,
    colours: Theme | None = None,
    above: bool = False,
    choices: bool = False,
    table: bool = False,
    head: float = 0.0,
    foot: float = 0.0,
) -> Drawing | TableDrawing:
    """Return a renderer for ``match`` that suits its table kind.

    The fractions ``head`` and ``foot`` of the picture are left free for names and text.
    """
    if isinstance(match.game.facts(len(match.seats)), MarbleFacts):
        return Drawing(
            match, aspect, colours=colours, above=above, choices=choices, table=table, head=head, foot=foot
        )
    return TableDrawing(match, aspect, colours or theme(), above, head, foot)


class TableDrawing:
    """Renderer of a match not played on marble boards, with the same interface as :class:`Drawing`.

    Only public information is drawn, and the camera is always on the same side.
    """

    def __init__(
        self, match: Match, aspect: float, colours: Theme, above: bool, head: float = 0.0, foot: float = 0.0
    ) -> None:
        self.match, self.colours, self.head, self.foot = match, colours, head, foot
        self.viewer, self.front = secrets.public_viewer(match), secrets.front(match)
        self.scene = scene(match.game, len(match.seats))
        self.scene.language = language()
        self.camera = home_of(self.scene.hull, self.scene.eye, aspect, _strips(head, foot), above=above)

    def still(self) -> Frame:
        """Return a frame of the table at the cursor, with the last move marked and no animation."""
        self.scene.speed = "off"
        seen = self._seen()
        self.scene.finish()
        self.scene.reset(seen, self.front)
        return self._frame(0.0)

    def film(self, first: int, last: int, rate: int, speed: float = 1.0) -> Iterator[Shot]:
        """Yield the frames of the moves from ``first`` up to but not including ``last``.

        See :meth:`Drawing.film`.
        """
        self.match.goto(first)
        rest = max(1, round(REST * rate / speed))
        told = told_of(self.match, first - 1, self.viewer)
        yield Shot(self.still(), rest, told=told)
        for number in range(first, last):
            told = told_of(self.match, number, self.viewer)
            self.match.goto(number + 1)
            self.scene.speed = "normal"
            seen = self._seen()
            ply = self.match.plies[-1]
            events = secrets.as_seen_by(self.match.game, ply.state, self.viewer, ply.events)
            try:
                self.scene.play(events, 0.0, seen, self.front)
            except LookupError:
                self.scene.reset(seen, self.front)
            picture = 1
            while self.scene.busy(picture * speed / rate):
                yield Shot(self._frame(picture * speed / rate), 1, ply.seat, told)
                picture += 1
            yield Shot(self.still(), rest, ply.seat, told)
        yield Shot(self.still(), *_held(self.match, rate, rest, told))

    def _seen(self) -> Any:
        return secrets.view_of(self.match.game, self.match.state, self.viewer)

    def _frame(self, now: float) -> Frame:
        last = self.match.plies[-1].events if self.match.plies else ()
        told = secrets.as_seen_by(self.match.game, self.match.state, self.viewer, last)
        return self.scene.frame(now, self.colours, Pointed(last=tuple(told)))


def _strips(head: float, foot: float) -> list[tuple[float, float, float, float]]:
    """Return panels that cover the top and bottom parts of a picture."""
    return [(0.0, 0.0, 1.0, head)] * (head > 0) + [(0.0, 1.0 - foot, 1.0, 1.0)] * (foot > 0)


def _held(match: Match, rate: int, rest: int, told: str) -> tuple[int, int, str]:
    """Return the repeat count, highlighted seat (-1 for none) and caption of the last frame of a film."""
    if match.state.to_move is not None:
        return rest, -1, told
    return max(rest, round(HELD * rate)), -1, result_line(match)


def told_of(match: Match, number: int, viewer: int | None) -> str:
    """Describe move ``number`` as far as ``viewer`` may know it; return "" if ``number`` is negative."""
    if number < 0:
        return ""
    plies = (*match.plies, *match.undone)[: number + 1]
    ply, names = plies[number], match.names
    turn = ply.turn + 1
    if number in secrets.masked(match, plies, viewer):
        told = _("{who}: {did}", who=names[ply.seat], did=_("chose in secret"))
    else:
        events = secrets.as_seen_by(match.game, ply.state, viewer, ply.events)
        if isinstance(match.game.facts(len(match.seats)), MarbleFacts):
            seen = secrets.view_of(match.game, ply.state, viewer)
            hidden = secrets.masked(match, plies, viewer)
            events = [
                event
                for each in last_turn(plies)
                if each not in hidden
                for event in secrets.as_seen_by(match.game, plies[each].state, viewer, plies[each].events)
            ]
            told = sentences.told(seen, ply.seat, events, language(), names)
        else:
            did = spoken(match, plies, number, events)
            told = _("{who}: {did}", who=names[ply.seat], did=did) if len(names) > 1 else did
    return _("Turn {turn} – {told}", turn=turn, told=told) if told else _("Turn {turn}", turn=turn)


def last_points(match: Match, state: State, viewer: int | None) -> set[tuple[int, int]]:
    """Return (board, point) of each marble that the last turn placed or moved.

    Only moves that ``viewer`` may know are included.
    """
    plies, hidden = match.plies, secrets.masked(match, match.plies, viewer)
    shown = [ply for number, ply in enumerate(plies) if number not in hidden and ply.turn == plies[-1].turn]
    turn = [event for ply in shown for event in ply.events]
    filled = [state.filled(board) for board in range(len(state.board_names))]
    return {(board, point) for board, point in _arrived(turn) if filled[board] >> point & 1}


def _arrived(events: Iterable[Event]) -> set[tuple[int, int]]:
    places: set[tuple[int, int]] = set()
    for event in events:
        if isinstance(event, Placed | Moved | Entered):
            places.add((event.board, event.point))
        elif isinstance(event, Dropped | Pushed | SideDropped) and (event.board, event.origin) in places:
            places.discard((event.board, event.origin))
            places.add((event.board, event.point))
    return places
