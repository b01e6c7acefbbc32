"""Revealing simultaneous secret choices: what each seat chose, and the outcome that everybody sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d import wording
from shibumi3d.i18n import language, ngettext
from shibumi3d.match.marbles import events_of, marble_events, marble_state, state_before
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.wording.messages import SEAT_SYMBOLS
from shibumi3d.rules.marbles.wording.names import colour_name
from shibumi3d.rules.marbles.wording.revealed_choices import describe_revealed_choices

from ..match import visibility

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event


MAX_LISTED_CHOICES = 3
"""Maximum number of choices listed for a seat. If there are more, only their number is shown."""


class SecretChoice(NamedTuple):
    """The revealed choices of one seat.

    Each item of ``parts`` is a pair: the colour of a marble (-1 if there is none) and a text. If the seat made more
    than :data:`MAX_LISTED_CHOICES` choices, a single item gives the number of choices.
    """

    seat: int
    parts: tuple[tuple[int, str], ...]


class Reveal(NamedTuple):
    """What everybody sees when secret choices are revealed.

    ``sentence`` describes the outcome.
    """

    choices: tuple[SecretChoice, ...]
    sentence: str
    first_ply: int
    """Index of the first secret move."""


def includes_reveal(events: Iterable[Event]) -> bool:
    """Return whether ``events`` include the reveal of a secret choice."""
    return any(isinstance(event, ev.Revealed) for event in events)


def secret_choice_start(match: Match, plies: Sequence[Ply], is_revealed: bool) -> int:
    """Return the index of the first move of a secret choice.

    If ``is_revealed`` is set, the choice is the one revealed by the last of ``plies``. Otherwise, it is the one still
    in progress after ``plies``.
    """
    index = len(plies) - is_revealed
    while (
        index
        and not includes_reveal(plies[index - 1].events)
        and state_before(match, plies, index - 1).is_in_secret_block
    ):
        index -= 1
    return index


def giving_seats(match: Match, plies: Sequence[Ply], is_revealed: bool) -> frozenset[int]:
    """Return the seats that have been asked to give marbles in a secret choice.

    If ``is_revealed`` is set, use the choice revealed by the last of ``plies``. Otherwise, use the choice still in
    progress after ``plies``.
    """
    result: dict[int, bool] = {}
    for index in range(secret_choice_start(match, plies, is_revealed), len(plies) + (not is_revealed)):
        state = state_before(match, plies, index)
        seat = state.to_move
        if seat is not None and seat not in result:
            try:
                result[seat] = any(move.kind == "give" for move in match.game.moves(state))
            except RuleFailure:
                result[seat] = False
    return frozenset(seat for seat, gives in result.items() if gives)


def public_reveal(match: Match, plies: Sequence[Ply], names: Sequence[str]) -> Reveal | None:
    """Return what everybody may know about the secret choice that the last of ``plies`` revealed.

    ``names`` are the players' names. Returns None if there is nothing to show, because every move of the choice either
    remains secret or is ``done`` or ``pass``.
    """
    start = secret_choice_start(match, plies, True)
    hidden = visibility.hidden_plies(match, plies, visibility.ALL_SEATS)
    parts_by_seat: dict[int, list[tuple[int, str]]] = {}
    for index in range(start, len(plies)):
        ply = plies[index]
        if index not in hidden and ply.move not in ("done", "pass"):
            parts_by_seat.setdefault(ply.seat, []).extend(_describe_choice(ply))
    if not parts_by_seat:
        return None
    choices = tuple([SecretChoice(seat, _shorten(parts)) for seat, parts in parts_by_seat.items()])
    last, before = plies[-1], state_before(match, plies, len(plies) - 1)
    known = list(marble_events(match.game.observe_events(last.state, last.events, None)))
    opened = next(index for index, event in enumerate(known) if isinstance(event, ev.Revealed))
    known_before = events_of(plies[start:-1]) + known[:opened]
    titles = [f"{SEAT_SYMBOLS[seat]} {name}" for seat, name in enumerate(names)]
    sentence = describe_revealed_choices(
        match.game, before, marble_state(last.state), known_before, known[opened + 1 :], language(), titles
    )
    return Reveal(choices, sentence, start)


def _describe_choice(ply: Ply) -> list[tuple[int, str]]:
    given_events = [event for event in ply.events if isinstance(event, ev.Given) and event.seat == ply.seat]
    if given_events and ply.move.endswith("!"):
        return [(given_events[0].colour, colour_name(given_events[0].colour, language()))]
    return wording.move_tokens(ply.move.replace(f"seat{ply.seat + 1}.", "").replace("_", " "))


def _shorten(parts: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    return (
        tuple(parts)
        if len(parts) <= MAX_LISTED_CHOICES
        else ((-1, ngettext("{n} choice", "{n} choices", len(parts))),)
    )


def hide_given_colours(events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return ``events`` with colour -1 for each marble that was given before the first reveal.

    If there is no reveal, this applies to every marble given.
    """
    opened = next((i for i, event in enumerate(events) if isinstance(event, ev.Revealed)), len(events))
    return [
        replace(event, colour=-1) if index < opened and isinstance(event, ev.Given) else event
        for index, event in enumerate(events)
    ]
