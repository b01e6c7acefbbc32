"""Sentences about moves, their effects, and what a player has to choose.

The effects of a move are found by making it on the seat's view (:meth:`Game.foresee`), so a description ends at the
first event that depends on chance or hidden information. ``names`` contains the names of the seats; by default, their
symbols are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import N_, ntranslate, translate
from shibumi3d.rules import ending
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording.consequences import NAMED, consequences, takes
from shibumi3d.rules.marbles.wording.naming import board_name, colour_name, point_name, points_named, word
from shibumi3d.rules.marbles.wording.texts import PHRASES, SIGNS, listed
from shibumi3d.rules.marbles.wording.turns import Part, turn_parts
from shibumi3d.rules.wording import capital

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.foresight import Foresight
    from shibumi3d.rules.marbles.state import MarbleOutcome, State

ASK_TEXTS = {
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
THERE_TEXTS = {
    "take": N_("take it"),
    "lift": N_("lift it"),
    "place": N_("place {colour}"),
    "enter": N_("enter from the {side}"),
    "points": N_("choose more marbles"),
}

SHAPE = 6
"""Maximum number of marbles named in a winning shape."""
TRIED = 24
"""Maximum number of continuations whose effects are compared to describe a click."""


class Spoken(Protocol):
    """The part of a game's interface that is needed to describe its moves."""

    meta: Any
    effort: float

    def moves(self, state: Any, seat: int | None = None) -> tuple[Any, ...]:
        """Return the legal moves in a state."""

    def foresee(self, view: Any, move: Any) -> Any:
        """Return the known effects of a move."""


# ---------------------------------------------------------------- moves


def say(game: Spoken, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
    """Return a move as the label of a button or a line in a log, capitalized."""
    return capital(_said(game, view, move, lang, names))


def _said(game: Spoken, view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Return the description of a move.

    It is created by the function in :data:`SAID` for the kind of move, if there is one, and otherwise from the message
    for that kind.
    """
    said = SAID.get(move.kind)
    if said is not None:
        return said(game, view, move, lang, names)
    return translate(
        lang,
        PHRASES[move.kind],
        point=point_name(view, move.board, move.point, lang, names) if move.point >= 0 else "",
        colour=colour_name(move.colour, lang) if move.colour >= 0 else "",
        side=translate(lang, PHRASES[SIDES[move.side]]) if move.side >= 0 else "",
    )


def _gift(game: Spoken, view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Return the description of giving away a marble: its colour and the receiver, if one is named."""
    colour = colour_name(move.colour, lang)
    for event in game.foresee(view, move).events:
        if isinstance(event, ev.Given):
            if event.receiver not in (-1, event.seat):
                return translate(lang, "{colour} to {seat}", colour=colour, seat=names[event.receiver])
            if event.stock != "box":
                return translate(
                    lang, "{colour} to the {stock}", colour=colour, stock=word(event.stock, lang)
                )
            break
    return translate(lang, "{colour}", colour=colour)


SAID: dict[str, Callable[[Spoken, State, Move, str, Sequence[str]], str]] = {
    "points": lambda game, view, move, lang, names: points_named(view, move.board, move.value, lang, names),
    "colour": lambda game, view, move, lang, names: colour_name(move.colour, lang),
    "seat": lambda game, view, move, lang, names: names[view.player(move.value)],
    "label": lambda game, view, move, lang, names: word(move.label, lang),
    "number": lambda game, view, move, lang, names: move.text,
    "give": _gift,
    "done": lambda game, view, move, lang, names: (
        translate(lang, "end the turn") if ends_turn(game, view, move) else translate(lang, "continue")
    ),
}
"""Functions that describe moves, for kinds of moves for which a message is not enough."""


def ends_turn(game: Spoken, view: State, move: Move) -> bool:
    """Return whether a move ends the turn, as far as can be foreseen."""
    seen = game.foresee(view, move)
    return seen.turn_over or seen.after is None or seen.asked != view.to_move


# ---------------------------------------------------------------- effects of a move


def foretell(game: Spoken, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
    """Return a move and all its effects in this turn, as one line without a final period."""
    seen = game.foresee(view, move)
    head = capital(_head(game, view, move, seen, lang, names))
    told = _outcome(view, seen.outcome, lang, names)
    parts = consequences(view, move, seen, lang, names)
    if not told:
        parts += _onward(game, view, move, seen, bool(parts), lang, names)
    rest = translate(lang, "; ").join(part for part in (told, ", ".join(parts)) if part)
    return translate(lang, "{choice} – {consequence}", choice=head, consequence=rest) if rest else head


def foretell_several(
    game: Spoken,
    view: State,
    moves: Sequence[Move],
    spot: tuple[int, int],
    lang: str = "en",
    names: Sequence[str] = SIGNS,
) -> str:
    """Return a description of what a click on a point leads to if several moves are possible there.

    ``spot`` is the board and the point.
    """
    head = point_name(view, *spot, lang, names)
    if any(move.kind != "points" for move in moves):
        deeds = dict.fromkeys(say_there(game, view, move, lang, names) for move in moves)
        return translate(
            lang, "{choice} – {consequence}", choice=head, consequence=listed(list(deeds), lang, "or")
        )
    sizes = {move.value.bit_count() for move in moves}
    pairs = max(sizes) == 2
    empty = any(move.value & ~view.filled(move.board) for move in moves)
    asked = (
        ntranslate(lang, "choose the other point", "choose the other points", 1 if pairs else 2)
        if empty
        else ntranslate(lang, "choose the other marble", "choose the other marbles", 1 if pairs else 2)
    )
    if len(moves) > TRIED:
        return translate(lang, "{choice} – {consequence}", choice=head, consequence=asked)
    colours: set[int] = set()
    left = 1.0
    for move in moves:
        if left < 0:
            return translate(lang, "{choice} – {consequence}", choice=head, consequence=asked)
        turned = {e.point: e.after for e in game.foresee(view, move).events if isinstance(e, ev.Recoloured)}
        left -= game.effort
        if sum(1 << point for point in turned) != move.value:
            return translate(lang, "{choice} – {consequence}", choice=head, consequence=asked)
        colours |= set(turned.values())
    told = listed([colour_name(c, lang) for c in sorted(colours)], lang, "or")
    both = (
        translate(lang, "both turn {colours}", colours=told)
        if pairs
        else translate(lang, "all turn {colours}", colours=told)
    )
    return translate(
        lang,
        "{who}: {reason}",
        who=translate(lang, "{choice} – {consequence}", choice=head, consequence=asked),
        reason=both,
    )


def say_there(game: Spoken, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
    """Return the description of one of several moves at a point whose name is already displayed."""
    if move.kind in ("take", "lift", "place", "enter", "points"):
        colour = colour_name(move.colour, lang) if move.colour >= 0 else ""
        side = translate(lang, PHRASES[SIDES[move.side]]) if move.side >= 0 else ""
        return translate(lang, THERE_TEXTS[move.kind], colour=colour, side=side)
    return _said(game, view, move, lang, names)


def _head(game: Spoken, view: State, move: Move, seen: Foresight, lang: str, names: Sequence[str]) -> str:
    if move.kind in ("place", "set"):
        return point_name(view, move.board, move.point, lang, names)
    if move.kind == "enter":
        name = point_name(view, move.board, move.point, lang, names)
        return translate(
            lang, "{point} from the {side}", point=name, side=translate(lang, PHRASES[SIDES[move.side]])
        )
    said = _said(game, view, move, lang, names)
    return translate(lang, "take {point}", point=said) if takes(move, seen) else said


def _outcome(view: State, result: MarbleOutcome | None, lang: str, names: Sequence[str]) -> str:
    """Return who wins and why, addressed to the seat that moves, or "" if the match goes on."""
    if result is None:
        return ""
    winners, me = result.winners, view.to_move
    if view.seats == 1:
        who = translate(
            lang, PHRASES["loses" if not winners else "match ends" if any(result.scores) else "wins"]
        )
    elif not winners:
        who = translate(lang, "nobody wins")
    elif winners == (me,):
        who = translate(lang, "wins")
    elif len(winners) == view.seats > NAMED:
        who = translate(lang, "everyone wins")
    elif len(winners) == 1:
        who = translate(lang, N_("{seat} wins"), seat=names[winners[0]])
    else:
        who = translate(
            lang, N_("{seats} share the win"), seats=listed([names[seat] for seat in winners], lang)
        )
    reason = ending.reason(result, lang)
    shapes = [(board, mask) for board, mask in enumerate(result.shape) if mask]
    if len(shapes) == 1 and 1 < shapes[0][1].bit_count() <= SHAPE and winners:
        points = points_named(view, *shapes[0], lang, names)
        return translate(lang, "{who}: {reason}, {points}", who=who, reason=reason, points=points)
    return translate(lang, "{who}: {reason}", who=who, reason=reason) if reason else who


def _onward(
    game: Spoken, view: State, move: Move, seen: Foresight, told: bool, lang: str, names: Sequence[str]
) -> list[str]:
    """Return phrases for what happens next: the turn ends, another seat moves, or the turn goes on."""
    me, asked = view.to_move, seen.asked
    if seen.stop == "game":
        return [translate(lang, "ends this game of the series")]
    if seen.turn_over:
        over = [] if move.kind in ("done", "pass") else [translate(lang, "ends the turn")]
        if view.seats > 1 and seen.after is not None and seen.after._at.stuck:
            return [*over, translate(lang, "{seat} can only pass", seat=names[asked or 0])]
        return [*over, translate(lang, "then plays again")] if asked == me and view.seats > 1 else over
    if seen.stop in ("reveal", "chance"):
        return [
            (
                translate(lang, "revealed when everyone has chosen")
                if seen.stop == "reveal"
                else translate(lang, "then a marble is drawn")
            )
        ]
    if asked is not None and asked != me:
        return [translate(lang, "then {seat} chooses", seat=names[asked])]
    if told or seen.after is None:
        return []
    ask = ask_line(game, seen.after, lang, names, here=move.board)
    return [translate(lang, "then {ask}", ask=ask)] if ask else []


def foreseen(game: Spoken, view: State, texts: Sequence[str], lang: str, names: Sequence[str]) -> list[Part]:
    """Return the description of the effects of a turn's moves, in parts.

    The description ends where the outcome is not known.
    """
    seat, after = view.to_move, view
    events: list[ev.Event] = []
    for wanted in texts:
        move = next((move for move in game.moves(after) if move.text == wanted), None)
        seen = game.foresee(after, move) if move is not None else None
        if seen is None or seat is None:
            break
        events += seen.events
        if seen.after is None or seen.asked != seat:
            break
        after = seen.after
    return turn_parts(view, seat, events, lang, names) if seat is not None else []


# ---------------------------------------------------------------- colours and goals


def own_line(game: Spoken, view: State, seat: int, lang: str = "en") -> str:
    """Return a player's colours and goal, such as "White · west to east"."""
    colours = [word(COLOURS[colour], lang) for colour in view.owned(seat)]
    aims = (game.meta or {}).get("aim", {})
    texts = aims.get(lang) or aims.get("en") or ()
    place = (seat - view.game_number + 1) % view.seats
    aim = texts[min(place, len(texts) - 1)] if texts else ""
    return capital(" · ".join(part for part in (listed(colours, lang), aim) if part))


# ---------------------------------------------------------------- prompts


def ask_line(
    game: Spoken,
    view: State,
    lang: str = "en",
    names: Sequence[str] = SIGNS,
    moves: Sequence[Move] | None = None,
    here: int = -1,
) -> str:
    """Return what the seat to move has to do, such as "choose a marble to take, or pass".

    ``moves`` contains the legal moves; by default, they are computed. If there are several boards, the board concerned
    is named unless it is ``here``.
    """
    if moves is None:
        try:
            moves = game.moves(view)
        except RuleFailure:
            return ""
    kinds = dict.fromkeys(move.kind for move in moves)
    order = [*ASKED, *(kind for kind in kinds if kind not in (*ASKED, "done", "pass"))]
    asked = [_asked(view, kind, moves, lang) for kind in order if kind in kinds]
    asked = list(dict.fromkeys(asked))
    choose = translate(lang, "choose ")
    ask = listed([*asked[:1], *(part.removeprefix(choose) for part in asked[1:])], lang, "or")
    boards = {move.board for move in moves if move.point >= 0 or move.kind == "points"}
    if len(view.board_names) > 1 and len(boards) == 1 and boards != {here}:
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


ASKED = ("place", "enter", "take", "lift", "set", "points", "colour", "seat", "number", "give", "label")
"""Kinds of moves in the order in which a prompt lists them; other kinds come last."""


def _asked(view: State, kind: str, moves: Sequence[Move], lang: str) -> str:
    """Return the prompt for the moves of one kind."""
    found = [move for move in moves if move.kind == kind]
    if kind == "place" and len({move.colour for move in moves if move.coloured}) > 1:
        return translate(lang, "choose a colour and a point")
    if kind == "points":
        one = all(move.value.bit_count() == 1 for move in found)
        empty = any(move.value & ~view.filled(move.board) for move in found)
        return translate(
            lang,
            PHRASES[
                ("ask point" if one else "ask places") if empty else ("ask marble" if one else "ask points")
            ],
        )
    if kind == "label" and 1 < len(found) <= 3:
        return translate(
            lang, "choose {labels}", labels=listed([word(move.label, lang) for move in found], lang, "or")
        )
    return translate(lang, ASK_TEXTS[kind])


# ---------------------------------------------------------------- the game log


def did(
    view: State,
    seat: int,
    events: Sequence[ev.Event],
    lang: str = "en",
    names: Sequence[str] = SIGNS,
    *,
    detailed: bool = False,
) -> str:
    """Return what ``seat`` did and its effects, without the seat's name: "white on Aa3, captures 2"."""
    parts = turn_parts(view, seat, events, lang, names, detailed=detailed)
    return ", ".join(part.words for part in parts)


def told(
    view: State,
    seat: int,
    events: Sequence[ev.Event],
    lang: str = "en",
    names: Sequence[str] = SIGNS,
    *,
    detailed: bool = False,
) -> str:
    """Return what ``seat`` did and its effects, as one line that begins with the seat's name.

    In solo games, the name is omitted. If ``detailed`` is set, effects that would otherwise only be counted are listed
    with up to three points.
    """
    parts = turn_parts(view, seat, events, lang, names, detailed=detailed)
    line = ", ".join(part.words for part in parts)
    if view.seats == 1 or not line:
        return capital(line)
    return (
        translate(lang, "{seat} {line}", seat=names[seat], line=line)
        if parts[0].verb
        else translate(lang, "{seat}: {line}", seat=names[seat], line=line)
    )
