"""Messages: language, plural form, filled-in values, and serialization."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import ClassVar

import pytest

from shibumi3d import i18n
from shibumi3d.i18n import (
    P_,
    FileError,
    InvalidValueError,
    Localizable,
    Message,
    Plural,
    _,
    describe_error,
    format_decimal,
    format_fixed,
    format_integer,
    localize,
    localize_texts,
    ngettext,
    pgettext,
    text_for_language,
    translate,
    translate_all,
    untranslated,
)
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.rules.source import Problem, SourceLocation


class Catalogue:
    """Stand-in for the French message catalogue, in which 0 takes the singular."""

    TEXTS: ClassVar[dict[str, str | tuple[str, str]]] = {
        "{n} turn": ("{n} tour", "{n} tours"),
        "the hand of {who}": "la main {who:de}",
        "to {who}": "{who:à}",
        "{problem} in {file}": "{problem}, dans {file}",
        "it is full": "il est plein",
        "choice\x04strong": "fort",
        "strong": "forts",
        "decimal mark\x04.": ",",
        "thousands separator\x04,": "\u00a0",
    }  # fmt: skip

    def gettext(self, message: str) -> str:
        return str(self.TEXTS.get(message, message))

    def pgettext(self, context: str, message: str) -> str:
        return str(self.TEXTS.get(f"{context}\x04{message}", message))

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.TEXTS.get(one, (one, many))[0 if n < 2 else 1]


@pytest.fixture(autouse=True)
def _french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    catalogue, empty = Catalogue(), i18n._catalogue("en")
    monkeypatch.setattr(i18n, "_catalogue", lambda lang: catalogue if lang == "fr" else empty)
    yield
    i18n.set_language("en")


def test_count_selects_the_plural_form() -> None:
    assert [ngettext("{n} turn", "{n} turns", n) for n in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]
    i18n.set_language("fr")
    assert [ngettext("{n} turn", "{n} turns", n) for n in (0, 1, 2)] == ["0 tour", "1 tour", "2 tours"]
    assert _(Plural("{n} turn", "{n} turns"), 2) == "2 tours"


@pytest.mark.parametrize(
    ("who", "hand", "to"),
    [
        ("Ben", "la main de Ben", "à Ben"),
        ("Aiko", "la main d'Aiko", "à Aiko"),
        ("Éclipse", "la main d'Éclipse", "à Éclipse"),
        ("le démon de Ben", "la main du démon de Ben", "au démon de Ben"),
        ("les autres", "la main des autres", "aux autres"),
    ],
)
def test_french_elides_and_contracts_names(who: str, hand: str, to: str) -> None:
    assert translate("fr", "the hand of {who}", who=who) == hand
    assert translate("fr", "to {who}", who=who) == to
    assert translate("en", "the hand of {who}", who=who) == f"the hand of {who}"


@pytest.mark.parametrize(
    ("word", "to", "inside"),
    [
        ("puño izquierdo", "al puño izquierdo", "en el puño izquierdo"),
        ("bolsa", "a la bolsa", "en la bolsa"),
        ("mano", "a la mano", "en la mano"),
        ("perdidas", "a las perdidas", "en las perdidas"),
    ],
)
def test_spanish_articles_agree_and_contract(
    word: str, to: str, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "_look_up", lambda lang, text, n: text)
    assert translate("es", "{word:a el}", word=word) == to
    assert translate("es", "{word:en el}", word=word) == inside


@pytest.mark.parametrize(
    ("word", "inside"),
    [
        ("poing", "dans le poing"),
        ("main", "dans la main"),
        ("réserve générale", "dans la réserve générale"),
        ("perdues", "dans les perdues"),
        ("urne", "dans l'urne"),
    ],
)
def test_french_articles_agree_and_elide(word: str, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_look_up", lambda lang, text, n: text)
    assert translate("fr", "{word:dans le}", word=word) == inside


def test_spanish_contracts_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_look_up", lambda lang, text, n: text)
    assert translate("es", "la mano {who:de}", who="el Autómata") == "la mano del Autómata"
    assert translate("es", "la mano {who:de}", who="Ana") == "la mano de Ana"


def test_context_selects_the_translation() -> None:
    i18n.set_language("fr")
    assert (_("strong"), pgettext("choice", "strong"), _(P_("choice", "strong"))) == ("forts", "fort", "fort")
    i18n.set_language("en")
    assert (_("strong"), pgettext("choice", "strong"), _(P_("choice", "strong"))) == ("strong",) * 3


def test_nested_messages_are_translated() -> None:
    message = Message("{problem} in {file}", problem=Message("it is full"), file="a")
    assert str(message) == "it is full in a"
    assert message.localize("fr") == localize(message, "fr") == "il est plein, dans a"
    i18n.set_language("fr")
    assert localize(message) == "il est plein, dans a"
    assert localize("as it is {x}") == "as it is {x}"


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        ("it is full", "Sorry: it is full. Please wait."),
        ("it is full.", "Sorry: it is full. Please wait."),
        ("do you mean “rules”?", "Sorry: do you mean “rules”? Please wait."),
        (Message("it is full!"), "Sorry: it is full! Please wait."),
    ],
)
def test_value_that_ends_a_sentence_takes_no_second_full_stop(problem: object, sentence: str) -> None:
    assert translate("en", "Sorry: {problem}. Please wait.", problem=problem) == sentence


def test_point_of_a_file_name_ending_is_kept() -> None:
    assert translate("en", "{name}.png, {name}.", name="What?") == "What?.png, What?"


def test_long_values_are_truncated() -> None:
    assert len(str(Message("{text}", text="x" * 100_000))) < 600


def test_missing_translations_fall_back_to_english() -> None:
    assert translate("fr", "Never said {n}.", 3) == "Never said 3."
    assert text_for_language({"en": "a", "de": "b"}, "de") == "b"
    assert text_for_language({"en": "it is full"}, "fr") == "il est plein"
    assert text_for_language({}, "fr") == ""
    assert text_for_language({"fr": "plein"}, "en") == "plein", "better a French text than none"
    i18n.set_language("no such language")
    assert i18n.language() == "en"
    assert localize_texts({"en": "a {x}"}) == "a {x}"


def test_numbers_follow_the_language() -> None:
    assert (format_decimal(1.5), format_decimal(2.0), format_integer(12_000)) == ("1.5", "2", "12,000")
    assert (format_decimal(1.5, "fr"), format_integer(12_000, "fr")) == ("1,5", "12\u00a0000")
    assert translate("fr", "{most:,}", most=10_000_000) == "10\u00a0000\u00a0000"
    assert translate("fr", Plural("{n} turn", "{n} turns"), 104_468) == "104\u00a0468 tours"
    assert [format_integer(n, "es") for n in (999, 9_999, 10_000)] == ["999", "9999", "10,000"]
    assert (format_fixed(1234.5, 2), format_fixed(-1234.75, 1, "fr")) == ("1,234.50", "-1\u00a0234,8")
    assert (format_fixed(999.6, 0), format_fixed(999.96, 1, "fr")) == ("1,000", "1\u00a0000,0")


def test_pseudo_locale_marks_translated_text() -> None:
    i18n.set_language(i18n.PSEUDO_LOCALE)
    assert _("Open {name}", name="x") == "[Öpéñ x~~~]"
    assert i18n.language() == "qps"


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "es_MX"}, "es"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LC_MESSAGES": "German_Austria"}, "de"),
        ({"LANG": "tr_TR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANGUAGE": "pl:fr", "LANG": "pl_PL.UTF-8"}, "fr"),
        ({"LANGUAGE": "fr", "LC_ALL": "C"}, "en"),
    ],
)
def test_system_language_follows_the_environment(environment: dict[str, str], code: str) -> None:
    if code in i18n.LANGUAGES:
        assert i18n.system_language(environment) == code


def test_text_is_translated_into_every_language() -> None:
    assert translate_all("it is full")["fr"] == "il est plein"
    assert list(translate_all("it is full")) == list(i18n.LANGUAGES)


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove("'{move}' is not possible", move="x"),
        RuleFailure("{problem} in {file}", problem=Message("it is full"), file="b"),
        InvalidValueError("it is full"),
        FileError("it is full", path="x"),
        GameFileError([Problem(SourceLocation("a", 1, 2), "it is full")]),
    ],
)
def test_errors_survive_pickling(error: Exception) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), there.args) == (type(error), str(error), error.args)
    assert isinstance(error, Localizable)
    assert there.localize("fr") == error.localize("fr")


def test_message_round_trips_through_data() -> None:
    message = Message(Plural("{n} turn", "{n} turns"), n=2, why=Message(P_("choice", "strong")))
    assert Message.from_data(message.to_data()) == message
    assert len({message, Message.from_data(message.to_data())}) == 1
    assert Message(P_("choice", "strong")).context == "choice"


def test_system_errors_are_described_by_number() -> None:
    missing = FileNotFoundError(2, "No such file or directory", "x")
    assert str(describe_error(missing)) == i18n.SYSTEM_ERRORS[2]
    assert describe_error(OSError(84, "Strange")).localize("fr") == "Strange"
    assert describe_error(ZeroDivisionError("a  b")).localize("fr") == "a b"
    assert untranslated("{x}").localize("fr") == "{x}"
