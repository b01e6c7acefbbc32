"""YAML parsing: what is read, what is refused, and with which message."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.yaml_parser import Limits, parse_yaml
from shibumi3d.rules.source import Item, Problem


@pytest.fixture(params=["C", "Python"], autouse=True)
def _both_parsers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with the fast parser in C and with the one in Python."""
    if request.param == "C":
        monkeypatch.setattr(yaml_parser, "_LOADER", yaml.CSafeLoader)
    else:
        monkeypatch.setattr(yaml_parser, "_LOADER", yaml.SafeLoader)


def plain(item: Item) -> Any:
    if isinstance(item.value, dict):
        return {key: plain(value) for key, value in item.value.items()}
    if isinstance(item.value, list):
        return [plain(value) for value in item.value]
    return item.value


def read_ok(data: str | bytes) -> Any:
    problems: list[Problem] = []
    item = parse_yaml(data if isinstance(data, bytes) else data.encode(), "f.yaml", problems)
    assert not problems
    assert item is not None
    return plain(item)


def read_error(data: str | bytes, limits: Limits = yaml_parser.GAME_LIMITS) -> list[str]:
    problems: list[Problem] = []
    parse_yaml(data.encode() if isinstance(data, str) else data, "f.yaml", problems, limits)
    return [str(problem) for problem in problems]


def test_yaml_values_are_read() -> None:
    text = """
    text: own | red
    quoted: "5"
    whole: [0, 12, -3, +4]
    half: 1.5
    yes_and_no: [true, false]
    nothing: [null, ~, ]
    bare:
    block: |
      two
      lines
    """
    assert read_ok(text) == {
        "text": "own | red",
        "quoted": "5",
        "whole": [0, 12, -3, 4],
        "half": 1.5,
        "yes_and_no": [True, False],
        "nothing": [None, None],
        "bare": None,
        "block": "two\nlines\n",
    }


def test_yaml_1_1_special_words_are_text() -> None:
    words = [
        "on",
        "off",
        "yes",
        "no",
        "True",
        "NULL",
        "0x1f",
        "0o7",
        "1e3",
        ".5",
        "2026-01-01",
        "1_000",
        "12:30",
    ]
    assert read_ok("\n".join(f"- {word}" for word in words)) == words


def test_keys_are_text() -> None:
    assert read_ok("2018: a\ntrue: b\non: c\nnull: d") == {"2018": "a", "true": "b", "on": "c", "null": "d"}


def test_locations_are_recorded() -> None:
    problems: list[Problem] = []
    item = parse_yaml(b"title: x\nturn:\n  - {place: own,  at: holes}\n", "f.yaml", problems)
    assert item is not None
    assert isinstance(item.value, dict)
    assert str(item.key_locations["turn"]) == "f.yaml:2:1"
    (step,) = item.value["turn"].value
    assert str(step.location) == "f.yaml:3:5"
    assert str(step.key_locations["at"]) == "f.yaml:3:19"
    assert str(step.value["at"].location) == "f.yaml:3:23"


def test_alias_repeats_an_earlier_value() -> None:
    assert read_ok("a: &step {place: own}\nb: [*step, *step]") == {
        "a": {"place": "own"},
        "b": [{"place": "own"}] * 2,
    }


def test_byte_order_mark_is_ignored() -> None:
    assert read_ok("\ufefftitle: x") == {"title": "x"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.yaml:1:1: the file is empty"),
        ("# nothing\n", "f.yaml:1:1: the file is empty"),
        (
            "a: 1\n---\nb: 2\n",
            "f.yaml:2:1: a file can contain only one document; a second one starts here ('---')",
        ),
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' appears twice; first on line 1"),
        ("<<: {a: b}\n", "f.yaml:1:1: merge keys ('<<') can't be used here"),
        ("[a]: b\n", "f.yaml:1:1: a key must be a word; quote a value that starts with '['"),
        ("a: &x {b: *x}\n", "f.yaml:1:11: alias '*x' is inside the value it refers to"),
        ("a: &x [*x]\n", "f.yaml:1:8: alias '*x' is inside the value it refers to"),
        ("a: *own\n", "f.yaml:1:4: alias '*own' has no anchor before it; quote a value that starts with '*'"),
        ("a: &own\n", "f.yaml:1:4: anchor '&own' has no value; quote a value that starts with '&'"),
        ("a: !x\n", "f.yaml:1:4: the tag '!x' can't be used here; quote a value that starts with '!'"),
        (
            "a: !!python/object/apply:os.system [ls]\n",
            (
                "f.yaml:1:4: the tag 'tag:yaml.org,2002:python/object/apply:os.system' can't be used here; "
                "quote a value that starts with '!'"
            ),
        ),
        (
            "at: {p for p in own}\n",
            "f.yaml:1:5: there is no value after 'p for p in own'; quote an expression that starts with '{'",
        ),
        (
            "turn: {place: own, at: f(own, red)}\n",
            "f.yaml:1:31: there is no value after 'red)'; quote an expression that contains ', '",
        ),
        (
            "when: [west, south][me]\n",
            "f.yaml:1:20: this is not valid YAML; quote a value that starts with '['",
        ),
        ("at: & own\n", "f.yaml:1:6: this is not valid YAML; quote a value that starts with '&'"),
        ("x: > 3\n", "f.yaml:1:6: this is not valid YAML; quote a value that starts with '>'"),
        ("x: | own\n", "f.yaml:1:6: this is not valid YAML; quote a value that starts with '|'"),
        ("x: % 3\n", "f.yaml:1:4: this is not valid YAML; quote a value that starts with '%'"),
        ("x: @own\n", "f.yaml:1:4: this is not valid YAML; quote a value that starts with '@'"),
        ("  - x: a: b\n", "f.yaml:1:9: this is not valid YAML; quote a value that contains ': '"),
        ("x:\n\t- a\n", "f.yaml:2:1: this is not valid YAML; indent with spaces, not tabs"),
        ("a: 'b\n", "f.yaml:2:1: this is not valid YAML: found unexpected end of stream"),
        ("a: \x07b\n", "f.yaml:1:4: the file contains a character that is not allowed in text"),
        ("a: b\n\nc: \x00\n", "f.yaml:3:4: the file contains a character that is not allowed in text"),
    ],
)
def test_invalid_yaml_is_refused_with_a_message(text: str, message: str) -> None:
    assert read_error(text) == [message]


def test_reading_continues_after_an_error() -> None:
    assert read_error("a: 1\na: 2\nb: !x y\nb: 3\n") == [
        "f.yaml:2:1: key 'a' appears twice; first on line 1",
        "f.yaml:3:4: the tag '!x' can't be used here; quote a value that starts with '!'",
        "f.yaml:4:1: key 'b' appears twice; first on line 3",
    ]


def test_invalid_utf_8_is_located() -> None:
    assert read_error(b"a: b\nc: caf\xe9\n") == ["f.yaml:2:7: the file is not UTF-8 text (byte 0xe9)"]
    assert read_error(b"\xffa: b") == ["f.yaml:1:1: the file is not UTF-8 text (byte 0xff)"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_other_encodings_are_named(encoding: str) -> None:
    encoding_name = encoding[:6].upper()
    assert read_error("a: b".encode(encoding)) == [f"f.yaml:1:1: the file is {encoding_name} text, not UTF-8"]


def test_trailing_dos_end_of_file_characters_are_ignored() -> None:
    message = "there is a DOS end-of-file character (0x1a) here; remove it"
    assert read_ok(b"a: b\r\n\x1a") == read_ok(b"a: b\r\n")
    assert read_ok(b"\xef\xbb\xbfa: b\r\n" + b"\x1a" * 128) == read_ok(b"a: b\r\n")
    assert read_error(b"a: b\x1a\n") == [f"f.yaml:1:5: {message}"]


def test_oversized_file_is_refused() -> None:
    assert read_error("a: " + "x" * 300_000) == ["f.yaml:1:1: the file is larger than 256 KB"]


def test_deep_nesting_is_refused() -> None:
    assert read_ok("[" * 60 + "]" * 60)
    assert read_error("[" * 61 + "]" * 61) == ["f.yaml:1:61: values are nested more than 60 levels deep"]
    assert read_error("[" * 100_000) == ["f.yaml:1:61: values are nested more than 60 levels deep"]
    # One parser looks ahead for the end of a key, and could give up before it reports the nesting that comes first.
    assert read_error("a: [b" + ",[" * 1500) == ["f.yaml:1:123: values are nested more than 60 levels deep"]
    assert read_error("é:\n  - ü:\n     [" + "[" * 2000) == [
        "f.yaml:3:63: values are nested more than 60 levels deep"
    ]
    assert read_error("- " * 5000) == ["f.yaml:1:121: values are nested more than 60 levels deep"]
    assert read_error("{a: " * 5000) == ["f.yaml:1:241: values are nested more than 60 levels deep"]
    quoted = "a: '" + "[" * 2000
    assert read_error(quoted) == ["f.yaml:1:2005: this is not valid YAML: found unexpected end of stream"]


@pytest.mark.parametrize("number", ["UFFFFFFFF", "U00110000", "ud800", "U0000DFFF"])
@pytest.mark.parametrize("text", ['a: "\\{}"', '"\\{}": a', '["\\{}"'])
def test_invalid_character_codes_are_reported(text: str, number: str) -> None:
    problem = read_error(text.replace("{}", number))[0]
    assert problem.startswith("f.yaml:1:")


MERGED = "merge keys ('<<') can't be used here"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("<<: x\n", [f"1:1: {MERGED}"]),
        ("{<<}\n", [f"1:1: {MERGED}"]),
        ("turn: {<<}\n", [f"1:7: {MERGED}"]),
        ("end: [<<: ]\n", [f"1:7: {MERGED}"]),
        ("[? <<]\n", [f"1:2: {MERGED}"]),
        ("{<<: &a {<<}}\n", [f"1:6: {MERGED}", f"1:1: {MERGED}"]),
        ("{<<, a: b}\n", [f"1:1: {MERGED}"]),
        ("{<<, a}\n", [f"1:1: {MERGED}", "1:1: there is no value after 'a'; quote an expression that starts with '{'"]),
        ("{<<, a, b: c}\n", [f"1:1: {MERGED}",
            "1:6: there is no value after 'a'; quote an expression that contains ', '",
        ]),
        ("{a, a}\n", [
            "1:5: key 'a' appears twice; first on line 1",
            "1:1: there is no value after 'a'; quote an expression that starts with '{'",
        ]),
        ("!!merge <<: x\n", [
            "1:1: the tag 'tag:yaml.org,2002:merge' can't be used here; quote a value that starts with '!'"
        ]),
        ("&a [*a]\n", ["1:5: alias '*a' is inside the value it refers to"]),
        ("&a {<<: *a}\n", ["1:9: alias '*a' is inside the value it refers to"]),
    ],
)  # fmt: skip
def test_merge_keys_and_missing_values_are_reported(text: str, problems: list[str]) -> None:
    assert read_error(text) == [f"f.yaml:{problem}" for problem in problems]


def test_deep_nesting_by_aliases_is_refused() -> None:
    lines = ["- &a0 [x]"] + [f"- &a{n} [*a{n - 1}]" for n in range(1, 70)]
    assert read_error("\n".join(lines)) == ["f.yaml:59:9: values are nested more than 60 levels deep"]


def test_too_many_values_by_aliases_are_refused() -> None:
    lines = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert read_error("\n".join(lines)) == [
        "f.yaml:5:8: the file contains more than 20000 values, counting those repeated by aliases"
    ]


@given(st.text(alphabet="ab:-{}[]&*!|>%@`'\"#?, \n\t0", max_size=60))
def test_arbitrary_text_does_not_crash_the_reader(text: str) -> None:
    problems: list[Problem] = []
    item = parse_yaml(text.encode(), "f.yaml", problems)
    assert item is not None or problems


PIECES = [
    "<<",
    "&a ",
    "*a",
    "!x ",
    "!!merge ",
    "{",
    "}",
    "[",
    "]",
    ": ",
    ", ",
    "? ",
    "- ",
    "a",
    "'",
    '"',
    '"\\UFFFFFFFF"',
    '"\\ud800"',
    "\n",
    " ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_arbitrary_yaml_punctuation_does_not_crash_the_reader(text: str) -> None:
    problems: list[Problem] = []
    item = parse_yaml(text.encode(), "f.yaml", problems)
    assert item is not None or problems


@given(st.binary(max_size=60))
def test_arbitrary_bytes_do_not_crash_the_reader(data: bytes) -> None:
    problems: list[Problem] = []
    item = parse_yaml(data, "f.yaml", problems)
    assert item is not None or problems
