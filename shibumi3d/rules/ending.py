"""Texts that describe how a match ended, shared by all kinds of games."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import Plural, Translatable, text_for_language, translate
from shibumi3d.rules.game import Outcome, State
from shibumi3d.rules.wording import joined

PHRASES: dict[str, Translatable] = {
    "marbles counted": Plural("{n} marble", "{n} marbles"),
    "points counted": Plural("{n} point", "{n} points"),
}
"""Phrases for scores with their units, keyed by the name of the unit."""


def ending(state: State, lang: str, names: Sequence[str], *, counted: str = "", shown: bool = False) -> str:
    """Return who won the match and why, or "" if the match is not over.

    For a solo game played for a score, return the score with its unit ``counted`` instead. ``shown`` is set if the
    program played the solution.
    """
    result = state.result
    if result is None:
        return ""
    score = scored(result.scores[0], counted, lang) if counted and state.seats == 1 else ""
    winners = [names[seat] for seat in result.winners]
    why = reason(result, lang)
    return who_won(winners, state.seats, why, lang, score=score, shown=shown, lost=result.lost)


def reason(result: Outcome, lang: str = "en") -> str:
    """Return why the match ended."""
    because = dict(result.because)
    return text_for_language(because, lang) or result.reason


def scored(score: int, counted: str, lang: str = "en") -> str:
    """Return a score with its unit ``counted``, such as "25 marbles"."""
    return translate(lang, PHRASES[f"{counted} counted"], score)


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
    """Return who won a match with ``seats`` seats, followed by ``reason`` if there is one.

    ``winners`` are the names of the winners. In a solo game played for a score, ``score`` is shown instead of a winner.
    ``shown`` is set if the program played the solution, and ``lost`` if all players lost together.
    """
    if winners and shown:
        who = (
            translate(lang, "Solution shown, {score}", score=score)
            if score
            else translate(lang, "Solution shown")
        )
    elif winners and score:
        who = score
    elif seats == 1 or lost:
        who = translate(lang, "Won") if winners else translate(lang, "Not this time")
    elif not winners:
        who = translate(lang, "A draw")
    elif len(winners) == 1:
        who = translate(lang, "{seat} wins", seat=winners[0])
    else:
        who = translate(lang, "{seats} share the win", seats=joined(winners, translate(lang, "and")))
    return translate(lang, "{who}: {reason}", who=who, reason=reason) if reason else who
