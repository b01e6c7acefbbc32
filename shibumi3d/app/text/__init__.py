"""All that the window says: ``say(key)`` gives a text in the language in use.

Texts are templates by key, a table for each language (:mod:`.en`). What a language lacks is given in English. Which
language is in use is held here and nowhere else: the program sets it from the settings, when it begins and when they
change.
"""

from __future__ import annotations

import locale
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.sayings import Tellable, reason

from . import en, fr, meanings_fr
from .template import Language

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.rules.game import Game

LANGUAGES: dict[str, Language] = {"en": en.LANGUAGE, "fr": fr.LANGUAGE}
"""The languages by code."""
_MEANINGS: dict[str, Mapping[str, str]] = {"fr": meanings_fr.MEANINGS}
"""What the words of the rule language mean, by language: English stands where they are defined."""
NESTED = frozenset(("problem", "message", "text", "reason"))
"""The gaps that hold what was said below the window."""
_NAMED = {"english": "en", "french": "fr"}
"""How Windows calls them."""
_ENGLISH = en.LANGUAGE
_current = "en"
_asked = ""


def system(environment: Mapping[str, str]) -> str:
    """Return the code of the language that the system speaks: of several wished for, the first of these; else "en".

    ``LANGUAGE`` lists them, best first, as for every program of GNU: a locale "C" wishes for none of them.
    """
    told = [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    told.append(locale.getlocale()[0] or "")
    spoken = next((name for name in told if name), "")
    listed = "" if spoken in ("C", "POSIX") else environment.get("LANGUAGE", "")
    return next((code for name in (*listed.split(":"), spoken) if (code := _code(name)) in LANGUAGES), "en")


_ENDS = re.compile("[_.@-]")
"""What ends the language in the name of a locale."""


def _code(name: str) -> str:
    """The code of the language of a locale: "fr" of "fr_CA.UTF-8", and of "French_Canada"."""
    language = _ENDS.split(name, maxsplit=1)[0].lower()
    return language if len(language) == 2 else _NAMED.get(language, "")


def use(lang: str) -> None:
    """Says everything in the language of that code from now on; in English where there is no such language."""
    global _current
    _current = lang if lang in LANGUAGES else "en"


def ask(lang: str) -> None:
    """Says everything in that language until another is chosen: asked for at the beginning; empty: in English."""
    global _asked
    _asked = lang
    use(lang)


def chosen(setting: str, environment: Mapping[str, str]) -> str:
    """The language to begin with: as asked for at the start, as set, or that of the system."""
    return _asked or setting or system(environment)


def told(sentence: object) -> str:
    """What was said below the window, in the language in use: a saying or an error; a text as it is."""
    if isinstance(sentence, OSError):
        sentence = reason(sentence)
    return sentence.told(_current) if isinstance(sentence, Tellable) else str(sentence)


def meaning(key: str, english: str) -> str:
    """What a word of the rule language means, in the language in use; its key is as in ``verb.place``."""
    return _MEANINGS.get(_current, {}).get(key, english)


def language() -> str:
    """The code of the language in use."""
    return _current


def say(key: str, n: int | None = None, /, **gaps: object) -> str:
    """The text called ``key`` with its gaps filled in. ``n`` is what a text counts. Raises KeyError for no text."""
    found = LANGUAGES[_current]
    if key not in found.texts:
        found = _ENGLISH
    nested = {name: told(value) for name, value in gaps.items() if name in NESTED}
    return found.fill(key, n, {**gaps, **nested})


def every(key: str) -> dict[str, str]:
    """The text called ``key``, which has no gaps, in every language by its code."""
    return {code: language.fill(key, None, {}) for code, language in LANGUAGES.items()}


def decimal(number: float) -> str:
    """A number as it is written in the language in use."""
    return f"{number:g}".replace(".", LANGUAGES[_current].point)


def renewed(told: str, key: str, n: int | None = None) -> str:
    """The text called ``key`` where ``told`` is what it is in any language, so nothing of a person's own; else that."""
    said = {each.fill(key, n, {}) for each in LANGUAGES.values()}
    return say(key, n) if told in said else told


def titled(of: Entry | Game) -> str:
    """What a game is called in the language in use."""
    # An entry's ``meta`` reads all of its file.
    titles: Mapping[str, str] = of.titles if hasattr(of, "titles") else (of.meta or {}).get("titles", {})
    return titles.get(_current) or of.title


def local(texts: Mapping[str, str]) -> str:
    """That of some texts by language which is in the language in use, else the English one; empty where none is."""
    return texts.get(_current) or texts.get("en", "")
