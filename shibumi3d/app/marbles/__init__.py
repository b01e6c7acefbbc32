"""Interaction with a match of marbles, independent of pages: choosing moves, pointing, and describing."""
