"""``shibumi3d play``: play a game on this computer, in the window or in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from shibumi3d.app.host.player_setup import OWN_NAME_PLACEHOLDER, fill_seat_names, name_players
from shibumi3d.catalogue.schema import SWAP_RULE
from shibumi3d.cli import terminal
from shibumi3d.cli.common import (
    CONTROL_ESCAPES,
    CommandError,
    add_command,
    add_game_options,
    add_seed_option,
    check_player_count,
    find_game,
    open_catalogue,
    print_line,
    warn_about_learned_data,
)
from shibumi3d.cli.window import open_window
from shibumi3d.i18n import _, localize
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.match import Match, entry_of_record, game_of_record
from shibumi3d.match.record import load
from shibumi3d.match.special_moves import allows_swap_rule, original_seats
from shibumi3d.match.store import MatchStore
from shibumi3d.names import has_visible_text, normalize
from shibumi3d.rules.marbles import handicap

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.match.results import FinishedMatch
    from shibumi3d.rules.game import Deal, Game
    from shibumi3d.search.players import Player


MAX_COUNT_DIGITS = 9


def register(commands: Commands) -> None:
    """Add the ``play`` command."""
    parser = add_command(commands, "play", run, _("play a game"))
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
            "player names in turn order (such as Ann,Ben) or the number of players; for a computer player, "
            "give its level instead of a name (as in me,stone)"
        ),
    )
    add_game_options(parser)
    add_seed_option(parser, None)
    parser.add_argument(
        "--clock",
        metavar=_("TIME"),
        type=parse_time_limit,
        help=_("time for each player: 10+5 is 10 minutes plus 5 seconds a turn, 30s is 30 seconds a turn"),
    )
    parser.add_argument(
        "--swap",
        action=argparse.BooleanOptionalAction,
        help=_(
            "swap rule: after the first turn, the second player may swap sides; not possible in games with "
            "chance or hidden information (default: as the game recommends)"
        ),
    )
    parser.add_argument(
        "--handicap",
        metavar=_("MARBLES"),
        default="",
        help=_(
            "more or fewer marbles at the start, in games where players have marbles of their own: 1+W,2-RR "
            "means one more white marble for the first player and two fewer red ones for the second"
        ),
    )
    parser.add_argument("--text", action="store_true", help=_("play in the terminal"))
    parser.add_argument(
        "--resume",
        action="store_true",
        help=_("with --text: resume the last unfinished match"),
    )


def run(args: argparse.Namespace) -> int:
    """Play a game in the window or, with ``--text``, in the terminal.

    In the terminal, the match is saved after each move.
    """
    if args.text:
        store = MatchStore()
        try:
            match = _resume_match(store) if args.resume else _new_match(args, store)
            computers = _make_computers(match)
            if computers:
                warn_about_learned_data(match.game, len(match.seats))
            terminal.play(match, read_escaped_line, print, computers)
        finally:
            store.release()
        return 0
    if args.resume:
        raise CommandError(_("--resume can only be used with --text; the window offers to resume anyway"))
    if args.game is None:
        return open_window(terminal_command="shibumi3d play spline --text")
    game = find_game(args.game, args.size, args.variant, args.option)
    names = parse_seat_names(game, args.seats)
    _check_settings(game, len(names), args)
    if args.seats is None or args.seats.strip().isdecimal():
        names = (OWN_NAME_PLACEHOLDER,) * len(names)  # stands for the players who used these seats last
    return open_window(
        terminal_command=f"shibumi3d play {args.game} --text",
        game=args.game,
        names=names,
        size=game.size,
        variant=game.variant,
        options=game.form,
        seed="" if args.seed is None else str(args.seed),
        game_settings=(args.clock, _has_swap_rule(game, len(names), args), args.handicap),
    )


def parse_time_limit(text: str) -> TimeLimit | None:
    """Parse a time limit such as ``10+5``; return None for an empty string."""
    try:
        return TimeLimit.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(localize(error)) from None


def _has_swap_rule(game: Game, seats: int, args: argparse.Namespace) -> bool:
    """Return whether the swap rule applies.

    ``--swap`` or ``--no-swap`` decides. Without either, the rule applies if the game recommends and allows it.
    """
    if args.swap is not None:
        return bool(args.swap)
    recommended = (game.meta or {}).get("recommended", ())
    return SWAP_RULE in recommended and allows_swap_rule(game.facts(seats), seats)


def _check_settings(game: Game, seats: int, args: argparse.Namespace) -> Deal:
    """Check the settings of a new match, and return its deal with the handicap applied.

    Raises :class:`CommandError` if the game does not allow the requested clock or swap rule, or if the handicap is
    invalid.
    """
    facts = game.facts(seats)
    if args.swap and not allows_swap_rule(facts, seats):
        raise CommandError(
            _(
                "{game} can't be played with the swap rule, which needs exactly two players and no "
                "hidden information or chance",
                game=game.title,
            )
        )
    if args.clock is not None and facts.has_simultaneous_moves:
        raise CommandError(
            _("{game} can't be played with clocks: players choose at the same time", game=game.title)
        )
    try:
        return handicap.make_deal(handicap.parse_handicap(args.handicap, facts), facts)
    except ValueError as error:
        raise CommandError(localize(error)) from None


def _new_match(args: argparse.Namespace, store: MatchStore) -> Match:
    if args.game is None:
        raise CommandError(
            _("which game? 'shibumi3d list' shows them all; to play one: 'shibumi3d play spline --text'")
        )
    game = find_game(args.game, args.size, args.variant, args.option)
    seed = random.randrange(1_000_000) if args.seed is None else args.seed
    from shibumi3d.app.host.player_setup import resolve_players
    from shibumi3d.search.levels import is_adaptive, player_type_of

    names = parse_seat_names(game, args.seats)
    deal = _check_settings(game, len(names), args)
    kinds = [player_type_of(name) for name in names]
    matches: tuple[FinishedMatch, ...] = ()
    if any(map(is_adaptive, kinds)):
        from shibumi3d.match.results import ResultStore  # opens a database, which other matches do not need

        matches = ResultStore(store.folder.parent / "results.sqlite").load(game.id)
    people, kinds = resolve_players(
        name_players(fill_seat_names(names, len(names), ()), kinds), kinds, matches
    )
    names = tuple(people)
    has_swap_rule = _has_swap_rule(game, len(names), args)
    if has_swap_rule and args.swap is None:
        print_line(
            _("The swap rule applies, as recommended for this game. To play without it, add --no-swap.")
        )
    match = Match(
        game,
        names,
        seed,
        deal=deal,
        player_types=kinds,
        has_swap_rule=has_swap_rule,
        time_limit=args.clock,
    )
    _save_match(match, store)
    return match


def _make_computers(match: Match) -> dict[int, Player]:
    """Return the computer players, keyed by their seats before any swap.

    Seats whose level is unknown are played by a person.
    """
    from shibumi3d.search.levels import PERSON, player_type_of
    from shibumi3d.search.players import player

    kinds = [player_type_of(seat.player_type) for seat in original_seats(match)]
    return {seat: player(kind, match.seed + seat) for seat, kind in enumerate(kinds) if kind != PERSON}


def _save_match(match: Match, store: MatchStore) -> None:
    """Start autosaving the match to a new file, beginning with its next change.

    If that isn't possible, print a warning and continue.
    """
    try:
        store.save_new(match, datetime.now())
    except OSError as error:
        print_line(_("Couldn't save the game: {problem}.", problem=localize(error)))


def _resume_match(store: MatchStore) -> Match:
    """Return the last unfinished match.

    Later changes are saved to the file of the match. If another process is playing it, they are saved to a new file
    instead, and a message is printed. Raises :class:`CommandError` if there is no unfinished match.
    """
    saved = store.find_unfinished()
    if saved is None:
        raise CommandError(_("there is no unfinished match"))
    claimed = store.claim(saved.path)
    record = load(saved.path)  # reload: a move may have been made before the claim
    game = game_of_record(record, entry_of_record(record, open_catalogue()))
    match = Match.from_record(record, game)
    if claimed:
        match.start_autosave(saved.path, save_now=False)
    else:
        print_line(_("This game is already open in another window, so you are playing a copy of it."))
        _save_match(match, store)
    return match


def read_escaped_line(prompt: str) -> str:
    """Show a prompt with its control characters escaped, and return a line of input.

    In a terminal, the prompt doesn't pass through the escaping output stream, so it is escaped here. Raises EOFError at
    the end of the input.
    """
    return read_line(prompt.translate(CONTROL_ESCAPES))


def read_line(prompt: str) -> str:
    """Show a prompt and return a line of input without its newline, or raise EOFError at the end of the input."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return input(prompt)  # supports line editing
    # input() would lose a Ctrl+C pressed while it writes the prompt.
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")


def parse_seat_names(game: Game, names_text: str | None) -> tuple[str, ...]:
    """Return the names of the players.

    ``names_text`` is a list of names (``Ann,Ben``), a number of players, or None for the minimum number. Without a list
    of names, the players are called "Player 1", "Player 2" and so on. Raises :class:`CommandError` for empty or
    invisible names, and for a number of players that the game does not allow.
    """
    if names_text is None or names_text.strip().isdecimal():
        if names_text and len(names_text) > MAX_COUNT_DIGITS:
            raise CommandError(_("no game has that many players"))
        count = check_player_count(game, int(names_text) if names_text else None)
        return tuple(_("Player {number}", number=number + 1) for number in range(count))
    names = tuple(normalize(name).strip() for name in names_text.split(","))
    if not all(names):
        raise CommandError(_("a name is missing in '{names}'", names=names_text))
    for number, name in enumerate(names, 1):
        if not has_visible_text(name):
            raise CommandError(_("the name of player {number} has no visible characters", number=number))
    check_player_count(game, len(names))
    return names
