"""Compilation of the names that a game file defines.

These are definitions, variables, marks, and names given by ``let`` and ``as``.
"""

from __future__ import annotations

from shibumi3d.i18n import Message
from shibumi3d.rules.marbles.engine.rules import (
    InitialValue,
)
from shibumi3d.rules.marbles.language.compiler.reader import RulesReader, is_plain_name
from shibumi3d.rules.marbles.language.constant_folding import normalize_bool
from shibumi3d.rules.marbles.language.scope import (
    CONTEXT_WORDS,
    DeclaredName,
    Definition,
    ExpressionError,
    parse_expression,
    storage_shape,
)
from shibumi3d.rules.marbles.language.types import Type, common_type, picked_type
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.source import Item, SourceLocation


class NameCollector:
    """Collector of the names that a game file defines; it also infers their types."""

    def __init__(self, reader: RulesReader) -> None:
        self.reader = reader

    def read_definitions(self) -> None:
        """Read the definitions, and compute how large they become when expanded.

        If the value of a definition is missing, a list or a mapping, the definition is reported and left out. The same
        applies if its name or a parameter has an invalid form or is already a word of the language. Mistakes in the
        expression itself are reported later: where the definition is used, or by :meth:`check_unused_definitions`.
        """
        for head, item in self.reader.read_mapping(self.reader.top_level_item("define"), "'define'").items():
            mark = self.reader.top_level_item("define").key_locations.get(head, item.location)  # type: ignore[union-attr]  # it is there
            name, _, rest = head.partition("(")
            params = tuple(p.strip() for p in rest.rstrip(") ").split(",") if p.strip())
            name = name.strip()
            if (
                not is_plain_name(name)
                or not all(is_plain_name(p) for p in params)
                or (rest and not rest.rstrip().endswith(")"))
            ):
                self.reader.report_problem(
                    mark, "'{name}' is neither a name nor a name with parameters such as 'room(p)'", name=head
                )
            elif name in WORDS or name in self.reader.scope.pyramid.point_by_name:
                self.reader.report_problem(mark, "'{name}' is already a word of the language", name=name)
            elif any(p in WORDS for p in params):
                self.reader.report_problem(
                    mark, "a parameter of '{name}' is already a word of the language", name=head
                )
            elif isinstance(item.value, dict | list) or item.value is None:
                self.reader.report_problem(
                    item.location, "'{name}' must be defined by an expression", name=name
                )
            else:
                value = str(item.value).lower() if isinstance(item.value, bool) else str(item.value)
                self.reader.scope.definitions[name] = Definition(params, value, item)
        self.reader.scope.measure_definitions()

    def collect(self) -> None:
        """Collect the variables, the marks and the names given by ``let`` and ``as``, and assign their slots.

        Variables come first, then names that last for one turn. Marks are numbered separately, after the built-in
        marks ``placed``, ``moved`` and ``fallen``.
        """
        scope = self.reader.scope
        variables = self.reader.read_mapping(self.reader.top_level_item("vars"), "'vars'")
        for name, item in variables.items():
            by_seat = isinstance(item.value, dict)
            self.declare_name(name, "let", item.location, is_lasting=True, is_per_seat=by_seat)
        programs = [self.reader.top_level_item("setup"), self.reader.top_level_item("turn")]
        phases = self.reader.top_level_item("phases")
        if phases is not None and isinstance(phases.value, list):
            programs += [p.value.get("turn") for p in phases.value if isinstance(p.value, dict)]
        for program in programs:
            if program is not None:
                self.collect_from(program)
        for name in [k for k, v in scope.names.items() if v.is_lasting and v.kind != "mark"]:
            known = scope.names[name]
            known.slot = scope.next_slot
            for _ in range(self.reader.seats if known.is_per_seat else 1):
                scope.allocate_slot()
        self.reader.rules.var_count = scope.next_slot
        for known in scope.names.values():
            if not known.is_lasting and known.kind != "mark":
                known.slot = scope.allocate_slot()
        self.reader.rules.saved_name_count = scope.next_slot
        marks = [known for known in scope.names.values() if known.kind == "mark"]
        for i, known in enumerate(marks):
            known.slot = 3 + i
        self.reader.rules.mark_count = 3 + len(marks)
        self.reader.rules.lasting_marks = frozenset(known.slot for known in marks if known.is_lasting)

    def collect_from(self, item: Item, depth: int = 0) -> None:
        """Collect the names defined by ``let``, ``mark`` and ``as`` in a program or in a part of it.

        ``depth`` is the nesting depth of ``item`` in the program. Parts at a depth of more than 60 are ignored.
        """
        if depth > 60:
            return
        if isinstance(item.value, list):
            for part in item.value:
                self.collect_from(part, depth + 1)
        elif isinstance(item.value, dict):
            for key, part in item.value.items():
                if key in ("let", "mark") and isinstance(part.value, dict):
                    for name in part.value:
                        self.declare_name(name, key, part.key_locations.get(name, part.location))
                elif key == "as" and isinstance(part.value, str):
                    self.declare_name(part.value, "let", part.location)
                elif key not in ("let", "mark", "as"):
                    self.collect_from(part, depth + 1)

    def declare_name(
        self,
        name: str,
        kind: str,
        mark: SourceLocation,
        *,
        is_lasting: bool = False,
        is_per_seat: bool = False,
    ) -> None:
        """Register a name, or report a problem if it is invalid or already has another use.

        ``kind`` is "let" or "mark", and ``mark`` is the location for the report. ``is_lasting`` is set for variables,
        and ``is_per_seat`` for those with one value per seat. Registering a name again for the same use does nothing.
        Registering the name of a variable again with the kind "mark" turns the variable into a mark.
        """
        scope = self.reader.scope
        kind = "mark" if kind == "mark" else "value"
        if name in scope.names:
            if scope.names[name].kind != kind:
                if scope.names[name].is_lasting and kind == "mark":
                    scope.names[name].kind = "mark"
                    scope.names[name].type = Type.POINTS
                    return
                self.reader.report_problem(
                    mark,
                    "'{name}' is used both by 'mark' and by 'let' or 'as': choose different names",
                    name=name,
                )
            return
        taken_names = (
            name in WORDS
            or name in scope.stocks
            or name in scope.pyramid.point_by_name
            or name in scope.definitions
        )
        if taken_names or not is_plain_name(name):
            self.reader.report_problem(
                mark,
                "'{name}' can't be used as a name: it is already taken, or isn't a plain name made of "
                "letters, digits and '_'",
                name=name,
            )
            return
        typed = Type.POINTS if kind == "mark" else Type.NONE
        scope.names[name] = DeclaredName(kind, typed, 0, is_per_seat, is_lasting)

    def infer_types(self, programs: list[Item]) -> None:
        """Infer the types of names from the values that they receive.

        The values are the initial values of the variables and those that ``programs`` give to names. Since values can
        refer to other names, all of them are compiled repeatedly until no type changes, but at most six times. Problems
        found on the way are not reported.
        """
        slot = self.reader.scope.next_slot
        self.reader.ignores_problems, self.reader.scope.suggests_words = True, False
        for _ in range(6):
            before = {name: known.type for name, known in self.reader.scope.names.items()}
            for name, item in self.reader.read_mapping(self.reader.top_level_item("vars"), "'vars'").items():
                source = item.value["each"] if isinstance(item.value, dict) and "each" in item.value else item
                self.widen_type(name, self.reader.compile_expression(source, None).type)
            for program in programs:
                self.infer_from(program)
            self.reader.scope.next_slot = slot
            if before == {name: known.type for name, known in self.reader.scope.names.items()}:
                break
        self.reader.ignores_problems, self.reader.scope.suggests_words = False, True
        self.reader.scope.words_used.clear()

    def widen_type(self, name: str, kind: Type) -> None:
        """Widen the inferred type of a name, if possible, to include values of type ``kind``."""
        known = self.reader.scope.names.get(name)
        if known is None or known.kind == "mark":
            return
        if kind is Type.POINT:
            kind = Type.POINTS
        if kind is Type.COLOUR_WORD:
            kind = Type.COLOURS
        common = common_type(known.type, kind)
        if (known.type is Type.BOOL and kind is Type.INT) or (known.type is Type.INT and kind is Type.BOOL):
            common = Type.INT
        if common is not None:
            known.type = common

    def infer_from(self, item: Item, depth: int = 0) -> None:
        """Widen the types of the names that ``let`` and ``as`` define in a program, so that their values fit.

        ``item`` is the program or a part of it, and ``depth`` is its nesting depth. Marks are left out, because their
        type is always Points. Since values can refer to other names, :meth:`infer_types` repeats this for all programs.
        """
        if depth > 60:
            return
        if isinstance(item.value, list):
            for part in item.value:
                self.infer_from(part, depth + 1)
            return
        if not isinstance(item.value, dict):
            return
        table = item.value
        for key, part in table.items():
            if key == "let" and isinstance(part.value, dict):
                for name, value in part.value.items():
                    self.widen_type(name, self.reader.compile_expression(value, None).type)
            elif key not in ("let", "mark", "as"):
                self.infer_from(part, depth + 1)
        if "as" in table and isinstance(table["as"].value, str):
            verb = next((VERBS[key] for key in table if key in VERBS), None)
            if verb is not None and verb.chosen_type is None:
                self.widen_type(
                    table["as"].value,
                    picked_type(self.reader.compile_expression(table[verb.name], None).type),
                )
            else:
                self.widen_type(
                    table["as"].value, verb.chosen_type if verb and verb.chosen_type else Type.POINTS
                )

    def compile_initial_values(self) -> None:
        """Compile the initial values of all variables, and append them to ``rules.initial_values``.

        This includes the variables that a ``mark`` has turned into marks. A variable whose name couldn't be registered,
        or whose mapping lacks ``each``, is left out.
        """
        for name, item in self.reader.read_mapping(self.reader.top_level_item("vars"), "'vars'").items():
            known = self.reader.scope.names.get(name)
            if known is None:
                continue
            source = item
            if isinstance(item.value, dict):
                self.reader.check_keys(item, ("each",), Message("key in a var"))
                if "each" not in item.value:
                    continue
                source = item.value["each"]
            node = self.reader.compile_term(source, known.type)
            if known.type is Type.BOOL:
                node = normalize_bool(node)
            mark = known.kind == "mark"
            self.reader.rules.initial_values.append(
                InitialValue(
                    known.slot, mark, known.is_per_seat, storage_shape(known.type), str(known.type), node
                )
            )

    def check_unused_definitions(self) -> None:
        """Check the definitions that are never used, so that mistakes in them are reported.

        Of definitions with parameters, only the syntax is checked.
        """
        for name, define in self.reader.scope.definitions.items():
            if name in self.reader.scope.words_used:
                continue
            if not define.params:
                self.reader.compile_expression(define.item, None, *CONTEXT_WORDS)
                continue
            try:
                parse_expression(define.text)
            except ExpressionError as wrong:
                self.reader.report_error(define.item.location, wrong)
