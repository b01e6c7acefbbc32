"""Texts of tables: templates by language and key, with gaps, and in two forms where they count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter

Template = str | tuple[str, ...]
"""A text with its gaps, or several: where it counts, one for a single thing and one for any other number ``n``."""


ELIDED = {"de": "d'", "que": "qu'", "à": "à "}
"""Words of French that a gap may begin with, as in ``{who:de}``, each in the form it takes before a vowel."""
CONTRACTED = {"de le ": "du ", "de les ": "des ", "à le ": "au ", "à les ": "aux "}
"""What such a word and an article become."""


class Filler(Formatter):
    """Fills gaps; those that begin with a word which may be elided get the form of it that fits."""

    def __init__(self, elided: Mapping[str, str]) -> None:
        self.elided = elided

    def format_field(self, value: object, format_spec: str) -> str:
        """The value as text, joined to the word that the field asks for."""
        if format_spec not in self.elided:
            return str(super().format_field(value, format_spec))
        vowel = str(value)[:1].casefold() in "aeiouyàâéèêëîïôûœ" and str(value) != ""
        joined = f"{self.elided[format_spec]}{value}" if vowel else f"{format_spec} {value}"
        for apart, together in CONTRACTED.items():
            if joined.startswith(apart):
                return together + joined.removeprefix(apart)
        return joined


def filled(
    texts: Mapping[str, Mapping[str, Template]],
    lang: str,
    key: str,
    n: int | str | None,
    gaps: Mapping[str, object],
) -> str:
    """The text called ``key`` of some ``texts`` by language, its gaps filled in; English where a language lacks it.

    ``n`` is what a template in two forms counts.
    """
    english = texts["en"]
    template = texts.get(lang, english).get(key) or english[key]
    if isinstance(template, tuple):
        # French counts none as one.
        template = template[0 if n == 1 or (n == 0 and lang == "fr") else 1]
    if any(f":{word}}}" in template for word in ELIDED):
        return Filler(ELIDED).vformat(template, (), {"n": n, **gaps})
    return template.format(n=n, **gaps)


def joined(words: Sequence[str], last: str) -> str:
    """The words as a list in a sentence, ``last`` between the last two: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(sentence: str) -> str:
    """The sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]
