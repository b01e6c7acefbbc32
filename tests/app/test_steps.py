"""Steps and rules of a game as fields, and put into its text."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from shibumi3d.app.pages.design.steps import added, entries, fields_of, moved, removed, section, step_lines
from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.reference import lexicon

END = ["end:", "  - when: stuck", "    lose: mover"]


def test_an_example_is_taken_apart_into_its_fields() -> None:
    assert fields_of("{place: own, at: holes}") == {"place": "own", "at": "holes"}
    assert fields_of("{repeat: {place: own}, times: [1, 3]}") == {"repeat": "{place: own}", "times": "[1, 3]"}
    assert fields_of('{move: own, to: "steps(p, origin): x"}')["to"] == '"steps(p, origin): x"'


def test_a_step_is_written_below_itself_and_quoted_where_yaml_asks_for_it() -> None:
    assert step_lines({"move": "own & free", "to": "{p for p in playable if level(p) > 0}", "as": " "}) == [
        "- move: own & free",
        '  to: "{p for p in playable if level(p) > 0}"',
    ]
    assert step_lines({"if": "gain >= 3", "then": "{next: me}"}) == ["- if: gain >= 3", "  then: {next: me}"]
    assert step_lines({"when": "stuck", "most": "[score, -count(own)]"})[1] == "  most: [score, -count(own)]"
    assert step_lines({"place": ""}) == []


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
def test_a_step_is_added_to_what_is_there(turn: list[str], after: list[str]) -> None:
    lines = added(["title: x", *turn, *(END if turn else [])], "turn", ["- score: 2"])
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


def test_entries_are_listed_a_line_each() -> None:
    assert entries(LIST, "turn") == ["place: own  at: holes", "{score: 2}", "take: own"]
    assert entries(["turn: [{place: own}, {take: own}]"], "turn") == ["{place: own}", "{take: own}"]
    assert entries(["turn:", "  place: own", "  at: holes"], "turn") == ["place: own  at: holes"]
    assert entries(LIST, "setup") == []


def test_an_entry_is_taken_out_of_its_list() -> None:
    head = ["title: x", "turn:", "  # first"]
    assert removed(LIST, "turn", 0) == [*head, "  - {score: 2}", "  - take: own", *END]
    assert removed(LIST, "turn", 2) == [*head, "  - place: own", "    at: holes", "  - {score: 2}", *END]
    assert removed(LIST, "end", 0) == LIST[:7], "the only one goes with its key"
    assert removed(["turn: [{place: own}, {take: own}]"], "turn", 0) == ["turn:", "  - {take: own}"]
    assert removed(LIST, "turn", 3) == LIST
    assert removed(LIST, "setup", 0) == LIST


def test_an_entry_changes_its_place() -> None:
    head = ["title: x", "turn:", "  # first"]
    assert moved(LIST, "turn", 0, 1) == [
        *head,
        "  - {score: 2}",
        "  - place: own",
        "    at: holes",
        "  - take: own",
        *END,
    ]
    assert moved(LIST, "turn", 2, -2) == [*head, "  - take: own", *LIST[3:6], *END]
    assert moved(LIST, "turn", 2, 1) == LIST
    assert moved(LIST, "turn", 0, -1) == LIST


def test_a_section_ends_where_the_next_key_begins() -> None:
    assert section(["turn:", "  - place: own", "", "# more", "end: []"], "turn") == (0, 4)
    assert section(["end: []"], "turn") is None


def test_every_verb_can_be_added_with_its_example_and_is_read_as_yaml() -> None:
    """The example of each verb, taken apart and written again, says the same."""
    for term in lexicon():
        if term.kind in ("player", "engine", "combinator"):
            (step,) = yaml.safe_load("\n".join(step_lines(fields_of(term.example))))
            assert step == yaml.safe_load(term.example), term.name


def test_a_game_put_together_from_nothing_is_in_order() -> None:
    lines = ["title: Put together"]
    for key, fields in (
        ("turn", {"place": "own", "at": "holes"}),
        ("turn", {"score": "count(touching(placed) & enemy)"}),
        ("end", {"as_soon_as": "score >= 9", "win": "me"}),
        ("end", {"when": "stuck", "most": "[score, -count(own)]", "because": "{en: more points}"}),
    ):
        lines = added(lines, key, step_lines(fields))
    _, problems = load().study("\n".join(lines).encode(), Path("made.yaml"))
    assert problems == ()
