"""Compilation of the names that a game file defines.

These are definitions, variables, marks, and names given by ``let`` and ``as``.
"""

from __future__ import annotations

from shibumi3d.i18n import Message
from shibumi3d.rules.marbles.engine.rules import (
    Start,
)
from shibumi3d.rules.marbles.language.compiler.reading import Reader, plain
from shibumi3d.rules.marbles.language.folding import exact
from shibumi3d.rules.marbles.language.scope import (
    ONLY_SOMEWHERE,
    Define,
    Name,
    Wrong,
    parse,
    shape,
)
from shibumi3d.rules.marbles.language.types import Type, common, element
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.source import FilePlace, Item


class Names:
    """Collector of the names in a game file, which also infers their types."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def read_defines(self) -> None:
        """Read the definitions, and compute how large they become when expanded."""
        for head, item in self.reader.table(self.reader.key("define"), "'define'").items():
            mark = self.reader.key("define").keys.get(head, item.mark)  # type: ignore[union-attr]  # it is there
            name, _, rest = head.partition("(")
            params = tuple(p.strip() for p in rest.rstrip(") ").split(",") if p.strip())
            name = name.strip()
            if (
                not plain(name)
                or not all(plain(p) for p in params)
                or (rest and not rest.rstrip().endswith(")"))
            ):
                self.reader.problem(
                    mark, "'{name}' is neither a name nor a name with parameters such as 'room(p)'", name=head
                )
            elif name in WORDS or name in self.reader.scope.pyramid.index:
                self.reader.problem(mark, "'{name}' is already a word of the language", name=name)
            elif any(p in WORDS for p in params):
                self.reader.problem(
                    mark, "a parameter of '{name}' is already a word of the language", name=head
                )
            elif isinstance(item.value, dict | list) or item.value is None:
                self.reader.problem(item.mark, "'{name}' must be defined by an expression", name=name)
            else:
                value = str(item.value).lower() if isinstance(item.value, bool) else str(item.value)
                self.reader.scope.defines[name] = Define(params, value, item)
        self.reader.scope.measure_defines()

    def gather(self) -> None:
        """Collect every name in the file and assign its slot.

        Variables come first, then names that last for one turn. Marks are numbered separately, from 3.
        """
        scope = self.reader.scope
        variables = self.reader.table(self.reader.key("vars"), "'vars'")
        for name, item in variables.items():
            by_seat = isinstance(item.value, dict)
            self.give_name(name, "let", item.mark, lasting=True, by_seat=by_seat)
        programs = [self.reader.key("setup"), self.reader.key("turn")]
        phases = self.reader.key("phases")
        if phases is not None and isinstance(phases.value, list):
            programs += [p.value.get("turn") for p in phases.value if isinstance(p.value, dict)]
        for program in programs:
            if program is not None:
                self.gather_from(program)
        for name in [k for k, v in scope.names.items() if v.lasting and v.kind != "mark"]:
            known = scope.names[name]
            known.slot = scope.next_slot
            for _ in range(self.reader.seats if known.by_seat else 1):
                scope.new_slot()
        self.reader.rules.var_names = scope.next_slot
        for known in scope.names.values():
            if not known.lasting and known.kind != "mark":
                known.slot = scope.new_slot()
        self.reader.rules.saved_names = scope.next_slot
        marks = [known for known in scope.names.values() if known.kind == "mark"]
        for i, known in enumerate(marks):
            known.slot = 3 + i
        self.reader.rules.marks = 3 + len(marks)
        self.reader.rules.lasting_marks = frozenset(known.slot for known in marks if known.lasting)
        self.reader.rules.local_names = any(not known.lasting for known in scope.names.values())

    def gather_from(self, item: Item, depth: int = 0) -> None:
        """Collect the names defined by ``let``, ``mark`` and ``as`` anywhere in a program."""
        if depth > 60:
            return
        if isinstance(item.value, list):
            for part in item.value:
                self.gather_from(part, depth + 1)
        elif isinstance(item.value, dict):
            for key, part in item.value.items():
                if key in ("let", "mark") and isinstance(part.value, dict):
                    for name in part.value:
                        self.give_name(name, key, part.keys.get(name, part.mark))
                elif key == "as" and isinstance(part.value, str):
                    self.give_name(part.value, "let", part.mark)
                elif key not in ("let", "mark", "as"):
                    self.gather_from(part, depth + 1)

    def give_name(
        self, name: str, kind: str, mark: FilePlace, *, lasting: bool = False, by_seat: bool = False
    ) -> None:
        """Register a name, or report a problem if it is taken or invalid."""
        scope = self.reader.scope
        kind = "mark" if kind == "mark" else "value"
        if name in scope.names:
            if scope.names[name].kind != kind:
                if scope.names[name].lasting and kind == "mark":
                    scope.names[name].kind = "mark"
                    scope.names[name].type = Type.POINTS
                    return
                self.reader.problem(
                    mark,
                    "'{name}' is used both by 'mark' and by 'let' or 'as': choose different names",
                    name=name,
                )
            return
        taken = name in WORDS or name in scope.stocks or name in scope.pyramid.index or name in scope.defines
        if taken or not plain(name):
            self.reader.problem(
                mark,
                "'{name}' can't be used as a name: it is already taken, or isn't a plain name made of "
                "letters, digits and '_'",
                name=name,
            )
            return
        typed = Type.POINTS if kind == "mark" else Type.NONE
        scope.names[name] = Name(kind, typed, 0, by_seat, lasting)

    def settle_types(self, programs: list[Item]) -> None:
        """Infer the types of names from the values that they receive.

        The inference is repeated until nothing changes, but at most six times.
        """
        slot = self.reader.scope.next_slot
        self.reader.quiet, self.reader.scope.hints = True, False
        for _ in range(6):
            before = {name: known.type for name, known in self.reader.scope.names.items()}
            for name, item in self.reader.table(self.reader.key("vars"), "'vars'").items():
                source = item.value["each"] if isinstance(item.value, dict) and "each" in item.value else item
                self.learn(name, self.reader.expression(source, None).type)
            for program in programs:
                self.learn_from(program)
            self.reader.scope.next_slot = slot
            if before == {name: known.type for name, known in self.reader.scope.names.items()}:
                break
        self.reader.quiet, self.reader.scope.hints = False, True
        self.reader.scope.uses.clear()

    def learn(self, name: str, kind: Type) -> None:
        """Widen the inferred type of a name to include values of type ``kind``."""
        known = self.reader.scope.names.get(name)
        if known is None or known.kind == "mark":
            return
        if kind is Type.POINT:
            kind = Type.POINTS
        if kind is Type.WORD:
            kind = Type.COLOURS
        joint = common(known.type, kind)
        if (known.type is Type.BOOL and kind is Type.INT) or (known.type is Type.INT and kind is Type.BOOL):
            joint = Type.INT
        if joint is not None:
            known.type = joint

    def learn_from(self, item: Item, depth: int = 0) -> None:
        """Infer the types of the names that a program defines."""
        if depth > 60:
            return
        if isinstance(item.value, list):
            for part in item.value:
                self.learn_from(part, depth + 1)
            return
        if not isinstance(item.value, dict):
            return
        table = item.value
        for key, part in table.items():
            if key == "let" and isinstance(part.value, dict):
                for name, value in part.value.items():
                    self.learn(name, self.reader.expression(value, None).type)
            elif key not in ("let", "mark", "as"):
                self.learn_from(part, depth + 1)
        if "as" in table and isinstance(table["as"].value, str):
            verb = next((VERBS[key] for key in table if key in VERBS), None)
            if verb is not None and verb.chosen is None:
                self.learn(table["as"].value, element(self.reader.expression(table[verb.name], None).type))
            else:
                self.learn(table["as"].value, verb.chosen if verb and verb.chosen else Type.POINTS)

    def read_vars(self) -> None:
        """Compile the initial value of every variable."""
        for name, item in self.reader.table(self.reader.key("vars"), "'vars'").items():
            known = self.reader.scope.names.get(name)
            if known is None:
                continue
            source = item
            if isinstance(item.value, dict):
                self.reader.check_keys(item, ("each",), Message("key in a var"))
                if "each" not in item.value:
                    continue
                source = item.value["each"]
            node = self.reader.node(source, known.type)
            if known.type is Type.BOOL:
                node = exact(node)
            mark = known.kind == "mark"
            self.reader.rules.starts.append(
                Start(known.slot, mark, known.by_seat, shape(known.type), str(known.type), node)
            )

    def check_defines(self) -> None:
        """Compile unused definitions too, so that mistakes in them are reported."""
        for name, define in self.reader.scope.defines.items():
            if name in self.reader.scope.uses:
                continue
            if not define.params:
                self.reader.expression(define.item, None, *ONLY_SOMEWHERE)
                continue
            try:
                parse(define.text)
            except Wrong as wrong:
                self.reader.wrong(define.item.mark, wrong)
