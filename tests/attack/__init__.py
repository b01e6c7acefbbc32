"""Attacks: games and records that nobody would write, and hostile environments.

Mutants are damaged game files and records, mixtures of several games, games on boards that only one seat sees, and
games that are as expensive to play as the limits allow. Each mutant must either be refused with a clear message or
answer everything that the window asks of a game, quickly and within limited memory. Other tests have rules that fail
during play, run the command line with broken streams, or make folders unwritable.

``python -m tests.attack --mutants 30000 --seed 1`` tries more mutants; with ``SHIBUMI3D_ATTACK=100`` in the
environment, the tests draw more of them in the window.
"""
