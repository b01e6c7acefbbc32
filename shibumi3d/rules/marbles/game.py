"""The interface of marble games to the rest of the program: rules, search, learning and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Self

from shibumi3d.deprecation import warn_renamed
from shibumi3d.i18n import Message
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.engine.mcts import SearchTree
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.notation import parse_point
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.search import learned_weights
from shibumi3d.rules.marbles.search.learning import LESSONS_PER_COURSE, explain_cannot_learn
from shibumi3d.rules.marbles.search.marble_search import MarbleSearch
from shibumi3d.rules.marbles.search.next_draws import reasons_by_next_draw
from shibumi3d.rules.marbles.search.playout_settings import get_playout_settings
from shibumi3d.rules.marbles.search.symmetry import find_mirrored_move
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording import illegal_moves, sentences
from shibumi3d.rules.marbles.wording.messages import SEAT_SYMBOLS
from shibumi3d.rules.marbles.wording.terminal_text import format_usable_stocks, format_view


class MarbleGame(BasicGame):
    """A marble game with the complete game interface, for one board size and variant.

    Its rules come from a game file.
    """

    # ------------------------------------------------------------ search

    def tree(
        self, state: State, *, seed: int = 0, cut: int = 0, scale: float = 1.0, limit: int = 400
    ) -> SearchTree:
        """Warn that ``tree`` is now called :meth:`create_search_tree`, and return the result of that method.

        ``cut``, ``scale`` and ``limit`` are now ``playout_turns``, ``score_scale`` and ``max_playout_turns``.
        """
        warn_renamed("tree", "create_search_tree")
        return self.create_search_tree(
            state, seed=seed, playout_turns=cut, score_scale=scale, max_playout_turns=limit
        )

    def create_search_tree(
        self,
        state: State,
        *,
        seed: int = 0,
        playout_turns: int = 0,
        score_scale: float = 1.0,
        max_playout_turns: int = 400,
    ) -> SearchTree:
        """Return a search tree whose root is ``state``, which must be complete (see :meth:`determinize`).

        ``seed`` seeds the tree's random numbers. For ``playout_turns``, ``score_scale`` and ``max_playout_turns``, see
        :class:`.engine.mcts.SearchTree`.
        """
        facts = self.facts(state.seats)
        fast = self.make_fast_game(state.seats, seed)
        fast.load(state, seed)
        together = facts.solver == "win" and state.seats > 1
        for_score = facts.solver == "score"
        search_tree: SearchTree = get_engine(self.size).SearchTree(
            fast.machine,
            together,
            for_score,
            playout_turns,
            score_scale,
            max_playout_turns,
            facts.positions_may_repeat,
        )
        return search_tree

    def make_search(
        self, view: State, seat: int, seed: int = 0, earlier_states: Iterable[State] = ()
    ) -> MarbleSearch:
        """Return a search for ``seat`` that starts from ``view``.

        ``earlier_states`` holds the state at the start of each earlier turn.
        """
        return MarbleSearch(self, view, seat, seed, earlier_states)

    def reasons_for(
        self, view: State, move: Move, seat: int, seat_name: Callable[[int], Message | str]
    ) -> tuple[Message, ...]:
        """Return a tuple with at most one reason for a move.

        There can be a reason only in a solo game with chance during play; see
        :func:`~shibumi3d.rules.marbles.search.next_draws.reasons_by_next_draw`.
        """
        return reasons_by_next_draw(self, view, move)

    def mirror_move(self, move: Move, moves: Iterable[Move]) -> Move | None:
        """Return the move among ``moves`` that imitates another seat's ``move``, or None if there is none.

        The imitation is rotated by 180°. White and black are exchanged if possible.
        """
        return find_mirrored_move(get_pyramid(self.size), move, moves)

    # ------------------------------------------------------------ learning

    lesson_count = LESSONS_PER_COURSE

    def explain_cannot_learn(self, seats: int) -> Message | None:
        """Return why the game can't learn by self-play, or None if it can."""
        reason = explain_cannot_learn(self, seats)
        return Message(reason) if reason else None

    def run_lesson(self, seats: int, knowledge: str, lesson_index: int, seed: int = 0) -> str:
        """Run a lesson and return the knowledge after it; see :class:`.rules.game.LearnsBySelfPlay`."""
        return learned_weights.learn_lesson(self, seats, knowledge, lesson_index, seed)

    def knowledge_weightings(self, seats: int, knowledge: str) -> tuple[str, ...]:
        """Return variants of ``knowledge``, one for each combination of search settings to be tried.

        Each variant contains the weights of ``knowledge`` and one entry of :data:`.learned_weights.SETTINGS_TO_TRY`.
        Raises InvalidValueError if ``knowledge`` isn't valid for the game with ``seats`` seats.
        """
        return learned_weights.make_weight_variants(self, seats, knowledge)

    def with_knowledge(self, seats: int, knowledge: str) -> Self:
        """Return a copy of the game that evaluates states with ``knowledge``, or without any if it is "".

        This applies only to matches with ``seats`` seats. Raises InvalidValueError if the knowledge is damaged, has an
        unknown version or was learned under other rules.
        """
        get_playout_settings(self, seats)  # so that they are measured once, not by each copy
        game = self._copy()
        learned_weights.set_weights(
            game, seats, learned_weights.parse_weights(knowledge, self, seats) if knowledge else None
        )
        return game

    def stored_knowledge(self, seats: int, learned_folder: str) -> str:
        """Return the valid knowledge stored for the game, or "" if there is none or the game can't learn.

        The user's knowledge in ``learned_folder`` takes precedence over the knowledge shipped with the program.
        """
        game = self._copy()
        game.learned_folder = learned_folder
        weights = learned_weights.get_weights(game, seats)
        return learned_weights.format_weights(game, seats, weights) if weights else ""

    def _copy(self) -> Self:
        """Return a copy of the game that shares its rules, but not its learned weights."""
        game = copy(self)
        game.cache = {
            key: value for key, value in self.cache.items() if key[0] not in learned_weights.CACHE_KEYS
        }
        return game

    def knowledge_file_name(self, seats: int, is_user_file: bool = True) -> str:
        """Return the name of the user's knowledge file, or of the shipped one if ``is_user_file`` is False."""
        return (
            learned_weights.user_file_name(self, seats)
            if is_user_file
            else learned_weights.shipped_file_name(self, seats)
        )

    def explain_ignored_knowledge(self, seats: int) -> Message | None:
        """Return why the knowledge stored for matches with ``seats`` seats is ignored.

        Return None if any of it is used, if none is stored, if :meth:`with_knowledge` has replaced it, or if the game
        can't learn.
        """
        return learned_weights.explain_ignored_weights(self, seats)

    # ------------------------------------------------------------ texts

    def describe_decision(
        self,
        view: State,
        lang: str = "en",
        names: Sequence[str] = SEAT_SYMBOLS,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Return a prompt that says what the seat to move has to choose.

        ``moves`` are the legal moves, if the caller already knows them. Returns "" if there are none, or if they can't
        be determined.
        """
        return sentences.format_prompt(self, view, lang, names, moves)

    def move_label(
        self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS
    ) -> str:
        """Return the button label for a move."""
        return sentences.format_move_label(self, view, move, lang, names)

    def describe_outcome(
        self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS
    ) -> str:
        """Describe a move and the effects that are known in advance, without a full stop at the end."""
        return sentences.describe_outcome(self, view, move, lang, names)

    def describe_move(
        self,
        before: State,
        move: Move,
        events: Sequence[ev.Event],
        lang: str = "en",
        names: Sequence[str] = SEAT_SYMBOLS,
    ) -> str:
        """Return the log text for a move and its effects.

        Returns "" if the seat that made the move is unknown.
        """
        seat = move.seat if move.seat >= 0 else before.to_move
        return "" if seat is None else sentences.describe_actions(before, seat, events, lang, names)

    def explain_illegal(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = SEAT_SYMBOLS,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Explain why nothing can be done at the last of ``spots`` now.

        Returns "" if there are no spots or if the last one is not a point. In ``spots``, points are named as in the
        notation of moves. ``moves`` are the legal moves, if the caller already knows them.
        """
        place = parse_point(view._rules, spots[-1]) if spots else None
        return "" if place is None else illegal_moves.explain_illegal(self, view, *place, lang, names, moves)

    def describe_seat(self, view: State, seat: int, lang: str = "en") -> tuple[str, ...]:
        """Return phrases for a player's colours and goal, such as ``("White", "west to east")``.

        The colours are left out if the player owns none, and the goal if the game file gives none.
        """
        return sentences.describe_colours_and_goal(self, view, seat, lang)

    def describe_stock(self, view: State, seat: int, lang: str = "en") -> str:
        """Return a line that lists, by stock, the marbles in the shared stocks and in a player's own stocks.

        ``seat`` is the player. An example is "Supply: 14 white". If the player owns colours, only marbles of these
        colours are listed for a shared stock. Stocks with no marbles to list are left out; if this is true of all
        stocks, the first one is listed as empty. Stocks from which nobody can take marbles are listed, too.
        """
        return format_usable_stocks(view, seat, lang)

    def roles(self, view: State, seat: int) -> tuple[str, ...]:
        """Return the names of a player's current roles under the rules, such as "mediator".

        A role is a variable of the game file whose value is exactly the player's seat; a variable with one value per
        seat doesn't count. Once the match is over, there are no roles.
        """
        item = self._item.value
        named = item.get("vars") if isinstance(item, dict) else None
        if named is None or not isinstance(named.value, dict) or view.result is not None:
            return ()
        bit = 1 << view.seat_of_player(seat)
        return tuple(
            word.replace("_", " ")
            for word, start in zip(named.value, view._rules.initial_values, strict=False)
            if start.type_name == str(Type.SEATS)
            and not start.by_seat
            and not start.is_mark
            and view._snapshot.name_values[start.slot] == bit
        )

    def table_lines(self, view: State, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS) -> list[str]:
        """Return the table as lines of text: boards, stocks, scores and the marble in hand."""
        return format_view(view, lang, names)

    # ------------------------------------------------------------ data for explanations

    def move_place(self, move: Move) -> str:
        """Return the name of the move's point, preceded by the name of its board if there are several boards.

        If the move doesn't have exactly one point, return its whole text.
        """
        return _MOVE_PREFIX.sub("", move.text).partition("/")[0] if move.is_on_single_point else move.text

    def count_taken_and_fallen(self, events: Iterable[ev.Event]) -> Mapping[str, int]:
        """Return how many marbles were taken and how many fell, under the keys "taken" and "fallen"."""
        event_list = list(events)
        return {
            "taken": sum(isinstance(event, ev.Removed | ev.Captured) for event in event_list),
            "fallen": sum(isinstance(event, ev.Dropped | ev.SideDropped) for event in event_list),
        }

    def deciding_line(self, state: State) -> str:
        """Return the end points of the straight line that decided the match, e.g. ``Aa1–Aa4``.

        Returns "" unless the deciding points form exactly one straight line.
        """
        shapes = [mask for mask in state.result.deciding_points if mask] if state.result is not None else []
        pyramid = state.pyramid
        if len(shapes) != 1 or not any(
            shapes[0] in runs for runs in (pyramid.rows, pyramid.diagonals, pyramid.slopes)
        ):
            return ""
        points = list(iter_bits(shapes[0]))
        return f"{pyramid.point_names[points[0]]}–{pyramid.point_names[points[-1]]}"


_MOVE_PREFIX = re.compile(r"^(?:[^@>^]*[@>^]|x)")
"""Pattern for the text of a move up to its point: the marble and the action."""
