"""Attacks: games and records that nobody would write, and hostile environments.

Mutants are damaged game files and records, mixtures of several games, games on boards that only one seat sees, and
games as expensive as allowed. Each must be refused with a clear message or be playable as in the window, quickly and
within limited memory. Other attacks are rules that fail during play, the command line with broken streams, and
unwritable folders.

``python -m tests.attack --mutants 30000 --seed 1`` tries more mutants, ``SHIBUMI3D_ATTACK=100`` more in the window.
"""
