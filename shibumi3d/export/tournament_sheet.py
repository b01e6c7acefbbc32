"""Printable page of a tournament: its standings, how they are ordered, and the matches of all rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
"""Width of a column with a number, and of the one that says how far a player came in a knockout."""
ROUND_COLUMNS = 3
MATCH_SIZE_PT, MIN_MATCH_SIZE_PT = 9.0, 4.0
"""Normal and minimum font size of the matches."""


def draw_tournament(tournament: Tournament, titles: Mapping[str, str], day: date) -> bytes:
    """Return the page as a PDF file. ``titles`` are those of the games, by ID; ``day`` is printed below the title."""
    page, style = PdfPage(*PAGE_SIZE_PT), make_style("day")
    whole = Rect(0, 0, *PAGE_SIZE_PT)
    page.rect(whole, (1.0, 1.0, 1.0, 1.0))
    head, area = whole.inset(MARGIN_PT).cut_top(30)
    page.text_in(head, tournament.name, style.ink, "title", 22)
    games = ", ".join(titles.get(game.game, game.game) for game in tournament.games)
    line, area = area.cut_top(20, 6)
    about = " · ".join((_(SYSTEM_TEXTS[tournament.system]), games, format_date(day)))
    page.text_in(line, about, style.secondary_ink, "sans", TEXT_SIZE_PT)
    area = _draw_standings(page, style, tournament, area)
    for sentence in tournament_rules(tournament):
        for text in _wrap(page, sentence, NOTE_SIZE_PT, area.w):
            line, area = area.cut_top(NOTE_SIZE_PT * LINE_HEIGHT)
            page.text_in(line, text, style.secondary_ink, "sans", NOTE_SIZE_PT)
    _draw_rounds(page, style, tournament, area.cut_top(GAP_PT)[1], titles)
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


def _draw_rounds(
    page: PdfPage, style: Style, tournament: Tournament, area: Rect, titles: Mapping[str, str]
) -> None:
    """Write the matches of all rounds in columns, in the largest font size that fits."""
    wide = (area.w - GAP_PT * (ROUND_COLUMNS - 1)) / ROUND_COLUMNS
    lines: list[tuple[str, str, bool]] = []
    for number in range(1, max(match.round for match in tournament.matches) + 1):
        title = tournament_round_title(tournament, number)
        if len(tournament.games) > 1:
            game = tournament.game_of(tournament.round_matches(number)[0]).game
            title = f"{title} · {titles.get(game, game)}"
        lines.append((title, "", True))
        for match in tournament.round_matches(number):
            who, result = describe_tournament_match(tournament, match)
            lines.append((who, result, False))
        lines += [
            (tournament.players[player].name, _("bye"), False)
            for player in tournament.resting_players(number)
        ]
    size = MATCH_SIZE_PT
    while (rows := max(1, int(area.h / (size * LINE_HEIGHT)))) * ROUND_COLUMNS < len(lines):
        if size <= MIN_MATCH_SIZE_PT:
            break
        size -= 0.5
    for number, (left, right, is_heading) in enumerate(lines):
        place = Rect(
            area.x + number // rows * (wide + GAP_PT),
            area.y + number % rows * size * LINE_HEIGHT,
            wide,
            size * LINE_HEIGHT,
        )
        used = page.text_in(place.cut_left(wide / 2)[1], right, style.secondary_ink, "sans", size, 1)
        room = place.cut_right(used + 4)[1] if right else place
        page.text_in(room, left, style.ink, "bold" if is_heading else "sans", size)


def _wrap(page: PdfPage, text: str, size: float, width: float) -> Sequence[str]:
    """Split a text into lines of at most ``width``."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if page.text_width(longer, "sans", size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
