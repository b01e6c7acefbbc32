"""``shibumi3d rules``: print the rules of a game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shibumi3d.app.wording import rules_text, titled
from shibumi3d.cli.common import Failure, command, entry_of
from shibumi3d.cli.list import players
from shibumi3d.i18n import _, local

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the ``rules`` command."""
    parser = command(commands, "rules", run, _("print the rules of a game"))
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument("--variant", metavar=_("NAME"), help=_("a variant of the game"))


def run(args: argparse.Namespace) -> int:
    """Print the rules in the current language, or in English if they are not translated."""
    entry = entry_of(args.game).form(args.variant)
    text = rules_text(entry.rules)
    if not text:
        raise Failure(_("{game} has no rules text", game=titled(entry)))
    by = f"{', '.join(entry.authors)}, {entry.year}" if entry.year else ", ".join(entry.authors)
    source = f"{entry.book}, p. {entry.page}" if entry.book and entry.page else entry.book
    facts = [
        by,
        source,
        _("players: {players}", players=players(entry)),
        f"{entry.minutes} min" if entry.minutes else "",
    ]
    print(f"# {titled(entry)}")
    print(" · ".join(fact for fact in facts if fact))
    summary = local(entry.summary)
    if summary:
        print(f"\n{summary}")
    print(f"\n{text}")
    return 0
