"""What app, search and terminal want to know of compiled rules, read once and told as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from shibumi3d.i18n import N_, in_every_language
from shibumi3d.rules import game
from shibumi3d.rules.marbles.engine.rules import EVERYONE, EndRule, Instruction, Rules, stock_base

COMING = frozenset({"Place", "Enter", "Put"})
"""Steps that bring marbles on to a board."""


@dataclass(frozen=True, slots=True)
class StockFacts:
    """A stock of marbles off the boards.

    ``each``: every seat has one of its own. ``drawn``: the rules draw from it by chance. ``hidden``: some seat may
    not see what lies in it. ``secret``: marbles are given into it where seats choose in secret. ``supplies``: marbles
    come from it once the setup is done. ``begins`` is what it holds at first, as a number a colour, one tuple a holder.
    """

    name: str
    each: bool
    drawn: bool
    hidden: bool
    secret: bool
    supplies: bool
    begins: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class MarbleFacts(game.Facts):
    """The facts of a marble game for a number of seats.

    ``recolours``: marbles are exchanged for others of another colour. ``draws``: chance decides even once the setup is
    done. ``set_down_from`` names the stocks whose marbles go straight on to a board. ``words`` are the words of the
    language that the rules use, ``labels`` the branches that a seat may choose. ``moves``: seats choose marbles of
    boards that are moved or taken.

    Positions may come again where marbles both come and go, or change, within one phase, unless their number only falls
    or only grows from turn to turn.
    """

    size: int = 4
    boards: tuple[str, ...] = ("board",)
    stocks: tuple[StockFacts, ...] = ()
    recolours: bool = False
    draws: bool = False
    set_down_from: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    moves: bool = False

    def stock(self, name: str) -> StockFacts | None:
        """Return the stock called ``name``, or None."""
        return next((stock for stock in self.stocks if stock.name == name), None)

    @property
    def drawn_from(self) -> frozenset[str]:
        """The names of the stocks that the rules draw from by chance."""
        return frozenset(stock.name for stock in self.stocks if stock.drawn)

    @property
    def hand(self) -> tuple[str, tuple[int, ...]]:
        """The stock that a game for one begins with, if it is not drawn, and its marbles by colour."""
        if self.players != (1, 1):
            return "", ()
        held = (s for s in self.stocks if s.name != "box" and not s.drawn and any(s.begins[0]))
        return next(((stock.name, stock.begins[0]) for stock in held), ("", ()))


def marble_facts(of: game.Game, seats: int | None = None) -> MarbleFacts:
    """Return the facts of a game of marbles. Raises TypeError for any other kind of table."""
    found = of.facts(seats)
    if not isinstance(found, MarbleFacts):
        raise TypeError(f"{of.title} is no game of marbles")
    return found


def facts_of(rules: Rules, players: tuple[int, int], size: int, meta: Mapping[str, object]) -> MarbleFacts:
    """Return the facts of ``rules`` as compiled; ``meta`` is what the game's file says of itself."""
    blocks = in_secret(rules)
    phases = [phase for phase in rules.phases if not phase.prelude]
    numbered = tuple(
        in_every_language(N_("phase {number} of {count}"), number=i, count=len(phases))
        for i in range(1, len(phases) + 1)
    )
    everyone = (1 << rules.seats) - 1
    # A bag into which nobody looks is chance; a secret is what one seat knows and another does not.
    secrets = any(sight & everyone not in (0, everyone) for sight in (*rules.board_sight, *rules.stock_sight))
    return MarbleFacts(
        players=players,
        secrets=secrets or bool(blocks),
        chance=any(step.chance for step in rules.code),
        simultaneous=bool(blocks),
        aim="score" if any(rule.most_is_score for rule in _ends(rules)) else "win",
        solver=_solver(rules),
        phases=numbered if len(phases) > 1 else (),
        options=_options(size, meta),
        size=rules.pyramid.size,
        boards=rules.board_names,
        stocks=_stocks(rules),
        series=rules.series is not None,
        games=rules.series.games if rules.series is not None else 1,
        scored=rules.score is not None,
        recolours=any(step.op == "Recolour" for step in rules.code),
        recurs=any(_recurs(program, start) for start, program in _programs(rules)),
        draws=any(step.chance for _, program in _programs(rules) for step in program),
        set_down_from=rules.supplies(of_boards=True),
        counted=counted(rules),
        lost_by=frozenset(rules.reason(number)["en"] for number in rules.all_lose)
        if rules.seats > 1
        else frozenset(),
        words=rules.uses,
        labels=rules.labels,
        moves=any(step.op in ("Lift", "Take") for step in rules.code),
    )


def _programs(rules: Rules) -> list[tuple[int, list[Instruction]]]:
    """Return where the program of each phase begins, and its steps."""
    starts = sorted(phase.start for phase in rules.phases)
    return [(start, rules.code[start:end]) for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _recurs(program: list[Instruction], start: int) -> bool:
    """Return whether turns of a phase, whose program begins at ``start``, may lead back to a position.

    They do not where marbles only come or only go, nor where each turn takes one and none brings any, or the other way
    round.
    """
    steps = {step.op for step in program}
    come, go = bool(steps & COMING), any(map(_takes, program)) or "Remove" in steps
    if not come and _each_turn(program, start, _takes):
        return False
    if not go and _each_turn(program, start, lambda step: step.op == "Place"):
        return False
    return bool(steps & {"Lift", "Recolour"}) or (come and go)


def _takes(step: Instruction) -> bool:
    """Return whether a step takes a marble off the board, whatever is chosen."""
    return step.op == "Take" or (step.op == "SetDown" and bool(step.terms[1]))


def _each_turn(program: list[Instruction], start: int, does: Callable[[Instruction], bool]) -> bool:
    """Return whether every way through a program, which begins at ``start``, comes to a step that ``does`` it."""
    met, ways = {start}, [start]
    while ways:
        step = program[ways.pop() - start]
        if does(step):
            continue
        if step.op == "EndTurn":
            return False
        new = set(step.targets()) - met
        met |= new
        ways += new
    return True


def in_secret(rules: Rules) -> list[Instruction]:
    """Return the steps of all blocks in which seats choose in secret."""
    found: list[Instruction] = []
    block = -1
    for step in rules.code:
        if step.op == "ByBegin" and step.terms[3]:
            block = step.terms[0]
        if block >= 0:
            found.append(step)
        if step.op == "ByEnd" and step.terms[0] == block:
            block = -1
    return found


def _ends(rules: Rules) -> list[EndRule]:
    """All rules by which the match may end."""
    return [*rules.ends, *[rule for phase in rules.phases for rule in phase.ends]]


def counted(rules: Rules) -> Literal["", "marbles", "points"]:
    """Return what the score counts where one seat plays alone for the highest; empty elsewhere."""
    if rules.seats != 1 or rules.score is None or _solver(rules) != "score":
        return ""
    what = rules.score.args[0] if rules.score.op == "Count" else None
    return "marbles" if getattr(what, "op", "") == "Filled" else "points"


def _solver(rules: Rules) -> Literal["", "win", "score"]:
    """What can be searched for to the end: nobody plays against anybody, or one seat plays for a score."""
    ends = _ends(rules)
    if rules.seats == 1:
        return "score" if any(rule.most is not None for rule in ends) else "win"
    everyone = (1 << rules.seats) - 1
    together = rules.series is None and all(
        (node := rule.win or rule.lose) is not None and node.op == "Const" and node.value == everyone
        for rule in ends
    )
    return "win" if together else ""


def _stocks(rules: Rules) -> tuple[StockFacts, ...]:
    """The stocks, each name once, in the order of the rules."""
    supplies = rules.supplies()
    given = {stock_base(step.terms[2]) for step in in_secret(rules) if step.op == "Give"}
    found = []
    for name in dict.fromkeys(rules.stock_names):
        holders = [i for i, other in enumerate(rules.stock_names) if other == name]
        found.append(
            StockFacts(
                name,
                each=rules.stock_holders[holders[0]] >= 0,
                drawn=name in rules.drawn_from,
                hidden=any(rules.stock_sight[i] != EVERYONE for i in holders),
                secret=holders[0] in given,
                supplies=name in supplies,
                begins=tuple([rules.stock_start[i] for i in holders]),
            )
        )
    return tuple(found)


def _options(size: int, meta: Mapping[str, object]) -> tuple[game.Option, ...]:
    """What is chosen before a match: the size of the board and the variant, where there are several."""
    found = []
    sizes, variants = meta.get("sizes"), meta.get("variants")
    if isinstance(sizes, tuple) and len(sizes) > 1:
        usual = meta.get("size")
        label = {"en": N_("board")}
        found.append(game.Option("size", label, sizes, usual if isinstance(usual, int) else size))
    if isinstance(variants, tuple) and variants:
        found.append(game.Option("variant", {"en": N_("variant")}, ("", *variants), ""))
    return tuple(found)
