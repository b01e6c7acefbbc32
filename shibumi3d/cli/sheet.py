"""Plans for printing: a whole match on one page with its notation, or up to ten puzzles."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.app.marbles import secrets
from shibumi3d.app.wording import titled
from shibumi3d.cli.common import Failure
from shibumi3d.cli.drawing import last_points
from shibumi3d.cli.paper.pens import Paper, Pdf, Svg
from shibumi3d.cli.text import result_line, told_turns
from shibumi3d.i18n import _, language, pgettext
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.facts import MarbleFacts
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.marbles import diagram
from shibumi3d.scene.marbles.stage import marbles_of
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style, style

PAGE = (595.28, 841.89)
"""Size of an A4 page in points."""
MARGIN, GAP = 42.0, 14.0
PLANS = 6
"""Maximum number of plans of a match on one page."""
PUZZLES = 10
NOTATION, LEAST = 9.0, 5.0
"""Normal and minimum font size of the notation in points."""
LINE = 1.35
COLUMNS = 4
PENS = {"svg": Svg, "pdf": Pdf}


def sheet(matches: Sequence[Match], kind: str) -> bytes:
    """Return a page with plans of one match, or with the start of each of several, as a file.

    ``kind`` is the file type, "svg" or "pdf". Only public information is drawn. Raises Failure for tables without
    levels and for too many matches.
    """
    if any(not isinstance(match.game.facts(len(match.seats)), MarbleFacts) for match in matches):
        raise Failure(_("diagrams can only be drawn of marble games"))
    if len(matches) > PUZZLES:
        raise Failure(
            _("a page has room for {most} diagrams, not for {asked}", most=PUZZLES, asked=len(matches))
        )
    paper = PENS[kind](*PAGE)
    look = style("day")
    paper.rect(Rect(0, 0, *PAGE), (1.0, 1.0, 1.0, 1.0))
    room = Rect(MARGIN, MARGIN, PAGE[0] - 2 * MARGIN, PAGE[1] - 2 * MARGIN)
    if len(matches) == 1:
        _match(paper, look, matches[0], room)
    else:
        _puzzles(paper, look, matches, room)
    titles = dict.fromkeys(titled(match.game) for match in matches)
    return paper.file(", ".join(titles))


def problems_sheet(problems: Sequence[tuple[Match, str]], kind: str) -> bytes:
    """Return a page of problems, as a file.

    Each problem is given as a match at its position, and its task. Only what the solver may know is drawn. Raises
    Failure like :func:`sheet`.
    """
    if any(not isinstance(match.game.facts(len(match.seats)), MarbleFacts) for match, _ in problems):
        raise Failure(_("diagrams can only be drawn of marble games"))
    if len(problems) > PUZZLES:
        raise Failure(
            _("a page has room for {most} diagrams, not for {asked}", most=PUZZLES, asked=len(problems))
        )
    paper, look = PENS[kind](*PAGE), style("day")
    paper.rect(Rect(0, 0, *PAGE), (1.0, 1.0, 1.0, 1.0))
    room = Rect(MARGIN, MARGIN, PAGE[0] - 2 * MARGIN, PAGE[1] - 2 * MARGIN)
    for number, (match, task) in enumerate(problems):
        place, line = _place(number, room).inset(0, 4).cut_top(room.h / (PUZZLES / 2) - 34)
        plan(paper, look, match, match.cursor, place, f"{number + 1}  {titled(match.game)}")
        paper.text_in(line, task, look.soft, "sans", 8)
    return paper.file(", ".join(dict.fromkeys(titled(match.game) for match, _ in problems)))


def _place(number: int, room: Rect) -> Rect:
    """Return the rectangle for board ``number`` on a page of puzzles."""
    wide, high = (room.w - GAP) / 2, room.h / (PUZZLES / 2)
    return Rect(room.x + number % 2 * (wide + GAP), room.y + number // 2 * high, wide, high)


def ends_of_turns(match: Match) -> list[int]:
    """Return the cursor positions before the first turn and after each turn."""
    ends = {ply.turn: number for number, ply in enumerate(match.plies, 1)}
    return [0, *ends.values()]


def _match(paper: Paper, look: Style, match: Match, room: Rect) -> None:
    ends = ends_of_turns(match)
    head, room = room.cut_top(58)
    form = f", {match.game.variant}" if match.game.variant else ""
    title, line = head.cut_top(28)
    paper.text_in(title, f"{titled(match.game)}{form}", look.ink, "title", 22)
    names, result = line.cut_top(14)
    paper.text_in(names, " – ".join(match.names), look.ink, "sans", 10)
    paper.text_in(result.cut_top(14)[0], result_line(match), look.soft, "sans", 9)
    notes = [
        f"{number}  {told}"
        for number, (_, told) in enumerate(told_turns(match, secrets.public_viewer(match)), 1)
    ]
    # The last plan shows the end; the others are spread over the turns before it.
    count = min(PLANS, max(1, len(ends) - 1))
    shown = [ends[round((len(ends) - 1) * (number + 1) / count)] for number in range(count)]
    columns = 1 if count == 1 else 2
    rows = -(-count // columns)
    high = min(room.h * 0.62, rows * 172.0)
    for number, cursor in enumerate(shown):
        wide = (room.w - GAP * (columns - 1)) / columns
        place = Rect(
            room.x + number % columns * (wide + GAP),
            room.y + number // columns * high / rows,
            wide,
            high / rows,
        )
        heading = _("after turn {turn}", turn=ends.index(cursor)) if cursor else _("at the start")
        plan(paper, look, match, cursor, place, heading)
    match.goto(ends[-1])
    _notation(paper, look, notes, room.cut_top(high, GAP)[1])


def plan(paper: Paper, look: Style, match: Match, cursor: int, place: Rect, heading: str) -> None:
    """Draw the boards as they are after ``cursor`` moves, under a heading."""
    match.goto(cursor)
    viewer = secrets.public_viewer(match)
    state, shut = secrets.view_of(match.game, match.state, viewer), secrets.covered(match.state, viewer)
    head, place = place.cut_top(14)
    paper.text_in(head, heading, look.ink, "bold", 9)
    last = last_points(match, state, viewer) if cursor else set()
    marbles, count = marbles_of(state), len(state.board_names)
    for board, drawn in enumerate(diagram.side_by_side(place, state.size, count)):
        standing = {
            point: colour for (on, point), colour in marbles.items() if on == board and on not in shut
        }
        name = capital(word(state.board_names[board], language())) if count > 1 else ""
        diagram.position(
            paper,
            look,
            drawn,
            standing,
            lambda letter: pgettext("level", "level {letter}", letter=letter),
            name,
            {point for on, point in last if on == board},
        )


def _notation(paper: Paper, look: Style, notes: Sequence[str], room: Rect) -> None:
    """Write the turns in columns, in the largest font size that fits."""
    wide = (room.w - GAP * (COLUMNS - 1)) / COLUMNS
    size = NOTATION
    while True:
        lines = [line for note in notes for line in _broken(paper, note, size, wide)]
        rows = max(1, int(room.h / (size * LINE)))
        if len(lines) <= rows * COLUMNS or size <= LEAST:
            break
        size -= 0.5
    if len(lines) > rows * COLUMNS:
        lines = [*lines[: rows * COLUMNS - 1], "…"]
    for number, line in enumerate(lines):
        x, y = room.x + number // rows * (wide + GAP), room.y + number % rows * size * LINE
        paper.text_in(Rect(x, y, wide, size * LINE), line, look.ink, "sans", size)


def _broken(paper: Paper, note: str, size: float, wide: float) -> list[str]:
    """Split the notation of a turn into lines that fit a column, with later lines indented."""
    lines: list[str] = []
    line = ""
    for each in note.split(" "):
        longer = f"{line} {each}" if line else each
        if line and paper.width(longer, "sans", size) > wide:
            lines.append(line)
            line = f"      {each}"
        else:
            line = longer
    return [*lines, line]


def _puzzles(paper: Paper, look: Style, matches: Sequence[Match], room: Rect) -> None:
    """Draw the start of each match and, below it, any moves made."""
    for number, match in enumerate(matches):
        place = _place(number, room)
        notes = [moves for _, moves in told_turns(match, secrets.public_viewer(match))]
        place, line = place.inset(0, 4).cut_top(place.h - 26)
        end = match.cursor
        title = f"{number + 1}  {titled(match.game)} {match.seed}"
        plan(paper, look, match, 0, place, title)
        match.goto(end)
        paper.text_in(line, " · ".join(notes), look.soft, "sans", 7)
