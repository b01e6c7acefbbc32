"""Quality measures of a game, calculated from matches between computer players.

They cover length, balance, draws, dead ends, the number of legal moves, and whether the stronger player wins. A poor
result comes with a suggestion of what to change.

Some matches are played between equal players, which shows how balanced the seats are. In others, one player runs more
simulations than the rest, which shows whether looking ahead pays off. The same seed gives the same matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from shibumi3d.i18n import N_, Message
from shibumi3d.rules.game import DEAD_END, Game
from shibumi3d.search.arena import Fought, match
from shibumi3d.search.levels import Level
from shibumi3d.search.players import Player
from shibumi3d.search.worker import bound_memory, hurried, tell

JUDGE_TEXTS = {
    "dead": N_(
        "Some matches get stuck: nobody can move and no end rule applies. Add one with 'when: "
        "stuck' or 'when: not able(everyone)'."
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
        "Many matches are draws: say who wins a tie ('tie'), or compare one more thing ('most' with a list)."
    ),
    "narrow": N_(
        "There is hardly anything to choose: offer a second action ('choose'), or more points ('at', 'to')."
    ),
    "wide": N_(
        "There is too much to choose from: narrow it down ('at', 'to'), or split the choice into two steps."
    ),
    "skill": N_(
        "Looking ahead hardly helps: reduce the role of chance ('draw', 'deal'), or add a goal "
        "that takes several turns to reach."
    ),
    "hopeless": N_("It was never solved: make the goal easier, or offer more actions."),
    "sure": N_("It was always solved: make the goal harder, or offer fewer actions."),
}

GAMES = 500
LOOKS, MORE = 12, 96
"""Simulations for each move: the numbers of equal players and of the stronger player."""
OPENING = 2
"""Number of random turns at the start, so that matches differ from each other."""
WALKS = 20
"""Number of random matches in which legal moves are counted."""
STEPS = 400
"""Number of moves after which a random match is abandoned."""
EVERY = 5
"""Length of a cycle of matches.

The first ``EQUALS`` matches of a cycle are between equal players; in the rest, one player is stronger.
"""
EQUALS = 3
Z = 1.96
"""Standard score of a two-sided 95 % confidence interval."""

SHORT, LONG = 6, 150
"""Numbers of turns below and above which matches are too short or too long."""
EVEN = 0.08
"""Tolerated difference between a seat's share of wins and its fair share."""
DRAWN = 0.35
LOST = 0.02
"""Tolerated fraction of matches that reach a dead end, and of matches that do not end."""
NARROW, WIDE = 2.5, 150.0
"""Average numbers of legal moves below and above which there is too little or too much choice."""
SKILL = 0.6
"""Share of wins that the stronger player should have in a two-player game."""

HINTS = {
    key: Message(JUDGE_TEXTS[key])
    for key in (
        "dead", "endless", "short", "long", "balance", "draws", "narrow", "wide", "skill", "hopeless", "sure",
    )
}  # fmt: skip
"""Suggested changes, by kind of problem."""


@dataclass(frozen=True, slots=True)
class Portion:
    """A fraction of all matches, with its 95 % confidence interval."""

    part: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """Results of the first ``games`` of ``wanted`` matches.

    ``turns`` contains the mean, minimum and maximum length of a match. ``seats`` is each seat's share of all wins among
    equal players; in a solo game, it is how often the game was solved. ``draws`` is the fraction of matches without a
    winner, ``dead`` the fraction that reached a dead end, and ``endless`` the fraction that were abandoned. ``choices``
    is the mean number of legal moves. ``stronger`` is the stronger player's share of wins; in a solo game, it is how
    often that player solved it. ``hints`` contains keys of :data:`HINTS`.
    """

    games: int
    wanted: int
    turns: tuple[float, int, int]
    seats: tuple[Portion, ...]
    draws: float
    dead: float
    endless: float
    choices: float
    stronger: Portion | None
    hints: tuple[str, ...]

    def plain(self) -> dict[str, object]:
        """Return the results as values that JSON can represent."""

        def told(share: Portion) -> dict[str, float]:
            return {"share": _r(share.part), "least": _r(share.least), "most": _r(share.most)}

        return {
            "games": self.games,
            "turns": {"mean": _r(self.turns[0]), "least": self.turns[1], "most": self.turns[2]},
            "seats": [told(share) for share in self.seats],
            "draws": _r(self.draws),
            "dead ends": _r(self.dead),
            "endless": _r(self.endless),
            "choices": _r(self.choices),
            "stronger": told(self.stronger) if self.stronger is not None else None,
            "hints": {key: str(HINTS[key]) for key in self.hints},
        }


def judge(game: Game, seats: int, games: int = GAMES, seed: int = 0) -> Judgement | None:
    """Evaluate a game inside a worker process, reporting intermediate results.

    If asked to hurry, return the results so far, or None if there are none.
    """
    bound_memory()
    verdict = None
    for verdict in verdicts(game, seats, games, seed):
        tell(verdict)
        if hurried():
            break
    return verdict


def verdicts(game: Game, seats: int, games: int = GAMES, seed: int = 0) -> Iterator[Judgement]:
    """Play one match after another; after each one, yield the results so far."""
    choices = choices_of(game, seats, seed)
    equals: list[Fought] = []
    uneven: list[tuple[int, Fought]] = []
    for number in range(games):
        strong, fought = judged(game, seats, number, seed)
        if strong is None:
            equals.append(fought)
        else:
            uneven.append((strong, fought))
        yield summed_up(seats, games, equals, uneven, choices)


def judged(game: Game, seats: int, number: int, seed: int) -> tuple[int | None, Fought]:
    """Play match number ``number``; return the stronger player's seat and the match.

    The seat is None if the players are equal.
    """
    turn, place = divmod(number, EVERY)
    if place < EQUALS:
        seated = [Player(looking(LOOKS), seed * 1000 + seat) for seat in range(seats)]
        return None, match(game, seated, f"{seed}/{number}", OPENING, None)
    uneven = turn * (EVERY - EQUALS) + place - EQUALS
    strong = uneven % seats
    seated = [Player(looking(MORE if s == strong else LOOKS), seed * 1000 + s) for s in range(seats)]
    # The stronger player plays each opening from every seat.
    return strong, match(game, seated, f"{seed}/u{uneven // seats}", OPENING, None)


def choices_of(game: Game, seats: int, seed: int) -> float:
    """Return the average number of legal moves in random matches."""
    found = []
    for number in range(WALKS):
        chance = Random(f"{seed}/walk/{number}")
        state = game.start(seats, chance.getrandbits(30))
        for _ in range(STEPS):
            moves = game.moves(state)
            if not moves:
                break
            found.append(len(moves))
            state, _ = game.apply(state, chance.choice(moves))
    return sum(found) / len(found) if found else 0.0


def summed_up(
    seats: int,
    wanted: int,
    equals: Sequence[Fought],
    uneven: Sequence[tuple[int, Fought]],
    choices: float,
) -> Judgement:
    """Return the results of matches between equal players and of matches with a stronger player.

    Each match in ``uneven`` is given with the stronger player's seat.
    """
    played = [*equals, *(one for _, one in uneven)]
    lengths = [one.turns for one in played]
    ended = [one for one in played if one.winners is not None]
    shares = tuple(share([credit(one, seat, seats) for one in equals]) for seat in range(seats))
    strength = share([credit(one, seat, seats) for seat, one in uneven]) if uneven else None
    verdict = Judgement(
        len(played),
        wanted,
        (sum(lengths) / len(lengths), min(lengths), max(lengths)),
        shares,
        _part(one.winners == () for one in played) if seats > 1 else 0.0,
        _part(one.reason == DEAD_END for one in played) if seats > 1 else 0.0,
        1 - len(ended) / len(played),
        choices,
        strength,
        (),
    )
    hints = tuple(_hints(verdict, seats))
    return Judgement(**{**{name: getattr(verdict, name) for name in Judgement.__slots__}, "hints": hints})


def share(credits: Sequence[float]) -> Portion:
    """Return the mean of numbers from 0 to 1, with its Wilson score interval."""
    number = len(credits)
    if not number:
        return Portion(0.0, 0.0, 1.0)
    mean = sum(credits) / number
    middle = (mean + Z * Z / (2 * number)) / (1 + Z * Z / number)
    reach = Z * sqrt(mean * (1 - mean) / number + Z * Z / (4 * number * number)) / (1 + Z * Z / number)
    return Portion(mean, max(0.0, middle - reach), min(1.0, middle + reach))


def _hints(found: Judgement, seats: int) -> Iterator[str]:
    """Yield the kinds of problem that the results reveal."""
    fair = 1 / seats
    if found.dead > LOST:
        yield "dead"
    if found.endless > LOST:
        yield "endless"
    if found.turns[0] < SHORT and seats > 1:
        yield "short"
    if found.turns[0] > LONG:
        yield "long"
    if seats > 1 and any(one.least > fair + EVEN or one.most < fair - EVEN for one in found.seats):
        yield "balance"
    if found.draws - found.dead > DRAWN:
        yield "draws"
    if found.choices < NARROW:
        yield "narrow"
    if found.choices > WIDE:
        yield "wide"
    aim = fair + (1 - fair) * (SKILL - 0.5) / 0.5
    if seats > 1 and found.stronger is not None and found.stronger.most < aim:
        yield "skill"
    if seats == 1 and found.games >= 2 * EVERY and found.stronger is not None:
        if found.stronger.part == 0 and found.seats[0].part == 0:
            yield "hopeless"
        elif found.stronger.part == found.seats[0].part == 1:
            yield "sure"


def credit(fought: Fought, seat: int, seats: int) -> float:
    """Return a seat's result in a match, from 0 to 1.

    A draw is divided equally among all players; in a solo game, it counts as 0.
    """
    if fought.winners:
        return 1 / len(fought.winners) if seat in fought.winners else 0.0
    return 1 / seats if seats > 1 else 0.0


def looking(ways: int) -> Level:
    """Return a level with the given number of simulations.

    Its choice varies between moves of about the same value.
    """
    return Level(0, "judge", "", ways, warmth=0.4)


def _part(found: Iterator[bool] | Sequence[bool]) -> float:
    """Return the fraction of the values that are true."""
    listed = list(found)
    return sum(listed) / max(1, len(listed))


def _r(number: float) -> float:
    return round(number, 3)
