"""SVG drawings of tables without marbles, seen from straight above."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from shibumi3d.i18n import language
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.scene.frame import Card, Mark, MarkKind
from shibumi3d.scene.glyphs import GLYPH_GRID_SIZE, GLYPHS
from shibumi3d.scene.palette import MARK_COLOURS, make_theme
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import TableHighlights

PIXELS_PER_WIDTH = 900.0
"""Assumed width of a table in logical pixels, to convert lengths that are given in pixels."""
OUTLINE_WIDTH_PX = 1.25
MARGIN = 0.03
"""Margin around a table, as a fraction of its width."""
GLYPH_ID = "glyph-"
"""Prefix of the ids of glyph definitions, to which the elements refer."""
_REFERENCE = re.compile(rf'"#{GLYPH_ID}([^"]+)"')
_DOT = re.compile(r"O ?([\d.-]+) ([\d.-]+) ([\d.]+)")


class TablePlan:
    """SVG plan of a table without marbles, seen from above.

    :meth:`draw` returns the elements of a drawing, and ``view_box`` is the value of the SVG ``viewBox`` attribute for
    every drawing.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self._front, self._theme = visibility.default_perspective_seat(match), make_theme()
        self._scene = make_scene(match.game, len(match.seats))
        self._scene.language, self._scene.speed = language(), "off"
        hull = self._scene.hull
        west, east = min(x for x, _, _ in hull), max(x for x, _, _ in hull)
        south, north = min(y for _, y, _ in hull), max(y for _, y, _ in hull)
        margin = MARGIN * (east - west)
        size = east - west + 2 * margin, north - south + 2 * margin
        self.view_box = " ".join(map(_number, (west - margin, -north - margin, *size)))
        self._pixel = (east - west) / PIXELS_PER_WIDTH

    def draw(self, viewer: int | None) -> list[str]:
        """Return the SVG elements of the table as ``viewer`` sees it at the match's cursor, in drawing order.

        They contain no text entered by users.
        """
        match = self.match
        events = match.plies[-1].events if match.plies else ()
        seen = visibility.observe_events(match.game, match.state, viewer, events)
        self._scene.finish()
        self._scene.reset(visibility.observe(match.game, match.state, viewer), self._front)
        frame = self._scene.top_view(0.0, self._theme, TableHighlights(last_events=tuple(seen)))
        return [
            *("".join(self._draw_card(card)) for card in frame.cards),
            *(drawn for mark in frame.marks if (drawn := "".join(self._draw_mark(mark)))),
        ]

    def _draw_card(self, card: Card) -> Iterator[str]:
        x, y, (wide, high) = card.position[0], -card.position[1], card.half_size
        least = min(wide, high)
        alpha = f' opacity="{_number(card.alpha)}"' if card.alpha < 1 else ""
        turn = f" rotate({_number(-math.degrees(card.yaw))})" if card.yaw else ""
        yield f'<g transform="translate({_number(x)} {_number(y)}){turn}"{alpha}>'
        paint = f'fill="{card.fill or "none"}"'
        if card.outline:
            paint += f' stroke="{card.outline}" stroke-width="{_number(OUTLINE_WIDTH_PX * self._pixel)}"'
        if card.corner_rounding >= 1.0 and math.isclose(wide, high, rel_tol=0.01):
            yield f'<circle r="{_number(wide)}" {paint}/>'
        elif card.fill or card.outline:
            yield (
                f'<rect x="{_number(-wide)}" y="{_number(-high)}" width="{_number(2 * wide)}" '
                f'height="{_number(2 * high)}" rx="{_number(card.corner_rounding * least)}" {paint}/>'
            )
        if card.glyph:
            scale = 2 * least * card.glyph_scale / GLYPH_GRID_SIZE
            yield _draw_glyph(card.glyph, scale, card.ink, card.stroke_width)
        yield "</g>"

    def _draw_mark(self, mark: Mark) -> Iterator[str]:
        """Yield the SVG elements of ``mark``.

        Only rings, numbers and hatched circles are drawn. Hatched circles become crosses.
        """
        at = f'transform="translate({_number(mark.position[0])} {_number(-mark.position[1])})"'
        if mark.kind is MarkKind.NUMBER:
            size = (mark.size + 2) * self._pixel
            yield (
                f'<g {at}><circle r="{_number(size)}" fill="{mark.colour}" stroke="{MARK_COLOURS["edge"]}" '
                f'stroke-width="{_number(self._pixel)}"/><text text-anchor="middle" dy=".36em" font-weight="bold" '
                f'font-size="{_number(1.3 * size)}" fill="{MARK_COLOURS["edge"]}">{mark.number}</text></g>'
            )
            return
        if mark.kind not in (MarkKind.RING, MarkKind.HATCHED_CIRCLE):
            return
        for width, colour in (
            (mark.stroke_width + 2.0, MARK_COLOURS["edge"]),
            (mark.stroke_width, mark.colour),
        ):
            if mark.kind is MarkKind.HATCHED_CIRCLE:
                scale = 2 * mark.size / GLYPH_GRID_SIZE
                yield f"<g {at}>{_draw_glyph('cross', scale, colour, width * self._pixel / scale)}</g>"
                continue
            dashes = (
                f' pathLength="1" stroke-dasharray="{_number(mark.sector_fraction)} 1" '
                f'transform="rotate({_number(360 * mark.sector_start - 90)})"'
                if mark.sector_fraction < 1
                else ""
            )
            yield (
                f'<g {at}><circle r="{_number(mark.size)}" fill="none" stroke="{colour}" '
                f'stroke-width="{_number(width * self._pixel)}" opacity="{_number(mark.alpha)}"{dashes}/></g>'
            )


def number_elements(drawings: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Return the distinct elements of all drawings, and each drawing as a change from the previous one.

    A change is a list: the number of elements kept at the start, the number kept at the end, and the indices of the
    new elements between them.
    """
    index: dict[str, int] = {}
    before: list[int] = []
    changes: list[list[int]] = []
    for drawing in drawings:
        now = [index.setdefault(each, len(index)) for each in drawing]
        shorter = min(len(before), len(now))
        start = next((k for k in range(shorter) if before[k] != now[k]), shorter)
        end = next((k for k in range(shorter - start) if before[-1 - k] != now[-1 - k]), shorter - start)
        changes.append([start, end, *now[start : len(now) - end]])
        before = now
    return list(index), changes


def glyph_definitions(elements: Sequence[str]) -> str:
    """Return SVG definitions of the glyphs to which ``elements`` refer."""
    names = sorted({name for each in elements for name in _REFERENCE.findall(each)})
    return "".join(f'<g id="{GLYPH_ID}{name}">{_glyph_shapes(name)}</g>' for name in names)


def _draw_glyph(name: str, scale: float, ink: str, stroke_width: float) -> str:
    half = GLYPH_GRID_SIZE / 2
    return (
        f'<use href="#{GLYPH_ID}{name}" transform="scale({_number(scale, 4)}) translate({-half:g} {-half:g})" '
        f'color="{ink}" stroke="{ink}" stroke-width="{_number(stroke_width)}"/>'
    )


def _glyph_shapes(name: str) -> str:
    path = GLYPHS[name]
    lines = _DOT.sub("", path).strip()
    drawn = f'<path d="{lines}" fill="none" stroke-linecap="round" stroke-linejoin="round"/>' if lines else ""
    dots = (
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="currentColor" stroke="none"/>'
        for x, y, r in _DOT.findall(path)
    )
    return drawn + "".join(dots)


def _number(value: float, places: int = 3) -> str:
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
