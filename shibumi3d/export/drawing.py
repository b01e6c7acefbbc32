"""Off-screen drawing of matches, as frames for still pictures and animated moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shibumi3d.i18n import language
from shibumi3d.match import visibility
from shibumi3d.match.marbles import has_marbles, last_turn_points, marble_events, marble_moves, marble_state
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.scene.camera import (
    Camera,
    make_group_camera,
    make_home_camera,
    make_home_camera_for_hull,
)
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import HIGHLIGHT_KINDS, Sign, SignKind, make_ending_signs
from shibumi3d.scene.marbles.tabletop import TableContents, Tabletop
from shibumi3d.scene.palette import Theme, make_theme
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import TableHighlights
from shibumi3d.wording import caption_ply, describe_result

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules import game
    from shibumi3d.rules.marbles.state import State

FILM_HEADROOM = 0.05
"""Space for moving marbles, kept free above a full pyramid, as a fraction of the picture's height."""

PAUSE_SECONDS = 0.7
"""Pause between moves in seconds, the same as when a match is played back in the window."""
END_SECONDS = 3.0
"""How long a film shows the end of a match, in seconds."""


class TrayCount(NamedTuple):
    """Number of marbles in a heap or in the bag, and where to draw it.

    ``x`` and ``y`` are measured from the top left corner of the picture, in picture heights. ``text`` is the number,
    "?" if it isn't known, or empty if only the symbol of ``seat`` is drawn. For a dish with the marbles that one player
    has taken, ``seat`` is that player's seat; otherwise, it is -1.
    """

    x: float
    y: float
    text: str
    seat: int = -1


class FilmFrame(NamedTuple):
    """A frame of a film, with its caption and repeat count.

    ``frame`` is shown ``repeats`` times in a row. ``seat`` is the acting seat, or -1 for none. ``caption`` describes
    the move, or is empty before the first move. If the match is over, the caption of the last frame describes the
    result. ``tray_counts`` are the marble counts to write on the frame.
    """

    frame: Frame
    repeats: int
    seat: int = -1
    caption: str = ""
    tray_counts: tuple[TrayCount, ...] = ()


class Drawing(ABC):
    """Off-screen drawing of a match, as frames for pictures and films.

    ``aspect`` is the aspect ratio of the pictures (width / height). If ``theme`` is None, the standard theme is used.
    If the match isn't over, only public information is drawn; otherwise, everything is drawn, even in frames before the
    end. ``top_margin`` and, in subclasses, ``bottom_margin`` are the fractions of the picture's height that are left
    free for names and text.
    """

    camera: Camera

    def __init__(self, match: Match, aspect: float, theme: Theme | None, top_margin: float) -> None:
        self.match, self.aspect, self.theme = match, aspect, theme or make_theme()
        self.top_margin = top_margin
        self.viewer = visibility.public_viewer(match)

    @abstractmethod
    def draw_still(self) -> Frame:
        """Return a still frame of the state at the cursor.

        In a match with marbles, the decisive marbles are marked if there are any; otherwise, the last turn is.
        """

    @abstractmethod
    def _animate_last_move(self, rate: int, speed: float, caption: str) -> Iterator[FilmFrame]:
        """Yield the frames that animate the move before the cursor.

        If the viewer knows too little about the move to animate it, there are no frames. ``caption`` is the caption of
        every frame. ``rate`` and ``speed`` are as in :meth:`draw_film`.
        """

    def _tray_counts(self) -> tuple[TrayCount, ...]:
        """Return the marble counts of the trays in the latest frame."""
        return ()

    def draw_film(self, first: int, last: int, rate: int, speed: float = 1.0) -> Iterator[FilmFrame]:
        """Yield the frames that animate the moves from ``first`` up to but not including ``last``.

        Moves are numbered from 0. ``rate`` is in frames per second, and ``speed`` is relative to the normal speed in
        the window. The animation pauses before and after each move. The cursor of the match is moved.
        """
        self.match.go_to(first)
        pause = max(1, round(PAUSE_SECONDS * rate / speed))
        caption = caption_ply(self.match, first - 1, self.viewer)
        yield FilmFrame(self.draw_still(), pause, -1, caption, self._tray_counts())
        for number in range(first, last):
            caption = caption_ply(self.match, number, self.viewer)
            self.match.go_to(number + 1)
            yield from self._animate_last_move(rate, speed, caption)
            yield FilmFrame(self.draw_still(), pause, self.match.plies[-1].seat, caption, self._tray_counts())
        if self.match.state.to_move is None:
            pause, caption = max(pause, round(END_SECONDS * rate)), describe_result(self.match)
        yield FilmFrame(self.draw_still(), pause, -1, caption, self._tray_counts())


class MarbleDrawing(Drawing):
    """Off-screen drawing of a match that is played with marbles.

    ``from_above`` selects a view straight down, ``show_choices`` marks the legal moves on the boards, and ``table``
    shows the marbles beside the boards. If ``top_margin`` or ``bottom_margin`` isn't 0, the boards and any marbles
    beside them are shown as one group between the margins.
    """

    def __init__(
        self,
        match: Match,
        aspect: float,
        *,
        theme: Theme | None = None,
        from_above: bool = False,
        show_choices: bool = False,
        table: bool = False,
        top_margin: float = 0.0,
        bottom_margin: float = 0.0,
    ) -> None:
        super().__init__(match, aspect, theme, top_margin)
        self.show_choices = show_choices
        first = marble_state(match.initial_state)
        sizes = [first.size] * len(first.board_names)
        self.tabletop = Tabletop(first, marble_facts(match.game, first.seats)) if table else None
        outlines = self.tabletop.layout.outlines if self.tabletop else ()
        if top_margin or bottom_margin:
            headroom = 0.0 if from_above else FILM_HEADROOM
            panels = _reserved_panels(top_margin + headroom, bottom_margin)
            self.camera = make_group_camera(sizes, aspect, outlines, panels, from_above=from_above)
        else:
            camera = make_home_camera(sizes, aspect, outlines)
            self.camera = camera.from_above() if from_above else camera
        self.scene = MarbleScene(sizes, "off")
        self.scene.timeline.top_margin = top_margin
        self._contents: TableContents | None = None

    def draw_still(self) -> Frame:
        state = self._visible_state()
        self.scene.finish()
        self.scene.reset(state)
        return self._make_frame(0.0, state, self._still_signs(state))

    def _animate_last_move(self, rate: int, speed: float, caption: str) -> Iterator[FilmFrame]:
        ply, state = self.match.plies[-1], self._visible_state()
        events = marble_events(visibility.observe_events(self.match.game, ply.state, self.viewer, ply.events))
        if self.tabletop and self._contents:
            heaps, chosen = self._contents.heaps, self._contents.dish_heap
            places = self.tabletop.stock_positions(ply.seat, ply.seat, (), heaps, chosen, events)
            self.scene.timeline.set_stocks(places, self.tabletop.row_positions)
        self.scene.timeline.speed = "normal"
        try:
            self.scene.play(events, 0.0)
        except LookupError:
            return  # the viewer may not know which marbles moved
        frame_rate, number = rate / speed, 1
        while self.scene.is_animating(now := number / frame_rate):
            signs = [] if self.scene.timeline.is_animating(now) else self._ending_signs(state)
            frame = self._make_frame(now, state, signs)
            yield FilmFrame(frame, 1, ply.seat, caption, self._tray_counts())
            number += 1

    def _visible_state(self) -> State:
        return marble_state(visibility.observe(self.match.game, self.match.state, self.viewer))

    def _make_frame(self, now: float, state: State, signs: list[Sign]) -> Frame:
        self._contents = None
        if self.tabletop:
            under_way = self.scene.timeline.pending_stock_changes(now)
            viewer = state.to_move or 0
            lit = () if self.scene.timeline.is_animating(now) else self.tabletop.decisive_heaps(state, viewer)
            self._contents = self.tabletop.make_contents(
                state, viewer, under_way, None, highlighted=lit, plies=self.match.plies
            )
        return self.scene.frame(
            now,
            self.camera,
            self.theme,
            signs=signs,
            extra_balls=self._contents.balls if self._contents else (),
            pieces=self._contents.pieces if self._contents else (),
            aspect=self.aspect,
        )

    def _tray_counts(self) -> tuple[TrayCount, ...]:
        labels = self._contents.labels() if self._contents else ()
        if not labels:
            return ()
        seen, _ = self.camera.project(np.array([label.position for label in labels]), self.aspect, 1.0)
        return tuple(
            TrayCount(float(x), float(y), label.text, label.seat)
            for (x, y), label in zip(seen, labels, strict=True)
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
        colours_by_cell: dict[tuple[int, int], tuple[int, ...]] = {}
        for move in marble_moves(self.match.game.moves(self._visible_state())):
            if move.board in covered:
                continue
            cell = (move.board, move.point)
            if move.kind == "enter":
                signs.append(Sign(SignKind.ENTRY, *cell, side=move.side))
            elif move.point >= 0:
                colours_by_cell[cell] = (*colours_by_cell.get(cell, ()), move.colour)
        return signs + [
            Sign(SignKind.LEGAL, *cell, colours=colours) for cell, colours in colours_by_cell.items()
        ]


class SceneDrawing(Drawing):
    """Off-screen drawing of a match that is played without marbles.

    The table is always oriented towards the same seat; see :func:`.default_perspective_seat`.
    """

    def __init__(
        self,
        match: Match,
        aspect: float,
        *,
        theme: Theme | None = None,
        from_above: bool = False,
        top_margin: float = 0.0,
        bottom_margin: float = 0.0,
    ) -> None:
        super().__init__(match, aspect, theme, top_margin)
        self.front = visibility.default_perspective_seat(match)
        self.scene = make_scene(match.game, len(match.seats))
        self.scene.language = language()
        self.camera = make_home_camera_for_hull(
            self.scene.hull,
            self.scene.view_direction,
            aspect,
            _reserved_panels(top_margin, bottom_margin),
            from_above=from_above,
        )

    def draw_still(self) -> Frame:
        self.scene.speed = "off"
        seen = self._visible_state()
        self.scene.finish()
        self.scene.reset(seen, self.front)
        return self._make_frame(0.0)

    def _animate_last_move(self, rate: int, speed: float, caption: str) -> Iterator[FilmFrame]:
        self.scene.speed = "normal"
        seen, ply = self._visible_state(), self.match.plies[-1]
        events = visibility.observe_events(self.match.game, ply.state, self.viewer, ply.events)
        try:
            self.scene.play(events, 0.0, seen, self.front)
        except LookupError:
            self.scene.reset(seen, self.front)
        number = 1
        while self.scene.is_animating(now := number * speed / rate):
            yield FilmFrame(self._make_frame(now), 1, ply.seat, caption)
            number += 1

    def _visible_state(self) -> game.State:
        return visibility.observe(self.match.game, self.match.state, self.viewer)

    def _make_frame(self, now: float) -> Frame:
        events = self.match.plies[-1].events if self.match.plies else ()
        seen = visibility.observe_events(self.match.game, self.match.state, self.viewer, events)
        return self.scene.frame(now, self.theme, TableHighlights(last_events=tuple(seen)))


def make_drawing(
    match: Match,
    aspect: float,
    *,
    theme: Theme | None = None,
    from_above: bool = False,
    show_choices: bool = False,
    table: bool = False,
    top_margin: float = 0.0,
    bottom_margin: float = 0.0,
) -> Drawing:
    """Return the drawing of ``match`` that suits its table kind.

    The options are those of :class:`MarbleDrawing`. Tables without marbles are always shown whole and without marks for
    the legal moves, whatever ``table`` and ``show_choices`` are.
    """
    if not has_marbles(match):
        return SceneDrawing(
            match,
            aspect,
            theme=theme,
            from_above=from_above,
            top_margin=top_margin,
            bottom_margin=bottom_margin,
        )
    return MarbleDrawing(
        match,
        aspect,
        theme=theme,
        from_above=from_above,
        show_choices=show_choices,
        table=table,
        top_margin=top_margin,
        bottom_margin=bottom_margin,
    )


def _reserved_panels(top_margin: float, bottom_margin: float) -> list[tuple[float, float, float, float]]:
    """Return the non-empty margins as rectangles (left, top, right, bottom), in fractions of the picture's size."""
    return [(0.0, 0.0, 1.0, top_margin)] * (top_margin > 0) + [(0.0, 1.0 - bottom_margin, 1.0, 1.0)] * (
        bottom_margin > 0
    )
