"""Compilation of expressions: parsing, checking, typing and translation into terms.

Expressions are parsed with Python's ``ast`` but never executed as Python. Only the syntax handled here is accepted;
anything else is rejected with a message.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from typing import Any

from shibumi3d.i18n import N_, Message, Plural
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    STATE,
    LoopTerm,
    Term,
    bind,
    clamp,
    comprehension,
    const,
    const_items,
    term,
)
from shibumi3d.rules.marbles.engine.rules import slot as slot_term
from shibumi3d.rules.marbles.language.folding import (
    conjuncts,
    exact,
    folded,
    is_subset_test,
    kept,
    marbles,
)
from shibumi3d.rules.marbles.language.scope import (
    DEEPEST,
    GROWN,
    ONLY_SOMEWHERE,
    SETS_OF_BITS,
    WIDEST,
    Misplaced,
    Name,
    Scope,
    TooMuch,
    Typed,
    Wrong,
    parse,
    shape,
)
from shibumi3d.rules.marbles.language.types import ELEMENT, LIST_OF, SCALARS, SET_OF, Type, common
from shibumi3d.rules.marbles.language.vocabulary import WORDS
from shibumi3d.rules.source import nearest

SIMPLE = frozenset({"Slot", "Const", "ConstItems", "BySeat", "StockValue", "StockChoice", "ColourMarbles"})
"""Operations that can be substituted for a parameter, since evaluating them repeatedly costs nothing."""
STOCKS = frozenset({"StockValue", "StockChoice"})


class ExpressionBuilder:
    """Builder of the terms of one expression.

    ``known`` are the context-dependent words that are valid here, such as ``colour``.
    """

    def __init__(self, scope: Scope, known: Collection[str] = ONLY_SOMEWHERE) -> None:
        self.scope = scope
        self.known = known
        self.bound: dict[str, Typed] = {}
        self.depth = 0
        self.rounds = 1

    # ------------------------------------------------------------ parsing

    def build(self, text: str) -> Typed:
        """Return the typed term of an expression.

        Raises Wrong if it has a mistake.
        """
        return self.expr(parse(text))

    def expr(self, tree: ast.expr) -> Typed:
        """Return the typed term of a syntax tree, folded to a constant where possible.

        Raises Wrong if it is invalid or nested too deeply, and TooMuch if the expressions of the file become too large.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise Wrong("the expression is nested more than {most} levels deep", most=DEEPEST)
        self.scope.grown += 1
        if self.scope.grown > GROWN:
            raise TooMuch(
                "the file's expressions have more than {most:,} parts once all definitions are expanded",
                most=GROWN,
            )
        maker: Callable[[Any], Typed] | None = getattr(self, "on_" + type(tree).__name__.lower(), None)
        if maker is None:
            raise Wrong("'{text}' is not part of the rule language", text=ast.unparse(tree))
        found = folded(maker(tree), self.scope.fixed)
        self.depth -= 1
        return found

    def on_constant(self, tree: ast.Constant) -> Typed:
        """Return the term for an integer or a Boolean.

        Raises Wrong for any other constant.
        """
        if isinstance(tree.value, bool):
            return Typed(const(int(tree.value)), Type.BOOL)
        if isinstance(tree.value, int):
            return Typed(const(clamp(tree.value)), Type.INT)
        raise Wrong("{value} is not a whole number", value=repr(tree.value))

    def on_name(self, tree: ast.Name) -> Typed:
        """Return the term for a word, point, colour or stock, or for a name defined in the file.

        Raises Wrong for an unknown name.
        """
        name = tree.id
        scope = self.scope
        if name in self.bound:
            return self.bound[name]
        known = scope.names.get(name)
        if known is not None:
            scope.uses.add(name)
            return self.named(known)
        if name in scope.stocks:
            return Typed(self.stock(tree), Type.STOCK, len(COLOURS))
        if name in scope.defines:
            return self.call_define(name, [])
        if name in ("true", "false"):
            return Typed(const(int(name == "true")), Type.BOOL)
        word = WORDS.get(name)
        if word is not None:
            if not word.fits(0):
                raise Wrong(
                    "'{word}' needs {arguments}, as in {example}",
                    word=name,
                    arguments=word.arguments,
                    example=word.example,
                )
            self.check_place(name)
            scope.uses.add(name)
            return word.build(self, [])
        if name in scope.pyramid.index:
            scope.uses.add("Aa1")
            return Typed(const(1 << scope.pyramid.index[name]), Type.POINT, 1)
        raise Wrong("unknown word '{word}'{hint}", word=name, hint=nearest(name, self.known_words()))

    def check_place(self, word: str) -> None:
        """Raise Misplaced if a word is not valid in this context."""
        if word in ONLY_SOMEWHERE and word not in self.known:
            raise Misplaced("'{word}' can only be used {where}", word=word, where=ONLY_SOMEWHERE[word])

    def known_words(self) -> list[str]:
        """Return every name that is valid here, for suggestions; empty if suggestions are off."""
        scope = self.scope
        if not scope.hints:
            return []
        words = [word for word in WORDS if word not in ONLY_SOMEWHERE or word in self.known]
        return [*self.bound, *scope.names, *scope.stocks, *scope.defines, *words]

    def named(self, name: Name) -> Typed:
        """Return the term for a variable, mark or other name defined in the file."""
        if name.kind == "mark":
            return Typed(term("MarkValue", name.slot), Type.POINTS, self.scope.pyramid.count)
        if name.by_seat:
            return Typed(
                term("SeatSlot", name.slot, term("Me"), shape(name.type)),
                name.type,
                self.rounds_of(name.type),
            )
        return Typed(slot_term(name.slot, shape(name.type), STATE), name.type, self.rounds_of(name.type))

    def rounds_of(self, kind: Type) -> int:
        """Estimate how many elements a computed value of this type has."""
        if kind in (Type.COLOURS, Type.STOCK, Type.COLOUR_LIST, Type.WORD_LIST):
            return len(COLOURS)
        if kind in (Type.SEATS, Type.SEAT_LIST):
            return self.scope.seats
        return self.scope.pyramid.count

    # ------------------------------------------------------------ operators

    def on_boolop(self, tree: ast.BoolOp) -> Typed:
        """Return the term for ``and`` or ``or``.

        Operands of the same type yield a value of that type, as in Python; operands of different types yield a Bool.
        Raises Wrong if an operand can't be converted.
        """
        parts = [self.expr(value) for value in tree.values]
        kind: Type | None = parts[0].type
        for part in parts[1:]:
            kind = common(kind, part.type) if kind is not None else None
        both = isinstance(tree.op, ast.And)
        if kind is None:
            kind = Type.BOOL
        if kind is Type.WORD:
            kind = Type.POINTS  # 'white or black' means marbles: a colour itself is always true
        if kind is Type.STOCK or kind not in SCALARS:
            if kind is Type.SETS_LIST:
                raise Wrong("'and' and 'or' can't combine lists of Sets")
            nodes = [self.coerce(part, kind) for part in parts]
            result = nodes[-1]
            joined = "ItemsAndThen" if both else "ItemsOrElse"
            for node in reversed(nodes[:-1]):
                result = term(joined, self.coerce(Typed(node, kind), Type.BOOL), node, result)
            return Typed(result, kind, max(part.rounds for part in parts))
        nodes = [self.coerce(part, kind) for part in parts]
        result = nodes[-1]
        for node in reversed(nodes[:-1]):
            result = term("BoolAnd" if both else "ScalarOr", node, result)
        return Typed(result, kind, max(part.rounds for part in parts))

    def on_unaryop(self, tree: ast.UnaryOp) -> Typed:
        """Return the term for ``not`` or a minus sign.

        Raises Wrong for any other unary operator.
        """
        value = self.expr(tree.operand)
        if isinstance(tree.op, ast.Not):
            return Typed(term("Not", self.coerce(value, Type.BOOL)), Type.BOOL)
        if isinstance(tree.op, ast.USub):
            return Typed(term("Negative", self.coerce(value, Type.INT)), Type.INT)
        raise Wrong("'{text}' is not part of the rule language", text=ast.unparse(tree))

    def on_binop(self, tree: ast.BinOp) -> Typed:
        """Return the term for arithmetic, or for the union, intersection or difference of sets.

        Raises Wrong for any other operator, and for operands of incompatible types.
        """
        a, b = self.expr(tree.left), self.expr(tree.right)
        arithmetic: dict[type, str] = {
            ast.Add: "Plus",
            ast.Mult: "Times",
            ast.FloorDiv: "Divided",
            ast.Mod: "Modulo",
        }
        operator = type(tree.op)
        if operator in arithmetic or (
            operator is ast.Sub and a.type in (Type.INT, Type.BOOL) and b.type in (Type.INT, Type.BOOL)
        ):
            kind = arithmetic.get(operator, "Minus")
            return Typed(term(kind, self.coerce(a, Type.INT), self.coerce(b, Type.INT)), Type.INT)
        if operator not in (ast.BitOr, ast.BitAnd, ast.Sub):
            raise Wrong(
                "'{text}' uses an operator that is not part of the rule language", text=ast.unparse(tree)
            )
        if a.type is Type.STOCK and b.type in (Type.WORD, Type.COLOURS) and operator is not ast.BitOr:
            keep = operator is ast.BitAnd
            return Typed(term("StockOf", a.node, b.node, keep), Type.STOCK, a.rounds)
        if b.type is Type.STOCK and a.type in (Type.WORD, Type.COLOURS) and operator is ast.BitAnd:
            return Typed(term("StockOf", b.node, a.node, True), Type.STOCK, b.rounds)
        joint = common(a.type, b.type)
        if joint is Type.POINT:
            joint = Type.POINTS
        rounds = max(a.rounds, b.rounds)
        if joint in SETS_OF_BITS or joint is Type.NONE:
            bitwise = {ast.BitOr: "Or", ast.BitAnd: "And", ast.Sub: "Without"}[operator]
            return Typed(term(bitwise, self.coerce(a, joint), self.coerce(b, joint)), joint, rounds)
        if joint in (Type.SETS, Type.INTS):
            listed = {ast.BitOr: "ItemsOr", ast.BitAnd: "ItemsAnd", ast.Sub: "ItemsWithout"}[operator]
            rounds = a.rounds + b.rounds if operator is ast.BitOr else a.rounds
            return Typed(term(listed, self.coerce(a, joint), self.coerce(b, joint)), joint, rounds)
        if joint in (Type.BOOL, Type.INT):
            raise Wrong(
                "'{text}': use 'and' or 'or' to combine {type} values", text=ast.unparse(tree), type=joint
            )
        raise Wrong("'{text}': can't combine {a} and {b}", text=ast.unparse(tree), a=a.type, b=b.type)

    def on_compare(self, tree: ast.Compare) -> Typed:
        """Return the term for a comparison; chained comparisons are joined by ``and``."""
        result: Term | None = None
        left = tree.left
        for operator, right in zip(tree.ops, tree.comparators, strict=True):
            node = self.compare(left, operator, right, tree)
            result = node if result is None else term("BoolAnd", result, node)
            left = right
        assert result is not None
        return Typed(result, Type.BOOL)

    def compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, tree: ast.Compare) -> Term:
        """Return the term for a single comparison.

        Raises Wrong if the two values can't be compared in this way.
        """
        a, b = self.expr(left), self.expr(right)
        if isinstance(operator, ast.In | ast.NotIn):
            node = self.member(a, b, tree)
            return term("Not", node) if isinstance(operator, ast.NotIn) else node
        joint = common(a.type, b.type)
        if joint is None or joint in (Type.STOCK, Type.BOARD, Type.SETS_LIST):
            raise Wrong("'{text}': can't compare {a} with {b}", text=ast.unparse(tree), a=a.type, b=b.type)
        if isinstance(operator, ast.Gt | ast.GtE):
            a, b = b, a
        if joint is Type.POINT and not isinstance(operator, ast.Eq | ast.NotEq):
            joint = Type.POINTS
        if joint is Type.BOOL:
            joint = Type.INT
        x, y = self.coerce(a, joint), self.coerce(b, joint)
        if joint not in SCALARS:
            if isinstance(operator, ast.Eq):
                return term("ItemsEqual", x, y)
            if isinstance(operator, ast.NotEq):
                return term("Not", term("ItemsEqual", x, y))
            part = term("ItemsPartOf", x, y)
            if isinstance(operator, ast.LtE | ast.GtE):
                return part
            return term("BoolAnd", part, term("Not", term("ItemsEqual", x, y)))
        if isinstance(operator, ast.Eq):
            return term("Equal", x, y)
        if isinstance(operator, ast.NotEq):
            return term("Unequal", x, y)
        numbers = joint is Type.INT
        if isinstance(operator, ast.LtE | ast.GtE):
            return term("AtMost", x, y) if numbers else term("PartOf", x, y)
        if isinstance(operator, ast.Lt | ast.Gt):
            return term("Less", x, y) if numbers else term("ProperPartOf", x, y)
        raise Wrong(
            "'{text}' uses a comparison that is not part of the rule language", text=ast.unparse(tree)
        )

    def member(self, a: Typed, b: Typed, tree: ast.Compare) -> Term:
        """Return the term for ``a in b``.

        Raises Wrong if ``b`` can't contain values of the type of ``a``.
        """
        if b.type is Type.SETS:
            points = self.coerce(a, Type.POINTS)
            if b.node.op == "ConstItems":
                return term("MemberOfFixed", points, b.node)
            return term("MemberOf", points, b.node)
        if b.type is Type.INTS:
            return term("MemberOf", self.coerce(a, Type.INT), b.node)
        if b.type in (Type.COLOUR_LIST, Type.WORD_LIST):
            return term("MemberOf", self.coerce(a, Type.COLOURS), b.node)
        if b.type is Type.SEAT_LIST:
            return term("MemberOf", self.coerce(a, Type.SEATS), b.node)
        joint = common(a.type, b.type)
        if joint in SETS_OF_BITS:
            joint = Type.POINTS if joint is Type.POINT else joint
            return term("Among", self.coerce(a, joint), self.coerce(b, joint))
        raise Wrong("'{text}': can't look for {a} in {b}", text=ast.unparse(tree), a=a.type, b=b.type)

    def on_ifexp(self, tree: ast.IfExp) -> Typed:
        """Return the term for ``a if test else b``.

        Raises Wrong if ``a`` and ``b`` have no common type.
        """
        test = self.coerce(self.expr(tree.test), Type.BOOL)
        a, b = self.expr(tree.body), self.expr(tree.orelse)
        joint = common(a.type, b.type)
        if joint is None or joint is Type.BOARD:
            raise Wrong(
                "'{text}' gives {a} in one case and {b} in the other",
                text=ast.unparse(tree),
                a=a.type,
                b=b.type,
            )
        return Typed(
            term("Choice", test, self.coerce(a, joint), self.coerce(b, joint)), joint, max(a.rounds, b.rounds)
        )

    def on_list(self, tree: ast.List) -> Typed:
        """Return the term for a list display.

        Raises Wrong if it is empty or its entries have no common type.
        """
        parts = [self.expr(entry) for entry in tree.elts]
        if not parts:
            raise Wrong("an empty list has no type: write 'none' instead")
        kind: Type | None = parts[0].type
        for part in parts[1:]:
            kind = common(kind, part.type) if kind is not None else None
        if kind is Type.NONE:
            kind = Type.POINTS
        if kind is None or kind not in LIST_OF:
            raise Wrong("'{text}' mixes values of different types", text=ast.unparse(tree))
        nodes = tuple(self.coerce(part, kind) for part in parts)
        if kind is Type.BOOL:
            nodes = tuple(exact(node) for node in nodes)
        made = LIST_OF[kind]
        node = term("ListLists" if made is Type.SETS_LIST else "ListItems", nodes)
        return Typed(node, made, len(nodes))

    def on_subscript(self, tree: ast.Subscript) -> Typed:
        """Return the term for a list entry, selected by index or by seat.

        Raises Wrong if the value is not a list.
        """
        family = self.expr(tree.value)
        index = self.expr(tree.slice)
        by_seat = index.type is Type.SEATS
        at = index.node if by_seat else self.coerce(index, Type.INT)
        if family.type is Type.SETS_LIST:
            return Typed(term("FamilyOf", family.node, at, by_seat), Type.SETS, family.rounds)
        if family.type not in (Type.SETS, Type.INTS, Type.COLOUR_LIST, Type.WORD_LIST, Type.SEAT_LIST):
            raise Wrong(
                "'{text}': {type} is not a list and has no entries",
                text=ast.unparse(tree),
                type=family.type,
            )
        kind = ELEMENT[family.type]
        if by_seat and family.node.op == "ConstItems":
            values = family.node.value[: self.scope.seats]
            if at.op == "Me" and len(values) == self.scope.seats:
                return Typed(term("BySeat", values), kind, self.rounds_of(kind))
        if family.node.op == "ListItems" and by_seat:
            return Typed(term("EntryBySeat", family.node.value, at), kind, self.rounds_of(kind))
        return Typed(term("EntryOf", family.node, at, by_seat), kind, self.rounds_of(kind))

    # ------------------------------------------------------------ loops

    def on_setcomp(self, tree: ast.SetComp) -> Typed:
        """Return the term for a set comprehension.

        Raises Wrong if its element can't be in a set.
        """
        loops, element, rounds = self.comprehension(tree.generators, tree.elt)
        if element.type not in SET_OF:
            raise Wrong(
                "'{text}': a set can't contain {type} values", text=ast.unparse(tree), type=element.type
            )
        made = SET_OF[element.type]
        if made in SETS_OF_BITS:
            return Typed(comprehension("Union", loops, element.node), made, self.rounds_of(made))
        return Typed(comprehension("Family", loops, element.node), made, rounds)

    def on_set(self, tree: ast.Set) -> Typed:
        """Raise Wrong, since sets are written with ``|`` rather than in braces."""
        raise Wrong("write the set '{text}' with '|' between its members", text=ast.unparse(tree))

    def on_listcomp(self, tree: ast.ListComp) -> Typed:
        """Return the term for a list comprehension.

        Raises Wrong if its element can't be in a list.
        """
        loops, element, rounds = self.comprehension(tree.generators, tree.elt)
        if element.type not in LIST_OF or element.type is Type.SETS:
            raise Wrong(
                "'{text}': a list can't contain {type} values", text=ast.unparse(tree), type=element.type
            )
        node = exact(element.node) if element.type is Type.BOOL else element.node
        return Typed(comprehension("Listing", loops, node), LIST_OF[element.type], rounds)

    def comprehension(
        self, generators: Sequence[ast.comprehension], elt: ast.expr
    ) -> tuple[tuple[LoopTerm, ...], Typed, int]:
        """Return the loops and the element of a comprehension, and an upper bound on its iterations."""
        outer, before = dict(self.bound), self.rounds
        loops = [self.loop(generator) for generator in generators]
        element = self.expr(elt)
        rounds = self.rounds // before
        self.bound, self.rounds = outer, before
        return tuple(loops), element, rounds

    def loop(self, generator: ast.comprehension) -> LoopTerm:
        """Return the term for one ``for … in … if …``.

        Conditions on constant values are evaluated now rather than during play. Raises Wrong if the loop variable or
        the iterated value is unsuitable, or if the loops would run too many times.
        """
        if not isinstance(generator.target, ast.Name) or generator.is_async:
            raise Wrong("a loop must use a single name, as in 'for p in …'")
        name = generator.target.id
        if (
            name in WORDS
            or name in self.scope.pyramid.index
            or name in self.scope.names
            or name in self.scope.stocks
            or name in self.scope.defines
        ):
            raise Wrong("'{name}' is already taken: choose another name for the loop variable", name=name)
        source = self.expr(generator.iter)
        if source.type not in ELEMENT:
            raise Wrong(
                "can't loop over '{text}', which is of type {type}",
                text=ast.unparse(generator.iter),
                type=source.type,
            )
        kind = ELEMENT[source.type]
        self.rounds *= max(source.rounds, 1)
        if self.rounds > WIDEST:
            raise Wrong("its loops would run more than {most:,} times", most=WIDEST)
        node = self.coerce(source, Type.POINTS) if source.type is Type.WORD else source.node
        how = {Type.SETS_LIST: "lists", Type.SETS: "sets"}.get(source.type, "items")
        if source.type in SCALARS:
            how = "bits"
        slot = self.scope.new_slot()
        here = f"v{slot}"
        variable = slot_term(slot, shape(kind), frozenset({here}))
        self.bound[name] = Typed(variable, kind, self.rounds_of(kind))
        tests: list[Term] = []
        whole: Term | None = None
        fixed = node.op == "ConstItems"
        for part in conjuncts(generator.ifs):
            test = self.coerce(self.expr(part), Type.BOOL)
            if fixed and test.deps <= {here}:
                node = const_items(kept(node, slot, test, self.scope.fixed))
            elif fixed and whole is None and is_subset_test(test, variable, here):
                whole = test.args[1]
            else:
                tests.append(test)
        return LoopTerm(slot, node, how if whole is None else "sets", tuple(tests), whole)

    def quantifier(self, tree: ast.GeneratorExp, every: bool) -> Term:
        """Return the term for ``any`` or ``all`` over a generator expression."""
        generators, element = list(tree.generators), tree.elt
        if not every and len(generators) == 1:
            generator = generators[0]
            parts = conjuncts([*generator.ifs, element])
            whole = ast.comprehension(generator.target, generator.iter, parts, 0)
            loops, _, _ = self.comprehension([whole], ast.Constant(True))
            return comprehension("Any", loops, const(1))
        made, value, _ = self.comprehension(generators, element)
        test = self.coerce(value, Type.BOOL)
        return comprehension("All" if every else "Any", made, test)

    # ------------------------------------------------------------ calls

    def on_call(self, tree: ast.Call) -> Typed:
        """Return the term for a word, definition, stock or variable with arguments.

        Raises Wrong if the arguments don't fit.
        """
        if not isinstance(tree.func, ast.Name) or tree.keywords:
            raise Wrong("'{text}' is not part of the rule language", text=ast.unparse(tree))
        name = tree.func.id
        scope = self.scope
        if name in scope.defines:
            return self.call_define(name, [self.expr(arg) for arg in tree.args])
        if name in scope.stocks:
            return Typed(self.stock(tree), Type.STOCK, len(COLOURS))
        known = scope.names.get(name)
        if known is not None:
            if not known.by_seat or len(tree.args) != 1:
                raise Wrong(
                    "'{name}' doesn't have one value per seat, so '{text}' has no meaning",
                    name=name,
                    text=ast.unparse(tree),
                )
            scope.uses.add(name)
            seat = self.coerce(self.expr(tree.args[0]), Type.SEATS)
            return Typed(
                term("SeatSlot", known.slot, seat, shape(known.type)), known.type, self.rounds_of(known.type)
            )
        word = WORDS.get(name)
        if word is None:
            raise Wrong("unknown word '{word}'{hint}", word=name, hint=nearest(name, self.known_words()))
        self.check_place(name)
        scope.uses.add(name)
        if not word.fits(len(tree.args)):
            raise Wrong(
                "'{word}' takes {arguments}, as in {example}",
                word=name,
                arguments=word.arguments,
                example=word.example,
            )
        return word.build(self, list(tree.args))

    def call_define(self, name: str, args: list[Typed]) -> Typed:
        """Return the term for a call of a definition, with its arguments bound.

        Raises Wrong if the arguments don't fit or the definition is recursive.
        """
        define = self.scope.open_define(name)
        if len(args) != len(define.params):
            takes: object = Message("no values")
            if define.params:
                takes = f"({', '.join(define.params)})"
            if not args:
                raise Wrong("'{name}' takes {takes}, but no values were given", name=name, takes=takes)
            raise Wrong(
                Plural(
                    "'{name}' takes {takes}, but {n} value was given",
                    "'{name}' takes {takes}, but {n} values were given",
                ),
                name=name,
                takes=takes,
                n=len(args),
            )
        self.scope.uses.add(name)
        outer, depth = self.bound, self.depth
        inner: dict[str, Typed] = {}
        slots: list[int] = []
        bound: list[Typed] = []
        for param, arg in zip(define.params, args, strict=True):
            simple = arg.node.op in SIMPLE
            if simple or arg.type in (Type.STOCK, Type.SETS_LIST):
                inner[param] = arg
                continue
            slot = self.scope.new_slot()
            slots.append(slot)
            bound.append(arg)
            inner[param] = Typed(
                slot_term(slot, shape(arg.type), frozenset({f"v{slot}"})), arg.type, arg.rounds
            )
        self.bound, self.depth = inner, 0
        try:
            body = self.build(define.text)
        except TooMuch:
            raise
        except Wrong as wrong:
            # The mistake may be in the arguments or in the way they are used. If neither is possible, blame the
            # definition.
            if wrong.mark is None and (define.params or isinstance(wrong, Misplaced)):
                raise type(wrong)(N_("in '{name}': {problem}"), name=name, problem=wrong) from None
            wrong.mark = wrong.mark or define.item.mark
            raise
        self.bound, self.depth = outer, depth
        if not slots:
            return body
        nodes = tuple(arg.node for arg in bound)
        shapes = tuple(shape(arg.type) for arg in bound)
        return Typed(bind(tuple(slots), nodes, shapes, body.node), body.type, body.rounds)

    def stock(self, tree: ast.expr) -> Term:
        """Return the term for a stock.

        A stock can be written as ``hand`` (the acting seat's), as ``hand(seat)``, as the name of a shared stock or of a
        definition without parameters that denotes a stock, or as ``a if test else b`` with two stocks. Raises Wrong for
        anything else.
        """
        if isinstance(tree, ast.IfExp):
            test = self.coerce(self.expr(tree.test), Type.BOOL)
            return term("StockChoice", test, self.stock(tree.body), self.stock(tree.orelse))
        name = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""
        if isinstance(tree, ast.Name):
            name = tree.id
            if name in self.bound and self.bound[name].node.op in STOCKS:
                return self.bound[name].node
            define = self.scope.defines.get(name)
            if define is not None and not define.params:
                self.scope.open_define(name)
                self.scope.uses.add(name)
                return self.stock(parse(define.text))
        stock = self.scope.stocks.get(name)
        if stock is None:
            shown = ast.unparse(tree)
            raise Wrong(
                "'{name}' is not a stock{hint}", name=shown, hint=nearest(name or shown, self.scope.stocks)
            )
        self.scope.uses.add(name)
        if isinstance(tree, ast.Call):
            if not stock.each or len(tree.args) != 1:
                raise Wrong(
                    "'{text}': there is only one '{name}', shared by all", text=ast.unparse(tree), name=name
                )
            return term("StockValue", stock.base, self.coerce(self.expr(tree.args[0]), Type.SEATS))
        return term("StockValue", stock.base, term("Me") if stock.each else None)

    def board(self, tree: ast.expr) -> Term:
        """Return the term for a board, given by its name or its seat.

        Raises Wrong for anything else.
        """
        scope = self.scope
        if isinstance(tree, ast.Name) and tree.id in scope.boards and not scope.board_a_seat:
            return const(scope.boards.index(tree.id))
        if scope.board_a_seat:
            return term("BoardOfSeat", self.coerce(self.expr(tree), Type.SEATS))
        raise Wrong(
            "'{text}' is not a board; the boards are {boards}",
            text=ast.unparse(tree),
            boards=", ".join(scope.boards),
        )

    # ------------------------------------------------------------ types

    def coerce(self, value: Typed, wanted: Type) -> Term:
        """Return a term that converts ``value`` to the type ``wanted``.

        Raises Wrong if it can't be converted.
        """
        node, kind = value.node, value.type
        if kind is wanted:
            return node
        if wanted is Type.BOOL:
            if kind is Type.STOCK:
                return term("AnyOf", node)
            if kind is Type.SETS_LIST:
                raise Wrong("a list of Sets is neither true nor false")
            if kind is Type.WORD:
                return marbles(node)
            return node if kind in SCALARS else term("HasItems", node)
        if wanted is Type.INT and kind is Type.BOOL:
            return exact(node)
        if kind is Type.NONE:
            return node if wanted in SCALARS else const_items(())
        if wanted in (Type.POINTS, Type.POINT):
            if kind in (Type.POINT, Type.POINTS):
                return node
            if kind in (Type.WORD, Type.COLOURS):
                return marbles(node)
        if wanted is Type.COLOURS and kind is Type.WORD:
            return node
        if wanted is Type.COLOUR_LIST and kind is Type.WORD_LIST:
            return node
        raise Wrong("expected {wanted}, but found {found}", wanted=wanted, found=kind)
