"""``shibumi3d problems``: find, check, show and solve positions with a single solution."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.catalogue.notation import format_turns
from shibumi3d.cli.common import CommandError, add_command, find_entry, parse_positive, print_line
from shibumi3d.cli.job_runner import add_mining_options, mine_games, parallel_job_count
from shibumi3d.i18n import N_, _, language, localize, ngettext
from shibumi3d.wording import PROBLEM_TASK_TEXTS, THEME_TEXTS, game_title

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.cli.common import Commands
    from shibumi3d.cli.job_runner import RunJobs
    from shibumi3d.lab.jobs import Job, Row
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Game
    from shibumi3d.search.problems.candidates import FoundProblem

PROBLEMS_FAULT_TEXTS = {
    "key": N_("the solution doesn't do what is asked"),
    "second": N_("there is a second solution"),
    "open": N_("the proof couldn't be completed within the limit"),
    "length": N_("the solution takes a different number of turns"),
    "line": N_("the solution doesn't end in a win"),
    "wrong": N_("a reply to a wrong turn doesn't refute it"),
    "moves": N_("its moves can't be played"),
    "rules": N_("the rules have changed"),
}

MAX_FILE_BYTES = 1024 * 1024
"""Maximum size in bytes of a problem set."""


def register(commands: Commands) -> None:
    """Add the ``problems`` command."""
    parser = add_command(
        commands,
        "problems",
        run_show,
        _("find, check, show and play problems: positions with exactly one solution"),
    )
    below = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"), required=True)
    mine = add_command(
        below, "mine", run_mine, _("look for problems in computer matches, and save those that can be proved")
    )
    add_mining_options(
        mine, _("file to write, or a folder for several games; problems already in it are kept")
    )
    mine.add_argument(
        "--matches",
        type=parse_positive,
        metavar="N",
        help=_("number of matches to search for each game, instead of a time limit"),
    )
    check = add_command(
        below, "check", run_check, _("prove again that every problem of a set has exactly one solution")
    )
    check.add_argument(
        "file",
        metavar=_("FILE"),
        type=Path,
        nargs="+",
        help=_("a set of problems, in a file named after its game"),
    )
    check.add_argument(
        "--other", action="store_true", help=_("use a different method from the one that found the problems")
    )
    check.add_argument(
        "--first", type=parse_positive, metavar="N", help=_("check only the first N problems of each set")
    )
    show = add_command(below, "show", run_show, _("show problems of a game"))
    show.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    show.add_argument(
        "number",
        metavar="N",
        nargs="+",
        type=parse_positive,
        help=_("number of a problem in the game's set; you can give several"),
    )
    show.add_argument("--solution", action="store_true", help=_("also show the solution"))
    play = add_command(
        below, "play", run_play, _("solve problems of a game, in the window or in the terminal")
    )
    play.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    play.add_argument(
        "number",
        metavar="N",
        nargs="?",
        type=parse_positive,
        help=_(
            "number of the first problem (default: where you left off, or the easiest you haven't solved)"
        ),
    )
    play.add_argument("--text", action="store_true", help=_("play in the terminal"))
    pages = show.add_mutually_exclusive_group()
    pages.add_argument(
        "--svg",
        type=Path,
        metavar=_("OUT"),
        help=_("write an SVG page with up to ten problems instead of printing them"),
    )
    pages.add_argument(
        "--pdf",
        type=Path,
        metavar=_("OUT"),
        help=_("write a PDF page with up to ten problems instead of printing them"),
    )
    pages.add_argument(
        "--html",
        type=Path,
        metavar=_("OUT"),
        help=_("instead of printing one problem, write a web page on which it can be solved"),
    )


def run_mine(args: argparse.Namespace) -> int:
    """Search computer matches for problems, and write the problems of each game to a file."""
    return mine_games(args, _mine_game)


def _mine_game(args: argparse.Namespace, entry: Entry, out: Path, run_jobs: RunJobs) -> str:
    """Search for problems of one game, write its problem set to the file ``out`` and return a summary.

    Problems already in the file are kept, unless the rules have changed. If there are no problems, nothing is written.
    """
    from shibumi3d.catalogue.problems import format_problem_file, rules_hash
    from shibumi3d.lab.jobs import GameText
    from shibumi3d.lab.mining import drop_common_themes, make_row, mine_problems

    setup, rules, spent = GameText.from_entry(entry), rules_hash(entry), 0.0

    def fits(problem: FoundProblem) -> bool:
        row = make_row(problem, entry.id, rules)
        # A row that starts from a position lacks the earlier positions, which some rules need.
        return row is not None and not (row.position and verify_problem(row, entry, False))

    old = [problem for problem in _existing_problems(entry, out) if problem.rules == rules]
    known = [_to_finding(problem, setup.load_game()) for problem in old]

    def timed(jobs: Sequence[Job]) -> tuple[list[Row], float]:
        nonlocal spent
        rows, seconds = run_jobs(jobs)
        spent += seconds
        return rows, seconds

    limit = {
        "matches": args.matches,
        "seconds": args.seconds,
        "parallel_jobs": parallel_job_count(args),
    }
    matches, selection = mine_problems(setup, fits, timed, seed=args.seed, known=known, **limit)
    new = [one for one in selection.sorted_problems() if one not in known]
    first = max((problem.id for problem in old), default=0) + 1
    rows = [make_row(one, entry.id, rules, number) for number, one in enumerate(new, first)]
    found = drop_common_themes(old + [row for row in rows if row is not None])
    if found:
        files.write(out, format_problem_file(rules, found))
    return ngettext(
        "{game}: {n} problem saved; {matches} searched in {seconds} s.",
        "{game}: {n} problems saved; {matches} searched in {seconds} s.",
        len(found),
        game=game_title(entry),
        matches=ngettext("{n} match", "{n} matches", matches),
        seconds=f"{spent:.0f}",
    )


def _existing_problems(entry: Entry, file: Path) -> Sequence[ProvedProblem]:
    """Return the problems already in a file, or an empty sequence if the file does not exist."""
    from shibumi3d.catalogue.problems import parse_problem_file

    return (
        parse_problem_file(files.read(file, MAX_FILE_BYTES), str(file), entry.id)
        if os.path.isfile(file)
        else ()
    )


def run_play(args: argparse.Namespace) -> int:
    """Let the player solve problems of a game, in the window or in the terminal."""
    from shibumi3d.catalogue.problems import load_ratings

    entry = find_entry(args.game)
    numbers = [number for number, _ in load_ratings(entry.id)]
    if not numbers or (args.number or numbers[0]) not in numbers:
        raise CommandError(
            _("there is no problem {number} for {game}", game=game_title(entry), number=args.number or 1)
        )
    if not args.text:
        from shibumi3d.cli.window import open_window

        text = f"shibumi3d problems play {args.game} --text"
        return open_window(terminal_command=text, game=args.game, problem=args.number or 0)
    from shibumi3d.app.host import settings
    from shibumi3d.app.host.problems import ProblemLibrary
    from shibumi3d.cli import terminal_problems
    from shibumi3d.cli.play import read_escaped_line
    from shibumi3d.match.store import MatchStore

    results = settings.load_settings(settings.settings_folder()).settings.results
    shelf = ProblemLibrary(MatchStore, lambda: results, print_line)
    try:
        terminal_problems.play_problems(entry, shelf, args.number or 0, read_escaped_line, print_line)
    finally:
        shelf.flush()
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Prove the problems in the given files again, and print those that fail.

    If the rules of a game have changed since a problem was found, the problem fails without being proved. With
    ``--other``, a different method from the one that found a problem is used if possible; problems that are too deep
    for this method are only counted. With ``--first N``, at most N problems of each file are checked. Return 1 if any
    problem fails, and otherwise 0.
    """
    from shibumi3d.catalogue.problems import parse_problem_file, rules_hash

    wrong = proved = left = 0
    start_time = process_time()
    for file in args.file:
        found = parse_problem_file(
            files.read(file, MAX_FILE_BYTES), str(file), file.name.removesuffix(".yaml")
        )
        of_file = 0
        for problem in found:
            entry = find_entry(problem.game)
            faults = (
                ["rules"]
                if problem.rules != rules_hash(entry)
                else verify_problem(problem, entry, args.other)
            )
            if args.other and faults == ["open"]:
                left += 1  # the other method can't search this deep
                continue
            of_file += 1
            wrong += bool(faults)
            for key in faults:
                reason = _(PROBLEMS_FAULT_TEXTS[key])
                print_line(
                    _("{game} {number}: {reason}.", game=game_title(entry), number=problem.id, reason=reason)
                )
            if of_file == args.first:
                break
        proved += of_file
    seconds = f"{process_time() - start_time:.0f}"
    print_line(
        ngettext(
            "{n} problem checked, {wrong} wrong, {left} too far from the end to check, {seconds} s.",
            "{n} problems checked, {wrong} wrong, {left} too far from the end to check, {seconds} s.",
            proved,
            wrong=wrong,
            seconds=seconds,
            left=left,
        )
    )
    return 1 if wrong else 0


def verify_problem(problem: ProvedProblem, entry: Entry, use_other_method: bool) -> list[str]:
    """Prove a problem again and return the faults found, as keys of :data:`PROBLEMS_FAULT_TEXTS`.

    Set ``use_other_method`` to use a different method from the one that found the problem. Some problems can be proved
    by only one method, which is used in either case.
    """
    from shibumi3d.rules.errors import IllegalMove
    from shibumi3d.search.problems.requirements import verify

    try:
        finding = _to_finding(problem, entry.game(variant=problem.variant))
        return verify(finding.candidate, finding, use_other_method)
    except (IllegalMove, ValueError):
        return ["moves"]


def _to_finding(problem: ProvedProblem, game: Game) -> FoundProblem:
    """Convert a proved problem to a :class:`.FoundProblem`, as if a search had found it.

    Raises IllegalMove if its moves are not legal in the game, and ValueError if its position is not valid.
    """
    from shibumi3d.search.problems.candidates import Candidate, FoundProblem

    candidate = Candidate(game, problem.start_state(game), problem.moves, seed=problem.seed)
    return FoundProblem(
        problem.kind,
        candidate,
        problem.n,
        problem.line,
        problem.also,
        problem.wrong,
        problem.surprise,
        problem.themes,
        problem.rating,
        problem.work,
        problem.slip,
    )


def run_show(args: argparse.Namespace) -> int:
    """Print or draw problems, or write a web page for solving one."""
    entry = find_entry(args.game)
    problems = [_find_problem(entry, number) for number in args.number]
    matches = [match_at_start(problem, entry) for problem in problems]
    tasks = [format_task(problem, match) for problem, match in zip(problems, matches, strict=True)]
    if args.html:
        if len(problems) > 1:
            raise CommandError(_("a web page can hold only one problem"))
        files.write(args.html, make_web_page(problems[0], entry), allow_streams=True)
        return 0
    out = args.svg or args.pdf
    if out:
        from shibumi3d.export.sheet import SheetError, draw_problem_sheet

        try:
            page = draw_problem_sheet(list(zip(matches, tasks, strict=True)), "svg" if args.svg else "pdf")
        except SheetError as error:
            raise CommandError(localize(error)) from None
        files.write(out, page, allow_streams=True)
        return 0
    for problem, match, asked in zip(problems, matches, tasks, strict=True):
        for line in match.game.table_lines(match.game.observe(match.state, match.state.to_move), language()):
            print_line(line)
        print_line(asked)
        if args.solution:
            print_line(format_turns(problem.line))
            if problem.themes:
                themes = ", ".join(_(THEME_TEXTS[theme]) for theme in problem.themes)
                print_line(_("Themes: {themes}.", themes=themes))
    return 0


def make_web_page(problem: ProvedProblem, entry: Entry) -> bytes:
    """Return a web page on which a problem can be solved.

    Raises :class:`CommandError` if the problem has too many moves for a web page, if its position is invalid, or if its
    moves can't be played.
    """
    from shibumi3d.export.web_problem import ProblemPageError, make_problem_page
    from shibumi3d.match.problem_session import ProblemSession
    from shibumi3d.rules.errors import IllegalMove

    game = entry.game(variant=problem.variant)
    try:
        task = format_task(problem, match_at_start(problem, entry))
        seats = problem.seats or game.players[0]
        names = [_("Player {number}", number=seat + 1) for seat in range(seats)]
        return make_problem_page(ProblemSession(problem, game, names), task)
    except ProblemPageError as error:
        raise CommandError(localize(error)) from None
    except (IllegalMove, ValueError):
        raise CommandError(_(PROBLEMS_FAULT_TEXTS["moves"])) from None


def _find_problem(entry: Entry, problem_id: int) -> ProvedProblem:
    """Return problem ``problem_id`` of a game, or raise :class:`CommandError` if it is not available."""
    from shibumi3d.catalogue.problems import load_problem_set

    found = load_problem_set(entry.id)
    if found.unavailable_reason is not None:
        raise CommandError(localize(found.unavailable_reason))
    for problem in found.problems:
        if problem.id == problem_id:
            return problem
    raise CommandError(
        _("there is no problem {number} for {game}", game=game_title(entry), number=problem_id)
    )


def match_at_start(problem: ProvedProblem, entry: Entry) -> Match:
    """Return a match at the start of a problem, with unnamed players."""
    from shibumi3d.match import problem_session

    game = entry.game(variant=problem.variant)
    return problem_session.match_at_problem(problem, game, ["–"] * (problem.seats or game.players[0]))


def format_task(problem: ProvedProblem, match: Match) -> str:
    """Return the task of a problem as a sentence.

    ``match`` must be at the start of the problem, so that the seat to move is the solver's.
    """
    who = _("Player {number}", number=(match.state.to_move or 0) + 1)
    return _(PROBLEM_TASK_TEXTS[problem.kind], problem.n, who=who)
