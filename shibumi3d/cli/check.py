"""``shibumi3d check``: find errors in game files, and measure the tips in them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import add_command, open_catalogue, print_line
from shibumi3d.i18n import _, localize, ngettext
from shibumi3d.wording import game_title

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.catalogue.tips import Tip
    from shibumi3d.cli.common import Commands


def register(commands: Commands) -> None:
    """Add the ``check`` command."""
    parser = add_command(
        commands,
        "check",
        run,
        _("check game files and show every error with its file, line and column, and what was expected"),
    )
    parser.add_argument(
        "files",
        metavar=_("FILE"),
        nargs="*",
        type=Path,
        help=_("game files (default: all built-in games and your own)"),
    )
    parser.add_argument(
        "--tips",
        action="store_true",
        help=_("for each tip, also measure how much better its turn is than the turn that ignores it"),
    )


def run(args: argparse.Namespace) -> int:
    """Check the given game files, or all games if none are given, and print the errors found.

    With ``--tips``, also measure the tips of these games, provided that there are no errors. Returns 1 if there are
    errors, if the turn of a tip has no clear advantage, or if the problem of a tip can't be proved again; otherwise,
    returns 0.
    """
    games = open_catalogue()
    count, problems = games.check(args.files)
    for problem in problems:
        print_line(localize(problem))
    mistakes = ngettext("{n} error", "{n} errors", len(problems)) if problems else _("no errors")
    print_line(
        ngettext("{n} game checked: {mistakes}", "{n} games checked: {mistakes}", count, mistakes=mistakes)
    )
    if problems or not args.tips:
        return 1 if problems else 0
    return _check_tips([games.open(file) for file in args.files] if args.files else games.entries)


def _check_tips(entries: Iterable[Entry]) -> int:
    """Measure the tips of the given games and their variants, and print the results.

    A measurement shows whether the turn that a tip recommends is clearly better than the turn that ignores the tip. If
    a tip refers to a problem, that problem is proved again instead. Returns 1 if the turn of any tip has no clear
    advantage or the problem of any tip can't be proved again; otherwise, returns 0.
    """
    measured = weak = 0
    for entry in entries:
        for form in (entry, *map(entry.with_variant, entry.variants)):
            for number, tip in enumerate(form.tips, start=1):
                is_good, result = _measure_tip(form, tip)
                print_line(_("{game}, tip {n}: {result}", game=game_title(form), n=number, result=result))
                measured += 1
                weak += not is_good
    print_line(
        ngettext(
            "{n} tip measured, {weak} with no clear advantage",
            "{n} tips measured, {weak} with no clear advantage",
            measured,
            weak=weak,
        )
    )
    return 1 if weak else 0


def _measure_tip(entry: Entry, tip: Tip) -> tuple[bool, str]:
    """Return whether a tip's turn is clearly better than its ``instead`` turn, and a text with the result.

    If the tip refers to a problem, return whether the problem could be proved again, and a text with the result.
    """
    from shibumi3d.catalogue.shown_problems import find_problem
    from shibumi3d.catalogue.tips import lesson_state
    from shibumi3d.cli.problems import PROBLEMS_FAULT_TEXTS, verify_problem
    from shibumi3d.search.tips import measure_tip

    if tip.problem:
        try:
            problem = find_problem(entry.id, tip.problem)
        except ValueError as error:
            return False, localize(error)
        faults = verify_problem(problem, entry, False)
        return not faults, _(PROBLEMS_FAULT_TEXTS[faults[0]]) if faults else _(
            "proved to be the only solution"
        )
    lesson = tip.lesson
    game = entry.game(size=lesson.size or None, variant=lesson.variant or None)
    margin = measure_tip(game, lesson_state(game, lesson), lesson.moves, tip.instead)
    if margin.is_proved:
        return True, _("proved")
    best, played = round(100 * margin.followed.value), round(100 * margin.ignored.value)
    if margin.is_for_score:
        text = _("better in {best}% of the simulated games, worse in {played}%", best=best, played=played)
    else:
        text = _("{best}% chance of winning instead of {played}%", best=best, played=played)
    return margin.is_enough, text
