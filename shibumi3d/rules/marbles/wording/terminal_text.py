"""Text representation of a state, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shibumi3d.i18n import ntranslate, translate
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.state import UNKNOWN_COUNT, State
from shibumi3d.rules.marbles.wording.messages import MESSAGES
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first


def draw_board(board: str, lang: str = "en") -> list[str]:
    """Return a drawing of a board as lines of text.

    ``board`` is a board in the format of :attr:`.State.boards`. The levels are drawn side by side, with their ranks and
    files labelled.
    """
    levels = [level.split(",") for level in board.split("/")]
    height = len(levels[0]) + 2
    columns: list[list[str]] = []
    for number, rows in enumerate(levels):
        side = len(rows)
        lines = [translate(lang, "level {level}", level=chr(ord("A") + number))]
        lines += [f"{side - i:>2} {' '.join(row)}" for i, row in enumerate(rows)]
        lines.append("   " + " ".join(chr(ord("a") + file) for file in range(side)))
        # Align the levels at the bottom, since the southern rank is the nearest one.
        lines[1:1] = [""] * (height - len(lines))
        columns.append(lines)
    widths = [max(map(len, column)) for column in columns]
    return [
        "    ".join(column[line].ljust(width) for column, width in zip(columns, widths, strict=True)).rstrip()
        for line in range(height)
    ]


def format_view(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return ``view`` as lines of text: boards, stocks, scores and the marble in hand.

    ``names`` contains the names of the players. The scores are left out if all of them are 0, and the marble in hand if
    there is none.
    """
    result: list[str] = []
    for name, board in zip(view.board_names, view.boards, strict=True):
        if len(view.boards) > 1:
            result.append(f"{name}:")
        result += [*draw_board(board, lang), ""]
    for stock, holders in view.reserves.items():
        shared = len(holders) == 1
        for seat, name in zip(range(1 if shared else view.seats), names, strict=False):
            called = _localize_stock(stock, lang)
            held = holders[0 if shared else view.seat_of_player(seat)]
            called = called if shared else translate(lang, "{seat}'s {stock}", stock=called, seat=name)
            result.append(translate(lang, "{stock}: {held}", stock=called, held=format_contents(held, lang)))
    if any(view.scores):
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=False))
        result.append(translate(lang, "score: {scores}", scores=scores))
    if view.held is not None:
        colour, origin, _ = view.held
        marble = translate(lang, MESSAGES[COLOURS[colour]])
        result.append(
            translate(
                lang, "in hand: {colour} from {point}", colour=marble, point=view.pyramid.point_names[origin]
            )
        )
    return result


def format_usable_stocks(view: State, seat: int, lang: str = "en") -> str:
    """Return a line that lists, by stock, the marbles in the shared stocks and in a player's own stocks.

    ``seat`` is the number of the player. The line is, for example, "Supply: 14 white". If the player owns colours, only
    marbles of these colours are listed for a shared stock. Stocks with no marbles to list are left out; if no stock has
    any, only the first stock is listed. Stocks from which nobody can take marbles are listed, too.
    """
    own = {COLOURS[colour] for colour in view.owned_colours(seat)}
    lines: list[tuple[bool, str]] = []
    for stock, holders in view.reserves.items():
        shared = len(holders) == 1
        held = holders[0 if shared else view.seat_of_player(seat)]
        if shared and own:
            held = {colour: n for colour, n in held.items() if colour in own}
        sentence = translate(
            lang, "{stock}: {held}", stock=_localize_stock(stock, lang), held=format_contents(held, lang)
        )
        lines.append((any(held.values()), sentence))
    # Leave out empty stocks, unless all are empty.
    return capitalize_first(
        " · ".join([line for some, line in lines if some] or [line for _, line in lines[:1]])
    )


def _localize_stock(name: str, lang: str) -> str:
    """Return the name of a stock as displayed in ``lang``.

    If the displayed name differs from the name in the game file only in that underscores have become spaces, the name
    in the game file is returned unchanged.
    """
    plain = name.replace("_", " ")
    translated = display_name(name, lang)
    return name if translated == plain else translated


def format_contents(contents: Mapping[str, int], lang: str) -> str:
    """Return the contents of a stock as text, such as "14 white", "empty" or "hidden"."""
    if UNKNOWN_COUNT in contents.values():
        return translate(lang, "hidden")
    counts = [
        ntranslate(lang, "{n} {colour}", "{n} {colour}", n, colour=translate(lang, MESSAGES[colour]))
        for colour, n in contents.items()
        if n
    ]
    return ", ".join(counts) or translate(lang, "empty")
