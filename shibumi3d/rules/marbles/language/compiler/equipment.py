"""Compilation of a game file's equipment: boards, stocks and initial position."""

from __future__ import annotations

from shibumi3d.i18n import N_, InvalidValueError, Message
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.rules import ALL_SEATS
from shibumi3d.rules.marbles.language.compiler.reader import RulesReader, is_plain_name
from shibumi3d.rules.marbles.language.scope import DeclaredStock
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.source import Item


class EquipmentCompiler:
    """Compiler for boards, stocks and the initial position."""

    def __init__(self, reader: RulesReader) -> None:
        self.reader = reader

    def read_boards(self) -> None:
        """Read the boards' names and the seats that can see each board."""
        item = self.reader.top_level_item("boards")
        if item is None:
            return
        table = self.reader.read_mapping(item, "'boards'")
        if isinstance(item.value, dict):
            self.reader.check_keys(item, ("size", "names", "each"), Message("key in 'boards'"))
        rules, scope = self.reader.rules, self.reader.scope
        if "names" in table:
            names = table["names"].value
            if not isinstance(names, list) or not names or len(names) > 10:
                self.reader.report_problem(
                    table["names"].location, "'names' must be a list of 1 to 10 board names"
                )
                return
            for entry in names:
                word = str(entry.value)
                if not is_plain_name(word) or [str(other.value) for other in names].count(word) > 1:
                    self.reader.report_problem(
                        entry.location,
                        "'{name}' can't be the name of a board: it is used twice, or isn't a plain name made of "
                        "letters, digits and '_'",
                        name=word,
                    )
            rules.board_names = scope.board_names = tuple(str(entry.value) for entry in names)
            rules.board_viewers = (ALL_SEATS,) * len(names)
        elif "each" in table:
            scope.has_board_per_seat = rules.has_board_per_seat = True
            rules.board_names = scope.board_names = tuple(f"seat{i + 1}" for i in range(self.reader.seats))
            rules.board_viewers = self.read_viewers(table["each"])

    def read_viewers(self, item: Item | None) -> tuple[int, ...]:
        """Return, for each seat, a mask of the seats that can see its board or stock.

        ``item`` is the expression in the game file that says who can see it. If ``item`` is None, every seat can. If
        the expression depends on the match, report a problem and return zeros.
        """
        if item is None:
            return (ALL_SEATS,) * self.reader.seats
        node = self.reader.compile_expression(item, Type.SEATS).term
        found = []
        for seat in range(self.reader.seats):
            try:
                found.append(self.reader.evaluate_for_seat(node, seat))
            except RuleFailure:
                self.reader.report_problem(item.location, "visibility can't change during the match")
                return (0,) * self.reader.seats
        return tuple(found)

    def read_stocks(self) -> None:
        """Read the stocks with their initial contents, and the initial position.

        If the file doesn't specify the contents of the box, the box contains size² marbles of each colour, less those
        in the initial position and in other stocks, but at least 0. The initial position is subtracted only once, even
        if there are several boards.
        """
        declared = self.reader.read_mapping(self.reader.top_level_item("stocks"), "'stocks'")
        names: list[str] = []
        holders: list[int] = []
        sight: list[int] = []
        counting: list[int] = []
        contents: list[tuple[Item | None, int]] = []
        for name in ("box", *[name for name in declared if name != "box"]):
            item = declared.get(name)
            is_per_seat = False
            content: Item | None = None
            viewers = counted = (ALL_SEATS,) * self.reader.seats
            if item is not None:
                if name != "box" and (
                    name in WORDS
                    or name in self.reader.scope.pyramid.point_by_name
                    or name in self.reader.scope.definitions
                    or not is_plain_name(name)
                ):
                    self.reader.report_problem(
                        item.location,
                        "'{name}' can't be the name of a stock: it is already taken, or isn't a plain name made "
                        "of letters, digits and '_'",
                        name=name,
                    )
                    continue
                table = self.reader.read_mapping(item, Message("the stock '{name}'", name=name))
                if isinstance(item.value, dict):
                    self.reader.check_keys(item, ("each", "holds", "see", "sight"), Message("key in a stock"))
                is_per_seat = "each" in table
                if not isinstance(item.value, dict) or not self.reader.has_one(
                    item,
                    ("each", "holds"),
                    N_("the stock '{name}' needs either 'each' or 'holds'"),
                    name=name,
                ):
                    is_per_seat = False
                else:
                    content = table["each"] if is_per_seat else table["holds"]
                viewers = self.read_viewers(table.get("see"))
                counted = self.read_viewers(table.get("sight"))
            self.reader.scope.stocks[name] = DeclaredStock(len(names), is_per_seat)
            for seat in range(self.reader.seats if is_per_seat else 1):
                names.append(name)
                holders.append(seat if is_per_seat else -1)
                sight.append(viewers[seat])
                counting.append(counted[seat] | viewers[seat])
                contents.append((content, seat))
        self.reader.rules.stock_names, self.reader.rules.stock_holders = tuple(names), tuple(holders)
        self.reader.rules.stock_viewers, self.reader.rules.stock_size_viewers = tuple(sight), tuple(counting)
        start = self.read_initial_position()
        given = [
            (0,) * len(COLOURS) if item is None else self.read_contents(item, seat) for item, seat in contents
        ]
        if contents[0][0] is None:
            left = [self.reader.size**2 - start[c].bit_count() for c in range(len(COLOURS))]
            given[0] = tuple(
                [max(left[c] - sum(content[c] for content in given), 0) for c in range(len(COLOURS))]
            )
        self.reader.rules.initial_stocks = tuple(given)

    def read_contents(self, item: Item, seat: int) -> tuple[int, ...]:
        """Return the number of marbles of each colour that the stock of ``seat`` initially contains.

        If a number or colour depends on the match, report a problem and leave out that entry. If a number is out of
        range, report a problem and return zeros.
        """
        numbers = [0] * len(COLOURS)
        for colour, count in self.reader.read_mapping(item, Message("the contents of a stock")).items():
            location = item.key_locations.get(colour, item.location)
            colours = self.reader.compile_expression(Item(colour, location), Type.COLOURS).term
            number = self.reader.compile_expression(count, Type.INT).term
            try:
                amount = self.reader.evaluate_for_seat(number, seat)
                for c in iter_bits(self.reader.evaluate_for_seat(colours, seat)):
                    numbers[c] += amount
            except RuleFailure:
                self.reader.report_problem(
                    count.location, "the contents of a stock can't depend on the match"
                )
            if not 0 <= max(numbers) <= 10_000 or min(numbers) < 0:
                self.reader.report_problem(
                    count.location, "a stock can hold 0 to 10,000 marbles of each colour"
                )
                return (0,) * len(COLOURS)
        return tuple(numbers)

    def read_initial_position(self) -> tuple[int, ...]:
        """Read the initial position into the rules, and return it as one mask per colour.

        If the file contains no position, the result is an empty one. An invalid position is reported as a problem and
        replaced by an empty one.
        """
        item = self.reader.top_level_item("start")
        self.reader.rules.initial_cells = (0,) * len(COLOURS)
        if item is not None:
            try:
                size, cells = position.parse_board(str(item.value))
                if size != self.reader.size:
                    raise InvalidValueError(
                        "the starting position has size {size}, but the board has size {board}",
                        size=size,
                        board=self.reader.size,
                    )
                self.reader.rules.initial_cells = tuple(cells)
            except InvalidValueError as error:
                self.reader.report_problem(item.location, error.message)
        return self.reader.rules.initial_cells
