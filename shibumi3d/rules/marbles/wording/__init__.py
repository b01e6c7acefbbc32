"""Texts for marble games: moves, their effects, prompts, and why a move is impossible."""
