"""A marble game as the program takes it: played by its rules, searched, and told of in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from shibumi3d.i18n import Message
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.tree import Tree
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.notation import place_of
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.thinking import weights
from shibumi3d.rules.marbles.thinking.copying import copied
from shibumi3d.rules.marbles.thinking.knowledge import LESSONS, unfit
from shibumi3d.rules.marbles.thinking.search import Search
from shibumi3d.rules.marbles.wording import reasons, sentences
from shibumi3d.rules.marbles.wording.lines import lines, stock_line
from shibumi3d.rules.marbles.wording.texts import SIGNS


class RuleGame(BasicGame):
    """A game played by the rules of a file, for one board size and variant, with all that the contract asks for."""

    # ------------------------------------------------------------ searched

    def tree(
        self, state: State, *, seed: int = 0, cut: int = 0, scale: float = 1.0, limit: int = 400
    ) -> Tree:
        """Return a search from ``state``, which must be whole (see :meth:`sample_hidden`).

        ``seed`` is that of its random numbers; ``cut``, ``scale`` and ``limit`` are told at :class:`.engine.tree.Tree`.
        """
        facts = self.facts(state.seats)
        fast = self.fast(state.seats, seed)
        fast.load(state, seed)
        together = facts.solver == "win" and state.seats > 1
        for_score = facts.solver == "score"
        found: Tree = engine_of(self.size).Tree(
            fast.machine, together, for_score, cut, scale, limit, facts.recurs
        )
        return found

    def search(self, view: State, seat: int, seed: int = 0, past: Iterable[State] = ()) -> Search:
        """Return a search from ``view`` for a player; ``past`` are the states at which earlier turns began."""
        return Search(self, view, seat, seed, past)

    def copied(self, move: Move, moves: Iterable[Move]) -> Move | None:
        """Return which of ``moves`` copies another seat's ``move`` on the other side; None where none does."""
        return copied(pyramid(self.size), move, moves)

    # ------------------------------------------------------------ taught by itself

    lessons = LESSONS

    def cannot_learn(self, seats: int) -> Message | None:
        """Return why the game can't learn by matches against itself; None where it can."""
        reason = unfit(self, seats)
        return Message(reason) if reason else None

    def lesson(self, seats: int, known: str, number: int, seed: int = 0) -> str:
        """Return what is known after a lesson, as :class:`.rules.learner.Learner` has it."""
        return weights.after_lesson(self, seats, known, number, seed)

    def judgings(self, seats: int, known: str) -> tuple[str, ...]:
        """Return what is known in each way in which it may be judged by."""
        return weights.judgings(self, seats, known)

    def know(self, seats: int, known: str | None) -> None:
        """Judge by what is known from now on, by nothing for "", by what is kept for None.

        Raises Unusable where that is for other rules.
        """
        if known is None:
            self.kept.pop((weights.KEPT, seats), None)
        else:
            weights.use_weights(self, seats, weights.read_weights(known, self, seats) if known else None)

    def known_as(self, seats: int, own: bool = True) -> str:
        """Return the name of the file in which what is known is kept: the user's ``own``, or the program's."""
        return weights.own_file_of(self, seats) if own else weights.file_of(self, seats)

    def left_aside(self, seats: int) -> Message | None:
        """Return why something that was learned is not used; None where all is well."""
        return weights.left_aside(self, seats)

    # ------------------------------------------------------------ in words

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = SIGNS, moves: Sequence[Move] | None = None
    ) -> str:
        """Return what the seat to move is asked for. ``moves`` are the choices open, where they are known already."""
        return sentences.ask_line(self, view, lang, names, moves)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Return a choice as a button says it."""
        return sentences.say(self, view, move, lang, names)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """Return a choice and all that comes of it, as far as it can be known before."""
        return sentences.foretell(self, view, move, lang, names)

    def log_line(
        self,
        before: State,
        move: Move,
        events: Sequence[ev.Event],
        lang: str = "en",
        names: Sequence[str] = SIGNS,
    ) -> str:
        """Return what a choice did and all that came of it; "" where nothing is known of that."""
        seat = move.seat if move.seat >= 0 else before.to_move
        return "" if seat is None else sentences.did(before, seat, events, lang, names)

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = SIGNS,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Return why nothing can be done with the last of some points now; "" when it is none.

        Points are named as moves name them. ``moves`` are the choices open, where they are known already.
        """
        place = place_of(view._rules, spots[-1]) if spots else None
        return "" if place is None else reasons.why_not(self, view, *place, lang, names, moves)

    def own_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return what is a player's own and what that player is after: "White · west to east"."""
        return sentences.own_line(self, view, seat, lang)

    def stock_line(self, view: State, seat: int, lang: str = "en") -> str:
        """Return how many marbles a player may still take, by stock and colour: "Box: 14 white"."""
        return stock_line(view, seat, lang)

    def roles(self, view: State, seat: int) -> tuple[str, ...]:
        """Return what the rules call a player now, such as the mediator: the names that stand for that seat."""
        item = self._item.value
        named = item.get("vars") if isinstance(item, dict) else None
        if named is None or not isinstance(named.value, dict) or view.result is not None:
            return ()
        bit = 1 << view.seat_of(seat)
        return tuple(
            word.replace("_", " ")
            for word, start in zip(named.value, view._rules.starts, strict=False)
            if start.type == str(Type.SEATS)
            and not start.by_seat
            and not start.mark
            and view._at.names[start.slot] == bit
        )

    def lines(self, view: State, lang: str = "en", names: Sequence[str] = SIGNS) -> list[str]:
        """Return the table as lines of text: boards, stocks, scores, and the marble in hand."""
        return lines(view, lang, names)

    # ------------------------------------------------------------ for reasons

    def place(self, move: Move) -> str:
        """Return the point of a choice, with its board where there are several; its text where it has none."""
        return _PLACE.sub("", move.text).partition("/")[0] if move.on_point else move.text

    def tallied(self, events: Iterable[ev.Event]) -> Mapping[str, int]:
        """Return how many marbles were taken and how many fell."""
        found = list(events)
        return {
            "taken": sum(isinstance(event, ev.Removed | ev.Captured) for event in found),
            "fallen": sum(isinstance(event, ev.Dropped | ev.SideDropped) for event in found),
        }

    def decider(self, state: State) -> str:
        """Return the straight line of points that decided the match, by its ends; "" where there is none."""
        shapes = [mask for mask in state.result.shape if mask] if state.result is not None else []
        pyramid = state.pyramid
        if len(shapes) != 1 or not any(
            shapes[0] in runs for runs in (pyramid.rows, pyramid.diagonals, pyramid.slopes)
        ):
            return ""
        points = list(bits(shapes[0]))
        return f"{pyramid.names[points[0]]}–{pyramid.names[points[-1]]}"


_PLACE = re.compile(r"^(?:[^@>^]*[@>^]|x)")
"""What stands before the point in the text of a choice: the marble, and what is done with it."""
