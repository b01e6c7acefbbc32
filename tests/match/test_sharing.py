"""Matches and challenges as links: decoding gives what was sent; invalid links and matches with secrets are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.problems import games_with_problems, load_problems
from shibumi3d.match import sharing
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.match import Match
from shibumi3d.match.record import Record
from shibumi3d.match.sharing import (
    CHALLENGE_FORMAT,
    MATCH_FORMAT,
    PROBLEM_FORMAT,
    Challenge,
    Comparison,
    ProblemChallenge,
    ProblemResult,
    ResultToBeat,
    SharingError,
    challenge_key,
    compare,
    decode,
    encode_challenge,
    encode_match,
    encode_problem,
    find_link,
    is_same_match,
    match_challenge_key,
)

CATALOGUE = load_catalogue()
MAX_CHAT_CHARACTERS = 500
"""Maximum length of a message, in characters: Mastodon's limit, which is far below those of chat programs."""


def new_match(
    game: str, names: Sequence[str] = ("Ann", "Ben"), moves: Sequence[str] = (), seed: int = 7
) -> Match:
    match = Match(CATALOGUE.get(game).game(), names, seed)
    for move in moves:
        match.play(move)
    return match


def play_at_random(match: Match, seed: int = 1) -> None:
    random = Random(seed)
    while match.state.to_move is not None:
        match.play(random.choice(match.legal_moves()))


def record_of(link: str) -> Record:
    received = decode(link)
    assert isinstance(received, Record)
    return received


@pytest.mark.parametrize("game", ["spline", "spargo", "splush", "spin", "hyena-spiral", "spair"])
def test_finished_match_arrives_as_it_was_sent(game: str) -> None:
    entry = CATALOGUE.get(game)
    match = new_match(game, ["Ann", "Zoë"][: entry.players[1]] if entry.players[0] < 3 else ["A", "B", "C"])
    play_at_random(match)
    link = encode_match(match)
    assert link.startswith("shibumi3d:match:1:")
    again = Match.from_record(record_of(link), entry.game())
    assert again.record() == match.record()
    assert again.state == match.state


def test_link_to_a_whole_match_fits_in_a_chat_message() -> None:
    match = new_match("spline")
    play_at_random(match)
    assert len(match.record().turns) > 10
    assert len(encode_match(match)) <= MAX_CHAT_CHARACTERS


def test_link_is_found_within_a_message_and_across_line_breaks() -> None:
    link = encode_match(new_match("spline", moves=["W@Aa1"]))
    assert find_link(f"My turn!\n{link}") == link
    broken = "\n".join(link[i : i + 40] for i in range(0, len(link), 40))
    assert record_of(find_link(f"My turn: {broken}")) == record_of(link)
    assert find_link("shibumi3d: 1\ngame: spline\n") == ""
    assert find_link("shibumi3d-game:1:000000000000:eJwDAAAAAAE") == ""


@pytest.mark.parametrize("moves", [["W@Aa1"], ["W@Aa1", "B@Ab1"], ["W@Aa1", "B@Ab1", "W@Ac1", "B@Ac3"]])
def test_link_survives_what_chats_and_mail_programs_do_to_it(moves: list[str]) -> None:
    link = encode_match(new_match("spline", moves=moves))
    lines = [link[i : i + 40] for i in range(0, len(link), 40)]
    for message in (
        *(
            f"{link}{ending}"
            for ending in (".", ")", "!", "…", " your turn", "\nYours\n-- \nAnn", "\n14:32 a", " b")
        ),
        *(f"{before}{link}{after}" for before, after in ("()", "<>", "“”", ("**", "**"), ("`", "`"))),
        "\r\n".join(lines),
        "=\n".join(lines),
        "\n".join(f"> {line}" for line in lines),
        "\n".join(f">> {line}" for line in lines) + "\n> Your turn!\n",
        "\u200b".join(lines),
        "\u00ad\n".join(lines),
        f"{link}\n{link}",
        link.replace("shibumi3d:", "shibumi3d://"),
    ):
        assert record_of(find_link(message)) == record_of(link), message


def test_clocks_hints_and_undone_turns_are_not_sent() -> None:
    entry = CATALOGUE.get("spline")
    match = Match(entry.game(), ["Ann", "Ben"], 7, time_limit=TimeLimit.parse("10"))
    for move in ("W@Aa1", "B@Ab1", "W@Ac1"):
        match.play(move)
    match.hints[0] = 2
    match.undo_turn()
    received = record_of(encode_match(match))
    assert received.turns == (("W@Aa1",), ("B@Ab1",))
    assert (received.time_limit, received.hints, received.undone) == (None, (), ())


@pytest.mark.parametrize("game", ["arcanoid", "golden-spiral", "springe"])
def test_game_with_secrets_is_refused(game: str) -> None:
    entry = CATALOGUE.get(game)
    match = new_match(game, ["A", "B", "C", "D"][: max(2, entry.players[0])])
    assert match.game.facts(len(match.seats)).has_secrets
    with pytest.raises(SharingError, match="this game has secrets"):
        encode_match(match)


def test_match_that_no_link_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match("spline", moves=["W@Aa1", "B@Ab1"])
    size = len(record_of(encode_match(match)).to_text())
    monkeypatch.setattr(sharing, "MAX_SHARED_BYTES", size)
    encode_match(match)
    match.play("W@Ac1")
    with pytest.raises(SharingError, match="too long for a link"):
        encode_match(match)


def test_unfinished_turn_is_refused() -> None:
    """In Spline+, a turn may move a marble in two steps; here it has been picked up but not put down yet."""
    match = new_match("spline-plus", moves=["W@Ab1", "B@Ac1", "W@Ad1", "B@Aa3", "^Ad1"])
    with pytest.raises(SharingError, match="the turn isn't finished yet"):
        encode_match(match)


def test_changed_or_missing_character_is_noticed() -> None:
    link = encode_match(new_match("spline", moves=["W@Aa1", "B@Ab1"]))
    whole = record_of(link)
    for place in range(len(MATCH_FORMAT.prefix), len(link)):
        other = "b" if link[place] != "b" else "c"
        for spoilt in (link[:place] + other + link[place + 1 :], link[:place] + link[place + 1 :]):
            try:
                found = decode(spoilt)
            except SharingError:
                continue
            assert found == whole  # only the bits of the last character that base 64 doesn't use were touched


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the link is not a saved Shibumi 3D game"),
        ("shibumi3d: 9\n", "written by a newer version"),
        (
            "shibumi3d: 1\ngame: spline\nfile: /etc/passwd\nsize: 4\nseats: [A, B]\nseed: 1\nmoves: []\n",
            "refers to a game file",
        ),
    ],
)
def test_false_match_is_refused(text: str, reason: str) -> None:
    with pytest.raises(SharingError, match=reason):
        decode(MATCH_FORMAT.pack(text))


@pytest.mark.parametrize(
    "result",
    [
        "",
        "[]",
        "{}",
        '{"name": "", "won": true, "score": 1, "turns": 3}',
        '{"name": "Ann", "won": 1, "score": 1, "turns": 3}',
        '{"name": "Ann", "won": true, "score": -1, "turns": 3}',
        '{"name": "Ann", "won": true, "score": 1.5, "turns": 3}',
        '{"name": "Ann", "won": true, "score": true, "turns": 3}',
        '{"name": "Ann", "won": true, "score": 1, "turns": 1e400}',
        "[" * 100_000,
        f'{{"name": "{"A" * 200}", "won": true, "score": 1, "turns": 3}}',
    ],
)
def test_false_result_to_beat_is_refused(result: str) -> None:
    text = "shibumi3d: 1\ngame: spuzzle\nsize: 4\nseats: [A]\nseed: 1\nmoves: []\n"
    with pytest.raises(SharingError, match=r"incomplete or has been changed|too long"):
        decode(CHALLENGE_FORMAT.pack(f"{result}\n{text}"))


def test_challenge_holds_the_deal_and_the_result_but_not_the_turns() -> None:
    match = new_match("spuzzle", ["Ann"])
    play_at_random(match)
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    received = decode(encode_challenge(match))
    assert isinstance(received, Challenge)
    assert received.result == ResultToBeat("Ann", True, outcome.scores[0], len(match.record().turns))
    assert (received.record.turns, received.record.result) == ((), None)
    assert (received.record.game, received.record.seed, received.record.deal) == ("spuzzle", 7, match.deal)


def test_moves_of_the_deal_stay_in_the_challenge() -> None:
    match = new_match("spuzzle", ["Ann"])
    play_at_random(match)
    received = decode(encode_challenge(match, lead=2))
    assert isinstance(received, Challenge)
    assert [move for turn in received.record.turns for move in turn] == [ply.move for ply in match.plies[:2]]


def test_challenge_is_recognised_whoever_plays_it() -> None:
    match = new_match("spuzzle", ["Ann"])
    play_at_random(match)
    received = decode(encode_challenge(match))
    assert isinstance(received, Challenge)
    mine = new_match("spuzzle", ["Ben"])
    assert match_challenge_key(mine, 0) == challenge_key(received.record)
    assert match_challenge_key(new_match("spuzzle", ["Ben"], seed=8), 0) != challenge_key(received.record)


def test_long_name_in_a_challenge_is_truncated() -> None:
    match = new_match("spuzzle", ["A" * 101])
    play_at_random(match)
    received = decode(encode_challenge(match))
    assert isinstance(received, Challenge)
    assert received.result.name == "A" * 100


def test_match_from_a_given_state_is_no_challenge() -> None:
    match = Match(CATALOGUE.get("spuzzle").game(), ["Ann"], state=new_match("spuzzle", ["Ann"]).state)
    assert match_challenge_key(match, 0) == ""
    play_at_random(match)
    with pytest.raises(SharingError, match="didn't start from the beginning"):
        encode_challenge(match)


def test_only_a_finished_solo_game_is_a_challenge() -> None:
    two = new_match("spline")
    play_at_random(two)
    for match in (two, new_match("spuzzle", ["Ann"])):
        with pytest.raises(SharingError, match="only a finished solo game"):
            encode_challenge(match)


@pytest.mark.parametrize(
    ("received", "own", "expected"),
    [
        (["a", "b"], ["a", "b"], Comparison("same", 2)),
        (["a", "b", "c"], ["a", "b"], Comparison("newer", 2)),
        (["a"], ["a", "b", "c"], Comparison("older", 1)),
        (["a", "x"], ["a", "b", "c"], Comparison("fork", 1)),
        (["x", "b", "c"], ["a", "b"], Comparison("fork", 0)),
    ],
)
def test_received_match_is_compared_turn_by_turn(
    received: list[str], own: list[str], expected: Comparison
) -> None:
    record = new_match("spline").record()
    theirs, ours = (replace(record, turns=tuple((turn,) for turn in turns)) for turns in (received, own))
    assert compare(theirs, ours) == expected
    assert is_same_match(theirs, ours)


@pytest.mark.parametrize(
    "change", [{"seed": 8}, {"seats": ("Ann", "Cy")}, {"has_swap_rule": True}, {"size": 5}]
)
def test_match_with_another_start_is_another_match(change: dict[str, object]) -> None:
    record = new_match("spline").record()
    assert not is_same_match(record, replace(record, **change))  # type: ignore[arg-type]


def test_own_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "title: Mine\nturn: {place: own}\nend: [{when: stuck, lose: mover}]\n", encoding="utf-8"
    )
    catalogue = load_catalogue(tmp_path)
    match = Match(catalogue.get("mine").game(), ["Ann", "Ben"], 1)
    with pytest.raises(SharingError, match="this game isn't built in"):
        encode_match(match)


@pytest.mark.parametrize("game", games_with_problems()[::7])
def test_problem_arrives_with_its_result_in_a_chat_message(game: str) -> None:
    problem = load_problems(game)[0]
    result = ProblemResult("Zoë", "failed", 3, 75)
    link = encode_problem(problem, result)
    assert find_link(f"Try this! {link}") == link
    assert len(link) <= 2 * MAX_CHAT_CHARACTERS
    assert decode(link) == ProblemChallenge(replace(problem, id=1), result)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"name": "Ann", "outcome": "great", "tries": 1, "seconds": 1}\nROW',
        '{"name": "", "outcome": "", "tries": 0, "seconds": 0}\nROW',
        '{"name": "Ann", "outcome": "", "tries": -1, "seconds": 0}\nROW',
        '{"name": "Ann", "outcome": "", "tries": 0, "seconds": 0}\n',
        '{"name": "Ann", "outcome": "", "tries": 0, "seconds": 0}\n{id: 1}',
        '{"name": "Ann", "outcome": "", "tries": 0, "seconds": 0}\nROW\n  - ROW',
        '{"name": "Ann", "outcome": "", "tries": 0, "seconds": 0}\n*ROW',
    ],
)
def test_false_problem_is_refused(text: str) -> None:
    row = load_problems("spline")[0].to_row(include_game=True)
    with pytest.raises(SharingError, match="incomplete or has been changed"):
        decode(PROBLEM_FORMAT.pack(text.replace("ROW", row)))
