"""How a match ended, in words: the same for every table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shibumi3d.rules.game import Outcome
from shibumi3d.rules.wording import filled, joined
from shibumi3d.sayings.filling import Template

TEXTS: Mapping[str, Mapping[str, Template]] = {
    "en": {
        "and": "and",
        "seat wins": "{seat} wins",
        "seats win": "{seats} share the win",
        "won": "Won",
        "not won": "Not this time",
        "draw": "A draw",
        "shown": "Shown",
        "shown score": "Shown, {score}",
        "marbles counted": ("{n} marble", "{n} marbles"),
        "points counted": ("{n} point", "{n} points"),
        "result": "{who}: {reason}",
    },
    "fr": {
        "and": "et",
        "seat wins": "{seat} gagne",
        "seats win": "{seats} partagent la victoire",
        "won": "Gagné",
        "not won": "Pas cette fois",
        "draw": "Partie nulle",
        "shown": "Montrée",
        "shown score": "Montrée, {score}",
        "marbles counted": ("{n} bille", "{n} billes"),
        "points counted": ("{n} point", "{n} points"),
        "result": "{who} : {reason}",
    },
}


def text(lang: str, key: str, n: int | None = None, **gaps: object) -> str:
    """Return the text called ``key``, its gaps filled in; ``n`` is what it counts."""
    return filled(TEXTS, lang, key, n, gaps)


def ending(state: Any, lang: str, names: Sequence[str], *, counted: str = "", shown: bool = False) -> str:
    """Return who won the match and why, or so many of what is ``counted`` where one played alone for that; "" while it
    goes on.

    ``shown``: the program has played what was to be found.
    """
    result: Outcome | None = state.result
    if result is None:
        return ""
    score = scored(result.scores[0], counted, lang) if counted and state.seats == 1 else ""
    winners = [names[seat] for seat in result.winners]
    why = reason(result, lang)
    return who_won(winners, state.seats, why, lang, score=score, shown=shown, lost=result.lost)


def reason(result: Outcome, lang: str = "en") -> str:
    """Return why the match is over."""
    because = dict(result.because)
    return because.get(lang) or because.get("en") or result.reason


def scored(score: int, counted: str, lang: str = "en") -> str:
    """Return a score as so many of what is ``counted``: "25 marbles"."""
    return text(lang, f"{counted} counted", score)


def who_won(
    winners: Sequence[str],
    seats: int,
    reason: str,
    lang: str = "en",
    *,
    score: str = "",
    shown: bool = False,
    lost: bool = False,
) -> str:
    """Return who won a match among so many seats, by name, and why if that is told; ``lost``: all lost it together.

    ``score`` is said instead where one played alone for it, and that it was ``shown`` where the program played what
    was to be found.
    """
    if winners and shown:
        who = text(lang, "shown score", score=score) if score else text(lang, "shown")
    elif winners and score:
        who = score
    elif seats == 1 or lost:
        who = text(lang, "won" if winners else "not won")
    elif not winners:
        who = text(lang, "draw")
    elif len(winners) == 1:
        who = text(lang, "seat wins", seat=winners[0])
    else:
        who = text(lang, "seats win", seats=joined(winners, text(lang, "and")))
    return text(lang, "result", who=who, reason=reason) if reason else who
