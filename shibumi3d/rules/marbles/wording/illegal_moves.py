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
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.engine.rules import POINTS, Instruction, base_stock_index
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.notation import choice_points
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording.messages import MESSAGES, SEAT_SYMBOLS, format_list
from shibumi3d.rules.marbles.wording.names import board_name, colour_name, display_name, point_name
from shibumi3d.rules.marbles.wording.sentences import format_prompt
from shibumi3d.rules.wording import capitalize_first

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.machine import Machine
    from shibumi3d.rules.marbles.engine.steps.choices import Enter, Lift, Place, SetDown, Take
    from shibumi3d.rules.marbles.engine.steps.control_flow import Choose
    from shibumi3d.rules.marbles.engines import Engine


BOARD_MOVE_KINDS = ("place", "enter", "take", "lift", "set", "points")
"""Kinds of moves that are made on a board."""
TAKING_KINDS = ("take", "lift", "onto", "pick")
MAX_TRIAL_MOVES = 300
"""Maximum number of moves tried to find out why a move leads to a dead end."""


@dataclass
class PendingStep:
    """What a step of the rules asks a player to choose.

    ``kind`` is the kind of choice, such as "place" (put a marble on the board) or "take". If the object stands for a
    branch that can't begin, ``kind`` is empty and ``board`` is -1. ``named_points`` is a mask of all points that the
    step's rule allows. ``selectable_points`` is a mask of the points at which the step offers a move, even if the turn
    can't be completed after it, and ``codes_by_point`` lists the codes of these moves by point. ``colours`` is a mask
    of the colours that may be placed, and ``exhausted_colours`` a mask of those that have run out in ``stock``.
    ``reasons`` says, by language, why a choice isn't allowed or why the branch can't begin; it is empty if the game
    file gives no reason.
    """

    kind: str
    board: int
    named_points: int = 0
    selectable_points: int = 0
    codes_by_point: dict[int, list[int]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    colours: int = 0
    exhausted_colours: int = 0
    stock: str = ""


def explain_illegal(
    game: BasicGame,
    view: State,
    board: int,
    point: int,
    lang: str = "en",
    names: Sequence[str] = SEAT_SYMBOLS,
    moves: Sequence[Move] | None = None,
) -> str:
    """Return a sentence that explains why an attempted move at ``point`` is illegal.

    The sentence gives the reason or says what has to be chosen instead. ``moves`` contains the legal moves; by default,
    they are computed.
    """
    if view.to_move is None:
        return translate(lang, "The match is over.")
    if moves is None:
        moves = game.moves(view)
    if not view._rules.board_viewers[board] >> view._snapshot.me & 1:
        return translate(lang, "You can't play there: that board is under a cloth.")
    open_ = [move for move in moves if move.kind in BOARD_MOVE_KINDS]
    if not open_:
        first = [move for move in moves if move.kind not in ("done", "pass")]
        ask = format_prompt(game, view, lang, names, first or moves)
        return capitalize_first(
            translate(lang, "{ask} first.", ask=ask) if first else translate(lang, "{ask}.", ask=ask)
        )
    name = point_name(view, board, point, lang, names)
    if all(move.board != board for move in open_):
        return translate(
            lang,
            "{point} isn't allowed: you're playing on {board} now.",
            point=name,
            board=board_name(view, open_[0].board, lang, names),
        )
    explainer = _PointExplainer(game, view, board, point, name, lang, names)
    others = sorted({move.colour for move in open_ if (move.board, move.point) == (board, point)} - {-1})
    if others:
        only = format_list([colour_name(colour, lang) for colour in others], lang, "or")
        return explainer.format_message("only colours", colours=only)
    return explainer.explain_filled() if view.filled(board) >> point & 1 else explainer.explain_empty()


class _PointExplainer:
    def __init__(
        self, game: BasicGame, view: State, board: int, point: int, name: str, lang: str, names: Sequence[str]
    ) -> None:
        self.game, self.view, self.board, self.point, self.name = game, view, board, point, name
        self.lang, self.names = lang, names
        self.pyramid = view._rules.pyramid
        self.filled_points = view.filled(board)
        self.engine = get_engine(view.size)
        self.machine = self.engine.build_machine(view._rules)
        try:
            self.engine.load_snapshot(self.machine, view._snapshot)
            self.pending_steps = [
                a for a in _find_pending_steps(self.engine, self.machine) if a.board in (board, -1)
            ]
        except (RuleFailure, RecursionError):
            self.pending_steps = []

    def format_message(self, key: str, **values: str) -> str:
        """Return the message with the given key as a sentence about the point."""
        return capitalize_first(translate(self.lang, MESSAGES[key], None, point=self.name, **values))

    def format_points(self, mask: int) -> str:
        return format_list([self.pyramid.point_names[point] for point in iter_bits(mask)], self.lang)

    def find_marble_colour(self) -> int:
        return next(c for c, cells in enumerate(self.view.cells(self.board)) if cells >> self.point & 1)

    # ------------------------------------------------------------ points with a marble

    def explain_filled(self) -> str:
        """Return why nothing can be done with the marble on the point."""
        taking = [
            pending_step
            for pending_step in self.pending_steps
            if pending_step.kind in TAKING_KINDS and pending_step.named_points
        ]
        for asked in taking:
            if asked.selectable_points >> self.point & 1:
                return self.explain_dead_end(asked)
        reasons = [self.explain_marble(asked) for asked in taking]
        reasons += [
            step_reason
            for pending_step in self.pending_steps
            if pending_step.kind == "" and (step_reason := self.format_step_reason(pending_step))
        ]
        if reasons:
            return next((reason for reason in reasons if reason), self.format_message("not now"))
        return self.format_message("holds", colour=colour_name(self.find_marble_colour(), self.lang))

    def explain_marble(self, pending: PendingStep) -> str:
        """Return why a step does not accept the marble on the point, or "" if the reason is unknown."""
        bit, colour, cells = 1 << self.point, self.find_marble_colour(), self.view.cells(self.board)
        pinned = position.pinned_marbles(self.pyramid, self.filled_points) & bit
        if pending.named_points & bit or (
            pending.kind == "pick" and pinned and pending.named_points & cells[colour]
        ):
            on_it = self.format_points(self.pyramid.resting[self.point] & self.filled_points)
            return self.format_message("pinned", points=on_it)
        if not pending.named_points & cells[colour]:
            me = self.view.to_move
            owners = [seat for seat in range(self.view.seats) if colour in self.view.owned_colours(seat)]
            if owners and me not in owners:
                return self.format_message(
                    "belongs", seat=format_list([self.names[seat] for seat in owners], self.lang)
                )
            named_colours = [c for c, mask in enumerate(cells) if mask & pending.named_points]
            if pending.reasons and me in owners:
                return self.format_step_reason(pending)
            only = format_list([colour_name(c, self.lang) for c in named_colours], self.lang, "or")
            return self.format_message("other colour", colour=colour_name(colour, self.lang), colours=only)
        if pending.reasons:
            return self.format_step_reason(pending)
        free = position.free_marbles(self.pyramid, self.filled_points)
        if not free & bit and not pending.named_points & ~free:
            return self.format_message(
                "not free", points=self.format_points(self.pyramid.resting[self.point] & self.filled_points)
            )
        return ""

    # ------------------------------------------------------------ empty points

    def explain_empty(self) -> str:
        """Return a sentence that explains why the empty point can't be chosen.

        Either no pending step accepts the point, or choosing it would leave no way to complete the turn. If no pending
        step asks for an empty point, the sentence says what to choose instead. However, if a branch can't begin and the
        game file gives a reason for this, the sentence gives that reason.
        """
        setting = [
            pending_step
            for pending_step in self.pending_steps
            if pending_step.kind in ("place", "set", "enter", "open")
        ]
        if not setting:
            step_reason = next(
                (
                    self.format_step_reason(pending_step)
                    for pending_step in self.pending_steps
                    if pending_step.kind == "" and pending_step.reasons
                ),
                "",
            )
            ask = format_prompt(self.game, self.view, self.lang, self.names)
            return step_reason or self.format_message("is empty", ask=ask)
        for asked in setting:
            if asked.selectable_points >> self.point & 1:
                return self.explain_dead_end(asked)
        held = self.view.held
        if held is not None and (held[2], held[1]) == (self.board, self.point):
            return self.format_message("came from")
        entering = all(asked.kind == "enter" for asked in setting)
        if not entering and not position.playable_points(self.pyramid, self.filled_points) >> self.point & 1:
            missing = self.pyramid.supports[self.point] & ~self.filled_points
            return capitalize_first(
                ntranslate(
                    self.lang,
                    "{point} needs four marbles below: {points} is empty.",
                    "{point} needs four marbles below: {points} are empty.",
                    missing.bit_count(),
                    point=self.name,
                    points=self.format_points(missing),
                )
            )
        reasons = [self.explain_placing(asked) for asked in setting]
        return next((reason for reason in reasons if reason), self.format_message("not now"))

    def explain_placing(self, pending: PendingStep) -> str:
        """Return why a step does not accept the empty point, or "" if the reason is unknown."""
        bit = 1 << self.point
        if pending.colours and pending.colours == pending.exhausted_colours:
            colours = format_list(
                [colour_name(c, self.lang) for c in iter_bits(pending.exhausted_colours)], self.lang, "or"
            )
            return self.format_message(
                "run out", colours=colours, stock=display_name(pending.stock, self.lang)
            )
        if pending.kind == "enter":
            return self.explain_entering(pending)
        below = self.pyramid.supports[self.point] & self.view.fallen_points(self.board)
        if below and pending.kind == "set":
            return self.format_message("just fell", points=self.format_points(below))
        if pending.reasons:
            return self.format_step_reason(pending)
        if not pending.named_points & ~self.pyramid.holes and not self.pyramid.holes & bit:
            return self.format_message("holes only")
        return ""

    def explain_entering(self, pending: PendingStep) -> str:
        """Return why no marble can enter at the point."""
        bit = 1 << self.point
        if self.pyramid.holes & bit:
            return self.format_message("no entry on the board")
        if not bit & (self.pyramid.west | self.pyramid.east | self.pyramid.south | self.pyramid.north):
            return self.format_message("no edge")
        if not pending.named_points & bit and pending.reasons:
            return self.format_step_reason(pending)
        return self.format_message("no entry")

    # ------------------------------------------------------------ wording

    def format_step_reason(self, pending: PendingStep) -> str:
        """Return a sentence with the game file's reason why the point isn't allowed, or "" if there is none."""
        return self.format_reason(pending.reasons)

    def format_reason(self, reasons: dict[str, str]) -> str:
        return self.format_message("not", reason=self.localize_reason(reasons)) if reasons else ""

    def localize_reason(self, reasons: dict[str, str]) -> str:
        return reasons.get(self.lang) or reasons.get("en", "")

    def explain_dead_end(self, pending: PendingStep) -> str:
        """Return why a step's moves at this point lead to a dead end."""
        for code in pending.codes_by_point.get(self.point, ()):
            self.engine.load_snapshot(self.machine, self.view._snapshot)
            try:
                failing_instruction = _find_failing_instruction(self.engine, self.machine, code)
            except (RuleFailure, RecursionError):
                continue
            if (
                failing_instruction is not None
                and failing_instruction.op == "Require"
                and failing_instruction.reasons
            ):
                return self.format_reason(failing_instruction.reasons)
            if failing_instruction is None and self.view._rules.needs_turn_start:
                # A view with secrets does not contain the boards at the start of the turn, so this is the likely
                # reason.
                return self.format_message("as before")
            if failing_instruction is not None and (
                failing_instruction.op in ("EndTurn", "ByEnd") or failing_instruction.always_completes
            ):
                return self.format_message("as before")
            if (
                failing_instruction is not None
                and failing_instruction.awaits_choice
                and failing_instruction.reasons
            ):
                return self.format_message(
                    "leads nowhere as", reason=self.localize_reason(failing_instruction.reasons)
                )
            if failing_instruction is not None and failing_instruction.op == "SetDown":
                return self.format_message("no other place")
            if failing_instruction is not None and failing_instruction.op == "Place":
                return self.format_message(
                    "leads nowhere as", reason=translate(self.lang, "no marble could be placed afterwards")
                )
        return self.format_message("leads nowhere")


def _find_pending_steps(engine: Engine, m: Machine) -> Iterator[PendingStep]:
    """Yield what the current step asks for or, at a choice among branches, what each branch asks for.

    Steps at which no point is chosen are left out. For a branch that cannot begin because a requirement is not met,
    ``kind`` is empty and ``reasons`` holds the reasons given for the requirement.
    """
    step = m.current_step
    instruction = m.rules.program[step.program_index]
    if instruction.op == "Choose":
        before = engine.save_snapshot(m)
        for start in cast("Choose", step).branch_starts:
            if start is step.next:
                continue
            engine.load_snapshot(m, before)
            m.is_looking_ahead, m.current_step = True, start
            ended = engine.run_steps(m, step.next)
            stopped = m.rules.program[m.current_step.program_index]
            if ended == engine.AWAITING_CHOICE and stopped.awaits_choice:
                yield from _find_pending_steps(engine, m)
            elif ended == engine.FAILED and stopped.op == "Require":
                yield PendingStep("", -1, reasons=stopped.reasons)
        engine.load_snapshot(m, before)
        m.is_looking_ahead = False
        return
    pyramid, marbles = m.rules.pyramid, m.board.filled
    codes = engine.pseudo_legal_choices(m)
    pending_step = PendingStep("", m.board.index, reasons=instruction.reasons)
    if instruction.op in ("Place", "Enter"):
        pending_step.kind = instruction.op.lower()
        placing = cast("Place | Enter", step)
        pending_step.colours = placing.colours.eval(m)
        stock = placing.stock.stock_index(m)
        pending_step.stock = m.rules.stock_names[base_stock_index(instruction.terms[2])]
        exhausted = [c for c in iter_bits(pending_step.colours) if stock < 0 or m.stocks[stock][c].value <= 0]
        pending_step.exhausted_colours = sum(1 << c for c in exhausted)
        for colour in iter_bits(pending_step.colours & ~pending_step.exhausted_colours):
            m.chosen_colour = 1 << colour
            pending_step.named_points |= (
                pyramid.all_points if placing.allowed_points is None else placing.allowed_points.eval(m)
            )
    elif instruction.op in ("Take", "Lift"):
        pending_step.kind = instruction.op.lower()
        pending_step.named_points = cast("Take | Lift", step).points.eval(m) & marbles
    elif instruction.op == "SetDown":
        setting = cast("SetDown", step)
        pending_step.kind = "onto" if setting.replaces_marble else "set"
        pending_step.named_points = pyramid.all_points if setting.points is None else setting.points.eval(m)
        pending_step.named_points &= marbles if setting.replaces_marble else ~marbles
    elif not (instruction.op == "Pick" and instruction.choice_kind == POINTS):
        return
    for code in codes:
        for point in iter_bits(choice_points(code)):
            pending_step.codes_by_point.setdefault(point, []).append(code)
    if instruction.op == "Pick":
        pending_step.named_points = sum(1 << point for point in pending_step.codes_by_point)
        pending_step.kind = "open" if pending_step.named_points & ~marbles else "pick"
    pending_step.selectable_points = sum(1 << point for point in pending_step.codes_by_point)
    yield pending_step


def _find_failing_instruction(engine: Engine, m: Machine, code: int) -> Instruction | None:
    """Return an instruction that keeps the turn from being completed after the move ``code``.

    The seat's further choices are tried depth first. If this leads to a ``require`` that fails and has a reason, the
    first such ``require`` is returned. Otherwise, the result is the last obstacle found of one of two other kinds. One
    is a choice without options. The other is the end of a turn, or of a seat's part of it, in which marbles were moved,
    removed or recoloured, but all boards are as they were before. An instruction from which this end is always reached
    counts as the end. Returns None if nothing is found within :data:`MAX_TRIAL_MOVES` tries. The machine is left in
    another position.
    """
    m.is_looking_ahead, m.events = True, None
    actor = m.me
    failing_instruction: Instruction | None = None
    todo = [(engine.save_snapshot(m), code)]
    for _ in range(MAX_TRIAL_MOVES):
        if not todo:
            break
        at, code = todo.pop()
        engine.load_snapshot(m, at)
        ended = engine.take_option(m, code, None)
        stopped: Instruction = m.rules.program[m.current_step.program_index]
        if ended == engine.AWAITING_CHOICE and m.me == actor and stopped.awaits_choice:
            after, codes = engine.save_snapshot(m), engine.pseudo_legal_choices(m)
            todo += [(after, code) for code in reversed(codes)]
            failing_instruction = failing_instruction if codes else stopped
        elif ended == engine.FAILED:
            if stopped.op == "Require" and stopped.reasons:
                return stopped
            # A turn, or a seat's part of it, must change something before it can end.
            failing_instruction = (
                stopped
                if stopped.op in ("EndTurn", "ByEnd") or stopped.always_completes
                else failing_instruction
            )
    return failing_instruction
