"""Help at the table: hints in stages, and analysis: who stands better, and the best turns as numbered ghosts.

Both are thought in a process of their own, from what the seat to move may know and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import NEAR, Budget, Choice
from shibumi3d.search.thinker import Progress, Thinker, Trouble

from ..text import say
from ..ui.button import Button
from .agreeing import Agreeing

if TYPE_CHECKING:
    from shibumi3d.rules.game import Considered

    from .screen import Play

ADVISER = LEVELS[-1].name
"""Who advises: the strongest, who knows certificates of solved games too."""
BUDGET = Budget(iterations=LEVELS[-1].iterations, seconds=3.0)
"""What is thought about a hint or an analysis."""
TICK = 0.1
"""Seconds between two looks at how far that is."""
STAGES = ("", "region", "marble", "move")
"""What a hint shows, stage by stage."""
PALE = 0.35
"""How much of the ghost of a turn is seen."""


class Advice:
    """Hints and analysis for the person to move."""

    def __init__(self, page: Play) -> None:
        self.page, self.session, self.control = page, page.session, page.control
        self.thinker: Thinker | None = None
        self.analysing = False
        """Whether it is shown who stands better."""
        self.stage = 0
        """How much of a hint is asked for."""
        self.hints = [0] * len(page.match.seats)
        """How many hints each seat was given, stage by stage."""
        self.found: Choice | None = None
        """What is thought of the position shown."""
        self.complete = False
        """Whether that is the last word."""
        self._asked: State | None = None
        self._ticking = False
        self._ghosts: tuple[Choice | None, list[Sign], list[Ghost]] = None, [], []
        self.hint = Button(
            say("advice.hint"), self.more, icon="hint", kind="quiet", tip=say("advice.hint.tip"), name="hint"
        )
        self.watch = Button(
            say("advice.analysis"),
            self.toggle,
            icon="analysis",
            kind="quiet",
            tip=say("advice.analysis.tip"),
            name="analysis",
        )

    @property
    def may(self) -> bool:
        """Whether a person is to move, who may be helped."""
        state = self.session.match.state
        return self.session.asking and state.to_move is not None and not self.control.away

    def update(self) -> None:
        """The match is elsewhere, or something else of it is shown."""
        state = self.session.match.state
        if self._asked is not None and self._asked is not state:
            self._forget()
        self.hint.enabled = self.may
        self.watch.enabled = state.to_move is not None
        self.watch.on = self.analysing
        if self.analysing and self.may:
            self._ask()

    def close(self) -> None:
        """The page is left."""
        self._forget()
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    def _forget(self) -> None:
        self._asked = None
        self.stage, self.complete = 0, False
        if not self.control.away:
            self.found = None
        if self.thinker is not None and self.thinker.busy:
            self.thinker.stop()

    # Asking

    def more(self) -> None:
        """Shows more of what is best here: where, which marble, the move itself."""
        seat = self.session.match.state.to_move
        if not self.may or seat is None:
            return
        self.page.doing.skip()
        if self.stage and not (self.complete and self.found):
            return  # what was asked for is not known yet
        self.stage += 1
        self.hints[seat] += 1
        self._ask()
        self._tell()

    def toggle(self) -> None:
        """Shows who stands better, or no longer; where several persons play, if all agree."""
        if self.analysing:
            self.analysing = False
        elif len(self.session.persons) > 1 and self.session.match.state.to_move is not None:
            card = Agreeing(self.page, self._begin)
            self.page.app.root.popup(card, card.place, focus=card.seats[0])
            return
        else:
            self.analysing = True
        self.page.update()

    def _begin(self) -> None:
        self.analysing = True
        self.page.update()

    def _ask(self) -> None:
        match = self.session.match
        state, seat = match.state, match.state.to_move
        if self._asked is not state and seat is not None:
            self._asked, self.found, self.complete = state, None, False
            if self.thinker is None:
                self.thinker = Thinker()
            try:
                self.thinker.ask(
                    match.game,
                    match.game.view(state, seat),
                    ADVISER,
                    seat=seat,
                    seed=match.seed,
                    budget=BUDGET,
                    past=self.session.past(seat) if self.page.facts.recurs else [],
                    moves=[move.text for move in match.game.moves(state)],
                )
            except OSError as problem:
                self._give_up(str(problem.strerror or problem))
        self._tick_soon()

    def _tick_soon(self) -> None:
        if not self._ticking and self._asked is not None and not self.complete:
            self._ticking = True
            self.page.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        if self.page.app.screen is not self.page or self.thinker is None:
            return
        answer = self.thinker.poll()
        if self._asked is self.session.match.state:
            if isinstance(answer, Choice):
                self.found, self.complete = answer, True
                self._tell()
            elif isinstance(answer, Progress):
                self.found = answer.choice
                self.page.refresh()
            elif isinstance(answer, Trouble) and not answer.again:
                self._give_up(answer.sentence)
        self._tick_soon()

    def _give_up(self, problem: str) -> None:
        self._forget()
        self.analysing = False
        self.page.app.tell(say("advice.none", problem=problem))
        self.page.update()

    # Hints

    def near(self) -> list[Considered]:
        """The turns that are as good as the best, or nearly so."""
        turns = self.found.analysis.turns if self.found is not None else ()
        return [turn for turn in turns if turn.mean >= turns[0].mean - NEAR and turn.high >= turns[0].low]

    def _move(self, text: str) -> Move | None:
        return next((move for move in self.control.moves if move.text == text), None)

    def _tell(self) -> None:
        """Says what the hint shows now; the last stage makes the move."""
        if not self.stage:
            self.page.refresh()
            return
        if not (self.complete and self.found is not None):
            self.page.remark(say("advice.looking"))
            return
        move = self._move(self.found.move)
        if move is None:
            return
        if STAGES[self.stage] == "move":
            self.page.doing.play_move(move)
            return
        points = _places(move)
        if self.stage == 1:
            self.page.remark(say("advice.region") if points else say("advice.answer"))
        elif points:
            names = [self.session.state.point_name(point, board) for board, point in points]
            self.page.remark(say("advice.marble", points=", ".join(names)))
        else:
            self.page.remark(say("sentence", text=self.page.doing.say_choice(move)))

    def region(self) -> list[tuple[int, int]]:
        """The points that the hint marks: first those about the best ones, then the best one alone."""
        if not self.stage or not self.complete or self.found is None or not self.may:
            return []
        best = self._move(self.found.move)
        if best is None:
            return []
        points = _places(best)
        if self.stage > 1:
            return points
        near = [move for turn in self.near() if (move := self._move(turn.moves[0])) is not None]
        points = [*points, *[place for move in near for place in _places(move)]]
        pyr = pyramid(self.session.state.size)
        around = set(points)
        open_ = {spot[:2] for spot in self.control.targets}
        for board, point in points[:1]:
            around |= {(board, p) for p in bits(pyr.touching[point]) if (board, p) in open_}
        return sorted(around)

    # What is seen

    def signs(self) -> tuple[list[Sign], list[Ghost]]:
        """The marks of a hint, and the best turns as numbered ghosts."""
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
        """Where the marble of a turn comes to stand; for a turn that only takes one, where it stood."""
        game, seen = self.session.match.game, self.control.seen
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
    """The points that a move names."""
    if move.on_point:
        return [(move.board, move.point)]
    return [(move.board, point) for point in bits(move.value)] if move.kind == "points" else []
