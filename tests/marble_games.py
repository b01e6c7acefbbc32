"""The marble games that the tests of the engine, the boards and the match page cover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from shibumi3d import native
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.registry import DEFAULT_KIND
from tests.share import THOROUGH, some

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


def marble_games() -> tuple[Entry, ...]:
    return tuple(entry for entry in load_catalogue() if entry.kind == DEFAULT_KIND)


def thinned(cases: Sequence[T], step: int, compiled: int = 1) -> Sequence[T]:
    """Keep every ``step``-th case, and mark the others as thorough, since all of them would take minutes in pure
    Python.

    With the compiled engine, every ``compiled``-th case is kept; by default, all are.
    """
    return some(cases, -(-len(cases) // (compiled if native.status.is_native else step)))


def slow_in_plain_python(test: F) -> F:
    """Leave a test to ``make thorough`` unless the engine is compiled, since it takes seconds in pure Python."""
    return test if native.status.is_native else THOROUGH(test)
