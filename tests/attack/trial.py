"""Try a mutant: it must be refused with a clear message or be playable, quickly and within limited memory."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from time import process_time
from types import FrameType
from typing import Any

from shibumi3d.app.match.marble_view.controller import Controller, Spot
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.match import record
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.rules.game import Game
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.registry import DEFAULT_KIND
from tests.attack.mutants import Mutant

PLAY_SECONDS = 2.0
"""CPU seconds after which a mutant is no longer played."""
MAX_MOVES = 60
MAX_MEMORY_BYTES = 200 * 1024 * 1024
"""Memory limit for a mutant, in bytes, including the program itself."""


class TooLong(BaseException):
    """Raised if a request takes too much CPU time."""


class Harm(BaseException):
    """Raised on a harmful operation, such as writing a file or running a program."""


_watching = False
_seconds = 3.0
"""CPU seconds that one request may take: reading a file, starting a game, listing the choices or making one of them."""


def try_mutant(mutant: Mutant) -> str:
    """Try a mutant and return the outcome.

    "refused" means that an error was found in the file, "failed" that one of its rules failed during play, "played"
    that its match ended (or its record was read back), and "open" that the match was still going on at the limit of
    moves or time. An error without a message raises AssertionError; any other exception is passed on.
    """
    chance = Random(mutant.number)
    try:
        with forbid_side_effects():
            return _record(mutant) if mutant.kind == "record" else _game(mutant, chance)
    except (GameFileError, CatalogueError, record.RecordError) as error:
        if not str(error).strip():
            raise AssertionError("refused without a word") from error
        return "refused"
    except RuleFailure as error:
        if not str(error).strip():
            raise AssertionError("failed without a word") from error
        return "failed"


def _record(mutant: Mutant) -> str:
    with limit_time():
        parsed = record.parse(mutant.data)
        game = load_catalogue().get(parsed.game).game(size=parsed.size, variant=parsed.variant)
        match = Match.from_record(parsed, game)
    with limit_time():
        again = record.parse(match.record().to_text())
    if (again.turns, again.seats, again.seed) != (parsed.turns, parsed.seats, parsed.seed):
        raise AssertionError("written otherwise than read")
    return "played"


def _game(mutant: Mutant, chance: Random) -> str:
    with limit_time():
        entry = load_catalogue().parse(mutant.data, Path(f"{mutant.game}.yaml"))
        variant = chance.choice(("", *entry.variants))
        sizes = entry.with_variant(variant).sizes
        game = entry.game(variant=variant, size=chance.choice(sizes) if sizes else None)
        seats = chance.randint(*game.players)
        if game.kind != DEFAULT_KIND:
            return _play_other_kind(game, seats, chance)
        game._rules_for(seats)
    started_at = process_time()
    with limit_time():
        match = Match(game, [f"Player {n + 1}" for n in range(seats)], chance.randrange(100))
        control = Controller(match)
    for _ in range(MAX_MOVES):
        if process_time() - started_at > PLAY_SECONDS:
            return "open"
        if control.rule_failure:
            raise RuleFailure(control.rule_failure)
        if match.state.to_move is None:
            if game.outcome(match.state) is None:
                raise AssertionError("there is no choice, but the match isn't over")
            return "played"
        if not control.moves:
            raise AssertionError("nobody can choose, but the match isn't over")
        _query_window(control, chance)
        move = chance.choice(control.moves)
        with limit_time():
            if game.parse(match.state, str(move)) != move:
                raise AssertionError(f"'{move}' is not read back")
        with limit_time():
            control.play(move)
            hash(match.state)
        if chance.random() < 0.1:
            with limit_time():
                control.history.undo()
                control.history.redo()
        with suppress(IllegalMove):
            game.apply(match.state, "W@Zz9")
    return "open"


def _play_other_kind(game: Game, seats: int, chance: Random) -> str:
    """Make random moves in a game that isn't a marble game, using only what all table kinds share.

    Return "played" if the match ends in fewer than :data:`MAX_MOVES` moves. Otherwise, give it up after
    :data:`MAX_MOVES` moves and return "open".
    """
    with limit_time():
        state: Any = game.start(seats, chance.randrange(100))
    for _ in range(MAX_MOVES):
        if game.outcome(state) is not None:
            return "played"
        with limit_time():
            assert state.decision is not None
            moves = game.moves(state, state.decision.seats[0])
            move = chance.choice(moves)
            state, _events = game.apply(state, move)
            game.table_lines(game.observe(state, None), "en")
    return "open"


def _query_window(control: Controller, chance: Random) -> None:
    """Ask for what a window shows: views, prompts, previews of clicks, and reasons why points can't be chosen."""
    match, state = control.match, control.state
    with limit_time():
        for seat in range(state.seats):
            match.game.observe(state, seat)
        control.prompt()
        control.shapes.examples_by_number()
        control.history.forced_move()
        control.finishing_move_ends_turn()
    with limit_time():
        for spot in chance.sample(control.targets, min(4, len(control.targets))):
            control.preview_click(spot)
            control.colours_at(spot)
        for colour in control.available_colours:
            control.source_stock(colour)
    with limit_time():
        board = chance.randrange(len(state.board_names))
        for point in chance.sample(range(len(get_pyramid(state.size).point_names)), 4):
            assert control.explain_illegal(Spot(board, point)).strip()


@contextmanager
def limit_time() -> Iterator[None]:
    """Limit the user-mode CPU time of the block to ``_seconds``; raise TooLong if it takes more.

    Call :func:`prepare` first, which installs the signal handler that raises TooLong. Without it, the signal ends the
    process.
    """
    signal.setitimer(signal.ITIMER_VIRTUAL, _seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def forbid_side_effects() -> Iterator[None]:
    """Raise Harm if the block attempts something harmful, such as writing a file or running a program.

    Opening a file for writing is harmful, and so is every operation whose audit event begins with a prefix in
    ``HARMFUL`` and isn't in ``HARMLESS``. This has no effect before :func:`prepare` is called.
    """
    global _watching
    _watching = True
    try:
        yield
    finally:
        _watching = False


def prepare(seconds: float) -> None:
    """Limit the memory and the CPU time of this process, and enable :func:`forbid_side_effects`.

    Memory is limited permanently, to about :data:`MAX_MEMORY_BYTES`. CPU time is limited to ``seconds`` for each
    request, which runs in a block of :func:`limit_time`. Python stops writing bytecode files.
    """
    global _seconds
    _seconds = seconds
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGVTALRM, _alarm)
    sys.addaudithook(_audit)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
    limit = used + MAX_MEMORY_BYTES - peak_memory()
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def peak_memory() -> int:
    """Return the peak memory of this process, in bytes.

    ``ru_maxrss`` is not used, because a new process inherits it from its parent.
    """
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _alarm(number: int, frame: FrameType | None) -> None:
    raise TooLong(f"not done after {_seconds} s of CPU")


HARMFUL = (
    "os.",
    "shutil.",
    "subprocess.",
    "socket.",
    "ctypes.",
    "pty.",
    "shelve.",
    "tempfile.",
    "webbrowser.",
)
HARMLESS = ("os.listdir", "os.scandir")


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event == "open":
        mode, flags = args[1], args[2]
        written = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (
            isinstance(flags, int) and flags & written
        ):
            raise Harm(f"{args[0]} was opened to be written")
    elif event.startswith(HARMFUL) and event not in HARMLESS:
        raise Harm(f"{event} {args}")
