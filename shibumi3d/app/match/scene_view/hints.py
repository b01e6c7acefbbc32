"""Hints and analysis for a table drawn by a TableScene."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import describe_move_in_sentence

from ..evaluation import EVALUATION_CARD_HEIGHT_PX, EvaluationBar
from ..hints import HintsAndAnalysis

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move
    from shibumi3d.scene.table_scene import TableScene

    from ..players import MatchPageInterface
    from .spots import SpotSelection


MAX_DECOY_SPOTS = 3
"""Maximum number of nearby open spots that the first stage of a hint marks in addition to the spots of good moves."""


class SceneHints(HintsAndAnalysis):
    """Hints and analysis for the person to move, based only on what that person may know."""

    def __init__(
        self,
        page: MatchPageInterface,
        scene: TableScene,
        selection: SpotSelection,
        show_in_list: Callable[[Move | None], None],
    ) -> None:
        super().__init__(
            page,
            _("The best choice is one of those marked."),
            _("Hint: press once to see where to play, twice to see the move, three times to play it  H"),
        )
        self.model, self._scene, self._selection = page.model, scene, selection
        self._show_in_list = show_in_list

    def finish_animations(self) -> None:
        self._scene.finish()

    def play_best_move(self, move: Move) -> None:
        self.page.actions.play_move(move)

    def marks_places_for(self, move: Move) -> bool:
        return bool(self._spots_of(move))

    def describe_move(self, move: Move) -> str:
        game = self.page.match.game
        return capitalize_first(
            game.describe_outcome(self.model.chooser_observation(), move, language(), self.page.names)
        )

    def name_move(self, move: Move) -> str:
        text = self.describe_move(move)
        for why in (capitalize_first(self.describe_reasons()), self._search_evidence(move)):
            if why:
                text = _("{told}. {why}", told=text, why=why)
        return _("{text}.", text=text)

    def _search_evidence(self, move: Move) -> str:
        """Return the search's evidence for a move, or "" if there is none.

        The evidence says that the move is a forced win, that there is nothing better, or that the move was picked at
        random among equally good ones. Otherwise, it gives the share of simulated games that the move wins and, if
        known, that of the next best move.
        """
        turns = self.best_choice.analysis.turns if self.best_choice is not None else ()
        mine = next((turn for turn in turns if turn.move_texts[0] == move.text), None)
        if mine is None and len({round(100 * turn.mean_value) for turn in turns}) == 1:
            # The best strategy for a hidden choice is mixed: the move is drawn at random, so that others can't predict
            # it.
            return _(
                "Other choices are just as good; this one was picked at random so that nobody can guess it"
            )
        if mine is None or not mine.visits:
            return ""
        if mine.is_proved:
            return _("It's a forced win") if mine.lower_bound >= 1 else _("There is nothing better")
        other = next((turn for turn in turns if turn.move_texts[0] != move.text and turn.visits), None)
        next_best = self.find_move(other.move_texts[0]) if other is not None else None
        gained = round(100 * mine.mean_value)
        if other is None or next_best is None:
            return _("Wins {n}% of simulated games", n=gained)
        return _(
            "Wins {n}% of simulated games; the next best ({other}) wins {m}%",
            n=gained,
            other=self._inline_move_text(next_best),
            m=round(100 * other.mean_value),
        )

    def _inline_move_text(self, move: Move) -> str:
        model = self.model
        state, seat = (
            (self.analysed_state, self.analysed_state.to_move)
            if self.is_reviewing
            else (model.chooser_observation(), model.choosing_seat)
        )
        return describe_move_in_sentence(self.page.match, state, seat, move, self.page.names)

    def move_label(self, move: Move) -> str:
        """Return the label that a move has in the list of moves."""
        game = self.page.match.game
        view = (
            game.observe(self.analysed_state, self.analysed_state.to_move)
            if self.is_reviewing
            else self.model.chooser_observation()
        )
        return capitalize_first(game.move_label(view, move, language(), self.page.names))

    def _spots_of(self, move: Move) -> frozenset[str]:
        clicks = self._scene.clicks_for(move)
        return (clicks.picks | {clicks.last_spot}) & self._scene.spots().keys()

    def hinted_spots(self) -> frozenset[str]:
        """Return the keys of the spots that the hint marks.

        In the first stage, these are the spots of all moves that are about as good as the best one, and up to
        :data:`MAX_DECOY_SPOTS` of the other open spots, those nearest to the best move. In later stages, they are only
        the spots of the best move. The result is empty if there is no hint or if the best move has no spots.
        """
        best = self.best_move()
        if best is None:
            return frozenset()
        spots = self._spots_of(best)
        if self.hint_stage > 1 or not spots:
            return spots
        near = [
            move
            for turn in self.near_best_turns()
            if (move := self.find_move(turn.move_texts[0])) is not None
        ]
        found = spots.union(*[self._spots_of(move) for move in near])
        every = self._scene.spots()
        x, y, _ = every[min(spots)].position
        others = self._selection.open_spots - found

        def away(key: str) -> float:
            return (every[key].position[0] - x) ** 2 + (every[key].position[1] - y) ** 2

        return found | set(sorted(others & every.keys(), key=away)[:MAX_DECOY_SPOTS])

    def hinted_move(self) -> Move | None:
        """Return the move that the hint marks in the list of moves, or None if it marks none.

        In the first stage, the best move is marked only if the table has no spot to mark for it. In later stages, it is
        always marked.
        """
        best = self.best_move()
        return best if best is not None and (self.hint_stage > 1 or not self._spots_of(best)) else None

    def on_hint_shown(self) -> None:
        self._show_in_list(self.hinted_move())

    def ranked_spots(self) -> list[tuple[str, int]]:
        """Return the spots of the best moves, as pairs of key and rank; ranks start at 1.

        A spot shared by several moves gets the best of their ranks. The list is empty while the analysis is off, has
        no result yet or isn't allowed.
        """
        if not self.is_analysing or self.best_choice is None or not self.is_allowed:
            return []
        result: dict[str, int] = {}
        for number, turn in enumerate(self.best_choice.analysis.turns, 1):
            move = self.find_move(turn.move_texts[0])
            clicks = self._scene.clicks_for(move) if move is not None else None
            for key in [] if clicks is None else [*clicks.picks, clicks.last_spot]:
                if key in self._scene.spots():
                    result.setdefault(key, number)
        return list(result.items())


class SceneEvaluationBar(EvaluationBar):
    """Evaluation bar for the seat to move, with its best moves, one per line."""

    advice: SceneHints

    def preferred_height(self) -> float:
        """Return the preferred height, with room for three moves."""
        return EVALUATION_CARD_HEIGHT_PX

    def short_turn_text(self, turn: MoveEvaluation) -> str:
        move = self.advice.find_move(turn.move_texts[0])
        if move is not None:
            return self.advice.move_label(move)
        return turn.move_texts[0]
