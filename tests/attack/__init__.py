"""Attacks: games and records that nobody wrote, and surroundings that nobody wishes for.

Mutants are spoiled, mixed from several games, put on boards that only one seat sees, or made to cost as much as they
may; each must be refused in plain words or be playable as the window plays it, soon and in little memory. Beside them
stand rules that fail in play, the command line with broken streams, and folders that take nothing.

``python -m tests.attack --mutants 30000 --seed 1`` tries more mutants, ``SHIBUMI3D_ATTACK=100`` more in the window.
"""
