"""Translation of texts with gettext catalogues.

The English text is written where it is used, and serves as the key of its translations: ``_("No saved games match.")``.
Most layers below the window don't depend on the language. Their errors and events carry a :class:`Message`, which is
the English text and its values, and the code that displays it calls :func:`localize`. ``str()`` of a message is
English.

Translations are in ``locale/CODE/LC_MESSAGES/shibumi3d.po``. To add a language, add such a file and a line in
:data:`LANGUAGES`. ``make messages`` extracts the texts, and updates and compiles the catalogues.
"""

from __future__ import annotations

import errno
import gettext as _gettext
import locale as _locale
import pkgutil
import re
import signal
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple, Protocol, runtime_checkable

LANGUAGES: Mapping[str, str] = {"en": "English", "fr": "Français", "de": "Deutsch", "es": "Español"}
"""Available languages, as ISO 639-1 codes with native names."""
PSEUDO_LOCALE = "qps"
"""Pseudo-locale for tests: English that is longer, accented and in brackets.

It reveals texts that aren't marked for translation and boxes that are too small.
"""
LOCALE_FOLDER = Path(__file__).resolve().parent / "locale"
"""Folder that contains the catalogues."""
_CONTEXT = "\x04"
"""Separator between context and message in one string, as in compiled catalogues."""

MAX_VALUE_LENGTH = 500
"""Maximum length of a value in a message, in characters.

The limit is needed because values may come from files of any size.
"""
_FULL_STOP = re.compile(r"\A\.(?!\w)")
"""Pattern for a full stop at the start of a text, but not for the dot of a file name ending such as ``.png``."""
_SIGNALS = frozenset(each.value for each in signal.Signals)
_CRASH_SIGNALS = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS")
_WINDOWS_CRASH = 0xC000_0000
"""Lowest exit status that indicates a crash on Windows."""

_current_language = "en"
_forced_language = ""


class Plural(NamedTuple):
    """The English singular and plural of a message that depends on a count ``n``."""

    one: str
    other: str


Translatable = str | Plural
"""A message that has been marked for extraction by :func:`N_`, :func:`P_` or :class:`Plural`."""


def N_(message: str) -> str:
    """Mark a message for extraction and return it untranslated."""
    return message


def P_(context: str, message: str) -> str:
    """Mark a message for extraction and return it with the context on which its translation depends."""
    return f"{context}{_CONTEXT}{message}"


# ------------------------------------------------------------ current language


def set_language(lang: str) -> None:
    """Set the current language to ``lang``, or to English if ``lang`` is unknown."""
    global _current_language
    _current_language = lang if lang in LANGUAGES or lang == PSEUDO_LOCALE else "en"


def force_language(lang: str) -> None:
    """Set the current language to ``lang``, as requested on the command line.

    The request overrides the settings. An empty code cancels it and sets the current language to English.
    """
    global _forced_language
    _forced_language = lang
    set_language(lang)


def language() -> str:
    """Return the code of the current language."""
    return _current_language


def startup_language(saved: str, environment: Mapping[str, str]) -> str:
    """Return the code of the language to start in.

    A language requested on the command line comes first, then ``saved``, then the language of the system. ``saved`` is
    the language in the settings, or "".
    """
    return _forced_language or saved or system_language(environment)


_LOCALE_END = re.compile("[_.@-]")
_WINDOWS_NAMES = {"english": "en", "french": "fr", "german": "de", "spanish": "es"}


def system_language(environment: Mapping[str, str]) -> str:
    """Return the code of the first available language that the system requests, or else "en".

    ``environment`` holds the environment variables. ``LANGUAGE`` lists languages in order of preference. They come
    before the language of the locale, but are ignored in the locales "C" and "POSIX" (GNU gettext manual, 2.3).
    """
    names = [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    names.append(_locale.getlocale()[0] or "")
    locale = next((name for name in names if name), "")
    listed = "" if locale in ("C", "POSIX") else environment.get("LANGUAGE", "")
    return next(
        (code for name in (*listed.split(":"), locale) if (code := _language_of_locale(name)) in LANGUAGES),
        "en",
    )


def _language_of_locale(locale: str) -> str:
    """Return the language code of a locale, or "" if it can't be determined.

    For example, the code is "fr" for "fr_CA.UTF-8" and "French_Canada". Any two letters count as a code, even if the
    program isn't available in that language.
    """
    name = _LOCALE_END.split(locale, maxsplit=1)[0].lower()
    return name if len(name) == 2 else _WINDOWS_NAMES.get(name, "")


# ------------------------------------------------------------ catalogues


@cache
def _catalogue(lang: str) -> _gettext.NullTranslations:
    """Return the compiled catalogue of a language, or an empty one if there is none."""
    if lang in LANGUAGES and lang != "en":
        try:
            data = pkgutil.get_data("shibumi3d", f"locale/{lang}/LC_MESSAGES/shibumi3d.mo")
        except OSError:
            data = None
        if data:
            return _gettext.GNUTranslations(BytesIO(data))
    return _gettext.NullTranslations()


def _look_up(lang: str, text: Translatable, n: object) -> str:
    """Return the template of ``text`` in the language ``lang``.

    For a :class:`Plural`, this is the form for the count ``n``, or for 2 if ``n`` isn't an integer. If there is no
    translation, the English text is returned.
    """
    if lang == PSEUDO_LOCALE:
        return _pseudolocalize(_look_up("en", text, n))
    catalogue = _catalogue(lang)
    if isinstance(text, tuple):
        count = n if isinstance(n, int) else 2
        context, _, one = text[0].rpartition(_CONTEXT)
        if context:
            return catalogue.npgettext(context, one, text[1], count)
        return catalogue.ngettext(one, text[1], count)
    context, _, message = text.rpartition(_CONTEXT)
    if context:
        return catalogue.pgettext(context, message)
    return catalogue.gettext(message) if message else ""


_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéîñöûýÁÇÉÎÑÖÛÝ")
_PLACEHOLDERS = re.compile(r"(\{\{|\}\}|\{[^{}]*\})")


def _pseudolocalize(template: str) -> str:
    """Add accents, brackets and padding (a third of the length) to a template, but keep its placeholders.

    A template without lower-case letters is returned unchanged.
    """
    if not any(letter.islower() for letter in template):
        return template  # a symbol, or letters that stand for cards
    parts = _PLACEHOLDERS.split(template)
    words = "".join(part if place % 2 else part.translate(_ACCENTS) for place, part in enumerate(parts))
    return f"[{words}{'~' * (len(template) // 3)}]" if template.strip() else template


# ------------------------------------------------------------ formatting

_ELISIONS: dict[str, dict[str, str | None]] = {
    "fr": {"de": "d'", "que": "qu'", "à": "à ", "dans le": "dans l'"},
    "es": dict.fromkeys(("de", "a el", "en el")),
}
"""By language, the words that may precede a placeholder, each with its form before a vowel, or None if unchanged.

The words are given as the format specification, e.g. ``{who:de}``; an article at their end agrees with the noun.
"""
_CONTRACTIONS = {
    "de le ": "du ",
    "de les ": "des ",
    "à le ": "au ",
    "à les ": "aux ",
    "de el ": "del ",
    "a el ": "al ",
}
_VOWELS = "aeiouyàâéèêëîïôûœ"


def _find_article(lang: str, noun: str) -> str:
    """Guess the definite article of a French or Spanish noun phrase from its first word."""
    first = noun.partition(" ")[0].casefold()
    if lang == "fr":
        return "les" if first.endswith("s") else "la" if first == "main" or first.endswith("e") else "le"
    if first == "mano" or first.endswith("a"):
        return "la"
    return "las" if first.endswith("as") else "los" if first.endswith("os") else "el"


class _TemplateFormatter(Formatter):
    """Formatter of templates in one language.

    It also translates values that are messages. It omits a full stop in the template if the value before it already
    ends a sentence.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.elisions = _ELISIONS.get(lang, {})
        self._last_value = ""

    def parse(self, format_string: str) -> Iterable[tuple[str, str | None, str | None, str | None]]:
        """Yield the literal texts and fields, omitting a full stop after a value that already ends a sentence."""
        for literal, name, specification, conversion in super().parse(format_string):
            ends_sentence = self._last_value.endswith((".", "?", "!"))
            yield _FULL_STOP.sub("", literal) if ends_sentence else literal, name, specification, conversion

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Return the value of a placeholder; an integer called ``n`` is formatted with thousands separators."""
        value = super().get_value(key, args, kwargs)
        return format_integer(value, self.lang) if key == "n" and type(value) is int else value

    def format_field(self, value: object, format_spec: str) -> str:
        """Return the value as text.

        If the format specification is one of the language's words in :data:`_ELISIONS`, such as ``de``, that word is
        put before the value in the form that grammar requires.
        """
        self._last_value = self._format_value(value, format_spec)
        return self._last_value

    def _format_value(self, value: object, format_spec: str) -> str:
        # An isinstance check against a protocol would take longer than everything else here.
        if not isinstance(value, str | int | float) and isinstance(value, Localizable | OSError):
            value = localize(value, self.lang)
        if format_spec not in self.elisions:
            if format_spec == "," and isinstance(value, int):
                return format_integer(value, self.lang)
            return str(super().format_field(value, format_spec))
        noun = str(value)
        elided = self.elisions[format_spec]
        if elided is not None and noun and noun[0].casefold() in _VOWELS:
            joined = f"{elided}{noun}"
        elif format_spec.endswith((" el", " le")):
            joined = f"{format_spec[:-2]}{_find_article(self.lang, noun)} {noun}"
        else:
            joined = f"{format_spec} {noun}"
        for apart, together in _CONTRACTIONS.items():
            if joined.startswith(apart):
                return together + joined.removeprefix(apart)
        return joined


def _format(lang: str, text: Translatable, n: object, values: Mapping[str, object]) -> str:
    template = _look_up(lang, text, n)
    return (
        _TemplateFormatter(lang).vformat(template, (), values)
        if "{" in template or "}" in template
        else template
    )


def translate(lang: str, text: Translatable, n: int | None = None, /, **values: object) -> str:
    """Return a text in the given language with its values filled in.

    For a :class:`Plural`, ``n`` selects the form. If given, ``n`` also fills the placeholder ``n``.
    """
    return _format(lang, text, n, {"n": n, **values} if n is not None else values)


def ntranslate(lang: str, singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return the singular or plural form of a message in the given language, with its values filled in.

    ``n`` selects the form and also fills the placeholder ``n``.
    """
    return _format(lang, Plural(singular, plural), n, {"n": n, **values})


def ptranslate(lang: str, context: str, message: str, /, **values: object) -> str:
    """Translate a message in the given context into the given language, and fill in its values."""
    return _format(lang, P_(context, message), None, values)


def _(text: Translatable, n: int | None = None, /, **values: object) -> str:
    """Return a text in the current language with its values filled in.

    For a :class:`Plural`, ``n`` selects the form. If given, ``n`` also fills the placeholder ``n``.
    """
    return translate(_current_language, text, n, **values)


def ngettext(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return the singular or plural form of a message for ``n`` in the current language.

    ``n`` and ``values`` fill its placeholders.
    """
    return ntranslate(_current_language, singular, plural, n, **values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Translate a message in the given context into the current language, and fill in its values."""
    return ptranslate(_current_language, context, message, **values)


def npgettext(context: str, singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return the singular or plural form of a message in the given context, in the current language.

    ``n`` selects the form; ``n`` and ``values`` fill the placeholders.
    """
    return _format(_current_language, Plural(P_(context, singular), plural), n, {"n": n, **values})


def translate_all(text: Translatable, n: int | None = None, /, **values: object) -> dict[str, str]:
    """Return a text in all :data:`LANGUAGES`, by language code, with its values filled in.

    For a :class:`Plural`, ``n`` selects the form. If given, ``n`` also fills the placeholder ``n``.
    """
    return {code: translate(code, text, n, **values) for code in LANGUAGES}


def localize_texts(texts: Mapping[str, str]) -> str:
    """Return the text in the current language from ``texts``, which maps language codes to texts.

    If there is none, return another text, chosen as in :func:`text_for_language`, or "" if ``texts`` is empty.
    """
    return text_for_language(texts, _current_language)


def text_for_language(texts: Mapping[str, str], lang: str) -> str:
    """Return the text in the language ``lang`` from ``texts``, which maps language codes to texts.

    If there is none, return the English text, translated if possible. If that is missing too, return any other text, or
    "" if ``texts`` is empty.
    """
    return texts.get(lang) or _look_up(lang, texts.get("en", ""), None) or next(iter(texts.values()), "")


# ------------------------------------------------------------ numbers


def format_decimal(number: float, lang: str = "") -> str:
    """Format a number with the decimal mark of a language, by default the current one.

    The number is rounded to six significant digits. If its absolute value is then at least a million, or less than
    0.0001 but not 0, it is given in exponential notation.
    """
    return f"{number:g}".replace(".", ptranslate(lang or _current_language, "decimal mark", "."))


def format_percent(share: float) -> str:
    """Format a fraction from 0 to 1 as a whole percentage in the current language."""
    return _("{percent}%", percent=f"{100 * share:.0f}")


_MIN_GROUPED = {"es": 10_000}
"""Smallest number with a thousands separator, for languages where it isn't 1000 (CLDR: minimumGroupingDigits)."""


def format_integer(value: int, lang: str = "") -> str:
    """Format an integer with the thousands separator of a language, by default the current one."""
    return format_fixed(value, 0, lang)


def format_fixed(number: float, decimals: int, lang: str = "") -> str:
    """Format a number with a fixed number of decimals.

    The decimal mark and the thousands separator are those of ``lang``, by default the current language.
    """
    lang = lang or _current_language
    if abs(round(number, decimals)) < _MIN_GROUPED.get(lang, 1000):
        whole, _mark, rest = f"{number:.{decimals}f}".partition(".")
    else:
        whole, _mark, rest = f"{number:,.{decimals}f}".partition(".")
        whole = whole.replace(",", ptranslate(lang, "thousands separator", ","))
    return whole + ptranslate(lang, "decimal mark", ".") + rest if rest else whole


# ------------------------------------------------------------ messages


class Message:
    """A sentence or a part of one: an English text with values, translated when it is displayed.

    A value is stored as a number, a string or another message: an error is replaced by its message, and any other
    object by its text. Long strings are shortened. If the text is a :class:`Plural`, the value ``n`` selects its form.
    """

    __slots__ = ("text", "values")

    def __init__(self, text: Translatable, /, **values: object) -> None:
        self.text = text
        self.values: Mapping[str, object] = {name: _to_message_value(value) for name, value in values.items()}

    @property
    def context(self) -> str:
        """Context of the text, or "" if it has none."""
        return (self.text if isinstance(self.text, str) else self.text[0]).rpartition(_CONTEXT)[0]

    def localize(self, lang: str) -> str:
        """Return the sentence in the given language."""
        return _format(lang, self.text, self.values.get("n"), self.values)

    def __str__(self) -> str:
        return self.localize("en")

    def __repr__(self) -> str:
        return f"Message({', '.join([repr(self.text), *(f'{k}={v!r}' for k, v in self.values.items())])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.text, self.values) == (other.text, other.values)

    def __hash__(self) -> int:
        return hash((self.text, *self.values))

    def to_data(self) -> list[object]:
        """Return the text and values as JSON-compatible data."""
        text = list(self.text) if isinstance(self.text, tuple) else self.text
        return [
            text,
            {k: {"message": v.to_data()} if isinstance(v, Message) else v for k, v in self.values.items()},
        ]

    @classmethod
    def from_data(cls, data: Any) -> Message:
        """Restore a message from the result of :meth:`to_data`.

        Malformed data may raise any exception, such as TypeError.
        """
        text, values = data
        nested = {k: cls.from_data(v["message"]) if isinstance(v, dict) else v for k, v in values.items()}
        return cls(Plural(*map(str, text)) if isinstance(text, list) else str(text), **nested)


@runtime_checkable
class Localizable(Protocol):
    """Anything that can be translated: a message, an error, or a problem in a file."""

    def localize(self, lang: str) -> str:
        """Return the text in the given language."""


class LocalizedError(Exception):
    """An error with a translatable message."""

    def __init__(self, text: Translatable | Message, /, **values: object) -> None:
        super().__init__(to_message(text, values))

    @property
    def message(self) -> Message:
        """The message that describes the error."""
        result: Message = self.args[0]
        return result

    def localize(self, lang: str) -> str:
        """Return the description of the error in the given language."""
        return self.message.localize(lang)


class InvalidValueError(LocalizedError, ValueError):
    """Raised when a given value can't be used."""


class FileError(LocalizedError, OSError):
    """Raised when there is no usable file at a path; ``filename`` is the path, if known."""

    def __init__(self, text: Translatable | Message, /, *, path: object = None, **values: object) -> None:
        super().__init__(text, **values)
        if path is not None:
            self.filename = str(path)

    def __str__(self) -> str:
        return self.localize("en")


def localize(item: object, lang: str = "") -> str:
    """Return an item as text in the language ``lang``, by default the current language.

    A :class:`Localizable` object is translated, and an OSError is described. Anything else is converted to a string.
    """
    if isinstance(item, OSError):
        item = describe_error(item)
    return item.localize(lang or _current_language) if isinstance(item, Localizable) else str(item)


def to_message(text: Translatable | Message, values: Mapping[str, object]) -> Message:
    """Return ``text`` itself if it is a :class:`Message`, or else a message made from it and ``values``."""
    return text if isinstance(text, Message) else Message(text, **values)


def untranslated(text: object) -> Message:
    """Return a message for text that isn't translated, such as text from a file.

    White space at the start and end is removed, and other runs of white space become single spaces.
    """
    return Message("{text}", text=" ".join(str(text).split()))


def describe_error(error: BaseException) -> Message:
    """Return a description of an error.

    The description of an OSError doesn't include the name of the file.
    """
    if isinstance(error, LocalizedError):
        return error.message
    if isinstance(error, OSError):
        known = SYSTEM_ERRORS.get(error.errno or 0)
        return Message(known) if known else untranslated(error.strerror or error)
    if isinstance(error, RecursionError):
        return Message(N_("the data is nested too deeply"))
    if isinstance(error, MemoryError):
        return Message(N_("there is not enough memory"))
    return untranslated(error if str(error).strip() else type(error).__name__)


def describe_exit(status: int) -> Message:
    """Describe how a child process ended, from its ``subprocess`` return code.

    This is for processes that didn't report a reason.
    """
    number = -status if status < 0 else status - 128 if 128 < status < 160 else 0
    name = signal.Signals(number).name if number in _SIGNALS else ""
    if name in _CRASH_SIGNALS or status >= _WINDOWS_CRASH:
        return Message(N_("it crashed"))
    if name == "SIGXFSZ":
        return Message(N_("the file grew larger than the system allows"))
    if name == "SIGKILL":
        return Message(N_("the system stopped it, perhaps because memory ran out"))
    return Message(N_("another program stopped it")) if name else Message(N_("it ended unexpectedly"))


def shorten(text: str, max_length: int = MAX_VALUE_LENGTH) -> str:
    """Replace the middle of a text with an ellipsis if the text has more than ``max_length`` characters."""
    return text if len(text) <= max_length else f"{text[: max_length // 2]} … {text[-max_length // 4 :]}"


def explain_crash(error: Exception) -> Message:
    """Return a message that describes an error.

    If the type of the error is unexpected, the message asks the user to report the error as a bug.
    """
    if isinstance(error, Localizable | OSError | RecursionError | MemoryError):
        return describe_error(error)
    return Message(
        N_("{problem}. Please report this as a bug"), problem=untranslated(f"{type(error).__name__}: {error}")
    )


def _to_message_value(value: object) -> object:
    if isinstance(value, BaseException):
        return describe_error(value)
    if isinstance(value, int | float | Message):
        return value
    return shorten(value if isinstance(value, str) else str(value))


SYSTEM_ERRORS: Mapping[int, str] = {
    errno.EAGAIN: N_("the system is out of resources right now"),
    errno.ENOMEM: N_("out of memory"),
    errno.EMFILE: N_("too many files are open"),
    errno.ENOENT: N_("no such file or folder"),
    errno.EACCES: N_("permission denied"),
    errno.EISDIR: N_("it is a folder"),
    errno.ENOTDIR: N_("part of the path is not a folder"),
    errno.ENAMETOOLONG: N_("the file name is too long"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EROFS: N_("the disk is read-only"),
    errno.EEXIST: N_("the file already exists"),
}
"""Descriptions of operating system errors, by ``errno``."""
