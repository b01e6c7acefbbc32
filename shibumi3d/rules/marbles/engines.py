"""Which engine runs a board: the one for sets of 62 bits, or, where that is compiled, its twin for wide boards."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from shibumi3d.rules.marbles.engine.board import NATIVE
from shibumi3d.rules.marbles.engine.rules import WORK, Rules, Snapshot

WIDEST = 5
"""The largest board whose sets of points fit into 62 bits. Uncompiled, the same engine serves all sizes."""


def engine_of(size: int) -> Any:
    """The module :mod:`~shibumi3d.rules.marbles.engine.machine`, or its twin, that plays boards of a size."""
    if NATIVE and size > WIDEST:
        return import_module("shibumi3d.rules.marbles.engine_wide.machine")
    return import_module("shibumi3d.rules.marbles.engine.machine")


class Runner:
    """The one machine on which the states of some rules are looked at and led on.

    It stays where it was left, so that going on from there costs nothing.
    """

    def __init__(self, rules: Rules) -> None:
        self.engine = engine_of(rules.pyramid.size)
        self.machine = self.engine.machine(rules)
        self.at: Snapshot | None = None

    def stand(self, at: Snapshot, seed: int | None) -> Any:
        """Return the machine, standing at a snapshot. Whoever moves it on says so by :meth:`moved`."""
        m = self.machine
        if self.at is not at:
            self.at = None
            self.engine.load(m, at)
            self.at = at
        m.seed = seed or 0
        m.events = None
        m.looking = m.blind = False
        m.work, m.reading = WORK, 0
        return m

    def moved(self) -> Snapshot:
        """Return what the machine has become."""
        self.machine.length = 0
        self.at = self.engine.save(self.machine)
        return self.at

    def scores(self, at: Snapshot) -> tuple[int, ...]:
        """Return the score of every seat at a snapshot."""
        found: tuple[int, ...] = self.engine.scores_now(self.stand(at, 0))
        return found

    def solvable(self, at: Snapshot) -> bool:
        """Whether the rules say that what was dealt can be won."""
        found: bool = self.engine.solvable_now(self.stand(at, 0))
        return found

    def with_others_to_choose(self, at: Snapshot, seat: int) -> tuple[Snapshot, bool]:
        """Return a moment in which all seats but one are still to choose in the secret block that is under way, and
        whether one is."""
        m = self.stand(at, 0)
        self.engine.let_others_choose(m, seat)
        found: Snapshot = self.engine.save(m)
        self.at = None
        return found, any(word.v for word in m.secret_me)

    def lost(self) -> str:
        """The machine stands anywhere: a rule failed on the way. Returns its file and line, where it has them."""
        self.at = None
        number: int = self.machine.at.number
        rules: Rules = self.machine.rules
        if self.machine.reading:
            return rules.places.get(self.machine.reading, "")
        return rules.code[number].place if 0 <= number < len(rules.code) else ""


def runner_of(rules: Rules) -> Runner:
    """The runner of some rules, made when first asked for."""
    if rules.runner is None:
        rules.runner = Runner(rules)
    found: Runner = rules.runner
    return found
