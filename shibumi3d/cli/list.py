"""``shibumi3d list``: list the games in the catalogue."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import LANGUAGES, Entry
from shibumi3d.cli.common import CommandError, add_command, open_catalogue, print_line, read_page
from shibumi3d.files import write
from shibumi3d.i18n import N_, _, localize, localize_texts
from shibumi3d.rules.game import Option
from shibumi3d.rules.source import Problem
from shibumi3d.rules.wording import lowercase_first
from shibumi3d.wording import GROUP_TEXTS, game_title

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

LIST_TEXTS = {
    "name": N_("name"),
    "title": N_("title"),
    "game": N_("game"),
    "designer": N_("designer"),
    "year": N_("year"),
    "players": N_("players"),
    "minutes": N_("minutes"),
    "kind": N_("kind"),
    "category": N_("category"),
    "by": N_("by"),
    "languages": N_("languages"),
    "sentence": N_("summary"),
}

TABLE_START, TABLE_END = "<!-- games -->", "<!-- end -->"
"""Markers that enclose the table of games in a Markdown page."""


def register(commands: Commands) -> None:
    """Add the ``list`` command."""
    parser = add_command(commands, "list", run, _("list the games"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=_("print everything about every game as JSON"))
    form.add_argument(
        "--markdown",
        metavar=_("FILE"),
        nargs="?",
        const="",
        help=_(
            "print the table of docs/games.md; with FILE, insert it into that file between the lines <!-- "
            "games --> and <!-- end -->"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Print the games or insert them into a Markdown file; return 1 if any game files have errors, else 0."""
    games = load_catalogue() if args.markdown is not None else open_catalogue()
    if args.json:
        games_data = [{**_meta_json(entry.meta), "problems": []} for entry in games]
        games_data += [_broken_game_json(name, problems) for name, problems in games.problems.items()]
        print(json.dumps(games_data, ensure_ascii=False, indent=2))
    elif args.markdown is not None:
        table = format_markdown(games)
        if args.markdown:
            _insert_table(Path(args.markdown), table)
        else:
            print(table)
    else:
        print(_format_table(games))
        if games.problems:
            print()
            print_line(_("Skipped because their files have errors: {names}", names=", ".join(games.problems)))
            print_line(
                "\n".join(
                    f"  {localize(problem)}" for problems in games.problems.values() for problem in problems
                )
            )
    return 1 if games.problems else 0


def format_markdown(entries: Iterable[Entry]) -> str:
    """Return a Markdown table of the games, with pictures and designers."""
    heads = ("game", "designer", "year", "players", "minutes", "category", "languages", "sentence")
    titles = [_(LIST_TEXTS[head]) for head in heads]
    lines = [
        f"| | {' | '.join(titles)} |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| ![{game_title(e)}](pictures/games/{e.id}.webp) "
        f"| {game_title(e)} | {', '.join(e.authors)} | {e.year or ''} | {format_players(e)} | {e.minutes or ''} "
        f"| {format_category(e)} | {format_languages(e)} | {localize_texts(e.summary)} |"
        for e in entries
    ]
    return "\n".join(lines)


def format_languages(entry: Entry) -> str:
    """Return the codes of the languages in which a game has both a summary and rules, separated by commas."""
    return ", ".join(code for code in LANGUAGES if entry.summary.get(code) and entry.rules.get(code))


def format_category(entry: Entry) -> str:
    """Return a game's category in the current language, or "" if it has none.

    The first letter is in lower case.
    """
    return lowercase_first(_(GROUP_TEXTS[entry.category])) if entry.category else ""


def _insert_table(path: Path, table: str) -> None:
    text = read_page(path)
    head, marker, rest = text.partition(f"{TABLE_START}\n")
    _unused, ended, tail = rest.partition(TABLE_END)
    if not (marker and ended) or (f"{TABLE_START}\n" in tail and TABLE_END in tail):
        raise CommandError(
            _(
                "{path} must contain the lines {begin} and {end} exactly once",
                path=path,
                begin=TABLE_START,
                end=TABLE_END,
            )
        )
    write(path, f"{head}{marker}{table}\n{ended}{tail}")


def format_players(entry: Entry) -> str:
    """Return the allowed numbers of players as text, such as "2" or "2–3"."""
    least, most = entry.players
    return str(least) if least == most else f"{least}–{most}"


def _format_table(entries: Iterable[Entry]) -> str:
    heads = ("name", "title", "players", "minutes", "kind", "by")
    rows = [tuple(_(LIST_TEXTS[head]) for head in heads)]
    rows += [
        (
            e.id,
            game_title(e),
            format_players(e),
            str(e.minutes or ""),
            format_category(e),
            f"{', '.join(e.authors)} {e.year or ''}".strip(),
        )
        for e in sorted(entries, key=lambda entry: (game_title(entry).casefold(), entry.id))
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _broken_game_json(name: str, problems: Iterable[Problem]) -> dict[str, object]:
    texts = [str(problem) for problem in problems]
    return {"id": name, "problems": texts}


def _meta_json(meta: Mapping[str, object]) -> dict[str, object]:
    return {key: _to_json(value) for key, value in meta.items()}


def _to_json(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _to_json(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_to_json(one) for one in value]
    if isinstance(value, Option):
        return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
    return value
