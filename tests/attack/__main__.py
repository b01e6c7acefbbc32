"""``python -m tests.attack --mutants 30000 --seed 1``: try many mutants; exit with 1 if any of them misbehaves."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import traceback
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import shibumi3d
from shibumi3d.rules.marbles.pyramid import get_pyramid
from tests.attack.mutants import mutant
from tests.attack.trial import peak_memory, prepare, try_mutant

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 500
PATIENCE = 900.0
"""Seconds after which a child process is considered hung; each request may take only a few seconds of CPU time."""


def main() -> int:
    """Try mutants in chunks, each chunk in a child process.

    With ``--show``, only print the content of one mutant. With ``--here``, try the mutants in this process instead, and
    print each result as a line of JSON.

    Returns the exit status: 1 if any mutant tried in a child process misbehaved, otherwise 0.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--mutants", type=int, default=1000, metavar="N", help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--first", type=int, default=0, metavar="N", help="the number to begin with (default 0)"
    )
    parser.add_argument(
        "--seconds", type=float, default=3.0, metavar="S", help="CPU time a request may take (default 3)"
    )
    parser.add_argument(
        "--save", type=Path, metavar="FOLDER", help="write the mutants that misbehave to this folder"
    )
    parser.add_argument("--show", type=int, metavar="N", help="only print mutant N")
    parser.add_argument("--here", action="store_true", help="try them in this process")
    args = parser.parse_args()
    if args.show is not None:
        sys.stdout.buffer.write(mutant(args.seed, args.show).data)
        return 0
    if args.here:
        return _here(args.seed, range(args.first, args.first + args.mutants), args.seconds)
    ended: Counter[str] = Counter()
    bad = 0
    for first in range(args.first, args.first + args.mutants, CHUNK):
        count = min(CHUNK, args.first + args.mutants - first)
        done = chunk(args.seed, first, count, args.seconds)
        for line in done:
            ended[line["end"]] += 1
            if line["end"] == "wrong":
                bad += 1
                print(f"{line['number']} {line['game']} ({line['how']}): {line['note']}", flush=True)
                if args.save:
                    args.save.mkdir(parents=True, exist_ok=True)
                    one = mutant(args.seed, line["number"])
                    (args.save / f"{one.kind}-{one.number}.yaml").write_bytes(one.data)
        print(f"{first + count}: {dict(ended)}", file=sys.stderr, flush=True)
    print(f"{sum(ended.values())} mutants: {dict(ended)}")
    return 1 if bad else 0


def chunk(seed: int, first: int, count: int, seconds: float = 3.0) -> list[dict[str, Any]]:
    """Try ``count`` mutants, beginning with number ``first``, in a child process, and return the results.

    Each result is a dictionary with the keys "number", "game", "how" (the damage), "end" (the outcome), "note" and
    "seconds". Each request, such as reading the file or making a move, may take at most ``seconds`` of CPU time. The
    child process also limits its memory. A mutant that crashes or hangs the process counts as wrong, and a new process
    continues with the next one.
    """
    command = [sys.executable, "-m", "tests.attack", "--here", "--seed", str(seed), "--seconds", str(seconds)]
    lines: list[dict[str, Any]] = []
    while len(lines) < count:
        rest = ["--first", str(first + len(lines)), "--mutants", str(count - len(lines))]
        try:
            done = subprocess.run(
                [*command, *rest], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=PATIENCE, check=False
            )
            out, why = done.stdout, f"the process ended with {done.returncode}"
        except subprocess.TimeoutExpired as error:
            out = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
            why = f"the process hung for {PATIENCE} s"
        lines += [json.loads(line) for line in out.splitlines() if line.endswith("}")]
        if len(lines) < count:
            last_mutant = mutant(seed, first + len(lines))
            lines.append(_line(last_mutant.number, last_mutant.game, last_mutant.how, "wrong", why))
    return lines


def _line(number: int, game: str, how: str, end: str, note: str = "", seconds: float = 0.0) -> dict[str, Any]:
    return {
        "number": number,
        "game": game,
        "how": how,
        "end": end,
        "note": note,
        "seconds": round(seconds, 2),
    }


def _here(seed: int, numbers: range, seconds: float) -> int:
    # Files and modules that are loaded only once must not count against a mutant.
    for number in numbers:
        mutant(seed, number)
    _warm_up()
    prepare(seconds)
    for number in numbers:
        one = mutant(seed, number)
        started_at = process_time()
        note = ""
        try:
            end = try_mutant(one)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            end = "wrong"
            place = traceback.extract_tb(error.__traceback__)[-1]
            note = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        line = _line(one.number, one.game, one.how, end, note, process_time() - started_at)
        print(json.dumps(line), flush=True)
    print(f"{numbers.stop}: {peak_memory() >> 20} MB", file=sys.stderr)
    return 0


def _warm_up() -> None:
    game = shibumi3d.game("spline")
    game.moves(game.start())
    for size in range(2, 11):
        _ = get_pyramid(size).sight_lines


if __name__ == "__main__":
    sys.exit(main())
