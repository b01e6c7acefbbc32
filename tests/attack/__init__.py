"""Attacks: games and records that nobody would write, and hostile environments.

Mutants are damaged game files and records, mixtures of several games, games whose boards are hidden from some seats,
and games that are as expensive to play as the limits allow. Each mutant must either be refused with a clear message or
answer everything that the window asks of a game, quickly and within limited memory. Other tests play games whose rules
fail in the middle of a match, run the command line with broken streams, or make folders unwritable.

``python -m tests.attack --mutants 30000 --seed 1`` tries more mutants; with ``SHIBUMI3D_ATTACK=100`` in the
environment, the tests show more of them in the window.
"""
