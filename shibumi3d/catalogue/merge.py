"""Merging of mappings, for a game that extends another and for the variants of a game."""

from __future__ import annotations

from collections.abc import Container

from shibumi3d.rules.source import Item

MERGED_KEYS = ("vars", "stocks", "define", "options", "table")
"""Keys whose entries are merged by name; any other key is replaced as a whole."""
EXCLUSIVE_KEYS = {"turn": "phases", "phases": "turn"}
"""Mutually exclusive keys: setting one removes the other."""


def merge_mappings(base: Item, override: Item) -> Item:
    """Return the mapping ``base``, overridden by the mapping ``override``.

    Keys of ``override`` replace those of ``base``, but ``vars``, ``stocks``, ``define``, ``options`` and ``table`` are
    merged entry by entry. The value ``null`` deletes a key or an entry. ``turn`` and ``phases`` replace each other.
    A merged mapping has the location of the overriding one; everything else keeps its original location.
    """
    return _merge(base, override, MERGED_KEYS)


def without_keys(item: Item, *keys: str) -> Item:
    """Return the mapping ``item`` without ``keys``."""
    return only_keys(item, [key for key in _entries(item) if key not in keys])


def only_keys(item: Item, keys: Container[str]) -> Item:
    """Return a copy of the mapping ``item`` with only those of its keys that are in ``keys``."""
    entries = {key: value for key, value in _entries(item).items() if key in keys}
    return Item(entries, item.location, {key: item.key_locations[key] for key in entries})


def _entries(item: Item) -> dict[str, Item]:
    if not isinstance(item.value, dict):
        raise TypeError(f"{item.location}: not a mapping")
    return item.value


def _merge(base: Item, override: Item, merged_keys: tuple[str, ...]) -> Item:
    entries = dict(_entries(base))
    keys = dict(base.key_locations)
    for key, value in _entries(override).items():
        if value.value is None:
            entries.pop(key, None)
            keys.pop(key, None)
            continue
        if merged_keys and key in EXCLUSIVE_KEYS and EXCLUSIVE_KEYS[key] not in _entries(override):
            entries.pop(EXCLUSIVE_KEYS[key], None)
        old = entries.get(key)
        if (
            key in merged_keys
            and old is not None
            and isinstance(old.value, dict)
            and isinstance(value.value, dict)
        ):
            value = _merge(old, value, ())
        entries[key] = value
        keys[key] = override.key_locations[key]
    return Item(entries, override.location, keys)
