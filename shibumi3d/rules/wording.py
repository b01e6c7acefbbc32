"""Texts of tables: templates by language and key, with gaps, and in two forms where they count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shibumi3d.sayings.filling import ELIDED, Filler, Template


def filled(
    texts: Mapping[str, Mapping[str, Template]],
    lang: str,
    key: str,
    n: int | str | None,
    gaps: Mapping[str, object],
) -> str:
    """Return the text called ``key`` of ``texts`` by language, its gaps filled in; English where a language lacks
    it.

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
    """Return the words as a list in a sentence, ``last`` between the last two: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(sentence: str) -> str:
    """Return the sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def within(sentence: str) -> str:
    """Return the sentence as it stands within another: it begins small, so it must not begin with a name."""
    return sentence[:1].lower() + sentence[1:]
