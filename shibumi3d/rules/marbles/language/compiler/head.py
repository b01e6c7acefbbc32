"""Compilation of the head of a game file: boards, stocks and initial position."""

from __future__ import annotations

from shibumi3d.i18n import N_, Message, Unusable
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    EVERYONE,
)
from shibumi3d.rules.marbles.language.compiler.reading import Reader, plain
from shibumi3d.rules.marbles.language.scope import (
    Stock,
)
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.source import Item


class Head:
    """Compiler for boards, stocks and the initial position."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def read_boards(self) -> None:
        """Read the names of the boards and which seats can see them."""
        found = self.reader.key("boards")
        if found is None:
            return
        table = self.reader.table(found, "'boards'")
        if isinstance(found.value, dict):
            self.reader.check_keys(found, ("size", "names", "each"), Message("key in 'boards'"))
        rules, scope = self.reader.rules, self.reader.scope
        if "names" in table:
            names = table["names"].value
            if not isinstance(names, list) or not names or len(names) > 10:
                self.reader.problem(table["names"].mark, "'names' must be a list of 1 to 10 board names")
                return
            for entry in names:
                word = str(entry.value)
                if not plain(word) or [str(other.value) for other in names].count(word) > 1:
                    self.reader.problem(
                        entry.mark,
                        "'{name}' can't be the name of a board: it is used twice, or isn't a plain name made of "
                        "letters, digits and '_'",
                        name=word,
                    )
            rules.board_names = scope.boards = tuple(str(entry.value) for entry in names)
            rules.board_sight = (EVERYONE,) * len(names)
        elif "each" in table:
            scope.board_a_seat = rules.board_a_seat = True
            rules.board_names = scope.boards = tuple(f"seat{i + 1}" for i in range(self.reader.seats))
            rules.board_sight = self.sight(table["each"])

    def sight(self, item: Item | None) -> tuple[int, ...]:
        """Return, for each seat, the set of seats that can see this seat's board or stock."""
        if item is None:
            return (EVERYONE,) * self.reader.seats
        node = self.reader.expression(item, Type.SEATS).node
        found = []
        for seat in range(self.reader.seats):
            try:
                found.append(self.reader.fixed(node, seat))
            except RuleFailure:
                self.reader.problem(item.mark, "visibility can't change during the match")
                return (0,) * self.reader.seats
        return tuple(found)

    def read_stocks(self) -> None:
        """Read the stocks and their initial contents.

        If the file doesn't specify the contents of the box, it contains size² marbles of each colour, less those on the
        board and in other stocks.
        """
        declared = self.reader.table(self.reader.key("stocks"), "'stocks'")
        names: list[str] = []
        holders: list[int] = []
        sight: list[int] = []
        counting: list[int] = []
        contents: list[tuple[Item | None, int]] = []
        for name in ("box", *[name for name in declared if name != "box"]):
            item = declared.get(name)
            each = False
            content: Item | None = None
            seen = counted = (EVERYONE,) * self.reader.seats
            if item is not None:
                if name != "box" and (
                    name in WORDS
                    or name in self.reader.scope.pyramid.index
                    or name in self.reader.scope.defines
                    or not plain(name)
                ):
                    self.reader.problem(
                        item.mark,
                        "'{name}' can't be the name of a stock: it is already taken, or isn't a plain name made "
                        "of letters, digits and '_'",
                        name=name,
                    )
                    continue
                table = self.reader.table(item, Message("the stock '{name}'", name=name))
                if isinstance(item.value, dict):
                    self.reader.check_keys(item, ("each", "holds", "see", "sight"), Message("key in a stock"))
                each = "each" in table
                if not isinstance(item.value, dict) or not self.reader.has_one(
                    item,
                    ("each", "holds"),
                    N_("the stock '{name}' needs either 'each' or 'holds'"),
                    name=name,
                ):
                    each = False
                else:
                    content = table["each"] if each else table["holds"]
                seen = self.sight(table.get("see"))
                counted = self.sight(table.get("sight"))
            self.reader.scope.stocks[name] = Stock(len(names), each)
            for seat in range(self.reader.seats if each else 1):
                names.append(name)
                holders.append(seat if each else -1)
                sight.append(seen[seat])
                counting.append(counted[seat] | seen[seat])
                contents.append((content, seat))
        self.reader.rules.stock_names, self.reader.rules.stock_holders = tuple(names), tuple(holders)
        self.reader.rules.stock_sight, self.reader.rules.size_sight = tuple(sight), tuple(counting)
        start = self.read_start()
        given = [(0,) * len(COLOURS) if item is None else self.content(item, seat) for item, seat in contents]
        if contents[0][0] is None:
            left = [self.reader.size**2 - start[c].bit_count() for c in range(len(COLOURS))]
            given[0] = tuple(
                [max(left[c] - sum(content[c] for content in given), 0) for c in range(len(COLOURS))]
            )
        self.reader.rules.stock_start = tuple(given)

    def content(self, item: Item, seat: int) -> tuple[int, ...]:
        """Return the number of marbles of each colour that a stock initially contains."""
        numbers = [0] * len(COLOURS)
        for colour, count in self.reader.table(item, Message("the content of a stock")).items():
            at = item.keys.get(colour, item.mark)
            colours = self.reader.expression(Item(colour, at), Type.COLOURS).node
            number = self.reader.expression(count, Type.INT).node
            try:
                amount = self.reader.fixed(number, seat)
                for c in bits(self.reader.fixed(colours, seat)):
                    numbers[c] += amount
            except RuleFailure:
                self.reader.problem(count.mark, "the content of a stock can't depend on the match")
            if not 0 <= max(numbers) <= 10_000 or min(numbers) < 0:
                self.reader.problem(count.mark, "a stock can hold 0 to 10,000 marbles of each colour")
                return (0,) * len(COLOURS)
        return tuple(numbers)

    def read_start(self) -> tuple[int, ...]:
        """Read the initial position and return it as one mask per colour."""
        found = self.reader.key("start")
        self.reader.rules.start_cells = (0,) * len(COLOURS)
        if found is not None:
            try:
                size, cells = position.parse_board(str(found.value))
                if size != self.reader.size:
                    raise Unusable(
                        "the start position has size {size}, but the board has size {board}",
                        size=size,
                        board=self.reader.size,
                    )
                self.reader.rules.start_cells = tuple(cells)
            except Unusable as error:
                self.reader.problem(found.mark, error.message)
        return self.reader.rules.start_cells
