"""Compilation of turns, phases, end rules and series."""

from __future__ import annotations

from shibumi3d.i18n import N_, Message
from shibumi3d.rules.marbles.engine.rules import (
    END_TERM,
    GAIN_TERM,
    UNTIL_TERM,
    EndRule,
    Instruction,
    Phase,
    Series,
    Term,
)
from shibumi3d.rules.marbles.language.compiler.program import Program
from shibumi3d.rules.marbles.language.compiler.reading import Reader, place_of
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.source import Item

PHASE_KEYS = ("turn", "turns", "until", "pass", "end")
END_KEYS = ("when", "as_soon_as", "win", "lose", "most", "tie", "because", "even")

EVEN = {"en": N_("nobody is ahead")}
"""Default reason for a draw in which all compared seats are equal."""


class Ends:
    """Compiler for phases, end rules and series."""

    def __init__(self, reader: Reader, program: Program) -> None:
        self.reader = reader
        self.program = program

    def read_phases(self) -> None:
        """Compile the setup and the turns of all phases."""
        rules = self.reader.rules
        setup, turn, phases = self.reader.key("setup"), self.reader.key("turn"), self.reader.key("phases")
        if setup is not None:
            rules.setup = len(self.program.code)
            self.program.program(setup)
            self.program.add(Instruction("EndTurn"))
        if turn is not None and phases is not None:
            self.reader.problem(
                self.reader.item.mark,
                "has both '{one}' and '{other}'; keep only one",
                one="turn",
                other="phases",
            )
            return
        if turn is None and phases is None:
            self.reader.problem(self.reader.item.mark, "a game needs either 'turn' or 'phases'")
            return
        if turn is not None:
            rules.phases.append(self.phase(turn, self.reader.key("pass")))
            return
        assert phases is not None
        if not isinstance(phases.value, list) or not phases.value:
            self.reader.problem(phases.mark, "'phases' must be a list of {{turn: …, turns: n or until: …}}")
            return
        for item in phases.value:
            table = self.reader.table(item, Message("a phase"))
            if not table:
                continue
            self.reader.check_keys(item, PHASE_KEYS, Message("key in a phase"))
            if "turn" not in table:
                self.reader.problem(item.mark, "a phase needs 'turn'")
                continue
            phase = self.phase(table["turn"], table.get("pass") or self.reader.key("pass"))
            if "turns" in table:
                count = table["turns"].value
                if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                    self.reader.problem(table["turns"].mark, "'turns' must be a whole number, 1 or more")
                else:
                    phase.turns = count
            if "until" in table:
                phase.until = self.reader.node(table["until"], Type.BOOL)
                rules.places[UNTIL_TERM + 2 * len(rules.phases)] = place_of(table["until"])
            if "end" in table:
                phase.ends = self.ends(table["end"])
            rules.phases.append(phase)

    def phase(self, turn: Item, passing: Item | None) -> Phase:
        """Compile the turn of a phase, and its rule for passing."""
        start = len(self.program.code)
        self.program.program(turn)
        self.program.add(Instruction("EndTurn"))
        phase = Phase(start, prelude=not self.program.code[start].waits)
        if passing is not None:
            if passing.value == "stuck":
                phase.pass_stuck = True
            elif passing.value is not False and passing.value is not None:
                phase.passing = self.reader.node(passing, Type.BOOL)
                self.reader.rules.never_pass = False
        return phase

    def ends(self, item: Item) -> tuple[EndRule, ...]:
        """Compile a list of end rules."""
        if not isinstance(item.value, list):
            self.reader.problem(item.mark, "'end' must be a list of rules")
            return ()
        found: list[EndRule] = []
        for entry in item.value:
            table = self.reader.table(entry, Message("an end rule"))
            if not table:
                continue
            self.reader.check_keys(entry, END_KEYS, Message("key in an end rule"))
            if not self.reader.has_one(
                entry, ("when", "as_soon_as"), N_("an end rule needs either 'when' or 'as_soon_as'")
            ):
                continue
            early = "as_soon_as" in table
            if not self.reader.has_one(
                entry, ("win", "lose", "most"), N_("an end rule needs 'win', 'lose' or 'most'")
            ):
                continue
            when = table["as_soon_as"] if early else table["when"]
            test = self.reader.node(when, Type.BOOL, "score", *(() if early else ("able",)))
            at_the_end = str(when.value).strip() == "stuck"
            rule = EndRule(len(self.reader.rules.because), test, at_the_end, False, early=early)
            self.reader.rules.places[END_TERM + 2 * rule.number] = place_of(when)
            self.outcome_of(rule, table)
            parts = [node for node in (rule.when, rule.win, rule.lose) if node is not None]
            rule.by_seat = any("me" in node.deps for node in parts)
            self.reader.rules.because[rule.number] = self.reader.because(
                table.get("because"), str(when.value)
            )
            self.evenness(rule, table.get("even"))
            found.append(rule)
        return tuple(found)

    def evenness(self, rule: EndRule, told: Item | None) -> None:
        """Compile the reason that an end rule gives if the compared seats are equal.

        A rule with ``most`` has a default reason. If the file gives a reason for a rule with a ``tie``, the rule is
        added to ``rules.ties``, unless it compares something other than the game's score.
        """
        rules = self.reader.rules
        if told is not None:
            rules.even[rule.number] = self.reader.because(told, "even")
            first = rule.most[0] if rule.most else None
            if rule.tie is not None and (rules.score is None or (first is not None and first.op == "Score")):
                rules.ties |= {rule.number}
        elif rule.most is not None and self.reader.seats > 1:
            rules.even[rule.number] = EVEN

    def outcome_of(self, rule: EndRule, table: dict[str, Item]) -> None:
        """Compile which seats win or lose by an end rule, and how ties are broken."""
        if "win" in table:
            rule.win = self.reader.node(table["win"], Type.SEATS)
        elif "lose" in table:
            rule.lose = self.reader.node(table["lose"], Type.SEATS)
            if rule.lose.op == "Const" and rule.lose.value == (1 << self.reader.seats) - 1:
                self.reader.rules.all_lose |= {rule.number}
        else:
            most = table["most"]
            entries = most.value if isinstance(most.value, list) else [most]
            nodes: list[Term] = []
            listed: list[bool] = []
            for entry in entries:
                found = self.reader.expression(entry, None)
                listed.append(found.type is Type.INTS)
                nodes.append(found.node if listed[-1] else self.reader.fitted(entry, found, Type.INT))
            rule.most, rule.most_lists = tuple(nodes), tuple(listed)
        if "tie" in table:
            tie = self.reader.expression(table["tie"], None, "score", "tied")
            rule.tie_listed = tie.type is Type.SEAT_LIST
            rule.tie = tie.node if rule.tie_listed else self.reader.fitted(table["tie"], tie, Type.SEATS)
            if rule.most is None:
                self.reader.problem(table["tie"].mark, "'tie' only works with 'most'")

    def read_series(self) -> None:
        """Compile the length or target of a series, and what a seat gains from a game."""
        found = self.reader.key("series")
        if found is None:
            return
        table = self.reader.table(found, "'series'")
        if not table:
            return
        self.reader.check_keys(found, ("games", "target", "gain"), Message("key in 'series'"))
        if not self.reader.has_one(
            found, ("games", "target"), N_("'series' needs 'gain', and either 'games' or 'target'")
        ):
            return
        if "gain" not in table:
            self.reader.problem(found.mark, "'series' needs 'gain', and either 'games' or 'target'")
            return
        numbers = {}
        for key in ("games", "target"):
            if key in table:
                count = table[key].value
                if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 1000:
                    self.reader.problem(
                        table[key].mark, "'{key}' must be a whole number from 1 to 1000", key=key
                    )
                    count = 1
                numbers[key] = count
        self.reader.rules.places[GAIN_TERM] = place_of(table["gain"])
        self.reader.rules.series = Series(
            self.reader.node(table["gain"], Type.INT, "score", "winners"), **numbers
        )
