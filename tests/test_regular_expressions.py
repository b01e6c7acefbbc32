"""Every regular expression in the program takes at most linear time on any text."""

from __future__ import annotations

import ast
import gc
import importlib
import itertools
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from re import _constants as codes
from re import _parser as parser
from typing import Any

import pytest

from tests.share import THOROUGH
from tests.sources import FILES, PACKAGE, name_of, nodes, tree

LONG = 10_000
"""Length of a long text, on which quadratic expressions take a tenth of a second."""
RATIO = 15
"""Maximum ratio of the times for a text and for one a tenth as long: 10 is linear, 100 is quadratic."""
FAR_RATIO = 25
"""Like :data:`RATIO`, for texts that exceed the CPU cache, where even linear expressions may reach 18."""
LEAST = 0.02
"""CPU seconds that a long text may always take."""
PLAIN = " a0-:#\"'\n(\t!é"
"""Characters that are tried with every expression."""
METHODS = {
    "match": lambda expression, text: expression.match(text),
    "fullmatch": lambda expression, text: expression.fullmatch(text),
    "search": lambda expression, text: expression.search(text),
    "findall": lambda expression, text: expression.findall(text),
    "finditer": lambda expression, text: deque(expression.finditer(text), maxlen=0),
    "split": lambda expression, text: expression.split(text),
    "sub": lambda expression, text: expression.sub("", text),
}
USUAL = ("match", "fullmatch", "search")


def called(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls to ``re`` functions among the nodes, each with the name of the function."""
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
        ):
            yield node, node.func.attr


@cache
def expressions() -> dict[str, tuple[re.Pattern[Any], frozenset[str]]]:
    """Return the regular expressions of the program, each with the methods that are called on it.

    The key of an expression is the qualified name of the module-level variable that holds it. In a list or tuple, the
    key of the second expression ends with a 1, that of the third with a 2, and so on. The methods are those that any
    module uses on a variable or attribute of the same name; if there are none, ``USUAL`` is assumed.
    """
    uses: dict[str, set[str]] = {}
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                owner = node.value
                name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
                uses.setdefault(name, set()).add(node.attr)
    found = {}
    for path in FILES:
        for name, _ in made(tree(path)):
            module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
                ".__init__"
            )
            methods = frozenset(uses.get(name, ()) or USUAL)
            for number, pattern in enumerate(patterns(getattr(importlib.import_module(module), name))):
                found[f"{module}.{name}{f' {number}' if number else ''}"] = pattern, methods
    return found


def made(module: ast.Module) -> Iterator[tuple[str, ast.Assign]]:
    """Yield the module-level names that hold regular expressions, with their assignments."""
    for node in module.body:
        if isinstance(node, ast.Assign) and any(name == "compile" for _, name in called(ast.walk(node))):
            target = node.targets[0]
            assert isinstance(target, ast.Name)
            yield target.id, node


def patterns(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from patterns(each)


def letters(node: Any) -> list[str]:
    """Return sample characters for a node of a parsed regular expression.

    ``node`` is a pair of kind and value, as in ``re._parser``, and stands for a single character: a literal, a set, a
    category, a range or any character. The samples match it, but those for a negated set may not, for example if they
    lie in one of the ranges that the set excludes.
    """
    kind, value = node
    categories = {
        codes.CATEGORY_DIGIT: "7",
        codes.CATEGORY_WORD: "w_",
        codes.CATEGORY_SPACE: " \t\n",
        codes.CATEGORY_NOT_SPACE: "w:",
        codes.CATEGORY_NOT_WORD: ":-",
        codes.CATEGORY_NOT_DIGIT: "w:",
    }
    if kind in (codes.LITERAL, codes.NOT_LITERAL):
        return [chr(value)] if kind is codes.LITERAL else [c for c in "w :#" if ord(c) != value]
    if kind is codes.ANY:
        return ["w", " ", ":", "#"]
    if kind is codes.CATEGORY:
        return list(categories[value])
    if kind is codes.RANGE:
        return [chr(value[0])]
    inside = [part for part in value if part[0] is not codes.NEGATE]
    if len(inside) == len(value):
        return [c for part in inside for c in letters(part)]
    whole = re.compile("".join(f"[{re.escape(c)}]|" for part in inside for c in letters(part)).rstrip("|"))
    return [c for c in "w :#-\"'\t" if not whole.match(c)] or ["w"]


def units(parts: Any) -> Iterator[str]:
    """Yield short texts that match a parsed regular expression if its assertions are ignored.

    ``parts`` is the parsed expression, as in ``re._parser``. For each part, there are a few alternative texts. A single
    character has the samples of :func:`letters`, and a choice between branches has texts of each branch. An optional
    part can also be empty. The first text that is yielded takes the first alternative of every part. Each further text
    takes a different alternative of one part. A text for a negated set may fail to match (see :func:`letters`).
    """
    alternatives: list[list[str]] = []
    for kind, value in parts:
        if kind in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
            continue
        if kind is codes.BRANCH:
            alternatives.append([text for branch in value[1] for text in itertools.islice(units(branch), 2)])
        elif kind is codes.SUBPATTERN:
            alternatives.append(list(itertools.islice(units(value[-1]), 4)))
        elif kind is codes.ATOMIC_GROUP:
            alternatives.append(list(itertools.islice(units(value), 4)))
        elif kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, _, inner = value
            one = list(itertools.islice(units(inner), 4)) or [""]
            alternatives.append([text * max(low, 1) for text in one] + ([""] if low == 0 else []))
        else:
            alternatives.append(letters((kind, value)))
    alternatives = [way or [""] for way in alternatives]
    first = [way[0] for way in alternatives]
    yield "".join(first)
    for place, way in enumerate(alternatives):
        for text in way[1:]:
            yield "".join([*first[:place], text, *first[place + 1 :]])


def pumps(parts: Any) -> Iterator[str]:
    """Yield texts that may make an expression slow when they are repeated.

    For each repetition in the parsed expression ``parts``, at any depth, up to six texts that match the repeated part
    are yielded. Sample characters are also yielded for each literal and set (see :func:`letters`).
    """
    for kind, value in parts:
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from itertools.islice(units(value[2]), 6)
            yield from pumps(value[2])
        elif kind is codes.BRANCH:
            for branch in value[1]:
                yield from pumps(branch)
        elif kind is codes.SUBPATTERN:
            yield from pumps(value[-1])
        elif kind in (codes.ASSERT, codes.ASSERT_NOT):
            yield from pumps(value[1])
        elif kind is codes.ATOMIC_GROUP:
            yield from pumps(value)
        elif kind in (codes.LITERAL, codes.IN, codes.CATEGORY):
            yield from letters((kind, value))


def texts(expression: re.Pattern[Any]) -> Iterator[Callable[[int], str]]:
    """Yield functions that take a length and return a text of about that length, to test ``expression``.

    The first functions repeat a string that the expression or a part of it can match, or a common character. Some of
    their texts begin with the start of a match, and some end with a control character, which prevents most matches. The
    other functions use two different characters, alternately or in two blocks of the same length.
    """
    pattern = expression.pattern
    parts = parser.parse(pattern if isinstance(pattern, str) else pattern.decode("latin-1"), expression.flags)
    known = list(dict.fromkeys(itertools.islice(units(parts), 12)))
    signs = list(dict.fromkeys([*pumps(parts), *PLAIN, *known]))
    heads = {""}
    whole = known[0]
    heads |= {whole[:end] for end in range(1, min(len(whole), 9) + 1)}
    ends = ("", "\x01")
    for sign in signs:
        if not sign:
            continue
        for head in sorted(heads, key=len)[:7]:
            for end in ends:
                yield lambda n, sign=sign, head=head, end=end: head + sign * (n // len(sign)) + end
    short = [sign for sign in signs if len(sign) == 1][:7]
    for one, other in itertools.permutations(short, 2):
        yield lambda n, one=one, other=other: (one + other) * (n // 2)
        yield lambda n, one=one, other=other: one * (n // 2) + other * (n // 2)


def cost(use: Callable[[Any, Any], object], expression: re.Pattern[Any], text: object) -> float:
    """Return the CPU seconds that one use of an expression takes."""
    gc.disable()
    try:
        started_at = time.process_time()
        use(expression, text)
        return time.process_time() - started_at
    finally:
        gc.enable()


@pytest.mark.parametrize("longest", [LONG, pytest.param(100_000, marks=THOROUGH)])
@pytest.mark.slow
def test_regular_expressions_run_in_linear_time(longest: int) -> None:
    assert len(expressions()) > 50
    for name, (expression, methods) in expressions().items():
        linear(name, expression, methods, longest)


def linear(name: str, expression: re.Pattern[Any], methods: Iterable[str], longest: int = LONG) -> None:
    """Assert that an expression takes at most linear time on all texts made by :func:`texts`.

    ``methods`` contains the methods to call, as keys of :data:`METHODS`. If the time for a text of about ``longest``
    characters exceeds :data:`LEAST`, it is compared with that for a text a tenth as long. ``name`` identifies the
    expression in error messages.
    """
    ratio = RATIO if longest <= LONG else FAR_RATIO
    for text in texts(expression):
        short, long = text(longest // 10), text(longest)
        sample = f"{name}: {short[:12]!r}… {short[-12:]!r}"
        # Try a fifth first: an expression worse than quadratic would take hours on the whole text.
        a, c, b = (
            t.encode() if isinstance(expression.pattern, bytes) else t
            for t in (short, long[: longest // 5], long)
        )
        for use in (METHODS[method] for method in sorted(methods)):
            once = cost(use, expression, c)
            assert once < 20 * LEAST, f"{sample}: {once:.2f} s for a fifth"
            spent = cost(use, expression, b)
            if spent > LEAST:
                spent = min(spent, *(cost(use, expression, b) for _ in range(2)))
                least = min(cost(use, expression, a) for _ in range(3))
                assert spent < ratio * max(least, LEAST / ratio), f"{sample}: {least:.4f} s, {spent:.4f} s"


def test_regular_expressions_are_compiled_at_module_level() -> None:
    missed = []
    for path in FILES:
        top = {id(call) for _, node in made(tree(path)) for call, _ in called(ast.walk(node))}
        missed += [
            f"{name_of(path)}:{node.lineno} re.{name}"
            for node, name in called(nodes(path))
            if name != "escape" and not (name == "compile" and id(node) in top)
        ]
    assert missed == []


def test_superlinear_expression_is_detected() -> None:
    with pytest.raises(AssertionError):
        linear("worse", re.compile(r"a+b"), ("search",))
