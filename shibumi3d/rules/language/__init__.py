"""The rule language: expressions, verbs and the compiler that turns a game file into rules."""

from shibumi3d.rules.language.program import RULE_KEYS, compile_rules
from shibumi3d.rules.language.rules import Rules
from shibumi3d.rules.language.verbs import VERBS
from shibumi3d.rules.language.words import WORDS

__all__ = ["RULE_KEYS", "VERBS", "WORDS", "Rules", "compile_rules"]
