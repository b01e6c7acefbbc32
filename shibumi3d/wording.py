"""Texts shared by the window, the terminal and exports.

They cover titles, scores, moves, turns, results, rules, terms and tournaments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import (
    N_,
    Plural,
    Translatable,
    _,
    format_decimal,
    format_percent,
    language,
    localize_texts,
    ngettext,
    ntranslate,
    pgettext,
    translate,
)
from shibumi3d.match import visibility
from shibumi3d.match.marbles import has_marbles, marble_events, marble_state
from shibumi3d.match.match import Match
from shibumi3d.match.special_moves import CLAIM, SPECIAL_MOVES, SWAP, TIME_UP, group_by_turn, last_turn
from shibumi3d.match.tournament import BY_HAND, DOUBLE_ROUND_ROBIN, KNOCKOUT, ROUND_ROBIN, SWISS
from shibumi3d.rules import wording as rules_wording
from shibumi3d.rules.errors import GameFileError, IllegalMove
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.glossary import explain_words
from shibumi3d.rules.marbles.wording.messages import MESSAGES
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.rules.wording import capitalize_first, lowercase_first

if TYPE_CHECKING:
    from datetime import date

    from shibumi3d.catalogue.openings import FirstTurn, OpeningStatistics
    from shibumi3d.match.history import Ply
    from shibumi3d.match.tournament import Standing, Tournament, TournamentGame, TournamentMatch
    from shibumi3d.rules.game import Event, Facts, Game, Move, State


GROUP_TEXTS = {
    "all": N_("All games"),
    "recent": N_("Recently played"),
    "fresh": N_("Never played"),
    "learning": N_("Learn"),
    "problems": N_("Problems"),
    "tournaments": N_("Tournaments"),
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
    "fall": N_("marbles drop"),
    "climb": N_("climbs on to an opponent's marble"),
    "zugzwang": N_("every reply makes things worse"),
    "last": N_("last marble"),
    "draw": N_("saves a draw"),
}
PROBLEM_OUTCOME_TEXTS: dict[str, Translatable] = {
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
PROBLEM_FAILURE_TEXTS: dict[str, Translatable] = {
    "win": Plural("That doesn't win in {n} turn.", "That doesn't win in {n} turns."),
    "hold": Plural("That loses.", "That loses."),
    "once": Plural("That doesn't win at once.", "That doesn't win at once."),
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


def format_day(day: date) -> str:
    """Return the day and month of a date in the current language, such as "28 Nov"."""
    return _("{day} {month}", day=day.day, month=_(MONTHS[day.month - 1]))


def translated_rules(texts: Mapping[str, str]) -> str:
    """Return a game's rules in the current language, or "" if there are no rules.

    If they aren't available in this language, return them in another one, preferably English. Unless the current
    language is English, a note then says that they haven't been translated.
    """
    text = localize_texts(texts)
    if not text or language() == "en" or language() in texts:
        return text
    return f"*{_('The rules of this game have not been translated yet.')}*\n\n{text}"


def game_title(game: Entry | Game) -> str:
    """Return a game's title in the current language, or its English title if there is no translation."""
    return _metadata(game, "titles").get(language()) or game.title


def variant_title(game: Entry | Game, variant: str) -> str:
    """Return the label of a variant in the current language, or ``variant`` itself if it has no label.

    A label that is missing in the current language is replaced by one in another language, as
    :func:`.text_for_language` does.
    """
    label = _metadata(game, "variant_labels").get(variant)
    return localize_texts(label) if label else variant


def _metadata(game: Entry | Game, name: str) -> Mapping[str, Any]:
    """Return the mapping called ``name`` in the metadata of a game, or an empty mapping if there is none."""
    # Reading ``meta`` of a catalogue entry would load its whole file.
    found: Any = getattr(game, name) if hasattr(game, name) else (game.meta or {}).get(name)
    return found or {}


def title_with_variant(game: Game) -> str:
    """Return the title of a game in the current language, followed by its variant, if any."""
    return ", ".join(filter(None, (game_title(game), game.variant and variant_title(game, game.variant))))


INTEGER_PATTERN = re.compile(r"-?\d+")


def format_score(state: State, facts: Facts, seat: int) -> str:
    """Return the score of a seat as text, followed by its total from the finished games of a series.

    The total is left out while all totals are 0. The result is empty if there is neither a score nor a total.
    """
    score = str(state.scores[seat]) if facts.has_scores or any(state.scores) else ""
    if any(state.totals):
        score = f"{score} · {state.totals[seat]}" if score else str(state.totals[seat])
    return score


def describe_seat(game: Game, view: State, seat: int, names: Sequence[str], score: str | None = None) -> str:
    """Describe a seat in one line: its player, what it owns, its role or goal, its stocks and its score.

    Parts that the game doesn't have are left out. ``score`` is shown instead of the score in ``view``; if it is "", no
    score is shown.
    """
    if score is None:
        score = format_score(view, game.facts(len(names)), seat)
    parts = (
        *game.describe_seat(view, seat, language()),
        game.describe_stock(view, seat, language()),
        ngettext(
            "{points} point",
            "{points} points",
            int(number.group()) if (number := INTEGER_PATTERN.fullmatch(score)) else 2,
            points=score,
        )
        if score
        else "",
    )
    return _("{who}: {did}", who=names[seat], did=" · ".join(filter(None, parts)) or _("nothing"))


OUTSIDE_MOVE_TEXTS = {CLAIM: N_("claims a draw"), SWAP: N_("swaps seats"), TIME_UP: N_("ran out of time")}
"""Descriptions of moves that aren't part of a game's rules, such as claiming a draw."""


def describe_ply(match: Match, plies: Sequence[Ply], index: int, events: Sequence[Event]) -> str:
    """Describe the move ``plies[index]`` in words.

    ``plies`` holds the moves of the match or of a variation, starting with the first. ``events`` are those events of
    the move that the text may reveal. If the move can't be parsed, its text is returned unchanged.
    """
    ply, names = plies[index], match.names
    before = plies[index - 1].state if index else match.initial_state
    if ply.move in SPECIAL_MOVES:
        return _(OUTSIDE_MOVE_TEXTS[ply.move])
    text = ply.move.partition(":")[2] if ply.seat != before.to_move else ply.move
    try:
        move = match.game.parse(before, text, ply.seat)
    except IllegalMove:
        return ply.move
    # If chance is involved, some table kinds describe the outcome rather than the choice.
    outcome = match.game.describe_move(before, move, events, language(), names)
    if outcome:
        return capitalize_first(outcome)
    return capitalize_first(
        match.game.move_label(match.game.observe(before, ply.seat), move, language(), names)
    )


def describe_move_in_sentence(
    match: Match, state: State, seat: int | None, move: Move, names: Sequence[str]
) -> str:
    """Describe a legal move in ``state`` for use inside a sentence.

    ``seat`` is the seat that makes the move.
    """
    game = match.game
    # Prefer the wording of the move list, since that of a button may be only a name.
    outcome = game.describe_move(state, move, (), language(), names)
    return lowercase_first(outcome or game.move_label(game.observe(state, seat), move, language(), names))


def term_meanings(entry: Entry, variant: str, words: Sequence[str]) -> list[str]:
    """Return an explanation for each word of a text about a game, or "" for a word that has none."""
    return explain_words(
        words, language(), entry.with_variant(variant).glossary, has_marbles=entry.kind == DEFAULT_KIND
    )


def describe_played_turn(
    match: Match,
    plies: Sequence[Ply],
    ply_indexes: Sequence[int],
    observe_ply: Callable[[Ply], Sequence[Event]],
) -> str:
    """Describe one or more moves that one seat made in a single turn.

    ``plies`` holds the moves of the match or of a variation, starting with the first. ``ply_indexes`` are the indices
    of the moves to describe. ``observe_ply`` returns those events of a move that the viewer may know.
    """
    marbles = has_marbles(match)
    inside = [number for number in ply_indexes if plies[number].move not in SPECIAL_MOVES]
    texts = [
        _(OUTSIDE_MOVE_TEXTS[plies[number].move])
        if number not in inside
        else describe_ply(match, plies, number, known)
        for number in ply_indexes
        if number not in inside or not marbles
        for known in [observe_ply(plies[number])]
    ]
    if marbles and inside:
        seat = plies[inside[0]].seat
        known = marble_events(event for number in inside for event in observe_ply(plies[number]))
        state = marble_state(plies[inside[-1]].state)
        did = sentences.describe_actions(state, seat, known, language(), match.names)
        texts.insert(0, did or lowercase_first(describe_ply(match, plies, inside[-1], ())))
    return ", ".join(texts)


def describe_player_turn(
    match: Match,
    plies: Sequence[Ply],
    ply_indexes: Sequence[int],
    observe_ply: Callable[[Ply], Sequence[Event]],
) -> str:
    """Describe a turn like :func:`describe_played_turn`, but begin with the player's name.

    If the player is named after the colour of the first marble described, the colour isn't repeated: for example,
    "White: Ac1" instead of "White: white on Ac1". In solo games, the name is omitted.
    """
    last = plies[ply_indexes[-1]]
    if has_marbles(match) and not any(plies[index].move in SPECIAL_MOVES for index in ply_indexes):
        events = marble_events(event for index in ply_indexes for event in observe_ply(plies[index]))
        did = sentences.describe_turn(marble_state(last.state), last.seat, events, language(), match.names)
        if did:
            return did
    did = describe_played_turn(match, plies, ply_indexes, observe_ply)
    return _("{who}: {did}", who=match.names[last.seat], did=did) if len(match.names) > 1 else did


def describe_turns(match: Match, viewer: int | None) -> Iterator[tuple[tuple[Ply, ...], str]]:
    """Yield each turn made so far with a description for ``viewer``.

    Consecutive moves of one seat are described together; those that ``viewer`` may not see appear as a single secret
    choice.
    """
    plies, hidden = match.plies, visibility.hidden_plies(match, match.plies, viewer)
    number = 0
    for turn in group_by_turn(plies):
        first, number = number, number + len(turn)
        descriptions: list[str] = []
        for seat, run in groupby(range(first, number), lambda index: plies[index].seat):
            did = describe_visible_plies(match, list(run), hidden, viewer)
            descriptions.append(did if seat == turn[0].seat else f"{match.names[seat]}: {did}")
        yield turn, ", ".join(descriptions)


def describe_visible_plies(
    match: Match, ply_indexes: Sequence[int], hidden: Collection[int], viewer: int | None
) -> str:
    """Describe consecutive moves of one seat, limited to what ``viewer`` may know.

    ``ply_indexes`` are the indices of these moves in the match. ``hidden`` are the indices of the moves that ``viewer``
    may not see; together, they are described as a secret choice.
    """

    def observe_ply(ply: Ply) -> Sequence[Event]:
        return visibility.observe_events(match.game, ply.state, viewer, ply.events)

    shown = [number for number in ply_indexes if number not in hidden]
    descriptions = [_("chose in secret")] if len(shown) < len(ply_indexes) else []
    if shown:
        descriptions.append(describe_played_turn(match, match.plies, shown, observe_ply))
    return ", ".join(descriptions)


def caption_turn(turn: int, description: str) -> str:
    """Return a caption with a turn's number, counted from 1, and its description.

    An empty description is left out.
    """
    if not description:
        return _("Turn {turn}", turn=turn)
    return _("Turn {turn} – {told}", turn=turn, told=description)


def caption_ply(match: Match, index: int, viewer: int | None) -> str:
    """Return a caption for the move at ``index``, limited to what ``viewer`` may know.

    In games with marbles, the caption describes the turn up to and including that move. If ``index`` is negative, the
    caption is "".
    """
    if index < 0:
        return ""
    plies = (*match.plies, *match.undone)[: index + 1]
    ply, names = plies[index], match.names
    if index in visibility.hidden_plies(match, plies, viewer):
        description = _("{who}: {did}", who=names[ply.seat], did=_("chose in secret"))
    else:
        events = visibility.observe_events(match.game, ply.state, viewer, ply.events)
        if has_marbles(match):
            seen = marble_state(visibility.observe(match.game, ply.state, viewer))
            hidden = visibility.hidden_plies(match, plies, viewer)
            turn_events = marble_events(
                event
                for each in last_turn(plies)
                if each not in hidden
                for event in visibility.observe_events(
                    match.game, plies[each].state, viewer, plies[each].events
                )
            )
            description = sentences.describe_turn(seen, ply.seat, turn_events, language(), names)
        else:
            did = describe_ply(match, plies, index, events)
            description = _("{who}: {did}", who=names[ply.seat], did=did) if len(names) > 1 else did
    return caption_turn(ply.turn + 1, description)


def describe_result(match: Match) -> str:
    """Return the result of the match as a sentence, or "" if it is not over."""
    outcome = match.game.outcome(match.state)
    if outcome is None:
        return ""
    scores = ""
    if any(outcome.scores):
        scores = _(", score {scores}", scores=" – ".join(map(str, outcome.scores)))
    if language() != "en":
        people = match.names
        counted = match.game.facts(len(people)).score_unit
        return (
            f"{rules_wording.describe_result(match.state, language(), people, score_unit=counted)}{scores}."
        )
    names = [match.seats[seat].name for seat in outcome.winners]
    if len(match.seats) == 1:
        verdict = _("Lost")
        if names:
            verdict = pgettext("terminal", "Done") if any(outcome.scores) else _("Won")
    elif not names:
        verdict = pgettext("terminal", "A draw")
    else:
        verdict = ngettext("{names} wins", "{names} win", len(names), names=" and ".join(names))
    reason = f" ({outcome.reason})" if outcome.reason else ""
    return f"{verdict}{scores}{reason}."


def describe_planned_turn(match: Match, observation: State, move_texts: Sequence[str]) -> str:
    """Return a description of what the moves in ``move_texts`` would do, limited to what ``observation`` shows.

    The description ends early if the outcome of a move isn't fully known.
    """
    game, names = match.game, match.names
    if has_marbles(match):
        state = marble_state(observation)
        parts = sentences.preview_turn_parts(game, state, move_texts, language(), names)
        if parts:
            return capitalize_first(", ".join(part.text for part in parts))
    texts: list[str] = []
    for text in move_texts:
        move = next((move for move in game.moves(observation) if move.text == text), None)
        texts.append(
            text
            if move is None
            else describe_move_in_sentence(match, observation, observation.to_move, move, names)
        )
        preview = game.preview(observation, move) if move is not None else None
        if preview is None or preview.after is None:
            break
        observation = preview.after
    return capitalize_first(", ".join(texts))


MOVE_PATTERN = re.compile(
    r"(?P<colour>[WBR])@(?P<at>\S+)|x(?P<take>\S+)|\^(?P<lift>\S+)|>(?P<set>\S+)"
    r"|(?P<entering>[WBR])>(?P<entry>\S+)/(?P<side>[WESN])|(?P<given>[WBR])!"
)


def move_tokens(move_text: str) -> list[tuple[int, str]]:
    """Return a move as a list with a single (colour, text) pair.

    The colour is the index of a colour to be shown as a marble, or -1 if there is only text.
    """
    match = MOVE_PATTERN.fullmatch(move_text)
    if match is None:
        return [(-1, display_name(move_text, language()))]
    parts = match.groupdict()
    if parts["at"]:
        return [(COLOUR_LETTERS.index(parts["colour"]), parts["at"])]
    if parts["take"]:
        return [(-1, ntranslate(language(), "takes {points}", "takes {points}", 1, points=parts["take"]))]
    if parts["lift"]:
        return [(-1, _("{point} to", point=parts["lift"]))]
    if parts["set"]:
        return [(-1, parts["set"])]
    if parts["entry"]:
        side = next(name for name in SIDES if name[0].upper() == parts["side"])
        return [
            (
                COLOUR_LETTERS.index(parts["entering"]),
                _("{point} from {side}", point=parts["entry"], side=_(MESSAGES[side])),
            )
        ]
    return [(COLOUR_LETTERS.index(parts["given"]), _("given"))]


def variant_rules(meta: object, entry: Entry) -> str:
    """Return the rules of the variant being played, or those of the game if the variant has none of its own.

    ``meta`` is the metadata of the variant.
    """
    texts = meta.get("rules") if isinstance(meta, Mapping) else None
    return translated_rules(texts if isinstance(texts, Mapping) and localize_texts(texts) else entry.rules)


def describe_first_turn(entry: Entry, row: FirstTurn, names: Sequence[str]) -> str:
    """Describe a first turn in words. ``names`` are the players' names."""
    match = Match(entry.game(), names)
    for move in row.turn:
        match.play(move)
    plies = match.plies
    return ", ".join(describe_ply(match, plies, index, ply.events) for index, ply in enumerate(plies))


def describe_opening_matches(row: FirstTurn) -> str:
    """Describe the results of a first turn: the first player's share of wins, and the number of matches.

    The share is given as a 95% confidence interval. The number of draws is added if there were any.
    """
    low, high = row.win_interval(0)
    text = ngettext(
        "{low} to {high} · {n} match",
        "{low} to {high} · {n} matches",
        row.matches,
        low=format_percent(low),
        high=format_percent(high),
    )
    return text + (ngettext(", {n} draw", ", {n} draws", row.draws) if row.draws else "")


def about_openings(statistics: OpeningStatistics) -> str:
    """Return a text that explains what opening statistics mean."""
    level = translate(language(), statistics.strength.capitalize())
    return ngettext(
        "How often the first player won in {n} match between equal computer players ({level}), by first "
        "turn. First turns that are the same when the board is rotated or mirrored are counted together. The "
        "range contains the true share with {certainty} confidence.",
        "How often the first player won in {n} matches between equal computer players ({level}), by first "
        "turn. First turns that are the same when the board is rotated or mirrored are counted together. The "
        "range contains the true share with {certainty} confidence.",
        statistics.matches,
        level=level,
        certainty=format_percent(0.95),
    )


# Tournaments

SYSTEM_TEXTS = {
    ROUND_ROBIN: N_("Round robin"),
    DOUBLE_ROUND_ROBIN: N_("Double round robin"),
    SWISS: N_("Swiss"),
    KNOCKOUT: N_("Knockout"),
}
SYSTEM_RULES = {
    ROUND_ROBIN: N_("Everyone plays everyone else once."),
    DOUBLE_ROUND_ROBIN: N_("Everyone plays everyone else twice, once from each seat."),
    SWISS: N_("In each round, you play somebody with about as many points as you, and nobody twice."),
    KNOCKOUT: N_(
        "Whoever loses is out. A drawn match is played again with seats swapped; if that is drawn too, the player "
        "listed first advances."
    ),
}
TIE_BREAK_RULES = {
    ROUND_ROBIN: N_(
        "A win is worth 1 point, a draw ½. Ties on points are broken first by the Sonneborn–Berger score "
        "(SB), the sum of the points of everybody you beat plus half the points of everybody you drew with; "
        "then by the number of wins."
    ),
    SWISS: N_(
        "A win is worth 1 point, a draw ½. Ties on points are broken first by the Buchholz score (BH), the "
        "sum of your opponents' points; then by the Sonneborn–Berger score (SB), the sum of the points of "
        "everybody you beat plus half the points of everybody you drew with; then by the number of wins. A "
        "round without an opponent counts as a win against somebody with as many points as you."
    ),
    KNOCKOUT: N_("Players who were eliminated in the same round share a place."),
}
"""Explanations of points and ties by system; those for a round robin also apply to a double round robin."""
TIE_BREAK_HEADINGS = {ROUND_ROBIN: ("SB",), DOUBLE_ROUND_ROBIN: ("SB",), SWISS: ("BH", "SB"), KNOCKOUT: ()}
"""Headings of the tie-breaks that have a column of their own."""
KNOCKOUT_ROUND_TEXTS = {1: N_("Final"), 2: N_("Semi-finals"), 4: N_("Quarter-finals")}
"""Names of the last rounds of a knockout, by their number of pairs."""


def format_points(points: float) -> str:
    """Format a number of points, with a half as "½" and other fractions as decimals."""
    whole, rest = divmod(points, 1)
    if rest == 0.5:
        return f"{int(whole) or ''}½"
    return format_decimal(points)


def tournament_round_title(tournament: Tournament, number: int) -> str:
    """Return the title of a round, such as "Round 2 of 5" or "Semi-finals"."""
    left = tournament.rounds - number
    if tournament.system == KNOCKOUT and 2**left in KNOCKOUT_ROUND_TEXTS:
        return _(KNOCKOUT_ROUND_TEXTS[2**left])
    return _("Round {n} of {all}", n=number, all=tournament.rounds)


def describe_tournament_game(game: TournamentGame, entry: Entry | None) -> str:
    """Return the title of a tournament's game, followed by its non-default settings, if any.

    If ``entry`` is None, the id of the game is returned.
    """
    if entry is None:
        return game.game
    try:
        form = entry.with_variant(game.variant)
    except (CatalogueError, GameFileError):
        form = entry
    labels = {option.name: option for option in form.options}
    parts = [
        *([_("size {size}", size=game.size)] if game.size not in (0, form.size) else []),
        *([variant_title(entry, game.variant)] if game.variant else []),
        *(
            f"{localize_texts(labels[name].label)}: {value}"
            for name, value in game.options.items()
            if name in labels and value != labels[name].default_for(2)
        ),
        *([] if game.can_claim_repetition else [_("no draw by repetition")]),
        *([_("swap rule")] if game.has_swap_rule else []),
    ]
    title = game_title(entry)
    return _("{title} ({details})", title=title, details=", ".join(parts)) if parts else title


def tournament_rules(tournament: Tournament) -> list[str]:
    """Return sentences that explain the system, the order of the standings and any excluded results."""
    system = ROUND_ROBIN if tournament.system == DOUBLE_ROUND_ROBIN else tournament.system
    left_out = [tournament.players[player].name for player in sorted(tournament.left_out_players())]
    names = rules_wording.join_words(left_out, _("and"))
    return [
        _(SYSTEM_RULES[tournament.system]),
        _(TIE_BREAK_RULES[system]),
        *(
            [
                ngettext(
                    "{names} withdrew before playing half of their matches, so none of their results count.",
                    "{names} withdrew before playing half of their matches, so none of their results count.",
                    len(left_out),
                    names=names,
                )
            ]
            if left_out
            else []
        ),
    ]


def describe_tournament_match(tournament: Tournament, match: TournamentMatch) -> tuple[str, str]:
    """Return who plays a match of a tournament, and how it ended or why it isn't played.

    The second text is empty while the match is undecided.
    """
    names = [tournament.players[player].name for player in match.players]
    if not names:
        return _("Nobody"), _("both players withdrew")
    if match.is_bye:
        note = _("advances to the next round") if tournament.system == KNOCKOUT else _("no opponent: 1 point")
        return names[0], note
    points = tournament.points_of(match)
    if not points:
        return " – ".join(names), ""
    result = " – ".join(map(format_points, points))
    if tournament.is_forfeit(match):
        loser = names[points.index(0.0)]
        reason = _("{name} withdrew", name=loser) if any(points) else _("both players withdrew")
        result = _("{result} ({reason})", result=result, reason=reason)
    elif match.decided_by == BY_HAND:
        result = _("{result} ({reason})", result=result, reason=_("entered by hand"))
    return " – ".join(names), result


def describe_standing(tournament: Tournament, standing: Standing) -> list[str]:
    """Return the texts in the columns that follow a player's name in the standings.

    In a knockout, these are the number of wins and how far the player got. In other tournaments, they are the numbers
    of matches, wins, draws and losses, the points, and the tie-breaks in :data:`TIE_BREAK_HEADINGS`.
    """
    if tournament.system == KNOCKOUT:
        if standing.round_lost:
            standing_text = _("out: {round}", round=tournament_round_title(tournament, standing.round_lost))
        else:
            standing_text = _("winner") if tournament.is_over else _("still in")
        return [str(standing.wins), standing_text]
    shown = len(TIE_BREAK_HEADINGS[tournament.system])
    return [
        str(standing.played),
        str(standing.wins),
        str(standing.draws),
        str(standing.losses),
        format_points(standing.points),
        *map(format_points, standing.tie_breaks[:shown]),
    ]


def standing_headings(tournament: Tournament) -> list[str]:
    """Return the headings of the columns for which :func:`describe_standing` returns the texts."""
    if tournament.system == KNOCKOUT:
        return [pgettext("column", "Won"), ""]
    return [
        *(
            pgettext("column", "Played"),
            pgettext("column", "Won"),
            pgettext("column", "Drawn"),
            pgettext("column", "Lost"),
            pgettext("column", "Points"),
        ),
        *TIE_BREAK_HEADINGS[tournament.system],
    ]
