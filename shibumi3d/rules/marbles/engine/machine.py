"""The workspace in which rules run: a position that changes in place, loaded from and saved to frozen snapshots.

The program of a turn is a flat list of instructions (:mod:`.language.steps`). Engine instructions run at once; at an
instruction that needs a choice the machine waits. Choices are ints (:func:`code_of`), so that playing at random or
searching makes no objects; :mod:`.game` turns them into moves, snapshots into states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from shibumi3d.rules.marbles.engine.rules import EndRule, Rules
    from shibumi3d.rules.marbles.engine.steps import ChoiceStep

PLACE, TAKE, LIFT, SET, ENTER, POINTS, COLOUR, SEAT, NUMBER, GIVE, LABEL, DONE, PASS = range(13)
"""Kinds of choice, in the low four bits of a choice code."""

FAIL = -1
"""The program can't go on: the turn, or the way through it that was tried, is impossible."""

WAITING, OVER, FAILED, REACHED, OPEN = range(5)
"""How :meth:`Machine.run` ended: a choice is needed; the turn is complete; it failed; the goal of a look-ahead was
reached; a look-ahead met chance or another seat, past which nobody looks."""

PLACED, MOVED, FALLEN = range(3)
"""The marks every board keeps: marbles placed, moved and fallen in this turn."""

TRIAL_COST = 60
"""What a choice made on trial counts as, in rounds of a loop."""

MARBLE_COST = 20
"""What a marble drawn or put without being asked counts as, in rounds of a loop."""

WORK = 10_000_000
"""How many rounds the loops of expressions and programs may go, all together, to answer one choice."""


class Unforeseen(Exception):
    """Chance, a reveal, another game of a series or something hidden decides what comes next: a choice made in
    thought goes no further."""


def spend(m: Machine, rounds: int) -> None:
    """Count work against :data:`WORK`; raises RuleFailure when there is too much of it."""
    m.work -= rounds
    if m.work < 0:
        raise RuleFailure(f"the rules go round more than {WORK:,} times at one choice")


def code_of(kind: int, payload: int) -> int:
    """A choice as one int."""
    return payload << 4 | kind


class Board:
    """What stands on one board. ``cells`` is one mask a colour; ``filled`` and ``playable`` always agree with it."""

    __slots__ = ("cells", "filled", "marks", "playable")

    def __init__(self, cells: list[int], filled: int, playable: int, marks: list[int]) -> None:
        self.cells = cells
        self.filled = filled
        self.playable = playable
        self.marks = marks


class Snapshot(NamedTuple):
    """Everything that a match is at one moment, frozen. The fields mirror :class:`Machine`."""

    boards: tuple[tuple[tuple[int, ...], int, int, tuple[int, ...]], ...]
    stocks: tuple[tuple[int, ...], ...]
    names: tuple[Any, ...]
    tallies: tuple[int, ...]
    pc: int
    frames: tuple[Any, ...]
    me: int
    mover: int
    following: int
    board_index: int
    phase: int
    phase_turns: int
    turn: int
    idle: int
    passed: int
    taken: int
    removed: bool
    step: int
    origin: int
    held: tuple[int, int, int, int] | None
    began: tuple[tuple[int, ...], ...]
    history: tuple[Any, ...]
    draws: int
    orders: tuple[tuple[int, str], ...]
    secret: tuple[Any, ...]
    stuck: bool
    game_number: int
    totals: tuple[int, ...]
    result: tuple[Any, ...] | None


class Machine:
    """One match in motion. Make it once for a rule set, then :meth:`load` and :meth:`save` as often as needed."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pyramid = rules.pyramid
        self.code = rules.code
        self.seats = rules.seats
        self.events: list[ev.Event] | None = None
        self.seed = 0
        self.boards: list[Board] = []
        self.board: Board = Board([], 0, 0, [])
        self.board_index = 0
        self.stocks: list[list[int]] = []
        self.names: list[Any] = [0] * max(rules.slots, 1)
        self.tallies: list[int] = []
        self.pc = 0
        self.frames: tuple[Any, ...] = ()
        self.me = 0
        self.mover = 0
        self.following = -1
        self.phase = 0
        self.phase_turns = 0
        self.turn = 0
        self.idle = 0
        self.passed = 0
        self.taken = 0
        self.removed = False
        self.step = 0
        self.colour = 0
        self.origin = 0
        self.held: tuple[int, int, int, int] | None = None
        self.began: tuple[tuple[int, ...], ...] = ()
        self.history: tuple[Any, ...] = ()
        self.draws = 0
        self.orders: tuple[tuple[int, str], ...] = ()
        self.secret: tuple[Any, ...] = ()
        self.stuck = False
        self.game_number = 1
        self.totals: tuple[int, ...] = ()
        self.result: tuple[Any, ...] | None = None
        self.tied = 0
        self.winners = 0
        self.work = WORK
        self.looking = False
        """Choices are being tried out, not made."""
        self.blind = False
        """A choice is made in thought: what can't be known before raises :class:`Unforeseen`."""
        self.veiled = self.covered = 0
        """The stocks and the boards that are hidden from whoever thinks, as masks of their numbers."""

    # ------------------------------------------------------------ frozen and back

    def save(self) -> Snapshot:
        """The match as it is now. Costs a few microseconds."""
        return Snapshot(
            tuple([(tuple(b.cells), b.filled, b.playable, tuple(b.marks)) for b in self.boards]),
            tuple([tuple(s) for s in self.stocks]),
            tuple(self.names[: self.rules.saved_names]),
            tuple(self.tallies),
            self.pc,
            self.frames,
            self.me,
            self.mover,
            self.following,
            self.board_index,
            self.phase,
            self.phase_turns,
            self.turn,
            self.idle,
            self.passed,
            self.taken,
            self.removed,
            self.step,
            self.origin,
            self.held,
            self.began,
            self.history,
            self.draws,
            self.orders,
            self.secret,
            self.stuck,
            self.game_number,
            self.totals,
            self.result,
        )

    def load(self, s: Snapshot) -> None:
        """Take the match up where ``s`` left it."""
        self.boards = [Board(list(c), f, p, list(k)) for c, f, p, k in s.boards]
        self.stocks = [list(x) for x in s.stocks]
        self.names[: self.rules.saved_names] = s.names
        self.tallies = list(s.tallies)
        (
            self.pc,
            self.frames,
            self.me,
            self.mover,
            self.following,
            self.board_index,
            self.phase,
            self.phase_turns,
            self.turn,
            self.idle,
            self.passed,
            self.taken,
            self.removed,
            self.step,
            self.origin,
            self.held,
            self.began,
            self.history,
            self.draws,
            self.orders,
            self.secret,
            self.stuck,
            self.game_number,
            self.totals,
            self.result,
        ) = s[4:]
        self.board = self.boards[self.board_index]
        if self.held is not None:
            self.colour = 1 << self.held[0]

    def who(self, seat: int) -> int:
        """The player on a seat: in a series the seats go round from game to game. Events name players."""
        return (seat + self.game_number - 1) % self.seats

    def use_board(self, index: int) -> None:
        """Make another board the one that words speak of."""
        self.board_index = index
        self.board = self.boards[index]

    # ------------------------------------------------------------ marbles

    def put(self, point: int, colour: int) -> None:
        """Set a marble on an empty point of the current board."""
        board = self.board
        bit = 1 << point
        board.cells[colour] |= bit
        filled = board.filled = board.filled | bit
        playable = board.playable & ~bit
        supports = self.pyramid.supports
        for q in self.pyramid.resting_on[point]:
            need = supports[q]
            if filled & need == need:
                playable |= 1 << q
        board.playable = playable

    def colour_at(self, point: int) -> int:
        """The colour of the marble on a filled point."""
        for i, cells in enumerate(self.board.cells):
            if cells >> point & 1:
                return i
        raise RuleFailure(f"{self.pyramid.names[point]} holds no marble")

    def pick_up(self, point: int) -> int:
        """Take a movable marble off the current board; what it carried drops. Returns its colour."""
        board = self.board
        colour = self.colour_at(point)
        chain = position.drop_chain(self.pyramid, board.filled, point)
        bit = 1 << point
        board.cells[colour] &= ~bit
        board.filled &= ~bit
        marks = board.marks
        for i, mark in enumerate(marks):
            if mark & bit:
                marks[i] = mark & ~bit
        self.removed = True
        self.settle(chain)
        return colour

    def settle(self, chain: tuple[tuple[int, int], ...]) -> None:
        """Let marbles fall, in order, into the places left."""
        for origin, point in chain:
            colour = self.relocate(origin, point)
            self.board.marks[FALLEN] |= 1 << point
            if self.events is not None:
                self.events.append(ev.Dropped(self.board_index, origin, point, colour))
        self.board.playable = position.playable(self.pyramid, self.board.filled)

    def relocate(self, origin: int, point: int) -> int:
        """Move a marble without looking at what rests on what; marks follow it. Returns its colour."""
        board = self.board
        colour = self.colour_at(origin)
        gone, come = 1 << origin, 1 << point
        board.cells[colour] = board.cells[colour] & ~gone | come
        board.filled = board.filled & ~gone | come
        marks = board.marks
        for i, mark in enumerate(marks):
            if mark & gone:
                marks[i] = mark & ~gone | come
        return colour

    # ------------------------------------------------------------ scores and history

    def score_of(self, seat: int) -> int:
        """The score of a seat now: the file's formula for it, else its tally."""
        formula = self.rules.score
        if formula is None:
            return self.tallies[seat]
        before = self.me
        self.me = seat
        value = formula.eval(self)
        self.me = before
        return value

    def boards_now(self) -> tuple[tuple[int, ...], ...]:
        """What stands where, on all boards."""
        return tuple([tuple(b.cells) for b in self.boards])

    def repeats(self) -> int:
        """How many turns ago the boards last stood as now; 0 when never."""
        now = self.boards_now()
        for ago, before in enumerate(reversed(self.history), 1):
            if before == now:
                return ago
        return 0

    # ------------------------------------------------------------ running the program

    def run(self, goal: int = -1, depth: int = 0) -> int:
        """Do engine steps until a choice is needed or the turn ends; see WAITING and its kin.

        While looking ahead chance is not touched. ``goal`` and ``depth`` name the instruction and the number of
        frames at which a look-ahead through part of a program has arrived.
        """
        code = self.code
        early = self.rules.early
        while True:
            if self.pc == goal and len(self.frames) == depth:
                return REACHED
            step = code[self.pc]
            if step.waits:
                return WAITING
            if step.ends or (step.sure and self.looking and goal < 0):
                return FAILED if self.nothing_done() else OVER
            if step.chance:
                if self.looking:
                    return OPEN
                if self.blind:
                    raise Unforeseen
            following = step.run(self)
            if following == FAIL:
                return FAILED
            self.pc = following
            if early and step.acts and self.test_early():
                return OVER

    def begin_part(self, seat: int) -> None:
        """A seat's part of a turn that several seats share: its own changes are counted from here."""
        self.me = seat
        self.removed = False
        if self.rules.needs_began:
            self.began = self.boards_now()

    def nothing_done(self) -> bool:
        """Whether a turn, or a seat's part of it, leaves the position just as it was although marbles were taken up."""
        return self.removed and self.phase >= 0 and self.boards_now() == self.began

    def take(self, code: int, goal: int = -1, depth: int = 0) -> int:
        """Carry out a choice and run on. The choice must be among the options."""
        step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
        return self.arrive(step.accept(self, code), goal, depth)

    def arrive(self, following: int, goal: int = -1, depth: int = 0) -> int:
        """A choice was made and leads to the instruction ``following`` (or FAIL): run on from there."""
        if following == FAIL:
            return FAILED
        self.pc = following
        self.step += 1
        if self.rules.early and self.test_early():
            return OVER
        return self.run(goal, depth)

    # ------------------------------------------------------------ looking ahead

    def completable(self, code: int, known: dict[Snapshot, bool], before: Snapshot) -> bool:
        """Whether the turn can be completed after this choice, as far as its seat can know.

        ``before`` is the machine as it stands. ``known`` gathers what was found, to be shared by all options of one
        choice.
        """
        events, looking, actor = self.events, self.looking, self.me
        self.events, self.looking = None, True
        spend(self, TRIAL_COST)
        good = self.reachable(self.take(code), actor, known=known)
        self.load(before)
        self.events, self.looking = events, looking
        return good

    def reachable(
        self,
        ended: int,
        actor: int,
        goal: int = -1,
        depth: int = 0,
        known: dict[Snapshot, bool] | None = None,
    ) -> bool:
        """Whether the goal, or the turn's end, can be reached from where :meth:`run` stopped with ``ended``.

        Every way is tried out, so the machine is left anywhere: whoever asks loads it anew. ``known`` says of
        positions met before whether they lead there.
        """
        known = {} if known is None else known
        ways: list[tuple[Snapshot, Iterator[int]]] = []
        while True:
            if ended == WAITING and self.me == actor:
                step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
                if goal < 0 and not step.look:
                    good = step.any_raw(self)
                else:
                    at = self.save()
                    good = known.get(at, False)
                    if at not in known:
                        known[at] = False
                        ways.append((at, iter(step.raw(self))))
            else:
                good = ended != FAILED
            if good:
                for at, _ in ways:
                    known[at] = True
                return True
            code = -1
            while code < 0:
                if not ways:
                    return False
                code = next(ways[-1][1], -1)
                if code < 0:
                    ways.pop()
            spend(self, TRIAL_COST)
            self.load(ways[-1][0])
            ended = self.take(code, goal, depth)

    def possible(self, start: int, goal: int) -> bool:
        """Whether the part of the program from ``start`` can be carried out up to ``goal``, for itself."""
        before, events, looking = self.save(), self.events, self.looking
        self.events, self.looking = None, True
        self.pc = start
        depth = len(self.frames)
        good = self.reachable(self.run(goal, depth), self.me, goal, depth)
        self.load(before)
        self.events, self.looking = events, looking
        return good

    def greatest(self, start: int, goal: int, value: Any) -> int | None:
        """The greatest value of an expression over all ways from ``start`` to ``goal``; None when there is none."""
        before, events, looking = self.save(), self.events, self.looking
        self.events, self.looking = None, True
        best: int | None = None
        depth = len(self.frames)
        self.pc = start
        ended = self.run(goal, depth)
        todo = [(self.save(), ended)]
        seen: set[Any] = set()
        while todo:
            at, ended = todo.pop()
            self.load(at)
            if ended in (REACHED, OVER, OPEN):
                found = value.eval(self)
                best = found if best is None or found > best else best
            elif ended == WAITING and at not in seen:
                seen.add(at)
                step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
                for code in step.raw(self):
                    spend(self, TRIAL_COST)
                    self.load(at)
                    after = self.take(code, goal, depth)
                    todo.append((self.save(), after))
        self.load(before)
        self.events, self.looking = events, looking
        return best

    # ------------------------------------------------------------ choices

    def options(self) -> list[int]:
        """The choices open now, as codes, in a fixed order; none when the match is over."""
        if self.result is not None:
            return []
        self.work = WORK
        found: list[int] = []
        if not self.stuck:
            step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
            found = step.options(self)
        if self.may_pass_now():
            found.append(PASS)
        return found

    def may_pass_now(self) -> bool:
        """Whether passing is among the choices: at the beginning of a turn, if the rules say so."""
        return self.phase >= 0 and (
            self.stuck or (self.step == 0 and self.me == self.mover and self.pass_allowed())
        )

    def pass_allowed(self) -> bool:
        rule = self.rules.phases[self.phase].passing
        if rule is None:
            return False
        before, self.me = self.me, self.mover
        allowed = bool(rule.eval(self))
        self.me = before
        return allowed

    def sample(self, rng: Random) -> int:
        """One of the choices at random."""
        if not self.stuck and self.rules.never_pass:
            step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
            return step.sample(self, rng)
        found = self.options()
        return found[int(rng.random() * len(found))]

    def play(self, code: int) -> None:
        """Carry out one of the :meth:`options`."""
        self.work = WORK
        if code == PASS:
            if self.events is not None:
                self.events.append(ev.Passed(self.who(self.mover)))
            self.end_turn(passing=True)
            return
        ended = self.carry_out(code)
        if ended == FAILED:
            raise RuleFailure("the turn can't be completed")
        if ended != OVER and self.rules.uncertain:
            step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
            if not step.any_option(self):
                self.begin_stuck()

    def carry_out(self, code: int) -> int:
        """Take a choice, and end the turn when it was the last of it; returns what :meth:`take` does."""
        ended = self.take(code)
        if ended == OVER:
            if self.phase < 0:
                self.rules.first_turn(self)
            else:
                self.end_turn()
        return ended

    # ------------------------------------------------------------ turns

    def begin_turn(self) -> None:
        """Start the turn of the mover, and go on through turns that ask nothing, until a choice or the end."""
        rules = self.rules
        while True:
            phase = rules.phases[self.phase]
            self.open_turn()
            before = self.save() if phase.prelude else None
            happened = len(self.events) if self.events is not None else 0
            ended = self.run()
            if ended == WAITING:
                step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
                if step.any_option(self) or self.may_pass_now():
                    return
            elif ended == OVER:
                spend(self, TRIAL_COST)
                self.idle += 2
                if self.close_turn(passing=False):
                    return
                continue
            elif before is not None:
                self.load(before)
                if self.events is not None:
                    del self.events[happened:]
            self.begin_stuck()
            return

    def open_turn(self) -> None:
        """Put all that lasts one turn at its beginning: a turn of the mover, by the program of the phase."""
        rules = self.rules
        self.me = self.mover
        self.following = -1
        self.frames = ()
        self.taken = 0
        self.removed = False
        self.step = 0
        self.origin = 0
        self.stuck = False
        self.pc = rules.phases[self.phase].start
        for board in self.boards:
            marks = board.marks
            marks[0] = marks[1] = marks[2] = 0
        if rules.local_names:
            rules.clear_locals(self)
        if rules.needs_began:
            self.began = self.boards_now()

    def begin_stuck(self) -> None:
        """The seat to act can do nothing: a pass where that is the rule, else the end."""
        if self.phase < 0:
            raise RuleFailure("the setup can't be completed")
        phase = self.rules.phases[self.phase]
        if self.blind and (self.veiled or self.covered):
            raise Unforeseen
        self.stuck = True
        if phase.pass_stuck or (phase.passing is not None and self.pass_allowed()):
            return
        self.mover = self.me
        if not self.test_rules(phase.ends) and not self.test_rules(self.rules.ends):
            self.finish_draw()
        self.conclude()

    def is_stuck(self) -> bool:
        """The word ``stuck``: the seat to act can do nothing (asked before the first turn, it is tried out)."""
        if self.phase >= 0:
            return self.stuck
        return self.turn_of(self.following if self.following >= 0 else self.mover, 0) == FAILED

    def able(self, seats: int) -> bool:
        """The word ``able``: one of some seats could do more than pass if the next turn were its own.

        A turn that asks nothing is no more than a pass. The seats are tried in turn order, from the one after the
        mover.
        """
        if self.blind and (self.veiled or self.covered):
            raise Unforeseen
        phase = self.phase if self.stuck else self.next_phase()
        following = [(self.mover + i) % self.seats for i in range(1, self.seats + 1)]
        return any(seats >> seat & 1 and self.turn_of(seat, phase) in (WAITING, OPEN) for seat in following)

    def turn_of(self, seat: int, phase: int) -> int:
        """How a seat's turn would begin, tried out: WAITING for a choice that there is, OPEN, OVER or FAILED."""
        before, events, looking = self.save(), self.events, self.looking
        spend(self, TRIAL_COST)
        self.events, self.looking = None, True
        if self.rules.needs_history and not self.stuck:
            self.history = (*self.history, self.boards_now())
        self.mover, self.phase = seat, phase
        self.use_board(0)
        self.open_turn()
        ended = self.run()
        if ended == WAITING:
            step: ChoiceStep = self.code[self.pc]  # type: ignore[assignment]  # waits, so it is one
            ended = WAITING if step.any_option(self) else FAILED
        self.load(before)
        self.events, self.looking = events, looking
        return ended

    def end_turn(self, passing: bool = False) -> None:
        """Close the mover's turn, test the rules, and begin the next turn or end the match.

        ``idle`` counts turns in succession in which nothing was chosen: 1 for a pass, 2 for one that asked nothing.
        """
        self.idle = self.idle + 1 if passing else 0
        if self.close_turn(passing):
            return
        self.begin_turn()

    def close_turn(self, passing: bool) -> bool:
        """Book-keeping at the end of a turn; True when the match is over."""
        rules = self.rules
        self.turn += 1
        self.step = 0
        self.stuck = False
        bit = 1 << self.mover
        self.passed = self.passed | bit if passing else self.passed & ~bit
        if self.events is not None:
            self.events.append(ev.TurnEnded(self.who(self.mover), self.turn))
        phase = rules.phases[self.phase]
        if self.result is not None or self.test_rules(phase.ends) or self.test_rules(rules.ends):
            return self.conclude()
        if rules.needs_history:
            self.history = (*self.history, self.boards_now())
        following = self.next_phase()
        self.phase_turns += 1
        if following != self.phase:
            self.phase = following
            self.phase_turns = 0
            self.idle = 0
        if self.idle >= 2 * self.seats:
            self.finish_draw()
            return self.conclude()
        self.mover = self.following if self.following >= 0 else (self.mover + 1) % self.seats
        self.following = -1
        return False

    def next_phase(self) -> int:
        """The phase after this turn."""
        phase = self.rules.phases[self.phase]
        last = self.phase + 1 == len(self.rules.phases)
        if last or not (
            self.phase_turns + 1 == phase.turns or (phase.until is not None and self.holds(phase.until))
        ):
            return self.phase
        return self.phase + 1

    def holds(self, test: Any) -> bool:
        """A Bool read for the mover."""
        before, self.me = self.me, self.mover
        found = bool(test.eval(self))
        self.me = before
        return found

    # ------------------------------------------------------------ ends

    def test_early(self) -> bool:
        """Try the rules that are tested after every step."""
        return self.phase >= 0 and self.test_rules(self.rules.phases[self.phase].early)

    def test_rules(self, rules: tuple[EndRule, ...]) -> bool:
        """Try end rules in order, each for the mover and then the following seats. Sets ``result`` when one decides."""
        me = self.me
        for rule in rules:
            if rule.when_stuck and not self.stuck:
                continue
            seat = self.mover
            for _ in range(self.seats if rule.by_seat else 1):
                self.me = seat
                if rule.when.eval(self):
                    if self.decide(rule):
                        self.me = me
                        return True
                    break
                seat += 1
                if seat == self.seats:
                    seat = 0
        self.me = me
        return False

    def decide(self, rule: EndRule) -> bool:
        """Find the winners by a rule that holds for ``me``; False when it leaves the matter to the next rule."""
        everyone = (1 << self.seats) - 1
        self.tied = 0
        values: list[tuple[int, ...]] = []
        if rule.most is not None:
            me = self.me
            for seat in range(self.seats):
                self.me = seat
                values.append(rule.rating(self))
            self.me = me
            best = max(values)
            winners = sum(1 << i for i, v in enumerate(values) if v == best)
            if winners & (winners - 1) and rule.tie is not None:
                self.tied = winners
                winners = rule.broken(self)
                if not winners:
                    return False
            elif self.drawn(winners):
                winners = 0
        elif rule.lose is not None:
            winners = everyone & ~rule.lose.eval(self)
        else:
            winners = rule.win.eval(self) if rule.win is not None else 0
        self.winners = winners
        if rule.most is not None and rule.most_is_score:
            scores = tuple([rating[0] for rating in values])
        else:
            scores = tuple([self.score_of(s) for s in range(self.seats)])
        self.result = (
            winners,
            scores,
            rule.number,
            tuple([rule.shape(self, b) for b in range(len(self.boards))]),
        )
        return True

    def drawn(self, best: int) -> bool:
        """Whether being the best means nothing, as all are: a draw, won by nobody."""
        return self.seats > 1 and best == (1 << self.seats) - 1

    def finish_draw(self) -> None:
        """Nobody can go on and no rule decides."""
        scores = tuple([self.score_of(s) for s in range(self.seats)])
        self.winners = 0
        self.result = (0, scores, -1, tuple([0 for _ in self.boards]))

    def conclude(self) -> bool:
        """A game is decided: end the match, or begin the next game of a series. True when the match is over."""
        series = self.rules.series
        assert self.result is not None
        if series is not None:
            gains = []
            for seat in range(self.seats):
                self.me = seat
                gains.append(series.gain.eval(self))
            rotation = self.game_number - 1
            totals = list(self.totals or (0,) * self.seats)
            for seat, gain in enumerate(gains):
                totals[(seat + rotation) % self.seats] += gain
            self.totals = tuple(totals)
            if not series.finished(self.game_number, totals):
                self.game_number += 1
                if self.events is not None:
                    self.events.append(ev.GameStarted(self.game_number))
                if self.blind:
                    raise Unforeseen
                self.result = None
                self.orders = ()
                self.rules.set_up(self)
                return True
            best = max(totals)
            winners = sum(1 << i for i, v in enumerate(totals) if v == best)
            winners = 0 if self.drawn(winners) else winners
            self.result = (winners, tuple(totals), -2, self.result[3])
        if self.events is not None:
            winners = self.result[0]
            seats = tuple([i for i in range(self.seats) if winners >> i & 1])
            self.events.append(ev.Ended(seats, self.rules.reason(self.result[2])["en"]))
        return True

    # ------------------------------------------------------------ chance

    def draw_from(self, stock: int) -> int:
        """Take a marble at random (or the next one of a given order) out of a stock. Returns its colour."""
        content = self.stocks[stock]
        colours = self.rules.colours
        for i, (index, order) in enumerate(self.orders):
            if index == stock and order:
                colour = self.rules.letters.index(order[0])
                self.orders = (*self.orders[:i], (index, order[1:]), *self.orders[i + 1 :])
                if content[colour] <= 0:
                    name = self.rules.names[colour]
                    raise RuleFailure(f"the given order draws a {name} marble that is not there")
                content[colour] -= 1
                return colour
        total = sum(content[:colours])
        self.draws += 1
        at = scrambled(self.seed, self.draws) % total
        for colour in range(colours):
            at -= content[colour]
            if at < 0:
                content[colour] -= 1
                return colour
        raise RuleFailure("nothing is left to draw")


def scrambled(seed: int, counter: int) -> int:
    """A 64-bit number that looks random, the same on every machine: ``seed`` and ``counter`` mixed by SplitMix64."""
    mask = (1 << 64) - 1
    x = (seed * 0x9E3779B97F4A7C15 + counter * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) & mask
    for _ in range(2):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
        x ^= x >> 31
    return x
