"""The verbs that steps can use, grouped by kind."""

from __future__ import annotations

from shibumi3d.rules.marbles.language.verbs.choices import CHOICE_VERBS
from shibumi3d.rules.marbles.language.verbs.control_flow import CONTROL_FLOW_VERBS
from shibumi3d.rules.marbles.language.verbs.engine_actions import ENGINE_VERBS
from shibumi3d.rules.marbles.language.verbs.registry import Verb

VERBS: dict[str, Verb] = {**CHOICE_VERBS, **ENGINE_VERBS, **CONTROL_FLOW_VERBS}
"""All verbs of the rule language, by name."""

__all__ = ["VERBS"]
