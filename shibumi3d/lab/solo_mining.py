"""Search for deals of solo games, their grading into a ladder, and verification of a ladder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, ClassVar

from shibumi3d.catalogue.notation import format_position, format_turns, parse_position, parse_turns
from shibumi3d.catalogue.solo import (
    DEALS_PER_LEVEL,
    LEVELS,
    SoloDeal,
    format_ladder_file,
    parse_ladder_file,
)
from shibumi3d.lab.jobs import GameText, Row, RunJobs, split_job
from shibumi3d.rules.game import ExportsPositions, Game, Position, State
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.solo import (
    MIN_LINE_TURNS,
    PROOF_MOVES,
    count_only_moves,
    find_deal_faults,
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
TURNS_LEFT = (4, 5, 6, 7, 8, 10, 12, 15)
"""Numbers of turns of a proved line that are left in a deal; the more there are, the harder the deal."""
RANDOM_TURNS_BEFORE_LINE = 2
"""Number of random turns before a proved line. Without them, games without chance would have a single line."""
MAX_TURNS_FOLLOWED, MAX_TURNS_CUT, MAX_TURNS_CHANGED = 4, 3, 2
"""When a deal is varied, the maximum numbers of turns to play from its line, to take back, and to add at random."""
MIN_DIFFERENT_POINTS = 2
"""Minimum number of points on which two deals of a ladder must differ, however the board is rotated or reflected.

In games with chance, deals may have the same board, since the marbles drawn or hidden may differ.
"""
SEEDS_PER_SOURCE = 10_000
"""Number of seeds reserved for each source, so that the deals of a ladder have different seeds."""
MAX_FRUITLESS_DEALS = 12
"""Number of successive unsuccessful deals after which a source is given up."""
CHECKED_PROOF_FACTOR = 2
"""Work allowed to check a deal, beyond the usual work, as a multiple of the work of its proof."""


@dataclass(frozen=True, slots=True)
class SoloMiningJob:
    """Job that proves and grades the deals with the numbers ``first`` to ``first + count - 1``.

    ``bases`` is the text of a ladder file, or empty. If it is not empty, the deals are variations of the deals in the
    file. Otherwise, the number of a deal is its seed. If ``turns_left`` is 0, such a deal begins after ``lead`` random
    turns. If not, the job proves a line that starts after these turns, and the deal begins ``turns_left`` turns before
    the end of that line.

    Unsuitable deals are dropped, including those whose level isn't in ``levels``.
    """

    kind: ClassVar[str] = "solo mining"
    table: GameText
    lead: int = 0
    turns_left: int = 0
    bases: str = ""
    levels: tuple[int, ...] = LEVELS
    work: int = PROOF_MOVES
    """Maximum number of moves tried to prove a win; twice as many may be tried to prove a best score."""
    first: int = 1
    count: int = 100

    def run(self) -> list[Row]:
        """Prove and grade the deals; return a row for each.

        In each row, "deal" is the data of the graded deal, as returned by :meth:`_grade`, or None if the number yields
        no suitable deal.
        """
        game = self.table.load_game()
        bases = parse_ladder_file(self.bases.encode(), "bases", self.table.id) if self.bases else ()
        rows: list[Row] = []
        for number in range(self.first, self.first + self.count):
            start = (
                _vary_deal(game, bases[number % len(bases)], Random(f"solo/{number}"))
                if bases
                else self._make_start(game, number)
            )
            rows.append({"number": number, "deal": self._grade(game, start) if start is not None else None})
        return rows

    def _grade(self, game: Game, start: SoloDeal) -> Row | None:
        """Prove and grade a deal; return its data, or None if the deal isn't suitable.

        A deal isn't suitable if the match is already over where the deal begins, if no win or best score is proved, if
        the proved line has fewer than :data:`.MIN_LINE_TURNS` turns, if random play succeeds too often, or if the level
        isn't in ``levels``.
        """
        state = start.start_state(game)
        if state.to_move is None:
            return None
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
            "seed": start.seed,
            "position": format_position(start.position) if start.position is not None else "",
            "lead": format_turns(start.moves),
            "line": format_turns(line),
            "best": proved.best,
            "work": proved.work,
            "level": graded[0],
            "won": dict(graded[1]),
            "only": count_only_moves(game, state, proved),
        }

    def _make_start(self, game: Game, seed: int) -> SoloDeal | None:
        """Return a deal that begins after random turns or near the end of a proved line.

        Return None if no such deal can be made.
        """
        state = game.start(1, seed)
        lead = make_lead_in(game, state, self.lead, Random(f"solo/{seed}"))
        if lead is None:
            return None
        start = SoloDeal(self.table.id, 1, 1, (), seed=seed, moves=lead)
        if not self.turns_left:
            return start
        state = start.start_state(game)
        proved = prove_deal(game, state, self.work)
        if proved is None:
            return None
        line = _group_by_turn(game, state, proved.line)
        return replace(start, moves=lead + line[: -self.turns_left]) if len(line) >= self.turns_left else None

    def split(self) -> Iterator[SoloMiningJob]:
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from split_job(self, DEALS_PER_JOB)


@dataclass(frozen=True, slots=True)
class SoloCheckJob:
    """Job that proves the deals of a ladder again; ``ladder`` is the text of the ladder file."""

    kind: ClassVar[str] = "solo check"
    table: GameText
    ladder: str

    def run(self) -> list[Row]:
        """Check the deals and return a row for each.

        In each row, "faults" lists the faults of the deal. The list is empty if there are none.
        """
        game, rows = self.table.load_game(), []
        for deal in parse_ladder_file(self.ladder.encode(), "ladder", self.table.id):
            line = [move for turn in deal.line for move in turn]
            try:
                state = deal.start_state(game)
            except ValueError:
                faults = ["moves"]
            else:
                max_moves = PROOF_MOVES + CHECKED_PROOF_FACTOR * deal.work
                faults = find_deal_faults(game, state, line, deal.best, max_moves)
            rows.append({"id": deal.id, "faults": faults})
        return rows


@dataclass
class _DealSource:
    """Source of deals: a size and variant of a game, and a way to make deals.

    ``size`` is 0 for the usual size. ``seed`` is the number of the next deal to try. ``fruitless`` is the number of
    deals in a row, up to the latest one, that weren't added to the ladder. ``lead`` and ``turns_left`` are as in
    :class:`SoloMiningJob`.
    """

    table: GameText
    size: int
    seed: int
    lead: int = 0
    turns_left: int = 0
    varies: bool = False
    """Whether its deals are variations of those that are already in the ladder."""
    fruitless: int = 0


@dataclass
class LadderBuilder:
    """A ladder of solo deals that is being filled.

    ``rules`` is the hash of the game's rules. ``deals`` contains the deals in the ladder so far; :meth:`add` adds new
    ones.
    """

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

    def bases_for(self, source: _DealSource) -> str:
        """Return the text of a ladder file with the deals whose variations may belong to an open level.

        These are the deals of the source's size and variant at the open levels and the levels next to them; if there
        are none, the text is empty.
        """
        near = {level + step for level in self.open_levels for step in (-1, 0, 1)}
        bases = [
            deal
            for deal in self.deals
            if deal.level in near and (deal.size, deal.variant) == (source.size, source.table.variant)
        ]
        return format_ladder_file(self.rules, bases) if bases else ""

    def add(self, source: _DealSource, row: Row) -> bool:
        """Add a deal found by a job, unless its level is full or the ladder already has the same or a similar deal.

        Return whether it was added.
        """
        if row["level"] not in self.open_levels:
            return False
        deal = SoloDeal(
            game=self.entry.id,
            id=max((each.id for each in self.deals), default=0) + 1,
            level=row["level"],
            line=parse_turns(row["line"]),
            seed=row["seed"],
            size=source.size,
            variant=source.table.variant,
            position=parse_position(row["position"]) if row["position"] else None,
            moves=parse_turns(row["lead"]) if row["lead"] else (),
            best=row["best"],
            won=row["won"],
            only=row["only"],
            work=row["work"],
            rules=self.rules,
        )
        game = source.table.load_game()
        key = deal.start_key(game)
        if key in self._keys or self._has_similar(game, deal):
            return False
        self._keys.add(key)
        position = _position_of(game, deal.start_state(game)) if deal.moves else None
        self.deals.append(replace(deal, position=position, moves=()) if position is not None else deal)
        return True

    def _has_similar(self, game: Game, deal: SoloDeal) -> bool:
        """Return whether the ladder already has a deal that is similar to ``deal``.

        Similar deals have the same size and variant, and differ at fewer than :data:`MIN_DIFFERENT_POINTS` points. In
        games with chance, the result is always False.
        """
        if game.facts(1).has_chance:
            return False
        search = make_search(game, game.observe(deal.start_state(game), 0), 0)
        return any(
            search.distance_to(game.observe(other.start_state(game), 0)) < MIN_DIFFERENT_POINTS
            for other in self.deals
            if (other.size, other.variant) == (deal.size, deal.variant)
        )


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
    """Fill a ladder with deals; return the number of deals tried and the CPU time used, in seconds.

    The search cycles through the sources of deals. There is one for each combination of a size (up to the usual one), a
    variant and a way to make deals. Suitable deals are added to ``builder``. ``max_moves`` is passed to the jobs as
    ``work``.

    The search ends when the ladder is full or every source has been given up. If ``deals`` is given, it also ends once
    at least that many deals have been tried; otherwise, it also ends after ``seconds`` seconds of CPU time. A source is
    given up after :data:`MAX_FRUITLESS_DEALS` unsuccessful deals in succession. A source of variations is also given up
    if the ladder contains no deals that it can vary.
    """
    sources, tried, spent = _make_deal_sources(builder.entry, seed), 0, 0.0
    while sources and builder.open_levels and (tried < deals if deals else not tried or spent < seconds):
        source = sources.pop(0)
        bases = builder.bases_for(source) if source.varies else ""
        if source.varies and not bases:
            continue
        count = DEALS_PER_JOB * parallel_jobs
        job = SoloMiningJob(
            source.table,
            source.lead,
            source.turns_left,
            bases,
            builder.open_levels,
            max_moves,
            source.seed,
            count,
        )
        rows, took = run_jobs(list(job.split()))
        for row in rows:
            is_new = row["deal"] is not None and builder.add(source, row["deal"])
            source.fruitless = 0 if is_new else source.fruitless + 1
        source.seed, tried, spent = source.seed + count, tried + len(rows), spent + took
        if source.fruitless < MAX_FRUITLESS_DEALS:
            sources.append(source)
    return tried, spent


def check_jobs(entry: Entry, deals: Sequence[SoloDeal], rules_hash: str) -> Iterator[SoloCheckJob]:
    """Yield the jobs that prove deals again, one for each deal."""
    for deal in deals:
        table = GameText.from_entry(entry, size=deal.size or None, variant=deal.variant)
        yield SoloCheckJob(table, format_ladder_file(rules_hash, [deal]))


def _make_deal_sources(entry: Entry, seed: int) -> list[_DealSource]:
    """Return a source of deals for each combination of size, variant and way to make deals.

    Sizes above the usual one are left out.
    """
    usual = entry.game().size
    sizes = [size for size in sorted(entry.sizes) if size <= usual] or [usual]
    sources: list[_DealSource] = []

    def add(lead: int = 0, turns_left: int = 0, varies: bool = False) -> None:
        for size in sizes:
            for variant in ("", *entry.variants):
                table = GameText.from_entry(entry, seats=1, size=size, variant=variant)
                first = seed + SEEDS_PER_SOURCE * len(sources)
                kept_size = size if size != usual else 0
                sources.append(_DealSource(table, kept_size, first, lead, turns_left, varies))

    for turns in RANDOM_LEAD_TURNS:
        add(lead=turns)
    for turns in TURNS_LEFT:
        add(lead=RANDOM_TURNS_BEFORE_LINE, turns_left=turns)
    add(varies=True)
    return sources


def _vary_deal(game: Game, base: SoloDeal, rng: Random) -> SoloDeal | None:
    """Return a variation of a deal, or None if it can't be made.

    The variation begins near the beginning of ``base``: a few of the turns before it are taken back, or a few turns of
    its line are played, and then one or two random turns are added.
    """
    moves = base.moves
    if moves and rng.random() < 0.5:
        moves = moves[: -rng.randint(1, MAX_TURNS_CUT)]
    else:
        moves += base.line[: rng.randint(0, min(MAX_TURNS_FOLLOWED, len(base.line) - 1))]
    start = replace(base, moves=moves)
    lead = make_lead_in(game, start.start_state(game), rng.randint(1, MAX_TURNS_CHANGED), rng)
    return replace(start, moves=moves + lead) if lead is not None else None


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
    """Return the position that describes ``state``, or None if there is none or if the game involves chance."""
    if not isinstance(game, ExportsPositions) or game.facts(1).has_chance:
        return None
    return game.position_of(state)
