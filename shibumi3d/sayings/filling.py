"""Filling the gaps of templates."""

from __future__ import annotations

from collections.abc import Mapping
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


class _Teller(Filler):
    """Fills gaps with what is told in one language."""

    def __init__(self, lang: str) -> None:
        super().__init__(ELIDED if lang == "fr" else {})
        self.lang = lang

    def format_field(self, value: object, format_spec: str) -> str:
        """The value as text, a saying in the language; ``,`` parts the thousands as the language does."""
        told = getattr(value, "told", None)
        text = super().format_field(value if told is None else told(self.lang), format_spec)
        return text.replace(",", "\u00a0") if format_spec == "," and self.lang == "fr" else text


def filled(template: Template, lang: str, values: Mapping[str, object]) -> str:
    """Return the template with its gaps filled by ``values``; French counts none as one."""
    if isinstance(template, tuple):
        n = values.get("n")
        template = template[0 if n == 1 or (n == 0 and lang == "fr") else 1]
    return _Teller(lang).vformat(template, (), values)
