"""The text of records: it reads back as written, and files that aren't records are refused and left unchanged."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shibumi3d.catalogue import catalogue
from shibumi3d.match import record
from shibumi3d.match.history import Seat
from shibumi3d.match.match import Match, game_of_record
from shibumi3d.match.record import Record, RecordedResult, RecordError, format_turn, parse, parse_turn
from shibumi3d.rules.game import Position

SMALL = Record(
    game="spline-plus",
    size=4,
    variant="",
    seats=("Ann", "Ben"),
    seed=7,
    deal={},
    turns=(("W@Aa1",), ("B@Ab1",), ("^Aa1", ">Ac2")),
)
TEXT = """\
shibumi3d: 1
game: spline-plus
size: 4
seats: [Ann, Ben]
seed: 7
moves:
  - W@Aa1
  - B@Ab1
  - ^Aa1 >Ac2
"""


def test_record_text_round_trips() -> None:
    assert SMALL.to_text() == TEXT
    assert parse(TEXT) == SMALL


def test_record_may_omit_size_and_result() -> None:
    """A handwritten file may leave out the result, and also the board size if it is the usual one."""
    short = "shibumi3d: 1\ngame: spline\nseats: [Ann, Ben]\nseed: 0\nmoves:\n"
    line = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]
    parsed = parse(short + "".join(f"  - {move}\n" for move in line))
    entry = catalogue.load_catalogue().get("spline")
    match = Match.from_record(parsed, game_of_record(parsed, entry))
    assert (match.game.size, match.state.to_move) == (4, None)
    assert match.record().result == RecordedResult((0,), (0, 0), "full line")
    assert "size: 4\n" in match.record().to_text()


def test_numeric_looking_names_stay_text() -> None:
    """Players' names and the game's id stay text even if YAML would read them as numbers or booleans.

    The seed, however, is a number. Null, lists and mappings are refused as names.
    """
    parsed = parse(TEXT.replace("[Ann, Ben]", "[08, +5, 1.50, true, 0x1A, 1e3, 007]"))
    assert parsed.seats == ("08", "+5", "1.50", "true", "0x1A", "1e3", "007")
    assert parse(parsed.to_text()).seats == parsed.seats
    assert parse(TEXT.replace("game: spline-plus", "game: 007")).game == "007"
    assert parse(TEXT.replace("seed: 7", "seed: 007")).seed == 7
    for nothing in ("~", "null", "[a]", "{a: b}"):
        with pytest.raises(RecordError, match="line 4: seats: expected a list of strings"):
            parse(TEXT.replace("[Ann, Ben]", f"[Ann, {nothing}]"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wrong_encoding_is_named_in_error(encoding: str) -> None:
    message = f"m has an error on line 1: the file is {encoding[:6].upper()} text, not UTF-8"
    with pytest.raises(RecordError) as caught:
        parse(TEXT.encode(encoding), "m")
    assert str(caught.value) == message


def test_dos_end_of_file_character_is_ignored() -> None:
    assert parse(TEXT.encode() + b"\x1a", "m") == parse(TEXT, "m")
    assert parse(TEXT + "\x1a", "m") == parse(TEXT, "m")


@pytest.mark.parametrize("odd", ["{<<}", "{<<: a}", "[<<: ]", "&a [*a]", "*a", "!!set {a}", "&a {<<: *a}"])
def test_unsupported_yaml_syntax_is_refused(odd: str) -> None:
    for line in TEXT.splitlines():
        key = line.partition(":")[0] if ":" in line else "  -"
        with pytest.raises(RecordError):
            parse(TEXT.replace(line, f"{key}{':' if ':' in line else ''} {odd}"))


def test_unexpected_parser_error_becomes_record_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("oh")

    monkeypatch.setattr(record.yaml_parser, "parse_yaml", broken)
    with pytest.raises(RecordError, match="m can't be read: KeyError: 'oh'"):
        parse(TEXT, "m")


def test_full_record_round_trips() -> None:
    full = Record(
        game="x",
        size=6,
        variant="two colours",
        seats=("Ann", "no", "Zoë: the 3rd", "5", 'a "b" \\ c', "棋", "a\nb", "", " ", "\U0001f3b2"),
        seed=-3,
        deal={"bag": "WBR", "on": ("WW", "B", "")},
        turns=(("seat 2", "12", "W@left.Ab2", "W>Ba2/W", "Ab2+Ab3", "pass"), ("two words", "W!")),
        undone=(("done",), ('say "no"',)),
        result=RecordedResult((0, 2), (3, -1, 0), "four in a row: W"),
    )
    text = full.to_text()
    assert parse(text) == full
    assert "  - seat 2 12 W@left.Ab2 W>Ba2/W Ab2+Ab3 pass\n" in text
    assert '  - "\\"two words\\" W!"\n' in text
    assert 'result: {winners: [1, 3], scores: [3, -1, 0], reason: "four in a row: W"}\n' in text


def test_draw_result_round_trips() -> None:
    text = TEXT + "result: {winners: [], reason: board full}\n"
    assert parse(text).result == RecordedResult((), (), "board full")
    assert parse(text).to_text() == text


def test_record_with_start_position_round_trips() -> None:
    stocks = {"hand": ("WW", ""), "bag": "WBR"}
    saved = replace(SMALL, turns=(), position=Position(("W...,....,....,..../", "x"), 1, 2, stocks))
    text = saved.to_text()
    assert text == (
        "shibumi3d: 2\ngame: spline-plus\nsize: 4\nseats: [Ann, Ben]\nseed: 7\n"
        'position: {boards: ["W...,....,....,..../", x], to-move: 2, phase: 3, stocks: '
        '{hand: [WW, ""], bag: WBR}}\nmoves: []\n'
    )
    assert parse(text) == saved
    plain = replace(saved, position=Position(("x",)))
    assert "position: {boards: [x]}\n" in plain.to_text()
    assert parse(plain.to_text()) == plain


word = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
move = st.from_regex(r"[!-~][ -~]{0,8}[!-~]|[!-~]", fullmatch=True)
turns = st.lists(st.lists(move, min_size=1, max_size=4).map(tuple), max_size=4).map(tuple)
results = st.builds(
    RecordedResult,
    st.sets(st.integers(0, 1)).map(lambda s: tuple(sorted(s))),
    st.lists(st.integers(-999, 999), max_size=2).map(tuple),
    word,
)
records = st.builds(
    Record,
    game=word,
    size=st.integers(2, 10),
    variant=word,
    seats=st.lists(word, min_size=2, max_size=4).map(tuple),
    seed=st.integers(-(10**17), 10**17),
    deal=st.dictionaries(word, word | st.lists(word).map(tuple), max_size=3),
    turns=turns,
    undone=turns,
    result=st.none() | results,
)


@given(records)
def test_random_record_round_trips(saved: Record) -> None:
    assert parse(saved.to_text().encode()) == saved


@given(st.lists(move, min_size=1, max_size=5).map(tuple))
def test_joined_turn_splits_into_its_moves(moves: tuple[str, ...]) -> None:
    assert parse_turn(format_turn(moves)) == moves


def test_lone_surrogate_in_name_does_not_block_saving(tmp_path: Path) -> None:
    saved = Record("x", 4, "", ("a\ud800b",), 0, {}, ())
    saved.save(tmp_path / "m.yaml")
    assert record.load(tmp_path / "m.yaml").seats == ("a\ufffdb",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m is not a saved Shibumi 3D game"),
        ("hello", "m is not a saved Shibumi 3D game"),
        ("title: Spline\nturn: {place: own}\n", "m is not a saved Shibumi 3D game"),
        ("[1, 2", "m is not a saved Shibumi 3D game"),
        (
            TEXT.replace("shibumi3d: 1", "shibumi3d: 3"),
            "m was written by a newer version of Shibumi 3D (format 3; this version reads formats up to 2)",
        ),
        (
            TEXT.replace("shibumi3d: 1", "shibumi3d: 12") + "further: {things: 1}\n",
            "m was written by a newer version of Shibumi 3D (format 12; this version reads formats up to 2)",
        ),
        (
            TEXT.replace("shibumi3d: 1", "shibumi3d: x"),
            "m has an error on line 1: shibumi3d: expected the format number, up to 2",
        ),
        (
            TEXT.replace("seed:", "players: [stone]\nseed:"),
            "m has an error on line 5: players: expected one entry for each seat",
        ),
        *(
            (
                text.replace("seed:", f"hints: {hints}\nseed:"),
                "m has an error on line 5: hints: expected one number for each seat (requires format 2)",
            )
            for text, hints in (
                (TEXT, "[1, 0]"),
                (TEXT.replace("shibumi3d: 1", "shibumi3d: 2"), "[1]"),
                (TEXT.replace("shibumi3d: 1", "shibumi3d: 2"), "[1, -1]"),
            )
        ),
        (TEXT.replace("size: 4", "size: four"), "m has an error on line 3: size: expected a whole number"),
        (
            TEXT.replace("seats: [Ann, Ben]", "seats: Ann"),
            "m has an error on line 4: seats: expected a list of strings",
        ),
        (
            TEXT.replace("seats: [Ann, Ben]", "seats: []"),
            "m has an error on line 1: seats: expected the names of the players",
        ),
        (TEXT.replace("seed: 7\n", ""), "m has an error on line 1: seed: expected a whole number"),
        (TEXT.replace("game: spline-plus\n", ""), "m has an error on line 1: game: expected text"),
        (TEXT.replace("seed:", "sead:"), "m has an error on line 5: unknown key 'sead'"),
        (TEXT.replace("- B@Ab1", "- [B@Ab1]"), "m has an error on line 7: moves: expected a list of strings"),
        (TEXT.replace("- B@Ab1", "- '\"B@Ab1'"), "m has an error on line 8: moves: '\"B@Ab1' is not a turn"),
        (TEXT.replace("- B@Ab1", "- ''"), "m has an error on line 8: moves: '' is not a turn"),
        (
            TEXT + "result: {winners: [3]}\n",
            "m has an error on line 10: result: winners must be seats from 1 to 2, each listed only once",
        ),
        (
            TEXT + "result: Ann\n",
            "m has an error on line 10: result: expected 'winners', 'scores' and 'reason'",
        ),
        *(
            (
                TEXT.replace("shibumi3d: 1", "shibumi3d: 2")
                + f"position: {{boards: [W...], to-move: {to_move}, phase: {phase}}}\n",
                (
                    "m has an error on line 10: position: expected {boards: …, to-move: …, phase: …, stocks: "
                    "…} (requires format 2)"
                ),
            )
            for to_move, phase in ((0, 1), (1, 0), (-1, 1))
        ),
        (TEXT + "seed: 8\n", "m has an error on line 10: key 'seed' appears twice; first on line 5"),
        (
            TEXT[:-20] + "  - 'B@\n",
            "m has an error on line 9: this is not valid YAML: found unexpected end of stream",
        ),
    ],
)
def test_invalid_record_is_refused_with_message(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text, "m")
    assert str(caught.value) == message


def test_too_large_record_is_refused() -> None:
    with pytest.raises(RecordError, match="is not a saved Shibumi 3D game"):
        parse(b"x" * (5 * 1024 * 1024))
    long = TEXT + "".join(f"  - W@Aa{number}\n" for number in range(300_000))
    with pytest.raises(RecordError, match="the file is larger than 1024 KB"):
        parse(long)


@given(st.integers(0, len(TEXT)), st.sampled_from(["", "\x00", "é", ":", "- ", "\n", "'", "["]))
def test_damaged_record_never_crashes_reader(place: int, put: str) -> None:
    for text in (TEXT[:place] + put, TEXT[:place] + put + TEXT[place + 1 :]):
        with suppress(RecordError):
            parse(text)


class TestSaving:
    def test_saved_record_is_loaded_unchanged(self, tmp_path: Path) -> None:
        path = tmp_path / "m.yaml"
        SMALL.save(path)
        assert path.read_text(encoding="utf-8") == TEXT
        assert record.load(path) == SMALL
        SMALL.save(path)
        assert [file.name for file in tmp_path.iterdir()] == ["m.yaml"]

    @pytest.mark.parametrize(
        "content", [b"my diary", TEXT.replace(": 1\n", ": 3\n").encode(), TEXT[:40].encode(), b""]
    )
    def test_other_file_is_not_overwritten(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "m.yaml"
        path.write_bytes(content)
        with pytest.raises(RecordError, match="was not overwritten:"):
            SMALL.save(path)
        assert path.read_bytes() == content

    def test_failed_writing_keeps_the_previous_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "m.yaml"
        SMALL.save(path)

        def fail(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space left"):
            Record("x", 4, "", ("a",), 0, {}, ()).save(path)
        assert path.read_text(encoding="utf-8") == TEXT
        assert [file.name for file in tmp_path.iterdir()] == ["m.yaml"]

    def test_missing_file_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(RecordError, match=r"none\.yaml can't be read: no such file or folder"):
            record.load(tmp_path / "none.yaml")
        with pytest.raises(RecordError, match="can't be read: it is not a file"):
            record.load(tmp_path)


def test_computer_seat_is_saved_in_record() -> None:
    game = catalogue.load_catalogue().get("spline").game()
    match = Match(game, ["Ann", "Stone"], player_types=["person", "stone"])
    saved = match.record()
    assert parse(saved.to_text()) == saved
    assert "players: [person, stone]\n" in saved.to_text()
    again = Match.from_record(parse(saved.to_text()), game)
    assert again.seats == (Seat("Ann"), Seat("Stone", "stone"))
    assert [again.is_computer_seat(seat) for seat in (0, 1, None)] == [False, True, False]
    assert "players" not in Match(game, ["Ann", "Ben"]).record().to_text()
