"""The rule language: its expressions and verbs, and the compiler from game files to rules."""
