"""Descriptions of the effects of secret choices, shown once the choices are revealed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from shibumi3d.i18n import translate
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.facts import secret_instructions
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.wording.messages import SEAT_SYMBOLS, format_list, format_signed
from shibumi3d.rules.marbles.wording.names import colour_name, display_name, point_name
from shibumi3d.rules.marbles.wording.turn_descriptions import TurnDescriber
from shibumi3d.rules.wording import capitalize_first, describe_result

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game
    from shibumi3d.rules.marbles.move import Move
    from shibumi3d.rules.marbles.state import State


def describe_revealed_choices(
    game: Game,
    before: State,
    after: State,
    choice_events: Iterable[ev.Event],
    later_events: Sequence[ev.Event],
    lang: str = "en",
    names: Sequence[str] = SEAT_SYMBOLS,
) -> str:
    """Describe the effects of secret choices that have just been revealed.

    If the match is over, also say how it ended. ``before`` and ``after`` are the states before and after the last
    choice. ``choice_events`` contains the events of the choices, and ``later_events`` those caused by revealing them.
    The arguments must contain only public information.
    """
    choice_events = list(choice_events)
    shown, votes = _collect_choices(choice_events)
    duel, beaten = _describe_duel(shown, later_events, after, lang)
    head = duel or _describe_votes(votes, lang)
    parts = _describe_marbles(later_events, after, beaten, lang) + _describe_changed_variables(
        before, after, lang
    )
    if after.result is None:
        pairs = zip(names, before.scores, after.scores, strict=True)
        parts += [f"{name} {format_signed(now - then)}" for name, then, now in pairs if now != then]
    over = after.result is not None
    rest = "" if over else _describe_next_seat(game, after, later_events, lang, names)
    if not (head or parts or rest or over):
        seen = any(hasattr(event, "point") for event in choice_events)
        parts = [] if seen else [translate(lang, "nothing happens")]
        rest = translate(lang, "{seat} is next", seat=names[after.to_move or 0])
    effects = ", ".join([*parts, rest] if rest else parts)
    sentence = (
        translate(lang, "{who}: {reason}", who=head, reason=effects) if head and effects else head or effects
    )
    sentences = [sentence, describe_result(after, lang, names)]
    return " ".join(capitalize_first(sentence) + "." for sentence in sentences if sentence)


def _collect_choices(choice_events: Iterable[ev.Event]) -> tuple[dict[int, tuple[str, int]], Counter[str]]:
    """Return the marble that each seat put away, and how often each word was chosen.

    A marble is represented by the name of the stock to which it went, and by its colour. Marbles whose colour is hidden
    are ignored. The first result is empty if fewer than two seats put away a marble, or if any seat put away several.
    """
    shown: dict[int, tuple[str, int]] = {}
    several = False
    votes: Counter[str] = Counter()
    for event in choice_events:
        if isinstance(event, ev.Given) and event.colour >= 0:
            several = several or event.seat in shown
            shown[event.seat] = (event.stock, event.colour)
        elif isinstance(event, ev.Chose):
            votes[event.text] += 1
    return {} if several or len(shown) < 2 else shown, votes


def _describe_duel(
    marble_by_seat: dict[int, tuple[str, int]], events: Sequence[ev.Event], after: State, lang: str
) -> tuple[str, bool]:
    """Return a phrase such as "white beats black", and whether there is a winning marble.

    ``marble_by_seat`` holds the stock and colour of the marble that each seat put away. ``events`` are the events
    caused by revealing these marbles; a seat keeps its marble if none of them moves it to another stock. If all marbles
    have the same colour, the phrase says so, and there is no winning marble. Otherwise, if exactly one seat keeps its
    marble, that marble wins. If no seat keeps its marble, but exactly one of the seats in ``marble_by_seat`` has won
    the match, that seat's marble wins. In all other cases, the phrase is empty.
    """
    colours = {colour for _, colour in marble_by_seat.values()}
    if len(colours) < 2:
        alike = [
            translate(lang, "everyone chose {colour}", colour=colour_name(colour, lang)) for colour in colours
        ]
        return "".join(alike), False
    gone = {
        event.seat
        for event in events
        if isinstance(event, ev.Given) and marble_by_seat.get(event.seat) == (event.source, event.colour)
    }
    left = set(marble_by_seat) - gone
    if not left and after.result is not None:
        left = set(after.result.winners) & set(marble_by_seat)
    if len(left) != 1:
        return "", False
    best = marble_by_seat[left.pop()][1]
    others = [colour_name(colour, lang) for colour in sorted(colours - {best})]
    return translate(
        lang, "{colour} beats {others}", colour=colour_name(best, lang), others=format_list(others, lang)
    ), True


def _describe_votes(votes: Counter[str], lang: str) -> str:
    """Return a phrase such as "2 stay, 1 leave" that says how often each word was chosen.

    ``votes`` counts the choices of each word. The word chosen most often comes first. Return "" if there are fewer than
    two votes in total.
    """
    if votes.total() < 2:
        return ""
    return ", ".join(
        translate(lang, "{n} {label}", n, label=display_name(label, lang)) for label, n in votes.most_common()
    )


def _describe_marbles(events: Sequence[ev.Event], after: State, omit_given: bool, lang: str) -> list[str]:
    """Return phrases for the marbles that are revealed, put away or placed.

    If ``omit_given`` is set, the marbles put away are left out, because they have already been mentioned.
    """
    marbles: list[str] = []
    away: Counter[tuple[int, str]] = Counter()
    for event in events:
        if isinstance(event, ev.Given) and event.colour >= 0:
            if event.receiver == event.seat:
                held = colour_name(event.colour, lang)
                marbles.append(
                    translate(lang, "{stock}: {colour}", stock=display_name(event.source, lang), colour=held)
                )
            elif not omit_given:
                away[event.colour, event.stock] += 1
    for (colour, stock), n in away.items():
        marbles.append(
            translate(
                lang,
                "{what} to the {stock}",
                what=TurnDescriber(after, 0, lang, SEAT_SYMBOLS).format_marbles(n, colour),
                stock=display_name(stock, lang),
            )
        )
    for event in events:
        if isinstance(event, ev.Placed):
            point = point_name(after, event.board, event.point, lang)
            marbles.append(
                translate(lang, "{colour} on {points}", colour=colour_name(event.colour, lang), points=point)
            )
    return marbles


def _describe_changed_variables(before: State, after: State, lang: str) -> list[str]:
    """Return phrases for the variables that changed when the choices were revealed.

    Only variables that hold a single number are mentioned. Those that a secret block sets are left out. If the match or
    the current game of a series has ended, the list is empty.
    """
    rules = after._rules
    if after.game_number != before.game_number or after.result is not None:
        return []
    slots = {
        start.slot for start in rules.initial_values if start.type_name == str(Type.INT) and not start.by_seat
    }
    names = {
        step.terms[1]: step.terms[0] for step in rules.program if step.op == "Let" and step.terms[1] in slots
    }
    for step in secret_instructions(rules):
        if step.op == "Let":
            names.pop(step.terms[1], None)
    was, now = before._snapshot.name_values, after._snapshot.name_values
    return [
        translate(lang, "{name} is now {n}", name=display_name(name, lang), n=now[slot])
        for slot, name in names.items()
        if now[slot] != was[slot]
    ]


def _describe_next_seat(
    game: Game, after: State, events: Sequence[ev.Event], lang: str, names: Sequence[str]
) -> str:
    """Return a phrase that says which seat moves next and, if known, what it places.

    Return "" if the match is over, if the seat chooses in secret, or if its moves can't be determined.
    """
    seat = after.to_move
    if seat is None or after.is_in_secret_block:
        return ""
    try:
        moves = cast("tuple[Move, ...]", game.moves(after))
    except RuleFailure:
        return ""
    colours = {move.colour for move in moves}
    if {move.kind for move in moves} == {"place"} and len(colours) == 1:
        if any(isinstance(e, ev.Given) and (e.receiver, e.colour) == (seat, *colours) for e in events):
            return translate(lang, "{seat} places it", seat=names[seat])
        return translate(
            lang, "{seat} places {colour}", seat=names[seat], colour=colour_name(colours.pop(), lang)
        )
    return translate(lang, "{seat} is next", seat=names[seat])
