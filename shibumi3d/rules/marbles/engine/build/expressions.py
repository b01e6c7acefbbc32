"""Terms made into nodes bound to a machine's boxes, each in the form that costs least."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.rules.marbles.engine.board import Box, Word
from shibumi3d.rules.marbles.engine.build.costs import cost, round_costs, source_cost
from shibumi3d.rules.marbles.engine.nodes import loops, operators, places, values
from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term
from shibumi3d.rules.marbles.engine.workspace import Machine, Node

PLAIN: dict[str, Callable[..., Node]] = {
    "Or": operators.Or,
    "And": operators.And,
    "Without": operators.Without,
    "Plus": operators.Plus,
    "Minus": operators.Minus,
    "Times": operators.Times,
    "Divided": operators.Divided,
    "Modulo": operators.Modulo,
    "Equal": operators.Equal,
    "Unequal": operators.Unequal,
    "Less": operators.Less,
    "AtMost": operators.AtMost,
    "PartOf": operators.PartOf,
    "ProperPartOf": operators.ProperPartOf,
    "Among": operators.Among,
    "MemberOf": operators.MemberOf,
    "ItemsEqual": operators.ItemsEqual,
    "ItemsPartOf": operators.ItemsPartOf,
    "ItemsOr": operators.ItemsOr,
    "Not": operators.Not,
    "Negative": operators.Negative,
    "HasItems": operators.HasItems,
    "Truth": operators.Truth,
    "BoolAnd": operators.BoolAnd,
    "ScalarOr": operators.ScalarOr,
    "ItemsAndThen": lambda test, a, b: operators.Choice(test, b, a),
    "ItemsOrElse": operators.Choice,
    "Choice": operators.Choice,
    "StockChoice": operators.Choice,
    "EntryOf": operators.EntryOf,
    "FamilyOf": operators.EntryOf,
    "StockOf": operators.StockOf,
    "Filled": values.Filled,
    "Empty": values.Empty,
    "Playable": values.Playable,
    "Free": values.Free,
    "Movable": values.Movable,
    "Visible": values.Visible,
    "Vacated": values.Vacated,
    "ChosenColour": values.ChosenColour,
    "Me": values.Me,
    "Mover": values.Mover,
    "Tied": values.Tied,
    "Winners": values.Winners,
    "Stuck": values.Stuck,
    "Able": values.Able,
    "Repeats": values.Repeats,
    "PassedBy": values.PassedBy,
    "Score": values.Score,
    "Marbles": values.Marbles,
    "Count": places.Count,
    "CountItems": loops.CountItems,
    "CountStock": loops.CountStock,
    "AnyOf": loops.AnyOf,
    "AllOf": loops.AllOf,
    "Range": loops.Range,
    "Linked": places.Linked,
    "Seen": places.Seen,
    "FullGroups": places.FullGroups,
    "ColoursOn": places.ColoursOn,
    "ColoursIn": places.ColoursIn,
    "Extreme": places.Extreme,
    "BoardOfSeat": places.BoardOfSeat,
    "OnBoard": places.OnBoard,
}
"""Operations whose node takes the parts of the term as they are."""


class Builder:
    """Makes nodes for one machine. ``general``: none of the forms that only work on what usually happens."""

    def __init__(self, m: Machine, general: bool = False) -> None:
        self.m = m
        self.rules = m.rules
        self.pyramid = m.rules.pyramid
        self.one_board = len(m.boards) == 1
        self.general = general
        self.ordered = False
        """Loops under way make a list, whose order counts."""

    # ------------------------------------------------------------ boxes

    def word(self, slot: int) -> Word:
        """The box of a number or a set."""
        while slot >= len(self.m.names):
            self.m.names.append(Word(0))
        return self.m.names[slot]

    def box(self, slot: int) -> Box:
        """The box of a list."""
        while slot >= len(self.m.boxes):
            self.m.boxes.append(Box())
        return self.m.boxes[slot]

    # ------------------------------------------------------------ terms

    def optional(self, term: Term | None) -> Node | None:
        """The node of a term that may be left out."""
        return None if term is None else self.node(term)

    def node(self, term: Term) -> Node:
        """The node of a term."""
        maker = getattr(self, "on_" + term.op.lower(), None)
        if maker is not None:
            found: Node = maker(*term.args)
            return found
        return PLAIN[term.op](*[self.node(arg) if isinstance(arg, Term) else arg for arg in term.args])

    def on_const(self, value: int) -> Node:
        return values.Const(value)

    def on_constitems(self, items: tuple[int, ...]) -> Node:
        return values.ConstItems(list(items))

    def on_slot(self, slot: int, shape: str) -> Node:
        return values.Value(self.word(slot)) if shape == "scalar" else values.BoxItems(self.box(slot))

    def on_seatslot(self, base: int, seat: Term, shape: str) -> Node:
        seats = range(base, base + self.rules.seats)
        if shape != "scalar":
            return values.BoxOfSeat([self.box(slot) for slot in seats], self.node(seat))
        words = [self.word(slot) for slot in seats]
        return values.BySeat(words) if seat.op == "Me" else values.OfSeat(words, self.node(seat))

    def on_byseat(self, by_seat: tuple[int, ...]) -> Node:
        if len(set(by_seat)) == 1:
            return values.Const(by_seat[0])
        return values.BySeat([Word(value) for value in by_seat])

    def on_colourmarbles(self, colour: int) -> Node:
        if self.one_board:
            return values.Value(self.m.board.by_colour[colour])
        return values.ColourOnBoard(colour)

    def on_ownmarbles(self, colours: tuple[int, ...]) -> Node:
        if self.one_board:
            return values.BySeat([self.m.board.by_colour[colour] for colour in colours])
        return values.OwnOnBoard([Word(colour) for colour in colours])

    def on_markvalue(self, mark: int) -> Node:
        if self.one_board:
            return values.Value(self.m.board.marks[mark])
        return values.MarkOnBoard(mark)

    def on_taken(self) -> Node:
        return values.Value(self.m.taken)

    def on_origin(self) -> Node:
        return values.Value(self.m.origin)

    def on_and(self, a: Term, b: Term) -> Node:
        return self.all_of(factors(a) + factors(b))

    def all_of(self, terms: list[Term]) -> Node:
        """Sets intersected: what is fixed is worked out now, what costs least comes first."""
        fixed = ~0
        seats = [~0] * self.rules.seats
        others: list[Term] = []
        for term in terms:
            if term.op == "Const":
                fixed &= term.value
            elif term.op == "BySeat":
                seats = [one & other for one, other in zip(seats, term.value, strict=True)]
            else:
                others.append(term)
        by_seat = any(seat != ~0 for seat in seats)
        if not others:
            return self.on_byseat(tuple(fixed & seat for seat in seats))
        nodes = [self.node(term) for term in sorted(others, key=lambda term: term.op not in CHEAP)]
        if by_seat:
            nodes.insert(1, self.on_byseat(tuple(fixed & seat for seat in seats)))
        elif fixed != ~0:
            nodes[0] = operators.AndConst(nodes[0], fixed)
        found = nodes[0]
        for node in nodes[1:]:
            found = operators.And(found, node)
        return found

    def truth(self, term: Term) -> Node:
        """The node of a term of which only counts whether it is nothing."""
        if self.general:
            return self.node(term)
        if term.op == "Not":
            return operators.Not(self.truth(term.args[0]))
        if term.op == "BoolAnd":
            return operators.BoolAnd(self.truth(term.args[0]), self.truth(term.args[1]))
        if term.op == "And":
            turned = self.turned(factors(term))
            if turned is not None:
                return turned
        return self.node(term)

    def turned(self, terms: list[Term]) -> Node | None:
        """``touching(g) & X`` turned round to ``g & touching(X)``, X being the same while g changes; None if it is not
        of that kind. Both are nothing or neither is, and ``touching(X)`` need be found only once a position."""
        for term in terms:
            if term.op == "Relation" and term.args[0] in ("touching", "diagonal"):
                table, inner = term.args
                rest = [other for other in terms if other is not term]
                if inner.op == "Slot" and rest and all(of_boards(other) for other in rest):
                    words = list(getattr(self.pyramid, table))
                    near = places.Cached(places.Relation(words, self.all_of(rest)))
                    return operators.And(self.node(inner), near)
        return None

    def on_memberoffixed(self, a: Term, family: Term) -> Node:
        return operators.MemberOfFixed(self.node(a), set(family.value))

    def on_itemsand(self, a: Term, b: Term) -> Node:
        return operators.ItemsSome(self.node(a), self.node(b), True)

    def on_itemswithout(self, a: Term, b: Term) -> Node:
        return operators.ItemsSome(self.node(a), self.node(b), False)

    def on_listitems(self, nodes: tuple[Term, ...]) -> Node:
        return operators.ListItems([self.node(node) for node in nodes])

    def on_listlists(self, nodes: tuple[Term, ...]) -> Node:
        return operators.ListLists([self.node(node) for node in nodes])

    def on_entrybyseat(self, entries: tuple[Term, ...], seat: Term) -> Node:
        return operators.EntryBySeat([self.node(entry) for entry in entries], self.node(seat))

    def on_bind(
        self, slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term
    ) -> Node:
        words, scalars, boxes, families = [], [], [], []
        for slot, arg, shape in zip(slots, args, shapes, strict=True):
            if shape == "scalar":
                words.append(self.word(slot))
                scalars.append(self.node(arg))
            else:
                boxes.append(self.box(slot))
                families.append(self.node(arg))
        return operators.Bind(words, scalars, boxes, families, self.node(body))

    # ------------------------------------------------------------ geometry

    def on_relation(self, table: str, a: Term) -> Node:
        return places.Relation(list(getattr(self.pyramid, table)), self.node(a))

    def on_level(self, a: Term) -> Node:
        return places.Level(self.pyramid, self.node(a))

    def on_steps(self, a: Term, b: Term) -> Node:
        return places.Steps(self.pyramid, self.node(a), self.node(b))

    def on_copies(self, a: Term) -> Node:
        return places.Copies(self.pyramid, self.node(a))

    def on_longestpath(self, a: Term) -> Node:
        return places.LongestPath(self.pyramid, self.node(a))

    def on_groups(self, a: Term) -> Node:
        return places.GroupsOf(self.node(a)) if one_colour(a) else places.Groups(self.node(a))

    def on_coloursof(self, owned: tuple[int, ...], seats: Term) -> Node:
        return places.BySeats(list(owned), self.node(seats), True)

    def on_owner(self, owned: tuple[int, ...], colours: Term) -> Node:
        return places.BySeats(list(owned), self.node(colours), False)

    def on_seatnumber(self, number: Term) -> Node:
        return places.SeatNumber(self.node(number), self.rules.seats)

    def on_neighbour(self, seats: Term, step: int) -> Node:
        return places.Neighbour(self.node(seats), self.rules.seats, step)

    def on_stockvalue(self, base: int, seat: Term | None) -> Node:
        return places.StockValue(base, self.optional(seat), self.rules.seats)

    # ------------------------------------------------------------ loops

    def loop(self, terms: tuple[LoopTerm, ...], element: Term) -> loops.Loop:
        """Nested loops, the outermost first, about an element."""
        term = terms[0]
        test: Node | None = None
        for part in reversed(term.tests):
            node = self.truth(part)
            test = node if test is None else operators.BoolAnd(node, test)
        inner = self.loop(terms[1:], element) if len(terms) > 1 else None
        made = loops.Loop(self.word(term.slot), self.source(term), test, inner, term.kind == "sets")
        made.cost, made.late = round_costs(term, source_cost(terms[1]) if inner else cost(element))
        return made

    def source(self, term: LoopTerm) -> Node:
        """What a loop runs through."""
        if term.whole is not None:
            return loops.Subsets(list(term.source.value), self.node(term.whole))
        if term.kind == "bits":
            return loops.Bits(self.node(term.source))
        if term.kind == "lists":
            return loops.Lists(self.node(term.source), self.box(term.slot))
        if term.source.op == "Groups" and not self.general and not self.ordered:
            seeds = self.seeds(term)
            if seeds is not None and one_colour(term.source.args[0]):
                return places.GroupsWith(self.node(term.source.args[0]), seeds)
        return self.node(term.source)

    def seeds(self, term: LoopTerm) -> Node | None:
        """What every group that passes the tests of a loop must hold a point of; None when that can't be told.

        A test ``g & X``, or one that begins with ``g & X and``, with X the same for all groups.
        """
        here = f"v{term.slot}"
        for test in term.tests:
            for part in conjuncts(test):
                terms = factors(part)
                rest = [x for x in terms if not (x.op == "Slot" and x.args[0] == term.slot)]
                if rest and len(rest) < len(terms) and all(here not in x.deps and cheap(x) for x in rest):
                    return self.all_of(rest)
        return None

    def on_union(self, terms: tuple[LoopTerm, ...], element: Term) -> Node:
        last = terms[-1]
        if (
            len(terms) > 1
            and last.kind == "bits"
            and not last.tests
            and last.whole is None
            and last.source.op == "Slot"
            and last.source.args[0] == terms[-2].slot
            and element.op == "Slot"
            and element.args[0] == last.slot
        ):
            return loops.Members(self.loop(terms[:-1], element))
        return loops.Union(self.loop(terms, element), self.node(element))

    def on_family(self, terms: tuple[LoopTerm, ...], element: Term) -> Node:
        return self.collected(terms, element, True)

    def on_listing(self, terms: tuple[LoopTerm, ...], element: Term) -> Node:
        return self.collected(terms, element, False)

    def collected(self, terms: tuple[LoopTerm, ...], element: Term, once: bool) -> Node:
        """A comprehension that makes a list."""
        before, self.ordered = self.ordered, True
        found = loops.Collected(self.loop(terms, element), self.node(element), once)
        self.ordered = before
        return found

    def on_any(self, terms: tuple[LoopTerm, ...], element: Term) -> Node:
        only = terms[0]
        if only.whole is not None and len(terms) == 1 and element.op == "Const" and not self.general:
            rest: Node | None = None
            for part in reversed(only.tests):
                node = self.truth(part)
                rest = node if rest is None else operators.BoolAnd(node, rest)
            family = list(only.source.value)
            if len(family) * self.pyramid.count < 1_000_000:
                made = loops.AnySubset(
                    self.word(only.slot),
                    family,
                    self.node(only.whole),
                    rest,
                    self.pyramid.count,
                    self.rules.seats,
                )
                made.cost = sum(cost(part) for part in only.tests)
                return made
        return loops.Any(self.loop(terms, element), self.truth(element))

    def on_all(self, terms: tuple[LoopTerm, ...], element: Term) -> Node:
        return loops.All(self.loop(terms, element), self.truth(element))

    def on_total(self, name: str, listed: Term) -> Node:
        if listed.op == "Listing" and name in ("sum", "max", "min"):
            loop, element = self.loop(*listed.args), self.node(listed.args[1])
            if name == "sum":
                return loops.Sum(loop, element)
            return loops.Least(loop, element, 1 if name == "max" else -1)
        return loops.SumOf(name, self.node(listed))


CHEAP = frozenset(
    {"Slot", "ColourMarbles", "OwnMarbles", "MarkValue", "Playable", "Filled", "Empty", "Origin", "BySeat"}
)
"""Operations that cost next to nothing."""


def cheap(term: Term) -> bool:
    """Whether a term costs next to nothing: a few of the like joined."""
    if term.op in ("And", "Or", "Without"):
        return all(cheap(arg) for arg in term.args)
    return term.op in CHEAP or term.op == "Const"


OF_BOARDS = frozenset(
    {
        "Const",
        "Filled",
        "Empty",
        "Playable",
        "Visible",
        "Free",
        "Movable",
        "ColourMarbles",
        "And",
        "Or",
        "Without",
    }
)
"""Operations whose value depends on what stands on the board and nothing else."""


def of_boards(term: Term) -> bool:
    """Whether a term depends on what stands on the board and nothing else."""
    return term.op in OF_BOARDS and all(of_boards(arg) for arg in term.args if isinstance(arg, Term))


def factors(term: Term) -> list[Term]:
    """The sets that are intersected, one by one."""
    if term.op == "And":
        return [*factors(term.args[0]), *factors(term.args[1])]
    return [term]


def conjuncts(term: Term) -> list[Term]:
    """The tests that must all be true, one by one."""
    if term.op == "BoolAnd":
        return [*conjuncts(term.args[0]), *conjuncts(term.args[1])]
    return [term]


def one_colour(term: Term) -> bool:
    """Whether a set holds marbles of one colour only, and marbles only."""
    if term.op in ("ColourMarbles", "OwnMarbles"):
        return True
    if term.op == "And":
        return one_colour(term.args[0]) or one_colour(term.args[1])
    return term.op == "Without" and one_colour(term.args[0])
