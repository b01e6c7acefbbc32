"""Hints and analysis drawn on boards: marked points, and numbered ghosts for the best turns."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import _, language
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.players import Choice

from ...board.adviser import Adviser
from ...ui.button import Button
from .parts import Table
from .solution import Solution

PALE = 0.35
"""Opacity of the ghosts that show the best turns."""


class Advice(Adviser):
    """Hints and analysis for the person to move in a game with marbles."""

    def __init__(self, page: Table) -> None:
        self.page, self.session, self.control = page, page.session, page.control
        super().__init__(
            page,
            _("The best move is at one of the marked spots."),
            _("Hint: first where, then which move; a third press plays it  H"),
        )
        self.solution = Solution(page)
        self.offered: tuple[Button, ...] = (self.hint, self.watch)
        """Help buttons, shown if there is room."""
        self.buttons = (self.hint, self.watch, self.solution.button)
        self._ghosts: tuple[Choice | None, list[Sign], list[Ghost]] = None, [], []

    def open_moves(self) -> Sequence[Move]:
        return self.control.moves

    def update(self) -> None:
        super().update()
        self.solution.update()

    def close(self) -> None:
        self.solution.stop()
        super().close()

    def settle(self) -> None:
        self.page.doing.skip()

    def make(self, move: Move) -> None:
        self.page.doing.play_move(move)

    def marked(self, move: Move) -> bool:
        return bool(_places(move))

    def plain(self, move: Move) -> str:
        return self.page.doing.say_choice(move)

    def named(self, move: Move) -> str:
        points, why = _places(move), self.reasons()
        if not points:
            told = self.plain(move)
            return _("{told}: {why}.", told=told, why=why) if why else _("{text}.", text=told)
        names = [self.session.state.point_name(point, board) for board, point in points]
        told = ", ".join(names)
        if move.coloured and len(self.control.tray) > 1:
            colour = capital(word(COLOURS[move.colour], language()))
            told = _("{colour} on {points}", colour=colour, points=told)
        return _("{told} {why}.", told=told, why=why) if why else _("Best: {points}.", points=told)

    def described(self, texts: Sequence[str]) -> str:
        page = self.page
        parts = sentences.foreseen(page.match.game, self.session.own_view(), texts, language(), page.names)
        return ", ".join(part.beside or part.words for part in parts)

    def region(self) -> list[tuple[int, int]]:
        """Return the points that the hint marks, as pairs of board and point.

        In the first stage, these are the points of the best move and of moves that are nearly as good, and the legal
        targets that touch the best point. From the second stage on, they are only the points of the best move.
        """
        best = self.best()
        if best is None:
            return []
        points = _places(best)
        if self.stage > 1:
            return points
        near = [move for turn in self.near() if (move := self.move(turn.moves[0])) is not None]
        points = [*points, *[place for move in near for place in _places(move)]]
        pyr = pyramid(self.session.state.size)
        around = set(points)
        open_ = {spot[:2] for spot in self.control.targets}
        for board, point in points[:1]:
            around |= {(board, p) for p in bits(pyr.touching[point]) if (board, p) in open_}
        return sorted(around)

    # Display

    def signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs for the hint and, during analysis, the numbered ghosts for the best turns."""
        signs = [Sign(SignKind.HINT, board, point) for board, point in self.region()]
        if not self.analysing or self.found is None or not self.may or self._asked is None:
            return signs, []
        if self._ghosts[0] is not self.found:
            self._ghosts = (self.found, *self._numbered())
        return signs + self._ghosts[1], self._ghosts[2]

    def _numbered(self) -> tuple[list[Sign], list[Ghost]]:
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        assert self.found is not None
        for number, turn in enumerate(self.found.analysis.turns, 1):
            place = self._end_of(turn.moves)
            if place is not None and (place.board, place.point) not in [(s.board, s.point) for s in signs]:
                signs.append(Sign(SignKind.NUMBER, place.board, place.point, strong=True, number=number))
                if place.colour >= 0:
                    ghosts.append(place)
        return signs, ghosts

    def _end_of(self, texts: tuple[str, ...]) -> Ghost | None:
        """Return a ghost of the first marble that a turn sets down, or None if there is none.

        If the turn only removes marbles, return the point of the first marble removed, with colour -1.
        """
        game = self.session.match.game
        seen = self.session.view if self.looks_back else self.control.view
        found: Ghost | None = None
        for text in texts:
            try:
                move = next((move for move in game.moves(seen) if move.text == text), None)
                if move is None:
                    break
                known = game.foresee(seen, move)
            except RuleFailure:
                break
            for event in known.events:
                if isinstance(event, ev.Placed | ev.Moved | ev.Entered):
                    if found is None or found.colour < 0:
                        found = Ghost(event.board, event.point, event.colour, PALE)
                elif isinstance(event, ev.Lifted | ev.Removed) and found is None:
                    found = Ghost(event.board, event.point, -1)
            if known.after is None:
                break
            seen = known.after
        return found


def _places(move: Move) -> list[tuple[int, int]]:
    """Return the points that a move names, as pairs of board and point."""
    if move.on_point:
        return [(move.board, move.point)]
    return [(move.board, point) for point in bits(move.value)] if move.kind == "points" else []
