"""Search for deals of solo games, grading of them into a ladder, and proof of a ladder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from shibumi3d.catalogue.notation import format_turns, parse_turns
from shibumi3d.catalogue.solo import DEALS_PER_LEVEL, LEVELS, SoloDeal, parse_ladder_file
from shibumi3d.lab.jobs import GameText, Row, RunJobs, split_job
from shibumi3d.rules.game import ExportsPositions, Game, Position, State
from shibumi3d.search.solo import (
    MIN_LINE_TURNS,
    PROOF_MOVES,
    count_only_moves,
    find_faults,
    grade_deal,
    make_lead_in,
    prove_deal,
)

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

DEALS_PER_JOB = 2
"""Number of deals per job; each deal takes several seconds."""
RANDOM_LEAD_TURNS = (0, 3, 6, 8, 10, 12, 15, 18)
"""Numbers of random turns before a deal; the more there are, the harder it is to make up for them."""
GOOD_LEAD_TURNS = (6, 9, 12, 15, 18, 21, 24, 27)
"""Numbers of turns of a proved line before a deal; the more there are, the easier the rest is."""
SEEDS_PER_SOURCE = 10_000
"""Number of seeds reserved for each source, so that the deals of a ladder have different seeds."""
MAX_FRUITLESS_DEALS = 12
"""Number of successive deals of one source without a find, after which the source is given up."""
CHECKED_PROOF_FACTOR = 2
"""How many times the work of its proof may be spent on a deal when it is checked, beyond the usual work."""


@dataclass(frozen=True, slots=True)
class SoloMiningJob:
    """Job that proves and grades the deals with the seeds ``first`` to ``first + count - 1``.

    ``lead`` is the number of turns before the deal begins. They are random or, if ``has_good_lead`` is set, those of a
    proved line. Deals whose level isn't in ``levels`` are dropped.
    """

    kind: ClassVar[str] = "solo mining"
    table: GameText
    lead: int = 0
    has_good_lead: bool = False
    levels: tuple[int, ...] = LEVELS
    work: int = PROOF_MOVES
    """Maximum number of moves tried for a proof."""
    first: int = 1
    count: int = 100

    def run(self) -> list[Row]:
        """Try the deals and return a row for each, with the ``deal`` found or None."""
        game = self.table.load_game()
        numbers = range(self.first, self.first + self.count)
        return [{"number": number, "deal": self._find_deal(game, number)} for number in numbers]

    def _find_deal(self, game: Game, seed: int) -> Row | None:
        lead = self._make_lead(game, seed)
        if lead is None:
            return None
        deal = SoloDeal(self.table.id, 1, 1, (), seed=seed, moves=lead)
        state = deal.start_state(game)
        proved = prove_deal(game, state, self.work)
        if proved is None:
            return None
        line = _group_by_turn(game, state, proved.line)
        if len(line) < MIN_LINE_TURNS:
            return None
        graded = grade_deal(game, state, proved.best, self.levels)
        if graded is None:
            return None
        return {
            "lead": format_turns(lead),
            "line": format_turns(line),
            "best": proved.best,
            "work": proved.work,
            "level": graded[0],
            "won": dict(graded[1]),
            "only": count_only_moves(game, state, proved),
        }

    def _make_lead(self, game: Game, seed: int) -> tuple[tuple[str, ...], ...] | None:
        start = game.start(1, seed)
        if not self.has_good_lead:
            return make_lead_in(game, start, self.lead, Random(f"solo/{seed}"))
        proved = prove_deal(game, start, self.work)
        return _group_by_turn(game, start, proved.line)[: self.lead] if proved is not None else None

    def split(self) -> Iterator[SoloMiningJob]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, DEALS_PER_JOB)


@dataclass(frozen=True, slots=True)
class SoloCheckJob:
    """Job that proves deals again; ``ladder`` is a ladder file that contains them."""

    kind: ClassVar[str] = "solo check"
    table: GameText
    ladder: str

    def run(self) -> list[Row]:
        """Prove the deals and return a row for each, with its ``faults``."""
        game, rows = self.table.load_game(), []
        for deal in parse_ladder_file(self.ladder.encode(), "ladder", self.table.id):
            line = [move for turn in deal.line for move in turn]
            try:
                state = deal.start_state(game)
            except ValueError:
                faults = ["moves"]
            else:
                max_moves = PROOF_MOVES + CHECKED_PROOF_FACTOR * deal.work
                faults = find_faults(game, state, line, deal.best, max_moves)
            rows.append({"id": deal.id, "faults": faults})
        return rows


@dataclass
class _DealSource:
    """Source of deals: a size and variant of a game, and the kind and number of turns before the deal."""

    table: GameText
    size: int
    lead: int
    has_good_lead: bool
    seed: int
    fruitless: int = 0


@dataclass
class LadderBuilder:
    """A ladder that is being filled, beginning with the deals already in it."""

    entry: Entry
    rules: str
    deals: list[SoloDeal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._keys = {deal.start_key(deal.load_game(self.entry)) for deal in self.deals}

    @property
    def open_levels(self) -> tuple[int, ...]:
        """Levels that aren't full."""
        counts = [sum(deal.level == level for deal in self.deals) for level in LEVELS]
        return tuple(level for level, count in zip(LEVELS, counts, strict=True) if count < DEALS_PER_LEVEL)

    def add(self, source: _DealSource, seed: int, row: Row) -> bool:
        """Add a deal found by a job; return whether its level had room and it was new."""
        if row["level"] not in self.open_levels:
            return False
        deal = SoloDeal(
            game=self.entry.id,
            id=max((each.id for each in self.deals), default=0) + 1,
            level=row["level"],
            line=parse_turns(row["line"]),
            seed=seed,
            size=source.size,
            variant=source.table.variant,
            moves=parse_turns(row["lead"]) if row["lead"] else (),
            best=row["best"],
            won=row["won"],
            only=row["only"],
            work=row["work"],
            rules=self.rules,
        )
        game = source.table.load_game()
        key = deal.start_key(game)
        if key in self._keys:
            return False
        self._keys.add(key)
        position = _position_of(game, deal.start_state(game)) if deal.moves else None
        self.deals.append(replace(deal, position=position, moves=()) if position is not None else deal)
        return True


def mine_ladder(
    builder: LadderBuilder,
    run_jobs: RunJobs,
    *,
    seed: int = 1,
    seconds: float = 60.0,
    deals: int | None = None,
    max_moves: int = PROOF_MOVES,
    parallel_jobs: int = 1,
) -> tuple[int, float]:
    """Try deals until the ladder is full; return the number tried and the CPU time used, in seconds.

    The search cycles through the sizes up to the usual one, the variants and the numbers of lead-in turns. It ends
    after ``deals`` deals or, if that is None, after ``seconds`` seconds of CPU time. A proof may try
    ``max_moves`` moves.
    """
    sources, tried, spent = _make_deal_sources(builder.entry, seed), 0, 0.0
    while sources and builder.open_levels and (tried < deals if deals else not tried or spent < seconds):
        source = sources.pop(0)
        count = DEALS_PER_JOB * parallel_jobs
        job = SoloMiningJob(
            source.table,
            source.lead,
            source.has_good_lead,
            builder.open_levels,
            max_moves,
            source.seed,
            count,
        )
        rows, took = run_jobs(list(job.split()))
        for row in rows:
            is_new = row["deal"] is not None and builder.add(source, row["number"], row["deal"])
            source.fruitless = 0 if is_new else source.fruitless + 1
        source.seed, tried, spent = source.seed + count, tried + len(rows), spent + took
        if source.fruitless < MAX_FRUITLESS_DEALS:
            sources.append(source)
    return tried, spent


def check_jobs(entry: Entry, deals: Sequence[SoloDeal], rules_hash: str) -> Iterator[SoloCheckJob]:
    """Yield the jobs that prove deals again, one for each deal."""
    from shibumi3d.catalogue.solo import format_ladder_file

    for deal in deals:
        table = GameText.from_entry(entry, size=deal.size or None, variant=deal.variant)
        yield SoloCheckJob(table, format_ladder_file(rules_hash, [deal]))


def _make_deal_sources(entry: Entry, seed: int) -> list[_DealSource]:
    usual = entry.game().size
    sizes = [size for size in sorted(entry.sizes) if size <= usual] or [usual]
    sources: list[_DealSource] = []
    leads = [(turns, False) for turns in RANDOM_LEAD_TURNS] + [(turns, True) for turns in GOOD_LEAD_TURNS]
    for lead, has_good_lead in leads:
        for size in sizes:
            for variant in ("", *entry.variants):
                options: dict[str, Any] = {"size": size, "variant": variant}
                table = GameText.from_entry(entry, seats=1, **options)
                first = seed + SEEDS_PER_SOURCE * len(sources)
                sources.append(_DealSource(table, size if size != usual else 0, lead, has_good_lead, first))
    return sources


def _group_by_turn(game: Game, state: State, moves: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    turns: list[list[str]] = []
    before = -1
    for text in moves:
        if state.turn != before:
            turns.append([])
            before = state.turn
        turns[-1].append(text)
        state, _ = game.apply(state, text)
    return tuple(map(tuple, turns))


def _position_of(game: Game, state: State) -> Position | None:
    """Return the position of a state, or None if chance may play a part after it."""
    if not isinstance(game, ExportsPositions) or game.facts(1).has_chance:
        return None
    return game.position_of(state)
