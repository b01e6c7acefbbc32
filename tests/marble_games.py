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
    """Return all cases, marked so that ``make test`` may run only some of them.

    In pure Python, one case in ``step`` is run, because all cases would take minutes. With the compiled engine, one
    case in ``compiled`` is run; by default, all are. ``make thorough`` runs all cases.
    """
    return some(cases, -(-len(cases) // (compiled if native.status.is_native else step)))


def slow_in_plain_python(test: F) -> F:
    """Restrict a test to ``make thorough`` if the engine isn't compiled.

    In pure Python, the test takes seconds.
    """
    return test if native.status.is_native else THOROUGH(test)
