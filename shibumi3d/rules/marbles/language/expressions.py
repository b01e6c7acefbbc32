"""Compilation of expressions: parsing, checking, typing and translation into terms.

Expressions are parsed with Python's ``ast`` but never executed as Python. Only the syntax handled here is accepted;
anything else is rejected with a message.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from typing import Any

from shibumi3d.i18n import N_, Message, Plural
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    DEPENDS_ON_STATE,
    LoopTerm,
    Term,
    bind_term,
    clamp,
    comprehension_term,
    const_list_term,
    const_term,
    make_term,
)
from shibumi3d.rules.marbles.engine.rules import slot_term as slot_term
from shibumi3d.rules.marbles.language.constant_folding import (
    filter_members,
    fold_constant,
    is_subset_test,
    marbles_of_colours,
    normalize_bool,
    split_conjuncts,
)
from shibumi3d.rules.marbles.language.scope import (
    BITMASK_TYPES,
    CONTEXT_WORDS,
    MAX_LOOP_ITERATIONS,
    MAX_NESTING_DEPTH,
    MAX_SYNTAX_NODES,
    DeclaredName,
    ExpressionError,
    ExpressionLimitError,
    Scope,
    TypedTerm,
    WordContextError,
    parse_expression,
    storage_shape,
)
from shibumi3d.rules.marbles.language.types import (
    ELEMENT_TYPES,
    LIST_TYPES,
    SCALAR_TYPES,
    SET_TYPES,
    Type,
    common_type,
)
from shibumi3d.rules.marbles.language.vocabulary import WORDS
from shibumi3d.rules.source import suggest_spelling

SUBSTITUTABLE_OPS = frozenset(
    {"Slot", "Const", "ConstItems", "BySeat", "StockValue", "StockChoice", "ColourMarbles"}
)
"""Operations of arguments that can simply replace a parameter, since they are quick to evaluate repeatedly."""
STOCK_OPS = frozenset({"StockValue", "StockChoice"})


class ExpressionCompiler:
    """Compiler of a single expression into a typed term.

    ``allowed_words`` are the context-dependent words, such as ``colour``, that are valid in the expression. By default,
    all of them are valid.
    """

    def __init__(self, scope: Scope, allowed_words: Collection[str] = CONTEXT_WORDS) -> None:
        self.scope = scope
        self.allowed_words = allowed_words
        self.bound_names: dict[str, TypedTerm] = {}
        self.depth = 0
        self.iteration_bound = 1

    # ------------------------------------------------------------ parsing

    def compile(self, text: str) -> TypedTerm:
        """Return the typed term of an expression.

        Raises ExpressionError if the expression has a mistake or exceeds a limit; see :meth:`compile_tree`.
        """
        return self.compile_tree(parse_expression(text))

    def compile_tree(self, tree: ast.expr) -> TypedTerm:
        """Return the typed term of a syntax tree, folded to a constant where possible.

        Raises ExpressionError if the tree is invalid or nested too deeply. Raises ExpressionLimitError if definitions
        are nested too deeply, if the expressions of the file become too large, if they have too many loops and names,
        or if their constant parts take too long to compute.
        """
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            raise ExpressionError(
                "the expression is nested more than {most} levels deep", most=MAX_NESTING_DEPTH
            )
        self.scope.syntax_node_count += 1
        if self.scope.syntax_node_count > MAX_SYNTAX_NODES:
            raise ExpressionLimitError(
                "the file's expressions have more than {most:,} parts once all definitions are expanded",
                most=MAX_SYNTAX_NODES,
            )
        maker: Callable[[Any], TypedTerm] | None = getattr(self, "on_" + type(tree).__name__.lower(), None)
        if maker is None:
            raise ExpressionError("'{text}' is not part of the rule language", text=ast.unparse(tree))
        result = fold_constant(maker(tree), self.scope.constant_evaluator)
        self.depth -= 1
        return result

    def on_constant(self, tree: ast.Constant) -> TypedTerm:
        """Return the term for an integer or a Boolean.

        An integer is limited to ±:data:`.MAX_INTEGER`. Raises ExpressionError for any other constant.
        """
        if isinstance(tree.value, bool):
            return TypedTerm(const_term(int(tree.value)), Type.BOOL)
        if isinstance(tree.value, int):
            return TypedTerm(const_term(clamp(tree.value)), Type.INT)
        raise ExpressionError("{value} is not a whole number", value=repr(tree.value))

    def on_name(self, tree: ast.Name) -> TypedTerm:
        """Return the term for a single name.

        The name can be ``true`` or ``false``, a word of the language, a point, a stock, a loop variable, a parameter,
        or another name that the game file defines. Raises ExpressionError for an unknown name, for a word or definition
        that needs arguments, for a word that isn't valid in this context, and for a definition that is recursive or has
        a mistake.
        """
        name = tree.id
        scope = self.scope
        if name in self.bound_names:
            return self.bound_names[name]
        known = scope.names.get(name)
        if known is not None:
            scope.words_used.add(name)
            return self.compile_declared_name(known)
        if name in scope.stocks:
            return TypedTerm(self.compile_stock(tree), Type.STOCK, len(COLOURS))
        if name in scope.definitions:
            return self.expand_definition(name, [])
        if name in ("true", "false"):
            return TypedTerm(const_term(int(name == "true")), Type.BOOL)
        word = WORDS.get(name)
        if word is not None:
            if not word.accepts(0):
                raise ExpressionError(
                    "'{word}' needs {arguments}, as in {example}",
                    word=name,
                    arguments=word.parameter_list,
                    example=word.example,
                )
            self.check_context(name)
            scope.words_used.add(name)
            return word.compile(self, [])
        if name in scope.pyramid.point_by_name:
            scope.words_used.add("Aa1")
            return TypedTerm(const_term(1 << scope.pyramid.point_by_name[name]), Type.POINT, 1)
        raise ExpressionError(
            "unknown word '{word}'{hint}", word=name, hint=suggest_spelling(name, self.suggestable_words())
        )

    def check_context(self, word: str) -> None:
        """Raise WordContextError if a word is not valid in this context."""
        if word in CONTEXT_WORDS and word not in self.allowed_words:
            raise WordContextError("'{word}' can only be used {where}", word=word, where=CONTEXT_WORDS[word])

    def suggestable_words(self) -> list[str]:
        """Return the names that can be suggested for a misspelt name.

        These are all names that are valid here, except ``true``, ``false`` and the names of points other than ``Aa1``.
        The list is empty if suggestions are off.
        """
        scope = self.scope
        if not scope.suggests_words:
            return []
        words = [word for word in WORDS if word not in CONTEXT_WORDS or word in self.allowed_words]
        return [*self.bound_names, *scope.names, *scope.stocks, *scope.definitions, *words]

    def compile_declared_name(self, name: DeclaredName) -> TypedTerm:
        """Return the term for a name declared in the game file: a variable, a mark or a value of the turn.

        If a variable has one value per seat, the term stands for the value of the seat to act.
        """
        if name.kind == "mark":
            return TypedTerm(make_term("MarkValue", name.slot), Type.POINTS, self.scope.pyramid.point_count)
        if name.is_per_seat:
            return TypedTerm(
                make_term("SeatSlot", name.slot, make_term("Me"), storage_shape(name.type)),
                name.type,
                self.estimate_iterations(name.type),
            )
        return TypedTerm(
            slot_term(name.slot, storage_shape(name.type), DEPENDS_ON_STATE),
            name.type,
            self.estimate_iterations(name.type),
        )

    def estimate_iterations(self, kind: Type) -> int:
        """Estimate how many elements a computed value of this type has."""
        if kind in (Type.COLOURS, Type.STOCK, Type.COLOUR_LIST, Type.COLOUR_WORD_LIST):
            return len(COLOURS)
        if kind in (Type.SEATS, Type.SEAT_LIST):
            return self.scope.seats
        return self.scope.pyramid.point_count

    # ------------------------------------------------------------ operators

    def on_boolop(self, tree: ast.BoolOp) -> TypedTerm:
        """Return the term for ``and`` or ``or``.

        As in Python, operands with a common type yield a value of that type. If all operands are colour words, however,
        each stands for the marbles of its colour, because a colour itself is always true. Operands without a common
        type yield a Bool. Raises ExpressionError if an operand is a list of Sets.
        """
        parts = [self.compile_tree(value) for value in tree.values]
        kind: Type | None = parts[0].type
        for part in parts[1:]:
            kind = common_type(kind, part.type) if kind is not None else None
        both = isinstance(tree.op, ast.And)
        if kind is None:
            kind = Type.BOOL
        if kind is Type.COLOUR_WORD:
            kind = Type.POINTS  # 'white or black' means marbles: a colour itself is always true
        if kind is Type.STOCK or kind not in SCALAR_TYPES:
            if kind is Type.SETS_LIST:
                raise ExpressionError("'and' and 'or' can't combine lists of Sets")
            nodes = [self.coerce(part, kind) for part in parts]
            result = nodes[-1]
            joined = "ItemsAndThen" if both else "ItemsOrElse"
            for node in reversed(nodes[:-1]):
                result = make_term(joined, self.coerce(TypedTerm(node, kind), Type.BOOL), node, result)
            return TypedTerm(result, kind, max(part.iteration_estimate for part in parts))
        nodes = [self.coerce(part, kind) for part in parts]
        result = nodes[-1]
        for node in reversed(nodes[:-1]):
            result = make_term("BoolAnd" if both else "ScalarOr", node, result)
        return TypedTerm(result, kind, max(part.iteration_estimate for part in parts))

    def on_unaryop(self, tree: ast.UnaryOp) -> TypedTerm:
        """Return the term for ``not`` or a minus sign.

        Raises ExpressionError for any other unary operator, and for an operand of an unsuitable type.
        """
        value = self.compile_tree(tree.operand)
        if isinstance(tree.op, ast.Not):
            return TypedTerm(make_term("Not", self.coerce(value, Type.BOOL)), Type.BOOL)
        if isinstance(tree.op, ast.USub):
            return TypedTerm(make_term("Negative", self.coerce(value, Type.INT)), Type.INT)
        raise ExpressionError("'{text}' is not part of the rule language", text=ast.unparse(tree))

    def on_binop(self, tree: ast.BinOp) -> TypedTerm:
        """Return the term for a binary operator.

        The operator does arithmetic, forms a union, intersection or difference, or selects part of a stock. Raises
        ExpressionError for any other operator, and for operands to which the operator can't be applied.
        """
        a, b = self.compile_tree(tree.left), self.compile_tree(tree.right)
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
            return TypedTerm(make_term(kind, self.coerce(a, Type.INT), self.coerce(b, Type.INT)), Type.INT)
        if operator not in (ast.BitOr, ast.BitAnd, ast.Sub):
            raise ExpressionError(
                "'{text}' uses an operator that is not part of the rule language", text=ast.unparse(tree)
            )
        if a.type is Type.STOCK and b.type in (Type.COLOUR_WORD, Type.COLOURS) and operator is not ast.BitOr:
            keep = operator is ast.BitAnd
            return TypedTerm(make_term("StockOf", a.term, b.term, keep), Type.STOCK, a.iteration_estimate)
        if b.type is Type.STOCK and a.type in (Type.COLOUR_WORD, Type.COLOURS) and operator is ast.BitAnd:
            return TypedTerm(make_term("StockOf", b.term, a.term, True), Type.STOCK, b.iteration_estimate)
        common = common_type(a.type, b.type)
        if common is Type.POINT:
            common = Type.POINTS
        rounds = max(a.iteration_estimate, b.iteration_estimate)
        if common in BITMASK_TYPES or common is Type.NONE:
            bitwise = {ast.BitOr: "Or", ast.BitAnd: "And", ast.Sub: "Without"}[operator]
            return TypedTerm(
                make_term(bitwise, self.coerce(a, common), self.coerce(b, common)), common, rounds
            )
        if common in (Type.SETS, Type.INTS):
            listed = {ast.BitOr: "ItemsOr", ast.BitAnd: "ItemsAnd", ast.Sub: "ItemsWithout"}[operator]
            rounds = (
                a.iteration_estimate + b.iteration_estimate if operator is ast.BitOr else a.iteration_estimate
            )
            return TypedTerm(
                make_term(listed, self.coerce(a, common), self.coerce(b, common)), common, rounds
            )
        if common in (Type.BOOL, Type.INT):
            raise ExpressionError(
                "'{text}': use 'and' or 'or' to combine {type} values", text=ast.unparse(tree), type=common
            )
        raise ExpressionError(
            "'{text}': can't combine {a} and {b}", text=ast.unparse(tree), a=a.type, b=b.type
        )

    def on_compare(self, tree: ast.Compare) -> TypedTerm:
        """Return the term for a comparison; chained comparisons are joined by ``and``.

        Raises ExpressionError if an operator isn't part of the rule language, or if it can't compare its two operands.
        """
        result: Term | None = None
        left = tree.left
        for operator, right in zip(tree.ops, tree.comparators, strict=True):
            node = self.compile_comparison(left, operator, right, tree)
            result = node if result is None else make_term("BoolAnd", result, node)
            left = right
        assert result is not None
        return TypedTerm(result, Type.BOOL)

    def compile_comparison(
        self, left: ast.expr, operator: ast.cmpop, right: ast.expr, tree: ast.Compare
    ) -> Term:
        """Return the term for a comparison of ``left`` with ``right``.

        ``tree`` is the whole comparison, which error messages quote. Raises ExpressionError if the two values can't be
        compared in this way.
        """
        if isinstance(operator, ast.Is | ast.IsNot):
            raise ExpressionError(
                "'{text}' uses a comparison that is not part of the rule language", text=ast.unparse(tree)
            )
        a, b = self.compile_tree(left), self.compile_tree(right)
        if isinstance(operator, ast.In | ast.NotIn):
            node = self.compile_membership(a, b, tree)
            return make_term("Not", node) if isinstance(operator, ast.NotIn) else node
        common = common_type(a.type, b.type)
        if common is None or common in (Type.STOCK, Type.BOARD, Type.SETS_LIST):
            raise ExpressionError(
                "'{text}': can't compare {a} with {b}", text=ast.unparse(tree), a=a.type, b=b.type
            )
        if isinstance(operator, ast.Gt | ast.GtE):
            a, b = b, a
        if common is Type.POINT and not isinstance(operator, ast.Eq | ast.NotEq):
            common = Type.POINTS
        if common is Type.BOOL:
            common = Type.INT
        x, y = self.coerce(a, common), self.coerce(b, common)
        if common not in SCALAR_TYPES:
            if isinstance(operator, ast.Eq):
                return make_term("ItemsEqual", x, y)
            if isinstance(operator, ast.NotEq):
                return make_term("Not", make_term("ItemsEqual", x, y))
            part = make_term("ItemsPartOf", x, y)
            if isinstance(operator, ast.LtE | ast.GtE):
                return part
            return make_term("BoolAnd", part, make_term("Not", make_term("ItemsEqual", x, y)))
        if isinstance(operator, ast.Eq):
            return make_term("Equal", x, y)
        if isinstance(operator, ast.NotEq):
            return make_term("Unequal", x, y)
        numbers = common is Type.INT
        if isinstance(operator, ast.LtE | ast.GtE):
            return make_term("AtMost", x, y) if numbers else make_term("PartOf", x, y)
        return make_term("Less", x, y) if numbers else make_term("ProperPartOf", x, y)

    def compile_membership(self, a: TypedTerm, b: TypedTerm, tree: ast.Compare) -> Term:
        """Return the term for ``a in b``.

        ``tree`` is the whole comparison, which error messages quote. Raises ExpressionError if ``b`` can't contain
        values of the type of ``a``.
        """
        if b.type is Type.SETS:
            points = self.coerce(a, Type.POINTS)
            if b.term.op == "ConstItems":
                return make_term("MemberOfFixed", points, b.term)
            return make_term("MemberOf", points, b.term)
        if b.type is Type.INTS:
            return make_term("MemberOf", self.coerce(a, Type.INT), b.term)
        if b.type in (Type.COLOUR_LIST, Type.COLOUR_WORD_LIST):
            return make_term("MemberOf", self.coerce(a, Type.COLOURS), b.term)
        if b.type is Type.SEAT_LIST:
            return make_term("MemberOf", self.coerce(a, Type.SEATS), b.term)
        common = common_type(a.type, b.type)
        if common in BITMASK_TYPES:
            common = Type.POINTS if common is Type.POINT else common
            return make_term("Among", self.coerce(a, common), self.coerce(b, common))
        raise ExpressionError(
            "'{text}': can't look for {a} in {b}", text=ast.unparse(tree), a=a.type, b=b.type
        )

    def on_ifexp(self, tree: ast.IfExp) -> TypedTerm:
        """Return the term for ``a if test else b``.

        Raises ExpressionError if ``test`` is a list of Sets, if ``a`` and ``b`` have no common type, or if they are
        boards.
        """
        test = self.coerce(self.compile_tree(tree.test), Type.BOOL)
        a, b = self.compile_tree(tree.body), self.compile_tree(tree.orelse)
        common = common_type(a.type, b.type)
        if common is None or common is Type.BOARD:
            raise ExpressionError(
                "'{text}' gives {a} in one case and {b} in the other",
                text=ast.unparse(tree),
                a=a.type,
                b=b.type,
            )
        return TypedTerm(
            make_term("Choice", test, self.coerce(a, common), self.coerce(b, common)),
            common,
            max(a.iteration_estimate, b.iteration_estimate),
        )

    def on_list(self, tree: ast.List) -> TypedTerm:
        """Return the term for a list display.

        Raises ExpressionError if the list is empty or its entries have no common type that a list can contain.
        """
        parts = [self.compile_tree(entry) for entry in tree.elts]
        if not parts:
            raise ExpressionError("an empty list has no type: write 'none' instead")
        kind: Type | None = parts[0].type
        for part in parts[1:]:
            kind = common_type(kind, part.type) if kind is not None else None
        if kind is Type.NONE:
            kind = Type.POINTS
        if kind is None or kind not in LIST_TYPES:
            raise ExpressionError("'{text}' mixes values of different types", text=ast.unparse(tree))
        nodes = tuple(self.coerce(part, kind) for part in parts)
        if kind is Type.BOOL:
            nodes = tuple(normalize_bool(node) for node in nodes)
        list_type = LIST_TYPES[kind]
        node = make_term("ListLists" if list_type is Type.SETS_LIST else "ListItems", nodes)
        return TypedTerm(node, list_type, len(nodes))

    def on_subscript(self, tree: ast.Subscript) -> TypedTerm:
        """Return the term for a list entry, selected by index or by seat.

        Raises ExpressionError if the value is not a list, or if the index is not of type Seats and can't be converted
        to an Int.
        """
        family = self.compile_tree(tree.value)
        index = self.compile_tree(tree.slice)
        by_seat = index.type is Type.SEATS
        at = index.term if by_seat else self.coerce(index, Type.INT)
        if family.type is Type.SETS_LIST:
            return TypedTerm(
                make_term("FamilyOf", family.term, at, by_seat), Type.SETS, family.iteration_estimate
            )
        if family.type not in (Type.SETS, Type.INTS, Type.COLOUR_LIST, Type.COLOUR_WORD_LIST, Type.SEAT_LIST):
            raise ExpressionError(
                "'{text}': {type} is not a list and has no entries",
                text=ast.unparse(tree),
                type=family.type,
            )
        kind = ELEMENT_TYPES[family.type]
        if by_seat and family.term.op == "ConstItems":
            values = family.term.value[: self.scope.seats]
            if at.op == "Me" and len(values) == self.scope.seats:
                return TypedTerm(make_term("BySeat", values), kind, self.estimate_iterations(kind))
        if family.term.op == "ListItems" and by_seat:
            return TypedTerm(
                make_term("EntryBySeat", family.term.value, at), kind, self.estimate_iterations(kind)
            )
        return TypedTerm(make_term("EntryOf", family.term, at, by_seat), kind, self.estimate_iterations(kind))

    # ------------------------------------------------------------ loops

    def on_setcomp(self, tree: ast.SetComp) -> TypedTerm:
        """Return the term for a set comprehension.

        Raises ExpressionError if its element can't be in a set.
        """
        loops, element, rounds = self.compile_comprehension(tree.generators, tree.elt)
        if element.type not in SET_TYPES:
            raise ExpressionError(
                "'{text}': a set can't contain {type} values", text=ast.unparse(tree), type=element.type
            )
        set_type = SET_TYPES[element.type]
        if set_type in BITMASK_TYPES:
            return TypedTerm(
                comprehension_term("Union", loops, element.term), set_type, self.estimate_iterations(set_type)
            )
        return TypedTerm(comprehension_term("Family", loops, element.term), set_type, rounds)

    def on_set(self, tree: ast.Set) -> TypedTerm:
        """Raise ExpressionError, since sets are written with ``|`` rather than in braces."""
        raise ExpressionError("write the set '{text}' with '|' between its members", text=ast.unparse(tree))

    def on_listcomp(self, tree: ast.ListComp) -> TypedTerm:
        """Return the term for a list comprehension.

        Raises ExpressionError if lists can't contain values of the element's type. It is also raised if the element is
        a family: families are allowed only in a list display, such as ``[a, b]``.
        """
        loops, element, rounds = self.compile_comprehension(tree.generators, tree.elt)
        if element.type not in LIST_TYPES or element.type is Type.SETS:
            raise ExpressionError(
                "'{text}': a list can't contain {type} values", text=ast.unparse(tree), type=element.type
            )
        node = normalize_bool(element.term) if element.type is Type.BOOL else element.term
        return TypedTerm(comprehension_term("Listing", loops, node), LIST_TYPES[element.type], rounds)

    def compile_comprehension(
        self, generators: Sequence[ast.comprehension], elt: ast.expr
    ) -> tuple[tuple[LoopTerm, ...], TypedTerm, int]:
        """Return the loops, the element, and the estimated number of iterations of a comprehension.

        ``generators`` are the clauses of the comprehension, and ``elt`` is its element. Raises ExpressionError if one
        of them has a mistake, or if the loops would run too many times.
        """
        outer, before = dict(self.bound_names), self.iteration_bound
        loops = [self.compile_loop(generator) for generator in generators]
        element = self.compile_tree(elt)
        rounds = self.iteration_bound // before
        self.bound_names, self.iteration_bound = outer, before
        return tuple(loops), element, rounds

    def compile_loop(self, generator: ast.comprehension) -> LoopTerm:
        """Return the term for one ``for … in … if …`` clause, and bind the loop variable.

        If the loop runs over a constant list, conditions that depend on nothing but the loop variable are tested during
        compilation rather than during play. Raises ExpressionError if the loop variable or the iterated value is
        unsuitable, or if the loops of the expression would run too many times.
        """
        if not isinstance(generator.target, ast.Name) or generator.is_async:
            raise ExpressionError("a loop must use a single name, as in 'for p in …'")
        name = generator.target.id
        if (
            name in WORDS
            or name in self.scope.pyramid.point_by_name
            or name in self.scope.names
            or name in self.scope.stocks
            or name in self.scope.definitions
        ):
            raise ExpressionError(
                "'{name}' is already taken: choose another name for the loop variable", name=name
            )
        source = self.compile_tree(generator.iter)
        if source.type not in ELEMENT_TYPES:
            raise ExpressionError(
                "can't loop over '{text}', which is of type {type}",
                text=ast.unparse(generator.iter),
                type=source.type,
            )
        kind = ELEMENT_TYPES[source.type]
        self.iteration_bound *= max(source.iteration_estimate, 1)
        if self.iteration_bound > MAX_LOOP_ITERATIONS:
            raise ExpressionError(
                "the loops of this expression would run more than {most:,} times", most=MAX_LOOP_ITERATIONS
            )
        node = self.coerce(source, Type.POINTS) if source.type is Type.COLOUR_WORD else source.term
        how = {Type.SETS_LIST: "lists", Type.SETS: "sets"}.get(source.type, "items")
        if source.type in SCALAR_TYPES:
            how = "bits"
        slot = self.scope.allocate_slot()
        here = f"v{slot}"
        variable = slot_term(slot, storage_shape(kind), frozenset({here}))
        self.bound_names[name] = TypedTerm(variable, kind, self.estimate_iterations(kind))
        tests: list[Term] = []
        superset: Term | None = None
        fixed = node.op == "ConstItems"
        for part in split_conjuncts(generator.ifs):
            test = self.coerce(self.compile_tree(part), Type.BOOL)
            if fixed and test.dependencies <= {here}:
                node = const_list_term(filter_members(node, slot, test, self.scope.constant_evaluator))
            elif fixed and superset is None and is_subset_test(test, variable, here):
                superset = test.args[1]
            else:
                tests.append(test)
        return LoopTerm(slot, node, how if superset is None else "sets", tuple(tests), superset)

    def compile_quantifier(self, tree: ast.GeneratorExp, is_all: bool) -> Term:
        """Return the term for ``any`` over a generator expression, or for ``all`` if ``is_all`` is set.

        Raises ExpressionError if the generator expression has a mistake.
        """
        generators, element = list(tree.generators), tree.elt
        if not is_all and len(generators) == 1:
            generator = generators[0]
            parts = split_conjuncts([*generator.ifs, element])
            superset = ast.comprehension(generator.target, generator.iter, parts, 0)
            loops, _, _ = self.compile_comprehension([superset], ast.Constant(True))
            return comprehension_term("Any", loops, const_term(1))
        loop_terms, value, _ = self.compile_comprehension(generators, element)
        test = self.coerce(value, Type.BOOL)
        return comprehension_term("All" if is_all else "Any", loop_terms, test)

    # ------------------------------------------------------------ calls

    def on_call(self, tree: ast.Call) -> TypedTerm:
        """Return the term for a word, definition, stock or variable with arguments.

        Raises ExpressionError if the name is unknown or can't be used here, or if the arguments don't fit or are given
        by keyword. It is also raised if something other than a name is called, or if a definition is recursive or has a
        mistake.
        """
        if not isinstance(tree.func, ast.Name) or tree.keywords:
            raise ExpressionError("'{text}' is not part of the rule language", text=ast.unparse(tree))
        name = tree.func.id
        scope = self.scope
        if name in scope.definitions:
            return self.expand_definition(name, [self.compile_tree(arg) for arg in tree.args])
        if name in scope.stocks:
            return TypedTerm(self.compile_stock(tree), Type.STOCK, len(COLOURS))
        known = scope.names.get(name)
        if known is not None:
            if not known.is_per_seat or len(tree.args) != 1:
                raise ExpressionError(
                    "'{name}' doesn't have one value per seat, so '{text}' has no meaning",
                    name=name,
                    text=ast.unparse(tree),
                )
            scope.words_used.add(name)
            seat = self.coerce(self.compile_tree(tree.args[0]), Type.SEATS)
            return TypedTerm(
                make_term("SeatSlot", known.slot, seat, storage_shape(known.type)),
                known.type,
                self.estimate_iterations(known.type),
            )
        word = WORDS.get(name)
        if word is None:
            raise ExpressionError(
                "unknown word '{word}'{hint}",
                word=name,
                hint=suggest_spelling(name, self.suggestable_words()),
            )
        self.check_context(name)
        scope.words_used.add(name)
        if not word.accepts(len(tree.args)):
            raise ExpressionError(
                "'{word}' takes {arguments}, as in {example}",
                word=name,
                arguments=word.parameter_list,
                example=word.example,
            )
        return word.compile(self, list(tree.args))

    def expand_definition(self, name: str, args: list[TypedTerm]) -> TypedTerm:
        """Return the term for a definition applied to arguments.

        Raises ExpressionError if the arguments don't fit, or if the definition is recursive or has a mistake.
        """
        define = self.scope.prepare_expansion(name)
        if len(args) != len(define.params):
            expected_args: object = Message("no values")
            if define.params:
                expected_args = f"({', '.join(define.params)})"
            if not args:
                raise ExpressionError(
                    "'{name}' takes {takes}, but no values were given", name=name, takes=expected_args
                )
            raise ExpressionError(
                Plural(
                    "'{name}' takes {takes}, but {n} value was given",
                    "'{name}' takes {takes}, but {n} values were given",
                ),
                name=name,
                takes=expected_args,
                n=len(args),
            )
        self.scope.words_used.add(name)
        outer, depth = self.bound_names, self.depth
        inner: dict[str, TypedTerm] = {}
        slots: list[int] = []
        bound: list[TypedTerm] = []
        for param, arg in zip(define.params, args, strict=True):
            simple = arg.term.op in SUBSTITUTABLE_OPS
            if simple or arg.type in (Type.STOCK, Type.SETS_LIST):
                inner[param] = arg
                continue
            slot = self.scope.allocate_slot()
            slots.append(slot)
            bound.append(arg)
            inner[param] = TypedTerm(
                slot_term(slot, storage_shape(arg.type), frozenset({f"v{slot}"})),
                arg.type,
                arg.iteration_estimate,
            )
        self.bound_names, self.depth = inner, 0
        try:
            body = self.compile(define.text)
        except ExpressionLimitError:
            raise
        except ExpressionError as wrong:
            # The mistake may be in the arguments or in the way they are used. If neither is possible, blame the
            # definition.
            if wrong.mark is None and (define.params or isinstance(wrong, WordContextError)):
                raise type(wrong)(N_("in '{name}': {problem}"), name=name, problem=wrong) from None
            wrong.mark = wrong.mark or define.item.location
            raise
        self.bound_names, self.depth = outer, depth
        if not slots:
            return body
        nodes = tuple(arg.term for arg in bound)
        shapes = tuple(storage_shape(arg.type) for arg in bound)
        return TypedTerm(
            bind_term(tuple(slots), nodes, shapes, body.term), body.type, body.iteration_estimate
        )

    def compile_stock(self, tree: ast.expr) -> Term:
        """Return the term for a stock.

        A stock can be written in four ways: as its own name, such as ``hand`` (the acting seat's stock, or a shared
        one); as its name with a seat, such as ``hand(seat)`` (the stock of that seat); as the name of a parameter or
        definition that stands for a stock; or as ``a if test else b`` with two stocks. Raises ExpressionError for
        anything else.
        """
        if isinstance(tree, ast.IfExp):
            test = self.coerce(self.compile_tree(tree.test), Type.BOOL)
            return make_term(
                "StockChoice", test, self.compile_stock(tree.body), self.compile_stock(tree.orelse)
            )
        name = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""
        if isinstance(tree, ast.Name):
            name = tree.id
            if name in self.bound_names and self.bound_names[name].term.op in STOCK_OPS:
                return self.bound_names[name].term
            define = self.scope.definitions.get(name)
            if define is not None and not define.params:
                self.scope.prepare_expansion(name)
                self.scope.words_used.add(name)
                return self.compile_stock(parse_expression(define.text))
        stock = self.scope.stocks.get(name)
        if stock is None:
            shown = ast.unparse(tree)
            raise ExpressionError(
                "'{name}' is not a stock{hint}",
                name=shown,
                hint=suggest_spelling(name or shown, self.scope.stocks),
            )
        self.scope.words_used.add(name)
        if isinstance(tree, ast.Call):
            if not stock.is_per_seat or len(tree.args) != 1:
                raise ExpressionError(
                    "'{text}': there is only one '{name}', shared by all", text=ast.unparse(tree), name=name
                )
            return make_term(
                "StockValue", stock.base_index, self.coerce(self.compile_tree(tree.args[0]), Type.SEATS)
            )
        return make_term("StockValue", stock.base_index, make_term("Me") if stock.is_per_seat else None)

    def compile_board(self, tree: ast.expr) -> Term:
        """Return the term for a board.

        If every seat has its own board, the board is given by the seat; otherwise, it is given by its name. Raises
        ExpressionError for anything else.
        """
        scope = self.scope
        if isinstance(tree, ast.Name) and tree.id in scope.board_names and not scope.has_board_per_seat:
            return const_term(scope.board_names.index(tree.id))
        if scope.has_board_per_seat:
            return make_term("BoardOfSeat", self.coerce(self.compile_tree(tree), Type.SEATS))
        raise ExpressionError(
            "'{text}' is not a board; the boards are {boards}",
            text=ast.unparse(tree),
            boards=", ".join(scope.board_names),
        )

    # ------------------------------------------------------------ types

    def coerce(self, value: TypedTerm, wanted_type: Type) -> Term:
        """Return a term that converts ``value`` to the type ``wanted_type``.

        Raises ExpressionError if it can't be converted.
        """
        node, kind = value.term, value.type
        if kind is wanted_type:
            return node
        if wanted_type is Type.BOOL:
            if kind is Type.STOCK:
                return make_term("AnyOf", node)
            if kind is Type.SETS_LIST:
                raise ExpressionError("a list of Sets is neither true nor false")
            if kind is Type.COLOUR_WORD:
                return marbles_of_colours(node)
            return node if kind in SCALAR_TYPES else make_term("HasItems", node)
        if wanted_type is Type.INT and kind is Type.BOOL:
            return normalize_bool(node)
        if kind is Type.NONE:
            return node if wanted_type in SCALAR_TYPES else const_list_term(())
        if wanted_type in (Type.POINTS, Type.POINT):
            if kind in (Type.POINT, Type.POINTS):
                return node
            if kind in (Type.COLOUR_WORD, Type.COLOURS):
                return marbles_of_colours(node)
        if wanted_type is Type.COLOURS and kind is Type.COLOUR_WORD:
            return node
        if wanted_type is Type.COLOUR_LIST and kind is Type.COLOUR_WORD_LIST:
            return node
        raise ExpressionError("expected {wanted}, but found {found}", wanted=wanted_type, found=kind)
