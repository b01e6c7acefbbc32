"""Printable pages of diagrams: a whole match with its notation, or up to ten initial positions or problems."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.export.paper import Page, PdfPage, SvgPage
from shibumi3d.i18n import LocalizedError, _, language, ngettext, pgettext
from shibumi3d.match import visibility
from shibumi3d.match.marbles import has_marbles, last_turn_points, marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.marbles import diagram
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style, make_style
from shibumi3d.wording import describe_result, describe_turns, game_title, title_with_variant

PAGE_SIZE_PT = (595.28, 841.89)
"""Size of an A4 page in points."""
MARGIN_PT, GAP_PT = 42.0, 14.0
MAX_DIAGRAMS = 6
"""Maximum number of diagrams of a match on one page."""
MAX_PUZZLES = 10
NOTATION_SIZE_PT, MIN_NOTATION_SIZE_PT = 9.0, 5.0
"""Normal and minimum font size of the notation in points."""
LINE_HEIGHT = 1.35
NOTATION_COLUMNS = 4
PAGE_CLASSES = {"svg": SvgPage, "pdf": PdfPage}


class SheetError(LocalizedError, ValueError):
    """Raised when diagrams of the given matches can't be drawn.

    The message is a single sentence for users.
    """


def draw_sheet(matches: Sequence[Match], file_format: str) -> bytes:
    """Draw a page of diagrams, and return the bytes of the file.

    A single match is drawn up to its cursor: diagrams of several of its turns, followed by its notation. For several
    matches, the initial position of each is drawn, with the notation of any moves made. The cursors are left where they
    were. ``file_format`` is one of :data:`.SHEET_FORMATS`. Only public information is drawn. Raises SheetError for
    games without marbles and for more than :data:`MAX_PUZZLES` matches.
    """
    page, style, room = _blank_page(matches, file_format)
    if len(matches) == 1:
        _draw_match(page, style, matches[0], room)
    else:
        _draw_puzzles(page, style, matches, room)
    return _finish_page(page, matches)


def draw_problem_sheet(problems: Sequence[tuple[Match, str]], file_format: str) -> bytes:
    """Draw a page with the diagrams of problems, and return the bytes of the file.

    Each problem is a pair: a match whose cursor is at the position to draw, and the text of the task. ``file_format``
    is one of :data:`.SHEET_FORMATS`. Only public information is drawn. Raises SheetError for the same reasons as
    :func:`draw_sheet`.
    """
    matches = [match for match, _ in problems]
    page, style, room = _blank_page(matches, file_format)
    for number, (match, task) in enumerate(problems):
        place, line = _cell_rect(number, room).inset(0, 4).cut_top(room.h / (MAX_PUZZLES / 2) - 34)
        draw_diagram(page, style, match, match.cursor, place, f"{number + 1}  {game_title(match.game)}")
        page.text_in(line, task, style.secondary_ink, "sans", 8)
    return _finish_page(page, matches)


def _blank_page(matches: Sequence[Match], file_format: str) -> tuple[Page, Style, Rect]:
    """Return a white page for diagrams of ``matches``, its style, and the area inside its margins.

    Raises SheetError for games without marbles and for too many matches.
    """
    if not all(map(has_marbles, matches)):
        raise SheetError("diagrams can only be drawn of marble games")
    if len(matches) > MAX_PUZZLES:
        raise SheetError(
            "a page has room for {most} diagrams, not for {asked}", most=MAX_PUZZLES, asked=len(matches)
        )
    page, whole = PAGE_CLASSES[file_format](*PAGE_SIZE_PT), Rect(0, 0, *PAGE_SIZE_PT)
    page.rect(whole, (1.0, 1.0, 1.0, 1.0))
    return page, make_style("day"), whole.inset(MARGIN_PT)


def _finish_page(page: Page, matches: Sequence[Match]) -> bytes:
    """Return a page as the bytes of a file whose title lists the games."""
    return page.to_bytes(", ".join(dict.fromkeys(game_title(match.game) for match in matches)))


def _cell_rect(index: int, area: Rect) -> Rect:
    """Return the rectangle for diagram ``index``, counted from 0, on a page with two columns of diagrams."""
    wide, high = (area.w - GAP_PT) / 2, area.h / (MAX_PUZZLES / 2)
    return Rect(area.x + index % 2 * (wide + GAP_PT), area.y + index // 2 * high, wide, high)


def turn_end_cursors(match: Match) -> list[int]:
    """Return the cursor positions before the first turn and after each turn."""
    ends = {ply.turn: number for number, ply in enumerate(match.plies, 1)}
    return [0, *ends.values()]


def _draw_match(page: Page, style: Style, match: Match, area: Rect) -> None:
    ends = turn_end_cursors(match)
    head, area = area.cut_top(58)
    title, line = head.cut_top(28)
    page.text_in(title, title_with_variant(match.game), style.ink, "title", 22)
    names, result = line.cut_top(14)
    page.text_in(names, " – ".join(match.names), style.ink, "sans", 10)
    page.text_in(result.cut_top(14)[0], describe_result(match), style.secondary_ink, "sans", 9)
    descriptions = [told for _turn, told in describe_turns(match, visibility.public_viewer(match))]
    notes = [f"{number}  {told}" for number, told in enumerate(descriptions, 1)]
    # The last diagram shows the end; the others are spread over the turns before it.
    count = min(MAX_DIAGRAMS, max(1, len(ends) - 1))
    shown = [ends[round((len(ends) - 1) * (number + 1) / count)] for number in range(count)]
    head, area = area.cut_top(16)
    if count < len(descriptions):
        note = ngettext(
            "The diagrams show {shown} of {n} turn.",
            "The diagrams show {shown} of {n} turns.",
            len(descriptions),
            shown=count,
        )
        page.text_in(head, note, style.secondary_ink, "sans", 9)
    columns = 1 if count == 1 else 2
    rows = -(-count // columns)
    high = min(area.h * 0.62, rows * 172.0)
    for number, cursor in enumerate(shown):
        wide = (area.w - GAP_PT * (columns - 1)) / columns
        place = Rect(
            area.x + number % columns * (wide + GAP_PT),
            area.y + number // columns * high / rows,
            wide,
            high / rows,
        )
        turn = ends.index(cursor)
        heading = (
            _("after turn {turn}: {told}", turn=turn, told=descriptions[turn - 1])
            if turn
            else _("at the start")
        )
        draw_diagram(page, style, match, cursor, place, f"{number + 1}  {heading}")
    match.go_to(ends[-1])
    _draw_notation(page, style, notes, area.cut_top(high, GAP_PT)[1])


def draw_diagram(page: Page, style: Style, match: Match, cursor: int, rect: Rect, heading: str) -> None:
    """Draw the boards as they are after the first ``cursor`` moves, under a heading.

    Only public information is drawn, and the points of the last turn are marked. The cursor of ``match`` is left at
    ``cursor``.
    """
    match.go_to(cursor)
    viewer = visibility.public_viewer(match)
    state = marble_state(visibility.observe(match.game, match.state, viewer))
    covered = visibility.covered_boards(match.state, viewer)
    head, rect = rect.cut_top(14)
    page.text_in(head, heading, style.ink, "bold", 9)
    last = last_turn_points(match, state, viewer) if cursor else set()
    marbles, count = marbles_by_cell(state), len(state.board_names)
    for board, drawn_board in enumerate(diagram.fit_diagrams(rect, state.size, count)):
        visible_marbles = {
            point: colour for (on, point), colour in marbles.items() if on == board and on not in covered
        }
        name = capitalize_first(display_name(state.board_names[board], language())) if count > 1 else ""
        diagram.draw_position(
            page,
            style,
            drawn_board,
            visible_marbles,
            lambda letter: pgettext("level", "level {letter}", letter=letter),
            name,
            {point for on, point in last if on == board},
        )


def _draw_notation(page: Page, style: Style, notes: Sequence[str], area: Rect) -> None:
    """Write the turns in columns, in the largest font size that fits.

    If even the smallest size is too large, the last line says how many turns are left out.
    """
    wide = (area.w - GAP_PT * (NOTATION_COLUMNS - 1)) / NOTATION_COLUMNS
    size = NOTATION_SIZE_PT
    while True:
        lines = [line for note in notes for line in _wrap(page, note, size, wide)]
        rows = max(1, int(area.h / (size * LINE_HEIGHT)))
        if len(lines) <= rows * NOTATION_COLUMNS or size <= MIN_NOTATION_SIZE_PT:
            break
        size -= 0.5
    if len(lines) > rows * NOTATION_COLUMNS:
        shown = lines[: rows * NOTATION_COLUMNS - 1]
        left_out = len(notes) - sum(not line.startswith(" ") for line in shown)
        lines = [*shown, ngettext("… and {n} more turn", "… and {n} more turns", left_out)]
    for number, line in enumerate(lines):
        x, y = area.x + number // rows * (wide + GAP_PT), area.y + number % rows * size * LINE_HEIGHT
        page.text_in(Rect(x, y, wide, size * LINE_HEIGHT), line, style.ink, "sans", size)


def _wrap(page: Page, note: str, size: float, width: float) -> list[str]:
    """Split the notation of a turn into lines that fit a column; all but the first are indented."""
    lines: list[str] = []
    line = ""
    for each in note.split(" "):
        longer = f"{line} {each}" if line else each
        if line and page.text_width(longer, "sans", size) > width:
            lines.append(line)
            line = f"      {each}"
        else:
            line = longer
    return [*lines, line]


def _draw_puzzles(page: Page, style: Style, matches: Sequence[Match], area: Rect) -> None:
    """Draw the initial position of each match and, below it, the notation of any moves made."""
    for number, match in enumerate(matches):
        place = _cell_rect(number, area)
        notes = [moves for _, moves in describe_turns(match, visibility.public_viewer(match))]
        place, line = place.inset(0, 4).cut_top(place.h - 26)
        end = match.cursor
        title = f"{number + 1}  {game_title(match.game)} {match.seed}"
        draw_diagram(page, style, match, 0, place, title)
        match.go_to(end)
        page.text_in(line, " · ".join(notes), style.secondary_ink, "sans", 7)
