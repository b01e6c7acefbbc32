"""``shibumi3d bench``: the numbers that matter, measured on this machine."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from shibumi3d.catalogue.catalogue import load
from shibumi3d.cli.common import Failure, command, entry_of

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.marbles.game import RuleGame


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement. ``aim`` says what it should be, empty when there is none."""

    name: str
    value: float
    unit: str
    aim: str = ""


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "bench", run, "measure speed: CPU time on one core unless it says otherwise")
    parser.add_argument("part", metavar="PART", nargs="*", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--game", metavar="GAME", help="playouts of this game only")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="time for each figure (default 1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    for part in args.part:
        if part not in PARTS:
            raise Failure(f"there is no part '{part}' to measure, only {', '.join(PARTS)}")
    figures: list[Figure] = []
    for part in args.part or PARTS:
        for figure in PARTS[part](args):
            figures.append(figure)
            if not args.json:
                aim = f"   aim: {figure.aim}" if figure.aim else ""
                print(f"{figure.name:<72}{figure.value:>12,.2f} {figure.unit:<10}{aim}".rstrip(), flush=True)
    if args.json:
        print(json.dumps([asdict(figure) for figure in figures]))
    return 0


def playouts(args: argparse.Namespace) -> Iterator[Figure]:
    """Random games through the rules as loaded from YAML, without events."""
    for entry in [entry_of(args.game)] if args.game else load():
        game = entry.game()
        aim = "10,000" if entry.id == "spline" else ""
        yield Figure(f"{entry.title}, random playouts", _playouts(game, args.seconds), "1/s", aim)


def _playouts(game: RuleGame, seconds: float) -> float:
    from shibumi3d.rules.marbles.engine.machine import Machine

    rules = game.rules()
    machine = Machine(rules)
    machine.names = [0] * max(rules.slots, 1)
    start = game.start(seed=1).at
    chance = Random(1)

    def one() -> None:
        machine.load(start)
        while machine.result is None:
            machine.play(machine.sample(chance))

    return 1 / _each(one, seconds)


def states(args: argparse.Namespace) -> Iterator[Figure]:
    """The engine as the program uses it: frozen states, moves as text, events."""
    game = load().get("spline").game()
    chance = Random(1)
    count = 0

    def one() -> None:
        nonlocal count
        state = game.start(seed=1)
        while moves := game.moves(state):
            state, _ = game.apply(state, chance.choice(moves))
            count += 1

    begun = process_time()
    _each(one, args.seconds)
    yield Figure(
        "Spline, moves + apply with states and events", (process_time() - begun) / count * 1e6, "us a move"
    )


def start_up(args: argparse.Namespace) -> Iterator[Figure]:
    """Commands from start to finish, wall time."""
    for name, aim in (("list", "0.4"), ("check", "")):
        least = 1e9
        for _ in range(max(3, int(args.seconds * 3))):
            begun = perf_counter()
            subprocess.run([sys.executable, "-m", "shibumi3d", name], stdout=subprocess.DEVNULL, check=False)
            least = min(least, perf_counter() - begun)
        yield Figure(f"shibumi3d {name}, wall time", least, "s", aim)


def picture(args: argparse.Namespace) -> Iterator[Figure]:
    """Drawing off-screen at 1280x720, and finding what is under the pointer."""
    try:
        from shibumi3d.render import bench
        from shibumi3d.render.shot import NoGraphics
    except ImportError as error:
        raise Failure(f"pictures can't be measured here: {error}") from None
    count = max(5, int(args.seconds * 20))
    shown = {False: "a full pyramid", True: "a busy mid-game, signs of every kind"}
    for tier, scale, signs, aim in (
        ("low", 0.67, False, "40"),
        ("low", 0.67, True, "40"),
        ("medium", 1.0, False, ""),
        ("high", 1.0, False, ""),
    ):
        try:
            cost = bench.draw(tier, scale, count=count, signs=signs)
        except NoGraphics as error:
            raise Failure(f"pictures can't be measured here: {error}") from None
        name = f"{shown[signs]}, {tier} tier at {scale}"
        yield Figure(f"{name}, eye moving", cost.turning, "ms", aim)
        yield Figure(f"{name}, marble moving", cost.playing, "ms", aim)
    yield Figure("picking among 30 points", bench.pick(), "ms", "0.1")
    yield Figure("making a frame of 30 marbles and 30 marks", bench.frames(), "ms")


def _each(one: Callable[[], None], seconds: float) -> float:
    """CPU seconds that one call takes, over as many as fit into ``seconds``."""
    one()
    count = 0
    begun = process_time()
    while (spent := process_time() - begun) < seconds or not count:
        one()
        count += 1
    return spent / count


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Figure]]] = {
    "playouts": playouts,
    "states": states,
    "start-up": start_up,
    "picture": picture,
}
