"""The form of the game designer: steps and rules as fields that edit the game's text."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from shibumi3d.app.pages.game_designer.entries import (
    add_entry,
    find_section,
    format_step,
    list_entries,
    move_entry,
    parse_fields,
    remove_entry,
)
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.reference import reference_entries

END = ["end:", "  - when: stuck", "    lose: mover"]


def test_example_is_parsed_into_fields() -> None:
    assert parse_fields("{place: own, at: holes}") == {"place": "own", "at": "holes"}
    assert parse_fields("{repeat: {place: own}, times: [1, 3]}") == {
        "repeat": "{place: own}",
        "times": "[1, 3]",
    }
    assert parse_fields('{move: own, to: "steps(p, origin): x"}')["to"] == '"steps(p, origin): x"'


def test_step_is_formatted_as_yaml_with_quotes_where_needed() -> None:
    assert format_step({"move": "own & free", "to": "{p for p in playable if level(p) > 0}", "as": " "}) == [
        "- move: own & free",
        '  to: "{p for p in playable if level(p) > 0}"',
    ]
    assert format_step({"if": "gain >= 3", "then": "{next: me}"}) == ["- if: gain >= 3", "  then: {next: me}"]
    assert format_step({"when": "stuck", "most": "[score, -count(own)]"})[1] == "  most: [score, -count(own)]"
    assert format_step({"place": ""}) == []


@pytest.mark.parametrize(
    ("turn", "after"),
    [
        ([], ["turn:", "  - score: 2"]),
        (["turn: {place: own}"], ["turn:", "  - {place: own}", "  - score: 2"]),
        (
            ["turn: [{place: own}, {take: own}]"],
            ["turn:", "  - {place: own}", "  - {take: own}", "  - score: 2"],
        ),
        (
            ["turn:", "  place: own", "  at: holes"],
            ["turn:", "  - place: own", "    at: holes", "  - score: 2"],
        ),
        (["turn:", "- place: own", ""], ["turn:", "- place: own", "- score: 2", ""]),
        (["turn:", "    - place: own"], ["turn:", "    - place: own", "    - score: 2"]),
    ],
)
def test_step_is_added_to_existing_steps(turn: list[str], after: list[str]) -> None:
    lines = add_entry(["title: x", *turn, *(END if turn else [])], "turn", ["- score: 2"])
    assert lines == ["title: x", *after, *(END if turn else [""])]


LIST = [
    "title: x",
    "turn:",
    "  # first",
    "  - place: own",
    "    at: holes",
    "  - {score: 2}",
    "  - take: own",
    *END,
]


def test_entries_are_listed_one_per_line() -> None:
    assert list_entries(LIST, "turn") == ["place: own  at: holes", "{score: 2}", "take: own"]
    assert list_entries(["turn: [{place: own}, {take: own}]"], "turn") == ["{place: own}", "{take: own}"]
    assert list_entries(["turn:", "  place: own", "  at: holes"], "turn") == ["place: own  at: holes"]
    assert list_entries(LIST, "setup") == []


def test_entry_is_removed_from_its_list() -> None:
    head = ["title: x", "turn:", "  # first"]
    assert remove_entry(LIST, "turn", 0) == [*head, "  - {score: 2}", "  - take: own", *END]
    assert remove_entry(LIST, "turn", 2) == [*head, "  - place: own", "    at: holes", "  - {score: 2}", *END]
    assert remove_entry(LIST, "end", 0) == LIST[:7], "the only one goes with its key"
    assert remove_entry(["turn: [{place: own}, {take: own}]"], "turn", 0) == ["turn:", "  - {take: own}"]
    assert remove_entry(LIST, "turn", 3) == LIST
    assert remove_entry(LIST, "setup", 0) == LIST


def test_entry_is_moved_within_its_list() -> None:
    head = ["title: x", "turn:", "  # first"]
    assert move_entry(LIST, "turn", 0, 1) == [
        *head,
        "  - {score: 2}",
        "  - place: own",
        "    at: holes",
        "  - take: own",
        *END,
    ]
    assert move_entry(LIST, "turn", 2, -2) == [*head, "  - take: own", *LIST[3:6], *END]
    assert move_entry(LIST, "turn", 2, 1) == LIST
    assert move_entry(LIST, "turn", 0, -1) == LIST


def test_section_ends_at_the_next_key() -> None:
    assert find_section(["turn:", "  - place: own", "", "# more", "end: []"], "turn") == (0, 4)
    assert find_section(["end: []"], "turn") is None


def test_every_verb_example_survives_parsing_and_formatting() -> None:
    for term in reference_entries():
        if term.kind in ("player", "engine", "combinator"):
            (step,) = yaml.safe_load("\n".join(format_step(parse_fields(term.example))))
            assert step == yaml.safe_load(term.example), term.name


def test_game_assembled_from_the_form_is_valid() -> None:
    lines = ["title: Put together"]
    for key, fields in (
        ("turn", {"place": "own", "at": "holes"}),
        ("turn", {"score": "count(touching(placed) & enemy)"}),
        ("end", {"as_soon_as": "score >= 9", "win": "me"}),
        ("end", {"when": "stuck", "most": "[score, -count(own)]", "because": "{en: more points}"}),
    ):
        lines = add_entry(lines, key, format_step(fields))
    _, problems = load_catalogue().check_text("\n".join(lines).encode(), Path("made.yaml"))
    assert problems == ()
