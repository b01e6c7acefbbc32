"""Ladder files of solo games: they can be read back, invalid ones are refused, and levels match the measured wins."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.problems import rules_hash
from shibumi3d.catalogue.solo import (
    DEALS_PER_LEVEL,
    LEVELS,
    SoloDeal,
    format_ladder_file,
    games_with_ladder,
    load_ladder,
    parse_ladder_file,
)
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.game import Position

SOLO_GAMES = ("spalone", "spin", "spoff", "sprout", "spruit", "spuzzle")
ROW = '{id: 1, level: 1, seed: 5, won: {random: 20}, only: 2, line: "Aa1 xAa4, Aa1 xAd1", work: 9}'


def read(row: str) -> tuple[SoloDeal, ...]:
    return parse_ladder_file(f"rules: abc\ndeals:\n  - {row}\n".encode(), "ladder.yaml", "spoff")


def test_deal_row_round_trips() -> None:
    given = SoloDeal(
        game="spuzzle",
        id=7,
        level=4,
        line=(("W@Aa1",), ("B@Ab1", "done")),
        seed=3,
        size=3,
        variant="two colours",
        position=Position(("W..,...,.../..,../.",), 0, 0, {"hand": ("WB",)}),
        moves=(("R@Ac1",),),
        best=-4,
        won={"random": 0, "pebble": 25, "river": 100},
        only=2,
        work=120,
        rules="0e1234567890",
    )
    text = format_ladder_file(given.rules, [given])
    assert parse_ladder_file(text.encode(), "ladder.yaml", "spuzzle") == (given,)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("level: 1", "level: 6", "level"),
        ("random: 20", "gravel: 20", "gravel"),
        ('line: "Aa1 xAa4, Aa1 xAd1", ', "", "line"),
        ("random: 20", "random: 101", "random"),
    ],
)
def test_invalid_deal_is_refused(old: str, new: str, said: str) -> None:
    assert read(ROW)[0].won == {"random": 20}
    with pytest.raises(GameFileError, match=said):
        read(ROW.replace(old, new))


def test_every_solo_game_has_a_ladder_of_current_deals() -> None:
    assert set(SOLO_GAMES) == set(games_with_ladder())
    for name in SOLO_GAMES:
        deals = load_ladder(name)
        assert deals, name
        assert {deal.rules for deal in deals} == {rules_hash(load_catalogue().get(name))}
        assert len({deal.id for deal in deals}) == len(deals)
        for level in LEVELS:
            assert 0 < sum(deal.level == level for deal in deals) <= DEALS_PER_LEVEL


def test_level_follows_from_the_measured_wins() -> None:
    """The level of a deal follows from how often three computer players win it.

    They are pebble, stone and river. The first of them that wins at least half of its attempts sets the level: 1, 2 or
    3. If none does, the level is 4 if river wins at least a quarter of its attempts, and otherwise 5.
    """
    for name in SOLO_GAMES:
        for deal in load_ladder(name):
            pebble, stone, river = (deal.won[player] for player in ("pebble", "stone", "river"))
            expected = (
                1 if pebble >= 50 else 2 if stone >= 50 else 3 if river >= 50 else 4 if river >= 25 else 5
            )
            assert deal.level == expected, deal.name


@pytest.mark.parametrize("name", SOLO_GAMES)
def test_line_of_every_deal_leads_to_its_best_result(name: str) -> None:
    entry, starts = load_catalogue().get(name), set()
    for deal in load_ladder(name):
        game = deal.load_game(entry)
        state = deal.start_state(game)
        starts.add(deal.start_key(game))
        for turn in deal.line:
            for move in turn:
                state, _ = game.apply(state, move)
        assert state.result is not None
        assert state.result.winners == (0,), deal.name
        assert deal.best in (None, state.result.scores[0])
    assert len(starts) == len(load_ladder(name)), "no deal is there twice"
