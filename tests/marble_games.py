"""The games of marbles: what tests of the engine, of the board and of its page go through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from shibumi3d import native
from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.kinds import USUAL
from tests.share import THOROUGH, some

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


def marble_games() -> tuple[Entry, ...]:
    """Those of the catalogue, by title."""
    return tuple(entry for entry in load() if entry.kind == USUAL)


def thinned(cases: Sequence[T], step: int) -> Sequence[T]:
    """All cases where the engine is compiled, which takes seconds for them; else one of so many, as plain Python takes
    minutes for the same sources: the others are left to ``make thorough``."""
    return cases if native.status.native else some(cases, -(-len(cases) // step))


def with_compiled(test: F) -> F:
    """Mark a test that takes plain Python seconds: ``make test`` runs it with the compiled engine alone."""
    return test if native.status.native else THOROUGH(test)
