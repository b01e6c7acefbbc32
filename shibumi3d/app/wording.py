"""Texts shared by the window and the terminal: titles, what a seat owns, and moves in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import N_, Plural, Translatable, _, language, local, ngettext
from shibumi3d.match.outside_moves import CLAIM, OUTSIDE, SWAP, TIME_UP
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.wording import capital, within

if TYPE_CHECKING:
    from datetime import date

    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.game import Event, Facts, Game, Move, State


GROUP_TEXTS = {
    "all": N_("All games"),
    "recent": N_("Recently played"),
    "fresh": N_("Never played"),
    "problems": N_("Problems"),
    "own": N_("My games"),
    "favourites": N_("Favourites"),
    "alignment": N_("Alignment"),
    "connection": N_("Connection"),
    "pattern": N_("Pattern"),
    "completion": N_("Completion"),
    "elimination": N_("Elimination"),
    "capture": N_("Capture"),
    "score": N_("Score"),
    "puzzle": N_("Puzzle"),
    "mixed": N_("Mixed"),
    "race": N_("Race"),
    "bidding": N_("Bidding"),
    "cards": N_("Cards"),
}
THEME_TEXTS = {
    "at-once": N_("wins at once"),
    "quiet": N_("quiet move"),
    "double": N_("double threat"),
    "block": N_("blocks the only threat"),
    "capture": N_("capture"),
    "sacrifice": N_("sacrifice"),
    "fall": N_("marbles fall"),
    "climb": N_("climbs onto an opponent's marble"),
    "zugzwang": N_("every reply makes things worse"),
    "last": N_("last marble"),
    "draw": N_("saves a draw"),
}
PROBLEM_CAME_TEXTS: dict[str, Translatable] = {
    "solved": Plural("Solved on the first try, in {time}.", "Solved on the first try, in {time}."),
    "hinted": Plural("Solved with hints, in {time}.", "Solved with hints, in {time}."),
    "failed": Plural("Solved in {time}.", "Solved on try {n}, in {time}."),
    "shown": Plural("Solution shown.", "Solution shown."),
}
PROBLEM_TASK_TEXTS: dict[str, Translatable] = {
    "win": Plural("{who} to move and win in {n} turn.", "{who} to move and win in {n} turns."),
    "hold": Plural(
        "{who} to move: find the only move that doesn't lose.",
        "{who} to move: find the only move that doesn't lose.",
    ),
    "once": Plural("{who} to move and win at once.", "{who} to move and win at once."),
}
MONTHS = (
    N_("Jan"),
    N_("Feb"),
    N_("Mar"),
    N_("Apr"),
    N_("May"),
    N_("Jun"),
    N_("Jul"),
    N_("Aug"),
    N_("Sep"),
    N_("Oct"),
    N_("Nov"),
    N_("Dec"),
)


def format_date(day: date) -> str:
    """Format a date in the current language, e.g. "28 Nov 2026"."""
    return _("{day} {month} {year}", day=day.day, month=_(MONTHS[day.month - 1]), year=day.year)


def rules_text(texts: Mapping[str, str]) -> str:
    """Return a game's rules in the current language.

    If they haven't been translated, return the English rules with a note.
    """
    text = local(texts)
    if not text or language() == "en" or language() in texts:
        return text
    return f"*{_('The rules of this game have not been translated yet.')}*\n\n{text}"


def titled(of: Entry | Game) -> str:
    """Return the title of a game in the current language."""
    # Reading ``meta`` of a catalogue entry would load its whole file.
    titles: Mapping[str, str] = of.titles if hasattr(of, "titles") else (of.meta or {}).get("titles", {})
    return titles.get(language()) or of.title


NUMBER = re.compile(r"-?\d+")


def score_of(state: State, facts: Facts, seat: int) -> str:
    """Return the score of a seat as text; in a series, it includes the total from earlier games.

    The result is empty if the game keeps no score.
    """
    score = str(state.scores[seat]) if facts.scored or any(state.scores) else ""
    if any(state.totals):
        score = f"{score} · {state.totals[seat]}" if score else str(state.totals[seat])
    return score


def owned(game: Game, view: State, seat: int, names: Sequence[str], score: str | None = None) -> str:
    """Describe a seat: the player's name, what it owns and may take, its goal, and its score.

    ``score`` replaces the score in ``view``.
    """
    if score is None:
        score = score_of(view, game.facts(len(names)), seat)
    told = (
        game.own_line(view, seat, language()),
        game.stock_line(view, seat, language()),
        ngettext(
            "{points} point",
            "{points} points",
            int(number.group()) if (number := NUMBER.fullmatch(score)) else 2,
            points=score,
        )
        if score
        else "",
    )
    return _("{who}: {did}", who=names[seat], did=" · ".join(filter(None, told)) or _("nothing"))


BEYOND_TOLD = {CLAIM: N_("claims a draw"), SWAP: N_("swaps seats"), TIME_UP: N_("ran out of time")}
"""Descriptions of moves that aren't part of a game's rules, such as claiming a draw."""


def spoken(match: Match, plies: Sequence[Ply], number: int, events: Sequence[Event]) -> str:
    """Describe the move at index ``number`` of ``plies`` in words.

    ``plies`` are all moves of the match or of a variation, from the first on. ``events`` are the known results of the
    move.
    """
    ply, names = plies[number], match.names
    before = plies[number - 1].state if number else match.first
    if ply.move in OUTSIDE:
        return _(BEYOND_TOLD[ply.move])
    text = ply.move.partition(":")[2] if ply.seat != before.to_move else ply.move
    try:
        move = match.game.parse(before, text, ply.seat)
    except IllegalMove:
        return ply.move
    # If chance is involved, some table kinds describe the outcome rather than the choice.
    told = match.game.log_line(before, move, events, language(), names)
    if told:
        return capital(told)
    return capital(match.game.say(match.game.view(before, ply.seat), move, language(), names))


def thought(match: Match, state: State, seat: int | None, move: Move, names: Sequence[str]) -> str:
    """Describe a legal move at ``state`` in words that fit inside a sentence."""
    game = match.game
    # Prefer the wording of the move list, since that of a button may be only a name.
    told = game.log_line(state, move, (), language(), names)
    return within(told or game.say(game.view(state, seat), move, language(), names))
