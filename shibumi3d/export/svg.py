"""SVG drawings for web pages: an animated diagram of a match, and diagrams of problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shibumi3d.export.paper import SvgPage
from shibumi3d.export.sheet import draw_diagram, turn_end_cursors
from shibumi3d.i18n import pgettext
from shibumi3d.match.marbles import last_turn_points, marble_state
from shibumi3d.match.match import Match
from shibumi3d.scene.marbles import diagram
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import make_style

WIDTH, HEIGHT = 640.0, 240.0
"""Size of a drawing, in units of its view box."""
TURN_SECONDS, END_TURNS = 1.0, 3
"""Seconds for which each turn is shown, and number of extra turns for which the end is shown."""
TEXT_HEIGHT = 22.0


def animate_match(match: Match) -> str:
    """Return a looping SVG animation of a finished marble match, with one step per turn.

    Each circle represents a marble and is shown until its point becomes empty or the colour there changes. Gold rings
    mark the points of the latest turn. This moves the match's cursor to the end.
    """
    style, size = make_style("day"), match.game.size
    place = Rect(0, TEXT_HEIGHT, WIDTH, HEIGHT - TEXT_HEIGHT)
    boards = diagram.fit_diagrams(place, size, len(marble_state(match.state).board_names))
    page = SvgPage(WIDTH, HEIGHT)
    gold = to_hex(diagram.LAST_MOVE_COLOUR)
    for board in boards:
        diagram.draw_position(
            page, style, board, {}, lambda letter: pgettext("level", "level {letter}", letter=letter), "", ()
        )
    ends = turn_end_cursors(match)
    marbles_by_turn: list[Mapping[tuple[int, int], int]] = []
    last_points_by_turn: list[set[tuple[int, int]]] = []
    for cursor in ends:
        match.go_to(cursor)
        state = marble_state(match.state)
        marbles_by_turn.append(marbles_by_cell(state))
        last_points_by_turn.append(last_turn_points(match, state, None) if cursor else set())
    loop_length = len(ends) + END_TURNS
    for spot in sorted({spot for marbles in marbles_by_turn for spot in marbles}):
        on, point = spot
        x, y = boards[on].point_centre(point)
        cell = boards[on].cell_size
        for first, last, colour in _runs([marbles.get(spot) for marbles in marbles_by_turn]):
            shade = to_hex(style.marbles[colour])
            dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.44:.1f}" fill="{shade}" stroke="#333"'
            page.elements.append(_animated_element(dot, "circle", "", first, last, len(ends), loop_length))
        for first, last, _ in _runs([1 if spot in points else None for points in last_points_by_turn]):
            ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.48:.1f}" fill="none" stroke="{gold}"'
            ring += f' stroke-width="{cell * 0.05:.1f}"'
            page.elements.append(_animated_element(ring, "circle", "", first, last, len(ends), loop_length))
    for turn in range(len(ends)):
        text = '<text x="0" y="14" fill="#222"'
        page.elements.append(
            _animated_element(
                text, "text", f"{turn} / {len(ends) - 1}", turn, turn + 1, len(ends), loop_length
            )
        )
    return _svg_document(page, HEIGHT)


def _runs(values: Sequence[int | None]) -> list[tuple[int, int, int]]:
    """Return runs of equal values as (start, end, value), where ``end`` is exclusive; skip None."""
    result: list[tuple[int, int, int]] = []
    for at, value in enumerate(values):
        if value is None:
            continue
        if result and result[-1][1:] == (at, value):
            result[-1] = (result[-1][0], at + 1, value)
        else:
            result.append((at, at + 1, value))
    return result


def _animated_element(
    opening_tag: str, name: str, content: str, first: int, last: int, moment_count: int, loop_length: int
) -> str:
    """Return an SVG element that is visible from moment ``first`` up to but not including ``last``.

    ``opening_tag`` is its opening tag without the final bracket, ``name`` its element name and ``content`` what it
    contains. The animation has ``moment_count`` moments and then pauses on the last one; ``loop_length`` is the number
    of moments including this pause. Where SVG is not animated, as on paper, the last moment is shown, too.
    """
    ends = last >= moment_count
    shown = [("0", 0.0)] if first else []
    shown += [("1", first / loop_length), *([] if ends else [("0", last / loop_length)])]
    if len(shown) == 1:
        return f"{opening_tag}>{content}</{name}>"
    values, times = ";".join(value for value, _ in shown), ";".join(f"{time:.4g}" for _, time in shown)
    duration = loop_length * TURN_SECONDS
    return (
        f'{opening_tag} opacity="{int(ends)}">{content}<animate attributeName="opacity" calcMode="discrete" '
        f'values="{values}" keyTimes="{times}" dur="{duration:g}s" repeatCount="indefinite"/></{name}>'
    )


def draw_problems(problems: Sequence[tuple[Match, str, str]]) -> str:
    """Return SVG drawings of the problems, one after another.

    Each problem is a tuple (match, heading, task). Its drawing shows the position at the match's cursor, between the
    heading and the task.
    """
    found = []
    for match, heading, task in problems:
        page = SvgPage(WIDTH, HEIGHT)
        draw_diagram(
            page, make_style("day"), match, match.cursor, Rect(0, 0, WIDTH, HEIGHT - TEXT_HEIGHT), heading
        )
        page.text_in(
            Rect(0, HEIGHT - TEXT_HEIGHT, WIDTH, TEXT_HEIGHT), task, make_style("day").ink, "sans", 13
        )
        found.append(_svg_document(page, HEIGHT))
    return "\n".join(found)


def _svg_document(page: SvgPage, height: float) -> str:
    return f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img">\n' + "\n".join(page.elements) + "\n</svg>"


def to_hex(colour: Sequence[float]) -> str:
    """Return a colour as a CSS hex colour such as ``#ffffff``.

    The components range from 0 to 1; alpha is ignored.
    """
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])
