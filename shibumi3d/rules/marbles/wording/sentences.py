"""Sentences about moves, their effects and side effects, and what a player has to choose.

The effects of a move are found by making it on the seat's view (:meth:`Game.preview`), so a description ends at the
first event that depends on chance or hidden information. ``names`` contains the names of the seats; by default, their
symbols are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import N_, P_, ntranslate, translate
from shibumi3d.rules import wording as ending
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording.messages import MESSAGES, SEAT_SYMBOLS, format_list, format_signed
from shibumi3d.rules.marbles.wording.names import (
    board_name,
    colour_name,
    display_name,
    name_points,
    point_name,
)
from shibumi3d.rules.marbles.wording.turn_descriptions import (
    DescriptionPart,
    TurnDescriber,
    describe_turn_parts,
)
from shibumi3d.rules.wording import capitalize_first

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.preview import MovePreview
    from shibumi3d.rules.marbles.state import MarbleOutcome, State


MAX_NAMED_MARBLES = 3
"""Maximum number of marbles that are named individually; if there are more, they are counted."""


def removes_selection(move: Move, preview: MovePreview) -> bool:
    """Return whether a move selects points and, in ``preview``, removes the marbles from all of them.

    The result is False if no marble is removed. For an empty selection, it is True if any marble is removed.
    """
    removed = sum({1 << event.point for event in preview.events if isinstance(event, ev.Removed)})
    return move.kind == "points" and bool(removed) and move.value & removed == move.value


def describe_side_effects(
    view: State, move: Move, preview: MovePreview, lang: str, names: Sequence[str]
) -> list[str]:
    """Return phrases for the side effects of a move on boards, stocks and scores.

    The marbles that the move itself takes, gives or places are not mentioned, nor are marbles that are drawn or that go
    from another stock to the box.
    """
    removed = [event for event in preview.events if isinstance(event, ev.Removed)]
    picked = removed[
        : 1 if move.kind == "take" else move.value.bit_count() if removes_selection(move, preview) else 0
    ]
    given = [event for event in preview.events if isinstance(event, ev.Given)]
    picked_up: list[ev.Event] = [*picked, *given[: move.kind == "give"]]
    # Gains come from the scores, because some scores are computed from the board without an event.
    other = [
        event
        for event in preview.events
        if not isinstance(event, ev.Scored | ev.Drew)
        and not (isinstance(event, ev.Given) and event.stock == "box")
        and not any(event is each for each in picked_up)
    ]
    seat = view.to_move if view.to_move is not None else view.mover
    describer = TurnDescriber(view, seat, lang, names, is_detailed=True)
    parts = [part.text for part in describer.board_effect_parts(other)]
    parts += _describe_added_marbles(view, move, preview.events, lang, names)
    parts += [part.text for part in describer.other_effect_parts(other)]
    return [*filter(None, parts), *_describe_score_changes(view, preview, lang, names)]


def _describe_added_marbles(
    view: State, move: Move, events: Sequence[ev.Event], lang: str, names: Sequence[str]
) -> list[str]:
    """Return phrases, one per colour, for the added marbles that the move itself doesn't place.

    If more than :data:`MAX_NAMED_MARBLES` marbles of a colour are added, they are counted; otherwise, their points are
    named. A move that chooses points counts as placing the marbles itself if marbles are added at exactly these points.
    """
    added = [event for event in events if isinstance(event, ev.Placed)][move.kind == "place" :]
    if move.kind == "points" and {event.point for event in added} == set(iter_bits(move.value)):
        return []
    parts = []
    for colour in sorted({event.colour for event in added}):
        spots = [(event.board, event.point) for event in added if event.colour == colour]
        named = format_list([point_name(view, *spot, lang, names) for spot in spots], lang)
        key = "added" if len(spots) <= MAX_NAMED_MARBLES else "added many"
        parts.append(
            translate(lang, MESSAGES[key], len(spots), points=named, colour=colour_name(colour, lang))
        )
    return parts


def _describe_score_changes(view: State, preview: MovePreview, lang: str, names: Sequence[str]) -> list[str]:
    """Return a list with one phrase about the score changes, or an empty list if there are none.

    The seat to move comes first.
    """
    me = view.to_move
    order = sorted(range(len(preview.score_changes)), key=lambda seat: (seat != me, seat))
    gains = [
        format_signed(preview.score_changes[seat])
        if seat == me
        else f"{names[seat]} {format_signed(preview.score_changes[seat])}"
        for seat in order
        if preview.score_changes[seat]
    ]
    return [translate(lang, "score: {gains}", gains=", ".join(gains))] if gains else []


PROMPT_TEXTS = {
    "first": N_("{ask} first."),
    "place": N_("choose a point"),
    "place coloured": N_("choose a colour and a point"),
    "enter": N_("choose where to enter"),
    "take": N_("choose a marble to take"),
    "lift": N_("choose a marble to lift"),
    "set": N_("choose where it goes"),
    "points": N_("choose marbles"),
    "marble": N_("choose a marble"),
    "places": N_("choose points"),
    "point": N_("choose a point"),
    "shape": N_("choose a shape"),
    "colour": N_("choose a colour"),
    "seat": N_("choose a player"),
    "number": N_("choose a number"),
    "give": N_("choose a colour"),
    "label": N_("choose what to do"),
    "labels": N_("choose {labels}"),
}
FIRST_OF_SEVERAL_PROMPTS = {
    "place": P_("one of several prompts", "place a marble"),
    "enter": P_("one of several prompts", "enter a marble"),
    "take": P_("one of several prompts", "take a marble"),
    "lift": P_("one of several prompts", "lift a marble"),
}
"""Prompts for the first of several kinds of moves, as in "place a marble or lift one"."""
LATER_PROMPTS = {
    "enter": P_("one of several prompts", "enter one"),
    "take": P_("one of several prompts", "take one"),
    "lift": P_("one of several prompts", "lift one"),
    "points": P_("one of several prompts", "choose several"),
}
"""Prompts for all kinds of moves but the first, if the first kind is in :data:`FIRST_OF_SEVERAL_PROMPTS`."""
POINT_MOVE_TEXTS = {
    "take": N_("take it"),
    "lift": N_("lift it"),
    "place": N_("place {colour}"),
    "enter": N_("enter from the {side}"),
    "points": N_("choose more marbles"),
}

MAX_SHAPE_MARBLES = 6
"""Maximum number of marbles in a winning shape whose points are named."""
MAX_COMPARED_MOVES = 24
"""Maximum number of continuations whose effects are compared to describe a click."""


class DescribableGame(Protocol):
    """The part of a game's interface that is needed to describe its moves."""

    meta: Any
    effort: float

    def moves(self, state: Any, seat: int | None = None) -> tuple[Any, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move)."""

    def preview(self, view: Any, move: Any) -> Any:
        """Return a preview of a legal move, with the effects that are certain in ``view``."""


# ---------------------------------------------------------------- moves


def format_move_label(
    game: DescribableGame, view: State, move: Move, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS
) -> str:
    """Return a description of a move that begins with a capital letter, for a button or a log."""
    return capitalize_first(_describe_move(game, view, move, lang, names))


def _describe_move(game: DescribableGame, view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    describer = MOVE_DESCRIBERS.get(move.kind)
    if describer is not None:
        return describer(game, view, move, lang, names)
    return translate(
        lang,
        MESSAGES[move.kind],
        point=point_name(view, move.board, move.point, lang, names) if move.point >= 0 else "",
        colour=colour_name(move.colour, lang) if move.colour >= 0 else "",
        side=translate(lang, MESSAGES[SIDES[move.side]]) if move.side >= 0 else "",
    )


def _describe_giving(game: DescribableGame, view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe giving a marble away.

    The description names the colour and the seat or stock that gets the marble. If that is the box, only the colour is
    named.
    """
    colour = colour_name(move.colour, lang)
    for event in game.preview(view, move).events:
        if isinstance(event, ev.Given):
            if event.receiver not in (-1, event.seat):
                return translate(lang, "{colour} to {seat}", colour=colour, seat=names[event.receiver])
            if event.stock != "box":
                return translate(
                    lang, "{colour} to the {stock}", colour=colour, stock=display_name(event.stock, lang)
                )
            break
    return translate(lang, "{colour}", colour=colour)


MOVE_DESCRIBERS: dict[str, Callable[[DescribableGame, State, Move, str, Sequence[str]], str]] = {
    "points": lambda game, view, move, lang, names: name_points(view, move.board, move.value, lang, names),
    "colour": lambda game, view, move, lang, names: colour_name(move.colour, lang),
    "seat": lambda game, view, move, lang, names: names[view.player_at(move.value)],
    "label": lambda game, view, move, lang, names: display_name(move.label, lang),
    "number": lambda game, view, move, lang, names: move.text,
    "give": _describe_giving,
    "done": lambda game, view, move, lang, names: (
        translate(lang, "end the turn") if ends_turn(game, view, move) else translate(lang, "continue")
    ),
}
"""Functions that describe moves, by kind, where a message is not enough."""


def ends_turn(game: DescribableGame, view: State, move: Move) -> bool:
    """Return whether a move ends the turn or leaves the next choice to another seat.

    If that is unknown, the result is True.
    """
    preview = game.preview(view, move)
    return preview.is_turn_over or preview.after is None or preview.next_seat != view.to_move


# ---------------------------------------------------------------- effects of a move


def describe_outcome(
    game: DescribableGame, view: State, move: Move, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS
) -> str:
    """Describe a move and its known effects in this turn, in one line without a full stop at the end."""
    preview = game.preview(view, move)
    head = capitalize_first(_describe_heading(game, view, move, preview, lang, names))
    result = _describe_result(view, preview.outcome, lang, names)
    parts = describe_side_effects(view, move, preview, lang, names)
    if not result:
        parts += _describe_what_follows(game, view, move, preview, bool(parts), lang, names)
    rest = translate(lang, "; ").join(part for part in (result, ", ".join(parts)) if part)
    return translate(lang, "{choice} – {consequence}", choice=head, consequence=rest) if rest else head


def describe_choices_at(
    game: DescribableGame,
    view: State,
    moves: Sequence[Move],
    spot: tuple[int, int],
    lang: str = "en",
    names: Sequence[str] = SEAT_SYMBOLS,
) -> str:
    """Describe the effect of clicking a point at which several moves are possible.

    ``spot`` is the board and the point, and ``moves`` contains the moves that are possible there.
    """
    head = point_name(view, *spot, lang, names)
    if any(move.kind != "points" for move in moves):
        descriptions = dict.fromkeys(describe_move_there(game, view, move, lang, names) for move in moves)
        return translate(
            lang,
            "{choice} – {consequence}",
            choice=head,
            consequence=format_list(list(descriptions), lang, "or"),
        )
    sizes = {move.value.bit_count() for move in moves}
    pairs = max(sizes) == 2
    empty = any(move.value & ~view.filled(move.board) for move in moves)
    asked = (
        ntranslate(lang, "choose the other point", "choose the other points", 1 if pairs else 2)
        if empty
        else ntranslate(lang, "choose the other marble", "choose the other marbles", 1 if pairs else 2)
    )
    if len(moves) > MAX_COMPARED_MOVES:
        return translate(lang, "{choice} – {consequence}", choice=head, consequence=asked)
    colours: set[int] = set()
    left = 1.0
    for move in moves:
        if left < 0:
            return translate(lang, "{choice} – {consequence}", choice=head, consequence=asked)
        turned = {e.point: e.after for e in game.preview(view, move).events if isinstance(e, ev.Recoloured)}
        left -= game.effort
        if sum(1 << point for point in turned) != move.value:
            return translate(lang, "{choice} – {consequence}", choice=head, consequence=asked)
        colours |= set(turned.values())
    names_of_colours = format_list([colour_name(c, lang) for c in sorted(colours)], lang, "or")
    both = (
        translate(lang, "both turn {colours}", colours=names_of_colours)
        if pairs
        else translate(lang, "all turn {colours}", colours=names_of_colours)
    )
    return translate(
        lang,
        "{who}: {reason}",
        who=translate(lang, "{choice} – {consequence}", choice=head, consequence=asked),
        reason=both,
    )


def describe_move_there(
    game: DescribableGame, view: State, move: Move, lang: str = "en", names: Sequence[str] = SEAT_SYMBOLS
) -> str:
    """Return a description of a move, for use where the name of its point is already displayed.

    If the move takes, lifts, places or enters a marble, the description leaves out the point. For a move that chooses a
    set of points, it only says to choose more marbles. All other moves are described in full, including their point if
    they have one.
    """
    if move.kind in ("take", "lift", "place", "enter", "points"):
        colour = colour_name(move.colour, lang) if move.colour >= 0 else ""
        side = translate(lang, MESSAGES[SIDES[move.side]]) if move.side >= 0 else ""
        return translate(lang, POINT_MOVE_TEXTS[move.kind], colour=colour, side=side)
    return _describe_move(game, view, move, lang, names)


def _describe_heading(
    game: DescribableGame, view: State, move: Move, preview: MovePreview, lang: str, names: Sequence[str]
) -> str:
    if move.kind in ("place", "set"):
        return point_name(view, move.board, move.point, lang, names)
    if move.kind == "enter":
        name = point_name(view, move.board, move.point, lang, names)
        return translate(
            lang, "{point} from the {side}", point=name, side=translate(lang, MESSAGES[SIDES[move.side]])
        )
    text = _describe_move(game, view, move, lang, names)
    return translate(lang, "take {point}", point=text) if removes_selection(move, preview) else text


def _describe_result(view: State, result: MarbleOutcome | None, lang: str, names: Sequence[str]) -> str:
    """Return how the match ends and why, or "" if it continues.

    If the seat that moves is the only winner, it isn't named.
    """
    if result is None:
        return ""
    winners, me = result.winners, view.to_move
    if view.seats == 1:
        subject = translate(
            lang, MESSAGES["loses" if not winners else "match ends" if any(result.scores) else "wins"]
        )
    elif not winners:
        subject = translate(lang, "nobody wins")
    elif winners == (me,):
        subject = translate(lang, "wins")
    elif len(winners) == view.seats > MAX_NAMED_MARBLES:
        subject = translate(lang, "everyone wins")
    elif len(winners) == 1:
        subject = translate(lang, N_("{seat} wins"), seat=names[winners[0]])
    else:
        subject = translate(
            lang, N_("{seats} share the win"), seats=format_list([names[seat] for seat in winners], lang)
        )
    reason = ending.result_reason(result, lang)
    shapes = [(board, mask) for board, mask in enumerate(result.deciding_points) if mask]
    if len(shapes) == 1 and 1 < shapes[0][1].bit_count() <= MAX_SHAPE_MARBLES and winners:
        points = name_points(view, *shapes[0], lang, names)
        return translate(lang, "{who}: {reason}, {points}", who=subject, reason=reason, points=points)
    return translate(lang, "{who}: {reason}", who=subject, reason=reason) if reason else subject


def _describe_what_follows(
    game: DescribableGame,
    view: State,
    move: Move,
    preview: MovePreview,
    has_effects: bool,
    lang: str,
    names: Sequence[str],
) -> list[str]:
    """Return phrases for what happens next, such as the end of the turn or another seat's choice.

    If the same seat makes the next choice in the same turn, this is mentioned only if the move has no effects.
    """
    me, asked = view.to_move, preview.next_seat
    if preview.stop_reason == "game":
        return [translate(lang, "ends this game of the series")]
    if preview.is_turn_over:
        over = [] if move.kind in ("done", "pass") else [translate(lang, "ends the turn")]
        if view.seats > 1 and preview.after is not None and preview.after._snapshot.is_stuck:
            return [*over, translate(lang, "{seat} can only pass", seat=names[asked or 0])]
        if asked == me and me is not None and view.seats > 1:
            over.append(translate(lang, "then {seat} plays again", seat=names[me]))
        return over
    if preview.stop_reason in ("reveal", "chance"):
        return [
            (
                translate(lang, "revealed when everyone has chosen")
                if preview.stop_reason == "reveal"
                else translate(lang, "then a marble is drawn")
            )
        ]
    if asked is not None and asked != me:
        return [translate(lang, "then {seat} chooses", seat=names[asked])]
    if has_effects or preview.after is None:
        return []
    ask = format_prompt(game, preview.after, lang, names, current_board=move.board)
    return [translate(lang, "then {ask}", ask=ask)] if ask else []


def preview_turn_parts(
    game: DescribableGame, view: State, move_texts: Sequence[str], lang: str, names: Sequence[str]
) -> list[DescriptionPart]:
    """Return a description, in parts, of the moves in ``move_texts`` and their effects.

    The description stops before the first move that isn't legal or has no preview. It also stops after a move whose
    outcome isn't fully known, and when the match is over or another seat is to move. It is empty if no seat is to move
    in ``view``.
    """
    seat, after = view.to_move, view
    events: list[ev.Event] = []
    for wanted in move_texts:
        move = next((move for move in game.moves(after) if move.text == wanted), None)
        preview = game.preview(after, move) if move is not None else None
        if preview is None or seat is None:
            break
        events += preview.events
        if preview.after is None or preview.next_seat != seat:
            break
        after = preview.after
    return describe_turn_parts(view, seat, events, lang, names) if seat is not None else []


# ---------------------------------------------------------------- colours and goals


def describe_colours_and_goal(
    game: DescribableGame, view: State, seat: int, lang: str = "en"
) -> tuple[str, ...]:
    """Return phrases for a player's colours and goal, such as ``("White", "west to east")``.

    The colours are left out if the player owns none, and the goal if the game file gives none.
    """
    colours = [display_name(COLOURS[colour], lang) for colour in view.owned_colours(seat)]
    aims = (game.meta or {}).get("aim", {})
    texts = aims.get(lang) or aims.get("en") or ()
    place = (seat - view.game_number + 1) % view.seats
    aim = texts[min(place, len(texts) - 1)] if texts else ""
    first, *others = [part for part in (format_list(colours, lang), aim) if part] or [""]
    return (capitalize_first(first), *others) if first else ()


def colour_seat_name(colour: int, lang: str) -> str:
    """Return the name of a seat that owns only this colour and whose player has no name, such as "White"."""
    return capitalize_first(display_name(COLOURS[colour], lang))


# ---------------------------------------------------------------- prompts


def format_prompt(
    game: DescribableGame,
    view: State,
    lang: str = "en",
    names: Sequence[str] = SEAT_SYMBOLS,
    moves: Sequence[Move] | None = None,
    current_board: int = -1,
) -> str:
    """Return a prompt that says what the seat to move has to do, such as "choose a marble to take, or pass".

    ``moves`` contains the legal moves; by default, they are computed. If there are several boards and the moves concern
    only one of them, that board is named unless it is ``current_board``. Return "" if there are no legal moves or if
    they can't be determined.
    """
    if moves is None:
        try:
            moves = game.moves(view)
        except RuleFailure:
            return ""
    kinds = dict.fromkeys(move.kind for move in moves)
    order = [*PROMPT_ORDER, *(kind for kind in kinds if kind not in (*PROMPT_ORDER, "done", "pass"))]
    asked = [kind for kind in order if kind in kinds]
    prompts = dict.fromkeys(
        _short_prompt(kind, asked, lang) or _prompt_for_kind(view, kind, moves, lang) for kind in asked
    )
    ask = format_list(list(prompts), lang, "or")
    boards = {move.board for move in moves if move.point >= 0 or move.kind == "points"}
    if len(view.board_names) > 1 and len(boards) == 1 and boards != {current_board}:
        ask = translate(
            lang, "{what} on {board}", what=ask, board=board_name(view, boards.pop(), lang, names)
        )
    if "done" in kinds:
        done = next(move for move in moves if move.kind == "done")
        ends = ends_turn(game, view, done)
        if not ask:
            return (
                translate(lang, "nothing left to choose: end the turn")
                if ends
                else translate(lang, "nothing left to choose: continue")
            )
        return (
            translate(lang, "{ask}, or end the turn", ask=ask)
            if ends
            else translate(lang, "{ask}, or continue", ask=ask)
        )
    if "pass" in kinds:
        return translate(lang, "{ask}, or pass", ask=ask) if ask else translate(lang, "no moves left: pass")
    return ask


PROMPT_ORDER = (
    "place",
    "enter",
    "take",
    "lift",
    "set",
    "points",
    "colour",
    "seat",
    "number",
    "give",
    "label",
)
"""Kinds of moves in the order in which a prompt lists them; all other kinds follow."""


def _short_prompt(kind: str, asked: Sequence[str], lang: str) -> str:
    """Return the short prompt for ``kind`` in a list of prompts, or "" if there is none.

    For example, the list "take a marble or lift one" consists of the short prompts "take a marble" and "lift one".
    ``asked`` contains the kinds of moves in the list, in order. Short prompts are used only if there are at least two
    kinds and the first of them has one.
    """
    if len(asked) < 2 or asked[0] not in FIRST_OF_SEVERAL_PROMPTS:
        return ""
    text = FIRST_OF_SEVERAL_PROMPTS[kind] if kind == asked[0] else LATER_PROMPTS.get(kind, "")
    return translate(lang, text) if text else ""


def _prompt_for_kind(view: State, kind: str, moves: Sequence[Move], lang: str) -> str:
    moves_of_kind = [move for move in moves if move.kind == kind]
    if kind == "place" and len({move.colour for move in moves if move.places_colour}) > 1:
        return translate(lang, "choose a colour and a point")
    if kind == "points":
        one = all(move.value.bit_count() == 1 for move in moves_of_kind)
        empty = any(move.value & ~view.filled(move.board) for move in moves_of_kind)
        return translate(
            lang,
            MESSAGES[
                ("ask point" if one else "ask places") if empty else ("ask marble" if one else "ask points")
            ],
        )
    if kind == "label" and 1 < len(moves_of_kind) <= 3:
        return translate(
            lang,
            "choose {labels}",
            labels=format_list([display_name(move.label, lang) for move in moves_of_kind], lang, "or"),
        )
    return translate(lang, PROMPT_TEXTS[kind])


# ---------------------------------------------------------------- the game log


def describe_actions(
    view: State,
    seat: int,
    events: Sequence[ev.Event],
    lang: str = "en",
    names: Sequence[str] = SEAT_SYMBOLS,
) -> str:
    """Return the actions of ``seat`` and their effects as text, without the seat's name.

    An example is "white on Aa3, captures 2 marbles".
    """
    parts = describe_turn_parts(view, seat, events, lang, names)
    return ", ".join(part.text for part in parts)


def describe_turn(
    view: State,
    seat: int,
    events: Sequence[ev.Event],
    lang: str = "en",
    names: Sequence[str] = SEAT_SYMBOLS,
    *,
    detailed: bool = False,
) -> str:
    """Describe what ``seat`` did and what followed, in one line that begins with the seat's name.

    In solo games, the name is omitted. If the seat is named after the colour of the first marble described, the colour
    isn't repeated. If there is nothing to describe, return "". For ``detailed``, see :func:`describe_turn_parts`.
    """
    parts = describe_turn_parts(view, seat, events, lang, names, detailed=detailed)
    texts = [part.text for part in parts]
    if view.seats == 1 or not texts:
        return capitalize_first(", ".join(texts))
    if parts[0].colour >= 0 and names[seat] == colour_seat_name(parts[0].colour, lang):
        texts[0] = parts[0].text_beside_marble
    line = ", ".join(texts)
    return (
        translate(lang, "{seat} {line}", seat=names[seat], line=line)
        if parts[0].starts_with_verb
        else translate(lang, "{seat}: {line}", seat=names[seat], line=line)
    )
