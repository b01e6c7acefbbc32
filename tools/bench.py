"""Benchmarks of the engine, the search, the renderer and the window: ``python -m tools bench``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

from shibumi3d import __version__, native
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.common import CommandError, add_command, find_entry, parse_positive, parse_seconds
from shibumi3d.paths import launch_command
from shibumi3d.rules.game import as_move_of
from shibumi3d.rules.marbles.search.certificates import Certificate, load_certificate
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import Budget
from tools.kept import measure_kept_wins

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game
    from shibumi3d.rules.search_protocols import Search
    from shibumi3d.scene.camera import Camera
    from shibumi3d.scene.frame import Frame

UNLIMITED_PROOF_WORK = 10**15
"""Maximum cost of a proof, in the work units of the rules; in effect unlimited."""
KEPT, LAB = "kept", "lab"
OPTIONAL_PARTS = (KEPT, LAB)
"""Benchmarks that only run if they are named, because they take minutes."""
LAB_PLAN = "tasks: [{what: selfplay, games: spline, matches: 10000, seeds: 1}]\n"
"""Plan for the benchmark of the laboratory.

Its matches are random, so they themselves take as little time as possible.
"""
MAX_PLAYOUT_TURNS = 10_000
"""Number of turns after which a random game is abandoned; some games could go on forever."""


@dataclass(frozen=True, slots=True)
class Target:
    """Target of a benchmark: a minimum for rates, a maximum for times.

    ``native`` applies to the compiled engine, ``pure`` to plain Python. ``ratio`` also applies to the compiled engine:
    it is the target relative to the yardstick (see :func:`make_yardstick`), or 0 if there is no such target.
    """

    native: float
    pure: float
    ratio: float = 0.0

    def __str__(self) -> str:
        value = self.native if native.status.is_native else self.pure
        text = f"{value:,g}"
        return f"{text}, {self.ratio:g} x" if self.ratio and native.status.is_native else text


# Games with targets of their own, as (name, variant). The median of all games for two and the slowest game have targets
# too.
PLAYOUT_TARGETS = {
    ("spline", None): Target(400_000, 14_000, ratio=5.5),
    ("span", None): Target(280_000, 10_000),
    ("spargo", None): Target(35_000, 1_000),
    ("spargo", "margo"): Target(1_500, 100, ratio=0.02),
    ("spuzzle", None): Target(50_000, 1_900),
}
SEARCH_TARGETS = {"spline": Target(150_000, 5_000), "spargo": Target(15_000, 400)}
"""Games for which simulations of the tree search are measured, with their targets."""
PROOF_TARGETS = {("span", 4): (0, 20), ("spline", 4): (1, 60)}
"""Proofs that are measured: game and size, with the winning seat and the maximum number of seconds.

They are only measured with the compiled engine; in plain Python they take minutes.
"""
TWO_PLAYER_TARGET = Target(20_000, 900, ratio=0.6)
SLOWEST_TARGET = Target(500, 25, ratio=0.12)
MOVE_TARGET = Target(20, 60)


@dataclass(frozen=True, slots=True)
class Figure:
    """Result of a benchmark.

    ``value`` is None if nothing could be measured. ``ratio`` is the value relative to that of the yardstick (see
    :func:`make_yardstick`), or 0 if the two weren't compared. ``aim`` is the target as text, empty if there is none.
    """

    name: str
    value: float | None
    unit: str
    aim: str = ""
    ratio: float = 0.0

    def __str__(self) -> str:
        ratio = f"{self.ratio:>9.3g} x" if self.ratio else " " * 11
        aim = f"   aim: {self.aim}" if self.aim else ""
        value = (
            f"{self.value:>12,.2f} {self.unit:<10}" if self.value is not None else "  not measured".ljust(23)
        )
        return f"{self.name:<64}{value}{ratio}{aim}".rstrip()


def register(commands: Commands) -> None:
    """Add the ``bench`` command."""
    parser = add_command(commands, "bench", run, "measure speed: CPU time on one core")
    parser.add_argument(
        "part",
        metavar="PART",
        nargs="*",
        help=f"benchmark to run: {', '.join(PARTS)} (default: all but {' and '.join(OPTIONAL_PARTS)})",
    )
    parser.add_argument(
        "--game", metavar="GAME", help="measure only this game, where a benchmark measures games"
    )
    parser.add_argument(
        "--seconds",
        type=parse_seconds,
        default=1.0,
        metavar="S",
        help="seconds for each measurement (default: 1)",
    )
    parser.add_argument(
        "--positions",
        type=parse_positive,
        default=20,
        metavar="N",
        help=f"positions of each game, for the benchmark {KEPT} (default: 20)",
    )
    parser.add_argument(
        "--turns",
        type=parse_positive,
        metavar="N",
        help=f"maximum number of turns before these positions (default: any number), for the benchmark {KEPT}",
    )
    parser.add_argument(
        "--move-seconds",
        type=parse_seconds,
        metavar="S",
        help=f"CPU time per move, for the benchmark {KEPT} (default: 100 simulations without a time limit)",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks in ``args.part``, by default all but the optional ones, and print their results.

    Return 0, the exit status for success. Raises :class:`CommandError` if a benchmark is unknown or can't be carried
    out.
    """
    for part in args.part:
        if part not in PARTS:
            raise CommandError(f"there is no part '{part}' to measure, only {', '.join(PARTS)}")
    about = {
        "version": __version__,
        "engine": str(native.status),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    figures: list[Figure] = []
    if not args.json:
        print("Shibumi 3D {version} ({engine}), Python {python}, {system}".format(**about), flush=True)
    for part in args.part or [part for part in PARTS if part not in OPTIONAL_PARTS]:
        # A process can have only one window, since a graphics context is never fully released.
        runs_separately = part in DRAWING_PARTS and args.part != [part]
        for figure in _run_separately(part, args.seconds) if runs_separately else PARTS[part](args):
            figures.append(figure)
            if not args.json:
                print(figure, flush=True)
    if args.json:
        print(json.dumps({**about, "figures": [asdict(figure) for figure in figures]}))
    return 0


def _run_separately(part: str, seconds: float) -> Iterator[Figure]:
    command = [sys.executable, "-m", "tools", "bench", part, "--seconds", str(seconds), "--json"]
    process = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if process.returncode:
        raise CommandError(process.stderr.strip().rpartition("\n")[2].removeprefix("shibumi3d: "))
    for figure in json.loads(process.stdout)["figures"]:
        yield Figure(**figure)


def playouts(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the random playouts per second of marble games, and compare them with the yardstick.

    If ``args.game`` is given, only that game is measured. Otherwise, all marble games and the variants in
    :data:`PLAYOUT_TARGETS` are measured, and three more figures follow: the median of all games for two, the slowest
    game and the speed of the yardstick.

    The playouts produce no events. ``args.seconds`` is the CPU time for the playouts of one game. The yardstick, which
    is the function that :func:`make_yardstick` returns, takes an additional quarter of that time. Raises
    :class:`CommandError` if ``args.game`` has no fast playouts.
    """
    run_yardstick = make_yardstick()
    if args.game:
        entry = find_entry(args.game)
        yield _measure_playouts(
            entry.title, entry.game(), run_yardstick, args.seconds, PLAYOUT_TARGETS.get((entry.id, None))
        )[0]
        return
    rates: dict[str, float] = {}
    yardstick_rates: list[float] = []
    two_player_titles: list[str] = []
    for entry in load_catalogue():
        if entry.kind != DEFAULT_KIND:
            continue  # no fast playouts
        figure, yardstick_rate = _measure_playouts(
            entry.title, entry.game(), run_yardstick, args.seconds, PLAYOUT_TARGETS.get((entry.id, None))
        )
        yield figure
        assert figure.value is not None
        rates[entry.title] = figure.value
        yardstick_rates.append(yardstick_rate)
        if entry.players[0] == 2:
            two_player_titles.append(entry.title)
        for variant in entry.variants:
            if aim := PLAYOUT_TARGETS.get((entry.id, variant)):
                game = entry.game(variant=variant)
                title = f"{entry.title}, {variant} {game.size}x{game.size}"
                yield _measure_playouts(title, game, run_yardstick, args.seconds, aim)[0]
    usual_yardstick_rate = median(yardstick_rates)
    median_rate = median(rates[title] for title in two_player_titles)
    slowest = min(rates, key=lambda title: rates[title])
    yield Figure(
        f"median of {len(two_player_titles)} games for two",
        median_rate,
        "1/s",
        str(TWO_PLAYER_TARGET),
        median_rate / usual_yardstick_rate,
    )
    slowest_rate = rates[slowest]
    yield Figure(
        f"slowest of {len(rates)} games: {slowest}",
        slowest_rate,
        "1/s",
        str(SLOWEST_TARGET),
        slowest_rate / usual_yardstick_rate,
    )
    yield Figure("benchmark loop: Spline, hand-written in plain Python", usual_yardstick_rate, "1/s")


def _measure_playouts(
    title: str, game: Game, run_yardstick: Callable[[], None], seconds: float, aim: Target | None = None
) -> tuple[Figure, float]:
    """Measure the playouts per second of a game, and the calls to ``run_yardstick`` per second.

    Return the rate of playouts as a :class:`Figure`, and the rate of calls as a number. Playouts and calls take turns
    in five rounds, so that other load on the machine affects both. ``seconds`` is the CPU time for the playouts; the
    calls take another quarter of that time. ``title`` is the title of the game, and ``aim`` the target to show, if
    there is one.
    """
    play_out = make_playout_runner(game)
    play_out(1)
    start = process_time()
    play_out(1)
    # Batch playouts, so that the overhead of a call doesn't matter.
    batch_size = max(1, min(1000, int(0.01 / max(process_time() - start, 1e-6))))
    playout_count, spent, by_hand, spent_by_hand = 0, 0.0, 0, 0.0
    for _ in range(5):
        count, took = _time_calls(lambda: play_out(batch_size), seconds / 5)
        playout_count, spent = playout_count + count * batch_size, spent + took
        count, took = _time_calls(run_yardstick, seconds / 20)
        by_hand, spent_by_hand = by_hand + count, spent_by_hand + took
    rate, yardstick_rate = playout_count / spent, by_hand / spent_by_hand
    return Figure(
        f"{title}, random playouts", rate, "1/s", str(aim or ""), rate / yardstick_rate
    ), yardstick_rate


def search(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the simulations per second of the tree search, and compare them with the yardstick.

    All games in :data:`SEARCH_TARGETS` are measured or, if ``args.game`` is given, only that game. The search starts at
    the beginning of a match. ``args.seconds`` is the CPU time for the simulations of one game. The yardstick, which is
    the function that :func:`make_yardstick` returns, takes an additional quarter of that time.
    """
    run_yardstick = make_yardstick()
    for name, aim in {args.game: ""}.items() if args.game else SEARCH_TARGETS.items():
        entry = find_entry(name)
        game = entry.game()
        state = game.start(seed=1)
        seat = state.to_move or 0
        simulation_count, spent, by_hand, spent_by_hand = 0, 0.0, 0, 0.0
        for part in range(5):
            tree = make_search(game, game.observe(state, seat), seat, part)
            tree.run_simulations(100, lambda: False)
            count, took = _time_calls(_make_search_runner(tree), args.seconds / 5)
            simulation_count, spent = simulation_count + 500 * count, spent + took
            count, took = _time_calls(run_yardstick, args.seconds / 20)
            by_hand, spent_by_hand = by_hand + count, spent_by_hand + took
        rate, yardstick_rate = simulation_count / spent, by_hand / spent_by_hand
        yield Figure(
            f"{entry.title}, simulations of the tree search", rate, "1/s", str(aim), rate / yardstick_rate
        )


def proofs(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the CPU time it takes to prove which seat wins from the starting position.

    No certificates are used. The games are those in :data:`PROOF_TARGETS`; if ``args.game`` is given, only that one of
    them is measured. Nothing is measured in plain Python, which is too slow. Raises CommandError if a proof fails.
    """
    for (name, size), (winner, aim) in PROOF_TARGETS.items():
        if not native.status.is_native or args.game not in (None, name):
            continue
        entry = find_entry(name)
        game: Any = entry.game(size=size)
        walker = Certificate(game, winner, frozenset())
        walker.load(game.start(2))
        start = process_time()
        if not walker.can_prove_win(UNLIMITED_PROOF_WORK):
            raise CommandError(f"{entry.title} can't be proved any more")
        yield Figure(f"{entry.title} {size}x{size}, proof of who wins", process_time() - start, "s", str(aim))


def kept(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure how often the strongest level throws away a win, in games that have a certificate.

    Each variant that has a certificate is measured, too. If ``args.game`` is given, only this game and its variants are
    measured. ``args.positions`` is the number of won positions per game or variant. The positions come from random
    matches. If ``args.turns`` is given, they occur after at most that many turns (see :func:`.measure_kept_wins`). For
    each move, the level gets ``args.move_seconds`` seconds of CPU time, or 100 iterations if no time is given.
    """
    budget = Budget(iterations=100)
    if args.move_seconds is not None:
        budget = Budget(seconds=args.move_seconds, clock=process_time)
    for entry in load_catalogue():
        fewest, most = entry.players[0], entry.players[-1]
        if entry.kind != DEFAULT_KIND or args.game not in (None, entry.id) or not fewest <= 2 <= most:
            continue
        for variant in (None, *entry.variants):
            game: Any = entry.game(variant=variant)
            if not load_certificate(game):
                continue
            result = measure_kept_wins(game, args.positions, 1, budget, max_turns=args.turns)
            name = f"{entry.title}{f' ({variant})' if variant else ''}"
            yield Figure(f"{name}, won positions", result.won, "")
            yield Figure(f"{name}, still won after the turn of level 5", result.kept, "", str(result.won))
            yield Figure(f"{name}, thrown away", len(result.lost_lines), "", "0")


def _make_search_runner(tree: Search) -> Callable[[], None]:
    def more() -> None:
        tree.run_simulations(500, lambda: False)

    return more


def make_playout_runner(game: Game) -> Callable[[int], None]:
    """Return a function that takes a number and plays that many random playouts of a game.

    Each playout begins at the start of a match. Raises :class:`CommandError` if the game has no fast form for playouts.
    """
    fast = game.make_fast_game(seed=1)
    if fast is None:
        raise CommandError(f"{game.title} has no fast playouts")
    fast.load(game.start(seed=1))

    def play_out(count: int) -> None:
        fast.playouts(count, MAX_PLAYOUT_TURNS)

    return play_out


def make_yardstick() -> Callable[[], None]:
    """Return a function, written by hand in plain Python, that plays one random game of Spline.

    The speed of the engine is compared with that of this function, because machines differ in speed and load. The
    function must never be changed, so that ratios measured at different times can be compared.
    """
    from shibumi3d.rules.marbles.pyramid import get_pyramid

    table = get_pyramid(4)
    holes, supports, resting_on = table.holes, tuple(table.supports), tuple(table.resting_points)
    through = tuple(
        tuple(line for line in table.full_lines if line >> p & 1) for p in range(table.point_count)
    )
    chance = Random(1).random

    def one() -> None:
        own = other = filled = 0
        playable = holes
        while playable:
            left = playable
            for _ in range(int(chance() * left.bit_count())):
                left &= left - 1
            bit = left & -left
            p = bit.bit_length() - 1
            own |= bit
            filled |= bit
            playable ^= bit
            for q in resting_on[p]:
                if filled & supports[q] == supports[q]:
                    playable |= 1 << q
            for line in through[p]:
                if line & own == line:
                    return
            own, other = other, own

    return one


def states(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the average time of a move in random matches that use immutable states, as real matches do.

    The time includes listing the legal moves, choosing one of them, and making the new state and its events. The game
    is ``args.game``, or Spline by default.
    """
    entry = find_entry(args.game or "spline")
    game = entry.game()
    chance = Random(1)
    count = 0

    def one() -> None:
        nonlocal count
        state = game.start(seed=1)
        while moves := game.moves(state):
            state, _ = game.apply(state, chance.choice(moves))
            count += 1

    one()
    count = 0
    spent = _time_calls(one, args.seconds)[1]
    aim = "" if args.game else str(MOVE_TARGET)
    yield Figure(
        f"{entry.title}, moves + apply with states and events", spent / count * 1e6, "us a move", aim
    )


def start_up(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the CPU time of three whole commands, each run in a process of its own.

    Each command is run ``3 * args.seconds`` times (rounded down, but at least once), and the shortest time counts.
    Raises :class:`CommandError` if a command fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        picture = ("--tier", "low", "--size", "640x360", "--out", str(Path(folder, "first.png")))
        for name, arguments, aim in (
            ("list", ("list",), "0.4"),
            ("check, all games", ("check",), ""),
            ("shot, first frame of a game", ("shot", "spline", *picture), ""),
        ):
            seconds = min(_measure_cpu_seconds(arguments) for _ in range(max(1, int(args.seconds * 3))))
            yield Figure(f"shibumi3d {name}", seconds, "s", aim)


def _measure_cpu_seconds(arguments: tuple[str, ...], env: dict[str, str] | None = None) -> float:
    """Run a command of the program and return the CPU seconds that it and its child processes used.

    ``env`` holds the environment variables for the command, by default those of this process. Raises
    :class:`CommandError` if the command fails.
    """
    before = os.times()
    process = subprocess.run(
        [*launch_command(), *arguments], capture_output=True, text=True, check=False, env=env
    )
    if process.returncode:
        raise CommandError(
            f"'shibumi3d {' '.join(arguments)}' can't be measured here: {process.stderr.strip()}"
        )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def lab(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the overhead of a plan of 10,000 random matches, with one process and with two.

    The overhead is the CPU time from start to finish minus that of the matches, as a percentage of the latter. The
    speedup of two processes is measured in wall-clock time.
    """
    took = {}
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder, "plan.yaml")
        plan.write_text(LAB_PLAN, encoding="utf-8")
        # As in an installed program, all modules have been compiled to bytecode, here by a first run.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        _measure_cpu_seconds(("lab", "status", str(plan)), env)
        first = (
            "selfplay",
            "spline",
            "--games",
            "4",
            "--workers",
            "2",
            "--store",
            str(Path(folder, "first.db")),
        )
        _measure_cpu_seconds(first, env)
        for workers, process_text in ((1, "one process"), (2, "two processes")):
            words = ("lab", "run", str(plan), "--store", str(Path(folder, f"{workers}.db")))
            start = monotonic()
            spent = _measure_cpu_seconds((*words, "--workers", str(workers)), env)
            took[workers] = monotonic() - start
            status = subprocess.run(
                [*launch_command(), "lab", "status", *words[2:], "--json"], capture_output=True, check=True
            )
            matches = sum(task["seconds"] for task in json.loads(status.stdout)["tasks"])
            yield Figure(f"10,000 matches of a plan, {process_text}", matches, "s")
            yield Figure(
                f"overhead of the plan, {process_text}", 100 * (spent - matches) / matches, "%", "10"
            )
    yield Figure("speedup with two processes (wall-clock time)", took[1] / took[2], "", "1.8")


def picture(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the CPU time of drawing a frame off screen, of making one, and of picking a point.

    Frames are drawn at 1280x720, and the time is measured twice: while only the camera turns, and while a marble or
    card moves as well. Raises CommandError if a package is missing or there is no usable OpenGL.
    """
    try:
        from shibumi3d.render.screenshot import NoGraphicsError
        from tools import pictures
    except ImportError as error:
        raise CommandError(f"pictures can't be measured here: {error}") from None
    count = max(5, int(args.seconds * 20))
    position_texts = {False: "a full pyramid", True: "a busy mid-game position with all kinds of signs"}
    busiest = 0.0
    for tier, scale, signs, aim in (
        ("low", 0.67, False, "40"),
        ("low", 0.67, True, "40"),
        ("medium", 1.0, False, ""),
        ("high", 1.0, False, ""),
    ):
        try:
            cost = pictures.draw(tier, scale, count=count, signs=signs)
        except NoGraphicsError as error:
            raise CommandError(f"pictures can't be measured here: {error}") from None
        name = f"{position_texts[signs]}, {tier} tier at {scale}"
        yield Figure(f"{name}, camera moving", cost.turning, "ms", aim)
        yield Figure(f"{name}, marble moving", cost.playing, "ms", aim)
        busiest = max(busiest, cost.playing if signs else 0.0)
    # The most crowded table of another kind. Its target is the time for marbles in the same run.
    title, make, camera = most_crowded_table()
    cost = pictures.cards(make(), camera, count=count)
    aim = f"{busiest:.0f}"
    yield Figure(f"{title}, low tier at 0.67, camera moving", cost.turning, "ms", aim)
    yield Figure(f"{title}, card moving", cost.playing, "ms", aim)
    yield Figure("picking one of 30 points", pictures.pick(), "ms", "0.1")
    yield Figure(
        "making a frame with 30 marbles and 30 marks, and its arrays", pictures.frames(), "ms", "2.5"
    )
    calls, spent = _time_calls(make, args.seconds / 5)
    yield Figure(f"making a frame of {title}", spent / calls * 1000, "ms")


def most_crowded_table() -> tuple[str, Callable[[], Frame], Camera]:
    """Return a description of the most crowded table, a function that makes a frame of it, and its camera.

    The description consists of the title of the game, the number of seats, and the number of cards and signs on the
    table. Among the games without marbles, the game is the one for the most players, and all its seats are taken. Of
    the first ``20 * seats`` positions of a random match, the frame shows the one with the most cards and signs, as seen
    from the first seat.
    """
    from shibumi3d.scene.camera import make_home_camera_for_hull
    from shibumi3d.scene.palette import make_theme
    from shibumi3d.scene.registry import make_scene
    from shibumi3d.scene.table_scene import NO_HIGHLIGHTS

    entry = max(
        (entry for entry in load_catalogue() if entry.kind != DEFAULT_KIND),
        key=lambda entry: entry.players[1],
    )
    game, seats, chance = entry.game(), entry.players[1], Random(1)
    scene, state, fullest_view, max_count = make_scene(game, seats), game.start(seats, 1), None, -1
    for _ in range(20 * seats):
        view = game.observe(state, 0)
        scene.reset(view, 0)
        if (count := len(scene.frame(0.0, make_theme(), NO_HIGHLIGHTS).cards)) > max_count:
            fullest_view, max_count = view, count
        if state.decision is None:
            break
        seat = chance.choice(state.decision.seats)
        state, _ = game.apply(state, as_move_of(chance.choice(game.moves(state, seat)), seat, state))
    scene.reset(fullest_view, 0)
    title = f"{entry.title} for {seats}, {max_count} cards and signs"
    return (
        title,
        lambda: scene.frame(0.0, make_theme(), NO_HIGHLIGHTS),
        make_home_camera_for_hull(scene.hull, scene.view_direction, 16 / 9, [(0.0, 0.0, 0.2, 0.2)]),
    )


def path_planning(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure how long it takes to plan the paths of all marbles that move in a turn.

    Three turns are measured: a capture of 19 marbles, a fall of 5 marbles in a column, and the placing of 52 marbles on
    top of a full lowest level.
    """
    from shibumi3d.rules.marbles import event as ev
    from shibumi3d.rules.marbles.pyramid import get_pyramid
    from shibumi3d.scene.marbles.timeline import Timeline

    six, eight = get_pyramid(6), get_pyramid(8)
    column = [six.point_by_name[f"{level}a1"] for level in "ABCDEF"]
    stacked = [ev.Placed(0, point, point % 3, "tray") for point in range(64, 116)]
    fallen = [ev.Dropped(0, above, below, 0) for below, above in pairwise(column)]
    capture = [ev.Removed(0, point, 0, "tray") for point in range(60, 41, -1)]
    full = range(six.point_count)
    for name, size, before, events, aim in (
        ("a capture of 19", 6, range(61), capture, "3"),
        ("a fall of 5", 6, full, [ev.Removed(0, column[0], 0, "tray"), *fallen], "3"),
        ("52 stacked", eight.size, range(64), stacked, ""),
    ):

        def one(size: int = size, before: range = before, events: list[Any] = events) -> None:
            queue = Timeline((size,))
            queue.stock_positions = {"tray": (-1.5 * size, -2.0, -0.4)}
            queue.reset(dict.fromkeys([(0, point) for point in before], 0))
            queue.add(events, 0.0)

        count, spent = _time_calls(one, args.seconds / 5)
        yield Figure(f"planning the paths of {name}", spent / count * 1000, "ms", aim)


def flight(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the CPU time per frame at 1280x720 while a marble moves, while the view turns, and at rest.

    The frame rate while a marble moves is measured too, in wall-clock time. Raises CommandError if a package is missing
    or no window can be opened.
    """
    from shibumi3d.app.platform.pyglet_window import NoDisplayError
    from tools.flight import measure_flights

    try:
        cost = measure_flights()
    except (ImportError, NoDisplayError) as error:
        raise CommandError(f"flights can't be measured here: {error}") from None
    name = f"a frame while a marble moves in the window, {cost.tier} tier"
    yield Figure(name, cost.cost, "ms", "30")
    yield Figure(f"a frame while the view turns, {cost.tier} tier", cost.turning, "ms", "30")
    yield Figure(f"a frame that must be drawn at rest, {cost.tier} tier", cost.rest, "ms", "15")
    yield Figure("frame rate of such a move (wall-clock time)", cost.rate, "/s", "30")


def calls(args: argparse.Namespace) -> Iterator[Figure]:
    """Count the Python calls for a click, for frames, and for describing pages to a screen reader.

    The click makes a move in Spline; its calls into another file and into a higher layer are counted too. In one game
    of each table kind, the calls are counted for a frame in which nothing moves, for a frame during a move, and for a
    description of the page. The counts are the same on every machine. Raises CommandError if a package is missing or no
    window can be opened.
    """
    from shibumi3d.app.platform.pyglet_window import NoDisplayError
    from tools.calls import (
        CLICK_CALLS,
        CLICK_CALLS_UP,
        CLICK_FILE_CHANGES,
        MAX_CALLS_AT_REST,
        MAX_CALLS_IN_MOTION,
        count_headless_click,
        measure_games,
    )

    try:
        calls_by_game = measure_games()
        click = count_headless_click()
    except (ImportError, NoDisplayError) as error:
        raise CommandError(f"calls can't be counted here: {error}") from None
    yield Figure("Spline, a click that moves", click.calls.total(), "calls", str(CLICK_CALLS))
    yield Figure(
        "Spline, changes of file in such a click", click.file_changes, "calls", str(CLICK_FILE_CHANGES)
    )
    yield Figure(
        "Spline, calls up a layer in such a click", click.calls_up.total(), "calls", str(CLICK_CALLS_UP)
    )
    for game, (rest, motion, description) in calls_by_game.items():
        title = find_entry(game).title
        yield Figure(
            f"{title}, a frame in which nothing moves", rest.total(), "calls", str(MAX_CALLS_AT_REST)
        )
        yield Figure(f"{title}, a frame during a move", motion.total(), "calls", str(MAX_CALLS_IN_MOTION))
        yield Figure(f"{title}, description of the page for a screen reader", description.total(), "calls")


def settle(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure how long input waits while the window renders stills of several sizes.

    The frames drawn in the 5 seconds after the last still of each size are counted too; there should be none. Raises
    CommandError if a package is missing or no window can be opened.
    """
    from shibumi3d.app.platform.pyglet_window import NoDisplayError
    from tools.settle import measure_stills

    try:
        results = list(measure_stills())
    except (ImportError, NoDisplayError) as error:
        raise CommandError(f"stills can't be measured here: {error}") from None
    for index, (size, longest, step, whole, idle) in enumerate(results):
        name = f"{'a' if index else 'the first'} still at {size[0]}x{size[1]}"
        yield Figure(f"{name}, longest wait of input", longest, "ms", "50")
        yield Figure(f"{name}, median step", step, "ms")
        yield Figure(f"{name}, total time", whole, "ms")
        yield Figure(f"{name}, frames in the 5 s after it", idle, "", "0")


def _time_calls(action: Callable[[], object], seconds: float) -> tuple[int, float]:
    """Call ``action`` for at least ``seconds`` of CPU time, and at least once.

    Return the number of calls and the time they took.
    """
    count = 0
    start = process_time()
    while (spent := process_time() - start) < seconds or not count:
        action()
        count += 1
    return count, spent


DRAWING_PARTS = ("picture", "calls", "flight", "settle")
"""Benchmarks that open a graphics context, of which a process can have only one."""
PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Figure]]] = {
    "playouts": playouts,
    "search": search,
    "proofs": proofs,
    "states": states,
    "start-up": start_up,
    "picture": picture,
    "ways": path_planning,
    "calls": calls,
    "flight": flight,
    "settle": settle,
    KEPT: kept,
    LAB: lab,
}
