"""A replay of a match as one HTML file that works offline in any modern browser.

The page shows the marbles in 3D if the browser supports WebGL 2; otherwise, or at the click of a button, it shows the
levels side by side. Tables without marbles are shown from directly above.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
import zlib
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.resources import files as package_files

from shibumi3d.export.plan import TablePlan, glyph_definitions, number_elements
from shibumi3d.export.sheet import turn_end_cursors
from shibumi3d.export.svg import to_hex
from shibumi3d.i18n import _, language, pgettext
from shibumi3d.match import visibility
from shibumi3d.match.marbles import has_marbles, last_turn_points, marble_events, marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.state import State as MarbleState
from shibumi3d.rules.marbles.wording.names import colour_name, display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.marbles.layout import BOARD_MARGIN, BOARD_TOP_Z, TABLE_Z, Layout, make_layout
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.style import Style, make_style
from shibumi3d.wording import caption_ply, describe_result, format_date, title_with_variant

EMPTY_MARK = "."
"""Mark of an empty point in the text of a board; marbles are marked by the digit of their colour."""
UNKNOWN_COLOUR = len(COLOURS)
"""Index that stands for a colour hidden from the viewer."""
WOOD = (0.44, 0.22, 0.09)
"""Colour of the boards as linear RGB."""
SIGN_PATHS = {
    1: "M0 -.11A.11 .11 0 1 1 -.001 -.11Z",
    2: "M-.17 -.17h.34v.07h-.34zM-.17 -.035h.34v.07h-.34zM-.17 .1h.34v.07h-.34z",
}
"""Signs on marbles in the flat view: SVG paths in marble diameters, by colour. Other colours have no sign."""

MAX_PAGE_BYTES = 1_000_000
"""Maximum size of a replay, in bytes.

Larger replays are compressed, which only browsers from 2023 or later can read. If that isn't enough, the first turns
are left out.
"""
_GAP = re.compile(r"\{(lang|title|style|noscript|packed|data|script)\}")
"""Pattern for the placeholders in the page's template."""
Motion = tuple[str, int, int, int, int]
"""A marble's motion: kind, board, origin, target and colour. An origin or target outside the board is -1."""


def make_web_page(match: Match, day: date | None = None) -> bytes:
    """Return the web page that replays ``match`` up to its cursor, in the current language.

    ``day`` is the date on which the match was played, or None to leave it out. While the match is unfinished, the page
    contains only public information. If the page would be larger than :data:`MAX_PAGE_BYTES`, it is compressed and, if
    necessary, the first turns are left out.
    """
    title = title_with_variant(match.game)
    name = f"{title} · {' – '.join(match.names)}"
    replay = _Replay(match, title, day)
    page = render_page(name, replay.page_data())
    if len(page) <= MAX_PAGE_BYTES:
        return page
    first, last = 0, len(replay.steps) - 1
    while True:
        page = render_page(name, replay.page_data(first), is_packed=True)
        if len(page) <= MAX_PAGE_BYTES or first == last:
            return page
        # Assume that all turns take about the same space.
        excess = 1 - MAX_PAGE_BYTES / len(page)
        first = min(last, first + math.ceil((last - first) * excess) + 1)


def render_page(title: str, data: object, *, is_packed: bool = False) -> bytes:
    """Return an HTML page titled ``title`` that contains ``data`` for its script.

    ``data`` must be serializable as JSON. If ``is_packed`` is set, the data is compressed.
    """
    folder = package_files("shibumi3d.export") / "web"
    parts = {name: (folder / f"page.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    values = {
        "lang": language(),
        "title": html.escape(title),
        "style": parts["css"],
        "noscript": html.escape(_("This page needs JavaScript.")),
        "packed": "",
        "data": _to_script_text(data),
        "script": parts["js"],
    }
    if is_packed:
        old = _("This browser is too old to show this page.")
        values["packed"] = f' data-packed="{html.escape(old)}"'
        values["data"] = base64.b64encode(zlib.compress(values["data"].encode("utf-8"), 9)).decode("ascii")
    # One pass, so that braces in the values are not replaced.
    return _GAP.sub(lambda found: values[found[1]], parts["html"]).encode("utf-8")


def _to_script_text(data: object) -> str:
    """Return ``data`` as JSON that can't end the script element that contains it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class _Replay:
    """The turns of ``match`` up to its cursor as data for a page.

    In a game without marbles, there are data for each move instead of each turn. ``title`` and ``day`` appear at the
    top of the page. If ``day`` is None, no date is shown.
    """

    def __init__(self, match: Match, title: str, day: date | None) -> None:
        viewer = visibility.public_viewer(match)
        end = match.cursor
        cursors = _step_cursors(match)
        heading = [" – ".join(match.names), *([format_date(day)] if day is not None else [])]
        self._data: dict[str, object] = {
            "title": title,
            "heading": " · ".join(heading),
            "words": control_texts(),
        }
        self.steps: list[dict[str, object]] = []
        """Data for the start and for each turn (for each move if there are no marbles)."""
        self._turns = [match.plies[cursor - 1].turn + 1 if cursor else 0 for cursor in cursors]
        plan = self._plan = None if has_marbles(match) else TablePlan(match)
        self._plans: list[list[str]] = []
        self._tables: list[list[str]] = []
        try:
            for before, cursor in zip([0, *cursors], cursors, strict=False):
                match.go_to(cursor)
                step: dict[str, object] = {
                    "caption": caption_ply(match, cursor - 1, viewer) if cursor else _("The start")
                }
                if plan is None:
                    step.update(marble_step(match, before, cursor, viewer))
                else:
                    self._plans.append(plan.draw(viewer))
                    seen = visibility.observe(match.game, match.state, viewer)
                    self._tables.append(match.game.table_lines(seen, language(), names=tuple(match.names)))
                self.steps.append(step)
            self._data["result"] = describe_result(match)
            if plan is None:
                self._data.update(describe_boards(marble_state(match.state)))
        finally:
            match.go_to(end)

    def page_data(self, first: int = 0) -> dict[str, object]:
        """Return the data of a page that begins with ``steps[first]``.

        Unless ``first`` is 0, the caption of the first step says that earlier turns are left out.
        """
        steps = [dict(step) for step in self.steps[first:]]
        if first:
            steps[0]["caption"] = _(
                "The position after turn {n}. The turns before it are left out, to keep the file small.",
                n=self._turns[first],
            )
        data = {**self._data, "steps": steps}
        if self._plan is not None:
            elements, plan_changes = number_elements(self._plans[first:])
            lines, table_changes = number_elements(self._tables[first:])
            data |= {
                "elements": elements,
                "glyphs": glyph_definitions(elements),
                "lines": lines,
                "view_box": self._plan.view_box,
            }
            for step, drawing, table in zip(steps, plan_changes, table_changes, strict=True):
                step |= {"plan": drawing, "table": table}
        return data


def _step_cursors(match: Match) -> list[int]:
    """Return the cursor positions before the first turn and after each turn.

    In a game without marbles, return those before the first move and after each move.
    """
    if not has_marbles(match):
        return list(range(match.cursor + 1))
    return turn_end_cursors(match)


def control_texts() -> dict[str, object]:
    """Return the fixed texts of a page in the current language, by key.

    They are strings, except for ``levels``, which is the list of the names of the levels.
    """
    return {
        "first": _("First turn"),
        "previous": _("Previous turn"),
        "play": _("Play"),
        "pause": _("Pause"),
        "next": _("Next turn"),
        "last": _("Last turn"),
        "turn": _("Turn"),
        "moves": _("Moves"),
        "choose": _("Possible moves"),
        "again": _("Try again"),
        "solution": _("Show solution"),
        "position": _("Position in words"),
        "empty": _("The boards are empty."),
        "plan": _("Flat view"),
        "scene": _("3D view"),
        "levels": [pgettext("level", "level {letter}", letter=chr(65 + level)) for level in range(10)],
    }


def describe_boards(state: MarbleState) -> dict[str, object]:
    """Return the boards, their geometry and the marble colours as data for a web page.

    Lengths are in marble diameters.
    """
    count = len(state.board_names)
    layout = make_layout((state.size,) * count)
    pyramid = get_pyramid(state.size)
    boards = [
        {
            "name": capitalize_first(display_name(state.board_names[board], language())),
            "size": state.size,
            "centre": [round(value, 3) for value in layout.origins[board]],
            "points": [
                [round(value, 3) for value in layout.point_position(board, point)]
                for point in range(pyramid.point_count)
            ],
            "levels": list(pyramid.level),
            "files": list(pyramid.file),
            "ranks": list(pyramid.rank),
            "names": list(pyramid.point_names),
        }
        for board in range(count)
    ]
    style = make_style("day")
    colours: list[dict[str, object]] = [_describe_colour(style, colour) for colour in range(len(COLOURS))]
    colours.append({"name": _("unknown"), "css": "#8f8a84", "linear": [0.28, 0.26, 0.25]})
    return {"boards": boards, "colours": colours, "geometry": _geometry(layout)}


def _geometry(layout: Layout) -> dict[str, object]:
    radius = max(layout.horizontal_extent, layout.height)
    return {
        "radius": round(radius, 3),
        "margin": BOARD_MARGIN,
        "top": round(BOARD_TOP_Z, 3),
        "table": round(TABLE_Z, 3),
        "wood": WOOD,
    }


def _describe_colour(style: Style, colour: int) -> dict[str, object]:
    fill = style.marbles[colour]
    return {
        "name": colour_name(colour, language()),
        "css": to_hex(fill),
        "linear": [round(value**2.2, 4) for value in fill[:3]],
        "ink": to_hex(style.marble_inks[colour]),
        "sign": SIGN_PATHS.get(colour, ""),
    }


def marble_step(match: Match, before: int, cursor: int, viewer: int | None) -> dict[str, object]:
    """Return one step of a replay as ``viewer`` sees it: the boards, the motions, and the points of the last turn.

    The motions are those of the plies from ``before`` up to, but not including, ``cursor``, which must be the current
    cursor of ``match``.
    """
    state = marble_state(visibility.observe(match.game, match.state, viewer))
    covered = visibility.covered_boards(match.state, viewer)
    marbles = {cell: colour for cell, colour in marbles_by_cell(state).items() if cell[0] not in covered}
    points = range(get_pyramid(state.size).point_count)
    boards = [
        "".join(_mark(marbles[board, point]) if (board, point) in marbles else EMPTY_MARK for point in points)
        for board in range(len(state.board_names))
    ]
    hidden = visibility.hidden_plies(match, match.plies, viewer)
    events = marble_events(
        event
        for number in range(before, cursor)
        if number not in hidden
        for event in visibility.observe_events(
            match.game, match.plies[number].state, viewer, match.plies[number].events
        )
    )
    last = last_turn_points(match, state, viewer) if cursor else set()
    return {
        "boards": boards,
        "motions": [motion for motion in _motions(events) if motion[1] not in covered],
        "last": sorted(cell for cell in last if cell in marbles),
    }


def _mark(colour: int) -> str:
    return str(colour if colour >= 0 else UNKNOWN_COLOUR)


def _motions(events: Iterable[ev.Event]) -> Sequence[Motion]:
    result: list[Motion] = []
    for event in events:
        match event:
            case ev.Placed():
                result.append(("place", event.board, -1, event.point, event.colour))
            case ev.Entered():
                result.append(("enter", event.board, -1, event.point, event.colour))
            case ev.Removed() | ev.Captured():
                result.append(("take", event.board, event.point, -1, event.colour))
            case ev.Moved():
                result.append(("move", event.board, event.origin, event.point, event.colour))
            case ev.Pushed():
                result.append(("push", event.board, event.origin, event.point, event.colour))
            case ev.Dropped() | ev.SideDropped():
                result.append(("drop", event.board, event.origin, event.point, event.colour))
            case ev.Recoloured():
                result.append(("recolour", event.board, event.point, event.point, event.after))
            case _:
                pass
    return result
