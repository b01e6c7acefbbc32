"""``shibumi3d play``: play a game on this computer, in the window or in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from shibumi3d.app.board.seating import ME, named, seated
from shibumi3d.cli import text
from shibumi3d.cli.common import (
    SIGNS,
    Failure,
    add_game_options,
    add_seed_option,
    catalogue,
    command,
    game_of,
    players_of,
    say,
    say_left_aside,
)
from shibumi3d.cli.window import open_window
from shibumi3d.i18n import _, localize
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.match import Match, entry_of
from shibumi3d.match.match import game_of as recorded
from shibumi3d.match.outside_moves import at_first, swappable
from shibumi3d.match.record import load
from shibumi3d.match.store import Store
from shibumi3d.names import plain, shows
from shibumi3d.rules.marbles import handicap

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.match.results import Finished
    from shibumi3d.rules.game import Deal, Game
    from shibumi3d.search.players import Player


MOST_DIGITS = 9


def add(commands: Commands) -> None:
    """Add the ``play`` command."""
    parser = command(commands, "play", run, _("play a game"))
    parser.add_argument(
        "game",
        metavar=_("GAME"),
        nargs="?",
        help=_("name of a game, or path of a game file (default: the list of games)"),
    )
    parser.add_argument(
        "--seats",
        metavar=_("NAMES"),
        help=_(
            "player names in turn order, such as Ann,Ben; or the number of players; for a computer "
            "player, give a strength instead of a name, as in me,stone"
        ),
    )
    add_game_options(parser)
    add_seed_option(parser, None)
    parser.add_argument(
        "--clock",
        metavar=_("TIME"),
        type=pace,
        help=_("time for each player: 10+5 is 10 minutes plus 5 seconds a turn, 30s is 30 seconds a turn"),
    )
    parser.add_argument(
        "--swap",
        action="store_true",
        help=_("swap rule: the second player may take over the first turn, in games without chance"),
    )
    parser.add_argument(
        "--handicap",
        metavar=_("MARBLES"),
        default="",
        help=_(
            "more or fewer marbles at the start, in games where players have their own: 1+W,2-RR "
            "gives the first player one more white marble and the second two fewer red ones"
        ),
    )
    parser.add_argument("--text", action="store_true", help=_("play in the terminal"))
    parser.add_argument(
        "--resume",
        action="store_true",
        help=_("with --text: resume the last unfinished match"),
    )


def run(args: argparse.Namespace) -> int:
    """Play a game. In the terminal, the match is saved after each move."""
    if args.text:
        store = Store()
        try:
            match = _resumed(store) if args.resume else _new(args, store)
            computers = _computers(match)
            if computers:
                say_left_aside(match.game, len(match.seats))
            text.play(match, ask, print, computers)
        finally:
            store.release()
        return 0
    if args.resume:
        raise Failure(_("--resume can only be used with --text; the window offers to resume by itself"))
    if args.game is None:
        return open_window(text="shibumi3d play spline --text")
    game = game_of(args.game, args.size, args.variant, args.option)
    names = seat_names(game, args.seats)
    _terms(game, len(names), args)
    if args.seats is None or args.seats.strip().isdecimal():
        names = (ME,) * len(names)  # the players who used these seats last
    return open_window(
        text=f"shibumi3d play {args.game} --text",
        game=args.game,
        names=names,
        size=game.size,
        variant=game.variant,
        options=game.form,
        seed="" if args.seed is None else str(args.seed),
        terms=(args.clock, args.swap, args.handicap),
    )


def pace(text: str) -> TimeLimit | None:
    """Parse a time limit such as ``10+5``."""
    try:
        return TimeLimit.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(localize(error)) from None


def _terms(game: Game, seats: int, args: argparse.Namespace) -> Deal:
    """Return the deal for a new match, with the handicap applied.

    Raises :class:`Failure` if the game does not allow the requested clock, swap rule or handicap.
    """
    facts = game.facts(seats)
    if args.swap and not swappable(facts, seats):
        raise Failure(
            _(
                "{game} can't be played with the swap rule, which needs exactly two players and no "
                "hidden information or chance",
                game=game.title,
            )
        )
    if args.clock is not None and facts.simultaneous:
        raise Failure(
            _("{game} can't be played with clocks: players choose at the same time", game=game.title)
        )
    try:
        return handicap.deal(handicap.read(args.handicap, facts), facts)
    except ValueError as error:
        raise Failure(localize(error)) from None


def _new(args: argparse.Namespace, store: Store) -> Match:
    if args.game is None:
        raise Failure(
            _("which game? 'shibumi3d list' shows them all; to play one: 'shibumi3d play spline --text'")
        )
    game = game_of(args.game, args.size, args.variant, args.option)
    seed = random.randrange(1_000_000) if args.seed is None else args.seed
    from shibumi3d.app.board.opponents import fitted
    from shibumi3d.search.levels import fits, kind_of

    names = seat_names(game, args.seats)
    deal = _terms(game, len(names), args)
    kinds = [kind_of(name) for name in names]
    matches: tuple[Finished, ...] = ()
    if any(map(fits, kinds)):
        from shibumi3d.match.results import Results  # opens a database, which other matches do not need

        matches = Results(store.folder.parent / "results.sqlite").matches(game.id)
    people, kinds = fitted(named(seated(names, len(names), ()), kinds), kinds, matches)
    names = tuple(people)
    match = Match(game, names, seed, deal=deal, kinds=kinds, swap=args.swap, pace=args.clock)
    _keep(match, store)
    return match


def _computers(match: Match) -> dict[int, Player]:
    """Return the computer players by seat. Seats whose level is unknown are played by a person."""
    from shibumi3d.search.levels import PERSON, kind_of
    from shibumi3d.search.players import player

    kinds = [kind_of(seat.kind) for seat in at_first(match)]
    return {seat: player(kind, match.seed + seat) for seat, kind in enumerate(kinds) if kind != PERSON}


def _keep(match: Match, store: Store) -> None:
    """Save the match, or print a warning and continue if it can't be saved."""
    try:
        store.keep(match, datetime.now())
    except OSError as error:
        say(_("Couldn't save the game: {problem}.", problem=localize(error)))


def _resumed(store: Store) -> Match:
    """Return the last unfinished match.

    The match is saved to its own file or, if another process is playing it, to a copy.
    """
    saved = store.unfinished()
    if saved is None:
        raise Failure(_("there is no unfinished match"))
    claimed = store.claim(saved.path)
    record = load(saved.path)  # reload: a move may have been made before the claim
    game = recorded(record, entry_of(record, catalogue()))
    match = Match.from_record(record, game)
    if claimed:
        match.autosave(saved.path, at_once=False)
    else:
        say(_("This game is already open in another window, so you are playing a copy of it."))
        _keep(match, store)
    return match


def ask(prompt: str) -> str:
    """Read a line of input after showing a prompt with its control characters escaped.

    In a terminal, the prompt doesn't pass through the escaping output stream, so it is escaped here.
    """
    return read_line(prompt.translate(SIGNS))


def read_line(prompt: str) -> str:
    """Return a line of input without its newline, or raise EOFError at the end of the input."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return input(prompt)  # supports line editing
    # input() would lose a Ctrl+C pressed while it writes the prompt.
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")


def seat_names(game: Game, asked: str | None) -> tuple[str, ...]:
    """Return the names of the players.

    ``asked`` is a list of names (``Ann,Ben``), a number of players, or None for the minimum number. Raises
    :class:`Failure` for empty or invisible names, and for a number of players that the game does not allow.
    """
    if asked is None or asked.strip().isdecimal():
        if asked and len(asked) > MOST_DIGITS:
            raise Failure(_("no game has that many players"))
        count = players_of(game, int(asked) if asked else None)
        return tuple(_("Player {number}", number=number + 1) for number in range(count))
    names = tuple(plain(name).strip() for name in asked.split(","))
    if not all(names):
        raise Failure(_("a name is missing in '{names}'", names=asked))
    for number, name in enumerate(names, 1):
        if not shows(name):
            raise Failure(_("the name of player {number} has no visible characters", number=number))
    players_of(game, len(names))
    return names
