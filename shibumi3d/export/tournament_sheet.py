"""Printable pages of a tournament: its standings, how they are ordered, and the matches of all rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from shibumi3d.export.paper import PdfPage
from shibumi3d.export.sheet import GAP_PT, LINE_HEIGHT, MARGIN_PT, PAGE_SIZE_PT
from shibumi3d.i18n import _
from shibumi3d.match.tournament import Tournament
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style, make_style
from shibumi3d.wording import (
    SYSTEM_TEXTS,
    describe_standing,
    describe_tournament_match,
    format_date,
    standing_headings,
    tournament_round_title,
    tournament_rules,
)

ROW_HEIGHT_PT, TEXT_SIZE_PT, NOTE_SIZE_PT = 15.0, 10.0, 8.0
COLUMN_WIDTH_PT, WIDE_COLUMN_WIDTH_PT = 44.0, 120.0
"""Width of a column with a number, and of the column that says how far a player got in a knockout."""
MIN_ROUND_COLUMNS, MAX_ROUND_COLUMNS, MATCH_SIZE_PT = 2, 3, 9.0
"""Minimum and maximum number of columns with matches, and the font size of the matches."""


def draw_tournament(tournament: Tournament, games: Sequence[str], day: date) -> bytes:
    """Return the printable pages of a tournament as a PDF file.

    ``games`` are the titles of its games; ``day`` is printed below the tournament's name.
    """
    page, style = PdfPage(*PAGE_SIZE_PT), make_style("day")
    whole = Rect(0, 0, *PAGE_SIZE_PT)
    page.rect(whole, (1.0, 1.0, 1.0, 1.0))
    head, area = whole.inset(MARGIN_PT).cut_top(30)
    page.text_in(head, tournament.name, style.ink, "title", 22)
    about = " · ".join((_(SYSTEM_TEXTS[tournament.system]), ", ".join(games), format_date(day)))
    for text in _wrap(page, about, TEXT_SIZE_PT, area.w):
        line, area = area.cut_top(TEXT_SIZE_PT * LINE_HEIGHT)
        page.text_in(line, text, style.secondary_ink, "sans", TEXT_SIZE_PT)
    area = area.cut_top(10)[1]
    area = _draw_standings(page, style, tournament, area)
    for sentence in tournament_rules(tournament):
        for text in _wrap(page, sentence, NOTE_SIZE_PT, area.w):
            line, area = area.cut_top(NOTE_SIZE_PT * LINE_HEIGHT)
            page.text_in(line, text, style.secondary_ink, "sans", NOTE_SIZE_PT)
    _draw_rounds(page, style, tournament, area.cut_top(GAP_PT)[1], games)
    return page.to_bytes(tournament.name)


def _draw_standings(page: PdfPage, style: Style, tournament: Tournament, area: Rect) -> Rect:
    """Draw the table of standings; return the area below it."""
    headings = standing_headings(tournament)
    widths = [COLUMN_WIDTH_PT if heading else WIDE_COLUMN_WIDTH_PT for heading in headings]
    rows = [("", "", headings)]
    for standing in tournament.standings():
        player = tournament.players[standing.player]
        name = _("{name} (withdrew)", name=player.name) if player.has_withdrawn else player.name
        rows.append((str(standing.rank or "–"), name, describe_standing(tournament, standing)))
    for number, (rank, name, columns) in enumerate(rows):
        row, area = area.cut_top(ROW_HEIGHT_PT)
        page.rect(Rect(row.x, row.bottom - 0.5, row.w, 0.5), style.hairline)
        place, rest = row.cut_left(22)
        page.text_in(place, rank, style.secondary_ink, "sans", TEXT_SIZE_PT)
        page.text_in(rest.cut_right(sum(widths))[1], name, style.ink, "bold", TEXT_SIZE_PT)
        x = row.right - sum(widths)
        for text, width in zip(columns, widths, strict=True):
            size = NOTE_SIZE_PT if number == 0 else TEXT_SIZE_PT
            page.text_in(Rect(x, row.y, width, row.h), text, style.ink, "sans", size, 1)
            x += width
    return area.cut_top(10)[1]


def _round_lines(tournament: Tournament, games: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield the lines of all rounds as (left text, right text, whether the line is a heading).

    Each round has a heading, a line for each match with its players and result, and one for each player with a bye.
    """
    for number in range(1, max(match.round for match in tournament.matches) + 1):
        title = tournament_round_title(tournament, number)
        if len(tournament.games) > 1:
            title = f"{title} · {games[(number - 1) % len(games)]}"
        yield title, "", True
        for match in tournament.round_matches(number):
            yield (*describe_tournament_match(tournament, match), False)
        for player in tournament.resting_players(number):
            yield tournament.players[player].name, _("bye"), False


def _draw_rounds(
    page: PdfPage, style: Style, tournament: Tournament, area: Rect, games: Sequence[str]
) -> None:
    """Write the matches of all rounds in columns, on as many pages as needed."""
    lines = list(_round_lines(tournament, games))

    def width(left: str, right: str, is_heading: bool) -> float:
        face = "bold" if is_heading else "sans"
        return page.text_width(left, face, MATCH_SIZE_PT) + page.text_width(right, "sans", MATCH_SIZE_PT) + 4

    columns = MAX_ROUND_COLUMNS
    while columns > MIN_ROUND_COLUMNS and max(width(*line) for line in lines) > _column_width(area, columns):
        columns -= 1
    wide, high = _column_width(area, columns), MATCH_SIZE_PT * LINE_HEIGHT
    column, y = 0, area.y
    for left, right, is_heading in lines:
        is_split = width(left, right, is_heading) > wide and bool(right)
        y += high / 2 if is_heading and y > area.y else 0
        # A heading isn't the last line of a column.
        if y + high * (1 + (is_heading or is_split)) > area.bottom:
            column, y = column + 1, area.y
        if column == columns:
            page.start_page()
            area = Rect(0, 0, *PAGE_SIZE_PT).inset(MARGIN_PT)
            head, area = area.cut_top(20, GAP_PT)
            page.text_in(head, tournament.name, style.secondary_ink, "title", 14)
            column, y = 0, area.y
        place = Rect(area.x + column * (wide + GAP_PT), y, wide, high)
        page.text_in(place, left, style.ink, "bold" if is_heading else "sans", MATCH_SIZE_PT)
        place = place.moved(0, high) if is_split else place
        page.text_in(place, right, style.secondary_ink, "sans", MATCH_SIZE_PT, 1)
        y = place.bottom


def _column_width(area: Rect, columns: int) -> float:
    return (area.w - GAP_PT * (columns - 1)) / columns


def _wrap(page: PdfPage, text: str, size: float, width: float) -> Sequence[str]:
    """Split a text into lines no wider than ``width`` points; a word that is wider has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if page.text_width(longer, "sans", size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
