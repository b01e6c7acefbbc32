"""Texts for marble games: moves, their effects, prompts, and explanations of why a move is impossible."""
