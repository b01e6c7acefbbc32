"""Explanations of the program's terms.

Game files add explanations of stocks, roles and labels that only they use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from shibumi3d.i18n import N_, P_, translate
from shibumi3d.rules.marbles.wording.messages import DISPLAYED_NAMES

Explanations = Mapping[str, Mapping[str, str]]
"""Explanations by term and language code, as in a game file."""

GLOSSARY: dict[str, str] = {
    "point": P_("glossary", "a place for a marble (on the board, a hole), or a unit of the score"),
    "hole": P_("glossary", "a point on level A, the board"),
    "platform": P_("glossary", "four marbles in a square that can carry a fifth"),
    "playable": P_("glossary", "empty, and either a hole or on a platform"),
    "touch": P_("glossary", "to lie side by side on a level, or one on top of the other"),
    "carry": P_("glossary", "to have marbles resting directly on top"),
    "free": P_("glossary", "carrying no marble"),
    "movable": P_("glossary", "carrying at most one marble"),
    "pinned": P_("glossary", "carrying two or more marbles"),
    "drop": P_(
        "glossary", "to fall into the gap left when a marble below is removed; the marbles above follow"
    ),
    "hidden": P_("glossary", "with another marble directly above, two levels up"),
    "visible": P_("glossary", "with no marble directly above, two levels up"),
    "overpass": P_("glossary", "two marbles side by side that lie across a contact below them and cut it"),
    "underpass": P_("glossary", "a contact that is cut by two marbles lying side by side across it"),
    "group": P_(
        "glossary", "marbles of one colour connected by visible contacts that are not cut by an overpass"
    ),
    "full group": P_("glossary", "marbles of one colour connected by any contacts, even hidden or cut ones"),
    "full line": P_("glossary", "flat and straight, from edge to edge or from corner to corner of its level"),
    "level": P_("glossary", "one layer of the pyramid: A is the board, B lies on it, and so on"),
    "file": P_("glossary", "a line from south to north; files are lettered a, b, c from the west"),
    "rank": P_("glossary", "a line from west to east; ranks are numbered 1, 2, 3 from the south"),
    "edge": P_("glossary", "the points along one side of a level"),
    "corner": P_("glossary", "a point where two edges of a level meet"),
    "west": P_("glossary", "the side of file a, on the left; east is opposite"),
    "east": P_("glossary", "the side of the last file, on the right; west is opposite"),
    "south": P_("glossary", "the side of rank 1, at the front; north is opposite"),
    "north": P_("glossary", "the side of the last rank, at the back; south is opposite"),
    "diagonal": P_("glossary", "at 45° to the files and ranks; diagonal neighbours on a level do not touch"),
    "slope": P_("glossary", "a straight line that rises with each step"),
    "ridge": P_("glossary", "one of the four slopes from a corner of the board to the top"),
    "face": P_("glossary", "one of the four sides of the pyramid, ridges included"),
    "apex": P_("glossary", "the topmost point"),
    "enter": P_("glossary", "to come in over an edge of a level, pushing any marbles in the way ahead of it"),
    "side drop": P_(
        "glossary", "the drop of a pushed marble into the one empty point among the four below it"
    ),
    "box": P_("glossary", "marbles beside the board, for everyone to use"),
    "bag": P_("glossary", "marbles that are drawn without looking"),
    "hand": P_("glossary", "marbles that a player holds"),
}
"""Explanations of the program's terms in English.

A translation begins with the term in that language and a colon.
"""

OTHER_FORMS: dict[str, dict[str, str]] = {
    "en": {"contact": "touch", "rim": "edge", "entry": "enter", "supply": "box"},
    "fr": {
        "contact": "touch",
        "toucher": "touch",
        "touche": "touch",
        "touchent": "touch",
        "touchant": "touch",
        "porte": "carry",
        "portent": "carry",
        "portait": "carry",
        "portaient": "carry",
        "tombe": "drop",
        "tombent": "drop",
        "tombant": "drop",
        "tombé": "drop",
        "chute": "drop",
        "visiblement": "visible",
        "entrée": "enter",
    },
}
"""Other words for terms, such as synonyms and verb forms, mapped to the terms, by language code."""
EVERYDAY_WORDS = {"en": ("box", "bag", "hand"), "fr": ("box", "bag", "hand", "east")}
"""Terms that are also everyday words, by language code (the French "est", for "east", also means "is").

In running text (:func:`explain_words`), they are explained only if the game file contains an explanation. When they are
looked up (:func:`explain_word`), they are always explained.
"""

MAX_TERM_WORDS = 3
"""Maximum number of words in a term."""
ENGLISH_ENDINGS = ("", "s", "es", "ed", "ped", "ing", "ies")
"""English endings that are removed to find a term."""
POINT_NAME_MEANING = N_("a point, named by its level (A), its file (a) and its rank (1)")
"""Explanation of how points are named."""
_POINT_NAME = re.compile(r"[A-J][a-j]([1-9]|10)")
_FRENCH_ELISION = re.compile("[^\\s'’]*['’]")
"""An elided French word with its apostrophe, as in "l'arête", "d'une" or "qu'elle"."""
_SURROUNDING_CHARS = ".,;:!?()*“”«»\"'–\xa0 "


def explain_word(word: str, lang: str = "en", game_terms: Explanations | None = None) -> str:
    """Return the term that a word stands for, with its explanation, or "" if there is none.

    An example of a result is "platform: four marbles …". ``word`` is a word from a text, or a name shown by the game.
    The explanations in ``game_terms``, which come from the game file, take precedence over those of the program. For
    the name of a point, the result is :data:`POINT_NAME_MEANING`, translated into ``lang``.
    """
    plain, known = word.strip(_SURROUNDING_CHARS), _merge_explanations(game_terms or {}, lang)
    name = plain.casefold()
    return _explain_plain_word(plain, lang, known) or _format_explanation(
        name if name in known else "", lang, known
    )


def explain_words(
    words: Sequence[str], lang: str = "en", game_terms: Explanations | None = None, has_marbles: bool = True
) -> list[str]:
    """Return one explanation for each word of a text, or "" for a word that has none.

    All words of a multi-word term get the explanation of the term. Everyday words get an explanation only if
    ``game_terms`` has one. If ``has_marbles`` is set, names of points are explained, too. If it isn't set, only the
    explanations in ``game_terms`` are used.
    """
    result = [""] * len(words)
    game_terms = game_terms or {}
    known = _merge_explanations(game_terms, lang) if has_marbles else game_terms
    spelled = _terms_by_spelling(lang, known)
    index = 0
    while index < len(words):
        for count in range(min(MAX_TERM_WORDS, len(words) - index), 0, -1):
            if not (
                words[index].strip(_SURROUNDING_CHARS) and words[index + count - 1].strip(_SURROUNDING_CHARS)
            ):
                continue
            plain = " ".join(words[index : index + count]).strip(_SURROUNDING_CHARS)
            name = _find_term(plain, lang, known, spelled)
            explanation = (
                ""
                if name in EVERYDAY_WORDS.get(lang, EVERYDAY_WORDS["en"]) and name not in game_terms
                else _format_explanation(name, lang, known)
            )
            if has_marbles and _POINT_NAME.fullmatch(plain):
                explanation = translate(lang, POINT_NAME_MEANING)
            if explanation:
                result[index : index + count] = [explanation] * count
                index += count
                break
        else:
            index += 1
    return result


@cache
def _localized_glossary(lang: str) -> Explanations:
    """Return the program's explanations in English and, where translations exist, in ``lang``."""
    explanations = {name: (translate("en", text), translate(lang, text)) for name, text in GLOSSARY.items()}
    return {
        name: {"en": english, lang: translations} if translations != english else {"en": english}
        for name, (english, translations) in explanations.items()
    }


def _merge_explanations(game_terms: Explanations, lang: str) -> Explanations:
    """Return a game's own explanations, followed by the program's explanations of other terms."""
    return {
        **game_terms,
        **{name: texts for name, texts in _localized_glossary(lang).items() if name not in game_terms},
    }


def _explain_plain_word(word: str, lang: str, explanations: Explanations) -> str:
    return (
        translate(lang, POINT_NAME_MEANING)
        if _POINT_NAME.fullmatch(word)
        else _format_explanation(
            _find_term(word, lang, explanations, _terms_by_spelling(lang, explanations)), lang, explanations
        )
    )


def _format_explanation(name: str, lang: str, explanations: Explanations) -> str:
    """Return a line with a term and its explanation, or "" if the term has none."""
    shown, meaning = _localize_entry(name, lang, explanations)
    return (
        translate(lang, P_("glossary", "{term}: {meaning}"), term=shown, meaning=meaning) if meaning else ""
    )


def _localize_entry(name: str, lang: str, explanations: Explanations) -> tuple[str, str]:
    """Return the displayed name of a term and its explanation, in ``lang`` if there is a translation.

    A translation should have the form "name: explanation", with a name of at most :data:`MAX_TERM_WORDS` words. If it
    doesn't, the name is given in English, and the whole text is the explanation. The explanation is "" if the term has
    none.
    """
    texts = explanations.get(name, {})
    text = texts.get(lang) or texts.get("en", "")
    shown, colon, meaning = text.partition(": ")
    if lang != "en" and lang in texts and colon and len(shown.split()) <= MAX_TERM_WORDS:
        return shown.rstrip(), meaning
    return DISPLAYED_NAMES.get(name, name.replace("_", " ")), text


def _terms_by_spelling(lang: str, explanations: Explanations) -> dict[str, str]:
    """Return a dictionary of the terms, keyed by the spelling under which each is looked up.

    In French, this spelling is the base form of the term's displayed name, without "se "; if two terms have the same
    spelling, the first one is used. In other languages, the spelling is the term itself in lower case.
    """
    if lang != "fr":
        return {name.casefold(): name for name in explanations}
    called = {
        name: _french_base_form(_localize_entry(name, lang, explanations)[0]).removeprefix("se ")
        for name in explanations
    }
    return {word: name for name, word in reversed(called.items())}


def _find_term(
    plain: str, lang: str, explanations: Explanations, terms_by_spelling: Mapping[str, str]
) -> str:
    """Return the term that ``plain`` stands for, or "" if there is none.

    ``plain`` is one or more words without surrounding punctuation: the term itself, an inflected form of it, or another
    word for it (see :data:`OTHER_FORMS`). ``terms_by_spelling`` is the result of :func:`_terms_by_spelling` for
    ``lang`` and ``explanations``.
    """
    word = plain.casefold()
    if lang == "fr":
        elided = _FRENCH_ELISION.match(word)
        word = _french_base_form(word[elided.end() :] if elided is not None else word)
        also = OTHER_FORMS["fr"].get(word, "")
        return also if also in explanations else terms_by_spelling.get(word, "")
    for name in (word, word.replace(" ", "_"), *_english_stems(word)):
        name = OTHER_FORMS["en"].get(name, name)
        if name in terms_by_spelling:
            return terms_by_spelling[name]
    return ""


def _french_base_form(words: str) -> str:
    """Return French words in lower case, reduced to a form in which they can be looked up.

    The letters ``s`` and ``x`` at the end of a word are removed as plural endings, even where they belong to the word
    ("choix" becomes "choi"), unless nothing else would be left. Then a final "ée", the ending of feminine participles,
    becomes "é". The word "entrée" is an exception.
    """
    found = (word.rstrip("sx") or word for word in words.casefold().split())
    return " ".join(word[:-1] if word.endswith("ée") and word != "entrée" else word for word in found)


def _english_stems(word: str) -> list[str]:
    """Return the possible stems of an English word, or [] if it has no plural or verb ending."""
    stems = [word.removesuffix(end) for end in ENGLISH_ENDINGS if end and word.endswith(end)]
    return [*stems, word.removesuffix("ies") + "y"] if word.endswith("ies") else stems
