"""Facts about compiled rules, as plain values for use outside the rules package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from shibumi3d.i18n import N_, translate_all
from shibumi3d.rules import game
from shibumi3d.rules.marbles.engine.rules import (
    EndRule,
    Instruction,
    LoopTerm,
    Rules,
    Term,
    base_stock_index,
)

ADDING_OPS = frozenset({"Place", "Enter", "Put"})
"""Instructions that always put marbles from a stock on a board; ``Draw`` does so only if it has ``at``."""


@dataclass(frozen=True, slots=True)
class StockFacts:
    """Facts about a stock of marbles beside the boards.

    ``is_per_seat`` is set if every seat has a stock of this name, and ``is_drawn_from`` if the rules draw from it at
    random. ``is_hidden`` is set if its contents are hidden from at least one seat, and ``receives_secretly`` if secret
    choices give marbles to it. ``is_used_in_play`` is set if marbles can be taken from it after the setup, and
    ``receives_in_play`` if marbles can be put into it after the setup. For these last two, exchanges of marbles by
    ``recolour`` don't count. ``initial_contents`` lists how many marbles of each colour the stock holds before the
    setup, for each seat or once for a shared stock.
    """

    name: str
    is_per_seat: bool
    is_drawn_from: bool
    is_hidden: bool
    receives_secretly: bool
    is_used_in_play: bool
    receives_in_play: bool
    initial_contents: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class MarbleFacts(game.Facts):
    """Facts about a marble game with a given number of seats.

    ``can_recolour`` is set if marbles can change colour, and ``has_chance_in_play`` if chance is still involved after
    the setup. ``placement_stocks`` names the stocks from which ``place``, ``enter`` or ``put`` take marbles after the
    setup. ``words_used`` are the words in the expressions of the rules, including names that the game file defines;
    "Aa1" stands for any point. ``labels`` are the labels of branches that a seat may choose. ``picks_up_marbles`` is
    set if seats choose marbles on a board in order to move or take them.

    ``positions_may_repeat`` is set if there is a phase in which marbles can move, change colour, or be both added and
    removed. A phase doesn't count if every turn takes or captures a marble and none adds one, or if every turn includes
    ``place`` and none removes a marble.
    """

    size: int = 4
    board_names: tuple[str, ...] = ("board",)
    stocks: tuple[StockFacts, ...] = ()
    can_recolour: bool = False
    has_chance_in_play: bool = False
    placement_stocks: frozenset[str] = frozenset()
    words_used: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    picks_up_marbles: bool = False

    def stock(self, name: str) -> StockFacts | None:
        """Return the facts about the stock called ``name``, or None if there is no such stock."""
        return next((stock for stock in self.stocks if stock.name == name), None)

    @property
    def dealable_names(self) -> frozenset[str]:
        """Names of the stocks from which the rules draw at random."""
        return frozenset(stock.name for stock in self.stocks if stock.is_drawn_from)

    @property
    def choosable_hand(self) -> tuple[str, tuple[int, ...]]:
        """Name of the stock whose contents a solo player may choose, and its default number of marbles of each colour.

        This stock is the first one, other than the box, that isn't empty at the start and is never drawn from at
        random. If there is no such stock, or if the game isn't a solo game, the value is ``("", ())``.
        """
        if self.players != (1, 1):
            return "", ()
        held = (
            s for s in self.stocks if s.name != "box" and not s.is_drawn_from and any(s.initial_contents[0])
        )
        return next(((stock.name, stock.initial_contents[0]) for stock in held), ("", ()))


def marble_facts(source: game.Game, seats: int | None = None) -> MarbleFacts:
    """Return the facts about a marble game with the given number of seats (by default, the minimum).

    Raises TypeError for any other kind of game.
    """
    result = source.facts(seats)
    if not isinstance(result, MarbleFacts):
        raise TypeError(f"{source.title} is no game of marbles")
    return result


def compute_facts(
    rules: Rules, players: tuple[int, int], size: int, meta: Mapping[str, object]
) -> MarbleFacts:
    """Return the facts about compiled ``rules``.

    ``players`` is the minimum and maximum number of seats, and ``meta`` is the metadata of the game file.
    """
    blocks = secret_instructions(rules)
    phases = [phase for phase in rules.phases if not phase.may_end_before_choice]
    numbered = tuple(
        translate_all(N_("phase {number} of {count}"), number=i, count=len(phases))
        for i in range(1, len(phases) + 1)
    )
    everyone = (1 << rules.seats) - 1
    # A bag that nobody can see into is a matter of chance. A secret is known to one seat and hidden from another.
    secrets = any(
        sight & everyone not in (0, everyone) for sight in (*rules.board_viewers, *rules.stock_viewers)
    )
    return MarbleFacts(
        players=players,
        has_secrets=secrets or bool(blocks),
        has_chance=any(step.is_random for step in rules.program),
        has_simultaneous_moves=bool(blocks),
        aim="score" if any(rule.compares_only_score for rule in all_end_rules(rules)) else "win",
        solver=_solver_goal(rules),
        phases=numbered if len(phases) > 1 else (),
        options=_options(size, meta),
        size=rules.pyramid.size,
        board_names=rules.board_names,
        stocks=_stocks(rules),
        is_series=rules.series is not None,
        games_in_series=rules.series.game_count if rules.series is not None else 1,
        has_scores=rules.score is not None,
        can_recolour=any(step.op == "Recolour" for step in rules.program),
        positions_may_repeat=any(
            _can_repeat_position(program, start) for start, program in _phase_programs(rules)
        ),
        has_chance_in_play=any(step.is_random for _, program in _phase_programs(rules) for step in program),
        placement_stocks=rules.supply_stocks(for_boards_only=True),
        score_unit=score_unit(rules),
        common_loss_reasons=frozenset(rules.end_reason(number)["en"] for number in rules.shared_loss_rules)
        if rules.seats > 1
        else frozenset(),
        words_used=rules.words_used,
        labels=rules.labels,
        picks_up_marbles=any(step.op in ("Lift", "Take") for step in rules.program),
    )


def _phase_programs(rules: Rules) -> list[tuple[int, list[Instruction]]]:
    """Return a pair for each phase: the index of its first instruction, and a list of its instructions."""
    starts = sorted(phase.start for phase in rules.phases)
    return [(start, rules.program[start:end]) for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _can_repeat_position(program: list[Instruction], start: int) -> bool:
    """Return whether the turns of a phase can repeat a position.

    ``program`` contains the phase's instructions. ``start`` is the index of the first of them in the program of the
    rules. Positions can repeat if marbles can move, change colour, or be both added and removed. Even then, no position
    can repeat if every turn removes a marble and none adds one, or if every turn places a marble and none removes one.
    """
    steps = {step.op for step in program}
    come = any(step.op in ADDING_OPS or (step.op == "Draw" and step.terms[3] is not None) for step in program)
    go = any(map(_always_removes, program)) or "Remove" in steps
    if not come and _every_path_includes(program, start, _always_removes):
        return False
    if not go and _every_path_includes(program, start, lambda step: step.op == "Place"):
        return False
    return bool(steps & {"Lift", "Recolour"}) or (come and go)


def _always_removes(step: Instruction) -> bool:
    """Return whether an instruction always removes a marble from the board, whatever is chosen."""
    return step.op == "Take" or (step.op == "SetDown" and bool(step.terms[1]))


def _every_path_includes(
    program: list[Instruction], start: int, accepts: Callable[[Instruction], bool]
) -> bool:
    """Return whether every path through a phase's program includes an instruction accepted by ``accepts``.

    ``program`` contains the phase's instructions. In the program of the whole game, the first of these instructions has
    the index ``start``.
    """
    reached, todo = {start}, [start]
    while todo:
        step = program[todo.pop() - start]
        if accepts(step):
            continue
        if step.op == "EndTurn":
            return False
        new = set(step.successors()) - reached
        reached |= new
        todo += new
    return True


def secret_instructions(rules: Rules) -> list[Instruction]:
    """Return the instructions in all blocks in which seats choose in secret.

    The instructions that begin and end a block are included. If a secret block contains another, what follows the inner
    block is left out.
    """
    result: list[Instruction] = []
    block = -1
    for step in rules.program:
        if step.op == "ByBegin" and step.terms[3]:
            block = step.terms[0]
        if block >= 0:
            result.append(step)
        if step.op == "ByEnd" and step.terms[0] == block:
            block = -1
    return result


def all_end_rules(rules: Rules) -> list[EndRule]:
    """Return the end rules of the game and of its phases."""
    return [*rules.end_rules, *[rule for phase in rules.phases for rule in phase.end_rules]]


def ops_in(value: object) -> set[str]:
    """Return the names of all operations in ``value``, including those of nested terms."""
    return {part.op for part in subterms(value)}


def subterms(value: object, include_loops: bool = False) -> Iterator[Any]:
    """Yield all terms in a value, including nested ones; if ``include_loops`` is set, also yield loop terms."""
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from subterms(part, include_loops)
    elif isinstance(value, LoopTerm):
        if include_loops:
            yield value
        yield from subterms((value.source, value.tests, value.superset), include_loops)
    elif isinstance(value, Term):
        yield value
        yield from subterms(value.args, include_loops)


def score_unit(rules: Rules) -> Literal["", "marbles", "points"]:
    """Return the unit of the score in a solo game played for a high score, or "" for other games.

    The unit is "marbles" if the score is simply the number of marbles on the board, and "points" if it is anything
    else. The result is also "" if the rules contain no formula for the score.
    """
    if rules.seats != 1 or rules.score is None or _solver_goal(rules) != "score":
        return ""
    counted = rules.score.args[0] if rules.score.op == "Count" else None
    return "marbles" if getattr(counted, "op", "") == "Filled" else "points"


def _solver_goal(rules: Rules) -> Literal["", "win", "score"]:
    """Return what an exhaustive search can look for: "win", "score" (the highest score), or "" for neither.

    For a solo game, the result is "score" if an end rule compares values, and otherwise "win". For several seats, it is
    "win" if every end rule makes them all win or all lose, and the game is not a series; otherwise, it is "".
    """
    ends = all_end_rules(rules)
    if rules.seats == 1:
        return "score" if any(rule.compared_values is not None for rule in ends) else "win"
    everyone = (1 << rules.seats) - 1
    together = rules.series is None and all(
        (node := rule.win or rule.lose) is not None and node.op == "Const" and node.value == everyone
        for rule in ends
    )
    return "win" if together else ""


def _stocks(rules: Rules) -> tuple[StockFacts, ...]:
    """Return the facts about the stocks, one entry for each name, in the order of the rules."""
    supplies, receivers = rules.supply_stocks(), _receiving_stocks(rules)
    everyone = (1 << rules.seats) - 1
    given = {base_stock_index(step.terms[2]) for step in secret_instructions(rules) if step.op == "Give"}
    stocks = []
    for name in dict.fromkeys(rules.stock_names):
        holders = [i for i, other in enumerate(rules.stock_names) if other == name]
        stocks.append(
            StockFacts(
                name,
                is_per_seat=rules.stock_holders[holders[0]] >= 0,
                is_drawn_from=name in rules.drawn_stocks,
                is_hidden=any(~rules.stock_viewers[i] & everyone for i in holders),
                receives_secretly=holders[0] in given,
                is_used_in_play=name in supplies,
                receives_in_play=name in receivers,
                initial_contents=tuple([rules.initial_stocks[i] for i in holders]),
            )
        )
    return tuple(stocks)


def _receiving_stocks(rules: Rules) -> frozenset[str]:
    """Return the names of the stocks into which the rules can put marbles after the setup.

    Exchanges of marbles by ``recolour`` don't count.
    """
    first = min((phase.start for phase in rules.phases), default=0)
    result: list[Term | None] = []
    for step in rules.program[first:]:
        if step.op in ("Take", "Remove"):
            result.append(step.terms[1])
        elif step.op in ("Give", "Deal", "Draw") or (step.op == "SetDown" and step.terms[1]):
            result.append(step.terms[2])
    for stock in result:
        if stock and stock.op == "StockChoice":
            result += stock.args[1:]
    return frozenset(
        rules.stock_names[stock.args[0]] for stock in result if stock and stock.op == "StockValue"
    )


def _options(size: int, meta: Mapping[str, object]) -> tuple[game.Option, ...]:
    """Return the options that can be chosen before a match.

    These are the board size, if ``meta`` lists several sizes, and the variant, if it lists any. The default board size
    is ``size`` unless ``meta`` specifies another.
    """
    options = []
    sizes, variants = meta.get("sizes"), meta.get("variants")
    if isinstance(sizes, tuple) and len(sizes) > 1:
        usual = meta.get("size")
        label = {"en": N_("board")}
        options.append(game.Option("size", label, sizes, usual if isinstance(usual, int) else size))
    if isinstance(variants, tuple) and variants:
        options.append(game.Option("variant", {"en": N_("variant")}, ("", *variants), ""))
    return tuple(options)
