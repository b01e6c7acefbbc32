"""The rule language: expressions, verbs, and the compiler that turns game files into rules."""
