"""Compilation of turns, phases, end rules and series."""

from __future__ import annotations

from shibumi3d.i18n import N_, Message
from shibumi3d.rules.marbles.engine.rules import (
    END_RULE_LOCATION,
    GAIN_LOCATION,
    UNTIL_LOCATION,
    EndRule,
    Instruction,
    Phase,
    Series,
    Term,
)
from shibumi3d.rules.marbles.language.compiler.reader import RulesReader, source_location
from shibumi3d.rules.marbles.language.compiler.steps import StepCompiler
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.source import Item

PHASE_KEYS = ("turn", "turns", "until", "pass", "end")
END_KEYS = ("when", "as_soon_as", "win", "lose", "most", "tie", "because", "even")

NOBODY_AHEAD = {"en": N_("nobody is ahead")}
"""Default reason for a draw in which all compared seats are equal."""


class PhaseCompiler:
    """Compiler for the setup, the phases, the end rules and the series."""

    def __init__(self, reader: RulesReader, step_compiler: StepCompiler) -> None:
        self.reader = reader
        self.step_compiler = step_compiler

    def compile_phases(self) -> None:
        """Compile the setup and all phases."""
        rules = self.reader.rules
        setup, turn, phases = (
            self.reader.top_level_item("setup"),
            self.reader.top_level_item("turn"),
            self.reader.top_level_item("phases"),
        )
        if setup is not None:
            rules.setup = len(self.step_compiler.instructions)
            self.step_compiler.compile_steps(setup)
            self.step_compiler.append(Instruction("EndTurn"))
        if turn is not None and phases is not None:
            self.reader.report_problem(
                self.reader.item.location,
                "'{one}' and '{other}' can't be used together; keep only one",
                one="turn",
                other="phases",
            )
            return
        if turn is None and phases is None:
            self.reader.report_problem(self.reader.item.location, "a game needs either 'turn' or 'phases'")
            return
        if turn is not None:
            rules.phases.append(self.compile_phase(turn, self.reader.top_level_item("pass")))
            return
        assert phases is not None
        if not isinstance(phases.value, list) or not phases.value:
            self.reader.report_problem(
                phases.location, "'phases' must be a list of {{turn: …, turns: n or until: …}}"
            )
            return
        for item in phases.value:
            table = self.reader.read_mapping(item, Message("a phase"))
            if not table:
                continue
            self.reader.check_keys(item, PHASE_KEYS, Message("key in a phase"))
            if "turn" not in table:
                self.reader.report_problem(item.location, "a phase needs 'turn'")
                continue
            phase = self.compile_phase(table["turn"], table.get("pass") or self.reader.top_level_item("pass"))
            if "turns" in table:
                count = table["turns"].value
                if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                    self.reader.report_problem(
                        table["turns"].location, "'turns' must be a whole number, 1 or more"
                    )
                else:
                    phase.max_turns = count
            if "until" in table:
                phase.until = self.reader.compile_term(table["until"], Type.BOOL)
                rules.source_locations[UNTIL_LOCATION + 2 * len(rules.phases)] = source_location(
                    table["until"]
                )
            if "end" in table:
                phase.end_rules = self.compile_end_rules(table["end"])
            rules.phases.append(phase)

    def compile_phase(self, turn: Item, pass_item: Item | None) -> Phase:
        """Compile the turn of a phase and its rule for passing, and return the phase."""
        start = len(self.step_compiler.instructions)
        self.step_compiler.compile_steps(turn)
        self.step_compiler.append(Instruction("EndTurn"))
        phase = Phase(start, may_end_before_choice=not self.step_compiler.instructions[start].awaits_choice)
        if pass_item is not None:
            if pass_item.value == "stuck":
                phase.stuck_may_pass = True
            elif pass_item.value is not False and pass_item.value is not None:
                phase.pass_condition = self.reader.compile_term(pass_item, Type.BOOL)
                self.reader.rules.never_pass = False
        return phase

    def compile_end_rules(self, item: Item) -> tuple[EndRule, ...]:
        """Compile a list of end rules, and report any problems in it."""
        if not isinstance(item.value, list):
            self.reader.report_problem(item.location, "'end' must be a list of rules")
            return ()
        result: list[EndRule] = []
        for entry in item.value:
            table = self.reader.read_mapping(entry, Message("an end rule"))
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
            test = self.reader.compile_term(when, Type.BOOL, "score", *(() if early else ("able",)))
            at_the_end = str(when.value).strip() == "stuck"
            rule = EndRule(len(self.reader.rules.end_reasons), test, at_the_end, False, is_early=early)
            self.reader.rules.source_locations[END_RULE_LOCATION + 2 * rule.number] = source_location(when)
            self.compile_outcome(rule, table)
            parts = [node for node in (rule.when, rule.win, rule.lose) if node is not None]
            rule.is_tested_by_seat = any("me" in node.dependencies for node in parts)
            self.reader.rules.end_reasons[rule.number] = self.reader.read_reasons(
                table.get("because"), str(when.value)
            )
            self.compile_level_reason(rule, table.get("even"))
            result.append(rule)
        return tuple(result)

    def compile_level_reason(self, rule: EndRule, reason_item: Item | None) -> None:
        """Compile the reason that an end rule gives for a level result (see :attr:`.Rules.level_reasons`).

        ``reason_item`` is the value of the rule's key ``even``, or None if the key is missing. In that case, a rule
        with ``most`` has a default reason if there are several seats.
        """
        rules = self.reader.rules
        if reason_item is not None:
            rules.level_reasons[rule.number] = self.reader.read_reasons(reason_item, "even")
        elif rule.compared_values is not None and self.reader.seats > 1:
            rules.level_reasons[rule.number] = NOBODY_AHEAD

    def compile_outcome(self, rule: EndRule, table: dict[str, Item]) -> None:
        """Compile the outcome of an end rule: which seats win or lose, and how ties are broken."""
        if "win" in table:
            rule.win = self.reader.compile_term(table["win"], Type.SEATS)
        elif "lose" in table:
            rule.lose = self.reader.compile_term(table["lose"], Type.SEATS)
            if rule.lose.op == "Const" and rule.lose.value == (1 << self.reader.seats) - 1:
                self.reader.rules.shared_loss_rules |= {rule.number}
        else:
            most = table["most"]
            entries = most.value if isinstance(most.value, list) else [most]
            nodes: list[Term] = []
            is_list: list[bool] = []
            for entry in entries:
                expression = self.reader.compile_expression(entry, None)
                is_list.append(expression.type is Type.INTS)
                nodes.append(
                    expression.term if is_list[-1] else self.reader.convert(entry, expression, Type.INT)
                )
            rule.compared_values, rule.is_list_by_value = tuple(nodes), tuple(is_list)
        if "tie" in table:
            tie = self.reader.compile_expression(table["tie"], None, "score", "tied")
            rule.tie_is_list = tie.type is Type.SEAT_LIST
            rule.tie = tie.term if rule.tie_is_list else self.reader.convert(table["tie"], tie, Type.SEATS)
            if rule.compared_values is None:
                self.reader.report_problem(table["tie"].location, "'tie' only works with 'most'")

    def compile_series(self) -> None:
        """Compile the series: its number of games or its target, and what a seat gains from a game."""
        item = self.reader.top_level_item("series")
        if item is None:
            return
        table = self.reader.read_mapping(item, "'series'")
        if not table:
            return
        self.reader.check_keys(item, ("games", "target", "gain"), Message("key in 'series'"))
        if not self.reader.has_one(
            item, ("games", "target"), N_("'series' needs 'gain', and either 'games' or 'target'")
        ):
            return
        if "gain" not in table:
            self.reader.report_problem(item.location, "'series' needs 'gain', and either 'games' or 'target'")
            return
        numbers = {}
        for key, field in (("games", "game_count"), ("target", "target_total")):
            if key in table:
                count = table[key].value
                if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 1000:
                    self.reader.report_problem(
                        table[key].location, "'{key}' must be a whole number from 1 to 1000", key=key
                    )
                    count = 1
                numbers[field] = count
        self.reader.rules.source_locations[GAIN_LOCATION] = source_location(table["gain"])
        self.reader.rules.series = Series(
            self.reader.compile_term(table["gain"], Type.INT, "score", "winners"), **numbers
        )
