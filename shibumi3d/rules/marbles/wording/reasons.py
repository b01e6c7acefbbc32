"""Explanations of why nothing happens when a point is clicked.

The reason is found in two ways: by asking the pending steps of the rules which points they accept, and by trying out
moves that are rejected because they leave no way to complete the turn. Only what the seat may know is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from shibumi3d.i18n import ntranslate, translate
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.rules import POINTS, Instruction, stock_base
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.notation import points_of
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording.naming import board_name, colour_name, point_name, word
from shibumi3d.rules.marbles.wording.sentences import ask_line
from shibumi3d.rules.marbles.wording.texts import PHRASES, SIGNS, listed
from shibumi3d.rules.wording import capital

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.steps.branches import Choose
    from shibumi3d.rules.marbles.engine.steps.choices import Enter, Lift, Place, SetDown, Take
    from shibumi3d.rules.marbles.engine.workspace import Machine
    from shibumi3d.rules.marbles.engines import Engine

ON_BOARD = ("place", "enter", "take", "lift", "set", "points")
"""Kinds of moves that are made on a board."""
TAKING = ("take", "lift", "onto", "pick")
TRIALS = 300
"""Maximum number of moves tried to find out why a move leads to a dead end."""


@dataclass
class Asked:
    """What a pending step of the rules asks for.

    ``wide`` is a mask of all points that the rule names, and ``raw`` a mask of the points that can be chosen now.
    ``codes`` lists the step's moves by point. ``colours`` is a mask of the colours that may be set down, and
    ``lacking`` a mask of the colours among them that have run out. ``because`` is the reason given in the game file, by
    language. For a branch that cannot begin, ``kind`` is empty.
    """

    kind: str
    board: int
    wide: int = 0
    raw: int = 0
    codes: dict[int, list[int]] = field(default_factory=dict)
    because: dict[str, str] = field(default_factory=dict)
    colours: int = 0
    lacking: int = 0
    stock: str = ""


def why_not(
    game: BasicGame,
    view: State,
    board: int,
    point: int,
    lang: str = "en",
    names: Sequence[str] = SIGNS,
    moves: Sequence[Move] | None = None,
) -> str:
    """Return a sentence that explains why nothing can be done at ``point`` now.

    The sentence gives the reason or says what has to be chosen instead. ``moves`` contains the legal moves; by default,
    they are computed.
    """
    if view.to_move is None:
        return translate(lang, "The game is over.")
    if moves is None:
        moves = game.moves(view)
    if not view._rules.board_sight[board] >> view._at.me & 1:
        return translate(lang, "That board is under a cloth.")
    open_ = [move for move in moves if move.kind in ON_BOARD]
    if not open_:
        first = [move for move in moves if move.kind not in ("done", "pass")]
        ask = ask_line(game, view, lang, names, first or moves)
        return capital(
            translate(lang, "{ask} first.", ask=ask) if first else translate(lang, "{ask}.", ask=ask)
        )
    name = point_name(view, board, point, lang, names)
    if all(move.board != board for move in open_):
        return translate(
            lang,
            "{point}: you're playing on {board} now.",
            point=name,
            board=board_name(view, open_[0].board, lang, names),
        )
    why = _Why(game, view, board, point, name, lang, names)
    others = sorted({move.colour for move in open_ if (move.board, move.point) == (board, point)} - {-1})
    if others:
        only = listed([colour_name(colour, lang) for colour in others], lang, "or")
        return why.told("only colours", colours=only)
    return why.filled() if view.filled(board) >> point & 1 else why.empty()


class _Why:
    """Finds the explanation for one point."""

    def __init__(
        self, game: BasicGame, view: State, board: int, point: int, name: str, lang: str, names: Sequence[str]
    ) -> None:
        self.game, self.view, self.board, self.point, self.name = game, view, board, point, name
        self.lang, self.names = lang, names
        self.pyramid = view._rules.pyramid
        self.marbles = view.filled(board)
        self.engine = engine_of(view.size)
        self.machine = self.engine.machine(view._rules)
        try:
            self.engine.load(self.machine, view._at)
            self.asked = [a for a in _asked(self.engine, self.machine) if a.board in (board, -1)]
        except (RuleFailure, RecursionError):
            self.asked = []

    def told(self, key: str, **gaps: str) -> str:
        """Return the message with the given key as a sentence about the point."""
        return capital(translate(self.lang, PHRASES[key], None, point=self.name, **gaps))

    def points(self, mask: int) -> str:
        return listed([self.pyramid.names[point] for point in bits(mask)], self.lang)

    def colour(self) -> int:
        """Return the colour of the marble on the point."""
        return next(c for c, cells in enumerate(self.view.cells(self.board)) if cells >> self.point & 1)

    # ------------------------------------------------------------ points with a marble

    def filled(self) -> str:
        """Return why the marble on the point cannot be chosen."""
        taking = [asked for asked in self.asked if asked.kind in TAKING and asked.wide]
        for asked in taking:
            if asked.raw >> self.point & 1:
                return self.tried(asked)
        reasons = [self.marble(asked) for asked in taking]
        reasons += [told for asked in self.asked if asked.kind == "" and (told := self.said(asked))]
        if reasons:
            return next((reason for reason in reasons if reason), self.told("not now"))
        return self.told("holds", colour=colour_name(self.colour(), self.lang))

    def marble(self, asked: Asked) -> str:
        """Return why a step does not accept the marble on the point, or "" if the reason is unknown."""
        bit, colour, cells = 1 << self.point, self.colour(), self.view.cells(self.board)
        pinned = position.pinned(self.pyramid, self.marbles) & bit
        if asked.wide & bit or (asked.kind == "pick" and pinned and asked.wide & cells[colour]):
            on_it = self.points(self.pyramid.resting[self.point] & self.marbles)
            return self.told("pinned", points=on_it)
        if not asked.wide & cells[colour]:
            me = self.view.to_move
            owners = [seat for seat in range(self.view.seats) if colour in self.view.owned(seat)]
            if owners and me not in owners:
                return self.told("belongs", seat=listed([self.names[seat] for seat in owners], self.lang))
            found = [c for c, mask in enumerate(cells) if mask & asked.wide]
            if asked.because and me in owners:
                return self.said(asked)
            only = listed([colour_name(c, self.lang) for c in found], self.lang, "or")
            return self.told("other colour", colour=colour_name(colour, self.lang), colours=only)
        if asked.because:
            return self.said(asked)
        free = position.free(self.pyramid, self.marbles)
        if not free & bit and not asked.wide & ~free:
            return self.told("not free", points=self.points(self.pyramid.resting[self.point] & self.marbles))
        return ""

    # ------------------------------------------------------------ empty points

    def empty(self) -> str:
        """Return why nothing can be set down on the point."""
        setting = [asked for asked in self.asked if asked.kind in ("place", "set", "enter", "open")]
        if not setting:
            said = next((self.said(asked) for asked in self.asked if asked.kind == "" and asked.because), "")
            ask = ask_line(self.game, self.view, self.lang, self.names)
            return said or self.told("is empty", ask=ask)
        for asked in setting:
            if asked.raw >> self.point & 1:
                return self.tried(asked)
        held = self.view.held
        if held is not None and (held[2], held[1]) == (self.board, self.point):
            return self.told("came from")
        entering = all(asked.kind == "enter" for asked in setting)
        if not entering and not position.playable(self.pyramid, self.marbles) >> self.point & 1:
            missing = self.pyramid.supports[self.point] & ~self.marbles
            return capital(
                ntranslate(
                    self.lang,
                    "{point} needs four marbles below: {points} is empty.",
                    "{point} needs four marbles below: {points} are empty.",
                    missing.bit_count(),
                    point=self.name,
                    points=self.points(missing),
                )
            )
        reasons = [self.place(asked) for asked in setting]
        return next((reason for reason in reasons if reason), self.told("not now"))

    def place(self, asked: Asked) -> str:
        """Return why a step does not accept the empty point, or "" if the reason is unknown."""
        bit = 1 << self.point
        if asked.colours and asked.colours == asked.lacking:
            gone = listed([colour_name(c, self.lang) for c in bits(asked.lacking)], self.lang)
            return self.told("run out", colours=gone, stock=word(asked.stock, self.lang))
        if asked.kind == "enter":
            return self.entry(asked)
        below = self.pyramid.supports[self.point] & self.view.fallen(self.board)
        if below and asked.kind == "set":
            return self.told("just fell", points=self.points(below))
        if asked.because:
            return self.said(asked)
        if not asked.wide & ~self.pyramid.holes and not self.pyramid.holes & bit:
            return self.told("holes only")
        return ""

    def entry(self, asked: Asked) -> str:
        """Return why no marble can enter at the point."""
        bit = 1 << self.point
        if self.pyramid.holes & bit:
            return self.told("no entry on the board")
        if not bit & (self.pyramid.west | self.pyramid.east | self.pyramid.south | self.pyramid.north):
            return self.told("no edge")
        if not asked.wide & bit and asked.because:
            return self.said(asked)
        return self.told("no entry")

    # ------------------------------------------------------------ wording

    def said(self, asked: Asked) -> str:
        """Return the reason given in the game file as a sentence, or "" if there is none."""
        return self.reason(asked.because)

    def reason(self, because: dict[str, str]) -> str:
        return self.told("not", reason=self.phrase(because)) if because else ""

    def phrase(self, because: dict[str, str]) -> str:
        return because.get(self.lang) or because.get("en", "")

    def tried(self, asked: Asked) -> str:
        """Return why a step's moves at this point lead to a dead end."""
        for code in asked.codes.get(self.point, ()):
            self.engine.load(self.machine, self.view._at)
            try:
                found = _failing(self.engine, self.machine, code)
            except (RuleFailure, RecursionError):
                continue
            if found is not None and found.op == "Require" and found.because:
                return self.reason(found.because)
            if found is None and self.view._rules.needs_began:
                # A view with secrets does not contain the boards at the start of the turn, so this is the likely
                # reason.
                return self.told("as before")
            if found is not None and (found.op in ("EndTurn", "ByEnd") or found.sure):
                return self.told("as before")
            if found is not None and found.waits and found.because:
                return self.told("leads nowhere as", reason=self.phrase(found.because))
            if found is not None and found.op == "SetDown":
                return self.told("no other place")
            if found is not None and found.op == "Place":
                return self.told(
                    "leads nowhere as", reason=translate(self.lang, "no marble could be placed after it")
                )
        return self.told("leads nowhere")


def _asked(engine: Engine, m: Machine) -> list[Asked]:
    """Return what the pending step asks for.

    If the step is a choice among branches, return what each branch asks for.
    """
    return list(_of_step(engine, m))


def _of_step(engine: Engine, m: Machine) -> Iterator[Asked]:
    """Yield what a step asks for; for a choice among branches, what each branch asks for.

    If a branch cannot begin because a requirement is not met, its kind is empty and the reason is that of the
    requirement.
    """
    step = m.at
    instruction = m.rules.code[step.number]
    if instruction.op == "Choose":
        before = engine.save(m)
        for start in cast("Choose", step).starts:
            if start is step.next:
                continue
            engine.load(m, before)
            m.looking, m.at = True, start
            ended = engine.run(m, step.next)
            stopped = m.rules.code[m.at.number]
            if ended == engine.WAITING and stopped.waits:
                yield from _of_step(engine, m)
            elif ended == engine.FAILED and stopped.op == "Require":
                yield Asked("", -1, because=stopped.because)
        engine.load(m, before)
        m.looking = False
        return
    pyramid, marbles = m.rules.pyramid, m.board.filled
    codes = engine.raw_choices(m)
    asked = Asked("", m.board.index, because=instruction.because)
    if instruction.op in ("Place", "Enter"):
        asked.kind = instruction.op.lower()
        placing = cast("Place | Enter", step)
        asked.colours = placing.colours.eval(m)
        stock = placing.stock.index(m)
        asked.stock = m.rules.stock_names[stock_base(instruction.terms[2])]
        lacking = [c for c in bits(asked.colours) if stock < 0 or m.stocks[stock][c].v <= 0]
        asked.lacking = sum(1 << c for c in lacking)
        for colour in bits(asked.colours & ~asked.lacking):
            m.colour = 1 << colour
            asked.wide |= pyramid.all if placing.at is None else placing.at.eval(m)
    elif instruction.op in ("Take", "Lift"):
        asked.kind = instruction.op.lower()
        asked.wide = cast("Take | Lift", step).points.eval(m) & marbles
    elif instruction.op == "SetDown":
        setting = cast("SetDown", step)
        asked.kind = "onto" if setting.onto else "set"
        asked.wide = pyramid.all if setting.points is None else setting.points.eval(m)
        asked.wide &= marbles if setting.onto else ~marbles
    elif not (instruction.op == "Pick" and instruction.kind == POINTS):
        return
    for code in codes:
        for point in bits(points_of(code)):
            asked.codes.setdefault(point, []).append(code)
    if instruction.op == "Pick":
        asked.wide = sum(1 << point for point in asked.codes)
        asked.kind = "open" if asked.wide & ~marbles else "pick"
    asked.raw = sum(1 << point for point in asked.codes)
    yield asked


def _failing(engine: Engine, m: Machine, code: int) -> Instruction | None:
    """Return the instruction at which all continuations of a move fail.

    Instructions that give a reason are preferred. Return None if no instruction is found within :data:`TRIALS` tries.
    """
    m.looking, m.events = True, None
    actor = m.me
    found: Instruction | None = None
    todo = [(engine.save(m), code)]
    for _ in range(TRIALS):
        if not todo:
            break
        at, code = todo.pop()
        engine.load(m, at)
        ended = engine.take(m, code, None)
        stopped: Instruction = m.rules.code[m.at.number]
        if ended == engine.WAITING and m.me == actor and stopped.waits:
            after, codes = engine.save(m), engine.raw_choices(m)
            todo += [(after, each) for each in reversed(codes)]
            found = found if codes else stopped
        elif ended == engine.FAILED:
            if stopped.op == "Require" and stopped.because:
                return stopped
            # A turn, or a seat's part of it, must change something before it can end.
            found = stopped if stopped.op in ("EndTurn", "ByEnd") or stopped.sure else found
    return found
