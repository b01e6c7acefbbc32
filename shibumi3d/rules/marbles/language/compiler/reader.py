"""Access to a game file: reading its keys, compiling its expressions and reporting mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from keyword import iskeyword

from shibumi3d.i18n import Message
from shibumi3d.rules.errors import ProblemList, RuleFailure
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    DEPENDS_ON_SEAT,
    Rules,
    Term,
    const_list_term,
    const_term,
    make_term,
)
from shibumi3d.rules.marbles.language.expressions import ExpressionCompiler
from shibumi3d.rules.marbles.language.scope import (
    ExpressionError,
    ExpressionLimitError,
    Scope,
    TypedTerm,
    parse_expression,
)
from shibumi3d.rules.marbles.language.types import SCALAR_TYPES, Type
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.source import Item, Problem, SourceLocation, suggest_spelling


def is_plain_name(name: str) -> bool:
    """Return whether ``name`` has the form of a name that expressions can use."""
    return name.isidentifier() and not iskeyword(name) and name not in ("true", "false")


def source_location(item: Item) -> str:
    """Return the location of an item as ``file:line``, for reports of failures during play."""
    return f"{item.location.file}:{item.location.line}"


class RulesReader:
    """Reader of the rules in one game file, for one board size and number of seats.

    The contents of the file are collected in ``scope`` and ``rules``, and its mistakes in ``problems``.
    """

    def __init__(self, item: Item, size: int, seats: int, problems: ProblemList) -> None:
        self.item = item
        self.size = size
        self.seats = seats
        self.problems = problems
        self.ignores_problems = False
        """Whether problems are ignored, as they are while types are being inferred."""
        self.has_reported_limit = False
        self.scope = Scope(get_pyramid(size), seats, self.read_ownership())
        self.rules = Rules(self.scope.pyramid, seats, self.scope.owned_colours)

    def top_level_item(self, name: str) -> Item | None:
        """Return the value of a top-level key, or None if the key is missing or its value is null."""
        table = self.item.value
        assert isinstance(table, dict)
        item = table.get(name)
        return None if item is None or item.value is None else item

    def report_problem(self, location: SourceLocation, message: str | Message, /, **values: object) -> None:
        """Report a mistake, given as a message or as a message template with its values.

        While types are being inferred, nothing is reported. Raises GameFileError if more problems were found than can
        be reported.
        """
        if not self.ignores_problems:
            self.problems.append(Problem(location, message, **values))

    def read_mapping(self, item: Item | None, what: str | Message) -> dict[str, Item]:
        """Return the item as a mapping, or an empty mapping if there is no item.

        If the item is anything other than a mapping, report a problem and return an empty mapping. ``what`` names the
        item in the problem, for example "an end rule".
        """
        if item is None:
            return {}
        if isinstance(item.value, dict):
            return item.value
        self.report_problem(item.location, "{what} must be a mapping from names to values", what=what)
        return {}

    def check_keys(self, item: Item, allowed: Iterable[str], what: Message) -> None:
        """Report the keys of a mapping that are not in ``allowed``.

        ``item`` must be a mapping. ``what`` describes such a key in the message, for example as a "key in a phase". If
        an allowed key is spelled similarly, the message suggests it.
        """
        assert isinstance(item.value, dict)
        allowed = tuple(allowed)
        for name in item.value:
            if name not in allowed:
                hint = suggest_spelling(name, allowed)
                self.report_problem(
                    item.key_locations.get(name, item.location),
                    "unknown {what}: '{word}'{hint}",
                    what=what,
                    word=name,
                    hint=hint,
                )

    def has_conflict(self, item: Item, keys: Sequence[str]) -> bool:
        """Return whether a mapping has more than one of ``keys``; if so, report that they conflict."""
        assert isinstance(item.value, dict)
        given = [key for key in item.value if key in keys]
        if len(given) > 1:
            self.report_problem(
                item.key_locations.get(given[1], item.location),
                "'{one}' and '{other}' can't be used together; keep only one",
                one=given[0],
                other=given[1],
            )
        return len(given) > 1

    def has_one(self, item: Item, keys: Sequence[str], missing: str, /, **values: object) -> bool:
        """Return whether a mapping has exactly one of ``keys``; if not, report a problem.

        ``missing`` is the message template for a mapping that has none of ``keys``. ``values`` are the values for this
        template.
        """
        assert isinstance(item.value, dict)
        if self.has_conflict(item, keys):
            return False
        if item.value.keys().isdisjoint(keys):
            self.report_problem(item.location, missing, **values)
            return False
        return True

    def compile_expression(self, item: Item, wanted_type: Type | None, *context_words: str) -> TypedTerm:
        """Compile an expression in the file, and return its typed term.

        The term is converted to ``wanted_type`` unless that is None. If the expression has a mistake, the problem is
        reported and a harmless placeholder is returned. ``context_words`` are the words of :data:`.CONTEXT_WORDS` that
        are valid here; by default, only "score" is.
        """
        value = item.value
        try:
            if isinstance(value, dict | list) or value is None or isinstance(value, float):
                giving = (
                    "" if wanted_type in (None, Type.NONE) else Message(", of type {type}", type=wanted_type)
                )
                hint: Message | str = ""
                if isinstance(value, dict | list):
                    hint = Message(
                        "; put an expression that starts with '{sign}' in quotes",
                        sign="{" if isinstance(value, dict) else "[",
                    )
                raise ExpressionError("expected an expression here{giving}{hint}", giving=giving, hint=hint)
            text = str(value).lower() if isinstance(value, bool) else str(value)
            builder = ExpressionCompiler(self.scope, context_words or ("score",))
            expression = builder.compile(text)
            if wanted_type is None:
                return expression
            return TypedTerm(
                builder.coerce(expression, wanted_type), wanted_type, expression.iteration_estimate
            )
        except ExpressionError as wrong:
            self.report_error(item.location, wrong)
        except RecursionError:
            self.report_problem(item.location, "the expression is nested too deeply")
        kind = wanted_type or Type.NONE
        return TypedTerm(const_term(0) if kind in SCALAR_TYPES else const_list_term(()), kind)

    def convert(self, item: Item, value: TypedTerm, wanted_type: Type) -> Term:
        """Return the term of a compiled expression, converted to the type ``wanted_type``.

        If it can't be converted, report the problem and return a harmless placeholder.
        """
        try:
            return ExpressionCompiler(self.scope).coerce(value, wanted_type)
        except ExpressionError as wrong:
            self.report_error(item.location, wrong)
        return const_term(0)

    def report_error(self, location: SourceLocation, error: ExpressionError) -> None:
        """Report a mistake in an expression.

        It is reported at ``error.mark`` if that is set, and otherwise at ``location``. Of all errors of the class
        :class:`.ExpressionLimitError` in a file, only the first is reported.
        """
        if isinstance(error, ExpressionLimitError):
            if self.has_reported_limit:
                return
            self.has_reported_limit = not self.ignores_problems
        self.report_problem(error.mark or location, error.message)

    def compile_term(self, item: Item, wanted_type: Type, *known: str) -> Term:
        """Compile an expression, and return its term converted to the type ``wanted_type``.

        If the expression has a mistake, the problem is reported and a harmless placeholder is returned. ``known`` are
        the context words that the expression may use; by default, only "score".
        """
        return self.compile_expression(item, wanted_type, *known).term

    def compile_optional_term(
        self, table: dict[str, Item], key: str, wanted_type: Type, *known: str
    ) -> Term | None:
        """Compile the expression under ``key`` and return its term, or None if the key is missing.

        The expression may use the score and the context words ``known``.
        """
        return self.compile_term(table[key], wanted_type, "score", *known) if key in table else None

    def compile_stock(self, item: Item | None) -> Term:
        """Return the term for the stock that ``item`` specifies, or for the box if there is no item.

        The text of the item is an expression for a stock; see :meth:`.ExpressionCompiler.compile_stock`. If it is
        invalid, report the problem and return the term for the box.
        """
        text = "box" if item is None else str(item.value)
        try:
            return ExpressionCompiler(self.scope, ("score",)).compile_stock(parse_expression(text))
        except ExpressionError as wrong:
            self.report_error(item.location if item is not None else self.item.location, wrong)
        except RecursionError:
            self.report_problem(
                item.location if item is not None else self.item.location,
                "the expression is nested too deeply",
            )
        return make_term("StockValue", 0, None)

    def evaluate_for_seat(self, term: Term, seat: int) -> int:
        """Return the value of ``term`` for ``seat``.

        Raises RuleFailure if the term depends on anything but the seat, or if its evaluation fails or takes too long.
        """
        if term.dependencies - DEPENDS_ON_SEAT:
            raise RuleFailure("it depends on the match")
        result: int = self.scope.constant_evaluator.eval_scalar(term, seat)
        return result

    def read_reasons(self, item: Item | None, test: str = "") -> dict[str, str]:
        """Return the texts of a reason, by language.

        A missing English text is replaced by ``test``, for example the condition of an end rule. If ``test`` is empty,
        it is replaced by the first text given. The result is empty if there are neither texts nor a ``test``.
        """
        reasons = (
            {key: str(value.value) for key, value in self.read_mapping(item, "'because'").items()}
            if item
            else {}
        )
        if test or reasons:
            reasons.setdefault("en", test or next(iter(reasons.values())))
        return reasons

    def read_ownership(self) -> tuple[int, ...]:
        """Return the set of colours that each seat owns, as one mask per seat.

        If the file doesn't specify the colours, two or three seats own one colour each, in the order white, black, red,
        and any other number of seats own none. If the file says ``none``, no seat owns a colour. If it lists more
        colours than there are seats, the excess entries are ignored. If the list is too short or contains an unknown
        colour, or if the file gives anything other than a list or ``none``, report a problem and return zeros.
        """
        item = self.top_level_item("seats")
        if item is None:
            order = {2: (0, 1), 3: (0, 1, 2)}.get(self.seats, ())
            return tuple(1 << c for c in order) if order else (0,) * self.seats
        if item.value == "none":
            return (0,) * self.seats
        if isinstance(item.value, list):
            owned = []
            for entry in item.value[: self.seats]:
                if entry.value not in COLOURS:
                    hint = suggest_spelling(str(entry.value), COLOURS) or Message(
                        "; the colours are {words}", words=", ".join(COLOURS)
                    )
                    self.report_problem(
                        entry.location, "unknown colour '{colour}'{hint}", colour=entry.value, hint=hint
                    )
                    return (0,) * self.seats
                owned.append(1 << COLOURS.index(str(entry.value)))
            if len(owned) == self.seats:
                return tuple(owned)
            self.report_problem(
                item.location,
                "'seats' must list one colour per seat: {seats}, not {colours}",
                colours=len(owned),
                seats=self.seats,
            )
            return (0,) * self.seats
        self.report_problem(item.location, "'seats' must be a list of colours in turn order, or 'none'")
        return (0,) * self.seats
