"""The instructions that a turn is compiled to: choices, which wait for a seat, and engine steps, which do not."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.machine import (
    COLOUR,
    DONE,
    ENTER,
    FAIL,
    FAILED,
    GIVE,
    LABEL,
    LIFT,
    MARBLE_COST,
    MOVED,
    NUMBER,
    PLACE,
    PLACED,
    POINTS,
    SEAT,
    SET,
    TAKE,
    WAITING,
    Unforeseen,
    code_of,
    spend,
)
from shibumi3d.rules.marbles.engine.nodes import Node, StockValue, clamp

if TYPE_CHECKING:
    from random import Random

    from shibumi3d.rules.marbles.engine.machine import Machine, Snapshot
    from shibumi3d.rules.marbles.engine.rules import Rules

ROUNDS = 10_000
"""How often one ``repeat`` may go round in a turn before the file's rules are called endless."""
ROUND_COST = 30
"""What a round of a ``repeat`` counts as, in rounds of a loop of an expression."""
OPTION_COST = 4
"""What an element offered by a ``pick`` counts as."""
LONGEST_VALUE = 100_000
"""How many sets or numbers a name may hold."""


class Step:
    """One instruction; ``next`` is the index of the one after it."""

    waits = False
    """A seat must choose."""
    ends = False
    """The turn is complete."""
    chance = False
    """Nobody can look ahead past it."""
    acts = False
    """It may change the match, so rules tested after every step are tested."""
    may_fail = False
    """It can be impossible to carry out."""
    clears = False
    """It takes marbles up, so that the turn might end where it began."""
    sure = False
    """From here on the turn asks nobody, can't fail and moves no marble: a look ahead need not go on."""

    def __init__(self) -> None:
        self.next = 0

    def run(self, m: Machine) -> int:
        """Do it; returns the index of the next instruction or FAIL."""
        raise NotImplementedError

    def targets(self) -> tuple[int, ...]:
        """Where the program can go on after it."""
        return (self.next,)


class EndTurn(Step):
    """The last instruction of every turn."""

    ends = True

    def targets(self) -> tuple[int, ...]:
        return ()


class Jump(Step):
    """Go on elsewhere."""

    def run(self, m: Machine) -> int:
        return self.next


# ---------------------------------------------------------------- choices


class ChoiceStep(Step):
    """A step at which a seat chooses one option.

    ``look`` says that something later in the turn can fail, so that options must be tried out before they are offered.
    """

    waits = True
    may_fail = True

    def __init__(self) -> None:
        super().__init__()
        self.look = True
        self.because: dict[str, str] = {}
        """By language: why what is not offered is not, as far as only the file can say it."""

    kind = -1
    """The kind of all its choices, in the low four bits of their codes; -1 when they differ."""
    slot = -1
    """Where ``as`` puts what was chosen, -1 for nowhere; the first of several slots when it is named a seat."""
    by_seat = False

    def raw(self, m: Machine) -> list[int]:
        """The options of this step alone, as codes."""
        raise NotImplementedError

    def accept(self, m: Machine, code: int) -> int:
        """Carry out an option; returns the index of the next instruction or FAIL."""
        raise NotImplementedError

    def name(self, m: Machine, value: int) -> None:
        """Keep what was chosen under the name that ``as`` gives."""
        if self.slot >= 0:
            m.names[self.slot + (m.me if self.by_seat else 0)] = value

    def any_raw(self, m: Machine) -> bool:
        """Whether there is an option at all."""
        return bool(self.raw(m))

    def options(self, m: Machine) -> list[int]:
        """The options from which the turn can still be completed."""
        if self.look:
            known: dict[Snapshot, bool] = {}
            before = m.save()
            return [code for code in self.raw(m) if m.completable(code, known, before)]
        return self.raw(m)

    def any_option(self, m: Machine) -> bool:
        """Whether there is an option from which the turn can still be completed."""
        if self.look:
            known: dict[Snapshot, bool] = {}
            before = m.save()
            return any(m.completable(code, known, before) for code in self.raw(m))
        return self.any_raw(m)

    def sample(self, m: Machine, rng: Random) -> int:
        """One of the options at random."""
        found = self.options(m)
        return found[int(rng.random() * len(found))]


class Place(ChoiceStep):
    """``place``: a marble from a stock on to a playable point."""

    kind = PLACE
    acts = True

    def __init__(self, colours: Node, at: Node | None, stock: StockValue) -> None:
        super().__init__()
        self.colours, self.at, self.stock = colours, at, stock

    def points(self, m: Machine, colour: int) -> int:
        """Where a marble of this colour may go: a mask, empty when the stock has none."""
        i = self.stock.index(m)
        if i < 0 or m.stocks[i][colour] <= 0:
            return 0
        if self.at is None:
            return m.board.playable
        m.colour = 1 << colour
        return m.board.playable & self.at.eval(m)

    def raw(self, m: Machine) -> list[int]:
        found = []
        base = m.board_index << 9
        for colour in bits(self.colours.eval(m)):
            for point in bits(self.points(m, colour)):
                found.append(((base | point) << 3 | colour) << 4)
        return found

    def any_raw(self, m: Machine) -> bool:
        for colour in bits(self.colours.eval(m)):  # noqa: SIM110  # a generator costs more than the rest of it
            if self.points(m, colour):
                return True
        return False

    def sample(self, m: Machine, rng: Random) -> int:
        colours = self.colours.eval(m)
        if self.look or colours & (colours - 1) or not colours:
            return super().sample(m, rng)
        colour = colours.bit_length() - 1
        mask = self.points(m, colour)
        for _ in range(int(rng.random() * mask.bit_count())):
            mask &= mask - 1
        point = (mask & -mask).bit_length() - 1
        return ((m.board_index << 9 | point) << 3 | colour) << 4

    def accept(self, m: Machine, code: int) -> int:
        colour = code >> 4 & 7
        point = code >> 7 & 511
        i = self.stock.index(m)
        m.stocks[i][colour] -= 1
        m.put(point, colour)
        m.board.marks[PLACED] |= 1 << point
        self.name(m, 1 << point)
        if m.events is not None:
            m.events.append(ev.Placed(m.board_index, point, colour, m.rules.stock_names[i]))
        return self.next


class Take(ChoiceStep):
    """``take``: a movable marble leaves the board for a stock."""

    kind = TAKE
    acts = True
    clears = True

    def __init__(self, points: Node, stock: StockValue) -> None:
        super().__init__()
        self.points, self.stock = points, stock

    def raw(self, m: Machine) -> list[int]:
        if self.stock.index(m) < 0:
            return []
        filled = m.board.filled
        base = m.board_index << 9
        mask = self.points.eval(m) & position.movable(m.pyramid, filled)
        return [code_of(TAKE, base | p) for p in bits(mask)]

    def accept(self, m: Machine, code: int) -> int:
        point = code >> 4 & 511
        remove_marble(m, point, self.stock.index(m))
        self.name(m, 1 << point)
        return self.next


def remove_marble(m: Machine, point: int, stock: int) -> None:
    """Take a marble off the board into a stock; what it carried drops."""
    colour = m.colour_at(point)
    if m.events is not None:
        m.events.append(ev.Removed(m.board_index, point, colour, m.rules.stock_names[stock]))
    m.pick_up(point)
    m.stocks[stock][colour] += 1
    m.taken |= 1 << colour


class Lift(ChoiceStep):
    """The first click of ``move``: a movable marble is taken in hand, what it carried drops."""

    kind = LIFT
    acts = True
    clears = True

    def __init__(self, points: Node) -> None:
        super().__init__()
        self.points = points

    def raw(self, m: Machine) -> list[int]:
        base = m.board_index << 9
        mask = self.points.eval(m) & position.movable(m.pyramid, m.board.filled)
        return [code_of(LIFT, base | p) for p in bits(mask)]

    def accept(self, m: Machine, code: int) -> int:
        point = code >> 4 & 511
        bit = 1 << point
        marked = 0
        for i, mark in enumerate(m.board.marks):
            if mark & bit:
                marked |= 1 << i
        colour = m.colour_at(point)
        if m.events is not None:
            m.events.append(ev.Lifted(m.board_index, point, colour))
        m.pick_up(point)
        m.held = (colour, point, m.board_index, marked)
        m.origin = bit
        m.colour = 1 << colour
        return self.next


class SetDown(ChoiceStep):
    """The second click of ``move``: the marble in hand goes to a playable point, or on to a marble, which is taken."""

    kind = SET
    acts = True

    def __init__(self, points: Node | None, onto: bool, stock: StockValue) -> None:
        super().__init__()
        self.points, self.onto, self.stock = points, onto, stock

    def raw(self, m: Machine) -> list[int]:
        board = m.board
        mask = board.filled if self.onto else board.playable
        if self.points is not None:
            mask &= self.points.eval(m)
        base = m.board_index << 9
        return [code_of(SET, base | p) for p in bits(mask & ~m.origin)]

    def accept(self, m: Machine, code: int) -> int:
        point = code >> 4 & 511
        bit = 1 << point
        board = m.board
        assert m.held is not None
        colour, origin, _, marked = m.held
        if self.onto:
            taken = m.colour_at(point)
            board.cells[taken] &= ~bit
            board.marks[:] = [mark & ~bit for mark in board.marks]
            i = self.stock.index(m)
            m.stocks[i][taken] += 1
            m.taken |= 1 << taken
            if m.events is not None:
                m.events.append(ev.Captured(m.board_index, point, taken, m.rules.stock_names[i]))
            board.cells[colour] |= bit
        else:
            m.put(point, colour)
        m.held = None
        for i in bits(marked):
            board.marks[i] |= bit
        board.marks[MOVED] |= bit
        self.name(m, bit)
        if m.events is not None:
            m.events.append(ev.Moved(m.board_index, origin, point, colour))
        return self.next


class Enter(ChoiceStep):
    """``enter``: a marble comes in over an edge of a level above the board and pushes what is in its way."""

    kind = ENTER
    acts = True

    def __init__(self, colours: Node, at: Node | None, stock: StockValue) -> None:
        super().__init__()
        self.colours, self.at, self.stock = colours, at, stock

    def raw(self, m: Machine) -> list[int]:
        found: list[int] = []
        i = self.stock.index(m)
        board = m.board
        pyramid = m.pyramid
        base = m.board_index << 9
        for colour in bits(self.colours.eval(m)):
            if i < 0 or m.stocks[i][colour] <= 0:
                continue
            m.colour = 1 << colour
            mask = pyramid.all & ~pyramid.holes
            if self.at is not None:
                mask &= self.at.eval(m)
            for point in bits(mask):
                results: set[tuple[int, ...]] = set()
                for side in range(4):
                    entry = position.entry(pyramid, board.filled, point, side)
                    if entry is None:
                        continue
                    cells = self.after(m, entry, point, colour)
                    if cells not in results:
                        results.add(cells)
                        found.append(code_of(ENTER, ((base | point) << 3 | colour) << 2 | side))
        return found

    def after(self, m: Machine, entry: Any, point: int, colour: int) -> tuple[int, ...]:
        """What would stand where: entries from two sides with one result are one choice."""
        cells = list(m.board.cells)
        shifts = (*entry.pushed, entry.side_drop) if entry.side_drop else entry.pushed
        for origin, target in shifts:
            for i, mask in enumerate(cells):
                if mask >> origin & 1:
                    cells[i] = mask & ~(1 << origin) | 1 << target
        cells[colour] |= 1 << point
        return tuple(cells)

    def accept(self, m: Machine, code: int) -> int:
        side = code >> 4 & 3
        colour = code >> 6 & 7
        point = code >> 9 & 511
        entry = position.entry(m.pyramid, m.board.filled, point, side)
        assert entry is not None
        for origin, target in entry.pushed:
            moved = m.relocate(origin, target)
            if m.events is not None:
                m.events.append(ev.Pushed(m.board_index, origin, target, moved))
        if entry.side_drop is not None:
            origin, target = entry.side_drop
            moved = m.relocate(origin, target)
            if m.events is not None:
                m.events.append(ev.SideDropped(m.board_index, origin, target, moved))
        i = self.stock.index(m)
        m.stocks[i][colour] -= 1
        m.put(point, colour)
        m.board.playable = position.playable(m.pyramid, m.board.filled)
        m.board.marks[PLACED] |= 1 << point
        self.name(m, 1 << point)
        if m.events is not None:
            m.events.append(ev.Entered(m.board_index, point, side, colour, m.rules.stock_names[i]))
        return self.next


class Pick(ChoiceStep):
    """``pick``: one element of a set is named; nothing moves. ``kind`` is the kind of choice offered."""

    acts = True

    def __init__(self, source: Node, kind: int, family: bool) -> None:
        super().__init__()
        self.source, self.kind, self.family = source, kind, family

    def raw(self, m: Machine) -> list[int]:
        if self.kind in (COLOUR, SEAT):
            return [code_of(self.kind, i) for i in bits(self.source.eval(m))]
        sets = self.source.items(m) if self.family else [1 << p for p in bits(self.source.eval(m))]
        spend(m, OPTION_COST * len(sets))
        if self.kind == NUMBER:
            return [code_of(NUMBER, number_code(v)) for v in dict.fromkeys(sets)]
        return [code_of(POINTS, mask << 4 | m.board_index) for mask in dict.fromkeys(sets)]

    def accept(self, m: Machine, code: int) -> int:
        payload = code >> 4
        if self.kind == POINTS:
            value = payload >> 4
        elif self.kind == NUMBER:
            value = number_of(payload)
        else:
            value = 1 << payload
        self.name(m, value)
        if m.events is not None:
            m.events.append(ev.Chose(m.who(m.me), m.rules.text_of(code, m.board_index)))
        return self.next


def number_code(value: int) -> int:
    """Any Int as a number from 0: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …"""
    return value * 2 if value >= 0 else -2 * value - 1


def number_of(code: int) -> int:
    """The Int that :func:`number_code` coded."""
    return -(code + 1) // 2 if code & 1 else code // 2


class Give(ChoiceStep):
    """``give``: one marble goes from a stock to another; its colour is chosen."""

    kind = GIVE
    acts = True

    def __init__(self, colours: Node, source: StockValue, stock: StockValue) -> None:
        super().__init__()
        self.colours, self.source, self.stock = colours, source, stock

    def raw(self, m: Machine) -> list[int]:
        i = self.source.index(m)
        if i < 0 or self.stock.index(m) < 0:
            return []
        content = m.stocks[i]
        return [code_of(GIVE, c) for c in bits(self.colours.eval(m)) if content[c] > 0]

    def accept(self, m: Machine, code: int) -> int:
        colour = code >> 4
        source, target = self.source.index(m), self.stock.index(m)
        m.stocks[source][colour] -= 1
        m.stocks[target][colour] += 1
        self.name(m, 1 << colour)
        if m.events is not None:
            names, holder = m.rules.stock_names, m.rules.stock_holders[target]
            receiver = m.who(holder) if holder >= 0 else -1
            m.events.append(ev.Given(m.who(m.me), colour, names[source], names[target], receiver))
        return self.next


class Choose(ChoiceStep):
    """``choose``, and the part of ``may`` and ``repeat`` that asks: the first choice of a branch decides for it.

    A branch without any choice is offered as "done". With ``labels`` the branches themselves are the options.
    """

    acts = True

    def __init__(self, starts: list[int], labels: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.starts = starts
        """Where the branches begin; ``next`` for an empty one."""
        self.labels = labels
        self.by_kind: dict[int, int] = {}
        """Where each kind of choice leads, when the kind alone tells the branch."""

    def settle(self, code: list[Step]) -> None:
        """Find out whether the kind of a choice alone tells its branch."""
        found: dict[int, int] = {}
        for start in self.starts:
            step = code[start] if start < len(code) else None
            kind = DONE if start == self.next else step.kind if isinstance(step, ChoiceStep) else -1
            if kind < 0 or kind in found:
                return
            found[kind] = start
        self.by_kind = found

    def targets(self) -> tuple[int, ...]:
        return tuple(self.starts)

    def of_branch(self, m: Machine, start: int) -> list[int]:
        """The codes with which a branch can begin."""
        step = m.code[start]
        if step.waits:
            return step.raw(m)  # type: ignore[attr-defined, no-any-return]  # waits, so it is a ChoiceStep
        if start == self.next:
            return [code_of(DONE, 0)]
        before, events, looking = m.save(), m.events, m.looking
        m.events, m.looking = None, True
        m.pc = start
        found: list[int] = []
        with suppress(Unforeseen):
            ended = m.run(self.next, len(m.frames))
            if ended == WAITING:
                found = m.code[m.pc].raw(m)  # type: ignore[attr-defined]  # waits, so it is a ChoiceStep
            elif ended != FAILED:
                found = [code_of(DONE, 0)]
        m.load(before)
        m.events, m.looking = events, looking
        return found

    def raw(self, m: Machine) -> list[int]:
        found: dict[int, None] = {}
        for i, start in enumerate(self.starts):
            codes = self.of_branch(m, start)
            if self.labels:
                if codes:
                    found[code_of(LABEL, self.labels[i])] = None
            else:
                found.update(dict.fromkeys(codes))
        return list(found)

    def accept(self, m: Machine, code: int) -> int:
        if self.labels:
            if m.events is not None:
                m.events.append(ev.Chose(m.who(m.me), m.rules.text_of(code, m.board_index)))
            return self.starts[self.labels.index(code >> 4)]
        if self.by_kind:
            return self.begin(m, self.by_kind[code & 15], code)
        fitting = [start for start in self.starts if code in self.of_branch(m, start)]
        if not fitting:
            return FAIL  # what is chosen among is hidden from whoever tries it
        for start in fitting[:-1]:
            before, events, looking, me = m.save(), m.events, m.looking, m.me
            m.events, m.looking = None, True
            good = m.reachable(m.arrive(self.begin(m, start, code)), me)
            m.load(before)
            m.events, m.looking = events, looking
            if good:
                return self.begin(m, start, code)
        return self.begin(m, fitting[-1], code)

    def begin(self, m: Machine, start: int, code: int) -> int:
        """Enter a branch by its first choice."""
        m.pc = start
        looking, m.looking = m.looking, True  # chance before the first choice waits until the branch is taken
        ended = m.run(self.next, len(m.frames))
        m.looking = looking
        if ended == WAITING and m.pc != self.next:
            return m.code[m.pc].accept(m, code)  # type: ignore[attr-defined, no-any-return]  # waits, so a ChoiceStep
        return FAIL if ended == FAILED else m.pc


class Ask(Step):
    """Before a choice that may be declined: skip it when there is nothing but declining."""

    def __init__(self, choice: Choose, choice_pc: int) -> None:
        super().__init__()
        self.choice, self.choice_pc = choice, choice_pc

    def targets(self) -> tuple[int, ...]:
        return (self.choice_pc, self.next)

    def run(self, m: Machine) -> int:
        before = m.pc
        m.pc = self.choice_pc
        codes = self.choice.raw(m) if m.looking else self.choice.options(m)
        m.pc = before
        return self.choice_pc if any(code & 15 != DONE for code in codes) else self.next


# ---------------------------------------------------------------- engine verbs


class Put(Step):
    """``put``: marbles on every point of a set, lower levels first."""

    acts = True
    may_fail = True

    def __init__(self, colours: Node, at: Node, stock: StockValue) -> None:
        super().__init__()
        self.colours, self.at, self.stock = colours, at, stock

    def run(self, m: Machine) -> int:
        i = self.stock.index(m)
        for colour in bits(self.colours.eval(m)):
            m.colour = 1 << colour
            for point in bits(self.at.eval(m)):
                if i < 0 or m.stocks[i][colour] <= 0 or not m.board.playable >> point & 1:
                    return FAIL
                m.stocks[i][colour] -= 1
                m.put(point, colour)
                m.work -= MARBLE_COST
                m.board.marks[PLACED] |= 1 << point
                if m.events is not None:
                    m.events.append(ev.Placed(m.board_index, point, colour, m.rules.stock_names[i]))
        return self.next


class Remove(Step):
    """``remove``: every marble of a set, from the top down, drops settling."""

    acts = True
    may_fail = True
    clears = True

    def __init__(self, points: Node, stock: StockValue) -> None:
        super().__init__()
        self.points, self.stock = points, stock

    def run(self, m: Machine) -> int:
        board = m.board
        i = self.stock.index(m)
        points = self.points.eval(m) & board.filled
        if not points:
            return self.next
        if i < 0:
            return FAIL
        board.marks.append(points)
        while board.marks[-1]:
            mask = board.marks[-1] & position.movable(m.pyramid, board.filled)
            if not mask:
                board.marks.pop()
                return FAIL
            remove_marble(m, mask.bit_length() - 1, i)
        board.marks.pop()
        return self.next


class Recolour(Step):
    """``recolour``: marbles exchanged for marbles of another colour from the box."""

    acts = True
    may_fail = True
    clears = True

    def __init__(self, points: Node, into: Node, stock: StockValue) -> None:
        super().__init__()
        self.points, self.into, self.stock = points, into, stock

    def run(self, m: Machine) -> int:
        points = self.points.eval(m) & m.board.filled
        if not points:
            return self.next
        into = self.into.eval(m)
        if not into:
            return FAIL
        after = (into & -into).bit_length() - 1
        content = m.stocks[self.stock.index(m)]
        m.removed = True
        for point in bits(points):
            before = m.colour_at(point)
            if before == after:
                continue
            if content[after] <= 0:
                return FAIL
            content[after] -= 1
            content[before] += 1
            m.board.cells[before] &= ~(1 << point)
            m.board.cells[after] |= 1 << point
            if m.events is not None:
                m.events.append(ev.Recoloured(m.board_index, point, before, after))
        return self.next


class Deal(Step):
    """``deal``: so many marbles of each colour from a stock to another."""

    acts = True
    may_fail = True

    def __init__(self, colours: Node, count: Node, source: StockValue, stock: StockValue) -> None:
        super().__init__()
        self.colours, self.count, self.source, self.stock = colours, count, source, stock

    def run(self, m: Machine) -> int:
        colours = self.colours.eval(m)
        if not colours:
            return self.next
        source, target, count = self.source.index(m), self.stock.index(m), max(self.count.eval(m), 0)
        if source < 0 or target < 0:
            return FAIL
        names, holder = m.rules.stock_names, m.rules.stock_holders[target]
        receiver = m.who(holder) if holder >= 0 else -1
        for colour in bits(colours):
            if m.stocks[source][colour] < count:
                return FAIL
            m.stocks[source][colour] -= count
            m.stocks[target][colour] += count
            if m.events is not None:
                given = ev.Given(m.who(m.me), colour, names[source], names[target], receiver)
                m.events.extend([given] * count)
        return self.next


class Draw(Step):
    """``draw``: marbles by chance from a stock, to a stock or on to points."""

    acts = True
    chance = True

    def __init__(self, count: Node, source: StockValue, stock: StockValue | None, at: Node | None) -> None:
        super().__init__()
        self.count, self.source, self.stock, self.at = count, source, stock, at

    def run(self, m: Machine) -> int:
        source = self.source.index(m)
        if source < 0:
            return FAIL
        names = m.rules.stock_names
        count = min(max(self.count.eval(m), 0), sum(m.stocks[source]))
        spend(m, MARBLE_COST * count)
        if self.at is not None:
            for point in list(bits(self.at.eval(m)))[:count]:
                if not m.board.playable >> point & 1:
                    return FAIL
                colour = m.draw_from(source)
                m.put(point, colour)
                m.board.marks[PLACED] |= 1 << point
                if m.events is not None:
                    m.events.append(ev.Placed(m.board_index, point, colour, names[source]))
            return self.next
        assert self.stock is not None
        target = self.stock.index(m)
        if target < 0:
            return FAIL
        for _ in range(count):
            colour = m.draw_from(source)
            m.stocks[target][colour] += 1
            if m.events is not None:
                m.events.append(ev.Drew(m.who(m.me), colour, names[source], names[target]))
        return self.next


class AddScore(Step):
    """``score``: points for seats."""

    acts = True

    def __init__(self, points: Node, seats: Node) -> None:
        super().__init__()
        self.points, self.seats = points, seats

    def run(self, m: Machine) -> int:
        points = self.points.eval(m)
        for seat in bits(self.seats.eval(m)):
            m.tallies[seat] = clamp(m.tallies[seat] + points)
            if m.events is not None and points:
                m.events.append(ev.Scored(m.who(seat), points))
        return self.next


class Let(Step):
    """``let``: one name gets a value."""

    acts = True

    def __init__(self, name: str, slot: int, by_seat: bool, value: Node, shape: str) -> None:
        super().__init__()
        self.name, self.slot, self.by_seat, self.value, self.shape = name, slot, by_seat, value, shape

    def run(self, m: Machine) -> int:
        if self.shape == "scalar":
            value: Any = self.value.eval(m)
        elif self.shape == "items":
            value = self.value.items(m)
        else:
            value = self.value.lists(m)
        if self.shape != "scalar" and len(value) > LONGEST_VALUE:
            raise RuleFailure(f"'{self.name}' would hold more than {LONGEST_VALUE:,} values")
        m.names[self.slot + (m.me if self.by_seat else 0)] = value
        return self.next


class SetMark(Step):
    """``mark``: one name follows marbles."""

    acts = True

    def __init__(self, slot: int, points: Node) -> None:
        super().__init__()
        self.slot, self.points = slot, points

    def run(self, m: Machine) -> int:
        m.board.marks[self.slot] = self.points.eval(m) & m.board.filled
        return self.next


class SetNext(Step):
    """``next``: whose turn comes next."""

    acts = True

    def __init__(self, seat: Node) -> None:
        super().__init__()
        self.seat = seat

    def run(self, m: Machine) -> int:
        seat = self.seat.eval(m)
        if seat:
            m.following = (seat & -seat).bit_length() - 1
        return self.next


# ---------------------------------------------------------------- combinators


class Require(Step):
    """``require``: impossible unless true."""

    may_fail = True

    def __init__(self, test: Node) -> None:
        super().__init__()
        self.test = test
        self.because: dict[str, str] = {}
        """By language: what it means that it does not hold."""

    def run(self, m: Machine) -> int:
        return self.next if self.test.eval(m) else FAIL


class If(Step):
    """``if``: ``next`` when true, ``otherwise`` when not."""

    def __init__(self, test: Node) -> None:
        super().__init__()
        self.test = test
        self.otherwise = 0

    def targets(self) -> tuple[int, ...]:
        return (self.next, self.otherwise)

    def run(self, m: Machine) -> int:
        return self.next if self.test.eval(m) else self.otherwise


class First(Step):
    """``first``: the first branch that can be carried out as a whole. ``branches`` are (start, end) indices."""

    may_fail = True

    def __init__(self) -> None:
        super().__init__()
        self.branches: list[tuple[int, int]] = []

    def targets(self) -> tuple[int, ...]:
        return tuple([start for start, _ in self.branches])

    def run(self, m: Machine) -> int:
        for start, end in self.branches:
            if start == end or m.possible(start, end):
                return start
        return FAIL


def fingerprint(m: Machine) -> tuple[Any, ...]:
    """What a round of a ``repeat`` must change to be worth another."""
    return (
        m.boards_now(),
        tuple([tuple(s) for s in m.stocks]),
        tuple(m.names[: m.rules.saved_names]),
        tuple(m.tallies),
        tuple([tuple(b.marks) for b in m.boards]),
    )


class RepeatBegin(Step):
    """``repeat`` without ``times``: opens the loop's frame."""

    def run(self, m: Machine) -> int:
        m.frames = (*m.frames, (0, None))
        return self.next


class RepeatTest(Step):
    """Go round once more if the body can be carried out; else leave."""

    def __init__(self, end: int = 0) -> None:
        super().__init__()
        self.end = end
        self.leave = 0

    def targets(self) -> tuple[int, ...]:
        return (self.next, self.leave)

    def run(self, m: Machine) -> int:
        rounds = m.frames[-1][0]
        if rounds > ROUNDS:
            raise RuleFailure("a repeat goes on without end")
        spend(m, ROUND_COST)
        if not m.possible(self.next, self.end):
            m.frames = m.frames[:-1]
            return self.leave
        m.frames = (*m.frames[:-1], (rounds + 1, fingerprint(m)))
        return self.next


class RepeatEnd(Step):
    """After the body: back to the test, or out when nothing changed."""

    def __init__(self) -> None:
        super().__init__()
        self.leave = 0

    def targets(self) -> tuple[int, ...]:
        return (self.next, self.leave)

    def run(self, m: Machine) -> int:
        if m.frames[-1][1] == fingerprint(m):
            m.frames = m.frames[:-1]
            return self.leave
        return self.next


class TimesBegin(Step):
    """``repeat`` with ``times``: opens a frame (rounds done, least, most)."""

    def __init__(self, least: Node, most: Node) -> None:
        super().__init__()
        self.least, self.most = least, most

    def run(self, m: Machine) -> int:
        least = self.least.eval(m)
        if least > ROUNDS:
            raise RuleFailure(f"a repeat is to go round more than {ROUNDS:,} times")
        m.frames = (*m.frames, (0, least, min(self.most.eval(m), ROUNDS)))
        return self.next


class TimesTest(Step):
    """On to the body, to the question whether to go on, or out. ``forced``: there may be rounds that must be."""

    def __init__(self, forced: bool) -> None:
        super().__init__()
        self.forced = forced
        self.ask = 0
        self.leave = 0

    def targets(self) -> tuple[int, ...]:
        return (self.next, self.ask, self.leave) if self.forced else (self.ask, self.leave)

    def run(self, m: Machine) -> int:
        rounds, least, most = m.frames[-1]
        if rounds >= max(most, least):
            return self.leave
        return self.next if rounds < least else self.ask


class TimesEnd(Step):
    """One round more is done."""

    def run(self, m: Machine) -> int:
        spend(m, ROUND_COST)
        rounds, least, most = m.frames[-1]
        m.frames = (*m.frames[:-1], (rounds + 1, least, most))
        return self.next


class PopFrame(Step):
    """The loop is over."""

    def run(self, m: Machine) -> int:
        m.frames = m.frames[:-1]
        return self.next


class BestBegin(Step):
    """``best``: find the greatest value that any way through the body reaches."""

    may_fail = True

    def __init__(self, value: Node) -> None:
        super().__init__()
        self.value = value
        self.end = 0

    def run(self, m: Machine) -> int:
        m.frames = (*m.frames, (0,))
        best = m.greatest(self.next, self.end, self.value)
        if best is None:
            return FAIL
        m.frames = (*m.frames[:-1], (best,))
        return self.next


class BestEnd(Step):
    """Only ways that reached the greatest value go on."""

    may_fail = True

    def __init__(self, value: Node) -> None:
        super().__init__()
        self.value = value

    def run(self, m: Machine) -> int:
        best = m.frames[-1][0]
        if self.value.eval(m) != best:
            return FAIL
        m.frames = m.frames[:-1]
        return self.next


class ByBegin(Step):
    """``by``: these seats do the body, one after the other."""

    def __init__(self, seats: Node, listed: bool, secret: bool) -> None:
        super().__init__()
        self.seats, self.listed, self.secret = seats, listed, secret
        self.leave = 0

    def targets(self) -> tuple[int, ...]:
        return (self.next, self.leave)

    def order(self, m: Machine) -> list[int]:
        """The seats: a list in its own order, a set in turn order from the mover."""
        if self.listed:
            return [s.bit_length() - 1 for s in self.seats.items(m) if s]
        seats = self.seats.eval(m)
        return [(m.mover + i) % m.seats for i in range(m.seats) if seats >> (m.mover + i) % m.seats & 1]

    def run(self, m: Machine) -> int:
        order = self.order(m)
        if not order:
            return self.leave
        locals_now = tuple(m.names[m.rules.var_names : m.rules.saved_names]) if self.secret else ()
        m.frames = (*m.frames, (m.me, tuple(order[1:]), locals_now, m.removed, m.began))
        m.begin_part(order[0])
        if self.secret:
            m.secret = (*m.secret, (m.me, parts_of(m.save(), m.rules), self.next))
        return self.next


def parts_of(at: Snapshot, rules: Rules) -> tuple[Any, ...]:
    """The parts of the match that a secret choice can touch: boards, stocks, vars, tallies and the turn's record."""
    return (
        at.boards,
        at.stocks,
        at.names[: rules.var_names],
        at.tallies,
        (at.following, at.taken, at.removed, at.step),
    )


class ByEnd(Step):
    """The next seat of the block, or on. A seat that took marbles up may not leave its part as it found it."""

    acts = True

    def __init__(self, secret: bool) -> None:
        super().__init__()
        self.secret = secret
        self.body = 0

    def targets(self) -> tuple[int, ...]:
        return (self.next, self.body)

    def run(self, m: Machine) -> int:
        if self.may_fail and m.nothing_done():
            return FAIL
        me, left, locals_then, removed, began = m.frames[-1]
        if self.secret:
            m.names[m.rules.var_names : m.rules.saved_names] = locals_then
        if left:
            m.frames = (*m.frames[:-1], (me, left[1:], locals_then, removed, began))
            m.begin_part(left[0])
            if self.secret:
                m.secret = (*m.secret, (m.me, parts_of(m.save(), m.rules), self.body))
            return self.body
        m.frames = m.frames[:-1]
        m.me, m.removed, m.began = me, removed, began
        if self.secret:
            if m.events is not None:
                m.events.append(ev.Revealed(tuple(dict.fromkeys([m.who(seat) for seat, _, _ in m.secret]))))
            if m.blind and not m.looking:
                raise Unforeseen
            m.secret = ()
        return self.next


class BoardBegin(Step):
    """``board``: the body happens on another board."""

    def __init__(self, board: Node) -> None:
        super().__init__()
        self.board = board

    def run(self, m: Machine) -> int:
        m.frames = (*m.frames, (m.board_index,))
        m.use_board(self.board.eval(m))
        return self.next


class BoardEnd(Step):
    """Back to the board before."""

    def run(self, m: Machine) -> int:
        m.use_board(m.frames[-1][0])
        m.frames = m.frames[:-1]
        return self.next
