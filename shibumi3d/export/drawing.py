"""Drawing of matches without a window: still pictures and animated moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shibumi3d.cli.terminal import describe_result
from shibumi3d.i18n import _, language
from shibumi3d.match import visibility
from shibumi3d.match.marbles import events_of, marble_events, marble_moves, marble_state
from shibumi3d.match.special_moves import last_turn
from shibumi3d.rules.marbles.event import Dropped, Entered, Event, Moved, Placed, Pushed, SideDropped
from shibumi3d.rules.marbles.facts import MarbleFacts, marble_facts
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.scene.camera import Camera, make_home_camera, make_home_camera_for_hull
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import HIGHLIGHT_KINDS, Sign, SignKind, make_ending_signs
from shibumi3d.scene.marbles.tabletop import TableContents, Tabletop
from shibumi3d.scene.palette import Theme, make_theme
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import TableHighlights
from shibumi3d.wording import describe_ply

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules import game
    from shibumi3d.rules.marbles.state import State

PAUSE_SECONDS = 0.7
"""Pause between moves in seconds, the same as in the window."""
END_SECONDS = 3.0
"""How long a film shows the end of a match, in seconds."""


class TrayCount(NamedTuple):
    """Number of marbles in a heap, and where to draw it.

    The position is measured from the top left corner, in picture heights.
    """

    x: float
    y: float
    number: int


class FilmFrame(NamedTuple):
    """A frame of a film, with its caption and repeat count.

    ``repeats`` is the number of consecutive frames for which it is shown. ``seat`` is the seat that acts, ``caption``
    the description of the move, and ``tray_counts`` are the marble counts of the trays.
    """

    frame: Frame
    repeats: int
    seat: int = -1
    caption: str = ""
    tray_counts: tuple[TrayCount, ...] = ()


class MatchDrawing:
    """Renderer of a match at its cursor, for pictures with a given aspect ratio (width / height).

    ``colours`` defaults to the standard theme. ``from_above`` selects a view straight down, ``show_choices`` marks the
    legal moves on the boards, and ``table`` shows the marbles beside them. Until the match is over, only public
    information is drawn.

    The fractions ``head`` and ``foot`` of the picture are left free for names and text. If either is set, the boards
    are centred and as large as possible, even if their surroundings are cut off.
    """

    def __init__(
        self,
        match: Match,
        aspect: float,
        *,
        colours: Theme | None = None,
        from_above: bool = False,
        show_choices: bool = False,
        table: bool = False,
        head: float = 0.0,
        foot: float = 0.0,
    ) -> None:
        self.head, self.foot = head, foot
        self.match, self.aspect, self.colours, self.show_choices = (
            match,
            aspect,
            colours or make_theme(),
            show_choices,
        )
        self.viewer = visibility.public_viewer(match)
        first = marble_state(match.initial_state)
        sizes = [first.size] * len(first.board_names)
        self.tabletop = Tabletop(first, marble_facts(match.game, first.seats)) if table else None
        if head or foot:
            self.camera = make_home_camera(
                sizes, aspect, panels=_reserved_panels(head, foot), from_above=from_above
            )
        else:
            camera = make_home_camera(sizes, aspect, self.tabletop.layout.outlines if self.tabletop else ())
            self.camera = camera.from_above() if from_above else camera
        self.stage = MarbleScene(sizes, "off")
        self._tray_view: TableContents | None = None

    def draw_still(self) -> Frame:
        """Return a frame of the board at the cursor, with the last turn marked and no animation."""
        state = self._visible_state()
        self.stage.finish()
        self.stage.reset(state)
        return self._make_frame(0.0, state, self._still_signs(state))

    def draw_film(self, first: int, last: int, rate: int, speed: float = 1.0) -> Iterator[FilmFrame]:
        """Yield the frames that animate the moves from ``first`` up to but not including ``last``.

        Moves are numbered from 0. ``rate`` is in frames per second, and ``speed`` is relative to the normal speed in
        the window. The animation pauses before and after each move. The cursor of the match is moved.
        """
        self.match.go_to(first)
        self.stage.timeline.speed = "normal"
        rest = max(1, round(PAUSE_SECONDS * rate / speed))
        told = describe_viewed_ply(self.match, first - 1, self.viewer)
        yield FilmFrame(self.draw_still(), rest, caption=told, tray_counts=self._tray_counts())
        for number in range(first, last):
            told = describe_viewed_ply(self.match, number, self.viewer)
            yield from self._animate_move(number, rate / speed, told)
            yield FilmFrame(self.draw_still(), rest, self.match.plies[-1].seat, told, self._tray_counts())
        yield FilmFrame(self.draw_still(), *_end_frame(self.match, rate, rest, told), self._tray_counts())

    def _animate_move(self, number: int, rate: float, told: str) -> Iterator[FilmFrame]:
        """Yield the frames that animate move ``number`` and then highlight its result."""
        self.match.go_to(number + 1)
        ply, state = self.match.plies[-1], self._visible_state()
        events = marble_events(visibility.observe_events(self.match.game, ply.state, self.viewer, ply.events))
        if self.tabletop and self._tray_view:
            heaps, chosen = self._tray_view.heaps, self._tray_view.dish_heap
            places = self.tabletop.stock_positions(ply.seat, ply.seat, (), heaps, chosen, events)
            self.stage.timeline.set_stocks(places, self.tabletop.row_positions)
        try:
            self.stage.play(events, 0.0)
        except LookupError:
            return  # the viewer may not know which marbles moved
        picture = 1
        while self.stage.is_animating(picture / rate):
            lies = not self.stage.timeline.is_animating(picture / rate)
            signs = self._ending_signs(state) if lies else []
            yield FilmFrame(
                self._make_frame(picture / rate, state, signs), 1, ply.seat, told, self._tray_counts()
            )
            picture += 1

    def _visible_state(self) -> State:
        return marble_state(visibility.observe(self.match.game, self.match.state, self.viewer))

    def _make_frame(self, now: float, state: State, signs: list[Sign]) -> Frame:
        self._tray_view = None
        if self.tabletop:
            under_way = self.stage.timeline.pending_stock_changes(now)
            viewer = state.to_move or 0
            lit = () if self.stage.timeline.is_animating(now) else self.tabletop.decisive_heaps(state, viewer)
            self._tray_view = self.tabletop.make_contents(state, viewer, under_way, None, highlighted=lit)
        return self.stage.frame(
            now,
            self.camera,
            self.colours,
            signs=signs,
            extra_balls=self._tray_view.balls if self._tray_view else (),
            pieces=self._tray_view.pieces if self._tray_view else (),
            aspect=self.aspect,
        )

    def _tray_counts(self) -> tuple[TrayCount, ...]:
        """Return the marble counts of the trays in the latest frame."""
        if not (self._tray_view and self._tray_view.count_labels):
            return ()
        places = np.array([at for at, _ in self._tray_view.count_labels])
        seen, _ = self.camera.project(places, self.aspect, 1.0)
        return tuple(
            TrayCount(float(x), float(y), number)
            for (x, y), (_, number) in zip(seen, self._tray_view.count_labels, strict=True)
        )

    def _still_signs(self, state: State) -> list[Sign]:
        signs = self._ending_signs(state)
        if not any(sign.kind in (*HIGHLIGHT_KINDS, SignKind.DECIDED_BESIDE) for sign in signs):
            last = last_turn_points(self.match, state, self.viewer)
            signs += [Sign(SignKind.LAST, board, point) for board, point in last]
        return signs + (self._choice_signs() if self.show_choices else [])

    def _ending_signs(self, state: State) -> list[Sign]:
        beside = self.tabletop is not None and bool(self.tabletop.decisive_heaps(state, state.to_move or 0))
        return make_ending_signs(state, last_turn_points(self.match, state, self.viewer), beside)

    def _choice_signs(self) -> list[Sign]:
        covered = visibility.covered_boards(self.match.state, self.viewer)
        signs: list[Sign] = []
        open_: dict[tuple[int, int], tuple[int, ...]] = {}
        for move in marble_moves(self.match.game.moves(self._visible_state())):
            if move.board in covered:
                continue
            seat = (move.board, move.point)
            if move.kind == "enter":
                signs.append(Sign(SignKind.ENTRY, *seat, side=move.side))
            elif move.point >= 0:
                open_[seat] = (*open_.get(seat, ()), move.colour)
        return signs + [Sign(SignKind.LEGAL, *seat, colours=several) for seat, several in open_.items()]


def still_of(
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

    The options are those of :class:`MatchDrawing`.
    """
    drawing = make_drawing(match, width / height, colours=colours, above=above, choices=choices, table=table)
    return drawing.draw_still(), drawing.camera


def make_drawing(
    match: Match,
    aspect: float,
    *,
    colours: Theme | None = None,
    above: bool = False,
    choices: bool = False,
    table: bool = False,
    head: float = 0.0,
    foot: float = 0.0,
) -> MatchDrawing | SceneDrawing:
    """Return a renderer for ``match`` that suits its table kind.

    The fractions ``head`` and ``foot`` of the picture are left free for names and text.
    """
    if isinstance(match.game.facts(len(match.seats)), MarbleFacts):
        return MatchDrawing(
            match,
            aspect,
            colours=colours,
            from_above=above,
            show_choices=choices,
            table=table,
            head=head,
            foot=foot,
        )
    return SceneDrawing(match, aspect, colours or make_theme(), above, head, foot)


class SceneDrawing:
    """Renderer of a match not played on marble boards, with the same interface as :class:`MatchDrawing`.

    Only public information is drawn, and the camera is always on the same side.
    """

    def __init__(
        self, match: Match, aspect: float, colours: Theme, above: bool, head: float = 0.0, foot: float = 0.0
    ) -> None:
        self.match, self.colours, self.head, self.foot = match, colours, head, foot
        self.viewer, self.front = visibility.public_viewer(match), visibility.front_seat(match)
        self.scene = make_scene(match.game, len(match.seats))
        self.scene.language = language()
        self.camera = make_home_camera_for_hull(
            self.scene.hull, self.scene.view_direction, aspect, _reserved_panels(head, foot), from_above=above
        )

    def draw_still(self) -> Frame:
        """Return a frame of the table at the cursor, with the last move marked and no animation."""
        self.scene.speed = "off"
        seen = self._seen()
        self.scene.finish()
        self.scene.reset(seen, self.front)
        return self._frame(0.0)

    def draw_film(self, first: int, last: int, rate: int, speed: float = 1.0) -> Iterator[FilmFrame]:
        """Yield the frames of the moves from ``first`` up to but not including ``last``.

        See :meth:`MatchDrawing.draw_film`.
        """
        self.match.go_to(first)
        rest = max(1, round(PAUSE_SECONDS * rate / speed))
        told = describe_viewed_ply(self.match, first - 1, self.viewer)
        yield FilmFrame(self.draw_still(), rest, caption=told)
        for number in range(first, last):
            told = describe_viewed_ply(self.match, number, self.viewer)
            self.match.go_to(number + 1)
            self.scene.speed = "normal"
            seen = self._seen()
            ply = self.match.plies[-1]
            events = visibility.observe_events(self.match.game, ply.state, self.viewer, ply.events)
            try:
                self.scene.play(events, 0.0, seen, self.front)
            except LookupError:
                self.scene.reset(seen, self.front)
            picture = 1
            while self.scene.is_animating(picture * speed / rate):
                yield FilmFrame(self._frame(picture * speed / rate), 1, ply.seat, told)
                picture += 1
            yield FilmFrame(self.draw_still(), rest, ply.seat, told)
        yield FilmFrame(self.draw_still(), *_end_frame(self.match, rate, rest, told))

    def _seen(self) -> game.State:
        return visibility.observe(self.match.game, self.match.state, self.viewer)

    def _frame(self, now: float) -> Frame:
        last = self.match.plies[-1].events if self.match.plies else ()
        told = visibility.observe_events(self.match.game, self.match.state, self.viewer, last)
        return self.scene.frame(now, self.colours, TableHighlights(last_events=tuple(told)))


def _reserved_panels(head: float, foot: float) -> list[tuple[float, float, float, float]]:
    """Return panels that cover the top and bottom parts of a picture."""
    return [(0.0, 0.0, 1.0, head)] * (head > 0) + [(0.0, 1.0 - foot, 1.0, 1.0)] * (foot > 0)


def _end_frame(match: Match, rate: int, rest: int, told: str) -> tuple[int, int, str]:
    """Return the repeat count, highlighted seat (-1 for none) and caption of the last frame of a film."""
    if match.state.to_move is not None:
        return rest, -1, told
    return max(rest, round(END_SECONDS * rate)), -1, describe_result(match)


def describe_viewed_ply(match: Match, number: int, viewer: int | None) -> str:
    """Describe move ``number`` as far as ``viewer`` may know it; return "" if ``number`` is negative."""
    if number < 0:
        return ""
    plies = (*match.plies, *match.undone)[: number + 1]
    ply, names = plies[number], match.names
    turn = ply.turn + 1
    if number in visibility.hidden_plies(match, plies, viewer):
        told = _("{who}: {did}", who=names[ply.seat], did=_("chose in secret"))
    else:
        events = visibility.observe_events(match.game, ply.state, viewer, ply.events)
        if isinstance(match.game.facts(len(match.seats)), MarbleFacts):
            seen = marble_state(visibility.observe(match.game, ply.state, viewer))
            hidden = visibility.hidden_plies(match, plies, viewer)
            turn_events = marble_events(
                event
                for each in last_turn(plies)
                if each not in hidden
                for event in visibility.observe_events(
                    match.game, plies[each].state, viewer, plies[each].events
                )
            )
            told = sentences.describe_turn(seen, ply.seat, turn_events, language(), names)
        else:
            did = describe_ply(match, plies, number, events)
            told = _("{who}: {did}", who=names[ply.seat], did=did) if len(names) > 1 else did
    return _("Turn {turn} – {told}", turn=turn, told=told) if told else _("Turn {turn}", turn=turn)


def last_turn_points(match: Match, state: State, viewer: int | None) -> set[tuple[int, int]]:
    """Return (board, point) of each marble that the last turn placed or moved.

    Only moves that ``viewer`` may know are included.
    """
    plies, hidden = match.plies, visibility.hidden_plies(match, match.plies, viewer)
    shown = [ply for number, ply in enumerate(plies) if number not in hidden and ply.turn == plies[-1].turn]
    turn = events_of(shown)
    filled = [state.filled(board) for board in range(len(state.board_names))]
    return {(board, point) for board, point in _changed_points(turn) if filled[board] >> point & 1}


def _changed_points(events: Iterable[Event]) -> set[tuple[int, int]]:
    places: set[tuple[int, int]] = set()
    for event in events:
        if isinstance(event, Placed | Moved | Entered):
            places.add((event.board, event.point))
        elif isinstance(event, Dropped | Pushed | SideDropped) and (event.board, event.origin) in places:
            places.discard((event.board, event.origin))
            places.add((event.board, event.point))
    return places
