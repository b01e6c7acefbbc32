"""The verbs that steps can use, grouped by kind."""

from __future__ import annotations

from shibumi3d.rules.marbles.language.verbs.choices import CHOICES
from shibumi3d.rules.marbles.language.verbs.flow import FLOW
from shibumi3d.rules.marbles.language.verbs.registry import Verb
from shibumi3d.rules.marbles.language.verbs.work import WORK

VERBS: dict[str, Verb] = {**CHOICES, **WORK, **FLOW}
"""All verbs of the rule language, by name."""

__all__ = ["VERBS"]
