"""Revealing simultaneous secret choices: what each seat chose, and the outcome that everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import language, ngettext
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.wording.naming import colour_name
from shibumi3d.rules.marbles.wording.opened import comes_of
from shibumi3d.rules.marbles.wording.texts import SIGNS

from . import secrets, words

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.marbles.state import State

MOST = 3
"""Maximum number of choices listed for a seat. If there are more, only their number is shown."""


class SecretChoice(NamedTuple):
    """The revealed choices of one seat, each as the colour of its marble (or -1) and a text."""

    seat: int
    said: tuple[tuple[int, str], ...]


class Reveal(NamedTuple):
    """What everybody sees when secret choices are revealed; ``sentence`` describes the outcome."""

    choices: tuple[SecretChoice, ...]
    sentence: str
    first: int
    """Index of the first of the secret moves."""


def revealed(events: Sequence[ev.Event]) -> bool:
    """Return whether ``events`` include the reveal of a secret choice."""
    return any(isinstance(event, ev.Revealed) for event in events)


def _before(first: State, plies: Sequence[Ply], number: int) -> State:
    """Return the state before the move with index ``number``, which may be the next move to be made."""
    return plies[number - 1].state if number else first


def began(first: State, plies: Sequence[Ply], opened: bool) -> int:
    """Return the index of the first move of a secret choice.

    If ``opened`` is true, use the choice revealed by the last of ``plies``. Otherwise, use the choice still in progress
    after ``plies``.
    """
    number = len(plies) - opened
    while number and not revealed(plies[number - 1].events) and _before(first, plies, number - 1).in_secret:
        number -= 1
    return number


def givers(match: Match, plies: Sequence[Ply], opened: bool) -> frozenset[int]:
    """Return the seats that give marbles in a secret choice and have already been asked to.

    If ``opened`` is true, use the choice revealed by the last of ``plies``. Otherwise, use the choice still in progress
    after ``plies``.
    """
    found: dict[int, bool] = {}
    for number in range(began(match.first, plies, opened), len(plies) + (not opened)):
        state = _before(match.first, plies, number)
        seat = state.to_move
        if seat is not None and seat not in found:
            try:
                found[seat] = any(move.kind == "give" for move in match.game.moves(state))
            except RuleFailure:
                found[seat] = False
    return frozenset(seat for seat, gives in found.items() if gives)


def common(match: Match, plies: Sequence[Ply], names: Sequence[str]) -> Reveal | None:
    """Return what everybody may know of the secret choice that the last of ``plies`` revealed.

    Returns None if all of it remains secret.
    """
    start = began(match.first, plies, True)
    hidden = secrets.masked(match, plies, secrets.ALL)
    said: dict[int, list[tuple[int, str]]] = {}
    for number in range(start, len(plies)):
        ply = plies[number]
        if number not in hidden and ply.move not in ("done", "pass"):
            said.setdefault(ply.seat, []).extend(_said(ply))
    if not said:
        return None
    choices = tuple([SecretChoice(seat, _short(parts)) for seat, parts in said.items()])
    last, before = plies[-1], _before(match.first, plies, len(plies) - 1)
    known = list(match.game.as_seen_by(last.state, last.events, None))
    opened = next(number for number, event in enumerate(known) if isinstance(event, ev.Revealed))
    chosen = [event for ply in plies[start:-1] for event in ply.events] + known[:opened]
    titles = [f"{SIGNS[seat]} {name}" for seat, name in enumerate(names)]
    sentence = comes_of(match.game, before, last.state, chosen, known[opened + 1 :], language(), titles)
    return Reveal(choices, sentence, start)


def _said(ply: Ply) -> list[tuple[int, str]]:
    given = [event for event in ply.events if isinstance(event, ev.Given) and event.seat == ply.seat]
    if given and ply.move.endswith("!"):
        return [(given[0].colour, colour_name(given[0].colour, language()))]
    return words.tokens(ply.move.replace(f"seat{ply.seat + 1}.", "").replace("_", " "))


def _short(parts: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    return tuple(parts) if len(parts) <= MOST else ((-1, ngettext("{n} choice", "{n} choices", len(parts))),)


def hushed(events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return ``events`` without the colours of marbles put into boxes that are still closed."""
    opened = next((i for i, event in enumerate(events) if isinstance(event, ev.Revealed)), len(events))
    return [
        replace(event, colour=-1) if number < opened and isinstance(event, ev.Given) else event
        for number, event in enumerate(events)
    ]
