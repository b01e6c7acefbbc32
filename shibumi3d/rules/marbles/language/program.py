"""Game files compiled: the rules part of a file becomes :class:`~.rules.Rules`, ready for a machine.

Every mistake of a file is collected as a :class:`~.source.Problem`; :func:`compile_rules` raises GameFileError with
all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from keyword import iskeyword

from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    COLOUR,
    DONE,
    END_TERM,
    ENTER,
    EVERYONE,
    FAILS,
    GAIN_TERM,
    GIVE,
    LIFT,
    ME,
    NUMBER,
    PLACE,
    POINTS,
    SCORE_TERM,
    SEAT,
    SET,
    SOLVABLE_TERM,
    TAKE,
    UNTIL_TERM,
    EndRule,
    Instruction,
    Phase,
    Rules,
    Series,
    Start,
    Term,
    const,
    const_items,
    stock_base,
    term,
)
from shibumi3d.rules.marbles.language.expressions import (
    ONLY_SOMEWHERE,
    SETS_OF_BITS,
    Builder,
    Define,
    Name,
    Scope,
    Stock,
    TooMuch,
    Typed,
    Wrong,
    exact,
    parse,
    shape,
)
from shibumi3d.rules.marbles.language.types import SCALARS, Type, common
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.source import Item, Mark, Problem, nearest

RULE_KEYS = (
    "players", "seats", "boards", "stocks", "vars", "define", "start", "setup", "turn", "phases", "pass", "score",
    "end", "series", "solvable",
)  # fmt: skip
"""Keys of a game file that are rules."""
PHASE_KEYS = ("turn", "turns", "until", "pass", "end")
MODIFIERS = frozenset(modifier for verb in VERBS.values() for modifier in verb.modifiers)
END_KEYS = ("when", "as_soon_as", "win", "lose", "most", "tie", "because")


def place_of(item: Item) -> str:
    """Where a part of a file stands, as a failure in play names it."""
    return f"{item.mark.file}, line {item.mark.line}"


def plain(name: str) -> bool:
    """Whether a name can be written in an expression."""
    return name.isidentifier() and not iskeyword(name) and name not in ("true", "false")


class Compiler:
    """Compiles the rules part of one game file for one board size and number of seats."""

    def __init__(self, item: Item, size: int, seats: int, problems: list[Problem]) -> None:
        self.item = item
        self.size = size
        self.seats = seats
        self.problems = problems
        self.code: list[Instruction] = []
        self.labels: list[str] = []
        self.quiet = False
        self.drawn: set[str] = set()
        self.too_much = False
        self.scope = Scope(pyramid(size), seats, self.ownership())
        self.rules = Rules(self.scope.pyramid, seats, self.scope.owned)

    # ------------------------------------------------------------ reading the file

    def key(self, name: str) -> Item | None:
        """The value of a top-level key, if it is there and not null."""
        table = self.item.value
        assert isinstance(table, dict)
        found = table.get(name)
        return None if found is None or found.value is None else found

    def problem(self, mark: Mark, message: str) -> None:
        """Note a mistake, once (and not while types are still being worked out)."""
        found = Problem(mark, message)
        if not self.quiet and found not in self.problems:
            self.problems.append(found)

    def table(self, item: Item | None, what: str) -> dict[str, Item]:
        """A mapping, or nothing and a problem."""
        if item is None:
            return {}
        if isinstance(item.value, dict):
            return item.value
        self.problem(item.mark, f"{what} is a mapping of names to values")
        return {}

    def check_keys(self, item: Item, allowed: Iterable[str], what: str) -> None:
        """Note keys that are not part of ``what``."""
        assert isinstance(item.value, dict)
        allowed = tuple(allowed)
        for name in item.value:
            if name not in allowed:
                hint = nearest(name, allowed)
                self.problem(item.keys.get(name, item.mark), f"unknown {what} '{name}'{hint}")

    # ------------------------------------------------------------ expressions

    def expression(self, item: Item, wanted: Type | None, *known: str) -> Typed:
        """The typed node of an expression in the file; a harmless stand-in and a problem when it is wrong.

        ``known`` are those of the words known only in some places that are known here.
        """
        value = item.value
        try:
            if isinstance(value, dict | list) or value is None or isinstance(value, float):
                giving = "" if wanted in (None, Type.NONE) else f", giving {wanted}"
                hint = ""
                if isinstance(value, dict | list):
                    hint = f"; quote one that starts with '{'{' if isinstance(value, dict) else '['}'"
                raise Wrong(f"an expression is expected here{giving}{hint}")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            builder = Builder(self.scope, known or ("score",))
            found = builder.build(text)
            if wanted is None:
                return found
            return Typed(builder.coerce(found, wanted), wanted, found.rounds)
        except Wrong as wrong:
            self.wrong(item.mark, wrong)
        except RecursionError:
            self.problem(item.mark, "the expression is nested too deeply")
        kind = wanted or Type.NONE
        return Typed(const(0) if kind in SCALARS else const_items(()), kind)

    def fitted(self, item: Item, found: Typed, wanted: Type) -> Term:
        """The node of an expression already built, as one of the wanted type."""
        try:
            return Builder(self.scope).coerce(found, wanted)
        except Wrong as wrong:
            self.wrong(item.mark, wrong)
        return const(0)

    def wrong(self, mark: Mark, wrong: Wrong) -> None:
        """Note what is wrong in an expression; what concerns the whole file once."""
        if isinstance(wrong, TooMuch):
            if self.too_much:
                return
            self.too_much = not self.quiet
        self.problem(wrong.mark or mark, str(wrong))

    def node(self, item: Item, wanted: Type, *known: str) -> Term:
        return self.expression(item, wanted, *known).node

    def stock(self, item: Item | None) -> Term:
        """A stock as a place to take from or put into."""
        text = "box" if item is None else str(item.value)
        try:
            return Builder(self.scope, ("score",)).stock(parse(text))
        except Wrong as wrong:
            self.wrong(item.mark if item is not None else self.item.mark, wrong)
        return term("StockValue", 0, None)

    # ------------------------------------------------------------ the head of the file

    def ownership(self) -> tuple[int, ...]:
        """The colours that each seat owns, as sets of colours."""
        found = self.key("seats")
        if found is None:
            order = {2: (0, 1), 3: (0, 1, 2)}.get(self.seats, ())
            return tuple(1 << c for c in order) if order else (0,) * self.seats
        if found.value == "none":
            return (0,) * self.seats
        if isinstance(found.value, list):
            owned = []
            for entry in found.value[: self.seats]:
                if entry.value not in COLOURS:
                    hint = nearest(str(entry.value), COLOURS) or f"; the colours are {', '.join(COLOURS)}"
                    self.problem(entry.mark, f"unknown colour '{entry.value}'{hint}")
                    return (0,) * self.seats
                owned.append(1 << COLOURS.index(str(entry.value)))
            if len(owned) == self.seats:
                return tuple(owned)
            self.problem(found.mark, f"'seats' names {len(owned)} colours for {self.seats} seats")
            return (0,) * self.seats
        self.problem(found.mark, "'seats' is a list of colours in turn order, or none")
        return (0,) * self.seats

    def read_boards(self) -> None:
        found = self.key("boards")
        if found is None:
            return
        table = self.table(found, "'boards'")
        if isinstance(found.value, dict):
            self.check_keys(found, ("size", "names", "each"), "key of 'boards'")
        rules, scope = self.rules, self.scope
        if "names" in table:
            names = table["names"].value
            if not isinstance(names, list) or not names or len(names) > 10:
                self.problem(table["names"].mark, "'names' is a list of one to ten board names")
                return
            for entry in names:
                word = str(entry.value)
                if not plain(word) or [str(other.value) for other in names].count(word) > 1:
                    self.problem(
                        entry.mark, f"'{word}' can't name a board: it is no plain name or stands twice"
                    )
            rules.board_names = scope.boards = tuple(str(entry.value) for entry in names)
            rules.board_sight = (EVERYONE,) * len(names)
        elif "each" in table:
            scope.board_a_seat = rules.board_a_seat = True
            rules.board_names = scope.boards = tuple(f"seat{i + 1}" for i in range(self.seats))
            rules.board_sight = self.sight(table["each"])

    def sight(self, item: Item | None) -> tuple[int, ...]:
        """Who sees the thing of each seat, as sets of seats."""
        if item is None:
            return (EVERYONE,) * self.seats
        node = self.expression(item, Type.SEATS).node
        found = []
        for seat in range(self.seats):
            try:
                found.append(self.fixed(node, seat))
            except RuleFailure:
                self.problem(item.mark, "who sees it can't change during the match")
                return (0,) * self.seats
        return tuple(found)

    def fixed(self, node: Term, seat: int) -> int:
        """The value of a term that depends on nothing but the seat. Raises RuleFailure when it depends on more."""
        if node.deps - ME:
            raise RuleFailure("it depends on the match")
        found: int = self.scope.fixed.scalar(node, seat)
        return found

    def read_stocks(self) -> None:
        """Stocks and what lies in them; the box holds what is left of size² marbles a colour."""
        declared = self.table(self.key("stocks"), "'stocks'")
        names: list[str] = []
        holders: list[int] = []
        sight: list[int] = []
        counting: list[int] = []
        contents: list[tuple[Item | None, int]] = []
        for name in ("box", *[name for name in declared if name != "box"]):
            item = declared.get(name)
            each = False
            content: Item | None = None
            seen = counted = (EVERYONE,) * self.seats
            if item is not None:
                if name != "box" and (
                    name in WORDS
                    or name in self.scope.pyramid.index
                    or name in self.scope.defines
                    or not plain(name)
                ):
                    self.problem(
                        item.mark, f"'{name}' can't name a stock: it is a word already or no plain name"
                    )
                    continue
                table = self.table(item, f"the stock '{name}'")
                if isinstance(item.value, dict):
                    self.check_keys(item, ("each", "holds", "see", "sight"), "key of a stock")
                each = "each" in table
                if each == ("holds" in table):
                    self.problem(item.mark, f"the stock '{name}' needs either 'each' or 'holds'")
                    each = False
                else:
                    content = table["each"] if each else table["holds"]
                seen = self.sight(table.get("see"))
                counted = self.sight(table.get("sight"))
            self.scope.stocks[name] = Stock(len(names), each)
            for seat in range(self.seats if each else 1):
                names.append(name)
                holders.append(seat if each else -1)
                sight.append(seen[seat])
                counting.append(counted[seat] | seen[seat])
                contents.append((content, seat))
        self.rules.stock_names, self.rules.stock_holders = tuple(names), tuple(holders)
        self.rules.stock_sight, self.rules.size_sight = tuple(sight), tuple(counting)
        start = self.read_start()
        given = [(0,) * len(COLOURS) if item is None else self.content(item, seat) for item, seat in contents]
        if contents[0][0] is None:
            left = [self.size**2 - start[c].bit_count() for c in range(len(COLOURS))]
            given[0] = tuple(
                [max(left[c] - sum(content[c] for content in given), 0) for c in range(len(COLOURS))]
            )
        self.rules.stock_start = tuple(given)

    def content(self, item: Item, seat: int) -> tuple[int, ...]:
        """How many marbles of each colour a stock begins with."""
        numbers = [0] * len(COLOURS)
        for colour, count in self.table(item, "what a stock holds").items():
            at = item.keys.get(colour, item.mark)
            colours = self.expression(Item(colour, at), Type.COLOURS).node
            number = self.expression(count, Type.INT).node
            try:
                amount = self.fixed(number, seat)
                for c in bits(self.fixed(colours, seat)):
                    numbers[c] += amount
            except RuleFailure:
                self.problem(count.mark, "what a stock holds can't hang on the match")
            if not 0 <= max(numbers) <= 10_000 or min(numbers) < 0:
                self.problem(count.mark, "a stock holds from 0 to 10,000 marbles of a colour")
                return (0,) * len(COLOURS)
        return tuple(numbers)

    def read_start(self) -> tuple[int, ...]:
        """The start position as one mask a colour."""
        found = self.key("start")
        self.rules.start_cells = (0,) * len(COLOURS)
        if found is not None:
            try:
                size, cells = position.parse_board(str(found.value))
                if size != self.size:
                    raise ValueError(f"the start position has size {size}, the board {self.size}")
                self.rules.start_cells = tuple(cells)
            except ValueError as error:
                self.problem(found.mark, str(error))
        return self.rules.start_cells

    # ------------------------------------------------------------ names

    def read_defines(self) -> None:
        for head, item in self.table(self.key("define"), "'define'").items():
            mark = self.key("define").keys.get(head, item.mark)  # type: ignore[union-attr]  # it is there
            name, _, rest = head.partition("(")
            params = tuple(p.strip() for p in rest.rstrip(") ").split(",") if p.strip())
            name = name.strip()
            if (
                not plain(name)
                or not all(plain(p) for p in params)
                or (rest and not rest.rstrip().endswith(")"))
            ):
                self.problem(mark, f"'{head}' is not a name, nor a name with parameters like 'room(p)'")
            elif name in WORDS or name in self.scope.pyramid.index:
                self.problem(mark, f"'{name}' is a word of the language already")
            elif any(p in WORDS for p in params):
                self.problem(mark, f"a parameter of '{head}' is a word of the language already")
            elif isinstance(item.value, dict | list) or item.value is None:
                self.problem(item.mark, f"'{name}' is defined by an expression")
            else:
                value = str(item.value).lower() if isinstance(item.value, bool) else str(item.value)
                self.scope.defines[name] = Define(params, value, item)

    def gather(self) -> None:
        """Find every name that the file gives, and its place; then work out types until nothing changes."""
        scope = self.scope
        variables = self.table(self.key("vars"), "'vars'")
        for name, item in variables.items():
            by_seat = isinstance(item.value, dict)
            self.give_name(name, "let", item.mark, lasting=True, by_seat=by_seat)
        programs = [self.key("setup"), self.key("turn")]
        phases = self.key("phases")
        if phases is not None and isinstance(phases.value, list):
            programs += [p.value.get("turn") for p in phases.value if isinstance(p.value, dict)]
        for program in programs:
            if program is not None:
                self.gather_from(program)
        for name in [k for k, v in scope.names.items() if v.lasting and v.kind != "mark"]:
            known = scope.names[name]
            known.slot = scope.next_slot
            for _ in range(self.seats if known.by_seat else 1):
                scope.new_slot()
        self.rules.var_names = scope.next_slot
        for known in scope.names.values():
            if not known.lasting and known.kind != "mark":
                known.slot = scope.new_slot()
        self.rules.saved_names = scope.next_slot
        marks = [known for known in scope.names.values() if known.kind == "mark"]
        for i, known in enumerate(marks):
            known.slot = 3 + i
        self.rules.marks = 3 + len(marks)
        self.rules.lasting_marks = frozenset(known.slot for known in marks if known.lasting)
        self.rules.local_names = any(not known.lasting for known in scope.names.values())

    def gather_from(self, item: Item, depth: int = 0) -> None:
        """Names given by ``let``, ``mark`` and ``as`` anywhere in a program."""
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
        self, name: str, kind: str, mark: Mark, *, lasting: bool = False, by_seat: bool = False
    ) -> None:
        scope = self.scope
        kind = "mark" if kind == "mark" else "value"
        if name in scope.names:
            if scope.names[name].kind != kind:
                if scope.names[name].lasting and kind == "mark":
                    scope.names[name].kind = "mark"
                    scope.names[name].type = Type.POINTS
                    return
                self.problem(mark, f"'{name}' is named both by 'mark' and by 'let' or 'as'")
            return
        taken = name in WORDS or name in scope.stocks or name in scope.pyramid.index or name in scope.defines
        if taken or not plain(name):
            self.problem(mark, f"'{name}' can't be a name: it is a word already or no plain name")
            return
        typed = Type.POINTS if kind == "mark" else Type.NONE
        scope.names[name] = Name(kind, typed, 0, by_seat, lasting)

    def settle_types(self, programs: list[Item]) -> None:
        """Work out the types of names from what they are given, until nothing changes."""
        slot = self.scope.next_slot
        self.quiet = True
        for _ in range(6):
            before = {name: known.type for name, known in self.scope.names.items()}
            for name, item in self.table(self.key("vars"), "'vars'").items():
                source = item.value["each"] if isinstance(item.value, dict) and "each" in item.value else item
                self.learn(name, self.expression(source, None).type)
            for program in programs:
                self.learn_from(program)
            self.scope.next_slot = slot
            if before == {name: known.type for name, known in self.scope.names.items()}:
                break
        self.quiet = False
        self.scope.uses.clear()

    def learn(self, name: str, kind: Type) -> None:
        """A name is given a value of this type."""
        known = self.scope.names.get(name)
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
                    self.learn(name, self.expression(value, None).type)
            elif key not in ("let", "mark", "as"):
                self.learn_from(part, depth + 1)
        if "as" in table and isinstance(table["as"].value, str):
            name = table["as"].value
            if "pick" in table:
                self.learn(name, self.element(self.expression(table["pick"], None).type))
            elif "give" in table:
                self.learn(name, Type.COLOURS)
            else:
                self.learn(name, Type.POINTS)

    @staticmethod
    def element(kind: Type) -> Type:
        """The type of what is picked from a set."""
        if kind in (Type.WORD, Type.POINT, Type.POINTS, Type.SETS):
            return Type.POINTS
        return Type.INT if kind is Type.INTS else kind

    def read_vars(self) -> None:
        for name, item in self.table(self.key("vars"), "'vars'").items():
            known = self.scope.names.get(name)
            if known is None:
                continue
            source = item
            if isinstance(item.value, dict):
                self.check_keys(item, ("each",), "key of a var")
                if "each" not in item.value:
                    continue
                source = item.value["each"]
            node = self.node(source, known.type)
            if known.type is Type.BOOL:
                node = exact(node)
            mark = known.kind == "mark"
            self.rules.starts.append(
                Start(known.slot, mark, known.by_seat, shape(known.type), str(known.type), node)
            )

    # ------------------------------------------------------------ programs

    def add(self, step: Instruction) -> int:
        """Append an instruction that goes on to the one after it; returns its index."""
        self.code.append(step)
        step.next = len(self.code)
        step.may_fail = step.op in FAILS
        return len(self.code) - 1

    def program(self, item: Item, depth: int = 0) -> None:
        """Compile a step or a list of steps."""
        if depth > 50:
            self.problem(item.mark, "the program is nested too deeply")
        elif isinstance(item.value, list):
            for part in item.value:
                self.program(part, depth + 1)
        elif isinstance(item.value, dict):
            self.step(item, depth)
        else:
            self.problem(item.mark, "a step is expected: a mapping with one verb, or a list of steps")

    def step(self, item: Item, depth: int) -> None:
        """Compile one step."""
        table = item.value
        assert isinstance(table, dict)
        verbs = [key for key in table if key in VERBS]
        if not verbs:
            unknown = [key for key in table if key not in MODIFIERS]
            for key in unknown:
                self.problem(item.keys.get(key, item.mark), f"unknown verb '{key}'{nearest(key, VERBS)}")
            if not unknown:
                self.problem(item.mark, f"a step needs a verb, one of {', '.join(VERBS)}")
            return
        verb = VERBS[verbs[0]]
        for key in table:
            where = item.keys.get(key, item.mark)
            if key in verbs[1:]:
                self.problem(where, f"a step has one verb: '{verb.name}' and '{key}' are two")
            elif key != verb.name and key not in verb.modifiers:
                takes = f"it takes {', '.join(verb.modifiers)}" if verb.modifiers else "it takes none"
                self.problem(where, f"'{verb.name}' has no '{key}': {takes}{nearest(key, verb.modifiers)}")
        maker = getattr(self, "step_" + verb.name)
        first = len(self.code)
        maker(table[verb.name], table, item, depth)
        for made in self.code[first:]:
            made.place = made.place or place_of(item)

    def choice(self, step: Instruction, table: dict[str, Item], kind: Type) -> None:
        """Append a choice; ``as`` says where it puts what was chosen, which is of type ``kind``."""
        self.add(step)
        if "because" in table:
            step.because = self.because(table["because"])
        item = table.get("as")
        if item is None:
            return
        if not isinstance(item.value, str):
            self.problem(item.mark, f"'as' gives a name: '{item.value}' is none")
            return
        known = self.scope.names.get(item.value)
        if known is None or known.kind == "mark":
            return  # said when the names were gathered
        if common(known.type, kind) is not known.type:
            self.problem(item.mark, f"'{item.value}' holds {known.type}, what is chosen is {kind}")
        else:
            step.slot, step.by_seat = known.slot, known.by_seat

    def optional(self, table: dict[str, Item], key: str, wanted: Type, *known: str) -> Term | None:
        return self.node(table[key], wanted, "score", *known) if key in table else None

    def step_place(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        colours = self.node(item, Type.COLOURS)
        at = self.optional(table, "at", Type.POINTS, "colour")
        self.choice(
            Instruction("Place", (colours, at, self.stock(table.get("from"))), kind=PLACE), table, Type.POINTS
        )

    def step_take(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        points = self.node(item, Type.POINTS)
        self.choice(Instruction("Take", (points, self.stock(table.get("to"))), kind=TAKE), table, Type.POINTS)

    def step_move(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        if "to" in table and "onto" in table:
            self.problem(whole.mark, "'move' goes either 'to' a point or 'onto' a marble")
        lift = Instruction("Lift", (self.node(item, Type.POINTS),), kind=LIFT)
        self.add(lift)
        if "because" in table:
            lift.because = self.because(table["because"])
        onto = "onto" in table
        points = self.optional(table, "onto" if onto else "to", Type.POINTS, "colour")
        self.choice(Instruction("SetDown", (points, onto, self.stock(None)), kind=SET), table, Type.POINTS)

    def step_enter(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        colours = self.node(item, Type.COLOURS)
        at = self.optional(table, "at", Type.POINTS, "colour")
        self.choice(
            Instruction("Enter", (colours, at, self.stock(table.get("from"))), kind=ENTER), table, Type.POINTS
        )

    def step_pick(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        source = self.expression(item, None)
        if source.type in (Type.WORD, Type.POINT):
            source = Typed(self.fitted(item, source, Type.POINTS), Type.POINTS, source.rounds)
        kinds = {
            Type.POINTS: POINTS,
            Type.COLOURS: COLOUR,
            Type.SEATS: SEAT,
            Type.INTS: NUMBER,
            Type.SETS: POINTS,
        }
        if source.type not in kinds:
            if source.type is not Type.NONE:
                self.problem(
                    item.mark, f"'pick' takes Points, Colours, Seats, Ints or Sets, {source.type} found"
                )
            return
        family = source.type not in SETS_OF_BITS
        self.choice(
            Instruction("Pick", (source.node, family), kind=kinds[source.type]),
            table,
            self.element(source.type),
        )

    def step_give(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        colours = self.node(item, Type.COLOURS)
        source, target = self.stock(table.get("from")), self.stock(table.get("to"))
        self.choice(Instruction("Give", (colours, source, target), kind=GIVE), table, Type.COLOURS)

    def step_put(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        if "at" not in table:
            self.problem(whole.mark, "'put' needs 'at': the points to fill")
            return
        self.add(
            Instruction(
                "Put",
                (
                    self.node(item, Type.COLOURS),
                    self.node(table["at"], Type.POINTS, "score", "colour"),
                    self.stock(table.get("from")),
                ),
            )
        )

    def step_remove(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        self.add(Instruction("Remove", (self.node(item, Type.POINTS), self.stock(table.get("to")))))

    def step_recolour(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        if "into" not in table:
            self.problem(whole.mark, "'recolour' needs 'into': the new colour")
            return
        self.add(
            Instruction(
                "Recolour",
                (self.node(item, Type.POINTS), self.node(table["into"], Type.COLOURS), self.stock(None)),
            )
        )

    def step_deal(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        count = self.optional(table, "count", Type.INT) or const(1)
        colours = self.node(item, Type.COLOURS)
        stocks = self.stock(table.get("from")), self.stock(table.get("to"))
        self.add(Instruction("Deal", (colours, *stocks, count)))

    def step_draw(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        if ("to" in table) == ("at" in table):
            self.problem(whole.mark, "'draw' needs either 'to' (a stock) or 'at' (points)")
            return
        source = self.stock(table.get("from"))
        self.drawn.add(self.rules.stock_names[stock_base(source)])
        stock = self.stock(table["to"]) if "to" in table else None
        at = self.optional(table, "at", Type.POINTS)
        self.add(Instruction("Draw", (self.node(item, Type.INT), source, stock, at)))

    def step_score(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        seats = self.optional(table, "to", Type.SEATS) or term("Me")
        self.add(Instruction("AddScore", (self.node(item, Type.INT), seats)))

    def step_let(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        for name, value in self.table(item, "'let'").items():
            known = self.scope.names.get(name)
            if known is None or known.kind == "mark":
                continue
            node = self.node(value, known.type)
            if known.type is Type.BOOL:
                node = exact(node)
            self.add(Instruction("Let", (name, known.slot, known.by_seat, node, shape(known.type))))

    def step_mark(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        for name, value in self.table(item, "'mark'").items():
            known = self.scope.names.get(name)
            if known is not None and known.kind == "mark":
                self.add(Instruction("SetMark", (known.slot, self.node(value, Type.POINTS))))

    def step_next(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        self.add(Instruction("SetNext", (self.node(item, Type.SEATS),)))

    def step_require(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        step = Instruction("Require", (self.node(item, Type.BOOL),))
        self.add(step)
        if "because" in table:
            step.because = self.because(table["because"])

    def step_choose(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        labels: list[int] = []
        if isinstance(item.value, dict):
            branches = list(item.value.values())
            for label in item.value:
                if label in ("done", "pass"):
                    self.problem(
                        item.keys.get(label, item.mark), f"'{label}' is a choice of its own: no label"
                    )
                if label not in self.labels:
                    self.labels.append(label)
                labels.append(self.labels.index(label))
        elif isinstance(item.value, list):
            branches = item.value
        else:
            branches = []
        if not branches:
            self.problem(item.mark, "'choose' takes a list of programs, or programs with labels")
            return
        choice = Instruction("Choose", labels=tuple(labels))
        self.add(choice)
        silent = self.branches(choice, branches, depth)
        if not labels and len(silent) > 1:
            self.problem(
                silent[1].mark, "two programs of 'choose' ask nothing: give them labels to choose by"
            )

    def branches(self, choice: Instruction, branches: list[Item], depth: int) -> list[Item]:
        """The programs of a choice, one after the other, each followed by a jump to what comes after.

        Returns those that ask nothing.
        """
        jumps = []
        silent = []
        for branch in branches:
            choice.starts.append(len(self.code))
            before = len(self.code)
            self.program(branch, depth + 1)
            if not any(step.waits for step in self.code[before:]):
                silent.append(branch)
            if len(self.code) == before:
                choice.starts[-1] = -1
                continue
            jump = Instruction("Jump")
            self.add(jump)
            jumps.append(jump)
        end = len(self.code)
        choice.next = end
        choice.starts = [end if start < 0 else start for start in choice.starts]
        for jump in jumps:
            jump.next = end
        choice.may_fail = end not in choice.starts
        self.add(Instruction("Jump"))
        return silent

    def step_may(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        choice = Instruction("Choose")
        ask = Instruction("Ask", jumps={"asked": len(self.code) + 1})
        self.add(ask)
        self.add(choice)
        if len(self.branches(choice, [item, Item([], item.mark)], depth)) > 1:
            self.problem(
                item.mark, "'may' needs something to choose; to ask yes or no, use 'choose' with labels"
            )
        ask.next = choice.next

    def step_first(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        if not isinstance(item.value, list) or not item.value:
            self.problem(item.mark, "'first' takes a list of programs")
            return
        first = Instruction("First")
        self.add(first)
        jumps = []
        for branch in item.value:
            start = len(self.code)
            self.program(branch, depth + 1)
            jump = Instruction("Jump")
            first.starts.append(start)
            first.stops.append(self.add(jump))
            jumps.append(jump)
        for jump in jumps:
            jump.next = len(self.code)
        first.next = len(self.code)
        first.may_fail = first.starts[-1] != first.stops[-1]

    def step_repeat(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        times = table.get("times")
        if times is None:
            key = self.add(Instruction("RepeatBegin", (len(self.code),)))
            test = Instruction("RepeatTest", (key,))
            at = self.add(test)
            self.program(item, depth + 1)
            end = Instruction("RepeatEnd", (key,))
            test.stops.append(self.add(end))
            end.next = at
            test.jumps["leave"] = end.jumps["leave"] = len(self.code)
            return
        bounds = times.value if isinstance(times.value, list) else [times, times]
        if len(bounds) != 2:
            self.problem(times.mark, "'times' is a number, or [least, most]")
            return
        least, most = (self.node(bound, Type.INT) for bound in bounds)
        key = self.add(Instruction("TimesBegin", (len(self.code), least, most)))
        test_times = Instruction("TimesTest", (key, least.op != "Const" or least.value > 0))
        at = self.add(test_times)
        body = len(self.code)
        self.program(item, depth + 1)
        end_times = Instruction("TimesEnd", (key,))
        self.add(end_times)
        end_times.next = at
        if isinstance(times.value, list):
            choice = Instruction("Choose", starts=[body])
            ask = Instruction("Ask", jumps={"asked": len(self.code) + 1})
            test_times.jumps["ask"] = self.add(ask)
            self.add(choice)
            leave = len(self.code)
            choice.starts.append(leave)
            choice.may_fail = False
            ask.next = choice.next = leave
        test_times.jumps["leave"] = len(self.code)
        if not isinstance(times.value, list):
            test_times.jumps["ask"] = test_times.jumps["leave"]
        self.add(Instruction("TimesOver", (key,)))

    def step_if(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        if "then" not in table:
            self.problem(whole.mark, "'if' needs 'then': what happens when it holds")
            return
        test = Instruction("If", (self.node(item, Type.BOOL),))
        self.add(test)
        self.program(table["then"], depth + 1)
        if "else" in table:
            jump = Instruction("Jump")
            self.add(jump)
            test.jumps["otherwise"] = len(self.code)
            self.program(table["else"], depth + 1)
            jump.next = len(self.code)
        else:
            test.jumps["otherwise"] = len(self.code)

    def body(self, table: dict[str, Item], whole: Item, verb: str, depth: int) -> None:
        if "do" in table:
            self.program(table["do"], depth + 1)
        else:
            self.problem(whole.mark, f"'{verb}' needs 'do': the program to carry out")

    def step_best(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        value = self.node(item, Type.INT)
        begin = Instruction("BestBegin", (len(self.code), value))
        key = self.add(begin)
        self.body(table, whole, "best", depth)
        begin.stops.append(self.add(Instruction("BestEnd", (key, value))))

    def step_by(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        found = self.expression(item, None)
        listed = found.type is Type.SEAT_LIST
        seats = found.node if listed else self.fitted(item, found, Type.SEATS)
        secret = False
        if "secret" in table:
            secret = table["secret"].value is True
            if not isinstance(table["secret"].value, bool):
                self.problem(table["secret"].mark, "'secret' is true or false")
        begin = Instruction("ByBegin", (len(self.code), seats, listed, secret))
        key = self.add(begin)
        body = len(self.code)
        self.body(table, whole, "by", depth)
        end = Instruction("ByEnd", (key, secret), jumps={"body": body})
        self.add(end)
        end.may_fail = any(step.clears for step in self.code[body:-1])
        begin.jumps["leave"] = len(self.code)

    def step_board(self, item: Item, table: dict[str, Item], whole: Item, depth: int) -> None:
        try:
            board = Builder(self.scope, ("score",)).board(parse(str(item.value)))
        except Wrong as wrong:
            self.wrong(item.mark, wrong)
            return
        key = self.add(Instruction("BoardBegin", (len(self.code), board)))
        self.body(table, whole, "board", depth)
        self.add(Instruction("BoardEnd", (key,)))

    # ------------------------------------------------------------ phases and ends

    def read_phases(self) -> None:
        rules = self.rules
        setup, turn, phases = self.key("setup"), self.key("turn"), self.key("phases")
        if setup is not None:
            rules.setup = len(self.code)
            self.program(setup)
            self.add(Instruction("EndTurn"))
        if (turn is None) == (phases is None):
            self.problem(self.item.mark, "a game needs either 'turn' or 'phases'")
            return
        if turn is not None:
            rules.phases.append(self.phase(turn, self.key("pass")))
            return
        assert phases is not None
        if not isinstance(phases.value, list) or not phases.value:
            self.problem(phases.mark, "'phases' is a list of {turn: …, turns: n or until: …}")
            return
        for item in phases.value:
            table = self.table(item, "a phase")
            if not table:
                continue
            self.check_keys(item, PHASE_KEYS, "key of a phase")
            if "turn" not in table:
                self.problem(item.mark, "a phase needs 'turn'")
                continue
            phase = self.phase(table["turn"], table.get("pass") or self.key("pass"))
            if "turns" in table:
                count = table["turns"].value
                if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                    self.problem(table["turns"].mark, "'turns' is a number of turns from 1")
                else:
                    phase.turns = count
            if "until" in table:
                phase.until = self.node(table["until"], Type.BOOL)
                rules.places[UNTIL_TERM + 2 * len(rules.phases)] = place_of(table["until"])
            if "end" in table:
                phase.ends = self.ends(table["end"])
            rules.phases.append(phase)

    def phase(self, turn: Item, passing: Item | None) -> Phase:
        start = len(self.code)
        self.program(turn)
        self.add(Instruction("EndTurn"))
        phase = Phase(start, prelude=not self.code[start].waits)
        if passing is not None:
            if passing.value == "stuck":
                phase.pass_stuck = True
            elif passing.value is not False and passing.value is not None:
                phase.passing = self.node(passing, Type.BOOL)
                self.rules.never_pass = False
        return phase

    def ends(self, item: Item) -> tuple[EndRule, ...]:
        """The rules of an ``end`` list."""
        if not isinstance(item.value, list):
            self.problem(item.mark, "'end' is a list of rules")
            return ()
        found: list[EndRule] = []
        for entry in item.value:
            table = self.table(entry, "a rule of 'end'")
            if not table:
                continue
            self.check_keys(entry, END_KEYS, "key of an end rule")
            early = "as_soon_as" in table
            if early == ("when" in table):
                self.problem(entry.mark, "an end rule needs either 'when' or 'as_soon_as'")
                continue
            if sum(key in table for key in ("win", "lose", "most")) != 1:
                self.problem(entry.mark, "an end rule needs one of 'win', 'lose' and 'most'")
                continue
            when = table["as_soon_as"] if early else table["when"]
            test = self.node(when, Type.BOOL, "score", *(() if early else ("able",)))
            at_the_end = str(when.value).strip() == "stuck"
            rule = EndRule(len(self.rules.because), test, at_the_end, False, early=early)
            self.rules.places[END_TERM + 2 * rule.number] = place_of(when)
            self.outcome_of(rule, table)
            parts = [node for node in (rule.when, rule.win, rule.lose) if node is not None]
            rule.by_seat = any("me" in node.deps for node in parts)
            self.rules.because[rule.number] = self.because(table.get("because"), str(when.value))
            found.append(rule)
        return tuple(found)

    def outcome_of(self, rule: EndRule, table: dict[str, Item]) -> None:
        if "win" in table:
            rule.win = self.node(table["win"], Type.SEATS)
        elif "lose" in table:
            rule.lose = self.node(table["lose"], Type.SEATS)
        else:
            most = table["most"]
            entries = most.value if isinstance(most.value, list) else [most]
            nodes: list[Term] = []
            listed: list[bool] = []
            for entry in entries:
                found = self.expression(entry, None)
                listed.append(found.type is Type.INTS)
                nodes.append(found.node if listed[-1] else self.fitted(entry, found, Type.INT))
            rule.most, rule.most_lists = tuple(nodes), tuple(listed)
        if "tie" in table:
            tie = self.expression(table["tie"], None, "score", "tied")
            rule.tie_listed = tie.type is Type.SEAT_LIST
            rule.tie = tie.node if rule.tie_listed else self.fitted(table["tie"], tie, Type.SEATS)
            if rule.most is None:
                self.problem(table["tie"].mark, "'tie' belongs to 'most'")

    def because(self, item: Item | None, test: str = "") -> dict[str, str]:
        """The phrases of a reason by language; ``test`` is what stands for them where they are missing."""
        found = (
            {key: str(value.value) for key, value in self.table(item, "'because'").items()} if item else {}
        )
        if test or found:
            found.setdefault("en", test or next(iter(found.values())))
            found.setdefault("fr", found["en"])
        return found

    def read_series(self) -> None:
        found = self.key("series")
        if found is None:
            return
        table = self.table(found, "'series'")
        if not table:
            return
        self.check_keys(found, ("games", "target", "gain"), "key of 'series'")
        if "gain" not in table or ("games" in table) == ("target" in table):
            self.problem(found.mark, "'series' needs 'gain', and either 'games' or 'target'")
            return
        numbers = {}
        for key in ("games", "target"):
            if key in table:
                count = table[key].value
                if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 1000:
                    self.problem(table[key].mark, f"'{key}' is a number from 1 to 1000")
                    count = 1
                numbers[key] = count
        self.rules.places[GAIN_TERM] = place_of(table["gain"])
        self.rules.series = Series(self.node(table["gain"], Type.INT, "score", "winners"), **numbers)

    # ------------------------------------------------------------ the whole

    def compile(self) -> Rules:
        """All of it."""
        rules, scope = self.rules, self.scope
        self.read_boards()
        self.read_defines()
        self.read_stocks()
        self.gather()
        programs = [
            found for found in (self.key("setup"), self.key("turn"), self.key("phases")) if found is not None
        ]
        self.settle_types(programs)
        self.read_vars()
        self.read_phases()
        score, end = self.key("score"), self.key("end")
        if score is not None:
            rules.score = self.node(score, Type.INT, "none of them")
            rules.places[SCORE_TERM] = place_of(score)
        if end is not None:
            rules.ends = self.ends(end)
        self.read_series()
        solvable = self.key("solvable")
        if solvable is not None:
            rules.solvable = self.node(solvable, Type.BOOL)
            rules.places[SOLVABLE_TERM] = place_of(solvable)
        for phase in rules.phases:
            phase.early = tuple([rule for rule in (*phase.ends, *rules.ends) if rule.early])
            rules.early = rules.early or bool(phase.early)
        if score is None and not any(step.op == "AddScore" for step in self.code):
            for rule in (*rules.ends, *[rule for phase in rules.phases for rule in phase.ends]):
                # What is turned round to make the fewest win is no score to show.
                if rule.most is not None and rule.most_lists == (False,):
                    rule.most_is_score = rule.most[0].op != "Negative"
        if "repeats" in scope.uses:
            rules.needs_history = True
        self.check_defines()
        rules.code = self.code
        rules.labels = tuple(self.labels)
        rules.drawn_from = frozenset(self.drawn)
        rules.slots = scope.next_slot
        rules.uses = frozenset(scope.uses)
        for name in scope.names.values():
            if name.kind != "mark" and shape(name.type) != "scalar":
                for i in range(self.seats if name.by_seat else 1):
                    rules.shapes[name.slot + i] = shape(name.type)
        analyse(rules)
        return rules

    def check_defines(self) -> None:
        """Definitions that nothing uses are still read, so that mistakes in them are found."""
        for name, define in self.scope.defines.items():
            if name in self.scope.uses:
                continue
            if not define.params:
                self.expression(define.item, None, *ONLY_SOMEWHERE)
                continue
            try:
                parse(define.text)
            except Wrong as wrong:
                self.wrong(define.item.mark, wrong)


def analyse(rules: Rules) -> None:
    """Find out which choices need a look ahead, and what a machine must remember."""
    code = rules.code
    count = len(code)
    after = [[t for t in step.targets() if t < count] for step in code]
    before: list[list[int]] = [[] for _ in code]
    for i, targets in enumerate(after):
        for t in targets:
            before[t].append(i)
    clears = {i for i, step in enumerate(code) if step.clears}
    # What all ways to it have tried already can't fail when it is reached.
    fails = {
        i
        for i, step in enumerate(code)
        if step.may_fail and not (before[i] and all(tries(code[j], i) for j in before[i]))
    }
    # Chance stops a look ahead, so what lies behind it does not count; but what was cleared before it does.
    risky = spread(fails | clears, before, stop=lambda i: code[i].chance)
    cleared = spread(clears, after) | clears
    for i, step in enumerate(code):
        if step.op == "Choose":
            settle(step, code)
        if step.waits:
            step.look = i in risky or i in cleared
            step.again = i in spread([i], after)
            if step.op == "Choose" and not step.look:
                step.look = any(code[s].may_fail and not code[s].waits for s in step.starts if s < count)
    if not rules.early:
        open_ends = {i for i, step in enumerate(code) if step.may_fail or step.waits or step.clears}
        unsure = spread(open_ends, before, stop=lambda i: code[i].chance) | open_ends
        for i, step in enumerate(code):
            step.sure = i not in unsure
    rules.uncertain = any(step.chance or step.op == "ByBegin" for step in code)
    rules.needs_began = bool(clears) or "vacated" in rules.uses


def settle(choice: Instruction, code: list[Instruction]) -> None:
    """Find out whether the kind of a choice alone tells the branch of a ``choose``."""
    found: dict[int, int] = {}
    for start in choice.starts:
        step = code[start] if start < len(code) else None
        kind = DONE if start == choice.next else step.kind if step is not None and step.waits else -1
        if kind < 0 or kind in found:
            return
        found[kind] = start
    choice.by_kind = found


def tries(step: Instruction, to: int) -> bool:
    """Whether a step goes on to instruction ``to`` only when it has found that possible."""
    if step.op == "Choose":
        return not step.labels
    return step.op == "RepeatTest" and step.next == to


def spread(
    among: Iterable[int], neighbours: list[list[int]], stop: Callable[[int], bool] = lambda _: False
) -> set[int]:
    """The instructions with a way to one of ``among``, a step at a time to ``neighbours``.

    The way does not go through those at which it must ``stop``.
    """
    found: set[int] = set()
    todo = list(among)
    while todo:
        at = todo.pop()
        for i in neighbours[at]:
            if i not in found:
                found.add(i)
                if not stop(i):
                    todo.append(i)
    return found


def compile_rules(item: Item, *, size: int, seats: int, problems: list[Problem] | None = None) -> Rules:
    """The rules of a game file (its top-level mapping, ``extends`` and variant laid over) for a size and seats.

    Mistakes are added to ``problems``; without a list, or when compiling can't go on, GameFileError is raised.
    """
    found: list[Problem] = []
    compiler = Compiler(item, size, seats, found)
    rules = compiler.compile()
    if found:
        if problems is None:
            raise GameFileError(found)
        problems += found
    return rules
