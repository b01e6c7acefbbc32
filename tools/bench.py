"""``python -m tools bench``: the numbers that matter, measured on this machine."""

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
from shibumi3d.catalogue.catalogue import load
from shibumi3d.cli.common import Failure, command, entry_of, positive, seconds
from shibumi3d.paths import program
from shibumi3d.rules.game import by_seat
from shibumi3d.rules.kinds import USUAL
from shibumi3d.rules.marbles.thinking.certificates import Certificate, known
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import Budget
from tools.kept import kept_wins

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game
    from shibumi3d.rules.search import Search
    from shibumi3d.scene.camera import Camera
    from shibumi3d.scene.frame import Frame

ENOUGH = 10**15
"""What a proof may cost, as rules count work."""
KEPT, LAB = "kept", "lab"
ASKED = (KEPT, LAB)
"""The parts that are measured only when asked for: they take minutes."""
PLAN = "tasks: [{what: selfplay, games: spline, matches: 10000, seeds: 1}]\n"
"""What the laboratory is measured by: matches by lot, which take the least themselves."""
LONGEST = 10_000
"""Choices after which a random game is given up; some could go round in circles."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure should be at least (or at most, for times), with the engine compiled and in plain Python;
    ``ratio``: how many times the yardstick, when compiled."""

    native: float
    pure: float
    ratio: float = 0.0

    def __str__(self) -> str:
        value = self.native if native.status.native else self.pure
        text = f"{value:,g}"
        return f"{text}, {self.ratio:g} x" if self.ratio and native.status.native else text


# Games whose speed tells most, as (name, variant); the others count by their median and by the slowest.
NAMED = {
    ("spline", None): Aim(400_000, 14_000, ratio=5.5),
    ("span", None): Aim(280_000, 10_000),
    ("spargo", None): Aim(35_000, 1_000),
    ("spargo", "margo"): Aim(1_500, 100, ratio=0.02),
    ("spuzzle", None): Aim(50_000, 1_900),
}
SEARCHED = {"spline": Aim(150_000, 5_000), "spargo": Aim(15_000, 400)}
"""Games of which iterations of the tree search from the start are measured."""
PROVED = {("span", 4): (0, 20), ("spline", 4): (1, 60)}
"""Games and sizes of which it is proved that a seat wins from the start, and the seconds it should take at most when
compiled; in plain Python they take minutes."""
FOR_TWO = Aim(20_000, 900, ratio=0.6)
SLOWEST = Aim(500, 25, ratio=0.12)
MOVE = Aim(20, 60)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement. ``ratio``: how many times what the yardstick makes in the same seconds, 0 when that says
    nothing. ``aim`` says what it should be, empty when there is none."""

    name: str
    value: float
    unit: str
    aim: str = ""
    ratio: float = 0.0

    def __str__(self) -> str:
        ratio = f"{self.ratio:>9.3g} x" if self.ratio else " " * 11
        aim = f"   aim: {self.aim}" if self.aim else ""
        return f"{self.name:<64}{self.value:>12,.2f} {self.unit:<10}{ratio}{aim}".rstrip()


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "bench", run, "measure speed: CPU time on one core")
    parser.add_argument(
        "part",
        metavar="PART",
        nargs="*",
        help=f"of {', '.join(PARTS)} (default: all but {' and '.join(ASKED)})",
    )
    parser.add_argument("--game", metavar="GAME", help="playouts and moves of this game only")
    parser.add_argument(
        "--seconds", type=seconds, default=1.0, metavar="S", help="time for each figure (default 1)"
    )
    parser.add_argument(
        "--positions",
        type=positive,
        default=20,
        metavar="N",
        help=f"positions of each game for {KEPT} (default 20)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    for part in args.part:
        if part not in PARTS:
            raise Failure(f"there is no part '{part}' to measure, only {', '.join(PARTS)}")
    about = {
        "version": __version__,
        "engine": str(native.status),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    figures: list[Figure] = []
    if not args.json:
        print("Shibumi 3D {version} ({engine}), Python {python}, {system}".format(**about), flush=True)
    for part in args.part or [part for part in PARTS if part not in ASKED]:
        # A process has one window, and a context that was let go is never quite gone.
        apart = part in DRAWN and args.part != [part]
        for figure in _apart(part, args.seconds) if apart else PARTS[part](args):
            figures.append(figure)
            if not args.json:
                print(figure, flush=True)
    if args.json:
        print(json.dumps({**about, "figures": [asdict(figure) for figure in figures]}))
    return 0


def _apart(part: str, seconds: float) -> Iterator[Figure]:
    """The figures of a part that is measured in a process of its own."""
    command = [sys.executable, "-m", "tools", "bench", part, "--seconds", str(seconds), "--json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise Failure(done.stderr.strip().rpartition("\n")[2].removeprefix("shibumi3d: "))
    for figure in json.loads(done.stdout)["figures"]:
        yield Figure(**figure)


def playouts(args: argparse.Namespace) -> Iterator[Figure]:
    """Random games through the rules as loaded from YAML, without events, beside the yardstick."""
    hand = yardstick()
    if args.game:
        entry = entry_of(args.game)
        yield _rate(entry.title, entry.game(), hand, args.seconds, NAMED.get((entry.id, None)))[0]
        return
    rates: dict[str, float] = {}
    yards: list[float] = []
    two: list[str] = []
    for entry in load():
        if entry.kind != USUAL:
            continue  # it is not played out by numbers
        figure, yard = _rate(entry.title, entry.game(), hand, args.seconds, NAMED.get((entry.id, None)))
        yield figure
        rates[entry.title] = figure.value
        yards.append(yard)
        if entry.players[0] == 2:
            two.append(entry.title)
        for variant in entry.variants:
            if aim := NAMED.get((entry.id, variant)):
                game = entry.game(variant=variant)
                title = f"{entry.title}, {variant} {game.size}x{game.size}"
                yield _rate(title, game, hand, args.seconds, aim)[0]
    usual = median(yards)
    middle = median(rates[title] for title in two)
    slowest = min(rates, key=lambda title: rates[title])
    yield Figure(f"median of {len(two)} games for two", middle, "1/s", str(FOR_TWO), middle / usual)
    least = rates[slowest]
    yield Figure(f"slowest of {len(rates)} games: {slowest}", least, "1/s", str(SLOWEST), least / usual)
    yield Figure("yardstick: Spline written flat and by hand, in plain Python", usual, "1/s")


def _rate(
    title: str, game: Game, hand: Callable[[], None], seconds: float, aim: Aim | None = None
) -> tuple[Figure, float]:
    """Playouts a second of a game, and of the yardstick in the same seconds, a fifth of them each in turn."""
    many = playouts_of(game)
    many(1)
    begun = process_time()
    many(1)
    # So many at once that asking for them costs nothing.
    number = max(1, min(1000, int(0.01 / max(process_time() - begun, 1e-6))))
    made, spent, by_hand, spent_by_hand = 0, 0.0, 0, 0.0
    for _ in range(5):
        count, took = _repeat(lambda: many(number), seconds / 5)
        made, spent = made + count * number, spent + took
        count, took = _repeat(hand, seconds / 20)
        by_hand, spent_by_hand = by_hand + count, spent_by_hand + took
    rate, yard = made / spent, by_hand / spent_by_hand
    return Figure(f"{title}, random playouts", rate, "1/s", str(aim or ""), rate / yard), yard


def search(args: argparse.Namespace) -> Iterator[Figure]:
    """Iterations of the tree search from the start, which computer players are made of."""
    hand = yardstick()
    for name, aim in {args.game: ""}.items() if args.game else SEARCHED.items():
        entry = entry_of(name)
        game = entry.game()
        state = game.start(seed=1)
        seat = state.to_move or 0
        made, spent, by_hand, spent_by_hand = 0, 0.0, 0, 0.0
        for part in range(5):
            tree = search_of(game, game.view(state, seat), seat, part)
            tree.grow(100, lambda: False)
            count, took = _repeat(_growing(tree), args.seconds / 5)
            made, spent = made + 500 * count, spent + took
            count, took = _repeat(hand, args.seconds / 20)
            by_hand, spent_by_hand = by_hand + count, spent_by_hand + took
        rate, yard = made / spent, by_hand / spent_by_hand
        yield Figure(f"{entry.title}, iterations of the tree search", rate, "1/s", str(aim), rate / yard)


def proofs(args: argparse.Namespace) -> Iterator[Figure]:
    """Proofs of who wins from the start, from nothing: no certificate helps."""
    for (name, size), (winner, aim) in PROVED.items():
        if not native.status.native or args.game not in (None, name):
            continue
        entry = entry_of(name)
        game: Any = entry.game(size=size)
        walker = Certificate(game, winner, frozenset())
        walker.load(game.start(2))
        begun = process_time()
        if not walker.proves(ENOUGH):
            raise Failure(f"{entry.title} can't be proved any more")
        yield Figure(f"{entry.title} {size}x{size}, proof of who wins", process_time() - begun, "s", str(aim))


def kept(args: argparse.Namespace) -> Iterator[Figure]:
    """Whether the strongest throws away what is won, in random positions of the games of which a proof is kept."""
    for entry in load():
        if entry.kind != USUAL or args.game not in (None, entry.id):
            continue
        for variant in (None, *entry.variants):
            game: Any = entry.game(variant=variant)
            if not known(game):
                continue
            found = kept_wins(game, args.positions, 1, Budget(iterations=100))
            name = f"{entry.title}{f' ({variant})' if variant else ''}"
            yield Figure(f"{name}, won positions", found.won, "")
            yield Figure(f"{name}, still won after the sky's turn", found.kept, "", str(found.won))
            yield Figure(f"{name}, thrown away", len(found.threw), "", "0")


def _growing(tree: Search) -> Callable[[], None]:
    """A function that looks at 500 more ways on."""

    def more() -> None:
        tree.grow(500, lambda: False)

    return more


def playouts_of(game: Game) -> Callable[[int], None]:
    """A function that plays a game at random to its end so many times."""
    fast = game.fast(seed=1)
    if fast is None:
        raise Failure(f"{game.title} has no form in which it is played out fast")
    fast.load(game.start(seed=1))

    def many(number: int) -> None:
        fast.playouts(number, LONGEST)

    return many


def yardstick() -> Callable[[], None]:
    """A function that plays Spline at random, written flat and by hand: what the engine is compared with, since
    machines are not equally fast and never equally busy. It stays as it is, so that ratios of any time can be
    compared."""
    from shibumi3d.rules.marbles.pyramid import pyramid

    table = pyramid(4)
    holes, supports, resting_on = table.holes, tuple(table.supports), tuple(table.resting_on)
    through = tuple(tuple(line for line in table.full_lines if line >> p & 1) for p in range(table.count))
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
    """The engine as the program uses it: frozen states, moves as text, events."""
    entry = entry_of(args.game or "spline")
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
    spent = _repeat(one, args.seconds)[1]
    aim = "" if args.game else str(MOVE)
    yield Figure(
        f"{entry.title}, moves + apply with states and events", spent / count * 1e6, "us a move", aim
    )


def start_up(args: argparse.Namespace) -> Iterator[Figure]:
    """Commands from start to finish, in a process of their own."""
    with tempfile.TemporaryDirectory() as folder:
        picture = ("--tier", "low", "--size", "640x360", "--out", str(Path(folder, "first.png")))
        for name, arguments, aim in (
            ("list", ("list",), "0.4"),
            ("check, all games", ("check",), ""),
            ("shot, first picture of a game", ("shot", "spline", *picture), ""),
        ):
            least = min(_spent_by(arguments) for _ in range(max(1, int(args.seconds * 3))))
            yield Figure(f"shibumi3d {name}", least, "s", aim)


def _spent_by(arguments: tuple[str, ...], env: dict[str, str] | None = None) -> float:
    """CPU seconds that a command of the program takes, with its processes."""
    before = os.times()
    done = subprocess.run([*program(), *arguments], capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        raise Failure(f"'shibumi3d {' '.join(arguments)}' can't be measured here: {done.stderr.strip()}")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def lab(args: argparse.Namespace) -> Iterator[Figure]:
    """A plan of 10,000 matches by lot, with one process and with two: what is spent beside the matches from start to
    finish, and how much faster two are by the clock on the wall."""
    took = {}
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder, "plan.yaml")
        plan.write_text(PLAN, encoding="utf-8")
        # As it is installed: each module compiled to byte code once, by a first run.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        _spent_by(("lab", "status", str(plan)), env)
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
        _spent_by(first, env)
        for workers, who in ((1, "one process"), (2, "two processes")):
            words = ("lab", "run", str(plan), "--store", str(Path(folder, f"{workers}.db")))
            begun = monotonic()
            spent = _spent_by((*words, "--workers", str(workers)), env)
            took[workers] = monotonic() - begun
            told = subprocess.run(
                [*program(), "lab", "status", *words[2:], "--json"], capture_output=True, check=True
            )
            matches = sum(task["seconds"] for task in json.loads(told.stdout)["tasks"])
            yield Figure(f"10,000 matches of a plan, {who}", matches, "s")
            yield Figure(f"beside them, {who}", 100 * (spent - matches) / matches, "%", "10")
    yield Figure("two processes, times as fast (by the clock on the wall)", took[1] / took[2], "", "1.8")


def picture(args: argparse.Namespace) -> Iterator[Figure]:
    """Drawing off-screen at 1280x720, and finding what is under the pointer."""
    try:
        from shibumi3d.render.shot import NoGraphics
        from tools import pictures
    except ImportError as error:
        raise Failure(f"pictures can't be measured here: {error}") from None
    count = max(5, int(args.seconds * 20))
    shown = {False: "a full pyramid", True: "a busy mid-game, signs of every kind"}
    busiest = 0.0
    for tier, scale, signs, aim in (
        ("low", 0.67, False, "40"),
        ("low", 0.67, True, "40"),
        ("medium", 1.0, False, ""),
        ("high", 1.0, False, ""),
    ):
        try:
            cost = pictures.draw(tier, scale, count=count, signs=signs)
        except NoGraphics as error:
            raise Failure(f"pictures can't be measured here: {error}") from None
        name = f"{shown[signs]}, {tier} tier at {scale}"
        yield Figure(f"{name}, eye moving", cost.turning, "ms", aim)
        yield Figure(f"{name}, marble moving", cost.playing, "ms", aim)
        busiest = max(busiest, cost.playing if signs else 0.0)
    # The most crowded table of another kind, which may not cost more than marbles in the same run.
    title, make, camera = crowded()
    cost = pictures.cards(make(), camera, count=count)
    aim = f"{busiest:.0f}"
    yield Figure(f"{title}, low tier at 0.67, eye moving", cost.turning, "ms", aim)
    yield Figure(f"{title}, card moving", cost.playing, "ms", aim)
    yield Figure("picking among 30 points", pictures.pick(), "ms", "0.1")
    yield Figure("making a frame of 30 marbles and 30 marks, and its arrays", pictures.frames(), "ms", "2.5")
    calls, spent = _repeat(make, args.seconds / 5)
    yield Figure(f"making a frame of {title}", spent / calls * 1000, "ms")


def crowded() -> tuple[str, Callable[[], Frame], Camera]:
    """Of all tables of other kinds the one for most seats, with all of them and as many things on it as a match by lot
    brings: what it is called, what makes its picture, and from where it is seen."""
    from shibumi3d.scene.camera import home_of
    from shibumi3d.scene.kinds import scene
    from shibumi3d.scene.palette import theme
    from shibumi3d.scene.table import NOTHING

    entry = max((entry for entry in load() if entry.kind != USUAL), key=lambda entry: entry.players[1])
    game, seats, chance = entry.game(), entry.players[1], Random(1)
    shown, state, most, fullest = scene(game, seats), game.start(seats, 1), None, -1
    for _ in range(20 * seats):
        seen = game.view(state, 0)
        shown.reset(seen, 0)
        if (count := len(shown.frame(0.0, theme(), NOTHING).cards)) > fullest:
            most, fullest = seen, count
        if state.ask is None:
            break
        seat = chance.choice(state.ask.seats)
        state, _ = game.apply(state, by_seat(chance.choice(game.moves(state, seat)), seat, state))
    shown.reset(most, 0)
    title = f"{entry.title} for {seats}, {fullest} cards and signs"
    return (
        title,
        lambda: shown.frame(0.0, theme(), NOTHING),
        home_of(shown.hull, shown.eye, 16 / 9, [(0.0, 0.0, 0.2, 0.2)]),
    )


def ways(args: argparse.Namespace) -> Iterator[Figure]:
    """Finding the ways of all that one turn moves: the most that is taken, falls, and is stacked at once."""
    from shibumi3d.rules.marbles import event as ev
    from shibumi3d.rules.marbles.pyramid import pyramid
    from shibumi3d.scene.marbles.choreography import Queue

    six, eight = pyramid(6), pyramid(8)
    column = [six.index[f"{level}a1"] for level in "ABCDEF"]
    stacked = [ev.Placed(0, point, point % 3, "tray") for point in range(64, 116)]
    fallen = [ev.Dropped(0, above, below, 0) for below, above in pairwise(column)]
    taken = [ev.Removed(0, point, 0, "tray") for point in range(60, 41, -1)]
    full = range(six.count)
    for name, size, before, events, aim in (
        ("a capture of 19", 6, range(61), taken, "3"),
        ("a fall of 5", 6, full, [ev.Removed(0, column[0], 0, "tray"), *fallen], "3"),
        ("52 stacked", eight.size, range(64), stacked, ""),
    ):

        def one(size: int = size, before: range = before, events: list[Any] = events) -> None:
            queue = Queue((size,))
            queue.stocks = {"tray": (-1.5 * size, -2.0, -0.4)}
            queue.reset(dict.fromkeys([(0, point) for point in before], 0))
            queue.add(events, 0.0)

        count, spent = _repeat(one, args.seconds / 5)
        yield Figure(f"finding the ways of {name}", spent / count * 1000, "ms", aim)


def flight(args: argparse.Namespace) -> Iterator[Figure]:
    """Pictures of real flights in the window at 1280x720."""
    from shibumi3d.app.program.window import NoDisplay
    from tools.flight import flights

    try:
        found = flights()
    except (ImportError, NoDisplay) as error:
        raise Failure(f"flights can't be measured here: {error}") from None
    name = f"a picture of a flight in the window, {found.tier} tier"
    yield Figure(name, found.cost, "ms", "45")
    yield Figure("pictures drawn of such a flight (by the clock on the wall)", found.rate, "/s", "30")


def calls(args: argparse.Namespace) -> Iterator[Figure]:
    """Calls of Python in a picture of the window, the same on every machine."""
    from shibumi3d.app.program.window import NoDisplay
    from tools.calls import MOTION, REST, every

    try:
        found = every()
    except (ImportError, NoDisplay) as error:
        raise Failure(f"calls can't be counted here: {error}") from None
    for game, (rest, motion, told) in found.items():
        title = entry_of(game).title
        yield Figure(f"{title}, a picture in which nothing moves", rest.total(), "calls", str(REST))
        yield Figure(f"{title}, a picture of a move", motion.total(), "calls", str(MOTION))
        yield Figure(f"{title}, what a screen reader is told of the page", told.total(), "calls")


def settle(args: argparse.Namespace) -> Iterator[Figure]:
    """How long input may wait while a still is drawn in the window, and what is drawn after it."""
    from shibumi3d.app.program.window import NoDisplay
    from tools.settle import settling

    try:
        found = list(settling())
    except (ImportError, NoDisplay) as error:
        raise Failure(f"stills can't be measured here: {error}") from None
    for number, (size, longest, step, whole, idle) in enumerate(found):
        name = f"{'a' if number else 'the first'} still at {size[0]}x{size[1]}"
        yield Figure(f"{name}, longest wait of input", longest, "ms", "50")
        yield Figure(f"{name}, its middle step", step, "ms")
        yield Figure(f"{name}, all of it", whole, "ms")
        yield Figure(f"{name}, pictures in the 5 s after it", idle, "", "0")


def _repeat(one: Callable[[], object], seconds: float) -> tuple[int, float]:
    """How many calls fit into ``seconds`` of CPU time, at least one, and the time they take."""
    count = 0
    begun = process_time()
    while (spent := process_time() - begun) < seconds or not count:
        one()
        count += 1
    return count, spent


DRAWN = ("picture", "calls", "flight", "settle")
"""The parts that draw."""
PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Figure]]] = {
    "playouts": playouts,
    "search": search,
    "proofs": proofs,
    "states": states,
    "start-up": start_up,
    "picture": picture,
    "ways": ways,
    "calls": calls,
    "flight": flight,
    "settle": settle,
    KEPT: kept,
    LAB: lab,
}
