"""Searching games: solving puzzles, and doing such work beside the window. Knows rules, no game and no pixels."""
