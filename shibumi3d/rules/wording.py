"""Helpers for building sentences, and texts that describe how a match ended."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import Plural, Translatable, text_for_language, translate
from shibumi3d.rules.game import Outcome, State


def join_words(words: Sequence[str], conjunction: str) -> str:
    """Join ``words`` into a list such as "a, b and c", with ``conjunction`` before the last word."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def capitalize_first(sentence: str) -> str:
    """Return ``sentence`` with its first character in upper case, if that is a letter."""
    return sentence[:1].upper() + sentence[1:]


def lowercase_first(sentence: str) -> str:
    """Return the sentence with its first letter in lower case, for use inside another sentence.

    The sentence must not begin with a name.
    """
    return sentence[:1].lower() + sentence[1:]


SCORE_TEXTS: dict[str, Translatable] = {
    "marbles counted": Plural("{n} marble", "{n} marbles"),
    "points counted": Plural("{n} point", "{n} points"),
}
"""Phrases for scores with their units. Each key is the name of a unit, followed by "counted"."""


def describe_result(
    state: State, lang: str, names: Sequence[str], *, score_unit: str = "", solution_shown: bool = False
) -> str:
    """Return who won the match and why, or "" if the match is not over.

    ``names`` are the names of the players. ``score_unit`` is the unit of the score in a solo game played for a score,
    and "" in any other game. If it is given and the match was won, the score stands in place of the winner. Set
    ``solution_shown`` if the program played the solution. If the match was won, the text then doesn't name the winner;
    it says "Solution shown", followed by the score if there is a ``score_unit``.
    """
    result = state.result
    if result is None:
        return ""
    score = format_score(result.scores[0], score_unit, lang) if score_unit and state.seats == 1 else ""
    winners = [names[seat] for seat in result.winners]
    reason = result_reason(result, lang)
    return describe_winners(
        winners,
        state.seats,
        reason,
        lang,
        score=score,
        solution_shown=solution_shown,
        is_common_loss=result.is_common_loss,
    )


def result_reason(result: Outcome, lang: str = "en") -> str:
    """Return why the match ended, in English if there is no translation."""
    because = dict(result.reason_by_language)
    return text_for_language(because, lang) or result.reason


def format_score(score: int, score_unit: str, lang: str = "en") -> str:
    """Return a score with its unit ("marbles" or "points"), such as "25 marbles"."""
    return translate(lang, SCORE_TEXTS[f"{score_unit} counted"], score)


def describe_winners(
    winners: Sequence[str],
    seats: int,
    reason: str,
    lang: str = "en",
    *,
    score: str = "",
    solution_shown: bool = False,
    is_common_loss: bool = False,
) -> str:
    """Return a phrase that says who won a match, followed by ``reason`` if there is one.

    ``winners`` are the names of the winners, and ``seats`` is the number of seats. If there are no winners, the phrase
    reports a draw or, for a solo game or a common loss, a loss. Set ``is_common_loss`` if all players lost together.

    ``score`` is the formatted score in a solo game played for a score, else "". If such a game was won, the phrase
    gives the score instead of the winner. Set ``solution_shown`` if the program played the solution. If the match was
    won, the phrase then names no winner; it says that the solution was shown, and adds the score if there is one.
    """
    if winners and solution_shown:
        winner_text = (
            translate(lang, "Solution shown, {score}", score=score)
            if score
            else translate(lang, "Solution shown")
        )
    elif winners and score:
        winner_text = score
    elif seats == 1 or is_common_loss:
        winner_text = translate(lang, "Won") if winners else translate(lang, "Not this time")
    elif not winners:
        winner_text = translate(lang, "A draw")
    elif len(winners) == 1:
        winner_text = translate(lang, "{seat} wins", seat=winners[0])
    else:
        winner_text = translate(
            lang, "{seats} share the win", seats=join_words(winners, translate(lang, "and"))
        )
    return translate(lang, "{who}: {reason}", who=winner_text, reason=reason) if reason else winner_text
