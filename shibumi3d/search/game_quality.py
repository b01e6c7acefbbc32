"""Quality measures of a game, calculated from matches between computer players and from random matches.

They cover length, balance, draws, dead ends, the number of legal moves, and whether the stronger player wins. A poor
result comes with a suggestion of what to change.

Some matches are played between equal players, which shows how balanced the seats are. In others, one player runs more
simulations than the rest, which shows whether looking ahead pays off. Legal moves are counted in random matches. The
same seed gives the same matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from shibumi3d.i18n import N_, Message
from shibumi3d.intervals import wilson_interval
from shibumi3d.rules.game import DEAD_END_REASON, Game
from shibumi3d.search.arena import PlayedMatch, play_match
from shibumi3d.search.levels import Level
from shibumi3d.search.players import Player
from shibumi3d.search.worker import hurry_requested, limit_memory, report_progress

SUGGESTION_TEXTS = {
    "dead": N_(
        "Some matches get stuck: nobody can move and no end rule applies. Add an end rule "
        "with 'when: stuck' or 'when: not able(everyone)'."
    ),
    "endless": N_(
        "Some matches never end: forbid undoing the previous turn ('require'), or let every turn "
        "add something."
    ),
    "short": N_("Matches are very short: make the goal harder to reach, or the board larger."),
    "long": N_("Matches are very long: make the goal easier to reach, or the board smaller."),
    "balance": N_(
        "One seat wins too often: give the others something at the start ('setup', 'vars'), or "
        "make it harder for that seat to win."
    ),
    "draws": N_(
        "Many matches are draws: say who wins if there is a tie ('tie'), or add another criterion "
        "('most' with a list)."
    ),
    "narrow": N_(
        "There is too little to choose from: offer a second action ('choose'), or more points ('at', 'to')."
    ),
    "wide": N_(
        "There is too much to choose from: narrow it down ('at', 'to'), or split the choice into two steps."
    ),
    "skill": N_(
        "Looking ahead hardly helps: reduce the role of chance ('draw', 'deal'), or add a goal "
        "that takes several turns to reach."
    ),
    "hopeless": N_("The game was never solved: make the goal easier, or offer more actions."),
    "sure": N_("The game was always solved: make the goal harder, or offer fewer actions."),
}

DEFAULT_MATCHES = 500
BASE_SIMULATIONS, STRONG_SIMULATIONS = 12, 96
"""Numbers of simulations per move, for ordinary players and for the stronger player."""
OPENING_TURNS = 2
"""Number of random turns at the start, so that matches differ from each other."""
RANDOM_MATCHES = 20
"""Number of random matches in which legal moves are counted."""
MAX_RANDOM_MOVES = 400
"""Number of moves after which a random match is abandoned."""
CYCLE_LENGTH = 5
"""Number of matches in a cycle.

The first ``EQUAL_MATCHES_PER_CYCLE`` matches of a cycle are between equal players; in the rest, one player is stronger.
"""
EQUAL_MATCHES_PER_CYCLE = 3

MIN_TURNS, MAX_TURNS = 6, 150
"""Mean number of turns below which matches are too short, and mean number above which they are too long."""
BALANCE_TOLERANCE = 0.08
"""Tolerated difference between a seat's share of the points and its fair share."""
MAX_DRAW_SHARE = 0.35
MAX_UNFINISHED_SHARE = 0.02
"""Tolerated fraction of matches that reach a dead end, and of matches that do not end."""
MIN_CHOICES, MAX_CHOICES = 2.5, 150.0
"""Mean number of legal moves below which there is too little choice, and mean number above which there is too much."""
MIN_STRONGER_SHARE = 0.6
"""Share of the points that the stronger player should get in a two-player game."""

SUGGESTIONS = {
    key: Message(SUGGESTION_TEXTS[key])
    for key in (
        "dead", "endless", "short", "long", "balance", "draws", "narrow", "wide", "skill", "hopeless", "sure",
    )
}  # fmt: skip
"""Suggested changes to a game, by the weakness that they address."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """A proportion with its 95% confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GameQuality:
    """Results of the first ``games`` of ``total`` matches.

    ``turns`` contains the mean, minimum and maximum number of turns of a match. ``seat_shares`` is each seat's share of
    the points in matches between equal players, as counted by :func:`points_of`; in a solo game, it is the fraction of
    matches in which the game was solved. ``draws`` is the fraction of matches that ended without a winner, and
    ``dead_ends`` the fraction that reached a dead end; in a solo game, both are 0. ``endless`` is the fraction that
    were abandoned. ``choices`` is the mean number of legal moves in random matches. ``stronger_share`` is the stronger
    player's share of the points (in a solo game, the fraction of matches in which this player solved it), or None if
    there were no matches with a stronger player. ``suggestions`` contains keys of :data:`SUGGESTIONS`.
    """

    games: int
    total: int
    turns: tuple[float, int, int]
    seat_shares: tuple[Proportion, ...]
    draws: float
    dead_ends: float
    endless: float
    choices: float
    stronger_share: Proportion | None
    suggestions: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return the results without ``total`` as JSON data, with numbers rounded to three decimal places."""

        def proportion_json(share: Proportion) -> dict[str, float]:
            return {"share": _round(share.value), "least": _round(share.low), "most": _round(share.high)}

        return {
            "games": self.games,
            "turns": {"mean": _round(self.turns[0]), "least": self.turns[1], "most": self.turns[2]},
            "seats": [proportion_json(share) for share in self.seat_shares],
            "draws": _round(self.draws),
            "dead ends": _round(self.dead_ends),
            "endless": _round(self.endless),
            "choices": _round(self.choices),
            "stronger": proportion_json(self.stronger_share) if self.stronger_share is not None else None,
            "hints": {key: str(SUGGESTIONS[key]) for key in self.suggestions},
        }


def measure_quality(
    game: Game, seats: int, match_count: int = DEFAULT_MATCHES, seed: int = 0
) -> GameQuality | None:
    """Measure the quality of a game; this function runs in the worker process.

    After each match, it reports the results so far. If it has been asked to hurry, it returns them without playing on.
    The result is None only if ``match_count`` is 0.
    """
    limit_memory()
    verdict = None
    for verdict in measure_progressively(game, seats, match_count, seed):
        report_progress(verdict)
        if hurry_requested():
            break
    return verdict


def measure_progressively(
    game: Game, seats: int, match_count: int = DEFAULT_MATCHES, seed: int = 0
) -> Iterator[GameQuality]:
    """Play one match after another; after each one, yield the results so far."""
    choices = mean_move_count(game, seats, seed)
    equals: list[PlayedMatch] = []
    uneven: list[tuple[int, PlayedMatch]] = []
    for number in range(match_count):
        strong, match = play_quality_match(game, seats, number, seed)
        if strong is None:
            equals.append(match)
        else:
            uneven.append((strong, match))
        yield summarize(seats, match_count, equals, uneven, choices)


def play_quality_match(game: Game, seats: int, index: int, seed: int) -> tuple[int | None, PlayedMatch]:
    """Play match number ``index``, counted from 0; return the stronger player's seat and the match.

    The seat is None if the players are equal.
    """
    turn, place = divmod(index, CYCLE_LENGTH)
    if place < EQUAL_MATCHES_PER_CYCLE:
        seated = [Player(simulation_level(BASE_SIMULATIONS), seed * 1000 + seat) for seat in range(seats)]
        return None, play_match(game, seated, f"{seed}/{index}", OPENING_TURNS, None)
    uneven = turn * (CYCLE_LENGTH - EQUAL_MATCHES_PER_CYCLE) + place - EQUAL_MATCHES_PER_CYCLE
    strong = uneven % seats
    seated = [
        Player(simulation_level(STRONG_SIMULATIONS if s == strong else BASE_SIMULATIONS), seed * 1000 + s)
        for s in range(seats)
    ]
    # The stronger player plays each opening from every seat.
    return strong, play_match(game, seated, f"{seed}/u{uneven // seats}", OPENING_TURNS, None)


def mean_move_count(game: Game, seats: int, seed: int) -> float:
    """Return the mean number of moves to choose from in random matches, or 0 if no move can be made at all."""
    move_counts = []
    for number in range(RANDOM_MATCHES):
        chance = Random(f"{seed}/walk/{number}")
        state = game.start(seats, chance.getrandbits(30))
        for _ in range(MAX_RANDOM_MOVES):
            moves = game.moves(state)
            if not moves:
                break
            move_counts.append(len(moves))
            state, _ = game.apply(state, chance.choice(moves))
    return sum(move_counts) / len(move_counts) if move_counts else 0.0


def summarize(
    seats: int,
    total: int,
    equal_matches: Sequence[PlayedMatch],
    uneven_matches: Sequence[tuple[int, PlayedMatch]],
    choices: float,
) -> GameQuality:
    """Return the results of matches between equal players and of matches with a stronger player.

    There must be at least one match. Each match in ``uneven_matches`` is given with the stronger player's seat.
    ``total`` is the planned number of matches, and ``choices`` the mean number of legal moves.
    """
    played = [*equal_matches, *(played_match for _, played_match in uneven_matches)]
    lengths = [played_match.turns for played_match in played]
    ended = [played_match for played_match in played if played_match.winners is not None]
    shares = tuple(
        wilson_proportion([points_of(equal_match, seat, seats) for equal_match in equal_matches])
        for seat in range(seats)
    )
    strength = (
        wilson_proportion([points_of(played_match, seat, seats) for seat, played_match in uneven_matches])
        if uneven_matches
        else None
    )
    verdict = GameQuality(
        len(played),
        total,
        (sum(lengths) / len(lengths), min(lengths), max(lengths)),
        shares,
        _fraction(played_match.winners == () for played_match in played) if seats > 1 else 0.0,
        _fraction(played_match.reason == DEAD_END_REASON for played_match in played) if seats > 1 else 0.0,
        1 - len(ended) / len(played),
        choices,
        strength,
        (),
    )
    hints = tuple(_suggest(verdict, seats))
    return GameQuality(
        **{**{name: getattr(verdict, name) for name in GameQuality.__slots__}, "suggestions": hints}
    )


def wilson_proportion(credits: Sequence[float]) -> Proportion:
    """Return the mean of ``credits``, numbers from 0 to 1, with its 95% Wilson score interval.

    If ``credits`` is empty, return a mean of 0 and an interval from 0 to 1.
    """
    number = len(credits)
    if not number:
        return Proportion(0.0, 0.0, 1.0)
    mean = sum(credits) / number
    return Proportion(mean, *wilson_interval(mean, number))


def _suggest(quality: GameQuality, seats: int) -> Iterator[str]:
    """Yield the keys of the suggestions in :data:`SUGGESTIONS` that the results call for."""
    fair = 1 / seats
    if quality.dead_ends > MAX_UNFINISHED_SHARE:
        yield "dead"
    if quality.endless > MAX_UNFINISHED_SHARE:
        yield "endless"
    if quality.turns[0] < MIN_TURNS and seats > 1:
        yield "short"
    if quality.turns[0] > MAX_TURNS:
        yield "long"
    if seats > 1 and any(
        seat_share.low > fair + BALANCE_TOLERANCE or seat_share.high < fair - BALANCE_TOLERANCE
        for seat_share in quality.seat_shares
    ):
        yield "balance"
    if quality.draws - quality.dead_ends > MAX_DRAW_SHARE:
        yield "draws"
    if quality.choices < MIN_CHOICES:
        yield "narrow"
    if quality.choices > MAX_CHOICES:
        yield "wide"
    aim = fair + (1 - fair) * (MIN_STRONGER_SHARE - 0.5) / 0.5
    if seats > 1 and quality.stronger_share is not None and quality.stronger_share.high < aim:
        yield "skill"
    if seats == 1 and quality.games >= 2 * CYCLE_LENGTH and quality.stronger_share is not None:
        if quality.stronger_share.value == 0 and quality.seat_shares[0].value == 0:
            yield "hopeless"
        elif quality.stronger_share.value == quality.seat_shares[0].value == 1:
            yield "sure"


def points_of(match: PlayedMatch, seat: int, seats: int) -> float:
    """Return a seat's score in a match, from 0 to 1.

    A match is worth one point, which is split equally among the winners. If there are no winners, because the match was
    drawn, lost by everybody or abandoned, the point is split among all ``seats`` players. In a solo game, a match
    without a win counts as 0.
    """
    if match.winners:
        return 1 / len(match.winners) if seat in match.winners else 0.0
    return 1 / seats if seats > 1 else 0.0


def simulation_level(simulations: int) -> Level:
    """Return a level that runs the given number of simulations for each move.

    Its players draw their moves at random, favouring the most visited ones, so that matches differ.
    """
    return Level(0, "judge", "", simulations, temperature=0.4)


def _fraction(values: Iterator[bool] | Sequence[bool]) -> float:
    listed = list(values)
    return sum(listed) / max(1, len(listed))


def _round(value: float) -> float:
    return round(value, 3)
