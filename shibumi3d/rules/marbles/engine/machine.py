"""The interface of the engine, collected from its modules.

The normal engine and the copy for large boards both have this module; see
:class:`~shibumi3d.rules.marbles.engines.Engine`.
"""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.build.fixed import Fixed
from shibumi3d.rules.marbles.engine.build.program import machine
from shibumi3d.rules.marbles.engine.ends import scores_now, standings
from shibumi3d.rules.marbles.engine.exact import NO, OPEN, YES, Exact
from shibumi3d.rules.marbles.engine.fast import FastGame
from shibumi3d.rules.marbles.engine.frozen import load, save
from shibumi3d.rules.marbles.engine.lookahead import FAILED, WAITING, run, take
from shibumi3d.rules.marbles.engine.play import (
    begin,
    begin_at,
    carry_out,
    choices,
    play,
    raw_choices,
    settled,
    solvable_now,
)
from shibumi3d.rules.marbles.engine.proofs import Prover
from shibumi3d.rules.marbles.engine.steps.blocks import let_others_choose
from shibumi3d.rules.marbles.engine.tree import Tree
from shibumi3d.rules.marbles.engine.turns import note_registers, reopen
from shibumi3d.rules.marbles.engine.worth import Lessons, Weights

__all__ = [
    "FAILED",
    "NO",
    "OPEN",
    "WAITING",
    "YES",
    "Exact",
    "FastGame",
    "Fixed",
    "Lessons",
    "Prover",
    "Tree",
    "Weights",
    "begin",
    "begin_at",
    "carry_out",
    "choices",
    "let_others_choose",
    "load",
    "machine",
    "note_registers",
    "play",
    "raw_choices",
    "reopen",
    "run",
    "save",
    "scores_now",
    "settled",
    "solvable_now",
    "standings",
    "take",
]
