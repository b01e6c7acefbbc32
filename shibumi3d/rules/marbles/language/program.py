"""Compilation of the rules in a game file into :class:`~.rules.Rules`.

Mistakes in the file are collected as :class:`~.source.Problem` objects. :func:`compile_rules` raises GameFileError with
all of them.
"""

from __future__ import annotations

from shibumi3d.rules.errors import GameFileError, Problems
from shibumi3d.rules.marbles.engine.rules import SCORE_TERM, SOLVABLE_TERM, Rules
from shibumi3d.rules.marbles.language.compiler.analysis import analyse
from shibumi3d.rules.marbles.language.compiler.ends import Ends
from shibumi3d.rules.marbles.language.compiler.head import Head
from shibumi3d.rules.marbles.language.compiler.names import Names
from shibumi3d.rules.marbles.language.compiler.program import Program
from shibumi3d.rules.marbles.language.compiler.reading import Reader, place_of
from shibumi3d.rules.marbles.language.scope import Wrong, shape
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.source import Item, Problem


def compiled(reader: Reader) -> Rules:
    """Compile the whole file and return its rules; ``reader`` collects the problems."""
    head, names, program = Head(reader), Names(reader), Program(reader)
    ends = Ends(reader, program)
    rules, scope = reader.rules, reader.scope
    head.read_boards()
    names.read_defines()
    head.read_stocks()
    names.gather()
    programs = [
        found
        for found in (reader.key("setup"), reader.key("turn"), reader.key("phases"))
        if found is not None
    ]
    names.settle_types(programs)
    names.read_vars()
    ends.read_phases()
    score, end = reader.key("score"), reader.key("end")
    if score is not None:
        rules.score = reader.node(score, Type.INT, "none of them")
        rules.places[SCORE_TERM] = place_of(score)
    if end is not None:
        rules.ends = ends.ends(end)
    ends.read_series()
    solvable = reader.key("solvable")
    if solvable is not None:
        rules.solvable = reader.node(solvable, Type.BOOL)
        rules.places[SOLVABLE_TERM] = place_of(solvable)
    for phase in rules.phases:
        phase.early = tuple([rule for rule in (*phase.ends, *rules.ends) if rule.early])
        rules.early = rules.early or bool(phase.early)
    if score is None and not any(step.op == "AddScore" for step in program.code):
        for rule in (*rules.ends, *[rule for phase in rules.phases for rule in phase.ends]):
            # A value that is negated so that the lowest wins is not a score to display.
            if rule.most is not None and rule.most_lists == (False,):
                rule.most_is_score = rule.most[0].op != "Negative"
    if "repeats" in scope.uses:
        rules.needs_history = True
    names.check_defines()
    rules.code = program.code
    rules.labels = tuple(program.labels)
    rules.drawn_from = frozenset(program.drawn)
    rules.slots = scope.next_slot
    rules.uses = frozenset(scope.uses)
    for name in scope.names.values():
        if name.kind != "mark" and shape(name.type) != "scalar":
            for i in range(reader.seats if name.by_seat else 1):
                rules.shapes[name.slot + i] = shape(name.type)
    analyse(rules)
    return rules


def compile_rules(item: Item, *, size: int, seats: int, problems: list[Problem] | None = None) -> Rules:
    """Return the rules of a game file, compiled for a board size and a number of seats.

    ``item`` is the top-level mapping of the file, with ``extends`` and the variant already merged. Mistakes are
    appended to ``problems``. Raises GameFileError if there are mistakes and no such list is given, or if compilation
    can't continue.
    """
    found = Problems()
    reader = Reader(item, size, seats, found)
    try:
        rules = compiled(reader)
    except (Wrong, RecursionError) as error:
        reader.quiet = False
        reader.wrong(
            item.mark, error if isinstance(error, Wrong) else Wrong("the program is nested too deeply")
        )
        raise GameFileError(found) from None
    if found:
        if problems is None:
            raise GameFileError(found)
        problems += found
    return rules
