"""The public names of the engine, collected from its modules.

The normal engine and its copies for larger boards all have this module; see
:class:`~shibumi3d.rules.marbles.engines.Engine`.
"""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.build.expressions import ConstantEvaluator
from shibumi3d.rules.marbles.engine.build.program import build_machine
from shibumi3d.rules.marbles.engine.end_rules import current_scores, ranking_values
from shibumi3d.rules.marbles.engine.exhaustive_search import NO, UNDECIDED, YES, ExhaustiveSearch
from shibumi3d.rules.marbles.engine.fast_game import FastGame
from shibumi3d.rules.marbles.engine.learned_evaluation import SelfPlay, Weights
from shibumi3d.rules.marbles.engine.lookahead import AWAITING_CHOICE, FAILED, run_steps, take_option
from shibumi3d.rules.marbles.engine.mcts import SearchTree
from shibumi3d.rules.marbles.engine.play import (
    begin_at_position,
    begin_match,
    is_solvable,
    legal_choices,
    play_choice,
    play_unchecked,
    pseudo_legal_choices,
    tallies_after_secrets,
)
from shibumi3d.rules.marbles.engine.proof_number_search import ProofNumberSearch
from shibumi3d.rules.marbles.engine.snapshots import load_snapshot, save_snapshot
from shibumi3d.rules.marbles.engine.steps.blocks import hide_who_has_chosen
from shibumi3d.rules.marbles.engine.turns import push_registers, restart_turn

__all__ = [
    "AWAITING_CHOICE",
    "FAILED",
    "NO",
    "UNDECIDED",
    "YES",
    "ConstantEvaluator",
    "ExhaustiveSearch",
    "FastGame",
    "ProofNumberSearch",
    "SearchTree",
    "SelfPlay",
    "Weights",
    "begin_at_position",
    "begin_match",
    "build_machine",
    "current_scores",
    "hide_who_has_chosen",
    "is_solvable",
    "legal_choices",
    "load_snapshot",
    "play_choice",
    "play_unchecked",
    "pseudo_legal_choices",
    "push_registers",
    "ranking_values",
    "restart_turn",
    "run_steps",
    "save_snapshot",
    "take_option",
    "tallies_after_secrets",
]
