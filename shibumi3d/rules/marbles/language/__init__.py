"""The rule language: expressions, verbs and the compiler that turns a game file into rules."""
