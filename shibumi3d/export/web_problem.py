"""A problem as one HTML file in which it can be solved, with proved replies to wrong turns.

The page judges the first turn, the only one that is proved to be unique. After the solution, the stored line is played
out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.export.web_page import control_texts, describe_boards, marble_step, render_page
from shibumi3d.i18n import LocalizedError, _, language
from shibumi3d.match.marbles import marble_moves, marble_state
from shibumi3d.rules.game import match_state_key
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import PROBLEM_FAILURE_TEXTS, caption_ply, describe_result, title_with_variant

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from shibumi3d.match.problem_session import ProblemSession

Turn = tuple[str, ...]
MAX_UNFINISHED_TURNS = 1000
"""Maximum number of unfinished turns in a page, so that it stays small."""


class ProblemPageError(LocalizedError, ValueError):
    """Raised when a problem has too many moves for a page.

    The message is a single sentence for users.
    """


def make_problem_page(session: ProblemSession, task: str) -> bytes:
    """Return a web page for solving the problem of ``session``.

    The page is in the current language. ``session`` must be at the start of its problem. ``task`` is the sentence that
    tells the solver what to do. Hidden information is included only if the solver may know it. Raises ProblemPageError
    if there are more than :data:`MAX_UNFINISHED_TURNS` ways to begin the first turn without completing it, because the
    page would be too large.
    """
    problem, match = session.problem, session.match
    start = match.cursor
    title = title_with_variant(match.game)
    name = _("{game}, problem {number}", game=title, number=problem.id)
    tree = _ProblemTree(session)
    try:
        node = tree.node_at(())
        data = {
            "title": title,
            "heading": _("Problem {number}", number=problem.id),
            "words": control_texts(),
            "steps": [{**marble_step(match, start, start, tree.viewer), "caption": task}],
            "problem": {
                "failure": _(PROBLEM_FAILURE_TEXTS[problem.kind], problem.n),
                "start": node,
                "solution": tree.solution_indices,
            },
            **describe_boards(marble_state(match.state)),
        }
    finally:
        match.go_to(start)
    return render_page(name, data)


class _ProblemTree:
    """All ways to play the solver's first turn in ``session``, which must be at the start of its problem.

    ``solution_indices`` contains the index of each move of the solution in the list of legal moves;
    :meth:`node_at` fills it in.
    """

    def __init__(self, session: ProblemSession) -> None:
        self.problem, self.match = session.problem, session.match
        self.viewer = session.seat
        self.solution_indices: list[int] = []
        self._node_count = 0
        self._solved_key = self._key_after(session.problem.solution)

    def _key_after(self, turn: Turn) -> Hashable:
        state = self.match.state
        for move in turn:
            state, _events = self.match.game.apply(state, move)
        return match_state_key(state)

    def node_at(self, made: Turn) -> dict[str, object]:
        """Return the JSON node for the match's current position, which was reached by the moves ``made``.

        The node lists the legal moves. A move that completes the turn has its verdict, if there is one; any other move
        has its follow-up node. The indices of the solution's moves are added to ``solution_indices``.

        Raises ProblemPageError if the tree has more than :data:`MAX_UNFINISHED_TURNS` nodes.
        """
        self._node_count += 1
        if self._node_count > MAX_UNFINISHED_TURNS:
            raise ProblemPageError("this problem has too many moves for a web page")
        match, cursor = self.match, self.match.cursor
        before = match.state
        found: list[dict[str, object]] = []
        for index, move in enumerate(marble_moves(match.game.moves(before))):
            after, _events = match.game.apply(before, move)
            label = capitalize_first(match.game.move_label(before, move, language(), match.names))
            entry: dict[str, object] = {"label": label, "board": move.board, "point": move.point}
            turn = (*made, str(move))
            if self.problem.solution[: len(turn)] == turn:
                self.solution_indices.insert(len(made), index)
            unfinished = after.to_move is not None and after.turn == before.turn
            if unfinished:
                match.play(move)
                entry["next"] = {**self.node_at(turn), "step": self._step(cursor)}
            else:
                end = self._end(turn, match_state_key(after))
                if end is not None:
                    entry["end"] = end
            match.go_to(cursor)
            found.append(entry)
        return {"moves": found}

    def _end(self, turn: Turn, key: Hashable) -> dict[str, object] | None:
        """Play the last move of a complete turn and what follows it; return the verdict and the steps played.

        ``key`` is the key of the state after the turn. If the turn is wrong and has no stored refutation,
        play nothing and return None.
        """
        problem = self.problem
        if key == self._solved_key or turn in problem.also:
            line = problem.line[1:] if key == self._solved_key else ()
            return {
                "right": True,
                "steps": self._steps((turn[-1:], *line)),
                "text": " ".join(filter(None, (_("Correct!"), describe_result(self.match)))),
            }
        reply = problem.refutation_of(turn)
        if not reply:
            return None
        return {
            "right": False,
            "steps": self._steps((turn[-1:], reply)),
            "text": _(PROBLEM_FAILURE_TEXTS[problem.kind], problem.n),
        }

    def _steps(self, turns: Sequence[Turn]) -> list[dict[str, object]]:
        steps = []
        for turn in turns:
            before = self.match.cursor
            for move in turn:
                self.match.play(move)
            steps.append(self._step(before))
        return steps

    def _step(self, before: int) -> dict[str, object]:
        cursor = self.match.cursor
        return {
            **marble_step(self.match, before, cursor, self.viewer),
            "caption": caption_ply(self.match, cursor - 1, self.viewer),
        }
