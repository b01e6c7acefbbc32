"""What is said below the window: each key in both tables, with the values it is given, and raised once."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import shibumi3d
from shibumi3d import sayings
from shibumi3d.app import text
from shibumi3d.catalogue.catalogue import Catalogue
from shibumi3d.catalogue.sharing import SIGN, text_of
from shibumi3d.files import inside, typed_path
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError, load, parse
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.rules.marbles import handicap
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.source import FilePlace, Problem
from shibumi3d.sayings import (
    LANGUAGES,
    NoFile,
    Saying,
    Tellable,
    Told,
    Unusable,
    ending,
    reason,
    table,
    verbatim,
)
from shibumi3d.sayings.filling import Template
from shibumi3d.search.players import player
from shibumi3d.search.solver import solve
from tests.catalogue.bad import FOLDER
from tests.rules.inline import inline
from tests.rules.test_language_errors import MISTAKES
from tests.sources import PACKAGE, name_of, nodes, tree

ENGLISH, FRENCH = map(table, LANGUAGES)
FILES = [
    file
    for layer in (
        *["rules", "catalogue", "match", "search", "lab", "research", "render", "app", "cli"],
        "files.py",
        "native.py",
    )
    for file in ([PACKAGE / layer] if layer.endswith(".py") else sorted((PACKAGE / layer).rglob("*.py")))
    # The window's own texts, and files that come with the program.
    if file.relative_to(PACKAGE).parts[:2] != ("app", "text") and file.name not in ("models.py", "png.py")
]
NOTERS = {"Saying", "Problem", "problem", "_problem", "wrong", "_wrong", "_stop"}
"""What besides errors is given a key, last of what has no name, and the values of its gaps."""
BARE = {"ValueError", "OSError", "RuntimeError"}
"""Errors that say a sentence of their own: for mistakes of the program alone."""
INSIDE = re.compile(
    r"the history has|with and without a twin|values are worked out|nothing is wrong where|not a mapping|too long"
    r"|is no font|FreeType"
)
"""What only a mistake of the program itself can bring about, or is said in the log alone."""
SENTENCE = re.compile(r"[^\W\d_]{2}.* | .*[^\W\d_]{2}")


def gaps(template: Template) -> set[str]:
    """The values that a template names."""
    forms = (template,) if isinstance(template, str) else template
    named = {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}
    return named if isinstance(template, str) else named | {"n"}


@cache
def told_errors() -> set[str]:
    """The names of all errors that say a key."""
    for file in FILES:
        # Some need packages that are not there everywhere.
        if (
            file.name not in ("build.py", "make.py", "zoo.py", "spiel.py")
            and "app" not in file.relative_to(PACKAGE).parts
        ):
            __import__(".".join(("shibumi3d", *file.relative_to(PACKAGE).with_suffix("").parts)))

    def below(kind: type) -> Iterator[str]:
        yield kind.__name__
        for each in kind.__subclasses__():
            yield from below(each)

    return set(below(Told))


def literal(node: ast.AST) -> list[str]:
    """The patterns of keys, or of sentences, that an argument may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [re.escape(node.value)]
    if isinstance(node, ast.JoinedStr):
        parts = (re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".*" for p in node.values)
        return ["".join(parts)]
    if isinstance(node, ast.IfExp):
        return [*literal(node.body), *literal(node.orelse)]
    return []


def calls(source: ast.AST, names: set[str]) -> Iterator[tuple[ast.Call, str]]:
    """The calls of what has one of these names."""
    for node in ast.walk(source):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in names:
                yield node, name


def faults(source: ast.AST, names: set[str]) -> list[str]:
    """What is wrong with the keys and values that a source says."""
    found = []
    for node, name in calls(source, names):
        for pattern in literal(node.args[-1]) if node.args else []:
            keys = [key for key in ENGLISH if re.fullmatch(pattern, key)]
            if not keys:
                found.append(f"line {node.lineno}: {name} says no key: {pattern}")
            given = {each.arg for each in node.keywords} - ({"path"} if name == "NoFile" else set())
            for key in keys if None not in given else []:
                if given != gaps(ENGLISH[key]) and ".*" not in pattern:
                    found.append(f"line {node.lineno}: {key} is given {sorted(map(str, given))}")
    for node in ast.walk(source):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for call, name in calls(node.exc, BARE):
                for words in (pattern for each in call.args for pattern in literal(each)):
                    plain = re.sub(r"\\(.)", r"\1", words)
                    if SENTENCE.search(plain) and not INSIDE.search(plain):
                        found.append(f"line {node.lineno}: {name} says a sentence")
    return found


@pytest.mark.parametrize(
    "source",
    [
        'Problem(mark, "no such key")',
        'raise IllegalMove("move.impossible")',
        'raise IllegalMove("move.impossible", move=text, seat=1)',
        'wrong(key, f"at most {n} of them")',
        'raise ValueError("that is too much")',
    ],
)
def test_wrong_keys_and_sentences_are_found(source: str) -> None:
    assert faults(ast.parse(source), told_errors() | NOTERS)


def test_what_is_said_rightly_is_left_alone() -> None:
    source = 'raise IllegalMove("move.impossible", move=text)\nwrong("key", "expected.fees", most=4)\nProblem(m, what)'
    assert not faults(ast.parse(source), told_errors() | NOTERS)


def test_errors_say_a_key_with_the_values_of_its_sentence() -> None:
    names = told_errors() | NOTERS
    found = {name_of(file): faults(tree(file), names) for file in FILES}
    assert {file: wrong for file, wrong in found.items() if wrong} == {}


TERMINAL = {"say": 0, "print": 0, "Failure": 0, "ArgumentTypeError": 0, "error": 0, "command": 3}
"""What the command line says to people, and which argument it is."""


def spoken(source: ast.AST) -> Iterator[str]:
    """The sentences that a file of the command line says itself."""
    for node, name in calls(source, {*TERMINAL, "Parser", "add_argument", "add_argument_group"}):
        place = TERMINAL.get(name, len(node.args))
        given = node.args[place : place + 1]
        given += [
            each.value for each in node.keywords if each.arg in ("help", "title", "description", "epilog")
        ]
        for words in (re.sub(r"\\(.)", r"\1", pattern) for each in given for pattern in literal(each)):
            if SENTENCE.search(words.replace(".*", "")):
                yield f"line {node.lineno}: {words}"


@pytest.mark.parametrize(
    "source", ['say("Not now.")', 'raise Failure(f"{a} is no game")', 'add_argument("-x", help="a file")']
)
def test_what_the_command_line_says_itself_is_found(source: str) -> None:
    assert list(spoken(ast.parse(source)))


def test_the_command_line_says_nothing_outside_the_tables() -> None:
    found = {name_of(file): list(spoken(tree(file))) for file in sorted((PACKAGE / "cli").rglob("*.py"))}
    assert {file: words for file, words in found.items() if words} == {}


def test_no_key_is_left_over() -> None:
    used: set[str] = set()
    for file in [*FILES, PACKAGE / "sayings" / "__init__.py"]:
        for node in nodes(file):
            for pattern in literal(node):
                if pattern.strip(".*\\"):
                    used |= {key for key in ENGLISH if re.fullmatch(pattern, key)}
    assert {key for key in set(ENGLISH) - used if not key.startswith(sayings.SYSTEM)} == set()


def test_the_tables_have_the_same_keys_and_gaps() -> None:
    assert list(FRENCH) == list(ENGLISH)
    assert [key for key in ENGLISH if gaps(ENGLISH[key]) != gaps(FRENCH[key])] == []


# Each is raised


RECORD = "shibumi3d: 2\ngame: spline\nsize: 4\nseats: [Ann, Ben]\nseed: 1\nmoves: [W@Aa1]\n"
RECORDS = (
    "x", "shibumi3d: 9", "shibumi3d: 2\ngame: [", "shibumi3d: x", f"{RECORD}extra: 1", f"{RECORD}players: [a]",
    f"{RECORD}hints: [a]", f"{RECORD}clock: 1", f"{RECORD}clock: {{pace: no, left: [1, 2]}}",
    f"{RECORD}clock: {{pace: 10+5, left: [1]}}", f"{RECORD}variations: [1]", f"{RECORD}options: 1",
    f"{RECORD}options: {{a: [1]}}", f"{RECORD}position: 1", f"{RECORD}deal: 1", f"{RECORD}result: 1",
    f"{RECORD}result: {{winners: [3]}}", f"{RECORD}result: {{winners: [1], reason: []}}",
    f"{RECORD}result: {{winners: a}}", f"{RECORD}swap: 3", RECORD.replace("seed: 1", "seed: a"),
    RECORD.replace("game: spline", "game: [1]"), RECORD.replace("[W@Aa1]", '[""]'),
    RECORD.replace("[W@Aa1]", "[[]]"), RECORD.replace("[Ann, Ben]", "3"),
)  # fmt: skip


def spline(**more: Any) -> Any:
    return shibumi3d.game("spline", **more)


def arcanoid(**more: Any) -> Any:
    return shibumi3d.game("arcanoid", **more)


def played(*moves: str) -> None:
    match = Match(spline(), ["Ann", "Ben"])
    for move in moves:
        match.play(move)


ACTS: Mapping[str, Callable[[], object]] = {
    "move.impossible": lambda: spline().apply(spline().start(), "nowhere"),
    "players.number": lambda: spline().start(9),
    "board.letter": lambda: spline().position("....,x...,....,..../...,...,.../..,../."),
    "board.levels": lambda: spline().position("."),
    "board.size": lambda: spline().position("..,../."),
    "boards.number": lambda: spline().position(["..,../.", "..,../."]),
    "seat.no-move": lambda: spline().position("..,../.", to_move=7),
    "phase.unknown": lambda: spline().position("..,../.", phase=7),
    "size.bounds": lambda: pyramid(99),
    "size.unknown": lambda: spline(size=9),
    "size.none": lambda: arcanoid(size=4),
    "variant.unknown": lambda: spline(variant="none"),
    "option.unknown": lambda: arcanoid(options={"none": 1}),
    "option.value": lambda: arcanoid(options={"rounds": 999}),
    "game.unknown": lambda: shibumi3d.game("no such game"),
    "stock.unknown": lambda: spline().start(deal={"none": ""}),
    "clock.written": lambda: TimeLimit.read("soon"),
    "clock.bounds": lambda: TimeLimit.read("99999+0"),
    "clock.nobody": lambda: shibumi3d.game("golden-spiral").lost(None, 0),
    "clock.left": lambda: played("time-up"),
    "claim.third-time": lambda: played("claim-draw"),
    "swap.when": lambda: played("swap-seats"),
    "handicap.none": lambda: handicap.read("all", shibumi3d.game("spree").facts(2)),
    "strength.unknown": lambda: player("nobody"),
    "solve.against": lambda: solve(spline(), spline().start(2)),
    "line.sign": lambda: text_of("hello"),
    "line.broken": lambda: text_of(f"{SIGN}!"),
    "path.home": lambda: typed_path("~nobody-of-this-name/x"),
    "path.zeros": lambda: typed_path("a\0b"),
    "path.outside": lambda: inside(Path("x"), "../y"),
    "unreadable": lambda: load(Path("no such file")),
    "record.turn": lambda: Match.from_record(parse(RECORD.replace("W@Aa1", "W@Bb9")), spline()),
    "record.other-game": lambda: Match.from_record(parse(RECORD), spline(size=3)),
    "arcanoid.card": lambda: arcanoid().start(2, deal={"stock": "ZZ"}),
    "arcanoid.first": lambda: arcanoid().start(2, deal={"first": "9"}),
    "arcanoid.given": lambda: arcanoid().start(2, deal={"none": "9"}),
}
"""What raises each of some keys."""


def nested(saying: Saying) -> Iterator[Saying]:
    """A saying and those in it."""
    yield saying
    for value in saying.values.values():
        if isinstance(value, Saying):
            yield from nested(value)


@cache
def raised() -> Mapping[str, Saying]:
    """What is really raised, by key: of files and records that are wrong, and of what is asked for."""
    found: list[Saying] = []
    for words in (words for words, told in MISTAKES if told):
        with pytest.raises(GameFileError) as wrong:
            inline(words).start()
        found += [problem.saying for problem in wrong.value.problems]
    _, problems = Catalogue(FOLDER).check(sorted(FOLDER.glob("*.yaml")))
    found += [problem.saying for problem in problems]
    for words in RECORDS:
        with pytest.raises(RecordError) as failed:
            parse(words)
        found.append(failed.value.saying)
    for key, act in ACTS.items():
        with pytest.raises(Told) as refused:
            act()
        assert refused.value.saying.key == key
        found.append(refused.value.saying)
    return {each.key: each for saying in found for each in nested(saying)}


def test_much_is_really_raised() -> None:
    assert len(raised()) > 155


WORDS = re.compile(
    r"\b(the|is|are|of|to|not|with|has|have|an|or|and|for|it|its|no|can|can't|than|more|at most|expected)\b"
)
"""Words of English that are none of French."""
QUOTED = re.compile(r"« [^»]* »|\{[^}]*\}|\([^)]*\)")
"""What a person writes in a file, which is the same in all languages."""


def sample(name: str, template: str) -> object:
    """A value of a gap."""
    return 7 if name == "n" or re.search(rf"{{{name}:[^}}]*[,gx]", template) else f"⟨{name}⟩"


def test_each_is_said_in_both_languages() -> None:
    wrong = []
    for key, template in ENGLISH.items():
        constructed = Saying(key, **{name: sample(name, str(template)) for name in gaps(template)})
        for made in (constructed, raised().get(key, constructed)):
            told = [str(made), made.told("fr")]
            values = [value for value in made.values.values() if isinstance(value, str)]
            if not all(told) or any(value not in words for value in values for words in told):
                wrong.append(f"{key}: {told}")
        forms = FRENCH[key] if isinstance(FRENCH[key], tuple) else (FRENCH[key],)
        wrong += [f"{key}: {form}" for form in forms if WORDS.search(QUOTED.sub("", form))]
    assert wrong == []


# How they are kept and shown


def test_a_saying_holds_others_and_counts() -> None:
    inner = Saying("move.impossible", move="W@Aa1")
    error = RecordError("record.turn", number=2, problem=IllegalMove(inner))
    assert str(error) == "the record does not replay: in turn 2, 'W@Aa1' is not possible now"
    assert (
        error.told("fr") == "la partie ne se rejoue pas : au tour 2, « W@Aa1 » n'est pas possible maintenant"
    )
    one, two = (Saying("language.given", name="a", takes="(p)", n=n) for n in (1, 2))
    assert (one.told("fr")[-6:], two.told("fr")[-7:]) == ("valeur", "valeurs")
    assert Saying("language.loop-wide", most=10_000_000).told("fr").count("10\u00a0000\u00a0000") == 1
    assert Saying("result.wins", names="Ann").told("fr") == "la victoire d'Ann"


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove("move.impossible", move="x"),
        RuleFailure("rules.failed", game="a", problem=Saying("turn.incomplete"), place="b"),
        Unusable("seat.no-move", seat=1),
        NoFile("path.home"),
        GameFileError([Problem(FilePlace("a", 1, 2), "yaml.deep", most=3)]),
    ],
)
def test_errors_leave_processes_as_they_are(error: Exception) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), there.args) == (type(error), str(error), error.args)
    assert isinstance(there, Tellable)
    assert isinstance(error, Tellable)
    assert there.told("fr") == error.told("fr") != str(error)


def test_a_saying_is_kept_as_data() -> None:
    saying = Saying("unknown", what=Saying("key-of", what="try"), word="x", hint=Saying("nearest", word="y"))
    assert Saying.of_data(saying.data()) == saying
    assert len({saying, Saying.of_data(saying.data())}) == 1


def test_what_the_system_says_is_known_by_its_number_and_the_rest_stays() -> None:
    missing = FileNotFoundError(2, "No such file or directory", "x")
    assert (str(reason(missing)), reason(missing).told("fr")) == (
        "No such file or directory",
        "fichier ou dossier introuvable",
    )
    assert reason(OSError(84, "Strange")).told("fr") == "Strange"
    assert reason(ZeroDivisionError("a  b")).told("fr") == "a b"
    assert verbatim("{x}").told("fr") == "{x}"
    assert str(Saying("nobody ever said this {x}")) == "nobody ever said this {x}"


def test_the_window_says_errors_in_its_language() -> None:
    problem = Problem(
        FilePlace("game.yaml", 12, 5),
        "language.unknown-verb",
        verb="plcae",
        hint=Saying("nearest", word="place"),
    )
    assert str(problem) == "game.yaml:12:5: unknown verb 'plcae', did you mean 'place'?"
    text.use("fr")
    try:
        assert text.told(problem) == "game.yaml:12:5: verbe inconnu « plcae ». Plutôt « place » ?"
        assert text.told(GameFileError([problem])) == text.told(problem)
        assert (
            text.say("match.stops", problem=RuleFailure("stock.empty")).count("il ne reste rien à tirer") == 1
        )
        assert text.told(OSError(28, "No space left on device")) == "il n'y a plus de place sur le disque"
    finally:
        text.use("en")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (-9, "the system ended it, perhaps because memory ran out"),
        (137, "the system ended it, perhaps because memory ran out"),
        (-15, "it was stopped from outside"),
        (-11, "it crashed"),
        (0xC0000005, "it crashed"),
        (1, "it ended unexpectedly"),
        (255, "it ended unexpectedly"),
    ],
)
def test_how_a_process_ended_is_told_without_its_number(status: int, words: str) -> None:
    assert str(ending(status)) == words
