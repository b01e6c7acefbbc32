"""The report page of a game: one HTML file with inline pictures.

It needs no network connection and can be printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from shibumi3d.i18n import N_, _, format_fixed, language, ngettext
from shibumi3d.lab.jobs import Row
from shibumi3d.scene.marbles.diagram import fit_diagrams
from shibumi3d.scene.rect import Rect

MEASURE_TEXTS = {
    "length": N_("length"),
    "choices": N_("choices"),
    "forced": N_("forced moves"),
    "completion": N_("completion"),
    "draws": N_("draws"),
    "seat": N_("seat {number}"),
    "solved": N_("solved"),
    "drama": N_("drama"),
    "leads": N_("lead changes"),
    "decided": N_("decided at"),
    "proved": N_("provable ending"),
    "plausible": N_("plausible moves"),
    "mirror": N_("wins by copying"),
    "copied": N_("copied moves"),
}
MEASURED_TEXTS = {
    "length": N_("mean number of turns"),
    "choices": N_(
        "mean number of legal moves per choice, computed for each match, then averaged over all matches"
    ),
    "forced": N_(
        "share of choices with only one legal move, computed for each match, then averaged over all matches"
    ),
    "completion": N_("share of matches that were finished"),
    "draws": N_("share of finished matches that nobody won"),
    "seat": N_("share of wins; a draw or an unfinished match counts as a win shared by all; Wilson interval"),
    "solved": N_("share of matches that were solved; Wilson interval"),
    "drama": N_(
        "largest max(0, 1/2 − h) / (1/2) in a match, where h is the winner's estimated chance of "
        "winning; based on Browne 2008, who uses the mean of a square root"
    ),
    "leads": N_("how often the winner's estimated chance of winning crosses 1/2 in a match"),
    "decided": N_(
        "share of the match's turns played before the winner's estimated chance of winning reaches "
        "{sure} for good"
    ),
    "proved": N_(
        "share of a match's turns, counted back from its end, in which the outcome can already be proved by "
        "trying at most {work:,} moves"
    ),
    "plausible": N_(
        "share of legal moves worth at least mean + {part} × (best − mean), estimated from "
        "{weighed:,} simulations after each, at 1/4, 1/2 and 3/4 of a match; a small share means a "
        "clear choice. Based on Ludii's clarity (narrowness), Browne 2008"
    ),
    "mirror": N_(
        "share of matches that the second seat wins if it copies every turn of the first seat, rotated by "
        "180° and in its own colour, and uses {ways:,} simulations whenever there is no copy; Wilson interval"
    ),
    "copied": N_("share of the second seat's moves that were copies"),
}

WIDTH, HEIGHT = 640.0, 240.0
BOARD_HEIGHT, MARGIN = 260.0, 6.0
CHART_MARGIN = 40.0
MAX_LISTED_MOVES = 12
"""Maximum number of first moves that :func:`_list_offboard_moves` lists."""
STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #ccc; vertical-align: top; }
td.n { text-align: right; white-space: nowrap; }
svg { width: 100%; height: auto; font: 12px sans-serif; }
section { break-inside: avoid; }
"""


def format_report(
    title: str, report: Row, animation: str = "", problems: str = "", rate: float | None = None
) -> str:
    """Return an HTML report of a game from its measurements.

    ``animation`` shows the typical match, and ``problems`` shows some problems; both are SVG. ``rate`` is the number of
    random matches played per second of CPU time. Arguments that are "" or None are left out of the report.
    """
    from shibumi3d.lab.report import OPENING_SIMULATIONS, SIMULATIONS

    heading = _("{game}: report", game=title)
    number = report["measures"]["length"]["from"]
    about = ngettext(
        "{n} match between equal players, each using {ways:,} simulations per move; seats: "
        "{seats}{size}, seed: {seed}, rules: {rules}.",
        "{n} matches between equal players, each using {ways:,} simulations per move; seats: "
        "{seats}{size}, seed: {seed}, rules: {rules}.",
        number,
        ways=SIMULATIONS,
        seats=report["seats"],
        # Only games on boards have a size.
        size=_(", size: {size}", size=report["size"]) if report["size"] else "",
        seed=report["seed"],
        rules=report["rules"],
    )
    skill = report["skill"]
    opening = [
        (row["board"], row["point"], row["mean"], _format_number(row["mean"])) for row in report["opening"]
    ]
    drawn = _draw_board(report["size"], _best_per_point(opening))
    used = [(board, point, float(count), str(count)) for board, point, count in report["coverage"]]
    most = max((count for _, _, count in report["coverage"]), default=0)
    area = _format_number(report["area"])
    ways = [one["ways"] for one in skill]
    caption = _(
        "Share of wins of a seat that uses 2n simulations per move against seats that use n, for n from "
        "{least} to {most}; grey: 95% interval. Average lead over an even share: {area}.",
        least=min(ways, default=0),
        most=max(ways, default=0),
        area=area,
    )
    sections = (
        _format_section(_("Skill trace"), _draw_skill(skill, 1 / report["seats"]), caption)
        + _format_section(
            _("Choices by turn"),
            _draw_curve(report["by turn"]),
            _("Mean number of legal moves in each turn, over the matches that reached it."),
        )
        + (
            _format_section(
                _("Where marbles go"),
                _draw_board(report["size"], used),
                ngettext(
                    "How often each point was chosen; the darkest was chosen {n} time.",
                    "How often each point was chosen; the darkest was chosen {n} times.",
                    most,
                ),
            )
            if used
            else ""
        )
        + _format_section(
            _("First moves"),
            drawn + _list_offboard_moves(report["opening"]),
            _(
                "Value of each first move (0: lost, 1: won), estimated from {tries:,} simulations after it; "
                "seed: {seed}.",
                tries=OPENING_SIMULATIONS,
                seed=report["seed"],
            )
            + (" " + _("The darker, the better.") if drawn else ""),
            _("First moves are not evaluated in games for three or more players.")
            if report["seats"] > 2
            else "",
        )
        + _format_match(report["match"], animation)
        + (
            _format_section(
                _("Three problems"),
                problems,
                _(
                    "Each has been proved to have exactly one solution. To see it, run 'shibumi3d problems "
                    "show GAME NUMBER --solution'."
                ),
            )
            if problems
            else ""
        )
    )
    if rate is not None:
        about += " " + _(
            "On the machine that wrote this report: {rate:,} random matches per second of CPU time.",
            rate=round(rate),
        )
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(heading)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(heading)}</h1>\n"
        f"<p>{escape(about)}</p>\n{_format_measures(report['measures'], report['seats'] == 1)}\n{sections}</body>\n"
        "</html>\n"
    )


def _format_section(heading: str, picture: str, caption: str, empty_text: str = "") -> str:
    """Return a section with a picture and its caption.

    If ``picture`` is empty, the section contains ``empty_text`` instead, which by default says that there is nothing to
    show.
    """
    empty_text = empty_text or _("Nothing to show.")
    below = f"{picture}\n<p>{escape(caption)}</p>" if picture else f"<p>{escape(empty_text)}</p>"
    return f"<section><h2>{escape(heading)}</h2>\n{below}</section>\n"


def _format_number(value: float | None) -> str:
    if value is None:
        return "–"
    return format_fixed(value, 2)


def _format_axis_number(value: float) -> str:
    """Format a number for an axis label, without decimals if it is whole or at least 10."""
    return str(round(value)) if value == round(value) or value >= 10 else _format_number(value)


def _format_measures(measures: Row, alone: bool) -> str:
    from shibumi3d.lab.report import (
        COMPARE_SIMULATIONS,
        DECIDED_VALUE,
        MAX_PROOF_MOVES,
        PLAUSIBLE_VALUE,
        SIMULATIONS,
    )

    words = (
        _("measure"),
        _("value"),
        _("95% interval"),
        _("matches"),
        _("how it is computed"),
    )
    heads = "".join(f"<th>{escape(word)}</th>" for word in words)
    rows = []
    for name, one in measures.items():
        key, _unused, number = name.partition(" ")
        key = "solved" if alone and key == "seat" else key
        low, high = one["interval"]
        description = _(MEASURE_TEXTS[key], number=number)
        formula = _(
            MEASURED_TEXTS[key],
            sure=_format_number(DECIDED_VALUE),
            part=_format_number(PLAUSIBLE_VALUE),
            work=MAX_PROOF_MOVES,
            weighed=COMPARE_SIMULATIONS,
            ways=SIMULATIONS,
        )
        cells = (
            f"<td>{escape(description)}</td>"
            f'<td class="n">{_format_number(one["value"])}</td>'
            f'<td class="n">{_format_number(low)} – {_format_number(high)}</td><td class="n">{one["from"]}</td>'
            f"<td>{escape(formula)}</td>"
        )
        rows.append(f"<tr>{cells}</tr>")
    return f"<table>\n<tr>{heads}</tr>\n" + "\n".join(rows) + "\n</table>"


def _svg_element(height: float, elements: Sequence[str], top: float = 0.0) -> str:
    return f'<svg viewBox="0 {top:g} {WIDTH:g} {height:g}" role="img">\n' + "\n".join(elements) + "\n</svg>"


def _draw_axes(max_value: float, marks: Sequence[tuple[float, str]]) -> list[str]:
    """Return the axes of a chart as SVG elements.

    The vertical axis runs from 0 to ``max_value``. Each of ``marks`` is a label below the horizontal axis, given as its
    x coordinate and its text.
    """
    foot, right = HEIGHT - CHART_MARGIN / 2, WIDTH - CHART_MARGIN
    return [
        f'<path d="M{CHART_MARGIN:g} {CHART_MARGIN / 2:g} V{foot:g} H{right:g}" fill="none" stroke="#888"/>',
        f'<text x="{CHART_MARGIN - 6:g}" y="{CHART_MARGIN / 2 + 4:g}" text-anchor="end">'
        f"{_format_axis_number(max_value)}</text>",
        f'<text x="{CHART_MARGIN - 6:g}" y="{foot:g}" text-anchor="end">0</text>',
        *(f'<text x="{x:.1f}" y="{HEIGHT - 4:g}" text-anchor="middle">{text}</text>' for x, text in marks),
    ]


def _chart_y(value: float, max_value: float) -> float:
    return HEIGHT - CHART_MARGIN / 2 - value / max_value * (HEIGHT - CHART_MARGIN)


def _draw_skill(trace: Sequence[Row], fair_share: float) -> str:
    if not trace:
        return ""
    step = (WIDTH - 2 * CHART_MARGIN) / len(trace)
    spots = [(CHART_MARGIN + (place + 0.5) * step, measure) for place, measure in enumerate(trace)]
    even = _chart_y(fair_share, 1.0)
    inside = _draw_axes(1.0, [(x, f"{2 * measure['ways']} : {measure['ways']}") for x, measure in spots])
    inside.append(
        f'<path d="M{CHART_MARGIN:g} {even:.1f} H{WIDTH - CHART_MARGIN:g}" stroke="#888" stroke-dasharray="4 4"/>'
    )
    for x, measure in spots:
        low, high = (_chart_y(bound, 1.0) for bound in measure["interval"])
        inside.append(f'<path d="M{x:.1f} {low:.1f} V{high:.1f}" stroke="#bbb" stroke-width="10"/>')
        inside.append(
            f'<circle cx="{x:.1f}" cy="{_chart_y(measure["value"], 1.0):.1f}" r="5" fill="#1f5c8b"/>'
        )
    return _svg_element(HEIGHT, inside)


def _draw_curve(values: Sequence[float]) -> str:
    if not values:
        return ""
    max_value, step = max(values), (WIDTH - 2 * CHART_MARGIN) / max(1, len(values) - 1)
    along = [CHART_MARGIN + index * step for index in range(len(values))]
    line = " ".join(
        f"{x:.1f},{_chart_y(value, max_value):.1f}" for x, value in zip(along, values, strict=True)
    )
    every = max(1, -(-len(values) // 12))
    inside = _draw_axes(
        max_value, [(x, str(index + 1)) for index, x in enumerate(along) if index % every == 0]
    )
    return _svg_element(
        HEIGHT, [*inside, f'<polyline points="{line}" fill="none" stroke="#1f5c8b" stroke-width="2"/>']
    )


def _list_offboard_moves(opening: Sequence[Row]) -> str:
    """Return an HTML paragraph that lists the possible first moves that aren't made at a point.

    An example of such a move is the choice of a colour. Each move is listed with its value, and the best ones come
    first. If there are more than :data:`MAX_LISTED_MOVES`, an ellipsis stands for the rest. Returns "" if there are no
    such moves.
    """
    rows = sorted((row for row in opening if row["point"] < 0), key=lambda row: -row["mean"])
    named = [f"{row['move']} {_format_number(row['mean'])}" for row in rows[:MAX_LISTED_MOVES]]
    return (
        f"<p>{escape(' · '.join([*named, *(['…'] if len(rows) > MAX_LISTED_MOVES else [])]))}</p>"
        if named
        else ""
    )


def _format_match(match: Row | None, film: str) -> str:
    """Return the section about the typical match, or "" if there is none.

    It contains the animated diagram ``film``, a sentence that says why the match was chosen, and the moves.
    """
    if match is None:
        return ""
    winners = ", ".join(str(seat + 1) for seat in match["winners"])
    won = _("won by seat {seats}", seats=winners) if winners else _("won by nobody")
    caption = _(
        "The finished match of median length: number {number}, {turns}, {won}.",
        number=match["number"],
        turns=ngettext("{n} turn", "{n} turns", match["turns"]),
        won=won,
    )
    moves = f"<p>{escape(' '.join(match['moves']))}</p>"
    heading = escape(_("A typical match"))
    return f"<section><h2>{heading}</h2>\n{film}<p>{escape(caption)}</p>\n{moves}</section>\n"


def _best_per_point(rows: Sequence[tuple[int, int, float, str]]) -> list[tuple[int, int, float, str]]:
    """Return, for each point of each board, the row with the highest value.

    Each row is a tuple of board, point, value and text.
    """
    result: dict[tuple[int, int], tuple[int, int, float, str]] = {}
    for row in rows:
        if row[:2] not in result or result[row[:2]][2] < row[2]:
            result[row[:2]] = row
    return list(result.values())


def _draw_board(size: int, points: Sequence[tuple[int, int, float, str]]) -> str:
    """Return an SVG drawing of boards of a given ``size``, with a disc and a text at each of ``points``.

    ``points`` holds tuples of board, point number, value and text. The greater the value, the darker the disc. Tuples
    with a negative point number are left out because they aren't on a board; if no others remain, the result is "". The
    levels of a board are drawn beside or below one another.
    """
    points = [one for one in points if one[1] >= 0]
    if not points:
        return ""
    least, most = min(one[2] for one in points), max(one[2] for one in points)
    boards = max(one[0] for one in points) + 1
    drawn = fit_diagrams(Rect(0, 0, WIDTH, BOARD_HEIGHT), size, boards)
    inside = [
        f'<rect x="{ground.x:.1f}" y="{ground.y:.1f}" width="{ground.w:.1f}" height="{ground.h:.1f}" fill="#eee4d2"/>'
        for board in drawn
        for ground in board.backgrounds
    ]
    for board, point, value, text in points:
        x, y = drawn[board].point_centre(point)
        cell = drawn[board].cell_size
        strength = 0.15 + 0.85 * ((value - least) / (most - least) if most > least else 0.5)
        ink = "#fff" if strength > 0.55 else "#222"
        inside.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.46:.1f}" fill="#1f5c8b" fill-opacity="{strength:.2f}"/>'
            f'<text x="{x:.1f}" y="{y + cell * 0.13:.1f}" text-anchor="middle" fill="{ink}" '
            f'font-size="{cell * 0.34:.1f}">{text}</text>'
        )
    top = min(ground.y for board in drawn for ground in board.backgrounds)
    foot = max(ground.y + ground.h for board in drawn for ground in board.backgrounds)
    return _svg_element(foot - top + 2 * MARGIN, inside, top - MARGIN)
