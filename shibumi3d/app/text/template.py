"""Templates of texts: with gaps, and in two forms where they count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shibumi3d.sayings.filling import Filler

Template = str | tuple[str, str]
"""A text with its gaps; where it counts, one for a single thing and one for any other number ``n``."""


@dataclass(frozen=True)
class Language:
    """A language: its own name, its texts by key, and how it speaks.

    ``ones`` are the numbers that take the first of two forms. ``elided`` are words that lose their last letter before
    a vowel, each with the form it takes then: a gap ``{name:de}`` is filled with the word and the name.
    """

    name: str
    texts: Mapping[str, Template]
    ones: frozenset[int] = frozenset((1,))
    elided: Mapping[str, str] = field(default_factory=dict)
    point: str = "."
    """What stands before the decimals of a number."""

    @classmethod
    def of(
        cls,
        name: str,
        texts: Mapping[str, Template],
        keys: Mapping[str, tuple[str, str]],
        ones: frozenset[int] = frozenset((1,)),
        elided: Mapping[str, str] | None = None,
        point: str = ".",
    ) -> Language:
        """A language from its texts, and of each line of the sheet of keys the keys and what they do."""
        lines = {f"key.{line}": pressed for line, (pressed, _) in keys.items()}
        lines.update({f"does.{line}": does for line, (_, does) in keys.items()})
        return cls(name, {**texts, **lines}, ones, elided or {}, point)

    def fill(self, key: str, n: int | None, gaps: Mapping[str, object]) -> str:
        """The text called ``key``, its gaps filled in."""
        template = self.texts[key]
        if isinstance(template, tuple):
            template = template[0 if n in self.ones else 1]
        return Filler(self.elided).vformat(template, (), {"n": n, **gaps})
