"""Playout settings: whether playouts run to the end, or are cut and judged by the score lead.

If the lead at half time predicts the winner, cutting playouts short is far better; if not, it is often far
worse. The correlation between lead and result is therefore measured in random matches. For the games in the catalogue,
``python -m tools.switches`` does this and writes ``switches.txt``; other games are measured when they are first
searched.

In some games, cutting helps even though the correlation is low. For two-player games with perfect information, the
command therefore also plays matches between players that cut playouts and players that do not. Their result overrides
the correlation.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import median
from typing import NamedTuple

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engines import get_engine

SAMPLE_MATCHES = 120
"""Number of random matches used for a measurement."""
MAX_SAMPLE_TURNS = 300
"""Maximum length of a random match, in turns."""
MIN_CUT_CORRELATION = 0.25
"""Minimum correlation between the lead at half time and the result for playouts to be cut."""
MIN_PLAYOUT_TURNS, MAX_PLAYOUT_TURNS = 3, 8
"""Bounds on the number of turns after which playouts are cut.

The number is normally a quarter of the length of a match.
"""
EARLY_CUT_TURNS = 4
"""Number of turns after which cutting is also tried, if playouts would normally be cut later."""
SETTINGS_FILE = "switches.txt"
SETTINGS_CACHE_KEY = "switches"
"""First item of the cache keys for a game's playout settings."""


class PlayoutSettings(NamedTuple):
    """Playout settings of a game.

    ``playout_turns`` is the number of turns after which a playout is cut, that is, ended and judged by the lead; 0
    means never. ``score_scale`` is the unit of the lead: a lead is divided by it before the logistic function converts
    it into a result. A playout that is not cut is stopped after ``max_playout_turns`` turns; it then counts as a draw
    or, in a solo game played for a score, is valued by the score reached. ``lead_correlation`` is the correlation
    between lead and result. ``cut_players_share`` comes from matches between players that cut playouts and players that
    don't: it is the share of all points won by the former, or negative if no such matches were played.
    """

    playout_turns: int = 0
    score_scale: float = 1.0
    max_playout_turns: int = 400
    lead_correlation: float = 0.0
    cut_players_share: float = -1.0

    def format_line(self, name: str) -> str:
        """Return the settings as a line of ``switches.txt``; ``name`` is the game's :func:`settings_key`."""
        share = "-" if self.cut_players_share < 0 else f"{self.cut_players_share:.2f}"
        limits = f"{self.playout_turns} {self.score_scale:g} {self.max_playout_turns}"
        return f"{name} {limits} {self.lead_correlation:.2f} {share}"

    @property
    def candidate_playout_turns(self) -> tuple[int, ...]:
        """Values of ``playout_turns`` that are worth trying, in ascending order.

        One value is about a quarter of the turns of a match, but at least :data:`MIN_PLAYOUT_TURNS` and at most
        :data:`MAX_PLAYOUT_TURNS`. If this value is greater than :data:`EARLY_CUT_TURNS`, the result also contains
        :data:`EARLY_CUT_TURNS`.
        """
        usual = min(MAX_PLAYOUT_TURNS, max(MIN_PLAYOUT_TURNS, self.max_playout_turns // 16))
        return tuple(sorted({usual, min(usual, EARLY_CUT_TURNS)}))


def settings_key(game: BasicGame, seats: int) -> str:
    """Return the name under which ``switches.txt`` lists a game: its id, size, variant and number of seats."""
    return f"{game.id}/{game.size}/{game.variant.replace(' ', '-') or '-'}/{seats}"


def parse_settings_line(line: str) -> tuple[str, PlayoutSettings]:
    """Parse a line of ``switches.txt`` into the :func:`settings_key` of a game and its settings.

    Raises ValueError if the line is malformed.
    """
    name, turns, scale, max_turns, correlation, share = line.split()
    cut_players_share = -1.0 if share == "-" else float(share)
    return name, PlayoutSettings(
        int(turns), float(scale), int(max_turns), float(correlation), cut_players_share
    )


@cache
def stored_settings() -> dict[str, PlayoutSettings]:
    """Return the settings stored in ``switches.txt``, keyed by :func:`settings_key`."""
    text = (files("shibumi3d.rules.marbles.search") / SETTINGS_FILE).read_text(encoding="utf-8")
    return dict(map(parse_settings_line, text.splitlines()))


def get_playout_settings(game: BasicGame, seats: int) -> PlayoutSettings:
    """Return the playout settings of a game, measuring them if they are not stored."""
    playout_settings: PlayoutSettings | None = game.cache.get(
        (SETTINGS_CACHE_KEY, seats)
    ) or stored_settings().get(settings_key(game, seats))
    if playout_settings is None:
        playout_settings = measure_playout_settings(game, seats)
    game.cache[SETTINGS_CACHE_KEY, seats] = playout_settings
    return playout_settings


def set_playout_settings(game: BasicGame, seats: int, settings: PlayoutSettings) -> None:
    """Set the playout settings that ``game`` uses when it is played with ``seats`` seats."""
    game.cache[SETTINGS_CACHE_KEY, seats] = settings


def measure_playout_settings(game: BasicGame, seats: int) -> PlayoutSettings:
    """Measure the playout settings of a game in random matches, and return them.

    In each match that ends, each seat's lead over the best other seat is measured at half time, rounded down to a
    multiple of ``seats`` turns. Playouts are cut if the correlation between these leads and the results is at least
    :data:`MIN_CUT_CORRELATION`. Solo and cooperative games, series and games in which a RuleFailure is raised get the
    default settings. So do games without scores if the first match ends and all its ranking values (see
    :func:`.ranking_values`) are 0. The result is the same on every machine.
    """
    facts = game.facts(seats)
    if seats < 2 or facts.solver or facts.is_series:
        return PlayoutSettings()
    fast, engine = game.make_fast_game(seats, 9), get_engine(game.size)
    leads: list[float] = []
    shares: list[float] = []
    lengths: list[int] = []
    start = game.start(seats, 1)
    for number in range(SAMPLE_MATCHES):
        fast.load(start, number)
        after: list[list[int]] = []
        try:
            while fast.result() is None and len(after) < MAX_SAMPLE_TURNS:
                if fast.machine.turn >= len(after):
                    after.append(engine.ranking_values(fast.machine))
                fast.make(fast.random_move())
        except RuleFailure:
            return PlayoutSettings()
        lengths.append(len(after))
        result = fast.result()
        if result is None:
            continue
        if not number and not (facts.has_scores or any(map(any, after))):
            return PlayoutSettings()
        won = [seat for seat in range(seats) if result.winners >> seat & 1] or list(range(seats))
        scores = after[len(after) // 2 // seats * seats]
        for seat in range(seats):
            leads.append(scores[seat] - max(score for other, score in enumerate(scores) if other != seat))
            shares.append(1 / len(won) if seat in won else 0.0)
    middle = round(median(lengths))
    lead_correlation = correlation(leads, shares)
    limit = max(40, 4 * middle)
    scale = sqrt(sum(lead * lead for lead in leads) / max(1, len(leads))) / 2 or 1.0
    settings = PlayoutSettings(0, round(scale, 3), limit, lead_correlation)
    return (
        settings
        if lead_correlation < MIN_CUT_CORRELATION
        else settings._replace(playout_turns=settings.candidate_playout_turns[-1])
    )


def correlation(a: list[float], b: list[float]) -> float:
    """Return Pearson's correlation coefficient of two lists of the same length.

    The result is 0 if they have fewer than two values, or if the product of their computed variances is 0. Because of
    rounding errors, the computed variance of a constant list of fractions, such as [0.1, 0.1, 0.1], may differ from 0.
    """
    if len(a) < 2:
        return 0.0
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    variance_product = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / sqrt(variance_product) if variance_product else 0.0
