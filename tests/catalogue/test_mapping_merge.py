"""Merging of a game file's mappings with those of the game that it extends."""

from __future__ import annotations

from shibumi3d.catalogue.merge import merge_mappings, only_keys, without_keys
from shibumi3d.catalogue.yaml_parser import parse_yaml
from shibumi3d.rules.source import Item, Problem


def item(text: str, file: str = "f.yaml") -> Item:
    problems: list[Problem] = []
    found = parse_yaml(text.encode(), file, problems)
    assert found is not None
    assert not problems
    return found


def plain(found: Item) -> object:
    return {k: plain(v) for k, v in found.value.items()} if isinstance(found.value, dict) else found.value


def test_keys_are_replaced_and_null_deletes() -> None:
    merged = merge_mappings(
        item("turn: a\nend: b\npass: c"), item("turn: {place: own}\npass: null\nscore: d")
    )
    assert plain(merged) == {"turn": {"place": "own"}, "end": "b", "score": "d"}


def test_vars_stocks_and_define_are_merged_by_name() -> None:
    for key in ("vars", "stocks", "define"):
        merged = merge_mappings(item(f"{key}: {{a: 1, b: 2, c: 3}}"), item(f"{key}: {{b: null, c: 4, d: 5}}"))
        assert plain(merged) == {key: {"a": 1, "c": 4, "d": 5}}


def test_merged_entries_are_replaced_whole() -> None:
    merged = merge_mappings(
        item("stocks: {box: {holds: {red: 3}, see: me}}"), item("stocks: {box: {holds: {white: 1}}}")
    )
    assert plain(merged) == {"stocks": {"box": {"holds": {"white": 1}}}}


def test_null_deletes_a_whole_merged_key() -> None:
    assert plain(merge_mappings(item("vars: {a: 1}\nturn: b"), item("vars: null"))) == {"turn": "b"}


def test_merged_items_keep_their_locations() -> None:
    merged = merge_mappings(
        item("define:\n  a: 1\n  b: 2\nturn: x", "below.yaml"), item("define:\n  b: 3", "above.yaml")
    )
    assert isinstance(merged.value, dict)
    define = merged.value["define"]
    assert isinstance(define.value, dict)
    assert str(merged.key_locations["turn"]) == "below.yaml:4:1"
    assert str(define.key_locations["a"]) == "below.yaml:2:3"
    assert str(define.key_locations["b"]) == "above.yaml:2:3"
    assert str(define.value["b"].location) == "above.yaml:2:6"


def test_merging_leaves_both_inputs_unchanged() -> None:
    below, above = item("define: {a: 1}"), item("define: {a: 2}\nend: x")
    merge_mappings(below, above)
    assert plain(below) == {"define": {"a": 1}}
    assert plain(above) == {"define": {"a": 2}, "end": "x"}


def test_keys_can_be_selected_or_excluded() -> None:
    whole = item("a: 1\nb: 2\nc: 3")
    assert plain(without_keys(whole, "a", "z")) == {"b": 2, "c": 3}
    assert plain(only_keys(whole, ("c", "z"))) == {"c": 3}
