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
    """Return all cases, marked so that ``make test`` runs only some of them.

    All cases would take minutes in pure Python, so only one in ``step`` is run there. With the compiled engine, one
    case in ``compiled`` is run; by default, all are.
    """
    return some(cases, -(-len(cases) // (compiled if native.status.is_native else step)))


def slow_in_plain_python(test: F) -> F:
    """Run a test only in ``make thorough`` unless the engine is compiled, because it takes seconds in pure Python."""
    return test if native.status.is_native else THOROUGH(test)
