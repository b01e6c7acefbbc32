"""Helpers shared by the commands: errors, argument types, match options and game lookup."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.schema import CatalogueError, Entry, is_same_variant
from shibumi3d.files import decode_text, read
from shibumi3d.i18n import (
    N_,
    P_,
    Message,
    _,
    format_decimal,
    format_fixed,
    format_integer,
    localize,
    ngettext,
    shorten,
)
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.source import suggest_or_list_existing
from shibumi3d.rules.wording import capitalize_first

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game
    from shibumi3d.search.players import Player

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

SUMMARY_TEXTS = {
    "game": N_("game"),
    "size": N_("size"),
    "variant": N_("variant"),
    "players": N_("players"),
    "seats": N_("seats"),
    "games": N_("games"),
    "wins": P_("summary", "wins"),
    "draws": N_("draws"),
    "unfinished": N_("unfinished"),
    "share": N_("share"),
    "interval": N_("interval"),
    "turns": N_("turns"),
    "moves": P_("summary", "moves"),
    "scores": N_("scores"),
    "digest": N_("digest"),
    "mean": N_("mean"),
    "least": N_("min"),
    "most": N_("max"),
    "dead ends": N_("dead ends"),
    "endless": N_("endless"),
    "choices": N_("choices"),
    "stronger": N_("stronger player"),
}
VALUE_TEXTS = {
    "day": N_("expected a date such as 2026-11-28, not {value}"),
    "depth": N_("expected a whole number of at least 1, not {value}"),
    "int": N_("expected a whole number, not {value}"),
    "positive": N_("expected a whole number of at least 1, not {value}"),
    "samples": N_("expected a whole number of at least 1, not {value}"),
    "seconds": N_("expected a number of seconds, not {value}"),
    "seed": N_("expected a whole number, not {value}"),
    "speed": N_("expected a number, not {value}"),
    "whole": N_("expected a whole number of at least 0, not {value}"),
}


def print_line(sentence: str = "", *, to_stderr: bool = False) -> None:
    """Print a line to standard output, or to standard error if ``to_stderr`` is true."""
    print(sentence, file=sys.stderr if to_stderr else sys.stdout)


def print_summary(summary: Mapping[str, object]) -> None:
    """Print a line for each entry of ``summary``: its translated label and its value.

    :data:`SUMMARY_TEXTS` contains the untranslated labels by key.
    """
    labels = {key: _(SUMMARY_TEXTS[key]) for key in summary}
    width = max(11, *(len(label) + 1 for label in labels.values()))
    for key, value in summary.items():
        print_line(f"{labels[key]:<{width}}{_format_value(value)}".rstrip())


def _format_value(value: object) -> str:
    if isinstance(value, Mapping):
        parts = [(_(SUMMARY_TEXTS[key]), _format_value(part)) for key, part in value.items()]
        return ", ".join(" ".join(part) for part in parts)
    if isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        return "; ".join(map(_format_value, value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "–" if value is None else str(value)
    return format_integer(value) if isinstance(value, int) else format_decimal(value)


def warn_if_shader_cache_full() -> None:
    """If the disk is too full for the graphics driver's shader cache, turn the cache off and print a warning.

    Call this function before OpenGL is loaded.
    """
    from shibumi3d.render.shader_cache import disable_cache_if_disk_full

    full = disable_cache_if_disk_full()
    if full is not None:
        print_line(
            _(
                "The disk is full, so the graphics driver can't save its cache in {path}. Starting will "
                "take longer until you free some space.",
                path=full,
            ),
            to_stderr=True,
        )


def format_cpu_time(seconds: float, games_per_second: str) -> str:
    """Return a phrase with the CPU time of a run and its number of games per second.

    ``seconds`` is the CPU time. ``games_per_second`` is already formatted.
    """
    return _(
        "{seconds} s of CPU time, {games} games/s", seconds=format_fixed(seconds, 2), games=games_per_second
    )


MAX_COUNT = 10**9
"""Maximum value of an argument such as a number of matches, simulations or turns."""
HOUR_SECONDS = 3600
MAX_PAGE_BYTES = 4 * 1024 * 1024
"""Maximum size in bytes of a file read by :func:`read_page`."""


class CommandError(Exception):
    """Raised when a command can't do what was requested; its message is shown to the user."""


CONTROL_ESCAPES = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *range(0x20),
        *range(0x7F, 0xA0),
        0x2028,
        0x2029,
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
    if chr(code) not in "\n\t"
}
"""Visible escapes for the control and text direction characters that could affect a terminal, by code point."""


class EscapingStream:
    """Stream wrapper that escapes the characters in :data:`CONTROL_ESCAPES` in the text written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write ``text`` with the characters in :data:`CONTROL_ESCAPES` escaped, and return its original length."""
        self._stream.write(text.translate(CONTROL_ESCAPES))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class LocalizedParser(argparse.ArgumentParser):
    """Argument parser that translates its error messages and shortens long ones."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error message, and exit with code 2."""
        self.print_usage(sys.stderr)
        self.exit(2, _("{prog}: error: {message}", prog=self.prog, message=shorten(message)) + "\n")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # Some versions of Python treat the value "--", as in "--games=--", as missing.
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, _("expected one argument"))
        return super()._get_values(action, arg_strings)


ARGPARSE_TEXTS = frozenset(
    (
        N_("usage: "),
        N_("positional arguments"),
        N_("options"),
        N_("show this help message and exit"),
        N_("argument %(argument_name)s: %(message)s"),
        N_("expected at least one argument"),
        N_("invalid choice: %(value)r (choose from %(choices)s)"),
        N_("ignored explicit argument %r"),
        N_("not allowed with argument %s"),
        N_("expected one argument"),
        N_("one of the arguments %s is required"),
        N_("the following arguments are required: %s"),
        N_("unrecognized arguments: %s"),
        N_("invalid %(type)s value: %(value)r"),
    )
)
"""Messages of Python's argparse that our catalogue translates.

argparse looks them up with gettext, which is redirected to our catalogue.
"""

vars(argparse)["_"] = lambda words: _(words) if words in ARGPARSE_TEXTS else words


def add_command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], text: str
) -> argparse.ArgumentParser:
    """Add the command ``name``, which is executed by ``run``, and return its argument parser.

    ``text`` is the help text: a sentence without an initial capital or a final full stop.
    """
    parser = commands.add_parser(
        name, help=text, description=f"{capitalize_first(text)}.", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the size, variant and other settings of a game."""
    parser.add_argument(
        "--size", type=parse_positive, metavar="N", help=_("board size, if the game has several")
    )
    add_variant_option(parser)
    add_setting_option(parser)


def add_setting_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--option``, which sets a game-specific option and can be repeated."""
    parser.add_argument(
        "--option",
        metavar=_("NAME=VALUE"),
        action="append",
        type=parse_option,
        default=[],
        help=_("another setting of the game, such as rounds=4; can be repeated"),
    )


def parse_option(text: str) -> tuple[str, str]:
    """Parse an argument such as ``rounds=4`` into its name and value."""
    name, sign, value = text.partition("=")
    if not (name.strip() and sign and value.strip()):
        raise argparse.ArgumentTypeError(
            _("expected a name and a value, such as rounds=4, not '{text}'", text=text)
        )
    return name.strip(), value.strip()


def add_variant_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--variant``, which chooses a variant of the game."""
    parser.add_argument("--variant", metavar=_("NAME"), help=_("a variant of the game"))


def add_seed_option(parser: argparse.ArgumentParser, default: int | None = 0) -> None:
    """Add ``--seed``; a ``default`` of None stands for a new seed each time."""
    usual = _("a new one each time") if default is None else default
    parser.add_argument(
        "--seed",
        type=parse_seed,
        metavar="N",
        default=default,
        help=_("random seed (default: {usual})", usual=usual),
    )


def add_players_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--players``, the number of players."""
    parser.add_argument(
        "--players",
        type=parse_positive,
        metavar="N",
        help=_("number of players (default: the fewest the game allows)"),
    )


def parse_positive(text: str, maximum: float = MAX_COUNT, kind: str = "positive") -> int:
    """Parse a whole number from 1 to ``maximum``.

    If ``text`` isn't a positive whole number, the error message is the one under ``kind`` in :data:`VALUE_TEXTS`.
    """
    return _parse_count(text, kind, 1, maximum)


def parse_non_negative(text: str) -> int:
    """Parse a whole number from 0 to :data:`MAX_COUNT`."""
    return _parse_count(text, "whole", 0, MAX_COUNT)


def parse_integer(text: str) -> int:
    """Parse a whole number, which may be negative."""
    try:
        return int(text)
    except ValueError:
        raise invalid_value_error(text, "int") from None


def invalid_value_error(text: str, kind: str) -> argparse.ArgumentTypeError:
    """Return the error for an argument with an invalid value; ``kind`` is a key of :data:`VALUE_TEXTS`."""
    return argparse.ArgumentTypeError(_(VALUE_TEXTS[kind], value=repr(text)))


def _parse_count(text: str, kind: str, minimum: int, maximum: float) -> int:
    try:
        number = int(text)
    except ValueError:
        raise invalid_value_error(text, kind) from None
    if number < minimum:
        raise invalid_value_error(text, kind)
    if number > maximum:
        raise argparse.ArgumentTypeError(
            _("expected a number of at most {most}, not '{text}'", most=maximum, text=text)
        )
    return number


def parse_seconds(text: str) -> float:
    """Parse a positive time in seconds, at most one hour."""
    try:
        number = float(text)
    except ValueError:
        raise invalid_value_error(text, "seconds") from None
    if not 0 < number <= HOUR_SECONDS:
        raise argparse.ArgumentTypeError(
            _(
                "expected a number of seconds, more than 0 and at most {most}, not '{text}'",
                most=HOUR_SECONDS,
                text=text,
            )
        )
    return number


def make_computers(names: str) -> list[Player]:
    """Return the computer players for a comma-separated list of levels, such as ``stone,river``.

    A level is given by name or number; ``random`` stands for a player that makes random moves. Raises
    :class:`CommandError` for an unknown level.
    """
    from shibumi3d.search.players import player

    try:
        return [player(name, number) for number, name in enumerate(names.split(","))]
    except ValueError as error:
        raise CommandError(localize(error)) from None


def parse_seed(text: str) -> int:
    """Parse a seed: a whole number of at most 18 digits, since records can't store longer ones."""
    try:
        number = int(text)
    except ValueError:
        raise invalid_value_error(text, "seed") from None
    if abs(number) >= 10**18:
        raise argparse.ArgumentTypeError(_("expected a number of at most 18 digits, not '{text}'", text=text))
    return number


def read_page(path: Path) -> str:
    """Return the text of a file, such as a page into which a command will insert a table.

    Raises :class:`CommandError` if the file can't be read, is not UTF-8, or is larger than :data:`MAX_PAGE_BYTES`
    bytes.
    """
    try:
        data = read(path, MAX_PAGE_BYTES)
        text = decode_text(data)
    except OSError as error:
        raise CommandError(
            localize(Message("{name} can't be read: {reason}", name=path, reason=error))
        ) from None
    except UnicodeDecodeError:
        raise CommandError(_("{path} is not a UTF-8 text file", path=path)) from None
    if len(data) > MAX_PAGE_BYTES:
        raise CommandError(_("{path} is larger than {most} KB", path=path, most=MAX_PAGE_BYTES // 1024))
    return text


def open_catalogue() -> Catalogue:
    """Load the catalogue of built-in games and the user's own games."""
    from shibumi3d.match.store import games_folder
    from shibumi3d.paths import cache_folder

    return load_catalogue(games_folder(), cache_folder())


def find_entry(name: str) -> Entry:
    """Return the catalogue entry of the game whose id, title or file path is ``name``.

    Raises :class:`CatalogueError` if there is no such game or the file can't be read, and :class:`.GameFileError` if
    the file has errors.
    """
    return open_catalogue().get(name)


def find_variant(entry: Entry, given: str | None) -> str | None:
    """Return the name of the variant that ``given`` stands for, or None if ``given`` is None.

    ``given`` is the variant's name, as in records, or its label in the current language, in any spelling that
    :func:`is_same_variant` accepts. Raises :class:`CatalogueError` if there is no such variant.
    """
    from shibumi3d.wording import game_title, variant_title

    if given is None:
        return None
    labels = {variant_title(entry, name): name for name in entry.variants}
    for title, name in [*((name, name) for name in entry.variants), *labels.items()]:
        if is_same_variant(title, given):
            return name
    raise CatalogueError(
        "{game} has no variant '{variant}'{hint}",
        game=game_title(entry),
        variant=given,
        hint=suggest_or_list_existing(given, labels),
    )


def find_game(
    name: str, size: int | None, variant: str | None, options: Iterable[tuple[str, str]] = ()
) -> Game:
    """Return a game with the given board size, variant and options.

    ``name`` is the id or title of the game, or the path of a game file. ``variant`` is the name or label of a variant;
    see :func:`find_variant`. If ``size`` or ``variant`` is None, the default is used. ``options`` are pairs of an
    option's name and its value. Raises the same errors as :func:`find_entry`. Also raises :class:`CatalogueError` for a
    size, variant or option that the game doesn't have, and for a value that an option doesn't allow.
    """
    entry = find_entry(name)
    return entry.game(size=size, variant=find_variant(entry, variant), options=dict(options))


def check_player_count(game: Game, requested: int | None) -> int:
    """Return the requested number of players, or the game's minimum if ``requested`` is None.

    Raises :class:`CommandError` if the game does not allow that number.
    """
    least, most = game.players
    if requested is None:
        return least
    if not least <= requested <= most:
        allowed = least if least == most else _("{least} to {most}", least=least, most=most)
        raise CommandError(
            ngettext(
                "{game} is for {allowed} player, not for {asked}",
                "{game} is for {allowed} players, not for {asked}",
                most,
                game=game.title,
                allowed=allowed,
                asked=requested,
            )
        )
    return requested


def warn_about_learned_data(game: Game, seats: int) -> None:
    """Print a warning to standard error if none of the learned data can be used with ``seats`` seats.

    Nothing is printed if nothing has been learned for ``game``.
    """
    from shibumi3d.rules.game import LearnsBySelfPlay

    reason = game.explain_ignored_knowledge(seats) if isinstance(game, LearnsBySelfPlay) else None
    if reason is not None:
        print_line(
            _("The computer players can't use what they have learned: {reason}", reason=localize(reason)),
            to_stderr=True,
        )


@contextmanager
def user_errors() -> Iterator[None]:
    """Convert errors caused by the user or the system to :class:`CommandError`, with translated messages.

    BrokenPipeError is not converted.
    """
    from shibumi3d.match.record import RecordError
    from shibumi3d.rules.errors import IllegalMove, RuleFailure

    try:
        yield
    except BrokenPipeError:
        raise
    except GameFileError as error:
        raise CommandError("\n".join((_("the game file has errors"), localize(error)))) from None
    except (CatalogueError, RecordError, IllegalMove, RuleFailure) as error:
        raise CommandError(localize(error)) from None
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        raise CommandError(f"{name}{localize(error)}") from None
