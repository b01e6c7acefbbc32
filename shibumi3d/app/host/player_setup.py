"""Players of a new match: their names, default opponents, adaptive levels, and matches for lessons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import N_, _, language, translate_all
from shibumi3d.match.match import Match
from shibumi3d.names import has_visible_text
from shibumi3d.search.levels import (
    ADAPTIVE,
    INITIAL_ADAPTIVE_LEVEL,
    PERSON,
    RANDOM,
    adaptive_level,
    adaptive_level_of,
    find_level,
    is_adaptive,
    next_adaptive_level,
    player_type_of,
)

if TYPE_CHECKING:
    from shibumi3d.match.results import FinishedMatch


OWN_NAME_PLACEHOLDER = "me"
"""Name that stands for the name last used for a seat; see :func:`fill_seat_names`."""


def fill_seat_names(names: Sequence[str], seats: int, known_names: Sequence[str]) -> list[str]:
    """Return a name for each seat, based on the given ``names``.

    A seat named "me" gets the name last used for it, taken from ``known_names``, or a numbered default if none is
    known. Seats for which ``names`` has no entry get a numbered default too.
    """
    all_names = [*names, *human_names((), seats)[len(names) :]][:seats]
    return [
        known_name if name == OWN_NAME_PLACEHOLDER else name
        for name, known_name in zip(all_names, human_names(known_names, seats), strict=True)
    ]


def player_type_title(player_type: str) -> str:
    """Return the display name of a player type.

    Any stored text is accepted: if it isn't the name of a computer player, it counts as a person.
    """
    player_type = player_type_of(player_type)
    if player_type in (PERSON, RANDOM):
        return _("Human") if player_type == PERSON else RANDOM
    return (
        _("Adapts to me") if player_type == ADAPTIVE else find_level(player_type).localize_title(language())
    )


def human_names(known_names: Sequence[str], seats: int) -> list[str]:
    """Return a name for each of ``seats`` people: the name in ``known_names`` or, if there is none, a numbered default.

    Default names among ``known_names`` are translated into the current language.
    """
    return [
        _localize_default_name(known_names[seat], seat + 1)
        if seat < len(known_names) and has_visible_text(known_names[seat])
        else _("Player {n}", seat + 1)
        for seat in range(seats)
    ]


def _localize_default_name(name: str, number: int) -> str:
    """Translate ``name`` into the current language if it is the default name of player ``number``.

    ``number`` is counted from 1, and its default name is recognized in every language. Any other name is returned
    unchanged.
    """
    default = N_("Player {n}")
    return _(default, n=number) if name in translate_all(default, n=number).values() else name


def name_players(names: Sequence[str], player_types: Sequence[str]) -> list[str]:
    """Return ``names`` with those of the computer players replaced by the titles of their player types.

    If an earlier seat already has the title as its name, a number is appended, starting with 2.
    """
    result: list[str] = []
    for name, player_type in zip(names, player_types, strict=True):
        player_name, number = name if player_type == PERSON else player_type_title(player_type), 2
        while player_type != PERSON and player_name in result:
            player_name, number = f"{player_type_title(player_type)} {number}", number + 1
        result.append(player_name)
    return result


def displayed_player_count(entry: Entry) -> int:
    """Return the number of players with which to show a game: two, or the nearest number that the game allows."""
    return max(entry.players[0], min(2, entry.players[1]))


def adaptive_level_for(matches: Iterable[FinishedMatch], name: str) -> float:
    """Return the adaptive level that suits the person called ``name``, from 0 to 5.

    ``matches`` are finished matches of one game, oldest first. The result is based on this person's latest match in
    which all opponents had the same adaptive level. A win raises that level by 0.5 and a loss lowers it by 0.5; a win
    with help counts as a draw. If there is no such match, the level is :data:`.INITIAL_ADAPTIVE_LEVEL`.
    """
    for match in reversed(list(matches)):
        strengths = {
            player_type for seat, player_type in enumerate(match.player_types) if seat != match.own_seat
        }
        if match.own_seat >= 0 and match.names[match.own_seat] == name and len(strengths) == 1:
            (player_type,) = strengths
            level = adaptive_level_of(player_type)
            if level is not None:
                # A win with help doesn't show how strong the player is.
                gained = (
                    0.5 if match.points == 1 and (match.hints or match.is_solution_shown) else match.points
                )
                return next_adaptive_level(level, gained)
    return INITIAL_ADAPTIVE_LEVEL


def resolve_adaptive(
    player_types: Sequence[str], names: Sequence[str], matches: Iterable[FinishedMatch]
) -> list[str]:
    """Return the player types, with a definite level for each adaptive player.

    The level is the one that suits the first human player, judging by ``matches``. These are the finished matches of
    one game, oldest first. If nobody is human, the level is :data:`.INITIAL_ADAPTIVE_LEVEL`.
    """
    if not any(map(is_adaptive, player_types)):
        return list(player_types)
    human_name = next(
        (name for name, player_type in zip(names, player_types, strict=False) if player_type == PERSON), ""
    )
    level = adaptive_level_for(matches, human_name) if human_name else INITIAL_ADAPTIVE_LEVEL
    return [
        adaptive_level(level).name if is_adaptive(player_type) else player_type
        for player_type in player_types
    ]


def resolve_players(
    names: Sequence[str], player_types: Sequence[str], matches: Iterable[FinishedMatch]
) -> tuple[list[str], list[str]]:
    """Return the names and player types, with each adaptive player set to a definite level.

    ``matches`` are the finished matches of the game, oldest first. If any type changes, the computer players are
    renamed after their types. A seat without a player type is played by a person.
    """
    player_types = [*player_types, *[PERSON] * (len(names) - len(player_types))]
    resolved_types = (
        resolve_adaptive(player_types, names, matches)
        if any(map(is_adaptive, player_types))
        else player_types
    )
    return (
        list(names) if resolved_types == player_types else name_players(names, resolved_types)
    ), resolved_types


def default_opponent_type(
    player_types_by_game: Mapping[str, Sequence[str]], recent_games: Sequence[str]
) -> str:
    """Return the default player type of an opponent.

    ``recent_games`` lists the games, most recent first, and ``player_types_by_game`` holds the player types in the last
    match of each game. The first game that a person played with others counts: the result is the type of the seat after
    the first person's. If that type is adaptive, or if there is no such game, the result is the adaptive type.
    """
    for game in recent_games:
        kinds = player_types_by_game.get(game, ())
        if PERSON in kinds and len(kinds) > 1:
            me = list(kinds).index(PERSON)
            against = kinds[(me + 1) % len(kinds)]
            return ADAPTIVE if is_adaptive(against) else against
    return ADAPTIVE


def lesson_match(entry: Entry, lesson: Lesson) -> Match:
    """Return a match between people at the position of ``lesson``, after its lead-in moves.

    Raises CatalogueError, GameFileError, RuleFailure or ValueError if the game file is invalid.
    """
    game = entry.game(size=lesson.size or entry.size, variant=lesson.variant or None)
    state = lesson.initial_state(game)
    for move in lesson.lead_moves:
        state, _ = game.apply(state, move)
    return Match(game, human_names((), state.seats), state=state)
