"""Compilation of game files into the rules that the engine runs."""

from __future__ import annotations

from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.marbles.engine.rules import SCORE_LOCATION, SOLVABLE_LOCATION, Rules
from shibumi3d.rules.marbles.language.compiler.control_flow import annotate_control_flow
from shibumi3d.rules.marbles.language.compiler.equipment import EquipmentCompiler
from shibumi3d.rules.marbles.language.compiler.names import NameCollector
from shibumi3d.rules.marbles.language.compiler.phases import NOBODY_AHEAD, PhaseCompiler
from shibumi3d.rules.marbles.language.compiler.reader import RulesReader, source_location
from shibumi3d.rules.marbles.language.compiler.steps import StepCompiler
from shibumi3d.rules.marbles.language.scope import ExpressionError, storage_shape
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.source import Item, Problem


def compile_file(reader: RulesReader) -> Rules:
    """Compile the whole file and return its rules; ``reader`` collects the mistakes.

    Raises ExpressionError or RecursionError if compilation can't continue, and GameFileError if there are more mistakes
    than can be reported.
    """
    head, names, program = EquipmentCompiler(reader), NameCollector(reader), StepCompiler(reader)
    ends = PhaseCompiler(reader, program)
    rules, scope = reader.rules, reader.scope
    head.read_boards()
    names.read_definitions()
    head.read_stocks()
    names.collect()
    programs = [
        found
        for found in (
            reader.top_level_item("setup"),
            reader.top_level_item("turn"),
            reader.top_level_item("phases"),
        )
        if found is not None
    ]
    names.infer_types(programs)
    names.compile_initial_values()
    ends.compile_phases()
    score, end = reader.top_level_item("score"), reader.top_level_item("end")
    if score is not None:
        rules.score = reader.compile_term(score, Type.INT, "none of them")
        rules.source_locations[SCORE_LOCATION] = source_location(score)
    if end is not None:
        rules.end_rules = ends.compile_end_rules(end)
    ends.compile_series()
    solvable = reader.top_level_item("solvable")
    if solvable is not None:
        rules.solvable = reader.compile_term(solvable, Type.BOOL)
        rules.source_locations[SOLVABLE_LOCATION] = source_location(solvable)
    for phase in rules.phases:
        phase.early_end_rules = tuple(
            [rule for rule in (*phase.end_rules, *rules.end_rules) if rule.is_early]
        )
        rules.has_early_end_rules = rules.has_early_end_rules or bool(phase.early_end_rules)
    has_score = score is not None or any(step.op == "AddScore" for step in program.instructions)
    for rule in (*rules.end_rules, *[rule for phase in rules.phases for rule in phase.end_rules]):
        first = rule.compared_values[0] if rule.compared_values else None
        # A value that is negated so that the lowest wins is not a score to display.
        if first is not None and not has_score and rule.is_list_by_value == (False,):
            rule.compares_only_score = first.op != "Negative"
        has_own_reason = rules.level_reasons.get(rule.number, NOBODY_AHEAD) is not NOBODY_AHEAD
        compares_scores = rule.compares_only_score or (first is not None and first.op == "Score")
        if rule.tie is not None and has_own_reason and compares_scores:
            rules.score_tie_rules |= {rule.number}
    if "repeats" in scope.words_used:
        rules.needs_history = True
    names.check_unused_definitions()
    rules.program = program.instructions
    rules.labels = tuple(program.labels)
    rules.drawn_stocks = frozenset(program.drawn_stocks)
    rules.slot_count = scope.next_slot
    rules.words_used = frozenset(scope.words_used)
    for name in scope.names.values():
        if name.kind != "mark" and storage_shape(name.type) != "scalar":
            for i in range(reader.seats if name.is_per_seat else 1):
                rules.list_shapes[name.slot + i] = storage_shape(name.type)
    annotate_control_flow(rules)
    return rules


def compile_rules(item: Item, *, size: int, seats: int, problems: list[Problem] | None = None) -> Rules:
    """Return the rules of a game file, compiled for the given board size and number of seats.

    ``item`` is the top-level mapping of the file, with ``extends`` and the variant already merged. Mistakes are
    appended to ``problems``. Raises GameFileError if compilation can't continue, or if there are mistakes and
    ``problems`` is None. In both cases, the error contains the mistakes, and ``problems`` is unchanged.
    """
    problem_list = ProblemList()
    reader = RulesReader(item, size, seats, problem_list)
    try:
        rules = compile_file(reader)
    except (ExpressionError, RecursionError) as error:
        reader.ignores_problems = False
        reader.report_error(
            item.location,
            error
            if isinstance(error, ExpressionError)
            else ExpressionError("the program is nested too deeply"),
        )
        raise GameFileError(problem_list) from None
    if problem_list:
        if problems is None:
            raise GameFileError(problem_list)
        problems += problem_list
    return rules
