"""Hints and analysis drawn on boards of marbles, and the automatic solver for solo and cooperative games."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import _, language, localize
from shibumi3d.match.marbles import marble_move
from shibumi3d.rules import game
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import State
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.players import Choice
from shibumi3d.search.solver import BestScore, SolveResult
from shibumi3d.search.worker import Answer

from ...host.settings import BEST_RUNS
from ...host.solver import MAX_SOLVER_MOVES, explain_unsolved
from ...ui.button import Button
from ..hints import HintsAndAnalysis
from .interfaces import MarblePage

TURN_PAUSE_SECONDS, SOLUTION_STEP_PAUSE_SECONDS = 0.5, 0.15
"""Seconds between the end of all motion and the next move.

The first applies at the start of a turn, the second to later steps of a turn.
"""
TICK_SECONDS = 0.05


class AutoSolver:
    """Solver that finds a winning line, or the line with the highest score, and plays it move by move.

    Each move played counts as a hint and can be undone. The match records that its solution was shown. :attr:`button`
    starts and stops the solver.
    """

    def __init__(self, page: MarblePage) -> None:
        self.page, self.model = page, page.model
        self.button = Button("", self.toggle, icon="play", kind="quiet", name="solve")
        self._searched_state: State | None = None
        """State from which the solver is searching, or None."""
        self._remaining_moves: list[str] = []
        self._expected_state: State | None = None
        """State in which the next of the remaining moves is to be played, or None."""
        self._idle_since: float | None = None
        """Clock time since which nothing has stood in the way of the next move, or None."""
        self._is_tick_scheduled = False

    @property
    def is_available(self) -> bool:
        """Whether the solver is available.

        The game must have a solver. Unless it is a solo game, chance must play no part after the setup. All seats must
        be played by people, and the match must be unfinished and not part of a lesson.
        """
        match = self.model.match
        has_chance = self.page.facts.has_chance_in_play
        return (
            bool(self.page.facts.solver and (len(match.seats) == 1 or not has_chance))
            and len(self.model.human_seats) == len(match.seats)
            and match.state.to_move is not None
            and not self.page.is_lesson
        )

    @property
    def is_active(self) -> bool:
        """Whether a solution is being searched for or played."""
        return self._searched_state is not None or bool(self._remaining_moves)

    def update(self) -> None:
        """Update the button, and stop solving if anything but the solver has changed the match."""
        if self.is_active and self.model.match.state is not (self._searched_state or self._expected_state):
            self.stop()
        self.button.visible = self.is_available
        self.button.enabled = self.model.can_choose
        self.button.is_on = self.is_active
        self.button.label = _("Stop") if self.is_active else _("Solve")
        self.button.tooltip = (
            _("Stop the solver and take over  Shift+H")
            if self.is_active
            else _("Find the solution and play it out  Shift+H")
        )

    def toggle(self) -> None:
        """Stop the solver if it is active; otherwise, start it if possible."""
        if self.is_active:
            self.stop()
            self.page.show_note("")
        elif self.is_available and self.model.can_choose:
            self._start_search()
        self.page.update()

    def stop(self) -> None:
        """Cancel the search and discard the remaining moves."""
        if self._searched_state is not None:
            self.page.app.solver.cancel()
        self._searched_state = self._expected_state = self._idle_since = None
        self._remaining_moves = []

    def _start_search(self) -> None:
        match = self.model.match
        self.page.actions.finish_animations()
        asked = self._searched_state = match.state

        def on_answer(answer: Answer) -> None:
            if self._searched_state is asked:
                self._searched_state = None
                self._on_answer(answer)
                self.page.update()

        self.page.show_note(_("Looking for a solution…"))
        name = "solve" if self.page.facts.solver == "win" else "find_best_score"
        self.page.app.solver.submit(
            on_answer,
            name,
            match.game,
            asked,
            max_moves=MAX_SOLVER_MOVES,
            # To see the solution is to give up the puzzle, so the solver may know which marbles will be drawn.
            known_chance=len(match.seats) == 1,
        )

    def _on_answer(self, answer: Answer) -> None:
        found = answer.value
        if answer.error is not None or not isinstance(found, SolveResult | BestScore):
            self.page.show_note(_("{text}.", text=capitalize_first(localize(answer.error or ""))))
        elif found.moves:
            self._remaining_moves, self._expected_state = list(found.moves), self.model.match.state
            self.page.show_note(
                _("Best score found: {n}.", n=found.score) if isinstance(found, BestScore) else ""
            )
            self._schedule_tick()
        else:
            self.page.show_note(explain_unsolved(found))

    def _schedule_tick(self) -> None:
        if not self._is_tick_scheduled:
            self._is_tick_scheduled = True
            self.page.app.schedule(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self._is_tick_scheduled = False
        if not self._remaining_moves or not self.page.is_current:
            return
        now, state = self.page.app.clock(), self.model.match.state
        covered = any(widget.covers_page for widget in self.page.app.root.popups)
        if (
            self.page.marble_scene.is_animating(self.page.animation_time())
            or not self.model.can_choose
            or covered
        ):
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = now
        elif now - self._idle_since >= (SOLUTION_STEP_PAUSE_SECONDS if state.step else TURN_PAUSE_SECONDS):
            self._play_next_move()
        self._schedule_tick()

    def _play_next_move(self) -> None:
        """Play the next move of the solution, count it as a hint, and record that the solution was shown."""
        match, advice = self.model.match, self.page.advice
        text, self._idle_since = self._remaining_moves.pop(0), None
        move = next(move for move in match.legal_moves() if move.text == text)
        seat = match.state.to_move
        assert seat is not None
        self._expected_state = None
        remaining_moves, self._remaining_moves = self._remaining_moves, []
        with match.save_once():
            advice.hint_counts[seat] += 1
            self.page.app.matches.mark_solution_shown(match)
            self.page.actions.play_move(move, may_end_turn=True)
        self._remaining_moves, self._expected_state = remaining_moves, match.state
        self.page.update()


BEST_RUN_OPACITY = 0.4
"""Opacity of the signs that show the next move of the best run."""
GHOST_OPACITY = 0.35
"""Opacity of the ghosts that show the best turns."""


class MarbleHints(HintsAndAnalysis):
    """Hints for the person to move, and analysis of the position, in a game with marbles."""

    page: MarblePage

    def __init__(self, page: MarblePage) -> None:
        self.model, self.controller = page.model, page.controller
        super().__init__(
            page,
            _("The best move is at one of the marked spots."),
            _("Hint: press once to see where to play, twice to see the move, three times to play it  H"),
        )
        self.auto_solver = AutoSolver(page)
        self.optional_buttons: tuple[Button, ...] = (self.hint_button, self.analysis_button)
        """Help buttons, shown if there is room."""
        self.buttons = (self.hint_button, self.analysis_button, self.auto_solver.button)
        self._ranking_cache: tuple[Choice | None, list[Sign], list[Ghost]] = None, [], []

    def legal_moves(self) -> Sequence[game.Move]:
        return self.controller.moves

    def update(self) -> None:
        super().update()
        self.auto_solver.update()

    def close(self) -> None:
        self.auto_solver.stop()
        super().close()

    def finish_animations(self) -> None:
        self.page.actions.finish_animations()

    def play_best_move(self, move: game.Move) -> None:
        self.page.actions.play_move(move)

    def marks_places_for(self, move: game.Move) -> bool:
        return bool(_points_of(marble_move(move)))

    def describe_move(self, move: game.Move) -> str:
        return self.page.actions.move_label(move)

    def name_move(self, move: game.Move) -> str:
        move, reasons = marble_move(move), self.reason_texts()
        points = _points_of(move)
        if points:
            text = ", ".join(self.model.state.point_name(point, board) for board, point in points)
            if move.places_colour and len(self.controller.available_colours) > 1:
                colour = capitalize_first(display_name(COLOURS[move.colour], language()))
                text = _("{colour} on {points}", colour=colour, points=text)
        else:
            text = self.describe_move(move)
        if not reasons:
            return _("Best: {points}.", points=text) if points else _("{text}.", text=text)
        why, *others = reasons
        if others:
            return _("{told}: this {why}, and it {also}.", told=text, why=why, also="; ".join(others))
        return _("{told}: this {why}.", told=text, why=why)

    def describe_turn(self, move_texts: Sequence[str]) -> str:
        page = self.page
        parts = sentences.preview_turn_parts(
            page.match.game, self.model.chooser_observation(), move_texts, language(), page.names
        )
        return ", ".join(part.text_beside_marble or part.text for part in parts)

    def hinted_points(self) -> list[tuple[int, int]]:
        """Return the points that the hint marks, as pairs of board and point.

        In the first stage, these are the points of the best move, the points of moves that are nearly as good, and the
        legal targets that touch the first point of the best move. From the second stage on, they are only the points of
        the best move. The list is empty if :meth:`best_move` returns None.
        """
        best = self.best_move()
        if best is None:
            return []
        points = _points_of(marble_move(best))
        if self.hint_stage > 1:
            return points
        near = [
            move
            for turn in self.near_best_turns()
            if (move := self.find_move(turn.move_texts[0])) is not None
        ]
        points = [*points, *[place for move in near for place in _points_of(marble_move(move))]]
        pyr = get_pyramid(self.model.state.size)
        around = set(points)
        open_ = {spot[:2] for spot in self.controller.targets}
        for board, point in points[:1]:
            around |= {(board, p) for p in iter_bits(pyr.touching[point]) if (board, p) in open_}
        return sorted(around)

    # Display

    def make_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for the hint and the analysis.

        Without a hint, the next move of the best run is shown instead if the user wants to see it. During analysis,
        further signs number the best turns, and each ghost shows the first marble that one of these turns sets down.
        Without analysis, there are no ghosts.
        """
        signs = [Sign(SignKind.HINT, board, point) for board, point in self.hinted_points()]
        signs = signs or self._best_run_signs()
        if (
            not self.is_analysing
            or self.best_choice is None
            or not self.is_allowed
            or self._analysed_state is None
        ):
            return signs, []
        if self._ranking_cache[0] is not self.best_choice:
            self._ranking_cache = (self.best_choice, *self._make_ranking_signs())
        return signs + self._ranking_cache[1], self._ranking_cache[2]

    def _best_run_signs(self) -> list[Sign]:
        """Return faint signs that show the next move of the best run on this deal, if the user wants to see it."""
        app, match = self.page.app, self.model.match
        if app.settings.best_run != BEST_RUNS[-1] or len(match.seats) > 1 or not self.model.can_choose:
            return []
        text = app.results.solo.next_best_move(match)
        move = self.find_move(text) if text else None
        if move is None:
            return []
        return [
            Sign(SignKind.HINT, board, point, alpha=BEST_RUN_OPACITY)
            for board, point in _points_of(marble_move(move))
        ]

    def _make_ranking_signs(self) -> tuple[list[Sign], list[Ghost]]:
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        assert self.best_choice is not None
        for number, turn in enumerate(self.best_choice.analysis.turns, 1):
            place = self._find_result_ghost(turn.move_texts)
            if place is not None and (place.board, place.point) not in [(s.board, s.point) for s in signs]:
                signs.append(
                    Sign(SignKind.NUMBER, place.board, place.point, is_highlighted=True, number=number)
                )
                if place.colour >= 0:
                    ghosts.append(place)
        return signs, ghosts

    def _find_result_ghost(self, move_texts: tuple[str, ...]) -> Ghost | None:
        """Return a ghost of the first marble that the moves in ``move_texts`` set down.

        Everything after the first random or secret outcome is ignored. If the moves set no marble down, return a ghost
        with colour -1 at the point of the first marble lifted or removed, or None if there is no such marble either.
        """
        rules = self.model.match.game
        seen = self.model.observation if self.is_reviewing else self.controller.observation
        result: Ghost | None = None
        for text in move_texts:
            try:
                move = next((move for move in rules.moves(seen) if move.text == text), None)
                if move is None:
                    break
                known = rules.preview(seen, move)
            except RuleFailure:
                break
            for event in known.events:
                if isinstance(event, ev.Placed | ev.Moved | ev.Entered):
                    if result is None or result.colour < 0:
                        result = Ghost(event.board, event.point, event.colour, GHOST_OPACITY)
                elif isinstance(event, ev.Lifted | ev.Removed) and result is None:
                    result = Ghost(event.board, event.point, -1)
            if known.after is None:
                break
            seen = known.after
        return result


def _points_of(move: Move) -> list[tuple[int, int]]:
    """Return the points that a move names, as pairs of board and point."""
    if move.is_on_single_point:
        return [(move.board, move.point)]
    return [(move.board, point) for point in iter_bits(move.value)] if move.kind == "points" else []
