"""``shibumi3d rules``: print the rules of a game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import SWAP_RULE
from shibumi3d.cli.common import CommandError, add_command, add_variant_option, find_entry, find_variant
from shibumi3d.cli.list import format_players
from shibumi3d.i18n import _, localize_texts
from shibumi3d.wording import game_title, translated_rules

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def register(commands: Commands) -> None:
    """Add the ``rules`` command."""
    parser = add_command(commands, "rules", run, _("print the rules of a game"))
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    add_variant_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print the title, metadata, summary and rules of a game, translated as far as possible.

    The metadata are the authors, the source, the number of players, the duration and whether the swap rule is
    recommended. Raises :class:`CommandError` if the game has no rules text.
    """
    game = find_entry(args.game)
    entry = game.with_variant(find_variant(game, args.variant))
    text = translated_rules(entry.rules)
    if not text:
        raise CommandError(_("{game} has no rules text", game=game_title(entry)))
    by = f"{', '.join(entry.authors)}, {entry.year}" if entry.year else ", ".join(entry.authors)
    source = f"{entry.book}, p. {entry.page}" if entry.book and entry.page else entry.book
    facts = [
        by,
        source,
        _("players: {players}", players=format_players(entry)),
        f"{entry.minutes} min" if entry.minutes else "",
        _("swap rule recommended") if SWAP_RULE in entry.recommended else "",
    ]
    print(f"# {game_title(entry)}")
    print(" · ".join(fact for fact in facts if fact))
    summary = localize_texts(entry.summary)
    if summary:
        print(f"\n{summary}")
    print(f"\n{text}")
    return 0
