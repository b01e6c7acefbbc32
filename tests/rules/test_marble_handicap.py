"""Handicaps: more or fewer marbles at the start; records contain only the resulting deal."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.record import parse
from shibumi3d.rules.marbles import handicap
from shibumi3d.search.players import Budget, player

GAMES = load_catalogue()


def test_handicap_moves_marbles_between_box_and_reserve() -> None:
    game = GAMES.get(
        "sploof"
    ).game()  # two in reserve, and 14 of each in the box; 16 reds before the edge is filled
    facts = game.facts(2)
    more = handicap.parse_handicap("2+BB", facts)
    assert more == ((0,), (2,))
    dealt = handicap.make_deal(more, facts)
    assert dealt == {"reserve": ("WW", "BBBB"), "box": "W" * 14 + "B" * 12 + "R" * 16}
    assert handicap.handicap_from_deal(dealt, facts) == more
    assert handicap.format_handicap(more, facts) == "2+BB"
    # A player who changes seats keeps the handicap, in the colour of the new seat.
    assert handicap.make_deal(more[::-1], facts)["reserve"] == ("WWWW", "BB")
    assert handicap.make_deal(handicap.zero_handicap(facts), facts) == {}


def test_handicap_gives_removed_marbles_to_other_seat() -> None:
    facts = GAMES.get("sp-kapow").game().facts(2)  # a red bomb each, and none in the box
    assert handicap.make_deal(handicap.parse_handicap("1-R,2+R", facts), facts) == {"bomb": ("", "RR")}
    for text, why in (
        ("2+R", "the supply"),
        ("1-RR", "takes away more"),
        ("1+W", "no 'W'"),
        ("3+R", "write one like"),
    ):
        with pytest.raises(ValueError, match=why):
            handicap.parse_handicap(text, facts)


def test_only_games_with_open_stocks_allow_handicap() -> None:
    able = {
        entry.id
        for entry in GAMES
        if entry.players[1] > 1
        and handicap.handicap_stock(entry.game().facts(max(2, entry.players[0]))) is not None
    }
    assert able == {"sp-kapow", "spack", "sploof", "spred"}
    with pytest.raises(ValueError, match="can't be played with a marble handicap"):
        handicap.parse_handicap("1+W", GAMES.get("spline").game().facts(2))


def test_handicap_match_is_saved_and_replayed() -> None:
    game = GAMES.get("spred").game()
    facts = game.facts(2)
    match = Match(
        game, ["Ann", "Ben"], 1, deal=handicap.make_deal(handicap.parse_handicap("1-RR", facts), facts)
    )
    thinker = player("pebble", 1)
    for _ in range(4):
        match.play(thinker.choose(game, game.observe(match.state, match.state.to_move), Budget(10)).move)
    text = match.record().to_text()
    assert text.startswith("shibumi3d: 1\n"), "older versions of the program read it too"
    assert "deal: {hand: [RRRRRR, RRRRRRRR], box: W" in text
    assert Match.from_record(parse(text), game).state == match.state
